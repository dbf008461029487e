//! The lines engines write, as far as the runner reads them. Pure functions: text in, facts out.

use std::fmt;

use movegen::Move;

use super::config::RankBase;

/// A score as an engine reports it, from its own side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eval {
    /// Centipawns.
    Cp(i32),
    /// Mate in so many moves; negative when it is the engine that is mated.
    Mate(i32),
}

impl Eval {
    /// Centipawns, a mate as a very large number.
    pub fn centipawns(self) -> i32 {
        match self {
            Self::Cp(cp) => cp,
            Self::Mate(moves) if moves > 0 => MATE - moves,
            Self::Mate(moves) => -MATE - moves,
        }
    }
}

/// Bare UCCI scores beyond this are mates: `30000 - plies`.
const MATE: i32 = 30_000;
/// The longest mate a bare score may stand for, in plies.
const MAX_MATE_PLIES: i32 = 500;

impl fmt::Display for Eval {
    /// As in game files: pawns with a sign, or `+M5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cp(cp) => write!(f, "{:+.2}", f64::from(cp) / 100.0),
            Self::Mate(moves) if moves > 0 => write!(f, "+M{moves}"),
            Self::Mate(moves) => write!(f, "-M{}", -moves),
        }
    }
}

/// What the lines before a reply have told about a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchFacts {
    /// Last score of the main line.
    pub eval: Option<Eval>,
    /// Last depth.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

impl SearchFacts {
    /// Takes over what an `info` line of UCI or UCCI says. Lines of other variations than the first are ignored.
    pub fn read_info(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let value = |key: &str| words.iter().position(|word| *word == key).and_then(|at| words.get(at + 1));
        let number = |key: &str| value(key).and_then(|word| word.parse::<u64>().ok());
        if number("multipv").is_some_and(|index| index > 1)
            || matches!(words.get(1), Some(&("string" | "message")))
        {
            return;
        }
        self.depth = number("depth").map(|depth| depth as u32).or(self.depth);
        self.nodes = number("nodes").or(self.nodes);
        let Some(at) = words.iter().position(|word| *word == "score") else { return };
        let number_at = |at: usize| words.get(at).and_then(|word| word.parse::<i32>().ok());
        let eval = match words.get(at + 1) {
            Some(&"cp") => number_at(at + 2).map(Eval::Cp),
            Some(&"mate") => number_at(at + 2).map(|moves| Eval::Mate(moves.clamp(1 - MATE, MATE - 1))),
            _ => number_at(at + 1).map(bare_score),
        };
        self.eval = eval.or(self.eval);
    }

    /// Takes over a thinking line of XBoard: `depth score time nodes [pv]`. Other lines change nothing.
    pub fn read_thinking(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        let depth = words.next().and_then(|word| word.trim_end_matches(['.', '+', '&']).parse().ok());
        let mut number = || words.next().and_then(|word| word.parse::<i64>().ok());
        if let (Some(depth), Some(score), Some(_), Some(nodes)) = (depth, number(), number(), number()) {
            *self = Self {
                eval: Some(Eval::Cp(score.clamp(i32::MIN.into(), i32::MAX.into()) as i32)),
                depth: Some(depth),
                nodes: Some(nodes as u64),
            };
        }
    }
}

/// A UCCI score without a unit.
fn bare_score(score: i32) -> Eval {
    let plies = MATE - score.saturating_abs();
    if (0..=MAX_MATE_PLIES).contains(&plies) {
        let moves = (plies + 1) / 2;
        Eval::Mate(if score > 0 { moves.max(1) } else { -moves })
    } else {
        Eval::Cp(score)
    }
}

/// What an engine answers to `go`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A move, and the reply it expects.
    Move {
        /// The move; whether it is legal is the referee's affair.
        mv: Move,
        /// The expected reply.
        ponder: Option<Move>,
    },
    /// It has no move or gives up.
    Resigns,
    /// It wrote something that is no move.
    Malformed(String),
}

/// Reads `bestmove`, `nobestmove`; `None` for any other line.
pub fn read_bestmove(line: &str, base: RankBase) -> Option<Answer> {
    let mut words = line.split_whitespace();
    match words.next()? {
        "nobestmove" => return Some(Answer::Resigns),
        "bestmove" => {}
        _ => return None,
    }
    let text = words.next().unwrap_or("");
    if matches!(text, "(none)" | "none" | "0000" | "a0a0" | "null") || line.ends_with(" resign") {
        return Some(Answer::Resigns);
    }
    let Some(mv) = read_move(text, base) else { return Some(Answer::Malformed(text.to_owned())) };
    let ponder = (words.next() == Some("ponder")).then(|| words.next()).flatten();
    Some(Answer::Move { mv, ponder: ponder.and_then(|text| read_move(text, base)) })
}

/// What an XBoard engine says when it is its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum XboardAnswer {
    /// A move, or resignation.
    Answer(Answer),
    /// It says that the game is over.
    Claim(String),
    /// It refuses the opponent's move.
    Refusal(String),
}

/// Reads the lines of an XBoard engine that answer its turn; `None` for any other line.
pub fn read_xboard(line: &str) -> Option<XboardAnswer> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    Some(match word {
        "move" => XboardAnswer::Answer(match read_move(rest.trim(), RankBase::Zero) {
            Some(mv) => Answer::Move { mv, ponder: None },
            None => Answer::Malformed(rest.trim().to_owned()),
        }),
        "resign" => XboardAnswer::Answer(Answer::Resigns),
        "1-0" | "0-1" | "1/2-1/2" => XboardAnswer::Claim(line.to_owned()),
        "Illegal" => XboardAnswer::Refusal(line.to_owned()),
        _ => return None,
    })
}

/// A move in coordinates with ranks from `base`.
pub fn read_move(text: &str, base: RankBase) -> Option<Move> {
    match base {
        RankBase::Zero => text.parse().ok(),
        RankBase::One => {
            let at = text.char_indices().skip(1).find(|(_, c)| c.is_ascii_alphabetic())?.0;
            let square = |text: &str| {
                let rank: u32 = text.get(1..)?.parse().ok()?;
                Some(format!("{}{}", text.get(..1)?, rank.checked_sub(1)?))
            };
            format!("{}{}", square(text.get(..at)?)?, square(text.get(at..)?)?).parse().ok()
        }
    }
}

/// A move in coordinates with ranks from `base`.
pub fn write_move(mv: Move, base: RankBase) -> String {
    match base {
        RankBase::Zero => mv.to_string(),
        RankBase::One => [mv.from(), mv.to()]
            .map(|square| {
                let text = square.to_string();
                let (file, rank) = text.split_at(1);
                format!("{file}{}", rank.parse::<u32>().map_or(0, |rank| rank + 1))
            })
            .concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().expect(text)
    }

    #[test]
    fn moves_in_both_numberings() {
        // Source: the examples of two UCI dialects: h2e2 is h3e3, h9g7 is h10g8.
        for (zero, one) in
            [("h2e2", "h3e3"), ("h9g7", "h10g8"), ("a9a8", "a10a9"), ("i0h0", "i1h1"), ("a0a9", "a1a10")]
        {
            assert_eq!(read_move(one, RankBase::One), Some(mv(zero)), "{one}");
            assert_eq!(write_move(mv(zero), RankBase::One), one);
            assert_eq!(read_move(zero, RankBase::Zero), Some(mv(zero)));
            assert_eq!(write_move(mv(zero), RankBase::Zero), zero);
        }
        for text in ["", "h", "h3", "h3e", "h0e3", "h11e3", "j3e3", "e3é3", "(none)", "h3e3e4"] {
            assert_eq!(read_move(text, RankBase::One), None, "{text}");
        }
    }

    #[test]
    fn info_lines_of_several_engines() {
        let mut facts = SearchFacts::default();
        facts.read_info(
            "info depth 12 seldepth 20 multipv 1 score 35 nodes 812345 nps 1620000 time 501 pv h2e2 h9g7",
        );
        assert_eq!(facts, SearchFacts { eval: Some(Eval::Cp(35)), depth: Some(12), nodes: Some(812_345) });
        facts.read_info("info depth 13 multipv 2 score cp -300 nodes 900000 pv a0a1");
        assert_eq!(facts.eval, Some(Eval::Cp(35)));
        facts.read_info("info depth 2 seldepth 2 score cp -231 lowerbound nodes 99 time 2 pv h1g3 a10a9");
        assert_eq!(facts, SearchFacts { eval: Some(Eval::Cp(-231)), depth: Some(2), nodes: Some(99) });
        facts.read_info("info depth 5 score mate -3 nodes 100");
        assert_eq!(facts.eval, Some(Eval::Mate(-3)));
        facts.read_info("info score 29993");
        assert_eq!(facts.eval, Some(Eval::Mate(4)), "seven plies are four moves");
        facts.read_info("info score -30000");
        assert_eq!(facts.eval, Some(Eval::Mate(0)));
        facts.read_info("info string score cp 5");
        facts.read_info("info currmove h2e2 currmovenumber 3");
        facts.read_info("info score");
        assert_eq!(facts.eval, Some(Eval::Mate(0)));
        let mut facts = SearchFacts::default();
        facts.read_thinking("  6.  -12  25 40213 h2e2 h9g7");
        assert_eq!(facts, SearchFacts { eval: Some(Eval::Cp(-12)), depth: Some(6), nodes: Some(40213) });
        facts.read_thinking("1 2 hello");
        assert_eq!(facts.depth, Some(6));
    }

    #[test]
    fn answers() {
        let zero = |line| read_bestmove(line, RankBase::Zero);
        let answer = |m, p: Option<&str>| Some(Answer::Move { mv: mv(m), ponder: p.map(mv) });
        assert_eq!(zero("bestmove h2e2 ponder h9g7"), answer("h2e2", Some("h9g7")));
        assert_eq!(zero("bestmove h2e2"), answer("h2e2", None));
        assert_eq!(zero("bestmove h2e2 ponder h9g7 draw"), answer("h2e2", Some("h9g7")));
        assert_eq!(read_bestmove("bestmove h3e3 ponder h10g8", RankBase::One), answer("h2e2", Some("h9g7")));
        for line in ["bestmove (none)", "nobestmove", "bestmove h2e2 resign", "bestmove 0000"] {
            assert_eq!(zero(line), Some(Answer::Resigns), "{line}");
        }
        assert_eq!(zero("bestmove Ch3e3"), Some(Answer::Malformed("Ch3e3".to_owned())));
        assert_eq!(zero("bestmove"), Some(Answer::Malformed(String::new())));
        assert_eq!(zero("info depth 1"), None);
        assert_eq!(read_xboard("move h2e2"), answer("h2e2", None).map(XboardAnswer::Answer));
        assert!(matches!(read_xboard("0-1 {Black mates}"), Some(XboardAnswer::Claim(_))));
        assert!(matches!(read_xboard("Illegal move: h2e2"), Some(XboardAnswer::Refusal(_))));
        assert_eq!(read_xboard("# debug"), None);
    }

    #[test]
    fn scores_in_game_files() {
        assert_eq!(Eval::Cp(35).to_string(), "+0.35");
        assert_eq!(Eval::Mate(-3).to_string(), "-M3");
        let mut facts = SearchFacts::default();
        for (mate, shown) in [("-2147483648", "-M29999"), ("2147483647", "+M29999")] {
            facts.read_info(&format!("info depth 1 score mate {mate}"));
            let eval = facts.eval.expect("a mate");
            assert_eq!((eval.to_string().as_str(), eval.centipawns() > 0), (shown, shown.starts_with('+')));
        }
        facts.read_thinking("6 4294967296 25 40213 h2e2");
        assert_eq!(facts.eval, Some(Eval::Cp(i32::MAX)));
        assert!(Eval::Mate(2).centipawns() > Eval::Mate(9).centipawns());
        assert!(Eval::Mate(-2).centipawns() < Eval::Mate(-9).centipawns());
    }
}
