//! What the engine sees of the search thread while that is at work: its hash table, and the network that evaluates.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use movegen::Position;
use search::Probe;
use search::nnue::Network;

/// Looks a position up in a hash table, from any thread.
pub type Prober = Arc<dyn Fn(&Position) -> Option<Probe> + Send + Sync>;

/// The view both threads share.
#[derive(Clone, Default)]
pub(crate) struct Window(Arc<Mutex<View>>);

/// What is to be seen.
#[derive(Default)]
pub(crate) struct View {
    /// Not there while the table is exchanged or cleared, so that nobody holds on to an old one.
    pub(crate) prober: Option<Prober>,
    /// `None` for the hand-written evaluation.
    pub(crate) network: Option<Arc<Network>>,
}

impl Window {
    /// The view, to look at or to change. A panic elsewhere leaves it whole: each field is replaced at once.
    pub(crate) fn view(&self) -> MutexGuard<'_, View> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Window").finish_non_exhaustive()
    }
}
