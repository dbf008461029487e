//! The search that gives a position of a game its score, for games being played and for games played long ago.

use crate::data::MATE_SCORE;
use movegen::{History, rules::RuleSet};
use search::nnue::Network;
use search::{Control, HashError, Limits, Score, SearchResult, Searcher};
use std::sync::Arc;

/// A table for some hundred thousand nodes a game.
const HASH_MIB: usize = 4;
/// Scores other than mates stay within this, so that they fit the file.
const MAX_SCORE: i32 = 28_000;
/// A search ends at so many times the nodes after which no new iteration begins.
const HARD_FACTOR: u64 = 8;

/// The hard limit of nodes that goes with a soft one.
pub(crate) fn hard_nodes(soft_nodes: u64) -> u64 {
    soft_nodes.saturating_mul(HARD_FACTOR)
}

/// Searches the positions of games, each game from an empty table.
#[derive(Debug)]
pub(crate) struct Scorer {
    searcher: Searcher,
    limits: Limits,
}

impl Scorer {
    /// A scorer with a table of its own; without a network it evaluates by hand.
    ///
    /// # Errors
    /// [`HashError`] if there is no memory for it.
    pub(crate) fn new(
        soft_nodes: u64,
        hard_nodes: u64,
        rules: RuleSet,
        network: Option<Arc<Network>>,
    ) -> Result<Self, HashError> {
        let mut searcher = Searcher::new(HASH_MIB)?;
        searcher.set_network(network);
        searcher.set_rules(rules);
        let limits = Limits { soft_nodes: Some(soft_nodes), nodes: Some(hard_nodes), ..Limits::default() };
        Ok(Self { searcher, limits })
    }

    /// Forgets the game before: what follows depends on the game to come alone.
    pub(crate) fn begin_game(&mut self) {
        self.searcher.clear();
    }

    /// Searches the last position.
    pub(crate) fn search(&mut self, history: &History) -> SearchResult {
        self.searcher.search(history, &self.limits, &Control::new(false), &mut |_| {})
    }
}

/// A result as a number that fits 16 bits, in the units of the evaluation; mates lie beyond all others.
pub(crate) fn score_of(result: &SearchResult) -> i16 {
    let score = match result.score {
        Score::Cp(_) => result.value.clamp(-MAX_SCORE, MAX_SCORE),
        Score::Mate(plies) if plies > 0 => i32::from(MATE_SCORE) - plies,
        Score::Mate(plies) => -i32::from(MATE_SCORE) - plies,
    };
    score as i16
}
