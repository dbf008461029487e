//! What a format cannot hold is told: what, and where.

use tools::games::{self, Format, Game, WriteError, WriteOptions, output_encoding};

use super::{read_bytes, rich, written};

fn losses(game: &Game, format: Format) -> Vec<String> {
    let mut bytes = Vec::new();
    let losses = games::write_game(game, format, WriteOptions::default(), &mut bytes).expect("memory");
    losses.iter().map(ToString::to_string).collect()
}

#[test]
fn every_loss_of_every_format_is_told() {
    let game = rich();
    assert!(losses(&game, Format::Pgn).is_empty());
    let glyphs = "2 glyphs left out (the first at move 1)";
    // In the formats with variations their glyph is lost as well.
    let all_glyphs = "3 glyphs left out (the first at move 1)";
    let variations = "7 moves of variations left out";
    let comments = "2 comments left out (the first at move 1)";
    assert_eq!(losses(&game, Format::Wxf), [variations, comments, glyphs]);
    assert_eq!(losses(&game, Format::GameBox), [variations, comments, glyphs]);
    assert_eq!(losses(&game, Format::DhtmlXq), [all_glyphs, "tag ECCO left out"]);
    assert_eq!(losses(&game, Format::Xqf), [all_glyphs, "tag ECCO left out"]);
    assert_eq!(losses(&game, Format::Cbr), [all_glyphs, "tag ECCO left out"]);
    assert_eq!(
        losses(&game, Format::Json),
        [variations, "3 comments left out (the first before move 1)", glyphs]
    );
    assert_eq!(
        losses(&game, Format::Fen),
        [variations, comments, glyphs, "tags Event, Red, Black, ECCO left out", "the result left out"]
    );
}

fn tagged(head: &str) -> Game {
    read_bytes(format!("{head}\n\n*\n").as_bytes(), Format::Pgn).remove(0).expect("a game")
}

#[test]
fn tags_are_cut_where_the_field_ends() {
    // Fifteen bytes of GB18030 are seven characters; two bytes each, and four for each letter with two marks.
    let game =
        tagged("[Red \"一二三四五六七八九十\"]\n[Black \"exactly fifteen\"]\n[Site \"Hà Nội, Việt Nam\"]");
    assert_eq!(losses(&game, Format::Xqf)[..1], ["tag Red cut to `一二三四五六七`"]);
    assert_eq!(losses(&game, Format::Xqf).len(), 2);
    let back = read_bytes(&written(&game, Format::Xqf, WriteOptions::default()), Format::Xqf).remove(0);
    let back = back.expect("a game");
    assert_eq!(back.tag("Red"), Some("一二三四五六七"));
    assert_eq!(back.tag("Black"), Some("exactly fifteen"));
    assert!(game.tag("Site").is_some_and(|whole| whole.starts_with(back.tag("Site").unwrap_or("?"))));
    // 31 units of UTF-16 and a zero; a character of two units is not torn.
    let name = format!("{}\u{20000}", "a".repeat(30));
    let game = tagged(&format!("[Red \"{name}\"]\n[Black \"{}\"]", "b".repeat(31)));
    assert_eq!(losses(&game, Format::Cbr), [format!("tag Red cut to `{}`", "a".repeat(30))]);
    let back = read_bytes(&written(&game, Format::Cbr, WriteOptions::default()), Format::Cbr).remove(0);
    assert_eq!(back.expect("a game").tag("Red"), Some(&name[..30]));
}

/// What texts cannot hold in a tag becomes blanks, and is told.
#[test]
fn breaks_and_control_characters_of_tags_are_told() {
    let json = |value: &str| {
        let line = format!("{{\"moves\":[\"h2e2\"],\"tags\":{{\"Event\":\"{value}\"}}}}");
        read_bytes(line.as_bytes(), Format::Json).remove(0).expect("a game")
    };
    let (breaks, controls) =
        ("line breaks of tags written as blanks", "control characters written as blanks");
    for (value, due) in [
        ("a b\u{a0}c", vec![]),
        (r"a\nb", vec![breaks]),
        (r"a\r\nb", vec![breaks]),
        (r"a\tb", vec![controls]),
        (r"a\u001bb\u0000c\nd\u0085e", vec![breaks, controls]),
    ] {
        let game = json(value);
        for format in [Format::Pgn, Format::Wxf, Format::GameBox] {
            // PGN alone has no control characters at all.
            let is_due = |loss: &&str| format == Format::Pgn || *loss == breaks;
            let due: Vec<&str> = due.iter().copied().filter(is_due).collect();
            assert_eq!(losses(&game, format), due, "{format} {value}");
            let bytes = written(&game, format, WriteOptions::default());
            let back = read_bytes(&bytes, format).remove(0).expect("a game");
            let is_blank = |c: char| if format == Format::Pgn { c.is_control() } else { "\r\n".contains(c) };
            let blanks = game.tag("Event").map(|whole| whole.replace(is_blank, " "));
            assert_eq!(back.tag("Event"), blanks.as_deref(), "{format} {value}");
        }
        for format in [Format::DhtmlXq, Format::Json] {
            assert!(losses(&game, format).is_empty(), "{format} {value}");
        }
    }
    let mut game = json("");
    game.add_comment(games::NodeId::ROOT, "a\u{1b}b\tc");
    assert_eq!(losses(&game, Format::Fen)[0], controls);
    let list = String::from_utf8(written(&game, Format::Fen, WriteOptions::default())).expect("UTF-8");
    assert!(list.ends_with(" ; a\u{1b}b c\n"), "{list}");
}

#[test]
fn tags_of_every_name_are_kept_or_told() {
    let game = tagged("[RedTeam \"A\"]\n[WhiteElo \"1\"]\n[X1 \"2\"]\n[Result2 \"3\"]");
    assert_eq!(losses(&game, Format::Wxf), ["tags X1, Result2 left out"]);
    let renamed = tagged("[redteam \"A\"]\n[BestGame \"yes\"]\n[Title \"a {b}\"]\n[Place \"c\"]");
    assert_eq!(
        losses(&renamed, Format::Wxf),
        [
            "braces written as parentheses",
            "tags redteam as RedTeam, BestGame as Bestgame, Place as Site written in capitals"
        ]
    );
    let back = read_bytes(&written(&game, Format::Wxf, WriteOptions::default()), Format::Wxf).remove(0);
    let back = back.expect("a game");
    assert_eq!((back.tag("RedTeam"), back.tag("WhiteElo")), (Some("A"), Some("1")));
    assert_eq!(losses(&game, Format::DhtmlXq), ["tags WhiteElo, X1, Result2 left out"]);
}

#[test]
fn positions_and_braces() {
    let game = tagged("[FEN \"3k5/9/9/9/9/9/9/9/9/4K4 b - - 5 9\"]");
    assert_eq!(
        losses(&game, Format::DhtmlXq),
        [
            "the move counters of the start position left out",
            "that Black is to move, which only a move could show"
        ]
    );
    assert_eq!(losses(&game, Format::Xqf), ["the move counters of the start position left out"]);
    assert!(losses(&game, Format::Fen).is_empty());
    let braces = "{\"moves\":[\"h2e2\"],\"tags\":{}}";
    let mut game = read_bytes(braces.as_bytes(), Format::Json).remove(0).expect("a game");
    game.add_comment(games::NodeId::ROOT, "a {b}");
    assert_eq!(losses(&game, Format::Pgn), ["braces written as parentheses"]);
}

/// What a PGN file has is in the PGN file that is made of it.
#[test]
fn comments_and_tags_of_pgn_are_kept() {
    let long = "word ".repeat(60);
    let text = format!(
        "[Game \"Hinh 1\"]\n\n{{first\n\nsecond line}} 1. h2e2 {{{}}} h9g7 {{a\n[%eval 0.1]\n  b}} *\n",
        long.trim()
    );
    let game = read_bytes(text.as_bytes(), Format::Pgn).remove(0).expect("a game");
    assert!(losses(&game, Format::Pgn).is_empty());
    let bytes = written(&game, Format::Pgn, WriteOptions::default());
    let back = read_bytes(&bytes, Format::Pgn).remove(0).expect("a game");
    assert_eq!(back.tags()[0], ("Game".to_owned(), "Hinh 1".to_owned()));
    assert_eq!(back.comment(games::NodeId::ROOT), "first\n\nsecond line");
    let comments: Vec<&str> = back.main_line().map(|id| back.comment(id)).collect();
    assert_eq!(comments, [long.trim(), "a\n[%eval 0.1]\nb"]);
    assert_eq!(losses(&game, Format::Fen)[0], "line breaks of comments written as blanks");
    // A game must not begin in a comment.
    let mut game = read_bytes(b"1. h2e2 *", Format::Pgn).remove(0).expect("a game");
    game.add_comment(games::NodeId::ROOT, "see\n\n[Event \"x\"]\n");
    assert_eq!(losses(&game, Format::Pgn), ["line breaks of comments written as blanks"]);
    let read = read_bytes(&written(&game, Format::Pgn, WriteOptions::default()), Format::Pgn);
    assert_eq!(read.len(), 1);
}

#[test]
fn comments_before_variations_stay_there() {
    let text = "1. h2e2 ({instead} {this} 1. b2e2 {after} (1. g3g4 {x}) 1... h9g7) h9g7 *\n";
    let game = read_bytes(text.as_bytes(), Format::Pgn).remove(0).expect("a game");
    let bytes = written(&game, Format::Pgn, WriteOptions::default());
    let again = String::from_utf8(bytes).expect("UTF-8");
    assert!(again.contains("({instead this} 1. b2e2 {after}"), "{again}");
    assert!(losses(&game, Format::Pgn).is_empty());
    for format in [Format::Xqf, Format::Cbr, Format::DhtmlXq] {
        assert_eq!(
            losses(&game, format),
            ["1 comment before the first move of a variation written after it"],
            "{format}"
        );
    }
}

#[test]
fn no_tag_is_invented() {
    let game = tagged("[Event \"Cup\"]");
    for format in [Format::Xqf, Format::Cbr] {
        let back = read_bytes(&written(&game, format, WriteOptions::default()), format).remove(0);
        let back = back.expect("a game");
        assert_eq!((back.tag("Event"), back.tag("Title")), (Some("Cup"), None), "{format}");
    }
}

#[test]
fn characters_that_an_encoding_lacks_are_refused() {
    let game = rich();
    for (notation, encoding, lacking) in
        [("simplified-fullwidth", "big5", 'ử'), ("coordinate", "big5", 'ử'), ("coordinate", "gbk", 'ử')]
    {
        let options =
            WriteOptions { notation: notation.parse().ok(), encoding: output_encoding(encoding).ok() };
        let mut bytes = Vec::new();
        let error = games::write_game(&game, Format::Pgn, options, &mut bytes).expect_err("refused");
        assert!(bytes.is_empty());
        assert!(matches!(error, WriteError::Character { character, .. } if character == lacking), "{error}");
    }
    let plain = read_bytes(b"1. h2e2 h9g7 *", Format::Pgn).remove(0).expect("a game");
    let options = WriteOptions {
        notation: "simplified-fullwidth".parse().ok(),
        encoding: output_encoding("big5").ok(),
    };
    let error = games::write_game(&plain, Format::Pgn, options, &mut Vec::new()).expect_err("refused");
    assert_eq!(error.to_string(), "Big5 has no character `马` (U+9A6C); choose another encoding or notation");
}

#[test]
fn options_without_meaning_are_refused() {
    let game = rich();
    let refused = |format, notation: Option<&str>, encoding: Option<&str>| {
        let options = WriteOptions {
            notation: notation.and_then(|name| name.parse().ok()),
            encoding: encoding.and_then(|name| output_encoding(name).ok()),
        };
        games::write_game(&game, format, options, &mut Vec::new()).err().map(|error| error.to_string())
    };
    for format in [Format::Xqf, Format::Cbr, Format::DhtmlXq, Format::Fen, Format::Json] {
        assert!(refused(format, Some("wxf"), None).is_some_and(|text| text.contains("notation")), "{format}");
    }
    for (format, encoding) in
        [(Format::Xqf, "big5"), (Format::Cbr, "gbk"), (Format::Json, "gbk"), (Format::Xqf, "utf-8")]
    {
        let text = refused(format, None, Some(encoding)).expect("refused");
        assert!(text.contains("has no meaning there"), "{format}: {text}");
    }
    assert_eq!(refused(Format::Xqf, None, Some("gb18030")), None);
    assert_eq!(refused(Format::Json, None, Some("utf-8")), None);
    // XQF in GBK, for old programs: it lacks Vietnamese letters.
    assert!(refused(Format::Xqf, None, Some("gbk")).is_some_and(|text| text.contains("`ử`")));
    for name in ["latin1", "utf-16le", "nonsense", ""] {
        let error = output_encoding(name).expect_err("no encoding of games");
        assert!(error.to_string().contains("utf-8, gbk, gb18030, big5"), "{error}");
    }
    for (name, known) in
        [("GBK", "GBK"), ("gb2312", "GBK"), ("cp936", "GBK"), ("CP950", "Big5"), ("utf8", "UTF-8")]
    {
        assert_eq!(output_encoding(name).map(encoding_rs::Encoding::name), Ok(known));
    }
}

#[test]
fn the_fields_of_cbr_are_written_and_read() {
    let names = [
        "Title",
        "Event",
        "Round",
        "Group",
        "Board",
        "Date",
        "Site",
        "TimeControl",
        "Red",
        "RedTeam",
        "RedElo",
        "Black",
        "BlackTeam",
        "BlackElo",
        "Annotator",
    ];
    let head: Vec<String> = names.iter().map(|name| format!("[{name} \"象 {name}\"]")).collect();
    let game = tagged(&head.join("\n"));
    assert_eq!(losses(&game, Format::Cbr), [""; 0]);
    let bytes = written(&game, Format::Cbr, WriteOptions::default());
    let back = read_bytes(&bytes, Format::Cbr).remove(0).expect("a game");
    assert_eq!(back.tags(), game.tags());
    assert_eq!(
        losses(&tagged("[ECCO \"C00\"]\n[WhiteElo \"1\"]"), Format::Cbr),
        ["tags ECCO, WhiteElo left out"]
    );
    assert_eq!(losses(&tagged(&format!("[Group \"{}\"]", "g".repeat(16))), Format::Cbr).len(), 1);
}

/// Programs disagree about where the side to move stands; a first move leaves no doubt.
/// A reader of CBR that asks the record of the start for nothing but a comment (cchess 1.25.5) finds none.
#[test]
fn a_cbr_file_without_moves_has_a_plain_start() {
    let mut game = read_bytes(b"[Red \"A\"]\n\n*\n", Format::Pgn).remove(0).expect("a game");
    let bytes = written(&game, Format::Cbr, WriteOptions::default());
    assert_eq!(bytes[2214..], [0; 8]);
    game.add_comment(games::NodeId::ROOT, "so");
    for game in [&game, &read_bytes(b"*", Format::Pgn).remove(0).unwrap_or_else(|_| game.clone())] {
        let bytes = written(game, Format::Cbr, WriteOptions::default());
        let back = read_bytes(&bytes, Format::Cbr).remove(0).expect("a game");
        assert_eq!(
            (back.moves().count(), back.comment(games::NodeId::ROOT)),
            (0, game.comment(games::NodeId::ROOT))
        );
    }
}

#[test]
fn the_side_to_move_of_cbr_is_found() {
    let start = "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b\"]";
    let write = |moves: &str| {
        let game =
            read_bytes(format!("{start}\n\n{moves}*\n").as_bytes(), Format::Pgn).remove(0).expect("a game");
        written(&game, Format::Cbr, WriteOptions::default())
    };
    let is_black = |bytes: &[u8]| {
        let game = read_bytes(bytes, Format::Cbr).remove(0).expect("a game");
        game.start().side_to_move() == movegen::Color::Black
    };
    let bare = write("");
    assert!(is_black(&bare));
    for (at, value, black) in [(2112, 0, true), (2116, 1, true), (2112, 1, false)] {
        let mut bytes = bare.clone();
        bytes[at] = value;
        assert_eq!(is_black(&bytes), black, "{at}");
    }
    let mut moved = write("1... h9g7 ");
    (moved[2112], moved[2116]) = (1, 1);
    assert!(is_black(&moved));
}
