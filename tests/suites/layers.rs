//! The dependency direction between the crates, read from `cargo metadata`.
//!
//! `movegen <- search <- engine <- uci`; tools may use the three libraries, tests and benches every crate; nothing else depends on them. A cycle
//! between crates would not compile; an edge that skips a layer downwards would, and that is what these tests catch.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Package → the workspace packages it may depend on, in any dependency kind.
const ALLOWED: [(&str, &[&str]); 7] = [
    ("phao-movegen", &[]),
    ("phao-search", &["phao-movegen"]),
    ("phao-engine", &["phao-movegen", "phao-search"]),
    ("phao", &["phao-movegen", "phao-search", "phao-engine"]),
    ("phao-tools", &["phao-movegen", "phao-search", "phao-engine"]),
    ("tests", &["phao-movegen", "phao-search", "phao-engine", "phao", "phao-tools"]),
    ("benches", &["phao-movegen", "phao-search", "phao-engine", "phao-tools"]),
];

/// Crates from outside that movegen may link: the game itself needs no more.
const MOVEGEN_EXTERNAL: [&str; 5] = ["arrayvec", "log", "once_cell", "rayon", "thiserror"];

/// Package → its direct dependencies as (name, kind); the kind is `None` for a normal one.
fn workspace_dependencies() -> BTreeMap<String, Vec<(String, Option<String>)>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let packages = metadata["packages"].as_array().expect("a list of packages");
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("a list of dependencies");
            let edges = dependencies
                .iter()
                .map(|d| (text(&d["name"]).expect("a dependency has a name"), text(&d["kind"])))
                .collect();
            (text(&package["name"]).expect("a package has a name"), edges)
        })
        .collect()
}

#[test]
fn dependencies_go_one_way() {
    let packages = workspace_dependencies();
    let members: BTreeSet<&str> = packages.keys().map(String::as_str).collect();
    let known: BTreeSet<&str> = ALLOWED.iter().map(|&(name, _)| name).collect();
    assert_eq!(members, known, "a new member needs its place in the table of layers");
    for (name, allowed) in ALLOWED {
        for (dependency, kind) in &packages[name] {
            let kind = kind.as_deref().unwrap_or("normal");
            assert!(
                !members.contains(dependency.as_str()) || allowed.contains(&dependency.as_str()),
                "forbidden edge: {name} -> {dependency} ({kind})"
            );
        }
    }
}

#[test]
fn movegen_links_little() {
    for (dependency, kind) in &workspace_dependencies()["phao-movegen"] {
        assert!(
            kind.as_deref() == Some("dev") || MOVEGEN_EXTERNAL.contains(&dependency.as_str()),
            "movegen must not link {dependency}"
        );
    }
}
