//! Positions of self-play games with what became of them, as counts of the evaluation's weights.

use std::path::PathBuf;

use search::linear::Linear;

use crate::data::{DataError, Filter, read_files, samples};

/// One game in so many is held out.
const HELD_OUT: u32 = 20;

/// Many positions, each a row of counts.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// Where each row ends in `counts`.
    ends: Vec<u32>,
    counts: Vec<(u16, f32)>,
    phases: Vec<f32>,
    /// Points the side to move made: 0, ½ or 1.
    results: Vec<f32>,
    /// What the search said, in units of the evaluation, side to move.
    scores: Vec<f32>,
}

/// One of them.
#[derive(Debug, Clone, Copy)]
pub struct Row<'r> {
    /// Weights that count, with their counts.
    pub counts: &'r [(u16, f32)],
    /// Share of the middle game, 0 to 1.
    pub phase: f32,
    /// Points the side to move made.
    pub result: f32,
    /// What the search said.
    pub score: f32,
}

impl Row<'_> {
    /// The evaluation with these weights, middle game and end game in turn.
    pub fn value(&self, weights: &[f64]) -> f64 {
        let (mg, eg) = (f64::from(self.phase), f64::from(1.0 - self.phase));
        let taper = |index: u16| {
            let at = 2 * usize::from(index);
            weights[at].mul_add(mg, weights[at + 1] * eg)
        };
        self.counts.iter().map(|&(index, count)| f64::from(count) * taper(index)).sum()
    }
}

impl Rows {
    /// Adds a position.
    pub fn push(&mut self, linear: &Linear, result: f32, score: f32) {
        self.counts.extend_from_slice(&linear.counts);
        self.ends.push(self.counts.len() as u32);
        self.phases.push(linear.phase);
        self.results.push(result);
        self.scores.push(score);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The row of this number.
    pub fn row(&self, number: usize) -> Row<'_> {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        Row {
            counts: &self.counts[start..self.ends[number] as usize],
            phase: self.phases[number],
            result: self.results[number],
            score: self.scores[number],
        }
    }

    /// How often each of `weights` weights stands in a row.
    pub fn seen(&self, weights: usize) -> Vec<u64> {
        let mut seen = vec![0; weights];
        for (index, _) in &self.counts {
            seen[usize::from(*index)] += 1;
        }
        seen
    }
}

/// Positions to learn from, and positions of other games to check with.
#[derive(Debug, Default)]
pub struct Dataset {
    /// To learn from.
    pub training: Rows,
    /// To check with.
    pub held_out: Rows,
    /// Games read.
    pub games: u64,
}

impl Dataset {
    /// Reads data files. Whole games are held out: every twentieth by number.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged.
    pub fn load(paths: &[PathBuf], filter: Filter) -> Result<Self, DataError> {
        let mut dataset = Self::default();
        read_files(paths, |game| {
            dataset.games += 1;
            let held_out = game.number.is_multiple_of(HELD_OUT);
            let into = if held_out { &mut dataset.held_out } else { &mut dataset.training };
            samples(&game, filter, |position, sample| {
                into.push(
                    &Linear::of(position),
                    f32::from(sample.half_points) / 2.0,
                    f32::from(sample.score),
                );
            });
        })?;
        Ok(dataset)
    }
}
