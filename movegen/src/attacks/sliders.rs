//! Rook and cannon: rank and file look-ups.
//!
//! A rank's occupancy is nine adjacent bits; a table indexed by the seven inner ones gives the answer. A file's ten bits
//! lie nine apart. After a shift by the file they stand at 0, 9, …, 63 of the low word and 8, 17 of the high word, so the
//! two halves can be laid over each other without a clash (72 = 8 modulo 64), and one 64-bit multiplication gathers the
//! eight inner bits: bit 9r times 2^(8j) lands at 9r + 8j, which is never the same for two pairs with r in 1..=8 and j in
//! 0..=6, so there are no carries. That needs no BMI2, no large table and no second board; `benches/sliders.rs` compares it
//! with the alternatives.
//!
//! The occupancy of the end squares does not matter: nothing lies behind them.

use crate::{
    bitboard::Bitboard,
    types::{File, Rank, Square},
};

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

/// Inner bits (ranks 1 to 7) of file a in the low word.
const LOW_INNER: u64 = 1 << 9 | 1 << 18 | 1 << 27 | 1 << 36 | 1 << 45 | 1 << 54 | 1 << 63;
/// Rank 8 of file a in the high word.
const HIGH_INNER: u64 = 1 << 8;
/// All ten bits of a folded file, low and high word.
const LOW_FILE: u64 = LOW_INNER | 1;
const HIGH_FILE: u64 = HIGH_INNER | 1 << 17;
/// Sends rank 8 to bit 56 and ranks 1 to 7 to bits 57 to 63.
const GATHER: u64 = 0x0001_0101_0101_0101;

/// Index of the eight inner squares of the file whose occupancy was shifted down to file a.
#[inline]
const fn file_index(file: u128) -> usize {
    let folded = file as u64 & LOW_INNER | (file >> 64) as u64 & HIGH_INNER;
    (folded.wrapping_mul(GATHER) >> 56) as usize
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

/// A folded file as squares of file a.
#[inline]
const fn unfold(folded: u64) -> u128 {
    (folded & LOW_FILE) as u128 | ((folded & HIGH_FILE) as u128) << 64
}

static FILES: [[Slide<u64>; 256]; 10] = {
    let mut table = [[Slide { rook: 0, hop: 0 }; 256]; 10];
    let mut rank = 0;
    while rank < 10 {
        let mut inner = 0;
        while inner < 256 {
            let ranks = (inner as u16) << 1;
            let slide = walk(rank, 10, ranks);
            table[rank][file_index(unfold(fold(ranks)))] =
                Slide { rook: fold(slide.rook), hop: fold(slide.hop) };
            inner += 1;
        }
        rank += 1;
    }
    table
};

/// File, rank and the first bit of the rank of each square, to spare the divisions.
static PLACES: [(File, Rank, u8); Square::COUNT] = {
    let mut table = [(File::A, Rank::R0, 0); Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::ALL[index];
        table[index] = (square.file(), square.rank(), 9 * square.rank() as u8);
        index += 1;
    }
    table
};

#[inline]
fn rank_slide(square: Square, occupied: Bitboard) -> (&'static Slide<u16>, u32) {
    let (file, _, shift) = PLACES[square.index()];
    (&RANKS[file.index()][(occupied.0 >> 1 >> (shift & 0x7f)) as usize & 0x7f], u32::from(shift))
}

#[inline]
fn file_slide(square: Square, occupied: Bitboard) -> (&'static Slide<u64>, u32) {
    let (file, rank, _) = PLACES[square.index()];
    // A file is below 16: said aloud, it spares the shifts of 128 bits their far half.
    let shift = file as u32 & 0xf;
    (&FILES[rank.index()][file_index(occupied.0 >> shift)], shift)
}

/// Squares a rook reaches: along rank and file up to and including the first occupied square each way.
///
/// ```
/// use movegen::{Bitboard, Square, attacks};
/// assert_eq!(attacks::rook(Square::A0, Bitboard::EMPTY).count(), 17);
/// ```
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let ((rank, rank_shift), (file, file_shift)) =
        (rank_slide(square, occupied), file_slide(square, occupied));
    Bitboard((rank.rook as u128) << rank_shift | unfold(file.rook) << file_shift)
}

/// Squares a cannon hits over exactly one screen: from behind the first occupied square each way up to and including
/// the second. Only an enemy piece there can be captured; the empty squares between are no moves.
#[inline]
pub fn cannon_captures(square: Square, occupied: Bitboard) -> Bitboard {
    let ((rank, rank_shift), (file, file_shift)) =
        (rank_slide(square, occupied), file_slide(square, occupied));
    Bitboard((rank.hop as u128) << rank_shift | unfold(file.hop) << file_shift)
}

/// A cannon's quiet moves and captures in one: the empty squares a rook would reach and, of `enemies`, those behind one
/// screen.
#[inline]
pub fn cannon_targets(square: Square, occupied: Bitboard, enemies: Bitboard) -> Bitboard {
    let ((rank, rank_shift), (file, file_shift)) =
        (rank_slide(square, occupied), file_slide(square, occupied));
    let quiet = (rank.rook as u128) << rank_shift | unfold(file.rook) << file_shift;
    let hop = (rank.hop as u128) << rank_shift | unfold(file.hop) << file_shift;
    Bitboard(quiet & !occupied.0 | hop & enemies.0)
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
