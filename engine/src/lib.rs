#![forbid(unsafe_code)]
//! A xiangqi engine as a library.
