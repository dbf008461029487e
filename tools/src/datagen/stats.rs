//! `xq datagen --stats`: whether the data make sense.

use crate::counted::counted;
use crate::data::{DataError, Ending, Filter, Game, MATE_BOUND, Outcome, Reader, read_files, samples};
use core::fmt;
use movegen::Color;
use std::{collections::HashMap, path::PathBuf};

/// Width of a row of the table of scores, in units of the evaluation.
const STEP: i32 = 100;
/// Rows to each side; the outermost hold everything beyond.
const ROWS: i32 = 12;

/// What is counted.
#[derive(Debug, Default)]
pub(super) struct Stats {
    recipes: Vec<String>,
    games: u64,
    plies: u64,
    outcomes: [u64; 3],
    endings: HashMap<Ending, u64>,
    openings: HashMap<u64, u32>,
    lengths: Vec<usize>,
    mates: u64,
    kept: u64,
    positions: HashMap<u64, u32>,
    /// Score row → games lost, drawn and won by the side to move.
    table: HashMap<i32, [u64; 3]>,
    /// Kept positions with 1 to 4, 5 to 8, … pieces.
    pieces: [u64; 8],
}

impl Stats {
    pub(super) fn of_files(paths: &[PathBuf]) -> Result<Self, DataError> {
        let mut stats = Self::default();
        for path in paths {
            stats.recipes.push(format!("{}: {}", path.display(), Reader::open(path)?.recipe()));
        }
        read_files(paths, |game| stats.add(&game))?;
        stats.lengths.sort_unstable();
        Ok(stats)
    }

    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.plies += game.plies.len() as u64;
        self.outcomes[game.outcome as usize] += 1;
        *self.endings.entry(game.ending).or_default() += 1;
        self.lengths.push(game.opening.len() + game.plies.len());
        self.mates +=
            game.plies.iter().filter(|ply| ply.score.unsigned_abs() >= MATE_BOUND as u16).count() as u64;
        let mut position = game.start.clone();
        game.opening.iter().for_each(|&mv| {
            position.make_move(mv);
        });
        *self.openings.entry(position.key()).or_default() += 1;
        samples(game, Filter::default(), |position, sample| {
            self.kept += 1;
            *self.positions.entry(position.key()).or_default() += 1;
            let row = (i32::from(sample.score) + STEP / 2).div_euclid(STEP).clamp(-ROWS, ROWS);
            self.table.entry(row).or_default()[usize::from(sample.half_points)] += 1;
            self.pieces[(sample.position.count() - 1) / 4] += 1;
        });
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for recipe in &self.recipes {
            writeln!(f, "{recipe}")?;
        }
        let games = self.games;
        let [black, draw, red] = self.outcomes;
        writeln!(
            f,
            "games       {games}, {}, {:.1} a game",
            counted(self.plies, "ply"),
            self.plies as f64 / games.max(1) as f64
        )?;
        writeln!(
            f,
            "results     Red won {:.1} %, drawn {:.1} %, Black won {:.1} %",
            percent(red, games),
            percent(draw, games),
            percent(black, games)
        )?;
        let ending = |ending| percent(self.endings.get(&ending).copied().unwrap_or(0), games);
        writeln!(
            f,
            "endings     mate {:.1} %, law {:.1} %, won by score {:.1} %, drawn by score {:.1} %, too long {:.1} %",
            ending(Ending::Mate),
            ending(Ending::Law),
            ending(Ending::WonByScore),
            ending(Ending::DrawnByScore),
            ending(Ending::Length)
        )?;
        let quantile =
            |share: usize| self.lengths.get(self.lengths.len() * share / 100).copied().unwrap_or(0);
        writeln!(
            f,
            "lengths     10 % up to {}, half up to {}, 90 % up to {} plies",
            quantile(10),
            quantile(50),
            quantile(90)
        )?;
        let repeated = games - self.openings.len() as u64;
        writeln!(
            f,
            "openings    {} different, {:.1} % of games repeat one",
            self.openings.len(),
            percent(repeated, games)
        )?;
        writeln!(f, "mate scores {:.1} % of plies", percent(self.mates, self.plies))?;
        let duplicates = self.kept - self.positions.len() as u64;
        writeln!(
            f,
            "kept        {}, {:.1} % of plies; {:.1} % of them duplicates",
            counted(self.kept, "position"),
            percent(self.kept, self.plies),
            percent(duplicates, self.kept)
        )?;
        write!(f, "pieces     ")?;
        for (i, &count) in self.pieces.iter().enumerate() {
            write!(f, " {}-{}: {:.1} %", 4 * i + 1, 4 * i + 4, percent(count, self.kept))?;
        }
        writeln!(f)?;
        writeln!(f, "score       positions   won   drawn   lost   points (side to move)")?;
        for row in -ROWS..=ROWS {
            let [lost, drawn, won] = self.table.get(&row).copied().unwrap_or_default();
            let count = lost + drawn + won;
            let points = percent(2 * won + drawn, 2 * count);
            writeln!(
                f,
                "{:6}     {count:10} {:5.1} {:6.1} {:6.1} {points:8.1}",
                row * STEP,
                percent(won, count),
                percent(drawn, count),
                percent(lost, count)
            )?;
        }
        Ok(())
    }
}

const _: () = assert!(Outcome::RedWins as usize == 2 && Outcome::Draw.half_points(Color::Red) == 1);
