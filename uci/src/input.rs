//! The driver's side of the dialogue: a thread that reads lines of any length and any bytes.

use std::ffi::OsString;
use std::io::{self, BufRead, ErrorKind};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};
use encoding_rs::GBK;

/// Lines that may wait to be handled before the reader waits too.
const QUEUE: usize = 64;
/// How often to look for more where the input does not wait for it.
const POLL: Duration = Duration::from_millis(2);
const BOM: &[u8] = b"\xef\xbb\xbf";

/// What the driver said.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// The bytes, if they are not those of the text.
    #[cfg(unix)]
    bytes: Option<Vec<u8>>,
    /// It was there at this time: the driver had said it before it could read what was written later.
    pub(crate) read_at: Instant,
}

impl Line {
    fn new(bytes: &[u8], read_at: Instant) -> Self {
        let ends = bytes.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        let bytes = &bytes[..bytes.len() - ends];
        if let Ok(text) = str::from_utf8(bytes) {
            return Self {
                text: text.to_owned(),
                #[cfg(unix)]
                bytes: None,
                read_at,
            };
        }
        let text = GBK
            .decode_without_bom_handling_and_without_replacement(bytes)
            .unwrap_or_else(|| String::from_utf8_lossy(bytes));
        Self {
            text: text.into_owned(),
            #[cfg(unix)]
            bytes: Some(bytes.to_owned()),
            read_at,
        }
    }

    /// The end of the line that begins where `part` of its text does, for a name of files.
    ///
    /// Under Unix a name is whatever bytes it is, so it is those of the line. Elsewhere it is a text.
    pub(crate) fn tail(&self, part: &str) -> OsString {
        #[cfg(unix)]
        if let Some(bytes) = &self.bytes
            && let Some(before) = self.text.trim_ascii_end().strip_suffix(part)
            && let Some(tail) = bytes.strip_prefix(before.as_bytes())
        {
            use std::os::unix::ffi::OsStringExt;
            return OsString::from_vec(tail.trim_ascii_end().to_owned());
        }
        part.into()
    }
}

/// Reads lines on a thread of its own until the input ends; the channel is closed then.
///
/// Line ends and a byte order mark on the first line are taken off. A line that is not UTF-8 is read as GBK, the code page of old Chinese
/// GUIs; if it is neither, what cannot be read is replaced.
///
/// # Errors
/// If the system has no thread for us.
pub(crate) fn spawn(input: impl BufRead + Send + 'static) -> std::io::Result<Receiver<Line>> {
    let (sender, receiver) = bounded(QUEUE);
    let read = move || {
        let mut input = Input { source: input, unread: 0, read_at: Instant::now() };
        let mut first = true;
        loop {
            let bytes = match input.line() {
                Ok(bytes) if bytes.is_empty() => return,
                Ok(bytes) => bytes,
                Err(error) => {
                    log::warn!("input ends: {error}");
                    return;
                }
            };
            let text = if first { bytes.strip_prefix(BOM).unwrap_or(&bytes) } else { &bytes };
            first = false;
            if sender.send(Line::new(text, input.read_at)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(read)?;
    Ok(receiver)
}

/// An input that knows when its bytes came.
struct Input<R> {
    source: R,
    /// Bytes of the last piece that are not used up.
    unread: usize,
    read_at: Instant,
}

impl<R: BufRead> Input<R> {
    /// The next line with its end; empty at the end of the input.
    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let piece = match self.source.fill_buf() {
                Ok(piece) => piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // A driver may have made its end, and with it ours, a pipe that does not wait.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    thread::sleep(POLL);
                    continue;
                }
                Err(error) => return Err(error),
            };
            if self.unread == 0 {
                (self.unread, self.read_at) = (piece.len(), Instant::now());
            }
            let end = piece.iter().position(|&byte| byte == b'\n');
            let used = end.map_or(piece.len(), |end| end + 1);
            bytes.extend_from_slice(&piece[..used]);
            self.source.consume(used);
            self.unread = self.unread.saturating_sub(used);
            if end.is_some() || used == 0 {
                return Ok(bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: GBK has 开局库 as BF AA BE D6 BF E2 (`iconv -f utf-8 -t gbk`).
    #[test]
    fn names_of_files_in_any_bytes() {
        let name = b"\xbf\xaa\xbe\xd6\xbf\xe2.dat";
        let line = Line::new(&[b"setoption bookfiles ", &name[..], b" \r\n"].concat(), Instant::now());
        assert_eq!(line.text, "setoption bookfiles 开局库.dat ");
        let value = line.tail("开局库.dat");
        if cfg!(unix) {
            assert_eq!(value.as_encoded_bytes(), name);
        } else {
            assert_eq!(value, "开局库.dat");
        }
        // An ideographic space is no blank; GBK has A1 A1.
        let name = b"\xa1\xa1\xbf\xe2.dat\xa1\xa1";
        let line = Line::new(&[b"setoption bookfiles ", &name[..], b" \r\n"].concat(), Instant::now());
        let value = line.tail("\u{3000}库.dat\u{3000}");
        if cfg!(unix) {
            assert_eq!(value.as_encoded_bytes(), name);
        }
        // Neither UTF-8 nor GBK.
        let line = Line::new(b"setoption name EvalFile value /a/\xff\xff", Instant::now());
        assert_eq!(line.text, "setoption name EvalFile value /a/\u{fffd}\u{fffd}");
        if cfg!(unix) {
            assert_eq!(line.tail("/a/\u{fffd}\u{fffd}").as_encoded_bytes(), b"/a/\xff\xff");
        }
        let line = Line::new("setoption bookfiles 开局库.dat\n".as_bytes(), Instant::now());
        assert_eq!(line.tail("开局库.dat"), "开局库.dat");
    }
}
