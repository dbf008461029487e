//! From games to positions worth learning from.

use super::{Game, PackedPosition};
use movegen::{Move, Position};
use search::nnue::OUTPUT_SCALE;

/// Which plies of a game are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Scores beyond this teach nothing new, in units of the evaluation.
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
    /// What the search said, in units of the evaluation, side to move.
    pub score: i16,
    /// Twice the points the side to move made in the game.
    pub half_points: u8,
}

const _: () = assert!(size_of::<Sample>() <= 32);

/// Whether the static value of a position says something: not in check, nor when the move played from it captures.
fn is_quiet(position: &Position, played: Move) -> bool {
    !position.in_check() && position.piece_at(played.to()).is_none()
}

/// Mixes into each score those that the game's later searches gave: the points that the side to move is expected to make become its own
/// with weight `1 - lambda`, those of the next ply with weight `lambda`, and so on (the forward view of TD(λ): Sutton, "Learning to predict
/// by the methods of temporal differences", 1988). A search that comes later knows more of where the line leads.
pub fn look_ahead(game: &mut Game, lambda: f64) {
    let scale = f64::from(OUTPUT_SCALE);
    let mut next = None;
    for ply in game.plies.iter_mut().rev() {
        let own = 1.0 / (1.0 + (-f64::from(ply.score) / scale).exp());
        let points: f64 = next.map_or(own, |next: f64| own + lambda * (1.0 - next - own));
        next = Some(points);
        ply.score = (scale * (points / (1.0 - points)).ln()).clamp(-30_000.0, 30_000.0).round() as i16;
    }
}

/// Walks through a game and hands each position that passes the filter to `take`, with its sample.
///
/// Left out are positions in check, those from which a capture was played, and scores out of range.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::testing::random_game;

    #[test]
    fn later_scores_count_less_and_less() {
        let mut game = random_game(1);
        game.plies.truncate(3);
        let set = |game: &mut Game, scores: [i16; 3]| {
            for (ply, score) in game.plies.iter_mut().zip(scores) {
                ply.score = score;
            }
        };
        let scores = |game: &Game| game.plies.iter().map(|ply| ply.score).collect::<Vec<_>>();
        // One opinion throughout stays what it is.
        set(&mut game, [120, -120, 120]);
        look_ahead(&mut game, 0.7);
        assert_eq!(scores(&game), [120, -120, 120]);
        // By hand: points 1/2, 1/2 and σ(1) = 0.731059 from the view of each side to move. The second becomes 1/2 + (0.268941 - 1/2) / 2 =
        // 0.384471, which is -188; the first 1/2 + (0.615529 - 1/2) / 2 = 0.557765, which is 93.
        set(&mut game, [0, 0, 400]);
        look_ahead(&mut game, 0.5);
        assert_eq!(scores(&game), [93, -188, 400]);
        // A mate has all the points, and a mixture with it is no mate.
        set(&mut game, [0, 29_999, -30_000]);
        look_ahead(&mut game, 0.5);
        assert_eq!(scores(&game), [-439, 30_000, -30_000]);
    }
}
