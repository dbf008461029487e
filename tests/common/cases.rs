//! Readers of the data files in `tests/data`.

use std::path::Path;

use serde::Deserialize;

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

/// Every case of `perft.jsonl`.
///
/// # Panics
/// When the file cannot be read or a line is not a case.
pub fn perft() -> Vec<PerftCase> {
    lines("perft.jsonl")
        .into_iter()
        .map(|(n, line)| serde_json::from_str(&line).unwrap_or_else(|e| panic!("perft.jsonl:{n}: {e}")))
        .collect()
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
    lines("rules.jsonl")
        .into_iter()
        .map(|(n, line)| serde_json::from_str(&line).unwrap_or_else(|e| panic!("rules.jsonl:{n}: {e}")))
        .collect()
}
