//! What is tuned: names, values and ranges, from the table of the search or from a file, and the result in the same form.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use search::TUNABLES;
use serde::{Deserialize, Serialize};

/// One number to tune.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// The option of the engine.
    pub name: String,
    /// Value at the start.
    pub value: i64,
    /// Smallest value.
    pub min: i64,
    /// Largest value.
    pub max: i64,
    /// Perturbation at the last iteration.
    pub c_end: f64,
    /// Step at the last iteration, in units of `c_end²` for a won game.
    pub r_end: f64,
}

impl Parameter {
    /// The nearest value within the range.
    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.min as f64, self.max as f64)
    }
}

/// The numbers of the search of this build. Perturbations end at the step the table gives.
pub fn of_the_search(r_end: f64) -> Vec<Parameter> {
    let row = |row: &search::Tunable| Parameter {
        name: row.name.to_owned(),
        value: row.default.into(),
        min: row.min.into(),
        max: row.max.into(),
        c_end: row.step.into(),
        r_end,
    };
    TUNABLES.iter().map(row).collect()
}

/// Reads a list: one parameter a line, `name, int, value, min, max, c_end, r_end` as OpenBench takes it; `#` starts a comment.
///
/// # Errors
/// Names the line that cannot be read.
pub fn read_list(path: &Path) -> anyhow::Result<Vec<Parameter>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse_list(&text).with_context(|| path.display().to_string())
}

fn parse_list(text: &str) -> anyhow::Result<Vec<Parameter>> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let parameter = parse_line(line).with_context(|| format!("line {}", index + 1))?;
        ensure!(
            parameters.iter().all(|other| other.name != parameter.name),
            "line {}: {} stands twice",
            index + 1,
            parameter.name
        );
        parameters.push(parameter);
    }
    ensure!(!parameters.is_empty(), "there is no parameter in it");
    Ok(parameters)
}

fn parse_line(line: &str) -> anyhow::Result<Parameter> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let [name, kind, value, min, max, c_end, r_end] = fields[..] else {
        bail!("expected name, int, value, min, max, c_end, r_end");
    };
    ensure!(kind == "int", "{name}: only whole numbers (int) are tuned, not {kind:?}");
    let whole =
        |text: &str| text.parse::<i64>().with_context(|| format!("{name}: {text:?} is no whole number"));
    let positive = |text: &str| match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => bail!("{name}: {text:?} is no positive number"),
    };
    let parameter = Parameter {
        name: name.to_owned(),
        value: whole(value)?,
        min: whole(min)?,
        max: whole(max)?,
        c_end: positive(c_end)?,
        r_end: positive(r_end)?,
    };
    ensure!(!name.is_empty(), "a parameter without a name");
    ensure!(
        (parameter.min..=parameter.max).contains(&parameter.value),
        "{name}: {} is not within {} and {}",
        parameter.value,
        parameter.min,
        parameter.max
    );
    Ok(parameter)
}

/// The tuned values: rows of `search/src/params.rs` for those that stand there, lines of a list for the others.
pub fn table(parameters: &[Parameter], theta: &[f64]) -> String {
    let mut text = String::new();
    for (parameter, value) in parameters.iter().zip(theta) {
        let Parameter { name, value: old, min, max, c_end, r_end } = parameter;
        let new = value.round() as i64;
        // Writing to a String cannot fail.
        let _ = match TUNABLES.iter().find(|row| row.name == name) {
            Some(row) => {
                let (min, max, step) = (row.min, row.max, row.step);
                writeln!(
                    text,
                    "    {name} = {new}, {min}..={max}, {step}; // {old} {:+.2}",
                    value - *old as f64
                )
            }
            None => writeln!(text, "{name}, int, {new}, {min}, {max}, {c_end}, {r_end}"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_mistakes_named() {
        let text = "# a list\nlmr_base, int, 500, -500, 1500, 80, 0.002\nMyOption,int,3,1,9,0.5,0.01 # own\n";
        let parameters = parse_list(text).expect("two parameters");
        assert_eq!(
            parameters[0],
            Parameter {
                name: "lmr_base".to_owned(),
                value: 500,
                min: -500,
                max: 1500,
                c_end: 80.0,
                r_end: 0.002
            }
        );
        // What was read can be written and read again.
        let rows = table(&parameters, &[512.4, 4.6]);
        assert_eq!(
            rows,
            "    lmr_base = 512, -500..=1500, 80; // 500 +12.40\nMyOption, int, 5, 1, 9, 0.5, 0.01\n"
        );
        for (text, fault) in [
            ("a, int, 1, 0, 2, 1", "expected name"),
            ("a, float, 1, 0, 2, 1, 1", "whole numbers"),
            ("a, int, x, 0, 2, 1, 1", "\"x\" is no whole number"),
            ("a, int, 3, 0, 2, 1, 1", "3 is not within 0 and 2"),
            ("a, int, 1, 0, 2, 0, 1", "\"0\" is no positive number"),
            ("a, int, 1, 0, 2, 1, 1\na, int, 1, 0, 2, 1, 1", "line 2: a stands twice"),
            ("#", "no parameter"),
        ] {
            let error = format!("{:#}", parse_list(text).expect_err(text));
            assert!(error.contains(fault), "{text}: {error}");
        }
    }

    #[test]
    fn rows_are_those_of_the_source() {
        let parameters = of_the_search(0.002);
        let source = include_str!("../../../../search/src/params.rs");
        let theta: Vec<f64> = parameters.iter().map(|parameter| parameter.value as f64).collect();
        for row in table(&parameters, &theta).lines() {
            let row = row.split(" //").next().unwrap_or_default();
            assert!(source.contains(row), "{row}");
        }
    }
}
