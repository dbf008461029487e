//! Opening files: one opening a line.
//!
//! A line is a list of coordinate moves from the start position, or a FEN, optionally followed by `moves` and such a list. `#`
//! starts a comment. Moves may count ranks from 0 (`h2e2`) or from 1 (`h3e3`), the same way through one line.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use movegen::{History, Move, Position};

use crate::matches::config::RankBase;
use crate::matches::replies::read_move;

/// The project's own book; `data/SOURCES.md` says where it comes from.
const BOOK: &str = include_str!("../data/openings.txt");

/// Where a game starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Opening {
    /// The first position.
    pub start: Position,
    /// Moves that are made before the players take over; all legal.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The game after the opening.
    pub fn history(&self) -> History {
        let mut history = History::new(self.start.clone());
        for &mv in &self.moves {
            history.push(mv);
        }
        history
    }
}

/// The openings of `file`, or of the project's own book.
///
/// # Errors
/// Names the line that cannot be read or is not legal.
pub fn load(file: Option<&Path>) -> anyhow::Result<Vec<Opening>> {
    match file {
        Some(file) => {
            let text =
                std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            parse(&text).with_context(|| file.display().to_string())
        }
        None => parse(BOOK),
    }
}

/// Reads the text of an opening file.
///
/// # Errors
/// Names the line that cannot be read or is not legal.
pub fn parse(text: &str) -> anyhow::Result<Vec<Opening>> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if !line.is_empty() {
            openings.push(parse_line(line).with_context(|| format!("line {}", index + 1))?);
        }
    }
    ensure!(!openings.is_empty(), "there is no opening in it");
    Ok(openings)
}

fn parse_line(line: &str) -> anyhow::Result<Opening> {
    let (start, moves) = if line.contains('/') {
        let (fen, moves) = line.split_once(" moves").unwrap_or((line, ""));
        (Position::from_fen(fen.trim())?, moves)
    } else {
        (Position::startpos(), line)
    };
    let words: Vec<&str> = moves.split_whitespace().collect();
    let read = |base| -> Result<Vec<Move>, &str> {
        let mut position = start.clone();
        words
            .iter()
            .map(|&word| {
                let mv = read_move(word, base).filter(|&mv| position.is_legal(mv)).ok_or(word)?;
                position = position.play(mv);
                Ok(mv)
            })
            .collect()
    };
    match read(RankBase::Zero).or_else(|word| read(RankBase::One).map_err(|_| word)) {
        Ok(moves) => {
            let opening = Opening { start, moves };
            ensure!(opening.history().current().has_legal_move(), "the game is already over");
            Ok(opening)
        }
        Err(word) => bail!("{word:?} is not a legal move here, in either numbering of the ranks"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_is_legal_and_distinct() {
        let openings = load(None).expect("the book of the project");
        assert_eq!(openings.len(), 1000, "data/SOURCES.md promises as many");
        let mut keys: Vec<u64> = openings.iter().map(|opening| opening.history().current().key()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 1000);
    }

    #[test]
    fn forms_of_a_line() {
        let text = "# a comment\n\nh2e2 h9g7 # cannon\nh3e3 h10g8\n\
                    3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1\n4k4/9/9/9/9/9/9/9/4A4/R3K4 w moves a0a9 e9e8\n";
        let openings = parse(text).expect("four openings");
        assert_eq!(openings.iter().map(|o| o.moves.len()).collect::<Vec<_>>(), [2, 2, 0, 2]);
        assert_eq!(openings[0], openings[1]);
        for (text, fault) in [
            ("h2e2\nh2e2 h2e2", "line 2"),
            ("h2e2 h10g8", "\"h10g8\" is not a legal move"),
            ("9/9/9 w", "line 1"),
            ("# nothing", "no opening"),
            ("3k5/3RP4/9/9/9/9/9/9/9/4K4 b", "already over"),
        ] {
            let error = format!("{:#}", parse(text).expect_err(text));
            assert!(error.contains(fault), "{text}: {error}");
        }
    }
}
