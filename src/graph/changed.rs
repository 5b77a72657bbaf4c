//! The names of what changed between two trees, and the files that name any of it.

use super::accessors::{accessors_of, fields_of, scope_called, scope_of};
use super::digests::{Digests, Reach};
use super::documents::{Head, words_of};
use super::names::Name;
use super::resolve::Resolver;
use crate::extract::record::{ImportKind, SymbolKind};
use crate::lang;
use crate::view::live::FileId;
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

/// The names of what changed: of definitions that came, went, or look different from other files, and those
/// that imports and exports give them.
pub(super) struct Changed<'a> {
    resolver: &'a Resolver<'a>,
    noted: Noted,
}

/// Whether a name is that of something that changed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    No,
    /// Yes, and nobody has looked yet for the files that name it.
    Fresh,
    Yes,
}

/// Names, while nobody looks.
#[derive(Default)]
pub(super) struct Noted {
    marks: Vec<Mark>,
    /// Of all that are marked.
    hashes: FxHashSet<u64>,
    /// Those that are fresh.
    fresh: Vec<Name>,
    /// Whether one is that of a type which groups of tests are types below, or was before.
    base_of_tests: bool,
}

impl Noted {
    /// Goes on.
    pub(super) fn of<'a>(self, resolver: &'a Resolver<'a>) -> Changed<'a> {
        Changed {
            resolver,
            noted: self,
        }
    }
}

impl<'a> Changed<'a> {
    pub(super) fn new(resolver: &'a Resolver<'a>) -> Self {
        let noted = Noted {
            marks: vec![Mark::No; resolver.names.len()],
            ..Noted::default()
        };
        noted.of(resolver)
    }

    /// The names alone.
    pub(super) fn noted(self) -> Noted {
        self.noted
    }

    fn has(&self, name: Name) -> bool {
        self.is(name, |mark| mark != Mark::No)
    }

    fn is(&self, name: Name, so: impl Fn(Mark) -> bool) -> bool {
        let mark = self.noted.marks.get(name.0 as usize);
        mark.is_some_and(|mark| so(*mark))
    }

    /// Says whether it was not there.
    fn add(&mut self, name: Name) -> bool {
        let is_new = self.mark(name);
        if is_new {
            // Who writes `x.name = 1` names `name` and may mean `name=`.
            let names = self.resolver.names;
            let bytes = names.bytes(name);
            let plain = lang::setter_endings().filter_map(|ending| bytes.strip_suffix(ending));
            let plain: Vec<Name> = plain.filter_map(|plain| names.find(plain)).collect();
            // Who calls `getName` may mean `name`, and who reads `name` `getName`.
            let accessed = accessors_of(bytes).chain(fields_of(bytes));
            let accessed = accessed.chain(scope_called(bytes)).chain(scope_of(bytes));
            let accessed = accessed.filter_map(|name| names.find(&name));
            let also: Vec<Name> = accessed.chain(plain).collect();
            for name in also {
                self.mark(name);
            }
        }
        is_new
    }

    fn mark(&mut self, name: Name) -> bool {
        let place = self.noted.marks.get_mut(name.0 as usize);
        let Some(mark @ Mark::No) = place else {
            return false;
        };
        *mark = Mark::Fresh;
        self.noted.hashes.insert(self.resolver.names.hash(name));
        self.noted.fresh.push(name);
        true
    }

    pub(super) fn add_hash(&mut self, hash: u64) {
        let resolver = self.resolver;
        self.noted.base_of_tests |=
            lang::bases_of_tests().any(|name| xxh3_64(name.as_bytes()) == hash);
        for name in resolver.names.hashed(hash) {
            self.add(name);
        }
    }

    pub(super) fn add_name(&mut self, name: Name) {
        self.add(name);
    }

    pub(super) fn add_bytes(&mut self, name: &[u8]) {
        if let Some(name) = self.resolver.names.find(name) {
            self.add(name);
        }
    }

    /// Adds the methods of traits of a name: where the trait is in sight they may be called without it being named.
    fn add_methods_of(&mut self, hash: u64) {
        let (resolver, table) = (self.resolver, self.resolver.table);
        let named = resolver
            .names
            .hashed(hash)
            .flat_map(|name| table.named(name));
        for id in named.filter(|id| table.symbol(*id).kind == SymbolKind::Trait) {
            let doc = resolver.docs.get(table.file(id));
            let own = Some(table.position(id));
            for symbol in doc.into_iter().flat_map(|doc| &doc.symbols) {
                if symbol.container == own {
                    self.add(symbol.name);
                }
            }
        }
    }

    /// The names that a changed file imports and exports otherwise than before; `None` when names do
    /// not say it all.
    pub(super) fn add_imports(
        &mut self,
        (before, at): (&Digests, usize),
        digests: &Digests,
        file: FileId,
    ) -> Option<()> {
        let is = digests.imports_of(file.0 as usize);
        let was = before.imports_of(at);
        let (old, new) = (&before.import[was.clone()], &digests.import[is.clone()]);
        let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let ends = old[front..].iter().rev().zip(new[front..].iter().rev());
        let back = ends.take_while(|(a, b)| a == b).count();
        let middles = [
            (before, was.start + front..was.end - back),
            (digests, is.start + front..is.end - back),
        ];
        let mut own = false;
        for (digests, middle) in middles {
            for import in middle {
                match digests.reach[import] {
                    reach if reach == Reach::Own as u8 => own = true,
                    reach if reach == Reach::Names as u8 => {
                        for hash in digests.names_of(import) {
                            self.add_hash(*hash);
                            self.add_methods_of(*hash);
                        }
                    }
                    _ => return None,
                }
            }
        }
        if !own {
            return Some(());
        }
        // What the file exports may be what it imports.
        let doc = self.resolver.docs.get(file)?;
        let exports = doc.imports.iter().filter(|i| i.kind == ImportKind::Export);
        for binding in exports.flat_map(|export| &export.bindings) {
            self.add(binding.imported?);
        }
        Some(())
    }

    /// Marks the files that name any of it, under this name or another; `None` when names do not say it all.
    pub(super) fn spread(&mut self, stale: &mut [bool]) -> Option<()> {
        // Who uses what groups of tests have does not name the type that they have it from.
        if self.noted.base_of_tests {
            return None;
        }
        while !self.noted.fresh.is_empty() {
            let resolver = self.resolver;
            let naming = self.naming_fresh();
            for name in std::mem::take(&mut self.noted.fresh) {
                self.noted.marks[name.0 as usize] = Mark::Yes;
            }
            for file in naming {
                stale[file.0 as usize] = true;
                if let Some(doc) = resolver.docs.get(file) {
                    self.follow_aliases(doc)?;
                }
            }
        }
        Some(())
    }

    /// The files that name any of what is fresh, in order.
    fn naming_fresh(&self) -> Vec<FileId> {
        let (view, names) = (self.resolver.view, self.resolver.names);
        let is_fresh = |name: Name| self.is(name, |mark| mark == Mark::Fresh);
        let mut found: Vec<FileId> = Vec::new();
        for (at, id) in names.wanted(is_fresh) {
            let live = &view.segments()[at];
            let docs = live.segment.uses(id).map(|of| of.doc);
            found.extend(docs.flat_map(|doc| live.files_of(doc)));
        }
        let hashes: FxHashSet<u64> = self.noted.fresh.iter().map(|n| names.hash(*n)).collect();
        let is_apart = |doc: &Head| {
            doc.names_apart().iter().any(|name| is_fresh(*name))
                || doc.words().iter().any(|word| hashes.contains(word))
        };
        let apart = self.resolver.docs.iter().filter(|(_, doc)| is_apart(doc));
        found.extend(apart.map(|(file, _)| file));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What a document knows by another name, too: `import { a as b }`, `export { a as b }`.
    fn follow_aliases(&mut self, doc: &Head) -> Option<()> {
        for import in &doc.imports {
            let named = doc.specifies_names()
                && import.bindings.iter().any(|b| b.imported.is_none())
                && self.is_in_specifier(&import.specifier);
            for binding in &import.bindings {
                match (binding.imported, binding.local) {
                    (Some(a), Some(b)) if self.has(a) => _ = self.add(b),
                    (Some(a), Some(b)) if self.has(b) => _ = self.add(a),
                    // The module is the thing itself: who imports it may call it anything.
                    (None, Some(b)) if import.kind == ImportKind::Export && self.has(b) => {
                        return None;
                    }
                    (None, Some(b)) if named => _ = self.add(b),
                    _ => {}
                }
            }
        }
        Some(())
    }

    fn is_in_specifier(&self, specifier: &[u8]) -> bool {
        let mut words = words_of(specifier);
        words.any(|word| self.noted.hashes.contains(&xxh3_64(word)))
    }
}
