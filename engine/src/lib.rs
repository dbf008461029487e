//! A xiangqi engine as a library: the game in progress, options, clocks, and the events of a running search.
//!
//! It knows no protocol: the crate `uci` gives it a voice. [`Engine`] is the facade; [`options`] holds the one table
//! of options; [`time`] turns clocks into limits; [`mod@bench`] is the fixed workload whose node count is the signature
//! of a build. Searches run on a thread of their own and report by [`Event`]s.
#![forbid(unsafe_code)]

mod backend;
pub mod bench;
pub mod book;
mod engine;
mod files;
mod game;
mod offers;
pub mod options;
pub mod perft;
mod running;
mod strength;
pub mod time;
mod window;
mod worker;

pub use backend::Backend;
pub use engine::{Engine, GoRequest, Output, Reply};
pub use files::{NetworkFileError, read_network};
pub use game::{Game, PositionFault};
pub use window::Prober;
pub use worker::{Chore, Event, SearchId};
