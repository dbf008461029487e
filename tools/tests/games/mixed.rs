//! Files that mix formats, comments made of the marks of formats, and texts that hold no game.

use std::io::Cursor;

use movegen::Position;
use tools::games::{self, Format, Game, GameError, NodeId, Place, Problem, ReadOptions, WriteOptions};

use super::{moves, read_bytes, rich, written};

/// The marks of every format, as lines of their own.
const HOSTILE: [&str; 30] = [
    "FORMAT WXF",
    "START{",
    "}END",
    "COMMENT{",
    "REMARK{",
    "RED",
    "RED x",
    "FEN 4k4/9/9/9/9/9/9/9/9/4K4 w",
    "RESULT 0-1",
    "[game]",
    "[/game]",
    "[DhtmlXQ]",
    "[/DhtmlXQ]",
    "[DhtmlXQ_red]x[/DhtmlXQ_red]",
    "[Event \"x\"]",
    "{\"moves\":[]}",
    "<?xml version=\"1.0\"?>",
    "<ChineseChessRecord>",
    "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
    "{",
    "}",
    ";",
    "%",
    "(",
    ")",
    "$1",
    "*",
    "1-0",
    "a || b |",
    "&lt; & <b> &#91;",
];

fn all(bytes: &[u8], extension: Option<Format>) -> Vec<Result<Game, GameError>> {
    games::read(Cursor::new(bytes.to_vec()), None, extension, ReadOptions::default()).collect()
}

/// What the help says of comments in a format: braces become parentheses, and line breaks blanks where a tag would stand alone.
fn due(comment: &str, format: Format) -> String {
    let braces = matches!(format, Format::Pgn | Format::Wxf | Format::GameBox);
    let text = if braces { comment.replace('{', "(").replace('}', ")") } else { comment.to_owned() };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text(game: &Game, id: NodeId) -> String {
    game.comment(id).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every mark alone, and every pair of them with and without a blank line between, in the comments before and after the moves.
#[test]
fn comments_may_say_anything() {
    let mut comments: Vec<String> = HOSTILE.map(str::to_owned).to_vec();
    for first in HOSTILE {
        for second in HOSTILE {
            comments.push(format!("a\n{first}\n{second}\nb"));
            comments.push(format!("{first}\n\n{second}"));
        }
    }
    let formats = [Format::Pgn, Format::Wxf, Format::GameBox, Format::DhtmlXq, Format::Xqf, Format::Cbr];
    for comment in &comments {
        let mut game = rich();
        let last = game.main_line().last().expect("moves");
        let inner = game.main_line().nth(1).expect("moves");
        for id in [NodeId::ROOT, inner, last] {
            game.set_comment(id, comment);
        }
        for format in formats {
            let bytes = written(&game, format, WriteOptions::default()).repeat(if format.holds_many() {
                2
            } else {
                1
            });
            let sure = format.extension().parse().ok();
            for read in [read_bytes(&bytes, format), all(&bytes, sure), all(&bytes, None)] {
                let told = || format!("{format} {comment:?}\n{}", String::from_utf8_lossy(&bytes));
                assert_eq!(read.len(), if format.holds_many() { 2 } else { 1 }, "{}", told());
                for read in read {
                    let read = read.unwrap_or_else(|e| panic!("{e}\n{}", told()));
                    assert_eq!(moves(&read), moves(&game), "{}", told());
                    let end = read.main_line().last().expect("moves");
                    assert_eq!(text(&read, NodeId::ROOT), due(comment, format), "{}", told());
                    assert_eq!(text(&read, end), due(comment, format), "{}", told());
                    assert_eq!(read.tag("Red"), Some("紅方"), "{}", told());
                }
            }
        }
    }
}

/// Tags in a comment before the moves begin no game, the game's own first tag among them.
#[test]
fn comments_of_pgn_files_may_hold_tags() {
    let pgn = "[Event \"e\"]\n\n{a\n[Event \"e\"]\n[Event \"x\"]\n[game]\n} 1. h2e2 {[Event \"e\"]\n[Event \"e\"]\nFORMAT WXF\n} *\n\n\
               [Event \"f\"]\n\n1. h2e2 *\n";
    let games: Vec<Game> =
        all(pgn.as_bytes(), None).into_iter().map(|read| read.unwrap_or_else(|e| panic!("{e}"))).collect();
    let events: Vec<_> = games.iter().map(|game| game.tag("Event")).collect();
    assert_eq!(events, [Some("e"), Some("f")]);
    assert_eq!(games[0].comment(NodeId::ROOT), "a\n[Event \"e\"]\n[Event \"x\"]\n[game]");
}

/// A block of another program may hold braces; only the moves of a game in it show that its end was lost.
#[test]
fn blocks_of_wxf_files_may_say_anything() {
    let due = [
        "FORMAT WXF",
        "START{",
        "RED x",
        "see START{ there",
        "[Event \"x\"]\n\n1. h2e2 *",
        "FORMAT WXF\nSTART{",
    ];
    for said in due {
        let game = format!(
            "FORMAT WXF\nRED a\nCOMMENT{{\n{said}\n}}END\nSTART{{\n1. C2=5\n}}END\nCOMMENT{{\n{said}\n}}END\n\n"
        );
        for format in [Some(Format::Wxf), None] {
            let read = games::read(Cursor::new(game.repeat(2)), format, None, ReadOptions::default());
            let read: Vec<Game> = read.map(|read| read.unwrap_or_else(|e| panic!("{e}\n{game}"))).collect();
            assert_eq!(read.len(), 2, "{game}");
            for game in read {
                let last = game.main_line().last().expect("a move");
                assert_eq!((game.comment(NodeId::ROOT), game.comment(last)), (said, said));
                assert_eq!(game.tag("Red"), Some("a"));
            }
        }
    }
    let quoted = "FORMAT WXF\nCOMMENT{\nas in\nSTART{\n1. C8=5\n}END\nSTART{\n1. C2=5\n}END\n";
    let read = read_bytes(quoted.as_bytes(), Format::Wxf).remove(0).expect("a game");
    assert_eq!(read.comment(NodeId::ROOT), "as in\nSTART{\n1. C8=5");
    let lost = "FORMAT WXF\nCOMMENT{\nlost\nSTART{\n1. C2=5\n}END\n\nFORMAT WXF\nSTART{\n1. C8=5\n}END\n";
    let mut read = read_bytes(lost.as_bytes(), Format::Wxf);
    assert_eq!(read.len(), 2);
    assert!(read.pop().expect("two").is_ok());
    let error = read.pop().expect("two").expect_err("an open comment");
    assert!(matches!(error.problem, Problem::OpenComment), "{error}");
    assert_eq!(error.place, Place::Line { line: 2, column: 1 });
    assert_eq!(moves(&error.partial.expect("the moves")), ["h2e2"]);
}

const TEXTS: [Format; 6] =
    [Format::Pgn, Format::Wxf, Format::GameBox, Format::DhtmlXq, Format::Fen, Format::Json];
/// CCBridge's XML is only read.
const CBF: &str = "<?xml version=\"1.0\"?>\n<ChineseChessRecord>\n<Head><Red>Cbf</Red></Head>\n<MoveList>\n\
                   <Move value=\"00-00\"/>\n<Move value=\"77-47\"/>\n</MoveList>\n</ChineseChessRecord>\n";

/// Two games in a format, told apart by their first moves.
fn two(format: Format) -> Vec<u8> {
    let one = |mv: &str| {
        let mut game = Game::new(Position::startpos());
        game.add(NodeId::ROOT, mv.parse().expect("a move")).expect("room");
        game.set_tag("Red", format.name());
        written(&game, format, WriteOptions::default())
    };
    [one("h2e2"), one("b2e2")].concat()
}

#[test]
fn every_pair_and_triple_of_formats_in_one_file() {
    let mut texts: Vec<(Format, Vec<u8>, usize)> =
        TEXTS.into_iter().map(|format| (format, two(format), 2)).collect();
    texts.push((Format::Cbf, CBF.as_bytes().to_vec(), 1));
    for (first, first_text, first_count) in &texts {
        for (second, second_text, second_count) in &texts {
            let bytes = [&first_text[..], second_text, first_text].concat();
            let extensions = [None, Some(*first)];
            for extension in extensions {
                let read = all(&bytes, extension);
                let told = || format!("{first} {second} {extension:?}\n{}", String::from_utf8_lossy(&bytes));
                // Two XML records are no file.
                if first == second && *first == Format::Cbf {
                    continue;
                }
                assert_eq!(read.len(), 2 * first_count + second_count, "{}", told());
                let names = read.into_iter().map(|read| {
                    let game = read.unwrap_or_else(|e| panic!("{e}\n{}", told()));
                    assert_eq!(game.moves().count(), 1, "{}", told());
                    (game.tag("Red").unwrap_or_default().to_owned(), moves(&game).remove(0))
                });
                let part = |format: Format, count| {
                    let name = match format {
                        Format::Fen => "",
                        Format::Cbf => "Cbf",
                        format => format.name(),
                    };
                    ["h2e2", "b2e2"].into_iter().take(count).map(move |mv| (name.to_owned(), mv.to_owned()))
                };
                let due = part(*first, *first_count)
                    .chain(part(*second, *second_count))
                    .chain(part(*first, *first_count));
                assert!(names.eq(due), "{}", told());
            }
        }
    }
}

/// Moves typed by hand begin a game too, where they are legal from the start.
#[test]
fn moves_without_tags_among_other_formats() {
    let wxf = "FORMAT WXF\nSTART{\n1. C8=5\n}END\n";
    let block = "[DhtmlXQ]\n[DhtmlXQ_movelist]1747[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n";
    for typed in [
        "1. C2=5 H8+7 *",
        "1. h2e2\n1... h9g7",
        "1.炮二平五马8进7",
        "1. P2-5 M8.7 2. M2.3",
        "h2e2 h9g7",
        "C2=5 H8+7\n2. H2+3",
    ] {
        for other in [wxf, block, "{\"moves\":[\"b2e2\"]}\n"] {
            for (text, typed_at) in [(format!("{typed}\n\n{other}"), 0), (format!("{other}\n{typed}\n"), 1)] {
                let games: Vec<Game> = all(text.as_bytes(), None)
                    .into_iter()
                    .map(|read| read.unwrap_or_else(|e| panic!("{e}\n{text}")))
                    .collect();
                assert_eq!(games.len(), 2, "{text}");
                assert_eq!(&moves(&games[typed_at])[..2], ["h2e2", "h9g7"], "{text}");
                assert_eq!(moves(&games[1 - typed_at]), ["b2e2"], "{text}");
            }
        }
    }
}

/// Games are numbered through, and places are those of the file.
#[test]
fn damage_after_another_format_is_placed() {
    let block = "[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n\n";
    for (rest, line, column) in [
        ("[Event \"b\"]\n\n1. h2e2 h2e2 *\n", 7, 9),
        ("FORMAT WXF\nSTART{\n1. C2=5 R1=2\n}END\n", 7, 9),
        ("RED b\nSTART{\n1. C2=5 R1=2\n}END\n", 7, 9),
        ("{\"moves\":[\"h2e2\",\"h2e2\"]}\n", 5, 18),
    ] {
        let mut read = all(format!("{block}{rest}[DhtmlXQ]{}", &block[9..]).as_bytes(), None);
        assert_eq!(read.len(), 3, "{rest}");
        let error = read.remove(1).expect_err("h2 is empty");
        assert_eq!((error.game, error.place), (2, Place::Line { line, column }), "{rest}");
    }
    // Moves without their end cost no game of another format.
    for rest in ["[Event \"b\"]\n\n1. h2e2 *\n", block] {
        let mut read = all(format!("FORMAT WXF\nSTART{{\n1. C2=5\n\n{rest}").as_bytes(), None);
        assert_eq!(read.len(), 2, "{rest}");
        assert_eq!(moves(read[1].as_ref().expect("a game")), ["h2e2"]);
        assert!(matches!(read.remove(0).expect_err("no end").problem, Problem::Truncated(_)));
    }
    // Marks on moves do not hide that they are moves.
    for rest in ["1. h2e2! h9g7 *\n", "h2e2! h9g7+ *\n", "C2=5+ ! H8+7?! *\n", "炮二平五！马8进7 *\n"]
    {
        let read = all(format!("{block}{rest}").as_bytes(), None);
        assert_eq!(read.len(), 2, "{rest}");
        assert_eq!(moves(read[1].as_ref().expect("a game")), ["h2e2", "h9g7"], "{rest}");
    }
    // Words of prose after a block begin nothing.
    let prose =
        format!("{block}RED won this game.\nGAME over\n1. He should play on\n2. C2=5\nTướng 5 is lost\n");
    assert_eq!(all(prose.as_bytes(), None).into_iter().flatten().count(), 1);
    assert_eq!(all(prose.as_bytes(), None).len(), 1);
}

#[test]
fn texts_without_a_game_say_so() {
    for text in [
        "# A project\n\nIt plays games. `[DhtmlXQ]` and `[game]` are read.\n",
        "# A project\n\nIt reads [DhtmlXQ]...[/DhtmlXQ] markup, [game]...[/game] boxes,\nand START{ ... }END too.\n",
        "Once upon a time there was a king (and a horse).\n",
        "fn main() {\n    println!(\"x\");\n}\n",
        "{\"name\":\"x\",\"version\":1}\n",
        "1.\n2.\nwords\n",
        "\u{feff}",
        "1. 2. 3.\n",
        "; a remark\n{ and another }\n",
        "*\n",
    ] {
        for extension in [None, Some(Format::Pgn), Some(Format::GameBox)] {
            let read = all(text.as_bytes(), extension);
            assert!(!read.is_empty(), "{text}");
            for read in read {
                let error = read.expect_err(text);
                assert!(error.partial.is_none(), "{error} {text}");
                let told = error.to_string();
                assert!(
                    told.contains("no game found")
                        || told.contains("ends in the middle")
                        || told.contains(": not a"),
                    "{told} {text}"
                );
            }
        }
    }
    // A move that cannot be made is told as such.
    let error = all(b"1. h2h8 *\n", None).remove(0).expect_err("illegal");
    assert!(matches!(error.problem, Problem::Move { number: 1, .. }), "{error}");
    assert!(error.partial.is_none());
    // A game with a head is one, whatever its moves.
    assert!(all(b"[Event \"a\"]\n\nxyz *\n", None).remove(0).expect_err("no moves").partial.is_some());
}

/// 葉 in Big5 (B8 AD) is 腑 in GBK, 測試 (B4 FA B8 D5) is 代刚: what the tables of the encodings say decides once it is named.
#[test]
fn the_encoding_may_be_named() {
    let name = |bytes: &[u8], encoding: Option<&str>| {
        let encoding = encoding.and_then(|name| games::input_encoding(name).expect("known"));
        let options = ReadOptions { encoding, ..ReadOptions::default() };
        let read = games::read(Cursor::new(bytes.to_vec()), None, None, options).next().expect("a game");
        read.expect("whole").tag("Red").map(str::to_owned)
    };
    let pgn = |name: &[u8]| [b"[Red \"", name, b"\"]\n\n1. h2e2 *\n"].concat();
    let bytes = pgn(&[0xb8, 0xad, 0xb4, 0xfa, 0xb8, 0xd5]);
    assert_eq!(name(&bytes, Some("big5")).as_deref(), Some("葉測試"));
    for gb in ["gbk", "GB18030", "gb2312", "cp936"] {
        assert_eq!(name(&bytes, Some(gb)).as_deref(), Some("腑代刚"), "{gb}");
    }
    assert_eq!(name(&bytes, Some("auto")), name(&bytes, None));
    // Even what would pass for UTF-8 (C3 A9, é) is taken at the word, but for a byte order mark.
    let bytes = pgn(&[0xc3, 0xa9]);
    assert_eq!(name(&bytes, None).as_deref(), Some("é"));
    assert_eq!(name(&bytes, Some("gbk")).as_deref(), Some("茅"));
    assert_eq!(name(&[b"\xef\xbb\xbf", &bytes[..]].concat(), Some("gbk")).as_deref(), Some("é"));
    // In XQF and DhtmlXQ too.
    let mut game = Game::new(Position::startpos());
    game.set_tag("Red", "代刚");
    let gbk = WriteOptions { encoding: Some(encoding_rs::GBK), ..WriteOptions::default() };
    for format in [Format::Xqf, Format::DhtmlXq, Format::Wxf, Format::GameBox] {
        assert_eq!(name(&written(&game, format, gbk), Some("big5")).as_deref(), Some("測試"), "{format}");
    }
    assert!(games::input_encoding("latin1").is_err());
}
