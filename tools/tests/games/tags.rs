//! Tags that are properties of a game, several on a line, and records that hold what others wrote.

use std::io::Cursor;

use movegen::notation::Notation;
use tools::games::{self, Doubt, Format, Game, GameError, NodeId, Place, Problem, ReadOptions, WriteOptions};

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
    for value in ["a \"b\" c", "a] [b"] {
        let game = read_one(&format!("[Event \"{value}\"]\n\n1. h2e2 *\n"), Format::Pgn);
        assert_eq!(game.tag("Event"), Some(value));
    }
    // The second of a line is known again, too.
    let line = "[Event \"a\"] [Red \"r\"]";
    let two = format!("{line}\n\n[Red \"s\"]\n\n1. h2e2 *\n\n{line}\n{line}\n");
    assert_eq!(read_bytes(two.as_bytes(), Format::Pgn).len(), 4);
}

/// Each tag of a line is read by itself: what is wrong with one costs no other, least of all the start position.
#[test]
fn an_ill_formed_tag_costs_no_other_on_its_line() {
    let fen = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1";
    for (line, event) in [
        (format!("[Event \"The \"Cup\"\"] [FEN \"{fen}\"]"), "The \"Cup\""),
        (format!("[Event \"a\"] [FEN {fen}]"), "a"),
        (format!("[FEN {fen}] [Event \"a\"]"), "a"),
        (format!("[Event \"a] [FEN \"{fen}\"]"), "a"),
        (format!("[Event \"a\"] {{said}} [FEN \"{fen}]"), "a"),
    ] {
        let game = read_one(&format!("{line}\n\n1. e1d1 *\n"), Format::Pgn);
        assert_eq!((game.tag("Event"), game.start().fen().as_str()), (Some(event), fen), "{line}");
        assert_eq!(moves(&game), ["e1d1"], "{line}");
    }
    let game = read_one("[Event \"a\"] [Site \"b]\n\n1. h2e2 *\n", Format::Pgn);
    assert_eq!((game.tag("Event"), game.tag("Site")), (Some("a"), Some("b")));
    // What has no end at all is told, at its place.
    let read = read_bytes(b"[Event \"a\"] [Site \"b\n\n1. h2e2 *\n", Format::Pgn).remove(0);
    let error = read.expect_err("open");
    assert!(matches!(error.problem, Problem::OpenTag(ref name) if name == "Site"), "{error}");
    assert_eq!(error.place, Place::Line { line: 1, column: 13 });
    let game = error.partial.expect("the rest");
    assert_eq!((game.tag("Event"), moves(&game)), (Some("a"), vec!["h2e2".to_owned()]));
}

/// Sections 6 and 8 of the PGN standard: lines that begin with `%` are passed over, comments may stand anywhere, and tokens may
/// have blanks between them.
#[test]
fn comments_and_blanks_stand_anywhere_among_tags() {
    for (text, comment) in [
        ("[Event \"a\"]\n% note\n[Red \"y\"]\n\n1. h2e2 *\n", ""),
        ("[Event \"a\"]\n; note\n[Red \"y\"]\n\n1. h2e2 *\n", "note"),
        ("[Event \"a\"]\n{note\n}\n[Red \"y\"]\n\n1. h2e2 *\n", "note"),
        ("[Event \"a\"] ; note\n[Red \"y\"]\n\n1. h2e2 *\n", "note"),
        ("[Event \"a\"] {note} [Red \"y\"]\n\n1. h2e2 *\n", "note"),
        ("[Event \"a\"]\n[Red \"y\"] {note}\n1. h2e2 *\n", "note"),
        ("[ Event \"a\" ]\n[ Red  \"y\"\t]\n\n1. h2e2 *\n", ""),
        ("[Event \"a\"] [Red \"y\"] 1. h2e2 *\n", ""),
    ] {
        for many in [1, 3] {
            let read = read_bytes(text.repeat(many).as_bytes(), Format::Pgn);
            assert_eq!(read.len(), many, "{text}");
            for game in read {
                let game = game.unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!((game.tag("Event"), game.tag("Red")), (Some("a"), Some("y")), "{text}");
                assert_eq!((moves(&game), game.comment(NodeId::ROOT)), (vec!["h2e2".to_owned()], comment));
                assert!(game.warnings.is_empty(), "{text}");
            }
        }
    }
}

/// PyPI's cchess 1.25.5 ends each game so.
#[test]
fn a_rule_behind_the_result_is_passed_over() {
    let text = "[Event \"a\"]\n 1. h2e2\n    h9g7\n *\n  =========\n\n";
    let read = read_bytes(text.repeat(2).as_bytes(), Format::Pgn);
    assert_eq!(read.len(), 2);
    for (number, game) in (1..).zip(read) {
        let game = game.expect("whole");
        assert_eq!((moves(&game), game.warnings.len()), (vec!["h2e2".to_owned(), "h9g7".to_owned()], 1));
        assert_eq!(game.warnings[0].doubt, Doubt::Rule("=========".to_owned()));
        assert_eq!(game.warnings[0].place, Place::Line { line: 6 * number - 1, column: 3 });
    }
    // Words are of something that is lost, and before the result there is a move.
    for (text, at) in [("[Event \"a\"]\n\n1. h2e2 *\nwords\n", 4), ("[Event \"a\"]\n\n1. h2e2 === *\n", 3)] {
        let error = read_bytes(text.as_bytes(), Format::Pgn).remove(0).expect_err("damaged");
        assert!(matches!(error.place, Place::Line { line, .. } if line == at), "{error}");
    }
}

/// Numbers in a text of moves are passed over, as where moves are typed.
#[test]
fn moves_of_records_may_be_numbered() {
    for (moves_of, tags) in [
        ("1. C2=5 H8+7 2.H2+3 R9=8", "{\"Format\":\"WXF\"}"),
        ("1. h2e2 h9g7 2. h0g2 i9h9", "{}"),
        ("1.h2e2 1...h9g7 2 h0g2 i9h9", "{}"),
    ] {
        let line = format!("{{\"moves\":\"{moves_of}\",\"tags\":{tags}}}");
        let game = read_one(&line, Format::Json);
        assert_eq!(moves(&game), ["h2e2", "h9g7", "h0g2", "i9h9"], "{line}");
    }
    // A bad move is told at its place all the same.
    let line = "{\"moves\":\"1. h2e2 h2e2\"}";
    let error = read_bytes(line.as_bytes(), Format::Json).remove(0).expect_err("damaged");
    assert!(matches!(error.problem, Problem::Move { number: 2, .. }), "{error}");
    assert_eq!(error.place, Place::Line { line: 1, column: 19 });
    assert_eq!(moves(&error.partial.expect("one move")), ["h2e2"]);
}

/// Only what would break the line is replaced in a remark of a list.
#[test]
fn blanks_of_remarks_are_kept() {
    let line =
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 ; a\u{3000}b  c\u{a0}d\n";
    let mut game = read_one(line, Format::Fen);
    assert_eq!(game.comment(NodeId::ROOT), "a\u{3000}b  c\u{a0}d");
    assert_eq!(String::from_utf8(written(&game, Format::Fen, WriteOptions::default())).expect("text"), line);
    game.add_comment(NodeId::ROOT, "e\r\nf\tg");
    let back = String::from_utf8(written(&game, Format::Fen, WriteOptions::default())).expect("text");
    assert!(back.ends_with("d e f g\n"), "{back}");
}

/// The splitter and the reader agree on what a head is.
#[test]
fn a_tag_behind_a_comment_is_of_its_head() {
    let rest = "[Black \"c\"]\n[Result \"1-0\"]\n\n1. h2e2 1-0\n\n";
    for (head, comment) in [
        ("[Event \"a\"]\n{c} [Red \"b\"]\n", "c"),
        ("[Event \"a\"]\n{c\nd} [Red \"b\"]\n", "c\nd"),
        ("{c} [Event \"a\"]\n[Red \"b\"]\n", "c"),
        ("{c\nd} [Event \"a\"]\n[Red \"b\"]\n", "c\nd"),
        ("[Event \"a\"] {c\nd} [Red \"b\"]\n", "c\nd"),
        ("[Event \"a\"] {c\n} {d} [Red \"b\"] ; e\n", "c d e"),
        ("[Event \"a\"]\u{3000}\n[Red \"b\"]\u{a0}\n", ""),
        ("\u{feff}[Event \"a\"]\u{3000}[Red \"b\"]\u{b}\n", ""),
    ] {
        let text = format!("{head}{rest}");
        let mut read = read_bytes(text.as_bytes(), Format::Pgn);
        assert_eq!(read.len(), 1, "{text}");
        let game = read.remove(0).unwrap_or_else(|error| panic!("{text}: {error}"));
        let tags: Vec<Option<&str>> = ["Event", "Red", "Black"].map(|name| game.tag(name)).to_vec();
        assert_eq!(tags, [Some("a"), Some("b"), Some("c")], "{text}");
        assert_eq!((moves(&game), game.comment(NodeId::ROOT)), (vec!["h2e2".to_owned()], comment), "{text}");
    }
}

/// The second byte of a character of Big5 may be that of a brace, a bracket or a backslash.
#[test]
fn halves_of_characters_are_no_syntax() {
    // In the comment U+5F13 (A4 7D), in the tags U+529F (A5 5C), and a wide blank (A1 40) behind one.
    let text =
        b"[Event \"\xa5\x5c\"]\xa1\x40\n{\xa4\x7d} [Red \"\xac\xf5\xa5\x5c\"]\n[Black \"\xb6\xc2\"]\n\n\
        1. \xac\xb6\xa4\x47\xa5\xad\xa4\xad \xb0\xa8\xa2\xb7\xb6\x69\xa2\xb6 *\n";
    let options = ReadOptions { notation: None, encoding: Some(encoding_rs::BIG5) };
    let read: Vec<_> = games::read(Cursor::new(text.to_vec()), Some(Format::Pgn), None, options).collect();
    assert_eq!(read.len(), 1);
    let game = read[0].as_ref().expect("whole");
    assert_eq!(
        (game.tag("Event"), game.tag("Red"), game.tag("Black")),
        (Some("功"), Some("紅功"), Some("黑"))
    );
    assert_eq!((game.comment(NodeId::ROOT), moves(game).len()), ("弓", 2));
}

/// Only well-formed tags end before a comment; other values go on to the last bracket of their line.
#[test]
fn brackets_and_comments_in_ill_formed_values_are_kept() {
    for (tag, value) in [
        ("[Event Cup [2020]; round 2]", "Cup [2020]; round 2"),
        ("[Event \"The \"Big\" [2020]; round 2\"]", "The \"Big\" [2020]; round 2"),
        ("[Event \"The \"Big\" [2020] {x} y\"]", "The \"Big\" [2020] {x} y"),
        ("[Event Cup [2020] [second round]; x]", "Cup [2020] [second round]; x"),
    ] {
        for (behind, red) in [("", None), (" [Red \"r\"]", Some("r"))] {
            let game = read_one(&format!("{tag}{behind}\n\n1. h2e2 *\n"), Format::Pgn);
            assert_eq!((game.tag("Event"), game.tag("Red")), (Some(value), red), "{tag}{behind}");
            assert_eq!((game.comment(NodeId::ROOT), game.warnings.len()), ("", 0), "{tag}{behind}");
        }
    }
}

/// Looking for the end of the line from each tag would take minutes.
#[test]
fn many_tags_on_a_line_take_no_more_time_than_others() {
    let blanks = " ".repeat(200_000);
    for line in [
        format!("{}x", "[c\"]".repeat(100_000)),
        format!("{}{blanks}", "[a \"b\"]".repeat(50_000)),
        format!("{}{}", "[a \"b\"]".repeat(50_000), "\u{3000}".repeat(100_000)),
        format!("{}x", "[a \"b\"] y\"] z".repeat(50_000)),
        format!("{}x", "[a b] ".repeat(50_000)),
    ] {
        let text = format!("[Event \"a\"]\n{line}\n\n1. h2e2 *\n");
        assert_eq!(read_bytes(text.as_bytes(), Format::Pgn).len(), 1, "{line:.20}");
    }
}

/// A number alone is one of a move if it is due; else it may be a move that must not be lost.
#[test]
fn numbers_that_are_not_due_are_damage() {
    for (text, column) in
        [("12 34 56 77", 11), ("123", 11), ("h2e2 12", 16), ("1 h2e2 h9g7 2 3", 25), ("1 1", 13)]
    {
        let line = format!("{{\"moves\":\"{text}\"}}");
        let error = read_bytes(line.as_bytes(), Format::Json).remove(0).expect_err("damaged");
        assert_eq!(error.place, Place::Line { line: 1, column }, "{line}");
    }
    for text in ["1 h2e2 h9g7 2 h0g2 i9h9", "1. h2e2 1... h9g7 2. h0g2 2 i9h9", "7. h2e2 h9g7 8. h0g2 i9h9"] {
        let game = read_one(&format!("{{\"moves\":\"{text}\"}}"), Format::Json);
        assert_eq!(moves(&game), ["h2e2", "h9g7", "h0g2", "i9h9"], "{text}");
    }
}

/// Lists keep all blanks but tabs, and tell those alone.
#[test]
fn blanks_that_lists_keep_are_not_told() {
    for (blank, due) in [('\u{b}', 0), ('\u{c}', 0), ('\u{85}', 0), ('\t', 1)] {
        let mut game = read_one("1. h2e2 *", Format::Pgn);
        game.add_comment(NodeId::ROOT, &format!("a{blank}b"));
        let mut bytes = Vec::new();
        let losses =
            games::write_game(&game, Format::Fen, WriteOptions::default(), &mut bytes).expect("memory");
        let told = losses.iter().filter(|loss| loss.to_string().contains("control characters")).count();
        let kept = String::from_utf8(bytes).expect("text").contains(&format!("a{blank}b"));
        assert_eq!((told, kept), (due, due == 0), "{blank:?}");
    }
}
