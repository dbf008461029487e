//! The README lists the subcommands as `xq --help` does.
//!
//! After a change of the subcommands, `UPDATE_README=1 cargo test -p phao-tools --test readme` writes the table anew.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

const BEGIN: &str = "<!-- subcommands: written and compared by tools/tests/readme.rs -->\n";
const END: &str = "<!-- end of subcommands -->";

/// The section `Commands:` of the help as a table.
fn table() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_xq")).arg("--help").output().expect("the program starts");
    let help = String::from_utf8(output.stdout).expect("UTF-8");
    let (_, commands) = help.split_once("Commands:\n").expect("a list of subcommands");
    let mut table = "\n| subcommand | what it does |\n|---|---|\n".to_owned();
    for line in commands.lines().take_while(|line| !line.is_empty()) {
        let (name, about) = line.trim().split_once(' ').expect("a name and what it does");
        if name != "help" {
            let _ = writeln!(table, "| `xq {name}` | {} |", about.trim());
        }
    }
    table + "\n"
}

#[test]
fn the_subcommands_are_those_of_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(&path).expect("the README");
    let (before, rest) = readme.split_once(BEGIN).expect("the marker before the table");
    let (shown, after) = rest.split_once(END).expect("the marker after the table");
    let expected = table();
    if env::var_os("UPDATE_README").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{expected}{END}{after}"))
            .expect("the README can be written");
    } else {
        assert_eq!(shown, expected, "run: UPDATE_README=1 cargo test -p phao-tools --test readme");
    }
}
