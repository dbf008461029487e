//! A search that obeys the test: what it does is written in the node limit.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use engine::{Backend, Prober};
use movegen::rules::Rules;
use movegen::{History, Move, Position, Square};
use search::nnue::Network;
use search::{Bound, Control, HashError, Info, Iteration, Limits, Probe, Score, SearchResult};

/// Node limit: the search panics after its first report.
pub(crate) const PANIC: u64 = 666;
/// Node limit: the search panics before its first report.
pub(crate) const PANIC_AT_ONCE: u64 = 667;
/// Node limit: the search answers with an illegal move.
pub(crate) const ILLEGAL: u64 = 668;
/// Node limit: the search finds itself mated in 4 plies.
pub(crate) const LOST: u64 = 669;
/// Node limit: the best move is not that of the last report.
pub(crate) const CHANGED: u64 = 670;
/// Node limit: hundreds of reports at once, as in a won ending.
pub(crate) const FLOOD: u64 = 671;
/// Node limit: the search shows a line and then does not listen for half a second.
pub(crate) const DEAF: u64 = 672;
/// Node limit: the search answers at once and is at rest half a second later.
pub(crate) const RESTLESS: u64 = 673;
/// A hash table of this many MiB cannot be had.
pub(crate) const NO_MEMORY: usize = 4_096;
/// A hash table of this many MiB takes [`LATENESS`].
pub(crate) const LATE: usize = 4_095;
/// A hash table of this many MiB takes seconds.
pub(crate) const VERY_LATE: usize = 4_094;
/// A hash table of this many MiB can be had only when the present one has 32.
pub(crate) const ONCE_SMALL: usize = 4_093;
/// How long it takes.
pub(crate) const LATENESS: Duration = Duration::from_millis(400);

/// Without a depth or node limit it waits until it is stopped or its time is up.
#[derive(Debug)]
pub(crate) struct Fake {
    hash_mib: usize,
}

impl Fake {
    #[expect(clippy::unnecessary_wraps, reason = "the engine's search can fail to start")]
    pub(crate) fn new(hash_mib: usize) -> Result<Self, HashError> {
        Ok(Self { hash_mib })
    }
}

fn report(depth: u32, multi_pv: usize, time: Duration, pv: Vec<Move>) -> Info {
    Info::Iteration(Iteration {
        depth,
        seldepth: depth + 1,
        multi_pv,
        score: Score::Cp(10),
        bound: Bound::Exact,
        wdl: (300, 500, 200),
        nodes: u64::from(depth) * 100,
        time,
        hashfull: 7,
        pv,
    })
}

impl Backend for Fake {
    fn search(
        &mut self,
        history: &History,
        limits: &Limits,
        control: &Control,
        on_info: &mut (dyn FnMut(Info) + Send),
        on_result: &mut dyn FnMut(SearchResult),
    ) {
        let root = history.current();
        let moves = if limits.root_moves.is_empty() {
            root.legal_moves().to_vec()
        } else {
            limits.root_moves.clone()
        };
        let best = moves[0];
        let ponder = root.play(best).legal_moves().iter().copied().min_by_key(ToString::to_string);
        let pv: Vec<Move> = [best].into_iter().chain(ponder).collect();
        let mut result = SearchResult {
            best: Some(best),
            ponder,
            score: Score::Cp(10),
            value: 26,
            depth: limits.depth.unwrap_or(1),
            nodes: 100,
            pv: pv.clone(),
        };
        let nodes = limits.nodes.unwrap_or_default();
        assert_ne!(nodes, PANIC_AT_ONCE, "told to panic at once");
        for depth in 1..=limits.depth.unwrap_or(1).min(9) {
            on_info(report(depth, 1, Duration::ZERO, pv.clone()));
            for (i, &mv) in moves.iter().enumerate().take(limits.multi_pv).skip(1) {
                on_info(report(depth, i + 1, Duration::ZERO, vec![mv]));
            }
        }
        match nodes {
            PANIC => panic!("told to panic"),
            ILLEGAL => result.best = Some(Move::new(Square::A0, Square::I9)),
            LOST => result = SearchResult { score: Score::Mate(-4), depth: 20, ..result },
            CHANGED => result.best = moves.last().copied(),
            DEAF => thread::sleep(Duration::from_millis(500)),
            FLOOD => {
                for depth in 1..=300 {
                    on_info(report(depth, 1, Duration::from_millis(1_500), pv.clone()));
                }
            }
            _ => {}
        }
        let ends = limits.depth.is_some() || limits.nodes.is_some();
        while !ends && !control.is_stopped() && limits.hard_time.is_none_or(|limit| control.clock() < limit) {
            thread::sleep(Duration::from_millis(1));
        }
        on_result(result);
        if nodes == RESTLESS {
            thread::sleep(Duration::from_millis(500));
        }
    }

    fn set_hash(&mut self, mib: usize) -> Result<(), HashError> {
        if mib == NO_MEMORY || (mib == ONCE_SMALL && self.hash_mib != 32) {
            return Err(HashError { mib });
        }
        match mib {
            LATE => thread::sleep(LATENESS),
            VERY_LATE => thread::sleep(8 * LATENESS),
            _ => {}
        }
        self.hash_mib = mib;
        Ok(())
    }

    fn hash_mib(&self) -> usize {
        self.hash_mib
    }

    fn set_threads(&mut self, _: usize) {}

    fn set_rules(&mut self, _: Rules) {}

    fn set_network(&mut self, _: Option<Arc<Network>>) {}

    fn new_game(&mut self) {}

    fn prober(&self) -> Prober {
        Arc::new(|position| {
            let mv = position.legal_moves().first().copied();
            (*position == Position::startpos()).then_some(Probe {
                mv,
                score: Score::Cp(22),
                bound: Bound::Exact,
                depth: 8,
            })
        })
    }
}
