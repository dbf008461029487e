//! Material and piece-square tables, tapered between middle game and end game.
//!
//! Half boards, files a to e; the other half is the mirror image. Rows run from rank 9 (the enemy's back rank) down to rank 0, as
//! Red sees them.

use super::weights::{MATERIAL, PLACES};
use movegen::{Color, MoveObserver, Piece, PieceKind, Position, Square};

/// A middle game and an end game value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tapered {
    pub(crate) mg: i32,
    pub(crate) eg: i32,
}

impl Tapered {
    pub(crate) const fn new(mg: i32, eg: i32) -> Self {
        Self { mg, eg }
    }

    pub(crate) const fn times(self, count: i32) -> Self {
        Self { mg: self.mg * count, eg: self.eg * count }
    }

    /// The value at a phase from 0 (no attackers left) to [`MAX_PHASE`].
    pub(crate) fn at(self, phase: i32) -> i32 {
        (self.mg * phase + self.eg * (MAX_PHASE - phase)) / MAX_PHASE
    }
}

impl core::ops::AddAssign for Tapered {
    fn add_assign(&mut self, other: Self) {
        self.mg += other.mg;
        self.eg += other.eg;
    }
}

impl core::ops::SubAssign for Tapered {
    fn sub_assign(&mut self, other: Self) {
        self.mg -= other.mg;
        self.eg -= other.eg;
    }
}

impl core::ops::Sub for Tapered {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { mg: self.mg - other.mg, eg: self.eg - other.eg }
    }
}

/// Phase of the start position.
pub(crate) const MAX_PHASE: i32 = 32;

/// What a piece adds to the phase: attackers make a middle game.
const fn phase_weight(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Rook => 4,
        PieceKind::Cannon | PieceKind::Horse => 2,
        _ => 0,
    }
}

/// Values of one half of the board, by row from rank 9 and by file.
pub(super) type HalfBoard = [[i32; 5]; 10];

/// Row and file of a square in a [`HalfBoard`], as its owner sees the board with Red's eyes.
pub(super) const fn half(square: Square) -> (usize, usize) {
    let file = square.file().index();
    (9 - square.rank().index(), if file > 4 { 8 - file } else { file })
}

/// Value of each piece on each square from Red's view: Black's are negative.
static TABLE: [[Tapered; Square::COUNT]; Piece::COUNT] = {
    let mut table = [[Tapered::new(0, 0); Square::COUNT]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        let piece = Piece::ALL[index];
        let mut at = 0;
        while at < Square::COUNT {
            let red = matches!(piece.color(), Color::Red);
            let square = if red { Square::ALL[at] } else { Square::ALL[at].flip() };
            let (material, [mg, eg]) = (MATERIAL[piece.kind().index()], PLACES[piece.kind().index()]);
            let (row, file) = half(square);
            let sign = if red { 1 } else { -1 };
            table[index][at] =
                Tapered::new(sign * (material.mg + mg[row][file]), sign * (material.eg + eg[row][file]));
            at += 1;
        }
        index += 1;
    }
    table
};

/// Running sums over all pieces, Red's view; the search keeps one per ply through the move observer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sums {
    /// Material and places.
    pub(crate) value: Tapered,
    /// Sum of the phase weights of both sides, 0 to [`MAX_PHASE`].
    pub(crate) phase: i32,
}

impl Sums {
    /// The sums of a position, computed from scratch.
    pub(crate) fn of(position: &Position) -> Self {
        let mut sums = Self::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                sums.value += TABLE[piece.index()][square.index()];
                sums.phase += phase_weight(piece.kind());
            }
        }
        sums
    }
}

impl MoveObserver for Sums {
    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.value += TABLE[piece.index()][to.index()] - TABLE[piece.index()][from.index()];
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.value -= TABLE[piece.index()][square.index()];
        self.phase -= phase_weight(piece.kind());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_sums_equal_sums_from_scratch() {
        let mut position = Position::startpos();
        let mut sums = Sums::of(&position);
        assert_eq!(sums, Sums { value: Tapered::default(), phase: MAX_PHASE });
        for text in ["h2e2", "h9g7", "e2e6", "g7e6", "h0g2", "i9h9", "i0h0"] {
            let mv = text.parse().expect("a move");
            position.make_move_with(mv, &mut sums);
            assert_eq!(sums, Sums::of(&position), "after {text}");
        }
    }
}
