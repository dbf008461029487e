//! What earlier cut-offs say about moves: one set of tables per thread.
//!
//! All scores stay within ±[`HISTORY_MAX`] by gravity: a bonus shrinks as the score nears the limit (as in Stockfish's history update).

use movegen::{Color, Move, Piece, PieceKind, Position, Square};

/// Limit of every history score.
pub(crate) const HISTORY_MAX: i32 = 16_384;
/// Limit of a correction, in 256ths of a centipawn.
const CORRECTION_MAX: i32 = 64 * 256;
const CORRECTION_SIZE: usize = 1 << 14;
const PAWN_SLOTS: usize = 512;

type Quiet = [[[i16; Square::COUNT]; Square::COUNT]; 2];
type Capture = [[[i16; PieceKind::COUNT]; Square::COUNT]; Piece::COUNT];
/// Scores of a following move, by piece and target.
type Follow = [[i16; Square::COUNT]; Piece::COUNT];

/// A piece and where it went: the context of the moves that follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Made {
    pub(crate) piece: Piece,
    pub(crate) to: Square,
}

/// The tables of one thread, about 5 MB.
pub(crate) struct Histories {
    quiet: Box<Quiet>,
    capture: Box<Capture>,
    continuation: Vec<Follow>,
    /// By the pawns on the board.
    pawns: Vec<Follow>,
    /// By structure key, side to move and the key's low bits.
    corrections: Vec<i16>,
}

fn zeroed_box<T: Copy, const N: usize>(zero: T) -> Box<[T; N]> {
    // Through a vector, so that the array is never on the stack.
    vec![zero; N].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("the length is N"))
}

fn update(score: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-HISTORY_MAX, HISTORY_MAX);
    let value = i32::from(*score);
    *score = (value + bonus - value * bonus.abs() / HISTORY_MAX) as i16;
}

impl Histories {
    pub(crate) fn new() -> Self {
        Self {
            quiet: zeroed_box([[0; Square::COUNT]; Square::COUNT]),
            capture: zeroed_box([[0; PieceKind::COUNT]; Square::COUNT]),
            continuation: vec![[[0; Square::COUNT]; Piece::COUNT]; Piece::COUNT * Square::COUNT],
            pawns: vec![[[0; Square::COUNT]; Piece::COUNT]; PAWN_SLOTS],
            corrections: vec![0; 4 * 2 * CORRECTION_SIZE],
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    fn follow(&self, made: Made) -> &Follow {
        &self.continuation[made.piece.index() * Square::COUNT + made.to.index()]
    }

    /// Score of a quiet move by its squares alone.
    #[inline]
    pub(crate) fn quiet(&self, side: Color, mv: Move) -> i32 {
        i32::from(self.quiet[side.index()][mv.from().index()][mv.to().index()])
    }

    /// Score of a move in the context of an earlier one.
    #[inline]
    pub(crate) fn continuation(&self, context: Option<Made>, next: Made) -> i32 {
        context.map_or(0, |made| i32::from(self.follow(made)[next.piece.index()][next.to.index()]))
    }

    /// Score of a move with these pawns on the board, by [`pawn_slot`].
    #[inline]
    pub(crate) fn pawns(&self, slot: usize, next: Made) -> i32 {
        i32::from(self.pawns[slot][next.piece.index()][next.to.index()])
    }

    pub(crate) fn update_pawns(&mut self, slot: usize, next: Made, bonus: i32) {
        update(&mut self.pawns[slot][next.piece.index()][next.to.index()], bonus);
    }

    /// Score of a capture.
    #[inline]
    pub(crate) fn capture(&self, made: Made, captured: PieceKind) -> i32 {
        i32::from(self.capture[made.piece.index()][made.to.index()][captured.index()])
    }

    pub(crate) fn update_quiet(&mut self, side: Color, mv: Move, bonus: i32) {
        update(&mut self.quiet[side.index()][mv.from().index()][mv.to().index()], bonus);
    }

    pub(crate) fn update_continuation(&mut self, context: Option<Made>, next: Made, bonus: i32) {
        if let Some(made) = context {
            let follow = &mut self.continuation[made.piece.index() * Square::COUNT + made.to.index()];
            update(&mut follow[next.piece.index()][next.to.index()], bonus);
        }
    }

    pub(crate) fn update_capture(&mut self, made: Made, captured: PieceKind, bonus: i32) {
        update(&mut self.capture[made.piece.index()][made.to.index()][captured.index()], bonus);
    }

    /// By how many centipawns the static evaluation was wrong lately in positions with the same pawns or the same pieces.
    pub(crate) fn correction(&self, position: &Position) -> i32 {
        correction_slots(position).iter().map(|&slot| i32::from(self.corrections[slot])).sum::<i32>() / 512
    }

    /// Learns that the search found `error` centipawns more than the evaluation said.
    pub(crate) fn update_correction(&mut self, position: &Position, error: i32, depth: i32) {
        let weight = (depth + 1).min(16);
        let target = (error * 256).clamp(-CORRECTION_MAX, CORRECTION_MAX);
        for slot in correction_slots(position) {
            let entry = &mut self.corrections[slot];
            *entry = ((i32::from(*entry) * (256 - weight) + target * weight) / 256) as i16;
        }
    }
}

/// Where the history by pawns has the scores for a position.
pub(crate) fn pawn_slot(position: &Position) -> usize {
    position.structure_keys()[0] as usize % PAWN_SLOTS
}

/// Where the corrections of a position are kept, one for each of its structure keys.
fn correction_slots(position: &Position) -> [usize; 4] {
    let side = position.side_to_move().index();
    let keys = position.structure_keys();
    core::array::from_fn(|i| (2 * i + side) * CORRECTION_SIZE + keys[i] as usize % CORRECTION_SIZE)
}

impl core::fmt::Debug for Histories {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Histories").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_never_leave_their_range() {
        let mut score = 0;
        for _ in 0..1000 {
            update(&mut score, HISTORY_MAX);
        }
        assert_eq!(i32::from(score), HISTORY_MAX);
        for _ in 0..1000 {
            update(&mut score, -2 * HISTORY_MAX);
        }
        assert_eq!(i32::from(score), -HISTORY_MAX);
    }
}
