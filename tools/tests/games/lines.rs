//! The main line is what the file says it is, whatever moves its variations begin with.

use movegen::Position;
use tools::games::{Format, Game, NodeId, WriteOptions};

use super::{moves, read_bytes, tree, written};

fn read_one(text: &[u8], format: Format) -> Game {
    let told = String::from_utf8_lossy(text);
    read_bytes(text, format).remove(0).unwrap_or_else(|error| panic!("{told}: {error}"))
}

/// All lines from the start to their ends, the main line first.
fn lines(game: &Game) -> Vec<String> {
    let mut lines = Vec::new();
    let mut open = vec![(NodeId::ROOT, Vec::new())];
    while let Some((id, line)) = open.pop() {
        let children: Vec<NodeId> = game.children(id).collect();
        if children.is_empty() {
            lines.push(line.join(" "));
        }
        for child in children.into_iter().rev() {
            let mv = game.mv(child).expect("a move").to_string();
            open.push((child, [&line[..], &[mv]].concat()));
        }
    }
    lines
}

/// Moves with their variations, and all the lines that are due.
const CASES: [(&str, &[&str]); 14] = [
    ("1. h2e2 (1. h2e2 h9g7 2. b2b4) 1... b9c7 2. h0g2", &["h2e2 b9c7 h0g2", "h2e2 h9g7 b2b4"]),
    ("1. h2e2 (1. h2e2 b9c7 2. b2b4) 1... b9c7 2. h0g2", &["h2e2 b9c7 h0g2", "h2e2 b9c7 b2b4"]),
    ("1. h2e2 (1. h2e2 h9g7 2. b2b4) 1... h9g7 2. b2b4", &["h2e2 h9g7 b2b4"]),
    (
        "1. h2e2 (1. h2e2 h9g7) (1. h2e2 b9c7 2. b2b4) 1... b9c7 2. h0g2",
        &["h2e2 b9c7 h0g2", "h2e2 b9c7 b2b4", "h2e2 h9g7"],
    ),
    // Twice the same one.
    ("1. h2e2 (1. h2e2 h9g7) (1. h2e2 h9g7) 1... b9c7", &["h2e2 b9c7", "h2e2 h9g7"]),
    // Nested, at its own first move and at the one of the main line.
    ("1. h2e2 (1. b2e2 (1. b2e2 h9g7) 1... b9c7) 1... h9g7", &["h2e2 h9g7", "b2e2 b9c7", "b2e2 h9g7"]),
    (
        "1. h2e2 (1. h2e2 h9g7 (1... h9g7 2. c3c4) 2. b2b4) 1... h9g7 2. h0g2",
        &["h2e2 h9g7 h0g2", "h2e2 h9g7 b2b4", "h2e2 h9g7 c3c4"],
    ),
    (
        "1. h2e2 (1. h2e2 (1. h2e2 h9g7 2. c3c4) 1... h9g7 2. b2b4) 1... h9g7 2. h0g2",
        &["h2e2 h9g7 h0g2", "h2e2 h9g7 c3c4", "h2e2 h9g7 b2b4"],
    ),
    // Further down.
    ("1. h2e2 h9g7 (1... h9g7 2. c3c4) 2. h0g2", &["h2e2 h9g7 h0g2", "h2e2 h9g7 c3c4"]),
    // The order of variations stays.
    ("1. h2e2 (1. b2e2 h9g7) (1. b2e2 b9c7) 1... h9g7", &["h2e2 h9g7", "b2e2 h9g7", "b2e2 b9c7"]),
    // The main line ends where the variation goes on.
    ("1. h2e2 (1. h2e2 h9g7)", &["h2e2", "h2e2 h9g7"]),
    (
        "1. h2e2 (1. b2e2) (1. h2e2 h9g7 (1... b9c7) 2. c3c4)",
        &["h2e2", "b2e2", "h2e2 h9g7 c3c4", "h2e2 b9c7"],
    ),
    ("1. h2e2 h9g7 (1... h9g7 2. c3c4)", &["h2e2 h9g7", "h2e2 h9g7 c3c4"]),
    ("1. h2e2 (1. h2e2)", &["h2e2"]),
];

#[test]
fn variations_never_become_the_main_line() {
    for (text, due) in CASES {
        let game =
            read_one(format!("[Event \"a\"]\n[Result \"1-0\"]\n\n{text} 1-0\n").as_bytes(), Format::Pgn);
        let read = lines(&game);
        assert_eq!(read[0], due[0], "{text}");
        let sorted = |lines: Vec<String>| {
            let mut lines = lines;
            lines.sort();
            lines
        };
        assert_eq!(sorted(read), sorted(due.iter().map(|line| (*line).to_owned()).collect()), "{text}");
        // And so in every format that has variations.
        for format in [Format::Pgn, Format::DhtmlXq, Format::Xqf, Format::Cbr] {
            let back = read_one(&written(&game, format, WriteOptions::default()), format);
            assert_eq!(moves(&back), moves(&game), "{format} {text}");
            assert_eq!(tree(&back), tree(&game), "{format} {text}");
        }
    }
    let orders = "1. h2e2 (1. b2e2 h9g7) (1. b2e2 b9c7) (1. b2e2 a6a5) 1... h9g7 *";
    assert_eq!(
        lines(&read_one(orders.as_bytes(), Format::Pgn))[1..],
        ["b2e2 h9g7", "b2e2 b9c7", "b2e2 a6a5"]
    );
}

/// A block whose variation replaces a move by itself, before the end of the main line and at it.
#[test]
fn other_programs_may_repeat_moves_in_variations() {
    for (list, variation, due) in
        [("77471022", "77477062", ["h2e2 b9c7", "h2e2 h9g7"]), ("7747", "77471022", ["h2e2", "h2e2 b9c7"])]
    {
        let block = format!(
            "[DhtmlXQ]\n[DhtmlXQ_movelist]{list}[/DhtmlXQ_movelist]\n\
             [DhtmlXQ_move_0_1_1]{variation}[/DhtmlXQ_move_0_1_1]\n[DhtmlXQ_comment1]c[/DhtmlXQ_comment1]\n[/DhtmlXQ]\n"
        );
        let game = read_one(block.as_bytes(), Format::DhtmlXq);
        assert_eq!(lines(&game), due, "{block}");
        assert_eq!(game.comment(game.next(NodeId::ROOT).expect("a move")), "c");
    }
}

/// What is said of a move that is in a line and in its variation stands with the one move.
#[test]
fn notes_on_repeated_moves_are_kept() {
    for (text, comment, nags) in [
        ("1. h2e2 {a} $1 (1. h2e2 {b} $2 h9g7) 1... b9c7", "a b", &[1, 2][..]),
        ("1. h2e2 ({before} 1. h2e2 h9g7) 1... b9c7", "before", &[]),
        ("1. h2e2 {a} ({before} 1. h2e2 h9g7 {c})", "a before", &[]),
        ("1. h2e2 (1. h2e2 {b} h9g7 ({x} 1... b9c7 2. c3c4)) 1... b9c7", "b", &[]),
    ] {
        let game = read_one(format!("[Event \"a\"]\n\n{text} *\n").as_bytes(), Format::Pgn);
        let pgn = written(&game, Format::Pgn, WriteOptions::default());
        for game in [&game, &read_one(&pgn, Format::Pgn)] {
            let first = game.next(NodeId::ROOT).expect("a move");
            assert_eq!((game.comment(first), game.nags(first)), (comment, nags), "{text}");
        }
        assert_eq!(tree(&read_one(&pgn, Format::Pgn)), tree(&game), "{text}");
    }
}

/// A bad move ends the main line, too.
#[test]
fn damage_leaves_the_main_line_its_own() {
    let read = read_bytes(b"[Event \"a\"]\n\n1. h2e2 (1. h2e2 h9g7) 1... h2h9 *\n", Format::Pgn).remove(0);
    assert_eq!(lines(&read.expect_err("no move").partial.expect("the game")), ["h2e2", "h2e2 h9g7"]);
}

/// Each of many variations may go on before the main line does; nesting is counted as it is in the end.
#[test]
fn many_repeated_moves_are_read() {
    let round = [("h2e2", "h9g7"), ("e2h2", "g7h9")];
    let mut text = String::new();
    let mut due = Vec::new();
    for number in 0..2000 {
        let (red, black) = round[number % 2];
        let other = if number % 2 == 0 { "b9c7" } else { "a6a5" };
        text.extend([red, " (", red, " ", other, ") ", black, " "]);
        due.extend([red, black]);
    }
    let game = read_one(format!("{text}*").as_bytes(), Format::Pgn);
    assert_eq!(moves(&game), due);
    let back = read_one(&written(&game, Format::Pgn, WriteOptions::default()), Format::Pgn);
    assert_eq!((moves(&back), back.nodes().count()), (moves(&game), 6000));
    assert_eq!(*game.start(), Position::startpos());
}
