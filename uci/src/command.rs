//! What a driver can say: one type for UCCI, UCI and Cyclone's form of UCI.
//!
//! Commands borrow from their line. Moves stay words here: how they number the ranks is a matter of the session.

use engine::options::Protocol;

/// One line of input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command<'a> {
    /// Nothing on the line.
    Empty,
    /// `ucci`, `uci`, `ucicyclone`.
    Handshake(Protocol),
    /// `isready`.
    IsReady,
    /// `setoption …`.
    SetOption(Setting<'a>),
    /// `debug on`, `debug off` of UCI; the word after `debug`.
    Debug(&'a str),
    /// `ucinewgame`, `newgame`, `uccinewgame`.
    NewGame,
    /// `position …`, `fen …`, `startpos …`.
    Position(Board<'a>),
    /// `banmoves …`.
    BanMoves(Vec<&'a str>),
    /// `go …`.
    Go(Box<Go<'a>>),
    /// `ponderhit [draw]`.
    PonderHit {
        /// The opponent offers a draw.
        draw: bool,
    },
    /// `stop`.
    Stop,
    /// `probe …`.
    Probe(Board<'a>),
    /// `quit`.
    Quit,
    /// `d`.
    Display,
    /// `eval`.
    Eval,
    /// `flip`.
    Flip,
    /// `bench [depth]`.
    Bench {
        /// The depth, if one is given; the word that should be one, if it is none.
        depth: Result<Option<u32>, &'a str>,
    },
    /// `help`.
    Help,
    /// `compiler`.
    Compiler,
    /// `license`.
    License,
    /// Anything else.
    Unknown(&'a str),
}

impl Command<'_> {
    /// Whether the answer is a text for people, of many lines and on nobody's clock.
    pub(crate) fn is_for_people(&self) -> bool {
        matches!(self, Self::Display | Self::Eval | Self::Help | Self::Compiler | Self::License)
    }
}

/// What `setoption` sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting<'a> {
    /// `name <words> value <rest>`: the grammar of UCI.
    Named {
        /// The name, which can contain blanks.
        name: &'a str,
        /// The value, empty if there is none.
        value: &'a str,
    },
    /// The grammar of UCCI: a name, and everything after the next blank is the value. Names of UCI that contain
    /// blanks come this way too, so that only the table of options can tell where the name ends.
    Words(&'a str),
}

/// A position and moves from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board<'a> {
    /// Where the moves start.
    pub start: Start<'a>,
    /// The moves.
    pub moves: Vec<&'a str>,
}

/// Where a list of moves starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start<'a> {
    /// The start of a game.
    Startpos,
    /// A FEN, not looked at yet.
    Fen(&'a str),
    /// Neither; what stood there instead.
    Missing(&'a str),
    /// Text between `startpos` and the moves.
    Excess(&'a str),
}

/// The words of `go`. Numbers are as they stood there: saturated, negative ones 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Go<'a> {
    /// Think on the opponent's time.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    /// No limit.
    pub infinite: bool,
    /// Last iteration.
    pub depth: Option<u64>,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Mate in so many moves.
    pub mate: Option<u64>,
    /// Time for this move, ms.
    pub move_time: Option<u64>,
    /// Moves to the next time control.
    pub moves_to_go: Option<u64>,
    /// The opponent's clock, in the unit of UCCI.
    pub opponent_time: Option<u64>,
    /// Added to it after every move.
    pub opponent_increment: Option<u64>,
    /// The opponent's moves to the next time control.
    pub opponent_moves_to_go: Option<u64>,
    /// UCCI: own clock, in the unit of the session.
    pub time: Option<u64>,
    /// UCCI: own increment, in the unit of the session.
    pub increment: Option<u64>,
    /// UCI: Red's clock, ms.
    pub red_time: Option<u64>,
    /// UCI: Black's clock, ms.
    pub black_time: Option<u64>,
    /// UCI: Red's increment, ms.
    pub red_increment: Option<u64>,
    /// UCI: Black's increment, ms.
    pub black_increment: Option<u64>,
    /// Moves to choose from.
    pub search_moves: Vec<&'a str>,
    /// Count leaves instead of searching.
    pub perft: Option<u64>,
    /// The first key without a number, and what stood there.
    pub fault: Option<(&'a str, &'a str)>,
    /// The first word that means nothing here.
    pub unknown: Option<&'a str>,
}
