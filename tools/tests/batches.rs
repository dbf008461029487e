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
    let error = told(folder.path(), 2, &["convert", "a.pgn", "b.pgn", "--to", "json", "-f", "-o", "o/"]);
    assert!(error.contains("o/b.jsonl would replace what was written from another input"), "{error}");
    // `a.pgn` is read only after `sub/a.wxf` would have been written there.
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    std::fs::write(folder.path().join("sub/a.wxf"), "START{ C2=5 }END").expect("a file");
    let error = told(folder.path(), 2, &["convert", "sub/a.wxf", "a.pgn", "--to", "pgn", "-f", "-o", "./"]);
    assert!(error.contains("is one of the inputs"), "{error}");
    assert_eq!(std::fs::read_to_string(folder.path().join("a.pgn")).expect("a file"), WHOLE);
    // Written in its own place, as asked.
    told(folder.path(), 0, &["convert", "a.pgn", "--to", "pgn", "-f", "-o", "./"]);
}
