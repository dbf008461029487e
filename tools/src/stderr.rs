//! Messages to standard error: `note!` prints as `eprintln!` does, but a message that nobody can read ends no work; `eprintln!` would panic.
//!
//! A disk may be full, and whoever reads may have seen enough (`xq train ... 2>&1 | head -1`): hours of work are worth more.

use std::io::{self, Write as _};

/// Writes a line to standard error, if it takes one.
pub fn tell(text: std::fmt::Arguments<'_>) {
    // In one piece, so that the lines of several threads and programs do not mix.
    let _ = io::stderr().lock().write_all(format!("{text}\n").as_bytes());
}

/// `eprintln!` without a panic.
macro_rules! note {
    ($($text:tt)*) => { $crate::stderr::tell(format_args!($($text)*)) };
}

pub(crate) use note;
