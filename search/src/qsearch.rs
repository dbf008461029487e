//! Quiescence: captures, all evasions in check, and at its first ply checks, until the position is quiet.

use crate::{
    node::fits,
    ordering::MovePicker,
    params,
    report::Bound,
    tt::Hit,
    value::{INFINITE, LAW_BOUND, MAX_PLY, NONE, Value, is_decisive, mated_in},
    worker::{Taint, Worker},
};
use movegen::{Move, see_value};

/// What a quiescence node starts from.
struct Stand {
    in_check: bool,
    /// The evaluation as the table keeps it; [`NONE`] in check.
    raw: Value,
    /// What standing still is worth; nothing in check.
    value: Value,
}

impl Worker<'_> {
    /// The value once all captures that matter have been made; `depth` is zero or negative.
    pub(crate) fn qsearch(&mut self, mut alpha: Value, beta: Value, depth: i32, ply: usize) -> Value {
        let pv = beta - alpha > 1;
        if self.enter(ply, pv) {
            return 0;
        }
        if let Some(value) = self.by_law(ply) {
            return value;
        }
        if ply + 2 >= MAX_PLY {
            return self.plain_evaluation();
        }

        let key = self.tree.table_key();
        let hit = self.shared.table.probe(key, ply);
        if let Some(Hit { value, bound: Some(bound), .. }) = hit
            && !pv
            && value != NONE
            && fits(bound, value, if value >= beta { beta - 1 } else { alpha + 1 })
        {
            return value;
        }
        let stand = self.stand(hit.as_ref());
        if stand.value >= beta {
            if hit.is_none() {
                self.store(key, ply, None, stand.value, stand.raw, depth, Bound::Lower, false);
            }
            return stand.value;
        }
        alpha = alpha.max(stand.value);

        let mut best = stand.value;
        let context = self.context(ply);
        let mut picker = MovePicker::quiescence(self.tree.position(), hit.and_then(|hit| hit.mv), depth == 0);
        let (mut best_move, mut number, mut taint) = (None, 0, Taint::None);
        while let Some(mv) = picker.next(self.tree.position(), self.histories, &context) {
            number += 1;
            if best > -LAW_BOUND {
                // One safe evasion is known: of the quiet ones the first few will do.
                if stand.in_check && number > 2 && self.tree.position().piece_at(mv.to()).is_none() {
                    picker.skip_quiets();
                    continue;
                }
                if let Some(at_most) = self.hopeless(&stand, alpha, mv) {
                    best = best.max(at_most);
                    continue;
                }
            }
            self.make(mv, ply);
            let value = -self.qsearch(-beta, -alpha, depth - 1, ply + 1);
            self.tree.pop();
            if self.stopped {
                return 0;
            }
            taint = taint.max(self.taint);
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if value >= beta {
                        taint = self.taint;
                        break;
                    }
                    alpha = value;
                }
            }
        }
        self.taint = taint;
        if stand.in_check && number == 0 {
            return mated_in(ply);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        self.store(key, ply, best_move, best, stand.raw, depth.max(-1), bound, false);
        best
    }

    fn stand(&mut self, hit: Option<&Hit>) -> Stand {
        if self.tree.position().in_check() {
            return Stand { in_check: true, raw: NONE, value: -INFINITE };
        }
        let raw = match hit {
            Some(hit) if hit.eval != NONE => hit.eval,
            _ => self.tree.evaluate(),
        };
        let mut value = self.corrected(raw);
        if let Some(&Hit { value: known, bound: Some(bound), .. }) = hit
            && known != NONE
            && !is_decisive(known)
            && fits(bound, known, value)
        {
            value = known;
        }
        Stand { in_check: false, raw, value }
    }

    /// What a move can bring at most if it is not worth trying: even with the piece it takes it stays below alpha, or it loses
    /// material.
    fn hopeless(&self, stand: &Stand, alpha: Value, mv: Move) -> Option<Value> {
        let position = self.tree.position();
        if !stand.in_check {
            let victim = position.piece_at(mv.to()).map_or(0, |piece| see_value(piece.kind()));
            let at_most = stand.value + params::qs_futility() + victim;
            if at_most <= alpha && !position.gives_check(mv) {
                return Some(at_most);
            }
        }
        (!position.see_ge(mv, -params::qs_see())).then_some(-INFINITE)
    }
}
