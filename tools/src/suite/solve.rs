//! Searches a test position and notes when it was solved.

use std::time::Duration;

use movegen::rules::RuleSet;
use movegen::{History, Move};
use search::{Bound, Control, Info, Iteration, Limits, Score, Searcher};
use serde::{Deserialize, Serialize};

use super::case::{Case, Goal};

/// What came of a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// Name of the position.
    pub id: String,
    /// Whether the final answer is right.
    pub solved: bool,
    /// Nodes after which the answer was right and stayed so.
    pub nodes: Option<u64>,
    /// Depth of that iteration.
    pub depth: Option<u32>,
    /// Time at that moment, in milliseconds.
    pub ms: Option<u64>,
    /// The move chosen in the end.
    pub best: Option<String>,
    /// Its score: `cp 35`, `mate 5` (plies).
    pub score: String,
    /// All nodes of the search.
    pub total_nodes: u64,
    /// What is impossible about the answer, if something is: a mate shorter than the proved shortest, or by a move that has none.
    pub unsound: Option<String>,
}

/// How every position is searched.
#[derive(Debug, Clone)]
pub struct Effort {
    /// Depth, nodes or time.
    pub limits: Limits,
    /// Size of the hash table, MiB.
    pub hash_mib: usize,
    /// The law of repetitions.
    pub rules: RuleSet,
}

/// Moves of a mate in `plies` plies.
fn moves_of(plies: i32) -> i32 {
    (plies + 1) / 2
}

impl Goal {
    /// Whether this answer solves the position.
    fn is_met(&self, best: Move, score: Score) -> bool {
        match self {
            Self::Moves(moves) => moves.contains(&best),
            Self::Mate { moves, by, .. } => {
                let in_time =
                    matches!(score, Score::Mate(plies) if plies > 0 && moves_of(plies) <= *moves as i32);
                in_time && (by.is_empty() || by.contains(&best))
            }
        }
    }

    /// What is impossible about this answer, by what was proved about the position.
    fn contradiction(&self, best: Move, score: Score) -> Option<String> {
        let (Self::Mate { moves, by, exact }, Score::Mate(plies)) = (self, score) else { return None };
        let found = moves_of(plies);
        let shortest = *moves as i32;
        if plies <= 0 {
            Some(format!("says that the mating side is mated ({plies})"))
        } else if *exact && found < shortest {
            Some(format!("mate in {found}, but the shortest takes {shortest}"))
        } else if !by.is_empty() && found <= shortest && !by.contains(&best) {
            Some(format!("mate in {found} by {best}, which does not mate in {shortest}"))
        } else {
            None
        }
    }
}

/// Searches `case`. A mate ends its search when it is proved; other goals get the whole effort, so that a lucky first guess does not
/// count as a solution.
pub fn attempt(searcher: &mut Searcher, case: &Case, effort: &Effort) -> Attempt {
    searcher.clear();
    let control = Control::new(false);
    let mut solution: Option<(u64, u32, Duration)> = None;
    let is_mate = matches!(case.goal, Goal::Mate { .. });
    let mut on_info = |info: Info| {
        let Info::Iteration(iteration) = info else { return };
        let Iteration { depth, score, bound, nodes, time, ref pv, .. } = iteration;
        let Some(&best) = pv.first().filter(|_| iteration.multi_pv == 1 && bound != Bound::Upper) else {
            return;
        };
        if case.goal.is_met(best, score) {
            solution.get_or_insert((nodes, depth, time));
            if is_mate {
                control.stop();
            }
        } else {
            solution = None;
        }
    };
    let result =
        searcher.search(&History::new(case.position.clone()), &effort.limits, &control, &mut on_info);
    let solved = result.best.is_some_and(|best| case.goal.is_met(best, result.score));
    // An answer that changed after the last report was found by its end.
    let solution = solved.then(|| solution.unwrap_or((result.nodes, result.depth, control.elapsed())));
    Attempt {
        id: case.id.clone(),
        solved,
        nodes: solution.map(|(nodes, ..)| nodes),
        depth: solution.map(|(_, depth, _)| depth),
        ms: solution.map(|(.., time)| time.as_millis() as u64),
        best: result.best.map(|mv| mv.to_string()),
        score: match result.score {
            Score::Cp(cp) => format!("cp {cp}"),
            Score::Mate(plies) => format!("mate {plies}"),
        },
        total_nodes: result.nodes,
        unsound: result.best.and_then(|best| case.goal.contradiction(best, result.score)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals() {
        let [good, bad]: [Move; 2] = ["h2e2", "b2e2"].map(|text| text.parse().expect(text));
        let tactic = Goal::Moves(vec![good]);
        assert!(tactic.is_met(good, Score::Cp(-50)) && !tactic.is_met(bad, Score::Mate(1)));
        let mate = Goal::Mate { moves: 3, by: vec![good], exact: true };
        assert!(mate.is_met(good, Score::Mate(5)) && !mate.is_met(good, Score::Mate(7)));
        assert!(!mate.is_met(bad, Score::Mate(5)) && !mate.is_met(good, Score::Cp(900)));
        assert_eq!(mate.contradiction(good, Score::Mate(5)), None);
        assert_eq!(
            mate.contradiction(bad, Score::Mate(7)),
            None,
            "a longer mate by another move is possible"
        );
        assert!(mate.contradiction(good, Score::Mate(3)).is_some(), "shorter than the shortest");
        assert!(mate.contradiction(bad, Score::Mate(5)).is_some(), "by a move that has no such mate");
        assert!(mate.contradiction(good, Score::Mate(-4)).is_some());
        let loose = Goal::Mate { moves: 3, by: vec![], exact: false };
        assert!(loose.is_met(bad, Score::Mate(3)) && loose.contradiction(bad, Score::Mate(3)).is_none());
    }
}
