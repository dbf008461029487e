//! `xq suite` as a process: the tables, the run files and the exit codes that scripts rely on.

use std::process::{Command, Output};

use serde_json::Value;

fn suite(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xq")).arg("suite").args(args).output().expect("xq runs")
}

#[test]
fn a_run_is_saved_compared_and_repeatable() {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let file = directory.path().join("run.json");
    let file = file.to_str().expect("a plain path");
    let first =
        suite(&["mates", "tactics", "--nodes", "2000", "--hash", "1", "--save", file, "--format", "json"]);
    assert!(first.status.success(), "{first:?}");
    let run: Value = serde_json::from_slice(&first.stdout).expect("JSON");
    let attempts = |index: usize| run["suites"][index]["attempts"].as_array().expect("a list");
    assert_eq!((attempts(0).len(), attempts(1).len()), (100, 70));
    let mates_in_one = attempts(0).iter().filter(|attempt| attempt["score"] == "mate 1").count();
    assert!(mates_in_one > 0, "{run}");
    // An earlier run is replaced only if that is asked for, and before a position is searched.
    let again = ["tactics", "--depth", "1", "--save", file];
    assert!(suite(&["mates", "--nodes", "99999999", "--save", file]).status.code() == Some(2));
    let kept = std::fs::read_to_string(file).expect("the first run");
    assert_eq!(serde_json::from_str::<Value>(&kept).expect("JSON"), run);
    let other = directory.path().join("other.json");
    std::fs::copy(file, &other).expect("a copy");
    let forced = [&again[..3], &["--save", other.to_str().expect("a plain path"), "--force"]].concat();
    assert!(suite(&forced).status.success());
    let replaced: Value = serde_json::from_slice(&std::fs::read(&other).expect("a file")).expect("JSON");
    assert_eq!(replaced["suites"].as_array().expect("a list").len(), 1);
    let second =
        suite(&["mates", "tactics", "--nodes", "2000", "--hash", "1", "--threads", "2", "--compare", file]);
    let text = String::from_utf8(second.stdout).expect("UTF-8");
    assert!(text.contains("nodes to solve what both solve: 1.000 times"), "{text}");
    assert!(!text.contains("gained") && !text.contains("lost"), "{text}");
    assert!(text.contains("the earlier run was another one: 2000 nodes, 1 thread, hash 1 MiB"), "{text}");
    let third = suite(&["tactics", "--nodes", "2000", "--hash", "1", "--compare", file, "--format", "json"]);
    let run: Value = serde_json::from_slice(&third.stdout).expect("JSON and nothing else");
    let change = &run["comparison"]["suites"][0];
    assert_eq!(change["positions"], 70);
    assert!((change["nodes_ratio"].as_f64().expect("a number") - 1.0).abs() < 1e-9, "{change}");
    assert_eq!(change["solved_before"], change["solved_now"]);
}

/// Every mate in one of the suite and nearly every mate in two is proved at once, and nothing contradicts what is proved about them.
#[test]
fn short_mates_are_found() {
    let output = suite(&["mates", "--nodes", "30000", "--hash", "4", "--format", "json"]);
    assert!(output.status.success(), "an answer contradicts a proof: {output:?}");
    let run: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let attempts = run["suites"][0]["attempts"].as_array().expect("a list");
    let (mut twos, mut solved_twos) = (0, 0);
    for line in include_str!("../data/suites/mates.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let attempt =
            attempts.iter().find(|attempt| attempt["id"] == case["id"]).expect("every case is tried");
        match case["mate_in"].as_u64().expect("a number") {
            1 => assert_eq!(attempt["solved"], true, "{attempt}"),
            2 => {
                twos += 1;
                solved_twos += usize::from(attempt["solved"] == true);
            }
            _ => {}
        }
    }
    assert!(solved_twos * 10 >= twos * 9, "{solved_twos} of {twos} mates in two");
}

#[test]
fn mistakes_are_named() {
    for (args, fault) in [
        (&["nonsense"][..], "neither a built-in suite"),
        (&["mates", "--compare", "/does/not/exist"], "earlier run"),
        (&["mates", "--time=-1"], "--time"),
        (&["mates", "--time", "0"], "--time"),
        (&["mates", "--nodes", "0"], "--nodes"),
        (&["mates", "--depth", "0"], "--depth"),
        (&["mates", "--threads", "0"], "--threads"),
        (&["mates", "--hash", "0"], "--hash"),
    ] {
        let output = suite(args);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(fault), "{output:?}");
    }
}
