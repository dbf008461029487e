//! The lines the runner writes to engines. Pure functions: a turn in, text out.

use std::time::Duration;

use movegen::{Color, History, Position};

use super::clock::Clock;
use super::config::{MoveLimits, Protocol, RankBase};
use super::replies::write_move;

/// What an engine has to know when it is its turn.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    /// The game so far.
    pub history: &'a History,
    /// Both clocks, by [`Color::index`]; `None` for a player without one.
    pub clocks: [Option<Clock>; 2],
}

impl Turn<'_> {
    /// The side to move.
    pub fn side(&self) -> Color {
        self.history.current().side_to_move()
    }

    /// The clock of `side`, or the other one's if it has none.
    fn clock(&self, side: Color) -> Option<Clock> {
        self.clocks[side.index()].or(self.clocks[(!side).index()])
    }
}

/// Milliseconds, at least one: some engines read 0 as "no limit".
fn millis(time: Duration) -> u128 {
    time.as_millis().max(1)
}

/// The `position` line.
///
/// UCI gets the whole game; UCCI the position after the last capture and the moves since, as its specification asks.
pub fn position(history: &History, protocol: Protocol, base: RankBase) -> String {
    let positions = history.positions();
    let first = match protocol {
        Protocol::Ucci => positions.iter().rposition(|position| position.halfmove_clock() == 0).unwrap_or(0),
        _ => 0,
    };
    let start = &positions[first];
    let mut line = if *start == Position::startpos() {
        "position startpos".to_owned()
    } else {
        format!("position fen {}", start.fen())
    };
    let mut moves = history.moves()[first..].iter().flatten().peekable();
    if moves.peek().is_some() {
        line.push_str(" moves");
    }
    for &mv in moves {
        line.push(' ');
        line.push_str(&write_move(mv, base));
    }
    line
}

/// The `go` line of UCI.
pub fn go_uci(turn: &Turn<'_>, limits: &MoveLimits, ponder: bool) -> String {
    let mut line = "go".to_owned();
    let mut add = |text: String| {
        line.push(' ');
        line.push_str(&text);
    };
    if ponder {
        add("ponder".to_owned());
    }
    if limits.clock.is_some() {
        for (name, side) in [('w', Color::Red), ('b', Color::Black)] {
            if let Some(clock) = turn.clock(side) {
                add(format!("{name}time {}", millis(clock.remaining())));
            }
        }
        for (name, side) in [('w', Color::Red), ('b', Color::Black)] {
            if let Some(clock) = turn.clock(side) {
                add(format!("{name}inc {}", clock.increment().as_millis()));
            }
        }
        if let Some(moves) = turn.clock(turn.side()).and_then(|clock| clock.moves_left()) {
            add(format!("movestogo {moves}"));
        }
    }
    if let Some(time) = limits.move_time {
        add(format!("movetime {}", millis(time)));
    }
    if let Some(nodes) = limits.nodes {
        add(format!("nodes {nodes}"));
    }
    if let Some(depth) = limits.depth {
        add(format!("depth {depth}"));
    }
    line
}

/// The `go` line of UCCI; times in milliseconds or in whole seconds.
pub fn go_ucci(turn: &Turn<'_>, limits: &MoveLimits, ponder: bool, milliseconds: bool) -> String {
    let time = |time: Duration| if milliseconds { millis(time) } else { u128::from(time.as_secs().max(1)) };
    let increment = |time: Duration| if milliseconds { time.as_millis() } else { u128::from(time.as_secs()) };
    let mut line = if ponder { "go ponder".to_owned() } else { "go".to_owned() };
    let mut add = |text: String| {
        line.push(' ');
        line.push_str(&text);
    };
    if limits.clock.is_some() {
        let side = turn.side();
        for (prefix, clock) in [("", turn.clock(side)), ("opp", turn.clock(!side))] {
            let Some(clock) = clock else { continue };
            add(format!("{prefix}time {}", time(clock.remaining())));
            match clock.moves_left() {
                Some(moves) => add(format!("{prefix}movestogo {moves}")),
                None => add(format!("{prefix}increment {}", increment(clock.increment()))),
            }
        }
    } else if let Some(move_time) = limits.move_time {
        add(format!("time {} movestogo 1", time(move_time)));
    }
    if let Some(nodes) = limits.nodes {
        add(format!("nodes {nodes}"));
    }
    if let Some(depth) = limits.depth {
        add(format!("depth {depth}"));
    }
    line
}

/// The lines that set an XBoard engine's time control and depth.
pub fn xboard_limits(limits: &MoveLimits) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(control) = limits.clock {
        let seconds = control.base.as_secs().max(1);
        let increment = control.increment.as_secs_f64();
        let moves = control.moves.unwrap_or(0);
        lines.push(format!("level {moves} {}:{:02} {increment}", seconds / 60, seconds % 60));
    }
    if let Some(time) = limits.move_time {
        lines.push(format!("st {}", time.as_secs().max(1)));
    }
    if let Some(depth) = limits.depth {
        lines.push(format!("sd {depth}"));
    }
    lines
}

/// The lines that tell an XBoard engine both clocks, in centiseconds.
pub fn xboard_clocks(turn: &Turn<'_>) -> Vec<String> {
    let side = turn.side();
    [("time", side), ("otim", !side)]
        .into_iter()
        .filter_map(|(word, side)| {
            Some(format!("{word} {}", (turn.clock(side)?.remaining().as_millis() / 10).max(1)))
        })
        .collect()
}
