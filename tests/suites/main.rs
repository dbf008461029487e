//! The one integration test binary; one module a topic.

mod layers;
mod notation;
mod reference;
mod rules;
