//! DhtmlXQ, the `[DhtmlXQ]` markup of dpxq.com and many forums, in plain text or inside a web page.
//!
//! Squares are two digits, the file from the left and the rank from Black's side. `binit` has 32 squares in the order
//! of the pieces of XQF, 99 for none; `movelist` the main line; `move_B_N_V` variation `V`, which replaces move `N` of
//! line `B`; `commentN` and `commentB_N` the comments. Nothing says whose move it is, so the first move's piece decides.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};

use movegen::{Color, Move, Piece, Position, Square};

use super::binary::{self, Branch, Damage};
use super::error::{Damaged, Doubt, Problem, Warning};
use super::game::{Game, NodeId, Outcome};
use super::losses::Kept;
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

struct Field<'a> {
    raw: &'a str,
    offset: usize,
}

type Fields<'a> = BTreeMap<String, Field<'a>>;

/// All `[DhtmlXQ_name]value[/DhtmlXQ_name]`, names in small letters, up to the first one without its end.
fn fields(section: &str) -> (Fields<'_>, Option<Damage>) {
    const OPEN: &str = "[DhtmlXQ_";
    let mut fields = BTreeMap::new();
    let mut at = 0;
    while let Some(start) = text::find_ignore_case(&section[at..], OPEN).map(|start| at + start) {
        let name_at = start + OPEN.len();
        let Some(name) = section[name_at..].find(']').map(|end| &section[name_at..name_at + end]) else {
            return (fields, Some((start, Problem::Truncated("a field's name"))));
        };
        let value_at = name_at + name.len() + 1;
        let close = format!("[/DhtmlXQ_{name}]");
        let Some(length) = text::find_ignore_case(&section[value_at..], &close) else {
            return (fields, Some((start, Problem::Truncated("a field (its end is missing)"))));
        };
        let raw = &section[value_at..value_at + length];
        fields.entry(name.to_ascii_lowercase()).or_insert(Field { raw, offset: value_at });
        at = value_at + length + close.len();
    }
    (fields, None)
}

/// Reads what stands between `[DhtmlXQ]` and `[/DhtmlXQ]`, decoded.
///
/// Damage costs the line it is in from there on, and no other line or comment.
pub(super) fn game(section: &str) -> Result<Game, Damaged> {
    let (fields, cut_off) = fields(section);
    if fields.is_empty() {
        let (offset, problem) = cut_off.unwrap_or((0, Problem::NoGame));
        return Err((offset, problem, None));
    }
    let board = match fields.get("binit").filter(|field| !field.raw.trim().is_empty()) {
        Some(field) => board(field).map_err(|(offset, problem)| (offset, problem, None))?,
        None => Position::startpos().to_setup().board,
    };
    let (moves, bad_list) = fields.get("movelist").map(squares).unwrap_or_default();
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
        game.set_result(&value(result), result.offset);
    }
    let root = Branch::root(&game);
    let (main, bad_move) = Line::read(&mut game, root, &moves);
    let last = main.nodes.last().copied();
    let mut lines = BTreeMap::from([(0, main)]);
    let bad_variation = variations(&mut game, &mut lines, &fields);
    comments(&mut game, &lines, &fields);
    let full = last.and_then(|last| game.end_main_line(last).err()).map(|full| (0, full.into()));
    match bad_move.or(bad_list).or(bad_variation).or(cut_off).or(full) {
        Some((offset, problem)) => Err((offset, problem, Some(Box::new(game)))),
        None => Ok(game),
    }
}

fn comments(game: &mut Game, lines: &BTreeMap<u32, Line>, fields: &Fields<'_>) {
    for (name, field) in fields {
        let Some(place) = name.strip_prefix("comment") else { continue };
        let (line, ply) = place.split_once('_').unwrap_or(("0", place));
        let (Ok(line), Ok(ply)) = (line.parse::<u32>(), ply.parse::<usize>()) else { continue };
        match lines.get(&line).and_then(|line| line.node(ply)) {
            Some(node) => game.add_comment(node, &value(field)),
            None if value(field).is_empty() => {}
            None => game.warnings.push(Warning::at(field.offset, Doubt::LostComment(name.clone()))),
        }
    }
}

/// A variation that waits for the line it leaves.
struct Waiting<'a> {
    parent: u32,
    ply: usize,
    number: u32,
    field: &'a Field<'a>,
}

impl<'a> Waiting<'a> {
    /// From a field such as `move_0_12_3`.
    fn new(name: &str, field: &'a Field<'a>) -> Option<Self> {
        let mut numbers = name.strip_prefix("move_")?.split('_');
        let parent = numbers.next()?.parse().ok()?;
        let ply = numbers.next()?.parse().ok()?;
        let number = numbers.next()?.parse().ok()?;
        Some(Self { parent, ply, number, field })
    }

    fn is_nowhere(&self) -> Damage {
        let value = format!("move {} of line {}, which is not there", self.ply, self.parent);
        (self.field.offset, Problem::BadField { field: "a variation", value })
    }
}

/// Adds the variations, each after the line it leaves and the smallest number first; gives back the first damage.
fn variations(game: &mut Game, lines: &mut BTreeMap<u32, Line>, fields: &Fields<'_>) -> Option<Damage> {
    let mut damage = None;
    let mut waiting: BTreeMap<u32, Vec<Waiting<'_>>> = BTreeMap::new();
    for variation in fields.iter().filter_map(|(name, field)| Waiting::new(name, field)) {
        waiting.entry(variation.parent).or_default().push(variation);
    }
    // Those whose line is there; the index tells apart those of one number.
    let mut ready: BTreeMap<(u32, usize), Waiting<'_>> = BTreeMap::new();
    let mut count = 0;
    let mut release = |ready: &mut BTreeMap<_, _>, line: u32| {
        for variation in waiting.remove(&line).unwrap_or_default() {
            ready.insert((variation.number, count), variation);
            count += 1;
        }
    };
    release(&mut ready, 0);
    while let Some((_, variation)) = ready.pop_first() {
        let parent = lines.get(&variation.parent);
        let Some(origin) = parent.and_then(|line| line.before(game, variation.ply)) else {
            damage.get_or_insert_with(|| variation.is_nowhere());
            continue;
        };
        let (moves, bad_list) = squares(variation.field);
        let (line, bad_move) = Line::read(game, origin, &moves);
        if let Some(bad) = bad_move.or(bad_list) {
            damage.get_or_insert(bad);
        }
        lines.insert(variation.number, line);
        release(&mut ready, variation.number);
    }
    damage.or_else(|| waiting.values().flatten().next().map(Waiting::is_nowhere))
}

/// Origin, target and place of each move.
type Squares = Vec<(Option<Square>, Option<Square>, usize)>;

/// The nodes of a line, from the one it leaves on.
struct Line {
    first_ply: usize,
    nodes: Vec<NodeId>,
    /// The position at every [`Line::STEP`]th node, so that many variations of a long line take no replay of it each.
    positions: Vec<Position>,
}

impl Line {
    const STEP: usize = 64;

    /// Plays the moves from a branch, up to the first damage.
    fn read(game: &mut Game, from: Branch, moves: &Squares) -> (Self, Option<Damage>) {
        let mut line =
            Self { first_ply: from.ply, nodes: vec![from.node], positions: vec![from.position.clone()] };
        let mut branch = from;
        for &(from, to, offset) in moves {
            branch = match branch.play(game, from, to) {
                Ok(next) => next,
                Err(problem) => return (line, Some((offset, problem))),
            };
            if line.nodes.len().is_multiple_of(Self::STEP) {
                line.positions.push(branch.position.clone());
            }
            line.nodes.push(branch.node);
        }
        (line, None)
    }

    fn node(&self, ply: usize) -> Option<NodeId> {
        self.nodes.get(ply.checked_sub(self.first_ply)?).copied()
    }

    /// Where a variation begins that replaces the move of this number.
    fn before(&self, game: &Game, number: usize) -> Option<Branch> {
        let ply = number.checked_sub(1)?;
        let node = self.node(ply)?;
        let index = ply - self.first_ply;
        let known = self.positions.get(index / Self::STEP)?.clone();
        let since = &self.nodes[index / Self::STEP * Self::STEP + 1..=index];
        let position =
            since.iter().filter_map(|&id| game.mv(id)).fold(known, |position, mv| position.play(mv));
        Some(Branch { node, position, ply })
    }
}

/// The moves of a list of digits, up to the first damage.
fn squares(field: &Field<'_>) -> (Squares, Option<Damage>) {
    let mut moves = Vec::new();
    let mut digits: Vec<u8> = Vec::with_capacity(4);
    let mut began = field.offset;
    for (index, c) in field.raw.char_indices() {
        let Some(digit) = c.to_digit(10) else {
            if c.is_whitespace() {
                continue;
            }
            let value = format!("`{c}` where digits are due");
            return (moves, Some((field.offset + index, Problem::BadField { field: "a move list", value })));
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
    let damage = (!digits.is_empty()).then_some((began, Problem::Truncated("a move")));
    (moves, damage)
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
    // Before entities are decoded, among them bars that stand for themselves.
    let raw = field.raw.replace("||", "\n");
    Located::from_html(&raw).text().trim().to_owned()
}

fn pair(square: Square) -> String {
    format!("{}{}", square.file() as u8, 9 - square.rank() as u8)
}

fn digits(mv: Move) -> String {
    pair(mv.from()) + &pair(mv.to())
}

/// What becomes of a tag: there are as many as there are fields.
pub(super) fn keeps(name: &str) -> Kept {
    if FIELDS.iter().any(|(_, tag)| tag.eq_ignore_ascii_case(name)) { Kept::Whole } else { Kept::Nothing }
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
    let mut value = html_escape::encode_text(value).into_owned();
    if value.contains("||") || (value.contains('|') && value.contains(['\r', '\n'])) {
        value = value.replace('|', "&#124;");
    }
    value = value.replace("\r\n", "||").replace(['\r', '\n'], "||");
    if text::find_ignore_case(&value, "DhtmlXQ").is_some() {
        // Nothing in a value may be taken for the markup around it.
        value = value.replace('[', "&#91;");
    }
    writeln!(out, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]")
}

fn binit(start: &Position) -> String {
    binary::slots(start).into_iter().map(|square| square.map_or_else(|| "99".to_owned(), pair)).collect()
}
