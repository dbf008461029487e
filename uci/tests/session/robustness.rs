//! Input that no driver should send, and some that they do.

use std::fmt::Write as _;
use std::io::{self, BufReader, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use engine::Engine;
use uci::Session;

use crate::fake::Fake;
use crate::harness::Dialogue;

fn last_fen(dialogue: &mut Dialogue) -> String {
    dialogue.send("d");
    let fen = dialogue.until("Fen: ").0;
    dialogue.until("Checkers:");
    fen
}

#[test]
fn line_ends_of_windows_and_a_byte_order_mark() {
    let mut dialogue = Dialogue::start();
    dialogue.send_bytes(b"\xef\xbb\xbfucci\r\n");
    dialogue.until("ucciok");
    dialogue.send_bytes(b"isready\r\r\n\r\n\n");
    assert_eq!(dialogue.next().as_deref(), Some("readyok"));
    dialogue.send_bytes(b"position startpos moves h2e2\r\n");
    assert!(last_fen(&mut dialogue).ends_with(" b - - 1 1"));
    assert_eq!(dialogue.close(), ["bye"]);
}

#[test]
fn more_threads_than_cores_are_told_under_uci() {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    for (handshake, told) in [("uci", cores < 256), ("ucci", false)] {
        let mut dialogue = Dialogue::start();
        dialogue.send(handshake);
        dialogue.until(&format!("{handshake}ok"));
        dialogue.send(if handshake == "uci" {
            "setoption name Threads value 256"
        } else {
            "setoption threads 256"
        });
        dialogue.send("isready");
        let lines = dialogue.until("readyok").1;
        let text = format!("info string {cores} of 256 threads run, one per core");
        assert_eq!(lines.contains(&text), told, "{lines:?}");
    }
}

#[test]
fn a_last_line_without_an_end_counts() {
    let mut dialogue = Dialogue::start();
    dialogue.send_bytes(b"isready");
    assert_eq!(dialogue.close(), ["readyok"]);
}

#[test]
fn bytes_that_are_no_text() {
    let mut dialogue = Dialogue::start();
    let noise: Vec<u8> = (0..=255).filter(|&byte| byte != b'\n').collect();
    dialogue.send_bytes(&noise);
    dialogue.send_bytes(b"\n\0\0\0\n");
    dialogue.until("info string unknown command: ");
    dialogue.until("info string unknown command: ");
    // A Chinese name of a file in GBK.
    dialogue.send_bytes(b"setoption bookfiles \xbf\xaa\xbe\xd6\xbf\xe2.dat\nisready\n");
    assert_eq!(dialogue.next().as_deref(), Some("readyok"));
    assert_eq!(dialogue.close(), [""; 0]);
}

#[test]
fn lines_of_ten_megabytes() {
    let mut dialogue = Dialogue::start();
    let long = "x".repeat(10 << 20);
    let words = "a0 ".repeat(1 << 19);
    for line in [
        long.clone(),
        format!("position fen {long}"),
        format!("position fen {words}"),
        format!("setoption name {long} value {long}"),
        format!("setoption hashsize {long}"),
        format!("setoption hashsize {}", "9".repeat(10 << 20)),
        format!("position startpos moves {}", "a0 ".repeat(7 << 19)),
        format!("banmoves {words}"),
        format!("go searchmoves {words} depth 1"),
        format!("go depth {words}"),
    ] {
        dialogue.send(&line);
    }
    for _ in 0..2 {
        let (_, said) = dialogue.until("bestmove ");
        assert!(said.iter().all(|line| line.len() < 4_096), "replies stay short");
    }
    dialogue.send("isready");
    assert_eq!(dialogue.next().as_deref(), Some("readyok"));
    assert_eq!(dialogue.close(), [""; 0]);
}

#[test]
fn games_of_five_thousand_plies() {
    let mut dialogue = Dialogue::start();
    let mut line = "position startpos moves".to_owned();
    for _ in 0..1_250 {
        line += " h0g2 h9g7 g2h0 g7h9";
    }
    dialogue.send(&line);
    let fen = last_fen(&mut dialogue);
    assert!(fen.ends_with(" w - - 5000 2501"), "{fen}");
    dialogue.send("go depth 1");
    dialogue.until("bestmove ");
    assert_eq!(dialogue.close(), [""; 0]);
}

#[test]
fn a_flood_of_commands() {
    const COUNT: usize = 20_000;
    let mut dialogue = Dialogue::start();
    let mut text = String::new();
    for i in 0..COUNT {
        let _ =
            writeln!(text, "isready\nsetoption name Nothing{i}\nposition startpos moves h2e2 nonsense\n\nd");
    }
    dialogue.send_bytes(text.as_bytes());
    dialogue.send("go depth 1");
    let (_, said) = dialogue.until("bestmove ");
    assert_eq!(said.iter().filter(|line| *line == "readyok").count(), COUNT);
    assert_eq!(dialogue.close(), [""; 0]);
}

/// Boards as a screen reader may see them: impossible counts, missing kings, both sides in check.
#[test]
fn boards_of_screen_readers() {
    let mut dialogue = Dialogue::start();
    for (fen, playable) in [
        ("rrrrkrrrr/9/9/9/9/9/9/9/9/RRRRKRRRR w - - 0 1", false),
        ("9/9/9/9/9/9/9/9/9/9 w - - 0 1", false),
        ("pppppppppp/9/9/9/9/9/9/9/9/9 w", false),
        ("4k4/9/9/4r4/9/9/4R4/9/9/4K4 w", true),
        ("4k4/4R4/9/9/9/9/9/9/4r4/4K4 w", false),
        ("4k4/4R4/9/9/9/9/9/9/4r4/4K4 b", false),
        ("kkkkkkkkk/9/9/9/9/9/9/9/9/KKKKKKKKK b", false),
        ("3aka3/9/9/9/9/9/9/9/9/3AKA3 w", false),
        ("/////////", false),
        ("9/9", false),
        ("0/0/0/0/0/0/0/0/0/0 w", false),
        ("4k3\u{5c06}/9/9/9/9/9/9/9/9/3K5 w", false),
    ] {
        dialogue.send(&format!("position fen {fen}"));
        dialogue.send("go depth 1");
        let (reply, _) = dialogue.until("bestmove");
        assert_eq!(reply != "bestmove (none)", playable, "{fen}: {reply}");
        dialogue.send("d");
        dialogue.send("eval");
        dialogue.send("flip");
    }
    dialogue.send("isready");
    dialogue.until("readyok");
    assert_eq!(dialogue.close(), [""; 0]);
}

/// Hundreds of reports at once, as in a won ending: no more than 20 a second are shown, the last one always.
#[test]
fn reports_are_not_a_flood() {
    let mut dialogue = Dialogue::start();
    dialogue.send(&format!("go searchmoves h2e2 nodes {}", crate::fake::FLOOD));
    let (_, said) = dialogue.until("bestmove h2e2");
    let reports: Vec<&String> = said.iter().filter(|line| line.contains(" pv ")).collect();
    assert!(reports.len() <= uci::LINES_PER_SECOND as usize + 2, "{} reports", reports.len());
    assert!(reports.last().is_some_and(|line| line.starts_with("info depth 300 ")), "{reports:?}");
    assert_eq!(dialogue.close(), [""; 0]);
}

/// Nobody reads any more.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_ends_the_dialogue() {
    for text in ["isready\n", "go infinite\nstop\n", "go depth 3\n", "go infinite\n"] {
        let engine = Engine::with_backend(Fake::new).expect("a thread");
        let outcome = Session::new(engine, Closed).run(BufReader::new(text.as_bytes()));
        let kind = outcome.map_err(|error| error.kind());
        assert_eq!(kind, Err(io::ErrorKind::BrokenPipe), "{text}");
    }
}

/// `eval` and UCCI's `go depth 0` speak for the evaluation in force, also while a search runs.
#[test]
fn the_evaluation_shown_is_the_one_in_force() {
    let fen = "3akab2/4n4/4b4/p3p3p/2p6/4P4/P1P5P/4C1N2/4A4/2B1KAB2 w - - 0 1";
    let position = movegen::Position::from_fen(fen).expect("a position");
    let network = search::nnue::Network::embedded().map(Arc::as_ref);
    let [network, by_hand] = [network, None].map(|network| match search::static_score(&position, network) {
        search::Score::Cp(centipawns) => centipawns,
        search::Score::Mate(_) => unreachable!("no mate in an evaluation"),
    });
    assert_ne!(network, by_hand, "a position that tells them apart");
    let mut dialogue = Dialogue::start();
    dialogue.send(&format!("ucci\nposition fen {fen}"));
    for (file, value, has_network) in [("none", by_hand, false), ("", network, true)] {
        dialogue.send(&format!("setoption evalfile {file}\ngo depth 0"));
        let (line, _) = dialogue.until("info depth 0 ");
        assert_eq!(line, format!("info depth 0 score {value}"), "'{file}'");
        for command in ["eval\nisready", "go infinite\neval\nstop\nisready"] {
            dialogue.send(command);
            let (_, said) = dialogue.until("readyok");
            let shown = said.iter().any(|line| line.starts_with("Network"));
            assert_eq!(shown, has_network, "'{file}', {command:?}: {said:?}");
        }
    }
    dialogue.close();
}

/// How long a search that is over takes to answer `ponderhit`.
fn ponderhit_after(go: &str) -> Duration {
    let mut dialogue = Dialogue::start();
    dialogue.send("position startpos moves h2e2 h9g7");
    dialogue.send(go);
    dialogue.send("isready");
    dialogue.until("readyok");
    // Over by then, as a rule; a search that is still on would only make the answer later.
    thread::sleep(Duration::from_millis(50));
    let hit = Instant::now();
    dialogue.send("ponderhit");
    dialogue.until("bestmove ");
    hit.elapsed()
}

#[test]
fn a_reply_to_ponderhit_leaves_an_adapter_time_to_write_it_down() {
    for go in ["go ponder depth 1", "go ponder depth 1 wtime 60000 btime 60000"] {
        let time = ponderhit_after(go);
        assert!(time >= Duration::from_millis(5), "{go}: {time:?}");
    }
}

/// 40 ms on the clock and nothing added: a pause of 5 ms would lose within 8 moves. A busy machine may be late more than once.
#[test]
fn a_reply_to_ponderhit_does_not_eat_up_a_short_clock() {
    let is_short = |_| ponderhit_after("go ponder depth 1 wtime 40 btime 40") < Duration::from_millis(4);
    assert!((0..50).any(is_short));
}
