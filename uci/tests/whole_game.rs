//! Two of the built programs play a whole game over UCCI, with movegen as the referee.
//!
//! The program is the one of this build, or the one the environment variable `PHAO_PROGRAM` names.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use movegen::rules::{RuleSet, Verdict, judge};
use movegen::{History, Move, Position};

/// Nodes a move: enough to play on, little enough for a debug build.
const NODES: u64 = 1_500;

/// More plies than the law lets a game without an end last.
const MOST_PLIES: usize = 1_000;

struct Player {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Player {
    fn start() -> Self {
        let program = env::var_os("PHAO_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_phao").into());
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = process.stdin.take().expect("piped");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        let mut player = Self { process, input, output };
        player.send("ucci");
        player.until("ucciok");
        player.send("setoption newgame");
        player.send("isready");
        player.until("readyok");
        player
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the program reads");
    }

    /// Reads up to the first line that starts with this word.
    fn until(&mut self, word: &str) -> String {
        loop {
            let mut line = String::new();
            let length = self.output.read_line(&mut line).expect("text");
            assert!(length > 0, "the program ended before '{word}'");
            assert!(!line.starts_with("info message"), "a complaint: {line}");
            if line.split_whitespace().next() == Some(word) {
                return line;
            }
        }
    }

    /// The move for this position, set up as UCCI asks: the board after the last capture and the moves since.
    fn think(&mut self, position: &str) -> Move {
        self.send(&format!("position {position}"));
        self.send(&format!("go nodes {NODES}"));
        let reply = self.until("bestmove");
        let mv = reply.split_whitespace().nth(1).expect("a move");
        mv.parse().unwrap_or_else(|error| panic!("{reply}: {error}"))
    }

    fn quit(mut self) {
        self.send("quit");
        self.until("bye");
        let output = self.process.wait_with_output().expect("the program ends");
        assert!(output.status.success(), "{:?}", output.status);
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The arguments of `position` for the game so far.
fn since_the_last_capture(game: &History) -> String {
    let start = game.len().saturating_sub(usize::from(game.current().halfmove_clock()));
    let moves: Vec<String> = game.moves()[start..].iter().flatten().map(Move::to_string).collect();
    let fen = game.positions()[start].fen();
    if moves.is_empty() { format!("fen {fen}") } else { format!("fen {fen} moves {}", moves.join(" ")) }
}

#[test]
fn a_whole_game_over_ucci() {
    let mut players = [Player::start(), Player::start()];
    let mut game = History::new(Position::startpos());
    while judge(&game, RuleSet::default()) == Verdict::None {
        assert!(game.len() < MOST_PLIES, "the game does not end: {}", game.current().fen());
        let turn = game.current().side_to_move().index();
        let mv = players[turn].think(&since_the_last_capture(&game));
        assert!(game.current().is_legal(mv), "{mv} in {}", game.current().fen());
        game.push(mv);
    }
    assert!(game.len() > 20, "a game of {} plies", game.len());
    players.into_iter().for_each(Player::quit);
}
