//! Moves and lists of moves.

use crate::types::Square;
use arrayvec::ArrayVec;
use core::{fmt, num::NonZeroU16, str::FromStr};
use thiserror::Error;

/// A move from one square to another. Says nothing about legality.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

/// Always set, so that the bits of a move are never zero: bits 0-6 from, 7-13 to, 15 this tag.
const TAG: u16 = 1 << 15;

impl Move {
    /// The move between two squares.
    pub const fn new(from: Square, to: Square) -> Self {
        let bits = TAG | from as u16 | (to as u16) << 7;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// Where the piece stands.
    #[inline]
    pub const fn from(self) -> Square {
        // SAFETY: a move is only ever built from two squares (`new`), whose indices are below 90.
        unsafe { Square::from_index_unchecked((self.0.get() & 0x7f) as u8) }
    }

    /// Where the piece goes.
    #[inline]
    pub const fn to(self) -> Square {
        // SAFETY: as in `from`.
        unsafe { Square::from_index_unchecked((self.0.get() >> 7 & 0x7f) as u8) }
    }

    /// The move as 16 bits, never zero; [`Move::from_bits`] reads them back.
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move of 16 bits that [`Move::bits`] wrote, `None` for any other value.
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let (from, to) =
            (Square::from_index((bits & 0x7f) as usize), Square::from_index((bits >> 7 & 0x7f) as usize));
        match (bits & 0xc000, from, to) {
            (TAG, Some(from), Some(to)) => Some(Self::new(from, to)),
            _ => None,
        }
    }

    /// The same move on a board whose ranks are reversed.
    pub const fn flip(self) -> Self {
        Self::new(self.from().flip(), self.to().flip())
    }

    /// The same move on a board mirrored left to right.
    pub const fn mirror(self) -> Self {
        Self::new(self.from().mirror(), self.to().mirror())
    }
}

impl fmt::Display for Move {
    /// Coordinates with ranks 0-9: `h2e2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Text that is not a move in coordinates. Whether a well-formed move is legal is another question.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("malformed move '{0}': expected two squares such as h2e2")]
pub struct MoveParseError(pub String);

impl FromStr for Move {
    type Err = MoveParseError;

    /// Reads coordinates with ranks 0-9 such as `h2e2`, file letters in either case.
    fn from_str(text: &str) -> Result<Self, MoveParseError> {
        let error = || MoveParseError(text.to_owned());
        let (from, to) = text.split_at_checked(2).ok_or_else(error)?;
        Ok(Self::new(from.parse().map_err(|_| error())?, to.parse().map_err(|_| error())?))
    }
}

/// Room for the moves of any position.
///
/// Two rooks and two cannons have at most 17 targets each, two horses 8, five pawns 3, a king 4, two advisors 4, two
/// elephants 4: 119 in all.
pub const MAX_MOVES: usize = 119;

/// A list of moves on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
