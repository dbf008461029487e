//! The driver's side of the dialogue: a thread that reads lines of any length and any bytes.

use std::io::BufRead;
use std::thread;

use crossbeam_channel::{Receiver, bounded};

/// Lines that may wait to be handled before the reader waits too.
const QUEUE: usize = 64;
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Reads lines on a thread of its own until the input ends; the channel is closed then.
///
/// Line ends and a byte order mark on the first line are taken off; bytes that are not UTF-8 are replaced.
///
/// # Errors
/// If the system has no thread for us.
pub(crate) fn spawn(mut input: impl BufRead + Send + 'static) -> std::io::Result<Receiver<String>> {
    let (sender, receiver) = bounded(QUEUE);
    let read = move || {
        let mut first = true;
        loop {
            let mut bytes = Vec::new();
            match input.read_until(b'\n', &mut bytes) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    log::warn!("input ends: {error}");
                    return;
                }
            }
            let text = if first { bytes.strip_prefix(BOM).unwrap_or(&bytes) } else { &bytes };
            first = false;
            let line = String::from_utf8_lossy(text).trim_end_matches(['\n', '\r']).to_owned();
            if sender.send(line).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(read)?;
    Ok(receiver)
}
