//! The toolbox `xq`.
fn main() {}
