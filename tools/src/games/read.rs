//! The way from a file to its games, one at a time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use movegen::notation::Notation;

use super::binary::{self, MAX_FILE};
use super::encoding::{Guess, InputEncoding};
use super::error::{Damaged, GameError, Place, Problem};
use super::format::Format;
use super::game::Game;
use super::stream::{self, MAX_GAME, TextInput};
use super::{cbf, cbr, encoding, fenlist, json, markup, parts, pgn, text, wxf, xqf};

/// What a reader is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// The notation of the moves; `None` lets the file decide.
    pub notation: Option<Notation>,
    /// The encoding of texts, see [`super::input_encoding`]. A byte order mark counts for more; CBR has its own.
    pub encoding: InputEncoding,
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
/// likely PGN the beginning must leave no doubt, for in its tags and comments anything may be said. Where `format` is not given, lines of
/// a text may begin other formats, whose games follow.
///
/// All formats with many games a file stream game by game, in constant memory. Of the others a file is one game, and is read
/// whole: XQF up to 16 MiB, CBF up to 8 MiB. Where there is nothing of a game, that is the one error.
pub fn read(
    input: impl BufRead + 'static,
    format: Option<Format>,
    likely: Option<Format>,
    options: ReadOptions,
) -> Games {
    let mut games = any(input, format, likely, options).peekable();
    if games.peek().is_some() {
        return Box::new(games);
    }
    let place = Place::Line { line: 1, column: 1 };
    Box::new(std::iter::once(Err(GameError { game: 1, place, problem: Problem::Nothing, partial: None })))
}

/// The games there are, be it none.
fn any(
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
    if format.is_none() && stream::without_end_marks(&head).contains(&0) && encoding::utf16(&head).is_none() {
        let problem = Problem::NotThisFormat("a game file of any known format");
        let error = GameError { game: 1, place: Place::Byte(0), problem, partial: None };
        return Box::new(std::iter::once(Err(error)));
    }
    let format = format.unwrap_or(Format::Pgn);
    let whole = Cursor::new(head.clone()).chain(input);
    let guess = Guess::new(&head, options.encoding);
    if matches!(format, Format::Xqf | Format::Cbr) {
        return open(whole, format, guess, options);
    }
    let text = TextInput::new(whole, &head);
    let is_page = format != Format::Cbf && head.trim_ascii_start().starts_with(b"<");
    if named.is_some() || is_page {
        return open_as(text, format, named.is_some(), &head, guess, options);
    }
    let later = guess.clone();
    Box::new(parts::games(text, format, later, options, move |part| {
        open_as(part, format, false, &head, guess, options)
    }))
}

/// As [`open`], with the kinds of sections that the beginning shows.
fn open_as(
    text: impl BufRead + 'static,
    format: Format,
    is_named: bool,
    head: &[u8],
    guess: Guess,
    options: ReadOptions,
) -> Games {
    let kinds = match format {
        // What is a WXF file for certain may speak of boxes.
        Format::Wxf if is_named || wxf::begins_head(head.trim_ascii_start()) => markup::FILE,
        // A text of unknown content may hold boxes as well as files.
        Format::Wxf | Format::GameBox
            if !matches!(Format::sniff(head), Some(Format::DhtmlXq | Format::GameBox)) =>
        {
            markup::WXF
        }
        _ => return open(text, format, guess, options),
    };
    Box::new(markup::games(text, kinds, guess, options))
}

/// The games of a stream, or of a part of one, that is all in one format.
pub(super) fn open(
    input: impl BufRead + 'static,
    format: Format,
    guess: Guess,
    options: ReadOptions,
) -> Games {
    match format {
        Format::Xqf | Format::Cbf => {
            Box::new(std::iter::once_with(move || single(input, format, guess, options)))
        }
        Format::Cbr => Box::new(cbr::games(input)),
        Format::Pgn => Box::new(pgn::games(input, guess, options)),
        Format::Json => Box::new(list(input, guess, |_| false, move |line| json::game(line, options))),
        Format::Fen => {
            Box::new(list(input, guess, fenlist::is_remark, move |line| fenlist::game(line, options)))
        }
        Format::DhtmlXq | Format::GameBox => Box::new(markup::games(input, markup::PAGE, guess, options)),
        Format::Wxf => Box::new(markup::games(input, markup::FILE, guess, options)),
    }
}

/// An error of the file rather than of a game in it.
pub(super) fn io_error(error: io::Error) -> GameError {
    GameError { game: 1, place: Place::Byte(0), problem: error.into(), partial: None }
}

/// Reads a file that is one game.
fn single(
    input: impl Read,
    format: Format,
    mut guess: Guess,
    options: ReadOptions,
) -> Result<Game, GameError> {
    // What becomes of XML takes several times its length.
    let most = if format == Format::Cbf { MAX_GAME } else { MAX_FILE };
    let mut bytes = Vec::new();
    input.take(most as u64 + 1).read_to_end(&mut bytes).map_err(io_error)?;
    if bytes.len() > most {
        let problem = Problem::TooLarge(most >> 20);
        return Err(GameError { game: 1, place: Place::Byte(0), problem, partial: None });
    }
    match format {
        Format::Cbf => cbf::game(&guess.decode(&bytes)),
        _ => xqf::game(&bytes, options.encoding).map_err(|damaged| binary::error_at(1, damaged)),
    }
}

/// The longest line of a list.
const MAX_LINE: usize = 16 << 20;

/// Reads a list line by line; a line that is too long costs its own game, unless it begins as a remark.
fn list<R: BufRead>(
    mut input: R,
    mut guess: Guess,
    is_remark: impl Fn(&[u8]) -> bool,
    parse: impl Fn(&str) -> Option<Result<Game, Damaged>>,
) -> impl Iterator<Item = Result<Game, GameError>> {
    let (mut line, mut game) = (0, 0);
    let mut buffer = Vec::new();
    let mut done = false;
    let mut is_rest = false;
    std::iter::from_fn(move || {
        while !done {
            buffer.clear();
            let read = input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut buffer);
            // What is left of a line that was too long.
            let is_first = !std::mem::replace(&mut is_rest, !buffer.ends_with(b"\n") && !buffer.is_empty());
            if matches!(read, Ok(1..)) && !is_first {
                continue;
            }
            line += 1;
            let place = Place::Line { line, column: 1 };
            let problem = match read {
                Ok(0) => return None,
                Ok(MAX_LINE) if is_rest => {
                    if is_remark(&buffer) {
                        continue;
                    }
                    Problem::TooLarge(MAX_LINE >> 20)
                }
                Ok(_) => {
                    let decoded = guess.decode(&buffer);
                    let Some(read) = parse(&decoded.text) else { continue };
                    game += 1;
                    return Some(text::placed(read, &decoded, game, (line, 1)));
                }
                Err(error) => {
                    done = true;
                    error.into()
                }
            };
            game += 1;
            return Some(Err(GameError { game, place, problem, partial: None }));
        }
        None
    })
}
