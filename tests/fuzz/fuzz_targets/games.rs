//! Every reader of game files: the first byte picks the format, the rest is the file. What is read must be writable and read back
//! as the same moves.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use tools::games::{Format, ReadOptions, WriteOptions, read, write_game};

fuzz_target!(|bytes: &[u8]| {
    let Some((&pick, file)) = bytes.split_first() else { return };
    let (format, _, _) = Format::ALL[pick as usize % Format::ALL.len()];
    for result in read(Cursor::new(file.to_vec()), Some(format), None, ReadOptions::default()).take(100) {
        let game = match result {
            Ok(game) => game,
            Err(error) => {
                let _ = error.to_string();
                match error.partial {
                    Some(game) => *game,
                    None => continue,
                }
            }
        };
        let mut pgn = Vec::new();
        write_game(&game, Format::Pgn, WriteOptions::default(), &mut pgn).expect("memory takes all");
        let mut back = read(Cursor::new(pgn), Some(Format::Pgn), None, ReadOptions::default());
        let back = back.next().expect("a game").expect("what was written is whole");
        assert!(back.moves().eq(game.moves()));
    }
});
