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
