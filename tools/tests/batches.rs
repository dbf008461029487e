//! `xq` over many files: every input has a result of its own, and what could not be read is told.

use std::path::Path;
use std::process::{Command, Output};

/// A game with its result, so that nothing about it is in doubt.
const WHOLE: &str = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. h2e2 1-0\n\n";

fn xq(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xq")).args(words).current_dir(folder).output().expect("xq starts")
}

/// Runs `xq`, which ends with `code`, and gives back what it said.
fn told(folder: &Path, code: i32, words: &[&str]) -> String {
    let output = xq(folder, words);
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(code), "{words:?}: {told}");
    told
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}

#[test]
fn names_with_dots_stay_apart() {
    let folder =
        folder(&[("d/match.1.pgn", WHOLE), ("d/match.2.pgn", WHOLE), ("d/match.2.wxf", "START{ C2=5 }END")]);
    told(folder.path(), 0, &["convert", "d", "--to", "json", "-o", "o/"]);
    assert_eq!(names(&folder.path().join("o")), ["match.1.jsonl", "match.2-wxf.jsonl", "match.2.jsonl"]);
    told(folder.path(), 0, &["convert", "d", "--to", "xqf", "-f", "-o", "p/"]);
    assert_eq!(names(&folder.path().join("p")), ["match.1.xqf", "match.2-wxf.xqf", "match.2.xqf"]);
}

#[cfg(unix)]
#[test]
fn links_in_folders_are_files() {
    use std::os::unix::fs::symlink;
    let folder = folder(&[("there/a.pgn", WHOLE), ("d/b.pgn", WHOLE)]);
    symlink("../there/a.pgn", folder.path().join("d/a.pgn")).expect("a link");
    told(folder.path(), 0, &["convert", "d", "--to", "json", "-o", "o/"]);
    assert_eq!(names(&folder.path().join("o")), ["a.jsonl", "b.jsonl"]);
    symlink("nothing", folder.path().join("d/c.pgn")).expect("a link");
    let error = told(folder.path(), 1, &["convert", "d", "--to", "json"]);
    assert!(error.contains("d/c.pgn: No such file"), "{error}");
}

/// The second game of `g.pgn` would be called as the other input is, whichever comes first.
#[test]
fn numbered_games_replace_no_other_input() {
    let black = WHOLE.replace("1-0", "0-1");
    let folder = folder(&[("g.pgn", &WHOLE.repeat(2)), ("g-2.pgn", &black)]);
    for (index, inputs) in [["g.pgn", "g-2.pgn"], ["g-2.pgn", "g.pgn"]].into_iter().enumerate() {
        let output = format!("o{index}");
        for _ in 0..2 {
            told(folder.path(), 0, &["convert", inputs[0], inputs[1], "--to", "xqf", "-f", "-o", &output]);
            let output = folder.path().join(&output);
            assert_eq!(names(&output), ["g-2.xqf", "g-pgn-2.xqf", "g.xqf"]);
            let result = |name: &str| {
                let json = xq(&output, &["convert", name, "--to", "json"]).stdout;
                let value: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
                value["result"].as_str().expect("a result").to_owned()
            };
            assert_eq!(["g.xqf", "g-pgn-2.xqf", "g-2.xqf"].map(result), ["1-0", "1-0", "0-1"]);
        }
    }
}

/// A link in the folder of results, or an input there, is not written over by way of another name.
#[cfg(unix)]
#[test]
fn results_replace_neither_results_nor_inputs() {
    let folder = folder(&[("a.pgn", WHOLE), ("b.pgn", WHOLE), ("o/b.jsonl", "")]);
    std::os::unix::fs::symlink("b.jsonl", folder.path().join("o/a.jsonl")).expect("a link");
    let error = told(folder.path(), 1, &["convert", "a.pgn", "b.pgn", "--to", "json", "-f", "-o", "o/"]);
    assert!(error.contains("o/b.jsonl would replace what was written from another input"), "{error}");
    // `a.pgn` is read only after `sub/a.wxf` would have been written there.
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    std::fs::write(folder.path().join("sub/a.wxf"), "START{ C2=5 }END").expect("a file");
    let error = told(folder.path(), 1, &["convert", "sub/a.wxf", "a.pgn", "--to", "pgn", "-f", "-o", "./"]);
    assert!(error.contains("is one of the inputs"), "{error}");
    assert_eq!(std::fs::read_to_string(folder.path().join("a.pgn")).expect("a file"), WHOLE);
    // Written in its own place, as asked.
    told(folder.path(), 0, &["convert", "a.pgn", "--to", "pgn", "-f", "-o", "./"]);
}

/// A result that cannot be written is told, and costs no other.
#[test]
fn a_result_that_cannot_be_written_costs_only_itself() {
    let chinese = WHOLE.replace("\"a\"", "\"\u{1f004}\"");
    let folder =
        folder(&[("in/a.pgn", WHOLE), ("in/b.pgn", WHOLE), ("in/c.pgn", WHOLE), ("o/b.jsonl", "kept")]);
    let path = folder.path();
    let convert = |code, output: &str, more: &[&str]| {
        told(path, code, &[&["convert", "in", "-o", output][..], more].concat())
    };
    let error = convert(1, "o/", &["--to", "json"]);
    assert!(error.contains("in/b.pgn: o/b.jsonl exists; --force replaces it"), "{error}");
    assert!(error.contains("2 games from 3 files written, 1 result not written"), "{error}");
    assert_eq!(names(&path.join("o")), ["a.jsonl", "b.jsonl", "c.jsonl"]);
    assert_eq!(std::fs::read_to_string(path.join("o/b.jsonl")).expect("a file"), "kept");
    // Now all of them exist.
    let error = convert(2, "o/", &["--to", "json"]);
    assert!(error.contains("0 games from 3 files written, 3 results not written"), "{error}");
    // Nor is a folder replaced.
    std::fs::create_dir_all(path.join("p/b.jsonl")).expect("a folder");
    for (more, code) in [(&["--to", "json"][..], 1), (&["--to", "json", "-f"], 1)] {
        let error = convert(code, "p/", more);
        assert!(error.contains("in/b.pgn: ") && error.contains("1 result not written"), "{error}");
        std::fs::remove_file(path.join("p/a.jsonl")).expect("a result");
        std::fs::remove_file(path.join("p/c.jsonl")).expect("a result");
        assert_eq!(names(&path.join("p")), ["b.jsonl"]);
    }
    // A character that the encoding lacks, in the second game: of a file for both neither is there.
    std::fs::write(path.join("in/b.pgn"), format!("{WHOLE}{chinese}{WHOLE}")).expect("a file");
    let error = convert(1, "q/", &["--to", "pgn", "--encoding", "gbk"]);
    assert!(
        error.contains("in/b.pgn: game 2: ") && error.contains("2 games from 3 files written"),
        "{error}"
    );
    assert_eq!(names(&path.join("q")), ["a.pgn", "c.pgn"]);
    let error = convert(1, "r/", &["--to", "xqf", "--encoding", "gbk"]);
    assert!(
        error.contains("in/b.pgn: game 2: ") && error.contains("4 games from 3 files written"),
        "{error}"
    );
    assert_eq!(names(&path.join("r")), ["a.xqf", "b-3.xqf", "b.xqf", "c.xqf"]);
    // Where all goes into one file, there is none.
    convert(2, "all.pgn", &["--encoding", "gbk"]);
    assert!(!path.join("all.pgn").exists());
}

/// What holds nothing is told with its name; the other files are done.
#[test]
fn files_without_a_game_are_told() {
    let zeros = "\0".repeat(100);
    let folder = folder(&[
        ("game.pgn", WHOLE),
        ("d/empty.pgn", ""),
        ("d/blank.wxf", "\n \r\n"),
        ("d/zeros.pgn", &zeros),
        ("d/empty.fen", ""),
        ("d/remarks.fen", "# nothing\n"),
        ("d/empty.jsonl", ""),
        ("d/empty.cbf", ""),
        ("d/empty.xqf", ""),
        ("d/empty.ubb", ""),
    ]);
    for name in names(&folder.path().join("d")) {
        let name = &format!("d/{name}");
        let all = [&["analyse", "--nodes", "1", "-q"][..], &["judge"], &["judge", "--games"]];
        for words in
            [&["convert", "--to", "json"][..], &["report", "-o", "x.html", "-f"]].into_iter().chain(all)
        {
            let error = told(folder.path(), 2, &[words, &[name]].concat());
            assert!(error.contains(&format!("{name}: ")), "{words:?}: {error}");
            let error = told(folder.path(), 1, &[words, &[name, "game.pgn"]].concat());
            assert!(error.contains(&format!("{name}: ")) || words.contains(&"--games"), "{words:?}: {error}");
        }
    }
    let output = xq(folder.path(), &["judge", "--games", "d/empty.pgn", "game.pgn"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("d/empty.pgn: no game found") && text.contains("\n1 game, 1 ply:"), "{text}");
    let error = told(folder.path(), 1, &["convert", "d", "game.pgn", "--to", "json", "-o", "o/"]);
    assert!(error.contains("1 game from 10 files written"), "{error}");
    assert!(error.contains("d/empty.pgn: no game found"), "{error}");
    assert_eq!(names(&folder.path().join("o")), ["game.jsonl"]);
    // Nothing but such files makes no book either, and a missing file costs only itself.
    let make = ["book", "make", "-o", "x.book", "--min-count", "1", "-f"];
    assert!(
        told(folder.path(), 2, &[&make[..], &["d/empty.pgn"]].concat())
            .contains("d/empty.pgn: no game found")
    );
    let error = told(folder.path(), 1, &[&make[..], &["nofile.pgn", "game.pgn"]].concat());
    assert!(error.contains("nofile.pgn: No such file"), "{error}");
}

#[test]
fn a_game_that_is_not_there_is_named() {
    let folder = folder(&[("one.pgn", WHOLE), ("two.pgn", &WHOLE.repeat(2))]);
    for words in [&["analyse", "--nodes", "1", "-q"][..], &["judge"]] {
        let error = told(folder.path(), 1, &[words, &["one.pgn", "two.pgn", "--game", "2"]].concat());
        assert_eq!(error, "one.pgn: there is no game 2\n");
    }
}

#[test]
fn an_analysis_of_many_games_needs_a_format_of_many() {
    let folder = folder(&[("two.pgn", &WHOLE.repeat(2)), ("one.pgn", WHOLE)]);
    for name in ["a.xqf", "a.cbr"] {
        let analyse = ["analyse", "--nodes", "1", "-q", "-o", name];
        for files in [&["two.pgn"][..], &["one.pgn", "two.pgn"]] {
            let error = told(folder.path(), 2, &[&analyse[..], files].concat());
            assert!(error.contains("file holds one game"), "{error}");
            assert!(!folder.path().join(name).exists());
        }
        told(folder.path(), 0, &[&analyse[..], &["two.pgn", "--game", "2"]].concat());
        told(folder.path(), 0, &["convert", name, "--to", "json"]);
    }
    let long = WHOLE.replace("\"a\"", &format!("\"{}\"", "a".repeat(99)));
    std::fs::write(folder.path().join("long.pgn"), long).expect("a file");
    let error = told(folder.path(), 0, &["analyse", "--nodes", "1", "-q", "long.pgn", "-o", "long.xqf"]);
    assert!(error.contains("long.pgn: warning: game 1: ") && error.contains("tag Event cut"), "{error}");
}

/// Nothing is written before it is known that the one game is the only one.
#[test]
fn a_format_of_one_game_takes_no_two_on_standard_output() {
    let folder = folder(&[("two.pgn", &WHOLE.repeat(2)), ("one.pgn", WHOLE)]);
    for format in ["xqf", "cbr"] {
        for (files, length) in [(&["two.pgn"][..], 0), (&["one.pgn", "one.pgn"], 0), (&["one.pgn"], 1000)] {
            let words = [&["convert", "--to", format][..], files].concat();
            let output = std::process::Command::new(env!("CARGO_BIN_EXE_xq"))
                .args(words)
                .current_dir(folder.path())
                .output()
                .expect("xq starts");
            assert_eq!(output.status.success(), length > 0, "{format} {files:?}");
            assert_eq!(output.stdout.is_empty(), length == 0, "{format} {files:?}");
            assert!(output.stdout.len() >= length, "{format} {files:?}");
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(error.contains("file holds one game"), length == 0, "{error}");
        }
    }
}

/// A file that breaks off says so, however many games of it lose something in the target.
#[test]
fn doubts_and_damage_are_not_lost_among_losses() {
    let commented = WHOLE.replace("h2e2", "h2e2 {a comment}");
    let torn = "[Event \"torn\"]\n\n1. h2e2 {a comment} h9g7\n";
    let folder = folder(&[("torn.pgn", &(commented.repeat(30) + torn))]);
    let error = told(folder.path(), 0, &["convert", "torn.pgn", "--to", "json"]);
    assert!(error.contains("torn.pgn: warning: game 31, line"), "{error}");
    assert!(error.contains("may have been cut off there"), "{error}");
    assert!(error.contains("1 perhaps cut off") && error.contains("and 11 more warnings"), "{error}");
    // Every damaged game is told with its place.
    std::fs::write(folder.path().join("damaged.pgn"), WHOLE.replace("h2e2", "h2e9").repeat(60) + WHOLE)
        .expect("a file");
    let error = told(folder.path(), 1, &["convert", "damaged.pgn", "--to", "json"]);
    for game in 1..=60 {
        assert!(error.contains(&format!("damaged.pgn: game {game}, line ")), "{game}: {error}");
    }
    assert!(error.contains("1 game from 1 file written, 60 damaged"), "{error}");
    // Of many doubts of a kind the first ones are told, and the last, where the file breaks off.
    let open = WHOLE.replace(" 1-0", "").replace("1-0", "*");
    std::fs::write(folder.path().join("open.pgn"), open.repeat(60)).expect("a file");
    let error = told(folder.path(), 0, &["convert", "open.pgn", "--to", "json"]);
    assert!(
        error.contains("open.pgn: 40 more warnings of this kind, the last one: game 60, line"),
        "{error}"
    );
    assert!(error.contains("60 perhaps cut off"), "{error}");
}

/// Whoever may read everything (root) sees no such fault.
#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_searched_costs_only_itself() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[("u/sub/a.pgn", WHOLE), ("u/z.pgn", WHOLE)]);
    let sub = folder.path().join("u/sub");
    std::fs::set_permissions(&sub, std::fs::Permissions::from_mode(0o000)).expect("our own folder");
    if std::fs::read_dir(&sub).is_err() {
        for words in [
            &["convert", "u", "--to", "json"][..],
            &["judge", "u"],
            &["analyse", "--nodes", "1", "-q", "u"],
            &["report", "u", "-o", "x.html"],
            &["book", "make", "u", "-o", "x.book", "--min-count", "1"],
        ] {
            let error = told(folder.path(), 1, words);
            let line = "u/sub: cannot search this folder: Permission denied (os error 13)";
            assert!(error.lines().any(|told| told == line), "{words:?}: {error}");
        }
    }
    std::fs::set_permissions(&sub, std::fs::Permissions::from_mode(0o755)).expect("our own folder");
}

#[test]
fn causes_are_told_once() {
    let folder = folder(&[]);
    let each = ["-each", "nodes=1"];
    let words = [&["match", "-engine", "cmd=nosuch", "-engine", "cmd=nosuch"][..], &each].concat();
    let error = told(folder.path(), 2, &words);
    assert_eq!(error.matches("(os error 2)").count(), 1, "{error}");
    let error = told(folder.path(), 2, &["show", "none.pgn"]);
    assert_eq!(error.matches("(os error 2)").count(), 1, "{error}");
}
