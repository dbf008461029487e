//! `xq` as a process: conversions, pictures, analysis, exit codes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn xq(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xq")).args(arguments).current_dir(folder).output().expect("xq starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/games").join(name)
}

/// A folder with the files that the examples of the help texts name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |from: &str, to: &str| {
        let to = folder.path().join(to);
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        std::fs::copy(data(from), to).expect("a copy");
    };
    for (from, to) in [
        ("g05-v10.xqf", "game.xqf"),
        ("g05-pgn-iccs.pgn", "game.pgn"),
        ("g06-pgn-iccs.pgn", "a.pgn"),
        ("g07-v10.xqf", "b.xqf"),
        ("real-wukong-44-dhtmlxq.html", "page.html"),
        ("g06-pgn-chinese-big5.pgn", "old/1964/a.pgn"),
        ("g07-v10.xqf", "old/b.xqf"),
    ] {
        put(from, to);
    }
    let many: String = ["g05", "g06", "g07"]
        .map(|game| std::fs::read_to_string(data(&format!("{game}-pgn-iccs.pgn"))).expect("a sample") + "\n")
        .concat();
    std::fs::write(folder.path().join("games.pgn"), &many).expect("a file");
    std::fs::write(folder.path().join("match.pgn"), &many).expect("a file");
    std::fs::write(folder.path().join("old/README.txt"), "no game").expect("a file");
    folder
}

/// The lines of a command's help that begin with `xq`, as typed, without their explanations.
fn examples(command: &str) -> Vec<String> {
    let help = text(&xq(Path::new("."), &[command, "--help"]).stdout);
    help.lines()
        .map(str::trim)
        .filter(|line| line.starts_with("xq ") || line.starts_with("echo "))
        .map(|line| line.split("   ").next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn every_example_works_as_typed() {
    let programs = Path::new(env!("CARGO_BIN_EXE_xq")).parent().expect("a folder");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    for command in ["convert", "show", "report", "analyse", "judge", "suite", "completions"] {
        let folder = folder();
        let examples = examples(command);
        assert!(examples.len() >= 3, "{command}");
        for example in examples {
            // Fewer nodes than typed: the tests need no strength.
            let example = if command == "analyse" || example.contains("xq analyse") {
                example
                    .replace(" --nodes 1000000 --threads 2", "")
                    .replace("xq analyse", "xq analyse --nodes 100 --force")
            } else {
                example.replace(" --nodes 200000", " --nodes 100").replace(" --nodes 20000", " --nodes 100")
            };
            let output = Command::new("sh")
                .args(["-c", &example])
                .env("PATH", &path)
                .current_dir(folder.path())
                .output()
                .expect("a shell");
            assert!(output.status.success(), "{example}: {}", text(&output.stderr));
        }
    }
}

#[test]
fn folders_are_converted_file_by_file() {
    let folder = folder();
    let output = xq(folder.path(), &["convert", "old", "--to", "xqf", "-o", "new/"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(folder.path().join("new/1964/a.xqf").exists());
    assert!(folder.path().join("new/b.xqf").exists());
    // Nothing is replaced unasked, and nothing half-written is left.
    let again = xq(folder.path(), &["convert", "old", "--to", "xqf", "-o", "new/"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(xq(folder.path(), &["convert", "old", "--to", "xqf", "-o", "new/", "--force"]).status.success());
    // Files that differ in their extension alone do not replace each other.
    std::fs::copy(folder.path().join("new/b.xqf"), folder.path().join("games.xqf")).expect("a file");
    let alike =
        xq(folder.path(), &["convert", "games.pgn", "games.xqf", "--to", "fen", "-o", "alike/", "-f"]);
    assert!(alike.status.success(), "{}", text(&alike.stderr));
    assert!(
        folder.path().join("alike/games.fen").exists() && folder.path().join("alike/games-xqf.fen").exists()
    );
    std::fs::write(folder.path().join("empty.pgn"), "").expect("a file");
    assert_eq!(xq(folder.path(), &["convert", "--to", "fen", "empty.pgn"]).status.code(), Some(2));
    let several = xq(folder.path(), &["convert", "games.pgn", "--to", "cbr", "-o", "cbr/"]);
    assert!(several.status.success(), "{}", text(&several.stderr));
    assert_eq!(std::fs::read_dir(folder.path().join("cbr")).expect("a folder").count(), 3);
}

#[test]
fn damage_is_reported_and_kept_out() {
    let folder = folder();
    let damaged = "[Event \"a\"]\n\n1. h2e2 h9g7 2. h2e2 *\n\n[Event \"b\"]\n\n1. b2e2 *\n";
    std::fs::write(folder.path().join("damaged.pgn"), damaged).expect("a file");
    let output = xq(folder.path(), &["convert", "--to", "json", "damaged.pgn"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).lines().count(), 1);
    assert!(
        text(&output.stderr).contains("damaged.pgn: game 1, line 3, column 17: move 3"),
        "{}",
        text(&output.stderr)
    );
    let salvaged = xq(folder.path(), &["convert", "--to", "json", "--salvage", "damaged.pgn"]);
    assert_eq!(text(&salvaged.stdout).lines().count(), 2);
    assert!(text(&salvaged.stdout).contains("[\"h2e2\",\"h9g7\"]"));
    let code = |arguments: &[&str]| xq(folder.path(), arguments).status.code();
    assert_eq!(code(&["convert", "--to", "nonsense", "a.pgn"]), Some(2));
    // Nothing at all could be read.
    std::fs::write(folder.path().join("bad.pgn"), "[Event \"a\"]\n\n1. h2e9 *\n").expect("a file");
    for arguments in [
        &["convert", "bad.pgn", "-o", "bad.fen"][..],
        &["convert", "none.pgn", "-o", "bad.fen"],
        &["convert", "bad.pgn", "--to", "json"],
        &["report", "bad.pgn", "-o", "bad.html"],
        &["analyse", "bad.pgn", "-o", "bad.json"],
        &["show", "bad.pgn"],
        &["judge", "bad.pgn"],
        &["judge", "none.pgn"],
    ] {
        assert_eq!(code(arguments), Some(2), "{arguments:?}");
    }
    for name in ["bad.fen", "bad.html", "bad.json"] {
        assert!(!folder.path().join(name).exists(), "{name}");
    }
    // Some could.
    for arguments in [
        &["convert", "damaged.pgn", "--to", "fen"][..],
        &["report", "damaged.pgn", "none.pgn", "-o", "some.html"],
        &["analyse", "damaged.pgn", "-o", "some.json", "--nodes", "50"],
        &["judge", "damaged.pgn"],
        &["judge", "--games", "damaged.pgn", "none.pgn"],
    ] {
        assert_eq!(code(arguments), Some(1), "{arguments:?}");
    }
    // One board shows one file; the others take folders.
    let error = text(&xq(folder.path(), &["show", "old"]).stderr);
    assert_eq!(error, "xq: old is a folder; name one of its files\n");
    assert_eq!(code(&["report", "old", "-o", "old.html"]), Some(0));
    assert_eq!(code(&["analyse", "old", "-o", "old.jsonl", "--nodes", "10"]), Some(0));
    let missing = xq(folder.path(), &["convert", "--to", "json", "none.pgn", "a.pgn"]);
    assert_eq!(missing.status.code(), Some(1));
    assert_eq!(text(&missing.stdout).lines().count(), 1);
}

#[test]
fn analysis_finds_the_mate_that_was_missed() {
    let folder = tempfile::tempdir().expect("a folder");
    // Red mates with e1d1 but plays a quiet move.
    let pgn = "[FEN \"3k5/4R4/9/9/9/9/9/9/4R4/5K3 w - - 0 1\"]\n\n1. e8e7 {a slip} d9d8 2. e1e2 *\n";
    std::fs::write(folder.path().join("g.pgn"), pgn).expect("a file");
    let run = |output: &str| {
        let output = xq(folder.path(), &["analyse", "g.pgn", "--depth", "5", "-o", output, "--force"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    run("a.pgn");
    let first = std::fs::read_to_string(folder.path().join("a.pgn")).expect("a file");
    run("a.pgn");
    let second = std::fs::read_to_string(folder.path().join("a.pgn")).expect("a file");
    assert_eq!(first, second);
    assert!(first.contains("[%eval #"), "{first}");
    assert!(first.contains("a slip"), "{first}");
    run("a.json");
    let json = std::fs::read_to_string(folder.path().join("a.json")).expect("a file");
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(value["moves"][0]["best_mate"].as_i64().is_some_and(|mate| mate > 0), "{json}");
    assert_eq!(value["moves"].as_array().map(Vec::len), Some(3));
    run("a.html");
    assert!(std::fs::read_to_string(folder.path().join("a.html")).expect("a file").contains("</html>"));
}

/// What the target cannot hold is named with its game; what the encoding cannot hold ends it all, and no file is left.
#[test]
fn losses_are_reported_and_encodings_respected() {
    let folder = folder();
    let pgn = "[Event \"a\"]\n\n1. h2e2 *\n\n[Event \"b\"]\n[Red \"R\"]\n[ECCO \"A00\"]\n\n1. h2e2!? {x} h9g7 (1... b9c7) *\n";
    std::fs::write(folder.path().join("g.pgn"), pgn).expect("a file");
    let output = xq(folder.path(), &["convert", "g.pgn", "--to", "json"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        text(&output.stderr),
        "g.pgn: warning: game 2: 1 move of variations left out; 1 comment left out (the first at move 1); \
         1 glyph left out (the first at move 1)\n\
         2 games from 1 file written, 1 without comments (json cannot hold them), 1 without glyphs (json cannot \
         hold them), 1 without variations (json cannot hold them)\n"
    );
    let refused = |arguments: &[&str], told: &str| {
        let output = xq(folder.path(), &[&["convert", "g.pgn"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(told), "{}", text(&output.stderr));
    };
    let before = std::fs::read_dir(folder.path()).expect("a folder").count();
    refused(
        &["--notation", "simplified-fullwidth", "--encoding", "big5", "-o", "out.pgn"],
        "g.pgn: game 2: Big5 has no character `马` (U+9A6C)",
    );
    refused(
        &["--encoding", "koi9", "-o", "out.pgn"],
        "`koi9` is no encoding of game files; there are utf-8, gbk",
    );
    refused(&["--encoding", "utf-16", "-o", "out.pgn"], "`utf-16` is no encoding of game files");
    refused(&["--encoding", "big5", "-o", "out.cbr"], "cbr files are UTF-16");
    refused(&["--encoding", "gbk", "-o", "out.jsonl"], "json files are UTF-8");
    refused(&["--notation", "wxf", "-o", "out.xqf"], "a notation has no meaning there");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), before);
}

/// Ctrl-C and a request to terminate take the unfinished file with them.
#[cfg(unix)]
#[test]
fn signals_leave_no_unfinished_file() {
    use std::io::Write;
    for signal in ["INT", "TERM"] {
        let folder = tempfile::tempdir().expect("a folder");
        let files = || std::fs::read_dir(folder.path()).expect("a folder").count();
        let mut program = Command::new(env!("CARGO_BIN_EXE_xq"))
            .args(["convert", "-", "-o", "out.fen"])
            .current_dir(folder.path())
            .stdin(std::process::Stdio::piped())
            .spawn()
            .expect("xq starts");
        // The input stays open, so that the program waits for more.
        let mut input = program.stdin.take().expect("a pipe");
        input.write_all(&b"[Event \"a\"]\n\n1. h2e2 *\n\n".repeat(10_000)).expect("a pipe");
        while files() == 0 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let pid = program.id().to_string();
        assert!(Command::new("kill").args([&format!("-{signal}"), &pid]).status().expect("kill").success());
        assert_eq!(program.wait().expect("an end").code(), Some(130), "{signal}");
        assert_eq!(files(), 0, "{signal}");
        drop(input);
    }
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = xq(Path::new("."), &["completions", shell]);
        assert!(output.status.success() && text(&output.stdout).contains("convert"), "{shell}");
    }
}

#[test]
fn books_are_made_shown_and_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let games =
        [("h2e2 h9g7 h0g2", "1-0"), ("b2e2 b9c7 b0c2", "1-0"), ("b2e2 h9g7", "1/2-1/2"), ("c3c4", "0-1")];
    let lines = games.map(|(moves, result)| {
        let list: Vec<String> = moves.split(' ').map(|mv| format!("\"{mv}\"")).collect();
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        format!("{{\"fen\": \"{fen}\", \"moves\": [{}], \"result\": \"{result}\"}}\n", list.join(", "))
    });
    std::fs::write(path("games.jsonl"), lines.concat()).expect("a file");
    let make = ["book", "make", "games.jsonl", "-o", "my.book", "--min-count", "1", "--weights", "3,1,0"];
    let output = xq(folder.path(), &make);
    assert!(output.status.success(), "{}", text(&output.stderr));
    // The mirror images h2e2 and b2e2 are one move of 3 + 3 + 1; 1. c3c4 lost its only game.
    let summary = "3 moves in 3 positions, mirror images counted once";
    assert!(text(&output.stdout).starts_with(summary), "{}", text(&output.stdout));

    let shown = text(&xq(folder.path(), &["book", "show", "my.book"]).stdout);
    let listed: Vec<&str> = shown.lines().skip(1).map(str::trim).collect();
    assert_eq!(listed.len(), 2, "{shown}");
    assert!(listed.iter().all(|line| line.starts_with("7  50.0 %  ")), "{shown}");
    let after = ["book", "show", "my.book", "--moves", "h2e2", "--notation", "wxf"];
    let shown = text(&xq(folder.path(), &after).stdout);
    assert!(shown.contains("2 100.0 %  H"), "{shown}");
    assert!(shown.lines().count() == 2, "only the drawing answer scored for Black: {shown}");

    assert_eq!(xq(folder.path(), &make).status.code(), Some(2), "the book exists");
    let over = ["book", "make", "games.jsonl", "-o", "games.jsonl", "-f"];
    assert_eq!(xq(folder.path(), &over).status.code(), Some(2), "the book would replace its games");
    let whole = std::fs::read(path("my.book")).expect("a file");
    std::fs::write(path("part.book"), &whole[..whole.len() - 5]).expect("a file");
    let missing = text(&xq(folder.path(), &["book", "show", "nofile"]).stderr);
    assert!(missing.contains("nofile") && missing.matches("os error").count() == 1, "{missing}");
    for (arguments, complaint) in [
        (&["book", "show", "part.book"][..], "not complete"),
        (&["book", "show", "games.jsonl"], "not a Phao book"),
        (&["book", "import", "my.book", "-o", "x.book"], "already"),
        (&["book", "import", "games.jsonl", "-o", "x.book"], "nor a BOOK.DAT"),
        (&["book", "import", if cfg!(unix) { "/dev/zero" } else { "." }, "-o", "x.book"], "not a plain file"),
        (&["book", "make", "games.jsonl", "-o", "x.book", "--min-count", "9"], "no move is left"),
        (&["book", "make", "games.jsonl", "-o", "x.book", "--weights", "3,1"], "three whole numbers"),
        (&["report", "games.jsonl", "-o", "x.book"], "a report is an .html file"),
        (&["report", "games.jsonl", "-o", "x.pdf"], "a report is an .html file"),
        (&["judge", "games.jsonl", "--game", "7"], "games.jsonl: there is no game 7"),
        (&["analyse", "games.jsonl", "--game", "7"], "games.jsonl: there is no game 7"),
        (&["show", "games.jsonl", "--game", "7"], "has no game 7"),
    ] {
        let output = xq(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(complaint), "{arguments:?}: {}", text(&output.stderr));
        assert!(!path("x.book").exists(), "{arguments:?}");
    }
}

#[test]
fn moves_that_begin_with_a_sign_are_no_options() {
    let folder = folder();
    let rooks = "3k5/9/9/9/7R1/9/9/7R1/9/4K4 w";
    for moves in [&["-R+2"][..], &["-R+2", "K4+1", "-R=5"], &["-R+2 K4+1"]] {
        let mut arguments = vec!["show", "--fen", rooks, "--moves"];
        arguments.extend(moves);
        arguments.extend(["--notation", "coordinate"]);
        let output = xq(folder.path(), &arguments);
        assert!(text(&output.stdout).contains("h2h4"), "{arguments:?}: {output:?}");
    }
    let output = xq(folder.path(), &["judge", "--fen", rooks, "--moves", "-R+2", "--format", "json"]);
    assert!(text(&output.stdout).contains("\"ply\":1"), "{output:?}");
}

#[test]
fn moves_are_read_in_any_notation_or_the_one_named() {
    let folder = folder();
    for command in ["show", "judge"] {
        let output = xq(folder.path(), &[command, "--moves", "Pháo", "2", "bình", "5"]);
        assert!(output.status.success(), "{output:?}");
        let output = xq(folder.path(), &[command, "--moves", "h3e3", "--read-notation", "coordinate1"]);
        assert!(output.status.success(), "{output:?}");
        let output = xq(folder.path(), &[command, "--moves", "P2-5", "--read-notation", "wxf"]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let two = ["--fen", "3k5/9/7P1/9/9/9/9/7C1/9/4K4 w", "--moves", "P2.1"];
        let output = xq(folder.path(), &[&[command][..], &two].concat());
        assert!(text(&output.stderr).contains("--read-notation"), "{output:?}");
    }
    // From here these letters are legal in WXF too.
    let game = "[FEN \"3k5/9/7P1/9/9/9/9/7C1/9/4K4 w - - 0 1\"]\n\n1. P2.1 *\n";
    std::fs::write(folder.path().join("two.pgn"), game).expect("a file");
    let output = xq(folder.path(), &["show", "two.pgn", "--read-notation", "vietnamese"]);
    assert!(text(&output.stdout).contains("1. h2h3"), "{output:?}");
    let output =
        xq(folder.path(), &["analyse", "two.pgn", "--read-notation", "vietnamese", "--nodes", "100"]);
    assert!(text(&output.stdout).contains("C2+1"), "{output:?}");
    let output = xq(folder.path(), &["report", "two.pgn", "--read-notation", "vietnamese", "-o", "-"]);
    assert!(text(&output.stdout).contains("\"m\":\"h2h3\""), "{output:?}");
    assert!(!folder.path().join("-").exists());
    let output = xq(folder.path(), &["show", "two.pgn"]);
    assert!(text(&output.stderr).contains("name it with --read-notation"), "{output:?}");
    // These too, but no WXF move from here.
    std::fs::write(folder.path().join("one.pgn"), "1. P2-1 P2-1 *\n").expect("a file");
    let output = xq(folder.path(), &["show", "one.pgn"]);
    assert!(text(&output.stdout).contains("2. b7a7"), "{output:?}");
}

#[test]
fn a_dash_is_standard_output() {
    let folder = folder();
    let output = xq(folder.path(), &["show", "-o", "-"]);
    assert!(text(&output.stdout).starts_with("<svg"), "{output:?}");
    let output = xq(folder.path(), &["analyse", "game.pgn", "--nodes", "10", "-o", "-"]);
    assert!(text(&output.stdout).contains("average loss"), "{output:?}");
    assert!(!folder.path().join("-").exists());
}

#[cfg(unix)]
#[test]
fn a_closed_or_full_standard_output_is_no_panic() {
    use std::process::Stdio;
    let folder = folder();
    let case = r#"{"id": "a", "fen": "4k4/9/9/9/9/9/9/9/9/3K4R w", "moves": [], "rules": "asian", "verdict": "draw"}"#;
    std::fs::write(folder.path().join("cases.jsonl"), format!("{case}\n")).expect("a file");
    for arguments in [
        &["judge", "game.pgn", "--rules", "all"][..],
        &["judge", "--cases", "cases.jsonl"],
        &["judge", "--games", "game.pgn"],
        &["judge", "--moves", "h2e2", "--format", "json"],
        &["completions", "bash"],
        &["suite", "mates", "--nodes", "1"],
        &["book", "show", "builtin"],
        &["match", "-help"],
        &["show"],
        &["convert", "game.pgn", "--to", "json", "-q"],
        &["convert", "game.pgn", "--to", "xqf", "-q"],
        &["analyse", "game.pgn", "--nodes", "1", "-q"],
        &["report", "game.pgn", "-o", "-"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let full = std::fs::File::options().write(true).open("/dev/full").map(Stdio::from);
        for (stdout, code) in [(Some(Stdio::from(writer)), 0), (full.ok(), 2)] {
            let Some(stdout) = stdout else { continue };
            let mut command = Command::new(env!("CARGO_BIN_EXE_xq"));
            command.args(arguments).current_dir(folder.path()).stdout(stdout).stderr(Stdio::piped());
            let output = command.spawn().and_then(std::process::Child::wait_with_output).expect("xq starts");
            let told = text(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
            assert_eq!(told.contains("xq: "), code == 2, "{arguments:?}: {told}");
            let names_both = told.contains("standard output") && told.contains("No space left on device");
            assert_eq!(names_both, code == 2, "{arguments:?}: {told}");
            assert!(!told.contains("panicked"), "{arguments:?}: {told}");
        }
    }
}

/// Figure 2 of the Vietnamese rules: the rook checks for ever, and Red loses.
/// A full disk is told with the file that does not fit, be it small or larger than every buffer.
#[test]
fn a_full_output_is_named() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = folder();
    std::fs::write(folder.path().join("many.pgn"), "[Event \"a\"]\n\n1. h2e2 *\n\n".repeat(1000))
        .expect("a file");
    for name in ["full.pgn", "full.html", "full.json", "full.svg", "full.xqf", "full.book", "full.csv"] {
        std::os::unix::fs::symlink("/dev/full", folder.path().join(name)).expect("a link");
    }
    for arguments in [
        &["convert", "game.pgn", "-o", "full.pgn", "-q"][..],
        &["convert", "many.pgn", "-o", "full.pgn", "-q"],
        &["convert", "game.pgn", "-o", "full.xqf", "-q"],
        &["report", "game.pgn", "-o", "full.html"],
        &["analyse", "a.pgn", "--nodes", "1", "-q", "-o", "full.json"],
        &["analyse", "a.pgn", "--nodes", "1", "-q", "-o", "full.html"],
        &["analyse", "a.pgn", "--nodes", "1", "-q", "-o", "full.xqf"],
        &["show", "game.pgn", "-o", "full.svg"],
        &["book", "make", "many.pgn", "-o", "full.book", "--min-count", "1"],
    ] {
        let output = xq(folder.path(), arguments);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        let name = arguments.iter().find(|word| word.starts_with("full")).expect("an output");
        assert!(told.contains(name) && told.contains("No space left on device"), "{arguments:?}: {told}");
    }
}

#[test]
fn a_text_without_games_is_no_game() {
    let folder = folder();
    std::fs::write(
        folder.path().join("README.md"),
        "# Games\n\nThey are in `[DhtmlXQ]` and `[game]` markup.\n",
    )
    .expect("a file");
    std::fs::write(folder.path().join("story.pgn"), "Once upon a time\nthere was a king.\n").expect("a file");
    std::fs::write(folder.path().join("package.json"), "{\"name\":\"x\"}\n").expect("a file");
    for file in ["README.md", "story.pgn", "package.json"] {
        for salvage in [&["--salvage"][..], &[]] {
            let output = xq(folder.path(), &[&["convert", "--to", "json", file], salvage].concat());
            let told = text(&output.stderr);
            assert_eq!(
                (output.status.code(), text(&output.stdout)),
                (Some(2), String::new()),
                "{file}: {told}"
            );
            assert!(
                told.contains("no game found")
                    || told.contains("not a [DhtmlXQ]")
                    || told.contains("the file ends in the middle"),
                "{file}: {told}"
            );
        }
    }
}

/// Every command that reads game files takes the encoding: 葉 is B8 AD in Big5, where GBK has 腑.
#[test]
fn every_reading_command_takes_the_encoding() {
    let folder = folder();
    let pgn = [&b"[Red \"\xb8\xad\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. h2e2 1-0\n"[..]].concat();
    std::fs::write(folder.path().join("names.pgn"), pgn).expect("a file");
    for (encoding, name) in [("big5", "葉"), ("gbk", "腑")] {
        let read = |words: &[&str]| {
            let output = xq(folder.path(), &[words, &["--read-encoding", encoding]].concat());
            assert_eq!(output.status.code(), Some(0), "{words:?}: {}", text(&output.stderr));
            output.stdout
        };
        assert!(text(&read(&["convert", "names.pgn", "--to", "json"])).contains(name));
        assert!(text(&read(&["show", "names.pgn"])).contains(name));
        assert!(text(&read(&["report", "names.pgn", "-o", "-"])).contains(name));
        assert!(text(&read(&["analyse", "names.pgn", "--nodes", "1"])).contains(name));
        read(&["judge", "names.pgn"]);
        read(&["judge", "--games", "names.pgn"]);
        read(&["book", "make", "names.pgn", "-o", "-", "--min-count", "1"]);
    }
}

const PERPETUAL: &str =
    "[FEN \"9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1\"]\n\nf0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8 0-1\n";

#[test]
fn a_decision_by_the_law_is_no_number() {
    let folder = folder();
    std::fs::write(folder.path().join("law.pgn"), PERPETUAL).expect("a file");
    let analyse = |more: &[&str]| {
        let output = xq(folder.path(), &[&["analyse", "law.pgn", "--nodes", "2000"][..], more].concat());
        assert!(output.status.success(), "{output:?}");
        text(&output.stdout)
    };
    // Black moves last and has won.
    let last = |table: &str| table.lines().nth(8).map(str::to_owned).expect("a line for the eighth move");
    let english = analyse(&[]);
    assert!(last(&english).contains("+law"), "{english}");
    assert!(english.contains("asian, after move 8: Red loses"), "{english}");
    for (lang, words) in [
        ("vi", ["+luật", "nước đi", "Đỏ: trung bình mất", "sau nước 8: Đỏ thua"]),
        ("zh", ["+裁定", "着法", "红方：平均失分", "第8步之后：红方负"]),
    ] {
        let table = analyse(&["--lang", lang]);
        for word in words {
            assert!(table.contains(word), "{word}: {table}");
        }
        assert!(!table.contains("average") && !table.contains("chance"), "{table}");
    }
    let annotated = analyse(&["-o", "law-analysed.pgn"]);
    assert!(annotated.is_empty());
    let annotated = std::fs::read_to_string(folder.path().join("law-analysed.pgn")).expect("a file");
    assert!(annotated.contains("[%eval -law]"), "{annotated}");
    assert!(["284.", "285.", "274.", "275."].iter().all(|score| !english.contains(score)), "{english}");
    let output = xq(folder.path(), &["report", "law-analysed.pgn", "-o", "-"]);
    let page = text(&output.stdout);
    for part in ["\"law\":false", "第{}步之后", "#judge td.name{white-space:normal"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn completions_offer_the_values() {
    let output = xq(folder().path(), &["completions", "bash"]);
    let script = text(&output.stdout);
    for words in ["coordinate coordinate1 iccs wxf", "pgn wxf", "asian wxf vn", "alwaysdraw all"] {
        assert!(script.contains(words), "{words}");
    }
    let output = xq(folder().path(), &["report", "game.pgn", "-o", "x.html", "--rules", "chess"]);
    assert!(text(&output.stderr).contains("unknown rule set 'chess'"), "{output:?}");
}
