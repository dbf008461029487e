//! `xq convert`: game files from one format to another.

mod names;
mod output;
mod summary;

use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueHint;
use encoding_rs::Encoding;
use indicatif::{ProgressBar, ProgressStyle};
use movegen::notation::Notation;

use crate::atomic;
use crate::games::{self, Format, Game, WriteOptions, output_encoding};
use crate::inputs::{self, Input, Inputs, Reading};
use output::Sink;
use summary::Summary;

/// What `xq convert` reads from the command line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  xq convert --to json games.pgn                one line a game: fen, moves, result, tags
  xq convert game.xqf -o chinese.pgn --notation chinese
  xq convert old/ --to pgn -o new/              a whole folder, file by file
  xq convert a.pgn b.xqf page.html -o all.pgn   everything into one file
  xq convert old/ --to json --read-encoding big5   where short texts do not show their encoding
  echo '1. C2=5 H8+7' | xq convert --to fen -   standard input

Formats: pgn, wxf, box ([game] boxes), dhtmlxq (also inside HTML), xqf, cbr (and cbl), cbf (read only), fen, json.
Notations: coordinate, coordinate1, iccs, wxf, wxf-sign-second, chinese, chinese-fullwidth, simplified,
simplified-fullwidth, vietnamese, vietnamese-words, algebraic, algebraic0.

What the target cannot hold (variations, comments, glyphs, tags) is reported game by game. A character that the
encoding lacks costs the file it was to stand in, and so does a result that exists; where everything goes into one file,
that ends the conversion.

Exit code: 0 all games converted, 1 some were damaged and are not (or only in part), or a file could not be read or written, 2 none was converted.")]
pub struct Args {
    /// Files, folders (searched for game files), or - for standard input
    #[arg(required = true, value_hint = ValueHint::AnyPath)]
    inputs: Vec<PathBuf>,
    /// The file or folder to write; standard output without it
    #[arg(short, long, value_hint = ValueHint::AnyPath)]
    output: Option<PathBuf>,
    /// The format of the inputs; by default their content or extension tells
    #[arg(long, value_name = "FORMAT", value_parser = crate::values::format(), hide_possible_values = true)]
    from: Option<Format>,
    /// The format to write; by default the extension of the output tells
    #[arg(long, value_name = "FORMAT", value_parser = crate::values::format(), hide_possible_values = true)]
    to: Option<Format>,
    /// The notation to write moves in (in pgn, wxf and box, which leave the choice)
    #[arg(long, value_name = "NOTATION", value_parser = crate::values::notation(), hide_possible_values = true)]
    notation: Option<Notation>,
    #[command(flatten)]
    reading: Reading,
    /// The encoding of text that is written: utf-8, gbk, gb18030 or big5 (in XQF gb18030 or gbk)
    #[arg(long, value_name = "NAME", value_parser = output_encoding)]
    encoding: Option<&'static Encoding>,
    /// Keep the readable part of damaged games, if there is any
    #[arg(long)]
    salvage: bool,
    /// Replace files that exist
    #[arg(short, long)]
    force: bool,
    /// No progress bar, warnings and summary; damage is still reported
    #[arg(short, long)]
    quiet: bool,
}

/// Converts; the exit code is 1 if any game was damaged, 2 if none could be converted.
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
    let options = WriteOptions { notation: args.notation, encoding: args.encoding };
    options.check(format)?;
    atomic::clean_up_on_signals();
    let Inputs { files: inputs, faults } = inputs::collect(&args.inputs)?;
    let bar = progress(&inputs, args.quiet);
    let mut sink = Sink::new(args.output.as_deref(), format, options, args.force, &inputs)?;
    let mut summary = Summary::new(bar.clone(), args.quiet, inputs.len());
    for fault in faults {
        summary.note_unread(fault);
    }
    for input in &inputs {
        let written = summary.written();
        let done = sink.begin(input).and_then(|()| {
            match input.open() {
                Ok(reader) => {
                    let reader: Box<dyn Read> = Box::new(bar.wrap_read(reader));
                    let reader = BufReader::with_capacity(1 << 16, reader);
                    convert_file(args, input, reader, &mut sink, &mut summary)?;
                    summary.end(input);
                }
                Err(error) => summary.note_unread(format_args!("{}: {error}", input.name())),
            }
            sink.end()
        });
        match done {
            Err(error) if sink.spares_others() => {
                sink.abandon();
                summary.end(input);
                let kept = if format.holds_many() { written } else { summary.written() };
                summary.note_unwritten(format_args!("{}: {error:#}", input.name()), kept);
            }
            done => done?,
        }
    }
    sink.finish()?;
    summary.print(format);
    Ok(summary.exit_code())
}

fn convert_file(
    args: &Args,
    input: &Input,
    reader: impl BufRead + 'static,
    sink: &mut Sink<'_>,
    summary: &mut Summary,
) -> anyhow::Result<()> {
    let options = args.reading.options();
    let format = sink.format();
    let games = games::read(reader, args.from, Format::from_path(&input.path), options);
    for (index, read) in games.enumerate() {
        let number = index + 1;
        let mut write = |game: &Game, summary: &mut Summary| {
            match sink.write(game).with_context(|| format!("game {number}")) {
                Ok(losses) => summary.note_written(input, number, game, &losses),
                // The file is that of this game alone.
                Err(error) if sink.spares_others() && !format.holds_many() => {
                    sink.abandon();
                    let kept = summary.written();
                    summary.note_unwritten(format_args!("{}: {error:#}", input.name()), kept);
                }
                Err(error) if sink.spares_others() => return Err(error),
                Err(error) => return Err(error.context(input.name().to_string())),
            }
            anyhow::Ok(())
        };
        match read {
            Ok(game) => write(&game, summary)?,
            Err(mut error) => {
                let partial = error.partial.take().filter(|_| args.salvage);
                summary.note_damage(input, &error, partial.is_some());
                if let Some(game) = partial {
                    write(&game, summary)?;
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
