//! Draws by counting moves and by dead material. Source: rules.md 1.3, 3.2 and 3.3.

use super::{
    chase::far_bank,
    ruleset::{CheckAllowance, Law},
};
use crate::{Color, History, PieceKind, Position};

/// Checks of one side that count in full; those beyond are what [`CheckAllowance`] speaks of.
const FREE_CHECKS: u16 = 10;

/// CXQ: moves (two plies) of a whole game, and those of them that are neither checks nor chases nor answers.
pub(super) const CXQ_TOTAL_MOVES: u16 = 300;
pub(super) const CXQ_EFFECTIVE_PLIES: usize = 240;

/// Whether a game under CXQ has all its moves.
pub(super) fn is_full_game(history: &History, law: &Law) -> bool {
    law.counts_moves() && history.current().fullmove_number() > CXQ_TOTAL_MOVES
}

/// Plies since the last capture that count, if they reach the limit of the law.
pub(super) fn no_capture_plies(history: &History, law: &Law) -> Option<u16> {
    let clock = history.current().halfmove_clock();
    if clock < law.no_capture_plies {
        return None;
    }
    let counted = clock.saturating_sub(match law.allowance {
        CheckAllowance::CountAll => 0,
        CheckAllowance::BeyondTen => checks_beyond_ten(history),
        CheckAllowance::TwiceTheMost => twice_the_most(history),
    });
    (counted >= law.no_capture_plies).then_some(counted)
}

/// The plies of the history since its last capture: index of the position they start from.
fn window_start(history: &History) -> usize {
    history.len().saturating_sub(history.current().halfmove_clock() as usize)
}

/// Since the last capture: every check of a side from its eleventh on, and every answer to such a check.
fn checks_beyond_ten(history: &History) -> u16 {
    let positions = history.positions();
    let mut checks = [0; 2];
    let (mut uncounted, mut last_check_uncounted) = (0, false);
    for position in &positions[window_start(history) + 1..] {
        let mover = !position.side_to_move();
        let is_answer = last_check_uncounted;
        last_check_uncounted = false;
        if position.in_check() {
            checks[mover.index()] += 1;
            last_check_uncounted = checks[mover.index()] > FREE_CHECKS;
        }
        uncounted += u16::from(is_answer || last_check_uncounted);
    }
    uncounted
}

/// Since the last capture: twice the checks beyond the tenth of the side that gave more.
fn twice_the_most(history: &History) -> u16 {
    let mut checks = [0u16; 2];
    for position in &history.positions()[window_start(history) + 1..] {
        if position.in_check() {
            checks[(!position.side_to_move()).index()] += 1;
        }
    }
    2 * checks[0].max(checks[1]).saturating_sub(FREE_CHECKS)
}

/// CXQ's progress counter if it reaches the limit: plies since the last capture or advance of a crossed pawn.
pub(super) fn plies_without_progress(history: &History, law: &Law) -> Option<u16> {
    let clock = history.current().halfmove_clock();
    if clock < law.no_capture_plies {
        return None;
    }
    let start = window_start(history);
    let progress = (start..history.len()).rev().find(|&ply| is_pawn_advance(history, ply));
    let plies = progress.map_or(clock, |ply| (history.len() - ply - 1) as u16);
    (plies >= law.no_capture_plies).then_some(plies)
}

/// Whether the move that leads from position `ply` is a step forward of a pawn that has crossed the river.
fn is_pawn_advance(history: &History, ply: usize) -> bool {
    let Some(mv) = history.moves()[ply] else { return false };
    let before = &history.positions()[ply];
    let us = before.side_to_move();
    let pawns = before.pieces(us, PieceKind::Pawn) & far_bank(us);
    pawns.contains(mv.from()) && mv.from().file() == mv.to().file()
}

/// Whether neither side has a piece that can leave its half of the board: no R, N, C or P.
pub(super) fn is_dead(position: &Position) -> bool {
    use PieceKind::{Cannon, Horse, Pawn, Rook};
    [Rook, Cannon, Horse, Pawn].into_iter().all(|kind| position.by_kind(kind).is_empty())
}

/// Whether [`is_dead`] or [`is_lone_cannon_draw`] is worth asking: no R, N or P.
pub(super) fn may_be_dead(position: &Position) -> bool {
    use PieceKind::{Horse, Pawn, Rook};
    (position.by_kind(Rook) | position.by_kind(Horse) | position.by_kind(Pawn)).is_empty()
}

/// Whether all that is left to attack with is one cannon, or one each, without the screens a mate would need.
///
/// One cannon needs an advisor of its own side as a screen, or two of the other side's to smother the general with an
/// elephant of its own behind; two cannons of different sides need an advisor. As the exact list of smothered mates is
/// not known, nothing is claimed while a mate in one is on the board.
pub(super) fn is_lone_cannon_draw(position: &Position) -> bool {
    use PieceKind::{Advisor, Cannon, Elephant, Horse, Pawn, Rook};
    let count = |color, kind| position.pieces(color, kind).count();
    if [Rook, Horse, Pawn].into_iter().any(|kind| !position.by_kind(kind).is_empty()) {
        return false;
    }
    let (red, black) = (count(Color::Red, Cannon), count(Color::Black, Cannon));
    let harmless = match (red, black) {
        (1, 0) | (0, 1) => {
            let side = if red == 1 { Color::Red } else { Color::Black };
            count(side, Advisor) == 0 && (count(!side, Advisor) < 2 || count(side, Elephant) == 0)
        }
        (1, 1) => position.by_kind(Advisor).is_empty(),
        _ => false,
    };
    harmless && !has_mate_in_one(position)
}

fn has_mate_in_one(position: &Position) -> bool {
    position.legal_moves().into_iter().any(|mv| !position.play(mv).has_legal_move())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    /// Figure 2 of the Vietnamese rules, a check on every move of Red's, with `clock` plies played before.
    fn checks(clock: u16, plies: usize) -> History {
        let fen = format!("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - {clock} 80");
        let mut history = History::new(Position::from_fen(&fen).expect("a valid figure"));
        for mv in ["f0e0", "e8f8", "e0f0", "f8e8"].into_iter().cycle().take(plies) {
            history.push(mv.parse().expect("a move"));
        }
        history
    }

    #[test]
    fn checks_beyond_the_tenth_and_their_answers_do_not_count() {
        let counted = |clock, plies| no_capture_plies(&checks(clock, plies), RuleSet::Asian.law());
        assert_eq!(counted(100, 19), None);
        // Ten checks and their answers count; from the eleventh check on the counter stands still.
        for plies in 20..30 {
            assert_eq!(counted(100, plies), Some(120), "{plies}");
            assert_eq!(counted(99, plies), None, "{plies}");
        }
    }

    #[test]
    fn fairy_subtracts_twice_the_checks_beyond_the_tenth() {
        let counted = |clock, plies| no_capture_plies(&checks(clock, plies), RuleSet::Fairy.law());
        // 24 plies with 12 checks: 4 are subtracted.
        assert_eq!(counted(80, 24), Some(100));
        assert_eq!(counted(79, 24), None);
        // The league counts every ply.
        assert_eq!(no_capture_plies(&checks(76, 24), RuleSet::UcciLeague.law()), Some(100));
    }

    #[test]
    fn progress_is_a_capture_or_a_step_forward_across_the_river() {
        let plies = |fen: &str, mv: &str| {
            let mut history = History::new(Position::from_fen(fen).expect("a valid FEN"));
            history.push(mv.parse().expect("a move"));
            plies_without_progress(&history, RuleSet::Cxq.law())
        };
        let fen = "3k5/9/9/9/P8/9/P8/9/9/4K3R w - - 70 80";
        assert_eq!(plies(fen, "i0i1"), Some(71));
        assert_eq!(plies(fen, "a5b5"), Some(71), "a sidestep");
        assert_eq!(plies(fen, "a3a4"), Some(71), "not across the river");
        assert_eq!(plies(fen, "a5a6"), None);
    }
}
