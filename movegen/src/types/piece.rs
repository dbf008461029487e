//! Pieces and their kinds.

use super::Color;
use core::fmt;

/// The seven kinds of pieces.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum PieceKind {
    /// General: one step orthogonally inside the palace.
    King,
    /// Guard: one step diagonally inside the palace.
    Advisor,
    /// Minister: two steps diagonally over an empty eye, on its own side of the river.
    Elephant,
    /// One step orthogonally to an empty leg, then one outward diagonally.
    Horse,
    /// Chariot: any distance along a rank or file.
    Rook,
    /// Moves like a rook, captures over exactly one piece (the screen).
    Cannon,
    /// Soldier: one step forward, across the river also sideways.
    Pawn,
}

impl PieceKind {
    /// How many kinds there are.
    pub const COUNT: usize = 7;

    /// All kinds in index order.
    pub const ALL: [Self; Self::COUNT] =
        [Self::King, Self::Advisor, Self::Elephant, Self::Horse, Self::Rook, Self::Cannon, Self::Pawn];

    /// 0 (king) to 6 (pawn).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The largest number of such pieces a side can have.
    pub const fn max_count(self) -> u32 {
        match self {
            Self::King => 1,
            Self::Pawn => 5,
            _ => 2,
        }
    }

    /// The lower-case FEN letter: `k a b n r c p`.
    pub const fn to_char(self) -> char {
        match self {
            Self::King => 'k',
            Self::Advisor => 'a',
            Self::Elephant => 'b',
            Self::Horse => 'n',
            Self::Rook => 'r',
            Self::Cannon => 'c',
            Self::Pawn => 'p',
        }
    }

    /// The English name, lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::King => "king",
            Self::Advisor => "advisor",
            Self::Elephant => "elephant",
            Self::Horse => "horse",
            Self::Rook => "rook",
            Self::Cannon => "cannon",
            Self::Pawn => "pawn",
        }
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A piece: its kind and its side.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each name says it: side and kind")]
pub enum Piece {
    RedKing,
    RedAdvisor,
    RedElephant,
    RedHorse,
    RedRook,
    RedCannon,
    RedPawn,
    BlackKing,
    BlackAdvisor,
    BlackElephant,
    BlackHorse,
    BlackRook,
    BlackCannon,
    BlackPawn,
}

const _: () = assert!(size_of::<Option<Piece>>() == 1);

impl Piece {
    /// How many pieces there are.
    pub const COUNT: usize = 14;

    /// All pieces in index order: Red's seven kinds, then Black's.
    pub const ALL: [Self; Self::COUNT] = [
        Self::RedKing,
        Self::RedAdvisor,
        Self::RedElephant,
        Self::RedHorse,
        Self::RedRook,
        Self::RedCannon,
        Self::RedPawn,
        Self::BlackKing,
        Self::BlackAdvisor,
        Self::BlackElephant,
        Self::BlackHorse,
        Self::BlackRook,
        Self::BlackCannon,
        Self::BlackPawn,
    ];

    /// The piece of this side and kind.
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        Self::ALL[color as usize * PieceKind::COUNT + kind as usize]
    }

    /// 7 × colour + kind, 0 to 13.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its side.
    pub const fn color(self) -> Color {
        if (self as usize) < PieceKind::COUNT { Color::Red } else { Color::Black }
    }

    /// Its kind.
    pub const fn kind(self) -> PieceKind {
        match self {
            Self::RedKing | Self::BlackKing => PieceKind::King,
            Self::RedAdvisor | Self::BlackAdvisor => PieceKind::Advisor,
            Self::RedElephant | Self::BlackElephant => PieceKind::Elephant,
            Self::RedHorse | Self::BlackHorse => PieceKind::Horse,
            Self::RedRook | Self::BlackRook => PieceKind::Rook,
            Self::RedCannon | Self::BlackCannon => PieceKind::Cannon,
            Self::RedPawn | Self::BlackPawn => PieceKind::Pawn,
        }
    }

    /// The FEN letter: upper case for Red, lower case for Black.
    ///
    /// ```
    /// use movegen::{Color, Piece, PieceKind};
    /// assert_eq!(Piece::new(Color::Red, PieceKind::Horse).to_char(), 'N');
    /// ```
    pub const fn to_char(self) -> char {
        let c = self.kind().to_char();
        match self.color() {
            Color::Red => c.to_ascii_uppercase(),
            Color::Black => c,
        }
    }

    /// The piece of a FEN letter, `None` for any other character. Of the variant letters `H` and `E` are read as
    /// horse and elephant and `S` as pawn; `G`, whose meaning depends on the rest of the board, is not read here.
    pub const fn from_char(c: char) -> Option<Self> {
        let kind = match c.to_ascii_lowercase() {
            'k' => PieceKind::King,
            'a' => PieceKind::Advisor,
            'b' | 'e' => PieceKind::Elephant,
            'n' | 'h' => PieceKind::Horse,
            'r' => PieceKind::Rook,
            'c' => PieceKind::Cannon,
            'p' | 's' => PieceKind::Pawn,
            _ => return None,
        };
        let color = if c.is_ascii_uppercase() { Color::Red } else { Color::Black };
        Some(Self::new(color, kind))
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color(), self.kind())
    }
}
