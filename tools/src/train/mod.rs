//! `xq train`: a network from games of our own.
//!
//! Sparse inputs, one hidden layer, plain loops: a batch is cut into as many parts as there are threads, each with a gradient of
//! its own; the parts are added up in order. So a run depends on its data, its options and the number of threads, and on nothing
//! else; an interrupted run goes on after the last finished epoch and ends with the same network.

mod args;
mod checkpoint;
mod curve;
mod dataset;
mod kernel;
mod model;
mod optimiser;

pub use args::Args;

use crate::atomic::{self, Lock};
use crate::counted::counted;
use crate::data::Filter;
use crate::stderr::note;
use anyhow::{Context, ensure};
use checkpoint::State;
use curve::Row;
use dataset::Dataset;
use indicatif::{ProgressBar, ProgressStyle};
use kernel::{Drawn, Target};
use model::{CHUNK, Layout};
use optimiser::{AdamW, Schedule};
use rayon::prelude::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
    ParallelSlice, ParallelSliceMut,
};
use search::nnue::{OUTPUT_SCALE, Weights};
use std::{fs, process::ExitCode, time::Instant};

/// Held-out samples that are looked at: enough to tell losses apart in the fifth decimal.
const MAX_HELD_OUT: usize = 400_000;
/// Held-out samples on which the error of rounding is measured.
const ROUNDING_SAMPLES: usize = 5_000;
/// What helps where numbers grow beyond all bounds.
const LOWER_RATE: &str = "try a lower --rate";
/// Points of the curve in an epoch.
const POINTS_PER_EPOCH: u64 = 4;

/// Trains a network.
///
/// # Errors
/// If data cannot be read, results cannot be written, or an argument makes no sense.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.check()?;
    args.check_files()?;
    atomic::clean_up_on_signals();
    if let Some(folder) = args.out.parent() {
        fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    }
    let _lock = Lock::take(args.file("lock"))?;
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
            args::check_same(&state.config, &config).with_context(|| format!("{}", path.display()))?;
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

    /// Writes the checkpoint of a new run: an interruption in its first epoch must not leave that of another.
    fn begin(&self) -> anyhow::Result<()> {
        if self.state.epochs == 0 { self.save() } else { Ok(()) }
    }

    /// Trains the epochs that are left and writes everything.
    fn finish(mut self) -> anyhow::Result<()> {
        self.begin()?;
        let begun = Instant::now();
        let first = self.state.steps;
        self.train()?;
        let title = format!(
            "{}, {}",
            counted(self.layout.hidden, "hidden unit"),
            counted(self.dataset.training.len(), "position")
        );
        // Once more: a run of which every epoch is done may have failed to write it.
        curve::write_csv(&self.args.file("csv"), &self.state.curve)?;
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
            self.epoch(&bar)?;
            self.save()?;
            curve::write_csv(&self.args.file("csv"), &self.state.curve)?;
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn save(&self) -> anyhow::Result<()> {
        checkpoint::save(&self.args.file("ckpt"), &self.state, &self.params, &self.optimiser)
    }

    fn bar(&self) -> ProgressBar {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} batches, {msg}, {eta} left");
        let bar = ProgressBar::new(self.schedule.steps);
        bar.set_position(self.state.steps);
        bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    }

    /// # Errors
    /// If the numbers grow beyond all bounds.
    fn epoch(&mut self, bar: &ProgressBar) -> anyhow::Result<()> {
        let mut epoch = self.dataset.epoch(self.args.seed, self.state.epochs);
        let mut batch = Vec::with_capacity(self.args.batch);
        let batches = (self.dataset.training.len() / self.args.batch) as u64;
        let (mut loss, mut count, mut done) = (0.0, 0, 0);
        while epoch.fill(&mut batch, self.args.batch) {
            let rate = self.schedule.rate(self.state.steps);
            loss += self.step(&batch, rate);
            ensure!(
                loss.is_finite(),
                "the loss of batch {} is no number; {LOWER_RATE}",
                self.state.steps + 1
            );
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
                let losses = row.to_string();
                if bar.is_hidden() && done == batches {
                    note!("epoch {}, batch {}: {losses}", row.epoch, row.step);
                }
                bar.set_message(losses);
            }
        }
        let is_sound = self.params.iter().all(|param| param.is_finite());
        ensure!(is_sound, "a weight is no number after batch {}; {LOWER_RATE}", self.state.steps);
        self.state.epochs += 1;
        Ok(())
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

    /// The mean squared error on the games held out; `None` if there are none.
    fn held_out_loss(&self) -> Option<f64> {
        // Parts of fixed size, so that the sum does not depend on the threads.
        let parts: Vec<&[Drawn]> = self.held_out.chunks(4096).collect();
        let loss = |part| kernel::loss(self.layout, &self.expanded, self.target, part);
        let losses: Vec<f64> = parts.into_par_iter().map(loss).collect();
        (!losses.is_empty()).then(|| losses.iter().sum::<f64>() / self.held_out.len() as f64)
    }

    fn write_network(&self) -> anyhow::Result<Weights> {
        let description = self.state.config.to_string();
        let weights = model::quantise(self.layout, &self.expanded, description);
        let bytes = weights.to_bytes();
        Weights::from_bytes(&bytes, self.layout.hidden)
            .with_context(|| format!("no program could use the network; {LOWER_RATE}"))?;
        atomic::write(&self.args.file("phnn"), &bytes, true)?;
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
        if count == 0 {
            return note!("rounding: not measured, for no games are held out");
        }
        let mean = sum / count as f32;
        let positions = counted(count, "position");
        note!(
            "rounding: {mean:.2} units of the evaluation on average, {largest:.1} at most, over {positions}"
        );
    }
}

#[cfg(test)]
mod tests;
