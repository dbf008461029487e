//! What a referee can tell about its verdict: the observer that records it, and the one that compiles to nothing.

use super::{Verdict, chase::Gain, ruleset::Pardon};
use crate::{Color, Move, Piece, Square};

/// Listens to the referee.
///
/// The unit type records nothing, and the referee then also does no work beyond the verdict.
pub trait Observer {
    /// Whether the calls below are made at all.
    const RECORDS: bool;

    /// The judged plies: the cycle, or for CXQ the run, between the positions after `first` and after `last` plies.
    fn span(&mut self, first: usize, last: usize);

    /// One move of the judged plies, in order.
    fn step(&mut self, step: StepReport);

    /// What decides, after the steps. If there are several calls the last one counts.
    fn clause(&mut self, clause: Clause);
}

impl Observer for () {
    const RECORDS: bool = false;

    fn span(&mut self, _: usize, _: usize) {}

    fn step(&mut self, _: StepReport) {}

    fn clause(&mut self, _: Clause) {}
}

/// A recorded judgement.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Plies after which the first and the last position of the judged cycle stand on the board.
    pub span: Option<(usize, usize)>,
    /// The moves of the cycle, in order.
    pub steps: Vec<StepReport>,
    /// What decides.
    pub clause: Clause,
}

impl Observer for Report {
    const RECORDS: bool = true;

    fn span(&mut self, first: usize, last: usize) {
        self.span = Some((first, last));
    }

    fn step(&mut self, step: StepReport) {
        self.steps.push(step);
    }

    fn clause(&mut self, clause: Clause) {
        self.clause = clause;
    }
}

/// What a move is, for the law.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveClass {
    /// Attacks the general.
    Check,
    /// Threatens mate by checks.
    Kill,
    /// Creates a threat to win a piece.
    Chase,
    /// Offers an exchange of equal pieces.
    Exchange,
    /// Stands in the way of an attack.
    Block,
    /// None of these.
    Idle,
}

impl MoveClass {
    /// The name, lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Kill => "kill",
            Self::Chase => "chase",
            Self::Exchange => "exchange",
            Self::Block => "block",
            Self::Idle => "idle",
        }
    }
}

/// A piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
}

/// One threat that a move created, as it stands after the move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threat {
    /// What is chased.
    pub victim: Placed,
    /// Where the victim stood at the start of the cycle: its identity.
    pub origin: Square,
    /// The piece that makes the threat.
    pub attacker: Placed,
    /// Why the capture wins.
    pub gain: ThreatGain,
}

/// Why a threatened capture wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ThreatGain {
    /// By the capture test of the Asian rules and its relatives.
    Capture(Gain),
    /// By a search (CXA): the line that wins, beginning with the capture or check.
    Line(Vec<Move>),
}

/// One move of the judged plies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepReport {
    /// Number of the move in the game, counted from 1.
    pub ply: usize,
    /// Who moved.
    pub side: Color,
    /// The piece that moved.
    pub piece: Piece,
    /// The move.
    pub mv: Move,
    /// What it is.
    pub class: MoveClass,
    /// The pieces that give check after it.
    pub checkers: Vec<Placed>,
    /// The threats it created (for a check: those it made besides).
    pub threats: Vec<Threat>,
    /// Whether a search that was needed ran into its node limit and was taken as failed.
    pub limited: bool,
}

/// The clause of the rule set that gives the verdict.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Clause {
    /// No rule applies; the position on the board has occurred this often.
    #[default]
    Nothing,
    /// No position has yet occurred as often as the rule asks for.
    TooFewOccurrences {
        /// Times the position on the board has occurred.
        seen: usize,
        /// Times at which the rule set judges.
        needed: usize,
    },
    /// The side to move is mated.
    Checkmate,
    /// The side to move is not in check and has no legal move, which loses too.
    Stalemate,
    /// This side checked on every move of the cycle, the other did not.
    PerpetualCheck(Color),
    /// Both sides checked on every move.
    MutualCheck,
    /// This side chased the same piece on every move of the cycle, the other side did nothing as bad.
    PerpetualChase {
        /// The offender.
        side: Color,
        /// What it chased, as it stands now.
        victim: Placed,
    },
    /// Both sides chased a piece on every move.
    MutualChase,
    /// Neither side committed an offence in the cycle.
    IdleRepetition,
    /// There was a perpetual chase, but the rule set pardons it.
    Pardoned(Pardon),
    /// The rule set knows no offence by repetition.
    NoOffenceKnown,
    /// This side checked, threatened mate or chased on every move of the cycle, the other did not (CXA).
    AllForbidden(Color),
    /// Both sides did so on every move, and this side's offence is the heavier one (CXA).
    HeavierOffence(Color),
    /// Both did, equally heavy, and this side alone did it without a joint attack (CXA).
    SingleOffence(Color),
    /// Both did, and neither offence is heavier (CXA).
    EqualOffences,
    /// More consecutive checks than the limit (CXQ).
    TooManyChecks(Run),
    /// More consecutive chases of one piece than the limit (CXQ).
    TooManyChases(Run),
    /// Both sides are past their limits (CXQ).
    BothPastLimit,
    /// A run is past its limit, but the other side stands at its own: its answer is waited for (CXQ).
    WaitingForAnswer(Run),
    /// No capture for so many plies.
    NoCapture {
        /// Plies that count.
        plies: u16,
        /// The limit.
        limit: u16,
    },
    /// No capture and no advance of a crossed pawn for so many plies (CXQ).
    NoProgress {
        /// Plies that count.
        plies: u16,
        /// The limit.
        limit: u16,
    },
    /// 120 moves each that were neither checks nor chases nor answers to them (CXQ).
    EffectiveMoves,
    /// 300 moves (CXQ).
    TotalMoves,
    /// No piece that could win is left.
    DeadPosition,
    /// One cannon, or one each, without the pieces it would need to win.
    LoneCannons,
}

/// A run of consecutive moves of one side (CXQ).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Whose moves.
    pub side: Color,
    /// How many moves.
    pub moves: usize,
    /// With how many different pieces, at most 3.
    pub pieces: usize,
}

impl Run {
    /// Moves allowed with one piece.
    const ALLOWED: usize = 6;

    /// The longest run allowed with this many pieces.
    pub const fn limit(self) -> usize {
        Self::ALLOWED * self.pieces
    }
}

impl Verdict {
    /// `none`, `draw`, `red_loses` or `black_loses`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Draw => "draw",
            Self::Loses(Color::Red) => "red_loses",
            Self::Loses(Color::Black) => "black_loses",
        }
    }
}
