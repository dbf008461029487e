//! Hand-written positions around screens, legs, eyes and facing generals: see `tests/data/traps.jsonl`.

use std::collections::BTreeSet;

use movegen::{Move, Position};
use tests::cases::{self, TrapCase};

/// One of the four equivalent views of a board: what it does to positions and what it does to moves.
type View = (&'static str, fn(&Position) -> Position, fn(Move) -> Move);

const VIEWS: [View; 4] = [
    ("as given", Position::clone, |mv| mv),
    ("colours swapped", Position::flip, Move::flip),
    ("mirrored", Position::mirror, Move::mirror),
    ("swapped and mirrored", |position| position.flip().mirror(), |mv| mv.flip().mirror()),
];

fn check(case: &TrapCase, (view, turn_board, turn_move): View) {
    let given = Position::from_fen(&case.fen).unwrap_or_else(|e| panic!("{case:?}: {e}"));
    let position = turn_board(&given);
    let read = |text: &String| turn_move(text.parse().unwrap_or_else(|e| panic!("{case:?}: {e}")));
    let legal: BTreeSet<Move> = position.legal_moves().into_iter().collect();
    if let Some(all) = &case.all {
        assert_eq!(legal, all.iter().map(read).collect(), "{view}: {case:?}");
    }
    let expectations = [
        (&case.legal, true, None),
        (&case.illegal, false, None),
        (&case.checks, true, Some(true)),
        (&case.quiet, true, Some(false)),
    ];
    for (moves, is_legal, gives_check) in expectations {
        for mv in moves.iter().map(read) {
            assert_eq!(legal.contains(&mv), is_legal, "{mv} in the list, {view}: {case:?}");
            assert_eq!(position.is_legal(mv), is_legal, "{mv} asked alone, {view}: {case:?}");
            if let Some(expected) = gives_check {
                assert_eq!(position.gives_check(mv), expected, "{mv} gives check, {view}: {case:?}");
                assert_eq!(position.play(mv).in_check(), expected, "check after {mv}, {view}: {case:?}");
            }
        }
    }
}

#[test]
fn xiangqi_traps() {
    let cases: Vec<TrapCase> = cases::jsonl("traps.jsonl");
    for case in &cases {
        for view in VIEWS {
            check(case, view);
        }
    }
}
