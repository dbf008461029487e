//! A position in 28 bytes, for training in memory.

use movegen::{Color, Piece, Position, PositionError, Setup, Square};
use thiserror::Error;

/// Most pieces a packed position can hold: both sides complete.
pub const MAX_PIECES: usize = 32;

/// More than [`MAX_PIECES`] pieces: no position of a real game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("more than 32 pieces on the board")]
pub struct PackError;

/// A position as the side to move sees it: if Black is to move, colours are swapped and ranks reversed.
///
/// The counters are dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedPosition {
    /// One bit a square, bit 0 of byte 0 is a0.
    occupied: [u8; 12],
    /// Four bits a piece in order of squares: 7 × (1 for the opponent's) + kind.
    pieces: [u8; MAX_PIECES / 2],
}

impl PackedPosition {
    /// Packs a position.
    ///
    /// # Errors
    /// [`PackError`] if there are too many pieces.
    pub fn new(position: &Position) -> Result<Self, PackError> {
        let mut packed = Self { occupied: [0; 12], pieces: [0; MAX_PIECES / 2] };
        let us = position.side_to_move();
        let mut count = 0;
        for seen in Square::ALL {
            let square = if us == Color::Red { seen } else { seen.flip() };
            let Some(piece) = position.piece_at(square) else { continue };
            if count == MAX_PIECES {
                return Err(PackError);
            }
            packed.occupied[seen.index() / 8] |= 1 << (seen.index() % 8);
            let code = piece.kind().index() + if piece.color() == us { 0 } else { 7 };
            packed.pieces[count / 2] |= (code as u8) << (4 * (count % 2));
            count += 1;
        }
        Ok(packed)
    }

    /// The pieces in ascending order of squares as (code, square): 7 × (1 for the opponent's) + kind, and 9 × rank + file, as the
    /// side to move sees the board.
    #[inline]
    pub fn codes(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        let [low, high] = self.words();
        let mut bits = u128::from(high) << 64 | u128::from(low);
        let mut count = 0;
        core::iter::from_fn(move || {
            if bits == 0 {
                return None;
            }
            let square = bits.trailing_zeros() as u8;
            bits &= bits - 1;
            let code = self.pieces[count / 2] >> (4 * (count % 2)) & 15;
            count += 1;
            Some((code, square))
        })
    }

    /// The position with Red to move; counters zero.
    ///
    /// # Errors
    /// [`PositionError`] if it was not packed from a position.
    pub fn unpack(&self) -> Result<Position, PositionError> {
        let mut board = [None; Square::COUNT];
        for (code, square) in self.codes() {
            board[usize::from(square)] = Piece::ALL.get(usize::from(code)).copied();
        }
        Position::from_setup(&Setup {
            board,
            side_to_move: Color::Red,
            halfmove_clock: 0,
            fullmove_number: 1,
        })
    }

    /// How many pieces there are.
    pub fn count(&self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    fn words(&self) -> [u64; 2] {
        let o = &self.occupied;
        [
            u64::from_le_bytes([o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7]]),
            u64::from(u32::from_le_bytes([o[8], o[9], o[10], o[11]])),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::testing::random_game;

    #[test]
    fn pieces_come_back_seen_by_the_side_to_move() {
        for number in 0..20 {
            let game = random_game(number);
            let mut position = game.start.clone();
            for ply in &game.opening {
                position.make_move(*ply);
                let seen =
                    if position.side_to_move() == Color::Red { position.clone() } else { position.flip() };
                let packed = PackedPosition::new(&position).expect("32 pieces at most");
                let unpacked = packed.unpack().expect("a legal position");
                assert_eq!(packed.count(), seen.occupied().count() as usize);
                for square in Square::ALL {
                    assert_eq!(unpacked.piece_at(square), seen.piece_at(square));
                }
            }
        }
    }
}
