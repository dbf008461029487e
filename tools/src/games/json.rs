//! One JSON object a line: `{"fen","moves","result","tags"}`, moves as `h2e2`.

use std::fmt;
use std::io::{self, Write};

use movegen::notation::Notation;
use movegen::{Move, Position};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap};

use super::error::{Damaged, Problem};
use super::game::{Game, NodeId, Outcome};

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
    #[serde(default)]
    moves: Vec<String>,
    result: Option<String>,
    #[serde(default, deserialize_with = "tags_in_order")]
    tags: Vec<(String, String)>,
}

/// The entries of a map as the line has them.
fn tags_in_order<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, String)>, D::Error> {
    struct InOrder;

    impl<'de> Visitor<'de> for InOrder {
        type Value = Vec<(String, String)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of strings")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut tags = Vec::new();
            while let Some(tag) = map.next_entry()? {
                tags.push(tag);
            }
            Ok(tags)
        }
    }

    deserializer.deserialize_map(InOrder)
}

/// Reads one line; `None` if it is blank.
pub(super) fn game(line: &str) -> Option<Result<Game, Damaged>> {
    let text = line.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return None;
    }
    Some(read(text))
}

fn read(text: &str) -> Result<Game, Damaged> {
    let input: Input = serde_json::from_str(text).map_err(|error| {
        (
            error.column().saturating_sub(1),
            Problem::BadField { field: "the line", value: error.to_string() },
            None,
        )
    })?;
    let start = match &input.fen {
        Some(fen) => Position::from_fen(fen).map_err(|error| (0, error.into(), None))?,
        None => Position::startpos(),
    };
    let mut pos = start.clone();
    let mut game = Game::new(start);
    for (name, value) in input.tags {
        game.set_tag(&name, value);
    }
    game.outcome = input.result.as_deref().and_then(Outcome::from_word).unwrap_or_default();
    let mut node = NodeId::ROOT;
    for (index, text) in input.moves.iter().enumerate() {
        match step(&mut game, node, &pos, text, index + 1) {
            Ok((next, mv)) => {
                node = next;
                pos = pos.play(mv);
            }
            Err(problem) => return Err((0, problem, Some(Box::new(game)))),
        }
    }
    Ok(game)
}

fn step(
    game: &mut Game,
    node: NodeId,
    pos: &Position,
    text: &str,
    number: usize,
) -> Result<(NodeId, Move), Problem> {
    let mv = Notation::COORDINATE.read(pos, text).map_err(|source| Problem::Move {
        number,
        in_variation: false,
        source,
    })?;
    Ok((game.add(node, mv)?, mv))
}
