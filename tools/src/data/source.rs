//! Data files as a whole: their games, and what recipes call them.

use super::{DataError, Game, Reader};
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A file as the recipe of another file names it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Source {
    /// Its name, without the folder.
    pub file: String,
    /// Whole games in it.
    pub games: usize,
    /// Of the file up to its last whole block.
    pub crc32: String,
    /// Its own recipe.
    pub recipe: Value,
}

/// Hands every game of some files to `take`, in order, and tells what the files are.
///
/// A last block that is incomplete is passed over with a warning, see [`Reader::next_whole_block`].
///
/// # Errors
/// [`DataError`] if a file cannot be read, is none of ours, or is damaged before its last block.
pub fn read_files(paths: &[PathBuf], mut take: impl FnMut(Game)) -> Result<Vec<Source>, DataError> {
    paths.iter().map(|path| read(path, &mut take)).collect()
}

fn read(path: &Path, take: &mut impl FnMut(Game)) -> Result<Source, DataError> {
    let mut reader = Reader::open(path)?;
    let mut count = 0;
    while let Some(games) = reader.next_whole_block()? {
        count += games.len();
        games.into_iter().for_each(&mut *take);
    }
    Ok(Source {
        file: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        games: count,
        crc32: format!("{:08x}", reader.fingerprint()),
        recipe: serde_json::from_str(reader.recipe())
            .unwrap_or_else(|_| Value::String(reader.recipe().to_owned())),
    })
}
