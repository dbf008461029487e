//! The words of a match: the line while it runs, tables at the end.

use std::fmt::Write as _;
use std::time::Duration;

use movegen::Color;

use super::config::MatchConfig;
use super::game::{Fault, GameRecord};
use super::score::{Pairing, Scores};
use crate::counted::counted;
use crate::stats::{Decision, Estimate};

/// What has been seen of one engine.
#[derive(Debug, Clone, Default)]
pub struct EngineFigures {
    moves: u64,
    time: Duration,
    longest: Duration,
    nodes: u64,
    depths: u64,
    /// Moves that came with a depth.
    with_depth: u64,
    late: u64,
    latest: Duration,
    faults: [u64; Fault::ALL.len()],
}

impl EngineFigures {
    /// Adds what a game tells about its player of `color`.
    pub fn add(&mut self, game: &GameRecord, color: Color, first: Color) {
        for (index, played) in game.moves.iter().enumerate() {
            let mover = if index % 2 == 0 { first } else { !first };
            let Some(record) = played.search.filter(|_| mover == color) else { continue };
            self.moves += 1;
            self.time += record.elapsed;
            self.longest = self.longest.max(record.elapsed);
            self.nodes = self.nodes.saturating_add(record.facts.nodes.unwrap_or(0));
            self.depths += u64::from(record.facts.depth.unwrap_or(0));
            self.with_depth += u64::from(record.facts.depth.is_some());
            self.late += u64::from(!record.late.is_zero());
            self.latest = self.latest.max(record.late);
        }
        if let Some((_, fault)) = game.fault.filter(|(culprit, _)| *culprit == color)
            && let Some(index) = Fault::ALL.iter().position(|&other| other == fault)
        {
            self.faults[index] += 1;
        }
    }

    /// The figures on one line.
    pub fn line(&self) -> String {
        let per_move = |sum: f64| sum / self.moves.max(1) as f64;
        let mut line = format!(
            "{}, {:.0} ms a move (longest {:.0}), depth {:.1}, {:.0} knps",
            counted(self.moves, "move"),
            per_move(self.time.as_secs_f64() * 1000.0),
            self.longest.as_secs_f64() * 1000.0,
            self.depths as f64 / self.with_depth.max(1) as f64,
            self.nodes as f64 / self.time.as_secs_f64().max(1e-9) / 1000.0,
        );
        if self.late > 0 {
            let _ = write!(
                line,
                ", {} late within the margin (latest {} ms)",
                self.late,
                self.latest.as_millis()
            );
        }
        for (fault, count) in Fault::ALL.iter().zip(self.faults) {
            if count > 0 {
                let _ = write!(line, ", {}: {count}", fault.name());
            }
        }
        line
    }
}

/// A signed number of Elo points, infinite or not.
fn points(elo: f64) -> String {
    match elo {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        elo => format!("{elo:+.1}"),
    }
}

/// `+12.3 ± 4.5`; `?` where all results are alike, so that nothing is known about the error.
fn elo(estimate: &Estimate) -> String {
    let margin = estimate.margin();
    if !estimate.elo.is_finite() {
        points(estimate.elo)
    } else if margin.is_finite() && margin > 0.0 {
        format!("{} ± {margin:.1}", points(estimate.elo))
    } else {
        format!("{} ± ?", points(estimate.elo))
    }
}

/// The state of a match between two engines, on one line.
pub fn live_line(config: &MatchConfig, pairing: &Pairing) -> String {
    let [losses, draws, wins] = pairing.games.0;
    let mut line = format!("+{wins} ={draws} -{losses}");
    if let Some(estimate) = pairing.estimate() {
        let _ = write!(line, " | Elo {} | LOS {:.1} %", elo(&estimate), estimate.los * 100.0);
    }
    if let Some(sprt) = &config.sprt {
        let (lower, upper) = sprt.bounds();
        let llr = sprt.llr(&pairing.pairs);
        let _ = write!(line, " | LLR {llr:.2} ({lower:.2}, {upper:.2}) [{}, {}]", sprt.elo0, sprt.elo1);
    }
    line
}

/// The state of a tournament on one line: points and games of each engine, the best first.
pub fn standings(config: &MatchConfig, scores: &Scores) -> String {
    let parts: Vec<String> = ranking(config, scores)
        .into_iter()
        .map(|(player, total)| {
            let name = &config.engines[player].name;
            format!("{name} {}/{}", halves(total.half_points()), total.games.count())
        })
        .collect();
    parts.join(", ")
}

/// All players with their results against the field, the best share of points first.
fn ranking(config: &MatchConfig, scores: &Scores) -> Vec<(usize, Pairing)> {
    let players = config.engines.len();
    let share = |total: &Pairing| total.games.moments().map_or(0.0, |(mean, _)| mean);
    let mut ranking: Vec<_> = (0..players).map(|player| (player, scores.total(player, players))).collect();
    ranking.sort_by(|(_, a), (_, b)| share(b).total_cmp(&share(a)));
    ranking
}

/// Half points as points.
fn halves(points: u64) -> String {
    format!("{}{}", points / 2, if points % 2 == 1 { ".5" } else { "" })
}

/// The report of a match between two engines.
pub fn duel(config: &MatchConfig, scores: &Scores) -> String {
    let pairing = scores.pairing(0, 1);
    let [losses, draws, wins] = pairing.games.0;
    let (first, second) = (&config.engines[0].name, &config.engines[1].name);
    let mut text = format!("{first} against {second}: {wins} won, {draws} drawn, {losses} lost");
    if let Some(estimate) = pairing.games.estimate() {
        let _ = write!(text, " of {} ({:.1} %)", pairing.games.count(), estimate.score * 100.0);
    }
    text.push('\n');
    if let Some(estimate) = pairing.estimate() {
        let unit = if pairing.pairs.count() > 0 { "pairs" } else { "games" };
        let _ = write!(text, "Elo {} (from {unit}", elo(&estimate));
        let (low, high) = estimate.interval;
        if low < high {
            let _ = write!(text, ", 95 %: {} to {}", points(low), points(high));
        }
        let _ = writeln!(text, "), LOS {:.1} %", estimate.los * 100.0);
    }
    if pairing.pairs.count() > 0 {
        let counts = pairing.pairs.0.map(|count| count.to_string()).join(" / ");
        let _ = writeln!(text, "pairs 0 / ½ / 1 / 1½ / 2: {counts}");
    }
    if let Some(sprt) = &config.sprt {
        let (lower, upper) = sprt.bounds();
        let decision = match sprt.decide(&pairing.pairs) {
            Decision::Continue => "undecided",
            Decision::AcceptH0 => "H0 accepted",
            Decision::AcceptH1 => "H1 accepted",
        };
        let llr = sprt.llr(&pairing.pairs);
        let (elo0, elo1) = (sprt.elo0, sprt.elo1);
        let _ = writeln!(text, "SPRT [{elo0}, {elo1}]: LLR {llr:.2} of ({lower:.2}, {upper:.2}), {decision}");
    }
    text
}

/// The cross table of a tournament, best score first.
pub fn cross_table(config: &MatchConfig, scores: &Scores) -> String {
    let players = config.engines.len();
    let ranking = ranking(config, scores);
    let width = config.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max(4);
    let mut text = format!("  # {:width$}   score  games  Elo against the field  ", "name");
    for number in 1..=players {
        let _ = write!(text, " {number:>11}");
    }
    text.push('\n');
    for (rank, &(player, ref total)) in ranking.iter().enumerate() {
        let field = total.estimate().map_or_else(String::new, |estimate| elo(&estimate));
        let _ = write!(
            text,
            "{:3} {:width$} {:>7} {:6}  {field:22} ",
            rank + 1,
            config.engines[player].name,
            halves(total.half_points()),
            total.games.count(),
        );
        for &(other, _) in &ranking {
            let pairing = scores.pairing(player, other);
            let cell = match (other == player, pairing.games.count()) {
                (true, _) => "×".to_owned(),
                (false, 0) => "-".to_owned(),
                (false, games) => format!("{}/{games}", halves(pairing.half_points())),
            };
            let _ = write!(text, " {cell:>11}");
        }
        text.push('\n');
    }
    text
}

/// Everything there is to say at the end (or in between).
pub fn full(config: &MatchConfig, scores: &Scores, figures: &[EngineFigures]) -> String {
    let mut text = match config.engines.len() {
        2 => duel(config, scores),
        _ => cross_table(config, scores),
    };
    for (engine, figures) in config.engines.iter().zip(figures) {
        let _ = writeln!(text, "{}: {}", engine.name, figures.line());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::referee::Outcome;
    use super::super::schedule::Slot;
    use super::super::words::parse_words;
    use super::*;

    fn config(text: &str) -> MatchConfig {
        parse_words(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).expect("known words")
    }

    /// Engine 0 wins `wins` pairs by two wins and draws `draws` pairs.
    fn scores(wins: usize, draws: usize) -> Scores {
        let mut scores = Scores::default();
        for encounter in 0..wins + draws {
            for red in 0..2 {
                let game = 2 * encounter + red;
                let slot = Slot { game, encounter, round: 0, red, black: 1 - red, opening: 0 };
                let winner = if red == 0 { Color::Red } else { Color::Black };
                scores.add(&slot, if encounter < wins { Outcome::Win(winner) } else { Outcome::Draw }, 2);
            }
        }
        scores
    }

    #[test]
    fn a_duel() {
        let config = config("-each nodes=1 -engine cmd=a name=A -engine cmd=b name=B -sprt elo0=0 elo1=100");
        let text = duel(&config, &scores(1, 3));
        // By hand: 5 points of 8 are 62.5 %, which is 400·log10(5/3) = 88.7 Elo; the four pairs have a variance of 3/64.
        for part in [
            "A against B: 2 won, 6 drawn, 0 lost of 8 (62.5 %)",
            "Elo +88.7 ± ",
            "0 / 0 / 3 / 0 / 1",
            "undecided",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(duel(&config, &scores(3, 0)).contains("Elo +∞"));
        assert!(duel(&config, &scores(0, 0)).contains("0 won, 0 drawn, 0 lost"));
        assert!(live_line(&config, &scores(1, 3).pairing(0, 1)).starts_with("+2 =6 -0 | Elo +88.7"));
    }

    #[test]
    fn a_table() {
        let config = config("-each nodes=1 -engine cmd=a name=A -engine cmd=b name=Bb -engine cmd=c name=C");
        let mut scores = scores(0, 1);
        let slot = Slot { game: 9, encounter: 5, round: 0, red: 2, black: 0, opening: 0 };
        scores.add(&slot, Outcome::Win(Color::Red), 2);
        let text = cross_table(&config, &scores);
        let rows: Vec<Vec<&str>> =
            text.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(standings(&config, &scores), "C 1/1, Bb 1/2, A 1/3");
        assert_eq!(rows[0][..4], ["1", "C", "1", "1"]);
        assert_eq!(rows[0][rows[0].len() - 3..], ["×", "-", "1/1"]);
        assert_eq!(rows[1][..4], ["2", "Bb", "1", "2"]);
        assert_eq!(rows[2][..4], ["3", "A", "1", "3"]);
        assert_eq!(rows[2][rows[2].len() - 3..], ["0/1", "1/2", "×"]);
    }
}
