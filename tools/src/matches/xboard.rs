//! The XBoard protocol (CECP 2), as far as a match needs it.
//!
//! Unlike UCI engines these keep the game themselves; [`Xboard`] remembers how much of it they have been told. Ranks of
//! ten-rank boards are counted from 0. Source: H.G. Muller and T. Mann, "Chess Engine Communication Protocol".

use std::time::{Duration, Instant};

use movegen::{History, Position};

use super::config::EngineConfig;
use super::engine::Reply;
use super::process::{EngineError, Process};
use super::replies::{SearchFacts, XboardAnswer, read_xboard};
use super::requests::{Turn, xboard_clocks, xboard_limits};

/// How long `feature` lines may take when the engine does not say `done=1`.
const FEATURES: Duration = Duration::from_secs(3);
/// How long they may take when it asks for patience with `done=0`.
const SLOW_FEATURES: Duration = Duration::from_mins(1);
/// How long it may take to answer `ping`.
const PONG: Duration = Duration::from_secs(30);

/// What the runner knows about an XBoard engine.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent features of the engine, as it announces them")]
pub(super) struct Xboard {
    /// What it calls itself.
    pub name: String,
    ping: bool,
    set_board: bool,
    user_move: bool,
    /// Number of the last ping.
    pings: u32,
    /// Plies of the game it has been told.
    told: usize,
    /// Whether it only listens (`force`), so that `go` is needed.
    listening: bool,
}

impl Xboard {
    /// Introduces the runner and reads the features.
    pub(super) fn greet(process: &mut Process<'_>, config: &EngineConfig) -> Result<Self, EngineError> {
        let mut xboard = Self::default();
        process.send("xboard")?;
        process.send("protover 2")?;
        let start = Instant::now();
        let mut deadline = start + FEATURES;
        'lines: while let Some(line) = process.receive(deadline)? {
            let Some(text) = line.text.strip_prefix("feature ") else { continue };
            for (name, value) in features(text) {
                match name {
                    "done" if value == "1" => break 'lines,
                    "done" => deadline = start + SLOW_FEATURES,
                    "ping" => xboard.ping = value == "1",
                    "setboard" => xboard.set_board = value == "1",
                    "usermove" => xboard.user_move = value == "1",
                    "myname" => value.clone_into(&mut xboard.name),
                    _ => {}
                }
            }
        }
        for (name, value) in &config.options {
            process.send(&format!("option {name}={value}"))?;
        }
        Ok(xboard)
    }

    /// Starts a game that begins at `start`.
    pub(super) fn new_game(
        &mut self,
        process: &mut Process<'_>,
        config: &EngineConfig,
        start: &Position,
    ) -> Result<(), EngineError> {
        for line in ["new", "variant xiangqi", "post", if config.ponder { "hard" } else { "easy" }, "force"] {
            process.send(line)?;
        }
        if *start != Position::startpos() {
            if !self.set_board {
                return Err(EngineError::Unusable("the engine cannot set up positions".to_owned()));
            }
            process.send(&format!("setboard {}", start.fen()))?;
        }
        for line in xboard_limits(&config.limits) {
            process.send(&line)?;
        }
        self.told = 0;
        self.listening = true;
        if self.ping {
            self.ping(process)?;
        } else {
            process.drain();
        }
        Ok(())
    }

    fn ping(&mut self, process: &mut Process<'_>) -> Result<(), EngineError> {
        self.pings += 1;
        process.send(&format!("ping {}", self.pings))?;
        let pong = format!("pong {}", self.pings);
        let deadline = Instant::now() + PONG;
        while let Some(line) = process.receive(deadline)? {
            if line.text == pong {
                return Ok(());
            }
        }
        Err(EngineError::TimedOut { request: "ping" })
    }

    /// Tells the engine what happened since its last move and lets it think; returns when its clock started.
    fn request(&mut self, process: &mut Process<'_>, turn: &Turn<'_>) -> Result<Instant, EngineError> {
        let new: Vec<String> = turn.history.moves()[self.told..]
            .iter()
            .flatten()
            .map(|mv| if self.user_move { format!("usermove {mv}") } else { mv.to_string() })
            .collect();
        // In play, the opponent's move starts the search; otherwise `go` does.
        let (listened, last) = match new.split_last() {
            Some((last, rest)) if !self.listening => (rest, last.as_str()),
            _ => (new.as_slice(), "go"),
        };
        for line in listened {
            process.send(line)?;
        }
        for line in xboard_clocks(turn) {
            process.send(&line)?;
        }
        let start = Instant::now();
        process.send(last)?;
        self.listening = false;
        self.told = turn.history.len() + 1; // with its own move, which is about to come
        Ok(start)
    }

    /// Lets the engine move.
    pub(super) fn go(
        &mut self,
        process: &mut Process<'_>,
        config: &EngineConfig,
        turn: &Turn<'_>,
        patience: Duration,
    ) -> Result<Reply, EngineError> {
        let mut start = self.request(process, turn)?;
        let mut facts = SearchFacts::default();
        let mut may_claim = true;
        while let Some(line) = process.receive(start + patience)? {
            match read_xboard(&line.text) {
                Some(XboardAnswer::Answer(answer)) => {
                    return Ok(Reply { answer, facts, elapsed: line.at.saturating_duration_since(start) });
                }
                // An engine with a referee of its own (repetitions, say) stops playing when that one speaks. Ours
                // decides: the engine gets the position once more, without its past.
                Some(XboardAnswer::Claim(_)) if may_claim && self.set_board => {
                    may_claim = false;
                    self.new_game(process, config, turn.history.current())?;
                    let history = History::new(turn.history.current().clone());
                    start = self.request(process, &Turn { history: &history, clocks: turn.clocks })?;
                    self.told = turn.history.len() + 1;
                }
                Some(XboardAnswer::Claim(text)) => {
                    return Err(EngineError::Unusable(format!("claims {text:?} and does not move")));
                }
                Some(XboardAnswer::Refusal(text)) => {
                    return Err(EngineError::Unusable(format!("refuses a legal move: {text:?}")));
                }
                None => facts.read_thinking(&line.text),
            }
        }
        Err(EngineError::TimedOut { request: "go" })
    }

    /// Makes the engine listen again.
    pub(super) fn end_game(&mut self, process: &mut Process<'_>) -> Result<(), EngineError> {
        process.send("force")?;
        self.listening = true;
        Ok(())
    }
}

/// Splits `a=1 b="two words"` into names and values.
fn features(text: &str) -> Vec<(&str, &str)> {
    let mut rest = text;
    let mut found = Vec::new();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, tail) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        found.push((name.trim(), value));
        rest = tail;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::features;

    #[test]
    fn features_with_quotes() {
        let text = r#"myname="Hoi 0.22" variants="xiangqi" ping=1 option="verbose -spin 0 1 2" done=1"#;
        let expected = [
            ("myname", "Hoi 0.22"),
            ("variants", "xiangqi"),
            ("ping", "1"),
            ("option", "verbose -spin 0 1 2"),
            ("done", "1"),
        ];
        assert_eq!(features(text), expected);
        assert!(features("").is_empty());
    }
}
