//! The games of an iteration.

use anyhow::{Context, bail};
use movegen::Color;

use super::parameter::Parameter;
use crate::matches::config::MatchConfig;
use crate::matches::engine::Engine;
use crate::matches::game::{Abandoned, Fault, play};
use crate::matches::process::{EngineError, Surroundings};
use crate::openings::Opening;

/// Two running engines.
#[derive(Debug)]
pub(super) struct Table<'t> {
    config: &'t MatchConfig,
    surroundings: &'t Surroundings,
    engines: Option<[Engine<'t>; 2]>,
}

impl<'t> Table<'t> {
    /// A table at which nobody sits yet.
    pub(super) fn new(config: &'t MatchConfig, surroundings: &'t Surroundings) -> Self {
        Self { config, surroundings, engines: None }
    }

    /// Plays each opening twice with the colours exchanged; losses, draws and wins of the first player. `None` if the run was stopped.
    ///
    /// # Errors
    /// If an engine fails: what it played says nothing about its parameters.
    pub(super) fn play(
        &mut self,
        parameters: &[Parameter],
        values: &[Vec<i64>; 2],
        openings: &[&Opening],
    ) -> anyhow::Result<Option<[u64; 3]>> {
        match self.seat(parameters, values) {
            Err(EngineError::Interrupted) => return Ok(None),
            seated => seated.with_context(|| self.config.engines[0].command.join(" "))?,
        }
        let Some([plus, minus]) = &mut self.engines else { bail!("nobody sits at the table") };
        let [plus_config, minus_config] = [&self.config.engines[0], &self.config.engines[1]];
        let mut games = [0; 3];
        for opening in openings {
            for color in [Color::Red, Color::Black] {
                let record = match color {
                    Color::Red => play([plus, minus], [plus_config, minus_config], opening, self.config),
                    Color::Black => play([minus, plus], [minus_config, plus_config], opening, self.config),
                };
                let record = match record {
                    Ok(record) => record,
                    Err(Abandoned) => return Ok(None),
                };
                if let Some((culprit, fault)) = record.fault.filter(|(_, fault)| *fault != Fault::Time) {
                    let player = usize::from(culprit != color);
                    let values: Vec<String> = parameters
                        .iter()
                        .zip(&values[player])
                        .map(|(row, value)| format!("{} {value}", row.name))
                        .collect();
                    bail!("{} ({}) with {}", record.reason, fault.name(), values.join(", "));
                }
                // Half points: 0 lost, 1 drawn, 2 won.
                games[record.outcome.half_points(color)] += 1;
            }
        }
        Ok(Some(games))
    }

    /// Starts the engines if they do not run, and tells each its values.
    fn seat(&mut self, parameters: &[Parameter], values: &[Vec<i64>; 2]) -> Result<(), EngineError> {
        let alive = self.engines.as_mut().is_some_and(|engines| engines.iter_mut().all(Engine::is_alive));
        if !alive {
            let [plus, minus] = [0, 1].map(|i| Engine::start(&self.config.engines[i], self.surroundings));
            self.engines = Some([plus?, minus?]);
        }
        for (engine, values) in self.engines.iter_mut().flatten().zip(values) {
            for (parameter, value) in parameters.iter().zip(values) {
                engine.set_option(&parameter.name, &value.to_string())?;
            }
        }
        Ok(())
    }
}
