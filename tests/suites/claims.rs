//! The search under the law, on the figures of the Vietnamese rules: the offender gives way, the victim does not.

use std::thread;

use movegen::rules::{RuleSet, Verdict, judge};
use movegen::{Color, History, Move, Position};
use search::{Control, Limits, Score, SearchResult, Searcher};
use tests::cases;

/// Nodes for one decision.
const NODES: u64 = 20_000;

/// Scores from here on are wins by mate or by the law: no evaluation reaches them.
const DECISIVE: i32 = 20_000;

/// More plies than the longest limit of any rule set needs.
const LONGEST: usize = 100;

/// A figure up to the ply at which the rule set gives its verdict.
struct Offence {
    id: String,
    rules: RuleSet,
    offender: Color,
    start: Position,
    moves: Vec<Move>,
}

/// Plays the lap of a figure on until the rule set speaks; `None` if the figure shows no offence.
fn offence(case: &cases::RuleCase, rules: RuleSet) -> Option<Offence> {
    let start = Position::from_fen(&case.fen).expect("a valid figure");
    let printed: Vec<Move> = case.moves.iter().map(|mv| mv.parse().expect("a move")).collect();
    let mut history = History::new(start.clone());
    for &mv in &printed {
        history.push(mv);
    }
    let last = history.len();
    let lap = (2..=last).step_by(2).find(|back| history.keys()[last - back] == history.keys()[last])?;
    let endless = printed.iter().chain(printed[last - lap..].iter().cycle());
    let mut history = History::new(start.clone());
    for &mv in endless.take(LONGEST) {
        history.push(mv);
        if let Verdict::Loses(offender) = judge(&history, rules) {
            let moves = history.moves().iter().copied().flatten().collect();
            return Some(Offence { id: case.id.clone(), rules, offender, start, moves });
        }
    }
    None
}

fn offences() -> Vec<Offence> {
    let cases = cases::rules();
    let figures: Vec<_> = cases.iter().filter(|case| case.source.starts_with("seed 0,")).collect();
    assert_eq!(figures.len(), 10, "the figures of the Vietnamese rules");
    let sets = [RuleSet::Asian, RuleSet::Vn, RuleSet::Cxq];
    sets.into_iter().flat_map(|rules| figures.iter().filter_map(move |case| offence(case, rules))).collect()
}

impl Offence {
    /// The game before the last move of a side, and that move.
    fn before_last_move_of(&self, side: Color) -> (History, Move) {
        let side_of = |ply: usize| {
            if ply.is_multiple_of(2) { self.start.side_to_move() } else { !self.start.side_to_move() }
        };
        let ply =
            (0..self.moves.len()).rev().find(|&ply| side_of(ply) == side).expect("both sides have moved");
        let mut history = History::new(self.start.clone());
        for &mv in &self.moves[..ply] {
            history.push(mv);
        }
        (history, self.moves[ply])
    }

    /// Searches for the best of some moves; of all if there are none.
    fn search_among(&self, history: &History, root_moves: Vec<Move>) -> SearchResult {
        let (history, rules) = (history.clone(), self.rules);
        let job = move || {
            let mut searcher = Searcher::new(8).expect("8 MiB can be had");
            searcher.set_rules(rules);
            let limits = Limits { nodes: Some(NODES), root_moves, ..Limits::default() };
            searcher.search(&history, &limits, &Control::new(false), &mut |_| {})
        };
        let thread = thread::Builder::new().stack_size(search::STACK_SIZE).spawn(job).expect("a thread");
        thread.join().expect("no panic in the search")
    }

    fn search(&self, history: &History) -> SearchResult {
        self.search_among(history, Vec::new())
    }
}

fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(centipawns) => centipawns,
        Score::Mate(plies) if plies > 0 => 30_000 - plies,
        Score::Mate(plies) => -30_000 - plies,
    }
}

fn is_won(score: Score) -> bool {
    match score {
        Score::Cp(centipawns) => centipawns >= DECISIVE,
        Score::Mate(plies) => plies > 0,
    }
}

fn is_lost(score: Score) -> bool {
    match score {
        Score::Cp(centipawns) => centipawns <= -DECISIVE,
        Score::Mate(plies) => plies <= 0,
    }
}

#[test]
fn the_offender_deviates_before_the_offence_is_complete() {
    let mut deviations = 0;
    for offence in offences() {
        let (history, repeating) = offence.before_last_move_of(offence.offender);
        let result = offence.search(&history);
        let what = format!("{} ({}): {result:?}", offence.id, offence.rules);
        let has_choice = history.current().legal_moves().len() > 1;
        if !has_choice || result.best == Some(repeating) {
            assert!(is_lost(result.score), "{what}");
        } else {
            deviations += 1;
        }
    }
    assert!(deviations > 0);
}

#[test]
fn the_victim_goes_on_claiming() {
    let mut claims = 0;
    for offence in offences() {
        let (history, repeating) = offence.before_last_move_of(!offence.offender);
        let result = offence.search(&history);
        let best = result.best.expect("a move");
        // A claim may be given up for a win, or where the offender could still get away, for something better.
        let is_better = || {
            let claim = offence.search_among(&history, vec![repeating]);
            !is_won(claim.score) && centipawns(result.score) > centipawns(claim.score)
        };
        assert!(
            best == repeating || is_won(result.score) || is_better(),
            "{} ({}): {result:?} instead of {repeating}",
            offence.id,
            offence.rules
        );
        claims += usize::from(best == repeating);
    }
    assert!(claims > 0);
}
