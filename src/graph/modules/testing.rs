//! Small trees to try resolution on.

use super::{Modules, Place, Resolution};
use crate::extract::extract;
use crate::git::path::RepoPath;
use crate::git::tree::{EntryMode, TreeEntry};
use crate::id::BlobId;
use crate::segment::{self, Segment};
use crate::view::files::{File, document_keys};
use crate::view::live::{FileId, View};
use gix::hash::Kind;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A view of files given by path and text, all of them extracted.
pub(in crate::graph) struct Tree {
    view: View,
    contents: FxHashMap<BlobId, Vec<u8>>,
}

impl Tree {
    pub(in crate::graph) fn new(files: &[(&str, &str)]) -> Self {
        let mut contents = FxHashMap::default();
        let mut rows = Vec::new();
        for (path, text) in files {
            let id = gix::objs::compute_hash(Kind::Sha1, gix::objs::Kind::Blob, text.as_bytes());
            let id = BlobId::new(id.unwrap());
            contents.insert(id, text.as_bytes().to_vec());
            let path = RepoPath::new(*path).unwrap();
            let mode = EntryMode::File;
            rows.push(File::new(TreeEntry { path, mode, id }, false));
        }
        rows.sort_by(|a, b| a.path.cmp(&b.path));
        let keys = document_keys(&rows).into_iter();
        let docs = keys
            .map(|key| (key, extract(&contents[&key.blob], key.grammar)))
            .collect();
        let segment = Segment::open(segment::build(Kind::Sha1, docs).unwrap()).unwrap();
        Self {
            view: View::join(rows, &[Arc::new(segment)], 0),
            contents,
        }
    }

    pub(in crate::graph) fn view(&self) -> &View {
        &self.view
    }

    pub(in crate::graph) fn file(&self, path: &str) -> Option<FileId> {
        self.view.file_at(path.as_bytes())
    }

    pub(in crate::graph) fn modules(&self) -> Modules {
        Modules::of(&self.view, &mut |file| {
            self.contents.get(&self.view.file(file).blob).cloned()
        })
    }

    /// Every import of a file as `specifier -> place`, in order.
    pub(in crate::graph) fn resolved(&self, from: &str) -> Vec<String> {
        let modules = self.modules();
        let from = self.file(from).unwrap();
        let live = self.view.file(from).doc.unwrap();
        let imports = self.view.segment(live.segment).segment.imports(live.doc);
        imports
            .filter(|import| super::names_a_module(import.kind))
            .map(|import| {
                let found = modules.resolve(
                    &self.view,
                    from,
                    super::Site::of(&import),
                    &import.specifier,
                );
                let specifier = String::from_utf8(import.specifier).unwrap();
                format!("{specifier} -> {}", self.shown(&found))
            })
            .collect()
    }

    pub(in crate::graph) fn shown(&self, found: &Resolution) -> String {
        match found {
            Resolution::Found(place) => self.shown_place(place),
            Resolution::External => "external".to_owned(),
            Resolution::Unresolved => "unresolved".to_owned(),
        }
    }

    /// Paths, then what is inside them.
    pub(in crate::graph) fn shown_place(&self, place: &Place) -> String {
        let files = place.files.iter();
        let mut words: Vec<String> = files
            .map(|id| self.view.file(*id).path.to_string())
            .collect();
        let inner = place.inner.iter();
        words.extend(inner.map(|name| format!("::{}", String::from_utf8_lossy(name))));
        words.join(" ")
    }
}
