//! The repetition law as the search asks for it: once a node, mostly in vain, and on laps of every kind.
//!
//! Throughput is in calls. The verdicts are checked first, against `tests/data/rules.jsonl`.

use std::hint::black_box;

use benches::criterion;
use criterion::{Criterion, Throughput};
use movegen::rules::{RuleSet, SearchVerdict, judge, judge_in_search};
use movegen::{History, Position};

/// A quiet middle game with both rooks at home.
const QUIET: &str = "2ba1kb2/4a2r1/4c1n2/p7p/2p2rpc1/4R4/P1PR2P1P/2N1C1N2/4A4/2BK1AB2 w - - 0 1";
/// AXF diagram 33: a rook chases a cannon.
const CHASE: &str = "4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w - - 0 1";
/// Figure 1 of the Vietnamese rules: a rook checks.
const CHECK: &str = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";

fn game(fen: &str, moves: &str) -> History {
    let mut history = History::new(Position::from_fen(fen).expect("a valid FEN"));
    moves.split_whitespace().for_each(|mv| history.push(mv.parse().expect("a move")));
    history
}

fn bench_judge_in_search(c: &mut Criterion) {
    let mut group = c.benchmark_group("judge_in_search");
    group.throughput(Throughput::Elements(1));
    // Twelve moves each without a capture or a repetition: elephants, advisors, generals and rooks step about.
    let quiet = "d3d4 h8h9 d4d5 h9i9 d5d6 i9i8 d6d7 i8h8 e4e3 f9e9 e3e4 a6a5 i3i4 h8h9 \
                 d7d6 h9i9 d6d5 i9i8 d5d4 i8h8 d4d3 h8h7 e4e5 h7h8";
    let lap = "h6i6 i0h0 i6h6 h0i0";
    let cases = [
        ("24 plies, nothing repeats", QUIET, quiet.to_owned(), 0, None),
        (
            "idle lap in the tree",
            QUIET,
            "d0e0 h8h9 g2i1 h9h8 i1g2 h8h9".to_owned(),
            0,
            Some(SearchVerdict::Draw),
        ),
        ("chase in the tree", CHASE, format!("{lap} h6i6"), 0, Some(SearchVerdict::LikelyWin)),
        ("chase, third time", CHASE, format!("{lap} {lap}"), 0, Some(SearchVerdict::Loss)),
        ("check, third time", CHECK, ["h8h9 f9f8 h9h8 f8f9"; 2].join(" "), 0, Some(SearchVerdict::Loss)),
    ];
    for (name, fen, moves, root, expected) in cases {
        let history = game(fen, &moves);
        assert_eq!(judge_in_search(&history, root, RuleSet::Asian), expected, "{name}");
        group.bench_function(name, |bencher| {
            bencher.iter(|| judge_in_search(black_box(&history), root, RuleSet::Asian));
        });
    }
}

fn bench_referee(c: &mut Criterion) {
    let mut group = c.benchmark_group("referee");
    group.throughput(Throughput::Elements(1));
    let lap = "h6i6 i0h0 i6h6 h0i0";
    let history = game(CHASE, &format!("{lap} {lap}"));
    for rules in [RuleSet::Asian, RuleSet::Cxa, RuleSet::Cxq] {
        group.bench_function(rules.name(), |bencher| bencher.iter(|| judge(black_box(&history), rules)));
    }
}

criterion::criterion_group!(name = rules; config = criterion(); targets = bench_judge_in_search, bench_referee);
criterion::criterion_main!(rules);
