//! Lines put together at random from words of the protocols, broken FENs and plain bytes.
//!
//! Whatever comes, the session goes on, and what it says has the form of a reply.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use uci::parse;

use crate::harness::Dialogue;

/// Words worth putting side by side. `quit`, `go` and what runs long are left out or cut short below.
const WORDS: &[&str] = &[
    "uci",
    "ucci",
    "isready",
    "setoption",
    "name",
    "value",
    "position",
    "fen",
    "startpos",
    "moves",
    "banmoves",
    "stop",
    "ponderhit",
    "draw",
    "probe",
    "d",
    "eval",
    "flip",
    "ucinewgame",
    "depth",
    "1",
    "0",
    "-1",
    "searchmoves",
    "time",
    "increment",
    "movetime",
    "nodes",
    "Hash",
    "hashsize",
    "Threads",
    "usemillisec",
    "debug",
    "rules",
    "scoretype",
    "MultiPV",
    "RankBase",
    "Clear",
    "true",
    "false",
    "on",
    "mate",
    "asian",
    "h2e2",
    "h9g7",
    "h3e3",
    "h10g8",
    "0000",
    "w",
    "b",
    "-",
    "99999999999999999999",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
    "4k4/9/9/9/9/9/9/9/9/3K5",
    "4k4/9/9/9/9/9/9/9/9/4K4",
    "<empty>",
    "\u{5c06}",
    "\0",
    "\u{feff}",
    "\x1b[2J",
    "%s%n",
];

fn line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        8 => prop::sample::select(WORDS.to_vec()).prop_map(str::to_owned),
        1 => "[a-zA-Z0-9/]{0,12}",
        1 => "\\PC{0,6}",
        1 => fen(),
    ];
    let blank = prop::sample::select(vec![" ", "  ", "\t", " \t "]);
    prop::collection::vec((word, blank), 0..10).prop_map(|parts| {
        let mut line: String = parts.into_iter().flat_map(|(word, blank)| [word, blank.to_owned()]).collect();
        line.retain(|c| c != '\n');
        line
    })
}

/// Boards that are nearly right.
fn fen() -> impl Strategy<Value = String> {
    prop::collection::vec("[rnbakcpRNBAKCP1-9]{1,9}", 8..12).prop_map(|rows| rows.join("/"))
}

fn runner(cases: u32, seed: u8) -> TestRunner {
    let config = Config { cases, max_shrink_iters: 200, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]))
}

#[test]
fn every_line_can_be_read() {
    let outcome = runner(20_000, 1).run(&prop_oneof![3 => line(), 1 => ".{0,80}"], |line| {
        parse(&line);
        Ok(())
    });
    assert!(outcome.is_ok(), "{outcome:?}");
}

#[test]
fn every_line_can_be_obeyed() {
    let starts = [
        "info ",
        "id ",
        "option ",
        "uciok",
        "ucciok",
        "readyok",
        "bestmove ",
        "nobestmove",
        "pophash",
        "bye",
    ];
    let outcome = runner(60, 2).run(&prop::collection::vec(line(), 1..60), |lines| {
        let mut dialogue = Dialogue::start();
        for line in &lines {
            let ends_or_prints = ["quit", "log", "debuglogfile", "help", "license", "compiler", "bench"];
            let plain: String = line.to_lowercase().chars().filter(|c| !" \t_".contains(*c)).collect();
            if !ends_or_prints.iter().any(|word| plain.contains(word)) {
                dialogue.send(line);
            }
            if line.contains("depth") {
                dialogue.send(&format!("go {line}"));
            }
        }
        dialogue.send("isready");
        let said = dialogue.close();
        for line in &said {
            prop_assert!(line.len() < 4_096 && !line.chars().any(char::is_control), "{line:?}");
        }
        let replies = said.iter().filter(|line| starts.iter().any(|start| line.starts_with(start))).count();
        prop_assert!(replies > 0 && said.iter().any(|line| line == "readyok"), "{said:?}");
        Ok(())
    });
    assert!(outcome.is_ok(), "{outcome:?}");
}
