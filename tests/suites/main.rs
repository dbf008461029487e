//! The one integration test binary; one module a topic.

mod layers;
mod reference;
mod rules;
