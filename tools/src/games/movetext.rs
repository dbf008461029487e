//! The words of a game's moves: moves, numbers, comments, variations, glyphs, result.
//!
//! PGN, WXF files and the federation's `[game]` boxes share them; `replay` makes a game of them.

use movegen::notation::{is_mark, without_marks};

use super::error::{Doubt, Problem};
use super::game::Outcome;

/// A token with its byte offset in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) offset: usize,
    pub(super) kind: Kind<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind<'a> {
    Move(&'a str),
    Comment(&'a str),
    Nag(u8),
    Open,
    Close,
    Result(Outcome),
}

/// The tokens of a text, up to its first damage.
#[derive(Debug, Default)]
pub(super) struct Tokens<'a> {
    pub(super) list: Vec<Token<'a>>,
    pub(super) damage: Option<(usize, Problem)>,
    pub(super) doubts: Vec<(usize, Doubt)>,
}

impl<'a> Tokens<'a> {
    /// The number of the glyph that a word is or ends in, if there is one and it is known.
    fn glyph(&mut self, word: &str, offset: usize) -> Option<u8> {
        let nag = glyph(word);
        if nag.is_none() {
            let marks = word[without_marks(word).len()..].trim().to_owned();
            self.doubts.push((offset, Doubt::UnknownMarks(marks)));
        }
        nag.filter(|&nag| nag != 0)
    }

    fn push(&mut self, offset: usize, kind: Kind<'a>) {
        self.list.push(Token { offset, kind });
    }
}

/// Cuts a text into its tokens.
pub(super) fn tokenize(text: &str) -> Tokens<'_> {
    let mut tokens = Tokens::default();
    let mut at = 0;
    // Where the word ends that was last looked at; it may hold many moves.
    let mut word_ends = 0;
    let mut has_stray = false;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let offset = at;
        at += match c {
            '{' => {
                let Some(end) = rest.find('}') else {
                    tokens.damage = Some((at, Problem::OpenComment));
                    return tokens;
                };
                tokens.push(offset, Kind::Comment(&rest[1..end]));
                end + 1
            }
            ';' => {
                let end = rest.find('\n').unwrap_or(rest.len());
                tokens.push(offset, Kind::Comment(&rest[1..end]));
                end
            }
            '%' if at == 0 || text[..at].ends_with('\n') => rest.find('\n').unwrap_or(rest.len()),
            '(' => {
                tokens.push(offset, Kind::Open);
                1
            }
            ')' => {
                tokens.push(offset, Kind::Close);
                1
            }
            '}' => {
                if !std::mem::replace(&mut has_stray, true) {
                    tokens.doubts.push((at, Doubt::StrayBrace));
                }
                1
            }
            '$' => {
                let end = rest[1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |end| end + 1);
                match rest[1..end].parse() {
                    Ok(nag) => tokens.push(offset, Kind::Nag(nag)),
                    Err(_) => tokens.doubts.push((at, Doubt::UnknownGlyph(rest[..end].to_owned()))),
                }
                end
            }
            c if c.is_whitespace() || c == '\u{feff}' => c.len_utf8(),
            _ => {
                if word_ends <= at {
                    word_ends = at + word_end(rest);
                }
                word(rest, word_ends - at, at, &mut tokens)
            }
        };
    }
    tokens
}

/// Takes a word, which ends at `end`, or one move of it off the front of `rest`, pushes what it means and says how long it was.
fn word<'a>(rest: &'a str, end: usize, offset: usize, tokens: &mut Tokens<'a>) -> usize {
    let whole = &rest[..end];
    if let Some(outcome) = Outcome::from_word(whole).filter(|_| whole.len() > 1 || whole == "*") {
        tokens.push(offset, Kind::Result(outcome));
        return end;
    }
    // No move is without letters and digits: it is a line between games.
    let is_after_result = matches!(tokens.list.last(), Some(Token { kind: Kind::Result(_), .. }));
    if is_after_result && !whole.chars().any(char::is_alphanumeric) {
        tokens.doubts.push((offset, Doubt::Rule(whole.to_owned())));
        return end;
    }
    let text = without_number(whole);
    let start = end - text.len();
    if text.is_empty() {
        return end;
    }
    let offset = offset + start;
    // Marks away from their move, which may have a comment or variation in between.
    if text.chars().all(is_mark) {
        if let Some(nag) = tokens.glyph(text, offset) {
            tokens.push(offset, Kind::Nag(nag));
        }
        return end;
    }
    let end = match chinese_move(text) {
        // Moves without blanks between them.
        Some(length) => start + length,
        // Vietnamese words: a piece's name, then three more words.
        None if is_name(text) => start + phrase_end(&rest[start..]),
        None => end,
    };
    let text = rest[start..end].trim_end();
    tokens.push(offset, Kind::Move(text));
    if let Some(nag) = tokens.glyph(text, offset) {
        tokens.push(offset, Kind::Nag(nag));
    }
    end
}

/// The number of the glyph among the marks that a word is or ends in, such as `!` in `C2=5+!`; none is 0.
fn glyph(word: &str) -> Option<u8> {
    let marks = word[without_marks(word).len()..].chars();
    let glyph: String = marks
        .filter_map(|c| match c {
            '!' | '！' => Some('!'),
            '?' | '？' => Some('?'),
            _ => None,
        })
        .collect();
    Some(match glyph.as_str() {
        "" => 0,
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => return None,
    })
}

/// A word goes on up to a blank or a sign that is a token by itself, wherever it stands.
fn word_end(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | '[' | ';' | '$' | '*');
    let stars = text.len() - text.trim_start_matches('*').len();
    let first = if text.starts_with('[') { 1 } else { stars };
    text[first..].find(ends).map_or(text.len(), |length| first + length)
}

/// Strips a move number, which is digits and dots before something that is not the rest of a move: `1.`, `12...`,
/// `3.X2.1`, `1、炮二平五`; a bare number and bare dots are numbers too.
pub(super) fn without_number(word: &str) -> &str {
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '０'..='９');
    let after_digits = word.trim_start_matches(is_digit);
    let digits = word[..word.len() - after_digits.len()].chars().count();
    let after_dots = after_digits.trim_start_matches(['.', '．', '…', '、']);
    let dots = after_digits[..after_digits.len() - after_dots.len()].chars().count();
    match (digits, dots) {
        // `25.4` is a WXF pawn, not move 25: the dot stands for `=`.
        (2, 1) if after_dots.strip_prefix(is_digit) == Some("") => word,
        _ if dots > 0 || after_digits.is_empty() => after_dots,
        _ => word,
    }
}

/// How long the Chinese move is that a word begins with, if it begins with one and another follows: it ends after the character
/// behind its verb, and the marks on it.
fn chinese_move(word: &str) -> Option<usize> {
    let is_verb = |c: char| matches!(c, '进' | '進' | '退' | '平');
    let mut chars = word.char_indices();
    let before = chars.by_ref().position(|(_, c)| is_verb(c))?;
    if !(2..=3).contains(&before) {
        return None;
    }
    let (at, target) = chars.next()?;
    let end = at + target.len_utf8();
    let end = word.len() - word[end..].trim_start_matches(is_mark).len();
    let rest = &word[end..];
    rest.contains(is_verb).then_some(end)
}

/// Whether a word is a piece's name in Vietnamese rather than a move.
fn is_name(word: &str) -> bool {
    word.chars().count() >= 2
        && word.chars().all(|c| c.is_alphabetic() && (c as u32) < 0x2000 || is_accent(c))
}

fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

fn phrase_end(text: &str) -> usize {
    let mut end = 0;
    for _ in 0..4 {
        let gap = text[end..].len() - text[end..].trim_start().len();
        let length = word_end(&text[end + gap..]);
        if length == 0 {
            break;
        }
        end += gap + length;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind<'_>> {
        tokenize(text).list.into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn numbers_are_told_from_moves() {
        use Kind::{Move, Nag};
        assert_eq!(kinds("1.X2.1 Tg6.1 2. X2/1"), [Move("X2.1"), Move("Tg6.1"), Move("X2/1")]);
        assert_eq!(
            kinds("1. C2=5 12... 25=4 13.25=4 25.4"),
            [Move("C2=5"), Move("25=4"), Move("25=4"), Move("25.4")]
        );
        assert_eq!(
            kinds("1、炮二平五　馬8進7\n2.2卒平6"),
            [Move("炮二平五"), Move("馬8進7"), Move("2卒平6")]
        );
        assert_eq!(
            kinds("1.炮二平五马8进7 2. 马二进三!车9平8 前兵六平七卒７进１"),
            [
                Move("炮二平五"),
                Move("马8进7"),
                Move("马二进三!"),
                Nag(1),
                Move("车9平8"),
                Move("前兵六平七"),
                Move("卒７进１")
            ]
        );
        // Looking for the end of the word from each move would take minutes.
        assert_eq!(kinds(&"12.炮二平五马8进7".repeat(100_000)).len(), 200_000);
        assert_eq!(kinds("炮二平五, 炮二"), [Move("炮二平五,"), Move("炮二")]);
        assert_eq!(kinds("1.Pháo 2 bình 5 Mã 8 tiến 7"), [Move("Pháo 2 bình 5"), Move("Mã 8 tiến 7")]);
    }

    #[test]
    fn comments_variations_and_results() {
        use Kind::{Close, Comment, Move, Nag, Open, Result};
        assert_eq!(
            kinds("h2e2!{good} $6 (b2e2;so\n) 1-0"),
            [
                Move("h2e2!"),
                Nag(1),
                Comment("good"),
                Nag(6),
                Open,
                Move("b2e2"),
                Comment("so"),
                Close,
                Result(Outcome::RedWins)
            ]
        );
        let glyphs = [
            Move("C2=5"),
            Nag(4),
            Move("H8+7"),
            Comment("x"),
            Nag(1),
            Open,
            Move("R9=8"),
            Nag(5),
            Close,
            Nag(2),
        ];
        assert_eq!(kinds("1. C2=5 ?? H8+7 {x} ! (R9=8 !?) ？"), glyphs);
        assert_eq!(
            kinds("C2=5+ H8+7++ 炮二平五+马8进7#! + Pháo 2 bình 5+ # h2e2!+ ++!?"),
            [
                Move("C2=5+"),
                Move("H8+7++"),
                Move("炮二平五+"),
                Move("马8进7#!"),
                Nag(1),
                Move("Pháo 2 bình 5+"),
                Move("h2e2!+"),
                Nag(1),
                Nag(5)
            ]
        );
        for (text, offset, marks) in [("h2e2 ??? h9g7", 5, "???"), ("h2e2+?!! h9g7", 0, "+?!!")] {
            assert_eq!(tokenize(text).doubts, [(offset, Doubt::UnknownMarks(marks.to_owned()))], "{text}");
        }
        for (word, outcome) in
            [("1:0", Outcome::RedWins), ("0：1", Outcome::BlackWins), ("½–½", Outcome::Draw)]
        {
            assert_eq!(kinds(&format!("h2e2 {word}")), [Move("h2e2"), Result(outcome)], "{word}");
        }
        assert!(matches!(tokenize("h2e2 {never").damage, Some((5, Problem::OpenComment))));
    }
}
