//! Alpha-beta search and evaluation for xiangqi.
