//! Small trees to try resolution on.

use super::{Modules, Place, Resolution};
use crate::extract::extract;
use crate::extract::record::{
    DocKey, DocRecord, Import, ImportKind, Symbol, SymbolFlags, SymbolKind,
};
use crate::git::path::RepoPath;
use crate::git::tree::{EntryMode, TreeEntry};
use crate::id::BlobId;
use crate::lang;
use crate::segment::{self, Segment};
use crate::view::files::{File, document_keys};
use crate::view::live::{FileId, View};
use gix::hash::Kind;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// A document as extraction of its language would record it.
struct Made {
    path: String,
    record: DocRecord,
}

impl Made {
    fn new(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        Self {
            path: path.to_owned(),
            record: DocRecord::empty(lang::by_file_name(name.as_bytes()), path.len() as u64),
        }
    }

    /// Adds an import; each one stands on the next line.
    fn import(&mut self, kind: ImportKind, specifier: &str) {
        self.record.imports.push(Import {
            kind,
            line: self.record.imports.len() as u32 + 1,
            specifier: specifier.as_bytes().to_vec(),
            bindings: Vec::new(),
        });
    }

    /// Adds a symbol inside another one, given by its position.
    fn symbol(&mut self, kind: SymbolKind, name: &str, container: Option<u32>) {
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

/// The paths of a table, each with the indented lines below it; comments are left out.
fn blocks(table: &str) -> Vec<(&str, Vec<&str>)> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let lines = || table.lines().filter(|line| !line.trim().is_empty());
    let margin = lines().map(depth).min().unwrap_or(0);
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines() {
        let said = &line[margin..];
        match blocks.last_mut() {
            Some((_, block)) if depth(said) > 0 => block.push(&said[2..]),
            _ => blocks.push((said, Vec::new())),
        }
    }
    for (_, block) in &mut blocks {
        block.retain(|line| !line.trim_start().starts_with("//"));
    }
    blocks
}

/// What a line of a table says a document imports, if it does.
fn import_kind(word: &str) -> Option<ImportKind> {
    Some(match word {
        "import" => ImportKind::Import,
        "include" => ImportKind::Include,
        "package" => ImportKind::Package,
        "require" => ImportKind::Require,
        _ => return None,
    })
}

/// A view of files given by path and text, all of them extracted.
pub(crate) struct Tree {
    view: View,
    contents: FxHashMap<BlobId, Vec<u8>>,
}

impl Tree {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self::with(files, Vec::new(), None)
    }

    /// A tree like an earlier one: documents that its first segment has are those there, all others are in a
    /// segment laid over it.
    pub(crate) fn over(before: &Self, files: &[(&str, &str)]) -> Self {
        let first = &before.view.segments()[0].segment;
        Self::with(files, Vec::new(), Some(first))
    }

    /// A tree in which some documents are what a table says they are, whatever reads them: below the path
    /// of each its imports, `kind specifier -> place`, and its symbols, `kind name`, indented as they are
    /// nested. The places are looked at, and so is what a line `sees paths` says, as [`Self::check`] does.
    pub(crate) fn made(files: &[(&str, &str)], table: &str) -> Self {
        let mut documents = Vec::new();
        let mut expected = Vec::new();
        for (path, lines) in blocks(table) {
            let mut made = Made::new(path);
            let mut checked = Vec::new();
            // The symbols that are open, outermost first.
            let mut open: Vec<u32> = Vec::new();
            for line in lines {
                let level = (line.len() - line.trim_start().len()) / 2;
                let (word, rest) = line.trim_start().split_once(' ').unwrap();
                if let Some(kind) = import_kind(word) {
                    made.import(kind, rest.split(" ->").next().unwrap());
                    checked.extend(rest.contains(" ->").then_some(rest));
                } else if word == "sees" {
                    checked.push(line);
                } else {
                    let kind = SymbolKind::from_label(word).unwrap();
                    open.truncate(level);
                    let symbol = made.record.symbols.len() as u32;
                    made.symbol(kind, rest, open.last().copied());
                    open.push(symbol);
                }
            }
            documents.push(made);
            expected.push((path, checked));
        }
        let tree = Self::with(files, documents, None);
        for (path, lines) in expected {
            tree.check_file(path, &lines);
        }
        tree
    }

    fn with(files: &[(&str, &str)], made: Vec<Made>, under: Option<&Arc<Segment>>) -> Self {
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
            let id = add(&path, &path);
            records.insert(id, record);
        }
        rows.sort_by(|a, b| a.path.cmp(&b.path));
        let mut segments: Vec<Arc<Segment>> = under.cloned().into_iter().collect();
        let is_there = |key: &DocKey| segments.iter().any(|segment| segment.find(key).is_some());
        let keys = document_keys(&rows).into_iter();
        let docs = keys
            .filter(|key| !is_there(key))
            .map(|key| match records.remove(&key.blob) {
                Some(record) => (key, record),
                None => (key, extracted(key, &contents[&key.blob])),
            })
            .collect();
        let segment = Segment::open(segment::build(Kind::Sha1, docs).unwrap()).unwrap();
        segments.push(Arc::new(segment));
        Self {
            view: View::join(rows, &segments, 0),
            contents,
        }
    }

    /// Looks whether files resolve as a table says: below the path of each all of its imports in order,
    /// `specifier -> place`, and after `sees` the files whose names are visible in it without an import.
    pub(crate) fn check(&self, table: &str) {
        for (path, lines) in blocks(table) {
            self.check_file(path, &lines);
        }
    }

    fn check_file(&self, path: &str, lines: &[&str]) {
        let sees = |line: &&&str| line.starts_with("sees ");
        for line in lines.iter().filter(sees) {
            let seen = self.package(path).join(" ");
            assert_eq!(format!("sees {seen}"), **line, "{path}");
        }
        let expected: Vec<&str> = lines.iter().filter(|line| !sees(line)).copied().collect();
        if !expected.is_empty() {
            let found = self.resolved(path);
            let found: Vec<&str> = found.iter().map(|line| line.trim_end()).collect();
            assert_eq!(found, expected, "{path}");
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
                let site = super::Site::of(from, &import);
                let found = modules.resolve(&self.view, site, &import.specifier);
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
        let (from, line) = (self.file(from).unwrap(), 1);
        let site = super::Site { from, kind, line };
        let found = self.modules();
        let found = found.resolve(&self.view, site, specifier.as_bytes());
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
