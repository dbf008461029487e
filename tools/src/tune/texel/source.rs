//! The fitted numbers as the source has them: the text of `search/src/eval/weights.rs`.

use std::fmt::Write as _;

use movegen::PieceKind;
use search::linear::{PLACE_WEIGHTS, term_names};

/// What stands before the numbers of material, places and terms.
const HEAD: &str = "\
//! The numbers of the hand-written evaluation, in its own units. `xq tune texel` writes this file.

use super::psqt::{HalfBoard, Tapered};
use super::terms::Term;
use movegen::PieceKind;

/// Material of a kind.
#[rustfmt::skip]
pub(super) const MATERIAL: [Tapered; PieceKind::COUNT] = [
";
const PLACES: &str = "\
];

/// What a piece is worth more or less on a square: middle game, then end game.
#[rustfmt::skip]
pub(super) const PLACES: [[HalfBoard; 2]; PieceKind::COUNT] = [
";
const TERMS: &str = "\
];

/// Weights of the terms.
#[rustfmt::skip]
pub(super) const TERMS: [Tapered; Term::COUNT] = [
";

/// Squares of half a board.
const HALF: usize = PLACE_WEIGHTS / PieceKind::COUNT;

/// The material of each kind: the mean of its squares, as often as each is seen. Kings cannot be lost and pawns are worth what their
/// square is, so both have none.
pub fn material(weights: &[[i32; 2]], seen: &[u64]) -> [[i32; 2]; PieceKind::COUNT] {
    PieceKind::ALL.map(|kind| {
        let squares = kind.index() * HALF..(kind.index() + 1) * HALF;
        let total: u64 = seen[squares.clone()].iter().sum();
        if total == 0 || matches!(kind, PieceKind::King | PieceKind::Pawn) {
            return [0, 0];
        }
        [0, 1].map(|phase| {
            let sum: f64 = squares.clone().map(|at| f64::from(weights[at][phase]) * seen[at] as f64).sum();
            (sum / total as f64).round() as i32
        })
    })
}

/// The text of the file. `weights` are those of [`search::linear`]; a square that `is_used` denies gets no value of its own.
pub fn text(
    material: &[[i32; 2]; PieceKind::COUNT],
    weights: &[[i32; 2]],
    is_used: impl Fn(usize) -> bool,
) -> String {
    let mut text = HEAD.to_owned();
    // Writing to a String cannot fail.
    for (kind, [mg, eg]) in PieceKind::ALL.iter().zip(material) {
        let _ = writeln!(text, "    Tapered::new({mg}, {eg}), // {kind:?}");
    }
    text += PLACES;
    for kind in PieceKind::ALL {
        let _ = writeln!(text, "    // {kind:?}\n    [");
        for phase in 0..2 {
            text += "        [\n";
            for row in 0..10 {
                let place = |file: usize| {
                    let at = kind.index() * HALF + 5 * row + file;
                    if is_used(at) { weights[at][phase] - material[kind.index()][phase] } else { 0 }
                };
                let places: Vec<String> = (0..5).map(|file| format!("{:4}", place(file))).collect();
                let _ = writeln!(text, "            [{}],", places.join(", "));
            }
            text += "        ],\n";
        }
        text += "    ],\n";
    }
    text += TERMS;
    for (name, [mg, eg]) in term_names().zip(&weights[PLACE_WEIGHTS..]) {
        let _ = writeln!(text, "    Tapered::new({mg}, {eg}), // {name}");
    }
    text + "];\n"
}

#[cfg(test)]
mod tests {
    use search::linear;

    use super::*;

    #[test]
    fn the_numbers_in_force_are_the_file_that_stands() {
        let source = include_str!("../../../../search/src/eval/weights.rs");
        let written = text(&linear::material(), &linear::weights(), |_| true);
        for (written, source) in written.lines().zip(source.lines()) {
            assert_eq!(written, source);
        }
        assert_eq!(written.len(), source.len());
    }

    #[test]
    fn material_is_the_mean_of_the_squares() {
        let mut weights = linear::weights();
        let mut seen = vec![0; weights.len()];
        let rook = PieceKind::Rook.index() * HALF;
        (weights[rook], weights[rook + 1]) = ([900, 800], [960, 890]);
        (seen[rook], seen[rook + 1]) = (2, 1);
        let material = material(&weights, &seen);
        assert_eq!(material[PieceKind::Rook.index()], [920, 830]);
        assert_eq!(material[PieceKind::Cannon.index()], [0, 0], "never seen");
        let text = text(&material, &weights, |at| seen[at] > 0);
        assert!(text.contains("[ -20,   40,    0,    0,    0],"), "{text}");
    }
}
