//! What came of a conversion, for its end.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::process::ExitCode;

use crate::counted::{counted, things};
use crate::games::{Format, Game, GameError, Losses};
use crate::inputs::Input;

/// Messages of damage that are kept.
const MAX_DAMAGE: usize = 50;
/// Warnings that are kept.
const MAX_WARNINGS: usize = 20;

/// Messages, of which the first ones are kept and all are counted.
#[derive(Debug, Default)]
struct Messages {
    kept: Vec<String>,
    count: usize,
}

impl Messages {
    fn add(&mut self, most: usize, input: &Input, what: impl Display) {
        self.count += 1;
        if self.kept.len() < most {
            self.kept.push(format!("{}: {what}", input.name()));
        }
    }

    fn print(&self, more: &str) {
        for message in &self.kept {
            eprintln!("{message}");
        }
        let left = self.count - self.kept.len();
        if left > 0 {
            eprintln!("and {left} more {}", things(left, more));
        }
    }
}

/// Counts and messages of a conversion.
#[derive(Debug, Default)]
pub(super) struct Summary {
    pub(super) files: usize,
    written: usize,
    salvaged: usize,
    damage: Messages,
    warnings: Messages,
    /// Games that lost something, by what.
    lost: BTreeMap<&'static str, usize>,
}

impl Summary {
    /// Whether there were no games at all, not even damaged ones.
    pub(super) fn is_empty(&self) -> bool {
        self.written + self.damage.count == 0
    }

    pub(super) fn note_written(&mut self, input: &Input, number: usize, game: &Game, losses: &Losses) {
        self.written += 1;
        for warning in &game.warnings {
            self.warnings.add(MAX_WARNINGS, input, format_args!("warning: {warning}"));
        }
        if !losses.is_empty() {
            self.warnings.add(MAX_WARNINGS, input, format_args!("warning: game {number}: {losses}"));
        }
        let mut kinds: Vec<&str> = losses.iter().map(crate::games::Loss::kind).collect();
        kinds.dedup();
        for kind in kinds {
            *self.lost.entry(kind).or_default() += 1;
        }
    }

    pub(super) fn note_damage(&mut self, input: &Input, error: &GameError, salvaged: bool) {
        self.damage.add(MAX_DAMAGE, input, error);
        self.salvaged += usize::from(salvaged);
    }

    pub(super) fn note_unreadable(&mut self, input: &Input, error: &std::io::Error) {
        self.damage.add(MAX_DAMAGE, input, error);
    }

    pub(super) fn print(&self, format: Format, quiet: bool) {
        self.damage.print("damaged game");
        if quiet {
            return;
        }
        self.warnings.print("warning");
        let (games, files) = (counted(self.written, "game"), counted(self.files, "file"));
        let mut text = format!("{games} from {files} written");
        for (count, what) in [(self.damage.count, "damaged"), (self.salvaged, "salvaged in part")] {
            if count > 0 {
                let _ = write!(text, ", {count} {what}");
            }
        }
        for (what, count) in &self.lost {
            let _ = write!(text, ", {count} without {what} ({format} cannot hold them)");
        }
        eprintln!("{text}");
    }

    pub(super) fn exit_code(&self) -> ExitCode {
        ExitCode::from(if self.written == 0 { 2 } else { u8::from(self.damage.count > 0) })
    }
}
