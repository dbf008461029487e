//! AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019) and the schedule of its rate.

use super::model::{CHUNK, Layout, MAX_HIDDEN, MAX_OUTPUT};
use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSlice, ParallelSliceMut};
use search::nnue::INPUTS;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// How much faster the rows of a king bucket decay than those all buckets share: they have fewer positions to learn from. With the
/// same decay for both a network was 34 Elo weaker against a third one (`docs/network.md`).
const OWN_DECAY: f32 = 5.0;
/// Steps in which the rate rises to its full height.
const WARM_UP: u64 = 100;

/// Rates at the first and at the last of so many steps, a cosine between them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Schedule {
    pub(super) first: f32,
    pub(super) last: f32,
    pub(super) steps: u64,
}

impl Schedule {
    /// The rate of a step, counted from zero.
    pub(super) fn rate(self, step: u64) -> f32 {
        let done = (step as f32 / self.steps.max(1) as f32).min(1.0);
        let cosine = f32::midpoint(1.0, (core::f32::consts::PI * done).cos());
        let rate = self.last + (self.first - self.last) * cosine;
        rate * ((step + 1) as f32 / WARM_UP as f32).min(1.0)
    }
}

/// The running moments of each parameter.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct AdamW {
    pub(super) first: Vec<f32>,
    pub(super) second: Vec<f32>,
    /// Steps made.
    pub(super) steps: u64,
}

impl AdamW {
    pub(super) fn new(layout: Layout) -> Self {
        Self { first: vec![0.0; layout.len()], second: vec![0.0; layout.len()], steps: 0 }
    }

    /// One step down the gradient. Weights decay and are kept in bounds; biases and piece-square values do neither.
    pub(super) fn step(
        &mut self,
        layout: Layout,
        params: &mut [f32],
        gradient: &[f32],
        rate: f32,
        decay: f32,
    ) {
        self.steps += 1;
        let power = self.steps.min(1 << 20) as i32;
        let corrected = rate * (1.0 - BETA2.powi(power)).sqrt() / (1.0 - BETA1.powi(power));
        let hidden = layout.hidden_weights();
        let shared = hidden.start..hidden.start + INPUTS * layout.hidden;
        let parts = [
            (shared.end..hidden.end, Some((MAX_HIDDEN, OWN_DECAY * decay))),
            (shared, Some((MAX_HIDDEN, decay))),
            (layout.hidden_biases(), None),
            (layout.output_weights(), Some((MAX_OUTPUT, decay))),
            (layout.places(), None),
            (layout.output_biases(), None),
        ];
        for (range, limits) in parts {
            let moments = self.first[range.clone()]
                .par_chunks_mut(CHUNK)
                .zip(self.second[range.clone()].par_chunks_mut(CHUNK));
            let slopes = gradient[range.clone()].par_chunks(CHUNK);
            params[range].par_chunks_mut(CHUNK).zip(slopes).zip(moments).for_each(
                |((params, slopes), (first, second))| {
                    pulp::Arch::new().dispatch(|| {
                        let moments = first.iter_mut().zip(&mut *second);
                        for ((param, &slope), (first, second)) in params.iter_mut().zip(slopes).zip(moments) {
                            *first = BETA1 * *first + (1.0 - BETA1) * slope;
                            *second = BETA2 * *second + (1.0 - BETA2) * slope * slope;
                            *param -= corrected * *first / (second.sqrt() + EPSILON);
                        }
                        if let Some((bound, decay)) = limits {
                            for param in &mut *params {
                                *param = (*param - rate * decay * *param).clamp(-bound, bound);
                            }
                        }
                    });
                },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls() {
        let schedule = Schedule { first: 1e-3, last: 1e-5, steps: 1000 };
        assert!(schedule.rate(0) < 2e-5);
        assert!((schedule.rate(100) - 1e-3).abs() < 5e-5);
        assert!((schedule.rate(500) - 5e-4).abs() < 1e-5);
        assert!((schedule.rate(1000) - 1e-5).abs() < 1e-8);
        assert!((schedule.rate(5000) - 1e-5).abs() < 1e-8);
    }

    #[test]
    fn it_finds_the_bottom_of_a_bowl() {
        let layout = Layout { hidden: 0 };
        let mut params = vec![0.5; layout.len()];
        let goal = |i: usize| (i % 7) as f32 / 10.0 - 0.3;
        let mut optimiser = AdamW::new(layout);
        for _ in 0..600 {
            let gradient: Vec<f32> = params.iter().enumerate().map(|(i, param)| param - goal(i)).collect();
            optimiser.step(layout, &mut params, &gradient, 5e-3, 0.0);
        }
        assert!(params.iter().enumerate().all(|(i, param)| (param - goal(i)).abs() < 0.01));
    }
}
