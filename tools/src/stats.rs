//! Statistics of matches: Elo difference with its error, likelihood of superiority, sequential tests.
//!
//! Everything works on one [`Sample`]: how often each of `k` equally spaced scores between 0 and 1 was seen. Pairs of games
//! (one opening, colours exchanged) give five of them (0, ½, 1, 1½ or 2 points of 2), single games three. Pairs are the
//! better unit: the two games of an opening are not independent, and the difference between openings cancels out.
//!
//! Sources: the generalised sequential probability ratio test and its maximum likelihood distributions follow
//! Michel Van den Bergh, "A practical introduction to the GSPRT" and "Normalized Elo", as used by fishtest and fastchess;
//! the tests below hold values those programs publish.

use statrs::distribution::{ContinuousCDF, Normal};

/// Elo points of one unit of the logistic curve: `400 / ln 10`.
const ELO_SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Games that were never seen count this much in a sequential test, so that no logarithm of zero arises (fishtest's value).
const REGULARISATION: f64 = 1e-3;

/// Halvings of the interval that holds the root: more than the bits of an `f64` need.
const BISECTIONS: usize = 200;

/// Rounds of the fixed-point iteration for normalised Elo; it converges in three or four.
const NORMALISED_ROUNDS: usize = 10;

/// How often each of `K` equally spaced scores from 0 to 1 was seen, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample<const K: usize>(pub [u64; K]);

/// Single games: losses, draws, wins.
pub type Games = Sample<3>;

/// Pairs of games: 0, ½, 1, 1½, 2 points.
pub type Pairs = Sample<5>;

impl<const K: usize> Default for Sample<K> {
    fn default() -> Self {
        Self([0; K])
    }
}

/// An Elo difference and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Mean score, 0 to 1.
    pub score: f64,
    /// Elo difference on the logistic scale; infinite when every game had the same winner.
    pub elo: f64,
    /// The bounds of the 95 % interval, in Elo.
    pub interval: (f64, f64),
    /// Likelihood of superiority, 0 to 1: how probable it is that the first player is the stronger one.
    pub los: f64,
}

impl Estimate {
    /// Half the width of the 95 % interval, in Elo: the number after ±.
    pub fn margin(&self) -> f64 {
        (self.interval.1 - self.interval.0) / 2.0
    }
}

impl<const K: usize> Sample<K> {
    /// Number of observations.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds one observation: `index / (K - 1)` of the points.
    ///
    /// # Panics
    /// When `index` is not below `K`.
    pub fn add(&mut self, index: usize) {
        self.0[index] += 1;
    }

    /// The score of category `index`.
    fn value(index: usize) -> f64 {
        index as f64 / (K - 1) as f64
    }

    /// Mean and variance of one observation; `None` without observations.
    pub fn moments(&self) -> Option<(f64, f64)> {
        let n = self.count();
        if n == 0 {
            return None;
        }
        let expect = |f: &dyn Fn(f64) -> f64| -> f64 {
            self.0.iter().enumerate().map(|(i, &c)| c as f64 * f(Self::value(i))).sum::<f64>() / n as f64
        };
        let mean = expect(&|x| x);
        Some((mean, expect(&|x| (x - mean).powi(2))))
    }

    /// Elo difference, its 95 % interval and the likelihood of superiority; `None` without observations.
    ///
    /// # Panics
    /// Never: the standard normal distribution always exists.
    pub fn estimate(&self) -> Option<Estimate> {
        let (score, variance) = self.moments()?;
        let normal = Normal::new(0.0, 1.0).expect("the standard normal distribution exists");
        let error = (variance / self.count() as f64).sqrt();
        let reach = normal.inverse_cdf(0.975) * error;
        let los = if error > 0.0 {
            normal.cdf((score - 0.5) / error)
        } else {
            // Every result is the same: certain either way, or a string of draws that says nothing.
            match score.total_cmp(&0.5) {
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 1.0,
            }
        };
        Some(Estimate { score, elo: elo(score), interval: (elo(score - reach), elo(score + reach)), los })
    }

    /// The observations as probabilities, none of them zero.
    fn regularised(&self) -> ([f64; K], f64) {
        let counts = self.0.map(|c| if c == 0 { REGULARISATION } else { c as f64 });
        let n: f64 = counts.iter().sum();
        (counts.map(|c| c / n), n)
    }

    /// Log-likelihood ratio of "the difference is `elo1`" against "it is `elo0`".
    pub fn llr(&self, elo0: f64, elo1: f64, model: EloModel) -> f64 {
        if self.count() == 0 {
            return 0.0;
        }
        let (p, n) = self.regularised();
        let fit = |elo| match model {
            EloModel::Logistic => fit_mean(&p, score(elo)),
            EloModel::Normalised => {
                fit_t_value(&p, elo / (2.0 * ELO_SCALE) * games_per_observation::<K>().sqrt())
            }
        };
        let (q0, q1) = (fit(elo0), fit(elo1));
        n * (0..K).map(|i| p[i] * (q1[i] / q0[i]).ln()).sum::<f64>()
    }
}

/// A pair holds two games, a single result one.
fn games_per_observation<const K: usize>() -> f64 {
    (K - 1) as f64 / 2.0
}

/// Elo difference that gives this mean score; infinite at 0 and 1 (and beyond, where an interval may reach).
pub fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        ELO_SCALE * (score / (1.0 - score)).ln()
    }
}

/// Mean score expected at this Elo difference.
pub fn score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_SCALE).exp())
}

/// The distribution closest to `p` (maximum likelihood) under which `Σ q·a = 0`.
///
/// By Lagrange multipliers `q = p / (1 + θ·a)`, where θ is the one root that keeps every `q` positive.
fn fit_zero<const K: usize>(p: &[f64; K], a: &[f64; K]) -> [f64; K] {
    let (low, high) =
        a.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
    if low >= 0.0 || high <= 0.0 {
        return *p; // no distribution on these values has that mean
    }
    // The sum falls strictly from +∞ to -∞ between the two poles.
    let (mut left, mut right) = (-1.0 / high, -1.0 / low);
    for _ in 0..BISECTIONS {
        let theta = f64::midpoint(left, right);
        let sum: f64 = (0..K).map(|i| p[i] * a[i] / (1.0 + theta * a[i])).sum();
        if sum > 0.0 {
            left = theta;
        } else {
            right = theta;
        }
    }
    let theta = f64::midpoint(left, right);
    std::array::from_fn(|i| p[i] / (1.0 + theta * a[i]))
}

/// The distribution closest to `p` whose mean score is `mean`.
fn fit_mean<const K: usize>(p: &[f64; K], mean: f64) -> [f64; K] {
    fit_zero(p, &std::array::from_fn(|i| Sample::<K>::value(i) - mean))
}

/// The distribution closest to `p` whose mean lies `t` standard deviations above one half.
///
/// The condition is not linear in `q`; linearised around the last guess it becomes one that [`fit_zero`] solves ("Normalized
/// Elo", section 4.1).
fn fit_t_value<const K: usize>(p: &[f64; K], t: f64) -> [f64; K] {
    let mut q = [1.0 / K as f64; K];
    for _ in 0..NORMALISED_ROUNDS {
        let value = Sample::<K>::value;
        let mean: f64 = (0..K).map(|i| q[i] * value(i)).sum();
        let deviation = (0..K).map(|i| q[i] * (value(i) - mean).powi(2)).sum::<f64>().sqrt();
        let a = std::array::from_fn(|i| {
            let z = (mean - value(i)) / deviation;
            value(i) - 0.5 - t * deviation * z.mul_add(z, 1.0) / 2.0
        });
        q = fit_zero(p, &a);
    }
    q
}

/// What the Elo bounds of a sequential test mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EloModel {
    /// Ordinary Elo: mean score on the logistic curve.
    #[default]
    Logistic,
    /// Mean score over its standard deviation per game, times `800 / ln 10`: independent of the draw rate.
    Normalised,
}

/// A sequential probability ratio test over pairs of games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// The difference that is not enough, in Elo.
    pub elo0: f64,
    /// The difference hoped for, in Elo.
    pub elo1: f64,
    /// Probability of accepting a change that is worth only `elo0`.
    pub alpha: f64,
    /// Probability of refusing a change that is worth `elo1`.
    pub beta: f64,
    /// The scale of `elo0` and `elo1`.
    pub model: EloModel,
}

/// What a sequential test says so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Not enough games yet.
    Continue,
    /// The difference is `elo0` (or less).
    AcceptH0,
    /// The difference is `elo1` (or more).
    AcceptH1,
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends: lower (H0) and upper (H1).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of these pairs.
    pub fn llr(&self, pairs: &Pairs) -> f64 {
        pairs.llr(self.elo0, self.elo1, self.model)
    }

    /// What these pairs decide.
    pub fn decide(&self, pairs: &Pairs) -> Decision {
        let (lower, upper) = self.bounds();
        let llr = self.llr(pairs);
        if llr >= upper {
            Decision::AcceptH1
        } else if llr <= lower {
            Decision::AcceptH0
        } else {
            Decision::Continue
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published values are given to two decimals; fastchess itself allows one per cent.
    fn assert_close(value: f64, expected: f64) {
        assert!((value - expected).abs() <= 0.01 * (1.0 + expected.abs()), "{value} is not {expected}");
    }

    #[test]
    fn elo_of_known_scores() {
        // By hand: 10/11 is ten to one, which is 400 Elo by definition of the scale.
        assert_close(elo(10.0 / 11.0), 400.0);
        assert_close(elo(0.5), 0.0);
        assert_close(score(-400.0), 1.0 / 11.0);
        assert!(elo(0.0).is_infinite() && elo(1.0).is_infinite());
    }

    #[test]
    fn estimates_of_single_games() {
        // Source: fastchess app/tests/elo_test.cpp, "EloWDL 2": 136 wins, 96 losses, 111 draws.
        let estimate = Sample([96, 111, 136]).estimate().expect("games were played");
        assert_close(estimate.elo, 40.70);
        assert_close(estimate.margin(), 30.43);
        assert_close(estimate.los, 0.9960);
        // "EloWDL 1": 76 wins, 89 losses, 123 draws.
        assert_close(Sample([89, 123, 76]).estimate().expect("games were played").los, 0.1553);
    }

    #[test]
    fn estimates_of_cutechess_reports() {
        // Source: cutechess-cli reports in the Rustic book, "SPRT Results": 869 - 646 - 357 is +41.6 ± 14.2,
        // 409 - 197 - 133 is +102.5 ± 23.5 (wins - losses - draws).
        for (counts, elo, margin) in [([646, 357, 869], 41.6, 14.2), ([197, 133, 409], 102.5, 23.5)] {
            let estimate = Sample(counts).estimate().expect("games were played");
            assert!((estimate.elo - elo).abs() < 0.05, "{estimate:?}");
            assert!((estimate.margin() - margin).abs() < 0.05, "{estimate:?}");
        }
    }

    #[test]
    fn estimates_of_pairs() {
        // Source: fastchess app/tests/elo_test.cpp, "EloPentanomial" 1 to 3 (its two middle counts added up).
        for (counts, elo, margin) in [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95),
        ] {
            let estimate = Sample(counts).estimate().expect("pairs were played");
            assert_close(estimate.elo, elo);
            assert_close(estimate.margin(), margin);
        }
        assert_close(Sample([332, 433, 498, 333, 334]).estimate().expect("pairs were played").los, 0.0505);
    }

    #[test]
    fn one_sided_matches() {
        assert!(Pairs::default().estimate().is_none());
        let won = Sample([0, 0, 0, 0, 7]).estimate().expect("pairs were played");
        assert!(won.elo.is_infinite());
        assert_close(won.los, 1.0);
        let drawn = Sample([0, 9, 0]).estimate().expect("games were played");
        assert_close(drawn.elo, 0.0);
        assert_close(drawn.los, 0.5);
    }

    #[test]
    fn llr_of_known_matches() {
        // Source: fastchess app/tests/sprt_test.cpp (its two middle counts added up).
        let logistic = [
            ([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5, -3.07),
            ([871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0, -4.98),
        ];
        for (counts, elo0, elo1, llr) in logistic {
            assert_close(Sample(counts).llr(elo0, elo1, EloModel::Logistic), llr);
        }
        let normalised = [
            ([365, 16618, 36029 + 200, 16974, 390], 0.0, 2.0, 2.25),
            ([127, 4883, 10311 + 401, 5150, 104], -1.75, 0.25, 3.01),
        ];
        for (counts, elo0, elo1, llr) in normalised {
            assert_close(Sample(counts).llr(elo0, elo1, EloModel::Normalised), llr);
        }
        // By hand: 104 pairs won outright. The closest distribution keeps the mass on 0 and 1, so its deviation is ½ and the
        // weight of a won pair grows from ½ to ½·(1 + t), t = 5·√2·ln 10 / 800 = 0.020352. (fastchess's own test has 2.94
        // here: its iteration stops before it has converged.)
        assert_close(
            Sample([0, 0, 0, 0, 104]).llr(0.0, 5.0, EloModel::Normalised),
            104.0 * 1.020_352_f64.ln(),
        );
        // Single games, losses - draws - wins.
        assert_close(Sample([21184, 40708, 21404]).llr(0.5, 2.5, EloModel::Logistic), -1.57);
        assert_close(Sample([57030, 106_593, 57433]).llr(0.0, 2.0, EloModel::Logistic), -2.59);
        assert_close(Sample([36027, 68692, 36433]).llr(0.0, 2.0, EloModel::Normalised), 0.92);
        assert_close(Sample([10650, 20431, 10871]).llr(-1.75, 0.25, EloModel::Normalised), 2.30);
    }

    #[test]
    fn tests_end_at_walds_bounds() {
        // By hand: ln(0.95 / 0.05) = 2.944, the bound every report of a 5 % test shows.
        let sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic };
        let (lower, upper) = sprt.bounds();
        assert!((upper - 2.944).abs() < 1e-3 && (lower + upper).abs() < 1e-12);
        assert_eq!(sprt.decide(&Pairs::default()), Decision::Continue);
        assert_eq!(sprt.decide(&Sample([0, 10, 100, 300, 100])), Decision::AcceptH1);
        assert_eq!(sprt.decide(&Sample([100, 300, 100, 10, 0])), Decision::AcceptH0);
        // Exchanging the players and the hypotheses changes the sign only.
        let counts = [3, 20, 40, 31, 6];
        let mut reversed = counts;
        reversed.reverse();
        let there = Sample(counts).llr(0.0, 10.0, EloModel::Logistic);
        assert_close(there, -Sample(reversed).llr(-10.0, 0.0, EloModel::Logistic));
    }
}
