//! Appends games to a data file, and finds the end of what an interrupted run has left.

use super::{BLOCK_HEADER_LEN, DataError, Game, HEADER_LEN, MAGIC, reader::Reader, record};
#[cfg(not(windows))]
use std::fs::TryLockError;
use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// Games in a block: what an interruption can cost.
const BLOCK_GAMES: u32 = 32;

/// A data file open for appending. Games reach the disk in blocks of 32; [`Writer::flush`] ends one early, which the next run
/// fills up, so that a file is the same whether its making was interrupted or not.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
    /// The block being filled.
    body: Vec<u8>,
    games: u32,
    /// How many of its games stand on disk already, in a block that it will replace.
    on_disk: u32,
    block_games: u32,
}

impl Writer {
    /// Opens a file to append to, or begins one. Returns the numbers of the games it has already.
    ///
    /// A last block that is incomplete or damaged is cut off: that is what a run leaves that was ended in the middle of writing. A file that
    /// ends within its head is begun anew if all it holds is how the head of this recipe begins: then there is no game in it.
    ///
    /// # Errors
    /// [`DataError`] if the file is something else, was made by another recipe, is damaged before its last block, is written by another
    /// run, or cannot be written. It is left as it was then.
    pub fn open(path: &Path, recipe: &str) -> Result<(Self, HashSet<u32>), DataError> {
        let mut numbers = HashSet::new();
        let writer = Self::open_with(path, recipe, |game| {
            numbers.insert(game.number);
        })?;
        Ok((writer, numbers))
    }

    /// As [`Writer::open`]; hands each game that the file has already to `found`, in order.
    ///
    /// # Errors
    /// As [`Writer::open`].
    pub fn open_with(path: &Path, recipe: &str, found: impl FnMut(&Game)) -> Result<Self, DataError> {
        Self::open_in_blocks(path, recipe, BLOCK_GAMES, found)
    }

    fn open_in_blocks(
        path: &Path,
        recipe: &str,
        block_games: u32,
        mut found: impl FnMut(&Game),
    ) -> Result<Self, DataError> {
        let io = |fault| DataError::Io { path: path.to_owned(), fault };
        let header = header(recipe);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        // There a lock would keep readers out; the second writer's opening fails.
        #[cfg(windows)]
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 1);
        let mut file = options.open(path).map_err(io)?;
        #[cfg(not(windows))]
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(DataError::InUse { path: path.to_owned() });
        }
        let (mut body, mut games) = (Vec::new(), 0);
        if holds_beginning_of(&header, &mut file).map_err(io)? {
            file.write_all(&header).map_err(io)?;
        } else {
            let mut reader = Reader::open(path)?;
            if reader.recipe() != recipe {
                return Err(DataError::OtherRecipe {
                    path: path.to_owned(),
                    found: reader.recipe().to_owned(),
                });
            }
            let mut end = reader.offset();
            let mut last = None;
            loop {
                match reader.next_block() {
                    Ok(Some(block)) => {
                        block.iter().for_each(&mut found);
                        last = Some((end, block));
                    }
                    Ok(None) => break,
                    Err(DataError::Damaged { .. }) if reader.is_torn_end()? => {
                        log::warn!("{}: the last block is damaged; cut off at byte {end}", path.display());
                        file.set_len(end).map_err(io)?;
                        break;
                    }
                    Err(error) => return Err(error),
                }
                end = reader.offset();
            }
            if let Some((start, block)) = last.filter(|(_, block)| block.len() < block_games as usize) {
                for game in &block {
                    record::encode(game, &mut body);
                }
                (end, games) = (start, block.len() as u32);
            }
            file.seek(SeekFrom::Start(end)).map_err(io)?;
        }
        Ok(Self { path: path.to_owned(), file, body, games, on_disk: games, block_games })
    }

    /// Adds a game to the block being filled, and writes the block if that makes it full.
    ///
    /// # Errors
    /// [`DataError::Io`] if the disk does not take it.
    pub fn add(&mut self, game: &Game) -> Result<(), DataError> {
        record::encode(game, &mut self.body);
        self.games += 1;
        if self.games < self.block_games { Ok(()) } else { self.flush() }
    }

    /// Writes the block being filled, if there is anything new in it.
    ///
    /// # Errors
    /// [`DataError::Io`] if the disk does not take it.
    pub fn flush(&mut self) -> Result<(), DataError> {
        if self.games == self.on_disk {
            return Ok(());
        }
        let mut block = Vec::with_capacity(BLOCK_HEADER_LEN + self.body.len());
        block.extend((self.body.len() as u32).to_le_bytes());
        block.extend(self.games.to_le_bytes());
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&block);
        hasher.update(&self.body);
        block.extend(hasher.finalize().to_le_bytes());
        block.append(&mut self.body);
        (self.games, self.on_disk) = (0, 0);
        let written = self.file.write_all(&block).and_then(|()| self.file.sync_data());
        written.map_err(|fault| DataError::Io { path: self.path.clone(), fault })
    }
}

/// Whether a file, which stays at its beginning, holds nothing but the first bytes of a header, or nothing at all.
fn holds_beginning_of(header: &[u8], file: &mut File) -> io::Result<bool> {
    let len = file.metadata()?.len();
    let mut found = Vec::new();
    // What has no length, such as a pipe, is not read.
    if len > 0 && len < header.len() as u64 {
        file.read_to_end(&mut found)?;
        file.rewind()?;
    }
    Ok(len == found.len() as u64 && header.starts_with(&found))
}

/// What stands before the first block.
fn header(recipe: &str) -> Vec<u8> {
    let mut header = Vec::with_capacity(HEADER_LEN + recipe.len());
    header.extend(MAGIC);
    header.extend((recipe.len() as u32).to_le_bytes());
    header.extend(crc32fast::hash(recipe.as_bytes()).to_le_bytes());
    header.extend(recipe.bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::testing::random_game;
    use std::fs;

    const RECIPE: &str = "{\"seed\":1}";

    /// Blocks of four games.
    fn write(path: &Path, numbers: core::ops::Range<u32>) -> HashSet<u32> {
        let mut found = HashSet::new();
        let writer = Writer::open_in_blocks(path, RECIPE, 4, |game| {
            found.insert(game.number);
        });
        let mut writer = writer.expect("a good file");
        for number in numbers {
            writer.add(&random_game(number)).expect("room on the disk");
        }
        writer.flush().expect("room on the disk");
        found
    }

    fn read(path: &Path) -> Result<Vec<Game>, DataError> {
        let mut reader = Reader::open(path)?;
        let mut games = Vec::new();
        while let Some(block) = reader.next_block()? {
            games.extend(block);
        }
        Ok(games)
    }

    #[test]
    fn a_second_run_appends() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("games");
        assert!(write(&path, 0..10).is_empty());
        assert_eq!(write(&path, 10..13), (0..10).collect());
        let expected: Vec<Game> = (0..13).map(random_game).collect();
        assert_eq!(read(&path).expect("a good file"), expected);
        assert_eq!(write(&path, 13..13), (0..13).collect());
        // The blocks are as if there had been one run.
        let at_once = dir.path().join("at once");
        write(&at_once, 0..13);
        assert_eq!(fs::read(&path).expect("the file"), fs::read(&at_once).expect("the file"));
    }

    #[test]
    fn a_torn_last_block_is_cut_off_wherever_it_was_torn() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("games");
        write(&path, 0..8);
        let whole = fs::metadata(&path).expect("the file").len();
        write(&path, 8..12);
        let bytes = fs::read(&path).expect("the file");
        for len in whole as usize + 1..bytes.len() {
            fs::write(&path, &bytes[..len]).expect("room on the disk");
            assert!(matches!(read(&path), Err(DataError::Damaged { offset, .. }) if offset == whole));
            let (_, found) = Writer::open(&path, RECIPE).expect("a file that can be mended");
            assert_eq!(found, (0..8).collect());
            assert_eq!(fs::metadata(&path).expect("the file").len(), whole);
        }
    }

    /// What a full disk leaves of a head can hold no game; the whole file then becomes as any other.
    #[test]
    fn a_torn_head_is_begun_anew_by_its_own_recipe_alone() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("games");
        write(&path, 0..3);
        let whole = fs::read(&path).expect("the file");
        let head = HEADER_LEN + RECIPE.len();
        for len in 0..head {
            fs::write(&path, &whole[..len]).expect("room on the disk");
            let refused = Writer::open(&path, "{\"seed\":2}").map(drop);
            if len >= HEADER_LEN {
                let cut = refused.is_err_and(|error| matches!(error, DataError::CutHead { .. }));
                assert!(cut, "cut at {len}, another recipe");
                assert_eq!(fs::read(&path).expect("the file"), &whole[..len]);
            }
            fs::write(&path, &whole[..len]).expect("room on the disk");
            if len > 0 {
                assert!(matches!(read(&path), Err(DataError::CutHead { .. })), "cut at {len}");
            }
            assert!(write(&path, 0..3).is_empty());
            assert!(fs::read(&path).expect("the file") == whole, "cut at {len}");
        }
        // A damaged length points beyond the end of a file that does have games.
        let mut damaged = whole.clone();
        damaged[10] ^= 1;
        fs::write(&path, &damaged).expect("room on the disk");
        assert!(matches!(Writer::open(&path, RECIPE), Err(DataError::CutHead { .. })));
        assert_eq!(fs::read(&path).expect("the file"), damaged);
    }

    #[test]
    fn damage_in_the_middle_is_an_error_and_nothing_is_lost() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("games");
        write(&path, 0..12);
        let mut bytes = fs::read(&path).expect("the file");
        let at = HEADER_LEN + RECIPE.len() + BLOCK_HEADER_LEN + 5;
        bytes[at] ^= 1;
        fs::write(&path, &bytes).expect("room on the disk");
        assert!(matches!(Writer::open(&path, RECIPE), Err(DataError::Damaged { .. })));
        assert_eq!(fs::read(&path).expect("the file"), bytes);
        // A length that points beyond the end does not make it the last block.
        bytes[at] ^= 1;
        for byte in 0..4 {
            let at = HEADER_LEN + RECIPE.len() + byte;
            bytes[at] ^= 0x40;
            fs::write(&path, &bytes).expect("room on the disk");
            assert!(matches!(Writer::open(&path, RECIPE), Err(DataError::Damaged { .. })), "byte {byte}");
            assert_eq!(fs::read(&path).expect("the file"), bytes);
            bytes[at] ^= 0x40;
        }
    }

    #[test]
    fn one_run_at_a_time_writes_a_file() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("games");
        write(&path, 0..4);
        let (mut writer, _) = Writer::open(&path, RECIPE).expect("a good file");
        assert!(Writer::open(&path, RECIPE).is_err());
        writer.add(&random_game(4)).expect("room on the disk");
        writer.flush().expect("room on the disk");
        assert_eq!(read(&path).expect("can be read meanwhile").len(), 5);
        drop(writer);
        assert!(Writer::open(&path, RECIPE).is_ok());
    }

    #[test]
    fn other_files_and_other_recipes_are_refused() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("games");
        fs::write(&path, "something else entirely").expect("room on the disk");
        assert!(matches!(Writer::open(&path, RECIPE), Err(DataError::NotGames { .. })));
        fs::remove_file(&path).expect("the file");
        write(&path, 0..2);
        assert!(matches!(Writer::open(&path, "{}"), Err(DataError::OtherRecipe { .. })));
    }
}
