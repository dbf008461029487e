//! Squares (points), files and ranks.

use core::{fmt, str::FromStr};
use thiserror::Error;

/// A file, `a` at Red's left to `i`.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "each name is its letter")]
pub enum File { A, B, C, D, E, F, G, H, I }

impl File {
    /// All files from `a` to `i`.
    #[rustfmt::skip]
    pub const ALL: [Self; 9] = [
        Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H, Self::I,
    ];

    /// 0 (`a`) to 8 (`i`).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `a` to `i`.
    pub const fn to_char(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file of a letter in either case.
    pub const fn from_char(c: char) -> Option<Self> {
        match c.to_ascii_lowercase() {
            c @ 'a'..='i' => Some(Self::ALL[c as usize - 'a' as usize]),
            _ => None,
        }
    }
}

/// A rank, 0 (Red's back rank) to 9 (Black's).
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "each name is its number")]
pub enum Rank { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9 }

impl Rank {
    /// All ranks from 0 to 9.
    #[rustfmt::skip]
    pub const ALL: [Self; 10] = [
        Self::R0, Self::R1, Self::R2, Self::R3, Self::R4, Self::R5, Self::R6, Self::R7, Self::R8, Self::R9,
    ];

    /// 0 to 9.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// One of the 90 points of the board; its index is 9 × rank + file.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "each name is its coordinates")]
pub enum Square {
    A0, B0, C0, D0, E0, F0, G0, H0, I0,
    A1, B1, C1, D1, E1, F1, G1, H1, I1,
    A2, B2, C2, D2, E2, F2, G2, H2, I2,
    A3, B3, C3, D3, E3, F3, G3, H3, I3,
    A4, B4, C4, D4, E4, F4, G4, H4, I4,
    A5, B5, C5, D5, E5, F5, G5, H5, I5,
    A6, B6, C6, D6, E6, F6, G6, H6, I6,
    A7, B7, C7, D7, E7, F7, G7, H7, I7,
    A8, B8, C8, D8, E8, F8, G8, H8, I8,
    A9, B9, C9, D9, E9, F9, G9, H9, I9,
}

const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 90;

    /// All squares in index order: `a0`, `b0`, …, `i9`.
    #[rustfmt::skip]
    pub const ALL: [Self; Self::COUNT] = [
        Self::A0, Self::B0, Self::C0, Self::D0, Self::E0, Self::F0, Self::G0, Self::H0, Self::I0,
        Self::A1, Self::B1, Self::C1, Self::D1, Self::E1, Self::F1, Self::G1, Self::H1, Self::I1,
        Self::A2, Self::B2, Self::C2, Self::D2, Self::E2, Self::F2, Self::G2, Self::H2, Self::I2,
        Self::A3, Self::B3, Self::C3, Self::D3, Self::E3, Self::F3, Self::G3, Self::H3, Self::I3,
        Self::A4, Self::B4, Self::C4, Self::D4, Self::E4, Self::F4, Self::G4, Self::H4, Self::I4,
        Self::A5, Self::B5, Self::C5, Self::D5, Self::E5, Self::F5, Self::G5, Self::H5, Self::I5,
        Self::A6, Self::B6, Self::C6, Self::D6, Self::E6, Self::F6, Self::G6, Self::H6, Self::I6,
        Self::A7, Self::B7, Self::C7, Self::D7, Self::E7, Self::F7, Self::G7, Self::H7, Self::I7,
        Self::A8, Self::B8, Self::C8, Self::D8, Self::E8, Self::F8, Self::G8, Self::H8, Self::I8,
        Self::A9, Self::B9, Self::C9, Self::D9, Self::E9, Self::F9, Self::G9, Self::H9, Self::I9,
    ];

    /// The square on this file and rank.
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::ALL[9 * rank as usize + file as usize]
    }

    /// The square of an index from 0 to 89, `None` beyond.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
    }

    /// The square of an index that is known to be below 90.
    ///
    /// # Safety
    /// `index` must be below [`Square::COUNT`].
    #[inline]
    pub(crate) const unsafe fn from_index_unchecked(index: u8) -> Self {
        debug_assert!((index as usize) < Self::COUNT);
        // SAFETY: the enum is `repr(u8)` with the discriminants 0 to 89, and the caller keeps `index` below 90.
        unsafe { core::mem::transmute::<u8, Self>(index) }
    }

    /// 9 × rank + file, 0 to 89.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its file.
    pub const fn file(self) -> File {
        File::ALL[self as usize % 9]
    }

    /// Its rank.
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize / 9]
    }

    /// The same point seen from the other side of the board: ranks reversed, files kept.
    ///
    /// ```
    /// use movegen::Square;
    /// assert_eq!(Square::H2.flip(), Square::H7);
    /// ```
    pub const fn flip(self) -> Self {
        Self::ALL[9 * (9 - self as usize / 9) + self as usize % 9]
    }

    /// The point mirrored left to right: files reversed, ranks kept.
    ///
    /// ```
    /// use movegen::Square;
    /// assert_eq!(Square::H2.mirror(), Square::B2);
    /// ```
    pub const fn mirror(self) -> Self {
        Self::ALL[9 * (self as usize / 9) + 8 - self as usize % 9]
    }

    /// The square `files` to the right and `ranks` up, `None` off the board.
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Self> {
        let (file, rank) = ((self as i32) % 9 + files, (self as i32) / 9 + ranks);
        if file < 0 || file > 8 || rank < 0 || rank > 9 {
            return None;
        }
        Some(Self::ALL[(9 * rank + file) as usize])
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().to_char(), self.rank().index())
    }
}

/// Text that is not a square.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a square: expected a file a-i and a rank 0-9")]
pub struct SquareParseError(pub String);

impl FromStr for Square {
    type Err = SquareParseError;

    /// Reads a square such as `h2`; the file letter in either case.
    fn from_str(text: &str) -> Result<Self, SquareParseError> {
        let mut chars = text.chars();
        let square = (|| {
            let file = File::from_char(chars.next()?)?;
            let rank = chars.next()?.to_digit(10)?;
            chars.next().is_none().then_some(Self::new(file, Rank::ALL[rank as usize]))
        })();
        square.ok_or_else(|| SquareParseError(text.to_owned()))
    }
}
