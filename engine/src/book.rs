//! Opening books: a compact file of moves and weights, looked up by position.
//!
//! A file is a header of 32 bytes and entries of 12, all numbers little-endian:
//!
//! ```text
//! "PHAOBOOK"  version u32  number of entries u32  key of the start position u64  CRC-32 of the entries u32  0 u32
//! key u64  move u16  weight u16     sorted by key, then by weight from the heaviest, then by move
//! ```
//!
//! A position and its mirror image share one entry: that of the smaller key, its moves as seen there. The key of the start
//! position stands in the header so that a file written with other keys is refused; size and checksum so that a part of
//! a file is.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::OnceLock;

use movegen::{Move, Position};
use thiserror::Error;

use crate::files;

const MAGIC: &[u8; 8] = b"PHAOBOOK";
const VERSION: u32 = 1;
const HEADER: usize = 32;
const ENTRY: usize = 12;
/// Moves of a book that are read: 384 MiB, which take about a second. The driver waits for them.
const MAX_ENTRIES: u32 = 1 << 25;

/// The file name that stands for the book inside the program.
pub const BUILTIN: &str = "builtin";
/// Made by `xq book make` from games of the engine against itself; `engine/data/README.md` tells how.
const BUILTIN_BOOK: &[u8] = include_bytes!("../data/opening.book");

/// Why bytes are not a book.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read, or there is no memory for what it holds.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It begins with something else.
    #[error(
        "not a Phao book (it does not begin with PHAOBOOK); `xq book import` reads books of other programs"
    )]
    Magic,
    /// A version of the format that is not known here.
    #[error("a book of version {0}, expected {VERSION}")]
    Version(u32),
    /// It ends too early or goes on too long.
    #[error(
        "a book of {entries} moves has {expected} bytes, this file has {length}: it is damaged or not complete"
    )]
    Length {
        /// Entries the header promises.
        entries: u32,
        /// The length that follows from them.
        expected: u64,
        /// The length it has.
        length: u64,
    },
    /// It would take too long to read.
    #[error("a book of {0} moves; no more than {MAX_ENTRIES} are read")]
    Large(u32),
    /// It would take too long to read after those before it.
    #[error("no more than {MAX_ENTRIES} moves are read in all")]
    Excess,
    /// Made with other keys.
    #[error("a book whose positions have other keys than those of this program")]
    Keys,
    /// The entries are not those that were written.
    #[error("the checksum is wrong: the book is damaged")]
    Checksum,
    /// An entry that no writer would have written.
    #[error("entry {0} is out of order or no move: the book is damaged")]
    Entry(usize),
}

/// A move of a position, as files keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The smaller one of the keys of the position and of its mirror image.
    pub key: u64,
    /// The move in the position that has this key.
    pub mv: Move,
}

impl Place {
    /// Where a move of a position is kept.
    pub fn of(position: &Position, mv: Move) -> Self {
        let view = View::of(position);
        let mv = view.turn(mv);
        // A symmetric position has each move twice.
        let mv = if view.symmetric && mv.mirror().bits() < mv.bits() { mv.mirror() } else { mv };
        Self { key: view.key, mv }
    }
}

/// How a position is looked up.
struct View {
    key: u64,
    mirrored: bool,
    symmetric: bool,
}

impl View {
    fn of(position: &Position) -> Self {
        let (key, mirrored) = (position.key(), position.mirror().key());
        Self { key: key.min(mirrored), mirrored: mirrored < key, symmetric: mirrored == key }
    }

    /// The move as seen in the position that has the key, or back.
    fn turn(&self, mv: Move) -> Move {
        if self.mirrored { mv.mirror() } else { mv }
    }
}

/// A move and how much it is liked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    /// The move, legal where it was asked for.
    pub mv: Move,
    /// Its share of the choices, not 0.
    pub weight: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    place: Place,
    weight: u16,
}

/// A book in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Book {
    entries: Vec<Entry>,
}

impl Book {
    /// A book of these moves; those of weight 0 are left out, and of a move that comes twice the heavier one counts.
    pub fn new(moves: impl IntoIterator<Item = (Place, u16)>) -> Self {
        let mut entries: Vec<Entry> = moves
            .into_iter()
            .filter(|&(_, weight)| weight > 0)
            .map(|(place, weight)| Entry { place, weight })
            .collect();
        entries.sort_unstable_by_key(|entry| (entry.place, core::cmp::Reverse(entry.weight)));
        entries.dedup_by_key(|entry| entry.place);
        entries.sort_unstable_by_key(Entry::rank);
        Self { entries }
    }

    /// The book inside the program.
    pub fn builtin() -> &'static Self {
        static BOOK: OnceLock<Book> = OnceLock::new();
        // A test reads it; an empty book does no harm.
        BOOK.get_or_init(|| Self::from_bytes(BUILTIN_BOOK).unwrap_or_default())
    }

    /// The book of a file, or the one inside the program for [`BUILTIN`].
    ///
    /// # Errors
    /// If there is no such file, or what is wrong with it.
    pub fn load(name: impl AsRef<Path>) -> Result<Self, BookError> {
        Self::load_within(name.as_ref(), &mut MAX_ENTRIES.clone())
    }

    /// Like [`Book::load`], of at most `left` moves; takes off what is read, whatever comes of it.
    fn load_within(name: &Path, left: &mut u32) -> Result<Self, BookError> {
        let mut take = |entries| {
            *left = left.checked_sub(entries).ok_or(BookError::Excess)?;
            Ok::<_, BookError>(())
        };
        if name.as_os_str().eq_ignore_ascii_case(BUILTIN) && !name.exists() {
            take(Self::builtin().len() as u32)?;
            return Ok(Self::builtin().clone());
        }
        let bytes = files::read(name, HEADER, |header, length| take(check_header(header, length)?))?;
        Self::from_bytes(&bytes)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// What is wrong with them; nothing of a damaged book is used.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let entries = check_header(bytes, bytes.len() as u64)?;
        let (header, body) = bytes.split_at(HEADER);
        if crc32fast::hash(body) != u32_at(header, 24) {
            return Err(BookError::Checksum);
        }
        let mut book = Self::default();
        book.entries
            .try_reserve_exact(entries as usize)
            .map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
        for (index, entry) in body.chunks_exact(ENTRY).enumerate() {
            let read = Move::from_bits(u16_at(entry, 8))
                .map(|mv| Entry { place: Place { key: u64_at(entry, 0), mv }, weight: u16_at(entry, 10) });
            let follows = |entry: &Entry| book.entries.last().is_none_or(|last| last.rank() < entry.rank());
            let entry = read.filter(|entry| entry.weight > 0 && follows(entry));
            book.entries.push(entry.ok_or(BookError::Entry(index + 1))?);
        }
        Ok(book)
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.entries.len() * ENTRY);
        for entry in &self.entries {
            body.extend(entry.place.key.to_le_bytes());
            body.extend(entry.place.mv.bits().to_le_bytes());
            body.extend(entry.weight.to_le_bytes());
        }
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.entries.len() as u32).to_le_bytes());
        bytes.extend(View::of(&Position::startpos()).key.to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(body);
        bytes
    }

    /// How many moves it holds, mirror images counted once.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds no move.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many positions it knows, mirror images counted once.
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|a, b| a.place.key == b.place.key).count()
    }

    /// The moves it knows of a position, the heaviest first; only legal ones, whatever the file says.
    ///
    /// In a symmetric position a move and its mirror image share the weight of their entry.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let view = View::of(position);
        let first = self.entries.partition_point(|entry| entry.place.key < view.key);
        let known = self.entries[first..].iter().take_while(|entry| entry.place.key == view.key);
        let mut moves = Vec::new();
        for entry in known {
            let mv = view.turn(entry.place.mv);
            let weight = u32::from(entry.weight) * 2;
            if view.symmetric && mv != mv.mirror() {
                moves.push(BookMove { mv, weight: weight / 2 });
                moves.push(BookMove { mv: mv.mirror(), weight: weight / 2 });
            } else {
                moves.push(BookMove { mv, weight });
            }
        }
        moves.retain(|choice| position.is_legal(choice.mv));
        moves.sort_by_key(|choice| core::cmp::Reverse(choice.weight));
        moves
    }
}

/// How many entries follow in a file of `length` bytes that begins with these.
fn check_header(bytes: &[u8], length: u64) -> Result<u32, BookError> {
    let header = bytes.get(..HEADER).filter(|header| header.starts_with(MAGIC)).ok_or(BookError::Magic)?;
    let version = u32_at(header, 8);
    if version != VERSION {
        return Err(BookError::Version(version));
    }
    let entries = u32_at(header, 12);
    let expected = HEADER as u64 + u64::from(entries) * ENTRY as u64;
    if length != expected {
        return Err(BookError::Length { entries, expected, length });
    }
    if u64_at(header, 16) != View::of(&Position::startpos()).key {
        return Err(BookError::Keys);
    }
    if entries > MAX_ENTRIES {
        return Err(BookError::Large(entries));
    }
    Ok(entries)
}

impl Entry {
    /// The order in a file.
    fn rank(&self) -> (u64, core::cmp::Reverse<u16>, Move) {
        (self.place.key, core::cmp::Reverse(self.weight), self.place.mv)
    }
}

/// Books of a list that are read; a longer one comes from a driver that has gone wrong.
pub const MAX_BOOKS: usize = 64;

/// What came of a list of book files.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The books, in the order of the list.
    pub books: Vec<Book>,
    /// Files that are not there: no reason to disturb anybody.
    pub missing: Vec<String>,
    /// Files that are there and are no books, with the reason.
    pub faults: Vec<String>,
}

impl Loaded {
    /// Reads the files of a list whose names are joined by `;`: the first [`MAX_BOOKS`] of them, as far as they are not too large together.
    pub fn from_list(list: impl AsRef<OsStr>) -> Self {
        let mut loaded = Self::default();
        let mut names = names(list.as_ref()).into_iter();
        let mut left = MAX_ENTRIES;
        for name in names.by_ref().take(MAX_BOOKS) {
            let shown = name.to_string_lossy();
            match Book::load_within(Path::new(&name), &mut left) {
                Ok(book) => loaded.books.push(book),
                Err(error @ BookError::Excess) => {
                    loaded.faults.push(format!("book {shown}: {error}"));
                    return loaded;
                }
                Err(BookError::Io(error)) if error.kind() == ErrorKind::NotFound => {
                    loaded.missing.push(shown.into_owned());
                }
                Err(error) => loaded.faults.push(format!("book {shown}: {error}")),
            }
        }
        if names.next().is_some() {
            loaded.faults.push(format!("only {MAX_BOOKS} books are read"));
        }
        loaded
    }
}

/// The names of a list. Under Unix they are whatever bytes they are.
fn names(list: &OsStr) -> Vec<OsString> {
    #[cfg(unix)]
    let parts = {
        use std::os::unix::ffi::OsStrExt;
        list.as_bytes()
            .split(|&byte| byte == b';')
            .map(|name| OsStr::from_bytes(name.trim_ascii()).to_owned())
    };
    #[cfg(not(unix))]
    let list = list.to_string_lossy();
    #[cfg(not(unix))]
    let parts = list.split(';').map(|name| OsString::from(name.trim_ascii()));
    parts.filter(|name| !name.is_empty()).collect()
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    fn book() -> Book {
        let start = Position::startpos();
        let after = start.play(mv("h2e2"));
        Book::new([
            (Place::of(&start, mv("h2e2")), 30),
            (Place::of(&start, mv("b2e2")), 40),
            (Place::of(&start, mv("e3e4")), 5),
            (Place::of(&start, mv("c3c4")), 0),
            (Place::of(&after, mv("h9g7")), 7),
            (Place::of(&after, mv("b9c7")), 9),
        ])
    }

    fn listed(book: &Book, position: &Position) -> Vec<(String, u32)> {
        book.moves(position).iter().map(|choice| (choice.mv.to_string(), choice.weight)).collect()
    }

    #[test]
    fn mirror_images_are_one_position() {
        let book = book();
        assert_eq!((book.len(), book.positions()), (4, 2), "the cannons' moves are one");
        let start = Position::startpos();
        let mut cannons = listed(&book, &start);
        cannons[..2].sort();
        let expected = [("b2e2", 40), ("h2e2", 40), ("e3e4", 10)].map(|(mv, weight)| (mv.to_owned(), weight));
        assert_eq!(cannons, expected);
        for (opening, replies) in [("h2e2", ["b9c7", "h9g7"]), ("b2e2", ["h9g7", "b9c7"])] {
            let after = start.play(mv(opening));
            let expected = [(replies[0].to_owned(), 18), (replies[1].to_owned(), 14)];
            assert_eq!(listed(&book, &after), expected, "{opening}");
        }
        assert!(book.moves(&start.play(mv("c3c4"))).is_empty());
    }

    #[test]
    fn bytes_and_back() {
        let bytes = book().to_bytes();
        assert_eq!(bytes.len(), 32 + 4 * 12);
        assert_eq!(Book::from_bytes(&bytes).expect("a book"), book());
        let empty = Book::default();
        assert_eq!(Book::from_bytes(&empty.to_bytes()).expect("a book"), empty);
    }

    #[test]
    fn whatever_is_damaged_is_refused() {
        let bytes = book().to_bytes();
        for length in 0..bytes.len() {
            let error = Book::from_bytes(&bytes[..length]).expect_err("a part of a book");
            let expected = if length < 32 { "not a Phao book" } else { "not complete" };
            assert!(error.to_string().contains(expected), "{length}: {error}");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            // The last four bytes of the header mean nothing.
            let meaningless = (28..32).contains(&at);
            assert_eq!(Book::from_bytes(&damaged).is_ok(), meaningless, "byte {at}");
        }
        let longer = [&bytes[..], b"more"].concat();
        assert!(matches!(Book::from_bytes(&longer), Err(BookError::Length { .. })));
        assert!(matches!(Book::from_bytes(b"\x40\x32\x06\x00"), Err(BookError::Magic)));
    }

    /// Files with as many bytes as a book of many moves has, nearly all of them holes.
    #[test]
    fn what_is_too_large_is_refused_unread() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("large.book");
        for (entries, right_magic) in [(u32::MAX, true), (MAX_ENTRIES + 1, true), (MAX_ENTRIES, false)] {
            let mut header = book().to_bytes();
            header.truncate(HEADER);
            header[12..16].copy_from_slice(&entries.to_le_bytes());
            header[0] = if right_magic { b'P' } else { 0 };
            std::fs::write(&path, &header).expect("a file");
            let file = std::fs::File::options().write(true).open(&path).expect("a file");
            if file.set_len(HEADER as u64 + u64::from(entries) * ENTRY as u64).is_err() {
                continue;
            }
            match Book::load(&path) {
                Err(BookError::Large(found)) => assert_eq!((found, right_magic), (entries, true)),
                Err(BookError::Magic) => assert!(!right_magic),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn damaged_books_count_for_what_is_read_in_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("damaged.book");
        let mut bytes = book().to_bytes();
        bytes[40] ^= 1;
        std::fs::write(&path, &bytes).expect("a file");
        let mut left = 11;
        for expected in [7, 3] {
            assert!(matches!(Book::load_within(&path, &mut left), Err(BookError::Checksum)));
            assert_eq!(left, expected, "4 moves were read");
        }
        assert!(matches!(Book::load_within(&path, &mut left), Err(BookError::Excess)));
    }

    #[test]
    fn moves_that_are_not_legal_are_not_offered() {
        let start = Position::startpos();
        let book = Book::new([(Place { key: Place::of(&start, mv("h2e2")).key, mv: mv("a0a9") }, 3)]);
        assert!(book.moves(&start).is_empty());
    }

    #[test]
    fn the_builtin_book_is_whole_and_its_moves_are_legal() {
        let book = Book::from_bytes(BUILTIN_BOOK).expect("a book");
        assert_eq!(&book, Book::builtin());
        let start = Position::startpos();
        assert!(book.moves(&start).len() >= 3, "some variety");
        // Whatever is chosen leads to another position of the book, or out of it.
        let mut known = 0;
        let mut frontier = vec![start];
        while let Some(position) = frontier.pop() {
            let moves = book.moves(&position);
            known += usize::from(!moves.is_empty());
            if known > 2_000 {
                break;
            }
            frontier.extend(moves.iter().map(|choice| position.play(choice.mv)));
        }
        assert!(known >= 50, "{known} positions");
    }

    #[test]
    fn lists_of_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        std::fs::write(path("good.book"), book().to_bytes()).expect("a file");
        std::fs::write(path("BOOK.DAT"), [0; 80]).expect("a file");
        let list = format!("{}; ;{};{};builtin", path("none.book"), path("BOOK.DAT"), path("good.book"));
        let loaded = Loaded::from_list(&list);
        assert_eq!(loaded.books, [book(), Book::builtin().clone()]);
        assert_eq!(loaded.missing, [path("none.book")]);
        assert_eq!(loaded.faults.len(), 1);
        assert!(loaded.faults[0].contains("BOOK.DAT: not a Phao book"), "{:?}", loaded.faults);
        assert!(Loaded::from_list("").books.is_empty());
        let loaded = Loaded::from_list("builtin;".repeat(MAX_BOOKS + 1));
        assert_eq!((loaded.books.len(), loaded.faults.len()), (MAX_BOOKS, 1));
    }
}
