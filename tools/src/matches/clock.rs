//! The game clock of one side.

use std::time::Duration;

use super::config::TimeControl;

/// What is left of a player's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    remaining: Duration,
    /// What moves within the margin have taken and the clock has not given yet.
    debt: Duration,
    moves_left: Option<u32>,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> Self {
        Self { control, remaining: control.base, debt: Duration::ZERO, moves_left: control.moves }
    }

    /// Time left.
    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// How far the flag has fallen: that much less of the margin is left.
    pub fn debt(&self) -> Duration {
        self.debt
    }

    /// Time added after each move.
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves to the next control; `None` = sudden death.
    pub fn moves_left(&self) -> Option<u32> {
        self.moves_left
    }

    /// Counts a move that took `used`. What it took within the margin is owed: the margin is there once, not anew for every move.
    pub fn press(&mut self, used: Duration) {
        let mut owned = self.remaining + self.control.increment;
        if let Some(left) = &mut self.moves_left {
            *left -= 1;
            if *left == 0 {
                owned += self.control.base;
                self.moves_left = self.control.moves;
            }
        }
        let spent = used + self.debt;
        (self.remaining, self.debt) = (owned.saturating_sub(spent), spent.saturating_sub(owned));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn increments_and_controls() {
        let mut clock = Clock::new("2/10+1".parse().expect("a time control"));
        let mut press = |seconds| {
            clock.press(Duration::from_secs(seconds));
            (clock.remaining().as_secs(), clock.moves_left())
        };
        // By hand: 10 - 4 + 1; then 7 - 9 + 1, and the control adds 10.
        assert_eq!(press(4), (7, Some(1)));
        assert_eq!(press(9), (9, Some(2)));
        // 0.1 s, and moves of 0.2 s: they owe 0.1 s, 0.3 s, 0.5 s.
        let mut clock = Clock::new("0.1".parse().expect("a time control"));
        let owed = [0; 3].map(|_| {
            clock.press(Duration::from_millis(200));
            (clock.remaining().as_millis(), clock.debt().as_millis())
        });
        assert_eq!(owed, [(0, 100), (0, 300), (0, 500)]);
        let mut clock = Clock::new("3+0.5".parse().expect("a time control"));
        clock.press(Duration::from_secs(1));
        assert_eq!((clock.remaining(), clock.moves_left()), (Duration::from_millis(2500), None));
    }
}
