//! The fast generator against the slow one of `tests/common`, on random positions.
//!
//! Each test draws its own positions from a fixed seed: games that thin out, sparse and dense placements, and placements
//! with advisors, elephants and pawns on points no game leads to.

use std::collections::BTreeSet;

use movegen::{Color, Move, MoveList, Position, Square};
use tests::random::{self, Points, Rng};
use tests::reference::{self, Board, Step};

fn position_of(board: &Board) -> Position {
    Position::from_fen(&board.fen()).unwrap_or_else(|e| panic!("{board:?}: {e}"))
}

fn square(index: usize) -> Square {
    Square::from_index(index).expect("the reference keeps to the board")
}

fn move_of((from, to): Step) -> Move {
    Move::new(square(from), square(to))
}

fn step_of(mv: Move) -> Step {
    (mv.from().index(), mv.to().index())
}

/// The moves in ascending order; a move listed twice stays twice.
fn sorted(moves: &[Move]) -> Vec<Step> {
    let mut steps: Vec<Step> = moves.iter().copied().map(step_of).collect();
    steps.sort_unstable();
    steps
}

/// A mixture of all kinds of random positions, about `size` of them.
fn mixture(seed: u64, size: usize) -> Vec<Board> {
    let mut rng = Rng::new(seed);
    let mut boards = random::playouts(&mut rng, size / 200 + 1, 100);
    boards.extend(random::placements(&mut rng, size / 4, Points::Lawful));
    boards.extend(random::placements(&mut rng, size / 4, Points::Anywhere));
    boards
}

#[test]
fn move_lists_are_those_of_the_reference() {
    for board in mixture(1, 6_000) {
        let position = position_of(&board);
        let expected = board.legal_moves();
        assert_eq!(sorted(&position.legal_moves()), expected, "{board:?}");
        assert_eq!(position.count_legal_moves() as usize, expected.len(), "{board:?}");
        assert_eq!(position.has_legal_move(), !expected.is_empty(), "{board:?}");
        let (captures, quiets): (Vec<Step>, Vec<Step>) =
            expected.into_iter().partition(|&step| board.is_capture(step));
        let mut list = MoveList::new();
        position.generate_captures(&mut list);
        assert_eq!(sorted(&list), captures, "captures of {board:?}");
        list.clear();
        position.generate_quiets(&mut list);
        assert_eq!(sorted(&list), quiets, "quiet moves of {board:?}");
        list.clear();
        position.generate_quiet_checks(&mut list);
        let checks: Vec<Step> = quiets.into_iter().filter(|&step| board.gives_check(step)).collect();
        assert_eq!(sorted(&list), checks, "quiet checks of {board:?}");
    }
}

/// Every position here is a check, so that the evasions get as many cases as the rest together.
#[test]
fn evasions_are_those_of_the_reference() {
    let checks: Vec<Board> = mixture(2, 24_000).into_iter().filter(Board::in_check).collect();
    assert!(checks.len() > 2_000, "only {} checks", checks.len());
    for board in checks {
        assert_eq!(sorted(&position_of(&board).legal_moves()), board.legal_moves(), "{board:?}");
    }
}

#[test]
fn checkers_are_those_of_the_reference() {
    for board in mixture(3, 12_000) {
        let position = position_of(&board);
        let checkers: Vec<usize> = position.checkers().iter().map(Square::index).collect();
        assert_eq!(checkers, board.checkers(), "{board:?}");
        assert_eq!(position.in_check(), board.in_check(), "{board:?}");
    }
}

#[test]
fn is_legal_answers_for_any_pair_of_squares() {
    for board in mixture(4, 800) {
        let position = position_of(&board);
        let legal: BTreeSet<Step> = board.legal_moves().into_iter().collect();
        for from in 0..90 {
            for to in 0..90 {
                let step = (from, to);
                assert_eq!(position.is_legal(move_of(step)), legal.contains(&step), "{step:?} in {board:?}");
            }
        }
    }
}

#[test]
fn gives_check_says_what_the_board_shows() {
    for board in mixture(5, 2_500) {
        let position = position_of(&board);
        for step in board.legal_moves() {
            let name = reference::step_name(step);
            assert_eq!(position.gives_check(move_of(step)), board.gives_check(step), "{name} in {board:?}");
        }
    }
}

/// `attackers_to` does not care what stands on the target, so the reference looks at an enemy put there.
#[test]
fn attackers_are_those_of_the_reference() {
    for board in mixture(6, 400) {
        let position = position_of(&board);
        for (target, by_red) in (0..90).flat_map(|target| [(target, true), (target, false)]) {
            // A general on the target is left out: the reference needs both generals.
            if matches!(board.piece(target), Some('K' | 'k')) {
                continue;
            }
            let mut with_victim = board.clone();
            with_victim.put(target, Some(if by_red { 'p' } else { 'P' }));
            let by = if by_red { Color::Red } else { Color::Black };
            let attackers = position.attackers_to(square(target), position.occupied(), by);
            let attackers: Vec<usize> = attackers.iter().map(Square::index).collect();
            let expected = with_victim.attackers(target, by_red);
            assert_eq!(attackers, expected, "{by} on {} in {board:?}", reference::square_name(target));
        }
    }
}

#[test]
fn moves_lead_to_the_board_of_the_reference_and_back() {
    for board in mixture(7, 2_500) {
        let position = position_of(&board);
        for step in board.legal_moves() {
            let (mv, name) = (move_of(step), reference::step_name(step));
            let next = position.play(mv);
            let expected = position_of(&board.after(step));
            assert_eq!(next.to_setup().board, expected.to_setup().board, "{name} in {board:?}");
            // Counters apart, everything kept incrementally equals what is built from the board: keys, checkers, blockers.
            assert_eq!(next.key(), expected.key(), "{name} in {board:?}");
            assert_eq!(next.key(), next.compute_key(), "{name} in {board:?}");
            assert_eq!(position.key_after(mv), next.key(), "{name} in {board:?}");
            assert_eq!(Position::from_setup(&next.to_setup()).as_ref(), Ok(&next), "{name} in {board:?}");
            let mut again = position.clone();
            let undo = again.make_move(mv);
            assert_eq!(again, next, "{name} in {board:?}");
            again.unmake_move(mv, undo);
            assert_eq!(again, position, "{name} in {board:?}");
        }
    }
}

#[test]
fn counters_count_plies_since_the_capture_and_full_moves() {
    let mut rng = Rng::new(8);
    for _ in 0..20 {
        let mut position = Position::startpos();
        let (mut quiet_plies, mut plies) = (0, 0);
        for _ in 0..150 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = rng.pick(&moves);
            quiet_plies = if position.piece_at(mv.to()).is_some() { 0 } else { quiet_plies + 1 };
            plies += 1;
            position = position.play(mv);
            assert_eq!(position.halfmove_clock(), quiet_plies);
            assert_eq!(position.fullmove_number(), 1 + plies / 2);
        }
    }
}

#[test]
fn swapped_and_mirrored_positions_have_swapped_and_mirrored_moves() {
    for board in mixture(9, 4_000) {
        let position = position_of(&board);
        let moves = position.legal_moves();
        let flipped: Vec<Move> = moves.iter().copied().map(Move::flip).collect();
        let mirrored: Vec<Move> = moves.iter().copied().map(Move::mirror).collect();
        assert_eq!(sorted(&position_of(&board.flip()).legal_moves()), sorted(&flipped), "{board:?}");
        assert_eq!(sorted(&position_of(&board.mirror()).legal_moves()), sorted(&mirrored), "{board:?}");
        assert_eq!(position.flip().fen(), board.flip().fen(), "{board:?}");
        assert_eq!(position.mirror().fen(), board.mirror().fen(), "{board:?}");
    }
}

#[test]
fn a_null_move_passes_the_turn() {
    for board in mixture(10, 2_000).into_iter().filter(|board| !board.in_check()) {
        let mut position = position_of(&board);
        position.make_null();
        let mut passed = board.clone();
        passed.red_to_move = !passed.red_to_move;
        assert_eq!(position.key(), position_of(&passed).key(), "{board:?}");
        assert_eq!(sorted(&position.legal_moves()), passed.legal_moves(), "{board:?}");
    }
}
