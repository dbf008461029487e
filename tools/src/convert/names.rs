//! What the files in a folder of results are called: no two of a run alike, and those of an input alike whatever the order of the inputs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::inputs::Input;

/// The names of a run, all without the extension of the results.
pub(super) struct Names {
    /// One for each input.
    stems: Vec<PathBuf>,
    /// All that are given away.
    taken: HashSet<PathBuf>,
    /// The inputs and the results so far, as they lie on the disk.
    inputs: HashSet<PathBuf>,
    written: HashSet<PathBuf>,
}

impl Names {
    /// Names each input by its path without its extension; where two differ in nothing else, the extension or a number joins it.
    pub(super) fn new(inputs: &[Input]) -> Self {
        let mut taken = HashSet::new();
        let stems = inputs.iter().map(|input| free(&mut taken, stems(&input.relative))).collect();
        let inputs = inputs.iter().filter_map(|input| input.path.canonicalize().ok()).collect();
        Self { stems, taken, inputs, written: HashSet::new() }
    }

    /// The name for a game of an input, both counted from 0, where each game is a file; only those after the first are numbered.
    pub(super) fn of_game(&mut self, input: usize, relative: &Path, game: usize) -> PathBuf {
        match game {
            0 => self.of_input(input),
            _ => free(&mut self.taken, stems(relative).map(|stem| joined(&stem, &(game + 1).to_string()))),
        }
    }

    /// The name for all games of an input.
    pub(super) fn of_input(&self, input: usize) -> PathBuf {
        self.stems.get(input).cloned().unwrap_or_default()
    }

    /// Refuses a path that leads to another result or to another input than `current`, be it by a link or by letters whose case does not count.
    pub(super) fn check(&self, path: &Path, current: &Input) -> anyhow::Result<()> {
        let Ok(found) = path.canonicalize() else { return Ok(()) };
        if self.written.contains(&found) {
            bail!("{} would replace what was written from another input", path.display());
        }
        if self.inputs.contains(&found) && current.path.canonicalize().ok().as_ref() != Some(&found) {
            bail!("{} is one of the inputs; name another folder", path.display());
        }
        Ok(())
    }

    /// A result is in its place.
    pub(super) fn note_written(&mut self, path: &Path) {
        self.written.extend(path.canonicalize());
    }
}

/// What an input may be called, the shortest first: `match.1` (of `match.1.pgn`), `match.1-pgn`, `match.1-pgn-2` ...
fn stems(relative: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let plain = relative.with_extension("");
    let extension = relative.extension().unwrap_or_default().to_string_lossy().into_owned();
    let with_extension = joined(&plain, &extension);
    let numbered = (2..).map({
        let with_extension = with_extension.clone();
        move |number: usize| joined(&with_extension, &number.to_string())
    });
    [plain, with_extension].into_iter().chain(numbered)
}

fn joined(stem: &Path, part: &str) -> PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push("-");
    name.push(part);
    name.into()
}

/// The first name that nothing has yet.
fn free(taken: &mut HashSet<PathBuf>, names: impl Iterator<Item = PathBuf>) -> PathBuf {
    let mut names = names;
    let name = names.find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(name.clone());
    name
}
