//! The standard output of the commands: `out!` and `outln!` print as `print!` and `println!` do, but say what went wrong.
//!
//! Whoever reads may have seen enough (`xq judge ... | head`), and a disk may be full; `print!` would panic.

use std::io::{self, Write as _};

use anyhow::Context as _;

/// What is wrong where standard output is closed or full.
pub(crate) const CANNOT_WRITE: &str = "cannot write to standard output";

/// Writes to standard output, at once.
///
/// # Errors
/// If it is closed or full; `main` ends quietly where it is a closed pipe.
pub(crate) fn write(text: std::fmt::Arguments<'_>) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_fmt(text).and_then(|()| out.flush()).context(CANNOT_WRITE)
}

/// `print!` with a `Result`.
macro_rules! out {
    ($($text:tt)*) => { $crate::stdout::write(format_args!($($text)*)) };
}

/// `println!` with a `Result`.
macro_rules! outln {
    ($($text:tt)*) => { $crate::stdout::write(format_args!("{}\n", format_args!($($text)*))) };
}

pub(crate) use {out, outln};
