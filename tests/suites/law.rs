//! The readers of the repetition law: what the search is told, what the root must not play, and the draws by count.

use movegen::rules::{
    Clause, Report, RuleSet, SearchVerdict, Verdict, judge, judge_in_search, judge_with, offending_root_moves,
};
use movegen::{Color, History, Position};

/// AXF diagram 33: the rook chases an unprotected cannon; White moves first.
const CHASE: &str = "4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w - - 0 1";
const CHASE_LAP: &str = "h6i6 i0h0 i6h6 h0i0";
/// Figure 1 of the Vietnamese rules: the rook checks.
const CHECK: &str = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
const CHECK_LAP: &str = "h8h9 f9f8 h9h8 f8f9";
/// A quiet middle game.
const QUIET: &str = "2ba1kb2/4a2r1/4c1n2/p7p/2p2rpc1/4R4/P1PR2P1P/2N1C1N2/4A4/2BK1AB2 w - - 0 1";
const IDLE_LAP: &str = "g2i1 h8h9 i1g2 h9h8";

fn game(fen: &str, moves: &str) -> History {
    let mut history = History::new(Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}")));
    for text in moves.split_whitespace() {
        let mv = text.parse().expect("a move");
        assert!(history.current().is_legal(mv), "{text} in {}", history.current().fen());
        history.push(mv);
    }
    history
}

fn laps(lap: &str, count: usize) -> String {
    [lap].repeat(count).join(" ")
}

#[test]
fn the_search_is_told_what_a_repetition_proves() {
    use SearchVerdict::{Draw, LikelyLoss, LikelyWin, Loss, Win};
    let (asian, two_chases, two_checks) = (RuleSet::Asian, laps(CHASE_LAP, 2), laps(CHECK_LAP, 2));
    let one_more = |lap: &str, count: usize| format!("{} {}", laps(lap, count), &lap[..4]);
    let cases: &[(&str, String, usize, RuleSet, Option<SearchVerdict>)] = &[
        // A lap closed by the offender's or by the victim's move, both occurrences below the root.
        (CHASE, one_more(CHASE_LAP, 1), 0, asian, Some(LikelyWin)),
        (CHASE, one_more(CHASE_LAP, 1) + " i0h0", 1, asian, Some(LikelyLoss)),
        (CHECK, one_more(CHECK_LAP, 1), 0, asian, Some(LikelyWin)),
        (QUIET, one_more(IDLE_LAP, 1), 0, asian, Some(Draw)),
        // The first occurrence is the root or before it: not yet.
        (CHASE, CHASE_LAP.to_owned(), 0, asian, None),
        (CHASE, one_more(CHASE_LAP, 1), 1, asian, None),
        (QUIET, one_more(IDLE_LAP, 1), 4, asian, None),
        // The third occurrence is final, wherever the root is.
        (CHASE, two_chases.clone(), 0, asian, Some(Loss)),
        (CHASE, two_chases.clone(), 7, asian, Some(Loss)),
        (CHASE, one_more(CHASE_LAP, 2), 8, asian, Some(Win)),
        (CHECK, two_checks.clone(), 6, asian, Some(Loss)),
        (QUIET, laps(IDLE_LAP, 2), 7, asian, Some(Draw)),
        // The rule sets differ.
        (CHASE, two_chases.clone(), 7, RuleSet::AllowChase, Some(Draw)),
        (CHECK, two_checks.clone(), 7, RuleSet::AlwaysDraw, Some(Draw)),
        (CHECK, two_checks.clone(), 7, RuleSet::UcciLeague, None),
        (CHECK, laps(CHECK_LAP, 3), 11, RuleSet::UcciLeague, Some(Loss)),
        (CHECK, two_checks.clone(), 7, RuleSet::Cxq, None),
        (CHECK, one_more(CHECK_LAP, 3), 11, RuleSet::Cxq, Some(Win)),
        // CXA's cheap bounds never give a final verdict.
        (CHASE, two_chases, 7, RuleSet::Cxa, Some(LikelyLoss)),
    ];
    for (fen, moves, root, rules, expected) in cases {
        let history = game(fen, moves);
        assert_eq!(judge_in_search(&history, *root, *rules), *expected, "{fen} {moves} root {root} {rules}");
    }
}

#[test]
fn cxa_next_to_the_root_agrees_with_most_figures() {
    // Source: rules.md 3.4.9 counts 50 of the 54 figures for these bounds.
    let cases = tests::cases::rules();
    let figures: Vec<_> = cases.iter().filter(|case| !case.red_moves.is_empty()).collect();
    let agrees = |case: &&&tests::cases::RuleCase| {
        let history = game(&case.fen, &case.moves.join(" "));
        let us = history.current().side_to_move();
        let verdict = match judge_in_search(&history, history.len() - 1, RuleSet::Cxa) {
            Some(SearchVerdict::LikelyLoss) => Verdict::Loses(us),
            Some(SearchVerdict::LikelyWin) => Verdict::Loses(!us),
            Some(SearchVerdict::Draw) => Verdict::Draw,
            other => panic!("{}: {other:?}", case.id),
        };
        verdict.name() == case.verdict
    };
    let agreeing = figures.iter().filter(agrees).count();
    assert!(agreeing >= 50, "{agreeing} of {}", figures.len());
}

#[test]
fn nothing_is_judged_across_a_null_move() {
    let mut history = game(QUIET, "");
    for half in ["g2i1 h8h9", "i1g2 h9h8"] {
        for mv in half.split(' ') {
            history.push(mv.parse().expect("a move"));
        }
        history.push_null();
        history.push_null();
    }
    assert_eq!(history.keys()[0], history.keys()[history.len()], "the board repeats");
    assert_eq!(judge_in_search(&history, 0, RuleSet::Asian), None);
    // Without them the same moves are a lap.
    assert_eq!(
        judge_in_search(&game(QUIET, &format!("{IDLE_LAP} g2i1")), 0, RuleSet::Asian),
        Some(SearchVerdict::Draw)
    );
}

#[test]
fn mate_and_stalemate_come_before_every_count() {
    // The 120th ply without a capture mates, or leaves no move.
    for (fen, mv) in [
        ("3k5/R8/9/9/9/9/9/9/9/4K2R1 w - - 119 80", "h0h9"),
        ("4k4/5P3/3P5/9/9/9/9/9/9/3K5 w - - 119 80", "d7d8"),
    ] {
        let history = game(fen, mv);
        assert_eq!(judge(&history, RuleSet::Asian), Verdict::Loses(Color::Black), "{fen}");
        assert_eq!(judge_in_search(&history, 0, RuleSet::Asian), None, "left to the search: {fen}");
    }
    let history = game("r2k5/9/9/9/9/9/9/9/9/4K3R w - - 119 80", "e0e1");
    assert_eq!(judge(&history, RuleSet::Asian), Verdict::Draw);
    assert_eq!(judge_in_search(&history, 0, RuleSet::Asian), Some(SearchVerdict::Draw));
}

#[test]
fn clubs_end_a_game_of_300_moves_even_after_a_capture() {
    for clock in [0, 3, 50] {
        let history =
            game(&format!("{} w - - {clock} 300", &QUIET[..QUIET.find(' ').expect("a space")]), "g2i1 h8h9");
        assert_eq!(judge(&history, RuleSet::Cxq), Verdict::Draw, "{clock}");
        assert_eq!(judge_in_search(&history, 0, RuleSet::Cxq), Some(SearchVerdict::Draw), "{clock}");
        assert_eq!(judge_in_search(&history, 0, RuleSet::Asian), None, "{clock}");
    }
}

#[test]
fn a_board_without_attackers_is_a_draw() {
    let history = game("3k5/9/9/9/9/9/9/9/4p4/4KA3 w - - 3 1", "e0e1");
    assert_eq!(judge_in_search(&history, 0, RuleSet::Asian), Some(SearchVerdict::Draw));
    let mut report = Report::default();
    assert_eq!(judge_with(&history, RuleSet::Asian, &mut report), Verdict::Draw);
    assert_eq!(report.clause, Clause::DeadPosition);
}

#[test]
fn a_lone_cannon_without_screens_is_a_draw_for_pikafish_alone() {
    for (fen, draw) in [
        ("3k5/9/9/9/9/9/9/9/9/C3K4 w - - 0 1", true),
        ("3ka4/4a4/9/9/9/9/9/9/9/C3K1B2 w - - 0 1", false),
        ("3ka4/9/9/9/9/9/9/9/9/C3K4 w - - 0 1", true),
        ("3k5/9/9/9/9/9/9/9/4A4/C3K4 w - - 0 1", false),
        ("3k4c/9/9/9/9/9/9/9/9/C3K4 w - - 0 1", true),
        ("3k5/9/9/9/9/9/9/9/P8/C3K4 w - - 0 1", false),
    ] {
        let history = game(fen, "");
        let expected = if draw { Verdict::Draw } else { Verdict::None };
        assert_eq!(judge(&history, RuleSet::Pikafish), expected, "{fen}");
        assert_eq!(judge(&history, RuleSet::Asian), Verdict::None, "{fen}");
    }
}

#[test]
fn the_root_does_not_complete_an_offence() {
    let offending = |fen: &str, moves: &str, rules: RuleSet| -> Vec<String> {
        offending_root_moves(&game(fen, moves), rules).iter().map(ToString::to_string).collect()
    };
    // The last move of the second lap is Black's; Red's move before it leads there.
    let before_red = CHASE_LAP.to_owned() + " h6i6 i0h0";
    assert_eq!(offending(CHASE, &before_red, RuleSet::Asian), ["i6h6"]);
    assert_eq!(offending(CHASE, &before_red, RuleSet::Cxa), ["i6h6"]);
    assert!(offending(CHASE, &before_red, RuleSet::AllowChase).is_empty());
    assert!(offending(CHASE, CHASE_LAP, RuleSet::Asian).is_empty());
    // CXQ: the seventh check with one piece is the offender's own move, whichever check it is.
    let six_checks = laps(CHECK_LAP, 3);
    assert_eq!(offending(CHECK, &six_checks, RuleSet::Cxq), ["h8f8", "h8h9"]);
}

#[test]
fn cxq_waits_for_an_answer_at_the_root_and_in_the_tree() {
    // Both sides check on every move and stand at their limits: Red's 13th check with two pieces leaves Black the choice
    // between its own 13th, a draw, and a quiet answer that claims the win.
    const MUTUAL: &str = "3akr3/5c3/1P2b4/4R4/9/9/9/9/9/4CK3 w - - 0 1";
    let at_the_limit = format!("e6e7 f8e8 {}", laps("e7f7 e8f8 f7e7 f8e8", 5) + " e7f7 e8f8");
    let before = game(MUTUAL, &at_the_limit);
    let offending = offending_root_moves(&before, RuleSet::Cxq);
    assert!(offending.iter().any(|mv| mv.to_string() == "f7e7"), "{offending:?}");

    let waiting = game(MUTUAL, &(at_the_limit.clone() + " f7e7"));
    assert_eq!(judge(&waiting, RuleSet::Cxq), Verdict::None);
    let claimed = game(MUTUAL, &(at_the_limit + " f7e7 d9e8"));
    assert_eq!(judge(&claimed, RuleSet::Cxq), Verdict::Loses(Color::Red));
    assert_eq!(judge_in_search(&claimed, claimed.len() - 1, RuleSet::Cxq), Some(SearchVerdict::Loss));
}

#[test]
fn cxq_ends_after_300_moves_in_the_tree_too() {
    let history = game("3k5/9/9/9/9/9/9/9/9/R3K4 b - - 20 300", "d9d8");
    assert_eq!(judge(&history, RuleSet::Cxq), Verdict::Draw);
    assert_eq!(judge_in_search(&history, 0, RuleSet::Cxq), Some(SearchVerdict::Draw));
    assert_eq!(judge_in_search(&history, 0, RuleSet::Asian), None);
}
