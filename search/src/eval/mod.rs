//! Static evaluation: a network, or terms written by hand where there is none.

pub mod linear;
pub mod nnue;
mod psqt;
mod stack;
mod terms;
mod weights;

pub(crate) use stack::Stack;

use crate::{
    report::Score,
    value::{MAX_STATIC, Value, centipawns, to_score},
};
use core::fmt::Write;
use movegen::{Color, PieceKind, Position};
use nnue::Network;
use psqt::Sums;
use std::sync::Arc;

/// The static evaluation in the search's own units, from the side to move's view. Says nothing sensible in check.
///
/// The embedded network's, or the hand-written one's if there is none.
pub fn evaluate(position: &Position) -> i32 {
    evaluate_with(position, Network::embedded().map(Arc::as_ref))
}

/// Whether neither side has a piece that can cross the river: the game is a draw, whatever an evaluation makes of the rest.
pub(crate) fn is_dead(position: &Position) -> bool {
    let crossing = [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon, PieceKind::Pawn];
    crossing.into_iter().all(|kind| position.by_kind(kind).is_empty())
}

/// As [`evaluate`], by this network, or by hand without one.
fn evaluate_with(position: &Position, network: Option<&Network>) -> i32 {
    if is_dead(position) {
        return 0;
    }
    network.map_or_else(|| evaluate_by_hand(position), |network| network.evaluate(position))
}

/// The hand-written evaluation in the search's own units, from the side to move's view.
pub fn evaluate_by_hand(position: &Position) -> i32 {
    evaluate_by_sums(position, &Sums::of(position))
}

/// As [`evaluate_by_hand`], with the running sums at hand.
fn evaluate_by_sums(position: &Position, sums: &Sums) -> Value {
    terms::Terms::of(position, sums).total(position).clamp(-MAX_STATIC, MAX_STATIC)
}

/// The value of a position as a score for the outside, by this network, or by hand without one.
pub fn static_score(position: &Position, network: Option<&Network>) -> Score {
    to_score(evaluate_with(position, network))
}

/// A table of the terms written by hand for people: one line a term, Red's view, in the search's own units; then the score by the
/// network, if one evaluates.
pub fn evaluate_trace(position: &Position, network: Option<&Network>) -> String {
    if position.in_check() {
        return "Static evaluation: none (in check)".to_owned();
    }
    let mut table = terms::Terms::of(position, &Sums::of(position)).table(position);
    if let Some(network) = network {
        let value = centipawns(network.evaluate(position));
        let red = if position.side_to_move() == Color::Red { value } else { -value };
        // Writing to a String cannot fail.
        let _ = write!(table, "\nNetwork         {red:+} (Red's view, +100 is an even chance to win)");
    }
    table
}
