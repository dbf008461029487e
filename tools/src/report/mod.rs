//! `xq report`: games as one HTML file that needs nothing else.

mod cross;
mod data;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueHint;
use movegen::rules::RuleSet;

use crate::atomic;
use crate::board::{self, Pieces};
use crate::games::Game;
use crate::inputs::{self, Reading};
use crate::judge::Lang;

/// What `xq report` reads from the command line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  xq report game.xqf -o game.html                 a board to step through, with variations and comments
  xq report match.pgn -o match.html --lang vi     a tournament: cross table, all games, evaluation graphs
  xq analyse game.pgn -o analysed.pgn && xq report analysed.pgn -o analysed.html

The page holds English, Vietnamese and Chinese; --lang is the one it opens in.
Keys: left and right, Home, End, space (play), f (turn the board). Add #game=2&ply=10 to its address to open a place.

Exit code: 0 all games written, 1 some were damaged and are not, 2 nothing was written.")]
pub struct Args {
    /// Game files, folders (searched for game files), or - for standard input
    #[arg(required = true, value_hint = ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// The HTML file to write, or - for standard output
    #[arg(short, long, value_hint = ValueHint::FilePath)]
    output: PathBuf,
    /// Replace the file if it exists
    #[arg(short, long)]
    force: bool,
    /// Title of the page
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    reading: Reading,
    /// Language the page opens in
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
    /// How the pieces are named
    #[arg(long, value_enum, default_value_t = Pieces::Chinese)]
    pieces: Pieces,
    /// Rule set that repetitions are judged by
    #[arg(long, default_value = "asian", value_parser = crate::values::rules())]
    rules: RuleSet,
}

/// Writes the report.
///
/// # Errors
/// If no game can be read or the file cannot be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let extension = args.output.extension().map(OsStr::to_ascii_lowercase);
    let is_page = extension.is_some_and(|extension| extension == "html" || extension == "htm");
    if !is_page && !atomic::is_special(&args.output) {
        bail!("a report is an .html file");
    }
    atomic::clean_up_on_signals();
    if args.output.exists() && !atomic::is_special(&args.output) && !args.force {
        bail!("{} exists; --force replaces it", args.output.display());
    }
    let mut read_games = Vec::new();
    let damaged =
        inputs::each_game(&inputs::collect(&args.files)?, None, None, args.reading, |_, _, game| {
            read_games.push(game);
            Ok(())
        })?;
    if read_games.is_empty() {
        bail!("no games to report");
    }
    let page = page(&read_games, args.title.as_deref(), args.lang, args.pieces, args.rules)?;
    atomic::write(&args.output, page.as_bytes(), args.force)?;
    Ok(ExitCode::from(u8::from(damaged > 0)))
}

/// The whole page.
///
/// # Errors
/// None in practice: the data always serialise.
pub fn page(
    games: &[Game],
    title: Option<&str>,
    lang: Lang,
    pieces: Pieces,
    rules: RuleSet,
) -> anyhow::Result<String> {
    let data = data::Page::new(games, title, lang, rules)?;
    // No `<` may stand in a script element; in JSON it can only be inside strings.
    let json = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let title = html_escape::encode_text(data.title()).into_owned();
    let symbols = board::piece_symbols(pieces);
    let mut page = String::with_capacity(json.len() + (64 << 10));
    let mut rest = include_str!("page.html");
    // One pass, so that nothing inside a part is taken for a placeholder.
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").context("the template is damaged")?;
        page.push_str(before);
        page.push_str(match name {
            "LANG" => data::code(lang),
            "TITLE" => &title,
            "STYLE" => include_str!("page.css"),
            "SYMBOLS" => &symbols,
            "DATA" => &json,
            "SCRIPT" => include_str!("page.js"),
            _ => bail!("the template has an unknown part {name}"),
        });
        rest = after;
    }
    page.push_str(rest);
    Ok(page)
}
