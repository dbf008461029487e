//! Text files that must be UTF-8: cases, suites, openings.

use anyhow::{Context as _, anyhow};
use std::path::Path;

/// The text of a file, without the byte order mark that editors on Windows put in front and the marks of the end that old systems add.
///
/// # Errors
/// When the file cannot be read or is not UTF-8: the message names the file and the line.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].split(|&byte| byte == b'\n').count();
        anyhow!("{}, line {line}: not UTF-8", path.display())
    })?;
    let whole = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(whole.trim_end_matches(['\x1a', '\0']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_is_no_text_is_named_with_its_line() -> anyhow::Result<()> {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), b"one\ntwo\nth\xffree\n")?;
        let error = read(file.path()).expect_err("not UTF-8").to_string();
        assert!(error.ends_with(", line 3: not UTF-8"), "{error}");
        std::fs::write(file.path(), "\u{feff}one\n\x1a\0")?;
        assert_eq!(read(file.path())?, "one\n");
        std::fs::write(file.path(), "\u{feff}one\n")?;
        assert_eq!(read(file.path())?, "one\n");
        Ok(())
    }
}
