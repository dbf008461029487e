//! Shared code of the toolbox `xq`.
#![forbid(unsafe_code)]
