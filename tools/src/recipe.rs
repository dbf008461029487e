//! Recipes of data files and options of trainings, as JSON: in what they differ.

use serde_json::Value;

/// The names of the entries in which a recipe differs from the wanted one.
pub(crate) fn differences(found: &Value, wanted: &Value) -> String {
    let wanted = wanted.as_object().into_iter().flatten();
    let names = wanted.filter(|(name, value)| found.get(name) != Some(value)).map(|(name, _)| name.as_str());
    names.collect::<Vec<_>>().join(", ")
}
