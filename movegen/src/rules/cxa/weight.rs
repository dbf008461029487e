//! How heavy a chase weighs when both sides' moves are all forbidden. Source: rules.md 3.4.6.

use super::{attackers_after, gain::Worth};
use crate::{Bitboard, Move, PieceKind, Position};

/// The weight of a threat, a move or a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Weight {
    pub(super) heavy: bool,
    /// Whether the win of material needs two or more pieces.
    pub(super) joint: bool,
}

impl Weight {
    /// The weight of checks and mate threats.
    pub(super) const CHECK_OR_KILL: Self = Self { heavy: true, joint: false };

    /// A move is heavy if one of its threats is, joint if all of them are.
    pub(super) fn of_move(threats: impl Iterator<Item = Self> + Clone) -> Self {
        Self {
            heavy: threats.clone().any(|threat| threat.heavy),
            joint: threats.into_iter().all(|threat| threat.joint),
        }
    }

    /// A side is heavy if all its moves are, joint if one of them is.
    pub(super) fn of_side(moves: impl Iterator<Item = Self> + Clone) -> Self {
        Self { heavy: moves.clone().all(|mv| mv.heavy), joint: moves.into_iter().any(|mv| mv.joint) }
    }
}

/// The weight of the threat whose winning line this is, in the position after the move with the mover to move again.
pub(super) fn of(position: &Position, line: &[Move]) -> Weight {
    let Some(&first) = line.first() else { return Weight::CHECK_OR_KILL };
    let (attacker, victim) = (Worth::of(position, first.from()), Worth::of(position, first.to()));
    if victim.is_nothing() {
        return Weight { heavy: true, joint: takes_several(position, line) };
    }
    let rook = Worth::of_kind(PieceKind::Rook);
    if victim == rook && attacker != rook {
        return Weight { heavy: true, joint: false };
    }
    let next = position.play_unchecked(first);
    if attackers_after(&next, first.to()).is_empty() {
        let uncovers = !(next.checkers() - first.to().into()).is_empty();
        let false_root = !next.attackers_to(first.to(), next.occupied(), next.side_to_move()).is_empty();
        return Weight { heavy: true, joint: uncovers || false_root };
    }
    Weight { heavy: takes_rook(position, line), joint: true }
}

/// The positions of a line with our move from each and the position after it.
fn our_moves(position: &Position, line: &[Move]) -> Vec<(Position, Move, Position)> {
    let mut now = position.clone();
    let mut steps = Vec::new();
    for (i, &mv) in line.iter().enumerate() {
        let next = now.play_unchecked(mv);
        if i % 2 == 0 {
            steps.push((now, mv, next.clone()));
        }
        now = next;
    }
    steps
}

/// Whether we take a rook somewhere in the line.
fn takes_rook(position: &Position, line: &[Move]) -> bool {
    let rook = Worth::of_kind(PieceKind::Rook);
    our_moves(position, line).iter().any(|(before, mv, _)| Worth::of(before, mv.to()) == rook)
}

/// Whether two or more of our pieces moved or gave check up to the point where the balance wins.
fn takes_several(position: &Position, line: &[Move]) -> bool {
    let mut balance = Worth::default();
    let mut now = position.clone();
    // The pieces that took part, where they stand now.
    let mut parts = Bitboard::EMPTY;
    for (i, &mv) in line.iter().enumerate() {
        let worth = Worth::of(&now, mv.to());
        let next = now.play_unchecked(mv);
        if i % 2 == 0 {
            parts.remove(mv.from());
            parts.insert(mv.to());
            parts |= next.checkers();
            balance = balance + worth;
        } else {
            if parts.contains(mv.to()) {
                // A piece that was taken has taken part all the same; keep it in the count by its square.
                return true;
            }
            balance = balance - worth;
        }
        if parts.more_than_one() {
            return true;
        }
        if balance.wins() {
            return false;
        }
        now = next;
    }
    false
}
