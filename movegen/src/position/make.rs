//! Making and unmaking moves.

use super::{KingLines, MAX_COUNTER, Position};
use crate::{
    moves::Move,
    types::{Color, Piece, PieceKind, Square},
    zobrist,
};
use thiserror::Error;

/// Is told what a move changes on the board, so that an evaluation can keep running sums without this crate knowing it.
pub trait MoveObserver {
    /// A piece goes from one square to another.
    fn moved(&mut self, piece: Piece, from: Square, to: Square);

    /// A piece is captured; called before `moved`.
    fn removed(&mut self, piece: Piece, square: Square);
}

/// Observes nothing and compiles to nothing.
impl MoveObserver for () {
    #[inline]
    fn moved(&mut self, _: Piece, _: Square, _: Square) {}

    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}
}

/// What a move destroys and [`Position::unmake_move`] puts back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    captured: Option<Piece>,
    halfmove_clock: u16,
    fullmove_number: u16,
    key: u64,
    structure_keys: [u64; 4],
    king_lines: KingLines,
}

impl Undo {
    /// The piece the move captured.
    pub fn captured(&self) -> Option<Piece> {
        self.captured
    }
}

/// A well-formed move that is not legal in the position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("illegal move {mv} in {fen}")]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The position it was tried in.
    pub fen: String,
}

impl Position {
    /// Makes a legal move in place and returns what is needed to take it back.
    ///
    /// The move must be legal; this is checked in debug builds only.
    #[inline]
    pub fn make_move(&mut self, mv: Move) -> Undo {
        self.make_move_with(mv, &mut ())
    }

    /// As [`Position::make_move`], telling `observer` what changes.
    pub fn make_move_with(&mut self, mv: Move, observer: &mut impl MoveObserver) -> Undo {
        debug_assert!(self.is_legal(mv), "{mv} is not legal in {}", self.fen());
        self.apply(mv, observer)
    }

    /// Moves the piece, whether or not this leaves its king safe.
    #[inline]
    fn apply(&mut self, mv: Move, observer: &mut impl MoveObserver) -> Undo {
        let (from, to) = (mv.from(), mv.to());
        let undo = Undo {
            captured: self.piece_at(to),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            key: self.key,
            structure_keys: self.structure_keys,
            king_lines: self.king_lines,
        };
        self.halfmove_clock = (self.halfmove_clock + 1).min(MAX_COUNTER);
        if let Some(captured) = undo.captured {
            self.take(captured, to);
            self.halfmove_clock = 0;
            observer.removed(captured, to);
        }
        if let Some(piece) = self.piece_at(from) {
            self.take(piece, from);
            self.put(piece, to);
            if piece.kind() == PieceKind::King {
                self.kings[piece.color().index()] = to;
            }
            observer.moved(piece, from, to);
        }
        self.pass_turn();
        undo
    }

    /// Takes back the move that returned `undo`, which must be the last one made.
    pub fn unmake_move(&mut self, mv: Move, undo: Undo) {
        let (from, to) = (mv.from(), mv.to());
        if let Some(piece) = self.piece_at(to) {
            self.take(piece, to);
            self.put(piece, from);
            if piece.kind() == PieceKind::King {
                self.kings[piece.color().index()] = from;
            }
        }
        if let Some(captured) = undo.captured {
            self.put(captured, to);
        }
        self.side_to_move = !self.side_to_move;
        self.halfmove_clock = undo.halfmove_clock;
        self.fullmove_number = undo.fullmove_number;
        self.key = undo.key;
        self.structure_keys = undo.structure_keys;
        self.king_lines = undo.king_lines;
    }

    /// Passes the turn without a move, as the search's null move does. Must not be called in check.
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check(), "a null move would leave the king in check");
        self.halfmove_clock = (self.halfmove_clock + 1).min(MAX_COUNTER);
        self.pass_turn();
    }

    #[inline]
    fn pass_turn(&mut self) {
        if self.side_to_move == Color::Black {
            self.fullmove_number = (self.fullmove_number + 1).min(MAX_COUNTER);
        }
        self.side_to_move = !self.side_to_move;
        self.key ^= zobrist::side();
        self.refresh();
    }

    /// The position as if the other side were to move, even if this leaves a king to be captured: for the repetition law,
    /// which asks what a side threatens. The counters stay.
    pub(crate) fn turned(&self) -> Self {
        let mut turned = self.clone();
        turned.side_to_move = !self.side_to_move;
        turned.key ^= zobrist::side();
        turned.refresh();
        turned
    }

    /// The position after a move that need not be safe for the mover's king: for the repetition law, which ignores
    /// checks that were there before. The caller vouches that the piece can make the move and takes no king.
    pub(crate) fn play_unchecked(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.apply(mv, &mut ());
        next
    }

    /// The position with one piece, no king, taken off the board.
    pub(crate) fn without(&self, square: Square) -> Self {
        let mut next = self.clone();
        if let Some(piece) = self.piece_at(square) {
            next.take(piece, square);
        }
        next.refresh();
        next
    }

    /// The position after a legal move; this one stays.
    pub fn play(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.make_move(mv);
        next
    }

    /// The position after a move of unknown legality.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal here.
    pub fn try_play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) { Ok(self.play(mv)) } else { Err(IllegalMove { mv, fen: self.fen() }) }
    }
}
