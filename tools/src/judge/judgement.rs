//! One judgement, ready to be written.

use std::fmt::Write as _;

use movegen::rules::{Report, RuleSet, StepReport, Verdict, judge, judge_with};
use movegen::{Color, History};
use serde::Serialize;

use super::words::{self, Lang};

/// What a rule set says about a game after its last move.
#[derive(Debug, Serialize)]
pub(crate) struct Judgement {
    /// `red_loses`, `black_loses`, `draw` or `none`.
    pub(super) verdict: &'static str,
    /// The rule set.
    pub(super) rules: &'static str,
    /// Plies of the game.
    ply: usize,
    /// Plies after which the first and the last position of the judged moves stood on the board.
    cycle: Option<(usize, usize)>,
    /// The judged moves.
    moves: Vec<Step>,
    /// The clause that decides, in words.
    pub(super) clause: String,
    /// Its name, the same in every language.
    clause_id: &'static str,
    /// The ply after which the game first had a verdict, and that verdict, if it was not the last ply.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<First>,
}

/// An earlier verdict.
#[derive(Debug, Serialize)]
struct First {
    ply: usize,
    verdict: &'static str,
}

/// A judged move.
#[derive(Debug, Serialize)]
struct Step {
    ply: usize,
    side: &'static str,
    #[serde(rename = "move")]
    mv: String,
    class: &'static str,
    victims: Vec<Victim>,
    why: String,
}

/// A chased piece.
#[derive(Debug, Serialize, PartialEq, Eq)]
struct Victim {
    /// Its FEN letter.
    piece: char,
    /// Where it stands after the move.
    square: String,
    /// Where it stood at the start of the cycle, which tells twins apart.
    origin: String,
    /// Who chases it: FEN letter and square.
    by: Vec<Chaser>,
}

#[derive(Debug, Serialize, PartialEq, Eq)]
struct Chaser {
    piece: char,
    square: String,
}

impl Judgement {
    /// Asks the law.
    pub(crate) fn of(game: &History, rules: RuleSet, lang: Lang) -> Self {
        let mut report = Report::default();
        let verdict = judge_with(game, rules, &mut report);
        let loser = if let Verdict::Loses(side) = verdict { Some(side) } else { None };
        Self {
            verdict: verdict.name(),
            rules: rules.name(),
            ply: game.len(),
            cycle: report.span,
            moves: report.steps.iter().map(|step| Step::new(step, lang)).collect(),
            clause: words::clause(&report.clause, loser, lang),
            clause_id: words::clause_id(&report.clause),
            first: first_verdict(game, rules).map(|(ply, verdict)| First { ply, verdict: verdict.name() }),
        }
    }

    /// The verdict in words.
    pub(crate) fn verdict_text(&self, lang: Lang) -> &'static str {
        words::verdict(self.verdict, lang)
    }

    /// The clause that decides, in words.
    pub(crate) fn clause(&self) -> &str {
        &self.clause
    }

    /// The kinds of the judged moves in words.
    pub(crate) fn class_texts(&self, lang: Lang) -> Vec<&'static str> {
        self.moves.iter().map(|step| words::class(step.class, lang)).collect()
    }

    /// The judgement for people.
    pub(super) fn text(&self, lang: Lang) -> String {
        let mut text = String::new();
        let mut line = |line: String| {
            text.push_str(&line);
            text.push('\n');
        };
        line(words::heading(self.rules, self.ply, words::verdict(self.verdict, lang), lang));
        line(format!("{}: {}", words::label_reason(lang), self.clause));
        if let Some(First { ply, verdict }) = self.first {
            line(words::earlier(ply, words::verdict(verdict, lang), lang));
        }
        if let Some((first, last)) = self.cycle {
            line(words::cycle(first + 1, last, lang));
        }
        for step in &self.moves {
            let side = words::side_name(step.side, lang);
            line(format!(
                "{:>5}. {side} {}  {}: {}",
                step.ply,
                step.mv,
                words::class(step.class, lang),
                step.why
            ));
        }
        text
    }
}

/// All judgements side by side.
pub(super) fn table(judgements: &[Judgement], lang: Lang) -> String {
    let verdicts: Vec<&str> = judgements.iter().map(|one| words::verdict(one.verdict, lang)).collect();
    let width = verdicts.iter().map(|verdict| words::width(verdict)).max().unwrap_or(0);
    let mut text = String::new();
    for (judgement, verdict) in judgements.iter().zip(verdicts) {
        let padding = " ".repeat(width - words::width(verdict));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:<11} {verdict}{padding}  {}", judgement.rules, judgement.clause);
    }
    text
}

/// The first verdict of a game, if it came before the last ply.
pub(crate) fn first_verdict(game: &History, rules: RuleSet) -> Option<(usize, Verdict)> {
    let mut replay = History::new(game.start().clone());
    for mv in game.moves().iter().flatten() {
        let verdict = judge(&replay, rules);
        if verdict != Verdict::None {
            return Some((replay.len(), verdict));
        }
        replay.push(*mv);
    }
    None
}

impl Step {
    fn new(step: &StepReport, lang: Lang) -> Self {
        let mut victims: Vec<Victim> = Vec::new();
        for threat in &step.threats {
            let chaser =
                Chaser { piece: threat.attacker.piece.to_char(), square: threat.attacker.square.to_string() };
            let square = threat.victim.square.to_string();
            match victims.iter_mut().find(|victim| victim.square == square) {
                Some(victim) => victim.by.push(chaser),
                None => victims.push(Victim {
                    piece: threat.victim.piece.to_char(),
                    square,
                    origin: threat.origin.to_string(),
                    by: vec![chaser],
                }),
            }
        }
        Self {
            ply: step.ply,
            side: match step.side {
                Color::Red => "red",
                Color::Black => "black",
            },
            mv: step.mv.to_string(),
            class: step.class.name(),
            victims,
            why: words::step(step, lang),
        }
    }
}
