//! Forward and backward pass: where the time goes.
//!
//! The inner loops run over tiles of 64 hidden units whose sums stay in registers while the rows of the inputs go by. They are
//! plain loops, compiled for the vector instructions of the machine by `pulp`.

use super::model::{Layout, TILE};
use crate::data::{MAX_PIECES, Sample};
use arrayvec::ArrayVec;
use movegen::PieceKind;
use search::nnue::{BUCKETS, INPUTS, OUTPUT_SCALE, bucket};

type Tile = [f32; TILE];

/// A sample as it is drawn for a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    pub(super) sample: Sample,
    /// Whether it is mirrored left to right.
    pub(super) mirrored: bool,
}

/// What is minimised.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Target {
    /// Share of the game's result in the label; the rest is the search's score.
    pub(super) result_share: f32,
}

impl Target {
    /// The points the side to move is expected to make, 0 to 1.
    fn of(self, sample: &Sample) -> f32 {
        let score = sigmoid(f32::from(sample.score) / OUTPUT_SCALE as f32);
        let result = f32::from(sample.half_points) / 2.0;
        score + self.result_share * (result - score)
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The rows a sample sets in the view of the side to move and in the opponent's, counted from the shared ones on.
#[derive(Default)]
struct Inputs {
    views: [ArrayVec<u16, MAX_PIECES>; 2],
    /// The output bucket.
    bucket: usize,
}

impl Inputs {
    fn set(&mut self, drawn: &Drawn) {
        let [own, other] = &mut self.views;
        let (mut rooks, mut horses_and_cannons) = (0, 0);
        own.clear();
        other.clear();
        let mut kings = [0; 2];
        for (code, square) in drawn.sample.position.codes() {
            let (rank, file) = (u16::from(square / 9), u16::from(square % 9));
            let file = if drawn.mirrored { 8 - file } else { file };
            let swapped = if code < 7 { code + 7 } else { code - 7 };
            let (seen, turned) = (rank * 9 + file, (9 - rank) * 9 + file);
            own.push(u16::from(code) * 90 + seen);
            other.push(u16::from(swapped) * 90 + turned);
            match PieceKind::ALL[usize::from(code.min(swapped))] {
                PieceKind::King if code < swapped => kings[0] = seen,
                PieceKind::King => kings[1] = turned,
                PieceKind::Rook => rooks += 1,
                PieceKind::Horse | PieceKind::Cannon => horses_and_cannons += 1,
                _ => {}
            }
        }
        self.bucket = bucket(rooks, horses_and_cannons);
        for (inputs, king) in self.views.iter_mut().zip(kings) {
            let (rank, file) = (king / 9, king % 9);
            let first = INPUTS as u16 * (1 + rank * 2 + u16::from(file != 4));
            for input in inputs {
                let square = *input % 90;
                let seen = if file > 4 { square / 9 * 9 + 8 - square % 9 } else { square };
                *input = first + *input - square + seen;
            }
        }
    }
}

/// Working memory for one sample after the other.
struct Scratch {
    inputs: Inputs,
    /// Hidden sums of both views before the activation.
    sums: [Vec<Tile>; 2],
    /// Their gradients.
    slopes: [Vec<Tile>; 2],
}

impl Scratch {
    fn new(layout: Layout) -> Self {
        let tiles = || vec![[0.0; TILE]; layout.hidden / TILE];
        Self { inputs: Inputs::default(), sums: [tiles(), tiles()], slopes: [tiles(), tiles()] }
    }
}

/// The sum of the squared errors of some samples, with expanded parameters as everywhere here.
pub(super) fn loss(layout: Layout, params: &[f32], target: Target, samples: &[Drawn]) -> f64 {
    pulp::Arch::new().dispatch(|| run(layout, params, target, samples, &mut []))
}

/// As [`loss`]; adds the gradient of the sum to `gradient`, which is laid out like the parameters.
pub(super) fn accumulate(
    layout: Layout,
    params: &[f32],
    target: Target,
    samples: &[Drawn],
    gradient: &mut [f32],
) -> f64 {
    pulp::Arch::new().dispatch(|| run(layout, params, target, samples, gradient))
}

/// The output for one sample, in units of the sigmoid.
pub(super) fn output(layout: Layout, params: &[f32], drawn: &Drawn) -> f32 {
    forward(layout, params, drawn, &mut Scratch::new(layout))
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it has to be compiled into the dispatched versions")]
fn run(layout: Layout, params: &[f32], target: Target, samples: &[Drawn], gradient: &mut [f32]) -> f64 {
    let mut scratch = Scratch::new(layout);
    let mut total = 0.0;
    for drawn in samples {
        let points = sigmoid(forward(layout, params, drawn, &mut scratch));
        let error = points - target.of(&drawn.sample);
        total += f64::from(error) * f64::from(error);
        if !gradient.is_empty() {
            let slope = 2.0 * error * points * (1.0 - points);
            backward(layout, params, slope, &mut scratch, gradient);
        }
    }
    total
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it has to be compiled into the dispatched versions")]
fn forward(layout: Layout, params: &[f32], drawn: &Drawn, scratch: &mut Scratch) -> f32 {
    scratch.inputs.set(drawn);
    let bucket = scratch.inputs.bucket;
    let tiles = layout.hidden / TILE;
    let rows = params[layout.hidden_weights()].as_chunks::<TILE>().0;
    let biases = params[layout.hidden_biases()].as_chunks::<TILE>().0;
    let outputs = params[layout.output_weights()].as_chunks::<TILE>().0;
    let mut output = params[layout.output_biases()][bucket];
    let mut parts = [0.0; TILE];
    for (view, sums) in scratch.sums.iter_mut().enumerate() {
        let inputs = &scratch.inputs.views[view];
        for (t, sums) in sums.iter_mut().enumerate() {
            let mut sum = biases[t];
            for &input in inputs {
                let row = &rows[usize::from(input) * tiles + t];
                for i in 0..TILE {
                    sum[i] += row[i];
                }
            }
            let weights = &outputs[(2 * bucket + view) * tiles + t];
            for i in 0..TILE {
                let activation = sum[i].clamp(0.0, 1.0);
                parts[i] += activation * activation * weights[i];
            }
            *sums = sum;
        }
    }
    output += parts.iter().sum::<f32>();
    let places = &params[layout.places()];
    let [own, other] =
        scratch.inputs.views.each_ref().map(|inputs| {
            inputs.iter().map(|&input| places[usize::from(input) * BUCKETS + bucket]).sum::<f32>()
        });
    output + (own - other) / 2.0
}

/// Adds the gradient for one sample, whose forward pass is in `scratch`; `slope` is that of its output.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it has to be compiled into the dispatched versions")]
fn backward(layout: Layout, params: &[f32], slope: f32, scratch: &mut Scratch, gradient: &mut [f32]) {
    let bucket = scratch.inputs.bucket;
    let tiles = layout.hidden / TILE;
    gradient[layout.output_biases()][bucket] += slope;
    let outputs = params[layout.output_weights()].as_chunks::<TILE>().0;
    for view in 0..2 {
        let inputs = &scratch.inputs.views[view];
        let output_gradient = gradient[layout.output_weights()].as_chunks_mut::<TILE>().0;
        for t in 0..tiles {
            let (sums, slopes) = (&scratch.sums[view][t], &mut scratch.slopes[view][t]);
            let weights = &outputs[(2 * bucket + view) * tiles + t];
            let weight_slopes = &mut output_gradient[(2 * bucket + view) * tiles + t];
            for i in 0..TILE {
                let activation = sums[i].clamp(0.0, 1.0);
                weight_slopes[i] += slope * activation * activation;
                let inside = if sums[i] > 0.0 && sums[i] < 1.0 { 2.0 * activation } else { 0.0 };
                slopes[i] = slope * weights[i] * inside;
            }
        }
        let bias_gradient = gradient[layout.hidden_biases()].as_chunks_mut::<TILE>().0;
        for (sum, slopes) in bias_gradient.iter_mut().zip(&scratch.slopes[view]) {
            for i in 0..TILE {
                sum[i] += slopes[i];
            }
        }
        let row_gradient = gradient[layout.hidden_weights()].as_chunks_mut::<TILE>().0;
        for (t, slopes) in scratch.slopes[view].iter().enumerate() {
            for &input in inputs {
                let row = &mut row_gradient[usize::from(input) * tiles + t];
                for i in 0..TILE {
                    row[i] += slopes[i];
                }
            }
        }
        let place_gradient = &mut gradient[layout.places()];
        let place_slope = if view == 0 { slope / 2.0 } else { -slope / 2.0 };
        for &input in inputs {
            place_gradient[usize::from(input) * BUCKETS + bucket] += place_slope;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::model, *};
    use crate::data::{Filter, samples, testing::random_game};

    fn drawn() -> Vec<Drawn> {
        let mut all = Vec::new();
        for number in 0..12 {
            samples(&random_game(number), Filter { max_score: i16::MAX }, |_, sample| {
                all.push(Drawn { sample, mirrored: all.len() % 2 == 1 });
            });
        }
        assert!(all.len() > 100);
        all
    }

    #[test]
    fn the_gradient_agrees_with_finite_differences() {
        let (layout, target, samples) = (Layout { hidden: TILE }, Target { result_share: 0.3 }, drawn());
        let mut params = model::initial(layout, 5);
        // Larger output weights, so that the differences stand out from rounding; smaller hidden ones, so that no sum comes near
        // 1, where the slope jumps.
        for weight in &mut params[layout.output_weights()] {
            *weight *= 4.0;
        }
        for weight in &mut params[layout.hidden_weights()] {
            *weight *= 0.35;
        }
        let expand = |params: &[f32]| {
            let mut expanded = params.to_vec();
            layout.expand(params, &mut expanded);
            expanded
        };
        let mut gradient = vec![0.0; layout.len()];
        accumulate(layout, &expand(&params), target, &samples, &mut gradient);
        layout.gather(&mut gradient);
        let step = 1e-3;
        for (range, stride) in [
            (layout.hidden_weights(), 1511),
            (layout.hidden_biases(), 7),
            (layout.output_weights(), 37),
            (layout.places(), 211),
            (layout.output_biases(), 1),
        ] {
            let mut compared = 0;
            for i in range.clone().step_by(stride) {
                let at = |offset: f32| {
                    let mut moved = params.clone();
                    moved[i] += offset;
                    loss(layout, &expand(&moved), target, &samples)
                };
                let difference = ((at(step) - at(-step)) / (2.0 * f64::from(step))) as f32;
                let tolerance = 0.03 * difference.abs() + 2e-3;
                assert!(
                    (gradient[i] - difference).abs() < tolerance,
                    "parameter {i} of {range:?}: {} by formula, {difference} by differences",
                    gradient[i]
                );
                compared += i32::from(difference.abs() > 1e-2);
            }
            assert!(compared > 3, "{compared} gradients worth comparing in {range:?}");
        }
    }

    #[test]
    fn mirrored_samples_have_mirrored_inputs() {
        let mut beside = 0;
        for drawn in drawn().iter().filter(|drawn| !drawn.mirrored) {
            let mut inputs = [Inputs::default(), Inputs::default()];
            inputs[0].set(drawn);
            inputs[1].set(&Drawn { mirrored: true, ..*drawn });
            let [plain, mirrored] = inputs;
            for (plain, mirrored) in plain.views.iter().zip(&mirrored.views) {
                // With the king in the middle the board turns, with the king beside it the view turns back.
                let in_the_middle = plain[0] / INPUTS as u16 % 2 == 1;
                beside += i32::from(!in_the_middle);
                let mut expected = plain.to_vec();
                if in_the_middle {
                    for input in &mut expected {
                        *input = *input / 9 * 9 + 8 - *input % 9;
                    }
                }
                let mut mirrored = mirrored.to_vec();
                expected.sort_unstable();
                mirrored.sort_unstable();
                assert_eq!(mirrored, expected);
            }
        }
        assert!(beside > 10);
    }

    #[test]
    fn inputs_are_those_of_the_inference() {
        use movegen::Position;
        use search::nnue::Outlook;
        for number in 0..6 {
            samples(&random_game(number), Filter::default(), |position: &Position, sample| {
                let mut inputs = Inputs::default();
                inputs.set(&Drawn { sample, mirrored: false });
                let us = position.side_to_move();
                for (view, color) in [us, !us].into_iter().enumerate() {
                    let mut expected: Vec<usize> =
                        Outlook::of(color, position).inputs(position).map(|input| INPUTS + input).collect();
                    let mut found: Vec<usize> =
                        inputs.views[view].iter().map(|&input| usize::from(input)).collect();
                    expected.sort_unstable();
                    found.sort_unstable();
                    assert_eq!(found, expected, "{color:?} in {position:?}");
                }
            });
        }
    }
}
