//! Do imports lead where the compiler says? Counted are imports of files of the repository: found, not
//! found, and files that no import of the file leads to.

use super::ask::Asked;
use super::counts::Counts;
use super::misses::Misses;
use super::truth::{Import, Truth};
use crate::Result;
use crate::subject::Subject;
use std::collections::{BTreeMap, BTreeSet};

/// Asks about every file that imports anything.
pub fn score(
    asked: &Asked<'_>,
    subject: &Subject,
    truth: &Truth,
    misses: &mut Misses,
) -> Result<Counts> {
    let mut by_file: BTreeMap<&str, Vec<&Import>> = BTreeMap::new();
    for import in &truth.imports {
        by_file.entry(&import.path).or_default().push(import);
    }
    let mut counts = Counts::default();
    for (path, imports) in by_file {
        let told: Vec<_> = asked
            .dependencies(path)?
            .into_iter()
            .filter(|of| !of.path.is_empty() && of.tie != "used")
            .map(|of| (target(&of.path, truth), of))
            .collect();
        let source = std::fs::read(subject.dir.join(path))?;
        let mut right = BTreeSet::new();
        for import in imports {
            // What a file imports of itself (`use super::*` in a module of it) is no dependency.
            let targets: &[String] = &import.targets;
            if targets.is_empty() || targets.iter().any(|to| to == path) {
                right.extend(targets.iter().cloned());
                continue;
            }
            right.extend(targets.iter().cloned());
            if told.iter().any(|(to, _)| targets.contains(to)) {
                counts.right += 1;
            } else {
                counts.missing += 1;
                misses.missing(path, import.line, "import", &import.specifier, &source);
            }
        }
        let extra: BTreeMap<_, _> = told
            .iter()
            .filter(|(to, of)| !right.contains(to) && !truth.is_unread(path, of.line))
            .map(|(to, of)| (to, of))
            .collect();
        for (to, of) in extra {
            counts.extra += 1;
            let name = format!("{} -> {to}", of.specifier);
            misses.extra(path, of.line, "import", &name, &source);
        }
    }
    Ok(counts)
}

/// In Go a folder is imported.
fn target(path: &str, truth: &Truth) -> String {
    if truth.head.language != "go" {
        return path.to_owned();
    }
    path.rsplit_once('/')
        .map_or(".", |(folder, _)| folder)
        .to_owned()
}
