//! Evaluations in the comments of game files.
//!
//! Two habits are read: `[%eval 0.35]`, `[%eval #-3]` or `[%eval +law]` from Red's view, as analysis writes it, and `+0.35/12 ...` or `-M3/20 ...` from
//! the mover's view, as match programs do.

use movegen::Color;

/// The search's scores from here on are wins by the law of repetition; no evaluation comes near.
pub(crate) const BY_LAW: i32 = 27_000;

/// A score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate; negative if the side whose view it is is mated.
    Mate(i32),
    /// The law of repetition gives the side whose view it is the win, or the loss.
    Law(bool),
}

impl Evaluation {
    /// The score from the other side.
    pub fn flip(self) -> Self {
        match self {
            Self::Cp(cp) => Self::Cp(-cp),
            Self::Mate(moves) => Self::Mate(-moves),
            Self::Law(wins) => Self::Law(!wins),
        }
    }

    /// The chance to win, 0 to 1, a draw counted half: a logistic with 240 centipawns for ten to one.
    ///
    /// Source: the scale of Phao's scores (`docs/network.md`): at +100 a win is an even chance, and with the draws 72 % of the points
    /// are made.
    pub fn chance(self) -> f64 {
        match self {
            Self::Cp(cp) => 1.0 / (1.0 + 10f64.powf(-f64::from(cp) / 240.0)),
            Self::Mate(moves) => f64::from(u8::from(moves > 0)),
            Self::Law(wins) => f64::from(u8::from(wins)),
        }
    }

    /// As in an `[%eval]` comment.
    pub fn comment(self) -> String {
        match self {
            Self::Cp(cp) => format!("[%eval {:.2}]", f64::from(cp) / 100.0),
            Self::Mate(moves) => format!("[%eval #{moves}]"),
            Self::Law(wins) => format!("[%eval {}law]", if wins { '+' } else { '-' }),
        }
    }
}

/// The evaluation in a move's comment from Red's view, and the comment without it.
pub fn in_comment(comment: &str, mover: Color) -> (Option<Evaluation>, String) {
    if let Some(start) = comment.find("[%eval")
        && let Some(length) = comment[start..].find(']')
    {
        let value = comment[start + 6..start + length].trim_start();
        let rest = format!("{}{}", comment[..start].trim_end(), &comment[start + length + 1..]);
        // A depth may follow after a comma.
        let value = value.split(',').next().unwrap_or_default().trim();
        let parsed = match (value.strip_prefix('#'), value) {
            (Some(mate), _) => mate.parse().ok().map(Evaluation::Mate),
            (None, "+law" | "-law") => Some(Evaluation::Law(value.starts_with('+'))),
            (None, _) => pawns(value),
        };
        return (parsed, rest.trim().to_owned());
    }
    let (first, rest) = comment.split_once(char::is_whitespace).unwrap_or((comment, ""));
    let Some((value, depth)) = first.split_once('/') else { return (None, comment.to_owned()) };
    if depth.is_empty() || !depth.bytes().all(|c| c.is_ascii_digit()) {
        return (None, comment.to_owned());
    }
    let parsed = match value.split_once('M') {
        Some((sign, moves)) => {
            moves.parse::<i32>().ok().map(|moves| Evaluation::Mate(if sign == "-" { -moves } else { moves }))
        }
        None => pawns(value),
    };
    let view = parsed.map(|evaluation| if mover == Color::Red { evaluation } else { evaluation.flip() });
    (view, if view.is_some() { rest.trim().to_owned() } else { comment.to_owned() })
}

/// `0.35` in centipawns. Beyond 1000 pawns it is no evaluation; match programs know no word for what the law decides.
fn pawns(text: &str) -> Option<Evaluation> {
    let value: f64 = text.parse().ok()?;
    let cp = (value * 100.0).round() as i32;
    let evaluation = if cp.abs() < BY_LAW { Evaluation::Cp(cp) } else { Evaluation::Law(cp > 0) };
    (value.abs() <= 1000.0).then_some(evaluation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_habits_are_read() {
        let read = |text, mover| in_comment(text, mover);
        assert_eq!(
            read("good [%eval -0.35] move", Color::Black),
            (Some(Evaluation::Cp(-35)), "good move".to_owned())
        );
        assert_eq!(read("[%eval #-3,20]", Color::Red), (Some(Evaluation::Mate(-3)), String::new()));
        assert_eq!(read("+0.35/12 0.1s", Color::Black), (Some(Evaluation::Cp(-35)), "0.1s".to_owned()));
        assert_eq!(read("-M4/9 0.1s", Color::Red), (Some(Evaluation::Mate(-4)), "0.1s".to_owned()));
        assert_eq!(read("and/or", Color::Red), (None, "and/or".to_owned()));
        assert_eq!(read("NaN/3 x", Color::Red), (None, "NaN/3 x".to_owned()));
        assert_eq!(in_comment(&Evaluation::Cp(-7).comment(), Color::Red).0, Some(Evaluation::Cp(-7)));
        // A match program writes down what the engine reports: a win by the law comes as more than 270 pawns.
        assert_eq!(read("+299.80/14 0.1s", Color::Black).0, Some(Evaluation::Law(false)));
        assert_eq!(read("+269.99/14", Color::Red).0, Some(Evaluation::Cp(26_999)));
        let law = Evaluation::Law(false);
        assert_eq!(law.comment(), "[%eval -law]");
        assert_eq!(in_comment(&law.comment(), Color::Black).0, Some(law));
    }
}
