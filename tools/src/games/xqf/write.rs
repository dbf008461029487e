//! Writes XQF of version 10, which every reader takes.

use std::io::{self, Write};

use movegen::{Color, Square};

use super::{ABSENT, FIELDS, HEADER};
use crate::games::binary;
use crate::games::encoding::{decode_gb, encode_gb};
use crate::games::game::{Game, NodeId, Outcome};
use crate::games::losses::Kept;

/// Writes the game with its variations and comments.
pub(in crate::games) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&header(game))?;
    record(out, [0x18, 0x20], game.next(NodeId::ROOT).is_some(), false, game.comment(NodeId::ROOT))?;
    // The line of a move comes before its alternatives, so these wait on a stack.
    let mut waiting: Vec<NodeId> = game.next(NodeId::ROOT).into_iter().collect();
    while let Some(id) = waiting.pop() {
        let (Some(mv), next, sibling) = (game.mv(id), game.next(id), game.sibling(id)) else { continue };
        let squares = [square_number(mv.from()) + 0x18, square_number(mv.to()) + 0x20];
        record(out, squares, next.is_some(), sibling.is_some(), game.comment(id))?;
        waiting.extend(sibling.into_iter().chain(next));
    }
    Ok(())
}

fn record(
    out: &mut dyn Write,
    [from, to]: [u8; 2],
    continues: bool,
    alternative: bool,
    comment: &str,
) -> io::Result<()> {
    let flags = if continues { 0xf0 } else { 0 } | if alternative { 0x0f } else { 0 };
    let comment = encode_gb(comment);
    out.write_all(&[from, to, flags, 0])?;
    out.write_all(&u32::try_from(comment.len()).map_err(io::Error::other)?.to_le_bytes())?;
    out.write_all(&comment)
}

fn square_number(square: Square) -> u8 {
    square.file() as u8 * 10 + square.rank() as u8
}

fn header(game: &Game) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..3].copy_from_slice(b"XQ\x0a");
    for (slot, square) in binary::slots(game.start()).into_iter().enumerate() {
        header[0x10 + slot] = square.map_or(ABSENT, square_number);
    }
    header[0x32] = u8::from(game.start().side_to_move() == Color::Black);
    header[0x33] = match game.outcome {
        Outcome::Unknown => 0,
        Outcome::RedWins => 1,
        Outcome::BlackWins => 2,
        Outcome::Draw => 3,
    };
    for (offset, room, tag) in FIELDS {
        let value = game.tag(tag);
        let bytes = fitting(value.unwrap_or_default(), room);
        header[offset] = bytes.len() as u8;
        header[offset + 1..][..bytes.len()].copy_from_slice(&bytes);
    }
    header
}

/// What becomes of a tag: there is a field for some, of a fixed length.
pub(in crate::games) fn keeps(name: &str, value: &str) -> Kept {
    let field = FIELDS.iter().find(|(.., tag)| tag.eq_ignore_ascii_case(name));
    let Some(&(_, room, _)) = field else { return Kept::Nothing };
    let fitting = fitting(value, room);
    if fitting == encode_gb(value) {
        Kept::Whole
    } else {
        Kept::Beginning(decode_gb(&fitting, None).text.into_owned())
    }
}

/// The text in GB18030, cut after the last character that fits.
fn fitting(text: &str, room: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for c in text.chars() {
        let encoded = encode_gb(c.encode_utf8(&mut [0; 4]));
        if bytes.len() + encoded.len() > room {
            break;
        }
        bytes.extend(encoded);
    }
    bytes
}
