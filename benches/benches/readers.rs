//! Reading game files, by format and notation; throughput is in games.

use std::hint::black_box;
use std::io::Cursor;

use benches::criterion;
use criterion::{Criterion, Throughput};
use movegen::notation::Notation;
use tools::games::{Format, Game, ReadOptions, WriteOptions, read, write_game};

/// A whole game of a tournament. Source: `tests/data/games/README.md`.
const SAMPLE: &[u8] = include_bytes!("../../tests/data/games/g01-v10.xqf");
const GAMES: usize = 50;

fn games(bytes: &[u8]) -> Vec<Game> {
    let games = read(Cursor::new(bytes.to_vec()), None, None, ReadOptions::default());
    games.collect::<Result<_, _>>().expect("whole games")
}

fn bench_readers(c: &mut Criterion) {
    let game = games(SAMPLE).remove(0);
    let mut group = c.benchmark_group("readers");
    group.throughput(Throughput::Elements(GAMES as u64));
    for (name, format, notation) in [
        ("PGN, coordinates", Format::Pgn, Some(Notation::COORDINATE)),
        ("PGN, WXF", Format::Pgn, Some(Notation::WXF)),
        ("PGN, Chinese", Format::Pgn, Some(Notation::CHINESE)),
        ("WXF", Format::Wxf, Some(Notation::WXF)),
        ("boxes", Format::GameBox, Some(Notation::Vietnamese)),
        ("DhtmlXQ", Format::DhtmlXq, None),
    ] {
        let options = WriteOptions { notation, ..WriteOptions::default() };
        let mut bytes = Vec::new();
        for _ in 0..GAMES {
            write_game(&game, format, options, &mut bytes).expect("memory takes all");
        }
        assert_eq!(games(&bytes).len(), GAMES, "{name}");
        group.bench_function(name, |bencher| bencher.iter(|| games(black_box(&bytes))));
    }
}

criterion::criterion_group!(name = readers; config = criterion(); targets = bench_readers);
criterion::criterion_main!(readers);
