//! What a new memory may contradict or repeat: a suggestion, never a change.

use super::Recalled;
use super::archive::Archive;
use crate::clean;
use crate::git::Repo;
use crate::id::EventId;
use crate::memory;
use crate::memory::event::{Body, Event, Target};
use crate::memory::fold::{Fold, Verdict};
use crate::query::Error;
use crate::query::recall::named::label;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeSet;

/// Suggestions made at once.
const MOST: usize = 3;
/// Part of the stems of the shorter text that the other has too, from which on they say nearly the same.
const NEARLY: f64 = 0.6;
/// The same of two memories about one file, from which on they may have to do with each other.
const SOMEWHAT: f64 = 0.25;

/// A memory that holds where a new one is made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SimilarMemory {
    /// Its fact's id, as short as it can be told apart.
    pub id: String,
    /// Label of its kind.
    pub kind: &'static str,
    /// Its first line.
    #[serde(serialize_with = "clean::serialize_whole")]
    pub text: String,
    /// What makes it similar, in a few words.
    pub why: String,
}

/// Finds the memories that hold at the commit of `recalled` and say nearly what a text says, or are
/// about what it is about; the nearest first, at most three. Those in `replaced` do not count. Fails on
/// history that cannot be read.
pub fn similar(
    repo: &Repo,
    archive: &Archive,
    recalled: &Recalled,
    text: &str,
    targets: &BTreeSet<Target>,
    replaced: &BTreeSet<EventId>,
) -> Result<Vec<SimilarMemory>, Error> {
    let about: BTreeSet<String> = targets.iter().map(label).collect();
    let alike: FxHashMap<EventId, f64> = archive
        .ask(&recalled.log, |memories| memories.alike(text))
        .into_iter()
        .collect();
    let mut found: Vec<(f64, EventId, String)> = Vec::new();
    for (id, event) in recalled.log.readable() {
        if !matches!(event.body, Body::Claim { .. }) || replaced.contains(&id) {
            continue;
        }
        let likeness = alike.get(&id).copied().unwrap_or_default();
        match (likeness >= NEARLY, shared(&about, event)) {
            (true, _) => found.push((1.0 + likeness, id, "says nearly the same".to_owned())),
            (false, Some((target, is_symbol))) if is_symbol || likeness >= SOMEWHAT => {
                found.push((likeness, id, format!("is about {target} too")));
            }
            (false, _) => {}
        }
    }
    // What holds takes a look at history, and most memories are like none.
    if found.is_empty() {
        return Ok(Vec::new());
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let fold = Fold::of(&recalled.log);
    let facts = recalled.facts(repo, archive, &fold)?;
    let ids = recalled.ids();
    let mut holding: FxHashMap<EventId, EventId> = FxHashMap::default();
    for fact in facts.iter() {
        for version in &fact.versions {
            if matches!(version.verdict, Verdict::Holds(_)) {
                holding.insert(fold.nodes()[version.node].id, fact.id);
            }
        }
    }
    let mut out = Vec::new();
    for (_, id, why) in found {
        let Some((fact, event)) = holding.get(&id).zip(recalled.log.event(id)) else {
            continue;
        };
        let Body::Claim { kind, .. } = &event.body else {
            continue;
        };
        out.push(SimilarMemory {
            id: memory::short(*fact, &ids),
            kind: kind.label(),
            text: event.text.lines().next().unwrap_or_default().to_owned(),
            why,
        });
        if out.len() == MOST {
            break;
        }
    }
    Ok(out)
}

/// A target that an event has too, and whether it is a symbol: many things are said of one file.
fn shared(about: &BTreeSet<String>, event: &Event) -> Option<(String, bool)> {
    let targets = event.targets().filter(|_| !about.is_empty());
    let labels = targets.map(|target| (label(target), matches!(target, Target::Symbol { .. })));
    labels
        .filter(|(label, _)| about.contains(label))
        .max_by_key(|(_, is_symbol)| *is_symbol)
}
