//! The log: the whole dialogue with times, in a file the user names, and nowhere else.
//!
//! Nothing is logged until a file is named, so that nothing is spent on it either.

use std::fs::File;
use std::io::{self, Write};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use env_logger::{Builder, Target};
use log::LevelFilter;

static FILE: Mutex<Option<File>> = Mutex::new(None);
static LOGGER: OnceLock<()> = OnceLock::new();

/// Writes to the file that is open at the time.
struct CurrentFile;

impl Write for CurrentFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match FILE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(file) => file.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match FILE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(file) => file.flush(),
            None => Ok(()),
        }
    }
}

/// Appends the log to the file at `path` from now on; an empty path ends the log.
///
/// # Errors
/// If the file cannot be opened; the log goes on as it was then.
pub fn log_to(path: &str) -> io::Result<()> {
    let file =
        if path.is_empty() { None } else { Some(File::options().create(true).append(true).open(path)?) };
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
