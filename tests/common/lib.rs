//! Fixtures and the reference implementation the fast code is compared with.
//!
//! Nothing here uses movegen's boards or attack tables: [`mod@reference`] has its own board and speaks in square indices
//! (9 × rank + file, a0 = 0) and coordinate moves, so that a fault in movegen cannot hide in both.
#![forbid(unsafe_code)]

pub mod cases;
pub mod law;
pub mod random;
pub mod reference;
pub mod see;
