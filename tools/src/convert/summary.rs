//! What comes of a conversion: damage and doubts at once, the rest at its end.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{Display, Write as _};
use std::mem::{Discriminant, discriminant};
use std::process::ExitCode;

use indicatif::ProgressBar;

use crate::counted::{counted, things};
use crate::games::{Doubt, Format, Game, GameError, Losses, Warning};
use crate::inputs::Input;
use crate::stderr::note;

/// Messages of what a format cannot hold that are kept: they are many alike, and counted besides.
const MAX_LOSSES: usize = 20;
/// Doubts of a kind that are told of a file, and the last one besides, which is where a file breaks off.
const MAX_DOUBTS: usize = 20;

/// Doubts of one kind about a file.
struct Doubts {
    count: usize,
    last: Warning,
}

/// Counts and messages of a conversion.
pub(super) struct Summary {
    bar: ProgressBar,
    quiet: bool,
    files: usize,
    written: usize,
    salvaged: usize,
    damaged: usize,
    /// Files and folders of which nothing could be read.
    unread: usize,
    /// Results that could not be written: files of an input, or of a game.
    unwritten: usize,
    /// Games that may have lost their end, and games with other doubts.
    torn: usize,
    doubtful: usize,
    /// Of the current file.
    doubts: HashMap<Discriminant<Doubt>, Doubts>,
    /// The first messages of losses.
    losses: Vec<String>,
    lossy: usize,
    /// Games that lost something, by what.
    lost: BTreeMap<&'static str, usize>,
}

impl Summary {
    /// Of files that are read under a progress bar.
    pub(super) fn new(bar: ProgressBar, quiet: bool, files: usize) -> Self {
        Self {
            bar,
            quiet,
            files,
            written: 0,
            salvaged: 0,
            damaged: 0,
            unread: 0,
            unwritten: 0,
            torn: 0,
            doubtful: 0,
            doubts: HashMap::new(),
            losses: Vec::new(),
            lossy: 0,
            lost: BTreeMap::new(),
        }
    }

    /// Writes a line to stderr, above the bar.
    fn tell(&self, what: impl Display) {
        self.bar.suspend(|| note!("{what}"));
    }

    pub(super) fn note_written(&mut self, input: &Input, number: usize, game: &Game, losses: &Losses) {
        self.written += 1;
        for warning in &game.warnings {
            self.note_doubt(input, warning);
        }
        if game.warnings.iter().any(|warning| warning.doubt.may_be_torn()) {
            self.torn += 1;
        } else {
            self.doubtful += usize::from(!game.warnings.is_empty());
        }
        if losses.is_empty() {
            return;
        }
        self.lossy += 1;
        if self.losses.len() < MAX_LOSSES {
            self.losses.push(format!("{}: warning: game {number}: {losses}", input.name()));
        }
        let mut kinds: Vec<&str> = losses.iter().map(crate::games::Loss::kind).collect();
        kinds.dedup();
        for kind in kinds {
            *self.lost.entry(kind).or_default() += 1;
        }
    }

    fn note_doubt(&mut self, input: &Input, warning: &Warning) {
        let doubts = self.doubts.entry(discriminant(&warning.doubt));
        let doubts = doubts.or_insert_with(|| Doubts { count: 0, last: warning.clone() });
        doubts.count += 1;
        if doubts.count > MAX_DOUBTS {
            doubts.last = warning.clone();
        } else if !self.quiet {
            self.tell(format_args!("{}: warning: {warning}", input.name()));
        }
    }

    /// The file is done.
    pub(super) fn end(&mut self, input: &Input) {
        let doubts = std::mem::take(&mut self.doubts);
        let mut many: Vec<Doubts> = doubts.into_values().filter(|doubts| doubts.count > MAX_DOUBTS).collect();
        many.sort_by_key(|doubts| doubts.last.game);
        for Doubts { count, last } in many.into_iter().filter(|_| !self.quiet) {
            let more = count - MAX_DOUBTS;
            let all = format!("{more} more {} of this kind, the last one", things(more, "warning"));
            self.tell(format_args!("{}: {all}: {last}", input.name()));
        }
    }

    pub(super) fn note_damage(&mut self, input: &Input, error: &GameError, salvaged: bool) {
        if error.is_of_file() {
            return self.note_unread(format_args!("{}: {error}", input.name()));
        }
        self.tell(format_args!("{}: {error}", input.name()));
        self.damaged += 1;
        self.salvaged += usize::from(salvaged);
    }

    /// A file or folder cannot be read.
    pub(super) fn note_unread(&mut self, what: impl Display) {
        self.tell(what);
        self.unread += 1;
    }

    /// Games written so far.
    pub(super) fn written(&self) -> usize {
        self.written
    }

    /// A result cannot be written, so that of the games only `kept` are.
    pub(super) fn note_unwritten(&mut self, what: impl Display, kept: usize) {
        self.tell(what);
        self.unwritten += 1;
        self.written = kept;
    }

    pub(super) fn print(&self, format: Format) {
        self.bar.finish_and_clear();
        if self.quiet {
            return;
        }
        for message in &self.losses {
            note!("{message}");
        }
        let left = self.lossy - self.losses.len();
        if left > 0 {
            note!("and {left} more {}", things(left, "warning"));
        }
        let (games, files) = (counted(self.written, "game"), counted(self.files, "file"));
        let mut text = format!("{games} from {files} written");
        for (count, what) in [
            (self.damaged, "damaged"),
            (self.salvaged, "salvaged in part"),
            (self.unread, "not readable or without a game"),
            (self.unwritten, if self.unwritten == 1 { "result not written" } else { "results not written" }),
            (self.torn, "perhaps cut off"),
            (self.doubtful, "doubtful"),
        ] {
            if count > 0 {
                let _ = write!(text, ", {count} {what}");
            }
        }
        for (what, count) in &self.lost {
            let _ = write!(text, ", {count} without {what} ({format} cannot hold them)");
        }
        note!("{text}");
    }

    pub(super) fn exit_code(&self) -> ExitCode {
        ExitCode::from(if self.written == 0 {
            2
        } else {
            u8::from(self.damaged + self.unread + self.unwritten > 0)
        })
    }
}
