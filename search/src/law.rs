//! What the repetition law and the move counts say of a line in the tree.

use crate::{
    tree::Tree,
    value::{DRAW, LAW, LIKELY, Value},
};
use movegen::rules::{self, Rules, SearchVerdict};

/// The score of the current position if the law ends the game here, from the side to move's view; `None` if it goes on.
///
/// Wins and losses by the law belong to the path, not to the position; they have bands of their own
/// ([`crate::value::is_by_law`]), never look like mates and never enter the table.
#[inline]
pub(crate) fn judge(tree: &Tree, rules: Rules, ply: usize) -> Option<Value> {
    let verdict = rules::judge_in_search(tree.history(), tree.root(), rules)?;
    Some(match verdict {
        SearchVerdict::Draw => DRAW,
        SearchVerdict::Win => LAW - ply as Value,
        SearchVerdict::Loss => ply as Value - LAW,
        SearchVerdict::LikelyWin => LIKELY - ply as Value,
        SearchVerdict::LikelyLoss => ply as Value - LIKELY,
    })
}
