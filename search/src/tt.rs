//! The transposition table: lock-free, shared by all search threads.
//!
//! A bucket of four entries fills a cache line. An entry is two atomic words, the data and the key xored with the data
//! (Hyatt and Mann, "A lock-less transposition table implementation for parallel search", 2002): a reader that catches an entry half
//! written by another thread sees a wrong key and takes it for a miss. All accesses are relaxed; nothing else is ordered by them.

#![expect(unsafe_code, reason = "a view of mapped memory and a prefetch hint; see the SAFETY comments")]

use crate::{
    report::Bound,
    value::{NONE, Value, from_table, to_table},
};
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
#[cfg(all(target_os = "linux", not(miri)))]
use memmap2::{Advice, UncheckedAdvice};
use memmap2::{MmapMut, MmapRaw};
use movegen::Move;
#[cfg(all(target_os = "linux", not(miri)))]
use std::time::{Duration, Instant};
use thiserror::Error;

const BUCKET: usize = 4;
/// Miri walks over real mebibytes for hours; it gets small ones.
const MIB: usize = if cfg!(miri) { 1 << 12 } else { 1 << 20 };
/// Generations wrap at 32; an entry's age is their difference.
const GENERATIONS: u8 = 32;

struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

#[repr(align(64))]
struct Bucket([Entry; BUCKET]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// The memory for a table could not be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("cannot allocate a hash table of {mib} MiB")]
pub struct HashError {
    /// The size asked for.
    pub mib: usize,
}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Hit {
    pub(crate) mv: Option<Move>,
    pub(crate) value: Value,
    pub(crate) eval: Value,
    pub(crate) depth: i32,
    pub(crate) bound: Option<Bound>,
    pub(crate) pv: bool,
}

/// Data word: move 0-15, value 16-31, evaluation 32-47, depth + 8 in 48-55, bound 56-57, pv 58, generation 59-63.
#[derive(Clone, Copy)]
struct Data(u64);

/// Depths from -8 to 247 fit a byte.
const DEPTH_OFFSET: i32 = 8;

impl Data {
    fn new(hit: &Hit, generation: u8) -> Self {
        let bound = match hit.bound {
            None => 0,
            Some(Bound::Upper) => 1,
            Some(Bound::Lower) => 2,
            Some(Bound::Exact) => 3,
        };
        Self(
            u64::from(hit.mv.map_or(0, Move::bits))
                | u64::from(hit.value as i16 as u16) << 16
                | u64::from(hit.eval as i16 as u16) << 32
                | ((hit.depth + DEPTH_OFFSET).clamp(0, 255) as u64) << 48
                | bound << 56
                | u64::from(hit.pv) << 58
                | u64::from(generation) << 59,
        )
    }

    fn depth(self) -> i32 {
        (self.0 >> 48 & 0xff) as i32 - DEPTH_OFFSET
    }

    fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }

    fn hit(self) -> Hit {
        Hit {
            mv: Move::from_bits(self.0 as u16),
            value: Value::from((self.0 >> 16) as i16),
            eval: Value::from((self.0 >> 32) as i16),
            depth: self.depth(),
            bound: [None, Some(Bound::Upper), Some(Bound::Lower), Some(Bound::Exact)]
                [(self.0 >> 56 & 3) as usize],
            pv: self.0 >> 58 & 1 != 0,
        }
    }

    /// What is lost if the entry is replaced: its depth, less for every search since it was written.
    fn worth(self, generation: u8) -> i32 {
        let age = generation.wrapping_sub(self.generation()) % GENERATIONS;
        self.depth() - 4 * i32::from(age)
    }
}

/// Up to this size in MiB a table gets its memory at once and in large pages: nearly every probe touches another page, and with small
/// ones a search takes 9 % longer. A larger table would keep the driver waiting for it. It grows page by page as it is touched, and is
/// cleared by exchanging its memory.
const TOUCHED_MIB: usize = 256;
/// It gets it in pieces of so many MiB, for so long: 256 MiB take 25 ms, but a second and more where the system has to look for memory. What
/// is left then comes in small pages as it is touched, for large ones would keep the first search waiting.
#[cfg(all(target_os = "linux", not(miri)))]
const TOUCHING: (usize, Duration) = (4, Duration::from_millis(50));
/// A large table is given back in pieces of so many MiB: while the system takes back a mapping (a second for some gigabytes), no thread
/// of the process gets another one, and a search that begins needs some.
#[cfg(all(target_os = "linux", not(miri)))]
const PIECE_MIB: usize = 16;
/// A search of so many nodes has written 32 MiB of small pages at most; the system takes them back in some milliseconds.
const LIGHT_NODES: u64 = 1 << 13;

/// Zeroed memory for buckets, straight from the system.
struct Buckets {
    memory: MmapRaw,
    len: usize,
    /// So many of them have had their memory from the beginning.
    touched: usize,
}

impl Buckets {
    fn new(len: usize) -> Option<Self> {
        let size = len.checked_mul(size_of::<Bucket>()).filter(|&size| isize::try_from(size).is_ok())?;
        let memory = MmapRaw::from(MmapMut::map_anon(size).ok()?);
        let touched = if size <= TOUCHED_MIB * MIB { touch(&memory) / size_of::<Bucket>() } else { 0 };
        Some(Self { memory, len, touched })
    }

    /// Gives the memory from so many bytes on back to the system, if that can be done without giving up its place; what is read there
    /// afterwards is zero.
    #[cfg(all(target_os = "linux", not(miri)))]
    fn release(&self, from: usize) -> bool {
        let release = |start: usize| {
            let size = (self.memory.len() - start).min(PIECE_MIB * MIB);
            // SAFETY: the memory is private and belongs to no file, so that it reads as zeros afterwards, and all-zero bytes are valid atomics;
            // no reference to plain data points into it.
            unsafe { self.memory.unchecked_advise_range(UncheckedAdvice::DontNeed, start, size) }.is_ok()
        };
        (from..self.memory.len()).step_by(PIECE_MIB * MIB).all(release)
    }

    #[cfg(not(all(target_os = "linux", not(miri))))]
    #[expect(clippy::unused_self, reason = "other systems have no such call")]
    fn release(&self, _: usize) -> bool {
        false
    }

    fn as_slice(&self) -> &[Bucket] {
        // SAFETY: the mapping holds `len` buckets and begins with a page, which is more than their alignment; nothing else refers to it;
        // all-zero bytes are valid atomics, and changes happen through the atomics only.
        unsafe { core::slice::from_raw_parts(self.memory.as_mut_ptr().cast_const().cast(), self.len) }
    }
}

/// Asks the system for the pages of a mapping, and no longer for large ones when its patience is over. Returns how many bytes have theirs.
#[cfg(all(target_os = "linux", not(miri)))]
fn touch(memory: &MmapRaw) -> usize {
    // Wishes: a system that does not know them gives small pages as they are touched.
    if memory.advise(Advice::HugePage).is_err() {
        return 0;
    }
    let (piece, patience) = (TOUCHING.0 * MIB, TOUCHING.1);
    let begun = Instant::now();
    for start in (0..memory.len()).step_by(piece) {
        let size = (memory.len() - start).min(piece);
        if begun.elapsed() > patience {
            let _ = memory.advise_range(Advice::NoHugePage, start, memory.len() - start);
            return start;
        }
        if memory.advise_range(Advice::PopulateWrite, start, size).is_err() {
            return start;
        }
    }
    memory.len()
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn touch(_: &MmapRaw) -> usize {
    0
}

/// The table.
pub(crate) struct Table {
    buckets: Buckets,
    /// Changes between searches only.
    generation: AtomicU8,
    /// A search has begun since the table was last empty.
    is_used: AtomicBool,
    /// Nodes searched since then: no more pages than that have been written.
    nodes: AtomicU64,
}

impl Table {
    /// An empty table of `mib` MiB, at least 1.
    pub(crate) fn new(mib: usize) -> Result<Self, HashError> {
        let len = mib.max(1).checked_mul(MIB / size_of::<Bucket>()).ok_or(HashError { mib })?;
        let buckets = Buckets::new(len).ok_or(HashError { mib })?;
        Ok(Self::of(buckets))
    }

    fn of(buckets: Buckets) -> Self {
        Self {
            buckets,
            generation: AtomicU8::new(0),
            is_used: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        }
    }

    /// Size in MiB.
    pub(crate) fn mib(&self) -> usize {
        self.buckets.len * size_of::<Bucket>() / MIB
    }

    /// An empty table of the same size, where exchanging the memory is the quicker way to forget and the memory can be had.
    pub(crate) fn fresh(&self) -> Option<Self> {
        let buckets = if self.mib() > TOUCHED_MIB { Buckets::new(self.buckets.len) } else { None };
        Some(Self::of(buckets?))
    }

    /// Whether a search has begun since the table was last empty: otherwise there is nothing to forget.
    pub(crate) fn is_used(&self) -> bool {
        self.is_used.load(Relaxed)
    }

    /// A search has visited so many nodes.
    pub(crate) fn count(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    /// Whether so little of it has been written that it is emptied at once where it is.
    pub(crate) fn is_lightly_used(&self) -> bool {
        self.nodes.load(Relaxed) <= LIGHT_NODES
    }

    /// Forgets everything, with up to `threads` threads. Memory that the table did not have from the beginning goes back to the system where
    /// that is possible: wiping it would make the system hand out what was never touched.
    pub(crate) fn clear(&self, threads: usize) {
        let touched = self.buckets.touched;
        let is_released = self.buckets.release(touched * size_of::<Bucket>());
        let buckets = self.buckets.as_slice();
        wipe(if is_released { &buckets[..touched] } else { buckets }, threads);
        self.generation.store(0, Relaxed);
        self.nodes.store(0, Relaxed);
        self.is_used.store(false, Relaxed);
    }

    /// Gives the memory back to the system, which may take a second. The table is empty then, and still a table: whoever looks into it
    /// meanwhile finds what was there or nothing.
    pub(crate) fn release(&self) {
        let _ = self.buckets.release(0);
    }

    /// Tells the table that a new search begins: what is there grows older.
    pub(crate) fn age(&self) {
        self.is_used.store(true, Relaxed);
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Entry; BUCKET] {
        // The upper bits of the key choose the bucket (Lemire's multiplication instead of a division).
        let index = ((u128::from(key) * self.buckets.len as u128) >> 64) as usize;
        &self.buckets.as_slice()[index].0
    }

    /// Asks the processor to fetch the bucket of a key; only a hint.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const [Entry; BUCKET] = self.bucket(key);
            // SAFETY: a prefetch reads nothing and cannot fault; SSE is part of every x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is stored for a key; mate scores counted from `ply`.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Hit> {
        for entry in self.bucket(key) {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == key && data != 0 {
                let hit = Data(data).hit();
                return Some(Hit { value: from_table(hit.value, ply), ..hit });
            }
        }
        None
    }

    /// Stores what was found; the value counts from `ply`.
    ///
    /// The entry of the same position is renewed unless it is much deeper; otherwise the least worthy one of the bucket goes.
    pub(crate) fn store(&self, key: u64, ply: usize, hit: Hit) {
        let bucket = self.bucket(key);
        let generation = self.generation.load(Relaxed);
        let mut hit = Hit { value: if hit.value == NONE { NONE } else { to_table(hit.value, ply) }, ..hit };
        let (mut victim, mut least) = (&bucket[0], i32::MAX);
        for entry in bucket {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == key && data != 0 {
                let old = Data(data);
                hit.mv = hit.mv.or(old.hit().mv);
                let keep = hit.bound != Some(Bound::Exact)
                    && old.generation() == generation
                    && hit.depth + 4 + 2 * i32::from(hit.pv) <= old.depth();
                if keep {
                    return;
                }
                victim = entry;
                break;
            }
            let worth = if data == 0 { i32::MIN } else { Data(data).worth(generation) };
            if worth < least {
                (victim, least) = (entry, worth);
            }
        }
        let data = Data::new(&hit, generation).0;
        victim.data.store(data, Relaxed);
        victim.check.store(key ^ data, Relaxed);
    }

    /// How many of 1000 sampled entries were written by the present search.
    pub(crate) fn hashfull(&self) -> u32 {
        let sample = self.buckets.as_slice().iter().take(1000 / BUCKET).flat_map(|bucket| &bucket.0);
        let generation = self.generation.load(Relaxed);
        let fresh = |entry: &&Entry| {
            let data = entry.data.load(Relaxed);
            data != 0 && Data(data).generation() == generation
        };
        sample.filter(fresh).count() as u32
    }
}

impl core::fmt::Debug for Table {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Table").field("mib", &self.mib()).finish_non_exhaustive()
    }
}

/// Makes buckets empty, with up to `threads` threads.
fn wipe(buckets: &[Bucket], threads: usize) {
    let wipe = |part: &[Bucket]| {
        for entry in part.iter().flat_map(|bucket| &bucket.0) {
            entry.check.store(0, Relaxed);
            entry.data.store(0, Relaxed);
        }
    };
    std::thread::scope(|scope| {
        let mut parts = buckets.chunks(buckets.len().div_ceil(threads.max(1)).max(1));
        let own = parts.next();
        for part in parts {
            // What the system has no thread for is done here.
            let helper = std::thread::Builder::new().spawn_scoped(scope, move || wipe(part));
            if helper.is_err() {
                wipe(part);
            }
        }
        own.into_iter().for_each(wipe);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::mate_in;

    fn hit(depth: i32, value: Value) -> Hit {
        let mv = "h2e2".parse().ok();
        Hit { mv, value, eval: -77, depth, bound: Some(Bound::Lower), pv: true }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1).expect("one MiB can be had");
        table.store(42, 0, hit(9, -250));
        assert_eq!(table.probe(42, 0), Some(hit(9, -250)));
        assert_eq!(table.probe(43, 0), None);
    }

    #[test]
    fn a_released_table_is_empty_and_still_a_table() {
        let table = Table::new(33).expect("some MiB can be had");
        let keys = [0, 1 << 63, u64::MAX];
        for key in keys {
            table.store(key, 0, hit(9, -250));
        }
        table.release();
        let is_linux = cfg!(all(target_os = "linux", not(miri)));
        assert_eq!(table.buckets.release(0), is_linux);
        if is_linux {
            assert!(keys.iter().all(|&key| table.probe(key, 0).is_none()));
        }
        table.store(42, 0, hit(9, -250));
        assert_eq!(table.probe(42, 0), Some(hit(9, -250)));
    }

    #[test]
    fn mates_count_from_the_position() {
        let table = Table::new(1).expect("one MiB can be had");
        table.store(7, 5, hit(3, mate_in(9)));
        assert_eq!(table.probe(7, 1).map(|hit| hit.value), Some(mate_in(5)));
    }

    #[test]
    fn a_torn_entry_is_a_miss() {
        let table = Table::new(1).expect("one MiB can be had");
        table.store(42, 0, hit(9, 100));
        table.bucket(42)[0].data.fetch_xor(1 << 20, Relaxed);
        assert_eq!(table.probe(42, 0), None);
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let table = Table::new(1).expect("one MiB can be had");
        // Small keys share the first bucket.
        for key in 1..=4 {
            table.store(key, 0, hit(key as i32, 0));
        }
        table.store(5, 0, hit(1, 0));
        assert_eq!(table.probe(1, 0), None, "the shallowest entry goes");
        assert!(table.probe(4, 0).is_some());
        for _ in 0..3 {
            table.age();
        }
        table.store(2, 0, hit(2, 0));
        table.store(6, 0, hit(0, 0));
        assert!(table.probe(2, 0).is_some(), "a renewed entry is young again");
        assert!(table.probe(6, 0).is_some());
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri gives up where an allocation fails")]
    fn impossible_sizes_are_refused() {
        assert!(Table::new(usize::MAX).is_err());
        assert!(Table::new(usize::MAX / MIB / 2).is_err());
    }

    #[test]
    fn clearing_forgets() {
        let table = Table::new(1).expect("one MiB can be had");
        table.store(42, 0, hit(9, 100));
        table.clear(2);
        assert_eq!(table.probe(42, 0), None);
        assert!(table.fresh().is_none(), "a small table is wiped");
        // A table that has got a part of its memory only.
        let mut part = Table::new(2).expect("two MiB can be had");
        part.buckets.touched = part.buckets.len / 2;
        let keys = [1, u64::MAX / 2, u64::MAX - 1];
        for key in keys {
            part.store(key, 0, hit(9, 100));
        }
        assert!(keys.iter().all(|&key| part.probe(key, 0).is_some()));
        part.clear(2);
        assert!(keys.iter().all(|&key| part.probe(key, 0).is_none()));
        let mib = TOUCHED_MIB + 1;
        let large = Table::new(mib).expect("a table of some size can be had");
        large.store(42, 0, hit(9, 100));
        let fresh = large.fresh().expect("and another one");
        assert_eq!((fresh.mib(), fresh.probe(42, 0)), (mib, None));
        large.age();
        large.clear(1);
        assert_eq!((large.probe(42, 0), large.is_used()), (None, false));
    }

    /// Whatever two writers leave in a bucket, a reader finds what one of them stored, or nothing.
    #[test]
    fn threads_share_the_table() {
        let rounds = if cfg!(miri) { 40 } else { 20_000 };
        let table = Table::new(1).expect("one MiB can be had");
        std::thread::scope(|scope| {
            for writer in 0..2 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..rounds {
                        let value = (i % 100) * 2 + writer;
                        // Six keys of one bucket, so that entries are fought for.
                        table.store((i % 6) as u64 + 1, 0, hit(value % 30, value));
                    }
                });
            }
            scope.spawn(|| {
                for i in 0..rounds {
                    if let Some(found) = table.probe((i % 6) as u64 + 1, 0) {
                        assert_eq!(found, hit(found.value % 30, found.value), "a torn entry");
                    }
                }
            });
        });
    }
}
