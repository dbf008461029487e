//! Move notations: text to [`Move`] and back, on a known position.
//!
//! Readers are total: any text gives a move or a [`NotationError`] that tells a malformed text from a move that is not
//! legal and from one that fits several moves. Capture, check and mate are never needed; marks of check, mate and worth behind a
//! move (`+`, `++`, `#`, `!`, `?!`) are passed over. The dialect is always an
//! argument, because the same text means different moves in several of them (`C2-5`, `P2.5`, `h2e2`); [`detect`]
//! guesses it for a whole game text.
//!
//! ```
//! use movegen::Position;
//! use movegen::notation::Notation;
//!
//! let pos = Position::startpos();
//! let mv = Notation::WXF.read(&pos, "C2=5")?;
//! assert_eq!(mv.to_string(), "h2e2");
//! assert_eq!(Notation::CHINESE.write(&pos, mv).as_deref(), Some("炮二平五"));
//! assert_eq!(Notation::VietnameseWords.write(&pos, mv).as_deref(), Some("Pháo 2 bình 5"));
//! # Ok::<(), movegen::notation::NotationError>(())
//! ```
//!
//! Sources: the WXF, Chinese and Vietnamese forms as the associations' rule texts print them; the forms for three and more
//! pawns as WXF programs write them; the algebraic form as PyChess and XBoard do.

mod algebraic;
mod chinese;
mod coordinate;
mod detect;
mod parts;
mod vietnamese;
mod wxf;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub use detect::detect;

use crate::{Color, Move, PieceKind, Position, Square};

/// Why a text is not a move of the position.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NotationError {
    /// The text does not have the form of the notation.
    #[error("`{}` is not a move in this notation", shortened(text))]
    Malformed {
        /// The text as given.
        text: String,
    },
    /// The text has the right form, but no legal move fits it.
    #[error("`{}` is not a legal move here", shortened(text))]
    Illegal {
        /// The text as given.
        text: String,
    },
    /// The text does not say which of several moves is meant.
    #[error("`{}` is ambiguous: {}", shortened(text), candidate_list(.candidates))]
    Ambiguous {
        /// The text as given.
        text: String,
        /// The legal moves it may mean. One alone occurs: WXF `+P=6` with pawns on two files never says which file.
        candidates: Vec<Move>,
    },
}

impl NotationError {
    /// The same, of the text that it was taken from.
    fn about(mut self, whole: &str) -> Self {
        let (Self::Malformed { text } | Self::Illegal { text } | Self::Ambiguous { text, .. }) = &mut self;
        whole.clone_into(text);
        self
    }
}

/// Whether a character is one of the marks that may stand behind a move: of check and mate (`+`, `#`) and of worth (`!`, `?`).
pub const fn is_mark(c: char) -> bool {
    matches!(c, '+' | '#' | '!' | '?' | '＋' | '＃' | '！' | '？')
}

/// A text without the marks behind it. No move ends in one, in any notation.
pub fn without_marks(text: &str) -> &str {
    text.trim_end_matches(|c: char| is_mark(c) || c.is_whitespace())
}

/// Enough of a text to know it by, fit for a terminal: what is no game at all may be one long word, or hold control codes.
fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    let mut start: String = text
        .chars()
        .take(MOST)
        .map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c })
        .collect();
    if text.chars().nth(MOST).is_some() {
        start.push('…');
    }
    start
}

fn candidate_list(candidates: &[Move]) -> String {
    candidates.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

/// The number of Red's back rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RankBase {
    /// Ranks 0 to 9, as UCCI and ICCS have them.
    #[default]
    Zero,
    /// Ranks 1 to 10, as Fairy-Stockfish and PyChess have them.
    One,
}

impl RankBase {
    const fn first(self) -> u8 {
        match self {
            Self::Zero => 0,
            Self::One => 1,
        }
    }

    fn number(self, square: Square) -> u8 {
        square.rank() as u8 + self.first()
    }
}

/// Which set of Chinese characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Script {
    /// 帥 馬 車 進 後
    Traditional,
    /// 帅 马 车 进 后
    Simplified,
}

/// How Black's numbers are written in Chinese moves; Red's are always Chinese.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Digits {
    /// `馬8進7`
    Ascii,
    /// `馬８進７`
    FullWidth,
}

/// Where WXF puts the sign of the front or rear piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SignOrder {
    /// `+R+2`
    First,
    /// `R++2`
    Second,
}

/// A notation. The variants' parameters matter to the writer; readers take every spelling of their family, only the
/// rank base is never guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `h2e2`
    Coordinate(RankBase),
    /// `H2-E2`, ranks 0 to 9
    Iccs,
    /// `C2=5`
    Wxf(SignOrder),
    /// `炮二平五`
    Chinese(Script, Digits),
    /// `P2-5`; no form for several equal pieces on a file
    Vietnamese,
    /// `Pháo 2 bình 5`
    VietnameseWords,
    /// `Che2`
    Algebraic(RankBase),
}

impl Notation {
    /// `h2e2`, the form of our protocols and files.
    pub const COORDINATE: Self = Self::Coordinate(RankBase::Zero);
    /// WXF with the sign first, as the WXF's own texts have it.
    pub const WXF: Self = Self::Wxf(SignOrder::First);
    /// Traditional characters with half-width digits.
    pub const CHINESE: Self = Self::Chinese(Script::Traditional, Digits::Ascii);

    /// Every notation with the name it has on command lines.
    pub const NAMED: [(&str, Self); 13] = [
        ("coordinate", Self::COORDINATE),
        ("coordinate1", Self::Coordinate(RankBase::One)),
        ("iccs", Self::Iccs),
        ("wxf", Self::WXF),
        ("wxf-sign-second", Self::Wxf(SignOrder::Second)),
        ("chinese", Self::CHINESE),
        ("chinese-fullwidth", Self::Chinese(Script::Traditional, Digits::FullWidth)),
        ("simplified", Self::Chinese(Script::Simplified, Digits::Ascii)),
        ("simplified-fullwidth", Self::Chinese(Script::Simplified, Digits::FullWidth)),
        ("vietnamese", Self::Vietnamese),
        ("vietnamese-words", Self::VietnameseWords),
        ("algebraic", Self::Algebraic(RankBase::One)),
        ("algebraic0", Self::Algebraic(RankBase::Zero)),
    ];

    /// The legal move of `pos` that `text` means.
    ///
    /// First only the exact form of the notation counts; where no legal move has it, the tolerated forms do, such as a plain
    /// file number for one of two equal pieces of which only one can make the move. Marks behind the move count for nothing.
    ///
    /// # Errors
    /// [`NotationError`] tells a malformed text from an illegal and an ambiguous move.
    pub fn read(self, pos: &Position, text: &str) -> Result<Move, NotationError> {
        let bare = without_marks(text);
        let read = match self {
            Self::Coordinate(base) => coordinate::read(pos, bare, base),
            Self::Iccs => coordinate::read(pos, bare, RankBase::Zero),
            Self::Wxf(_) => wxf::read(pos, bare),
            Self::Chinese(..) => chinese::read(pos, bare),
            Self::Vietnamese | Self::VietnameseWords => vietnamese::read(pos, bare),
            Self::Algebraic(base) => algebraic::read(pos, bare, base),
        };
        read.map_err(|error| error.about(text))
    }

    /// The text of a legal move.
    ///
    /// `None` if the notation has no form for it (the Vietnamese ones, for several equal pieces on a file), or if no
    /// piece of the side to move stands on its square of origin.
    pub fn write(self, pos: &Position, mv: Move) -> Option<String> {
        match self {
            Self::Coordinate(base) => Some(coordinate::write(mv, base)),
            Self::Iccs => Some(coordinate::write_iccs(mv)),
            Self::Wxf(order) => wxf::write(pos, mv, order),
            Self::Chinese(script, digits) => chinese::write(pos, mv, script, digits),
            Self::Vietnamese => vietnamese::write(pos, mv),
            Self::VietnameseWords => vietnamese::write_words(pos, mv),
            Self::Algebraic(base) => algebraic::write(pos, mv, base),
        }
    }

    /// The text of a legal move, in WXF letters where this notation has no form; [`Notation::read`] understands both.
    pub fn write_or_wxf(self, pos: &Position, mv: Move) -> Option<String> {
        self.write(pos, mv).or_else(|| Self::WXF.write(pos, mv))
    }

    /// The name of the notation on command lines.
    pub fn name(self) -> &'static str {
        Self::NAMED.iter().find(|(_, notation)| *notation == self).map_or("coordinate", |(name, _)| name)
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no notation's.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{name}` is no notation; there are {}", Notation::NAMED.map(|(name, _)| name).join(", "))]
pub struct UnknownNotation {
    name: String,
}

impl FromStr for Notation {
    type Err = UnknownNotation;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let wanted = name.to_ascii_lowercase();
        let found = Self::NAMED.iter().find(|(name, _)| *name == wanted);
        found.map(|&(_, notation)| notation).ok_or_else(|| UnknownNotation { name: name.to_owned() })
    }
}

/// The Chinese character of a piece, as moves and boards show it: 帥 仕 相 馬 車 炮 兵 and 將 士 象 馬 車 砲 卒.
pub const fn chinese_piece(color: Color, kind: PieceKind, script: Script) -> char {
    chinese::piece_char(color, kind, script)
}

/// The WXF letter of a piece, as moves and boards show it: K A E H R C P.
pub const fn wxf_letter(kind: PieceKind) -> char {
    wxf::letter(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_show_no_more_than_fits_a_line() {
        let error = NotationError::Malformed { text: "\u{1b}[31m".to_owned() + &"帥".repeat(1000) };
        let told = error.to_string();
        assert!(told.starts_with("`\u{fffd}[31m帥") && told.contains("…`"), "{told}");
        assert!(told.chars().count() < 100, "{told}");
    }
}
