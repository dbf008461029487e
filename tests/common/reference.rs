//! A slow xiangqi move generator that is right by reading: a mailbox of FEN letters, moves as the rule book words them,
//! legality by making the move and looking whether the own general can be taken.
//!
//! Source of every rule: Asian Xiangqi Federation, World Xiangqi Rules, part 1 (how the pieces move; a side without a
//! legal move has lost). The facing of the generals is treated as an attack of one general on the other along an open file.
//! Left out: move counters, repetition, and any notion of speed.

use std::fmt;

/// A square index: 9 × rank + file, a0 = 0, i9 = 89.
pub type Index = usize;

/// A move as (from, to).
pub type Step = (Index, Index);

/// An empty point.
const EMPTY: u8 = b'.';

const ORTHOGONAL: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// A board and the side to move. Cells hold the FEN letters `KABNRCP`, upper case for Red, or `.`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    cells: [u8; 90],
    /// Whether Red is to move.
    pub red_to_move: bool,
}

/// The index of the point, or `None` outside the board.
fn point(file: i32, rank: i32) -> Option<Index> {
    ((0..9).contains(&file) && (0..10).contains(&rank)).then_some((9 * rank + file) as usize)
}

fn file_of(index: Index) -> i32 {
    (index % 9) as i32
}

fn rank_of(index: Index) -> i32 {
    (index / 9) as i32
}

/// Whether the point is in the palace of the side.
fn in_palace(red: bool, index: Index) -> bool {
    let ranks = if red { 0..3 } else { 7..10 };
    (3..6).contains(&file_of(index)) && ranks.contains(&rank_of(index))
}

/// Whether the point is on the side's own half of the board.
fn on_own_half(red: bool, index: Index) -> bool {
    if red { rank_of(index) < 5 } else { rank_of(index) > 4 }
}

/// The name of the square, such as `h2`.
pub fn square_name(index: Index) -> String {
    format!("{}{}", char::from(b'a' + file_of(index) as u8), rank_of(index))
}

/// The move in coordinates, such as `h2e2`.
pub fn step_name((from, to): Step) -> String {
    square_name(from) + &square_name(to)
}

/// The index of a square name such as `h2`.
///
/// # Panics
/// When the text is no square: test data are right or the test fails.
pub fn square(name: &str) -> Index {
    let bytes = name.as_bytes();
    assert_eq!(bytes.len(), 2, "{name:?} is no square");
    point(i32::from(bytes[0]) - i32::from(b'a'), i32::from(bytes[1]) - i32::from(b'0')).expect("a square")
}

/// The (from, to) pair of a move such as `h2e2`.
///
/// # Panics
/// When the text is no move.
pub fn step(name: &str) -> Step {
    (square(&name[..2]), square(&name[2..]))
}

impl Board {
    /// A board without pieces, Red to move.
    pub fn empty() -> Self {
        Self { cells: [EMPTY; 90], red_to_move: true }
    }

    /// The start position.
    pub fn start() -> Self {
        Self::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1")
    }

    /// Reads the first two fields of a FEN in the standard letters.
    ///
    /// # Panics
    /// On anything else: this reader serves the tests' own data.
    pub fn from_fen(fen: &str) -> Self {
        let mut fields = fen.split_whitespace();
        let rows = fields.next().expect("a board field");
        let mut board = Self::empty();
        let mut ranks = 0;
        for (row, rank) in rows.split('/').zip((0..10).rev()) {
            let mut file = 0;
            for letter in row.bytes() {
                if letter.is_ascii_digit() {
                    file += i32::from(letter - b'0');
                } else {
                    assert!(b"KABNRCPkabnrcp".contains(&letter), "unknown letter in {fen}");
                    board.cells[point(file, rank).expect("inside the board")] = letter;
                    file += 1;
                }
            }
            assert_eq!(file, 9, "row {row} of {fen}");
            ranks += 1;
        }
        assert_eq!(ranks, 10, "ranks of {fen}");
        board.red_to_move = match fields.next() {
            Some("w") => true,
            Some("b") => false,
            other => panic!("side to move {other:?} of {fen}"),
        };
        board
    }

    /// The position as a FEN with counters `0 1`.
    pub fn fen(&self) -> String {
        let rows: Vec<String> = self.cells.chunks(9).rev().map(fen_row).collect();
        format!("{} {} - - 0 1", rows.join("/"), if self.red_to_move { 'w' } else { 'b' })
    }

    /// The FEN letter on the point.
    pub fn piece(&self, index: Index) -> Option<char> {
        (self.cells[index] != EMPTY).then(|| char::from(self.cells[index]))
    }

    /// Puts a piece, or nothing, on the point.
    pub fn put(&mut self, index: Index, piece: Option<char>) {
        self.cells[index] = piece.map_or(EMPTY, |letter| letter as u8);
    }

    /// The same position with colours and ranks swapped.
    pub fn flip(&self) -> Self {
        let mut flipped = Self { red_to_move: !self.red_to_move, ..Self::empty() };
        for index in 0..90 {
            let letter = self.cells[index];
            let swapped = if letter.is_ascii_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            };
            flipped.cells[flip_index(index)] = swapped;
        }
        flipped
    }

    /// The same position with files a..i swapped.
    pub fn mirror(&self) -> Self {
        let mut mirrored = self.clone();
        for index in 0..90 {
            mirrored.cells[mirror_index(index)] = self.cells[index];
        }
        mirrored
    }

    /// Whether the point holds a piece of the side.
    fn is_of(&self, red: bool, index: Index) -> bool {
        let letter = self.cells[index];
        letter != EMPTY && letter.is_ascii_uppercase() == red
    }

    fn is_empty(&self, index: Index) -> bool {
        self.cells[index] == EMPTY
    }

    /// The point of the side's general.
    fn general(&self, red: bool) -> Index {
        let letter = if red { b'K' } else { b'k' };
        self.cells.iter().position(|&cell| cell == letter).expect("each side has a general")
    }

    /// Where the piece on `from` may go by the way it moves alone: every empty point and every enemy it reaches.
    pub fn targets(&self, from: Index) -> Vec<Index> {
        let letter = self.cells[from];
        let red = letter.is_ascii_uppercase();
        let reached = match letter.to_ascii_uppercase() {
            b'K' => self.general_targets(red, from),
            b'A' => neighbours(from, &DIAGONAL).filter(|&to| in_palace(red, to)).collect(),
            b'B' => self.elephant_targets(red, from),
            b'N' => self.horse_targets(from),
            b'R' => self.rook_targets(from),
            b'C' => self.cannon_targets(from),
            b'P' => pawn_targets(red, from),
            _ => Vec::new(),
        };
        reached.into_iter().filter(|&to| !self.is_of(red, to)).collect()
    }

    /// One step orthogonally inside the palace; besides, the enemy general on an open file can be "taken".
    fn general_targets(&self, red: bool, from: Index) -> Vec<Index> {
        let mut found: Vec<Index> = neighbours(from, &ORTHOGONAL).filter(|&to| in_palace(red, to)).collect();
        let enemy = if red { b'k' } else { b'K' };
        for direction in [(0, 1), (0, -1)] {
            if let Some(first) = ray(from, direction).find(|&to| !self.is_empty(to))
                && self.cells[first] == enemy
                && !found.contains(&first)
            {
                found.push(first);
            }
        }
        found
    }

    /// Two steps diagonally over an empty midpoint, never across the river.
    fn elephant_targets(&self, red: bool, from: Index) -> Vec<Index> {
        let mut found = Vec::new();
        for (df, dr) in DIAGONAL {
            let eye = point(file_of(from) + df, rank_of(from) + dr);
            let to = point(file_of(from) + 2 * df, rank_of(from) + 2 * dr);
            if let (Some(eye), Some(to)) = (eye, to)
                && self.is_empty(eye)
                && on_own_half(red, to)
            {
                found.push(to);
            }
        }
        found
    }

    /// One step orthogonally onto an empty point (the leg), then one step diagonally outward.
    fn horse_targets(&self, from: Index) -> Vec<Index> {
        let mut found = Vec::new();
        for (df, dr) in ORTHOGONAL {
            let Some(leg) = point(file_of(from) + df, rank_of(from) + dr) else { continue };
            if !self.is_empty(leg) {
                continue;
            }
            for side in [-1, 1] {
                // Outward: one more step in the same direction, and one to either side of it.
                let (out_file, out_rank) = if df == 0 { (side, dr) } else { (df, side) };
                found.extend(point(file_of(leg) + out_file, rank_of(leg) + out_rank));
            }
        }
        found
    }

    /// Any distance orthogonally up to and including the first piece.
    fn rook_targets(&self, from: Index) -> Vec<Index> {
        let mut found = Vec::new();
        for direction in ORTHOGONAL {
            for to in ray(from, direction) {
                found.push(to);
                if !self.is_empty(to) {
                    break;
                }
            }
        }
        found
    }

    /// To empty points like a rook; captures the first piece behind exactly one screen.
    fn cannon_targets(&self, from: Index) -> Vec<Index> {
        let mut found = Vec::new();
        for direction in ORTHOGONAL {
            let mut pieces_met = 0;
            for to in ray(from, direction) {
                if self.is_empty(to) {
                    if pieces_met == 0 {
                        found.push(to);
                    }
                } else {
                    pieces_met += 1;
                    if pieces_met == 2 {
                        found.push(to);
                        break;
                    }
                }
            }
        }
        found
    }

    /// The pieces of the side that could take on `target` now, in order of their squares.
    pub fn attackers(&self, target: Index, by_red: bool) -> Vec<Index> {
        (0..90).filter(|&from| self.is_of(by_red, from) && self.targets(from).contains(&target)).collect()
    }

    /// The board after the move, the other side to move. The move need not be legal.
    pub fn after(&self, (from, to): Step) -> Self {
        let mut next = self.clone();
        next.cells[to] = next.cells[from];
        next.cells[from] = EMPTY;
        next.red_to_move = !self.red_to_move;
        next
    }

    /// Whether the general of the side can be taken, by a piece or by the facing general.
    pub fn is_attacked(&self, red: bool) -> bool {
        !self.attackers(self.general(red), !red).is_empty()
    }

    /// The pieces that give check to the side to move, in order of their squares.
    pub fn checkers(&self) -> Vec<Index> {
        self.attackers(self.general(self.red_to_move), !self.red_to_move)
    }

    /// Whether the side to move stands in check.
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.red_to_move)
    }

    /// Whether the side that just moved left its general to be taken: no game reaches such a position.
    pub fn is_unreachable(&self) -> bool {
        self.is_attacked(!self.red_to_move)
    }

    /// Every legal move, in ascending order.
    pub fn legal_moves(&self) -> Vec<Step> {
        let mut moves: Vec<Step> = (0..90)
            .filter(|&from| self.is_of(self.red_to_move, from))
            .flat_map(|from| self.targets(from).into_iter().map(move |to| (from, to)))
            .filter(|&step| !self.after(step).is_attacked(self.red_to_move))
            .collect();
        moves.sort_unstable();
        moves
    }

    /// Whether the move takes a piece.
    pub fn is_capture(&self, (_, to): Step) -> bool {
        !self.is_empty(to)
    }

    /// Whether the move checks the other general.
    pub fn gives_check(&self, step: Step) -> bool {
        self.after(step).in_check()
    }

    /// The number of legal lines of `depth` plies.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal_moves().len() as u64,
            _ => self.legal_moves().into_iter().map(|step| self.after(step).perft(depth - 1)).sum(),
        }
    }
}

/// One rank as a FEN row.
fn fen_row(cells: &[u8]) -> String {
    let mut row = String::new();
    let mut gap = 0;
    for &cell in cells {
        if cell == EMPTY {
            gap += 1;
            continue;
        }
        if gap > 0 {
            row += &gap.to_string();
            gap = 0;
        }
        row.push(char::from(cell));
    }
    if gap > 0 {
        row += &gap.to_string();
    }
    row
}

/// The square with its rank counted from the other side.
pub fn flip_index(index: Index) -> Index {
    9 * (9 - index / 9) + index % 9
}

/// The square with its file counted from the other side.
pub fn mirror_index(index: Index) -> Index {
    9 * (index / 9) + 8 - index % 9
}

/// The points from `from` (not included) to the edge of the board.
fn ray(from: Index, (df, dr): (i32, i32)) -> impl Iterator<Item = Index> {
    (1..10).map_while(move |n| point(file_of(from) + n * df, rank_of(from) + n * dr))
}

/// The points one step away in the directions.
fn neighbours(from: Index, directions: &[(i32, i32)]) -> impl Iterator<Item = Index> {
    directions.iter().filter_map(move |(df, dr)| point(file_of(from) + df, rank_of(from) + dr))
}

/// One step forward, and sideways once across the river.
fn pawn_targets(red: bool, from: Index) -> Vec<Index> {
    let forward = if red { 1 } else { -1 };
    let mut found: Vec<Index> = point(file_of(from), rank_of(from) + forward).into_iter().collect();
    if !on_own_half(red, from) {
        found.extend([-1, 1].into_iter().filter_map(|side| point(file_of(from) + side, rank_of(from))));
    }
    found
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the counts every published perft of the start position agrees on (see `tests/data/perft.jsonl`).
    #[test]
    fn counts_the_start_position() {
        assert_eq!([1, 2, 3].map(|depth| Board::start().perft(depth)), [44, 1_920, 79_666]);
    }

    #[test]
    fn writes_the_fen_it_reads() {
        let fen = "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 b - - 0 1";
        assert_eq!(Board::from_fen(fen).fen(), fen);
    }

    #[test]
    fn flip_and_mirror_are_their_own_inverse() {
        let board = Board::from_fen("1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 b - - 0 1");
        assert_eq!(board.flip().flip(), board);
        assert_eq!(board.mirror().mirror(), board);
        assert_ne!(board.mirror(), board);
    }
}
