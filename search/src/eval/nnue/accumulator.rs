//! The hidden layer of both views, kept per ply and brought up to date when it is needed.

use super::{
    BUCKETS, Outlook,
    network::{Network, Places, Units},
    simd,
};
use crate::value::Value;
use movegen::{Color, MoveObserver, Piece, PieceKind, Position, Square};

/// What one side sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct View {
    pub(super) units: Units,
    pub(super) places: Places,
    outlook: Outlook,
}

impl View {
    /// What `color` sees of a position, computed from scratch.
    fn of(network: &Network, color: Color, position: &Position) -> Self {
        let outlook = Outlook::of(color, position);
        let mut view = Self { units: network.hidden_biases, places: Places([0; BUCKETS]), outlook };
        for input in outlook.inputs(position) {
            simd::add(network.path, &mut view.units, &network.hidden_weights[input]);
            for (sum, place) in view.places.0.iter_mut().zip(&network.places[input].0) {
                *sum += place;
            }
        }
        view
    }

    /// Makes this the view after `changes` to `before`, in which the own king has not moved.
    fn update(&mut self, network: &Network, before: &Self, changes: Changes) {
        let Some((piece, from, to)) = changes.moved else {
            self.clone_from(before);
            return;
        };
        let outlook = before.outlook;
        self.outlook = outlook;
        let (add, sub) = (outlook.input(piece, to), outlook.input(piece, from));
        let removed = changes.removed.map(|(piece, square)| outlook.input(piece, square));
        let weights = &network.hidden_weights;
        let gone = removed.map(|input| &weights[input]);
        simd::update(network.path, &mut self.units, &before.units, &weights[add], &weights[sub], gone);
        let places = &network.places;
        for (i, place) in self.places.0.iter_mut().enumerate() {
            let gone = removed.map_or(0, |input| places[input].0[i]);
            *place = before.places.0[i] + places[add].0[i] - places[sub].0[i] - gone;
        }
    }
}

/// The hidden layer, Red's view and Black's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Accumulator {
    pub(super) views: [View; 2],
}

impl Accumulator {
    /// The accumulator of a position, computed from scratch.
    pub(super) fn of(network: &Network, position: &Position) -> Self {
        Self { views: Color::ALL.map(|color| View::of(network, color, position)) }
    }
}

/// What a move changed; nothing for a null move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Changes {
    moved: Option<(Piece, Square, Square)>,
    removed: Option<(Piece, Square)>,
}

impl Changes {
    /// Whether it was the king of `color` that moved: its view has other rows now.
    fn turns(self, color: Color) -> bool {
        self.moved.is_some_and(|(piece, ..)| piece == Piece::new(color, PieceKind::King))
    }
}

impl MoveObserver for Changes {
    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.moved = Some((piece, from, to));
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed = Some((piece, square));
    }
}

#[derive(Clone, Debug)]
struct Entry {
    accumulator: Accumulator,
    changes: Changes,
    /// Which views are up to date.
    current: [bool; 2],
}

/// One accumulator a ply from the root of a search on.
#[derive(Clone, Debug)]
pub(crate) struct Accumulators<'a> {
    network: &'a Network,
    /// Entries beyond `top` are kept for their memory.
    entries: Vec<Entry>,
    top: usize,
}

impl<'a> Accumulators<'a> {
    /// A stack that begins with this position.
    pub(crate) fn new(network: &'a Network, position: &Position) -> Self {
        let accumulator = Accumulator::of(network, position);
        let root = Entry { accumulator, changes: Changes::default(), current: [true; 2] };
        let mut entries = Vec::with_capacity(48);
        entries.push(root);
        Self { network, entries, top: 0 }
    }

    /// Notes a move.
    #[inline]
    pub(crate) fn push(&mut self, changes: Changes) {
        self.top += 1;
        if self.top == self.entries.len() {
            let accumulator = self.entries[0].accumulator.clone();
            self.entries.push(Entry { accumulator, changes, current: [false; 2] });
        } else {
            let entry = &mut self.entries[self.top];
            entry.changes = changes;
            entry.current = [false; 2];
        }
    }

    /// Forgets the last move.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.top -= 1;
    }

    /// The value of the current position, which must be the one all moves lead to.
    pub(crate) fn evaluate(&mut self, position: &Position) -> Value {
        for color in Color::ALL {
            self.refresh(color, position);
        }
        let accumulator = &self.entries[self.top].accumulator;
        debug_assert!(*accumulator == Accumulator::of(self.network, position), "a stale accumulator");
        self.network.output(accumulator, position)
    }

    /// Brings one view of the top entry up to date: from the last entry where it is, or from scratch if its king has moved since.
    fn refresh(&mut self, color: Color, position: &Position) {
        let (network, side) = (self.network, color.index());
        let mut from = self.top;
        while !self.entries[from].current[side] {
            if self.entries[from].changes.turns(color) {
                let entry = &mut self.entries[self.top];
                entry.accumulator.views[side] = View::of(network, color, position);
                entry.current[side] = true;
                return;
            }
            from -= 1;
        }
        for i in from + 1..=self.top {
            let (before, rest) = self.entries.split_at_mut(i);
            let (before, entry) = (&before[i - 1].accumulator.views[side], &mut rest[0]);
            entry.accumulator.views[side].update(network, before, entry.changes);
            entry.current[side] = true;
        }
    }
}
