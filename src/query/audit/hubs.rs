//! `audit hubs`: the files and definitions that much of the product code depends on.

use super::answer::{HubFile, HubSymbol};
use crate::extract::record::SymbolKind;
use crate::graph::edges::Graph;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::query::inventory::{Inventory, is_callable, is_type};
use crate::query::overview::{self, Hub, Uses};
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// Finds hubs among the files that `admits` lets pass: the first `limit` files and definitions,
/// and how many there are of both.
pub fn hubs(
    inventory: &Inventory<'_>,
    texts: &mut Texts,
    admits: &dyn Fn(FileId) -> bool,
    limit: usize,
) -> (Vec<HubFile>, Vec<HubSymbol>, usize) {
    let (view, graph) = (inventory.view, inventory.graph);
    let uses = Uses::of(view, graph);
    let admitted = overview::hubs(view, graph)
        .into_iter()
        .filter(|hub| admits(hub.file));
    let (files, files_total) = hub_files(view, graph, admitted, limit);
    let mut used: Vec<SymbolId> = inventory
        .ids()
        .filter(|id| {
            let entry = inventory.get(*id);
            let kind = is_type(entry.kind)
                || entry.kind == SymbolKind::Constant
                || (is_callable(entry.kind) && entry.kind != SymbolKind::Constructor);
            kind && uses.files[id.index()] > 0
                && inventory.is_product(entry.file)
                && !inventory.is_test(*id)
                && admits(entry.file)
        })
        .collect();
    used.sort_by_key(|id| {
        let i = id.index();
        (Reverse(uses.files[i]), Reverse(uses.uses[i]), *id)
    });
    let total = files_total + used.len();
    let symbols = used.iter().take(limit).filter_map(|id| {
        Some(HubSymbol {
            symbol: inventory.reference(texts, *id)?,
            files: uses.files[id.index()] as usize,
            uses: uses.uses[id.index()] as usize,
            fan_out: fan_out(inventory, *id),
        })
    });
    (files, symbols.collect(), total)
}

/// Files that others depend on, as they are shown: the first `limit`, and how many there are.
pub fn hub_files(
    view: &View,
    graph: &Graph,
    hubs: impl Iterator<Item = Hub>,
    limit: usize,
) -> (Vec<HubFile>, usize) {
    let product = |file: &FileId| overview::is_product(view, *file);
    let mut hubs = hubs.fuse();
    let describe = |hub: Hub| HubFile {
        path: view.file(hub.file).path.to_string(),
        rank: graph.rank(hub.file),
        fan_in: hub.fan_in,
        fan_out: graph.depends(hub.file).filter(product).count(),
    };
    let first: Vec<HubFile> = hubs.by_ref().take(limit).map(describe).collect();
    let total = first.len() + hubs.count();
    (first, total)
}

/// Number of definitions that a definition uses, what lies in it included.
fn fan_out(inventory: &Inventory<'_>, id: SymbolId) -> usize {
    let entry = inventory.get(id);
    let mut used: FxHashSet<SymbolId> = FxHashSet::default();
    let inside = (id.0..inventory.len() as u32)
        .map(SymbolId)
        .take_while(|at| {
            let at = inventory.get(*at);
            at.file == entry.file && at.start < entry.end
        });
    for at in inside {
        for edge in inventory.outgoing(at) {
            let rule = inventory.graph.edge(*edge).rule;
            if matches!(rule.certainty(), Certainty::Resolved | Certainty::Inferred) {
                used.extend(inventory.graph.targets(*edge));
            }
        }
    }
    used.retain(|target| !inventory.lies_in(*target, id));
    used.len()
}
