//! From the words of a game's moves to the moves, in whatever notation they are.

use std::borrow::Cow;

use movegen::notation::{self, Notation, NotationError, RankBase};
use movegen::{Move, Position};

use super::encoding;
use super::error::{Doubt, Problem, Warning};
use super::game::{Game, NodeId, Outcome, TreeFull};
use super::movetext::{Kind, Token, tokenize};

/// What went wrong, and at which byte of the text.
pub(super) type Damage = (usize, Problem);

/// What is known of the notation before the moves are seen.
#[derive(Clone, Copy, Debug)]
pub(super) enum Hint {
    /// The user says so: it is this one.
    Certain(Notation),
    /// The file says so, or its format is usually written so: the moves may show another.
    Likely(Notation),
    /// The moves have to show it.
    Unknown,
}

/// Reads the moves of `text`, which begins at `base` of the reader's text, into `game`, which has no moves yet, and says whether
/// a result stood at their end.
///
/// On damage, `game` holds all that was read before it.
pub(super) fn read_into(game: &mut Game, text: &str, base: usize, hint: Hint) -> Result<bool, Damage> {
    let earlier = game.warnings.len();
    let tokens = tokenize(text);
    for (offset, doubt) in tokens.doubts {
        game.warnings.push(Warning::at(offset, doubt));
    }
    let moves = tokens.list.iter().filter_map(|token| match token.kind {
        Kind::Move(text) => Some(narrow(text)),
        _ => None,
    });
    let moves: Vec<Cow<'_, str>> = moves.take(400).collect();
    let found = notation::detect(moves.iter().map(AsRef::as_ref));
    let replayed = match candidates(hint, found)[..] {
        [] if moves.is_empty() => Replay::new(game, None, true).run(&tokens.list),
        [] => replay_shared_forms(game, &tokens.list, None),
        // Vietnamese letters with WXF forms in between show WXF.
        [only @ Notation::Wxf(_)] if matches!(hint, Hint::Unknown) => {
            replay_shared_forms(game, &tokens.list, Some(only))
        }
        [only] => Replay::new(game, Some(only), true).run(&tokens.list),
        [first, ref others @ ..] => replay_any(game, &tokens.list, first, others),
    };
    for warning in &mut game.warnings[earlier..] {
        warning.move_to(|offset| base + offset);
    }
    let read = match (replayed, tokens.damage) {
        // A variation is open because the damage came before its end.
        (Ok(_) | Err((_, Problem::OpenVariation(_))), Some(damage)) => Err(damage),
        (replayed, _) => replayed,
    };
    read.map_err(|(offset, problem)| (base + offset, problem))
}

/// Whether a line of a text of unknown content begins the moves of a game: a first move, if it is numbered as that, else two moves.
pub(super) fn begins_game(line: &[u8]) -> bool {
    let text = encoding::decode(line);
    let number = text.strip_prefix(['1', '１']);
    let needed = if number.is_some_and(|rest| rest.starts_with(['.', '．', '、'])) { 1 } else { 2 };
    let tokens = tokenize(&text);
    let moves: Vec<Cow<'_, str>> = tokens
        .list
        .iter()
        .filter(|token| !matches!(token.kind, Kind::Nag(_)))
        .map_while(|token| if let Kind::Move(text) = token.kind { Some(narrow(text)) } else { None })
        .take(needed)
        .collect();
    moves.len() == needed
        && Notation::NAMED.iter().any(|(_, notation)| {
            let read =
                |pos: Position, text: &Cow<'_, str>| notation.read(&pos, text).ok().map(|mv| pos.play(mv));
            moves.iter().try_fold(Position::startpos(), read).is_some()
        })
}

/// The ASCII form of a move in full-width letters, digits and signs; Chinese moves, which have such digits too, stay as they are.
fn narrow(text: &str) -> Cow<'_, str> {
    let is_wide = |c: char| matches!(c, '\u{ff01}'..='\u{ff5e}');
    if !text.contains(is_wide) || !text.chars().all(|c| c.is_ascii() || is_wide(c)) {
        return Cow::Borrowed(text);
    }
    let ascii = |c: char| if is_wide(c) { char::from((u32::from(c) - 0xfee0) as u8) } else { c };
    text.chars().map(ascii).collect()
}

/// The word for a notation in the `Format` of a file: xqbase's three where they exist, our names otherwise.
pub(super) fn format_name(notation: Notation) -> &'static str {
    match notation {
        Notation::COORDINATE | Notation::Iccs => "ICCS",
        Notation::Wxf(_) => "WXF",
        Notation::Chinese(..) => "Chinese",
        other => other.name(),
    }
}

/// What such a word means. An unknown word leaves it to the moves.
pub(super) fn format_notation(word: &str) -> Option<Notation> {
    if word.eq_ignore_ascii_case(BOX_WXF) { Some(Notation::WXF) } else { word.parse().ok() }
}

/// The word for WXF letters in a box, where `WXF` itself stands over Vietnamese letters.
const BOX_WXF: &str = "WXF-letters";

/// The word for a notation in the `FORMAT` of a `[game]` box.
pub(super) fn box_format_name(notation: Notation) -> &'static str {
    match notation {
        Notation::Vietnamese => "WXF",
        Notation::Wxf(_) => BOX_WXF,
        other => format_name(other),
    }
}

/// The notations that the moves may be in, the likeliest first; WXF twice, where Vietnamese letters are no more than possible.
fn candidates(hint: Hint, found: Option<Notation>) -> Vec<Notation> {
    use Notation::{Algebraic, Chinese, Coordinate, Iccs, Vietnamese, VietnameseWords, Wxf};
    let other = |base| if base == RankBase::One { RankBase::Zero } else { RankBase::One };
    let (named, found) = match (hint, found) {
        (Hint::Certain(named), _) => return vec![named],
        (Hint::Likely(named), found) => (named, found),
        // A game without a move to rank 0 or 10 shows no rank base; and `C8b6` may be coordinates after all.
        (Hint::Unknown, Some(found @ Algebraic(base))) => {
            return vec![found, Algebraic(other(base)), Notation::COORDINATE];
        }
        (Hint::Unknown, Some(found @ Coordinate(base))) => return vec![found, Coordinate(other(base))],
        (Hint::Unknown, found) => return found.into_iter().collect(),
    };
    match (named, found) {
        // What fits several notations shows nothing.
        (Wxf(_), None) => vec![named, Vietnamese],
        (Vietnamese | VietnameseWords, None) => vec![named, Notation::WXF],
        (Algebraic(RankBase::One), None) => vec![named, Algebraic(RankBase::Zero)],
        (Algebraic(RankBase::Zero), None) => vec![named, Algebraic(RankBase::One)],
        // Vietnamese letters hold WXF forms where they have none.
        (Wxf(_), Some(Wxf(_))) => vec![named, named, Vietnamese],
        (_, None)
        | (Chinese(..), Some(Chinese(..)))
        | (Vietnamese | VietnameseWords, Some(Vietnamese | VietnameseWords))
        | (Iccs, Some(Coordinate(RankBase::Zero))) => vec![named],
        (_, Some(found)) if found == named => vec![named],
        // Without a rank 0 or 10 the moves show no rank base; and Vietnamese games hold WXF forms where the letters have none.
        (Coordinate(RankBase::One), Some(found @ Coordinate(_)))
        // `C8b6` is a horse's move by coordinates, and a cannon's in algebraic letters: it shows neither.
        | (Algebraic(_), Some(found @ (Algebraic(_) | Coordinate(_))))
        | (Coordinate(_) | Iccs, Some(found @ Algebraic(_)))
        | (Vietnamese | VietnameseWords, Some(found @ Wxf(_))) => vec![named, found],
        (_, Some(found @ Wxf(_))) => vec![found, named, Vietnamese],
        (_, Some(found)) => vec![found, named],
    }
}

/// The game that the moves make in one notation alone, if they do.
fn replay_alone(game: &Game, tokens: &[Token<'_>], notation: Notation) -> Option<(Game, bool)> {
    let mut attempt = game.clone();
    let has_result = Replay::new(&mut attempt, Some(notation), false).run(tokens).ok()?;
    Some((attempt, has_result))
}

/// Replays moves of forms that WXF and the Vietnamese letters share, such as `P2-5`: in the one of them that makes a game of
/// them, or in both where they make the same. Where neither does, in the likelier one.
fn replay_shared_forms(
    game: &mut Game,
    tokens: &[Token<'_>],
    likelier: Option<Notation>,
) -> Result<bool, Damage> {
    let mut read = [Notation::WXF, Notation::Vietnamese]
        .into_iter()
        .filter_map(|notation| replay_alone(game, tokens, notation))
        .collect::<Vec<_>>();
    let is_one = |other: &Game, this: &Game| {
        this.nodes().map(|id| this.mv(id)).eq(other.nodes().map(|id| other.mv(id)))
    };
    match read.pop() {
        Some((only, has_result)) if read.iter().all(|(other, _)| is_one(other, &only)) => {
            *game = only;
            Ok(has_result)
        }
        Some(_) => Replay::new(game, None, true).run(tokens),
        None => Replay::new(game, likelier, true).run(tokens),
    }
}

/// The first of some notations that makes a game of the moves is theirs; else, of the likeliest two, the one that gets further.
///
/// Each is first tried alone: `B4-5` is a move in several, so a notation that reads only some of the moves may misread others.
fn replay_any(
    game: &mut Game,
    tokens: &[Token<'_>],
    first: Notation,
    others: &[Notation],
) -> Result<bool, Damage> {
    for notation in std::iter::once(first).chain(others.iter().copied()) {
        if let Some((whole, has_result)) = replay_alone(game, tokens, notation) {
            *game = whole;
            return Ok(has_result);
        }
    }
    let mut second_game = game.clone();
    let first_read = Replay::new(game, Some(first), true).run(tokens);
    let (Err((first_offset, _)), Some(&second)) = (&first_read, others.first()) else { return first_read };
    let second_read = Replay::new(&mut second_game, Some(second), true).run(tokens);
    match &second_read {
        Err((offset, _)) if offset <= first_offset => first_read,
        _ => {
            *game = second_game;
            second_read
        }
    }
}

/// A place in the tree with the position before and after its move.
#[derive(Clone)]
struct Cursor {
    node: NodeId,
    after: Position,
    /// The node before and the position there; `None` at the start of the game.
    before: Option<(NodeId, Position)>,
    ply: usize,
    /// The node is of this line, not one of the line that it left and has the same moves as so far.
    is_own: bool,
}

/// A game while its tokens are played.
struct Replay<'g> {
    game: &'g mut Game,
    notation: Option<Notation>,
    /// Single moves may be in another notation.
    lenient: bool,
    cursor: Cursor,
    /// Where the open variations branched off.
    stack: Vec<Cursor>,
    /// A comment before the first move of a variation goes to that move.
    pending: String,
    at_variation_start: bool,
    result_seen: bool,
    first_damage: Option<Damage>,
    /// Inside a damaged variation: how many more end before it does.
    skipping: Option<usize>,
}

impl<'g> Replay<'g> {
    fn new(game: &'g mut Game, notation: Option<Notation>, lenient: bool) -> Self {
        let after = game.start().clone();
        let cursor = Cursor { node: NodeId::ROOT, after, before: None, ply: 0, is_own: true };
        Self {
            game,
            notation,
            lenient,
            cursor,
            stack: Vec::new(),
            pending: String::new(),
            at_variation_start: false,
            result_seen: false,
            first_damage: None,
            skipping: None,
        }
    }

    /// Plays all tokens; says whether a result was among them.
    fn run(mut self, tokens: &[Token<'_>]) -> Result<bool, Damage> {
        let end = tokens.last().map_or(0, |token| token.offset);
        let played = tokens.iter().try_for_each(|token| {
            if self.skips(token.kind) {
                Ok(())
            } else {
                self.token(token).map_err(|problem| (token.offset, problem))
            }
        });
        let last = self.stack.first().unwrap_or(&self.cursor).node;
        self.game.end_main_line(last).map_err(|full| (end, full.into()))?;
        played?;
        match (self.first_damage, self.stack.len()) {
            (Some(damage), _) => Err(damage),
            (None, 0) => Ok(self.result_seen),
            (None, open) => Err((end, Problem::OpenVariation(open))),
        }
    }

    /// Whether a token belongs to a damaged variation; its end does not.
    fn skips(&mut self, kind: Kind<'_>) -> bool {
        let Some(depth) = self.skipping.as_mut() else { return false };
        match kind {
            Kind::Open => *depth += 1,
            Kind::Close if *depth > 0 => *depth -= 1,
            Kind::Close => self.skipping = None,
            _ => {}
        }
        self.skipping.is_some()
    }

    fn token(&mut self, token: &Token<'_>) -> Result<(), Problem> {
        match token.kind {
            Kind::Move(text) => self.play(token.offset, text)?,
            Kind::Comment(text) if self.at_variation_start => {
                self.pending.push_str(text.trim());
                self.pending.push(' ');
            }
            Kind::Comment(text) => self.game.add_comment(self.cursor.node, text),
            Kind::Nag(nag) => self.game.add_nag(self.cursor.node, nag),
            Kind::Open => self.open()?,
            Kind::Close => {
                self.cursor = self.stack.pop().ok_or(Problem::StrayClose)?;
                self.pending.clear();
                self.at_variation_start = false;
            }
            Kind::Result(outcome) if self.stack.is_empty() => self.result(token.offset, outcome),
            Kind::Result(_) => {}
        }
        Ok(())
    }

    fn play(&mut self, offset: usize, text: &str) -> Result<(), Problem> {
        if self.result_seen && self.stack.is_empty() {
            return Err(Problem::TrailingText(text.to_owned()));
        }
        let notation = self.notation.ok_or(Problem::UnknownNotation)?;
        let number = self.cursor.ply + 1;
        let mv = match read_move(notation, self.lenient, &self.cursor.after, text) {
            Ok(mv) => mv,
            Err(fault) => {
                let problem = Problem::Move { number, in_variation: !self.stack.is_empty(), fault };
                if self.stack.is_empty() {
                    return Err(problem);
                }
                // A bad move in a variation costs the rest of that variation only.
                self.first_damage.get_or_insert((offset, problem));
                self.skipping = Some(0);
                return Ok(());
            }
        };
        let known = self.game.children(self.cursor.node).find(|&child| self.game.mv(child) == Some(mv));
        let child = if self.cursor.is_own {
            self.game.continue_line(self.cursor.node, mv)?
        } else {
            self.game.add(self.cursor.node, mv)?
        };
        self.cursor.is_own |= known.is_none();
        let after = self.cursor.after.play(mv);
        let before = std::mem::replace(&mut self.cursor.after, after);
        self.cursor.before = Some((self.cursor.node, before));
        self.cursor.node = child;
        self.cursor.ply = number;
        self.game.add_comment_before(child, &self.pending);
        self.pending.clear();
        self.at_variation_start = false;
        Ok(())
    }

    /// A variation begins: it replaces the move before.
    fn open(&mut self) -> Result<(), Problem> {
        let (node, after) = self.cursor.before.clone().ok_or(Problem::EarlyVariation)?;
        if self.stack.len() >= Game::MAX_NESTING as usize {
            return Err(TreeFull.into());
        }
        let branch = Cursor { node, after, before: None, ply: self.cursor.ply - 1, is_own: false };
        self.stack.push(std::mem::replace(&mut self.cursor, branch));
        self.at_variation_start = true;
        Ok(())
    }

    fn result(&mut self, offset: usize, outcome: Outcome) {
        self.result_seen = true;
        if self.game.outcome == Outcome::Unknown {
            self.game.outcome = outcome;
        } else if outcome != self.game.outcome {
            let (tag, moves) = (self.game.outcome, outcome);
            self.game.warnings.push(Warning::at(offset, Doubt::TwoResults { tag, moves }));
        }
    }
}

/// Reads one move. With `lenient`, where the text is malformed in the notation, whatever notation it alone shows is tried too,
/// because real files mix them.
fn read_move(notation: Notation, lenient: bool, pos: &Position, text: &str) -> Result<Move, NotationError> {
    let text = narrow(text);
    notation.read(pos, &text).or_else(|error| match (&error, notation::detect([text.as_ref()])) {
        (NotationError::Malformed { .. }, Some(other)) if lenient && other != notation => {
            other.read(pos, &text).map_err(|_| error)
        }
        _ => Err(error),
    })
}
