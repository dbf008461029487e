//! Every reader of moves, on a position that the first bytes play to.
#![no_main]

use libfuzzer_sys::fuzz_target;
use movegen::Position;
use movegen::notation::{Notation, detect};

fuzz_target!(|bytes: &[u8]| {
    let (plies, text) = bytes.split_at(bytes.len().min(8));
    let Ok(text) = std::str::from_utf8(text) else { return };
    let mut position = Position::startpos();
    for &pick in plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position = position.play(moves[pick as usize % moves.len()]);
    }
    detect(text.split_whitespace());
    for (_, notation) in Notation::NAMED {
        if let Ok(mv) = notation.read(&position, text) {
            assert!(position.is_legal(mv));
            let written = notation.write_or_wxf(&position, mv).expect("a text");
            assert_eq!(notation.read(&position, &written), Ok(mv));
        }
    }
});
