//! A driver in the same process: sends lines, waits for lines.

use std::io::{self, BufReader, PipeWriter, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use engine::Engine;
use uci::Session;

use crate::fake::Fake;

/// How long a line may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// The output of a session, cut into lines.
struct Lines {
    partial: Vec<u8>,
    lines: Sender<String>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.partial)).expect("replies are UTF-8");
                self.lines.send(line).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
            } else {
                self.partial.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        assert!(self.partial.is_empty(), "only whole lines are flushed");
        Ok(())
    }
}

/// A dialogue in progress.
pub(crate) struct Dialogue {
    input: Option<PipeWriter>,
    output: Receiver<String>,
    session: Option<JoinHandle<io::Result<()>>>,
    /// Where the test is, for messages.
    pub(crate) place: String,
}

impl Dialogue {
    pub(crate) fn start() -> Self {
        let (reader, input) = io::pipe().expect("a pipe");
        let (lines, output) = channel();
        let session = thread::spawn(move || {
            let engine = Engine::with_backend(Fake::new)?;
            Session::new(engine, Lines { partial: Vec::new(), lines }).run(BufReader::new(reader))
        });
        Self { input: Some(input), output, session: Some(session), place: String::new() }
    }

    /// Sends raw bytes.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("still open").write_all(bytes).expect("the session reads");
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line of output; `None` after the last.
    pub(crate) fn next(&mut self) -> Option<String> {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no line within {PATIENCE:?} at {}", self.place),
        }
    }

    /// A line that comes within `time`.
    pub(crate) fn within(&mut self, time: Duration) -> Option<String> {
        self.output.recv_timeout(time).ok()
    }

    /// The next line that begins with `start`, and those before it.
    pub(crate) fn until(&mut self, start: &str) -> (String, Vec<String>) {
        let mut before = Vec::new();
        loop {
            match self.next() {
                Some(line) if line.starts_with(start) => return (line, before),
                Some(line) => before.push(line),
                None => panic!("the dialogue ended before '{start}', after {before:?}"),
            }
        }
    }

    /// Ends the input; what is still said until the session ends.
    pub(crate) fn close(mut self) -> Vec<String> {
        drop(self.input.take());
        let mut rest = Vec::new();
        while let Some(line) = self.next() {
            rest.push(line);
        }
        let outcome = self.session.take().expect("once").join().expect("the session does not panic");
        outcome.expect("no write fails");
        rest
    }
}
