//! The game files that a command is given: files, folders, standard input.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::bail;
use movegen::notation::Notation;
use walkdir::WalkDir;

use crate::games::{self, Format, Game, Games, InputEncoding, ReadOptions};
use crate::stderr::note;

/// How the files of a command are read.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Reading {
    /// The notation of the moves that are read; by default they tell
    #[arg(long, value_name = "NOTATION", value_parser = crate::values::notation(), hide_possible_values = true)]
    pub(crate) read_notation: Option<Notation>,
    /// The encoding of files that are read: utf-8, gbk, gb18030, big5, or auto, which finds it out
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = crate::values::input_encoding())]
    #[arg(hide_possible_values = true)]
    read_encoding: InputEncoding,
}

impl Reading {
    pub(crate) fn options(self) -> ReadOptions {
        ReadOptions { notation: self.read_notation, encoding: self.read_encoding }
    }
}

/// A file to read.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    /// Its path below the folder that was named; the bare name if the file itself was.
    pub(crate) relative: PathBuf,
    /// In bytes; 0 for standard input.
    pub(crate) length: u64,
}

impl Input {
    pub(crate) fn open(&self) -> io::Result<Box<dyn Read>> {
        if self.is_stdin() { Ok(Box::new(io::stdin())) } else { Ok(Box::new(File::open(&self.path)?)) }
    }

    /// Its games, in `format` or in whatever format it is.
    pub(crate) fn games(&self, format: Option<Format>, reading: Reading) -> io::Result<Games> {
        let input = BufReader::with_capacity(1 << 16, self.open()?);
        Ok(games::read(input, format, Format::from_path(&self.path), reading.options()))
    }

    /// As messages name it.
    pub(crate) fn name(&self) -> std::path::Display<'_> {
        self.path.display()
    }

    fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }
}

/// What a command is given to read.
#[derive(Debug)]
pub(crate) struct Inputs {
    pub(crate) files: Vec<Input>,
    /// Folders that could not be searched, each with its reason.
    pub(crate) faults: Vec<String>,
}

/// Gives each game of the files to `visit`, with its number in its file, or only game `wanted` of each file.
/// Damage and warnings go to stderr; the result counts the damaged games and the files and folders that could not be read.
pub(crate) fn each_game(
    inputs: &Inputs,
    wanted: Option<usize>,
    format: Option<Format>,
    reading: Reading,
    mut visit: impl FnMut(&Input, usize, Game) -> anyhow::Result<()>,
) -> anyhow::Result<usize> {
    for fault in &inputs.faults {
        note!("{fault}");
    }
    let mut damaged = inputs.faults.len();
    for input in &inputs.files {
        let games = match input.games(format, reading) {
            Ok(games) => games,
            Err(error) => {
                note!("{}: {error}", input.name());
                damaged += 1;
                continue;
            }
        };
        let mut found = false;
        for (index, game) in games.enumerate() {
            if wanted.is_some_and(|wanted| wanted != index + 1) {
                continue;
            }
            found = true;
            match game {
                Ok(game) => {
                    for warning in &game.warnings {
                        note!("{}: warning: {warning}", input.name());
                    }
                    visit(input, index + 1, game)?;
                }
                Err(error) => {
                    note!("{}: {error}", input.name());
                    damaged += 1;
                }
            }
            if wanted.is_some() {
                break;
            }
        }
        if let Some(wanted) = wanted.filter(|_| !found) {
            note!("{}: there is no game {wanted}", input.name());
            damaged += 1;
        }
    }
    Ok(damaged)
}

/// The named files, and the game files below the named folders in order of their names.
///
/// # Errors
/// If there are none.
pub(crate) fn collect(named: &[PathBuf]) -> anyhow::Result<Inputs> {
    let mut inputs = Inputs { files: Vec::new(), faults: Vec::new() };
    for path in named {
        if path.is_dir() {
            search(path, &mut inputs);
        } else {
            let length = std::fs::metadata(path).map_or(0, |data| data.len());
            let relative = path.file_name().map_or_else(|| path.clone(), PathBuf::from);
            inputs.files.push(Input { path: path.clone(), relative, length });
        }
    }
    if inputs.files.is_empty() {
        inputs.faults.iter().for_each(|fault| note!("{fault}"));
        let named: Vec<String> = named.iter().map(|path| path.display().to_string()).collect();
        bail!("no game files found in {}", named.join(", "));
    }
    Ok(inputs)
}

/// Adds the game files below a folder, and what of it could not be searched.
fn search(folder: &Path, inputs: &mut Inputs) {
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(folder).display().to_string();
                // The error itself would name the path again.
                let cause = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                inputs.faults.push(format!("{path}: cannot search this folder: {cause}"));
                continue;
            }
        };
        // A link to a file is one; a link to nothing is told when its turn comes. Links to folders are not followed.
        let data = std::fs::metadata(entry.path());
        let is_file = data.as_ref().map_or(entry.path_is_symlink(), std::fs::Metadata::is_file);
        if is_file && is_game_file(entry.path()) {
            let relative = entry.path().strip_prefix(folder).unwrap_or(entry.path()).to_owned();
            let length = data.map_or(0, |data| data.len());
            inputs.files.push(Input { path: entry.path().to_owned(), relative, length });
        }
    }
}

/// By extension; pages, texts and JSON files must also look like games, for most of those are something else.
fn is_game_file(path: &Path) -> bool {
    let Some(format) = Format::from_path(path) else { return false };
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if !matches!(extension.to_ascii_lowercase().as_str(), "txt" | "html" | "htm" | "json") {
        return true;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1 << 16).read_to_end(&mut head));
    // What cannot be read is told when its turn comes.
    read.is_err() || Format::sniff(&head).is_some_and(|found| format != Format::Json || found == Format::Json)
}
