//! Pictures of a board: text for terminals, SVG and PNG for documents.
//!
//! Pieces and labels are drawn as strokes of our own (`glyphs.rs`), so that pictures look the same everywhere and need no
//! fonts.

mod glyphs;
mod png;
mod scene;
mod svg;
mod text;

pub use png::{PngError, png};
pub use scene::{Labels, Pieces, Scene, Theme, View};
pub use svg::{piece_symbols, svg};
pub use text::{Letters, text};
