//! FEN in every dialect in use, and what is said about text that is no position.

use movegen::{FenError, Position, Setup};
use proptest::prelude::*;
use tests::cases::{self, InvalidFen, ValidFen};

#[test]
fn dialects_are_read_and_written_canonically() {
    for case in cases::jsonl::<ValidFen>("fen_valid.jsonl") {
        let position = Position::from_fen(&case.fen).unwrap_or_else(|e| panic!("{case:?}: {e}"));
        assert_eq!(position.fen(), case.canonical, "{case:?}");
        assert_eq!(Position::from_fen(&case.canonical), Ok(position), "{case:?}");
    }
}

#[test]
fn faults_are_named_with_their_place() {
    for case in cases::jsonl::<InvalidFen>("fen_invalid.jsonl") {
        let error = Position::from_fen(&case.fen).expect_err(&case.about);
        let message = error.to_string();
        for word in &case.error {
            assert!(message.contains(word), "'{message}' does not name {word}: {case:?}");
        }
        assert!(!message.contains('\n'), "{case:?}");
        let unreachable = matches!(&error, FenError::Position(e) if e.only_unreachable());
        assert_eq!(unreachable, case.unreachable, "'{message}': {case:?}");
    }
}

/// Text that is a FEN but for a few characters.
fn nearly_a_fen() -> impl Strategy<Value = String> {
    const FEN: &str = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";
    prop::collection::vec((0..FEN.len(), "[ -~éｋ]?"), 0..6).prop_map(|edits| {
        let mut text: Vec<String> = FEN.chars().map(String::from).collect();
        for (at, replacement) in edits {
            text[at] = replacement;
        }
        text.concat()
    })
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,120}") {
        // Arriving here without a panic is the point.
        let _ = Position::from_fen(&text);
    }

    #[test]
    fn what_is_read_is_written_the_same_again(text in nearly_a_fen()) {
        if let Ok(setup) = Setup::from_fen(&text) {
            prop_assert_eq!(Setup::from_fen(&setup.to_fen()), Ok(setup));
        }
        if let Ok(position) = Position::from_fen(&text) {
            prop_assert_eq!(Position::from_fen(&position.fen()), Ok(position));
        }
    }
}
