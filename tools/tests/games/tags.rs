//! Tags that are properties of a game, several on a line, and records that hold what others wrote.

use std::io::Cursor;

use movegen::notation::Notation;
use tools::games::{self, Doubt, Format, Game, GameError, Place, ReadOptions, WriteOptions};

use super::{moves, read_bytes, written};

fn read_one(text: &str, format: Format) -> Game {
    read_bytes(text.as_bytes(), format).remove(0).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn doubts(game: &Game) -> Vec<String> {
    game.warnings.iter().map(|warning| format!("{}: {}", warning.place, warning.doubt)).collect()
}

const KINGS: &str = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1";

#[test]
fn properties_are_no_tags() {
    let mut game = read_one("1. h2e2 *", Format::Pgn);
    for name in ["Result", "FEN", "Format", "Variant", "SetUp", "fen", "RESULT"] {
        game.set_tag(name, "x");
    }
    game.set_tag("Setup2", "y");
    assert_eq!(game.tags(), [("Setup2".to_owned(), "y".to_owned())]);
    let wxf = "FORMAT WXF\nRED a\nSETUP 1\nVARIANT chess\nSTART{\nC2=5\n}END\n";
    let game = read_one(wxf, Format::Wxf);
    assert_eq!(game.tags(), [("Red".to_owned(), "a".to_owned())]);
    assert_eq!(game.warnings[0].doubt, Doubt::OtherVariant("chess".to_owned()));
}

/// Tags of PGN as they are, beside fields of the record or instead of them.
#[test]
fn records_of_the_tags_of_pgn() {
    let tags = format!(
        "\"tags\":{{\"Event\":\"e\",\"Result\":\"1-0\",\"FEN\":\"{KINGS}\",\"Format\":\"WXF\",\"SetUp\":\"1\"}}"
    );
    let game = read_one(&format!("{{\"moves\":[\"e1e2\"],{tags}}}"), Format::Json);
    assert_eq!((game.start().fen().as_str(), game.outcome.to_string().as_str()), (KINGS, "1-0"));
    assert_eq!((game.tags().len(), doubts(&game)), (1, vec![]));
    // What agrees is not told; what does not is told with its place.
    let game =
        read_one(&format!("{{\"fen\":\"{KINGS}\",\"moves\":[],\"result\":\"1-0\",{tags}}}"), Format::Json);
    assert_eq!((game.tags().len(), doubts(&game)), (1, vec![]));
    let line =
        format!("{{\"moves\":[],\"fen\":\"3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1\",\"result\":\"0-1\",{tags}}}");
    let game = read_one(&line, Format::Json);
    let place = |name: &str| Place::Line { line: 1, column: line.find(name).expect("there") + 1 };
    let told: Vec<(Place, &Doubt)> =
        game.warnings.iter().map(|warning| (warning.place, &warning.doubt)).collect();
    assert!(
        matches!(told[..], [(result, Doubt::Contradiction { field: "result", .. }),
        (fen, Doubt::Contradiction { field: "fen", .. })] if result == place("\"Result") && fen == place("\"FEN")),
        "{told:?}"
    );
    assert_eq!(game.outcome.to_string(), "0-1");
    // The PGN that is made of it means the same.
    let pgn = written(&game, Format::Pgn, WriteOptions::default());
    let back = read_bytes(&pgn, Format::Pgn).remove(0).expect("a game");
    assert_eq!((back.start().fen(), back.outcome), (game.start().fen(), game.outcome));
    for name in ["Result", "FEN", "Format", "Variant", "SetUp"] {
        assert_eq!(String::from_utf8_lossy(&pgn).matches(&format!("[{name} ")).count(), 1, "{name}");
    }
    // A start that is none is damage, and another game than xiangqi is told.
    assert!(read_bytes(b"{\"moves\":[],\"tags\":{\"FEN\":\"x\"}}", Format::Json)[0].is_err());
    let chess = read_one("{\"moves\":[],\"tags\":{\"variant\":\"chess\"}}", Format::Json);
    assert_eq!(chess.warnings[0].doubt, Doubt::OtherVariant("chess".to_owned()));
    // A notation that the moves are in counts.
    let named = read_one("{\"moves\":[\"C2=5\",\"H8+7\"],\"tags\":{\"Format\":\"WXF\"}}", Format::Json);
    assert_eq!(moves(&named), ["h2e2", "h9g7"]);
}

#[test]
fn the_notation_that_the_user_names_counts_for_lists() {
    let read = |text: &str, format, notation| -> Vec<Result<Game, GameError>> {
        let options = ReadOptions { notation: Some(notation), encoding: None };
        games::read(Cursor::new(text.as_bytes().to_vec()), Some(format), None, options).collect()
    };
    let one: Notation = "coordinate1".parse().expect("a notation");
    let words: Notation = "vietnamese-words".parse().expect("a notation");
    for (text, format, notation, due) in [
        (format!("{KINGS} moves e2e3"), Format::Fen, one, "e1e2"),
        (format!("{KINGS} moves R5+1"), Format::Fen, Notation::WXF, "e1e2"),
        (format!("{{\"fen\":\"{KINGS}\",\"moves\":[\"e2e3\"]}}"), Format::Json, one, "e1e2"),
        (format!("{{\"fen\":\"{KINGS}\",\"moves\":\"e2e3\"}}"), Format::Json, one, "e1e2"),
        ("{\"moves\":\"Pháo 2 bình 5 Mã 8 tiến 7\"}".to_owned(), Format::Json, words, "h2e2"),
        ("{\"moves\":[\"Pháo 2 bình 5\",\"Mã 8 tiến 7\"]}".to_owned(), Format::Json, words, "h2e2"),
    ] {
        let game = read(&text, format, notation).remove(0).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(moves(&game)[0], due, "{text}");
    }
    let error = read("{\"moves\":[\"h2e2\"]}", Format::Json, one).remove(0).expect_err("there is no piece");
    assert_eq!(error.place, Place::Line { line: 1, column: 11 });
}

#[test]
fn faults_of_records_name_one_place_and_no_innards() {
    let good = "{\"moves\":[]}";
    for (line, due) in [
        ("[1,2]", "the line holds no JSON object"),
        (
            "{\"moves\":[],\"tags\":[]}",
            "the line holds invalid type: sequence, expected an object of strings",
        ),
        ("{\"moves\":[]", "the line holds EOF while parsing an object"),
        ("{\"moves\":[],\"fen\":5}", "the line holds invalid type: integer `5`, expected a string"),
    ] {
        let read = read_bytes(format!("{good}\n{line}\n{good}\n").as_bytes(), Format::Json);
        assert_eq!(read.len(), 3);
        let error = read[1].as_ref().expect_err("damaged");
        assert_eq!(error.problem.to_string(), due);
        assert!(matches!(error.place, Place::Line { line: 2, .. }));
    }
    for line in [
        "{\"moves\":[],\"tags\":null,\"fen\":null,\"result\":null}",
        "{\"moves\":null,\"fen\":\"3k5/9/9/9/9/9/9/9/9/4K4 w\"}",
    ] {
        assert!(read_one(line, Format::Json).tags().is_empty());
    }
}

/// The import format of PGN lets tags share lines.
#[test]
fn several_tags_on_a_line_are_read() {
    let game = read_one(
        "[Event \"a\"] [Site \"b \\\"] [x\"]\t[Red \"r\" ][Result \"1-0\"]\n[Black \"q\"]\n\n1. h2e2 1-0\n",
        Format::Pgn,
    );
    let tags: Vec<(&str, &str)> =
        game.tags().iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(tags, [("Event", "a"), ("Site", "b \"] [x"), ("Red", "r"), ("Black", "q")]);
    assert_eq!(game.outcome.to_string(), "1-0");
    // Sloppy values stay as they are.
    for value in ["a \"b\" c", "a\"] b", "a\"] [b", "a\"] [b c", "a] [b"] {
        let game = read_one(&format!("[Event \"{value}\"]\n\n1. h2e2 *\n"), Format::Pgn);
        assert_eq!(game.tag("Event"), Some(value));
    }
    // The second of a line is known again, too.
    let line = "[Event \"a\"] [Red \"r\"]";
    let two = format!("{line}\n\n[Red \"s\"]\n\n1. h2e2 *\n\n{line}\n{line}\n");
    assert_eq!(read_bytes(two.as_bytes(), Format::Pgn).len(), 4);
}
