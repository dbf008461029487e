//! `xq rescore` as a process: what changes in a file and what does not, going on after an interruption, refusals.

use movegen::History;
use search::{Control, Limits, Score, Searcher};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tools::data::{Game, Reader, Writer};

fn xq(folder: &Path, words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xq"))
        .args(words.split_whitespace())
        .current_dir(folder)
        .output()
        .expect("xq starts")
}

fn succeed(folder: &Path, words: &str) {
    let output = xq(folder, words);
    assert!(output.status.success(), "{words}: {}", told(&output));
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with 40 games of one recipe, more than a block, and 3 of another.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    succeed(folder.path(), "datagen --out gen1.xqg --games 40 --nodes 5 --network none --seed 1");
    succeed(folder.path(), "datagen --out gen2.xqg --games 3 --nodes 5 --network none --seed 2");
    folder
}

fn games(path: &Path) -> Vec<Game> {
    let mut reader = Reader::open(path).expect("a data file");
    let mut games = Vec::new();
    while let Some(block) = reader.next_block().expect("a whole file") {
        games.extend(block);
    }
    games
}

/// Words that all tests search with: few nodes, for they run without optimisation.
const WORDS: &str = "rescore --nodes 20 --network none --data gen1.xqg gen2.xqg --out";

/// The scores that a search of 150 nodes at every ply gives, in the units of data files.
fn searched(game: &Game) -> Vec<i16> {
    let mut searcher = Searcher::new(4).expect("memory for a small table");
    searcher.set_network(None);
    let limits = Limits { soft_nodes: Some(150), nodes: Some(1200), ..Limits::default() };
    let mut history = History::new(game.start.clone());
    game.opening.iter().for_each(|&mv| history.push(mv));
    let mut scores = Vec::new();
    for ply in &game.plies {
        let result = searcher.search(&history, &limits, &Control::new(false), &mut |_| {});
        let score = match result.score {
            Score::Cp(_) => result.value,
            Score::Mate(plies) if plies > 0 => 30_000 - plies,
            Score::Mate(plies) => -30_000 - plies,
        };
        scores.push(score as i16);
        history.push(ply.mv);
    }
    scores
}

#[test]
fn only_scores_change_and_they_are_those_of_the_search() {
    let folder = folder();
    succeed(folder.path(), &format!("{WORDS} new.xqg").replace("--nodes 20", "--nodes 150"));
    let path = |name: &str| folder.path().join(name);
    let old: Vec<Game> = ["gen1.xqg", "gen2.xqg"].iter().flat_map(|name| games(&path(name))).collect();
    let new = games(&path("new.xqg"));
    assert_eq!((old.len(), new.len()), (43, 43));
    let (mut changed, mut kept) = (0, 0);
    for (old, new) in old.iter().zip(&new) {
        let mut expected = old.clone();
        for (ply, score) in expected.plies.iter_mut().zip(searched(old)) {
            if ply.score == score {
                kept += 1;
            } else {
                changed += 1;
            }
            ply.score = score;
        }
        assert_eq!(*new, expected);
    }
    assert!(changed > 500 && kept < changed, "{changed} changed, {kept} kept");
    let recipe = Reader::open(&path("new.xqg")).expect("a data file").recipe().to_owned();
    for part in [
        "\"command\":\"rescore\"",
        "\"plies\":\"all\"",
        "\"network\":\"none\"",
        "\"soft_nodes\":150,\"hard_nodes\":1200,\"games\":43",
        "\"file\":\"gen2.xqg\",\"games\":3",
        "\"seed\":2",
    ] {
        assert!(recipe.contains(part), "{part} in {recipe}");
    }
}

/// Every ply is searched as it was when the game was played, so the same recipe gives the same scores, whatever the file says.
#[test]
fn games_searched_as_they_were_played_keep_their_scores() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let played = games(&path("gen1.xqg"));
    let (mut writer, _) = Writer::open(&path("other.xqg"), "{}").expect("a new file");
    for mut game in played.clone() {
        game.plies.iter_mut().for_each(|ply| ply.score = 777);
        writer.add(&game).expect("room on the disk");
    }
    writer.flush().expect("room on the disk");
    succeed(folder.path(), "rescore --nodes 5 --network none --data other.xqg --out new.xqg");
    assert!(games(&path("new.xqg")) == played);
}

#[test]
fn neither_threads_nor_interruptions_change_the_file() {
    let folder = folder();
    let path = folder.path().join("a.xqg");
    let bytes = || fs::read(&path).expect("the file");
    succeed(folder.path(), &format!("{WORDS} a.xqg"));
    let whole = bytes();
    succeed(folder.path(), &format!("{WORDS} b.xqg --threads 2"));
    assert!(fs::read(folder.path().join("b.xqg")).expect("the file") == whole);
    // Nothing is left to do.
    let again = xq(folder.path(), &format!("{WORDS} a.xqg"));
    assert!(told(&again).contains("43 games, 0 to search"), "{}", told(&again));
    assert!(again.status.success() && bytes() == whole);
    // In the magic, in the recipe, behind it, in the first block, in the second.
    let header = 16 + Reader::open(&path).expect("a data file").recipe().len();
    for length in [3, header - 1, header, header + 100, whole.len() - 1] {
        fs::write(&path, &whole[..length]).expect("room on the disk");
        succeed(folder.path(), &format!("{WORDS} a.xqg --threads 2"));
        assert!(bytes() == whole, "cut at {length}");
    }
    // A header that is cut off and another run's stays.
    fs::write(&path, &whole[..header - 1]).expect("room on the disk");
    let other = xq(folder.path(), &format!("{WORDS} a.xqg --note other"));
    assert!(told(&other).contains("a.xqg: its head is cut off"), "{}", told(&other));
    assert!(other.status.code() == Some(2) && bytes().len() == header - 1);
}

/// As an interruption by hand leaves it: a sound file whose last block is not full.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_sound_file() {
    let folder = folder();
    let path = folder.path().join("a.xqg");
    succeed(
        folder.path(),
        "rescore --nodes 1000 --network none --data gen2.xqg gen1.xqg --out b.xqg --threads 2",
    );
    let words = "rescore --nodes 1000 --network none --data gen2.xqg gen1.xqg --out a.xqg";
    let mut child = Command::new(env!("CARGO_BIN_EXE_xq"))
        .args(words.split_whitespace())
        .current_dir(folder.path())
        .spawn()
        .expect("xq starts");
    // The handler of signals is set between the header and the first block.
    while fs::metadata(&path).map_or(0, |file| file.len()) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts");
    assert!(kill.success());
    assert_eq!(child.wait().expect("its end").code(), Some(130));
    let found = games(&path).len();
    assert!(found < 43, "interrupted in time");
    let stats = xq(folder.path(), "datagen --stats a.xqg");
    assert!(told(&stats).contains(&format!("not complete, {found} of 43 games")), "{}", told(&stats));
    succeed(folder.path(), words);
    assert!(fs::read(&path).expect("the file") == fs::read(folder.path().join("b.xqg")).expect("the file"));
}

#[test]
fn other_recipes_and_unusable_data_are_refused_and_nothing_is_lost() {
    let folder = folder();
    let path = |name: &str| -> PathBuf { folder.path().join(name) };
    let refuse = |words: &str, told_expected: &str| {
        let output = xq(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(told(&output).contains(told_expected), "{words}: {}", told(&output));
    };
    let short = "rescore --nodes 5 --network none --data gen2.xqg";
    succeed(folder.path(), &format!("{short} --out a.xqg"));
    let whole = fs::read(path("a.xqg")).expect("the file");
    refuse("rescore --nodes 6 --network none --data gen2.xqg --out a.xqg", "other hard_nodes, soft_nodes");
    refuse("rescore --nodes 5 --network none --data gen1.xqg --out a.xqg", "other games, sources");
    refuse("rescore --nodes 5 --data gen2.xqg --out a.xqg", "other network");
    refuse(&format!("{short} --rules cxa --out a.xqg"), "other rules");
    refuse(&format!("{short} --note x --out a.xqg"), "other note");
    refuse(&format!("{short} --out gen1.xqg"), "gen1.xqg: made by another recipe");
    refuse(&format!("{short} a.xqg --out ./a.xqg"), "a.xqg: both read and written");
    refuse("rescore --nodes 5 --network none --data gen2.xqg missing.xqg --out b.xqg", "missing.xqg: ");
    // A file begun when only quiet plies were searched.
    let recipe =
        Reader::open(&path("a.xqg")).expect("a data file").recipe().replace("\"plies\":\"all\",", "");
    Writer::open(&path("quiet.xqg"), &recipe).expect("a new file");
    refuse(&format!("{short} --out quiet.xqg"), "quiet.xqg: made by another recipe: other plies");
    // Data that have changed are other data, though they have as many games.
    let data = fs::read(path("gen2.xqg")).expect("the file");
    succeed(folder.path(), "datagen --out other.xqg --games 3 --nodes 5 --network none --seed 3");
    fs::copy(path("other.xqg"), path("gen2.xqg")).expect("a copy");
    refuse(&format!("{short} --out a.xqg"), "other sources");
    fs::write(path("gen2.xqg"), &data).expect("room on the disk");
    // Damage in the middle of the data.
    let mut damaged = fs::read(path("gen1.xqg")).expect("the file");
    let at = 16 + Reader::open(&path("gen1.xqg")).expect("a data file").recipe().len() + 40;
    damaged[at] ^= 1;
    fs::write(path("damaged.xqg"), damaged).expect("room on the disk");
    refuse(
        "rescore --nodes 5 --network none --data gen2.xqg damaged.xqg --out b.xqg",
        "damaged.xqg: damaged at",
    );
    fs::write(path("text.xqg"), "no games").expect("room on the disk");
    refuse("rescore --nodes 5 --network none --data text.xqg --out b.xqg", "text.xqg: not a file of games");
    assert!(!path("b.xqg").exists());
    assert!(fs::read(path("a.xqg")).expect("the file") == whole);
    succeed(folder.path(), &format!("{short} --out a.xqg"));
}

#[test]
fn the_examples_work_as_typed() {
    let folder = folder();
    fs::rename(folder.path().join("gen2.xqg"), folder.path().join("gen1.xqg")).expect("a file");
    succeed(folder.path(), "datagen --out gen2.xqg --games 2 --nodes 5 --network none --seed 2");
    let help = String::from_utf8(xq(folder.path(), "rescore --help").stdout).expect("UTF-8");
    let examples = help.lines().map(str::trim).filter(|line| line.starts_with("xq "));
    let examples: Vec<&str> = examples.map(|line| line.split("   ").next().unwrap_or_default()).collect();
    assert_eq!(examples.len(), 3, "{help}");
    let programs = Path::new(env!("CARGO_BIN_EXE_xq")).parent().expect("a folder");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    for example in examples {
        // Fewer nodes than typed: the tests need no strength.
        let example = example.replace(" --nodes 400", "").replace("xq rescore", "xq rescore --nodes 5");
        let output = Command::new("sh")
            .args(["-c", &example])
            .env("PATH", &path)
            .current_dir(folder.path())
            .output()
            .expect("a shell");
        assert!(output.status.success(), "{example}: {}", told(&output));
    }
}
