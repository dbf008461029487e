//! Move notations against other programs' texts, and round trips.

use std::collections::BTreeMap;

use movegen::notation::{Digits, Notation, NotationError, RankBase, Script, SignOrder};
use movegen::{Move, Position};
use serde::Deserialize;
use tests::cases;
use tests::random::{self, Points, Rng};

#[derive(Debug, Deserialize)]
struct Case {
    fen: String,
    iccs: String,
    wxf: String,
    wxf_alt: Option<String>,
    chinese_trad: String,
    chinese_simp: String,
    vietnamese: Option<String>,
    kind: String,
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn read(notation: Notation, pos: &Position, text: &str) -> Move {
    notation.read(pos, text).unwrap_or_else(|e| panic!("{}: {e}", pos.fen()))
}

#[test]
fn every_case_reads_and_writes() {
    let lines = cases::lines("notation.jsonl");
    assert_eq!(lines.len(), 86);
    for (number, line) in lines {
        let case: Case = serde_json::from_str(&line).unwrap_or_else(|e| panic!("line {number}: {e}"));
        let pos = position(&case.fen);
        let mv: Move = case.iccs.parse().unwrap_or_else(|e| panic!("{case:?}: {e}"));
        let mut forms = vec![
            (Notation::COORDINATE, case.iccs.clone()),
            (Notation::WXF, case.wxf.clone()),
            (Notation::CHINESE, case.chinese_trad.clone()),
            (Notation::Chinese(Script::Simplified, Digits::Ascii), case.chinese_simp.clone()),
        ];
        let alternative = case.wxf_alt.clone().unwrap_or_else(|| case.wxf.clone());
        forms.push((Notation::Wxf(SignOrder::Second), alternative));
        for (notation, text) in forms {
            assert_eq!(notation.write(&pos, mv).as_ref(), Some(&text), "{case:?}");
            assert_eq!(read(notation, &pos, &text), mv, "{case:?}");
        }
        assert_eq!(Notation::Vietnamese.write(&pos, mv), case.vietnamese, "{case:?}");
        if let Some(text) = &case.vietnamese {
            assert_eq!(read(Notation::Vietnamese, &pos, text), mv, "{case:?}");
        }
        assert_eq!(case.kind == "single", case.vietnamese.is_some(), "{case:?}");
    }
}

#[derive(Debug, Deserialize)]
struct AllMoves {
    fen: String,
    moves: BTreeMap<String, (Option<String>, String)>,
}

/// WXF and algebraic texts of every legal move, as pyffish writes them.
#[test]
fn writes_like_pyffish() {
    for (number, line) in cases::lines("notation-pyffish.jsonl") {
        let case: AllMoves = serde_json::from_str(&line).unwrap_or_else(|e| panic!("line {number}: {e}"));
        let pos = position(&case.fen);
        assert_eq!(pos.legal_moves().len(), case.moves.len(), "{}", case.fen);
        for (mv, (wxf, algebraic)) in &case.moves {
            let mv: Move = mv.parse().unwrap_or_else(|e| panic!("{mv}: {e}"));
            for (notation, text) in [
                (Notation::Wxf(SignOrder::Second), wxf.as_ref()),
                (Notation::Algebraic(RankBase::One), Some(algebraic)),
            ] {
                let Some(text) = text else { continue };
                assert_eq!(notation.write(&pos, mv).as_ref(), Some(text), "{} {mv}", case.fen);
                assert_eq!(read(notation, &pos, text), mv, "{} {text}", case.fen);
            }
        }
    }
}

/// What people write behind moves.
const MARKS: [&str; 8] = ["+", "++", "#", " #", "!", "+?!", "!!+", "＋＋！"];

/// Every legal move of a position survives in every notation, marks of check or worth or none behind it.
fn assert_round_trips(pos: &Position) {
    for mv in pos.legal_moves() {
        for (name, notation) in Notation::NAMED {
            let text = notation.write_or_wxf(pos, mv).unwrap_or_else(|| panic!("{name} {mv} {}", pos.fen()));
            assert_eq!(notation.read(pos, &text), Ok(mv), "{name} {text} {}", pos.fen());
            let marked = format!("{text}{}", MARKS[mv.to().index() % MARKS.len()]);
            assert_eq!(notation.read(pos, &marked), Ok(mv), "{name} {marked} {}", pos.fen());
        }
    }
}

#[test]
fn round_trips_in_random_games() {
    for board in random::playouts(&mut Rng::new(7), 12, 150) {
        assert_round_trips(&position(&board.fen()));
    }
}

#[test]
fn round_trips_in_random_placements() {
    for points in [Points::Lawful, Points::Anywhere] {
        for board in random::placements(&mut Rng::new(8), 400, points) {
            assert_round_trips(&position(&board.fen()));
        }
    }
}

/// Up to five pawns a side crowded on a few files: every rule about equal pieces on one file.
#[test]
fn round_trips_with_crowded_files() {
    let mut rng = Rng::new(9);
    let mut tried = 0;
    while tried < 600 {
        let mut rows = vec![[None; 9]; 10];
        let [left, right] = [rng.below(9), rng.below(9)];
        for (letter, low) in [('P', 4), ('p', 1), ('R', 0), ('r', 0), ('N', 0), ('n', 0), ('C', 0), ('c', 0)]
        {
            let wanted = if letter.eq_ignore_ascii_case(&'p') { 3 + rng.below(3) } else { rng.below(3) };
            for _ in 0..wanted {
                let rank = low + rng.below(if low == 0 { 10 } else { 5 });
                rows[rank][if rng.below(2) == 0 { left } else { right }] = Some(letter);
            }
        }
        rows[rng.below(3)][3 + rng.below(3)] = Some('K');
        rows[7 + rng.below(3)][3 + rng.below(3)] = Some('k');
        let board: Vec<String> = rows
            .iter()
            .rev()
            .map(|row| row.iter().map(|c| c.map_or("1".to_owned(), |c| c.to_string())).collect())
            .collect();
        let side = if rng.below(2) == 0 { 'w' } else { 'b' };
        let Ok(pos) = Position::from_fen(&format!("{} {side} - - 0 1", board.join("/"))) else { continue };
        tried += 1;
        assert_round_trips(&pos);
    }
}

/// Tolerated spellings, from the descriptions of the notations; each means `h2e2` or the move beside it.
#[test]
fn tolerated_spellings() {
    let start = Position::startpos();
    let chinese = Notation::CHINESE;
    for (notation, text, mv) in [
        (Notation::COORDINATE, "H2-E2", "h2e2"),
        (Notation::Iccs, "h2e2", "h2e2"),
        (Notation::Coordinate(RankBase::One), "h3e3", "h2e2"),
        (Notation::Coordinate(RankBase::One), "h3h10", "h2h9"),
        (Notation::WXF, "c2.5", "h2e2"),
        (Notation::WXF, "Ｃ２＝５", "h2e2"),
        (Notation::WXF, "N2+3", "h0g2"),
        (Notation::WXF, "B3+5", "g0e2"),
        (Notation::WXF, "S5+1", "e3e4"),
        (Notation::WXF, "G5+1", "e0e1"),
        // A sign behind a whole move is of check; one in its place is a direction.
        (Notation::WXF, "C2=5+", "h2e2"),
        (Notation::WXF, "C2+7+", "h2h9"),
        (Notation::WXF, "C2+7", "h2h9"),
        (Notation::WXF, "C2.5#!", "h2e2"),
        (Notation::COORDINATE, "h2h9+", "h2h9"),
        (Notation::Iccs, "H2-H9++", "h2h9"),
        (chinese, "砲2平5", "h2e2"),
        (chinese, "包２平５", "h2e2"),
        (chinese, "傌二进三", "h0g2"),
        (chinese, "象三進五", "g0e2"),
        (chinese, "士四进五", "f0e1"),
        (chinese, "将五進一", "e0e1"),
        (chinese, "卒五進一", "e3e4"),
        (Notation::Vietnamese, "P2–5", "h2e2"),
        (Notation::Vietnamese, " P 2 - 5 ", "h2e2"),
        (Notation::Vietnamese, "TG5.1", "e0e1"),
        (Notation::Vietnamese, "V3.5", "g0e2"),
        (Notation::Vietnamese, "C5.1", "e3e4"),
        (Notation::Vietnamese, "Tg.1", "e0e1"),
        (Notation::Vietnamese, "P2-5+", "h2e2"),
        (Notation::VietnameseWords, "Pháo 2 bình 5 +", "h2e2"),
        (chinese, "炮二平五+", "h2e2"),
        (chinese, "炮二平五！", "h2e2"),
        (Notation::VietnameseWords, "pháo 2 BÌNH 5", "h2e2"),
        (Notation::VietnameseWords, "phao 2 binh 5", "h2e2"),
        (Notation::VietnameseWords, "Tuong 3 tien 5", "g0e2"),
        (Notation::VietnameseWords, "tuong 5 tien 1", "e0e1"),
        (Notation::VietnameseWords, "Chốt 5 tiến 1", "e3e4"),
        // The accents as combining marks.
        (Notation::VietnameseWords, "Tu\u{31b}o\u{31b}\u{301}ng 5 ti\u{1ebf}n 1", "e0e1"),
        (Notation::Algebraic(RankBase::One), "Che3", "h2e2"),
        (Notation::Algebraic(RankBase::Zero), "Che2+", "h2e2"),
        (Notation::Algebraic(RankBase::One), "e5", "e3e4"),
        (Notation::Algebraic(RankBase::One), "Ch3xh10#", "h2h9"),
        (Notation::Algebraic(RankBase::One), "Nxh10", "error"),
    ] {
        match (notation.read(&start, text), mv) {
            (Ok(found), mv) => assert_eq!(found.to_string(), mv, "{notation} {text}"),
            (Err(error), "error") => assert!(matches!(error, NotationError::Illegal { .. }), "{error:?}"),
            (Err(error), _) => panic!("{notation} {text}: {error}"),
        }
    }
}

#[test]
fn equal_pieces_loosely() {
    // Two rooks on file 1: some moves only one of them can make.
    let rooks = position("4k4/9/9/9/9/8R/9/9/8R/3K5 w - - 0 1");
    for (notation, text, mv) in [
        (Notation::WXF, "R1-1", None),
        (Notation::WXF, "R1-2", Some("i4i2")),
        (Notation::CHINESE, "車一進五", Some("i4i9")),
        (Notation::Vietnamese, "X1.5", Some("i4i9")),
        (Notation::Vietnamese, "Xt.2", Some("i4i6")),
        (Notation::Vietnamese, "Xs-5", Some("i1e1")),
        (Notation::VietnameseWords, "Xe sau bình 5", Some("i1e1")),
        (Notation::WXF, "R1=5", None),
        (Notation::CHINESE, "前車一平五", Some("i4e4")),
        (Notation::CHINESE, "後一車平五", Some("i1e1")),
    ] {
        match (notation.read(&rooks, text), mv) {
            (Ok(found), Some(mv)) => assert_eq!(found.to_string(), mv, "{text}"),
            (Err(NotationError::Ambiguous { candidates, .. }), None) => {
                assert_eq!(candidates.len(), 2, "{text}");
            }
            (other, _) => panic!("{text}: {other:?}"),
        }
    }
    let pawns = position("3k5/9/9/2P6/2P6/2P6/2P6/9/9/4K4 w - - 0 1");
    assert!(Notation::CHINESE.read(&pawns, "一兵平六").is_ok_and(|mv| mv.to_string() == "c6d6"));
    assert!(Notation::CHINESE.read(&pawns, "二兵平六").is_ok_and(|mv| mv.to_string() == "c5d5"));
    assert!(Notation::WXF.read(&pawns, "+P=6").is_ok_and(|mv| mv.to_string() == "c6d6"));
    // Pawns on two files: the sign does not say which, even where only one of them can go there.
    let crowded = position("5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w - - 0 1");
    assert!(matches!(Notation::WXF.read(&crowded, "+P=7"), Err(NotationError::Ambiguous { .. })));
    assert!(Notation::CHINESE.read(&crowded, "前兵六平七").is_ok_and(|mv| mv.to_string() == "d7c7"));
}

#[test]
fn errors_tell_malformed_from_illegal() {
    let start = Position::startpos();
    for (name, notation) in Notation::NAMED {
        for text in [
            "",
            "?",
            "0000",
            "nullmove",
            "炮",
            "h2",
            "a1a1a1",
            "C2=",
            "🙂🙂🙂🙂",
            "前前前前",
            "++++",
            "Tg",
            "12=34",
            "C2+",
            "C+",
            "+",
            "+C2=5",
        ] {
            assert!(notation.read(&start, text).is_err(), "{name} {text}");
        }
    }
    let malformed = |notation: Notation, text| {
        assert!(matches!(notation.read(&start, text), Err(NotationError::Malformed { .. })), "{text}");
    };
    malformed(Notation::COORDINATE, "h10h9");
    malformed(Notation::COORDINATE, "j2e2");
    malformed(Notation::Coordinate(RankBase::One), "h0h1");
    malformed(Notation::WXF, "炮二平五");
    malformed(Notation::WXF, "X2=5");
    malformed(Notation::CHINESE, "C2=5");
    malformed(Notation::CHINESE, "前炮");
    malformed(Notation::Vietnamese, "R2=5");
    let illegal = |notation: Notation, text| {
        assert!(matches!(notation.read(&start, text), Err(NotationError::Illegal { .. })), "{text}");
    };
    illegal(Notation::COORDINATE, "h2h8");
    illegal(Notation::COORDINATE, "h2h2");
    illegal(Notation::WXF, "C2=2");
    illegal(Notation::CHINESE, "帥五平四");
    illegal(Notation::Vietnamese, "Tg5/1");
    illegal(Notation::Algebraic(RankBase::One), "Ke5");
}

#[derive(Debug, Deserialize)]
struct Figure {
    fen: String,
    moves_as_given: String,
    moves: Vec<String>,
}

/// The figures of a federation's rules page, one of them with the file missing from a move.
#[test]
fn vietnamese_figures_read() {
    for (number, line) in cases::lines("vietnamese-figures.jsonl") {
        let figure: Figure = serde_json::from_str(&line).unwrap_or_else(|e| panic!("line {number}: {e}"));
        let mut pos = position(&figure.fen);
        let texts: Vec<&str> = figure.moves_as_given.split_whitespace().collect();
        assert_eq!(texts.len(), figure.moves.len(), "line {number}");
        for (text, expected) in texts.into_iter().zip(&figure.moves) {
            let mv = read(Notation::Vietnamese, &pos, text);
            assert_eq!(mv.to_string(), *expected, "line {number}: {text}");
            pos = pos.play(mv);
        }
    }
}

/// Readers are total, and `detect` with them.
#[test]
fn random_texts_never_panic() {
    const ALPHABET: &str = "abciKRCPXTgts0129+-=./x# 炮二平５前後進兵２ướợ\u{301}–🙂";
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    let mut rng = Rng::new(10);
    let board = random::playouts(&mut rng, 1, 60).pop().expect("a game has positions");
    let pos = position(&board.fen());
    for _ in 0..20_000 {
        let text: String = (0..rng.below(9)).map(|_| rng.pick(&alphabet)).collect();
        movegen::notation::detect([text.as_str()]);
        for (_, notation) in Notation::NAMED {
            if let Ok(mv) = notation.read(&pos, &text) {
                assert!(pos.is_legal(mv), "{notation} {text}");
            }
        }
    }
}

/// Marks show no notation; what several notations write leaves it to the other moves.
#[test]
fn notations_are_told_from_whole_games() {
    use movegen::notation::detect;
    let algebraic = Some(Notation::Algebraic(RankBase::One));
    for (tokens, notation) in [
        (&["P2-5+", "M8.7"][..], Some(Notation::Vietnamese)),
        (&["P2-5+", "P8-5#"], None),
        (&["h2e2+", "h9g7"], Some(Notation::COORDINATE)),
        (&["C2=5+"], Some(Notation::WXF)),
        (&["炮二平五+"], Some(Notation::CHINESE)),
        (&["C8b6"], algebraic),
        (&["C8b6+", "Hg8"], algebraic),
        (&["C8b6", "h2e2"], Some(Notation::COORDINATE)),
        (&["C8b6", "C2=5"], Some(Notation::WXF)),
        (&["C8b10", "h2e2"], Some(Notation::Coordinate(RankBase::One))),
        (&["C0b6"], Some(Notation::Algebraic(RankBase::Zero))),
        (&["c8b6"], Some(Notation::COORDINATE)),
        (&["C8B6"], Some(Notation::COORDINATE)),
        (&["h10-g8"], Some(Notation::Coordinate(RankBase::One))),
    ] {
        assert_eq!(detect(tokens.iter().copied()), notation, "{tokens:?}");
    }
}
