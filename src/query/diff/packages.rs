//! Uses of what a file of Go defines, where the file says now that it is of a package of another name.
//!
//! The files of a folder are one package and say so alike: who stands in the same folder and says the old name does not see
//! it any more, and who imports the folder without giving it a name of its own has to use the new one.
//!
//! Guarantees: a use is told that led there for sure, on a line that is as it was. Left out are files that builds pass over
//! (`//go:build ignore`) and what tests of a folder say from outside (`package x_test`).

use super::dangling::{Search, document};
use super::files::FileChange;
use super::hidden::folder;
use super::units::Side;
use crate::extract::record::{Grammar, ImportKind};
use crate::graph::rule::Certainty;
use crate::query::diff::document::Document;
use crate::view::live::FileId;
use crate::view::text::Texts;

/// Bytes at the beginning of a file in which it says for which builds it is.
const HEAD_BYTES: usize = 4096;

impl Search<'_> {
    /// Uses of what lies in files of Go whose package is called otherwise now.
    pub(super) fn lost_packages(&mut self, files: &[FileChange], texts: &mut Texts) {
        for change in files {
            let FileChange::Kept { old, new } = *change else {
                continue;
            };
            let (Some(was), Some(is)) = (package(self.old, old), package(self.new, new)) else {
                continue;
            };
            let path = |side: &Side<'_>, file: FileId| {
                folder(side.view.file(file).path.as_bytes()).to_vec()
            };
            let is_in_place = path(self.old, old) == path(self.new, new);
            let is_outside = [&was, &is].iter().any(|name| name.ends_with(b"_test"));
            let is_built = builds(self.old, old, texts) && builds(self.new, new, texts);
            if was != is && is_in_place && !is_outside && is_built {
                self.renamed_package((old, new), (&was, &is), texts);
            }
        }
    }

    fn renamed_package(
        &mut self,
        (old, new): (FileId, FileId),
        (was, is): (&[u8], &[u8]),
        texts: &mut Texts,
    ) {
        let home = folder(self.new.view.file(new).path.as_bytes());
        for unit in self.old.of_file(old) {
            let Some(now) = self.stayed(unit) else {
                continue;
            };
            let id = self.new.unit(now).id;
            let mut reader = self.old.graph.reader();
            for number in self.old.graph.incoming(self.old.unit(unit).id) {
                let edge = reader.edge(number);
                let is_sure = edge.rule.certainty() == Certainty::Resolved;
                let Some(file) = self
                    .file_now(edge.file)
                    .filter(|file| is_sure && *file != new)
                else {
                    continue;
                };
                let Some(line) = self.line_now(edge.file, file, edge.line) else {
                    continue;
                };
                let is_beside = folder(self.new.view.file(file).path.as_bytes()) == home;
                let is_lost = match is_beside && package(self.new, file).as_deref() == Some(was) {
                    true => builds(self.new, file, texts),
                    false => self.is_named_so((file, line, edge.col), (was, is), new, texts),
                };
                if is_lost {
                    self.unseen(id, file, (line, edge.col));
                }
            }
        }
    }

    /// Whether a use stands behind the old name of a package that its file imports without giving it that name itself.
    fn is_named_so(
        &self,
        (file, line, col): (FileId, u32, u32),
        (was, is): (&[u8], &[u8]),
        home: FileId,
        texts: &mut Texts,
    ) -> bool {
        let Some(document) = Document::read(self.new, file) else {
            return false;
        };
        let object = document.at((line, col));
        let object = object.and_then(|(at, _)| document.object_of(at));
        let named = |name: &[u8]| document.segment.name_id(name);
        let is_old = object
            .is_some_and(|(at, object)| Some(object.name) == named(was) && !document.is_local(at));
        if !is_old || was == is {
            return false;
        }
        let text = texts.if_here(self.new.view, file);
        let lines = self.new.graph.dependencies(file);
        let lines = lines.filter(|found| found.files().any(|to| to == home));
        // The name of its own stands before the path.
        let mut bare = lines.map(|found| {
            text.as_ref().is_some_and(|text| {
                let line = text.line(found.line).trim_ascii_start();
                let line = line.strip_prefix(b"import").unwrap_or(line);
                matches!(line.trim_ascii_start().first(), Some(b'"' | b'`' | b'('))
            })
        });
        let is_bare = bare.next().unwrap_or(false) && bare.all(|is_bare| is_bare);
        // Another package of the old name may have taken its place.
        let mut others = self.new.graph.dependencies(file);
        let is_taken = others.any(|found| {
            let binds = document
                .imports
                .get(found.import as usize)
                .is_some_and(|import| {
                    let mut bindings = import.bindings.iter();
                    bindings.any(|binding| binding.local.is_some() && binding.local == named(was))
                });
            binds && !found.files().any(|to| to == home)
        });
        is_bare && !is_taken
    }
}

/// The package that a file of Go says to be of.
fn package(side: &Side<'_>, file: FileId) -> Option<Vec<u8>> {
    let (segment, doc) = document(side, file)?;
    if segment.doc(doc).lang != Grammar::Go {
        return None;
    }
    let mut imports = segment.imports(doc);
    let package = imports.find(|import| import.kind == ImportKind::Package)?;
    Some(package.specifier)
}

/// Whether builds take a file, as far as it does not say that they pass over it.
fn builds(side: &Side<'_>, file: FileId, texts: &mut Texts) -> bool {
    let text = texts.if_here(side.view, file);
    text.is_some_and(|text| {
        let head = &text.bytes()[..text.bytes().len().min(HEAD_BYTES)];
        let mut lines = head.split(|byte| *byte == b'\n');
        let is_passed = lines.any(|line| {
            let is_rule = line.starts_with(b"//go:build") || line.starts_with(b"// +build");
            is_rule && memchr::memmem::find(line, b"ignore").is_some()
        });
        !is_passed
    })
}
