//! What `xq train` is told, and where it writes.

use super::{dataset::Dataset, model::TILE};
use crate::recipe::differences;
use anyhow::{bail, ensure};
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;

/// Most hidden units: a gigabyte of memory.
const MAX_HIDDEN_UNITS: usize = 4096;
/// Most threads: each has a gradient of its own.
const MAX_THREADS: usize = 256;

/// Arguments of `xq train`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Writes OUT.phnn (the network, at the end), OUT.ckpt, OUT.csv and OUT.svg (the loss curve); OUT.lock is there while it runs.\n\
    Interrupted? The same words with --resume go on after the last finished epoch.\n\
    Example: xq train --data gen1.xqg --out nets/gen1 --epochs 12 --threads 2\n\
    Exit code: 0 trained, 2 not trained, 130 interrupted."
)]
pub struct Args {
    /// Data files of xq datagen
    #[arg(long, num_args = 1.., required = true, value_name = "FILE")]
    pub(super) data: Vec<PathBuf>,
    /// Where to write, without an extension
    #[arg(long, value_name = "PATH")]
    pub(super) out: PathBuf,
    /// Hidden units of one view, a multiple of 64 up to 4096; this version of phao plays with 256
    #[arg(long, default_value_t = 256)]
    pub(super) hidden: usize,
    /// How often every position is seen
    #[arg(long, default_value_t = 12)]
    pub(super) epochs: u32,
    /// Positions of a batch
    #[arg(long, default_value_t = 16_384)]
    pub(super) batch: usize,
    /// Learning rate at the beginning
    #[arg(long, default_value_t = 1e-3)]
    pub(super) rate: f32,
    /// Learning rate at the end
    #[arg(long, default_value_t = 2e-5)]
    pub(super) last_rate: f32,
    /// Weight decay, as a share of the learning rate
    #[arg(long, default_value_t = 1.0)]
    pub(super) decay: f32,
    /// Share of the game's result in the label, 0 to 1; the rest is the search's score
    #[arg(long, default_value_t = 0.2)]
    pub(super) result_share: f32,
    /// How much of the scores of later plies goes into a score, 0 to less than 1: from ply to ply they count so much less
    #[arg(long, default_value_t = 0.0)]
    pub(super) lambda: f64,
    /// Positions with a score beyond this are left out, in units of the evaluation (docs/network.md); with --lambda it is the
    /// mixed score that counts
    #[arg(long, default_value_t = 2500)]
    pub(super) max_score: i16,
    /// Seed of the first weights and of the order
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Threads
    #[arg(long, default_value_t = 1)]
    pub(super) threads: usize,
    /// Go on with an interrupted run
    #[arg(long)]
    pub(super) resume: bool,
    /// Replace the files of an earlier run
    #[arg(short, long, conflicts_with = "resume")]
    pub(super) force: bool,
}

/// What a run depends on, for its checkpoints and for the description of the network.
#[derive(Debug, Serialize)]
pub(super) struct Config<'a> {
    data: Vec<DataFile<'a>>,
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

/// A file of games; one that differs in a byte is another.
#[derive(Debug, Serialize)]
struct DataFile<'a> {
    file: &'a str,
    crc32: &'a str,
}

impl Args {
    /// Refuses what makes no sense.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        ensure!(
            (TILE..=MAX_HIDDEN_UNITS).contains(&self.hidden) && self.hidden.is_multiple_of(TILE),
            "--hidden must be a multiple of {TILE} up to {MAX_HIDDEN_UNITS}"
        );
        ensure!((1..=MAX_THREADS).contains(&self.threads), "--threads must be within 1 and {MAX_THREADS}");
        ensure!(self.epochs > 0, "--epochs must be at least 1");
        ensure!(self.batch > 0, "--batch must be at least 1");
        for (name, value) in [("--rate", self.rate), ("--last-rate", self.last_rate), ("--decay", self.decay)]
        {
            ensure!(value.is_finite() && value >= 0.0, "{name} must be a finite number of at least 0");
        }
        ensure!((0.0..=1.0).contains(&self.result_share), "--result-share must be within 0 and 1");
        ensure!((0.0..1.0).contains(&self.lambda), "--lambda must be at least 0 and less than 1");
        ensure!(self.max_score >= 0, "--max-score must not be negative");
        Ok(())
    }

    /// Refuses to begin where files of another run stand, unless it is told what to do with them.
    pub(super) fn check_files(&self) -> anyhow::Result<()> {
        let files = ["phnn", "ckpt", "csv", "svg"].map(|extension| self.file(extension));
        if !self.resume
            && !self.force
            && let Some(path) = files.iter().find(|path| path.exists())
        {
            let resume = if files[1].exists() { "--resume goes on with it, " } else { "" };
            bail!("{} exists; {resume}--force replaces it", path.display());
        }
        Ok(())
    }

    pub(super) fn config<'a>(&self, dataset: &'a Dataset) -> Config<'a> {
        let sources = dataset.sources.iter();
        Config {
            data: sources.map(|source| DataFile { file: &source.file, crc32: &source.crc32 }).collect(),
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

    pub(super) fn file(&self, extension: &str) -> PathBuf {
        let mut name = self.out.clone().into_os_string();
        name.push(".");
        name.push(extension);
        name.into()
    }
}

/// Whether a run that was begun with one configuration may go on with another: only if they are the same.
pub(super) fn check_same(found: &Value, wanted: &Value) -> anyhow::Result<()> {
    let files = |config: &Value| config["data"].as_array().cloned().unwrap_or_default();
    let (begun, given) = (files(found), files(wanted));
    let new: Vec<&str> =
        given.iter().filter(|file| !begun.contains(file)).filter_map(|file| file["file"].as_str()).collect();
    ensure!(new.is_empty(), "not begun with this data: {}", new.join(", "));
    ensure!(begun == given, "begun with more data, or with these files in another order: {}", found["data"]);
    ensure!(found == wanted, "begun with other options: other {}", differences(found, wanted));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_differs_is_named() {
        let (a, b) = (json!({"file": "a", "crc32": "1"}), json!({"file": "b", "crc32": "2"}));
        let config = |data: &[&Value], rate: f32| json!({"data": data, "rate": rate});
        let begun = config(&[&a, &b], 1.0);
        let refused = |wanted| check_same(&begun, &wanted).expect_err("another run").to_string();
        assert!(check_same(&begun, &begun).is_ok());
        assert_eq!(refused(config(&[&a, &b], 2.0)), "begun with other options: other rate");
        let changed = json!({"file": "b", "crc32": "3"});
        assert_eq!(refused(config(&[&a, &changed], 1.0)), "not begun with this data: b");
        for wanted in [config(&[&a], 1.0), config(&[&b, &a], 1.0)] {
            assert!(
                refused(wanted).starts_with("begun with more data, or with these files in another order")
            );
        }
        // Checkpoints used to have names alone.
        let nameless = json!({"data": ["a", "b"], "rate": 1.0});
        assert!(check_same(&nameless, &begun).is_err());
    }
}
