//! `xq judge` as a process: the command lines, the JSON and the exit codes that scripts rely on.

use std::process::{Command, Output};

use serde_json::Value;

/// Figure 2 of the Vietnamese rules: the rook checks for ever.
const FEN: &str = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1";
const LAP_TWICE: &str = "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8";

/// AXF diagram 33: the rook chases an unprotected cannon.
const CHASE: &str = "4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w - - 0 1";
const CHASE_TWICE: &str = "h6i6 i0h0 i6h6 h0i0 h6i6 i0h0 i6h6 h0i0";

fn judge(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xq")).arg("judge").args(args).output().expect("xq runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn json(args: &[&str]) -> Value {
    let output = judge(args);
    assert!(output.status.success(), "{args:?}: {output:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn error(args: &[&str]) -> String {
    let output = judge(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn json_tells_verdict_cycle_moves_and_clause() {
    let report = json(&["--rules", "asian", "--fen", FEN, "--moves", LAP_TWICE, "--format", "json"]);
    assert_eq!(report["verdict"], "red_loses");
    assert_eq!(report["rules"], "asian");
    assert_eq!(report["ply"], 8);
    assert_eq!(report["cycle"], serde_json::json!([0, 8]));
    assert_eq!(report["clause_id"], "perpetual_check");
    let moves = report["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 8);
    assert_eq!(moves[0]["ply"], 1);
    assert_eq!(moves[0]["side"], "red");
    assert_eq!(moves[0]["move"], "f0e0");
    assert_eq!(moves[0]["class"], "check");
    assert_eq!(moves[1]["class"], "idle");
    assert!(moves.iter().all(|mv| mv["why"].as_str().is_some_and(|why| !why.is_empty())));
}

#[test]
fn a_chase_names_its_victim_and_chasers() {
    let report = json(&["--fen", CHASE, "--moves", CHASE_TWICE, "--format", "json"]);
    assert_eq!(report["clause_id"], "perpetual_chase");
    let victims = report["moves"][0]["victims"].as_array().expect("victims");
    assert!(victims.contains(&serde_json::json!({
        "piece": "c", "square": "i0", "origin": "i0", "by": [{"piece": "R", "square": "i6"}]
    })));
}

#[test]
fn all_rule_sets_stand_side_by_side() {
    let reports = json(&["--rules", "all", "--fen", FEN, "--moves", LAP_TWICE, "--format", "json"]);
    let verdicts: Vec<_> = reports
        .as_array()
        .expect("an array")
        .iter()
        .map(|report| (report["rules"].as_str().expect("name"), report["verdict"].as_str().expect("verdict")))
        .collect();
    assert_eq!(verdicts.len(), 11);
    assert!(verdicts.contains(&("asian", "red_loses")));
    assert!(verdicts.contains(&("alwaysdraw", "draw")));
    assert!(verdicts.contains(&("uccileague", "none")));
    let text = stdout(&judge(&["--rules", "all", "--fen", FEN, "--moves", LAP_TWICE]));
    assert_eq!(text.lines().count(), 11, "{text}");
}

#[test]
fn an_earlier_verdict_is_mentioned() {
    let report = json(&["--fen", CHASE, "--moves", CHASE_TWICE, "h6h5", "--format", "json"]);
    assert_eq!(report["verdict"], "none");
    assert_eq!(report["first"], serde_json::json!({"ply": 8, "verdict": "red_loses"}));
}

#[test]
fn reasons_come_in_three_languages() {
    for (lang, word) in [("en", "Red loses"), ("vi", "Đỏ thua"), ("zh", "红方负")] {
        let text = stdout(&judge(&["--fen", FEN, "--moves", LAP_TWICE, "--lang", lang]));
        assert!(text.contains(word), "{lang}: {text}");
    }
}

#[test]
fn errors_name_what_is_wrong_and_where() {
    assert!(error(&["--rules", "chess"]).contains("unknown rule set 'chess'"));
    assert!(error(&["--fen", "9/9 w"]).contains("bad FEN '9/9 w': the board has 2 rows"));
    let illegal = error(&["--fen", FEN, "--moves", "f0e0 e8f8 e0f1"]);
    assert!(illegal.contains("move 3 of 3") && illegal.contains("e0f1"), "{illegal}");
    assert!(error(&["--moves", "h2e2 zzzz"]).contains("move 2 of 2"));
    assert!(error(&["--cases", "no-such-file.jsonl"]).contains("no-such-file.jsonl"));
}

#[test]
fn cases_are_counted_and_failures_set_the_exit_code() {
    let case = |verdict: &str, disputed: bool| {
        serde_json::json!({"id": format!("one-{verdict}"), "fen": FEN, "rules": "asian", "also": ["wxf"],
            "moves": LAP_TWICE.split(' ').collect::<Vec<_>>(), "verdict": verdict, "disputed": disputed})
        .to_string()
    };
    let file = std::env::temp_dir().join(format!("xq-judge-{}.jsonl", std::process::id()));
    let path = file.to_str().expect("UTF-8");
    let write = |lines: &[String]| std::fs::write(&file, lines.join("\n")).expect("a writable directory");

    write(&[case("red_loses", false), "# a comment".to_owned(), case("draw", true)]);
    let output = judge(&["--cases", path]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(stdout(&output).contains("4 judged: 2 as expected, 0 failed, 2 disputed"));

    write(&[case("red_loses", false), case("draw", false)]);
    let output = judge(&["--cases", path, "--rules", "wxf", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&summary["judged"], &summary["failed"]), (&2.into(), &1.into()));
    assert_eq!(summary["failures"][0]["id"], "one-draw");

    write(&["{\"id\": 1}".to_owned()]);
    assert!(error(&["--cases", path]).contains("line 1: "));

    // A check that checks nothing must not pass.
    write(&["# a comment".to_owned()]);
    assert!(error(&["--cases", path]).contains("no case"));
    write(&["\u{feff}".to_owned() + &case("red_loses", false)]);
    assert_eq!(judge(&["--cases", path]).status.code(), Some(0), "a byte order mark");
    assert!(error(&["--cases", path, "--rules", "cxq"]).contains("cxq"));
    std::fs::remove_file(&file).expect("the file is ours");
}

/// A game file in XBoard's notation: its real result, a result that contradicts the law, an illegal move.
#[test]
fn game_files_are_checked() {
    let directory = tempfile::tempdir().expect("a directory for the test");
    // Source: the three-move mate b2c2 h7c7 c2c6 f9e8 c6c9 of a notation guide, by hand in short algebraic, ranks from 0.
    let game = |result: &str, last: &str| {
        format!(
            "[Event \"Computer Chess Game\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"{result}\"]\n[Variant \"xiangqi\"]\n\n\
             1. Cbc2 {{+0.30/5}} Chc7 {{+0.06/3 0.1}} 2. Cxc6 Afe8 3. {last}\n{{Xboard adjudication: Checkmate}} {result}\n\n"
        )
    };
    let check = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("a writable file");
        judge(&["--games", path.to_str().expect("a plain path"), "--format", "json"])
    };
    let good = check("good.pgn", &(game("1-0", "Cxc9#") + &game("0-1", "Ra1")));
    assert!(good.status.success(), "{good:?}");
    let report: Value = serde_json::from_slice(&good.stdout).expect("JSON");
    assert_eq!(
        (&report["games"], &report["plies"], &report["by_law"]["checkmate"]),
        (&2.into(), &10.into(), &1.into())
    );
    assert_eq!((&report["red_wins"], &report["otherwise"]), (&1.into(), &1.into()));
    for (name, text, fault) in [
        ("wrong.pgn", game("0-1", "Cxc9#"), "the law says 1-0 (checkmate)"),
        ("illegal.pgn", game("1-0", "Cxc9#") + &game("1-0", "Ke5"), "game 2"),
    ] {
        let output = check(name, &text);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(stdout(&output).contains(fault), "{output:?}");
    }
    assert!(error(&["--games", "/does/not/exist"]).contains("cannot read"));
    assert!(error(&["/does/not/exist"]).contains("no game was judged"));
    // The same files, judged one by one; folders are searched.
    let good = directory.path().join("good.pgn");
    let text = stdout(&judge(&[good.to_str().expect("a plain path")]));
    assert!(text.contains("good.pgn: game 1: ? - B") && text.contains("game 2: "), "{text}");
    let one = judge(&[good.to_str().expect("a plain path"), "--game", "1", "--format", "json"]);
    let verdict: Value = serde_json::from_slice(&one.stdout).expect("one JSON object");
    assert_eq!(verdict["verdict"], "black_loses");
    let folder = judge(&["--games", directory.path().to_str().expect("a plain path")]);
    assert_eq!(folder.status.code(), Some(1));
    assert!(stdout(&folder).contains("5 games"), "{folder:?}");
}
