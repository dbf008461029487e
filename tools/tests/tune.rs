//! Whole tuning runs by the built `xq`, with an engine that plays better the larger its option is.

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::fake;

/// `xq tune spsa` in `directory`, over a list of one parameter that starts at 47 and should be 50 or more.
fn spsa(directory: &Path, arguments: &str, words: &str) -> Command {
    std::fs::write(directory.join("list"), "strength, int, 47, 0, 100, 4, 0.2\n")
        .expect("a writable directory");
    let mut command = Command::new(env!("CARGO_BIN_EXE_xq"));
    command
        .current_dir(directory)
        .args(["tune", "spsa", "--params", "list", "--nodes", "10"])
        .arg(format!("--engine=\"{}\" {arguments}", fake().display()))
        .args(words.split_whitespace());
    command
}

fn run(directory: &Path, arguments: &str, words: &str) -> Output {
    spsa(directory, arguments, words).output().expect("xq runs")
}

/// The value in the table at the end.
fn value(output: &Output) -> i64 {
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    let row = text.lines().find(|line| line.starts_with("strength, int, ")).expect("a row of the list");
    row.split(", ").nth(2).and_then(|value| value.parse().ok()).expect("a number")
}

#[test]
fn the_better_value_is_found_and_a_run_goes_on() {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let output = run(directory.path(), "spin=strength", "--iterations 24 --concurrency 2");
    let found = value(&output);
    assert!(found >= 50, "{output:?}");
    // All done: nothing is played again, and the state can be looked at.
    let again = run(directory.path(), "spin=strength", "--iterations 24");
    assert_eq!(value(&again), found);
    let shown = Command::new(env!("CARGO_BIN_EXE_xq"))
        .current_dir(directory.path())
        .args(["tune", "spsa", "--show", "spsa.json"])
        .output()
        .expect("xq runs");
    assert_eq!(value(&shown), found);
    assert!(String::from_utf8_lossy(&shown.stdout).starts_with("24 of 24 iterations, 48 games"), "{shown:?}");
    let other = run(directory.path(), "spin=strength", "--iterations 25");
    assert_eq!(other.status.code(), Some(2), "the state belongs to another run");
}

#[test]
fn engines_that_do_not_know_the_parameter_or_fail_end_the_run() {
    for (arguments, fault) in [
        ("", "does not announce the option \"strength\""),
        ("spin=strength crash=1", "crash"),
        ("spin=strength illegal=1", "illegal move"),
    ] {
        let directory = tempfile::tempdir().expect("a directory for the test");
        let output = run(directory.path(), arguments, "--iterations 5");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(fault), "{output:?}");
    }
}

/// Ctrl-C in the middle: the state is whole, and the same words go on.
#[cfg(unix)]
#[test]
fn an_interrupted_run_goes_on() {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let state = directory.path().join("spsa.json");
    let child =
        spsa(directory.path(), "spin=strength slow=2:20", "--iterations 40").spawn().expect("xq runs");
    common::interrupt_when(child, || state.exists());
    let text = std::fs::read_to_string(&state).expect("a state file");
    assert!(text.contains("\"done\""), "{text}");
    let output = run(directory.path(), "spin=strength slow=2:20", "--iterations 40");
    assert!(value(&output) >= 50, "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stdout).starts_with("40 of 40 iterations, 80 games"),
        "{output:?}"
    );
}

/// Games of the engine against itself give a file that compiles in the place of the present one: same lines, other numbers.
#[test]
fn weights_are_fitted_to_games() {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let xq = |words: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_xq"))
            .current_dir(directory.path())
            .args(words.split_whitespace())
            .output()
            .expect("xq runs");
        assert!(output.status.success(), "{words}: {output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let _ = xq("datagen --out games.xqg --games 21 --nodes 10 --network none");
    let report = xq("tune texel --data games.xqg --out weights.rs --spring 1e-3");
    for part in ["21 games:", "K is 0.00", "as it is: loss", "pass 1: loss", "rounded: loss"] {
        assert!(report.contains(part), "{part} in {report}");
    }
    let loss = |label: &str| -> f64 {
        let line = report.lines().find(|line| line.starts_with(label)).expect(label);
        line.split(&[' ', ','][..]).find_map(|word| word.parse().ok()).expect("a loss")
    };
    assert!(loss("rounded") < loss("as it is"), "{report}");
    let written = std::fs::read_to_string(directory.path().join("weights.rs")).expect("the result");
    let present = include_str!("../../search/src/eval/weights.rs");
    let letters = |text: &str| text.replace(|c: char| c.is_ascii_digit() || c == ' ' || c == '-', "");
    assert_eq!(letters(&written), letters(present));
    assert_ne!(written, present);
}
