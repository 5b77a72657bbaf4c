//! Files that are neither tracked nor ignored.

use super::index::Index;
use super::look::Listener;
use crate::git::error::Error;
use crate::limits::MAX_DIRTY_FILES;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::dir::entry::{Kind, Property, Status};
use gix::dir::walk::{Action, Delegate, EmissionMode, ForDeletionMode};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Lists those in the whole work tree, sorted, and at most one more than are looked at.
pub(super) fn all(
    repo: &gix::Repository,
    index: &Index,
    listener: &mut dyn Listener,
) -> Result<Vec<BString>, Error> {
    walk(repo, index, Where::Everywhere, listener)
}

/// Lists those that are one of `places` or lie below one of them.
pub(super) fn within<'a>(
    repo: &gix::Repository,
    index: &Index,
    places: impl Iterator<Item = &'a BString>,
    listener: &mut dyn Listener,
) -> Result<Vec<BString>, Error> {
    let spelt = |place: &BString| [b":(top,literal)", place.as_slice()].concat().into();
    let patterns: Vec<BString> = places.map(spelt).collect();
    match patterns.is_empty() {
        true => Ok(Vec::new()),
        false => walk(repo, index, Where::Matching(&patterns), listener),
    }
}

/// Lists those that [`all`] does where `strange` is all that stands beside what is tracked, each with whether it is a
/// directory.
pub(super) fn among(
    repo: &gix::Repository,
    index: &Index,
    strange: Vec<(BString, bool)>,
    listener: &mut dyn Listener,
) -> Result<Vec<BString>, Error> {
    let mut files = Vec::new();
    let mut above = FxHashSet::default();
    if !strange.is_empty() {
        let source = gix::worktree::stack::state::ignore::Source::WorktreeThenIdMappingIfNotSkipped;
        let rules = repo.excludes(index, None, source);
        let mut rules = rules.map_err(|err| Error::Unsupported {
            step: "reading what is ignored",
            reason: err.to_string(),
        })?;
        for (path, is_dir) in strange {
            let mode = match is_dir {
                true => gix::index::entry::Mode::DIR,
                false => gix::index::entry::Mode::FILE,
            };
            match rules.at_entry(path.as_bstr(), Some(mode)) {
                Ok(found) if found.is_excluded() => {}
                Ok(_) if is_dir => note_above(path.as_ref(), &mut above),
                Ok(_) => files.push(path),
                // Some directory is gone or cannot be read, for which the walk has means.
                Err(_) => return all(repo, index, listener),
            }
        }
    }
    if !above.is_empty() {
        files.extend(walk(repo, index, Where::Below(&above), listener)?);
    }
    // A walk lists files that stand on its way, too.
    files.sort();
    files.dedup();
    files.truncate(MAX_DIRTY_FILES + 1);
    Ok(files)
}

/// Notes all directories on the way to a path.
fn note_above(path: &BStr, above: &mut FxHashSet<BString>) {
    let mut rest = path;
    while let Some(slash) = rest.rfind_byte(b'/') {
        rest = rest[..slash].as_bstr();
        if !above.insert(rest.to_owned()) {
            return;
        }
    }
    above.insert(BString::default());
}

/// What is walked.
#[derive(Clone, Copy)]
enum Where<'a> {
    Everywhere,
    /// What these patterns match.
    Matching(&'a [BString]),
    /// Of what is tracked these directories alone, and whatever stands in one and is not. No patterns: each path would
    /// be compared with all of them, and the environment may say that they are read in another way.
    Below(&'a FxHashSet<BString>),
}

fn walk(
    repo: &gix::Repository,
    index: &Index,
    place: Where<'_>,
    listener: &mut dyn Listener,
) -> Result<Vec<BString>, Error> {
    let patterns = match place {
        Where::Matching(patterns) => patterns,
        Where::Everywhere | Where::Below(_) => &[],
    };
    let failed = |err: gix::Error| Error::Unsupported {
        step: "walking the work tree",
        reason: err.to_string(),
    };
    let options = repo
        .dirwalk_options()
        .map_err(failed)?
        .emit_untracked(EmissionMode::Matching);
    let top = repo.workdir().unwrap_or(Path::new(""));
    let mut found = Found {
        paths: Vec::new(),
        place,
        listener,
        only_readable: None,
    };
    let never = AtomicBool::new(false);
    let walk = |found: &mut Found<'_>| {
        found.paths.clear();
        repo.dirwalk(index, patterns, &never, options, found)
            .map(drop)
    };
    let mut walked = walk(&mut found);
    // One directory that cannot be read, or is gone before it was, ends the whole walk.
    for _ in 0..MOST_TRIES {
        if walked.is_ok() {
            break;
        }
        found.only_readable = Some(top);
        walked = walk(&mut found);
    }
    walked.map_err(failed)?;
    found.paths.sort();
    Ok(found.paths)
}

/// How often a walk is tried again while somebody removes directories.
const MOST_TRIES: usize = 8;

/// Collects the untracked files of a directory walk.
struct Found<'a> {
    paths: Vec<BString>,
    place: Where<'a>,
    listener: &'a mut dyn Listener,
    /// Where directories are opened before they are walked, to leave out those that cannot be.
    only_readable: Option<&'a Path>,
}

impl Found<'_> {
    fn is_readable(&self, dir: &BStr) -> bool {
        let Some(top) = self.only_readable else {
            return true;
        };
        let place = gix::path::from_bstr(dir).map(|relative| top.join(relative));
        place.is_ok_and(|place| std::fs::read_dir(place).is_ok())
    }
}

impl Delegate for Found<'_> {
    fn emit(&mut self, entry: gix::dir::EntryRef<'_>, _collapsed: Option<Status>) -> Action {
        if entry.status == Status::Untracked && entry.disk_kind == Some(Kind::File) {
            self.paths.push(entry.rela_path.into_owned());
        }
        // One more than the limit, so that the caller notices.
        if self.paths.len() > MAX_DIRTY_FILES {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn can_recurse(
        &mut self,
        entry: gix::dir::EntryRef<'_>,
        for_deletion: Option<ForDeletionMode>,
        is_top_of_repository: bool,
    ) -> bool {
        if let Where::Below(above) = self.place
            && entry.status == Status::Tracked
            && !above.contains(&*entry.rela_path)
        {
            return false;
        }
        // What is ignored stays so when something in it is asked for by name.
        let may = !matches!(entry.status, Status::Ignored(_))
            && entry.status.can_recurse(
                entry.disk_kind,
                entry.pathspec_match,
                for_deletion,
                is_top_of_repository,
            );
        let dir = BStr::new(&*entry.rela_path);
        let is_other = entry.disk_kind == Some(Kind::Repository)
            && !is_top_of_repository
            && entry.status == Status::Untracked;
        // One within what was walked, so there is no repository yet.
        let is_empty_one = entry.property == Some(Property::DotGit) && dir != ".git";
        if may {
            self.listener.before_reading(dir);
        } else if is_other || is_empty_one {
            self.listener.left_out(dir);
        }
        may && self.is_readable(dir)
    }
}
