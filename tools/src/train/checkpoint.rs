//! A training run on disk, so that it can be interrupted.
//!
//! ```text
//! magic "PHAOCKP1" · u32 length of the state · u32 CRC-32 of all that follows · the state (JSON) · parameters, first and second moments, f32
//! ```

use super::{curve::Row, optimiser::AdamW};
use crate::atomic;
use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use std::{fs, path::Path};

const MAGIC: &[u8; 8] = b"PHAOCKP1";
const HEADER_LEN: usize = 16;

/// Where a run stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct State {
    /// What must be the same when it goes on.
    pub(super) config: serde_json::Value,
    /// Epochs finished.
    pub(super) epochs: u32,
    /// Batches seen.
    pub(super) steps: u64,
    pub(super) curve: Vec<Row>,
}

/// Writes a checkpoint; an interruption leaves the one before.
pub(super) fn save(path: &Path, state: &State, params: &[f32], optimiser: &AdamW) -> anyhow::Result<()> {
    let state = serde_json::to_vec(state)?;
    let mut body = Vec::with_capacity(state.len() + 12 * params.len());
    body.extend(&state);
    for number in params.iter().chain(&optimiser.first).chain(&optimiser.second) {
        body.extend(number.to_le_bytes());
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend((state.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(&body).to_le_bytes());
    bytes.append(&mut body);
    atomic::write(path, &bytes, true)
}

/// Reads a checkpoint with so many parameters.
pub(super) fn load(path: &Path, parameters: usize) -> anyhow::Result<(State, Vec<f32>, AdamW)> {
    let bytes = fs::read(path).with_context(|| format!("{}", path.display()))?;
    read(&bytes, parameters).with_context(|| format!("{}", path.display()))
}

fn read(bytes: &[u8], parameters: usize) -> anyhow::Result<(State, Vec<f32>, AdamW)> {
    let Some((header, body)) = bytes.split_at_checked(HEADER_LEN).filter(|(header, _)| &header[..8] == MAGIC)
    else {
        bail!("not a checkpoint");
    };
    let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    ensure!(crc32fast::hash(body) == word(12), "the checksum is wrong: the checkpoint is damaged");
    let (state, numbers) = body.split_at_checked(word(8) as usize).context("too short")?;
    let state: State = serde_json::from_slice(state)?;
    ensure!(numbers.len() == 12 * parameters, "a checkpoint of a network of another size");
    let mut numbers =
        numbers.chunks_exact(4).map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let mut take = || -> Vec<f32> { numbers.by_ref().take(parameters).collect() };
    let (params, first, second) = (take(), take(), take());
    let steps = state.steps;
    Ok((state, params, AdamW { first, second, steps }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_survives_the_round_trip_and_damage_is_found() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("run.ckpt");
        let row = Row { step: 5, epoch: 1, rate: 1e-3, training: 0.02, held_out: Some(0.021) };
        let state =
            State { config: serde_json::json!({"hidden": 64}), epochs: 1, steps: 5, curve: vec![row] };
        let params = vec![0.25, -1.5, 3.0];
        let optimiser = AdamW { first: vec![0.1; 3], second: vec![0.2; 3], steps: 5 };
        save(&path, &state, &params, &optimiser).expect("room on the disk");
        assert_eq!(load(&path, 3).expect("a good checkpoint"), (state, params, optimiser));
        assert!(load(&path, 4).is_err());
        let mut bytes = fs::read(&path).expect("the file");
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        assert!(read(&bytes, 3).is_err());
        assert!(read(&bytes[..10], 3).is_err());
    }
}
