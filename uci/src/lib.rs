//! UCCI and UCI.
#![forbid(unsafe_code)]
