//! `xq tune`: finds numbers, those of the search by play ([`spsa`]), those of the hand-written evaluation from games ([`texel`]).

use std::process::ExitCode;

pub mod spsa;
pub mod texel;

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
    /// Weights of the hand-written evaluation, from games of self-play
    Texel(texel::Args),
}

/// Tunes.
///
/// # Errors
/// As the subcommands say.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.what {
        What::Spsa(args) => spsa::run(args),
        What::Texel(args) => texel::run(args),
    }
}
