//! The blocks of WXF files and boxes, `COMMENT{ ... }END`: anything may be said in them.

use super::stream::earliest;

/// What ends the blocks, and the moves.
pub(super) const END: &str = "}END";
/// What begins a block, at the beginning of a line.
pub(super) const BLOCKS: [&str; 2] = ["COMMENT{", "REMARK{"];
/// What begins the moves.
pub(super) const START: &str = "START{";

/// Blanks that are looked over for what follows a block.
pub(super) const MAX_BLANKS: usize = 1 << 10;

/// Where blocks end. What was looked through is remembered, so that many blocks without an end take one pass over the text.
///
/// A reader may have a part of its text at hand, which begins at `base`.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    ends: Seen,
    moves: Seen,
}

/// What a search came to: from one place to the other there is nothing, and at the other there may be what was found.
#[derive(Debug, Default)]
struct Seen {
    from: usize,
    to: usize,
    is_found: bool,
}

impl Seen {
    /// From where on a search that is to begin at `at` has to look.
    fn rest(&self, at: usize) -> usize {
        if (self.from..=self.to).contains(&at) { self.to } else { at }
    }

    /// The first place from `at` on that `search` finds, which is given the place to look from and reaches up to `limit`. In the
    /// last `overlap` bytes before that a find may begin that is not whole yet.
    fn next(
        &mut self,
        at: usize,
        limit: usize,
        overlap: usize,
        search: impl FnOnce(usize) -> Option<usize>,
    ) -> Option<usize> {
        let rest = self.rest(at);
        if rest == at {
            (self.from, self.is_found) = (at, self.is_found && at == self.to);
        }
        if !self.is_found {
            let found = search(rest);
            self.is_found = found.is_some();
            self.to = found.unwrap_or(limit.saturating_sub(overlap).max(rest));
        }
        self.is_found.then_some(self.to)
    }
}

impl Blocks {
    /// How far the text has been looked through for the end of a block that begins at `at`.
    pub(super) fn searched(&self, at: usize) -> usize {
        self.ends.rest(at)
    }

    /// Where the block ends whose word stands at `at` of the text, which begins at `base`; `None` if that is no beginning of a line,
    /// or the block has lost its end.
    ///
    /// If moves begin in a block, and not right after it, then its end is that of those moves.
    pub(super) fn end(&mut self, text: &[u8], base: usize, at: usize) -> Option<usize> {
        if !is_first_in_line(text, at) {
            return None;
        }
        let limit = base + text.len();
        let end = self.ends.next(base + at, limit, END.len() - 1, |from| {
            Some(from + earliest(&text[from - base..], &[END])?.0)
        })?;
        let end = end - base;
        let moves = self.moves.next(base + at, base + end, 0, |from| {
            Some(base + start_of_numbered_moves(&text[..end], from - base)?)
        });
        let after = end + END.len();
        let following = &text[after..text.len().min(after + MAX_BLANKS)];
        let is_its_own = || {
            let word = following.trim_ascii_start().get(..START.len());
            word.is_some_and(|word| word.eq_ignore_ascii_case(START.as_bytes()))
        };
        (moves.is_none_or(|moves| moves >= base + end) || is_its_own()).then_some(after)
    }
}

/// Where, from `from` on, a `START{` begins a line and a number follows.
fn start_of_numbered_moves(text: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let at = from + earliest(text.get(from..)?, &[START])?.0;
        from = at + START.len();
        let is_number = text[from..].trim_ascii_start().first().is_some_and(u8::is_ascii_digit);
        if is_number && is_first_in_line(text, at) {
            return Some(at);
        }
    }
}

/// Whether a line begins a block.
pub(super) fn begins_block(line: &[u8]) -> bool {
    BLOCKS
        .iter()
        .any(|word| line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes())))
}

/// The text of a whole block.
pub(super) fn inside_block(block: &str) -> &str {
    let body = block.split_once('{').map_or(block, |(_, body)| body);
    body.get(..body.len().saturating_sub(END.len())).unwrap_or_default().trim()
}

/// Whether nothing but blanks stands before a place in its line.
pub(super) fn is_first_in_line(text: &[u8], at: usize) -> bool {
    text[..at].iter().rev().take_while(|&&byte| byte != b'\n').all(u8::is_ascii_whitespace)
}
