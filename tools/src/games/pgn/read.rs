//! Reads PGN.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::BufRead;

use movegen::Position;

use super::split::Pieces;
use super::tags::{self, Part, Spread, Tag, begun_tag};
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
                Err(error(piece.line, piece.column, Problem::TooLarge(MAX_GAME >> 20), None))
            }
            Ok(piece) => {
                let decoded = guess.decode(&piece.bytes);
                text::placed(game(&decoded.text, options), &decoded, number, (piece.line, piece.column))
            }
            Err(io) => Err(error(0, 0, io.into(), None)),
        }
    })
}

/// Reads one game; damage comes with its byte offset in the text and the game so far.
fn game(text: &str, options: ReadOptions) -> Result<Game, Damaged> {
    let Heads { tags, comments, open, doubts, end: mut at } = Heads::read(text)?;
    // The moves, or what is there instead of them, begin on a line that is not blank.
    let blank = |line: &&str| matches!(line.trim(), "" | "\u{feff}");
    at += text[at..].split_inclusive('\n').take_while(blank).map(str::len).sum::<usize>();
    let (tags, repeated) = first_of_each(tags);
    let fen = tags.iter().find(|(name, ..)| name.eq_ignore_ascii_case("FEN"));
    let mut game = match fen.filter(|(_, fen, _)| !fen.trim().is_empty()) {
        Some((_, fen, offset)) => {
            Game::at_fen(fen, *offset).map_err(|error| (*offset, error.into(), None))?
        }
        None => Game::new(Position::startpos()),
    };
    game.warnings.extend(doubts);
    game.warnings.extend(repeated);
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

/// Name and value of a tag, and its place.
type PlacedTag<'a> = (&'a str, String, usize);

/// Of tags of one name the first, and what of the others is lost.
fn first_of_each(tags: Vec<PlacedTag<'_>>) -> (Vec<PlacedTag<'_>>, Vec<Warning>) {
    let (mut firsts, mut repeated): (Vec<PlacedTag<'_>>, _) = (Vec::new(), Vec::new());
    let mut known = HashMap::new();
    for (name, value, offset) in tags {
        match known.entry(name.to_ascii_lowercase()) {
            Entry::Vacant(entry) => {
                entry.insert(firsts.len());
                firsts.push((name, value, offset));
            }
            Entry::Occupied(entry) if firsts[*entry.get()].1 == value => {}
            Entry::Occupied(_) => {
                let doubt = Doubt::RepeatedTag { name: name.to_owned(), value };
                repeated.push(Warning::at(offset, doubt));
            }
        }
    }
    (firsts, repeated)
}

/// What stands before the moves of a game.
#[derive(Default)]
struct Heads<'a> {
    tags: Vec<PlacedTag<'a>>,
    /// The comments before and among the tags.
    comments: Vec<&'a str>,
    /// The first tag that has lost its end.
    open: Option<(usize, Problem)>,
    doubts: Vec<Warning>,
    /// Where the tags end.
    end: usize,
}

impl<'a> Heads<'a> {
    /// Reads up to the last tag that nothing but blanks, comments and escaped lines stand before.
    fn read(text: &'a str) -> Result<Self, Damaged> {
        let mut heads = Self::default();
        // Where the comment began that is open, and those that wait for a tag.
        let mut comment = None;
        let mut before = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let line = &text[at..at + text[at..].find('\n').map_or(text.len() - at, |length| length + 1)];
            let plain = tags::plain(line.as_bytes());
            let head = tags::head(&plain, comment.is_some());
            let rest = &plain[head.end..];
            let mut next = at + line.len();
            for part in head.parts {
                let tag = match part {
                    Part::Comment { text: place, goes_on, is_open } => {
                        let begin = comment.take().filter(|_| goes_on).unwrap_or(at + place.start);
                        if is_open {
                            comment = Some(begin);
                        } else {
                            before.push(&text[begin..at + place.end]);
                        }
                        continue;
                    }
                    Part::Tag(tag) => tag,
                };
                heads.comments.append(&mut before);
                let name = &line[tag.name];
                let place = at + tag.place.start;
                if let Some(value) = tag.value {
                    heads.tags.push((name, unescape(&line[value]), place));
                    heads.end = at + tag.place.end;
                    continue;
                }
                if let Some((name, value, length)) = spread_tag(&text[place..]) {
                    heads.tags.push((name, unescape(value), place));
                    next = place + length;
                    heads.end = next;
                    continue;
                }
                let tag = OpenTag::read(&text[place..], name);
                match tag.value {
                    Some(value) => {
                        heads.tags.push((name, value, place));
                        heads.doubts.push(Warning::at(place, Doubt::BrokenValue(name.to_owned())));
                    }
                    // Moves from a start that is lost mean nothing.
                    None if name.eq_ignore_ascii_case("FEN") => {
                        return Err((place, Problem::OpenTag(name.to_owned()), None));
                    }
                    None => {
                        heads.open.get_or_insert((place, Problem::OpenTag(name.to_owned())));
                    }
                }
                next = place + tag.length;
                heads.end = next;
            }
            if !rest.trim_ascii().is_empty() {
                break;
            }
            at = next;
        }
        Ok(heads)
    }
}

/// Name, value and length of the well-formed tag that a text begins with, if its parts stand on several lines.
fn spread_tag(text: &str) -> Option<(&str, &str, usize)> {
    // Word by word, as it were: of a text without such a tag no more is looked at than the next line.
    let mut end = text.find('\n')?;
    loop {
        end += text[end..].find(|c: char| !(c.is_whitespace() || c == '\u{feff}'))?;
        end += text[end..].find('\n').unwrap_or(text.len() - end);
        match tags::spread(&tags::plain(&text.as_bytes()[..end])) {
            Spread::Whole(Tag { place, name, value }) => {
                return Some((&text[name], &text[value?], place.end));
            }
            Spread::Open => {}
            Spread::Not => return None,
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
