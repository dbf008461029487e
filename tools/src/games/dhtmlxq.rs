//! DhtmlXQ, the `[DhtmlXQ]` markup of dpxq.com and many forums, in plain text or inside a web page.
//!
//! Squares are two digits, the file from the left and the rank from Black's side. `binit` has 32 squares in the order
//! of the pieces of XQF, 99 for none; `movelist` the main line; `move_B_N_V` variation `V`, which replaces move `N` of
//! line `B`; `commentN` and `commentB_N` the comments. Nothing says whose move it is, so the first move's piece decides.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};

use movegen::{Color, Move, Piece, Position, Square};

use super::binary::{self, Branch};
use super::error::{Damaged, GameError, Problem};
use super::game::{Game, NodeId, Outcome};
use super::text::{self, Located};

/// Fields and the tags they become.
const FIELDS: [(&str, &str); 13] = [
    ("title", "Title"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("open", "Opening"),
    ("author", "Author"),
    ("remark", "Annotator"),
    ("timerule", "TimeControl"),
];

/// Reads every game of a decoded text or page.
pub(super) fn games(whole: &str) -> Vec<Result<Game, GameError>> {
    let mut found = Vec::new();
    let mut places = text::Places::new(whole);
    let next_begin = |at: usize| text::find_ignore_case(&whole[at..], "[DhtmlXQ]").map(|start| at + start);
    let mut begin = next_begin(0);
    while let Some(start) = begin.map(|begin| begin + 9) {
        begin = next_begin(start);
        // Without its end a game still ends where the next one begins.
        let section = &whole[start..begin.unwrap_or(whole.len())];
        let section = text::find_ignore_case(section, "[/DhtmlXQ]").map_or(section, |end| &section[..end]);
        found.push(game(section).map_err(|(offset, problem, partial)| {
            places.error(found.len() + 1, (start + offset, problem, partial))
        }));
    }
    if found.is_empty() {
        found.push(Err(text::error(whole, 1, (0, Problem::NotThisFormat("a [DhtmlXQ] game"), None))));
    }
    found
}

struct Field<'a> {
    raw: &'a str,
    offset: usize,
}

/// All `[DhtmlXQ_name]value[/DhtmlXQ_name]`, names in small letters.
fn fields(section: &str) -> Result<BTreeMap<String, Field<'_>>, (usize, Problem)> {
    const OPEN: &str = "[DhtmlXQ_";
    let mut fields = BTreeMap::new();
    let mut at = 0;
    while let Some(start) = text::find_ignore_case(&section[at..], OPEN).map(|start| at + start) {
        let name_at = start + OPEN.len();
        let Some(name) = section[name_at..].find(']').map(|end| &section[name_at..name_at + end]) else {
            return Err((start, Problem::Truncated("a field's name")));
        };
        let value_at = name_at + name.len() + 1;
        let close = format!("[/DhtmlXQ_{name}]");
        match text::find_ignore_case(&section[value_at..], &close) {
            Some(length) => {
                let raw = &section[value_at..value_at + length];
                fields.entry(name.to_ascii_lowercase()).or_insert(Field { raw, offset: value_at });
                at = value_at + length + close.len();
            }
            None => return Err((start, Problem::Truncated("a field (its end is missing)"))),
        }
    }
    Ok(fields)
}

fn game(section: &str) -> Result<Game, Damaged> {
    let fields = fields(section).map_err(|(offset, problem)| (offset, problem, None))?;
    let board = match fields.get("binit").filter(|field| !field.raw.trim().is_empty()) {
        Some(field) => board(field).map_err(|(offset, problem)| (offset, problem, None))?,
        None => Position::startpos().to_setup().board,
    };
    let moves = fields.get("movelist").map_or(Ok(Vec::new()), squares);
    let (moves, damage) = match moves {
        Ok(moves) => (moves, None),
        Err((read, damage)) => (read, Some(damage)),
    };
    let side = binary::side_from_first_move(&board, moves.first().and_then(|(from, ..)| *from))
        .unwrap_or(Color::Red);
    let start = binary::position(board, side)
        .map_err(|problem| (fields.get("binit").map_or(0, |field| field.offset), problem, None))?;
    let mut game = Game::new(start);
    for (name, tag) in FIELDS {
        if let Some(value) = fields.get(name).map(value).filter(|value| !value.is_empty()) {
            game.set_tag(tag, value);
        }
    }
    if let Some(result) = fields.get("result") {
        game.outcome = Outcome::from_word(&value(result)).unwrap_or_default();
    }
    let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
    let root = Branch::root(&game);
    match line(&mut game, root, &moves) {
        Ok(main) => lines.insert(0, main),
        Err((offset, problem)) => return Err((offset, problem, Some(Box::new(game)))),
    };
    if let Some((offset, problem)) = damage {
        return Err((offset, problem, Some(Box::new(game))));
    }
    if let Err((offset, problem)) = variations(&mut game, &mut lines, &fields) {
        return Err((offset, problem, Some(Box::new(game))));
    }
    for (name, field) in &fields {
        let Some(place) = name.strip_prefix("comment") else { continue };
        let (line, ply) = place.split_once('_').unwrap_or(("0", place));
        if let (Ok(line), Ok(ply)) = (line.parse::<u32>(), ply.parse::<usize>())
            && let Some(node) = lines.get(&line).and_then(|line| line.node(ply))
        {
            game.add_comment(node, &value(field));
        }
    }
    Ok(game)
}

/// Adds the variations, each after the line it leaves.
fn variations(
    game: &mut Game,
    lines: &mut BTreeMap<u32, Line>,
    fields: &BTreeMap<String, Field<'_>>,
) -> Result<(), (usize, Problem)> {
    let mut waiting: Vec<(u32, usize, u32, &Field<'_>)> = fields
        .iter()
        .filter_map(|(name, field)| {
            let mut numbers = name.strip_prefix("move_")?.split('_');
            let parent = numbers.next()?.parse().ok()?;
            let ply = numbers.next()?.parse().ok()?;
            let line = numbers.next()?.parse().ok()?;
            Some((parent, ply, line, field))
        })
        .collect();
    waiting.sort_by_key(|&(_, _, line, _)| line);
    // Parents normally have smaller numbers; each further round reads what waited for a parent of a larger one.
    while !waiting.is_empty() {
        let before = waiting.len();
        let mut still = Vec::new();
        for (parent, ply, number, field) in waiting {
            let Some(parent_line) = lines.get(&parent) else {
                still.push((parent, ply, number, field));
                continue;
            };
            let origin = ply.checked_sub(1).and_then(|ply| parent_line.node(ply)).ok_or_else(|| {
                let value = format!("move {ply} of line {parent}, which has none");
                (field.offset, Problem::BadField { field: "a variation", value })
            })?;
            let origin = Branch { node: origin, position: game.position(origin), ply: ply - 1 };
            let moves = squares(field).map_err(|(_, damage)| damage)?;
            let read = line(game, origin, &moves)?;
            lines.insert(number, read);
        }
        waiting = still;
        if waiting.len() == before {
            let (parent, _, _, field) = waiting[0];
            return Err((
                field.offset,
                Problem::BadField { field: "a variation", value: format!("the unknown line {parent}") },
            ));
        }
    }
    Ok(())
}

type Squares = Vec<(Option<Square>, Option<Square>, usize)>;

/// The nodes of a line, from the one it leaves on.
struct Line {
    first_ply: usize,
    nodes: Vec<NodeId>,
}

impl Line {
    fn node(&self, ply: usize) -> Option<NodeId> {
        self.nodes.get(ply.checked_sub(self.first_ply)?).copied()
    }
}

/// Plays the moves from a branch.
fn line(game: &mut Game, from: Branch, moves: &Squares) -> Result<Line, (usize, Problem)> {
    let mut line = Line { first_ply: from.ply, nodes: vec![from.node] };
    let mut branch = from;
    for &(from, to, offset) in moves {
        branch = branch.play(game, from, to).map_err(|problem| (offset, problem))?;
        line.nodes.push(branch.node);
    }
    Ok(line)
}

/// The moves of a list of digits; on damage those before it.
fn squares(field: &Field<'_>) -> Result<Squares, (Squares, (usize, Problem))> {
    let mut moves = Vec::new();
    let mut digits: Vec<u8> = Vec::with_capacity(4);
    let mut began = field.offset;
    for (index, c) in field.raw.char_indices() {
        let Some(digit) = c.to_digit(10) else {
            if c.is_whitespace() {
                continue;
            }
            let value = format!("`{c}` where digits are due");
            return Err((moves, (field.offset + index, Problem::BadField { field: "a move list", value })));
        };
        if digits.is_empty() {
            began = field.offset + index;
        }
        digits.push(digit as u8);
        if let [a, b, c, d] = digits[..] {
            let from = binary::square_from_top(a, b);
            moves.push((from, binary::square_from_top(c, d), began));
            digits.clear();
        }
    }
    if digits.is_empty() { Ok(moves) } else { Err((moves, (began, Problem::Truncated("a move")))) }
}

fn board(field: &Field<'_>) -> Result<[Option<Piece>; 90], (usize, Problem)> {
    let digits: Vec<u8> = field.raw.chars().filter_map(|c| c.to_digit(10)).map(|digit| digit as u8).collect();
    if digits.len() != 64 {
        let value = format!("{} digits, not 64", digits.len());
        return Err((field.offset, Problem::BadField { field: "binit", value }));
    }
    let mut board = [None; 90];
    for (slot, pair) in digits.chunks(2).enumerate() {
        if let Some(square) = binary::square_from_top(pair[0], pair[1]) {
            board[square.index()] = Some(binary::slot_piece(slot));
        }
    }
    Ok(board)
}

/// A field as plain text: no markup, `||` for a line break.
fn value(field: &Field<'_>) -> String {
    Located::from_html(field.raw).text().replace("||", "\n").trim().to_owned()
}

fn pair(square: Square) -> String {
    format!("{}{}", square.file() as u8, 9 - square.rank() as u8)
}

fn digits(mv: Move) -> String {
    pair(mv.from()) + &pair(mv.to())
}

/// Writes the game with its variations and comments.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "[DhtmlXQ]")?;
    for (name, tag) in FIELDS {
        if let Some(value) = game.tag(tag) {
            field(out, name, value)?;
        }
    }
    let result = match game.outcome {
        Outcome::RedWins => "红胜",
        Outcome::BlackWins => "黑胜",
        Outcome::Draw => "和棋",
        Outcome::Unknown => "未知",
    };
    field(out, "result", result)?;
    field(out, "binit", &binit(game.start()))?;
    let mut lines = VecDeque::from([(None, 1, game.next(NodeId::ROOT), 0)]);
    let mut last_number = 0;
    if !game.comment(NodeId::ROOT).is_empty() {
        field(out, "comment0", game.comment(NodeId::ROOT))?;
    }
    while let Some((parent, ply, first, number)) = lines.pop_front() {
        let nodes: Vec<NodeId> = std::iter::successors(first, |&id| game.next(id)).collect();
        let moves: String = nodes.iter().filter_map(|&id| game.mv(id)).map(digits).collect();
        match parent {
            None => field(out, "movelist", &moves)?,
            Some(parent) => field(out, &format!("move_{parent}_{ply}_{number}"), &moves)?,
        }
        for (index, &id) in nodes.iter().enumerate() {
            let at = ply + index;
            if !game.comment(id).is_empty() {
                let name = if number == 0 { format!("comment{at}") } else { format!("comment{number}_{at}") };
                field(out, &name, game.comment(id))?;
            }
            // The alternatives to a variation's own first move belong to the line it left.
            if index > 0 || parent.is_none() {
                for alternative in std::iter::successors(game.sibling(id), |&id| game.sibling(id)) {
                    last_number += 1;
                    lines.push_back((Some(number), at, Some(alternative), last_number));
                }
            }
        }
    }
    writeln!(out, "[/DhtmlXQ]\n")
}

fn field(out: &mut dyn Write, name: &str, value: &str) -> io::Result<()> {
    let value = value.replace("\r\n", "||").replace(['\r', '\n'], "||");
    let mut value = html_escape::encode_text(&value).into_owned();
    if text::find_ignore_case(&value, "DhtmlXQ").is_some() {
        // Nothing in a value may be taken for the markup around it.
        value = value.replace('[', "&#91;");
    }
    writeln!(out, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]")
}

fn binit(start: &Position) -> String {
    binary::slots(start).into_iter().map(|square| square.map_or_else(|| "99".to_owned(), pair)).collect()
}
