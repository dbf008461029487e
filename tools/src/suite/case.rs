//! A test position: what is to be found in it.

use anyhow::{Context, ensure};
use movegen::{Move, Position};
use serde::Deserialize;

/// A line of a suite file. Tactics name one move, mates their length; other fields may stand beside these.
#[derive(Debug, Deserialize)]
struct Line {
    id: String,
    fen: String,
    #[serde(default)]
    best: Option<String>,
    #[serde(default)]
    best_moves: Vec<String>,
    #[serde(default)]
    mate_in: Option<u32>,
    /// Whether no shorter mate exists.
    #[serde(default)]
    exact: bool,
    /// Whether `best_moves` holds every move that mates in time.
    #[serde(default)]
    complete: bool,
}

/// What solves a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// One of these moves.
    Moves(Vec<Move>),
    /// A proved mate.
    Mate {
        /// In at most so many moves.
        moves: u32,
        /// The only moves that do it; empty if others may too.
        by: Vec<Move>,
        /// Whether a shorter mate would be a mistake of the search.
        exact: bool,
    },
}

/// A test position.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its name in its suite.
    pub id: String,
    /// The position.
    pub position: Position,
    /// What is to be found.
    pub goal: Goal,
}

/// Reads a suite: one JSON object a line.
///
/// # Errors
/// Names the line and what is wrong with it.
pub fn parse(text: &str) -> anyhow::Result<Vec<Case>> {
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let cases = lines.map(|(index, line)| parse_line(line).with_context(|| format!("line {}", index + 1)));
    let cases: Vec<Case> = cases.collect::<anyhow::Result<_>>()?;
    ensure!(!cases.is_empty(), "there is no position in it");
    Ok(cases)
}

fn parse_line(text: &str) -> anyhow::Result<Case> {
    let line: Line = serde_json::from_str(text)?;
    let position = Position::from_fen(&line.fen).context("fen")?;
    let read = |text: &String| -> anyhow::Result<Move> {
        let mv: Move = text.parse().with_context(|| format!("move {text:?}"))?;
        ensure!(position.is_legal(mv), "{mv} is not legal");
        Ok(mv)
    };
    let moves: Vec<Move> =
        line.best.iter().chain(&line.best_moves).map(read).collect::<anyhow::Result<_>>()?;
    let goal = if let Some(mate_in) = line.mate_in {
        let by = if line.complete { moves } else { Vec::new() };
        Goal::Mate { moves: mate_in, by, exact: line.exact }
    } else {
        ensure!(!moves.is_empty(), "neither \"best\" nor \"best_moves\" nor \"mate_in\"");
        Goal::Moves(moves)
    };
    Ok(Case { id: line.id, position, goal })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";

    #[test]
    fn kinds_of_cases() {
        let text = format!(
            "# two\n{{\"id\": \"a\", \"fen\": \"{FEN}\", \"best\": \"a0a9\", \"score\": 5}}\n\
             {{\"id\": \"b\", \"fen\": \"{FEN}\", \"mate_in\": 3, \"best_moves\": [\"a0a9\"], \"exact\": true, \"complete\": true}}\n\
             {{\"id\": \"c\", \"fen\": \"{FEN}\", \"mate_in\": 5, \"best_moves\": [\"a0a9\"], \"exact\": false, \"complete\": false}}\n"
        );
        let rook: Move = "a0a9".parse().expect("a move");
        let goals: Vec<Goal> = parse(&text).expect("three cases").into_iter().map(|case| case.goal).collect();
        assert_eq!(goals[0], Goal::Moves(vec![rook]));
        assert_eq!(goals[1], Goal::Mate { moves: 3, by: vec![rook], exact: true });
        assert_eq!(goals[2], Goal::Mate { moves: 5, by: vec![], exact: false });
        for (line, fault) in [
            (format!("{{\"id\": \"a\", \"fen\": \"{FEN}\"}}"), "neither"),
            (format!("{{\"id\": \"a\", \"fen\": \"{FEN}\", \"best\": \"a0b2\"}}"), "a0b2 is not legal"),
            ("{\"id\": \"a\", \"fen\": \"9 w\", \"best\": \"a0b2\"}".to_owned(), "fen"),
            ("hello".to_owned(), "line 1"),
            (String::new(), "no position"),
        ] {
            let error = format!("{:#}", parse(&line).expect_err(&line));
            assert!(error.contains(fault), "{line}: {error}");
        }
    }
}
