//! ElephantEye's BOOK.DAT.
//!
//! Eight bytes an entry, little-endian: half of a position's Zobrist key, the move, its weight; sorted by key, with one of each
//! pair of mirror images. The keys are drawn from the stream of RC4 with a key of zeros: for the side to move and then for each
//! piece (K A B N R C P, Red's first) on each of 256 points, three words of 32 bits, of which the third is used. Points are
//! those of a board of 16 × 16 with a9 at 0x33.
//!
//! Source: the description in `DOC/eleeye_book.htm` of xqbase/eleeye, checked on its book: all 16 moves found for the start
//! position are legal.
//!
//! Nothing in it counts the entries. But of a position's key and that of its mirror image the smaller one stands there, so that the keys thin
//! out towards the end in a known way: a file that was cut short shows by where they stop.
//!
//! The file names positions by their keys alone, so they are looked for: from the start, through every legal move, for as long as
//! the book knows the position or the one before it.

use std::collections::{HashMap, HashSet};

use anyhow::ensure;
use engine::book::Place;
use movegen::{Color, Move, Piece, PieceKind, Position, Square};

use super::{Imported, Weights};

const ENTRY: usize = 8;
/// Points of the board of 16 × 16.
const POINTS: usize = 256;

/// The pieces in the order of the keys.
pub(super) const KINDS: [PieceKind; 7] = [
    PieceKind::King,
    PieceKind::Advisor,
    PieceKind::Elephant,
    PieceKind::Horse,
    PieceKind::Rook,
    PieceKind::Cannon,
    PieceKind::Pawn,
];

/// The place of a piece in the order of the keys.
pub(super) fn piece_index(piece: Piece) -> usize {
    let kind = KINDS.iter().position(|&kind| kind == piece.kind()).unwrap_or_default();
    kind + if piece.color() == Color::Red { 0 } else { KINDS.len() }
}

/// The number of a square on the board of 16 × 16.
pub(super) fn point(square: Square) -> usize {
    (12 - square.rank().index()) * 16 + square.file().index() + 3
}

/// The square of such a number.
pub(super) fn square_of(point: usize) -> Option<Square> {
    Square::ALL.into_iter().find(|&square| self::point(square) == point)
}

/// The stream cipher RC4 with a key of zeros.
struct Rc4 {
    state: [u8; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    fn new() -> Self {
        let mut state = [0; 256];
        for (i, byte) in state.iter_mut().enumerate() {
            *byte = i as u8;
        }
        let mut j = 0_u8;
        for i in 0..256 {
            j = j.wrapping_add(state[i]);
            state.swap(i, usize::from(j));
        }
        Self { state, i: 0, j: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        self.j = self.j.wrapping_add(self.state[usize::from(self.i)]);
        self.state.swap(usize::from(self.i), usize::from(self.j));
        let sum = self.state[usize::from(self.i)].wrapping_add(self.state[usize::from(self.j)]);
        self.state[usize::from(sum)]
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    /// The third of the next three words.
    fn lock(&mut self) -> u32 {
        let words = [self.word(), self.word(), self.word()];
        words[2]
    }
}

/// The keys by which a file names positions.
#[derive(Debug)]
pub(super) struct Keys {
    /// The side to move that adds a key, and that key.
    pub(super) side: (Color, u64),
    /// By piece in the order of [`piece_index`] and by square.
    pub(super) pieces: Vec<[u64; Square::COUNT]>,
}

impl Keys {
    /// ElephantEye's.
    fn eleeye() -> Self {
        let mut rc4 = Rc4::new();
        let side = (Color::Black, u64::from(rc4.lock()));
        let pieces = (0..2 * KINDS.len()).map(|_| {
            let points: [u64; POINTS] = std::array::from_fn(|_| u64::from(rc4.lock()));
            Square::ALL.map(|square| points[point(square)])
        });
        Self { side, pieces: pieces.collect() }
    }

    fn piece(&self, piece: Piece, square: Square) -> u64 {
        self.pieces[piece_index(piece)][square.index()]
    }

    /// The key of a position.
    pub(super) fn of(&self, position: &Position) -> u64 {
        let mut key = if position.side_to_move() == self.side.0 { self.side.1 } else { 0 };
        for square in Square::ALL {
            if let Some(piece) = position.piece_at(square) {
                key ^= self.piece(piece, square);
            }
        }
        key
    }

    /// By what a move changes the key of a position and that of its mirror image.
    fn changes(&self, position: &Position, mv: Move) -> [u64; 2] {
        let (from, to) = (mv.from(), mv.to());
        [|square: Square| square, Square::mirror].map(|view| {
            let moved = position.piece_at(from);
            let parts = [(moved, from), (moved, to), (position.piece_at(to), to)];
            let pieces =
                parts.into_iter().filter_map(|(piece, square)| Some(self.piece(piece?, view(square))));
            pieces.fold(self.side.1, |change, key| change ^ key)
        })
    }
}

/// The moves of a position in a file; `None` if it is not known there.
type Known<'a> = &'a dyn Fn(&Position) -> Option<Vec<(Move, u64)>>;

/// Walks through a file that names positions by their keys: from the start, through every legal move, as long as a position or the
/// one before it is known. `has` tells whether a key is in the file. Gives the moves with their weights.
pub(super) fn walk(keys: &Keys, has: &dyn Fn(u64) -> bool, known: Known<'_>) -> Weights {
    let mut weights = Weights::new();
    let mut seen = HashSet::new();
    let mut frontier = vec![Position::startpos()];
    while let Some(position) = frontier.pop() {
        let mirrored = position.mirror();
        if !seen.insert(position.key().min(mirrored.key())) {
            continue;
        }
        if let Some(moves) = known(&position) {
            for (mv, weight) in moves {
                let entry = weights.entry(Place::of(&position, mv)).or_default();
                *entry = weight.max(*entry);
            }
            frontier.extend(position.legal_moves().into_iter().map(|mv| position.play(mv)));
        } else {
            // Only positions of the file are worth going on with.
            let here = [keys.of(&position), keys.of(&mirrored)];
            let leads_back = |mv: &Move| {
                let changes = keys.changes(&position, *mv);
                has(here[0] ^ changes[0]) || has(here[1] ^ changes[1])
            };
            frontier
                .extend(position.legal_moves().into_iter().filter(leads_back).map(|mv| position.play(mv)));
        }
    }
    weights
}

/// How sure it must be that a file is cut: by chance its keys end so early once in `exp(20)` books.
const CUT_DOUBT: f64 = 20.0;

/// The share of a complete book that a file with so many keys, the last of them `last`, seems to hold; `None` if it may well be complete.
///
/// The smaller of two random fractions exceeds x with probability (1 - x)²: this is the share of keys that should follow.
fn share_left_by_a_cut(keys: usize, last: u64) -> Option<f64> {
    let missing = (1.0 - last as f64 / 2_f64.powi(32)).powi(2);
    (keys as f64 * missing > CUT_DOUBT).then_some(1.0 - missing)
}

/// The moves of a BOOK.DAT.
///
/// # Errors
/// If it is no such file.
pub(super) fn import(bytes: &[u8]) -> anyhow::Result<Imported> {
    ensure!(
        !bytes.is_empty() && bytes.len().is_multiple_of(ENTRY),
        "neither an OBK database nor a BOOK.DAT (its size is not a multiple of {ENTRY})"
    );
    let mut entries: HashMap<u64, Vec<(usize, u16, u16)>> = HashMap::new();
    let mut last = 0;
    for (index, entry) in bytes.chunks_exact(ENTRY).enumerate() {
        let word = |at: usize| u16::from_le_bytes([entry[at], entry[at + 1]]);
        let lock = u64::from(word(0)) | u64::from(word(2)) << 16;
        ensure!(lock >= last, "neither an OBK database nor a BOOK.DAT (entry {} is out of order)", index + 1);
        last = lock;
        entries.entry(lock).or_default().push((index, word(4), word(6)));
    }
    let keys = Keys::eleeye();
    let found = std::cell::RefCell::new(HashSet::new());
    let known = |position: &Position| {
        let views = [(position.clone(), false), (position.mirror(), true)];
        views.into_iter().find_map(|(view, mirrored)| {
            let mut moves = Vec::new();
            for &(index, bits, weight) in entries.get(&keys.of(&view))? {
                let (from, to) = (square_of(usize::from(bits & 0xff))?, square_of(usize::from(bits >> 8))?);
                let mv = Move::new(from, to);
                // Half a key may be that of another position.
                if view.is_legal(mv) {
                    found.borrow_mut().insert(index);
                    moves.push((if mirrored { mv.mirror() } else { mv }, u64::from(weight)));
                }
            }
            (!moves.is_empty()).then_some(moves)
        })
    };
    let weights = walk(&keys, &|key| entries.contains_key(&key), &known);
    let found = found.borrow().len();
    ensure!(found > 0, "a BOOK.DAT that does not know the start of the game");
    let cut = share_left_by_a_cut(entries.len(), last);
    Ok(Imported { weights, found, whole: bytes.len() / ENTRY, cut })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vector: RC4's stream for a key of zeros begins with DE 18 89 41 A3 37 5D 3A (Wagner, sci.crypt 1995).
    #[test]
    fn the_stream_of_a_key_of_zeros() {
        let mut rc4 = Rc4::new();
        let bytes: Vec<u8> = (0..8).map(|_| rc4.byte()).collect();
        assert_eq!(bytes, [0xde, 0x18, 0x89, 0x41, 0xa3, 0x37, 0x5d, 0x3a]);
    }

    /// Source: the entries of ElephantEye's book begin with those of the start position at this key, found with a program
    /// of a few lines in Python.
    #[test]
    fn the_key_of_the_start_position() {
        assert_eq!(Keys::eleeye().of(&Position::startpos()), 0x0526_56d5);
    }

    /// A file in ElephantEye's format: h2e2 and its answers, one known only by its mirror image.
    #[test]
    fn entries_are_found_from_the_start() {
        let start = Position::startpos();
        let mv = |text: &str| text.parse::<Move>().expect("a move");
        let after = start.play(mv("h2e2"));
        let mirrored = after.mirror();
        let keys = Keys::eleeye();
        // Further from what the book knows than one ply.
        let far = ["a9a8", "a0a1", "i9i8", "i0i1"]
            .iter()
            .fold(after.clone(), |position, word| position.play(mv(word)));
        let mut entries = vec![
            (keys.of(&start), mv("h2e2"), 100_u16),
            (keys.of(&mirrored), mv("b9c7"), 60),
            (keys.of(&after.play(mv("a9a8"))), mv("h0g2"), 5),
            (keys.of(&far), mv("b9c7"), 5),
        ];
        entries.sort_by_key(|entry| entry.0);
        let mut bytes = Vec::new();
        for (lock, mv, weight) in entries {
            bytes.extend((lock as u32).to_le_bytes());
            bytes.extend([point(mv.from()) as u8, point(mv.to()) as u8]);
            bytes.extend(weight.to_le_bytes());
        }
        let Imported { weights, found, whole, cut } = import(&bytes).expect("a book");
        assert_eq!((found, whole, cut), (3, 4, None));
        assert_eq!(weights.get(&Place::of(&start, mv("b2e2"))), Some(&100));
        assert_eq!(weights.get(&Place::of(&after, mv("h9g7"))), Some(&60));
        assert_eq!(weights.len(), 3);
        assert!(import(&bytes[..20]).is_err() && import(b"").is_err() && import(&[7; 64]).is_err());
    }

    /// Source: ElephantEye's book has 10,841 keys; the last is 0xfd202f49, the 5,420th 0x4b24e220 (a program of a few lines in Python).
    #[test]
    fn a_file_that_was_cut_shows_by_its_last_key() {
        assert_eq!(share_left_by_a_cut(10_841, 0xfd20_2f49), None);
        let half = share_left_by_a_cut(5_420, 0x4b24_e220).expect("it is cut");
        assert!((half - 0.5).abs() < 0.02, "{half}");
        assert_eq!(share_left_by_a_cut(15, 1), None, "a small book may end anywhere");
    }
}
