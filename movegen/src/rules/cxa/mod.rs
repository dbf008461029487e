//! The Chinese rules (CXA 2011/2020): every move of a cycle is a check, a kill, a chase or allowed. Source: rules.md 3.4.

mod bounds;
mod classify;
mod gain;
mod mate;
mod weight;

use super::{
    Verdict,
    repetition::{self, Level},
    report::{Clause, MoveClass, Observer, Placed, StepReport, Threat, ThreatGain},
    ruleset::Law,
};
use crate::{Bitboard, Color, History, Move, Position, Square, attacks};
use bounds::{Bounds, Budget};
use classify::{Classified, Step};
use core::{cell::RefCell, ops::Range};
use weight::Weight;

/// The verdict if a position has occurred often enough.
pub(super) fn judge<O: Observer>(history: &History, law: &Law, observer: &mut O) -> Option<Verdict> {
    let first = repetition::earlier_occurrences(history).nth(law.trigger - 2)?;
    let cycle = Cycle { history, first, bounds: Bounds::REFEREE, known: RefCell::default() };
    if O::RECORDS {
        observer.span(first, history.len());
        cycle.describe(observer);
    }
    let (verdict, clause) = cycle.verdict();
    observer.clause(clause);
    Some(verdict)
}

/// The verdict on the plies from position `first` on, by searches small enough for a few nodes next to a search's root.
pub(super) fn judge_near_root(history: &History, first: usize) -> Verdict {
    Cycle { history, first, bounds: Bounds::NEAR_ROOT, known: RefCell::default() }.verdict().0
}

/// A cycle whose moves are classified when asked for, each once.
struct Cycle<'a> {
    history: &'a History,
    first: usize,
    bounds: Bounds,
    known: RefCell<Vec<(StepKey, Classified)>>,
}

/// What the class of a move depends on: the keys of the two positions that lead to it, and the move.
type StepKey = (u64, u64, Move);

impl Cycle<'_> {
    fn plies(&self) -> Range<usize> {
        self.first..self.history.len()
    }

    fn plies_of(&self, color: Color) -> impl Iterator<Item = usize> + Clone + '_ {
        self.plies().filter(move |&ply| self.history.positions()[ply].side_to_move() == color)
    }

    /// The class of the move from position `ply`.
    fn class(&self, ply: usize) -> Option<Classified> {
        let (positions, moves) = (self.history.positions(), self.history.moves());
        // The cycle is closed: before its first move comes its last.
        let earlier = if ply == self.first { self.history.len() - 1 } else { ply - 1 };
        let mv = moves[ply]?;
        let key = (positions[earlier].key(), positions[ply].key(), mv);
        if let Some((_, class)) = self.known.borrow().iter().find(|(known, _)| *known == key) {
            return Some(class.clone());
        }
        let step = Step {
            earlier: (&positions[earlier], moves[earlier]?),
            before: &positions[ply],
            mv,
            after: &positions[ply + 1],
        };
        let class = classify::classify(step, self.bounds);
        self.known.borrow_mut().push((key, class.clone()));
        Some(class)
    }

    fn level(&self, color: Color) -> Level {
        let checks = |ply: usize| self.history.positions()[ply + 1].in_check();
        if self.plies_of(color).all(checks) {
            Level::Check
        } else if self
            .plies_of(color)
            .all(|ply| checks(ply) || self.class(ply).is_some_and(|class| class.is_forbidden()))
        {
            Level::Chase
        } else {
            Level::Allowed
        }
    }

    /// Source: rules.md 3.4.7 and 3.4.6.
    fn verdict(&self) -> (Verdict, Clause) {
        let levels = Color::ALL.map(|color| self.level(color));
        let offender = if levels[0] > levels[1] { Color::Red } else { Color::Black };
        match (levels[0].max(levels[1]), levels[0] == levels[1]) {
            (Level::Check, true) => (Verdict::Draw, Clause::MutualCheck),
            (Level::Check, false) => (Verdict::Loses(offender), Clause::PerpetualCheck(offender)),
            (Level::Chase, false) => (Verdict::Loses(offender), Clause::AllForbidden(offender)),
            (Level::Allowed, _) => (Verdict::Draw, Clause::IdleRepetition),
            (Level::Chase, true) => self.weigh(),
        }
    }

    fn weigh(&self) -> (Verdict, Clause) {
        let [red, black] = Color::ALL.map(|color| {
            let weights: Vec<Weight> = self.plies_of(color).filter_map(|ply| self.weight(ply)).collect();
            Weight::of_side(weights.iter().copied())
        });
        if red.heavy != black.heavy {
            let heavier = if red.heavy { Color::Red } else { Color::Black };
            return (Verdict::Loses(heavier), Clause::HeavierOffence(heavier));
        }
        if red.joint != black.joint {
            let single = if red.joint { Color::Black } else { Color::Red };
            return (Verdict::Loses(single), Clause::SingleOffence(single));
        }
        (Verdict::Draw, Clause::EqualOffences)
    }

    fn weight(&self, ply: usize) -> Option<Weight> {
        let class = self.class(ply)?;
        Some(match class.class {
            MoveClass::Chase => Weight::of_move(class.threats.iter().map(|threat| threat.weight)),
            _ => Weight::CHECK_OR_KILL,
        })
    }

    fn describe<O: Observer>(&self, observer: &mut O) {
        let mut origins = Square::ALL;
        for ply in self.plies() {
            let (before, after) = (&self.history.positions()[ply], &self.history.positions()[ply + 1]);
            let (Some(mv), Some(class)) = (self.history.moves()[ply], self.class(ply)) else { continue };
            let Some(piece) = after.piece_at(mv.to()) else { continue };
            origins[mv.to().index()] = origins[mv.from().index()];
            let placed = |square: Square| after.piece_at(square).map(|piece| Placed { piece, square });
            let threats = class.threats.iter().filter_map(|threat| {
                let first = threat.line.first()?;
                Some(Threat {
                    victim: placed(first.to()).or_else(|| placed(after.king(after.side_to_move())))?,
                    origin: origins[first.to().index()],
                    attacker: placed(first.from())?,
                    gain: ThreatGain::Line(threat.line.to_vec()),
                })
            });
            observer.step(StepReport {
                ply: ply + 1,
                side: before.side_to_move(),
                piece,
                mv,
                class: class.class,
                checkers: after.checkers().iter().filter_map(placed).collect(),
                threats: threats.collect(),
                limited: class.limited,
            });
        }
    }
}

/// Whether the side that has just moved, without giving check, threatens to mate by checks: for reports under rule sets
/// that only name this.
pub(super) fn threatens_mate(after: &Position) -> bool {
    let bounds = Bounds::REFEREE;
    mate::mates(&after.turned(), bounds.mate, &[], &mut Budget::new(bounds.nodes))
}

/// The legal moves but captures of the general, which a turned position may offer.
fn legal_moves(position: &Position) -> impl Iterator<Item = Move> + use<> {
    let king = position.king(!position.side_to_move());
    position.legal_moves().into_iter().filter(move |mv| mv.to() != king)
}

/// Whether the mover's general is safe after a move if `transparent` pieces do not count.
fn is_safe(position: &Position, mv: Move, transparent: Bitboard) -> bool {
    let next = position.play_unchecked(mv);
    let us = position.side_to_move();
    let gone = transparent - mv.from().into() - mv.to().into();
    (king_attackers(&next, us) - gone).is_empty()
}

/// The pieces that attack the general of `color`; the enemy general attacks along an open file.
fn king_attackers(position: &Position, color: Color) -> Bitboard {
    let (king, enemy) = (position.king(color), position.king(!color));
    let mut attackers = position.attackers_to(king, position.occupied(), !color);
    if king.file() == enemy.file() && attacks::between(king, enemy).is_disjoint(position.occupied()) {
        attackers.insert(enemy);
    }
    attackers
}

/// The pieces of the side to move that may legally take on `square`.
fn attackers_after(position: &Position, square: Square) -> Bitboard {
    let us = position.side_to_move();
    let attackers = position.attackers_to(square, position.occupied(), us);
    attackers.iter().filter(|&from| position.is_legal(Move::new(from, square))).collect()
}
