//! `xq train`: a network from games of our own.
//!
//! Sparse inputs, one hidden layer, plain loops: a batch is cut into as many parts as there are threads, each with a gradient of
//! its own; the parts are added up in order. So a run depends on its data, its options and the number of threads, and on nothing
//! else; an interrupted run goes on after the last finished epoch and ends with the same network.

mod checkpoint;
mod curve;
mod dataset;
mod kernel;
mod model;
mod optimiser;

use crate::atomic;
use crate::counted::counted;
use crate::data::Filter;
use crate::stderr::note;
use anyhow::{Context, ensure};
use checkpoint::State;
use curve::Row;
use dataset::Dataset;
use indicatif::{ProgressBar, ProgressStyle};
use kernel::{Drawn, Target};
use model::{CHUNK, Layout, TILE};
use optimiser::{AdamW, Schedule};
use rayon::prelude::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
    ParallelSlice, ParallelSliceMut,
};
use search::nnue::{OUTPUT_SCALE, Weights};
use serde::Serialize;
use std::{fs, path::PathBuf, process::ExitCode, time::Instant};

/// Held-out samples that are looked at: enough to tell losses apart in the fifth decimal.
const MAX_HELD_OUT: usize = 400_000;
/// Held-out samples on which the error of rounding is measured.
const ROUNDING_SAMPLES: usize = 5_000;
/// Points of the curve in an epoch.
const POINTS_PER_EPOCH: u64 = 4;

/// Arguments of `xq train`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Writes OUT.phnn (the network), OUT.ckpt, OUT.csv and OUT.svg (the loss curve).\n\
    Interrupted? The same words with --resume go on after the last finished epoch.\n\
    Example: xq train --data gen1.xqg --out nets/gen1 --epochs 12 --threads 2\n\
    Exit code: 0 trained, 2 not trained.")]
pub struct Args {
    /// Data files of xq datagen
    #[arg(long, num_args = 1.., required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Where to write, without an extension
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// Hidden units of one view, a multiple of 64; 0 trains piece-square values alone
    #[arg(long, default_value_t = 256)]
    hidden: usize,
    /// How often every position is seen
    #[arg(long, default_value_t = 12)]
    epochs: u32,
    /// Positions of a batch
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// Learning rate at the beginning
    #[arg(long, default_value_t = 1e-3)]
    rate: f32,
    /// Learning rate at the end
    #[arg(long, default_value_t = 2e-5)]
    last_rate: f32,
    /// Weight decay, as a share of the learning rate
    #[arg(long, default_value_t = 1.0)]
    decay: f32,
    /// Share of the game's result in the label, 0 to 1; the rest is the search's score
    #[arg(long, default_value_t = 0.2)]
    result_share: f32,
    /// How much of the scores of later plies goes into a score, 0 to less than 1: from ply to ply they count so much less
    #[arg(long, default_value_t = 0.0)]
    lambda: f64,
    /// Positions with a score beyond this are left out, centipawns
    #[arg(long, default_value_t = 2500)]
    max_score: i16,
    /// Seed of the first weights and of the order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Go on with an interrupted run
    #[arg(long)]
    resume: bool,
    /// Replace the files of an earlier run
    #[arg(short, long, conflicts_with = "resume")]
    force: bool,
}

/// What a run depends on, for its checkpoints and for the description of the network.
#[derive(Debug, Serialize)]
struct Config {
    data: Vec<String>,
    games: u64,
    positions: usize,
    hidden: usize,
    epochs: u32,
    batch: usize,
    rate: f32,
    last_rate: f32,
    decay: f32,
    result_share: f32,
    lambda: f64,
    max_score: i16,
    seed: u64,
}

impl Args {
    fn check(&self) -> anyhow::Result<()> {
        ensure!(self.hidden > 0 && self.hidden.is_multiple_of(TILE), "--hidden must be a multiple of {TILE}");
        ensure!(self.threads > 0, "--threads must be at least 1");
        ensure!(self.epochs > 0, "--epochs must be at least 1");
        ensure!(self.batch > 0, "--batch must be at least 1");
        ensure!((0.0..=1.0).contains(&self.result_share), "--result-share must be within 0 and 1");
        ensure!((0.0..1.0).contains(&self.lambda), "--lambda must be at least 0 and less than 1");
        Ok(())
    }

    fn config(&self, dataset: &Dataset) -> Config {
        let name = |path: &PathBuf| {
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        Config {
            data: self.data.iter().map(name).collect(),
            games: dataset.games,
            positions: dataset.training.len(),
            hidden: self.hidden,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            last_rate: self.last_rate,
            decay: self.decay,
            result_share: self.result_share,
            lambda: self.lambda,
            max_score: self.max_score,
            seed: self.seed,
        }
    }

    fn file(&self, extension: &str) -> PathBuf {
        let mut name = self.out.clone().into_os_string();
        name.push(".");
        name.push(extension);
        name.into()
    }
}

/// Trains a network.
///
/// # Errors
/// If data cannot be read, results cannot be written, or an argument makes no sense.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.check()?;
    if !args.resume && !args.force {
        for path in ["phnn", "ckpt"].map(|extension| args.file(extension)) {
            ensure!(
                !path.exists(),
                "{} exists; --resume goes on with it, --force replaces it",
                path.display()
            );
        }
    }
    atomic::clean_up_on_signals();
    let begun = Instant::now();
    let dataset = Dataset::load(&args.data, Filter { max_score: args.max_score }, args.lambda)?;
    note!(
        "{}: {} to learn from, {} held out ({:.1} s)",
        counted(dataset.games, "game"),
        counted(dataset.training.len(), "position"),
        dataset.held_out.len(),
        begun.elapsed().as_secs_f64()
    );
    ensure!(dataset.training.len() >= args.batch, "fewer positions than one batch has");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    pool.install(|| Run::new(args, &dataset)?.finish())?;
    Ok(ExitCode::SUCCESS)
}

/// A training run.
struct Run<'a> {
    args: &'a Args,
    dataset: &'a Dataset,
    layout: Layout,
    target: Target,
    schedule: Schedule,
    state: State,
    params: Vec<f32>,
    /// The parameters with the shared rows added to those of each king bucket.
    expanded: Vec<f32>,
    optimiser: AdamW,
    /// One gradient a thread; the first takes the sum.
    gradients: Vec<Vec<f32>>,
    held_out: Vec<Drawn>,
}

impl<'a> Run<'a> {
    fn new(args: &'a Args, dataset: &'a Dataset) -> anyhow::Result<Self> {
        let layout = Layout { hidden: args.hidden };
        let config = serde_json::to_value(args.config(dataset))?;
        let (state, params, optimiser) = if args.resume {
            let path = args.file("ckpt");
            let (state, params, optimiser) = checkpoint::load(&path, layout.len())?;
            ensure!(state.config == config, "{}: made with other options: {}", path.display(), state.config);
            (state, params, optimiser)
        } else {
            let state = State { config, epochs: 0, steps: 0, curve: Vec::new() };
            (state, model::initial(layout, args.seed), AdamW::new(layout))
        };
        let batches = (dataset.training.len() / args.batch) as u64;
        let stride = dataset.held_out.len().div_ceil(MAX_HELD_OUT).max(1);
        let mut expanded = params.clone();
        layout.expand(&params, &mut expanded);
        let plain = |&sample| Drawn { sample, mirrored: false };
        Ok(Self {
            args,
            dataset,
            layout,
            target: Target { result_share: args.result_share },
            schedule: Schedule {
                first: args.rate,
                last: args.last_rate,
                steps: batches * u64::from(args.epochs),
            },
            state,
            params,
            expanded,
            optimiser,
            gradients: vec![vec![0.0; layout.len()]; args.threads],
            held_out: dataset.held_out.iter().step_by(stride).map(plain).collect(),
        })
    }

    /// Trains the epochs that are left and writes everything.
    fn finish(mut self) -> anyhow::Result<()> {
        if let Some(folder) = self.args.out.parent() {
            fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
        }
        let begun = Instant::now();
        let first = self.state.steps;
        self.train()?;
        let title = format!(
            "{}, {}",
            counted(self.layout.hidden, "hidden unit"),
            counted(self.dataset.training.len(), "position")
        );
        curve::draw(&self.args.file("svg"), &title, &self.state.curve)?;
        let weights = self.write_network()?;
        let seen = (self.state.steps - first) * self.args.batch as u64;
        let seconds = begun.elapsed().as_secs_f64();
        let positions = counted(seen, "position");
        note!("{positions} in {seconds:.1} s, {:.0} a second", seen as f64 / seconds);
        self.report_rounding(&weights);
        Ok(())
    }

    /// Trains the epochs that are left. The network waits for the last of them: half trained it could be taken for a whole one.
    fn train(&mut self) -> anyhow::Result<()> {
        let bar = self.bar();
        while self.state.epochs < self.args.epochs {
            self.epoch(&bar);
            self.state.epochs += 1;
            checkpoint::save(&self.args.file("ckpt"), &self.state, &self.params, &self.optimiser)?;
            curve::write_csv(&self.args.file("csv"), &self.state.curve)?;
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn bar(&self) -> ProgressBar {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} batches, {msg}, {eta} left");
        let bar = ProgressBar::new(self.schedule.steps);
        bar.set_position(self.state.steps);
        bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    }

    fn epoch(&mut self, bar: &ProgressBar) {
        let mut epoch = self.dataset.epoch(self.args.seed, self.state.epochs);
        let mut batch = Vec::with_capacity(self.args.batch);
        let batches = (self.dataset.training.len() / self.args.batch) as u64;
        let (mut loss, mut count, mut done) = (0.0, 0, 0);
        while epoch.fill(&mut batch, self.args.batch) {
            let rate = self.schedule.rate(self.state.steps);
            loss += self.step(&batch, rate);
            count += 1;
            done += 1;
            self.state.steps += 1;
            bar.inc(1);
            if done * POINTS_PER_EPOCH / batches > (done - 1) * POINTS_PER_EPOCH / batches {
                let row = Row {
                    step: self.state.steps,
                    epoch: self.state.epochs + 1,
                    rate,
                    training: loss / (count * self.args.batch) as f64,
                    held_out: self.held_out_loss(),
                };
                (loss, count) = (0.0, 0);
                self.state.curve.push(row);
                bar.set_message(format!("loss {:.5} held out {:.5}", row.training, row.held_out));
                if bar.is_hidden() && done == batches {
                    let Row { step, epoch, training, held_out, .. } = row;
                    note!("epoch {epoch}, batch {step}: loss {training:.6}, held out {held_out:.6}");
                }
            }
        }
    }

    /// Learns from a batch; returns the sum of its squared errors.
    fn step(&mut self, batch: &[Drawn], rate: f32) -> f64 {
        let (layout, target, params) = (self.layout, self.target, &self.expanded);
        let share = batch.len().div_ceil(self.gradients.len());
        let parts = self.gradients.par_iter_mut().zip(batch.par_chunks(share)).map(|(gradient, part)| {
            gradient.fill(0.0);
            kernel::accumulate(layout, params, target, part, gradient)
        });
        let losses: Vec<f64> = parts.collect();
        let used = losses.len();
        let Some((sum, others)) = self.gradients[..used].split_first_mut() else { return 0.0 };
        let scale = 1.0 / batch.len() as f32;
        sum.par_chunks_mut(CHUNK).enumerate().for_each(|(i, sum)| {
            for other in &*others {
                for (sum, other) in sum.iter_mut().zip(&other[i * CHUNK..]) {
                    *sum += *other;
                }
            }
            for sum in sum {
                *sum *= scale;
            }
        });
        layout.gather(sum);
        self.optimiser.step(layout, &mut self.params, sum, rate, self.args.decay);
        layout.expand(&self.params, &mut self.expanded);
        losses.iter().sum()
    }

    fn held_out_loss(&self) -> f64 {
        // Parts of fixed size, so that the sum does not depend on the threads.
        let parts: Vec<&[Drawn]> = self.held_out.chunks(4096).collect();
        let loss = |part| kernel::loss(self.layout, &self.expanded, self.target, part);
        let losses: Vec<f64> = parts.into_par_iter().map(loss).collect();
        losses.iter().sum::<f64>() / self.held_out.len().max(1) as f64
    }

    fn write_network(&self) -> anyhow::Result<Weights> {
        let description = self.state.config.to_string();
        let weights = model::quantise(self.layout, &self.expanded, description);
        let path = self.args.file("phnn");
        atomic::write(&path, &weights.to_bytes(), true)?;
        Ok(weights)
    }

    /// Says what rounding to integers costs on positions held out.
    fn report_rounding(&self, weights: &Weights) {
        let stride = self.held_out.len().div_ceil(ROUNDING_SAMPLES).max(1);
        let (mut sum, mut largest, mut count) = (0.0, 0.0_f32, 0);
        for drawn in self.held_out.iter().step_by(stride) {
            let Ok(position) = drawn.sample.position.unpack() else { continue };
            let exact = kernel::output(self.layout, &self.expanded, drawn) * OUTPUT_SCALE as f32;
            let error = (exact - weights.evaluate(&position) as f32).abs();
            sum += error;
            largest = largest.max(error);
            count += 1;
        }
        let mean = sum / count.max(1) as f32;
        let positions = counted(count, "position");
        note!("rounding: {mean:.2} centipawns on average, {largest:.1} at most, over {positions}");
    }
}

#[cfg(test)]
mod tests;
