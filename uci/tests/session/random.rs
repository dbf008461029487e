//! Random streams of commands with random pauses: exactly one reply per `go`, each of them legal.
//!
//! What each reply must be is worked out here from the commands alone, with a model of the rules of the dialogue.

use std::collections::HashSet;
use std::thread;
use std::time::Duration;

use movegen::{Move, Position};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::harness::Dialogue;

/// What a driver may do.
#[derive(Debug, Clone)]
enum Step {
    /// A good position.
    Position(&'static str, Vec<&'static str>),
    /// A faulty one.
    Fault(&'static str),
    Ban(Vec<&'static str>),
    Go(&'static str),
    /// Anything without a lasting effect on what a reply may be.
    Other(&'static str),
    Stop,
    PonderHit,
    Ready,
    Pause(u8),
}

const MATED: &str = "3k5/3RP4/9/9/9/9/9/9/9/4K4 b - - 0 1";
const BARE: &str = "5k3/9/9/9/9/9/9/9/9/3K5 w - - 0 1";

fn step() -> impl Strategy<Value = Step> {
    let moves = prop::sample::subsequence(vec!["h2e2", "h9g7", "h0g2", "i9h9"], 0..=4)
        .prop_filter("a prefix of the game", |moves| {
            moves.iter().zip(["h2e2", "h9g7", "h0g2", "i9h9"]).all(|(&mv, other)| mv == other)
        });
    prop_oneof![
        2 => moves.prop_map(|moves| Step::Position("startpos", moves)),
        1 => prop::sample::select(vec![MATED, BARE]).prop_map(|fen| Step::Position(fen, Vec::new())),
        1 => prop::sample::select(vec![
            "position fen rubbish",
            "position",
            "position fen 4k4/9/9/9/9/9/9/9/9/4K4 w",
            "fen 9/9/9/9/9/9/9/9/9/9 b",
        ]).prop_map(Step::Fault),
        1 => prop::sample::subsequence(vec!["h2e2", "b2e2", "d0d1", "d0e0", "a0a1", "junk"], 0..=6).prop_map(Step::Ban),
        6 => prop::sample::select(vec![
            "go depth 1",
            "go depth 3",
            "go nodes 100",
            "go infinite",
            "go",
            "go infinite depth 2",
            "go ponder time 60 increment 0",
            "go ponder depth 1",
            "go time 60 increment 0",
            "go movetime 35",
            "go wtime 70 btime 70",
            "go draw time 1",
            "go time 0",
            "go btime 50",
            "go opptime 40 oppincrement 2",
            "go mate",
            "go draw depth 2",
        ]).prop_map(Step::Go),
        3 => prop::sample::select(vec![
            "setoption hashsize 16",
            "setoption hashsize nonsense",
            "setoption newgame",
            "setoption debug true",
            "setoption debug false",
            "setoption rules cxa",
            "setoption unknown 7",
            "ucinewgame",
            "hello",
            "",
            "ucci",
            "uci",
            "setoption bookfiles builtin",
            "setoption usebook false",
            "setoption bookfiles /no/such/file",
            "setoption multipv 3",
            "setoption name Sixty Move Rule value false",
            "probe startpos",
            "d",
            "eval",
        ]).prop_map(Step::Other),
        3 => Just(Step::Stop),
        2 => Just(Step::PonderHit),
        2 => Just(Step::Ready),
        3 => (0..40u8).prop_map(Step::Pause),
    ]
}

/// The moves that may answer a `go`, worked out from the commands before it.
#[derive(Clone)]
struct Board {
    position: Option<Position>,
    banned: HashSet<String>,
}

impl Board {
    fn allowed(&self) -> HashSet<String> {
        let legal = |position: &Position| -> HashSet<String> {
            position
                .legal_moves()
                .iter()
                .map(ToString::to_string)
                .filter(|mv| !self.banned.contains(mv))
                .collect()
        };
        self.position.as_ref().map(legal).unwrap_or_default()
    }
}

/// Sends the steps, and gives the sets of moves that the replies must come from, in order.
fn perform(dialogue: &mut Dialogue, steps: &[Step]) -> Vec<HashSet<String>> {
    let mut board = Board { position: Some(Position::startpos()), banned: HashSet::new() };
    let mut expected = Vec::new();
    for step in steps {
        match step {
            Step::Position(start, moves) => {
                let from = if *start == "startpos" { (*start).to_owned() } else { format!("fen {start}") };
                dialogue.send(&format!("position {from} moves {}", moves.join(" ")));
                let root =
                    if *start == "startpos" { Ok(Position::startpos()) } else { Position::from_fen(start) };
                let play = |position: Position, mv: &&str| position.play(mv.parse::<Move>().expect("a move"));
                board.position = root.ok().map(|root| moves.iter().fold(root, play));
                board.banned.clear();
            }
            Step::Fault(line) => {
                dialogue.send(line);
                board.position = None;
                board.banned.clear();
            }
            Step::Ban(moves) => {
                dialogue.send(&format!("banmoves {}", moves.join(" ")));
                board.banned = moves.iter().map(|&mv| mv.to_owned()).collect();
            }
            Step::Go(line) => {
                dialogue.send(line);
                expected.push(board.allowed());
            }
            Step::Other(line) => dialogue.send(line),
            Step::Stop => dialogue.send("stop"),
            Step::PonderHit => dialogue.send("ponderhit"),
            Step::Ready => dialogue.send("isready"),
            Step::Pause(millis) => thread::sleep(Duration::from_millis(u64::from(*millis))),
        }
    }
    expected
}

/// Replies in UCI: idle stops are silent there, so that every reply belongs to a `go`.
fn check_uci(steps: &[Step]) {
    let steps: Vec<Step> =
        steps.iter().filter(|step| !matches!(step, Step::Other("ucci"))).cloned().collect();
    let mut dialogue = Dialogue::start();
    dialogue.send("uci");
    let expected = perform(&mut dialogue, &steps);
    let said = dialogue.close();
    let replies: Vec<&String> = said.iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(replies.len(), expected.len(), "one reply per go: {steps:?}\n{said:#?}");
    for (reply, allowed) in replies.iter().zip(&expected) {
        let mv = reply.split(' ').nth(1).unwrap_or_default();
        if allowed.is_empty() {
            assert_eq!(mv, "(none)", "{steps:?}");
        } else {
            assert!(allowed.contains(mv), "{reply} is not allowed: {steps:?}");
        }
    }
    let ready = steps.iter().filter(|step| matches!(step, Step::Ready)).count();
    assert_eq!(said.iter().filter(|line| *line == "readyok").count(), ready);
}

/// In UCCI `nobestmove` also answers an idle stop: no less than one reply per `go`, no more than one per `stop` beside.
fn check_ucci(steps: &[Step]) {
    let steps: Vec<Step> = steps.iter().filter(|step| !matches!(step, Step::Other("uci"))).cloned().collect();
    let mut dialogue = Dialogue::start();
    dialogue.send("ucci");
    let expected = perform(&mut dialogue, &steps);
    let said = dialogue.close();
    let stops = steps.iter().filter(|step| matches!(step, Step::Stop)).count();
    let moves = said.iter().filter(|line| line.starts_with("bestmove ")).count();
    let none = said.iter().filter(|line| *line == "nobestmove").count();
    let with_move = expected.iter().filter(|allowed| !allowed.is_empty()).count();
    assert_eq!(moves, with_move, "{steps:?}\n{said:#?}");
    let without = expected.len() - with_move;
    assert!((without..=without + stops).contains(&none), "{none} of {without}: {steps:?}\n{said:#?}");
    assert_eq!(said.last().map(String::as_str), Some("bye"));
}

/// Thousands of commands; the streams run side by side because they mostly wait.
#[test]
fn one_legal_reply_per_go() {
    let stream = |seed: u8| {
        let config =
            Config { cases: 25, max_shrink_iters: 200, failure_persistence: None, ..Config::default() };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
        let outcome =
            TestRunner::new_with_rng(config, rng).run(&prop::collection::vec(step(), 1..60), |steps| {
                check_uci(&steps);
                check_ucci(&steps);
                Ok(())
            });
        assert!(outcome.is_ok(), "seed {seed}: {outcome:?}");
    };
    let streams: Vec<_> = (0..8).map(|seed| thread::spawn(move || stream(seed))).collect();
    let failed = streams.into_iter().filter_map(|stream| stream.join().err()).count();
    assert_eq!(failed, 0, "streams failed, see above");
}
