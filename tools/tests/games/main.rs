//! Readers and writers of game files, against files of other programs and each other.

mod breaks;
mod damage;
mod detection;
mod lines;
mod losses;
mod mixed;
mod pgn;
mod round_trips;
mod streams;
mod tags;
mod undecodable;
mod valid;

use std::fmt::Write;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tools::games::{
    self, Format, Game, GameError, NodeId, Outcome, Place, Problem, ReadOptions, WriteOptions,
};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/games").join(name)
}

#[derive(Debug, Deserialize)]
struct Expected {
    game: String,
    fen: String,
    moves: Vec<String>,
    result: String,
    files: Vec<String>,
}

fn expected() -> Vec<Expected> {
    let text = std::fs::read_to_string(data("expected.jsonl")).expect("test data");
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

fn read_file(name: &str) -> Vec<Result<Game, GameError>> {
    games::read_path(&data(name), None, ReadOptions::default()).expect("test data").collect()
}

fn read_bytes(bytes: &[u8], format: Format) -> Vec<Result<Game, GameError>> {
    games::read(Cursor::new(bytes.to_vec()), Some(format), None, ReadOptions::default()).collect()
}

fn written(game: &Game, format: Format, options: WriteOptions) -> Vec<u8> {
    let mut bytes = Vec::new();
    games::write_game(game, format, options, &mut bytes).expect("memory takes all");
    bytes
}

fn moves(game: &Game) -> Vec<String> {
    game.moves().map(|mv| mv.to_string()).collect()
}

/// Board and side to move, without the counters that some formats do not hold.
fn board(fen: &str) -> String {
    fen.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

/// Every move of every line with its comment and glyphs.
fn tree(game: &Game) -> Vec<String> {
    let mut nodes = vec![game.comment(NodeId::ROOT).split_whitespace().collect::<Vec<_>>().join(" ")];
    game.walk(|id, mv, before| {
        let comment = game.comment(id).split_whitespace().collect::<Vec<_>>().join(" ");
        nodes.push(format!("{} {mv} {comment}", board(&before.fen())));
    });
    nodes
}

#[test]
fn every_sample_reads_as_expected() {
    let mut files = 0;
    for case in expected() {
        for file in &case.files {
            let read = read_file(file);
            assert_eq!(read.len(), 1, "{file}");
            let game = read[0].as_ref().unwrap_or_else(|e| panic!("{file}: {e}"));
            assert_eq!(moves(game), case.moves, "{file}");
            assert_eq!(game.outcome.to_string(), case.result, "{file}");
            let fen = game.start().fen();
            if Path::new(file).extension().is_some_and(|extension| extension == "pgn") {
                assert_eq!(fen, case.fen, "{file}");
            } else {
                assert_eq!(board(&fen), board(&case.fen), "{file}");
            }
            files += 1;
        }
    }
    assert_eq!(files, 98);
}

#[test]
fn tags_and_encodings() {
    for file in ["g02-pgn-chinese-utf8.pgn", "g02-v10.xqf", "g02-dhtmlxq.txt"] {
        let read = read_file(file);
        let game = read[0].as_ref().expect("reads");
        assert_eq!(game.tag("Red"), Some("杨官璘"), "{file}");
    }
    let big5 = read_file("g02-pgn-chinese-big5.pgn");
    assert_eq!(big5[0].as_ref().expect("reads").tag("Red"), Some("楊官璘"));
    let page = read_file("real-wukong-44-dhtmlxq.html");
    assert!(page[0].as_ref().expect("reads").tag("Event").is_some());
}

/// A game with everything a tree can hold.
const RICH: &str = r#"[Event "Thử nghiệm \"quoted\" 测试"]
[Red "紅方"]
[Black "Đen"]
[Result "1-0"]
[ECCO "C04"]

{Before the start.} 1. h2e2! {centre
cannon} (1. b2e2 $6 {the other [%eval 0.2]} h9g7 (1... b9c7 2. h0g2 {deep}) 2. b0c2) (1. g3g4) 1... h9g7
; a line comment
2. h0g2 $4 i9h9 (2... g6g5) 1-0
"#;

fn rich() -> Game {
    let mut read = read_bytes(RICH.as_bytes(), Format::Pgn);
    assert_eq!(read.len(), 1);
    read.remove(0).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn trees_are_read_whole() {
    let game = rich();
    assert_eq!(moves(&game), ["h2e2", "h9g7", "h0g2", "i9h9"]);
    assert_eq!(game.tag("Event"), Some("Thử nghiệm \"quoted\" 测试"));
    assert_eq!(game.comment(NodeId::ROOT), "Before the start.");
    let first = game.next(NodeId::ROOT).expect("a move");
    assert_eq!(game.nags(first), [1]);
    assert_eq!(game.comment(first), "centre\ncannon");
    let alternatives: Vec<String> =
        game.children(NodeId::ROOT).skip(1).filter_map(|id| game.mv(id)).map(|mv| mv.to_string()).collect();
    assert_eq!(alternatives, ["b2e2", "g3g4"]);
    let other = game.sibling(first).expect("a variation");
    assert_eq!((game.nags(other), game.comment(other)), (&[6][..], "the other [%eval 0.2]"));
    let replies: Vec<String> =
        game.children(other).filter_map(|id| game.mv(id)).map(|mv| mv.to_string()).collect();
    assert_eq!(replies, ["h9g7", "b9c7"]);
}

#[test]
fn formats_with_trees_keep_them() {
    let game = rich();
    for format in [Format::Pgn, Format::Xqf, Format::Cbr, Format::DhtmlXq] {
        let bytes = written(&game, format, WriteOptions::default());
        let mut back = read_bytes(&bytes, format);
        let back = back.remove(0).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(tree(&back), tree(&game), "{format}");
        assert_eq!(back.outcome, Outcome::RedWins, "{format}");
        assert_eq!(back.tag("Red"), Some("紅方"), "{format}");
        assert_eq!(Format::sniff(&bytes).unwrap_or(Format::Pgn), format);
    }
}

#[test]
fn every_format_keeps_the_main_line_of_every_sample() {
    let options = |notation: &str| WriteOptions { notation: notation.parse().ok(), encoding: None };
    for case in expected() {
        let game = read_file(&case.files[0]).remove(0).expect("reads");
        for (format, _, _) in Format::ALL.into_iter().filter(|(format, ..)| !format.is_read_only()) {
            let bytes = written(&game, format, WriteOptions::default());
            let back = read_bytes(&bytes, format)
                .remove(0)
                .unwrap_or_else(|e| panic!("{} {format}: {e}", case.game));
            assert_eq!(moves(&back), case.moves, "{} {format}", case.game);
            assert_eq!(board(&back.start().fen()), board(&case.fen), "{} {format}", case.game);
        }
        for (name, _) in movegen::notation::Notation::NAMED {
            for format in [Format::Pgn, Format::Wxf] {
                let bytes = written(&game, format, options(name));
                let back = read_bytes(&bytes, format).remove(0);
                // Coordinates that count ranks from 1 and never reach rank 10 must be named.
                if name == "coordinate1" && format == Format::Wxf {
                    continue;
                }
                let back = back.unwrap_or_else(|e| panic!("{} {format} {name}: {e}", case.game));
                assert_eq!(moves(&back), case.moves, "{} {format} {name}", case.game);
            }
        }
    }
}

#[test]
fn texts_in_other_encodings() {
    for encoding in [encoding_rs::GBK, encoding_rs::BIG5, encoding_rs::GB18030] {
        let notation = if encoding == encoding_rs::BIG5 { "chinese" } else { "simplified" };
        let options = WriteOptions { notation: notation.parse().ok(), encoding: Some(encoding) };
        let file = if encoding == encoding_rs::BIG5 { "g02-pgn-chinese-big5.pgn" } else { "g02-v10.xqf" };
        let game = read_file(file).remove(0).expect("reads");
        let bytes = written(&game, Format::Pgn, options);
        assert!(std::str::from_utf8(&bytes).is_err());
        let back = read_bytes(&bytes, Format::Pgn).remove(0).expect("reads back");
        assert_eq!(moves(&back), moves(&game));
        assert_eq!(back.tag("Event"), game.tag("Event"));
    }
}

#[derive(Debug, Deserialize)]
struct Figure {
    id: String,
    fen_as_given: String,
    moves_as_given: String,
    moves: Vec<String>,
}

/// The boxes of a federation's rules page, with their en dashes, in HTML as web pages have it.
#[test]
fn vietnamese_boxes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/vietnamese-figures.jsonl");
    let text = std::fs::read_to_string(path).expect("test data");
    let mut page = String::from("<html><body>");
    let mut figures = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let figure: Figure = serde_json::from_str(line).expect("a JSON object a line");
        // Figure 2 is printed with a row that is one point short.
        if figure.id == "vn-fig02" {
            continue;
        }
        page.push_str("<p>Hình:</p>[game]<br>FORMAT WXF<br />RED Tr&#7855;ng<br>BLACK Đen&nbsp;<br>FEN ");
        page.push_str(&figure.fen_as_given);
        page.push_str("<br>START{<br>");
        for (index, pair) in
            figure.moves_as_given.split_whitespace().collect::<Vec<_>>().chunks(2).enumerate()
        {
            write!(page, "{}. {}<br>", index + 1, pair.join(" ")).expect("memory");
        }
        page.push_str("}END<br>[/game]");
        figures.push(figure);
    }
    let read = read_bytes(page.as_bytes(), Format::sniff(page.as_bytes()).expect("shows its format"));
    assert_eq!(read.len(), 9);
    for (read, figure) in read.into_iter().zip(figures) {
        let game = read.unwrap_or_else(|e| panic!("{}: {e}", figure.id));
        assert_eq!(moves(&game), figure.moves, "{}", figure.id);
        assert_eq!(game.tag("Red"), Some("Trắng"));
    }
}

#[test]
fn damage_is_placed_and_spares_the_other_games() {
    let pgn = "[Event \"a\"]\n\n1. h2e2 h9g7\n2. h2e2 *\n\n[Event \"b\"]\n\n1. h2e2 {lost\n\n[Event \"c\"]\n\n1. h2e2 *\n";
    let read = read_bytes(pgn.as_bytes(), Format::Pgn);
    assert_eq!(read.len(), 3);
    let first = read[0].as_ref().expect_err("h2 is empty");
    assert_eq!(first.place, Place::Line { line: 4, column: 4 });
    assert!(matches!(first.problem, Problem::Move { number: 3, .. }));
    assert_eq!(moves(first.partial.as_ref().expect("two moves")), ["h2e2", "h9g7"]);
    let second = read[1].as_ref().expect_err("an open comment");
    assert!(matches!(second.problem, Problem::OpenComment), "{second}");
    assert_eq!(second.place, Place::Line { line: 8, column: 9 });
    assert!(read[2].is_ok());

    let bytes = std::fs::read(data("g01-v10.xqf")).expect("test data");
    let cut = read_bytes(&bytes[..0x400 + 8 * 11 + 3], Format::Xqf).remove(0).expect_err("cut off");
    assert!(matches!(cut.problem, Problem::Truncated(_)), "{cut}");
    assert_eq!(cut.place, Place::Byte(0x400 + 8 * 11));
    assert_eq!(cut.partial.as_ref().map(|game| game.moves().count()), Some(10));

    let ubb = "[DhtmlXQ]\n[DhtmlXQ_movelist]77477062\n8988x[/DhtmlXQ_movelist][/DhtmlXQ]";
    let bad = read_bytes(ubb.as_bytes(), Format::DhtmlXq).remove(0).expect_err("a letter among digits");
    assert_eq!(bad.place, Place::Line { line: 3, column: 5 });
    assert_eq!(bad.partial.as_ref().map(|game| game.moves().count()), Some(3));

    let binary = games::read(Cursor::new(b"MZ\0\x01 no game\0"), None, None, ReadOptions::default());
    let errors: Vec<String> = binary.map(|read| read.expect_err("no game").to_string()).collect();
    assert_eq!(errors, ["game 1, byte 0: not a game file of any known format"]);
    for format in Format::ALL.map(|(format, ..)| format) {
        let empty = read_bytes(b"", format);
        assert!(empty.iter().all(Result::is_err), "{format}");
    }
}

#[test]
fn tags_keep_their_order() {
    let line = "{\"tags\":{\"Z\":\"1\",\"A\":\"2\",\"M\":\"3\"},\"moves\":[]}";
    let game = read_bytes(line.as_bytes(), Format::Json).remove(0).expect("reads");
    let names: Vec<&str> = game.tags().iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Z", "A", "M"]);
    let again = written(&game, Format::Json, WriteOptions::default());
    assert!(String::from_utf8(again).expect("UTF-8").contains("{\"Z\":\"1\",\"A\":\"2\",\"M\":\"3\"}"));
}

#[test]
fn lists_of_positions() {
    let list = "# comment\nrnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\n\n\
                position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e0e1 ; hello\nnonsense\n";
    let read = read_bytes(list.as_bytes(), Format::Fen);
    assert_eq!(read.len(), 3);
    assert_eq!(moves(read[1].as_ref().expect("reads")), ["e0e1"]);
    assert_eq!(read[1].as_ref().expect("reads").comment(NodeId::ROOT), "hello");
    assert_eq!(read[2].as_ref().expect_err("no FEN").place, Place::Line { line: 5, column: 1 });
}

#[test]
fn a_bad_move_in_a_variation_costs_that_variation_only() {
    let pgn = "1. h2e2 (1. b2b8 (1. g3g4) h9g7) (1. b2e2) 1... h9g7 *\n";
    let error = read_bytes(pgn.as_bytes(), Format::Pgn).remove(0).expect_err("b2b8 is no move");
    let game = error.partial.expect("the rest");
    assert_eq!(moves(&game), ["h2e2", "h9g7"]);
    assert_eq!(game.children(NodeId::ROOT).count(), 2);
    assert_eq!(error.problem.to_string(), "move 1 of a variation: `b2b8` is not a legal move here");
    // In DhtmlXQ: variation 1 has a bad third move, variation 2 and the comments are whole, the last field is cut off.
    let ubb = "[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][DhtmlXQ_move_0_1_1]174770620000[/DhtmlXQ_move_0_1_1]\
               [DhtmlXQ_move_0_2_2]1022[/DhtmlXQ_move_0_2_2][DhtmlXQ_comment2]good[/DhtmlXQ_comment2][DhtmlXQ_comment2_2]bad";
    let error = read_bytes(ubb.as_bytes(), Format::DhtmlXq).remove(0).expect_err("damage");
    assert_eq!(error.problem.to_string(), "move 3 of a variation: a9-a9 is not a legal move here");
    assert_eq!(error.place, Place::Line { line: 1, column: ubb.find("0000[").expect("there") + 1 });
    let game = error.partial.expect("the rest");
    assert_eq!(moves(&game), ["h2e2", "h9g7"]);
    assert_eq!(game.comment(game.main_line().nth(1).expect("two moves")), "good");
    // b2e2 h9g7 and b9c7.
    assert_eq!(game.nodes().count(), 5);
    // The same tree in XQF: the second of three first moves spoilt.
    let game = rich();
    let mut bytes = written(&game, Format::Xqf, WriteOptions::default());
    // b2 to e2 is 12 to 42 with the shifts 0x18 and 0x20.
    let at = bytes.windows(2).position(|pair| pair == [12 + 0x18, 42 + 0x20]).expect("the variation");
    bytes[at + 1] = 12 + 0x20;
    let error = read_bytes(&bytes, Format::Xqf).remove(0).expect_err("b2 to b2");
    assert_eq!(error.place, Place::Byte(at));
    assert_eq!(error.problem.to_string(), "move 1 of a variation: b2-b2 is not a legal move here");
    let rest = error.partial.expect("the rest");
    assert_eq!(moves(&rest), moves(&game));
    assert_eq!(rest.children(NodeId::ROOT).count(), 2);
}

/// Xorshift64: enough to spoil files with. Source: Marsaglia, "Xorshift RNGs", 2003.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Spoilt samples in every format: no panic, and never more moves than bytes.
#[test]
fn spoilt_files_are_survived() {
    survive_spoilt_files(0x9e37_79b9_7f4a_7c15, 4000);
}

#[test]
#[ignore = "takes minutes"]
fn many_spoilt_files_are_survived() {
    survive_spoilt_files(0x2545_f491_4f6c_dd1d, 400_000);
}

fn survive_spoilt_files(seed: u64, rounds: usize) {
    let mut random = Random(seed);
    let mut samples: Vec<(Vec<u8>, Format)> = Vec::new();
    for file in ["g13-v10.xqf", "g13-pgn-chinese-big5.pgn", "g13-dhtmlxq.txt", "real-wukong-44-dhtmlxq.html"]
    {
        let bytes = std::fs::read(data(file)).expect("test data");
        let format = Format::sniff(&bytes).unwrap_or(Format::Pgn);
        samples.push((bytes, format));
    }
    for (format, _, _) in Format::ALL.into_iter().filter(|(format, ..)| !format.is_read_only()) {
        samples.push((written(&rich(), format, WriteOptions::default()), format));
    }
    let cbf = "<?xml version=\"1.0\"?><ChineseChessRecord><Head><FEN/></Head><MoveList>\
               <Move value=\"00-00\"/><Move value=\"77-47\"><![CDATA[x]]></Move></MoveList></ChineseChessRecord>";
    samples.push((cbf.as_bytes().to_vec(), Format::Cbf));
    for round in 0..rounds {
        let (sample, format) = &samples[round % samples.len()];
        let mut bytes = sample.clone();
        for _ in 0..=random.below(4) {
            if bytes.is_empty() {
                break;
            }
            let at = random.below(bytes.len());
            match random.below(5) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes[at] ^= 1 << random.below(8),
                2 => bytes.truncate(at),
                3 => {
                    let end = at + random.below(40).min(bytes.len() - at);
                    let copy = bytes[at..end].to_vec();
                    let to = random.below(bytes.len());
                    bytes.splice(to..to, copy);
                }
                _ => drop(bytes.drain(at..at + random.below(12).min(bytes.len() - at))),
            }
        }
        // Half of the time the format is left to be found out.
        let named = (random.below(2) == 0).then_some(*format);
        let read = games::read(Cursor::new(bytes.clone()), named, None, ReadOptions::default());
        for game in read.filter_map(|read| match read {
            Ok(game) => Some(game),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                error.partial.map(|game| *game)
            }
        }) {
            assert!(tree(&game).len() <= bytes.len() + 1);
        }
    }
}

/// Versions 11, 12 and 18 of one game, scrambled with random keys by a script of our own and read back with cchess 1.25.5.
#[test]
fn scrambled_files_are_read() {
    let case = expected().into_iter().find(|case| case.game == "g13").expect("the game");
    for version in [11, 12, 18] {
        let file = format!("g13-scrambled-v{version}.xqf");
        assert_eq!(std::fs::read(data(&file)).expect("test data")[2], version);
        let game = read_file(&file).remove(0).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert_eq!(moves(&game), case.moves, "{file}");
        assert_eq!(board(&game.start().fen()), board(&case.fen), "{file}");
        let fifth = game.main_line().nth(4).expect("five moves");
        assert_eq!(game.comment(fifth), "一步好棋", "{file}");
    }
}

/// A library is records one after the other, each at a place of its own.
#[test]
fn libraries_of_records_are_read() {
    let mut library = b"CCBridgeLibrary\0".to_vec();
    for name in ["g05-v10.xqf", "g06-v10.xqf"] {
        library.resize(library.len().next_multiple_of(4096), 0);
        library.extend(written(
            &read_file(name).remove(0).expect("reads"),
            Format::Cbr,
            WriteOptions::default(),
        ));
    }
    let read = read_bytes(&library, Format::sniff(&library).expect("shows its format"));
    let lengths: Vec<usize> = read.into_iter().map(|read| read.expect("reads").moves().count()).collect();
    assert_eq!(lengths, [56, 37]);
}
