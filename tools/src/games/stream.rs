//! Streams of text and what is found in them, in constant memory.

use std::io::{self, BufRead, Read};

use encoding_rs::{Decoder, DecoderResult};

use super::encoding;

/// The bytes of a game: no real one comes near; more is a damaged or hostile file.
pub(super) const MAX_GAME: usize = 8 << 20;
/// How much is read at a time.
const CHUNK: usize = 1 << 16;

/// Text whose lines end with a line feed: UTF-16 becomes UTF-8, and the carriage returns of old systems, alone at the end of a
/// line, become line feeds. The marks of the end of a file that old systems fill it up with (0x1A and zeros, and blanks after them)
/// end it. Everything else passes as it is, in whatever encoding.
pub(super) struct TextInput<R> {
    input: R,
    /// Only for UTF-16: there a line feed is not one byte.
    decoder: Option<Decoder>,
    ready: Vec<u8>,
    at: usize,
    /// A carriage return that waits for what follows it.
    held_return: bool,
    /// Marks of the end, and blanks after them, that wait for what follows them.
    held_end: Vec<u8>,
}

impl<R: BufRead> TextInput<R> {
    /// `head` is the beginning of the input, which tells UTF-16 by its byte order mark.
    pub(super) fn new(input: R, head: &[u8]) -> Self {
        let decoder = encoding::utf16(head).map(encoding_rs::Encoding::new_decoder_with_bom_removal);
        Self { input, decoder, ready: Vec::new(), at: 0, held_return: false, held_end: Vec::new() }
    }

    /// Makes the next bytes ready; none at the end of the input.
    fn refill(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.at = 0;
        while self.ready.is_empty() {
            let chunk = self.input.fill_buf()?;
            let length = chunk.len();
            match &mut self.decoder {
                Some(decoder) => {
                    let text = decoded(decoder, chunk, length == 0);
                    join_line_ends(&mut self.held_return, &text, &mut self.ready);
                }
                None => join_line_ends(&mut self.held_return, chunk, &mut self.ready),
            }
            self.input.consume(length);
            hold_end(&mut self.held_end, &mut self.ready);
            if length == 0 {
                // A decoder that has been told of the end must not be asked again.
                self.decoder = None;
                if std::mem::take(&mut self.held_return) {
                    self.ready.push(b'\n');
                }
                break;
            }
        }
        Ok(())
    }
}

/// The bytes of a text as UTF-8; for what cannot be decoded stands [`NO_TEXT`], so that readers can tell it.
fn decoded(decoder: &mut Decoder, mut chunk: &[u8], is_last: bool) -> Vec<u8> {
    let room = decoder.max_utf8_buffer_length_without_replacement(chunk.len()).unwrap_or(CHUNK).max(16);
    let mut out = Vec::with_capacity(room);
    let mut part = String::with_capacity(room);
    loop {
        part.clear();
        let (result, read) = decoder.decode_to_string_without_replacement(chunk, &mut part, is_last);
        out.extend_from_slice(part.as_bytes());
        chunk = &chunk[read..];
        match result {
            DecoderResult::InputEmpty => return out,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) => out.push(NO_TEXT),
        }
    }
}

/// A byte that is in no UTF-8.
const NO_TEXT: u8 = 0xff;

/// Copies bytes, a lone carriage return as a line feed.
fn join_line_ends(held_return: &mut bool, bytes: &[u8], out: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    if std::mem::take(held_return) {
        out.push(if bytes[0] == b'\n' { b'\r' } else { b'\n' });
    }
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|&byte| byte == b'\r') {
        out.extend_from_slice(&rest[..at]);
        match rest.get(at + 1) {
            Some(b'\n') => out.push(b'\r'),
            Some(_) => out.push(b'\n'),
            None => *held_return = true,
        }
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

/// Whether a byte is one that files are filled up with.
fn is_end_mark(byte: u8) -> bool {
    matches!(byte, 0x1a | 0)
}

/// The bytes before the marks of the end of a file.
pub(super) fn without_end_marks(bytes: &[u8]) -> &[u8] {
    let rest =
        bytes.iter().rev().take_while(|&&byte| is_end_mark(byte) || byte.is_ascii_whitespace()).count();
    let (before, rest) = bytes.split_at(bytes.len() - rest);
    let blanks = rest.iter().take_while(|&&byte| !is_end_mark(byte)).count();
    &bytes[..before.len() + blanks]
}

/// Keeps back the marks of the end that `ready` ends in; what was kept and is no end goes before it.
fn hold_end(held: &mut Vec<u8>, ready: &mut Vec<u8>) {
    let is_blank = |byte: &u8| is_end_mark(*byte) || byte.is_ascii_whitespace();
    if !held.is_empty() {
        held.append(ready);
        if held.iter().rev().all(is_blank) && held.len() <= MAX_GAME {
            return;
        }
        std::mem::swap(held, ready);
    }
    if ready.len() <= MAX_GAME {
        *held = ready.split_off(without_end_marks(ready).len());
    }
}

impl<R: BufRead> Read for TextInput<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(out)?;
        self.consume(length);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for TextInput<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.ready.len() {
            self.refill()?;
        }
        Ok(&self.ready[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at = (self.at + amount).min(self.ready.len());
    }
}

/// A stream whose bytes to come can be looked at before they are read.
pub(super) struct Ahead<R> {
    input: R,
    /// Bytes that have been looked at; those from `at` on have not been read.
    seen: Vec<u8>,
    at: usize,
}

impl<R: BufRead> Ahead<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, seen: Vec::new(), at: 0 }
    }

    /// The next `length` bytes, or all there are.
    pub(super) fn peek(&mut self, length: usize) -> io::Result<&[u8]> {
        // Not for every few bytes: what stays is moved.
        if self.seen.len() - self.at < length {
            self.seen.drain(..self.at);
            self.at = 0;
            let missing = length - self.seen.len();
            self.input.by_ref().take(missing as u64).read_to_end(&mut self.seen)?;
        }
        Ok(&self.seen[self.at..self.seen.len().min(self.at + length)])
    }
}

impl<R: BufRead> Read for Ahead<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(out)?;
        self.consume(length);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Ahead<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at < self.seen.len() { Ok(&self.seen[self.at..]) } else { self.input.fill_buf() }
    }

    fn consume(&mut self, amount: usize) {
        if self.at < self.seen.len() {
            self.at = (self.at + amount).min(self.seen.len());
        } else {
            self.input.consume(amount);
        }
    }
}

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The needle of this index, at this distance from the front.
    Needle { at: usize, which: usize },
    /// The input ends first.
    End,
    /// The limit is reached first.
    Limit,
}

/// A part of a stream that grows at its end as it is searched and is taken off at its front.
pub(super) struct Window<R> {
    input: R,
    buffer: Vec<u8>,
    start: usize,
    /// Of the front: bytes before it, and its line and column from 1.
    pub(super) offset: usize,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl<R: BufRead> Window<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, buffer: Vec::new(), start: 0, offset: 0, line: 1, column: 1 }
    }

    /// What has been read and not been taken.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Takes bytes off the front, of a file without lines.
    pub(super) fn take_bytes(&mut self, length: usize) {
        let length = length.min(self.bytes().len());
        self.offset += length;
        self.start += length;
    }

    /// Takes text off the front.
    pub(super) fn take(&mut self, length: usize) {
        let taken = &self.bytes()[..length.min(self.bytes().len())];
        let lines = taken.split(|&byte| byte == b'\n').count() - 1;
        let tail = taken.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let column = encoding::decode(tail).chars().count();
        self.column = if lines > 0 { 1 } else { self.column } + column;
        self.line += lines;
        self.take_bytes(length);
    }

    /// Where the first of the needles, ASCII in any letter case, begins from `from` on, reading up to `limit` bytes.
    pub(super) fn find(&mut self, from: usize, limit: usize, needles: &[&str]) -> io::Result<Found> {
        let longest = needles.iter().map(|needle| needle.len()).max().unwrap_or(0);
        let mut searched = from;
        loop {
            let rest = self.bytes().get(searched..).unwrap_or_default();
            if let Some((at, which)) = earliest(rest, needles) {
                return Ok(Found::Needle { at: searched + at, which });
            }
            // A needle may lie across the end of what is there.
            searched = from.max(self.bytes().len().saturating_sub(longest.saturating_sub(1)));
            if self.bytes().len() > limit {
                return Ok(Found::Limit);
            }
            if !self.grow()? {
                return Ok(Found::End);
            }
        }
    }

    fn grow(&mut self) -> io::Result<bool> {
        // Not for every few bytes: what stays is moved.
        if self.start >= CHUNK || self.start == self.buffer.len() {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        let chunk = self.input.fill_buf()?;
        let length = chunk.len().min(CHUNK);
        self.buffer.extend_from_slice(&chunk[..length]);
        self.input.consume(length);
        Ok(length > 0)
    }
}

/// In one pass over the bytes, however many needles there are.
pub(super) fn earliest(bytes: &[u8], needles: &[&str]) -> Option<(usize, usize)> {
    let begins = |byte: &u8| {
        needles.iter().any(|needle| needle.as_bytes().first().is_some_and(|c| c.eq_ignore_ascii_case(byte)))
    };
    let mut at = 0;
    loop {
        at += bytes.get(at..).filter(|_| !needles.is_empty())?.iter().position(begins)?;
        let which = needles.iter().position(|needle| {
            bytes
                .get(at..at + needle.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(needle.as_bytes()))
        });
        if let Some(which) = which {
            return Some((at, which));
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, so that everything lies across a border.
    fn dripping(bytes: &[u8]) -> io::BufReader<&[u8]> {
        io::BufReader::with_capacity(1, bytes)
    }

    fn text(bytes: &[u8]) -> String {
        let mut whole = Vec::new();
        TextInput::new(io::BufReader::with_capacity(8192, bytes), bytes)
            .read_to_end(&mut whole)
            .expect("memory");
        let mut dripped = Vec::new();
        TextInput::new(dripping(bytes), bytes).read_to_end(&mut dripped).expect("memory");
        assert_eq!(whole, dripped);
        String::from_utf8_lossy(&whole).into_owned()
    }

    #[test]
    fn every_line_end_becomes_a_line_feed() {
        assert_eq!(text(b"a\rb\r\nc\nd\r\re\r"), "a\nb\r\nc\nd\n\ne\n");
        let utf16 = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
            "\u{feff}炮\r二\u{10ffff}\r\n".encode_utf16().flat_map(order).collect()
        };
        assert_eq!(text(&utf16(u16::to_le_bytes)), "炮\n二\u{10ffff}\r\n");
        assert_eq!(text(&utf16(u16::to_be_bytes)), "炮\n二\u{10ffff}\r\n");
        // Half a unit at the end.
        assert_eq!(text(&[0xff, 0xfe, b'a', 0, b'b']), "a\u{fffd}");
        assert_eq!(text(b""), "");
    }

    #[test]
    fn what_was_looked_at_is_still_read() {
        let mut ahead = Ahead::new(dripping(b"abcdef"));
        assert_eq!(ahead.peek(2).expect("memory"), b"ab");
        assert_eq!(ahead.by_ref().bytes().next().expect("a byte").expect("memory"), b'a');
        assert_eq!(ahead.peek(4).expect("memory"), b"bcde");
        assert_eq!(ahead.peek(1).expect("memory"), b"b");
        assert_eq!(ahead.peek(9).expect("memory"), b"bcdef");
        let mut rest = String::new();
        ahead.read_to_string(&mut rest).expect("memory");
        assert_eq!((rest.as_str(), ahead.peek(1).expect("memory")), ("bcdef", &b""[..]));
    }

    #[test]
    fn needles_are_found_across_borders() {
        let mut window = Window::new(dripping("á\nxé[gAme]y[/game]".as_bytes()));
        assert_eq!(
            window.find(0, 1000, &["[/game]", "[game]"]).expect("memory"),
            Found::Needle { at: 6, which: 1 }
        );
        window.take(6);
        assert_eq!((window.offset, window.line, window.column), (6, 2, 3));
        assert_eq!(
            window.find(1, 1000, &["[game]", "[/game]"]).expect("memory"),
            Found::Needle { at: 7, which: 1 }
        );
        assert_eq!(window.find(8, 1000, &["[game]"]).expect("memory"), Found::End);
        let mut endless = Window::new(io::BufReader::new(io::repeat(b'[')));
        assert_eq!(endless.find(0, 1 << 20, &["[game]"]).expect("memory"), Found::Limit);
        assert!(endless.bytes().len() <= (1 << 20) + CHUNK);
    }
}
