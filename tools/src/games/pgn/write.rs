//! Writes PGN.

use std::io::{self, Write};

use movegen::notation::Notation;
use movegen::{Color, Position};

use crate::games::game::{Game, NodeId};
use crate::games::losses::Kept;
use crate::games::replay;
use crate::games::write::WriteOptions;

/// Tags that come first, in this order, as the PGN standard has its seven.
const FIRST: [&str; 6] = ["Event", "Site", "Date", "Round", "Red", "Black"];
/// Lines of moves are broken before this column.
const WIDTH: usize = 100;

/// Writes one game and a blank line after it.
pub(in crate::games) fn write(game: &Game, options: WriteOptions, out: &mut dyn Write) -> io::Result<()> {
    let notation = options.notation.unwrap_or(Notation::COORDINATE);
    writeln!(out, "[Game \"Chinese Chess\"]")?;
    for name in FIRST {
        let unknown = if name == "Date" { "????.??.??" } else { "?" };
        tag(out, name, game.tag(name).unwrap_or(unknown))?;
    }
    tag(out, "Result", &game.outcome.to_string())?;
    for (name, value) in game.tags() {
        if !FIRST.iter().any(|first| first.eq_ignore_ascii_case(name)) && is_name(name) {
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

/// The words of a comment, commands such as `[%eval 0.35]` in one piece.
fn unbroken(comment: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_command = false;
    for word in comment.split_whitespace() {
        match words.last_mut() {
            Some(command) if in_command => {
                command.push(' ');
                command.push_str(word);
            }
            _ => {
                in_command = word.starts_with("[%");
                words.push(word.to_owned());
            }
        }
        in_command &= !word.ends_with(']');
    }
    words
}

impl Text<'_> {
    /// The moves from `node` on, each followed by its alternatives.
    fn line(&mut self, game: &Game, mut node: NodeId, mut pos: Position) -> io::Result<()> {
        let mut needs_number = true;
        while let Some(next) = game.next(node) {
            self.node(game, next, &pos, needs_number)?;
            needs_number = !game.comment(next).is_empty();
            for variation in game.children(node).skip(1) {
                needs_number = true;
                self.open()?;
                self.node(game, variation, &pos, true)?;
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

    fn node(&mut self, game: &Game, id: NodeId, pos: &Position, numbered: bool) -> io::Result<()> {
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
        self.comment(game.comment(id))
    }

    fn comment(&mut self, comment: &str) -> io::Result<()> {
        if comment.is_empty() {
            return Ok(());
        }
        // A closing brace would end the comment early.
        let comment = comment.replace('{', "(").replace('}', ")");
        let mut words = unbroken(&comment).into_iter().peekable();
        let mut first = true;
        while let Some(word) = words.next() {
            let open = if first { "{" } else { "" };
            let close = if words.peek().is_none() { "}" } else { "" };
            first = false;
            self.word(&format!("{open}{word}{close}"))?;
        }
        Ok(())
    }

    fn word(&mut self, word: &str) -> io::Result<()> {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > WIDTH {
            writeln!(self.out)?;
            self.column = 0;
        } else if self.column > 0 && !self.after_open {
            write!(self.out, " ")?;
            self.column += 1;
        }
        self.after_open = false;
        self.column += width;
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
