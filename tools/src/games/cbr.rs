//! CBR (a record of the program CCBridge) and CBL (a library of such records).
//!
//! A fixed header of 2214 bytes with UTF-16 strings and the board, a record for the start, then each move followed by its
//! line and after that by its alternatives.
//!
//! Source: layout as open readers and a public description of the header's fields have it (they come in the order of the elements
//! in the program's own XML export), checked against a file of the program. What lies between the fields, and behind the zero that ends
//! each, is whatever was in the program's memory.

use std::io::{self, BufRead, Write};

use encoding_rs::UTF_16LE;
use movegen::{Color, Piece, PieceKind, Position, Square};

use super::binary::{self, Cursor, Damage, Record};
use super::error::{Damaged, GameError, Problem};
use super::game::{Game, NodeId, Outcome};
use super::losses::Kept;
use super::stream::{Found, MAX_GAME, Window};

const MAGIC: &str = "CCBridge Record\0";
const LIBRARY_MAGIC: &str = "CCBridgeLibrary\0";
const HEADER: usize = 2214;
const RESULT: usize = 2076;
const SIDE: usize = 2112;
/// The number of the first move; some programs have the side to move here.
const FIRST_MOVE: usize = 2116;
const BOARD: usize = 2120;
/// UTF-16 strings of the header: offset, bytes, tag.
const FIELDS: [(usize, usize, &str); 15] = [
    (180, 128, "Title"),
    (692, 64, "Event"),
    (756, 64, "Round"),
    (820, 32, "Group"),
    (852, 32, "Board"),
    (884, 64, "Date"),
    (948, 64, "Site"),
    (1012, 64, "TimeControl"),
    (1076, 64, "Red"),
    (1140, 64, "RedTeam"),
    (1268, 32, "RedElo"),
    (1300, 64, "Black"),
    (1364, 64, "BlackTeam"),
    (1492, 32, "BlackElo"),
    (1652, 64, "Annotator"),
];

const LAST: u8 = 1;
const HAS_ALTERNATIVE: u8 = 2;
const HAS_COMMENT: u8 = 4;

/// Kinds in the order of the low digit of a board byte, from 1; the high digit is 1 for Red and 2 for Black.
const KINDS: [PieceKind; 7] = [
    PieceKind::Rook,
    PieceKind::Horse,
    PieceKind::Elephant,
    PieceKind::Advisor,
    PieceKind::King,
    PieceKind::Cannon,
    PieceKind::Pawn,
];

/// The games of a stream of one record or a library of them, one at a time.
pub(super) fn games<R: BufRead>(input: R) -> impl Iterator<Item = Result<Game, GameError>> {
    let mut records = Window::new(input);
    let mut number = 0;
    let (mut done, mut is_library) = (false, false);
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let opened = if number == 0 { begins_library(&mut records) } else { Ok(is_library) };
        let next = opened.map_err(Problem::from).and_then(|begins| {
            is_library = begins;
            record_bytes(&mut records, number == 0)
        });
        let read = match next {
            Ok(None) => return None,
            Ok(Some((start, bytes))) => match game(&bytes) {
                Ok((mut game, end)) => {
                    // In a library records are filled up with whatever there was; it says nothing unless moves are missing.
                    let has_moves = game.next(NodeId::ROOT).is_some();
                    let rest = binary::rest(&bytes, end).filter(|_| !(is_library && has_moves));
                    game.warnings.extend(rest);
                    for warning in &mut game.warnings {
                        warning.game = number + 1;
                        warning.move_to(|offset| start + offset);
                    }
                    Ok(game)
                }
                Err((offset, problem, partial)) => Err((start + offset, problem, partial)),
            },
            Err(problem) => {
                // Nothing follows but after a record that was passed over.
                done = !matches!(problem, Problem::TooLarge(_));
                Err((records.offset, problem, None))
            }
        };
        number += 1;
        Some(read.map_err(|damaged| binary::error_at(number, damaged)))
    })
}

/// Whether a file begins as a library.
fn begins_library<R: BufRead>(records: &mut Window<R>) -> io::Result<bool> {
    records.find(0, MAGIC.len(), &[])?;
    Ok(records.bytes().starts_with(LIBRARY_MAGIC.as_bytes()))
}

/// The next record and its offset in the file.
fn record_bytes<R: BufRead>(
    records: &mut Window<R>,
    is_first: bool,
) -> Result<Option<(usize, Vec<u8>)>, Problem> {
    if is_first {
        records.find(0, MAGIC.len(), &[])?;
        if ![MAGIC, LIBRARY_MAGIC].iter().any(|magic| records.bytes().starts_with(magic.as_bytes())) {
            return Err(Problem::NotThisFormat("a CCBridge record or library"));
        }
    }
    loop {
        match records.find(0, HEADER, &[MAGIC])? {
            Found::Needle { at, .. } => break records.take_bytes(at),
            Found::End => return Ok(None),
            Found::Limit => records.take_bytes(records.bytes().len() - MAGIC.len()),
        }
    }
    let start = records.offset;
    let length = match records.find(MAGIC.len(), MAX_GAME, &[MAGIC])? {
        Found::Needle { at, .. } => at,
        Found::End => records.bytes().len(),
        Found::Limit => {
            records.take_bytes(MAX_GAME);
            return Err(Problem::TooLarge(MAX_GAME >> 20));
        }
    };
    let bytes = records.bytes()[..length].to_vec();
    records.take_bytes(length);
    Ok(Some((start, bytes)))
}

/// The game of a record, and where it ends.
fn game(bytes: &[u8]) -> Result<(Game, usize), Damaged> {
    let header = bytes.get(..HEADER).ok_or((bytes.len(), Problem::Truncated("the header"), None))?;
    let mut board = [None; 90];
    for (index, &byte) in header[BOARD..BOARD + 90].iter().enumerate() {
        let square = binary::square_from_top((index % 9) as u8, (index / 9) as u8);
        if let (Some(square), Some(piece)) = (square, piece(byte)) {
            board[square.index()] = Some(piece);
        }
    }
    let side = side_to_move(bytes, header, &board);
    let start = binary::position(board, side).map_err(|problem| (BOARD, problem, None))?;
    let mut game = Game::new(start);
    for (offset, length, tag) in FIELDS {
        let text = decode(&header[offset..offset + length]);
        if !text.is_empty() {
            game.set_tag(tag, text);
        }
    }
    game.outcome = match header[RESULT] {
        1 => Outcome::RedWins,
        2 => Outcome::BlackWins,
        3 | 4 => Outcome::Draw,
        _ => Outcome::Unknown,
    };
    let mut cursor = Cursor::new(bytes, HEADER);
    match tree(&mut game, &mut cursor) {
        Ok(()) => Ok((game, cursor.offset())),
        Err((offset, problem)) => Err((offset, problem, Some(Box::new(game)))),
    }
}

/// The first move tells the side for certain.
fn side_to_move(bytes: &[u8], header: &[u8], board: &[Option<Piece>; 90]) -> Color {
    let mut cursor = Cursor::new(bytes, HEADER);
    let has_moves = record(&mut cursor).is_ok_and(|(flags, ..)| flags & LAST == 0);
    let first = has_moves.then(|| record(&mut cursor).ok()).flatten();
    // Zeros are filling, where a game has no moves.
    let first = first.filter(|(flags, squares, _)| (*flags, *squares) != (0, [0, 0]));
    let mover = first.and_then(|(_, [from, _], _)| binary::side_from_first_move(board, square(from)));
    mover.unwrap_or(match (header[SIDE], header[FIRST_MOVE]) {
        (2, _) | (0, 2) => Color::Black,
        _ => Color::Red,
    })
}

fn piece(byte: u8) -> Option<Piece> {
    let color = match byte >> 4 {
        1 => Color::Red,
        2 => Color::Black,
        _ => return None,
    };
    KINDS.get(usize::from(byte & 15).checked_sub(1)?).map(|&kind| Piece::new(color, kind))
}

/// UTF-16 up to the first zero.
fn decode(bytes: &[u8]) -> String {
    let end = bytes.chunks(2).position(|unit| unit == [0, 0]).map_or(bytes.len(), |units| units * 2);
    UTF_16LE.decode_without_bom_handling(&bytes[..end]).0.trim().to_owned()
}

fn tree(game: &mut Game, cursor: &mut Cursor<'_>) -> Result<(), Damage> {
    let (flags, _, comment) = record(cursor)?;
    game.add_comment(NodeId::ROOT, &comment);
    if flags & LAST != 0 || cursor.is_at_end() {
        return Ok(());
    }
    let mut is_first = true;
    binary::read_tree(game, || {
        let at = cursor.offset();
        let (flags, [from, to], comment) = record(cursor)?;
        // Zeros are filling, where a game has no moves; anywhere else a move is due.
        let is_filling = std::mem::take(&mut is_first) && (flags, from, to) == (0, 0, 0);
        Ok((!is_filling).then(|| Record {
            at,
            from: square(from),
            to: square(to),
            continues: flags & LAST == 0,
            has_alternative: flags & HAS_ALTERNATIVE != 0,
            comment,
        }))
    })
}

fn record(cursor: &mut Cursor<'_>) -> Result<(u8, [u8; 2], String), Damage> {
    let [flags, _, from, to] = cursor.array("a move")?;
    let mut comment = String::new();
    if flags & HAS_COMMENT != 0 {
        let length = cursor.u32("the length of a comment")?;
        comment = decode(cursor.take(length as usize, "a comment")?);
    }
    Ok((flags, [from, to], comment))
}

fn square(number: u8) -> Option<Square> {
    binary::square_from_top(number % 9, number / 9)
}

fn number(square: Square) -> u8 {
    (9 - square.rank() as u8) * 9 + square.file() as u8
}

/// Writes a record with its variations and comments.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&header(game))?;
    let first = game.next(NodeId::ROOT);
    write_record(out, 0, [0, 0], game.comment(NodeId::ROOT))?;
    if first.is_none() {
        // Readers that look at the start for its comment alone find that no move follows.
        out.write_all(&[0; 4])?;
    }
    let mut waiting: Vec<NodeId> = first.into_iter().collect();
    while let Some(id) = waiting.pop() {
        let (Some(mv), next, sibling) = (game.mv(id), game.next(id), game.sibling(id)) else { continue };
        let flags =
            if next.is_none() { LAST } else { 0 } | if sibling.is_some() { HAS_ALTERNATIVE } else { 0 };
        write_record(out, flags, [number(mv.from()), number(mv.to())], game.comment(id))?;
        waiting.extend(sibling.into_iter().chain(next));
    }
    Ok(())
}

fn write_record(out: &mut dyn Write, flags: u8, [from, to]: [u8; 2], comment: &str) -> io::Result<()> {
    // A zero would end it.
    let comment = comment.replace('\0', " ");
    if comment.is_empty() {
        return out.write_all(&[flags, 0, from, to]);
    }
    let text: Vec<u8> = comment.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
    out.write_all(&[flags | HAS_COMMENT, 0, from, to])?;
    out.write_all(&u32::try_from(text.len()).map_err(io::Error::other)?.to_le_bytes())?;
    out.write_all(&text)
}

fn header(game: &Game) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..16].copy_from_slice(MAGIC.as_bytes());
    // The version the program itself writes.
    header[19] = 2;
    for (offset, length, tag) in FIELDS {
        let value = game.tag(tag).unwrap_or_default().replace('\0', " ");
        let units = fitting(&value, length).encode_utf16();
        for (index, byte) in units.flat_map(u16::to_le_bytes).enumerate() {
            header[offset + index] = byte;
        }
    }
    header[RESULT] = match game.outcome {
        Outcome::Unknown => 0,
        Outcome::RedWins => 1,
        Outcome::BlackWins => 2,
        Outcome::Draw => 3,
    };
    let side = if game.start().side_to_move() == Color::Red { 1 } else { 2 };
    (header[SIDE], header[FIRST_MOVE]) = (side, side);
    header[BOARD..BOARD + 90].copy_from_slice(&board(game.start()));
    header
}

/// As much of a text as fits; a zero unit stays at the end.
fn fitting(text: &str, length: usize) -> &str {
    let mut room = length / 2 - 1;
    let cut = text.char_indices().find(|(_, c)| match room.checked_sub(c.len_utf16()) {
        Some(left) => {
            room = left;
            false
        }
        None => true,
    });
    cut.map_or(text, |(end, _)| &text[..end])
}

/// What becomes of a tag: there is a field for some, of a fixed length.
pub(super) fn keeps(name: &str, value: &str) -> Kept {
    let field = FIELDS.iter().find(|(.., tag)| tag.eq_ignore_ascii_case(name));
    let Some(&(_, length, _)) = field else { return Kept::Nothing };
    let fitting = fitting(value, length);
    if fitting == value { Kept::Whole } else { Kept::Beginning(fitting.to_owned()) }
}

fn board(position: &Position) -> [u8; 90] {
    let mut board = [0; 90];
    for square in position.occupied() {
        let Some(piece) = position.piece_at(square) else { continue };
        let kind = KINDS.iter().position(|&kind| kind == piece.kind()).unwrap_or(0) as u8 + 1;
        let color = if piece.color() == Color::Red { 0x10 } else { 0x20 };
        board[usize::from(number(square))] = color | kind;
    }
    board
}
