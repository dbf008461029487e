//! Where the games go.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::inputs::Input;
use super::names::Names;
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
    names: Names,
    /// The current input, and which it is.
    input: Option<&'a Input>,
    input_index: usize,
    next_input: usize,
    games_of_input: usize,
    games: usize,
    /// The one game of the output, until it is known that no other follows: nothing must be written then.
    only: Vec<u8>,
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
            names: Names::new(inputs),
            input: None,
            input_index: 0,
            next_input: 0,
            games_of_input: 0,
            games: 0,
            only: Vec::new(),
        })
    }

    /// The next input is `input`.
    pub(super) fn begin(&mut self, input: &'a Input) -> anyhow::Result<()> {
        self.input = Some(input);
        self.input_index = self.next_input;
        self.next_input += 1;
        self.games_of_input = 0;
        if self.format.holds_many() {
            self.open(self.names.of_input(self.input_index))?;
        }
        Ok(())
    }

    /// Begins a file in the folder, if there is one.
    fn open(&mut self, mut name: PathBuf) -> anyhow::Result<()> {
        let (Place::Folder { folder, current }, Some(input)) = (&mut self.place, self.input) else {
            return Ok(());
        };
        // Not `set_extension`: what follows a dot in the name is no extension any more.
        name.as_mut_os_string().push(format!(".{}", self.format.extension()));
        let path = folder.join(name);
        self.names.check(&path, input)?;
        *current = Some(AtomicFile::create(path, self.force)?);
        Ok(())
    }

    /// Puts the file in the folder in its place, if one is open.
    fn close(&mut self) -> anyhow::Result<()> {
        if let Place::Folder { current, .. } = &mut self.place
            && let Some(done) = current.take()
        {
            let path = done.path().to_owned();
            done.commit()?;
            self.names.note_written(&path);
        }
        Ok(())
    }

    pub(super) fn write(&mut self, game: &Game) -> anyhow::Result<Losses> {
        let index = self.games_of_input;
        self.games += 1;
        self.games_of_input += 1;
        let single = !self.format.holds_many();
        if single && let (Place::Folder { .. }, Some(input)) = (&self.place, self.input) {
            let name = self.names.of_game(self.input_index, &input.relative, index);
            self.open(name)?;
        }
        let out: &mut dyn Write = match &mut self.place {
            Place::File(_) if single && self.games > 1 => bail!(
                "a {} file holds one game, and another came before this; name a folder (with a slash at its end) for all",
                self.format
            ),
            Place::File(_) if single => &mut self.only,
            Place::File(target) => target,
            Place::Folder { current, .. } => current.as_mut().context("no file is open")?,
        };
        let losses = games::write_game(game, self.format, self.options, out)?;
        if single {
            self.close()?;
        }
        Ok(losses)
    }

    /// Whether a fault of a result leaves the others whole: each has a file of its own.
    pub(super) fn spares_others(&self) -> bool {
        matches!(self.place, Place::Folder { .. })
    }

    /// Gives up the file that is open in the folder.
    pub(super) fn abandon(&mut self) {
        if let Place::Folder { current, .. } = &mut self.place {
            *current = None;
        }
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// The current input is done.
    pub(super) fn end(&mut self) -> anyhow::Result<()> {
        match &mut self.place {
            Place::Folder { current, .. } if self.games_of_input == 0 => *current = None,
            _ => self.close()?,
        }
        Ok(())
    }

    /// Everything is done.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self.place {
            Place::File(mut target) if self.games > 0 => {
                target.write_all(&self.only)?;
                target.commit()?;
            }
            Place::File(_) | Place::Folder { .. } => {}
        }
        Ok(())
    }
}

fn has_trailing_slash(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}
