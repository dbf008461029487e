//! Each transition of the engine: exactly one reply per `go`, legal, never too early.

mod books;
mod fake;
mod nodes_time;

use std::time::{Duration, Instant};

use engine::options::{Lookup, Protocol, lookup};
use engine::time::Clock;
use engine::{Engine, GoRequest, Output, PositionFault, Reply};
use fake::Fake;
use movegen::{Move, Position};
use search::{Info, Score};

const PATIENCE: Duration = Duration::from_secs(20);
/// Long enough for an early reply to show itself.
const WHILE: Duration = Duration::from_millis(60);
const MATED: &str = "3k5/3RP4/9/9/9/9/9/9/9/4K4 b";
const STALEMATED: &str = "4k4/3P1P3/9/9/9/9/9/9/9/3K5 b";

fn new_engine() -> Engine {
    Engine::with_backend(Fake::new).expect("a thread can be had")
}

/// Handles events until the reply or until nothing more comes within `patience`.
fn reply_within(engine: &mut Engine, patience: Duration) -> (Option<Reply>, Vec<String>) {
    let events = engine.events().clone();
    let mut messages = Vec::new();
    while let Ok(event) = events.recv_timeout(patience) {
        match engine.handle(event) {
            Some(Output::Reply(reply)) => return (Some(reply), messages),
            Some(Output::Message(text)) => messages.push(text),
            _ => {}
        }
    }
    (None, messages)
}

fn reply(engine: &mut Engine) -> Reply {
    reply_within(engine, PATIENCE).0.expect("a reply")
}

fn assert_silent(engine: &mut Engine) {
    assert!(reply_within(engine, WHILE).0.is_none(), "a reply before its time");
}

fn nodes(nodes: u64) -> GoRequest {
    GoRequest { nodes: Some(nodes), ..GoRequest::default() }
}

fn depth(depth: u32) -> GoRequest {
    GoRequest { depth: Some(depth), ..GoRequest::default() }
}

fn clock(millis: u64) -> Clock {
    Clock { time: Duration::from_millis(millis), increment: Duration::ZERO, moves_to_go: None }
}

fn set(engine: &mut Engine, name: &str, value: &str) {
    let Lookup::Known(spec) = lookup(name, Protocol::Ucci) else { panic!("no option {name}") };
    assert!(engine.set_option(spec, Protocol::Ucci, value).is_ok());
}

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

#[test]
fn a_limited_search_ends_by_itself() {
    let mut engine = new_engine();
    assert!(engine.go(&depth(3)).is_none());
    assert!(engine.is_busy() && engine.is_searching() && engine.ends_by_itself());
    let reply = reply(&mut engine);
    assert!(reply.by_itself);
    assert!(Position::startpos().is_legal(reply.best.expect("a move")));
    assert!(!engine.is_busy());
    assert!(engine.stop().is_none(), "nothing is left to stop");
    assert_silent(&mut engine);
}

/// Waits for the deadline and gives up then.
fn overdue_reply(engine: &mut Engine) -> Reply {
    let events = engine.events().clone();
    loop {
        let deadline = engine.deadline().expect("it is known when the reply is due");
        match events.recv_deadline(deadline) {
            Ok(event) => assert!(!matches!(engine.handle(event), Some(Output::Reply(_))), "not deaf at all"),
            Err(_) => {
                if let Some(reply) = engine.give_up_waiting() {
                    return reply;
                }
            }
        }
    }
}

#[test]
fn a_search_that_does_not_end_in_time_is_given_up() {
    let mut engine = new_engine();
    for by_clock in [false, true] {
        let clock = by_clock.then(|| clock(100));
        let begin = Instant::now();
        assert!(engine.go(&GoRequest { clock, ..nodes(fake::DEAF) }).is_none());
        if !by_clock {
            assert!(engine.stop().is_none());
        }
        let best = overdue_reply(&mut engine).best.expect("a move");
        assert!(begin.elapsed() < Duration::from_millis(400), "{:?}", begin.elapsed());
        assert!(Position::startpos().is_legal(best));
        assert!(!engine.is_busy());
    }
    // What the two still have to say is not taken for the next search.
    let request = GoRequest { search_moves: vec![mv("h2e2")], ..depth(2) };
    assert!(engine.go(&request).is_none());
    assert_eq!(reply(&mut engine).best, Some(mv("h2e2")));
    assert_silent(&mut engine);
}

/// The search thread may have other work to do when a search should begin.
#[test]
fn a_search_that_begins_late_still_plays_a_move_it_has_looked_at() {
    let last = Position::startpos().legal_moves().last().copied();
    for by_clock in [false, true] {
        let mut engine = new_engine();
        set(&mut engine, "hashsize", &fake::LATE.to_string());
        let clock = by_clock.then(|| clock(3_000));
        let move_time = (!by_clock).then_some(Duration::from_millis(50));
        let request = GoRequest { clock, move_time, ..nodes(fake::CHANGED) };
        assert!(engine.go(&request).is_none());
        let deadline = engine.deadline().expect("it is known when the reply is due");
        let event = engine.events().recv_deadline(deadline).expect("a line in time");
        assert!(matches!(engine.handle(event), Some(Output::Info(_))), "by clock: {by_clock}");
        let reply = reply(&mut engine);
        assert_eq!(reply.best, last, "by clock: {by_clock}");
    }
}

#[test]
fn a_search_that_does_not_begin_is_given_up() {
    let move_time = GoRequest { move_time: Some(Duration::from_millis(50)), ..GoRequest::default() };
    let infinite = GoRequest { infinite: true, ..GoRequest::default() };
    let with_clock = GoRequest { clock: Some(clock(300)), ..GoRequest::default() };
    let last_before_control = Clock { moves_to_go: Some(1), ..clock(300) };
    let all_at_once = GoRequest { clock: Some(last_before_control), ..GoRequest::default() };
    let long_clock = GoRequest { clock: Some(clock(60_000)), ..GoRequest::default() };
    // By hand, 30 ms kept back: half of the clock beyond a hard limit of 15 ms; half of the 30 beyond 270 ms; a second beyond
    // five shares of 50 of 59,700 ms.
    // And whoever says stop waits for 70 ms.
    for (request, stopped, least, most) in [
        (&move_time, false, 1_000, 1_600),
        (&with_clock, false, 100, 150),
        (&all_at_once, false, 270, 285),
        (&long_clock, false, 6_900, 6_970),
        (&move_time, true, 70, 70),
        (&infinite, true, 70, 70),
    ] {
        let mut engine = new_engine();
        set(&mut engine, "hashsize", &fake::VERY_LATE.to_string());
        let begin = Instant::now();
        assert!(engine.go(request).is_none());
        if stopped {
            assert!(engine.stop().is_none());
        }
        let end = Instant::now();
        let deadline = engine.deadline().expect("it is known when the reply is due");
        // Set somewhere between the two, however busy the machine is.
        let due = deadline - begin;
        assert!(due >= Duration::from_millis(least), "{due:?} of {request:?}");
        assert!(deadline - end <= Duration::from_millis(most), "{:?} of {request:?}", deadline - end);
        if due < 8 * fake::LATENESS {
            assert!(overdue_reply(&mut engine).best.is_some());
        }
    }
}

/// What waits for memory or an answer before it is handled has spent that time; what waits for a search of the driver's own has not.
#[test]
fn the_clock_runs_from_when_the_request_came() {
    let waited = Duration::from_millis(300);
    // By hand: half of the clock beyond a hard limit of a twentieth or so, 30 ms kept back, is about 510 ms of 1,000 and 360 of 700.
    let about = |clock: Duration| clock / 2 + Duration::from_millis(10);
    let (whole, tolerance) = (Duration::from_secs(1), Duration::from_millis(20));
    for (searches, ponders, is_shorter) in [(false, false, true), (true, false, false), (false, true, false)]
    {
        let mut engine = new_engine();
        std::thread::sleep(waited);
        let came_at = Instant::now().checked_sub(waited);
        if searches {
            assert!(engine.go(&depth(1)).is_none());
            reply(&mut engine);
        }
        set(&mut engine, "hashsize", &fake::VERY_LATE.to_string());
        let begin = Instant::now();
        let request =
            GoRequest { clock: Some(clock(1_000)), came_at, ponder: ponders, ..GoRequest::default() };
        assert!(engine.go(&request).is_none());
        if ponders {
            assert!(engine.ponderhit(false).is_none());
        }
        let end = Instant::now();
        let deadline = engine.deadline().expect("it is known when the reply is due");
        // The clock that was left, at most and at least: set somewhere between the two, however busy the machine is.
        let [most, least] = [begin, end].map(|now| match came_at {
            Some(came_at) if is_shorter => whole.saturating_sub(now - came_at),
            _ => whole,
        });
        assert!(
            deadline - begin + tolerance >= about(least),
            "{:?}, {searches}, {ponders}",
            deadline - begin
        );
        assert!(deadline - end <= about(most) + tolerance, "{:?}, {searches}, {ponders}", deadline - end);
    }
}

/// The threads of a search may take longer to end than the driver has patience (ucci.md 13.7: 50 ms, at most 200).
#[test]
fn a_reply_does_not_wait_for_the_search_to_come_to_rest() {
    let mut engine = new_engine();
    for _ in 0..2 {
        assert!(engine.go(&nodes(fake::RESTLESS)).is_none());
        let begin = Instant::now();
        assert!(reply(&mut engine).best.is_some());
        if begin.elapsed() < Duration::from_millis(400) {
            // The next search waits for the rest, and its reply is its own.
            let begin = Instant::now();
            assert!(engine.go(&depth(1)).is_none());
            reply(&mut engine);
            assert!(begin.elapsed() > Duration::from_millis(50), "two searches at once");
            return;
        }
    }
    panic!("a reply came late twice");
}

#[test]
fn there_is_no_hurry_without_a_clock() {
    let mut engine = new_engine();
    for request in [
        depth(3),
        GoRequest { infinite: true, ..GoRequest::default() },
        GoRequest { ponder: true, clock: Some(clock(100)), ..GoRequest::default() },
    ] {
        assert!(engine.go(&request).is_none());
        assert_eq!(engine.deadline(), None);
        assert!(engine.give_up_waiting().is_none());
        if engine.stop().is_none() {
            reply(&mut engine);
        }
    }
}

#[test]
fn a_search_for_a_mate_may_never_end() {
    let mut engine = new_engine();
    assert!(engine.go(&GoRequest { mate: Some(3), ..GoRequest::default() }).is_none());
    assert!(!engine.ends_by_itself());
    engine.stop();
    reply(&mut engine);
}

#[test]
fn an_endless_search_that_is_over_waits_for_stop() {
    let mut engine = new_engine();
    assert!(engine.go(&GoRequest { infinite: true, ..depth(3) }).is_none());
    assert_silent(&mut engine);
    assert!(engine.is_busy() && !engine.ends_by_itself());
    let reply = engine.stop().expect("the held reply");
    assert!(!reply.by_itself && reply.best.is_some());
    assert!(!engine.is_busy());
}

#[test]
fn a_running_search_answers_after_stop() {
    let mut engine = new_engine();
    assert!(engine.go(&GoRequest { infinite: true, ..GoRequest::default() }).is_none());
    assert_silent(&mut engine);
    assert!(engine.stop().is_none(), "the search has to end first");
    assert!(!reply(&mut engine).by_itself);
}

#[test]
fn pondering_waits_for_the_hit() {
    let mut engine = new_engine();
    assert!(engine.go(&GoRequest { ponder: true, ..depth(2) }).is_none());
    assert_silent(&mut engine);
    assert!(engine.ponderhit(false).expect("the held reply").by_itself);
}

#[test]
fn pondering_waits_for_stop() {
    let mut engine = new_engine();
    let request = GoRequest { ponder: true, clock: Some(clock(100)), ..GoRequest::default() };
    assert!(engine.go(&request).is_none());
    assert_silent(&mut engine);
    assert!(engine.stop().is_none());
    assert!(!reply(&mut engine).by_itself);
}

#[test]
fn the_clock_of_a_pondering_search_starts_with_the_hit() {
    let mut engine = new_engine();
    let request = GoRequest { ponder: true, clock: Some(clock(1_000)), ..GoRequest::default() };
    assert!(engine.go(&request).is_none());
    assert_silent(&mut engine);
    assert!(engine.ponderhit(false).is_none());
    assert!(reply(&mut engine).by_itself);
}

#[test]
fn a_hit_at_once_is_not_lost() {
    for _ in 0..50 {
        let mut engine = new_engine();
        let request = GoRequest { ponder: true, clock: Some(clock(40)), ..GoRequest::default() };
        assert!(engine.go(&request).is_none());
        let early = engine.ponderhit(false);
        assert!(early.is_some() || reply_within(&mut engine, PATIENCE).0.is_some());
    }
}

#[test]
fn pondering_without_end_needs_both() {
    let mut engine = new_engine();
    assert!(engine.go(&GoRequest { ponder: true, infinite: true, ..depth(2) }).is_none());
    assert_silent(&mut engine);
    assert!(engine.ponderhit(false).is_none());
    assert_silent(&mut engine);
    assert!(engine.stop().is_some());
}

#[test]
fn a_hit_without_pondering_changes_nothing() {
    let mut engine = new_engine();
    assert!(engine.ponderhit(true).is_none());
    assert!(engine.go(&GoRequest { infinite: true, ..depth(1) }).is_none());
    assert!(engine.ponderhit(false).is_none());
    assert_silent(&mut engine);
    assert!(engine.stop().is_some());
}

#[test]
fn no_move_is_said_at_once_or_after_stop() {
    for fen in [MATED, STALEMATED] {
        let mut engine = new_engine();
        assert_eq!(engine.game_mut().set_fen(fen, &[]), Ok(()));
        let reply = engine.go(&depth(3)).expect("no search is needed");
        assert!(reply.best.is_none() && reply.mated && reply.by_itself);

        assert!(engine.go(&GoRequest { infinite: true, ..GoRequest::default() }).is_none());
        assert_silent(&mut engine);
        let reply = engine.stop().expect("the held reply");
        assert!(reply.mated && !reply.by_itself);
    }
}

#[test]
fn banned_moves_are_not_played() {
    let mut engine = new_engine();
    let legal = Position::startpos().legal_moves();
    engine.game_mut().ban(legal.iter().copied().skip(1).collect());
    assert!(engine.go(&depth(1)).is_none());
    assert_eq!(reply(&mut engine).best, Some(legal[0]));

    engine.game_mut().ban(legal.to_vec());
    let reply = engine.go(&depth(1)).expect("no search is needed");
    assert!(reply.best.is_none() && !reply.mated);

    assert_eq!(engine.game_mut().set_position(Position::startpos(), &[]), Ok(()));
    assert!(engine.go(&depth(1)).is_none(), "the next position lifts the ban");
}

#[test]
fn moves_to_search_are_kept_to() {
    let mut engine = new_engine();
    let request = GoRequest { search_moves: vec![mv("h2e2"), mv("a0i9")], ..depth(1) };
    assert!(engine.go(&request).is_none());
    assert_eq!(reply(&mut engine).best, Some(mv("h2e2")));
}

#[test]
fn a_failing_search_still_answers() {
    for cause in [fake::PANIC, fake::PANIC_AT_ONCE] {
        let mut engine = new_engine();
        for _ in 0..2 {
            assert!(engine.go(&nodes(cause)).is_none());
            let (answer, messages) = reply_within(&mut engine, PATIENCE);
            let best = answer.and_then(|reply| reply.best).expect("a move");
            assert!(Position::startpos().is_legal(best));
            assert!(messages[0].contains("internal error in the search: "), "{messages:?}");
        }
        assert!(engine.go(&depth(1)).is_none());
        assert!(reply(&mut engine).ponder.is_some(), "the next search is as good as ever");
    }
}

#[test]
fn an_illegal_move_of_the_search_is_never_played() {
    let mut engine = new_engine();
    assert!(engine.go(&nodes(fake::ILLEGAL)).is_none());
    let reply = reply(&mut engine);
    let best = reply.best.expect("a move");
    assert!(Position::startpos().is_legal(best));
    assert!(reply.ponder.is_some_and(|answer| Position::startpos().play(best).is_legal(answer)));
}

#[test]
fn draws_and_resignation_follow_offers_and_options() {
    let mut engine = new_engine();
    assert!(engine.go(&GoRequest { draw_offered: true, ..nodes(fake::LOST) }).is_none());
    let answer = reply(&mut engine);
    assert!(answer.draw && !answer.resign);

    assert!(engine.go(&GoRequest { draw_offered: true, ..depth(9) }).is_none());
    assert!(!reply(&mut engine).draw, "an even opening is played on");

    let dead = "3k5/4a4/9/9/9/9/9/9/4A4/4K4 w - - 0 1";
    assert_eq!(engine.game_mut().set_fen(dead, &[]), Ok(()));
    assert!(engine.go(&GoRequest { draw_offered: true, ..depth(2) }).is_none());
    assert!(reply(&mut engine).draw, "the law has drawn it already");
    assert_eq!(engine.game_mut().set_position(Position::startpos(), &[]), Ok(()));

    assert!(engine.go(&GoRequest { ponder: true, ..nodes(fake::LOST) }).is_none());
    assert_silent(&mut engine);
    assert!(engine.ponderhit(true).expect("the held reply").draw);

    let resign = engine::options::OPTIONS.iter().find(|spec| spec.ucci == Some("resign")).expect("a row");
    assert!(engine.set_option(resign, Protocol::Ucci, "true").is_ok());
    assert!(engine.go(&nodes(fake::LOST)).is_none());
    assert!(reply(&mut engine).resign);

    assert!(engine.go(&GoRequest { infinite: true, ..nodes(fake::LOST) }).is_none());
    assert_silent(&mut engine);
    assert!(!engine.stop().expect("the held reply").resign, "an analysis is no game");
}

#[test]
fn a_hash_table_that_cannot_be_had_is_reported() {
    let mut engine = new_engine();
    let hash = engine::options::OPTIONS.iter().find(|spec| spec.uci == Some("Hash")).expect("a row");
    assert!(engine.set_option(hash, Protocol::Ucci, fake::NO_MEMORY.to_string()).is_ok());
    engine.sync(PATIENCE);
    let (_, messages) = reply_within(&mut engine, WHILE);
    assert_eq!(messages, ["cannot allocate a hash table of 4096 MiB; 16 MiB stay"]);
}

/// Whatever a driver sends before it waits for an answer, the last size counts, and one table is made.
#[test]
fn hash_sizes_in_a_row_cost_one_table() {
    let mut engine = new_engine();
    // The thread is busy with the first while the others come.
    set(&mut engine, "hashsize", &fake::LATE.to_string());
    std::thread::sleep(fake::LATENESS / 4);
    for _ in 0..50 {
        set(&mut engine, "hashsize", &fake::LATE.to_string());
        set(&mut engine, "newgame", "");
    }
    set(&mut engine, "hashsize", "64");
    let begin = Instant::now();
    engine.sync(PATIENCE);
    assert!(begin.elapsed() < 10 * fake::LATENESS, "{:?}", begin.elapsed());
    // If the last cannot be had, the one before it counts, also where another one has to make room for that.
    for mib in [fake::VERY_LATE, 32, fake::ONCE_SMALL, fake::NO_MEMORY] {
        set(&mut engine, "hashsize", &mib.to_string());
    }
    engine.sync(PATIENCE);
    let (_, messages) = reply_within(&mut engine, WHILE);
    assert_eq!(messages, ["cannot allocate a hash table of 4096 MiB; 4093 MiB stay"]);
    assert!(begin.elapsed() < 10 * fake::LATENESS, "{:?}", begin.elapsed());
}

#[test]
fn a_file_that_is_no_network_is_reported() {
    let mut engine = new_engine();
    let file = engine::options::OPTIONS.iter().find(|spec| spec.uci == Some("EvalFile")).expect("a row");
    for text in ["none", "", "Cargo.toml"] {
        assert!(engine.set_option(file, Protocol::Ucci, text).is_ok());
    }
    engine.sync(PATIENCE);
    let (_, messages) = reply_within(&mut engine, WHILE);
    let expected = "network Cargo.toml: not a Phao network (it does not begin with PHAONET2); the evaluation stays as it was";
    assert_eq!(messages, [expected]);
}

#[test]
fn a_probe_sees_the_table_at_any_time() {
    let mut engine = new_engine();
    assert_eq!(engine.probe(&Position::startpos()).map(|probe| probe.score), Some(Score::Cp(22)));
    assert!(engine.go(&GoRequest { infinite: true, ..GoRequest::default() }).is_none());
    assert_eq!(engine.probe(&Position::startpos()).map(|probe| probe.score), Some(Score::Cp(22)));
    engine.stop();
    reply(&mut engine);
    assert!(engine.probe(&Position::startpos()).is_some());
}

#[test]
fn chores_run_and_can_be_stopped() {
    let mut engine = new_engine();
    engine.start_chore(Box::new(|control, line| {
        line("begun".to_owned());
        while !control.is_stopped() {
            std::thread::yield_now();
        }
    }));
    let events = engine.events().clone();
    let first = events.recv_timeout(PATIENCE).expect("a line");
    assert!(matches!(engine.handle(first), Some(Output::Text(line)) if line == "begun"));
    assert!(engine.is_busy() && !engine.is_searching());
    assert!(engine.stop().is_none());
    let second = events.recv_timeout(PATIENCE).expect("the end");
    assert!(engine.handle(second).is_none());
    assert!(!engine.is_busy());
}

#[test]
fn reports_come_before_the_reply() {
    let mut engine = new_engine();
    assert!(engine.go(&depth(4)).is_none());
    let events = engine.events().clone();
    let mut depths = Vec::new();
    while let Ok(event) = events.recv_timeout(PATIENCE) {
        match engine.handle(event) {
            Some(Output::Info(Info::Iteration(iteration))) => depths.push(iteration.depth),
            Some(Output::Reply(_)) => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(depths, [1, 2, 3, 4]);
}

#[test]
fn faulty_positions_leave_what_the_protocol_asks_for() {
    let mut engine = new_engine();
    let start = Position::startpos();
    let no_answer = |engine: &mut Engine| {
        let reply = engine.go(&depth(1)).expect("no search");
        assert!(reply.best.is_none() && !reply.mated);
    };

    assert!(matches!(engine.game_mut().set_fen("rubbish", &[]), Err(PositionFault::Fen(_))));
    assert_eq!(engine.game().position(), &start);
    no_answer(&mut engine);

    let no_king = "9/9/9/9/9/9/9/9/9/4K4 w";
    assert!(matches!(engine.game_mut().set_fen(no_king, &[]), Err(PositionFault::Board(_))));
    assert_eq!(engine.game().position(), &start);
    no_answer(&mut engine);

    let facing = "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1";
    assert!(matches!(engine.game_mut().set_fen(facing, &[]), Err(PositionFault::Unreachable(_))));
    assert_eq!(engine.game().unreachable().map(movegen::Setup::to_fen).as_deref(), Some(facing));
    no_answer(&mut engine);

    let moves = [mv("h2e2"), mv("h9g7"), mv("e2e9"), mv("h0g2")];
    let fault = engine.game_mut().set_position(start.clone(), &moves);
    assert!(matches!(fault, Err(PositionFault::IllegalMove { number: 3, .. })), "{fault:?}");
    assert_eq!(engine.game().history().len(), 2);
    assert!(engine.go(&depth(1)).is_none(), "the position reached is played");
}

#[test]
fn a_handicap_searches_more_lines_and_shows_one() {
    let mut engine = new_engine();
    let skill = engine::options::OPTIONS.iter().find(|spec| spec.uci == Some("Skill Level")).expect("a row");
    assert!(engine.set_option(skill, Protocol::Ucci, "0").is_ok());
    let legal = Position::startpos().legal_moves();
    let mut played = std::collections::HashSet::new();
    for _ in 0..60 {
        assert!(engine.go(&depth(2)).is_none());
        let events = engine.events().clone();
        let reply = loop {
            match engine.handle(events.recv_timeout(PATIENCE).expect("an event")) {
                Some(Output::Info(Info::Iteration(iteration))) => assert_eq!(iteration.multi_pv, 1),
                Some(Output::Reply(reply)) => break reply,
                other => assert!(other.is_none(), "{other:?}"),
            }
        };
        let best = reply.best.expect("a move");
        assert!(legal.contains(&best));
        assert_eq!(reply.last_report.map(|report| report.pv[0]), Some(best));
        played.insert(best);
    }
    assert!(played.len() > 1, "chance had no part in it");

    assert!(engine.go(&GoRequest { infinite: true, ..depth(1) }).is_none());
    assert_silent(&mut engine);
    assert_eq!(engine.stop().expect("the held reply").best, Some(legal[0]), "analysis is not held back");
}
