//! `xq tune`: finds numbers, those of the search by play ([`spsa`]), those of the hand-written evaluation from games ([`texel`]).

use std::process::ExitCode;

pub mod spsa;
pub mod texel;

/// Arguments of `xq tune`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  xq tune spsa --help                     what it takes to tune the search
  xq tune texel --data games.xqg          fit the evaluation; the numbers go to standard output

Exit code: 0 done, 2 an error, 130 interrupted.")]
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
