//! The search's board: the game so far, the line being searched, and what the evaluation keeps per ply.

use crate::{
    eval::{Stack, nnue::Network},
    value::Value,
};
use movegen::{History, Move, Position, rules::Rules};

/// History and what the evaluation keeps per ply, pushed and popped together.
pub(crate) struct Tree<'a> {
    history: History,
    stack: Stack<'a>,
    root: usize,
    rules: Rules,
}

/// So many plies before the draw by move count, entries of the table begin to be kept apart by the counter: the same position
/// is worth less the nearer the draw is.
const CLOCK_SALT_BEFORE: u16 = 40;
const CLOCK_SALT_STEP: u16 = 8;
/// So many plies before that draw the table's scores no longer settle a node.
const NO_CUTS_BEFORE: u16 = 20;

impl<'a> Tree<'a> {
    /// A tree that grows from the last position of a game, evaluated by a network or by hand.
    pub(crate) fn new(history: &History, network: Option<&'a Network>, rules: Rules) -> Self {
        let stack = Stack::new(network, history.current());
        Self { root: history.len(), stack, history: history.clone(), rules }
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
    pub(crate) fn push(&mut self, mv: Move) {
        self.stack.push(&mut self.history, mv);
    }

    pub(crate) fn push_null(&mut self) {
        self.stack.push_null(&mut self.history);
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        self.history.pop();
        self.stack.pop();
    }

    /// Static evaluation of the current position.
    pub(crate) fn evaluate(&mut self) -> Value {
        self.stack.evaluate(self.history.current())
    }

    /// Whether the current position has occurred before, in the game or in the line.
    pub(crate) fn has_occurred(&self) -> bool {
        self.occurrences().next().is_some()
    }

    /// Whether the current position has occurred in the game, up to the root.
    pub(crate) fn has_occurred_in_game(&self) -> bool {
        self.occurrences().any(|ply| ply <= self.root)
    }

    /// Earlier positions with the key of the current one, as plies, latest first.
    fn occurrences(&self) -> impl Iterator<Item = usize> {
        let keys = self.history.keys();
        let last = keys.len() - 1;
        let reach = usize::from(self.position().halfmove_clock()).min(last);
        (4..=reach).step_by(2).map(move |back| last - back).filter(move |&ply| keys[ply] == keys[last])
    }

    /// The key under which the table keeps the current position.
    #[inline]
    pub(crate) fn table_key(&self) -> u64 {
        table_key(self.position(), self.rules)
    }

    /// Whether the draw by move count is so near that the table's scores may hide it.
    pub(crate) fn draw_is_near(&self) -> bool {
        self.position().halfmove_clock() + NO_CUTS_BEFORE >= self.rules.no_capture_plies()
    }
}

/// The key under which the table keeps a position.
#[inline]
pub(crate) fn table_key(position: &Position, rules: Rules) -> u64 {
    let (key, clock) = (position.key(), position.halfmove_clock());
    if clock + CLOCK_SALT_BEFORE < rules.no_capture_plies() {
        return key;
    }
    key ^ u64::from(clock / CLOCK_SALT_STEP).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
