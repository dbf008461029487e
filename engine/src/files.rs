//! Files that an option names.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The bytes of a file.
///
/// # Errors
/// If it cannot be read, or is no plain file: a device or a pipe may never end.
pub(crate) fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    if !fs::metadata(&path)?.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a plain file"));
    }
    fs::read(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_are_read() {
        assert!(read("Cargo.toml").is_ok_and(|bytes| bytes.starts_with(b"[package]")));
        assert_eq!(read("src").map_err(|error| error.kind()), Err(ErrorKind::InvalidInput));
        assert_eq!(read("no such file").map_err(|error| error.kind()), Err(ErrorKind::NotFound));
        if cfg!(unix) {
            assert_eq!(read("/dev/zero").map_err(|error| error.kind()), Err(ErrorKind::InvalidInput));
        }
    }
}
