//! Playing below full strength, and with variety: fewer nodes, and a choice among the best lines with some chance.
//!
//! A handicapped search looks at several lines. Each gets its score and a random bonus of up to a margin, and the best
//! sum is played: a line within the margin of the best one has a chance, one beyond it has none (the idea is that of
//! Stockfish's skill levels; the numbers are ours).

use std::hash::{BuildHasher, Hasher, RandomState};

use movegen::Move;
use search::{Iteration, Score};

use crate::options::{Options, Randomness};

/// Full strength.
pub const MAX_SKILL: u64 = 20;
/// Lines a handicapped search looks at, from level 0 on; below, one more for each level.
const LINES: f64 = 4.0;
/// Nodes a search has at level 0, and below.
const LEAST_NODES: f64 = 500.0;
/// By how much each level multiplies them: level 19 has about a million.
const NODES_GROWTH: f64 = 1.5;
/// Margin per level below full strength, centipawns.
const MARGIN_PER_LEVEL: f64 = 4.0;
/// Margin more per level below 0: so far down it is chance that makes a player weaker, not haste.
const MARGIN_BELOW_ZERO: f64 = 22.5;
/// Nodes more per level below 0, for the lines more.
const NODES_BELOW_ZERO: f64 = 400.0;
/// Deepest iteration below level 0: an answer is seen, a plan is not.
const DEPTH_BELOW_ZERO: u32 = 2;
/// A mate in `n` plies counts as this less `n`.
const MATE: i32 = 30_000;

/// What holds a search back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Handicap {
    /// Most nodes.
    pub(crate) nodes: Option<u64>,
    /// Last iteration.
    pub(crate) depth: Option<u32>,
    /// Lines to look at.
    pub(crate) lines: usize,
    /// Largest bonus of chance, centipawns.
    margin: i32,
}

impl Handicap {
    /// The handicap the options ask for.
    pub(crate) fn of(options: &Options) -> Option<Self> {
        let level = if options.limit_strength { level_of_elo(options.elo) } else { options.skill as f64 };
        let handicap = Self::of_level(level);
        let variety = match options.randomness {
            Randomness::None => 0,
            Randomness::Small => 3,
            Randomness::Medium => 7,
            Randomness::Large => 13,
        };
        let margin = handicap.margin.max(variety);
        (margin > 0).then_some(Self { margin, ..handicap })
    }

    /// The handicap of a level; levels may lie between whole numbers, and below 0.
    fn of_level(level: f64) -> Self {
        let below = (MAX_SKILL as f64 - level).max(0.0);
        let under = (-level).max(0.0);
        Self {
            nodes: (below > 0.0)
                .then(|| (LEAST_NODES * NODES_GROWTH.powf(level.max(0.0)) + NODES_BELOW_ZERO * under) as u64),
            depth: (under > 0.0).then_some(DEPTH_BELOW_ZERO),
            lines: (LINES + under.ceil()) as usize,
            margin: (MARGIN_PER_LEVEL * below + MARGIN_BELOW_ZERO * under) as i32,
        }
    }

    /// The line to play, of those that begin with an allowed move.
    pub(crate) fn choose<'a>(
        &self,
        lines: &'a [Iteration],
        allowed: &[Move],
        chance: &mut Chance,
    ) -> Option<&'a Iteration> {
        let best = lines.first()?;
        lines
            .iter()
            // The best line may come of an iteration that had no time for the others; older ones are no match for it.
            .filter(|line| {
                line.depth + 1 >= best.depth && line.pv.first().is_some_and(|mv| allowed.contains(mv))
            })
            .map(|line| (number(line.score).saturating_add(chance.up_to(self.margin)), line))
            .reduce(|a, b| if b.0 > a.0 { b } else { a })
            .map(|(_, line)| line)
    }
}

/// Levels with their Elo: in between, levels lie on straight lines.
///
/// Source: our own matches between neighbours, `docs/strength.md`; the weakest level is called 800.
const ELO_OF_LEVELS: [(u64, f64); 7] =
    [(800, -8.0), (970, -5.0), (1130, -2.0), (1280, 1.0), (1550, 4.0), (2010, 7.0), (2410, 10.0)];
/// Smallest and largest Elo that can be asked for.
pub const ELO_RANGE: (u64, u64) = (ELO_OF_LEVELS[0].0, ELO_OF_LEVELS[ELO_OF_LEVELS.len() - 1].0);

/// The level that plays at this Elo.
fn level_of_elo(elo: u64) -> f64 {
    let elo = elo.clamp(ELO_RANGE.0, ELO_RANGE.1);
    let index = ELO_OF_LEVELS.partition_point(|&(upper, _)| upper < elo).max(1);
    let ((low, from), (high, to)) = (ELO_OF_LEVELS[index - 1], ELO_OF_LEVELS[index]);
    from + (to - from) * (elo - low) as f64 / (high - low) as f64
}

fn number(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp,
        Score::Mate(plies) if plies > 0 => MATE - plies,
        Score::Mate(plies) => -MATE - plies,
    }
}

/// A source of random numbers: splitmix64 (Steele, Lea and Flood 2014), different in every process.
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new() -> Self {
        Self(RandomState::new().build_hasher().finish())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An index into `weights`, each with its share of the chances; `None` if they are all 0.
    pub(crate) fn pick(&mut self, weights: &[u32]) -> Option<usize> {
        let total: u64 = weights.iter().copied().map(u64::from).sum();
        let mut left = self.next().checked_rem(total)?;
        weights.iter().position(|&weight| {
            let chosen = left < u64::from(weight);
            left = left.saturating_sub(u64::from(weight));
            chosen
        })
    }

    /// A number from 0 to `most`.
    fn up_to(&mut self, most: i32) -> i32 {
        (self.next() % (u64::from(most.unsigned_abs()) + 1)) as i32
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use movegen::Position;
    use search::Bound;

    use super::*;

    fn lines(scores: &[i32]) -> (Vec<Iteration>, Vec<Move>) {
        let moves: Vec<Move> = Position::startpos().legal_moves().into_iter().take(scores.len()).collect();
        let line = |(i, &cp): (usize, &i32)| Iteration {
            depth: 5,
            seldepth: 5,
            multi_pv: i + 1,
            score: Score::Cp(cp),
            bound: Bound::Exact,
            wdl: (0, 1_000, 0),
            nodes: 1,
            time: Duration::ZERO,
            hashfull: 0,
            pv: vec![moves[i]],
        };
        (scores.iter().enumerate().map(line).collect(), moves)
    }

    fn chosen(handicap: &Handicap, scores: &[i32]) -> Vec<usize> {
        let (lines, moves) = lines(scores);
        let mut chance = Chance(1);
        let mut found: Vec<usize> = (0..500)
            .filter_map(|_| handicap.choose(&lines, &moves, &mut chance))
            .map(|line| line.multi_pv)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn full_strength_has_no_handicap() {
        assert_eq!(Handicap::of(&Options::default()), None);
    }

    #[test]
    fn lower_levels_have_fewer_nodes_and_more_chance() {
        let of = |skill| Handicap::of(&Options { skill, ..Options::default() });
        let levels: Vec<Handicap> = (0..MAX_SKILL).filter_map(of).collect();
        assert_eq!(levels.len(), 20);
        assert!(
            levels.windows(2).all(|pair| pair[0].nodes < pair[1].nodes && pair[0].margin > pair[1].margin)
        );
        assert_eq!(levels[0].nodes, Some(500));
    }

    #[test]
    fn more_elo_is_less_chance_and_more_effort() {
        let of = |elo| Handicap::of(&Options { limit_strength: true, elo, ..Options::default() });
        let levels: Vec<Handicap> = (ELO_RANGE.0..=ELO_RANGE.1).filter_map(of).collect();
        assert_eq!(levels.len() as u64, ELO_RANGE.1 - ELO_RANGE.0 + 1, "none is full strength");
        for pair in levels.windows(2) {
            assert!(pair[0].margin >= pair[1].margin && pair[0].lines >= pair[1].lines, "{pair:?}");
            assert!(pair[0].depth.is_some() || pair[0].nodes <= pair[1].nodes, "{pair:?}");
        }
        for (elo, level) in ELO_OF_LEVELS {
            assert_eq!(of(elo), Some(Handicap::of_level(level)));
        }
        assert_eq!(of(0), of(ELO_RANGE.0));
        let skill = Options { skill: 3, elo: 900, ..Options::default() };
        assert_eq!(Handicap::of(&skill), Some(Handicap::of_level(3.0)), "not asked for");
    }

    #[test]
    fn only_lines_within_the_margin_have_a_chance() {
        let options = Options { randomness: Randomness::Medium, ..Options::default() };
        let handicap =
            Handicap::of(&options).unwrap_or(Handicap { nodes: None, depth: None, lines: 0, margin: 0 });
        assert_eq!(handicap.nodes, None);
        assert_eq!(chosen(&handicap, &[30, 28, 25, 3]), [1, 2, 3]);
        assert_eq!(chosen(&handicap, &[30, 0, -10, -300]), [1]);
    }

    #[test]
    fn weights_are_shares_of_the_chances() {
        let mut chance = Chance(7);
        assert_eq!(chance.pick(&[]), None);
        assert_eq!(chance.pick(&[0, 0]), None);
        let mut counts = [0; 4];
        for _ in 0..10_000 {
            counts[chance.pick(&[10, 0, 60, 30]).unwrap_or(1)] += 1;
        }
        assert!((800..1_200).contains(&counts[0]) && counts[1] == 0, "{counts:?}");
        assert!((5_700..6_300).contains(&counts[2]), "{counts:?}");
    }

    #[test]
    fn moves_that_are_not_allowed_and_old_lines_are_left_out() {
        let handicap = Handicap { nodes: None, depth: None, lines: 4, margin: 300 };
        let (mut lines, moves) = lines(&[30, 28, 26]);
        lines[1].depth = 3;
        let mut chance = Chance(1);
        for _ in 0..100 {
            let line = handicap.choose(&lines, &moves[..2], &mut chance);
            assert_eq!(line.map(|line| line.multi_pv), Some(1));
        }
    }
}
