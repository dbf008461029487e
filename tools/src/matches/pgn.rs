//! The game file of a match: one PGN game after another, appended as they end, and read again by `-resume`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail, ensure};
use movegen::Color;

use super::config::{EngineConfig, MatchConfig};
use super::game::{GameRecord, MoveRecord};
use super::referee::Outcome;
use super::schedule::Slot;
use crate::games::{self, Format, NodeId, ReadOptions, WriteOptions};
use crate::openings::Opening;

/// A game as the file tells it: enough to count it again.
#[derive(Debug, Clone, PartialEq)]
pub struct PastGame {
    /// Number in the match, from 0.
    pub game: usize,
    /// Name of the player of Red.
    pub red: String,
    /// Name of the player of Black.
    pub black: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Where it began.
    pub opening: Opening,
    /// Of the tags that say how a match was played, those that stand in the file.
    pub conditions: Vec<(&'static str, String)>,
}

/// Tags that must agree when a match is resumed.
const CONDITIONS: [&str; 6] =
    ["MatchOpening", "RedTimeControl", "BlackTimeControl", "RedOptions", "BlackOptions", "Rules"];
/// The comment of a move of the opening.
const BOOK: &str = "book";

/// What [`CONDITIONS`] are in this match.
fn conditions(config: &MatchConfig, slot: &Slot) -> [String; CONDITIONS.len()] {
    let limits = |player: usize| config.engines[player].limits.to_string();
    let options = |player: usize| {
        let engine = &config.engines[player];
        let options = engine.options.iter().map(|(name, value)| format!("{name}={value}"));
        let options: Vec<String> = options.chain(engine.ponder.then(|| "ponder".to_owned())).collect();
        if options.is_empty() { "none".to_owned() } else { options.join(", ") }
    };
    let (opening, rules) = ((slot.opening + 1).to_string(), config.rules.to_string());
    [opening, limits(slot.red), limits(slot.black), options(slot.red), options(slot.black), rules]
}

/// The text of a game.
///
/// # Errors
/// When a game has more moves than a game file can hold ([`games::Game::MAX_PLIES`]).
pub fn write_game(
    config: &MatchConfig,
    slot: &Slot,
    [red, black]: [&EngineConfig; 2],
    opening: &Opening,
    record: &GameRecord,
) -> anyhow::Result<String> {
    let round = match config.games {
        1 => format!("{}", slot.round + 1),
        _ => format!("{}.{}", slot.round + 1, slot.game % config.games + 1),
    };
    let mut game = games::Game::new(opening.start.clone());
    game.outcome = match record.outcome {
        Outcome::Win(Color::Red) => games::Outcome::RedWins,
        Outcome::Win(Color::Black) => games::Outcome::BlackWins,
        Outcome::Draw => games::Outcome::Draw,
    };
    for (name, value) in [
        ("Event", config.event.clone()),
        ("Date", today()),
        ("Round", round),
        ("Red", red.name.clone()),
        ("Black", black.name.clone()),
        ("PlyCount", record.moves.len().to_string()),
        ("Termination", record.fault.map_or("normal", |(_, fault)| fault.name()).to_owned()),
        ("MatchGame", (slot.game + 1).to_string()),
    ] {
        game.set_tag(name, value);
    }
    for (name, value) in CONDITIONS.into_iter().zip(conditions(config, slot)) {
        game.set_tag(name, value);
    }
    let mut node = NodeId::ROOT;
    for played in &record.moves {
        node = game.add(node, played.mv)?;
        let comment = played.search.as_ref().map_or_else(|| BOOK.to_owned(), move_comment);
        game.add_comment(node, &comment);
    }
    game.add_comment(node, &last_comment(record));
    let mut text = Vec::new();
    games::write_game(&game, Format::Pgn, WriteOptions::default(), &mut text)?;
    Ok(String::from_utf8(text)?)
}

/// Who won and why.
fn last_comment(record: &GameRecord) -> String {
    let winner = match record.outcome {
        Outcome::Draw => "Draw".to_owned(),
        Outcome::Win(color) => format!("{color:?} wins"),
    };
    let culprit = record.fault.map_or_else(String::new, |(color, _)| format!("{color:?}: "));
    format!("{winner} ({culprit}{})", record.reason)
}

/// `+0.35/12 0.123s [%clk 0:00:04.877]`: score and depth, time, clock after the move.
fn move_comment(record: &MoveRecord) -> String {
    let mut parts = Vec::new();
    match (record.facts.eval, record.facts.depth) {
        (Some(eval), Some(depth)) => parts.push(format!("{eval}/{depth}")),
        (Some(eval), None) => parts.push(eval.to_string()),
        _ => {}
    }
    parts.push(format!("{:.3}s", record.elapsed.as_secs_f64()));
    if let Some(clock) = record.clock {
        let seconds = clock.as_secs();
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        let rest = clock.saturating_sub(Duration::from_secs(seconds / 60 * 60)).as_secs_f64();
        parts.push(format!("[%clk {hours}:{minutes:02}:{rest:06.3}]"));
    }
    parts.join(" ")
}

/// The date in the form of a PGN tag, universal time.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (year, month, day) = civil_date((since.as_secs() / 86_400) as i64);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Year, month and day of the `days`-th day after 1 January 1970.
///
/// Source: H. Hinnant, "chrono-compatible low-level date algorithms": years begin in March, so leap days come last.
fn civil_date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

/// What a game file holds when a match begins.
#[derive(Debug, Default)]
pub struct Past {
    /// Its finished games.
    pub games: Vec<PastGame>,
    /// Where the last of them ends, if there is more: the rest of a game that was being written when the machine went down.
    cut: Option<u64>,
}

impl Past {
    /// Reads the games of a file and changes nothing.
    ///
    /// # Errors
    /// When the file cannot be read, or holds what a match has not written.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let context = || format!("game file {}", path.display());
        let bytes = std::fs::read(path).with_context(context)?;
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            // The last write may have ended within a letter.
            Err(error) if error.error_len().is_none() => {
                std::str::from_utf8(&bytes[..error.valid_up_to()]).with_context(context)?
            }
            Err(error) => return Err(error).with_context(context),
        };
        let (games, end) = read_games(text).with_context(context)?;
        Ok(Self { games, cut: (end < bytes.len()).then_some(end as u64) })
    }

    /// Opens the file to append the games that follow; the rest of one is cut off.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn open(&self, path: &Path) -> anyhow::Result<File> {
        let context = || format!("game file {}", path.display());
        if let Some(end) = self.cut {
            let file = OpenOptions::new().write(true).open(path).with_context(context)?;
            file.set_len(end).with_context(context)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(context)?;
        if !self.games.is_empty() {
            // Whatever blank lines were cut off or missing, the next game stands apart.
            file.write_all(b"\n").with_context(context)?;
        }
        Ok(file)
    }
}

/// Appends a game and makes sure that it is whole in the file.
///
/// # Errors
/// When the file cannot be written.
pub fn append(file: &mut File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.flush()
}

/// The finished games of a match in `text`, and where the last one ends.
fn read_games(text: &str) -> anyhow::Result<(Vec<PastGame>, usize)> {
    let mut games = Vec::new();
    let mut result = "*";
    let mut in_moves = false;
    let (mut offset, mut start, mut end) = (0, 0, 0);
    for line in text.split_inclusive('\n') {
        let begin = offset;
        offset += line.len();
        let line = line.trim();
        if line.starts_with('[') && !line.starts_with("[%") {
            if in_moves || line.starts_with("[Game ") {
                (start, in_moves) = (begin, false);
            }
            if let Some(value) = line.strip_prefix("[Result \"") {
                result = value.trim_end_matches("\"]");
            }
        } else if !line.is_empty() {
            in_moves = true;
            if line.split(' ').next_back() == Some(result) && result != "*" {
                games.push(read_game(&text[start..offset])?);
                end = offset;
                start = offset;
            }
        }
    }
    let rest = text[end..].trim_matches(|c: char| c.is_whitespace() || c == '\0');
    ensure!(is_begun(rest), "what stands at its end, {:?}, was not written by xq match", excerpt(rest));
    Ok((games, end))
}

/// Whether a text is the beginning of a game as [`write_game`] has them, or nothing.
fn is_begun(text: &str) -> bool {
    const FIRST: &str = "[Game \"Chinese Chess\"]\n[Event \"";
    let is_head = |line: &str| line.starts_with('[') && !line.starts_with("[FEN ");
    FIRST.starts_with(text)
        || text.starts_with(FIRST) && (text.contains("\n[MatchGame \"") || text.lines().all(is_head))
}

/// The first line of a text, or as much of it as a message has room for.
fn excerpt(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(60).collect()
}

/// Reads the text of one finished game.
fn read_game(text: &str) -> anyhow::Result<PastGame> {
    let input = io::Cursor::new(text.as_bytes().to_vec());
    let read = games::read(input, Some(Format::Pgn), None, ReadOptions::default()).next();
    let game = read.context("no game")??;
    let tag = |name| {
        let found = game.tags().iter().find(|(tag, _)| tag == name);
        found.map_or_else(String::new, |(_, value)| value.clone())
    };
    let number = tag("MatchGame").parse::<usize>().ok().filter(|&number| number > 0);
    let number = number.context("a game without a MatchGame tag: not written by xq match")?;
    let is_book = |&id: &NodeId| game.comment(id).starts_with(BOOK);
    Ok(PastGame {
        game: number - 1,
        red: tag("Red"),
        black: tag("Black"),
        outcome: match game.outcome {
            games::Outcome::RedWins => Outcome::Win(Color::Red),
            games::Outcome::BlackWins => Outcome::Win(Color::Black),
            games::Outcome::Draw => Outcome::Draw,
            games::Outcome::Unknown => bail!("game {number} has no result"),
        },
        opening: Opening {
            start: game.start().clone(),
            moves: game.main_line().take_while(is_book).filter_map(|id| game.mv(id)).collect(),
        },
        conditions: CONDITIONS
            .into_iter()
            .filter_map(|name| Some((name, game.tag(name)?.to_owned())))
            .collect(),
    })
}

/// Checks that the games of the file belong to this match: players, openings, limits, options, rules.
///
/// # Errors
/// Names the first game that does not, and what differs.
pub fn check_past(
    past: &[PastGame],
    slots: &[Slot],
    openings: &[Opening],
    config: &MatchConfig,
) -> anyhow::Result<()> {
    let engines = &config.engines;
    for game in past {
        let slot = slots
            .get(game.game)
            .filter(|slot| engines[slot.red].name == game.red && engines[slot.black].name == game.black);
        let (number, red, black) = (game.game + 1, &game.red, &game.black);
        let Some(slot) = slot else {
            bail!("-resume: game {number} of the file ({red} against {black}) does not belong to this match");
        };
        for (condition, expected) in CONDITIONS.into_iter().zip(conditions(config, slot)) {
            let found = game.conditions.iter().find(|(name, _)| *name == condition);
            if let Some((_, found)) = found.filter(|(_, found)| *found != expected) {
                bail!(
                    "-resume: game {number} of the file has {condition} {found:?}, this match {expected:?}"
                );
            }
        }
        ensure!(
            game.opening == openings[slot.opening],
            "-resume: game {number} of the file does not begin with opening {} of this match",
            slot.opening + 1
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::game::{Fault, PlayedMove};
    use super::super::replies::{Eval, SearchFacts};
    use super::super::words::parse_words;
    use super::*;
    use crate::openings::parse;
    use movegen::rules::RuleSet;

    #[test]
    fn dates() {
        // Source: any calendar.
        for (days, date) in [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (20_454, (2026, 1, 1)),
            (-1, (1969, 12, 31)),
        ] {
            assert_eq!(civil_date(days), date);
        }
    }

    fn match_config() -> MatchConfig {
        let words =
            "-engine cmd=a name=A\"1 tc=5+0.05 option.Hash=16 ponder -engine cmd=b name=B nodes=10 -event X";
        parse_words(&words.split(' ').map(str::to_owned).collect::<Vec<_>>()).expect("known words")
    }

    fn game(text: &str, number: usize, fault: Option<(Color, Fault)>) -> String {
        let config = match_config();
        let opening = parse(text, None, RuleSet::Asian).expect("an opening").remove(0);
        let record = MoveRecord {
            facts: SearchFacts { eval: Some(Eval::Cp(35)), depth: Some(12), nodes: None },
            elapsed: Duration::from_millis(123),
            clock: Some(Duration::from_millis(3_665_500)),
            late: Duration::ZERO,
        };
        let mut moves: Vec<PlayedMove> =
            opening.moves.iter().map(|&mv| PlayedMove { mv, search: None }).collect();
        moves.push(PlayedMove { mv: "a9a8".parse().expect("a move"), search: Some(record) });
        let game =
            GameRecord { moves, outcome: Outcome::Win(Color::Red), reason: "because {x}".to_owned(), fault };
        let slot = Slot { game: number, encounter: 0, round: 0, red: 0, black: 1, opening: 0 };
        write_game(&config, &slot, [&config.engines[0], &config.engines[1]], &opening, &game)
            .expect("a short game")
    }

    #[test]
    fn the_text_of_a_game() {
        let text = game("h2e2", 0, None);
        for part in [
            "[Event \"X\"]\n",
            "[Red \"A\\\"1\"]\n",
            "[Round \"1.1\"]\n",
            "[RedTimeControl \"5+0.05\"]\n[BlackTimeControl \"10 nodes\"]\n",
            "[RedOptions \"Hash=16, ponder\"]\n[BlackOptions \"none\"]\n",
            "[Variant \"xiangqi\"]\n",
            "\n\n1. h2e2 {book} 1... a9a8 {+0.35/12 0.123s [%clk 1:01:05.500] Red wins (because",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("[FEN"));
        let text = game("r3k4/9/9/9/9/9/9/9/9/3K5 b - - 0 7", 1, Some((Color::Black, Fault::Time)));
        for part in ["[FEN \"r3k4/", "[Termination \"time forfeit\"]", "\n7... a9a8 {", "(Black: because"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn finished_games_are_read_again() {
        let whole = game("h2e2", 0, None) + &game("h2e2", 1, None);
        let past = |number| PastGame {
            game: number,
            red: "A\"1".to_owned(),
            black: "B".to_owned(),
            outcome: Outcome::Win(Color::Red),
            opening: parse("h2e2", None, RuleSet::Asian).expect("an opening").remove(0),
            conditions: [
                ("MatchOpening", "1"),
                ("RedTimeControl", "5+0.05"),
                ("BlackTimeControl", "10 nodes"),
                ("RedOptions", "Hash=16, ponder"),
                ("BlackOptions", "none"),
                ("Rules", "asian"),
            ]
            .map(|(name, value)| (name, value.to_owned()))
            .to_vec(),
        };
        let (games, end) = read_games(&whole).expect("our own file");
        assert_eq!(games, [past(0), past(1)]);
        assert_eq!(end, whole.trim_end().len() + 1);
        // Cut anywhere in the second game: only the first counts, and nothing of the second stays.
        let first = game("h2e2", 0, None);
        for cut in first.len()..whole.trim_end().len() {
            let (games, end) = read_games(&whole[..cut]).expect("our own file");
            assert_eq!(games, [past(0)], "{cut}");
            assert!(end <= first.len());
        }
        assert!(read_games("[Result \"1-0\"]\n\n1. h2e2 1-0\n").is_err(), "somebody else's file");
    }

    #[test]
    fn a_file_grows_and_is_resumed() {
        let directory = tempfile::tempdir().expect("a directory for the test");
        let path = directory.path().join("games.pgn");
        let past = Past::read(&path).expect("no file");
        assert!(past.games.is_empty() && !path.exists());
        let mut file = past.open(&path).expect("a new file");
        append(&mut file, &game("h2e2", 0, None)).expect("a writable file");
        append(&mut file, &game("h2e2", 1, None)[..250]).expect("a writable file");
        file.write_all(b"\xe7\x82").expect("the machine went down within a letter");
        let torn = std::fs::read(&path).expect("our own file");
        let past = Past::read(&path).expect("our own file");
        assert_eq!(past.games.len(), 1);
        assert_eq!(std::fs::read(&path).expect("our own file"), torn, "nothing is cut before all is checked");
        append(&mut past.open(&path).expect("our own file"), &game("h2e2", 2, None))
            .expect("a writable file");
        let past = Past::read(&path).expect("our own file").games;
        assert_eq!(past.iter().map(|game| game.game).collect::<Vec<_>>(), [0, 2]);
        let openings = parse("h2e2\nh2e2 h9g7\nb2e2\nh2e2", None, RuleSet::Asian).expect("four openings");
        let check_past = |past: &[PastGame], slots: &[Slot], config: &MatchConfig| {
            super::check_past(past, slots, &openings, config)
        };
        let config = match_config();
        let slot = |game| Slot { game, encounter: 0, round: 0, red: 0, black: 1, opening: 0 };
        assert!(check_past(&past[..1], &[slot(0)], &config).is_ok());
        assert!(check_past(&past, &[slot(0)], &config).is_err(), "game 3 is not in the schedule");
        let exchanged = Slot { red: 1, black: 0, ..slot(0) };
        assert!(check_past(&past[..1], &[exchanged], &config).is_err());
        // Other conditions than those under which the games were played are no resumption.
        let mut other = match_config();
        other.engines[0].limits.nodes = Some(7);
        let fault = |config: &MatchConfig, slot| {
            check_past(&past[..1], &[slot], config).expect_err("another match").to_string()
        };
        assert!(fault(&other, slot(0)).contains("RedTimeControl \"5+0.05\", this match \"5+0.05, 7 nodes\""));
        assert!(
            fault(&config, Slot { opening: 3, ..slot(0) }).contains("MatchOpening \"1\", this match \"4\"")
        );
        other.engines[0] = config.engines[0].clone();
        other.engines[0].options.clear();
        assert!(fault(&other, slot(0)).contains("RedOptions \"Hash=16, ponder\", this match \"ponder\""));
        // Another file of openings under the same number: another move, or more of them.
        for line in [1, 2] {
            let others = &openings[line..];
            let error =
                super::check_past(&past[..1], &[slot(0)], others, &config).expect_err("another opening");
            assert!(error.to_string().contains("does not begin with opening 1"), "{error}");
        }
        let without = PastGame { conditions: Vec::new(), ..past[0].clone() };
        assert!(check_past(&[without], &[slot(0)], &other).is_ok(), "an older file says nothing");
    }

    #[test]
    fn a_file_that_no_match_has_written_is_refused() {
        let ours = game("h2e2", 0, None);
        for text in [
            "shopping list\n".to_owned(),
            "[Event \"a game of mine\"]\n[Result \"*\"]\n\n1. h2e2 *\n".to_owned(),
            "[Game \"Chinese Chess\"]\n[Event \"a game of mine\"]\n[Result \"*\"]\n\n1. h2e2 *\n".to_owned(),
            format!("{ours}a remark of mine\n"),
            format!("{ours}[Event \"x\"]\n\n1. h2e2 h9g7 *\n"),
        ] {
            assert!(read_games(&text).is_err(), "{text}");
        }
        for rest in ["", "\n\n", "\0\0\0", "[Ga", "[Game \"Chinese Chess\"]\n[Event \"X\"]\n[Red \"A"] {
            let (games, end) = read_games(&format!("{ours}{rest}")).expect("our own file");
            assert_eq!((games.len(), end), (1, ours.trim_end().len() + 1), "{rest:?}");
        }
    }
}
