//! From bytes of unknown encoding to text, and from text to bytes of a known one.

use std::borrow::Cow;

use encoding_rs::{BIG5, EncoderResult, Encoding, GB18030, GBK, UTF_8};
use thiserror::Error;

use super::error::{Doubt, Warning};

/// What text that is not UTF-8 may be in; broken UTF-8 too.
const CANDIDATES: [&Encoding; 3] = [UTF_8, BIG5, GB18030];

/// A text and what of its bytes was none.
#[derive(Debug, Default)]
pub(super) struct Decoded<'a> {
    pub(super) text: Cow<'a, str>,
    /// That bytes were no text: they have become U+FFFD.
    pub(super) warning: Option<Warning>,
}

impl<'a> Decoded<'a> {
    fn new(bytes: &'a [u8], encoding: &'static Encoding) -> Self {
        let (text, is_damaged) = encoding.decode_without_bom_handling(bytes);
        let warning = is_damaged.then(|| undecodable(&text, encoding)).flatten();
        Self { text, warning }
    }
}

/// The warning about a text in which bytes were replaced, at the first of them.
fn undecodable(text: &str, encoding: &'static Encoding) -> Option<Warning> {
    let first = text.find(char::REPLACEMENT_CHARACTER)?;
    let count = text.matches(char::REPLACEMENT_CHARACTER).count();
    Some(Warning::at(first, Doubt::Undecodable { count, encoding: encoding.name() }))
}

/// Decodes the parts of one file, whose encoding shows more clearly the more of it has been seen.
///
/// Parts are decoded on their own merits, for collections mix encodings; what came before decides where a part shows little,
/// such as a name and no moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Guess {
    /// The likeness of all parts so far under each candidate.
    seen: [i64; 3],
    /// There is nothing to guess: it is this one.
    known: Option<&'static Encoding>,
}

impl Guess {
    /// What came before weighs no more than four characters of moves.
    const MOST: i64 = 40;

    /// A guess that takes a page's word for it, if `head` has one (`charset=gb2312`). A byte order mark counts for more than what is
    /// said to be `known`.
    pub(super) fn new(head: &[u8], known: InputEncoding) -> Self {
        // What was UTF-16 has become UTF-8 by then.
        let known = if utf16(head).is_some() { Some(UTF_8) } else { known };
        let known = known.filter(|_| Encoding::for_bom(head).is_none_or(|(encoding, _)| encoding != UTF_8));
        let mut guess = Self { known, ..Self::default() };
        let word = b"charset=";
        if let Some(at) = head.windows(word.len()).position(|found| found.eq_ignore_ascii_case(word)) {
            let label = head[at + word.len()..].trim_ascii_start();
            let label = label.strip_prefix(b"\"").or_else(|| label.strip_prefix(b"'")).unwrap_or(label);
            let end = label.iter().position(|c| !(c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_')));
            let named = Encoding::for_label(&label[..end.unwrap_or(label.len())]);
            let named = named.map(|encoding| if encoding == GBK { GB18030 } else { encoding });
            if let Some(index) = CANDIDATES.iter().position(|candidate| Some(*candidate) == named) {
                guess.seen[index] = Self::MOST;
            }
        }
        guess
    }

    /// Decodes text in UTF-8, UTF-16 with a byte order mark, GB18030 (with GBK and GB 2312) or Big5.
    ///
    /// What is not UTF-8 is decoded both ways, and the text that reads more like xiangqi wins: fewer undecodable bytes first,
    /// then more of the characters that moves and results are made of.
    pub(super) fn decode<'a>(&mut self, bytes: &'a [u8]) -> Decoded<'a> {
        if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
            return Decoded::new(&bytes[mark..], encoding);
        }
        if let Some(encoding) = self.known {
            return Decoded::new(bytes, encoding);
        }
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Decoded { text: Cow::Borrowed(text), warning: None };
        }
        let mut best = (i64::MIN, Decoded::default());
        for (encoding, seen) in CANDIDATES.into_iter().zip(&mut self.seen) {
            let decoded = Decoded::new(bytes, encoding);
            let own = likeness(&decoded.text) + if encoding == UTF_8 { sequences(&decoded.text) } else { 0 };
            let score = own + (*seen).clamp(-Self::MOST, Self::MOST);
            if score >= best.0 {
                best = (score, decoded);
            }
            *seen = (*seen + own).clamp(-1000, 1000);
        }
        best.1
    }
}

/// What speaks for UTF-8 in a text that was read as such: its sequences of three and more bytes, which hardly ever come about by chance
/// in another encoding.
fn sequences(text: &str) -> i64 {
    let long = text.chars().filter(|&c| c.len_utf8() > 2 && c != char::REPLACEMENT_CHARACTER).count();
    i64::try_from(long).map_or(i64::from(i32::MAX), |long| long.min(1 << 24) * 15)
}

/// Decodes a text in an encoding that shows.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    Guess::default().decode(bytes).text
}

/// The encoding of bytes that begin like UTF-16, which cannot be split at line feeds before it is decoded.
pub(super) fn utf16(head: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(head).map(|(encoding, _)| encoding).filter(|encoding| *encoding != UTF_8)
}

fn likeness(text: &str) -> i64 {
    const TELLING: &str = "炮砲包馬马傌車车俥相象仕士帥帅將将兵卒進进退平前中後后一二三四五六七八九１２３４５６７８９\
                           紅红黑勝胜負负和棋賽赛先年月日局";
    let mut score = 0;
    for c in text.chars().filter(|c| !c.is_ascii()) {
        score += match c {
            char::REPLACEMENT_CHARACTER => -20,
            // Private use and half-width kana come from reading one encoding as another.
            '\u{e000}'..='\u{f8ff}' | '\u{ff61}'..='\u{ff9f}' => -5,
            c if TELLING.contains(c) => 10,
            _ => 0,
        };
    }
    score
}

/// Decodes a fixed field or comment of a format that says its texts are GB18030, unless they are known to be otherwise.
pub(super) fn decode_gb(bytes: &[u8], known: InputEncoding) -> Decoded<'_> {
    if let Some(encoding) = known {
        return Decoded::new(bytes, encoding);
    }
    let decoded = Decoded::new(bytes, GB18030);
    match std::str::from_utf8(bytes) {
        Ok(utf8) if decoded.warning.is_some() => Decoded { text: Cow::Borrowed(utf8), warning: None },
        _ => decoded,
    }
}

/// Encodes for such a field.
pub(super) fn encode_gb(text: &str) -> Vec<u8> {
    GB18030.encode(text).0.into_owned()
}

/// The name of an encoding that texts are not written in.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}` is no encoding of game files; there are utf-8, gbk, gb18030, big5 (and, for reading, auto)")]
pub struct UnknownEncoding(String);

/// The encoding of a name: `utf-8`, `gbk`, `gb18030` or `big5`, or what else they go by (`cp936`, `gb2312`, `cp950` ...).
///
/// # Errors
/// [`UnknownEncoding`] for every other name, those of encodings without Chinese characters too.
pub fn output_encoding(name: &str) -> Result<&'static Encoding, UnknownEncoding> {
    let found = match name.to_ascii_lowercase().as_str() {
        "936" | "cp936" | "windows-936" => Some(GBK),
        "950" | "cp950" | "windows-950" => Some(BIG5),
        label => Encoding::for_label(label.as_bytes()),
    };
    found
        .filter(|encoding| [UTF_8, GBK, GB18030, BIG5].contains(encoding))
        .ok_or_else(|| UnknownEncoding(name.to_owned()))
}

/// What texts are known to be in that are read; `None` leaves it to the texts.
pub type InputEncoding = Option<&'static Encoding>;

/// The encoding of a name, as for output, or of `auto`.
///
/// # Errors
/// [`UnknownEncoding`] as [`output_encoding`].
pub fn input_encoding(name: &str) -> Result<InputEncoding, UnknownEncoding> {
    if name.eq_ignore_ascii_case("auto") { Ok(None) } else { output_encoding(name).map(Some) }
}

/// The text in an encoding, or the first character that the encoding lacks.
pub(super) fn encode<'a>(text: &'a str, encoding: &'static Encoding) -> Result<Cow<'a, [u8]>, char> {
    let (bytes, _, lacking) = encoding.encode(text);
    if !lacking {
        return Ok(bytes);
    }
    let mut encoder = encoding.new_encoder();
    let mut room = vec![0; text.len() * 4 + 16];
    match encoder.encode_from_utf8_without_replacement(text, &mut room, true).0 {
        EncoderResult::Unmappable(character) => Err(character),
        EncoderResult::InputEmpty | EncoderResult::OutputFull => Err(char::REPLACEMENT_CHARACTER),
    }
}
