//! movegen: perft, each stage of the generator, making moves, and the questions asked of single moves.
//!
//! Throughput is in leaves for perft and in moves everywhere else. Every benchmark checks what it computed against a number
//! known from elsewhere before it is measured.

use std::hint::black_box;

use benches::{CASES, criterion, positions};
use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};
use movegen::{History, Move, MoveList, Position, perft};

/// Checks that `work` returns `expected`, then measures it; `expected` is also the number of elements.
fn measure(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, expected: u64, work: impl Fn() -> u64) {
    assert_eq!(work(), expected, "{name}");
    group.throughput(Throughput::Elements(expected));
    group.bench_function(name, |bencher| bencher.iter(|| black_box(work())));
}

/// Leaves of the start position at depth 4. Source: `tests/data/perft.jsonl`.
const START_DEPTH_4: u64 = 3_290_240;

fn bench_perft(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(20);
    let start = Position::startpos();
    measure(&mut group, "start, depth 4", START_DEPTH_4, || perft(black_box(&start), 4));
    measure(&mut group, "start, depth 4, make and unmake", START_DEPTH_4, || {
        unmake_perft(&mut start.clone(), 4)
    });
}

/// Perft in place: what [`perft`] would be with make and unmake instead of copies.
fn unmake_perft(position: &mut Position, depth: u32) -> u64 {
    if depth == 1 {
        return u64::from(position.count_legal_moves());
    }
    let mut leaves = 0;
    for mv in position.legal_moves() {
        let undo = position.make_move(mv);
        leaves += unmake_perft(position, depth - 1);
        position.unmake_move(mv, undo);
    }
    leaves
}

fn bench_generate(c: &mut Criterion) {
    let mut group = c.benchmark_group("generate");
    let (evading, free): (Vec<Position>, Vec<Position>) =
        positions().into_iter().partition(Position::in_check);
    let moves = |positions: &[Position]| positions.iter().map(|p| p.legal_moves().len() as u64).sum::<u64>();
    let all: u64 = CASES.iter().map(|case| case.moves).sum();
    assert_eq!(moves(&free) + moves(&evading), all);
    let list_all = |positions: &[Position], generate: fn(&Position, &mut MoveList)| {
        let mut sum = 0;
        for position in positions {
            let mut list = MoveList::new();
            generate(black_box(position), &mut list);
            sum += black_box(&list).len() as u64;
        }
        sum
    };
    let captures = list_all(&free, Position::generate_captures);
    let targets =
        free.iter().map(|p| p.legal_moves().iter().filter(|mv| p.piece_at(mv.to()).is_some()).count() as u64);
    assert_eq!(captures, targets.sum::<u64>());
    let count = |positions: &[Position]| {
        positions.iter().map(|p| u64::from(black_box(p).count_legal_moves())).sum::<u64>()
    };
    measure(&mut group, "legal", moves(&free), || list_all(&free, |p, list| *list = p.legal_moves()));
    measure(&mut group, "captures", captures, || list_all(&free, Position::generate_captures));
    measure(&mut group, "quiets", moves(&free) - captures, || list_all(&free, Position::generate_quiets));
    let checks = list_all(&free, Position::generate_quiet_checks);
    measure(&mut group, "quiet checks", checks, || list_all(&free, Position::generate_quiet_checks));
    measure(&mut group, "evasions", moves(&evading), || {
        list_all(&evading, |p, list| *list = p.legal_moves())
    });
    measure(&mut group, "count", moves(&free), || count(&free));
}

/// Every position with each of its legal moves.
fn position_moves() -> Vec<(Position, MoveList)> {
    positions().into_iter().map(|position| (position.clone(), position.legal_moves())).collect()
}

fn bench_make(c: &mut Criterion) {
    let mut group = c.benchmark_group("make");
    let all: u64 = CASES.iter().map(|case| case.moves).sum();
    let cases = position_moves();
    let count = |each: &dyn Fn(&Position, Move) -> u64| -> u64 {
        cases.iter().flat_map(|(position, moves)| moves.iter().map(move |&mv| each(position, mv))).sum()
    };
    measure(&mut group, "copy and make", all, || {
        count(&|position, mv| u64::from(black_box(position.play(mv)).key() != position.key()))
    });
    measure(&mut group, "make and unmake", all, || {
        let mut made = 0;
        for (position, moves) in &cases {
            let mut position = position.clone();
            for &mv in moves {
                let undo = position.make_move(mv);
                made += u64::from(!black_box(&position).occupied().is_empty());
                position.unmake_move(mv, undo);
            }
        }
        made
    });
    let mut histories: Vec<_> =
        cases.iter().map(|(position, moves)| (History::new(position.clone()), moves.clone())).collect();
    group.throughput(Throughput::Elements(all));
    group.bench_function("history push and pop", |bencher| {
        bencher.iter(|| {
            for (history, moves) in &mut histories {
                for &mv in moves.iter() {
                    history.push(mv);
                    black_box(history.current());
                    history.pop();
                }
            }
        });
    });
}

fn bench_questions(c: &mut Criterion) {
    let mut group = c.benchmark_group("one move");
    let cases = position_moves();
    // Moves as a transposition table would hand them over: legal somewhere, perhaps not here.
    let strangers: Vec<Move> = cases.iter().flat_map(|(_, moves)| moves.iter().copied()).collect();
    let asked = (cases.len() * strangers.len()) as u64;
    let listed = |position: &Position, mv: Move| position.legal_moves().contains(&mv);
    for (position, _) in &cases {
        assert!(strangers.iter().all(|&mv| position.is_legal(mv) == listed(position, mv)));
    }
    measure(&mut group, "is_legal", asked, || {
        let mut answers = 0;
        for (position, _) in &cases {
            for &mv in &strangers {
                black_box(position.is_legal(mv));
                answers += 1;
            }
        }
        answers
    });
    let all: u64 = CASES.iter().map(|case| case.moves).sum();
    for (position, moves) in &cases {
        assert!(moves.iter().all(|&mv| position.gives_check(mv) == position.play(mv).in_check()));
    }
    let each = |question: fn(&Position, Move) -> bool| {
        let mut answers = 0;
        for (position, moves) in &cases {
            for &mv in moves {
                black_box(question(position, mv));
                answers += 1;
            }
        }
        answers
    };
    measure(&mut group, "gives_check", all, || each(Position::gives_check));
    measure(&mut group, "see_ge", all, || each(|position, mv| position.see_ge(mv, 0)));
}

fn main() {
    let mut c = criterion();
    bench_perft(&mut c);
    bench_generate(&mut c);
    bench_make(&mut c);
    bench_questions(&mut c);
    c.final_summary();
}
