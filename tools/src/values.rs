//! Values of options that are names: read by `FromStr`, offered by the help and by shells.

use std::ffi::OsStr;
use std::fmt::Display;
use std::str::FromStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use movegen::notation::Notation;
use movegen::rules::RuleSet;

use crate::games::{self, Format, InputEncoding};

/// A parser that takes whatever `FromStr` takes, aliases too, and offers the proper names.
#[derive(Clone)]
pub(crate) struct Named<T> {
    names: Vec<&'static str>,
    read: fn(&str) -> Result<T, String>,
}

pub(crate) fn notation() -> Named<Notation> {
    Named { names: Notation::NAMED.map(|(name, _)| name).to_vec(), read }
}

pub(crate) fn rules() -> Named<RuleSet> {
    Named { names: RuleSet::ALL.map(RuleSet::name).to_vec(), read }
}

/// A rule set or `all`, checked by the command itself.
pub(crate) fn rules_or_all() -> Named<String> {
    let mut names = rules().names;
    names.push("all");
    Named { names, read }
}

pub(crate) fn format() -> Named<Format> {
    Named { names: Format::ALL.iter().map(|&(_, name, _)| name).collect(), read }
}

pub(crate) fn input_encoding() -> Named<InputEncoding> {
    let read = |name: &str| games::input_encoding(name).map_err(|error| error.to_string());
    Named { names: vec!["auto", "utf-8", "gbk", "gb18030", "big5"], read }
}

fn read<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let text = value.to_str().ok_or_else(|| Error::new(ErrorKind::InvalidUtf8).with_cmd(command))?;
        (self.read)(text).map_err(|told| {
            let option = arg.map_or_else(String::new, ToString::to_string);
            Error::raw(ErrorKind::ValueValidation, format!("invalid value '{text}' for '{option}': {told}\n"))
                .with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(|&name| PossibleValue::new(name))))
    }
}
