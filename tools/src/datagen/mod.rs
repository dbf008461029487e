//! `xq datagen`: games of the engine against itself, as training data.
//!
//! Game `n` depends on the recipe and on `n` alone: its opening comes from stream `n` of ChaCha8 with the recipe's seed, searches are
//! bounded by nodes, and table and histories are empty at its start. So a file is the same whatever the number of threads, and a run
//! that was interrupted goes on with the numbers still missing.

mod play;
mod scorer;
mod stats;

pub use play::{Player, Settings};
pub(crate) use scorer::{Scorer, hard_nodes, score_of};

use crate::counted::counted;
use crate::data::Writer;
use crate::network::NetworkChoice;
use crate::production::{produce, stop_on_signals};
use crate::stderr::note;
use crate::stdout::out;
use anyhow::{Context, ensure};
use movegen::rules::RuleSet;
use search::nnue::Network;
use serde::Serialize;
use std::{path::PathBuf, process::ExitCode, sync::Arc};

/// Most games of a file: their numbers are kept in memory.
const MAX_GAMES: u32 = 100_000_000;

/// Arguments of `xq datagen`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Interrupt with Ctrl-C and start again with the same words to go on.\n\
    Example: xq datagen --out gen1.xqg --games 30000 --threads 2 --seed 1\n\
    Example: xq datagen --stats gen1.xqg gen2.xqg\n\
    Exit code: 0 done or interrupted, 2 nothing could be done.")]
pub struct Args {
    /// Report on data files instead of making one
    #[arg(long, num_args = 1.., value_name = "FILE", conflicts_with = "out")]
    stats: Vec<PathBuf>,
    /// The file to make or to go on with
    #[arg(long, value_name = "FILE", required_unless_present = "stats")]
    out: Option<PathBuf>,
    /// How many games the file shall hold in the end
    #[arg(long, default_value_t = 10_000)]
    games: u32,
    /// Games played at the same time, each on one thread
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes after which no new iteration begins; eight times as many end the search
    #[arg(long, default_value_t = 600)]
    nodes: u64,
    /// Fewest random plies of an opening
    #[arg(long, default_value_t = 6)]
    min_random: u8,
    /// Most random plies of an opening
    #[arg(long, default_value_t = 9)]
    max_random: u8,
    /// An opening whose score is beyond this is thrown away; in units of the evaluation (docs/network.md)
    #[arg(long, default_value_t = 500)]
    opening_limit: i16,
    /// The rule set that judges repetitions
    #[arg(long, default_value_t = RuleSet::Asian, value_parser = crate::values::rules())]
    rules: RuleSet,
    #[command(flatten)]
    network: NetworkChoice,
    /// Says in the recipe what played, e.g. a commit or a network
    #[arg(long, default_value = "")]
    note: String,
}

/// What stands in the head of a file: everything its games depend on.
#[derive(Debug, Serialize)]
struct Recipe<'a> {
    program: &'static str,
    note: &'a str,
    rules: String,
    /// The network that played.
    network: String,
    #[serde(flatten)]
    settings: &'a Settings,
}

impl Args {
    fn settings(&self) -> Settings {
        Settings {
            seed: self.seed,
            soft_nodes: self.nodes,
            hard_nodes: hard_nodes(self.nodes),
            min_random: self.min_random,
            max_random: self.max_random,
            opening_limit: self.opening_limit,
            rules: self.rules,
            ..Settings::default()
        }
    }
}

/// Makes data, or reports on data.
///
/// # Errors
/// If a file cannot be read or written, or an argument makes no sense.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if !args.stats.is_empty() {
        out!("{}", stats::Stats::of_files(&args.stats)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let out = args.out.as_ref().context("no file to write")?;
    ensure!(args.games <= MAX_GAMES, "--games must be at most {MAX_GAMES}; data may be of many files");
    ensure!(args.threads > 0, "--threads must be at least 1");
    ensure!(args.nodes > 0, "--nodes must be at least 1");
    ensure!(args.min_random <= args.max_random, "--min-random must not exceed --max-random");
    ensure!(args.opening_limit >= 0, "--opening-limit must not be negative");
    let settings = args.settings();
    let (network, fingerprint) = args.network.load()?;
    let recipe = Recipe {
        program: concat!("phao ", env!("CARGO_PKG_VERSION")),
        note: &args.note,
        rules: args.rules.to_string(),
        network: fingerprint,
        settings: &settings,
    };
    let (writer, done) = Writer::open(out, &serde_json::to_string(&recipe)?)?;
    let missing: Vec<u32> = (0..args.games).filter(|number| !done.contains(number)).collect();
    note!("{}: {}, {} to play", out.display(), counted(done.len(), "game"), missing.len());
    generate(&settings, network.as_ref(), args.threads, &missing, writer)?;
    Ok(ExitCode::SUCCESS)
}

/// Plays the games of these numbers and writes them, until all are played or Ctrl-C is pressed.
fn generate(
    settings: &Settings,
    network: Option<&Arc<Network>>,
    threads: usize,
    numbers: &[u32],
    writer: Writer,
) -> anyhow::Result<()> {
    let stop = stop_on_signals();
    let players: Result<Vec<Player>, _> =
        (0..threads).map(|_| Player::new(settings, network.cloned())).collect();
    let workers =
        players?.into_iter().map(|mut player| move |job: usize| player.play(numbers[job], stop)).collect();
    produce(numbers.len(), workers, writer, stop)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Game, Reader};
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::time::Duration;

    fn make(path: &Path, games: u32, threads: usize) -> Vec<Game> {
        let settings = Settings { soft_nodes: 60, hard_nodes: 480, max_plies: 60, ..Settings::default() };
        let (writer, done) = Writer::open(path, "{}").expect("a good file");
        let missing: Vec<u32> = (0..games).filter(|number| !done.contains(number)).collect();
        generate(&settings, None, threads, &missing, writer).expect("games");
        let mut reader = Reader::open(path).expect("a good file");
        let mut found = Vec::new();
        while let Some(games) = reader.next_block().expect("a good block") {
            found.extend(games);
        }
        found.sort_by_key(|game| game.number);
        found
    }

    /// A limit that no opening keeps within.
    #[test]
    fn the_search_for_an_opening_can_be_stopped() {
        let settings = Settings { soft_nodes: 1, hard_nodes: 8, opening_limit: -1, ..Settings::default() };
        let mut player = Player::new(&settings, None).expect("memory for a small table");
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let played = scope.spawn(|| player.play(0, &stop));
            std::thread::sleep(Duration::from_millis(50));
            stop.store(true, Relaxed);
            assert_eq!(played.join().expect("no panic"), None);
        });
    }

    #[test]
    fn games_depend_on_their_number_alone() {
        let dir = tempfile::tempdir().expect("a directory");
        let at_once = make(&dir.path().join("a"), 5, 1);
        assert_eq!(at_once.len(), 5);
        let path = dir.path().join("b");
        assert_eq!(make(&path, 2, 1), at_once[..2]);
        assert_eq!(make(&path, 5, 2), at_once);
    }
}
