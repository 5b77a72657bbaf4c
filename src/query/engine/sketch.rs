//! States of which only some files are read: all paths of a tree, and the documents of those files that a question
//! needs. What is nowhere in the index is taken from what was kept of earlier sketches ([`crate::store::sketched`]), or extracted.

use super::Engine;
use crate::extract::Extractor;
use crate::extract::record::{DocKey, DocRecord, ImportKind};
use crate::git::{Objects, tree};
use crate::graph::build;
use crate::graph::edges::Graph;
use crate::graph::modules::{Modules, Resolution, Site};
use crate::id::{BlobId, DocAddress, SegmentOrd, TreeId};
use crate::lang::{self, language::Genre};
use crate::query::Error;
use crate::record::Grammar;
use crate::segment::{self, Segment};
use crate::view::files::{File, mark_forgotten};
use crate::view::live::{FileId, View};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Documents of one sketch: whoever needs more asks at a revision.
pub(in crate::query) const MAX_WANTED: usize = 6000;
/// Bytes of contents that are remembered.
const MAX_BYTES: usize = 64 << 20;
/// Documents from which on threads are used: one costs more than a few documents do.
const PARALLEL_FROM: usize = 8;
/// Trees that are remembered as lists of files.
const MAX_LISTS: usize = 3;

/// Makes sketches of any number of trees.
pub(in crate::query) struct Sketcher<'e> {
    engine: &'e Engine,
    objects: Objects,
    /// The segments of the index, then what is kept, then those of what was extracted.
    segments: Vec<Arc<Segment>>,
    /// How many of them are of the index.
    indexed: usize,
    /// Where the last begin; `None` before a document was lacking.
    made_from: Option<usize>,
    /// Where documents are; `None` for what has none.
    places: FxHashMap<DocKey, Option<DocAddress>>,
    lists: Vec<(TreeId, Arc<Vec<File>>)>,
    contents: FxHashMap<BlobId, Arc<[u8]>>,
    held: usize,
    extractor: Extractor,
}

/// Files that are wanted, by their place in a list of files.
pub(in crate::query) type Wanted = BTreeSet<FileId>;

impl<'e> Sketcher<'e> {
    /// Starts with the documents that the index has.
    pub fn new(engine: &'e Engine) -> Self {
        let mut objects = engine.repo.objects();
        objects.keep_bases(64 << 20);
        let segments = engine.stored();
        Self {
            indexed: segments.len(),
            segments,
            made_from: None,
            engine,
            objects,
            places: FxHashMap::default(),
            lists: Vec::new(),
            contents: FxHashMap::default(),
            held: 0,
            extractor: Extractor::new(),
        }
    }

    /// Takes the files of a tree from who has listed it.
    pub fn knows(&mut self, root: TreeId, listed: &[File]) {
        self.list(root, listed.to_vec());
    }

    /// The files of a tree, in path order. Fails when it cannot be read.
    pub fn files(&mut self, root: TreeId) -> Result<Arc<Vec<File>>, Error> {
        if let Some((_, known)) = self.lists.iter().find(|(tree, _)| *tree == root) {
            return Ok(known.clone());
        }
        let listed = tree::list(&mut self.objects, root)?;
        let files = listed.into_iter().map(|entry| File::new(entry, false));
        Ok(self.list(root, files.collect()))
    }

    fn list(&mut self, root: TreeId, mut files: Vec<File>) -> Arc<Vec<File>> {
        mark_forgotten(&mut files, self.engine.state().snapshot.ledger());
        let files = Arc::new(files);
        self.lists.insert(0, (root, files.clone()));
        self.lists.truncate(MAX_LISTS);
        files
    }

    /// The content of a blob. Fails as [`Objects::blob`] does.
    pub fn content(&mut self, blob: BlobId) -> Result<Arc<[u8]>, Error> {
        if let Some(known) = self.contents.get(&blob) {
            return Ok(known.clone());
        }
        let mut bytes = Vec::new();
        self.objects.blob(blob, &mut bytes)?;
        let bytes: Arc<[u8]> = bytes.into();
        if self.held + bytes.len() > MAX_BYTES {
            self.contents.clear();
            self.held = 0;
        }
        self.held += bytes.len();
        self.contents.insert(blob, bytes.clone());
        Ok(bytes)
    }

    /// The segments of the index.
    pub fn indexed(&self) -> &[Arc<Segment>] {
        &self.segments[..self.indexed]
    }

    /// Whether the index has a document, whatever else is kept.
    pub fn is_indexed(&self, key: &DocKey) -> bool {
        self.indexed()
            .iter()
            .any(|segment| segment.find(key).is_some())
    }

    /// The state of which these files are read. Fails when one of them cannot be.
    pub fn view(&mut self, files: &[File], wanted: &Wanted) -> Result<View, Error> {
        let mut files = files.to_vec();
        self.place(&mut files, wanted)?;
        Ok(View::assemble(files, &self.segments, 0))
    }

    /// Says of some files where their documents are.
    fn place(&mut self, files: &mut [File], wanted: &Wanted) -> Result<(), Error> {
        let keys = wanted
            .iter()
            .filter_map(|file| files.get(file.0 as usize)?.key());
        let unknown: Vec<DocKey> = keys.filter(|key| !self.places.contains_key(key)).collect();
        self.find(unknown)?;
        for file in wanted {
            if let Some(file) = files.get_mut(file.0 as usize) {
                file.doc = file.key().and_then(|key| *self.places.get(&key)?);
            }
        }
        Ok(())
    }

    /// Where a document is among the segments from so many on.
    fn known(&self, key: &DocKey, from: usize) -> Option<DocAddress> {
        let mut known = self.segments.iter().zip(0u32..).skip(from);
        known.find_map(|(segment, ord)| {
            let doc = segment.find(key)?;
            Some(DocAddress {
                segment: SegmentOrd(ord),
                doc,
            })
        })
    }

    /// Finds documents in the index and in what is kept, and extracts those that are lacking.
    fn find(&mut self, keys: Vec<DocKey>) -> Result<(), Error> {
        let mut lacking: Vec<(DocKey, Arc<[u8]>)> = Vec::new();
        for key in keys {
            let mut stored = self.known(&key, 0);
            if stored.is_none() && self.made_from.is_none() {
                let begun = self.segments.len();
                let kept = self.engine.sketched.segments(self.engine.repo.kept());
                self.segments.extend(kept);
                self.made_from = Some(self.segments.len());
                stored = self.known(&key, begun);
            }
            if stored.is_none() {
                let bytes = self.content(key.blob)?;
                let found = lang::by_content(&bytes, key.grammar);
                if lang::is_built(found) {
                    lacking.push((key, bytes));
                }
            }
            self.places.insert(key, stored);
        }
        if lacking.is_empty() {
            return Ok(());
        }
        let records = self.extracted(&lacking);
        let keys: Vec<DocKey> = records.iter().map(|(key, _)| *key).collect();
        let bytes = segment::build(self.engine.repo.hash(), records)?;
        let made = Arc::new(Segment::open(bytes)?);
        let segment = SegmentOrd(self.segments.len() as u32);
        for key in keys {
            let place = made.find(&key).map(|doc| DocAddress { segment, doc });
            self.places.insert(key, place);
        }
        self.segments.push(made);
        Ok(())
    }

    /// Keeps what was extracted for the next question.
    pub fn keep(&self) {
        let made = self.made_from.and_then(|from| self.segments.get(from..));
        let (kept, hash) = (self.engine.repo.kept(), self.engine.repo.hash());
        self.engine
            .sketched
            .keep(kept, hash, made.unwrap_or_default());
    }

    /// Extracts documents, on all cores where there are enough; in the same order.
    fn extracted(&mut self, lacking: &[(DocKey, Arc<[u8]>)]) -> Vec<(DocKey, DocRecord)> {
        let extract = |extractor: &mut Extractor, (key, bytes): &(DocKey, Arc<[u8]>)| {
            (*key, extractor.extract(bytes, key.grammar))
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        if threads < 2 || lacking.len() < PARALLEL_FROM {
            let of_all = lacking.iter();
            return of_all
                .map(|one| extract(&mut self.extractor, one))
                .collect();
        }
        let next = AtomicUsize::new(0);
        let work = |extractor: &mut Extractor| {
            let mut done: Vec<(usize, (DocKey, DocRecord))> = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(one) = lacking.get(at) else {
                    return done;
                };
                done.push((at, extract(extractor, one)));
            }
        };
        let mut done = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads.min(lacking.len()))
                .map(|_| scope.spawn(|| work(&mut Extractor::new())))
                .collect();
            let mut done = work(&mut self.extractor);
            for other in others {
                done.extend(other.join().expect("extraction does not panic"));
            }
            done
        });
        done.sort_unstable_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, record)| record).collect()
    }

    /// What the names of a sketch mean, as far as its documents tell.
    pub fn graph(&mut self, view: &View) -> Graph {
        let mut read = |file: FileId| Some(self.content(view.file(file).blob).ok()?.to_vec());
        build::build(view, 1, &mut read).graph
    }

    /// Adds to some files those that their imports may lead to, over so many steps, as far as `admits` lets them in:
    /// more than the imports mean rather than less. Returns what their imports are resolved by; `None` when there were
    /// too many.
    pub fn gather(
        &mut self,
        files: &[File],
        wanted: &mut Wanted,
        steps: usize,
        admits: &mut dyn FnMut(&mut Self, &File) -> Result<bool, Error>,
    ) -> Result<Option<Loads>, Error> {
        let mut families: FxHashSet<Grammar> = FxHashSet::default();
        let mut read: FxHashSet<FileId> = FxHashSet::default();
        let mut loads = Loads::of(View::assemble(files.to_vec(), &self.segments, 0));
        for _ in 0..steps {
            let mut begun: Vec<FileId> = wanted.iter().copied().collect();
            begun.retain(|file| loads.followed.insert(*file));
            if begun.is_empty() {
                break;
            }
            let mut declared = wanted.clone();
            self.declaring(files, &begun, &mut families, &mut declared);
            if declared.len() > MAX_WANTED {
                return Ok(None);
            }
            declared.retain(|file| read.insert(*file));
            self.read_more(&mut loads, &declared)?;
            for from in begun {
                for to in loads.leads(from) {
                    let file = &files[to.0 as usize];
                    if !wanted.contains(&to) && file.key().is_some() && admits(self, file)? {
                        wanted.insert(to);
                    }
                }
            }
            if wanted.len() > MAX_WANTED {
                return Ok(None);
            }
        }
        Ok(Some(loads))
    }

    /// Reads more files of a sketch.
    fn read_more(&mut self, loads: &mut Loads, more: &Wanted) -> Result<(), Error> {
        let view = std::mem::replace(&mut loads.view, View::join(Vec::new(), &[], 0));
        let mut files = view.into_files();
        self.place(&mut files, more)?;
        let view = View::assemble(files, &self.segments, 0);
        let mut read = |file: FileId| Some(self.content(view.file(file).blob).ok()?.to_vec());
        loads.modules = Some(match loads.modules.take() {
            Some(modules) => {
                let more: Vec<FileId> = more.iter().copied().collect();
                modules.after(&view, &more, &mut read).0
            }
            None => Modules::of(&view, &mut read),
        });
        loads.view = view;
        Ok(())
    }

    /// Adds the files that say what the modules of some files are called, where a language has it from there.
    pub fn declaring(
        &self,
        files: &[File],
        of: &[FileId],
        families: &mut FxHashSet<Grammar>,
        wanted: &mut Wanted,
    ) {
        let family = |file: &File| {
            let own = lang::of(file.key()?.grammar);
            let language = lang::of(own.family);
            let is_code = language.genre == Genre::Code;
            (is_code && language.declares_modules).then_some(own.family)
        };
        families.extend(
            of.iter()
                .filter_map(|file| family(files.get(file.0 as usize)?)),
        );
        if families.is_empty() {
            return;
        }
        let all = (0u32..).map(FileId).zip(files);
        let same = all.filter(|(_, file)| family(file).is_some_and(|of| families.contains(&of)));
        wanted.extend(same.map(|(id, _)| id));
    }
}

impl Engine {
    /// The segments of the index as it was opened last.
    pub(in crate::query) fn stored(&self) -> Vec<Arc<Segment>> {
        let snapshot = self.state().snapshot.clone();
        let segments = snapshot.segments().iter();
        segments.map(|open| open.segment().clone()).collect()
    }
}

/// What the imports of the files of a sketch lead to.
pub(in crate::query) struct Loads {
    /// The sketch.
    pub view: View,
    /// `None` before any file was read.
    modules: Option<Modules>,
    /// Files of which all that their imports may lead to is known.
    followed: FxHashSet<FileId>,
}

/// An import that leads to files of the tree.
pub(in crate::query) struct Load {
    /// Its line, from 1.
    pub line: u32,
    /// What kind of import it is.
    pub kind: ImportKind,
    /// What is loaded.
    pub files: Vec<FileId>,
}

impl Loads {
    fn of(view: View) -> Self {
        Self {
            view,
            modules: None,
            followed: FxHashSet::default(),
        }
    }

    /// What a file imports of its tree, in its order, as the graph has it; `None` where the graph has to say which of
    /// several files are meant.
    pub fn of_file(&self, from: FileId) -> Option<Vec<Load>> {
        if !self.followed.contains(&from) {
            return None;
        }
        let (Some(doc), Some(modules)) = (self.view.file(from).doc, &self.modules) else {
            return Some(Vec::new());
        };
        let segment = &self.view.segment(doc.segment).segment;
        let naming = &lang::of(segment.doc(doc.doc).lang).naming;
        let mut found = Vec::new();
        for import in segment.imports(doc.doc) {
            if matches!(import.kind, ImportKind::Export | ImportKind::Package) {
                continue;
            }
            let site = Site::of(from, &import);
            let Resolution::Found(place) = modules.resolve(&self.view, site, &import.specifier)
            else {
                continue;
            };
            let names_modules = naming.imports_submodules
                && import
                    .bindings
                    .iter()
                    .any(|binding| binding.imported.is_some());
            if place.files.len() > 1 || names_modules {
                return None;
            }
            found.push(Load {
                line: import.line,
                kind: import.kind,
                files: place.files,
            });
        }
        Some(found)
    }

    /// The files that the imports of a file may lead to.
    fn leads(&self, from: FileId) -> Vec<FileId> {
        let (Some(doc), Some(modules)) = (self.view.file(from).doc, &self.modules) else {
            return Vec::new();
        };
        let view = &self.view;
        let segment = &view.segment(doc.segment).segment;
        let mut found = Vec::new();
        let mut name = Vec::new();
        for import in segment.imports(doc.doc) {
            let site = Site::of(from, &import);
            let Resolution::Found(place) = modules.resolve(view, site, &import.specifier) else {
                continue;
            };
            for binding in &import.bindings {
                if let Some(imported) = binding.imported {
                    name.clear();
                    segment.name(imported, &mut name);
                    let below = modules.below(view, &place, &name);
                    found.extend(below.into_iter().flat_map(|below| below.files));
                }
            }
            found.extend(place.files);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
