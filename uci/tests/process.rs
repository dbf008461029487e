//! The built program, as drivers and people start it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use movegen::Position;

/// How long anything may take on a busy machine. The figures that users see are measured by `latency`, which is not
/// part of the usual run.
const PATIENCE: Duration = Duration::from_secs(30);

fn phao() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_phao"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program with arguments and no input.
fn run(args: &[&str]) -> Output {
    phao().args(args).stdin(Stdio::null()).output().expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// A running program.
struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(args: &[&str]) -> Self {
        let mut process = phao().args(args).spawn().expect("the program starts");
        let output = process.stdout.take().expect("piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { input: process.stdin.take(), process, lines }
    }

    fn send(&mut self, text: &str) {
        let input = self.input.as_mut().expect("still open");
        input.write_all(format!("{text}\n").as_bytes()).expect("the program reads");
    }

    fn until(&mut self, start: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("a line");
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// How long a search answers to `stop` after so many milliseconds.
    fn stop_after(&mut self, pause: u64) -> Duration {
        self.send("go infinite");
        thread::sleep(Duration::from_millis(pause));
        let begin = Instant::now();
        self.send("stop");
        self.until("bestmove ");
        begin.elapsed()
    }

    /// Waits for the end; the exit code, what else it said, and what stands on stderr.
    fn end(mut self) -> (ExitStatus, Vec<String>, String) {
        drop(self.input.take());
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.process.try_wait().expect("a child") {
                break status;
            }
            assert!(Instant::now() < deadline, "the program does not end");
            thread::sleep(Duration::from_millis(5));
        };
        let mut errors = String::new();
        let _ = self.process.stderr.take().expect("piped").read_to_string(&mut errors);
        (status, self.lines.iter().collect(), errors)
    }
}

#[test]
fn quit_ends_the_process() {
    for handshake in ["ucci", "uci"] {
        let mut engine = Engine::start(&[]);
        engine.send(handshake);
        engine.until(&format!("{handshake}ok"));
        engine.send("go infinite");
        engine.until("info depth 1 ");
        engine.send("quit");
        engine.until("bestmove ");
        let (status, rest, errors) = engine.end();
        assert!(status.success());
        let farewell: &[&str] = if handshake == "ucci" { &["bye"] } else { &[] };
        assert_eq!(rest, farewell);
        assert_eq!(errors, "");
    }
}

#[test]
fn the_end_of_input_ends_the_process() {
    for commands in ["", "ucci\ngo infinite", "uci\ngo ponder wtime 1000 btime 1000", "go depth 60", "go"] {
        let mut engine = Engine::start(&[]);
        engine.send(commands);
        let (status, said, errors) = engine.end();
        assert!(status.success(), "{commands}");
        let replies = said.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(replies, usize::from(commands.contains("go")), "{commands}: {said:?}");
        assert_eq!(errors, "", "{commands}");
    }
}

/// A driver on an event loop makes its ends of the pipes ones that do not wait, and shares that with the engine.
#[cfg(unix)]
#[test]
fn pipes_that_do_not_wait() {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    let (mut ours, theirs) = UnixStream::pair().expect("a pair");
    theirs.set_nonblocking(true).expect("a socket");
    let twin = theirs.try_clone().expect("a socket");
    let (input, output) = (Stdio::from(OwnedFd::from(theirs)), Stdio::from(OwnedFd::from(twin)));
    let mut process = phao().stdin(input).stdout(output).spawn().expect("the program starts");
    let mut lines = BufReader::new(ours.try_clone().expect("a socket")).lines().map_while(Result::ok);
    let words = "setoption xyzzy ".repeat(400);
    ours.write_all(b"uci\n").expect("it reads");
    thread::sleep(Duration::from_millis(200));
    // More than the socket holds is said before anybody listens.
    ours.write_all("help\n".repeat(100).as_bytes()).expect("it reads");
    ours.write_all(format!("{words}\nisready\n").as_bytes()).expect("it reads");
    thread::sleep(Duration::from_millis(200));
    assert!(lines.any(|line| line == "uciok"));
    assert!(lines.any(|line| line == "readyok"));
    ours.write_all(b"quit\n").expect("it reads");
    assert!(process.wait().expect("a child").success());
}

/// Under a limit on the size of files the system would end a program that writes beyond it.
#[cfg(target_os = "linux")]
#[test]
fn a_log_that_may_not_grow_ends_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("phao.log");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 1; exec \"$0\" --log \"$1\"", env!("CARGO_BIN_EXE_phao")]).arg(&log);
    let mut process =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut input = process.stdin.take().expect("piped");
    input.write_all("uci\nhello\nisready\nquit\n".as_bytes()).expect("it reads");
    let mut said = String::new();
    process.stdout.take().expect("piped").read_to_string(&mut said).expect("UTF-8");
    assert!(process.wait().expect("a child").success());
    assert!(said.contains("info string the log ends here: ") && said.contains("\nreadyok\n"), "{said}");
    assert!((1..=1024).contains(&std::fs::metadata(&log).expect("a file").len()));
}

#[cfg(target_os = "linux")]
#[test]
fn commands_of_the_shell_fail_when_their_log_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("phao.log");
    std::fs::write(&log, [b'x'; 1024]).expect("a file");
    for command in ["bench 1", "perft 1"] {
        let script = format!("ulimit -f 1; exec \"$0\" --log \"$1\" {command}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_phao")]).arg(&log);
        let output = shell.output().expect("a shell");
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("log"), "{command}");
    }
}

/// Source of the checksum: `zlib.crc32(bytes(12 << 22))` of Python.
#[cfg(target_os = "linux")]
#[test]
fn a_book_there_is_no_memory_for_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("zeros.book");
    let mut header = engine::book::Book::default().to_bytes();
    header[12..16].copy_from_slice(&(1_u32 << 22).to_le_bytes());
    header[24..28].copy_from_slice(&0xdd43_2cc6_u32.to_le_bytes());
    std::fs::write(&path, &header).expect("a file");
    let file = std::fs::File::options().write(true).open(&path).expect("a file");
    file.set_len(32 + (12 << 22)).expect("a file with a hole");
    let (mut lacking, mut damaged) = (0, 0);
    // The file takes 48 MiB and its moves 64 more, so that each of the two has limits of its own at which it fails.
    for mib in (200..=600).step_by(25) {
        let mut shell = Command::new("sh");
        let script = format!("ulimit -v {}; exec \"$0\"", mib << 10);
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_phao")]);
        let mut process = shell
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let lines = format!("uci\nsetoption name Book File value {}\nisready\nquit\n", path.display());
        // It does not read them where not even its threads could be had.
        let _ = process.stdin.take().expect("piped").write_all(lines.as_bytes());
        let mut said = String::new();
        process.stdout.take().expect("piped").read_to_string(&mut said).expect("UTF-8");
        let status = process.wait().expect("a child");
        if said.contains("uciok") {
            assert!(status.success() && said.contains("\nreadyok\n"), "{mib} MiB: {status}, {said}");
            lacking += usize::from(said.contains("out of memory"));
            damaged += usize::from(said.contains("entry 1 is out of order"));
        }
        if damaged > 0 {
            break;
        }
    }
    assert!(lacking > 0 && damaged > 0, "{lacking} {damaged}");
}

/// Names of files are whatever bytes they are: GBK, as old Chinese GUIs send it, is not UTF-8.
#[cfg(unix)]
#[test]
fn names_of_files_that_are_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
    // The last one ends with an ideographic space.
    let (log, later, file) = (path(b"\xbf\xaa.log"), path(b"\xbe\xd6.log"), path(b"\xbf\xe2.dat\xa1\xa1"));
    if std::fs::write(&file, [0; 80]).is_err() {
        return;
    }
    let mut process = phao().arg("--log").arg(&log).spawn().expect("the program starts");
    let mut input = process.stdin.take().expect("piped");
    for (option, value) in [("Book File", &file), ("EvalFile", &file), ("Debug Log File", &later)] {
        input.write_all(format!("setoption name {option} value ").as_bytes()).expect("it reads");
        input.write_all(value.as_os_str().as_bytes()).expect("it reads");
        input.write_all(b"\n").expect("it reads");
    }
    input.write_all(b"isready\nquit\n").expect("it reads");
    let mut said = String::new();
    process.stdout.take().expect("piped").read_to_string(&mut said).expect("UTF-8");
    assert!(process.wait().expect("a child").success());
    assert!(said.contains("not a Phao book") && said.contains("not a Phao network"), "{said}");
    assert!(log.exists() && later.exists());
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 3);
}

#[test]
fn a_script_in_batch_mode_runs_to_its_end() {
    let mut engine = Engine::start(&[]);
    engine.send(
        "ucci\nsetoption batch true\nposition startpos\ngo depth 4\nposition startpos moves h2e2\ngo depth 3",
    );
    let (status, said, _) = engine.end();
    assert!(status.success());
    assert!(said.iter().any(|line| line.starts_with("info depth 4 ")));
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 2);
    assert_eq!(said.last().map(String::as_str), Some("bye"));
}

#[test]
fn stop_under_load() {
    let mut engine = Engine::start(&[]);
    engine.send("uci\nsetoption name Threads value 4");
    engine.until("uciok");
    for i in 0..5 {
        engine.send("position startpos moves h2e2 h9g7");
        engine.send(if i % 2 == 0 { "go infinite" } else { "go ponder wtime 10 btime 10" });
        thread::sleep(Duration::from_millis(60));
        engine.send("isready");
        engine.until("readyok");
        engine.send("stop");
        engine.until("bestmove ");
    }
    assert!(engine.end().0.success());
}

/// Threads without number and tables of gigabytes: whatever is asked for, `isready`, `stop` and `quit` are answered.
#[test]
fn large_numbers_hold_nobody_up() {
    let mut engine = Engine::start(&[]);
    engine.send("ucci\nsetoption threads 64\nisready");
    engine.until("readyok");
    for _ in 0..3 {
        engine.send("go infinite");
        thread::sleep(Duration::from_millis(30));
        engine.send("stop");
        engine.until("bestmove ");
    }
    engine.send("setoption threads 2");
    for mib in [4_096, 65_536, 16] {
        let begin = Instant::now();
        engine.send(&format!("setoption hashsize {mib}\nsetoption newgame\nisready"));
        engine.until("readyok");
        // The engine waits for memory for two seconds at most; a table that is only reserved is there at once.
        assert!(begin.elapsed() < Duration::from_secs(20), "{mib} MiB: {:?}", begin.elapsed());
        engine.send("go depth 2");
        engine.until("bestmove ");
    }
    engine.send("setoption threads 64\ngo infinite\nisready");
    engine.until("readyok");
    engine.send("quit");
    engine.until("bestmove ");
    let (status, rest, errors) = engine.end();
    assert!(status.success());
    assert_eq!((rest, errors.as_str()), (vec!["bye".to_owned()], ""));
}

#[test]
fn garbage_neither_ends_nor_clutters() {
    let mut engine = Engine::start(&[]);
    engine.send("ucci");
    engine.until("ucciok");
    let input = engine.input.as_mut().expect("open");
    let mut state = 1_u32;
    for _ in 0..20_000 {
        // A linear congruential generator: any fixed noise will do.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        input.write_all(&state.to_le_bytes()).expect("the program reads");
    }
    engine.send("\nquits\nposition\nsetoption\ngo perft\ngo searchmoves\nstop");
    engine.send("ucci");
    engine.until("ucciok");
    engine.send("position startpos\ngo depth 2");
    let reply = engine.until("bestmove ");
    let mv = reply.split(' ').nth(1).expect("a word").parse().expect("a move");
    assert!(Position::startpos().is_legal(mv));
    engine.send("quit");
    let (status, _, errors) = engine.end();
    assert!(status.success());
    assert_eq!(errors, "");
}

#[test]
fn a_closed_stdout_ends_the_process_quietly() {
    let mut process = phao().spawn().expect("the program starts");
    drop(process.stdout.take());
    let mut input = process.stdin.take().expect("piped");
    // The program may be gone before all of it is written.
    let _ = input.write_all(b"uci\ngo infinite\n");
    let deadline = Instant::now() + PATIENCE;
    while process.try_wait().expect("a child").is_none() {
        assert!(Instant::now() < deadline, "the program does not end");
        thread::sleep(Duration::from_millis(5));
    }
    let output = process.wait_with_output().expect("it has ended");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn bench_twice_gives_the_same_nodes() {
    let nodes = |output: Output| {
        assert!(output.status.success());
        let text = stdout(&output);
        let last = text.lines().last().expect("lines").to_owned();
        let words: Vec<&str> = last.split(' ').collect();
        assert_eq!((words.len(), words[1], words[3]), (4, "nodes", "nps"), "{last}");
        assert!(text.contains(&format!("\nNodes searched: {}\n", words[0])));
        assert!(text.contains(&format!("\nNodes/second: {}\n", words[2])));
        words[0].parse::<u64>().expect("a number")
    };
    let first = nodes(run(&["bench", "4"]));
    assert_eq!(nodes(run(&["bench", "4"])), first);

    let mut engine = Engine::start(&[]);
    engine.send("uci\nsetoption name Hash value 1\nposition startpos moves h2e2\ngo depth 3");
    engine.until("bestmove ");
    engine.send("bench 4");
    assert_eq!(engine.until("Nodes searched: "), format!("Nodes searched: {first}"));
    assert!(engine.end().0.success());
}

/// Source of the counts: `cases/perft.jsonl`.
#[test]
fn perft_as_argument_and_as_command() {
    assert!(stdout(&run(&["perft", "3"])).contains("\nNodes searched: 79666\n"));
    let fen = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";
    assert!(stdout(&run(&["perft", "2", fen])).contains("\nNodes searched: 1128\n"));
    let words: Vec<&str> = ["perft", "2"].into_iter().chain(fen.split(' ')).collect();
    assert!(stdout(&run(&words)).contains("\nNodes searched: 1128\n"));

    let mut engine = Engine::start(&[]);
    engine.send(&format!("position fen {fen}\ngo perft 3"));
    engine.until("Nodes searched: 43929");
    engine.send("go perft 30\nstop\nisready");
    engine.until("readyok");
    assert!(engine.end().0.success());
}

#[test]
fn arguments() {
    assert!(stdout(&run(&["--version"])).starts_with("Phao "));
    let help = stdout(&run(&["--help"]));
    assert!(help.contains("phao bench") && help.contains("hashsize, Hash"));
    for args in [&["fly"][..], &["perft"], &["perft", "x"], &["perft", "2", "rubbish"], &["--log"]] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1, "{args:?}");
    }
}

#[test]
fn the_log_holds_the_dialogue() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a b.log");
    let mut engine = Engine::start(&["--log", &path.to_string_lossy()]);
    engine.send("uci\nposition startpos\ngo depth 1");
    engine.until("bestmove ");
    assert!(engine.end().0.success());
    let text = std::fs::read_to_string(&path).expect("the log is there");
    for line in [" > uci", " < uciok", " > go depth 1", " < bestmove "] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }

    let second = folder.path().join("second.log");
    let mut engine = Engine::start(&[]);
    engine.send(&format!("setoption name Debug Log File value {}\nisready", second.display()));
    engine.until("readyok");
    engine.send("setoption name Debug Log File value <empty>\nhello");
    engine.until("info string unknown command: hello");
    engine.send("setoption name Debug Log File value /nowhere/at/all");
    engine.until("info string log file /nowhere/at/all: ");
    let (status, _, errors) = engine.end();
    assert!(status.success());
    assert_eq!(errors, "");
    let text = std::fs::read_to_string(&second).expect("the log is there");
    assert!(text.contains(" < readyok") && !text.contains("hello"), "{text}");
}

/// Only `quit` and the end of the input end the dialogue (ucci.md 13.2): a log that cannot be written costs nobody a game.
#[test]
fn a_log_that_cannot_be_written_is_told_once() {
    for (handshake, word) in [("ucci", "message"), ("uci", "string")] {
        let mut engine = Engine::start(&["--log", "/nowhere/at/all"]);
        engine.send(handshake);
        engine.until(&format!("{handshake}ok"));
        engine.until(&format!("info {word} cannot write the log file /nowhere/at/all: "));
        engine.send("isready\ngo depth 2");
        engine.until("bestmove ");
        engine.send("quit");
        let (status, rest, errors) = engine.end();
        assert!(status.success());
        assert!(!rest.iter().any(|line| line.contains("log file")), "{rest:?}");
        assert_eq!(errors, "");
    }
    assert_eq!(run(&["bench", "1", "--log", "/nowhere/at/all"]).status.code(), Some(2));
}

/// The figures of the protocol: handshake under 300 ms, `stop` under 50 ms, `quit` under 100 ms.
#[test]
#[ignore = "a measurement: run it alone, in release"]
fn latency() {
    let begin = Instant::now();
    let mut engine = Engine::start(&[]);
    engine.send("ucci");
    engine.until("ucciok");
    let handshake = begin.elapsed();
    engine.send("setoption hashsize 256\nsetoption newgame");
    let mut worst = Duration::ZERO;
    for threads in [1, 2, 8, 64, 128, 256] {
        engine.send(&format!("setoption threads {threads}\nisready"));
        engine.until("readyok");
        let mut times: Vec<Duration> = [0, 1, 5, 50, 300, 1_000].map(|pause| engine.stop_after(pause)).into();
        times.sort();
        let _ = writeln!(std::io::stderr(), "{threads:3} threads: stop {:?} to {:?}", times[0], times[5]);
        worst = worst.max(times[5]);
    }
    engine.send("go infinite");
    let begin = Instant::now();
    engine.send("quit");
    engine.until("bye");
    let (status, ..) = engine.end();
    let quit = begin.elapsed();
    assert!(status.success());
    let _ = writeln!(std::io::stderr(), "handshake {handshake:?}, stop at worst {worst:?}, quit {quit:?}");
    assert!(handshake < Duration::from_millis(300) && worst < Duration::from_millis(50), "too slow");
    assert!(quit < Duration::from_millis(100), "too slow");
}
