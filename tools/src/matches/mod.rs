//! `xq match`: engines against engines, with a referee of our own.
//!
//! [`words`] reads the command line into a [`config::MatchConfig`], [`runner`] plays the games of [`schedule`] on several threads
//! ([`game`], over [`engine`]), keeps the books ([`score`], [`report`]) and the game file ([`pgn`]).

use std::process::ExitCode;

use crate::stdout::outln;

mod adjudication;
pub mod clock;
pub mod config;
pub mod engine;
pub mod game;
pub mod pgn;
pub mod process;
pub mod referee;
pub mod replies;
pub mod report;
pub mod requests;
pub mod runner;
pub mod schedule;
pub mod score;
pub mod words;
mod xboard;

/// Arguments of `xq match`.
#[derive(Debug, clap::Args)]
#[command(after_help = words::HELP)]
pub struct Args {
    /// The words of the match, as below; one or two dashes
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true, value_name = "WORDS")]
    words: Vec<String>,
}

/// Plays a match.
///
/// # Errors
/// When a word is wrong or the match cannot begin or go on.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.words.iter().any(|word| matches!(word.as_str(), "-help" | "--help" | "-h")) {
        outln!("{}", words::HELP)?;
        return Ok(ExitCode::SUCCESS);
    }
    runner::run(words::parse_words(&args.words)?)
}
