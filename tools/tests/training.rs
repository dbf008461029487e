//! `xq datagen` and `xq train` as processes: what ends them and what does not, and which files they leave.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tools::data::{Writer, read_files};

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
        let run = |kind: &str, stderr: std::process::Stdio| {
            let words = words.replace("NAME", &format!("{name}.{kind}"));
            let status = command(folder.path(), &words).stderr(stderr).status().expect("xq starts");
            assert_eq!(status.code(), Some(0), "{words}");
            bytes(&file.replace("NAME", &format!("{name}.{kind}")))
        };
        let whole = run("whole", std::process::Stdio::null());
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        assert!(run("closed", writer.into()) == whole, "{words}");
        if let Ok(full) = fs::File::options().write(true).open("/dev/full") {
            assert!(run("full", full.into()) == whole, "{words}");
        }
    }
}

/// No opening has a score within a negative limit, no step is infinitely long, and so on.
#[test]
fn senseless_numbers_are_refused_by_name() {
    let folder = folder();
    for (words, name) in [
        ("datagen --out a --opening-limit=-1", "--opening-limit"),
        ("datagen --out a --games 4294967295", "--games"),
        ("train --data games.xqg --out a --rate NaN", "--rate"),
        ("train --data games.xqg --out a --last-rate inf", "--last-rate"),
        ("train --data games.xqg --out a --decay=-1", "--decay"),
        ("train --data games.xqg --out a --max-score=-5", "--max-score"),
        ("train --data games.xqg --out a --hidden 18446744073709551552", "--hidden"),
        ("tune texel --data games.xqg --out a --max-score=-5", "--max-score"),
        ("tune texel --data games.xqg --out a --spring inf", "--spring"),
        ("tune spsa --engine none --nodes 1 --alpha NaN", "--alpha"),
        ("tune spsa --engine none --nodes 1 --gamma inf", "--gamma"),
        ("tune spsa --engine none --nodes 1 --r-end inf", "--r-end"),
        ("match -engine cmd=a -engine cmd=b -each nodes=1 -sprt elo0=-inf elo1=inf", "-sprt"),
    ] {
        let output = xq(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{words}: {}", told(&output));
        assert!(told(&output).contains(name), "{words}: {}", told(&output));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "{words}");
    }
}

/// A second run on the same files, while the first is in the middle of its work and after Ctrl-C.
#[cfg(unix)]
#[test]
fn one_training_at_a_time_and_none_after_it() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let words = TRAINING.replace("--epochs 2", "--epochs 5000");
    let mut first = command(folder.path(), &format!("{words} net")).spawn().expect("xq starts");
    while !path("net.csv").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let second = xq(folder.path(), &format!("{words} net --force"));
    let kill = Command::new("kill").args(["-INT", &first.id().to_string()]).status().expect("kill starts");
    assert!(kill.success());
    assert_eq!(first.wait().expect("its end").code(), Some(130));
    assert_eq!(second.status.code(), Some(2));
    assert!(told(&second).contains("another run writes there: net.lock"), "{}", told(&second));
    assert!(path("net.ckpt").exists() && !path("net.lock").exists() && !path("net.phnn").exists());
    // What a crash leaves of a lock keeps nobody out.
    fs::write(path("net.lock"), "").expect("a file");
    succeed(folder.path(), &format!("{TRAINING} net --force"));
    assert!(path("net.phnn").exists() && !path("net.lock").exists());
}

/// A log that speaks of losses where there are none would be untrue.
#[test]
fn games_held_out_are_told_of_only_if_there_are_some() {
    let folder = folder();
    let output = xq(folder.path(), &format!("{TRAINING} net"));
    assert!(
        told(&output).contains(", held out 0.") && told(&output).contains("rounding: "),
        "{}",
        told(&output)
    );
    // Without game 0, the only one held out.
    let path = folder.path().join("games.xqg");
    let mut games = Vec::new();
    read_files(std::slice::from_ref(&path), |game| games.push(game)).expect("data");
    fs::remove_file(&path).expect("a file");
    let (mut writer, _) = Writer::open(&path, "{}").expect("a new file");
    games.iter().skip(1).for_each(|game| writer.add(game).expect("room on the disk"));
    writer.flush().expect("room on the disk");
    let output = xq(folder.path(), &format!("{TRAINING} none"));
    let told = told(&output);
    assert!(output.status.success() && told.contains(" 0 held out"), "{told}");
    assert!(told.contains(", no games held out") && told.contains("rounding: not measured"), "{told}");
    assert!(!told.contains("-0.0"), "{told}");
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
