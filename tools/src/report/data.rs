//! The data of the page: games as trees with every notation, evaluations, judgements.

use movegen::notation::{Digits, Notation, Script};
use movegen::rules::RuleSet;
use movegen::{Color, History};
use serde::Serialize;
use serde_json::{Map, Value};

use super::cross::{self, Row};
use crate::evaluation::{self, Evaluation};
use crate::games::{Game, NodeId};
use crate::judge::{Judgement, Lang, first_verdict};

/// Everything the script needs.
#[derive(Debug, Serialize)]
pub(super) struct Page {
    title: String,
    lang: &'static str,
    games: Vec<GameData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cross: Option<Vec<Row>>,
}

#[derive(Debug, Serialize)]
struct GameData {
    red: String,
    black: String,
    event: String,
    site: String,
    date: String,
    round: String,
    opening: String,
    result: String,
    fen: String,
    /// Comment before the first move.
    c: String,
    nodes: Vec<NodeData>,
    judge: Map<String, Value>,
}

/// A move of the tree.
#[derive(Debug, Serialize)]
struct NodeData {
    /// Index of the node before; -1 for the start.
    p: i64,
    m: String,
    wxf: String,
    zh: String,
    vi: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    c: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    n: Vec<u8>,
    /// Centipawns from Red's view.
    #[serde(skip_serializing_if = "Option::is_none")]
    e: Option<i32>,
    /// Moves to mate from Red's view.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// Whether Red has won by the law of repetition, or lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    law: Option<bool>,
}

impl Page {
    pub(super) fn new(
        games: &[Game],
        title: Option<&str>,
        lang: Lang,
        rules: RuleSet,
    ) -> anyhow::Result<Self> {
        let title = match (title, games) {
            (Some(title), _) => title.to_owned(),
            (None, [game]) => one_title(game),
            (None, games) => games[0].tag("Event").unwrap_or("Xiangqi").to_owned(),
        };
        let data = games.iter().map(|game| GameData::new(game, rules)).collect::<anyhow::Result<_>>()?;
        Ok(Self { title, lang: code(lang), games: data, cross: cross::table(games) })
    }

    pub(super) fn title(&self) -> &str {
        &self.title
    }
}

fn one_title(game: &Game) -> String {
    match (game.tag("Red"), game.tag("Black")) {
        (Some(red), Some(black)) => format!("{red} – {black}"),
        _ => game.tag("Title").or(game.tag("Event")).unwrap_or("Xiangqi").to_owned(),
    }
}

/// The code of a language for HTML and the script.
pub(super) const fn code(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "en",
        Lang::Vi => "vi",
        Lang::Zh => "zh",
    }
}

impl GameData {
    fn new(game: &Game, rules: RuleSet) -> anyhow::Result<Self> {
        let tag = |name: &str| game.tag(name).unwrap_or_default().to_owned();
        Ok(Self {
            red: tag("Red"),
            black: tag("Black"),
            event: tag("Event"),
            site: tag("Site"),
            date: tag("Date"),
            round: tag("Round"),
            opening: tag("Opening"),
            result: game.outcome.to_string(),
            fen: game.start().fen(),
            c: game.comment(NodeId::ROOT).to_owned(),
            nodes: nodes(game),
            judge: judgements(game, rules)?,
        })
    }
}

fn nodes(game: &Game) -> Vec<NodeData> {
    let mut nodes = Vec::new();
    let mut index_of = std::collections::HashMap::from([(NodeId::ROOT, -1)]);
    game.walk(|id, mv, before| {
        index_of.insert(id, nodes.len() as i64);
        let text = |notation: Notation| notation.write_or_wxf(before, mv).unwrap_or_default();
        let (evaluation, comment) = evaluation::in_comment(game.comment(id), before.side_to_move());
        let parent = game.parent(id).unwrap_or(NodeId::ROOT);
        nodes.push(NodeData {
            p: index_of.get(&parent).copied().unwrap_or(-1),
            m: mv.to_string(),
            wxf: text(Notation::WXF),
            zh: text(Notation::Chinese(Script::Simplified, Digits::Ascii)),
            vi: text(Notation::Vietnamese),
            c: comment,
            n: game.nags(id).to_vec(),
            e: if let Some(Evaluation::Cp(cp)) = evaluation { Some(cp) } else { None },
            mate: if let Some(Evaluation::Mate(moves)) = evaluation { Some(moves) } else { None },
            law: if let Some(Evaluation::Law(wins)) = evaluation { Some(wins) } else { None },
        });
    });
    nodes
}

/// What the rule set says where it first says something, else at the end, in every language.
fn judgements(game: &Game, rules: RuleSet) -> anyhow::Result<Map<String, Value>> {
    let mut history = History::new(game.start().clone());
    for mv in game.moves() {
        history.push(mv);
    }
    if let Some((ply, _)) = first_verdict(&history, rules) {
        history.truncate(ply);
    }
    let mut all = Map::new();
    for lang in [Lang::En, Lang::Vi, Lang::Zh] {
        let judgement = Judgement::of(&history, rules, lang);
        let mut value = serde_json::to_value(&judgement)?;
        if let Value::Object(fields) = &mut value {
            fields.insert("verdict_text".to_owned(), judgement.verdict_text(lang).into());
            fields.insert("classes".to_owned(), judgement.class_texts(lang).into());
        }
        all.insert(code(lang).to_owned(), value);
    }
    Ok(all)
}

/// Half points for a side; `None` where the game has no result.
pub(super) const fn points_of(outcome: crate::games::Outcome, color: Color) -> Option<u32> {
    use crate::games::Outcome;
    match (outcome, color) {
        (Outcome::Unknown, _) => None,
        (Outcome::Draw, _) => Some(1),
        (Outcome::RedWins, Color::Red) | (Outcome::BlackWins, Color::Black) => Some(2),
        (Outcome::RedWins, Color::Black) | (Outcome::BlackWins, Color::Red) => Some(0),
    }
}
