//! Random positions from a fixed seed: the same on every machine and in every version of the dependencies.

use crate::reference::{Board, Index};

/// SplitMix64. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 14.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator whose whole sequence follows from the seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; the bias of the remainder does not matter here.
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }

    /// One of the items.
    ///
    /// # Panics
    /// When there are none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Every position of `games` random games from the start position, each at most `plies` long.
///
/// Half of the moves are drawn from the captures when there are any, so that the games thin out.
pub fn playouts(rng: &mut Rng, games: usize, plies: usize) -> Vec<Board> {
    let mut found = Vec::new();
    for _ in 0..games {
        let mut board = Board::start();
        for _ in 0..plies {
            let moves = board.legal_moves();
            found.push(board.clone());
            if moves.is_empty() {
                break;
            }
            let captures: Vec<_> = moves.iter().copied().filter(|&step| board.is_capture(step)).collect();
            let from = if captures.is_empty() || rng.below(2) == 0 { &moves } else { &captures };
            board = board.after(rng.pick(from));
        }
    }
    found
}

/// The most pieces of each kind a side can have, generals left out.
const COUNTS: [(char, usize); 6] = [('A', 2), ('B', 2), ('N', 2), ('R', 2), ('C', 2), ('P', 5)];

/// How the men that are bound to certain points are placed by [`placements`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Points {
    /// Advisors, elephants and pawns only on points a game can bring them to.
    Lawful,
    /// Any point of the board, as problem books have it.
    Anywhere,
}

/// `count` random placements that no side could have left illegally: each man present with a chance drawn per board.
pub fn placements(rng: &mut Rng, count: usize, points: Points) -> Vec<Board> {
    let mut found = Vec::new();
    while found.len() < count {
        let board = placement(rng, points);
        if !board.is_unreachable() {
            found.push(board);
        }
    }
    found
}

fn placement(rng: &mut Rng, points: Points) -> Board {
    let mut board = Board::empty();
    let density = 1 + rng.below(8);
    for red in [true, false] {
        place(rng, &mut board, red, 'K', Points::Lawful);
        for (kind, most) in COUNTS {
            for _ in 0..most {
                if rng.below(10) < density {
                    place(rng, &mut board, red, kind, points);
                }
            }
        }
    }
    board.red_to_move = rng.below(2) == 0;
    board
}

/// Puts one more piece on a free point, if there is one for it.
fn place(rng: &mut Rng, board: &mut Board, red: bool, kind: char, points: Points) {
    let letter = if red { kind } else { kind.to_ascii_lowercase() };
    let free: Vec<Index> = (0..90)
        .filter(|&index| board.piece(index).is_none())
        .filter(|&index| points == Points::Anywhere || is_lawful(kind, if red { index } else { 89 - index }))
        .collect();
    if !free.is_empty() {
        board.put(rng.pick(&free), Some(letter));
    }
}

/// Whether a red piece of the kind can stand there in a game.
fn is_lawful(kind: char, index: Index) -> bool {
    let (file, rank) = (index % 9, index / 9);
    match kind {
        'K' => (3..6).contains(&file) && rank < 3,
        'A' => matches!((file, rank), (3 | 5, 0 | 2) | (4, 1)),
        'B' => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        'P' => rank >= 5 || (rank >= 3 && file.is_multiple_of(2)),
        _ => true,
    }
}
