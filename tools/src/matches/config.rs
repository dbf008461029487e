//! What a match consists of: engines, limits, adjudication, schedule. Filled by [`super::words`].

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, bail, ensure};

use movegen::rules::RuleSet;

use crate::counted::counted;
use crate::openings::Source;
use crate::stats::Sprt;

/// A flag falls this long after the clock runs out: what the pipes and the scheduler of a busy machine may cost.
pub const DEFAULT_TIME_MARGIN: Duration = Duration::from_millis(50);

/// The protocol an engine speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protocol {
    /// Ask with `uci`, then with `ucci`.
    #[default]
    Auto,
    /// UCI, ranks 0-9 or 1-10.
    Uci,
    /// UCCI 3.0.
    Ucci,
    /// The XBoard (CECP) protocol, version 2.
    Xboard,
}

impl FromStr for Protocol {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        Ok(match text {
            "auto" => Self::Auto,
            "uci" => Self::Uci,
            "ucci" => Self::Ucci,
            "xboard" | "cecp" => Self::Xboard,
            _ => bail!("unknown protocol {text:?} (auto, uci, ucci, xboard)"),
        })
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Uci => "uci",
            Self::Ucci => "ucci",
            Self::Xboard => "xboard",
        })
    }
}

/// How an engine counts the ranks in its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankBase {
    /// `h2e2`.
    Zero,
    /// `h3e3`, as Fairy-Stockfish does.
    One,
}

/// A clock: `[moves/]base[+increment]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves to the next control; `None` = sudden death.
    pub moves: Option<u32>,
    /// Time for these moves or for the game.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = anyhow::Error;

    /// `40/60`, `5+0.05`, `1:30+1`: seconds, or minutes and seconds.
    fn from_str(text: &str) -> anyhow::Result<Self> {
        let malformed =
            || format!("time control {text:?}: expected [moves/]base[+increment], in seconds or min:sec");
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().with_context(malformed)?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base = match base.split_once(':') {
            Some((minutes, seconds)) => {
                seconds_of(minutes).with_context(malformed)? * 60
                    + seconds_of(seconds).with_context(malformed)?
            }
            None => seconds_of(base).with_context(malformed)?,
        };
        let increment = seconds_of(increment).with_context(malformed)?;
        ensure!(!base.is_zero(), malformed());
        ensure!(moves != Some(0), malformed());
        Ok(Self { moves, base, increment })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// The longest time of any kind: three years, which can be added to a clock without a thought.
const MAX_TIME: Duration = Duration::from_secs(100_000_000);

/// A number of seconds, fractions allowed.
pub(super) fn seconds_of(text: &str) -> anyhow::Result<Duration> {
    let seconds: f64 = text.parse().with_context(|| format!("{text:?} is not a number of seconds"))?;
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= MAX_TIME);
    time.with_context(|| format!("{text:?} is not a possible time"))
}

/// What bounds one search. Several at once: the first one reached ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveLimits {
    /// A game clock.
    pub clock: Option<TimeControl>,
    /// A fixed time for every move.
    pub move_time: Option<Duration>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Depth of every search.
    pub depth: Option<u32>,
}

impl MoveLimits {
    /// Whether nothing bounds the search.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for MoveLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| clock.to_string()),
            self.move_time.map(|time| format!("{} s a move", time.as_secs_f64())),
            self.nodes.map(|nodes| counted(nodes, "node")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// One engine as the command line describes it.
#[derive(Debug, Clone, Default)]
pub struct EngineConfig {
    /// Program and arguments.
    pub command: Vec<String>,
    /// Name in tables and game files; empty until the engine has named itself.
    pub name: String,
    /// How to speak with it.
    pub protocol: Protocol,
    /// How it counts ranks; `None` = find out.
    pub rank_base: Option<RankBase>,
    /// Working directory.
    pub directory: Option<PathBuf>,
    /// File that receives its stderr.
    pub stderr: Option<PathBuf>,
    /// What bounds its searches.
    pub limits: MoveLimits,
    /// Grace after the flag has fallen; `None` = [`DEFAULT_TIME_MARGIN`].
    pub time_margin: Option<Duration>,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// Think on the opponent's time.
    pub ponder: bool,
}

impl EngineConfig {
    /// Takes from `shared` (`-each`) what this engine leaves open. An engine with a limit of its own takes none.
    pub fn inherit(&mut self, shared: &Self) {
        if self.command.is_empty() {
            self.command.clone_from(&shared.command);
        }
        if self.protocol == Protocol::Auto {
            self.protocol = shared.protocol;
        }
        if self.limits.is_empty() {
            self.limits = shared.limits;
        }
        self.rank_base = self.rank_base.or(shared.rank_base);
        self.time_margin = self.time_margin.or(shared.time_margin);
        self.ponder |= shared.ponder;
        self.directory = self.directory.take().or_else(|| shared.directory.clone());
        self.stderr = self.stderr.take().or_else(|| shared.stderr.clone());
        let own = std::mem::take(&mut self.options);
        let inherited = shared.options.iter().filter(|(name, _)| own.iter().all(|(other, _)| other != name));
        self.options = inherited.cloned().chain(own.iter().cloned()).collect();
    }

    /// Grace after the flag has fallen.
    pub fn time_margin(&self) -> Duration {
        self.time_margin.unwrap_or(DEFAULT_TIME_MARGIN)
    }
}

/// A game is a draw when both sides have reported a score near zero for some moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawRule {
    /// Not before this full move.
    pub move_number: u32,
    /// Full moves in a row.
    pub move_count: u32,
    /// Largest score, in centipawns.
    pub score: i32,
}

/// A game is lost by the side that has reported a bad score for some moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResignRule {
    /// Moves in a row.
    pub move_count: u32,
    /// The score, in centipawns (given as a positive number).
    pub score: i32,
    /// Whether the opponent must agree.
    pub two_sided: bool,
}

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tournament {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
}

impl Tournament {
    /// Who meets whom in a round of so many players, by their numbers.
    pub fn pairings(self, players: usize) -> Vec<(usize, usize)> {
        match self {
            Self::Gauntlet => (1..players).map(|other| (0, other)).collect(),
            Self::RoundRobin => (0..players)
                .flat_map(|first| (first + 1..players).map(move |second| (first, second)))
                .collect(),
        }
    }
}

impl FromStr for Tournament {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        match text {
            "round-robin" => Ok(Self::RoundRobin),
            "gauntlet" => Ok(Self::Gauntlet),
            _ => bail!("unknown tournament {text:?} (round-robin, gauntlet)"),
        }
    }
}

/// In what order the openings of a file are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OpeningOrder {
    /// As in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// A whole match.
#[derive(Debug, Clone)]
pub struct MatchConfig {
    /// The players; at least two.
    pub engines: Vec<EngineConfig>,
    /// Where openings come from.
    pub openings: Source,
    /// Their order.
    pub order: OpeningOrder,
    /// Seed of the order.
    pub seed: u64,
    /// First opening, counted from 0.
    pub first_opening: usize,
    /// Rounds: in each, every pairing plays one encounter.
    pub rounds: usize,
    /// Games of an encounter: 1, or 2 with colours exchanged over one opening.
    pub games: usize,
    /// Games at the same time.
    pub concurrency: usize,
    /// Who meets whom.
    pub tournament: Tournament,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// Where games are appended.
    pub pgn: Option<PathBuf>,
    /// Whether the games already in that file count.
    pub resume: bool,
    /// Draws by score.
    pub draw: Option<DrawRule>,
    /// Losses by score.
    pub resign: Option<ResignRule>,
    /// A draw after this many full moves; 0 = never.
    pub max_moves: u32,
    /// The law the referee applies.
    pub rules: RuleSet,
    /// A table after every so many games; 0 = only at the end.
    pub rating_interval: usize,
    /// Name of the event in the game file.
    pub event: String,
    /// File that receives the whole dialogue with the engines.
    pub log: Option<PathBuf>,
    /// Leaves out the line of each finished game.
    pub quiet: bool,
    /// A search without a clock that takes longer than this has hung.
    pub stall: Duration,
}
