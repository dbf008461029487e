//! Club Xiangqi: runs of consecutive checks or chases. Source: rules.md 3.3 (its source texts 1 and 4).
//!
//! No position needs to repeat. With one, two or three pieces, 6, 12 or 18 consecutive checks (or chases of one piece)
//! are allowed; the next one loses.

use super::{
    Verdict,
    chase::{self, ChaseTest},
    repetition::{describe, undo},
    report::{Clause, Observer, Run},
};
use crate::{Bitboard, Color, History, Move, Position};

/// The number of pieces beyond which more of them allow no longer run.
const MOST_PIECES: usize = 3;

/// The longest run that can be within a limit, in moves.
const LONGEST_LIMIT: usize = 18;

/// The kind of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Check,
    Chase,
}

/// A run that ends with its side's latest move.
#[derive(Clone, Copy)]
struct Found {
    run: Run,
    /// Plies made before the first move of the run.
    first: usize,
}

impl Found {
    fn is_complete(&self) -> bool {
        self.run.moves > self.run.limit()
    }

    fn is_at_limit(&self) -> bool {
        self.run.moves == self.run.limit()
    }
}

/// The verdict of the run rule, `None` while nobody's run is complete.
pub(super) fn judge<O: Observer>(history: &History, observer: &mut O) -> Option<Verdict> {
    let mover = !history.current().side_to_move();
    let mut waiting = None;
    for kind in [Kind::Check, Kind::Chase] {
        let runs = [mover, !mover].map(|side| longest_run(history, side, kind));
        let complete = runs.map(|found| found.filter(Found::is_complete));
        let (verdict, found, clause) = match complete {
            [None, None] => continue,
            [Some(ours), Some(_)] => (Verdict::Draw, ours, Clause::BothPastLimit),
            [Some(ours), None] if runs[1].is_some_and(|found| found.is_at_limit()) => {
                // The other kind may still decide, and the draws by count.
                waiting = waiting.or(Some(ours));
                continue;
            }
            [Some(one), None] | [None, Some(one)] => {
                let clause = match kind {
                    Kind::Check => Clause::TooManyChecks(one.run),
                    Kind::Chase => Clause::TooManyChases(one.run),
                };
                (Verdict::Loses(one.run.side), one, clause)
            }
        };
        tell(history, found, clause, observer);
        return Some(verdict);
    }
    if let Some(found) = waiting {
        tell(history, found, Clause::WaitingForAnswer(found.run), observer);
    }
    None
}

fn tell<O: Observer>(history: &History, found: Found, clause: Clause, observer: &mut O) {
    if O::RECORDS {
        observer.span(found.first, history.len());
        describe(history, found.first, ChaseTest::Cxq, observer);
        observer.clause(clause);
    }
}

/// Whether the latest move is past its side's limit, but the other side stands at its own: its answer decides.
pub(super) fn awaits_answer(history: &History) -> bool {
    let mover = !history.current().side_to_move();
    [Kind::Check, Kind::Chase].into_iter().any(|kind| {
        longest_run(history, mover, kind).is_some_and(|found| found.is_complete())
            && longest_run(history, !mover, kind).is_some_and(|found| found.is_at_limit())
    })
}

/// The latest run of a side: of checks, or of chases of the victim it has chased longest.
fn longest_run(history: &History, side: Color, kind: Kind) -> Option<Found> {
    let last = last_move_of(history, side)?;
    match kind {
        Kind::Check => check_run(history, side, last),
        Kind::Chase => {
            let victims = chase_step(history, last)
                .map_or(Bitboard::EMPTY, |step| chase::victims(ChaseTest::Cxq, step, Bitboard::FULL));
            let runs = victims.iter().map(|victim| chase_run(history, side, last, victim.into()));
            runs.max_by_key(|found| (found.is_complete(), found.is_at_limit(), found.run.moves))
        }
    }
}

/// The position before the latest move of a side.
fn last_move_of(history: &History, side: Color) -> Option<usize> {
    let len = history.len();
    let back = if history.current().side_to_move() == side { 2 } else { 1 };
    len.checked_sub(back)
}

fn chase_step(history: &History, ply: usize) -> Option<(&Position, Move, &Position)> {
    let mv = history.moves()[ply]?;
    Some((&history.positions()[ply], mv, &history.positions()[ply + 1]))
}

/// The run of checks that ends with the move from position `last`.
fn check_run(history: &History, side: Color, last: usize) -> Option<Found> {
    let mut moves = 0;
    let mut first = last;
    // The pieces that checked, as they stand after the move looked at.
    let mut pieces = Bitboard::EMPTY;
    let mut ply = last;
    loop {
        let after = &history.positions()[ply + 1];
        if !after.in_check() {
            break;
        }
        pieces |= after.checkers() & after.by_color(side);
        moves += 1;
        first = ply;
        let Some(mv) = history.moves()[ply] else { break };
        pieces = undo(pieces, mv);
        if ply < 2 {
            break;
        }
        ply -= 2;
    }
    let count = (pieces.count() as usize).min(MOST_PIECES);
    (moves > 0).then_some(Found { run: Run { side, moves, pieces: count }, first })
}

/// The run of chases of the pieces in `victim` that ends with the move from position `last`.
fn chase_run(history: &History, side: Color, last: usize, mut victim: Bitboard) -> Found {
    let (mut moves, mut first) = (0, last);
    let mut pieces = Bitboard::EMPTY;
    let mut ply = last;
    while let Some(step) = chase_step(history, ply) {
        let mut attackers = Bitboard::EMPTY;
        chase::new_threats(ChaseTest::Cxq, step, victim, false, &mut |attacker, _, _| {
            attackers.insert(attacker);
        });
        if attackers.is_empty() {
            break;
        }
        pieces = undo(pieces | attackers, step.1);
        moves += 1;
        first = ply;
        let Some(earlier) = ply.checked_sub(2) else { break };
        let Some(answer) = history.moves()[ply - 1] else { break };
        victim = undo(victim, answer);
        ply = earlier;
        if moves > LONGEST_LIMIT {
            break;
        }
    }
    let count = (pieces.count() as usize).min(MOST_PIECES);
    Found { run: Run { side, moves, pieces: count }, first }
}

/// Plies of the game that are neither checks nor chases nor answers to them.
///
/// Only plies of the history count: what was played before its first position is unknown.
pub(super) fn effective_plies(history: &History) -> usize {
    if history.len() < super::counts::CXQ_EFFECTIVE_PLIES {
        return 0;
    }
    let (mut effective, mut answers) = (0, false);
    for ply in 0..history.len() {
        let Some(step) = chase_step(history, ply) else { continue };
        let forcing = step.2.in_check() || !chase::victims(ChaseTest::Cxq, step, Bitboard::FULL).is_empty();
        effective += usize::from(!forcing && !answers);
        answers = forcing;
    }
    effective
}
