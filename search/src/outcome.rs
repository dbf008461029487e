//! What the threads of a search have found, and which of them speaks for all.

use crate::{
    report::SearchResult,
    value::{INFINITE, NONE, Value, to_score},
    worker::Worker,
};
use movegen::{Move, Position};
use std::collections::HashMap;

/// What a thread found.
pub(crate) struct Outcome {
    value: Value,
    /// Of the last finished iteration.
    depth: u32,
    pv: Vec<Move>,
}

impl Outcome {
    /// What a thread has to say by now.
    pub(crate) fn of(worker: &Worker) -> Self {
        let root = &worker.root_moves[0];
        let value = match (root.value, root.previous) {
            (value, _) if value != NONE && value != -INFINITE => value,
            (_, previous) if previous != -INFINITE => previous,
            _ => 0,
        };
        Self { value, depth: worker.completed, pv: root.pv.clone() }
    }

    /// As a search that began at `root` and took so many nodes reports it.
    pub(crate) fn result(self, root: &Position, nodes: u64) -> SearchResult {
        let best = self.pv.first().copied();
        let answer = best.zip(self.pv.get(1).copied());
        SearchResult {
            best,
            ponder: answer.and_then(|(best, reply)| root.play(best).is_legal(reply).then_some(reply)),
            score: to_score(self.value),
            value: self.value,
            depth: self.depth,
            nodes,
            pv: self.pv,
        }
    }
}

/// Which thread's result counts: the threads vote for moves with weights that grow with depth and score (an idea of
/// Stockfish's), and of those that found the elected move the most convincing one speaks.
pub(crate) fn vote(outcomes: &[Outcome]) -> usize {
    let worst = outcomes.iter().map(|outcome| outcome.value).min().unwrap_or(0);
    let weight = |outcome: &Outcome| i64::from(outcome.value - worst + 20) * i64::from(outcome.depth);
    let mut votes: HashMap<Option<&Move>, i64> = HashMap::new();
    for outcome in outcomes {
        *votes.entry(outcome.pv.first()).or_default() += weight(outcome);
    }
    let rank = |i: &usize| {
        let outcome = &outcomes[*i];
        // Of equals the lowest thread, so that one thread alone is always chosen.
        (votes[&outcome.pv.first()], weight(outcome), core::cmp::Reverse(*i))
    };
    (0..outcomes.len()).max_by_key(rank).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(mv: &str, value: Value, depth: u32) -> Outcome {
        Outcome { value, depth, pv: vec![mv.parse().expect("a move")] }
    }

    /// By hand, a vote being (value - worst + 20) x depth.
    #[test]
    fn the_move_with_most_votes_is_played_by_its_best_thread() {
        // 200 against 180 + 200: two threads outvote one that is as deep.
        let outcomes = [outcome("h2e2", 0, 10), outcome("b2e2", 0, 9), outcome("b2e2", 0, 10)];
        assert_eq!(vote(&outcomes), 2);
        // 1200 against 200 + 200.
        let outcomes = [outcome("b2e2", 0, 10), outcome("h2e2", 100, 10), outcome("b2e2", 0, 10)];
        assert_eq!(vote(&outcomes), 1);
        // A thread that has finished nothing has no vote, and of equals the first counts.
        assert_eq!(vote(&[outcome("h2e2", 0, 0), outcome("b2e2", -50, 3)]), 1);
        assert_eq!(vote(&[outcome("h2e2", 7, 5), outcome("h2e2", 7, 5)]), 0);
    }
}
