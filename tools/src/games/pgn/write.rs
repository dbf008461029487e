//! Writes PGN.

use std::io::{self, Write};

use movegen::notation::Notation;
use movegen::{Color, Position};

use super::tags;
use crate::games::game::{Game, NodeId};
use crate::games::losses::Kept;
use crate::games::replay;
use crate::games::write::WriteOptions;

/// Tags that come first, in this order, as the PGN standard has its seven.
const FIRST: [&str; 6] = ["Event", "Site", "Date", "Round", "Red", "Black"];
/// The tag xqbase begins games with; some programs name the game in it.
const GAME: &str = "Game";
/// Lines of moves are broken before this column.
const WIDTH: usize = 100;

/// Writes one game and a blank line after it.
pub(in crate::games) fn write(game: &Game, options: WriteOptions, out: &mut dyn Write) -> io::Result<()> {
    let notation = options.notation.unwrap_or(Notation::COORDINATE);
    tag(out, GAME, game.tag(GAME).unwrap_or("Chinese Chess"))?;
    for name in FIRST {
        let unknown = if name == "Date" { "????.??.??" } else { "?" };
        tag(out, name, game.tag(name).unwrap_or(unknown))?;
    }
    tag(out, "Result", &game.outcome.to_string())?;
    for (name, value) in game.tags() {
        if !FIRST.iter().chain([&GAME]).any(|first| first.eq_ignore_ascii_case(name)) && is_name(name) {
            tag(out, name, value)?;
        }
    }
    if *game.start() != Position::startpos() {
        tag(out, "SetUp", "1")?;
        tag(out, "FEN", &game.start().fen())?;
    }
    tag(out, "Variant", "xiangqi")?;
    tag(out, "Format", replay::format_name(notation))?;
    writeln!(out)?;
    let mut text = Text { out, column: 0, after_open: false, notation };
    text.comment(game.comment(NodeId::ROOT))?;
    text.line(game, NodeId::ROOT, game.start().clone())?;
    text.word(&game.outcome.to_string())?;
    writeln!(out, "\n")
}

/// What becomes of a tag: PGN names are of letters, digits and underscores.
pub(in crate::games) fn keeps(name: &str) -> Kept {
    if is_name(name) { Kept::Whole } else { Kept::Nothing }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
}

fn tag(out: &mut dyn Write, name: &str, value: &str) -> io::Result<()> {
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    writeln!(out, "[{name} \"{escaped}\"]")
}

struct Text<'a> {
    out: &'a mut dyn Write,
    column: usize,
    /// A parenthesis has just been opened: no blank follows.
    after_open: bool,
    notation: Notation,
}

/// Whether the line breaks of a comment can be kept: many programs take a tag line in it for the beginning of a game.
///
/// A tag that has lost its end counts, and on the last line whatever begins as one: what follows the comment may end it.
pub(in crate::games) fn keeps_breaks(comment: &str) -> bool {
    let lines = || comment.split(['\n', '\r']).map(|line| line.trim().trim_start_matches('\u{feff}'));
    let begins_tag = |line: &str| {
        let Some(body) = line.strip_prefix('[').map(str::trim_start) else { return false };
        let value = body.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        value.len() < body.len() && value.starts_with(|c: char| c == '"' || c.is_whitespace())
    };
    !lines().any(|line| tags::begun_tag(line.as_bytes()).is_some())
        && !lines().next_back().is_some_and(begins_tag)
}

impl Text<'_> {
    /// The moves from `node` on, each followed by its alternatives.
    fn line(&mut self, game: &Game, mut node: NodeId, mut pos: Position) -> io::Result<()> {
        let mut needs_number = true;
        while let Some(next) = game.next(node) {
            // Also what stood before the same move of a variation.
            self.node(game, next, &pos, needs_number, game.comment(next))?;
            needs_number = !game.comment(next).is_empty();
            for variation in game.children(node).skip(1) {
                needs_number = true;
                self.open()?;
                let (before, after) = game.comment_parts(variation);
                self.comment(before)?;
                self.node(game, variation, &pos, true, after)?;
                if let Some(mv) = game.mv(variation) {
                    self.line(game, variation, pos.play(mv))?;
                }
                self.close()?;
            }
            if let Some(mv) = game.mv(next) {
                pos = pos.play(mv);
            }
            node = next;
        }
        Ok(())
    }

    fn node(
        &mut self,
        game: &Game,
        id: NodeId,
        pos: &Position,
        numbered: bool,
        comment: &str,
    ) -> io::Result<()> {
        let Some(mv) = game.mv(id) else { return Ok(()) };
        let number = pos.fullmove_number();
        match pos.side_to_move() {
            Color::Red => self.word(&format!("{number}."))?,
            Color::Black if numbered => self.word(&format!("{number}..."))?,
            Color::Black => {}
        }
        self.word(&self.notation.write_or_wxf(pos, mv).unwrap_or_else(|| mv.to_string()))?;
        for nag in game.nags(id) {
            self.word(&format!("${nag}"))?;
        }
        self.comment(comment)
    }

    fn comment(&mut self, comment: &str) -> io::Result<()> {
        if comment.is_empty() {
            return Ok(());
        }
        // A closing brace would end the comment early.
        let comment = comment.replace('{', "(").replace('}', ")").replace("\r\n", "\n");
        let lines: Vec<&str> = comment.split(['\n', '\r']).map(str::trim).collect();
        let text = lines.join(if keeps_breaks(&comment) { "\n" } else { " " });
        // Not broken where the line is full, for that would be read as a part of the comment.
        self.word(&format!("{{{text}}}"))
    }

    fn word(&mut self, word: &str) -> io::Result<()> {
        let width = word.lines().next().unwrap_or_default().chars().count();
        if self.column > 0 && self.column + 1 + width > WIDTH {
            writeln!(self.out)?;
            self.column = 0;
        } else if self.column > 0 && !self.after_open {
            write!(self.out, " ")?;
            self.column += 1;
        }
        self.after_open = false;
        self.column = match word.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + width,
        };
        write!(self.out, "{word}")
    }

    fn open(&mut self) -> io::Result<()> {
        self.word("(")?;
        self.after_open = true;
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        self.column += 1;
        write!(self.out, ")")
    }
}
