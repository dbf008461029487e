//! What can be wrong with a game file, and where.

use std::fmt;

use movegen::FenError;
use movegen::notation::NotationError;
use thiserror::Error;

use super::game::{Game, TreeFull};

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
    Io(#[from] std::io::Error),
    /// The start position is no position.
    #[error("start position: {0}")]
    Fen(#[from] FenError),
    /// A move is malformed, illegal or ambiguous.
    #[error("move {number}: {source}")]
    Move {
        /// Number of the move in its line, both sides counted together.
        number: usize,
        /// What is wrong with it.
        source: NotationError,
    },
    /// A move of a binary file is not legal.
    #[error("move {number}: {from}-{to} is not a legal move here")]
    IllegalSquares {
        /// Number of the move in its line.
        number: usize,
        /// Square of origin, or its bare number.
        from: String,
        /// Target square.
        to: String,
    },
    /// No move tells which notation the game is written in.
    #[error("cannot tell which notation the moves are written in; name it with --notation")]
    UnknownNotation,
    /// A comment never ends.
    #[error("the comment that begins here has no end")]
    OpenComment,
    /// A variation never ends.
    #[error("{0} variation(s) not closed at the end of the game")]
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
        write!(f, "game {}, {}: {}", self.game, self.place, self.problem)
    }
}

impl std::error::Error for GameError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.problem)
    }
}
