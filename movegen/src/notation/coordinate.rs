//! Coordinates: `h2e2`, the ICCS text `H2-E2`, and the family that counts ranks from 1 (`h3e3`, `h10g8`).

use super::{NotationError, RankBase};
use crate::{File, Move, Position, Rank, Square};

/// The move as `h2e2`, with the ranks counted from `base`.
pub(super) fn write(mv: Move, base: RankBase) -> String {
    let (from, to) = (mv.from(), mv.to());
    format!("{}{}{}{}", file_char(from), base.number(from), file_char(to), base.number(to))
}

/// The move as `H2-E2`.
pub(super) fn write_iccs(mv: Move) -> String {
    let (from, to) = (mv.from(), mv.to());
    let (a, b) = (file_char(from).to_ascii_uppercase(), file_char(to).to_ascii_uppercase());
    format!("{a}{}-{b}{}", RankBase::Zero.number(from), RankBase::Zero.number(to))
}

/// The letter of a square's file, `a` to `i`.
pub(super) fn file_char(square: Square) -> char {
    (b'a' + square.file() as u8) as char
}

/// Takes a square such as `h2` off the front; `None` if there is none.
pub(super) fn square(text: &str, base: RankBase) -> Option<(Square, &str)> {
    let letter = text.chars().next()?.to_ascii_lowercase();
    let file = *File::ALL.get((letter as usize).checked_sub('a' as usize)?)?;
    let rest = &text[1..];
    // Only ranks counted from 1 have a rank of two characters.
    let digits = if base == RankBase::One && rest.starts_with("10") { 2 } else { 1 };
    let number: u8 = rest.get(..digits)?.parse().ok()?;
    let rank = *Rank::ALL.get(number.checked_sub(base.first())? as usize)?;
    Some((Square::new(file, rank), &rest[digits..]))
}

/// The two squares of a move in either form; `None` if that is not what the text is.
pub(super) fn squares(text: &str, base: RankBase) -> Option<(Square, Square)> {
    let (from, rest) = square(text.trim(), base)?;
    let rest = rest.strip_prefix(['-', '–', '−']).unwrap_or(rest);
    let (to, rest) = square(rest, base)?;
    rest.is_empty().then_some((from, to))
}

/// Reads either form in either letter case.
pub(super) fn read(pos: &Position, text: &str, base: RankBase) -> Result<Move, NotationError> {
    let malformed = || NotationError::Malformed { text: text.to_owned() };
    let (from, to) = squares(text, base).ok_or_else(malformed)?;
    if from == to {
        return Err(NotationError::Illegal { text: text.to_owned() });
    }
    let mv = Move::new(from, to);
    if pos.is_legal(mv) { Ok(mv) } else { Err(NotationError::Illegal { text: text.to_owned() }) }
}
