//! How far the searches of the Chinese rules look.

/// The bounds of one classification.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Most checks of a mate.
    pub(super) mate: u8,
    /// Plies of a gain, the threatened move not counted.
    pub(super) plies: u8,
    /// Quiet checks of the side that gains, and of the other side.
    pub(super) our_checks: u8,
    pub(super) their_checks: u8,
    /// Positions looked at for one move of the game.
    pub(super) nodes: u64,
}

impl Bounds {
    /// What the referee uses. Source: rules.md 3.4.3 and 3.4.9, fitted there to the published figures; the mates are as
    /// long as is still cheap, since the rule knows no bound (figure 17 needs 7).
    pub(super) const REFEREE: Self =
        Self { mate: 8, plies: 12, our_checks: 2, their_checks: 3, nodes: 2_000_000 };

    /// What the search uses next to its root. Source: rules.md 3.4.9; the budget keeps it below a millisecond or so.
    pub(super) const NEAR_ROOT: Self =
        Self { mate: 4, plies: 6, our_checks: 1, their_checks: 1, nodes: 20_000 };
}

/// The positions a search may still look at.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
    exhausted: bool,
}

impl Budget {
    pub(super) fn new(nodes: u64) -> Self {
        Self { left: nodes, exhausted: false }
    }

    /// Whether one more position may be looked at. A search that gets `false` has failed.
    pub(super) fn spend(&mut self) -> bool {
        self.exhausted |= self.left == 0;
        self.left = self.left.saturating_sub(1);
        !self.exhausted
    }

    /// Whether a search was cut short.
    pub(super) fn is_exhausted(&self) -> bool {
        self.exhausted
    }
}
