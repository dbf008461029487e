//! `xq rescore`: the games of data files with the scores of fresh searches, for old games that a weaker evaluation has scored.
//!
//! Start, moves, result and number of a game stay as they are, also which games `xq train` holds out. A game is searched ply by ply as
//! `xq datagen` searched it: with the same history, from an empty table, the table kept from ply to ply. So the file depends on its
//! recipe alone, whatever the number of threads and however often its making was interrupted.
//!
//! Every ply is searched, also those that training leaves out: their scores are mixed into those of the plies before (`xq train --lambda`).

use crate::counted::counted;
use crate::data::{DataError, Game, Ply, Source, Writer, read_files};
use crate::datagen::{Scorer, hard_nodes, score_of};
use crate::network::NetworkChoice;
use crate::production::{produce, stop_on_signals};
use crate::recipe::differences;
use crate::stderr::note;
use anyhow::{bail, ensure};
use movegen::{History, rules::RuleSet};
use serde::Serialize;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The exit code after Ctrl-C, as shells have it.
const INTERRUPTED: u8 = 130;

/// Arguments of `xq rescore`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every game keeps its start, moves, result and number; every score is new. Interrupt with Ctrl-C and start again with the
same words to go on.

Examples:
  xq rescore --data gen1.xqg --out gen1new.xqg
  xq rescore --data gen1.xqg gen2.xqg --out old.xqg --nodes 400 --threads 2 --note \"scores of the present network\"
  xq datagen --stats gen1new.xqg old.xqg         what became of it

Exit code: 0 every game has its new scores, 2 nothing could be done, 130 interrupted: the file is sound, but not complete.")]
pub struct Args {
    /// Data files of xq datagen
    #[arg(long, num_args = 1.., required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// The file to make or to go on with
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Nodes after which no new iteration begins; eight times as many end the search
    #[arg(long, default_value_t = 400)]
    nodes: u64,
    /// Games searched at the same time, each on one thread
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The rule set that judges repetitions
    #[arg(long, default_value_t = RuleSet::Asian, value_parser = crate::values::rules())]
    rules: RuleSet,
    #[command(flatten)]
    network: NetworkChoice,
    /// Says in the recipe what searched, e.g. a commit or a network
    #[arg(long, default_value = "")]
    note: String,
}

/// What stands in the head of a file: everything its scores depend on.
#[derive(Debug, Serialize)]
struct Recipe<'a> {
    program: &'static str,
    /// Tells it from the recipe of games that were played.
    command: &'static str,
    note: &'a str,
    rules: String,
    /// Which plies were searched: in files without this entry only those that training does not leave out.
    plies: &'static str,
    /// The network that searched.
    network: String,
    soft_nodes: u64,
    hard_nodes: u64,
    /// How many games the whole file has.
    games: usize,
    sources: &'a [Source],
}

/// Rescores data files.
///
/// # Errors
/// If a file cannot be read or written, or an argument makes no sense.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    ensure!(args.threads > 0, "--threads must be at least 1");
    ensure!(args.nodes > 0, "--nodes must be at least 1");
    for path in &args.data {
        ensure!(!is_same_file(path, &args.out), "{}: both read and written", path.display());
    }
    let (network, called) = args.network.load()?;
    // All games stay in memory: about a kilobyte each, and nothing that is written to a file meanwhile gets between them.
    let mut games = Vec::new();
    let sources = read_files(&args.data, |game| games.push(game))?;
    ensure!(!games.is_empty(), "there are no games in the data");
    let recipe = Recipe {
        program: concat!("phao ", env!("CARGO_PKG_VERSION")),
        command: "rescore",
        note: &args.note,
        rules: args.rules.to_string(),
        plies: "all",
        network: called,
        soft_nodes: args.nodes,
        hard_nodes: hard_nodes(args.nodes),
        games: games.len(),
        sources: &sources,
    };
    let (writer, done) = open(&args.out, &serde_json::to_string(&recipe)?, &games)?;
    let missing = &games[done..];
    note!("{}: {}, {} to search", args.out.display(), counted(done, "game"), missing.len());
    let scorer = || Scorer::new(recipe.soft_nodes, recipe.hard_nodes, args.rules, network.clone());
    let scorers: Result<Vec<Scorer>, _> = (0..args.threads).map(|_| scorer()).collect();
    let whole = rescore(missing, scorers?, writer)?;
    if !whole {
        note!("{}: not complete; the same words go on", args.out.display());
    }
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

/// Whether both paths lead to one file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// Opens the file to write; tells how many of the games it has already.
fn open(path: &Path, recipe: &str, games: &[Game]) -> anyhow::Result<(Writer, usize)> {
    let (mut done, mut is_ours) = (0, true);
    let opened = Writer::open_with(path, recipe, |game| {
        is_ours &= games.get(done).is_some_and(|original| is_same_game(original, game));
        done += 1;
    });
    let writer = match opened {
        Err(DataError::OtherRecipe { found, .. }) => {
            let found = serde_json::from_str(&found).unwrap_or_default();
            let differences = differences(&found, &serde_json::from_str(recipe)?);
            bail!("{}: made by another recipe: other {differences}", path.display());
        }
        opened => opened?,
    };
    ensure!(is_ours, "{}: its games are not those of the data, in their order", path.display());
    Ok((writer, done))
}

/// Whether two games differ in nothing but scores.
fn is_same_game(a: &Game, b: &Game) -> bool {
    (a.number, &a.start, &a.opening, a.outcome, a.ending)
        == (b.number, &b.start, &b.opening, b.outcome, b.ending)
        && a.plies.iter().map(|ply| ply.mv).eq(b.plies.iter().map(|ply| ply.mv))
}

/// Searches games and writes them, until all are done or Ctrl-C is pressed. Tells whether all were done.
fn rescore(games: &[Game], scorers: Vec<Scorer>, writer: Writer) -> anyhow::Result<bool> {
    let workers = scorers
        .into_iter()
        .map(|mut scorer| move |job: usize| Some(rescored(&games[job], &mut scorer)))
        .collect();
    produce(games.len(), workers, writer, stop_on_signals())
}

/// The game with new scores.
fn rescored(game: &Game, scorer: &mut Scorer) -> Game {
    scorer.begin_game();
    let mut history = History::new(game.start.clone());
    game.opening.iter().for_each(|&mv| history.push(mv));
    let mut plies = Vec::with_capacity(game.plies.len());
    for &Ply { mv, .. } in &game.plies {
        plies.push(Ply { mv, score: score_of(&scorer.search(&history)) });
        history.push(mv);
    }
    Game { plies, ..game.clone() }
}
