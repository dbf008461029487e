//! The search's board: the game so far, the line being searched, and what the evaluation keeps per ply.

use crate::{eval::Sums, value::Value};
use movegen::{History, Move, Position};

/// History and running evaluation sums, pushed and popped together.
pub(crate) struct Tree {
    history: History,
    sums: Vec<Sums>,
    root: usize,
}

/// From this many plies without a capture on, entries of the table are kept apart by the counter: the same position is worth less
/// the nearer the draw by move count is.
const CLOCK_SALT_FROM: u16 = 80;
const CLOCK_SALT_STEP: u16 = 8;

impl Tree {
    /// A tree that grows from the last position of a game.
    pub(crate) fn new(history: &History) -> Self {
        Self { root: history.len(), sums: vec![Sums::of(history.current())], history: history.clone() }
    }

    #[inline]
    pub(crate) fn position(&self) -> &Position {
        self.history.current()
    }

    pub(crate) fn history(&self) -> &History {
        &self.history
    }

    /// How many plies of the history belong to the game.
    pub(crate) fn root(&self) -> usize {
        self.root
    }

    #[inline]
    fn top(&self) -> Sums {
        self.sums[self.history.len() - self.root]
    }

    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        let mut sums = self.top();
        self.history.push_with(mv, &mut sums);
        self.sums.push(sums);
    }

    pub(crate) fn push_null(&mut self) {
        self.sums.push(self.top());
        self.history.push_null();
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        self.history.pop();
        self.sums.pop();
    }

    /// Static evaluation of the current position.
    pub(crate) fn evaluate(&self) -> Value {
        crate::eval::evaluate_with(self.position(), &self.top())
    }

    /// The key under which the table keeps the current position.
    #[inline]
    pub(crate) fn table_key(&self) -> u64 {
        let (key, clock) = (self.position().key(), self.position().halfmove_clock());
        if clock < CLOCK_SALT_FROM {
            return key;
        }
        key ^ u64::from(clock / CLOCK_SALT_STEP).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
