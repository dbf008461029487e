//! The one integration test binary; one module a topic.

mod claims;
mod cycles;
mod fen;
mod law;
mod layers;
mod movegen;
mod notation;
mod perft;
mod reference;
mod rules;
mod search;
mod see;
mod traps;
