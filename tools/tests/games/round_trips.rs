//! What is written is read back as the same moves: every format, every notation, both rank bases, games of every kind.

use movegen::notation::Notation;
use movegen::{Move, Position};
use tools::games::{Format, Game, NodeId, WriteOptions};

use super::{Random, board, moves, read_bytes, tree, written};

/// Starts with what notations stumble over: pairs on a file, three and more pawns, pawns on two files, few pieces.
const STARTS: [&str; 7] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1",
    "3k5/2P6/2P6/2P6/9/9/9/4p4/4p4/4K4 w - - 0 1",
    "3k5/2P1P4/2P1P4/9/9/9/2p1p4/2p1p4/2p6/4K4 b - - 0 1",
    "3k5/4R4/9/4R4/9/4r4/9/4r4/9/5K3 w - - 0 1",
    "2bak4/4a4/2n6/2n6/2c6/2C6/2N6/2N6/4A4/3AK1B2 w - - 3 20",
    "4k4/9/2C6/9/2P6/6p2/9/6c2/9/3K5 w - - 0 1",
];

fn random_game(random: &mut Random, start: &str, plies: usize) -> Game {
    let mut position = Position::from_fen(start).expect("a position");
    let mut game = Game::new(position.clone());
    let mut node = NodeId::ROOT;
    for _ in 0..plies {
        let legal: Vec<Move> = position.legal_moves().into_iter().collect();
        if legal.is_empty() {
            break;
        }
        let mv = legal[random.below(legal.len())];
        node = game.add(node, mv).expect("room");
        position = position.play(mv);
    }
    game
}

#[test]
fn every_format_notation_and_rank_base() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut checked = 0;
    for round in 0..140 {
        // Short games are the hard ones: few moves show little of their notation.
        let plies = [1, 2, 3, 5, 8, 40][round % 6];
        let game = random_game(&mut random, STARTS[round % STARTS.len()], plies);
        for (format, ..) in Format::ALL.into_iter().filter(|(format, ..)| !format.is_read_only()) {
            let takes_notation = matches!(format, Format::Pgn | Format::Wxf | Format::GameBox);
            let named = Notation::NAMED.map(|(_, notation)| Some(notation));
            for notation in [None].into_iter().chain(named.into_iter().filter(|_| takes_notation)) {
                let bytes = written(&game, format, WriteOptions { notation, encoding: None });
                let text = || format!("{format} {notation:?}\n{}", String::from_utf8_lossy(&bytes));
                let back = read_bytes(&bytes, format).remove(0).unwrap_or_else(|e| panic!("{e}\n{}", text()));
                assert_eq!(moves(&back), moves(&game), "{}", text());
                assert_eq!(board(&back.start().fen()), board(&game.start().fen()), "{}", text());
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 140 * (8 + 3 * 13));
}

/// What readers look for, in pieces.
const PIECES: [&str; 62] = [
    "a",
    "b ",
    " ",
    "\"",
    "'",
    "[",
    "]",
    "(",
    ")",
    ";",
    "%",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\r\r",
    "\n%",
    "-->",
    "<b>",
    "&amp;",
    "&",
    "||",
    "|",
    "$1",
    "炮二平五",
    "\u{3000}",
    "\u{feff}",
    "\t",
    "COMMENT",
    "START",
    "\nFORMAT WXF\n",
    "h2e2",
    "1-0",
    "*",
    "\\",
    "\\\"",
    "[DhtmlXQ]",
    "[/DhtmlXQ]",
    "[game]",
    "[/game]",
    "!",
    "??",
    "1.",
    "...",
    "END",
    "\nEND\n",
    "\n[Event \"x\"]\n",
    "\n\n[Red \"x\"]\n\n",
    "\n[Event \"x\n",
    "\n\n[Event \"x",
    "\n\n[Event \"\n",
    "\n\n[\n",
    "\n\n[Event",
    "\n\n[Event x",
    "]",
    "\"]",
    "\n\n\u{feff}[Event \"x",
    "\n\n\u{3000}[Event \"x\"]\n",
    "\nRESULT 1-0\n",
    "\n\n1. h2e2 h9g7\n",
    "\n3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1\n",
    "\n<?xml version=\"1.0\"?>\n",
];

fn random_comment(random: &mut Random) -> String {
    (0..=random.below(8)).map(|_| PIECES[random.below(PIECES.len())]).collect()
}

/// A game whose moves branch and have comments.
fn commented_game(random: &mut Random, start: &str, plies: usize) -> Game {
    let mut game = random_game(random, start, plies);
    let ids: Vec<NodeId> = std::iter::once(NodeId::ROOT).chain(game.main_line()).collect();
    for id in ids {
        if random.below(8) == 0 {
            let legal: Vec<Move> = game.position(id).legal_moves().into_iter().collect();
            if !legal.is_empty() {
                let other = game.add(id, legal[random.below(legal.len())]).expect("room");
                game.set_comment(other, &random_comment(random));
            }
        }
        if random.below(3) == 0 {
            game.set_comment(id, &random_comment(random));
        }
    }
    game
}

/// Whatever comments say, they and the games around them are read back.
#[test]
fn comments_are_never_taken_for_something_else() {
    let mut random = Random(0x0123_4567_89ab_cdef);
    let trees = [Format::Pgn, Format::DhtmlXq, Format::Xqf, Format::Cbr];
    for round in 0..200 {
        let games: [Game; 3] = std::array::from_fn(|index| {
            commented_game(&mut random, STARTS[(round + index) % STARTS.len()], [0, 1, 4, 20][round % 4])
        });
        for (format, ..) in Format::ALL.into_iter().filter(|(format, ..)| !format.is_read_only()) {
            let many = if matches!(format, Format::Xqf | Format::Cbr) { &games[..1] } else { &games[..] };
            let bytes: Vec<u8> =
                many.iter().flat_map(|game| written(game, format, WriteOptions::default())).collect();
            let text = || format!("{format}\n{}", String::from_utf8_lossy(&bytes));
            let read = read_bytes(&bytes, format);
            assert_eq!(read.len(), many.len(), "{}", text());
            for (back, game) in read.into_iter().zip(many) {
                let back = back.unwrap_or_else(|e| panic!("{e}\n{}", text()));
                assert_eq!(moves(&back), moves(game), "{}", text());
                if trees.contains(&format) {
                    assert_eq!(tree(&back), tree(game), "{}", text());
                }
            }
        }
    }
}

/// As above where the end of the comment is further off than a reader looks.
#[test]
fn long_comments_are_never_taken_for_something_else() {
    for begin in
        ["x\n\n[Event \"b\n", "x\n\n[Event \"b", "x\n\n[Event \"b\"]\n", "x\r\r[Event \"b\"]\r", "x\n\n[\n"]
    {
        let mut game = random_game(&mut Random(7), STARTS[0], 3);
        game.set_comment(NodeId::ROOT, &format!("{begin}{}", "word ".repeat(20_000)));
        let read = read_bytes(&written(&game, Format::Pgn, WriteOptions::default()), Format::Pgn);
        assert_eq!(read.len(), 1, "{begin:?}");
        assert_eq!(tree(read[0].as_ref().expect("whole")), tree(&game), "{begin:?}");
    }
}
