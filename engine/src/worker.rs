//! The search thread: it owns the search with its memory, takes one job after another and reports by events.
//!
//! A panic inside a search ends here: the search is built anew, the event says so, and the engine still replies.

use std::any::Any;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender};
use movegen::History;
use movegen::rules::Rules;
use search::nnue::Network;
use search::{Control, HashError, Info, Limits, STACK_SIZE, SearchResult};

use crate::backend::Backend;
use crate::files::{self, NetworkFileError};
use crate::window::Window;

/// A piece of work that is not a search: it looks at the control now and then, and hands out lines of text.
pub type Chore = Box<dyn FnOnce(&Control, &mut dyn FnMut(String)) + Send>;

/// Tells one search from another, so that a report that comes late is not taken for one of the next search.
pub type SearchId = u64;

/// What the search thread is asked to do.
pub(crate) enum Job {
    Search {
        id: SearchId,
        history: Box<History>,
        limits: Limits,
        control: Arc<Control>,
    },
    Chore {
        chore: Chore,
        control: Arc<Control>,
    },
    /// Sizes asked for one after the other; the last one that can be had counts.
    Hash(Vec<usize>),
    Threads(usize),
    Rules(Rules),
    /// The value of the option `EvalFile`.
    Network(OsString),
    NewGame,
    /// Answered when everything before it is done.
    Sync(Sender<()>),
}

/// What the search thread reports.
#[derive(Debug)]
pub enum Event {
    /// A search has something to show.
    Info(SearchId, Info),
    /// A search is over; without a result if it failed.
    Finished(SearchId, Option<SearchResult>),
    /// A line of the running chore.
    Text(String),
    /// The running chore is over.
    ChoreDone,
    /// Something went wrong that a user should know of.
    Message(String),
}

/// Starts the thread. `make` builds the search with a hash table of so many MiB; it is called on that thread.
///
/// # Errors
/// If the system has no thread for us.
pub(crate) fn spawn<B: Backend>(
    make: fn(usize) -> Result<B, HashError>,
    hash_mib: usize,
    jobs: Receiver<Job>,
    events: Sender<Event>,
    window: Window,
) -> std::io::Result<()> {
    let body = move || {
        let mut worker = Worker {
            make,
            backend: None,
            hash_mib,
            threads: 1,
            rules: Rules::default(),
            network: Network::embedded().cloned(),
            events,
            window,
        };
        worker.build();
        for job in (Queue { jobs, waiting: VecDeque::new() }) {
            // Nothing may hold on to a table that is to be replaced.
            let changes = !matches!(job, Job::Search { .. } | Job::Chore { .. } | Job::Sync(_));
            if changes {
                worker.window.view().prober = None;
            }
            worker.run(job);
            if changes {
                worker.show();
            }
        }
    };
    thread::Builder::new().name("search".to_owned()).stack_size(STACK_SIZE).spawn(body).map(|_detached| ())
}

/// The jobs in their order, but that sizes of the hash table come together which nobody waits for one by one: each would take a while.
struct Queue {
    jobs: Receiver<Job>,
    waiting: VecDeque<Job>,
}

impl Iterator for Queue {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        let job = self.waiting.pop_front().or_else(|| self.jobs.recv().ok())?;
        let Job::Hash(mut sizes) = job else { return Some(job) };
        self.waiting.extend(self.jobs.try_iter());
        let is_awaited = |job: &Job| matches!(job, Job::Search { .. } | Job::Chore { .. } | Job::Sync(_));
        let end = self.waiting.iter().position(is_awaited).unwrap_or(self.waiting.len());
        let later = self.waiting.split_off(end);
        for job in std::mem::take(&mut self.waiting) {
            match job {
                Job::Hash(more) => sizes.extend(more),
                job => self.waiting.push_back(job),
            }
        }
        self.waiting.extend(later);
        Some(Job::Hash(sizes))
    }
}

struct Worker<B> {
    make: fn(usize) -> Result<B, HashError>,
    /// `None` only if not even a small hash table could be had.
    backend: Option<B>,
    hash_mib: usize,
    threads: usize,
    rules: Rules,
    network: Option<Arc<Network>>,
    events: Sender<Event>,
    window: Window,
}

impl<B: Backend> Worker<B> {
    /// Puts the present table and network in the window.
    fn show(&self) {
        let mut view = self.window.view();
        view.prober = self.backend.as_ref().map(Backend::prober);
        view.network.clone_from(&self.network);
    }

    fn run(&mut self, job: Job) {
        match job {
            Job::Search { id, history, limits, control } => {
                let mut answered = false;
                self.guarded("the search", |backend, events| {
                    let prober = backend.prober();
                    let mut on_info = |info| send(events, Event::Info(id, info));
                    let mut on_result = |mut result: SearchResult| {
                        // The line may have ended with its first move; the table often knows the answer to it.
                        if let (Some(best), None) = (result.best, result.ponder) {
                            let next = history.current().try_play(best).ok();
                            result.ponder = next.and_then(|position| prober(&position)?.mv);
                        }
                        answered = true;
                        send(events, Event::Finished(id, Some(result)));
                    };
                    backend.search(&history, &limits, &control, &mut on_info, &mut on_result);
                });
                if !answered {
                    send(&self.events, Event::Finished(id, None));
                }
            }
            Job::Chore { chore, control } => {
                self.guarded("the command", |_, events| {
                    chore(&control, &mut |line| send(events, Event::Text(line)));
                });
                send(&self.events, Event::ChoreDone);
            }
            Job::Hash(sizes) => self.resize(&sizes),
            Job::Threads(threads) => {
                self.threads = threads;
                self.guarded("setting the threads", |backend, _| backend.set_threads(threads));
            }
            Job::Rules(rules) => {
                self.rules = rules;
                self.guarded("setting the rules", |backend, _| backend.set_rules(rules));
            }
            Job::Network(file) => match network(&file) {
                Ok(network) => {
                    self.network.clone_from(&network);
                    self.guarded("setting the network", |backend, _| backend.set_network(network));
                }
                Err(error) => {
                    let text = format!(
                        "network {}: {error}; the evaluation stays as it was",
                        file.to_string_lossy()
                    );
                    send(&self.events, Event::Message(text));
                }
            },
            Job::NewGame => {
                self.guarded("clearing the hash table", |backend, _| backend.new_game());
            }
            Job::Sync(reply) => {
                let _ = reply.send(());
            }
        }
    }

    /// Runs `work`; after a panic the search is built anew, for its memory may be in any state.
    fn guarded<T>(&mut self, what: &str, work: impl FnOnce(&mut B, &Sender<Event>) -> T) -> Option<T> {
        let backend = self.backend.as_mut()?;
        let events = &self.events;
        match catch_unwind(AssertUnwindSafe(|| work(backend, events))) {
            Ok(value) => Some(value),
            Err(panic) => {
                let text = format!("internal error in {what}: {}", panic_text(panic.as_ref()));
                log::error!("{text}");
                send(&self.events, Event::Message(text));
                self.backend = None;
                self.build();
                None
            }
        }
    }

    /// Builds the search with the wanted hash table, or else with the smallest one, and shows it in the window.
    fn build(&mut self) {
        self.window.view().prober = None;
        self.make_backend();
        self.show();
    }

    fn make_backend(&mut self) {
        for mib in [self.hash_mib, 1] {
            let make = || {
                let mut backend = (self.make)(mib)?;
                if self.threads != 1 {
                    backend.set_threads(self.threads);
                }
                backend.set_rules(self.rules);
                backend.set_network(self.network.clone());
                Ok::<_, HashError>(backend)
            };
            match catch_unwind(AssertUnwindSafe(make)) {
                Ok(Ok(backend)) => {
                    self.backend = Some(backend);
                    return;
                }
                Ok(Err(error)) => send(&self.events, Event::Message(error.to_string())),
                Err(panic) => {
                    let text = format!("the search cannot start: {}", panic_text(panic.as_ref()));
                    send(&self.events, Event::Message(text));
                }
            }
        }
    }

    /// Takes the last of the sizes that can be had, be it in the room that an earlier one leaves.
    fn resize(&mut self, mut sizes: &[usize]) {
        let mut faults = Vec::new();
        while !sizes.is_empty() {
            faults.clear();
            let taken = sizes.iter().rposition(|&mib| match self.try_resize(mib) {
                Some(Err(error)) => {
                    faults.push(error);
                    false
                }
                Some(Ok(())) | None => true,
            });
            match taken {
                Some(taken) => sizes = &sizes[taken + 1..],
                None => break,
            }
        }
        for (error, kept) in faults.iter().rev() {
            send(&self.events, Event::Message(format!("{error}; {kept} MiB stay")));
        }
    }

    /// `None` after a panic; an error comes with the size that stays.
    fn try_resize(&mut self, mib: usize) -> Option<Result<(), (HashError, usize)>> {
        let outcome = self.guarded("setting the hash size", |backend, _| {
            backend.set_hash(mib).map_err(|error| (error, backend.hash_mib()))
        });
        if let Some(Ok(())) = outcome {
            self.hash_mib = mib;
        }
        outcome
    }
}

/// What the option `EvalFile` asks for.
fn network(file: &OsStr) -> Result<Option<Arc<Network>>, NetworkFileError> {
    match file.to_str() {
        Some("") => Ok(Network::embedded().cloned()),
        Some("none") => Ok(None),
        _ => Ok(Some(Arc::new(files::read_network(file)?.0))),
    }
}

/// Reports an event; if nobody listens any more the process is about to end.
fn send(events: &Sender<Event>, event: Event) {
    let _ = events.send(event);
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown cause")
}
