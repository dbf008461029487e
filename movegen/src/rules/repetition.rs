//! Cycles: finding them, and what each side did in them. Source: rules.md sections 2 and 4.

use super::{
    Verdict,
    chase::{self, ChaseTest},
    report::{Clause, Observer, Placed, StepReport, Threat, ThreatGain},
    ruleset::{CycleLaw, Law, Pardon},
};
use crate::{Bitboard, Color, History, Move, Position, Square};

/// What a side did in a cycle; the higher level loses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    /// At least one allowed move.
    Allowed,
    /// Chased the same piece on every move.
    Chase,
    /// Checked on every move.
    Check,
}

/// The two sides of a cycle, each indexed by colour.
pub(super) struct Findings {
    pub(super) levels: [Level; 2],
    /// The pieces chased on every move, where they stand at the start of the cycle.
    pub(super) victims: [Bitboard; 2],
    pub(super) pardoned: bool,
}

/// Whether two positions are the same but for their counters.
fn same_board(a: &Position, b: &Position) -> bool {
    a.side_to_move() == b.side_to_move()
        && Color::ALL.into_iter().all(|color| a.by_color(color) == b.by_color(color))
        && crate::PieceKind::ALL.into_iter().all(|kind| a.by_kind(kind) == b.by_kind(kind))
}

/// Earlier occurrences of the position on the board, latest first, as plies; never across a capture or a null move.
pub(super) fn earlier_occurrences(history: &History) -> impl Iterator<Item = usize> {
    let last = history.len();
    let keys = history.keys();
    let window = (history.current().halfmove_clock() as usize).min(last);
    let mut unbroken_from = last;
    (4..=window)
        .step_by(2)
        .map(move |back| last - back)
        .filter(move |&ply| keys[ply] == keys[last])
        .take_while(move |&ply| {
            let unbroken = history.moves()[ply..unbroken_from].iter().all(Option::is_some);
            unbroken_from = ply;
            unbroken
        })
        .filter(|&ply| same_board(&history.positions()[ply], history.current()))
}

/// The verdict of a rule set that looks for cycles, `None` if no position has occurred often enough.
pub(super) fn judge<O: Observer>(
    history: &History,
    law: &Law,
    cycle: CycleLaw,
    observer: &mut O,
) -> Option<Verdict> {
    let last = history.len();
    let first = earlier_occurrences(history).nth(law.trigger - 2)?;
    let findings = assess(history, first, cycle);
    if O::RECORDS {
        observer.span(first, last);
        describe(history, first, cycle.chase.unwrap_or(ChaseTest::Asian), observer);
    }
    let clause = clause(history, first, cycle, &findings);
    let [red, black] = findings.levels;
    observer.clause(clause);
    Some(match red.cmp(&black) {
        core::cmp::Ordering::Equal => Verdict::Draw,
        core::cmp::Ordering::Greater => Verdict::Loses(Color::Red),
        core::cmp::Ordering::Less => Verdict::Loses(Color::Black),
    })
}

/// What each side did on the plies from position `first` to the one on the board.
pub(super) fn assess(history: &History, first: usize, law: CycleLaw) -> Findings {
    let positions = &history.positions()[first..];
    let mut findings =
        Findings { levels: [Level::Allowed; 2], victims: [Bitboard::EMPTY; 2], pardoned: false };
    let (mut all_check, mut any_check) = ([true; 2], false);
    for position in &positions[1..] {
        let check = position.in_check();
        any_check |= check;
        all_check[(!position.side_to_move()).index()] &= check;
    }
    if law.checks && (all_check[0] || all_check[1]) {
        for color in Color::ALL {
            if all_check[color.index()] {
                findings.levels[color.index()] = Level::Check;
            }
        }
        return findings;
    }
    let Some(test) = law.chase else { return findings };
    if law.pardon == Pardon::AnyCheck && any_check {
        findings.pardoned = true;
        return findings;
    }
    findings.victims = common_victims(history, first, test);
    if law.pardon == Pardon::LesserChaser && findings.victims.iter().any(|set| !set.is_empty()) {
        let pardoned = pardoned_victims(history, first, findings.victims);
        for (victims, pardoned) in findings.victims.iter_mut().zip(pardoned) {
            findings.pardoned |= !pardoned.is_empty();
            *victims -= pardoned;
        }
    }
    for color in Color::ALL {
        if !findings.victims[color.index()].is_empty() {
            findings.levels[color.index()] = Level::Chase;
        }
    }
    findings
}

/// The steps of the history from its end back to position `first`: (ply of the position before, before, move, after).
pub(super) fn steps_back(
    history: &History,
    first: usize,
) -> impl Iterator<Item = (usize, (&Position, Move, &Position))> {
    let (positions, moves) = (history.positions(), history.moves());
    (first..history.len())
        .rev()
        .filter_map(move |ply| moves[ply].map(|mv| (ply, (&positions[ply], mv, &positions[ply + 1]))))
}

/// Where the pieces of a set stood before a move.
pub(super) fn undo(mut set: Bitboard, mv: Move) -> Bitboard {
    if set.contains(mv.to()) {
        set.remove(mv.to());
        set.insert(mv.from());
    }
    set
}

/// Per side, the enemy pieces that it chased on every move, as they stand at the start of the cycle.
///
/// Walks back from the end and stops as soon as neither side has such a piece left.
fn common_victims(history: &History, first: usize, test: ChaseTest) -> [Bitboard; 2] {
    let mut victims = [Bitboard::FULL; 2];
    for (_, step) in steps_back(history, first) {
        let (before, mv, _) = step;
        let mover = before.side_to_move();
        let set = &mut victims[mover.index()];
        if !set.is_empty() {
            *set = chase::victims(test, step, *set);
        }
        // The other side's victims are pieces of the mover.
        let others = &mut victims[(!mover).index()];
        if *others != Bitboard::FULL {
            *others = undo(*others, mv);
        }
        if victims[0].is_empty() && victims[1].is_empty() {
            break;
        }
    }
    victims
}

/// Of each side's victims, given and returned as they stand at the start, those that a general or pawn of that side
/// threatened itself on some move.
fn pardoned_victims(history: &History, first: usize, victims: [Bitboard; 2]) -> [Bitboard; 2] {
    let (mut now, mut pardoned) = (victims, [Bitboard::EMPTY; 2]);
    for ply in first..history.len() {
        let Some(mv) = history.moves()[ply] else { continue };
        let (before, after) = (&history.positions()[ply], &history.positions()[ply + 1]);
        let mover = before.side_to_move();
        let (us, them) = (mover.index(), (!mover).index());
        // Both sets follow their pieces; a set of the other side's victims holds pieces of the mover.
        for set in [&mut now[them], &mut pardoned[them]] {
            if set.contains(mv.from()) {
                set.remove(mv.from());
                set.insert(mv.to());
            }
        }
        pardoned[us] |= chase::lesser_threats((before, mv, after), now[us]);
    }
    // A cycle ends where it began, but twins may have changed places: go back to the start.
    for (_, (_, mv, _)) in steps_back(history, first) {
        pardoned = pardoned.map(|set| undo(set, mv));
    }
    pardoned
}

/// The clause that the findings mean.
fn clause(history: &History, first: usize, law: CycleLaw, findings: &Findings) -> Clause {
    let [red, black] = findings.levels;
    let offender = if red > black { Color::Red } else { Color::Black };
    match (red.max(black), red == black) {
        _ if !law.checks => Clause::NoOffenceKnown,
        (Level::Check, true) => Clause::MutualCheck,
        (Level::Check, false) => Clause::PerpetualCheck(offender),
        (Level::Chase, true) => Clause::MutualChase,
        (Level::Chase, false) => match placed_now(history, first, findings.victims[offender.index()]) {
            Some(victim) => Clause::PerpetualChase { side: offender, victim },
            None => Clause::IdleRepetition,
        },
        (Level::Allowed, _) if findings.pardoned => Clause::Pardoned(law.pardon),
        (Level::Allowed, _) => Clause::IdleRepetition,
    }
}

/// The first piece of a set given as of the start of the cycle, as it stands at its end.
fn placed_now(history: &History, first: usize, set: Bitboard) -> Option<Placed> {
    let mut square = set.first()?;
    for mv in history.moves()[first..].iter().flatten() {
        if mv.from() == square {
            square = mv.to();
        }
    }
    Some(Placed { piece: history.current().piece_at(square)?, square })
}

/// Tells the observer what every move of the cycle was.
pub(super) fn describe<O: Observer>(history: &History, first: usize, test: ChaseTest, observer: &mut O) {
    // Where each piece stood at the start of the cycle, by the square it stands on now.
    let mut origins = Square::ALL;
    for ply in first..history.len() {
        let Some(mv) = history.moves()[ply] else { continue };
        let (before, after) = (&history.positions()[ply], &history.positions()[ply + 1]);
        origins[mv.to().index()] = origins[mv.from().index()];
        let placed = |square: Square| after.piece_at(square).map(|piece| Placed { piece, square });
        let mut threats = Vec::new();
        let all = Bitboard::FULL;
        chase::new_threats(test, (before, mv, after), all, false, &mut |attacker, victim, gain| {
            if let (Some(attacker), Some(victim)) = (placed(attacker), placed(victim)) {
                let origin = origins[victim.square.index()];
                threats.push(Threat { victim, origin, attacker, gain: ThreatGain::Capture(gain) });
            }
        });
        let Some(moved) = after.piece_at(mv.to()) else { continue };
        observer.step(StepReport {
            ply: ply + 1,
            side: before.side_to_move(),
            piece: moved,
            mv,
            class: super::describe::class(before, mv, after, !threats.is_empty()),
            checkers: after.checkers().iter().filter_map(placed).collect(),
            threats,
            limited: false,
        });
    }
}
