//! Routes, commands and jobs that still name a handler which is gone or is called otherwise. A framework finds it by the
//! text of that name, so no edge leads there that could dangle.

use super::Comparison;
use super::dangling::{Expected, Fault, StaleUse};
use super::units::UnitId;
use crate::extract::record::SymbolKind;
use crate::graph::rule::Certainty;
use crate::query::entry_points::{self, EntryPoint};
use crate::query::scope::Filter;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};

impl Comparison<'_> {
    /// The places of the new state that state such entry points.
    pub(super) fn registered(&self, texts: &mut Texts) -> Vec<StaleUse> {
        let gone: FxHashSet<UnitId> = self.old.ids().filter(|was| self.is_missed(*was)).collect();
        if gone.is_empty() || !entry_points::has_any(self.old.view) {
            return Vec::new();
        }
        let (old, new) = (&self.old, &self.new);
        let mut all = |view, graph| entry_points::all(view, graph, texts, &Filter::open(), false);
        let before = all(old.view, old.graph);
        let handled: Vec<(&EntryPoint, UnitId)> = before
            .iter()
            .filter_map(|point| Some((point, old.find(point.handler?)?)))
            .filter(|(_, was)| gone.contains(was))
            .collect();
        if handled.is_empty() {
            return Vec::new();
        }
        let after = all(new.view, new.graph);
        // What is said of one in its place has been looked at by who changed it.
        let mut left: FxHashMap<_, &EntryPoint> = FxHashMap::default();
        for point in after.iter().filter(|point| point.handler.is_none()) {
            let path = &new.view.file(point.file).path;
            left.insert((path, point.title(), point.said.clone()), point);
        }
        let known: FxHashSet<_> = (self.stale.iter())
            .map(|one| (one.expected, one.file, one.line))
            .collect();
        let mut stale = Vec::new();
        for (point, was) in handled {
            let key = (
                &old.view.file(point.file).path,
                point.title(),
                point.said.clone(),
            );
            let Some(now) = left.get(&key) else {
                continue;
            };
            let place = (Expected::Definition(was), now.file, now.line);
            if !known.contains(&place) {
                stale.push(StaleUse {
                    expected: place.0,
                    by_member: false,
                    file: now.file,
                    line: now.line,
                    col: 0,
                    fault: Fault::Dangling,
                    certainty: Certainty::Inferred,
                });
            }
        }
        stale.sort_unstable();
        stale.dedup();
        stale
    }

    /// Whether a definition that may be a handler is gone or is called otherwise.
    fn is_missed(&self, was: UnitId) -> bool {
        use SymbolKind::{Class, Function, Method};
        let (old, matches) = (&self.old, &self.matches);
        let is_handler = matches!(old.unit(was).kind, Class | Function | Method);
        let now = matches.new_of(was);
        is_handler && now.is_none_or(|now| self.new.own_name(now) != old.own_name(was))
    }
}
