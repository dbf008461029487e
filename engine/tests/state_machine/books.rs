//! Moves from opening books: legal, allowed, and only where a search is not what was asked for.

use std::fs;

use engine::book::{Book, Place};
use engine::options::{Lookup, Protocol, lookup};
use engine::{Engine, GoRequest};
use movegen::{History, Position};
use tempfile::TempDir;

use crate::{clock, depth, mv, new_engine, nodes, reply};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn set(engine: &mut Engine, name: &str, value: &str) {
    let Lookup::Known(spec) = lookup(name, Protocol::Ucci) else { panic!("{name} is an option") };
    engine.set_option(spec, Protocol::Ucci, value).expect("a value");
}

/// An engine with a book of these lines (moves and weights), each from a FEN.
fn engine_with(lines: &[(&str, &str, u16)]) -> (Engine, TempDir) {
    let entries = lines.iter().map(|&(fen, word, weight)| {
        let position = Position::from_fen(fen).expect("a FEN");
        (Place::of(&position, mv(word)), weight)
    });
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.book");
    fs::write(&path, Book::new(entries).to_bytes()).expect("a file");
    let mut engine = new_engine();
    set(&mut engine, "bookfiles", &path.to_string_lossy());
    let loaded = engine.load_books();
    assert!(loaded.faults.is_empty() && loaded.missing.is_empty(), "{loaded:?}");
    (engine, folder)
}

/// The book's move for a request, if it answers; the search's move is never one of these lines.
fn from_book(engine: &mut Engine, request: &GoRequest) -> Option<String> {
    let answer = if let Some(answer) = engine.go(request) {
        answer
    } else {
        if request.infinite || request.ponder {
            engine.stop();
        }
        reply(engine)
    };
    assert!(!engine.is_busy());
    answer.from_book.then(|| answer.best.expect("a move").to_string())
}

#[test]
fn a_known_position_is_answered_at_once() {
    let after = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
    let (mut engine, _folder) = engine_with(&[(START, "h2e2", 10), (after, "b9c7", 3), (after, "h9g7", 8)]);
    let answer =
        engine.go(&GoRequest { clock: Some(clock(1_000)), ..GoRequest::default() }).expect("a reply");
    assert!(answer.from_book && answer.by_itself && !answer.draw && !answer.resign);
    let best = answer.best.expect("a move").to_string();
    let expected = if best == "h2e2" { "h9g7" } else { "b9c7" };
    assert!(["h2e2", "b2e2"].contains(&best.as_str()), "{best}");
    assert_eq!(answer.ponder.map(|mv| mv.to_string()).as_deref(), Some(expected));
    assert!(engine.stop().is_none());

    engine.game_mut().set_position(Position::startpos(), &[mv("c3c4")]).expect("legal");
    assert_eq!(from_book(&mut engine, &depth(2)), None, "not in the book");
}

#[test]
fn analysis_and_pondering_are_searches() {
    let (mut engine, _folder) = engine_with(&[(START, "e3e4", 10)]);
    let request = GoRequest { clock: Some(clock(500)), ..GoRequest::default() };
    for wanted in [
        GoRequest { infinite: true, ..GoRequest::default() },
        GoRequest { ponder: true, ..request.clone() },
        GoRequest { mate: Some(2), ..depth(2) },
        GoRequest { search_moves: vec![mv("a0a1"), mv("c3c4")], ..depth(2) },
    ] {
        assert_eq!(from_book(&mut engine, &wanted), None, "{wanted:?}");
    }
    let wanted = GoRequest { search_moves: vec![mv("a0a1"), mv("e3e4")], ..depth(2) };
    for request in [wanted, depth(3), nodes(100), request] {
        assert_eq!(from_book(&mut engine, &request).as_deref(), Some("e3e4"), "{request:?}");
    }
    set(&mut engine, "multipv", "2");
    assert_eq!(from_book(&mut engine, &depth(2)), None);
    set(&mut engine, "multipv", "1");
    set(&mut engine, "usebook", "false");
    assert_eq!(from_book(&mut engine, &depth(2)), None);
    set(&mut engine, "OwnBook", "true");
    assert!(from_book(&mut engine, &depth(2)).is_some());
    set(&mut engine, "bookfiles", "");
    engine.load_books();
    assert_eq!(from_book(&mut engine, &depth(2)), None);
}

#[test]
fn banned_moves_are_never_played() {
    let (mut engine, _folder) = engine_with(&[(START, "h2e2", 1_000), (START, "e3e4", 1)]);
    engine.game_mut().ban(vec![mv("h2e2"), mv("b2e2")]);
    for _ in 0..20 {
        assert_eq!(from_book(&mut engine, &depth(1)).as_deref(), Some("e3e4"));
    }
    engine.game_mut().ban(vec![mv("h2e2"), mv("b2e2"), mv("e3e4")]);
    assert_eq!(from_book(&mut engine, &depth(1)), None);
}

/// A book knows no games: it must not complete a perpetual check, nor go round in circles.
#[test]
fn the_law_and_the_game_so_far_come_first() {
    let fen = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
    let laps = "h8h9 f9f8 h9h8 f8f9 h8h9 f9f8";
    let start = Position::from_fen(fen).expect("a FEN");
    let moves: Vec<_> = laps.split(' ').map(mv).collect();
    let mut history = History::new(start.clone());
    for &mv in &moves {
        history.push(mv);
    }
    let last = history.current().fen();
    let (mut engine, _folder) = engine_with(&[(&last, "h9h8", 1_000), (&last, "h9i9", 1)]);
    engine.game_mut().set_position(start, &moves).expect("legal");
    for _ in 0..20 {
        assert_ne!(from_book(&mut engine, &depth(1)).as_deref(), Some("h9h8"));
    }
    // Without the laps there is nothing against it.
    engine.game_mut().set_fen(&last, &[]).expect("legal");
    let played: Vec<_> = (0..20).filter_map(|_| from_book(&mut engine, &depth(1))).collect();
    assert!(played.iter().any(|mv| mv == "h9h8"), "{played:?}");
}
