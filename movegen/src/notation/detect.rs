//! Telling the notation of a whole game text.

use super::{Notation, RankBase, chinese, coordinate, without_marks, wxf};

/// The notation that a game's move tokens are written in; `None` if nothing decides.
///
/// `tokens` are moves without move numbers; a few dozen are enough. Decided by the first token that only one family can
/// have written: Chinese characters, two squares, a Vietnamese letter or slash, a WXF letter or sign, a target square.
/// `C2-5` and the like fit two families and decide nothing; `C8b6` could be coordinates, but unless another move is, it is taken
/// for algebraic, which alone mixes letter cases. Ranks are taken to count from 0 in coordinates and from 1 in
/// algebraic moves, unless a rank 10 or 0 shows the other base.
pub fn detect<'a>(tokens: impl IntoIterator<Item = &'a str>) -> Option<Notation> {
    let mut found: Option<Notation> = None;
    let (mut rank_zero, mut rank_ten) = (false, false);
    let mut has_either = false;
    for token in tokens {
        let token = without_marks(token);
        let is_either = is_coordinate_or_algebraic(token);
        has_either |= is_either;
        let notation = if is_either { None } else { family(token) };
        // Vietnamese games may hold WXF forms where the letters have none, but never the other way round.
        if found.is_none() || (found == Some(Notation::WXF) && notation == Some(Notation::Vietnamese)) {
            found = notation;
        }
        match found {
            Some(Notation::Coordinate(_) | Notation::Algebraic(_)) => {
                rank_zero |= has_rank(token, "0");
                rank_ten |= has_rank(token, "10");
            }
            None if is_either => {
                rank_zero |= has_rank(token, "0");
                rank_ten |= has_rank(token, "10");
            }
            Some(Notation::Wxf(_)) | None => {}
            Some(_) => break,
        }
    }
    let found = found.or(has_either.then_some(Notation::Algebraic(RankBase::One)));
    Some(match found? {
        Notation::Coordinate(_) if rank_ten && !rank_zero => Notation::Coordinate(RankBase::One),
        Notation::Algebraic(_) if rank_zero && !rank_ten => Notation::Algebraic(RankBase::Zero),
        other => other,
    })
}

/// Whether a token is two squares, counted from 0 or 1.
fn is_coordinate(token: &str) -> bool {
    [RankBase::Zero, RankBase::One].into_iter().any(|base| coordinate::squares(token, base).is_some())
}

/// Whether a token is two squares, or a piece, its rank and a square.
fn is_coordinate_or_algebraic(token: &str) -> bool {
    let is_piece = |c: char| c.is_ascii_uppercase() && wxf::kind(c).is_some();
    token.starts_with(is_piece)
        && token.ends_with(|c: char| c.is_ascii_digit())
        && token.trim_end_matches(|c: char| c.is_ascii_digit()).ends_with(|c| matches!(c, 'a'..='i'))
        && is_coordinate(token)
}

fn family(token: &str) -> Option<Notation> {
    if token.chars().any(chinese::is_move_char) {
        return Some(Notation::CHINESE);
    }
    if is_coordinate(token) {
        return Some(Notation::COORDINATE);
    }
    let mut chars = token.chars();
    let (first, second) = (chars.next()?, chars.next()?);
    // Algebraic ends in a square with a small file letter, which no four-part move does.
    let stem = token.trim_end_matches(|c: char| c.is_ascii_digit());
    if stem.len() < token.len() && stem.ends_with(|c| matches!(c, 'a'..='i')) {
        return Some(Notation::Algebraic(RankBase::One));
    }
    let is_word = token.chars().filter(|c| c.is_alphabetic()).count() > 3;
    if matches!(first, 'X' | 'M' | 'T' | 'V' | 'x' | 'm' | 't' | 'v') || token.contains('/') || is_word {
        return Some(if is_word { Notation::VietnameseWords } else { Notation::Vietnamese });
    }
    let wxf_letter = |c: char| matches!(c.to_ascii_uppercase(), 'R' | 'H' | 'E' | 'A' | 'K' | 'G' | 'N');
    if token.contains(['+', '=']) || wxf_letter(first) || wxf_letter(second) {
        return Some(Notation::WXF);
    }
    None
}

fn has_rank(token: &str, rank: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    token.split(|c: char| !is_digit(c)).any(|digits| digits == rank)
}
