//! Lists of positions: a FEN a line, optionally with ` moves ...` as in UCI, or `; text`; a line that begins with `#` or `;` is a remark.

use std::io::{self, Write};

use movegen::notation::Notation;

use super::error::Damaged;
use super::game::{Game, NodeId};
use super::read::ReadOptions;
use super::replay::{self, Hint};

/// Whether a line that begins so is a remark.
pub(super) fn is_remark(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"#") || line.trim_ascii_start().starts_with(b";")
}

/// Reads one line; `None` if there is no position on it.
pub(super) fn game(line: &str, options: ReadOptions) -> Option<Result<Game, Damaged>> {
    let text = line.trim_start_matches('\u{feff}').trim();
    if text.is_empty() || text.starts_with(['#', ';']) {
        return None;
    }
    let text = ["position fen ", "fen "].iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text);
    let (text, comment) = text.split_once(';').unwrap_or(text.split_at(text.len()));
    let (fen, moves) = text.split_once(" moves ").unwrap_or(text.split_at(text.len()));
    let offset = |part: &str| part.as_ptr() as usize - line.as_ptr() as usize;
    let mut game = match Game::at_fen(fen, offset(fen)) {
        Ok(game) => game,
        Err(error) => return Some(Err((offset(fen), error.into(), None))),
    };
    game.add_comment(NodeId::ROOT, comment);
    let hint = Hint::Certain(options.notation.unwrap_or(Notation::COORDINATE));
    Some(match replay::read_into(&mut game, moves, offset(moves), hint) {
        Ok(_) => Ok(game),
        Err((at, problem)) => Err((at, problem, Some(Box::new(game)))),
    })
}

/// Writes the start position, the moves where there are any, and what is said before them.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{}", game.start().fen())?;
    for (index, mv) in game.moves().enumerate() {
        write!(out, "{}{mv}", if index == 0 { " moves " } else { " " })?;
    }
    let comment = game.comment(NodeId::ROOT);
    if !comment.is_empty() {
        write!(out, " ; {}", comment.replace("\r\n", " ").replace(['\r', '\n', '\t'], " "))?;
    }
    writeln!(out)
}
