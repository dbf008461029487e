//! A clock that counts nodes, with the real search: what it does is exact.

use std::time::Duration;

use engine::options::{OPTIONS, Protocol};
use engine::time::{Clock, NodeClock, clock_budget, nodes_in};
use engine::{Engine, GoRequest};
use movegen::Move;

const MS: Duration = Duration::from_millis(1);
/// What is kept back by default.
const OVERHEAD: Duration = Duration::from_millis(30);

fn engine(nodes_time: u64) -> Engine {
    let mut engine = Engine::new().expect("a thread can be had");
    for (name, value) in [("nodestime", nodes_time.to_string()), ("Hash", "1".to_owned())] {
        let spec = OPTIONS.iter().find(|spec| spec.uci == Some(name)).expect("a row");
        engine.set_option(spec, Protocol::Ucci, &value).expect("a good value");
    }
    engine
}

/// The move of one search and its nodes.
fn search(engine: &mut Engine, request: &GoRequest) -> (Move, u64) {
    assert!(engine.go(request).is_none());
    let reply = super::reply(engine);
    (reply.best.expect("a move"), reply.last_report.expect("a report").nodes)
}

/// The first moves of one side of a game, fewer if it is won before; the driver's clock shows `shown` after the first one.
fn play(engine: &mut Engine, shown: Duration) -> Vec<(Move, u64)> {
    let mut moves: Vec<Move> = Vec::new();
    let mut found = Vec::new();
    for number in 0..5 {
        engine.game_mut().set_position(movegen::Position::startpos(), &moves).expect("legal moves");
        let time = if number == 0 { MS * 20_000 } else { shown };
        let clock = Clock { time, increment: MS * 100, moves_to_go: None };
        let (mv, nodes) = search(engine, &GoRequest { clock: Some(clock), ..GoRequest::default() });
        found.push((mv, nodes));
        moves.push(mv);
        let position = engine.game().position().play(mv);
        let Some(&answer) = position.legal_moves().first() else { break };
        moves.push(answer);
    }
    found
}

#[test]
fn the_clock_of_nodes_is_exact() {
    let mut first = engine(2);
    let game = play(&mut first, MS * 20_000);
    assert!(game.len() > 2, "{game:?}");
    // Neither the machine nor what the driver shows later makes a difference.
    assert_eq!(play(&mut engine(2), MS), game);
    first.new_game();
    assert_eq!(play(&mut first, MS * 3), game, "a new game winds it up again");
    assert_ne!(play(&mut engine(4), MS * 20_000), game);
    // No search goes beyond its share of what is left on a clock that runs by nodes.
    let mut clock = NodeClock::default();
    let driver = Clock { time: MS * 20_000, increment: MS * 100, moves_to_go: None };
    for (number, &(_, nodes)) in game.iter().enumerate() {
        let budget = clock_budget(&clock.read(&driver, 2), OVERHEAD, number as u32, false);
        assert!((1..=nodes_in(budget.hard, 2)).contains(&nodes), "move {number}: {nodes} nodes, {budget:?}");
        clock.press(nodes, driver.increment, 2);
    }
}

#[test]
fn a_move_time_of_nodes_is_exact() {
    let request = GoRequest { move_time: Some(MS * 100), ..GoRequest::default() };
    // By hand: 100 ms less the overhead of 30, 20 nodes each.
    assert_eq!(search(&mut engine(20), &request).1, 1_400);
    let fewer = GoRequest { nodes: Some(900), ..request };
    assert_eq!(search(&mut engine(20), &fewer).1, 900, "the first limit reached counts");
}
