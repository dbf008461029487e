//! The network that a command searches with, and what a recipe calls it.

use anyhow::Context;
use search::nnue::Network;
use std::{path::PathBuf, sync::Arc};

/// The option `--network`.
#[derive(Debug, clap::Args)]
pub(crate) struct NetworkChoice {
    /// File of the network that searches, or `none` for the hand-written evaluation [default: the built-in network]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

impl NetworkChoice {
    /// The network, `None` for the evaluation by hand, with what a recipe calls it: a CRC-32 of its file. The built-in one has no file; its
    /// description, which says what it was trained on and how, stands for it.
    ///
    /// # Errors
    /// If the file cannot be read or is no network of this shape.
    pub(crate) fn load(&self) -> anyhow::Result<(Option<Arc<Network>>, String)> {
        let none = || (None, "none".to_owned());
        match &self.network {
            None => Ok(Network::embedded().map_or_else(none, |network| {
                let name = format!("built in {}", fingerprint(network.description().as_bytes()));
                (Some(Arc::clone(network)), name)
            })),
            Some(path) if path.as_os_str() == "none" => Ok(none()),
            Some(path) => {
                let (network, bytes) =
                    engine::read_network(path).with_context(|| format!("{}", path.display()))?;
                Ok((Some(Arc::new(network)), fingerprint(&bytes)))
            }
        }
    }
}

fn fingerprint(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}
