//! A slow transcription of the repetition law, sentence by sentence, on the reference board: capture test, newness and
//! levels. Written from rules.md sections 2 and 4 and not from movegen; it knows nothing of bitboards, makes every capture
//! and recapture on a copy of the board and follows the pieces by number.

use std::collections::BTreeSet;

use crate::reference::{Board, Index, Step};

/// Which reading of the law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Pairs of attacker and victim are new, with the one exception (`asian`).
    Asian,
    /// As `Asian`; a threat made by a general or pawn itself excuses the chase of that victim (`vn`).
    Vietnamese,
    /// Victims are new; any check in the cycle excuses all chases (`pikafish`).
    Computer,
}

/// A capture that wins: (attacker, victim).
type Pair = (Index, Index);

/// The verdict on a cycle, `draw`, `red_loses` or `black_loses`. `lap` leads from `start` back to it and is played `laps` times.
///
/// # Panics
/// If the lap does not close.
pub fn verdict(start: &Board, lap: &[Step], laps: usize, reading: Reading) -> &'static str {
    let mut boards = vec![start.clone()];
    for &step in lap {
        boards.push(boards[boards.len() - 1].after(step));
    }
    assert_eq!(boards[0], boards[lap.len()], "the lap does not close");
    let checks: Vec<bool> = boards[1..].iter().map(Board::in_check).collect();
    let level = |red: bool| {
        let mine = |ply: &usize| boards[*ply].red_to_move == red;
        if (0..lap.len()).filter(mine).all(|ply| checks[ply]) {
            return 2;
        }
        if reading == Reading::Computer && checks.contains(&true) {
            return 0;
        }
        i32::from(chases_one_piece(&boards, lap, laps, red, reading))
    };
    match level(true).cmp(&level(false)) {
        std::cmp::Ordering::Equal => "draw",
        std::cmp::Ordering::Greater => "red_loses",
        std::cmp::Ordering::Less => "black_loses",
    }
}

/// Whether some piece is a victim of every move of the side, the laps taken together.
fn chases_one_piece(boards: &[Board], lap: &[Step], laps: usize, red: bool, reading: Reading) -> bool {
    let mut numbers: Vec<Index> = (0..90).collect();
    let mut common: Option<BTreeSet<Index>> = None;
    let mut excused: BTreeSet<Index> = BTreeSet::new();
    for ply in 0..lap.len() * laps {
        let (from, to) = lap[ply % lap.len()];
        let (before, after) = (&boards[ply % lap.len()], &boards[ply % lap.len() + 1]);
        numbers[to] = numbers[from];
        if before.red_to_move != red {
            continue;
        }
        let number = |squares: BTreeSet<Index>| squares.into_iter().map(|square| numbers[square]).collect();
        let victims: BTreeSet<Index> = number(victims(before, (from, to), after, reading));
        common = Some(match common {
            None => victims,
            Some(common) => common.intersection(&victims).copied().collect(),
        });
        if reading == Reading::Vietnamese {
            let lesser: BTreeSet<Index> = number(lesser_victims(before, (from, to), after));
            excused.extend(lesser);
        }
    }
    common.is_some_and(|common| common.difference(&excused).next().is_some())
}

/// The victims of a move, on their squares after it.
fn victims(before: &Board, (from, to): Step, after: &Board, reading: Reading) -> BTreeSet<Index> {
    let us = before.red_to_move;
    let old: BTreeSet<Pair> = threats(before, us, is_chaser);
    let new = threats(after, us, is_chaser);
    if reading == Reading::Computer {
        let of = |pairs: &BTreeSet<Pair>| pairs.iter().map(|pair| pair.1).collect::<BTreeSet<_>>();
        return of(&new).difference(&of(&old)).copied().collect();
    }
    let is_new = |&(attacker, victim): &Pair| {
        let origin = if attacker == to { from } else { attacker };
        !old.contains(&(origin, victim)) && (origin != attacker || !only_answers(before, (attacker, victim)))
    };
    new.into_iter().filter(is_new).map(|pair| pair.1).collect()
}

/// The victims that a general or pawn newly threatens itself.
fn lesser_victims(before: &Board, (from, to): Step, after: &Board) -> BTreeSet<Index> {
    let us = before.red_to_move;
    let lesser = |letter: char| !is_chaser(letter);
    let old = threats(before, us, lesser);
    threats(after, us, lesser)
        .into_iter()
        .filter(|&(attacker, victim)| !old.contains(&(if attacker == to { from } else { attacker }, victim)))
        .map(|pair| pair.1)
        .collect()
}

fn is_chaser(letter: char) -> bool {
    !matches!(letter.to_ascii_uppercase(), 'K' | 'P')
}

fn kind(board: &Board, index: Index) -> char {
    board.piece(index).map_or('.', |letter| letter.to_ascii_uppercase())
}

fn is_red(board: &Board, index: Index) -> bool {
    board.piece(index).is_some_and(char::is_uppercase)
}

/// The pieces that attack the general of a side.
fn checkers(board: &Board, red: bool) -> BTreeSet<Index> {
    let letter = if red { 'K' } else { 'k' };
    let general = (0..90).find(|&index| board.piece(index) == Some(letter));
    general.map(|general| board.attackers(general, !red).into_iter().collect()).unwrap_or_default()
}

/// Whether a capture by a side exposes its general to no new attack.
fn exposes_nothing(before: &Board, after: &Board, red: bool) -> bool {
    checkers(after, red).is_subset(&checkers(before, red))
}

/// Whether the capture is legal in this sense; a general that takes must stand on a point no enemy attacks.
fn is_legal(board: &Board, (attacker, victim): Pair, red: bool) -> bool {
    let after = board.after((attacker, victim));
    if kind(board, attacker) == 'K' {
        checkers(&after, red).is_empty()
    } else {
        exposes_nothing(board, &after, red)
    }
}

/// All captures of the side that win material, as if it were to move, by attackers whose letter is `wanted`.
fn threats(board: &Board, red: bool, wanted: fn(char) -> bool) -> BTreeSet<Pair> {
    let mut found = BTreeSet::new();
    for attacker in 0..90 {
        if !board.piece(attacker).is_some_and(|letter| letter.is_uppercase() == red && wanted(letter)) {
            continue;
        }
        for victim in board.targets(attacker) {
            if board.piece(victim).is_some() && wins(board, (attacker, victim), red) {
                found.insert((attacker, victim));
            }
        }
    }
    found
}

/// Rules 1 to 6 of section 2.1.
fn wins(board: &Board, pair: Pair, red: bool) -> bool {
    let (attacker, victim) = pair;
    let (x, y) = (kind(board, attacker), kind(board, victim));
    let rank = victim / 9;
    let crossed = if red { rank <= 4 } else { rank >= 5 };
    if y == 'K' || (y == 'P' && !crossed) || !is_legal(board, pair, red) {
        return false;
    }
    let always = match x {
        'N' | 'C' => y == 'R',
        'A' | 'B' => matches!(y, 'R' | 'N' | 'C'),
        'P' => true,
        _ => false,
    };
    if always {
        return true;
    }
    if x == y && can_strike_back(board, pair, red) {
        return false;
    }
    roots(board, pair, red).is_empty()
}

/// Whether the victim could legally capture the attacker instead.
fn can_strike_back(board: &Board, (attacker, victim): Pair, red: bool) -> bool {
    board.targets(victim).contains(&attacker) && is_legal(board, (victim, attacker), !red)
}

/// The enemy pieces that may legally recapture after the capture.
fn roots(board: &Board, (attacker, victim): Pair, red: bool) -> BTreeSet<Index> {
    let taken = board.after((attacker, victim));
    let recaptures = |root: &Index| {
        let retaken = taken.after((*root, victim));
        if kind(&taken, *root) == 'K' {
            checkers(&retaken, !red).is_empty()
        } else {
            // Compared with the attacks on the general before the capture.
            exposes_nothing(board, &retaken, !red)
        }
    };
    taken.attackers(victim, !red).into_iter().filter(recaptures).collect()
}

/// The exception of section 2.2 for a pair that stood before: the capture was possible, the victim had roots, and every one of
/// them (all have vanished) attacked the attacker.
fn only_answers(before: &Board, pair: Pair) -> bool {
    let (attacker, victim) = pair;
    let red = is_red(before, attacker);
    if !before.targets(attacker).contains(&victim) || !is_legal(before, pair, red) {
        return false;
    }
    if kind(before, attacker) == kind(before, victim) && can_strike_back(before, pair, red) {
        return false;
    }
    let roots = roots(before, pair, red);
    !roots.is_empty() && roots.iter().all(|&root| before.targets(root).contains(&attacker))
}
