//! `xq tune texel`: the weights of the hand-written evaluation, fitted to games of self-play ([`fit`]).

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::ensure;
use search::linear;

use crate::atomic::{self, AtomicFile};
use crate::counted::counted;
use crate::data::Filter;
use crate::stderr::note;
use crate::stdout::out;
use dataset::Dataset;
use fit::{Fit, Target, fit_scale, loss};

pub mod dataset;
pub mod fit;
pub mod source;

/// Most passes over the data.
const MAX_PASSES: u32 = 30;

/// Arguments of `xq tune texel`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: xq tune texel --data games.xqg --out search/src/eval/weights.rs --force --threads 2\n\
    The network has piece-square values of its own and does not change with these.\n\n\
    Exit code: 0 fitted and written, 2 not."
)]
pub struct Args {
    /// Data files of xq datagen
    #[arg(long, num_args = 1.., required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Where to write the numbers, as source text [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file
    #[arg(long)]
    force: bool,
    /// Share of the game's result in the label, 0 to 1; the rest is the search's score
    #[arg(long, default_value_t = 0.5)]
    result_share: f64,
    /// Positions with a score beyond this are left out; in units of the evaluation (docs/network.md)
    #[arg(long, default_value_t = 2000)]
    max_score: i16,
    /// How strongly a weight is held where it was
    #[arg(long, default_value_t = 1e-5)]
    spring: f64,
    /// Threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Fits the weights and writes them.
///
/// # Errors
/// If data cannot be read, the result cannot be written, or an argument makes no sense.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    ensure!((0.0..=1.0).contains(&args.result_share), "--result-share must be within 0 and 1");
    ensure!(args.spring.is_finite() && args.spring > 0.0, "--spring must be positive and finite");
    ensure!(args.max_score >= 0, "--max-score must not be negative");
    ensure!(args.threads > 0, "--threads must be at least 1");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    atomic::clean_up_on_signals();
    // Begun now, so that nothing is fitted for a file that cannot be written.
    let file = args.out.clone().map(|path| AtomicFile::create(path, args.force)).transpose()?;
    let text = pool.install(|| fitted(args))?;
    match file {
        Some(mut file) => {
            file.write_all(text.as_bytes())?;
            file.commit()?;
        }
        None => out!("{text}")?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The fitted numbers as source text; how the losses fall is told on the way.
fn fitted(args: &Args) -> anyhow::Result<String> {
    let begun = Instant::now();
    let Dataset { training, held_out, games } =
        Dataset::load(&args.data, Filter { max_score: args.max_score })?;
    note!(
        "{}: {} to learn from, {} held out ({:.1} s)",
        counted(games, "game"),
        counted(training.len(), "position"),
        held_out.len(),
        begun.elapsed().as_secs_f64()
    );
    ensure!(!training.is_empty() && !held_out.is_empty(), "too few games");
    let start: Vec<f64> = linear::weights().as_flattened().iter().map(|&weight| f64::from(weight)).collect();
    let k = fit_scale(&training, |row| row.value(&start));
    let score_scale = fit_scale(&training, |row| f64::from(row.score));
    note!("K is {k:.6} per unit for the evaluation, {score_scale:.6} for the scores");

    let target = Target { result_share: args.result_share, score_scale };
    // What is compared are losses against results alone, whatever is learnt from.
    let report = |label: &str, weights: &[f64]| {
        let against_results = |rows| loss(rows, weights, k, |row| f64::from(row.result));
        note!("{label}: loss {:.6}, held out {:.6}", against_results(&training), against_results(&held_out));
        against_results(&held_out)
    };
    let before = report("as it is", &start);
    let mut fit = Fit::new(&training, start, k, target, args.spring);
    for pass in 1..=MAX_PASSES {
        let goes_on = fit.step();
        report(&format!("pass {pass}"), &fit.weights);
        if !goes_on {
            break;
        }
    }
    let rounded: Vec<[i32; 2]> =
        fit.weights.chunks_exact(2).map(|pair| [pair[0].round() as i32, pair[1].round() as i32]).collect();
    let exact: Vec<f64> = rounded.as_flattened().iter().map(|&weight| f64::from(weight)).collect();
    let after = report("rounded", &exact);
    if after >= before {
        note!("the held-out games do not support the new numbers");
    }
    let seen = training.seen(linear::WEIGHTS);
    let material = source::material(&rounded, &seen);
    Ok(source::text(&material, &rounded, |at| seen[at] > 0))
}
