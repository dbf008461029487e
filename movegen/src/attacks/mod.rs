//! How pieces attack: the only place that knows how a piece moves.
//!
//! Every function takes the occupied squares and returns squares without looking at whose pieces stand there: the caller
//! keeps those it wants (empty squares for quiet moves, enemy squares for captures). Whether a move leaves the mover's
//! king attacked is decided in `position`.

mod leapers;
mod sliders;

pub use leapers::{
    advisor, advisor_sources, elephant, elephant_sources, horse, horse_leg, horse_sources, king, palace,
    pawn, pawn_sources,
};
pub(crate) use leapers::{check_zone, horse_jumps};
pub use sliders::{between, cannon_captures, cannon_targets, cross, rook};
