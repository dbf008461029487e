//! The search: mates, losses, limits, repeatability, the law.

use movegen::{
    History, Move, Position,
    rules::{RuleSet, Rules, Verdict, is_drawn_by_count, judge},
};
use search::{Bound, Control, Info, Iteration, Limits, Score, SearchResult, Searcher};
use serde::Deserialize;
use std::{
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};
use tests::cases;

fn game(fen: &str, moves: &str) -> History {
    let mut history = History::new(Position::from_fen(fen).expect("a valid FEN"));
    for text in moves.split_whitespace() {
        let mv = text.parse().expect("a move");
        assert!(history.current().is_legal(mv), "{text} in {}", history.current().fen());
        history.push(mv);
    }
    history
}

fn start() -> History {
    History::new(Position::startpos())
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn searcher() -> Searcher {
    Searcher::new(8).expect("8 MiB can be had")
}

/// Searches on a thread with the stack the search asks for, and returns the result with all lines reported.
fn run(searcher: Searcher, history: &History, limits: &Limits) -> (Searcher, SearchResult, Vec<Iteration>) {
    run_with(searcher, history, limits, &Arc::new(Control::new(false)))
}

fn run_with(
    mut searcher: Searcher,
    history: &History,
    limits: &Limits,
    control: &Arc<Control>,
) -> (Searcher, SearchResult, Vec<Iteration>) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let (history, limits, control, sink) = (history.clone(), limits.clone(), control.clone(), lines.clone());
    let job = move || {
        let mut report = |info| {
            if let Info::Iteration(line) = info {
                sink.lock().expect("no panic").push(line);
            }
        };
        let result = searcher.search(&history, &limits, &control, &mut report);
        (searcher, result)
    };
    let thread = thread::Builder::new().stack_size(search::STACK_SIZE).spawn(job).expect("a thread");
    let (searcher, result) = thread.join().expect("no panic in the search");
    let lines = lines.lock().expect("no panic").clone();
    (searcher, result, lines)
}

#[derive(Deserialize)]
struct MateCase {
    id: String,
    fen: String,
    mate_in: i32,
    exact: bool,
    best_moves: Vec<String>,
}

#[test]
fn mates_are_found_with_their_exact_length() {
    for case in cases::jsonl::<MateCase>("mates.jsonl") {
        let limits = Limits { mate: Some(case.mate_in as u32), nodes: Some(400_000), ..Limits::default() };
        let (_, result, _) = run(searcher(), &game(&case.fen, ""), &limits);
        let Score::Mate(plies) = result.score else { panic!("{}: {:?}", case.id, result.score) };
        let moves = (plies + 1) / 2;
        if case.exact {
            assert_eq!(moves, case.mate_in, "{}", case.id);
            let best = result.best.expect("a move").to_string();
            assert!(case.best_moves.contains(&best), "{}: {best}", case.id);
        } else {
            assert!(moves <= case.mate_in, "{}", case.id);
        }
    }
}

#[test]
fn mated_and_stalemated_are_both_lost_now() {
    for fen in ["3k5/3RP4/9/9/9/9/9/9/9/4K4 b", "4k4/3P1P3/9/9/9/9/9/9/9/3K5 b"] {
        let (_, result, _) = run(searcher(), &game(fen, ""), &depth(5));
        assert_eq!((result.best, result.score), (None, Score::Mate(0)), "{fen}");
    }
}

#[test]
fn a_stalemate_is_played_for() {
    // All steps of the pawn on d7 leave Black without a move: d9 is attacked from d8, or by the king's open file.
    let (_, result, _) = run(searcher(), &game("4k4/5P3/3P5/9/9/9/9/9/9/3K5 w", ""), &depth(6));
    assert_eq!(result.score, Score::Mate(1));
    let best = result.best.expect("a move").to_string();
    assert!(["d7d8", "d7c7", "d7e7"].contains(&best.as_str()), "{best}");
}

#[test]
fn node_limits_are_exact() {
    for limit in [216, 1_296, 46_656] {
        let (_, result, _) = run(searcher(), &start(), &nodes(limit));
        assert_eq!(result.nodes, limit);
        assert!(result.best.is_some_and(|mv| Position::startpos().is_legal(mv)));
    }
}

#[test]
fn no_limit_makes_it_play_a_move_it_has_not_looked_at() {
    // A rook stands to be taken; the first legal moves leave it.
    let history = game("3k5/9/9/4r4/9/9/4R4/9/9/5K2C w", "");
    let soft_node = Limits { soft_nodes: Some(0), ..Limits::default() };
    let no_time =
        Limits { soft_time: Some(Duration::ZERO), hard_time: Some(Duration::ZERO), ..Limits::default() };
    let endless = Limits::default();
    for threads in [1, 2] {
        for limits in [&nodes(0), &nodes(1), &nodes(20), &soft_node, &no_time, &endless] {
            let mut searcher = searcher();
            searcher.set_threads(threads);
            let control = Arc::new(Control::new(false));
            if core::ptr::eq(limits, &raw const endless) {
                control.stop();
            }
            let (_, result, _) = run_with(searcher, &history, limits, &control);
            assert_eq!(result.best.map(|mv| mv.to_string()).as_deref(), Some("e3e6"), "{limits:?}");
            assert!(result.nodes < 1_000, "{limits:?}: {}", result.nodes);
        }
    }
}

#[test]
fn the_same_search_twice_gives_the_same_lines() {
    let history = game("r2akab1r/9/1cn1b1n2/p1p1p1p1p/4c4/2P6/P3P1P1P/1C2B1N2/9/RN1AKABR1 w - - 0 1", "");
    // Windows that fail are shown only when a search takes long.
    let timeless = |lines: Vec<Iteration>| -> Vec<Iteration> {
        let exact = lines.into_iter().filter(|line| line.bound == Bound::Exact);
        exact.map(|line| Iteration { time: Duration::ZERO, ..line }).collect()
    };
    let (mut first, result, lines) = run(searcher(), &history, &nodes(60_000));
    first.clear();
    let (_, again, lines_again) = run(first, &history, &nodes(60_000));
    assert_eq!(result, again);
    assert_eq!(timeless(lines), timeless(lines_again));
}

#[test]
fn every_line_reported_is_legal_and_the_last_one_is_played() {
    for fen in [
        movegen::START_FEN,
        "2bak1b2/9/4ca3/2p5p/p8/2P3Nr1/P3N3P/3ACR3/9/3AK4 b - - 0 39",
        "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1",
    ] {
        let history = game(fen, "");
        let limits = Limits { multi_pv: 3, ..nodes(50_000) };
        let (_, result, lines) = run(searcher(), &history, &limits);
        for line in &lines {
            let mut position = history.current().clone();
            for &mv in &line.pv {
                position = position.try_play(mv).unwrap_or_else(|error| panic!("{fen}: {error}"));
            }
            assert!(!line.pv.is_empty());
        }
        let last = lines.iter().rev().find(|line| line.multi_pv == 1).expect("a line");
        assert_eq!(result.pv[0], last.pv[0], "{fen}");
    }
}

#[test]
fn several_lines_differ_and_are_sorted() {
    let (_, _, lines) = run(searcher(), &start(), &Limits { multi_pv: 4, ..depth(8) });
    let last: Vec<&Iteration> = lines.iter().filter(|line| line.depth == 8).collect();
    assert_eq!(last.iter().map(|line| line.multi_pv).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let mut firsts: Vec<Move> = last.iter().map(|line| line.pv[0]).collect();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
    let scores: Vec<i32> = last
        .iter()
        .map(|line| match line.score {
            Score::Cp(cp) => cp,
            Score::Mate(_) => panic!("no mate from the start"),
        })
        .collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[test]
fn only_allowed_moves_are_played() {
    let allowed: Vec<Move> = ["a3a4", "i3i4"].iter().map(|text| text.parse().expect("a move")).collect();
    let limits = Limits { root_moves: allowed.clone(), ..depth(6) };
    let (_, result, _) = run(searcher(), &start(), &limits);
    assert!(allowed.contains(&result.best.expect("a move")));
}

#[test]
fn stop_and_ponderhit_are_flags_that_nothing_loses() {
    let stopped = Arc::new(Control::new(false));
    stopped.stop();
    let (_, result, _) = run_with(searcher(), &start(), &Limits::default(), &stopped);
    assert!(result.best.is_some(), "stopped before it began, it still has a move");

    // A search that ponders ignores its time until the hit, and then keeps to it.
    let control = Arc::new(Control::new(true));
    let limits = Limits { hard_time: Some(Duration::from_millis(5)), ..Limits::default() };
    let hit = control.clone();
    let opponent = thread::spawn(move || {
        thread::sleep(Duration::from_millis(60));
        assert!(hit.is_pondering());
        hit.ponderhit();
    });
    run_with(searcher(), &start(), &limits, &control);
    assert!(!control.is_pondering());
    opponent.join().expect("no panic");
}

#[test]
fn helpers_change_nothing_about_legality() {
    let mut many = searcher();
    many.set_threads(3);
    let (_, result, _) = run(many, &start(), &nodes(100_000));
    assert!(result.best.is_some_and(|mv| Position::startpos().is_legal(mv)));
    assert!(result.nodes >= 100_000);
}

#[test]
fn repetition_is_no_mate() {
    // Public reports of false mates from a win by two-fold repetition.
    for fen in ["3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w", "5R3/4k4/9/4r4/9/9/5p3/5A3/5K3/9 b"] {
        let (_, _, lines) = run(searcher(), &game(fen, ""), &nodes(300_000));
        for line in lines {
            assert!(matches!(line.score, Score::Cp(_)), "{fen}: {line:?}");
        }
    }
}

#[test]
fn the_offender_deviates_and_the_victim_goes_on() {
    // A rook that would check for ever; the next check on the same square completes the third occurrence.
    let fen = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
    let laps = "h8h9 f9f8 h9h8 f8f9 h8h9 f9f8 h9h8";
    let offender = game(fen, "h8h9 f9f8 h9h8 f8f9 h8h9 f9f8");
    let mut searcher = searcher();
    searcher.set_rules(RuleSet::Asian);
    let (_, result, _) = run(searcher, &offender, &nodes(20_000));
    assert_ne!(result.best.map(|mv| mv.to_string()).as_deref(), Some("h9h8"));

    let victim = game(fen, laps);
    let (_, result, _) = run(self::searcher(), &victim, &nodes(20_000));
    assert_eq!(result.best.map(|mv| mv.to_string()).as_deref(), Some("f8f9"), "it is the only legal move");
}

#[test]
fn what_holds_for_this_game_only_stays_out_of_the_table() {
    // Black has one reply, and after it Red may not check on: what the node is worth then is no news for other games.
    let fen = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
    let checked = game(fen, "h8h9 f9f8 h9h8 f8f9 h8h9");
    let answered = game(fen, "h8h9 f9f8");
    let known = |history: &History| {
        let (searcher, _, _) = run(searcher(), history, &depth(4));
        searcher.probe(answered.current())
    };
    assert!(known(&game(fen, "h8h9")).is_some(), "nothing is forbidden yet");
    assert_eq!(known(&checked), None);

    // Black may draw by a third occurrence, of which the position by itself knows nothing.
    let fen = "3a5/5k3/3a5/9/3P5/9/9/9/2N6/4K4 w";
    let drawn = game(fen, "c1d3 f8f7 d3c1 f7f8 c1d3 f8f7 d3c1 f7f8 c1d3");
    let (drawn_searcher, result, _) = run(searcher(), &drawn, &depth(12));
    assert!(matches!(result.score, Score::Cp(-5..=5)), "{:?}", result.score);
    assert_eq!(drawn_searcher.probe(drawn.current()), None);

    let only = Limits { root_moves: vec!["a0a1".parse().expect("a move")], ..depth(4) };
    let (searcher, _, _) = run(searcher(), &start(), &only);
    assert_eq!(searcher.probe(&Position::startpos()), None);
    let (searcher, _, _) = run(searcher, &start(), &depth(4));
    assert!(searcher.probe(&Position::startpos()).is_some());
}

#[test]
fn a_limit_of_any_length_takes_a_mate() {
    let mate_in_one = game("4k4/5P3/3P5/9/9/9/9/9/9/3K5 w", "");
    for moves in [1, 1_000, 2_000_000_000, u32::MAX] {
        let limits = Limits { mate: Some(moves), depth: Some(12), ..Limits::default() };
        let (_, result, _) = run(searcher(), &mate_in_one, &limits);
        assert!(matches!(result.score, Score::Mate(1..)), "{moves}: {:?}", result.score);
        assert!(result.depth < 12, "{moves}");
    }
}

/// The options `Rule60MaxPly` and `Sixty Move Rule` of Pikafish: another number of plies, or none.
#[test]
fn the_draw_by_move_count_can_be_another_or_none() {
    let won = game("3k5/9/9/9/9/9/9/9/4A4/4K3R w - - 119 90", "");
    let score = |rules: Rules| {
        let mut searcher = searcher();
        searcher.set_rules(rules);
        run(searcher, &won, &depth(4)).1.score
    };
    let rules = Rules::from(RuleSet::Asian);
    let is_drawn = |rules| matches!(score(rules), Score::Cp(-5..=5));
    assert!(is_drawn(rules), "any move completes 120 plies");
    assert!(!is_drawn(rules.with_no_capture_plies(300)));
    assert!(!is_drawn(rules.without_move_count()));

    let mut history = won.clone();
    history.push("i0i1".parse().expect("a move"));
    assert_eq!(judge(&history, rules), Verdict::Draw);
    assert_eq!(judge(&history, rules.with_no_capture_plies(121)), Verdict::None);
    assert_eq!(judge(&history, rules.without_move_count()), Verdict::None);
    assert_eq!(judge(&history, Rules::from(RuleSet::Club60).without_move_count()), Verdict::None);
    assert_eq!(judge(&history, Rules::from(RuleSet::Cxq).with_no_capture_plies(120)), Verdict::Draw);
}

/// A driver that plays on after the draw by move count, or somebody with a FEN whose counter is full.
#[test]
fn who_plays_on_after_the_move_count_gets_a_real_move() {
    // The rook on d2 must not go where the horse takes it.
    let board = "2bakab2/9/9/9/9/2n6/9/3R5/4A4/2BAK4 w - -";
    let (_, fresh, _) = run(searcher(), &game(&format!("{board} 0 90"), ""), &depth(8));
    for rules in [RuleSet::Asian, RuleSet::Vn, RuleSet::Club60, RuleSet::Cxq] {
        let full = game(&format!("{board} {} 350", Rules::from(rules).no_capture_plies() + 10), "");
        let mut searcher = searcher();
        searcher.set_rules(rules);
        let (_, result, _) = run(searcher, &full, &depth(8));
        assert!(is_drawn_by_count(&full, rules));
        assert!(!is_drawn_by_count(&full, Rules::from(rules).without_move_count()));
        assert!(result.pv.len() > 2, "{rules}: {:?}", result.pv);
        let (Score::Cp(score), Score::Cp(expected)) = (result.score, fresh.score) else { panic!("a mate") };
        assert!(
            (score - expected).abs() < 60 && score > 50,
            "{rules}: {score}, with a fresh counter {expected}"
        );
    }
}

#[test]
fn what_was_searched_near_the_move_count_can_be_probed() {
    for clock in [0, 79, 80, 95] {
        let fen = format!("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - {clock} 60");
        let history = game(&fen, "");
        let (searcher, result, _) = run(searcher(), &history, &depth(4));
        let probe = searcher.probe(history.current()).expect("the root is in the table");
        assert_eq!((probe.mv, probe.score), (result.best, result.score), "{fen}");
    }
}

#[test]
fn helpers_end_when_the_main_thread_fails() {
    let job = || {
        let mut searcher = searcher();
        searcher.set_threads(3);
        let mut report = |_| panic!("a report nobody can take");
        searcher.search(&start(), &Limits::default(), &Control::new(false), &mut report)
    };
    let thread = thread::Builder::new().stack_size(search::STACK_SIZE).spawn(job).expect("a thread");
    assert!(thread.join().is_err(), "the search must not go on without its main thread");
}

#[test]
fn lines_end_with_the_game() {
    // After e7e8 Black is stalemated, after h9g9 too; what the line of another depth went on with is not shown.
    for fen in ["4k4/9/4P4/9/9/9/9/9/R8/3K4R b", "5k1P1/9/3R5/1P7/9/5N3/9/9/4K4/9 b - - 0 1"] {
        let start = Position::from_fen(fen).expect("a position");
        let (_, _, iterations) = run(searcher(), &History::new(start.clone()), &depth(8));
        assert!(!iterations.is_empty());
        for iteration in iterations {
            let mut position = start.clone();
            for mv in &iteration.pv {
                position = position
                    .try_play(*mv)
                    .unwrap_or_else(|error| panic!("{fen}: {:?}: {error}", iteration.pv));
            }
        }
    }
}

#[test]
fn nobody_wins_without_a_piece_that_crosses_the_river() {
    let fen = "3akab2/9/4b4/9/9/9/9/4B4/4A4/2BK1A3 w - - 40 80";
    let history = History::new(Position::from_fen(fen).expect("a position"));
    let (_, result, _) = run(searcher(), &history, &depth(8));
    assert!(matches!(result.score, Score::Cp(-1..=1)), "{:?}", result.score);
}
