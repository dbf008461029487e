//! Plays the games of a match on several threads and keeps the books.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, ensure};
use crossbeam_channel::Sender;
use indicatif::{ProgressBar, ProgressStyle};
use movegen::Color;

use super::config::MatchConfig;
use super::engine::Engine;
use super::game::{Abandoned, GameRecord, play};
use super::pgn::{self, Past};
use super::process::{DialogueLog, EngineError, Surroundings};
use super::report::{self, EngineFigures};
use super::schedule::{Slot, schedule};
use super::score::Scores;
use crate::counted::counted;
use crate::openings::Opening;
use crate::stats::Decision;
use crate::stderr::note;
use crate::stdout::{out, outln};

/// How often a dead engine is started again before the match is given up.
const RESTARTS: u32 = 3;
/// Pause before another attempt.
const RESTART_PAUSE: Duration = Duration::from_secs(1);
/// Exit status after Ctrl-C, as shells count it.
const INTERRUPTED: u8 = 130;

/// What a worker reports.
enum Message {
    Finished(Slot, Box<GameRecord>),
    /// The match cannot go on.
    Failed(anyhow::Error),
}

/// What the workers share.
struct Shared<'s> {
    config: &'s MatchConfig,
    openings: &'s [Opening],
    surroundings: &'s Surroundings,
    queue: Mutex<std::vec::IntoIter<Slot>>,
}

/// Opens a file to write at its end: a match that is resumed goes on with its log.
fn append(path: &Path) -> std::io::Result<File> {
    File::options().create(true).append(true).open(path)
}

/// Plays a whole match and reports on stdout.
///
/// # Errors
/// When it cannot begin, or an engine cannot be started any more.
pub fn run(mut config: MatchConfig) -> anyhow::Result<ExitCode> {
    let openings = config.openings.load(config.rules).context("openings")?;
    let longest = openings.iter().map(|opening| opening.moves.len() / 2).max().unwrap_or(0);
    let max_moves = config.max_moves as usize;
    ensure!(max_moves == 0 || longest < max_moves, "-maxmoves {max_moves}: an opening has {longest} moves");
    let log = config.log.as_ref().map(|path| append(path).with_context(|| format!("log {}", path.display())));
    let surroundings =
        Arc::new(Surroundings { log: log.transpose()?.map(DialogueLog::new), ..Default::default() });
    let interrupted = Arc::clone(&surroundings);
    ctrlc::set_handler(move || {
        if interrupted.stop.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED)); // the second time: at once
        }
    })
    .context("cannot catch Ctrl-C")?;
    if let Err(error) = introduce(&mut config, &surroundings) {
        let interrupted = matches!(error.downcast_ref(), Some(EngineError::Interrupted));
        return if interrupted { Ok(ExitCode::from(INTERRUPTED)) } else { Err(error) };
    }

    let slots = schedule(&config, openings.len());
    let mut books = Books::open(&config, &slots, &openings)?;
    let to_play: Vec<Slot> = slots.iter().filter(|slot| !books.done.contains(&slot.game)).copied().collect();
    let mut played = Ok(());
    if books.decision() != Decision::Continue {
        outln!("the sequential test is decided already")?;
    } else if !to_play.is_empty() {
        played = books.play(&openings, &surroundings, to_play);
    }
    // Also what was played before the match had to be given up.
    out!("{}", report::full(&config, &books.scores, &books.figures))?;
    played?;
    let interrupted = surroundings.stop.load(Ordering::Relaxed) && books.decision() == Decision::Continue;
    if interrupted {
        outln!("interrupted after {} of {}", books.scores.games(), counted(slots.len(), "game"))?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Starts every engine once: to learn its name, and to fail early.
fn introduce(config: &mut MatchConfig, surroundings: &Surroundings) -> anyhow::Result<()> {
    let mut names = HashSet::new();
    for engine in &mut config.engines {
        let running = Engine::start(engine, surroundings).with_context(|| engine.command.join(" "))?;
        if engine.name.is_empty() {
            engine.name = running.own_name();
        }
        for option in running.unannounced_options() {
            note!("xq: {} does not announce the option {option:?}", engine.name);
        }
        engine.name = unlike(&names, &engine.name);
        names.insert(engine.name.clone());
        outln!("{}: {}, {}", engine.name, running.description(), engine.limits)?;
    }
    Ok(())
}

/// The name, with a number where others have it already.
fn unlike(names: &HashSet<String>, name: &str) -> String {
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !names.contains(name)).unwrap_or_default()
}

/// Results, game file and the live line; owned by the main thread.
struct Books<'c> {
    config: &'c MatchConfig,
    scores: Scores,
    figures: Vec<EngineFigures>,
    pgn: Option<File>,
    /// Games that are finished.
    done: HashSet<usize>,
    total: usize,
}

impl<'c> Books<'c> {
    /// Opens the game file and counts what it holds.
    fn open(config: &'c MatchConfig, slots: &[Slot], openings: &[Opening]) -> anyhow::Result<Self> {
        let mut books = Self {
            config,
            scores: Scores::default(),
            figures: vec![EngineFigures::default(); config.engines.len()],
            pgn: None,
            done: HashSet::new(),
            total: slots.len(),
        };
        if let Some(path) = &config.pgn {
            let past = if config.resume { Past::read(path)? } else { Past::default() };
            pgn::check_past(&past.games, slots, openings, config)?;
            books.pgn = Some(past.open(path)?);
            for game in past.games {
                if books.done.insert(game.game) {
                    books.scores.add(&slots[game.game], game.outcome, config.games);
                }
            }
            if !books.done.is_empty() {
                let games = counted(slots.len(), "game");
                outln!("{} of {games} found in {}", books.done.len(), path.display())?;
            }
        }
        Ok(books)
    }

    /// What the sequential test says.
    fn decision(&self) -> Decision {
        self.config.sprt.map_or(Decision::Continue, |sprt| sprt.decide(&self.scores.pairing(0, 1).pairs))
    }

    /// Plays `slots`.
    fn play(
        &mut self,
        openings: &[Opening],
        surroundings: &Surroundings,
        slots: Vec<Slot>,
    ) -> anyhow::Result<()> {
        let workers = self.config.concurrency.min(slots.len());
        let shared =
            Shared { config: self.config, openings, surroundings, queue: Mutex::new(slots.into_iter()) };
        let (sender, messages) = crossbeam_channel::unbounded();
        let bar = ProgressBar::new(self.total as u64).with_position(self.done.len() as u64);
        // The template is a constant that indicatif accepts.
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len} games, {elapsed} (left {eta}) | {msg}") {
            bar.set_style(style);
        }
        let result = std::thread::scope(|scope| {
            for _ in 0..workers {
                let (shared, own_sender) = (&shared, sender.clone());
                let work = move || worker(shared, &own_sender);
                if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, work) {
                    let error = anyhow::Error::new(error).context("cannot start a thread for the games");
                    let _ = sender.send(Message::Failed(error));
                    break;
                }
            }
            drop(sender);
            let mut result = Ok(());
            for message in messages {
                let noted = match message {
                    Message::Finished(slot, record) => self.note(&slot, &record, openings, &bar),
                    Message::Failed(error) => Err(error),
                };
                if result.is_ok() && noted.is_err() {
                    result = noted;
                }
                if result.is_err() || self.decision() != Decision::Continue {
                    surroundings.stop.store(true, Ordering::Relaxed);
                }
            }
            result
        });
        bar.finish_and_clear();
        result
    }

    /// Counts a finished game, writes it down and refreshes the live line.
    fn note(
        &mut self,
        slot: &Slot,
        record: &GameRecord,
        openings: &[Opening],
        bar: &ProgressBar,
    ) -> anyhow::Result<()> {
        let config = self.config;
        let opening = &openings[slot.opening];
        let players = [&config.engines[slot.red], &config.engines[slot.black]];
        if let Some(file) = &mut self.pgn {
            let path = config.pgn.as_deref().unwrap_or(Path::new("the game file"));
            pgn::append(file, &pgn::write_game(config, slot, players, opening, record)?)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        self.done.insert(slot.game);
        self.scores.add(slot, record.outcome, config.games);
        for (player, color) in [(slot.red, Color::Red), (slot.black, Color::Black)] {
            self.figures[player].add(record, color, opening.start.side_to_move());
        }
        let line = match config.engines.len() {
            2 => report::live_line(config, &self.scores.pairing(0, 1)),
            _ => report::standings(config, &self.scores),
        };
        if !config.quiet {
            let culprit =
                record.fault.map_or("", |(color, _)| if color == Color::Red { "Red " } else { "Black " });
            let (game, red, black) = (slot.game + 1, &players[0].name, &players[1].name);
            let (outcome, reason, plies) =
                (record.outcome, &record.reason, counted(record.moves.len(), "ply"));
            bar.suspend(|| {
                outln!("game {game} ({red} - {black}): {outcome} {{{culprit}{reason}}} {plies}  {line}")
            })?;
        }
        bar.set_message(line);
        bar.inc(1);
        let interval = config.rating_interval;
        if interval > 0 && self.done.len().is_multiple_of(interval) {
            bar.suspend(|| out!("{}", report::full(config, &self.scores, &self.figures)))?;
        }
        Ok(())
    }
}

/// Plays games until none is left or the match is stopped.
fn worker(shared: &Shared<'_>, messages: &Sender<Message>) {
    let mut pool: HashMap<usize, Engine<'_>> = HashMap::new();
    loop {
        if shared.surroundings.stop.load(Ordering::Relaxed) {
            return;
        }
        let Some(slot) = shared.queue.lock().unwrap_or_else(PoisonError::into_inner).next() else { return };
        pool.retain(|&player, engine| (player == slot.red || player == slot.black) && engine.is_alive());
        let message = match play_slot(shared, &mut pool, slot) {
            Ok(record) => Message::Finished(slot, Box::new(record)),
            Err(Stopped::Abandoned) => return,
            Err(Stopped::Failed(error)) => Message::Failed(error),
        };
        if messages.send(message).is_err() {
            return;
        }
    }
}

/// Why a slot was not played.
enum Stopped {
    Abandoned,
    Failed(anyhow::Error),
}

fn play_slot<'s>(
    shared: &Shared<'s>,
    pool: &mut HashMap<usize, Engine<'s>>,
    slot: Slot,
) -> Result<GameRecord, Stopped> {
    let engines = &shared.config.engines;
    for player in [slot.red, slot.black] {
        if let Entry::Vacant(place) = pool.entry(player) {
            place.insert(start(shared, player)?);
        }
    }
    let players = pool.get_disjoint_mut([&slot.red, &slot.black]);
    let [Some(red), Some(black)] = players else {
        return Err(Stopped::Failed(anyhow::anyhow!("an engine cannot play against itself")));
    };
    let configs = [&engines[slot.red], &engines[slot.black]];
    play([red, black], configs, &shared.openings[slot.opening], shared.config)
        .map_err(|Abandoned| Stopped::Abandoned)
}

/// Starts an engine, if need be in several attempts.
fn start<'s>(shared: &Shared<'s>, player: usize) -> Result<Engine<'s>, Stopped> {
    let config = &shared.config.engines[player];
    let mut attempts = 0;
    loop {
        match Engine::start(config, shared.surroundings) {
            Ok(engine) => return Ok(engine),
            Err(EngineError::Interrupted) => return Err(Stopped::Abandoned),
            Err(_) if attempts < RESTARTS => {
                attempts += 1;
                std::thread::sleep(RESTART_PAUSE);
            }
            Err(error) => {
                return Err(Stopped::Failed(
                    anyhow::Error::new(error).context(format!("cannot restart {}", config.name)),
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_engines_have_one_name() {
        let mut names = HashSet::new();
        let found = ["A", "A (2)", "A", "B", "A", "B"].map(|name| {
            let name = unlike(&names, name);
            names.insert(name.clone());
            name
        });
        assert_eq!(found, ["A", "A (2)", "A (3)", "B", "A (4)", "B (2)"]);
    }
}
