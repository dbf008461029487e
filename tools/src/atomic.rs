//! Files that appear whole or not at all: they are written beside their place and renamed.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

/// A file being written; dropped without [`AtomicFile::commit`] it leaves no trace.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl AtomicFile {
    /// Begins a file, in a folder that is created if need be.
    ///
    /// # Errors
    /// If it exists and is not to be replaced, or its folder cannot be written to.
    pub(crate) fn create(path: PathBuf, replace: bool) -> anyhow::Result<Self> {
        if !replace && path.exists() {
            bail!("{} exists; --force replaces it", path.display());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let file = tempfile::Builder::new()
            .prefix(".xq-")
            .tempfile_in(folder)
            .with_context(|| format!("cannot write in {}", folder.display()))?;
        Ok(Self { path, file: BufWriter::new(file) })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// If the last bytes cannot be written or the file not be renamed.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        let context = || format!("cannot write {}", self.path.display());
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error).with_context(context)?;
        make_readable(&file).with_context(context)?;
        file.persist(&self.path).with_context(context)?;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a whole file at once.
///
/// # Errors
/// As [`AtomicFile`].
pub(crate) fn write(path: &Path, bytes: &[u8], replace: bool) -> anyhow::Result<()> {
    let mut file = AtomicFile::create(path.to_owned(), replace)?;
    file.write_all(bytes).with_context(|| format!("cannot write {}", path.display()))?;
    file.commit()
}

/// Temporary files are private; a result is an ordinary file.
#[cfg(unix)]
fn make_readable(file: &NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &NamedTempFile) -> io::Result<()> {
    Ok(())
}
