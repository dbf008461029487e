//! Files that appear whole or not at all: they are written beside their place and renamed.
//!
//! Devices, pipes and `-`, which is standard output, are written to as they are, and a symbolic link stays one: what it leads to is replaced, or
//! made where it leads to nothing yet. A file that is
//! replaced hands on its permissions; a new one has those of any new file.

use std::fs::{File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

use crate::stdout::CANNOT_WRITE;

/// The unfinished files of this process, for the signal handler: it has no other way to them.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The exit code after Ctrl-C, as shells have it: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

/// From now on Ctrl-C and requests to terminate remove unfinished files before they end the program.
pub(crate) fn clean_up_on_signals() {
    // Fails only where a handler is set already, which then decides.
    let _ = ctrlc::set_handler(|| {
        // Kept to the end, so that no file is finished or begun meanwhile.
        let files = unfinished();
        for path in files.iter() {
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(INTERRUPTED);
    });
}

/// A file being written; dropped without [`AtomicFile::commit`] it leaves no trace.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    path: PathBuf,
    /// Gone when it is in its place.
    target: Option<Target>,
}

#[derive(Debug)]
enum Target {
    Beside(BufWriter<NamedTempFile>),
    Direct(BufWriter<File>),
    Stdout(BufWriter<io::Stdout>),
}

impl AtomicFile {
    /// Begins a file, in a folder that is created if need be.
    ///
    /// # Errors
    /// If it exists and is not to be replaced, or its folder cannot be written to.
    pub(crate) fn create(path: PathBuf, replace: bool) -> anyhow::Result<Self> {
        if is_stdout(&path) {
            return Ok(Self { path, target: Some(Target::Stdout(BufWriter::new(io::stdout()))) });
        }
        if is_special(&path) {
            let opened = File::options().write(true).open(&path);
            let file = opened.with_context(|| format!("cannot write to {}", path.display()))?;
            return Ok(Self { path, target: Some(Target::Direct(BufWriter::new(file))) });
        }
        if !replace && path.exists() {
            bail!("{} exists; --force replaces it", path.display());
        }
        let path = behind_links(path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let mut files = unfinished();
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(".xq-");
        // Temporary files are private by default; the result is an ordinary file.
        #[cfg(unix)]
        let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file =
            builder.tempfile_in(folder).with_context(|| format!("cannot write in {}", folder.display()))?;
        files.push(file.path().to_owned());
        Ok(Self { path, target: Some(Target::Beside(BufWriter::new(file))) })
    }

    /// Where it will be.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// If the last bytes cannot be written or the file not be renamed.
    pub(crate) fn commit(mut self) -> anyhow::Result<()> {
        Ok(self.put_in_place().map_err(|error| named(&self.path, &error))?)
    }

    fn put_in_place(&mut self) -> io::Result<()> {
        match self.target.take() {
            Some(Target::Beside(file)) => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                if let Ok(replaced) = std::fs::metadata(&self.path) {
                    file.as_file().set_permissions(replaced.permissions())?;
                }
                let mut files = unfinished();
                files.retain(|path| path != file.path());
                file.persist(&self.path)?;
            }
            Some(Target::Direct(mut file)) => file.flush()?,
            Some(Target::Stdout(mut out)) => out.flush()?,
            None => {}
        }
        Ok(())
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(Target::Beside(file)) = &self.target {
            let path = file.get_ref().path().to_owned();
            unfinished().retain(|known| *known != path);
        }
    }
}

/// The errors name the file.
impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.target {
            Some(Target::Beside(file)) => file.write(bytes),
            Some(Target::Direct(file)) => file.write(bytes),
            Some(Target::Stdout(out)) => out.write(bytes),
            None => Ok(bytes.len()),
        };
        written.map_err(|error| named(&self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.target {
            Some(Target::Beside(file)) => file.flush(),
            Some(Target::Direct(file)) => file.flush(),
            Some(Target::Stdout(out)) => out.flush(),
            None => Ok(()),
        };
        flushed.map_err(|error| named(&self.path, &error))
    }
}

/// A file whose lock says that a run writes beside it; it goes with the run, also where Ctrl-C ends it.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    /// Holds the lock. After a crash the file stays, but not its lock.
    _file: File,
}

impl Lock {
    /// Takes a lock, or finds that another run has it.
    ///
    /// # Errors
    /// If another run has it, or the file cannot be made.
    pub(crate) fn take(path: PathBuf) -> anyhow::Result<Self> {
        let mut files = unfinished();
        let file = File::options().write(true).create(true).truncate(false).open(&path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            bail!("another run writes there: {} is locked", path.display());
        }
        files.push(path.clone());
        Ok(Self { path, _file: file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let mut files = unfinished();
        let _ = std::fs::remove_file(&self.path);
        files.retain(|known| *known != self.path);
    }
}

/// Links that lead from one to the next; as many as Linux follows.
const MAX_LINKS: usize = 40;

/// What a path leads to by way of links, be there something or nothing yet.
fn behind_links(mut path: PathBuf) -> anyhow::Result<PathBuf> {
    for _ in 0..=MAX_LINKS {
        if !path.is_symlink() {
            return Ok(path);
        }
        let link = std::fs::read_link(&path).with_context(|| format!("cannot follow {}", path.display()))?;
        // An absolute target replaces the folder.
        path = path.parent().map_or(link.clone(), |folder| folder.join(&link));
    }
    bail!("cannot follow {}: too many links", path.display())
}

/// An error of a file that says which, of the same kind.
fn named(path: &Path, error: &io::Error) -> io::Error {
    let text = if is_stdout(path) {
        format!("{CANNOT_WRITE}: {error}")
    } else {
        format!("cannot write {}: {error}", path.display())
    };
    io::Error::new(error.kind(), text)
}

/// Whether `-` is named, which is standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether something that cannot be replaced by a file stands there already, such as a device or a pipe.
pub(crate) fn is_special(path: &Path) -> bool {
    is_stdout(path) || std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Writes a whole file at once.
///
/// # Errors
/// As [`AtomicFile`].
pub(crate) fn write(path: &Path, bytes: &[u8], replace: bool) -> anyhow::Result<()> {
    let mut file = AtomicFile::create(path.to_owned(), replace)?;
    file.write_all(bytes)?;
    file.commit()
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

    #[test]
    fn links_to_nothing_stay_links() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("file", path("second")).expect("a link");
        std::os::unix::fs::symlink(path("second"), path("first")).expect("a link");
        write(&path("first"), b"new", false).expect("nothing is replaced");
        assert!(path("first").is_symlink() && path("second").is_symlink());
        assert_eq!(std::fs::read(path("file")).expect("a file"), b"new");
        assert!(write(&path("first"), b"newer", false).is_err());
        std::os::unix::fs::symlink("round", path("round")).expect("a link");
        assert!(write(&path("round"), b"new", true).is_err());
        assert!(path("round").is_symlink());
    }

    #[test]
    fn new_files_have_the_mode_of_new_files_and_replaced_ones_keep_theirs() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let mode = |path: &Path| std::fs::metadata(path).expect("a file").permissions().mode() & 0o777;
        let (plain, ours) = (folder.path().join("plain"), folder.path().join("ours"));
        // Whatever the umask is, it holds for both.
        File::create(&plain).expect("a file");
        write(&ours, b"1", false).expect("a file");
        assert_eq!(mode(&ours), mode(&plain));
        std::fs::set_permissions(&ours, std::fs::Permissions::from_mode(0o604)).expect("a file");
        write(&ours, b"2", true).expect("a file");
        assert_eq!(mode(&ours), 0o604);
        assert!(unfinished().iter().all(|path| !path.starts_with(folder.path())));
    }
}
