//! Uses of what is still there and that may not see it any more: fewer may since the change, or the module that passed it on
//! does so no longer.
//!
//! Who may see something is read from its head and from what its file gives out, as far as a document alone says it: a
//! module of JavaScript that exports it no more, `private`, `static` of C, a path without `pub`. What an import named before
//! and what still is there is followed through the modules in between.
//!
//! Guarantee: a use is told that led there for sure. Told elsewhere: packages of Go under another name (`packages`), includes of C
//! that are gone (`includes`), members that are no longer static (`statics`), names that a file itself binds no more (`unbound`).

use super::dangling::{Search, StaleUse, document, own_bytes};
use super::document::Document;
use super::elsewhere::Answered;
use super::files::FileChange;
use super::units::{Side, UnitId};
use crate::extract::record::{Grammar, ImportKind, OccurrenceKind, SymbolFlags, SymbolKind};
use crate::graph::edges::Dependency;
use crate::graph::rule::{Certainty, Rule};
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::lang;
use crate::view::live::FileId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A place of a file: line, byte column.
type At = (u32, u32);

/// Who still sees a definition that others saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    /// Its own file.
    InFile,
    /// Its own file, and who does not name it in an import: what an object of its module has may be given out still.
    ButImports,
    /// Who imports it by another name than its own: its file gives it out as a default alone.
    ButNamed,
    /// Who imports it from its own file by name, and nobody through one that takes all that this gives out.
    ButWhole,
    /// Its own file and those that include it.
    InIncluders,
    /// The folder of its file.
    InFolder,
    /// Its module and those below it, as Rust lays them out.
    BelowModule,
}

impl Search<'_> {
    /// Uses of a definition that is where it was, and that fewer may see.
    pub(super) fn hidden(&mut self, was: UnitId, now: UnitId) {
        let Some(seen) = narrowed(self.old, was, self.new, now) else {
            return;
        };
        let (unit, id) = (self.old.unit(was), self.new.unit(now).id);
        let home = self.new.unit(now).file;
        let mut by_file: FxHashMap<FileId, Vec<(At, OccurrenceKind)>> = FxHashMap::default();
        let mut reader = self.old.graph.reader();
        for edge in self.old.graph.incoming(unit.id) {
            let edge = reader.edge(edge);
            let is_sure = edge.rule.certainty() == Certainty::Resolved;
            let Some(file) = self.file_now(edge.file).filter(|_| is_sure) else {
                continue;
            };
            if self.sees(seen, home, file) {
                continue;
            }
            if let Some(line) = self.line_now(edge.file, file, edge.line) {
                let place = ((line, edge.col), edge.kind);
                by_file.entry(file).or_default().push(place);
            }
        }
        for (file, mut places) in by_file {
            // Who imports it says so once.
            let mut kinds = places.iter().map(|(_, kind)| *kind);
            let only_imports = matches!(seen, Seen::ButImports | Seen::ButNamed | Seen::ButWhole);
            if only_imports || kinds.any(|kind| kind == OccurrenceKind::Import) {
                places.retain(|(_, kind)| *kind == OccurrenceKind::Import);
            }
            let name = own_bytes(&unit.name);
            if seen == Seen::ButNamed && !self.imports_by_name(file, home, name) {
                continue;
            }
            for ((line, col), _) in places {
                if seen == Seen::ButWhole && !self.is_passed_on_whole((file, line, col), home, name)
                {
                    continue;
                }
                let leads_to_it = match self.new.graph.edge_at(file, line, col) {
                    Some(edge) => self.leads_to(edge, id),
                    None => self.answered((file, line, col), was) == Answered::No,
                };
                if leads_to_it {
                    self.unseen(id, file, (line, col));
                }
            }
        }
    }

    /// Imports by name from a file that gives out something else than before, which led to what is still there.
    pub(super) fn lost_names(&mut self, change: FileChange) {
        let FileChange::Kept { old, new } = change else {
            return;
        };
        if self.old.code(old).is_none()
            || self.new.code(new).is_none()
            || gives_out(self.old, old) == gives_out(self.new, new)
        {
            return;
        }
        // What a module is may be put together of others where it is an object.
        let is_plain = document(self.new, new)
            .is_some_and(|(segment, doc)| !lang::of(segment.doc(doc).lang).naming.object_modules);
        let importers: Vec<FileId> = self.old.graph.importers(old).collect();
        for importer in importers {
            let Some(file) = self.file_now(importer) else {
                continue;
            };
            let mut reader = self.old.graph.reader();
            let edges = self.old.graph.edges_of(importer);
            let edges = edges.map(|number| (number, reader.edge(number)));
            let named: Vec<_> = edges
                .filter(|(_, edge)| {
                    let is_of_module =
                        is_plain && matches!(edge.rule, Rule::Qualified | Rule::Reexport);
                    (edge.kind == OccurrenceKind::Import || is_of_module)
                        && edge.rule.certainty() == Certainty::Resolved
                })
                .collect();
            for (number, edge) in named {
                let Some(line) = self.line_now(importer, file, edge.line) else {
                    continue;
                };
                let place = (file, line, edge.col);
                let is_import = edge.kind == OccurrenceKind::Import;
                let leads_on = self.new.graph.edge_at(file, line, edge.col);
                let leads_on = leads_on.is_some_and(|now| {
                    is_import || self.new.graph.edge(now).rule.certainty() == Certainty::Resolved
                });
                let is_taken = match is_import {
                    true => self.is_taken_from(place, new),
                    false => self.is_member_of(place, new),
                };
                if leads_on || !is_taken {
                    continue;
                }
                let mut targets = self.old.graph.targets(number);
                let still = |id| match self.old.find(id) {
                    // Of what is called otherwise or lies elsewhere that is told.
                    Some(unit) => self.stayed(unit).map(|now| self.new.unit(now).id),
                    None => self.matches.still((self.old, self.new), id),
                };
                let Some(id) = targets.find_map(still) else {
                    continue;
                };
                let answered = match is_import {
                    true => self.answered_import(place),
                    false => self.answered_member(place, new),
                };
                if answered == Answered::No {
                    self.unseen(id, file, (line, edge.col));
                }
            }
        }
    }

    /// Whether a file imports something under its own name from the file that has it.
    fn imports_by_name(&self, file: FileId, home: FileId, name: &[u8]) -> bool {
        let Some(of) = Document::read(self.new, file) else {
            return false;
        };
        let id = of.segment.name_id(name);
        let mut found = self.new.graph.dependencies(file);
        let is_named = |found: &Dependency<'_>| {
            let import = of.imports.get(found.import as usize);
            let mut bindings = import.into_iter().flat_map(|import| &import.bindings);
            id.is_some() && bindings.any(|binding| binding.imported == id)
        };
        found.any(|found| found.files().any(|to| to == home) && is_named(&found))
    }

    /// Whether a name in an import is taken from another file than the one that has it, and that one takes all of what is
    /// given out and does not name it.
    fn is_passed_on_whole(&mut self, place: (FileId, u32, u32), home: FileId, name: &[u8]) -> bool {
        let from = self.imported_from(place);
        !from.is_empty()
            && from.into_iter().all(|file| {
                file != home
                    && Document::read(self.new, file).is_some_and(|of| {
                        let id = of.segment.name_id(name);
                        let mut bindings = of.imports.iter().flat_map(|import| &import.bindings);
                        !bindings.any(|one| id.is_some() && [one.local, one.imported].contains(&id))
                    })
            })
    }

    /// Notes a use that cannot see a definition any more.
    pub(super) fn unseen(&mut self, id: SymbolId, file: FileId, (line, col): At) {
        self.found.insert(StaleUse::hidden(id, (file, line, col)));
    }

    /// Whether an edge leads to a definition, or to nothing but what declares it.
    fn leads_to(&self, edge: u32, id: SymbolId) -> bool {
        let graph = self.new.graph;
        let is_declared = |target| {
            let (file, position) = graph.place(target);
            let symbol = document(self.new, file)
                .and_then(|(segment, doc)| segment.symbols(doc).nth(position));
            symbol.is_some_and(|of| of.flags.contains(SymbolFlags::DECLARATION))
        };
        graph.targets(edge).any(|target| target == id) || graph.targets(edge).all(is_declared)
    }

    /// Whether a file sees what lies in another one.
    fn sees(&self, seen: Seen, home: FileId, file: FileId) -> bool {
        let path = |file: FileId| self.new.view.file(file).path.as_bytes();
        match seen {
            _ if home == file => true,
            Seen::InFile | Seen::ButImports | Seen::ButNamed | Seen::ButWhole => false,
            Seen::InIncluders => {
                let mut includes = self.new.graph.dependencies(file);
                includes.any(|found| found.files().any(|to| to == home))
            }
            Seen::InFolder => folder(path(home)) == folder(path(file)),
            Seen::BelowModule => path(file).starts_with(&module_folder(path(home))),
        }
    }
}

pub(super) fn folder(path: &[u8]) -> &[u8] {
    path.iter()
        .rposition(|byte| *byte == b'/')
        .map_or(&[], |at| &path[..at])
}

/// The folder of the modules below that of a file of Rust, with a slash behind it.
fn module_folder(path: &[u8]) -> Vec<u8> {
    let stem = path.strip_suffix(b".rs").unwrap_or(path);
    let is_whole = [&b"mod"[..], b"lib", b"main"]
        .iter()
        .any(|name| stem.rsplit(|byte| *byte == b'/').next() == Some(name));
    let of = if is_whole { folder(path) } else { stem };
    match of.is_empty() {
        true => Vec::new(),
        false => [of, b"/"].concat(),
    }
}

/// What a file says of what it gives out: its imports and exports, and its definitions with whether others see them.
fn gives_out(side: &Side<'_>, file: FileId) -> FxHashSet<(u8, Vec<u8>, Vec<u8>)> {
    let Some((segment, doc)) = document(side, file) else {
        return FxHashSet::default();
    };
    let bytes = |name: Option<NameId>| {
        let mut bytes = Vec::new();
        if let Some(name) = name {
            segment.name(name, &mut bytes);
        }
        bytes
    };
    let imports = segment.imports(doc).flat_map(|import| {
        let kind = import.kind.code();
        let named = import.bindings.into_iter().map(move |binding| {
            let names = [bytes(binding.imported), bytes(binding.local)];
            (kind, import.specifier.clone(), names.join(&b' '))
        });
        named.collect::<Vec<_>>()
    });
    let symbols = segment
        .symbols(doc)
        .filter(|symbol| symbol.container.is_none());
    let symbols = symbols.map(|symbol| {
        let seen = symbol.flags.contains(SymbolFlags::EXPORTED);
        let default = symbol.flags.contains(SymbolFlags::DEFAULT);
        let mark = vec![u8::from(seen), u8::from(default)];
        (u8::MAX, bytes(Some(symbol.name)), mark)
    });
    imports.chain(symbols).collect()
}

/// How a file gives out a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Given {
    /// Under its own name.
    ByName,
    /// As the default, and not under its name.
    Default,
    /// It lists what it gives out, and not this.
    LeftOut,
}

/// How the file of a definition gives it out, as far as its lists and its flags say.
fn given_as(side: &Side<'_>, unit: UnitId) -> Given {
    let file = side.unit(unit).file;
    let (Some((segment, doc)), Some(symbol)) = (document(side, file), side.symbol(unit)) else {
        return Given::LeftOut;
    };
    let exports = segment.imports(doc);
    let exports = exports.filter(|import| import.kind == ImportKind::Export);
    let listed: Vec<_> = exports.flat_map(|export| export.bindings).collect();
    // A module that is an object may have anything.
    if listed.iter().any(|one| one.imported.is_none()) {
        return Given::ByName;
    }
    let own = |local: Option<NameId>| local == Some(symbol.name);
    let is_default = symbol.flags.contains(SymbolFlags::DEFAULT);
    let of_own = listed.iter().filter(|one| own(one.local));
    let names: Vec<Option<NameId>> = of_own.map(|one| one.imported).collect();
    let is_exported = symbol.flags.contains(SymbolFlags::EXPORTED);
    match names.as_slice() {
        names if names.iter().any(|name| own(*name)) => Given::ByName,
        [] if listed.is_empty() && is_exported && !is_default => Given::ByName,
        [] if is_exported
            && !is_default
            && lang::of(segment.doc(doc).lang).naming.object_modules =>
        {
            Given::ByName
        }
        [] if !is_default => Given::LeftOut,
        _ => Given::Default,
    }
}

/// Who sees a definition now, where that is fewer than before.
fn narrowed(old: &Side<'_>, was: UnitId, new: &Side<'_>, now: UnitId) -> Option<Seen> {
    let (before, after) = (old.symbol(was)?, new.symbol(now)?);
    let file = new.view.file(new.unit(now).file);
    let segment = &new.view.segment(file.doc?.segment).segment;
    let grammar = segment.doc(file.doc?.doc).lang;
    let language = lang::of(grammar);
    let is_top = after.container.is_none();
    let exported = (
        before.flags.contains(SymbolFlags::EXPORTED),
        after.flags.contains(SymbolFlags::EXPORTED),
    );
    let words = |side: &Side<'_>, unit: UnitId| -> Vec<Vec<u8>> {
        let symbol = side.symbol(unit);
        let code = side.code(side.unit(unit).file);
        let head = symbol.zip(code).map(|(symbol, code)| {
            let signature = code.text.slice(symbol.signature).to_vec();
            [side.lead(unit), &signature].concat()
        });
        let head = head.unwrap_or_default();
        let words = head.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        words.map(<[u8]>::to_vec).collect()
    };
    if exported == (true, false) && is_top && language.naming.object_modules {
        return Some(Seen::ButImports);
    }
    if is_top && language.naming.object_modules {
        let (before, after) = (given_as(old, was), given_as(new, now));
        if before == Given::ByName && after == Given::Default {
            return Some(Seen::ButNamed);
        }
    }
    if is_top && grammar == Grammar::Python {
        let (before, after) = (given_as(old, was), given_as(new, now));
        if before == Given::ByName && after == Given::LeftOut {
            return Some(Seen::ButWhole);
        }
    }
    let (was_said, is_said) = (words(old, was), words(new, now));
    let came = |word: &[u8]| {
        let has = |words: &[Vec<u8>]| words.iter().any(|of| of == word);
        !has(&was_said) && has(&is_said)
    };
    let has_private = matches!(
        grammar,
        Grammar::TypeScript
            | Grammar::Tsx
            | Grammar::Java
            | Grammar::Kotlin
            | Grammar::CSharp
            | Grammar::Php
            | Grammar::Swift
            | Grammar::Scala
    );
    match grammar {
        _ if has_private && came(b"private") => Some(Seen::InFile),
        Grammar::C if is_top && is_linked(after.kind) && came(b"static") => Some(Seen::InIncluders),
        Grammar::Rust if exported.0 => {
            let has = |words: &[Vec<u8>]| words.iter().any(|of| of == b"pub");
            (has(&was_said) && !has(&is_said)).then_some(Seen::BelowModule)
        }
        Grammar::Java => {
            let names_none = |words: &[Vec<u8>]| {
                let all = [&b"public"[..], b"protected", b"private"];
                !words.iter().any(|word| all.contains(&&word[..]))
            };
            let is_wanted = new.unit(now).container.is_some_and(|outer| {
                let kind = new.unit(outer).kind;
                matches!(kind, SymbolKind::Interface | SymbolKind::Enum)
            });
            let was_public = was_said.iter().any(|word| word == b"public");
            (was_public && names_none(&is_said) && !is_wanted).then_some(Seen::InFolder)
        }
        _ => None,
    }
}

/// Whether others of a program in C may link to it.
fn is_linked(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Function | SymbolKind::Variable | SymbolKind::Constant
    )
}
