//! Standard output, also where it does not wait for its reader.

use std::io::{self, ErrorKind, Write};
use std::thread;
use std::time::Duration;

/// How often to look whether a reader that is behind has made room.
const POLL: Duration = Duration::from_millis(1);

/// Waits for room: a driver may have made its end of a pipe, and with it ours, one that does not wait.
#[derive(Debug)]
pub struct Patient<W>(pub W);

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(POLL),
                outcome => return outcome,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Standard output for whole lines.
///
/// # Errors
/// If the system has no further handle for it.
pub fn standard() -> io::Result<impl Write> {
    let output = io::stdout();
    // The library's own writer cannot be waited with: it does not tell how much of a line was taken.
    #[cfg(unix)]
    let output = {
        use std::os::fd::AsFd;
        io::LineWriter::new(Patient(std::fs::File::from(output.as_fd().try_clone_to_owned()?)))
    };
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes three bytes at a time, and those only when asked again.
    #[derive(Default)]
    struct Slow {
        taken: Vec<u8>,
        asked: usize,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.asked += 1;
            if self.asked % 2 == 1 {
                return Err(ErrorKind::WouldBlock.into());
            }
            self.taken.extend(&bytes[..bytes.len().min(3)]);
            Ok(bytes.len().min(3))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_slow_reader_gets_every_byte_once() -> io::Result<()> {
        let mut writer = Patient(Slow::default());
        writer.write_all(b"bestmove h2e2\n")?;
        assert_eq!(writer.0.taken, b"bestmove h2e2\n");
        Ok(())
    }
}
