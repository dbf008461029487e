//! `xq judge`: what a rule set says about a game, and why.
//!
//! The verdict is the one after the last move; the report also tells after which move the game was first decided. The
//! law itself is `movegen::rules`; here are only reading, wording and the case files.

mod cases;
mod games;
mod judgement;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{ValueEnum, ValueHint};
use movegen::notation::Notation;
use movegen::rules::RuleSet;
use movegen::{History, Position};

use crate::inputs::{self, Reading};
use crate::moves;
use crate::stdout::{out, outln};
pub(crate) use judgement::{Judgement, first_verdict};
pub use words::Lang;
pub(crate) use words::{clause_id, heading, side, width};

/// Arguments of `xq judge`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  xq judge game.xqf                               what the rules say of a game's end, and why
  xq judge --rules all --fen '9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w' --moves f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8
  xq judge --games games.pgn old/                 are all moves legal, do the results agree with the law?
  xq judge game.pgn --rules cxa --lang zh --format json

Exit code: 0 judged and, with --games and --cases, nothing wrong; 1 some games were damaged, or a game or case is wrong;
2 nothing could be judged.")]
pub struct Args {
    /// Judge the games of these files (any format `xq convert` reads), folders, or - for standard input
    #[arg(value_name = "FILES", conflicts_with_all = ["fen", "moves", "cases", "games"], value_hint = ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// Only this game of each file
    #[arg(long, value_name = "N", requires = "files")]
    game: Option<usize>,
    /// Rule set, or `all` for a comparison [default: asian; with --cases: the rule sets each case names]
    #[arg(long, value_name = "NAME", value_parser = crate::values::rules_or_all())]
    rules: Option<String>,
    /// Start position [default: the start of a game]
    #[arg(long)]
    fen: Option<String>,
    /// The moves, separated by blanks, in any notation
    #[arg(long, num_args = 1.., value_name = "MOVES")]
    moves: Vec<String>,
    #[command(flatten)]
    reading: Reading,
    /// Judge every case of a file instead (one JSON object a line) and report those with another verdict
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "read_notation", "read_encoding"])]
    cases: Option<PathBuf>,
    /// Check the games of these files and folders instead: legal moves, results that agree with the law
    #[arg(long, num_args = 1.., value_name = "FILES", value_hint = ValueHint::AnyPath, conflicts_with_all = ["fen", "moves", "cases"])]
    games: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Language of the reasons
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
}

/// How the report is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// Judges a game or a file of cases.
///
/// # Errors
/// When an argument cannot be read: the message names it and what is wrong with it.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let rules = match args.rules.as_deref() {
        None => None,
        Some(name) if name.eq_ignore_ascii_case("all") => Some(RuleSet::ALL.to_vec()),
        Some(name) => {
            Some(vec![name.parse::<RuleSet>().map_err(|error| anyhow::anyhow!("{error}, or all"))?])
        }
    };
    if let Some(path) = &args.cases {
        let text = crate::text::read(path)?;
        let summary = cases::judge(&text, rules.as_deref(), args.lang)
            .with_context(|| format!("cases file {}", path.display()))?;
        match args.format {
            Format::Text => out!("{summary}")?,
            Format::Json => outln!("{}", serde_json::to_string(&summary)?)?,
        }
        return Ok(if summary.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if !args.games.is_empty() {
        return check_games(args, rules.as_deref());
    }
    let rules = rules.unwrap_or_else(|| vec![RuleSet::Asian]);
    if !args.files.is_empty() {
        return judge_files(args, &rules);
    }
    print_judgement(&read_game(args.fen.as_deref(), &args.moves, args.reading.read_notation)?, &rules, args)?;
    Ok(ExitCode::SUCCESS)
}

/// Checks game files.
fn check_games(args: &Args, rules: Option<&[RuleSet]>) -> anyhow::Result<ExitCode> {
    let rules = match rules {
        None => RuleSet::default(),
        Some([rules]) => *rules,
        Some(_) => bail!("--games checks by one rule set"),
    };
    let mut summary = games::Summary::default();
    let inputs = inputs::collect(&args.games)?;
    for input in &inputs.files {
        games::judge_file(input, rules, args.reading, &mut summary);
    }
    summary.faults.extend(inputs.faults);
    if summary.read == 0 {
        bail!("no game could be read: {}", summary.faults.join("; "));
    }
    match args.format {
        Format::Text => out!("{summary}")?,
        Format::Json => outln!("{}", serde_json::to_string(&summary)?)?,
    }
    Ok(if summary.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Judges the games of files, each after a line that names it.
fn judge_files(args: &Args, rules: &[RuleSet]) -> anyhow::Result<ExitCode> {
    let mut judged = 0;
    let damaged = inputs::each_game(
        &inputs::collect(&args.files)?,
        args.game,
        None,
        args.reading,
        |input, number, game| {
            if args.format == Format::Text {
                let player = |tag| game.tag(tag).unwrap_or("?");
                outln!("{}: game {number}: {} - {}", input.name(), player("Red"), player("Black"))?;
            }
            let mut history = History::new(game.start().clone());
            game.moves().for_each(|mv| history.push(mv));
            judged += 1;
            print_judgement(&history, rules, args)
        },
    )?;
    if judged == 0 {
        bail!("no game was judged");
    }
    Ok(ExitCode::from(u8::from(damaged > 0)))
}

fn print_judgement(game: &History, rules: &[RuleSet], args: &Args) -> anyhow::Result<()> {
    let judgements: Vec<Judgement> =
        rules.iter().map(|&rules| Judgement::of(game, rules, args.lang)).collect();
    match (args.format, judgements.as_slice()) {
        (Format::Json, [judgement]) => outln!("{}", serde_json::to_string(judgement)?)?,
        (Format::Json, all) => outln!("{}", serde_json::to_string(all)?)?,
        (Format::Text, [judgement]) => out!("{}", judgement.text(args.lang))?,
        (Format::Text, all) => out!("{}", judgement::table(all, args.lang))?,
    }
    Ok(())
}

/// Replays a game.
///
/// # Errors
/// A bad FEN, or a bad move with its number.
fn read_game(fen: Option<&str>, moves: &[String], notation: Option<Notation>) -> anyhow::Result<History> {
    let start = match fen {
        None => Position::startpos(),
        Some(fen) => Position::from_fen(fen).with_context(|| format!("bad FEN '{fen}'"))?,
    };
    let line = moves::read(&start, moves, notation)?;
    let mut game = History::new(start);
    for mv in line {
        game.push(mv);
    }
    Ok(game)
}
