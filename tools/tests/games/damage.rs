//! What can be read of files that break off, and where they do.

use tools::games::{self, Doubt, Format, GameError, NodeId, Place, Problem, ReadOptions, WriteOptions};

use super::{moves, read_bytes, written};

const CBF: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ChineseChessRecord Version=\"1.0\">\n <Head>\n  <Name>名</Name>\n  \
                   <Red>紅 &amp; 方</Red>\n  <URL />\n  <FEN>rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w</FEN>\n </Head>\n \
                   <MoveList>\n  <Move value=\"00-00\"><![CDATA[before]]></Move>\n  <Move value=\"77-47\" />\n  \
                   <Move value=\"70-62\"><![CDATA[a <good> one]]></Move>\n  <Move value=\"79-67\" end=\"1\" />\n </MoveList>\n\
                   </ChineseChessRecord>\n";

fn damage(bytes: &[u8], format: Format) -> GameError {
    let mut read = read_bytes(bytes, format);
    assert_eq!(read.len(), 1);
    read.remove(0).expect_err("damaged")
}

#[test]
fn records_of_xml_that_break_off_are_read_up_to_there() {
    let whole = read_bytes(CBF.as_bytes(), Format::Cbf).remove(0).expect("a game");
    let all = ["h2e2", "h9g7", "h0g2"];
    assert_eq!(moves(&whole), all);
    // Wherever it is cut, the moves before the cut are there, and the cut is told.
    let head = CBF.find("<Head>").expect("there");
    for cut in head..CBF.trim_end().len() - 1 {
        let bytes = &CBF.as_bytes()[..cut];
        let error = damage(bytes, Format::Cbf);
        assert!(matches!(error.problem, Problem::Truncated(_)), "{cut}: {error}");
        let text = String::from_utf8_lossy(bytes);
        let Place::Line { line, .. } = error.place else { panic!("{error}") };
        assert_eq!(line, text.trim_end().lines().count(), "{cut}");
        let game = error.partial.expect("what was read");
        let complete =
            text.match_indices("<Move v").skip(1).filter(|(at, _)| text[*at..].contains('>')).count();
        assert_eq!(moves(&game), all[..complete], "{cut}");
    }
    let cut = CBF.find("a <good>").expect("there");
    let error = damage(&CBF.as_bytes()[..cut], Format::Cbf);
    assert_eq!(error.place, Place::Line { line: 12, column: 32 });
    let game = error.partial.expect("what was read");
    assert_eq!((game.tag("Title"), game.tag("Red")), (Some("名"), Some("紅 & 方")));
    assert_eq!(game.comment(NodeId::ROOT), "before");
    // A fault in the middle is no end of the file; it is told by its line and column.
    let bad = CBF.replacen("<Move value=\"70-62\"", "<Move value=70", 1);
    let error = damage(bad.as_bytes(), Format::Cbf);
    assert!(matches!(error.place, Place::Line { line: 12, column } if column > 3), "{error}");
    assert_eq!(moves(&error.partial.expect("what was read")), ["h2e2"]);
}

#[test]
fn lines_of_json_that_break_off_are_read_up_to_there() {
    let line = "{\"fen\":\"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\",\
                \"moves\":[\"h2e2\",\"h9g7\",\"h0g2\"],\"result\":\"1-0\",\"tags\":{\"Red\":\"a \\\"b\\\"\",\"Black\":\"c\"}}";
    let all = ["h2e2", "h9g7", "h0g2"];
    assert_eq!(moves(&read_bytes(line.as_bytes(), Format::Json).remove(0).expect("a game")), all);
    for cut in 2..line.len() {
        let error = damage(&line.as_bytes()[..cut], Format::Json);
        assert_eq!(error.place, Place::Line { line: 1, column: line[..cut].trim_end().len() + 1 }, "{error}");
        // Without its start nothing can be said of a game.
        assert_eq!(error.partial.is_some(), line[..cut].contains("0 1\""), "{cut}");
        let Some(game) = error.partial else { continue };
        let complete =
            ["\"h2e2\"", "\"h9g7\"", "\"h0g2\""].iter().filter(|mv| line[..cut].contains(*mv)).count();
        assert_eq!(moves(&game), all[..complete], "{cut}");
        let has_red = line[..cut].contains("b\\\"\"");
        assert_eq!(game.tag("Red"), has_red.then_some("a \"b\""), "{cut}");
    }
}

/// As other programs write it.
#[test]
fn json_of_looser_kinds_is_read() {
    let line = "{\"moves\":\"h2e2 h9g7\",\"result\":\"0:1\",\"tags\":{\"Elo\":2400,\"Rated\":true,\"Red\":\"a\",\"Site\":null}}";
    let game = read_bytes(line.as_bytes(), Format::Json).remove(0).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(moves(&game), ["h2e2", "h9g7"]);
    assert_eq!((game.outcome.to_string().as_str(), game.warnings.len()), ("0-1", 0));
    let tags = ["Elo", "Rated", "Red", "Site"].map(|name| game.tag(name));
    assert_eq!(tags, [Some("2400"), Some("true"), Some("a"), None]);
    let error = damage(b"{\"moves\":\"h2e2 h2e2\"}", Format::Json);
    assert!(matches!(error.problem, Problem::Move { number: 2, .. }), "{error}");
    assert_eq!(error.place, Place::Line { line: 1, column: 16 });
    for bad in [
        "{\"moves\":7}",
        "{\"moves\":[7]}",
        "{\"moves\":[],\"tags\":{\"a\":[1]}}",
        "{\"moves\":[],\"tags\":[]}",
    ] {
        let error = damage(bad.as_bytes(), Format::Json);
        assert!(matches!(error.problem, Problem::BadField { .. }), "{bad}: {error}");
        assert!(matches!(error.place, Place::Line { line: 1, column: 8.. }), "{bad}: {error}");
    }
    let nothing = read_bytes(b"{\"moves\":null,\"fen\":null}", Format::Json).remove(0);
    assert!(matches!(nothing.expect_err("no game").problem, Problem::NoGame));
}

#[test]
fn bad_values_of_json_are_placed() {
    let line = " {\"tags\":{\"moves\":\"x\"},\"moves\":[\"h2e2\",\"h2e2\"]}";
    let error = damage(line.as_bytes(), Format::Json);
    assert!(matches!(error.problem, Problem::Move { number: 2, .. }), "{error}");
    let column = line.rfind("\"h2e2\"").expect("there") + 1;
    assert_eq!(error.place, Place::Line { line: 1, column });
    assert_eq!(moves(&error.partial.expect("one move")), ["h2e2"]);
    let line = "{\"moves\":[],\"fen\":\"9/9\"}";
    let error = damage(line.as_bytes(), Format::Json);
    assert_eq!(error.place, Place::Line { line: 1, column: line.find("\"9/9\"").expect("there") + 1 });
}

/// Any object of strings looks so, and a line whose moves are cut off.
#[test]
fn tags_alone_are_no_game_of_json() {
    for line in
        ["{\"tags\":{\"Red\":\"a\"}}", "{\"tags\":{\"Red\":\"a\"},\"result\":\"1-0\"}", "{\"result\":\"*\"}"]
    {
        let error = damage(line.as_bytes(), Format::Json);
        assert!(matches!(error.problem, Problem::NoGame), "{error}");
        assert!(error.partial.is_none(), "{line}");
        // With another line's damage there is nothing to salvage either.
        for cut in 1..line.len() {
            assert!(damage(&line.as_bytes()[..cut], Format::Json).partial.is_none(), "{line} {cut}");
        }
    }
    let cut = damage(b"{\"tags\":{\"Red\":\"a\"},\"moves\":[\"h2e2\",\"h9", Format::Json);
    let game = cut.partial.expect("a move");
    assert_eq!((moves(&game), game.tag("Red")), (vec!["h2e2".to_owned()], Some("a")));
}

/// A comment may quote a game; and one that never ends costs the games after it nothing.
#[test]
fn what_looks_like_a_tag_in_a_comment_begins_no_game() {
    let quote = "see\n\n[Event \"b\"]\n[Red \"c\"]\n\n1. b2e2 * or\n\n[Event \"d\"]\nand more";
    let game = |comment: &str| format!("[Event \"a\"]\n\n1. h2e2 {comment} h9g7 *\n\n");
    let next = game("{fine}");
    let whole = format!("{}{next}", game(&format!("{{{quote}}}")));
    let lost = format!("{}{next}{next}", game("{lost"));
    let block = "[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][/DhtmlXQ]\n";
    let read = |text: String, format| -> Vec<_> {
        games::read(std::io::Cursor::new(text.into_bytes()), format, None, ReadOptions::default()).collect()
    };
    // A text of unknown content is also cut where its formats change.
    for (format, more, count) in [(Some(Format::Pgn), "", 0), (None, "", 0), (None, block, 1)] {
        let games: Vec<_> =
            read(format!("{whole}{more}"), format).into_iter().map(|read| read.expect("whole")).collect();
        assert_eq!(games.len(), 2 + count, "{format:?}");
        assert_eq!(moves(&games[0]), ["h2e2", "h9g7"]);
        let first = games[0].main_line().next().expect("a move");
        assert_eq!(games[0].comment(first), quote);
        assert_eq!(moves(&games[1]), ["h2e2", "h9g7"]);
        let mut games = read(format!("{lost}{more}"), format);
        assert_eq!(games.len(), 3 + count, "{format:?}");
        assert!(matches!(games.remove(0).expect_err("lost").problem, Problem::OpenComment));
        assert!(games.iter().all(Result::is_ok));
    }
    // A mark of another format in the comment, behind its tags.
    let text = format!("[Event \"a\"]\n\n1. h2e2 {{see\n\n[Event \"b\"]\n\n{block}}} h9g7 *\n");
    let games = read(text, None);
    assert_eq!(games.len(), 1);
    assert_eq!(moves(games[0].as_ref().expect("whole")), ["h2e2", "h9g7"]);
}

/// Zeros fill the record of a game without moves; anywhere else a move is due, and the moves behind them are lost.
#[test]
fn zeros_for_a_move_of_cbr_are_damage() {
    let pgn = "[Event \"a\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 *\n";
    let whole = read_bytes(pgn.as_bytes(), Format::Pgn).remove(0).expect("a game");
    let record = written(&whole, Format::Cbr, WriteOptions::default());
    let moves_at = record.len() - 4 * 4;
    let all = ["h2e2", "h9g7", "h0g2", "i9h9"];
    for library in [false, true] {
        for index in 0..4 {
            let begin = if library { &b"CCBridgeLibrary\0"[..] } else { b"" };
            let at = begin.len() + moves_at + 4 * index;
            let mut file = [begin, &record].concat();
            file[at..at + 4].fill(0);
            if library {
                file.extend_from_slice(&record);
            }
            let read = read_bytes(&file, Format::Cbr);
            assert_eq!(read.len(), if library { 2 } else { 1 });
            if library {
                assert_eq!(moves(read[1].as_ref().expect("whole")), all);
            }
            // Where no move stands before them, it is what follows that tells them from filling.
            if index == 0 {
                let game = read[0].as_ref().expect("no moves");
                let (offset, rest) = (Place::Byte(at + 4), Doubt::Rest(3 * 4));
                assert_eq!((game.warnings[0].place, &game.warnings[0].doubt), (offset, &rest));
                continue;
            }
            let error = read[0].as_ref().expect_err("damaged");
            assert_eq!(error.place, Place::Byte(at), "{error}");
            assert!(matches!(error.problem, Problem::IllegalSquares { number, .. } if number == index + 1));
            assert_eq!(moves(error.partial.as_ref().expect("the moves before")), all[..index]);
        }
    }
}
