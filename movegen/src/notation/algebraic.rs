//! Short algebraic notation (XBoard, PyChess): `Che3`, `Cxh10`, `Pc5`.

use super::coordinate::{file_char, square};
use super::{NotationError, RankBase, parts, wxf};
use crate::{Move, PieceKind, Position};

/// The shortest unambiguous form, pawns with their letter, check marks left out.
///
/// File, rank or both are added only against other legal moves of the same kind of piece to the same square, the file
/// first, as in chess.
pub(super) fn write(pos: &Position, mv: Move, base: RankBase) -> Option<String> {
    let piece = pos.piece_at(mv.from()).filter(|piece| piece.color() == pos.side_to_move())?;
    let mut rivals = pos.legal_moves();
    rivals.retain(|other| {
        other.to() == mv.to()
            && other.from() != mv.from()
            && pos.piece_at(other.from()).is_some_and(|other| other.kind() == piece.kind())
    });
    let mut text = String::with_capacity(8);
    text.push(wxf::letter(piece.kind()));
    if !rivals.is_empty() {
        let same_file = rivals.iter().any(|other| other.from().file() == mv.from().file());
        let same_rank = rivals.iter().any(|other| other.from().rank() == mv.from().rank());
        if !same_file || same_rank {
            text.push(file_char(mv.from()));
        }
        if same_file {
            text.push_str(&base.number(mv.from()).to_string());
        }
    }
    if pos.piece_at(mv.to()).is_some() {
        text.push('x');
    }
    text.push(file_char(mv.to()));
    text.push_str(&base.number(mv.to()).to_string());
    Some(text)
}

pub(super) fn read(pos: &Position, text: &str, base: RankBase) -> Result<Move, NotationError> {
    let malformed = || NotationError::Malformed { text: text.to_owned() };
    let body = text.trim();
    // Pieces are capitals, files small letters: `b` is a file, `B` an elephant.
    let (kind, rest) = match body.chars().next() {
        Some(c) if c.is_ascii_uppercase() => (wxf::kind(c).ok_or_else(malformed)?, &body[1..]),
        Some(_) => (PieceKind::Pawn, body),
        None => return Err(malformed()),
    };
    let (file, rank, to) = origin_and_target(rest, base).ok_or_else(malformed)?;
    let candidates = pos
        .legal_moves()
        .into_iter()
        .filter(|mv| {
            let from = mv.from();
            mv.to() == to
                && pos.piece_at(from).is_some_and(|piece| piece.kind() == kind)
                && file.is_none_or(|file| file == file_char(from))
                && rank.is_none_or(|rank| rank == base.number(from))
        })
        .collect();
    parts::only(text, candidates)
}

/// Splits `e3xe4` and the like: the file and rank of origin where given, and the target square.
fn origin_and_target(text: &str, base: RankBase) -> Option<(Option<char>, Option<u8>, crate::Square)> {
    // The target is the last square: everything from the last letter of a file on.
    let split = text.rfind(|c: char| matches!(c, 'a'..='i'))?;
    let (head, tail) = text.split_at(split);
    let (to, "") = square(tail, base)? else { return None };
    let head = head.strip_suffix(['x', '-', ':']).unwrap_or(head);
    let file = head.chars().next().filter(|c| matches!(c, 'a'..='i'));
    let digits = &head[usize::from(file.is_some())..];
    let rank = if digits.is_empty() { None } else { Some(digits.parse().ok()?) };
    Some((file, rank, to))
}
