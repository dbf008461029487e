//! The reference generator itself, against counts of other programs.

use tests::cases;
use tests::reference::Board;

/// Leaves the slow generator walks without trying a developer's patience.
const NODE_LIMIT: u64 = 20_000;

#[test]
fn counts_like_other_programs() {
    for case in cases::perft().iter().filter(|case| case.nodes <= NODE_LIMIT) {
        assert_eq!(Board::from_fen(&case.fen).perft(case.depth), case.nodes, "{case:?}");
    }
}
