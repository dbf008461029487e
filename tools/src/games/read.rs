//! The way from a file to its games, one at a time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use movegen::notation::Notation;

use super::binary::{self, MAX_FILE};
use super::encoding::Guess;
use super::error::{Damaged, GameError, Place, Problem};
use super::format::Format;
use super::game::Game;
use super::stream::TextInput;
use super::{cbf, cbr, encoding, fenlist, json, markup, pgn, text, wxf, xqf};

/// What a reader is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// The notation of the moves; `None` lets the file decide.
    pub notation: Option<Notation>,
}

/// The games of a file; each is read when it is asked for.
pub type Games = Box<dyn Iterator<Item = Result<Game, GameError>>>;

/// Bytes of a file's beginning that its format is told from.
const HEAD: u64 = 1 << 16;

/// The games of a file, its format taken from its content or, where that does not tell, from its extension.
///
/// # Errors
/// If the file cannot be opened; damage in it comes from the iterator.
pub fn read_path(path: &Path, format: Option<Format>, options: ReadOptions) -> io::Result<Games> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder, not a game file"));
    }
    let input = BufReader::with_capacity(1 << 16, File::open(path)?);
    Ok(read(input, format, Format::from_path(path), options))
}

/// The games of a stream: in `format`, or in what its beginning shows, or in `likely`, or as PGN. Of a file that is
/// likely PGN the beginning must leave no doubt, for in its tags and comments anything may be said.
///
/// All formats with many games a file stream game by game, in constant memory. Of the others a file is one game, and is read
/// whole, up to 256 MiB.
pub fn read(
    mut input: impl BufRead + 'static,
    format: Option<Format>,
    likely: Option<Format>,
    options: ReadOptions,
) -> Games {
    let mut head = Vec::new();
    if let Err(error) = input.by_ref().take(HEAD).read_to_end(&mut head) {
        return Box::new(std::iter::once(Err(io_error(error))));
    }
    let named = format;
    let format = format.or_else(|| Format::of(&head, likely));
    if format.is_none() && head.contains(&0) && encoding::utf16(&head).is_none() {
        let problem = Problem::NotThisFormat("a game file of any known format");
        let error = GameError { game: 1, place: Place::Byte(0), problem, partial: None };
        return Box::new(std::iter::once(Err(error)));
    }
    let format = format.unwrap_or(Format::Pgn);
    let whole = Cursor::new(head.clone()).chain(input);
    let guess = Guess::new(&head);
    match format {
        Format::Xqf | Format::Cbf => Box::new(std::iter::once_with(move || single(whole, format))),
        Format::Cbr => Box::new(cbr::games(whole)),
        Format::Pgn => Box::new(pgn::games(TextInput::new(whole, &head), guess, options)),
        Format::Json => Box::new(list(TextInput::new(whole, &head), guess, json::game)),
        Format::Fen => Box::new(list(TextInput::new(whole, &head), guess, fenlist::game)),
        Format::DhtmlXq => {
            Box::new(markup::games(TextInput::new(whole, &head), markup::PAGE, guess, options))
        }
        // What is a WXF file for certain may speak of boxes.
        Format::Wxf if named.is_some() || wxf::begins_head(head.trim_ascii_start()) => {
            Box::new(markup::games(TextInput::new(whole, &head), markup::FILE, guess, options))
        }
        // A text of unknown content may hold boxes as well as files.
        Format::Wxf | Format::GameBox => {
            let is_page = matches!(Format::sniff(&head), Some(Format::DhtmlXq | Format::GameBox));
            let kinds = if is_page { markup::PAGE } else { markup::WXF };
            Box::new(markup::games(TextInput::new(whole, &head), kinds, guess, options))
        }
    }
}

/// An error of the file rather than of a game in it.
pub(super) fn io_error(error: io::Error) -> GameError {
    GameError { game: 1, place: Place::Byte(0), problem: error.into(), partial: None }
}

/// Reads a file that is one game.
fn single(input: impl Read, format: Format) -> Result<Game, GameError> {
    let mut bytes = Vec::new();
    input.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(io_error)?;
    if bytes.len() as u64 > MAX_FILE {
        let problem = Problem::TooLarge((MAX_FILE >> 20) as usize);
        return Err(GameError { game: 1, place: Place::Byte(0), problem, partial: None });
    }
    match format {
        Format::Cbf => cbf::game(&encoding::decode(&bytes)),
        _ => xqf::game(&bytes).map_err(|damaged| binary::error_at(1, damaged)),
    }
}

/// The longest line of a list.
const MAX_LINE: usize = 16 << 20;

/// Reads a list line by line.
fn list<R: BufRead>(
    mut input: R,
    mut guess: Guess,
    parse: impl Fn(&str) -> Option<Result<Game, Damaged>>,
) -> impl Iterator<Item = Result<Game, GameError>> {
    let (mut line, mut game) = (0, 0);
    let mut buffer = Vec::new();
    let mut done = false;
    std::iter::from_fn(move || {
        while !done {
            buffer.clear();
            line += 1;
            let place = Place::Line { line, column: 1 };
            let problem = match input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut buffer) {
                Ok(0) => return None,
                Ok(MAX_LINE) if !buffer.ends_with(b"\n") => Problem::TooLarge(MAX_LINE >> 20),
                Ok(_) => {
                    let decoded = guess.decode(&buffer);
                    let Some(read) = parse(&decoded) else { continue };
                    game += 1;
                    return Some(text::placed(read, &decoded, game, (line, 1)));
                }
                Err(error) => error.into(),
            };
            done = true;
            return Some(Err(GameError { game: game + 1, place, problem, partial: None }));
        }
        None
    })
}
