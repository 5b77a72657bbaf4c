//! Making the graph of a view, from nothing or from the graph of a tree that is nearly the same.

use super::assemble::{self, NewEdge, Referred, Targets};
use super::compiled::Compiled;
use super::digests::Digests;
use super::documents::{Documents, Head};
use super::edges::Graph;
use super::families::Families;
use super::globals::Globals;
use super::guess::Guesses;
use super::imports::Imports;
use super::includes::Includes;
use super::listing::Listing;
use super::members::{Based, Members};
use super::memo::Memo;
use super::modules::Modules;
use super::names::Names;
use super::parallel;
use super::resolve::{MAX_MEANT, Meaning, Resolver};
use super::reuse::{Defined, Facts, Held, Kept, Reused};
use super::rounds::Rounds;
use super::saved::SavedKept;
use super::semantics::CommonNames;
use super::splice;
use super::table::{Index, SymbolTable};
use super::trail::Barren;
use super::value::Values;
use crate::lang;
use crate::store::facts::CompilerFacts;
use crate::view::live::{FileId, View};
use std::sync::Arc;

/// A graph with what the next one can be made from.
#[derive(Clone, Default)]
pub struct Made {
    /// The graph.
    pub graph: Graph,
    /// What its making found out.
    pub digests: Digests,
    /// The rest of it, as it was saved; `None` in a graph that this process has made.
    pub(super) saved: Option<SavedKept>,
    /// Files that were resolved for it; the others are as in the graph before.
    pub resolved: usize,
}

impl Made {
    /// Whether it was read from where it is saved, so that its columns are mapped.
    pub fn is_saved(&self) -> bool {
        self.saved.is_some()
    }
}

/// An earlier graph and, where this process has made it, how it came about.
pub type Before<'a> = (&'a Made, Option<&'a Kept>);

/// Builds the graph of a view on so many threads. `read` gives the content of a file; it is asked
/// for configuration files only.
pub fn build(view: &View, threads: usize, read: &mut dyn FnMut(FileId) -> Option<Vec<u8>>) -> Made {
    build_from((view, &CompilerFacts::default()), None, threads, read).0
}

/// Builds the graph of a view and of what compilers said of its contents, with the edges of `before` as far as
/// they hold. Returns also what the next one can be made from.
pub fn build_from(
    (view, said): (&View, &CompilerFacts),
    before: Option<Before<'_>>,
    threads: usize,
    read: &mut dyn FnMut(FileId) -> Option<Vec<u8>>,
) -> (Made, Kept) {
    let opened = before.and_then(|(old, kept)| match kept {
        Some(_) => None,
        None => old.saved.as_ref()?.open(),
    });
    let kept = before.and_then(|(_, kept)| kept.or(opened.as_ref()));
    let held = kept.and_then(|kept| {
        let held = kept.held.as_ref()?;
        Some((held, Names::after(&held.names, view)?))
    });
    let (held, names) = held.map_or_else(
        || (None, Names::of(view)),
        |(held, names)| (Some(held), names),
    );
    let docs = Documents::of(view, &names, held.map(|held| &held.documents), threads);
    let files: Vec<FileId> = (0..docs.len() as u32).map(FileId).collect();
    let mut digests = Digests::of(view);
    let same = before
        .zip(held)
        .and_then(|((old, _), held)| Some((old, held, digests.changed_since(&old.digests)?)));
    // After most edits a file has the definitions that it had, and often the imports.
    let defined_so = same.as_ref().and_then(|(_, held, changed)| {
        let are_so = docs.are_like(&held.documents, changed, Head::defines_as);
        are_so.then_some(&held.defined)
    });
    let imported_so = same.as_ref().and_then(|(_, held, changed)| {
        let are_so = docs.are_like(&held.documents, changed, Head::imports_as);
        defined_so.filter(|_| are_so)
    });
    let look_at_modules = || match &same {
        Some((_, held, changed)) => {
            let (modules, may_differ) = held.modules.after(view, changed, read);
            let may_differ = files.iter().filter(|file| may_differ[file.0 as usize]);
            let mut resolved: Vec<FileId> = may_differ.chain(changed).copied().collect();
            resolved.sort_unstable();
            resolved.dedup();
            (modules, resolved, None)
        }
        None => {
            let mut configuration: Vec<FileId> = Vec::new();
            let modules = Modules::of(view, &mut |file| {
                configuration.push(file);
                read(file)
            });
            (modules, files.clone(), Some(configuration))
        }
    };
    let number = || match (defined_so, &same) {
        (Some(known), _) => SymbolTable::with(&docs, known.index.clone()),
        (None, Some((_, held, changed))) => {
            let was = |file| held.documents.get(file).map(|doc| &***doc);
            let index = Index::after(&held.defined.index, &docs, changed, was);
            SymbolTable::with(&docs, Arc::new(index)).for_many()
        }
        (None, None) => SymbolTable::of(&docs),
    };
    // Neither needs the other.
    let (table, (modules, resolved, configuration)) =
        parallel::both(threads, number, look_at_modules);
    if let Some(files) = &configuration {
        digests.configure(files);
    } else if let Some((old, ..)) = &same {
        digests.configuration.clone_from(&old.digests.configuration);
    }
    let imports = Imports::resolving((view, &modules, &docs), &resolved, threads);
    let is_linked = |file: &FileId| {
        let doc = docs.get(*file);
        doc.is_some_and(|doc| lang::of(doc.lang).naming.linked)
    };
    let includes = match &same {
        Some((_, held, _)) if !resolved.iter().any(is_linked) => held.includes.clone(),
        _ => {
            let resolved = |file| imports.of(view, &modules, &docs, file);
            Arc::new(Includes::of(&docs, &resolved, threads))
        }
    };
    let common = CommonNames::of(&names);
    let mut resolver = Resolver {
        view,
        names: &names,
        docs: &docs,
        table: &table,
        modules: &modules,
        imports: &imports,
        includes: &includes,
        globals: match imported_so {
            Some(known) => known.globals.clone(),
            None => Arc::new(Globals::of(view, &names, &docs, &table)),
        },
        common: &common,
        guesses: Guesses::default(),
        compiled: Compiled::of(view, said, &names, &docs, &table),
        imported: Vec::new(),
        barren: None,
        members: Members::default(),
        values: Values::default(),
    };
    let owned = imported_so.zip(before).and_then(|(known, (old, _))| {
        let leads_so = digests.lead_so(&resolver, &old.digests, &resolved, threads);
        leads_so.then(|| known.owned.clone())
    });
    debug_assert!(
        (owned.as_ref()).is_none_or(|known| **known == resolver.collect_members()),
        "imports and definitions tell what belongs to what"
    );
    let owned = owned.unwrap_or_else(|| Arc::new(resolver.collect_members()));
    resolver.members = Members::of(owned);
    let known = match (before, kept) {
        (Some((old, _)), Some(kept)) => {
            let resolver = (&mut resolver, &resolved[..]);
            Reused::follow((old, kept), &mut digests, resolver, threads)
        }
        _ => None,
    };
    let (reused, bases) = match known {
        Some((reused, bases)) => (Some(reused), bases),
        None => {
            let bases = look_at_all(&files, &mut digests, &mut resolver, threads);
            let old = before.map(|(old, _)| old);
            let reused = old.and_then(|old| Reused::of(old, &digests, &resolver));
            (reused, bases)
        }
    };
    resolver.imported = resolver.empty_import_cache();
    resolver.barren = Some(Barren::of(BARREN_PARTS));
    let graph = reused.as_ref().zip(kept).and_then(|(reused, kept)| {
        let files = splice::files(reused)?;
        let owned = kept.held.as_ref().map(|held| &held.defined.owned);
        let same_families = owned.is_some_and(|was| Arc::ptr_eq(was, resolver.members.owned()))
            && bases == kept.found.bases
            && resolver.values.have_bases_of(&kept.found.values);
        let families = same_families.then(|| Families::same(reused.graph));
        let find = |memo: &Memo, file: &FileId| (*file, references(&resolver, *file, memo));
        let found = parallel::map_with(&files, threads, Memo::default, find);
        splice::splice(&resolver, found, reused, families)
    });
    let assembled = || assembled(&resolver, &files, reused.as_ref(), threads);
    let made = Made {
        resolved: reused.as_ref().map_or(files.len(), Reused::stale_files),
        graph: graph.unwrap_or_else(assembled),
        digests,
        saved: None,
    };
    let listing = match (&reused, kept) {
        (Some(reused), Some(kept)) => reused.listing(kept, &resolver),
        _ => Arc::new(Listing::of(&resolver)),
    };
    let (values, places) = resolver.values.into_rounds();
    let documents = docs.unread(view);
    let defined = Defined {
        index: table.index().clone(),
        owned: resolver.members.owned().clone(),
        globals: resolver.globals,
    };
    let kept = Kept {
        found: Facts {
            bases,
            values,
            again: Vec::new(),
        },
        has_members: defined.owned.has_any.clone(),
        listing,
        held: Some(Held {
            names,
            documents,
            defined,
            places,
            modules,
            includes,
        }),
    };
    (made, kept)
}

/// Finds out what all files say of types and values, and what they look like from others.
fn look_at_all(
    files: &[FileId],
    digests: &mut Digests,
    resolver: &mut Resolver<'_>,
    threads: usize,
) -> Vec<Based> {
    resolver.forget_values();
    let bases = resolver.collect_bases(files, threads);
    resolver.members.set_bases(resolver.table, &bases);
    let values = Values::of_symbols(resolver.table.len());
    resolver.collect_values(files, (values, Rounds::new()), threads);
    digests.begin(resolver, None, threads);
    digests.see(resolver, None, threads);
    bases
}

/// The graph put together of all files: those that are not reused are resolved.
fn assembled(
    resolver: &Resolver<'_>,
    files: &[FileId],
    reused: Option<&Reused<'_>>,
    threads: usize,
) -> Graph {
    let edges = files.chunks(BLOCK).flat_map(|block| {
        parallel::map_with(block, threads, Memo::default, |memo, file| match reused {
            Some(reused) if reused.holds(*file) => None,
            _ => Some(references(resolver, *file, memo)),
        })
    });
    assemble::assemble(resolver, edges, reused, threads)
}

/// Files that are resolved before their edges go into the columns. With all of 100,000 files at once a
/// graph took 240 MB more.
const BLOCK: usize = 8192;

/// Parts of what is noted for all threads, so that these seldom wait for one another.
const BARREN_PARTS: usize = 64;

/// Resolves the occurrences of a file.
fn references(resolver: &Resolver<'_>, file: FileId, memo: &Memo) -> Referred {
    let mut referred = Referred::default();
    let Some(doc) = resolver.docs.get(file) else {
        return referred;
    };
    memo.enter(file);
    let found = &mut referred.edges;
    for (occurrence, at) in doc.occurrences().iter().zip(0..) {
        let (targets, rule) = match resolver.told(file, at, resolver.resolve(file, at, memo)) {
            Meaning::Symbols(mut targets, rule) => match *targets {
                [one] => (Targets::One(one), rule),
                _ => {
                    targets.truncate(MAX_MEANT);
                    (Targets::Found(targets.into()), rule)
                }
            },
            Meaning::Candidates(targets, rule) => (Targets::Listed(targets), rule),
            Meaning::Unknown => {
                let lacking = resolver.lacking(file, doc, at, memo);
                let lacking = lacking.map(|of| (occurrence.line, occurrence.col, of));
                referred.lacking.extend(lacking);
                continue;
            }
            _ => continue,
        };
        found.push(NewEdge {
            from: occurrence.owner().map(|i| resolver.table.id(file, i)),
            line: occurrence.line,
            col: occurrence.col,
            kind: occurrence.kind.code(),
            rule,
            targets,
        });
    }
    found.shrink_to_fit();
    referred
}

#[cfg(test)]
mod tests {
    use super::super::modules::testing::Tree;
    use super::super::table::MAX_NAMESAKES;
    use super::*;

    /// Definitions and edges of a tree, and how many definitions one of its uses leads to at most.
    fn widest(files: &[(&str, &str)]) -> (usize, usize, usize) {
        let tree = Tree::new(files);
        let graph = build(tree.view(), 1, &mut |file| tree.content(file)).graph;
        let edges = 0..graph.edge_count() as u32;
        let widest = edges.map(|edge| graph.targets(edge).len()).max();
        (
            graph.symbol_count(),
            graph.edge_count(),
            widest.unwrap_or_default(),
        )
    }

    #[test]
    fn a_use_leads_to_the_first_definitions_of_a_file() {
        const MANY: usize = 3 * MAX_NAMESAKES;
        for (path, each) in [
            ("x.dart", "A() { A(); }\n"),
            ("x.ts", "function A() { A() }\n"),
            ("x.py", "def A(): A()\n"),
            ("x.c", "int A() { return A(); }\n"),
        ] {
            let few = each.repeat(MAX_NAMESAKES / 2);
            let many = each.repeat(MANY);
            let (_, _, least) = widest(&[(path, &few)]);
            let (symbols, edges, most) = widest(&[(path, &many)]);
            assert!(
                symbols >= MANY && edges >= MANY,
                "{path}: {symbols}, {edges}"
            );
            assert_eq!((least, most), (MAX_NAMESAKES / 2, MAX_NAMESAKES), "{path}");
        }
    }

    #[test]
    fn a_use_leads_to_the_first_definitions_of_many_files() {
        let paths: Vec<String> = (0..MAX_MEANT + 60).map(|n| format!("{n}.c")).collect();
        let file = |path| (path, "int f(void) { return f(); }\n");
        let all: Vec<(&str, &str)> = paths.iter().map(|path| file(path.as_str())).collect();
        let few = MAX_MEANT / 4;
        assert_eq!(widest(&all[..few]), (few, few, few));
        assert_eq!(widest(&all).2, MAX_MEANT);
    }

    #[test]
    fn methods_in_methods_do_not_double_the_work() {
        const DEEP: usize = 100;
        let (open, close) = ("void A::f() { ".repeat(DEEP), "}".repeat(DEEP));
        let (symbols, ..) = widest(&[("x.cpp", &format!("{open}B();{close}\n"))]);
        assert_eq!(symbols, DEEP);
    }

    #[test]
    fn a_reader_says_what_the_graph_says_in_any_order() {
        let tree = Tree::new(&[
            (
                "a.ts",
                "export function a() { a(); b() }\nfunction b() { a() }\n",
            ),
            ("b.md", "# Nothing\n"),
            (
                "c.ts",
                "import { a } from './a'\nexport const c = () => a()\nc()\n",
            ),
            ("d.md", "# Nothing\n"),
            ("e.ts", "import { c } from './c'\nc()\n"),
        ]);
        let graph = build(tree.view(), 1, &mut |file| tree.content(file)).graph;
        let count = graph.edge_count() as u32;
        assert!(count > 6);
        let mut reader = graph.reader();
        let rising = 0..count;
        let (falling, leaping) = ((0..count).rev(), (0..count).map(|at| at * 7 % count));
        for number in rising.chain(falling).chain(leaping) {
            let edge = reader.edge(number);
            assert_eq!(edge, graph.edge(number));
            assert!(graph.edges_of(edge.file).contains(&number));
        }
    }
}
