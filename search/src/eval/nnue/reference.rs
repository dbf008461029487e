//! The network's arithmetic written down once more, for any size and without any cleverness: what tests and the trainer compare
//! the fast one with.

use super::{BUCKETS, OUTPUT_SCALE, Outlook, QA, QB, Weights, features::bucket_of};
use movegen::{Color, Position};

impl Weights {
    /// The value of a position in units of the evaluation from the side to move's view: the same as a network of these weights gives, slowly.
    ///
    /// # Panics
    /// If the weights are not as many as the shape asks for.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let us = position.side_to_move();
        let bucket = bucket_of(position);
        let mut total = i64::from(self.output_biases[bucket]);
        let mut sum = 0;
        for (i, view) in [us, !us].into_iter().enumerate() {
            let inputs: Vec<usize> = Outlook::of(view, position).inputs(position).collect();
            for unit in 0..self.hidden {
                let weights =
                    inputs.iter().map(|input| i64::from(self.hidden_weights[input * self.hidden + unit]));
                let value = i64::from(self.hidden_biases[unit]) + weights.sum::<i64>();
                let activation = value.clamp(0, i64::from(QA));
                let weight = self.output_weights[(2 * bucket + i) * self.hidden + unit];
                sum += activation * activation * i64::from(weight);
            }
        }
        let places = |view: Color| -> i64 {
            let inputs = Outlook::of(view, position).inputs(position);
            inputs.map(|input| i64::from(self.places[input * BUCKETS + bucket])).sum()
        };
        total += sum / i64::from(QA) + (places(us) - places(!us)) / 2;
        (total * i64::from(OUTPUT_SCALE) / i64::from(QA * QB)) as i32
    }
}
