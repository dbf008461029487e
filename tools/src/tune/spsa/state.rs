//! How far a run has come, in a JSON file that is replaced after every iteration.

use std::path::Path;

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::gains::{Gains, Perturbation};
use super::parameter::Parameter;
use crate::atomic;

/// What a run depends on; a state file goes on only with the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The engine, its options and limits, as words of a match.
    pub words: Vec<String>,
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// Gain sequences.
    pub gains: Gains,
    /// Pairs of games an iteration.
    pub pairs: usize,
    /// Seed of the perturbations and openings.
    pub seed: u64,
}

/// A run in progress.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// What it depends on.
    pub settings: Settings,
    /// Finished iterations.
    pub done: u64,
    /// The parameters as they are now.
    pub theta: Vec<f64>,
    /// Losses, draws and wins of the players that went in the direction of the signs.
    pub games: [u64; 3],
}

impl State {
    /// A run that has not begun.
    pub fn new(settings: Settings) -> Self {
        let theta = settings.parameters.iter().map(|parameter| parameter.value as f64).collect();
        Self { settings, done: 0, theta, games: [0; 3] }
    }

    /// Reads a state file.
    ///
    /// # Errors
    /// If it cannot be read or is something else.
    pub fn load(path: &Path) -> anyhow::Result<Self> {
        let context = || format!("state file {}", path.display());
        let text = std::fs::read_to_string(path).with_context(context)?;
        let state: Self = serde_json::from_str(&text).with_context(context)?;
        ensure!(
            state.theta.len() == state.settings.parameters.len(),
            "{}: as many values as parameters are needed",
            context()
        );
        Ok(state)
    }

    /// The run that `path` holds, or a new one.
    ///
    /// # Errors
    /// If the file cannot be read or belongs to another run.
    pub fn open(path: &Path, settings: Settings) -> anyhow::Result<Self> {
        if !path.exists() {
            return Ok(Self::new(settings));
        }
        let state = Self::load(path)?;
        ensure!(
            state.settings == settings,
            "{}: belongs to a run with other settings; give it other words or another --state",
            path.display()
        );
        Ok(state)
    }

    /// Replaces the state file at once.
    ///
    /// # Errors
    /// If it cannot be written; the old one stays then.
    pub fn save(&self, path: &Path) -> anyhow::Result<()> {
        atomic::write(path, (serde_json::to_string_pretty(self)? + "\n").as_bytes(), true)
    }

    /// Takes in the games of an iteration: losses, draws and wins of the first player.
    pub fn note(&mut self, k: u64, chance: &Perturbation, games: [u64; 3]) {
        let result = games[2] as f64 - games[0] as f64;
        chance.step(&self.settings.gains, &self.settings.parameters, &mut self.theta, k, result);
        (0..3).for_each(|i| self.games[i] += games[i]);
        self.done += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(seed: u64) -> Settings {
        Settings {
            words: vec!["-engine".to_owned()],
            parameters: super::super::parameter::of_the_search(0.002),
            gains: Gains { iterations: 100, alpha: 0.602, gamma: 0.101, stability: 0.1 },
            pairs: 1,
            seed,
        }
    }

    /// Some iterations with made-up results.
    fn iterate(state: &mut State, until: u64) {
        for k in state.done..until {
            let chance = Perturbation::new(state.settings.seed, k, state.theta.len());
            state.note(k, &chance, [k % 3 % 2, 1, (k + 1) % 2]);
        }
    }

    #[test]
    fn an_interrupted_run_ends_as_one_that_was_not() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("spsa.json");
        let mut whole = State::new(settings(5));
        iterate(&mut whole, 100);
        let mut part = State::open(&path, settings(5)).expect("a new run");
        iterate(&mut part, 37);
        part.save(&path).expect("a writable file");
        let mut rest = State::open(&path, settings(5)).expect("our own file");
        assert_eq!(rest, part);
        iterate(&mut rest, 100);
        assert_eq!(rest, whole);
        assert_ne!(rest.theta, State::new(settings(5)).theta);
        assert!(State::open(&path, settings(6)).is_err(), "another run");
        std::fs::write(&path, "{}").expect("a writable file");
        assert!(State::open(&path, settings(5)).is_err(), "no state");
    }
}
