//! Attacks on squares and kings: which moves are legal, which give check.

use super::{KingLines, Position};
use crate::{
    attacks,
    bitboard::Bitboard,
    moves::Move,
    types::{Color, PieceKind, Square},
};

impl Position {
    /// The pieces of `by` that could capture on `square` if `occupied` were the occupied squares.
    ///
    /// Pieces are looked up where they stand, so a piece that has left in `occupied` must be masked out by the caller. A king
    /// attacks by its step only; kings facing each other are not an attack here.
    pub fn attackers_to(&self, square: Square, occupied: Bitboard, by: Color) -> Bitboard {
        use PieceKind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
        let steppers = attacks::pawn_sources(by, square) & self.by_kind(Pawn)
            | attacks::horse_sources(square, occupied) & self.by_kind(Horse)
            | attacks::advisor_sources(by, square) & self.by_kind(Advisor)
            | attacks::elephant_sources(by, square, occupied) & self.by_kind(Elephant)
            | self.king_step_to(by, square) & self.by_kind(King);
        let sliders = attacks::rook(square, occupied) & self.by_kind(Rook)
            | attacks::cannon_captures(square, occupied) & self.by_kind(Cannon);
        (steppers | sliders) & self.by_color(by)
    }

    /// The square of the king of `by` if it can step to `square`.
    fn king_step_to(&self, by: Color, square: Square) -> Bitboard {
        let king = self.king(by);
        if attacks::king(by, king).contains(square) { king.into() } else { Bitboard::EMPTY }
    }

    /// Whether the king of `color` standing on `king` is attacked, or faces the other king, with these squares occupied.
    /// Enemy pieces outside `enemies` are gone.
    ///
    /// Advisors, elephants and the other king's step never reach a palace of this side.
    fn king_attacked(&self, color: Color, king: Square, occupied: Bitboard, enemies: Bitboard) -> bool {
        use PieceKind::{Cannon, Horse, King, Pawn, Rook};
        let near = attacks::pawn_sources(!color, king) & self.by_kind(Pawn)
            | attacks::horse_sources(king, occupied) & self.by_kind(Horse);
        if !near.is_disjoint(enemies) {
            return true;
        }
        let lines = attacks::rook(king, occupied) & (self.by_kind(Rook) | self.by_kind(King))
            | attacks::cannon_captures(king, occupied) & self.by_kind(Cannon);
        !lines.is_disjoint(enemies)
    }

    /// Whether the own king is safe after the piece on `from` has gone to `to`: the whole truth, for any pseudo-legal move.
    pub(super) fn is_safe(&self, from: Square, to: Square) -> bool {
        let (us, to_set) = (self.side_to_move, Bitboard::from(to));
        let occupied = (self.occupied() - Bitboard::from(from)) | to_set;
        let king = if from == self.king(us) { to } else { self.king(us) };
        !self.king_attacked(us, king, occupied, self.by_color(!us) - to_set)
    }

    /// Brings [`KingLines`] up to date for the side to move.
    pub(super) fn refresh(&mut self) {
        use PieceKind::{Cannon, Horse, King, Pawn, Rook};
        let us = self.side_to_move;
        let (king, occupied) = (self.king(us), self.occupied());
        let (own, enemies) = (self.by_color(us), self.by_color(!us));
        let pawns = attacks::pawn_sources(!us, king) & self.by_kind(Pawn) & enemies;
        let mut lines = KingLines { checkers: pawns, ..KingLines::default() };
        for horse in attacks::horse_jumps(king) & self.by_kind(Horse) & enemies {
            // The leg is the diagonal neighbour of the king on the horse's side; it exists for every horse's jump.
            let Some(leg) = attacks::horse_leg(horse, king) else { continue };
            if !occupied.contains(leg) {
                lines.checkers.insert(horse);
            } else if own.contains(leg) {
                lines.blockers.insert(leg);
            }
        }
        let cannons = self.by_kind(Cannon);
        let sliders = (self.by_kind(Rook) | cannons | self.by_kind(King)) & enemies & attacks::cross(king);
        for slider in sliders {
            let between = attacks::between(king, slider);
            let inside = between & occupied;
            match (inside.count(), cannons.contains(slider)) {
                (0, false) | (1, true) => lines.checkers.insert(slider),
                (0, true) => lines.screens |= between,
                (1, false) | (2, true) => lines.blockers |= inside & own,
                _ => {}
            }
        }
        self.king_lines = lines;
    }

    /// Squares the piece on `from` attacks or, for a cannon, can move to or capture on; not those of its own side.
    pub(crate) fn pseudo_targets(&self, from: Square, kind: PieceKind) -> Bitboard {
        let (us, occupied) = (self.side_to_move, self.occupied());
        let targets = match kind {
            PieceKind::King => attacks::king(us, from),
            PieceKind::Advisor => attacks::advisor(us, from),
            PieceKind::Elephant => attacks::elephant(us, from, occupied),
            PieceKind::Horse => attacks::horse(from, occupied),
            PieceKind::Rook => attacks::rook(from, occupied),
            PieceKind::Cannon => attacks::cannon_targets(from, occupied, self.by_color(!us)),
            PieceKind::Pawn => attacks::pawn(us, from),
        };
        targets - self.by_color(us)
    }

    /// Whether a move is legal here; any move may be asked about.
    pub fn is_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color() == self.side_to_move) else {
            return false;
        };
        if !self.pseudo_targets(from, piece.kind()).contains(to) {
            return false;
        }
        let quiet_life =
            !self.in_check() && piece.kind() != PieceKind::King && !self.blockers().contains(from);
        if quiet_life { !self.king_lines.screens.contains(to) } else { self.is_safe(from, to) }
    }

    /// Whether a legal move gives check, directly or by uncovering, screening or unscreening another piece.
    pub fn gives_check(&self, mv: Move) -> bool {
        use PieceKind::{Cannon, Horse, Pawn, Rook};
        debug_assert!(self.is_legal(mv), "{mv} is not legal in {}", self.fen());
        let us = self.side_to_move;
        let (from, to) = (Bitboard::from(mv.from()), Bitboard::from(mv.to()));
        let king = self.king(!us);
        if attacks::check_zone(king).is_disjoint(from | to) {
            return false;
        }
        let Some(piece) = self.piece_at(mv.from()) else { return false };
        let occupied = (self.occupied() - from) | to;
        let own = |kind: PieceKind| {
            let pieces = self.pieces(us, kind) - from;
            if kind == piece.kind() { pieces | to } else { pieces }
        };
        let checks = attacks::pawn_sources(us, king) & own(Pawn)
            | attacks::horse_sources(king, occupied) & own(Horse)
            | attacks::rook(king, occupied) & own(Rook)
            | attacks::cannon_captures(king, occupied) & own(Cannon);
        !checks.is_empty()
    }
}
