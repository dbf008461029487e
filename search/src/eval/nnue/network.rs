//! A network ready for use.

use super::{
    BUCKETS, OUTPUT_SCALE, QA, QB, ROWS,
    accumulator::Accumulator,
    features::bucket_of,
    file::{self, NetworkError, Weights},
    simd::{self, Path},
};
use crate::value::{MAX_STATIC, Value};
use movegen::Position;
use std::sync::{Arc, LazyLock};

/// The network that plays; `docs/network.md` says where it comes from.
static EMBEDDED: &[u8] = include_bytes!("../../../networks/gen8.phnn");

/// Hidden units of one view.
pub const HIDDEN: usize = 256;

/// Hidden units of one view, aligned for vector loads.
#[repr(C, align(64))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Units(pub(super) [i16; HIDDEN]);

/// A piece-square value for each bucket.
#[repr(C, align(32))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Places(pub(super) [i32; BUCKETS]);

/// A network: weights that never change, shared by all threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    description: String,
    pub(super) hidden_weights: Vec<Units>,
    pub(super) hidden_biases: Units,
    /// For each bucket the own view's and the opponent's.
    output_weights: [[Units; 2]; BUCKETS],
    output_biases: [i32; BUCKETS],
    pub(super) places: Vec<Places>,
    pub(super) path: Path,
}

impl Network {
    /// The network of this build; `None` only if its file is damaged, which a test rules out.
    pub fn embedded() -> Option<&'static Arc<Self>> {
        static NETWORK: LazyLock<Option<Arc<Network>>> =
            LazyLock::new(|| Network::from_bytes(EMBEDDED).ok().map(Arc::new));
        NETWORK.as_ref()
    }

    /// Bytes of a file's header.
    pub const HEADER_LEN: usize = file::HEADER_LEN;

    /// Whether a file of `length` bytes that begins with these, at least [`Network::HEADER_LEN`] of them if it has so many, is worth reading.
    ///
    /// # Errors
    /// [`NetworkError`] if it is no network of the right shape, or too short or too long.
    pub fn check_header(bytes: &[u8], length: u64) -> Result<(), NetworkError> {
        file::check_header(bytes, length, HIDDEN)
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// [`NetworkError`] if the bytes are no network, damaged, or a network of another shape.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::new(&Weights::from_bytes(bytes, HIDDEN)?)
    }

    /// A network with these weights.
    ///
    /// # Errors
    /// [`NetworkError`] if there are too many or too few of them, or one is too large.
    pub fn new(weights: &Weights) -> Result<Self, NetworkError> {
        let lengths = (
            weights.hidden_weights.len(),
            weights.hidden_biases.len(),
            weights.output_weights.len(),
            weights.output_biases.len(),
            weights.places.len(),
        );
        if lengths != (ROWS * HIDDEN, HIDDEN, BUCKETS * 2 * HIDDEN, BUCKETS, ROWS * BUCKETS) {
            return Err(NetworkError::Shape {
                rows: ROWS as u32,
                hidden: weights.hidden as u32,
                buckets: BUCKETS as u32,
                needed_rows: ROWS as u32,
                needed_hidden: HIDDEN as u32,
                needed_buckets: BUCKETS as u32,
            });
        }
        weights.check()?;
        let units = |slice: &[i16]| Units(core::array::from_fn(|i| slice[i]));
        let views = |slice: &[i16]| [units(&slice[..HIDDEN]), units(&slice[HIDDEN..])];
        Ok(Self {
            description: weights.description.clone(),
            hidden_weights: weights.hidden_weights.chunks_exact(HIDDEN).map(units).collect(),
            hidden_biases: units(&weights.hidden_biases),
            output_weights: core::array::from_fn(|i| {
                views(&weights.output_weights[2 * HIDDEN * i..2 * HIDDEN * (i + 1)])
            }),
            output_biases: core::array::from_fn(|i| weights.output_biases[i]),
            places: weights
                .places
                .chunks_exact(BUCKETS)
                .map(|slice| Places(core::array::from_fn(|i| slice[i])))
                .collect(),
            path: Path::detect(),
        })
    }

    /// What the network was trained from, for people.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The same network computed without vector instructions: slower, and the same to the last bit.
    #[must_use]
    pub fn scalar(mut self) -> Self {
        self.path = Path::Scalar;
        self
    }

    /// The value of a position in units of the evaluation from the side to move's view, computed from scratch.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let accumulator = Accumulator::of(self, position);
        self.output(&accumulator, position)
    }

    /// The value of a position, from the side to move's view, whose accumulator this is.
    pub(super) fn output(&self, accumulator: &Accumulator, position: &Position) -> Value {
        let (us, bucket) = (position.side_to_move(), bucket_of(position));
        let (own, other) = (&accumulator.views[us.index()], &accumulator.views[(!us).index()]);
        let weights = &self.output_weights[bucket];
        let sum = simd::activate(self.path, &own.units, &weights[0])
            + simd::activate(self.path, &other.units, &weights[1]);
        let places = i64::from(own.places.0[bucket] - other.places.0[bucket]) / 2;
        let total = sum / i64::from(QA) + i64::from(self.output_biases[bucket]) + places;
        let value = total * i64::from(OUTPUT_SCALE) / i64::from(QA * QB);
        (value as Value).clamp(-MAX_STATIC, MAX_STATIC)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_network_can_be_used_and_knows_what_pieces_are_worth() {
        Network::from_bytes(EMBEDDED).expect("a whole network of the right shape");
        let value = |fen: &str| crate::eval::evaluate(&Position::from_fen(fen).expect("a valid FEN"));
        assert!(value("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1").abs() < 150);
        // Without a rook, with Red and with Black to move.
        assert!(value("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w - - 0 1") < -400);
        assert!(value("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR b - - 0 1") > 400);
    }
}
