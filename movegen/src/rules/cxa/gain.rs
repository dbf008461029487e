//! Does a threatened move win material, the whole exchange considered? Source: rules.md 3.4.1 and 3.4.3.
//!
//! Two functions call each other: `gain`, where the side that threatens moves, and `hold`, where the other side defends.
//! Both give the line they found, so that a person can check it.

use super::bounds::{Bounds, Budget};
use crate::{Bitboard, Move, Piece, PieceKind, Position, Square, rules::chase::far_bank};
use arrayvec::ArrayVec;
use core::ops::{Add, Neg, Sub};

/// The longest line: the threatened move and the plies of [`Bounds::plies`].
const LONGEST_LINE: usize = 16;

/// A line of play.
pub(super) type Line = ArrayVec<Move, LONGEST_LINE>;

/// What captures are worth: rooks (2) with horses and cannons (1), advisors and elephants, crossed pawns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Worth {
    strong: i8,
    weak: i8,
    pawns: i8,
}

impl Worth {
    const fn new(strong: i8, weak: i8, pawns: i8) -> Self {
        Self { strong, weak, pawns }
    }

    /// What a piece of this kind is worth across the river.
    pub(super) const fn of_kind(kind: PieceKind) -> Self {
        match kind {
            PieceKind::Rook => Self::new(2, 0, 0),
            PieceKind::Horse | PieceKind::Cannon => Self::new(1, 0, 0),
            PieceKind::Advisor | PieceKind::Elephant => Self::new(0, 1, 0),
            PieceKind::Pawn => Self::new(0, 0, 1),
            PieceKind::King => Self::new(0, 0, 0),
        }
    }

    /// What the piece on a square is worth; nothing for an empty square, a general and a pawn at home.
    pub(super) fn of(position: &Position, square: Square) -> Self {
        let Some(piece) = position.piece_at(square) else { return Self::default() };
        let at_home = piece.kind() == PieceKind::Pawn && !far_bank(piece.color()).contains(square);
        if at_home { Self::default() } else { Self::of_kind(piece.kind()) }
    }

    pub(super) fn is_nothing(self) -> bool {
        self == Self::default()
    }

    /// Whether this balance is a win of material. Pawns float: one given for a horse or an elephant is no gain.
    pub(super) fn wins(self) -> bool {
        let Self { strong, weak, pawns } = self;
        match pawns.signum() {
            0 => strong > 0 || (strong == 0 && weak > 0),
            1 => strong > 0 || (strong == 0 && weak >= 0),
            _ => strong >= 2,
        }
    }

    /// Whether nothing was won or lost, or a crossed pawn against one lesser piece.
    fn is_even(self) -> bool {
        matches!((self.strong, self.weak, self.pawns), (0, 0, 0) | (0, -1, 1) | (-1, 0, 1))
    }
}

impl Add for Worth {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.strong + other.strong, self.weak + other.weak, self.pawns + other.pawns)
    }
}

impl Sub for Worth {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Worth {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.strong, -self.weak, -self.pawns)
    }
}

/// A position of the search. "We" are the side that threatens.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) position: Position,
    /// Enemy pieces that checked us when the search began and have not moved: they are not seen.
    pub(super) transparent: Bitboard,
    pub(super) balance: Worth,
    /// Whether coming out even is a gain too.
    pub(super) even_suffices: bool,
    /// Where the piece that made the first capture stands now.
    pub(super) first_taker: Option<Square>,
    /// The square of the first capture.
    pub(super) target: Square,
    /// Where the latest capture of the other side, or our latest move, went.
    pub(super) last: Square,
    pub(super) plies_left: u8,
    pub(super) our_checks: u8,
    pub(super) their_checks: u8,
}

impl Node {
    /// Our attackers that are seen.
    fn is_in_check(&self) -> bool {
        !(self.position.checkers() - self.transparent).is_empty()
    }

    fn is_gain(&self) -> bool {
        self.balance.wins() || (self.even_suffices && self.balance.is_even())
    }

    /// The node after a move, its balance and special squares not yet brought up to date.
    fn after(&self, mv: Move) -> Self {
        Self {
            position: self.position.play_unchecked(mv),
            transparent: self.transparent - mv.from().into() - mv.to().into(),
            plies_left: self.plies_left.saturating_sub(1),
            ..self.clone()
        }
    }
}

/// The legal moves of the side to move if `transparent` pieces of the other side do not count.
pub(super) fn legal_moves(position: &Position, transparent: Bitboard) -> ArrayVec<Move, 128> {
    let us = position.side_to_move();
    let enemy_king = position.king(!us);
    if transparent.is_empty() {
        return super::legal_moves(position).collect();
    }
    let mut moves = ArrayVec::new();
    for from in position.by_color(us) {
        let kind = position.piece_at(from).map_or(PieceKind::King, Piece::kind);
        for to in position.pseudo_targets(from, kind) - enemy_king.into() {
            let mv = Move::new(from, to);
            if super::is_safe(position, mv, transparent) {
                moves.push(mv);
            }
        }
    }
    moves
}

/// Whether a legal move takes something of value or gives a check that takes nothing of value.
pub(super) fn is_threat(position: &Position, mv: Move) -> bool {
    !Worth::of(position, mv.to()).is_nothing() || gives_check(position, mv)
}

/// Whether the general of the other side is attacked after the move.
fn gives_check(position: &Position, mv: Move) -> bool {
    position.play_unchecked(mv).in_check()
}

/// The searcher: bounds, budget and what may not be played.
pub(super) struct Exchange<'a> {
    pub(super) bounds: Bounds,
    pub(super) budget: &'a mut Budget,
    /// Captures we may not make.
    pub(super) banned: &'a [Move],
}

impl Exchange<'_> {
    /// The line by which `mv` wins material for the side to move in `position`, if it does.
    pub(super) fn wins(
        &mut self,
        position: &Position,
        transparent: Bitboard,
        mv: Move,
        even_suffices: bool,
    ) -> Option<Line> {
        let balance = Worth::of(position, mv.to());
        let quiet = u8::from(balance.is_nothing());
        let start = Node {
            position: position.clone(),
            transparent,
            balance,
            even_suffices,
            first_taker: Some(mv.to()),
            target: mv.to(),
            last: mv.to(),
            plies_left: self.bounds.plies,
            our_checks: self.bounds.our_checks.checked_sub(quiet)?,
            their_checks: self.bounds.their_checks,
        };
        let node = Node { plies_left: self.bounds.plies, ..start.after(mv) };
        Some(prepend(mv, self.hold(&node)?))
    }

    /// We are to move: the line of our gain, if there is one.
    pub(super) fn gain(&mut self, node: &Node) -> Option<Line> {
        let in_check = node.is_in_check();
        if !in_check && node.is_gain() {
            return Some(Line::new());
        }
        if node.plies_left == 0 || !self.budget.spend() {
            return None;
        }
        let position = &node.position;
        let mut moves = legal_moves(position, node.transparent);
        moves.retain(|mv| !self.banned.contains(mv));
        let mut ranked: ArrayVec<(Worth, Move), 128> =
            moves.into_iter().map(|mv| (Worth::of(position, mv.to()), mv)).collect();
        // Stable: moves of equal worth stay in the order of their squares.
        ranked.sort_unstable_by_key(|&(worth, mv)| (core::cmp::Reverse(worth), mv.from(), mv.to()));
        for (worth, mv) in ranked {
            let mut child = node.after(mv);
            if !in_check && !self.is_candidate(node, &mut child, mv, worth) {
                continue;
            }
            child.balance = node.balance + worth;
            child.first_taker =
                node.first_taker.map(|taker| if taker == mv.from() { mv.to() } else { taker });
            child.last = mv.to();
            if let Some(line) = self.hold(&child) {
                return Some(prepend(mv, line));
            }
        }
        None
    }

    /// Whether a move of ours out of check belongs to the search: captures of value and some quiet checks.
    #[expect(clippy::unused_self, reason = "reads as a step of the search")]
    fn is_candidate(&self, node: &Node, child: &mut Node, mv: Move, worth: Worth) -> bool {
        if worth.is_nothing() {
            if node.our_checks == 0 || !child.position.in_check() {
                return false;
            }
            child.our_checks -= 1;
            return true;
        }
        let kind = node.position.piece_at(mv.from()).map(Piece::kind);
        if !matches!(kind, Some(PieceKind::King | PieceKind::Pawn)) {
            return true;
        }
        let uncovers = !(child.position.checkers() - mv.to().into()).is_empty();
        mv.to() == node.target || mv.to() == node.last || uncovers
    }

    /// The other side is to move: the line of our gain against its longest resistance, if it cannot prevent it.
    fn hold(&mut self, node: &Node) -> Option<Line> {
        let position = &node.position;
        if position.in_check() {
            let mut longest = Line::new();
            for mv in super::legal_moves(position) {
                longest = longer(longest, prepend(mv, self.answer(node, mv, node.their_checks)?));
            }
            return Some(longest);
        }
        if !node.is_gain() {
            return None;
        }
        let mut longest = Line::new();
        if node.plies_left == 0 {
            return Some(longest);
        }
        for mv in super::legal_moves(position) {
            let worth = Worth::of(position, mv.to());
            let mut checks = node.their_checks;
            if worth.is_nothing() {
                // Our general may stand in a check that is not seen: then a check must be another one.
                if checks == 0 || !gives_new_check(node, mv) {
                    continue;
                }
                checks -= 1;
            } else if worth == Worth::new(0, 0, 1) && node.balance.strong > 0 && mv.to() != node.last {
                continue;
            }
            longest = longer(longest, prepend(mv, self.answer(node, mv, checks)?));
        }
        Some(longest)
    }

    /// Our line after a move of the other side.
    fn answer(&mut self, node: &Node, mv: Move, their_checks: u8) -> Option<Line> {
        let mut child = node.after(mv);
        let worth = Worth::of(&node.position, mv.to());
        child.balance = node.balance - worth;
        child.their_checks = their_checks;
        if node.position.piece_at(mv.to()).is_some() {
            child.last = mv.to();
        }
        if node.first_taker == Some(mv.to()) {
            child.first_taker = None;
            child.even_suffices = false;
        }
        self.gain(&child)
    }
}

/// Whether a move of the other side attacks our general with a piece that is seen.
fn gives_new_check(node: &Node, mv: Move) -> bool {
    if node.transparent.is_empty() {
        return node.position.gives_check(mv);
    }
    let next = node.after(mv);
    next.is_in_check()
}

fn prepend(mv: Move, mut line: Line) -> Line {
    if line.is_full() {
        line.pop();
    }
    line.insert(0, mv);
    line
}

fn longer(a: Line, b: Line) -> Line {
    if b.len() > a.len() { b } else { a }
}
