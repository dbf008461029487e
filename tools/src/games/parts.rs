//! Texts that mix formats, such as a `[DhtmlXQ]` block before PGN games: cut where a line begins another format, and read part by
//! part.
//!
//! Inside a comment, a block or a box nothing begins: anything may be said there. A page, whose first line begins with `<`, is not cut;
//! `markup` finds its sections.

use std::cell::RefCell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

use super::blocks;
use super::encoding::Guess;
use super::error::{GameError, Place, Problem, Warning};
use super::format::Format;
use super::game::Game;
use super::pgn;
use super::read::{self, Games, ReadOptions};
use super::replay;
use super::stream::{Ahead, TextInput, earliest};
use super::wxf;

/// How much of a line is passed on at a time.
const CHUNK: u64 = 1 << 16;

/// The games of a text that begins in `first`.
pub(super) fn games<R: BufRead + 'static>(
    input: TextInput<R>,
    first: Format,
    guess: Guess,
    options: ReadOptions,
    open_first: impl FnOnce(Part<R>) -> Games,
) -> impl Iterator<Item = Result<Game, GameError>> {
    let source = Rc::new(RefCell::new(Source::new(input, first)));
    let mut part = open_first(Part::new(&source));
    let (mut games, mut before) = (0, 0);
    // A word such as RED may begin a line of prose. Behind PGN that is told, as all is that is none.
    let mut is_certain = true;
    std::iter::from_fn(move || {
        loop {
            match part.next() {
                Some(Err(error)) if !is_certain && matches!(error.problem, Problem::NotThisFormat(_)) => {}
                Some(read) => {
                    games += 1;
                    return Some(shift(read, games, before));
                }
                None => {
                    let is_pgn = source.borrow().format == Format::Pgn;
                    let format = source.borrow_mut().resume()?;
                    before = source.borrow().lines;
                    is_certain = is_pgn || format != Format::Wxf || source.borrow().is_certain_head();
                    part = read::open(Part::new(&source), format, guess.clone(), options);
                }
            }
        }
    })
}

/// Tells the number of a game and its places in the whole file.
fn shift(read: Result<Game, GameError>, number: usize, before: usize) -> Result<Game, GameError> {
    let place = |place: &mut Place| match place {
        Place::Line { line, .. } => *line += before,
        Place::Byte(_) => {}
    };
    let tell = |warnings: &mut Vec<Warning>| {
        for warning in warnings {
            warning.game = number;
            place(&mut warning.place);
        }
    };
    match read {
        Ok(mut game) => {
            tell(&mut game.warnings);
            Ok(game)
        }
        Err(mut error) => {
            error.game = number;
            place(&mut error.place);
            if let Some(game) = &mut error.partial {
                tell(&mut game.warnings);
            }
            Err(error)
        }
    }
}

/// A text and where the part ends that is being read.
struct Source<R> {
    input: Ahead<TextInput<R>>,
    format: Format,
    /// A line, or a piece of a long one, that has not been passed on.
    held: Vec<u8>,
    /// The format that begins at the held line.
    next: Option<Format>,
    inside: Inside,
    at_line_start: bool,
    /// Lines that have been passed on.
    lines: usize,
}

impl<R: BufRead> Source<R> {
    fn new(input: TextInput<R>, format: Format) -> Self {
        let (input, inside) = (Ahead::new(input), Inside::default());
        Self { input, format, held: Vec::new(), next: None, inside, at_line_start: true, lines: 0 }
    }

    /// The next line of the part, or a piece of it; nothing at its end.
    fn pass_on(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        out.clear();
        if self.next.is_some() {
            return Ok(());
        }
        if self.held.is_empty() {
            self.input.by_ref().take(CHUNK).read_until(b'\n', &mut self.held)?;
            // Marks are looked for last: it takes time to tell that a line of moves begins no game.
            if self.at_line_start && !self.inside.protects(self.format, &self.held) {
                let begins = mark(&self.held, self.format);
                self.next = begins.filter(|format| self.may_begin(*format));
                if self.next.is_some() {
                    return Ok(());
                }
            }
        }
        if self.format == Format::Pgn {
            self.read_pgn()?;
        } else {
            self.inside.read(&self.held, self.format);
        }
        self.at_line_start = self.held.ends_with(b"\n");
        self.lines += usize::from(self.at_line_start);
        std::mem::swap(&mut self.held, out);
        Ok(())
    }

    fn may_begin(&self, format: Format) -> bool {
        // Inside a game of PGN it is a comment, and where something follows it on its line.
        let is_comment = self.format == Format::Pgn
            && format == Format::Json
            && (!self.inside.pgn.may_have_ended() || is_followed(&self.held));
        !is_one_kind(format, self.format) && !is_comment
    }

    fn read_pgn(&mut self) -> io::Result<()> {
        let state = &mut self.inside.pgn;
        if state.in_comment() && self.at_line_start && pgn::begun_tag(self.held.trim_ascii()).is_some() {
            // If the comment has lost its end, then the tag begins a game.
            state.loses_comment_at(&self.held, &mut self.input)?;
        }
        state.pass_piece(&self.held, self.at_line_start);
        Ok(())
    }

    /// Goes on to the next part, if the last one has been read to its end.
    fn resume(&mut self) -> Option<Format> {
        self.format = self.next.take()?;
        self.inside = Inside::default();
        Some(self.format)
    }

    /// Whether the part that begins at the held line says that it is a WXF file.
    fn is_certain_head(&self) -> bool {
        ["FORMAT", "START{"].iter().any(|word| begins_with(&self.held, word))
    }
}

/// A reader of one part.
pub(super) struct Part<R> {
    source: Rc<RefCell<Source<R>>>,
    line: Vec<u8>,
    at: usize,
}

impl<R> Part<R> {
    fn new(source: &Rc<RefCell<Source<R>>>) -> Self {
        Self { source: Rc::clone(source), line: Vec::new(), at: 0 }
    }
}

impl<R: BufRead> Read for Part<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(out)?;
        self.consume(length);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Part<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.line.len() {
            self.at = 0;
            self.source.borrow_mut().pass_on(&mut self.line)?;
        }
        Ok(&self.line[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at = (self.at + amount).min(self.line.len());
    }
}

/// Whether a line holds an object and something behind it.
fn is_followed(line: &[u8]) -> bool {
    let mut values = serde_json::Deserializer::from_slice(line).into_iter::<serde::de::IgnoredAny>();
    matches!(values.next(), Some(Ok(_))) && !line[values.byte_offset()..].trim_ascii().is_empty()
}

/// Whether one reader reads both.
fn is_one_kind(one: Format, other: Format) -> bool {
    let is_page = |format| matches!(format, Format::DhtmlXq | Format::GameBox);
    one == other || (is_page(one) && is_page(other))
}

/// The format that begins with a line after one in another.
fn mark(line: &[u8], before: Format) -> Option<Format> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    match line.first()? {
        b'[' if begins_with(line, "[DhtmlXQ]") => Some(Format::DhtmlXq),
        b'[' if begins_with(line, "[game]") => Some(Format::GameBox),
        b'[' => Format::is_tag_pair(line).then_some(Format::Pgn),
        b'{' => Format::is_json(line).then_some(Format::Json),
        b'<' => {
            (begins_with(line, "<?xml") || begins_with(line, "<ChineseChessRecord")).then_some(Format::Cbf)
        }
        _ if begins_with(line, "START{") || wxf::begins_head(line) => Some(Format::Wxf),
        _ if Format::is_fen(line) => Some(Format::Fen),
        _ => (before != Format::Pgn && replay::begins_game(line)).then_some(Format::Pgn),
    }
}

fn begins_with(line: &[u8], mark: &str) -> bool {
    line.get(..mark.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(mark.as_bytes()))
}

/// Where in a part its lines have led.
#[derive(Debug, Default)]
struct Inside {
    /// In PGN.
    pgn: pgn::State,
    /// In the others: what ends that which is open.
    end: Option<&'static str>,
    /// In a WXF file: the moves are open.
    in_moves: bool,
}

/// What begins and ends the sections of the formats.
const PAGE: [(&str, &str); 2] = [("[DhtmlXQ]", "[/DhtmlXQ]"), ("[game]", "[/game]")];
const FILE: [(&str, &str); 3] =
    [(blocks::START, blocks::END), (blocks::BLOCKS[0], blocks::END), (blocks::BLOCKS[1], blocks::END)];
const RECORD: [(&str, &str); 1] = [("<ChineseChessRecord", "</ChineseChessRecord>")];

impl Inside {
    /// Whether no other format begins with this line.
    fn protects(&self, format: Format, line: &[u8]) -> bool {
        match format {
            Format::Pgn => self.pgn.in_comment(),
            // No move begins so: the game has lost its end.
            Format::Wxf if self.in_moves => !line.trim_ascii_start().starts_with(b"["),
            _ => self.end.is_some(),
        }
    }

    fn read(&mut self, line: &[u8], format: Format) {
        let sections: &[(&str, &'static str)] = match format {
            Format::DhtmlXq | Format::GameBox => &PAGE,
            Format::Wxf => &FILE,
            Format::Cbf => &RECORD,
            Format::Pgn | Format::Fen | Format::Json | Format::Xqf | Format::Cbr => return,
        };
        let mut rest = line;
        loop {
            let (at, length) = if let Some(end) = self.end {
                let Some((at, _)) = earliest(rest, &[end]) else { return };
                (self.end, self.in_moves) = (None, false);
                (at, end.len())
            } else {
                let begins: Vec<&str> = sections.iter().map(|(begin, _)| *begin).collect();
                let Some((at, which)) = earliest(rest, &begins) else { return };
                self.end = Some(sections[which].1);
                self.in_moves = begins[which] == FILE[0].0;
                (at, begins[which].len())
            };
            rest = &rest[at + length..];
        }
    }
}
