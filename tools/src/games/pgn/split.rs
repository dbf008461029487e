//! Cuts a stream of PGN into the texts of single games, in constant memory.

use std::io::{self, BufRead};

use super::state::State;
use super::tags::{self, Head, Spread};
use crate::games::encoding;
use crate::games::stream::{Ahead, MAX_GAME};

/// A game's raw bytes and the line they begin on.
pub(super) struct Piece {
    pub(super) bytes: Vec<u8>,
    pub(super) line: usize,
    /// And their first column.
    pub(super) column: usize,
    /// The game was cut off because it outgrew [`MAX_GAME`].
    pub(super) too_large: bool,
}

/// How much is passed over, or looked at ahead, at a time.
const CHUNK: usize = 1 << 16;

/// Of more tags than any real game has the later ones are not known again.
const MAX_KNOWN_TAGS: usize = 100;

/// Iterates over the games of a stream.
///
/// A game begins at a tag line after moves, at a tag behind a result on its line, or at a tag that the game has already: the first
/// of its tags, or any one after a blank line. So games without moves are games too. Tag-like lines inside comments do not count,
/// unless the comment has lost its end ([`State::loses_comment_at`]): the damage must not spread to the next game. Comments before
/// the first tag belong to its game.
pub(super) struct Pieces<R> {
    input: Ahead<R>,
    /// A line that belongs to the next game, or the rest of one.
    held: Option<Line>,
    line: usize,
    failed: bool,
    /// In the rest of a game that outgrew all: it is passed over.
    skipping: bool,
}

/// A line, with those that its last tag is spread over, and as much of it as belongs to games before.
struct Line {
    bytes: Vec<u8>,
    /// As [`tags::plain`] has it, without the blanks at its end.
    plain: Vec<u8>,
    taken: usize,
    /// Of what is not taken.
    column: usize,
}

impl Line {
    fn new(bytes: &[u8]) -> Self {
        let mut line = Self { bytes: Vec::new(), plain: Vec::new(), taken: 0, column: 1 };
        line.extend(bytes);
        line
    }

    fn extend(&mut self, bytes: &[u8]) {
        self.plain.resize(self.bytes.len(), b'\n');
        self.plain.extend_from_slice(&tags::plain(bytes));
        self.plain.truncate(self.plain.trim_ascii_end().len());
        self.bytes.extend_from_slice(bytes);
    }

    /// What has not been taken.
    fn rest(&self) -> &[u8] {
        self.plain.get(self.taken..).unwrap_or_default()
    }

    fn take(&mut self, length: usize) -> &[u8] {
        let end = self.taken + length;
        let goes_on = end < self.plain.len();
        let taken = &self.bytes[self.taken..if goes_on { end } else { self.bytes.len() }];
        self.taken += taken.len();
        if goes_on {
            let last = taken.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
            self.column = if last.len() < taken.len() { 1 } else { self.column };
            self.column += encoding::decode(last).chars().count();
        }
        taken
    }
}

/// How many lines end in a text.
fn lines(text: &[u8]) -> usize {
    text.split(|&byte| byte == b'\n').count() - 1
}

/// What is known of a game while its lines come.
#[derive(Default)]
struct Seen {
    tags: Vec<Vec<u8>>,
    state: State,
    /// In the value of a tag that has lost its end.
    in_tag: bool,
}

impl Seen {
    /// Whether this line, which begins with this tag, begins another game.
    fn ends_at<R: BufRead>(&mut self, tag: &[u8], line: &[u8], ahead: &mut Ahead<R>) -> io::Result<bool> {
        if self.state.in_comment() {
            let is_lost = self.state.loses_comment_at(line, ahead)?;
            // One that is lost before all tags is of no game.
            if !is_lost || self.tags.is_empty() {
                return Ok(is_lost);
            }
        }
        if self.state.has_moves() {
            return Ok(true);
        }
        let known = self.tags.iter().position(|known| known.eq_ignore_ascii_case(tag));
        Ok(known.is_some_and(|index| index == 0 || self.state.blank_before()))
    }

    /// Whether a line is the rest of the value of a tag, which ends at a blank line or another tag.
    fn goes_on_with_tag(&mut self, text: &[u8], head: &Head) -> bool {
        let is_open = !self.state.in_comment() && head.open_tag().is_some();
        let goes_on = self.in_tag && !text.is_empty() && head.first_tag().is_none();
        self.in_tag = is_open || (goes_on && !text.ends_with(b"\"]"));
        goes_on
    }

    /// Goes past a line up to the next game on it.
    fn pass(&mut self, plain: &[u8], head: &Head) -> usize {
        if !self.state.has_moves() {
            for tag in head.tags().take(MAX_KNOWN_TAGS - self.tags.len()) {
                self.tags.push(plain[tag.name.clone()].to_vec());
            }
        }
        if self.goes_on_with_tag(plain.trim_ascii(), head) {
            plain.len()
        } else {
            self.state.pass(plain, head)
        }
    }
}

impl<R: BufRead> Pieces<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input: Ahead::new(input), held: None, line: 0, failed: false, skipping: false }
    }

    /// Goes on to a tag line after a blank one.
    fn skip(&mut self) -> io::Result<()> {
        let mut blank_before = false;
        let mut at_line_start = true;
        while let Some(line) = self.next_line(CHUNK)? {
            let begins = |head: Head| head.first_tag().is_some_and(|tag| tag.value.is_some());
            if at_line_start && blank_before && begins(tags::head(&line.plain, false)) {
                self.held = Some(line);
                break;
            }
            blank_before = at_line_start && line.plain.trim_ascii().is_empty();
            at_line_start = line.bytes.ends_with(b"\n");
            self.line += usize::from(at_line_start);
        }
        Ok(())
    }

    /// What a line begins with. If its last tag is well-formed but for the lines it is spread over, then they join the line.
    fn head(&mut self, line: &mut Line, in_comment: bool) -> io::Result<Head> {
        let head = tags::head(line.rest(), in_comment);
        let Some(mut at) = head.open_tag().map(|tag| line.taken + tag.place.start) else { return Ok(head) };
        let mut is_joined = false;
        while let Some(length) = self.rest_of_tag(line, at)? {
            is_joined = true;
            let end = line.bytes.len() + length;
            while line.bytes.len() < end || !line.bytes.ends_with(b"\n") {
                let mut more = Vec::new();
                io::Read::take(&mut self.input, MAX_GAME as u64).read_until(b'\n', &mut more)?;
                if more.is_empty() {
                    break;
                }
                line.extend(&more);
            }
            let Some(next) = tags::head(&line.plain[at..], false).open_tag().map(|tag| tag.place.start)
            else {
                break;
            };
            at += next;
        }
        Ok(if is_joined { tags::head(line.rest(), in_comment) } else { head })
    }

    /// How much of what follows a line belongs to the tag that begins in it, if that is well-formed but for the lines it is spread
    /// over.
    fn rest_of_tag(&mut self, line: &Line, at: usize) -> io::Result<Option<usize>> {
        if !line.bytes.ends_with(b"\n") {
            return Ok(None);
        }
        // Little at first, so that many such tags take no more time than others.
        let mut reach = 1 << 8;
        loop {
            let ahead = self.input.peek(reach)?;
            let is_all = ahead.len() < reach || reach >= CHUNK;
            let text = [&line.plain[at..], b"\n", &tags::plain(ahead)].concat();
            match tags::spread(&text) {
                Spread::Whole(tag) => {
                    return Ok(Some((at + tag.place.end).saturating_sub(line.plain.len() + 1)));
                }
                Spread::Open if !is_all => reach *= 4,
                Spread::Open | Spread::Not => return Ok(None),
            }
        }
    }

    fn next_line(&mut self, room: usize) -> io::Result<Option<Line>> {
        if let Some(held) = self.held.take() {
            return Ok(Some(held));
        }
        let mut line = Vec::new();
        // `take` keeps a file without line feeds from growing the buffer without end.
        let limit = room as u64 + 1;
        io::Read::take(&mut self.input, limit).read_until(b'\n', &mut line)?;
        Ok((!line.is_empty()).then(|| Line::new(&line)))
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
        let mut piece = Piece { bytes: Vec::new(), line: self.line + 1, column: 1, too_large: false };
        let mut seen = Seen::default();
        loop {
            let room = MAX_GAME.saturating_sub(piece.bytes.len());
            if room == 0 {
                piece.too_large = true;
                self.skipping = true;
                return Some(Ok(piece));
            }
            let mut line = match self.next_line(room) {
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
            let was_in_comment = seen.state.in_comment();
            let mut head = match self.head(&mut line, was_in_comment) {
                Ok(head) => head,
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
            };
            let plain = line.rest();
            let lost;
            let tag = if was_in_comment {
                lost = tags::head(plain, false);
                lost.first_tag()
            } else {
                head.first_tag_of_game(seen.state.is_in_moves())
            };
            let tag = tag.map(|tag| plain[tag.name.clone()].to_vec());
            match tag.as_deref().map(|tag| seen.ends_at(tag, &line.bytes[line.taken..], &mut self.input)) {
                Some(Ok(true)) => {
                    self.held = Some(line);
                    return Some(Ok(piece));
                }
                Some(Err(error)) => {
                    self.failed = true;
                    return Some(Err(error));
                }
                Some(Ok(false)) | None => {}
            }
            if was_in_comment && !seen.state.in_comment() {
                head = tags::head(plain, false);
            }
            let length = seen.pass(plain, &head);
            if piece.bytes.is_empty() {
                (piece.line, piece.column) = (self.line + 1, line.column);
            }
            let is_before = piece.bytes.is_empty() && seen.state.blank_before();
            let taken = line.take(length);
            self.line += lines(taken);
            if !is_before {
                piece.bytes.extend_from_slice(taken);
            }
            self.held = Some(line).filter(|line| line.taken < line.bytes.len());
        }
    }
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
        assert_eq!(split(b" \n\n").len(), 0);
    }

    #[test]
    fn a_tag_in_a_comment_begins_no_game_unless_the_comment_has_no_end() {
        let far = "x ".repeat(CHUNK / 2);
        // Twice, so that the next comment is looked at afresh.
        for (comment, games) in [
            ("{as in\n\n[Event \"x\"]\n\n[Site \"y\"]\n1. h2e2\n\n[Event \"z\"]\nand so on}", 1),
            ("{said\n\n[Event \"x\"]\n\nof a {nested}", 2),
            ("{lost\n\n[Event \"x\"]\n\nh2e2 *", 2),
            ("{lost\n\n[Event \"x } y\"]\n\nh2e2 {whole} *", 2),
            (&format!("{{lost\n\n[Event \"x\"]\n\n{far}}}"), 2),
        ] {
            let game = format!("[Event \"a\"]\n\n1. h2e2 {comment} h9g7 *\n\n");
            assert_eq!(split(game.repeat(2).as_bytes()).len(), 2 * games, "{game:.80}");
        }
        // The second byte of the first character is a closing brace.
        let text = b"[Event \"a\"]\n\nh2e2 {lost\n\n[Event \"b\"]\n\n\xa5\x7d {whole} h2e2\n";
        assert_eq!(split(text).len(), 2);
    }

    /// Looking ahead from each of them would take hours.
    #[test]
    fn many_tags_in_an_open_comment_are_one_game() {
        let tags: Vec<String> = (0..400_000).map(|number| format!("\n\n[A{number} \"b\"]")).collect();
        let tags = tags.concat();
        // With and without an end within reach, among the moves and before them.
        for text in [format!("h2e2 {{{}}}", &tags[..40_000]), format!("{{{}", &tags[..4_000_000])] {
            assert_eq!(split(format!("[Event \"a\"]\n\n{text}").as_bytes()).len(), 1);
        }
    }
}
