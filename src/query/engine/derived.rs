//! What is put together of all of a pinned state, once however many questions are asked of it.

use super::{Engine, Pinned};
use crate::query::entry_points::{self, EntryPoint};
use crate::query::inventory::{Inventory, Tables};
use crate::query::map::{Parts, Whole};
use crate::query::overview::Overview;
use crate::query::request::MAP_DEPTH;
use crate::query::scope::Filter;
use std::sync::{Arc, PoisonError};

/// Decoded definitions that are kept: those of the two sides of a comparison.
const MAX_INVENTORIES: usize = 2;

/// Most bytes of one that is kept. Larger ones are made for each question.
const MAX_INVENTORY_BYTES: usize = 32 << 20;

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

    /// A pinned state and what most of it uses, which is found at the first call.
    pub(in crate::query) fn whole<'p>(&self, pinned: &'p Pinned) -> Whole<'p> {
        let (view, graph) = (pinned.view(), self.graph(pinned));
        let overview = &pinned.open.overview;
        Whole {
            view,
            graph,
            overview: overview.get_or_init(|| Overview::of(view, graph)),
        }
    }

    /// What a map shows of all of a pinned state; put together at the first call.
    pub(in crate::query) fn map_parts<'p>(&self, pinned: &'p Pinned) -> &'p Parts {
        let made = || Parts::of(self.whole(pinned), &Filter::open(), MAP_DEPTH);
        pinned.open.map.get_or_init(made)
    }

    /// The definitions of a pinned state and its edges.
    pub fn inventory<'p>(&self, pinned: &'p Pinned) -> Inventory<'p> {
        let (view, graph) = (pinned.view(), self.graph(pinned));
        let mut known = (pinned.open.tables.lock()).unwrap_or_else(PoisonError::into_inner);
        let tables = match known.upgrade() {
            Some(tables) => tables,
            None => Arc::new(Tables::of(view, graph)),
        };
        *known = Arc::downgrade(&tables);
        drop(known);
        if tables.bytes() <= MAX_INVENTORY_BYTES {
            let kept = &mut self.state().inventories;
            kept.retain(|other| !Arc::ptr_eq(other, &tables));
            kept.insert(0, tables.clone());
            kept.truncate(MAX_INVENTORIES);
        }
        Inventory::over(view, graph, tables)
    }
}
