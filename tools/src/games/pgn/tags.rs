//! The tags of PGN on their lines, as bytes: `[Name "value"]`, and what programs and people make of it.
//!
//! Blanks may stand around the name and the value, and several tags may share a line, with comments between them. Values without
//! quotes, with a quote too few or with quotes in them that are not escaped are read as far as what follows shows their end.

/// A tag as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    pub(super) name: &'a [u8],
    /// Without its quotes, with its escapes; none of a tag that has lost its end.
    pub(super) value: Option<&'a [u8]>,
    /// From the bracket that opens it to the one that closes it.
    pub(super) length: usize,
}

impl<'a> Tag<'a> {
    /// The tag that a text of one line begins with.
    ///
    /// What follows a tag is another one, a comment or moves. A closing bracket that something else follows is of the value, if
    /// another one may be its end.
    pub(super) fn read(line: &'a [u8]) -> Option<Self> {
        let (name, written) = named(line)?;
        let begin = line.len() - written.len();
        let tag = |value: &'a [u8], closed: usize| Self { name, value: Some(value), length: begin + closed };
        let open = Self { name, value: None, length: line.len() };
        if written.is_empty() {
            return Some(open);
        }
        let Some(quoted) = written.strip_prefix(b"\"") else {
            let end = (0..written.len()).find(|&at| written[at] == b']' && may_follow(&written[at + 1..]))?;
            return Some(tag(written[..end].trim_ascii_end(), end + 1));
        };
        let strict = unescaped_quote(quoted).and_then(|at| Some((at, closed(&quoted[at..])?)));
        let strict = strict.map(|(at, length)| (at, at + length));
        let sloppy = || {
            (0..quoted.len()).find_map(|at| {
                let length = match quoted[at] {
                    b'"' => closed(&quoted[at..])?,
                    b']' => 1,
                    _ => return None,
                };
                may_follow(&quoted[at + length..]).then_some((at, at + length))
            })
        };
        let found = strict.filter(|&(_, end)| may_follow(&quoted[end..])).or_else(sloppy).or(strict);
        Some(found.map_or(open, |(at, end)| tag(&quoted[..at], 1 + end)))
    }
}

/// The name of the tag that a line begins, or as much of it as there is, and what follows it, from the value on.
fn named(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let body = line.strip_prefix(b"[")?.trim_ascii_start();
    let length = body.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
    let (name, rest) = body.split_at(length);
    let value = rest.trim_ascii_start();
    let is_apart = value.len() < rest.len() || value.starts_with(b"\"");
    (value.is_empty() || (is_apart && length > 0)).then_some((name, value))
}

/// Where the first quote stands that is not escaped.
fn unescaped_quote(value: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    value.iter().position(|&byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })
}

/// How long a quote is with the bracket that closes its tag, blanks between them.
fn closed(text: &[u8]) -> Option<usize> {
    let rest = text.get(1..)?.trim_ascii_start();
    rest.starts_with(b"]").then(|| text.len() - rest.len() + 1)
}

/// Whether a tag may end before this: at the end of its line, before a comment or before another tag.
fn may_follow(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let Some(first) = text.first() else { return true };
    if matches!(first, b';' | b'{') {
        return true;
    }
    let Some((_, value)) = named(text).filter(|(name, _)| !name.is_empty()) else { return false };
    if let Some(quoted) = value.strip_prefix(b"\"") {
        // `[a "b"] [c"]` is one tag.
        return !quoted.starts_with(b"]");
    }
    // And so is `[a "b"] [c d"]`.
    let end = value.iter().position(|byte| matches!(byte, b']' | b'"'));
    end.is_none_or(|end| value[end] == b']')
}

/// The tags that a line begins with, and where what follows them begins: it is nothing, moves or a comment.
pub(super) fn read_line(line: &[u8]) -> (Vec<Tag<'_>>, usize) {
    let mut at = line.len() - without_mark(line).len();
    let (mut tags, mut end) = (Vec::new(), at);
    loop {
        let rest = line[at..].trim_ascii_start();
        at = line.len() - rest.len();
        // A comment between two tags.
        if !tags.is_empty()
            && rest.starts_with(b"{")
            && let Some(length) = rest.iter().position(|&byte| byte == b'}')
        {
            at += length + 1;
            continue;
        }
        let Some(tag) = Tag::read(rest) else { return (tags, end) };
        at += tag.length;
        end = at;
        tags.push(tag);
    }
}

/// What follows the whole tags of a line.
pub(super) fn after_tags(line: &[u8]) -> &[u8] {
    match read_line(line) {
        (tags, end) if tags.last().is_some_and(|tag| tag.value.is_none()) => {
            &line[end - tags.last().map_or(0, |tag| tag.length)..]
        }
        (_, end) => &line[end..],
    }
}

/// The tag that a line begins with, be it whole or without its end.
pub(super) fn first(line: &[u8]) -> Option<Tag<'_>> {
    Tag::read(without_mark(line))
}

/// The name of a tag that a line begins with, be it whole or without its end.
pub(in crate::games) fn begun_tag(line: &[u8]) -> Option<&[u8]> {
    first(line).map(|tag| tag.name)
}

/// A line without a byte order mark.
fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line, the names and values of its tags, and what follows them.
    type Case = (&'static str, &'static [(&'static str, Option<&'static str>)], &'static str);

    #[test]
    fn tags_are_read_one_by_one() {
        let cases: [Case; 18] = [
            ("[Event \"a\"]", &[("Event", Some("a"))], ""),
            ("[ Event \"a\" ]", &[("Event", Some("a"))], ""),
            ("[Event \"a\"] [Site \"b]", &[("Event", Some("a")), ("Site", Some("b"))], ""),
            ("[Event \"a] [Site \"b\"]", &[("Event", Some("a")), ("Site", Some("b"))], ""),
            ("[Event \"a\"] [FEN 4k4 w]", &[("Event", Some("a")), ("FEN", Some("4k4 w"))], ""),
            ("[FEN 4k4 w] [Event \"a\"]", &[("FEN", Some("4k4 w")), ("Event", Some("a"))], ""),
            ("[A \"The \"B\"\"] [C \"d\"]", &[("A", Some("The \"B\"")), ("C", Some("d"))], ""),
            ("[A \"b\"] [C \"d", &[("A", Some("b")), ("C", None)], ""),
            ("[A \"b\"] ; [C \"d\"]", &[("A", Some("b"))], " ; [C \"d\"]"),
            ("[A \"b\"] {x} [C \"d\"] {y}", &[("A", Some("b")), ("C", Some("d"))], " {y}"),
            ("[A \"b\"] 1. h2e2 *", &[("A", Some("b"))], " 1. h2e2 *"),
            ("[A \"b\"] [c\"]", &[("A", Some("b\"] [c"))], ""),
            ("[A \"b\"] [c d\"]", &[("A", Some("b\"] [c d"))], ""),
            ("[A \"b] [c d\"]", &[("A", Some("b] [c d"))], ""),
            ("[A \"b\\\"] [C \\\\\"][D\"e\"]", &[("A", Some("b\\\"] [C \\\\")), ("D", Some("e"))], ""),
            ("[A \"C:\\\"]", &[("A", Some("C:\\"))], ""),
            ("[Ev", &[("Ev", None)], ""),
            ("[Red wins] he said", &[], "[Red wins] he said"),
        ];
        for (line, due, rest) in cases {
            let (tags, end) = read_line(line.as_bytes());
            let text = |bytes| std::str::from_utf8(bytes).expect("text");
            let tags: Vec<_> = tags.iter().map(|tag| (text(tag.name), tag.value.map(text))).collect();
            assert_eq!((&tags[..], &line[end..]), (due, rest), "{line}");
        }
    }
}
