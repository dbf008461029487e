//! From centipawns to chances of winning, drawing and losing.

use crate::value::{LAW_BOUND, Value};

/// Centipawns at which winning and not winning are equally likely.
const HALF: f64 = 190.0;
/// How fast the chance grows around that point.
const SPREAD: f64 = 95.0;

/// Win, draw and loss per mille from the side to move's view; they add up to 1000.
pub(crate) fn wdl(value: Value) -> (u16, u16, u16) {
    if value >= LAW_BOUND {
        return (1000, 0, 0);
    }
    if value <= -LAW_BOUND {
        return (0, 0, 1000);
    }
    let chance = |value: Value| (1000.0 / (1.0 + ((HALF - f64::from(value)) / SPREAD).exp())).round() as u16;
    let (win, loss) = (chance(value), chance(-value));
    (win, 1000 - win - loss, loss)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_are_symmetric() {
        for value in [-29_990, -500, -190, 0, 35, 190, 2_000, 28_400] {
            let (win, draw, loss) = wdl(value);
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(wdl(-value), (loss, draw, win));
        }
        assert_eq!(wdl(190).0, 500);
    }
}
