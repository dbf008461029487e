//! Static exchange evaluation against exchanges played out on the reference board.

use movegen::{Move, Piece, Position, Square, see_value};
use tests::random::{self, Points, Rng};
use tests::reference::{self, Board, Step};
use tests::see::see;

fn value(kind: char) -> i32 {
    see_value(Piece::from_char(kind).expect("a FEN letter").kind())
}

fn check(board: &Board, step: Step) {
    let position = Position::from_fen(&board.fen()).unwrap_or_else(|e| panic!("{board:?}: {e}"));
    let square = |index| Square::from_index(index).expect("on the board");
    let (mv, name) = (Move::new(square(step.0), square(step.1)), reference::step_name(step));
    let expected = see(board, step, &value);
    assert_eq!(position.see(mv), expected, "{name} in {board:?}");
    for threshold in [expected - 100, expected - 1, expected, expected + 1, expected + 100, 0] {
        let holds = position.see_ge(mv, threshold);
        assert_eq!(holds, expected >= threshold, "{name} is {expected}, threshold {threshold}: {board:?}");
    }
}

#[test]
fn exchanges_are_those_played_out() {
    let mut rng = Rng::new(11);
    let mut boards = random::playouts(&mut rng, 20, 100);
    boards.extend(random::placements(&mut rng, 1_500, Points::Lawful));
    boards.extend(random::placements(&mut rng, 500, Points::Anywhere));
    for board in boards {
        for step in board.legal_moves() {
            check(&board, step);
        }
    }
}

#[test]
fn thresholds_of_any_size_are_answered() {
    let position = Position::startpos();
    let mv = "b2b9".parse().expect("a move");
    assert!(position.see_ge(mv, i32::MIN));
    assert!(!position.see_ge(mv, i32::MAX));
}
