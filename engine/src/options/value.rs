//! Kinds of options, and the texts that are values of them.

use std::borrow::Cow;
use std::ffi::OsStr;

use thiserror::Error;

use super::Protocol;

/// One value of a combo.
#[derive(Debug)]
pub struct Choice {
    /// The word announced under UCCI.
    pub ucci: &'static str,
    /// The word announced under UCI.
    pub uci: &'static str,
    /// Further words that are accepted.
    pub aliases: &'static [&'static str],
}

impl Choice {
    /// A value with the same word in both protocols.
    pub const fn new(word: &'static str) -> Self {
        Self { ucci: word, uci: word, aliases: &[] }
    }

    /// The word announced under `protocol`.
    pub fn word(&self, protocol: Protocol) -> &'static str {
        match protocol {
            Protocol::Ucci => self.ucci,
            Protocol::Uci => self.uci,
        }
    }

    fn answers_to(&self, text: &str) -> bool {
        [self.ucci, self.uci].iter().chain(self.aliases).any(|own| own.eq_ignore_ascii_case(text))
    }
}

/// Kind, default and range of an option.
#[derive(Debug)]
pub enum Kind {
    /// True or false.
    Check {
        /// The value at the start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value at the start.
        default: u64,
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
        /// If 0 stands for a value the engine chooses: that value.
        zero: Option<fn() -> u64>,
    },
    /// One word of a list.
    Combo {
        /// Index of the value at the start.
        default: usize,
        /// All values.
        choices: &'static [Choice],
    },
    /// Any text; the default is empty.
    Text,
    /// Something to press.
    Button,
}

/// A checked value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// Of a check.
    Check(bool),
    /// Of a spin, within its range.
    Spin(u64),
    /// Index of a combo's value.
    Combo(usize),
    /// Of a text, which may name files and so be any bytes.
    Text(&'a OsStr),
    /// Of a button.
    Press,
}

/// A text that is no value of the option.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("option {name}: '{value}' is not {expected}")]
pub struct OptionError {
    /// The option, by the name the driver was told.
    pub name: &'static str,
    /// The offending text.
    pub value: String,
    /// What would have been right, e.g. "a whole number".
    pub expected: Cow<'static, str>,
}

/// What UCI drivers write for an empty string.
const EMPTY: &str = "<empty>";

impl Kind {
    /// The value `text` stands for, or the phrase that says what is wanted.
    pub(super) fn parse<'a>(
        &self,
        protocol: Protocol,
        text: &'a OsStr,
    ) -> Result<Value<'a>, Cow<'static, str>> {
        // Only a name of files may have blanks of Unicode at its ends.
        let words = text.to_string_lossy();
        let words = words.trim();
        match self {
            Self::Check { .. } => match words.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" | "yes" => Ok(Value::Check(true)),
                "false" | "off" | "0" | "no" => Ok(Value::Check(false)),
                _ => Err("true or false".into()),
            },
            Self::Spin { min, max, zero, .. } => {
                let number = saturating_number(words).ok_or("a whole number")?;
                let least = self.announced_range(protocol).map_or(*min, |(least, _)| least);
                let number = match number {
                    Number::Natural(n) => n,
                    Number::Negative => least,
                };
                Ok(Value::Spin(match (number, zero) {
                    (0, Some(choose)) => choose().clamp(*min, *max),
                    _ => number.clamp(*min, *max),
                }))
            }
            Self::Combo { choices, .. } => {
                choices.iter().position(|choice| choice.answers_to(words)).map(Value::Combo).ok_or_else(
                    || {
                        let words: Vec<&str> = choices.iter().map(|choice| choice.word(protocol)).collect();
                        format!("one of {}", words.join(", ")).into()
                    },
                )
            }
            Self::Text => Ok(Value::Text(if text == EMPTY { OsStr::new("") } else { text })),
            Self::Button => Ok(Value::Press),
        }
    }

    /// The default as text; `None` for a button.
    pub fn default_text(&self, protocol: Protocol) -> Option<String> {
        match self {
            Self::Check { default } => Some(default.to_string()),
            Self::Spin { default, .. } => Some(default.to_string()),
            Self::Combo { default, choices } => {
                choices.get(*default).map(|choice| choice.word(protocol).to_owned())
            }
            Self::Text => Some(String::new()),
            Self::Button => None,
        }
    }

    /// Smallest and largest value of a spin as announced: UCCI knows 0 for "the engine decides".
    pub fn announced_range(&self, protocol: Protocol) -> Option<(u64, u64)> {
        match self {
            Self::Spin { min, max, zero, .. } => {
                let min = if zero.is_some() && protocol == Protocol::Ucci { 0 } else { *min };
                Some((min, *max))
            }
            _ => None,
        }
    }
}

enum Number {
    Natural(u64),
    Negative,
}

/// A whole number of any length; too large ones saturate. `None` if it is no number.
fn saturating_number(text: &str) -> Option<Number> {
    let negative = text.starts_with('-');
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    if negative && digits.bytes().any(|b| b != b'0') {
        return Some(Number::Negative);
    }
    Some(Number::Natural(digits.parse().unwrap_or(u64::MAX)))
}
