//! Which inputs a position sets.

use movegen::{Color, Piece, PieceKind, Position, Square};

/// Inputs of one view for one place of the own king: own and the opponent's pieces, seven kinds, ninety squares.
pub const INPUTS: usize = 2 * PieceKind::COUNT * Square::COUNT;
/// Places of the own king that have rows of their own: in the middle or beside it, on three ranks.
pub const KING_BUCKETS: usize = 6;
/// Rows of the hidden layer.
pub const ROWS: usize = KING_BUCKETS * INPUTS;
/// Output buckets.
pub const BUCKETS: usize = 8;

/// How a side sees the board: its own back rank is rank 0, and a king left or right of the middle always stands left
/// (after the mirrored king buckets of chess networks).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outlook {
    view: Color,
    mirrored: bool,
    /// Where the rows of the king's bucket begin.
    first: u16,
}

impl Outlook {
    /// The outlook of a side whose king stands on `king`.
    #[inline]
    pub fn new(view: Color, king: Square) -> Self {
        let seen = turned(view, king).index();
        let (rank, file) = (seen / 9, seen % 9);
        let bucket = (rank % 3) * 2 + usize::from(file != 4);
        Self { view, mirrored: file > 4, first: (bucket * INPUTS) as u16 }
    }

    /// The outlook of a side in a position.
    #[inline]
    pub fn of(view: Color, position: &Position) -> Self {
        Self::new(view, position.king(view))
    }

    /// The input of a piece on a square, own pieces first.
    ///
    /// `1260 × king bucket + 90 × (kind + 7 for the opponent's) + square`, below [`ROWS`].
    #[inline]
    pub fn input(self, piece: Piece, square: Square) -> usize {
        let opponent = if piece.color() == self.view { 0 } else { PieceKind::COUNT };
        let seen = turned(self.view, square);
        let seen = if self.mirrored { seen.mirror() } else { seen };
        usize::from(self.first) + (opponent + piece.kind().index()) * Square::COUNT + seen.index()
    }

    /// The inputs of all pieces.
    pub fn inputs(self, position: &Position) -> impl Iterator<Item = usize> {
        let pieces =
            position.occupied().iter().filter_map(|square| Some((position.piece_at(square)?, square)));
        pieces.map(move |(piece, square)| self.input(piece, square))
    }
}

#[inline]
fn turned(view: Color, square: Square) -> Square {
    if view == Color::Red { square } else { square.flip() }
}

/// The output bucket of a position by the pieces that attack, of both sides together: a rook counts one, a horse or a cannon half.
///
/// The idea of buckets by such pieces is that of Pikafish's networks.
#[inline]
pub fn bucket(rooks: usize, horses_and_cannons: usize) -> usize {
    (rooks + horses_and_cannons / 2).min(BUCKETS - 1)
}

/// The output bucket of a position.
#[inline]
pub(super) fn bucket_of(position: &Position) -> usize {
    let others = position.by_kind(PieceKind::Horse) | position.by_kind(PieceKind::Cannon);
    bucket(position.by_kind(PieceKind::Rook).count() as usize, others.count() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_their_own_pieces_alike() {
        for piece in Piece::ALL {
            for square in Square::ALL {
                let theirs = Piece::new(!piece.color(), piece.kind());
                let seen = Outlook::new(Color::Red, Square::D1).input(piece, square);
                assert_eq!(seen, Outlook::new(Color::Black, Square::D8).input(theirs, square.flip()));
                assert_eq!(seen, Outlook::new(Color::Red, Square::F1).input(piece, square.mirror()));
                assert!(seen < ROWS);
            }
        }
        assert_eq!(Outlook::new(Color::Red, Square::E0).input(Piece::RedKing, Square::E0), 4);
        assert_eq!(Outlook::new(Color::Black, Square::E9).input(Piece::RedPawn, Square::A3), 13 * 90 + 6 * 9);
        // The king on f2: rows of the sixth set, left and right swapped.
        let beside = Outlook::new(Color::Red, Square::F2);
        assert_eq!(beside.input(Piece::RedRook, Square::I0), 5 * 1260 + Piece::RedRook.kind().index() * 90);
    }

    #[test]
    fn every_place_of_a_king_has_its_bucket() {
        let firsts = |squares: [Square; 3]| squares.map(|king| Outlook::new(Color::Red, king).first / 1260);
        assert_eq!(firsts([Square::E0, Square::D0, Square::F0]), [0, 1, 1]);
        assert_eq!(firsts([Square::E1, Square::D1, Square::F1]), [2, 3, 3]);
        assert_eq!(firsts([Square::E2, Square::D2, Square::F2]), [4, 5, 5]);
    }

    #[test]
    fn buckets_cover_all_numbers_of_pieces() {
        let buckets = [(0, 0), (0, 1), (1, 0), (2, 3), (3, 7), (4, 4), (4, 8)]
            .map(|(rooks, others)| bucket(rooks, others));
        assert_eq!(buckets, [0, 0, 1, 3, 6, 6, 7]);
    }
}
