//! How to look up rooks and cannons: the designs by themselves. What chose is their time in the whole program, which stands in
//! `movegen/src/attacks/sliders.rs`: in a search a large table is slower than it looks here.
//!
//! Every design answers the same questions, rook and cannon squares of the same pieces in the same positions, and must give the same
//! answers before it is measured. Throughput is in questions.
//!
//! * `fold`: movegen's: rank by shift, file folded into one word, turned and gathered by a multiplication; 50 KiB of tables.
//! * `pext`: the same tables, the file gathered by PEXT from the folded word.
//! * `transposed`: the file read from a second occupancy in which files are adjacent bits; keeping that up to date with every move
//!   is not even counted.
//! * `cross`: rank and file at once by two PEXTs into one table a square (as Pikafish does), entries of 32 bits spread by PDEP over
//!   the square's lines; 9 MiB of tables.
//!
//! The PEXT designs need BMI2 and are left out where the processor has none.

use benches::{criterion, positions};
use core::hint::black_box;
use criterion::{Criterion, Throughput};
use movegen::{Bitboard, File, Move, PieceKind, Position, Rank, Square, attacks};

/// A question: which squares does a rook reach, and which does a cannon hit, from here?
type Query = (Square, Bitboard);

/// Rooks and cannons of the positions along short pseudo-random games from each of [`positions`].
fn queries() -> Vec<Query> {
    let mut queries = Vec::new();
    let mut seed = 1_u64;
    for start in positions() {
        let mut position: Position = start;
        for _ in 0..40 {
            let sliders = position.by_kind(PieceKind::Rook) | position.by_kind(PieceKind::Cannon);
            queries.extend(sliders.iter().map(|square| (square, position.occupied())));
            let moves: Vec<Move> = position.legal_moves().into_iter().collect();
            if moves.is_empty() {
                break;
            }
            // Knuth's MMIX generator: any variety will do.
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            position.make_move(moves[(seed >> 33) as usize % moves.len()]);
        }
    }
    queries
}

fn transpose(occupied: Bitboard) -> u128 {
    occupied.iter().map(|square| 1 << (10 * square.file().index() + square.rank().index())).sum()
}

/// Files a to i by the occupancy of their inner ranks, as squares of file a: what `transposed` looks up.
struct Lines {
    files: Vec<[[u128; 2]; 256]>,
}

impl Lines {
    fn new() -> Self {
        let row = |rank: Rank| {
            let square = Square::new(File::A, rank);
            let answer = |inner: usize| {
                let occupied: Bitboard = (0..8)
                    .filter(|bit| inner >> bit & 1 != 0)
                    .map(|bit| Square::new(File::A, Rank::ALL[bit + 1]))
                    .collect();
                let file = Bitboard::from_file(File::A);
                [attacks::rook(square, occupied) & file, attacks::cannon_captures(square, occupied) & file]
                    .map(Bitboard::bits)
            };
            core::array::from_fn(answer)
        };
        Self { files: Rank::ALL.into_iter().map(row).collect() }
    }

    /// The file part by the index of its inner ranks; the rank part as movegen has it.
    fn file(&self, square: Square, inner: usize) -> [u128; 2] {
        self.files[square.rank().index()][inner].map(|squares| squares << square.file().index())
    }
}

/// The rank part of the answers, the same for three of the designs.
struct Ranks {
    rows: Vec<[[u16; 2]; 128]>,
}

impl Ranks {
    fn new() -> Self {
        let row = |file: File| {
            let square = Square::new(file, Rank::R0);
            let answer = |inner: usize| {
                let occupied = Bitboard::from_bits((inner as u128) << 1);
                let rank = Bitboard::from_rank(Rank::R0);
                [attacks::rook(square, occupied) & rank, attacks::cannon_captures(square, occupied) & rank]
                    .map(|squares| squares.bits() as u16)
            };
            core::array::from_fn(answer)
        };
        Self { rows: File::ALL.into_iter().map(row).collect() }
    }

    fn rank(&self, square: Square, occupied: Bitboard) -> [u128; 2] {
        let shift = 9 * square.rank().index();
        let inner = (occupied.bits() >> (shift + 1)) as usize & 0x7f;
        self.rows[square.file().index()][inner].map(|squares| u128::from(squares) << shift)
    }
}

fn union(a: [u128; 2], b: [u128; 2]) -> [u128; 2] {
    [a[0] | b[0], a[1] | b[1]]
}

fn fold(&(square, occupied): &Query) -> [u128; 2] {
    [attacks::rook(square, occupied), attacks::cannon_captures(square, occupied)].map(Bitboard::bits)
}

#[cfg(target_arch = "x86_64")]
mod bmi2 {
    //! The designs that need PEXT and PDEP.

    use super::{Lines, Query, Ranks, union};
    use core::arch::x86_64::{_pdep_u64, _pext_u64};
    use movegen::{Bitboard, Square, attacks};

    const LOW_INNER: u64 = 1 << 9 | 1 << 18 | 1 << 27 | 1 << 36 | 1 << 45 | 1 << 54 | 1 << 63;

    pub(super) fn available() -> bool {
        std::is_x86_feature_detected!("bmi2")
    }

    /// Rank by shift, file by PEXT of the folded word.
    #[target_feature(enable = "bmi2")]
    pub(super) fn pext(ranks: &Ranks, lines: &Lines, &(square, occupied): &Query) -> [u128; 2] {
        let file = occupied.bits() >> square.file().index();
        // Rank 8 is bit 8 of the high word; PEXT would put it first, so it is added last by hand.
        let inner = _pext_u64(file as u64, LOW_INNER) as usize | ((file >> 64) as usize >> 8 & 1) << 7;
        union(ranks.rank(square, occupied), lines.file(square, inner))
    }

    /// One table a square over rank and file together.
    pub(super) struct Cross {
        squares: Vec<Entry>,
        answers: Vec<[u32; 2]>,
    }

    struct Entry {
        inner: [u64; 2],
        lines: [u64; 2],
        offset: usize,
    }

    fn halves(set: u128) -> [u64; 2] {
        [set as u64, (set >> 64) as u64]
    }

    #[target_feature(enable = "bmi2")]
    fn extract(set: u128, [low, high]: [u64; 2]) -> u64 {
        let [set_low, set_high] = halves(set);
        _pext_u64(set_low, low) | _pext_u64(set_high, high) << low.count_ones()
    }

    #[target_feature(enable = "bmi2")]
    fn deposit(bits: u64, [low, high]: [u64; 2]) -> u128 {
        u128::from(_pdep_u64(bits, low)) | u128::from(_pdep_u64(bits >> low.count_ones(), high)) << 64
    }

    impl Cross {
        #[target_feature(enable = "bmi2")]
        pub(super) fn new() -> Self {
            let (mut squares, mut answers) = (Vec::new(), Vec::new());
            for square in Square::ALL {
                let lines = attacks::cross(square);
                // The far ends of both lines do not matter.
                let end = |other: &Square| {
                    let same_rank = other.rank() == square.rank();
                    let at = if same_rank { other.file().index() } else { other.rank().index() };
                    at == 0 || at == if same_rank { 8 } else { 9 }
                };
                let inner: Bitboard = lines.iter().filter(|other| !end(other)).collect();
                let entry =
                    Entry { inner: halves(inner.bits()), lines: halves(lines.bits()), offset: answers.len() };
                for index in 0..1_u64 << inner.count() {
                    let occupied = Bitboard::from_bits(deposit(index, entry.inner));
                    let compact = |set: Bitboard| extract(set.bits(), entry.lines) as u32;
                    answers.push([
                        compact(attacks::rook(square, occupied)),
                        compact(attacks::cannon_captures(square, occupied)),
                    ]);
                }
                squares.push(entry);
            }
            Self { squares, answers }
        }

        #[target_feature(enable = "bmi2")]
        pub(super) fn answer(&self, &(square, occupied): &Query) -> [u128; 2] {
            let entry = &self.squares[square.index()];
            let [rook, hop] = self.answers[entry.offset + extract(occupied.bits(), entry.inner) as usize];
            [deposit(u64::from(rook), entry.lines), deposit(u64::from(hop), entry.lines)]
        }
    }
}

/// All answers in one number, so that none can be left out.
fn digest<Q>(queries: &[Q], mut answer: impl FnMut(&Q) -> [u128; 2]) -> u128 {
    queries.iter().fold(0, |sum, query| {
        let [rook, hop] = answer(query);
        sum.wrapping_mul(3).wrapping_add(rook ^ hop.rotate_left(64))
    })
}

fn sliders(c: &mut Criterion) {
    let queries = queries();
    let transposed: Vec<(Query, u128)> = queries.iter().map(|&query| (query, transpose(query.1))).collect();
    let (ranks, lines) = (Ranks::new(), Lines::new());
    let by_transposition = |&((square, occupied), turned): &(Query, u128)| {
        let inner = (turned >> (10 * square.file().index() + 1)) as usize & 0xff;
        union(ranks.rank(square, occupied), lines.file(square, inner))
    };
    let expected = digest(&queries, fold);

    let mut group = c.benchmark_group("sliders");
    group.throughput(Throughput::Elements(queries.len() as u64));
    group.bench_function("fold", |b| b.iter(|| digest(black_box(&queries), fold)));
    assert_eq!(digest(&transposed, by_transposition), expected);
    group.bench_function("transposed", |b| b.iter(|| digest(black_box(&transposed), by_transposition)));
    #[cfg(target_arch = "x86_64")]
    if bmi2::available() {
        // SAFETY: BMI2 was detected on the line above.
        #[expect(unsafe_code, reason = "calls into code compiled for BMI2")]
        let (cross, pext) = unsafe {
            let cross = bmi2::Cross::new();
            (move |query: &Query| cross.answer(query), |query: &Query| bmi2::pext(&ranks, &lines, query))
        };
        assert_eq!(digest(&queries, &pext), expected);
        group.bench_function("pext", |b| b.iter(|| digest(black_box(&queries), &pext)));
        assert_eq!(digest(&queries, &cross), expected);
        group.bench_function("cross", |b| b.iter(|| digest(black_box(&queries), &cross)));
    }
    group.finish();
}

criterion::criterion_group! { name = benches; config = criterion(); targets = sliders }
criterion::criterion_main!(benches);
