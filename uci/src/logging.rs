//! The log: the whole dialogue with times, in a file the user names, and nowhere else.
//!
//! Nothing is logged until a file is named, so that nothing is spent on it either.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use env_logger::{Builder, Target};
use log::LevelFilter;

static FILE: Mutex<Option<Log>> = Mutex::new(None);
/// What ended the log, until it has been told.
static FAULT: Mutex<Option<String>> = Mutex::new(None);
static LOGGER: OnceLock<()> = OnceLock::new();

/// A file and how many bytes it may still take.
struct Log {
    file: File,
    room: u64,
}

impl Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.room.checked_sub(bytes.len() as u64).ok_or(ErrorKind::FileTooLarge)?;
        let written = self.file.write(bytes)?;
        self.room = room;
        Ok(written)
    }
}

/// Writes to the file that is open at the time; the first failure ends the log.
struct CurrentFile;

impl Write for CurrentFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = FILE.lock().unwrap_or_else(PoisonError::into_inner);
        let written = file.as_mut().map_or(Ok(bytes.len()), |log| log.write(bytes));
        if let Err(error) = &written {
            *FAULT.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
            *file = None;
            log::set_max_level(LevelFilter::Off);
        }
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        match FILE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(log) => log.file.flush(),
            None => Ok(()),
        }
    }
}

/// Appends the log to the file at `path` from now on; an empty path ends the log.
///
/// # Errors
/// If the file cannot be opened, or is no plain file: a pipe may never be read. The log goes on as it was then.
pub fn log_to(path: &OsStr) -> io::Result<()> {
    let file = if path.is_empty() { None } else { Some(open(path)?) };
    let level = if file.is_some() { LevelFilter::Debug } else { LevelFilter::Off };
    *FILE.lock().unwrap_or_else(PoisonError::into_inner) = file;
    LOGGER.get_or_init(install);
    log::set_max_level(level);
    if level != LevelFilter::Off {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        log::info!("{} {}, {} s after 1970", crate::NAME, env!("CARGO_PKG_VERSION"), now.as_secs());
    }
    Ok(())
}

fn open(path: impl AsRef<Path>) -> io::Result<Log> {
    if fs::metadata(&path).is_ok_and(|data| !data.is_file()) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a plain file"));
    }
    let file = File::options().create(true).append(true).open(path)?;
    let room = file_size_limit().saturating_sub(file.metadata()?.len());
    Ok(Log { file, room })
}

/// How large files may become: whoever writes more is ended by a signal. Only Linux tells without more ado.
fn file_size_limit() -> u64 {
    let limit = |text: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("Max file size"))?;
        line.split_whitespace().next()?.parse().ok()
    };
    fs::read_to_string("/proc/self/limits").ok().and_then(|text| limit(&text)).unwrap_or(u64::MAX)
}

/// What ended the log since this was last asked, such as a full disk.
pub fn take_fault() -> Option<String> {
    FAULT.lock().unwrap_or_else(PoisonError::into_inner).take()
}

fn install() {
    let start = Instant::now();
    let logger = Builder::new()
        .filter_level(LevelFilter::Debug)
        .target(Target::Pipe(Box::new(CurrentFile)))
        .format(move |out, record| writeln!(out, "{:12.6} {}", start.elapsed().as_secs_f64(), record.args()))
        .try_init();
    // Another logger is in place already (in tests): then that one decides.
    drop(logger);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_are_written() {
        for path in ["src", if cfg!(unix) { "/dev/full" } else { "tests" }] {
            assert_eq!(
                open(path).map_err(|error| error.kind()).err(),
                Some(ErrorKind::InvalidInput),
                "{path}"
            );
        }
    }

    #[test]
    fn a_log_that_cannot_be_written_ends_and_says_so_once() -> io::Result<()> {
        let for_reading = File::open("Cargo.toml")?;
        *FILE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Log { file: for_reading, room: 100 });
        assert!(CurrentFile.write(b"x").is_err());
        assert!(take_fault().is_some_and(|text| !text.is_empty()));
        assert_eq!(take_fault(), None);
        assert_eq!(CurrentFile.write(b"x")?, 1, "to nowhere");
        let mut full = Log { file: tempfile::tempfile()?, room: 3 };
        assert_eq!(full.write(b"ab")?, 2);
        assert_eq!(full.write(b"cd").map_err(|error| error.kind()), Err(ErrorKind::FileTooLarge));
        assert_eq!(full.write(b"c")?, 1);
        Ok(())
    }
}
