//! Readers of the data files in `tests/data`.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The text of a file in `tests/data`.
///
/// # Panics
/// When the file cannot be read: a test without its data must fail.
pub fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The lines of a data file that are neither blank nor a `#` comment, with their line numbers from 1.
///
/// # Panics
/// When the file cannot be read.
pub fn lines(name: &str) -> Vec<(usize, String)> {
    data(name)
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(i, line)| (i + 1, line.to_owned()))
        .collect()
}

/// Every case of a JSON-lines file in `tests/data`.
///
/// # Panics
/// When the file cannot be read, holds no case, or a line is not a case.
pub fn jsonl<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let parse = |(n, line): (usize, String)| {
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{name}:{n}: {e}"))
    };
    let cases: Vec<T> = lines(name).into_iter().map(parse).collect();
    assert!(!cases.is_empty(), "{name} holds no case");
    cases
}

/// One line of `perft.jsonl`.
#[derive(Debug, Clone, Deserialize)]
pub struct PerftCase {
    /// The position.
    pub fen: String,
    /// Plies to walk.
    pub depth: u32,
    /// The number of leaves.
    pub nodes: u64,
    /// Where the position comes from or what it shows.
    pub tag: String,
}

/// One line of `traps.jsonl`: what is known about the legal moves of a position.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrapCase {
    /// What the position shows.
    pub about: String,
    /// The position.
    pub fen: String,
    /// Every legal move, when the case lists them all.
    pub all: Option<Vec<String>>,
    /// Legal moves.
    #[serde(default)]
    pub legal: Vec<String>,
    /// Moves that are not legal.
    #[serde(default)]
    pub illegal: Vec<String>,
    /// Legal moves that give check.
    #[serde(default)]
    pub checks: Vec<String>,
    /// Legal moves that give no check.
    #[serde(default)]
    pub quiet: Vec<String>,
}

/// One line of `fen_valid.jsonl`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidFen {
    /// The dialect.
    pub about: String,
    /// The text as found.
    pub fen: String,
    /// The standard form of the same position.
    pub canonical: String,
}

/// One line of `fen_invalid.jsonl`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvalidFen {
    /// The fault.
    pub about: String,
    /// The text.
    pub fen: String,
    /// What the error message must contain.
    pub error: Vec<String>,
    /// Whether only the turn is impossible.
    #[serde(default)]
    pub unreachable: bool,
}

/// One line of `rules.jsonl`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleCase {
    /// The name of the case.
    pub id: String,
    /// Where it comes from.
    pub source: String,
    /// The start position.
    pub fen: String,
    /// The moves, in coordinates.
    pub moves: Vec<String>,
    /// The rule set the verdict belongs to.
    pub rules: String,
    /// `red_loses`, `black_loses`, `draw` or `none`, after the last move.
    pub verdict: String,
    /// The reason, in words.
    pub why: String,
    /// Other rule sets expected to agree.
    #[serde(default)]
    pub also: Vec<String>,
    /// First and last ply of the judged cycle.
    pub span: Option<(usize, usize)>,
    /// The FEN before its letters were made ours.
    pub fen_as_given: Option<String>,
    /// The moves as printed.
    pub moves_as_given: Option<String>,
    /// Remarks.
    pub note: Option<String>,
    /// Whether sources or programs disagree: no gate.
    #[serde(default)]
    pub disputed: bool,
    /// Whether programs, not a book, gave the verdict.
    #[serde(default)]
    pub engine_computed: bool,
    /// Whether the line was constructed from a rule text.
    #[serde(default)]
    pub constructed: bool,
    /// CXA class of each of Red's moves of one cycle.
    #[serde(default)]
    pub red_moves: Vec<String>,
    /// CXA class of each of Black's moves of one cycle.
    #[serde(default)]
    pub black_moves: Vec<String>,
    /// Plies of one cycle.
    pub cycle_plies: Option<usize>,
}

/// Every case of `rules.jsonl`.
///
/// # Panics
/// When the file cannot be read or a line is not a case.
pub fn rules() -> Vec<RuleCase> {
    jsonl("rules.jsonl")
}
