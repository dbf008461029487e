//! Reads XQF.

use movegen::{Color, Piece, Square};

use super::cipher::Keys;
use super::{ABSENT, FIELDS, HEADER};
use crate::games::binary::{self, Cursor, Damage, Record};
use crate::games::encoding::{Decoded, InputEncoding, decode_gb};
use crate::games::error::{Damaged, Problem, Warning};
use crate::games::game::{Game, NodeId, Outcome};

/// The last version without scrambling.
const PLAIN_VERSION: u8 = 10;
/// From this version on the pieces' order is turned.
const TURNED_VERSION: u8 = 12;

/// Reads the one game of a file. On damage the game so far comes with the error.
pub(in crate::games) fn game(bytes: &[u8], encoding: InputEncoding) -> Result<Game, Damaged> {
    if !bytes.starts_with(b"XQ") {
        return Err((0, Problem::NotThisFormat("an XQF file"), None));
    }
    let (Some(header), Some(body)) = (bytes.get(..HEADER), bytes.get(HEADER..)) else {
        return Err((bytes.len(), Problem::Truncated("the header"), None));
    };
    let version = header[2];
    let plain = version <= PLAIN_VERSION;
    let keys = if plain { Keys::PLAIN } else { Keys::from_header(header) };
    let board = board(header, version, &keys);
    let body = keys.decipher(body, HEADER);
    let mut records = Records { cursor: Cursor::new(&body, 0), plain, keys, encoding, warnings: Vec::new() };
    let root = records.next();
    let first = records.clone().next().ok().filter(|_| root.as_ref().is_ok_and(|root| root.continues));
    let side = binary::side_from_first_move(&board, first.and_then(|record: Record| record.from))
        .unwrap_or(if header[0x32] == 1 { Color::Black } else { Color::Red });
    let start = binary::position(board, side).map_err(|problem| (0x10, problem, None))?;
    let mut game = Game::new(start);
    head(&mut game, header, encoding);
    let read = root.and_then(|root| {
        game.add_comment(NodeId::ROOT, &root.comment);
        if root.continues { binary::read_tree(&mut game, || records.next().map(Some)) } else { Ok(()) }
    });
    game.warnings.append(&mut records.warnings);
    match read {
        Ok(()) => {
            let end = records.cursor.offset() + HEADER;
            game.warnings.extend(binary::rest(bytes, end));
            Ok(game)
        }
        Err((offset, problem)) => Err((offset + HEADER, problem, Some(Box::new(game)))),
    }
}

/// A text, and what is wrong with it, told at its place.
fn text(decoded: Decoded<'_>, at: usize, warnings: &mut Vec<Warning>) -> String {
    warnings.extend(decoded.warning.map(|warning| Warning::at(at, warning.doubt)));
    decoded.text.into_owned()
}

/// A field of the header that is full: programs cut what is too long, be it in the middle of a character.
fn cut(bytes: &[u8], encoding: InputEncoding) -> Decoded<'_> {
    (0..4)
        .filter_map(|lost| Some(decode_gb(bytes.get(..bytes.len().checked_sub(lost)?)?, encoding)))
        .find(|decoded| decoded.warning.is_none())
        .unwrap_or_else(|| decode_gb(bytes, encoding))
}

fn board(header: &[u8], version: u8, keys: &Keys) -> [Option<Piece>; 90] {
    let mut board = [None; 90];
    for slot in 0..32 {
        // The file's order is turned by the key, plus one.
        let turn = if version >= TURNED_VERSION { usize::from(keys.pieces & 31) + 1 } else { 0 };
        let square = header[0x10 + (slot + 64 - turn) % 32].wrapping_sub(keys.pieces);
        if square != ABSENT
            && let Some(square) = square_of(square)
        {
            board[square.index()] = Some(binary::slot_piece(slot));
        }
    }
    board
}

/// Ten times the file plus the rank.
fn square_of(number: u8) -> Option<Square> {
    if number < 90 {
        Square::from_index(usize::from(number % 10) * 9 + usize::from(number / 10))
    } else {
        None
    }
}

fn head(game: &mut Game, header: &[u8], encoding: InputEncoding) {
    for (offset, room, tag) in FIELDS {
        let length = usize::from(header[offset]).min(room);
        let bytes = &header[offset + 1..offset + 1 + length];
        let decoded = if length == room { cut(bytes, encoding) } else { decode_gb(bytes, encoding) };
        let text = text(decoded, offset, &mut game.warnings);
        let text = text.trim_matches(['\0', ' ', '\r', '\n']);
        if !text.is_empty() {
            game.set_tag(tag, text);
        }
    }
    game.outcome = match header[0x33] {
        1 => Outcome::RedWins,
        2 => Outcome::BlackWins,
        3 | 4 => Outcome::Draw,
        _ => Outcome::Unknown,
    };
}

#[derive(Clone)]
struct Records<'a> {
    cursor: Cursor<'a>,
    plain: bool,
    keys: Keys,
    encoding: InputEncoding,
    warnings: Vec<Warning>,
}

impl Records<'_> {
    fn next(&mut self) -> Result<Record, Damage> {
        let at = self.cursor.offset();
        let [from, to, flags, _] = self.cursor.array("a move")?;
        let (continues, has_alternative, has_comment) = if self.plain {
            (flags & 0xf0 != 0, flags & 0x0f != 0, true)
        } else {
            (flags & 0x80 != 0, flags & 0x40 != 0, flags & 0x20 != 0)
        };
        let mut comment = String::new();
        if has_comment {
            let length = self.cursor.u32("the length of a comment")?.wrapping_sub(self.keys.comment);
            let decoded = decode_gb(self.cursor.take(length as usize, "a comment")?, self.encoding);
            comment = text(decoded, HEADER + at, &mut self.warnings);
        }
        // Origin and target are shifted by fixed amounts on top of the keys.
        let from = square_of(from.wrapping_sub(0x18).wrapping_sub(self.keys.from));
        let to = square_of(to.wrapping_sub(0x20).wrapping_sub(self.keys.to));
        Ok(Record { at, from, to, continues, has_alternative, comment })
    }
}
