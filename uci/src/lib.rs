//! UCCI and UCI: the grammar of both protocols, the layout of replies, and the dialogue with a driver.
//!
//! [`parse`] and the types of [`mod@format`] are pure; [`Session`] drives them, over any reader and writer, so that
//! whole dialogues can be tested in memory. No chess knowledge lives here.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::panic, reason = "a test that fails panics"))]

pub mod args;
pub mod command;
pub mod format;
pub mod help;
mod input;
mod interpret;
pub mod logging;
pub mod output;
mod parse;
mod session;
mod voice;

pub use parse::parse;
pub use session::Session;
pub use voice::LINES_PER_SECOND;

/// The name of the engine.
pub const NAME: &str = "Phao";
/// Its authors.
pub const AUTHOR: &str = "The Phao developers";
