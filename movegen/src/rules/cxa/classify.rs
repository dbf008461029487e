//! The class of one move under the Chinese rules. Source: rules.md 3.4.4; steps are numbered as there.

use super::{
    attackers_after,
    bounds::{Bounds, Budget},
    gain::{self, Exchange, Line, Node, Worth},
    legal_moves, mate,
    weight::{self, Weight},
};
use crate::{Bitboard, Color, Move, Piece, PieceKind, Position, rules::report::MoveClass};

/// One move of a cycle, with the move of the other side before it (cyclically).
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    /// The position before the other side's last move, and that move.
    pub(super) earlier: (&'a Position, Move),
    pub(super) before: &'a Position,
    pub(super) mv: Move,
    pub(super) after: &'a Position,
}

/// A new threat: the line that wins, beginning with the threatened move.
#[derive(Clone, Debug)]
pub(super) struct NewThreat {
    pub(super) line: Line,
    pub(super) weight: Weight,
}

/// What a move is.
#[derive(Clone, Debug)]
pub(super) struct Classified {
    pub(super) class: MoveClass,
    pub(super) threats: Vec<NewThreat>,
    /// Whether a search ran out of its budget.
    pub(super) limited: bool,
}

impl Classified {
    fn plain(class: MoveClass, budget: &Budget) -> Self {
        Self { class, threats: Vec::new(), limited: budget.is_exhausted() }
    }

    /// Whether the law forbids such a move when every move of the cycle is one.
    pub(super) fn is_forbidden(&self) -> bool {
        matches!(self.class, MoveClass::Check | MoveClass::Kill | MoveClass::Chase)
    }
}

/// Classifies a move.
pub(super) fn classify(step: Step, bounds: Bounds) -> Classified {
    let mut budget = Budget::new(bounds.nodes);
    // Step 1.
    if step.after.in_check() {
        return Classified::plain(MoveClass::Check, &budget);
    }
    // Step 2.
    let us = step.before.side_to_move();
    if step.before.in_check() && step.mv.to() == step.after.king(us) {
        return Classified::plain(MoveClass::Idle, &budget);
    }
    let scene = Scene::new(step);
    // Step 3.
    let face_offs = scene.face_offs();
    let offers: Vec<Move> =
        face_offs.iter().copied().filter(|&face_off| !scene.bites(face_off, bounds, &mut budget)).collect();
    // Step 4.
    if scene.kills(&face_offs, bounds, &mut budget) {
        return Classified::plain(MoveClass::Kill, &budget);
    }
    // Steps 5 to 7.
    let threats = scene.new_threats(&offers, bounds, &mut budget);
    let class = if !threats.is_empty() && !scene.only_holds(&threats, bounds, &mut budget) {
        MoveClass::Chase
    } else if offers.is_empty() {
        MoveClass::Idle
    } else {
        MoveClass::Exchange
    };
    let threats = if class == MoveClass::Chase { threats } else { Vec::new() };
    Classified { class, threats, limited: budget.is_exhausted() }
}

/// A step seen from the mover: both positions as if it were to move.
struct Scene<'a> {
    step: Step<'a>,
    us: Color,
    /// The position before the move, and the checks in it, which do not count.
    before: &'a Position,
    transparent: Bitboard,
    /// The position after the move, the other side passing.
    after: Position,
}

impl<'a> Scene<'a> {
    fn new(step: Step<'a>) -> Self {
        Self {
            step,
            us: step.before.side_to_move(),
            before: step.before,
            transparent: step.before.checkers(),
            after: step.after.turned(),
        }
    }

    /// Captures of one piece by another of equal worth that could legally take it instead.
    fn face_offs(&self) -> Vec<Move> {
        let is_face_off = |&mv: &Move| {
            let (ours, theirs) = (Worth::of(&self.after, mv.from()), Worth::of(&self.after, mv.to()));
            let officer = |kind: Option<Piece>| {
                kind.is_some_and(|piece| !matches!(piece.kind(), PieceKind::King | PieceKind::Pawn))
            };
            ours == theirs
                && officer(self.after.piece_at(mv.from()))
                && officer(self.after.piece_at(mv.to()))
                && self.step.after.is_legal(Move::new(mv.to(), mv.from()))
        };
        legal_moves(&self.after).filter(is_face_off).collect()
    }

    /// The position after the other side has taken first in a face-off.
    fn taken_first(&self, face_off: Move) -> Position {
        self.step.after.play(Move::new(face_off.to(), face_off.from()))
    }

    /// Whether we gain after the other side has taken first.
    fn bites(&self, face_off: Move, bounds: Bounds, budget: &mut Budget) -> bool {
        let position = self.taken_first(face_off);
        if mate::mates(&position, bounds.mate, &[], budget) {
            return true;
        }
        let square = face_off.from();
        let node = Node {
            position,
            transparent: Bitboard::EMPTY,
            balance: -Worth::of(&self.after, square),
            even_suffices: false,
            first_taker: None,
            target: square,
            last: square,
            plies_left: bounds.plies,
            our_checks: bounds.our_checks,
            their_checks: bounds.their_checks,
        };
        Exchange { bounds, budget, banned: &[] }.gain(&node).is_some()
    }

    fn kills(&self, face_offs: &[Move], bounds: Bounds, budget: &mut Budget) -> bool {
        if mate::mates(&self.after, bounds.mate, face_offs, budget) {
            return true;
        }
        !face_offs.is_empty()
            && mate::mates(&self.after, bounds.mate, &[], budget)
            && face_offs
                .iter()
                .all(|&face_off| mate::mates(&self.taken_first(face_off), bounds.mate, &[], budget))
    }

    /// The threats after the move that the move created.
    fn new_threats(&self, offers: &[Move], bounds: Bounds, budget: &mut Budget) -> Vec<NewThreat> {
        let even = self
            .step
            .after
            .piece_at(self.step.mv.to())
            .is_some_and(|piece| !matches!(piece.kind(), PieceKind::King | PieceKind::Pawn));
        let wins = |mv: Move, banned: &[Move], budget: &mut Budget| {
            let takes = !Worth::of(&self.after, mv.to()).is_nothing();
            Exchange { bounds, budget, banned }.wins(&self.after, Bitboard::EMPTY, mv, even && takes)
        };
        let mut old_captures = Vec::new();
        let mut fresh = Vec::new();
        for mv in legal_moves(&self.after) {
            if offers.contains(&mv) || !gain::is_threat(&self.after, mv) {
                continue;
            }
            let Some(line) = wins(mv, offers, budget) else { continue };
            if self.was_won_before(mv, bounds, budget) {
                old_captures.push(mv);
            } else if !self.is_excused(mv, bounds, budget) {
                fresh.push((mv, line));
            }
        }
        if self.before.in_check() && !old_captures.is_empty() {
            let banned: Vec<Move> = offers.iter().chain(&old_captures).copied().collect();
            fresh = fresh.into_iter().filter_map(|(mv, _)| Some((mv, wins(mv, &banned, budget)?))).collect();
        }
        fresh
            .into_iter()
            .map(|(_, line)| NewThreat { weight: weight::of(&self.after, &line), line })
            .collect()
    }

    /// The same threat before the move: the same piece from the square it had, if it was legal there.
    fn back(&self, mv: Move) -> Option<Move> {
        let from = if mv.from() == self.step.mv.to() { self.step.mv.from() } else { mv.from() };
        let back = Move::new(from, mv.to());
        gain::legal_moves(self.before, self.transparent).contains(&back).then_some(back)
    }

    /// Step 5a.
    fn was_won_before(&self, mv: Move, bounds: Bounds, budget: &mut Budget) -> bool {
        let Some(back) = self.back(mv) else { return false };
        gain::is_threat(self.before, back)
            && Exchange { bounds, budget, banned: &[] }
                .wins(self.before, self.transparent, back, false)
                .is_some()
    }

    /// Steps 5b, 5c and 5d: threats of the general and pawns themselves, those that merely saved the moved piece, and
    /// those the other side walked into.
    fn is_excused(&self, mv: Move, bounds: Bounds, budget: &mut Budget) -> bool {
        if Worth::of(&self.after, mv.to()).is_nothing() {
            return false;
        }
        let kind = self.after.piece_at(mv.from()).map(Piece::kind);
        let next = self.after.play_unchecked(mv);
        if matches!(kind, Some(PieceKind::King | PieceKind::Pawn)) {
            let uncovered = next.checkers() - mv.to().into();
            return uncovered.is_empty();
        }
        let moved = mv.from() == self.step.mv.to();
        let general_moved = self.step.mv.to() == self.after.king(self.us);
        if moved || general_moved || self.back(mv).is_none() {
            return false;
        }
        let protected_now = is_protected(&self.after, mv);
        if protected_now {
            let threatened = self.before.attackers_to(self.step.mv.from(), self.before.occupied(), !self.us);
            let lonely = self.after.without(self.step.mv.to());
            return !threatened.is_empty()
                && gain::legal_moves(&lonely, Bitboard::EMPTY).contains(&mv)
                && Exchange { bounds, budget, banned: &[] }
                    .wins(&lonely, Bitboard::EMPTY, mv, true)
                    .is_some();
        }
        let (earlier, their_move) = self.step.earlier;
        let earlier = earlier.turned();
        their_move.to() != mv.to()
            && !is_protected(self.before, mv)
            && gain::legal_moves(&earlier, earlier.checkers()).contains(&mv)
            && is_protected(&earlier, mv)
    }

    /// Step 6: an attack on advisors or elephants that only holds off a mate.
    fn only_holds(&self, threats: &[NewThreat], bounds: Bounds, budget: &mut Budget) -> bool {
        let attackers = Color::ALL.map(|color| {
            [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon]
                .map(|kind| self.after.pieces(color, kind).count())
                .into_iter()
                .sum::<u32>()
                + (self.after.pieces(color, PieceKind::Pawn) & crate::rules::chase::far_bank(color)).count()
        });
        attackers[self.us.index()] == 1
            && threats.iter().filter_map(|threat| threat.line.first()).all(|first| {
                let victim = self.after.piece_at(first.to()).map(Piece::kind);
                matches!(victim, Some(PieceKind::Advisor | PieceKind::Elephant))
            })
            && mate::mates(&self.before.turned(), bounds.mate, &[], budget)
    }
}

/// Whether the other side could legally recapture after this capture.
pub(super) fn is_protected(position: &Position, capture: Move) -> bool {
    let next = position.play_unchecked(capture);
    !(attackers_after(&next, capture.to())).is_empty()
}
