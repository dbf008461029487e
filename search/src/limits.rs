//! When a search has to end, and how it is told from outside.

use core::{
    num::NonZeroU64,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};
use movegen::Move;
use std::time::Instant;

/// What bounds a search. The first limit reached ends it, though hardly before the first iteration is complete; without any it runs
/// until it is stopped.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Last iteration, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads, though never fewer than the first iteration takes; beyond it exact with one thread.
    pub nodes: Option<u64>,
    /// No new iteration begins after this many nodes.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in this many moves (not plies) is found.
    pub mate: Option<u32>,
    /// No new iteration begins after this time, stretched or shortened by how settled the search is.
    pub soft_time: Option<Duration>,
    /// So many nodes count as a millisecond of the soft time; `None`: time is time.
    pub nodes_per_ms: Option<NonZeroU64>,
    /// The search ends after this time whatever it is doing.
    pub hard_time: Option<Duration>,
    /// The moves that may be played; empty for all legal ones.
    pub root_moves: Vec<Move>,
    /// How many best lines are searched, at least 1.
    pub multi_pv: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            soft_time: None,
            nodes_per_ms: None,
            hard_time: None,
            root_moves: Vec::new(),
            multi_pv: 1,
        }
    }
}

/// The switchboard of a running search, shared with whoever controls it.
///
/// All of it are flags, not events: a `stop` or `ponderhit` that comes before the search has started is not lost.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    created: Instant,
    /// Nanoseconds from `created` to the start of the clock; `u64::MAX` while pondering.
    clock_start: AtomicU64,
}

impl Control {
    /// A fresh switchboard; if `pondering` the clock stands still until [`Control::ponderhit`].
    pub fn new(pondering: bool) -> Self {
        Self {
            stop: AtomicBool::new(false),
            created: Instant::now(),
            clock_start: AtomicU64::new(if pondering { u64::MAX } else { 0 }),
        }
    }

    /// Tells the search to end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Whether the search has been told to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// The opponent played the expected move: the time limits start to count now.
    pub fn ponderhit(&self) {
        let now = self.created.elapsed().as_nanos() as u64;
        // Only the first hit counts; it fails harmlessly when the clock runs already.
        let _ = self.clock_start.compare_exchange(u64::MAX, now, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Whether the clock still stands.
    pub fn is_pondering(&self) -> bool {
        self.clock_start.load(Ordering::Acquire) == u64::MAX
    }

    /// Time since the search was set up, pondering included.
    pub fn elapsed(&self) -> Duration {
        self.created.elapsed()
    }

    /// Time on the clock; zero while pondering.
    pub fn clock(&self) -> Duration {
        match self.clock_start.load(Ordering::Acquire) {
            u64::MAX => Duration::ZERO,
            start => self.created.elapsed().saturating_sub(Duration::from_nanos(start)),
        }
    }
}
