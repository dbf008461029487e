//! Steps that spare work: pruning of whole nodes and of single moves, extensions and reductions.

use super::{Node, moves::Trial};
use crate::{
    ordering::{Context, MovePicker},
    params, reductions,
    report::Bound,
    tt::Hit,
    value::{LAW_BOUND, NONE, Value, is_decisive},
    worker::Worker,
};
use movegen::{Color, Move, PieceKind, see_value};

impl Worker<'_> {
    /// Hopeless at low depth: only captures could help, and they do not.
    pub(super) fn try_razoring(&mut self, node: &Node) -> Option<Value> {
        let margin = params::razor_base() + params::razor_slope() * node.depth * node.depth;
        if node.pv || node.depth > 4 || node.eval + margin >= node.alpha || is_decisive(node.alpha) {
            return None;
        }
        let value = self.qsearch(node.alpha, node.alpha + 1, 0, node.ply);
        (value <= node.alpha).then_some(value)
    }

    /// So far above beta that a quiet move will hold it.
    pub(super) fn try_reverse_futility(node: &Node) -> Option<Value> {
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
    pub(super) fn try_null_move(&mut self, node: &Node) -> Option<Value> {
        let us = self.tree.position().side_to_move();
        let after_null = node.ply > 0 && self.frames[node.ply - 1].made.is_none();
        if node.pv
            || node.depth < 3
            || after_null
            || node.ply < self.null_from
            || node.estimate < node.beta
            || node.eval + params::nmp_margin_slope() * node.depth < node.beta + params::nmp_margin()
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

    /// Whether a side has a rook, a cannon or a horse: pieces that are never short of a harmless move.
    pub(super) fn has_attackers(&self, color: Color) -> bool {
        let position = self.tree.position();
        let free = position.by_kind(PieceKind::Rook)
            | position.by_kind(PieceKind::Cannon)
            | position.by_kind(PieceKind::Horse);
        !(free & position.by_color(color)).is_empty()
    }

    /// A capture that holds well above beta in a reduced search will hold beta in the full one.
    pub(super) fn try_probcut(&mut self, node: &Node, key: u64) -> Option<Value> {
        let target =
            node.beta + params::probcut_margin() - params::probcut_improving() * i32::from(node.improving);
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

    /// Whether a move is so unlikely to matter at this depth that it is left out.
    pub(super) fn can_skip(&self, node: &Node, alpha: Value, trial: &Trial) -> bool {
        let Trial { mv, number, capture, check, score } = *trial;
        let position = self.tree.position();
        if !self.has_attackers(position.side_to_move()) {
            return false;
        }
        let reduction = Self::reduction(node, number) / 1024;
        let depth = (node.depth - 1 - reduction).max(0);
        if capture || check {
            if capture && !check && depth < 7 && !node.in_check {
                let victim = position.piece_at(mv.to()).map_or(0, |piece| see_value(piece.kind()));
                if node.eval
                    + params::capture_futility_base()
                    + params::capture_futility_slope() * depth
                    + victim
                    <= alpha
                {
                    return true;
                }
            }
            // A check may well be worth a piece.
            let loss = if check { params::see_check() } else { params::see_capture() };
            return !position.see_ge(mv, -loss * node.depth);
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
    pub(super) fn extension(
        &mut self,
        node: &Node,
        trial: &Trial,
        excluded: Option<Move>,
    ) -> Result<i32, Value> {
        let extension = self.singular_extension(node, trial.mv, excluded)?;
        // A check that loses nothing forces the reply: it costs no depth.
        let forces = extension == 0
            && trial.check
            && self.may_extend(node.ply)
            && self.tree.position().see_ge(trial.mv, 0);
        Ok(if forces { 1 } else { extension })
    }

    /// Searches the others a little below the table's move: if none comes near, it is the only one that matters.
    fn singular_extension(&mut self, node: &Node, mv: Move, excluded: Option<Move>) -> Result<i32, Value> {
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
            || !self.may_extend(ply)
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

    /// Extensions end at twice the depth of the iteration, so that no line runs away.
    pub(super) fn may_extend(&self, ply: usize) -> bool {
        ply < 2 * self.root_depth as usize
    }

    /// Reduction of a late move in 1024ths of a ply, before what is known of the move itself.
    pub(super) fn reduction(node: &Node, number: usize) -> i32 {
        let product = reductions::log_product(node.depth, number);
        params::lmr_base()
            + product * 1024 / params::lmr_scale()
            + params::lmr_worsening() * i32::from(!node.improving)
            - params::lmr_pv() * i32::from(node.pv)
            + params::lmr_cut() * i32::from(node.cut)
    }
}

/// From which move on quiet ones are left out.
pub(super) fn late_from(node: &Node) -> usize {
    let count = params::lmp_base() + node.depth * node.depth;
    (if node.improving { count } else { count / 2 }).max(1) as usize
}
