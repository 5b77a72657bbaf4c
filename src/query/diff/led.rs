//! Imports that led to a file and lead nowhere now, by the same words in the same file: what says where imports lead is
//! another, or the file that has them lies elsewhere.
//!
//! Guarantees: the words led there before. Where they look as if they led outside of the repository now, nothing that sets
//! where imports lead says what they begin with, and it is inferred.

use super::dangling::{Expected, Fault, Search, StaleUse, document};
use super::files::FileChange;
use super::hidden::folder;
use super::units::Side;
use crate::extract::record::Grammar;
use crate::graph::edges::Target;
use crate::graph::rule::Certainty;
use crate::id::DocId;
use crate::segment::Segment;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::FxHashMap;

impl Search<'_> {
    /// Imports that led to a file and lead nowhere now, by the same words in the same file: what says where imports lead
    /// is another, or the file lies elsewhere itself.
    pub(super) fn lost_files(&mut self, files: &[FileChange], texts: &mut Texts) {
        let (old, new) = (self.old, self.new);
        // What is outside stays outside as long as nothing that sets it is another.
        let is_set_anew = files
            .iter()
            .any(|change| match (change.before(), change.after()) {
                (Some(before), _) => is_setting(old.view.file(before).path.file_name()),
                (None, Some(after)) => is_setting(new.view.file(after).path.file_name()),
                (None, None) => false,
            });
        let mut named: FxHashMap<Vec<u8>, bool> = FxHashMap::default();
        for file in (0..new.view.files().len() as u32).map(FileId) {
            let lost = new.graph.dependencies(file);
            let mut lost = lost
                .filter(|found| match found.target {
                    Target::Found => false,
                    Target::Unresolved => true,
                    Target::External => is_set_anew,
                })
                .peekable();
            if lost.peek().is_none() {
                continue;
            }
            let path = || old.view.file_at(new.view.file(file).path.as_bytes());
            let before = self.before.get(&file).copied().or_else(path);
            let (Some(before), Some((segment, doc))) = (before, document(new, file)) else {
                continue;
            };
            let Some((segment_before, doc_before)) = document(old, before) else {
                continue;
            };
            let said = |segment: &Segment, doc: DocId| -> Vec<Vec<u8>> {
                segment
                    .imports(doc)
                    .map(|import| import.specifier)
                    .collect()
            };
            let (was, is) = (said(segment_before, doc_before), said(segment, doc));
            for import in lost {
                let specifier = is.get(import.import as usize);
                let led = old.graph.dependencies(before).find(|found| {
                    found.kind == import.kind
                        && found.target == Target::Found
                        && was.get(found.import as usize) == specifier
                });
                let Some(target) = led.and_then(|led| led.files().next()) else {
                    continue;
                };
                let is_outer = import.target == Target::External;
                if is_outer {
                    let root = specifier.and_then(|said| self.root((said, target), file));
                    let root = root.filter(|_| self.file_now(target).is_some());
                    let Some(root) = root else { continue };
                    let is_set = || is_in_settings(new, &root, texts);
                    if *named.entry(root.clone()).or_insert_with(is_set) {
                        continue;
                    }
                }
                let (fault, certainty) = match is_outer {
                    true => (Fault::Hidden, Certainty::Inferred),
                    false => (Fault::Dangling, Certainty::Resolved),
                };
                self.found.insert(StaleUse {
                    expected: Expected::File(target),
                    by_member: false,
                    file,
                    line: import.line,
                    col: 0,
                    fault,
                    certainty,
                });
            }
        }
    }

    /// What of an import that leads outside of the repository now, and led to a file of it, the settings have to say for
    /// that to be so: the name of the module before the folder (Go), the first part of it (JavaScript, TypeScript).
    fn root(&self, (said, target): (&[u8], FileId), file: FileId) -> Option<Vec<u8>> {
        let (segment, doc) = document(self.new, file)?;
        let path = self.old.view.file(target).path.as_bytes();
        let root = match segment.doc(doc).lang {
            Grammar::Go => said.strip_suffix(folder(path))?.strip_suffix(b"/")?,
            Grammar::TypeScript | Grammar::Tsx | Grammar::JavaScript => {
                said.split(|byte| *byte == b'/').next()?
            }
            _ => return None,
        };
        (!root.is_empty() && !said.starts_with(b".")).then(|| root.to_vec())
    }
}

/// How files are called that say where imports lead.
const SETTINGS: &[&[u8]] = &[
    b"go.mod",
    b"go.work",
    b"package.json",
    b"config",
    b"deno.json",
    b"import",
    b"workspace",
    b"rc",
    b"vendor",
];

/// Whether a file of this name may say where imports lead.
fn is_setting(name: &[u8]) -> bool {
    let has = |word: &&[u8]| memchr::memmem::find(name, word).is_some();
    SETTINGS.iter().any(has)
}

/// Whether settings of the repository name what an import begins with.
fn is_in_settings(side: &Side<'_>, root: &[u8], texts: &mut Texts) -> bool {
    let view = side.view;
    (0..view.files().len() as u32).map(FileId).any(|id| {
        is_setting(view.file(id).path.file_name())
            && texts
                .if_here(view, id)
                .is_none_or(|text| memchr::memmem::find(text.bytes(), root).is_some())
    })
}
