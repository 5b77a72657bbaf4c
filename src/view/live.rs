//! A view: a snapshot seen from one tree. Knows which documents are live and at which paths.
//!
//! Guarantees: statistics count live documents only, each once however many paths hold it, so they
//! do not depend on what else the segments contain or how documents are cut into segments.
//! Immutable once made. Deliberately absent: commits (a view belongs to a tree) and text.

use super::comments::KnownComments;
use super::files::File;
use super::flaws::Flaws;
use super::names::{AllNames, Names};
use crate::extract::record::FIELDS;
pub use crate::id::FileId;
use crate::id::{BlobId, ChunkId, DocAddress, DocId, SegmentId, SegmentOrd};
use crate::segment::Segment;
use roaring::RoaringBitmap;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// Sums over the live chunks of a view, for BM25F.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChunkStatistics {
    /// Number of live chunks.
    pub chunks: u64,
    /// Sum of their lengths by field, in terms.
    pub field_len: [u64; FIELDS],
}

/// One segment of a view with what of it is live.
pub struct LiveSegment {
    /// The segment.
    pub segment: Arc<Segment>,
    /// Live documents.
    pub docs: RoaringBitmap,
    /// Chunks of the live documents, once they are asked for.
    chunks: OnceLock<RoaringBitmap>,
    /// (document, file) pairs, sorted; a document may stand at several paths.
    files: Vec<(DocId, FileId)>,
}

impl LiveSegment {
    /// Whether a document is live.
    pub fn is_live(&self, doc: DocId) -> bool {
        self.docs.contains(doc.0)
    }

    /// Chunks of the live documents. A question about symbols and their history never asks.
    pub fn chunks(&self) -> &RoaringBitmap {
        self.chunks.get_or_init(|| {
            let mut chunks = RoaringBitmap::new();
            for doc in &self.docs {
                let range = self.segment.chunks_of(DocId(doc));
                chunks.insert_range(range.start.0..range.end.0);
            }
            chunks
        })
    }

    /// Whether a chunk belongs to a live document.
    pub fn is_live_chunk(&self, chunk: ChunkId) -> bool {
        self.chunks().contains(chunk.0)
    }

    /// Files that hold a document, in path order.
    pub fn files_of(&self, doc: DocId) -> impl Iterator<Item = FileId> {
        let start = self.files.partition_point(|(d, _)| *d < doc);
        self.files[start..]
            .iter()
            .take_while(move |(d, _)| *d == doc)
            .map(|(_, f)| *f)
    }
}

/// A snapshot seen from one tree, with or without uncommitted files on top.
pub struct View {
    files: Vec<File>,
    segments: Vec<LiveSegment>,
    statistics: OnceLock<ChunkStatistics>,
    /// Files that should have a document and have none, and folders that are left out.
    pub(crate) uncovered: usize,
    /// Folders that are left out.
    pub(crate) outside: usize,
    /// Uncommitted paths laid over the tree, deleted ones included.
    pub(crate) dirty: usize,
    contents: FxHashMap<BlobId, Arc<Vec<u8>>>,
    comments: KnownComments,
    tables: Arc<AllNames>,
    names: OnceLock<Names>,
    flaws: OnceLock<Flaws>,
}

impl View {
    /// The files that were not read or not understood.
    pub fn flaws(&self) -> &Flaws {
        self.flaws.get_or_init(|| Flaws::of(self))
    }

    /// Whether files should have a document and have none.
    pub(crate) fn lacks_files(&self) -> bool {
        self.uncovered > self.outside
    }

    /// Joins files, sorted by path, with the segments that hold their documents. A file that
    /// already has a document keeps it.
    ///
    /// The first segment that holds a document counts; another one that holds it too says the
    /// same, since a document is a pure function of its key.
    pub fn join(mut files: Vec<File>, segments: &[Arc<Segment>], dirty: usize) -> Self {
        // A part of the index has the documents of a range of keys, so most need not be searched.
        let ends: Vec<_> = (segments.iter().map(|segment| segment.key_range())).collect();
        let mut found: FxHashMap<_, Option<DocAddress>> = FxHashMap::default();
        for file in files.iter_mut().filter(|file| file.doc.is_none()) {
            if let Some(key) = file.key() {
                file.doc = *found.entry(key).or_insert_with(|| {
                    segments
                        .iter()
                        .zip(&ends)
                        .zip(0u32..)
                        .find_map(|((segment, ends), ord)| {
                            let (first, last) = ends.as_ref()?;
                            let doc = (first.doc <= key && key <= last.doc)
                                .then(|| segment.find(&key))
                                .flatten()?;
                            Some(DocAddress {
                                segment: SegmentOrd(ord),
                                doc,
                            })
                        })
                });
            }
        }
        Self::assemble(files, segments, dirty)
    }

    /// Its files, for another view of the same tree.
    pub(crate) fn into_files(self) -> Vec<File> {
        self.files
    }

    /// Makes a view of files whose documents are already known: what is in the others is not.
    ///
    /// # Panics
    /// When a document is in none of the segments.
    pub(crate) fn assemble(mut files: Vec<File>, segments: &[Arc<Segment>], dirty: usize) -> Self {
        let mut pairs: Vec<Vec<(DocId, FileId)>> = vec![Vec::new(); segments.len()];
        let (mut uncovered, mut outside) = (0, 0);
        for (file, id) in files.iter_mut().zip(0u32..) {
            match file.doc {
                Some(live) => {
                    let flags = segments[live.segment.index()].flags(live.doc);
                    file.role = file.role.with_flags(flags);
                    pairs[live.segment.index()].push((live.doc, FileId(id)));
                }
                None if file.is_uncovered() => uncovered += 1,
                None if file.is_outside() => outside += 1,
                None => {}
            }
        }
        let live = segments
            .iter()
            .zip(pairs)
            .map(|(segment, files)| {
                let files = by_document(files, segment.doc_count());
                let docs: RoaringBitmap =
                    RoaringBitmap::from_sorted_iter(dedup_sorted(files.iter().map(|(d, _)| d.0)))
                        .expect("sorted and distinct by construction");
                LiveSegment {
                    segment: segment.clone(),
                    docs,
                    chunks: OnceLock::new(),
                    files,
                }
            })
            .collect();
        Self {
            files,
            segments: live,
            statistics: OnceLock::new(),
            uncovered: uncovered + outside,
            outside,
            dirty,
            contents: FxHashMap::default(),
            comments: KnownComments::default(),
            tables: Arc::default(),
            names: OnceLock::new(),
            flaws: OnceLock::new(),
        }
    }

    /// Shares the tables of names that other views of the repository have.
    pub fn with_tables(mut self, tables: &Arc<AllNames>) -> Self {
        self.tables = tables.clone();
        self
    }

    /// All names that symbols of its segments have, those of dead documents among them. The first call makes what tables
    /// lack.
    pub fn names(&self) -> &Names {
        self.names.get_or_init(|| self.tables.of(&self.segments))
    }

    /// Adds the content of uncommitted files, with the comments of those that were just read.
    pub(super) fn with_contents(
        mut self,
        contents: FxHashMap<BlobId, Arc<Vec<u8>>>,
        comments: KnownComments,
    ) -> Self {
        (self.contents, self.comments) = (contents, comments);
        self
    }

    /// All files, sorted by path.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// One file.
    ///
    /// # Panics
    /// When the id is another view's.
    pub fn file(&self, id: FileId) -> &File {
        &self.files[id.0 as usize]
    }

    /// The file at a path.
    pub fn file_at(&self, path: &[u8]) -> Option<FileId> {
        self.files
            .binary_search_by(|f| f.path.as_bytes().cmp(path))
            .ok()
            .map(|i| FileId(i as u32))
    }

    /// Segments with their live documents.
    pub fn segments(&self) -> &[LiveSegment] {
        &self.segments
    }

    /// The segment of a live document.
    ///
    /// # Panics
    /// When the document is another view's.
    pub fn segment(&self, ord: SegmentOrd) -> &LiveSegment {
        &self.segments[ord.index()]
    }

    /// The segment of an index that says what is in a file; `None` for what has no document, and for
    /// documents that are in no index.
    pub fn source(&self, file: &File) -> Option<SegmentId> {
        let live = self.segments.get(file.doc?.segment.index())?;
        live.segment.name
    }

    /// Sums over live chunks.
    pub fn statistics(&self) -> ChunkStatistics {
        *self.statistics.get_or_init(|| {
            let mut sums = ChunkStatistics::default();
            for live in &self.segments {
                for doc in (&live.docs).into_iter().map(DocId) {
                    let range = live.segment.chunks_of(doc);
                    sums.chunks += u64::from(range.end.0 - range.start.0);
                    let lengths = live.segment.chunk_lengths_sum(doc);
                    for (sum, len) in sums.field_len.iter_mut().zip(lengths) {
                        *sum += len;
                    }
                }
            }
            sums
        })
    }

    /// Content that is in no object store: that of an uncommitted file.
    pub fn content(&self, blob: BlobId) -> Option<&Arc<Vec<u8>>> {
        self.contents.get(&blob)
    }

    /// Comments that were met when documents were extracted for this view.
    pub(super) fn comments(&self) -> &KnownComments {
        &self.comments
    }
}

/// Sorts pairs that come in the order of their files. Where they are most documents of a segment, each is put where it
/// belongs, which takes a third of the time.
fn by_document(mut pairs: Vec<(DocId, FileId)>, documents: u32) -> Vec<(DocId, FileId)> {
    let documents = documents as usize;
    let is_in = |(doc, _): &(DocId, FileId)| doc.index() < documents;
    if pairs.len() < documents / 8 || !pairs.iter().all(is_in) {
        pairs.sort_unstable();
        return pairs;
    }
    let mut next = vec![0_u32; documents + 1];
    for (doc, _) in &pairs {
        next[doc.index() + 1] += 1;
    }
    for at in 1..next.len() {
        next[at] += next[at - 1];
    }
    let mut sorted = pairs.clone();
    for pair in pairs {
        let slot = &mut next[pair.0.index()];
        sorted[*slot as usize] = pair;
        *slot += 1;
    }
    sorted
}

fn dedup_sorted(items: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    let mut last = None;
    items.filter(move |item| last.replace(*item) != Some(*item))
}
