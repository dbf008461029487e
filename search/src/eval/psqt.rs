//! Material and piece-square tables, tapered between middle game and end game.
//!
//! Half boards, files a to e; the other half is the mirror image. Rows run from rank 9 (the enemy's back rank) down to rank 0, as
//! Red sees them. The numbers are our own first estimates in centipawns.

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

type HalfBoard = [[i32; 5]; 10];

/// Material of a kind, middle game and end game.
const MATERIAL: [Tapered; PieceKind::COUNT] = [
    Tapered::new(0, 0),
    Tapered::new(115, 120),
    Tapered::new(115, 125),
    Tapered::new(420, 450),
    Tapered::new(960, 1000),
    Tapered::new(470, 455),
    Tapered::new(0, 0),
];

#[rustfmt::skip]
const ROOK: HalfBoard = [
    [10, 15, 15, 20, 20],
    [15, 25, 20, 35, 40],
    [15, 20, 15, 25, 25],
    [15, 20, 20, 25, 25],
    [15, 20, 20, 25, 25],
    [10, 20, 15, 22, 22],
    [ 5, 12, 10, 20, 15],
    [ 0, 10,  5, 15, 10],
    [-5, 10,  5, 15,  0],
    [-15, 8,  0, 12,  0],
];

#[rustfmt::skip]
const CANNON: HalfBoard = [
    [30, 22,  5, -5, -10],
    [10, 10,  5, -10, -15],
    [ 5,  5,  0, -10, -15],
    [ 0,  5,  5,  5, 12],
    [ 0,  2,  3,  5, 12],
    [ 0,  5,  8, 10, 20],
    [ 0,  0,  3,  8, 15],
    [ 0,  6, 12, 15, 25],
    [ 0,  5,  6,  6,  5],
    [ 0,  2,  5,  8,  5],
];

#[rustfmt::skip]
const HORSE: HalfBoard = [
    [-10,  0,  5,  5, -10],
    [  0, 15, 60, 40,  -5],
    [  5, 35, 45, 60,  45],
    [ 15, 45, 50, 60,  45],
    [ 10, 30, 40, 45,  40],
    [  5, 20, 35, 35,  40],
    [  5, 15, 20, 20,  20],
    [  0,  5, 25, 15,  10],
    [-15, -5,  0,  0, -35],
    [-25, -20, -5, -10, -20],
];

#[rustfmt::skip]
const PAWN_MG: HalfBoard = [
    [15, 25,  35,  45,  50],
    [85, 115, 145, 165, 170],
    [80, 110, 135, 155, 160],
    [75, 105, 115, 125, 130],
    [70, 85,  90,  95,  100],
    [40, 40,  50,  50,  55],
    [35, 35,  40,  40,  45],
    [ 0,  0,   0,   0,   0],
    [ 0,  0,   0,   0,   0],
    [ 0,  0,   0,   0,   0],
];

#[rustfmt::skip]
const PAWN_EG: HalfBoard = [
    [20,  30,  40,  50,  55],
    [110, 140, 165, 185, 190],
    [115, 145, 165, 180, 185],
    [115, 140, 150, 160, 165],
    [110, 125, 130, 135, 140],
    [60,  60,  65,  65,  70],
    [50,  50,  55,  55,  60],
    [ 0,   0,   0,   0,   0],
    [ 0,   0,   0,   0,   0],
    [ 0,   0,   0,   0,   0],
];

/// Rows 0 to 2 of the king; the rest is out of reach. Middle game and end game.
#[rustfmt::skip]
const KING: [[i32; 5]; 3] = [
    [0, 0, 0, -65, -60],
    [0, 0, 0, -35, -30],
    [0, 0, 0,  -8,   0],
];

const fn square_value(kind: PieceKind, file: usize, rank: usize) -> Tapered {
    let file = if file > 4 { 8 - file } else { file };
    let row = 9 - rank;
    let value = match kind {
        PieceKind::Rook => ROOK[row][file],
        PieceKind::Cannon => CANNON[row][file],
        PieceKind::Horse => HORSE[row][file],
        PieceKind::Pawn => return Tapered::new(PAWN_MG[row][file], PAWN_EG[row][file]),
        PieceKind::King => {
            let value = if rank < 3 { KING[2 - rank][file] } else { 0 };
            return Tapered::new(value, value / 4);
        }
        PieceKind::Advisor => match (file, rank) {
            (4, _) => 10,
            (_, 2) => -12,
            _ => 0,
        },
        PieceKind::Elephant => match (file, rank) {
            (4, _) => 15,
            (0, _) => -15,
            (_, 4) => -6,
            _ => 0,
        },
    };
    Tapered::new(value, value * 2 / 3)
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
            let material = MATERIAL[piece.kind().index()];
            let place = square_value(piece.kind(), square.file().index(), square.rank().index());
            let sign = if red { 1 } else { -1 };
            table[index][at] = Tapered::new(sign * (material.mg + place.mg), sign * (material.eg + place.eg));
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
