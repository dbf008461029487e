//! The game clock of one side.

use std::time::Duration;

use super::config::TimeControl;

/// What is left of a player's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    remaining: Duration,
    moves_left: Option<u32>,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> Self {
        Self { control, remaining: control.base, moves_left: control.moves }
    }

    /// Time left.
    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// Time added after each move.
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves to the next control; `None` = sudden death.
    pub fn moves_left(&self) -> Option<u32> {
        self.moves_left
    }

    /// Counts a move that took `used`. A flag that fell within the margin is forgiven: the clock stands at zero then.
    pub fn press(&mut self, used: Duration) {
        self.remaining = self.remaining.saturating_sub(used) + self.control.increment;
        if let Some(left) = &mut self.moves_left {
            *left -= 1;
            if *left == 0 {
                self.remaining += self.control.base;
                self.moves_left = self.control.moves;
            }
        }
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
        // By hand: 10 - 4 + 1; then 7 - 9 < 0, so 0 + 1, and the control adds 10.
        assert_eq!(press(4), (7, Some(1)));
        assert_eq!(press(9), (11, Some(2)));
        let mut clock = Clock::new("3+0.5".parse().expect("a time control"));
        clock.press(Duration::from_secs(1));
        assert_eq!((clock.remaining(), clock.moves_left()), (Duration::from_millis(2500), None));
    }
}
