//! What the evaluation keeps per ply of the line being searched.

use super::{
    evaluate_by_sums, is_dead,
    nnue::{Accumulators, Changes, Network},
    psqt::Sums,
};
use crate::value::Value;
use movegen::{History, Move, Position};

/// Running sums or accumulators, pushed and popped with the moves.
pub(crate) enum Stack<'a> {
    /// For the hand-written evaluation.
    Hand(Vec<Sums>),
    /// For a network.
    Network(Accumulators<'a>),
}

impl<'a> Stack<'a> {
    /// A stack that begins with this position; without a network the hand-written evaluation is used.
    pub(crate) fn new(network: Option<&'a Network>, position: &Position) -> Self {
        match network {
            Some(network) => Self::Network(Accumulators::new(network, position)),
            None => Self::Hand(vec![Sums::of(position)]),
        }
    }

    /// Makes a move on the history and keeps up with it.
    #[inline]
    pub(crate) fn push(&mut self, history: &mut History, mv: Move) {
        match self {
            Self::Hand(stack) => {
                let mut sums = stack.last().copied().unwrap_or_default();
                history.push_with(mv, &mut sums);
                stack.push(sums);
            }
            Self::Network(accumulators) => {
                let mut changes = Changes::default();
                history.push_with(mv, &mut changes);
                accumulators.push(changes);
            }
        }
    }

    /// Passes the turn.
    pub(crate) fn push_null(&mut self, history: &mut History) {
        history.push_null();
        match self {
            Self::Hand(stack) => stack.push(stack.last().copied().unwrap_or_default()),
            Self::Network(accumulators) => accumulators.push(Changes::default()),
        }
    }

    /// Forgets the last ply.
    #[inline]
    pub(crate) fn pop(&mut self) {
        match self {
            Self::Hand(stack) => {
                stack.pop();
            }
            Self::Network(accumulators) => accumulators.pop(),
        }
    }

    /// The value of the position on top.
    pub(crate) fn evaluate(&mut self, position: &Position) -> Value {
        if is_dead(position) {
            return 0;
        }
        match self {
            Self::Hand(stack) => evaluate_by_sums(position, &stack.last().copied().unwrap_or_default()),
            Self::Network(accumulators) => accumulators.evaluate(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::testing::{random_network, random_weights};
    use movegen::Position;

    /// Walks at random, with null moves and steps back, and compares every way to the value.
    fn walk(network: Option<&Network>, expected: impl Fn(&Position) -> i32) {
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..30 {
            let mut history = History::new(Position::startpos());
            let mut stack = Stack::new(network, history.current());
            for _ in 0..160 {
                let moves = history.current().legal_moves();
                let choice = random(10);
                if choice == 0 && !history.is_empty() || moves.is_empty() {
                    history.pop();
                    stack.pop();
                } else if choice == 1 && !history.current().in_check() {
                    stack.push_null(&mut history);
                } else {
                    stack.push(&mut history, moves[random(moves.len())]);
                }
                if random(3) == 0 {
                    assert_eq!(stack.evaluate(history.current()), expected(history.current()));
                }
            }
        }
    }

    #[test]
    fn the_stack_gives_what_a_computation_from_scratch_gives() {
        walk(None, crate::eval::evaluate_by_hand);
        let network = random_network(1);
        walk(Some(&network), |position| network.evaluate(position));
        let scalar = network.clone().scalar();
        walk(Some(&network), |position| scalar.evaluate(position));
        let weights = random_weights(1);
        walk(Some(&network), |position| weights.evaluate(position));
    }

    #[test]
    fn both_sides_see_the_same() {
        let network = random_network(2);
        for fen in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
            "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 b - - 0 1",
        ] {
            let position = Position::from_fen(fen).expect("a valid FEN");
            assert_eq!(network.evaluate(&position), network.evaluate(&position.flip()), "{fen}");
        }
    }
}
