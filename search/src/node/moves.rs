//! The move loop of a node, and what it learns.

use super::{Node, fits, pruning::late_from};
use crate::{
    history::Made,
    ordering::{Context, MovePicker, quiet_score},
    params,
    report::Bound,
    value::{INFINITE, LAW_BOUND, NONE, Value, is_decisive, mated_in},
    worker::{Taint, Worker},
};
use arrayvec::ArrayVec;
use movegen::{Color, Move};

/// Moves tried without a cut-off, for the histories; beyond this many the rest is not worth a penalty.
type Tried = ArrayVec<Move, 48>;

/// The most that a change of the evaluation adds to a history.
const WEIGHED_MAX: i32 = 1500;

/// A move on trial at a node.
#[derive(Clone, Copy)]
pub(super) struct Trial {
    pub(super) mv: Move,
    /// 1 for the first move tried.
    pub(super) number: usize,
    pub(super) capture: bool,
    pub(super) check: bool,
    /// What the histories think of a quiet move; 0 for a capture.
    pub(super) score: i32,
}

impl Worker<'_> {
    /// Tries the moves in order.
    pub(super) fn search_moves(&mut self, node: Node, key: u64, excluded: Option<Move>) -> Value {
        let Node { beta, ply, .. } = node;
        let (mut alpha, root) = (node.alpha, ply == 0);
        let context = self.context(ply);
        let us = self.tree.position().side_to_move();
        let mut picker = MovePicker::new(self.tree.position(), node.table_move());
        let (mut quiets, mut captures) = (Tried::new(), Tried::new());
        let (mut best, mut best_move, mut number) = (-INFINITE, None, 0);
        let mut taint = if root && self.restricted { Taint::Path } else { Taint::None };
        let prune = !root && self.shared.limits.mate.is_none();

        while let Some(mv) = picker.next(self.tree.position(), self.histories, &context) {
            if Some(mv) == excluded || root && !self.is_root_candidate(mv) {
                continue;
            }
            number += 1;
            if root {
                self.report_current_move(mv, number);
            }
            let trial = self.describe_move(mv, number, &context);
            if prune && best > -LAW_BOUND && self.can_skip(&node, alpha, &trial) {
                if !trial.capture && number >= late_from(&node) {
                    picker.skip_quiets();
                }
                continue;
            }

            let nodes_before = self.nodes;
            let extension = match self.extension(&node, &trial, excluded) {
                Ok(extension) => extension,
                // Several moves beat beta: one of them will do.
                Err(cut) => return cut,
            };
            self.make(mv, ply);
            let value = self.search_child(&node, alpha, best, node.depth - 1 + extension, &trial);
            self.tree.pop();
            if self.stopped {
                return best.max(alpha);
            }
            if root {
                self.note_root_move(mv, value, alpha, beta, number, self.nodes - nodes_before);
            }

            taint = taint.max(self.taint);
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if node.pv && !root {
                        self.extend_pv(ply, mv);
                    }
                    if value >= beta {
                        self.frames[ply].cutoffs += 1;
                        // One move that holds is enough, whatever the law made of the others.
                        taint = self.taint;
                        break;
                    }
                    alpha = value;
                }
            }
            if Some(mv) != best_move {
                let tried = if trial.capture { &mut captures } else { &mut quiets };
                let _ = tried.try_push(mv);
            }
        }

        self.taint = taint;
        if number == 0 {
            // Everything excluded: fail low. Otherwise no legal move: mated or stalemated, both are lost.
            return if excluded.is_some() { node.alpha } else { mated_in(ply) };
        }
        if best >= beta && [best, beta, node.alpha].into_iter().all(|value| !is_decisive(value)) {
            // How far beyond beta is known the less the shallower the search (as in Stockfish).
            best = (best * node.depth + beta) / (node.depth + 1);
        }
        if best_move.is_none() && excluded.is_none() {
            self.reward_last_move(&node);
        }
        if let Some(mv) = best_move.filter(|_| best >= beta || node.pv) {
            self.reward(&node, us, mv, &quiets, &captures);
        }
        if excluded.is_none() && !(root && self.pv_index > 0) {
            self.learn(&node, key, best, best_move);
        }
        best
    }

    fn describe_move(&self, mv: Move, number: usize, context: &Context) -> Trial {
        let position = self.tree.position();
        let capture = position.piece_at(mv.to()).is_some();
        let check = position.gives_check(mv);
        let score = if capture { 0 } else { quiet_score(position, self.histories, context, mv) };
        Trial { mv, number, capture, check, score }
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
        self.store(key, node.ply, best_move, best, raw, node.depth, bound, node.was_pv);
        let quiet = best_move.is_none_or(|mv| self.tree.position().piece_at(mv.to()).is_none());
        if !node.in_check
            && quiet
            && self.taint != Taint::Path
            && !is_decisive(best)
            && fits(bound, best, node.eval)
        {
            self.histories.update_correction(self.tree.position(), best - raw, node.depth);
        }
    }

    /// Searches the position after a move: reduced first if the move comes late, with a null window if it is not the first.
    fn search_child(
        &mut self,
        node: &Node,
        alpha: Value,
        best: Value,
        mut new_depth: i32,
        trial: &Trial,
    ) -> Value {
        let Trial { number, capture, check, score, .. } = *trial;
        let Node { beta, ply, .. } = *node;
        if node.pv {
            // A search with a null window writes no line; that of an earlier move must not be taken for its.
            self.frames[ply + 1].pv.clear();
        }
        let mut value = -INFINITE;
        let mut full = !node.pv || number > 1;
        let forcing = check && self.shared.limits.mate.is_some();
        if node.depth >= 2 && number > 1 + usize::from(ply == 0) && !forcing {
            let mut reduction = Self::reduction(node, number);
            if capture {
                reduction -= params::lmr_capture();
            } else {
                reduction -= score * 1024 / params::lmr_history();
                reduction -=
                    params::lmr_killer() * i32::from(self.frames[ply].killers.contains(&Some(trial.mv)));
            }
            reduction -= params::lmr_was_pv() * i32::from(node.was_pv && !node.pv);
            reduction -= params::lmr_check() * i32::from(check);
            reduction += params::lmr_cutoffs() * i32::from(self.frames[ply + 1].cutoffs > 2);
            reduction -= params::lmr_evasion() * i32::from(node.in_check);
            reduction += params::lmr_table_capture()
                * i32::from(node.table_move().is_some_and(|table| {
                    let at = self.tree.history().positions();
                    at[at.len() - 2].piece_at(table.to()).is_some()
                }));
            let depth = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
            if depth < new_depth {
                value = -self.search(-alpha - 1, -alpha, depth, ply + 1, true);
                if value > alpha {
                    new_depth += i32::from(value > best + params::lmr_deeper() + 2 * new_depth);
                    new_depth -= i32::from(value < best + params::lmr_shallower());
                    full = new_depth > depth;
                } else {
                    full = false;
                }
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

    /// Strengthens a quiet move of the table that settles the node.
    pub(super) fn reward_table_move(&mut self, node: &Node, value: Value) {
        let position = self.tree.position();
        if let Some(mv) = node.table_move()
            && value >= node.beta
            && position.piece_at(mv.to()).is_none()
            && position.is_legal(mv)
        {
            let us = position.side_to_move();
            let bonus = (params::table_bonus() * node.depth - 60).min(params::bonus_max());
            self.reward_quiet(node.ply, us, mv, bonus);
        }
    }

    /// Tells the history what the last move did to the evaluation.
    pub(super) fn weigh_last_move(&mut self, node: &Node) {
        let before = if node.ply > 0 { self.frames[node.ply - 1].eval } else { NONE };
        if before != NONE
            && node.eval != NONE
            && let Some(mv) = self.last_quiet(node.ply)
        {
            let them = !self.tree.position().side_to_move();
            let gain = -params::evaluation_bonus() * (node.eval + before);
            self.histories.update_quiet(them, mv, gain.clamp(-WEIGHED_MAX, WEIGHED_MAX));
        }
    }

    /// Strengthens the move that led to a node where nothing reached alpha.
    fn reward_last_move(&mut self, node: &Node) {
        let Some((mv, made)) = self.last_quiet(node.ply).zip(self.context(node.ply).made[0]) else { return };
        let bonus = (params::prior_bonus() * node.depth - 60).min(params::bonus_max());
        let them = !self.tree.position().side_to_move();
        self.histories.update_quiet(them, mv, bonus);
        let [one, two, four, _] = self.context(node.ply - 1).made;
        for context in [one, two, four] {
            self.histories.update_continuation(context, made, bonus);
        }
    }

    /// The move that led from the ply before to this one, if it took nothing.
    fn last_quiet(&self, ply: usize) -> Option<Move> {
        let history = self.tree.history();
        let before = history.positions().iter().nth_back(1)?;
        let last = history.moves().last().copied().flatten();
        last.filter(|mv| ply > 0 && before.piece_at(mv.to()).is_none())
    }

    fn reward_quiet(&mut self, ply: usize, us: Color, mv: Move, bonus: i32) {
        let Some(piece) = self.tree.position().piece_at(mv.from()) else { return };
        let made = Made { piece, to: mv.to() };
        let Context { made: contexts, pawns, .. } = self.context(ply);
        self.histories.update_quiet(us, mv, bonus);
        self.histories.update_pawns(pawns, made, bonus);
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
}
