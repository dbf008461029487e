//! The toolbox `xq`: one module a subcommand, each with `Args` (what clap reads) and `run`.
//!
//! Everything the subcommands do lives in this library, so that tests reach it; `main.rs` only picks the subcommand. Notes go to stderr by
//! `stderr`, reports to stdout by `stdout`.
#![forbid(unsafe_code)]

pub mod analyse;
mod atomic;
pub mod board;
pub mod book;
pub mod completions;
pub mod convert;
mod counted;
pub mod data;
pub mod datagen;
pub mod evaluation;
pub mod games;
mod inputs;
pub mod judge;
pub mod matches;
pub mod moves;
mod network;
pub mod openings;
mod production;
mod recipe;
pub mod report;
pub mod rescore;
pub mod show;
pub mod stats;
mod stderr;
mod stdout;
pub mod suite;
mod text;
mod told;
pub mod train;
pub mod tune;
mod values;

pub use stderr::tell;
pub use told::told;
