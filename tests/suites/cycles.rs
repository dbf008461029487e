//! Random cycles: the repetition law against its slow transcription.

use std::collections::BTreeMap;

use movegen::rules::{RuleSet, Verdict, judge};
use movegen::{History, Position};
use tests::law::{Reading, verdict};
use tests::random::{Points, Rng, placements};
use tests::reference::{Board, Index, Step, step_name};

const READINGS: [(RuleSet, Reading); 3] = [
    (RuleSet::Asian, Reading::Asian),
    (RuleSet::Vn, Reading::Vietnamese),
    (RuleSet::Pikafish, Reading::Computer),
];

/// Cycles of each length to compare.
const CYCLES: usize = 600;

/// Attempts at a lap from one position.
const TRIES: usize = 10;

/// Of the laps without a pursuit one in so many is compared.
const DULLNESS: usize = 8;

/// Two laps make three occurrences.
const LAPS: usize = 2;

/// How often a move that attacks the piece moved last is drawn, compared with another one.
const PURSUIT: usize = 12;

/// The quiet legal moves of a piece from `from` (of any piece for `None`), pursuits repeated [`PURSUIT`] times.
fn quiet_moves(board: &Board, from: Option<Index>, last: Option<Index>) -> Vec<Step> {
    let mut moves = Vec::new();
    for origin in (0..90).filter(|&origin| from.is_none_or(|from| from == origin)) {
        if board.piece(origin).is_none_or(|letter| letter.is_uppercase() != board.red_to_move) {
            continue;
        }
        for to in board.targets(origin).into_iter().filter(|&to| board.piece(to).is_none()) {
            let after = board.after((origin, to));
            if !after.is_attacked(board.red_to_move) {
                let pursues = last.is_some_and(|last| after.targets(to).contains(&last));
                moves.extend([(origin, to)].repeat(if pursues { PURSUIT } else { 1 }));
            }
        }
    }
    moves
}

/// A random lap in which each side walks one piece over `stops` squares and back, if the tries find one.
fn random_lap(rng: &mut Rng, start: &Board, stops: usize) -> Option<Vec<Step>> {
    // Over three squares and back only rooks and cannons can walk.
    let runners: Vec<Index> =
        (0..90).filter(|&index| start.piece(index).is_some_and(|letter| "RCrc".contains(letter))).collect();
    for _ in 0..TRIES {
        let mut lap: Vec<Step> = Vec::new();
        let mut board = start.clone();
        for turn in 0..2 * stops {
            let last = lap.last().map(|step| step.1);
            let from = (turn >= 2).then(|| lap[turn - 2].1);
            let mut moves = quiet_moves(&board, from, last);
            if turn < 2 && stops % 2 == 1 {
                moves.retain(|step| runners.contains(&step.0));
            }
            if turn >= 2 {
                let home = lap[turn % 2].0;
                let closes = turn >= 2 * (stops - 1);
                moves.retain(|step| (step.1 == home) == closes);
            }
            if moves.is_empty() {
                break;
            }
            let step = rng.pick(&moves);
            board = board.after(step);
            lap.push(step);
        }
        if lap.len() == 2 * stops {
            return Some(lap);
        }
    }
    None
}

/// Whether every move of one of the sides attacks the piece that the other side moved last.
fn pursues_throughout(start: &Board, lap: &[Step]) -> bool {
    let mut boards = vec![start.clone()];
    for &step in lap {
        boards.push(boards[boards.len() - 1].after(step));
    }
    let pursues = |turn: usize| {
        let last = lap[(turn + lap.len() - 1) % lap.len()].1;
        boards[turn + 1].targets(lap[turn].1).contains(&last)
    };
    (0..lap.len()).step_by(2).all(pursues) || (1..lap.len()).step_by(2).all(pursues)
}

fn verdict_of_the_law(start: &Board, lap: &[Step], rules: RuleSet) -> &'static str {
    let mut history = History::new(Position::from_fen(&start.fen()).expect("a valid placement"));
    for &step in &[lap].repeat(LAPS).concat() {
        history.push(step_name(step).parse().expect("a move"));
    }
    judge(&history, rules).name()
}

fn compare(seed: u64, stops: usize, offences: usize) {
    let mut rng = Rng::new(seed);
    let mut seen: BTreeMap<(RuleSet, &str), usize> = BTreeMap::new();
    let mut compared = 0;
    while compared < CYCLES {
        let Some(start) = placements(&mut rng, 1, Points::Lawful).pop() else { continue };
        let Some(lap) = random_lap(&mut rng, &start, stops) else { continue };
        // Laps in which nobody pursues are common and dull: most of them are left out.
        if !pursues_throughout(&start, &lap) && rng.below(DULLNESS) > 0 {
            continue;
        }
        compared += 1;
        for (rules, reading) in READINGS {
            let expected = verdict(&start, &lap, LAPS, reading);
            let moves: Vec<String> = lap.iter().copied().map(step_name).collect();
            assert_eq!(
                verdict_of_the_law(&start, &lap, rules),
                expected,
                "{rules}: {} {}",
                start.fen(),
                moves.join(" ")
            );
            *seen.entry((rules, expected)).or_default() += 1;
        }
    }
    for (rules, _) in READINGS {
        for name in ["draw", "red_loses", "black_loses"] {
            let count = seen.get(&(rules, name)).copied().unwrap_or(0);
            assert!(count >= offences, "{rules}: only {count} cycles with verdict {name} in {seen:?}");
        }
    }
}

#[test]
fn cycles_of_four_plies_agree_with_the_transcription() {
    compare(4, 2, 25);
}

#[test]
fn cycles_of_six_plies_agree_with_the_transcription() {
    compare(6, 3, 1);
}

/// A walk at random over quiet moves, in which a side often takes its last move back, until a position has occurred three times;
/// the plies of the judged span and everything before it.
fn random_walk(rng: &mut Rng, start: &Board) -> (Vec<Step>, Option<usize>) {
    let mut boards = vec![start.clone()];
    let mut walk: Vec<Step> = Vec::new();
    while walk.len() < LONGEST_WALK {
        let board = &boards[walk.len()];
        let mut moves = quiet_moves(board, None, walk.last().map(|step| step.1));
        // Positions seen before draw the walk: loops in loops come of it.
        let back: Vec<Step> =
            moves.iter().copied().filter(|&step| boards.contains(&board.after(step))).collect();
        let reversal = walk.len().checked_sub(2).map(|ply| (walk[ply].1, walk[ply].0));
        match (reversal.filter(|step| moves.contains(step)), rng.below(4)) {
            (Some(reversal), 0 | 1) => moves = vec![reversal],
            (_, 0..3) if !back.is_empty() => moves = back,
            _ => {}
        }
        if moves.is_empty() {
            break;
        }
        let step = rng.pick(&moves);
        boards.push(board.after(step));
        walk.push(step);
        let now = &boards[walk.len()];
        let occurrences: Vec<usize> = (0..boards.len()).rev().filter(|&ply| boards[ply] == *now).collect();
        if let Some(&first) = occurrences.get(2) {
            return (walk, Some(first));
        }
    }
    (walk, None)
}

/// Well below every limit on moves without a capture.
const LONGEST_WALK: usize = 56;

/// Walks to compare.
const WALKS: usize = 900;

#[test]
fn random_walks_are_judged_like_the_transcription_at_the_third_occurrence_and_not_before() {
    let mut rng = Rng::new(64);
    let (mut judged, mut longer, mut lost) = (0, 0, 0);
    for start in placements(&mut rng, WALKS, Points::Lawful) {
        let (walk, first) = random_walk(&mut rng, &start);
        let mut boards = vec![start.clone()];
        for &step in &walk {
            boards.push(boards[boards.len() - 1].after(step));
        }
        for (rules, reading) in READINGS {
            let mut history = History::new(Position::from_fen(&start.fen()).expect("a valid placement"));
            for (ply, &step) in walk.iter().enumerate() {
                history.push(step_name(step).parse().expect("a move"));
                let now = judge(&history, rules);
                let is_over = boards[ply + 1].legal_moves().is_empty();
                if ply + 1 < walk.len() || first.is_none() {
                    let dead = !boards[ply + 1].fen().contains(['R', 'N', 'C', 'P', 'r', 'n', 'c', 'p']);
                    assert!(
                        is_over || dead || now == Verdict::None || rules == RuleSet::Pikafish,
                        "{now:?} at {ply}"
                    );
                } else if let Some(first) = first {
                    let expected = verdict(&boards[first], &walk[first..], 1, reading);
                    assert_eq!(now.name(), expected, "{rules}: {} {walk:?}", start.fen());
                    judged += 1;
                    longer += usize::from(walk.len() - first > 8);
                    lost += usize::from(expected != Verdict::Draw.name());
                }
            }
        }
    }
    assert!(judged > 500 && longer > 20 && lost > 10, "{judged} judged, {longer} longer, {lost} lost");
}
