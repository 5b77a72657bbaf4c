//! Ways into the program that are new or gone: routes, commands, jobs.

use super::answer::Entry;
use crate::graph::edges::Graph;
use crate::query::entry_points::{self, EntryPoint};
use crate::query::scope::Filter;
use crate::view::live::View;
use crate::view::role::FileRole;
use crate::view::text::Texts;
use std::collections::BTreeSet;

/// Those of one state that the other has not, by what they are called; those that are gone first.
pub(super) fn changed(
    old: (&View, &Graph),
    new: (&View, &Graph),
    filter: &Filter,
    texts: &mut Texts,
) -> Vec<Entry> {
    let mut stated = |(view, graph): (&View, &Graph)| -> Vec<EntryPoint> {
        let mut all = entry_points::all(view, graph, texts, filter, true);
        // Examples have routes of their own.
        all.retain(|point| view.file(point.file).role == FileRole::Product);
        all
    };
    let (before, after) = (stated(old), stated(new));
    let titles =
        |all: &[EntryPoint]| -> BTreeSet<String> { all.iter().map(EntryPoint::title).collect() };
    let (known, still) = (titles(&before), titles(&after));
    let mut entries = Vec::new();
    let sides = [(before, still, old, false), (after, known, new, true)];
    for (points, others, (view, graph), is_added) in sides {
        let own = points
            .iter()
            .filter(|point| !others.contains(&point.title()));
        entries.extend(own.map(|point| Entry {
            is_added,
            point: point.shown(view, graph, texts),
        }));
    }
    entries.dedup_by(|next, last| {
        (next.is_added, &next.point.title) == (last.is_added, &last.point.title)
    });
    entries
}
