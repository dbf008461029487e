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

/// Iterates over the games of a stream.
///
/// A game begins at a tag line after moves. Tag-like lines inside comments do not count, unless the line before is blank:
/// then a comment has lost its end, and the damage must not spread to the next game.
pub(super) struct Pieces<R> {
    input: R,
    /// A line that belongs to the next game.
    held: Option<Vec<u8>>,
    line: usize,
}

impl<R: BufRead> Pieces<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, held: None, line: 0 }
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
        let mut piece = Piece { bytes: Vec::new(), line: self.line + 1, too_large: false };
        let (mut moves_seen, mut in_comment, mut last_blank) = (false, false, false);
        loop {
            let room = MAX_GAME.saturating_sub(piece.bytes.len());
            if room == 0 {
                piece.too_large = true;
                return Some(Ok(piece));
            }
            let line = match self.next_line(room) {
                Ok(Some(line)) => line,
                Ok(None) => {
                    let blank = piece.bytes.iter().all(u8::is_ascii_whitespace);
                    return (!blank).then_some(Ok(piece));
                }
                Err(error) => return Some(Err(error)),
            };
            let text = line.trim_ascii();
            if is_tag(text) && moves_seen && (!in_comment || last_blank) {
                self.held = Some(line);
                return Some(Ok(piece));
            }
            self.line += usize::from(line.ends_with(b"\n"));
            last_blank = text.is_empty();
            if !is_tag(text) || in_comment {
                moves_seen |= !text.is_empty() && text != b"\xef\xbb\xbf";
                in_comment = comment_after(&line, in_comment);
            }
            if piece.bytes.is_empty() {
                if last_blank {
                    piece.line = self.line + 1;
                    continue;
                }
                piece.bytes = line;
            } else {
                piece.bytes.extend_from_slice(&line);
            }
        }
    }
}

/// `[Name "value"]`, or the sloppy `[Name value]`.
pub(super) fn is_tag(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let Some(body) = line.strip_prefix(b"[").and_then(|body| body.strip_suffix(b"]")) else { return false };
    let name = body.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
    name > 0 && body.get(name).is_some_and(|c| c.is_ascii_whitespace() || *c == b'"')
}

/// Whether a brace comment is open at the end of the line.
fn comment_after(line: &[u8], mut open: bool) -> bool {
    // In GBK and Big5 the second byte of a character may look like a brace.
    let double_byte = std::str::from_utf8(line).is_err();
    let mut index = 0;
    while let Some(&byte) = line.get(index) {
        match byte {
            0x81.. if double_byte => index += 1,
            b'{' => open = true,
            b'}' => open = false,
            b';' if !open => return false,
            _ => {}
        }
        index += 1;
    }
    open
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
