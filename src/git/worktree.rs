//! Which files of the work tree differ from the tree of `HEAD`.
//!
//! The question is git's own (`git status`), with one difference: filters that the configuration
//! names are programs, and none is ever run. Line endings, `ident` and encodings, which are built
//! into git, are normalised. So a file kept by a filter (Git LFS) counts as changed once its stat
//! information no longer matches the git index.
//!
//! Guarantees: nothing is written, neither objects nor the git index, and no lock is taken; no
//! file outside the work tree is read, whatever is a symbolic link; what is held in memory is
//! bounded. Symbolic links, submodules, nested repositories and ignored files are left out, and a
//! file that a sparse checkout leaves out counts as unchanged.

use super::error::Error;
use super::keys;
use super::path::RepoPath;
use super::repo::Repo;
use super::tree::TreeEntry;
use super::write::blob_id;
use crate::id::BlobId;
use crate::limits::{MAX_DIRTY_BYTES, MAX_DIRTY_FILES, MAX_PARSED_BYTES};
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stage, Stat};
use gix::objs::{Find, FindHeader};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fs::Metadata;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A path at which the work tree differs from `HEAD`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dirty {
    /// Where.
    pub path: RepoPath,
    /// What is there now.
    pub state: DirtyState,
}

/// What the work tree has where `HEAD` has something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DirtyState {
    /// A file.
    Content {
        /// The id its content would have as a blob; such an object need not exist.
        id: BlobId,
        /// The content as git would store it.
        bytes: Vec<u8>,
    },
    /// A file that is too large to be looked at.
    TooLarge {
        /// Its size in bytes.
        size: u64,
    },
    /// Nothing, or nothing that is a file.
    Deleted,
}

/// Everything that is not committed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Status {
    /// The differing paths, ordered by their bytes.
    pub dirty: Vec<Dirty>,
    /// Set when there were more than the limits allow, and the list is cut off.
    pub truncated: bool,
}

/// Reads the file at `path` of the work tree if it is, byte for byte, the blob `id`.
///
/// For a file that was not edited this is several times cheaper than inflating the blob through
/// its chain of deltas. `None` in every other case, among them line endings that were converted.
pub fn read_unchanged(repo: &Repo, path: &RepoPath, id: BlobId) -> Option<Vec<u8>> {
    let place = path.under(repo.work_dir()?)?;
    let found = std::fs::symlink_metadata(&place).ok()?;
    if !found.is_file() || found.len() > MAX_PARSED_BYTES as u64 {
        return None;
    }
    let bytes = std::fs::read(&place).ok()?;
    (blob_id(repo.hash(), &bytes).ok()? == id).then_some(bytes)
}

/// Compares the work tree with the listing of `HEAD`'s tree (empty when there is no commit).
///
/// # Errors
/// [`Error::Bare`] without a work tree, [`Error::Index`] when the git index cannot be read.
/// A single file that cannot be read counts as deleted.
pub fn status(repo: &Repo, head: &[TreeEntry]) -> Result<Status, Error> {
    let top = repo
        .work_dir()
        .ok_or_else(|| Error::Bare(repo.git_dir().into()))?;
    let local = repo.local();
    let index = open_index(&local)?;
    let mut scan = Scan::new(repo, &local, top)?;

    let head_files: FxHashMap<&BStr, &TreeEntry> = head
        .iter()
        .map(|entry| (entry.path.as_bstr(), entry))
        .collect();
    // Both wait for the file system, so they wait together.
    let (tracked, untracked) = std::thread::scope(|scope| {
        let walk = scope.spawn(|| untracked(&repo.local(), &index));
        let tracked = scan.tracked(&index, &head_files);
        (tracked, walk.join().expect("the walk does not panic"))
    });
    let (tracked, mut untracked) = (tracked?, untracked?);
    untracked.retain(|path| {
        scan.file(
            &index,
            path.as_bstr(),
            head_files.get(path.as_bstr()).map(|entry| entry.id),
        )
    });
    let mut present: FxHashSet<&BStr> = untracked.iter().map(|path| path.as_bstr()).collect();
    let kept = index
        .entries()
        .iter()
        .zip(&tracked.fate)
        .filter(|(_, fate)| **fate != Fate::Gone);
    present.extend(kept.map(|(entry, _)| entry.path(&index)));
    for entry in head {
        let path = entry.path.as_bstr();
        if entry.mode.is_file() && !present.contains(path) && !in_sparse_dir(path, &tracked.sparse)
        {
            scan.dirty.push(Dirty {
                path: entry.path.clone(),
                state: DirtyState::Deleted,
            });
        }
    }
    let Scan {
        mut dirty,
        truncated,
        ..
    } = scan;
    dirty.sort_by(|a, b| a.path.cmp(&b.path));
    dirty.dedup_by(|b, a| a.path == b.path);
    Ok(Status { dirty, truncated })
}

fn open_index(repo: &gix::Repository) -> Result<gix::index::File, Error> {
    let path = repo.index_path();
    if !path.exists() {
        let state = gix::index::State::new(repo.object_hash());
        return Ok(gix::index::File::from_state(state, path));
    }
    repo.open_index().map_err(|err| Error::Index {
        path,
        reason: err.to_string(),
    })
}

/// What the entries of the git index said.
struct Tracked {
    /// For each entry, what became of it.
    fate: Vec<Fate>,
    /// Directories that a sparse index holds as one entry; everything below is unchanged.
    sparse: Vec<BString>,
}

/// What became of an entry of the git index.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Its path is a file in the work tree, which was compared.
    File,
    /// A sparse checkout leaves it out.
    LeftOut,
    /// There is no file at its path.
    Gone,
}

struct Scan<'a> {
    top: &'a Path,
    hash: gix::hash::Kind,
    repo: &'a gix::Repository,
    stat: gix::index::entry::stat::Options,
    symlinks: bool,
    filter: gix::filter::plumbing::Pipeline,
    attributes: Option<gix::worktree::Stack>,
    dirty: Vec<Dirty>,
    bytes: usize,
    truncated: bool,
}

impl<'a> Scan<'a> {
    fn new(repo: &Repo, local: &'a gix::Repository, top: &'a Path) -> Result<Self, Error> {
        let unsupported = |step| {
            move |err: gix::Error| Error::Unsupported {
                step,
                reason: err.to_string(),
            }
        };
        let mut options = gix::filter::Pipeline::options(local)
            .map_err(unsupported("reading the configuration of line endings"))?;
        options.drivers = Vec::new();
        options.crlf_roundtrip_check = gix::filter::plumbing::pipeline::CrlfRoundTripCheck::Skip;
        Ok(Self {
            top,
            hash: repo.hash(),
            repo: local,
            stat: local
                .stat_options()
                .map_err(unsupported("reading the configuration of stat checks"))?,
            symlinks: local
                .config_snapshot()
                .boolean(keys::SYMLINKS.name())
                .unwrap_or(true),
            filter: gix::filter::plumbing::Pipeline::new(Default::default(), repo.hash(), options),
            attributes: None,
            dirty: Vec::new(),
            bytes: 0,
            truncated: false,
        })
    }

    /// Goes through the git index and decides what it can.
    fn tracked(
        &mut self,
        index: &gix::index::File,
        head: &FxHashMap<&BStr, &TreeEntry>,
    ) -> Result<Tracked, Error> {
        let entries = index.entries();
        let mut out = Tracked {
            fate: vec![Fate::Gone; entries.len()],
            sparse: Vec::new(),
        };
        let mut full = PathBuf::new();
        let mut previous = None;
        for (entry, fate) in entries.iter().zip(&mut out.fate) {
            let path = entry.path(index);
            if entry.mode.is_sparse() {
                out.sparse.push(path.to_owned());
                continue;
            }
            // A conflicted path has up to three entries; its file is compared once.
            if entry.mode == Mode::COMMIT || previous == Some(path) {
                continue;
            }
            previous = Some(path);
            let committed = head.get(path).map(|entry| entry.id);
            let staged = BlobId::new(entry.id);
            if entry.flags.contains(Flags::SKIP_WORKTREE) {
                *fate = Fate::LeftOut;
                if committed != Some(staged) && entry.stage() == Stage::Unconflicted {
                    self.staged(path, staged);
                }
                continue;
            }
            let Ok(relative) = gix::path::from_bstr(path) else {
                continue;
            };
            full.clear();
            full.push(self.top);
            full.push(relative);
            let Ok(meta) = gix::index::fs::Metadata::from_path_no_follow(&full) else {
                continue;
            };
            // A link may be checked out as a text file where the file system knows no links.
            if !meta.is_file() || (entry.mode == Mode::SYMLINK && !self.symlinks) {
                continue;
            }
            let clean = committed == Some(staged) && self.is_unchanged(index, entry, &meta);
            if clean || self.file(index, path, committed) {
                *fate = Fate::File;
            }
        }
        Ok(out)
    }

    /// Whether the file is what was staged, judged by its stat information alone.
    fn is_unchanged(
        &self,
        index: &gix::index::File,
        entry: &gix::index::Entry,
        meta: &gix::index::fs::Metadata,
    ) -> bool {
        if entry.stage() != Stage::Unconflicted || entry.flags.contains(Flags::INTENT_TO_ADD) {
            return false;
        }
        if entry.flags.contains(Flags::ASSUME_VALID) {
            return true;
        }
        let is_link = entry.mode == Mode::SYMLINK;
        let Ok(stat) = Stat::from_fs(meta) else {
            return false;
        };
        !is_link
            && entry.stat.matches(&stat, self.stat)
            && !entry.stat.is_racy(index.timestamp(), self.stat)
    }

    /// Reads a file of the work tree and lists it unless its content is `committed`; false when
    /// there is no such file in this work tree.
    fn file(&mut self, index: &gix::index::State, path: &BStr, committed: Option<BlobId>) -> bool {
        let Ok(repo_path) = RepoPath::new(path) else {
            return false;
        };
        let Some(full) = repo_path.under(self.top) else {
            return false;
        };
        if self.is_behind_symlink(&full) {
            return false;
        }
        let Some(state) = self.content(index, path, &full) else {
            return false;
        };
        let same = match &state {
            DirtyState::Content { id, .. } => committed == Some(*id),
            DirtyState::TooLarge { size } => self.is_large_blob(&full, *size, committed),
            DirtyState::Deleted => false,
        };
        if !same {
            self.push(Dirty {
                path: repo_path,
                state,
            });
        }
        true
    }

    /// Whether a file too large to be looked at is nevertheless known to be what was committed.
    fn is_large_blob(&self, full: &Path, size: u64, committed: Option<BlobId>) -> bool {
        /// Largest file that is read for nothing but a comparison.
        const MAX_COMPARED_BYTES: u64 = 64 << 20;
        let Some(committed) = committed.filter(|_| size <= MAX_COMPARED_BYTES) else {
            return false;
        };
        let header = self.repo.objects.try_header(&committed.as_object());
        // A size that differs settles it without reading.
        matches!(header, Ok(Some(header)) if header.size == size)
            && std::fs::read(full)
                .ok()
                .and_then(|bytes| blob_id(committed.as_object().kind(), &bytes).ok())
                == Some(committed)
    }

    /// Lists a staged blob whose file a sparse checkout leaves out.
    fn staged(&mut self, path: &BStr, id: BlobId) {
        let Ok(path) = RepoPath::new(path) else {
            return;
        };
        let mut bytes = Vec::new();
        if let Ok(Some(object)) = self.repo.objects.try_find(&id.as_object(), &mut bytes)
            && object.kind.is_blob()
        {
            self.push(Dirty {
                path,
                state: DirtyState::Content { id, bytes },
            });
        }
    }

    fn push(&mut self, dirty: Dirty) {
        if self.dirty.len() >= MAX_DIRTY_FILES {
            self.truncated = true;
            return;
        }
        if let DirtyState::Content { bytes, .. } = &dirty.state {
            self.bytes += bytes.len();
        }
        self.dirty.push(dirty);
    }

    /// Returns what a file holds, in the form git would store; `None` when it cannot be read.
    fn content(
        &mut self,
        index: &gix::index::State,
        path: &BStr,
        full: &Path,
    ) -> Option<DirtyState> {
        let meta = full.symlink_metadata().ok().filter(Metadata::is_file)?;
        let size = meta.len();
        if size > MAX_PARSED_BYTES as u64 || self.bytes >= MAX_DIRTY_BYTES {
            return Some(DirtyState::TooLarge { size });
        }
        let mut raw = Vec::with_capacity(size as usize);
        // The file may grow while it is read.
        let limit = MAX_PARSED_BYTES as u64 + 1;
        std::fs::File::open(full)
            .ok()?
            .take(limit)
            .read_to_end(&mut raw)
            .ok()?;
        if raw.len() > MAX_PARSED_BYTES {
            return Some(DirtyState::TooLarge {
                size: raw.len() as u64,
            });
        }
        let bytes = self.normalise(index, path, raw);
        let id = blob_id(self.hash, &bytes).ok()?;
        Some(DirtyState::Content { id, bytes })
    }

    /// Applies what is built into git to get from a file to a blob.
    ///
    /// When that fails (an encoding that does not fit the content), the file is taken as it is.
    fn normalise(&mut self, index: &gix::index::State, path: &BStr, raw: Vec<u8>) -> Vec<u8> {
        if self.attributes.is_none() {
            use gix::worktree::stack::state::attributes::Source;
            self.attributes = self
                .repo
                .attributes_only(index, Source::WorktreeThenIdMapping)
                .ok()
                .map(|stack| stack.detach());
        }
        let Some(stack) = &mut self.attributes else {
            return raw;
        };
        let objects = &self.repo.objects;
        let Ok(platform) = stack.at_entry(path, None, objects) else {
            return raw;
        };
        let Ok(relative) = gix::path::from_bstr(path) else {
            return raw;
        };
        let converted = self.filter.convert_to_git(
            &raw[..],
            &relative,
            &mut |_, out| {
                platform.matching_attributes(out);
            },
            &mut |buf| {
                let Some(entry) = index.entry_by_path(path) else {
                    return Ok(None);
                };
                let found = objects.try_find(&entry.id, buf)?;
                Ok(found.filter(|object| object.kind.is_blob()).map(|_| ()))
            },
        );
        let mut out = Vec::with_capacity(raw.len());
        match converted.map(|mut stream| stream.read_to_end(&mut out)) {
            Ok(Ok(_)) => out,
            _ => raw,
        }
    }

    /// Whether a directory on the way to the file is a symbolic link, so that the file is not
    /// part of this work tree even though it can be opened.
    fn is_behind_symlink(&self, full: &Path) -> bool {
        full.ancestors()
            .skip(1)
            .take_while(|dir| *dir != self.top)
            .any(|dir| dir.symlink_metadata().map_or(true, |meta| !meta.is_dir()))
    }
}

/// Lists the files that are neither tracked nor ignored.
fn untracked(repo: &gix::Repository, index: &gix::index::File) -> Result<Vec<BString>, Error> {
    let failed = |err: gix::Error| Error::Unsupported {
        step: "walking the work tree",
        reason: err.to_string(),
    };
    let options = repo
        .dirwalk_options()
        .map_err(failed)?
        .emit_untracked(gix::dir::walk::EmissionMode::Matching);
    let mut found = Found::default();
    let never = AtomicBool::new(false);
    repo.dirwalk(index, None::<&BStr>, &never, options, &mut found)
        .map_err(failed)?;
    found.paths.sort();
    Ok(found.paths)
}

/// Collects the untracked files of a directory walk.
#[derive(Default)]
struct Found {
    paths: Vec<BString>,
}

impl gix::dir::walk::Delegate for Found {
    fn emit(
        &mut self,
        entry: gix::dir::EntryRef<'_>,
        _collapsed: Option<gix::dir::entry::Status>,
    ) -> gix::dir::walk::Action {
        use gix::dir::entry::{Kind, Status};
        if entry.status == Status::Untracked && entry.disk_kind == Some(Kind::File) {
            self.paths.push(entry.rela_path.into_owned());
        }
        // One more than the limit, so that the caller notices.
        if self.paths.len() > MAX_DIRTY_FILES {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    }
}

fn in_sparse_dir(path: &BStr, sparse: &[BString]) -> bool {
    // The entries of a sparse index are sorted and end in a slash.
    let at = sparse.partition_point(|dir| dir.as_bstr() <= path);
    at > 0 && path.starts_with_str(&sparse[at - 1])
}
