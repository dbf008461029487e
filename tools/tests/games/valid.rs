//! Whatever the PGN standard allows is read as it is meant: random games in its import format (sections 3.2, 5 to 8), and shapes
//! of it that few programs write.

use std::io::Cursor;

use movegen::{Move, Position};
use tools::games::{self, Format, Game, NodeId, Place, ReadOptions};

use super::{Random, moves, read_bytes};

/// One game: its tags and its tree, as the text has them.
#[derive(Debug, Default, PartialEq, Eq)]
struct Meant {
    tags: Vec<(String, String)>,
    /// In the order of the text: moves, glyphs, comments' words, variations; from the first move on.
    words: Vec<String>,
    outcome: &'static str,
}

/// Writes games as freely as the standard lets it.
struct Author<'a> {
    random: &'a mut Random,
    text: String,
    /// Whether line breaks stand between tokens at all.
    breaks: bool,
    /// Lines that begin with `%` stand everywhere but there.
    in_tag: bool,
}

const NAMES: [&str; 9] = ["Event", "Site", "Date", "Round", "Red", "Black", "Annotator", "ECO_1", "time2"];
/// What values and comments are made of.
const SAID: [&str; 22] = [
    "a", "b ", " ", "[", "]", "(", ")", ";", "%", "$1", "1-0", "*", "1.", "h2e2", "'", "炮", "é", "[x]",
    "[Red c]", "e4!", ",", "=",
];

impl Author<'_> {
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.below(of.len())]
    }

    fn put(&mut self, words: &[&str]) {
        self.text += &words.concat();
    }

    fn chance(&mut self, in_hundred: usize) -> bool {
        self.random.below(100) < in_hundred
    }

    /// White space between two tokens, or before a token that ends the one before by itself.
    fn gap(&mut self, is_needed: bool) {
        if !is_needed && self.chance(40) {
            return;
        }
        let gap = if self.breaks && self.chance(35) {
            if self.chance(10) && !self.in_tag {
                "\n% escaped [Event \"x\"] {\n"
            } else {
                self.one(&["\n", "\n", "\r\n", "\n\n", " \n  ", "\t\n"])
            }
        } else {
            self.one(&[" ", " ", "  ", "\t"])
        };
        self.text += gap;
    }

    /// Whether the next word would go on with the last.
    fn is_in_word(&self) -> bool {
        self.text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '!' | '?'))
    }

    fn said(&mut self, extra: &[&'static str]) -> String {
        let count = self.random.below(6);
        let mut said = String::new();
        for _ in 0..count {
            let word = if extra.is_empty() || self.chance(70) { self.one(&SAID) } else { self.one(extra) };
            said += word;
        }
        said
    }

    /// A comment of either kind; its words.
    fn comment(&mut self) -> String {
        if self.breaks && self.chance(30) {
            let said = self.said(&["{", "}", "{x}", "\"", "\\"]);
            self.put(&[";", &said, "\n"]);
            return said;
        }
        // A brace that opens is not put where a line begins like a tag: there it shows that the comment has lost its end.
        let extra: &[&str] = if self.breaks {
            &["\n", "\n[Site \"x\"] ", "\n\n", "\n[Event \"x", "\"", "\\", "\n1. h2e2 ", "\n% "]
        } else {
            &["{", "[Event \"x\"]", "\"", "\\"]
        };
        let said = self.said(extra);
        self.put(&["{", &said, "}"]);
        said
    }

    fn comments(&mut self, in_hundred: usize, words: &mut Vec<String>) {
        while self.chance(in_hundred) {
            let said = self.comment();
            words.extend(said.split_whitespace().map(|word| format!("c{word}")));
            self.gap(false);
        }
    }

    fn tag(&mut self, name: &str, value: &str) {
        self.text.push('[');
        self.in_tag = true;
        self.gap(false);
        self.text += name;
        self.gap(false);
        self.put(&["\"", &value.replace('\\', "\\\\").replace('"', "\\\""), "\""]);
        self.gap(false);
        self.text.push(']');
        self.in_tag = false;
    }

    /// Moves from a position on, each perhaps with alternatives.
    fn line(&mut self, mut pos: Position, length: usize, depth: usize, words: &mut Vec<String>) {
        for ply in 0..length {
            let legal: Vec<Move> = pos.legal_moves().into_iter().collect();
            if legal.is_empty() {
                break;
            }
            let mv = self.one(&legal);
            self.node(&pos, mv, words);
            // Two moves at most, neither of them one that is there.
            if depth < 3 && ply + 1 < length && self.chance(15) {
                let other = self.one(&legal);
                if other != mv {
                    self.text.push('(');
                    self.gap(false);
                    words.push("(".to_owned());
                    self.node(&pos, other, words);
                    let rest = self.random.below(4);
                    self.line(pos.play(other), rest, depth + 1, words);
                    self.text.push(')');
                    self.gap(false);
                    words.push(")".to_owned());
                }
            }
            pos = pos.play(mv);
        }
    }

    fn node(&mut self, pos: &Position, mv: Move, words: &mut Vec<String>) {
        if self.is_in_word() {
            self.gap(true);
        }
        if self.chance(60) {
            let dots = if pos.side_to_move() == movegen::Color::Red { "." } else { "..." };
            self.text += &pos.fullmove_number().to_string();
            if self.chance(20) {
                self.gap(true);
            }
            self.text += dots;
            self.gap(false);
        }
        self.text += &mv.to_string();
        words.push(mv.to_string());
        if self.chance(10) {
            let suffix = self.random.below(6);
            self.text += ["!", "?", "!!", "??", "!?", "?!"][suffix];
            words.push(format!("${}", suffix + 1));
        }
        let from = words.len();
        while self.chance(10) {
            let nag = 10 + self.random.below(200);
            self.gap(false);
            self.put(&["$", &nag.to_string()]);
            if !words[from..].contains(&format!("${nag}")) {
                words.push(format!("${nag}"));
            }
            self.gap(true);
        }
        if self.chance(25) {
            self.gap(false);
            self.comments(50, words);
        }
        if self.chance(50) {
            self.gap(false);
        }
    }

    fn game(&mut self, is_last: bool) -> Meant {
        let mut meant = Meant { outcome: self.one(&["1-0", "0-1", "1/2-1/2", "*"]), ..Meant::default() };
        let mut unplaced = Vec::new();
        let first = self.random.below(2);
        for (index, name) in NAMES.into_iter().enumerate() {
            if index != first && self.chance(50) {
                continue;
            }
            let value = loop {
                let value = self.said(&["\"", "\\", "{", "}", "\"]"]);
                if !value.trim().is_empty() {
                    break value.trim().to_owned();
                }
            };
            self.tag(name, &value);
            meant.tags.push((name.to_owned(), value));
            self.gap(false);
            if self.chance(15) {
                self.comments(50, &mut unplaced);
            }
        }
        self.tag("Result", meant.outcome);
        self.gap(false);
        self.comments(10, &mut unplaced);
        let length = self.random.below(9);
        let mut words = Vec::new();
        self.line(Position::startpos(), length, 0, &mut words);
        if self.is_in_word() && meant.outcome != "*" {
            self.gap(true);
        }
        self.text += meant.outcome;
        meant.words = words;
        // What stands behind a result may be of either game.
        let needs_gap = self.chance(50);
        self.gap(needs_gap);
        if !is_last || self.chance(50) {
            self.comments(30, &mut unplaced);
        }
        meant
    }
}

/// What was read, in the order of the text. Comments of the beginning, which are not compared, stay out.
fn read(game: &Game) -> Meant {
    let tags = game.tags().to_vec();
    let mut words = Vec::new();
    read_line(game, NodeId::ROOT, &mut words);
    let outcome = ["1-0", "0-1", "1/2-1/2", "*"].into_iter().find(|word| *word == game.outcome.to_string());
    Meant { tags, words, outcome: outcome.expect("a result") }
}

fn read_node(game: &Game, id: NodeId, words: &mut Vec<String>) {
    words.push(game.mv(id).expect("a move").to_string());
    words.extend(game.nags(id).iter().map(|nag| format!("${nag}")));
    words.extend(game.comment(id).split_whitespace().map(|word| format!("c{word}")));
}

fn read_line(game: &Game, mut at: NodeId, words: &mut Vec<String>) {
    while let Some(next) = game.next(at) {
        read_node(game, next, words);
        for other in game.children(at).skip(1) {
            words.push("(".to_owned());
            read_node(game, other, words);
            read_line(game, other, words);
            words.push(")".to_owned());
        }
        at = next;
    }
}

/// As named and as found out.
fn both(text: &str) -> [Vec<Result<Game, games::GameError>>; 2] {
    let bytes = text.as_bytes().to_vec();
    [
        read_bytes(&bytes, Format::Pgn),
        games::read(Cursor::new(bytes), None, Some(Format::Pgn), ReadOptions::default()).collect(),
    ]
}

#[test]
fn random_games_of_the_standard_are_read_as_meant() {
    let mut random = Random(0x5851_f42d_4c95_7f2d);
    for round in 0..400 {
        let breaks = random.below(4) > 0;
        let mut author = Author { random: &mut random, text: String::new(), breaks, in_tag: false };
        let count = 1 + author.random.below(4);
        let meant: Vec<Meant> = (1..=count).map(|number| author.game(number == count)).collect();
        let text = author.text;
        for found in both(&text) {
            assert_eq!(found.len(), count, "round {round}\n{text}");
            for (found, meant) in found.iter().zip(&meant) {
                let game = found.as_ref().unwrap_or_else(|error| panic!("round {round}: {error}\n{text}"));
                assert_eq!(&game.warnings[..], [], "round {round}\n{text}");
                let mut found = read(game);
                let mut due =
                    Meant { tags: meant.tags.clone(), words: meant.words.clone(), outcome: meant.outcome };
                // Comments behind a result stand behind the last move, and those of the game that follows do.
                for words in [&mut found.words, &mut due.words] {
                    while words.last().is_some_and(|word| word.starts_with('c')) {
                        words.pop();
                    }
                }
                assert_eq!(found, due, "round {round}\n{text}");
            }
        }
    }
}

/// Tags and moves of a game.
type Due = (&'static [(&'static str, &'static str)], &'static [&'static str]);

/// Each game of a text has these tags and moves.
fn check(text: &str, due: &[Due]) {
    for read in both(text) {
        assert_eq!(read.len(), due.len(), "{text}\n{read:?}");
        for (read, (tags, due)) in read.iter().zip(due) {
            let game = read.as_ref().unwrap_or_else(|error| panic!("{text}: {error}"));
            let found: Vec<_> =
                game.tags().iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            assert_eq!(found, *tags, "{text}");
            assert_eq!(moves(game), *due, "{text}");
        }
    }
}

const A: Due = (&[("Event", "a")], &["h2e2"]);
const B: Due = (&[("Event", "b")], &["b2c2"]);
const B_AT_S: Due = (&[("Event", "b"), ("Site", "s")], &["b2c2"]);

#[test]
fn a_game_begins_behind_the_comment_behind_a_result() {
    for behind in
        ["{x\ny}", "{c}\n{d\ne} {f\ng}", "\n{x\n\n[Site \"quoted\"]\n}", "{x\n[Event \"q\"]}", "{\n} {z}"]
    {
        check(&format!("[Event \"a\"]\n\n1. h2e2 1-0 {behind} [Event \"b\"]\n\n1. b2c2 *\n"), &[A, B]);
        let text = format!(
            "[Event \"a\"]\n\n1. h2e2 1-0 {behind} [Event \"b\"]\n[Site \"s\"]\n1. b2c2 0-1 {behind}[Event \"a\"] 1. h2e2 *"
        );
        check(&text, &[A, B_AT_S, A]);
    }
}

#[test]
fn an_ill_formed_tag_behind_a_result_begins_a_game() {
    for tag in ["[Event \"b]", "[Event b]", "[Event b\"]"] {
        check(
            &format!("[Event \"a\"]\n\n1. h2e2 1-0 {tag}\n\n1. b2c2 *\n").replace("b\"]\n\n1", "b]\n\n1"),
            &[A, B],
        );
    }
    // What is no tag even on a line of its own is damage.
    for text in ["1-0 [Red wins] he said", "1-0 [x y] z"] {
        let read = read_bytes(format!("[Event \"a\"]\n\n1. h2e2 {text}\n").as_bytes(), Format::Pgn);
        assert!(read.len() == 1 && read[0].is_err(), "{text}");
    }
}

/// Brackets and asterisks are tokens by themselves (section 7).
#[test]
fn what_ends_a_word_needs_no_blank() {
    check("[Event \"a\"] 1. h2e2 *[Event \"b\"] 1. b2c2 0-1\n", &[A, B]);
    check("[Event \"a\"] 1. h2e2 1-0[Event \"b\"]1.b2c2 0-1\n", &[A, B]);
    check("[Event \"a\"]h2e2*[Event \"b\"]b2c2*", &[A, B]);
    check("[Event \"a\"]h2e2$1*;x\n[Event \"b\"]b2c2*", &[A, B]);
}

/// Tokens may stand on any line (section 3.2).
#[test]
fn a_tag_may_be_spread_over_lines() {
    for tags in [
        "[Event\n\"b\"]\n[Site\n\"s\"]\n\n",
        "[Event\n\"b\"] [Site \"s\"]\n",
        "[Event\r\n\"b\"] [Site\r\n\"s\"\r\n]",
        "[\nEvent\n\n\"b\"\n][\nSite \"s\"\n]",
        "[Event \"b\"\n]\n[Site\n\n\n\"s\"]",
    ] {
        check(&format!("{tags}1. b2c2 0-1\n"), &[B_AT_S]);
        for between in ["\n", "\n\n", " ", "{x}", "{x\ny} ", "\n{x\n\ny}"] {
            let text = format!("[Event \"a\"]\n1. h2e2 1-0{between}{tags}1. b2c2 0-1{between}{tags}b2c2 *");
            check(&text, &[A, B_AT_S, B_AT_S]);
        }
    }
    // Places are those of the file.
    let text = "[Event\n\"a\"] h2e2 1-0 [Event\n\"b\"] h2e2\nh2h2 *\n";
    for read in both(text) {
        assert_eq!(read[1].as_ref().expect_err("illegal").place, Place::Line { line: 4, column: 1 });
    }
    let text = "[Event\n\"a\"] h2e2 1-0 [Event\n\"b\"] h2h2 *\n";
    for read in both(text) {
        assert_eq!(read[1].as_ref().expect_err("illegal").place, Place::Line { line: 3, column: 6 });
    }
}

/// Looking for the rest of the tags from each of them would take hours.
#[test]
fn many_spread_tags_take_no_more_time() {
    for unit in ["[A\n", "[A\n\n\n", "[\n", "[A\n\"b\n", "[A\n\"b\"\n", "1-0 [A\n", "{x\n} [A\n\"b\"] "] {
        let text = unit.repeat(50_000);
        assert!(!read_bytes(text.as_bytes(), Format::Pgn).is_empty(), "{unit}");
    }
    for unit in ["1-0 [Event ", "* [Red ", "1-0 [Event x] ", "1-0 [Event x", "*[Event \"a\" "] {
        let text = format!("[Event \"x\"]\n\n{}", unit.repeat(300_000));
        assert!(!read_bytes(text.as_bytes(), Format::Pgn).is_empty(), "{unit}");
    }
    let spread =
        (0..50_000).map(|number| format!("[A{number}\n\"b\"]")).collect::<Vec<_>>().concat() + " h2e2 *";
    for read in [&spread[..], &format!("[A{}\"b\"] h2e2 *", "\n".repeat(1 << 15))] {
        let game = read_bytes(read.as_bytes(), Format::Pgn).remove(0).expect("whole");
        assert_eq!(moves(&game), ["h2e2"]);
    }
}

/// Behind an object that is a game nothing stands on its line.
#[test]
fn an_object_before_a_tag_is_a_comment() {
    let record = "{\"moves\":[\"h2e2\"],\"note\":\"x\"}";
    check(
        &format!("[Event \"a\"]\n\n1. h2e2 1-0\n{record} [Event \"b\"]\n[Site \"s\"]\n1. b2c2 *\n"),
        &[A, B_AT_S],
    );
}
