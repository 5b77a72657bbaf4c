//! Whether others still find a definition under its name where they looked for it, although it went elsewhere: a
//! class that went leaves one of its name behind, a member is handed down by a base.

use super::offered::Offered;
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::query::diff::units::{Side, UnitId};
use crate::view::live::{FileId, View};
use rustc_hash::FxHashSet;

/// Bases that are looked at for a member.
const MAX_BASES: usize = 64;

/// Whether the file that a definition of the old state was in has one of its name now, in what is called as that which
/// it was in, or in a base of that.
pub(super) fn is_there(
    (old, gone): (&Side<'_>, UnitId),
    (view, graph): (&View, &Graph),
    offered: &Offered,
) -> bool {
    let path = &old.view.file(old.unit(gone).file).path;
    let Some(file) = view.file_at(path.as_bytes()) else {
        return false;
    };
    if !offered.is_open(file) {
        return false;
    }
    let mut names: Vec<&[u8]> = old.around(gone).map(|unit| &*old.unit(unit).name).collect();
    names.reverse();
    let Some((first, rest)) = names.split_first() else {
        return false;
    };
    let mut found = named(view, graph, file, None, first);
    for name in rest {
        found = members(view, graph, &found, name);
    }
    !found.is_empty()
}

/// The definitions of a name in a file, directly in something or at the top.
fn named(
    view: &View,
    graph: &Graph,
    file: FileId,
    container: Option<u32>,
    name: &[u8],
) -> Vec<SymbolId> {
    let Some(doc) = view.file(file).doc else {
        return Vec::new();
    };
    let segment = &view.segment(doc.segment).segment;
    let Some(id) = segment.name_id(name) else {
        return Vec::new();
    };
    let symbols = segment.symbols(doc.doc).enumerate();
    let symbols = symbols.filter(|(_, symbol)| symbol.name == id && symbol.container == container);
    symbols
        .filter_map(|(at, _)| graph.symbol(file, at))
        .collect()
}

/// The members of a name of some types, their own or those of a base.
fn members(view: &View, graph: &Graph, types: &[SymbolId], name: &[u8]) -> Vec<SymbolId> {
    let mut seen: FxHashSet<SymbolId> = FxHashSet::default();
    let mut queue: Vec<SymbolId> = types.to_vec();
    while let Some(id) = queue.pop() {
        if seen.len() >= MAX_BASES || !seen.insert(id) {
            continue;
        }
        let (file, position) = graph.place(id);
        let found = named(view, graph, file, Some(position as u32), name);
        if !found.is_empty() {
            return found;
        }
        queue.extend(graph.bases(id));
    }
    Vec::new()
}
