//! Quiescence: captures, and all evasions in check, until the position is quiet.

use crate::{
    law,
    node::fits,
    ordering::MovePicker,
    params,
    report::Bound,
    tt::Hit,
    value::{INFINITE, LAW_BOUND, MAX_PLY, NONE, Value, is_decisive, mated_in},
    worker::Worker,
};
use movegen::see_value;

impl Worker<'_> {
    /// The value once all captures that matter have been made; `depth` is zero or negative.
    pub(crate) fn qsearch(&mut self, mut alpha: Value, beta: Value, depth: i32, ply: usize) -> Value {
        let pv = beta - alpha > 1;
        self.count_node();
        if pv {
            self.frames[ply].pv.clear();
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if self.stopped {
            return 0;
        }
        if let Some(value) = law::judge(&self.tree, self.shared.rules, ply) {
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

        let in_check = self.tree.position().in_check();
        let (mut best, mut raw, mut futility) = (-INFINITE, NONE, -INFINITE);
        if !in_check {
            raw = match hit {
                Some(hit) if hit.eval != NONE => hit.eval,
                _ => self.tree.evaluate(),
            };
            best = self.corrected(raw);
            if let Some(Hit { value, bound: Some(bound), .. }) = hit
                && value != NONE
                && !is_decisive(value)
                && fits(bound, value, best)
            {
                best = value;
            }
            if best >= beta {
                if hit.is_none() {
                    self.store(key, ply, None, best, raw, depth, Bound::Lower, false);
                }
                return best;
            }
            alpha = alpha.max(best);
            futility = best + params::qs_futility();
        }

        let context = self.context(ply);
        let mut picker = MovePicker::quiescence(self.tree.position(), hit.and_then(|hit| hit.mv));
        let (mut best_move, mut number) = (None, 0);
        while let Some(mv) = picker.next(self.tree.position(), self.histories, &context) {
            number += 1;
            if best > -LAW_BOUND {
                let position = self.tree.position();
                let capture = position.piece_at(mv.to());
                if in_check {
                    // One safe evasion is known: of the quiet ones the first few will do.
                    if capture.is_none() && number > 2 {
                        picker.skip_quiets();
                        continue;
                    }
                } else {
                    let victim = capture.map_or(0, |piece| see_value(piece.kind()));
                    if futility + victim <= alpha && !position.gives_check(mv) {
                        best = best.max(futility + victim);
                        continue;
                    }
                }
                if !position.see_ge(mv, -60) {
                    continue;
                }
            }
            self.make(mv, ply);
            let value = -self.qsearch(-beta, -alpha, depth - 1, ply + 1);
            self.tree.pop();
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        if in_check && number == 0 {
            return mated_in(ply);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        self.store(key, ply, best_move, best, raw, depth.max(-1), bound, false);
        best
    }
}
