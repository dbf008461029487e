//! What readers of binary files share: a cursor that knows where it is, start positions, checked moves.

use movegen::PieceKind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
use movegen::{Color, Move, Piece, PieceKind, Position, Setup, Square};

use super::error::{Damaged, Doubt, GameError, Place, Problem, Warning};
use super::game::{Game, NodeId, TreeFull};
use super::stream::without_end_marks;

/// The bytes of an XQF file, which may hold a whole repertoire; larger ones are not games.
pub(super) const MAX_FILE: usize = 16 << 20;

/// The kinds of a side's 16 men in the order in which XQF and DhtmlXQ list their squares; Red's come first.
#[rustfmt::skip]
const SLOTS: [PieceKind; 16] = [
    Rook, Horse, Elephant, Advisor, King, Advisor, Elephant, Horse, Rook,
    Cannon, Cannon, Pawn, Pawn, Pawn, Pawn, Pawn,
];

/// The piece of a slot from 0 to 31.
pub(super) fn slot_piece(slot: usize) -> Piece {
    Piece::new(if slot < 16 { Color::Red } else { Color::Black }, SLOTS[slot % 16])
}

/// The square of each slot's piece; of equal pieces those on the right come first, as in the standard setup.
pub(super) fn slots(start: &Position) -> [Option<Square>; 32] {
    let mut squares_of: [Vec<Square>; 14] = Default::default();
    for square in start.occupied() {
        if let Some(piece) = start.piece_at(square) {
            squares_of[piece.index()].push(square);
        }
    }
    for squares in &mut squares_of {
        // The last one is taken first.
        squares.sort_by_key(|square| square.file() as u8);
    }
    std::array::from_fn(|slot| squares_of[slot_piece(slot).index()].pop())
}

/// Damage at an offset of the file.
pub(super) type Damage = (usize, Problem);

/// Reads little-endian numbers and bytes off a slice.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub(super) fn offset(&self) -> usize {
        self.at
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(super) fn take(&mut self, length: usize, what: &'static str) -> Result<&'a [u8], Damage> {
        let taken = self.at.checked_add(length).and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or((self.at, Problem::Truncated(what)))?;
        self.at += length;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Damage> {
        let at = self.at;
        self.take(N, what)?.try_into().map_err(|_| (at, Problem::Truncated(what)))
    }

    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32, Damage> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }
}

/// A start position from a board; formats without counters begin at move 1.
pub(super) fn position(board: [Option<Piece>; 90], side_to_move: Color) -> Result<Position, Problem> {
    let mut setup = Setup::empty();
    setup.board = board;
    setup.side_to_move = side_to_move;
    setup.halfmove_clock = 0;
    setup.fullmove_number = 1;
    Ok(Position::from_fen(&setup.to_fen())?)
}

/// The side whose piece stands where the first move begins: the side to move in formats that do not say.
pub(super) fn side_from_first_move(board: &[Option<Piece>; 90], from: Option<Square>) -> Option<Color> {
    Some(board[from?.index()]?.color())
}

/// A place in the tree while a file is read.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) node: NodeId,
    pub(super) position: Position,
    pub(super) ply: usize,
}

impl Branch {
    pub(super) fn root(game: &Game) -> Self {
        Self { node: NodeId::ROOT, position: game.start().clone(), ply: 0 }
    }

    /// The branch after a move, if it is legal.
    pub(super) fn play(
        &self,
        game: &mut Game,
        from: Option<Square>,
        to: Option<Square>,
    ) -> Result<Self, Problem> {
        let number = self.ply + 1;
        let name =
            |square: Option<Square>| square.map_or_else(|| "?".to_owned(), |square| square.to_string());
        let legal = from.zip(to).filter(|(from, to)| from != to).map(|(from, to)| Move::new(from, to));
        let mv = legal.filter(|&mv| self.position.is_legal(mv)).ok_or_else(|| Problem::IllegalSquares {
            number,
            in_variation: !game.is_end_of_main_line(self.node),
            from: name(from),
            to: name(to),
        })?;
        let node = game.add(self.node, mv)?;
        Ok(Self { node, position: self.position.play(mv), ply: number })
    }
}

/// Turns damage at a byte into a game's error.
pub(super) fn error_at(game: usize, (offset, problem, partial): Damaged) -> GameError {
    GameError { game, place: Place::Byte(offset), problem, partial }
}

/// What is said of bytes after the last move, unless they only fill the file up.
pub(super) fn rest(bytes: &[u8], end: usize) -> Option<Warning> {
    let rest = without_end_marks(bytes.get(end..)?);
    (!rest.is_empty()).then(|| Warning::at(end, Doubt::Rest(bytes.len() - end)))
}

/// A square from its file and its rank counted from Black's side, as most Chinese programs count.
pub(super) fn square_from_top(file: u8, row: u8) -> Option<Square> {
    if file < 9 && row < 10 { Square::from_index(usize::from(9 - row) * 9 + usize::from(file)) } else { None }
}

/// A record of a move in a file that lists its tree depth first: a move, its line, then its alternatives.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) at: usize,
    pub(super) from: Option<Square>,
    pub(super) to: Option<Square>,
    pub(super) continues: bool,
    pub(super) has_alternative: bool,
    pub(super) comment: String,
}

/// Reads such a tree. A move that is not legal costs its line and no more; the first one is the damage.
pub(super) fn read_tree(
    game: &mut Game,
    next: impl FnMut() -> Result<Option<Record>, Damage>,
) -> Result<(), Damage> {
    let mut last = NodeId::ROOT;
    let read = read_lines(game, next, &mut last);
    game.end_main_line(last).map_err(|full| (0, full.into()))?;
    read
}

/// Also says where the main line ended.
fn read_lines(
    game: &mut Game,
    mut next: impl FnMut() -> Result<Option<Record>, Damage>,
    last: &mut NodeId,
) -> Result<(), Damage> {
    let mut is_main = true;
    let mut damage = None;
    let mut parent = Some(Branch::root(game));
    // Where alternatives still to come branch off, innermost last.
    let mut waiting: Vec<Option<Branch>> = Vec::new();
    loop {
        let record = match next() {
            Ok(Some(record)) => record,
            Ok(None) => break,
            // The first damage is told.
            Err(torn) => return Err(damage.unwrap_or(torn)),
        };
        let branch = match parent.as_ref().map(|parent| parent.play(game, record.from, record.to)) {
            Some(Ok(branch)) => Some(branch),
            Some(Err(problem)) => {
                damage.get_or_insert((record.at, problem));
                None
            }
            None => None,
        };
        is_main &= branch.is_some();
        if let Some(branch) = &branch {
            game.add_comment(branch.node, &record.comment);
            if is_main {
                *last = branch.node;
            }
        }
        is_main &= record.continues;
        if record.has_alternative {
            // No deeper than a line of legal moves may be long.
            if waiting.len() >= usize::from(Game::MAX_PLIES) {
                return Err(damage.unwrap_or((record.at, TreeFull.into())));
            }
            waiting.push(parent);
        }
        if record.continues {
            parent = branch;
        } else if let Some(earlier) = waiting.pop() {
            parent = earlier;
        } else {
            break;
        }
    }
    damage.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of the places that wait holds a position.
    #[test]
    fn branches_of_illegal_moves_are_not_kept_without_end() {
        let mut read = 0;
        let endless = || {
            read += 1;
            Ok(Some(Record {
                at: read,
                from: None,
                to: None,
                continues: true,
                has_alternative: true,
                comment: String::new(),
            }))
        };
        let damage = read_tree(&mut Game::new(Position::startpos()), endless);
        assert!(matches!(damage, Err((1, Problem::IllegalSquares { number: 1, .. }))), "{damage:?}");
        assert!(read <= usize::from(Game::MAX_PLIES) + 1, "{read}");
    }
}
