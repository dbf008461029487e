//! The network in floating point: one vector of parameters and where each kind of them lies in it.
//!
//! The rows of a king bucket are the sum of rows that all buckets share and of its own, so that what is learnt with the king in one
//! place counts for the others ("virtual" features of the training of Stockfish's networks). Both are parameters; the shared ones
//! come first. [`Layout::expand`] adds them up for the passes through the network, [`Layout::gather`] leads the gradient back.

use core::ops::Range;
use movegen::{PieceKind, see_value};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};
use search::nnue::{BUCKETS, INPUTS, KING_BUCKETS, OUTPUT_SCALE, QA, QB, ROWS, Weights};

/// Hidden units are handled so many at a time; a network has a multiple of it.
pub(super) const TILE: usize = 64;
/// Parameters that a thread goes through at a time.
pub(super) const CHUNK: usize = 1 << 14;
/// Bound of the hidden weights.
pub(super) const MAX_HIDDEN: f32 = 1.98;
/// Bound of the output weights: the largest the inference can multiply in 16 bits.
pub(super) const MAX_OUTPUT: f32 = 127.0 / QB as f32;
/// Pieces on the board that set the inputs of a view, on average: for the size of the first weights.
const USUAL_PIECES: f32 = 22.0;

/// Where the parameters lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// Hidden units of one view.
    pub(super) hidden: usize,
}

impl Layout {
    /// `[1 + king buckets][inputs][hidden]`
    pub(super) const fn hidden_weights(self) -> Range<usize> {
        0..(INPUTS + ROWS) * self.hidden
    }

    /// `[hidden]`
    pub(super) const fn hidden_biases(self) -> Range<usize> {
        let start = self.hidden_weights().end;
        start..start + self.hidden
    }

    /// `[buckets][2 × hidden]`
    pub(super) const fn output_weights(self) -> Range<usize> {
        let start = self.hidden_biases().end;
        start..start + BUCKETS * 2 * self.hidden
    }

    /// `[1 + king buckets][inputs][buckets]`
    pub(super) const fn places(self) -> Range<usize> {
        let start = self.output_weights().end;
        start..start + (INPUTS + ROWS) * BUCKETS
    }

    /// `[buckets]`
    pub(super) const fn output_biases(self) -> Range<usize> {
        let start = self.places().end;
        start..start + BUCKETS
    }

    /// All of them.
    pub(super) const fn len(self) -> usize {
        self.output_biases().end
    }

    /// Where rows of so many numbers begin in a part of the parameters, and the length of one set of them.
    fn shared_parts(self) -> [(Range<usize>, usize); 2] {
        [(self.hidden_weights(), INPUTS * self.hidden), (self.places(), INPUTS * BUCKETS)]
    }

    /// Adds the shared rows to those of each king bucket.
    pub(super) fn expand(self, params: &[f32], expanded: &mut [f32]) {
        expanded.copy_from_slice(params);
        for (range, len) in self.shared_parts() {
            let (shared, own) = expanded[range].split_at_mut(len);
            own.par_chunks_exact_mut(len).for_each(|set| {
                for (sum, shared) in set.iter_mut().zip(&*shared) {
                    *sum += shared;
                }
            });
        }
    }

    /// Gives the shared rows the sum of the gradients of the buckets' rows.
    pub(super) fn gather(self, gradient: &mut [f32]) {
        for (range, len) in self.shared_parts() {
            let (shared, own) = gradient[range].split_at_mut(len);
            shared.par_chunks_mut(CHUNK).enumerate().for_each(|(i, shared)| {
                shared.fill(0.0);
                for set in own.chunks_exact(len) {
                    for (sum, slope) in shared.iter_mut().zip(&set[i * CHUNK..]) {
                        *sum += slope;
                    }
                }
            });
        }
    }
}

/// Parameters to begin with: small random weights, and piece-square values that know the pieces' worth.
pub(super) fn initial(layout: Layout, seed: u64) -> Vec<f32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut uniform = |bound: f32| bound * ((rng.next_u32() >> 8) as f32 / (1 << 23) as f32 - 1.0);
    let mut params = vec![0.0; layout.len()];
    for weight in &mut params[..INPUTS * layout.hidden] {
        *weight = uniform(1.0 / USUAL_PIECES.sqrt());
    }
    for weight in &mut params[layout.output_weights()] {
        *weight = uniform(0.5 / (2.0 * layout.hidden as f32).sqrt());
    }
    for bias in &mut params[layout.hidden_biases()] {
        *bias = 0.1;
    }
    let places = &mut params[layout.places()];
    for (input, row) in places.chunks_exact_mut(BUCKETS).take(INPUTS).enumerate() {
        let piece = input / 90;
        let kind = PieceKind::ALL[piece % PieceKind::COUNT];
        let worth = if kind == PieceKind::King { 0 } else { see_value(kind) };
        let sign = if piece < PieceKind::COUNT { 1.0 } else { -1.0 };
        row.fill(sign * worth as f32 / OUTPUT_SCALE as f32);
    }
    params
}

/// Rounds expanded parameters to the integers the inference works with.
pub(super) fn quantise(layout: Layout, params: &[f32], description: String) -> Weights {
    let own = |range: Range<usize>| range.start + range.len() / (1 + KING_BUCKETS)..range.end;
    let short = |range: Range<usize>, scale: i32, bound: f32| -> Vec<i16> {
        params[range]
            .iter()
            .map(|weight| (weight * scale as f32).round().clamp(-bound, bound) as i16)
            .collect()
    };
    let long = |range: Range<usize>| -> Vec<i32> {
        params[range].iter().map(|weight| (weight * (QA * QB) as f32).round() as i32).collect()
    };
    Weights {
        description,
        hidden: layout.hidden,
        hidden_weights: short(own(layout.hidden_weights()), QA, MAX_HIDDEN * QA as f32),
        hidden_biases: short(layout.hidden_biases(), QA, MAX_HIDDEN * QA as f32),
        output_weights: short(layout.output_weights(), QB, 127.0),
        output_biases: long(layout.output_biases()),
        places: long(own(layout.places())),
    }
}
