//! Is what `audit unused` lists really used by nothing, and is what nothing uses listed? What the oracle
//! does not know, or what something may call without naming it, counts for nobody.

use super::ask::Asked;
use super::counts::part;
use super::misses::Misses;
use super::truth::{Definition, Life, Truth};
use crate::Result;
use crate::subject::Subject;
use std::collections::{BTreeMap, BTreeSet};

/// What the oracle says of the definitions that were listed with one verdict.
#[derive(Clone, Copy, Default, Debug)]
pub struct Listed {
    /// Nothing uses them, or only what nothing uses.
    pub dead: usize,
    /// Something does.
    pub alive: usize,
    /// It says nothing of them.
    pub unknown: usize,
}

impl Listed {
    /// Part of those listed that are dead.
    pub fn precision(self) -> f64 {
        part(self.dead, self.alive)
    }
}

/// What `audit unused` is worth.
#[derive(Default, Debug)]
pub struct Unused {
    /// By verdict.
    pub listed: BTreeMap<String, Listed>,
    /// Functions, methods and types that nothing uses.
    pub dead: usize,
    /// Those of them that are listed with any verdict.
    pub found: usize,
    /// Those that are listed although nobody outside of the repository may use them.
    pub offered: usize,
}

/// The verdict of what others may use.
const EXPORTED: &str = "exported";

/// Audits the repository once.
pub fn score(
    asked: &Asked<'_>,
    subject: &Subject,
    truth: &Truth,
    misses: &mut Misses,
) -> Result<Unused> {
    let mut by_name: BTreeMap<(&str, &str), Vec<&Definition>> = BTreeMap::new();
    for definition in &truth.definitions {
        let key = (definition.path.as_str(), definition.name.as_str());
        by_name.entry(key).or_default().push(definition);
    }
    let mut unused = Unused::default();
    let mut met = BTreeSet::new();
    for finding in asked.unused()? {
        if !truth.read(&finding.path) {
            continue;
        }
        // A file that is dead as a whole has no name; its definitions are.
        let names = by_name.range((finding.path.as_str(), "")..);
        let of_file = names.take_while(|((path, _), _)| *path == finding.path);
        let within = of_file
            .filter(|((_, name), _)| finding.name.is_empty() || *name == finding.name)
            .flat_map(|(_, all)| all)
            .filter(|of| (finding.start..=finding.end).contains(&of.line));
        let mut within: Vec<&Definition> = within.copied().collect();
        within.sort_by_key(|of| of.line);
        if !finding.name.is_empty() {
            within.truncate(1);
        }
        let listed = unused.listed.entry(finding.verdict.clone()).or_default();
        for of in within {
            met.insert((of.path.clone(), of.line, of.name.clone()));
            let source = std::fs::read(subject.dir.join(&of.path))?;
            match of.life {
                None => listed.unknown += 1,
                Some(Life::Used) => {
                    listed.alive += 1;
                    let what = format!("used, listed as {}", finding.verdict);
                    misses.decision(&what, &of.path, of.line, &of.kind, &of.name, &source);
                }
                Some(Life::Unused | Life::ByUnused) => {
                    listed.dead += 1;
                    let judged = is_judged(of);
                    unused.found += usize::from(judged);
                    unused.offered += usize::from(judged && finding.verdict != EXPORTED);
                }
            }
        }
    }
    for of in truth.definitions.iter().filter(|of| is_judged(of)) {
        if of.life.is_none_or(|life| life == Life::Used) {
            continue;
        }
        unused.dead += 1;
        if !met.contains(&(of.path.clone(), of.line, of.name.clone())) {
            let source = std::fs::read(subject.dir.join(&of.path))?;
            misses.decision(
                "not used, not listed",
                &of.path,
                of.line,
                &of.kind,
                &of.name,
                &source,
            );
        }
    }
    Ok(unused)
}

/// Whether a definition is of a kind that is listed.
fn is_judged(of: &Definition) -> bool {
    matches!(
        of.kind.as_str(),
        "function" | "method" | "class" | "struct" | "interface" | "trait" | "enum" | "type"
    )
}
