//! How replies look: pure functions from what the engine says to lines of text.
//!
//! The layouts are those that every known driver can read: single blanks, `pv` last, no key twice, a bare number
//! after `score` under UCCI.

use std::fmt::{self, Display, Formatter, Write as _};

use engine::Reply;
use engine::options::{Kind, OptionSpec, Options, Protocol, RankBase, ScoreType};
use movegen::{File, Move, Rank, Square};
use search::{Bound, Iteration, Probe, Score};
use thiserror::Error;

/// A mate in `n` plies is this less `n` where scores are numbers.
pub const MATE_NUMBER: i32 = 30_000;

/// What decides how a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// The protocol of the last handshake.
    pub protocol: Protocol,
    /// How UCCI writes mates.
    pub score_type: ScoreType,
    /// How moves number the ranks.
    pub rank_base: RankBase,
    /// Chances of win, draw and loss under UCI.
    pub show_wdl: bool,
}

impl Style {
    /// The style of a protocol with the options in force.
    pub fn new(protocol: Protocol, options: &Options) -> Self {
        Self {
            protocol,
            score_type: options.score_type,
            // UCCI has ranks from 0 and no option for others; its readers take moves of four characters apart.
            rank_base: match protocol {
                Protocol::Ucci => RankBase::Zero,
                Protocol::Uci => options.rank_base,
            },
            show_wdl: options.show_wdl,
        }
    }

    /// A square as this style writes it.
    pub fn square(self, square: Square) -> String {
        let base = match self.rank_base {
            RankBase::Zero => 0,
            RankBase::One => 1,
        };
        let file = char::from(b'a' + square.file().index() as u8);
        format!("{file}{}", square.rank().index() + base)
    }

    /// A move as this style writes it.
    pub fn mv(self, mv: Move) -> String {
        self.square(mv.from()) + &self.square(mv.to())
    }

    /// Reads a move as this style writes it, capitals allowed.
    ///
    /// # Errors
    /// If it is not a move; whether it is legal is another matter.
    pub fn parse_move(self, word: &str) -> Result<Move, MoveWordError> {
        let lower = word.to_ascii_lowercase();
        let parsed = match self.rank_base {
            RankBase::Zero => lower.parse().ok(),
            RankBase::One => parse_base_one(&lower),
        };
        parsed.ok_or_else(|| {
            let other = match self.rank_base {
                RankBase::Zero => parse_base_one(&lower).map(|_| RankBase::One),
                RankBase::One => lower.parse::<Move>().ok().map(|_| RankBase::Zero),
            };
            MoveWordError { word: word.to_owned(), other }
        })
    }

    /// The words after `score`.
    pub fn score(self, score: Score) -> String {
        match (self.protocol, score) {
            (Protocol::Uci, Score::Cp(cp)) => format!("cp {cp}"),
            (Protocol::Ucci, Score::Cp(cp)) => cp.to_string(),
            (Protocol::Ucci, Score::Mate(_)) if self.score_type == ScoreType::Number => {
                number(score).to_string()
            }
            (_, Score::Mate(plies)) => format!("mate {}", mate_moves(plies)),
        }
    }
}

/// A word that is not a move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{word}' is not a move{}", hint(*other))]
pub struct MoveWordError {
    /// The word.
    pub word: String,
    /// The numbering of ranks in which it would be one.
    pub other: Option<RankBase>,
}

fn hint(other: Option<RankBase>) -> &'static str {
    match other {
        None => "",
        Some(RankBase::Zero) => " with ranks from 1 (option RankBase is 1)",
        Some(RankBase::One) => " with ranks from 0 (set option RankBase to 1)",
    }
}

/// A move with ranks 1 to 10: `h10g8`.
fn parse_base_one(word: &str) -> Option<Move> {
    let second = word.char_indices().skip(1).find(|(_, c)| c.is_ascii_alphabetic())?.0;
    let (from, to) = word.split_at(second);
    let square = |text: &str| {
        let letter = *text.as_bytes().first()?;
        let file = File::ALL.into_iter().find(|file| b'a' + file.index() as u8 == letter)?;
        let rank =
            Rank::ALL.into_iter().find(|rank| text.get(1..) == Some(&(rank.index() + 1).to_string()))?;
        Some(Square::new(file, rank))
    };
    Some(Move::new(square(from)?, square(to)?))
}

/// Moves to a mate that is `plies` away, negative for the side that is mated.
fn mate_moves(plies: i32) -> i32 {
    if plies > 0 { (plies + 1) / 2 } else { -((1 - plies) / 2) }
}

/// A score as one number.
fn number(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp,
        Score::Mate(plies) if plies > 0 => MATE_NUMBER - plies,
        Score::Mate(plies) => -MATE_NUMBER - plies,
    }
}

/// One `info` line about a line of play.
#[derive(Debug)]
pub struct InfoLine<'a> {
    /// What to report.
    pub iteration: &'a Iteration,
    /// How.
    pub style: Style,
}

impl Display for InfoLine<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { iteration: it, style } = self;
        let millis = it.time.as_millis();
        let nps = u128::from(it.nodes) * 1_000_000 / it.time.as_micros().max(1_000);
        write!(
            f,
            "info depth {} seldepth {} multipv {} score {}",
            it.depth,
            it.seldepth,
            it.multi_pv,
            style.score(it.score)
        )?;
        if style.protocol == Protocol::Uci {
            match it.bound {
                Bound::Exact => {}
                Bound::Lower => f.write_str(" lowerbound")?,
                Bound::Upper => f.write_str(" upperbound")?,
            }
            if style.show_wdl {
                write!(f, " wdl {} {} {}", it.wdl.0, it.wdl.1, it.wdl.2)?;
            }
        }
        write!(f, " nodes {} nps {nps} hashfull {}", it.nodes, it.hashfull)?;
        if style.protocol == Protocol::Uci {
            f.write_str(" tbhits 0")?;
        }
        write!(f, " time {millis}")?;
        if !it.pv.is_empty() {
            f.write_str(" pv")?;
            for &mv in &it.pv {
                write!(f, " {}", style.mv(mv))?;
            }
        }
        Ok(())
    }
}

/// The `info` line about the root move being searched. Under UCCI it has no depth: XiangQi Wizard would take it for a
/// line of analysis.
pub fn current_move(depth: u32, mv: Move, number: usize, style: Style) -> String {
    match style.protocol {
        Protocol::Ucci => format!("info currmove {}", style.mv(mv)),
        Protocol::Uci => format!("info depth {depth} currmove {} currmovenumber {number}", style.mv(mv)),
    }
}

/// A line of text for the user.
pub(crate) fn message(protocol: Protocol, text: &str) -> String {
    match protocol {
        Protocol::Ucci => format!("info message {text}"),
        Protocol::Uci => format!("info string {text}"),
    }
}

/// The line that ends a search.
#[derive(Debug)]
pub struct BestMove<'a> {
    /// What to report.
    pub reply: &'a Reply,
    /// How.
    pub style: Style,
}

impl Display for BestMove<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { reply, style } = self;
        let Some(best) = reply.best else {
            return f.write_str(match style.protocol {
                Protocol::Ucci => "nobestmove",
                Protocol::Uci => "bestmove (none)",
            });
        };
        write!(f, "bestmove {}", style.mv(best))?;
        if let Some(ponder) = reply.ponder {
            write!(f, " ponder {}", style.mv(ponder))?;
        }
        if style.protocol == Protocol::Ucci {
            if reply.resign {
                f.write_str(" resign")?;
            } else if reply.draw {
                f.write_str(" draw")?;
            }
        }
        Ok(())
    }
}

/// The answer to `probe`.
pub fn pophash(probe: Option<&Probe>, style: Style) -> String {
    let mut line = "pophash".to_owned();
    let Some(probe) = probe else { return line };
    if let Some(mv) = probe.mv {
        let _ = write!(line, " bestmove {}", style.mv(mv));
    }
    let value = number(probe.score);
    if matches!(probe.bound, Bound::Lower | Bound::Exact) {
        let _ = write!(line, " lowerbound {value} depth {}", probe.depth);
    }
    if matches!(probe.bound, Bound::Upper | Bound::Exact) {
        let _ = write!(line, " upperbound {value} depth {}", probe.depth);
    }
    line
}

/// The handshake line of a number of the search, under the name it has in the source.
#[cfg(feature = "tune")]
pub fn tunable_line(row: &search::Tunable, protocol: Protocol) -> String {
    let search::Tunable { name, default, min, max, .. } = row;
    match protocol {
        Protocol::Ucci => format!("option {name} type spin min {min} max {max} default {default}"),
        Protocol::Uci => format!("option name {name} type spin default {default} min {min} max {max}"),
    }
}

/// The handshake line of an option; `None` if the protocol does not know it.
pub fn option_line(spec: &OptionSpec, protocol: Protocol) -> Option<String> {
    let name = spec.name(protocol)?;
    let mut line = match protocol {
        Protocol::Ucci => format!("option {name}"),
        Protocol::Uci => format!("option name {name}"),
    };
    line += " type ";
    line += kind_word(&spec.kind);
    if let Kind::Combo { choices, .. } = &spec.kind
        && protocol == Protocol::Ucci
    {
        for choice in *choices {
            let _ = write!(line, " var {}", choice.word(protocol));
        }
    }
    if protocol == Protocol::Ucci
        && let Some((min, max)) = spec.kind.announced_range(protocol)
    {
        let _ = write!(line, " min {min} max {max}");
    }
    if let Some(default) = spec.kind.default_text(protocol) {
        line += " default";
        if !default.is_empty() {
            line += " ";
            line += &default;
        } else if protocol == Protocol::Uci {
            line += " <empty>";
        }
    }
    if protocol == Protocol::Uci {
        if let Some((min, max)) = spec.kind.announced_range(protocol) {
            let _ = write!(line, " min {min} max {max}");
        }
        if let Kind::Combo { choices, .. } = &spec.kind {
            for choice in *choices {
                let _ = write!(line, " var {}", choice.word(protocol));
            }
        }
    }
    Some(line)
}

/// The word for a kind of option, the same in both protocols.
pub fn kind_word(kind: &Kind) -> &'static str {
    match kind {
        Kind::Check { .. } => "check",
        Kind::Spin { .. } => "spin",
        Kind::Combo { .. } => "combo",
        Kind::Text => "string",
        Kind::Button => "button",
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use engine::options::{Lookup, lookup};

    use super::*;

    fn style(protocol: Protocol) -> Style {
        Style::new(protocol, &Options::default())
    }

    fn mv(from: Square, to: Square) -> Move {
        Move::new(from, to)
    }

    fn iteration() -> Iteration {
        Iteration {
            depth: 12,
            seldepth: 20,
            multi_pv: 1,
            score: Score::Cp(35),
            bound: Bound::Exact,
            wdl: (400, 500, 100),
            nodes: 812_345,
            time: Duration::from_micros(501_900),
            hashfull: 120,
            pv: vec![mv(Square::H2, Square::E2), mv(Square::H9, Square::G7)],
        }
    }

    fn info(iteration: &Iteration, style: Style) -> String {
        InfoLine { iteration, style }.to_string()
    }

    /// Layouts of ucci.md 7.1 and uci-xiangqi.md 4.1.
    #[test]
    fn one_line_of_analysis() {
        assert_eq!(
            info(&iteration(), style(Protocol::Ucci)),
            "info depth 12 seldepth 20 multipv 1 score 35 nodes 812345 nps 1618539 hashfull 120 time 501 \
             pv h2e2 h9g7"
        );
        let wdl = Style { show_wdl: true, ..style(Protocol::Uci) };
        assert_eq!(
            info(&Iteration { bound: Bound::Lower, ..iteration() }, wdl),
            "info depth 12 seldepth 20 multipv 1 score cp 35 lowerbound wdl 400 500 100 nodes 812345 \
             nps 1618539 hashfull 120 tbhits 0 time 501 pv h2e2 h9g7"
        );
        let one = Style { rank_base: RankBase::One, ..style(Protocol::Uci) };
        assert!(info(&iteration(), one).ends_with(" pv h3e3 h10g8"));
        let instant = Iteration { time: Duration::ZERO, nodes: 44, ..iteration() };
        assert!(info(&instant, one).contains(" nps 44000 "));
    }

    /// Mates in plies, as UCI's moves, as numbers.
    #[test]
    fn mates() {
        let mate = Style { score_type: ScoreType::Mate, ..style(Protocol::Ucci) };
        for (plies, moves, number) in [
            (1, "mate 1", "29999"),
            (3, "mate 2", "29997"),
            (5, "mate 3", "29995"),
            (0, "mate 0", "-30000"),
            (-2, "mate -1", "-29998"),
            (-4, "mate -2", "-29996"),
        ] {
            let score = Score::Mate(plies);
            assert_eq!(style(Protocol::Uci).score(score), moves);
            assert_eq!(mate.score(score), moves);
            assert_eq!(style(Protocol::Ucci).score(score), number);
        }
        assert_eq!(mate.score(Score::Cp(-7)), "-7");
        assert_eq!(style(Protocol::Uci).score(Score::Cp(-7)), "cp -7");
    }

    #[test]
    fn moves_in_both_numberings() {
        let zero = style(Protocol::Uci);
        let one = Style { rank_base: RankBase::One, ..zero };
        for (from, to, zero_text, one_text) in [
            (Square::H2, Square::E2, "h2e2", "h3e3"),
            (Square::H9, Square::G7, "h9g7", "h10g8"),
            (Square::A0, Square::A9, "a0a9", "a1a10"),
            (Square::A9, Square::A0, "a9a0", "a10a1"),
        ] {
            let mv = mv(from, to);
            assert_eq!((zero.mv(mv), one.mv(mv)), (zero_text.to_owned(), one_text.to_owned()));
            assert_eq!((zero.parse_move(zero_text), one.parse_move(one_text)), (Ok(mv), Ok(mv)));
            assert_eq!(zero.parse_move(&zero_text.to_uppercase()), Ok(mv));
        }
        for word in ["", "h2", "h2e", "h2e22", "h2-e2", "j2e2", "h2e2q", "0000", "\u{5c06}2e2"] {
            assert!(zero.parse_move(word).is_err(), "{word}");
        }
        for word in ["h0e3", "a11a1", "h3", "", "a1a01", "\u{5c06}"] {
            assert!(one.parse_move(word).is_err(), "{word}");
        }
        assert_eq!(zero.parse_move("h10g8").map_err(|error| error.other), Err(Some(RankBase::One)));
        assert_eq!(one.parse_move("a0a1").map_err(|error| error.other), Err(Some(RankBase::Zero)));
    }

    #[test]
    fn replies() {
        let mut reply = Reply {
            best: Some(mv(Square::H2, Square::E2)),
            ponder: Some(mv(Square::H9, Square::G7)),
            last_report: None,
            mated: false,
            draw: true,
            resign: false,
            by_itself: true,
            from_book: false,
        };
        let text = |reply: &Reply, protocol| BestMove { reply, style: style(protocol) }.to_string();
        assert_eq!(text(&reply, Protocol::Ucci), "bestmove h2e2 ponder h9g7 draw");
        assert_eq!(text(&reply, Protocol::Uci), "bestmove h2e2 ponder h9g7");
        reply.resign = true;
        reply.ponder = None;
        assert_eq!(text(&reply, Protocol::Ucci), "bestmove h2e2 resign");
        reply.best = None;
        assert_eq!(text(&reply, Protocol::Ucci), "nobestmove");
        assert_eq!(text(&reply, Protocol::Uci), "bestmove (none)");
    }

    #[test]
    fn hash_entries() {
        let probe =
            |bound| Probe { mv: Some(mv(Square::H2, Square::E2)), score: Score::Cp(22), bound, depth: 8 };
        let text = |probe: &Probe| pophash(Some(probe), style(Protocol::Ucci));
        assert_eq!(
            text(&probe(Bound::Exact)),
            "pophash bestmove h2e2 lowerbound 22 depth 8 upperbound 22 depth 8"
        );
        assert_eq!(text(&probe(Bound::Lower)), "pophash bestmove h2e2 lowerbound 22 depth 8");
        assert_eq!(text(&Probe { mv: None, ..probe(Bound::Upper) }), "pophash upperbound 22 depth 8");
        assert_eq!(pophash(None, style(Protocol::Ucci)), "pophash");
    }

    #[test]
    fn handshake_lines_of_each_kind() {
        let line = |name, protocol| match lookup(name, protocol) {
            Lookup::Known(spec) => option_line(spec, protocol),
            _ => None,
        };
        assert_eq!(
            line("hashsize", Protocol::Ucci).as_deref(),
            Some("option hashsize type spin min 0 max 65536 default 16")
        );
        assert_eq!(
            line("Hash", Protocol::Uci).as_deref(),
            Some("option name Hash type spin default 16 min 1 max 65536")
        );
        assert_eq!(line("Clear Hash", Protocol::Uci).as_deref(), Some("option name Clear Hash type button"));
        assert_eq!(line("UCI_Variant", Protocol::Ucci), None);
        assert_eq!(line("usemillisec", Protocol::Uci), None);
    }
}
