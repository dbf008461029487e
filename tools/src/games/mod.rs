//! Game files: one model of a game, and readers and writers of the formats xiangqi programs use.
//!
//! A reader gives an iterator of games, so that files of any length pass through in constant memory. A damaged game is a
//! [`GameError`] that says where the damage is and what it is, and carries what could be read before it; the caller
//! decides whether that is worth having. Readers are total: no input makes them panic or take memory out of
//! proportion to its length.

mod binary;
mod cbf;
mod cbr;
mod dhtmlxq;
mod encoding;
mod error;
mod fenlist;
mod format;
mod game;
mod json;
mod movetext;
mod pgn;
mod text;
mod wxf;
mod xqf;

pub use error::{GameError, Place, Problem};
pub use format::{Format, Losses, ReadOptions, UnknownFormat, WriteOptions, read, read_path, write_game};
pub use game::{Game, NodeId, Outcome, TreeFull};
