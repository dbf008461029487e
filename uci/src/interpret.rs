//! What the words of a command mean on the present board and with the options in force.

use std::fmt::Write as _;
use std::time::Duration;

use engine::options::{Lookup, Options, Protocol, lookup};
use engine::time::Clock;
use engine::{Game, GoRequest, PositionFault};
use movegen::{Color, Move, Position};

use crate::command::{Board, Go, Start};
use crate::format::Style;
use crate::parse::split_word;

/// Names of options under UCI have at most this many words.
const LONGEST_NAME: usize = 3;

/// What the words of `go` ask for, with `side` to move.
pub(crate) fn request(go: &Go<'_>, search_moves: Vec<Move>, side: Color, options: &Options) -> GoRequest {
    let millis = |value: Option<u64>| value.map(Duration::from_millis);
    let count = |value: Option<u64>| value.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let clock = clock(go, side, options);
    let depth = count(go.depth).map(|n| n.max(1));
    // No mate in no moves: as without the word.
    let mate = count(go.mate).filter(|&moves| moves > 0);
    let move_time = millis(go.move_time);
    let is_limited =
        depth.is_some() || mate.is_some() || move_time.is_some() || clock.is_some() || go.nodes.is_some();
    GoRequest {
        depth,
        nodes: go.nodes,
        mate,
        move_time,
        clock,
        search_moves,
        infinite: go.infinite || !is_limited,
        ponder: go.ponder,
        draw_offered: go.draw,
        came_at: None,
    }
}

/// The clock to play by, with `side` to move; `None` if `go` gives none.
///
/// A driver that leaves out the time of the side to move (it sent the other side's alone) must not be left waiting: if nothing
/// else ends the search, the other side's clock is then taken for ours, and with no time at all the increment is all there is.
/// Beside our own time the words about the other side count for nothing.
fn clock(go: &Go<'_>, side: Color, options: &Options) -> Option<Clock> {
    let unit = if options.use_millisec { 1 } else { 1_000 };
    let own_unit = |value: Option<u64>| value.map(|n| Duration::from_millis(n.saturating_mul(unit)));
    let millis = |value: Option<u64>| value.map(Duration::from_millis);
    let red = (millis(go.red_time), millis(go.red_increment));
    let black = (millis(go.black_time), millis(go.black_increment));
    let (ours, theirs) = match side {
        Color::Red => (red, black),
        Color::Black => (black, red),
    };
    // No moves to the next control: there is none, as without the word.
    let count = |moves: Option<u64>| moves.filter(|&n| n > 0).map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let increment = own_unit(go.increment).or(ours.1);
    if let Some(time) = own_unit(go.time).or(ours.0) {
        let increment = increment.unwrap_or_default();
        return Some(Clock { time, increment, moves_to_go: count(go.moves_to_go) });
    }
    let ends_otherwise = go.depth.is_some()
        || go.nodes.is_some()
        || go.mate.is_some_and(|moves| moves > 0)
        || go.move_time.is_some();
    let time = own_unit(go.opponent_time).or(theirs.0);
    let increment = increment.or(own_unit(go.opponent_increment)).or(theirs.1);
    // Any word of a clock stands for one, `movestogo` without a number too: nobody waits for a search without end then.
    let moves_to_go = go.moves_to_go.or(go.opponent_moves_to_go);
    if ends_otherwise || time.is_none() && increment.is_none() && moves_to_go.is_none() {
        return None;
    }
    let increment = increment.unwrap_or_default();
    Some(Clock { time: time.unwrap_or(increment), increment, moves_to_go: count(moves_to_go) })
}

/// The words that are legal moves, and a message about the first that is not.
pub(crate) fn legal_words(
    game: &Game,
    words: &[&str],
    command: &str,
    style: Style,
) -> (Vec<Move>, Option<String>) {
    let mut fault = None;
    let mut moves = Vec::new();
    for word in words {
        match style.parse_move(word) {
            Ok(mv) if game.is_playable() && !game.position().is_legal(mv) => {
                fault.get_or_insert_with(|| format!("{command}: move '{word}' is illegal, ignored"));
            }
            Ok(mv) => moves.push(mv),
            Err(error) => {
                fault.get_or_insert_with(|| format!("{command}: {error}, ignored"));
            }
        }
    }
    (moves, fault)
}

/// Sets up a board and plays its moves as far as they go; says what was wrong.
pub(crate) fn set_board(game: &mut Game, board: &Board<'_>, style: Style) -> Option<String> {
    let mut moves = Vec::with_capacity(board.moves.len());
    let mut bad_word = None;
    for (i, word) in board.moves.iter().enumerate() {
        match style.parse_move(word) {
            Ok(mv) => moves.push(mv),
            Err(error) => {
                bad_word = Some((i + 1, error));
                break;
            }
        }
    }
    let outcome = match board.start {
        Start::Startpos => game.set_position(Position::startpos(), &moves),
        Start::Fen(fen) => game.set_fen(fen, &moves),
        Start::Excess(text) => {
            game.refuse();
            return Some(format!("position: unexpected text '{text}' after startpos"));
        }
        Start::Missing(text) => {
            game.refuse();
            return Some(format!("position: expected startpos or fen, found '{text}'"));
        }
    };
    match outcome {
        Ok(()) => bad_word
            .map(|(number, error)| format!("position: move {number}: {error}; {}", what_is_played(number))),
        Err(PositionFault::IllegalMove { number, fen, .. }) => {
            let word = board.moves.get(number - 1).unwrap_or(&"");
            let mut text =
                format!("position: move {number} '{word}' is illegal in {fen}; {}", what_is_played(number));
            // Ranks from 1 often read as moves with ranks from 0, until a rank 10 gives them away.
            if let Some((number, error)) = bad_word
                && error.other.is_some()
            {
                let _ = write!(text, "; move {number}: {error}");
            }
            Some(text)
        }
        Err(fault) => Some(format!("position: {fault}")),
    }
}

/// What stands of a list of moves whose move `number` cannot be played.
fn what_is_played(number: usize) -> &'static str {
    match number {
        0 | 1 => "no move is played",
        2 => "the move before it is played",
        _ => "the moves before it are played",
    }
}

/// Splits the words of UCCI's `setoption`: the longest name known to the table, else the first word.
pub(crate) fn split_option(words: &str, protocol: Protocol) -> (&str, &str) {
    let mut best = split_word(words);
    let mut rest = words;
    for _ in 0..LONGEST_NAME {
        let (word, after) = split_word(rest);
        // A blank that is not of ASCII begins the name of a file.
        if word.is_empty() {
            break;
        }
        let name = words[..words.len() - after.len()].trim_end();
        if !matches!(lookup(name, protocol), Lookup::Unknown) {
            best = (name, after);
        }
        if after.is_empty() {
            break;
        }
        rest = after;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock_of(line: &str, side: Color) -> Option<(u64, u64, Option<u32>)> {
        let crate::command::Command::Go(go) = crate::parse::parse(line) else { return None };
        let clock = clock(&go, side, &Options::default())?;
        Some((clock.time.as_millis() as u64, clock.increment.as_millis() as u64, clock.moves_to_go))
    }

    #[test]
    fn beside_our_own_time_the_other_clock_counts_for_nothing() {
        use Color::{Black, Red};
        let own = Some((3000, 0, None));
        assert_eq!(clock_of("go time 3000 opptime 9 oppincrement 3000 oppmovestogo 1", Red), own);
        assert_eq!(clock_of("go wtime 3000 btime 9 binc 3000", Red), own);
        assert_eq!(clock_of("go wtime 3000 btime 3000 winc 0 binc 0 movestogo 0", Red), own);
        assert_eq!(clock_of("go time 3000 movestogo 0 opptime 3000", Red), own);
        assert_eq!(clock_of("go btime 3000 wtime 9 winc 3000", Black), own);
    }

    #[test]
    fn an_ideographic_space_belongs_to_a_value_but_to_no_name() {
        let split = |words| split_option(words, Protocol::Ucci);
        assert_eq!(split("bookfiles \u{3000}a b"), ("bookfiles", "\u{3000}a b"));
        assert_eq!(split("Debug Log File \u{3000}a"), ("Debug Log File", "\u{3000}a"));
        assert_eq!(split("newgame\u{3000}").0, "newgame");
        let named = |line| match crate::parse::parse(line) {
            crate::command::Command::SetOption(crate::command::Setting::Named { name, value }) => {
                (name.to_owned(), value.to_owned())
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(named("setoption name Clear Hash \u{3000}").0, "Clear Hash");
        assert_eq!(
            named("setoption \u{3000} name \u{3000}Hash value 9"),
            ("Hash".to_owned(), "9".to_owned())
        );
        for line in ["setoption \u{3000}hashsize 32", "\u{3000}setoption\u{3000}hashsize 32"] {
            let crate::command::Command::SetOption(crate::command::Setting::Words(words)) =
                crate::parse::parse(line)
            else {
                panic!("{line}")
            };
            assert_eq!(split(words), ("hashsize", "32"), "{line}");
        }
        assert_eq!(split("Move\u{3000}Overhead 5"), ("Move\u{3000}Overhead", "5"));
        let path = named("setoption name EvalFile\u{3000}value \u{3000}a");
        assert_eq!(path, ("EvalFile".to_owned(), "\u{3000}a".to_owned()));
    }

    #[test]
    fn no_clock_is_made_up_for_a_search_that_ends_by_itself() {
        for limit in ["depth 8", "nodes 50000", "movetime 1500", "mate 2"] {
            for stray in ["winc 0 binc 0", "increment 0", "movestogo 40", "opptime 0", "btime 100"] {
                assert_eq!(clock_of(&format!("go {limit} {stray}"), Color::Red), None, "{limit} {stray}");
            }
        }
    }

    #[test]
    fn a_missing_clock_is_that_of_the_other_side() {
        use Color::{Black, Red};
        assert_eq!(clock_of("go wtime 500 btime 700 winc 5 binc 7", Red), Some((500, 5, None)));
        assert_eq!(clock_of("go wtime 500 btime 700 winc 5 binc 7", Black), Some((700, 7, None)));
        assert_eq!(clock_of("go btime 700 binc 7", Red), Some((700, 7, None)));
        assert_eq!(clock_of("go wtime 500 movestogo 9", Black), Some((500, 0, Some(9))));
        assert_eq!(clock_of("go time 300 btime 700", Red), Some((300, 0, None)));
        assert_eq!(clock_of("go opptime 300 oppincrement 2 oppmovestogo 4", Red), Some((300, 2, Some(4))));
        assert_eq!(clock_of("go winc 40 binc 40", Red), Some((40, 40, None)));
        assert_eq!(clock_of("go movestogo 40", Red), Some((0, 0, Some(40))));
        for line in ["go movestogo", "go oppmovestogo x", "go movestogo 0"] {
            assert_eq!(clock_of(line, Red), Some((0, 0, None)), "{line}");
        }
        assert_eq!(clock_of("go depth 4", Red), None);
        assert_eq!(clock_of("go", Black), None);
    }

    #[test]
    fn names_with_blanks_in_the_grammar_of_ucci() {
        for (words, name, value) in [
            ("hashsize 64", "hashsize", "64"),
            ("newgame", "newgame", ""),
            ("Move Overhead 50", "Move Overhead", "50"),
            ("Clear Hash", "Clear Hash", ""),
            ("Debug Log File /tmp/a b", "Debug Log File", "/tmp/a b"),
            ("bookfiles a b;c", "bookfiles", "a b;c"),
            ("unheard of it", "unheard", "of it"),
            ("", "", ""),
        ] {
            assert_eq!(split_option(words, Protocol::Ucci), (name, value), "{words}");
        }
    }
}
