//! Makes the games of a data file on several threads: what `xq datagen` and `xq rescore` share.
//!
//! Games are written in the order of their jobs, whichever thread is done first, and the writer fills up the block that an interruption
//! has left; so the bytes of a file depend neither on the threads nor on how often it was gone on with.

use crate::counted::counted;
use crate::data::{Game, Writer};
use crate::stderr::note;
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

/// How often a run without a terminal says how far it is.
const REPORT_EVERY: Duration = Duration::from_mins(1);

/// A flag that Ctrl-C sets from now on.
pub(crate) fn stop_on_signals() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    // A second handler in the same process (tests) is refused; the first one serves.
    let _ = ctrlc::set_handler(|| STOP.store(true, Relaxed));
    &STOP
}

/// Gives the jobs 0, 1, … to the workers, each on a thread of its own, and writes the games, until all are made or `stop` is set; a worker may
/// give up then. Tells whether all were made.
///
/// # Errors
/// If the games cannot be written or a thread not be started.
pub(crate) fn produce<W>(
    jobs: usize,
    workers: Vec<W>,
    mut writer: Writer,
    stop: &AtomicBool,
) -> anyhow::Result<bool>
where
    W: FnMut(usize) -> Option<Game> + Send,
{
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel::<(usize, Game)>();
    let mut progress = Progress::new(jobs as u64);
    thread::scope(|scope| {
        for (thread, mut worker) in workers.into_iter().enumerate() {
            let (sender, next) = (sender.clone(), &next);
            let work = move || {
                while !stop.load(Relaxed) {
                    let job = next.fetch_add(1, Relaxed);
                    let Some(game) = (job < jobs).then(|| worker(job)).flatten() else { return };
                    if sender.send((job, game)).is_err() {
                        return;
                    }
                }
            };
            let name = format!("games {thread}");
            thread::Builder::new().name(name).stack_size(search::STACK_SIZE).spawn_scoped(scope, work)?;
        }
        drop(sender);
        // A thread that has begun a game ends it, so that hardly one is missing between those that are done; what follows it is not written.
        let (mut early, mut written) = (BTreeMap::new(), 0);
        for (job, game) in receiver {
            early.insert(job, game);
            while let Some(game) = early.remove(&written) {
                progress.add(&game);
                writer.add(&game)?;
                written += 1;
            }
        }
        writer.flush()?;
        progress.finish();
        Ok(written == jobs)
    })
}

/// A bar on a terminal, a line a minute elsewhere.
struct Progress {
    bar: ProgressBar,
    begun: Instant,
    reported: Instant,
    games: u64,
    plies: u64,
}

impl Progress {
    fn new(games: u64) -> Self {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {msg}, {eta} left");
        let bar = ProgressBar::new(games).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, begun: Instant::now(), reported: Instant::now(), games: 0, plies: 0 }
    }

    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.plies += game.plies.len() as u64;
        self.bar.inc(1);
        self.bar.set_message(self.rate());
        if self.bar.is_hidden() && self.reported.elapsed() >= REPORT_EVERY {
            self.reported = Instant::now();
            let (games, plies) = (counted(self.games, "game"), counted(self.plies, "ply"));
            note!("{games}, {plies}, {}", self.rate());
        }
    }

    fn rate(&self) -> String {
        format!("{:.0} plies/s", self.plies as f64 / self.begun.elapsed().as_secs_f64().max(0.001))
    }

    fn finish(self) {
        self.bar.finish_and_clear();
        let (games, plies) = (counted(self.games, "game"), counted(self.plies, "ply"));
        note!("{games} and {plies} added, {}", self.rate());
    }
}
