//! The text of a game's moves: moves, numbers, comments, variations, glyphs, result.
//!
//! PGN, WXF files and the federation's `[game]` boxes share it.

use movegen::Position;
use movegen::notation::{self, Notation, NotationError, RankBase};

use super::error::Problem;
use super::game::{Game, NodeId, Outcome};

/// A token with its byte offset in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Token<'a> {
    offset: usize,
    kind: Kind<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind<'a> {
    Move(&'a str),
    Comment(&'a str),
    Nag(u8),
    Open,
    Close,
    Result(Outcome),
}

/// What went wrong, and at which byte of the text.
pub(super) type Damage = (usize, Problem);

/// Reads the moves of `text` into `game`, which has no moves yet.
///
/// `notation` is what the file or the user says; without it, or where the moves plainly are in another one, they decide.
/// On damage, `game` holds all that was read before it.
pub(super) fn read_into(
    game: &mut Game,
    text: &str,
    notation: Option<Notation>,
    force: bool,
) -> Result<(), Damage> {
    let (tokens, damage) = tokenize(text);
    let moves =
        tokens.iter().filter_map(|token| if let Kind::Move(text) = token.kind { Some(text) } else { None });
    let replayed = match (notation, notation::detect(moves.take(400))) {
        (Some(named), _) if force => replay(game, &tokens, Some(named)),
        (Some(named), Some(found)) => replay(game, &tokens, Some(notation_or(named, found))),
        (Some(named), None) => replay_either(game, &tokens, named),
        (None, Some(found @ Notation::Algebraic(_))) => replay_either(game, &tokens, found),
        (None, found) => replay(game, &tokens, found),
    };
    match (replayed, damage) {
        // A variation is open because the damage came before its end.
        (Ok(()) | Err((_, Problem::OpenVariation(_))), Some(damage)) => Err(damage),
        (replayed, _) => replayed,
    }
}

/// The word for a notation in the `Format` of a file: xqbase's three where they exist, our names otherwise.
pub(super) fn format_name(notation: Notation) -> &'static str {
    match notation {
        Notation::COORDINATE | Notation::Iccs => "ICCS",
        Notation::Wxf(_) => "WXF",
        Notation::Chinese(..) => "Chinese",
        other => other.name(),
    }
}

/// What such a word means. An unknown word leaves it to the moves.
pub(super) fn format_notation(word: &str) -> Option<Notation> {
    word.parse().ok()
}

/// What the file names, unless the moves show another family, or a rank that its rank base does not have.
fn notation_or(named: Notation, found: Notation) -> Notation {
    use Notation::{Algebraic, Coordinate, Iccs};
    match (named, found) {
        (Coordinate(_) | Iccs, Coordinate(RankBase::Zero)) | (Algebraic(_), Algebraic(RankBase::One)) => {
            named
        }
        _ => found,
    }
}

/// Moves such as `B4-5` are WXF as well as Vietnamese, and a game without a move to rank 0 or 10 shows no rank base: what
/// the file names or shows is tried first, then the other, and the first one that makes a game is it.
fn replay_either(game: &mut Game, tokens: &[Token<'_>], named: Notation) -> Result<(), Damage> {
    let other = match named {
        Notation::Wxf(_) => Notation::Vietnamese,
        Notation::Vietnamese => Notation::WXF,
        Notation::Algebraic(RankBase::One) => Notation::Algebraic(RankBase::Zero),
        Notation::Algebraic(RankBase::Zero) => Notation::Algebraic(RankBase::One),
        _ => return replay(game, tokens, Some(named)),
    };
    let fresh = game.clone();
    let damage = match replay(game, tokens, Some(named)) {
        Ok(()) => return Ok(()),
        Err(damage) => damage,
    };
    let mut second = fresh;
    if replay(&mut second, tokens, Some(other)).is_err() {
        return Err(damage);
    }
    *game = second;
    Ok(())
}

/// A place in the tree with the position before and after its move.
#[derive(Clone)]
struct Cursor {
    node: NodeId,
    after: Position,
    /// The node before and the position there; `None` at the start of the game.
    before: Option<(NodeId, Position)>,
    ply: usize,
}

fn replay(game: &mut Game, tokens: &[Token<'_>], notation: Option<Notation>) -> Result<(), Damage> {
    let mut cursor = Cursor { node: NodeId::ROOT, after: game.start().clone(), before: None, ply: 0 };
    let mut stack: Vec<Cursor> = Vec::new();
    // A comment before the first move of a variation goes to that move.
    let mut pending = String::new();
    let mut at_variation_start = false;
    let mut result_seen = false;
    let mut first_damage = None;
    // Inside a damaged variation: how many more end before it does.
    let mut skipping: Option<usize> = None;
    for token in tokens {
        let damage = |problem| (token.offset, problem);
        if let Some(depth) = skipping.as_mut() {
            match token.kind {
                Kind::Open => *depth += 1,
                Kind::Close if *depth > 0 => *depth -= 1,
                Kind::Close => skipping = None,
                _ => {}
            }
            if skipping.is_some() {
                continue;
            }
        }
        match token.kind {
            Kind::Move(text) => {
                if result_seen && stack.is_empty() {
                    return Err(damage(Problem::TrailingText(text.to_owned())));
                }
                let notation = notation.ok_or_else(|| damage(Problem::UnknownNotation))?;
                let number = cursor.ply + 1;
                let mv = match read_move(notation, &cursor.after, text) {
                    Ok(mv) => mv,
                    Err(source) => {
                        let problem = damage(Problem::Move { number, source });
                        if stack.is_empty() {
                            return Err(first_damage.unwrap_or(problem));
                        }
                        // A bad move in a variation costs the rest of that variation only.
                        first_damage.get_or_insert(problem);
                        skipping = Some(0);
                        continue;
                    }
                };
                let child = game.add(cursor.node, mv).map_err(|full| damage(full.into()))?;
                let after = cursor.after.play(mv);
                let before = std::mem::replace(&mut cursor.after, after);
                cursor.before = Some((cursor.node, before));
                cursor.node = child;
                cursor.ply = number;
                game.add_comment(child, &pending);
                pending.clear();
                at_variation_start = false;
                if let Some(nag) = suffix_nag(text) {
                    game.add_nag(child, nag);
                }
            }
            Kind::Comment(text) if at_variation_start => {
                pending.push_str(text.trim());
                pending.push(' ');
            }
            Kind::Comment(text) => game.add_comment(cursor.node, text),
            Kind::Nag(nag) => game.add_nag(cursor.node, nag),
            Kind::Open => {
                let (node, position) =
                    cursor.before.clone().ok_or_else(|| damage(Problem::EarlyVariation))?;
                if stack.len() >= Game::MAX_NESTING as usize {
                    return Err(damage(super::game::TreeFull.into()));
                }
                let ply = cursor.ply - 1;
                stack.push(std::mem::replace(
                    &mut cursor,
                    Cursor { node, after: position, before: None, ply },
                ));
                at_variation_start = true;
            }
            Kind::Close => {
                cursor = stack.pop().ok_or_else(|| damage(Problem::StrayClose))?;
                pending.clear();
                at_variation_start = false;
            }
            Kind::Result(outcome) => {
                if stack.is_empty() {
                    result_seen = true;
                    if game.outcome == Outcome::Unknown {
                        game.outcome = outcome;
                    }
                }
            }
        }
    }
    match (first_damage, stack.len()) {
        (Some(damage), _) => Err(damage),
        (None, 0) => Ok(()),
        (None, open) => Err((tokens.last().map_or(0, |token| token.offset), Problem::OpenVariation(open))),
    }
}

/// Reads one move; where the text is malformed in the notation, whatever notation it alone shows is tried too, because
/// real files mix them.
fn read_move(notation: Notation, pos: &Position, text: &str) -> Result<movegen::Move, NotationError> {
    let bare = text.trim_end_matches(['!', '?']);
    notation.read(pos, bare).or_else(|error| match (&error, notation::detect([bare])) {
        (NotationError::Malformed { .. }, Some(other)) if other != notation => {
            other.read(pos, bare).map_err(|_| error)
        }
        _ => Err(error),
    })
}

fn suffix_nag(text: &str) -> Option<u8> {
    Some(match text.trim_start_matches(|c| c != '!' && c != '?') {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => return None,
    })
}

/// All tokens up to the first damage.
fn tokenize(text: &str) -> (Vec<Token<'_>>, Option<Damage>) {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let push = |tokens: &mut Vec<_>, kind| tokens.push(Token { offset: at, kind });
        at += match c {
            '{' => {
                let Some(end) = rest.find('}') else { return (tokens, Some((at, Problem::OpenComment))) };
                push(&mut tokens, Kind::Comment(&rest[1..end]));
                end + 1
            }
            ';' => {
                let end = rest.find('\n').unwrap_or(rest.len());
                push(&mut tokens, Kind::Comment(&rest[1..end]));
                end
            }
            '%' if at == 0 || text[..at].ends_with('\n') => rest.find('\n').unwrap_or(rest.len()),
            '(' => {
                push(&mut tokens, Kind::Open);
                1
            }
            ')' => {
                push(&mut tokens, Kind::Close);
                1
            }
            '}' => 1,
            '$' => {
                let end = rest[1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |end| end + 1);
                if let Ok(nag) = rest[1..end].parse() {
                    push(&mut tokens, Kind::Nag(nag));
                }
                end
            }
            c if c.is_whitespace() || c == '\u{feff}' => c.len_utf8(),
            _ => word(rest, at, &mut tokens),
        };
    }
    (tokens, None)
}

/// Takes a word off the front of `rest`, pushes what it means and says how long it was.
fn word<'a>(rest: &'a str, offset: usize, tokens: &mut Vec<Token<'a>>) -> usize {
    let end = word_end(rest);
    let whole = &rest[..end];
    if let Some(outcome) = Outcome::from_word(whole).filter(|_| whole.len() > 1 || whole == "*") {
        tokens.push(Token { offset, kind: Kind::Result(outcome) });
        return end;
    }
    let text = without_number(whole);
    let start = end - text.len();
    if text.is_empty() {
        return end;
    }
    let offset = offset + start;
    // Vietnamese words: a piece's name, then three more words.
    let end = if is_name(text) { start + phrase_end(&rest[start..]) } else { end };
    tokens.push(Token { offset, kind: Kind::Move(rest[start..end].trim_end()) });
    end
}

fn word_end(text: &str) -> usize {
    text.find(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | ';' | '$'))
        .unwrap_or(text.len())
}

/// Strips a move number, which is digits and dots before something that is not the rest of a move: `1.`, `12...`,
/// `3.X2.1`, `1、炮二平五`; a bare number and bare dots are numbers too.
fn without_number(word: &str) -> &str {
    let after_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = word.len() - after_digits.len();
    let after_dots = after_digits.trim_start_matches(['.', '．', '…', '、']);
    let dots = after_digits.len() - after_dots.len();
    match (digits, dots) {
        // `25.4` is a WXF pawn, not move 25: the dot stands for `=`.
        (2, 1) if after_dots.len() == 1 && after_dots.as_bytes()[0].is_ascii_digit() => word,
        _ if dots > 0 || after_digits.is_empty() => after_dots,
        _ => word,
    }
}

/// Whether a word is a piece's name in Vietnamese rather than a move.
fn is_name(word: &str) -> bool {
    word.chars().count() >= 2 && word.chars().all(|c| c.is_alphabetic() && (c as u32) < 0x2000 || is_mark(c))
}

fn is_mark(c: char) -> bool {
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
        tokenize(text).0.into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn numbers_are_told_from_moves() {
        use Kind::Move;
        assert_eq!(kinds("1.X2.1 Tg6.1 2. X2/1"), [Move("X2.1"), Move("Tg6.1"), Move("X2/1")]);
        assert_eq!(
            kinds("1. C2=5 12... 25=4 13.25=4 25.4"),
            [Move("C2=5"), Move("25=4"), Move("25=4"), Move("25.4")]
        );
        assert_eq!(
            kinds("1、炮二平五　馬8進7\n2.2卒平6"),
            [Move("炮二平五"), Move("馬8進7"), Move("2卒平6")]
        );
        assert_eq!(kinds("1.Pháo 2 bình 5 Mã 8 tiến 7"), [Move("Pháo 2 bình 5"), Move("Mã 8 tiến 7")]);
    }

    #[test]
    fn comments_variations_and_results() {
        use Kind::{Close, Comment, Move, Nag, Open, Result};
        assert_eq!(
            kinds("h2e2!{good} $6 (b2e2;so\n) 1-0"),
            [
                Move("h2e2!"),
                Comment("good"),
                Nag(6),
                Open,
                Move("b2e2"),
                Comment("so"),
                Close,
                Result(Outcome::RedWins)
            ]
        );
        assert!(matches!(tokenize("h2e2 {never").1, Some((5, Problem::OpenComment))));
    }
}
