//! Whole matches by the built `xq`, against an engine that misbehaves on purpose.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::fake;

struct Match {
    directory: tempfile::TempDir,
}

impl Match {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().expect("a directory for the test") }
    }

    fn pgn(&self) -> PathBuf {
        self.directory.path().join("games.pgn")
    }

    /// Plays `first` against a well-behaved fake; both are arguments of the fake.
    fn run(&self, first: &str, second: &str, words: &str) -> Output {
        let engine = |name: &str, arguments: &str| {
            let mut words =
                vec!["-engine".to_owned(), format!("name={name}"), format!("cmd=\"{}\"", fake().display())];
            let (own, cmd): (Vec<&str>, Vec<&str>) = arguments.split_whitespace().partition(|word| {
                ["tc=", "st=", "nodes=", "proto=", "rankbase=", "timemargin="]
                    .iter()
                    .any(|key| word.starts_with(key))
            });
            words.extend(own.into_iter().map(str::to_owned));
            words.extend(cmd.into_iter().map(|word| format!("arg={word}")));
            words
        };
        Command::new(env!("CARGO_BIN_EXE_xq"))
            .arg("match")
            .args(engine("bad", first))
            .args(engine("good", second))
            .args(["-each", "nodes=10", "-maxmoves", "12", "-pgnout"])
            .arg(self.pgn())
            .args(words.split_whitespace())
            .output()
            .expect("xq runs")
    }

    fn games(&self) -> String {
        read(&self.pgn())
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a game file")
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("utf-8")
}

/// Every fault loses the game for the one who committed it, with either colour, and the next game is played.
#[test]
fn faults_are_charged_to_whoever_made_them() {
    for (arguments, fault, reason) in [
        ("crash=3", "crash", "the process ended"),
        ("illegal=3", "illegal move", "plays a0a9, which is illegal"),
        ("garbage=2", "illegal move", "which is no move"),
        ("resign=2", "normal", "resignation"),
        ("tc=0.2 timemargin=0 slow=2:300", "time forfeit", "time forfeit"),
        ("st=0.05 timemargin=10 hang=2", "time forfeit", "time forfeit"),
        ("ucci proto=ucci illegal=1", "illegal move", "illegal"),
        ("ucci proto=ucci tc=0.2+0.01 crash=1", "crash", "the process ended"),
    ] {
        let games = Match::new();
        let output = text(&games.run(arguments, "", "-rounds 2"));
        assert!(output.contains("bad against good: 0 won, 0 drawn, 4 lost"), "{arguments}: {output}");
        let pgn = games.games();
        assert_eq!(pgn.matches(&format!("[Termination \"{fault}\"]")).count(), 4, "{arguments}: {pgn}");
        assert_eq!(pgn.matches("[Result \"0-1\"]").count(), 2, "{arguments}: {pgn}");
        assert_eq!(pgn.matches("[Result \"1-0\"]").count(), 2, "{arguments}: {pgn}");
        assert!(pgn.replace('\n', " ").contains(reason), "{arguments}: {pgn}");
    }
}

#[test]
fn an_engine_that_does_not_answer_is_replaced() {
    for fault in ["deaf=2", "flood=2"] {
        let games = Match::new();
        let output = text(&games.run(fault, "", "-rounds 1 -stall 1.5"));
        assert!(output.contains("0 won, 0 drawn, 2 lost"), "{output}");
        assert!(output.contains("stall: 2"), "{output}");
    }
}

/// An engine whose start takes longer than the wait for `uciok` speaks UCI all the same.
#[test]
fn an_engine_may_be_late_for_its_greeting() {
    let surroundings = tools::matches::process::Surroundings::default();
    let command = vec![fake().display().to_string(), "start=6000".to_owned()];
    let config = tools::matches::config::EngineConfig { command, ..Default::default() };
    let engine = tools::matches::engine::Engine::start(&config, &surroundings).expect("it comes to it");
    assert_eq!((engine.own_name().as_str(), engine.description().as_str()), ("Fake", "uci, ranks 0-9"));
}

#[test]
fn both_numberings_of_the_ranks_and_both_protocols_meet() {
    for (first, second) in
        [("base1", ""), ("ucci", "base1"), ("ucci proto=ucci", "proto=uci base1 rankbase=1")]
    {
        let games = Match::new();
        let output = text(&games.run(first, second, "-rounds 2 -concurrency 2"));
        assert!(output.contains("0 won, 4 drawn, 0 lost") || output.contains(" of 4 ("), "{output}");
        assert!(!output.contains("illegal"), "{first} {second}: {output}");
        assert!(games.games().contains("{+0.01/1 "), "scores are recorded");
    }
}

#[test]
fn a_match_is_resumed() {
    let games = Match::new();
    let _ = text(&games.run("", "", "-rounds 2"));
    let whole = games.games();
    // The machine went down while game 3 was written.
    let cut = whole.match_indices("[Event").nth(2).expect("three games").0 + 200;
    std::fs::write(games.pgn(), &whole[..cut]).expect("a writable file");
    let output = text(&games.run("", "", "-rounds 3 -resume"));
    assert!(output.contains("2 of 6 games found in"), "{output}");
    assert!(output.contains(" of 6 ("), "{output}");
    let pgn = games.games();
    for number in 1..=6 {
        assert_eq!(pgn.matches(&format!("[MatchGame \"{number}\"]")).count(), 1, "{pgn}");
    }
    // What is refused stays as it is, to its torn end.
    std::fs::write(games.pgn(), &pgn[..pgn.len() - 20]).expect("a writable file");
    for words in ["-rounds 1 -resume", "-rounds 3 -resume -openings start=9", "-rounds 3 -resume -rules cxq"]
    {
        let strange = games.run("", "", words);
        assert_eq!(strange.status.code(), Some(2), "{strange:?}");
        assert_eq!(games.games(), pgn[..pgn.len() - 20], "{words}");
    }
    std::fs::write(games.pgn(), "a shopping list").expect("a writable file");
    assert_eq!(games.run("", "", "-resume").status.code(), Some(2));
    assert_eq!(games.games(), "a shopping list");
}

/// What was played before an engine could not be started any more is counted.
#[cfg(unix)]
#[test]
fn a_match_that_has_to_be_given_up_shows_its_result() {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let (script, count) = (directory.path().join("script"), directory.path().join("count"));
    let (file, fake) = (count.display(), fake().display().to_string());
    let text =
        format!("n=$(($(cat {file})+1)); echo $n >{file}; [ $n -gt 2 ] && exit 9; exec {fake} crash=1");
    std::fs::write(&script, text).expect("a writable file");
    std::fs::write(&count, "0").expect("a writable file");
    let output = Command::new(env!("CARGO_BIN_EXE_xq"))
        .args(["match", "-each", "nodes=10", "proto=uci", "-engine", "name=A"])
        .arg(format!("cmd=/bin/sh {}", script.display()))
        .args(["-engine", "name=B"])
        .arg(format!("cmd={fake}"))
        .output()
        .expect("xq runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot restart A"), "{output:?}");
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(report.contains("A against B: 0 won, 0 drawn, 1 lost"), "{report}");
}

/// Guesses that come true and guesses that do not: every move is legal, over both protocols, and the log shows what was sent.
#[test]
fn engines_ponder_where_asked_to() {
    for (protocol, guess, word) in [
        ("uci", "first", "ponderhit"),
        ("uci", "last", "stop"),
        ("ucci", "first", "ponderhit"),
        ("ucci", "last", "stop"),
    ] {
        let games = Match::new();
        let engine = format!("{protocol} proto={protocol} tc=10+0.1 ponder={guess}");
        let log = games.directory.path().join("dialogue");
        let words = format!("-each ponder nodes=10 -rounds 1 -log {}", log.display());
        let output = text(&games.run(&engine, "base1", &words));
        assert!(output.contains("0 won, 2 drawn, 0 lost"), "{engine}: {output}");
        let log = read(&log);
        assert!(log.contains("< go ponder ") && log.contains(&format!("< {word}\n")), "{engine}: {log}");
        assert!(!log.contains("< stop\n") || word == "stop" || log.matches("< stop\n").count() <= 2, "{log}");
    }
}

#[test]
fn tournaments_end_with_a_cross_table() {
    let tournament = |words: &str| {
        let engine = |name: &str, argument: &str| {
            let fake = format!("cmd=\"{}\"", fake().display());
            ["-engine".to_owned(), format!("name={name}"), fake, format!("arg={argument}")]
        };
        let output = Command::new(env!("CARGO_BIN_EXE_xq"))
            .arg("match")
            .args(engine("A", "uci"))
            .args(engine("B", "resign=2"))
            .args(engine("C", "crash=1"))
            .args(["-each", "nodes=10", "-maxmoves", "12", "-concurrency", "2", "-rounds", "2"])
            .args(words.split_whitespace())
            .output()
            .expect("xq runs");
        let text = text(&output);
        let table = text.split("  # name").nth(1).expect("a table").to_owned();
        let rows: Vec<Vec<String>> = table
            .lines()
            .skip(1)
            .take(3)
            .map(|line| line.split_whitespace().map(str::to_owned).collect())
            .collect();
        (rows, text)
    };
    // C crashes at its first move and B resigns at its second one: A beats both, B beats C.
    let (rows, text) = tournament("");
    let places: Vec<&[String]> = rows.iter().map(|row| &row[1..4]).collect();
    assert_eq!(places, [["A", "8", "8"], ["B", "4", "8"], ["C", "0", "8"]], "{text}");
    assert!(text.contains("crash: 8") && text.contains("C 0/8"), "{text}");
    let (rows, text) = tournament("-tournament gauntlet");
    let played: Vec<&str> = rows.iter().map(|row| row[3].as_str()).collect();
    assert_eq!(played, ["8", "4", "4"], "{text}");
}

#[test]
fn a_sequential_test_stops_the_match() {
    let games = Match::new();
    let output = text(&games.run("resign=1", "", "-rounds 500 -sprt elo0=0 elo1=100 -quiet"));
    assert!(output.contains("H0 accepted"), "{output}");
    let played = games.games().matches("[Event").count();
    assert!(played < 100, "{played} games");
}

#[test]
fn mistakes_end_at_once_with_a_word() {
    let games = Match::new();
    for (words, fault) in [
        ("-bogus", "-bogus"),
        ("-maxmoves 1", "-maxmoves 1: an opening has"),
        ("-openings file=/does/not/exist", "openings"),
        ("-rules none", "rule set"),
    ] {
        let output = games.run("", "", words);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(fault), "{output:?}");
    }
    // No engine is held to a limit that it cannot be told.
    let output = games.run("ucci proto=ucci tc=5 st=1", "", "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("UCCI knows tc= or st="), "{output:?}");
}

/// Ctrl-C before the first game.
#[cfg(unix)]
#[test]
fn a_match_may_be_interrupted_before_it_begins() {
    let games = Match::new();
    let log = games.directory.path().join("dialogue");
    let child = Command::new(env!("CARGO_BIN_EXE_xq"))
        .args(["match", "-engine", "-engine", "-each", "nodes=10", "arg=start=30000"])
        .arg(format!("cmd=\"{}\"", fake().display()))
        .arg("-log")
        .arg(&log)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("xq runs");
    let _ = common::interrupt_when(child, || log.exists() && read(&log).contains("< uci"));
}

/// Ctrl-C in the middle: the file holds whole games only, a result is printed, the engines are gone.
#[cfg(unix)]
#[test]
fn an_interrupted_match_leaves_whole_games_and_a_result() {
    let games = Match::new();
    let child = Command::new(env!("CARGO_BIN_EXE_xq"))
        .arg("match")
        .args(["-engine", "name=a", "-engine", "name=b", "-each", "nodes=10", "arg=slow=7:50"])
        .arg(format!("cmd=\"{}\"", fake().display()))
        .args(["-maxmoves", "30", "-rounds", "100000", "-pgnout"])
        .arg(games.pgn())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("xq runs");
    let output = common::interrupt_when(child, || {
        games.pgn().exists() && games.games().matches("[Event").count() >= 3
    });
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(report.contains("interrupted after") && report.contains("a against b: "), "{report}");
    let pgn = games.games();
    let started = pgn.matches("[Event").count();
    let ended = pgn
        .lines()
        .filter(|line| ["1-0", "0-1", "1/2-1/2"].iter().any(|result| line.ends_with(result)))
        .count();
    assert_eq!(started, ended, "{pgn}");
}
