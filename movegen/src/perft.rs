//! Counting the leaves of the legal move tree.

use crate::{moves::Move, position::Position};
use rayon::{ThreadPoolBuilder, prelude::*};

/// How many sequences of `depth` legal moves there are. The last ply is counted, not made.
///
/// ```
/// use movegen::{Position, perft};
/// assert_eq!(perft(&Position::startpos(), 3), 79_666);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal_moves()),
        _ => position.legal_moves().iter().map(|&mv| perft(&position.play(mv), depth - 1)).sum(),
    }
}

/// For each legal move how many sequences of `depth` moves begin with it, on all cores the system has threads for.
///
/// Empty for depth 0.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let moves = position.legal_moves();
    let count = |&mv: &Move| (mv, perft(&position.play(mv), rest));
    // A pool of its own, for the one that all share panics where it gets no threads.
    match ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(|| moves.par_iter().map(count).collect()),
        Err(_) => moves.iter().map(count).collect(),
    }
}
