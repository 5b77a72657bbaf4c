//! One file of the work tree beside what was committed at its path.

use super::compared::Compared;
use super::index::Index;
use super::{Dirty, DirtyState, Status};
use crate::git::Repo;
use crate::git::error::Error;
use crate::git::keys;
use crate::git::path::RepoPath;
use crate::git::write::blob_id;
use crate::id::BlobId;
use crate::limits::{MAX_DIRTY_BYTES, MAX_DIRTY_FILES, MAX_PARSED_BYTES};
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::Entry;
use gix::index::entry::{Flags, Mode, Stage, Stat};
use gix::objs::{Find, FindHeader};
use rustc_hash::FxHashMap;
use std::fs::Metadata;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What became of an entry of the git index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Its path is a file in the work tree, which was compared.
    File,
    /// A sparse checkout leaves it out.
    LeftOut,
    /// There is no file at its path.
    Gone,
}

/// What stands at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Seen {
    /// A file; its stat information, unless that cannot be told.
    File(Option<Stat>),
    /// Something else, or nothing.
    Other,
}

/// Whether an entry is one whose stat information says something of its content: neither a side of a conflict, nor a
/// link, nor what is only meant to be added.
fn is_ordinary(entry: &Entry) -> bool {
    let is_link = entry.mode == Mode::SYMLINK && !entry.flags.contains(Flags::ASSUME_VALID);
    entry.stage() == Stage::Unconflicted && !is_link && !entry.flags.contains(Flags::INTENT_TO_ADD)
}

/// The files of a work tree beside what was committed; collects the differences.
pub(super) struct Comparison<'a> {
    top: &'a Path,
    hash: gix::hash::Kind,
    repo: &'a gix::Repository,
    stat: gix::index::entry::stat::Options,
    symlinks: bool,
    filter: gix::filter::plumbing::Pipeline,
    attributes: Option<gix::worktree::Stack>,
    compared: Compared,
    /// A path that is made again and again.
    full: PathBuf,
    /// By folder, whether it and all around it are folders and no links, where somebody has looked.
    real: FxHashMap<BString, bool>,
    dirty: Vec<Dirty>,
    bytes: usize,
    truncated: bool,
}

impl<'a> Comparison<'a> {
    /// Reads the configuration that decides how files and blobs compare. Fails without a work tree, or when that
    /// cannot be read.
    pub(super) fn new(
        repo: &'a Repo,
        local: &'a gix::Repository,
        compared: Compared,
    ) -> Result<Self, Error> {
        let top = repo
            .work_dir()
            .ok_or_else(|| Error::Bare(repo.git_dir().into()))?;
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
            compared,
            full: PathBuf::new(),
            real: FxHashMap::default(),
            dirty: Vec::new(),
            bytes: 0,
            truncated: false,
        })
    }

    /// Whether an entry of the git index stands for a file, and not for a directory or another repository.
    pub(super) fn has_file(entry: &Entry) -> bool {
        !entry.mode.is_sparse() && entry.mode != Mode::COMMIT
    }

    /// Compares the file of an entry with what was committed at its path, and lists it where they differ. `seen` is
    /// what stands at its path, where somebody has looked.
    pub(super) fn entry(
        &mut self,
        index: &Index,
        entry: &Entry,
        committed: Option<BlobId>,
        seen: Option<&Seen>,
    ) -> Fate {
        let path = entry.path(index);
        let staged = BlobId::new(entry.id);
        if entry.flags.contains(Flags::SKIP_WORKTREE) {
            if committed != Some(staged) && entry.stage() == Stage::Unconflicted {
                self.staged(path, staged);
            }
            return Fate::LeftOut;
        }
        let looked;
        let seen = match seen {
            Some(seen) => seen,
            None => {
                looked = self.look(path);
                &looked
            }
        };
        // A link may be checked out as a text file where the file system knows no links.
        let Seen::File(stat) = seen else {
            return Fate::Gone;
        };
        if entry.mode == Mode::SYMLINK && !self.symlinks {
            return Fate::Gone;
        }
        if committed == Some(staged) && is_ordinary(entry) {
            let Some(stat) = stat else {
                return self.read(index, path, committed);
            };
            if self.is_unchanged(index, entry, stat) || self.compared.holds(path, stat) {
                return Fate::File;
            }
            let differing = self.dirty.len();
            let fate = self.read(index, path, committed);
            if fate == Fate::File && self.dirty.len() == differing && !self.truncated {
                self.compared.learn(path, stat);
            }
            return fate;
        }
        self.read(index, path, committed)
    }

    /// What stands at a path.
    fn look(&mut self, path: &BStr) -> Seen {
        if !self.is_in_real_folder(path) {
            return Seen::Other;
        }
        match self.metadata(path) {
            Some(meta) if meta.is_file() => Seen::File(Stat::from_fs(&meta).ok()),
            _ => Seen::Other,
        }
    }

    /// Whether no folder on the way to a path is a link: a file behind one is none of this work tree, whatever its stat
    /// information says. Each folder is looked at once.
    fn is_in_real_folder(&mut self, path: &BStr) -> bool {
        let slashes = path.rfind_iter(b"/").map(|at| path[..at].as_bstr());
        let mut unknown = Vec::new();
        let mut is_real = true;
        for folder in slashes {
            if let Some(known) = self.real.get(folder) {
                is_real = *known;
                break;
            }
            unknown.push(folder);
        }
        for folder in unknown.into_iter().rev() {
            is_real = is_real && self.metadata(folder).is_some_and(|meta| meta.is_dir());
            self.real.insert(folder.to_owned(), is_real);
        }
        is_real
    }

    fn metadata(&mut self, path: &BStr) -> Option<gix::index::fs::Metadata> {
        let relative = gix::path::from_bstr(path).ok()?;
        self.full.clear();
        self.full.push(self.top);
        self.full.push(relative);
        gix::index::fs::Metadata::from_path_no_follow(&self.full).ok()
    }

    fn read(&mut self, index: &Index, path: &BStr, committed: Option<BlobId>) -> Fate {
        match self.file(index, path, committed) {
            true => Fate::File,
            false => Fate::Gone,
        }
    }

    /// Lists a path as deleted.
    pub(super) fn deleted(&mut self, path: RepoPath) {
        self.dirty.push(Dirty {
            path,
            state: DirtyState::Deleted,
        });
    }

    /// Lists what was found before, and is to stay.
    pub(super) fn keep(&mut self, found: impl Iterator<Item = Dirty>) {
        found.for_each(|dirty| self.push(dirty));
    }

    /// Returns what was listed, in order.
    pub(super) fn finish(self) -> Status {
        let Self {
            mut dirty,
            truncated,
            compared,
            ..
        } = self;
        compared.save();
        dirty.sort_by(|a, b| a.path.cmp(&b.path));
        dirty.dedup_by(|b, a| a.path == b.path);
        Status { dirty, truncated }
    }

    /// Whether the file is what was staged, judged by its stat information alone.
    fn is_unchanged(&self, index: &Index, entry: &Entry, stat: &Stat) -> bool {
        entry.flags.contains(Flags::ASSUME_VALID)
            || entry.stat.matches(stat, self.stat)
                && !entry.stat.is_racy(index.timestamp(), self.stat)
    }

    /// Reads a file of the work tree and lists it unless its content is `committed`; false when
    /// there is no such file in this work tree.
    pub(super) fn file(&mut self, index: &Index, path: &BStr, committed: Option<BlobId>) -> bool {
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
                state: DirtyState::Content {
                    id,
                    bytes: Arc::new(bytes),
                },
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
    fn content(&mut self, index: &Index, path: &BStr, full: &Path) -> Option<DirtyState> {
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
        Some(DirtyState::Content {
            id,
            bytes: Arc::new(bytes),
        })
    }

    /// Applies what is built into git to get from a file to a blob.
    ///
    /// When that fails (an encoding that does not fit the content), the file is taken as it is.
    fn normalise(&mut self, index: &Index, path: &BStr, raw: Vec<u8>) -> Vec<u8> {
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
