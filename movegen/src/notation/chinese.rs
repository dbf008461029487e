//! Chinese characters: `炮二平五`, `馬8進7`, `前車進二`, `中兵平四`.

use super::parts::{self, Described, Dialect, Direction, Kinds, Origin, Parts};
use super::{Digits, NotationError, Script};
use crate::{Color, Move, PieceKind, Position};

/// The character of a piece. Traditional output has 砲 for Black's cannon, simplified has 炮 for both.
pub(super) const fn piece_char(color: Color, kind: PieceKind, script: Script) -> char {
    use Color::{Black, Red};
    use PieceKind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
    match (script, kind, color) {
        (Script::Traditional, King, Red) => '帥',
        (Script::Simplified, King, Red) => '帅',
        (Script::Traditional, King, Black) => '將',
        (Script::Simplified, King, Black) => '将',
        (_, Advisor, Red) => '仕',
        (_, Advisor, Black) => '士',
        (_, Elephant, Red) => '相',
        (_, Elephant, Black) => '象',
        (Script::Traditional, Horse, _) => '馬',
        (Script::Simplified, Horse, _) => '马',
        (Script::Traditional, Rook, _) => '車',
        (Script::Simplified, Rook, _) => '车',
        (Script::Traditional, Cannon, Black) => '砲',
        (_, Cannon, _) => '炮',
        (_, Pawn, Red) => '兵',
        (_, Pawn, Black) => '卒',
    }
}

const fn kind(c: char) -> Option<PieceKind> {
    Some(match c {
        '帥' | '帅' | '將' | '将' => PieceKind::King,
        '仕' | '士' => PieceKind::Advisor,
        '相' | '象' => PieceKind::Elephant,
        '馬' | '马' | '傌' => PieceKind::Horse,
        '車' | '车' | '俥' => PieceKind::Rook,
        '炮' | '砲' | '包' => PieceKind::Cannon,
        '兵' | '卒' => PieceKind::Pawn,
        _ => return None,
    })
}

/// Whether a character begins or fills a Chinese move, for telling notations apart.
pub(super) const fn is_move_char(c: char) -> bool {
    kind(c).is_some() || matches!(c, '進' | '进' | '退' | '平' | '前' | '中' | '後' | '后')
}

fn number(value: u8, color: Color, digits: Digits) -> char {
    const CHINESE: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    match (color, digits) {
        (Color::Red, _) => CHINESE[(value as usize).clamp(1, 9) - 1],
        (Color::Black, Digits::Ascii) => char::from(b'0' + value),
        (Color::Black, Digits::FullWidth) => char::from_u32('０' as u32 + u32::from(value)).unwrap_or('０'),
    }
}

pub(super) fn write(pos: &Position, mv: Move, script: Script, digits: Digits) -> Option<String> {
    parts::describe(pos, mv).map(|described| text_of(&described, script, digits))
}

fn text_of(d: &Described, script: Script, digits: Digits) -> String {
    let piece = piece_char(d.color, d.kind, script);
    let (place, count) = (d.standing.place, d.standing.count);
    let mut text = String::with_capacity(12);
    if d.file_is_enough() {
        text.push(piece);
        text.push(number(d.file, d.color, digits));
    } else {
        text.push(match (place, script) {
            _ if d.standing.crowded => number(d.standing.ordinal, d.color, digits),
            (1, _) => '前',
            (_, Script::Traditional) if place == count => '後',
            (_, Script::Simplified) if place == count => '后',
            _ if count == 3 => '中',
            _ => number(place, d.color, digits),
        });
        text.push(piece);
    }
    text.push(match (d.direction, script) {
        (Direction::Forward, Script::Traditional) => '進',
        (Direction::Forward, Script::Simplified) => '进',
        (Direction::Backward, _) => '退',
        (Direction::Sideways, _) => '平',
    });
    text.push(number(d.number, d.color, digits));
    text
}

pub(super) fn read(pos: &Position, text: &str) -> Result<Move, NotationError> {
    let parts = parse(text).ok_or_else(|| NotationError::Malformed { text: text.to_owned() })?;
    parts::resolve(pos, text, parts, Dialect::Chinese)
}

fn place_word(c: char, file: Option<u8>) -> Option<Origin> {
    Some(match c {
        '前' => Origin::Front(file),
        '中' => Origin::Middle(file),
        '後' | '后' => Origin::Rear(file),
        _ => return None,
    })
}

fn parse(text: &str) -> Option<Parts> {
    let mut chars = ['\0'; 5];
    let mut length = 0;
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        *chars.get_mut(length)? = c;
        length += 1;
    }
    let (head, tail) = chars[..length].split_at(length.checked_sub(2)?);
    let (kind, origin) = match *head {
        [first, second] => match (kind(first), kind(second)) {
            // The order decides: `兵二平四` is the pawn of file two, `二兵平四` the second pawn.
            (Some(piece), None) => {
                (piece, place_word(second, None).or_else(|| parts::digit(second).map(Origin::File))?)
            }
            (None, Some(piece)) => {
                (piece, place_word(first, None).or_else(|| parts::digit(first).map(Origin::Ordinal))?)
            }
            _ => return None,
        },
        // Five characters: a place word and the file, in either order, about the piece.
        [first, second, third] => {
            let (piece, file) = match (kind(second), kind(third)) {
                (Some(piece), None) => (piece, parts::digit(third)?),
                (None, Some(piece)) => (piece, parts::digit(second)?),
                _ => return None,
            };
            let origin = place_word(first, Some(file))
                .or_else(|| parts::digit(first).map(|place| Origin::Place { place, file }))?;
            (piece, origin)
        }
        _ => return None,
    };
    let [direction, number] = *tail else { return None };
    let direction = match direction {
        '進' | '进' => Direction::Forward,
        '退' => Direction::Backward,
        '平' => Direction::Sideways,
        _ => return None,
    };
    Some(Parts { kinds: Kinds::one(kind), origin, direction, number: parts::digit(number)? })
}
