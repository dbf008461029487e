//! Where the games go.

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::inputs::Input;
use crate::atomic::AtomicFile;
use crate::games::{self, Format, Game, Losses, WriteOptions};

enum Place<'a> {
    /// All games into one file, or to standard output.
    File(AtomicFile),
    /// A file for each input, or for each game.
    Folder { folder: &'a Path, current: Option<AtomicFile> },
}

/// The output of a conversion.
pub(super) struct Sink<'a> {
    place: Place<'a>,
    format: Format,
    options: WriteOptions,
    force: bool,
    /// The current input's path without extension, below the folder.
    stem: PathBuf,
    /// The stems of the inputs so far, none given twice.
    stems: HashSet<PathBuf>,
    games_of_input: usize,
    games: usize,
}

impl<'a> Sink<'a> {
    pub(super) fn new(
        output: Option<&'a Path>,
        format: Format,
        options: WriteOptions,
        force: bool,
        inputs: &[Input],
    ) -> anyhow::Result<Self> {
        let place = match output {
            None => {
                if !format.holds_many() && io::stdout().is_terminal() {
                    bail!("{format} is a binary format; name a file with --output");
                }
                Place::File(AtomicFile::create("-".into(), force)?)
            }
            Some(path)
                if path.is_dir()
                    || has_trailing_slash(path)
                    || (inputs.len() > 1 && !format.holds_many()) =>
            {
                Place::Folder { folder: path, current: None }
            }
            Some(path) => Place::File(AtomicFile::create(path.to_owned(), force)?),
        };
        Ok(Self {
            place,
            format,
            options,
            force,
            stem: PathBuf::new(),
            stems: HashSet::new(),
            games_of_input: 0,
            games: 0,
        })
    }

    pub(super) fn begin(&mut self, input: &Input) -> anyhow::Result<()> {
        self.stem = self.free_stem(&input.relative);
        self.games_of_input = 0;
        if let Place::Folder { folder, current } = &mut self.place
            && self.format.holds_many()
        {
            let path = folder.join(&self.stem).with_extension(self.format.extension());
            *current = Some(AtomicFile::create(path, self.force)?);
        }
        Ok(())
    }

    /// The path without its extension; where two inputs differ in nothing else, the extension or a number joins it.
    fn free_stem(&mut self, relative: &Path) -> PathBuf {
        let plain = relative.with_extension("");
        let extension = relative.extension().unwrap_or_default().to_string_lossy();
        let joined = |part: String| {
            let mut name = plain.clone().into_os_string();
            name.push("-");
            name.push(part);
            PathBuf::from(name)
        };
        let with_extension = joined(extension.to_string());
        let numbered = (2..).map(|number| joined(format!("{extension}-{number}")));
        let mut names = [plain.clone(), with_extension].into_iter().chain(numbered);
        let free = names.find(|name| !self.stems.contains(name)).unwrap_or_else(|| plain.clone());
        self.stems.insert(free.clone());
        free
    }

    pub(super) fn write(&mut self, game: &Game) -> anyhow::Result<Losses> {
        self.games += 1;
        self.games_of_input += 1;
        let single = !self.format.holds_many();
        let out: &mut dyn Write = match &mut self.place {
            Place::File(_) if single && self.games > 1 => {
                bail!(
                    "a {} file holds one game; name a folder (with a slash at its end) for the others",
                    self.format
                )
            }
            Place::File(target) => target,
            Place::Folder { folder, current } => {
                if single {
                    if let Some(done) = current.take() {
                        done.commit()?;
                    }
                    // A number only where one file becomes several.
                    let mut name = self.stem.clone().into_os_string();
                    if self.games_of_input > 1 {
                        name.push(format!("-{}", self.games_of_input));
                    }
                    name.push(".");
                    name.push(self.format.extension());
                    *current = Some(AtomicFile::create(folder.join(name), self.force)?);
                }
                current.as_mut().context("no file is open")?
            }
        };
        Ok(games::write_game(game, self.format, self.options, out)?)
    }

    /// The current input is done.
    pub(super) fn end(&mut self) -> anyhow::Result<()> {
        if let Place::Folder { current, .. } = &mut self.place
            && let Some(target) = current.take()
            && self.games_of_input > 0
        {
            target.commit()?;
        }
        Ok(())
    }

    /// Everything is done.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self.place {
            Place::File(target) if self.games > 0 => target.commit()?,
            Place::File(_) | Place::Folder { .. } => {}
        }
        Ok(())
    }
}

fn has_trailing_slash(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}
