//! Game files: one model of a game, and readers and writers of the formats xiangqi programs use.
//!
//! A reader gives an iterator of games, so that files of any length pass through in constant memory. A damaged game is a
//! [`GameError`] that says where the damage is and what it is, and carries what could be read before it; the caller
//! decides whether that is worth having. Readers are total: no input makes them panic or take memory out of
//! proportion to its length.

mod binary;
mod blocks;
mod cbf;
mod cbr;
mod dhtmlxq;
mod encoding;
mod error;
mod fenlist;
mod format;
mod game;
mod json;
mod losses;
mod markup;
mod movetext;
mod parts;
mod pgn;
mod read;
mod replay;
mod stream;
mod text;
mod write;
mod wxf;
mod xqf;

pub use encoding::{InputEncoding, UnknownEncoding, input_encoding, output_encoding};
pub use error::{Doubt, GameError, Place, Problem, Warning};
pub use format::{Format, UnknownFormat};
pub use game::{Game, NodeId, Outcome, TreeFull};
pub use losses::{Loss, Losses};
pub use read::{Games, ReadOptions, read, read_path};
pub use write::{WriteError, WriteOptions, write_game};
