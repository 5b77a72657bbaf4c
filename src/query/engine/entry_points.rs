//! The entry points of a pinned state, put together once however many questions are asked of it.

use super::{Engine, Pinned};
use crate::query::entry_points::{self, EntryPoint};
use crate::query::scope::Filter;

impl Engine {
    /// The entry points of a pinned state but those that tests state; made at the first call.
    pub fn entry_points<'p>(&self, pinned: &'p Pinned) -> &'p [EntryPoint] {
        pinned.open.entry_points.get_or_init(|| {
            let view = pinned.view();
            if !entry_points::has_any(view) {
                return Vec::new();
            }
            let graph = self.graph(pinned);
            entry_points::all(view, graph, &mut self.texts(), &Filter::open(), false)
        })
    }
}
