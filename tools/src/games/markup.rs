//! Cuts pages and texts into the sections that hold one game each: `[DhtmlXQ]` markup, `[game]` boxes and WXF files.
//!
//! A page may mix them. The rest of a page is passed over; what stands before the `START{` of a WXF file is its head.

use std::io::{self, BufRead};

use super::blocks::{self, Blocks, MAX_BLANKS};
use super::dhtmlxq;
use super::encoding::Guess;
use super::error::{Damaged, Doubt, GameError, Place, Problem, Warning};
use super::game::Game;
use super::read::ReadOptions;
use super::stream::{Found, MAX_GAME, Window};
use super::text::{self, Located};
use super::wxf;

/// What kind of section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Markup {
    DhtmlXq,
    Box,
    File,
}

impl Markup {
    const fn begin(self) -> &'static str {
        match self {
            Self::DhtmlXq => "[DhtmlXQ]",
            Self::Box => "[game]",
            Self::File => blocks::START,
        }
    }

    const fn end(self) -> &'static str {
        match self {
            Self::DhtmlXq => "[/DhtmlXQ]",
            Self::Box => "[/game]",
            Self::File => blocks::END,
        }
    }
}

/// What web pages hold.
pub(super) const PAGE: &[Markup] = &[Markup::DhtmlXq, Markup::Box];
/// What WXF texts hold.
pub(super) const WXF: &[Markup] = &[Markup::Box, Markup::File];
/// What WXF files hold.
pub(super) const FILE: &[Markup] = &[Markup::File];

/// Text that may be the head of a WXF file.
const MAX_HEAD: usize = 1 << 16;

/// The games of a stream, one at a time; a stream without any is an error.
pub(super) fn games<R: BufRead>(
    input: R,
    kinds: &'static [Markup],
    mut guess: Guess,
    options: ReadOptions,
) -> impl Iterator<Item = Result<Game, GameError>> {
    let mut sections = Sections {
        window: Window::new(input),
        kinds,
        has_file: false,
        blocks: Blocks::default(),
        searched: 0,
    };
    let mut number = 0;
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        number += 1;
        let error = |(line, column), problem, partial| GameError {
            game: number,
            place: Place::Line { line, column },
            problem,
            partial,
        };
        match sections.next() {
            Ok(Some(section)) if section.end == End::TooLarge => {
                Some(Err(error(section.place, Problem::TooLarge(MAX_GAME >> 20), None)))
            }
            Ok(Some(section)) => Some(section.game(number, &mut guess, options)),
            Ok(None) => {
                done = true;
                let what = match kinds {
                    PAGE => "a [DhtmlXQ] or [game] page",
                    FILE => "a WXF game file",
                    _ => "a WXF game file or [game] box",
                };
                (number == 1).then(|| Err(error((1, 1), Problem::NotThisFormat(what), None)))
            }
            Err(io) => {
                done = true;
                Some(Err(error((sections.window.line, sections.window.column), io.into(), None)))
            }
        }
    })
}

/// How a section ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Closed,
    /// The next one begins, or the stream ends.
    Missing,
    TooLarge,
    /// The head of a file without its moves: the next head begins, or the stream ends.
    NoMoves,
    CutHead,
}

/// A game's raw bytes and where they begin.
#[derive(Debug)]
struct Section {
    kind: Markup,
    bytes: Vec<u8>,
    place: (usize, usize),
    end: End,
}

impl Section {
    fn game(&self, number: usize, guess: &mut Guess, options: ReadOptions) -> Result<Game, GameError> {
        let decoded = guess.decode(&self.bytes);
        text::placed(self.read(&decoded.text, options), &decoded, number, self.place)
    }

    fn read(&self, text: &str, options: ReadOptions) -> Result<Game, Damaged> {
        let is_cut = self.end == End::Missing;
        match self.kind {
            Markup::DhtmlXq => match dhtmlxq::game(text) {
                // What was to follow is lost, be it moves or comments.
                Ok(game) if is_cut => {
                    let problem = Problem::Truncated("the game (no `[/DhtmlXQ]`)");
                    Err((text.trim_end().len(), problem, Some(Box::new(game))))
                }
                read => read,
            },
            Markup::Box => {
                let located = Located::from_html(text);
                match wxf::game(&located, true, options) {
                    Ok(mut game) => {
                        for warning in &mut game.warnings {
                            warning.move_to(|offset| located.origin(offset));
                        }
                        // The moves have an end of their own.
                        if is_cut {
                            game.warnings.push(Warning::at(text.trim_end().len(), Doubt::OpenBox));
                        }
                        Ok(game)
                    }
                    Err((at, problem, partial)) => Err((located.origin(at), problem, partial)),
                }
            }
            Markup::File => {
                let read = wxf::game(&Located::plain(text), false, options);
                let problem = match self.end {
                    End::NoMoves => Problem::NoMoves,
                    End::CutHead => Problem::Truncated("the head of a game"),
                    End::Closed | End::Missing | End::TooLarge => return read,
                };
                let partial = match read {
                    Ok(game) => Some(Box::new(game)),
                    Err(fault @ (_, Problem::OpenComment | Problem::Fen(_), _)) => return Err(fault),
                    // A word that is cut off is no move.
                    Err((.., partial)) => partial,
                };
                Err((text.trim_end().len(), problem, partial))
            }
        }
    }
}

struct Sections<R> {
    window: Window<R>,
    kinds: &'static [Markup],
    /// A file has been read.
    has_file: bool,
    blocks: Blocks,
    /// Up to here in the stream nothing begins: a head without moves was taken off the front of what was searched.
    searched: usize,
}

impl<R: BufRead> Sections<R> {
    fn next(&mut self) -> io::Result<Option<Section>> {
        let mut needles: Vec<&str> = self.kinds.iter().map(|kind| kind.begin()).collect();
        let has_files = self.kinds.contains(&Markup::File);
        if has_files {
            needles.extend(blocks::BLOCKS);
        }
        // Where a head goes on, after the blocks in it.
        let mut from = self.searched.saturating_sub(self.window.offset);
        // Heads among what was searched come before anything new is read.
        if has_files && let Some(next) = self.known_head(from) {
            return Ok(Some(self.head(next, End::NoMoves)));
        }
        loop {
            match self.window.find(from, from + MAX_HEAD, &needles)? {
                Found::Needle { at, which } => {
                    let Some(&kind) = self.kinds.get(which) else {
                        from = self.end_of_block(at)?.unwrap_or(at + 1);
                        if from > MAX_GAME {
                            return Ok(Some(self.head(from, End::TooLarge)));
                        }
                        continue;
                    };
                    let next = if kind == Markup::File { self.next_head(at) } else { None };
                    let Some(next) = next else { return self.section(kind, at).map(Some) };
                    self.searched = self.window.offset + at;
                    return Ok(Some(self.head(next, End::NoMoves)));
                }
                Found::End if has_files && let Some(head) = self.last_head() => return Ok(Some(head)),
                Found::End => return Ok(self.last_mark()),
                Found::Limit if has_files && let Some(next) = self.known_head(usize::MAX) => {
                    self.searched = self.window.offset + self.window.bytes().len() - blocks::BLOCKS[0].len();
                    return Ok(Some(self.head(next, End::NoMoves)));
                }
                Found::Limit => {
                    // A head may reach back into what is there; a needle lies across its end at the most.
                    let kept = if has_files { MAX_HEAD / 2 } else { 16 };
                    self.window.take(self.window.bytes().len() - kept);
                    from = 0;
                }
            }
        }
    }

    /// Where another head begins in the whole lines of the first `length` bytes, or in what there is of them.
    fn known_head(&mut self, length: usize) -> Option<usize> {
        let known = &self.window.bytes()[..length.min(self.window.bytes().len())];
        let lines = known.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        self.next_head(lines)
    }

    /// Where another head begins in the first `length` bytes.
    fn next_head(&mut self, length: usize) -> Option<usize> {
        wxf::next_head(self.window.bytes(), length, &mut self.blocks, self.window.offset)
    }

    /// What is left at the end of the stream, if it is the head of a game.
    fn last_head(&mut self) -> Option<Section> {
        let next = self.next_head(self.window.bytes().len());
        let rest = self.window.bytes();
        let head = &rest[..next.unwrap_or(rest.len())];
        let (is_head, length) = (wxf::is_head(head, self.has_file), head.len());
        self.searched = self.window.offset + rest.len();
        is_head.then(|| self.head(length, if next.is_some() { End::NoMoves } else { End::CutHead }))
    }

    /// The mark that begins a game, if the stream breaks off in it.
    fn last_mark(&mut self) -> Option<Section> {
        let rest = self.window.bytes().trim_ascii_end();
        let is_part = |length: &usize| {
            let part = &rest[rest.len().saturating_sub(*length)..];
            self.kinds.iter().any(|kind| {
                let mark = kind.begin().as_bytes();
                mark[0] == b'[' && mark.get(..*length).is_some_and(|begin| begin.eq_ignore_ascii_case(part))
            })
        };
        let length = (2..Markup::DhtmlXq.begin().len()).find(is_part)?;
        self.window.take(rest.len() - length);
        Some(self.head(length, End::CutHead))
    }

    /// A head without its moves, which ends at `length`.
    fn head(&mut self, length: usize, end: End) -> Section {
        self.has_file = true;
        let bytes = self.window.bytes()[..length].to_vec();
        let place = (self.window.line, self.window.column);
        self.window.take(length);
        Section { kind: Markup::File, bytes, place, end }
    }

    /// Where the `COMMENT{` block ends that begins at `at`.
    fn end_of_block(&mut self, at: usize) -> io::Result<Option<usize>> {
        // Nothing is looked for behind a word that begins no block.
        if !blocks::is_first_in_line(self.window.bytes(), at) {
            return Ok(None);
        }
        let base = self.window.offset;
        let from = self.blocks.searched(base + at) - base;
        if let Found::Needle { at: end, .. } = self.window.find(from, at + MAX_GAME, &[blocks::END])? {
            // What follows tells whether the end is the block's own.
            self.window.find(0, end + MAX_BLANKS, &[])?;
        }
        Ok(self.blocks.end(self.window.bytes(), base, at))
    }

    /// The section whose begin stands at `at`.
    fn section(&mut self, kind: Markup, at: usize) -> io::Result<Section> {
        let is_file = kind == Markup::File;
        self.has_file |= is_file;
        let body = at + kind.begin().len();
        if !is_file {
            self.window.take(body);
        }
        let from = if is_file { body } else { 0 };
        let place = (self.window.line, self.window.column);
        let head = if is_file { "\nFORMAT" } else { kind.begin() };
        let (length, end, skipped) =
            match self.window.find(from, from + MAX_GAME, &[kind.end(), kind.begin(), head])? {
                Found::Needle { at, which: 0 } if is_file => (at + kind.end().len(), End::Closed, 0),
                Found::Needle { at, which: 0 } => (at, End::Closed, kind.end().len()),
                // Without its end a game still ends where the next one begins.
                Found::Needle { at, which: 2 } => (at + 1, End::Missing, 0),
                Found::Needle { at, .. } => (at, End::Missing, 0),
                Found::End => (self.window.bytes().len(), End::Missing, 0),
                Found::Limit => (self.window.bytes().len() - 16, End::TooLarge, 0),
            };
        let length = if is_file && end == End::Closed { self.end_of_comments(length)? } else { length };
        let bytes = if end == End::TooLarge { Vec::new() } else { self.window.bytes()[..length].to_vec() };
        self.window.take(length + skipped);
        Ok(Section { kind, bytes, place, end })
    }

    /// Where the comments end that follow the moves of a file, which end at `end`: a block right before a `START{` is of the
    /// next game.
    fn end_of_comments(&mut self, mut end: usize) -> io::Result<usize> {
        loop {
            let Some(at) = self.next_word(end, &blocks::BLOCKS)? else { return Ok(end) };
            // A block without its end must not swallow the next game.
            let Some(after) = self.end_of_block(at)? else { return Ok(end) };
            if self.next_word(after, &[Markup::File.begin()])?.is_some() {
                return Ok(end);
            }
            end = after;
        }
    }

    /// Where one of the words begins, if it follows after nothing but blanks.
    fn next_word(&mut self, from: usize, words: &[&str]) -> io::Result<Option<usize>> {
        // Only as far as blanks reach.
        self.window.find(0, from + MAX_BLANKS, &[])?;
        let rest = &self.window.bytes()[from..];
        let blanks = rest.len() - rest.trim_ascii_start().len();
        let is_next = |word: &&str| {
            rest[blanks..].get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word.as_bytes()))
        };
        Ok(words.iter().any(is_next).then_some(from + blanks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_without_moves_are_read_in_constant_memory() {
        let heads = "FORMAT WXF\nRED a\n\n".repeat(50_000);
        let mut sections = Sections {
            window: Window::new(heads.as_bytes()),
            kinds: FILE,
            has_file: false,
            blocks: Blocks::default(),
            searched: 0,
        };
        let mut count = 0;
        while let Some(section) = sections.next().expect("memory") {
            assert!(section.bytes.starts_with(b"FORMAT WXF\nRED a\n"));
            assert!(sections.window.bytes().len() <= 3 * MAX_HEAD, "{}", sections.window.bytes().len());
            count += 1;
        }
        assert_eq!(count, 50_000);
    }
}
