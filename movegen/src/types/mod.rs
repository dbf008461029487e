//! Small value types of the board: colours, pieces, squares.

mod color;
mod piece;
mod square;

pub use color::Color;
pub use piece::{Piece, PieceKind};
pub use square::{File, Rank, Square, SquareParseError};
