//! Self-play games on disk: about three bytes a ply.
//!
//! A data file is a header followed by blocks; all numbers are little-endian. Files of the same kind may be read one after the
//! other, so shards from many machines need no joining.
//!
//! ```text
//! header  magic "XQGAMES1" · u32 length of the recipe · u32 CRC-32 of the recipe · the recipe (JSON, see `datagen`, `rescore`)
//! block   u32 length of the body · u32 games in it · u32 CRC-32 of those eight bytes and the body · the body
//! game    u32 number · u8 flags · [u8 length, FEN] · u8 opening plies · u16 searched plies
//!         · one byte a ply (opening first) · one i16 score a searched ply
//! flags   bits 0-1 result (0 Black won, 1 drawn, 2 Red won) · bits 2-4 how it ended · bit 7 a FEN follows
//! ```
//!
//! The byte of a move is its place among the legal moves in ascending order of (from square, to square), squares counted 9 × rank +
//! file; so it does not depend on the order of the move generator. Scores are in units of the evaluation (`docs/network.md`) from
//! the view of the side to move; ±[`MATE_SCORE`] less the plies is a mate. Opening plies are random and carry no score.

mod packed;
mod reader;
mod record;
mod sample;
mod source;
mod writer;

pub use packed::{MAX_PIECES, PackError, PackedPosition};
pub use reader::Reader;
pub use sample::{Filter, Sample, look_ahead, samples};
pub use source::{Source, read_files};
pub use writer::Writer;

use movegen::{Color, Move, Position};
use std::{io, path::PathBuf};
use thiserror::Error;

/// The first bytes of a data file; the last one is the version.
pub(crate) const MAGIC: &[u8; 8] = b"XQGAMES1";
/// Bytes before the recipe.
pub(crate) const HEADER_LEN: usize = 16;
/// Bytes before the body of a block.
pub(crate) const BLOCK_HEADER_LEN: usize = 12;
/// No block is longer than this; a larger length is damage.
pub(crate) const MAX_BLOCK: usize = 1 << 24;
/// A mate in `n` plies is stored as this less `n`.
pub const MATE_SCORE: i16 = 30_000;
/// Scores at or beyond this are mates.
pub const MATE_BOUND: i16 = 29_000;
/// The clock of a game longer than this many plies does not fit the format.
pub const MAX_PLIES: usize = u16::MAX as usize;

/// What can be wrong with a data file.
#[derive(Debug, Error)]
pub enum DataError {
    /// The file cannot be read or written.
    #[error("{}: {fault}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        fault: io::Error,
    },
    /// The file is something else.
    #[error("{}: not a file of games (its first bytes are not XQGAMES1)", path.display())]
    NotGames {
        /// The file.
        path: PathBuf,
    },
    /// The file ends within its head, as it does where the disk was full from the first.
    #[error("{}: its head is cut off or damaged: the file ends within the recipe", path.display())]
    CutHead {
        /// The file.
        path: PathBuf,
    },
    /// A file to go on with was made by another recipe.
    #[error("{}: made by another recipe: {found}", path.display())]
    OtherRecipe {
        /// The file.
        path: PathBuf,
        /// The recipe in its header.
        found: String,
    },
    /// Two runs that wrote to one file would spoil it.
    #[error("{}: another run writes to it", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A block is incomplete or its checksum is wrong.
    #[error("{}: damaged at byte {offset}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged block begins.
        offset: u64,
        /// What is wrong with it.
        what: &'static str,
    },
}

/// How a game ended for its players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Black won.
    BlackWins,
    /// Nobody won.
    Draw,
    /// Red won.
    RedWins,
}

impl Outcome {
    /// The outcome when this side has lost.
    pub const fn lost_by(color: Color) -> Self {
        match color {
            Color::Red => Self::BlackWins,
            Color::Black => Self::RedWins,
        }
    }

    /// Twice the points of a side: 0, 1 or 2.
    pub const fn half_points(self, color: Color) -> u8 {
        match color {
            Color::Red => self as u8,
            Color::Black => 2 - self as u8,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Mate or stalemate.
    Mate,
    /// The law: repetition, move count or a dead position.
    Law,
    /// Both sides agreed on the winner for long enough.
    WonByScore,
    /// Both sides agreed on a draw for long enough.
    DrawnByScore,
    /// The game grew too long and counts as a draw.
    Length,
}

impl Ending {
    /// All endings, in the order of their numbers in the file.
    pub const ALL: [Self; 5] = [Self::Mate, Self::Law, Self::WonByScore, Self::DrawnByScore, Self::Length];
}

/// A searched ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move played.
    pub mv: Move,
    /// In units of the evaluation from the mover's view, mates as [`MATE_SCORE`] says.
    pub score: i16,
}

/// One game.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Its number within its recipe; with the recipe's seed it decides the opening.
    pub number: u32,
    /// Where it began.
    pub start: Position,
    /// Random plies without a score.
    pub opening: Vec<Move>,
    /// The plies that were searched.
    pub plies: Vec<Ply>,
    /// Who won.
    pub outcome: Outcome,
    /// Why it ended.
    pub ending: Ending,
}

#[cfg(test)]
pub(crate) mod testing {
    use super::{Ending, Game, Outcome, Ply};
    use movegen::Position;
    use rand_chacha::{
        ChaCha8Rng,
        rand_core::{Rng, SeedableRng},
    };

    /// A game of random moves with random scores.
    pub(crate) fn random_game(number: u32) -> Game {
        let mut rng = ChaCha8Rng::seed_from_u64(u64::from(number));
        let start = if number.is_multiple_of(3) {
            Position::from_fen("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 4 20")
                .expect("a valid FEN")
        } else {
            Position::startpos()
        };
        let mut position = start.clone();
        let mut moves = Vec::new();
        for _ in 0..8 + rng.next_u32() % 120 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[rng.next_u32() as usize % legal.len()];
            moves.push(mv);
            position.make_move(mv);
        }
        let opening = moves.drain(..moves.len().min(6)).collect();
        let plies = moves.into_iter().map(|mv| Ply { mv, score: rng.next_u32() as i16 / 2 }).collect();
        let outcome = [Outcome::BlackWins, Outcome::Draw, Outcome::RedWins][rng.next_u32() as usize % 3];
        Game { number, start, opening, plies, outcome, ending: Ending::ALL[rng.next_u32() as usize % 5] }
    }
}
