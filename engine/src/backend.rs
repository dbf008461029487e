//! What the engine needs of a search, so that the state machine can be tested with one that obeys the test.

use std::sync::Arc;

use movegen::History;
use movegen::rules::Rules;
use search::nnue::Network;
use search::{Control, HashError, Info, Limits, SearchResult, Searcher};

use crate::window::Prober;

/// A search with its memory.
pub trait Backend: Send + 'static {
    /// Searches the last position of `history` until a limit is reached or `control` says stop, and hands the result to `on_result`,
    /// once. Blocks until all is at rest, which may be later.
    fn search(
        &mut self,
        history: &History,
        limits: &Limits,
        control: &Control,
        on_info: &mut (dyn FnMut(Info) + Send),
        on_result: &mut dyn FnMut(SearchResult),
    );

    /// Gives the hash table another size.
    ///
    /// # Errors
    /// If the memory cannot be had; the old table is still there then.
    fn set_hash(&mut self, mib: usize) -> Result<(), HashError>;

    /// Size of the hash table in MiB.
    fn hash_mib(&self) -> usize;

    /// Sets the number of search threads.
    fn set_threads(&mut self, threads: usize);

    /// Sets the repetition law.
    fn set_rules(&mut self, rules: Rules);

    /// Sets the network that evaluates; `None` for the hand-written evaluation.
    fn set_network(&mut self, network: Option<Arc<Network>>);

    /// Forgets everything learnt so far.
    fn new_game(&mut self);

    /// A handle that tells what the hash table knows of a position, also during a search.
    fn prober(&self) -> Prober;
}

impl Backend for Searcher {
    fn search(
        &mut self,
        history: &History,
        limits: &Limits,
        control: &Control,
        on_info: &mut (dyn FnMut(Info) + Send),
        on_result: &mut dyn FnMut(SearchResult),
    ) {
        self.search_then(history, limits, control, on_info, on_result);
    }

    fn set_hash(&mut self, mib: usize) -> Result<(), HashError> {
        Searcher::set_hash(self, mib)
    }

    fn hash_mib(&self) -> usize {
        Searcher::hash_mib(self)
    }

    fn set_threads(&mut self, threads: usize) {
        Searcher::set_threads(self, threads);
    }

    fn set_rules(&mut self, rules: Rules) {
        Searcher::set_rules(self, rules);
    }

    fn set_network(&mut self, network: Option<Arc<Network>>) {
        Searcher::set_network(self, network);
    }

    fn new_game(&mut self) {
        self.clear();
    }

    fn prober(&self) -> Prober {
        let prober = Searcher::prober(self);
        Arc::new(move |position| prober.probe(position))
    }
}
