//! One game of the engine against itself.

use super::scorer::{Scorer, score_of};
use crate::data::{Ending, Game, Outcome, Ply};
use movegen::{
    Color, History, Move, Position,
    rules::{RuleSet, Verdict, judge},
};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use search::nnue::Network;
use search::{HashError, SearchResult};
use serde::Serialize;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

/// What the games of a file depend on, besides the engine.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    /// Seed of the openings.
    pub seed: u64,
    /// Nodes after which no new iteration begins.
    pub soft_nodes: u64,
    /// Nodes after which the search ends.
    pub hard_nodes: u64,
    /// Fewest random plies of an opening.
    pub min_random: u8,
    /// Most random plies of an opening.
    pub max_random: u8,
    /// Openings with a score beyond this are thrown away, in units of the evaluation, as all scores here.
    pub opening_limit: i16,
    /// A game is won at this score …
    pub win_score: i16,
    /// … kept for so many plies.
    pub win_plies: u32,
    /// A game is drawn within this score …
    pub draw_score: i16,
    /// … kept for so many plies …
    pub draw_plies: u32,
    /// … after so many plies of the game.
    pub draw_after: usize,
    /// A game of this length is drawn.
    pub max_plies: usize,
    /// Who judges repetitions.
    #[serde(skip)]
    pub rules: RuleSet,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            soft_nodes: 600,
            hard_nodes: 4800,
            min_random: 6,
            max_random: 9,
            opening_limit: 500,
            win_score: 1200,
            win_plies: 4,
            draw_score: 8,
            draw_plies: 16,
            draw_after: 80,
            max_plies: 300,
            rules: RuleSet::Asian,
        }
    }
}

/// Plays games, one after the other.
#[derive(Debug)]
pub struct Player<'a> {
    settings: &'a Settings,
    scorer: Scorer,
}

impl<'a> Player<'a> {
    /// A player with a table of its own; without a network it evaluates by hand.
    ///
    /// # Errors
    /// [`HashError`] if there is no memory for it.
    pub fn new(settings: &'a Settings, network: Option<Arc<Network>>) -> Result<Self, HashError> {
        let scorer = Scorer::new(settings.soft_nodes, settings.hard_nodes, settings.rules, network)?;
        Ok(Self { settings, scorer })
    }

    /// Plays the game of this number; `None` if `stop` is set before it has an opening, for which there may be none within the limit.
    pub fn play(&mut self, number: u32, stop: &AtomicBool) -> Option<Game> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.settings.seed);
        rng.set_stream(u64::from(number));
        while !stop.load(Relaxed) {
            let Some((opening, mut history)) = self.random_opening(&mut rng) else { continue };
            self.scorer.begin_game();
            let first = self.scorer.search(&history);
            if score_of(&first).abs() > self.settings.opening_limit {
                continue;
            }
            let (plies, outcome, ending) = self.play_out(&mut history, first);
            return Some(Game { number, start: Position::startpos(), opening, plies, outcome, ending });
        }
        None
    }

    /// Random legal moves from the start position; `None` if they ended the game.
    fn random_opening(&self, rng: &mut ChaCha8Rng) -> Option<(Vec<Move>, History)> {
        let Settings { min_random, max_random, .. } = *self.settings;
        let spread = u32::from(max_random.saturating_sub(min_random)) + 1;
        let plies = u32::from(min_random) + rng.next_u32() % spread;
        let mut history = History::new(Position::startpos());
        let mut opening = Vec::new();
        for _ in 0..plies {
            let legal = history.current().legal_moves();
            let mut order: Vec<Move> = legal.into_iter().collect();
            // Not the generator's order: the data would change with it.
            order.sort_unstable_by_key(|mv| (mv.from().index(), mv.to().index()));
            if order.is_empty() {
                return None;
            }
            let mv = order[rng.next_u32() as usize % order.len()];
            opening.push(mv);
            history.push(mv);
        }
        history.current().has_legal_move().then_some((opening, history))
    }

    fn play_out(&mut self, history: &mut History, first: SearchResult) -> (Vec<Ply>, Outcome, Ending) {
        let settings = self.settings;
        let mut plies: Vec<Ply> = Vec::new();
        // How long the score has been decided for a side, and level.
        let (mut winner, mut won, mut level) = (Color::Red, 0, 0);
        let mut found = Some(first);
        loop {
            match judge(history, settings.rules) {
                Verdict::None => {}
                Verdict::Draw => return (plies, Outcome::Draw, Ending::Law),
                Verdict::Loses(side) => {
                    let mated = !history.current().has_legal_move();
                    let ending = if mated { Ending::Mate } else { Ending::Law };
                    return (plies, Outcome::lost_by(side), ending);
                }
            }
            if history.len() >= settings.max_plies {
                return (plies, Outcome::Draw, Ending::Length);
            }
            let us = history.current().side_to_move();
            let result = found.take().unwrap_or_else(|| self.scorer.search(history));
            let Some(mv) = result.best else {
                return (plies, Outcome::lost_by(us), Ending::Mate);
            };
            let score = score_of(&result);
            plies.push(Ply { mv, score });
            history.push(mv);

            let leader = if score > 0 { us } else { !us };
            won = match score.abs() >= settings.win_score {
                true if leader == winner => won + 1,
                true => 1,
                false => 0,
            };
            winner = leader;
            level = if score.abs() <= settings.draw_score { level + 1 } else { 0 };
            if won >= settings.win_plies {
                return (plies, Outcome::lost_by(!winner), Ending::WonByScore);
            }
            if history.len() >= settings.draw_after && level >= settings.draw_plies {
                return (plies, Outcome::Draw, Ending::DrawnByScore);
            }
        }
    }
}
