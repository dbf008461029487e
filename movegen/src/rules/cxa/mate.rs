//! Mate by checks on every move (CXA's "kill"). Source: rules.md 3.4.2.

use super::bounds::Budget;
use crate::{Move, Position};
use std::collections::HashMap;

/// Whether the side to move forces mate by giving check on every move, in at most `moves` of its own moves.
///
/// Only checkmate counts. Moves in `banned` are not played by the attacker, however deep. Iterative deepening with a
/// memory of failures per position; runs out of budget like any failed search.
pub(super) fn mates(position: &Position, moves: u8, banned: &[Move], budget: &mut Budget) -> bool {
    let mut search = Mate { banned, budget, failed: HashMap::new() };
    (1..=moves).any(|moves| search.attack(position, moves))
}

struct Mate<'a> {
    banned: &'a [Move],
    budget: &'a mut Budget,
    /// The number of moves with which a position has failed.
    failed: HashMap<u64, u8>,
}

impl Mate<'_> {
    fn attack(&mut self, position: &Position, moves: u8) -> bool {
        if self.failed.get(&position.key()).is_some_and(|&failed| failed >= moves) {
            return false;
        }
        for mv in super::legal_moves(position) {
            if self.banned.contains(&mv) || !position.gives_check(mv) {
                continue;
            }
            if !self.budget.spend() {
                return false;
            }
            let next = position.play(mv);
            let replies = next.legal_moves();
            if replies.is_empty()
                || (moves > 1 && replies.iter().all(|&reply| self.attack(&next.play(reply), moves - 1)))
            {
                return true;
            }
        }
        self.failed.insert(position.key(), moves);
        false
    }
}
