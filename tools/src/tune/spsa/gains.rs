//! The arithmetic of SPSA: gain sequences, perturbation and step.
//!
//! In iteration `k` of `N` (from 1) every parameter is moved by `c_k` up or down at random, two players with opposite moves meet,
//! and the parameters go on in the direction of the winner:
//!
//! ```text
//! c_k = c / k^gamma          a_k = a / (A + k)^alpha          theta += a_k / c_k · (wins - losses) · (+1 or -1)
//! ```
//!
//! Source: J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization", IEEE Transactions on
//! Aerospace and Electronic Systems 34 (1998), with its alpha = 0.602, gamma = 0.101 and A = a tenth of the iterations. His factor 2
//! is part of `a`. A parameter states its gains as at the last iteration, as fishtest and OpenBench have it: `c_end`, and
//! `r_end = a_end / c_end²`.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

use super::parameter::Parameter;

/// The shape of the gain sequences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Gains {
    /// Iterations, N.
    pub iterations: u64,
    /// How fast steps shrink.
    pub alpha: f64,
    /// How fast perturbations shrink.
    pub gamma: f64,
    /// A as a share of the iterations: holds back the first steps.
    pub stability: f64,
}

impl Gains {
    /// `c_k` and `r_k = a_k / c_k²` of a parameter in iteration `k`, counted from 0.
    pub fn at(&self, parameter: &Parameter, k: u64) -> (f64, f64) {
        let (n, k) = (self.iterations as f64, (k + 1) as f64);
        let a = self.stability * n;
        let c_k = parameter.c_end * (n / k).powf(self.gamma);
        let a_end = parameter.r_end * parameter.c_end.powi(2);
        let a_k = a_end * ((a + n) / (a + k)).powf(self.alpha);
        (c_k, a_k / c_k.powi(2))
    }
}

/// What chance decides in one iteration: a function of seed and number alone, so that a run can be taken up again.
#[derive(Debug)]
pub struct Perturbation {
    /// +1 or -1 for each parameter.
    signs: Vec<f64>,
    /// For the rounding: 0 to below 1, for each parameter.
    fractions: Vec<f64>,
    rng: ChaCha8Rng,
}

impl Perturbation {
    /// That of iteration `k`.
    pub fn new(seed: u64, k: u64, parameters: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(k);
        let signs = (0..parameters).map(|_| if rng.next_u32() & 1 == 0 { 1.0 } else { -1.0 }).collect();
        let fractions = (0..parameters).map(|_| f64::from(rng.next_u32()) / 2f64.powi(32)).collect();
        Self { signs, fractions, rng }
    }

    /// A number below `count`, for the choice of an opening.
    pub fn pick(&mut self, count: usize) -> usize {
        (self.rng.next_u64() % count.max(1) as u64) as usize
    }

    /// The whole values two players play with: one has every parameter moved by its sign, the other against it.
    ///
    /// Rounding is up or down by chance, in proportion, so that small perturbations are not lost.
    pub fn players(&self, gains: &Gains, parameters: &[Parameter], theta: &[f64], k: u64) -> [Vec<i64>; 2] {
        [1.0, -1.0].map(|direction| {
            let value = |(i, parameter): (usize, &Parameter)| {
                let (c_k, _) = gains.at(parameter, k);
                let moved = parameter.clamp(theta[i] + direction * c_k * self.signs[i]);
                ((moved + self.fractions[i]).floor() as i64).clamp(parameter.min, parameter.max)
            };
            parameters.iter().enumerate().map(value).collect()
        })
    }

    /// Moves the parameters after the first player has won so many games more than it has lost.
    pub fn step(&self, gains: &Gains, parameters: &[Parameter], theta: &mut [f64], k: u64, result: f64) {
        for (i, parameter) in parameters.iter().enumerate() {
            let (c_k, r_k) = gains.at(parameter, k);
            theta[i] = parameter.clamp(theta[i] + r_k * c_k * result * self.signs[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(value: i64, c_end: f64, r_end: f64) -> Parameter {
        Parameter { name: format!("p{value}"), value, min: -1000, max: 1000, c_end, r_end }
    }

    fn gains(iterations: u64) -> Gains {
        Gains { iterations, alpha: 0.602, gamma: 0.101, stability: 0.1 }
    }

    #[test]
    fn gains_of_the_first_and_the_last_iteration() {
        let (gains, parameter) = (gains(10_000), parameter(0, 4.0, 0.002));
        let (c, r) = gains.at(&parameter, 9_999);
        assert!((c - 4.0).abs() < 1e-12 && (r - 0.002).abs() < 1e-12, "by definition of c_end and r_end");
        // By hand: 10000^0.101 = 10^0.404 = 2.53513; (11000/1001)^0.602 = e^(0.602 · 2.396896) = 4.23290.
        let (c, r) = gains.at(&parameter, 0);
        assert!((c - 4.0 * 2.535_13).abs() < 1e-3, "{c}");
        let a = 0.002 * 16.0 * 4.232_90;
        assert!((r - a / (c * c)).abs() < 1e-6, "{r}");
    }

    #[test]
    fn players_stand_on_both_sides() {
        let parameters = [parameter(10, 4.0, 0.002), parameter(999, 8.0, 0.002)];
        let gains = gains(1);
        for k in 0..50 {
            let chance = Perturbation::new(3, k, 2);
            let [plus, minus] = chance.players(&gains, &parameters, &[10.0, 999.0], 0);
            assert_eq!((plus[0] - minus[0]).abs(), 8);
            assert_eq!(plus[0].min(minus[0]), 6);
            assert_eq!([plus[1].min(minus[1]), plus[1].max(minus[1])], [991, 1000], "the range ends at 1000");
        }
    }

    #[test]
    fn rounding_is_right_on_the_average() {
        let parameters = [parameter(0, 0.25, 0.002)];
        let sum: i64 = (0..4000)
            .map(|k| Perturbation::new(1, k, 1).players(&gains(1), &parameters, &[0.5], 0)[0][0])
            .sum();
        // Half the time 0.25 and half the time 0.75, each rounded in proportion: 0.5 on the average, deviation 0.008.
        assert!((sum as f64 / 4000.0 - 0.5).abs() < 0.03, "{sum}");
    }

    /// Runs SPSA on `result`, a function of two players' values.
    fn optimise(
        parameters: &[Parameter],
        gains: &Gains,
        seed: u64,
        mut result: impl FnMut(&[i64], &[i64]) -> f64,
    ) -> Vec<f64> {
        let mut theta: Vec<f64> = parameters.iter().map(|parameter| parameter.value as f64).collect();
        for k in 0..gains.iterations {
            let chance = Perturbation::new(seed, k, parameters.len());
            let [plus, minus] = chance.players(gains, parameters, &theta, k);
            chance.step(gains, parameters, &mut theta, k, result(&plus, &minus));
        }
        theta
    }

    const BEST: [f64; 3] = [40.0, -100.0, 300.0];
    const SCALES: [f64; 3] = [20.0, 50.0, 100.0];

    /// A strength with its peak at `BEST`, in Elo: each parameter loses 10 Elo at a distance of one scale.
    fn strength(values: &[i64]) -> f64 {
        -(0..3).map(|i| 10.0 * ((values[i] as f64 - BEST[i]) / SCALES[i]).powi(2)).sum::<f64>()
    }

    #[test]
    fn a_quadratic_without_noise_is_climbed() {
        let parameters = [parameter(0, 5.0, 0.05), parameter(0, 12.0, 0.05), parameter(200, 25.0, 0.05)];
        let theta =
            optimise(&parameters, &gains(2000), 1, |plus, minus| (strength(plus) - strength(minus)) / 10.0);
        for i in 0..3 {
            assert!((theta[i] - BEST[i]).abs() < 0.05 * SCALES[i], "{theta:?}");
        }
    }

    /// Pairs of games whose results are random, with chances by the Elo difference.
    #[test]
    fn a_quadratic_behind_the_noise_of_games_is_climbed() {
        let parameters = [parameter(0, 5.0, 0.01), parameter(0, 12.0, 0.01), parameter(200, 25.0, 0.01)];
        let start = strength(&[0, 0, 200]);
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let theta = optimise(&parameters, &gains(20_000), 2, |plus, minus| {
            let score = crate::stats::score(strength(plus) - strength(minus));
            (0..2).map(|_| if f64::from(rng.next_u32()) / 2f64.powi(32) < score { 1.0 } else { -1.0 }).sum()
        });
        let found = strength(&theta.iter().map(|value| value.round() as i64).collect::<Vec<_>>());
        assert!(start < -80.0 && found > -8.0, "{theta:?}: {start} to {found}");
    }
}
