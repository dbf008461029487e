//! Numbers of things in English messages.

use std::fmt::Display;

/// `1 game`, `2 games`: a number and its thing, in the plural unless there is one.
pub(crate) fn counted<N: Copy + Display + PartialEq + From<u8>>(number: N, thing: &str) -> String {
    format!("{number} {}", things(number, thing))
}

/// The thing alone, for a number that stands elsewhere.
pub(crate) fn things<N: Copy + PartialEq + From<u8>>(number: N, thing: &str) -> String {
    match thing.strip_suffix('y') {
        _ if number == N::from(1) => thing.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None => format!("{thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_in_the_singular() {
        let told = [0, 1, 2].map(|number| counted(number, "game"));
        assert_eq!(told, ["0 games", "1 game", "2 games"]);
        assert_eq!([counted(1u64, "ply"), counted(21u64, "ply")], ["1 ply", "21 plies"]);
    }
}
