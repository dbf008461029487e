//! Readers on streams: they take no more than they need, whatever the line ends and the encoding, and tell what is cut off.

use std::cell::Cell;
use std::io::{self, BufReader, Cursor, Read};
use std::rc::Rc;

use tools::games::{self, Doubt, Format, Game, NodeId, Place, Problem, ReadOptions, WriteOptions};

use super::{moves, read_bytes, rich, written};

/// The same bytes again and again after a beginning, counted as they are read.
struct Endless {
    begin: Vec<u8>,
    unit: Vec<u8>,
    at: usize,
    read: Rc<Cell<usize>>,
}

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let source = match self.at.checked_sub(self.begin.len()) {
            None => &self.begin[self.at..],
            Some(beyond) => &self.unit[beyond % self.unit.len()..],
        };
        let length = source.len().min(out.len());
        out[..length].copy_from_slice(&source[..length]);
        self.at += length;
        self.read.set(self.read.get() + length);
        Ok(length)
    }
}

/// Takes games from a stream without end: a reader that collects them would never give the first, and one that reads ahead is
/// found out by the count of bytes.
fn take_from_endless(begin: &[u8], unit: &[u8], format: Format, count: usize) -> Vec<Game> {
    /// The beginning that the format is told from, and a buffer or two.
    const AHEAD: usize = 4 << 16;
    let read = Rc::new(Cell::new(0));
    let stream = Endless { begin: begin.to_vec(), unit: unit.to_vec(), at: 0, read: Rc::clone(&read) };
    let games = games::read(BufReader::new(stream), Some(format), None, ReadOptions::default());
    let games: Vec<Game> = games.take(count).map(|read| read.expect("a game")).collect();
    assert_eq!(games.len(), count);
    let due = begin.len() + unit.len() * count;
    assert!(read.get() <= due + AHEAD, "{format}: {} bytes read for {due}", read.get());
    games
}

#[test]
fn endless_files_are_read_game_by_game() {
    let game = rich();
    for (format, ..) in Format::ALL.into_iter().filter(|(format, ..)| format.holds_many()) {
        let unit = written(&game, format, WriteOptions::default());
        for game in take_from_endless(b"", &unit, format, 1000) {
            assert_eq!(moves(&game), ["h2e2", "h9g7", "h0g2", "i9h9"], "{format}");
        }
    }
    let record = written(&game, Format::Cbr, WriteOptions::default());
    take_from_endless(b"CCBridgeLibrary\0", &record, Format::Cbr, 100);
    let utf16: Vec<u8> =
        "[Event \"测\"]\r\n\r\n1. h2e2 *\r\n\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    take_from_endless(&[0xff, 0xfe], &utf16, Format::Pgn, 2000);
    // A page of prose, and games without anything in them.
    let prose = [
        b"<p>Nothing here.</p>\n".repeat(20_000),
        b"[DhtmlXQ][DhtmlXQ_red]a[/DhtmlXQ_red][/DhtmlXQ]".to_vec(),
    ]
    .concat();
    take_from_endless(b"", &prose, Format::DhtmlXq, 10);
    take_from_endless(b"<html>", b"[DhtmlXQ][DhtmlXQ_red]a[/DhtmlXQ_red][/DhtmlXQ]", Format::DhtmlXq, 10_000);
    take_from_endless(b"", b"[game]RED a\nSTART{}END[/game]", Format::GameBox, 10_000);
    take_from_endless(b"", b"[Event \"a\"]\n\n", Format::Pgn, 10_000);
}

/// Endless bytes without a game end in an error after a bounded number of bytes, or are passed over without growing.
#[test]
fn endless_nonsense_is_given_up() {
    for (format, begin) in [
        (Format::Pgn, ""),
        (Format::Pgn, "[Event \"a\"]\n\n{"),
        (Format::Wxf, "START{"),
        (Format::GameBox, "[game]"),
        (Format::DhtmlXq, "[DhtmlXQ]"),
        (Format::Cbr, "CCBridge Record\0"),
        (Format::Cbf, "<ChineseChessRecord>"),
        (Format::Xqf, "XQ\x0a"),
        (Format::Json, "{"),
        (Format::Fen, "9/"),
    ] {
        let read = Rc::new(Cell::new(0));
        let stream =
            Endless { begin: begin.as_bytes().to_vec(), unit: b"x".to_vec(), at: 0, read: Rc::clone(&read) };
        let mut games = games::read(BufReader::new(stream), Some(format), None, ReadOptions::default());
        let error = games.next().expect("an answer").expect_err("no game");
        assert!(matches!(error.problem, Problem::TooLarge(_)), "{format}: {error}");
        assert!(read.get() < 20 << 20, "{format}: {}", read.get());
    }
    // Blocks of a head, without their ends and with them.
    for unit in ["COMMENT{\n", "COMMENT{\n}END\n"] {
        let read = Rc::new(Cell::new(0));
        let stream = Endless { begin: Vec::new(), unit: unit.into(), at: 0, read: Rc::clone(&read) };
        let games = games::read(BufReader::new(stream), Some(Format::Wxf), None, ReadOptions::default());
        for error in games.take(3).map(|read| read.expect_err("no game")) {
            assert!(matches!(error.problem, Problem::TooLarge(_)), "{unit}: {error}");
        }
        assert!(read.get() < 50 << 20, "{unit}: {}", read.get());
    }
}

#[test]
fn lines_may_end_in_every_way() {
    let game = rich();
    for (format, ..) in Format::ALL.into_iter().filter(|(format, ..)| format.holds_many()) {
        let text = String::from_utf8(written(&game, format, WriteOptions::default())).expect("UTF-8");
        let text = text.repeat(2);
        let whole = moves(&game);
        for end in ["\n", "\r\n", "\r"] {
            let text = text.replace('\n', end);
            let read = read_bytes(text.as_bytes(), format);
            assert_eq!(read.len(), 2, "{format} {end:?}");
            for read in read {
                let read = read.unwrap_or_else(|e| panic!("{format} {end:?}: {e}"));
                assert_eq!(moves(&read), whole, "{format} {end:?}");
                assert_eq!(read.warnings, [], "{format} {end:?}");
            }
            for (order, mark) in
                [(u16::to_le_bytes as fn(u16) -> [u8; 2], [0xff, 0xfe]), (u16::to_be_bytes, [0xfe, 0xff])]
            {
                let utf16: Vec<u8> = mark.into_iter().chain(text.encode_utf16().flat_map(order)).collect();
                // By its content alone, too.
                for named in [Some(format), Format::sniff(&utf16)] {
                    let games = games::read(Cursor::new(utf16.clone()), named, None, ReadOptions::default());
                    let whole: Result<Vec<Game>, _> = games.collect();
                    assert_eq!(whole.expect("games").len(), 2, "{format} {end:?} {named:?}");
                }
            }
        }
    }
}

/// The lines of the errors are those of the file, with old line ends as well.
#[test]
fn places_hold_with_old_line_ends() {
    let pgn = "[Event \"a\"]\r\r1. h2e2 *\r\r[Event \"b\"]\r\r1. h2e2\rh2e2 *\r";
    let error = read_bytes(pgn.as_bytes(), Format::Pgn).remove(1).expect_err("h2 is empty");
    assert_eq!((error.game, error.place), (2, Place::Line { line: 8, column: 1 }));
    let page = "<p>\r\n<b>Ván</b> [game]START{\r\n1. P2-5 P2-9\r\n}END[/game]";
    let error = read_bytes(page.as_bytes(), Format::GameBox).remove(0).expect_err("no such move");
    assert_eq!(error.place, Place::Line { line: 3, column: 9 });
    let page = "é[DhtmlXQ][DhtmlXQ_movelist]0000[/DhtmlXQ_movelist][/DhtmlXQ]";
    let error = read_bytes(page.as_bytes(), Format::DhtmlXq).remove(0).expect_err("no such move");
    assert_eq!(error.place, Place::Line { line: 1, column: 29 });
}

#[test]
fn games_without_moves_are_games() {
    let pgn = "% made by a program\n; a remark\n[Event \"a\"]\n[Red \"A\"]\n\n[Event \"b\"]\n[Red \"B\"]\n\n1. h2e2 *\n\n\
               [Event \"c\"]\n[Event \"d\"]\n\n{only words}\n\n[Event \"e\"]\n\n*\n\n[Event \"f\"]\n[Result \"1-0\"]";
    let games: Vec<Game> =
        read_bytes(pgn.as_bytes(), Format::Pgn).into_iter().map(|read| read.expect("a game")).collect();
    let events: Vec<Option<&str>> = games.iter().map(|game| game.tag("Event")).collect();
    assert_eq!(events, ["a", "b", "c", "d", "e", "f"].map(Some));
    let counts: Vec<usize> = games.iter().map(|game| game.moves().count()).collect();
    assert_eq!(counts, [0, 1, 0, 0, 0, 0]);
    assert_eq!(games[0].tag("Red"), Some("A"));
    assert_eq!(games[5].outcome.to_string(), "1-0");
    // Blank lines between the tags of one game are no new game.
    let spaced = "[Event \"a\"]\n\n[Red \"A\"]\n\n[Black \"B\"]\n\n1. h2e2 *\n";
    assert_eq!(read_bytes(spaced.as_bytes(), Format::Pgn).len(), 1);
}

#[test]
fn what_is_cut_off_is_told() {
    let doubts = |text: &str, format| -> Vec<Doubt> {
        let game = read_bytes(text.as_bytes(), format).remove(0).expect("a game");
        game.warnings.into_iter().map(|warning| warning.doubt).collect()
    };
    let damage = |text: &str, format| {
        let error = read_bytes(text.as_bytes(), format).remove(0).expect_err("damage");
        (error.problem, error.partial.map_or(0, |game| game.moves().count()))
    };
    assert_eq!(doubts("[Event \"a\"]\n\n1. h2e2 h9g7", Format::Pgn), [Doubt::NoResult]);
    // Moves that somebody typed need no result.
    assert_eq!(doubts("1. h2e2 h9g7", Format::Pgn), []);
    assert!(matches!(damage("[Event \"a\"]\n\n1. h2e2 {h9g7", Format::Pgn), (Problem::OpenComment, 1)));
    assert!(matches!(
        damage("[Event \"a\"]\n\n1. h2e2 (1. b2e2 h9g7", Format::Pgn),
        (Problem::OpenVariation(1), 1)
    ));
    let ubb = "[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]";
    assert!(matches!(damage(ubb, Format::DhtmlXq), (Problem::Truncated(_), 2)));
    assert!(matches!(damage(&ubb[..40], Format::DhtmlXq), (Problem::Truncated(_), 0)));
    assert_eq!(doubts("[game]START{\n1. P2-5\n}END", Format::GameBox), [Doubt::OpenBox]);
    assert!(matches!(damage("[game]START{\n1. P2-5\n", Format::GameBox), (Problem::Truncated(_), 1)));
    assert!(matches!(damage("FORMAT WXF\nSTART{\n1. C2=5\n", Format::Wxf), (Problem::Truncated(_), 1)));
    // The next game is not swallowed.
    let two = "FORMAT WXF\nSTART{\n1. C2=5\nFORMAT WXF\nRED B\nSTART{\n1. C8=5\n}END\n";
    let read = read_bytes(two.as_bytes(), Format::Wxf);
    assert!(matches!(read[0].as_ref().expect_err("cut").problem, Problem::Truncated(_)));
    assert_eq!(read[1].as_ref().expect("a game").tag("Red"), Some("B"));
}

#[test]
fn what_is_not_understood_is_told() {
    let doubts = |text: &str, format| -> Vec<(Place, String)> {
        let game = read_bytes(text.as_bytes(), format).remove(0).expect("a game");
        game.warnings.iter().map(|warning| (warning.place, warning.doubt.to_string())).collect()
    };
    let pgn = doubts("[Event \"a\"]\n[Result \"won\"]\n\n1. h2e2 $300 *", Format::Pgn);
    assert_eq!(
        pgn,
        [
            (Place::Line { line: 2, column: 1 }, "the result `won` is not understood".to_owned()),
            (
                Place::Line { line: 4, column: 9 },
                "the glyph `$300` is left out: their numbers end with $255".to_owned()
            ),
        ]
    );
    let chess = doubts("[Event \"a\"]\n[Variant \"chess\"]\n\n1. h2e2 *", Format::Pgn);
    assert_eq!(chess[0].0, Place::Line { line: 2, column: 1 });
    assert!(chess[0].1.starts_with("the variant is `chess`"), "{}", chess[0].1);
    for xiangqi in ["xiangqi", "Xiangqi", "Chinese Chess"] {
        assert_eq!(doubts(&format!("[Variant \"{xiangqi}\"]\n\n1. h2e2 *"), Format::Pgn), []);
    }
    let two = doubts("[Event \"a\"]\n[Result \"1-0\"]\n\n1. h2e2 0-1", Format::Pgn);
    assert_eq!(two[0].1, "two results stand there, 1-0 and 0-1; the first counts");
    let ubb = doubts(
        "[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][DhtmlXQ_comment7]x[/DhtmlXQ_comment7][/DhtmlXQ]",
        Format::DhtmlXq,
    );
    assert_eq!(ubb[0].1, "comment7 belongs to no move and is left out");
}

/// A comment after the moves is of the game before, one right before the moves of the game they are of.
#[test]
fn comments_stay_with_their_games() {
    let wxf = "FORMAT WXF\nGAME Cup\nRED a\nSTART{\n1. C2=5 H8+7\n}END\nCOMMENT{\nnice one\n}END\n\nREMARK{really}END\n\n\
               FORMAT WXF\nRED b\nSTART{\n1. H2+3\n}END\nCOMMENT{\nthird\n}END\nSTART{\n1. C2=5\n}END\nCOMMENT{\nlast\n}END\n";
    let games: Vec<Game> =
        read_bytes(wxf.as_bytes(), Format::Wxf).into_iter().map(|read| read.expect("a game")).collect();
    let texts = |game: &Game| {
        let last = game.main_line().last().expect("moves");
        (game.comment(NodeId::ROOT).to_owned(), game.comment(last).to_owned())
    };
    let told: Vec<(String, String)> = games.iter().map(texts).collect();
    let due = [("", "nice one really"), ("", ""), ("third", "last")];
    assert_eq!(told, due.map(|(first, last)| (first.to_owned(), last.to_owned())));
    assert_eq!(games[0].tag("Game"), Some("Cup"));
    for format in [Format::Wxf, Format::GameBox, Format::Pgn] {
        for game in &games {
            let back = read_bytes(&written(game, format, WriteOptions::default()), format).remove(0);
            let back = back.expect("a game");
            assert_eq!(texts(&back), texts(game), "{format}");
            assert_eq!(back.tag("Game"), game.tag("Game"), "{format}");
        }
    }
    // A block that never ends is not waited for.
    for head in ["", "FORMAT WXF\nRED b\n"] {
        let cut = format!("START{{\n1. C2=5\n}}END\nCOMMENT{{\nlost\n{head}START{{\n1. C8=5\n}}END\n");
        assert_eq!(read_bytes(cut.as_bytes(), Format::Wxf).len(), 2);
    }
}

#[test]
fn forms_of_moves_as_people_type_them() {
    for text in [
        "1. Ｃ２＝５ Ｈ８＋７",
        "1. Ｃ２＝５！ Ｈ８＋７",
        "１．Ｃ２＝５ Ｈ８＋７",
        "1. 炮二平五马8进7",
        "1.炮二平五馬８進７",
        "1. ｈ２ｅ２ ｈ９ｇ７",
    ] {
        let game = read_bytes(text.as_bytes(), Format::Pgn).remove(0).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(moves(&game), ["h2e2", "h9g7"], "{text}");
    }
}

/// A page may hold both kinds of markup; style sheets are not WXF files.
#[test]
fn pages_may_mix() {
    let page = "<style>.start{color:red}</style>[game]START{1. P2-5}END[/game]\
                [DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ][GAME]START{1. P8-5}END[/GAME]";
    for format in [None, Some(Format::DhtmlXq), Some(Format::GameBox)] {
        let games = games::read(Cursor::new(page), format, None, ReadOptions::default());
        let firsts: Vec<Vec<String>> = games.map(|read| moves(&read.expect("a game"))).collect();
        assert_eq!(firsts, [["h2e2"], ["h2e2"], ["b2e2"]], "{format:?}");
    }
    let plain = "<style>.start{color:red}</style>";
    assert_eq!(Format::sniff(plain.as_bytes()), None);
}

/// A game with a name and no moves shows no encoding of its own: the page's word or the games before decide.
#[test]
fn encodings_are_remembered() {
    let red = |bytes: &[u8], format| {
        let read = read_bytes(bytes, format);
        read.last().expect("a game").as_ref().expect("whole").tag("Red").map(str::to_owned)
    };
    for (label, encoding, name) in [
        ("big5", encoding_rs::BIG5, "葉振翔"),
        ("gb2312", encoding_rs::GBK, "叶振翔"),
        ("GBK", encoding_rs::GBK, "王嘉良"),
    ] {
        let page = format!(
            "<meta http-equiv=\"Content-Type\" content=\"text/html; charset={label}\">\
             [DhtmlXQ][DhtmlXQ_red]{name}[/DhtmlXQ_red][/DhtmlXQ]"
        );
        assert_eq!(red(&encoding.encode(&page).0, Format::DhtmlXq).as_deref(), Some(name), "{label}");
        let moves = if label == "big5" { "炮二平五 馬8進7" } else { "炮二平五 马8进7" };
        let pgn = format!("[Event \"a\"]\n\n1. {moves} *\n\n[Event \"b\"]\n[Red \"{name}\"]\n\n*\n");
        assert_eq!(red(&encoding.encode(&pgn).0, Format::Pgn).as_deref(), Some(name), "{label}");
    }
}

/// What is left of a game that is no game's length is passed over, and the next one is read.
#[test]
fn a_game_too_large_costs_no_other() {
    let pgn = format!(
        "[Event \"a\"]\n\n1. h2e2 {{{}\n[Site \"x\"]\n}} *\n\n[Event \"b\"]\n\n1. h2e2 *\n",
        "x y ".repeat(3 << 20)
    );
    let read = read_bytes(pgn.as_bytes(), Format::Pgn);
    assert_eq!(read.len(), 2);
    assert!(matches!(read[0], Err(ref error) if matches!(error.problem, Problem::TooLarge(_))));
    assert_eq!(read[1].as_ref().expect("a game").tag("Event"), Some("b"));
}

#[test]
fn a_zero_ends_no_text() {
    let game = read_bytes(b"[Event \"a\0b\"]\n\n1. h2e2 {c\0d} *\n", Format::Pgn).remove(0).expect("a game");
    for format in [Format::Cbr, Format::Xqf, Format::DhtmlXq, Format::Pgn, Format::Wxf] {
        let back =
            read_bytes(&written(&game, format, WriteOptions::default()), format).remove(0).expect("a game");
        let texts =
            [back.tag("Event").unwrap_or_default(), back.comment(back.main_line().last().expect("a move"))];
        assert_eq!(texts.map(|text| text.replace('\0', " ")), ["a b", "c d"], "{format}");
    }
}

/// A head of nothing but tags, each of another name: comparing each with each would take minutes.
#[test]
fn a_hundred_thousand_tags_are_read() {
    let count = 100_000;
    let pgn = (0..count).map(|number| format!("[A{number} \"b\"]\n")).collect::<Vec<_>>().concat();
    let json: Vec<String> = (0..count).map(|number| format!("\"A{number}\":\"b\"")).collect();
    let json = format!("{{\"moves\":[],\"tags\":{{\"a7\":\"c\",{}}}}}", json.join(","));
    for (text, format) in [(format!("{pgn}[a7 \"b\"]\n\n1. h2e2 *\n"), Format::Pgn), (json, Format::Json)] {
        let game = read_bytes(text.as_bytes(), format).remove(0).expect("a game");
        assert_eq!(game.tags().len(), count, "{format}");
        assert_eq!((game.tag("A7"), game.tag("a99999")), (Some("b"), Some("b")), "{format}");
    }
}

/// And on one line, or with a comment behind each: looking for the end of the line from each would take hours.
#[test]
fn half_a_million_tags_share_a_line() {
    for tag in ["[A \"b\"]", "[A b]", "[A \"b] ", "[A \"b\"]{c}", "[A \"b\" c\"]"] {
        let text = format!("{}\n\n1. h2e2 *\n", tag.repeat(500_000));
        let game =
            read_bytes(text.as_bytes(), Format::Pgn).remove(0).unwrap_or_else(|e| panic!("{tag}: {e}"));
        assert_eq!((moves(&game), game.tags().len()), (vec!["h2e2".to_owned()], 1), "{tag}");
    }
}

/// As many warnings as fields or words, each with its place: counting the lines anew for each would take hours.
#[test]
fn a_hundred_thousand_warnings_are_placed() {
    // As many fields as fit into the text that a game may have.
    let count = 160_000;
    let fields: Vec<String> =
        (1..=count).map(|n| format!("[DhtmlXQ_comment{n}]x[/DhtmlXQ_comment{n}]\n")).collect();
    let ubb = format!("[DhtmlXQ]\n{}[/DhtmlXQ]", fields.concat());
    let pgn = format!("[Event \"a\"]\n\n1. h2e2 {}*\n", "$300 ".repeat(count));
    let last = |text: &str, format| {
        let game = read_bytes(text.as_bytes(), format).remove(0).expect("a game");
        assert_eq!(game.warnings.len(), count, "{format}");
        game.warnings.iter().map(|warning| warning.place).max_by_key(|place| match place {
            Place::Line { line, column } => (*line, *column),
            Place::Byte(_) => (0, 0),
        })
    };
    let column = format!("[DhtmlXQ_comment{count}]").len() + 1;
    assert_eq!(last(&ubb, Format::DhtmlXq), Some(Place::Line { line: count + 1, column }));
    let column = 9 + 5 * (count - 1);
    assert_eq!(last(&pgn, Format::Pgn), Some(Place::Line { line: 3, column }));
}

/// Variations that wait for lines of larger numbers, and ones that leave a long line at its end: going over the others or over
/// the line for each would take hours.
#[test]
fn a_hundred_thousand_variations_are_read() {
    let field = |name: String, moves: &str| format!("[DhtmlXQ_{name}]{moves}[/DhtmlXQ_{name}]");
    let ubb = |fields: String| format!("[DhtmlXQ]{fields}[/DhtmlXQ]");
    let count = 100_000;
    let chain = (1..=count).map(|number| {
        let parent = if number == count { 0 } else { number + 1 };
        field(format!("move_{parent}_1_{number}"), "1747")
    });
    let chain = ubb(field("movelist".to_owned(), "7747") + &chain.collect::<String>());
    // Rooks that go to and fro.
    let long = "0908000108090100".repeat(9990 / 4);
    let leaving = (1..=count).map(|number| field(format!("move_0_9985_{number}"), "7747"));
    let long = ubb(field("movelist".to_owned(), &long) + &leaving.collect::<String>());
    for (text, plies, nodes) in [(chain, 1, 2), (long, 9988, 9989)] {
        let game = read_bytes(text.as_bytes(), Format::DhtmlXq).remove(0).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((game.moves().count(), game.nodes().count()), (plies, nodes));
    }
}

/// Words of comments none of which has an end: looking for it behind each of them would take hours.
#[test]
fn a_hundred_thousand_comments_without_an_end_are_read() {
    let count = 100_000;
    let open = |read: &Result<Game, games::GameError>| matches!(read, Err(error) if matches!(error.problem, Problem::OpenComment));
    // Inside a line a block does not begin: it is the value of the word before.
    let inside = format!("FORMAT WXF\n{}", "EVENT a COMMENT{ x\n".repeat(count));
    let read = read_bytes(inside.as_bytes(), Format::Wxf);
    assert_eq!(read.len(), 1);
    let error = read[0].as_ref().expect_err("cut off");
    assert!(matches!(error.problem, Problem::Truncated(_)), "{error}");
    let one_head =
        format!("FORMAT WXF\nRED a\n{}START{{\n1. C2=5\n}}END\n", " REMARK{ x COMMENT{ y\n".repeat(count));
    let heads = "FORMAT WXF\nCOMMENT{ x\nRED a\n\n".repeat(count);
    let games = "FORMAT WXF\nREMARK{ x\nSTART{\n1. C2=5\n".repeat(count);
    for (text, number) in [(one_head, 1), (heads, count), (games, count)] {
        let read = read_bytes(text.as_bytes(), Format::Wxf);
        assert_eq!(read.len(), number, "{text:.40}");
        assert!(read.iter().all(open), "{text:.40}");
    }
}
