//! The formats: their names, how files are recognised, and the way from a stream to games and back.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::str::FromStr;

use encoding_rs::Encoding;
use movegen::notation::Notation;
use thiserror::Error;

use super::binary::{self, MAX_FILE};
use super::error::{Damaged, GameError, Place, Problem};
use super::game::Game;
use super::{cbf, cbr, dhtmlxq, encoding, fenlist, json, pgn, text, wxf, xqf};

/// A format of game files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Portable game notation, with the tags of xqbase or PyChess.
    Pgn,
    /// `FORMAT WXF ... START{ ... }END`.
    Wxf,
    /// A `[game]` box of a web page.
    GameBox,
    /// `[DhtmlXQ]` markup.
    DhtmlXq,
    /// XQF.
    Xqf,
    /// CCBridge record or library.
    Cbr,
    /// CCBridge XML; read only.
    Cbf,
    /// A FEN a line.
    Fen,
    /// A JSON object a line.
    Json,
}

impl Format {
    /// All formats, each with its name and the extensions it goes by; the first one is written.
    pub const ALL: [(Self, &str, &[&str]); 9] = [
        (Self::Pgn, "pgn", &["pgn"]),
        (Self::Wxf, "wxf", &["wxf"]),
        (Self::GameBox, "box", &["box", "txt"]),
        (Self::DhtmlXq, "dhtmlxq", &["ubb", "html", "htm", "dhtmlxq"]),
        (Self::Xqf, "xqf", &["xqf"]),
        (Self::Cbr, "cbr", &["cbr", "cbl"]),
        (Self::Cbf, "cbf", &["cbf"]),
        (Self::Fen, "fen", &["fen", "epd", "fens"]),
        (Self::Json, "json", &["jsonl", "json"]),
    ];

    fn row(self) -> &'static (Self, &'static str, &'static [&'static str]) {
        Self::ALL.iter().find(|(format, ..)| *format == self).unwrap_or(&Self::ALL[0])
    }

    /// Its name on command lines.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The extension of files that are written.
    pub fn extension(self) -> &'static str {
        self.row().2[0]
    }

    /// The format an extension stands for.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.iter().find(|(_, _, known)| known.contains(&extension.as_str())).map(|&(format, ..)| format)
    }

    /// Whether one file holds many games.
    pub fn holds_many(self) -> bool {
        !matches!(self, Self::Xqf | Self::Cbr | Self::Cbf)
    }

    /// Whether the format is only read.
    pub fn is_read_only(self) -> bool {
        self == Self::Cbf
    }

    /// The format that the first bytes of a file show, if they show one beyond doubt.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        let contains =
            |needle: &[u8]| bytes.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle));
        let first_line =
            bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).find(|line| !line.is_empty())?;
        Some(if bytes.starts_with(b"XQ") && bytes.get(2).is_some_and(|version| (1..=64).contains(version)) {
            Self::Xqf
        } else if bytes.starts_with(b"CCBridge") {
            Self::Cbr
        } else if contains(b"<ChineseChessRecord") {
            Self::Cbf
        } else if contains(b"[DhtmlXQ]") {
            Self::DhtmlXq
        } else if contains(b"[game]") {
            Self::GameBox
        } else if contains(b"START{") {
            Self::Wxf
        } else if first_line.starts_with(b"{\"") {
            Self::Json
        } else if !first_line.starts_with(b"[") && first_line.split(|&byte| byte == b'/').count() == 10 {
            Self::Fen
        } else {
            return None;
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name or extension that is no format's.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}` is no format; there are {list}", list = Format::ALL.map(|(_, name, _)| name).join(", "))]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let wanted = name.to_ascii_lowercase();
        let found =
            Self::ALL.iter().find(|(_, name, known)| *name == wanted || known.contains(&wanted.as_str()));
        found.map(|&(format, ..)| format).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// What a reader is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// The notation of the moves; `None` lets the file decide.
    pub notation: Option<Notation>,
}

/// What a writer is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions {
    /// The notation of the moves; `None` takes the format's own.
    pub notation: Option<Notation>,
    /// The encoding of text formats; `None` is UTF-8.
    pub encoding: Option<&'static Encoding>,
}

/// What a format could not hold of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Variations.
    pub variations: bool,
    /// Comments or glyphs.
    pub comments: bool,
    /// Characters that the encoding does not have.
    pub characters: bool,
}

type Games = Box<dyn Iterator<Item = Result<Game, GameError>>>;

/// The games of a file, its format taken from its content or, where that does not tell, from its extension.
///
/// # Errors
/// If the file cannot be opened; damage in it comes from the iterator.
pub fn read_path(path: &Path, format: Option<Format>, options: ReadOptions) -> io::Result<Games> {
    let input = BufReader::with_capacity(1 << 16, File::open(path)?);
    Ok(read(input, format, Format::from_path(path), options))
}

/// The games of a stream: in `format`, or in what its beginning shows, or in `likely`, or as PGN.
///
/// PGN, JSON and FEN lists stream game by game; the other formats are read whole, up to 256 MiB.
pub fn read(
    mut input: impl BufRead + 'static,
    format: Option<Format>,
    likely: Option<Format>,
    options: ReadOptions,
) -> Games {
    let head = match input.fill_buf() {
        Ok(head) => head,
        Err(error) => return Box::new(std::iter::once(Err(io_error(error)))),
    };
    let utf16 = encoding::is_utf16(head);
    let format = format.or_else(|| Format::sniff(head)).or(likely).unwrap_or(Format::Pgn);
    match format {
        // UTF-16 cannot be cut into lines before it is decoded.
        Format::Pgn | Format::Json | Format::Fen if utf16 => match read_whole(input) {
            Ok(bytes) => {
                let decoded = io::Cursor::new(encoding::decode(&bytes).into_owned().into_bytes());
                read(decoded, Some(format), None, options)
            }
            Err(error) => Box::new(std::iter::once(Err(error))),
        },
        Format::Pgn => Box::new(pgn::games(input, options)),
        Format::Json => Box::new(lines(input, json::game)),
        Format::Fen => Box::new(lines(input, fenlist::game)),
        _ => {
            let games = read_whole(input).map(|bytes| from_bytes(&bytes, format, options));
            Box::new(games.unwrap_or_else(|error| vec![Err(error)]).into_iter())
        }
    }
}

fn io_error(error: io::Error) -> GameError {
    GameError { game: 1, place: Place::Byte(0), problem: error.into(), partial: None }
}

fn read_whole(input: impl Read) -> Result<Vec<u8>, GameError> {
    let mut bytes = Vec::new();
    input.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(io_error)?;
    if bytes.len() as u64 > MAX_FILE {
        let problem = Problem::TooLarge((MAX_FILE >> 20) as usize);
        return Err(GameError { game: 1, place: Place::Byte(0), problem, partial: None });
    }
    Ok(bytes)
}

fn from_bytes(bytes: &[u8], format: Format, options: ReadOptions) -> Vec<Result<Game, GameError>> {
    match format {
        Format::Xqf => vec![xqf::game(bytes).map_err(|damaged| binary::error_at(1, damaged))],
        Format::Cbr => cbr::games(bytes)
            .into_iter()
            .enumerate()
            .map(|(index, read)| read.map_err(|damaged| binary::error_at(index + 1, damaged)))
            .collect(),
        Format::Cbf => vec![cbf::game(&encoding::decode(bytes))],
        Format::DhtmlXq => dhtmlxq::games(&encoding::decode(bytes)),
        Format::Wxf | Format::GameBox | Format::Pgn | Format::Fen | Format::Json => {
            wxf::games(&encoding::decode(bytes), options)
        }
    }
}

/// The longest line of a list.
const MAX_LINE: usize = 16 << 20;

/// Reads a list line by line.
fn lines<R: BufRead>(
    mut input: R,
    parse: impl Fn(&str) -> Option<Result<Game, Damaged>>,
) -> impl Iterator<Item = Result<Game, GameError>> {
    let (mut line, mut game) = (0, 0);
    let mut buffer = Vec::new();
    let mut done = false;
    std::iter::from_fn(move || {
        while !done {
            buffer.clear();
            line += 1;
            match input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut buffer) {
                Ok(0) => return None,
                Ok(MAX_LINE) if !buffer.ends_with(b"\n") => {
                    done = true;
                    let place = Place::Line { line, column: 1 };
                    let problem = Problem::TooLarge(MAX_LINE >> 20);
                    return Some(Err(GameError { game: game + 1, place, problem, partial: None }));
                }
                Ok(_) => {}
                Err(error) => {
                    done = true;
                    return Some(Err(io_error(error)));
                }
            }
            let decoded = encoding::decode(&buffer);
            let Some(read) = parse(&decoded) else { continue };
            game += 1;
            return Some(read.map_err(|damaged| {
                let mut error = text::error(&decoded, game, damaged);
                if let Place::Line { line: within, .. } = &mut error.place {
                    *within = line;
                }
                error
            }));
        }
        None
    })
}

/// Writes one game at the end of `out`, and says what the format could not hold.
///
/// # Errors
/// If `out` fails, or the format is only read.
pub fn write_game(
    game: &Game,
    format: Format,
    options: WriteOptions,
    out: &mut dyn Write,
) -> io::Result<Losses> {
    let mut losses = Losses::default();
    match options.encoding.filter(|encoding| *encoding != encoding_rs::UTF_8) {
        Some(encoding) if !matches!(format, Format::Xqf | Format::Cbr | Format::Json) => {
            let mut utf8 = Vec::new();
            write_utf8(game, format, options, &mut utf8)?;
            let (bytes, _, unmappable) =
                encoding.encode(std::str::from_utf8(&utf8).map_err(io::Error::other)?);
            losses.characters = unmappable;
            out.write_all(&bytes)?;
        }
        _ => write_utf8(game, format, options, out)?,
    }
    let (holds_variations, holds_comments) = match format {
        Format::Pgn | Format::DhtmlXq | Format::Xqf | Format::Cbr | Format::Cbf => (true, true),
        Format::Wxf | Format::GameBox | Format::Json | Format::Fen => (false, false),
    };
    losses.variations = !holds_variations && game.has_variations();
    losses.comments = !holds_comments && game.has_comments();
    Ok(losses)
}

fn write_utf8(game: &Game, format: Format, options: WriteOptions, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Pgn => pgn::write(game, options, out),
        Format::Wxf => wxf::write(game, false, options, out),
        Format::GameBox => wxf::write(game, true, options, out),
        Format::DhtmlXq => dhtmlxq::write(game, out),
        Format::Xqf => xqf::write(game, out),
        Format::Cbr => cbr::write(game, out),
        Format::Fen => fenlist::write(game, out),
        Format::Json => json::write(game, out),
        Format::Cbf => Err(io::Error::new(io::ErrorKind::Unsupported, "CBF files are only read")),
    }
}
