//! Lists of moves on the command line, in whatever notation they are.

use std::ffi::OsString;

use anyhow::{anyhow, bail};
use movegen::notation::{Notation, NotationError, RankBase, detect, is_mark};
use movegen::{Move, Position};

/// What is tried where the moves themselves do not tell their notation. Rank bases are told by `detect` alone: a move from another
/// rank is too often a legal one.
const TRIED: [Notation; 6] = [
    Notation::WXF,
    Notation::Vietnamese,
    Notation::CHINESE,
    Notation::COORDINATE,
    Notation::Algebraic(RankBase::One),
    Notation::Algebraic(RankBase::Zero),
];

/// Where a list stops to be legal in a notation.
struct Fault {
    /// Moves before it.
    ply: usize,
    position: Box<Position>,
    error: NotationError,
}

impl Fault {
    /// The better a list fits a notation, the more its fault has to say.
    fn fit(&self) -> (usize, u8) {
        let kind = match self.error {
            NotationError::Malformed { .. } => 0,
            NotationError::Illegal { .. } => 1,
            NotationError::Ambiguous { .. } => 2,
        };
        (self.ply, kind)
    }
}

/// The moves of a list separated by blanks or commas, from `start`.
///
/// Without `notation` the moves tell it where they can. Else every notation is tried, and must be the only one that makes a legal
/// line of the whole list, or agree with the others that do.
///
/// # Errors
/// The first bad move with its number, or two notations that read different lines.
pub(crate) fn read<S: AsRef<str>>(
    start: &Position,
    arguments: &[S],
    notation: Option<Notation>,
) -> anyhow::Result<Vec<Move>> {
    let text = arguments.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" ");
    let moves = split(&text);
    let told = |fault: Fault| {
        let position = fault.position.fen();
        anyhow!("move {} of {}: {} (position: {position})", fault.ply + 1, moves.len(), fault.error)
    };
    if let Some(notation) = notation {
        return play(start, &moves, notation).map_err(told);
    }
    let detected = detect(moves.iter().map(String::as_str));
    let mut faults = Vec::new();
    if let Some(notation) = detected {
        match play(start, &moves, notation) {
            Ok(line) => return Ok(line),
            Err(fault) => faults.push(fault),
        }
    }
    let mut lines: Vec<(Notation, Vec<Move>)> = Vec::new();
    for notation in TRIED.into_iter().filter(|&tried| Some(tried) != detected) {
        match play(start, &moves, notation) {
            Ok(line) if lines.iter().any(|(_, known)| *known == line) => {}
            Ok(line) => lines.push((notation, line)),
            Err(fault) => faults.push(fault),
        }
    }
    if lines.len() > 1 {
        let told: Vec<String> =
            lines.iter().map(|(notation, line)| differs(*notation, line, &lines)).collect();
        bail!("the moves are ambiguous: {}; name the notation with --read-notation", told.join(", "));
    }
    if let Some((_, line)) = lines.pop() {
        return Ok(line);
    }
    // The first of the best: what the moves show, then the likeliest.
    let best = faults.into_iter().rev().max_by_key(Fault::fit);
    Err(best.map_or_else(|| anyhow!("there are no moves"), told))
}

/// What a notation makes of the first move that not all lines share.
fn differs(notation: Notation, line: &[Move], lines: &[(Notation, Vec<Move>)]) -> String {
    let first =
        (0..line.len()).find(|&ply| lines.iter().any(|(_, other)| other[ply] != line[ply])).unwrap_or(0);
    format!("move {} is {} in {notation}", first + 1, line[first])
}

fn play(start: &Position, moves: &[String], notation: Notation) -> Result<Vec<Move>, Fault> {
    let mut position = start.clone();
    let mut line = Vec::with_capacity(moves.len());
    for text in moves {
        match notation.read(&position, text) {
            Ok(mv) => {
                position = position.play(mv);
                line.push(mv);
            }
            Err(error) => return Err(Fault { ply: line.len(), position: Box::new(position), error }),
        }
    }
    Ok(line)
}

/// Words of Vietnamese move texts: piece, file or place, direction, number.
const PHRASE: usize = 4;

/// Cuts a list into its moves; a Vietnamese name of a piece takes the words after it.
fn split(text: &str) -> Vec<String> {
    let mut words = text
        .split(|c: char| c.is_whitespace() || c == ',')
        // Marks of check and worth may stand away from their move.
        .filter(|word| !word.chars().all(is_mark));
    let mut moves = Vec::new();
    while let Some(word) = words.next() {
        let mut whole = word.to_owned();
        if is_name(word) {
            for more in words.by_ref().take(PHRASE - 1) {
                whole.push(' ');
                whole.push_str(more);
            }
        }
        moves.push(whole);
    }
    moves
}

/// Whether a word is nothing but letters with or without accents, as no move without blanks is; Chinese ones are.
fn is_name(word: &str) -> bool {
    let is_letter =
        |c: char| (c.is_alphabetic() && (c as u32) < 0x2000) || matches!(c, '\u{300}'..='\u{36f}');
    word.chars().count() >= 2 && word.chars().all(is_letter)
}

/// The arguments of the program, with a blank before moves such as `-R+2` after `--moves`, so that none is taken for an option.
pub fn shield(arguments: impl IntoIterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut in_moves = false;
    arguments.into_iter().map(move |argument| {
        let text = argument.to_string_lossy();
        if in_moves && is_rear_move(&text) {
            return format!(" {text}").into();
        }
        if text.starts_with('-') {
            in_moves = text == "--moves";
        }
        argument
    })
}

/// Whether a text begins as `-R+2` does: WXF for the rear of two pieces.
fn is_rear_move(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('-') else { return false };
    let mut chars = rest.chars();
    let piece = chars.next().is_some_and(|c| c.is_ascii_alphabetic());
    let sign = chars.next().is_some_and(|c| matches!(c, '+' | '-' | '=' | '.' | '/'));
    piece && sign && chars.next().is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(fen: Option<&str>, text: &str) -> Result<String, String> {
        let start = fen.map_or_else(Position::startpos, |fen| Position::from_fen(fen).expect("a position"));
        let moves = read(&start, &[text], None).map_err(|error| error.to_string())?;
        Ok(moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn vietnamese_moves_need_no_tell_tale_letter() {
        // By hand: P is the cannon and the dash goes sideways.
        assert_eq!(read_text(None, "P2-5").as_deref(), Ok("h2e2"));
        assert_eq!(read_text(None, "P8-7").as_deref(), Ok("b2c2"));
        assert_eq!(read_text(None, "B5.1, P8-5").as_deref(), Ok("e3e4 h7e7"));
        assert_eq!(read_text(None, "Pháo 2 bình 5 Mã 8 tiến 7").as_deref(), Ok("h2e2 h9g7"));
        assert_eq!(read_text(None, "P2-5+ P8-5 ! Xe 1 tiến 1 + X9.1#").as_deref(), Ok("h2e2 h7e7 i0i1 i9i8"));
        let rooks = "3k5/9/9/9/7R1/9/9/7R1/9/4K4 w";
        assert_eq!(read_text(Some(rooks), "Xe trước bình 5").as_deref(), Ok("h5e5"));
        assert_eq!(read_text(Some(rooks), "-R+2").as_deref(), Ok("h2h4"));
    }

    #[test]
    fn two_legal_readings_are_named() {
        // The pawn on file 2 goes sideways in WXF, the cannon there forward in Vietnamese letters.
        let error = read_text(Some("3k5/9/7P1/9/9/9/9/7C1/9/4K4 w"), "P2.1").expect_err("two readings");
        for part in ["h7i7 in wxf", "h2h3 in vietnamese", "--read-notation"] {
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn the_fault_that_says_most_is_told() {
        let pawns = "4k4/9/9/2P1P4/2P1P4/2P6/9/9/9/3K5 w";
        let error = read_text(Some(pawns), "Bt.1").expect_err("two files");
        assert!(error.contains("ambiguous: c6c7 or e6e7"), "{error}");
        let error = read_text(None, "h2e2 h9g8").expect_err("no horse moves so");
        assert!(error.starts_with("move 2 of 2: `h9g8` is not a legal move here"), "{error}");
        let error = read_text(None, "h3e3").expect_err("no other rank base is tried");
        assert!(error.contains("`h3e3` is not a legal move here"), "{error}");
    }

    #[test]
    fn every_form_of_the_handed_cases_is_read() {
        let cases = include_str!("../../tests/data/notation.jsonl");
        let mut read_cases = 0;
        for line in cases.lines().filter(|line| !line.starts_with('#')) {
            let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let field = |name: &str| case[name].as_str();
            let start = Position::from_fen(field("fen").expect("fen")).expect("a position");
            let wanted = field("iccs").expect("iccs");
            for (name, notation) in [
                ("iccs", "iccs"),
                ("wxf", "wxf"),
                ("wxf_alt", "wxf"),
                ("chinese_trad", "chinese"),
                ("chinese_simp", "simplified"),
                ("vietnamese", "vietnamese"),
            ] {
                let Some(text) = field(name) else { continue };
                let named = read(&start, &[text], Some(notation.parse().expect("a notation")));
                match named {
                    Ok(moves) => assert_eq!(moves[0].to_string(), wanted, "{line}"),
                    Err(error) => {
                        let error = error.to_string();
                        assert!(error.contains("ambiguous") && error.contains(wanted), "{text}: {error}");
                    }
                }
                match read(&start, &[text], None) {
                    Ok(moves) => assert_eq!(moves[0].to_string(), wanted, "{text}: {line}"),
                    Err(error) => {
                        let error = error.to_string();
                        assert!(error.contains("ambiguous") && error.contains(wanted), "{text}: {error}");
                    }
                }
            }
            read_cases += 1;
        }
        assert_eq!(read_cases, 86);
    }
}
