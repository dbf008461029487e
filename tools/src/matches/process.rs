//! A child process that speaks in lines: an engine as the operating system sees it.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read as _, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};

use super::config::EngineConfig;

/// How often a waiting reader looks whether the match has been stopped.
const POLL: Duration = Duration::from_millis(100);
/// How long a process may take to leave after `quit`, and a dead one to be reported by the system.
const LEAVE: Duration = Duration::from_secs(1);
/// So many lines wait to be looked at; an engine that writes more, as some do while they ponder, has to wait itself.
const MAX_LINES: usize = 1 << 13;
/// A longer line, in bytes, is taken for several ones.
const MAX_LINE: u64 = 1 << 14;

/// Why an engine gave no usable answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The program could not be started.
    #[error("cannot start {command:?}: {fault}")]
    Spawn {
        /// The command line.
        command: String,
        /// What the system says.
        fault: std::io::Error,
    },
    /// The process has ended or closed its output.
    #[error("the process ended ({status})")]
    Died {
        /// Its exit status, as text.
        status: String,
    },
    /// It never finished its greeting.
    #[error("no answer to {greeting:?}")]
    NoHandshake {
        /// The word it was greeted with.
        greeting: &'static str,
    },
    /// No reply within the time it had.
    #[error("no reply to {request:?}")]
    TimedOut {
        /// What it was asked.
        request: &'static str,
    },
    /// It does something the runner cannot work with.
    #[error("{0}")]
    Unusable(String),
    /// The match was stopped while we waited.
    #[error("interrupted")]
    Interrupted,
}

/// Records the whole dialogue with every engine, with times.
#[derive(Debug)]
pub struct DialogueLog {
    file: Mutex<File>,
    start: Instant,
}

impl DialogueLog {
    /// Starts a log in `file`.
    pub fn new(file: File) -> Self {
        Self { file: Mutex::new(file), start: Instant::now() }
    }

    fn write(&self, engine: &str, arrow: char, text: &str) {
        // A log that cannot be written is no reason to stop a match.
        if let Ok(mut file) = self.file.lock() {
            let _ = writeln!(file, "{:10.3} {engine} {arrow} {text}", self.start.elapsed().as_secs_f64());
        }
    }
}

/// What engines share with the match they play in.
#[derive(Debug, Default)]
pub struct Surroundings {
    /// Set when the match is to end at once.
    pub stop: AtomicBool,
    /// The dialogue log, if one is kept.
    pub log: Option<DialogueLog>,
}

/// A line and the moment it arrived.
#[derive(Debug)]
pub struct Line {
    /// When the reader thread had it.
    pub at: Instant,
    /// Its text, without blanks at the ends.
    pub text: String,
}

/// A running engine. Killed when dropped.
#[derive(Debug)]
pub struct Process<'a> {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    /// A line that arrived after the deadline of whoever waited.
    late: Option<Line>,
    surroundings: &'a Surroundings,
    /// How it is called in the dialogue log.
    label: String,
    /// Its number may belong to another process by now.
    is_killed: bool,
}

impl<'a> Process<'a> {
    /// Starts the program of `config`.
    ///
    /// # Errors
    /// [`EngineError::Spawn`].
    pub fn start(config: &EngineConfig, surroundings: &'a Surroundings) -> Result<Self, EngineError> {
        let error = |fault| EngineError::Spawn { command: config.command.join(" "), fault };
        let mut words = config.command.iter();
        let program = words.next().cloned().unwrap_or_default();
        // A relative path means the same place whatever the working directory of the engine is. Links stay: to a Python in
        // a virtual environment its own path tells which one.
        let path = match std::path::Path::new(&program) {
            path if path.components().count() > 1 => std::path::absolute(path).map_err(error)?,
            path => path.to_owned(),
        };
        let mut command = Command::new(path);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(directory) = &config.directory {
            command.current_dir(directory);
        }
        if let Some(file) = &config.stderr {
            let file = OpenOptions::new().create(true).append(true).open(file).map_err(error)?;
            command.stderr(file);
        }
        own_group(&mut command);
        let mut child = command.spawn().map_err(error)?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take();
        let (sender, lines) = crossbeam_channel::bounded(MAX_LINES);
        let read = move || {
            let Some(stdout) = stdout else { return };
            let mut reader = BufReader::new(stdout);
            let mut raw = Vec::new();
            loop {
                raw.clear();
                match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut raw) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                let line = Line { at: Instant::now(), text: String::from_utf8_lossy(&raw).trim().to_owned() };
                if sender.send(line).is_err() {
                    return;
                }
            }
        };
        let label = format!("{program}[{}]", child.id());
        // Without the thread the process ends with this.
        let process = Self { child, stdin, lines, late: None, surroundings, label, is_killed: false };
        std::thread::Builder::new().spawn(read).map_err(error)?;
        Ok(process)
    }

    /// Writes one line.
    ///
    /// # Errors
    /// [`EngineError::Died`] when the process does not read any more.
    pub fn send(&mut self, text: &str) -> Result<(), EngineError> {
        if let Some(log) = &self.surroundings.log {
            log.write(&self.label, '<', text);
        }
        let written =
            self.stdin.as_mut().is_some_and(|stdin| stdin.write_all(format!("{text}\n").as_bytes()).is_ok());
        if written { Ok(()) } else { Err(self.death()) }
    }

    /// The next line that arrives before `deadline`; `None` when there is none.
    ///
    /// # Errors
    /// [`EngineError::Died`] or [`EngineError::Interrupted`].
    pub fn receive(&mut self, deadline: Instant) -> Result<Option<Line>, EngineError> {
        loop {
            if self.surroundings.stop.load(Ordering::Relaxed) {
                return Err(EngineError::Interrupted);
            }
            let wait = deadline.saturating_duration_since(Instant::now());
            let received = self.late.take().map_or_else(|| self.lines.recv_timeout(wait.min(POLL)), Ok);
            match received {
                // However much an engine writes, it does not get more time.
                Ok(line) if line.at > deadline => {
                    self.late = Some(line);
                    return Ok(None);
                }
                Ok(line) => {
                    if let Some(log) = &self.surroundings.log {
                        log.write(&self.label, '>', &line.text);
                    }
                    return Ok(Some(line));
                }
                Err(RecvTimeoutError::Timeout) if wait <= POLL => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.death()),
            }
        }
    }

    /// Forgets what has arrived so far.
    pub fn drain(&mut self) {
        self.late = None;
        // So many at most: one that floods would keep us here.
        self.lines.try_iter().take(MAX_LINES).for_each(drop);
    }

    /// Whether the process still runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The error of a process that has ended; an interrupted match is none of its faults.
    fn death(&mut self) -> EngineError {
        if self.surroundings.stop.load(Ordering::Relaxed) {
            return EngineError::Interrupted;
        }
        let status = self.wait(LEAVE).unwrap_or_else(|| "output closed".to_owned());
        EngineError::Died { status }
    }

    /// Waits for the end of the process.
    fn wait(&mut self, patience: Duration) -> Option<String> {
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    /// Asks the process to leave and makes sure that it does.
    pub fn quit(&mut self) {
        if self.is_alive() {
            let _ = self.send("quit");
            self.stdin = None;
            if self.wait(LEAVE).is_some() {
                return;
            }
        }
        self.kill();
    }

    /// Ends the process at once, and the engine that a script has started in its place.
    pub fn kill(&mut self) {
        if std::mem::replace(&mut self.is_killed, true) {
            return;
        }
        kill_group(&self.child);
        // It may be gone already, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        self.quit();
    }
}

/// Keeps the Ctrl-C of the terminal away from the engine: the runner decides what happens to it.
#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

/// Keeps the Ctrl-C of the console away from the engine.
#[cfg(windows)]
fn own_group(command: &mut Command) {
    use std::os::windows::process::CommandExt as _;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

#[cfg(not(any(unix, windows)))]
fn own_group(_: &mut Command) {}

/// Ends all processes of the group that [`own_group`] has made.
#[cfg(unix)]
fn kill_group(leader: &Child) {
    use nix::sys::signal::{Signal, killpg};
    // Without members there is no such group any more, which is as good.
    let _ = killpg(nix::unistd::Pid::from_raw(leader.id() as i32), Signal::SIGKILL);
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> EngineConfig {
        let command = ["/bin/sh", "-c", script].map(str::to_owned).to_vec();
        EngineConfig { command, ..EngineConfig::default() }
    }

    /// What does not end is not waited for: lines without number, and a line without end.
    #[test]
    fn a_flood_does_not_put_off_the_deadline() {
        let surroundings = Surroundings::default();
        for flood in ["exec yes info depth 3", "exec tr '\\0' x </dev/zero"] {
            let mut process = Process::start(&shell(flood), &surroundings).expect("a shell");
            let deadline = Instant::now() + Duration::from_millis(300);
            while process.receive(deadline).expect("it runs").is_some() {
                assert!(deadline.elapsed() < Duration::from_secs(20), "{flood}");
            }
            assert!(process.lines.len() <= MAX_LINES);
            process.drain();
            process.kill();
        }
    }

    #[test]
    fn a_line_that_is_late_is_kept_for_the_next_question() {
        let surroundings = Surroundings::default();
        let mut process =
            Process::start(&shell("echo early; sleep 0.3; echo late"), &surroundings).expect("a shell");
        let start = Instant::now();
        assert_eq!(
            process.receive(start + LEAVE).expect("it runs").map(|line| line.text),
            Some("early".to_owned())
        );
        std::thread::sleep(Duration::from_millis(600));
        assert!(process.receive(start).expect("a line waits").is_none());
        assert_eq!(
            process.receive(start + LEAVE).expect("it waits").map(|line| line.text),
            Some("late".to_owned())
        );
    }

    #[test]
    fn an_engine_behind_a_script_is_killed_with_it() {
        let surroundings = Surroundings::default();
        let script = "sleep 1000 & echo $!; wait";
        let mut process = Process::start(&shell(script), &surroundings).expect("a shell");
        let line = process.receive(Instant::now() + 10 * LEAVE).expect("it runs").expect("a number");
        let engine = nix::unistd::Pid::from_raw(line.text.parse().expect("a number"));
        process.kill();
        let deadline = Instant::now() + 10 * LEAVE;
        // Whoever inherits it may not have taken note of its end: a zombie is dead as well.
        let is_alive = || {
            let stat = std::fs::read_to_string(format!("/proc/{engine}/stat")).unwrap_or_default();
            nix::sys::signal::kill(engine, None).is_ok() && !stat.contains(") Z ")
        };
        while is_alive() {
            assert!(Instant::now() < deadline, "{engine} lives");
            std::thread::sleep(POLL);
        }
    }

    /// A Python finds its virtual environment by the path of the link that starts it.
    #[test]
    fn a_link_is_started_by_its_own_path() {
        let directory = tempfile::tempdir().expect("a directory");
        let link = directory.path().join("link");
        std::os::unix::fs::symlink("/bin/sh", &link).expect("a link");
        let command = [link.to_str().expect("a plain path"), "-c", "echo $0"].map(str::to_owned).to_vec();
        let config = EngineConfig { command, ..EngineConfig::default() };
        let surroundings = Surroundings::default();
        let mut process = Process::start(&config, &surroundings).expect("a shell");
        let line = process.receive(Instant::now() + 10 * LEAVE).expect("it runs").expect("its name");
        assert!(line.text.ends_with("/link"), "{}", line.text);
    }
}
