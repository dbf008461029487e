//! `xq datagen` and `xq train` as processes: what ends them and what does not, and which files they leave.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xq"));
    command.args(words.split_whitespace()).current_dir(folder);
    command
}

fn xq(folder: &Path, words: &str) -> Output {
    command(folder, words).output().expect("xq starts")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn succeed(folder: &Path, words: &str) {
    let output = xq(folder, words);
    assert!(output.status.success(), "{words}: {}", told(&output));
}

/// Games of few nodes, for the tests run without optimisation; the first is held out.
const GAMES: &str = "datagen --games 8 --nodes 5 --network none --out";
/// A training of a second.
const TRAINING: &str = "train --hidden 64 --epochs 2 --batch 100 --data games.xqg --out";

/// A folder with a file of games.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    succeed(folder.path(), &format!("{GAMES} games.xqg"));
    folder
}

/// Messages are worth less than the work, whether a disk is full or the reader has seen enough (`2>&1 | head -1`).
#[cfg(unix)]
#[test]
fn a_closed_or_full_standard_error_ends_no_work() {
    let folder = folder();
    let bytes = |name: &str| fs::read(folder.path().join(name)).expect("a file");
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/games/g05-pgn-iccs.pgn");
    for (words, file) in [
        (&*format!("{GAMES} NAME"), "NAME"),
        ("rescore --nodes 5 --network none --data games.xqg --out NAME", "NAME"),
        (&*format!("{TRAINING} NAME"), "NAME.phnn"),
        ("tune texel --data games.xqg --out NAME", "NAME"),
        (&*format!("convert {game} --to dhtmlxq -o NAME"), "NAME"),
    ] {
        let name = words.split_whitespace().next().expect("a command");
        let run = |kind: &str, stderr: Stdio| {
            let words = words.replace("NAME", &format!("{name}.{kind}"));
            let status = command(folder.path(), &words).stderr(stderr).status().expect("xq starts");
            assert_eq!(status.code(), Some(0), "{words}");
            bytes(&file.replace("NAME", &format!("{name}.{kind}")))
        };
        let whole = run("whole", Stdio::null());
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        assert!(run("closed", writer.into()) == whole, "{words}");
        if let Ok(full) = fs::File::options().write(true).open("/dev/full") {
            assert!(run("full", full.into()) == whole, "{words}");
        }
    }
}

/// No opening has a score within a negative limit.
#[test]
fn a_negative_limit_of_openings_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = xq(folder.path(), &format!("{GAMES} a.xqg --opening-limit=-1"));
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("--opening-limit must not be negative"), "{}", told(&output));
    assert!(!folder.path().join("a.xqg").exists());
}

/// A device never ends, and what begins like no network is not worth reading, however large it is.
#[cfg(unix)]
#[test]
fn what_is_no_network_is_not_read() {
    let folder = folder();
    let large = fs::File::create(folder.path().join("large")).expect("a file");
    // A file system without files of terabytes has none to be read.
    let _ = large.set_len(1 << 42);
    for words in [
        "datagen --games 1 --out a.xqg --network",
        "rescore --data games.xqg --out a.xqg --network",
        "suite mates --nodes 1 --network",
    ] {
        for (file, what) in [
            ("/dev/zero", "not a plain file"),
            ("large", "not a Phao network"),
            ("games.xqg", "not a Phao network"),
            ("missing", "No such file"),
        ] {
            let output = xq(folder.path(), &format!("{words} {file}"));
            assert_eq!(output.status.code(), Some(2), "{words} {file}: {}", told(&output));
            let named = told(&output).contains(&format!("{file}: {what}"));
            assert!(named, "{words} {file}: {}", told(&output));
        }
        assert!(!folder.path().join("a.xqg").exists());
    }
}
