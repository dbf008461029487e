//! The options of the engine: one table, from which the handshake lines of both protocols, the checks of
//! `setoption`, `--help` and the table of the README come.
//!
//! A row names an option under UCCI and under UCI, its kind with default and range, what it does, and how its
//! value is stored. Storing never acts: the engine compares and acts afterwards ([`Effect`]).
//! Names and values are data here; how a line that carries them looks is the business of the protocol crate.

mod table;
mod value;

use std::ffi::{OsStr, OsString};
use std::time::Duration;

use movegen::rules::{RuleSet, Rules};

pub use crate::strength::{ELO_RANGE, MAX_SKILL};
pub use table::{IGNORED, OPTIONS};
pub use value::{Choice, Kind, OptionError, Value};

/// Which protocol a name belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Universal Chinese Chess Interface, version 3.
    Ucci,
    /// Universal Chess Interface.
    Uci,
}

/// How scores are written under UCCI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreType {
    /// A bare number, mates included.
    Number,
    /// `mate N` for a proven mate.
    Mate,
}

/// How much moves vary from game to game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Randomness {
    /// Always the best move.
    None,
    /// Moves that are as good as the best.
    Small,
    /// Moves that are nearly as good.
    Medium,
    /// Moves that are a little worse too.
    Large,
}

/// The number of Red's back rank in moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankBase {
    /// Ranks 0 to 9.
    Zero,
    /// Ranks 1 to 10, as Fairy-Stockfish and cutechess write them.
    One,
}

/// Smallest and largest hash table, MiB.
pub const HASH_RANGE: (u64, u64) = (1, 65_536);
/// Hash table the engine starts with, MiB.
pub const HASH_DEFAULT: u64 = 16;
/// Most search threads.
pub const MAX_THREADS: u64 = 256;
/// Most lines of a multi-line analysis.
pub const MAX_MULTI_PV: u64 = 128;
/// Time kept back for the way of a move to the driver, ms.
pub const OVERHEAD_DEFAULT: u64 = 30;
/// Plies without a capture that stand for those of the rule set: GUIs send defaults too, and most rule sets have this number.
pub const MOVE_COUNT_DEFAULT: u64 = 120;
/// Most of them: what the counters of a FEN can hold.
pub const MOVE_COUNT_MAX: u64 = 9_999;
/// Most nodes a millisecond may count as.
pub const NODES_TIME_MAX: u64 = 100_000;
/// Most time kept back, ms.
pub const OVERHEAD_MAX: u64 = 5_000;

/// The values in force.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one option of the protocol, set on its own")]
pub struct Options {
    /// UCCI clocks count milliseconds (else seconds).
    pub use_millisec: bool,
    /// Commands wait while a search runs that ends by itself.
    pub batch: bool,
    /// Report what is ignored.
    pub debug: bool,
    /// Hash table, MiB.
    pub hash_mib: usize,
    /// Search threads asked for; see [`Options::threads_to_run`].
    pub threads: usize,
    /// The driver lets the engine think on the opponent's time.
    pub ponder: bool,
    /// Lines of analysis.
    pub multi_pv: usize,
    /// Time kept back for the way of a move to the driver.
    pub move_overhead: Duration,
    /// The repetition law; [`Options::rules`] is what is in force.
    pub rule_set: RuleSet,
    /// Whether moves without a capture make a draw.
    pub move_count_draw: bool,
    /// Plies without a capture that make it; [`MOVE_COUNT_DEFAULT`] stands for those of the rule set.
    pub no_capture_plies: u16,
    /// File of the network that evaluates: empty for the built-in one, `none` for the hand-written evaluation.
    pub eval_file: OsString,
    /// Play moves of the opening books.
    pub use_book: bool,
    /// Files of opening books, joined by `;`; empty for none.
    pub book_files: OsString,
    /// How much moves vary.
    pub randomness: Randomness,
    /// Playing strength, 0 to 20.
    pub skill: u64,
    /// Play at `elo` instead of at `skill`.
    pub limit_strength: bool,
    /// Playing strength on the scale of `docs/strength.md`.
    pub elo: u64,
    /// Nodes that count as a millisecond of the clock; 0: the clock is the clock.
    pub nodes_time: u64,
    /// Offer draws.
    pub draw_offer: bool,
    /// Resign lost games.
    pub resign: bool,
    /// How UCCI writes mates.
    pub score_type: ScoreType,
    /// How moves number the ranks.
    pub rank_base: RankBase,
    /// Report chances of win, draw and loss under UCI.
    pub show_wdl: bool,
    /// File the dialogue is logged to; empty for none.
    pub log_file: OsString,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            use_millisec: true,
            batch: false,
            debug: false,
            hash_mib: HASH_DEFAULT as usize,
            threads: 1,
            ponder: false,
            multi_pv: 1,
            move_overhead: Duration::from_millis(OVERHEAD_DEFAULT),
            rule_set: RuleSet::default(),
            move_count_draw: true,
            no_capture_plies: MOVE_COUNT_DEFAULT as u16,
            eval_file: OsString::new(),
            use_book: true,
            book_files: OsString::new(),
            randomness: Randomness::None,
            skill: MAX_SKILL,
            limit_strength: false,
            elo: ELO_RANGE.1,
            nodes_time: 0,
            draw_offer: false,
            resign: false,
            score_type: ScoreType::Number,
            rank_base: RankBase::Zero,
            show_wdl: false,
            log_file: OsString::new(),
        }
    }
}

impl Options {
    /// The rules in force.
    pub fn rules(&self) -> Rules {
        let rules = Rules::from(self.rule_set);
        if !self.move_count_draw {
            rules.without_move_count()
        } else if u64::from(self.no_capture_plies) == MOVE_COUNT_DEFAULT {
            rules
        } else {
            rules.with_no_capture_plies(self.no_capture_plies)
        }
    }

    /// How many threads search: those asked for, but no more than there are cores. More would only take turns, each forgetting its part of the
    /// caches, and the threads that hear and answer the driver would have to queue up behind them (seconds with 256 threads on two cores).
    pub fn threads_to_run(&self) -> usize {
        self.threads.min(table::cores() as usize)
    }
}

/// What has to happen after a value was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: the value is read when it is needed.
    None,
    /// The hash table gets another size.
    Hash,
    /// Another number of search threads.
    Threads,
    /// Another repetition law.
    Rules,
    /// Another network evaluates.
    Network,
    /// Other opening books.
    Books,
    /// Forget everything learnt in the last game.
    NewGame,
    /// A clock that counts nodes begins anew.
    NodesTime,
    /// The log goes to another file.
    Log,
}

/// One row of the table.
#[derive(Debug)]
pub struct OptionSpec {
    /// Name under UCCI, if it is announced there.
    pub ucci: Option<&'static str>,
    /// Name under UCI, if it is announced there.
    pub uci: Option<&'static str>,
    /// Further names that are accepted.
    pub aliases: &'static [&'static str],
    /// The protocol whose replies it is about, if it does nothing under the other.
    pub only: Option<Protocol>,
    /// Kind, default and range.
    pub kind: Kind,
    /// What it does, one sentence without a final full stop.
    pub doc: &'static str,
    /// Stores a value of the right kind.
    store: fn(&mut Options, Value<'_>) -> Effect,
}

impl OptionSpec {
    /// The name under `protocol`, if it is announced there.
    pub fn name(&self, protocol: Protocol) -> Option<&'static str> {
        match protocol {
            Protocol::Ucci => self.ucci,
            Protocol::Uci => self.uci,
        }
    }

    /// The name to show in a message: that of `protocol`, else the other.
    pub fn any_name(&self, protocol: Protocol) -> &'static str {
        self.name(protocol).or(self.ucci).or(self.uci).unwrap_or_default()
    }

    /// Checks the text of a value, as a driver of `protocol` would write it, and stores it.
    ///
    /// # Errors
    /// If the text is no value of this option's kind; `options` is as it was then.
    pub fn set(
        &self,
        options: &mut Options,
        protocol: Protocol,
        text: impl AsRef<OsStr>,
    ) -> Result<Effect, OptionError> {
        let text = text.as_ref();
        let value = self.kind.parse(protocol, text).map_err(|expected| OptionError {
            name: self.any_name(protocol),
            value: text.to_string_lossy().into_owned(),
            expected,
        })?;
        Ok((self.store)(options, value))
    }

    fn answers_to(&self, name: &str) -> bool {
        self.ucci.iter().chain(&self.uci).chain(self.aliases).any(|own| same_name(own, name))
    }
}

/// An option that is known and does nothing here.
#[derive(Debug)]
pub struct Ignored {
    /// The name drivers send.
    pub name: &'static str,
    /// The protocol under which it is meant; `None` for both.
    pub only: Option<Protocol>,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy)]
pub enum Lookup {
    /// An option of ours.
    Known(&'static OptionSpec),
    /// An option of other engines that drivers send regardless of what was announced.
    Ignored,
    /// No option we have heard of.
    Unknown,
}

/// Finds an option by any of its names; case, blanks and underscores do not count.
pub fn lookup(name: &str, protocol: Protocol) -> Lookup {
    let ignored = |row: &&Ignored| same_name(row.name, name) && row.only.is_none_or(|only| only == protocol);
    if IGNORED.iter().any(|row| ignored(&row)) {
        return Lookup::Ignored;
    }
    OPTIONS.iter().find(|spec| spec.answers_to(name)).map_or(Lookup::Unknown, Lookup::Known)
}

/// Equal but for case, blanks of any kind and underscores.
fn same_name(a: &str, b: &str) -> bool {
    letters(a).eq(letters(b))
}

fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !c.is_whitespace() && *c != '_').map(|c| c.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(options: &mut Options, name: &str, value: &str) -> Result<Effect, OptionError> {
        match lookup(name, Protocol::Ucci) {
            Lookup::Known(spec) => spec.set(options, Protocol::Ucci, value),
            other => panic!("{name} is {other:?}"),
        }
    }

    #[test]
    fn every_row_has_a_name_and_names_are_distinct() {
        for (i, spec) in OPTIONS.iter().enumerate() {
            assert!(!spec.any_name(Protocol::Uci).is_empty());
            for other in &OPTIONS[i + 1..] {
                for name in other.ucci.iter().chain(&other.uci).chain(other.aliases) {
                    assert!(!spec.answers_to(name), "{name} stands twice");
                }
            }
        }
    }

    #[test]
    fn the_table_starts_with_the_time_unit() {
        assert_eq!(OPTIONS[0].ucci, Some("usemillisec"));
    }

    /// Storing each announced default must leave the default options as they are.
    #[test]
    fn defaults_of_table_and_struct_agree() {
        for spec in OPTIONS {
            let mut options = Options::default();
            if let Some(text) = spec.kind.default_text(Protocol::Uci) {
                assert!(
                    spec.set(&mut options, Protocol::Uci, &text).is_ok(),
                    "{}",
                    spec.any_name(Protocol::Uci)
                );
            }
            assert_eq!(options, Options::default(), "{}", spec.any_name(Protocol::Uci));
        }
    }

    #[test]
    fn names_of_both_protocols_and_spellings() {
        for name in ["hashsize", "Hash", "HASH", "hash size"] {
            let mut options = Options::default();
            assert_eq!(set(&mut options, name, "64"), Ok(Effect::Hash));
            assert_eq!(options.hash_mib, 64, "{name}");
        }
        for name in ["moveoverhead", "Move Overhead", "move_overhead"] {
            let mut options = Options::default();
            assert_eq!(set(&mut options, name, "7"), Ok(Effect::None));
            assert_eq!(options.move_overhead, Duration::from_millis(7), "{name}");
        }
    }

    #[test]
    fn the_draw_by_move_count_can_be_set_and_switched_off() {
        let mut options = Options::default();
        let mut after = |name, value| {
            assert_eq!(set(&mut options, name, value), Ok(Effect::Rules), "{name}");
            options.rules().no_capture_plies()
        };
        assert_eq!(after("Rule60MaxPly", "120"), 120);
        assert_eq!(after("rules", "fairy"), 100, "120 is whatever the rule set has");
        assert_eq!(after("Rule60MaxPly", "80"), 80);
        assert_eq!(after("Rule60MaxPly", "0"), 1);
        assert_eq!(after("Sixty Move Rule", "false"), u16::MAX);
        assert_eq!(after("Sixty Move Rule", "true"), 1);
        assert_eq!(after("Rule60MaxPly", "99999"), 9_999);
        assert_eq!(after("Rule60MaxPly", "120"), 100);
        assert_eq!(options.rules().set(), RuleSet::Fairy);
    }

    #[test]
    fn checks_take_every_spelling() {
        for (text, expected) in [
            ("true", true),
            ("on", true),
            ("1", true),
            ("YES", true),
            ("false", false),
            ("Off", false),
            ("0", false),
            ("no", false),
        ] {
            let mut options = Options { batch: !expected, ..Options::default() };
            assert_eq!(set(&mut options, "batch", text), Ok(Effect::None));
            assert_eq!(options.batch, expected, "{text}");
        }
    }

    #[test]
    fn spins_are_clamped_and_zero_means_the_default() {
        for (text, expected) in [
            ("0", 16),
            ("-5", 16),
            ("1", 1),
            ("65536", 65_536),
            ("65537", 65_536),
            ("99999999999999999999999", 65_536),
        ] {
            let mut options = Options::default();
            assert_eq!(set(&mut options, "hashsize", text), Ok(Effect::Hash));
            assert_eq!(options.hash_mib, expected, "{text}");
        }
        let mut options = Options::default();
        assert_eq!(set(&mut options, "threads", "0"), Ok(Effect::Threads));
        assert!(options.threads >= 1);
        assert_eq!(options.threads_to_run(), options.threads, "one per core");
        assert_eq!(set(&mut options, "threads", "1"), Ok(Effect::Threads));
        assert_eq!(options.threads_to_run(), 1);
        assert_eq!(set(&mut options, "threads", "256"), Ok(Effect::Threads));
        assert_eq!(options.threads, 256);
        assert!(options.threads_to_run() <= std::thread::available_parallelism().map_or(1, usize::from));
    }

    #[test]
    fn a_wrong_value_is_refused_and_the_old_one_stays() {
        for (name, text) in [
            ("batch", "perhaps"),
            ("batch", ""),
            ("hashsize", "many"),
            ("hashsize", ""),
            ("hashsize", "1e3"),
            ("scoretype", "elo"),
            ("UCI_Variant", "chess"),
            ("RankBase", "2"),
        ] {
            let mut options = Options { hash_mib: 32, ..Options::default() };
            let before = options.clone();
            let error = set(&mut options, name, text);
            assert!(error.is_err(), "{name} {text}");
            assert_eq!(options, before);
        }
        let mut options = Options::default();
        let message = set(&mut options, "hashsize", "many").map_err(|e| e.to_string());
        assert_eq!(message, Err("option hashsize: 'many' is not a whole number".to_owned()));
    }

    #[test]
    fn names_of_other_engines_are_ignored() {
        for name in ["promotion", "useegtb", "guiname", "UCI_AnalyseMode", "NumaPolicy", "Slow Mover"] {
            assert!(matches!(lookup(name, Protocol::Ucci), Lookup::Ignored), "{name}");
        }
        assert!(matches!(lookup("ScoreType", Protocol::Uci), Lookup::Ignored));
        assert!(matches!(lookup("scoretype", Protocol::Ucci), Lookup::Known(_)));
        assert!(matches!(lookup("Contempt", Protocol::Uci), Lookup::Unknown));
    }
}
