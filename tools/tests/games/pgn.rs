//! What stands where in PGN: tags, comments and games that no other may hide.

use std::fmt::Write as _;
use std::io::Cursor;

use tools::games::{self, Doubt, Format, Game, GameError, NodeId, Place, Problem, ReadOptions, WriteOptions};

use super::{moves, read_bytes, tree, written};

type Read = Vec<Result<Game, GameError>>;

/// As PGN, in a file with the extension of PGN, and as a text of unknown content.
fn every_way(bytes: &[u8]) -> [Read; 3] {
    let read = |named, likely| {
        games::read(Cursor::new(bytes.to_vec()), named, likely, ReadOptions::default()).collect()
    };
    [read(Some(Format::Pgn), None), read(None, Some(Format::Pgn)), read(None, None)]
}

/// A game a line, with what it is called and its moves; after `!` the one that is damaged.
fn summary(read: &[Result<Game, GameError>]) -> String {
    let mut lines = String::new();
    for read in read {
        let (mark, game) = match read {
            Ok(game) => ("", Some(game)),
            Err(error) => ("!", error.partial.as_deref()),
        };
        let event = game.and_then(|game| game.tag("Event")).unwrap_or("-");
        let moves = game.map_or_else(Vec::new, moves);
        writeln!(lines, "{mark}{event} {}", moves.join(" ")).expect("memory");
    }
    lines
}

fn check(cases: &[(&[u8], &str)]) {
    for (text, due) in cases {
        for read in every_way(text) {
            assert_eq!(summary(&read), *due, "{}\n{read:?}", String::from_utf8_lossy(text));
        }
    }
}

/// A line of PGN that begins with a brace is a comment, whatever follows the brace.
#[test]
fn comments_are_no_records() {
    check(&[
        (
            b"[Event \"x\"]\n[Red \"r\"]\n[Result \"1-0\"]\n\n{\"source\": \"dpxq\"} 1. h2e2 h9g7 2. h0g2 1-0\n",
            "x h2e2 h9g7 h0g2\n",
        ),
        (b"1. h2e2\n{\"eval\": 0.3} h9g7\n{\"eval\": 0.1} *", "- h2e2 h9g7\n"),
        (b"1. h2e2 h9g7\n{\"moves\":[\"a3a4\"]}\n", "- h2e2 h9g7\n"),
        (b"[Event \"x\"]\n\n1. h2e2\n\n{\"moves\":[\"a3a4\"]}\nh9g7 *\n", "x h2e2 h9g7\n"),
        (b"[Event \"x\"]\n\n1. h2e2 (1. b2e2 1-0\n{\"moves\":[\"a3a4\"]}) h9g7 *\n", "x h2e2 h9g7\n"),
        // Of the game, still, behind the result.
        (b"[Event \"x\"]\n\n1. h2e2 1-0\n{\"source\": \"dpxq\"}\n", "x h2e2\n"),
        (b"{\"source\": \"dpxq\"}\n[Event \"x\"]\n\n1. h2e2 *\n", "x h2e2\n"),
    ]);
    // A record of a game behind a whole one is read.
    let text = b"[Event \"x\"]\n\n1. h2e2 1-0 {good}\n{\"moves\":[\"b2e2\"],\"tags\":{\"Event\":\"y\"}}\n";
    let read = games::read(Cursor::new(text.to_vec()), None, None, ReadOptions::default());
    assert_eq!(summary(&read.collect::<Read>()), "x h2e2\ny b2e2\n");
}

/// Comments that begin as another format does, at the beginnings of lines, too.
#[test]
fn comments_read_back_whatever_they_begin_with() {
    for said in [
        "\"moves\":[\"b2e2\"]",
        "\"fen\": 5",
        "[DhtmlXQ]",
        "[game]",
        "FORMAT WXF",
        "<?xml version=\"1.0\"?>",
        "START{",
        "RED wins",
        "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "1. h2e2 h9g7",
    ] {
        // Of many lengths, so that one of them begins a line.
        for length in 0..120 {
            let mut game = read_bytes(b"[Event \"x\"]\n\n1. h2e2 h9g7 2. h0g2 *", Format::Pgn)
                .remove(0)
                .expect("a game");
            let nodes: Vec<NodeId> = game.main_line().collect();
            game.set_comment(nodes[0], &"x".repeat(length));
            for id in [NodeId::ROOT, nodes[1], nodes[2]] {
                game.set_comment(id, said);
            }
            let pgn = written(&game, Format::Pgn, WriteOptions::default());
            let told = || String::from_utf8_lossy(&pgn).into_owned();
            let due = String::from_utf8(pgn.clone()).expect("text");
            for read in every_way(&pgn) {
                assert_eq!(read.len(), 1, "{}", told());
                let back = read[0].as_ref().unwrap_or_else(|error| panic!("{error}\n{}", told()));
                let xqf = written(back, Format::Xqf, WriteOptions::default());
                let back = read_bytes(&xqf, Format::Xqf).remove(0).expect("a game");
                if !said.contains('{') {
                    assert_eq!(tree(&back), tree(&game), "{due}");
                }
                assert_eq!(moves(&back), moves(&game), "{due}");
            }
        }
    }
}

/// A well-formed tag ends where it ends, whatever follows.
#[test]
fn tags_swallow_nothing() {
    check(&[
        (b"[Event \"x\"] 1. h2e2 {cf. [Event \"y\"] [Red \"b\"]} 1-0", "x h2e2\n"),
        (b"[Event \"x\"] 1. h2e2 {cf. [Site \"q\"]\n} *", "x h2e2\n"),
        (b"[Event \"x\"] 1. h2e2 ; as in [Site \"y\"]\n1... h9g7 *", "x h2e2 h9g7\n"),
        (b"[Event \"a\"][Date \"]x\"]\n\n1. h2e2 *\n", "a h2e2\n"),
        // Games that begin behind the result of the one before.
        (
            b"[Event \"x\"] [Red \"r\"] 1. h2e2 h9g7 * [Event \"y\"] [Red \"b\"] 1. b2e2 *\n",
            "x h2e2 h9g7\ny b2e2\n",
        ),
        (
            b"[Event \"x\"]\n\n1. h2e2 1-0 {a {b} [Event \"y\"]\n[Red \"b\"]\n\n1. b2e2 {c} 0-1 [Event \"z {\"]\n\n1. b2e2 *\n",
            "x h2e2\ny b2e2\nz { b2e2\n",
        ),
        (b"[Event \"x\"] 1. h2e2 * ; as in [Event \"y\"]\n", "x h2e2\n"),
        (b"[Event \"x\"] 1. h2e2 *\n[Red x y\n", "!x h2e2\n"),
        // Without a result it is told.
        (b"[Event \"x\"] 1. h2e2 [Event \"y\"] 1. b2e2 *\n", "!x h2e2\n"),
        // Without its own end it takes none of another.
        (b"[Event \"x] 1. h2e2 {cf. [Site \"q\"]} *\n", "!- \n"),
    ]);
    let read =
        read_bytes(b"[Event \"a\"][Date \"]x\"]\n\n1. h2e2 *\n", Format::Pgn).remove(0).expect("a game");
    assert_eq!((read.tag("Event"), read.tag("Date")), (Some("a"), Some("]x")));
}

/// Looking at the rest of the line from each would take hours. Places are those of the file.
#[test]
fn many_games_share_a_line() {
    let line =
        "[Event \"红\"] 1. h2e2 * ".repeat(100_000) + "[Event \"x\"] 1. h2h8 *" + &" ".repeat(100_000) + "\n";
    let mut read = read_bytes(line.as_bytes(), Format::Pgn);
    assert_eq!(read.len(), 100_001);
    let error = read.pop().expect("the last").expect_err("no move");
    assert_eq!(error.place, Place::Line { line: 1, column: 22 * 100_000 + 16 });
    assert!(read.iter().all(Result::is_ok));
}

/// What was seen of the end of one comment says nothing of the next.
#[test]
fn each_comment_is_looked_at_afresh() {
    let b = "[Event \"b\"]\n\n1. h2e2 *\n\n[Event \"c\"]\n\n1. h2e2 {ok} *\n";
    for (text, due) in [
        // One ends and another opens on a line.
        (
            format!("[Event \"a\"]\n\n1. h2e2 {{quote\n\n[Event \"x\"]\n\nend}} h9g7 {{lost\n\n{b}"),
            "!a h2e2 h9g7\nb h2e2\nc h2e2\n",
        ),
        // One ends before a tag that has lost its own end.
        (
            format!("[Event \"a\"]\n{{quote\n\n[Event \"x\"]\n\nend}} [Site \"y\n[Red \"r\"]\n\n1. h2e2 {{lost\n\n{b}"),
            "!a h2e2\nb h2e2\nc h2e2\n",
        ),
        // One is given up at a tag.
        (
            "[Event \"a\"]\n\n1. h2e2 {lost\n\n[Event \"b\"]\n\n1. h2e2 {quote\n\n[Event \"q\"]\n\n\
             rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\nend} *\n\n[Event \"c\"]\n\n1. h2e2 *\n"
                .to_owned(),
            "!a h2e2\nb h2e2\nc h2e2\n",
        ),
    ] {
        check(&[(text.as_bytes(), due)]);
    }
}

/// A byte that is none of UTF-8 hides no brace behind it.
#[test]
fn bad_bytes_hide_nothing() {
    let next =
        "*\n[Event \"y\"]\n[Red \"红方\"]\n1. h2e2 h9g7 *\n[Event \"z\"]\n[Red \"红方\"]\n1. h2e2 {看} *\n";
    for comment in [
        &b"\xe5\x9d\x8f\xff \xe7\x82\xae"[..],
        b"\xe5\x9d\x8f \xff",
        b"\xe5\x9d\x8f\xe7\x82",
        b"\xff\xe7\x82\xae \xe7",
    ] {
        let text = [
            "[Event \"x\"]\n[Red \"红方\"]\n1. h2e2 {".as_bytes(),
            comment,
            "} h9g7 {炮} ".as_bytes(),
            next.as_bytes(),
        ];
        check(&[(&text.concat(), "x h2e2 h9g7\ny h2e2 h9g7\nz h2e2\n")]);
    }
    // Characters whose second byte is a bracket, a backslash or a brace, among others and alone: U+4E99 and so on in GBK, and
    // in Big5.
    for encoding in [encoding_rs::GBK, encoding_rs::BIG5] {
        for second in *b"[\\]{}" {
            for first in 0xa4..=0xc6 {
                let bytes = [first, second];
                let (character, is_bad) = encoding.decode_without_bom_handling(&bytes);
                if is_bad {
                    continue;
                }
                for said in
                    [character.to_string(), format!("红车{character}"), format!("{character}炮二平五")]
                {
                    let text = format!(
                        "[Event \"a\"]\n\n1. h2e2 {{{said}}} h9g7 *\n\n[Event \"{said}\"]\n\n1. h2e2 *\n"
                    );
                    let (bytes, _, lacks) = encoding.encode(&text);
                    if !lacks {
                        let read = every_way(&bytes).map(|read| read.len());
                        assert_eq!(read, [2; 3], "{} {text}", encoding.name());
                    }
                }
            }
        }
    }
}

/// What stands before the first tag is of the first game or told.
#[test]
fn what_stands_before_the_first_tag_is_kept() {
    for (before, comment) in [
        ("{preface}\n", "preface"),
        ("{preface\nof two lines}\n\n", "preface\nof two lines"),
        ("; made by foo\n", "made by foo"),
        ("% escaped\n; made by foo\n\n{and} {more}\n", "made by foo and more"),
        ("\n\n", ""),
    ] {
        let text = format!("{before}[Event \"x\"]\n\n1. h2e2 *\n");
        for read in every_way(text.as_bytes()) {
            assert_eq!(summary(&read), "x h2e2\n", "{text}");
            let game = read[0].as_ref().expect("whole");
            assert_eq!((game.comment(NodeId::ROOT), &game.warnings[..]), (comment, &[][..]), "{text}");
        }
    }
    check(&[
        (b"{lost\n\n[Event \"x\"]\n\n1. h2e2 *\n", "!- \nx h2e2\n"),
        (b"Some words.\n\n[Event \"x\"]\n\n1. h2e2 *\n", "!- \nx h2e2\n"),
    ]);
}

#[test]
fn what_is_passed_over_is_told() {
    let doubts = |text: &str| -> Vec<Doubt> {
        let game = read_bytes(text.as_bytes(), Format::Pgn)
            .remove(0)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        game.warnings.into_iter().map(|warning| warning.doubt).collect()
    };
    let repeated =
        |name: &str, value: &str| Doubt::RepeatedTag { name: name.to_owned(), value: value.to_owned() };
    let fen = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1";
    let other = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1";
    let text = format!(
        "[Event \"a\"]\n[Red \"r\"]\n[red \"s\"]\n[Red \"r\"]\n[Result \"1-0\"]\n[Result \"0-1\"]\n[FEN \"{fen}\"]\n[FEN \"{other}\"]\n\n1. e1e2 1-0\n"
    );
    assert_eq!(doubts(&text), [repeated("red", "s"), repeated("Result", "0-1"), repeated("FEN", other)]);
    let game = read_bytes(text.as_bytes(), Format::Pgn).remove(0).expect("a game");
    assert_eq!((game.tag("Red"), game.start().fen().as_str()), (Some("r"), fen));
    assert_eq!(game.outcome.to_string(), "1-0");
    assert_eq!(doubts("[Event \"a\"]\n\n1. h2e2 } h9g7 } *\n"), [Doubt::StrayBrace]);
    for read in every_way(b"1. h2e2\nRED wins\n") {
        assert!(read.iter().any(Result::is_err), "{read:?}");
        assert_eq!(
            moves(read[0].as_ref().unwrap_or_else(|error| error.partial.as_ref().expect("a move"))),
            ["h2e2"]
        );
    }
    // Comments in braces that are open at a tag still cost no more than their game.
    let read = read_bytes(
        b"[Event \"a\"]\n\n{lost\n\n[Site \"b\"]\n\n1. h2e2 *\n\n[Event \"c\"]\n\n1. h2e2 *\n",
        Format::Pgn,
    );
    assert!(matches!(read[0].as_ref().expect_err("lost").problem, Problem::OpenComment));
    assert_eq!(summary(&read[1..]), "c h2e2\n");
}
