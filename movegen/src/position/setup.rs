//! Any arrangement of pieces, and what is wrong with it.

use crate::{
    attacks,
    bitboard::Bitboard,
    types::{Color, Piece, PieceKind, Square},
};
use core::fmt;
use thiserror::Error;

/// The largest counter a FEN can carry; larger ones are read as this.
pub const MAX_COUNTER: u16 = 9999;

/// An arrangement of pieces that need not be a legal position: what a FEN or a board editor says.
///
/// `Position::from_setup` turns it into a position or reports every problem found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square, by index.
    pub board: [Option<Piece>; Square::COUNT],
    /// Who is to move.
    pub side_to_move: Color,
    /// Plies since the last capture.
    pub halfmove_clock: u16,
    /// Number of the full move, from 1, counted up after Black's move.
    pub fullmove_number: u16,
}

impl Setup {
    /// An empty board, Red to move.
    pub const fn empty() -> Self {
        Self { board: [None; Square::COUNT], side_to_move: Color::Red, halfmove_clock: 0, fullmove_number: 1 }
    }

    /// The squares of these pieces.
    pub fn squares_of(&self, piece: Piece) -> Bitboard {
        Square::ALL.into_iter().filter(|square| self.board[square.index()] == Some(piece)).collect()
    }

    /// The arrangement with colours swapped and ranks reversed: the same game seen by the other side.
    pub fn flip(&self) -> Self {
        let mut flipped =
            Self { side_to_move: !self.side_to_move, ..Self { board: [None; Square::COUNT], ..*self } };
        for square in Square::ALL {
            flipped.board[square.flip().index()] =
                self.board[square.index()].map(|piece| Piece::new(!piece.color(), piece.kind()));
        }
        flipped
    }

    /// The arrangement mirrored left to right.
    pub fn mirror(&self) -> Self {
        let mut mirrored = Self { board: [None; Square::COUNT], ..*self };
        for square in Square::ALL {
            mirrored.board[square.mirror().index()] = self.board[square.index()];
        }
        mirrored
    }

    /// Faults that keep the pieces from being a position, apart from attacks on the kings; empty if there is none.
    pub(crate) fn piece_problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let squares = self.squares_of(Piece::new(color, kind));
                if kind == PieceKind::King && squares.is_empty() {
                    problems.push(Problem::NoKing(color));
                }
                if squares.count() > kind.max_count() {
                    problems.push(Problem::TooMany { piece: Piece::new(color, kind), squares });
                }
                if kind == PieceKind::King {
                    let outside = squares - attacks::palace(color);
                    problems
                        .extend(outside.iter().map(|square| Problem::KingOutsidePalace { color, square }));
                }
            }
        }
        problems
    }

    /// Pieces on points they cannot reach in a game: advisors and elephants off their own points, pawns behind their
    /// start or, before the river, between their files. Problem books contain such boards, so they are playable.
    pub fn oddities(&self) -> Vec<(Square, Piece)> {
        let odd = |square: Square, piece: Piece| {
            let square = if piece.color() == Color::Red { square } else { square.flip() };
            let (file, rank) = (square.file().index(), square.rank().index());
            match piece.kind() {
                PieceKind::Advisor => {
                    let steps = attacks::palace(Color::Red).contains(square) && (file + rank) % 2 == 1;
                    !steps
                }
                PieceKind::Elephant => {
                    let point = matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2));
                    !point
                }
                PieceKind::Pawn => rank < 3 || rank < 5 && file % 2 == 1,
                _ => false,
            }
        };
        let piece_at = |square: Square| self.board[square.index()].map(|piece| (square, piece));
        Square::ALL.into_iter().filter_map(piece_at).filter(|&(square, piece)| odd(square, piece)).collect()
    }
}

/// One reason why a setup is not a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// A side has no king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// A side has more pieces of a kind than it starts with.
    #[error("{} {piece}s ({}), at most {} allowed", squares.count(), list(*squares), piece.kind().max_count())]
    TooMany {
        /// The piece.
        piece: Piece,
        /// Where they are.
        squares: Bitboard,
    },
    /// A king stands outside its palace.
    #[error("{color} king on {square} is outside its palace")]
    KingOutsidePalace {
        /// Whose king.
        color: Color,
        /// Where.
        square: Square,
    },
    /// The side that is not to move stands in check: no game leads here.
    #[error("{0} is in check but it is not {0}'s turn")]
    OpponentInCheck(Color),
    /// The kings face each other on an open file: no game leads here.
    #[error("the kings face each other on an open file")]
    FacingKings,
}

fn list(squares: Bitboard) -> String {
    squares.iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

/// All reasons why a setup is not a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct PositionError {
    /// Every problem found, at least one.
    pub problems: Vec<Problem>,
}

impl PositionError {
    /// Whether the pieces are fine and only the turn is impossible: the side not to move is in check, or the kings face
    /// each other.
    pub fn only_unreachable(&self) -> bool {
        self.problems
            .iter()
            .all(|problem| matches!(problem, Problem::OpponentInCheck(_) | Problem::FacingKings))
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            write!(f, "{}{problem}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}
