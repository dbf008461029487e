//! Files that an option names.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use search::nnue::{Network, NetworkError};
use thiserror::Error;

/// Why a network cannot be taken from a file.
#[derive(Debug, Error)]
pub enum NetworkFileError {
    /// It cannot be read, or it is no plain file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no network, or none for this program.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// The network in a file, and the bytes of the file. What is no network is not read as a whole.
///
/// # Errors
/// [`NetworkFileError`] if there is none.
pub fn read_network(path: impl AsRef<Path>) -> Result<(Network, Vec<u8>), NetworkFileError> {
    let bytes = read(path, Network::HEADER_LEN, |header, length| {
        Ok::<_, NetworkFileError>(Network::check_header(header, length)?)
    })?;
    Ok((Network::from_bytes(&bytes)?, bytes))
}

/// The bytes of a file whose first `header` bytes, fewer if it has no more, and whose length `check` finds right: what is no such file is not
/// read, however large it is.
///
/// # Errors
/// If it cannot be read, there is no memory for it, or it is no plain file (a device or a pipe may never end), or the error of `check`.
pub(crate) fn read<E: From<io::Error>>(
    path: impl AsRef<Path>,
    header: usize,
    check: impl FnOnce(&[u8], u64) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    if !fs::metadata(&path)?.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a plain file").into());
    }
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    file.by_ref().take(header as u64).read_to_end(&mut bytes)?;
    check(&bytes, length)?;
    // It may be growing.
    let rest = length.saturating_sub(bytes.len() as u64);
    let room = usize::try_from(rest).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(room).map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
    file.take(rest).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str) -> io::Result<Vec<u8>> {
        super::read(path, 9, |header, length| {
            assert!(length > 9 && header.len() == 9, "{path}");
            if header == b"[package]" { Ok(()) } else { Err(ErrorKind::InvalidData.into()) }
        })
    }

    #[test]
    fn only_plain_files_are_read() {
        assert!(read("Cargo.toml").is_ok_and(|bytes| bytes == include_bytes!("../Cargo.toml")));
        assert_eq!(read("src").map_err(|error| error.kind()), Err(ErrorKind::InvalidInput));
        assert_eq!(read("no such file").map_err(|error| error.kind()), Err(ErrorKind::NotFound));
        if cfg!(unix) {
            assert_eq!(read("/dev/zero").map_err(|error| error.kind()), Err(ErrorKind::InvalidInput));
        }
    }

    /// Some terabytes without a byte in them: whoever reads them does not come back.
    #[test]
    fn what_begins_wrong_is_not_read() -> io::Result<()> {
        let file = tempfile::NamedTempFile::new()?;
        if file.as_file().set_len(1 << 42).is_ok() {
            let path = file.path().to_str().expect("a name in ASCII");
            assert_eq!(read(path).map_err(|error| error.kind()), Err(ErrorKind::InvalidData));
        }
        Ok(())
    }
}
