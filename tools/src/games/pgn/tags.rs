//! The heads of PGN on their lines, as bytes: tags, `[Name "value"]`, and comments, and what programs and people make of them.
//!
//! Blanks may stand around the name and the value, and several tags may share a line, with comments between them. Values without
//! quotes, with a quote too few or with quotes in them that are not escaped are read as far as what follows shows their end.
//! The splitter and the reader both read lines by [`head`], so that they agree on what a game is.

use std::borrow::Cow;
use std::ops::Range;

/// A tag as it is written, as places in its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    /// From the bracket that opens it to the one that closes it.
    pub(super) place: Range<usize>,
    pub(super) name: Range<usize>,
    /// Without its quotes, with its escapes; none of a tag that has lost its end.
    pub(super) value: Option<Range<usize>>,
}

/// What stands in the head of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Tag(Tag),
    Comment {
        text: Range<usize>,
        /// It began on a line before.
        goes_on: bool,
        /// It ends on a line to come.
        is_open: bool,
    },
}

/// The tags and comments that a line begins with.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) parts: Vec<Part>,
    /// Where what follows them begins: nothing, or moves.
    pub(super) end: usize,
    /// A comment is open at the end.
    pub(super) is_open: bool,
}

impl Head {
    /// The tags, with or without their ends.
    pub(super) fn tags(&self) -> impl Iterator<Item = &Tag> {
        self.parts.iter().filter_map(|part| match part {
            Part::Tag(tag) => Some(tag),
            Part::Comment { .. } => None,
        })
    }

    /// The last tag, if its end is not on the line; nothing follows it then.
    pub(super) fn open_tag(&self) -> Option<&Tag> {
        match self.parts.last() {
            Some(Part::Tag(tag)) if tag.value.is_none() => Some(tag),
            _ => None,
        }
    }

    /// Whether the line begins in a comment of a line before.
    pub(super) fn goes_on(&self) -> bool {
        matches!(self.parts.first(), Some(Part::Comment { goes_on: true, .. }))
    }

    /// The first tag, if no comment stands before it.
    pub(super) fn first_tag(&self) -> Option<&Tag> {
        match self.parts.first() {
            Some(Part::Tag(tag)) => Some(tag),
            _ => None,
        }
    }

    /// The tag that may begin a game: after moves none that a comment stands before.
    pub(super) fn first_tag_of_game(&self, after_moves: bool) -> Option<&Tag> {
        if after_moves { self.first_tag() } else { self.tags().next() }
    }

    /// Where the tags end that no comment stands before, but for one that has lost its end.
    pub(super) fn after_tags(&self) -> usize {
        let whole = self.parts.iter().map_while(|part| match part {
            Part::Tag(tag) if tag.value.is_some() => Some(tag.place.end),
            _ => None,
        });
        whole.last().unwrap_or(0)
    }
}

/// Reads what a [`plain`] line begins with, inside a comment or not.
pub(super) fn head(plain: &[u8], in_comment: bool) -> Head {
    let mut head = Head { is_open: in_comment, ..Head::default() };
    let line_end = plain.len() - usize::from(plain.ends_with(b"\n"));
    if plain.starts_with(b"%") && !in_comment {
        head.end = line_end;
        return head;
    }
    let mut line = Line::new(plain);
    loop {
        let goes_on = head.is_open;
        let at = if goes_on { head.end } else { past_blanks(line.text, head.end) };
        match line.text.get(at) {
            _ if goes_on => {}
            Some(b'{' | b';') => {}
            Some(b'[') => {
                let Some(tag) = line.tag(at) else { return head };
                head.end = tag.place.end;
                let is_open = tag.value.is_none();
                head.parts.push(Part::Tag(tag));
                if is_open {
                    return head;
                }
                continue;
            }
            _ => return head,
        }
        let begin = at + usize::from(!goes_on);
        let is_remark = !goes_on && line.text[at] == b';';
        let closed = plain[begin..line_end].iter().position(|&byte| byte == b'}').filter(|_| !is_remark);
        let text = begin..closed.map_or(line_end, |length| begin + length);
        head.end = closed.map_or(line_end, |length| begin + length + 1);
        head.is_open = closed.is_none() && !is_remark;
        head.parts.push(Part::Comment { text, goes_on, is_open: head.is_open });
        if closed.is_none() {
            return head;
        }
    }
}

/// The name of a tag that a line begins with, be it whole or without its end.
pub(in crate::games) fn begun_tag(line: &[u8]) -> Option<&[u8]> {
    let plain = plain(line);
    let mut read = Line::new(&plain);
    let tag = read.tag(past_blanks(read.text, 0))?;
    Some(&line[tag.name])
}

/// A line for the eye of the syntax, each byte in its place: marks of the byte order and blanks of all kinds are blanks of ASCII,
/// and double-byte characters, the second byte of which may look like a bracket, a brace or a backslash, look like nothing.
pub(in crate::games) fn plain(line: &[u8]) -> Cow<'_, [u8]> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if line.is_ascii() && !line.contains(&b'\x0b') {
        return Cow::Borrowed(line);
    }
    let mut plain = line.to_vec();
    if is_mostly_utf8(line) {
        let mut at = 0;
        for chunk in line.utf8_chunks() {
            for c in chunk.valid().chars() {
                if (c.is_whitespace() && c != '\n') || c == '\u{feff}' {
                    plain[at..at + c.len_utf8()].fill(b' ');
                }
                at += c.len_utf8();
            }
            at += chunk.invalid().len();
        }
        return Cow::Owned(plain);
    }
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        let (length, with) = match *rest {
            _ if at == 0 && rest.starts_with(MARK) => (MARK.len(), b' '),
            // The wide blank of GBK, and that of Big5.
            [0xa1, 0xa1 | 0x40, ..] => (2, b' '),
            [0x81..=0xff, 0x30..=0xff, ..] => (2, 0x80),
            [first, ..] => (1, first),
            [] => break,
        };
        plain[at..at + length].fill(with);
        at += length;
    }
    Cow::Owned(plain)
}

/// Whether a line is UTF-8, be it with a few bytes that are not.
///
/// In text of double bytes most characters are bad UTF-8. By chance one in five or so is a sequence of two bytes, one in
/// fifty of three.
fn is_mostly_utf8(line: &[u8]) -> bool {
    let (mut bad, mut good) = (0, 0);
    for chunk in line.utf8_chunks() {
        bad += usize::from(!chunk.invalid().is_empty());
        good += chunk.valid().chars().map(|c| [0, 1, 4, 4][c.len_utf8() - 1]).sum::<usize>();
    }
    good >= 4 * bad
}

/// A plain line, whose tags are read one by one in a time that does not grow with their number.
struct Line<'a> {
    /// Without the blanks at its end.
    text: &'a [u8],
    /// Where the last well-formed tag begins that was looked for.
    next: usize,
}

impl<'a> Line<'a> {
    fn new(plain: &'a [u8]) -> Self {
        Self { text: plain.trim_ascii_end(), next: 0 }
    }

    /// The tag that begins here.
    ///
    /// It ends where its first quote that is not escaped stands before the bracket, whatever follows. Without such an end it
    /// is ill-formed: the last bracket closes it before the next well-formed tag or the end of the line, if nothing or a comment
    /// is between.
    fn tag(&mut self, at: usize) -> Option<Tag> {
        let (name, begin) = named(self.text, at)?;
        let is_quoted = self.text.get(begin) == Some(&b'"');
        let begin = begin + usize::from(is_quoted);
        let tag = |value, end| Some(Tag { place: at..end, name: name.clone(), value });
        // Not looked for without need: it may be far away.
        let closing = if is_quoted { closing_quote(self.text, begin) } else { None };
        if let Some((quote, end)) = closing {
            return tag(Some(begin..quote), end);
        }
        if is_quoted && is_cut(self.text, begin - 1) {
            return tag(None, self.text.len());
        }
        let limit = self.next_tag(begin);
        let bracket =
            self.text[begin..limit].iter().rposition(|&byte| byte == b']').map(|length| begin + length);
        let follows = |at: usize| matches!(self.text[at..limit].trim_ascii_start(), [] | [b';' | b'{', ..]);
        let Some(bracket) = bracket.filter(|at| follows(at + 1)) else {
            let is_open = is_quoted || begin == self.text.len();
            return if is_open { tag(None, self.text.len()) } else { None };
        };
        let value = self.text[begin..bracket].trim_ascii_end();
        let value = value.strip_suffix(b"\"").filter(|_| is_quoted).unwrap_or(value);
        tag(Some(begin..begin + value.len()), bracket + 1)
    }

    /// Where the next tag begins from here on that is one for certain, or the line ends.
    fn next_tag(&mut self, from: usize) -> usize {
        if self.next < from {
            let found = (from..self.text.len()).find(|&at| is_tag(self.text, at));
            self.next = found.unwrap_or(self.text.len());
        }
        self.next
    }
}

/// Whether a tag begins here behind moves: one for certain, or a bracket that the rest of its line says no more of.
pub(super) fn begins_behind_moves(plain: &[u8], at: usize) -> bool {
    let is_cut = || named(plain, at).is_some_and(|(_, value)| is_cut(plain, value));
    (is_tag(plain, at) && Line::new(plain).tag(at).is_some()) || is_cut()
}

/// Whether a line ends before the value of a tag, or right behind it.
fn is_cut(plain: &[u8], value: usize) -> bool {
    match plain.get(value) {
        None => true,
        Some(b'"') => first_quote(plain, value + 1).is_some_and(|quote| quote + 1 == plain.len()),
        Some(_) => false,
    }
}

/// A well-formed tag that a text begins with and that is spread over lines, none of which breaks its value.
pub(super) enum Spread {
    Whole(Tag),
    /// More text may make one.
    Open,
    Not,
}

/// Reads the tag that a [`plain`] text begins with.
pub(super) fn spread(plain: &[u8]) -> Spread {
    let Some((name, begin)) = named(plain, 0) else { return Spread::Not };
    match plain.get(begin) {
        None => return Spread::Open,
        Some(b'"') if !name.is_empty() => {}
        Some(_) => return Spread::Not,
    }
    let begin = begin + 1;
    let line_end = plain[begin..].iter().position(|&byte| byte == b'\n').map(|length| begin + length);
    let Some(quote) = first_quote(&plain[..line_end.unwrap_or(plain.len())], begin) else {
        return if line_end.is_none() { Spread::Open } else { Spread::Not };
    };
    let bracket = past_blanks(plain, quote + 1);
    match plain.get(bracket) {
        Some(b']') => Spread::Whole(Tag { place: 0..bracket + 1, name, value: Some(begin..quote) }),
        Some(_) => Spread::Not,
        None => Spread::Open,
    }
}

/// Whether a well-formed tag begins here.
fn is_well_formed(plain: &[u8], at: usize) -> bool {
    named(plain, at).is_some_and(|(_, value)| {
        plain.get(value) == Some(&b'"') && closing_quote(plain, value + 1).is_some()
    })
}

/// Whether a tag begins here that is well-formed, or has a name that every game has.
fn is_tag(plain: &[u8], at: usize) -> bool {
    is_well_formed(plain, at) || named(plain, at).is_some_and(|(name, _)| KNOWN.contains(&&plain[name]))
}

/// The names that tell a tag even where its value is ill-formed.
const KNOWN: [&[u8]; 8] = [b"Event", b"Site", b"Date", b"Round", b"Red", b"Black", b"Result", b"FEN"];

/// The name of the tag that begins here, or as much of it as there is, and where its value begins.
fn named(text: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    if text.get(at) != Some(&b'[') {
        return None;
    }
    let begin = past_blanks(text, at + 1);
    let length = text[begin..].iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
    let name = begin..begin + length;
    let value = past_blanks(text, name.end);
    let is_apart = value > name.end || text.get(value) == Some(&b'"');
    (value == text.len() || (is_apart && length > 0)).then_some((name, value))
}

/// Where what is not blank begins.
fn past_blanks(text: &[u8], at: usize) -> usize {
    text.len() - text[at.min(text.len())..].trim_ascii_start().len()
}

/// Where the first quote stands that is not escaped, and where its tag ends, if nothing but blanks stand before the bracket.
fn closing_quote(text: &[u8], begin: usize) -> Option<(usize, usize)> {
    let quote = first_quote(text, begin)?;
    let bracket = past_blanks(text, quote + 1);
    (text.get(bracket) == Some(&b']')).then_some((quote, bracket + 1))
}

/// Where the first quote stands that is not escaped.
fn first_quote(text: &[u8], begin: usize) -> Option<usize> {
    let mut is_escaped = false;
    let length = text[begin..].iter().position(|&byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })?;
    Some(begin + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line, the names and values of its tags, and what follows them.
    type Case = (&'static str, &'static [(&'static str, Option<&'static str>)], &'static str);

    #[test]
    fn tags_are_read_one_by_one() {
        let cases: [Case; 31] = [
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
            ("[A \"b\"] [c\"]", &[("A", Some("b")), ("c", Some(""))], ""),
            ("[A \"b\"] [c d\"]", &[("A", Some("b")), ("c", Some("d\""))], ""),
            ("[A \"b\"] c\"]", &[("A", Some("b"))], " c\"]"),
            ("[A \"b\"][C \"]d\"]", &[("A", Some("b")), ("C", Some("]d"))], ""),
            ("[A \"b\"] h2e2 {[C \"d\"]}", &[("A", Some("b"))], " h2e2 {[C \"d\"]}"),
            ("[A \"b\"] h2e2 ; [C \"d\"]", &[("A", Some("b"))], " h2e2 ; [C \"d\"]"),
            ("[A b] {[C \"d\"]}", &[("A", Some("b"))], " {[C \"d\"]}"),
            ("[A b] h2e2 {[C \"d\"]}", &[], "[A b] h2e2 {[C \"d\"]}"),
            ("[A \"b] h2e2 {[C \"d\"]}", &[("A", None)], ""),
            ("[A \"b] [c d\"]", &[("A", Some("b] [c d"))], ""),
            ("[A \"b\\\"] [C \\\\\"][D\"e\"]", &[("A", Some("b\\\"] [C \\\\")), ("D", Some("e"))], ""),
            ("[A \"C:\\\"]", &[("A", Some("C:\\"))], ""),
            ("[Ev", &[("Ev", None)], ""),
            ("[Red wins] he said", &[], "[Red wins] he said"),
            ("[A B [2020]; x 2]", &[("A", Some("B [2020]; x 2"))], ""),
            ("[A \"The \"B\" [2020]; x 2\"]", &[("A", Some("The \"B\" [2020]; x 2"))], ""),
            ("[A \"The \"B\" [2020] {x} y\"]", &[("A", Some("The \"B\" [2020] {x} y"))], ""),
            ("[A B [2020]; x 2] [C \"d\"]", &[("A", Some("B [2020]; x 2")), ("C", Some("d"))], ""),
            ("[A b] {c}", &[("A", Some("b"))], " {c}"),
            ("[A b] [Red c] [Black \"d]", &[("A", Some("b")), ("Red", Some("c")), ("Black", Some("d"))], ""),
        ];
        for (line, due, rest) in cases {
            let head = head(line.as_bytes(), false);
            let tags: Vec<_> = head
                .tags()
                .map(|tag| (&line[tag.name.clone()], tag.value.clone().map(|value| &line[value])))
                .collect();
            let end = head.tags().last().map_or(0, |tag| tag.place.end);
            assert_eq!((&tags[..], &line[end..]), (due, rest), "{line}");
        }
    }
}
