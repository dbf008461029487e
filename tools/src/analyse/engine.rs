//! Scores of every position of a game, and what each move cost.

use movegen::rules::{RuleSet, Verdict, judge};
use movegen::{Color, History, Move, Position};
use search::{Control, HashError, Limits, Score, Searcher};

use crate::evaluation::{BY_LAW, Evaluation};
use crate::games::Game;
use crate::judge::first_verdict;

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `?!`, costs at least 5 % of the chance to win.
    Doubtful,
    /// `?`, at least 10 %.
    Mistake,
    /// `??`, at least 20 %.
    Blunder,
}

impl Mark {
    /// Our choice: a fifth, a tenth and a twentieth of a whole point.
    fn of(chance_lost: f64) -> Option<Self> {
        match chance_lost {
            0.20.. => Some(Self::Blunder),
            0.10.. => Some(Self::Mistake),
            0.05.. => Some(Self::Doubtful),
            _ => None,
        }
    }

    /// The glyph's number in PGN.
    pub fn nag(self) -> u8 {
        match self {
            Self::Doubtful => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    /// As written after a move.
    pub fn text(self) -> &'static str {
        match self {
            Self::Doubtful => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// What the engine says of one move.
#[derive(Clone, Debug)]
pub struct MoveAnalysis {
    /// Who moved.
    pub side: Color,
    /// The move.
    pub mv: Move,
    /// After the move, from the mover's view; `None` if it ended the game on the board.
    pub evaluation: Option<Evaluation>,
    /// Before the move, from the mover's view: what the best move would give.
    pub best_evaluation: Evaluation,
    /// The best line.
    pub best_line: Vec<Move>,
    /// Centipawns lost against the best move, between evaluations of at most ten pawns; `None` where one of the two is a mate or a decision of the law,
    /// which is not worth any number of pawns.
    pub loss: Option<i32>,
    /// Chance to win lost, 0 to 1.
    pub chance_lost: f64,
    /// How bad that is.
    pub mark: Option<Mark>,
}

/// What the engine says of a game.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The moves of the main line.
    pub moves: Vec<MoveAnalysis>,
    /// Before the first move, from Red's view.
    pub start: Evaluation,
    /// The game with its positions, for the judge.
    pub history: History,
    /// After how many plies the rule set first has a verdict.
    pub verdict: Option<(usize, Verdict)>,
    /// The rule set.
    pub rules: RuleSet,
}

impl Analysis {
    /// The moves of a side.
    pub fn of(&self, side: Color) -> impl Iterator<Item = &MoveAnalysis> {
        self.moves.iter().filter(move |mv| mv.side == side)
    }

    /// Centipawns lost a move, over the moves that have such a loss.
    pub fn average_loss(&self, side: Color) -> Option<f64> {
        average(self.of(side).filter_map(|mv| mv.loss).map(f64::from))
    }

    /// Chance to win lost a move, 0 to 1, over all moves; here a missed or allowed mate counts like any other chance.
    pub fn average_chance_lost(&self, side: Color) -> Option<f64> {
        average(self.of(side).map(|mv| mv.chance_lost))
    }

    /// How often a side earned a mark.
    pub fn count(&self, side: Color, mark: Mark) -> usize {
        self.of(side).filter(|mv| mv.mark == Some(mark)).count()
    }
}

fn average(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// The engine and how long it thinks.
#[derive(Debug)]
pub struct Analyst {
    searcher: Searcher,
    limits: Limits,
}

/// Beyond so many centipawns a game is decided, and more of them do not matter. Our choice: a rook and a pawn or two.
const DECIDED: i32 = 1000;

impl Analyst {
    /// An engine with a table of `hash` MiB.
    ///
    /// # Errors
    /// If that memory cannot be had.
    pub fn new(hash: usize, threads: usize, rules: RuleSet, limits: Limits) -> Result<Self, HashError> {
        let mut searcher = Searcher::new(hash)?;
        searcher.set_threads(threads);
        searcher.set_rules(rules);
        Ok(Self { searcher, limits })
    }

    /// Analyses the main line from its end to its start, so that the table knows what is coming. `step` is called after each
    /// position.
    pub fn analyse(&mut self, game: &Game, mut step: impl FnMut()) -> Analysis {
        self.searcher.clear();
        let rules = self.searcher.rules().set();
        let mut history = History::new(game.start().clone());
        let moves: Vec<Move> = game.moves().collect();
        for &mv in &moves {
            history.push(mv);
        }
        let whole = history.clone();
        let verdict = first_verdict(&whole, rules).or_else(|| match judge(&whole, rules) {
            Verdict::None => None,
            verdict => Some((whole.len(), verdict)),
        });
        let mut scored = Vec::with_capacity(moves.len() + 1);
        for ply in (0..=moves.len()).rev() {
            history.truncate(ply);
            scored.push(self.score(&history, verdict));
            step();
        }
        scored.reverse();
        let start = scored[0].0;
        let start = if game.start().side_to_move() == Color::Red { start } else { start.flip() };
        let analysed = moves.iter().enumerate().map(|(ply, &mv)| {
            let side = whole.positions()[ply].side_to_move();
            let over = !whole.positions()[ply + 1].has_legal_move();
            let (best_evaluation, best_line) = scored[ply].clone();
            assess(side, mv, best_evaluation, best_line, scored[ply + 1].0.flip(), over)
        });
        Analysis { moves: analysed.collect(), start, history: whole, verdict, rules }
    }

    /// The score of the last position from its mover's view, and the best line.
    fn score(&mut self, history: &History, verdict: Option<(usize, Verdict)>) -> (Evaluation, Vec<Move>) {
        let result = self.searcher.search(history, &self.limits, &Control::new(false), &mut |_| {});
        let mut evaluation = match result.score {
            Score::Cp(cp) if cp.abs() >= BY_LAW => Evaluation::Law(cp > 0),
            Score::Cp(cp) => Evaluation::Cp(cp),
            // Plies to moves; the side to move makes the first one if it is the one that mates.
            Score::Mate(plies) if plies > 0 => Evaluation::Mate((plies + 1) / 2),
            Score::Mate(plies) => Evaluation::Mate(-(-plies / 2).max(1)),
        };
        // What the law has decided does not need the engine's opinion.
        let mover = history.current().side_to_move();
        match verdict {
            Some((ply, Verdict::Draw)) if ply == history.len() => evaluation = Evaluation::Cp(0),
            Some((ply, Verdict::Loses(loser))) if ply == history.len() => {
                evaluation = Evaluation::Law(loser != mover);
            }
            _ => {}
        }
        (evaluation, legal_prefix(history.current(), result.pv))
    }
}

/// The line as far as it can be played.
fn legal_prefix(start: &Position, mut line: Vec<Move>) -> Vec<Move> {
    let mut position = start.clone();
    let playable = line.iter().position(|&mv| match position.try_play(mv) {
        Ok(next) => {
            position = next;
            false
        }
        Err(_) => true,
    });
    line.truncate(playable.unwrap_or(line.len()));
    line
}

fn assess(
    side: Color,
    mv: Move,
    best_evaluation: Evaluation,
    best_line: Vec<Move>,
    after: Evaluation,
    over: bool,
) -> MoveAnalysis {
    let is_best = best_line.first() == Some(&mv);
    let loss = centipawns(best_evaluation).zip(centipawns(after)).map(|(best, after)| (best - after).max(0));
    let loss = if is_best { loss.and(Some(0)) } else { loss };
    let chance_lost = if is_best { 0.0 } else { (best_evaluation.chance() - after.chance()).max(0.0) };
    MoveAnalysis {
        side,
        mv,
        evaluation: (!over).then_some(after),
        best_evaluation,
        best_line,
        loss,
        chance_lost,
        mark: Mark::of(chance_lost),
    }
}

fn centipawns(evaluation: Evaluation) -> Option<i32> {
    match evaluation {
        Evaluation::Cp(cp) => Some(cp.clamp(-DECIDED, DECIDED)),
        Evaluation::Mate(_) | Evaluation::Law(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Evaluation::{Cp, Mate};

    #[test]
    fn mates_are_no_centipawns() {
        let mv = |text: &str| text.parse::<Move>().expect("a move");
        let assess = |best, after| assess(Color::Red, mv("a0a1"), best, vec![mv("a0a2")], after, false);
        assert_eq!(assess(Cp(50), Cp(20)).loss, Some(30));
        assert_eq!(assess(Cp(3000), Cp(800)).loss, Some(200));
        for (best, after) in
            [(Mate(3), Cp(500)), (Cp(100), Mate(-2)), (Mate(1), Mate(-1)), (Mate(1), Mate(9))]
        {
            assert_eq!(assess(best, after).loss, None);
        }
        assert_eq!(assess(Mate(3), Mate(-1)).mark, Some(Mark::Blunder));
        let moves = [
            assess(Cp(50), Cp(20)),
            assess(Mate(3), Cp(0)),
            assess(Cp(0), Cp(-10)),
            assess(Mate(2), Mate(5)),
        ];
        let analysis = Analysis {
            moves: moves.to_vec(),
            start: Cp(0),
            history: History::new(Position::startpos()),
            verdict: None,
            rules: RuleSet::Asian,
        };
        assert_eq!(analysis.average_loss(Color::Red), Some(20.0));
        assert_eq!(analysis.average_loss(Color::Black), None);
        // Half a game was thrown away once.
        let chance = analysis.average_chance_lost(Color::Red).expect("moves");
        assert!((0.125..0.15).contains(&chance), "{chance}");
    }
}
