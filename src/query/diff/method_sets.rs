//! Types that lack what an interface wants, in languages where a type has an interface by having its methods: nothing in
//! the code says so, and what used to fit does no more when a method is gone or has another name.
//!
//! Guarantees: a type is told of that had all methods of the interface before, as many arguments taken. Where the
//! interface has one method alone, which many a type has by chance, both are used near each other, too.

use super::changes::Change;
use super::dangling::{Search, document, own_bytes, symbol_at};
use super::subtypes::outer;
use super::units::Side;
use crate::extract::record::{Occurrence, OccurrenceKind, SymbolFlags, SymbolKind};
use crate::graph::edges::Graph;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::lang;
use crate::query::definitions;
use crate::query::scope::Filter;
use crate::segment::Segment;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::FxHashSet;

/// Types that are embedded in one, near and far, that are looked at.
const MAX_BASES: usize = 64;
/// Types that are asked whether they had an interface.
const MAX_TYPES: usize = 256;
/// Uses that are looked at to see where a type or an interface is used.
const MAX_USES: usize = 5_000;

impl Search<'_> {
    /// The type of a method that is gone or has another name, where an interface that the type had wants it still.
    pub(super) fn method_sets(&mut self, change: Change, texts: &mut Texts) {
        let Some(was) = change.before() else {
            return;
        };
        if change.after().is_some() && !change.how().renamed {
            return;
        }
        let unit = self.old.unit(was);
        let (id, file) = (unit.id, unit.file);
        if unit.kind != SymbolKind::Method || !is_implicit(self.old, file) {
            return;
        }
        let name = own_bytes(&unit.name);
        let still = |id| self.matches.still((self.old, self.new), id);
        let Some(of) = outer(self.old, id) else {
            return;
        };
        let Some(now) = still(of).filter(|now| !self.may_have(texts, *now, name)) else {
            return;
        };
        let mut lacking: Vec<(SymbolId, SymbolId, SymbolId)> = Vec::new();
        for wanted in named(self.old, name) {
            let Some(interface) = interface_of(self.old, wanted) else {
                continue;
            };
            let (Some(wanted_now), Some(interface_now)) = (still(wanted), still(interface)) else {
                continue;
            };
            let (file, position) = self.new.graph.place(wanted_now);
            let is_wanted = symbol_at(self.new, file, position)
                .is_some_and(|(segment, symbol)| segment.name_id(name) == Some(symbol.name));
            if is_wanted
                && arity(self.old, texts, wanted) == arity(self.old, texts, id)
                && self.had(texts, of, interface)
            {
                lacking.push((wanted_now, interface_now, interface));
            }
        }
        // One interface may be written in each package that wants it: the own package's is the one that is meant.
        let folder = |id| folder_of(self.old, id);
        if lacking
            .iter()
            .any(|(.., of_old)| folder(*of_old) == folder(of))
        {
            let graph = self.old.graph;
            let near = used_near(graph, of);
            lacking.retain(|(.., of_old)| {
                let is_own = folder(*of_old) == folder(of);
                is_own || !used_near(graph, *of_old).is_disjoint(&near)
            });
        }
        for (wanted, interface, _) in lacking {
            self.lacking(now, (wanted, interface), name);
        }
    }

    /// The types that had an interface which wants one more method since now.
    pub(super) fn wanted_more(&mut self, change: Change, texts: &mut Texts) {
        let added = match change {
            Change::Added(new) => new,
            // What is called otherwise is wanted by another name.
            Change::Changed { new, how, .. } if how.renamed => new,
            _ => return,
        };
        let (id, file) = (self.new.unit(added).id, self.new.unit(added).file);
        if self.new.unit(added).kind != SymbolKind::Method || !is_implicit(self.new, file) {
            return;
        }
        let Some(interface_now) = interface_of(self.new, id) else {
            return;
        };
        let was = (self.new.find(interface_now)).and_then(|unit| self.matches.old_of(unit));
        let Some(interface) = was.map(|unit| self.old.unit(unit).id) else {
            return;
        };
        let name = own_bytes(&self.new.unit(added).name).to_vec();
        let methods = methods_in(self.old, interface);
        let is_one = methods.len() < 2;
        let all = methods.into_iter().map(|method| named(self.old, &method));
        let Some(rarest) = all.min_by_key(Vec::len) else {
            return;
        };
        let is_wanted = |id: &SymbolId| interface_of(self.old, *id) == Some(interface);
        let Some(wanted) = rarest.iter().copied().find(is_wanted) else {
            return;
        };
        let mut lacking = Vec::new();
        for method in rarest.into_iter().take(MAX_TYPES) {
            let Some(of) = outer(self.old, method) else {
                continue;
            };
            let Some(now) = self.matches.still((self.old, self.new), of) else {
                continue;
            };
            if interface_of(self.old, method).is_none()
                && arity(self.old, texts, wanted) == arity(self.old, texts, method)
                && self.had(texts, of, interface)
                // One method many a type has by chance.
                && (!is_one || on_one_line(self.old.graph, of, interface))
                && !self.may_have(texts, now, &name)
            {
                lacking.push(now);
            }
        }
        for now in lacking {
            self.lacking(now, (id, interface_now), &name);
        }
    }

    /// Whether a type of the new state has a method, or embeds what may have it.
    fn may_have(&self, texts: &mut Texts, of: SymbolId, name: &[u8]) -> bool {
        let all = with_bases(self.new.graph, of);
        has(self.new, &all, name) || all.iter().any(|of| embeds_outside(self.new, texts, *of))
    }

    /// Whether a type of the old state was one of those that an interface is for.
    fn had(&self, texts: &mut Texts, of: SymbolId, interface: SymbolId) -> bool {
        let (old, graph) = (self.old, self.old.graph);
        let types = with_bases(graph, of);
        // What embeds an interface has all methods of it from that.
        if types.contains(&interface) {
            return false;
        }
        let mut wanted: FxHashSet<Vec<u8>> = FxHashSet::default();
        for interface in with_bases(graph, interface) {
            if embeds_outside(old, texts, interface) {
                return false;
            }
            wanted.extend(methods_in(old, interface));
        }
        wanted.iter().all(|name| has(old, &types, name))
            && (wanted.len() > 1 || {
                let near = used_near(graph, interface);
                !used_near(graph, of).is_disjoint(&near)
            })
    }
}

/// Whether two definitions are used on one line: `var _ Shape = Square{}`.
fn on_one_line(graph: &Graph, a: SymbolId, b: SymbolId) -> bool {
    let lines = |of: SymbolId| -> FxHashSet<(FileId, u32)> {
        let mut reader = graph.reader();
        let edges = graph.incoming(of).into_iter().take(MAX_USES);
        edges
            .map(|edge| reader.edge(edge))
            .map(|edge| (edge.file, edge.line))
            .collect()
    };
    !lines(a).is_disjoint(&lines(b))
}

/// The folder of the file of a definition: its package.
fn folder_of(side: &Side<'_>, id: SymbolId) -> Vec<u8> {
    let (file, _) = side.graph.place(id);
    let path = side.view.file(file).path.as_bytes();
    let end = path.iter().rposition(|b| *b == b'/').unwrap_or(0);
    path[..end].to_vec()
}

fn is_implicit(side: &Side<'_>, file: FileId) -> bool {
    let Some(doc) = side.view.file(file).doc else {
        return false;
    };
    let lang = side.view.segment(doc.segment).segment.doc(doc.doc).lang;
    lang::of(lang).naming.implicit_interfaces
}

/// The definitions of a name.
fn named(side: &Side<'_>, name: &[u8]) -> Vec<SymbolId> {
    let found = definitions::find_exact(side.view, &Filter::open(), name).into_iter();
    found
        .filter_map(|found| side.graph.symbol(found.file, found.index))
        .collect()
}

/// The interface that a method is declared in, in a language where types need not name it.
fn interface_of(side: &Side<'_>, method: SymbolId) -> Option<SymbolId> {
    let (file, position) = side.graph.place(method);
    let (_, symbol) = symbol_at(side, file, position)?;
    let container = symbol.container? as usize;
    let (_, outer) = symbol_at(side, file, container)?;
    let is_bare = symbol.flags.contains(SymbolFlags::DECLARATION);
    let wants = is_bare && outer.kind == SymbolKind::Interface && is_implicit(side, file);
    wants.then(|| side.graph.symbol(file, container)).flatten()
}

/// A type and what is embedded in it, near and far.
fn with_bases(graph: &Graph, of: SymbolId) -> Vec<SymbolId> {
    let mut seen = vec![of];
    let mut next = 0;
    while let Some(at) = seen.get(next).copied() {
        next += 1;
        for base in graph.bases(at) {
            if seen.len() < MAX_BASES && !seen.contains(&base) {
                seen.push(base);
            }
        }
    }
    seen
}

/// Whether one of some types has a method of a name.
fn has(side: &Side<'_>, types: &[SymbolId], name: &[u8]) -> bool {
    let mut named = named(side, name).into_iter();
    named.any(|id| {
        let (file, position) = side.graph.place(id);
        let is_method = symbol_at(side, file, position)
            .is_some_and(|(_, symbol)| symbol.kind == SymbolKind::Method);
        is_method && outer(side, id).is_some_and(|of| types.contains(&of))
    })
}

/// The names of the methods that stand in an interface.
fn methods_in(side: &Side<'_>, interface: SymbolId) -> Vec<Vec<u8>> {
    let (file, position) = side.graph.place(interface);
    let Some(doc) = side.view.file(file).doc else {
        return Vec::new();
    };
    let segment = &side.view.segment(doc.segment).segment;
    let symbols = segment.symbols(doc.doc);
    symbols
        .filter(|symbol| {
            symbol.kind == SymbolKind::Method
                && symbol.container.map(|of| of as usize) == Some(position)
        })
        .map(|symbol| spelt(segment, symbol.name))
        .collect()
}

fn spelt(segment: &Segment, name: NameId) -> Vec<u8> {
    let mut spelt = Vec::new();
    segment.name(name, &mut spelt);
    spelt
}

/// Whether a type embeds something that is not in the repository, which may have any method.
fn embeds_outside(side: &Side<'_>, texts: &mut Texts, of: SymbolId) -> bool {
    let (file, position) = side.graph.place(of);
    let (Some((segment, doc)), Some(text)) = (document(side, file), texts.get(side.view, file))
    else {
        return true;
    };
    let Some(symbol) = segment.symbols(doc).nth(position) else {
        return true;
    };
    let lines = symbol.start_line..=symbol.end_line;
    let unknown = |found: &Occurrence<NameId>| {
        found.kind == OccurrenceKind::Inherit
            && lines.contains(&found.line)
            && side.graph.edge_at(file, found.line, found.col).is_none()
    };
    if segment.occurrences(doc).any(|found| unknown(&found)) {
        return true;
    }
    let known: Vec<Vec<u8>> = (side.graph.bases(of))
        .filter_map(|base| {
            let (file, position) = side.graph.place(base);
            let (segment, symbol) = symbol_at(side, file, position)?;
            Some(spelt(segment, symbol.name))
        })
        .collect();
    let mut fields = segment.symbols(doc).filter(|field| {
        field.kind == SymbolKind::Field
            && field.container.map(|of| of as usize) == Some(position)
            && is_embedded(text.slice(field.span.clone()))
    });
    fields.any(|field| !known.contains(&spelt(segment, field.name)))
}

/// Whether a field is written as its type alone: `other.Base`, `*Base`, with or without a tag behind it.
fn is_embedded(field: &[u8]) -> bool {
    let field = field.trim_ascii();
    let end = field.iter().position(u8::is_ascii_whitespace);
    let rest = end.map_or(&b""[..], |end| field[end..].trim_ascii());
    rest.is_empty() || rest.starts_with(b"`") || rest.starts_with(b"//")
}

/// The files in which something is used, or in which what uses it is used.
fn used_near(graph: &Graph, id: SymbolId) -> FxHashSet<FileId> {
    let mut files: FxHashSet<FileId> = FxHashSet::default();
    let mut users: FxHashSet<SymbolId> = FxHashSet::default();
    let sure = |id: SymbolId| {
        let edges = graph.incoming(id).into_iter().take(MAX_USES);
        let edges = edges.map(|edge| graph.edge(edge));
        edges.filter(|edge| edge.rule.certainty() <= Certainty::Inferred)
    };
    for edge in sure(id) {
        files.insert(edge.file);
        users.extend(edge.from);
    }
    let mut left = MAX_USES;
    for user in users {
        for edge in sure(user).take(left) {
            files.insert(edge.file);
            left -= 1;
        }
    }
    files
}

/// How many parameters a method has, as its head is written; `None` where that cannot be told.
fn arity(side: &Side<'_>, texts: &mut Texts, method: SymbolId) -> Option<usize> {
    let (file, position) = side.graph.place(method);
    let (segment, symbol) = symbol_at(side, file, position)?;
    let text = texts.get(side.view, file)?;
    let head = text.slice(symbol.signature.clone());
    let opened = [&*spelt(segment, symbol.name), b"("].concat();
    let at = memchr::memmem::find(head, &opened)? + opened.len();
    parameters(&head[at..])
}

/// The number of parameters in what follows the parenthesis that opens them.
fn parameters(rest: &[u8]) -> Option<usize> {
    let (mut depth, mut count, mut any) = (0usize, 0, false);
    for byte in rest {
        match byte {
            b')' if depth == 0 => return Some(count + usize::from(any)),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => {
                count += 1;
                any = false;
                continue;
            }
            _ => {}
        }
        any |= !byte.is_ascii_whitespace();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_counted_at_their_own_depth() {
        for (text, expected) in [
            (&b") error"[..], Some(0)),
            (b"x int) error", Some(1)),
            (b"f func(a, b int) error, m map[string]int,\n)", Some(2)),
            (b"x int", None),
            (b"]", None),
        ] {
            assert_eq!(parameters(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_embedded_has_no_name_of_its_own() {
        for embedded in [
            &b"other.Base"[..],
            b"*Base `json:\"a\"`",
            b"Base // why",
            b"Of[int]",
        ] {
            assert!(is_embedded(embedded), "{embedded:?}");
        }
        assert!(!is_embedded(b"base other.Base"));
    }
}
