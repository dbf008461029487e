//! CBF, the XML export of CCBridge; read only, one line of moves with comments.

use movegen::Position;

use super::binary::{self, Branch};
use super::encoding::Decoded;
use super::error::{Damaged, GameError, Problem};
use super::game::{Game, NodeId, Outcome};
use super::text;

const FIELDS: [(&str, &str); 16] = [
    ("Name", "Title"),
    ("Contest", "Event"),
    ("Round", "Round"),
    ("Group", "Group"),
    ("Table", "Board"),
    ("Date", "Date"),
    ("Site", "Site"),
    ("TimeRule", "TimeControl"),
    ("Red", "Red"),
    ("RedTeam", "RedTeam"),
    ("RedRating", "RedElo"),
    ("Black", "Black"),
    ("BlackTeam", "BlackTeam"),
    ("BlackRating", "BlackElo"),
    ("Commentator", "Annotator"),
    ("ECCO", "ECCO"),
];
/// Elements and attributes beyond any real game.
const MAX_NODES: u32 = 400_000;

/// Attributes of one element, and namespaces of a file, beyond any real game: for each one all others of them are looked through.
const MAX_ATTRIBUTES: usize = 100;

/// Reads the one game of a decoded file.
pub(super) fn game(whole: &Decoded<'_>) -> Result<Game, GameError> {
    text::placed(read(&whole.text), whole, 1, (1, 1))
}

fn read(whole: &str) -> Result<Game, Damaged> {
    let body = whole.trim_start_matches('\u{feff}');
    let skipped = whole.len() - body.len();
    let (fault, error) = match parse(body) {
        Ok(document) => return record(&document, skipped),
        Err(fault) => fault,
    };
    // What is cut off is read up to its last whole part; so is what is before another fault.
    for reach in [body.len(), fault] {
        let (whole_part, is_cut) = whole_part(&body[..reach]);
        let Ok(document) = parse(&whole_part) else { continue };
        let (at, problem) = if is_cut && reach == body.len() {
            (body.trim_end().len(), Problem::Truncated("the record"))
        } else {
            (fault, Problem::BadField { field: "the XML", value: error.clone() })
        };
        return match record(&document, skipped) {
            Ok(game) => Err((skipped + at, problem, Some(Box::new(game)))),
            Err(damaged) => Err(damaged),
        };
    }
    Err((skipped + fault, Problem::BadField { field: "the XML", value: error }, None))
}

/// The document, or what is wrong with it and where.
fn parse(text: &str) -> Result<roxmltree::Document<'_>, (usize, String)> {
    if let Some(at) = crowded(text) {
        return Err((at, format!("an element with more than {MAX_ATTRIBUTES} attributes or namespaces")));
    }
    let options = roxmltree::ParsingOptions { nodes_limit: MAX_NODES, ..Default::default() };
    roxmltree::Document::parse_with_options(text, options).map_err(|error| {
        let row = (error.pos().row as usize).saturating_sub(1);
        let before: usize = text.split_inclusive('\n').take(row).map(str::len).sum();
        let column = text[before..].char_indices().nth((error.pos().col as usize).saturating_sub(1));
        (column.map_or(text.len(), |(at, _)| before + at), error.to_string())
    })
}

/// Where the first element begins that has too many attributes, or one namespace too many.
fn crowded(text: &str) -> Option<usize> {
    let mut namespaces = 0;
    let mut at = 0;
    while let Some(begin) = text[at..].find('<').map(|begin| at + begin) {
        let rest = &text[begin..];
        let section = SECTIONS.iter().find(|(mark, _)| rest.starts_with(mark));
        if let Some((mark, close)) = section {
            let length = rest[mark.len()..].find(close)?;
            at = begin + mark.len() + length + close.len();
            continue;
        }
        // To the end of the tag, which may be quoted in its values.
        let (mut quote, mut attributes, mut length) = (None, 0, rest.len());
        for (index, byte) in rest.bytes().enumerate().skip(1) {
            match (quote, byte) {
                (Some(open), _) if open == byte => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => attributes += 1,
                (None, b'>') => {
                    length = index + 1;
                    break;
                }
                _ => {}
            }
        }
        namespaces += rest[..length].matches("xmlns").count();
        if attributes > MAX_ATTRIBUTES || namespaces > MAX_ATTRIBUTES {
            return Some(begin);
        }
        at = begin + length;
    }
    None
}

/// What begins and ends that which is no element.
const SECTIONS: [(&str, &str); 3] = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];

/// A text up to its last whole tag or section of characters, with ends for the elements that are open there, and whether
/// anything was open. Text in between that may go on is left out.
fn whole_part(text: &str) -> (String, bool) {
    let mut open: Vec<&str> = Vec::new();
    let mut end = 0;
    let mut is_whole = true;
    while let Some(begin) = text[end..].find('<').map(|begin| end + begin) {
        let rest = &text[begin..];
        let close = SECTIONS.iter().find(|(mark, _)| rest.starts_with(mark)).map_or(">", |(_, close)| close);
        let Some(length) = rest.find(close).map(|length| length + close.len()) else {
            is_whole = false;
            break;
        };
        let tag = &rest[1..length - 1];
        let name = tag.trim_start_matches('/').split(|c: char| c.is_whitespace() || c == '/').next();
        let name = name.unwrap_or_default();
        if tag.starts_with('/') {
            if open.last() != Some(&name) {
                break;
            }
            open.pop();
        } else if !tag.starts_with(['!', '?']) && !tag.ends_with('/') {
            open.push(name);
        }
        end = begin + length;
    }
    let is_cut = !is_whole || !open.is_empty();
    let mut whole = text[..end].to_owned();
    for name in open.iter().rev() {
        whole.extend(["</", name, ">"]);
    }
    (whole, is_cut)
}

fn record(document: &roxmltree::Document<'_>, skipped: usize) -> Result<Game, Damaged> {
    let root = document.root_element();
    if !root.has_tag_name("ChineseChessRecord") {
        return Err((0, Problem::NotThisFormat("a CBF record"), None));
    }
    let child = |name: &str| root.children().find(|node| node.has_tag_name(name));
    let head = child("Head");
    let value = |name: &str| {
        let node = head?.children().find(|node| node.has_tag_name(name))?;
        node.text().map(str::trim).filter(|text| !text.is_empty()).map(|text| (text, node.range().start))
    };
    let mut game = match value("FEN") {
        Some((fen, at)) => {
            Game::at_fen(fen, skipped + at).map_err(|error| (skipped + at, error.into(), None))?
        }
        None => Game::new(Position::startpos()),
    };
    for (name, tag) in FIELDS {
        if let Some((text, _)) = value(name) {
            game.set_tag(tag, text);
        }
    }
    match value("RecordResult") {
        Some(("1", _)) => game.outcome = Outcome::RedWins,
        Some(("2", _)) => game.outcome = Outcome::BlackWins,
        Some(("3" | "4", _)) => game.outcome = Outcome::Draw,
        None | Some(("0", _)) => {}
        Some((other, at)) => game.set_result(other, skipped + at),
    }
    let mut branch = Branch::root(&game);
    let mut ended = false;
    for node in child("MoveList")
        .into_iter()
        .flat_map(|list| list.children())
        .filter(|node| node.has_tag_name("Move"))
    {
        let at = skipped + node.range().start;
        let text = node.attribute("value").unwrap_or_default();
        let digits: Vec<u8> = text.chars().filter_map(|c| c.to_digit(10)).map(|digit| digit as u8).collect();
        let [a, b, c, d] = digits[..] else {
            let problem = Problem::BadField { field: "a move", value: format!("`{text}`") };
            return Err((at, problem, Some(Box::new(game))));
        };
        if digits == [0; 4] && branch.node == NodeId::ROOT {
            game.add_comment(NodeId::ROOT, node.text().unwrap_or_default());
            continue;
        }
        if ended {
            return Err((at, Problem::TrailingText(text.to_owned()), Some(Box::new(game))));
        }
        match branch.play(&mut game, binary::square_from_top(a, b), binary::square_from_top(c, d)) {
            Ok(next) => branch = next,
            Err(problem) => return Err((at, problem, Some(Box::new(game)))),
        }
        game.add_comment(branch.node, node.text().unwrap_or_default());
        ended = node.attribute("end") == Some("1");
    }
    Ok(game)
}
