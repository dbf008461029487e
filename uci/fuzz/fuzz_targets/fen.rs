//! FEN: what is read can be written and read again, and a position made of it keeps its promises.
#![no_main]

use libfuzzer_sys::fuzz_target;
use movegen::{Position, Setup};

fuzz_target!(|text: &str| {
    let Ok(setup) = Setup::from_fen(text) else { return };
    let fen = setup.to_fen();
    assert_eq!(Setup::from_fen(&fen).map(|again| again.to_fen()).as_deref(), Ok(fen.as_str()));
    if let Ok(position) = Position::from_setup(&setup) {
        assert_eq!(position.key(), position.compute_key());
        for mv in position.legal_moves() {
            assert!(position.is_legal(mv));
            let next = position.play(mv);
            assert_eq!(next.key(), next.compute_key());
            assert_eq!(position.gives_check(mv), next.in_check());
        }
    }
});
