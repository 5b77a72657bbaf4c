//! Imports that a change leaves behind: of names from where they no longer are, and of files that are gone.

use super::dangling::{Expected, Fault, Search, StaleUse, Worth, document, own_bytes};
use super::units::UnitId;
use crate::extract::record::{Import, OccurrenceKind};
use crate::graph::edges::Target;
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
            let led: FxHashSet<&[u8]> = self
                .old
                .graph
                .dependencies(importer)
                .filter(|found| found.files().any(|to| to == was))
                .filter_map(|found| specifiers.get(found.import as usize))
                .map(Vec::as_slice)
                .collect();
            let Some((segment, doc)) = document(self.new, file) else {
                continue;
            };
            let now: Vec<Vec<u8>> = segment
                .imports(doc)
                .map(|import| import.specifier)
                .collect();
            for found in self.new.graph.dependencies(file) {
                let is_it = now
                    .get(found.import as usize)
                    .is_some_and(|specifier| led.contains(&**specifier));
                if is_it && found.target != Target::Found {
                    self.found.insert(StaleUse {
                        expected: Expected::File(was),
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
}
