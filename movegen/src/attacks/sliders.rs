//! Rook and cannon: rank and file look-ups.
//!
//! A rank's inner seven squares lie in one word of the board, so a shift gives the index of the table. A file's ten bits lie
//! nine apart, in both words: as 72 is 8 modulo 64, the halves can be laid over each other without a clash, and the folded
//! word of file f is that of file a turned by f. Turned back, ranks 0 to 7 stand at bits 0, 9, …, 63 and ranks 8 and 9 at 8 and
//! 17, and one 64-bit multiplication gathers the eight inner bits: bit 9r times 2^(8j) lands at 9r + 8j, which is never the same
//! for two pairs with r in 1..=8 and j in 0..=6, so there are no carries. The way back is the same turn. No shift of 128
//! bits, no BMI2, no second board, 50 KiB of tables.
//!
//! `benches/sliders.rs` compares the designs by themselves, where a table of 9 MiB behind two PEXTs is the fastest. In the whole
//! program its size tells: `perft 5` takes 0.93 of this one's time, but `bench` 1.09 (release build, least CPU time of twelve runs
//! in turn, November 2026). The same fold by shifts of 128 bits took 1.11 and 1.02.
//!
//! The occupancy of the end squares does not matter: nothing lies behind them.

use crate::{bitboard::Bitboard, types::Square};

/// Squares of one line seen from one of its squares: reached by a rook, and reached over exactly one screen.
#[derive(Clone, Copy)]
struct Slide<T> {
    rook: T,
    hop: T,
}

/// Walks a line of `length` squares whose occupancy is `occupied` (bit i = square i) both ways from `origin`.
const fn walk(origin: usize, length: usize, occupied: u16) -> Slide<u16> {
    let mut slide = Slide { rook: 0, hop: 0 };
    let mut direction = 0;
    while direction < 2 {
        let (mut screens, mut at) = (0, origin);
        loop {
            if direction == 0 && at == 0 || direction == 1 && at + 1 == length {
                break;
            }
            at = if direction == 0 { at - 1 } else { at + 1 };
            match screens {
                0 => slide.rook |= 1 << at,
                1 => slide.hop |= 1 << at,
                _ => break,
            }
            if occupied >> at & 1 != 0 {
                screens += 1;
            }
        }
        direction += 1;
    }
    slide
}

static RANKS: [[Slide<u16>; 128]; 9] = {
    let mut table = [[Slide { rook: 0, hop: 0 }; 128]; 9];
    let mut file = 0;
    while file < 9 {
        let mut inner = 0;
        while inner < 128 {
            table[file][inner] = walk(file, 9, (inner as u16) << 1);
            inner += 1;
        }
        file += 1;
    }
    table
};

/// Ranks 1 to 8 of a folded file.
const INNER: u64 = 1 << 8 | 1 << 9 | 1 << 18 | 1 << 27 | 1 << 36 | 1 << 45 | 1 << 54 | 1 << 63;
/// Sends rank 8 to bit 56 and ranks 1 to 7 to bits 57 to 63.
const GATHER: u64 = 0x0001_0101_0101_0101;

/// Index of the eight inner squares of a folded file.
#[inline]
const fn gather(folded: u64) -> usize {
    ((folded & INNER).wrapping_mul(GATHER) >> 56) as usize
}

/// Bits 0 to 9 laid out as a folded file.
const fn fold(ranks: u16) -> u64 {
    let (mut folded, mut rank) = (0, 0);
    while rank < 10 {
        if ranks >> rank & 1 != 0 {
            folded |= 1 << (9 * rank % 64);
        }
        rank += 1;
    }
    folded
}

static FILES: [[Slide<u64>; 256]; 10] = {
    let mut table = [[Slide { rook: 0, hop: 0 }; 256]; 10];
    let mut rank = 0;
    while rank < 10 {
        let mut inner = 0;
        while inner < 256 {
            let ranks = (inner as u16) << 1;
            let slide = walk(rank, 10, ranks);
            table[rank][gather(fold(ranks))] = Slide { rook: fold(slide.rook), hop: fold(slide.hop) };
            inner += 1;
        }
        rank += 1;
    }
    table
};

/// Where a square's lines lie in the two words of a board.
#[derive(Clone, Copy)]
struct Place {
    /// The squares of the file, low and high word.
    file: [u64; 2],
    /// Factors that bring nine bits to the squares of the rank: in the low word, and one bit too high in the high word.
    rank: [u64; 2],
    /// The word the inner squares of the rank lie in, and where they begin there.
    word: u8,
    inner: u8,
    /// Indices into [`RANKS`] and [`FILES`]; by the first the fold of the file is turned.
    file_index: u8,
    rank_index: u8,
}

static PLACES: [Place; Square::COUNT] = {
    let nowhere = Place { file: [0; 2], rank: [0; 2], word: 0, inner: 0, file_index: 0, rank_index: 0 };
    let mut table = [nowhere; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::ALL[index];
        let (file, rank) = (Bitboard::from_file(square.file()).0, square.rank() as u8);
        let shift = 9 * rank;
        table[index] = Place {
            file: [file as u64, (file >> 64) as u64],
            rank: [if shift < 64 { 1 << shift } else { 0 }, if shift < 63 { 0 } else { 1 << (shift - 63) }],
            word: (shift + 1) / 64,
            inner: (shift + 1) % 64,
            file_index: square.file() as u8,
            rank_index: rank,
        };
        index += 1;
    }
    table
};

/// What the tables say of a square's lines.
#[derive(Clone, Copy)]
struct Lines {
    place: &'static Place,
    rank: &'static Slide<u16>,
    file: &'static Slide<u64>,
}

impl Lines {
    #[inline]
    fn look_up(square: Square, occupied: Bitboard) -> Self {
        let place = &PLACES[square.index()];
        let (low, high) = (occupied.0 as u64, (occupied.0 >> 64) as u64);
        let inner = (if place.word == 0 { low } else { high } >> place.inner & 0x7f) as usize;
        let folded = low & place.file[0] | high & place.file[1];
        let inner_ranks = gather(folded.rotate_right(place.file_index.into()));
        Self {
            place,
            rank: &RANKS[usize::from(place.file_index)][inner],
            file: &FILES[usize::from(place.rank_index)][inner_ranks],
        }
    }

    #[inline]
    fn squares(self, rank: u16, file: u64) -> Bitboard {
        let (place, rank) = (self.place, u64::from(rank));
        let file = file.rotate_left(place.file_index.into());
        let low = file & place.file[0] | rank.wrapping_mul(place.rank[0]);
        let high = file & place.file[1] | rank.wrapping_mul(place.rank[1]) >> 1;
        Bitboard(low as u128 | (high as u128) << 64)
    }

    #[inline]
    fn rook(self) -> Bitboard {
        self.squares(self.rank.rook, self.file.rook)
    }

    #[inline]
    fn hop(self) -> Bitboard {
        self.squares(self.rank.hop, self.file.hop)
    }
}

/// Squares a rook reaches: along rank and file up to and including the first occupied square each way.
///
/// ```
/// use movegen::{Bitboard, Square, attacks};
/// assert_eq!(attacks::rook(Square::A0, Bitboard::EMPTY).count(), 17);
/// ```
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    Lines::look_up(square, occupied).rook()
}

/// Squares a cannon hits over exactly one screen: from behind the first occupied square each way up to and including
/// the second. Only an enemy piece there can be captured; the empty squares between are no moves.
#[inline]
pub fn cannon_captures(square: Square, occupied: Bitboard) -> Bitboard {
    Lines::look_up(square, occupied).hop()
}

/// A cannon's quiet moves and captures in one: the empty squares a rook would reach and, of `enemies`, those behind one
/// screen.
#[inline]
pub fn cannon_targets(square: Square, occupied: Bitboard, enemies: Bitboard) -> Bitboard {
    let lines = Lines::look_up(square, occupied);
    (lines.rook() - occupied) | (lines.hop() & enemies)
}

pub(super) const fn cross_bits(square: Square) -> u128 {
    let both = Bitboard::from_file(square.file()).0 | Bitboard::from_rank(square.rank()).0;
    both & !(1 << square as u32)
}

/// The other squares on the rank and the file of a square.
#[inline]
pub fn cross(square: Square) -> Bitboard {
    static CROSSES: [Bitboard; Square::COUNT] = {
        let mut table = [Bitboard::EMPTY; Square::COUNT];
        let mut square = 0;
        while square < Square::COUNT {
            table[square].0 = cross_bits(Square::ALL[square]);
            square += 1;
        }
        table
    };
    CROSSES[square.index()]
}

/// The squares strictly between two squares of one rank or file; empty for any other pair.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    static BETWEEN: [[Bitboard; Square::COUNT]; Square::COUNT] = {
        let mut table = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
        let mut from = 0;
        while from < Square::COUNT {
            let mut direction = 0;
            while direction < 4 {
                let (files, ranks) = [(0, 1), (1, 0), (0, -1), (-1, 0)][direction];
                let mut passed = Bitboard::EMPTY;
                let mut at = Square::ALL[from].offset(files, ranks);
                while let Some(square) = at {
                    table[from][square as usize] = passed;
                    passed.insert(square);
                    at = square.offset(files, ranks);
                }
                direction += 1;
            }
            from += 1;
        }
        table
    };
    BETWEEN[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A splitmix64 stream, only to vary occupancies.
    fn random_occupancy(state: &mut u64) -> Bitboard {
        let mut next = || {
            *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = *state;
            z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        };
        let mut wide = || u128::from(next()) << 64 | u128::from(next());
        Bitboard::from_bits(wide() & wide())
    }

    fn ray_walk(square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
        let (mut rook, mut hop) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (files, ranks) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let (mut screens, mut at) = (0, square.offset(files, ranks));
            while let Some(target) = at {
                match screens {
                    0 => rook.insert(target),
                    1 => hop.insert(target),
                    _ => break,
                }
                screens += usize::from(occupied.contains(target));
                at = target.offset(files, ranks);
            }
        }
        (rook, hop)
    }

    #[test]
    fn tables_equal_a_walk_along_the_rays() {
        let mut state = 1;
        for _ in 0..2_000 {
            let occupied = random_occupancy(&mut state);
            for square in Square::ALL {
                assert_eq!(
                    (rook(square, occupied), cannon_captures(square, occupied)),
                    ray_walk(square, occupied)
                );
            }
        }
    }

    #[test]
    fn between_is_empty_off_the_lines_and_symmetric() {
        assert_eq!(between(Square::E0, Square::E9).count(), 8);
        assert_eq!(between(Square::A0, Square::B2), Bitboard::EMPTY);
        for a in Square::ALL {
            for b in Square::ALL {
                assert_eq!(between(a, b), between(b, a));
            }
        }
    }

    #[test]
    fn palaces_face_each_other() {
        use crate::{attacks::palace, types::Color};
        for square in palace(Color::Red) {
            assert!(palace(Color::Black).contains(square.flip()));
        }
    }
}
