//! What a format cannot hold of a game.

use std::fmt;

use movegen::Color;

use super::format::Format;
use super::game::{Game, NodeId, Outcome, says_something};
use super::{cbr, dhtmlxq, pgn, wxf, xqf};
use crate::counted::{counted, things};

/// One kind of thing that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// So many moves of variations.
    Variations(usize),
    /// So many comments; the first one stands after so many moves of its line.
    Comments {
        /// How many.
        count: usize,
        /// Where the first one is.
        ply: usize,
    },
    /// So many glyphs such as `?` and `!`; the first one stands at the move of this number in its line.
    Glyphs {
        /// How many.
        count: usize,
        /// Where the first one is.
        ply: usize,
    },
    /// Tags of these names.
    Tags(Vec<String>),
    /// A tag of which only the beginning fits.
    CutTag {
        /// Its name.
        name: String,
        /// What is left of it.
        kept: String,
    },
    /// Tags whose names read back as others.
    RenamedTags(Vec<(String, String)>),
    /// Braces of texts, which become parentheses.
    Braces,
    /// So many comments before the first moves of variations, which are written after them.
    Moved(usize),
    /// Line breaks of comments, which become blanks.
    LineBreaks,
    /// Line breaks of tags, which become blanks.
    TagBreaks,
    /// Other control characters, which become blanks.
    ControlCharacters,
    /// The result.
    Result,
    /// The move counters of the start position.
    Counters,
    /// That it is Black's turn, in a game without moves to show it.
    Side,
}

impl Loss {
    /// Its kind, as summaries count it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Variations(_) => "variations",
            Self::Comments { .. } => "comments",
            Self::Glyphs { .. } => "glyphs",
            Self::Tags(_) => "tags",
            Self::CutTag { .. } => "the ends of long tags",
            Self::RenamedTags(_) => "the names of tags",
            Self::Braces => "braces",
            Self::Moved(_) => "the places of comments",
            Self::LineBreaks | Self::TagBreaks => "line breaks",
            Self::ControlCharacters => "control characters",
            Self::Result => "their results",
            Self::Counters => "move counters",
            Self::Side => "the side to move",
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variations(moves) => write!(f, "{} of variations left out", counted(*moves, "move")),
            Self::Comments { count, ply: 0 } => {
                write!(f, "{} left out (the first before move 1)", counted(*count, "comment"))
            }
            Self::Comments { count, ply } => {
                write!(f, "{} left out (the first at move {ply})", counted(*count, "comment"))
            }
            Self::Glyphs { count, ply } => {
                write!(f, "{} left out (the first at move {ply})", counted(*count, "glyph"))
            }
            Self::Tags(names) => write!(f, "{} {} left out", things(names.len(), "tag"), names.join(", ")),
            Self::CutTag { name, kept } => write!(f, "tag {name} cut to `{kept}`"),
            Self::RenamedTags(names) => {
                let names: Vec<String> =
                    names.iter().map(|(name, read)| format!("{name} as {read}")).collect();
                write!(f, "{} {} written in capitals", things(names.len(), "tag"), names.join(", "))
            }
            Self::Braces => write!(f, "braces written as parentheses"),
            Self::Moved(count) => write!(
                f,
                "{} before the first move of a variation written after it",
                counted(*count, "comment")
            ),
            Self::LineBreaks => write!(f, "line breaks of comments written as blanks"),
            Self::TagBreaks => write!(f, "line breaks of tags written as blanks"),
            Self::ControlCharacters => write!(f, "control characters written as blanks"),
            Self::Result => write!(f, "the result left out"),
            Self::Counters => write!(f, "the move counters of the start position left out"),
            Self::Side => write!(f, "that Black is to move, which only a move could show"),
        }
    }
}

/// All that a format could not hold of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses(Vec<Loss>);

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, loss) in self.0.iter().enumerate() {
            write!(f, "{}{loss}", if index == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

/// Whether a character is a control character that ends no line.
fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\r')
}

/// What becomes of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Whole,
    Beginning(String),
    Nothing,
}

/// Which comments a format holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comments {
    All,
    BeforeTheGame,
    /// And after its last move.
    AroundTheGame,
    No,
}

impl Losses {
    /// Nothing is lost.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One after the other, at most one of a kind but for cut tags.
    pub fn iter(&self) -> impl Iterator<Item = &Loss> {
        self.0.iter()
    }

    pub(super) fn of(game: &Game, format: Format) -> Self {
        let mut losses = Self::default();
        losses.of_tree(game, format);
        losses.of_tags(game, format);
        let start = game.start();
        if format == Format::Fen && game.outcome != Outcome::Unknown {
            losses.0.push(Loss::Result);
        }
        let has_counters = !matches!(format, Format::DhtmlXq | Format::Xqf | Format::Cbr | Format::Cbf);
        if !has_counters && (start.halfmove_clock(), start.fullmove_number()) != (0, 1) {
            losses.0.push(Loss::Counters);
        }
        let no_moves = game.next(NodeId::ROOT).is_none();
        if format == Format::DhtmlXq && start.side_to_move() == Color::Black && no_moves {
            losses.0.push(Loss::Side);
        }
        losses
    }

    fn of_tree(&mut self, game: &Game, format: Format) {
        let (variations, comments) = match format {
            Format::Pgn | Format::DhtmlXq | Format::Xqf | Format::Cbr | Format::Cbf => (true, Comments::All),
            Format::Wxf | Format::GameBox => (false, Comments::AroundTheGame),
            Format::Fen => (false, Comments::BeforeTheGame),
            Format::Json => (false, Comments::No),
        };
        let last = game.main_line().last();
        let has_braces = |id: NodeId| game.comment(id).contains(['{', '}']);
        let braces = match format {
            Format::Pgn => has_braces(NodeId::ROOT) || game.nodes().any(has_braces),
            Format::Wxf | Format::GameBox => {
                let kept = |name: &str| wxf::keeps(name) == Kept::Whole;
                let in_tag = game.tags().iter().any(|(name, value)| kept(name) && value.contains(['{', '}']));
                in_tag || has_braces(NodeId::ROOT) || last.is_some_and(has_braces)
            }
            _ => false,
        };
        if braces {
            self.0.push(Loss::Braces);
        }
        let breaks = |id: NodeId| {
            let comment = game.comment(id);
            let joined = format == Format::Fen || (format == Format::Pgn && !pgn::keeps_breaks(comment));
            joined && comment.contains(['\n', '\r'])
        };
        if breaks(NodeId::ROOT) || (format == Format::Pgn && game.nodes().any(breaks)) {
            self.0.push(Loss::LineBreaks);
        }
        // Of what comments may hold lists have no tabs.
        if format == Format::Fen && game.comment(NodeId::ROOT).contains('\t') {
            self.0.push(Loss::ControlCharacters);
        }
        let moved = game.nodes().filter(|&id| !game.comment_parts(id).0.is_empty()).count();
        if variations && format != Format::Pgn && moved > 0 {
            self.0.push(Loss::Moved(moved));
        }
        let kept: Vec<NodeId> = if variations { game.nodes().collect() } else { game.main_line().collect() };
        let beside = game.nodes().count() - kept.len();
        if beside > 0 {
            self.0.push(Loss::Variations(beside));
        }
        // What is lost with its variation is not counted again.
        let first = |count: usize, id: Option<&NodeId>| {
            (count > 0).then(|| (count, id.map_or(0, |&id| game.ply(id))))
        };
        let mut commented: Vec<NodeId> =
            kept.iter().copied().filter(|&id| !game.comment(id).is_empty()).collect();
        if comments == Comments::AroundTheGame {
            commented.retain(|&id| Some(id) != last);
        }
        if comments == Comments::No && !game.comment(NodeId::ROOT).is_empty() {
            commented.insert(0, NodeId::ROOT);
        }
        if comments != Comments::All
            && let Some((count, ply)) = first(commented.len(), commented.first())
        {
            self.0.push(Loss::Comments { count, ply });
        }
        let glyphs: usize = kept.iter().map(|&id| game.nags(id).len()).sum();
        if format != Format::Pgn
            && let Some((count, ply)) = first(glyphs, kept.iter().find(|&&id| !game.nags(id).is_empty()))
        {
            self.0.push(Loss::Glyphs { count, ply });
        }
    }

    fn of_tags(&mut self, game: &Game, format: Format) {
        let mut left_out = Vec::new();
        let (mut has_breaks, mut has_controls) = (false, false);
        for (name, value) in game.tags() {
            if !says_something(value) {
                continue;
            }
            let kept = match format {
                Format::Pgn => pgn::keeps(name),
                Format::Wxf | Format::GameBox => wxf::keeps(name),
                Format::DhtmlXq => dhtmlxq::keeps(name),
                Format::Xqf => xqf::keeps(name, value),
                Format::Cbr => cbr::keeps(name, value),
                Format::Json => Kept::Whole,
                Format::Fen | Format::Cbf => Kept::Nothing,
            };
            if kept != Kept::Nothing && matches!(format, Format::Pgn | Format::Wxf | Format::GameBox) {
                has_breaks |= value.contains(['\n', '\r']);
                has_controls |= format == Format::Pgn && value.contains(is_control);
            }
            match kept {
                Kept::Whole => {}
                Kept::Beginning(kept) => self.0.push(Loss::CutTag { name: name.clone(), kept }),
                Kept::Nothing => left_out.push(name.clone()),
            }
        }
        if !left_out.is_empty() {
            self.0.push(Loss::Tags(left_out));
        }
        if has_breaks {
            self.0.push(Loss::TagBreaks);
        }
        if has_controls {
            self.0.push(Loss::ControlCharacters);
        }
        if matches!(format, Format::Wxf | Format::GameBox) {
            let said = game.tags().iter().filter(|(_, value)| says_something(value));
            let renamed: Vec<(String, String)> =
                said.filter_map(|(name, _)| Some((name.clone(), wxf::renamed(name)?))).collect();
            if !renamed.is_empty() {
                self.0.push(Loss::RenamedTags(renamed));
            }
        }
    }
}
