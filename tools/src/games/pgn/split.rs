//! Cuts a stream of PGN into the texts of single games, in constant memory.

use std::io::{self, BufRead};

/// A game's raw bytes and the line they begin on.
pub(super) struct Piece {
    pub(super) bytes: Vec<u8>,
    pub(super) line: usize,
    /// The game was cut off because it outgrew [`MAX_GAME`].
    pub(super) too_large: bool,
}

/// No real game comes near; more is a damaged or hostile file.
pub(super) const MAX_GAME: usize = 8 << 20;
/// How much is passed over at a time.
const CHUNK: usize = 1 << 16;

/// Iterates over the games of a stream.
///
/// A game begins at a tag line after moves, or at a tag that the game has already: the first of its tags, or any one after a
/// blank line. So games without moves are games too. Tag-like lines inside comments do not count, unless the line before is
/// blank: then a comment has lost its end, and the damage must not spread to the next game. Comments before the first
/// tag belong to no game.
pub(super) struct Pieces<R> {
    input: R,
    /// A line that belongs to the next game.
    held: Option<Vec<u8>>,
    line: usize,
    failed: bool,
    /// In the rest of a game that outgrew all: it is passed over.
    skipping: bool,
}

/// What is known of a game while its lines come.
#[derive(Default)]
struct Seen {
    tags: Vec<Vec<u8>>,
    moves: bool,
    in_comment: bool,
    blank_before: bool,
}

impl Seen {
    /// Whether this tag line begins another game.
    fn ends_at(&self, tag: &[u8]) -> bool {
        if self.in_comment && !self.blank_before {
            return false;
        }
        if self.moves {
            return true;
        }
        let known = self.tags.iter().position(|known| known.eq_ignore_ascii_case(tag));
        known.is_some_and(|index| index == 0 || self.blank_before)
    }
}

impl<R: BufRead> Pieces<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, held: None, line: 0, failed: false, skipping: false }
    }

    /// Goes on to a tag line after a blank one.
    fn skip(&mut self) -> io::Result<()> {
        let mut blank_before = false;
        let mut at_line_start = true;
        while let Some(line) = self.next_line(CHUNK)? {
            let text = line.trim_ascii();
            if at_line_start && blank_before && tag_name(text).is_some() {
                self.held = Some(line);
                break;
            }
            blank_before = at_line_start && text.is_empty();
            at_line_start = line.ends_with(b"\n");
            self.line += usize::from(at_line_start);
        }
        Ok(())
    }

    fn next_line(&mut self, room: usize) -> io::Result<Option<Vec<u8>>> {
        if let Some(held) = self.held.take() {
            return Ok(Some(held));
        }
        let mut line = Vec::new();
        // `take` keeps a file without line feeds from growing the buffer without end.
        let limit = room as u64 + 1;
        io::Read::take(&mut self.input, limit).read_until(b'\n', &mut line)?;
        Ok((!line.is_empty()).then_some(line))
    }
}

impl<R: BufRead> Iterator for Pieces<R> {
    type Item = io::Result<Piece>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        if std::mem::take(&mut self.skipping)
            && let Err(error) = self.skip()
        {
            self.failed = true;
            return Some(Err(error));
        }
        let mut piece = Piece { bytes: Vec::new(), line: self.line + 1, too_large: false };
        let mut seen = Seen::default();
        loop {
            let room = MAX_GAME.saturating_sub(piece.bytes.len());
            if room == 0 {
                piece.too_large = true;
                self.skipping = true;
                return Some(Ok(piece));
            }
            let line = match self.next_line(room) {
                Ok(Some(line)) => line,
                Ok(None) => {
                    let blank = piece.bytes.iter().all(u8::is_ascii_whitespace);
                    return (!blank).then_some(Ok(piece));
                }
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
            };
            let text = line.trim_ascii();
            let tag = tag_name(text);
            if tag.is_some_and(|tag| seen.ends_at(tag)) {
                self.held = Some(line);
                return Some(Ok(piece));
            }
            self.line += usize::from(line.ends_with(b"\n"));
            seen.blank_before = text.is_empty();
            match tag {
                Some(tag) if !seen.in_comment => {
                    if seen.tags.is_empty() {
                        piece.bytes.clear();
                        piece.line = self.line.max(1);
                    }
                    seen.tags.push(tag.to_vec());
                }
                _ => seen.moves |= scan(&line, &mut seen.in_comment),
            }
            if !(piece.bytes.is_empty() && seen.blank_before) {
                if piece.bytes.is_empty() && tag.is_none() {
                    piece.line = self.line.max(1);
                }
                piece.bytes.extend_from_slice(&line);
            }
        }
    }
}

/// The name of a tag line: `[Name "value"]`, or the sloppy `[Name value]`.
pub(in crate::games) fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let body = line.strip_prefix(b"[")?.strip_suffix(b"]")?;
    let name = body.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
    let is_name = name > 0 && body.get(name).is_some_and(|c| c.is_ascii_whitespace() || *c == b'"');
    is_name.then(|| &body[..name])
}

/// Looks at a line that is no tag: is there more than comments, and is one open at its end?
pub(in crate::games) fn scan(line: &[u8], in_comment: &mut bool) -> bool {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.starts_with(b"%") && !*in_comment {
        return false;
    }
    // In GBK and Big5 the second byte of a character may look like a brace.
    let double_byte = std::str::from_utf8(line).is_err();
    let mut has_moves = false;
    let mut index = 0;
    while let Some(&byte) = line.get(index) {
        match byte {
            0x81.. if double_byte => {
                index += 1;
                has_moves |= !*in_comment;
            }
            b'{' => *in_comment = true,
            b'}' => *in_comment = false,
            b';' if !*in_comment => break,
            _ if byte.is_ascii_whitespace() => {}
            _ => has_moves |= !*in_comment,
        }
        index += 1;
    }
    has_moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &[u8]) -> Vec<(usize, usize)> {
        Pieces::new(text)
            .map(|piece| piece.map(|piece| (piece.line, piece.bytes.len())).expect("memory"))
            .collect()
    }

    #[test]
    fn games_begin_at_tags_after_moves() {
        let text =
            b"\n[Event \"a\"]\n[Site \"b\"]\n\n1. h2e2 {c\n[Event \"d\"]\n} *\n\n[Event \"e\"]\n\nh2e2\n";
        let lines: Vec<usize> = split(text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [2, 9]);
        // The comment of the first game has lost its end.
        let text = b"[Event \"a\"]\n\nh2e2 {lost\n\n[Event \"b\"]\n\nh2e2\n";
        assert_eq!(split(text).len(), 2);
        assert_eq!(split(b" \n\n").len(), 0);
    }
}
