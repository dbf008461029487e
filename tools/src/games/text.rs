//! Helpers of the readers of texts and web pages.

use super::encoding::Decoded;
use super::error::{Damaged, GameError, Place};
use super::game::Game;

/// What was read from a text, its damage and warnings, with that of the text itself, told as lines and columns of the file, in which the text begins at
/// `start`.
pub(super) fn placed(
    read: Result<Game, Damaged>,
    decoded: &Decoded<'_>,
    number: usize,
    start: (usize, usize),
) -> Result<Game, GameError> {
    let text: &str = &decoded.text;
    // In the order of the text, each place from the one before: a hostile game has as many warnings as words.
    let tell = |game: &mut Game| {
        game.warnings.extend(decoded.warning.clone());
        let mut waiting: Vec<(usize, &mut Place)> = Vec::new();
        for warning in &mut game.warnings {
            warning.game = number;
            if let Place::Byte(offset) = warning.place {
                waiting.push((text.floor_char_boundary(offset), &mut warning.place));
            }
        }
        waiting.sort_by_key(|&(offset, _)| offset);
        let (mut at, mut known) = (0, start);
        for (offset, told) in waiting {
            *told = place(&text[at..], offset - at, known);
            if let Place::Line { line, column } = *told {
                (at, known) = (offset, (line, column));
            }
        }
    };
    match read {
        Ok(mut game) => {
            tell(&mut game);
            Ok(game)
        }
        Err((offset, problem, mut partial)) => {
            if let Some(game) = &mut partial {
                tell(game);
            }
            Err(GameError { game: number, place: place(text, offset, start), problem, partial })
        }
    }
}

/// The line and column of a byte of a text that begins at `(line, column)` of its file.
pub(super) fn place(text: &str, offset: usize, (line, column): (usize, usize)) -> Place {
    let before = &text[..text.floor_char_boundary(offset)];
    match before.rfind('\n') {
        Some(last) => Place::Line {
            line: line + before.matches('\n').count(),
            column: before[last + 1..].chars().count() + 1,
        },
        None => Place::Line { line, column: column + before.chars().count() },
    }
}

/// Where an ASCII `needle` first occurs, in any letter case.
pub(super) fn find_ignore_case(text: &str, needle: &str) -> Option<usize> {
    let (first, rest) = needle.as_bytes().split_first()?;
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| byte.eq_ignore_ascii_case(first))?;
        let candidate = bytes.get(at + 1..at + 1 + rest.len())?;
        if candidate.eq_ignore_ascii_case(rest) {
            return Some(at);
        }
        at += 1;
    }
}

/// A text that remembers where its parts stood before markup was taken out.
#[derive(Debug)]
pub(super) struct Located<'a> {
    text: std::borrow::Cow<'a, str>,
    /// Offsets in `text` and in the original from which on both run in step.
    steps: Vec<(usize, usize)>,
}

impl<'a> Located<'a> {
    pub(super) fn plain(text: &'a str) -> Self {
        Self { text: text.into(), steps: Vec::new() }
    }

    /// The text of a piece of HTML: line breaks for `<br>` and block ends, no other tags, entities decoded.
    pub(super) fn from_html(html: &'a str) -> Self {
        if !html.contains(['<', '&']) {
            return Self::plain(html);
        }
        let mut text = String::with_capacity(html.len());
        let mut steps = Vec::new();
        let mut at = 0;
        let last_close = html.rfind('>').unwrap_or(0);
        while let Some(next) = html[at..].find(['<', '&']).map(|next| at + next) {
            text.push_str(&html[at..next]);
            let rest = &html[next..];
            let length = if let Some(inner) = rest.strip_prefix('<') {
                // A `<` that begins no tag stands for itself.
                let is_tag = inner.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'));
                let end = if is_tag && next < last_close { inner.find('>') } else { None };
                if let Some(end) = end {
                    if is_break(&inner[..end]) {
                        text.push('\n');
                    }
                    end + 2
                } else {
                    text.push('<');
                    1
                }
            } else {
                let end = rest.bytes().take(12).position(|byte| byte == b';').map_or(1, |end| end + 1);
                text.push_str(&html_escape::decode_html_entities(&rest[..end]));
                end
            };
            at = next + length;
            steps.push((text.len(), at));
        }
        text.push_str(&html[at..]);
        Self { text: text.into(), steps }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The offset in the original of an offset in the text.
    pub(super) fn origin(&self, offset: usize) -> usize {
        let index = self.steps.partition_point(|&(here, _)| here <= offset);
        match index.checked_sub(1).and_then(|index| self.steps.get(index)) {
            Some(&(here, there)) => there + (offset - here),
            None => offset,
        }
    }
}

fn is_break(tag: &str) -> bool {
    let name: String = tag.chars().take_while(|c| *c == '/' || c.is_ascii_alphanumeric()).collect();
    matches!(name.to_ascii_lowercase().as_str(), "br" | "br/" | "/p" | "/div" | "/tr" | "/li" | "p" | "div")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_from_where_the_text_begins() {
        let text = "ab\ncđe\nf";
        for (offset, line, column) in
            [(1, 5, 4), (3, 6, 1), (6, 6, 3), (7, 6, 4), (8, 7, 1), (5, 6, 2), (99, 7, 2)]
        {
            assert_eq!(place(text, offset, (5, 3)), Place::Line { line, column }, "{offset}");
        }
    }

    #[test]
    fn html_is_taken_out_and_places_kept() {
        let html = "a<b>1</b>&amp;c<br/>d < e";
        let located = Located::from_html(html);
        assert_eq!(located.text(), "a1&c\nd < e");
        let at = located.text().find('d').expect("there");
        assert_eq!(&html[located.origin(at)..], "d < e");
        assert_eq!(find_ignore_case("x[GaMe]", "[game]"), Some(1));
        assert_eq!(find_ignore_case("[gam", "[game]"), None);
    }
}
