//! What repetition and move count say of a line in the tree.

use crate::{
    tree::Tree,
    value::{DRAW, LAW, Value},
};

/// Plies without a capture after which a game is drawn.
const MOVE_COUNT_DRAW: u16 = 120;

/// The score of the current position if the law ends the game here, from the side to move's view; `None` if it goes on.
///
/// A second occurrence inside the tree, or a third one counting the game, is a loss for a side all of whose moves since gave check,
/// if the other's did not; otherwise a draw.
pub(crate) fn judge(tree: &Tree, ply: usize) -> Option<Value> {
    let (history, position) = (tree.history(), tree.position());
    let clock = usize::from(position.halfmove_clock());
    if clock < 4 {
        return None;
    }
    if position.halfmove_clock() >= MOVE_COUNT_DRAW && (!position.in_check() || position.has_legal_move()) {
        return Some(DRAW);
    }
    let (keys, moves) = (history.keys(), history.moves());
    let now = moves.len();
    let null = moves[now - clock.min(now)..].iter().rposition(Option::is_none).map_or(clock, |i| {
        // Positions before the null move are out of reach.
        clock.min(now) - i - 1
    });
    let reach = clock.min(now).min(null);
    let mut occurrences = 1;
    for back in (4..=reach).step_by(2) {
        if keys[now - back] != position.key() {
            continue;
        }
        occurrences += 1;
        if now - back > tree.root() || occurrences == 3 {
            return Some(verdict(tree, now - back, ply));
        }
    }
    None
}

fn verdict(tree: &Tree, first: usize, ply: usize) -> Value {
    let positions = tree.history().positions();
    let now = positions.len() - 1;
    // A position in check was reached by a checking move of the other side.
    let always_checked = |last: usize| (first + 1..=last).rev().step_by(2).all(|i| positions[i].in_check());
    match (always_checked(now), always_checked(now - 1)) {
        (true, false) => LAW - ply as Value,
        (false, true) => ply as Value - LAW,
        _ => DRAW,
    }
}
