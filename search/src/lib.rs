//! Alpha-beta search and evaluation for xiangqi.
//!
//! Positions and limits in, typed reports out: no text protocol, no options, no printing.
//!
//! ```
//! use movegen::{History, Position};
//! use search::{Control, Limits, Searcher};
//! let mut searcher = Searcher::new(1).unwrap();
//! let limits = Limits { depth: Some(3), ..Limits::default() };
//! let result = searcher.search(&History::new(Position::startpos()), &limits, &Control::new(false), &mut |_| {});
//! assert!(result.best.is_some());
//! ```

mod eval;
mod history;
mod law;
mod limits;
mod node;
mod ordering;
mod outcome;
mod params;
mod qsearch;
mod reductions;
mod report;
mod searcher;
mod tree;
mod tt;
mod value;
mod wdl;
mod worker;

pub use eval::{evaluate, evaluate_by_hand, evaluate_trace, linear, nnue, static_score};
pub use limits::{Control, Limits};
#[cfg(feature = "tune")]
pub use params::set_tunable;
pub use params::{TUNABLES, Tunable};
pub use report::{Bound, Info, Iteration, Score, SearchResult};
pub use searcher::{MAX_THREADS, Probe, Prober, STACK_SIZE, Searcher};
pub use tt::HashError;
