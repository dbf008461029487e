//! PGN as xiangqi programs write it: the tags of xqbase and of PyChess, moves in any notation, UTF-8, GBK or Big5.

mod read;
mod split;
mod state;
mod tags;
mod write;

pub(super) use read::games;
pub(super) use state::State;
pub(super) use tags::begun_tag;
pub(super) use write::{keeps, keeps_breaks, write};
