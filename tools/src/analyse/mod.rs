//! `xq analyse`: a game through the engine.

mod annotate;
mod engine;
mod output;

use std::io::{IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::ValueHint;
use indicatif::{ProgressBar, ProgressStyle};
use movegen::notation::Notation;
use movegen::rules::RuleSet;
use search::Limits;

use crate::atomic::{self, AtomicFile};
use crate::board::Pieces;
use crate::games::{self, Format, Game, WriteOptions};
use crate::inputs::{self, Reading};
use crate::judge::Lang;
use crate::report;
use crate::stderr::note;
use crate::stdout::out;

pub use engine::{Analysis, Analyst, Mark, MoveAnalysis};

/// What `xq analyse` reads from the command line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  xq analyse game.xqf                          a table of all moves in the terminal
  xq analyse game.pgn -o analysed.pgn          evaluations, marks and better lines as comments and variations
  xq analyse game.pgn -o game.html --lang vi   a page to step through
  xq analyse games.pgn -o all.jsonl --nodes 1000000 --threads 2

A move is marked ?!, ? or ?? when it costs 5, 10 or 20 percent of the chance to win, which is reckoned from the
evaluation. Losses in centipawns are reckoned up to 1000 and not across mates, which count in the chance to win alone.
The same command gives the same output, as long as --threads is 1 and --movetime is not used.

Exit code: 0 all games analysed, 1 some were damaged and are not, 2 none was analysed.")]
pub struct Args {
    /// Game files, folders (searched for game files), or - for standard input
    #[arg(required = true, value_hint = ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// Only this game of each file
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Write .pgn, .json (a line a game), .html, or another format of games; without it, or with -, a table on standard output
    #[arg(short, long, value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Replace the output if it exists
    #[arg(short, long)]
    force: bool,
    /// Nodes for each position
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Plies for each position, instead of --nodes
    #[arg(long, conflicts_with = "nodes", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Milliseconds for each position, instead of --nodes
    #[arg(long, value_name = "MS", conflicts_with_all = ["nodes", "depth"], value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Threads of the engine
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Table of the engine in MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Rule set that the engine and the judge go by
    #[arg(long, default_value = "asian", value_parser = crate::values::rules())]
    rules: RuleSet,
    /// Notation of the moves that are written
    #[arg(long, value_name = "NOTATION", value_parser = crate::values::notation(), hide_possible_values = true)]
    notation: Option<Notation>,
    #[command(flatten)]
    reading: Reading,
    /// Language of judgements
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
    /// No progress bar
    #[arg(short, long)]
    quiet: bool,
}

/// Analyses the games of the file.
///
/// # Errors
/// If the file cannot be read, the output not be written, or the engine not be set up.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // The engine's stack is larger than that of the first thread.
    let worker = |args: &Args| analyse(args);
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().stack_size(search::STACK_SIZE).spawn_scoped(scope, || worker(args));
        thread
            .context("cannot start the engine's thread")?
            .join()
            .map_err(|_| anyhow!("the engine's thread broke down"))?
    })
}

/// Where the analysed games go.
enum Target {
    Table,
    Json(AtomicFile),
    Games(AtomicFile, Format),
    /// The page is written when all games are there.
    Page(AtomicFile, Vec<Game>),
}

impl Target {
    fn new(path: Option<&Path>, force: bool) -> anyhow::Result<Self> {
        let Some(path) = path.filter(|path| !atomic::is_stdout(path)) else { return Ok(Self::Table) };
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let file = |path: &Path| AtomicFile::create(path.to_owned(), force);
        Ok(match (extension.to_ascii_lowercase().as_str(), Format::from_path(path)) {
            ("json" | "jsonl", _) => Self::Json(file(path)?),
            ("html" | "htm", _) => Self::Page(file(path)?, Vec::new()),
            (_, Some(format)) if format == Format::Pgn || format == Format::DhtmlXq => {
                Self::Games(file(path)?, format)
            }
            (_, Some(format @ (Format::Xqf | Format::Cbr))) => Self::Games(file(path)?, format),
            _ => bail!("an analysis can be written as .pgn, .json, .html, .ubb, .xqf or .cbr"),
        })
    }

    /// A format that has no place for a second game.
    fn of_one_game(&self) -> Option<Format> {
        match self {
            Self::Games(_, format) if !format.holds_many() => Some(*format),
            _ => None,
        }
    }

    /// Adds an analysed game; `name` is what warnings call it.
    fn add(&mut self, args: &Args, name: &str, game: &Game, analysis: &Analysis) -> anyhow::Result<()> {
        match self {
            Self::Table => {
                let mut table = Vec::new();
                output::table(game, analysis, args.notation, args.lang, &mut table)?;
                out!("{}", String::from_utf8_lossy(&table))?;
            }
            Self::Json(file) => output::json(game, analysis, args.lang, file)?,
            Self::Games(file, format) => {
                let annotated = annotate::annotated(game, analysis, args.lang)?;
                let options = WriteOptions { notation: args.notation, encoding: None };
                let losses = games::write_game(&annotated, *format, options, file)?;
                if !losses.is_empty() {
                    note!("{name}: {losses} ({format} cannot hold them)");
                }
            }
            Self::Page(_, all) => all.push(annotate::annotated(game, analysis, args.lang)?),
        }
        Ok(())
    }

    fn finish(self, args: &Args) -> anyhow::Result<()> {
        match self {
            Self::Table => Ok(()),
            Self::Json(file) | Self::Games(file, _) => file.commit(),
            Self::Page(mut file, all) => {
                let page = report::page(&all, None, args.lang, Pieces::Chinese, args.rules)?;
                file.write_all(page.as_bytes())?;
                file.commit()
            }
        }
    }
}

fn analyse(args: &Args) -> anyhow::Result<ExitCode> {
    let limits = match (args.depth, args.movetime) {
        (Some(depth), _) => Limits { depth: Some(depth), ..Limits::default() },
        (None, Some(ms)) => Limits { hard_time: Some(Duration::from_millis(ms)), ..Limits::default() },
        (None, None) => Limits { nodes: Some(args.nodes), ..Limits::default() },
    };
    let mut analyst = Analyst::new(args.hash as usize, usize::from(args.threads), args.rules, limits)?;
    atomic::clean_up_on_signals();
    let mut target = Target::new(args.output.as_deref(), args.force)?;
    let mut analysed = 0;
    let mut add = |target: &mut Target, name: &str, game: &Game| {
        let bar = progress(game.main_line().count(), args.quiet);
        let analysis = analyst.analyse(game, || bar.inc(1));
        bar.finish_and_clear();
        analysed += 1;
        target.add(args, name, game, &analysis)
    };
    // The only game is analysed when it is known to be the only one.
    let mut only = None;
    let inputs = inputs::collect(&args.files)?;
    let damaged = inputs::each_game(&inputs, args.game, None, args.reading, |input, number, game| {
        let name = format!("{}: warning: game {number}", input.name());
        match target.of_one_game() {
            Some(format) if only.is_some() => {
                bail!(
                    "a {format} file holds one game; choose it with --game, or another format for all of them"
                )
            }
            Some(_) => only = Some((name, game)),
            None => add(&mut target, &name, &game)?,
        }
        Ok(())
    })?;
    if let Some((name, game)) = only {
        add(&mut target, &name, &game)?;
    }
    if analysed == 0 {
        bail!("no game was analysed");
    }
    target.finish(args)?;
    Ok(ExitCode::from(u8::from(damaged > 0)))
}

fn progress(moves: usize, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(moves as u64 + 1);
    match ProgressStyle::with_template("{bar:40} {pos}/{len} moves, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
