//! Texts for people at a terminal: the board, the evaluation, counts, the benchmark, and help.

use std::fmt::Write as _;
use std::time::Instant;

use engine::options::{OPTIONS, OptionSpec, Protocol};
use engine::{Game, bench as workload, perft as counting};
use movegen::{File, Piece, Position, Rank, Setup, Square};
use search::Control;
use search::nnue::Network;

use crate::NAME;
use crate::format::{Style, kind_word, message};

/// The answer to `license`.
pub const LICENSE: &str =
    "Licensed under either of the Apache License 2.0 or the MIT licence, at your option.";

/// The answer to `d`: board, FEN, key, and the pieces that give check.
pub fn board(game: &Game, style: Style) -> String {
    if let Some(setup) = game.unreachable() {
        return format!(
            "{}\nFen: {}\nThis position cannot be played.",
            drawing(setup, style),
            setup.to_fen()
        );
    }
    let position = game.position();
    let checkers: Vec<String> = position.checkers().iter().map(|square| style.square(square)).collect();
    let mut text = format!(
        "{}\nFen: {}\nKey: {:016X}\nCheckers: {}",
        drawing(&position.to_setup(), style),
        position.fen(),
        position.key(),
        checkers.join(" ")
    );
    if !game.is_playable() {
        text += "\nThe last position was refused: this is the one before it.";
    }
    text
}

/// The board, ranks numbered as the moves are.
fn drawing(setup: &Setup, style: Style) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let label = style.square(Square::new(File::A, rank));
        let _ = write!(text, "{:>2}", label.trim_start_matches('a'));
        for file in File::ALL {
            let piece = setup.board[Square::new(file, rank).index()];
            let _ = write!(text, " {}", piece.map_or('.', Piece::to_char));
        }
        text.push('\n');
    }
    text + "   a b c d e f g h i"
}

/// The answer to `eval`, by the network that evaluates.
pub fn evaluation(game: &Game, network: Option<&Network>) -> String {
    if game.unreachable().is_some() {
        return "Evaluation: none (this position cannot be played)".to_owned();
    }
    let position = game.position();
    if position.in_check() {
        return "Evaluation: none (in check)".to_owned();
    }
    search::evaluate_trace(position, network)
}

/// The answer to `go perft`: a count for each move, and the total.
pub fn perft(position: &Position, depth: u32, style: Style, control: &Control, line: &mut dyn FnMut(String)) {
    let start = Instant::now();
    let total = counting::divide(position, depth, control, &mut |mv, leaves| {
        line(format!("{}: {leaves}", style.mv(mv)));
    });
    match total {
        None => line(message(style.protocol, "perft was stopped")),
        Some(total) => {
            log::debug!("perft {depth}: {total} in {:?}", start.elapsed());
            line(String::new());
            line(format!("Nodes searched: {total}"));
        }
    }
}

/// The answer to `bench`: the fixed workload. The last line is the one that test harnesses read.
pub fn bench(depth: Option<u32>, protocol: Protocol, control: &Control, line: &mut dyn FnMut(String)) {
    let depth = depth.unwrap_or(workload::DEFAULT_DEPTH).max(1);
    let count = workload::positions().count();
    let outcome = workload::run(depth, control, &mut |number, fen, nodes| {
        line(format!("Position {number}/{count}: {fen}: {nodes} nodes"));
    });
    match outcome {
        Ok(Some(report)) => {
            line(String::new());
            line(format!("Depth: {depth}"));
            line(format!("Total time (ms): {}", report.time.as_millis()));
            line(format!("Nodes searched: {}", report.nodes));
            line(format!("Nodes/second: {}", report.nps()));
            line(format!("{} nodes {} nps", report.nodes, report.nps()));
        }
        Ok(None) => line(message(protocol, "bench was stopped")),
        Err(error) => line(message(protocol, &format!("bench: {error}"))),
    }
}

/// The answer to `compiler`: how this program was built.
pub fn build() -> String {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    format!(
        "{NAME} {} for {} on {}, {profile} build",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS
    )
}

/// The answer to `help`.
pub fn commands() -> String {
    format!(
        "{NAME} plays xiangqi (Chinese chess). A graphical interface talks to it over UCCI or UCI; in a terminal try:
  position startpos moves h2e2    set up a position (also: position fen <FEN> moves ...)
  go depth 12                     search (also: go movetime 1000, go nodes 100000, go infinite and stop)
  d                               show the board
  eval                            show the evaluation
  flip                            swap the colours
  go perft 4                      count the leaves below each legal move
  bench [depth]                   fixed workload, with the built-in network whatever EvalFile names
  ucci, uci                       handshake of either protocol, with all options
  setoption name Hash value 64    set an option (UCCI: setoption hashsize 64)
  quit"
    )
}

/// The text of `--help`.
pub fn usage() -> String {
    let mut text = format!(
        "{NAME} {}: a xiangqi engine over UCCI and UCI

Usage:
  phao                       talk to a graphical interface, or to you (try: help)
  phao bench [DEPTH]         search fixed positions with the built-in network; the node count is the signature
                             of the build
  phao perft DEPTH [FEN]     count the leaves of the move tree
  phao --help, --version

  --log FILE                 write the whole dialogue with times to FILE; a game goes on if it cannot

Options (UCCI: setoption NAME VALUE, UCI: setoption name NAME value VALUE):
",
        env!("CARGO_PKG_VERSION")
    );
    for spec in OPTIONS {
        let names: Vec<&str> = spec.ucci.into_iter().chain(spec.uci).collect();
        let _ = writeln!(text, "  {:27} {:28} {}", names.join(", "), facts(spec), spec.doc);
    }
    text
}

/// The table of options for the README, in Markdown.
pub fn options_table() -> String {
    let mut text = "| UCCI | UCI | type and default | what it does |\n|---|---|---|---|\n".to_owned();
    for spec in OPTIONS {
        let name = |protocol| spec.name(protocol).map_or_else(|| "–".to_owned(), |name| format!("`{name}`"));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            name(Protocol::Ucci),
            name(Protocol::Uci),
            facts(spec),
            spec.doc
        );
    }
    text
}

/// Kind, default and range in a few words.
fn facts(spec: &OptionSpec) -> String {
    let mut text = kind_word(&spec.kind).to_owned();
    let protocol = if spec.uci.is_some() { Protocol::Uci } else { Protocol::Ucci };
    match spec.kind.default_text(protocol) {
        Some(default) if default.is_empty() => text += ", empty",
        Some(default) => text = format!("{text}, {default}"),
        None => {}
    }
    if let Some((min, max)) = spec.kind.announced_range(protocol) {
        let _ = write!(text, " ({min} to {max})");
    }
    if let engine::options::Kind::Combo { choices, .. } = &spec.kind {
        // Both words where the protocols differ: either is accepted in both.
        let words: Vec<String> = choices
            .iter()
            .map(|choice| match (choice.word(Protocol::Ucci), choice.word(Protocol::Uci)) {
                (ucci, uci) if ucci == uci || spec.ucci.is_none() => uci.to_owned(),
                (ucci, uci) => format!("{ucci} or {uci}"),
            })
            .collect();
        let _ = write!(text, " ({})", words.join(", "));
    }
    text
}
