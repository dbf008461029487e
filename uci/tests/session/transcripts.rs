//! Dialogues from `tests/data/transcripts`, one file a topic.
//!
//! `> ` is a line to send, `>+ ` one to send in one piece with the next, `< ` the very next line expected, `<^ ` what the next line begins
//! with, `<~ ` what the next line that is no report of the search begins with, `<* ` one to skip to, `.` a moment in which nothing may
//! come. After the last line the input ends and nothing more may come, except what follows `> quit`.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::harness::Dialogue;

fn play(name: &str, text: &str) {
    let mut dialogue = Dialogue::start();
    let mut ahead = String::new();
    for (i, line) in text.lines().enumerate() {
        let place = || format!("{name}:{}: {line}", i + 1);
        dialogue.place = place();
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        match mark {
            "" | "#" => {}
            ">+" => ahead.extend([rest, "\n"]),
            ">" => dialogue.send(&(std::mem::take(&mut ahead) + rest)),
            "<" => assert_eq!(dialogue.next().as_deref(), Some(rest), "{}", place()),
            "<^" => {
                let got = dialogue.next().unwrap_or_default();
                assert!(got.starts_with(rest), "{}\ngot: {got}", place());
            }
            "<~" => loop {
                let got = dialogue.next().unwrap_or_else(|| panic!("{}: the dialogue ended", place()));
                if !got.starts_with("info depth") {
                    assert!(got.starts_with(rest), "{}\ngot: {got}", place());
                    break;
                }
            },
            "<*" => drop(dialogue.until(rest)),
            "." => assert_eq!(dialogue.within(Duration::from_millis(80)), None, "{}", place()),
            _ => panic!("{}: not a line of a transcript", place()),
        }
    }
    assert_eq!(dialogue.close(), Vec::<String>::new(), "{name}: said at the end");
}

#[test]
fn every_transcript() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/transcripts");
    let mut plays = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a text");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        plays.push(thread::spawn(move || play(&name, &text)));
    }
    assert!(plays.len() >= 25, "only {} transcripts were found", plays.len());
    let failed = plays.into_iter().filter_map(|play| play.join().err()).count();
    assert_eq!(failed, 0, "transcripts failed, see above");
}
