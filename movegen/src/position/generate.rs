//! Fully legal move generation.
//!
//! One generator walks the pieces and hands (from, target set) pairs to a sink: a list, a counter or a "there is one" flag.
//! Only moves of the king and of [`super::KingLines`]'s blockers, and when in check those of the checking cannon's screen, are tested one
//! by one; for every other piece a target mask says it all.

use super::Position;
use crate::{
    attacks,
    bitboard::Bitboard,
    moves::{Move, MoveList},
    types::{PieceKind, Square},
};

/// What takes the generated moves.
trait Sink {
    /// Takes all moves from a square to these targets.
    fn add(&mut self, from: Square, targets: Bitboard);

    /// Whether no further moves are wanted.
    fn is_full(&self) -> bool {
        false
    }
}

impl Sink for MoveList {
    #[inline]
    fn add(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(from, to));
        }
    }
}

/// Counts moves without writing them.
#[derive(Default)]
struct Counter(u32);

impl Sink for Counter {
    #[inline]
    fn add(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.count();
    }
}

/// Only wants to know whether there is a move.
#[derive(Default)]
struct Any(bool);

impl Sink for Any {
    fn add(&mut self, _: Square, targets: Bitboard) {
        self.0 |= !targets.is_empty();
    }

    fn is_full(&self) -> bool {
        self.0
    }
}

/// Keeps the moves that give check. Expects moves to empty squares.
struct Checks<'a> {
    position: &'a Position,
    list: &'a mut MoveList,
    /// Outside it a piece can be lifted without any effect on the enemy king.
    zone: Bitboard,
    /// Where anything is a screen for a cannon that sees the king.
    screens: Bitboard,
    /// Where each kind attacks the king, as long as the piece comes from outside the zone.
    direct: [Bitboard; PieceKind::COUNT],
}

impl<'a> Checks<'a> {
    fn new(position: &'a Position, list: &'a mut MoveList) -> Self {
        let (us, occupied) = (position.side_to_move, position.occupied());
        let king = position.king(!us);
        let open = attacks::rook(king, occupied);
        let behind = attacks::rook(king, occupied - open) - open;
        let cannons = open & position.pieces(us, PieceKind::Cannon);
        let mut direct = [Bitboard::EMPTY; PieceKind::COUNT];
        direct[PieceKind::Rook.index()] = open;
        direct[PieceKind::Cannon.index()] = behind;
        direct[PieceKind::Horse.index()] = attacks::horse_sources(king, occupied);
        direct[PieceKind::Pawn.index()] = attacks::pawn_sources(us, king);
        Self {
            position,
            list,
            zone: attacks::check_zone(king),
            screens: cannons.iter().fold(Bitboard::EMPTY, |all, cannon| all | attacks::between(king, cannon)),
            direct,
        }
    }
}

impl Sink for Checks<'_> {
    fn add(&mut self, from: Square, targets: Bitboard) {
        let Some(piece) = self.position.piece_at(from) else { return };
        if self.zone.contains(from) {
            for to in targets {
                let mv = Move::new(from, to);
                if self.position.gives_check(mv) {
                    self.list.push(mv);
                }
            }
        } else {
            self.list.add(from, targets & (self.direct[piece.kind().index()] | self.screens));
        }
    }
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Bitboard::FULL, &mut list);
        list
    }

    /// Appends the legal captures.
    pub fn generate_captures(&self, list: &mut MoveList) {
        self.generate(self.by_color(!self.side_to_move), list);
    }

    /// Appends the legal moves that do not capture.
    pub fn generate_quiets(&self, list: &mut MoveList) {
        self.generate(!self.occupied(), list);
    }

    /// Appends the legal moves that give check without capturing.
    pub fn generate_quiet_checks(&self, list: &mut MoveList) {
        self.generate(!self.occupied(), &mut Checks::new(self, list));
    }

    /// How many legal moves there are, without listing them.
    pub fn count_legal_moves(&self) -> u32 {
        let mut counter = Counter::default();
        self.generate(Bitboard::FULL, &mut counter);
        counter.0
    }

    /// Whether there is a legal move; if not, the side to move has lost.
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any::default();
        self.generate(Bitboard::FULL, &mut any);
        any.0
    }

    /// All legal moves whose target is in `wanted`.
    #[inline]
    fn generate(&self, wanted: Bitboard, sink: &mut impl Sink) {
        if self.in_check() {
            self.generate_evasions(wanted, sink);
        } else {
            self.generate_free(wanted, self.blockers(), wanted - self.king_lines.screens, sink);
            self.generate_tested(wanted, wanted, Bitboard::EMPTY, sink);
        }
    }

    /// Moves out of check.
    fn generate_evasions(&self, wanted: Bitboard, sink: &mut impl Sink) {
        let checkers = self.checkers();
        // `exact`: targets that answer the check whoever goes there. `screen`: the one piece that answers a cannon's check by
        // leaving, wherever it goes, and that must not merely slide between king and cannon.
        let (mut exact, mut screen) = (checkers, Bitboard::EMPTY);
        if checkers.more_than_one() {
            // Two checks at once are rare: test every move.
            self.generate_tested(wanted, wanted, self.by_color(self.side_to_move), sink);
            return;
        }
        let king = self.king(self.side_to_move);
        if let Some(checker) = checkers.first() {
            match self.piece_at(checker).map(crate::types::Piece::kind) {
                Some(PieceKind::Horse) => {
                    exact |= attacks::horse_leg(checker, king).into_iter().collect();
                }
                Some(PieceKind::Cannon) => {
                    let between = attacks::between(king, checker);
                    screen = between & self.by_color(self.side_to_move);
                    exact |= between - self.occupied();
                }
                Some(PieceKind::Pawn) => {}
                _ => exact |= attacks::between(king, checker),
            }
        }
        self.generate_free(
            wanted,
            self.blockers() | screen,
            wanted & (exact - self.king_lines.screens),
            sink,
        );
        self.generate_tested(wanted, wanted & exact, screen, sink);
    }

    /// Moves that need no test: of all own pieces but the king and `except`, to `targets`.
    #[inline]
    fn generate_free(&self, wanted: Bitboard, except: Bitboard, targets: Bitboard, sink: &mut impl Sink) {
        use PieceKind::{Advisor, Cannon, Elephant, Horse, Pawn, Rook};
        let (us, occupied) = (self.side_to_move, self.occupied());
        let movers = self.by_color(us) - except;
        let targets = targets & (wanted - self.by_color(us));
        let enemies = self.by_color(!us);
        for from in self.by_kind(Rook) & movers {
            sink.add(from, attacks::rook(from, occupied) & targets);
        }
        for from in self.by_kind(Cannon) & movers {
            sink.add(from, attacks::cannon_targets(from, occupied, enemies) & targets);
        }
        for from in self.by_kind(Horse) & movers {
            sink.add(from, attacks::horse(from, occupied) & targets);
        }
        for from in self.by_kind(Pawn) & movers {
            sink.add(from, attacks::pawn(us, from) & targets);
        }
        for from in self.by_kind(Advisor) & movers {
            sink.add(from, attacks::advisor(us, from) & targets);
        }
        for from in self.by_kind(Elephant) & movers {
            sink.add(from, attacks::elephant(us, from, occupied) & targets);
        }
    }

    /// Moves that are tested one by one: the king's and those of `unbound` to `wanted`, the remaining blockers' to `targets`.
    #[inline]
    fn generate_tested(&self, wanted: Bitboard, targets: Bitboard, unbound: Bitboard, sink: &mut impl Sink) {
        let king = Bitboard::from(self.king(self.side_to_move));
        for from in self.blockers() | unbound | king {
            if sink.is_full() {
                return;
            }
            let Some(piece) = self.piece_at(from) else { continue };
            let mask = if (unbound | king).contains(from) { wanted } else { targets };
            let candidates = self.pseudo_targets(from, piece.kind()) & mask;
            sink.add(from, candidates.iter().filter(|&to| self.is_safe(from, to)).collect());
        }
    }
}
