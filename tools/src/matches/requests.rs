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

/// What of these limits cannot be told over a protocol: the engine would be held to what it does not know.
/// UCCI counts in whole seconds unless the engine announces `usemillisec`.
pub fn inexpressible(limits: &MoveLimits, protocol: Protocol, in_milliseconds: bool) -> Option<&'static str> {
    let MoveLimits { clock, move_time, nodes, .. } = limits;
    let is_broken = |time: &Option<Duration>| time.is_some_and(|time| time.subsec_nanos() > 0);
    let two_clocks = clock.is_some() && move_time.is_some();
    match protocol {
        Protocol::Xboard if nodes.is_some() => Some("the XBoard protocol knows no node limit (nodes=)"),
        Protocol::Xboard if two_clocks => Some("the XBoard protocol knows tc= or st=, not both"),
        Protocol::Xboard if is_broken(move_time) => Some("the XBoard protocol counts st= in whole seconds"),
        Protocol::Ucci if two_clocks => Some("UCCI knows tc= or st=, not both"),
        Protocol::Ucci if clock.is_some_and(|clock| clock.moves.is_some() && !clock.increment.is_zero()) => {
            Some("UCCI knows tc= with a number of moves or with an increment, not both")
        }
        Protocol::Ucci if !in_milliseconds && is_broken(move_time) => {
            Some("this engine lacks usemillisec and counts st= in whole seconds")
        }
        Protocol::Ucci if !in_milliseconds && clock.is_some_and(|clock| clock.base.as_secs() == 0) => {
            Some("this engine lacks usemillisec and knows no clock of less than a second")
        }
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: Option<&str>, moves: &str) -> History {
        let start = fen.map_or_else(Position::startpos, |fen| Position::from_fen(fen).expect(fen));
        let mut history = History::new(start);
        for text in moves.split_whitespace() {
            history.push(text.parse().expect(text));
        }
        history
    }

    fn limits(tc: &str) -> MoveLimits {
        MoveLimits { clock: Some(tc.parse().expect(tc)), ..MoveLimits::default() }
    }

    fn clock(tc: &str) -> Clock {
        Clock::new(tc.parse().expect(tc))
    }

    #[test]
    fn position_lines() {
        // Sources: the examples of the UCI dialects and of UCCI; a2a9 captures, so UCCI starts there.
        let history = game(None, "h2e2 h9g7");
        let line = |protocol, base| position(&history, protocol, base);
        assert_eq!(line(Protocol::Uci, RankBase::Zero), "position startpos moves h2e2 h9g7");
        assert_eq!(line(Protocol::Uci, RankBase::One), "position startpos moves h3e3 h10g8");
        assert_eq!(line(Protocol::Ucci, RankBase::Zero), "position startpos moves h2e2 h9g7");
        let history = game(None, "b2b9 a9b9 h2e2");
        let uci = position(&history, Protocol::Uci, RankBase::Zero);
        assert_eq!(uci, "position startpos moves b2b9 a9b9 h2e2");
        let ucci = position(&history, Protocol::Ucci, RankBase::Zero);
        let fen = "1rbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/7C1/9/RNBAKABNR w - - 0 2";
        assert_eq!(ucci, format!("position fen {fen} moves h2e2"));
        let fen = "4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 7 9";
        let history = game(Some(fen), "");
        assert_eq!(position(&history, Protocol::Ucci, RankBase::Zero), format!("position fen {fen}"));
        assert_eq!(position(&history, Protocol::Uci, RankBase::Zero), format!("position fen {fen}"));
    }

    #[test]
    fn go_lines() {
        let (red, black) = (game(None, ""), game(None, "h2e2"));
        let clocks = [clock("60+0.6"), clock("30+0.5")].map(Some);
        let turn = |history| Turn { history, clocks };
        let tc = limits("60+0.6");
        let uci = "go wtime 60000 btime 30000 winc 600 binc 500";
        assert_eq!(go_uci(&turn(&red), &tc, false), uci);
        assert_eq!(go_uci(&turn(&black), &tc, false), uci);
        assert_eq!(go_uci(&turn(&red), &tc, true), uci.replace("go", "go ponder"));
        let ucci = "go time 60000 increment 600 opptime 30000 oppincrement 500";
        assert_eq!(go_ucci(&turn(&red), &tc, false, true), ucci);
        let ucci = "go ponder time 30000 increment 500 opptime 60000 oppincrement 600";
        assert_eq!(go_ucci(&turn(&black), &tc, true, true), ucci);
        let seconds = "go time 60 increment 0 opptime 30 oppincrement 0";
        assert_eq!(go_ucci(&turn(&red), &tc, false, false), seconds);
        // An opponent without a clock is shown the own one; a control counts moves.
        let alone = Turn { history: &red, clocks: [Some(clock("40/60")), None] };
        assert_eq!(go_uci(&alone, &tc, false), "go wtime 60000 btime 60000 winc 0 binc 0 movestogo 40");
        let ucci = "go time 60000 movestogo 40 opptime 60000 oppmovestogo 40";
        assert_eq!(go_ucci(&alone, &tc, false, true), ucci);
        let none = Turn { history: &red, clocks: [None; 2] };
        let fixed = MoveLimits { move_time: Some(Duration::from_millis(100)), ..MoveLimits::default() };
        assert_eq!(go_uci(&none, &fixed, false), "go movetime 100");
        assert_eq!(go_ucci(&none, &fixed, false, true), "go time 100 movestogo 1");
        let nodes = MoveLimits { nodes: Some(216), depth: Some(9), ..MoveLimits::default() };
        assert_eq!(go_uci(&none, &nodes, false), "go nodes 216 depth 9");
        assert_eq!(go_ucci(&none, &nodes, false, true), "go nodes 216 depth 9");
    }

    #[test]
    fn an_engine_is_told_all_it_is_held_to() {
        // Source: one mode a `go` and either `movestogo` or `increment` in UCCI (docs/ucci.md, 4.6); `level` or `st`, the latter
        // in seconds, in the XBoard protocol.
        let limits = |tc: &str, st: u64, nodes| MoveLimits {
            clock: (!tc.is_empty()).then(|| tc.parse().expect(tc)),
            move_time: (st > 0).then(|| Duration::from_millis(st)),
            nodes,
            depth: Some(5),
        };
        for (limits, uci, ucci, seconds, xboard) in [
            (limits("5+0.05", 0, None), true, true, true, true),
            (limits("5+0.05", 0, Some(9)), true, true, true, false),
            (limits("5", 1000, None), true, false, false, false),
            (limits("", 300, None), true, true, false, false),
            (limits("", 2000, None), true, true, true, true),
            (limits("0.5", 0, None), true, true, false, true),
            (limits("40/60+1", 0, None), true, false, false, true),
            (limits("40/60", 0, None), true, true, true, true),
        ] {
            let can = |protocol, exact| inexpressible(&limits, protocol, exact).is_none();
            let found = [can(Protocol::Uci, true), can(Protocol::Ucci, true), can(Protocol::Ucci, false)];
            assert_eq!(found, [uci, ucci, seconds], "{limits}");
            assert_eq!(can(Protocol::Xboard, true), xboard, "{limits}");
        }
    }

    #[test]
    fn xboard_lines() {
        assert_eq!(xboard_limits(&limits("40/90+1.5")), ["level 40 1:30 1.5"]);
        let fixed =
            MoveLimits { move_time: Some(Duration::from_secs(2)), depth: Some(7), ..MoveLimits::default() };
        assert_eq!(xboard_limits(&fixed), ["st 2", "sd 7"]);
        let history = game(None, "h2e2");
        let turn = Turn { history: &history, clocks: [clock("5"), clock("3")].map(Some) };
        assert_eq!(xboard_clocks(&turn), ["time 300", "otim 500"]);
        assert!(xboard_clocks(&Turn { history: &history, clocks: [None; 2] }).is_empty());
    }
}
