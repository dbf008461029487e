//! The engine as its driver sees it: a game, options, and at most one search.
//!
//! Every search that [`Engine::go`] starts ends in exactly one [`Reply`], whatever happens in between: it comes out of
//! `go` itself (there is no move), of [`Engine::stop`] or [`Engine::ponderhit`] (the search was over, its reply held
//! back) or of [`Engine::handle`] (the search has ended). A search that must not end by itself (`infinite`, or
//! pondering before the hit) may well be over; its reply is held back then.

use std::ffi::OsStr;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use movegen::rules::{Verdict, judge, offending_root_moves};
use movegen::{Move, Position};
use search::nnue::Network;
use search::{Control, HashError, Info, Iteration, Limits, Probe, Searcher};

use crate::backend::Backend;
use crate::book::{Book, Loaded};
use crate::game::Game;
use crate::options::{Effect, OptionError, OptionSpec, Options, Protocol};
use crate::running::{Manner, Running};
use crate::strength::{Chance, Handicap};
use crate::time::{Clock, NodeClock, clock_budget, move_time_budget, nodes_in};
use crate::window::Window;
use crate::worker::{self, Chore, Event, Job, SearchId};

/// A forced move takes this fraction of its time.
const FORCED_MOVE_SHARE: u32 = 10;
/// How long a probe may wait for the search thread.
const PROBE_PATIENCE: Duration = Duration::from_millis(500);
/// How long the network that evaluates may take to be read.
const NETWORK_PATIENCE: Duration = Duration::from_secs(2);

/// How to search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoRequest {
    /// Last iteration.
    pub depth: Option<u32>,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Moves to choose from; empty for all.
    pub search_moves: Vec<Move>,
    /// Never reply before `stop`.
    pub infinite: bool,
    /// Never reply before `stop` or `ponderhit`; the clock starts with the latter.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw_offered: bool,
    /// When the request came, if it had to wait since: that time is no longer on its clock. What another search or a chore took does not count.
    pub came_at: Option<Instant>,
}

impl GoRequest {
    /// Whether a number of plies, nodes or milliseconds ends the search.
    fn is_bounded(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.move_time.is_some() || self.clock.is_some()
    }
}

/// The answer to one `go`.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the reply, or decides one")]
pub struct Reply {
    /// The move: legal and not banned. `None` if there is none.
    pub best: Option<Move>,
    /// The expected answer to it, legal after it.
    pub ponder: Option<Move>,
    /// A report that begins with the move, to show if the last one shown does not.
    pub last_report: Option<Box<Iteration>>,
    /// The game is lost: the side to move is mated or stalemated.
    pub mated: bool,
    /// Take the draw that was offered, or offer one.
    pub draw: bool,
    /// Give the game up.
    pub resign: bool,
    /// It came without `stop`.
    pub by_itself: bool,
    /// The move comes from an opening book.
    pub from_book: bool,
}

/// What an event means to the driver.
#[derive(Debug)]
pub enum Output {
    /// The running search has something to show.
    Info(Info),
    /// The search is over.
    Reply(Reply),
    /// Something a user should know of.
    Message(String),
    /// A line of the running chore.
    Text(String),
}

#[derive(Debug)]
enum State {
    Idle,
    Searching(Box<Running>),
    Chore(Arc<Control>),
}

/// A whole engine but for its voice.
#[derive(Debug)]
pub struct Engine {
    options: Options,
    game: Game,
    state: State,
    idle_since: Instant,
    last_search: SearchId,
    chance: Chance,
    books: Vec<Book>,
    /// For the option `nodestime`.
    node_clock: NodeClock,
    /// The increment that the running search will bring to it.
    node_increment: Option<Duration>,
    jobs: Sender<Job>,
    events: Receiver<Event>,
    window: Window,
}

impl Engine {
    /// An engine with the search of this project.
    ///
    /// # Errors
    /// If the system has no thread for us.
    pub fn new() -> std::io::Result<Self> {
        Self::with_backend(Searcher::new)
    }

    /// An engine with any search; `make` builds it with a hash table of so many MiB.
    ///
    /// # Errors
    /// If the system has no thread for us.
    pub fn with_backend<B: Backend>(make: fn(usize) -> Result<B, HashError>) -> std::io::Result<Self> {
        let (jobs, job_queue) = unbounded();
        let (event_queue, events) = unbounded();
        let options = Options::default();
        let window = Window::default();
        worker::spawn(make, options.hash_mib, job_queue, event_queue, window.clone())?;
        Ok(Self {
            options,
            game: Game::default(),
            state: State::Idle,
            idle_since: Instant::now(),
            last_search: 0,
            chance: Chance::new(),
            books: Vec::new(),
            node_clock: NodeClock::default(),
            node_increment: None,
            jobs,
            events,
            window,
        })
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The game in progress.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The game in progress, to set up another position. The running search keeps its own.
    pub fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    /// What the search thread reports; hand each to [`Engine::handle`].
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// Whether a search or a chore is in progress (its reply may be held back).
    pub fn is_busy(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    /// Whether a search is in progress.
    pub fn is_searching(&self) -> bool {
        matches!(self.state, State::Searching(_))
    }

    /// Whether a search is in progress that will answer without another word from the driver.
    pub fn ends_by_itself(&self) -> bool {
        matches!(&self.state, State::Searching(running) if running.ends_by_itself())
            || matches!(self.state, State::Chore(_))
    }

    /// Stores the value of an option and acts on it. To be called when idle, but for options that need no act ([`Effect::None`]) and that no
    /// running search looks at.
    ///
    /// # Errors
    /// If the text is no value of this option; the old value stays.
    pub fn set_option(
        &mut self,
        spec: &OptionSpec,
        protocol: Protocol,
        text: impl AsRef<OsStr>,
    ) -> Result<Effect, OptionError> {
        let effect = spec.set(&mut self.options, protocol, text)?;
        match effect {
            Effect::Hash => self.send(Job::Hash(vec![self.options.hash_mib])),
            Effect::Threads => self.send(Job::Threads(self.options.threads_to_run())),
            Effect::Rules => self.send(Job::Rules(self.options.rules())),
            Effect::Network => self.send(Job::Network(self.options.eval_file.clone())),
            Effect::NewGame => self.new_game(),
            Effect::NodesTime => self.node_clock = NodeClock::default(),
            // Whoever talks to the user loads the books, and tells of those that cannot be read.
            Effect::None | Effect::Log | Effect::Books => {}
        }
        Ok(effect)
    }

    /// Reads the opening books that the options name, and tells what came of it. To be called when idle.
    pub fn load_books(&mut self) -> Loaded {
        let mut loaded = Loaded::from_list(&self.options.book_files);
        self.books = std::mem::take(&mut loaded.books);
        loaded
    }

    /// A move of the opening books with the answer they expect, if this request may be answered so.
    ///
    /// Analysis and thinking on the opponent's time are searches whatever the books say. The move is one of `allowed`, none
    /// by which the law makes the side to move lose, and leads to no position the game has seen.
    fn book_move(&mut self, request: &GoRequest, allowed: &[Move]) -> Option<(Move, Option<Move>)> {
        let wants_search =
            request.infinite || request.ponder || request.mate.is_some() || self.options.multi_pv > 1;
        if wants_search || !self.options.use_book {
            return None;
        }
        let (history, position) = (self.game.history(), self.game.position());
        let mut moves = self.books.iter().map(|book| book.moves(position)).find(|moves| !moves.is_empty())?;
        let offending = offending_root_moves(history, self.options.rules());
        moves.retain(|choice| {
            let mv = choice.mv;
            allowed.contains(&mv)
                && !offending.contains(&mv)
                && !history.keys().contains(&position.play(mv).key())
        });
        let weights: Vec<u32> = moves.iter().map(|choice| choice.weight).collect();
        let mv = moves.get(self.chance.pick(&weights)?)?.mv;
        let next = position.play(mv);
        let answer = self.books.iter().find_map(|book| book.moves(&next).first().map(|choice| choice.mv));
        Some((mv, answer))
    }

    /// Forgets what was learnt in the last game. The board stays. To be called when idle.
    pub fn new_game(&mut self) {
        self.node_clock = NodeClock::default();
        self.send(Job::NewGame);
    }

    /// Starts a search of the present position; to be called when idle. Gives the reply back at once if there is no
    /// move to choose from and the request allows an answer.
    pub fn go(&mut self, request: &GoRequest) -> Option<Reply> {
        debug_assert!(!self.is_busy(), "one search at a time");
        let request = &self.what_is_left(request);
        let legal = self.game.legal_moves().len();
        let allowed = self.game.allowed_moves(&request.search_moves);
        let manner = Manner {
            infinite: request.infinite,
            bounded: request.is_bounded(),
            pondering: request.ponder,
            draw_offered: request.draw_offered,
            drawn: judge(self.game.history(), self.options.rules()) == Verdict::Draw,
        };
        // Analysis is not held back.
        let handicap = if request.infinite { None } else { Handicap::of(&self.options) };
        let mut limits = self.limits(request, &allowed, legal);
        if let Some(handicap) = &handicap {
            limits.multi_pv = limits.multi_pv.max(handicap.lines.min(allowed.len()));
            limits.nodes = [limits.nodes, handicap.nodes].into_iter().flatten().min();
            limits.depth = [limits.depth, handicap.depth].into_iter().flatten().min();
        }
        let from_book = self.book_move(request, &allowed);
        let root = self.game.position().clone();
        self.last_search += 1;
        let id = self.last_search;
        let mut running = Running::new(id, manner, root, self.game.moves_played(), allowed, handicap);
        let flag = request.clock.map(|clock| clock.time);
        running.watch(limits.hard_time, self.options.move_overhead, flag);
        if let Some((mv, answer)) = from_book {
            running.finish_from_book(mv, answer);
            if let Some(increment) = self.node_increment.take() {
                self.node_clock.press(0, increment, self.options.nodes_time);
            }
        } else if running.has_moves() {
            log::debug!("search {} with {limits:?}", self.game.position().fen());
            let history = Box::new(self.game.history().clone());
            self.send(Job::Search { id, history, limits, control: Arc::clone(&running.control) });
        } else {
            running.finish_without_move(legal == 0 && self.game.is_playable());
        }
        self.state = State::Searching(Box::new(running));
        self.release()
    }

    /// A request without the time that it has waited.
    fn what_is_left(&self, request: &GoRequest) -> GoRequest {
        let mut left = request.clone();
        if let Some(came_at) = request.came_at
            && !request.ponder
            && self.options.nodes_time == 0
        {
            let waited = came_at.max(self.idle_since).elapsed();
            left.clock = left.clock.map(|clock| Clock { time: clock.time.saturating_sub(waited), ..clock });
            left.move_time = left.move_time.map(|time| time.saturating_sub(waited));
        }
        left
    }

    /// The limits of the search that `request` asks for.
    fn limits(&mut self, request: &GoRequest, allowed: &[Move], legal: usize) -> Limits {
        let overhead = self.options.move_overhead;
        let mut limits = Limits {
            depth: request.depth,
            nodes: request.nodes,
            mate: request.mate,
            multi_pv: self.options.multi_pv.clamp(1, allowed.len().max(1)),
            root_moves: if allowed.len() == legal { Vec::new() } else { allowed.to_vec() },
            ..Limits::default()
        };
        let rate = NonZeroU64::new(self.options.nodes_time);
        self.node_increment = None;
        if let Some(clock) = &request.clock {
            let mut clock = *clock;
            if let Some(rate) = rate {
                self.node_increment = Some(clock.increment);
                clock = self.node_clock.read(&clock, rate.get());
            }
            let budget = clock_budget(&clock, overhead, self.game.moves_played(), self.options.ponder);
            // A forced move needs thought only for the answer to it.
            let share = if allowed.len() == 1 { FORCED_MOVE_SHARE } else { 1 };
            limits.soft_time = budget.soft.map(|soft| soft / share);
            limits.hard_time = Some(budget.hard / share);
        }
        if let Some(time) = request.move_time {
            let budget = move_time_budget(time, overhead);
            limits.hard_time = Some(limits.hard_time.map_or(budget.hard, |hard| hard.min(budget.hard)));
        }
        if let (Some(rate), Some(hard)) = (rate, limits.hard_time) {
            let nodes = nodes_in(hard, rate.get()).max(1);
            limits.nodes = Some(limits.nodes.map_or(nodes, |own| own.min(nodes)));
            limits.hard_time = None;
            limits.nodes_per_ms = Some(rate);
        }
        limits
    }

    /// Runs a piece of work on the search thread; to be called when idle.
    pub fn start_chore(&mut self, chore: Chore) {
        debug_assert!(!self.is_busy(), "one search at a time");
        let control = Arc::new(Control::new(false));
        self.send(Job::Chore { chore, control: Arc::clone(&control) });
        self.state = State::Chore(control);
    }

    /// Ends the search: its reply comes out of here if it was held back, else soon out of [`Engine::handle`].
    pub fn stop(&mut self) -> Option<Reply> {
        match &mut self.state {
            State::Idle => None,
            State::Chore(control) => {
                control.stop();
                None
            }
            State::Searching(running) => {
                running.stop();
                self.release()
            }
        }
    }

    /// The opponent played the expected move: the clock starts, and the reply may come.
    pub fn ponderhit(&mut self, draw_offered: bool) -> Option<Reply> {
        if let State::Searching(running) = &mut self.state {
            running.ponderhit(draw_offered);
        }
        self.release()
    }

    /// The reply, if the search is over and may answer.
    fn release(&mut self) -> Option<Reply> {
        let State::Searching(running) = &mut self.state else { return None };
        let reply = running.reply(&self.options)?;
        self.rest();
        Some(reply)
    }

    /// Takes one report of the search thread.
    pub fn handle(&mut self, event: Event) -> Option<Output> {
        match event {
            Event::Info(search, info) => {
                let running = self.running(search)?;
                if let Info::Iteration(iteration) = &info {
                    running.note(iteration);
                    // Lines that only a handicap looks at are nobody's business.
                    if iteration.multi_pv > self.options.multi_pv {
                        return None;
                    }
                }
                Some(Output::Info(info))
            }
            Event::Finished(search, result) => {
                let mut chance = self.chance.clone();
                let nodes = result.as_ref().map_or(0, |result| result.nodes);
                self.running(search)?.finish(result, &mut chance);
                if let Some(increment) = self.node_increment.take() {
                    self.node_clock.press(nodes, increment, self.options.nodes_time);
                }
                self.chance = chance;
                self.release().map(Output::Reply)
            }
            Event::Text(line) => Some(Output::Text(line)),
            Event::ChoreDone => {
                self.rest();
                None
            }
            Event::Message(text) => Some(Output::Message(text)),
        }
    }

    /// The search in progress, if it is this one: another may have been given up and still report.
    fn running(&mut self, search: SearchId) -> Option<&mut Running> {
        match &mut self.state {
            State::Searching(running) if running.id == search => Some(running),
            _ => None,
        }
    }

    /// When the driver should have had its reply; [`Engine::give_up_waiting`] then. `None` while there is no hurry.
    pub fn deadline(&self) -> Option<Instant> {
        match &self.state {
            State::Searching(running) => running.deadline(),
            _ => None,
        }
    }

    /// The deadline has passed: ends the search with what is known, without waiting for the search thread. It may be
    /// short of processor time, with more threads than cores or on a busy machine; the flag would fall all the same.
    pub fn give_up_waiting(&mut self) -> Option<Reply> {
        if let State::Searching(running) = &mut self.state
            && running.deadline().is_some_and(|deadline| deadline <= Instant::now())
        {
            log::warn!("the search is late, its best line so far is played, or else any move");
            running.control.stop();
            running.finish(None, &mut self.chance);
        }
        self.release()
    }

    /// The search thread is gone (which only a broken system brings about): ends the search with what is known.
    pub fn abandon(&mut self) -> Option<Reply> {
        if let State::Searching(running) = &mut self.state {
            running.stop();
            running.finish(None, &mut self.chance);
            return self.release();
        }
        self.rest();
        None
    }

    fn rest(&mut self) {
        self.state = State::Idle;
        self.idle_since = Instant::now();
    }

    /// Waits until the search thread has done all that was asked of it, but not longer than `patience`.
    /// Returns at once while a search or a chore is in progress.
    pub fn sync(&self, patience: Duration) {
        if !self.is_busy() {
            let (done, waiting) = bounded(1);
            self.send(Job::Sync(done));
            // Late or gone: the driver gets its answer all the same.
            let _ = waiting.recv_timeout(patience);
        }
    }

    /// What the hash table knows of a position, also while a search is in progress.
    pub fn probe(&self, position: &Position) -> Option<Probe> {
        self.sync(PROBE_PATIENCE);
        let prober = self.window.view().prober.clone()?;
        prober(position)
    }

    /// The network that evaluates, also while a search is in progress; `None` for the hand-written evaluation.
    pub fn network(&self) -> Option<Arc<Network>> {
        self.sync(NETWORK_PATIENCE);
        self.window.view().network.clone()
    }

    /// Hands a job to the search thread. If that is gone, [`Engine::events`] is closed too, and says so.
    fn send(&self, job: Job) {
        let _ = self.jobs.send(job);
    }
}
