//! The network: sparse inputs, one hidden layer of int16 accumulators kept up to date move by move, one output.
//!
//! ```text
//! 1260 inputs ──► 2 × HIDDEN (own view, opponent's view) ──► SCReLU ──► output of the bucket ──┐
//!      └────────► 2 × 8 piece-square values, one a bucket ─────────────► half the difference ──┴─► value
//! ```
//!
//! An input is a piece on a square as one side sees the board; which of six sets of rows it uses, and whether left and right are
//! swapped, goes by the place of the own king (`features`). The output's bucket goes by the pieces that attack. The hidden
//! layer is scaled by 255, the output weights by 256, everything after them by their product. All arithmetic is on integers and
//! the same on every machine: `simd` holds an AVX2 path and its scalar twin.
//!
//! What the search needs of it is `Accumulators`, a stack with one entry a ply that is brought up to date only when a position
//! is evaluated.

mod accumulator;
mod features;
mod file;
mod network;
mod reference;
mod simd;

pub(crate) use accumulator::{Accumulators, Changes};
pub use features::{BUCKETS, INPUTS, KING_BUCKETS, Outlook, ROWS, bucket};
pub use file::{NetworkError, Weights};
pub use network::{HIDDEN, Network};

/// Scale of the hidden layer: an activation of 1.
pub const QA: i32 = 255;
/// Scale of the output weights.
pub const QB: i32 = 256;
/// Units of the evaluation for an output of 1: the scale of the sigmoid in training.
pub const OUTPUT_SCALE: i32 = 400;

#[cfg(test)]
pub(crate) mod testing {
    use super::{HIDDEN, Network, Weights};

    /// A network of random weights of the size trained ones have.
    pub(crate) fn random_network(seed: u32) -> Network {
        Network::new(&random_weights(seed)).expect("weights in range")
    }

    /// Its weights.
    pub(crate) fn random_weights(seed: u32) -> Weights {
        let mut state = seed;
        let mut random = |bound: i32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as i32 % (2 * bound + 1) - bound
        };
        let mut weights = Weights::zero(HIDDEN);
        weights.hidden_weights.iter_mut().for_each(|weight| *weight = random(120) as i16);
        weights.hidden_biases.iter_mut().for_each(|weight| *weight = random(120) as i16);
        weights.output_weights.iter_mut().for_each(|weight| *weight = random(60) as i16);
        weights.output_biases.iter_mut().for_each(|weight| *weight = random(4000));
        weights.places.iter_mut().for_each(|weight| *weight = random(8000));
        weights
    }
}
