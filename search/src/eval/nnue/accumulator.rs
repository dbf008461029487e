//! The hidden layer of both views, kept per ply and brought up to date when it is needed.

use super::{
    feature,
    network::{Network, Places, Units},
    simd,
};
use crate::value::Value;
use movegen::{Color, MoveObserver, Piece, Position, Square};

/// What one side sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct View {
    pub(super) units: Units,
    pub(super) places: Places,
}

/// The hidden layer, Red's view and Black's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Accumulator {
    pub(super) views: [View; 2],
}

impl Accumulator {
    /// The accumulator of a position, computed from scratch.
    pub(super) fn of(network: &Network, position: &Position) -> Self {
        let view = |color| {
            let mut view = View { units: network.hidden_biases, places: Places([0; super::BUCKETS]) };
            for square in position.occupied() {
                let Some(piece) = position.piece_at(square) else { continue };
                let input = feature(color, piece, square);
                simd::add(network.path, &mut view.units, &network.hidden_weights[input]);
                for (sum, place) in view.places.0.iter_mut().zip(&network.places[input].0) {
                    *sum += place;
                }
            }
            view
        };
        Self { views: Color::ALL.map(view) }
    }

    /// Makes this the accumulator after `changes` to `before`.
    fn update(&mut self, network: &Network, before: &Self, changes: Changes) {
        let Some((piece, from, to)) = changes.moved else {
            self.clone_from(before);
            return;
        };
        for color in Color::ALL {
            let (view, before) = (&mut self.views[color.index()], &before.views[color.index()]);
            let (add, sub) = (feature(color, piece, to), feature(color, piece, from));
            let weights = &network.hidden_weights;
            let removed = changes.removed.map(|(piece, square)| feature(color, piece, square));
            let gone = removed.map(|input| &weights[input]);
            simd::update(network.path, &mut view.units, &before.units, &weights[add], &weights[sub], gone);
            let places = &network.places;
            for (i, place) in view.places.0.iter_mut().enumerate() {
                let gone = removed.map_or(0, |input| places[input].0[i]);
                *place = before.places.0[i] + places[add].0[i] - places[sub].0[i] - gone;
            }
        }
    }
}

/// What a move changed; nothing for a null move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Changes {
    moved: Option<(Piece, Square, Square)>,
    removed: Option<(Piece, Square)>,
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
    current: bool,
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
        let root = Entry { accumulator, changes: Changes::default(), current: true };
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
            self.entries.push(Entry { accumulator, changes, current: false });
        } else {
            let entry = &mut self.entries[self.top];
            entry.changes = changes;
            entry.current = false;
        }
    }

    /// Forgets the last move.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.top -= 1;
    }

    /// The value of the current position, which must be the one all moves lead to.
    pub(crate) fn evaluate(&mut self, position: &Position) -> Value {
        let first = self.entries[..=self.top].iter().rposition(|entry| entry.current).unwrap_or(0);
        for i in first + 1..=self.top {
            let (before, rest) = self.entries.split_at_mut(i);
            let entry = &mut rest[0];
            entry.accumulator.update(self.network, &before[i - 1].accumulator, entry.changes);
            entry.current = true;
        }
        let accumulator = &self.entries[self.top].accumulator;
        debug_assert!(*accumulator == Accumulator::of(self.network, position), "a stale accumulator");
        self.network.output(accumulator, position.side_to_move(), position.occupied().count() as usize)
    }
}
