//! What can be wrong with a game file, and where.

use std::fmt;

use movegen::notation::NotationError;
use movegen::{FenError, MAX_COUNTER};
use thiserror::Error;

use super::game::{Game, Outcome, TreeFull};
use crate::counted::counted;

/// Where in a file something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Counted from 1; columns in characters.
    Line {
        /// Line of the file.
        line: usize,
        /// Character of the line.
        column: usize,
    },
    /// Offset into a binary file.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { line, column } => write!(f, "line {line}, column {column}"),
            Self::Byte(offset) => write!(f, "byte {offset}"),
        }
    }
}

/// What is wrong with a game.
#[derive(Debug, Error)]
pub enum Problem {
    /// The file could not be read.
    #[error("cannot read the file: {0}")]
    Io(std::io::Error),
    /// The start position is no position.
    #[error("start position: {0}")]
    Fen(FenError),
    /// A move is malformed, illegal or ambiguous.
    #[error("move {number}{}: {fault}", of_variation(*.in_variation))]
    Move {
        /// Number of the move in its line, both sides counted together.
        number: usize,
        /// It is not a move of the main line.
        in_variation: bool,
        /// What is wrong with it.
        fault: NotationError,
    },
    /// A move of a binary file is not legal.
    #[error("move {number}{}: {from}-{to} is not a legal move here", of_variation(*.in_variation))]
    IllegalSquares {
        /// Number of the move in its line.
        number: usize,
        /// It is not a move of the main line.
        in_variation: bool,
        /// Square of origin, or its bare number.
        from: String,
        /// Target square.
        to: String,
    },
    /// No move tells which notation the game is written in.
    #[error("cannot tell which notation the moves are written in; name it with --read-notation")]
    UnknownNotation,
    /// Prose, or whatever else: nothing in it is of a game.
    #[error(
        "no game found: neither a tag nor moves whose notation shows; where there are moves, name it with --read-notation"
    )]
    NoGame,
    /// Empty, blank, or nothing but remarks.
    #[error("no game found: neither a tag nor a move in it")]
    Nothing,
    /// A comment never ends.
    #[error("the comment that begins here has no end")]
    OpenComment,
    /// A tag of PGN whose line lacks the quote and bracket.
    #[error("the tag `{0}` has no end (`\"]`) on its line")]
    OpenTag(String),
    /// A variation never ends.
    #[error("{} not closed at the end of the game", counted(*.0, "variation"))]
    OpenVariation(usize),
    /// A variation ends that never began.
    #[error("`)` without a variation")]
    StrayClose,
    /// A variation before the first move.
    #[error("a variation before any move")]
    EarlyVariation,
    /// More text follows the result.
    #[error("`{0}` after the end of the game")]
    TrailingText(String),
    /// Variations nested too deep.
    #[error(transparent)]
    TooDeep(#[from] TreeFull),
    /// The file ends in the middle of something.
    #[error("the file ends in the middle of {0}")]
    Truncated(&'static str),
    /// The head of a WXF game, and then that of the next one.
    #[error("a game without moves (no `START{{`)")]
    NoMoves,
    /// The file is of another format, or of no known one.
    #[error("not {0}")]
    NotThisFormat(&'static str),
    /// A field holds what it cannot hold.
    #[error("{field} holds {value}")]
    BadField {
        /// Which field.
        field: &'static str,
        /// What it holds.
        value: String,
    },
    /// A single game larger than any real one.
    #[error("a game of more than {0} MiB")]
    TooLarge(usize),
}

impl Problem {
    /// What is wrong with a text of which nothing could be read: that it is no game, unless it holds something like a move.
    pub(super) fn of_nothing(self) -> Self {
        match self {
            Self::Move { fault: NotationError::Illegal { .. } | NotationError::Ambiguous { .. }, .. } => self,
            _ => Self::NoGame,
        }
    }
}

fn of_variation(in_variation: bool) -> &'static str {
    if in_variation { " of a variation" } else { "" }
}

/// What a reader wants known about a game that it could read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Doubt {
    /// A game with tags whose moves do not end with a result.
    #[error("no result stands after the moves; the file may have been cut off there")]
    NoResult,
    /// A `[game]` box without its end.
    #[error("the box has no end (`[/game]`)")]
    OpenBox,
    /// A result in words nobody knows.
    #[error("the result `{0}` is not understood")]
    UnknownResult(String),
    /// The head of the game and the end of its moves, or two words there, name different results; the first counts.
    #[error("two results stand there, {tag} and {moves}; the first counts")]
    TwoResults {
        /// In the head, or first after the moves.
        tag: Outcome,
        /// After the moves.
        moves: Outcome,
    },
    /// A tag whose name another one had before it.
    #[error("the tag {name} stands there twice; the first counts, and `{value}` is left out")]
    RepeatedTag {
        /// Name of the tag.
        name: String,
        /// What the later one says.
        value: String,
    },
    /// A tag whose value goes on after a line break.
    #[error("the value of the tag {0} goes on after a line break, which is read as a blank")]
    BrokenValue(String),
    /// A brace that ends no comment; only the first of a game.
    #[error("`}}` ends no comment and is passed over")]
    StrayBrace,
    /// Bytes that are no text in the encoding of the others.
    #[error(
        "bytes that are no {} are read as U+FFFD ({}, the first here); --read-encoding can name another encoding",
        .encoding.to_ascii_uppercase(),
        counted(*.count, "time")
    )]
    Undecodable {
        /// How many replacements there are.
        count: usize,
        /// The encoding.
        encoding: &'static str,
    },
    /// What follows the game in a file that is one game.
    #[error("{} behind the last move, which {} no part of the game", counted(*.0, "byte"), if *.0 == 1 { "is" } else { "are" })]
    Rest(usize),
    /// A tag of a record against the record's own field of that meaning.
    #[error("the tag {name} says `{value}`, against the record's own `{field}`, and is left out")]
    Contradiction {
        /// Name of the tag.
        name: String,
        /// What it says.
        value: String,
        /// Name of the field, which counts.
        field: &'static str,
    },
    /// A glyph beyond the 255 of PGN.
    #[error("the glyph `{0}` is left out: their numbers end with $255")]
    UnknownGlyph(String),
    /// Marks behind a move that are no glyph of PGN, such as `???`.
    #[error("the glyph `{0}` is left out: there are !, ?, !!, ??, !? and ?!")]
    UnknownMarks(String),
    /// Signs behind the result, such as a line of `=` between games.
    #[error("`{0}` behind the result is passed over")]
    Rule(String),
    /// A PGN file of another game than xiangqi, as its `Variant` says.
    #[error("the variant is `{0}`, which is not read; the moves are taken for those of xiangqi")]
    OtherVariant(String),
    /// A move counter of a FEN beyond what is kept.
    #[error("the move counter {0} of the start position is cut: they go from 0 to {MAX_COUNTER}")]
    CutCounter(String),
    /// A comment on a move that is not there.
    #[error("{0} belongs to no move and is left out")]
    LostComment(String),
}

impl Doubt {
    /// Whether it may mean that the end of the game is lost.
    pub(crate) fn may_be_torn(&self) -> bool {
        matches!(self, Self::NoResult | Self::OpenBox | Self::LostComment(_))
    }
}

/// A doubt and where in the file it arose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Which game of the file, from 1.
    pub game: usize,
    /// Where in the file.
    pub place: Place,
    /// What it is.
    pub doubt: Doubt,
}

impl Warning {
    /// A warning at a byte of what a reader was given, not yet placed in the file.
    pub(super) fn at(offset: usize, doubt: Doubt) -> Self {
        Self { game: 1, place: Place::Byte(offset), doubt }
    }

    /// Tells the byte of an outer text for that of an inner one.
    pub(super) fn move_to(&mut self, outer: impl Fn(usize) -> usize) {
        if let Place::Byte(offset) = &mut self.place {
            *offset = outer(*offset);
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, {}: {}", self.game, self.place, self.doubt)
    }
}

// Not `#[from]`, nor a field `source`: a text that tells its cause has none besides, or whoever prints the chain says it twice.
impl From<FenError> for Problem {
    fn from(error: FenError) -> Self {
        Self::Fen(error)
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// Damage at a byte of what a reader was given, and the game up to it.
pub(super) type Damaged = (usize, Problem, Option<Box<Game>>);

/// A damaged game.
#[derive(Debug)]
pub struct GameError {
    /// Which game of the file, from 1.
    pub game: usize,
    /// Where the damage is.
    pub place: Place,
    /// What it is.
    pub problem: Problem,
    /// The game up to the damage, if it got as far as a start position.
    pub partial: Option<Box<Game>>,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            // There is no place in it.
            problem @ Problem::Nothing => write!(f, "{problem}"),
            problem => write!(f, "game {}, {}: {problem}", self.game, self.place),
        }
    }
}

impl GameError {
    /// Whether it is about the whole file, in which there is no game that could be damaged.
    pub(crate) fn is_of_file(&self) -> bool {
        matches!(self.problem, Problem::Nothing)
    }
}

// Its text tells the problem already, so that it is no source besides.
impl std::error::Error for GameError {}
