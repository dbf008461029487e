//! `xq book`: opening books for `phao`, made from games or from the books of other programs.
//!
//! The format is that of [`engine::book`]. A book is written whole or not at all.

mod eleeye;
mod make;
mod obk;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use clap::{Subcommand, ValueHint};
use engine::book::{Book, Place};
use movegen::Position;
use movegen::notation::Notation;

use crate::counted::counted;
use crate::stderr::note;
use crate::stdout::outln;
use crate::{atomic, moves};

/// What `xq book` reads from the command line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  xq book make games.pgn archive/ -o my.book --plies 24 --min-count 5
  xq book import BOOK.DAT -o eleeye.book
  xq book import big.obk --keys table.txt -o big.book
  xq book show my.book --moves h2e2 h9g7

Use it: setoption bookfiles my.book (UCCI), setoption name Book File value my.book (UCI).

Exit code: 0 written, 1 written without some damaged games or files, 2 nothing written.")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a book from games of any format that xq reads
    Make(make::Args),
    /// Make a book from one of another program: ElephantEye's BOOK.DAT, or an OBK database
    Import(ImportArgs),
    /// Show what a book holds, or its moves in a position
    Show(ShowArgs),
}

/// What `xq book import` reads from the command line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  xq book import BOOK.DAT -o eleeye.book
  xq book import big.obk --keys table.txt -o big.book

OBK files name positions by numbers made from a table of keys that only the program which wrote the book knows: without --keys they
cannot be read.

Exit code: 0 written, 1 written from a file that seems to be cut short, 2 nothing written.")]
struct ImportArgs {
    /// The book to read; its content tells the format
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// The book to write
    #[arg(short, long, value_hint = ValueHint::FilePath)]
    output: PathBuf,
    /// Replace the book if it exists
    #[arg(short, long)]
    force: bool,
    /// For OBK: the table of keys its positions are named by, 64-bit numbers in a text file: the one for Red to move, then for K A B
    /// N R C P k a b n r c p those of the 90 points from a9 to i0, or of a board of 16 × 16 with a9 at 0x33
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    keys: Option<PathBuf>,
}

/// What `xq book show` reads from the command line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  xq book show builtin                              the moves of the start position
  xq book show builtin --moves h2e2 --notation wxf  those after a move

Exit code: 0 shown, also where the book knows no move; 2 no such book, position or move.")]
struct ShowArgs {
    /// A book; `builtin` is the one inside phao
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// The position; the start position without it
    #[arg(long)]
    fen: Option<String>,
    /// Moves from there, in any notation
    #[arg(long, num_args = 1.., value_name = "MOVES")]
    moves: Vec<String>,
    /// The notation of the moves that are read; by default they tell
    #[arg(long, value_name = "NOTATION", value_parser = crate::values::notation(), hide_possible_values = true)]
    read_notation: Option<Notation>,
    /// The notation to print moves in
    #[arg(long, value_name = "NOTATION", value_parser = crate::values::notation(), hide_possible_values = true, default_value = "coordinate")]
    notation: Notation,
}

/// Runs one of the subcommands.
///
/// # Errors
/// If nothing can be read or the book cannot be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Make(args) => make::run(args),
        Command::Import(args) => import(args),
        Command::Show(args) => show(args),
    }
}

/// A book that is being put together: the weights can grow beyond what a file holds.
type Weights = std::collections::HashMap<Place, u64>;

/// Writes a book of these weights; those of a position are scaled down together where one is too large for the file.
fn write(weights: Weights, path: &Path, replace: bool) -> anyhow::Result<Book> {
    ensure!(weights.values().any(|&weight| weight > 0), "no move is left for the book");
    let mut largest = std::collections::HashMap::new();
    for (place, &weight) in &weights {
        let entry = largest.entry(place.key).or_insert(0);
        *entry = weight.max(*entry);
    }
    let limit = u64::from(u16::MAX);
    let scaled = |place: &Place, weight: u64| match largest.get(&place.key) {
        Some(&most) if most > limit && weight > 0 => {
            (u128::from(weight) * u128::from(limit) / u128::from(most)).max(1) as u16
        }
        _ => weight as u16,
    };
    let book = Book::new(weights.into_iter().map(|(place, weight)| (place, scaled(&place, weight))));
    atomic::write(path, &book.to_bytes(), replace)?;
    Ok(book)
}

/// Refuses to write a book over one of the files it is made from.
fn ensure_other(input: &Path, output: &Path) -> anyhow::Result<()> {
    let same = fs::canonicalize(input)
        .ok()
        .is_some_and(|input| fs::canonicalize(output).is_ok_and(|output| output == input));
    ensure!(!same, "{} is the input: the book needs another name", output.display());
    Ok(())
}

/// What became of the entries of a foreign book.
struct Imported {
    weights: Weights,
    /// Entries that can be reached from the start.
    found: usize,
    /// All entries.
    whole: usize,
    /// The share of a book that seems to have been cut short.
    cut: Option<f64>,
}

fn import(args: &ImportArgs) -> anyhow::Result<ExitCode> {
    ensure_other(&args.file, &args.output)?;
    ensure!(
        args.force || !args.output.exists() || atomic::is_special(&args.output),
        "{} exists; --force replaces it",
        args.output.display()
    );
    let context = || args.file.display().to_string();
    let bytes = read_plain(&args.file).with_context(context)?;
    let Imported { weights, found, whole, cut } = if obk::is_obk(&bytes) {
        let keys = args.keys.as_deref().context(
            "an OBK book names its positions by keys of a table that is not in the file; give the table with --keys",
        )?;
        drop(bytes);
        let text = read_plain(keys).with_context(|| keys.display().to_string())?;
        let text = String::from_utf8(text).with_context(|| keys.display().to_string())?;
        let table = eleeye::Keys::parse(&text).with_context(|| keys.display().to_string())?;
        obk::import(&args.file, &table).with_context(context)?
    } else if bytes.starts_with(b"PHAOBOOK") {
        bail!("{} is a book of phao already", args.file.display());
    } else {
        eleeye::import(&bytes).with_context(context)?
    };
    let book = write(weights, &args.output, args.force)?;
    outln!(
        "{} in {}, mirror images counted once; {found} of {} can be reached from the start",
        counted(book.len(), "move"),
        counted(book.positions(), "position"),
        counted(whole, "entry")
    )?;
    let Some(share) = cut else { return Ok(ExitCode::SUCCESS) };
    note!(
        "{}: the file seems to be cut short, about {:.0} % of a book are there",
        args.file.display(),
        share * 100.0
    );
    Ok(ExitCode::from(1))
}

/// The bytes of a plain file: a device or a pipe may never end.
fn read_plain(path: &Path) -> anyhow::Result<Vec<u8>> {
    ensure!(fs::metadata(path)?.is_file(), "not a plain file");
    Ok(fs::read(path)?)
}

fn show(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let book = Book::load(&args.file).with_context(|| args.file.display().to_string())?;
    let (moves, positions) = (counted(book.len(), "move"), counted(book.positions(), "position"));
    outln!("{moves} in {positions}, mirror images counted once")?;
    let mut position = match &args.fen {
        Some(fen) => Position::from_fen(fen)?,
        None => Position::startpos(),
    };
    for mv in moves::read(&position, &args.moves, args.read_notation)? {
        position = position.play(mv);
    }
    let moves = book.moves(&position);
    if moves.is_empty() {
        outln!("it does not know {}", position.fen())?;
    }
    let total: u64 = moves.iter().map(|choice| u64::from(choice.weight)).sum();
    for choice in moves {
        let share = f64::from(choice.weight) * 100.0 / total as f64;
        let text = args.notation.write_or_wxf(&position, choice.mv).unwrap_or_else(|| choice.mv.to_string());
        outln!("{:>7} {share:5.1} %  {text}", choice.weight)?;
    }
    Ok(ExitCode::SUCCESS)
}
