//! WXF game files (`FORMAT WXF ... START{ ... }END`) and the `[game] ... [/game]` boxes of web pages, whose moves are often
//! in Vietnamese letters although their header says WXF.

use std::fmt::Write as _;
use std::io::{self, Write};

use movegen::notation::Notation;
use movegen::{Color, Position};

use super::error::{Damaged, GameError, Problem};
use super::format::{ReadOptions, WriteOptions};
use super::game::{Game, NodeId, Outcome};
use super::movetext;
use super::text::{self, Located};

/// Header words and the tags they become; others become tags as they are.
const WORDS: [(&str, &str); 8] = [
    ("RED", "Red"),
    ("BLACK", "Black"),
    ("EVENT", "Event"),
    ("DATE", "Date"),
    ("SITE", "Site"),
    ("PLACE", "Site"),
    ("ROUND", "Round"),
    ("OPENING", "Opening"),
];

/// Reads every game of a decoded text.
pub(super) fn games(whole: &str, options: ReadOptions) -> Vec<Result<Game, GameError>> {
    let mut sections = boxes(whole);
    if sections.is_empty() {
        sections = files(whole);
    }
    if sections.is_empty() {
        return vec![Err(text::error(
            whole,
            1,
            (0, Problem::NotThisFormat("a WXF game file or [game] box"), None),
        ))];
    }
    let mut places = text::Places::new(whole);
    sections
        .into_iter()
        .enumerate()
        .map(|(index, (offset, section, is_box))| {
            let located = if is_box { Located::from_html(section) } else { Located::plain(section) };
            game(&located, is_box, options).map_err(|(at, problem, partial)| {
                places.error(index + 1, (offset + located.origin(at), problem, partial))
            })
        })
        .collect()
}

/// What stands between `[game]` and `[/game]`, with its offset.
fn boxes(whole: &str) -> Vec<(usize, &str, bool)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text::find_ignore_case(&whole[at..], "[game]").map(|start| at + start + 6) {
        let end = text::find_ignore_case(&whole[start..], "[/game]").map_or(whole.len(), |end| start + end);
        found.push((start, &whole[start..end], true));
        at = end;
    }
    found
}

/// Whole WXF files, one after the other: each ends with the `}END` of its moves.
fn files(whole: &str) -> Vec<(usize, &str, bool)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text::find_ignore_case(&whole[at..], "START{").map(|start| at + start) {
        let end = text::find_ignore_case(&whole[start..], "}END").map_or(whole.len(), |end| start + end + 4);
        found.push((at, &whole[at..end], false));
        at = end;
    }
    found
}

fn game(section: &Located<'_>, is_box: bool, options: ReadOptions) -> Result<Game, Damaged> {
    let text = section.text();
    let body = text::find_ignore_case(text, "START{");
    let (head, moves_at) = if let Some(start) = body {
        (&text[..start], start + 6)
    } else {
        // A box without `START{`: the moves follow the last header line.
        let end = header_end(text);
        (&text[..end], end)
    };
    let moves = &text[moves_at..];
    let closed = text::find_ignore_case(moves, "}END");
    let moves = closed.map_or(moves, |end| &moves[..end]);

    let mut fields: Vec<(String, &str, usize)> = Vec::new();
    let mut comment = None;
    let mut at = 0;
    for line in head.split_inclusive('\n') {
        let trimmed = line.trim();
        // The first block is the comment; one without an end is not looked for again.
        if comment.is_none() && begins_comment(trimmed) {
            comment = Some(comment_block(&head[at..]).unwrap_or_default());
        } else if let Some((word, value)) = field(trimmed) {
            fields.push((word, value, at));
        }
        at += line.len();
    }
    let fen = fields.iter().find(|(word, ..)| word == "FEN");
    let start = match fen.filter(|(_, value, _)| !value.is_empty()) {
        Some((_, value, offset)) => {
            Position::from_fen(value).map_err(|error| (*offset, Problem::Fen(error), None))?
        }
        None => Position::startpos(),
    };
    let mut game = Game::new(start);
    for (word, value, _) in &fields {
        match word.as_str() {
            "FEN" | "FORMAT" | "GAME" => {}
            "RESULT" => game.outcome = Outcome::from_word(value).unwrap_or_default(),
            _ if value.is_empty() => {}
            word => {
                let tag = WORDS
                    .iter()
                    .find(|(from, _)| *from == word)
                    .map_or_else(|| title(word), |(_, to)| (*to).to_owned());
                game.set_tag(&tag, *value);
            }
        }
    }
    game.add_comment(NodeId::ROOT, comment.unwrap_or_default());
    let forced = options.notation.is_some();
    let named = fields
        .iter()
        .find(|(word, ..)| word == "FORMAT")
        .and_then(|(_, word, _)| movetext::format_notation(word));
    let usual = if is_box { Notation::Vietnamese } else { named.unwrap_or(Notation::WXF) };
    let notation = options.notation.unwrap_or(usual);
    if let Err((offset, problem)) = movetext::read_into(&mut game, moves, Some(notation), forced) {
        return Err((moves_at + offset, problem, Some(Box::new(game))));
    }
    if body.is_some() && closed.is_none() {
        return Err((text.len(), Problem::Truncated("the moves (no `}END`)"), Some(Box::new(game))));
    }
    Ok(game)
}

/// Whether a line begins a `COMMENT{ ... }END` block.
fn begins_comment(line: &str) -> bool {
    ["COMMENT{", "REMARK{"]
        .iter()
        .any(|word| line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)))
}

/// The text of the block that begins here.
fn comment_block(text: &str) -> Option<&str> {
    let (_, body) = text.split_once('{')?;
    text::find_ignore_case(body, "}END").map(|end| body[..end].trim())
}

/// `WORD value` or `WORD: value`, the word in capitals.
fn field(line: &str) -> Option<(String, &str)> {
    let end = line.find(|c: char| !(c.is_ascii_uppercase() || c == '_')).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    let value = rest.strip_prefix(':').unwrap_or(rest);
    let separated = value.is_empty() || value.starts_with(char::is_whitespace) || value.len() < rest.len();
    (word.len() >= 3 && separated).then(|| (word.to_owned(), value.trim()))
}

/// Where the moves of a box without `START{` begin.
fn header_end(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() && field(line.trim()).is_none() {
            break;
        }
        at += line.len();
    }
    at
}

fn title(word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    let mut chars = lower.chars();
    chars.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + chars.as_str())
}

/// Writes the main line as a WXF file, or in a `[game]` box with Vietnamese moves.
pub(super) fn write(game: &Game, boxed: bool, options: WriteOptions, out: &mut dyn Write) -> io::Result<()> {
    let notation = options.notation.unwrap_or(if boxed { Notation::Vietnamese } else { Notation::WXF });
    if boxed {
        writeln!(out, "[game]")?;
    }
    // Boxes say WXF even where the moves are in Vietnamese letters.
    let format = if boxed { "WXF" } else { movetext::format_name(notation) };
    writeln!(out, "FORMAT {format}")?;
    for (word, tag) in WORDS.iter().filter(|(word, _)| *word != "PLACE") {
        if let Some(value) = game.tag(tag) {
            writeln!(out, "{word} {}", plain(value, boxed).replace(['\r', '\n'], " "))?;
        }
    }
    if game.outcome != Outcome::Unknown {
        writeln!(out, "RESULT {}", game.outcome)?;
    }
    if *game.start() != Position::startpos() {
        writeln!(out, "FEN {}", game.start().fen())?;
    }
    let comment = game.comment(NodeId::ROOT);
    if !comment.is_empty() {
        writeln!(out, "COMMENT{{\n{}\n}}END", plain(comment, boxed))?;
    }
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
    if boxed {
        writeln!(out, "[/game]")?;
    }
    writeln!(out)
}

/// A text without the braces of blocks, and in a box without what a page takes for markup.
fn plain(text: &str, boxed: bool) -> String {
    let text = text.replace('{', "(").replace('}', ")");
    if boxed { html_escape::encode_text(&text).replace('[', "&#91;") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_never_taken_for_markup() {
        let name = "A <b> & [/game] [DhtmlXQ]";
        let mut game = Game::new(Position::startpos());
        game.set_tag("Red", name);
        game.set_tag("Event", "START{ x }END");
        let mut out = Vec::new();
        write(&game, true, WriteOptions::default(), &mut out).expect("memory");
        let read = games(std::str::from_utf8(&out).expect("UTF-8"), ReadOptions::default());
        let read = read[0].as_ref().expect("a game");
        assert_eq!(read.tag("Red"), Some(name));
        assert_eq!(read.tag("Event"), Some("START( x )END"));
        out.clear();
        super::super::dhtmlxq::write(&game, &mut out).expect("memory");
        let read = super::super::dhtmlxq::games(std::str::from_utf8(&out).expect("UTF-8"));
        assert_eq!(read[0].as_ref().expect("a game").tag("Red"), Some(name));
    }
}
