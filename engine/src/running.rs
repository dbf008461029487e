//! One search from `go` to its reply: the state machine behind "exactly one reply, legal, not too early".
//!
//! ```text
//!            finish                      may_answer?
//! running ------------> outcome known ---------------> reply
//!    |                        ^   no: infinite and not stopped, or pondering and neither stopped nor hit
//!    +-- stop, ponderhit -----+-- stop, ponderhit: ask again
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use movegen::{Move, Position};
use search::{Bound, Control, Iteration, SearchResult};

use crate::engine::Reply;
use crate::offers::Judgement;
use crate::options::Options;
use crate::strength::{Chance, Handicap};
use crate::worker::SearchId;

/// How long a search that has been stopped may take to end; it takes a tenth of a millisecond where it gets a core. Drivers wait 50 ms to 10 s.
const STOP_PATIENCE: Duration = Duration::from_millis(25);
/// The same for one that has shown nothing yet. No driver is to wait longer than 200 ms, and none for 100 ms after `quit`.
const EARLY_STOP_PATIENCE: Duration = Duration::from_millis(70);
/// A search may be late by half of this even if nothing is kept back for the way to the driver.
const LEAST_OVERHEAD: Duration = Duration::from_millis(20);
/// How much later than its time is over the first move looked at may come: it always comes where the search thread does, which may still have a table
/// to allocate or to clear, or a network to read, when its time is over. The first move that comes to hand may well lose the game.
const FIRST_MOVE_PATIENCE: Duration = Duration::from_secs(1);

/// The search in progress.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each changes on its own: together they are the state")]
pub(crate) struct Running {
    pub(crate) id: SearchId,
    pub(crate) control: Arc<Control>,
    infinite: bool,
    bounded: bool,
    pondering: bool,
    stopped: bool,
    draw_offered: bool,
    drawn: bool,
    root: Position,
    moves_played: u32,
    allowed: Vec<Move>,
    /// The last report of each line, the best one first.
    lines: Vec<Iteration>,
    handicap: Option<Handicap>,
    outcome: Option<Outcome>,
    /// Time on the clock at which the search should end, if it has one.
    hard_time: Option<Duration>,
    /// What was kept back for the way to the driver.
    overhead: Duration,
    /// Time on the clock at which the game is lost, if it has one.
    flag: Option<Duration>,
    stopped_at: Option<Instant>,
}

/// What the search found.
#[derive(Debug)]
struct Outcome {
    best: Option<Move>,
    ponder: Option<Move>,
    last_report: Option<Box<Iteration>>,
    judgement: Option<Judgement>,
    mated: bool,
    source: Source,
}

/// Where an outcome comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// There was nothing to search.
    Nothing,
    Book,
    Search,
}

/// How a search may end.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each stands or does not, whatever the others do")]
pub(crate) struct Manner {
    pub(crate) infinite: bool,
    /// A number of plies, nodes or milliseconds ends it; looking for a mate may never end.
    pub(crate) bounded: bool,
    pub(crate) pondering: bool,
    pub(crate) draw_offered: bool,
    /// The law has made the game a draw already.
    pub(crate) drawn: bool,
}

impl Running {
    pub(crate) fn new(
        id: SearchId,
        manner: Manner,
        root: Position,
        moves_played: u32,
        allowed: Vec<Move>,
        handicap: Option<Handicap>,
    ) -> Self {
        Self {
            id,
            control: Arc::new(Control::new(manner.pondering)),
            infinite: manner.infinite,
            bounded: manner.bounded,
            pondering: manner.pondering,
            stopped: false,
            draw_offered: manner.draw_offered,
            drawn: manner.drawn,
            root,
            moves_played,
            allowed,
            lines: Vec::new(),
            handicap,
            outcome: None,
            hard_time: None,
            overhead: LEAST_OVERHEAD,
            flag: None,
            stopped_at: None,
        }
    }

    pub(crate) fn stop(&mut self) {
        self.stopped = true;
        self.stopped_at.get_or_insert_with(Instant::now);
        self.control.stop();
    }

    pub(crate) fn ponderhit(&mut self, draw_offered: bool) {
        if self.pondering {
            self.pondering = false;
            self.draw_offered |= draw_offered;
            self.control.ponderhit();
        }
    }

    /// Whether there is anything to search.
    pub(crate) fn has_moves(&self) -> bool {
        !self.allowed.is_empty()
    }

    /// Whether a reply may be given now.
    pub(crate) fn may_answer(&self) -> bool {
        self.stopped || !(self.infinite || self.pondering)
    }

    /// Whether the reply will come without another word from the driver, in a time that can be waited for.
    pub(crate) fn ends_by_itself(&self) -> bool {
        self.bounded && self.may_answer()
    }

    /// The search should end at `hard_time` on its clock; `overhead` was kept back for the way to the driver, and the flag falls at `flag`.
    pub(crate) fn watch(&mut self, hard_time: Option<Duration>, overhead: Duration, flag: Option<Duration>) {
        (self.hard_time, self.overhead, self.flag) = (hard_time, overhead.max(LEAST_OVERHEAD), flag);
    }

    /// When the reply is overdue, if it is known when it is due. A search that has shown nothing yet gets more time,
    /// for any move of its is better than the first that comes to hand, though not than the game. A search that should end when only the
    /// overhead is left may be late by half of that.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        if self.outcome.is_some() {
            return None;
        }
        let (overhead, has_line) = (self.overhead, !self.lines.is_empty());
        let stop_patience = if has_line { STOP_PATIENCE } else { EARLY_STOP_PATIENCE };
        let stop = self.stopped_at.map(|at| at + stop_patience);
        let clock = self.hard_time.filter(|_| !self.pondering).and_then(|time| {
            let patience = if has_line {
                Duration::ZERO
            } else {
                // Not more than half of what would be left without it: other moves follow, unless a control does, which leaves nothing.
                let left = self.flag.map(|flag| flag.saturating_sub(overhead).saturating_sub(time) / 2);
                left.map_or(overhead + FIRST_MOVE_PATIENCE, |left| left.min(FIRST_MOVE_PATIENCE))
            };
            let due = time.saturating_add(patience.max(overhead / 2));
            Instant::now().checked_add(due.saturating_sub(self.control.clock()))
        });
        [stop, clock].into_iter().flatten().min()
    }

    /// Remembers each line, to fall back on or to choose from.
    pub(crate) fn note(&mut self, iteration: &Iteration) {
        let index = iteration.multi_pv.saturating_sub(1);
        // Lines come in order of their index, so there is never a gap.
        if index == self.lines.len() {
            self.lines.push(iteration.clone());
        } else if let Some(line) = self.lines.get_mut(index) {
            line.clone_from(iteration);
        }
    }

    /// There was nothing to search.
    pub(crate) fn finish_without_move(&mut self, mated: bool) {
        self.outcome = Some(Outcome {
            best: None,
            ponder: None,
            last_report: None,
            judgement: None,
            mated,
            source: Source::Nothing,
        });
    }

    /// An opening book knows the move.
    pub(crate) fn finish_from_book(&mut self, mv: Move, answer: Option<Move>) {
        self.outcome = Some(Outcome {
            best: Some(mv),
            ponder: answer,
            last_report: None,
            judgement: None,
            mated: false,
            source: Source::Book,
        });
    }

    /// The search is over; `None` if it failed. Whatever it says, the move will be one of the allowed ones.
    pub(crate) fn finish(&mut self, result: Option<SearchResult>, chance: &mut Chance) {
        let result = self.handicapped(result, chance);
        let best_line = self.lines.first();
        let shown = best_line.and_then(|line| line.pv.first().copied());
        let is_allowed = |mv: &Move| self.allowed.contains(mv);
        let found = result.as_ref().and_then(|result| result.best).filter(is_allowed);
        let best = found.or(shown.filter(is_allowed)).or_else(|| self.allowed.first().copied());
        let expected = match &result {
            Some(result) if found == best => result.ponder,
            _ if shown == best => best_line.and_then(|line| line.pv.get(1).copied()),
            _ => None,
        };
        let ponder = expected.filter(|&answer| best.is_some_and(|mv| self.root.play(mv).is_legal(answer)));
        let judgement = result.as_ref().filter(|_| found == best).map(|result| Judgement {
            score: result.score,
            depth: result.depth,
            moves_played: self.moves_played,
            drawn: self.drawn,
        });
        let last_report = result.filter(|_| found == best).map(|result| {
            Box::new(Iteration {
                depth: result.depth.max(1),
                seldepth: result.depth.max(1),
                multi_pv: 1,
                score: result.score,
                bound: Bound::Exact,
                wdl: best_line.map_or((0, 1000, 0), |line| line.wdl),
                nodes: result.nodes,
                time: self.control.elapsed(),
                hashfull: best_line.map_or(0, |line| line.hashfull),
                pv: if result.pv.first() == best.as_ref() { result.pv } else { best.into_iter().collect() },
            })
        });
        self.outcome =
            Some(Outcome { best, ponder, last_report, judgement, mated: false, source: Source::Search });
    }

    /// The result with the line that chance has chosen, if the options ask for that.
    fn handicapped(&self, result: Option<SearchResult>, chance: &mut Chance) -> Option<SearchResult> {
        let mut result = result?;
        if let Some(handicap) = self.handicap
            && let Some(line) = handicap.choose(&self.lines, &self.allowed, chance)
            && line.pv.first() != result.best.as_ref()
        {
            result.best = line.pv.first().copied();
            result.ponder = line.pv.get(1).copied();
            result.score = line.score;
            result.pv.clone_from(&line.pv);
        }
        Some(result)
    }

    /// The reply, once the search is over and may answer; nothing a second time.
    pub(crate) fn reply(&mut self, options: &Options) -> Option<Reply> {
        if !self.may_answer() {
            return None;
        }
        let outcome = self.outcome.take()?;
        // Offers belong to a game: an analysis without end is none.
        let judged = |asked: bool, verdict: fn(&Judgement) -> bool| {
            asked && !self.infinite && outcome.judgement.as_ref().is_some_and(verdict)
        };
        Some(Reply {
            best: outcome.best,
            ponder: outcome.ponder,
            mated: outcome.mated,
            draw: judged(self.draw_offered, Judgement::accepts_draw)
                || judged(options.draw_offer, Judgement::offers_draw),
            resign: judged(options.resign, Judgement::resigns),
            by_itself: !self.stopped,
            from_book: outcome.source == Source::Book,
            last_report: outcome.last_report,
        })
    }
}
