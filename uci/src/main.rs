//! The engine process.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{self, ErrorKind, Write, stdin};
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Context, anyhow};
use engine::Engine;
use engine::options::Protocol;
use movegen::Position;
use search::{Control, STACK_SIZE};
use uci::args::{Args, Work};
use uci::{NAME, Session, help, logging, output};

fn main() -> ExitCode {
    // Drivers read stderr and stdout as one stream: a panic goes to the log alone.
    std::panic::set_hook(Box::new(|info| log::error!("{info}")));
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error:#}");
            // Only a person at a terminal gets here, or a driver whose pipe takes no more, such as a full disk.
            let _ = writeln!(io::stderr(), "phao: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Nobody reads our output any more.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

fn run() -> anyhow::Result<()> {
    let args = Args::parse(std::env::args_os().skip(1))?;
    let fault = args.log.and_then(|path| {
        let error = logging::log_to(&path).err()?;
        Some(format!("cannot write the log file {}: {error}", path.to_string_lossy()))
    });
    match (args.work, fault) {
        // A game can do without a log: only `quit` and the end of the input end the dialogue.
        (Work::Dialogue, fault) => {
            Session::new(Engine::new()?, output::standard()?).with_notice(fault).run(stdin_lines())?;
            return Ok(());
        }
        (_, Some(fault)) => return Err(anyhow!(fault)),
        (Work::Bench { depth }, None) => bench(depth)?,
        (Work::Perft { depth, fen }, None) => perft(depth, fen.as_deref())?,
        (Work::Help, None) => print_lines(|line| line(help::usage().trim_end().to_owned()))?,
        (Work::Version, None) => print_lines(|line| line(format!("{NAME} {}", env!("CARGO_PKG_VERSION"))))?,
    }
    // The dialogue has told it; a command of the shell fails on it.
    if let Some(fault) = logging::take_fault() {
        return Err(anyhow!("the log ends: {fault}"));
    }
    Ok(())
}

fn stdin_lines() -> io::BufReader<io::Stdin> {
    io::BufReader::new(stdin())
}

/// Writes each line as it comes; after the first failure the rest goes nowhere.
fn print_lines(work: impl FnOnce(&mut dyn FnMut(String))) -> io::Result<()> {
    let mut output = output::standard()?;
    let mut outcome = Ok(());
    work(&mut |line| {
        if outcome.is_ok() {
            outcome = writeln!(output, "{line}");
        }
    });
    outcome
}

/// Runs the workload on a thread with a stack fit for the search.
fn bench(depth: Option<u32>) -> anyhow::Result<()> {
    let work = move || print_lines(|line| help::bench(depth, Protocol::Uci, &Control::new(false), line));
    let thread = thread::Builder::new().stack_size(STACK_SIZE).spawn(work)?;
    thread.join().map_err(|_| anyhow!("the search failed"))??;
    Ok(())
}

/// Counts on all cores.
fn perft(depth: u32, fen: Option<&str>) -> anyhow::Result<()> {
    let position = match fen {
        None | Some("startpos") => Position::startpos(),
        Some(fen) => Position::from_fen(fen).context("bad FEN")?,
    };
    let start = Instant::now();
    let counts = movegen::perft_divide(&position, depth);
    let total: u64 = if depth == 0 { 1 } else { counts.iter().map(|(_, leaves)| leaves).sum() };
    let seconds = start.elapsed().as_secs_f64();
    print_lines(|line| {
        for (mv, leaves) in counts {
            line(format!("{mv}: {leaves}"));
        }
        line(String::new());
        line(format!("Nodes searched: {total}"));
        line(format!("Time: {seconds:.3} s, {:.0} leaves/s", total as f64 / seconds.max(1e-9)));
    })?;
    Ok(())
}
