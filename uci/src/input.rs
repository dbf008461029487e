//! The driver's side of the dialogue: a thread that reads lines of any length and any bytes.

use std::io::{self, BufRead, ErrorKind};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};

/// Lines that may wait to be handled before the reader waits too.
const QUEUE: usize = 64;
/// How often to look for more where the input does not wait for it.
const POLL: Duration = Duration::from_millis(2);
const BOM: &[u8] = b"\xef\xbb\xbf";

/// What the driver said.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// It was there at this time: the driver had said it before it could read what was written later.
    pub(crate) read_at: Instant,
}

/// Reads lines on a thread of its own until the input ends; the channel is closed then.
///
/// Line ends and a byte order mark on the first line are taken off; bytes that are not UTF-8 are replaced.
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
            let text = String::from_utf8_lossy(text).trim_end_matches(['\n', '\r']).to_owned();
            if sender.send(Line { text, read_at: input.read_at }).is_err() {
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
