//! Which games a match consists of, in which order.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use super::config::{MatchConfig, OpeningOrder};

/// One game to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Its number in the match, from 0. Games of one encounter are neighbours.
    pub game: usize,
    /// Its encounter, from 0.
    pub encounter: usize,
    /// Round, from 0.
    pub round: usize,
    /// Index of the engine that plays Red.
    pub red: usize,
    /// Index of the engine that plays Black.
    pub black: usize,
    /// Index of the opening.
    pub opening: usize,
}

/// All games of a match over a book of `openings` openings.
///
/// All pairings of a round play the same opening. With two games an encounter, the colours are exchanged; with one, they
/// alternate from round to round.
pub fn schedule(config: &MatchConfig, openings: usize) -> Vec<Slot> {
    let mut order: Vec<usize> = (0..openings).collect();
    if config.order == OpeningOrder::Random {
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(config.seed));
    }
    let pairings = config.tournament.pairings(config.engines.len());
    let mut slots = Vec::new();
    for round in 0..config.rounds {
        let opening = order[(config.first_opening % openings + round) % openings];
        for (index, &(first, second)) in pairings.iter().enumerate() {
            for game_of_encounter in 0..config.games {
                let swap = if config.games == 2 { game_of_encounter == 1 } else { round % 2 == 1 };
                let (red, black) = if swap { (second, first) } else { (first, second) };
                let encounter = round * pairings.len() + index;
                slots.push(Slot { game: slots.len(), encounter, round, red, black, opening });
            }
        }
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::super::words::parse_words;
    use super::*;

    fn slots(text: &str) -> Vec<(usize, usize, usize, usize)> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let config = parse_words(&words).expect(text);
        let slots = schedule(&config, 5);
        assert!(slots.iter().enumerate().all(|(index, slot)| slot.game == index));
        slots.iter().map(|slot| (slot.encounter, slot.red, slot.black, slot.opening)).collect()
    }

    const TWO: &str = "-each nodes=1 -engine cmd=a -engine cmd=b";

    #[test]
    fn pairs_share_an_opening_and_exchange_colours() {
        let expected = [(0, 0, 1, 0), (0, 1, 0, 0), (1, 0, 1, 1), (1, 1, 0, 1), (2, 0, 1, 2), (2, 1, 0, 2)];
        assert_eq!(slots(&format!("{TWO} -rounds 3")), expected);
        assert_eq!(slots(&format!("{TWO} -rounds 3 -games 1")), [(0, 0, 1, 0), (1, 1, 0, 1), (2, 0, 1, 2)]);
    }

    #[test]
    fn tournaments() {
        let three = format!("{TWO} -engine cmd=c -games 1");
        assert_eq!(slots(&three), [(0, 0, 1, 0), (1, 0, 2, 0), (2, 1, 2, 0)]);
        assert_eq!(slots(&format!("{three} -tournament gauntlet")), [(0, 0, 1, 0), (1, 0, 2, 0)]);
    }

    #[test]
    fn the_seed_fixes_a_random_order() {
        let random = |seed| slots(&format!("{TWO} -rounds 10 -games 1 -openings order=random seed={seed}"));
        assert_eq!(random(3), random(3));
        let mut seen: Vec<usize> = random(3).iter().map(|slot| slot.3).take(5).collect();
        assert_ne!(seen, [0, 1, 2, 3, 4], "seed 3 shuffles");
        seen.sort_unstable();
        assert_eq!(seen, [0, 1, 2, 3, 4], "every opening once before any comes again");
        let start = slots(&format!("{TWO} -rounds 2 -games 1 -openings start=4"));
        assert_eq!(start.iter().map(|slot| slot.3).collect::<Vec<_>>(), [3, 4]);
    }
}
