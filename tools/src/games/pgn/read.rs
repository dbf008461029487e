//! Reads PGN.

use std::io::BufRead;

use movegen::Position;

use super::split::Pieces;
use super::tags::{Tag, begun_tag};
use crate::games::encoding::Guess;
use crate::games::error::{Damaged, Doubt, GameError, Place, Problem, Warning};
use crate::games::game::{Game, NodeId};
use crate::games::read::ReadOptions;
use crate::games::replay::{self, Hint};
use crate::games::stream::MAX_GAME;
use crate::games::text;

/// The games of a stream, one at a time.
pub(in crate::games) fn games<R: BufRead>(
    input: R,
    mut guess: Guess,
    options: ReadOptions,
) -> impl Iterator<Item = Result<Game, GameError>> {
    let mut number = 0;
    Pieces::new(input).map(move |piece| {
        number += 1;
        let error = |line, column, problem, partial| GameError {
            game: number,
            place: Place::Line { line, column },
            problem,
            partial,
        };
        match piece {
            Ok(piece) if piece.too_large => {
                Err(error(piece.line, 1, Problem::TooLarge(MAX_GAME >> 20), None))
            }
            Ok(piece) => {
                let decoded = guess.decode(&piece.bytes);
                text::placed(game(&decoded.text, options), &decoded, number, (piece.line, 1))
            }
            Err(io) => Err(error(0, 0, io.into(), None)),
        }
    })
}

/// Reads one game; damage comes with its byte offset in the text and the game so far.
fn game(text: &str, options: ReadOptions) -> Result<Game, Damaged> {
    let mut tags: Vec<(&str, String, usize)> = Vec::new();
    let mut comments = Vec::new();
    let mut at = 0;
    let mut open = None;
    let mut line_end = 0;
    while let Some((begin, tag)) = next_tag(text, at, &mut line_end, &mut comments) {
        at = begin;
        let name = std::str::from_utf8(tag.name).unwrap_or_default();
        if let Some(value) = tag.value {
            tags.push((name, unescape(std::str::from_utf8(value).unwrap_or_default()), at));
            at += tag.length;
            continue;
        }
        let tag = OpenTag::read(&text[at..], name);
        open.get_or_insert((at, Problem::OpenTag(name.to_owned())));
        match tag.value {
            Some(value) => tags.push((name, value, at)),
            // Moves from a start that is lost mean nothing.
            None if name.eq_ignore_ascii_case("FEN") => {
                return Err((at, Problem::OpenTag(name.to_owned()), None));
            }
            None => {}
        }
        at += tag.length;
    }
    // The moves, or what is there instead of them, begin on a line that is not blank.
    let blank = |line: &&str| matches!(line.trim(), "" | "\u{feff}");
    at += text[at..].split_inclusive('\n').take_while(blank).map(str::len).sum::<usize>();
    let find = |name: &str| tags.iter().find(|(tag, ..)| tag.eq_ignore_ascii_case(name));
    let mut game = match find("FEN").filter(|(_, fen, _)| !fen.trim().is_empty()) {
        Some((_, fen, offset)) => {
            Game::at_fen(fen, *offset).map_err(|error| (*offset, error.into(), None))?
        }
        None => Game::new(Position::startpos()),
    };
    for comment in comments {
        game.add_comment(NodeId::ROOT, comment);
    }
    let mut named = None;
    for (name, value, offset) in &tags {
        match name.to_ascii_lowercase().as_str() {
            "fen" | "setup" => {}
            "variant" => game.set_variant(value, *offset),
            "game" if value == "Chinese Chess" => {}
            "format" => named = replay::format_notation(value),
            "result" => game.set_result(value, *offset),
            _ => game.set_tag(name, value.as_str()),
        }
    }
    let hint = match (options.notation, named) {
        (Some(notation), _) => Hint::Certain(notation),
        (None, Some(named)) => Hint::Likely(named),
        (None, None) => Hint::Unknown,
    };
    let read = replay::read_into(&mut game, &text[at..], at, hint);
    if let Some((at, problem)) = open {
        return Err((at, problem, Some(Box::new(game))));
    }
    match read {
        Ok(_) if tags.is_empty() && game.next(NodeId::ROOT).is_none() => Err((at, Problem::NoGame, None)),
        Ok(has_result) => {
            // Moves typed by hand have no tags, and need no result.
            if !has_result && !tags.is_empty() {
                game.warnings.push(Warning::at(text.trim_end().len(), Doubt::NoResult));
            }
            Ok(game)
        }
        Err((offset, problem)) if tags.is_empty() && game.next(NodeId::ROOT).is_none() => {
            Err((offset, problem.of_nothing(), None))
        }
        Err((offset, problem)) => Err((offset, problem, Some(Box::new(game)))),
    }
}

/// The next tag and where it begins, if nothing but blanks, comments and escaped lines stand before it; these comments join
/// `comments`. The end of the line is remembered, for it may be far off and the tags many.
fn next_tag<'a>(
    text: &'a str,
    mut at: usize,
    line_end: &mut usize,
    comments: &mut Vec<&'a str>,
) -> Option<(usize, Tag<'a>)> {
    let mut before = Vec::new();
    loop {
        let rest = text[at..].trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        at = text.len() - rest.len();
        if at >= *line_end {
            *line_end = at + rest.find('\n').unwrap_or(rest.len());
        }
        match rest.bytes().next()? {
            b'%' if at == 0 || text[..at].ends_with('\n') => at = *line_end,
            b';' => {
                before.push(&text[at + 1..*line_end]);
                at = *line_end;
            }
            b'{' => {
                let end = rest.find('}')?;
                before.push(&rest[1..end]);
                at += end + 1;
            }
            b'[' => {
                let tag = Tag::read(text[at..*line_end].trim_end().as_bytes())?;
                comments.append(&mut before);
                return Some((at, tag));
            }
            _ => return None,
        }
    }
}

/// A tag whose line has lost its end.
struct OpenTag {
    /// With all its lines.
    length: usize,
    /// If it ends on a later line.
    value: Option<String>,
}

impl OpenTag {
    /// Reads the tag that a text begins with: up to its end, or to a blank line, another tag or the first moves.
    fn read(text: &str, name: &str) -> Self {
        let mut length = 0;
        for line in text.split_inclusive('\n') {
            let trimmed = line.trim();
            let is_tag = || begun_tag(trimmed.as_bytes()).is_some();
            if length > 0 && (trimmed.is_empty() || is_tag() || replay::begins_game(trimmed.as_bytes())) {
                break;
            }
            length += line.len();
            if let Some(whole) = text[..length].trim().strip_suffix("\"]") {
                let value = whole[whole.find(name).map_or(0, |at| at + name.len())..].trim_start();
                let words: Vec<&str> = value.trim_start_matches('"').split_whitespace().collect();
                return Self { length, value: Some(unescape(&words.join(" "))) };
            }
        }
        Self { length, value: None }
    }
}

/// PGN escapes quotes and backslashes in values; other backslashes stand for themselves.
fn unescape(value: &str) -> String {
    if !value.contains('\\') {
        return value.to_owned();
    }
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                out.push(next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}
