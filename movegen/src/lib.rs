//! Xiangqi: board, legal moves, FEN, perft, and (in modules of their own) notations and the repetition law.
//!
//! No search, no evaluation, no clocks, no input or output.
//!
//! ```
//! use movegen::{Move, Position};
//! let position = Position::startpos();
//! assert_eq!(position.legal_moves().len(), 44);
//! let cannon: Move = "h2e2".parse().unwrap();
//! assert!(position.is_legal(cannon));
//! ```

pub mod attacks;
mod bitboard;
mod fen;
mod history;
mod moves;
pub mod notation;
mod perft;
mod position;
pub mod rules;
mod types;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use fen::{FenError, START_FEN};
pub use history::History;
pub use moves::{MAX_MOVES, Move, MoveList, MoveParseError};
pub use perft::{perft, perft_divide};
pub use position::{
    IllegalMove, MAX_COUNTER, MoveObserver, Position, PositionError, Problem, Setup, Undo, see_value,
};
pub use types::{Color, File, Piece, PieceKind, Rank, Square, SquareParseError};
