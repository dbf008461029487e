//! WXF letters: `C2=5`, `+R+2`, `25=4`.

use super::parts::{self, Described, Dialect, Direction, Kinds, Origin, Parts};
use super::{NotationError, SignOrder};
use crate::{Move, PieceKind, Position};

/// The capital letter that is written for a kind.
pub(super) const fn letter(kind: PieceKind) -> char {
    match kind {
        PieceKind::King => 'K',
        PieceKind::Advisor => 'A',
        PieceKind::Elephant => 'E',
        PieceKind::Horse => 'H',
        PieceKind::Rook => 'R',
        PieceKind::Cannon => 'C',
        PieceKind::Pawn => 'P',
    }
}

/// The kind a letter means, in either case and with the variants `G`, `B`, `N` and `S`.
pub(super) const fn kind(letter: char) -> Option<PieceKind> {
    Some(match letter.to_ascii_uppercase() {
        'K' | 'G' => PieceKind::King,
        'A' => PieceKind::Advisor,
        'E' | 'B' => PieceKind::Elephant,
        'H' | 'N' => PieceKind::Horse,
        'R' => PieceKind::Rook,
        'C' => PieceKind::Cannon,
        'P' | 'S' => PieceKind::Pawn,
        _ => return None,
    })
}

pub(super) fn write(pos: &Position, mv: Move, order: SignOrder) -> Option<String> {
    parts::describe(pos, mv).map(|described| text_of(&described, order))
}

fn text_of(d: &Described, order: SignOrder) -> String {
    let letter = letter(d.kind);
    let sign = match d.direction {
        Direction::Forward => '+',
        Direction::Backward => '-',
        Direction::Sideways => '=',
    };
    let number = d.number;
    if d.file_is_enough() {
        return format!("{letter}{}{sign}{number}", d.file);
    }
    if d.standing.count > 2 || d.standing.crowded {
        return format!("{}{}{sign}{number}", d.standing.place, d.file);
    }
    let which = if d.standing.place == 1 { '+' } else { '-' };
    match order {
        SignOrder::First => format!("{which}{letter}{sign}{number}"),
        SignOrder::Second => format!("{letter}{which}{sign}{number}"),
    }
}

pub(super) fn read(pos: &Position, text: &str) -> Result<Move, NotationError> {
    let parts = parse(text).ok_or_else(|| NotationError::Malformed { text: text.to_owned() })?;
    parts::resolve(pos, text, parts, Dialect::Wxf)
}

/// Reads the four characters; `None` if they are not of the form.
pub(super) fn parse(text: &str) -> Option<Parts> {
    let mut chars = text.trim().chars().map(plain);
    let [first, second, sign, number] = [chars.next()?, chars.next()?, chars.next()?, chars.next()?];
    if chars.next().is_some() {
        return None;
    }
    let (kind, origin) = match (first, second) {
        ('+' | '-', letter) => (kind(letter)?, side_of_pair(first)?),
        (letter, '+' | '-') => (kind(letter)?, side_of_pair(second)?),
        ('1'..='9', _) => {
            (PieceKind::Pawn, Origin::Place { place: parts::digit(first)?, file: parts::digit(second)? })
        }
        (letter, _) => (kind(letter)?, Origin::File(parts::digit(second)?)),
    };
    let direction = match sign {
        '+' => Direction::Forward,
        '-' => Direction::Backward,
        '=' => Direction::Sideways,
        _ => return None,
    };
    Some(Parts { kinds: Kinds::one(kind), origin, direction, number: parts::digit(number)? })
}

const fn side_of_pair(sign: char) -> Option<Origin> {
    match sign {
        '+' => Some(Origin::Front(None)),
        '-' => Some(Origin::Rear(None)),
        _ => None,
    }
}

/// One spelling for the many that are met: full-width forms, `.` for `=`, dashes for the minus sign.
fn plain(c: char) -> char {
    let c = match c {
        // The full-width block repeats ASCII from `!` on.
        '！'..='～' => char::from((c as u32 - '！' as u32) as u8 + b'!'),
        _ => c,
    };
    match c {
        '.' => '=',
        '–' | '−' | '—' => '-',
        _ => c,
    }
}
