use super::*;
use crate::data::{Writer, testing::random_game};
use std::path::Path;

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
    first.epoch(&ProgressBar::hidden());
    first.state.epochs += 1;
    checkpoint::save(&parts.file("ckpt"), &first.state, &first.params, &first.optimiser)
        .expect("a checkpoint");
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
    assert!(before.is_finite() && rows.iter().all(|row| row.held_out.is_finite()));
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
fn senseless_arguments_are_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    for bad in [
        Args { hidden: 100, ..args(dir.path(), "a") },
        Args { threads: 0, ..args(dir.path(), "a") },
        Args { batch: 1 << 30, ..args(dir.path(), "a") },
        Args { result_share: 1.5, ..args(dir.path(), "a") },
    ] {
        assert!(run(&bad).is_err());
    }
}
