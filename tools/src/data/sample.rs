//! From games to positions worth learning from.

use super::{Game, PackedPosition};
use movegen::{Move, Position};

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

/// Whether the static value of a position says something: not in check, nor when the move played from it captures.
pub fn is_quiet(position: &Position, played: Move) -> bool {
    !position.in_check() && position.piece_at(played.to()).is_none()
}

/// Walks through a game and hands each position that passes the filter to `take`, with its sample.
///
/// Left out are positions that are not quiet ([`is_quiet`]) and scores out of range.
pub fn samples(game: &Game, filter: Filter, mut take: impl FnMut(&Position, Sample)) {
    let mut position = game.start.clone();
    game.opening.iter().for_each(|&mv| {
        position.make_move(mv);
    });
    for ply in &game.plies {
        if is_quiet(&position, ply.mv)
            && ply.score.unsigned_abs() <= filter.max_score.unsigned_abs()
            && let Ok(packed) = PackedPosition::new(&position)
        {
            let half_points = game.outcome.half_points(position.side_to_move());
            take(&position, Sample { position: packed, score: ply.score, half_points });
        }
        position.make_move(ply.mv);
    }
}
