//! What a new memory may contradict or repeat: a suggestion, never a change.

use super::{Recalled, label};
use crate::git::Repo;
use crate::id::EventId;
use crate::memory::event::{Body, Event, Target};
use crate::memory::fold::{Fold, Verdict};
use crate::memory::{self};
use crate::query::Error;
use crate::query::search::query::QueryTerms;
use std::collections::BTreeSet;

/// Suggestions made at once.
const MOST: usize = 3;
/// Part of the stems of the shorter text that the other has too, from which on they say nearly the same.
const NEARLY: f64 = 0.6;
/// Stems that both must have at least: one word says little.
const LEAST_STEMS: usize = 2;

/// A memory that holds where a new one is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Akin {
    /// Its fact's id, as short as it can be told apart.
    pub id: String,
    /// Label of its kind.
    pub kind: &'static str,
    /// Its first line.
    pub text: String,
    /// What makes it akin, in a few words.
    pub why: String,
}

/// Finds the memories that hold at the commit of `recalled` and say nearly what a text says, or are
/// about what it is about; the nearest first, at most three. Those in `replaced` do not count.
///
/// # Errors
/// History that cannot be read.
pub fn akin(
    repo: &Repo,
    recalled: &Recalled,
    text: &str,
    targets: &BTreeSet<Target>,
    replaced: &BTreeSet<EventId>,
) -> Result<Vec<Akin>, Error> {
    let (own, about) = (stems(text), targets.iter().map(label).collect());
    let mut found: Vec<(f64, EventId, String)> = Vec::new();
    for (id, event) in recalled.log.readable() {
        if !matches!(event.body, Body::Claim { .. }) || replaced.contains(&id) {
            continue;
        }
        let same = likeness(&own, &stems(&event.text));
        let shared = shared(&about, event);
        match (same >= NEARLY, shared) {
            (true, _) => found.push((1.0 + same, id, "says nearly the same".to_owned())),
            (false, Some(target)) => found.push((same, id, format!("is about {target} too"))),
            (false, None) => {}
        }
    }
    // What holds takes a look at history, and most memories are akin to none.
    if found.is_empty() {
        return Ok(Vec::new());
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let fold = Fold::of(&recalled.log);
    let facts = recalled.facts(repo, &fold)?;
    let ids = recalled.ids();
    let holding = |id: EventId| {
        facts.iter().find_map(|fact| {
            let versions = fact.versions.iter();
            let mut holding = versions.filter(|v| matches!(v.verdict, Verdict::Holds(_)));
            holding
                .any(|v| fold.nodes()[v.node].id == id)
                .then_some(fact.id)
        })
    };
    let mut out = Vec::new();
    for (_, id, why) in found {
        let Some((fact, event)) = holding(id).zip(recalled.log.event(id)) else {
            continue;
        };
        let Body::Claim { kind, .. } = &event.body else {
            continue;
        };
        out.push(Akin {
            id: memory::short(fact, &ids),
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

/// A target that an event has too.
fn shared(about: &BTreeSet<String>, event: &Event) -> Option<String> {
    event
        .targets()
        .map(label)
        .find(|label| about.contains(label))
}

/// The stems of a text, but of words that say nothing.
fn stems(text: &str) -> BTreeSet<Vec<u8>> {
    QueryTerms::parse(text).stems().into_iter().collect()
}

/// The part of the fewer stems that are among the others too.
fn likeness(a: &BTreeSet<Vec<u8>>, b: &BTreeSet<Vec<u8>>) -> f64 {
    let both = a.intersection(b).count();
    if both < LEAST_STEMS {
        return 0.0;
    }
    both as f64 / a.len().min(b.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_words_are_alike() {
        let like = |a: &str, b: &str| likeness(&stems(a), &stems(b));
        assert!(
            like(
                "retry requests in the client",
                "Requests are retried in the client"
            ) >= NEARLY
        );
        assert!(like("retry requests in the client", "the ledger is append-only") < NEARLY);
        assert_eq!(like("", ""), 0.0);
    }
}
