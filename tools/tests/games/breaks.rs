//! Texts whose parts lack their ends or their moves, that are filled up at their end, or hold what no game can: it costs one game and
//! is told.

use std::io::Cursor;

use tools::games::{self, Doubt, Format, Game, GameError, Place, Problem, ReadOptions, WriteOptions};

use super::{moves, read_bytes, rich, written};

type Read = Vec<Result<Game, GameError>>;
/// A text around a FEN.
type Around = fn(&str) -> String;

/// Named, by an extension, and by the content alone.
fn every_way(bytes: &[u8], format: Format) -> [Read; 3] {
    let read = |named, likely| {
        games::read(Cursor::new(bytes.to_vec()), named, likely, ReadOptions::default()).collect()
    };
    [read(Some(format), None), read(None, Some(format)), read(None, None)]
}

#[test]
fn a_head_without_moves_is_a_game_of_its_own() {
    let head = "FORMAT WXF\nRED A\nBLACK B\nRESULT 0-1\n";
    for (between, next) in [
        ("\n", "FORMAT WXF\nRED C\n"),
        ("", "FORMAT WXF\nRED C\n"),
        ("\nCOMMENT{\nSTART{\n\nFORMAT x\n}END\n", "FORMAT WXF\nRED C\n"),
        ("\n", "GAME Cup\nRED C\n"),
    ] {
        let wxf = format!("{head}{between}{next}START{{\nC2=5 H8+7\n}}END\n");
        for read in every_way(wxf.as_bytes(), Format::Wxf) {
            let [Err(first), Ok(second)] = &read[..] else { panic!("{wxf}: {read:?}") };
            assert!(matches!(first.problem, Problem::NoMoves), "{wxf}: {first}");
            let lines = [head, between].concat().trim_end().lines().count();
            assert!(matches!(first.place, Place::Line { line, .. } if line == lines), "{wxf}: {first}");
            let partial = first.partial.as_ref().expect("the head");
            assert_eq!((partial.tag("Red"), partial.outcome.to_string().as_str()), (Some("A"), "0-1"));
            assert_eq!((second.tag("Red"), second.tag("Black")), (Some("C"), None), "{wxf}");
            assert_eq!((second.outcome.to_string().as_str(), second.moves().count()), ("*", 2), "{wxf}");
        }
    }
    // One head all the same.
    for head in
        ["RED A\nFORMAT WXF\n\nBLACK B\n", "FORMAT WXF\n\nRED A\nRED A\n", "REMARK a\n\nREMARK b\nRED A\n"]
    {
        let wxf = format!("{head}START{{\nC2=5\n}}END\n");
        for read in every_way(wxf.as_bytes(), Format::Wxf) {
            assert_eq!(read.len(), 1, "{wxf}");
            assert_eq!(read[0].as_ref().expect("a game").tag("Red"), Some("A"), "{wxf}");
        }
    }
}

/// Wherever the second game breaks off it is damage, and the first is whole.
#[test]
fn a_head_that_breaks_off_is_told() {
    let game = "FORMAT WXF\nGAME Cup\nRED A B\nCOMMENT{\nwords\n}END\nSTART{\n1. C2=5\n}END\n\n";
    let whole = game.repeat(2);
    for cut in game.len() + 1..whole.len() - "}END\n\n".len() {
        for read in every_way(&whole.as_bytes()[..cut], Format::Wxf) {
            let told = || format!("{:?}: {read:?}", &whole[game.len()..cut]);
            assert_eq!(read.len(), 2, "{}", told());
            assert_eq!(moves(read[0].as_ref().expect("whole")), ["h2e2"], "{}", told());
            let error = read[1].as_ref().expect_err("cut");
            let is_move =
                whole[game.len()..cut].contains("START{") && matches!(error.problem, Problem::Move { .. });
            let is_cut = matches!(error.problem, Problem::Truncated(_) | Problem::OpenComment);
            assert!(is_cut || is_move, "{}", told());
        }
    }
    // What is said after the games is of none.
    for after in ["", "\n\n", "So it went.\n", "COMMENT{\nwords\n}END\n", "The end. FOR\n"] {
        let text = format!("{whole}{after}");
        for read in every_way(text.as_bytes(), Format::Wxf) {
            assert_eq!(read.iter().filter(|read| read.is_ok()).count(), 2, "{after:?}");
            assert_eq!(read.len(), 2, "{after:?}: {read:?}");
        }
    }
    // The comment on the last moves, too.
    let cut = format!("{game}COMMENT{{\nlost");
    let read = read_bytes(cut.as_bytes(), Format::Wxf);
    assert!(matches!(read[1].as_ref().expect_err("cut").problem, Problem::OpenComment));
}

#[test]
fn a_line_too_long_costs_its_own_game() {
    let filling = "a".repeat(40 << 20);
    let fen = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1";
    let json = "{\"moves\":[\"h2e2\"]}";
    for (format, game, long) in [
        (Format::Json, json, format!("{{\"tags\":{{\"a\":\"{filling}\"}},\"moves\":[]}}")),
        (Format::Fen, fen, format!("{fen} ; {filling}")),
    ] {
        for read in every_way(format!("{game}\n{long}\n{game}\n{game}x\n").as_bytes(), format) {
            assert_eq!(read.len(), 4, "{format}");
            let error = read[1].as_ref().expect_err("too long");
            assert!(matches!(error.problem, Problem::TooLarge(16)), "{format}: {error}");
            assert_eq!((error.game, error.place), (2, Place::Line { line: 2, column: 1 }), "{format}");
            assert!(read[0].is_ok() && read[2].is_ok(), "{format}");
            let error = read[3].as_ref().expect_err("damaged");
            assert!(matches!(error.place, Place::Line { line: 4, .. }), "{format}: {error}");
            assert_eq!(error.game, 4, "{format}");
        }
    }
    // A remark is no game, however long.
    for mark in [";", "#"] {
        let read = read_bytes(format!("{fen}\n{mark}{filling}\n{fen}\n").as_bytes(), Format::Fen);
        assert_eq!(read.iter().filter(|read| read.is_ok()).count(), 2);
        assert_eq!(read.len(), 2);
    }
}

/// Old systems fill files up, or mark their end.
#[test]
fn what_fills_a_file_up_is_no_game() {
    let fillings = ["\x1a", "\r\n\x1a", "\0", "\x1a\0\0\r\n\0 ", " \x1a \n", &"\0".repeat(3 << 20)];
    let texts = Format::ALL.into_iter().filter(|(format, ..)| !matches!(format, Format::Xqf | Format::Cbr));
    let cbf = "<ChineseChessRecord><Head/><MoveList><Move value=\"00-00\"/><Move value=\"77-47\"/></MoveList></ChineseChessRecord>";
    for (format, ..) in texts {
        let text = if format == Format::Cbf {
            cbf.as_bytes().to_vec()
        } else {
            written(&rich(), format, WriteOptions::default()).repeat(2)
        };
        let due = read_bytes(&text, format);
        for filling in fillings {
            let utf16: Vec<u8> = "\u{feff}"
                .encode_utf16()
                .chain([String::from_utf8_lossy(&text).trim_end(), filling].concat().encode_utf16())
                .flat_map(u16::to_le_bytes)
                .collect();
            let bytes = [text.trim_ascii_end(), filling.as_bytes()].concat();
            for bytes in [&bytes, &utf16] {
                for read in every_way(bytes, format) {
                    assert_eq!(read.len(), due.len(), "{format} {:?}", filling.get(..8));
                    for (read, due) in read.iter().zip(&due) {
                        let read =
                            read.as_ref().unwrap_or_else(|e| panic!("{format} {:?} {e}", filling.get(..8)));
                        assert_eq!(moves(read), moves(due.as_ref().expect("whole")), "{format}");
                        assert_eq!(read.warnings, due.as_ref().expect("whole").warnings, "{format}");
                    }
                }
            }
        }
    }
    // In the middle of a text they are not passed over.
    let holes = "[Event \"a\"]\n\n1. h2e2 \0\0\0\0\0 h9g7 *\n";
    assert!(read_bytes(holes.as_bytes(), Format::Pgn)[0].is_err());
}

fn warnings(text: &str, format: Format) -> Vec<(Place, Doubt)> {
    let game = read_bytes(text.as_bytes(), format).remove(0).unwrap_or_else(|e| panic!("{text}: {e}"));
    game.warnings.into_iter().map(|warning| (warning.place, warning.doubt)).collect()
}

#[test]
fn a_result_in_unknown_words_is_told_of_records_too() {
    let due = |column| (Place::Line { line: 1, column }, Doubt::UnknownResult("resigned".to_owned()));
    let json = "  {\"moves\":[],\"result\":\"resigned\",\"tags\":{\"result\":\"x\"}}";
    assert_eq!(warnings(json, Format::Json), [due(json.find("\"resigned").expect("there") + 1)]);
    let cbf = "<ChineseChessRecord><Head><RecordResult>resigned</RecordResult></Head></ChineseChessRecord>";
    assert_eq!(warnings(cbf, Format::Cbf), [due(27)]);
    for known in ["1-0", "*", ""] {
        assert_eq!(warnings(&json.replacen("resigned", known, 1), Format::Json), []);
    }
}

#[test]
fn counters_that_are_cut_are_told() {
    let texts: [(Format, Around); 6] = [
        (Format::Pgn, |fen| format!("[Event \"a\"]\n[FEN \"{fen}\"]\n\n*\n")),
        (Format::Wxf, |fen| format!("FORMAT WXF\nFEN {fen}\nSTART{{\n}}END\n")),
        (Format::GameBox, |fen| format!("<p>\n[game]FEN {fen}\nSTART{{\n}}END[/game]\n")),
        (Format::Fen, |fen| format!("\n{fen} moves e0e1 ; so\n")),
        (Format::Json, |fen| format!("\n{{\"fen\":\"{fen}\"}}\n")),
        (Format::Cbf, |fen| {
            format!("<ChineseChessRecord>\n<Head><FEN>{fen}</FEN></Head></ChineseChessRecord>")
        }),
    ];
    let huge = "9".repeat(99);
    for (format, text) in texts {
        for (counters, cut) in [
            ("- - 0 1", vec![]),
            ("- - 9999 9999", vec![]),
            ("- -", vec![]),
            ("", vec![]),
            ("- - 0 10000", vec!["10000"]),
            ("- - 12345 1", vec!["12345"]),
            ("- - 12345 70000", vec!["12345", "70000"]),
            ("- - 3 4 - - 0 70000", vec![]),
            ("70000 1", vec!["70000"]),
            (&format!("- - 0 {huge}"), vec![&huge[..20]]),
        ] {
            let text = text(&format!("3k5/9/9/9/9/9/9/9/9/4K4 w {counters}"));
            let told = warnings(&text, format);
            let due: Vec<Doubt> = cut.iter().map(|number| Doubt::CutCounter((*number).to_owned())).collect();
            let doubts: Vec<Doubt> = told.iter().map(|(_, doubt)| doubt.clone()).collect();
            assert_eq!(doubts, due, "{text}");
            assert!(told.iter().all(|(place, _)| matches!(place, Place::Line { line: 2, .. })), "{told:?}");
        }
    }
}

#[test]
fn a_tag_without_its_end_is_named() {
    let read = |pgn: &str| every_way(pgn.as_bytes(), Format::Pgn);
    let rest = "[Red \"C\"]\n\n1. h2e2 h9g7 *\n\n[Event \"next\"]\n\n1. h2e2 *\n";
    for (tag, event) in [
        ("[Event \"first\nsecond\"]\n", Some("first second")),
        ("[Event \"first\n  second\n\\\"third\\\"\"]\n", Some("first second \"third\"")),
        ("[Event \"first\n", None),
        ("[Event \"first\"\n", None),
        ("[Event \"first\nsecond\n", None),
        ("[Event \"first\n\n", None),
    ] {
        for before in ["", "[Site \"s\"]\n", "[Event \"e\"]\n\n1. h2e2 *\n\n"] {
            let pgn = format!("{before}{tag}{rest}");
            let at = before.matches('*').count();
            for read in read(&pgn) {
                assert_eq!(read.len(), at + 2, "{pgn}: {read:?}");
                let place = Place::Line { line: before.matches('\n').count() + 1, column: 1 };
                // With its end it is whole, but for its line breaks.
                let game = match (&read[at], event) {
                    (Ok(game), Some(_)) => {
                        let [warning] = &game.warnings[..] else { panic!("{pgn}: {:?}", game.warnings) };
                        assert_eq!(warning.doubt, Doubt::BrokenValue("Event".to_owned()), "{pgn}");
                        assert_eq!(warning.place, place, "{pgn}");
                        game
                    }
                    (Err(error), None) => {
                        assert!(
                            matches!(&error.problem, Problem::OpenTag(name) if name == "Event"),
                            "{pgn}: {error}"
                        );
                        assert_eq!(error.place, place, "{pgn}");
                        error.partial.as_ref().expect("what follows")
                    }
                    (read, _) => panic!("{pgn}: {read:?}"),
                };
                assert_eq!(moves(game), ["h2e2", "h9g7"], "{pgn}");
                assert_eq!((game.tag("Red"), game.tag("Event")), (Some("C"), event), "{pgn}");
                assert_eq!(read[at + 1].as_ref().expect("whole").tag("Event"), Some("next"), "{pgn}");
            }
        }
    }
    // Without another tag or a blank line the moves are seen.
    for read in read("[Round \"1\n1. h2e2 h9g7 *\n") {
        assert_eq!(moves(read[0].as_ref().expect_err("damaged").partial.as_ref().expect("moves")).len(), 2);
    }
    // A start that is lost is not taken for the usual one.
    for read in read("[FEN \"3k5/9/9/9/9/9/9/9/9\n\n1. h2e2 *\n") {
        assert!(read[0].as_ref().expect_err("damaged").partial.is_none());
    }
    // In a comment it is none.
    for read in read("[Event \"a\"]\n\n1. h2e2 {so\n[Event \"x\nand so} h9g7 *\n") {
        assert_eq!(moves(read[0].as_ref().expect("whole")).len(), 2);
    }
}

/// Blocks without an end, lines of a head and heads without moves: searching the rest of the text from each would take many minutes.
#[test]
fn a_hundred_thousand_words_of_heads_are_read() {
    let many = |unit: &str| unit.repeat(100_000);
    let cases = [
        // The moves, or what is after them, have the only end; or nothing has one.
        (many("COMMENT{\n"), "START{\n1. C2=5\n}END\n", 1),
        // Without a number those are words of the comment.
        (many("COMMENT{\n"), "START{\nC2=5\n}END\n", 0),
        (many("COMMENT{\n"), "START{\n1. C2=5\n", 1),
        (many("COMMENT{\n"), "", 1),
        (many("COMMENT{\n}END\n"), "START{\n1. C2=5\n}END\n", 1),
        (many("RED x\n"), "START{\n1. C2=5\n}END\n", 1),
        (many("FORMAT WXF\n"), "START{\n1. C2=5\n}END\n", 100_000),
        (many("FORMAT WXF\n"), "", 100_000),
        (many("FORMAT WXF\nRED a\n\n"), "", 100_000),
    ];
    for (lines, end, count) in cases {
        let wxf = format!("FORMAT WXF\nSTART{{\n1. C8=5\n}}END\n\n{lines}{end}");
        let read = read_bytes(wxf.as_bytes(), Format::Wxf);
        assert_eq!(moves(read[0].as_ref().expect("whole")), ["b2e2"], "{lines:.20} {end}");
        assert_eq!(read.len(), 1 + count, "{lines:.20} {end}");
        let read = read_bytes(format!("[game]\n{lines}P2-5[/game]").as_bytes(), Format::GameBox);
        assert_eq!(read.len(), 1, "{lines:.20}");
    }
    let lines = many("[Event \"x\n");
    assert_eq!(read_bytes(lines.as_bytes(), Format::Pgn).len(), 100_000);
}

/// Wherever the second game breaks off in its first words, the first is whole and the second is told.
#[test]
fn a_game_that_breaks_off_in_its_first_word_costs_no_other() {
    for (format, first, second) in [
        (Format::Pgn, "[Event \"a\"]\n\n1. h2e2 *\n\n", "[Event \"b\"]"),
        (
            Format::DhtmlXq,
            "[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n\n",
            "[DhtmlXQ]",
        ),
        (Format::GameBox, "[game]\nSTART{\n1. P2-5\n}END\n[/game]\n\n", "[game]"),
    ] {
        for cut in if format == Format::Pgn { 1 } else { 2 }..second.len() {
            for read in every_way(format!("{first}{}", &second[..cut]).as_bytes(), format) {
                let told = || format!("{}: {read:?}", &second[..cut]);
                assert_eq!(read.len(), 2, "{}", told());
                assert_eq!(moves(read[0].as_ref().expect("whole")), ["h2e2"], "{}", told());
                let error = read[1].as_ref().expect_err("cut");
                assert!(matches!(error.problem, Problem::OpenTag(_) | Problem::Truncated(_)), "{}", told());
            }
        }
    }
}

/// Each attribute is looked for among the others of its element, and each namespace among those around it.
#[test]
fn elements_with_many_attributes_are_refused() {
    let record = |inside: &str| {
        format!(
            "<ChineseChessRecord><MoveList><Move value=\"77-47\"/>{inside}</MoveList></ChineseChessRecord>"
        )
    };
    let attributes = |count: usize| {
        let each: Vec<String> = (0..count).map(|number| format!(" a{number}=\"&lt;x='>\"")).collect();
        each.concat()
    };
    let names = |count: usize| (0..count).map(|number| format!("xmlns:n{number}=\"u{number}\""));
    let spaces = |count: usize| " ".to_owned() + &names(count).collect::<Vec<_>>().join(" ");
    let nested = |count: usize| {
        let open: Vec<String> = names(count).map(|name| ["<a ", &name, ">"].concat()).collect();
        open.concat() + &"</a>".repeat(count)
    };
    for inside in [format!("<Note{}/>", attributes(90)), format!("<Note{}/>", spaces(20)), nested(20)] {
        let read = read_bytes(record(&inside).as_bytes(), Format::Cbf);
        assert_eq!(moves(read[0].as_ref().unwrap_or_else(|e| panic!("{e}"))), ["h2e2"]);
    }
    for inside in
        [format!("<Note{}/>", attributes(100_000)), format!("<Note{}/>", spaces(100_000)), nested(60_000)]
    {
        let read = read_bytes(record(&inside).as_bytes(), Format::Cbf);
        let error = read[0].as_ref().expect_err("too many");
        let due = "the XML holds an element with more than 100 attributes or namespaces";
        assert_eq!(error.problem.to_string(), due);
        assert_eq!(moves(error.partial.as_ref().expect("what is before it")), ["h2e2"]);
    }
}
