//! `xq book make`: counts the moves of games, position by position.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use clap::ValueHint;
use engine::book::Place;
use movegen::{Color, Position};

use super::{Weights, write};
use crate::atomic;
use crate::counted::counted;
use crate::games::{Format, Game, Outcome};
use crate::inputs::{self, Reading};
use crate::stdout::outln;

/// What `xq book make` reads from the command line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  xq book make games.pgn -o my.book
  xq book make games.pgn archive/ -o deep.book --plies 40 --min-count 5 --weights 1,0,0

Exit code: 0 written, 1 written without some damaged games or files, 2 nothing written.")]
pub(super) struct Args {
    /// Game files, folders (searched for game files), or - for standard input
    #[arg(required = true, value_hint = ValueHint::AnyPath)]
    inputs: Vec<PathBuf>,
    /// The book to write
    #[arg(short, long, value_hint = ValueHint::FilePath)]
    output: PathBuf,
    /// Replace the book if it exists
    #[arg(short, long)]
    force: bool,
    /// So many plies of each game are looked at
    #[arg(long, default_value_t = 30, value_name = "N")]
    plies: usize,
    /// Leave out moves that were played in fewer games
    #[arg(long, default_value_t = 3, value_name = "N")]
    min_count: u32,
    /// What a game adds to the weight of a move whose side won, drew and lost it; a game without a result counts as drawn
    #[arg(long, default_value = "2,1,0", value_name = "WIN,DRAW,LOSS", value_parser = points)]
    weights: Points,
    /// Leave out moves with less than this share of the heaviest move's weight, per cent
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=100))]
    min_share: u64,
    /// Also take games that do not begin at the start position
    #[arg(long)]
    any_start: bool,
    /// The format of the inputs; by default their content or extension tells
    #[arg(long, value_name = "FORMAT", value_parser = crate::values::format(), hide_possible_values = true)]
    from: Option<Format>,
    #[command(flatten)]
    reading: Reading,
}

/// What a win, a draw and a loss are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Points {
    win: u32,
    draw: u32,
    loss: u32,
}

fn points(text: &str) -> Result<Points, String> {
    let numbers: Vec<u32> = text.split(',').map_while(|word| word.trim().parse().ok()).collect();
    match numbers[..] {
        [win, draw, loss] if text.split(',').count() == 3 => Ok(Points { win, draw, loss }),
        _ => Err("expected three whole numbers: WIN,DRAW,LOSS".to_owned()),
    }
}

impl Points {
    /// What a game adds for the side that moved.
    fn of(self, outcome: Outcome, mover: Color) -> u32 {
        match (outcome, mover) {
            (Outcome::RedWins, Color::Red) | (Outcome::BlackWins, Color::Black) => self.win,
            (Outcome::RedWins | Outcome::BlackWins, _) => self.loss,
            (Outcome::Draw | Outcome::Unknown, _) => self.draw,
        }
    }
}

#[derive(Debug, Default)]
struct Tally {
    games: u32,
    weight: u64,
}

/// Makes the book.
///
/// # Errors
/// If no game can be read, no move is left, or the book cannot be written.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    ensure!(
        args.force || !args.output.exists() || atomic::is_special(&args.output),
        "{} exists; --force replaces it",
        args.output.display()
    );
    let mut moves: HashMap<Place, Tally> = HashMap::new();
    let (mut used, mut elsewhere) = (0_usize, 0_usize);
    let inputs = inputs::collect(&args.inputs)?;
    for input in &inputs.files {
        super::ensure_other(&input.path, &args.output)?;
    }
    let damaged = inputs::each_game(&inputs, None, args.from, args.reading, |_, _, game| {
        if args.any_start || *game.start() == Position::startpos() {
            add(&mut moves, &game, args);
            used += 1;
        } else {
            elsewhere += 1;
        }
        Ok(())
    })?;
    ensure!(used + elsewhere > 0, "no game could be read");
    ensure!(used > 0, "no games from the start position (--any-start takes others too)");
    let book = write(weights(&moves, args), &args.output, args.force)?;
    outln!(
        "{} in {}, mirror images counted once, from {}",
        counted(book.len(), "move"),
        counted(book.positions(), "position"),
        counted(used, "game")
    )?;
    if elsewhere > 0 {
        let games = counted(elsewhere, "game");
        outln!("left out because they begin elsewhere: {games}; --any-start takes them")?;
    }
    if damaged > 0 {
        outln!("left out because they are damaged or cannot be read: {damaged}")?;
    }
    Ok(ExitCode::from(u8::from(damaged > 0)))
}

/// Counts the main line of a game; a move that comes back in it counts once.
fn add(moves: &mut HashMap<Place, Tally>, game: &Game, args: &Args) {
    let mut position = game.start().clone();
    let mut seen = HashSet::new();
    for mv in game.moves().take(args.plies) {
        let place = Place::of(&position, mv);
        if seen.insert(place) {
            let tally = moves.entry(place).or_default();
            tally.games += 1;
            tally.weight += u64::from(args.weights.of(game.outcome, position.side_to_move()));
        }
        position = position.play(mv);
    }
}

/// The moves that were played often enough and are not overshadowed by another.
fn weights(moves: &HashMap<Place, Tally>, args: &Args) -> Weights {
    let mut heaviest: HashMap<u64, u64> = HashMap::new();
    for (place, tally) in moves {
        let most = heaviest.entry(place.key).or_default();
        *most = tally.weight.max(*most);
    }
    let stays = |place: &Place, tally: &Tally| {
        let most = heaviest.get(&place.key).copied().unwrap_or_default();
        tally.games >= args.min_count && tally.weight * 100 >= most * args.min_share
    };
    moves
        .iter()
        .filter(|(place, tally)| stays(place, tally))
        .map(|(&place, tally)| (place, tally.weight))
        .collect()
}
