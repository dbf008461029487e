//! A playing engine: handshake, options, games, moves, pondering, over UCI, UCCI or the XBoard protocol.

use std::time::{Duration, Instant};

use movegen::{History, Move, Position};

use super::config::{EngineConfig, Protocol, RankBase};
use super::process::{EngineError, Process, Surroundings};
use super::replies::{Answer, SearchFacts, read_bestmove, read_move};
use super::requests::{self, Turn};
use super::xboard::Xboard;

/// How long an engine may take to introduce itself.
const HANDSHAKE: Duration = Duration::from_secs(30);
/// How long `proto=auto` waits for `uciok` before it tries `ucci`.
const PROBE: Duration = Duration::from_secs(5);
/// How long it may take to get ready (hash allocation, networks).
const READY: Duration = Duration::from_mins(1);
/// How long it may take to answer `stop`.
pub const STOP: Duration = Duration::from_secs(5);

/// An engine's reply to one turn.
#[derive(Debug, Clone)]
pub struct Reply {
    /// What it wants to do.
    pub answer: Answer,
    /// What it told about its search.
    pub facts: SearchFacts,
    /// From the request (or `ponderhit`) to the arrival of the reply.
    pub elapsed: Duration,
}

/// A running engine, ready to play.
#[derive(Debug)]
pub struct Engine<'a> {
    process: Process<'a>,
    config: EngineConfig,
    protocol: Protocol,
    rank_base: RankBase,
    /// Names of the options it announced.
    options: Vec<String>,
    /// What it calls itself.
    own_name: String,
    /// State of an XBoard engine.
    xboard: Option<Xboard>,
    /// The guess it ponders on, if it does.
    pondering: Option<Move>,
}

impl<'a> Engine<'a> {
    /// Starts an engine and brings it to the point where a game can begin.
    ///
    /// # Errors
    /// When it cannot be started or does not finish the handshake.
    pub fn start(config: &EngineConfig, surroundings: &'a Surroundings) -> Result<Self, EngineError> {
        let mut engine = Self {
            process: Process::start(config, surroundings)?,
            config: config.clone(),
            protocol: config.protocol,
            rank_base: config.rank_base.unwrap_or(RankBase::Zero),
            options: Vec::new(),
            own_name: String::new(),
            xboard: None,
            pondering: None,
        };
        match config.protocol {
            Protocol::Uci => engine.greet("uci", &["uciok"], HANDSHAKE).map(drop)?,
            Protocol::Ucci => engine.greet("ucci", &["ucciok"], HANDSHAKE).map(drop)?,
            Protocol::Xboard => engine.xboard = Some(Xboard::greet(&mut engine.process, config)?),
            Protocol::Auto => engine.find_protocol(surroundings)?,
        }
        let in_milliseconds = engine.protocol != Protocol::Ucci || engine.announces("usemillisec");
        if let Some(what) = requests::inexpressible(&config.limits, engine.protocol, in_milliseconds) {
            return Err(EngineError::Unusable(what.to_owned()));
        }
        if let Some(xboard) = &engine.xboard {
            engine.own_name.clone_from(&xboard.name);
            return Ok(engine);
        }
        engine.set_options()?;
        engine.ready()?;
        if engine.protocol == Protocol::Uci && config.rank_base.is_none() {
            engine.find_rank_base()?;
        }
        Ok(engine)
    }

    /// What the engine calls itself, or its program if it has not said.
    pub fn own_name(&self) -> String {
        if !self.own_name.is_empty() {
            return self.own_name.clone();
        }
        let program = self.config.command.first().map_or("", String::as_str);
        std::path::Path::new(program)
            .file_stem()
            .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
    }

    /// Protocol and rank numbering, for the head of a report.
    pub fn description(&self) -> String {
        let ranks = match self.rank_base {
            RankBase::Zero => "0-9",
            RankBase::One => "1-10",
        };
        format!("{}, ranks {ranks}", self.protocol)
    }

    /// Options that were asked for but never announced.
    pub fn unannounced_options(&self) -> Vec<&str> {
        let known = |name: &str| self.options.iter().any(|option| option.eq_ignore_ascii_case(name));
        let wanted = self.config.options.iter().map(|(name, _)| name.as_str());
        if self.xboard.is_some() { Vec::new() } else { wanted.filter(|name| !known(name)).collect() }
    }

    /// Tries `uci` and then `ucci`; some engines leave at the wrong word and are started again, others only take their time.
    fn find_protocol(&mut self, surroundings: &'a Surroundings) -> Result<(), EngineError> {
        self.protocol = Protocol::Uci;
        match self.greet("uci", &["uciok"], PROBE) {
            Ok(_) => return Ok(()),
            Err(EngineError::NoHandshake { .. }) => {}
            Err(EngineError::Died { .. }) => {
                self.process = Process::start(&self.config, surroundings)?;
                self.options.clear();
            }
            Err(error) => return Err(error),
        }
        if self.greet("ucci", &["ucciok", "uciok"], HANDSHAKE)? == "uciok" {
            // Where both words are known the last one counts.
            self.options.clear();
            return self.greet("uci", &["uciok"], HANDSHAKE).map(drop);
        }
        self.protocol = Protocol::Ucci;
        Ok(())
    }

    /// Sends the greeting and reads up to one of `answers`, which it returns.
    fn greet(
        &mut self,
        greeting: &'static str,
        answers: &[&'static str],
        patience: Duration,
    ) -> Result<&'static str, EngineError> {
        self.process.send(greeting)?;
        let deadline = Instant::now() + patience;
        while let Some(line) = self.process.receive(deadline)? {
            if let Some(answer) = answers.iter().find(|answer| line.text == **answer) {
                return Ok(answer);
            }
            if let Some(name) = line.text.strip_prefix("id name ") {
                name.trim().clone_into(&mut self.own_name);
            } else if let Some(option) = line.text.strip_prefix("option ") {
                let option = option.strip_prefix("name ").unwrap_or(option);
                let name = option.split(" type ").next().unwrap_or(option);
                self.options.push(name.trim().to_owned());
            }
        }
        Err(EngineError::NoHandshake { greeting })
    }

    /// Whether the engine announced this option.
    fn announces(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.eq_ignore_ascii_case(name))
    }

    /// Variant and time unit where announced, then the user's options.
    fn set_options(&mut self) -> Result<(), EngineError> {
        let mut wanted = Vec::new();
        match self.protocol {
            Protocol::Uci if self.announces("UCI_Variant") => wanted.push(("UCI_Variant", "xiangqi")),
            Protocol::Ucci if self.announces("usemillisec") => wanted.push(("usemillisec", "true")),
            _ => {}
        }
        if self.config.ponder && self.announces("ponder") {
            wanted.push((if self.protocol == Protocol::Uci { "Ponder" } else { "ponder" }, "true"));
        }
        let own = self.config.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let lines: Vec<String> =
            wanted.into_iter().chain(own).map(|(name, value)| self.option_line(name, value)).collect();
        lines.iter().try_for_each(|line| self.process.send(line))
    }

    /// Sets an option between games.
    ///
    /// # Errors
    /// When the engine is dead, or its protocol has no options by name.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        if self.xboard.is_some() {
            return Err(EngineError::Unusable("options are set over UCI and UCCI only".to_owned()));
        }
        let line = self.option_line(name, value);
        self.process.send(&line)
    }

    fn option_line(&self, name: &str, value: &str) -> String {
        match self.protocol {
            Protocol::Ucci => format!("setoption {name} {value}").trim_end().to_owned(),
            _ if value.is_empty() => format!("setoption name {name}"),
            _ => format!("setoption name {name} value {value}"),
        }
    }

    /// Waits until the engine has done all it was told.
    fn ready(&mut self) -> Result<(), EngineError> {
        self.process.send("isready")?;
        let deadline = Instant::now() + READY;
        while let Some(line) = self.process.receive(deadline)? {
            if line.text == "readyok" {
                return Ok(());
            }
        }
        Err(EngineError::TimedOut { request: "isready" })
    }

    /// Asks for a move from the start position: no opening move is legal in both numberings.
    fn find_rank_base(&mut self) -> Result<(), EngineError> {
        self.process.send("position startpos")?;
        self.process.send("go depth 1")?;
        let deadline = Instant::now() + HANDSHAKE;
        while let Some(line) = self.process.receive(deadline)? {
            let Some(text) = line.text.strip_prefix("bestmove ") else { continue };
            let word = text.split_whitespace().next().unwrap_or("");
            let start = Position::startpos();
            for base in [RankBase::Zero, RankBase::One] {
                if read_move(word, base).is_some_and(|mv| start.is_legal(mv)) {
                    self.rank_base = base;
                    return Ok(());
                }
            }
            return Err(EngineError::Unusable(format!("answers {word:?} in the start position")));
        }
        Err(EngineError::TimedOut { request: "go depth 1" })
    }

    /// Tells the engine that a new game begins.
    ///
    /// # Errors
    /// When it is dead or never gets ready.
    pub fn new_game(&mut self, start: &Position) -> Result<(), EngineError> {
        self.pondering = None;
        if let Some(xboard) = &mut self.xboard {
            return xboard.new_game(&mut self.process, &self.config, start);
        }
        match self.protocol {
            Protocol::Uci => self.process.send("ucinewgame")?,
            _ if self.announces("newgame") => self.process.send("setoption newgame")?,
            _ => {}
        }
        self.ready()
    }

    /// Lets the engine move. `patience` is how long the runner waits for the reply.
    ///
    /// # Errors
    /// [`EngineError::TimedOut`] when there was no reply in time (the search may still run), and the other ways to fail.
    pub fn go(&mut self, turn: &Turn<'_>, patience: Duration) -> Result<Reply, EngineError> {
        if let Some(xboard) = &mut self.xboard {
            return xboard.go(&mut self.process, &self.config, turn, patience);
        }
        let played = turn.history.moves().last().copied().flatten();
        let start = match self.pondering.take() {
            Some(guess) if Some(guess) == played => {
                let now = Instant::now();
                self.process.send("ponderhit")?;
                now
            }
            pondering => {
                if pondering.is_some() {
                    self.stop_pondering()?;
                }
                self.request(turn, false)?
            }
        };
        self.await_bestmove(start, patience, "go")
    }

    /// Sends position and `go`; returns when the clock started.
    fn request(&mut self, turn: &Turn<'_>, ponder: bool) -> Result<Instant, EngineError> {
        self.process.send(&requests::position(turn.history, self.protocol, self.rank_base))?;
        let go = match self.protocol {
            Protocol::Ucci => {
                requests::go_ucci(turn, &self.config.limits, ponder, self.announces("usemillisec"))
            }
            _ => requests::go_uci(turn, &self.config.limits, ponder),
        };
        let start = Instant::now();
        self.process.send(&go)?;
        Ok(start)
    }

    fn await_bestmove(
        &mut self,
        start: Instant,
        patience: Duration,
        request: &'static str,
    ) -> Result<Reply, EngineError> {
        let mut facts = SearchFacts::default();
        while let Some(line) = self.process.receive(start + patience)? {
            if line.text.starts_with("info ") {
                facts.read_info(&line.text);
            } else if let Some(answer) = read_bestmove(&line.text, self.rank_base) {
                return Ok(Reply { answer, facts, elapsed: line.at.saturating_duration_since(start) });
            }
        }
        Err(EngineError::TimedOut { request })
    }

    /// Lets the engine think about the position after its own move and its guess, if it ponders.
    ///
    /// `turn` is the game with the guess already played; the guess must be legal.
    ///
    /// # Errors
    /// When the engine is dead.
    pub fn ponder(&mut self, turn: &Turn<'_>) -> Result<(), EngineError> {
        if self.xboard.is_none() {
            self.request(turn, true)?;
            self.pondering = turn.history.moves().last().copied().flatten();
        }
        Ok(())
    }

    /// Ends a search on a wrong guess and drops its reply.
    fn stop_pondering(&mut self) -> Result<(), EngineError> {
        self.process.send("stop")?;
        self.await_bestmove(Instant::now(), STOP, "stop").map(|_| ())
    }

    /// Ends what the engine still does when a game is over.
    ///
    /// # Errors
    /// When it does not obey.
    pub fn end_game(&mut self) -> Result<(), EngineError> {
        match &mut self.xboard {
            Some(xboard) => xboard.end_game(&mut self.process),
            None if self.pondering.take().is_some() => self.stop_pondering(),
            None => Ok(()),
        }
    }

    /// Whether an engine that overstepped its time can be made to stop; if not it must be started again.
    pub fn recover(&mut self) -> bool {
        self.xboard.is_none() && self.stop_pondering().is_ok()
    }

    /// Ends the process: it is in a state from which it cannot play on.
    pub fn dismiss(&mut self) {
        self.process.kill();
    }

    /// Whether the process still runs.
    pub fn is_alive(&mut self) -> bool {
        self.process.is_alive()
    }

    /// Whether the engine was asked to ponder and speaks a protocol in which the runner starts that.
    pub fn wants_ponder(&self) -> bool {
        self.config.ponder && self.xboard.is_none()
    }
}

/// The game with a guess played, for [`Engine::ponder`]; `None` when the guess is not legal.
pub fn with_guess(history: &History, guess: Option<Move>) -> Option<History> {
    let guess = guess.filter(|&mv| history.current().is_legal(mv))?;
    let mut history = history.clone();
    history.push(guess);
    Some(history)
}
