//! The game in progress: the positions so far, what may not be played, and whether there is anything to play at all.

use movegen::{FenError, History, Move, MoveList, Position, PositionError, Setup};
use thiserror::Error;

/// Why a new position cannot be played, or not all of it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PositionFault {
    /// The FEN is not one; the old board stands, and there is no move until a good position comes.
    #[error("bad FEN: {0}")]
    Fen(FenError),
    /// The board cannot be one of a game; the old board stands, and there is no move until a good position comes.
    #[error("bad position: {0}")]
    Board(PositionError),
    /// The side that is not to move could be captured: the board stands, but there is no move.
    #[error("this position cannot be played: {0}")]
    Unreachable(PositionError),
    /// A move is against the rules; the position before it stands.
    #[error("move {number} '{mv}' is illegal in {fen}")]
    IllegalMove {
        /// The move.
        mv: Move,
        /// Its place in the list, from 1.
        number: usize,
        /// The position it was to be played in.
        fen: String,
    },
}

// Not `#[from]`: a text that tells its cause has no source besides, or whoever prints the chain says it twice.
impl From<FenError> for PositionFault {
    fn from(error: FenError) -> Self {
        Self::Fen(error)
    }
}

/// Why the board on view is not the one to play on.
#[derive(Debug, Clone)]
enum Unplayable {
    /// The last position was refused; the board is an older one.
    Refused,
    /// The board itself.
    Unreachable(Box<Setup>),
}

/// The game in progress.
#[derive(Debug, Clone)]
pub struct Game {
    history: History,
    unplayable: Option<Unplayable>,
    banned: Vec<Move>,
}

impl Default for Game {
    fn default() -> Self {
        Self { history: History::new(Position::startpos()), unplayable: None, banned: Vec::new() }
    }
}

impl Game {
    /// Starts from a FEN and plays `moves`.
    ///
    /// # Errors
    /// Each fault says what stands afterwards. After an illegal move the moves before it are played.
    pub fn set_fen(&mut self, fen: &str, moves: &[Move]) -> Result<(), PositionFault> {
        self.refuse();
        let setup = Setup::from_fen(fen)?;
        match Position::from_setup(&setup) {
            Ok(position) => self.set_position(position, moves),
            Err(error) if error.only_unreachable() => {
                self.unplayable = Some(Unplayable::Unreachable(Box::new(setup)));
                Err(PositionFault::Unreachable(error))
            }
            Err(error) => Err(PositionFault::Board(error)),
        }
    }

    /// Starts from a position and plays `moves`.
    ///
    /// # Errors
    /// If a move is illegal; the moves before it are played.
    pub fn set_position(&mut self, position: Position, moves: &[Move]) -> Result<(), PositionFault> {
        self.banned.clear();
        self.unplayable = None;
        self.history = History::new(position);
        for (i, &mv) in moves.iter().enumerate() {
            let current = self.history.current();
            if !current.is_legal(mv) {
                return Err(PositionFault::IllegalMove { mv, number: i + 1, fen: current.fen() });
            }
            self.history.push(mv);
        }
        Ok(())
    }

    /// Swaps the colours: the board turned round, the other side to move, the moves so far forgotten.
    pub fn flip(&mut self) {
        if let Some(Unplayable::Unreachable(setup)) = &mut self.unplayable {
            **setup = setup.flip();
        } else {
            self.history = History::new(self.position().flip());
        }
        self.banned.clear();
    }

    /// There was a position, but nothing could be made of it: the board stands, and there is no move until a good
    /// position comes.
    pub fn refuse(&mut self) {
        self.banned.clear();
        self.unplayable = Some(Unplayable::Refused);
    }

    /// Forbids moves in the present position, in place of those forbidden before.
    pub fn ban(&mut self, moves: Vec<Move>) {
        self.banned = moves;
    }

    /// The game so far; the last position is the one to play on if [`Game::is_playable`].
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The present position (an older one after a refused FEN).
    pub fn position(&self) -> &Position {
        self.history.current()
    }

    /// The board on view, if it is not one that can be played on.
    pub fn unreachable(&self) -> Option<&Setup> {
        match &self.unplayable {
            Some(Unplayable::Unreachable(setup)) => Some(setup),
            _ => None,
        }
    }

    /// False from a faulty position to the next good one.
    pub fn is_playable(&self) -> bool {
        self.unplayable.is_none()
    }

    /// The legal moves of the present position; none if it cannot be played.
    pub fn legal_moves(&self) -> MoveList {
        if self.is_playable() { self.position().legal_moves() } else { MoveList::new() }
    }

    /// The moves to choose from: legal, not banned, and among `only` unless that is empty.
    pub fn allowed_moves(&self, only: &[Move]) -> Vec<Move> {
        let may_be_played = |mv: &Move| !self.banned.contains(mv) && (only.is_empty() || only.contains(mv));
        self.legal_moves().into_iter().filter(may_be_played).collect()
    }

    /// Moves the side to move has made since the game's first position, reckoned by the move number too.
    pub fn moves_played(&self) -> u32 {
        u32::from(self.position().fullmove_number().saturating_sub(1)).max(self.history.len() as u32 / 2)
    }
}
