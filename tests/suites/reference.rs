//! The reference generator itself, against counts of other programs.

use tests::cases::{self, PerftCase};
use tests::reference::Board;

/// Leaves the slow generator walks without trying a developer's patience.
const NODE_LIMIT: u64 = 20_000;

#[test]
fn counts_like_other_programs() {
    let cases: Vec<PerftCase> = cases::jsonl("perft.jsonl");
    for case in cases.iter().filter(|case| case.nodes <= NODE_LIMIT) {
        assert_eq!(Board::from_fen(&case.fen).perft(case.depth), case.nodes, "{case:?}");
    }
}
