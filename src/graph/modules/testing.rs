//! Small trees to try resolution on.

use super::{Modules, Place, Resolution};
use crate::extract::extract;
use crate::extract::record::{
    DocKey, DocRecord, Grammar, Import, ImportKind, Symbol, SymbolFlags, SymbolKind,
};
use crate::git::path::RepoPath;
use crate::git::tree::{EntryMode, TreeEntry};
use crate::id::BlobId;
use crate::segment::{self, Segment};
use crate::view::files::{File, document_keys};
use crate::view::live::{FileId, View};
use gix::hash::Kind;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// A document as extraction of its language would record it.
pub(crate) struct Made {
    path: &'static str,
    record: DocRecord,
}

impl Made {
    pub(crate) fn new(path: &'static str, lang: Grammar) -> Self {
        Self {
            path,
            record: DocRecord::empty(lang, path.len() as u64),
        }
    }

    /// Adds an import; each one stands on the next line.
    pub(crate) fn import(mut self, kind: ImportKind, specifier: &str) -> Self {
        self.record.imports.push(Import {
            kind,
            line: self.record.imports.len() as u32 + 1,
            specifier: specifier.as_bytes().to_vec(),
            bindings: Vec::new(),
        });
        self
    }

    /// Adds a symbol inside another one, given by its position.
    pub(crate) fn symbol(mut self, kind: SymbolKind, name: &str, container: Option<u32>) -> Self {
        let name = self.record.names.push(name.as_bytes());
        self.record.symbols.push(Symbol {
            name,
            kind,
            flags: SymbolFlags::default(),
            container,
            receiver: None,
            span: 0..1,
            start_line: 1,
            start_col: 0,
            end_line: 1,
            end_col: 1,
            name_line: 1,
            name_col: 0,
            signature: 0..1,
            doc: 0..0,
            body_hash: 0,
        });
        self
    }
}

thread_local! {
    static EXTRACTED: RefCell<FxHashMap<DocKey, DocRecord>> = RefCell::default();
}

/// Extracts a document, or says again what it was: a property test edits one file and makes the whole
/// tree anew, thousands of times.
fn extracted(key: DocKey, bytes: &[u8]) -> DocRecord {
    EXTRACTED.with_borrow_mut(|known| {
        let record = || extract(bytes, key.grammar);
        known.entry(key).or_insert_with(record).clone()
    })
}

/// A view of files given by path and text, all of them extracted.
pub(crate) struct Tree {
    view: View,
    contents: FxHashMap<BlobId, Vec<u8>>,
}

impl Tree {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self::with(files, Vec::new())
    }

    /// A tree in which some documents are what they are said to be, whatever reads them.
    pub(crate) fn with(files: &[(&str, &str)], made: Vec<Made>) -> Self {
        let mut contents = FxHashMap::default();
        let mut records = FxHashMap::default();
        let mut rows = Vec::new();
        let mut add = |path: &str, text: &str| {
            let id = gix::objs::compute_hash(Kind::Sha1, gix::objs::Kind::Blob, text.as_bytes());
            let id = BlobId::new(id.unwrap());
            contents.insert(id, text.as_bytes().to_vec());
            let path = RepoPath::new(path).unwrap();
            let mode = EntryMode::File;
            rows.push(File::new(TreeEntry { path, mode, id }, false));
            id
        };
        for (path, text) in files {
            add(path, text);
        }
        for Made { path, record } in made {
            // Its own path as content makes it a blob of its own.
            let id = add(path, path);
            records.insert(id, record);
        }
        rows.sort_by(|a, b| a.path.cmp(&b.path));
        let keys = document_keys(&rows).into_iter();
        let docs = keys
            .map(|key| match records.remove(&key.blob) {
                Some(record) => (key, record),
                None => (key, extracted(key, &contents[&key.blob])),
            })
            .collect();
        let segment = Segment::open(segment::build(Kind::Sha1, docs).unwrap()).unwrap();
        Self {
            view: View::join(rows, &[Arc::new(segment)], 0),
            contents,
        }
    }

    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    pub(crate) fn file(&self, path: &str) -> Option<FileId> {
        self.view.file_at(path.as_bytes())
    }

    pub(crate) fn modules(&self) -> Modules {
        Modules::of(&self.view, &mut |file| self.content(file))
    }

    pub(crate) fn content(&self, file: FileId) -> Option<Vec<u8>> {
        self.contents.get(&self.view.file(file).blob).cloned()
    }

    /// Every import of a file as `specifier -> place`, in order.
    pub(crate) fn resolved(&self, from: &str) -> Vec<String> {
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

    pub(crate) fn shown(&self, found: &Resolution) -> String {
        match found {
            Resolution::Found(place) => self.shown_place(place),
            Resolution::External => "external".to_owned(),
            Resolution::Unresolved => "unresolved".to_owned(),
        }
    }

    /// What one specifier means in a file.
    pub(crate) fn meant(&self, from: &str, kind: ImportKind, specifier: &str) -> String {
        let site = super::Site { kind, line: 1 };
        let from = self.file(from).unwrap();
        let found = self
            .modules()
            .resolve(&self.view, from, site, specifier.as_bytes());
        self.shown(&found)
    }

    /// The files whose names are visible in a file without an import.
    pub(crate) fn package(&self, of: &str) -> Vec<String> {
        let modules = self.modules();
        let files = modules.package_of(self.file(of).unwrap()).iter();
        files
            .map(|id| self.view.file(*id).path.to_string())
            .collect()
    }

    /// Paths, then what is inside them.
    pub(crate) fn shown_place(&self, place: &Place) -> String {
        let files = place.files.iter();
        let mut words: Vec<String> = files
            .map(|id| self.view.file(*id).path.to_string())
            .collect();
        let inner = place.inner.iter();
        words.extend(inner.map(|name| format!("::{}", String::from_utf8_lossy(name))));
        words.join(" ")
    }
}
