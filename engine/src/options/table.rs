//! The rows.

use std::thread;
use std::time::Duration;

use super::value::Choice;
use super::{
    ELO_RANGE, Effect, HASH_DEFAULT, HASH_RANGE, Ignored, Kind, MAX_MULTI_PV, MAX_SKILL, MAX_THREADS,
    MOVE_COUNT_DEFAULT, MOVE_COUNT_MAX, NODES_TIME_MAX, OVERHEAD_DEFAULT, OVERHEAD_MAX, OptionSpec, Protocol,
    Randomness, RankBase, ScoreType, Value,
};

/// A store function for a check that is one field.
macro_rules! check {
    ($field:ident) => {
        |options, value| {
            if let Value::Check(on) = value {
                options.$field = on;
            }
            Effect::None
        }
    };
}

/// A store function for a spin: the expression makes the field's value of the number.
macro_rules! spin {
    ($field:ident, $convert:expr, $effect:expr) => {
        |options, value| {
            if let Value::Spin(number) = value {
                options.$field = $convert(number);
            }
            $effect
        }
    };
}

/// A store function for a combo: the values in the order of the choices.
macro_rules! combo {
    ($field:ident, $values:expr) => {
        |options, value| {
            if let Value::Combo(index) = value
                && let Some(&chosen) = $values.get(index)
            {
                options.$field = chosen;
            }
            Effect::None
        }
    };
}

/// Every option, in the order of the handshake. The time unit comes first: drivers look for it there.
pub static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        ucci: Some("usemillisec"),
        uci: None,
        aliases: &[],
        only: None,
        kind: Kind::Check { default: true },
        doc: "clocks of `go` count milliseconds; off: seconds",
        store: check!(use_millisec),
    },
    OptionSpec {
        ucci: Some("batch"),
        uci: None,
        aliases: &[],
        only: None,
        kind: Kind::Check { default: false },
        doc: "let each search run to its end before the next command is read",
        store: check!(batch),
    },
    OptionSpec {
        ucci: Some("debug"),
        uci: None,
        aliases: &[],
        only: None,
        kind: Kind::Check { default: false },
        doc: "say which words and options are ignored",
        store: check!(debug),
    },
    OptionSpec {
        ucci: Some("hashsize"),
        uci: Some("Hash"),
        aliases: &[],
        only: None,
        kind: Kind::Spin {
            default: HASH_DEFAULT,
            min: HASH_RANGE.0,
            max: HASH_RANGE.1,
            zero: Some(|| HASH_DEFAULT),
        },
        doc: "size of the hash table in MiB; under UCCI 0 means the default",
        store: spin!(hash_mib, |n| n as usize, Effect::Hash),
    },
    OptionSpec {
        ucci: Some("threads"),
        uci: Some("Threads"),
        aliases: &[],
        only: None,
        kind: Kind::Spin { default: 1, min: 1, max: MAX_THREADS, zero: Some(cores) },
        doc: "search threads; no more run than there are cores; under UCCI 0 means one per core",
        store: spin!(threads, |n| n as usize, Effect::Threads),
    },
    OptionSpec {
        ucci: Some("ponder"),
        uci: Some("Ponder"),
        aliases: &[],
        only: None,
        kind: Kind::Check { default: false },
        doc: "the driver lets the engine think on the opponent's time, so moves may take a little longer",
        store: check!(ponder),
    },
    OptionSpec {
        ucci: Some("multipv"),
        uci: Some("MultiPV"),
        aliases: &[],
        only: None,
        kind: Kind::Spin { default: 1, min: 1, max: MAX_MULTI_PV, zero: None },
        doc: "number of best lines to show",
        store: spin!(multi_pv, |n| n as usize, Effect::None),
    },
    OptionSpec {
        ucci: Some("moveoverhead"),
        uci: Some("Move Overhead"),
        aliases: &[],
        only: None,
        kind: Kind::Spin { default: OVERHEAD_DEFAULT, min: 0, max: OVERHEAD_MAX, zero: None },
        doc: "milliseconds kept back on every move for the way to the driver",
        store: spin!(move_overhead, Duration::from_millis, Effect::None),
    },
    OptionSpec {
        ucci: None,
        uci: Some("nodestime"),
        aliases: &[],
        only: None,
        kind: Kind::Spin { default: 0, min: 0, max: NODES_TIME_MAX, zero: None },
        doc: "nodes that count as a millisecond of the clock, for tests that no other load disturbs; 0: time is time",
        store: spin!(nodes_time, |n| n, Effect::NodesTime),
    },
    OptionSpec {
        ucci: Some("newgame"),
        uci: Some("Clear Hash"),
        aliases: &["loadbook"],
        only: None,
        kind: Kind::Button,
        doc: "forget what was learnt in the last game",
        store: |_, _| Effect::NewGame,
    },
    OptionSpec {
        ucci: Some("rules"),
        uci: Some("Repetition Rule"),
        aliases: &["repetition"],
        only: None,
        kind: Kind::Combo { default: 0, choices: RULES },
        doc: "the law of repetitions and move counts",
        store: |options, value| {
            if let Value::Combo(index) = value
                && let Some(rules) = RULES.get(index).and_then(|choice| choice.ucci.parse().ok())
            {
                options.rule_set = rules;
            }
            Effect::Rules
        },
    },
    OptionSpec {
        ucci: None,
        uci: Some("Sixty Move Rule"),
        aliases: &[],
        only: None,
        kind: Kind::Check { default: true },
        doc: "many moves without a capture make a draw; off: never",
        store: |options, value| {
            if let Value::Check(on) = value {
                options.move_count_draw = on;
            }
            Effect::Rules
        },
    },
    OptionSpec {
        ucci: None,
        uci: Some("Rule60MaxPly"),
        aliases: &[],
        only: None,
        kind: Kind::Spin { default: MOVE_COUNT_DEFAULT, min: 1, max: MOVE_COUNT_MAX, zero: None },
        doc: "plies without a capture that make this draw; 120 stands for those of the rule set",
        store: spin!(no_capture_plies, |n| n as u16, Effect::Rules),
    },
    OptionSpec {
        ucci: Some("evalfile"),
        uci: Some("EvalFile"),
        aliases: &[],
        only: None,
        kind: Kind::Text,
        doc: "file of the network that evaluates; empty: the built-in one, `none`: the hand-written evaluation",
        store: |options, value| {
            if let Value::Text(path) = value {
                path.clone_into(&mut options.eval_file);
            }
            Effect::Network
        },
    },
    OptionSpec {
        ucci: Some("usebook"),
        uci: Some("OwnBook"),
        aliases: &[],
        only: None,
        kind: Kind::Check { default: true },
        doc: "play moves of the opening book, if there is one",
        store: check!(use_book),
    },
    OptionSpec {
        ucci: Some("bookfiles"),
        uci: Some("Book File"),
        aliases: &[],
        only: None,
        kind: Kind::Text,
        doc: "files of opening books made by `xq book`, joined by `;`; `builtin`: the small one inside the program; empty: none",
        store: |options, value| {
            if let Value::Text(names) = value {
                names.clone_into(&mut options.book_files);
            }
            Effect::Books
        },
    },
    OptionSpec {
        ucci: Some("randomness"),
        uci: None,
        aliases: &[],
        only: None,
        kind: Kind::Combo {
            default: 0,
            choices: &[
                Choice { ucci: "none", uci: "none", aliases: &["tiny"] },
                Choice::new("small"),
                Choice::new("medium"),
                Choice { ucci: "large", uci: "large", aliases: &["huge"] },
            ],
        },
        doc: "play moves that are about as good as the best one, for variety; costs some strength",
        store: combo!(
            randomness,
            [Randomness::None, Randomness::Small, Randomness::Medium, Randomness::Large]
        ),
    },
    OptionSpec {
        ucci: Some("skilllevel"),
        uci: Some("Skill Level"),
        aliases: &[],
        only: None,
        kind: Kind::Spin { default: MAX_SKILL, min: 0, max: MAX_SKILL, zero: None },
        doc: "playing strength, 20 is the full one; lower levels search fewer nodes and leave more to chance",
        store: spin!(skill, |n| n, Effect::None),
    },
    OptionSpec {
        ucci: Some("limitstrength"),
        uci: Some("UCI_LimitStrength"),
        aliases: &[],
        only: None,
        kind: Kind::Check { default: false },
        doc: "play at the strength that the next option says, not at that of the skill level",
        store: check!(limit_strength),
    },
    OptionSpec {
        ucci: Some("elo"),
        uci: Some("UCI_Elo"),
        aliases: &[],
        only: None,
        kind: Kind::Spin { default: ELO_RANGE.1, min: ELO_RANGE.0, max: ELO_RANGE.1, zero: None },
        doc: "playing strength on a scale measured between levels, see docs/strength.md",
        store: spin!(elo, |n| n, Effect::None),
    },
    OptionSpec {
        ucci: Some("drawoffer"),
        uci: None,
        aliases: &[],
        only: Some(Protocol::Ucci),
        kind: Kind::Check { default: false },
        doc: "offer a draw in a long game with an even score",
        store: check!(draw_offer),
    },
    OptionSpec {
        ucci: Some("resign"),
        uci: None,
        aliases: &[],
        only: Some(Protocol::Ucci),
        kind: Kind::Check { default: false },
        doc: "resign when the game is lost",
        store: check!(resign),
    },
    OptionSpec {
        ucci: Some("scoretype"),
        uci: None,
        aliases: &[],
        only: Some(Protocol::Ucci),
        kind: Kind::Combo { default: 0, choices: &[Choice::new("number"), Choice::new("mate")] },
        doc: "write a proven mate as a number (30000 less the plies to it) or as `mate` and the moves to it",
        store: combo!(score_type, [ScoreType::Number, ScoreType::Mate]),
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_ShowWDL"),
        aliases: &[],
        only: Some(Protocol::Uci),
        kind: Kind::Check { default: false },
        doc: "add the chances of win, draw and loss to each line",
        store: check!(show_wdl),
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_Variant"),
        aliases: &[],
        only: None,
        kind: Kind::Combo { default: 0, choices: &[Choice::new("xiangqi")] },
        doc: "for drivers that know several games",
        store: |_, _| Effect::None,
    },
    OptionSpec {
        ucci: None,
        uci: Some("RankBase"),
        aliases: &[],
        only: Some(Protocol::Uci),
        kind: Kind::Combo { default: 0, choices: &[Choice::new("0"), Choice::new("1")] },
        doc: "number of Red's back rank in moves: 0, or 1 as Fairy-Stockfish and cutechess write it",
        store: combo!(rank_base, [RankBase::Zero, RankBase::One]),
    },
    OptionSpec {
        ucci: None,
        uci: Some("Debug Log File"),
        aliases: &["logfile"],
        only: None,
        kind: Kind::Text,
        doc: "write the whole dialogue with times to this file",
        store: |options, value| {
            if let Value::Text(path) = value {
                path.clone_into(&mut options.log_file);
            }
            Effect::Log
        },
    },
];

/// The rule sets. Under UCI those that forks of Pikafish know come first, by the names they have there.
static RULES: &[Choice] = &[
    Choice { ucci: "asian", uci: "AsianRule", aliases: &[] },
    Choice { ucci: "cxa", uci: "ChineseRule", aliases: &[] },
    Choice { ucci: "pikafish", uci: "ComputerRule", aliases: &[] },
    Choice { ucci: "allowchase", uci: "AllowChase", aliases: &["checkban"] },
    Choice { ucci: "alwaysdraw", uci: "NoJudgement", aliases: &[] },
    Choice::new("wxf"),
    Choice::new("vn"),
    Choice::new("cxq"),
    Choice::new("club60"),
    Choice::new("fairy"),
    Choice::new("uccileague"),
];

/// Cores this process may use.
pub(super) fn cores() -> u64 {
    thread::available_parallelism().map_or(1, |n| n.get() as u64)
}

macro_rules! ignored {
    ($($name:literal $(@ $protocol:ident)?),* $(,)?) => {
        &[$(Ignored { name: $name, only: ignored!(@ $($protocol)?) }),*]
    };
    (@) => { None };
    (@ $protocol:ident) => { Some(Protocol::$protocol) };
}

/// Options of UCCI and of other engines that drivers send whether or not they were announced.
///
/// Source: the option lists of XiangQi Wizard, the UCCI league runner and Pikafish with its forks.
pub static IGNORED: &[Ignored] = ignored![
    // UCCI 3 and 2.
    "usehash",
    "useegtb",
    "egtbpaths",
    "evalapi",
    "idle",
    "promotion",
    "pruning",
    "knowledge",
    "style",
    "guiname",
    "alwayscheck",
    "selectivity",
    "drawmoves",
    // UCI.
    "Slow Mover",
    "NumaPolicy",
    "Mate Threat Depth",
    "ScoreType" @ Uci,
    "LU_Output",
    "UCI_WDLCentipawn",
    "UCI_AnalyseMode",
    "UCI_Opponent",
    "UCI_EngineAbout",
    "UCI_Chess960",
    "Draw Rule",
    "Strict Three Fold",
    "Repetition Fold",
];

#[cfg(test)]
mod tests {
    use movegen::rules::RuleSet;

    use super::*;

    #[test]
    fn every_rule_set_is_a_choice_and_every_word_means_the_same_everywhere() {
        for rules in RuleSet::ALL {
            assert!(RULES.iter().any(|choice| choice.ucci == rules.name()), "{rules}");
        }
        for choice in RULES {
            for word in [choice.ucci, choice.uci].iter().chain(choice.aliases) {
                assert_eq!(word.parse::<RuleSet>(), choice.ucci.parse(), "{word}");
            }
        }
    }
}
