//! Bytes that are no text, and bytes that are no game, are told.

use std::io::Cursor;

use tools::games::{
    self, Doubt, Format, Game, InputEncoding, Place, ReadOptions, WriteOptions, input_encoding,
};

use super::{data, read_bytes, rich, written};

fn read(bytes: &[u8], format: Option<Format>, encoding: InputEncoding) -> Game {
    let options = ReadOptions { notation: None, encoding };
    games::read(Cursor::new(bytes.to_vec()), format, None, options).next().expect("a game").expect("whole")
}

fn told(game: &Game) -> Vec<(Place, Doubt)> {
    game.warnings.iter().map(|warning| (warning.place, warning.doubt.clone())).collect()
}

fn undecodable(line: usize, column: usize, count: usize, encoding: &'static str) -> (Place, Doubt) {
    (Place::Line { line, column }, Doubt::Undecodable { count, encoding })
}

/// One bad byte makes no other encoding of a text.
#[test]
fn a_bad_byte_is_told_and_the_rest_read() {
    let due = "中\u{fffd}国";
    let pgn = b"[Event \"\xe4\xb8\xad\xff\xe5\x9b\xbd\"]\n[Red \"ab\xe4\"]\n\n1. h2e2 {x\xfe\xfey} *\n";
    let game = read(pgn, None, None);
    assert_eq!((game.tag("Event"), told(&game)), (Some(due), vec![undecodable(1, 10, 4, "UTF-8")]));
    let texts: [(Format, &[u8]); 6] = [
        (Format::Json, b"{\"moves\":[],\"tags\":{\"Event\":\"\xe4\xb8\xad\xff\xe5\x9b\xbd\"}}"),
        (Format::Wxf, b"FORMAT WXF\nEVENT \xe4\xb8\xad\xff\xe5\x9b\xbd\nSTART{\nC2=5\n}END\n"),
        (Format::GameBox, b"[game]\nEVENT \xe4\xb8\xad\xff\xe5\x9b\xbd\nSTART{\nP2-5\n}END\n[/game]\n"),
        (Format::DhtmlXq, b"[DhtmlXQ][DhtmlXQ_event]\xe4\xb8\xad\xff\xe5\x9b\xbd[/DhtmlXQ_event][/DhtmlXQ]"),
        (Format::Cbf, b"<ChineseChessRecord><Head><Contest>\xe4\xb8\xad\xff\xe5\x9b\xbd</Contest></Head></ChineseChessRecord>"),
        (Format::Fen, b"3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 ; \xe4\xb8\xad\xff\xe5\x9b\xbd"),
    ];
    for (format, bytes) in texts {
        let game = read(bytes, Some(format), None);
        assert_eq!(game.tag("Event").unwrap_or(game.comment(games::NodeId::ROOT)), due, "{format}");
        let is_due =
            |(_, doubt): &(Place, Doubt)| *doubt == Doubt::Undecodable { count: 1, encoding: "UTF-8" };
        assert!(matches!(&told(&game)[..], [only] if is_due(only)), "{format} {:?}", told(&game));
    }
    // Half a surrogate pair in UTF-16.
    let mut utf16: Vec<u8> = "\u{feff}[Event \"中".encode_utf16().flat_map(u16::to_le_bytes).collect();
    utf16.extend([0, 0xd8]);
    utf16.extend("国\"]\n\n1. h2e2 *\n".encode_utf16().flat_map(u16::to_le_bytes));
    let game = read(&utf16, None, None);
    assert_eq!((game.tag("Event"), told(&game)), (Some(due), vec![undecodable(1, 10, 1, "UTF-8")]));
}

#[test]
fn a_text_in_another_encoding_than_is_said_is_told() {
    // 中国 in GBK.
    let gbk = b"[Event \"\xd6\xd0\xb9\xfa\"]\n\n1. h2e2 *\n";
    assert_eq!((read(gbk, None, None).tag("Event"), read(gbk, None, None).warnings.len()), (Some("中国"), 0));
    let utf8 = input_encoding("utf-8").expect("an encoding");
    let game = read(gbk, None, utf8);
    assert!(matches!(told(&game)[..], [(Place::Line { line: 1, column: 9 }, Doubt::Undecodable { .. })]));
    // What was lost before is no fault of this file.
    assert!(read("[Event \"\u{fffd}\"]\n\n1. h2e2 *\n".as_bytes(), None, utf8).warnings.is_empty());
}

/// Fields of XQF, which its programs cut at 15 bytes, and its comments.
#[test]
fn bytes_of_xqf_are_told_at_their_offsets() {
    let mut bytes = written(&rich(), Format::Xqf, WriteOptions::default());
    let name = b"\xd6\xd0\xff\xd0\xd6\xd0";
    bytes[0x130] = 6;
    bytes[0x131..0x137].copy_from_slice(name);
    // Seven characters and half of an eighth.
    bytes[0x140] = 15;
    bytes[0x141..0x150].copy_from_slice(&[b"\xd6\xd0".repeat(7), b"\xd6".to_vec()].concat());
    let game = read(&bytes, None, None);
    assert_eq!(game.tag("Black"), Some("中中中中中中中"));
    assert!(matches!(
        told(&game)[..],
        [(Place::Byte(0x130), Doubt::Undecodable { encoding: "gb18030", .. })]
    ));
}

#[test]
fn what_follows_the_game_of_a_file_is_told() {
    let whole = std::fs::read(data("g01-v10.xqf")).expect("test data");
    let due = |rest: usize| vec![(Place::Byte(whole.len()), Doubt::Rest(rest))];
    for (rest, due) in [
        (&whole[..], due(whole.len())),
        (b"junk", due(4)),
        (b"\0\0x\0", due(4)),
        (b"\0\0\0\0\0", vec![]),
        (b"\x1a\r\n", vec![]),
    ] {
        let read = read_bytes(&[&whole[..], rest].concat(), Format::Xqf);
        assert_eq!(read.len(), 1);
        assert_eq!(told(read[0].as_ref().expect("whole")), due);
    }
    // And of a CBR file; the records of libraries are filled up with anything.
    let whole = written(&rich(), Format::Cbr, WriteOptions::default());
    let file = [&whole[..], &whole[..], b"junk"].concat();
    let read = read_bytes(&file, Format::Cbr);
    let games: Vec<&Game> = read.iter().map(|read| read.as_ref().expect("whole")).collect();
    assert_eq!(
        (told(games[0]), told(games[1])),
        (vec![], vec![(Place::Byte(2 * whole.len()), Doubt::Rest(4))])
    );
    let library = [b"CCBridgeLibrary\0".to_vec(), file].concat();
    let read = read_bytes(&library, Format::Cbr);
    assert!(read.iter().all(|read| told(read.as_ref().expect("whole")).is_empty()));
}
