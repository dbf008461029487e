//! Opening files: one opening a line, or the first moves of games in PGN.
//!
//! A line is a list of coordinate moves from the start position, or a FEN, optionally followed by `moves` and such a list. `#`
//! starts a comment. Moves may count ranks from 0 (`h2e2`) or from 1 (`h3e3`), the same way through one line.

use std::collections::HashSet;
use std::io::Cursor;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, anyhow, bail, ensure};
use movegen::rules::RuleSet;
use movegen::{History, Move, Position};

use crate::games::{self, ReadOptions};
use crate::matches::config::RankBase;
use crate::matches::referee::verdict;
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

/// How an opening file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One opening a line.
    Lines,
    /// Games.
    Pgn,
}

impl FromStr for Format {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        match text {
            "lines" | "epd" => Ok(Self::Lines),
            "pgn" => Ok(Self::Pgn),
            _ => bail!("unknown format of openings {text:?} (lines, epd, pgn)"),
        }
    }
}

/// Plies of a game that make an opening, unless told otherwise.
pub const DEFAULT_PLIES: usize = 16;

/// Where openings come from.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The file; `None` = the project's own book.
    pub file: Option<PathBuf>,
    /// How it is written; `None` = as its name says.
    pub format: Option<Format>,
    /// Plies taken of each opening; `None` = all of a line, [`DEFAULT_PLIES`] of a game.
    pub plies: Option<usize>,
}

impl Source {
    /// Reads the openings; `rules` say which games are over already.
    ///
    /// # Errors
    /// Names the line or game that cannot be read or is not legal.
    pub fn load(&self, rules: RuleSet) -> anyhow::Result<Vec<Opening>> {
        let Some(file) = &self.file else { return parse(BOOK, self.plies, rules) };
        let is_pgn = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        let format = self.format.unwrap_or(if is_pgn { Format::Pgn } else { Format::Lines });
        let context = || format!("cannot read {}", file.display());
        match format {
            Format::Lines => parse(&crate::text::read(file)?, self.plies, rules).with_context(context),
            Format::Pgn => {
                let bytes = std::fs::read(file).with_context(context)?;
                of_games(bytes, self.plies.unwrap_or(DEFAULT_PLIES), rules).with_context(context)
            }
        }
    }
}

/// The first plies of games, each position once: a match plays every opening twice. Games that are over by then are left out.
fn of_games(bytes: Vec<u8>, plies: usize, rules: RuleSet) -> anyhow::Result<Vec<Opening>> {
    let games = games::read(Cursor::new(bytes), Some(games::Format::Pgn), None, ReadOptions::default());
    let mut openings = Vec::new();
    let mut seen = HashSet::new();
    for (number, game) in games.enumerate() {
        let game = game.with_context(|| format!("game {}", number + 1))?;
        let opening = Opening { start: game.start().clone(), moves: game.moves().take(plies).collect() };
        let history = opening.history();
        if verdict(&history, rules).is_none() && seen.insert(history.current().key()) {
            openings.push(opening);
        }
    }
    ensure!(!openings.is_empty(), "there is no opening in it");
    Ok(openings)
}

/// Reads the text of an opening file: of each line at most so many plies.
///
/// # Errors
/// Names the line that cannot be read or is not legal.
pub fn parse(text: &str, plies: Option<usize>, rules: RuleSet) -> anyhow::Result<Vec<Opening>> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if !line.is_empty() {
            let place = || format!("line {}", index + 1);
            let mut opening = parse_line(line).with_context(place)?;
            opening.moves.truncate(plies.unwrap_or(usize::MAX));
            if let Some((_, reason)) = verdict(&opening.history(), rules) {
                return Err(anyhow!("the game is already over ({reason})")).with_context(place);
            }
            openings.push(opening);
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
        Ok(moves) => Ok(Opening { start, moves }),
        Err(word) => bail!("{word:?} is not a legal move here, in either numbering of the ranks"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, plies: Option<usize>) -> anyhow::Result<Vec<Opening>> {
        super::parse(text, plies, RuleSet::Asian)
    }

    fn load(source: &Source) -> anyhow::Result<Vec<Opening>> {
        source.load(RuleSet::Asian)
    }

    #[test]
    fn the_book_is_legal_and_distinct() {
        let openings = load(&Source::default()).expect("the book of the project");
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
        let openings = parse(text, None).expect("four openings");
        assert_eq!(openings.iter().map(|o| o.moves.len()).collect::<Vec<_>>(), [2, 2, 0, 2]);
        assert_eq!(openings[0], openings[1]);
        for (text, fault) in [
            ("h2e2\nh2e2 h2e2", "line 2"),
            ("h2e2 h10g8", "\"h10g8\" is not a legal move"),
            ("9/9/9 w", "line 1"),
            ("# nothing", "no opening"),
            ("3k5/3RP4/9/9/9/9/9/9/9/4K4 b", "already over (checkmate)"),
            ("h2e2\n3k5/9/9/9/9/9/9/9/9/4K4 w", "line 2: the game is already over (dead position)"),
            // The third time this position arises, by moves of the rooks that threaten nothing.
            ("i0i1 i9i8 i1i0 i8i9 i0i1 i9i8 i1i0 i8i9 i0i1 i9i8 i1i0 i8i9", "already over ("),
        ] {
            let error = format!("{:#}", parse(text, None).expect_err(text));
            assert!(error.contains(fault), "{text}: {error}");
        }
    }

    #[test]
    fn first_plies_of_games() {
        let pgn = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 1-0\n\n\
                   [Event \"the same beginning\"]\n\n1. h2e2 h9g7 2. b0c2 *\n\n\
                   [Event \"from a position\"]\n[FEN \"3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1\"]\n\n1. a0a9 *\n\n\
                   [Event \"nobody can win\"]\n[FEN \"3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1\"]\n\n1. e0e1 *\n\n\
                   [Event \"over at once\"]\n[FEN \"3k5/4P4/9/9/9/9/9/9/9/R3K4 w - - 0 1\"]\n\n1. a0d0 *\n";
        let lengths = |plies| -> Vec<usize> {
            of_games(pgn.into(), plies, RuleSet::Asian)
                .expect("openings")
                .iter()
                .map(|o| o.moves.len())
                .collect()
        };
        assert_eq!(lengths(2), [2, 1], "the second game begins like the first, the last one is over");
        assert_eq!(lengths(3), [3, 3, 1]);
        assert_eq!(lengths(0), [0, 0, 0]);
        assert!(of_games("1. h2e2 h2e2 *".into(), 9, RuleSet::Asian).is_err());
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("games.pgn");
        std::fs::write(&file, pgn).expect("a writable file");
        let source = Source { file: Some(file), ..Source::default() };
        assert_eq!(load(&source).expect("by its name").len(), 3);
        let lines = Source { format: Some(Format::Lines), ..source };
        assert!(load(&lines).is_err());
        let file = lines.file.as_ref().expect("a file");
        std::fs::write(file, "\u{feff}h2e2\r\nb2e2\r\n").expect("a writable file");
        assert_eq!(load(&lines).expect("as editors on Windows write").len(), 2);
        let short = Source { plies: Some(1), ..Source::default() };
        assert!(load(&short).expect("our book").iter().all(|opening| opening.moves.len() <= 1));
    }
}
