//! The repetition law: one implementation for all rule sets and for both of its readers, the referee and the search.
//!
//! [`judge`] gives the verdict on a game after its last move; [`judge_with`] also tells an [`Observer`] why.
//! [`judge_in_search`] is the reader for a search tree: cheap, and careful about what a second occurrence proves.
//! [`offending_root_moves`] are the moves by which the side to move would lose under the law.
//!
//! Source of the law: the rule books as compared in `docs/rules.md`; its sections are cited at each rule.
//!
//! ```
//! use movegen::{Color, History, Position};
//! use movegen::rules::{Report, RuleSet, Verdict, judge, judge_with};
//! let start = Position::from_fen("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1").unwrap();
//! let mut history = History::new(start);
//! for mv in "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8".split(' ') {
//!     assert_eq!(judge(&history, RuleSet::Asian), Verdict::None);
//!     history.push(mv.parse().unwrap());
//! }
//! let mut report = Report::default();
//! assert_eq!(judge_with(&history, RuleSet::Asian, &mut report), Verdict::Loses(Color::Red));
//! assert_eq!(report.span, Some((0, 8)));
//! ```

mod chase;
mod counts;
mod cxa;
mod cxq;
mod describe;
mod repetition;
mod report;
mod ruleset;
mod tree;

pub use chase::Gain;
pub use report::{Clause, MoveClass, Observer, Placed, Report, Run, StepReport, Threat, ThreatGain};
pub use ruleset::{Pardon, RuleSet, RuleSetParseError, Rules};
pub use tree::{SearchVerdict, is_drawn_by_count, judge_in_search, offending_root_moves};

use crate::{Color, History};
use ruleset::{Law, Method};

/// What the law says about a game after its last move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Verdict {
    /// The game goes on.
    #[default]
    None,
    /// The game is drawn.
    Draw,
    /// This side has lost: it is mated, stalemated or has committed an offence.
    Loses(Color),
}

/// The verdict on the game after its last move: mate and stalemate first, then repetition, move counts and dead positions.
///
/// It looks at the last position only; a caller that wants the first verdict of a game asks after every move. Fast unless
/// a position has occurred as often as the rule set asks for.
pub fn judge(history: &History, rules: impl Into<Rules>) -> Verdict {
    judge_with(history, rules, &mut ())
}

/// As [`judge`], telling the observer what decides and, if a repetition was judged, what every move of it was.
pub fn judge_with<O: Observer>(history: &History, rules: impl Into<Rules>, observer: &mut O) -> Verdict {
    let law = &rules.into().law();
    let position = history.current();
    if !position.has_legal_move() {
        observer.clause(if position.in_check() { Clause::Checkmate } else { Clause::Stalemate });
        return Verdict::Loses(position.side_to_move());
    }
    let repetition = match law.method {
        Method::Cycle(cycle) => repetition::judge(history, law, cycle, observer),
        Method::Kinds => cxa::judge(history, law, observer),
        Method::Runs => cxq::judge(history, observer),
    };
    if let Some(verdict) = repetition {
        return verdict;
    }
    if let Some(clause) = draw_clause(history, law) {
        observer.clause(clause);
        return Verdict::Draw;
    }
    if O::RECORDS && !matches!(law.method, Method::Runs) {
        let seen = repetition::earlier_occurrences(history).count() + 1;
        observer.clause(Clause::TooFewOccurrences { seen, needed: law.trigger });
    }
    Verdict::None
}

/// The clause by which the game is drawn without any repetition.
fn draw_clause(history: &History, law: &Law) -> Option<Clause> {
    let limit = law.no_capture_plies;
    if matches!(law.method, Method::Runs) {
        if let Some(plies) = counts::plies_without_progress(history, law) {
            return Some(Clause::NoProgress { plies, limit });
        }
        if counts::is_full_game(history, law) {
            return Some(Clause::TotalMoves);
        }
        if law.counts_moves() && cxq::effective_plies(history) >= counts::CXQ_EFFECTIVE_PLIES {
            return Some(Clause::EffectiveMoves);
        }
    } else if let Some(plies) = counts::no_capture_plies(history, law) {
        return Some(Clause::NoCapture { plies, limit });
    }
    if counts::is_dead(history.current()) {
        return Some(Clause::DeadPosition);
    }
    (law.lone_cannons_draw && counts::is_lone_cannon_draw(history.current())).then_some(Clause::LoneCannons)
}
