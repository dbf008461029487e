//! `xq show`: a position or a game as a board in the terminal, or as a picture.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{ValueEnum, ValueHint};
use movegen::notation::Notation;
use movegen::{Move, Position};

use crate::atomic;
use crate::board::{self, Labels, Letters, Pieces, Scene, Theme, View};
use crate::counted::counted;
use crate::games::{self, Format, Game, NodeId};
use crate::inputs::{self, Reading};
use crate::stderr::note;
use crate::{moves, stdout};

/// What `xq show` reads from the command line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  xq show                                        the start position
  xq show --moves C2=5 H8+7 H2+3                 after some moves, in any notation
  xq show game.xqf --ply 20                      a game after its 20th move
  xq show games.pgn --game 3 -o board.svg        the end of the third game as a picture
  xq show --notation simplified --moves C2=5     with the moves in another notation
  xq show --fen '3k5/9/9/9/9/9/9/9/4R4/4K4 w' -o mate.png --width 800

Exit code: 0 shown, 2 nothing to show.")]
pub struct Args {
    /// A game file, or - for standard input; without it the start position or --fen
    #[arg(value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
    /// Which game of the file
    #[arg(long, default_value_t = 1, value_name = "N")]
    game: usize,
    /// How many moves to play; all without it
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// The position
    #[arg(long, conflicts_with = "file")]
    fen: Option<String>,
    /// Moves from there, in any notation
    #[arg(long, num_args = 1.., value_name = "MOVES", conflicts_with = "file")]
    moves: Vec<String>,
    #[command(flatten)]
    reading: Reading,
    /// Write a picture: .svg or .png, or - for an SVG picture on standard output
    #[arg(short, long, value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Replace the picture if it exists
    #[arg(short, long)]
    force: bool,
    /// How the terminal board is written
    #[arg(long, value_enum, default_value_t = Letters::Unicode)]
    letters: Letters,
    /// How the pieces of pictures are named
    #[arg(long, value_enum, default_value_t = Pieces::Chinese)]
    pieces: Pieces,
    /// What stands at the edges of pictures
    #[arg(long, value_enum, default_value_t = Labels::Squares)]
    labels: Labels,
    /// Colours of pictures
    #[arg(long, value_enum, default_value_t = Theme::Light)]
    theme: Theme,
    /// Pixels across
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(32..=8192))]
    width: u32,
    /// See the board from Black's side
    #[arg(long)]
    flip: bool,
    /// Colours in the terminal
    #[arg(long, value_enum, default_value_t = When::Auto)]
    color: When,
    /// Also print the moves, in this notation
    #[arg(long, value_name = "NOTATION", value_parser = crate::values::notation(), hide_possible_values = true)]
    notation: Option<Notation>,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    /// At a terminal
    Auto,
    Always,
    Never,
}

impl From<When> for anstream::ColorChoice {
    fn from(when: When) -> Self {
        match when {
            When::Auto => Self::Auto,
            When::Always => Self::Always,
            When::Never => Self::Never,
        }
    }
}

/// Shows the position.
///
/// # Errors
/// If there is no such game or position, or the picture cannot be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let game = match &args.file {
        Some(path) => read_game(path, args.game, args.reading)?,
        None => from_arguments(args)?,
    };
    let moves: Vec<Move> = game.moves().collect();
    let ply = args.ply.unwrap_or(moves.len());
    if ply > moves.len() {
        bail!("the game has {}, not {ply}", counted(moves.len(), "move"));
    }
    let mut position = game.start().clone();
    for &mv in &moves[..ply] {
        position = position.play(mv);
    }
    let last_move = ply.checked_sub(1).map(|index| moves[index]);
    match &args.output {
        Some(path) => write_picture(args, path, &position, last_move),
        None => print(args, &game, &position, last_move, ply).context(stdout::CANNOT_WRITE),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn read_game(path: &Path, number: usize, reading: Reading) -> anyhow::Result<Game> {
    if path.is_dir() {
        bail!("{} is a folder; name one of its files", path.display());
    }
    let inputs = inputs::collect(&[path.to_owned()])?;
    let input = inputs.files.first().context("no game file")?;
    let mut read = input.games(None, reading).with_context(|| format!("cannot open {}", path.display()))?;
    let nth = number.checked_sub(1).and_then(|index| read.nth(index));
    let game = nth.with_context(|| format!("{} has no game {number}", path.display()))?;
    let game = game.with_context(|| path.display().to_string())?;
    for warning in &game.warnings {
        note!("{}: warning: {warning}", path.display());
    }
    Ok(game)
}

fn from_arguments(args: &Args) -> anyhow::Result<Game> {
    let start = match &args.fen {
        Some(fen) => Position::from_fen(fen).with_context(|| format!("bad FEN '{fen}'"))?,
        None => Position::startpos(),
    };
    let moves = moves::read(&start, &args.moves, args.reading.read_notation)?;
    let mut game = Game::new(start);
    let mut node = NodeId::ROOT;
    for mv in moves {
        node = game.add(node, mv)?;
    }
    Ok(game)
}

fn write_picture(
    args: &Args,
    path: &Path,
    position: &Position,
    last_move: Option<Move>,
) -> anyhow::Result<()> {
    let view =
        View { flipped: args.flip, last_move, pieces: args.pieces, labels: args.labels, theme: args.theme };
    let scene = Scene::new(position, view);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let bytes = match extension.to_ascii_lowercase().as_str() {
        "" if atomic::is_stdout(path) => board::svg(&scene, args.width).into_bytes(),
        "svg" => board::svg(&scene, args.width).into_bytes(),
        "png" => board::png(&scene, args.width)?,
        _ => bail!("pictures are .svg or .png files"),
    };
    atomic::write(path, &bytes, args.force)
}

fn print(
    args: &Args,
    game: &Game,
    position: &Position,
    last_move: Option<Move>,
    ply: usize,
) -> anyhow::Result<()> {
    let mut out = anstream::AutoStream::new(std::io::stdout().lock(), args.color.into());
    if let (Some(red), Some(black)) = (game.tag("Red"), game.tag("Black")) {
        writeln!(out, "{red} - {black}  {}", game.outcome)?;
        let about: Vec<&str> = ["Event", "Date", "Site"].iter().filter_map(|tag| game.tag(tag)).collect();
        writeln!(out, "{}\n", about.join(", "))?;
    }
    write!(out, "{}", board::text(position, args.letters, last_move, args.flip))?;
    writeln!(out, "\n{}", position.fen())?;
    if let Some(mv) = last_move {
        let mut before = game.start().clone();
        for mv in game.moves().take(ply - 1) {
            before = before.play(mv);
        }
        let name = |notation: Notation| notation.write(&before, mv).unwrap_or_default();
        writeln!(out, "{ply}. {mv}  {}  {}", name(Notation::WXF), name(Notation::CHINESE))?;
    }
    if !position.has_legal_move() {
        writeln!(
            out,
            "{}",
            if position.in_check() { "Checkmate." } else { "Stalemate: the side to move has lost." }
        )?;
    } else if position.in_check() {
        writeln!(out, "Check.")?;
    }
    if let Some(notation) = args.notation {
        let mut text = Vec::new();
        let mut main = Game::new(game.start().clone());
        main.outcome = game.outcome;
        let mut node = NodeId::ROOT;
        for mv in game.moves() {
            node = main.add(node, mv)?;
        }
        let options = games::WriteOptions { notation: Some(notation), encoding: None };
        games::write_game(&main, Format::Wxf, options, &mut text)?;
        let text = String::from_utf8_lossy(&text);
        let moves = text
            .split_once("START{\n")
            .and_then(|(_, rest)| rest.split_once("}END"))
            .map_or("", |(moves, _)| moves);
        write!(out, "\n{moves}")?;
    }
    Ok(())
}
