//! Pieces of limited reach: king, advisor, pawn, elephant (with its eyes) and horse (with its legs).
//!
//! Elephant and horse look their targets up by the occupancy of four blocking points around the square. The four bits
//! are shifted down and gathered by one multiplication whose partial products never overlap, so no carry can disturb them.

use crate::{
    bitboard::Bitboard,
    types::{Color, Square},
};

type SquareTable = [Bitboard; Square::COUNT];
type BlockedTable = [[Bitboard; 16]; Square::COUNT];

const ORTHOGONAL: [(i32, i32); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// The nine points of a side's palace: files d to f on its three back ranks.
pub const fn palace(color: Color) -> Bitboard {
    let red: u128 = 0b111 << 3 | 0b111 << 12 | 0b111 << 21;
    Bitboard(match color {
        Color::Red => red,
        Color::Black => red << 63,
    })
}

/// The 45 points on a side's own bank of the river.
const fn own_half(color: Color) -> Bitboard {
    Bitboard(match color {
        Color::Red => (1 << 45) - 1,
        Color::Black => ((1 << 45) - 1) << 45,
    })
}

/// The neighbours of each square in these directions that lie in `zone`.
const fn step_table(steps: &[(i32, i32)], zone: Bitboard) -> SquareTable {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        let mut i = 0;
        while i < steps.len() {
            if let Some(target) = Square::ALL[square].offset(steps[i].0, steps[i].1)
                && zone.contains(target)
            {
                table[square].insert(target);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// For each square of `zone` its neighbours in these directions: `step_table` read backwards (the steps are symmetric).
const fn source_table(steps: &[(i32, i32)], zone: Bitboard) -> SquareTable {
    let mut table = step_table(steps, Bitboard::FULL);
    let mut square = 0;
    while square < Square::COUNT {
        if !zone.contains(Square::ALL[square]) {
            table[square] = Bitboard::EMPTY;
        }
        square += 1;
    }
    table
}

const fn pawn_table(color: Color, backwards: bool) -> SquareTable {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let forward = match color {
        Color::Red => 1,
        Color::Black => -1,
    };
    let mut square = 0;
    while square < Square::COUNT {
        let from = Square::ALL[square];
        let crossed = !own_half(color).contains(from);
        let steps = [(0, forward, true), (-1, 0, crossed), (1, 0, crossed)];
        let mut i = 0;
        while i < steps.len() {
            if let Some(target) = from.offset(steps[i].0, steps[i].1)
                && steps[i].2
            {
                if backwards {
                    table[target as usize].insert(from);
                } else {
                    table[square].insert(target);
                }
            }
            i += 1;
        }
        square += 1;
    }
    table
}

static KING: [SquareTable; 2] =
    [step_table(&ORTHOGONAL, palace(Color::Red)), step_table(&ORTHOGONAL, palace(Color::Black))];
static ADVISOR: [SquareTable; 2] =
    [step_table(&DIAGONAL, palace(Color::Red)), step_table(&DIAGONAL, palace(Color::Black))];
static ADVISOR_SOURCES: [SquareTable; 2] =
    [source_table(&DIAGONAL, palace(Color::Red)), source_table(&DIAGONAL, palace(Color::Black))];
static PAWN: [SquareTable; 2] = [pawn_table(Color::Red, false), pawn_table(Color::Black, false)];
static PAWN_SOURCES: [SquareTable; 2] = [pawn_table(Color::Red, true), pawn_table(Color::Black, true)];

/// Where a king of this side can step: orthogonal neighbours inside its palace.
pub fn king(color: Color, square: Square) -> Bitboard {
    KING[color.index()][square.index()]
}

/// Where an advisor of this side can step: diagonal neighbours inside its palace.
pub fn advisor(color: Color, square: Square) -> Bitboard {
    ADVISOR[color.index()][square.index()]
}

/// Where an advisor of this side must stand to step to `square`.
pub fn advisor_sources(color: Color, square: Square) -> Bitboard {
    ADVISOR_SOURCES[color.index()][square.index()]
}

/// Where a pawn of this side can step: forward, across the river also sideways.
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// Where a pawn of this side must stand to step to `square`.
pub fn pawn_sources(color: Color, square: Square) -> Bitboard {
    PAWN_SOURCES[color.index()][square.index()]
}

// Gathering four blocking points. The occupancy is moved up first, so that the shift by the square's index never goes
// below zero; wrapped bits beyond the edge of the board fall on points that the table of that square ignores.

/// Bits of the orthogonal neighbours after `<< 9 >> square`: south 0, west 8, east 10, north 18.
const ORTHOGONAL_MASK: u32 = 1 | 1 << 8 | 1 << 10 | 1 << 18;
/// Sends west to bit 28, south to 29, east to 30, north to 31.
const ORTHOGONAL_MAGIC: u32 = 1 << 29 | 1 << 20 | 1 << 13;
/// Bits of the diagonal neighbours after `<< 10 >> square`: south-west 0, south-east 2, north-west 18, north-east 20.
const DIAGONAL_MASK: u32 = 1 | 1 << 2 | 1 << 18 | 1 << 20;
/// Sends south-west to bit 28, north-west to 29, south-east to 30, north-east to 31.
const DIAGONAL_MAGIC: u32 = 1 << 28 | 1 << 11;

#[inline]
const fn orthogonal_index(square: Square, occupied: Bitboard) -> usize {
    let near = (occupied.0 << 9 >> square as u32) as u32 & ORTHOGONAL_MASK;
    (near.wrapping_mul(ORTHOGONAL_MAGIC) >> 28) as usize
}

#[inline]
const fn diagonal_index(square: Square, occupied: Bitboard) -> usize {
    let near = (occupied.0 << 10 >> square as u32) as u32 & DIAGONAL_MASK;
    (near.wrapping_mul(DIAGONAL_MAGIC) >> 28) as usize
}

/// The bit of a neighbour in the index, found by asking the index function itself.
const fn index_bit(square: Square, blocker: Square, diagonal: bool) -> usize {
    let set = Bitboard::from_square(blocker);
    if diagonal { diagonal_index(square, set) } else { orthogonal_index(square, set) }
}

/// A jump with its blocking point: (files, ranks) of the target and of the blocker, both from the start.
type Jump = ((i32, i32), (i32, i32));

const HORSE_JUMPS: [Jump; 8] = [
    ((-1, -2), (0, -1)),
    ((1, -2), (0, -1)),
    ((-2, -1), (-1, 0)),
    ((2, -1), (1, 0)),
    ((-2, 1), (-1, 0)),
    ((2, 1), (1, 0)),
    ((-1, 2), (0, 1)),
    ((1, 2), (0, 1)),
];

/// The same jumps seen from the target: where the horse stands, and its leg, a diagonal neighbour of the target.
const HORSE_JUMPS_BACK: [Jump; 8] = [
    ((-1, -2), (-1, -1)),
    ((1, -2), (1, -1)),
    ((-2, -1), (-1, -1)),
    ((2, -1), (1, -1)),
    ((-2, 1), (-1, 1)),
    ((2, 1), (1, 1)),
    ((-1, 2), (-1, 1)),
    ((1, 2), (1, 1)),
];

const ELEPHANT_JUMPS: [Jump; 4] =
    [((-2, -2), (-1, -1)), ((2, -2), (1, -1)), ((-2, 2), (-1, 1)), ((2, 2), (1, 1))];

/// Targets by square and blocked points; `from_zone` and `to_zone` bound start and target.
#[expect(clippy::large_stack_arrays, reason = "evaluated at compile time only")]
const fn jump_table(jumps: &[Jump], diagonal: bool, from_zone: Bitboard, to_zone: Bitboard) -> BlockedTable {
    let mut table = [[Bitboard::EMPTY; 16]; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        let from = Square::ALL[square];
        let mut i = 0;
        while i < jumps.len() {
            let ((files, ranks), (blocker_files, blocker_ranks)) = jumps[i];
            if let (Some(to), Some(blocker)) =
                (from.offset(files, ranks), from.offset(blocker_files, blocker_ranks))
                && from_zone.contains(from)
                && to_zone.contains(to)
            {
                let bit = index_bit(from, blocker, diagonal);
                let mut index = 0;
                while index < 16 {
                    if index & bit == 0 {
                        table[square][index].insert(to);
                    }
                    index += 1;
                }
            }
            i += 1;
        }
        square += 1;
    }
    table
}

static HORSE: BlockedTable = jump_table(&HORSE_JUMPS, false, Bitboard::FULL, Bitboard::FULL);
static HORSE_SOURCES: BlockedTable = jump_table(&HORSE_JUMPS_BACK, true, Bitboard::FULL, Bitboard::FULL);
static ELEPHANT: [BlockedTable; 2] = [
    jump_table(&ELEPHANT_JUMPS, true, Bitboard::FULL, own_half(Color::Red)),
    jump_table(&ELEPHANT_JUMPS, true, Bitboard::FULL, own_half(Color::Black)),
];
static ELEPHANT_SOURCES: [BlockedTable; 2] = [
    jump_table(&ELEPHANT_JUMPS, true, own_half(Color::Red), Bitboard::FULL),
    jump_table(&ELEPHANT_JUMPS, true, own_half(Color::Black), Bitboard::FULL),
];

/// Where a horse can jump: legs next to it must be empty.
///
/// Not symmetric: a horse may attack one whose own leg towards it is blocked.
#[inline]
pub fn horse(square: Square, occupied: Bitboard) -> Bitboard {
    HORSE[square.index()][orthogonal_index(square, occupied)]
}

/// Where a horse must stand to jump to `square`.
#[inline]
pub fn horse_sources(square: Square, occupied: Bitboard) -> Bitboard {
    HORSE_SOURCES[square.index()][diagonal_index(square, occupied)]
}

/// The eight (at the edge fewer) squares from which a horse with free legs reaches `square`.
pub(crate) fn horse_jumps(square: Square) -> Bitboard {
    HORSE_SOURCES[square.index()][0]
}

/// The leg of a horse on `from` that jumps to `to`: the point that must be empty. `None` if that is no horse's jump.
pub fn horse_leg(from: Square, to: Square) -> Option<Square> {
    let files = to.file() as i32 - from.file() as i32;
    let ranks = to.rank() as i32 - from.rank() as i32;
    match (files.abs(), ranks.abs()) {
        (1, 2) => from.offset(0, ranks / 2),
        (2, 1) => from.offset(files / 2, 0),
        _ => None,
    }
}

/// Where an elephant of this side can jump: two steps diagonally over an empty eye, on its own bank.
#[inline]
pub fn elephant(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    ELEPHANT[color.index()][square.index()][diagonal_index(square, occupied)]
}

/// Where an elephant of this side must stand to jump to `square`.
#[inline]
pub fn elephant_sources(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    ELEPHANT_SOURCES[color.index()][square.index()][diagonal_index(square, occupied)]
}

/// All squares whose occupancy can matter to an attack on `square`: its cross, its horses' squares and their legs.
///
/// A move that neither leaves nor enters this zone cannot change whether `square` is attacked.
pub(crate) fn check_zone(square: Square) -> Bitboard {
    static ZONES: SquareTable = {
        let mut table = step_table(&DIAGONAL, Bitboard::FULL);
        let mut square = 0;
        while square < Square::COUNT {
            let cross = super::sliders::cross_bits(Square::ALL[square]);
            table[square].0 |= HORSE_SOURCES_FREE[square].0 | cross;
            square += 1;
        }
        table
    };
    const HORSE_SOURCES_FREE: SquareTable = {
        let blocked = jump_table(&HORSE_JUMPS_BACK, true, Bitboard::FULL, Bitboard::FULL);
        let mut table = [Bitboard::EMPTY; Square::COUNT];
        let mut square = 0;
        while square < Square::COUNT {
            table[square] = blocked[square][0];
            square += 1;
        }
        table
    };
    ZONES[square.index()]
}
