//! The full-width node: principal variation search with its pruning steps.

use crate::{
    history::Made,
    law,
    ordering::{Context, MovePicker, quiet_score},
    params, reductions,
    report::Bound,
    tt::Hit,
    value::{
        INFINITE, LAW_BOUND, MATE_BOUND, MAX_PLY, NONE, Value, is_by_law, is_decisive, mate_in, mated_in,
    },
    worker::Worker,
};
use arrayvec::ArrayVec;
use movegen::{Color, Move, PieceKind, see_value};

/// What the steps of a node share.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts about a node")]
pub(crate) struct Node {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    /// Whether a cut-off is expected here.
    pub(crate) cut: bool,
    /// Whether the window is open: the node may become part of the principal variation.
    pub(crate) pv: bool,
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

/// Moves tried without a cut-off, for the histories; beyond this many the rest is not worth a penalty.
type Tried = ArrayVec<Move, 48>;

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
            if let Some(value) = law::judge(&self.tree, self.shared.rules, ply) {
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
        if let Some(value) = self.table_cutoff(&node, excluded) {
            return value;
        }
        self.frames[ply + 2].cutoffs = 0;
        self.frames[ply + 2].killers = [None; 2];

        // Who asks for a mate wants it found, however little its first moves promise.
        let prune = self.shared.limits.mate.is_none();
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

    /// Counts the node; true if the search has to stop.
    fn enter(&mut self, ply: usize, pv: bool) -> bool {
        self.count_node();
        if pv {
            self.frames[ply].pv.clear();
            self.seldepth = self.seldepth.max(ply + 1);
        }
        self.stopped
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
        // Near the draw by move count the table's score may hide it.
        (usable && self.tree.position().halfmove_clock() < 100).then_some(value)
    }

    /// Hopeless at low depth: only captures could help, and they do not.
    fn try_razoring(&mut self, node: &Node) -> Option<Value> {
        let margin = params::razor_base() + params::razor_slope() * node.depth * node.depth;
        if node.pv || node.depth > 4 || node.eval + margin >= node.alpha || is_decisive(node.alpha) {
            return None;
        }
        let value = self.qsearch(node.alpha, node.alpha + 1, 0, node.ply);
        (value <= node.alpha).then_some(value)
    }

    /// So far above beta that a quiet move will hold it.
    fn try_reverse_futility(node: &Node) -> Option<Value> {
        let margin = params::rfp_margin() * node.depth - params::rfp_improving() * i32::from(node.improving);
        let prune = !node.pv
            && node.depth <= params::rfp_depth()
            && node.estimate - margin >= node.beta
            && node.estimate < LAW_BOUND
            && node.beta > -LAW_BOUND;
        prune.then_some(i32::midpoint(node.estimate, node.beta))
    }

    /// If even passing holds beta, a real move will. Verified by a reduced search at high depth; not without pieces that can
    /// move freely, where passing may be the best move.
    fn try_null_move(&mut self, node: &Node) -> Option<Value> {
        let us = self.tree.position().side_to_move();
        let after_null = node.ply > 0 && self.frames[node.ply - 1].made.is_none();
        if node.pv
            || node.depth < 3
            || after_null
            || node.ply < self.null_from
            || node.estimate < node.beta
            || node.eval + 18 * node.depth < node.beta + 120
            || node.beta <= -LAW_BOUND
            || !self.has_attackers(us)
        {
            return None;
        }
        let reduction = (params::nmp_base() + params::nmp_slope() * node.depth) / 1024
            + ((node.estimate - node.beta) / params::nmp_eval()).min(3);
        let depth = node.depth - reduction;
        self.frames[node.ply].made = None;
        self.tree.push_null();
        self.shared.table.prefetch(self.tree.table_key());
        let value = -self.search(-node.beta, -node.beta + 1, depth, node.ply + 1, !node.cut);
        self.tree.pop();
        if self.stopped || value < node.beta {
            return None;
        }
        let value = if value >= LAW_BOUND { node.beta } else { value };
        if self.null_from > 0 || node.depth < params::nmp_verify() {
            return Some(value);
        }
        self.null_from = node.ply + 3 * depth.max(0) as usize / 4;
        let verified = self.search(node.beta - 1, node.beta, depth, node.ply, false);
        self.null_from = 0;
        (verified >= node.beta).then_some(value)
    }

    /// Whether a side has rooks, cannons, horses or pawns at all beyond its guards.
    fn has_attackers(&self, color: Color) -> bool {
        let position = self.tree.position();
        let free = position.by_kind(PieceKind::Rook)
            | position.by_kind(PieceKind::Cannon)
            | position.by_kind(PieceKind::Horse);
        !(free & position.by_color(color)).is_empty()
    }

    /// A capture that holds well above beta in a reduced search will hold beta in the full one.
    fn try_probcut(&mut self, node: &Node, key: u64) -> Option<Value> {
        let target = node.beta + params::probcut_margin() - 50 * i32::from(node.improving);
        if node.pv || node.depth < 5 || is_decisive(node.beta) || target >= LAW_BOUND {
            return None;
        }
        if let Some(hit) = node.hit
            && hit.value != NONE
            && hit.depth >= node.depth - 3
            && hit.value < target
        {
            return None;
        }
        let mut picker = MovePicker::probcut(self.tree.position(), node.table_move(), target - node.eval);
        let context = Context::default();
        while let Some(mv) = picker.next(self.tree.position(), self.histories, &context) {
            if self.tree.position().piece_at(mv.to()).is_none()
                || !self.tree.position().see_ge(mv, target - node.eval)
            {
                continue;
            }
            self.make(mv, node.ply);
            let mut value = -self.qsearch(-target, -target + 1, 0, node.ply + 1);
            if value >= target {
                value = -self.search(-target, -target + 1, node.depth - 4, node.ply + 1, !node.cut);
            }
            self.tree.pop();
            if self.stopped {
                return None;
            }
            if value >= target {
                let raw = self.frames[node.ply].raw_eval;
                self.store(key, node.ply, Some(mv), value, raw, node.depth - 3, Bound::Lower, false);
                return Some(value);
            }
        }
        None
    }

    /// Tries the moves in order.
    fn search_moves(&mut self, node: Node, key: u64, excluded: Option<Move>) -> Value {
        let Node { beta, depth, ply, .. } = node;
        let mut alpha = node.alpha;
        let context = self.context(ply);
        let us = self.tree.position().side_to_move();
        let mut picker = MovePicker::new(self.tree.position(), node.table_move());
        let (mut quiets, mut captures) = (Tried::new(), Tried::new());
        let (mut best, mut best_move, mut number) = (-INFINITE, None, 0);
        let root = ply == 0;
        let prune = self.shared.limits.mate.is_none();

        while let Some(mv) = picker.next(self.tree.position(), self.histories, &context) {
            if Some(mv) == excluded || root && !self.is_root_candidate(mv) {
                continue;
            }
            number += 1;
            if root {
                self.report_current_move(mv, number);
            }
            let capture = self.tree.position().piece_at(mv.to()).is_some();
            let check = self.tree.position().gives_check(mv);
            let score =
                if capture { 0 } else { quiet_score(self.tree.position(), self.histories, &context, mv) };
            if prune
                && !root
                && best > -LAW_BOUND
                && self.can_skip(&node, alpha, mv, number, capture, check, score)
            {
                if !capture && number >= late_from(&node) {
                    picker.skip_quiets();
                }
                continue;
            }

            let nodes_before = self.nodes;
            let extension = match self.extension(&node, mv, excluded) {
                Ok(extension) => extension,
                // Several moves beat beta: one of them will do.
                Err(cut) => return cut,
            };
            self.make(mv, ply);
            let new_depth = depth - 1 + extension;
            let value = self.search_child(&node, alpha, new_depth, mv, number, capture, check, score);
            self.tree.pop();
            if self.stopped {
                return best.max(alpha);
            }
            if root {
                self.note_root_move(mv, value, alpha, beta, number, self.nodes - nodes_before);
            }

            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if node.pv && !root {
                        self.extend_pv(ply, mv);
                    }
                    if value >= beta {
                        self.frames[ply].cutoffs += 1;
                        break;
                    }
                    alpha = value;
                }
            }
            if Some(mv) != best_move {
                let tried = if capture { &mut captures } else { &mut quiets };
                let _ = tried.try_push(mv);
            }
        }

        if number == 0 {
            // Everything excluded: fail low. Otherwise no legal move: mated or stalemated, both are lost.
            return if excluded.is_some() { node.alpha } else { mated_in(ply) };
        }
        if let Some(mv) = best_move.filter(|_| best >= beta || node.pv) {
            self.reward(&node, us, mv, &quiets, &captures);
        }
        if excluded.is_none() && !(root && self.pv_index > 0) {
            self.learn(&node, key, best, best_move);
        }
        best
    }

    /// Stores the result and corrects the evaluation by it.
    fn learn(&mut self, node: &Node, key: u64, best: Value, best_move: Option<Move>) {
        let bound = if best >= node.beta {
            Bound::Lower
        } else if node.pv && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let raw = if node.in_check { NONE } else { self.frames[node.ply].raw_eval };
        self.store(key, node.ply, best_move, best, raw, node.depth, bound, node.pv);
        let quiet = best_move.is_none_or(|mv| self.tree.position().piece_at(mv.to()).is_none());
        if !node.in_check && quiet && !is_decisive(best) && fits(bound, best, node.eval) {
            self.histories.update_correction(self.tree.position(), best - raw, node.depth);
        }
    }

    /// Makes a move and remembers it as context for the following ones.
    pub(crate) fn make(&mut self, mv: Move, ply: usize) {
        self.frames[ply].made =
            self.tree.position().piece_at(mv.from()).map(|piece| Made { piece, to: mv.to() });
        self.tree.push(mv);
        self.shared.table.prefetch(self.tree.table_key());
    }

    /// What move ordering knows at this ply.
    pub(crate) fn context(&self, ply: usize) -> Context {
        let made = |plies: usize| if ply >= plies { self.frames[ply - plies].made } else { None };
        Context { made: [made(1), made(2), made(4)], killers: self.frames[ply].killers }
    }

    /// Whether a move is so unlikely to matter at this depth that it is left out.
    #[expect(clippy::too_many_arguments, reason = "all of them are the move loop's running state")]
    fn can_skip(
        &self,
        node: &Node,
        alpha: Value,
        mv: Move,
        number: usize,
        capture: bool,
        check: bool,
        score: i32,
    ) -> bool {
        let position = self.tree.position();
        if !self.has_attackers(position.side_to_move()) {
            return false;
        }
        let reduction = Self::reduction(node, number) / 1024;
        let depth = (node.depth - 1 - reduction).max(0);
        if capture || check {
            if capture && !check && depth < 7 && !node.in_check {
                let victim = position.piece_at(mv.to()).map_or(0, |piece| see_value(piece.kind()));
                if node.eval + 230 + 210 * depth + victim <= alpha {
                    return true;
                }
            }
            return !position.see_ge(mv, -params::see_capture() * node.depth);
        }
        if !node.pv && number >= late_from(node) {
            return true;
        }
        if depth < 6 && score < -params::history_prune() * node.depth {
            return true;
        }
        if !node.in_check
            && depth < 10
            && node.eval + params::futility_base() + params::futility_slope() * depth + score / 100 <= alpha
        {
            return true;
        }
        !position.see_ge(mv, -params::see_quiet() * depth * depth)
    }

    /// How much deeper (or shallower) a move is searched; `Err` if the node can be cut at once.
    fn extension(&mut self, node: &Node, mv: Move, excluded: Option<Move>) -> Result<i32, Value> {
        let Some(Hit { mv: Some(table_move), value, depth, bound: Some(bound), .. }) = node.hit else {
            return Ok(0);
        };
        let Node { ply, beta, .. } = *node;
        if mv != table_move
            || ply == 0
            || excluded.is_some()
            || node.depth < params::singular_depth()
            || bound == Bound::Upper
            || value == NONE
            || is_decisive(value)
            || depth < node.depth - 3
            || ply >= 2 * self.root_depth as usize
        {
            return Ok(0);
        }
        let singular_beta = value - params::singular_margin() * node.depth / 16;
        self.frames[ply].excluded = Some(mv);
        let reduced = self.search(singular_beta - 1, singular_beta, (node.depth - 1) / 2, ply, node.cut);
        self.frames[ply].excluded = None;
        // The search below has overwritten what this ply had noted of itself.
        self.frames[ply].eval = node.eval;
        if self.stopped {
            return Ok(0);
        }
        if reduced < singular_beta {
            let double = !node.pv && reduced < singular_beta - params::double_extension();
            return Ok(1 + i32::from(double));
        }
        if singular_beta >= beta && !node.pv {
            return Err(singular_beta);
        }
        Ok(if value >= beta {
            -2
        } else if node.cut {
            -1
        } else {
            0
        })
    }

    /// Reduction of a late move in 1024ths of a ply, before what is known of the move itself.
    fn reduction(node: &Node, number: usize) -> i32 {
        let product = reductions::log_product(node.depth, number);
        params::lmr_base() + product * 1024 / params::lmr_scale() + 700 * i32::from(!node.improving)
            - 800 * i32::from(node.pv)
            + 1500 * i32::from(node.cut)
    }

    /// Searches the position after a move: reduced first if the move comes late, with a null window if it is not the first.
    #[expect(clippy::too_many_arguments, reason = "all of them are the move loop's running state")]
    fn search_child(
        &mut self,
        node: &Node,
        alpha: Value,
        new_depth: i32,
        mv: Move,
        number: usize,
        capture: bool,
        check: bool,
        score: i32,
    ) -> Value {
        let Node { beta, ply, .. } = *node;
        let mut value = -INFINITE;
        let mut full = !node.pv || number > 1;
        let forcing = check && self.shared.limits.mate.is_some();
        if node.depth >= 2 && number > 1 + usize::from(ply == 0) && !forcing {
            let mut reduction = Self::reduction(node, number);
            if capture {
                reduction -= 1024;
            } else {
                reduction -= score * 1024 / params::lmr_history();
                reduction -= 1024 * i32::from(self.frames[ply].killers.contains(&Some(mv)));
            }
            reduction -= 700 * i32::from(check);
            reduction += 900 * i32::from(self.frames[ply + 1].cutoffs > 2);
            reduction -= 700 * i32::from(node.in_check);
            reduction += 500
                * i32::from(node.table_move().is_some_and(|table| {
                    let at = self.tree.history().positions();
                    at[at.len() - 2].piece_at(table.to()).is_some()
                }));
            let depth = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
            if depth < new_depth {
                value = -self.search(-alpha - 1, -alpha, depth, ply + 1, true);
                full = value > alpha;
            }
        }
        if full {
            value = -self.search(-alpha - 1, -alpha, new_depth, ply + 1, !node.cut);
        }
        if node.pv && (number == 1 || value > alpha && (ply == 0 || value < beta)) {
            value = -self.search(-beta, -alpha, new_depth, ply + 1, false);
        }
        value
    }

    fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.frames.split_at_mut(ply + 1);
        let pv = &mut upper[ply].pv;
        pv.clear();
        pv.push(mv);
        let room = pv.remaining_capacity();
        pv.extend(lower[0].pv.iter().take(room).copied());
    }

    /// Strengthens the move that was best and weakens those tried before it.
    fn reward(&mut self, node: &Node, us: Color, best: Move, quiets: &[Move], captures: &[Move]) {
        let bonus = (params::bonus_slope() * node.depth - 60).min(params::bonus_max());
        let malus = -(params::malus_slope() * node.depth - 60).min(params::malus_max());
        if self.tree.position().piece_at(best.to()).is_none() {
            let killers = &mut self.frames[node.ply].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            self.reward_quiet(node.ply, us, best, bonus);
            for &mv in quiets {
                self.reward_quiet(node.ply, us, mv, malus);
            }
        } else {
            self.reward_capture(best, bonus);
        }
        for &mv in captures {
            self.reward_capture(mv, malus);
        }
    }

    fn reward_quiet(&mut self, ply: usize, us: Color, mv: Move, bonus: i32) {
        let Some(piece) = self.tree.position().piece_at(mv.from()) else { return };
        let made = Made { piece, to: mv.to() };
        let contexts = self.context(ply).made;
        self.histories.update_quiet(us, mv, bonus);
        for context in contexts {
            self.histories.update_continuation(context, made, bonus);
        }
    }

    fn reward_capture(&mut self, mv: Move, bonus: i32) {
        let position = self.tree.position();
        if let (Some(piece), Some(victim)) = (position.piece_at(mv.from()), position.piece_at(mv.to())) {
            self.histories.update_capture(Made { piece, to: mv.to() }, victim.kind(), bonus);
        }
    }

    /// Stores a result. A score by the law belongs to the path, not to the position: then only the move is kept.
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
        let hit = if is_by_law(value) {
            Hit { mv, value: NONE, eval, depth, bound: None, pv }
        } else {
            Hit { mv, value, eval, depth, bound: Some(bound), pv }
        };
        self.shared.table.store(key, ply, hit);
    }
}

/// From which move on quiet ones are left out.
fn late_from(node: &Node) -> usize {
    let count = params::lmp_base() + node.depth * node.depth;
    (if node.improving { count } else { count / 2 }).max(1) as usize
}

/// Whether a bound says something against `other`: a lower bound above it, an upper bound below it, an exact value always.
pub(crate) fn fits(bound: Bound, value: Value, other: Value) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => value > other,
        Bound::Upper => value < other,
    }
}

const _: () = assert!(MATE_BOUND > LAW_BOUND);
