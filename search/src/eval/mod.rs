//! Static evaluation.

mod psqt;
mod terms;

pub(crate) use psqt::Sums;

use crate::value::{MAX_STATIC, Value};
use movegen::Position;

/// The static evaluation in centipawns, from the side to move's view. Says nothing sensible in check.
pub fn evaluate(position: &Position) -> i32 {
    evaluate_with(position, &Sums::of(position))
}

/// As [`evaluate`], with the running sums at hand.
pub(crate) fn evaluate_with(position: &Position, sums: &Sums) -> Value {
    terms::Terms::of(position, sums).total(position).clamp(-MAX_STATIC, MAX_STATIC)
}

/// A table of the evaluation's terms for people: one line a term, Red's view, centipawns.
pub fn evaluate_trace(position: &Position) -> String {
    if position.in_check() {
        return "Static evaluation: none (in check)".to_owned();
    }
    terms::Terms::of(position, &Sums::of(position)).table(position)
}
