//! Vietnamese letters (`P2-5`, `Tg6/1`, `X2.1`) and words (`Pháo 2 bình 5`, `Xe trước tiến 2`).
//!
//! The letters have no settled form for several equal pieces on one file, so the writer has none either (the caller
//! may fall back to WXF, see `Notation::write_or_wxf`). The reader takes the suffixes met in practice (`Xt.2` front,
//! `Xs.2` rear, `Bg-6` middle) and the WXF forms that begin with a sign or a digit, which no letter form does.

use super::parts::{self, Described, Dialect, Direction, Kinds, Origin, Parts};
use super::{NotationError, wxf};
use crate::{Move, PieceKind, Position};

const fn letter(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::King => "Tg",
        PieceKind::Advisor => "S",
        PieceKind::Elephant => "T",
        PieceKind::Horse => "M",
        PieceKind::Rook => "X",
        PieceKind::Cannon => "P",
        PieceKind::Pawn => "B",
    }
}

const fn word(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::King => "Tướng",
        PieceKind::Advisor => "Sĩ",
        PieceKind::Elephant => "Tượng",
        PieceKind::Horse => "Mã",
        PieceKind::Rook => "Xe",
        PieceKind::Cannon => "Pháo",
        PieceKind::Pawn => "Tốt",
    }
}

/// The letter form; `None` where several equal pieces on one file leave no settled one.
pub(super) fn write(pos: &Position, mv: Move) -> Option<String> {
    let d = parts::describe(pos, mv)?;
    let sign = match d.direction {
        Direction::Forward => '.',
        Direction::Backward => '/',
        Direction::Sideways => '-',
    };
    d.file_is_enough().then(|| format!("{}{}{sign}{}", letter(d.kind), d.file, d.number))
}

/// The words; `None` where front, middle and rear do not suffice (four pawns on a file, pawns on two files).
pub(super) fn write_words(pos: &Position, mv: Move) -> Option<String> {
    let d = parts::describe(pos, mv)?;
    let direction = match d.direction {
        Direction::Forward => "tiến",
        Direction::Backward => "thoái",
        Direction::Sideways => "bình",
    };
    let (piece, number) = (word(d.kind), d.number);
    if d.file_is_enough() {
        return Some(format!("{piece} {} {direction} {number}", d.file));
    }
    place_word(&d).map(|place| format!("{piece} {place} {direction} {number}"))
}

fn place_word(d: &Described) -> Option<&'static str> {
    match (d.standing.place, d.standing.count) {
        _ if d.standing.crowded => None,
        (_, 4..) => None,
        (1, _) => Some("trước"),
        (place, count) if place == count => Some("sau"),
        _ => Some("giữa"),
    }
}

pub(super) fn read(pos: &Position, text: &str) -> Result<Move, NotationError> {
    if let Some(parts) = parse_letters(text).or_else(|| parse_words(text)) {
        return parts::resolve(pos, text, parts, Dialect::Vietnamese);
    }
    // The forms a writer falls back to: they begin with a sign or a digit, never with a letter.
    let begins_with_letter = text.trim().starts_with(char::is_alphabetic);
    match wxf::parse(text) {
        Some(mut parts) if !begins_with_letter => {
            // `26-7`: a pawn never goes back, so this dash can only be the Vietnamese sideways sign.
            if matches!(parts.origin, Origin::Place { .. }) && parts.direction == Direction::Backward {
                parts.direction = Direction::Sideways;
            }
            parts::resolve(pos, text, parts, Dialect::Wxf)
        }
        _ => Err(NotationError::Malformed { text: text.to_owned() }),
    }
}

fn parse_letters(text: &str) -> Option<Parts> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let (kind, rest) = piece_letter(&compact)?;
    let mut chars = rest.chars().peekable();
    let suffix = chars.next_if(|c| matches!(c.to_ascii_lowercase(), 't' | 's' | 'g'));
    let file = chars.next_if(char::is_ascii_digit);
    let file = match file {
        Some(c) => Some(parts::digit(c)?),
        None => None,
    };
    let origin = match (suffix.map(|c| c.to_ascii_lowercase()), file) {
        (Some('t'), file) => Origin::Front(file),
        (Some('s'), file) => Origin::Rear(file),
        (Some(_), file) => Origin::Middle(file),
        (None, Some(file)) => Origin::File(file),
        (None, None) => Origin::Unknown,
    };
    let direction = match chars.next()? {
        '.' => Direction::Forward,
        '/' => Direction::Backward,
        '-' | '–' | '−' | '—' => Direction::Sideways,
        _ => return None,
    };
    let number = parts::digit(chars.next()?)?;
    chars.next().is_none().then_some(Parts { kinds: Kinds::one(kind), origin, direction, number })
}

/// The piece at the front and what follows it. `Tg` must be tried before `T`.
fn piece_letter(text: &str) -> Option<(PieceKind, &str)> {
    let mut chars = text.chars();
    let kind = match chars.next()?.to_ascii_uppercase() {
        'T' => {
            if let Some(rest) = chars.as_str().strip_prefix(['g', 'G']) {
                return Some((PieceKind::King, rest));
            }
            PieceKind::Elephant
        }
        'V' => PieceKind::Elephant,
        'S' => PieceKind::Advisor,
        'X' => PieceKind::Rook,
        'P' => PieceKind::Cannon,
        'M' => PieceKind::Horse,
        'B' | 'C' => PieceKind::Pawn,
        _ => return None,
    };
    Some((kind, chars.as_str()))
}

fn parse_words(text: &str) -> Option<Parts> {
    let folded: String = text.chars().filter_map(fold).collect();
    let mut words = folded.split_whitespace();
    let kinds = match words.next()? {
        "tuong" => king_or_elephant(text.split_whitespace().next()?),
        "voi" => Kinds::one(PieceKind::Elephant),
        "si" => Kinds::one(PieceKind::Advisor),
        "xe" => Kinds::one(PieceKind::Rook),
        "phao" => Kinds::one(PieceKind::Cannon),
        "ma" => Kinds::one(PieceKind::Horse),
        "binh" | "tot" | "chot" => Kinds::one(PieceKind::Pawn),
        _ => return None,
    };
    let place = words.next()?;
    let origin = match place {
        "truoc" => Origin::Front(None),
        "giua" => Origin::Middle(None),
        "sau" => Origin::Rear(None),
        _ => Origin::File(single_digit(place)?),
    };
    let direction = match words.next()? {
        "tien" => Direction::Forward,
        "thoai" | "lui" => Direction::Backward,
        "binh" => Direction::Sideways,
        _ => return None,
    };
    let number = single_digit(words.next()?)?;
    words.next().is_none().then_some(Parts { kinds, origin, direction, number })
}

fn single_digit(word: &str) -> Option<u8> {
    let mut chars = word.chars();
    let value = parts::digit(chars.next()?)?;
    chars.next().is_none().then_some(value)
}

/// `Tướng` (the general) and `Tượng` (the elephant) differ in one accent; without it either may be meant.
fn king_or_elephant(word: &str) -> Kinds {
    const ACUTE: [char; 3] = ['ớ', 'Ớ', '\u{301}'];
    const DOT_BELOW: [char; 3] = ['ợ', 'Ợ', '\u{323}'];
    if word.contains(ACUTE) {
        Kinds::one(PieceKind::King)
    } else if word.contains(DOT_BELOW) {
        Kinds::one(PieceKind::Elephant)
    } else {
        Kinds::two(PieceKind::King, PieceKind::Elephant)
    }
}

/// Small letters without accents, as far as the words of moves need it; combining marks are dropped.
fn fold(c: char) -> Option<char> {
    Some(match c.to_lowercase().next().unwrap_or(c) {
        '\u{300}'..='\u{36f}' => return None,
        'á' | 'à' | 'ã' | 'ả' | 'ạ' => 'a',
        'ế' | 'ề' | 'ê' => 'e',
        'ĩ' | 'ỉ' | 'í' | 'ì' | 'ị' => 'i',
        'ố' | 'ồ' | 'ô' | 'ớ' | 'ợ' | 'ơ' | 'ờ' => 'o',
        'ư' | 'ứ' | 'ừ' | 'ữ' | 'ử' => 'u',
        c => c,
    })
}
