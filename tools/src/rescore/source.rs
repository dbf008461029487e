//! The data files whose games get new scores.

use crate::data::{DataError, Game, Reader};
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A file as the recipe names it.
#[derive(Debug, Serialize)]
pub(super) struct Source {
    /// Its name, without the folder.
    file: String,
    games: usize,
    /// Of the file up to its last whole block.
    crc32: String,
    /// Its own recipe.
    recipe: Value,
}

/// Reads all games of some files, in order.
///
/// They stay in memory: about a kilobyte each, and nothing that is written to a file meanwhile gets between them.
pub(super) fn load(paths: &[PathBuf]) -> Result<(Vec<Source>, Vec<Game>), DataError> {
    let mut games = Vec::new();
    let sources: Result<_, _> = paths.iter().map(|path| read(path, &mut games)).collect();
    Ok((sources?, games))
}

fn read(path: &Path, games: &mut Vec<Game>) -> Result<Source, DataError> {
    let before = games.len();
    let mut reader = Reader::open(path)?;
    while let Some(block) = reader.next_whole_block()? {
        games.extend(block);
    }
    Ok(Source {
        file: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        games: games.len() - before,
        crc32: format!("{:08x}", reader.fingerprint()),
        recipe: serde_json::from_str(reader.recipe())
            .unwrap_or_else(|_| Value::String(reader.recipe().to_owned())),
    })
}
