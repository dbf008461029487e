//! A fixed workload: the same positions to the same depth, on one thread with a fresh hash table.
//!
//! Its node count is the signature of a build: equal on every machine, and changed only by what changes the search. So no option counts, not
//! even `EvalFile`: it is always the built-in network that evaluates.

use std::time::{Duration, Instant};

use movegen::{History, Position};
use search::{Control, HashError, Limits, Searcher};

/// Depth of the workload unless another is asked for.
pub const DEFAULT_DEPTH: u32 = 12;
/// Hash table of the workload, MiB.
const HASH_MIB: usize = 16;
/// The positions; the file says where they come from.
const POSITIONS: &str = include_str!("../data/bench.fen");

/// Nodes and time of a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// Nodes searched.
    pub nodes: u64,
    /// Wall time.
    pub time: Duration,
}

impl Report {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }
}

/// The fixed positions.
pub fn positions() -> impl Iterator<Item = &'static str> {
    POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Searches every position to `depth`; `on_position` hears the number (from 1), the FEN and the nodes of each.
/// `None` if `control` stopped it.
///
/// # Errors
/// If there is no memory for the hash table.
///
/// # Panics
/// Never: every position of the file is one.
pub fn run(
    depth: u32,
    control: &Control,
    on_position: &mut dyn FnMut(usize, &str, u64),
) -> Result<Option<Report>, HashError> {
    let mut searcher = Searcher::new(HASH_MIB)?;
    let limits = Limits { depth: Some(depth), multi_pv: 1, ..Limits::default() };
    let start = Instant::now();
    let mut nodes = 0;
    for (i, fen) in positions().enumerate() {
        let position = Position::from_fen(fen).expect("a test reads each of them");
        let result = searcher.search(&History::new(position), &limits, control, &mut |_| {});
        if control.is_stopped() {
            return Ok(None);
        }
        nodes += result.nodes;
        on_position(i + 1, fen, result.nodes);
    }
    Ok(Some(Report { nodes, time: start.elapsed() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_one() {
        assert_eq!(positions().count(), 40);
        for fen in positions() {
            let position = Position::from_fen(fen);
            assert_eq!(position.map(|position| position.fen()).as_deref(), Ok(fen));
        }
    }

    #[test]
    fn two_runs_give_the_same_nodes() {
        let control = Control::new(false);
        let nodes = || run(3, &control, &mut |_, _, _| {}).map(|report| report.map(|report| report.nodes));
        let first = nodes();
        assert!(matches!(first, Ok(Some(count)) if count > 40), "{first:?}");
        assert!(matches!((first, nodes()), (Ok(a), Ok(b)) if a == b));
    }
}
