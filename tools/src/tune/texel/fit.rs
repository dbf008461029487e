//! Logistic regression: the weights under which the evaluation foretells results best.
//!
//! The chance to win is `σ(K · evaluation)`. K comes first, for the weights as they are; then the weights are fitted with K held, so that
//! the units of the evaluation keep their size. The loss is the cross-entropy, which is convex, plus a spring that holds each weight where it was. Newton's
//! method needs a few passes: the Hessian is `Σ K² p (1 - p) x xᵀ` with rows of some sixty entries.
//!
//! Source of the idea: P. Österlund, "Texel's Tuning Method" (2014); of the method: any text on logistic regression by iteratively
//! reweighted least squares.

use rayon::prelude::{IntoParallelIterator, ParallelIterator};

use super::dataset::{Row, Rows};

/// Rows are summed in so many parts, whatever the number of threads, so that a fit does not depend on it.
const PARTS: usize = 8;
/// Smallest and largest K that is looked for, per unit of the evaluation.
const K_RANGE: (f64, f64) = (1e-4, 5e-2);
/// Iterations of the golden section.
const K_ITERATIONS: u32 = 60;
/// Springs are per so many units.
const SPRING_LENGTH: f64 = 100.0;
/// A step is halved at most so often before the fit counts as finished.
const HALVINGS: u32 = 8;

/// The logistic function.
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// `-y ln p - (1 - y) ln (1 - p)` for `p = σ(x)`, without overflow.
fn cross_entropy(x: f64, y: f64) -> f64 {
    // ln(1 + e^x) - y x
    let softplus = if x > 0.0 { x + (-x).exp().ln_1p() } else { x.exp().ln_1p() };
    softplus - y * x
}

/// What each row should give.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// Share of the result; the rest is the score of the search.
    pub result_share: f64,
    /// K of the scores.
    pub score_scale: f64,
}

impl Target {
    fn of(&self, row: &Row<'_>) -> f64 {
        let score = sigmoid(self.score_scale * f64::from(row.score));
        self.result_share.mul_add(f64::from(row.result) - score, score)
    }
}

/// Sums `f` over all rows, part by part.
fn sum(rows: &Rows, f: impl Fn(Row<'_>) -> f64 + Sync) -> f64 {
    let parts: Vec<f64> = (0..PARTS)
        .into_par_iter()
        .map(|part| {
            (part * rows.len() / PARTS..(part + 1) * rows.len() / PARTS).map(|i| f(rows.row(i))).sum()
        })
        .collect();
    parts.iter().sum()
}

/// Mean cross-entropy of results, or of targets, under a fit.
pub fn loss(rows: &Rows, weights: &[f64], k: f64, target: impl Fn(&Row<'_>) -> f64 + Sync) -> f64 {
    sum(rows, |row| cross_entropy(k * row.value(weights), target(&row))) / rows.len().max(1) as f64
}

/// The K under which `value` foretells the results best, by the golden section on its logarithm.
pub fn fit_scale(rows: &Rows, value: impl Fn(&Row<'_>) -> f64 + Sync) -> f64 {
    let loss = |log_k: f64| sum(rows, |row| cross_entropy(log_k.exp() * value(&row), f64::from(row.result)));
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (K_RANGE.0.ln(), K_RANGE.1.ln());
    let (mut a, mut b) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut loss_a, mut loss_b) = (loss(a), loss(b));
    for _ in 0..K_ITERATIONS {
        if high - low < 1e-6 {
            break;
        }
        if loss_a < loss_b {
            (high, b, loss_b) = (b, a, loss_a);
            a = high - ratio * (high - low);
            loss_a = loss(a);
        } else {
            (low, a, loss_a) = (a, b, loss_b);
            b = low + ratio * (high - low);
            loss_b = loss(b);
        }
    }
    f64::midpoint(low, high).exp()
}

/// A fit in progress.
#[derive(Debug)]
pub struct Fit<'r> {
    rows: &'r Rows,
    k: f64,
    target: Target,
    /// Strength of the springs.
    spring: f64,
    origin: Vec<f64>,
    /// The weights, middle game and end game in turn.
    pub weights: Vec<f64>,
    objective: f64,
}

impl<'r> Fit<'r> {
    /// Begins at `weights`, where the springs are at rest.
    pub fn new(rows: &'r Rows, weights: Vec<f64>, k: f64, target: Target, spring: f64) -> Self {
        let mut fit =
            Self { rows, k, target, spring, origin: weights.clone(), weights, objective: f64::INFINITY };
        fit.objective = fit.objective_at(&fit.weights);
        fit
    }

    /// Loss and springs together.
    fn objective_at(&self, weights: &[f64]) -> f64 {
        let stretched: f64 =
            weights.iter().zip(&self.origin).map(|(new, old)| ((new - old) / SPRING_LENGTH).powi(2)).sum();
        loss(self.rows, weights, self.k, |row| self.target.of(row)) + self.spring * stretched
    }

    /// One step of Newton's method, halved until it helps. False when nothing helps any more.
    pub fn step(&mut self) -> bool {
        let (gradient, hessian) = self.derivatives();
        let Some(direction) = solve(hessian, &gradient) else { return false };
        let mut share = 1.0;
        for _ in 0..HALVINGS {
            let weights: Vec<f64> =
                self.weights.iter().zip(&direction).map(|(weight, step)| weight - share * step).collect();
            let objective = self.objective_at(&weights);
            if objective < self.objective {
                let gain = self.objective - objective;
                self.weights = weights;
                self.objective = objective;
                return gain > 1e-9;
            }
            share /= 2.0;
        }
        false
    }

    /// Gradient and Hessian (lower triangle, rows of full length) of the objective.
    fn derivatives(&self) -> (Vec<f64>, Vec<f64>) {
        let n = self.weights.len();
        let parts: Vec<(Vec<f64>, Vec<f64>)> = (0..PARTS)
            .into_par_iter()
            .map(|part| {
                let (mut gradient, mut hessian) = (vec![0.0; n], vec![0.0; n * n]);
                let mut entries = Vec::new();
                for number in part * self.rows.len() / PARTS..(part + 1) * self.rows.len() / PARTS {
                    let row = self.rows.row(number);
                    let p = sigmoid(self.k * row.value(&self.weights));
                    let slope = self.k * (p - self.target.of(&row));
                    let curvature = self.k * self.k * p * (1.0 - p);
                    entries.clear();
                    let (mg, eg) = (f64::from(row.phase), f64::from(1.0 - row.phase));
                    for &(index, count) in row.counts {
                        let at = 2 * usize::from(index);
                        entries.push((at, f64::from(count) * mg));
                        entries.push((at + 1, f64::from(count) * eg));
                    }
                    for &(i, x) in &entries {
                        gradient[i] += slope * x;
                        let line = &mut hessian[i * n..(i + 1) * n];
                        let x = curvature * x;
                        for &(j, y) in entries.iter().filter(|(j, _)| *j <= i) {
                            line[j] += x * y;
                        }
                    }
                }
                (gradient, hessian)
            })
            .collect();
        let mean = 1.0 / self.rows.len().max(1) as f64;
        let pull = 2.0 * self.spring / SPRING_LENGTH.powi(2);
        let mut gradient: Vec<f64> =
            self.weights.iter().zip(&self.origin).map(|(new, old)| pull * (new - old)).collect();
        let mut hessian = vec![0.0; n * n];
        (0..n).for_each(|i| hessian[i * n + i] = pull);
        for (part_gradient, part_hessian) in parts {
            gradient.iter_mut().zip(part_gradient).for_each(|(sum, part)| *sum += mean * part);
            hessian.iter_mut().zip(part_hessian).for_each(|(sum, part)| *sum += mean * part);
        }
        (gradient, hessian)
    }
}

/// Solves `a x = b` for a positive definite `a`, of which the lower triangle is given, by Cholesky's decomposition; `None` if it is none.
fn solve(mut a: Vec<f64>, b: &[f64]) -> Option<Vec<f64>> {
    let n = b.len();
    for i in 0..n {
        let (above, line) = a.split_at_mut(i * n);
        for j in 0..=i {
            let other = if j < i { &above[j * n..j * n + j] } else { &[] };
            let dot: f64 = if j < i {
                line[..j].iter().zip(other).map(|(x, y)| x * y).sum()
            } else {
                line[..i].iter().map(|x| x * x).sum()
            };
            let rest = line[j] - dot;
            line[j] = if j < i {
                rest / above[j * n + j]
            } else if rest > 0.0 {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    let mut x = b.to_vec();
    for i in 0..n {
        let dot: f64 = a[i * n..i * n + i].iter().zip(&x).map(|(l, x)| l * x).sum();
        x[i] = (x[i] - dot) / a[i * n + i];
    }
    for i in (0..n).rev() {
        x[i] /= a[i * n + i];
        let done = x[i];
        (0..i).for_each(|j| x[j] -= a[i * n + j] * done);
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    use search::linear::Linear;

    use super::*;

    /// Random rows over four weights, with results by chance from the evaluation with the weights `truth`.
    fn rows(truth: &[f64; 8], k: f64, count: usize) -> Rows {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut uniform = || f64::from(rng.next_u32()) / 2f64.powi(32);
        let mut rows = Rows::default();
        for _ in 0..count {
            let counts = (0..4).map(|index| (index, (uniform() * 7.0).floor() as f32 - 3.0)).collect();
            let linear = Linear { counts, phase: uniform() as f32 };
            let mut single = Rows::default();
            single.push(&linear, 0.0, 0.0);
            let value = single.row(0).value(truth);
            let result = if uniform() < sigmoid(k * value) { 1.0 } else { 0.0 };
            rows.push(&linear, result, value as f32);
        }
        rows
    }

    const TRUTH: [f64; 8] = [100.0, 40.0, -30.0, 60.0, 15.0, 0.0, 250.0, 200.0];
    const K: f64 = 0.005;

    #[test]
    fn the_scale_is_recovered() {
        let rows = rows(&TRUTH, K, 40_000);
        let k = fit_scale(&rows, |row| row.value(&TRUTH));
        assert!((k / K - 1.0).abs() < 0.03, "{k}");
    }

    #[test]
    fn known_weights_are_recovered() {
        let rows = rows(&TRUTH, K, 60_000);
        let start = vec![50.0; 8];
        for (result_share, tolerance) in [(1.0, 12.0), (0.0, 0.1)] {
            let target = Target { result_share, score_scale: K };
            let mut fit = Fit::new(&rows, start.clone(), K, target, 1e-9);
            let before = fit.objective;
            while fit.step() {}
            assert!(fit.objective < before);
            for (found, truth) in fit.weights.iter().zip(TRUTH) {
                assert!((found - truth).abs() < tolerance, "{:?}", fit.weights);
            }
        }
    }

    #[test]
    fn springs_hold_what_the_data_say_nothing_about() {
        let rows = rows(&TRUTH, K, 2000);
        let target = Target { result_share: 1.0, score_scale: K };
        // A fifth weight that stands in no row.
        let mut fit = Fit::new(&rows, vec![7.0; 10], K, target, 1e-6);
        while fit.step() {}
        assert!((fit.weights[8] - 7.0).abs() < 1e-9 && (fit.weights[9] - 7.0).abs() < 1e-9);
        // Strong springs hold everything.
        let mut fit = Fit::new(&rows, vec![7.0; 8], K, target, 1e6);
        while fit.step() {}
        assert!(fit.weights.iter().all(|weight| (weight - 7.0).abs() < 0.01), "{:?}", fit.weights);
    }

    #[test]
    fn cross_entropy_is_that_of_the_textbook() {
        for x in [-700.0, -3.0, 0.0, 0.4, 5.0_f64] {
            for y in [0.0, 0.3, 1.0] {
                let p = sigmoid(x);
                let plain = -y * p.max(1e-300).ln() - (1.0 - y) * (1.0 - p).max(1e-300).ln();
                assert!(
                    (cross_entropy(x, y) - plain).abs()
                        < 1e-6 * (1.0 + plain.abs()) + 1e3 * f64::from(x < -600.0)
                );
            }
        }
        assert!((cross_entropy(0.0, 0.5) - 2f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn a_system_is_solved() {
        // By hand: [[4, 2], [2, 3]] · [1, 2] = [8, 8].
        let x = solve(vec![4.0, 0.0, 2.0, 3.0], &[8.0, 8.0]).expect("positive definite");
        assert!((x[0] - 1.0).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12);
        assert!(solve(vec![1.0, 0.0, 2.0, 1.0], &[1.0, 1.0]).is_none());
    }
}
