//! Which enemy pieces a move chases.
//!
//! A position is looked at as if side `us` were to move, whoever is. A *threat* is a pair (attacker, victim) whose
//! capture wins material; a move chases the victims of the threats that it creates. Source: rules.md 2.1 and 2.2;
//! the tests of the other programs: rules.md 4 (`uccileague`), 3.3 (`cxq`) and 5.1, 5.2.
//!
//! All squares are those after the move unless a name says otherwise.

use crate::{Bitboard, Color, Move, PieceKind, Position, Rank, Square, attacks};

/// Why a capture wins material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gain {
    /// Nothing protects the victim.
    Unprotected,
    /// The victim has protectors, but none of them may legally recapture.
    FalseRoot,
    /// The victim is worth more than the attacker, protected or not.
    Heavier,
}

/// Which captures are threats and which threats are new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChaseTest {
    /// Pairs after the move that were none before it, except where the move merely answers an attack on the attacker.
    Asian,
    /// As `Asian`, but a root that was cut and not pinned is not missed.
    Fairy,
    /// Victims after the move that were none before it.
    Pikafish,
    /// What the moved rook, horse or cannon attacks sideways of its move; pins are not seen.
    UcciLeague,
    /// What the moved piece attacks, or a cannon newly.
    Cxq,
}

/// The squares beyond the river, seen from `color`: where its pawns have crossed.
pub(super) fn far_bank(color: Color) -> Bitboard {
    let ranks = match color {
        Color::Red => [Rank::R5, Rank::R6, Rank::R7, Rank::R8, Rank::R9],
        Color::Black => [Rank::R0, Rank::R1, Rank::R2, Rank::R3, Rank::R4],
    };
    ranks.into_iter().fold(Bitboard::EMPTY, |set, rank| set | Bitboard::from_rank(rank))
}

/// Reports the threats that `mv` created for its mover: `report(attacker, victim, gain)`.
///
/// `before` and `after` are the positions around the move. Only victims in `among` are looked at, and a victim once
/// reported with `once` set is not looked at again.
pub(super) fn new_threats(
    test: ChaseTest,
    (before, mv, after): (&Position, Move, &Position),
    mut among: Bitboard,
    once: bool,
    report: &mut impl FnMut(Square, Square, Gain),
) {
    let us = before.side_to_move();
    let (old, new) = (View::new(before, us), View::new(after, us));
    among &= new.worthy_victims();
    for attacker in test.attackers(&new, mv) {
        let kind = new.kind(attacker);
        let mut targets = new.attacks(kind, attacker) & among;
        if test == ChaseTest::UcciLeague {
            targets &= sideways(kind, mv);
        }
        for victim in targets {
            let Some(gain) = test.gain(&new, kind, attacker, victim) else { continue };
            if !test.is_old(&old, &new, (mv, kind, attacker, victim)) {
                report(attacker, victim, gain);
                if once {
                    among.remove(victim);
                }
            }
        }
    }
}

/// The victims among `among` that `mv` chases.
pub(super) fn victims(test: ChaseTest, step: (&Position, Move, &Position), among: Bitboard) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    new_threats(test, step, among, true, &mut |_, victim, _| found.insert(victim));
    found
}

/// The victims among `among` on which the moving general or pawn, or another general or pawn, newly makes a threat.
///
/// Their threats are no chases; `vn` asks for them (article 23, point 9).
pub(super) fn lesser_threats((before, mv, after): (&Position, Move, &Position), among: Bitboard) -> Bitboard {
    let us = before.side_to_move();
    let (old, new) = (View::new(before, us), View::new(after, us));
    let mut found = Bitboard::EMPTY;
    for attacker in new.own(PieceKind::King) | new.own(PieceKind::Pawn) {
        let kind = new.kind(attacker);
        for victim in new.attacks(kind, attacker) & among {
            let origin = if attacker == mv.to() { mv.from() } else { attacker };
            let threat = |view: &View, from| {
                view.attacks(kind, from).contains(victim)
                    && view.threat(kind, from, victim, kind == PieceKind::Pawn).is_some()
            };
            if threat(&new, attacker) && !threat(&old, origin) {
                found.insert(victim);
            }
        }
    }
    found
}

/// The squares a rook or cannon that made this move looks at sideways; any square for a horse.
fn sideways(kind: PieceKind, mv: Move) -> Bitboard {
    match kind {
        PieceKind::Rook | PieceKind::Cannon if mv.from().file() == mv.to().file() => {
            Bitboard::from_rank(mv.to().rank())
        }
        PieceKind::Rook | PieceKind::Cannon => Bitboard::from_file(mv.to().file()),
        _ => Bitboard::FULL,
    }
}

impl ChaseTest {
    /// The pieces whose captures are looked at.
    fn attackers(self, new: &View, mv: Move) -> Bitboard {
        let moved = Bitboard::from_square(mv.to());
        let officers = new.ours & !(new.pos.by_kind(PieceKind::King) | new.pos.by_kind(PieceKind::Pawn));
        match self {
            Self::Asian | Self::Fairy | Self::Pikafish => officers,
            Self::UcciLeague => {
                moved & (new.own(PieceKind::Rook) | new.own(PieceKind::Horse) | new.own(PieceKind::Cannon))
            }
            Self::Cxq => moved & officers | new.own(PieceKind::Cannon),
        }
    }

    /// Why this capture wins material, if it does.
    fn gain(self, new: &View, kind: PieceKind, attacker: Square, victim: Square) -> Option<Gain> {
        use PieceKind::{Advisor, Cannon, Elephant, Horse, Pawn, Rook};
        let prey = new.kind(victim);
        let horse_or_cannon = matches!(kind, Horse | Cannon);
        match self {
            Self::Asian | Self::Fairy | Self::Pikafish => {
                let heavier = (horse_or_cannon && prey == Rook)
                    || (matches!(kind, Advisor | Elephant) && matches!(prey, Rook | Horse | Cannon));
                new.threat(kind, attacker, victim, heavier)
            }
            Self::Cxq => new.threat(kind, attacker, victim, horse_or_cannon && prey == Rook),
            Self::UcciLeague => {
                if horse_or_cannon && prey == Rook {
                    return Some(Gain::Heavier);
                }
                let prized = matches!(prey, Horse | Cannon | Pawn) && prey != kind;
                let free = new.protectors(attacker, victim).is_empty();
                (prized && free).then_some(Gain::Unprotected)
            }
        }
    }

    /// Whether a threat after the move is one the move did not create.
    fn is_old(
        self,
        old: &View,
        new: &View,
        (mv, kind, attacker, victim): (Move, PieceKind, Square, Square),
    ) -> bool {
        let moved = attacker == mv.to();
        let origin = if moved { mv.from() } else { attacker };
        let was_threat = |from: Square, kind: PieceKind| {
            old.attacks(kind, from).contains(victim) && self.gain(old, kind, from, victim).is_some()
        };
        match self {
            Self::UcciLeague => false,
            Self::Cxq => !moved && was_threat(origin, kind),
            Self::Pikafish => self.attackers(old, mv).iter().any(|from| was_threat(from, old.kind(from))),
            Self::Asian | Self::Fairy => {
                if !old.attacks(kind, origin).contains(victim) {
                    return false;
                }
                if self.gain(old, kind, origin, victim).is_some() {
                    return true;
                }
                // The capture was possible, but the victim was protected: the move took its roots away.
                if moved || !old.is_legal_capture(kind, origin, victim) {
                    return false;
                }
                if old.kind(victim) == kind && old.can_strike_back(origin, victim) {
                    return false;
                }
                let roots = old.legal_protectors(origin, victim);
                if roots.is_empty() {
                    return false;
                }
                // The attack on the attacker is answered, no more (rules.md 2.2, the exception).
                if roots.iter().all(|root| old.attacks(old.kind(root), root).contains(origin)) {
                    return true;
                }
                self == Self::Fairy && (roots & new.protectors(attacker, victim)).is_empty()
            }
        }
    }
}

/// A position as if `us` were to move.
struct View<'a> {
    pos: &'a Position,
    us: Color,
    occupied: Bitboard,
    ours: Bitboard,
    theirs: Bitboard,
    /// The pieces that attack our general, and theirs, as things stand: a capture is judged by the new ones only.
    our_checkers: Bitboard,
    their_checkers: Bitboard,
}

impl<'a> View<'a> {
    fn new(pos: &'a Position, us: Color) -> Self {
        let occupied = pos.occupied();
        Self {
            pos,
            us,
            occupied,
            ours: pos.by_color(us),
            theirs: pos.by_color(!us),
            our_checkers: king_attackers(pos, us, pos.king(us), occupied),
            their_checkers: king_attackers(pos, !us, pos.king(!us), occupied),
        }
    }

    fn kind(&self, square: Square) -> PieceKind {
        self.pos.piece_at(square).map_or(PieceKind::Pawn, crate::Piece::kind)
    }

    fn own(&self, kind: PieceKind) -> Bitboard {
        self.pos.pieces(self.us, kind)
    }

    /// All enemy pieces but the general and the pawns that have not crossed the river.
    fn worthy_victims(&self) -> Bitboard {
        let home_pawns = self.pos.pieces(!self.us, PieceKind::Pawn) - far_bank(!self.us);
        self.theirs - home_pawns - Bitboard::from(self.pos.king(!self.us))
    }

    /// What the piece on `from`, of either side, could capture (pieces of its own side included).
    fn attacks(&self, kind: PieceKind, from: Square) -> Bitboard {
        let color = if self.ours.contains(from) { self.us } else { !self.us };
        match kind {
            PieceKind::King => attacks::king(color, from),
            PieceKind::Advisor => attacks::advisor(color, from),
            PieceKind::Elephant => attacks::elephant(color, from, self.occupied),
            PieceKind::Horse => attacks::horse(from, self.occupied),
            PieceKind::Rook => attacks::rook(from, self.occupied),
            PieceKind::Cannon => attacks::cannon_captures(from, self.occupied),
            PieceKind::Pawn => attacks::pawn(color, from),
        }
    }

    /// Whether, and why, our piece on `attacker` wins material by taking on `victim`, which it attacks.
    fn threat(&self, kind: PieceKind, attacker: Square, victim: Square, heavier: bool) -> Option<Gain> {
        if !self.is_legal_capture(kind, attacker, victim) {
            return None;
        }
        if heavier {
            return Some(Gain::Heavier);
        }
        let protectors = self.protectors(attacker, victim);
        if protectors.iter().any(|root| self.is_legal_recapture(root, attacker, victim)) {
            return None;
        }
        if kind == self.kind(victim) && self.can_strike_back(attacker, victim) {
            return None;
        }
        Some(if protectors.is_empty() { Gain::Unprotected } else { Gain::FalseRoot })
    }

    /// Whether our capture exposes our general to no new attack.
    fn is_legal_capture(&self, kind: PieceKind, attacker: Square, victim: Square) -> bool {
        let occupied = self.occupied - attacker.into();
        if kind == PieceKind::King {
            let attackers = king_attackers(self.pos, self.us, victim, occupied);
            return (attackers - victim.into()).is_empty();
        }
        let attackers = king_attackers(self.pos, self.us, self.pos.king(self.us), occupied);
        (attackers - victim.into() - self.our_checkers).is_empty()
    }

    /// The enemy pieces that reach `victim` after `attacker` has taken there, legally or not.
    fn protectors(&self, attacker: Square, victim: Square) -> Bitboard {
        let occupied = self.occupied - attacker.into();
        self.pos.attackers_to(victim, occupied, !self.us) - victim.into()
    }

    fn legal_protectors(&self, attacker: Square, victim: Square) -> Bitboard {
        let protectors = self.protectors(attacker, victim);
        protectors.iter().filter(|&root| self.is_legal_recapture(root, attacker, victim)).collect()
    }

    /// Whether the enemy piece on `root` may recapture on `victim` after `attacker` has taken there.
    fn is_legal_recapture(&self, root: Square, attacker: Square, victim: Square) -> bool {
        let occupied = self.occupied - attacker.into() - root.into();
        let them = !self.us;
        if root == self.pos.king(them) {
            let attackers = king_attackers(self.pos, them, victim, occupied);
            return (attackers - attacker.into()).is_empty();
        }
        let attackers = king_attackers(self.pos, them, self.pos.king(them), occupied);
        (attackers - attacker.into() - self.their_checkers).is_empty()
    }

    /// Whether the victim could legally take the attacker instead.
    fn can_strike_back(&self, attacker: Square, victim: Square) -> bool {
        if !self.attacks(self.kind(victim), victim).contains(attacker) {
            return false;
        }
        let them = !self.us;
        let occupied = self.occupied - victim.into();
        let attackers = king_attackers(self.pos, them, self.pos.king(them), occupied);
        (attackers - attacker.into() - self.their_checkers).is_empty()
    }
}

/// The enemies that attack the general of `color` if it stands on `king` and the board is occupied like this; the
/// enemy general attacks along an open file. A piece counts where it stands in `pos` even if `occupied` lacks it.
fn king_attackers(pos: &Position, color: Color, king: Square, occupied: Bitboard) -> Bitboard {
    let mut attackers = pos.attackers_to(king, occupied, !color);
    let enemy_king = pos.king(!color);
    if enemy_king.file() == king.file() && attacks::between(king, enemy_king).is_disjoint(occupied) {
        attackers.insert(enemy_king);
    }
    attackers
}
