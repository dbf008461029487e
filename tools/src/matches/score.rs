//! The state of a match: results of every pairing, in single games and in pairs.

use std::collections::HashMap;

use movegen::Color;

use super::referee::Outcome;
use super::schedule::Slot;
use crate::stats::{Estimate, Games, Pairs};

/// What two engines have scored against each other, seen from the one with the lower index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pairing {
    /// Losses, draws, wins.
    pub games: Games,
    /// Points of complete pairs.
    pub pairs: Pairs,
}

impl Pairing {
    /// Twice the points of the first engine.
    pub fn half_points(&self) -> u64 {
        self.games.0[1] + 2 * self.games.0[2]
    }

    /// The same from the other side.
    pub fn reversed(&self) -> Self {
        let mut reversed = *self;
        reversed.games.0.reverse();
        reversed.pairs.0.reverse();
        reversed
    }

    /// The Elo difference: over pairs where there are any, otherwise over games.
    pub fn estimate(&self) -> Option<Estimate> {
        self.pairs.estimate().or_else(|| self.games.estimate())
    }
}

/// All results so far.
#[derive(Debug, Default)]
pub struct Scores {
    pairings: HashMap<(usize, usize), Pairing>,
    /// Encounters of which one game is finished, with the half points of the engine with the lower index.
    halves: HashMap<usize, usize>,
}

impl Scores {
    /// Counts a finished game; `games` is the number of games an encounter has.
    pub fn add(&mut self, slot: &Slot, outcome: Outcome, games: usize) {
        let first = slot.red.min(slot.black);
        let color = if slot.red == first { Color::Red } else { Color::Black };
        let points = outcome.half_points(color);
        let pairing = self.pairings.entry((first, slot.red.max(slot.black))).or_default();
        pairing.games.add(points);
        if games == 2 {
            match self.halves.remove(&slot.encounter) {
                Some(other) => pairing.pairs.add(points + other),
                None => {
                    self.halves.insert(slot.encounter, points);
                }
            }
        }
    }

    /// What `first` has scored against `second`.
    pub fn pairing(&self, first: usize, second: usize) -> Pairing {
        let pairing = self.pairings.get(&(first.min(second), first.max(second))).copied().unwrap_or_default();
        if first < second { pairing } else { pairing.reversed() }
    }

    /// What `player` has scored against everybody.
    pub fn total(&self, player: usize, players: usize) -> Pairing {
        let mut total = Pairing::default();
        for other in (0..players).filter(|&other| other != player) {
            let pairing = self.pairing(player, other);
            (0..3).for_each(|i| total.games.0[i] += pairing.games.0[i]);
            (0..5).for_each(|i| total.pairs.0[i] += pairing.pairs.0[i]);
        }
        total
    }

    /// Finished games.
    pub fn games(&self) -> u64 {
        self.pairings.values().map(|pairing| pairing.games.count()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Sample;

    #[test]
    fn pairs_are_put_together_in_any_order() {
        let mut scores = Scores::default();
        let slot = |game, red, black| Slot { game, encounter: game / 2, round: 0, red, black, opening: 0 };
        // Engine 0 wins with Red and draws with Black; wins with Black, of the second encounter, before its other game.
        scores.add(&slot(0, 0, 1), Outcome::Win(Color::Red), 2);
        scores.add(&slot(3, 1, 0), Outcome::Win(Color::Black), 2);
        assert_eq!(scores.pairing(0, 1).pairs.count(), 0);
        scores.add(&slot(1, 1, 0), Outcome::Draw, 2);
        scores.add(&slot(2, 0, 1), Outcome::Win(Color::Black), 2);
        let expected = Pairing { games: Sample([1, 1, 2]), pairs: Sample([0, 0, 1, 1, 0]) };
        assert_eq!(scores.pairing(0, 1), expected);
        assert_eq!(
            scores.pairing(1, 0),
            Pairing { games: Sample([2, 1, 1]), pairs: Sample([0, 1, 1, 0, 0]) }
        );
        assert_eq!(expected.half_points(), 5);
        scores.add(&slot(4, 2, 0), Outcome::Win(Color::Red), 1);
        assert_eq!(scores.total(0, 3).games, Sample([2, 1, 2]));
        assert_eq!(scores.total(2, 3).games, Sample([0, 0, 1]));
        assert_eq!(scores.games(), 5);
    }
}
