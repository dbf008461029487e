//! From a line to a [`Command`].
//!
//! One tolerant grammar serves UCCI, UCI and Cyclone: their words do not clash, and drivers mix them. Keywords are
//! compared without regard to case; any run of blanks or tabs separates words. Parsing cannot fail: what is not
//! understood is [`Command::Unknown`], and faults inside a command are part of it.

use engine::options::Protocol;

use crate::command::{Board, Command, Go, Setting, Start};

/// Reads one line (without its end).
pub fn parse(line: &str) -> Command<'_> {
    let line = line.trim_start().trim_ascii_end();
    let (keyword, rest) = split_word(line);
    match keyword.to_ascii_lowercase().as_str() {
        "" => Command::Empty,
        "ucci" => Command::Handshake(Protocol::Ucci),
        "uci" | "ucicyclone" => Command::Handshake(Protocol::Uci),
        "isready" => Command::IsReady,
        "setoption" => Command::SetOption(setting(rest)),
        "debug" => Command::Debug(split_word(rest).0),
        "ucinewgame" | "newgame" | "uccinewgame" => Command::NewGame,
        "position" => Command::Position(board(rest)),
        // Cyclone leaves out the word `position`; Sylvan repeats the position this way.
        "fen" | "startpos" => Command::Position(board(line)),
        "banmoves" => Command::BanMoves(rest.split_whitespace().collect()),
        "go" => Command::Go(Box::new(go(rest))),
        "ponderhit" => Command::PonderHit { draw: rest.split_whitespace().any(|word| is(word, "draw")) },
        "stop" => Command::Stop,
        "probe" => Command::Probe(board(rest)),
        "quit" => Command::Quit,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "flip" => Command::Flip,
        "bench" => Command::Bench { depth: bench_depth(rest) },
        "help" | "--help" => Command::Help,
        "compiler" => Command::Compiler,
        "license" => Command::License,
        _ => Command::Unknown(line),
    }
}

/// The first word, and what follows it without leading blanks of ASCII: others may be part of the name of a file, but for one that ends the
/// word.
pub(crate) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii_start();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_ascii_start())
}

fn is(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

/// Splits `text` before the first word that is `keyword`: what comes before it, and what follows it.
fn split_at_keyword<'a>(text: &'a str, keyword: &str) -> Option<(&'a str, &'a str)> {
    let mut rest = text;
    loop {
        let start = rest.trim_ascii_start();
        if start.is_empty() {
            return None;
        }
        let (word, after) = split_word(start);
        if is(word, keyword) {
            return Some((text[..text.len() - start.len()].trim(), after));
        }
        rest = after;
    }
}

fn setting(rest: &str) -> Setting<'_> {
    // A name begins with no blank of any kind; the values after it may.
    let rest = rest.trim_start();
    let (first, after) = split_word(rest);
    if !is(first, "name") {
        return Setting::Words(rest.trim_ascii_end());
    }
    match split_at_keyword(after, "value") {
        Some((name, value)) => Setting::Named { name, value: value.trim_ascii() },
        None => Setting::Named { name: after.trim(), value: "" },
    }
}

fn board(rest: &str) -> Board<'_> {
    let (head, moves) = split_at_keyword(rest, "moves").unwrap_or((rest.trim(), ""));
    let (word, after) = split_word(head);
    let start = if is(word, "startpos") {
        if after.is_empty() { Start::Startpos } else { Start::Excess(after) }
    } else if is(word, "fen") {
        Start::Fen(after)
    } else if word.contains('/') {
        Start::Fen(head)
    } else {
        Start::Missing(if head.is_empty() { split_word(rest).0 } else { head })
    };
    Board { start, moves: moves.split_whitespace().collect() }
}

/// `bench 9`, or the order of Stockfish: `bench <hash> <threads> <depth>`.
fn bench_depth(rest: &str) -> Result<Option<u32>, &str> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let Some(word) = words.get(2).or(words.first()) else { return Ok(None) };
    word.parse().map(Some).map_err(|_| *word)
}

/// Words of `go` that end a list of moves.
const GO_KEYWORDS: &[&str] = &[
    "ponder",
    "draw",
    "infinite",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "movestogo",
    "time",
    "increment",
    "opptime",
    "oppincrement",
    "oppmovestogo",
    "wtime",
    "btime",
    "winc",
    "binc",
    "searchmoves",
    "perft",
];

fn is_go_keyword(word: &str) -> bool {
    GO_KEYWORDS.iter().any(|keyword| is(word, keyword))
}

fn go(rest: &str) -> Go<'_> {
    let mut go = Go::default();
    let mut words = rest.split_whitespace().peekable();
    while let Some(key) = words.next() {
        if is(key, "searchmoves") {
            while let Some(mv) = words.next_if(|word| !is_go_keyword(word)) {
                go.search_moves.push(mv);
            }
            continue;
        }
        let lower = key.to_ascii_lowercase();
        let slot = match lower.as_str() {
            "ponder" => {
                go.ponder = true;
                continue;
            }
            "draw" => {
                go.draw = true;
                continue;
            }
            "infinite" => {
                go.infinite = true;
                continue;
            }
            "depth" => &mut go.depth,
            "nodes" => &mut go.nodes,
            "mate" => &mut go.mate,
            "movetime" => &mut go.move_time,
            "movestogo" => &mut go.moves_to_go,
            "time" => &mut go.time,
            "increment" => &mut go.increment,
            "wtime" => &mut go.red_time,
            "btime" => &mut go.black_time,
            "winc" => &mut go.red_increment,
            "binc" => &mut go.black_increment,
            "perft" => &mut go.perft,
            "opptime" => &mut go.opponent_time,
            "oppincrement" => &mut go.opponent_increment,
            "oppmovestogo" => &mut go.opponent_moves_to_go,
            _ => {
                go.unknown.get_or_insert(key);
                continue;
            }
        };
        let word = words.next_if(|word| !is_go_keyword(word)).unwrap_or("");
        let number = number(word);
        // A key without a number is a limit all the same: the shortest one, so that the driver is not left waiting.
        *slot = Some(number.unwrap_or(u64::from(matches!(lower.as_str(), "depth" | "mate"))));
        if number.is_none() {
            go.fault.get_or_insert((key, word));
            // A mate in one may not be there to be found, and nothing else would end the search.
            if lower == "mate" {
                go.depth.get_or_insert(1);
            }
        }
    }
    go
}

/// A whole number of any length: too large ones saturate, negative ones are 0, decimals are cut off.
fn number(word: &str) -> Option<u64> {
    let negative = word.starts_with('-');
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    Some(if negative { 0 } else { whole.parse().unwrap_or(u64::MAX) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go_of(line: &str) -> Go<'_> {
        match parse(line) {
            Command::Go(go) => *go,
            other => panic!("{line} is {other:?}"),
        }
    }

    #[test]
    fn keywords_in_any_case_with_any_blanks() {
        for line in ["isready", " ISREADY ", "\tIsReady\t\t", "isready now"] {
            assert_eq!(parse(line), Command::IsReady, "{line:?}");
        }
        assert_eq!(parse(""), Command::Empty);
        assert_eq!(parse(" \t "), Command::Empty);
        assert_eq!(parse("xyzzy 1 2"), Command::Unknown("xyzzy 1 2"));
    }

    #[test]
    fn both_grammars_of_setoption() {
        let named = |name, value| Command::SetOption(Setting::Named { name, value });
        assert_eq!(parse("setoption name Move Overhead value 50"), named("Move Overhead", "50"));
        assert_eq!(parse("setoption name Clear Hash"), named("Clear Hash", ""));
        assert_eq!(parse("setoption name Debug Log File value"), named("Debug Log File", ""));
        assert_eq!(parse("SetOption Name Book File Value a value b;c"), named("Book File", "a value b;c"));
        // The ideographic space parts words, but belongs to a name that begins or ends with it.
        assert_eq!(
            parse("setoption name Book File value \u{3000}a\u{3000} "),
            named("Book File", "\u{3000}a\u{3000}")
        );
        let words = "bookfiles \u{3000}a\u{3000}";
        assert_eq!(parse(&format!("setoption {words} ")), Command::SetOption(Setting::Words(words)));
        assert_eq!(split_word(words), ("bookfiles", "\u{3000}a\u{3000}"));
        assert_eq!(split_word("hashsize\u{3000}64"), ("hashsize", "64"));
        assert_eq!(parse("setoption hashsize 64"), Command::SetOption(Setting::Words("hashsize 64")));
        assert_eq!(parse("setoption newgame"), Command::SetOption(Setting::Words("newgame")));
        assert_eq!(parse("setoption"), Command::SetOption(Setting::Words("")));
    }

    #[test]
    fn positions_in_every_form() {
        let fen = "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1";
        let board = |start, moves: &[&'static str]| Command::Position(Board { start, moves: moves.to_vec() });
        assert_eq!(parse("position startpos"), board(Start::Startpos, &[]));
        assert_eq!(parse("startpos moves h2e2"), board(Start::Startpos, &["h2e2"]));
        assert_eq!(parse("position startpos moves  h2e2\th9g7 "), board(Start::Startpos, &["h2e2", "h9g7"]));
        let line = format!("position fen {fen} moves d0d1");
        assert_eq!(parse(&line), board(Start::Fen(fen), &["d0d1"]));
        let line = format!("fen {fen} moves");
        assert_eq!(parse(&line), board(Start::Fen(fen), &[]));
        let line = format!("position {fen}");
        assert_eq!(parse(&line), board(Start::Fen(fen), &[]));
        assert_eq!(parse("position"), board(Start::Missing(""), &[]));
        assert_eq!(parse("position here moves a0a1"), board(Start::Missing("here"), &["a0a1"]));
    }

    #[test]
    fn go_takes_its_words_in_any_order() {
        let go = go_of("go ponder opptime 5 oppincrement 6 increment 7 time 8 movestogo 9");
        assert!(go.ponder && !go.draw && !go.infinite);
        assert_eq!((go.time, go.increment, go.moves_to_go), (Some(8), Some(7), Some(9)));
        let go = go_of("go draw WTIME 1 btime 2 winc 3 binc 4 depth 5 nodes 6 mate 7 movetime 8");
        assert!(go.draw);
        assert_eq!((go.red_time, go.black_time), (Some(1), Some(2)));
        assert_eq!((go.red_increment, go.black_increment), (Some(3), Some(4)));
        assert_eq!((go.depth, go.nodes, go.mate, go.move_time), (Some(5), Some(6), Some(7), Some(8)));
        assert_eq!(go_of("go"), Go::default());
        assert!(go_of("go infinite").infinite);
        assert_eq!(go_of("go perft 3").perft, Some(3));
    }

    #[test]
    fn searchmoves_ends_at_the_next_keyword() {
        let go = go_of("go searchmoves h2e2 b0c2 depth 4");
        assert_eq!(go.search_moves, ["h2e2", "b0c2"]);
        assert_eq!(go.depth, Some(4));
    }

    #[test]
    fn numbers_saturate_and_the_last_one_wins() {
        assert_eq!(go_of("go depth 3 depth 5").depth, Some(5));
        assert_eq!(go_of("go time -20").time, Some(0));
        assert_eq!(go_of("go time 1.9").time, Some(1));
        assert_eq!(go_of("go nodes 99999999999999999999999999").nodes, Some(u64::MAX));
    }

    #[test]
    fn a_key_without_a_number_is_a_fault_and_a_short_limit() {
        let go = go_of("go depth nodes 100");
        assert_eq!((go.depth, go.nodes, go.fault), (Some(1), Some(100), Some(("depth", ""))));
        let go = go_of("go time soon");
        assert_eq!((go.time, go.fault), (Some(0), Some(("time", "soon"))));
        let go = go_of("go mate");
        assert_eq!((go.mate, go.depth, go.fault), (Some(1), Some(1), Some(("mate", ""))));
        assert_eq!(go_of("go mate depth 9").depth, Some(9));
        assert_eq!(go_of("go opptime 5 oppincrement 6 oppmovestogo 7").opponent_moves_to_go, Some(7));
    }

    #[test]
    fn bench_depth_in_both_orders() {
        assert_eq!(parse("bench"), Command::Bench { depth: Ok(None) });
        assert_eq!(parse("bench 7"), Command::Bench { depth: Ok(Some(7)) });
        assert_eq!(parse("bench 16 1 13"), Command::Bench { depth: Ok(Some(13)) });
        assert_eq!(parse("bench deep"), Command::Bench { depth: Err("deep") });
    }

    #[test]
    fn draw_offers() {
        assert_eq!(parse("ponderhit"), Command::PonderHit { draw: false });
        assert_eq!(parse("ponderhit draw"), Command::PonderHit { draw: true });
    }
}
