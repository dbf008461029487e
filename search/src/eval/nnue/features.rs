//! Which inputs a position sets.

use movegen::{Color, Piece, PieceKind, Square};

/// Inputs of one view: own and the opponent's pieces, seven kinds, ninety squares.
pub const INPUTS: usize = 2 * PieceKind::COUNT * Square::COUNT;
/// Output buckets.
pub const BUCKETS: usize = 8;

/// The input of a piece on a square as `view` sees it: own pieces first, the board turned so that the own back rank is rank 0.
///
/// `90 × (kind + 7 for the opponent's) + square`, below [`INPUTS`].
#[inline]
pub fn feature(view: Color, piece: Piece, square: Square) -> usize {
    let opponent = if piece.color() == view { 0 } else { PieceKind::COUNT };
    let seen = if view == Color::Red { square } else { square.flip() };
    (opponent + piece.kind().index()) * Square::COUNT + seen.index()
}

/// The output bucket for a number of pieces on the board: 1 to 4, 5 to 8, … 29 and more.
#[inline]
pub fn bucket(pieces: usize) -> usize {
    (pieces.saturating_sub(1) / 4).min(BUCKETS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_their_own_pieces_alike() {
        for piece in Piece::ALL {
            for square in Square::ALL {
                let theirs = Piece::new(!piece.color(), piece.kind());
                let seen = feature(Color::Red, piece, square);
                assert_eq!(seen, feature(Color::Black, theirs, square.flip()));
                assert!(seen < INPUTS);
            }
        }
        assert_eq!(feature(Color::Red, Piece::RedKing, Square::E0), 4);
        assert_eq!(feature(Color::Black, Piece::RedPawn, Square::A3), 13 * 90 + 6 * 9);
    }

    #[test]
    fn buckets_cover_all_numbers_of_pieces() {
        assert_eq!([2, 4, 5, 28, 29, 32].map(bucket), [0, 0, 1, 6, 7, 7]);
    }
}
