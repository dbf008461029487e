//! Files that appear whole or not at all: they are written beside their place and renamed.
//!
//! Devices and pipes are written to as they are, and a symbolic link stays one: what it leads to is replaced.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

/// A file being written; dropped without [`AtomicFile::commit`] it leaves no trace.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    Beside(BufWriter<NamedTempFile>),
    Direct(BufWriter<File>),
}

impl AtomicFile {
    /// Begins a file, in a folder that is created if need be.
    ///
    /// # Errors
    /// If it exists and is not to be replaced, or its folder cannot be written to.
    pub(crate) fn create(path: PathBuf, replace: bool) -> anyhow::Result<Self> {
        if is_special(&path) {
            let opened = File::options().write(true).open(&path);
            let file = opened.with_context(|| format!("cannot write to {}", path.display()))?;
            return Ok(Self { path, target: Target::Direct(BufWriter::new(file)) });
        }
        if !replace && path.exists() {
            bail!("{} exists; --force replaces it", path.display());
        }
        let path = if path.is_symlink() { path.canonicalize().unwrap_or(path) } else { path };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let file = tempfile::Builder::new()
            .prefix(".xq-")
            .tempfile_in(folder)
            .with_context(|| format!("cannot write in {}", folder.display()))?;
        Ok(Self { path, target: Target::Beside(BufWriter::new(file)) })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// If the last bytes cannot be written or the file not be renamed.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        let context = || format!("cannot write {}", self.path.display());
        match self.target {
            Target::Beside(file) => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error).with_context(context)?;
                make_readable(&file).with_context(context)?;
                file.persist(&self.path).with_context(context)?;
            }
            Target::Direct(mut file) => file.flush().with_context(context)?,
        }
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Beside(file) => file.write(bytes),
            Target::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Beside(file) => file.flush(),
            Target::Direct(file) => file.flush(),
        }
    }
}

/// Whether something that cannot be replaced by a file stands there already, such as a device or a pipe.
pub(crate) fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn devices_and_links_stay_what_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link, null) =
            (folder.path().join("file"), folder.path().join("link"), folder.path().join("null"));
        std::fs::write(&file, "old").expect("a file");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        std::os::unix::fs::symlink("/dev/null", &null).expect("a link");
        write(&null, b"gone", false).expect("a device needs no --force");
        assert!(is_special(&null));
        assert!(write(&link, b"new", false).is_err());
        write(&link, b"new", true).expect("the file behind it");
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&file).expect("a file"), b"new");
    }
}
