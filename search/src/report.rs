//! What a search tells: progress while it runs, and its result.

use core::time::Duration;
use movegen::Move;

/// A score from the side to move's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns: at +100 the side to move wins as often as not. From 27,000 on a win by the repetition law.
    Cp(i32),
    /// Plies to mate: positive if the side to move mates, zero or negative if it is mated (0: it is mated now).
    /// Stalemate counts as mate.
    Mate(i32),
}

/// How a score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// One line of analysis: a finished iteration, or a bound found on the way.
#[derive(Clone, PartialEq, Debug)]
pub struct Iteration {
    /// Nominal depth in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second best, …
    pub multi_pv: usize,
    /// From the root side to move's view.
    pub score: Score,
    /// What kind of score it is.
    pub bound: Bound,
    /// Win, draw and loss chances of the side to move, per mille.
    pub wdl: (u16, u16, u16),
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// How full the table is, per mille.
    pub hashfull: u32,
    /// The line, starting with the move for this position.
    pub pv: Vec<Move>,
}

/// Progress of a running search.
#[derive(Clone, PartialEq, Debug)]
pub enum Info {
    /// A line of analysis.
    Iteration(Iteration),
    /// The root move being searched; only after some seconds.
    CurrMove {
        /// Depth of the iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its place in the order, from 1.
        number: usize,
    },
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult {
    /// The move to play; `None` only if no move is allowed.
    pub best: Option<Move>,
    /// The reply expected.
    pub ponder: Option<Move>,
    /// From the side to move's view.
    pub score: Score,
    /// The same in the units of the evaluation, as training wants it; beyond 27,000 a win by the law, beyond 29,500 a mate.
    pub value: i32,
    /// Depth of the last finished iteration; 0 if none was.
    pub depth: u32,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// The line expected, starting with `best`.
    pub pv: Vec<Move>,
}
