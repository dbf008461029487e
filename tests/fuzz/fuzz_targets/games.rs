//! Every reader of game files: the first byte picks the format, or leaves it to the file, which is the rest. What is read must be
//! writable and read back as the same moves.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use tools::games::{Format, ReadOptions, WriteOptions, read, write_game};

fuzz_target!(|bytes: &[u8]| {
    let Some((&pick, file)) = bytes.split_first() else { return };
    let format = Format::ALL.get(pick as usize % (Format::ALL.len() + 1)).map(|&(format, _, _)| format);
    for result in read(Cursor::new(file.to_vec()), format, None, ReadOptions::default()).take(100) {
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
        for format in [Format::Pgn, Format::Wxf, Format::GameBox, Format::DhtmlXq, Format::Xqf, Format::Cbr] {
            let mut bytes = Vec::new();
            write_game(&game, format, WriteOptions::default(), &mut bytes).expect("memory takes all");
            let mut read = read(Cursor::new(bytes), Some(format), None, ReadOptions::default());
            let back = read.next().expect("a game").expect("what was written is whole");
            assert!(back.moves().eq(game.moves()), "{format}");
            assert!(read.next().is_none(), "{format}: one game became two");
        }
    }
});
