//! Scores inside the search and across the crate's border.

use crate::report::Score;

/// A score in the search's own units from the side to move's view; beyond [`MATE_BOUND`] it counts plies to a mate.
///
/// The unit is that of the network and of the material values, 400 of them a factor e in the odds of the points. Outside scores are
/// centipawns, of which a hundred make a win an even chance: see [`centipawns`].
pub(crate) type Value = i32;

/// The value at which a side wins as often as not.
///
/// Fitted to the scores of games of Phao against itself; `docs/network.md` says to which.
pub(crate) const EVEN_CHANCE: Value = 328;

/// Deepest distance from the root, in plies.
pub(crate) const MAX_PLY: usize = 240;
/// The score of having mated at the root; a mate in `n` plies is worth `MATE - n`.
pub(crate) const MATE: Value = 30_000;
/// Beyond every reachable score.
pub(crate) const INFINITE: Value = 31_000;
/// Marks "no value" in the table and in frames.
pub(crate) const NONE: Value = 32_000;
/// Scores at or beyond this are mates.
pub(crate) const MATE_BOUND: Value = MATE - 2 * MAX_PLY as Value;
/// A win by the repetition law `n` plies from the root is worth `LAW - n`: above every evaluation, below every mate.
pub(crate) const LAW: Value = 28_500;
/// A win by the law that is not proven yet: the opponent is the only offender of one lap.
pub(crate) const LIKELY: Value = 27_500;
/// Scores at or beyond this are wins or losses, by mate or by the law.
pub(crate) const LAW_BOUND: Value = LIKELY - 2 * MAX_PLY as Value;
/// Static evaluations stay within this.
pub(crate) const MAX_STATIC: Value = LAW_BOUND - 1;
/// A draw.
pub(crate) const DRAW: Value = 0;

/// The score of the side to move when it is mated or stalemated `ply` plies from the root.
pub(crate) const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// The score of a mate `ply` plies from the root.
pub(crate) const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// Whether a score is a forced win or loss, by mate or by the law.
pub(crate) const fn is_decisive(value: Value) -> bool {
    value.abs() >= LAW_BOUND
}

/// Whether a score is a win or loss by the repetition law.
pub(crate) const fn is_by_law(value: Value) -> bool {
    LAW_BOUND <= value.abs() && value.abs() < MATE_BOUND
}

/// Mate scores count from the root in the search and from the position itself in the table.
pub(crate) const fn to_table(value: Value, ply: usize) -> Value {
    if value >= MATE_BOUND {
        value + ply as Value
    } else if value <= -MATE_BOUND {
        value - ply as Value
    } else {
        value
    }
}

/// The reverse of [`to_table`].
pub(crate) const fn from_table(value: Value, ply: usize) -> Value {
    if value == NONE {
        NONE
    } else if value >= MATE_BOUND {
        value - ply as Value
    } else if value <= -MATE_BOUND {
        value + ply as Value
    } else {
        value
    }
}

/// A value in centipawns: +100 is an even chance to win. Wins and losses by the law keep their number.
pub(crate) const fn centipawns(value: Value) -> i32 {
    if is_decisive(value) { value } else { value * 100 / EVEN_CHANCE }
}

/// The score as the outside world reads it.
pub(crate) const fn to_score(value: Value) -> Score {
    if value >= MATE_BOUND {
        Score::Mate(MATE - value)
    } else if value <= -MATE_BOUND {
        Score::Mate(-(MATE + value))
    } else {
        Score::Cp(centipawns(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_survive_the_table_at_another_distance() {
        let here = mate_in(7);
        assert_eq!(from_table(to_table(here, 4), 2), mate_in(5));
        assert_eq!(from_table(to_table(-here, 4), 2), -mate_in(5));
        assert_eq!(from_table(to_table(123, 9), 3), 123);
    }

    #[test]
    fn scores_count_plies() {
        assert_eq!(to_score(mate_in(3)), Score::Mate(3));
        assert_eq!(to_score(mated_in(0)), Score::Mate(0));
        assert_eq!(to_score(mated_in(4)), Score::Mate(-4));
        assert_eq!(to_score(-EVEN_CHANCE), Score::Cp(-100), "an even chance to lose");
        assert_eq!(to_score(LAW - 8), Score::Cp(LAW - 8));
    }
}
