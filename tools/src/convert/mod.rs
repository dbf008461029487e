//! `xq convert`: game files from one format to another.

mod inputs;
mod output;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueHint;
use encoding_rs::Encoding;
use indicatif::{ProgressBar, ProgressStyle};
use movegen::notation::Notation;

use crate::games::{self, Format, GameError, Losses, ReadOptions, WriteOptions};
use inputs::Input;
use output::Sink;

/// What `xq convert` reads from the command line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  xq convert --to json games.pgn                one line a game: fen, moves, result, tags
  xq convert game.xqf -o chinese.pgn --notation chinese
  xq convert old/ --to pgn -o new/              a whole folder, file by file
  xq convert a.pgn b.xqf page.html -o all.pgn   everything into one file
  echo '1. C2=5 H8+7' | xq convert --to fen -   standard input

Formats: pgn, wxf, box ([game] boxes), dhtmlxq (also inside HTML), xqf, cbr (and cbl), cbf (read only), fen, json.
Notations: coordinate, coordinate1, iccs, wxf, wxf-sign-second, chinese, chinese-fullwidth, simplified,
simplified-fullwidth, vietnamese, vietnamese-words, algebraic, algebraic0.

Exit code: 0 all games converted, 1 some were damaged, 2 nothing could be done.")]
pub struct Args {
    /// Files, folders (searched for game files), or - for standard input
    #[arg(required = true, value_hint = ValueHint::AnyPath)]
    inputs: Vec<PathBuf>,
    /// The file or folder to write; standard output without it
    #[arg(short, long, value_hint = ValueHint::AnyPath)]
    output: Option<PathBuf>,
    /// The format of the inputs; by default their content or extension tells
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// The format to write; by default the extension of the output tells
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// The notation to write moves in, where the format leaves the choice
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    /// The notation the moves of the inputs are in; by default the files tell
    #[arg(long, value_name = "NOTATION")]
    read_notation: Option<Notation>,
    /// The encoding of text that is written (utf-8, gbk, gb18030, big5)
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    encoding: Option<&'static Encoding>,
    /// Keep the readable part of damaged games
    #[arg(long)]
    salvage: bool,
    /// Replace files that exist
    #[arg(short, long)]
    force: bool,
    /// No progress bar and no summary; damage is still reported
    #[arg(short, long)]
    quiet: bool,
}

fn encoding(name: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(name.as_bytes()).ok_or_else(|| format!("`{name}` is no encoding"))
}

/// Messages of damage that are kept for the end.
const MAX_MESSAGES: usize = 50;

#[derive(Debug, Default)]
struct Summary {
    files: usize,
    written: usize,
    salvaged: usize,
    damaged: usize,
    without_variations: usize,
    without_comments: usize,
    without_characters: usize,
    messages: Vec<String>,
}

impl Summary {
    fn note_losses(&mut self, losses: Losses) {
        self.written += 1;
        self.without_variations += usize::from(losses.variations);
        self.without_comments += usize::from(losses.comments);
        self.without_characters += usize::from(losses.characters);
    }

    fn note_damage(&mut self, path: &Path, error: &GameError) {
        self.damaged += 1;
        if self.messages.len() < MAX_MESSAGES {
            self.messages.push(format!("{}: {error}", path.display()));
        }
    }

    fn print(&self, quiet: bool) {
        for message in &self.messages {
            eprintln!("{message}");
        }
        let more = self.damaged - self.messages.len();
        if more > 0 {
            eprintln!("and {more} more damaged games");
        }
        if quiet {
            return;
        }
        let mut text = format!("{} games from {} files written", self.written, self.files);
        for (count, what) in [
            (self.damaged, "damaged"),
            (self.salvaged, "salvaged in part"),
            (self.without_variations, "lost their variations (the format has none)"),
            (self.without_comments, "lost their comments (the format has none)"),
            (self.without_characters, "have characters the encoding lacks"),
        ] {
            if count > 0 {
                let _ = write!(text, ", {count} {what}");
            }
        }
        eprintln!("{text}");
    }
}

/// Converts; the exit code is 1 if any game was damaged.
///
/// # Errors
/// If nothing can be done: bad arguments, an output that cannot be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = match (args.to, &args.output) {
        (Some(format), _) => format,
        (None, Some(path)) => Format::from_path(path)
            .with_context(|| format!("cannot tell the format of {}; name it with --to", path.display()))?,
        (None, None) => bail!("name the format with --to, or a file with --output"),
    };
    if format.is_read_only() {
        bail!("{format} files are only read");
    }
    let inputs = inputs::collect(&args.inputs)?;
    let bar = progress(&inputs, args.quiet);
    let options = WriteOptions { notation: args.notation, encoding: args.encoding };
    let mut sink = Sink::new(args.output.as_deref(), format, options, args.force, &inputs)?;
    let mut summary = Summary::default();
    for input in &inputs {
        summary.files += 1;
        sink.begin(input)?;
        let reader: Box<dyn Read> = match input.open() {
            Ok(reader) => Box::new(bar.wrap_read(reader)),
            Err(error) => {
                summary.damaged += 1;
                summary.messages.push(format!("{}: {error}", input.path.display()));
                continue;
            }
        };
        convert_file(args, input, BufReader::with_capacity(1 << 16, reader), &mut sink, &mut summary)?;
        sink.end()?;
    }
    sink.finish()?;
    bar.finish_and_clear();
    if summary.written + summary.damaged == 0 {
        bail!("there are no games in what was read");
    }
    summary.print(args.quiet);
    Ok(ExitCode::from(u8::from(summary.damaged > 0)))
}

fn convert_file(
    args: &Args,
    input: &Input,
    reader: impl BufRead + 'static,
    sink: &mut Sink<'_>,
    summary: &mut Summary,
) -> anyhow::Result<()> {
    let options = ReadOptions { notation: args.read_notation };
    for read in games::read(reader, args.from, Format::from_path(&input.path), options) {
        match read {
            Ok(game) => summary.note_losses(sink.write(&game)?),
            Err(mut error) => {
                summary.note_damage(&input.path, &error);
                if let Some(game) = error.partial.take().filter(|_| args.salvage) {
                    summary.salvaged += 1;
                    summary.note_losses(sink.write(&game)?);
                }
            }
        }
    }
    Ok(())
}

/// A bar over the bytes of all inputs, for people at a terminal.
fn progress(inputs: &[Input], quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {bytes_per_sec} eta {eta}");
    let bar = ProgressBar::new(inputs.iter().map(|input| input.length).sum());
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
