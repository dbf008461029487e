//! The formats: their names, and how files are recognised.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

use super::encoding;

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
        if encoding::utf16(bytes).is_some() {
            return Self::sniff(encoding::decode(bytes).as_bytes());
        }
        let contains =
            |needle: &[u8]| bytes.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle));
        // Not the end of another word, such as a name in a style sheet.
        let has_start = bytes.windows(7).any(|window| {
            window[1..].eq_ignore_ascii_case(b"START{")
                && (window[0].is_ascii_whitespace() || window[0] == b'>')
        }) || bytes.get(..6).is_some_and(|start| start.eq_ignore_ascii_case(b"START{"));
        let first_line = bytes
            .split(|byte| matches!(byte, b'\n' | b'\r'))
            .map(<[u8]>::trim_ascii)
            .find(|line| !line.is_empty())?;
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
        } else if has_start {
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
