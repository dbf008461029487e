//! A legal position and everything that can be asked of it.

mod generate;
mod legality;
mod make;
mod see;
mod setup;

pub use make::{IllegalMove, MoveObserver, Undo};
pub use see::see_value;
pub use setup::{MAX_COUNTER, PositionError, Problem, Setup};

use crate::{
    attacks,
    bitboard::Bitboard,
    fen::START_FEN,
    moves::Move,
    types::{Color, File, Piece, PieceKind, Rank, Square},
    zobrist,
};
use core::fmt;

/// A position: always valid, with what the legality of moves depends on kept up to date.
///
/// About 300 bytes, cheap to copy; `History` keeps one per ply.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    by_kind: [Bitboard; PieceKind::COUNT],
    by_color: [Bitboard; 2],
    board: [Option<Piece>; Square::COUNT],
    kings: [Square; 2],
    side_to_move: Color,
    halfmove_clock: u16,
    fullmove_number: u16,
    key: u64,
    structure_keys: [u64; 4],
    king_lines: KingLines,
}

/// Which of [`Position::structure_keys`] a piece belongs to.
const fn structure(piece: Piece) -> usize {
    match piece.kind() {
        PieceKind::Pawn => 0,
        PieceKind::King | PieceKind::Advisor | PieceKind::Elephant => 1,
        _ => 2 + piece.color().index(),
    }
}

/// How the king of the side to move stands towards the enemy's pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct KingLines {
    /// Enemy pieces that give check.
    checkers: Bitboard,
    /// Own pieces whose departure may expose the king: alone before a rook or the enemy king, one of two before a cannon,
    /// or on the leg of a horse. Their moves are tested one by one; all others need no test.
    blockers: Bitboard,
    /// Empty squares between the king and a cannon with nothing in between: whoever steps there becomes its screen.
    screens: Bitboard,
}

impl Position {
    /// The position every game starts from.
    ///
    /// # Panics
    /// Never: the start position is valid.
    pub fn startpos() -> Self {
        Self::from_fen(START_FEN).expect("the start position is valid")
    }

    /// Validates a setup.
    ///
    /// # Errors
    /// Every problem found with the pieces (kings missing, doubled or outside the palace, too many of a kind); if there is
    /// none, every problem with the turn (the side not to move in check, the kings facing each other). Strangely placed advisors, elephants and pawns are accepted.
    pub fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        let problems = setup.piece_problems();
        if !problems.is_empty() {
            return Err(PositionError { problems });
        }
        let mut position = Self {
            by_kind: [Bitboard::EMPTY; PieceKind::COUNT],
            by_color: [Bitboard::EMPTY; 2],
            board: [None; Square::COUNT],
            kings: [Square::E0, Square::E9],
            side_to_move: setup.side_to_move,
            halfmove_clock: setup.halfmove_clock.min(MAX_COUNTER),
            fullmove_number: setup.fullmove_number.min(MAX_COUNTER),
            key: if setup.side_to_move == Color::Black { zobrist::side() } else { 0 },
            structure_keys: [0; 4],
            king_lines: KingLines::default(),
        };
        for square in Square::ALL {
            if let Some(piece) = setup.board[square.index()] {
                position.put(piece, square);
                if piece.kind() == PieceKind::King {
                    position.kings[piece.color().index()] = square;
                }
            }
        }
        let problems = position.turn_problems();
        if !problems.is_empty() {
            return Err(PositionError { problems });
        }
        position.refresh();
        Ok(position)
    }

    /// What makes the turn impossible although the pieces are fine.
    fn turn_problems(&self) -> Vec<Problem> {
        let (us, occupied) = (self.side_to_move, self.occupied());
        let mut problems = Vec::new();
        if !self.attackers_to(self.king(!us), occupied, us).is_empty() {
            problems.push(Problem::OpponentInCheck(!us));
        }
        if attacks::rook(self.king(us), occupied).contains(self.king(!us)) {
            problems.push(Problem::FacingKings);
        }
        problems
    }

    /// The same arrangement as a setup.
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.board,
            side_to_move: self.side_to_move,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// The position with colours swapped and ranks reversed: the same game seen by the other side.
    ///
    /// # Panics
    /// Never: a flipped position is as valid as the original.
    pub fn flip(&self) -> Self {
        Self::from_setup(&self.to_setup().flip()).expect("a flipped position is valid")
    }

    /// The position mirrored left to right.
    ///
    /// # Panics
    /// Never: a mirrored position is as valid as the original.
    pub fn mirror(&self) -> Self {
        Self::from_setup(&self.to_setup().mirror()).expect("a mirrored position is valid")
    }

    /// Who is to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The squares of one side's pieces of a kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()] & self.by_color[color.index()]
    }

    /// The squares of both sides' pieces of a kind.
    #[inline]
    pub fn by_kind(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// The squares of all pieces of a side.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.king_lines.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.king_lines.checkers.is_empty()
    }

    /// Own pieces of the side to move whose departure may expose its king: pinned pieces, screens before cannons, blockers of
    /// horses' legs.
    #[inline]
    pub fn blockers(&self) -> Bitboard {
        self.king_lines.blockers
    }

    /// The Zobrist key: pieces, squares and side to move, without the counters.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key of the position after a legal move, known before the move is made.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let taken = self.piece_at(to).map_or(0, |piece| zobrist::piece(piece, to));
        let moved =
            self.piece_at(from).map_or(0, |piece| zobrist::piece(piece, from) ^ zobrist::piece(piece, to));
        self.key ^ taken ^ moved ^ zobrist::side()
    }

    /// The key computed from scratch; always equal to [`Position::key`].
    pub fn compute_key(&self) -> u64 {
        let pieces =
            self.occupied().iter().filter_map(|square| Some(zobrist::piece(self.piece_at(square)?, square)));
        let side = if self.side_to_move == Color::Black { zobrist::side() } else { 0 };
        pieces.fold(side, |key, piece| key ^ piece)
    }

    /// Keys of parts of the position: all pawns; both sides' kings, advisors and elephants; Red's rooks, horses and
    /// cannons; Black's. Together with the side to move they make up [`Position::key`].
    #[inline]
    pub fn structure_keys(&self) -> &[u64; 4] {
        &self.structure_keys
    }

    /// Plies since the last capture.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Number of the full move, counted up after Black's move.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.by_kind[piece.kind().index()].insert(square);
        self.by_color[piece.color().index()].insert(square);
        self.board[square.index()] = Some(piece);
        self.toggle_key(piece, square);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.by_kind[piece.kind().index()].remove(square);
        self.by_color[piece.color().index()].remove(square);
        self.board[square.index()] = None;
        self.toggle_key(piece, square);
    }

    #[inline]
    fn toggle_key(&mut self, piece: Piece, square: Square) {
        let key = zobrist::piece(piece, square);
        self.key ^= key;
        self.structure_keys[structure(piece)] ^= key;
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::startpos()
    }
}

impl TryFrom<Setup> for Position {
    type Error = PositionError;

    fn try_from(setup: Setup) -> Result<Self, PositionError> {
        Self::from_setup(&setup)
    }
}

impl fmt::Display for Position {
    /// The board as ten rows of letters with coordinates.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{}", rank.index())?;
            for file in File::ALL {
                write!(f, " {}", self.piece_at(Square::new(file, rank)).map_or('.', Piece::to_char))?;
            }
            f.write_str("\n")?;
        }
        f.write_str("  a b c d e f g h i")
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}
