//! Positions shared by the benchmarks.
