//! OBK: a SQLite database with a table `bhobk`, a row a move.
//!
//! `vkey` is the Zobrist key of the position, 64 bits; those with the highest bit set may stand there as a floating-point number of
//! the same bits. `vmove` is from × 256 + to on a board of 16 × 16 with a9 at 0x33. `vwin`, `vdraw` and `vlost` count games,
//! `vscore` is a score, `vvalid` is 0 for rows that are switched off.
//!
//! Source: the queries of a GUI that reads such books (`BhOpenBook.java` of sojourners/public-Xiangqi). The keys come from a table
//! that belongs to other programs and is not in the file: whoever has one names it with `--keys`.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use movegen::{Color, Move, Position, Square};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};

use super::Imported;
use super::eleeye::{KINDS, Keys, point, square_of, walk};

const PIECES: usize = 2 * KINDS.len();

/// Whether these are the bytes of a database.
pub(super) fn is_obk(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SQLite format 3\0")
}

impl Keys {
    /// Reads a table: the key for Red to move, then the pieces' in the order of the file format's board or of the 90 points.
    ///
    /// # Errors
    /// If a word is no number, or there are not as many as it takes.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let mut numbers = Vec::new();
        for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            numbers.push(number(word).with_context(|| format!("'{word}' is not a number of 64 bits"))?);
        }
        let points = match numbers.len() {
            n if n == 1 + PIECES * Square::COUNT => Square::COUNT,
            n if n == 1 + PIECES * 256 => 256,
            n => bail!("{n} numbers, expected 1 + {PIECES} × 90 or 1 + {PIECES} × 256"),
        };
        let index = |square: Square| {
            if points == 256 {
                point(square)
            } else {
                (9 - square.rank().index()) * 9 + square.file().index()
            }
        };
        let pieces = numbers[1..].chunks_exact(points);
        let pieces = pieces.map(|keys| Square::ALL.map(|square| keys[index(square)])).collect();
        Ok(Self { side: (Color::Red, numbers[0]), pieces })
    }
}

/// A number in decimal, with a sign or not, or in hexadecimal as programs write it (`0x…`, with an `L` or not).
fn number(word: &str) -> Option<u64> {
    let word = word.trim_end_matches(['L', 'l', 'U', 'u']);
    match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok().or_else(|| word.parse::<i64>().ok().map(i64::cast_unsigned)),
    }
}

/// The moves of a book.
///
/// # Errors
/// If it cannot be read, or the keys are not its own.
pub(super) fn import(path: &Path, keys: &Keys) -> anyhow::Result<Imported> {
    let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut statement = database
        .prepare("SELECT vkey, vmove, vscore, vwin, vdraw, vlost FROM bhobk WHERE vvalid <> 0")
        .context("not an OBK book")?;
    let mut rows = statement.query([])?;
    let mut book: HashMap<u64, Vec<(usize, Move, Worth)>> = HashMap::new();
    let mut count = 0;
    while let Some(row) = rows.next()? {
        count += 1;
        if let Some((key, mv, worth)) = read(row)? {
            book.entry(key).or_default().push((count, mv, worth));
        }
    }
    ensure!(count > 0, "an OBK book without moves");
    let found = RefCell::new(HashSet::new());
    let known = |position: &Position| {
        let mut moves: Vec<(Move, Worth)> = Vec::new();
        // Both of a pair of mirror images may be there: what they say adds up.
        for (view, mirrored) in [(position.clone(), false), (position.mirror(), true)] {
            for &(row, mv, worth) in book.get(&keys.of(&view)).into_iter().flatten() {
                if !view.is_legal(mv) {
                    continue;
                }
                found.borrow_mut().insert(row);
                let mv = if mirrored { mv.mirror() } else { mv };
                match moves.iter_mut().find(|(known, _)| *known == mv) {
                    Some((_, sum)) => sum.add(worth),
                    None => moves.push((mv, worth)),
                }
            }
        }
        let played = moves.iter().any(|(_, worth)| worth.games > 0);
        (!moves.is_empty()).then(|| moves.iter().map(|&(mv, worth)| (mv, worth.weight(played))).collect())
    };
    let weights = walk(keys, &|key| book.contains_key(&key), &known);
    let found = found.borrow().len();
    ensure!(found > 0, "the book does not know the start of the game: were its keys made with this table?");
    // SQLite tells of missing pages itself.
    Ok(Imported { weights, found, whole: count, cut: None })
}

/// What the file says of a move.
#[derive(Clone, Copy)]
struct Worth {
    games: u64,
    /// Half points of the games.
    points: u64,
    /// What the book's author gave it.
    score: u64,
}

impl Worth {
    fn add(&mut self, other: Self) {
        self.games = self.games.saturating_add(other.games);
        self.points = self.points.saturating_add(other.points);
        self.score = self.score.max(other.score);
    }

    /// Where some move has been played, games decide, and one that has not only counts as known; elsewhere the author does.
    fn weight(self, played: bool) -> u64 {
        match (played, self.games) {
            (true, 0) => 1,
            (true, _) => self.points,
            (false, _) => self.score.max(1),
        }
    }
}

/// The key, the move and the worth of a row; `None` if its move is none.
fn read(row: &Row<'_>) -> anyhow::Result<Option<(u64, Move, Worth)>> {
    let key = match row.get_ref(0)? {
        ValueRef::Integer(key) => key.cast_unsigned(),
        ValueRef::Real(key) => key.to_bits(),
        ValueRef::Text(text) => match std::str::from_utf8(text).ok().and_then(number) {
            Some(key) => key,
            None => return Ok(None),
        },
        ValueRef::Null | ValueRef::Blob(_) => return Ok(None),
    };
    let column = |index| row.get::<_, Option<i64>>(index).map(Option::unwrap_or_default);
    let bits = usize::try_from(column(1)?).unwrap_or_default();
    let (score, wins, draws, losses) = (column(2)?, column(3)?, column(4)?, column(5)?);
    let squares = square_of(bits >> 8).zip(square_of(bits & 0xff));
    let [score, wins, draws, losses] = [score, wins, draws, losses].map(|n| u64::try_from(n).unwrap_or(0));
    let games = wins.saturating_add(draws).saturating_add(losses);
    let worth = Worth { games, points: wins.saturating_mul(2).saturating_add(draws), score };
    Ok(squares.map(|(from, to)| (key, Move::new(from, to), worth)))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use engine::book::Place;

    use super::*;

    /// A table of keys that is nobody's: splitmix64.
    fn table(points: usize) -> String {
        let mut state = 5_u64;
        let mut text = String::new();
        for _ in 0..=PIECES * points {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            let _ = writeln!(text, "{:#018X}L,", z ^ (z >> 31));
        }
        text
    }

    #[test]
    fn tables_of_keys() {
        for points in [90, 256] {
            let keys = Keys::parse(&table(points)).expect("a table");
            assert_eq!(keys.pieces.len(), 14);
        }
        assert!(Keys::parse("1 2 3").is_err() && Keys::parse("x").is_err());
        assert_eq!(number("-1"), Some(u64::MAX));
        assert_eq!(number("18446744073709551615"), Some(u64::MAX));
        assert_eq!(number("0xFFL"), Some(255));
    }

    #[test]
    fn rows_become_weights() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.obk");
        let keys = Keys::parse(&table(256)).expect("a table");
        let start = Position::startpos();
        let mv = |text: &str| text.parse::<Move>().expect("a move");
        let after = start.play(mv("h2e2"));
        {
            let database = Connection::open(&path).expect("a database");
            database
                .execute_batch(
                    "CREATE TABLE bhobk (id INTEGER PRIMARY KEY, vkey, vmove INTEGER, vscore INTEGER, vwin INTEGER, \
                     vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo BLOB, vindex INTEGER)",
                )
                .expect("a table");
            let add = |position: &Position, text: &str, numbers: [i64; 5]| {
                let key = keys.of(position);
                let bits = point(mv(text).from()) << 8 | point(mv(text).to());
                let [score, win, draw, lost, valid] = numbers;
                let real = f64::from_bits(key);
                let as_real = key >> 63 != 0 && real.is_finite();
                let key: &dyn rusqlite::ToSql = if as_real { &real } else { &key.cast_signed() };
                let sql = "INSERT INTO bhobk (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid) VALUES (?, ?, ?, ?, ?, ?, ?)";
                database
                    .execute(sql, rusqlite::params![key, bits as i64, score, win, draw, lost, valid])
                    .expect("a row");
            };
            add(&start, "h2e2", [0, 5, 3, 1, 1]);
            add(&start, "c3c4", [40, 0, 0, 0, 1]);
            add(&start, "a0a1", [40, 0, 0, 0, 0]);
            add(&start, "a0a9", [40, 0, 0, 0, 1]);
            add(&after.mirror(), "b9c7", [0, 1, 0, 0, 1]);
            add(&after, "h9g7", [0, 2, 0, 0, 1]);
            add(&after, "a9a8", [3000, 0, 0, 0, 1]);
            add(&after, "i9i8", [i64::MAX, i64::MAX, i64::MAX, i64::MAX, 1]);
        }
        assert!(is_obk(&std::fs::read(&path).expect("a file")));
        let Imported { weights, found, whole, .. } = import(&path, &keys).expect("a book");
        assert_eq!((found, whole), (6, 7), "one row is switched off, one has an illegal move");
        assert_eq!(weights.get(&Place::of(&start, mv("h2e2"))), Some(&13));
        assert_eq!(weights.get(&Place::of(&start, mv("g3g4"))), Some(&1), "others have been played");
        assert_eq!(weights.get(&Place::of(&after, mv("h9g7"))), Some(&6), "both images");
        assert_eq!(weights.get(&Place::of(&after, mv("a9a8"))), Some(&1));
        assert_eq!(weights.get(&Place::of(&after, mv("i9i8"))), Some(&u64::MAX));
        assert!(import(&path, &Keys::parse(&table(90)).expect("a table")).is_err(), "keys of another table");
        assert!(!is_obk(b"PHAOBOOK"));
    }
}
