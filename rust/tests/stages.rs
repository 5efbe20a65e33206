//! The map in `lib.rs` is true: folders import from those above them only, and no two modules have the same name.

use std::collections::HashSet;
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

const LIB: &str = include_str!("../src/lib.rs");

/// The folders, in the order of the map.
fn stages() -> Vec<&'static str> {
    let lines = LIB.lines().filter_map(|line| line.strip_prefix("//!     "));
    lines.map(|line| line.split(' ').next().expect("a name")).collect()
}

fn modules(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        match path.is_dir() {
            true => found.extend(modules(&path)),
            false => found.push(path),
        }
    }
    found
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
#[cfg_attr(miri, ignore)] // it reads files
fn a_stage_imports_from_those_above_it_only() {
    let stages = stages();
    for (place, stage) in stages.iter().enumerate() {
        for module in modules(&source().join(stage)) {
            let text = read_to_string(&module).expect("UTF-8");
            for import in text.split("crate::").skip(1) {
                let from = import.split(|c: char| !c.is_alphanumeric() && c != '_').next().expect("a name");
                assert!(stages[..=place].contains(&from), "{} imports from {from}", module.display());
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn every_folder_is_on_the_map_and_every_module_has_its_own_name() {
    let folders = read_dir(source()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let folders: HashSet<String> = folders.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(folders, stages().into_iter().map(str::to_owned).collect());
    let names = modules(&source()).into_iter().map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    let mut seen = folders;
    for name in names.filter(|name| !["mod", "lib", "tests"].contains(&name.as_str())) {
        assert!(seen.insert(name.clone()), "two modules are called {name}");
    }
}
