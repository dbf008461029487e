//! `xq tune`: finds numbers, those of the search by play ([`spsa`]).

use std::process::ExitCode;

pub mod spsa;

/// Arguments of `xq tune`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

/// What is tuned, and how.
#[derive(Debug, clap::Subcommand)]
enum What {
    /// Numbers of the search, by games of the engine against itself (SPSA)
    Spsa(spsa::Args),
}

/// Tunes.
///
/// # Errors
/// As the subcommands say.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.what {
        What::Spsa(args) => spsa::run(args),
    }
}
