//! Whole dialogues in memory, with a search that obeys the test.

#[path = "../../../engine/tests/state_machine/fake.rs"]
mod fake;
mod harness;
mod noise;
mod random;
mod robustness;
mod transcripts;
