//! The game so far: every position with the move that led to the next.

use crate::{
    moves::Move,
    position::{MoveObserver, Position},
};

/// A game from its first known position on. The search uses the same stack for its tree (copy-make), so that the repetition
/// law reads game and tree alike.
#[derive(Clone, Debug)]
pub struct History {
    positions: Vec<Position>,
    moves: Vec<Option<Move>>,
    keys: Vec<u64>,
}

impl History {
    /// A game that starts here.
    pub fn new(start: Position) -> Self {
        let mut history = Self {
            positions: Vec::with_capacity(256),
            moves: Vec::with_capacity(256),
            keys: Vec::with_capacity(256),
        };
        history.keys.push(start.key());
        history.positions.push(start);
        history
    }

    /// The position now.
    ///
    /// # Panics
    /// Never: the first position cannot be popped.
    #[inline]
    pub fn current(&self) -> &Position {
        self.positions.last().expect("the start position is never removed")
    }

    /// The first position.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// All positions, the first one included: one more than plies.
    #[inline]
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves; `moves()[i]` leads from `positions()[i]` to `positions()[i + 1]`. `None` is a null move of the search.
    #[inline]
    pub fn moves(&self) -> &[Option<Move>] {
        &self.moves
    }

    /// The keys of all positions.
    #[inline]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// How many plies have been made.
    #[inline]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether no ply has been made.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Makes a legal move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.push_with(mv, &mut ());
    }

    /// As [`History::push`], telling `observer` what the move changes.
    #[inline]
    pub fn push_with(&mut self, mv: Move, observer: &mut impl MoveObserver) {
        let mut next = self.current().clone();
        next.make_move_with(mv, observer);
        self.push_position(Some(mv), next);
    }

    /// Passes the turn (search only; must not be called in check).
    pub fn push_null(&mut self) {
        let mut next = self.current().clone();
        next.make_null();
        self.push_position(None, next);
    }

    #[inline]
    fn push_position(&mut self, mv: Option<Move>, next: Position) {
        self.moves.push(mv);
        self.keys.push(next.key());
        self.positions.push(next);
    }

    /// Takes the last ply back and returns its move (`None` inside for a null move); `None` at the start.
    #[inline]
    pub fn pop(&mut self) -> Option<Option<Move>> {
        let mv = self.moves.pop()?;
        self.keys.pop();
        self.positions.pop();
        Some(mv)
    }

    /// Takes plies back until at most `plies` are left.
    pub fn truncate(&mut self, plies: usize) {
        self.moves.truncate(plies);
        self.keys.truncate(plies + 1);
        self.positions.truncate(plies + 1);
    }
}
