//! The analysis as a table and as JSON.

use std::io::{self, Write};

use movegen::notation::Notation;
use movegen::{Color, Move};
use serde::Serialize;

use super::engine::{Analysis, Mark, MoveAnalysis};
use crate::counted::counted;
use crate::evaluation::Evaluation;
use crate::games::Game;
use crate::judge::{self, Judgement, Lang, heading, width};

/// Moves of the best line that fit a line of the table.
const LINE: usize = 4;

pub(super) fn table(
    game: &Game,
    analysis: &Analysis,
    notation: Option<Notation>,
    lang: Lang,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let notation = notation.unwrap_or(Notation::WXF);
    if let (Some(red), Some(black)) = (game.tag("Red"), game.tag("Black")) {
        writeln!(out, "{red} - {black}  {}", game.outcome)?;
    }
    writeln!(
        out,
        "{}  {}   {} {} {}  {}",
        right(lang.pick(["ply", "lượt", "步"]), 4),
        left(lang.pick(["move", "nước đi", "着法"]), 9),
        right(lang.pick(["eval", "điểm", "评估"]), 7),
        right(lang.pick(["loss", "mất", "失分"]), 5),
        right(lang.pick(["chance", "cơ hội", "胜率"]), 6),
        lang.pick(["best", "tốt nhất", "最佳"])
    )?;
    for (ply, analysed) in analysis.moves.iter().enumerate() {
        let position = &analysis.history.positions()[ply];
        let mut line = Vec::new();
        let mut before = position.clone();
        for &mv in analysed.best_line.iter().take(LINE) {
            line.push(name(notation, &before, mv));
            before = before.play(mv);
        }
        writeln!(
            out,
            "{:>4}  {}{:<2} {} {:>5} {:>5.1}%  {} {}",
            ply + 1,
            left(&name(notation, position, analysed.mv), 9),
            analysed.mark.map_or("", Mark::text),
            right(&evaluation(analysed.evaluation, lang), 7),
            analysed.loss.map_or_else(|| "-".to_owned(), |loss| loss.to_string()),
            analysed.chance_lost * 100.0,
            evaluation(Some(analysed.best_evaluation), lang),
            line.join(" ")
        )?;
    }
    for side in Color::ALL {
        writeln!(out, "{}", side_line(analysis, side, lang))?;
    }
    if let Some((ply, _)) = analysis.verdict {
        let judgement = judgement(analysis, ply, lang);
        let heading = heading(&analysis.rules.to_string(), ply, judgement.verdict_text(lang), lang);
        writeln!(out, "{heading} — {}", judgement.clause())?;
    }
    writeln!(out)?;
    Ok(())
}

/// What a side's moves cost, and how many were marked.
fn side_line(analysis: &Analysis, side: Color, lang: Lang) -> String {
    let [doubtful, mistakes, blunders] =
        [Mark::Doubtful, Mark::Mistake, Mark::Blunder].map(|mark| analysis.count(side, mark));
    let loss = analysis.average_loss(side).map_or_else(|| "-".to_owned(), |loss| format!("{loss:.0}"));
    let chance = analysis.average_chance_lost(side).unwrap_or(0.0) * 100.0;
    let name = judge::side(side, lang);
    lang.choose([
        format!(
            "{name}: average loss {loss}, {chance:.1}% of the chance to win, {doubtful} doubtful, {}, {}",
            counted(mistakes, "mistake"),
            counted(blunders, "blunder")
        ),
        format!(
            "{name}: trung bình mất {loss}, {chance:.1}% cơ hội thắng, {doubtful} nước đáng ngờ, {mistakes} sai lầm, \
             {blunders} sai lầm nặng"
        ),
        format!(
            "{name}：平均失分 {loss}，胜率损失 {chance:.1}%，疑问手 {doubtful}，错着 {mistakes}，败着 {blunders}"
        ),
    ])
}

/// A text with blanks after it, in columns of a terminal.
fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// A text with blanks before it.
fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

fn judgement(analysis: &Analysis, ply: usize, lang: Lang) -> Judgement {
    let mut history = analysis.history.clone();
    history.truncate(ply);
    Judgement::of(&history, analysis.rules, lang)
}

fn name(notation: Notation, position: &movegen::Position, mv: Move) -> String {
    notation.write_or_wxf(position, mv).unwrap_or_else(|| mv.to_string())
}

/// From the mover's view; none after the end of the game.
fn evaluation(evaluation: Option<Evaluation>, lang: Lang) -> String {
    let sign = |positive| if positive { "+" } else { "-" };
    match evaluation {
        None => lang.pick(["end", "hết", "终局"]).to_owned(),
        Some(Evaluation::Cp(cp)) => format!("{:+.2}", f64::from(cp) / 100.0),
        Some(Evaluation::Mate(moves)) => format!("{}#{}", sign(moves > 0), moves.abs()),
        Some(Evaluation::Law(wins)) => format!("{}{}", sign(wins), lang.pick(["law", "luật", "裁定"])),
    }
}

#[derive(Serialize)]
struct GameLine<'a> {
    red: Option<&'a str>,
    black: Option<&'a str>,
    result: String,
    fen: String,
    rules: String,
    moves: Vec<MoveLine>,
    summary: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    judgement: Option<Judgement>,
}

#[derive(Serialize)]
struct MoveLine {
    ply: usize,
    side: &'static str,
    #[serde(rename = "move")]
    mv: String,
    wxf: String,
    /// From the mover's view.
    #[serde(flatten)]
    evaluation: Scored,
    best: Option<String>,
    best_cp: Option<i32>,
    best_mate: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best_law: Option<i32>,
    best_line: Vec<String>,
    /// `null` where a mate is on one side of the reckoning.
    loss_cp: Option<i32>,
    loss_chance: f64,
    mark: Option<&'static str>,
}

#[derive(Serialize)]
struct Scored {
    cp: Option<i32>,
    mate: Option<i32>,
    /// 1 where the law of repetition gives the win, -1 where it gives the loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    law: Option<i32>,
}

impl Scored {
    fn of(evaluation: Option<Evaluation>) -> Self {
        match evaluation {
            Some(Evaluation::Cp(cp)) => Self { cp: Some(cp), mate: None, law: None },
            Some(Evaluation::Mate(moves)) => Self { cp: None, mate: Some(moves), law: None },
            Some(Evaluation::Law(wins)) => {
                Self { cp: None, mate: None, law: Some(if wins { 1 } else { -1 }) }
            }
            None => Self { cp: None, mate: None, law: None },
        }
    }
}

#[derive(Serialize)]
struct Summary {
    red: SideSummary,
    black: SideSummary,
}

#[derive(Serialize)]
struct SideSummary {
    moves: usize,
    average_loss_cp: Option<f64>,
    average_loss_chance: Option<f64>,
    doubtful: usize,
    mistakes: usize,
    blunders: usize,
}

impl SideSummary {
    fn of(analysis: &Analysis, side: Color) -> Self {
        Self {
            moves: analysis.of(side).count(),
            average_loss_cp: analysis.average_loss(side).map(|loss| (loss * 10.0).round() / 10.0),
            average_loss_chance: analysis.average_chance_lost(side).map(thousandths),
            doubtful: analysis.count(side, Mark::Doubtful),
            mistakes: analysis.count(side, Mark::Mistake),
            blunders: analysis.count(side, Mark::Blunder),
        }
    }
}

fn thousandths(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

pub(super) fn json(game: &Game, analysis: &Analysis, lang: Lang, out: &mut dyn Write) -> io::Result<()> {
    let moves =
        analysis.moves.iter().enumerate().map(|(ply, analysed)| move_line(analysis, ply, analysed)).collect();
    let line = GameLine {
        red: game.tag("Red"),
        black: game.tag("Black"),
        result: game.outcome.to_string(),
        fen: game.start().fen(),
        rules: analysis.rules.to_string(),
        moves,
        summary: Summary {
            red: SideSummary::of(analysis, Color::Red),
            black: SideSummary::of(analysis, Color::Black),
        },
        judgement: analysis.verdict.map(|(ply, _)| judgement(analysis, ply, lang)),
    };
    serde_json::to_writer(&mut *out, &line)?;
    writeln!(out)
}

fn move_line(analysis: &Analysis, ply: usize, analysed: &MoveAnalysis) -> MoveLine {
    let best = Scored::of(Some(analysed.best_evaluation));
    MoveLine {
        ply: ply + 1,
        side: if analysed.side == Color::Red { "red" } else { "black" },
        mv: analysed.mv.to_string(),
        wxf: name(Notation::WXF, &analysis.history.positions()[ply], analysed.mv),
        evaluation: Scored::of(analysed.evaluation),
        best: analysed.best_line.first().map(ToString::to_string),
        best_cp: best.cp,
        best_mate: best.mate,
        best_law: best.law,
        best_line: analysed.best_line.iter().map(ToString::to_string).collect(),
        loss_cp: analysed.loss,
        loss_chance: thousandths(analysed.chance_lost),
        mark: analysed.mark.map(Mark::text),
    }
}
