//! Runs of suites as tables and files, and the comparison of two runs.

use std::fmt::Write as _;

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
    /// What was run, in words (limits, hash, network), so that unlike runs are not compared unawares.
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

/// What has changed since an earlier run.
pub fn comparison(before: &Run, after: &Run) -> String {
    let mut text = String::new();
    if before.effort != after.effort {
        let _ = writeln!(text, "the earlier run was another one: {}", before.effort);
    }
    for suite in &after.suites {
        let Some(old) = before.suites.iter().find(|old| old.suite == suite.suite) else {
            let _ = writeln!(text, "{}: not in the earlier run", suite.suite);
            continue;
        };
        let pairs: Vec<(&Attempt, &Attempt)> = suite
            .attempts
            .iter()
            .filter_map(|new| Some((old.attempts.iter().find(|old| old.id == new.id)?, new)))
            .collect();
        let names = |holds: fn(&Attempt, &Attempt) -> bool| -> Vec<&str> {
            pairs.iter().filter(|(old, new)| holds(old, new)).map(|(_, new)| new.id.as_str()).collect()
        };
        let gained = names(|old, new| new.solved && !old.solved);
        let lost = names(|old, new| old.solved && !new.solved);
        let of = |solved: usize| format!("{solved}/{}", pairs.len());
        let count =
            |solved: fn(&(&Attempt, &Attempt)) -> bool| of(pairs.iter().filter(|pair| solved(pair)).count());
        let _ = write!(
            text,
            "{}: {} solved before, {} now",
            suite.suite,
            count(|pair| pair.0.solved),
            count(|pair| pair.1.solved)
        );
        let ratios = pairs.iter().filter_map(|(old, new)| Some((old.nodes?, new.nodes?)));
        // Shifted so that a position solved at once, by one node or two, does not decide the mean.
        let ratio =
            geometric_mean(ratios.map(|(old, new)| 1e6 * (new as f64 + 100.0) / (old as f64 + 100.0)));
        if let Some(ratio) = ratio {
            let _ = write!(text, ", nodes to solve what both solve: {:.3} times", ratio / 1e6);
        }
        text.push('\n');
        for (word, ids) in [("gained", gained), ("lost", lost)] {
            if !ids.is_empty() {
                let _ = writeln!(text, "  {word}: {}", ids.join(" "));
            }
        }
    }
    text
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
        let text = comparison(&before, &after);
        // By hand: position a takes (400 + 100) / (900 + 100) of the nodes.
        for part in ["2/3 solved before, 2/3 now", "0.500 times", "gained: c", "lost: b"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let mut other = before.clone();
        other.effort = "5 nodes".to_owned();
        assert!(comparison(&other, &after).contains("another one: 5 nodes"));
        let json = serde_json::to_string(&after).expect("a run is plain data");
        let read: Run = serde_json::from_str(&json).expect("what was written");
        assert_eq!(read.suites[0].attempts, after.suites[0].attempts);
    }
}
