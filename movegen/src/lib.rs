//! Xiangqi board, legal moves, notations and the repetition law.
