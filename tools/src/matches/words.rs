//! The words of `xq match`, those of cutechess-cli where it has them.
//!
//! Grammar: `words = { group }`, `group = ("-" | "--") name { item }`, `item = key "=" value | value`. A group ends where the
//! next word begins with a dash and is no number. Groups may come in any order.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail, ensure};

use movegen::rules::RuleSet;

use super::config::{
    DrawRule, EngineConfig, MatchConfig, MoveLimits, OpeningOrder, Protocol, RankBase, ResignRule,
    Tournament, seconds_of,
};
use crate::openings::Source;
use crate::stats::{EloModel, Sprt};

/// The text of `xq match --help` after the usage line.
pub const HELP: &str = "\
Engines:
  -engine KEY=VALUE...   one player; at least two
  -each KEY=VALUE...     for every player that does not say otherwise; what a later one says counts
    cmd=COMMAND          program, with arguments (quotes are understood)
    arg=ARGUMENT         one more argument
    name=NAME            name in tables and game files [default: what the engine calls itself]
    proto=P              uci, ucci, xboard or auto [default: auto, which tries uci and then ucci]
    rankbase=B           ranks in moves from 0 or 1, or auto [default: auto, found by asking for a move]
    dir=DIR              working directory
    stderr=FILE          where its stderr goes [default: nowhere]
    tc=[MOVES/]TIME[+INC]  clock in seconds or min:sec, for instance 5+0.05; inf: no clock, with nodes= or depth=
    st=SECONDS           time for each move
    nodes=N, depth=N     limits for each move; an engine with any limit of its own takes none from -each
    timemargin=MS        how far the flag may fall: a clock stays below zero until the time it gets next makes up for
                         it; with st=, anew for each move [default: 50]
    option.NAME=VALUE    sets an option
    ponder               thinks on the opponent's time
Match:
  -openings file=FILE format=lines|pgn plies=N order=sequential|random seed=N start=N
                         lines (also: epd): moves from the start position, or a FEN [moves ...]; pgn: the first plies of
                         each game, 16 unless plies= says otherwise [default: our book; format by the file's name]
  -rounds N              encounters of each pairing [default: 1]
  -games 1|2             games of an encounter; two exchange the colours over one opening [default: 2]
  -repeat                accepted for cutechess's sake: two games always repeat the opening
  -concurrency N         games at the same time [default: 1]
  -tournament round-robin|gauntlet  (gauntlet: the first engine against the others)
  -sprt elo0=E elo1=E alpha=A beta=B model=logistic|normalized
                         stops when decided; two engines only [default: alpha=0.05 beta=0.05 model=logistic]
  -seed N                seed of the opening order [default: 1]
Referee:
  -rules NAME            rule set for repetitions and move counts [default: asian]
  -draw movenumber=N movecount=N score=CP     draw when both report at most CP; off unless given
  -resign movecount=N score=CP twosided=true  loss when the loser reports -CP or worse; off unless given
  -maxmoves N            draw after N full moves, 0 = never [default: 500]
  -stall SECONDS         a search without a clock that takes longer has hung [default: 120]
Output:
  -pgnout FILE           appends every finished game
  -resume                the games of FILE that belong to this match count; only the others are played
  -ratinginterval N      a table every N games [default: 0, only at the end]
  -event NAME            the Event tag
  -log FILE              the whole dialogue with the engines, at the end of the file
  -quiet                 no line for each game
Example:
  xq match -engine cmd=phao name=a -engine cmd=phao name=b -each nodes=1000 -rounds 1 -pgnout games.pgn
Exit code: 0 played, 2 the match could not begin or go on, 130 interrupted";

/// The longest match, in games: all of them are planned before the first one.
const MAX_GAMES: usize = 1_000_000;
/// As many games as may be played at the same time.
const MAX_CONCURRENCY: usize = 512;

/// One group of words: its name and what follows.
struct Group<'a> {
    name: &'a str,
    items: Vec<&'a str>,
}

/// Splits the words into groups.
fn groups(words: &[String]) -> anyhow::Result<Vec<Group<'_>>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for word in words {
        let is_name = word.starts_with('-') && word.len() > 1 && word.parse::<f64>().is_err();
        if is_name {
            groups.push(Group { name: word.trim_start_matches('-'), items: Vec::new() });
        } else {
            let Some(group) = groups.last_mut() else {
                bail!("{word:?} stands before the first word with a dash")
            };
            group.items.push(word);
        }
    }
    Ok(groups)
}

impl<'a> Group<'a> {
    /// The only item.
    fn single(&self) -> anyhow::Result<&'a str> {
        match self.items.as_slice() {
            [item] => Ok(item),
            _ => bail!("-{} takes one value", self.name),
        }
    }

    /// The only item, parsed.
    fn parse<T: std::str::FromStr>(&self) -> anyhow::Result<T>
    where
        T::Err: Into<anyhow::Error>,
    {
        parse(self.name, self.single()?)
    }

    /// The items as pairs; an item without `=` has an empty value.
    fn pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.items.iter().map(|item| item.split_once('=').unwrap_or((item, "")))
    }

    /// Nothing follows a name that is a switch.
    fn none(&self) -> anyhow::Result<()> {
        ensure!(self.items.is_empty(), "-{} takes no value", self.name);
        Ok(())
    }

    fn unknown<T>(&self, key: &str) -> anyhow::Result<T> {
        bail!("-{} does not know {key:?}", self.name)
    }
}

/// A value, or an error that names its key.
fn parse<T: std::str::FromStr>(key: &str, value: &str) -> anyhow::Result<T>
where
    T::Err: Into<anyhow::Error>,
{
    value.parse().map_err(|error: T::Err| error.into().context(format!("{key}: bad value {value:?}")))
}

/// Splits a command line at blanks; single and double quotes hold a word together.
fn split_command(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut quote, mut open) = (None, false);
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '"' || c == '\'' => (quote, open) = (Some(c), true),
            None if c.is_whitespace() => {
                if open || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            _ => word.push(c),
        }
    }
    if open || !word.is_empty() {
        words.push(word);
    }
    words
}

/// Reads the items of `-engine` or `-each`.
fn engine(group: &Group<'_>) -> anyhow::Result<EngineConfig> {
    let mut engine = EngineConfig::default();
    let mut arguments = Vec::new();
    for (key, value) in group.pairs() {
        match key {
            "cmd" => engine.command = split_command(value),
            "arg" => arguments.push(value.to_owned()),
            "name" => value.clone_into(&mut engine.name),
            "proto" => engine.protocol = parse::<Protocol>(key, value)?,
            "rankbase" => {
                engine.rank_base = match value {
                    "auto" => None,
                    "0" => Some(RankBase::Zero),
                    "1" => Some(RankBase::One),
                    _ => bail!("rankbase: bad value {value:?} (0, 1, auto)"),
                }
            }
            "dir" => engine.directory = Some(PathBuf::from(value)),
            "stderr" => engine.stderr = Some(PathBuf::from(value)),
            "tc" => engine.limits.clock = if value == "inf" { None } else { Some(parse(key, value)?) },
            "st" => engine.limits.move_time = Some(seconds_of(value).context("st")?),
            "nodes" => engine.limits.nodes = Some(parse(key, value)?),
            "depth" => engine.limits.depth = Some(parse(key, value)?),
            "timemargin" => {
                engine.time_margin = Some(Duration::from_millis(u64::from(parse::<u32>(key, value)?)));
            }
            "ponder" => engine.ponder = value.is_empty() || parse(key, value)?,
            "restart" => {} // cutechess's word: a crashed engine is always restarted
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => engine.options.push((name.to_owned(), value.to_owned())),
                _ => return group.unknown(key),
            },
        }
    }
    engine.command.append(&mut arguments);
    Ok(engine)
}

fn draw_rule(group: &Group<'_>) -> anyhow::Result<DrawRule> {
    let mut rule = DrawRule { move_number: 40, move_count: 8, score: 10 };
    for (key, value) in group.pairs() {
        match key {
            "movenumber" => rule.move_number = parse(key, value)?,
            "movecount" => rule.move_count = parse(key, value)?,
            "score" => rule.score = parse(key, value)?,
            _ => return group.unknown(key),
        }
    }
    ensure!(rule.move_count > 0, "-draw: movecount begins at 1");
    Ok(rule)
}

fn resign_rule(group: &Group<'_>) -> anyhow::Result<ResignRule> {
    let mut rule = ResignRule { move_count: 4, score: 1000, two_sided: false };
    for (key, value) in group.pairs() {
        match key {
            "movecount" => rule.move_count = parse(key, value)?,
            "score" => rule.score = parse::<i32>(key, value)?.saturating_abs(),
            "twosided" => rule.two_sided = value.is_empty() || parse(key, value)?,
            _ => return group.unknown(key),
        }
    }
    ensure!(rule.move_count > 0, "-resign: movecount begins at 1");
    Ok(rule)
}

fn sprt(group: &Group<'_>) -> anyhow::Result<Sprt> {
    let mut sprt = Sprt { elo0: 0.0, elo1: 0.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic };
    for (key, value) in group.pairs() {
        match key {
            "elo0" => sprt.elo0 = parse(key, value)?,
            "elo1" => sprt.elo1 = parse(key, value)?,
            "alpha" => sprt.alpha = parse(key, value)?,
            "beta" => sprt.beta = parse(key, value)?,
            "model" => {
                sprt.model = match value {
                    "logistic" => EloModel::Logistic,
                    "normalized" | "normalised" => EloModel::Normalised,
                    _ => bail!("model: bad value {value:?} (logistic, normalized)"),
                }
            }
            _ => return group.unknown(key),
        }
    }
    ensure!(sprt.elo0.is_finite() && sprt.elo1.is_finite(), "-sprt: elo0 and elo1 are numbers");
    ensure!(sprt.elo0 < sprt.elo1, "-sprt: elo0 must be below elo1");
    let sensible = |p: f64| p > 0.0 && p < 0.5;
    ensure!(sensible(sprt.alpha) && sensible(sprt.beta), "-sprt: alpha and beta lie between 0 and 0.5");
    Ok(sprt)
}

fn openings(group: &Group<'_>, config: &mut MatchConfig) -> anyhow::Result<()> {
    for (key, value) in group.pairs() {
        match key {
            "file" => config.openings.file = Some(PathBuf::from(value)),
            "format" => config.openings.format = Some(parse(key, value)?),
            "plies" => config.openings.plies = Some(parse(key, value)?),
            "order" => {
                config.order = match value {
                    "sequential" => OpeningOrder::Sequential,
                    "random" => OpeningOrder::Random,
                    _ => bail!("order: bad value {value:?} (sequential, random)"),
                }
            }
            "seed" => config.seed = parse(key, value)?,
            "start" => config.first_opening = parse::<usize>(key, value)?.max(1) - 1,
            _ => return group.unknown(key),
        }
    }
    Ok(())
}

/// Reads the words of a match.
///
/// # Errors
/// Names the word and what is wrong with it.
pub fn parse_words(words: &[String]) -> anyhow::Result<MatchConfig> {
    let mut shared = EngineConfig::default();
    let mut config = MatchConfig {
        engines: Vec::new(),
        openings: Source::default(),
        order: OpeningOrder::Sequential,
        seed: 1,
        first_opening: 0,
        rounds: 1,
        games: 2,
        concurrency: 1,
        tournament: Tournament::RoundRobin,
        sprt: None,
        pgn: None,
        resume: false,
        draw: None,
        resign: None,
        max_moves: 500,
        rules: RuleSet::default(),
        rating_interval: 0,
        event: "xq match".to_owned(),
        log: None,
        quiet: false,
        stall: Duration::from_mins(2),
    };
    for group in groups(words)? {
        match group.name {
            "engine" => config.engines.push(engine(&group)?),
            "each" => {
                let earlier = std::mem::replace(&mut shared, engine(&group)?);
                shared.inherit(&earlier);
            }
            "openings" => openings(&group, &mut config)?,
            "rounds" => config.rounds = group.parse()?,
            "games" => config.games = group.parse()?,
            "repeat" | "recover" => group.none()?, // always so here
            "concurrency" => config.concurrency = group.parse()?,
            "tournament" => config.tournament = group.parse()?,
            "sprt" => config.sprt = Some(sprt(&group)?),
            "seed" | "srand" => config.seed = group.parse()?,
            "rules" => config.rules = group.parse()?,
            "draw" => config.draw = Some(draw_rule(&group)?),
            "resign" => config.resign = Some(resign_rule(&group)?),
            "maxmoves" => config.max_moves = group.parse()?,
            "stall" => config.stall = seconds_of(group.single()?).context("-stall")?,
            "pgnout" => config.pgn = Some(PathBuf::from(group.single()?)),
            "resume" => {
                group.none()?;
                config.resume = true;
            }
            "ratinginterval" => config.rating_interval = group.parse()?,
            "event" => group.single()?.clone_into(&mut config.event),
            "log" => config.log = Some(PathBuf::from(group.single()?)),
            "quiet" => {
                group.none()?;
                config.quiet = true;
            }
            "variant" => ensure!(group.single()? == "xiangqi", "-variant: only xiangqi is played here"),
            name => bail!("unknown word \"-{name}\" (see xq match --help)"),
        }
    }
    for engine in &mut config.engines {
        engine.inherit(&shared);
    }
    check(&config)?;
    Ok(config)
}

/// What must hold between the words.
fn check(config: &MatchConfig) -> anyhow::Result<()> {
    ensure!(config.engines.len() >= 2, "a match needs two engines (-engine cmd=... -engine cmd=...)");
    for (number, engine) in config.engines.iter().enumerate() {
        ensure!(!engine.command.is_empty(), "engine {} has no cmd=", number + 1);
        ensure!(!engine.limits.is_empty(), "engine {} has no limit (tc=, st=, nodes= or depth=)", number + 1);
        let MoveLimits { move_time, nodes, depth, .. } = engine.limits;
        let is_zero = nodes == Some(0) || depth == Some(0) || move_time.is_some_and(|t| t.as_millis() == 0);
        ensure!(!is_zero, "engine {}: nodes=, depth= and st= are more than 0", number + 1);
    }
    ensure!(config.rounds > 0 && config.concurrency > 0, "-rounds and -concurrency begin at 1");
    ensure!(config.concurrency <= MAX_CONCURRENCY, "-concurrency ends at {MAX_CONCURRENCY}");
    ensure!(matches!(config.games, 1 | 2), "-games is 1 or 2");
    let encounters = config.rounds.saturating_mul(config.tournament.pairings(config.engines.len()).len());
    let games = encounters.saturating_mul(config.games);
    ensure!(games <= MAX_GAMES, "-rounds: {games} games in all, and a match has {MAX_GAMES} at most");
    ensure!(config.sprt.is_none() || config.engines.len() == 2, "-sprt compares two engines");
    ensure!(config.sprt.is_none() || config.games == 2, "-sprt needs pairs (-games 2)");
    ensure!(!config.resume || config.pgn.is_some(), "-resume needs the game file (-pgnout)");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> anyhow::Result<MatchConfig> {
        parse_words(&split_command(text))
    }

    #[test]
    fn cutechess_words() {
        let config = config(
            "-engine cmd=phao name=new proto=ucci option.threads=2 ponder --engine cmd='\"/a b/fish\" -x' arg=y nodes=300 rankbase=1 \
             -each tc=1:30+0.5 option.threads=1 option.hashsize=64 timemargin=80 -openings file=o.txt order=random seed=7 \
             -rounds 30 -games 2 -repeat -concurrency 2 -sprt elo0=-3 elo1=2.5 -pgnout g.pgn -resume \
             --draw movenumber=30 movecount=4 score=8 -resign movecount=3 score=900 twosided=true -ratinginterval 10",
        )
        .expect("all words are known");
        let [new, fish] = config.engines.as_slice() else { panic!("two engines") };
        assert_eq!(new.command, ["phao"]);
        assert_eq!((new.protocol, new.ponder), (Protocol::Ucci, true));
        let clock = new.limits.clock.expect("from -each");
        assert_eq!((clock.base.as_secs(), clock.increment.as_millis(), clock.moves), (90, 500, None));
        let options =
            |e: &EngineConfig| e.options.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>();
        assert_eq!(options(new), ["hashsize=64", "threads=2"], "an own option replaces the shared one");
        assert_eq!(fish.command, ["/a b/fish", "-x", "y"].map(str::to_owned)[..].to_vec());
        assert_eq!(fish.limits, super::super::config::MoveLimits { nodes: Some(300), ..Default::default() });
        assert_eq!(fish.time_margin(), Duration::from_millis(80));
        assert_eq!(fish.rank_base, Some(RankBase::One));
        assert_eq!(config.sprt.map(|s| (s.elo0, s.elo1)), Some((-3.0, 2.5)));
        assert_eq!((config.rounds, config.concurrency, config.seed), (30, 2, 7));
        assert_eq!(config.order, OpeningOrder::Random);
        assert_eq!(config.draw, Some(DrawRule { move_number: 30, move_count: 4, score: 8 }));
        assert_eq!(config.resign, Some(ResignRule { move_count: 3, score: 900, two_sided: true }));
        assert!(config.resume);
    }

    #[test]
    fn the_largest_numbers_are_numbers() {
        let words = "-each nodes=1 ponder=false -engine cmd=a -engine cmd=b -resign score=-2147483648 -rounds 500000 \
                     -openings start=18446744073709551615";
        let config = config(words).expect("all words are known");
        assert_eq!(config.resign.map(|rule| rule.score), Some(i32::MAX));
        assert!(!config.engines[0].ponder);
        let slots = super::super::schedule::schedule(&config, 5);
        // By hand: 18446744073709551614, counted from 0, is 4 more than a multiple of 5.
        assert_eq!(slots.iter().take(4).map(|slot| slot.opening).collect::<Vec<_>>(), [4, 4, 0, 0]);
        assert_eq!(slots.len(), 1_000_000);
    }

    #[test]
    fn each_may_come_twice_and_a_clock_may_be_infinite() {
        let words = "-each tc=5+0.05 option.Hash=64 option.Threads=2 -engine cmd=a tc=inf depth=8 -engine cmd=b -each tc=inf nodes=9 \
                     option.Hash=16";
        let config = config(words).expect("all words are known");
        let [a, b] = config.engines.as_slice() else { panic!("two engines") };
        let limits = super::super::config::MoveLimits::default();
        assert_eq!(a.limits, super::super::config::MoveLimits { depth: Some(8), ..limits });
        assert_eq!(b.limits, super::super::config::MoveLimits { nodes: Some(9), ..limits });
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(b.options, [option("Threads", "2"), option("Hash", "16")]);
    }

    #[test]
    fn mistakes_are_named() {
        let engines = "-engine cmd=a nodes=1 -engine cmd=b nodes=1";
        for (words, fault) in [
            ("-engine cmd=a nodes=1", "two engines"),
            ("-engine cmd=a -engine cmd=b nodes=1", "engine 1 has no limit"),
            ("-engine nodes=1 -engine cmd=b nodes=1", "engine 1 has no cmd="),
            ("-engine cmd=a nodes=x -engine cmd=b", "nodes: bad value \"x\""),
            ("-engine cmd=a tc=5+ -engine cmd=b", "tc: bad value"),
            ("-engine cmd=a tc=inf -engine cmd=b tc=inf", "engine 1 has no limit"),
            ("-engine cmd=a nodes=0 -engine cmd=b nodes=1", "more than 0"),
            ("-engine cmd=a depth=1 -engine cmd=b depth=0", "engine 2: nodes=, depth= and st= are more"),
            ("-engine cmd=a st=0 -engine cmd=b st=1", "more than 0"),
            ("-engine cmd=a colour=red", "-engine does not know \"colour\""),
            ("hello", "before the first word"),
            (&format!("{engines} -frobnicate 3"), "unknown word \"-frobnicate\""),
            (&format!("{engines} -rounds"), "-rounds takes one value"),
            (&format!("{engines} -openings format=cbl"), "unknown format of openings"),
            (&format!("{engines} -games 3"), "-games is 1 or 2"),
            (&format!("{engines} -sprt elo0=5 elo1=0"), "elo0 must be below"),
            (&format!("{engines} -resume"), "-resume needs"),
            (&format!("{engines} -resume -pgnout a -resume b"), "-resume takes no value"),
            (&format!("{engines} -quiet yes"), "-quiet takes no value"),
            (&format!("{engines} -repeat 3"), "-repeat takes no value"),
            (&format!("{engines} -recover on"), "-recover takes no value"),
            (&format!("{engines} -engine cmd=c nodes=1 ponder=perhaps"), "ponder: bad value"),
            (&format!("{engines} -resign movecount=0"), "-resign: movecount"),
            (&format!("{engines} -draw movecount=0"), "-draw: movecount"),
            (&format!("{engines} -stall 1e19"), "-stall: \"1e19\" is not a possible time"),
            ("-engine cmd=a tc=1e19:0 -engine cmd=b tc=1", "tc: bad value"),
            ("-engine cmd=a tc=1+1e19 -engine cmd=b tc=1", "tc: bad value"),
            ("-engine cmd=a st=1e19 -engine cmd=b tc=1", "st: \"1e19\""),
            (
                "-engine cmd=a tc=1 timemargin=18446744073709551615 -engine cmd=b tc=1",
                "timemargin: bad value",
            ),
            (&format!("{engines} -rounds 1000000000"), "-rounds: 2000000000 games"),
            (&format!("{engines} -rounds 18446744073709551615"), "-rounds: "),
            (&format!("{engines} -concurrency 1000000"), "-concurrency ends at"),
            (&format!("{engines} -engine cmd=c nodes=1 -sprt elo1=5"), "-sprt compares two"),
        ] {
            let error = format!("{:#}", config(words).expect_err(words));
            assert!(error.contains(fault), "{words}: {error}");
        }
    }

    #[test]
    fn time_controls() {
        for (text, shown) in
            [("40/60+0.6", "40/60+0.6"), ("0:01", "1"), ("5+0.05", "5+0.05"), ("0.2+0", "0.2")]
        {
            let clock: super::super::config::TimeControl = text.parse().expect(text);
            assert_eq!(clock.to_string(), shown);
        }
        for text in ["", "0", "-1", "x", "0/5", "5+x", "1e99", "1e19:0", "1+1e19", "nan"] {
            assert!(text.parse::<super::super::config::TimeControl>().is_err(), "{text}");
        }
    }
}
