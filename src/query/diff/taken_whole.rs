//! Uses of what a file had by an import of everything that is gone now (`import a.*`, `from a import *`, `using A`), and of
//! what lies in a module of Rust that nothing declares any more.
//!
//! Guarantees: a use is told that led there for sure, on a line that is as it was, and to which nothing leads for sure now;
//! the file binds and defines nothing of the name, and nothing that it takes whole and is not here may have it. In C#
//! nothing of the repository gives the namespace to all files.

use super::dangling::{Search, StaleUse};
use super::document::Document;
use super::files::FileChange;
use crate::extract::record::{Grammar, ImportKind, OccurrenceKind, Qualifier};
use crate::graph::rule::{Certainty, Rule};
use crate::graph::table::SymbolId;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::FxHashSet;

/// Files that are read to see whether one gives a namespace to all.
const MAX_READ: usize = 4096;

impl Search<'_> {
    /// Uses of what files took whole and do not any more.
    pub(super) fn lost_wholes(&mut self, files: &[FileChange], texts: &mut Texts) {
        for change in files {
            if let FileChange::Kept { old, new } = *change
                && self.old.code(old).is_some()
                && self.new.code(new).is_some()
                && let (Some(was), Some(is)) =
                    (Document::read(self.old, old), Document::read(self.new, new))
            {
                self.lost_whole((&was, &is), texts);
                self.lost_modules((&was, &is), texts);
            }
        }
    }

    fn lost_whole(&mut self, (was, is): (&Document<'_>, &Document<'_>), texts: &mut Texts) {
        let is_judged = matches!(
            is.grammar,
            Grammar::Java | Grammar::Kotlin | Grammar::Python | Grammar::CSharp | Grammar::Rust
        );
        let wholes = |of: &Document<'_>| -> FxHashSet<Vec<u8>> {
            let all = of.imports.iter().filter(|import| {
                let mut bindings = import.bindings.iter();
                matches!(import.kind, ImportKind::Import | ImportKind::Reexport)
                    && bindings.any(|one| one.local.is_none() && one.imported.is_none())
            });
            all.map(|import| import.specifier.clone()).collect()
        };
        let (before, after) = (wholes(was), wholes(is));
        let lost: Vec<&Vec<u8>> = before.difference(&after).collect();
        // What is taken instead may have all of it.
        let is_replaced = !after.is_subset(&before);
        if !is_judged || lost.is_empty() || is_replaced {
            return;
        }
        if is.grammar == Grammar::CSharp
            && (was.package() != is.package()
                || lost.iter().any(|lost| self.is_given_to_all(lost, texts)))
        {
            return;
        }
        let bound = is.bound();
        let mut reader = self.old.graph.reader();
        for number in self.old.graph.edges_of(was.file) {
            let edge = reader.edge(number);
            let by_import = matches!(edge.rule, Rule::Import | Rule::Reexport | Rule::Package);
            let Some((_, used)) = was.at((edge.line, edge.col)).filter(|_| by_import) else {
                continue;
            };
            let mut name = Vec::new();
            was.segment.name(used.name, &mut name);
            if used.qualifier != Qualifier::None
                || matches!(used.kind, OccurrenceKind::Import | OccurrenceKind::Mention)
                || bound.contains(&name)
            {
                continue;
            }
            let Some(line) = self.line_now(was.file, is.file, edge.line) else {
                continue;
            };
            let Some((at, _)) = is.at((line, edge.col)) else {
                continue;
            };
            if is.is_led_on(at, self.new.graph) && !self.is_guess((is.file, line, edge.col))
                || is.may_have_from_elsewhere(self.new, &name)
                || is.has_outer_base(self.new.graph)
            {
                continue;
            }
            let targets: Vec<SymbolId> = self.old.graph.targets(number).collect();
            let still = |id: &SymbolId| self.matches.still((self.old, self.new), *id);
            let renamed = |id: &SymbolId| {
                let unit = self.old.find(*id);
                unit.is_some_and(|unit| self.stayed(unit).is_none())
            };
            if let Some(now) = targets.iter().find_map(still)
                && !targets.iter().any(renamed)
            {
                self.found
                    .insert(StaleUse::hidden(now, (is.file, line, edge.col)));
            }
        }
    }

    /// Whether nothing leads on from a place for sure.
    fn is_guess(&self, (file, line, col): (FileId, u32, u32)) -> bool {
        let edge = self.new.graph.edge_at(file, line, col);
        edge.is_none_or(|edge| self.new.graph.edge(edge).rule.certainty() != Certainty::Resolved)
    }

    /// Whether something gives a namespace of C# to all files.
    fn is_given_to_all(&self, namespace: &[u8], texts: &mut Texts) -> bool {
        let view = self.new.view;
        let mut read = 0;
        for id in (0..view.files().len() as u32).map(FileId) {
            let path = view.file(id).path.as_bytes();
            let ends = [&b".cs"[..], b".csproj", b".props", b".targets"];
            if !ends.iter().any(|end| path.ends_with(end)) {
                continue;
            }
            read += 1;
            let Some(text) = texts.if_here(view, id).filter(|_| read <= MAX_READ) else {
                return true;
            };
            let has = |word: &[u8]| memchr::memmem::find(text.bytes(), word).is_some();
            if (has(b"global using") || has(b"<Using ")) && has(namespace) {
                return true;
            }
        }
        false
    }

    /// Uses of what lies in a module that a file of Rust declared and does not any more.
    fn lost_modules(&mut self, (was, is): (&Document<'_>, &Document<'_>), texts: &mut Texts) {
        if is.grammar != Grammar::Rust {
            return;
        }
        let bound = is.bound();
        let declared = self.old.graph.dependencies(was.file);
        let declared: Vec<(u32, Vec<FileId>)> = declared
            .filter(|found| found.kind == ImportKind::Module)
            .map(|found| (found.import, found.files().collect()))
            .collect();
        for (import, files) in declared {
            let import = was.imports.get(import as usize);
            let name = import.map_or(&[][..], |import| &import.specifier);
            let [home] = files[..] else { continue };
            let Some(home_now) = self.file_now(home).filter(|_| !bound.contains(name)) else {
                continue;
            };
            // A macro may declare it, and another file.
            let text = texts.if_here(self.new.view, is.file);
            let mut words = text.iter().flat_map(|text| {
                let places = text.words(name).map(|at| text.place(at).0);
                places.collect::<Vec<_>>()
            });
            let is_written = words.any(|line| {
                let lines = self.lines(was.file, is.file);
                lines.is_none_or(|lines| lines.is_new(line))
            });
            let mut importers = self.new.graph.importers(home_now);
            let is_declared = importers.any(|from| {
                let mut all = self.new.graph.dependencies(from);
                all.any(|found| {
                    found.kind == ImportKind::Module && found.files().any(|to| to == home_now)
                })
            });
            if text.is_none() || is_written || is_declared {
                continue;
            }
            let count = self.old.graph.symbols_of(home);
            for id in (0..count).filter_map(|at| self.old.graph.symbol(home, at)) {
                self.lost_in_module(id, home);
            }
        }
    }

    fn lost_in_module(&mut self, id: SymbolId, home: FileId) {
        let Some(now) = self.matches.still((self.old, self.new), id) else {
            return;
        };
        let mut reader = self.old.graph.reader();
        for number in self.old.graph.incoming(id) {
            let edge = reader.edge(number);
            let is_path = matches!(edge.rule, Rule::Import | Rule::Reexport | Rule::Qualified);
            let Some(file) = self
                .file_now(edge.file)
                .filter(|_| is_path && edge.file != home)
            else {
                continue;
            };
            if let Some(line) = self.line_now(edge.file, file, edge.line) {
                let found = StaleUse::hidden(now, (file, line, edge.col));
                self.found.insert(found);
            }
        }
    }
}
