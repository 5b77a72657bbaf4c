//! What is said when no memory was found: how many there are, and which part of the question keeps the
//! others out.

use super::{RecallRequest, is_wanted};
use crate::memory::event::Event;
use crate::memory::fold::{Fact, Fold, Verdict};
use crate::query::recall::named::label;
use std::collections::BTreeSet;

/// Targets offered.
const MAX_NEAR: usize = 5;

/// A part of a question without which memories are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// That they hold.
    Holding,
    /// That they are contested.
    Conflicts,
    /// What they are about.
    Targets,
    /// Their kind.
    Kinds,
    /// The words.
    Query,
}

/// An empty answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EmptyAnswer {
    /// Memories of the log, whether they hold or not.
    pub known: usize,
    /// Those that hold, or may.
    pub holding: usize,
    /// The part that keeps others out, with how many are found without it.
    pub part: Option<(Part, usize)>,
    /// Targets of memories that end like one that was asked for.
    pub near: Vec<String>,
}

impl EmptyAnswer {
    /// Looks for what keeps memories out of an answer.
    pub fn of(request: &RecallRequest, facts: &[Fact], fold: &Fold) -> Self {
        let versions = || facts.iter().flat_map(|fact| &fact.versions);
        let open = versions()
            .filter(|version| matches!(version.verdict, Verdict::Holds(_) | Verdict::Unknown(..)));
        let count = |request: &RecallRequest| {
            let wanted = versions()
                .filter(|version| is_wanted(request, version, fold.nodes()[version.node].event));
            wanted.count()
        };
        let words = RecallRequest {
            query: String::new(),
            ..request.clone()
        };
        let without = |part: Part| {
            let mut other = words.clone();
            match part {
                Part::Holding => other.all = true,
                Part::Conflicts => other.conflicts = false,
                Part::Targets => other.targets.clear(),
                Part::Kinds => other.kinds.clear(),
                Part::Query => {}
            }
            other
        };
        // With words in it the words may be what is in the way, and what else is cannot be counted.
        let parts: &[Part] = match request.query.trim().is_empty() {
            true => &[Part::Conflicts, Part::Targets, Part::Kinds, Part::Holding],
            false => &[Part::Query],
        };
        let found = parts.iter().map(|part| (*part, count(&without(*part))));
        let events = versions().filter_map(|version| fold.nodes()[version.node].event);
        Self {
            known: versions().count(),
            holding: open.count(),
            part: found.into_iter().find(|(_, n)| *n > 0),
            near: near(&request.targets, events),
        }
    }
}

/// Targets that share their last name with one that is wanted.
fn near<'a>(wanted: &[String], events: impl Iterator<Item = &'a Event>) -> Vec<String> {
    let last = |text: &str| {
        let name = text.split('#').next().unwrap_or_default();
        let name = name.trim_end_matches('/').rsplit(['/', ':']).next();
        name.unwrap_or_default().to_lowercase()
    };
    let wanted: BTreeSet<String> = wanted.iter().map(|wanted| last(wanted)).collect();
    let targets = events.flat_map(Event::targets).map(label);
    let near: BTreeSet<String> = targets.filter(|of| wanted.contains(&last(of))).collect();
    near.into_iter().take(MAX_NEAR).collect()
}
