//! Zobrist keys, fixed for ever: books, hash probes and the bench signature depend on them.
//!
//! Drawn by splitmix64 (Steele, Lea, Flood 2014) at compile time, so that no crate upgrade can change them.

use crate::types::{Piece, Square};

const fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

struct Keys {
    pieces: [[u64; Square::COUNT]; Piece::COUNT],
    black_to_move: u64,
}

static KEYS: Keys = {
    // ASCII "phaophao".
    let mut state = 0x7068_616f_7068_616f;
    let mut keys = Keys { pieces: [[0; Square::COUNT]; Piece::COUNT], black_to_move: 0 };
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            keys.pieces[piece][square] = splitmix64(&mut state);
            square += 1;
        }
        piece += 1;
    }
    keys.black_to_move = splitmix64(&mut state);
    keys
};

/// The key of a piece on a square.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[piece.index()][square.index()]
}

/// What the side to move adds: the key changes by this with every move.
#[inline]
pub(crate) fn side() -> u64 {
    KEYS.black_to_move
}
