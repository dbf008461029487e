//! All samples in memory, in an order of their own every epoch.

use super::kernel::Drawn;
use crate::data::{DataError, Filter, Sample, Source, look_ahead, read_files, samples};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use std::path::PathBuf;

/// One game in so many is held out.
pub(super) const HELD_OUT: u32 = 20;

/// Samples to learn from, and samples of other games to check with.
#[derive(Debug, Default)]
pub(super) struct Dataset {
    pub(super) training: Vec<Sample>,
    pub(super) held_out: Vec<Sample>,
    /// Games read.
    pub(super) games: u64,
    /// The files they come from.
    pub(super) sources: Vec<Source>,
}

impl Dataset {
    /// Reads data files. Whole games are held out: every twentieth by number.
    pub(super) fn load(paths: &[PathBuf], filter: Filter, lambda: f64) -> Result<Self, DataError> {
        let mut dataset = Self::default();
        dataset.sources = read_files(paths, |mut game| {
            if lambda > 0.0 {
                look_ahead(&mut game, lambda);
            }
            dataset.games += 1;
            let held_out = game.number.is_multiple_of(HELD_OUT);
            let into = if held_out { &mut dataset.held_out } else { &mut dataset.training };
            samples(&game, filter, |_, sample| into.push(sample));
        })?;
        Ok(dataset)
    }

    /// The samples of an epoch in random order, each mirrored or not by chance. Decided by seed and epoch alone.
    pub(super) fn epoch(&self, seed: u64, epoch: u32) -> Epoch<'_> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(1 + u64::from(epoch));
        let mut order: Vec<u32> = (0..self.training.len() as u32).collect();
        for i in (1..order.len()).rev() {
            // The bias of the remainder is below one in a million for any sensible number of samples.
            order.swap(i, (rng.next_u64() % (i as u64 + 1)) as usize);
        }
        Epoch { samples: &self.training, order, next: 0, rng }
    }
}

/// Draws the samples of an epoch batch by batch.
#[derive(Debug)]
pub(super) struct Epoch<'a> {
    samples: &'a [Sample],
    order: Vec<u32>,
    next: usize,
    rng: ChaCha8Rng,
}

impl Epoch<'_> {
    /// Fills `batch` with the next samples; false if there are not enough left for a whole one.
    pub(super) fn fill(&mut self, batch: &mut Vec<Drawn>, size: usize) -> bool {
        batch.clear();
        let Some(indices) = self.order.get(self.next..self.next + size) else { return false };
        self.next += size;
        let rng = &mut self.rng;
        batch.extend(
            indices.iter().map(|&index| Drawn {
                sample: self.samples[index as usize],
                mirrored: rng.next_u32() & 1 == 1,
            }),
        );
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::testing::random_game;

    fn dataset() -> Dataset {
        let mut dataset = Dataset::default();
        for number in 0..10 {
            let filter = Filter { max_score: i16::MAX };
            samples(&random_game(number), filter, |_, sample| dataset.training.push(sample));
        }
        dataset
    }

    fn drawn(dataset: &Dataset, seed: u64, epoch: u32) -> Vec<Drawn> {
        let (mut all, mut batch) = (Vec::new(), Vec::new());
        let mut epoch = dataset.epoch(seed, epoch);
        while epoch.fill(&mut batch, 10) {
            all.extend_from_slice(&batch);
        }
        all
    }

    #[test]
    fn an_epoch_draws_every_sample_once_in_its_own_order() {
        let dataset = dataset();
        let key = |sample: &Sample| format!("{sample:?}");
        let first = drawn(&dataset, 1, 0);
        let mut found: Vec<String> = first.iter().map(|drawn| key(&drawn.sample)).collect();
        let mut all: Vec<String> = dataset.training.iter().map(key).collect();
        assert_ne!(found[..20], all[..20]);
        found.sort();
        all.sort();
        assert!(all.len() - found.len() < 10, "all but an incomplete batch");
        assert!(found.iter().all(|sample| all.binary_search(sample).is_ok()));
        let orders = [drawn(&dataset, 1, 0), drawn(&dataset, 1, 1), drawn(&dataset, 2, 0)];
        let same = |i: usize| (0..30).all(|k| orders[i][k].sample == first[k].sample);
        assert_eq!([same(0), same(1), same(2)], [true, false, false]);
    }
}
