//! Uncommitted files laid over a view: changed and untracked files mask the paths of the tree,
//! deleted ones take them away.
//!
//! Guarantees: nothing is written to the object store, so uncommitted work can never travel; the
//! documents are kept in the work tree's own git directory, in one segment that may be deleted at
//! any time. A file whose content is already covered (a stash, another branch) is not extracted.

use super::comments::{Comments, KnownComments};
use super::files::{File, Reading, document_keys, mark_forgotten};
use super::live::View;
use crate::cache::Kept;
use crate::extract::Extractor;
use crate::extract::record::{DocKey, DocRecord};
use crate::git::Repo;
use crate::git::tree::{EntryMode, TreeEntry};
use crate::git::worktree::{Dirty, DirtyState, Status};
use crate::id::BlobId;
use crate::lang;
use crate::segment::{self, Segment};
use crate::store::{Ledger, parallel};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::Arc;

/// Name of what is kept of uncommitted files.
const FILE: &str = "overlay";

/// Where the documents of uncommitted files are kept between questions.
pub struct OverlayCache {
    kept: Kept,
}

impl OverlayCache {
    /// Names the cache among what is kept in the work tree's own git directory. Nothing is created yet.
    pub fn new(kept: &Kept) -> Self {
        Self { kept: kept.clone() }
    }

    fn load(&self, hash: gix::hash::Kind) -> Option<Segment> {
        let segment = Segment::open(self.kept.read(FILE)?).ok()?;
        (segment.hash_kind() == hash).then_some(segment)
    }

    /// Removes it: a document in it was not true.
    pub fn clear(&self) {
        self.kept.remove(FILE);
    }
}

/// Removes what is kept of the uncommitted files of all work trees, as far as `is_gone` says so of
/// their git directories (with `None` for the main one). Returns the number of bytes that are free
/// now.
fn remove_where(repo: &Repo, is_gone: impl Fn(Option<&Path>) -> bool) -> u64 {
    let common_dir = repo.common_dir();
    let mut freed = 0;
    let mut remove = |git_dir: &Path| {
        freed += repo.kept().in_git_dir(git_dir).remove_everywhere(FILE);
    };
    if is_gone(None) {
        remove(common_dir);
    }
    let linked = std::fs::read_dir(common_dir.join("worktrees"));
    for git_dir in linked.into_iter().flatten().flatten() {
        if is_gone(Some(&git_dir.path())) {
            remove(&git_dir.path());
        }
    }
    freed
}

/// Removes what is kept of the uncommitted files of all work trees; it is extracted again.
pub fn remove_all(repo: &Repo) -> u64 {
    remove_where(repo, |_| true)
}

/// Removes what is kept of work trees whose folders are gone and which git has not pruned yet.
pub fn remove_leftovers(repo: &Repo) -> u64 {
    remove_where(repo, |git_dir| {
        let Some(git_dir) = git_dir else {
            return false;
        };
        // A locked one may be on a disk that is not attached at the moment.
        let place = std::fs::read_to_string(git_dir.join("gitdir"));
        !git_dir.join("locked").exists()
            && place.is_ok_and(|place| !git_dir.join(place.trim_end()).exists())
    })
}

/// Lays the uncommitted files of `status` over a view of `HEAD`. Fails when the documents of the
/// uncommitted files cannot be put into a segment.
pub fn lay_over(
    base: &View,
    status: &Status,
    hash: gix::hash::Kind,
    cache: &OverlayCache,
    ledger: &Ledger,
) -> Result<View, segment::Error> {
    lay((base, &[]), status, hash, Purpose::Kept(cache), ledger)
}

/// Lays what differs from a tree over its view, without keeping anything: another work tree, or a merge that
/// nobody has made. Documents are taken from the segments of the other views too. Fails as [`lay_over`] does.
pub fn lay_aside(
    base: &View,
    others: &[&View],
    status: &Status,
    hash: gix::hash::Kind,
    ledger: &Ledger,
) -> Result<View, segment::Error> {
    lay((base, others), status, hash, Purpose::Aside, ledger)
}

/// As [`lay_aside`], for a state whose definitions are compared with those of another, and which is not searched: what
/// its files were extracted to has neither chunks nor terms. Fails as [`lay_over`] does.
pub fn lay_to_compare(
    base: &View,
    others: &[&View],
    status: &Status,
    hash: gix::hash::Kind,
    ledger: &Ledger,
) -> Result<View, segment::Error> {
    lay((base, others), status, hash, Purpose::Compared, ledger)
}

/// As [`lay_aside`], of the documents that the base has and no others, whatever its segments hold: what a first answer
/// is made from while the rest of the index is made. Fails as [`lay_over`] does.
pub fn lay_on_few(
    base: &View,
    status: &Status,
    hash: gix::hash::Kind,
    ledger: &Ledger,
) -> Result<View, segment::Error> {
    lay((base, &[]), status, hash, Purpose::Few, ledger)
}

/// What a view is made for.
#[derive(Clone, Copy)]
enum Purpose<'c> {
    /// To be asked again, its documents being kept.
    Kept(&'c OverlayCache),
    /// To be asked.
    Aside,
    /// To be asked of few documents.
    Few,
    /// To have its definitions compared.
    Compared,
}

impl Purpose<'_> {
    fn extractor(self) -> Extractor {
        match self {
            Self::Kept(_) | Self::Aside | Self::Few => Extractor::new(),
            Self::Compared => Extractor::of_unsearched(),
        }
    }
}

fn lay(
    (base, others): (&View, &[&View]),
    status: &Status,
    hash: gix::hash::Kind,
    purpose: Purpose<'_>,
    ledger: &Ledger,
) -> Result<View, segment::Error> {
    let mut contents: FxHashMap<BlobId, Arc<Vec<u8>>> = FxHashMap::default();
    let dirty = status.dirty.len();
    let mut changed: Vec<File> = status
        .dirty
        .iter()
        .filter_map(|dirty| file_of(dirty, hash))
        .collect();
    mark_forgotten(&mut changed, ledger);
    let masked: Vec<_> = status.dirty.iter().map(|d| d.path.clone()).collect();
    for item in &status.dirty {
        if let DirtyState::Content { id, bytes } = &item.state {
            contents.insert(*id, bytes.clone());
        }
    }
    let mut comments = KnownComments::default();
    let mut segments: Vec<Arc<Segment>> = Vec::new();
    for live in std::iter::once(&base)
        .chain(others)
        .flat_map(|view| view.segments())
    {
        if !segments
            .iter()
            .any(|known| Arc::ptr_eq(known, &live.segment))
        {
            segments.push(live.segment.clone());
        }
    }
    let missing: Vec<DocKey> = document_keys(&changed)
        .into_iter()
        .filter(|key| !segments.iter().any(|s| s.find(key).is_some()))
        .collect();
    if !missing.is_empty() {
        let documents = documents_of(&missing, &contents, hash, purpose, &mut comments)?;
        segments.push(Arc::new(documents));
    }
    let mut files: Vec<File> = base
        .files()
        .iter()
        .filter(|file| masked.binary_search(&file.path).is_err())
        .cloned()
        .collect();
    let is_few = matches!(purpose, Purpose::Few);
    files.extend(match is_few {
        true => View::join(changed, &segments, 0).into_files(),
        false => changed,
    });
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let view = match is_few {
        true => View::assemble(files, &segments, dirty),
        false => View::join(files, &segments, dirty),
    };
    Ok(view.with_contents(contents, comments))
}

fn file_of(dirty: &Dirty, hash: gix::hash::Kind) -> Option<File> {
    let entry = |id| TreeEntry {
        path: dirty.path.clone(),
        mode: EntryMode::File,
        id,
    };
    match &dirty.state {
        DirtyState::Content { id, .. } => Some(File::new(entry(*id), true)),
        DirtyState::TooLarge { .. } => {
            let mut file = File::new(entry(BlobId::new(hash.null())), true);
            file.reading = Reading::TooLarge;
            Some(file)
        }
        DirtyState::Deleted => None,
    }
}

/// The segment of the documents in `missing`: the kept one if it has them all, else a new one.
fn documents_of(
    missing: &[DocKey],
    contents: &FxHashMap<BlobId, Arc<Vec<u8>>>,
    hash: gix::hash::Kind,
    purpose: Purpose<'_>,
    comments: &mut KnownComments,
) -> Result<Segment, segment::Error> {
    let cache = match purpose {
        Purpose::Kept(cache) => Some(cache),
        Purpose::Aside | Purpose::Few | Purpose::Compared => None,
    };
    let kept = cache.and_then(|cache| cache.load(hash));
    let mut records: Vec<(DocKey, DocRecord)> = Vec::with_capacity(missing.len());
    if let Some(kept) = kept {
        if missing.iter().all(|key| kept.find(key).is_some()) {
            return Ok(kept);
        }
        let kept = kept
            .to_records()?
            .into_iter()
            .map(|(key, record)| (key.doc, record));
        records.extend(kept.filter(|(key, _)| missing.contains(key)));
    }
    let left: Vec<DocKey> = missing
        .iter()
        .filter(|key| !records.iter().any(|(have, _)| have == *key))
        .copied()
        .collect();
    for (key, record, found) in extract_all(&left, contents, purpose) {
        comments.extend(found.map(|found| ((key.blob, record.lang), found)));
        records.push((key, record));
    }
    let bytes = segment::build(hash, records)?;
    // Best effort: without the file the next process extracts again.
    if let Some(cache) = cache {
        let _ = cache.kept.write(FILE, &bytes);
    }
    Segment::open(bytes)
}

/// Bytes from which on threads are used: one costs more than to extract a few files does.
const PARALLEL_FROM: usize = 24 << 10;

fn extract_all(
    keys: &[DocKey],
    contents: &FxHashMap<BlobId, Arc<Vec<u8>>>,
    purpose: Purpose<'_>,
) -> Vec<(DocKey, DocRecord, Option<Comments>)> {
    let extract = |extractor: &mut Extractor, key: &DocKey| {
        let bytes = contents.get(&key.blob)?;
        let lang = lang::by_content(bytes, key.grammar);
        lang::is_built(lang).then(|| {
            let (record, comments) = extractor.extract_with_comments(bytes, key.grammar);
            (*key, record, comments.map(Comments::from))
        })
    };
    let sizes = keys.iter().filter_map(|key| contents.get(&key.blob));
    let bytes: usize = sizes.map(|content| content.len()).sum();
    let threads = match keys.len() > 1 && bytes >= PARALLEL_FROM {
        true => parallel::cores(),
        false => 1,
    };
    let all = parallel::map(keys, threads, || purpose.extractor(), extract);
    all.into_iter().flatten().collect()
}
