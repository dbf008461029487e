//! XQF, the files most Chinese collections are made of.
//!
//! A header of 1024 bytes (magic, version, keys, 32 piece squares, Pascal strings in GB18030), then the tree of moves: a
//! record for the start, then each move followed by its line and after that by its alternatives. Version 10 is plain;
//! later versions add a key to every byte, shift squares and reorder the pieces.
//!
//! Sources: the format's author's description of the header and its key formulas (`XQFRW.pas`, as open readers quote it),
//! checked against files of versions 10 and 18.

mod cipher;
mod read;
mod write;

pub(super) use read::game;
pub(super) use write::{keeps, write};

/// Where the moves begin.
const HEADER: usize = 0x400;
/// A slot without a piece.
const ABSENT: u8 = 0xff;

/// The Pascal strings of the header: offset of the length byte, room for the bytes, and the tag each becomes.
const FIELDS: [(usize, usize, &str); 11] = [
    (0x50, 63, "Title"),
    (0xd0, 63, "Event"),
    (0x110, 15, "Date"),
    (0x120, 15, "Site"),
    (0x130, 15, "Red"),
    (0x140, 15, "Black"),
    (0x150, 63, "TimeControl"),
    (0x190, 15, "RedTime"),
    (0x1a0, 15, "BlackTime"),
    (0x1d0, 15, "Annotator"),
    (0x1e0, 15, "Author"),
];
