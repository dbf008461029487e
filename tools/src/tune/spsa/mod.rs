//! `xq tune spsa`: simultaneous perturbation stochastic approximation by games of an engine against itself.
//!
//! Each iteration two players with opposite perturbations of all parameters play some pairs of games, and the parameters take a step
//! towards the winner ([`gains`]). The engine announces the parameters as options: `phao` does when it is built with the feature `tune`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use crate::counted::counted;
use crate::matches::config::MatchConfig;
use crate::matches::engine::Engine;
use crate::matches::process::{EngineError, Surroundings};
use crate::matches::words::parse_words;
use crate::openings::Opening;
use crate::stderr::note;
use crate::stdout::{out, outln};
use gains::{Gains, Perturbation};
use parameter::Parameter;
use play::Table;
use state::{Settings, State};

pub mod gains;
pub mod parameter;
mod play;
pub mod state;

/// Exit status after Ctrl-C, as shells count it.
const INTERRUPTED: u8 = 130;
/// How often a run without a terminal says how far it is.
const REPORT_EVERY: Duration = Duration::from_mins(1);

/// Arguments of `xq tune spsa`.
#[derive(Debug, clap::Args)]
#[command(after_help = "The engine must announce the parameters as options:\n  \
    cargo build --release -p phao --features tune --target-dir target/tune\n\
    Example: xq tune spsa --engine target/tune/release/phao --nodes 5000 --iterations 20000 \\\n           \
    --only lmr_scale,lmr_base,rfp_margin --state lmr.json --concurrency 2\n\
    Interrupt with Ctrl-C and start again with the same words to go on; --show lmr.json prints the values so far.\n\
    A list for --params has lines as OpenBench takes them: name, int, value, min, max, c_end, r_end\n\n\
    Exit code: 0 all iterations are played, 2 an error, 130 interrupted.")]
pub struct Args {
    /// The engine, with its arguments
    #[arg(long, value_name = "COMMAND", required_unless_present = "show")]
    engine: Option<String>,
    /// An option for both players; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Where the state is kept, and taken up again
    #[arg(long, value_name = "FILE", default_value = "spsa.json")]
    state: PathBuf,
    /// Print the values a state file holds, in the form of the source, and do nothing else
    #[arg(long, value_name = "FILE")]
    show: Option<PathBuf>,
    /// Parameters to tune, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// File that lists the parameters [default: the numbers of the search]
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// Number of iterations
    #[arg(long, default_value_t = 10_000)]
    iterations: u64,
    /// Pairs of games an iteration
    #[arg(long, default_value_t = 1)]
    pairs: usize,
    /// Nodes a move
    #[arg(long, value_name = "N", conflicts_with = "tc", required_unless_present_any = ["tc", "show"])]
    nodes: Option<u64>,
    /// Clock of each player: seconds[+increment]
    #[arg(long, value_name = "TC")]
    tc: Option<String>,
    /// Iterations at the same time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Opening file [default: our book]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of perturbations and openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How fast steps shrink
    #[arg(long, default_value_t = 0.602)]
    alpha: f64,
    /// How fast perturbations shrink
    #[arg(long, default_value_t = 0.101)]
    gamma: f64,
    /// The constant A, as a share of the iterations
    #[arg(long, default_value_t = 0.1)]
    stability: f64,
    /// Step of the last iteration, for the numbers of the search
    #[arg(long, default_value_t = 0.002)]
    r_end: f64,
    /// Play every game to its end instead of ending decided and even ones by their scores
    #[arg(long)]
    no_adjudication: bool,
}

impl Args {
    /// The words of a match between two players of the engine.
    fn words(&self) -> anyhow::Result<Vec<String>> {
        let engine = self.engine.as_deref().context("no --engine")?;
        let mut words = Vec::new();
        for name in ["plus", "minus"] {
            words.extend(["-engine".to_owned(), format!("cmd={engine}"), format!("name={name}")]);
        }
        words.push("-each".to_owned());
        words.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        words.extend(self.tc.as_ref().map(|tc| format!("tc={tc}")));
        words.extend(self.options.iter().map(|option| format!("option.{option}")));
        if let Some(file) = &self.openings {
            words.extend(["-openings".to_owned(), format!("file={}", file.display())]);
        }
        if !self.no_adjudication {
            let rules =
                ["-draw", "movenumber=40", "movecount=8", "score=3", "-resign", "movecount=4", "score=210"];
            words.extend(rules.map(str::to_owned));
        }
        Ok(words)
    }

    fn parameters(&self) -> anyhow::Result<Vec<Parameter>> {
        ensure!(self.r_end.is_finite() && self.r_end > 0.0, "--r-end must be positive and finite");
        let all = match &self.params {
            Some(file) => parameter::read_list(file)?,
            None => parameter::of_the_search(self.r_end),
        };
        if let Some(name) = self.only.iter().find(|name| all.iter().all(|row| row.name != **name)) {
            let names: Vec<&str> = all.iter().map(|row| row.name.as_str()).collect();
            bail!("--only: there is no {name:?} among {}", names.join(", "));
        }
        Ok(all.into_iter().filter(|row| self.only.is_empty() || self.only.contains(&row.name)).collect())
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        ensure!(self.iterations > 0 && self.pairs > 0, "--iterations and --pairs begin at 1");
        ensure!(self.concurrency > 0, "--concurrency begins at 1");
        ensure!(
            [self.alpha, self.gamma, self.stability].iter().all(|gain| gain.is_finite() && *gain >= 0.0),
            "--alpha, --gamma and --stability must be numbers that are not negative"
        );
        let gains = Gains {
            iterations: self.iterations,
            alpha: self.alpha,
            gamma: self.gamma,
            stability: self.stability,
        };
        let (words, parameters) = (self.words()?, self.parameters()?);
        Ok(Settings { words, parameters, gains, pairs: self.pairs, seed: self.seed })
    }
}

/// Tunes parameters by play, or shows a state.
///
/// # Errors
/// When the engine cannot play, does not announce a parameter, or the state cannot be read or written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.show {
        show(&State::load(path)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let settings = args.settings()?;
    let config = parse_words(&settings.words)?;
    let openings = config.openings.load(config.rules).context("openings")?;
    let surroundings = Arc::new(Surroundings::default());
    let interrupted = Arc::clone(&surroundings);
    ctrlc::set_handler(move || {
        if interrupted.stop.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED)); // the second time: at once
        }
    })
    .context("cannot catch Ctrl-C")?;
    if let Err(error) = check_engine(&config, &settings, &surroundings) {
        let interrupted = matches!(error.downcast_ref(), Some(EngineError::Interrupted));
        return if interrupted { Ok(ExitCode::from(INTERRUPTED)) } else { Err(error) };
    }

    let state = State::open(&args.state, settings)?;
    note!(
        "{}, {} of {} done",
        counted(state.theta.len(), "parameter"),
        state.done,
        counted(state.settings.gains.iterations, "iteration")
    );
    let run = Run {
        config: &config,
        openings: &openings,
        surroundings: &surroundings,
        path: &args.state,
        next: AtomicU64::new(state.done),
        progress: Mutex::new(Progress::new(state)),
    };
    let state = run.play(args.concurrency)?;
    show(&state)?;
    if state.done < state.settings.gains.iterations {
        outln!("interrupted; the same words go on")?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the values of a state.
fn show(state: &State) -> anyhow::Result<()> {
    let [losses, draws, wins] = state.games;
    outln!(
        "{} of {}, {} (+{wins} ={draws} -{losses})",
        state.done,
        counted(state.settings.gains.iterations, "iteration"),
        counted(losses + draws + wins, "game")
    )?;
    out!("{}", parameter::table(&state.settings.parameters, &state.theta))
}

/// Starts the engine once, to see that it knows the parameters.
fn check_engine(
    config: &MatchConfig,
    settings: &Settings,
    surroundings: &Surroundings,
) -> anyhow::Result<()> {
    let mut engine = config.engines[0].clone();
    engine.options.extend(settings.parameters.iter().map(|row| (row.name.clone(), row.value.to_string())));
    let running = Engine::start(&engine, surroundings).with_context(|| engine.command.join(" "))?;
    if let Some(name) = running.unannounced_options().first() {
        bail!(
            "{} does not announce the option {name:?}; phao announces its numbers when built with --features tune",
            engine.command.join(" ")
        );
    }
    Ok(())
}

/// A run in progress.
struct Run<'r> {
    config: &'r MatchConfig,
    openings: &'r [Opening],
    surroundings: &'r Surroundings,
    path: &'r std::path::Path,
    /// The next iteration to play.
    next: AtomicU64,
    progress: Mutex<Progress>,
}

impl Run<'_> {
    /// Plays until all iterations are done or the run is stopped.
    fn play(self, concurrency: usize) -> anyhow::Result<State> {
        let result = std::thread::scope(|scope| {
            let start = |_| {
                let worker = std::thread::Builder::new().spawn_scoped(scope, || self.worker());
                worker.inspect_err(|_| self.surroundings.stop.store(true, Ordering::Relaxed))
            };
            let workers: Vec<_> = (0..concurrency).map(start).collect();
            let mut result = Ok(());
            for worker in workers {
                let ended = match worker {
                    Ok(worker) => {
                        worker.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a player thread failed")))
                    }
                    Err(error) => Err(error.into()),
                };
                // Of several failures the first one says most.
                result = result.and(ended);
            }
            result
        });
        let progress = self.progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        progress.bar.finish_and_clear();
        result.map(|()| progress.state)
    }

    fn worker(&self) -> anyhow::Result<()> {
        let result = self.iterations();
        if result.is_err() {
            self.surroundings.stop.store(true, Ordering::Relaxed);
        }
        result
    }

    fn iterations(&self) -> anyhow::Result<()> {
        let mut table = Table::new(self.config, self.surroundings);
        loop {
            let k = self.next.fetch_add(1, Ordering::Relaxed);
            let lock = || self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            let (settings, theta) = {
                let state = &lock().state;
                (state.settings.clone(), state.theta.clone())
            };
            if k >= settings.gains.iterations || self.surroundings.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let mut chance = Perturbation::new(settings.seed, k, theta.len());
            let players = chance.players(&settings.gains, &settings.parameters, &theta, k);
            let openings: Vec<&Opening> =
                (0..settings.pairs).map(|_| &self.openings[chance.pick(self.openings.len())]).collect();
            let Some(games) = table.play(&settings.parameters, &players, &openings)? else { return Ok(()) };
            let mut progress = lock();
            progress.state.note(k, &chance, games);
            progress.state.save(self.path)?;
            progress.show();
        }
    }
}

/// The state with the line that shows it.
struct Progress {
    state: State,
    bar: ProgressBar,
    reported: Instant,
}

impl Progress {
    fn new(state: State) -> Self {
        let bar = ProgressBar::new(state.settings.gains.iterations).with_position(state.done);
        // The template is a constant that indicatif accepts.
        if let Ok(style) =
            ProgressStyle::with_template("{pos}/{len} iterations, {elapsed} (left {eta}) | {msg}")
        {
            bar.set_style(style);
        }
        Self { state, bar, reported: Instant::now() }
    }

    /// Moves the bar on; a line a minute where there is no terminal.
    fn show(&mut self) {
        self.bar.set_position(self.state.done);
        self.bar.set_message(self.line());
        if self.bar.is_hidden() && self.reported.elapsed() >= REPORT_EVERY {
            self.reported = Instant::now();
            note!(
                "{}/{} iterations | {}",
                self.state.done,
                self.state.settings.gains.iterations,
                self.line()
            );
        }
    }

    /// Games, and the parameters that have moved farthest in units of their perturbation.
    fn line(&self) -> String {
        let [losses, draws, wins] = self.state.games;
        let mut moved: Vec<(f64, String)> = self
            .state
            .settings
            .parameters
            .iter()
            .zip(&self.state.theta)
            .map(|(row, value)| {
                let far = (value - row.value as f64).abs() / row.c_end;
                (far, format!("{} {} -> {value:.1}", row.name, row.value))
            })
            .collect();
        moved.sort_by(|a, b| b.0.total_cmp(&a.0));
        let moved: Vec<String> = moved.into_iter().take(3).map(|(_, text)| text).collect();
        format!("+{wins} ={draws} -{losses} | {}", moved.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    fn settings(words: &str) -> anyhow::Result<Settings> {
        Cli::try_parse_from(std::iter::once("x").chain(words.split_whitespace()))?.args.settings()
    }

    #[test]
    fn words_become_a_match() {
        let settings = settings("--engine phao --nodes 500 --option Hash=1 --only lmr_base,rfp_margin")
            .expect("good words");
        let config = parse_words(&settings.words).expect("words of a match");
        assert_eq!(config.engines.len(), 2);
        assert_eq!(config.engines[1].limits.nodes, Some(500));
        assert_eq!(config.engines[0].options, [("Hash".to_owned(), "1".to_owned())]);
        assert!(config.draw.is_some() && config.resign.is_some());
        let names: Vec<&str> = settings.parameters.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["rfp_margin", "lmr_base"], "in the order of the table");
    }

    #[test]
    fn mistakes_are_named() {
        for (words, fault) in [
            ("--nodes 5", "--engine"),
            ("--engine phao", "--nodes"),
            ("--engine phao --nodes 5 --tc 1", "cannot be used"),
            ("--engine phao --nodes 5 --only lmr", "there is no \"lmr\" among aspiration_window"),
            ("--engine phao --nodes 5 --iterations 0", "begin at 1"),
            ("--engine phao --nodes 5 --r-end 0", "must be positive"),
        ] {
            let error = format!("{:#}", settings(words).expect_err(words));
            assert!(error.contains(fault), "{words}: {error}");
        }
    }
}
