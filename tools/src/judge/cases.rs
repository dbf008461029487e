//! Files of cases: a game, a rule set and the verdict expected, one JSON object a line.

use std::fmt;

use anyhow::{Context, anyhow, bail, ensure};
use movegen::rules::{RuleSet, Verdict};
use serde::{Deserialize, Serialize};

use super::{
    judgement::{Judgement, first_verdict},
    read_game,
    words::Lang,
};
use crate::counted::counted;

/// The fields of a case that are used here; others may stand beside them.
#[derive(Debug, Deserialize)]
struct Case {
    id: String,
    fen: String,
    moves: Vec<String>,
    rules: String,
    verdict: String,
    /// Other rule sets expected to agree.
    #[serde(default)]
    also: Vec<String>,
    /// Whether the sources disagree: judged, but never a failure.
    #[serde(default)]
    disputed: bool,
}

/// A case with another verdict than expected.
#[derive(Debug, Serialize)]
struct Miss {
    id: String,
    rules: &'static str,
    expected: String,
    verdict: &'static str,
    /// The ply at which a verdict other than the expected one already stood.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    clause: String,
}

/// What came of a file of cases.
#[derive(Debug, Default, Serialize)]
pub(super) struct Summary {
    /// Judgements made: one for each case and rule set.
    judged: usize,
    passed: usize,
    /// Judgements other than expected, disputed cases not counted.
    pub(super) failed: usize,
    failures: Vec<Miss>,
    /// Disputed cases that are judged differently here.
    disputed: Vec<Miss>,
}

/// Judges every case; with `wanted`, only by those of its rule sets.
///
/// # Errors
/// A line that is no case, with its number; no case at all, or none of the wanted rule sets.
pub(super) fn judge(text: &str, wanted: Option<&[RuleSet]>, lang: Lang) -> anyhow::Result<Summary> {
    let mut summary = Summary::default();
    let mut cases = 0;
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    for (i, line) in lines {
        let number = i + 1;
        cases += 1;
        // The parser counts lines too, but sees only this one.
        let case: Case = serde_json::from_str(line).map_err(|error| {
            let text = error.to_string();
            anyhow!("line {number}: {}", text.replace(" at line 1 column ", " at column "))
        })?;
        judge_case(&case, wanted, lang, &mut summary)
            .with_context(|| format!("line {number}, case {}", case.id))?;
    }
    ensure!(cases > 0, "no case in it");
    if let Some(wanted) = wanted.filter(|_| summary.judged == 0) {
        let names: Vec<&str> = wanted.iter().map(|rules| rules.name()).collect();
        bail!("of {} none names the rule set {}", counted(cases, "case"), names.join(", "));
    }
    Ok(summary)
}

fn judge_case(
    case: &Case,
    wanted: Option<&[RuleSet]>,
    lang: Lang,
    summary: &mut Summary,
) -> anyhow::Result<()> {
    let known = ["none", "draw", "red_loses", "black_loses"];
    ensure!(
        known.contains(&case.verdict.as_str()),
        "unknown verdict '{}': expected one of {}",
        case.verdict,
        known.join(", ")
    );
    let game = read_game(Some(&case.fen), &case.moves, None)?;
    for name in [&case.rules].into_iter().chain(&case.also) {
        let rules: RuleSet = name.parse()?;
        if wanted.is_some_and(|wanted| !wanted.contains(&rules)) {
            continue;
        }
        summary.judged += 1;
        let judgement = Judgement::of(&game, rules, lang);
        let early = first_verdict(&game, rules)
            .filter(|(_, verdict)| *verdict != Verdict::None && verdict.name() != case.verdict);
        let miss = |verdict, ply| Miss {
            id: case.id.clone(),
            rules: rules.name(),
            expected: case.verdict.clone(),
            verdict,
            ply,
            clause: judgement.clause.clone(),
        };
        let miss = match early {
            _ if judgement.verdict != case.verdict => miss(judgement.verdict, None),
            Some((ply, verdict)) => miss(verdict.name(), Some(ply)),
            None => {
                summary.passed += 1;
                continue;
            }
        };
        if case.disputed {
            summary.disputed.push(miss);
        } else {
            summary.failed += 1;
            summary.failures.push(miss);
        }
    }
    Ok(())
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, rules, expected, verdict, ply, clause } = self;
        write!(f, "{id} ({rules}): expected {expected}, judged {verdict}")?;
        match ply {
            Some(ply) => write!(f, " already after ply {ply}"),
            None => write!(f, ": {clause}"),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for miss in &self.failures {
            writeln!(f, "FAIL {miss}")?;
        }
        for miss in &self.disputed {
            writeln!(f, "disputed {miss}")?;
        }
        writeln!(
            f,
            "{} judged: {} as expected, {} failed, {} disputed and judged differently",
            self.judged,
            self.passed,
            self.failed,
            self.disputed.len()
        )
    }
}
