//! Boards for terminals.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use movegen::{Color, File, Move, Piece, PieceKind, Position, Rank, Square};

/// How pieces are written in a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Letters {
    /// 帥仕相俥傌炮兵 for Red, 將士象車馬砲卒 for Black: no two alike, so that it reads without colours too
    #[default]
    Unicode,
    /// FEN letters, Red's are capitals
    Ascii,
}

const RED: Style = AnsiColor::Red.on_default().bold();
const BLACK: Style = AnsiColor::Cyan.on_default().bold();
const GRID: Style = Style::new().dimmed();

/// The board with its labels, styled with ANSI escapes; the last move's squares are underlined and marked.
pub fn text(position: &Position, letters: Letters, last_move: Option<Move>, flipped: bool) -> String {
    let mut out = String::new();
    let ranks: Vec<Rank> = if flipped { Rank::ALL.to_vec() } else { Rank::ALL.into_iter().rev().collect() };
    let files: Vec<File> = if flipped { File::ALL.into_iter().rev().collect() } else { File::ALL.to_vec() };
    for (row, &rank) in ranks.iter().enumerate() {
        let _ = write!(out, "{} ", rank as u8);
        for (column, &file) in files.iter().enumerate() {
            let square = Square::new(file, rank);
            point(&mut out, position, square, letters, last_move);
            if column < 8 {
                let dash = if letters == Letters::Unicode { "─" } else { "-" };
                let _ = write!(out, "{GRID}{dash}{GRID:#}");
            }
        }
        out.push('\n');
        if row == 4 {
            let river = match letters {
                Letters::Unicode => "     楚 河         漢 界\n",
                Letters::Ascii => "       ~   ~   ~\n",
            };
            let _ = write!(out, "{GRID}{river}{GRID:#}");
        }
    }
    let gap = if letters == Letters::Unicode { "  " } else { " " };
    let labels: Vec<String> = files.iter().map(|file| file.to_char().to_string()).collect();
    let _ = writeln!(out, "  {}", labels.join(gap));
    out
}

fn point(out: &mut String, position: &Position, square: Square, letters: Letters, last_move: Option<Move>) {
    let moved = last_move.is_some_and(|mv| mv.to() == square);
    let left = last_move.is_some_and(|mv| mv.from() == square);
    let _ = match position.piece_at(square) {
        Some(piece) => {
            let style = if piece.color() == Color::Red { RED } else { BLACK };
            let style = if moved { style.invert() } else { style };
            match letters {
                Letters::Unicode => write!(out, "{style}{}{style:#}", character(piece)),
                Letters::Ascii => write!(out, "{style}{}{style:#}", piece.to_char()),
            }
        }
        None if left => {
            let style = AnsiColor::Green.on_default();
            let mark = if letters == Letters::Unicode { "◌─" } else { "o" };
            write!(out, "{style}{mark}{style:#}")
        }
        None => {
            let mark = match letters {
                Letters::Ascii => ".",
                Letters::Unicode if square.file() == File::I => "┤ ",
                Letters::Unicode if square.file() == File::A => "├─",
                Letters::Unicode => "┼─",
            };
            write!(out, "{GRID}{mark}{GRID:#}")
        }
    };
}

/// Both sides' characters differ, as on boards without colours.
fn character(piece: Piece) -> char {
    match (piece.color(), piece.kind()) {
        (Color::Red, PieceKind::Rook) => '俥',
        (Color::Red, PieceKind::Horse) => '傌',
        (color, kind) => {
            movegen::notation::chinese_piece(color, kind, movegen::notation::Script::Traditional)
        }
    }
}
