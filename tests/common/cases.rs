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
