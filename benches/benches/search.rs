//! search: nodes per second at a fixed depth, the evaluation, the look-up in the transposition table.
//!
//! `search/…` is the number to watch: its throughput is nodes per second, and its positions and depth stay as they are, so
//! that saved baselines remain comparable. A change of the search changes the number of nodes too; compare the throughput then,
//! not the time.

use std::hint::black_box;
use std::time::{Duration, Instant};

use benches::{CASES, criterion, positions};
use criterion::{Criterion, Throughput};
use movegen::{History, Position};
use search::{Control, Limits, SearchResult, Searcher, evaluate, evaluate_by_hand};

/// Deep enough for every pruning rule to act, quick enough for ten samples in a few seconds.
const DEPTH: u32 = 14;

/// Hash size of the searches, in MiB.
const HASH_MIB: usize = 16;

/// A search with nothing learnt before, and the time it took without the clearing.
fn search(searcher: &mut Searcher, history: &History) -> (SearchResult, Duration) {
    searcher.clear();
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
    let start = Instant::now();
    let result = searcher.search(history, &limits, &Control::new(false), &mut |_| {});
    (result, start.elapsed())
}

fn bench_search(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    let mut searcher = Searcher::new(HASH_MIB).expect("a small table");
    for (case, position) in CASES.iter().zip(positions()) {
        let history = History::new(position);
        let nodes = search(&mut searcher, &history).0.nodes;
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("{}, depth {DEPTH}", case.name), |bencher| {
            bencher.iter_custom(|iterations| {
                let mut total = Duration::ZERO;
                for _ in 0..iterations {
                    let (result, time) = search(&mut searcher, black_box(&history));
                    assert_eq!(result.nodes, nodes, "the same search twice, {}", case.name);
                    total += time;
                }
                total
            });
        });
    }
}

fn bench_evaluate(c: &mut Criterion) {
    let mut group = c.benchmark_group("evaluate");
    let positions = positions();
    for position in &positions {
        assert_eq!(evaluate(position), evaluate(&position.flip()), "colours swapped: {position:?}");
        // The network tells left from right, by a centipawn or two; the hand-written terms do not.
        let by_hand = evaluate_by_hand(position);
        assert_eq!(by_hand, evaluate_by_hand(&position.mirror()), "mirrored: {position:?}");
    }
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("static", |bencher| {
        bencher.iter(|| positions.iter().map(|position| evaluate(black_box(position))).sum::<i32>());
    });
}

fn bench_probe(c: &mut Criterion) {
    let mut group = c.benchmark_group("table");
    let mut searcher = Searcher::new(HASH_MIB).expect("a small table");
    let start = Position::startpos();
    search(&mut searcher, &History::new(start.clone()));
    // The positions two plies on: some are in the table, some are not.
    let asked: Vec<Position> = start
        .legal_moves()
        .into_iter()
        .map(|mv| start.play(mv))
        .flat_map(|next| next.legal_moves().into_iter().map(move |mv| next.play(mv)).collect::<Vec<_>>())
        .collect();
    assert_eq!(asked.len(), 1_920, "perft 2 of the start position");
    let hits = |searcher: &Searcher| asked.iter().filter(|p| searcher.probe(black_box(p)).is_some()).count();
    let found = hits(&searcher);
    assert!(found > 0, "the search left nothing in the table");
    group.throughput(Throughput::Elements(asked.len() as u64));
    group.bench_function("probe", |bencher| {
        bencher.iter(|| assert_eq!(hits(&searcher), found, "the table does not change"));
    });
}

fn main() {
    let mut c = criterion();
    bench_search(&mut c);
    bench_evaluate(&mut c);
    bench_probe(&mut c);
    c.final_summary();
}
