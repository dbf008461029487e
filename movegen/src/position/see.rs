//! Static exchange evaluation.

use super::Position;
use crate::{
    attacks,
    bitboard::Bitboard,
    moves::Move,
    types::{Color, PieceKind, Square},
};

/// What a kind of piece is worth in an exchange, in centipawns.
///
/// Our own round numbers; only their order and rough ratios matter here.
pub const fn see_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::King => 10_000,
        PieceKind::Advisor | PieceKind::Elephant => 200,
        PieceKind::Horse => 420,
        PieceKind::Rook => 950,
        PieceKind::Cannon => 460,
        PieceKind::Pawn => 100,
    }
}

/// Kinds from the least valuable up, in the order they capture in an exchange.
const BY_VALUE: [PieceKind; PieceKind::COUNT] = [
    PieceKind::Pawn,
    PieceKind::Advisor,
    PieceKind::Elephant,
    PieceKind::Horse,
    PieceKind::Cannon,
    PieceKind::Rook,
    PieceKind::King,
];

impl Position {
    /// What the side to move wins on the target square by this move and the best exchange after it, in centipawns.
    ///
    /// Both sides capture with their least valuable attacker (an advisor before an elephant, of two alike the one on the
    /// lowest square) and stop when going on would lose; after every capture the attackers are looked up anew, so that screens and legs that open or close
    /// count. A king captures only where no enemy attacks and the other king does not face it. Pins are not looked at.
    pub fn see(&self, mv: Move) -> i32 {
        let (from, to) = (mv.from(), mv.to());
        let value_at = |square: Square| self.piece_at(square).map_or(0, |piece| see_value(piece.kind()));
        let mut gains = [0; 32];
        gains[0] = value_at(to);
        let mut on_target = value_at(from);
        let mut occupied = (self.occupied() - Bitboard::from(from)) | Bitboard::from(to);
        let mut side = !self.side_to_move;
        let mut depth = 0;
        while let Some((attacker, kind)) = self.next_attacker(to, occupied, side) {
            depth += 1;
            gains[depth] = on_target - gains[depth - 1];
            on_target = see_value(kind);
            occupied.remove(attacker);
            side = !side;
        }
        while depth > 0 {
            gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
            depth -= 1;
        }
        gains[0]
    }

    /// Whether [`Position::see`] is at least `threshold`; stops as soon as that is certain.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let value_at = |square: Square| self.piece_at(square).map_or(0, |piece| see_value(piece.kind()));
        // `balance` is what the side that just captured is ahead of the threshold if the exchange stopped here.
        let mut balance = value_at(to).saturating_sub(threshold);
        if balance < 0 {
            return false;
        }
        balance -= value_at(from);
        if balance >= 0 {
            return true;
        }
        let mut occupied = (self.occupied() - Bitboard::from(from)) | Bitboard::from(to);
        let us = self.side_to_move;
        let mut side = !us;
        // Invariant: `side` is to capture, and `balance` (seen by the other side) is negative once its piece is lost.
        while let Some((attacker, kind)) = self.next_attacker(to, occupied, side) {
            occupied.remove(attacker);
            balance = -balance - 1 - see_value(kind);
            side = !side;
            if balance >= 0 {
                break;
            }
        }
        side != us
    }

    /// The least valuable piece of `side` that can capture on `target`, lowest square first.
    fn next_attacker(&self, target: Square, occupied: Bitboard, side: Color) -> Option<(Square, PieceKind)> {
        let attackers = self.attackers_to(target, occupied, side) & occupied;
        for kind in BY_VALUE {
            if let Some(square) = (attackers & self.by_kind(kind)).first() {
                let rest = occupied - Bitboard::from(square);
                let forbidden = kind == PieceKind::King
                    && (!(self.attackers_to(target, rest, !side) & rest).is_empty()
                        || attacks::rook(target, rest).contains(self.king(!side)));
                return (!forbidden).then_some((square, kind));
            }
        }
        None
    }
}
