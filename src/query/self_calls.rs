//! What a definition may be called by that calls its own name: `void Win::f() { ::f(); }`, `func f(x: [Int] = []) { f() }`.
//!
//! Resolution takes such a call for one of itself. More often it means another of the name: a function that is told by its
//! arguments, or one outside of the type. So where languages have these, who calls its own name may mean each other
//! definition that has it, and in C++ a member of a template may be that of each type that the template is written for.
//!
//! Guarantee: this only lets more be in use. Deliberately absent: which of them is called; that recursion is no such call;
//! and, but for C and C++, definitions of other files.

use super::definitions;
use super::exposure;
use super::inventory::{Inventory, is_callable};
use super::scope::Filter;
use crate::extract::record::Grammar;
use crate::graph::edges::Graph;
use crate::graph::names::Name;
use crate::graph::table::SymbolId;
use crate::lang;
use crate::view::live::{FileId, View};
use rustc_hash::FxHashMap;

/// Definitions of a name that are looked at.
const MAX_NAMED: usize = 16;
/// Uses of each.
const MAX_USES: usize = 256;

/// Whether what calls its own name may mean another of that in a language.
fn has_others(language: &lang::Language) -> bool {
    language.naming.overloads || language.naming.linked
}

/// A definition of the name of another that calls this name itself, where the other may be meant.
pub fn caller_of(view: &View, graph: &Graph, id: SymbolId, name: &[u8]) -> Option<SymbolId> {
    let (file, _) = graph.place(id);
    let language = exposure::language(view, file);
    if !has_others(language) {
        return None;
    }
    let named = definitions::find_exact(view, &Filter::open(), name);
    let named = named.iter().filter(|found| {
        found.file == file
            || language.naming.linked
                && exposure::language(view, found.file).family == language.family
    });
    let all = named.filter_map(|found| graph.symbol(found.file, found.index));
    let all: Vec<SymbolId> = all.filter(|of| *of != id).take(MAX_NAMED).collect();
    all.iter().find_map(|found| {
        let mut uses = graph.incoming(*found).into_iter().take(MAX_USES);
        uses.find_map(|edge| {
            let from = graph.edge(edge).from?;
            let is_beside = graph.place(from).0 == file;
            let may_mean = all.contains(&from) && (is_beside || is_member(view, graph, from));
            may_mean.then_some(from)
        })
    })
}

/// Whether a definition is a member of a type, in it or beside it.
fn is_member(view: &View, graph: &Graph, id: SymbolId) -> bool {
    let (file, index) = graph.place(id);
    graph.owner(id).is_some()
        || view.file(file).doc.is_some_and(|doc| {
            let mut symbols = view.segment(doc.segment).segment.symbols(doc.doc);
            let symbol = symbols.nth(index);
            symbol.is_some_and(|symbol| symbol.container.is_some())
        })
}

/// The same of all definitions, as pairs of who calls its own name and what it may mean.
pub fn pairs(inventory: &Inventory<'_>) -> Vec<(SymbolId, SymbolId)> {
    let graph = inventory.graph;
    let language = |id: SymbolId| inventory.language(inventory.get(id).file);
    let mut callers: FxHashMap<(Grammar, Name), Vec<SymbolId>> = FxHashMap::default();
    let mut templates: FxHashMap<(FileId, Name, Name), Vec<(SymbolId, SymbolId)>> =
        FxHashMap::default();
    for id in inventory.ids().filter(|id| has_others(language(*id))) {
        let entry = inventory.get(id);
        let of = language(id);
        if of.naming.linked
            && is_callable(entry.kind)
            && let Some(class) = inventory.class_of(id)
        {
            let of = (entry.file, inventory.get(class).name, entry.name);
            templates.entry(of).or_default().push((class, id));
        }
        let is_own = |target: SymbolId| inventory.get(target).name == entry.name;
        let mut called = inventory.outgoing(id).iter();
        if called.any(|edge| graph.targets(*edge).any(is_own)) {
            let callers = callers.entry((of.family, entry.name)).or_default();
            if callers.len() < MAX_NAMED {
                callers.push(id);
            }
        }
    }
    let mut pairs = Vec::new();
    for id in inventory.ids().filter(|id| has_others(language(*id))) {
        let entry = inventory.get(id);
        let of = language(id);
        let callers = callers.get(&(of.family, entry.name)).into_iter().flatten();
        let may_mean = |caller: &&SymbolId| {
            let is_beside = inventory.get(**caller).file == entry.file;
            let is_member = || of.naming.linked && inventory.class_of(**caller).is_some();
            **caller != id && (is_beside || is_member())
        };
        if is_callable(entry.kind) {
            pairs.extend(callers.filter(may_mean).map(|caller| (*caller, id)));
        }
    }
    for all in templates.into_values() {
        // A ring, so that each leads to all.
        let next = all.iter().cycle().skip(1);
        let beside = all.iter().zip(next);
        let beside = beside.filter(|((class, _), (other, _))| class != other);
        pairs.extend(beside.map(|((_, id), (_, other))| (*id, *other)));
    }
    pairs
}
