//! One JSON object a line: `{"fen","moves","result","tags"}`, moves as `h2e2`, each a string or all in one.

use std::fmt;
use std::io::{self, Write};

use movegen::notation::Notation;
use movegen::{Move, Position};
use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap};

use super::error::{Damaged, Doubt, Problem, Warning};
use super::game::{Game, NodeId, Outcome};
use super::movetext::without_number;
use super::read::ReadOptions;
use super::replay::{self, Hint};

/// No game is longer than 999 moves in one line.
const MAX_NUMBER_DIGITS: usize = 3;

#[derive(Serialize)]
struct Line<'a> {
    fen: String,
    moves: Vec<String>,
    result: String,
    tags: Tags<'a>,
}

/// In the order of the file.
struct Tags<'a>(&'a [(String, String)]);

impl Serialize for Tags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Writes the main line.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let line = Line {
        fen: game.start().fen(),
        moves: game.moves().map(|mv| mv.to_string()).collect(),
        result: game.outcome.to_string(),
        tags: Tags(game.tags()),
    };
    serde_json::to_writer(&mut *out, &line)?;
    writeln!(out)
}

#[derive(Deserialize)]
struct Input {
    fen: Option<String>,
    #[serde(default, deserialize_with = "moves_or_words")]
    moves: Option<Moves>,
    result: Option<String>,
    #[serde(default, deserialize_with = "tags_in_order")]
    tags: Option<Vec<(String, String)>>,
}

/// A list of moves, or one string of them with blanks between.
enum Moves {
    List(Vec<String>),
    Text(String),
}

fn moves_or_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Moves>, D::Error> {
    struct AnyMoves;

    impl<'de> Visitor<'de> for AnyMoves {
        type Value = Option<Moves>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("moves as strings")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut moves = Vec::new();
            while let Some(text) = list.next_element()? {
                moves.push(text);
            }
            Ok(Some(Moves::List(moves)))
        }

        fn visit_str<E: de::Error>(self, words: &str) -> Result<Self::Value, E> {
            Ok(Some(Moves::Text(words.to_owned())))
        }

        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
    }

    deserializer.deserialize_any(AnyMoves)
}

/// The value of a tag; numbers and the like are taken as they are written.
fn tag_value(value: serde_json::Value) -> Option<String> {
    use serde_json::Value;
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is_so) => Some(is_so.to_string()),
        Value::Null => Some(String::new()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// The entries of a map as the line has them.
fn tags_in_order<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<(String, String)>>, D::Error> {
    struct InOrder;

    impl<'de> Visitor<'de> for InOrder {
        type Value = Option<Vec<(String, String)>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of strings")
        }

        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut tags = Vec::new();
            while let Some((name, value)) = map.next_entry::<String, serde_json::Value>()? {
                let value = tag_value(value).ok_or_else(|| {
                    de::Error::custom(format!("the tag {name} is neither a string nor a number"))
                })?;
                tags.push((name, value));
            }
            Ok(Some(tags))
        }
    }

    deserializer.deserialize_any(InOrder)
}

/// Reads one line; `None` if it is blank.
pub(super) fn game(line: &str, options: ReadOptions) -> Option<Result<Game, Damaged>> {
    let text = line.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return None;
    }
    let skipped = text.as_ptr() as usize - line.as_ptr() as usize;
    let shift = |game: &mut Game| game.warnings.iter_mut().for_each(|it| it.move_to(|at| skipped + at));
    Some(match read(text, options) {
        Ok(mut game) => {
            shift(&mut game);
            Ok(game)
        }
        Err((at, problem, mut partial)) => {
            if let Some(game) = &mut partial {
                shift(game);
            }
            Err((skipped + at, problem, partial))
        }
    })
}

fn read(text: &str, options: ReadOptions) -> Result<Game, Damaged> {
    if !text.starts_with('{') {
        return Err((0, Problem::BadField { field: "the line", value: "no JSON object".to_owned() }, None));
    }
    let error = match serde_json::from_str(text) {
        Ok(input) => return game_of(input, &outline(text), options),
        Err(error) => error,
    };
    // The column is that of the last byte that was read.
    let at = if error.is_eof() { text.len() } else { error.column().saturating_sub(1) };
    let at = text.floor_char_boundary(at);
    let outline = outline(&text[..at]);
    let repaired = format!("{}{}", &text[..outline.whole], outline.closing);
    // Moves from a start that is cut off mean nothing.
    let lacks_start = outline.fen == 0 && text.contains("\"fen\"");
    let input = serde_json::from_str(&repaired).ok().filter(|_| !lacks_start);
    let partial = input.map(|input| game_of(input, &outline, options));
    match partial {
        // A bad move stands before the end of what can be read.
        Some(Err(damaged)) if !matches!(damaged.1, Problem::NoGame) => Err(damaged),
        partial => {
            // Its place is told in the file, not in the line.
            let place = format!(" at line {} column {}", error.line(), error.column());
            let error = error.to_string();
            let value = error.strip_suffix(&place).unwrap_or(&error).to_owned();
            let problem = Problem::BadField { field: "the line", value };
            Err((at, problem, partial.and_then(Result::ok).map(Box::new)))
        }
    }
}

fn game_of(input: Input, outline: &Outline, options: ReadOptions) -> Result<Game, Damaged> {
    let tags = input.tags.unwrap_or_default();
    let place = |index: usize| outline.tags.get(index).copied().unwrap_or(0);
    let find = |name: &str| {
        let index = tags.iter().position(|(tag, _)| tag.eq_ignore_ascii_case(name))?;
        let value = tags[index].1.as_str();
        (!value.trim().is_empty()).then(|| (value, place(index)))
    };
    // Tags alone may be any object of strings, and what is left of a line whose moves are cut off is no game either.
    if input.moves.is_none() && input.fen.is_none() {
        return Err((0, Problem::NoGame, None));
    }
    let fen = input.fen.as_deref().map(|fen| (fen, outline.fen));
    let mut game = match fen.or_else(|| find("FEN")) {
        Some((fen, at)) => Game::at_fen(fen, at).map_err(|error| (at, error.into(), None))?,
        None => Game::new(Position::startpos()),
    };
    let result = input.result.as_deref().map(|result| (result, outline.result));
    if let Some((result, at)) = result.or_else(|| find("Result")) {
        game.set_result(result, at);
    }
    for (index, (name, value)) in tags.iter().enumerate() {
        match name.to_ascii_lowercase().as_str() {
            "variant" => game.set_variant(value, place(index)),
            "fen" | "result" => contradiction(&mut game, name, value, place(index)),
            _ => game.set_tag(name, value.as_str()),
        }
    }
    let named = find("Format").and_then(|(format, _)| replay::format_notation(format));
    match input.moves {
        None => Ok(game),
        Some(Moves::Text(text)) if options.notation.is_some() => {
            let hint = options.notation.map_or(Hint::Unknown, Hint::Certain);
            match replay::read_into(&mut game, &text, outline.moves_text, hint) {
                Ok(_) => Ok(game),
                Err((at, problem)) => Err((at, problem, Some(Box::new(game)))),
            }
        }
        Some(Moves::Text(text)) => {
            let moves: Vec<String> = moves_of(&text).map(str::to_owned).collect();
            play_any(game, &moves, named, options, outline)
        }
        Some(Moves::List(moves)) => play_any(game, &moves, named, options, outline),
    }
}

/// The moves of a text of them, without their numbers.
fn moves_of(text: &str) -> impl Iterator<Item = &str> {
    // More digits are no number, but a move that must not be lost.
    let is_short = |word: &str| word.chars().filter(char::is_ascii_digit).count() <= MAX_NUMBER_DIGITS;
    let mut moves: usize = 0;
    let mut after_bare = false;
    text.split_whitespace()
        .map(move |word| {
            let rest = without_number(word);
            // Nor is one without a dot that is not due; Black may have begun.
            let is_bare = word.ends_with(char::is_numeric);
            let is_due = |number: usize| number == moves / 2 + 1 || number == moves.div_ceil(2) + 1;
            let is_number = is_short(word) && (!is_bare || (!after_bare && word.parse().is_ok_and(is_due)));
            after_bare = rest.is_empty() && is_bare;
            let said = if rest.is_empty() && !is_number { word } else { rest };
            moves += usize::from(!said.is_empty());
            said
        })
        .filter(|word| !word.is_empty())
}

/// Tells of a tag that says something else than a game that has its start and its result.
fn contradiction(game: &mut Game, name: &str, value: &str, at: usize) {
    let (is_one, field) = if name.eq_ignore_ascii_case("FEN") {
        // The counters are no contradiction.
        let board = |start: &Position| start.fen().split(' ').take(2).collect::<String>();
        let is_one = |start: Position| board(&start) == board(game.start());
        (value.trim().is_empty() || Position::from_fen(value).is_ok_and(is_one), "fen")
    } else {
        // Words that nobody knows say nothing.
        (Outcome::from_word(value).is_none_or(|outcome| outcome == game.outcome), "result")
    };
    if !is_one {
        let value = value.chars().take(100).collect();
        game.warnings.push(Warning::at(at, Doubt::Contradiction { name: name.to_owned(), value, field }));
    }
}

/// Plays the moves in the notation that the user names, or in what a tag names if all of them are moves in it, or as coordinates.
fn play_any(
    mut game: Game,
    moves: &[String],
    named: Option<Notation>,
    options: ReadOptions,
    outline: &Outline,
) -> Result<Game, Damaged> {
    let usual = options.notation.unwrap_or(Notation::COORDINATE);
    if let Some(named) = named.filter(|named| options.notation.is_none() && *named != usual) {
        let mut attempt = game.clone();
        if play(&mut attempt, moves, named).is_ok() {
            return Ok(attempt);
        }
    }
    match play(&mut game, moves, usual) {
        Ok(()) => Ok(game),
        Err((index, problem)) => {
            let at = outline.moves.get(index).copied().unwrap_or(0);
            Err((at, problem, Some(Box::new(game))))
        }
    }
}

/// Plays the moves up to a bad one, whose index comes with what is wrong with it.
fn play(game: &mut Game, moves: &[String], notation: Notation) -> Result<(), (usize, Problem)> {
    let mut pos = game.start().clone();
    let mut node = NodeId::ROOT;
    for (index, text) in moves.iter().enumerate() {
        let (next, mv) =
            step(game, node, &pos, text, index + 1, notation).map_err(|problem| (index, problem))?;
        node = next;
        pos = pos.play(mv);
    }
    Ok(())
}

/// Where things stand in a line, which may be cut off.
#[derive(Debug, Default)]
struct Outline {
    /// The offsets of the moves, and of the text that they are in.
    moves: Vec<usize>,
    moves_text: usize,
    /// The offsets of the tags.
    tags: Vec<usize>,
    /// The offsets of the FEN and of the result.
    fen: usize,
    result: usize,
    /// Up to where whole values reach, and what closes the containers that are open there.
    whole: usize,
    closing: String,
}

/// Looks at the strings and brackets of a line, up to its end or to where they go wrong.
fn outline(text: &str) -> Outline {
    let mut outline = Outline::default();
    let mut closers: Vec<char> = Vec::new();
    // The name before the value that is due, at the outermost level.
    let mut name = "";
    let mut is_value = false;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let begin = at;
        at += c.len_utf8();
        let in_object = closers.last() == Some(&'}');
        let ends_value = match c {
            '"' => {
                let Some(length) = string_length(&text[at..]) else { break };
                let string = &text[at..at + length];
                at += length + 1;
                if in_object && !is_value {
                    match (closers.len(), name) {
                        (1, _) => name = string,
                        (2, "tags") => outline.tags.push(begin),
                        _ => {}
                    }
                    false
                } else {
                    match (closers.len(), name) {
                        (1, "fen") => outline.fen = begin,
                        (1, "result") => outline.result = begin,
                        (1, "moves") => {
                            let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
                            outline.moves_text = begin + 1;
                            outline.moves.extend(moves_of(string).map(place));
                        }
                        (2, "moves") if !in_object => outline.moves.push(begin),
                        _ => {}
                    }
                    true
                }
            }
            '{' | '[' => {
                closers.push(if c == '{' { '}' } else { ']' });
                is_value = false;
                true
            }
            '}' | ']' if closers.last() == Some(&c) => {
                closers.pop();
                true
            }
            '}' | ']' => break,
            ':' => {
                is_value = true;
                false
            }
            // A number or word before it is whole.
            ',' => {
                outline.whole = begin;
                is_value = false;
                false
            }
            _ => false,
        };
        if ends_value {
            outline.whole = at;
            outline.closing = closers.iter().rev().collect();
        }
    }
    outline
}

/// How long a string is up to the quote that ends it.
fn string_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })
}

fn step(
    game: &mut Game,
    node: NodeId,
    pos: &Position,
    text: &str,
    number: usize,
    notation: Notation,
) -> Result<(NodeId, Move), Problem> {
    let mv =
        notation.read(pos, text).map_err(|fault| Problem::Move { number, in_variation: false, fault })?;
    Ok((game.add(node, mv)?, mv))
}
