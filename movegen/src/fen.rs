//! FEN: lenient on input, one canonical form on output.
//!
//! The letters, side words and tails found in the wild are accepted (horse `H`, elephant `E`, guard `G`, soldier `S`, side `r`,
//! missing or doubled counters, en dashes); what is written is always the standard form.

use crate::{
    position::{MAX_COUNTER, Position, PositionError, Setup},
    types::{Color, File, Piece, PieceKind, Rank, Square},
};
use core::fmt::Write;
use thiserror::Error;

/// The start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Why a text is not the FEN of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// There is nothing but blanks.
    #[error("empty FEN")]
    Empty,
    /// Not ten rows.
    #[error("the board has {}, expected 10", counted(*.0, "row"))]
    RowCount(usize),
    /// A row does not have nine points.
    #[error("row '{row}' (rank {rank}) has {}, expected 9", counted(*length, "point"))]
    RowLength {
        /// The rank the row stands for, 9 for the first row.
        rank: usize,
        /// The row as given.
        row: String,
        /// How many points it describes.
        length: usize,
    },
    /// A character that is neither a piece nor a number of empty points.
    #[error("unknown letter '{letter}' in row '{row}' (rank {rank})")]
    UnknownLetter {
        /// The rank the row stands for, 9 for the first row.
        rank: usize,
        /// The row as given.
        row: String,
        /// The character.
        letter: char,
    },
    /// The second field is no side.
    #[error("unknown side to move '{0}', expected w or b")]
    Side(String),
    /// A counter is no number.
    #[error("'{text}' is not a number ({field})")]
    Counter {
        /// Which counter.
        field: &'static str,
        /// The field as given.
        text: String,
    },
    /// Something follows the counters.
    #[error("unexpected text '{0}' after the FEN")]
    Trailing(String),
    /// The text is well formed, but no position.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// "1 row", "9 rows".
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

impl Setup {
    /// Reads a FEN in any of the dialects in use; the kings and counts are not looked at.
    ///
    /// Missing fields mean `w - - 0 1`; counters are clamped to 0..=9999.
    ///
    /// # Errors
    /// Any [`FenError`] but `Position`: the first malformed field.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.split_whitespace();
        let board = fields.next().ok_or(FenError::Empty)?;
        let mut setup = Self { board: parse_board(board)?, ..Self::empty() };
        if let Some(side) = fields.next() {
            setup.side_to_move = parse_side(side)?;
        }
        let mut tail = fields.peekable();
        for _ in 0..2 {
            tail.next_if(|field| is_dash(field));
        }
        if let Some(field) = tail.next() {
            setup.halfmove_clock = parse_counter("plies since the last capture", field)?;
        }
        if let Some(field) = tail.next() {
            setup.fullmove_number = parse_counter("move number", field)?;
        }
        // Some match runners append `- - 0 1` to a FEN that has counters already: the first ones count.
        match tail.find(|field| !is_dash(field) && field.parse::<u64>().is_err()) {
            Some(field) => Err(FenError::Trailing(field.to_owned())),
            None => Ok(setup),
        }
    }

    /// The canonical FEN: letters `K A B N R C P`, side `w` or `b`, six fields.
    pub fn to_fen(&self) -> String {
        let mut fen = String::with_capacity(96);
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.board[Square::new(file, rank).index()] {
                    None => empty += 1,
                    Some(piece) => {
                        push_empty(&mut fen, empty);
                        empty = 0;
                        fen.push(piece.to_char());
                    }
                }
            }
            push_empty(&mut fen, empty);
            if rank != Rank::R0 {
                fen.push('/');
            }
        }
        let side = if self.side_to_move == Color::Red { 'w' } else { 'b' };
        // Writing to a String cannot fail.
        let _ = write!(fen, " {side} - - {} {}", self.halfmove_clock, self.fullmove_number);
        fen
    }
}

impl Position {
    /// Reads a FEN in any of the dialects in use.
    ///
    /// ```
    /// use movegen::Position;
    /// let position = Position::from_fen("4k4/9/9/9/9/9/9/9/4H4/3K5 r").unwrap();
    /// assert_eq!(position.fen(), "4k4/9/9/9/9/9/9/9/4N4/3K5 w - - 0 1");
    /// ```
    ///
    /// # Errors
    /// The first malformed field, or everything that keeps the board from being a position.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        Ok(Self::from_setup(&Setup::from_fen(fen)?)?)
    }

    /// The canonical FEN.
    pub fn fen(&self) -> String {
        self.to_setup().to_fen()
    }
}

fn push_empty(fen: &mut String, empty: u32) {
    if let Some(digit) = char::from_digit(empty, 10).filter(|_| empty > 0) {
        fen.push(digit);
    }
}

/// ASCII hyphen, en dash or em dash: copied FENs contain all three.
fn is_dash(field: &str) -> bool {
    matches!(field, "-" | "–" | "—")
}

fn parse_board(text: &str) -> Result<[Option<Piece>; Square::COUNT], FenError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != Rank::ALL.len() {
        return Err(FenError::RowCount(rows.len()));
    }
    // A `G` is a guard, but the general of a side that has no `K`.
    let guard = |letter: char| {
        let king = if letter == 'G' { 'K' } else { 'k' };
        let kind = if text.contains(king) { PieceKind::Advisor } else { PieceKind::King };
        Piece::new(if letter == 'G' { Color::Red } else { Color::Black }, kind)
    };
    let mut board = [None; Square::COUNT];
    for (row, rank) in rows.into_iter().zip(Rank::ALL.into_iter().rev()) {
        let mut length = 0;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10).filter(|&digit| digit > 0) {
                length += empty as usize;
                continue;
            }
            let piece = match letter {
                'G' | 'g' => Some(guard(letter)),
                _ => Piece::from_char(letter),
            };
            let Some(piece) = piece else {
                return Err(FenError::UnknownLetter { rank: rank.index(), row: row.to_owned(), letter });
            };
            if let Some(&file) = File::ALL.get(length) {
                board[Square::new(file, rank).index()] = Some(piece);
            }
            length += 1;
        }
        if length != File::ALL.len() {
            return Err(FenError::RowLength { rank: rank.index(), row: row.to_owned(), length });
        }
    }
    Ok(board)
}

fn parse_side(text: &str) -> Result<Color, FenError> {
    match text.to_ascii_lowercase().as_str() {
        "w" | "r" | "red" | "white" => Ok(Color::Red),
        "b" | "black" => Ok(Color::Black),
        _ => Err(FenError::Side(text.to_owned())),
    }
}

fn parse_counter(field: &'static str, text: &str) -> Result<u16, FenError> {
    if is_dash(text) {
        return Ok(0);
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FenError::Counter { field, text: text.to_owned() });
    }
    // A number too large for the type is as large as any other that is clamped.
    let value = digits.parse::<u64>().unwrap_or(u64::MAX).min(u64::from(MAX_COUNTER));
    Ok(if negative { 0 } else { value as u16 })
}
