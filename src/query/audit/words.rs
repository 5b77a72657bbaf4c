//! Names that stand where the index sees no reference: in data files, in macro bodies, in strings
//! that hold more than the name, after objects nothing is known of.
//!
//! The postings of the full-text index say which documents have a word; their text is read to see
//! whether it is the whole name and whether a known occurrence or definition explains it.

use super::answer::Verdict;
use crate::extract::record::{Field, Grammar, Local, Occurrence};
use crate::extract::terms;
use crate::graph::table::SymbolId;
use crate::id::{DocId, LiveDoc, NameId, SegmentOrd};
use crate::lang;
use crate::lang::language::Genre;
use crate::query::inventory::Inventory;
use crate::segment::{Posting, Segment};
use crate::view::live::FileId;
use crate::view::role::FileRole;
use crate::view::text::{Text, Texts};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Shorter names are words of everything.
const MIN_NAME_BYTES: usize = 3;
/// Files read for one name.
const MAX_FILES: usize = 30;

/// Where the names of definitions stand unexplained: in how many files, and the first place.
#[derive(Default)]
pub struct Words {
    found: FxHashMap<SymbolId, (u32, FileId, u32)>,
}

impl Words {
    /// Looks for the names of those definitions that nothing reaches.
    pub fn of(
        inventory: &Inventory<'_>,
        listed: &[(SymbolId, Verdict)],
        texts: &mut Texts,
    ) -> Self {
        let mut names: BTreeMap<FileId, Vec<SymbolId>> = BTreeMap::new();
        for (id, verdict) in listed {
            let name = inventory.name(*id);
            if !matches!(verdict, Verdict::Unreached | Verdict::Uncertain)
                || name.len() < MIN_NAME_BYTES
            {
                continue;
            }
            let lang = inventory.lang(inventory.get(*id).file);
            for file in holders(inventory, lang, name) {
                names.entry(file).or_default().push(*id);
            }
        }
        let mut words = Self::default();
        for (file, ids) in names {
            let Some(read) = Read::of(inventory, texts, file) else {
                continue;
            };
            for id in ids {
                if let Some(line) = read.unexplained(inventory.name(id)) {
                    let found = words.found.entry(id).or_insert((0, file, line));
                    found.0 += 1;
                }
            }
        }
        words
    }

    /// Definitions whose names stand somewhere unexplained.
    pub fn named(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.found.keys().copied()
    }

    /// In how many files the name of a definition stands unexplained, and the first place.
    pub fn of_symbol(&self, id: SymbolId) -> Option<(u32, FileId, u32)> {
        self.found.get(&id).copied()
    }
}

/// Whether a file that is not `passed` has a name as part of a path or of a module's name. When very
/// many files have the word it counts as said.
pub fn names_file(
    inventory: &Inventory<'_>,
    texts: &mut Texts,
    lang: Grammar,
    stem: &[u8],
    passed: &FxHashSet<FileId>,
) -> bool {
    let files = holders(inventory, lang, stem);
    if files.len() >= MAX_FILES || stem.len() < MIN_NAME_BYTES {
        return true;
    }
    files
        .into_iter()
        .filter(|file| !passed.contains(file))
        .any(|file| {
            let Some(text) = texts.get(inventory.view, file) else {
                return true;
            };
            let bytes = text.bytes();
            memchr::memmem::find_iter(bytes, stem).any(|at| {
                let before = at.checked_sub(1).and_then(|at| bytes.get(at));
                let after = bytes.get(at + stem.len());
                let joins = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
                let begins = before.is_some_and(|b| b"/.\"'`:".contains(b));
                let goes_on = after == Some(&b'.') && before.is_none_or(|b| !joins(b));
                (begins || goes_on) && after.is_none_or(|b| !joins(b))
            })
        })
}

/// Files that have a name as a word outside of comments, in path order. What a key of a data file is
/// set to is part of its signature.
fn holders(inventory: &Inventory<'_>, lang: Grammar, name: &[u8]) -> Vec<FileId> {
    let view = inventory.view;
    let mut term = Vec::new();
    terms::fold(name, &mut term);
    let mut files = Vec::new();
    for (live, ord) in view.segments().iter().zip((0..).map(SegmentOrd)) {
        let Some(postings) = live.segment.postings(&term) else {
            continue;
        };
        let has = |posting: &Posting, field| posting.tf[field as usize] > 0;
        let mut docs: Vec<DocId> = postings
            .filter(|posting| live.is_live_chunk(posting.chunk))
            .map(|posting| (live.segment.chunk_doc(posting.chunk), posting))
            .filter(|(doc, posting)| {
                let in_key = || is_data(live.segment.doc(*doc).lang);
                has(posting, Field::Body) || has(posting, Field::Signature) && in_key()
            })
            .map(|(doc, _)| doc)
            .collect();
        docs.dedup();
        for doc in docs {
            let of = live.segment.doc(doc).lang;
            if may_name(of, lang) {
                let fits = |file: &FileId| {
                    let role = inventory.role(*file);
                    let held = inventory.view.file(*file).doc;
                    role != FileRole::Documentation && held == Some(LiveDoc { segment: ord, doc })
                };
                files.extend(live.files_of(doc).filter(fits));
            }
        }
    }
    files.sort_unstable();
    files.truncate(MAX_FILES);
    files
}

/// Whether a document of one language may name a definition of another.
fn may_name(of: Grammar, lang: Grammar) -> bool {
    is_data(of) || lang::of(of).family == lang::of(lang).family
}

fn is_data(lang: Grammar) -> bool {
    lang::of(lang).genre.is_data()
}

/// A file and what is known of the names in it.
struct Read<'a> {
    text: Arc<Text>,
    segment: &'a Segment,
    doc: DocId,
    occurrences: Vec<Occurrence<NameId>>,
    locals: Vec<Local>,
    /// Places that were resolved.
    edges: FxHashSet<(u32, u32)>,
}

impl<'a> Read<'a> {
    fn of(inventory: &'a Inventory<'_>, texts: &mut Texts, file: FileId) -> Option<Self> {
        let view = inventory.view;
        let doc = view.file(file).doc?;
        let segment = &view.segment(doc.segment).segment;
        let graph = inventory.graph;
        let edges = graph.edges_of(file).map(|edge| graph.edge(edge));
        Some(Self {
            text: texts.get(view, file)?,
            segment,
            doc: doc.doc,
            occurrences: segment.occurrences(doc.doc).collect(),
            locals: segment.hints(doc.doc).locals,
            edges: edges.map(|edge| (edge.line, edge.col)).collect(),
        })
    }

    /// The first line on which the file has a whole name that no definition, occurrence or comment
    /// explains.
    fn unexplained(&self, name: &[u8]) -> Option<u32> {
        let known = self.segment.name_id(name).map(|name| self.explained(name));
        let known = known.unwrap_or_default();
        let text = &self.text;
        for at in text.words(name) {
            let (line, col) = text.place(at);
            let written = text.line(line).trim_ascii_start();
            let place = (line, col);
            if !known.contains(&place) && !self.edges.contains(&place) && !is_comment(written) {
                return Some(line);
            }
        }
        None
    }

    /// Places at which the file defines a name, or binds it to something of its own. What a schema
    /// defines is the name of what implements it.
    fn explained(&self, name: NameId) -> FxHashSet<(u32, u32)> {
        let own = lang::of(self.segment.doc(self.doc).lang).genre != Genre::Schema;
        let symbols = self.segment.symbols(self.doc).filter(|_| own);
        let mut places: FxHashSet<(u32, u32)> = symbols
            .filter(|symbol| symbol.name == name || symbol.receiver == Some(name))
            .map(|symbol| (symbol.name_line, symbol.name_col))
            .collect();
        let occurrences = &self.occurrences;
        for local in &self.locals {
            let declared = occurrences.get(local.declared as usize);
            if declared.is_none_or(|declared| declared.name != name) {
                continue;
            }
            let end = (local.scope.end as usize).min(occurrences.len());
            let scope = occurrences.get(local.scope.start as usize..end);
            for found in scope.into_iter().flatten().chain(declared) {
                if found.name == name {
                    places.insert((found.line, found.col));
                }
            }
        }
        places
    }
}

fn is_comment(line: &[u8]) -> bool {
    let marks = [&b"//"[..], b"/*", b"*", b"--", b"\"\"\"", b"'''"];
    let hash = line.starts_with(b"#") && !line.starts_with(b"#define") && !line.starts_with(b"#if");
    hash || marks.iter().any(|mark| line.starts_with(mark))
}
