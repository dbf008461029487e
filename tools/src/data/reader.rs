//! Reads data files block by block.

use super::{BLOCK_HEADER_LEN, DataError, Game, HEADER_LEN, MAGIC, MAX_BLOCK, record};
use std::{
    fs::File,
    io::{BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// A data file open for reading.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    input: BufReader<File>,
    len: u64,
    recipe: String,
    /// Where the next block begins.
    offset: u64,
    /// Of everything up to there.
    fingerprint: u32,
    /// Games read so far.
    games: u64,
}

impl Reader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// [`DataError`] if it cannot be read or is no data file.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let io = |fault| DataError::Io { path: path.to_owned(), fault };
        let cut_head = || DataError::CutHead { path: path.to_owned() };
        let file = File::open(path).map_err(io)?;
        let len = file.metadata().map_err(io)?.len();
        let mut input = BufReader::with_capacity(1 << 18, file);
        let mut header = Vec::with_capacity(HEADER_LEN);
        input.by_ref().take(HEADER_LEN as u64).read_to_end(&mut header).map_err(io)?;
        let magic = &header[..header.len().min(MAGIC.len())];
        if magic.is_empty() || !MAGIC.starts_with(magic) {
            return Err(DataError::NotGames { path: path.to_owned() });
        }
        if header.len() < HEADER_LEN {
            return Err(cut_head());
        }
        let recipe_len = u64::from(word(&header[8..]));
        if HEADER_LEN as u64 + recipe_len > len {
            return Err(cut_head());
        }
        let mut recipe = vec![0; recipe_len as usize];
        input.read_exact(&mut recipe).map_err(io)?;
        let damaged =
            DataError::Damaged { path: path.to_owned(), offset: 0, what: "the recipe's checksum is wrong" };
        if crc32fast::hash(&recipe) != word(&header[12..]) {
            return Err(damaged);
        }
        let fingerprint = extended(crc32fast::hash(&header), &recipe);
        let recipe = String::from_utf8(recipe).map_err(|_| damaged)?;
        let offset = HEADER_LEN as u64 + recipe_len;
        Ok(Self { path: path.to_owned(), input, len, recipe, offset, fingerprint, games: 0 })
    }

    /// The recipe the games were made by.
    pub fn recipe(&self) -> &str {
        &self.recipe
    }

    /// CRC-32 of the file up to the end of the block read last.
    pub fn fingerprint(&self) -> u32 {
        self.fingerprint
    }

    /// Where the next block begins.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether the damaged block read last is what a run leaves that was ended in the middle of writing: it is not longer than a
    /// block, and no whole one comes after it. A damaged length tells nothing.
    ///
    /// # Errors
    /// [`DataError::Io`] if the file cannot be read.
    pub(super) fn is_torn_end(&mut self) -> Result<bool, DataError> {
        if self.len - self.offset > (BLOCK_HEADER_LEN + MAX_BLOCK) as u64 {
            return Ok(false);
        }
        let io = |fault| DataError::Io { path: self.path.clone(), fault };
        let mut rest = Vec::new();
        self.input.seek(SeekFrom::Start(self.offset)).map_err(io)?;
        self.input.read_to_end(&mut rest).map_err(io)?;
        Ok(!(1..rest.len()).any(|at| begins_with_block(&rest[at..])))
    }

    /// The games of the next block, `None` at the end of the file.
    ///
    /// # Errors
    /// [`DataError::Damaged`] if the block is incomplete or damaged; what follows cannot be read then.
    pub fn next_block(&mut self) -> Result<Option<Vec<Game>>, DataError> {
        if self.offset == self.len {
            return Ok(None);
        }
        let damaged = |what| DataError::Damaged { path: self.path.clone(), offset: self.offset, what };
        let io = |fault| DataError::Io { path: self.path.clone(), fault };
        let room = self.len - self.offset;
        if room < BLOCK_HEADER_LEN as u64 {
            return Err(damaged("a block's header is cut off"));
        }
        let mut header = [0; BLOCK_HEADER_LEN];
        self.input.read_exact(&mut header).map_err(io)?;
        let (body_len, games) = (word(&header) as usize, word(&header[4..]));
        let end = self.offset + (BLOCK_HEADER_LEN + body_len) as u64;
        if end > self.len {
            return Err(damaged("a block is cut off"));
        }
        if body_len > MAX_BLOCK {
            return Err(damaged("a block is impossibly long"));
        }
        let mut body = vec![0; body_len];
        self.input.read_exact(&mut body).map_err(io)?;
        if checksum(&header, &body) != word(&header[8..]) {
            return Err(damaged("a block's checksum is wrong"));
        }
        let mut rest = body.as_slice();
        let games: Result<Vec<Game>, _> = (0..games).map(|_| record::decode(&mut rest)).collect();
        let games = games.map_err(damaged)?;
        if !rest.is_empty() {
            return Err(damaged("a block has bytes to spare"));
        }
        self.offset = end;
        self.games += games.len() as u64;
        self.fingerprint = extended(extended(self.fingerprint, &header), &body);
        Ok(Some(games))
    }

    /// As [`Reader::next_block`], but a last block that is incomplete counts as the end, with a warning: another program may be writing it
    /// just now. A warning also tells of games that the recipe speaks of but the file does not hold.
    ///
    /// # Errors
    /// [`DataError`] if the file cannot be read, or is damaged before its last block.
    pub fn next_whole_block(&mut self) -> Result<Option<Vec<Game>>, DataError> {
        let found = match self.next_block() {
            Err(error @ DataError::Damaged { .. }) if self.is_torn_end()? => {
                log::warn!("{error}; the games before it were read");
                None
            }
            found => found?,
        };
        if found.is_none()
            && let Some(planned) = self.planned_games()
            && self.games < planned
        {
            log::warn!("{}: not complete, {} of {planned} games", self.path.display(), self.games);
        }
        Ok(found)
    }

    /// How many games the whole file has, if its recipe says so: that of `xq rescore` does.
    fn planned_games(&self) -> Option<u64> {
        serde_json::from_str::<serde_json::Value>(&self.recipe).ok()?.get("games")?.as_u64()
    }
}

/// The checksum that belongs into a block's header.
fn checksum(header: &[u8], body: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header[..8]);
    hasher.update(body);
    hasher.finalize()
}

/// The CRC-32 of what a checksum is of, with more bytes behind it.
fn extended(checksum: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(checksum);
    hasher.update(bytes);
    hasher.finalize()
}

/// Whether a whole block stands at the beginning of some bytes.
fn begins_with_block(bytes: &[u8]) -> bool {
    let Some((header, rest)) = bytes.split_at_checked(BLOCK_HEADER_LEN) else { return false };
    let (length, games) = (word(header) as usize, word(&header[4..]) as usize);
    // A game takes more than a byte; few other bytes look so, which spares the checksums.
    let is_likely = games > 0 && games < length;
    is_likely && rest.get(..length).is_some_and(|body| checksum(header, body) == word(&header[8..]))
}

fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}
