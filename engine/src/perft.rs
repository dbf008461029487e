//! Counting leaves move by move, in a way that can be stopped.

use movegen::{Move, Position, perft};
use search::Control;

/// Leaves below which a subtree is counted in one go: at this depth it takes milliseconds.
const WHOLE_DEPTH: u32 = 3;

/// Counts the leaves `depth` plies below each move, and hands out each count as it is known.
///
/// Gives the total, or `None` if it was stopped. One thread; [`movegen::perft_divide`] is the parallel one.
pub fn divide(
    position: &Position,
    depth: u32,
    control: &Control,
    on_move: &mut dyn FnMut(Move, u64),
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut total = 0;
    for &mv in &position.legal_moves() {
        let leaves = count(&position.play(mv), depth - 1, control)?;
        on_move(mv, leaves);
        total += leaves;
    }
    Some(total)
}

fn count(position: &Position, depth: u32, control: &Control) -> Option<u64> {
    if control.is_stopped() {
        return None;
    }
    if depth <= WHOLE_DEPTH {
        return Some(perft(position, depth));
    }
    position.legal_moves().iter().map(|&mv| count(&position.play(mv), depth - 1, control)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the leaves of the start position, `cases/perft.jsonl`.
    #[test]
    fn the_start_position_move_by_move() {
        let control = Control::new(false);
        let mut moves = 0;
        let total = divide(&Position::startpos(), 3, &control, &mut |_, _| moves += 1);
        assert_eq!((total, moves), (Some(79_666), 44));
    }

    #[test]
    fn it_can_be_stopped() {
        let control = Control::new(false);
        control.stop();
        assert_eq!(divide(&Position::startpos(), 20, &control, &mut |_, _| {}), None);
    }
}
