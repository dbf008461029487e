//! The game file of a match: one PGN game after another, appended as they end, and read again by `-resume`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use movegen::Color;

use super::config::{EngineConfig, MatchConfig};
use super::game::{GameRecord, MoveRecord};
use super::referee::Outcome;
use super::schedule::Slot;
use crate::games::{self, Format, NodeId, WriteOptions};
use crate::openings::Opening;

/// A game as the file tells it: enough to count it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastGame {
    /// Number in the match, from 0.
    pub game: usize,
    /// Name of the player of Red.
    pub red: String,
    /// Name of the player of Black.
    pub black: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Of the tags that say how a match was played, those that stand in the file.
    pub conditions: Vec<(&'static str, String)>,
}

/// Tags that must agree when a match is resumed.
const CONDITIONS: [&str; 4] = ["MatchOpening", "RedTimeControl", "BlackTimeControl", "Rules"];

/// What [`CONDITIONS`] are in this match.
fn conditions(config: &MatchConfig, slot: &Slot) -> [String; CONDITIONS.len()] {
    let limits = |player: usize| config.engines[player].limits.to_string();
    [(slot.opening + 1).to_string(), limits(slot.red), limits(slot.black), config.rules.to_string()]
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
        let comment = played.search.as_ref().map_or_else(|| "book".to_owned(), move_comment);
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

/// Opens the game file for appending. With `resume`, reads the games it already holds; an unfinished last game (the machine went
/// down while it was written) is cut off.
///
/// # Errors
/// When the file cannot be read or written.
pub fn open(path: &Path, resume: bool) -> anyhow::Result<(File, Vec<PastGame>)> {
    let context = || format!("game file {}", path.display());
    let mut past = Vec::new();
    if resume && path.exists() {
        let text = std::fs::read_to_string(path).with_context(context)?;
        let (games, end) = read_games(&text).with_context(context)?;
        past = games;
        if end < text.len() {
            let file = OpenOptions::new().write(true).open(path).with_context(context)?;
            file.set_len(end as u64).with_context(context)?;
        }
    }
    let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(context)?;
    if !past.is_empty() {
        // Whatever blank lines were cut off or missing, the next game stands apart.
        file.write_all(b"\n").with_context(context)?;
    }
    Ok((file, past))
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
    let mut tags: Vec<(&str, String)> = Vec::new();
    let mut in_moves = false;
    let (mut offset, mut end) = (0, 0);
    for line in text.split_inclusive('\n') {
        offset += line.len();
        let line = line.trim();
        if line.starts_with('[') && !line.starts_with("[%") {
            if in_moves {
                tags.clear();
                in_moves = false;
            }
            tags.extend(read_tag(line));
        } else if !line.is_empty() {
            in_moves = true;
            let tag = |name: &str| tags.iter().find(|(tag, _)| *tag == name).map(|(_, value)| value.as_str());
            let result = tag("Result").unwrap_or("*");
            if line.split(' ').next_back() == Some(result) && result != "*" {
                let outcome =
                    Outcome::from_tag(result).with_context(|| format!("unknown result {result:?}"))?;
                let number = tag("MatchGame").and_then(|text| text.parse::<usize>().ok());
                let number = number
                    .filter(|&n| n > 0)
                    .context("a game without a MatchGame tag: not written by xq match")?;
                let name = |color| tag(color).unwrap_or("").to_owned();
                games.push(PastGame {
                    game: number - 1,
                    red: name("Red"),
                    black: name("Black"),
                    outcome,
                    conditions: CONDITIONS
                        .into_iter()
                        .filter_map(|condition| Some((condition, tag(condition)?.to_owned())))
                        .collect(),
                });
                end = offset;
            }
        }
    }
    Ok((games, end))
}

/// Reads `[Name "value"]`.
fn read_tag(line: &str) -> Option<(&str, String)> {
    let (name, rest) = line.strip_prefix('[')?.strip_suffix(']')?.split_once(' ')?;
    let quoted = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name, quoted.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// Checks that the games of the file belong to this match: players, openings, limits, rules.
///
/// # Errors
/// Names the first game that does not, and what differs.
pub fn check_past(past: &[PastGame], slots: &[Slot], config: &MatchConfig) -> anyhow::Result<()> {
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
        let words = "-engine cmd=a name=A\"1 tc=5+0.05 -engine cmd=b name=B nodes=10 -event X";
        parse_words(&words.split(' ').map(str::to_owned).collect::<Vec<_>>()).expect("known words")
    }

    fn game(text: &str, number: usize, fault: Option<(Color, Fault)>) -> String {
        let config = match_config();
        let opening = parse(text, None).expect("an opening").remove(0);
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
            conditions: [
                ("MatchOpening", "1"),
                ("RedTimeControl", "5+0.05"),
                ("BlackTimeControl", "10 nodes"),
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
        let (mut file, past) = open(&path, true).expect("a new file");
        assert!(past.is_empty());
        append(&mut file, &game("h2e2", 0, None)).expect("a writable file");
        append(&mut file, "[Event \"X\"]\n[MatchGame \"2\"]\n\n1. h2e2").expect("a writable file");
        let (mut file, past) = open(&path, true).expect("our own file");
        assert_eq!(past.len(), 1);
        append(&mut file, &game("h2e2", 2, None)).expect("a writable file");
        let (_, past) = open(&path, true).expect("our own file");
        assert_eq!(past.iter().map(|game| game.game).collect::<Vec<_>>(), [0, 2]);
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
        let without = PastGame { conditions: Vec::new(), ..past[0].clone() };
        assert!(check_past(&[without], &[slot(0)], &other).is_ok(), "an older file says nothing");
    }
}
