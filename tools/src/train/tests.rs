use super::*;
use crate::data::{Writer, read_files, testing::random_game};
use std::path::{Path, PathBuf};

fn data(folder: &Path) -> PathBuf {
    let path = folder.join("games.xqg");
    if path.exists() {
        return path;
    }
    let (mut writer, _) = Writer::open(&path, "{}").expect("a new file");
    for number in 0..60 {
        let mut game = random_game(number);
        for ply in &mut game.plies {
            ply.score /= 20;
        }
        writer.add(&game).expect("room on the disk");
    }
    writer.flush().expect("room on the disk");
    path
}

fn args(folder: &Path, name: &str) -> Args {
    Args {
        data: vec![data(folder)],
        out: folder.join(name),
        hidden: 64,
        epochs: 4,
        batch: 256,
        rate: 2e-3,
        last_rate: 1e-4,
        decay: 0.01,
        result_share: 0.3,
        lambda: 0.5,
        max_score: 2500,
        seed: 3,
        threads: 1,
        resume: false,
        force: false,
    }
}

fn network(args: &Args) -> Vec<u8> {
    fs::read(args.file("phnn")).expect("a network")
}

#[test]
fn a_run_is_repeatable_and_an_interruption_changes_nothing() {
    let dir = tempfile::tempdir().expect("a directory");
    let whole = args(dir.path(), "whole");
    run(&whole).expect("a run");
    let again = args(dir.path(), "again");
    run(&again).expect("a run");
    assert_eq!(network(&whole), network(&again), "same seed, same network");

    let parts = args(dir.path(), "parts");
    let dataset = Dataset::load(&parts.data, Filter { max_score: 2500 }, 0.5).expect("data");
    let mut first = Run::new(&parts, &dataset).expect("a run");
    first.epoch(&ProgressBar::hidden()).expect("an epoch");
    first.save().expect("a checkpoint");
    run(&Args { resume: true, ..args(dir.path(), "parts") }).expect("the rest of the run");
    assert_eq!(network(&parts), network(&whole), "an interruption changes nothing");

    let other = Args { resume: true, rate: 1e-2, ..args(dir.path(), "parts") };
    assert!(run(&other).is_err(), "other options are another run");

    let kept = std::fs::read(parts.file("phnn")).expect("a network");
    let anew = run(&Args { seed: 99, ..args(dir.path(), "parts") }).expect_err("a network stands there");
    assert!(anew.to_string().contains("--force replaces it"), "{anew}");
    assert_eq!(std::fs::read(parts.file("phnn")).expect("a network"), kept);
}

#[test]
fn training_lowers_the_loss_and_rounding_costs_little() {
    let dir = tempfile::tempdir().expect("a directory");
    let args = Args { threads: 2, ..args(dir.path(), "net") };
    let dataset = Dataset::load(&args.data, Filter { max_score: 2500 }, 0.5).expect("data");
    let mut run = Run::new(&args, &dataset).expect("a run");
    let before = run.held_out_loss();
    run.train().expect("four epochs");
    assert!(
        args.file("ckpt").exists() && !args.file("phnn").exists(),
        "no network before the run is finished"
    );
    let rows = &run.state.curve;
    assert!(rows[rows.len() - 1].training < rows[0].training, "{rows:?}");
    assert!(rows.iter().map(|row| row.held_out).chain([before]).all(|loss| loss.is_some_and(f64::is_finite)));
    let weights = run.write_network().expect("a network");
    let weights = Weights::from_bytes(&weights.to_bytes(), 64).expect("a network that can be read");
    for drawn in run.held_out.iter().step_by(7) {
        let position = drawn.sample.position.unpack().expect("a legal position");
        let exact = kernel::output(run.layout, &run.expanded, drawn) * OUTPUT_SCALE as f32;
        let rounded = weights.evaluate(&position) as f32;
        assert!((exact - rounded).abs() < 12.0, "{exact} became {rounded} in {position:?}");
    }
}

#[test]
fn senseless_arguments_are_refused_by_name() {
    let dir = tempfile::tempdir().expect("a directory");
    let args = || args(dir.path(), "a");
    let mut bad = vec![
        ("--hidden", Args { hidden: 100, ..args() }),
        ("--hidden", Args { hidden: 0, ..args() }),
        ("--hidden", Args { hidden: 6_400_000, ..args() }),
        ("--hidden", Args { hidden: usize::MAX - 63, ..args() }),
        ("--threads", Args { threads: 0, ..args() }),
        ("--threads", Args { threads: 100_000, ..args() }),
        ("batch", Args { batch: 1 << 30, ..args() }),
        ("--result-share", Args { result_share: 1.5, ..args() }),
        ("--result-share", Args { result_share: f32::NAN, ..args() }),
        ("--lambda", Args { lambda: f64::NAN, ..args() }),
        ("--max-score", Args { max_score: -1, ..args() }),
    ];
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e-3] {
        bad.extend([
            ("--rate", Args { rate: number, ..args() }),
            ("--last-rate", Args { last_rate: number, ..args() }),
            ("--decay", Args { decay: number, ..args() }),
        ]);
    }
    for (name, bad) in bad {
        let error = run(&bad).expect_err(name).to_string();
        assert!(error.contains(name), "{name}: {error}");
    }
}

/// Numbers beyond all bounds: losses that are none, and weights that are finite but too large for the format.
#[test]
fn a_training_that_goes_wild_leaves_no_network() {
    let dir = tempfile::tempdir().expect("a directory");
    for rate in [1e38, 1e4] {
        let wild = Args { rate, last_rate: rate, ..args(dir.path(), &format!("wild{rate}")) };
        let error = run(&wild).expect_err("no network").to_string();
        assert!(error.contains("--rate"), "{error}");
        assert!(!wild.file("phnn").exists());
    }
}

#[test]
fn data_that_have_changed_are_another_run() {
    let dir = tempfile::tempdir().expect("a directory");
    let begun = args(dir.path(), "net");
    run(&begun).expect("a run");
    let before = network(&begun);
    // The same games with other scores: as many games and positions, under the same name.
    let path = data(dir.path());
    let mut games = Vec::new();
    read_files(std::slice::from_ref(&path), |game| games.push(game)).expect("data");
    fs::remove_file(&path).expect("a file");
    let (mut writer, _) = Writer::open(&path, "{}").expect("a new file");
    for mut game in games {
        game.plies.iter_mut().for_each(|ply| ply.score = -ply.score);
        writer.add(&game).expect("room on the disk");
    }
    writer.flush().expect("room on the disk");
    let resume = || Args { resume: true, ..args(dir.path(), "net") };
    let error = format!("{:#}", run(&resume()).expect_err("other data"));
    assert!(error.contains("net.ckpt: not begun with this data: games.xqg"), "{error}");
    // A run that begins anew and is interrupted in its first epoch leaves nothing of the one before to go on with.
    let again = Args { force: true, ..args(dir.path(), "net") };
    let dataset = Dataset::load(&again.data, Filter { max_score: 2500 }, 0.5).expect("data");
    Run::new(&again, &dataset).expect("a run").begin().expect("a checkpoint");
    run(&resume()).expect("the whole run");
    let anew = args(dir.path(), "anew");
    run(&anew).expect("a run");
    assert!(network(&begun) == network(&anew) && network(&begun) != before);
}

#[test]
fn every_file_is_spared_and_written() {
    let dir = tempfile::tempdir().expect("a directory");
    for extension in ["phnn", "ckpt", "csv", "svg"] {
        let args = args(dir.path(), extension);
        fs::write(args.file(extension), "mine").expect("room on the disk");
        let error = run(&args).expect_err("a file stands there").to_string();
        assert!(error.ends_with("--force replaces it"), "{error}");
        assert_eq!(fs::read(args.file(extension)).expect("the file"), b"mine");
    }
    // The curve of a run whose epochs are all done, but which could not write it.
    let done = args(dir.path(), "done");
    run(&done).expect("a run");
    let curve = || ["csv", "svg"].map(|extension| fs::read(done.file(extension)).expect("a file"));
    let written = curve();
    for extension in ["csv", "svg"] {
        fs::remove_file(done.file(extension)).expect("a file");
    }
    run(&Args { resume: true, ..args(dir.path(), "done") }).expect("nothing is left to learn");
    assert!(curve() == written && !done.file("lock").exists());
}

#[test]
fn one_run_at_a_time_writes_its_files() {
    let dir = tempfile::tempdir().expect("a directory");
    let args = args(dir.path(), "net");
    let lock = Lock::take(args.file("lock")).expect("nobody has it");
    let error = run(&args).expect_err("two runs").to_string();
    assert!(error.contains("another run writes there") && args.file("lock").exists(), "{error}");
    drop(lock);
    run(&args).expect("the only run");
}

/// Games whose numbers are no multiples of 20.
#[test]
fn without_games_held_out_nothing_is_said_of_them() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("games.xqg");
    let (mut writer, _) = Writer::open(&path, "{}").expect("a new file");
    for number in 1..20 {
        writer.add(&random_game(number)).expect("room on the disk");
    }
    writer.flush().expect("room on the disk");
    let args = Args { max_score: i16::MAX, epochs: 1, ..args(dir.path(), "net") };
    run(&args).expect("a run");
    let csv = fs::read_to_string(args.file("csv")).expect("a table");
    assert!(csv.lines().count() > 1 && csv.lines().skip(1).all(|line| line.ends_with(',')), "{csv}");
    let row = Row { step: 9, epoch: 1, rate: 1e-3, training: 0.25, held_out: None };
    assert_eq!(row.to_string(), "loss 0.250000, no games held out");
}
