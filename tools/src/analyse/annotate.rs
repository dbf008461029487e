//! A game with what the engine says as comments, glyphs and variations.

use movegen::Color;

use super::engine::{Analysis, MoveAnalysis};
use crate::evaluation::{self, Evaluation};
use crate::games::{Game, NodeId};
use crate::judge::{Judgement, Lang};

/// Moves of a better line that are worth showing.
const LINE: usize = 7;

/// The game with evaluations from Red's view, marks, better lines and the judgement of repetitions.
///
/// # Errors
/// If the game's tree cannot take the better lines.
pub(super) fn annotated(game: &Game, analysis: &Analysis, lang: Lang) -> anyhow::Result<Game> {
    let mut game = game.clone();
    let nodes: Vec<NodeId> = game.main_line().collect();
    for (index, (&node, analysed)) in nodes.iter().zip(&analysis.moves).enumerate() {
        let (_, rest) = evaluation::in_comment(game.comment(node), analysed.side);
        let text = red_view(analysed).map_or_else(String::new, Evaluation::comment);
        game.set_comment(node, format!("{text} {rest}").trim());
        if let Some(mark) = analysed.mark {
            game.add_nag(node, mark.nag());
            let parent = if index == 0 { NodeId::ROOT } else { nodes[index - 1] };
            better_line(&mut game, parent, analysed)?;
        }
    }
    if let Some((ply, _)) = analysis.verdict
        && let Some(&node) = ply.checked_sub(1).and_then(|index| nodes.get(index))
        && analysis.history.positions()[ply].has_legal_move()
    {
        let mut history = analysis.history.clone();
        history.truncate(ply);
        let judgement = Judgement::of(&history, analysis.rules, lang);
        game.add_comment(
            node,
            &format!("{}: {} — {}", analysis.rules, judgement.verdict_text(lang), judgement.clause()),
        );
    }
    Ok(game)
}

fn red_view(analysed: &MoveAnalysis) -> Option<Evaluation> {
    let own = analysed.evaluation?;
    Some(if analysed.side == Color::Red { own } else { own.flip() })
}

fn better_line(game: &mut Game, parent: NodeId, analysed: &MoveAnalysis) -> anyhow::Result<()> {
    let mut node = parent;
    for (index, &mv) in analysed.best_line.iter().take(LINE).enumerate() {
        node = game.add(node, mv)?;
        if index == 0 {
            let best = analysed.best_evaluation;
            let red = if analysed.side == Color::Red { best } else { best.flip() };
            if !game.comment(node).contains("[%eval") {
                game.add_comment(node, &red.comment());
            }
        }
    }
    Ok(())
}
