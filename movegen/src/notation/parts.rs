//! What the four-part notations (WXF, Chinese, Vietnamese) have in common: piece, origin, direction, number.
//!
//! Reading and writing share one description of a move, [`Described`]. A reader turns its text into [`Parts`] and
//! asks [`resolve`] for the one legal move that fits: first strictly (only moves the writer would write so), then
//! with the tolerated forms. That keeps the strict reader exactly as strict as the writer.

use super::NotationError;
use crate::{Color, Move, PieceKind, Position, Square};

/// Where the number of a move points, seen from the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Backward,
    Sideways,
}

/// How the text names the piece that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// By the number of its file, 1 to 9 from the mover's right.
    File(u8),
    /// The foremost on its file, perhaps with the file's number.
    Front(Option<u8>),
    /// The middle one of three on its file.
    Middle(Option<u8>),
    /// The rearmost on its file.
    Rear(Option<u8>),
    /// The `place`-th from the front on file `file` (WXF digits).
    Place { place: u8, file: u8 },
    /// A bare ordinal (Chinese): the place on the file, or in the sequence over several files.
    Ordinal(u8),
    /// Not named at all.
    Unknown,
}

/// A set of piece kinds: undiacritical Vietnamese `tuong` is both the general and the elephant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const fn one(kind: PieceKind) -> Self {
        Self(1 << kind as u8)
    }

    pub(super) const fn two(first: PieceKind, second: PieceKind) -> Self {
        Self(1 << first as u8 | 1 << second as u8)
    }

    const fn contains(self, kind: PieceKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }
}

/// A move as read from a text, not yet looked for on a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) kinds: Kinds,
    pub(super) origin: Origin,
    pub(super) direction: Direction,
    pub(super) number: u8,
}

/// The dialect whose canonical forms the strict stage of [`resolve`] asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Wxf,
    Chinese,
    Vietnamese,
}

/// Where a piece stands among its equals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    /// 1 for the foremost on its file.
    pub(super) place: u8,
    /// Equal pieces on its file, itself included.
    pub(super) count: u8,
    /// Two or more files hold two or more equal pieces each (only pawns can do that).
    pub(super) crowded: bool,
    /// Two advisors or elephants, one at each end of their ground, so that one can only advance and the other only
    /// retreat: always so on their own points; problem books also have others.
    pub(super) direction_tells: bool,
    /// Place in the sequence over all files that hold two or more: right to left, front to back.
    pub(super) ordinal: u8,
}

/// What the board says of a move: all that a writer needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Described {
    pub(super) kind: PieceKind,
    pub(super) color: Color,
    /// Number of the file of origin.
    pub(super) file: u8,
    pub(super) direction: Direction,
    pub(super) number: u8,
    pub(super) standing: Standing,
}

/// Number of a file as its player counts: 1 is at the own right hand.
pub(super) fn file_number(color: Color, square: Square) -> u8 {
    let file = square.file() as u8;
    match color {
        Color::Red => 9 - file,
        Color::Black => file + 1,
    }
}

/// Steps towards the enemy's back rank; negative is backward.
fn advance(color: Color, mv: Move) -> i8 {
    let rise = mv.to().rank() as i8 - mv.from().rank() as i8;
    match color {
        Color::Red => rise,
        Color::Black => -rise,
    }
}

/// Direction and number of a move: the new file, or the distance for straight moves along a file.
fn direction_and_number(kind: PieceKind, color: Color, mv: Move) -> (Direction, u8) {
    let steps = advance(color, mv);
    let target = file_number(color, mv.to());
    let direction = match steps {
        0 => return (Direction::Sideways, target),
        1.. => Direction::Forward,
        _ => Direction::Backward,
    };
    match kind {
        PieceKind::Advisor | PieceKind::Elephant | PieceKind::Horse => (direction, target),
        PieceKind::King | PieceKind::Rook | PieceKind::Cannon | PieceKind::Pawn => {
            (direction, steps.unsigned_abs())
        }
    }
}

fn standing(pos: &Position, color: Color, kind: PieceKind, square: Square) -> Standing {
    // Indexed by file number, so that the sequence runs from the player's right to the left.
    let mut counts = [0u8; 10];
    let (own_file, own_depth) = (file_number(color, square), depth(color, square));
    let mut place = 1;
    let mut depths = 0u16;
    for other in pos.pieces(color, kind) {
        let file = file_number(color, other);
        counts[file as usize] += 1;
        if file == own_file {
            depths |= 1 << depth(color, other);
            place += u8::from(depth(color, other) > own_depth);
        }
    }
    let before: u8 = counts[..own_file as usize].iter().filter(|&&count| count >= 2).sum();
    Standing {
        place,
        count: counts[own_file as usize],
        crowded: counts.iter().filter(|&&count| count >= 2).count() >= 2,
        direction_tells: match kind {
            PieceKind::Advisor => depths == 0b101,
            PieceKind::Elephant => depths == 0b1_0001,
            _ => false,
        },
        ordinal: before + place,
    }
}

/// How far a square lies on the way to the enemy's back rank.
fn depth(color: Color, square: Square) -> u8 {
    let rank = square.rank() as u8;
    match color {
        Color::Red => rank,
        Color::Black => 9 - rank,
    }
}

/// Describes a move of the side to move; `None` if none of its pieces stands on the square of origin.
pub(super) fn describe(pos: &Position, mv: Move) -> Option<Described> {
    let piece = pos.piece_at(mv.from())?;
    let (color, kind) = (piece.color(), piece.kind());
    if color != pos.side_to_move() || mv.from() == mv.to() {
        return None;
    }
    let (direction, number) = direction_and_number(kind, color, mv);
    let file = file_number(color, mv.from());
    Some(Described { kind, color, file, direction, number, standing: standing(pos, color, kind, mv.from()) })
}

impl Described {
    /// The piece needs no more than its file's number: it is alone there, or the direction tells which one moves.
    pub(super) fn file_is_enough(&self) -> bool {
        self.standing.count == 1 || self.standing.direction_tells
    }

    fn matches_strictly(&self, origin: Origin, dialect: Dialect) -> bool {
        let Standing { place, count, crowded, ordinal, .. } = self.standing;
        if self.file_is_enough() {
            return origin == Origin::File(self.file);
        }
        match (dialect, origin) {
            (Dialect::Wxf, Origin::Front(None)) => count == 2 && !crowded && place == 1,
            (Dialect::Wxf, Origin::Rear(None)) => count == 2 && !crowded && place == 2,
            (Dialect::Wxf, Origin::Place { place: named, file }) => {
                (count > 2 || crowded) && named == place && file == self.file
            }
            (Dialect::Chinese | Dialect::Vietnamese, Origin::Front(None)) => !crowded && place == 1,
            (Dialect::Chinese | Dialect::Vietnamese, Origin::Rear(None)) => !crowded && place == count,
            (Dialect::Chinese | Dialect::Vietnamese, Origin::Middle(None)) => {
                !crowded && count == 3 && place == 2
            }
            (Dialect::Chinese, Origin::Ordinal(number)) if crowded => number == ordinal,
            (Dialect::Chinese, Origin::Ordinal(number)) => {
                count > 3 && number == place && (2..count).contains(&place)
            }
            _ => false,
        }
    }

    fn matches_loosely(&self, origin: Origin) -> bool {
        let Standing { place, count, .. } = self.standing;
        let on_file = |file: Option<u8>| file.is_none_or(|file| file == self.file);
        match origin {
            Origin::File(file) => file == self.file,
            Origin::Front(file) => count >= 2 && place == 1 && on_file(file),
            Origin::Middle(file) => count >= 3 && 1 < place && place < count && on_file(file),
            Origin::Rear(file) => count >= 2 && place == count && on_file(file),
            Origin::Place { place: named, file } => count >= 2 && named == place && file == self.file,
            Origin::Ordinal(number) => count >= 2 && number == place,
            Origin::Unknown => true,
        }
    }
}

/// The one legal move that fits `parts`.
pub(super) fn resolve(
    pos: &Position,
    text: &str,
    parts: Parts,
    dialect: Dialect,
) -> Result<Move, NotationError> {
    let side = pos.side_to_move();
    let mut possible: Vec<(Move, Described)> = Vec::new();
    for mv in pos.legal_moves() {
        let Some(piece) = pos.piece_at(mv.from()) else { continue };
        if parts.kinds.contains(piece.kind())
            && direction_and_number(piece.kind(), side, mv) == (parts.direction, parts.number)
            && let Some(described) = describe(pos, mv)
        {
            possible.push((mv, described));
        }
    }
    let strict: Vec<Move> = possible
        .iter()
        .filter(|(_, d)| d.matches_strictly(parts.origin, dialect))
        .map(|&(mv, _)| mv)
        .collect();
    if !strict.is_empty() {
        return only(text, strict);
    }
    let loose: Vec<(Move, bool)> = possible
        .iter()
        .filter(|(_, d)| d.matches_loosely(parts.origin))
        .map(|&(mv, d)| (mv, d.standing.crowded))
        .collect();
    let candidates = loose.iter().map(|&(mv, _)| mv).collect();
    // A sign alone does not say which of two crowded files is meant, even where only one of the pawns can move so.
    let bare_sign = matches!(parts.origin, Origin::Front(None) | Origin::Rear(None));
    if dialect == Dialect::Wxf && bare_sign && loose.iter().any(|&(_, crowded)| crowded) {
        return Err(NotationError::Ambiguous { text: text.to_owned(), candidates });
    }
    only(text, candidates)
}

/// The only candidate, or why there is no such thing.
pub(super) fn only(text: &str, candidates: Vec<Move>) -> Result<Move, NotationError> {
    match candidates[..] {
        [] => Err(NotationError::Illegal { text: text.to_owned() }),
        [mv] => Ok(mv),
        _ => Err(NotationError::Ambiguous { text: text.to_owned(), candidates }),
    }
}

/// The value of a digit as the notations write it: ASCII, full-width or Chinese; 1 to 9 only.
pub(super) fn digit(c: char) -> Option<u8> {
    const CHINESE: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    match c {
        '1'..='9' => Some(c as u8 - b'0'),
        '１'..='９' => Some((c as u32 - '０' as u32) as u8),
        _ => CHINESE.iter().position(|&d| d == c).map(|index| index as u8 + 1),
    }
}
