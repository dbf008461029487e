//! One search thread: iterative deepening over the shared table.

use crate::{
    eval::nnue::Network,
    history::{Histories, Made},
    limits::{Control, Limits},
    outcome::Outcome,
    params,
    report::{Bound, Info, Iteration},
    tree::Tree,
    tt::Table,
    value::{INFINITE, LAW_BOUND, MATE, MATE_BOUND, MAX_PLY, NONE, Value, is_decisive, mate_in, to_score},
    wdl::wdl,
};
use arrayvec::ArrayVec;
use core::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Duration,
};
use movegen::{History, Move, rules::Rules};
use std::sync::{Mutex, PoisonError};

/// Deepest iteration.
pub(crate) const MAX_DEPTH: u32 = 120;
/// The flags that end a search are looked at once in so many nodes. Seldom is not enough: with many more threads than cores each of them
/// has to come to a core and look before the last one is gone.
const STOP_INTERVAL: u64 = 32;
/// No limit cuts the first iteration short within so many nodes: a move looked at for a millisecond is far better than the first that
/// is legal.
const FIRST_ITERATION: u64 = 4_096;
/// The clock is looked at once in so many nodes, a multiple of the above.
const CLOCK_INTERVAL: u64 = 512;
/// Root moves are reported only when a search takes longer than this.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

/// A node counter on a cache line of its own: only its thread writes it.
#[repr(align(64))]
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

/// What all threads of a search look at.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) control: &'a Control,
    pub(crate) limits: &'a Limits,
    pub(crate) rules: Rules,
    pub(crate) counters: &'a [Counter],
    /// What each helper has found, by its last finished iteration.
    pub(crate) findings: &'a [Mutex<Option<Outcome>>],
    /// What evaluates; without one the hand-written evaluation does.
    pub(crate) network: Option<&'a Network>,
    /// The main thread is done: helpers end too. Kept apart from the outside `stop`, which a GUI may still want to send.
    pub(crate) done: AtomicBool,
}

impl Shared<'_> {
    pub(crate) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    /// Time on the clock, or what the nodes so far count as.
    fn clock(&self) -> Duration {
        match self.limits.nodes_per_ms {
            Some(rate) => Duration::from_nanos(self.nodes().saturating_mul(1_000_000) / rate),
            None => self.control.clock(),
        }
    }
}

/// What a thread remembers of each ply of the line it is in.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// Corrected evaluation, [`NONE`] in check.
    pub(crate) eval: Value,
    /// As the evaluation gave it.
    pub(crate) raw_eval: Value,
    /// The move made here; `None` for a null move.
    pub(crate) made: Option<Made>,
    pub(crate) killers: [Option<Move>; 2],
    /// Left out by a singular search.
    pub(crate) excluded: Option<Move>,
    /// Cut-offs among the nodes of this ply.
    pub(crate) cutoffs: u32,
    pub(crate) pv: ArrayVec<Move, MAX_PLY>,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            eval: NONE,
            raw_eval: NONE,
            made: None,
            killers: [None; 2],
            excluded: None,
            cutoffs: 0,
            pv: ArrayVec::new(),
        }
    }
}

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// Of the present iteration; `-INFINITE` if it was only shown to be no better than another.
    pub(crate) value: Value,
    /// Of the iteration before.
    pub(crate) previous: Value,
    pub(crate) seldepth: usize,
    pub(crate) nodes: u64,
    pub(crate) pv: Vec<Move>,
}

/// What of the path to a node its value rests on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Taint {
    /// Nothing that is known of.
    None,
    /// A draw by a cycle inside the tree.
    Cycle,
    /// A win or loss by the law, a draw by a position of the game, or a move that only this search may not play.
    Path,
}

/// One thread of the search.
pub(crate) struct Worker<'a> {
    pub(crate) shared: &'a Shared<'a>,
    id: usize,
    pub(crate) tree: Tree<'a>,
    pub(crate) histories: &'a mut Histories,
    pub(crate) frames: Vec<Frame>,
    pub(crate) root_moves: Vec<RootMove>,
    pub(crate) pv_index: usize,
    pub(crate) nodes: u64,
    pub(crate) seldepth: usize,
    pub(crate) root_depth: u32,
    pub(crate) completed: u32,
    pub(crate) stopped: bool,
    /// What of the path to it the value returned last rests on.
    pub(crate) taint: Taint,
    /// Whether some legal move of the root may not be played.
    pub(crate) restricted: bool,
    /// No null move before this ply: set while a null move's cut is verified.
    pub(crate) null_from: usize,
    on_info: Option<&'a mut (dyn FnMut(Info) + Send)>,
}

impl<'a> Worker<'a> {
    /// A thread that will search these root moves. Thread 0 is the main one: it watches the clock and reports.
    pub(crate) fn new(
        id: usize,
        shared: &'a Shared<'a>,
        history: &History,
        root_moves: &[Move],
        histories: &'a mut Histories,
        on_info: Option<&'a mut (dyn FnMut(Info) + Send)>,
    ) -> Self {
        let root_move = |&mv: &Move| RootMove {
            mv,
            value: -INFINITE,
            previous: -INFINITE,
            seldepth: 0,
            nodes: 0,
            pv: vec![mv],
        };
        Self {
            shared,
            id,
            tree: Tree::new(history, shared.network, shared.rules),
            histories,
            frames: vec![Frame::default(); MAX_PLY + 8],
            root_moves: root_moves.iter().map(root_move).collect(),
            pv_index: 0,
            nodes: 0,
            seldepth: 0,
            root_depth: 0,
            completed: 0,
            stopped: false,
            taint: Taint::None,
            restricted: root_moves.len() < history.current().legal_moves().len(),
            null_from: 0,
            on_info,
        }
    }

    /// Searches deeper and deeper until a limit is reached.
    pub(crate) fn run(&mut self) {
        let limits = self.shared.limits;
        let last = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let lines = limits.multi_pv.clamp(1, self.root_moves.len().max(1));
        let mut settled = Settled::default();
        let mut finished: Option<RootMove> = None;
        for depth in 1..=last {
            self.root_depth = depth;
            for root in &mut self.root_moves {
                root.previous = root.value;
            }
            for index in 0..lines {
                self.pv_index = index;
                self.seldepth = 0;
                self.search_root(depth);
                self.root_moves[index..].sort_by_key(|root| core::cmp::Reverse((root.value, root.previous)));
                self.root_moves[..=index].sort_by_key(|root| core::cmp::Reverse(root.value));
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            self.completed = depth;
            for index in 0..lines {
                self.report(index, Bound::Exact);
            }
            self.publish();
            finished = self.root_moves.first().cloned();
            if self.id == 0 && self.is_enough(&mut settled) {
                break;
            }
        }
        if let Some(finished) = finished.filter(|_| self.stopped) {
            self.settle(finished);
        }
    }

    /// Chooses what an iteration that was cut short leaves standing.
    fn settle(&mut self, finished: RootMove) {
        // It proves no loss: the moves it had no time for may hold, so the last finished iteration counts (as in Stockfish).
        if self.root_moves[0].value <= -LAW_BOUND && finished.value > -LAW_BOUND {
            self.root_moves.retain(|root| root.mv != finished.mv);
            self.root_moves.insert(0, finished);
        } else if self.root_moves[0].mv != finished.mv {
            // It may have found a better move: the last line shown is the one played.
            self.report(0, Bound::Exact);
        }
    }

    /// One iteration of one line, with a window around the score of the last one.
    fn search_root(&mut self, depth: u32) {
        let expected = self.root_moves[self.pv_index].previous;
        let mut width = params::aspiration_window() + (expected / 128).abs().min(40);
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && !is_decisive(expected) {
            (alpha, beta) = ((expected - width).max(-INFINITE), (expected + width).min(INFINITE));
        }
        let mut failed_high = 0;
        loop {
            let reduced = (depth as i32 - failed_high).max(1);
            let value = self.search(alpha, beta, reduced, 0, false);
            self.root_moves[self.pv_index..]
                .sort_by_key(|root| core::cmp::Reverse((root.value, root.previous)));
            if self.stopped {
                return;
            }
            if value <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = (value - width).max(-INFINITE);
                failed_high = 0;
                self.report_bound(Bound::Upper);
            } else if value >= beta {
                beta = (value + width).min(INFINITE);
                failed_high = (failed_high + 1).min(3);
                self.report_bound(Bound::Lower);
            } else {
                return;
            }
            width += width / 2 + 4;
            if width > 1_500 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Whether the main thread may stop after a finished iteration.
    fn is_enough(&self, settled: &mut Settled) -> bool {
        let (limits, best) = (self.shared.limits, &self.root_moves[0]);
        if limits.soft_nodes.is_some_and(|nodes| self.shared.nodes() >= nodes) {
            return true;
        }
        if limits
            .mate
            .is_some_and(|moves| best.value >= mate_in(2 * moves.clamp(1, MAX_PLY as u32) as usize - 1))
        {
            return true;
        }
        let Some(soft) = limits.soft_time else { return false };
        let factor = settled.factor(best, self.nodes, self.completed);
        if self.shared.control.is_pondering() {
            return false;
        }
        // With one move to play, or a mate that cannot get shorter, there is nothing to think about.
        let forced = self.root_moves.len() == 1 && self.completed >= 6;
        let mate = best.value.abs() >= MATE_BOUND && (MATE - best.value.abs()) as u32 * 2 <= self.completed;
        forced || mate || self.shared.clock() >= soft.mul_f64(factor)
    }

    /// Counts a node and from time to time looks whether the search must end.
    #[inline]
    pub(crate) fn count_node(&mut self) {
        if self.stopped {
            return;
        }
        self.nodes += 1;
        let counter = &self.shared.counters[self.id].0;
        counter.store(self.nodes, Relaxed);
        let limits = self.shared.limits;
        if let Some(limit) = limits.nodes
            && self.completed > 0
        {
            let alone = self.shared.counters.len() == 1;
            if alone && self.nodes >= limit
                || !alone && self.nodes.is_multiple_of(64) && self.shared.nodes() >= limit
            {
                self.stopped = true;
            }
        }
        if self.nodes.is_multiple_of(STOP_INTERVAL) {
            self.check_stop();
        }
    }

    #[cold]
    fn check_stop(&mut self) {
        if self.completed == 0 && self.nodes < FIRST_ITERATION {
            return;
        }
        let Shared { control, limits, done, .. } = self.shared;
        let out_of_time = || {
            let over = |hard| !control.is_pondering() && control.clock() >= hard;
            self.id == 0 && self.nodes.is_multiple_of(CLOCK_INTERVAL) && limits.hard_time.is_some_and(over)
        };
        self.stopped |= control.is_stopped() || done.load(Relaxed) || out_of_time();
    }

    /// Lets the main thread know what a helper has found.
    fn publish(&self) {
        if self.id > 0 {
            let outcome = Some(Outcome::of(self));
            *self.shared.findings[self.id].lock().unwrap_or_else(PoisonError::into_inner) = outcome;
        }
    }

    /// Whether the root may play this move: it is allowed, and no earlier line has it already.
    pub(crate) fn is_root_candidate(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv)
    }

    /// Writes down what the search of a root move brought.
    pub(crate) fn note_root_move(
        &mut self,
        mv: Move,
        value: Value,
        alpha: Value,
        beta: Value,
        number: usize,
        nodes: u64,
    ) {
        let seldepth = self.seldepth;
        let line = &self.frames[1].pv;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if number == 1 || value > alpha {
            root.value = value;
            root.seldepth = seldepth;
            root.pv.clear();
            root.pv.push(mv);
            if value < beta {
                root.pv.extend(line.iter().copied());
            }
        } else {
            // Only known to be no better than alpha: keeps its place behind those that are.
            root.value = -INFINITE;
        }
    }

    fn report(&mut self, index: usize, bound: Bound) {
        if self.on_info.is_none() {
            return;
        }
        let root = &self.root_moves[index];
        let value = if root.value == -INFINITE { root.previous } else { root.value };
        let iteration = Iteration {
            depth: self.root_depth,
            seldepth: root.seldepth as u32,
            multi_pv: index + 1,
            score: to_score(value),
            bound,
            wdl: wdl(value),
            nodes: self.shared.nodes(),
            time: self.shared.control.elapsed(),
            hashfull: self.shared.table.hashfull(),
            pv: root.pv.clone(),
        };
        self.send(Info::Iteration(iteration));
    }

    /// Reports a window that failed, once the search has taken long enough for anybody to wonder.
    fn report_bound(&mut self, bound: Bound) {
        if self.shared.limits.multi_pv <= 1 && self.shared.control.elapsed() > CURRENT_MOVE_AFTER {
            self.report(0, bound);
        }
    }

    pub(crate) fn report_current_move(&mut self, mv: Move, number: usize) {
        if self.on_info.is_some() && self.shared.control.elapsed() > CURRENT_MOVE_AFTER {
            let number = number + self.pv_index;
            self.send(Info::CurrMove { depth: self.root_depth, mv, number });
        }
    }

    fn send(&mut self, info: Info) {
        if let Some(on_info) = &mut self.on_info {
            on_info(info);
        }
    }
}

/// How settled the choice of the best move is, from iteration to iteration.
#[derive(Default)]
struct Settled {
    best: Option<Move>,
    /// Iterations since the best move last changed.
    stable: u32,
    value: Value,
}

impl Settled {
    /// By how much the soft time limit is stretched or shortened: more while the best move changes, the score falls or the
    /// effort is spread over many moves.
    fn factor(&mut self, best: &RootMove, nodes: u64, depth: u32) -> f64 {
        let fall = if depth > 1 { (self.value - best.value).clamp(-40, 80) } else { 0 };
        self.stable = if self.best == Some(best.mv) { self.stable + 1 } else { 0 };
        self.best = Some(best.mv);
        self.value = best.value;
        let stability = [1.6, 1.25, 1.05, 0.95, 0.88][self.stable.min(4) as usize];
        let trend = 1.0 + f64::from(fall) / 160.0;
        let share = best.nodes as f64 / nodes.max(1) as f64;
        let effort = if depth >= 6 { (1.65 - share).clamp(0.7, 1.4) } else { 1.0 };
        stability * trend * effort
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factors of iterations 1, 2, … with this best move and score; the move took `share` of the nodes.
    fn factors(iterations: &[(&str, Value)], share: f64) -> Vec<f64> {
        let mut settled = Settled::default();
        let factor = |(depth, &(mv, value)): (usize, &(&str, Value))| {
            let mv = mv.parse().expect("a move");
            let nodes = (share * 1_000_000.0) as u64;
            let best = RootMove { mv, value, previous: value, seldepth: 1, nodes, pv: vec![mv] };
            settled.factor(&best, 1_000_000, depth as u32 + 1)
        };
        iterations.iter().enumerate().map(factor).collect()
    }

    #[test]
    fn a_settled_search_takes_less_time() {
        let steady = factors(&[("h2e2", 20); 8], 0.5);
        assert!(steady[..5].windows(2).all(|pair| pair[1] < pair[0]), "{steady:?}");
        let wavering = factors(&[("h2e2", 20), ("b2e2", 20)].repeat(4), 0.5);
        assert!(wavering[7] > 1.5 * steady[7], "{wavering:?}");
        // A falling score takes more time, a rising one a little less.
        let mut falling = [("h2e2", 20); 8];
        falling[7].1 = -40;
        assert!(factors(&falling, 0.5)[7] > 1.3 * steady[7]);
        falling[7].1 = 80;
        let rising = factors(&falling, 0.5)[7];
        assert!(rising < steady[7] && rising > 0.7 * steady[7]);
        // So does effort that is spread over many moves, once there is something to spread.
        assert!(factors(&[("h2e2", 20); 8], 0.1)[7] > 1.2 * steady[7]);
        assert!((factors(&[("h2e2", 20); 4], 0.1)[3] - steady[3]).abs() < 1e-12);
    }
}
