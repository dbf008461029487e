//! The reader for the search tree, and the filter for the root.
//!
//! What a repetition inside a tree proves (rules.md sections 5.1 and 6; the arguments are ours):
//!
//! * A **draw on the second occurrence**, both of them below the root, is sound as a score. Both sides have come back to
//!   where they were; whatever either could do now it could have done the first time, at that node of the same tree,
//!   and with no repetition against it yet.
//! * The occurrence at which the rule set judges (the third, for `uccileague` the fourth; the game before the root
//!   counts) is **final**: [`SearchVerdict::Win`], [`Loss`](SearchVerdict::Loss) or a draw, whatever is below.
//! * A **win or loss on the second occurrence** is not proven. The law judges the whole span up to the third
//!   occurrence, and the offender may still put an allowed move into it: leave the loop after this lap, chase another
//!   piece on the next one (then no piece is chased on every move), or come back to a position of the loop along an
//!   innocent path. Such verdicts have names of their own: [`LikelyLoss`](SearchVerdict::LikelyLoss) says "the side to
//!   move is the only offender of this lap", so that going round and round is worse for it than a draw and it must find
//!   something else. As every alternative was open to the offender at the first occurrence, which is a node of the
//!   same tree, scoring the lap as bad for it costs it nothing *there*; but the score holds for this path only.
//!
//! So the search should score `Win` and `Loss` in a band of their own below every real mate and above every evaluation,
//! `LikelyWin` and `LikelyLoss` in a weaker band, never show either as a mate, and never store a score from such a band
//! (or a bound that came from one) in the transposition table.
//!
//! Measured (November 2026, `xq match`, 3,000 nodes a move, hand-written evaluation, refereed by `asian`): with `asian`
//! against `alwaysdraw` +53 ± 27 Elo over 400 games, of which the first side lost none by an offence and the second 73;
//! likely verdicts in a band above every evaluation against ±40 centipawns: +21 ± 20 over 600 games. The calls take 0.5 %
//! of the time of `phao bench`, 2 % in an ending with a long quiet tail (`perf record`).

use super::{
    Rules, Verdict,
    chase::{self, ChaseTest},
    counts, cxa, cxq, judge,
    repetition::{self, Level},
    ruleset::{CycleLaw, Law, Method, Pardon},
};
use crate::{Bitboard, Color, History, MoveList, Position};

/// What the law says at a node of a search tree, for the side to move there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SearchVerdict {
    /// A draw: by repetition, by counting or for want of material.
    Draw,
    /// The side to move has won: the other side has completed an offence. Final on this path.
    Win,
    /// The side to move has lost: it has completed an offence. Final on this path.
    Loss,
    /// The other side is the only offender of a lap closed inside the tree. Not proven.
    LikelyWin,
    /// The side to move is the only offender of a lap closed inside the tree. Not proven.
    LikelyLoss,
}

/// Plies from the root at which CXA's searches, with small bounds, are still affordable.
const NEAR_ROOT: usize = 2;

/// Plies of the shortest cycle.
const SHORTEST_CYCLE: usize = 4;

/// The verdict at a node of a search tree, `None` if the search has to go on.
///
/// Call it after every push. The root is the position after `root_ply` plies of `history`; everything up to it is the
/// game. Mate and stalemate come first in the law; where one could hide behind a verdict by count this is looked up
/// here, everywhere else the search finds it itself. A null move is never judged across.
///
/// Cost: a scan of the keys back to the last capture; a repetition costs about a microsecond more, allocates
/// nothing, and stops at the first allowed move of each side. For `cxa` the cheap bounds of rules.md 3.4.9 are used (up to
/// two plies from the root its searches with small bounds, beyond that the capture test), so its wins and losses are
/// never final here; ask [`offending_root_moves`] at the root. For `cxq` runs of chases are
/// looked for only where a position has occurred before or a check was given or answered, and the rule of 120 effective
/// moves is left to the referee.
#[inline]
pub fn judge_in_search(history: &History, root_ply: usize, rules: impl Into<Rules>) -> Option<SearchVerdict> {
    let rules = rules.into();
    let position = history.current();
    let clock = position.halfmove_clock();
    if clock == 0 && counts::may_be_dead(position) {
        return dead(history, rules);
    }
    let run = matches!(rules.set().law().method, Method::Runs) && may_end_by_run(history);
    if (clock as usize) < SHORTEST_CYCLE && !run {
        return None;
    }
    let (keys, last) = (history.keys(), history.len());
    let window = (clock as usize).min(last);
    let repeated =
        window >= SHORTEST_CYCLE && contains(&keys[last - window..=last - SHORTEST_CYCLE], keys[last]);
    let counted = clock >= rules.no_capture_plies();
    if repeated || counted || run { slow(history, root_ply, rules, repeated) } else { None }
}

/// Whether CXQ may decide here without a repetition: a check was given or has just been answered, or 300 moves are full.
fn may_end_by_run(history: &History) -> bool {
    let position = history.current();
    position.in_check()
        || history.positions().iter().rev().nth(1).is_some_and(Position::in_check)
        || position.fullmove_number() > counts::CXQ_TOTAL_MOVES
}

/// Whether the key is among the keys. Those of the other side to move are looked at too: they are never equal.
///
/// Looks at several at a time without leaving early, which compiles to vector instructions.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "a lazy operator would leave early and not vectorise")]
fn contains(keys: &[u64], wanted: u64) -> bool {
    const LANES: usize = 8;
    let mut chunks = keys.chunks_exact(LANES);
    chunks.any(|chunk| chunk.iter().fold(false, |found, &key| found | (key == wanted)))
        || chunks.remainder().contains(&wanted)
}

/// A position that has just lost its last strong piece may be a draw, unless the side to move has no legal move.
#[cold]
fn dead(history: &History, rules: Rules) -> Option<SearchVerdict> {
    to_search(judge(history, rules), history)
}

/// A final verdict seen from the side to move; mate and stalemate are left to the search.
fn to_search(verdict: Verdict, history: &History) -> Option<SearchVerdict> {
    let us = history.current().side_to_move();
    match verdict {
        Verdict::None => None,
        Verdict::Draw => Some(SearchVerdict::Draw),
        Verdict::Loses(_) if !history.current().has_legal_move() => None,
        Verdict::Loses(side) => Some(if side == us { SearchVerdict::Loss } else { SearchVerdict::Win }),
    }
}

#[cold]
fn slow(history: &History, root_ply: usize, rules: Rules, repeated: bool) -> Option<SearchVerdict> {
    let law = &rules.law();
    let runs = matches!(law.method, Method::Runs);
    if runs && let Some(verdict) = cxq::judge(history, &mut ()) {
        return to_search(verdict, history);
    }
    if repeated && let Some(verdict) = judge_repetition(history, root_ply, law) {
        return Some(verdict);
    }
    (by_count(history, law) && history.current().has_legal_move()).then_some(SearchVerdict::Draw)
}

/// Whether the move counts alone have made the last position a draw. A search for someone who plays on has to leave them aside
/// ([`Rules::without_move_count`]): with every move a draw it would see nothing else.
pub fn is_drawn_by_count(history: &History, rules: impl Into<Rules>) -> bool {
    by_count(history, &rules.into().law())
}

fn by_count(history: &History, law: &Law) -> bool {
    if matches!(law.method, Method::Runs) {
        counts::plies_without_progress(history, law).is_some() || counts::is_full_game(history, law)
    } else {
        counts::no_capture_plies(history, law).is_some()
    }
}

/// The verdict on a repetition, if the position on the board has really occurred before.
fn judge_repetition(history: &History, root_ply: usize, law: &Law) -> Option<SearchVerdict> {
    let us = history.current().side_to_move();
    let mut occurrences = repetition::earlier_occurrences(history);
    let latest = occurrences.next()?;
    let earlier = occurrences.nth(law.trigger.checked_sub(3)?);
    let (first, is_final) = match (law.method, earlier) {
        (Method::Cycle(_), Some(first)) => (first, true),
        // CXQ does not count occurrences, and here CXA's verdicts are approximate: a lap in the game counts as in the tree.
        (Method::Kinds, Some(first)) => (first, false),
        _ if latest > root_ply => (latest, false),
        _ => return None,
    };
    if matches!(law.method, Method::Kinds) && history.len() - root_ply <= NEAR_ROOT {
        return Some(match cxa::judge_near_root(history, first) {
            Verdict::Loses(side) if side == us => SearchVerdict::LikelyLoss,
            Verdict::Loses(_) => SearchVerdict::LikelyWin,
            Verdict::Draw | Verdict::None => SearchVerdict::Draw,
        });
    }
    let levels = match law.method {
        Method::Cycle(cycle) => repetition::assess(history, first, cycle).levels,
        Method::Runs => repetition::assess(history, first, CXQ_LAP).levels,
        Method::Kinds => forbidden_levels(history, first),
    };
    let (ours, theirs) = (levels[us.index()], levels[(!us).index()]);
    Some(match (ours.cmp(&theirs), is_final) {
        (core::cmp::Ordering::Equal, _) => SearchVerdict::Draw,
        (core::cmp::Ordering::Less, true) => SearchVerdict::Win,
        (core::cmp::Ordering::Greater, true) => SearchVerdict::Loss,
        (core::cmp::Ordering::Less, false) => SearchVerdict::LikelyWin,
        (core::cmp::Ordering::Greater, false) => SearchVerdict::LikelyLoss,
    })
}

/// How a lap is weighed under CXQ, whose own law counts runs: whoever checks or chases on every move of it will reach
/// the limit first.
const CXQ_LAP: CycleLaw = CycleLaw { chase: Some(ChaseTest::Cxq), checks: true, pardon: Pardon::Never };

/// CXA's levels by the cheap bounds of rules.md 3.4.9: exact for checks; a move is forbidden if it checks or chases any
/// piece by the capture test; mate threats are not seen.
fn forbidden_levels(history: &History, first: usize) -> [Level; 2] {
    let (mut all_check, mut forbidden) = ([true; 2], [true; 2]);
    for (_, step) in repetition::steps_back(history, first) {
        let (before, _, after) = step;
        let mover = before.side_to_move().index();
        if after.in_check() {
            continue;
        }
        all_check[mover] = false;
        forbidden[mover] =
            forbidden[mover] && !chase::victims(ChaseTest::Asian, step, Bitboard::FULL).is_empty();
        if forbidden == [false; 2] {
            break;
        }
    }
    [0, 1].map(|side| match (all_check[side], forbidden[side]) {
        (true, _) => Level::Check,
        (false, true) => Level::Chase,
        (false, false) => Level::Allowed,
    })
}

/// The legal moves by which the side to move loses under the law: those that complete an offence of its own at once, and
/// those after which the other side can complete the repetition with its answer.
///
/// A search must not play one of them unless every legal move is one. Asks the full referee, also for `cxa`; costs next
/// to nothing while no position of the game has occurred often enough.
pub fn offending_root_moves(history: &History, rules: impl Into<Rules>) -> MoveList {
    let rules = rules.into();
    let us = history.current().side_to_move();
    let law = &rules.law();
    let mut offending = MoveList::new();
    // Even with the answer, nothing repeats so soon after a capture or the start; runs do not need to repeat.
    let window = (history.current().halfmove_clock() as usize).min(history.len());
    let runs = matches!(law.method, Method::Runs);
    if window + 2 < SHORTEST_CYCLE && !runs {
        return offending;
    }
    let mut game = history.clone();
    let answers_matter = may_be_completed_by_an_answer(history, law);
    for mv in history.current().legal_moves() {
        game.push(mv);
        let waits = runs && cxq::awaits_answer(&game);
        if loses(&game, rules, us)
            || ((answers_matter || waits)
                && game.current().legal_moves().into_iter().any(|answer| {
                    game.push(answer);
                    let lost = loses(&game, rules, us);
                    game.pop();
                    lost
                }))
        {
            offending.push(mv);
        }
        game.pop();
    }
    offending
}

/// Whether the law, not mate or stalemate, makes `side` lose now.
fn loses(game: &History, rules: Rules, side: Color) -> bool {
    judge(game, rules) == Verdict::Loses(side) && game.current().has_legal_move()
}

/// Whether some position with the side to move of the root has already occurred so often that one more completes a cycle.
fn may_be_completed_by_an_answer(history: &History, law: &Law) -> bool {
    if matches!(law.method, Method::Runs) {
        return false;
    }
    let window = (history.current().halfmove_clock() as usize).min(history.len());
    let keys = &history.keys()[history.len() - window..];
    keys.iter()
        .rev()
        .step_by(2)
        .any(|key| keys.iter().filter(|&other| other == key).count() + 1 >= law.trigger)
}
