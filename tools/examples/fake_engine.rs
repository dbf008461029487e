//! An engine for tests of the match runner: plays the first legal move, or misbehaves as its arguments say.
//!
//! `fake_engine [ucci] [crash=N] [hang=N] [deaf=N] [illegal=N] [garbage=N] [resign=N] [slow=N:MS] [spin=NAME] [ponder=first|last]
//! [base1] [start=MS] [flood=N]`: at its N-th move of
//! every game it does what the word says. `deaf` also ignores `stop` and `quit`; `hang` obeys them. With `spin` it announces an
//! option of that name and resigns at once while its value is below 50.
//! With `start` it needs so long before it listens; `flood` writes without end.
//! With `ponder` it expects the first or the last legal reply, and plays nothing while it ponders.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "an engine writes its replies there")]

use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::time::Duration;

use movegen::Position;

/// The number after `name=` among the arguments.
fn argument(name: &str) -> Option<String> {
    std::env::args().find_map(|argument| argument.strip_prefix(name)?.strip_prefix('=').map(str::to_owned))
}

fn is_at(name: &str, number: u32) -> bool {
    argument(name).and_then(|text| text.split(':').next()?.parse().ok()) == Some(number)
}

/// Ranks from 1, if asked for.
fn spell(mv: &str) -> String {
    if !std::env::args().any(|argument| argument == "base1") {
        return mv.to_owned();
    }
    let rank = |text: &str| text.parse::<u32>().map_or(0, |rank| rank + 1);
    format!("{}{}{}{}", &mv[..1], rank(&mv[1..2]), &mv[2..3], rank(&mv[3..4]))
}

fn say(line: &str) {
    println!("{line}");
    let _ = stdout().flush();
}

/// Reads a `position` line; the fake follows whatever it is told.
fn read_position(line: &str, base1: bool) -> Option<Position> {
    let (setup, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let mut position = match setup.strip_prefix("position fen ") {
        Some(fen) => Position::from_fen(fen).ok()?,
        None => Position::startpos(),
    };
    for word in moves.split_whitespace() {
        let mv = if base1 {
            tools::matches::replies::read_move(word, tools::matches::config::RankBase::One)?
        } else {
            word.parse().ok()?
        };
        position = position.try_play(mv).ok()?;
    }
    Some(position)
}

fn main() {
    let has = |word: &str| std::env::args().any(|argument| argument == word);
    let greeting = if has("ucci") { "ucci" } else { "uci" };
    let mut position = Some(Position::startpos());
    let mut number = 0;
    let mut spin = 50;
    if let Some(ms) = argument("start").and_then(|text| text.parse().ok()) {
        std::thread::sleep(Duration::from_millis(ms));
    }
    for line in stdin().lock().lines() {
        let Ok(line) = line else { return };
        match line.split_whitespace().next().unwrap_or("") {
            word if word == greeting => {
                say("id name Fake");
                say(if has("ucci") {
                    "option usemillisec type check default false\noption newgame type button"
                } else {
                    "option name UCI_Variant type combo default chess var chess var xiangqi"
                });
                if let Some(name) = argument("spin") {
                    say(&format!("option name {name} type spin default 50 min 0 max 100"));
                }
                say(&format!("{greeting}ok"));
            }
            "isready" => say("readyok"),
            "ucinewgame" => number = 0,
            "setoption" if line.contains("newgame") => number = 0,
            "setoption" if argument("spin").is_some_and(|name| line.contains(&name)) => {
                spin = line.split_whitespace().last().and_then(|value| value.parse().ok()).unwrap_or(spin);
            }
            "position" => position = read_position(&line, has("base1")),
            "go" if line.starts_with("go ponder") => {}
            "go" | "ponderhit" => {
                number += 1;
                let Some(mv) = position.as_ref().and_then(|position| position.legal_moves().first().copied())
                else {
                    say("bestmove (none)");
                    continue;
                };
                // Its first search may be the runner's question about the ranks.
                if line.ends_with("depth 1") && !is_at("depth", 1) {
                    number = 0;
                }
                if is_at("flood", number) {
                    loop {
                        say("info depth 1 score cp 1");
                    }
                } else if is_at("crash", number) {
                    std::process::exit(3);
                } else if is_at("deaf", number) {
                    loop {
                        std::thread::sleep(Duration::from_secs(1));
                    }
                } else if is_at("hang", number) {
                    continue;
                } else if is_at("illegal", number) {
                    say("bestmove a0a9");
                    continue;
                } else if is_at("garbage", number) {
                    say("bestmove Che3");
                    continue;
                } else if is_at("resign", number) || number > 0 && spin < 50 {
                    say("bestmove (none)");
                    continue;
                } else if is_at("slow", number) {
                    let ms =
                        argument("slow").and_then(|text| text.split(':').nth(1)?.parse().ok()).unwrap_or(0);
                    std::thread::sleep(Duration::from_millis(ms));
                }
                say(&format!("info depth {number} score cp {number} nodes 10 pv {mv}"));
                let guess = position.as_ref().and_then(|position| {
                    let replies = position.play(mv).legal_moves();
                    match argument("ponder")?.as_str() {
                        "first" => replies.first().copied(),
                        _ => replies.last().copied(),
                    }
                });
                let guess =
                    guess.map_or_else(String::new, |guess| format!(" ponder {}", spell(&guess.to_string())));
                say(&format!("bestmove {}{guess}", spell(&mv.to_string())));
            }
            "stop" => say("bestmove h2e2"),
            "quit" => return,
            _ => {}
        }
    }
}
