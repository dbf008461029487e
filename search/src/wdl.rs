//! From values to chances of winning, drawing and losing.

use crate::value::{EVEN_CHANCE, LAW_BOUND, LIKELY, Value};

/// How fast the chance grows around [`EVEN_CHANCE`]; fitted with it.
const SPREAD: f64 = 198.0;
/// What a win by the law that is not proven yet counts for: the opponent may still find another move.
const UNPROVEN: Value = 800;

/// Win, draw and loss per mille from the side to move's view; they add up to 1000.
pub(crate) fn wdl(value: Value) -> (u16, u16, u16) {
    let value = if value.abs() < LAW_BOUND {
        value
    } else if value.abs() <= LIKELY {
        UNPROVEN * value.signum()
    } else {
        return if value > 0 { (1000, 0, 0) } else { (0, 0, 1000) };
    };
    let chance =
        |value: Value| (1000.0 / (1.0 + ((f64::from(EVEN_CHANCE - value)) / SPREAD).exp())).round() as u16;
    let (win, loss) = (chance(value), chance(-value));
    (win, 1000 - win - loss, loss)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::LAW;

    #[test]
    fn chances_add_up_and_are_symmetric() {
        for value in [-29_990, -500, -190, 0, 35, 328, 2_000, 28_400] {
            let (win, draw, loss) = wdl(value);
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(wdl(-value), (loss, draw, win));
        }
        assert_eq!(wdl(EVEN_CHANCE).0, 500);
        assert_eq!((wdl(LAW - 9), wdl(9 - LAW)), ((1000, 0, 0), (0, 0, 1000)));
        assert_eq!(wdl(LIKELY - 9), wdl(UNPROVEN), "not proven");
    }
}
