//! Positions and settings shared by the benchmarks.
#![forbid(unsafe_code)]

use std::time::Duration;

use criterion::Criterion;
use movegen::Position;

/// A position with its number of legal moves.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// What it stands for.
    pub name: &'static str,
    /// The position.
    pub fen: &'static str,
    /// How many legal moves it has. Source: `tests/data/perft.jsonl`, counted by other programs.
    pub moves: u64,
}

/// Opening, middle games, endings, and one position in check.
pub const CASES: [Case; 7] = [
    Case {
        name: "start",
        fen: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        moves: 44,
    },
    Case {
        name: "central cannon",
        fen: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 0 1",
        moves: 45,
    },
    Case {
        name: "horse behind the lines",
        fen: "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
        moves: 38,
    },
    Case {
        name: "in check",
        fen: "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1",
        moves: 7,
    },
    Case {
        name: "middle game",
        fen: "2ba1kb2/4a2r1/4c1n2/p7p/2p2rpc1/4R4/P1PR2P1P/2N1C1N2/4A4/2BK1AB2 w - - 0 1",
        moves: 42,
    },
    Case {
        name: "open middle game",
        fen: "r1bnkab2/4a3n/3cc4/2P2rNR1/4P4/9/p6pP/2N1BC3/2C1A4/1R2KAB2 b - - 0 1",
        moves: 44,
    },
    Case { name: "ending", fen: "3akab2/9/4b4/9/9/2R6/9/4B4/4A4/4KAB1c b - - 0 1", moves: 18 },
];

/// The positions of [`CASES`].
///
/// # Panics
/// When a position is none or has another number of legal moves than it should.
pub fn positions() -> Vec<Position> {
    CASES
        .iter()
        .map(|case| {
            let position = Position::from_fen(case.fen).unwrap_or_else(|e| panic!("{case:?}: {e}"));
            assert_eq!(position.legal_moves().len() as u64, case.moves, "{case:?}");
            position
        })
        .collect()
}

/// Criterion as all benchmarks here run it: quick by default, every setting open to the command line.
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(30)
        .configure_from_args()
}
