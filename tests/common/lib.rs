//! Fixtures and the reference generator.
