//! `xq completions`: a completion script for the user's shell, written to stdout.

use std::process::ExitCode;

use clap::Command;
use clap_complete::Shell;

use crate::stdout::out;

/// Arguments of `xq completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  xq completions bash > xq.bash                  then: source xq.bash
  xq completions zsh > _xq                       in a folder of your fpath
  xq completions fish > xq.fish                  in ~/.config/fish/completions

Exit code: 0 written, 2 no such shell.")]
pub struct Args {
    /// The shell to write a completion script for
    shell: Shell,
}

/// Writes the completion script of `command` (the whole of `xq`) to stdout.
///
/// # Errors
/// If standard output is closed or full.
pub fn run(args: &Args, mut command: Command) -> anyhow::Result<ExitCode> {
    // Into memory, because it panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "xq", &mut script);
    out!("{}", String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
