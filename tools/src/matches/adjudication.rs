//! Ends games early by score or length. Everything but the length is off unless asked for.

use movegen::{Color, History};

use super::config::{DrawRule, MatchConfig, ResignRule};
use super::referee::Outcome;
use super::replies::Eval;
use crate::counted::counted;

/// Follows the scores of a game.
#[derive(Debug)]
pub(super) struct Adjudicator {
    draw: Option<DrawRule>,
    resign: Option<ResignRule>,
    max_moves: u32,
    /// Plies in a row with a score near zero.
    quiet_plies: u32,
    /// Moves in a row with a bad score, by colour.
    bad: [u32; 2],
    /// Moves in a row with a good score, by colour.
    good: [u32; 2],
}

impl Adjudicator {
    /// At the start of a game.
    pub(super) fn new(config: &MatchConfig) -> Self {
        Self {
            draw: config.draw,
            resign: config.resign,
            max_moves: config.max_moves,
            quiet_plies: 0,
            bad: [0; 2],
            good: [0; 2],
        }
    }

    /// Takes down the score of a move by `side`; a move without a score ends every run.
    pub(super) fn note(&mut self, side: Color, eval: Option<Eval>) {
        let score = eval.map(Eval::centipawns);
        let count = |run: &mut u32, holds: bool| *run = if holds { *run + 1 } else { 0 };
        if let Some(rule) = self.draw {
            count(&mut self.quiet_plies, score.is_some_and(|score| score.saturating_abs() <= rule.score));
        }
        if let Some(rule) = self.resign {
            count(&mut self.bad[side.index()], score.is_some_and(|score| score <= -rule.score));
            count(&mut self.good[side.index()], score.is_some_and(|score| score >= rule.score));
        }
    }

    /// Whether the game is to end, how and why.
    pub(super) fn verdict(&self, history: &History) -> Option<(Outcome, String)> {
        let moves = history.len() as u32 / 2;
        if let Some(rule) = self.draw
            && moves >= rule.move_number
            && u64::from(self.quiet_plies) >= 2 * u64::from(rule.move_count)
        {
            return Some((Outcome::Draw, "draw by score".to_owned()));
        }
        if let Some(rule) = self.resign {
            for color in Color::ALL {
                let agreed = !rule.two_sided || self.good[(!color).index()] >= rule.move_count;
                if self.bad[color.index()] >= rule.move_count && agreed {
                    return Some((Outcome::Win(!color), "loss by score".to_owned()));
                }
            }
        }
        if self.max_moves > 0 && moves >= self.max_moves {
            return Some((Outcome::Draw, counted(self.max_moves, "move")));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use movegen::Position;

    use super::super::words::parse_words;
    use super::*;

    fn adjudicator(words: &str) -> Adjudicator {
        let text = format!("-each nodes=1 -engine cmd=a -engine cmd=b {words}");
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Adjudicator::new(&parse_words(&words).expect("known words"))
    }

    /// A game of `plies` plies.
    fn history(plies: usize) -> History {
        let mut history = History::new(Position::startpos());
        for text in ["h0g2", "h9g7", "g2h0", "g7h9"].into_iter().cycle().take(plies) {
            history.push(text.parse().expect(text));
        }
        history
    }

    fn note(adjudicator: &mut Adjudicator, scores: &[i32]) {
        for (index, &score) in scores.iter().enumerate() {
            adjudicator.note(if index % 2 == 0 { Color::Red } else { Color::Black }, Some(Eval::Cp(score)));
        }
    }

    #[test]
    fn nothing_is_adjudicated_unless_asked_for() {
        let mut adjudicator = adjudicator("");
        note(&mut adjudicator, &[0; 200]);
        note(&mut adjudicator, &[5000, -5000].repeat(50));
        assert_eq!(adjudicator.verdict(&history(300)), None);
        assert!(adjudicator.verdict(&history(1000)).is_some(), "500 moves are the default limit");
    }

    #[test]
    fn draws_need_both_sides_and_a_late_hour() {
        let mut adjudicator = adjudicator("-draw movenumber=3 movecount=2 score=10");
        note(&mut adjudicator, &[0, 10, -10, 5]);
        assert_eq!(adjudicator.verdict(&history(4)), None);
        assert_eq!(adjudicator.verdict(&history(6)).map(|v| v.0), Some(Outcome::Draw));
        adjudicator.note(Color::Red, Some(Eval::Cp(11)));
        assert_eq!(adjudicator.verdict(&history(7)), None);
        note(&mut adjudicator, &[0, 0, 0]);
        adjudicator.note(Color::Black, None);
        assert_eq!(adjudicator.verdict(&history(12)), None, "a move without a score interrupts");
    }

    #[test]
    fn numbers_at_their_limits_mean_what_they_say() {
        let mut many = adjudicator("-draw movenumber=1 movecount=2147483648 score=10");
        note(&mut many, &[0; 20]);
        assert_eq!(many.verdict(&history(20)), None);
        let mut far = adjudicator("-draw movenumber=1 movecount=1 score=10");
        note(&mut far, &[i32::MIN, i32::MIN]);
        assert_eq!(far.verdict(&history(2)), None, "the worst score of all is not near zero");
    }

    #[test]
    fn resignation_by_one_side_or_both() {
        let mut one = adjudicator("-resign movecount=2 score=500");
        note(&mut one, &[0, -500, 0, -700]);
        assert_eq!(one.verdict(&history(4)).map(|v| v.0), Some(Outcome::Win(Color::Red)));
        let mut two = adjudicator("-resign movecount=2 score=500 twosided=true");
        note(&mut two, &[0, -500, 500, -700]);
        assert_eq!(two.verdict(&history(4)), None);
        two.note(Color::Red, Some(Eval::Mate(3)));
        assert_eq!(two.verdict(&history(5)).map(|v| v.0), Some(Outcome::Win(Color::Red)));
    }
}
