//! The search as its users see it: a table and histories that outlive a search, and `search` itself.

use crate::{
    eval::nnue::Network,
    history::Histories,
    limits::{Control, Limits},
    outcome::{Outcome, vote},
    report::{Bound, Info, Score, SearchResult},
    tree::table_key,
    tt::{HashError, Table},
    value::{mated_in, to_score},
    worker::{Counter, Shared, Worker},
};
use core::sync::atomic::{AtomicBool, Ordering};
use movegen::{
    History, Move, Position,
    rules::{Rules, is_drawn_by_count, offending_root_moves},
};
use std::{
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
};

/// Most threads a search can have.
pub const MAX_THREADS: usize = 256;
/// Stack of a helper thread: a frame of the search is some kilobytes in a debug build.
pub const STACK_SIZE: usize = 16 << 20;

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Probe {
    /// The best move.
    pub mv: Option<Move>,
    /// Its score, from the side to move's view.
    pub score: Score,
    /// How the score relates to the true one.
    pub bound: Bound,
    /// Depth in plies of the search it comes from.
    pub depth: u32,
}

/// Looks into the table of a searcher from any thread, also while it searches.
#[derive(Clone, Debug)]
pub struct Prober {
    table: Arc<Table>,
    rules: Rules,
}

impl Prober {
    /// What the table knows of a position.
    pub fn probe(&self, position: &Position) -> Option<Probe> {
        let hit = self.table.probe(table_key(position, self.rules), 0)?;
        let bound = hit.bound?;
        let mv = hit.mv.filter(|&mv| position.is_legal(mv));
        Some(Probe { mv, score: to_score(hit.value), bound, depth: hit.depth.max(0) as u32 })
    }
}

/// A searcher: the transposition table and what the threads learn from search to search.
#[derive(Debug)]
pub struct Searcher {
    table: Arc<Table>,
    threads: Vec<Histories>,
    rules: Rules,
    network: Option<Arc<Network>>,
    /// A search has begun since everything was last forgotten.
    has_learnt: bool,
    /// Gives an old table back.
    disposal: Option<JoinHandle<()>>,
}

/// Gives a table back to the system on a thread of its own: that of a used one takes up to a second, on somebody's clock.
fn dispose(table: Arc<Table>) -> Option<JoinHandle<()>> {
    // Without a thread the table goes at once.
    thread::Builder::new().name("disposal".to_owned()).spawn(move || table.release()).ok()
}

impl Drop for Searcher {
    fn drop(&mut self) {
        dispose(Arc::clone(&self.table));
    }
}

impl Searcher {
    /// A searcher with one thread and a table of `hash_mib` MiB; it evaluates with the embedded network, if there is one.
    ///
    /// # Errors
    /// [`HashError`] if the memory cannot be had.
    pub fn new(hash_mib: usize) -> Result<Self, HashError> {
        Ok(Self {
            table: Arc::new(Table::new(hash_mib)?),
            threads: vec![Histories::new()],
            rules: Rules::default(),
            network: Network::embedded().cloned(),
            has_learnt: false,
            disposal: None,
        })
    }

    /// Replaces the table by an empty one of another size; the old one stays if the memory cannot be had.
    ///
    /// # Errors
    /// [`HashError`] if the memory cannot be had.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), HashError> {
        if self.table.mib() == mib {
            if self.table.is_used() {
                self.clear_table();
            }
            return Ok(());
        }
        if !self.table.is_lightly_used() {
            self.wait_for_disposal();
        }
        // The last one's memory may be what is lacking.
        let table = Table::new(mib).or_else(|_| {
            self.wait_for_disposal();
            Table::new(mib)
        })?;
        self.replace(table);
        Ok(())
    }

    /// Exchanges the table. One that was hardly written to is gone at once.
    fn replace(&mut self, table: Table) {
        let old = std::mem::replace(&mut self.table, Arc::new(table));
        if !old.is_lightly_used() {
            self.disposal = dispose(old);
        }
    }

    /// Waits until the last old table is gone, so that there is never more memory in use than that of the two.
    fn wait_for_disposal(&mut self) {
        if let Some(disposal) = self.disposal.take() {
            let _ = disposal.join();
        }
    }

    /// Size of the table in MiB.
    pub fn hash_mib(&self) -> usize {
        self.table.mib()
    }

    /// Sets how many threads search, 1 to [`MAX_THREADS`].
    pub fn set_threads(&mut self, threads: usize) {
        self.threads.resize_with(threads.clamp(1, MAX_THREADS), Histories::new);
    }

    /// Sets the rules the search plays by; what it has learned under others is forgotten.
    pub fn set_rules(&mut self, rules: impl Into<Rules>) {
        let rules = rules.into();
        if self.rules != rules {
            self.rules = rules;
            self.clear();
        }
    }

    /// The rules the search plays by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Evaluates with another network from now on, or by hand with `None`, and forgets what the old evaluation has led to.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network = network;
        self.clear();
    }

    /// Forgets everything, for a new game. That takes no time worth mentioning if nothing was searched since the last time, or little.
    pub fn clear(&mut self) {
        if self.table.is_used() {
            self.clear_table();
        }
        if std::mem::take(&mut self.has_learnt) {
            self.threads.iter_mut().for_each(Histories::clear);
        }
    }

    fn clear_table(&mut self) {
        if !self.table.is_lightly_used() {
            self.wait_for_disposal();
            if let Some(table) = self.table.fresh() {
                self.replace(table);
                return;
            }
        }
        self.table.clear(self.threads.len());
    }

    /// What the table knows of a position.
    pub fn probe(&self, position: &Position) -> Option<Probe> {
        self.prober().probe(position)
    }

    /// A handle for [`Searcher::probe`] from elsewhere. The table it looks into is the present one: it lives on while the handle
    /// does, but another size, other rules or a new game leave the handle behind.
    pub fn prober(&self) -> Prober {
        Prober { table: Arc::clone(&self.table), rules: self.rules }
    }

    /// The moves to choose from: the allowed ones, without those that lose at once by the law if any other is left.
    fn root_moves(&self, history: &History, limits: &Limits) -> Vec<Move> {
        let allowed = |mv: &Move| limits.root_moves.is_empty() || limits.root_moves.contains(mv);
        let moves: Vec<Move> = history.current().legal_moves().into_iter().filter(allowed).collect();
        let offending = offending_root_moves(history, self.rules);
        let innocent: Vec<Move> = moves.iter().copied().filter(|mv| !offending.contains(mv)).collect();
        if innocent.is_empty() { moves } else { innocent }
    }

    /// Searches the last position of a game until a limit is reached or `control` says stop; blocks.
    ///
    /// With one thread the search runs on the caller's thread and is repeatable; its stack should be [`STACK_SIZE`].
    /// `best` is a legal, allowed move whenever there is one.
    pub fn search(
        &mut self,
        history: &History,
        limits: &Limits,
        control: &Control,
        on_info: &mut (dyn FnMut(Info) + Send),
    ) -> SearchResult {
        let mut found = None;
        self.search_then(history, limits, control, on_info, &mut |result| found = Some(result));
        found.unwrap_or_else(|| unreachable!("every search has a result"))
    }

    /// Searches like [`Searcher::search`] and hands the result, once, to `on_result`, before the helper threads have come to their end:
    /// with more threads than cores that takes a while.
    pub fn search_then(
        &mut self,
        history: &History,
        limits: &Limits,
        control: &Control,
        on_info: &mut (dyn FnMut(Info) + Send),
        on_result: &mut dyn FnMut(SearchResult),
    ) {
        let root_moves = self.root_moves(history, limits);
        if root_moves.is_empty() {
            let value = mated_in(0);
            let (score, pv) = (to_score(value), Vec::new());
            on_result(SearchResult { best: None, ponder: None, score, value, depth: 0, nodes: 0, pv });
            return;
        }
        // Who plays on after the draw by move count wants to know what the moves are worth.
        let is_over = is_drawn_by_count(history, self.rules);
        let rules = if is_over { self.rules.without_move_count() } else { self.rules };
        self.has_learnt = true;
        self.table.age();
        let counters: Vec<Counter> = self.threads.iter().map(|_| Counter::default()).collect();
        let findings: Vec<Mutex<Option<Outcome>>> = self.threads.iter().map(|_| Mutex::default()).collect();
        let shared = Shared {
            table: &self.table,
            network: self.network.as_deref(),
            control,
            limits,
            rules,
            counters: &counters,
            findings: &findings,
            done: AtomicBool::new(false),
        };
        let Some((main, helpers)) = self.threads.split_first_mut() else {
            unreachable!("there is a main thread")
        };
        let (shared, root_moves) = (&shared, &root_moves);
        thread::scope(|scope| {
            let is_over = || control.is_stopped() || shared.done.load(Ordering::Relaxed);
            let helper = |i: usize, histories| {
                let run = move || Worker::new(i, shared, history, root_moves, histories, None).run();
                thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, run)
            };
            // A thread of its own starts them, for that takes long enough with hundreds to make the main thread late. One the system does
            // not give is done without, and so is one that panics.
            let start = move || {
                let started = (1..).zip(helpers).take_while(|_| !is_over());
                let running: Vec<_> =
                    started.filter_map(|(i, histories)| helper(i, histories).ok()).collect();
                for thread in running {
                    let _ = thread.join();
                }
            };
            if counters.len() > 1 {
                let _ = thread::Builder::new().spawn_scoped(scope, start);
            }
            let _done = Done(&shared.done);
            let mut worker = Worker::new(0, shared, history, root_moves, main, Some(on_info));
            worker.run();
            shared.done.store(true, Ordering::Relaxed);
            let mut outcomes = vec![Outcome::of(&worker)];
            // A helper that is just writing keeps what it found to itself: it may have lost its core meanwhile.
            outcomes.extend(findings.iter().filter_map(|finding| finding.try_lock().ok()?.take()));
            let best = outcomes.swap_remove(vote(&outcomes));
            on_result(best.result(history.current(), shared.nodes()));
        });
        self.table.count(shared.nodes());
    }
}

/// Tells the helpers to end when the main thread does, be it by a panic: the scope would wait for them otherwise.
struct Done<'a>(&'a AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_instructions_change_nothing() {
        let embedded = Network::embedded().expect("a network");
        let mut nodes = Vec::new();
        for network in [Arc::clone(embedded), Arc::new(Network::clone(embedded).scalar())] {
            let mut searcher = Searcher::new(1).expect("memory for a small table");
            searcher.set_network(Some(network));
            let limits = Limits { depth: Some(7), ..Limits::default() };
            let history = History::new(Position::startpos());
            let result = searcher.search(&history, &limits, &Control::new(false), &mut |_| {});
            nodes.push((result.nodes, result.best, result.score));
        }
        assert_eq!(nodes[0], nodes[1]);
    }

    #[test]
    fn every_search_has_one_result_whenever_it_is_stopped() {
        let mut searcher = Searcher::new(1).expect("memory for a small table");
        searcher.set_threads(24);
        let history = History::new(Position::startpos());
        for stop_at in [0, 1, 4] {
            let control = Control::new(false);
            if stop_at == 0 {
                control.stop();
            }
            let mut on_info = |info| {
                if matches!(info, Info::Iteration(iteration) if iteration.depth == stop_at) {
                    control.stop();
                }
            };
            let mut results = Vec::new();
            let mut on_result = |result| results.push(result);
            searcher.search_then(&history, &Limits::default(), &control, &mut on_info, &mut on_result);
            assert_eq!(results.len(), 1);
            assert!(results[0].best.is_some_and(|mv| Position::startpos().is_legal(mv)));
            assert!(results[0].depth > 0, "what has been finished counts, and the first iteration is");
        }
    }

    #[test]
    fn one_old_table_is_given_back_at_a_time() {
        let mut searcher = Searcher::new(300).expect("memory for a table");
        let start = Position::startpos();
        for size in [None, Some(301), None, Some(2)] {
            let limits = Limits { depth: Some(2), ..Limits::default() };
            searcher.search(&History::new(start.clone()), &limits, &Control::new(false), &mut |_| {});
            assert!(searcher.probe(&start).is_some());
            searcher.table.count(1 << 20);
            let old = Arc::downgrade(&searcher.table);
            match size {
                Some(mib) => searcher.set_hash(mib).expect("memory for a table"),
                None => searcher.clear(),
            }
            assert!(searcher.probe(&start).is_none());
            searcher.wait_for_disposal();
            assert_eq!(old.strong_count(), 0, "{size:?}");
        }
        let mib = 1 << 40;
        assert_eq!(searcher.set_hash(mib), Err(HashError { mib }));
        assert_eq!(searcher.hash_mib(), 2, "the old one stays");
    }

    /// On the clock of a search that follows, nothing is done that need not be.
    #[test]
    fn a_table_without_a_past_stays() {
        let mut searcher = Searcher::new(300).expect("memory for a table");
        let history = History::new(Position::startpos());
        let first = Arc::as_ptr(&searcher.table);
        searcher.clear();
        searcher.set_network(None);
        searcher.set_hash(300).expect("the present one");
        searcher.set_rules(movegen::rules::RuleSet::Cxa);
        searcher.set_rules(Rules::default());
        assert_eq!(Arc::as_ptr(&searcher.table), first);
        // A slow disposal, and what may follow it without waiting.
        let (slow, wait) = std::sync::mpsc::channel::<()>();
        searcher.disposal = Some(thread::spawn(move || wait.recv().unwrap_or_default()));
        searcher.set_hash(301).expect("memory for a table");
        searcher.clear();
        let limits = Limits { depth: Some(2), ..Limits::default() };
        searcher.search(&history, &limits, &Control::new(false), &mut |_| {});
        searcher.clear();
        assert!(searcher.probe(history.current()).is_none(), "little was there, and it is gone");
        searcher.search(&history, &limits, &Control::new(false), &mut |_| {});
        searcher.set_hash(2).expect("memory for a table");
        assert!(searcher.disposal.is_some(), "nobody has waited for it");
        drop(slow);
        searcher.wait_for_disposal();
    }

    #[test]
    fn the_same_size_again_empties_the_table_where_it_is() {
        let mut searcher = Searcher::new(2).expect("memory for a small table");
        let start = Position::startpos();
        let limits = Limits { depth: Some(2), ..Limits::default() };
        searcher.search(&History::new(start.clone()), &limits, &Control::new(false), &mut |_| {});
        assert!(searcher.probe(&start).is_some());
        let table = Arc::as_ptr(&searcher.table);
        assert_eq!(searcher.set_hash(2), Ok(()));
        assert_eq!((Arc::as_ptr(&searcher.table), searcher.probe(&start)), (table, None));
    }

    #[test]
    fn the_table_can_be_probed_during_a_search() {
        let mut searcher = Searcher::new(1).expect("memory for a small table");
        searcher.set_threads(2);
        let prober = searcher.prober();
        assert_eq!(prober.probe(&Position::startpos()), None);
        let (control, limits) = (Control::new(false), Limits { depth: Some(12), ..Limits::default() });
        let is_found = thread::scope(|scope| {
            let history = History::new(Position::startpos());
            let control = &control;
            let search = scope.spawn(move || searcher.search(&history, &limits, control, &mut |_| {}));
            // Not afterwards: where both threads have written at the same time, the entry may be torn for good.
            let is_found = loop {
                if prober.probe(&Position::startpos()).is_some_and(|probe| probe.mv.is_some()) {
                    break true;
                } else if search.is_finished() {
                    break false;
                }
                thread::yield_now();
            };
            control.stop();
            is_found
        });
        assert!(is_found);
    }
}
