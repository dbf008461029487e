//! The engine's side of the dialogue: writes lines, each flushed at once, and keeps analysis readable.
//!
//! Invariants: the last line of play before a reply begins with the move of the reply; after the first second no more
//! than [`LINES_PER_SECOND`] iterations are shown a second (drivers log every line to a window).

use std::io::{self, Write};
use std::time::{Duration, Instant};

use engine::Reply;
use engine::options::Protocol;
use movegen::Move;
use search::{Bound, Info, Iteration, Score};

use crate::format::{BestMove, InfoLine, Style, current_move, message};

/// Iterations shown per second after the first.
pub const LINES_PER_SECOND: u32 = 20;
/// From when on the root move being searched is shown.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);
/// How often at most.
const CURRENT_MOVE_EVERY: Duration = Duration::from_millis(250);
/// Longest text of a message, in characters.
const LONGEST_MESSAGE: usize = 400;

/// A writer of protocol lines.
#[derive(Debug)]
pub(crate) struct Voice<W> {
    out: W,
    /// When the search began.
    started: Instant,
    /// First move of the last best line shown.
    shown: Option<Move>,
    /// The second of the search that is being counted, and the iterations shown in it.
    second: (u64, u32),
    /// Whether the lines of the present iteration are shown.
    open: bool,
    /// Newest line of each index that was not shown.
    held: Vec<Iteration>,
    last_current_move: Option<Instant>,
}

impl<W: Write> Voice<W> {
    pub(crate) fn new(out: W) -> Self {
        Self {
            out,
            started: Instant::now(),
            shown: None,
            second: (0, 0),
            open: true,
            held: Vec::new(),
            last_current_move: None,
        }
    }

    /// Writes one line.
    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        log::debug!("< {text}");
        writeln!(self.out, "{text}")?;
        self.out.flush()
    }

    /// Writes several lines.
    pub(crate) fn lines(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            log::debug!("< {line}");
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()
    }

    /// Writes a message for the user, on one line of bounded length.
    pub(crate) fn message(&mut self, protocol: Protocol, text: &str) -> io::Result<()> {
        let mut line = message(protocol, "");
        line.extend(text.chars().take(LONGEST_MESSAGE).map(|c| if c.is_control() { ' ' } else { c }));
        if text.chars().nth(LONGEST_MESSAGE).is_some() {
            line.push_str("...");
        }
        self.line(&line)
    }

    /// A search begins.
    pub(crate) fn search_begins(&mut self) {
        self.started = Instant::now();
        self.shown = None;
        self.second = (0, 0);
        self.open = true;
        self.held.clear();
        self.last_current_move = None;
    }

    /// Shows what the search has to say.
    pub(crate) fn info(&mut self, info: Info, style: Style) -> io::Result<()> {
        match info {
            Info::Iteration(iteration) => self.iteration(iteration, style),
            Info::CurrMove { depth, mv, number } => {
                let now = Instant::now();
                let too_soon =
                    self.last_current_move.is_some_and(|last| now.duration_since(last) < CURRENT_MOVE_EVERY);
                if too_soon || now.duration_since(self.started) < CURRENT_MOVE_AFTER {
                    return Ok(());
                }
                self.last_current_move = Some(now);
                self.line(&current_move(depth, mv, number, style))
            }
        }
    }

    fn iteration(&mut self, iteration: Iteration, style: Style) -> io::Result<()> {
        // UCCI has no word for a bound.
        if style.protocol == Protocol::Ucci && iteration.bound != Bound::Exact {
            return Ok(());
        }
        if iteration.multi_pv == 1 {
            let second = iteration.time.as_secs();
            if self.second.0 != second {
                self.second = (second, 0);
            }
            self.open = second == 0 || self.second.1 < LINES_PER_SECOND;
            self.second.1 += u32::from(self.open);
        }
        self.held.retain(|held| held.multi_pv != iteration.multi_pv);
        if self.open {
            self.show(&iteration, style)
        } else {
            self.held.push(iteration);
            Ok(())
        }
    }

    fn show(&mut self, iteration: &Iteration, style: Style) -> io::Result<()> {
        if iteration.multi_pv == 1 {
            self.shown = iteration.pv.first().copied();
        }
        self.line(&InfoLine { iteration, style }.to_string())
    }

    /// Ends a search: what was held back, then the reply.
    pub(crate) fn reply(&mut self, reply: &Reply, style: Style) -> io::Result<()> {
        let mut held = std::mem::take(&mut self.held);
        held.sort_by_key(|iteration| iteration.multi_pv);
        for iteration in &held {
            self.show(iteration, style)?;
        }
        if let Some(report) = &reply.last_report
            && reply.best != self.shown
        {
            self.show(report, style)?;
        }
        if reply.mated {
            self.line(&format!("info depth 0 score {}", style.score(Score::Mate(0))))?;
        }
        self.line(&BestMove { reply, style }.to_string())
    }
}
