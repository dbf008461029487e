//! The hand-written evaluation beyond material and places: a few terms that say something about xiangqi.
//!
//! All numbers are our own first estimates in centipawns.

use super::psqt::{MAX_PHASE, Sums, Tapered};
use core::fmt::Write;
use movegen::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// One more free square for a rook, a cannon, a horse.
const ROOK_MOBILITY: Tapered = Tapered::new(4, 4);
const CANNON_MOBILITY: Tapered = Tapered::new(3, 1);
const HORSE_MOBILITY: Tapered = Tapered::new(9, 8);
/// Mobility a piece is expected to have; less is a malus.
const ROOK_USUAL: i32 = 9;
const CANNON_USUAL: i32 = 7;
const HORSE_USUAL: i32 = 4;

/// A cannon on the open line to the enemy king: the "hollow head".
const HOLLOW_CANNON: Tapered = Tapered::new(110, 30);
/// A cannon two screens away from the enemy king on its file.
const PINNING_CANNON: Tapered = Tapered::new(18, 0);
/// An advisor missing, for every enemy rook and horse.
const ADVISOR_MISSING: Tapered = Tapered::new(16, 12);
/// An elephant missing, for every enemy cannon; a cannon needs screens, and elephants guard the middle.
const ELEPHANT_MISSING: Tapered = Tapered::new(14, 8);
/// What one more enemy advisor is worth to a cannon as a screen.
const CANNON_SCREENS: Tapered = Tapered::new(8, 14);
/// Two crossed pawns side by side.
const LINKED_PAWNS: Tapered = Tapered::new(18, 25);
/// A crossed pawn for each enemy advisor or elephant missing.
const PAWN_AGAINST_BARE_KING: Tapered = Tapered::new(6, 12);
/// The right to move.
const TEMPO: Tapered = Tapered::new(16, 8);

/// Units of pressure on the palace per attacking piece of a kind.
const PRESSURE: [i32; PieceKind::COUNT] = [0, 0, 0, 3, 3, 2, 2];

/// Value of the pressure's square, in 16ths of a centipawn.
const PRESSURE_SCALE: i32 = 14;

/// The terms of both sides, `[red, black]`, each from its own side's view.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Terms {
    phase: i32,
    places: Tapered,
    mobility: [Tapered; 2],
    cannons: [Tapered; 2],
    guards: [Tapered; 2],
    pawns: [Tapered; 2],
    king: [Tapered; 2],
}

impl Terms {
    pub(super) fn of(position: &Position, sums: &Sums) -> Self {
        let mut terms = Self { phase: sums.phase.min(MAX_PHASE), places: sums.value, ..Self::default() };
        for color in Color::ALL {
            terms.add_pieces(position, color);
            terms.add_guards(position, color);
            terms.add_pawns(position, color);
        }
        terms
    }

    /// Mobility, pressure on the enemy palace, cannons on the king's file.
    fn add_pieces(&mut self, position: &Position, color: Color) {
        let (occupied, own) = (position.occupied(), position.by_color(color));
        let palace = attacks::palace(!color);
        let king = position.king(!color);
        let index = color.index();
        let mut pressure = 0;
        for square in position.pieces(color, PieceKind::Rook) {
            let reach = attacks::rook(square, occupied) - own;
            self.mobility[index] += ROOK_MOBILITY.times(reach.count() as i32 - ROOK_USUAL);
            pressure += units(reach & palace, PieceKind::Rook);
        }
        for square in position.pieces(color, PieceKind::Cannon) {
            let quiet = attacks::rook(square, occupied) - occupied;
            self.mobility[index] += CANNON_MOBILITY.times(quiet.count() as i32 - CANNON_USUAL);
            pressure += units(attacks::cannon_captures(square, occupied) & palace, PieceKind::Cannon);
            self.cannons[index] += cannon_on_king_line(square, king, occupied);
        }
        for square in position.pieces(color, PieceKind::Horse) {
            let reach = attacks::horse(square, occupied) - own;
            self.mobility[index] += HORSE_MOBILITY.times(reach.count() as i32 - HORSE_USUAL);
            pressure += units(reach & palace, PieceKind::Horse);
        }
        for square in position.pieces(color, PieceKind::Pawn) {
            pressure += units(attacks::pawn(color, square) & palace, PieceKind::Pawn);
        }
        self.king[index] += Tapered::new(pressure * pressure * PRESSURE_SCALE / 16, pressure * pressure / 4);
    }

    /// Guards missing against the pieces they guard against.
    fn add_guards(&mut self, position: &Position, color: Color) {
        let count = |color, kind| position.pieces(color, kind).count() as i32;
        let advisors = count(color, PieceKind::Advisor);
        let elephants = count(color, PieceKind::Elephant);
        let attackers = count(!color, PieceKind::Rook) + count(!color, PieceKind::Horse);
        let cannons = count(!color, PieceKind::Cannon);
        let terms = &mut self.guards[color.index()];
        *terms -= ADVISOR_MISSING.times((2 - advisors) * attackers);
        *terms -= ELEPHANT_MISSING.times((2 - elephants) * cannons);
        *terms -= CANNON_SCREENS.times(advisors * cannons);
    }

    fn add_pawns(&mut self, position: &Position, color: Color) {
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
        self.pawns[color.index()] += LINKED_PAWNS.times(linked.count() as i32);
        self.pawns[color.index()] += PAWN_AGAINST_BARE_KING.times(crossed.count() as i32 * missing);
    }

    /// The sum from the side to move's view.
    pub(super) fn total(&self, position: &Position) -> i32 {
        let mut sum = self.places;
        for [red, black] in [self.mobility, self.cannons, self.guards, self.pawns, self.king] {
            sum += red - black;
        }
        let red = scale(position, sum.at(self.phase));
        let side = if position.side_to_move() == Color::Red { red } else { -red };
        side + TEMPO.at(self.phase)
    }

    /// The `eval` command's table.
    pub(super) fn table(&self, position: &Position) -> String {
        let mut table = String::from("Term            Red   Black   Total\n");
        let rows = [
            ("Mobility", self.mobility),
            ("Cannons", self.cannons),
            ("Guards", self.guards),
            ("Pawns", self.pawns),
            ("King pressure", self.king),
        ];
        // Writing to a String cannot fail.
        let _ = writeln!(table, "{:<13}              {:>7}", "Pieces", self.places.at(self.phase));
        for (name, [red, black]) in rows {
            let (red, black) = (red.at(self.phase), black.at(self.phase));
            let _ = writeln!(table, "{name:<13} {red:>5} {black:>7} {:>7}", red - black);
        }
        let side = self.total(position);
        let red = if position.side_to_move() == Color::Red { side } else { -side };
        let _ = write!(table, "Total, with tempo: {red} centipawns for Red, {side} for the side to move");
        table
    }
}

/// Pressure of one piece that attacks these squares of the palace: its kind's units, one more from two squares on.
fn units(attacked: Bitboard, kind: PieceKind) -> i32 {
    if attacked.is_empty() { 0 } else { PRESSURE[kind.index()] + i32::from(attacked.more_than_one()) }
}

/// A cannon that shares the king's file with nothing or two pieces in between.
fn cannon_on_king_line(cannon: Square, king: Square, occupied: Bitboard) -> Tapered {
    if cannon.file() != king.file() {
        return Tapered::default();
    }
    match (attacks::between(cannon, king) & occupied).count() {
        0 => HOLLOW_CANNON,
        2 => PINNING_CANNON,
        _ => Tapered::default(),
    }
}

/// Pulls the score of a side that can hardly win towards a draw.
fn scale(position: &Position, red: i32) -> i32 {
    let stronger = if red > 0 { Color::Red } else { Color::Black };
    let count = |kind| position.pieces(stronger, kind).count();
    let (rooks, minors) = (count(PieceKind::Rook), count(PieceKind::Horse) + count(PieceKind::Cannon));
    let pawns = count(PieceKind::Pawn);
    match (rooks, minors, pawns) {
        (0, 0, 0) => red / 16,
        (0, 1, 0) => red / 4,
        (0, 0, 1) => red / 2,
        _ => red,
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
