//! WXF game files (`FORMAT WXF ... START{ ... }END`) and the `[game] ... [/game]` boxes of web pages, whose moves are often
//! in Vietnamese letters although their header says WXF.

use std::fmt::Write as _;
use std::io::{self, Write};

use movegen::notation::Notation;
use movegen::{Color, Position};

use super::blocks::{BLOCKS, Blocks, END, START, begins_block, inside_block};
use super::error::{Damaged, Problem};
use super::game::{Game, NodeId, Outcome, says_something};
use super::losses::Kept;
use super::read::ReadOptions;
use super::replay::{self, Hint};
use super::stream::earliest;
use super::text::{self, Located};
use super::write::WriteOptions;

/// Header words and the tags they become; others become tags as they are.
const WORDS: [(&str, &str); 18] = [
    ("GAME", "Game"),
    ("RED", "Red"),
    ("BLACK", "Black"),
    ("EVENT", "Event"),
    ("DATE", "Date"),
    ("SITE", "Site"),
    ("PLACE", "Site"),
    ("ROUND", "Round"),
    ("OPENING", "Opening"),
    ("ECCO", "ECCO"),
    ("REDTEAM", "RedTeam"),
    ("BLACKTEAM", "BlackTeam"),
    ("TIMECONTROL", "TimeControl"),
    ("EVENTDATE", "EventDate"),
    ("REDELO", "RedElo"),
    ("WHITEELO", "WhiteElo"),
    ("BLACKELO", "BlackElo"),
    ("PLYCOUNT", "PlyCount"),
];
/// Header words that are no tags.
const RESERVED: [&str; 7] = ["FEN", "FORMAT", "RESULT", "COMMENT", "REMARK", "START", "END"];

/// Reads the inside of a box, or a WXF file up to its `}END`.
pub(super) fn game(section: &Located<'_>, is_box: bool, options: ReadOptions) -> Result<Game, Damaged> {
    let text = section.text();
    let body = start_of_moves(text.as_bytes());
    let (head, moves_at) = if let Some(start) = body {
        (&text[..start], start + 6)
    } else {
        // A box without `START{`: the moves follow the last header line.
        let end = header_end(text);
        (&text[..end], end)
    };
    let moves = &text[moves_at..];
    let closed = text::find_ignore_case(moves, END);
    let (moves, tail) = closed.map_or((moves, ""), |end| moves.split_at(end));

    let mut fields: Vec<(String, &str, usize)> = Vec::new();
    let mut comments = Vec::new();
    let mut blocks = Blocks::default();
    let mut open = None;
    let mut at = 0;
    while let Some(line) = head[at..].split_inclusive('\n').next() {
        let trimmed = line.trim();
        if begins_block(trimmed.as_bytes()) {
            let begin = at + (line.len() - line.trim_start().len());
            let end = blocks.end(text.as_bytes(), 0, begin);
            if let Some(end) = end.filter(|&end| end <= head.len()) {
                comments.push(inside_block(&head[begin..end]));
                at = end;
                continue;
            }
            open.get_or_insert(begin);
        } else if let Some((word, value)) = field(trimmed) {
            fields.push((word, value, at));
        }
        at += line.len();
    }
    let fen = fields.iter().find(|(word, ..)| word == "FEN");
    let mut game = match fen.filter(|(_, value, _)| !value.is_empty()) {
        Some((_, value, offset)) => {
            Game::at_fen(value, *offset).map_err(|error| (*offset, Problem::Fen(error), None))?
        }
        None => Game::new(Position::startpos()),
    };
    for (word, value, at) in &fields {
        match word.as_str() {
            "FEN" | "FORMAT" => {}
            "RESULT" => game.set_result(value, *at),
            "VARIANT" => game.set_variant(value, *at),
            _ if value.is_empty() => {}
            word => game.set_tag(&tag_of(word), *value),
        }
    }
    for comment in comments {
        game.add_comment(NodeId::ROOT, comment);
    }
    let named = fields.iter().find(|(word, ..)| word == "FORMAT").map(|(_, word, _)| *word);
    let named = match named {
        // In a box this stands over Vietnamese letters.
        Some(word) if is_box && word.eq_ignore_ascii_case("WXF") => None,
        word => word.and_then(replay::format_notation),
    };
    let usual = if is_box { Notation::Vietnamese } else { Notation::WXF };
    let hint = options.notation.map_or(Hint::Likely(named.unwrap_or(usual)), Hint::Certain);
    let read = replay::read_into(&mut game, moves, moves_at, hint);
    let is_nothing =
        fields.is_empty() && game.nodes().next().is_none() && game.comment(NodeId::ROOT).is_empty();
    match (read, open) {
        (_, Some(at)) if is_nothing => return Err((at, Problem::OpenComment, None)),
        (Err((offset, problem)), _) if is_nothing => return Err((offset, problem.of_nothing(), None)),
        (Err((offset, problem)), _) => return Err((offset, problem, Some(Box::new(game)))),
        (Ok(_), _) if is_nothing => return Err((moves_at, Problem::NoGame, None)),
        (Ok(_), _) => {}
    }
    let last = game.main_line().last().unwrap_or(NodeId::ROOT);
    for comment in comments_after(tail) {
        game.add_comment(last, comment);
    }
    if let Some(at) = open {
        return Err((at, Problem::OpenComment, Some(Box::new(game))));
    }
    if body.is_some() && closed.is_none() {
        return Err((text.len(), Problem::Truncated("the moves (no `}END`)"), Some(Box::new(game))));
    }
    Ok(game)
}

/// Whether a file that begins so is a WXF file, if there is a `START{` in it.
pub(super) fn begins_head(text: &[u8]) -> bool {
    head_word(text).is_some()
}

/// The known word that a line of a head begins with.
fn head_word(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let (word, rest) = line.split_at(line.iter().take_while(|c| c.is_ascii_uppercase()).count());
    let separated = rest.first().is_none_or(|c| c.is_ascii_whitespace() || matches!(c, b':' | b'{'));
    (separated && known_words().any(|known| known.as_bytes() == word)).then_some(word)
}

fn known_words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(word, _)| *word).chain(RESERVED)
}

/// The lines of a head that are in no block, each with its place; a block without its end is told by `None`.
///
/// The head is the first `length` bytes of a text that begins at `base`; what is known of its blocks stays known for the next head.
fn head_lines<'a>(
    text: &'a [u8],
    length: usize,
    blocks: &'a mut Blocks,
    base: usize,
) -> impl Iterator<Item = (usize, Option<&'a [u8]>)> {
    let head = &text[..length];
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let line = head.get(at..)?.split_inclusive(|&byte| byte == b'\n').next()?;
            let begin = at;
            at += line.len();
            if !begins_block(line.trim_ascii()) {
                return Some((begin, Some(line.trim_ascii())));
            }
            let end = blocks.end(text, base, begin + (line.len() - line.trim_ascii_start().len()));
            match end.filter(|&end| end <= length) {
                Some(end) => at = end,
                None => return Some((begin, None)),
            }
        }
    })
}

/// Where in a head that of another game begins: at a second `FORMAT`, or at the paragraph in which a word is repeated.
///
/// The head is the first `length` bytes of a text that begins at `base`, of whose blocks `blocks` knows.
pub(super) fn next_head(text: &[u8], length: usize, blocks: &mut Blocks, base: usize) -> Option<usize> {
    let mut seen: Vec<(&[u8], usize)> = Vec::new();
    let mut paragraph = None;
    for (at, line) in head_lines(text, length, blocks, base) {
        let Some(line) = line else { continue };
        if line.is_empty() {
            paragraph = None;
        }
        let Some(word) = head_word(line).filter(|word| !matches!(*word, b"COMMENT" | b"REMARK")) else {
            continue;
        };
        let begin = *paragraph.get_or_insert(at);
        match seen.iter().find(|(known, _)| *known == word) {
            Some(_) if word == b"FORMAT" => return Some(at),
            Some(&(_, earlier)) if earlier < begin => return Some(begin),
            Some(_) => {}
            None => seen.push((word, at)),
        }
    }
    None
}

/// Whether a text that has no moves is the head of a game: one with a `FORMAT`, or after the end of a game (`is_later`) one of
/// nothing but words, of which the last may be cut off, or with a block that has no end.
pub(super) fn is_head(text: &[u8], is_later: bool) -> bool {
    let (mut has_words, mut has_others) = (false, false);
    for (_, line) in head_lines(text, text.len(), &mut Blocks::default(), 0) {
        let Some(line) = line else { return is_later };
        let word = head_word(line);
        if word == Some(b"FORMAT") {
            return true;
        }
        let is_word = word.is_some()
            || (text.ends_with(line) && known_words().any(|known| known.as_bytes().starts_with(line)))
            || (has_words && field(&String::from_utf8_lossy(line)).is_some());
        if !line.is_empty() {
            *if is_word { &mut has_words } else { &mut has_others } = true;
        }
    }
    is_later && has_words && !has_others
}

/// Where the `START{` stands that is in no block.
fn start_of_moves(text: &[u8]) -> Option<usize> {
    let mut blocks = Blocks::default();
    let mut at = 0;
    loop {
        let (found, which) = earliest(&text[at..], &[START, BLOCKS[0], BLOCKS[1]])?;
        at += found;
        if which == 0 {
            return Some(at);
        }
        at = blocks.end(text, 0, at).unwrap_or(at + 1);
    }
}

/// The texts of the blocks after the moves, which end in `tail`; the first of its lines is the `}END` of the moves.
fn comments_after(tail: &str) -> impl Iterator<Item = &str> {
    let mut rest = tail.get(END.len()..).unwrap_or_default();
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let end = begins_block(rest.as_bytes()).then(|| Blocks::default().end(rest.as_bytes(), 0, 0))??;
        let (block, after) = rest.split_at(end);
        rest = after;
        Some(inside_block(block))
    })
}

/// `WORD value` or `WORD: value`, the word in capitals.
fn field(line: &str) -> Option<(String, &str)> {
    let end = line.find(|c: char| !(c.is_ascii_uppercase() || c == '_')).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    let value = rest.strip_prefix(':').unwrap_or(rest);
    let separated = value.is_empty() || value.starts_with(char::is_whitespace) || value.len() < rest.len();
    (word.len() >= 3 && separated).then(|| (word.to_owned(), value.trim()))
}

/// Whether a line is of the head; a block that has no end is, with its first line.
fn is_of_head(line: &str) -> bool {
    line.is_empty() || field(line).is_some() || begins_block(line.as_bytes())
}

/// Where the moves of a box without `START{` begin.
fn header_end(text: &str) -> usize {
    let mut blocks = Blocks::default();
    let mut at = 0;
    while let Some(line) = text[at..].split_inclusive('\n').next() {
        let begin = at + (line.len() - line.trim_start().len());
        let is_block = begins_block(line.trim().as_bytes());
        let end = if is_block { blocks.end(text.as_bytes(), 0, begin) } else { None };
        at = match end {
            Some(end) => end,
            None if is_of_head(line.trim()) => at + line.len(),
            None => break,
        };
    }
    at
}

/// The tag for a header word.
fn tag_of(word: &str) -> String {
    let known = WORDS.iter().find(|(from, _)| *from == word);
    known.map_or_else(|| title(word), |(_, to)| (*to).to_owned())
}

fn title(word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    let mut chars = lower.chars();
    chars.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + chars.as_str())
}

/// The header word for a tag, if there can be one.
fn word_of(tag: &str) -> Option<String> {
    if let Some((word, _)) = WORDS.iter().find(|(_, known)| known.eq_ignore_ascii_case(tag)) {
        return Some((*word).to_owned());
    }
    let word = tag.to_ascii_uppercase();
    let is_word = word.len() >= 3 && word.bytes().all(|c| c.is_ascii_uppercase() || c == b'_');
    (is_word && !RESERVED.contains(&word.as_str())).then_some(word)
}

/// What becomes of a tag: header words are of letters and underscores.
pub(super) fn keeps(name: &str) -> Kept {
    if word_of(name).is_some() { Kept::Whole } else { Kept::Nothing }
}

/// The name a tag that is kept has when it is read back, if that is another one.
pub(super) fn renamed(name: &str) -> Option<String> {
    word_of(name).map(|word| tag_of(&word)).filter(|read| read != name)
}

/// Writes the main line as a WXF file, or in a `[game]` box with Vietnamese moves.
pub(super) fn write(game: &Game, boxed: bool, options: WriteOptions, out: &mut dyn Write) -> io::Result<()> {
    let notation = options.notation.unwrap_or(if boxed { Notation::Vietnamese } else { Notation::WXF });
    if boxed {
        writeln!(out, "[game]")?;
    }
    // Boxes say WXF where the moves are in Vietnamese letters.
    let format = if boxed { replay::box_format_name(notation) } else { replay::format_name(notation) };
    writeln!(out, "FORMAT {format}")?;
    for (tag, value) in game.tags() {
        if let Some(word) = word_of(tag).filter(|_| says_something(value)) {
            writeln!(out, "{word} {}", plain(value, boxed).replace(['\r', '\n'], " "))?;
        }
    }
    if game.outcome != Outcome::Unknown {
        writeln!(out, "RESULT {}", game.outcome)?;
    }
    if *game.start() != Position::startpos() {
        writeln!(out, "FEN {}", game.start().fen())?;
    }
    write_comment(game.comment(NodeId::ROOT), boxed, out)?;
    writeln!(out, "START{{")?;
    let mut pos = game.start().clone();
    let mut line = String::new();
    for mv in game.moves() {
        let text = notation.write_or_wxf(&pos, mv).unwrap_or_else(|| mv.to_string());
        match pos.side_to_move() {
            Color::Red => {
                if !line.is_empty() {
                    writeln!(out, "{line}")?;
                }
                line.clear();
                let _ = write!(line, "{}. {text}", pos.fullmove_number());
            }
            Color::Black if line.is_empty() => {
                let _ = write!(line, "{}... {text}", pos.fullmove_number());
            }
            Color::Black => {
                let _ = write!(line, " {text}");
            }
        }
        pos = pos.play(mv);
    }
    if !line.is_empty() {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "}}END")?;
    if let Some(last) = game.main_line().last() {
        write_comment(game.comment(last), boxed, out)?;
    }
    if boxed {
        writeln!(out, "[/game]")?;
    }
    writeln!(out)
}

fn write_comment(comment: &str, boxed: bool, out: &mut dyn Write) -> io::Result<()> {
    if comment.is_empty() {
        return Ok(());
    }
    writeln!(out, "COMMENT{{\n{}\n}}END", plain(comment, boxed))
}

/// A text without the braces of blocks, and in a box without what a page takes for markup.
fn plain(text: &str, boxed: bool) -> String {
    let text = text.replace('{', "(").replace('}', ")");
    if boxed { html_escape::encode_text(&text).replace('[', "&#91;") } else { text }
}

#[cfg(test)]
mod tests {
    use super::super::encoding::Guess;
    use super::super::markup;
    use super::*;

    #[test]
    fn a_text_is_never_taken_for_markup() {
        let name = "A <b> & [/game] [DhtmlXQ]";
        let mut game = Game::new(Position::startpos());
        game.set_tag("Red", name);
        game.set_tag("Event", "START{ x }END");
        let mut out = Vec::new();
        write(&game, true, WriteOptions::default(), &mut out).expect("memory");
        let mut read = markup::games(
            std::io::Cursor::new(out.clone()),
            markup::PAGE,
            Guess::default(),
            ReadOptions::default(),
        );
        let read_box = read.next().expect("a game").expect("whole");
        assert_eq!(read_box.tag("Red"), Some(name));
        assert_eq!(read_box.tag("Event"), Some("START( x )END"));
        out.clear();
        super::super::dhtmlxq::write(&game, &mut out).expect("memory");
        let mut read =
            markup::games(std::io::Cursor::new(out), markup::PAGE, Guess::default(), ReadOptions::default());
        assert_eq!(read.next().expect("a game").expect("whole").tag("Red"), Some(name));
    }
}
