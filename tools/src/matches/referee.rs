//! Who decides when a game is over.

use std::fmt;

use movegen::rules::{Report, RuleSet, Verdict, judge, judge_with};
use movegen::{Color, History};

use crate::judge::clause_id;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The side that won.
    Win(Color),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// Twice the points of `color`: 0, 1 or 2.
    pub fn half_points(self, color: Color) -> usize {
        match self {
            Self::Draw => 1,
            Self::Win(winner) => 2 * usize::from(winner == color),
        }
    }

    /// Reads `1-0`, `0-1`, `1/2-1/2`.
    pub fn from_tag(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::Win(Color::Red)),
            "0-1" => Some(Self::Win(Color::Black)),
            "1/2-1/2" => Some(Self::Draw),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win(Color::Red) => "1-0",
            Self::Win(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

/// The referee's word on a game: how it ended and by which clause; `None` while it goes on.
pub fn verdict(history: &History, rules: RuleSet) -> Option<(Outcome, String)> {
    let outcome = match judge(history, rules) {
        Verdict::None => return None,
        Verdict::Draw => Outcome::Draw,
        Verdict::Loses(side) => Outcome::Win(!side),
    };
    // Only a finished game is judged a second time, for the reason.
    let mut report = Report::default();
    judge_with(history, rules, &mut report);
    Some((outcome, clause_id(&report.clause).replace('_', " ")))
}

#[cfg(test)]
mod tests {
    use movegen::Position;

    use super::*;

    #[test]
    fn games_end_by_the_law() {
        // Sources: the mate and the stalemate of UCCI test lines; the two kings that only walk are dead by every rule set.
        for (fen, outcome, reason) in [
            ("3k5/3RP4/9/9/9/9/9/9/9/4K4 b - - 0 1", Outcome::Win(Color::Red), "checkmate"),
            ("4k4/3P1P3/9/9/9/9/9/9/9/3K5 b - - 0 1", Outcome::Win(Color::Red), "stalemate"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", Outcome::Draw, "dead position"),
        ] {
            let history = History::new(Position::from_fen(fen).expect(fen));
            assert_eq!(verdict(&history, RuleSet::default()), Some((outcome, reason.to_owned())), "{fen}");
        }
        let mut history =
            History::new(Position::from_fen("4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1").expect("a position"));
        // Source: the example of a forbidden repetition in the UCCI documents.
        for text in "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9".split(' ') {
            if verdict(&history, RuleSet::default()).is_some() {
                break;
            }
            history.push(text.parse().expect(text));
        }
        let perpetual = Some((Outcome::Win(Color::Black), "perpetual check".to_owned()));
        assert_eq!(verdict(&history, RuleSet::default()), perpetual);
    }
}
