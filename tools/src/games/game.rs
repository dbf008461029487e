//! A game as a tree of moves with comments.

use std::collections::HashMap;
use std::fmt;

use movegen::{FenError, MAX_COUNTER, Move, Position};

use super::error::{Doubt, Warning};

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Red won.
    RedWins,
    /// Black won.
    BlackWins,
    /// Nobody won.
    Draw,
    /// Not finished, or not known.
    #[default]
    Unknown,
}

impl Outcome {
    /// The outcome that a word of a file stands for: `1-0`, `1:0`, `红胜`, `W`, `Hòa` ...; `None` if it is no such word.
    pub fn from_word(word: &str) -> Option<Self> {
        let word = word.trim();
        // No such word is as long, and a text without blanks may be.
        if word.len() > 40 {
            return None;
        }
        let mut word = word.to_lowercase();
        if word.contains(|c: char| c.is_ascii_digit() || c == '½') {
            word = word.replace([':', '：', '–', '—', '−'], "-");
        }
        Some(match word.as_str() {
            "1-0" | "w" | "红胜" | "紅勝" | "红先胜" | "紅先勝" | "先胜" | "先勝" | "red" | "red wins"
            | "đỏ thắng" | "trắng thắng" => Self::RedWins,
            "0-1" | "l" | "黑胜" | "黑勝" | "红负" | "紅負" | "红先负" | "紅先負" | "先负" | "先負"
            | "black" | "black wins" | "đen thắng" => Self::BlackWins,
            "1/2-1/2" | "1/2" | "½-½" | "0.5-0.5" | "d" | "和棋" | "和" | "和局" | "红和" | "紅和"
            | "先和" | "draw" | "hòa" | "hoà" => Self::Draw,
            "*" | "-" | "" | "?" | "未知" | "不明" => Self::Unknown,
            _ => return None,
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::RedWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}

/// A node of a game's tree: the position after its move; [`NodeId::ROOT`] is the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The start position.
    pub const ROOT: Self = Self(0);
    const NONE: Self = Self(u32::MAX);

    fn known(self) -> Option<Self> {
        (self != Self::NONE).then_some(self)
    }
}

/// The tree takes no more moves: a line is longer than [`Game::MAX_PLIES`] or variations are nested deeper than
/// [`Game::MAX_NESTING`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a line of more than {} moves, or variations nested more than {} deep",
    Game::MAX_PLIES,
    Game::MAX_NESTING
)]
pub struct TreeFull;

#[derive(Clone, Debug)]
struct Node {
    mv: Option<Move>,
    parent: NodeId,
    first_child: NodeId,
    last_child: NodeId,
    next_sibling: NodeId,
    /// Variations entered on the way here.
    nesting: u16,
    /// Moves on the way here.
    ply: u16,
    notes: Option<Box<Notes>>,
}

#[derive(Clone, Debug, Default)]
struct Notes {
    comment: String,
    /// So many bytes of the comment stand before the move, which is the first one of a variation.
    before: usize,
    nags: Vec<u8>,
}

/// A game: tags, a start position and a tree of moves; a node's first child continues its line, the others are variations.
///
/// Every move in the tree was legal where it was added: readers check before they add.
#[derive(Clone, Debug)]
pub struct Game {
    tags: Vec<(String, String)>,
    /// Where tags stand, by their names in small letters; only once there are more than [`Game::FEW_TAGS`], as in hostile files.
    tag_index: HashMap<String, usize>,
    start: Position,
    /// How the game ended.
    pub outcome: Outcome,
    /// What the reader wants known about its file.
    pub warnings: Vec<Warning>,
    nodes: Vec<Node>,
}

/// Tags of PGN that say what the game has as its own properties, or what its file is like: they are no tags of a [`Game`].
const PROPERTIES: [&str; 5] = ["Result", "FEN", "Format", "Variant", "SetUp"];

/// Whether a `Variant` stands for xiangqi.
fn is_xiangqi(variant: &str) -> bool {
    const NAMES: [&str; 9] =
        ["", "?", "xiangqi", "chinese chess", "chinesechess", "cchess", "cờ tướng", "象棋", "中国象棋"];
    NAMES.contains(&variant.trim().to_lowercase().as_str())
}

/// Whether a tag's value is more than the placeholders of PGN.
pub(super) fn says_something(value: &str) -> bool {
    !matches!(value.trim(), "" | "?" | "????.??.??")
}

impl Game {
    /// Variations may be nested this deep, so that writers can recurse over them.
    pub const MAX_NESTING: u16 = 300;
    /// No line is longer, so that readers can keep the positions of a line.
    pub const MAX_PLIES: u16 = 10_000;
    /// So many tags are looked through one by one.
    const FEW_TAGS: usize = 50;

    /// A game without moves.
    pub fn new(start: Position) -> Self {
        let root = Node {
            mv: None,
            parent: NodeId::NONE,
            first_child: NodeId::NONE,
            last_child: NodeId::NONE,
            next_sibling: NodeId::NONE,
            nesting: 0,
            ply: 0,
            notes: None,
        };
        let (tags, tag_index, warnings) = (Vec::new(), HashMap::new(), Vec::new());
        Self { tags, tag_index, start, outcome: Outcome::Unknown, warnings, nodes: vec![root] }
    }

    /// A game without moves that begins at the FEN of a file, which stands at `offset`.
    pub(super) fn at_fen(fen: &str, offset: usize) -> Result<Self, FenError> {
        let mut game = Self::new(Position::from_fen(fen)?);
        let is_cut = |number: &&str| {
            let digits = number.strip_prefix('-').unwrap_or(number);
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number && number.parse::<u16>().map_or(true, |number| number > MAX_COUNTER)
        };
        // Of counters given twice the first ones count.
        let counters =
            fen.split_whitespace().skip(2).filter(|field| field.contains(|c: char| c.is_ascii_digit()));
        for number in counters.take(2).filter(is_cut) {
            game.warnings.push(Warning::at(offset, Doubt::CutCounter(number.chars().take(20).collect())));
        }
        Ok(game)
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// All tags in the order of the file, without `Result`, `FEN`, `Format`, `Variant` and `SetUp`: those are properties
    /// of the game or of the file.
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// The value of a tag, unless it is empty or says that nothing is known.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let (_, value) = &self.tags[self.find_tag(name)?];
        says_something(value).then_some(value)
    }

    fn find_tag(&self, name: &str) -> Option<usize> {
        if self.tags.len() > Self::FEW_TAGS {
            return self.tag_index.get(&name.to_ascii_lowercase()).copied();
        }
        self.tags.iter().position(|(tag, _)| tag.eq_ignore_ascii_case(name))
    }

    /// Sets a tag, replacing an earlier value. Names of properties, which are no tags (see [`Self::tags`]), are passed over: readers
    /// take them for what they say.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        if PROPERTIES.iter().any(|property| property.eq_ignore_ascii_case(name)) {
            return;
        }
        let value = value.into();
        if let Some(known) = self.find_tag(name) {
            self.tags[known].1 = value;
            return;
        }
        self.tags.push((name.to_owned(), value));
        if self.tags.len() > Self::FEW_TAGS {
            let new = self.tags.iter().enumerate().skip(self.tag_index.len());
            self.tag_index.extend(new.map(|(index, (tag, _))| (tag.to_ascii_lowercase(), index)));
        }
    }

    /// Takes the outcome from a word of the file, which stands at `offset`.
    pub(super) fn set_result(&mut self, word: &str, offset: usize) {
        match Outcome::from_word(word) {
            Some(outcome) => self.outcome = outcome,
            None => self.warnings.push(Warning::at(offset, Doubt::UnknownResult(word.to_owned()))),
        }
    }

    /// Takes the variant from a word of the file, which stands at `offset`: there is xiangqi alone.
    pub(super) fn set_variant(&mut self, word: &str, offset: usize) {
        if !is_xiangqi(word) {
            self.warnings.push(Warning::at(offset, Doubt::OtherVariant(word.to_owned())));
        }
    }

    /// Adds a move as the last child of `parent`: the first one continues the line, later ones are variations. A move
    /// that is there already is not added twice.
    ///
    /// # Errors
    /// [`TreeFull`] if variations are nested too deep.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, TreeFull> {
        let known = self.children(parent).find(|&child| self.mv(child) == Some(mv));
        known.map_or_else(|| self.push(parent, mv), Ok)
    }

    /// Adds the move that continues the line of `parent`, be it that variations have gone on from there before.
    pub(super) fn continue_line(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, TreeFull> {
        let id = self.add(parent, mv)?;
        self.promote(parent, id)?;
        Ok(id)
    }

    /// Ends the main line at its node `last`: if a variation that began with the same moves has gone on from there, it gets
    /// that last move for itself.
    pub(super) fn end_main_line(&mut self, last: NodeId) -> Result<(), TreeFull> {
        if let (Some(parent), Some(mv), Some(_)) = (self.parent(last), self.mv(last), self.next(last)) {
            let end = self.push(parent, mv)?;
            self.promote(parent, end)?;
            self.nodes[end.0 as usize].notes = self.nodes[last.0 as usize].notes.take();
        }
        Ok(())
    }

    fn push(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, TreeFull> {
        let id = NodeId(u32::try_from(self.nodes.len()).ok().filter(|&id| id != u32::MAX).ok_or(TreeFull)?);
        let above = &self.nodes[parent.0 as usize];
        let (last, nesting) =
            (above.last_child, above.nesting + u16::from(above.first_child != NodeId::NONE));
        let ply = above.ply + 1;
        if nesting > Self::MAX_NESTING || ply > Self::MAX_PLIES {
            return Err(TreeFull);
        }
        self.nodes.push(Node {
            mv: Some(mv),
            parent,
            first_child: NodeId::NONE,
            last_child: NodeId::NONE,
            next_sibling: NodeId::NONE,
            nesting,
            ply,
            notes: None,
        });
        match last.known() {
            Some(last) => self.nodes[last.0 as usize].next_sibling = id,
            None => self.nodes[parent.0 as usize].first_child = id,
        }
        self.nodes[parent.0 as usize].last_child = id;
        Ok(id)
    }

    /// Makes a child the first one.
    fn promote(&mut self, parent: NodeId, id: NodeId) -> Result<(), TreeFull> {
        let Some(before) = self.children(parent).find(|&child| self.sibling(child) == Some(id)) else {
            return Ok(());
        };
        let (above, after) = (parent.0 as usize, self.node(id).next_sibling);
        let first = std::mem::replace(&mut self.nodes[above].first_child, id);
        self.nodes[id.0 as usize].next_sibling = first;
        self.nodes[before.0 as usize].next_sibling = after;
        if after == NodeId::NONE {
            self.nodes[above].last_child = before;
        }
        self.shift_nesting(id, -1)?;
        self.shift_nesting(first, 1)
    }

    /// Tells a node and all below it that variations there are nested deeper or less deep.
    fn shift_nesting(&mut self, top: NodeId, by: i16) -> Result<(), TreeFull> {
        let mut below = vec![top];
        while let Some(id) = below.pop() {
            below.extend(self.children(id));
            let nesting = &mut self.nodes[id.0 as usize].nesting;
            *nesting = nesting.saturating_add_signed(by);
            if *nesting > Self::MAX_NESTING {
                return Err(TreeFull);
            }
        }
        Ok(())
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The move that leads to a node; `None` for the root.
    pub fn mv(&self, id: NodeId) -> Option<Move> {
        self.node(id).mv
    }

    /// How many moves lead to a node.
    pub fn ply(&self, id: NodeId) -> usize {
        usize::from(self.node(id).ply)
    }

    /// The node a node was added to; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent.known()
    }

    /// The move that continues the line of a node.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).first_child.known()
    }

    /// The node's next alternative.
    pub fn sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).next_sibling.known()
    }

    /// The continuation of a node and its alternatives.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next(id), |&child| self.sibling(child))
    }

    /// Whether a move added to a node would continue the main line.
    pub(super) fn is_end_of_main_line(&self, id: NodeId) -> bool {
        self.next(id).is_none() && self.main_line().last().unwrap_or(NodeId::ROOT) == id
    }

    /// All nodes but the root, parents before their children.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        (1..self.nodes.len()).map(|index| NodeId(index as u32))
    }

    /// The nodes of the main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next(NodeId::ROOT), |&id| self.next(id))
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.main_line().filter_map(|id| self.mv(id))
    }

    /// The comment after a node's move (for the root: before the first move); empty if there is none.
    pub fn comment(&self, id: NodeId) -> &str {
        self.node(id).notes.as_ref().map_or("", |notes| &notes.comment)
    }

    /// Adds to the comment of a node.
    pub fn add_comment(&mut self, id: NodeId, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let comment = &mut self.notes_mut(id).comment;
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(text);
    }

    /// Adds a comment that stands before the move of a node; it is the beginning of the node's comment.
    pub(super) fn add_comment_before(&mut self, id: NodeId, text: &str) {
        let is_first = self.comment(id).is_empty();
        self.add_comment(id, text);
        if is_first && !text.trim().is_empty() {
            let notes = self.notes_mut(id);
            notes.before = notes.comment.len();
        }
    }

    /// What of a node's comment stands before its move, and what after it.
    pub(super) fn comment_parts(&self, id: NodeId) -> (&str, &str) {
        let before = self.node(id).notes.as_ref().map_or(0, |notes| notes.before);
        let (before, after) = self.comment(id).split_at_checked(before).unwrap_or_default();
        (before, after.trim_start())
    }

    /// Replaces the comment of a node.
    pub fn set_comment(&mut self, id: NodeId, text: &str) {
        if !text.trim().is_empty() || self.node(id).notes.is_some() {
            let notes = self.notes_mut(id);
            text.trim().clone_into(&mut notes.comment);
            notes.before = 0;
        }
    }

    /// The numeric glyphs of a node, as PGN numbers them (1 good, 2 bad, 6 doubtful ...).
    pub fn nags(&self, id: NodeId) -> &[u8] {
        self.node(id).notes.as_ref().map_or(&[], |notes| &notes.nags)
    }

    /// Adds a numeric glyph.
    pub fn add_nag(&mut self, id: NodeId, nag: u8) {
        let nags = &mut self.notes_mut(id).nags;
        if !nags.contains(&nag) {
            nags.push(nag);
        }
    }

    fn notes_mut(&mut self, id: NodeId) -> &mut Notes {
        self.nodes[id.0 as usize].notes.get_or_insert_default()
    }

    /// The position after a node's move; replays the line that leads there.
    pub fn position(&self, id: NodeId) -> Position {
        let line: Vec<Move> =
            std::iter::successors(Some(id), |&id| self.parent(id)).filter_map(|id| self.mv(id)).collect();
        line.into_iter().rev().fold(self.start.clone(), |position, mv| position.play(mv))
    }

    /// All nodes but the root, each with the position before its move: a move, its line, then its alternatives.
    pub fn walk(&self, mut visit: impl FnMut(NodeId, Move, &Position)) {
        // At most one entry for each move of the line in hand.
        let mut stack: Vec<(NodeId, Position)> =
            self.next(NodeId::ROOT).map(|first| (first, self.start.clone())).into_iter().collect();
        while let Some((id, before)) = stack.pop() {
            let Some(mv) = self.mv(id) else { continue };
            visit(id, mv, &before);
            let below = self.next(id).map(|next| (next, before.play(mv)));
            stack.extend(self.sibling(id).map(|sibling| (sibling, before)));
            stack.extend(below);
        }
    }
}
