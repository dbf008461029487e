//! Which format a file is in, where its texts speak of others.

use std::io::Cursor;

use tools::games::{self, Format, Game, ReadOptions};

use super::{data, moves, read_bytes, written};

/// The games of a file of this extension.
fn named(text: &[u8], extension: Option<Format>) -> Vec<Game> {
    let games = games::read(Cursor::new(text.to_vec()), None, extension, ReadOptions::default());
    games.map(|read| read.unwrap_or_else(|e| panic!("{e}"))).collect()
}

fn counts(games: &[Game]) -> Vec<usize> {
    games.iter().map(|game| game.moves().count()).collect()
}

#[test]
fn pgn_may_speak_of_other_formats() {
    let head = "[Red \"b\"]\n\n1. H2+3 {copied from [DhtmlXQ] ... [/DhtmlXQ] text} *\n\n";
    for mark in ["[DhtmlXQ]", "[game]", "START{ x", "\nSTART{ x", "<ChineseChessRecord>"] {
        let in_comment = format!("[Red \"a\"]\n\n{{see {mark}}} 1. C2=5 H8+7 *\n\n{head}");
        let in_tag = format!("[Red \"see {}\"]\n\n1. C2=5 H8+7 *\n\n{head}", mark.trim());
        let without_tags = format!("{{see {mark}}} 1. C2=5 H8+7 *\n\n{head}");
        for text in [in_comment, in_tag] {
            for extension in [Some(Format::Pgn), None] {
                assert_eq!(counts(&named(text.as_bytes(), extension)), [2, 1], "{mark} {extension:?}");
            }
        }
        // Comments before the first tag belong to no game; without tags the moves are one.
        assert_eq!(counts(&named(without_tags.as_bytes(), Some(Format::Pgn))), [2, 1], "{mark}");
    }
    let wxf = std::fs::read(data("g02-wxf.pgn")).expect("test data");
    assert_eq!(named(&[head.as_bytes(), &wxf].concat(), Some(Format::Pgn)).len(), 2);
}

#[test]
fn texts_that_begin_like_other_formats() {
    for begin in ["XQ 7 is a program.\n", "XQ\n", "CCBridge wrote this.\n", "{\"quoted\" words}\n"] {
        let text = format!("{begin}[Red \"a\"]\n\n1. C2=5 H8+7 *\n");
        let games =
            games::read(Cursor::new(text.into_bytes()), None, Some(Format::Pgn), ReadOptions::default());
        // Prose before the first tag is damage of its own.
        let last = games.last().expect("a game").unwrap_or_else(|e| panic!("{begin}: {e}"));
        assert_eq!(moves(&last), ["h2e2", "h9g7"], "{begin}");
    }
    // What can be nothing else is read whatever it is called.
    let game = read_bytes(b"1. C2=5 H8+7 *", Format::Pgn).remove(0).expect("a game");
    for (format, ..) in Format::ALL.into_iter().filter(|(format, ..)| !format.is_read_only()) {
        let bytes = written(&game, format, games::WriteOptions::default());
        assert_eq!(counts(&named(&bytes, Some(Format::Pgn))), [2], "{format}");
    }
}

#[test]
fn a_named_format_is_obeyed() {
    let wxf = "FORMAT WXF\nRED [DhtmlXQ] x [/DhtmlXQ]\nBLACK [game] y [/game]\nCOMMENT{\n[DhtmlXQ] [game]\n}END\n\
               START{\n1. C2=5 H8+7\n}END\n";
    for format in [Some(Format::Wxf), None] {
        let games = games::read(Cursor::new(wxf), format, None, ReadOptions::default());
        let games: Vec<Game> = games.map(|read| read.expect("a game")).collect();
        assert_eq!(counts(&games), [2], "{format:?}");
        assert_eq!(games[0].tag("Red"), Some("[DhtmlXQ] x [/DhtmlXQ]"), "{format:?}");
        assert_eq!(moves(&games[0]), ["h2e2", "h9g7"], "{format:?}");
    }
}

#[test]
fn lists_may_begin_with_remarks() {
    let list = "; remark\n# another\n3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e0e1\n";
    for format in [Some(Format::Fen), None] {
        let games = games::read(Cursor::new(list), format, None, ReadOptions::default());
        let games: Vec<Game> = games.map(|read| read.expect("a position")).collect();
        assert_eq!(counts(&games), [1], "{format:?}");
    }
}

#[test]
fn a_named_notation_decides_where_others_read_the_moves_too() {
    // `C8b6` is the cannon on the eighth rank, counted from 1, or by coordinates the horse on c8.
    let game = |mv: &str| {
        let fen = "3a1a3/2N2c3/bC3k2b/9/2P6/6B2/9/1Cn1Kc3/1Rr1AR3/1p3AB2 w - - 0 1";
        let line = format!("{{\"fen\":\"{fen}\",\"moves\":[\"{mv}\"],\"result\":\"*\",\"tags\":{{}}}}\n");
        read_bytes(line.as_bytes(), Format::Json).remove(0).expect("a game")
    };
    let names = ["algebraic", "algebraic0", "coordinate", "coordinate1", "iccs", "wxf", "chinese"];
    for mv in ["b7b5", "b2b5", "b7b6", "c8b6", "e1d2", "b1a1"] {
        for (format, name) in [Format::Pgn, Format::Wxf, Format::GameBox]
            .into_iter()
            .flat_map(|format| names.map(|name| (format, name)))
        {
            let notation = Some(name.parse().expect("a notation"));
            let bytes = written(&game(mv), format, games::WriteOptions { notation, ..Default::default() });
            let read = read_bytes(&bytes, format).remove(0).expect("a game");
            assert_eq!(moves(&read), [mv], "{format} {name}");
        }
    }
    // The name is wrong: the moves have the last word.
    let text = b"[Format \"algebraic\"]\n\n1. h2e2 h9g7 *\n";
    assert_eq!(moves(&read_bytes(text, Format::Pgn).remove(0).expect("a game")), ["h2e2", "h9g7"]);
}

/// Whatever marks of check, mate and worth people write behind a move, and however far behind it.
#[test]
fn marks_behind_moves_are_passed_over() {
    let texts = [
        "1. C2=5+ H8+7++ 2. H2+3#! *",
        "1. C2=5 + H8+7 ++ 2. H2+3 # ! *",
        "1. 炮二平五+ 馬8進7＋＋ 2. 傌二進三#！ *",
        "1. 炮二平五+馬8進7++傌二進三#! *",
        "1. P2-5+ M8.7++ 2. M2.3#! *",
        "1. Pháo 2 bình 5+ Mã 8 tiến 7 ++ 2. Mã 2 tiến 3#! *",
        "1. h2e2+ h9g7++ 2. h0g2#! *",
        "1. H2-E2+ H9-G7++ 2. H0-G2!# *",
        "1. Che3+ Hg8++ 2. Hg3#! *",
        "1. Ｃ２＝５＋ Ｈ８＋７＋＋ 2. Ｈ２＋３＃！ *",
    ];
    for text in texts {
        let game =
            read_bytes(text.as_bytes(), Format::Pgn).remove(0).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(moves(&game), ["h2e2", "h9g7", "h0g2"], "{text}");
        let nags: Vec<&[u8]> = game.main_line().map(|id| game.nags(id)).collect();
        assert_eq!(nags, [&[][..], &[], &[1]], "{text}");
        assert_eq!(game.warnings, [], "{text}");
    }
    let wxf = "FORMAT WXF\nSTART{\n1. C2=5+ H8+7++\n2. H2+3#\n}END\n";
    assert_eq!(moves(&read_bytes(wxf.as_bytes(), Format::Wxf).remove(0).expect("a game")).len(), 3);
    let json = b"{\"moves\":[\"h2e2+\",\"h9g7#\"]}";
    assert_eq!(moves(&read_bytes(json, Format::Json).remove(0).expect("a game")), ["h2e2", "h9g7"]);
    // Marks that are no glyph are told, wherever they stand.
    for (text, column) in [("1. h2e2??? h9g7 *", 4), ("1. h2e2 ??? h9g7 *", 9)] {
        let game = read_bytes(text.as_bytes(), Format::Pgn).remove(0).expect("a game");
        let told: Vec<String> = game.warnings.iter().map(ToString::to_string).collect();
        let wanted = format!(
            "game 1, line 1, column {column}: the glyph `???` is left out: there are !, ?, !!, ??, !? and ?!"
        );
        assert_eq!(told, [wanted]);
    }
    let game = read_bytes(b"1. h2e2 $256 h9g7 $255 *", Format::Pgn).remove(0).expect("a game");
    let told: Vec<String> = game.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["game 1, line 1, column 9: the glyph `$256` is left out: their numbers end with $255"]);
}

/// Nothing names the notation: it is the one in which the moves make a game, to the last of them.
#[test]
fn the_whole_game_tells_its_notation() {
    let game = |fen: &str, text: &str| {
        let pgn = format!("[FEN \"{fen}\"]\n\n{text} *\n");
        read_bytes(pgn.as_bytes(), Format::Pgn).remove(0).unwrap_or_else(|e| panic!("{text}: {e}"))
    };
    // By hand: the cannons on b8 (counted from 1) and b3, the horse on c8 (counted from 0).
    let fen = "3a1a3/2N2c3/bC3k2b/9/2P6/6B2/9/1Cn1Kc3/1Rr1AR3/1p3AB2 w - - 0 1";
    for (text, wanted) in [
        ("1. C8b6", "b7b5"),
        ("1. c8b6", "c8b6"),
        ("1. C8B6", "c8b6"),
        ("1. C8-B6", "c8b6"),
        // The second move is of one notation only.
        ("1. C8b6 Ce9", "b7b5 f8e8"),
        ("1. C8b6 f8e8", "c8b6 f8e8"),
        ("1. C8b6 F8E8", "c8b6 f8e8"),
    ] {
        assert_eq!(moves(&game(fen, text)).join(" "), wanted, "{text}");
    }
    // There is no cannon: the move can only be the horse's.
    let horse = "3k5/2N6/9/9/9/9/9/9/9/4K4 w - - 0 1";
    assert_eq!(moves(&game(horse, "1. C8b6")), ["c8b6"]);
    // WXF and the Vietnamese letters share these forms; from the start only one of them makes moves of them.
    let start = movegen::Position::startpos().fen();
    assert_eq!(moves(&game(&start, "1. P2-5 P8-5")), ["h2e2", "h7e7"]);
    assert_eq!(moves(&game(&start, "1. B5.1 B5.1")), ["e3e4", "e6e5"]);
    // Both would do, in different ways.
    let either = "[FEN \"3k5/9/7P1/9/9/9/9/7C1/9/4K4 w\"]\n\n1. P2.1 *\n";
    let error = read_bytes(either.as_bytes(), Format::Pgn).remove(0).expect_err("two readings");
    assert!(error.to_string().contains("--read-notation"), "{error}");
}

/// The notation is the one in which the moves make a game to the last of them.
#[test]
fn moves_are_of_the_notation_that_makes_a_game_of_them() {
    let read = |pgn: &str, format| read_bytes(pgn.as_bytes(), format).remove(0);
    // Vietnamese letters with a WXF form, which would be WXF if the cannon and the advisors moved so.
    let fen = "1N1k5/1P2a4/P8/1P7/PN4b2/4p3p/9/5K3/4p3p/3AnAB1p b - - 0 1";
    let letters = "1... 39=8 2. S4.5 S5.6 3. 28=9";
    let due = ["i4h4", "f0e1", "e8f7", "b6a6"];
    for head in ["", "[Format \"wxf\"]\n", "[Format \"iccs\"]\n", "[Format \"vietnamese\"]\n"] {
        let game = read(&format!("{head}[FEN \"{fen}\"]\n\n{letters} *\n"), Format::Pgn);
        assert_eq!(moves(&game.unwrap_or_else(|e| panic!("{head}: {e}"))), due, "{head}");
    }
    for format in ["FORMAT WXF\n", ""] {
        let game = read(&format!("{format}FEN {fen}\nSTART{{\n{letters}\n}}END\n"), Format::Wxf);
        assert_eq!(moves(&game.unwrap_or_else(|e| panic!("{format}: {e}"))), due, "{format}");
    }
    // Coordinates without a rank 0 or 10: the red cannon stands on h2, or on h3 counted from 1.
    assert_eq!(
        moves(&read("1. h2e2 h7e7 2. e2e6 *", Format::Pgn).expect("a game")),
        ["h2e2", "h7e7", "e2e6"]
    );
    for head in ["", "[Event \"a\"]\n\n"] {
        let game = read(&format!("{head}1. h3e3 h8e8 2. e3e7 *"), Format::Pgn).expect("a game");
        assert_eq!(moves(&game), ["h2e2", "h7e7", "e2e6"]);
    }
    // A move that no notation has is told as before.
    for (pgn, number) in [("1. C2=5 H8+7 2. C5+9 *", 3), ("1. h2e2 h7e7 2. e2e9 *", 3)] {
        let error = read(pgn, Format::Pgn).expect_err("no such move");
        let told = error.to_string();
        assert!(told.contains(&format!("move {number}: ")), "{told}");
    }
}
