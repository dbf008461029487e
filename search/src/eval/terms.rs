//! The hand-written evaluation beyond material and places: a few terms that say something about xiangqi.
//!
//! Each term is a count times a weight ([`super::weights`]), so that the weights can be fitted to games.

use super::psqt::{MAX_PHASE, Sums, Tapered};
use super::weights::TERMS;
use core::fmt::Write;
use movegen::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// A weight of the evaluation; [`TERMS`] holds its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    /// One more free square for a rook.
    RookMobility,
    /// One more free square for a cannon.
    CannonMobility,
    /// One more free square for a horse.
    HorseMobility,
    /// A cannon on the open line to the enemy king: the "hollow head".
    HollowCannon,
    /// A cannon two screens away from the enemy king on its file.
    PinningCannon,
    /// An advisor missing, for every enemy rook and horse.
    AdvisorMissing,
    /// An elephant missing, for every enemy cannon; a cannon needs screens, and elephants guard the middle.
    ElephantMissing,
    /// An own advisor as a screen for an enemy cannon, for each of both.
    CannonScreens,
    /// Two crossed pawns side by side.
    LinkedPawns,
    /// A crossed pawn for each enemy advisor or elephant missing.
    PawnAgainstBareKing,
    /// The square of the pressure on the enemy palace, in 16ths of a unit.
    Pressure,
    /// The right to move.
    Tempo,
}

impl Term {
    /// How many there are.
    pub(crate) const COUNT: usize = 12;
    /// All of them, in the order of their weights.
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::RookMobility,
        Self::CannonMobility,
        Self::HorseMobility,
        Self::HollowCannon,
        Self::PinningCannon,
        Self::AdvisorMissing,
        Self::ElephantMissing,
        Self::CannonScreens,
        Self::LinkedPawns,
        Self::PawnAgainstBareKing,
        Self::Pressure,
        Self::Tempo,
    ];

    /// What the weight is divided by.
    pub(super) const fn unit(self) -> i32 {
        if matches!(self, Self::Pressure) { 16 } else { 1 }
    }

    /// The value of so many.
    #[inline]
    const fn times(self, count: i32) -> Tapered {
        let Tapered { mg, eg } = TERMS[self as usize].times(count);
        Tapered::new(mg / self.unit(), eg / self.unit())
    }

    /// Its row in the table for people.
    const fn group(self) -> Group {
        match self {
            Self::RookMobility | Self::CannonMobility | Self::HorseMobility => Group::Mobility,
            Self::HollowCannon | Self::PinningCannon => Group::Cannons,
            Self::AdvisorMissing | Self::ElephantMissing | Self::CannonScreens => Group::Guards,
            Self::LinkedPawns | Self::PawnAgainstBareKing => Group::Pawns,
            Self::Pressure | Self::Tempo => Group::King,
        }
    }
}

/// Terms that are shown as one.
#[derive(Clone, Copy)]
enum Group {
    Mobility,
    Cannons,
    Guards,
    Pawns,
    King,
}

impl Group {
    const COUNT: usize = 5;
    const NAMES: [&'static str; Self::COUNT] = ["Mobility", "Cannons", "Guards", "Pawns", "King pressure"];
}

/// Mobility a piece is expected to have; less is a malus.
const ROOK_USUAL: i32 = 9;
const CANNON_USUAL: i32 = 7;
const HORSE_USUAL: i32 = 4;

/// Units of pressure on the palace per attacking piece of a kind.
const PRESSURE: [i32; PieceKind::COUNT] = [0, 0, 0, 3, 3, 2, 2];

/// Takes down how often a term holds for a side: to add up values, or for a tuner.
pub(super) trait Tally {
    /// `color` has `count` more of this; a few calls for one term are common.
    fn count(&mut self, term: Term, color: Color, count: i32);
}

/// Counts every term of a position but the right to move.
pub(super) fn survey(position: &Position, tally: &mut impl Tally) {
    for color in Color::ALL {
        survey_pieces(position, color, tally);
        survey_guards(position, color, tally);
        survey_pawns(position, color, tally);
    }
}

/// Mobility, pressure on the enemy palace, cannons on the king's file.
#[inline]
fn survey_pieces(position: &Position, color: Color, tally: &mut impl Tally) {
    let (occupied, own) = (position.occupied(), position.by_color(color));
    let palace = attacks::palace(!color);
    let king = position.king(!color);
    let mut pressure = 0;
    for square in position.pieces(color, PieceKind::Rook) {
        let reach = attacks::rook(square, occupied) - own;
        tally.count(Term::RookMobility, color, reach.count() as i32 - ROOK_USUAL);
        pressure += units(reach & palace, PieceKind::Rook);
    }
    for square in position.pieces(color, PieceKind::Cannon) {
        let quiet = attacks::rook(square, occupied) - occupied;
        tally.count(Term::CannonMobility, color, quiet.count() as i32 - CANNON_USUAL);
        pressure += units(attacks::cannon_captures(square, occupied) & palace, PieceKind::Cannon);
        if let Some(term) = cannon_on_king_line(square, king, occupied) {
            tally.count(term, color, 1);
        }
    }
    for square in position.pieces(color, PieceKind::Horse) {
        let reach = attacks::horse(square, occupied) - own;
        tally.count(Term::HorseMobility, color, reach.count() as i32 - HORSE_USUAL);
        pressure += units(reach & palace, PieceKind::Horse);
    }
    for square in position.pieces(color, PieceKind::Pawn) {
        pressure += units(attacks::pawn(color, square) & palace, PieceKind::Pawn);
    }
    tally.count(Term::Pressure, color, pressure * pressure);
}

/// Guards missing against the pieces they guard against.
#[inline]
fn survey_guards(position: &Position, color: Color, tally: &mut impl Tally) {
    let count = |color, kind| position.pieces(color, kind).count() as i32;
    let advisors = count(color, PieceKind::Advisor);
    let elephants = count(color, PieceKind::Elephant);
    let attackers = count(!color, PieceKind::Rook) + count(!color, PieceKind::Horse);
    let cannons = count(!color, PieceKind::Cannon);
    tally.count(Term::AdvisorMissing, color, (2 - advisors) * attackers);
    tally.count(Term::ElephantMissing, color, (2 - elephants) * cannons);
    tally.count(Term::CannonScreens, color, advisors * cannons);
}

#[inline]
fn survey_pawns(position: &Position, color: Color, tally: &mut impl Tally) {
    let own_bank = |square: &Square| {
        let rank = if color == Color::Red { square.rank().index() } else { 9 - square.rank().index() };
        rank < 5
    };
    let crossed: Bitboard =
        position.pieces(color, PieceKind::Pawn).iter().filter(|square| !own_bank(square)).collect();
    let linked =
        crossed.iter().filter(|square| square.offset(1, 0).is_some_and(|east| crossed.contains(east)));
    let guards = position.pieces(!color, PieceKind::Advisor).count()
        + position.pieces(!color, PieceKind::Elephant).count();
    let missing = 4 - guards as i32;
    tally.count(Term::LinkedPawns, color, linked.count() as i32);
    tally.count(Term::PawnAgainstBareKing, color, crossed.count() as i32 * missing);
}

/// The terms of both sides in groups, `[red, black]`, each from its own side's view.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Terms {
    phase: i32,
    places: Tapered,
    groups: [[Tapered; 2]; Group::COUNT],
}

impl Tally for Terms {
    #[inline]
    fn count(&mut self, term: Term, color: Color, count: i32) {
        self.groups[term.group() as usize][color.index()] += term.times(count);
    }
}

impl Terms {
    pub(super) fn of(position: &Position, sums: &Sums) -> Self {
        let mut terms = Self { phase: sums.phase.min(MAX_PHASE), places: sums.value, ..Self::default() };
        survey(position, &mut terms);
        terms
    }

    /// The sum from Red's view, the right to move left out, as if everything could be won.
    pub(super) fn red(&self) -> i32 {
        let mut sum = self.places;
        for [red, black] in self.groups {
            sum += red - black;
        }
        sum.at(self.phase)
    }

    /// The phase, 0 to [`MAX_PHASE`].
    pub(super) fn phase(&self) -> i32 {
        self.phase
    }

    /// The sum from the side to move's view.
    pub(super) fn total(&self, position: &Position) -> i32 {
        let red = self.red();
        let red = red / divisor(position, red);
        let side = if position.side_to_move() == Color::Red { red } else { -red };
        side + Term::Tempo.times(1).at(self.phase)
    }

    /// The `eval` command's table.
    pub(super) fn table(&self, position: &Position) -> String {
        let mut table = String::from("Term            Red   Black   Total\n");
        // Writing to a String cannot fail.
        let _ = writeln!(table, "{:<13}              {:>7}", "Pieces", self.places.at(self.phase));
        for (name, [red, black]) in Group::NAMES.into_iter().zip(self.groups) {
            let (red, black) = (red.at(self.phase), black.at(self.phase));
            let _ = writeln!(table, "{name:<13} {red:>5} {black:>7} {:>7}", red - black);
        }
        let side = self.total(position);
        let red = if position.side_to_move() == Color::Red { side } else { -side };
        let _ = write!(table, "Total, with tempo: {red} for Red, {side} for the side to move");
        table
    }
}

/// Pressure of one piece that attacks these squares of the palace: its kind's units, one more from two squares on.
fn units(attacked: Bitboard, kind: PieceKind) -> i32 {
    if attacked.is_empty() { 0 } else { PRESSURE[kind.index()] + i32::from(attacked.more_than_one()) }
}

/// A cannon that shares the king's file with nothing or two pieces in between.
fn cannon_on_king_line(cannon: Square, king: Square, occupied: Bitboard) -> Option<Term> {
    if cannon.file() != king.file() {
        return None;
    }
    match (attacks::between(cannon, king) & occupied).count() {
        0 => Some(Term::HollowCannon),
        2 => Some(Term::PinningCannon),
        _ => None,
    }
}

/// By what a score from Red's view is divided: pulls that of a side that can hardly win towards a draw.
pub(super) fn divisor(position: &Position, red: i32) -> i32 {
    let stronger = if red > 0 { Color::Red } else { Color::Black };
    let count = |kind| position.pieces(stronger, kind).count();
    let (rooks, minors) = (count(PieceKind::Rook), count(PieceKind::Horse) + count(PieceKind::Cannon));
    let pawns = count(PieceKind::Pawn);
    match (rooks, minors, pawns) {
        (0, 0, 0) => 16,
        (0, 1, 0) => 4,
        (0, 0, 1) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::evaluate_by_hand;
    use movegen::Position;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect("a valid FEN")
    }

    #[test]
    fn both_sides_see_the_same() {
        for fen in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
            "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1",
        ] {
            let original = position(fen);
            assert_eq!(
                evaluate_by_hand(&original),
                evaluate_by_hand(&original.flip()),
                "colours swapped: {fen}"
            );
            assert_eq!(evaluate_by_hand(&original), evaluate_by_hand(&original.mirror()), "mirrored: {fen}");
        }
    }

    #[test]
    fn a_hollow_cannon_is_worth_a_lot() {
        let hollow_head = position("r1bak4/9/5a3/9/4C4/9/9/9/4A4/R1BAK1B2 w - - 0 1");
        let beside = position("r1bak4/9/5a3/9/3C5/9/9/9/4A4/R1BAK1B2 w - - 0 1");
        assert!(evaluate_by_hand(&hollow_head) > evaluate_by_hand(&beside) + 20);
    }

    #[test]
    fn a_lone_horse_does_not_win_much() {
        assert!(evaluate_by_hand(&position("2bakab2/9/9/9/9/9/9/4N4/9/2BAKAB2 w - - 0 1")) < 200);
    }
}
