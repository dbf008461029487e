//! What the process was started for.

use std::ffi::{OsStr, OsString};

use thiserror::Error;

/// The work of one process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// The dialogue on standard input and output.
    Dialogue,
    /// The fixed workload.
    Bench {
        /// The depth, if one is given.
        depth: Option<u32>,
    },
    /// Count leaves.
    Perft {
        /// How deep.
        depth: u32,
        /// From where; the start position if it is not given.
        fen: Option<String>,
    },
    /// Show how the program is called.
    Help,
    /// Show the version.
    Version,
}

/// The arguments of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Args {
    /// What to do.
    pub work: Work,
    /// File for the log.
    pub log: Option<OsString>,
}

/// Arguments that make no sense.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgsError {
    /// `--log` without a file.
    #[error("--log needs the name of a file")]
    NoLogFile,
    /// `perft` without a depth.
    #[error("perft needs a depth (try --help)")]
    NoDepth,
    /// A word that should be a depth.
    #[error("'{0}' is not a depth")]
    Depth(String),
    /// Something else.
    #[error("unknown argument '{0}' (try --help)")]
    Unknown(String),
}

impl Args {
    /// Reads the arguments that follow the name of the program.
    ///
    /// # Errors
    /// On the first argument that makes no sense.
    pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Self, ArgsError> {
        let mut log = None;
        let mut words = Vec::new();
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            if arg == "--log" {
                log = Some(args.next().ok_or(ArgsError::NoLogFile)?);
            } else if let Some(file) = after(&arg, "--log=") {
                log = Some(file);
            } else {
                words.push(arg.to_string_lossy().into_owned());
            }
        }
        let depth = |word: &String| word.parse().map_err(|_| ArgsError::Depth(word.clone()));
        let work = match words.first().map(String::as_str) {
            None => Work::Dialogue,
            Some("bench") => match words.get(2) {
                None => Work::Bench { depth: words.get(1).map(depth).transpose()? },
                Some(extra) => return Err(ArgsError::Unknown(extra.clone())),
            },
            Some("perft") => Work::Perft {
                depth: words.get(1).map_or_else(|| Err(ArgsError::NoDepth), depth)?,
                fen: (words.len() > 2).then(|| words[2..].join(" ")),
            },
            Some("--help" | "-h" | "help") => Work::Help,
            Some("--version" | "-V") => Work::Version,
            Some(other) => return Err(ArgsError::Unknown(other.to_owned())),
        };
        Ok(Self { work, log })
    }
}

/// What follows `prefix` in an argument that begins with it; a name of a file may be any bytes.
fn after(arg: &OsStr, prefix: &str) -> Option<OsString> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let rest = arg.as_bytes().strip_prefix(prefix.as_bytes())?;
        Some(OsStr::from_bytes(rest).to_owned())
    }
    #[cfg(not(unix))]
    Some(arg.to_string_lossy().strip_prefix(prefix)?.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Args, ArgsError> {
        Args::parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn every_way_to_start() {
        let work = |work| Ok(Args { work, log: None });
        assert_eq!(parse(""), work(Work::Dialogue));
        assert_eq!(parse("bench"), work(Work::Bench { depth: None }));
        assert_eq!(parse("bench 7"), work(Work::Bench { depth: Some(7) }));
        assert_eq!(parse("perft 4"), work(Work::Perft { depth: 4, fen: None }));
        let fen = Some("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1".to_owned());
        assert_eq!(parse("perft 4 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1"), work(Work::Perft { depth: 4, fen }));
        assert_eq!(parse("--help"), work(Work::Help));
        assert_eq!(parse("--version"), work(Work::Version));
        let log = Some(OsString::from("a.log"));
        assert_eq!(parse("--log a.log"), Ok(Args { work: Work::Dialogue, log: log.clone() }));
        assert_eq!(parse("bench --log=a.log"), Ok(Args { work: Work::Bench { depth: None }, log }));
    }

    #[cfg(unix)]
    #[test]
    fn names_of_files_are_any_bytes() {
        use std::os::unix::ffi::OsStrExt;
        let name = OsStr::from_bytes(b"\xbf\xaa.log");
        let joined = OsStr::from_bytes(b"--log=\xbf\xaa.log");
        for args in [&[OsStr::new("--log"), name][..], &[joined]] {
            let args = Args::parse(args.iter().map(OsString::from));
            assert_eq!(args.map(|args| args.log), Ok(Some(name.to_owned())));
        }
    }

    #[test]
    fn senseless_arguments_are_named() {
        assert_eq!(parse("--log"), Err(ArgsError::NoLogFile));
        assert_eq!(parse("bench deep"), Err(ArgsError::Depth("deep".to_owned())));
        assert_eq!(parse("perft"), Err(ArgsError::NoDepth));
        assert_eq!(parse("play"), Err(ArgsError::Unknown("play".to_owned())));
    }
}
