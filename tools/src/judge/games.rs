//! Game files before the referee: is every move legal, and does the result agree with the law?

use std::collections::BTreeMap;
use std::fmt;

use movegen::rules::{RuleSet, Verdict, judge};
use movegen::{Color, History};
use serde::Serialize;

use super::judgement::first_verdict;
use super::words::clause_id;
use crate::counted::counted;
use crate::games::{Game, Outcome};
use crate::inputs::{Input, Reading};

/// What came of the files.
#[derive(Debug, Default, Serialize)]
pub(super) struct Summary {
    /// Games read, damaged ones included.
    pub(super) games: usize,
    /// Games that could be read.
    #[serde(skip)]
    pub(super) read: usize,
    plies: usize,
    red_wins: usize,
    black_wins: usize,
    draws: usize,
    /// Games that the law ends on their last move, by clause.
    by_law: BTreeMap<String, usize>,
    /// Games that end otherwise (flag, resignation, agreement, a rule of the program that ran them).
    otherwise: usize,
    /// Games in which the law had spoken before the last move: somebody played on.
    played_on: usize,
    /// What is wrong, one sentence each.
    pub(super) faults: Vec<String>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.faults {
            writeln!(f, "{fault}")?;
        }
        let (games, plies) = (counted(self.games, "game"), counted(self.plies, "ply"));
        writeln!(f, "{games}, {plies}: +{} ={} -{} for Red", self.red_wins, self.draws, self.black_wins)?;
        let ends: Vec<String> = self
            .by_law
            .iter()
            .map(|(clause, count)| format!("{} {count}", clause.replace('_', " ")))
            .collect();
        writeln!(
            f,
            "ended by the law: {}",
            if ends.is_empty() { "none".to_owned() } else { ends.join(", ") }
        )?;
        writeln!(
            f,
            "ended otherwise: {}, played on after the law had spoken: {}",
            self.otherwise, self.played_on
        )?;
        writeln!(f, "{} fault{}", self.faults.len(), if self.faults.len() == 1 { "" } else { "s" })
    }
}

/// Judges the games of a file. Damaged games, and files that cannot be read, are faults of the summary.
pub(super) fn judge_file(input: &Input, rules: RuleSet, reading: Reading, summary: &mut Summary) {
    let games = match input.games(None, reading) {
        Ok(games) => games,
        Err(error) => return summary.faults.push(format!("{}: cannot read: {error}", input.name())),
    };
    for (index, game) in games.enumerate() {
        // A file without games is none.
        summary.games += usize::from(!matches!(&game, Err(error) if error.is_of_file()));
        match game {
            Ok(game) => {
                summary.read += 1;
                if let Err(fault) = judge_game(&game, rules, summary) {
                    summary.faults.push(format!("{}: game {}: {fault}", input.name(), index + 1));
                }
            }
            Err(error) => summary.faults.push(format!("{}: {error}", input.name())),
        }
    }
}

/// Counts a game; the error says how its result contradicts the law.
fn judge_game(game: &Game, rules: RuleSet, summary: &mut Summary) -> Result<(), String> {
    let mut history = History::new(game.start().clone());
    game.moves().for_each(|mv| history.push(mv));
    summary.plies += history.len();
    match game.outcome {
        Outcome::RedWins => summary.red_wins += 1,
        Outcome::BlackWins => summary.black_wins += 1,
        Outcome::Draw => summary.draws += 1,
        Outcome::Unknown => {}
    }
    summary.played_on += usize::from(first_verdict(&history, rules).is_some());
    let verdict = judge(&history, rules);
    let expected = match verdict {
        Verdict::None => {
            summary.otherwise += 1;
            return Ok(());
        }
        Verdict::Draw => Outcome::Draw,
        Verdict::Loses(Color::Red) => Outcome::BlackWins,
        Verdict::Loses(Color::Black) => Outcome::RedWins,
    };
    let mut report = movegen::rules::Report::default();
    movegen::rules::judge_with(&history, rules, &mut report);
    let clause = clause_id(&report.clause).to_owned();
    let fault = (game.outcome != expected).then(|| {
        format!("the result is {}, the law says {expected} ({})", game.outcome, clause.replace('_', " "))
    });
    *summary.by_law.entry(clause).or_default() += 1;
    fault.map_or(Ok(()), Err)
}
