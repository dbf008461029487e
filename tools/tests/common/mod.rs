//! What several tests of `xq` need.

use std::path::PathBuf;
#[cfg(unix)]
use std::process::{Child, Command, Output};
#[cfg(unix)]
use std::time::{Duration, Instant};

/// Interrupts `xq` as Ctrl-C does once `is_time`, and waits for its end.
#[cfg(unix)]
pub(crate) fn interrupt_when(child: Child, is_time: impl Fn() -> bool) -> Output {
    let start = Instant::now();
    while !is_time() {
        assert!(start.elapsed() < Duration::from_mins(1), "no games are played");
        std::thread::sleep(Duration::from_millis(10));
    }
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(signal.success());
    let output = child.wait_with_output().expect("xq ends");
    assert_eq!(output.status.code(), Some(130));
    output
}

/// The fake engine, which cargo builds beside this test.
pub(crate) fn fake() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let target = test.ancestors().nth(2).expect("target/PROFILE/deps/test").to_owned();
    let path = target.join("examples").join(format!("fake_engine{}", std::env::consts::EXE_SUFFIX));
    assert!(path.exists(), "{} is missing: run `cargo test -p phao-tools` without --test", path.display());
    path
}
