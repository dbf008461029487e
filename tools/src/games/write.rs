//! The way from a game to a file.

use std::io::{self, Write};

use encoding_rs::{Encoding, GB18030, GBK, UTF_8};
use movegen::notation::Notation;
use thiserror::Error;

use super::format::Format;
use super::game::{Game, NodeId};
use super::losses::Losses;
use super::{cbr, dhtmlxq, encoding, fenlist, json, pgn, wxf, xqf};

/// What a writer is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions {
    /// The notation of the moves; `None` takes the format's own.
    pub notation: Option<Notation>,
    /// The encoding of texts, see [`super::output_encoding`]; `None` is UTF-8, and GB18030 in XQF.
    pub encoding: Option<&'static Encoding>,
}

/// Why a game was not written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The output failed.
    #[error("the output cannot be written")]
    Io(#[from] io::Error),
    /// The format is only read.
    #[error("{0} files are only read")]
    ReadOnly(Format),
    /// The format has no place for a choice of notation.
    #[error("{0} files hold moves in a form of their own; a notation has no meaning there")]
    NoNotation(Format),
    /// The format prescribes its encoding.
    #[error("the texts of {format} files are {own}; the encoding {asked} has no meaning there")]
    NoEncoding {
        /// The format.
        format: Format,
        /// Its encoding.
        own: &'static str,
        /// The one that was asked for.
        asked: &'static str,
    },
    /// A character that the encoding lacks. Nothing of the game was written.
    #[error(
        "{encoding} has no character `{character}` (U+{:04X}); choose another encoding or notation",
        u32::from(*.character)
    )]
    Character {
        /// The encoding.
        encoding: &'static str,
        /// The first such character.
        character: char,
    },
}

impl WriteOptions {
    /// Whether the options mean something in a format.
    ///
    /// # Errors
    /// [`WriteError`] says which does not, and why.
    pub fn check(self, format: Format) -> Result<(), WriteError> {
        if format.is_read_only() {
            return Err(WriteError::ReadOnly(format));
        }
        if self.notation.is_some() && !matches!(format, Format::Pgn | Format::Wxf | Format::GameBox) {
            return Err(WriteError::NoNotation(format));
        }
        let Some(asked) = self.encoding else { return Ok(()) };
        let own = match format {
            Format::Xqf if asked != GBK && asked != GB18030 => "GB18030",
            Format::Json if asked != UTF_8 => "UTF-8",
            Format::Cbr => "UTF-16",
            _ => return Ok(()),
        };
        Err(WriteError::NoEncoding { format, own, asked: asked.name() })
    }
}

/// Writes one game at the end of `out`, and says what the format could not hold.
///
/// # Errors
/// If `out` fails, the options have no meaning in the format, or the encoding lacks a character; then nothing is written.
pub fn write_game(
    game: &Game,
    format: Format,
    options: WriteOptions,
    out: &mut dyn Write,
) -> Result<Losses, WriteError> {
    options.check(format)?;
    match options.encoding.filter(|encoding| *encoding != UTF_8) {
        Some(encoding) if format == Format::Xqf => {
            check_texts(game, encoding)?;
            xqf::write(game, out)?;
        }
        Some(encoding) if format != Format::Json => {
            let mut utf8 = Vec::new();
            write_utf8(game, format, options, &mut utf8)?;
            let text = std::str::from_utf8(&utf8).map_err(io::Error::other)?;
            out.write_all(&encode(text, encoding)?)?;
        }
        _ => write_utf8(game, format, options, out)?,
    }
    Ok(Losses::of(game, format))
}

fn encode<'a>(text: &'a str, encoding: &'static Encoding) -> Result<std::borrow::Cow<'a, [u8]>, WriteError> {
    encoding::encode(text, encoding)
        .map_err(|character| WriteError::Character { encoding: encoding.name(), character })
}

/// Whether an encoding has what the tags and comments are made of.
fn check_texts(game: &Game, encoding: &'static Encoding) -> Result<(), WriteError> {
    for (_, value) in game.tags() {
        encode(value, encoding)?;
    }
    encode(game.comment(NodeId::ROOT), encoding)?;
    game.nodes().try_for_each(|id| encode(game.comment(id), encoding).map(|_| ()))
}

fn write_utf8(
    game: &Game,
    format: Format,
    options: WriteOptions,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    match format {
        Format::Pgn => pgn::write(game, options, out),
        Format::Wxf => wxf::write(game, false, options, out),
        Format::GameBox => wxf::write(game, true, options, out),
        Format::DhtmlXq => dhtmlxq::write(game, out),
        Format::Xqf => xqf::write(game, out),
        Format::Cbr => cbr::write(game, out),
        Format::Fen => fenlist::write(game, out),
        Format::Json => json::write(game, out),
        Format::Cbf => return Err(WriteError::ReadOnly(format)),
    }?;
    Ok(())
}
