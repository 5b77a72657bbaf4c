//! Imports that a change leaves behind: of names from where they no longer are, and of files that are gone.

use super::dangling::{Expected, Fault, Search, StaleUse, Worth, document, own_bytes};
use super::units::UnitId;
use crate::extract::record::{Import, Local, Occurrence, OccurrenceKind, Qualifier};
use crate::graph::edges::{Dependency, Target};
use crate::graph::rule::Certainty;
use crate::id::NameId;
use crate::view::live::FileId;
use rustc_hash::FxHashSet;

impl Search<'_> {
    /// Imports of a top-level definition in what was added or rewritten, from where it no longer is.
    pub(super) fn new_imports(&mut self, was: UnitId) {
        let unit = self.old.unit(was);
        let Some(from) = self
            .file_now(unit.file)
            .filter(|_| unit.container.is_none())
        else {
            return;
        };
        let name = own_bytes(&unit.name);
        for file in self.new.graph.importers(from) {
            let before = self.before.get(&file).copied();
            let is_added = before.is_none() && self.new.code(file).is_some();
            if before.is_none() && !is_added {
                continue;
            }
            let Some((segment, doc)) = document(self.new, file) else {
                continue;
            };
            let Some(name) = segment.name_id(name) else {
                continue;
            };
            let imports: Vec<Import<NameId>> = segment.imports(doc).collect();
            let lines = self.new.graph.dependencies(file).filter(|found| {
                let import = imports.get(found.import as usize);
                let mut bindings = import.into_iter().flat_map(|import| &import.bindings);
                found.files().any(|to| to == from)
                    && bindings.any(|binding| binding.imported == Some(name))
            });
            let lines: FxHashSet<u32> = lines.map(|found| found.line).collect();
            let named = segment.occurrences(doc).filter(|found| {
                found.name == name
                    && found.kind == OccurrenceKind::Import
                    && lines.contains(&found.line)
            });
            let places: Vec<(u32, u32)> = named.map(|found| (found.line, found.col)).collect();
            for (line, col) in places {
                let is_new = match before {
                    None => true,
                    Some(before) => self
                        .lines(before, file)
                        .is_none_or(|lines| lines.is_new(line)),
                };
                if is_new {
                    self.check((file, line, col), was, Worth::Sure(Certainty::Resolved));
                }
            }
        }
    }

    /// Imports that led to a file and lead nowhere now.
    pub(super) fn file(&mut self, was: FileId) {
        let path = self.old.view.file(was).path.as_bytes();
        let is_there = self.new.view.file_at(path).is_some();
        let importers: Vec<FileId> = self.old.graph.importers(was).collect();
        for importer in importers {
            let Some(file) = self.file_now(importer) else {
                continue;
            };
            let Some((segment, doc)) = document(self.old, importer) else {
                continue;
            };
            let specifiers: Vec<Vec<u8>> = segment
                .imports(doc)
                .map(|import| import.specifier)
                .collect();
            let led: FxHashSet<u32> = self
                .old
                .graph
                .dependencies(importer)
                .filter(|found| found.files().any(|to| to == was))
                .map(|found| found.import)
                .collect();
            if !is_there {
                self.as_objects(was, (importer, file), &led);
            }
            let led: FxHashSet<&[u8]> = led
                .iter()
                .filter_map(|import| specifiers.get(*import as usize))
                .map(Vec::as_slice)
                .collect();
            // `use a::Cart` leads to `a`, and `use a::b` of the same path to `b`: those lead on to where they led.
            let mut led_to: FxHashSet<&[u8]> = FxHashSet::default();
            for found in self.old.graph.dependencies(importer).filter(|_| is_there) {
                let specifier = specifiers.get(found.import as usize);
                if specifier.is_some_and(|specifier| led.contains(&specifier[..])) {
                    led_to.extend(
                        found
                            .files()
                            .map(|to| self.old.view.file(to).path.as_bytes()),
                    );
                }
            }
            let Some((segment, doc)) = document(self.new, file) else {
                continue;
            };
            let now: Vec<Vec<u8>> = segment
                .imports(doc)
                .map(|import| import.specifier)
                .collect();
            for found in self.new.graph.dependencies(file) {
                let specifier = now.get(found.import as usize);
                let Some(specifier) = specifier.filter(|one| led.contains(&***one)) else {
                    continue;
                };
                let path = |to: FileId| self.new.view.file(to).path.as_bytes();
                if found.files().any(|to| led_to.contains(path(to))) {
                    continue;
                }
                let is_lost = found.target != Target::Found;
                if is_lost || !self.answers(&found, specifier, was) {
                    self.found.insert(StaleUse {
                        expected: Expected::File(was),
                        by_member: false,
                        file,
                        line: found.line,
                        col: 0,
                        fault: Fault::Dangling,
                        certainty: Certainty::Resolved,
                    });
                }
            }
        }
    }

    /// Whether an import that led to a file may lead to what it means now. Where a module is gone, a path through it
    /// leads to the module around it, which may have something of that name, or nothing.
    fn answers(&self, import: &Dependency<'_>, specifier: &[u8], was: FileId) -> bool {
        let Some(name) = module_name(self.old.view.file(was).path.as_bytes()) else {
            return true;
        };
        // Of `from shop import prices` only the name led to the file.
        let mut parts = specifier.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        if !parts.any(|part| part == name) {
            return true;
        }
        let now = self.file_now(was);
        import.files().any(|to| {
            let path = self.new.view.file(to).path.as_bytes();
            let is_new = self.old.view.file_at(path).is_none();
            let Some((segment, doc)) = document(self.new, to) else {
                return true;
            };
            if is_new || Some(to) == now || module_name(path) == Some(name) {
                return true;
            }
            let Some(name) = segment.name_id(name) else {
                return false;
            };
            let mut bindings = segment.imports(doc).flat_map(|import| import.bindings);
            segment.symbols(doc).any(|symbol| symbol.name == name)
                || bindings.any(|binding| binding.local == Some(name))
        })
    }

    /// Uses of a file by the name that its importer gave it, as in `prices::net(1)`, where nothing is known by that name
    /// any more. `led` are the imports that led to the file.
    fn as_objects(&mut self, was: FileId, (before, now): (FileId, FileId), led: &FxHashSet<u32>) {
        let (Some((old, old_doc)), Some((new, new_doc))) =
            (document(self.old, before), document(self.new, now))
        else {
            return;
        };
        let imports = (0..).zip(old.imports(old_doc));
        let bindings = imports
            .filter(|(at, _)| led.contains(at))
            .flat_map(|(_, import)| import.bindings);
        let names: FxHashSet<Vec<u8>> = bindings
            .filter(|binding| binding.imported.is_none())
            .filter_map(|binding| {
                let mut name = Vec::new();
                old.name(binding.local?, &mut name);
                Some(name)
            })
            .collect();
        let mut brings_anything = false;
        let mut known: FxHashSet<NameId> = new.symbols(new_doc).map(|one| one.name).collect();
        for binding in new.imports(new_doc).flat_map(|import| import.bindings) {
            brings_anything |= binding.imported.is_none() && binding.local.is_none();
            known.extend(binding.local);
        }
        let names = names.iter().filter_map(|name| new.name_id(name));
        let names: FxHashSet<NameId> = names.filter(|name| !known.contains(name)).collect();
        if names.is_empty() {
            return;
        }
        let locals = new.hints(new_doc).locals;
        let occurrences: Vec<Occurrence<NameId>> = new.occurrences(new_doc).collect();
        for (at, pair) in (0..).zip(occurrences.windows(2)) {
            let [found, member] = pair else { continue };
            let is_local = || {
                let named = |local: &&Local| {
                    let declared = occurrences.get(local.declared as usize);
                    declared.is_some_and(|declared| declared.name == found.name)
                };
                let mut named = locals.iter().filter(named);
                named.any(|local| local.scope.contains(&at) || local.declared == at)
            };
            if names.contains(&found.name)
                && found.qualifier == Qualifier::None
                && member.qualifier == Qualifier::Previous
                && self.new.graph.edge_at(now, found.line, found.col).is_none()
                && !is_local()
            {
                self.found.insert(StaleUse {
                    expected: Expected::File(was),
                    by_member: false,
                    file: now,
                    line: found.line,
                    col: found.col,
                    fault: Fault::Dangling,
                    certainty: match brings_anything {
                        true => Certainty::Inferred,
                        false => Certainty::Resolved,
                    },
                });
            }
        }
    }
}

/// The name by which paths go through a file, or through the folder that it stands for; `None` where its name is left
/// out of them otherwise.
fn module_name(path: &[u8]) -> Option<&[u8]> {
    let mut parts = path.rsplit(|byte| *byte == b'/');
    let stem = |name: &'_ [u8]| name.iter().position(|byte| *byte == b'.');
    let file = parts.next()?;
    match file.get(..stem(file)?)? {
        b"mod" | b"__init__" => parts.next(),
        b"index" | b"main" | b"lib" | b"" => None,
        name => Some(name),
    }
}
