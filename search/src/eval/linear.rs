//! The hand-written evaluation as what it is: a linear function of its weights, for tuners.
//!
//! ```text
//! evaluation = Σ count · (middle game weight · phase + end game weight · (1 - phase))
//! ```
//!
//! Counts are seen from the side to move, less those of the opponent. They hold what does not depend on the weights: the unit of a term
//! and the divisor of drawish material, of which only the sign of the score decides whose material counts.

use super::psqt::{MAX_PHASE, Sums, half};
use super::terms::{Tally, Term, Terms, divisor, survey};
use super::weights::{MATERIAL, PLACES, TERMS};
use movegen::{Color, Piece, PieceKind, Position, Square};

/// Squares of half a board.
const HALF: usize = 50;
/// Weights of pieces on squares, kind by kind in the order of [`PieceKind`], ten rows of five from rank 9 down.
pub const PLACE_WEIGHTS: usize = HALF * PieceKind::COUNT;
/// All weights: those of places, then those of terms.
pub const WEIGHTS: usize = PLACE_WEIGHTS + Term::COUNT;

/// Names of the terms, in order.
pub fn term_names() -> impl Iterator<Item = String> {
    Term::ALL.into_iter().map(|term| format!("{term:?}"))
}

/// The weights in force, middle game and end game; those of places include the material.
pub fn weights() -> Vec<[i32; 2]> {
    let mut weights = Vec::with_capacity(WEIGHTS);
    for (material, [mg, eg]) in MATERIAL.iter().zip(&PLACES) {
        let squares = mg.as_flattened().iter().zip(eg.as_flattened());
        weights.extend(squares.map(|(mg, eg)| [material.mg + mg, material.eg + eg]));
    }
    weights.extend(TERMS.iter().map(|term| [term.mg, term.eg]));
    weights
}

/// Material by kind, middle game and end game.
pub fn material() -> [[i32; 2]; PieceKind::COUNT] {
    MATERIAL.map(|material| [material.mg, material.eg])
}

/// The place in [`weights`] of a piece on a square.
pub fn place_weight(piece: Piece, square: Square) -> usize {
    let square = if piece.color() == Color::Red { square } else { square.flip() };
    let (row, file) = half(square);
    HALF * piece.kind().index() + 5 * row + file
}

/// A position as the evaluation sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct Linear {
    /// Weights that count, with their counts. Each weight stands once.
    pub counts: Vec<(u16, f32)>,
    /// Share of the middle game, 0 to 1.
    pub phase: f32,
}

impl Linear {
    /// The counts of a position.
    pub fn of(position: &Position) -> Self {
        let terms = Terms::of(position, &Sums::of(position));
        let mut counts = Counts([0; WEIGHTS]);
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                let sign = if piece.color() == Color::Red { 1 } else { -1 };
                counts.0[place_weight(piece, square)] += sign;
            }
        }
        survey(position, &mut counts);
        let view = if position.side_to_move() == Color::Red { 1.0 } else { -1.0 };
        let scale = view / divisor(position, terms.red()) as f32;
        let unit = |index: usize| index.checked_sub(PLACE_WEIGHTS).map_or(1, |term| Term::ALL[term].unit());
        let mut found: Vec<(u16, f32)> = counts
            .0
            .iter()
            .enumerate()
            .filter(|(_, count)| **count != 0)
            .map(|(index, &count)| (index as u16, count as f32 * scale / unit(index) as f32))
            .collect();
        found.push(((PLACE_WEIGHTS + Term::Tempo as usize) as u16, 1.0));
        Self { counts: found, phase: terms.phase() as f32 / MAX_PHASE as f32 }
    }

    /// The evaluation with these weights, in its own units, from the side to move's view.
    pub fn value(&self, weights: &[[f32; 2]]) -> f32 {
        let taper = |[mg, eg]: [f32; 2]| mg.mul_add(self.phase, eg * (1.0 - self.phase));
        self.counts.iter().map(|&(index, count)| count * taper(weights[usize::from(index)])).sum()
    }
}

struct Counts([i32; WEIGHTS]);

impl Tally for Counts {
    fn count(&mut self, term: Term, color: Color, count: i32) {
        self.0[PLACE_WEIGHTS + term as usize] += if color == Color::Red { count } else { -count };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate_by_hand;

    /// The evaluation in whole numbers cuts off a few fractions on its way.
    #[test]
    fn counts_times_weights_are_the_evaluation() {
        let weights: Vec<[f32; 2]> = weights().iter().map(|pair| pair.map(|weight| weight as f32)).collect();
        let mut state = 5_u64;
        let mut checked = 0;
        for _ in 0..40 {
            let mut position = Position::startpos();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Captures first, so that the board empties.
                let captures = moves.iter().copied().filter(|mv| position.piece_at(mv.to()).is_some());
                let captures: Vec<_> = captures.collect();
                let from = if captures.is_empty() || state >> 60 < 8 { &moves[..] } else { &captures };
                position.make_move(from[(state >> 33) as usize % from.len()]);
                let (linear, exact) = (Linear::of(&position).value(&weights), evaluate_by_hand(&position));
                assert!((linear - exact as f32).abs() < 4.0, "{linear} is not {exact}: {position:?}");
                checked += 1;
            }
        }
        assert!(checked > 3000);
    }

    #[test]
    fn the_start_position_is_even_but_for_the_move() {
        let linear = Linear::of(&Position::startpos());
        assert_eq!(linear.counts, [((PLACE_WEIGHTS + Term::Tempo as usize) as u16, 1.0)]);
        assert!((linear.phase - 1.0).abs() < 1e-6);
        assert_eq!(term_names().count() + PLACE_WEIGHTS, weights().len());
    }
}
