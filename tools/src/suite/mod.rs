//! `xq suite`: test positions at a fixed effort: how many are solved, how fast, and compared with an earlier run.

pub mod case;
pub mod report;
pub mod solve;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::ValueEnum;
use indicatif::ProgressBar;
use movegen::rules::RuleSet;
use rayon::prelude::*;
use search::nnue::Network;
use search::{Limits, STACK_SIZE, Searcher};

use case::Case;
use report::{Run, SuiteRun};
use solve::{Attempt, Effort};

use crate::atomic::{self, AtomicFile};
use crate::counted::counted;
use crate::stdout::{out, outln};

/// Suites that are built in; `data/SOURCES.md` says where they come from.
const BUILT_IN: [(&str, &str); 2] = [
    ("mates", include_str!("../../data/suites/mates.jsonl")),
    ("tactics", include_str!("../../data/suites/tactics.jsonl")),
];
/// Nodes for each position unless something else is asked for.
const DEFAULT_NODES: u64 = 1_000_000;

/// Arguments of `xq suite`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Built-in suites: mates (mate in 1 to 5), tactics (one best move). A suite file has one JSON object a line: id, fen and\n\
    best, best_moves, or mate_in (with exact and complete as in the built-in file).\n\
    Examples:\n  xq suite mates --nodes 20000\n  xq suite --nodes 200000 --save before.json\n  xq suite --nodes 200000 --compare before.json\n\
    Exit code: 0 done, 1 an answer contradicts what is proved about a position, 2 nothing was done."
)]
pub struct Args {
    /// Built-in suites or files [default: all built-in suites]
    suites: Vec<String>,
    /// Nodes for each position [default: 1000000, unless another limit is given]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Seconds for each position
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Hash table of each search, MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Positions searched at the same time, each on one thread
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// The rule set that judges repetitions
    #[arg(long, default_value_t = RuleSet::Asian, value_parser = crate::values::rules())]
    rules: RuleSet,
    /// Evaluate by hand instead of by the network
    #[arg(long)]
    by_hand: bool,
    /// Evaluate by the network in this file instead of the embedded one
    #[arg(long, value_name = "FILE", conflicts_with = "by_hand")]
    network: Option<PathBuf>,
    /// List every position, not only the unsolved ones
    #[arg(long)]
    all: bool,
    /// Write the run to a file, for a later --compare
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Replace that file if it exists
    #[arg(short, long, requires = "save")]
    force: bool,
    /// Compare with an earlier run
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How the run is written to stdout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs: the content of a run file, with the comparison if one is made
    Json,
}

/// Runs the suites.
///
/// # Errors
/// When a suite or an earlier run cannot be read, or there is no memory for a hash table.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let names: Vec<&str> = match args.suites.as_slice() {
        [] => BUILT_IN.iter().map(|(name, _)| *name).collect(),
        names => names.iter().map(String::as_str).collect(),
    };
    let suites: Vec<(&str, Vec<Case>)> =
        names.into_iter().map(|name| Ok((name, load(name)?))).collect::<anyhow::Result<_>>()?;
    let earlier = args.compare.as_deref().map(read_run).transpose()?;
    let effort = effort(args)?;
    let network = network(args)?;
    atomic::clean_up_on_signals();
    // Begun now, so that no run is made for a file that cannot be written.
    let save = args.save.clone().map(|path| AtomicFile::create(path, args.force)).transpose()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(args.threads))
        .stack_size(STACK_SIZE)
        .build()?;
    let bar = ProgressBar::new(suites.iter().map(|(_, cases)| cases.len() as u64).sum());
    let mut run = Run { effort: describe(args, &effort), suites: Vec::new() };
    for (name, cases) in suites {
        let attempts = pool
            .install(|| attempt_all(&cases, network.as_ref(), &effort, &bar))
            .with_context(|| name.to_owned())?;
        run.suites.push(SuiteRun { suite: name.to_owned(), attempts });
    }
    bar.finish_and_clear();
    if let Some(mut file) = save {
        file.write_all((serde_json::to_string(&run)? + "\n").as_bytes())?;
        file.commit()?;
    }
    let comparison = earlier.map(|earlier| report::compare(&earlier, &run));
    match args.format {
        Format::Text => {
            out!("{}", report::table(&run, args.all))?;
            if let Some(comparison) = &comparison {
                out!("{comparison}")?;
            }
        }
        Format::Json => outln!("{}", serde_json::to_string(&report::Output { run: &run, comparison })?)?,
    }
    let unsound =
        run.suites.iter().flat_map(|suite| &suite.attempts).any(|attempt| attempt.unsound.is_some());
    Ok(if unsound { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A built-in suite, or the suite in a file.
fn load(name: &str) -> anyhow::Result<Vec<Case>> {
    if let Some((_, text)) = BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
        return case::parse(text).with_context(|| name.to_owned());
    }
    let text = crate::text::read(Path::new(name)).with_context(|| {
        format!("{name:?} is neither a built-in suite (mates, tactics) nor a file that can be read")
    })?;
    case::parse(&text).with_context(|| name.to_owned())
}

fn read_run(path: &Path) -> anyhow::Result<Run> {
    let context = || format!("earlier run {}", path.display());
    let text = std::fs::read_to_string(path).with_context(context)?;
    serde_json::from_str(&text).with_context(context)
}

fn effort(args: &Args) -> anyhow::Result<Effort> {
    let time = args.time.map(Duration::try_from_secs_f64).transpose().context("--time")?;
    ensure!(time.is_none_or(|time| !time.is_zero()), "--time must be more than 0");
    let unlimited = args.depth.is_none() && time.is_none();
    let limits = Limits {
        depth: args.depth,
        nodes: args.nodes.or(unlimited.then_some(DEFAULT_NODES)),
        hard_time: time,
        ..Limits::default()
    };
    Ok(Effort { limits, hash_mib: args.hash as usize, rules: args.rules })
}

/// The network that evaluates, if one does.
fn network(args: &Args) -> anyhow::Result<Option<Arc<Network>>> {
    match &args.network {
        None => Ok(Network::embedded().filter(|_| !args.by_hand).cloned()),
        Some(path) => {
            let context = || format!("network {}", path.display());
            Ok(Some(Arc::new(engine::read_network(path).with_context(context)?.0)))
        }
    }
}

/// The effort in words.
fn describe(args: &Args, effort: &Effort) -> String {
    let parts = [
        effort.limits.nodes.map(|nodes| counted(nodes, "node")),
        effort.limits.depth.map(|depth| format!("depth {depth}")),
        args.time.map(|seconds| format!("{seconds} s")),
        Some(counted(args.threads, "thread")),
        Some(format!("hash {} MiB", effort.hash_mib)),
        Some(format!("rules {}", effort.rules)),
        args.by_hand.then(|| "evaluated by hand".to_owned()),
        args.network.as_ref().map(|path| format!("network {}", path.display())),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Searches all positions, in parallel; the results are in the order of the suite.
fn attempt_all(
    cases: &[Case],
    network: Option<&Arc<Network>>,
    effort: &Effort,
    bar: &ProgressBar,
) -> anyhow::Result<Vec<Attempt>> {
    let searcher = || -> anyhow::Result<Searcher> {
        let mut searcher = Searcher::new(effort.hash_mib)?;
        searcher.set_rules(effort.rules);
        searcher.set_network(network.cloned());
        Ok(searcher)
    };
    cases
        .par_iter()
        .map_init(searcher, |searcher, case| {
            let searcher = searcher.as_mut().map_err(|error| anyhow::anyhow!("{}", crate::told(error)))?;
            let attempt = solve::attempt(searcher, case, effort);
            bar.inc(1);
            Ok(attempt)
        })
        .collect()
}
