//! Runs of suites as tables and files, and the comparison of two runs.

use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};

use super::solve::Attempt;

/// A suite that was run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SuiteRun {
    /// Its name.
    pub suite: String,
    /// Every position of it.
    pub attempts: Vec<Attempt>,
}

/// Everything one call of `xq suite` has done: the content of a run file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    /// What was run, in words (limits, threads, hash, network), so that unlike runs are not compared unawares.
    pub effort: String,
    /// The suites.
    pub suites: Vec<SuiteRun>,
}

/// The geometric mean; `None` of nothing.
fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) =
        values.fold((0.0, 0_u32), |(sum, count), value| (sum + value.max(1.0).ln(), count + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

impl SuiteRun {
    fn solved(&self) -> usize {
        self.attempts.iter().filter(|attempt| attempt.solved).count()
    }

    /// Mean nodes to the solution, of the solved positions.
    fn mean_nodes(&self) -> Option<f64> {
        geometric_mean(self.attempts.iter().filter_map(|attempt| attempt.nodes).map(|nodes| nodes as f64))
    }

    fn total_nodes(&self) -> u64 {
        self.attempts.iter().map(|attempt| attempt.total_nodes).sum()
    }
}

/// The table of a run; with `all`, every position, otherwise those that were not solved.
pub fn table(run: &Run, all: bool) -> String {
    let mut text = format!("{}\n", run.effort);
    // Writing to a String cannot fail.
    for suite in &run.suites {
        let listed: Vec<&Attempt> = suite
            .attempts
            .iter()
            .filter(|attempt| all || !attempt.solved || attempt.unsound.is_some())
            .collect();
        if !listed.is_empty() {
            let _ = writeln!(
                text,
                "  {:24} {:>7} {:>6} {:>12} {:>8}",
                suite.suite, "best", "depth", "nodes", "ms"
            );
        }
        for attempt in listed {
            let best = attempt.best.as_deref().unwrap_or("-");
            let number = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
            let depth = number(attempt.depth.map(u64::from));
            let verdict = if attempt.solved { "" } else { "  not solved" };
            let _ = writeln!(
                text,
                "  {:24} {best:>7} {depth:>6} {:>12} {:>8}  {}{verdict}",
                attempt.id,
                number(attempt.nodes),
                number(attempt.ms),
                attempt.score
            );
            if let Some(unsound) = &attempt.unsound {
                let _ = writeln!(text, "  {:24} UNSOUND: {unsound}", "");
            }
        }
    }
    let _ = writeln!(
        text,
        "{:16} {:>9} {:>8} {:>20} {:>14}",
        "suite", "solved", "unsound", "mean nodes to solve", "nodes in all"
    );
    for suite in &run.suites {
        let unsound = suite.attempts.iter().filter(|attempt| attempt.unsound.is_some()).count();
        let mean = suite.mean_nodes().map_or_else(|| "-".to_owned(), |mean| format!("{mean:.0}"));
        let solved = format!("{}/{}", suite.solved(), suite.attempts.len());
        let total = suite.total_nodes();
        let _ = writeln!(text, "{:16} {solved:>9} {unsound:>8} {mean:>20} {total:>14}", suite.suite);
    }
    text
}

/// A run and what it is compared with, as programs read them.
#[derive(Debug, Serialize)]
pub struct Output<'r> {
    /// The run.
    #[serde(flatten)]
    pub run: &'r Run,
    /// What has changed since an earlier one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

/// What has changed since an earlier run.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// The effort of the earlier run, if it was another one.
    pub other_effort: Option<String>,
    /// The suites of the later run.
    pub suites: Vec<Change>,
}

/// What has changed in a suite.
#[derive(Debug, Default, Serialize)]
pub struct Change {
    /// Its name.
    pub suite: String,
    /// Positions that both runs have; `None` when the earlier one lacks the suite.
    pub positions: Option<usize>,
    /// How many of them were solved before.
    pub solved_before: usize,
    /// How many of them are solved now.
    pub solved_now: usize,
    /// Nodes to solve what both solve, as a multiple of the earlier ones.
    pub nodes_ratio: Option<f64>,
    /// Positions solved now only.
    pub gained: Vec<String>,
    /// Positions solved before only.
    pub lost: Vec<String>,
}

/// Compares two runs.
pub fn compare(before: &Run, after: &Run) -> Comparison {
    let change = |suite: &SuiteRun| {
        let name = suite.suite.clone();
        let Some(old) = before.suites.iter().find(|old| old.suite == name) else {
            return Change { suite: name, ..Change::default() };
        };
        let pairs: Vec<(&Attempt, &Attempt)> = suite
            .attempts
            .iter()
            .filter_map(|new| Some((old.attempts.iter().find(|old| old.id == new.id)?, new)))
            .collect();
        let names = |holds: fn(&Attempt, &Attempt) -> bool| -> Vec<String> {
            pairs.iter().filter(|(old, new)| holds(old, new)).map(|(_, new)| new.id.clone()).collect()
        };
        let ratios = pairs.iter().filter_map(|(old, new)| Some((old.nodes?, new.nodes?)));
        // Shifted so that a position solved at once, by one node or two, does not decide the mean.
        let ratio =
            geometric_mean(ratios.map(|(old, new)| 1e6 * (new as f64 + 100.0) / (old as f64 + 100.0)));
        Change {
            suite: name,
            positions: Some(pairs.len()),
            solved_before: pairs.iter().filter(|(old, _)| old.solved).count(),
            solved_now: pairs.iter().filter(|(_, new)| new.solved).count(),
            nodes_ratio: ratio.map(|ratio| ratio / 1e6),
            gained: names(|old, new| new.solved && !old.solved),
            lost: names(|old, new| old.solved && !new.solved),
        }
    };
    let other_effort = (before.effort != after.effort).then(|| before.effort.clone());
    Comparison { other_effort, suites: after.suites.iter().map(change).collect() }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(effort) = &self.other_effort {
            writeln!(f, "the earlier run was another one: {effort}")?;
        }
        for change in &self.suites {
            let Change { suite, solved_before, solved_now, .. } = change;
            let Some(all) = change.positions else {
                writeln!(f, "{suite}: not in the earlier run")?;
                continue;
            };
            write!(f, "{suite}: {solved_before}/{all} solved before, {solved_now}/{all} now")?;
            if let Some(ratio) = change.nodes_ratio {
                write!(f, ", nodes to solve what both solve: {ratio:.3} times")?;
            }
            writeln!(f)?;
            for (word, ids) in [("gained", &change.gained), ("lost", &change.lost)] {
                if !ids.is_empty() {
                    writeln!(f, "  {word}: {}", ids.join(" "))?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(id: &str, nodes: Option<u64>) -> Attempt {
        Attempt {
            id: id.to_owned(),
            solved: nodes.is_some(),
            nodes,
            depth: nodes.map(|_| 3),
            ms: nodes.map(|_| 1),
            best: Some("h2e2".to_owned()),
            score: "cp 5".to_owned(),
            total_nodes: 1000,
            unsound: None,
        }
    }

    fn run(attempts: Vec<Attempt>) -> Run {
        Run { effort: "1000 nodes".to_owned(), suites: vec![SuiteRun { suite: "s".to_owned(), attempts }] }
    }

    #[test]
    fn means_are_geometric() {
        assert_eq!(geometric_mean([].into_iter()), None);
        let mean = geometric_mean([100.0, 10_000.0].into_iter()).expect("two values");
        assert!((mean - 1000.0).abs() < 1e-6);
    }

    #[test]
    fn tables_and_comparisons() {
        let before = run(vec![attempt("a", Some(900)), attempt("b", Some(500)), attempt("c", None)]);
        let after = run(vec![
            attempt("a", Some(400)),
            attempt("b", None),
            attempt("c", Some(7)),
            attempt("new", Some(1)),
        ]);
        let shown = table(&after, false);
        assert!(shown.contains("b ") && shown.contains("not solved") && shown.contains("3/4"), "{shown}");
        assert!(!shown.contains("\n  a "), "{shown}");
        assert!(table(&after, true).contains("\n  a "));
        let text = compare(&before, &after).to_string();
        // By hand: position a takes (400 + 100) / (900 + 100) of the nodes.
        for part in ["2/3 solved before, 2/3 now", "0.500 times", "gained: c", "lost: b"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let mut other = before.clone();
        other.effort = "5 nodes".to_owned();
        assert!(compare(&other, &after).to_string().contains("another one: 5 nodes"));
        let json = serde_json::to_string(&after).expect("a run is plain data");
        let read: Run = serde_json::from_str(&json).expect("what was written");
        assert_eq!(read.suites[0].attempts, after.suites[0].attempts);
    }
}
