//! The README shows the options as the code has them.
//!
//! After a change of the options, `UPDATE_README=1 cargo test -p phao --test readme` writes the table anew.

use std::env;
use std::fs;
use std::path::Path;

use uci::help::options_table;

const BEGIN: &str = "<!-- options: written and compared by uci/tests/readme.rs -->\n";
const END: &str = "<!-- end of options -->";

#[test]
fn the_options_table_is_that_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(&path).expect("the README");
    let (before, rest) = readme.split_once(BEGIN).expect("the marker before the table");
    let (table, after) = rest.split_once(END).expect("the marker after the table");
    let expected = format!("\n{}\n", options_table());
    if env::var_os("UPDATE_README").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{expected}{END}{after}"))
            .expect("the README can be written");
    } else {
        assert_eq!(table, expected, "run: UPDATE_README=1 cargo test -p phao --test readme");
    }
}
