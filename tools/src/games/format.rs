//! The formats: their names, and how files are recognised.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

use super::{encoding, pgn, replay, wxf};

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
        // Not a text that begins with the same letters.
        let is_binary = |length: usize| bytes.iter().take(length).any(|&byte| byte == 0);
        if bytes.starts_with(b"XQ")
            && bytes.get(2).is_some_and(|version| (1..=64).contains(version))
            && is_binary(1024)
        {
            return Some(Self::Xqf);
        }
        if bytes.starts_with(b"CCBridge") && is_binary(32) {
            return Some(Self::Cbr);
        }
        let mut lines = lines(bytes);
        let first_line = lines.clone().next()?;
        // In tags and comments of games anything may be said, the marks of other formats too.
        if lines.clone().find(|line| !matches!(line[0], b'%' | b';')).is_some_and(Self::is_tag_pair) {
            return Some(Self::Pgn);
        }
        let start = starts_moves(bytes);
        if start && wxf::begins_head(first_line) {
            return Some(Self::Wxf);
        }
        if first_line.starts_with(b"{\"") {
            return Self::is_json(first_line).then_some(Self::Json);
        }
        let first_said = lines.find(|line| !matches!(line[0], b'#' | b';'))?;
        if Self::is_fen(first_said) {
            return Some(Self::Fen);
        }
        if replay::begins_game(first_said) {
            return Some(Self::Pgn);
        }
        let is_page = first_line.starts_with(b"<");
        if is_page && contains(bytes, b"<ChineseChessRecord", is_page) {
            return Some(Self::Cbf);
        }
        if contains(bytes, b"[DhtmlXQ]", is_page) {
            return Some(Self::DhtmlXq);
        }
        if contains(bytes, b"[game]", is_page) {
            return Some(Self::GameBox);
        }
        start.then_some(Self::Wxf)
    }

    /// Whether a line is `[Name "value"]`, or has lost its end.
    pub(super) fn is_tag_pair(line: &[u8]) -> bool {
        line.contains(&b'"') && pgn::begun_tag(line).is_some()
    }

    /// Whether a line is an object that may be a game: it has names with colons, moves or a position among them.
    pub(super) fn is_json(line: &[u8]) -> bool {
        if !contains(line, b"\"moves\"", true) && !contains(line, b"\"fen\"", true) {
            return false;
        }
        let Some(rest) = line.strip_prefix(b"{\"") else { return false };
        let name = rest.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
        rest[name..].strip_prefix(b"\"").is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"))
    }

    /// Whether a line is of a list of positions: there are ten ranks.
    pub(super) fn is_fen(line: &[u8]) -> bool {
        let line = ["position fen ", "fen "]
            .iter()
            .find_map(|word| line.strip_prefix(word.as_bytes()))
            .unwrap_or(line);
        let board = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        board.iter().all(|c| c.is_ascii_alphanumeric() || *c == b'/')
            && board.split(|&byte| byte == b'/').count() == 10
    }

    /// The format of a file whose extension stands for `likely`: what its beginning shows, but of a PGN file only if the whole
    /// of it can be nothing else.
    pub(super) fn of(head: &[u8], likely: Option<Self>) -> Option<Self> {
        let found = Self::sniff(head).or(likely);
        if likely != Some(Self::Pgn) || encoding::utf16(head).is_some() {
            return found;
        }
        let first_line = lines(head).next().unwrap_or_default();
        let begins =
            |mark: &[u8]| first_line.get(..mark.len()).is_some_and(|it| it.eq_ignore_ascii_case(mark));
        let is_sure = match found {
            Some(Self::Cbf) => begins(b"<"),
            Some(Self::DhtmlXq | Self::GameBox) => begins(b"<") || begins(b"[DhtmlXQ]") || begins(b"[game]"),
            Some(Self::Wxf) => wxf::begins_head(first_line),
            _ => true,
        };
        if is_sure { found } else { likely }
    }
}

/// The lines of a text that are not blank, without the blanks around them.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
}

/// Whether `START{` stands there, not as the end of another word, such as a name in a style sheet.
fn starts_moves(bytes: &[u8]) -> bool {
    bytes.windows(7).any(|window| {
        window[1..].eq_ignore_ascii_case(b"START{") && (window[0].is_ascii_whitespace() || window[0] == b'>')
    }) || bytes.get(..6).is_some_and(|start| start.eq_ignore_ascii_case(b"START{"))
}

/// Whether a mark stands there; but for pages, outside braces, which hold comments.
fn contains(bytes: &[u8], mark: &[u8], is_page: bool) -> bool {
    let mut in_comment = false;
    bytes.windows(mark.len()).any(|window| {
        match window[0] {
            b'{' => in_comment = !is_page,
            b'}' => in_comment = false,
            _ => {}
        }
        !in_comment && window.eq_ignore_ascii_case(mark)
    })
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
