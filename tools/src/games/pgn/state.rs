//! Where the lines of PGN lead: into a comment, behind moves, behind a result. The splitter and the reader of texts that mix
//! formats both ask here, so that they agree.

use std::io::{self, BufRead};

use super::tags::{self, Head};
use crate::games::game::Outcome;
use crate::games::stream::Ahead;

/// How far the end of a comment is looked for.
const REACH: usize = 1 << 16;

/// What is known while the lines of a game, or of many, go by.
#[derive(Debug, Default)]
pub(in crate::games) struct State {
    comment: Option<Comment>,
    blank_before: bool,
    has_tags: bool,
    moves: Moves,
    /// Variations that are open.
    depth: usize,
}

/// How far the moves of a game are, or what else is no tag or comment.
#[derive(Debug, Default, PartialEq, Eq)]
enum Moves {
    #[default]
    None,
    Open,
    /// Nothing but comments has followed a result.
    Finished,
}

/// A comment that is open. Each begins with nothing known of it.
#[derive(Debug, Default)]
struct Comment {
    /// Whether its end was seen ahead, once it has been looked for.
    has_end: Option<bool>,
}

impl State {
    pub(in crate::games) fn in_comment(&self) -> bool {
        self.comment.is_some()
    }

    /// Whether the line before was blank.
    pub(super) fn blank_before(&self) -> bool {
        self.blank_before
    }

    /// Whether moves, or something else that is no tag or comment, have gone by.
    pub(super) fn has_moves(&self) -> bool {
        self.moves != Moves::None
    }

    /// Whether moves have gone by that have no result yet.
    pub(super) fn is_in_moves(&self) -> bool {
        self.moves == Moves::Open
    }

    /// Whether a line in braces may be something else than a comment: behind a result, or, where moves were typed by hand, which
    /// need none, behind a blank line.
    pub(in crate::games) fn may_have_ended(&self) -> bool {
        self.moves == Moves::Finished || (self.blank_before && !self.has_tags)
    }

    /// Whether the comment that is open has lost its end before this tag line, which `ahead` follows. Then it is open no more.
    ///
    /// Not unless a blank line stands before it. Nor at a tag, if the end of the comment stands on its line. Then what follows the
    /// tags decides: braces do not nest, so that one which opens is of another game. Nor is an end waited for in vain: one that is
    /// further off than [`REACH`] does not count.
    pub(in crate::games) fn loses_comment_at<R: BufRead>(
        &mut self,
        line: &[u8],
        ahead: &mut Ahead<R>,
    ) -> io::Result<bool> {
        let Some(comment) = self.comment.as_mut().filter(|_| self.blank_before) else { return Ok(false) };
        let first_brace = |line: &[u8]| {
            let plain = tags::plain(line);
            let rest = &plain[tags::head(&plain, false).after_tags()..];
            rest.iter().copied().find(|byte| matches!(byte, b'{' | b'}'))
        };
        if first_brace(line) == Some(b'}') {
            return Ok(false);
        }
        // Looked for once, so that many such lines take no more time than others.
        let has_end = if let Some(known) = comment.has_end {
            known
        } else {
            let mut braces = ahead.peek(REACH)?.split(|&byte| byte == b'\n').filter_map(first_brace);
            braces.next() == Some(b'}')
        };
        comment.has_end = Some(has_end);
        if !has_end {
            self.comment = None;
        }
        Ok(!has_end)
    }

    /// Goes past a line, or past a piece of one, that `is_start` of its line.
    pub(in crate::games) fn pass_piece(&mut self, line: &[u8], is_start: bool) {
        let plain = tags::plain(line);
        let mut rest = plain.trim_ascii_end();
        loop {
            rest = &rest[self.pass(rest, &tags::head(rest, self.in_comment()))..];
            if rest.is_empty() {
                break;
            }
        }
        self.blank_before &= is_start;
    }

    /// Goes past a plain line, the head of which was read inside the comment that is open, if one is, up to a tag behind a result,
    /// which begins another game; says how far.
    pub(super) fn pass(&mut self, plain: &[u8], head: &Head) -> usize {
        self.blank_before = plain.trim_ascii().is_empty();
        // Behind a result the comment that goes on is of this game, a tag behind it of the next.
        let next = head.tags().next().filter(|_| self.moves == Moves::Finished && head.goes_on());
        if let Some(next) = next {
            self.comment = None;
            return next.place.start;
        }
        let goes_on = self.in_comment() && head.is_open && head.parts.len() == 1;
        if !goes_on {
            self.comment = head.is_open.then(Comment::default);
        }
        if head.tags().next().is_some() {
            (self.has_tags, self.depth) = (true, 0);
            if self.moves == Moves::Finished {
                self.moves = Moves::Open;
            }
        }
        // Nothing follows a tag that has lost its end.
        if head.open_tag().is_some() { plain.len() } else { self.pass_moves(plain, head.end) }
    }

    fn pass_moves(&mut self, plain: &[u8], mut at: usize) -> usize {
        while let Some(first) = plain.get(at) {
            let rest = &plain[at..];
            let stars = rest.iter().take_while(|&&byte| byte == b'*').count();
            let mut length = stars.max(1);
            if self.in_comment() {
                let Some(end) = rest.iter().position(|&byte| byte == b'}') else { return plain.len() };
                self.comment = None;
                length = end + 1;
            } else if matches!(first, b'{') {
                self.comment = Some(Comment::default());
            } else if matches!(first, b';') {
                return plain.len();
            } else if self.moves == Moves::Finished && tags::begins_behind_moves(plain, at) {
                return at;
            } else if !(first.is_ascii_whitespace() || matches!(first, b'}')) {
                if !matches!(first, b'(' | b')') {
                    length = rest
                        .iter()
                        .skip(length)
                        .position(|&c| ends_word(c))
                        .map_or(rest.len(), |n| n + length);
                }
                self.pass_word(&rest[..length]);
            }
            at += length;
        }
        plain.len()
    }

    fn pass_word(&mut self, word: &[u8]) {
        match word {
            b"(" => self.depth += 1,
            b")" => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        // A line of signs may stand between games.
        let is_rule = !matches!(word, [b'(' | b')' | b'$', ..]) && word.iter().all(u8::is_ascii_punctuation);
        let is_end = (is_result(word) && self.depth == 0) || (self.moves == Moves::Finished && is_rule);
        self.moves = if is_end { Moves::Finished } else { Moves::Open };
    }
}

fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'(' | b')' | b'[' | b';' | b'$' | b'*')
}

/// Whether a word is a result, as among the moves.
fn is_result(word: &[u8]) -> bool {
    // Quickly: no move and no number is one.
    let is_move = word.first().is_some_and(u8::is_ascii_alphabetic) && word.iter().any(u8::is_ascii_digit);
    !is_move
        && !word.ends_with(b".")
        && (word.len() > 1 || word == b"*")
        && std::str::from_utf8(word).is_ok_and(|word| Outcome::from_word(word).is_some())
}
