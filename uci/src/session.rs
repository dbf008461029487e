//! The dialogue with a driver: a state machine over commands and the events of a running search.
//!
//! ```text
//!            go                              reply
//! [idle] ----------> [thinking] ------------------------------> [idle]
//!    |                   ^  stop, time, limits; position, setoption, banmoves, go first end the search
//!    |  go ponder        | ponderhit
//!    +-----------> [pondering]
//! ```
//!
//! Who is thinking, and whether a reply may be given, is known to the engine; the session adds the words. Either
//! handshake may come at any time, and the last one decides how replies look.

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, select};
use engine::options::{Effect, Lookup, Protocol, lookup};
use engine::{Engine, Event, Game, GoRequest, Output, Reply};
use search::Score;

use crate::command::{Board, Command, Go, Setting};
use crate::format::{Style, option_line, pophash};
use crate::input::Line;
use crate::interpret::{legal_words, request, set_board, split_option};
use crate::parse::parse;
use crate::voice::Voice;
use crate::{AUTHOR, NAME, help, input, logging};

/// How long `isready` may wait for the hash table to be allocated or cleared.
const READY_PATIENCE: Duration = Duration::from_secs(2);

/// The shortest time from `ponderhit` to its reply. The adapter uci2wb still writes down the hit after it has passed it on, and
/// loses track of the game if the reply, which may have been ready for long, comes first.
const PONDERHIT_PAUSE: Duration = Duration::from_millis(5);
/// The pause takes no more than this part of the clock: with little time and a small increment it would eat up the clock move by move.
const PONDERHIT_SHARE: u32 = 40;

/// Whether the dialogue goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
}

/// Which idle `stop` of UCCI has its answer already, since it crossed the reply on the way. An answer of its own would be taken for that
/// to the next `go`, and lose the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LateStop {
    None,
    /// The next one: the driver may have sent it a moment after a search ended by itself.
    Next,
    /// The next one, if it was read by then: there was nothing to search, and whoever has read that may well ask again (ucci.md 10.4).
    ReadBy(Instant),
}

/// A dialogue.
#[derive(Debug)]
pub struct Session<W> {
    engine: Engine,
    voice: Voice<W>,
    protocol: Protocol,
    /// When the line in work was read.
    read_at: Instant,
    late_stop: LateStop,
    /// How long a reply waits after `ponderhit`.
    hit_pause: Duration,
    /// No reply before this.
    not_before: Option<Instant>,
    /// Questions that wait for a count or benchmark to end, so that the answers do not stand in the middle of its lines.
    held: Vec<Line>,
    /// What to tell the driver once it has spoken.
    notice: Option<String>,
}

impl<W: Write> Session<W> {
    /// A dialogue of `engine`, written to `output`.
    pub fn new(engine: Engine, output: W) -> Self {
        Self {
            engine,
            voice: Voice::new(output),
            protocol: Protocol::Uci,
            read_at: Instant::now(),
            late_stop: LateStop::None,
            hit_pause: PONDERHIT_PAUSE,
            not_before: None,
            held: Vec::new(),
            notice: None,
        }
    }

    /// Tells this after the answer to the first line.
    #[must_use]
    pub fn with_notice(self, notice: Option<String>) -> Self {
        Self { notice, ..self }
    }

    /// Talks until `quit` or the end of `input`.
    ///
    /// # Errors
    /// If a line cannot be written (nobody listens any more), or the system has no thread for us.
    pub fn run(mut self, input: impl BufRead + Send + 'static) -> io::Result<()> {
        let lines = input::spawn(input)?;
        let outcome = self.converse(&lines);
        if outcome.is_err() {
            self.engine.stop();
        }
        outcome
    }

    fn converse(&mut self, lines: &Receiver<Line>) -> io::Result<()> {
        let events = self.engine.events().clone();
        let closed = crossbeam_channel::never();
        loop {
            // In batch mode the next line waits for a search that ends by itself.
            let waits = self.engine.options().batch && self.engine.ends_by_itself();
            select! {
                recv(if waits { &closed } else { lines }) -> line => match line {
                    Ok(line) => {
                        if self.take_line(line)? == Flow::Quit {
                            return Ok(());
                        }
                        if let Some(text) = self.notice.take() {
                            self.say(&text)?;
                        }
                        if let Some(error) = logging::take_fault() {
                            self.say(&format!("the log ends here: {error}"))?;
                        }
                    }
                    Err(_) => return self.end_of_input(),
                },
                recv(events) -> event => self.take_event(event.ok())?,
                recv(self.deadline()) -> _ => self.give_up_waiting()?,
            }
        }
    }

    /// Handles a line; a panic on the way is reported, and the dialogue goes on.
    fn take_line(&mut self, line: Line) -> io::Result<Flow> {
        let is_chore = self.engine.is_busy() && !self.engine.is_searching();
        if is_chore && parse(&line.text).is_for_people() {
            self.held.push(line);
            return Ok(Flow::Continue);
        }
        log::debug!("> {}", line.text);
        self.read_at = line.read_at;
        catch_unwind(AssertUnwindSafe(|| self.obey(&line))).unwrap_or_else(|_| {
            self.say("internal error, this command has no effect")?;
            Ok(Flow::Continue)
        })
    }

    /// Hands an event to the engine and writes what comes of it. `None`: the search thread is gone.
    fn take_event(&mut self, event: Option<Event>) -> io::Result<()> {
        let Some(event) = event else {
            self.say("internal error: the search is gone")?;
            return match self.engine.abandon() {
                Some(reply) => self.reply(&reply),
                None => Err(io::Error::other("the search thread has died")),
            };
        };
        match self.engine.handle(event) {
            None if self.engine.is_busy() => Ok(()),
            None => {
                for line in std::mem::take(&mut self.held) {
                    self.take_line(line)?;
                }
                Ok(())
            }
            Some(Output::Info(info)) => self.voice.info(info, self.style()),
            Some(Output::Reply(reply)) => self.reply(&reply),
            Some(Output::Message(text)) => self.say(&text),
            Some(Output::Text(line)) => self.voice.line(&line),
        }
    }

    fn reply(&mut self, reply: &Reply) -> io::Result<()> {
        self.late_stop = match reply.best {
            _ if !reply.by_itself => LateStop::None,
            Some(_) => LateStop::Next,
            None => LateStop::ReadBy(Instant::now()),
        };
        if let Some(time) = self.not_before.take() {
            thread::sleep(time.saturating_duration_since(Instant::now()));
        }
        if reply.from_book {
            self.note("the move comes from the opening book")?;
        }
        self.voice.reply(reply, self.style())
    }

    /// The end of the input is a `quit`, but a count or benchmark from a pipe is allowed to finish.
    fn end_of_input(&mut self) -> io::Result<()> {
        let events = self.engine.events().clone();
        while self.engine.is_busy() && !self.engine.is_searching() {
            self.take_event(events.recv().ok())?;
        }
        self.quit()
    }

    fn quit(&mut self) -> io::Result<()> {
        if let Some(reply) = self.engine.stop() {
            self.reply(&reply)?;
        }
        self.finish()?;
        if self.protocol == Protocol::Ucci {
            self.voice.line("bye")?;
        }
        Ok(())
    }

    /// Ends whatever is in progress, as `stop` would, and waits for its reply.
    fn finish(&mut self) -> io::Result<()> {
        if let Some(reply) = self.engine.stop() {
            self.reply(&reply)?;
        }
        let events = self.engine.events().clone();
        while self.engine.is_busy() {
            select! {
                recv(events) -> event => self.take_event(event.ok())?,
                recv(self.deadline()) -> _ => self.give_up_waiting()?,
            }
        }
        Ok(())
    }

    /// Ticks when the reply of the running search is overdue.
    fn deadline(&self) -> Receiver<Instant> {
        self.engine.deadline().map_or_else(crossbeam_channel::never, crossbeam_channel::at)
    }

    fn give_up_waiting(&mut self) -> io::Result<()> {
        match self.engine.give_up_waiting() {
            Some(reply) => self.reply(&reply),
            None => Ok(()),
        }
    }

    fn style(&self) -> Style {
        Style::new(self.protocol, self.engine.options())
    }

    /// A message for the user.
    fn say(&mut self, text: &str) -> io::Result<()> {
        self.voice.message(self.protocol, text)
    }

    /// A message for those who asked for more.
    fn note(&mut self, text: &str) -> io::Result<()> {
        if self.engine.options().debug { self.say(text) } else { Ok(()) }
    }

    /// A message that UCI drivers are used to; under UCCI for those who asked for more.
    fn remark(&mut self, text: &str) -> io::Result<()> {
        match self.protocol {
            Protocol::Uci => self.say(text),
            Protocol::Ucci => self.note(text),
        }
    }

    fn obey(&mut self, line: &Line) -> io::Result<Flow> {
        match parse(&line.text) {
            Command::Empty => {}
            Command::Handshake(protocol) => self.handshake(protocol)?,
            Command::IsReady => self.is_ready()?,
            Command::SetOption(setting) => self.set_option(&setting, line)?,
            Command::Debug(word) => self.debug(word)?,
            Command::NewGame => {
                self.finish()?;
                self.engine.new_game();
            }
            Command::Position(board) => self.position(&board)?,
            Command::BanMoves(words) => self.ban_moves(&words)?,
            Command::Go(go) => self.go(&go)?,
            Command::PonderHit { draw } => {
                self.not_before = Some(Instant::now() + self.hit_pause);
                if let Some(reply) = self.engine.ponderhit(draw) {
                    self.reply(&reply)?;
                }
            }
            Command::Stop => self.stop()?,
            Command::Probe(board) => self.probe(&board)?,
            Command::Quit => {
                self.quit()?;
                return Ok(Flow::Quit);
            }
            Command::Display => {
                let text = help::board(self.engine.game(), self.style());
                self.voice.lines(&text)?;
            }
            Command::Eval => {
                let network = self.engine.network();
                let text = help::evaluation(self.engine.game(), network.as_deref());
                self.voice.lines(&text)?;
            }
            Command::Flip => {
                self.finish()?;
                self.engine.game_mut().flip();
            }
            Command::Bench { depth: Err(word) } => self.say(&format!("bench: '{word}' is not a depth"))?,
            Command::Bench { depth: Ok(depth) } => {
                self.finish()?;
                let protocol = self.protocol;
                self.engine
                    .start_chore(Box::new(move |control, line| help::bench(depth, protocol, control, line)));
            }
            Command::Help => self.voice.lines(&help::commands())?,
            Command::Compiler => self.voice.lines(&help::build())?,
            Command::License => self.voice.lines(help::LICENSE)?,
            Command::Unknown(text) => {
                let text = format!("unknown command: {text}");
                match self.protocol {
                    Protocol::Uci => self.say(&text)?,
                    Protocol::Ucci => self.note(&text)?,
                }
            }
        }
        Ok(Flow::Continue)
    }

    fn handshake(&mut self, protocol: Protocol) -> io::Result<()> {
        self.protocol = protocol;
        self.voice.line(&format!("id name {NAME} {}", env!("CARGO_PKG_VERSION")))?;
        self.voice.line(&format!("id author {AUTHOR}"))?;
        for spec in engine::options::OPTIONS {
            if let Some(line) = option_line(spec, protocol) {
                self.voice.line(&line)?;
            }
        }
        #[cfg(feature = "tune")]
        for row in search::TUNABLES {
            self.voice.line(&crate::format::tunable_line(row, protocol))?;
        }
        self.voice.line(match protocol {
            Protocol::Ucci => "ucciok",
            Protocol::Uci => "uciok",
        })
    }

    fn is_ready(&mut self) -> io::Result<()> {
        if !self.engine.is_busy() {
            self.engine.sync(READY_PATIENCE);
            // What went wrong with the options comes before the answer.
            let events = self.engine.events().clone();
            while let Ok(event) = events.try_recv() {
                self.take_event(Some(event))?;
            }
        }
        self.voice.line("readyok")
    }

    /// `debug` of UCI, which may come at any time: it changes nothing that a search looks at.
    fn debug(&mut self, word: &str) -> io::Result<()> {
        let Lookup::Known(spec) = lookup("debug", self.protocol) else { return Ok(()) };
        match self.engine.set_option(spec, self.protocol, word) {
            Ok(_) => Ok(()),
            Err(error) => self.say(&error.to_string()),
        }
    }

    fn set_option(&mut self, setting: &Setting<'_>, line: &Line) -> io::Result<()> {
        let (name, value) = match *setting {
            Setting::Named { name, value } => (name, value),
            Setting::Words(words) => split_option(words, self.protocol),
        };
        let found = lookup(name, self.protocol);
        // What has no effect leaves the search alone.
        if matches!(found, Lookup::Known(_)) || is_tunable(name) {
            self.finish()?;
        }
        match found {
            Lookup::Known(spec) => match self.engine.set_option(spec, self.protocol, line.tail(value)) {
                Ok(Effect::Log) => {
                    let path = self.engine.options().log_file.clone();
                    match logging::log_to(&path) {
                        Ok(()) => Ok(()),
                        Err(error) => self.say(&format!("log file {}: {error}", path.to_string_lossy())),
                    }
                }
                Ok(Effect::Books) => self.load_books(),
                Ok(Effect::Threads) => self.tell_threads(),
                Ok(_) if spec.only.is_some_and(|only| only != self.protocol) => {
                    self.note(&format!("option {name} changes nothing under this protocol"))
                }
                Ok(_) => Ok(()),
                Err(error) => self.say(&error.to_string()),
            },
            Lookup::Ignored => self.note(&format!("option {name} is ignored")),
            #[cfg(feature = "tune")]
            Lookup::Unknown if is_tunable(name) => {
                match value.parse().is_ok_and(|value| search::set_tunable(name, value)) {
                    true => Ok(()),
                    false => self.say(&format!("option {name}: '{value}' is not a whole number")),
                }
            }
            Lookup::Unknown if name.is_empty() => self.remark("setoption without a name"),
            Lookup::Unknown => self.remark(&format!("unknown option: {name}")),
        }
    }

    fn tell_threads(&mut self) -> io::Result<()> {
        let options = self.engine.options();
        let (asked, run) = (options.threads, options.threads_to_run());
        if asked > run { self.remark(&format!("{run} of {asked} threads run, one per core")) } else { Ok(()) }
    }

    /// Reads the opening books; a file that is not there is only of interest to those who asked for more.
    fn load_books(&mut self) -> io::Result<()> {
        let loaded = self.engine.load_books();
        // One line each, however long the list of files: it may come from a driver that has gone wrong.
        let more =
            |count: usize| if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
        if let Some(name) = loaded.missing.first() {
            self.note(&format!("book {name}: there is no such file{}", more(loaded.missing.len())))?;
        }
        match loaded.faults.first() {
            Some(text) => self.say(&format!("{text}{}", more(loaded.faults.len()))),
            None => Ok(()),
        }
    }

    fn position(&mut self, board: &Board<'_>) -> io::Result<()> {
        self.finish()?;
        let style = self.style();
        match set_board(self.engine.game_mut(), board, style) {
            None => Ok(()),
            Some(fault) => self.say(&fault),
        }
    }

    fn ban_moves(&mut self, words: &[&str]) -> io::Result<()> {
        self.finish()?;
        let (moves, fault) = legal_words(self.engine.game(), words, "banmoves", self.style());
        self.engine.game_mut().ban(moves);
        fault.map_or(Ok(()), |text| self.say(&text))
    }

    fn go(&mut self, go: &Go<'_>) -> io::Result<()> {
        self.finish()?;
        if let Some((key, word)) = go.fault {
            self.say(&format!("go {key}: '{word}' is not a number"))?;
        }
        if let Some(word) = go.unknown {
            self.note(&format!("go: word '{word}' is ignored"))?;
        }
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        if go.depth == Some(0) && self.protocol == Protocol::Ucci {
            return self.static_evaluation();
        }
        let game = self.engine.game();
        let (search_moves, fault) = legal_words(game, &go.search_moves, "searchmoves", self.style());
        if let Some(text) = fault {
            self.say(&text)?;
        }
        let side = self.engine.game().position().side_to_move();
        let request = request(go, search_moves, side, self.engine.options());
        let request = GoRequest { came_at: Some(self.read_at), ..request };
        self.late_stop = LateStop::None;
        self.not_before = None;
        let share = request.clock.map_or(PONDERHIT_PAUSE, |clock| clock.time / PONDERHIT_SHARE);
        self.hit_pause = share.min(PONDERHIT_PAUSE);
        self.voice.search_begins();
        match self.engine.go(&request) {
            Some(reply) => self.reply(&reply),
            None => Ok(()),
        }
    }

    fn perft(&mut self, depth: u64) -> io::Result<()> {
        if !self.engine.game().is_playable() {
            return self.say("perft: there is no position to count in");
        }
        let position = self.engine.game().position().clone();
        let style = self.style();
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        self.engine.start_chore(Box::new(move |control, line| {
            help::perft(&position, depth, style, control, line);
        }));
        Ok(())
    }

    /// `go depth 0` of UCCI: only what the evaluation says.
    fn static_evaluation(&mut self) -> io::Result<()> {
        let game = self.engine.game();
        if game.is_playable() {
            let position = game.position();
            let score = if position.has_legal_move() {
                search::static_score(position, self.engine.network().as_deref())
            } else {
                Score::Mate(0)
            };
            let line = format!("info depth 0 score {}", self.style().score(score));
            self.voice.line(&line)?;
        }
        self.late_stop = LateStop::ReadBy(Instant::now());
        self.voice.line("nobestmove")
    }

    fn stop(&mut self) -> io::Result<()> {
        if self.engine.is_busy() {
            return match self.engine.stop() {
                Some(reply) => self.reply(&reply),
                None => Ok(()),
            };
        }
        let late = match std::mem::replace(&mut self.late_stop, LateStop::None) {
            LateStop::None => false,
            LateStop::Next => true,
            LateStop::ReadBy(time) => self.read_at <= time,
        };
        if self.protocol == Protocol::Ucci && !late { self.voice.line("nobestmove") } else { Ok(()) }
    }

    fn probe(&mut self, board: &Board<'_>) -> io::Result<()> {
        let style = self.style();
        let mut game = Game::default();
        if let Some(fault) = set_board(&mut game, board, style) {
            self.say(&fault)?;
        }
        let probe = if game.is_playable() { self.engine.probe(game.position()) } else { None };
        self.voice.line(&pophash(probe.as_ref(), style))
    }
}

/// Whether a number of the search has this name and can be set.
#[cfg(feature = "tune")]
fn is_tunable(name: &str) -> bool {
    search::TUNABLES.iter().any(|row| row.name == name)
}

/// Whether a number of the search has this name and can be set.
#[cfg(not(feature = "tune"))]
fn is_tunable(_: &str) -> bool {
    false
}
