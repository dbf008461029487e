//! The toolbox `xq`: reads the command line and hands over to one subcommand of the library.
#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use tools::{
    analyse, book, completions, convert, datagen, judge, matches, moves, report, rescore, show, suite, train,
    tune,
};

/// The xiangqi toolbox: matches, judging, data and game files.
#[derive(Debug, Parser)]
#[command(name = "xq", version, about, max_term_width = 110)]
#[command(after_help = "\
Examples:
  xq show --moves C2=5 H8+7                    a position in the terminal
  xq judge --rules all game.pgn                what the rule sets say of a game
  xq analyse game.xqf -o analysed.pgn          the mistakes of a game
  xq match --help                              the help of a command, with examples of its own

Exit code: 0 done, 1 done but for some damaged or wrong games, 2 nothing done, 130 interrupted; a command's help tells
its own.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// One variant a subcommand, in alphabetical order.
#[derive(Debug, Subcommand)]
enum Command {
    /// Find the mistakes of a game with the engine
    Analyse(analyse::Args),
    /// Make opening books for phao from games or from the books of other programs
    Book(book::Args),
    /// Write a completion script for a shell
    Completions(completions::Args),
    /// Convert game files between formats and notations
    Convert(convert::Args),
    /// Make training data by self-play, or report on some
    Datagen(datagen::Args),
    /// Say what a rule set says about a game with repetitions, and why
    Judge(judge::Args),
    /// Play engines against each other
    Match(matches::Args),
    /// Write games as one HTML file with a board to step through
    Report(report::Args),
    /// Give the games of data files new scores by fresh searches
    Rescore(rescore::Args),
    /// Show a position or game as a board, in the terminal or as a picture
    Show(show::Args),
    /// Solve test positions: mates and tactics
    Suite(suite::Args),
    /// Train a network on such data
    Train(train::Args),
    /// Tune the numbers of the search by play, or of the evaluation from games
    Tune(tune::Args),
}

fn main() -> ExitCode {
    // Warnings of the library, such as a file whose last block is damaged.
    let level = env_logger::Env::default().default_filter_or("warn");
    env_logger::Builder::from_env(level).format(|out, record| writeln!(out, "xq: {}", record.args())).init();
    let result = match Cli::parse_from(moves::shield(std::env::args_os())).command {
        Command::Analyse(args) => analyse::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Completions(args) => completions::run(&args, Cli::command()),
        Command::Convert(args) => convert::run(&args),
        Command::Datagen(args) => datagen::run(&args),
        Command::Judge(args) => judge::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Rescore(args) => rescore::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Suite(args) => suite::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Tune(args) => tune::run(&args),
    };
    result.unwrap_or_else(|error| {
        // Whoever reads the output has seen enough: `xq convert ... | head`.
        let io = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
        if io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe) {
            return ExitCode::SUCCESS;
        }
        tools::tell(format_args!("xq: {}", tools::told(&error)));
        ExitCode::from(2)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command and those below it.
    fn check(command: &clap::Command, path: &str) {
        let help = command.get_after_long_help().or(command.get_after_help());
        let help = help.map(ToString::to_string).unwrap_or_default();
        assert!(help.contains("Example"), "`{path} --help` has no example");
        assert!(help.contains("Exit code"), "`{path} --help` has no exit codes");
        for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
            check(command, &format!("{path} {}", command.get_name()));
        }
    }

    #[test]
    fn every_help_has_an_example_and_the_exit_codes() {
        Cli::command().debug_assert();
        check(&Cli::command(), "xq");
    }
}
