//! The full-width node of the principal variation search; its steps live in `pruning` and `moves`.

mod moves;
mod pruning;

use crate::{
    history::{Made, pawn_slot},
    law,
    ordering::Context,
    report::Bound,
    tt::Hit,
    value::{LAW_BOUND, MAX_PLY, NONE, Value, is_by_law, mate_in, mated_in},
    worker::{Taint, Worker},
};
use movegen::Move;

/// What the steps of a node share.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "five independent facts about a node")]
pub(crate) struct Node {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    /// Whether a cut-off is expected here.
    pub(crate) cut: bool,
    /// Whether the window is open: the node may become part of the principal variation.
    pub(crate) pv: bool,
    /// Whether it is, or was when the table last saw it, on a principal variation.
    pub(crate) was_pv: bool,
    pub(crate) in_check: bool,
    /// Corrected static evaluation; [`NONE`] in check.
    pub(crate) eval: Value,
    /// The static evaluation improved by what the table knows.
    pub(crate) estimate: Value,
    /// Better off than two plies ago.
    pub(crate) improving: bool,
    pub(crate) hit: Option<Hit>,
}

impl Node {
    fn table_move(&self) -> Option<Move> {
        self.hit.and_then(|hit| hit.mv)
    }
}

impl Worker<'_> {
    /// The value of the current position within the window, from the side to move's view; fail-soft.
    pub(crate) fn search(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        if depth <= 0 {
            return self.qsearch(alpha, beta, 0, ply);
        }
        let pv = beta - alpha > 1;
        if self.enter(ply, pv) {
            return 0;
        }
        if ply > 0 {
            if let Some(value) = self.by_law(ply) {
                return self.jitter(value);
            }
            if ply + 2 >= MAX_PLY {
                return self.plain_evaluation();
            }
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let excluded = self.frames[ply].excluded;
        let key = self.tree.table_key();
        let hit = if excluded.is_some() { None } else { self.shared.table.probe(key, ply) };
        let mut node = self.describe(alpha, beta, depth, ply, cut, pv, hit);
        // Where the game goes round once more the law may be about to speak; neither the table nor an evaluation knows of it.
        let may_claim = ply == 1 && self.tree.has_occurred();
        if !may_claim && let Some(value) = self.table_cutoff(&node, excluded) {
            self.reward_table_move(&node, value);
            return value;
        }
        if excluded.is_none() {
            self.weigh_last_move(&node);
        }
        self.frames[ply + 2].cutoffs = 0;
        self.frames[ply + 2].killers = [None; 2];

        // Who asks for a mate wants it found, however little its first moves promise.
        let prune = self.shared.limits.mate.is_none() && !may_claim;
        if prune && excluded.is_none() && !node.in_check {
            let pruned = self
                .try_razoring(&node)
                .or_else(|| Self::try_reverse_futility(&node))
                .or_else(|| self.try_null_move(&node))
                .or_else(|| self.try_probcut(&node, key));
            if let Some(value) = pruned {
                return value;
            }
        }
        if self.stopped {
            return 0;
        }
        // Without a good first move a full search is not worth its price: internal iterative reduction.
        if node.depth >= 4 && node.table_move().is_none() && (pv || cut) {
            node.depth -= 1;
        }
        self.search_moves(node, key, excluded)
    }

    /// Counts the node and begins it untainted; true if the search has to stop.
    pub(crate) fn enter(&mut self, ply: usize, pv: bool) -> bool {
        self.count_node();
        self.taint = Taint::None;
        if pv {
            self.frames[ply].pv.clear();
            self.seldepth = self.seldepth.max(ply + 1);
        }
        self.stopped
    }

    /// The value if the law ends the game here, and what it rests on.
    pub(crate) fn by_law(&mut self, ply: usize) -> Option<Value> {
        let value = law::judge(&self.tree, self.shared.rules, ply)?;
        self.taint = if is_by_law(value) || self.tree.has_occurred_in_game() {
            Taint::Path
        } else if self.tree.has_occurred() {
            Taint::Cycle
        } else {
            Taint::None
        };
        Some(value)
    }

    /// Draws differ by a tiny amount, so that the search does not settle for the first repetition it meets.
    fn jitter(&self, value: Value) -> Value {
        if value == 0 { (self.nodes & 2) as Value - 1 } else { value }
    }

    /// Static evaluation with what the correction history knows, for nodes that cannot go on.
    pub(crate) fn plain_evaluation(&mut self) -> Value {
        if self.tree.position().in_check() {
            return 0;
        }
        let raw = self.tree.evaluate();
        self.corrected(raw)
    }

    pub(crate) fn corrected(&self, raw: Value) -> Value {
        (raw + self.histories.correction(self.tree.position())).clamp(1 - LAW_BOUND, LAW_BOUND - 1)
    }

    #[expect(clippy::too_many_arguments, reason = "it gathers the node's parts into one value")]
    fn describe(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut: bool,
        pv: bool,
        hit: Option<Hit>,
    ) -> Node {
        let in_check = self.tree.position().in_check();
        let mut node = Node {
            alpha,
            beta,
            depth,
            ply,
            cut,
            pv,
            was_pv: pv || hit.is_some_and(|hit| hit.pv),
            in_check,
            eval: NONE,
            estimate: NONE,
            improving: false,
            hit,
        };
        self.frames[ply].eval = NONE;
        if in_check {
            return node;
        }
        let raw = match hit {
            Some(hit) if hit.eval != NONE => hit.eval,
            _ => self.tree.evaluate(),
        };
        self.frames[ply].raw_eval = raw;
        node.eval = self.corrected(raw);
        node.estimate = node.eval;
        if let Some(Hit { value, bound: Some(bound), .. }) = hit
            && value != NONE
            && fits(bound, value, node.eval)
        {
            node.estimate = value;
        }
        self.frames[ply].eval = node.eval;
        let before = |plies: usize| if ply >= plies { self.frames[ply - plies].eval } else { NONE };
        node.improving = match (before(2), before(4)) {
            (NONE, NONE) => false,
            (NONE, earlier) | (earlier, _) => node.eval > earlier,
        };
        node
    }

    /// A result of the table that settles this node.
    fn table_cutoff(&self, node: &Node, excluded: Option<Move>) -> Option<Value> {
        let Hit { value, depth, bound: Some(bound), .. } = node.hit? else { return None };
        let usable = !node.pv
            && excluded.is_none()
            && value != NONE
            && depth > node.depth - i32::from(value <= node.beta)
            && fits(bound, value, if value >= node.beta { node.beta - 1 } else { node.alpha + 1 });
        (usable && !self.tree.draw_is_near()).then_some(value)
    }

    /// Makes a move and remembers it as context for the following ones.
    pub(crate) fn make(&mut self, mv: Move, ply: usize) {
        // As early as it can be known: memory is slow. Near the draw by move count the table uses another key, and this is in vain.
        self.shared.table.prefetch(self.tree.position().key_after(mv));
        self.frames[ply].made =
            self.tree.position().piece_at(mv.from()).map(|piece| Made { piece, to: mv.to() });
        self.tree.push(mv);
    }

    /// What move ordering knows at this ply.
    pub(crate) fn context(&self, ply: usize) -> Context {
        let made = |plies: usize| if ply >= plies { self.frames[ply - plies].made } else { None };
        let pawns = pawn_slot(self.tree.position());
        Context { made: [1, 2, 4, 6].map(made), killers: self.frames[ply].killers, pawns }
    }

    /// Stores a result. What the law decides belongs to the path, not to the position: a score by the law, or a bound that
    /// holds because the law took a move away, keeps only its move; so does the score of a draw by a cycle.
    ///
    /// Bounds beyond the draw that a cycle inside the tree had a part in are kept: without them 500 games at 4,000 nodes gave
    /// -22 +- 24 Elo.
    #[expect(clippy::too_many_arguments, reason = "they are the entry's fields")]
    pub(crate) fn store(
        &self,
        key: u64,
        ply: usize,
        mv: Option<Move>,
        value: Value,
        eval: Value,
        depth: i32,
        bound: Bound,
        pv: bool,
    ) {
        let path_dependent = match self.taint {
            Taint::None => false,
            Taint::Cycle => value.abs() <= 1,
            Taint::Path => true,
        };
        let hit = if path_dependent || is_by_law(value) {
            Hit { mv, value: NONE, eval, depth, bound: None, pv }
        } else {
            Hit { mv, value, eval, depth, bound: Some(bound), pv }
        };
        self.shared.table.store(key, ply, hit);
    }
}

/// Whether a bound says something against `other`: a lower bound above it, an upper bound below it, an exact value always.
pub(crate) fn fits(bound: Bound, value: Value, other: Value) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => value > other,
        Bound::Upper => value < other,
    }
}
