//! When a draw is offered or accepted, and when a game is given up.

use search::Score;

/// A score within this is even, centipawns.
const EVEN: i32 = 5;
/// Moves of a game before an even score is taken for a draw.
const LONG_GAME: u32 = 60;
/// A draw is welcome at this score or worse, centipawns.
const WORSE: i32 = -20;
/// A game at this score or worse is given up, centipawns: more than a rook behind.
const LOST: i32 = -400;
/// Iterations that must have been finished before a judgement counts.
const SURE_DEPTH: u32 = 8;

/// The judgement of a finished search on the game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judgement {
    pub(crate) score: Score,
    pub(crate) depth: u32,
    pub(crate) moves_played: u32,
    /// The law has made the game a draw already, though it is played on.
    pub(crate) drawn: bool,
}

impl Judgement {
    /// Whether to take a draw the opponent offers.
    pub(crate) fn accepts_draw(&self) -> bool {
        self.offers_draw() || self.is_at_most(WORSE)
    }

    /// Whether to offer a draw.
    pub(crate) fn offers_draw(&self) -> bool {
        self.drawn || self.is_even_long_game()
    }

    /// Whether to give up.
    pub(crate) fn resigns(&self) -> bool {
        self.depth >= SURE_DEPTH && self.is_at_most(LOST)
    }

    fn is_even_long_game(&self) -> bool {
        self.depth >= SURE_DEPTH
            && self.moves_played >= LONG_GAME
            && matches!(self.score, Score::Cp(cp) if cp.abs() <= EVEN)
    }

    fn is_at_most(&self, bound: i32) -> bool {
        match self.score {
            Score::Cp(cp) => cp <= bound,
            Score::Mate(plies) => plies <= 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judgement(score: Score, moves_played: u32) -> Judgement {
        Judgement { score, depth: 12, moves_played, drawn: false }
    }

    #[test]
    fn draws_are_refused_in_an_even_opening_and_taken_when_worse() {
        assert!(!judgement(Score::Cp(-18), 3).accepts_draw());
        assert!(judgement(Score::Cp(-100), 3).accepts_draw());
        assert!(judgement(Score::Mate(-4), 3).accepts_draw());
        assert!(!judgement(Score::Mate(3), 3).accepts_draw());
    }

    #[test]
    fn long_even_games_are_drawn() {
        assert!(judgement(Score::Cp(5), 80).offers_draw());
        assert!(judgement(Score::Cp(5), 80).accepts_draw());
        assert!(!judgement(Score::Cp(5), 20).offers_draw());
        assert!(!judgement(Score::Cp(90), 80).offers_draw());
        assert!(Judgement { drawn: true, ..judgement(Score::Cp(90), 20) }.offers_draw());
    }

    #[test]
    fn only_lost_games_are_given_up() {
        assert!(judgement(Score::Cp(-800), 30).resigns());
        assert!(judgement(Score::Mate(-6), 30).resigns());
        assert!(!judgement(Score::Cp(-300), 30).resigns());
        assert!(!judgement(Score::Mate(7), 30).resigns());
        assert!(!Judgement { depth: 2, ..judgement(Score::Mate(-6), 30) }.resigns());
    }
}
