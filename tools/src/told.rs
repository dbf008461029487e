//! Errors as a person reads them.

/// An error with its causes, each of them once: many errors of other libraries tell their cause in a text of their own.
pub fn told(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::data::DataError;
    use crate::games::{Problem, WriteError};
    use crate::matches::process::EngineError;

    #[test]
    fn a_cause_is_told_once() {
        let missing = walkdir::WalkDir::new("no/such/folder").into_iter().find_map(Result::err);
        let error = anyhow::Error::from(missing.expect("there is none")).context("no/such");
        assert_eq!(told(&error).matches("(os error 2)").count(), 1, "{}", told(&error));
        let error = anyhow::anyhow!("full").context("cannot write a").context("convert");
        assert_eq!(told(&error), "convert: cannot write a: full");
    }

    #[test]
    fn no_error_tells_its_source_in_its_own_text() {
        let io = || std::io::Error::other("the cause");
        let fen = || movegen::Position::from_fen("9/9").expect_err("two rows");
        let move_fault = movegen::notation::Notation::COORDINATE.read(&movegen::Position::startpos(), "x");
        let fault = move_fault.expect_err("no move");
        let errors: Vec<Box<dyn Error>> = vec![
            Box::new(Problem::Io(io())),
            Box::new(Problem::Fen(fen())),
            Box::new(Problem::Move { number: 1, in_variation: false, fault }),
            Box::new(WriteError::Io(io())),
            Box::new(DataError::Io { path: PathBuf::from("a"), fault: io() }),
            Box::new(EngineError::Spawn { command: "x".to_owned(), fault: io() }),
            Box::new(engine::book::BookError::Io(io())),
            Box::new(fen()),
        ];
        for error in errors {
            let mut error: &dyn Error = error.as_ref();
            while let Some(source) = error.source() {
                assert!(!error.to_string().contains(&source.to_string()), "{error} tells {source}");
                error = source;
            }
        }
    }

    /// The declarations of all crates: a variant whose text shows a field does not have that field as its source.
    #[test]
    fn no_declared_error_has_a_source_that_its_text_shows() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut declared = 0;
        for folder in ["movegen", "search", "engine", "uci", "tools"] {
            let files = walkdir::WalkDir::new(root.join(folder).join("src")).into_iter();
            for entry in files.map(|entry| entry.expect("our own folder")) {
                if entry.path().extension().is_none_or(|extension| extension != "rs") {
                    continue;
                }
                let text = fs::read_to_string(entry.path()).expect("our own file");
                for variant in text.split("#[error(").skip(1).filter(|rest| rest.starts_with(['"', '\n'])) {
                    declared += 1;
                    let (shown, fields) = variant.split_once(")]").expect("the end of the attribute");
                    let fields = fields.split("\n}").next().unwrap_or_default();
                    let has_source = fields.contains("#[from]") || fields.contains("#[source]");
                    let shows = shown.contains("{0") || shown.contains(".0");
                    assert!(!(has_source && shows), "{}: {variant}", entry.path().display());
                    assert!(!shown.contains("{source"), "{}: {variant}", entry.path().display());
                }
            }
        }
        assert!(declared > 50, "{declared} found");
    }
}
