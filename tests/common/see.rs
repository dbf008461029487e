//! Static exchange evaluation by playing the captures out on the board.
//!
//! The rules of the game of captures: the sides take in turn on one point, always with the least valuable piece that can take
//! there now (equal values: the lowest square first), and each may stop when going on would lose. A general takes last, only by
//! its palace step, and only when no enemy could take back. Pins and checks elsewhere are not looked at.

use crate::reference::{Board, Index, Step};

/// What the side to move wins by the move and the best play of the exchange that follows on its target.
///
/// `values` gives the worth of a piece by its FEN letter in upper case; the general's is never asked.
///
/// # Panics
/// When there is no piece on the move's from-square.
pub fn see(board: &Board, step: Step, values: &impl Fn(char) -> i32) -> i32 {
    let captured = board.piece(step.1).map_or(0, |letter| values(letter.to_ascii_uppercase()));
    assert!(board.piece(step.0).is_some(), "a piece moves");
    captured - best_reply(&board.after(step), step.1, values)
}

/// The most the side to move can win by taking on the point, 0 if it had better not.
fn best_reply(board: &Board, target: Index, values: &impl Fn(char) -> i32) -> i32 {
    match least_attacker(board, target, values) {
        Some(from) => see(board, (from, target), values).max(0),
        None => 0,
    }
}

/// The piece of the side to move that takes next on the point.
fn least_attacker(board: &Board, target: Index, values: &impl Fn(char) -> i32) -> Option<Index> {
    let attackers = board.attackers(target, board.red_to_move);
    let is_general = |&from: &Index| matches!(board.piece(from), Some('K' | 'k'));
    let men = attackers.iter().copied().filter(|from| !is_general(from));
    // `min_by_key` keeps the first of equals, and the attackers come in order of their squares.
    let least = men.min_by_key(|&from| values(board.piece(from).map_or('?', |c| c.to_ascii_uppercase())));
    least.or_else(|| {
        let general = attackers.into_iter().find(is_general)?;
        let after = board.after((general, target));
        after.attackers(target, after.red_to_move).is_empty().then_some(general)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::step;

    fn values(kind: char) -> i32 {
        match kind {
            'P' => 1,
            'A' | 'B' => 2,
            'N' => 4,
            'C' => 5,
            _ => 9,
        }
    }

    #[track_caller]
    fn check(fen: &str, mv: &str, expected: i32) {
        assert_eq!(see(&Board::from_fen(fen), step(mv), &values), expected, "{mv} in {fen}");
    }

    #[test]
    fn takes_a_free_piece() {
        check("3k5/9/9/9/4n4/9/9/9/9/4RK3 w - - 0 1", "e0e5", 4);
    }

    #[test]
    fn loses_a_rook_for_a_guarded_horse() {
        check("3k5/9/9/4r4/4n4/9/9/9/9/4RK3 w - - 0 1", "e0e5", 4 - 9);
    }

    #[test]
    fn a_cannon_guards_over_a_screen() {
        // The cannon guards the horse over the pawn on b5, and without that screen not at all.
        check("3k5/9/9/9/cp2n4/9/9/9/9/4RK3 w - - 0 1", "e0e5", 4 - 9);
        check("3k5/9/9/9/c3n4/9/9/9/9/4RK3 w - - 0 1", "e0e5", 4);
    }

    #[test]
    fn a_capture_moves_the_screens() {
        // The rook was the cannon's only screen; with a pawn behind it, the cannon has one just when the rook has gone.
        check("3k5/9/9/9/r3n4/9/9/4R4/9/4CK3 w - - 0 1", "e2e5", 4 - 9);
        check("3k5/9/9/9/r3n4/9/9/4R4/4P4/4CK3 w - - 0 1", "e2e5", 4);
    }

    #[test]
    fn a_general_takes_only_what_is_not_guarded() {
        // Behind the rook that takes stands another one, or none.
        check("4k4/4n4/9/9/9/9/9/9/9/4RK3 w - - 0 1", "e0e8", 4 - 9);
        check("4k4/4n4/9/9/9/9/9/9/4R4/4RK3 w - - 0 1", "e1e8", 4);
    }
}
