//! Staged move picking: nothing is generated or sorted before it is needed.

use crate::{
    history::{Histories, Made},
    params,
};
use arrayvec::ArrayVec;
use movegen::{MAX_MOVES, Move, MoveList, Position, see_value};

/// What ordering knows of the node besides the position.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context {
    /// The moves one, two, four and six plies ago.
    pub(crate) made: [Option<Made>; 4],
    pub(crate) killers: [Option<Move>; 2],
    /// Where the history by pawns has what belongs to this position's.
    pub(crate) pawns: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    Table,
    GenerateCaptures,
    GoodCaptures,
    Killers,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    GenerateChecks,
    Checks,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Hands out each legal move once, the most promising first.
pub(crate) struct MovePicker {
    stage: Stage,
    table: Option<Move>,
    captures_only: bool,
    /// After the captures, quiet moves that give check and lose nothing.
    checks: bool,
    threshold: i32,
    killer: usize,
    skip_quiets: bool,
    moves: ArrayVec<(Move, i32), MAX_MOVES>,
    next: usize,
    bad: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
}

impl MovePicker {
    /// For a full-width node; captures that lose more than the threshold allows come last.
    pub(crate) fn new(position: &Position, table: Option<Move>) -> Self {
        Self::with(position, table, false, false, 0)
    }

    /// For quiescence: all evasions in check, otherwise captures and, if asked for, quiet checks that lose nothing.
    pub(crate) fn quiescence(position: &Position, table: Option<Move>, checks: bool) -> Self {
        Self::with(position, table, true, checks, 0)
    }

    /// Captures whose exchange wins at least `threshold`.
    pub(crate) fn probcut(position: &Position, table: Option<Move>, threshold: i32) -> Self {
        Self::with(position, table, true, false, threshold)
    }

    fn with(
        position: &Position,
        table: Option<Move>,
        captures_only: bool,
        checks: bool,
        threshold: i32,
    ) -> Self {
        let in_check = position.in_check();
        let usable = |mv: &Move| {
            position.is_legal(*mv) && (!captures_only || in_check || position.piece_at(mv.to()).is_some())
        };
        Self {
            stage: Stage::Table,
            table: table.filter(usable),
            captures_only: captures_only && !in_check,
            checks,
            threshold,
            killer: 0,
            skip_quiets: false,
            moves: ArrayVec::new(),
            next: 0,
            bad: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// From now on only captures are handed out (and evasions, when in check).
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move; `None` when all have been handed out.
    pub(crate) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &Context,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage =
                        if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
                    if self.table.is_some() {
                        return self.table;
                    }
                }
                Stage::GenerateCaptures => {
                    self.score_captures(position, histories);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.best_left() {
                    Some((mv, _)) if position.see_ge(mv, self.threshold) => return Some(mv),
                    Some((mv, _)) => self.bad.push(mv),
                    None if self.captures_only => self.stage = Stage::BadCaptures,
                    None => self.stage = Stage::Killers,
                },
                Stage::Killers => {
                    let Some(&killer) = context.killers.get(self.killer) else {
                        self.stage = Stage::GenerateQuiets;
                        continue;
                    };
                    self.killer += 1;
                    if let Some(mv) = killer
                        && killer != self.table
                        && !self.skip_quiets
                        && position.piece_at(mv.to()).is_none()
                        && position.is_legal(mv)
                    {
                        return Some(mv);
                    }
                }
                Stage::GenerateQuiets => {
                    if !self.skip_quiets {
                        self.score_quiets(position, histories, context);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.best_left() {
                    Some((mv, _)) if !self.skip_quiets => return Some(mv),
                    _ => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => {
                    let mv = self.bad.get(self.next_bad).copied();
                    self.next_bad += 1;
                    // With a threshold the caller wants only what reaches it.
                    if mv.is_some() && self.threshold == 0 {
                        return mv;
                    }
                    self.stage = if self.checks { Stage::GenerateChecks } else { Stage::Done };
                }
                Stage::GenerateChecks => {
                    self.score_checks(position, histories, context);
                    self.stage = Stage::Checks;
                }
                Stage::GenerateEvasions => {
                    self.score_evasions(position, histories, context);
                    self.stage = Stage::Evasions;
                }
                Stage::Checks | Stage::Evasions => match self.best_left() {
                    Some((mv, _)) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Takes the highest-scored move that is left; a selection sort, since most nodes look at few moves.
    fn best_left(&mut self) -> Option<(Move, i32)> {
        let mut best = self.next;
        let &(_, mut score) = self.moves.get(best)?;
        for (i, &(_, candidate)) in self.moves.iter().enumerate().skip(self.next + 1) {
            if candidate > score {
                (best, score) = (i, candidate);
            }
        }
        self.moves.swap(best, self.next);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }

    fn fill(&mut self, list: &MoveList, mut score: impl FnMut(Move) -> i32) {
        self.moves.clear();
        self.next = 0;
        let table = self.table;
        self.moves.extend(list.iter().filter(|&&mv| Some(mv) != table).map(|&mv| (mv, score(mv))));
    }

    fn score_captures(&mut self, position: &Position, histories: &Histories) {
        let mut list = MoveList::new();
        position.generate_captures(&mut list);
        self.fill(&list, |mv| capture_score(position, histories, mv));
    }

    fn score_quiets(&mut self, position: &Position, histories: &Histories, context: &Context) {
        let mut list = MoveList::new();
        position.generate_quiets(&mut list);
        let killers = context.killers;
        list.retain(|mv| !killers.contains(&Some(*mv)));
        self.fill(&list, |mv| quiet_score(position, histories, context, mv));
    }

    fn score_checks(&mut self, position: &Position, histories: &Histories, context: &Context) {
        let mut list = MoveList::new();
        position.generate_quiet_checks(&mut list);
        list.retain(|mv| position.see_ge(*mv, 0));
        self.fill(&list, |mv| quiet_score(position, histories, context, mv));
    }

    fn score_evasions(&mut self, position: &Position, histories: &Histories, context: &Context) {
        let list = position.legal_moves();
        self.fill(&list, |mv| {
            if position.piece_at(mv.to()).is_some() {
                // Far above every quiet move.
                (1 << 20) + capture_score(position, histories, mv)
            } else {
                quiet_score(position, histories, context, mv)
            }
        });
    }
}

/// Most valuable victim first, adjusted by what such captures did before.
fn capture_score(position: &Position, histories: &Histories, mv: Move) -> i32 {
    let (Some(piece), Some(victim)) = (position.piece_at(mv.from()), position.piece_at(mv.to())) else {
        return 0;
    };
    let made = Made { piece, to: mv.to() };
    16 * see_value(victim.kind()) - see_value(piece.kind()) / 64 + histories.capture(made, victim.kind())
}

/// Sum of all that the histories say of a quiet move.
pub(crate) fn quiet_score(position: &Position, histories: &Histories, context: &Context, mv: Move) -> i32 {
    let Some(piece) = position.piece_at(mv.from()) else { return 0 };
    let made = Made { piece, to: mv.to() };
    let [one, two, four, six] = context.made;
    histories.quiet(position.side_to_move(), mv)
        + histories.continuation(one, made)
        + histories.continuation(two, made)
        + histories.continuation(four, made) / 2
        + histories.continuation(six, made) * params::context_six() / 8
        + histories.pawns(context.pawns, made)
}
