//! Leaf counts against those of other programs.

use movegen::{Position, perft, perft_divide};
use tests::cases::{self, PerftCase};

/// Leaves up to which a case runs in every test run; the others run in the ignored release test.
const NODE_LIMIT: u64 = 1_000_000;

fn check(case: &PerftCase) {
    let position = Position::from_fen(&case.fen).unwrap_or_else(|e| panic!("{case:?}: {e}"));
    assert_eq!(perft(&position, case.depth), case.nodes, "{case:?}");
}

#[test]
fn counts_like_other_programs() {
    let cases: Vec<PerftCase> = cases::jsonl("perft.jsonl");
    cases.iter().filter(|case| case.nodes <= NODE_LIMIT).for_each(check);
}

#[test]
#[ignore = "150 million leaves: cargo test --release -p tests -- --ignored perft"]
fn counts_like_other_programs_to_the_end() {
    let cases: Vec<PerftCase> = cases::jsonl("perft.jsonl");
    cases.iter().filter(|case| case.nodes > NODE_LIMIT).for_each(check);
}

/// Source: the published perft of the start position, on which Pikafish and Fairy-Stockfish agree.
#[test]
#[ignore = "5.4 billion leaves: cargo test --release -p tests -- --ignored perft"]
fn counts_the_start_position_to_depth_6() {
    let total: u64 = perft_divide(&Position::startpos(), 6).iter().map(|&(_, nodes)| nodes).sum();
    assert_eq!(total, 5_392_831_844);
}

#[test]
fn divide_adds_up() {
    let position = Position::startpos();
    let divided = perft_divide(&position, 3);
    assert_eq!(divided.len(), 44);
    assert_eq!(divided.iter().map(|&(_, nodes)| nodes).sum::<u64>(), 79_666);
    for (mv, nodes) in divided {
        assert_eq!(perft(&position.play(mv), 2), nodes, "{mv}");
    }
    assert_eq!(perft_divide(&position, 0), []);
    assert_eq!(perft(&position, 0), 1);
}
