//! From games to positions worth learning from.

use super::{Game, PackedPosition};
use movegen::Position;

/// Which plies of a game are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Scores beyond this teach nothing new, centipawns.
    pub max_score: i16,
}

impl Default for Filter {
    fn default() -> Self {
        Self { max_score: 2500 }
    }
}

/// A position with its labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// As the side to move sees it.
    pub position: PackedPosition,
    /// What the search said, centipawns, side to move.
    pub score: i16,
    /// Twice the points the side to move made in the game.
    pub half_points: u8,
}

const _: () = assert!(size_of::<Sample>() <= 32);

/// Walks through a game and hands each position that passes the filter to `take`, with its sample.
///
/// Left out are positions in check and those where the move played captures: their static value says little. So are scores out
/// of range.
pub fn samples(game: &Game, filter: Filter, mut take: impl FnMut(&Position, Sample)) {
    let mut position = game.start.clone();
    game.opening.iter().for_each(|&mv| {
        position.make_move(mv);
    });
    for ply in &game.plies {
        let quiet = !position.in_check() && position.piece_at(ply.mv.to()).is_none();
        if quiet
            && ply.score.unsigned_abs() <= filter.max_score.unsigned_abs()
            && let Ok(packed) = PackedPosition::new(&position)
        {
            let half_points = game.outcome.half_points(position.side_to_move());
            take(&position, Sample { position: packed, score: ply.score, half_points });
        }
        position.make_move(ply.mv);
    }
}
