//! `audit hubs`: the files and definitions that much of the product code depends on.

use super::answer::{HubFile, HubSymbol};
use crate::extract::record::{OccurrenceKind, SymbolKind};
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::query::inventory::{Inventory, is_callable, is_type};
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// How much product code uses each definition, resolved or inferred.
pub struct Uses {
    /// By definition: files that use it, its own not counted.
    pub files: Vec<u32>,
    /// By definition: uses.
    pub uses: Vec<u32>,
}

impl Uses {
    /// Counts the uses in product code.
    pub fn of(inventory: &Inventory<'_>) -> Self {
        let count = inventory.len();
        let mut uses = Self {
            files: vec![0; count],
            uses: vec![0; count],
        };
        let mut last = vec![None; count];
        let graph = inventory.graph;
        for file in inventory.files().filter(|file| inventory.is_product(*file)) {
            for at in graph.edges_of(file) {
                let edge = graph.edge(at);
                let sure = matches!(
                    edge.rule.certainty(),
                    Certainty::Resolved | Certainty::Inferred
                );
                let in_test = edge.from.is_some_and(|from| inventory.is_test(from));
                if !sure || in_test || edge.kind == OccurrenceKind::Import {
                    continue;
                }
                for id in graph.targets(at) {
                    uses.uses[id.index()] += 1;
                    let elsewhere = inventory.get(id).file != file;
                    if elsewhere && last[id.index()].replace(file) != Some(file) {
                        uses.files[id.index()] += 1;
                    }
                }
            }
        }
        uses
    }
}

/// Finds hubs among the files that `admits` lets pass: the first `limit` files and definitions,
/// and how many there are of both.
pub fn hubs(
    inventory: &Inventory<'_>,
    texts: &mut Texts,
    admits: &dyn Fn(FileId) -> bool,
    limit: usize,
) -> (Vec<HubFile>, Vec<HubSymbol>, usize) {
    let (files, files_total) = hub_files(inventory, admits, limit);
    let uses = Uses::of(inventory);
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

/// Product files that others depend on, highest rank first: the first `limit`, and how many there
/// are.
pub fn hub_files(
    inventory: &Inventory<'_>,
    admits: &dyn Fn(FileId) -> bool,
    limit: usize,
) -> (Vec<HubFile>, usize) {
    let graph = inventory.graph;
    let product = |files: &mut dyn Iterator<Item = FileId>| {
        files.filter(|file| inventory.is_product(*file)).count()
    };
    let mut files: Vec<(FileId, usize)> = inventory
        .files()
        .filter(|file| inventory.is_product(*file) && admits(*file))
        .map(|file| (file, product(&mut graph.dependents(file))))
        .filter(|(_, fan_in)| *fan_in > 0)
        .collect();
    files.sort_by(|(a, a_in), (b, b_in)| {
        let ranks = graph.rank(*b).total_cmp(&graph.rank(*a));
        ranks.then(b_in.cmp(a_in)).then(a.cmp(b))
    });
    let total = files.len();
    let describe = |(file, fan_in): &(FileId, usize)| HubFile {
        path: inventory.view.file(*file).path.to_string(),
        rank: graph.rank(*file),
        fan_in: *fan_in,
        fan_out: product(&mut graph.depends(*file)),
    };
    (files.iter().take(limit).map(describe).collect(), total)
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
