//! How long to think: from the clock of a `go` to a soft and a hard limit.
//!
//! The soft limit is where the search should not start another iteration; it may stretch or shorten it with the
//! course of the search, up to the hard limit, at which it stops. Both are counted from `go`, or from `ponderhit`.
//! The overhead (the way of the move to the driver) lies outside both.

use std::time::Duration;

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub time: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` in sudden death.
    pub moves_to_go: Option<u32>,
}

/// Soft and hard limit of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// No new iteration after this; `None` if all of `hard` is to be used.
    pub soft: Option<Duration>,
    /// The search ends at this.
    pub hard: Duration,
}

/// Moves a game is expected to last from its start, per side. Source: the mean of the master games of CCPD is
/// about 40 moves; engine games run longer.
const GAME_MOVES: u32 = 50;
/// Moves always reckoned with in sudden death, however long the game has lasted.
const MIN_MOVES: u32 = 25;
/// The most moves a time control is divided by.
const MAX_MOVES: u32 = 60;
/// Share of the increment that is spent on the move it was given for, per cent.
const INCREMENT_SHARE: u32 = 80;
/// How far a difficult move may stretch its share.
const STRETCH: u32 = 5;
/// Most of the clock that one move of several may take, per cent.
const MAX_SHARE: u32 = 40;
/// So many times the overhead are not planned with while moves are to come: a machine that stands still for that long once, and a clock
/// that has run down to it, lose a game.
const RESERVE: u32 = 3;
/// Most of what is left beyond the overhead that a move may take from that reserve, per cent.
const RESERVE_SHARE: u32 = 10;
/// What thinking on the opponent's time adds to a move's share, per cent.
const PONDER_BONUS: u32 = 20;

/// The limits of a move played on `clock`.
///
/// `moves_played` counts the side's own moves so far. With no time left both limits are zero.
pub fn clock_budget(clock: &Clock, overhead: Duration, moves_played: u32, ponder: bool) -> Budget {
    let moves = clock
        .moves_to_go
        .map_or_else(|| GAME_MOVES.saturating_sub(moves_played).max(MIN_MOVES), |m| m.clamp(1, MAX_MOVES));
    // Every move to come costs its overhead; the last ones are covered by the increment or do not come.
    let reserve = (overhead * moves.min(10)).min(clock.time / 2).max(overhead * moves.min(RESERVE));
    let available = clock.time.saturating_sub(reserve);
    let spare = clock.time.saturating_sub(overhead);
    // One move may take this much and no more.
    let most = if moves == 1 { available } else { percent(available, MAX_SHARE).max(available / moves) };
    let most = most.max(percent(spare, RESERVE_SHARE));

    let share = (available / moves).max(percent(spare, RESERVE_SHARE) / moves)
        + percent(clock.increment, INCREMENT_SHARE);
    let share = if ponder { percent(share, 100 + PONDER_BONUS) } else { share };
    let soft = share.min(most);
    let hard = (share * STRETCH).min(most);
    Budget { soft: Some(soft), hard }
}

/// The limits of a move with a time of its own.
pub fn move_time_budget(time: Duration, overhead: Duration) -> Budget {
    Budget { soft: None, hard: time.saturating_sub(overhead) }
}

/// A clock that counts nodes instead of time: what the driver says of time counts once, at the first move of a game.
///
/// Source: the option `nodestime` of Stockfish, as its documentation and its users have it: so many nodes are a millisecond, and what a
/// search has not used of its share is there for the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NodeClock {
    /// Nodes left; `None` before the first move.
    left: Option<u64>,
}

impl NodeClock {
    /// The clock as this one shows it, in milliseconds of `rate` nodes.
    pub fn read(&mut self, clock: &Clock, rate: u64) -> Clock {
        let left = *self.left.get_or_insert_with(|| nodes_in(clock.time, rate));
        Clock { time: time_of(left, rate), ..*clock }
    }

    /// A move took so many nodes, and the driver adds an increment.
    pub fn press(&mut self, nodes: u64, increment: Duration, rate: u64) {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(nodes).saturating_add(nodes_in(increment, rate));
        }
    }
}

/// Nodes that count as this time.
pub fn nodes_in(time: Duration, rate: u64) -> u64 {
    u64::try_from(time.as_nanos().saturating_mul(rate.into()) / 1_000_000).unwrap_or(u64::MAX)
}

/// The time that these nodes count as.
fn time_of(nodes: u64, rate: u64) -> Duration {
    let nanos = u128::from(nodes) * 1_000_000 / u128::from(rate.max(1));
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

fn percent(time: Duration, share: u32) -> Duration {
    time.saturating_mul(share) / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const OVERHEAD: Duration = Duration::from_millis(30);

    fn clock(time: u32, increment: u32, moves_to_go: Option<u32>) -> Clock {
        Clock { time: MS * time, increment: MS * increment, moves_to_go }
    }

    #[test]
    fn no_time_left_means_at_once() {
        for moves_to_go in [None, Some(0), Some(1), Some(40)] {
            let budget = clock_budget(&clock(0, 0, moves_to_go), OVERHEAD, 10, true);
            assert_eq!(budget, Budget { soft: Some(Duration::ZERO), hard: Duration::ZERO });
        }
        let budget = clock_budget(&clock(20, 100, None), OVERHEAD, 10, false);
        assert_eq!(budget.hard, Duration::ZERO, "the increment comes after the move");
    }

    #[test]
    fn limits_always_leave_the_overhead() {
        for time in [0, 1, 29, 30, 31, 50, 100, 500, 1_000, 10_000, 600_000, 90_000_000] {
            for increment in [0, 1, 10, 1_000, 60_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for played in [0, 10, 500] {
                        let clock = clock(time, increment, moves_to_go);
                        let budget = clock_budget(&clock, OVERHEAD, played, true);
                        assert!(budget.hard <= clock.time.saturating_sub(OVERHEAD), "{clock:?} {budget:?}");
                        assert!(budget.soft <= Some(budget.hard), "{clock:?} {budget:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_short_clock_keeps_its_reserve() {
        let mut left = 200;
        for played in 0..200 {
            let budget = clock_budget(&clock(left, 2, None), OVERHEAD, played, false);
            // The moves of a whole game at their soft limits, and the worst of any of them at its hard one.
            left = left - budget.soft.unwrap_or_default().as_micros().div_ceil(1_000) as u32 + 2;
            let worst = left.saturating_sub(budget.hard.as_millis() as u32);
            assert!(left >= 85 && worst >= 50, "move {played}: {left} ms, {worst} ms at worst, {budget:?}");
        }
    }

    #[test]
    fn huge_clocks_do_not_overflow() {
        let clock = Clock {
            time: Duration::from_millis(u64::MAX),
            increment: Duration::from_millis(u64::MAX),
            moves_to_go: None,
        };
        let budget = clock_budget(&clock, OVERHEAD, 0, true);
        assert!(budget.hard < clock.time);
    }

    #[test]
    fn a_game_of_even_moves_stays_within_its_time() {
        // Every move takes its soft limit and the overhead: after 300 moves the clock has never run out.
        for (time, increment) in [(1_000, 0), (10_000, 100), (60_000, 0), (200, 2)] {
            let mut left = MS * time;
            for played in 0..300 {
                let clock = Clock { time: left, increment: MS * increment, moves_to_go: None };
                let used = clock_budget(&clock, MS * 2, played, false).soft.unwrap_or_default() + MS;
                assert!(used <= left, "move {played}: {used:?} of {left:?}");
                left = left.saturating_sub(used) + MS * increment;
                if left < MS * 3 {
                    break;
                }
            }
        }
    }

    #[test]
    fn a_clock_of_nodes_goes_by_nodes_alone() {
        let mut nodes = NodeClock::default();
        let (start, later) = (clock(1_000, 10, None), clock(3, 10, None));
        assert_eq!(nodes.read(&start, 50), start, "50,000 nodes are a second");
        nodes.press(20_000, MS * 10, 50);
        // By hand: 50,000 - 20,000 + 500 nodes, whatever the driver's clock shows.
        assert_eq!(nodes.read(&later, 50).time, MS * 610);
        nodes.press(99_999, MS * 10, 50);
        assert_eq!(nodes.read(&later, 50).time, MS * 10, "overdrawn: the increment is left");
        assert_eq!(nodes_in(MS * 7, 3), 21);
        assert_eq!(nodes_in(Duration::MAX, u64::MAX), u64::MAX);
        assert_eq!(time_of(u64::MAX, 0), Duration::from_nanos(u64::MAX));
    }

    #[test]
    fn the_last_move_before_the_control_takes_what_is_left() {
        let budget = clock_budget(&clock(10_000, 0, Some(1)), OVERHEAD, 39, false);
        assert_eq!(budget.hard, MS * 9_970);
    }

    #[test]
    fn a_move_time_is_used_up_but_for_the_overhead() {
        assert_eq!(move_time_budget(MS * 1_000, OVERHEAD), Budget { soft: None, hard: MS * 970 });
        assert_eq!(move_time_budget(MS * 10, OVERHEAD).hard, Duration::ZERO);
    }
}
