//! Lines of a driver: reading them never fails, and the game they set up is one that can be played on.
#![no_main]

use engine::Game;
use libfuzzer_sys::fuzz_target;
use movegen::Move;
use uci::command::{Command, Start};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut game = Game::default();
    for line in text.lines() {
        match uci::parse(line) {
            Command::Position(board) => {
                let moves: Vec<Move> = board.moves.iter().filter_map(|word| word.parse().ok()).collect();
                if let Start::Fen(fen) = board.start {
                    let _ = game.set_fen(fen, &moves);
                }
            }
            Command::BanMoves(words) => game.ban(words.iter().filter_map(|word| word.parse().ok()).collect()),
            Command::Flip => game.flip(),
            _ => {}
        }
        for mv in game.allowed_moves(&[]) {
            assert!(game.position().is_legal(mv));
        }
    }
});
