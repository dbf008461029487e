//! One game between two engines.

use std::time::Duration;

use movegen::{Color, History, Move};

use super::adjudication::Adjudicator;
use super::clock::Clock;
use super::config::{EngineConfig, MatchConfig};
use super::engine::{Engine, with_guess};
use super::process::EngineError;
use super::referee::{Outcome, verdict};
use super::replies::{Answer, Eval, SearchFacts};
use super::requests::Turn;
use crate::openings::Opening;

/// What an engine did wrong, if that is why the game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The process ended.
    Crash,
    /// It never answered.
    Stall,
    /// Its flag fell.
    Time,
    /// It played a move that the rules do not allow.
    IllegalMove,
    /// It broke the protocol or stopped playing.
    Protocol,
}

impl Fault {
    /// All faults, in the order of tables.
    pub const ALL: [Self; 5] = [Self::Crash, Self::Stall, Self::Time, Self::IllegalMove, Self::Protocol];

    /// Its name in tables and in the Termination tag.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Stall => "stall",
            Self::Time => "time forfeit",
            Self::IllegalMove => "illegal move",
            Self::Protocol => "protocol fault",
        }
    }
}

/// A move as it was played.
#[derive(Debug, Clone, Copy)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// What the engine told about its search; `None` for a move of the opening.
    pub search: Option<MoveRecord>,
}

/// What is known about a move an engine found.
#[derive(Debug, Clone, Copy)]
pub struct MoveRecord {
    /// Score, depth, nodes.
    pub facts: SearchFacts,
    /// Time it took.
    pub elapsed: Duration,
    /// The clock after the move.
    pub clock: Option<Duration>,
    /// How far the flag had fallen, within the margin.
    pub late: Duration,
}

/// A finished game.
#[derive(Debug, Clone)]
pub struct GameRecord {
    /// The moves, those of the opening first.
    pub moves: Vec<PlayedMove>,
    /// Who won.
    pub outcome: Outcome,
    /// Why, in words.
    pub reason: String,
    /// Whose fault it was, if it was one.
    pub fault: Option<(Color, Fault)>,
}

/// A game that came to no result.
#[derive(Debug)]
pub struct Abandoned;

/// The two players; index 0 is Red.
pub type Players<'g, 'a> = [&'g mut Engine<'a>; 2];

/// Plays a game. Engines that are in an unknown state afterwards are not alive any more.
///
/// # Errors
/// [`Abandoned`] when the match was stopped.
pub fn play(
    mut players: Players<'_, '_>,
    configs: [&EngineConfig; 2],
    opening: &Opening,
    config: &MatchConfig,
) -> Result<GameRecord, Abandoned> {
    let mut game = Game {
        history: opening.history(),
        moves: opening.moves.iter().map(|&mv| PlayedMove { mv, search: None }).collect(),
        clocks: configs.map(|engine| engine.limits.clock.map(Clock::new)),
        configs,
        stall: config.stall,
    };
    for color in [Color::Red, Color::Black] {
        if let Err(error) = players[color.index()].new_game(&opening.start) {
            // Whatever is wrong with it, it is started again before its next game.
            players[color.index()].dismiss();
            return game.failed(color, &error);
        }
    }
    let mut adjudicator = Adjudicator::new(config);
    let record = loop {
        if let Some((outcome, reason)) =
            verdict(&game.history, config.rules).or_else(|| adjudicator.verdict(&game.history))
        {
            break game.finished(outcome, reason, None);
        }
        let side = game.history.current().side_to_move();
        match game.turn(players[side.index()], side) {
            Ok(eval) => adjudicator.note(side, eval),
            Err(End::Abandoned) => return Err(Abandoned),
            Err(End::Lost { reason, fault }) => {
                break game.finished(Outcome::Win(!side), reason, fault.map(|fault| (side, fault)));
            }
        }
    };
    for engine in &mut players {
        // One that does not come to rest is started again before its next game.
        if engine.is_alive() && engine.end_game().is_err() {
            engine.dismiss();
        }
    }
    Ok(record)
}

/// Why the side to move did not move.
enum End {
    Abandoned,
    Lost { reason: String, fault: Option<Fault> },
}

impl End {
    fn fault(fault: Fault, reason: String) -> Self {
        Self::Lost { reason, fault: Some(fault) }
    }
}

/// A game in progress.
struct Game<'c> {
    history: History,
    moves: Vec<PlayedMove>,
    clocks: [Option<Clock>; 2],
    configs: [&'c EngineConfig; 2],
    stall: Duration,
}

impl Game<'_> {
    /// How long this side may think, and the grace after that; `None` without a limit in time.
    fn allowance(&self, side: Color) -> Option<(Duration, Duration)> {
        let config = self.configs[side.index()];
        let debt = self.clocks[side.index()].map_or(Duration::ZERO, |clock| clock.debt());
        let clock = self.clocks[side.index()].map(|clock| clock.remaining());
        let allowed = match (clock, config.limits.move_time) {
            (Some(clock), Some(move_time)) => Some(clock.min(move_time)),
            (clock, move_time) => clock.or(move_time),
        };
        allowed.map(|allowed| (allowed, config.time_margin().saturating_sub(debt)))
    }

    /// Lets the side to move play one move and, if it likes, think about the next.
    fn turn(&mut self, engine: &mut Engine<'_>, side: Color) -> Result<Option<Eval>, End> {
        let allowance = self.allowance(side);
        let patience = allowance.map_or(self.stall, |(allowed, margin)| allowed + margin);
        let turn = Turn { history: &self.history, clocks: self.clocks };
        let reply =
            engine.go(&turn, patience).map_err(|error| failure(&error, engine, allowance.is_some()))?;
        let (mv, guess) = match reply.answer {
            Answer::Move { mv, ponder } => (mv, ponder),
            Answer::Resigns => return Err(End::Lost { reason: "resignation".to_owned(), fault: None }),
            Answer::Malformed(text) => {
                return Err(End::fault(Fault::IllegalMove, format!("plays {text:?}, which is no move")));
            }
        };
        let mut late = Duration::ZERO;
        if let Some((allowed, margin)) = allowance {
            late = reply.elapsed.saturating_sub(allowed);
            if late > margin {
                return Err(End::fault(Fault::Time, format!("time forfeit, {} ms over", late.as_millis())));
            }
        }
        if !self.history.current().is_legal(mv) {
            return Err(End::fault(Fault::IllegalMove, format!("plays {mv}, which is illegal")));
        }
        if let Some(clock) = &mut self.clocks[side.index()] {
            clock.press(reply.elapsed);
        }
        let clock = self.clocks[side.index()].map(|clock| clock.remaining());
        self.history.push(mv);
        let record = MoveRecord { facts: reply.facts, elapsed: reply.elapsed, clock, late };
        self.moves.push(PlayedMove { mv, search: Some(record) });
        if engine.wants_ponder()
            && let Some(history) = with_guess(&self.history, guess)
        {
            // A dead engine is found out at its next turn.
            let _ = engine.ponder(&Turn { history: &history, clocks: self.clocks });
        }
        Ok(reply.facts.eval)
    }

    fn finished(&self, outcome: Outcome, reason: String, fault: Option<(Color, Fault)>) -> GameRecord {
        GameRecord { moves: self.moves.clone(), outcome, reason, fault }
    }

    /// The record of a game that an engine could not even begin.
    fn failed(&self, color: Color, error: &EngineError) -> Result<GameRecord, Abandoned> {
        let fault = match error {
            EngineError::Interrupted => return Err(Abandoned),
            EngineError::TimedOut { .. } => Fault::Stall,
            EngineError::Unusable(_) => Fault::Protocol,
            _ => Fault::Crash,
        };
        Ok(self.finished(Outcome::Win(!color), error.to_string(), Some((color, fault))))
    }
}

/// What a failed turn means; an engine that cannot go on is dismissed.
fn failure(error: &EngineError, engine: &mut Engine<'_>, timed: bool) -> End {
    let (fault, reason) = match error {
        EngineError::Interrupted => return End::Abandoned,
        EngineError::TimedOut { request: "go" } if timed => {
            // The game is lost, but an engine that is merely slow need not be started again.
            if engine.recover() {
                return End::fault(Fault::Time, "time forfeit".to_owned());
            }
            (Fault::Time, "time forfeit, and no reply to \"stop\"".to_owned())
        }
        EngineError::TimedOut { .. } => (Fault::Stall, error.to_string()),
        EngineError::Unusable(text) => (Fault::Protocol, text.clone()),
        _ => (Fault::Crash, error.to_string()),
    };
    engine.dismiss();
    End::fault(fault, reason)
}
