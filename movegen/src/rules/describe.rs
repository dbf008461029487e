//! Names for moves that no rule forbids; they matter to the report alone. Source: rules.md section 2.

use super::{cxa, report::MoveClass};
use crate::{Bitboard, Move, PieceKind, Position, Square, attacks};

/// The class of a move under the rule sets that know checks and chases only.
pub(super) fn class(before: &Position, mv: Move, after: &Position, chases: bool) -> MoveClass {
    if after.in_check() {
        MoveClass::Check
    } else if chases {
        MoveClass::Chase
    } else if cxa::threatens_mate(after) {
        MoveClass::Kill
    } else if offers_exchange(mv, after) {
        MoveClass::Exchange
    } else if blocks(before, mv, after) {
        MoveClass::Block
    } else {
        MoveClass::Idle
    }
}

/// Whether the moved piece and an enemy piece of the same kind can now take each other.
fn offers_exchange(mv: Move, after: &Position) -> bool {
    let us = !after.side_to_move();
    let Some(piece) = after.piece_at(mv.to()) else { return false };
    if matches!(piece.kind(), PieceKind::King | PieceKind::Pawn) {
        return false;
    }
    let rivals = after.pieces(!us, piece.kind());
    let attackers = after.attackers_to(mv.to(), after.occupied(), !us) & rivals;
    attackers.iter().any(|rival| after.attackers_to(rival, after.occupied(), us).contains(mv.to()))
}

/// Whether the move put a piece between an enemy rook, cannon, horse or elephant and a piece it attacked.
fn blocks(before: &Position, mv: Move, after: &Position) -> bool {
    let us = before.side_to_move();
    let attacked = |position: &Position, square: Square| {
        position.attackers_to(square, position.occupied(), !us) | facing_king(position, us, square)
    };
    let standing = before.by_color(us) - Bitboard::from(mv.from());
    standing.iter().any(|square| {
        let lost = attacked(before, square) - attacked(after, square) - mv.to().into();
        lost.iter().any(|attacker| is_between(before, attacker, square, mv.to()))
    })
}

/// The enemy general if it faces ours, which stands on `square`.
fn facing_king(position: &Position, us: crate::Color, square: Square) -> Bitboard {
    let enemy = position.king(!us);
    let faces = square == position.king(us)
        && enemy.file() == square.file()
        && attacks::between(square, enemy).is_disjoint(position.occupied());
    if faces { enemy.into() } else { Bitboard::EMPTY }
}

/// Whether `point` lies in the way of the piece on `attacker` to `target`: on its line, its leg or its eye.
fn is_between(position: &Position, attacker: Square, target: Square, point: Square) -> bool {
    match position.piece_at(attacker).map(crate::Piece::kind) {
        Some(PieceKind::Horse) => attacks::horse_leg(attacker, target) == Some(point),
        Some(PieceKind::Elephant) => {
            let (file, rank) = (
                attacker.file() as i32 - target.file() as i32,
                attacker.rank() as i32 - target.rank() as i32,
            );
            target.offset(file / 2, rank / 2) == Some(point)
        }
        _ => attacks::between(attacker, target).contains(point),
    }
}
