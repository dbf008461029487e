//! The engine process.
fn main() {}
