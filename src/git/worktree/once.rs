//! One walk through the directories of tracked files that finds both: what these files are now, and what stands beside
//! them.
//!
//! A directory is opened once, and what is in it is looked at from there: the way from the top to each file is half of
//! what it takes to look at thousands of them. Where all that stands in a directory is tracked nothing has to be asked
//! of the rules that say what is ignored; a directory that is not is left to the walk that knows them
//! ([`super::untracked::among`]). Whatever is out of the ordinary (another repository among the directories, entries
//! that a sparse checkout leaves out, file systems to which two names are one) is left to it as a whole. Deliberately
//! absent: systems other than Linux.

use super::compare::Seen;
use super::index::Index;
use gix::bstr::BString;

/// What was met.
pub(super) struct Met {
    /// For each entry of the git index what stands at its path.
    pub(super) seen: Vec<Seen>,
    /// The entries whose files have other names too.
    pub(super) linked: Vec<usize>,
    /// What stands beside what is tracked, each with whether it is a directory; no links.
    pub(super) strange: Vec<(BString, bool)>,
}

/// Walks; `None` where the rules of a simple walk do not hold.
#[cfg(not(target_os = "linux"))]
pub(super) fn walk(_repo: &gix::Repository, _index: &Index) -> Option<Met> {
    None
}

#[cfg(target_os = "linux")]
pub(super) use linux::walk;
#[cfg(test)]
#[cfg(target_os = "linux")]
use linux::{folders, in_runs};

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests;

#[cfg(target_os = "linux")]
mod linux {
    use super::*;
    use gix::bstr::{BStr, ByteSlice};
    use gix::index::Entry;
    use gix::index::entry::stat::Time;
    use gix::index::entry::{Flags, Mode, Stat};
    use rustix::fd::{AsFd, OwnedFd};
    use rustix::fs::{AtFlags, CWD, FileType, Mode as OpenMode, OFlags, RawDir, openat, statat};
    use rustix::io::Errno;
    use std::mem::MaybeUninit;
    use std::path::Path;
    use std::thread::ScopedJoinHandle;

    /// What stands beside what is tracked, beyond which the other walk is no slower.
    const MOST_STRANGE: usize = 10_000;
    /// Levels of directories. On the way down each takes a descriptor on each thread, and a process may have 256 or fewer.
    const MOST_LEVELS: usize = 32;
    /// Threads that look.
    const MOST_THREADS: usize = 4;
    /// Directories that one thread looks at before another is worth its beginning.
    const FEW: usize = 64;
    /// What the system tells of a directory at a time, in bytes: more than most directories hold.
    const PART: usize = 32 << 10;

    /// Something that is tracked in a directory.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Child {
        /// The entry at a place.
        File(usize),
        Folder,
    }

    /// A directory in which something is tracked.
    pub(super) struct Folder<'i> {
        path: &'i BStr,
        /// By name.
        children: Vec<(&'i BStr, Child)>,
    }

    /// A directory on the way to what is looked at.
    struct Open<'i> {
        path: &'i BStr,
        /// `None` where it is not there.
        dir: Option<OwnedFd>,
    }

    pub(in super::super) fn walk(repo: &gix::Repository, index: &Index) -> Option<Met> {
        let options = repo.filesystem_options().ok()?;
        let is_odd = |entry: &Entry| {
            matches!(entry.mode, Mode::COMMIT | Mode::DIR)
                || entry.flags.contains(Flags::SKIP_WORKTREE)
        };
        if options.ignore_case || options.precompose_unicode || index.entries().iter().any(is_odd) {
            return None;
        }
        let folders = folders(index)?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let each = folders.len().div_ceil(threads.min(MOST_THREADS)).max(FEW);
        in_runs(repo.workdir()?, index.entries().len(), &folders, each)
    }

    /// Looks at so many directories on each thread, where there are so many `entries` in the git index.
    pub(super) fn in_runs(
        top: &Path,
        entries: usize,
        folders: &[Folder<'_>],
        each: usize,
    ) -> Option<Met> {
        let (first, others) = folders.split_at(each.min(folders.len()));
        let runs: Vec<Option<Run>> = std::thread::scope(|scope| {
            let others = others
                .chunks(each)
                .map(|run| scope.spawn(|| one_run(top, run)));
            let others: Vec<_> = others.collect();
            let joined = |run: ScopedJoinHandle<'_, Option<Run>>| run.join().unwrap_or_default();
            let first = std::iter::once(one_run(top, first));
            first.chain(others.into_iter().map(joined)).collect()
        });
        let mut met = Met {
            seen: vec![Seen::Other; entries],
            linked: Vec::new(),
            strange: Vec::new(),
        };
        for run in runs {
            let run = run?;
            for (at, seen) in run.seen {
                met.seen[at] = seen;
            }
            met.linked.extend(run.linked);
            met.strange.extend(run.strange);
        }
        (met.strange.len() <= MOST_STRANGE).then_some(met)
    }

    /// What was met in some directories.
    #[derive(Default)]
    struct Run {
        /// By entry of the git index.
        seen: Vec<(usize, Seen)>,
        linked: Vec<usize>,
        strange: Vec<(BString, bool)>,
    }

    fn one_run(top: &Path, folders: &[Folder<'_>]) -> Option<Run> {
        let mut run = Run::default();
        let mut open: Vec<Open<'_>> = Vec::new();
        let mut part = Vec::with_capacity(PART);
        for Folder { path, children } in folders {
            while open.last().is_some_and(|above| !is_below(path, above.path)) {
                open.pop();
            }
            for path in way(path, open.last().map(|above| above.path)) {
                let dir = open_dir(top, open.last(), path)?;
                open.push(Open { path, dir });
            }
            if let Some(dir) = &open.last()?.dir {
                look(dir, path, children, part.spare_capacity_mut(), &mut run)?;
            }
        }
        Some(run)
    }

    /// The directories on the way to one, which is the last: from the top on, or from below one that is open.
    fn way<'i>(path: &'i BStr, open: Option<&BStr>) -> Vec<&'i BStr> {
        let begin = open.map_or(0, |open| open.len() + usize::from(!open.is_empty()));
        let mut way = Vec::new();
        if open.is_none() {
            way.push(BStr::new(b""));
        }
        let slashes = path[begin..].find_iter(b"/");
        way.extend(slashes.map(|at| path[..begin + at].as_bstr()));
        if !path.is_empty() {
            way.push(path);
        }
        way
    }

    /// Opens a directory in the one above, the top where there is none. The inner `None` where it is not there, the outer
    /// one where it cannot be opened.
    fn open_dir(top: &Path, above: Option<&Open<'_>>, path: &BStr) -> Option<Option<OwnedFd>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = match above {
            None => openat(CWD, top, flags, OpenMode::empty()),
            Some(above) => match &above.dir {
                Some(dir) => {
                    let name = path
                        .rfind_byte(b'/')
                        .map_or(path, |at| path[at + 1..].as_bstr());
                    openat(
                        dir,
                        name.as_bytes(),
                        flags | OFlags::NOFOLLOW,
                        OpenMode::empty(),
                    )
                }
                None => Err(Errno::NOENT),
            },
        };
        match opened {
            Ok(dir) => Some(Some(dir)),
            // What is not there is neither changed nor has it anything beside.
            Err(Errno::NOENT) if above.is_some() => Some(None),
            Err(_) => None,
        }
    }

    /// The directories in which something is tracked, the outer ones first; `None` for paths that are none, and where
    /// they are too deep.
    pub(super) fn folders(index: &Index) -> Option<Vec<Folder<'_>>> {
        let root = Folder {
            path: BStr::new(b""),
            children: Vec::new(),
        };
        let mut all = vec![root];
        let mut open = vec![0];
        let mut before = BStr::new(b"");
        for (at, entry) in index.entries().iter().enumerate() {
            let path = entry.path(index);
            // What is below one directory stands together.
            if path < before {
                return None;
            }
            before = path;
            while !is_below(path, all[*open.last()?].path) {
                open.pop();
            }
            let above = all[*open.last()?].path.len();
            let mut begin = above + usize::from(above > 0);
            while let Some(slash) = path[begin..].find_byte(b'/') {
                let name = path[begin..begin + slash].as_bstr();
                if is_no_folder(name) || open.len() > MOST_LEVELS {
                    return None;
                }
                all[*open.last()?].children.push((name, Child::Folder));
                open.push(all.len());
                all.push(Folder {
                    path: path[..begin + slash].as_bstr(),
                    children: Vec::new(),
                });
                begin += slash + 1;
            }
            let name = path[begin..].as_bstr();
            all[*open.last()?].children.push((name, Child::File(at)));
        }
        for folder in &mut all {
            folder.children.sort_by_key(|(name, _)| *name);
            let is_file = |child: Child| matches!(child, Child::File(_));
            let mut is_both = false;
            // Of the sides of a conflict the first counts.
            folder.children.dedup_by(|second, first| {
                let is_same = second.0 == first.0;
                is_both |= is_same && is_file(second.1) != is_file(first.1);
                is_same
            });
            if is_both {
                return None;
            }
        }
        Some(all)
    }

    /// Whether a name is none that git would make a directory of.
    fn is_no_folder(name: &BStr) -> bool {
        name.is_empty() || name == "." || name == ".." || name.eq_ignore_ascii_case(b".git")
    }

    /// Looks at what is in a directory.
    fn look(
        dir: &OwnedFd,
        path: &BStr,
        children: &[(&BStr, Child)],
        part: &mut [MaybeUninit<u8>],
        run: &mut Run,
    ) -> Option<()> {
        let mut all = RawDir::new(dir, part);
        while let Some(found) = all.next() {
            let found = match found {
                Ok(found) => found,
                // It is removed by now.
                Err(Errno::NOENT) => break,
                Err(_) => return None,
            };
            let name = found.file_name().to_bytes().as_bstr();
            if matches!(name.as_bytes(), b"." | b"..") {
                continue;
            }
            if name == ".git" {
                match path.is_empty() {
                    true => continue,
                    false => return None,
                }
            }
            let is_dir = match found.file_type() {
                FileType::Unknown => return None,
                FileType::Directory => true,
                FileType::RegularFile => false,
                // What is neither is in no list, tracked or not.
                _ => continue,
            };
            let at = children.binary_search_by(|(other, _)| (*other).cmp(name));
            match at.ok().map(|at| children[at].1) {
                Some(Child::Folder) if is_dir => {}
                Some(Child::File(at)) if !is_dir => {
                    match statat(dir.as_fd(), found.file_name(), AtFlags::SYMLINK_NOFOLLOW) {
                        Ok(stat) => {
                            if stat.st_nlink > 1 {
                                run.linked.push(at);
                            }
                            run.seen.push((at, seen(&stat)));
                        }
                        Err(Errno::NOENT) => {}
                        Err(_) => return None,
                    }
                }
                _ if run.strange.len() >= MOST_STRANGE => return None,
                _ => run.strange.push((join(path, name), is_dir)),
            }
        }
        Some(())
    }

    fn seen(stat: &rustix::fs::Stat) -> Seen {
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Seen::Other;
        }
        // As git's index has them, in 32 bits; before 1970 it has no times.
        let time = |secs: i128, nsecs: i128| match secs < 0 {
            true => Time::default(),
            false => Time {
                secs: secs as u32,
                nsecs: nsecs as u32,
            },
        };
        Seen::File(Some(Stat {
            mtime: time(stat.st_mtime.into(), stat.st_mtime_nsec.into()),
            ctime: time(stat.st_ctime.into(), stat.st_ctime_nsec.into()),
            dev: stat.st_dev as u32,
            ino: stat.st_ino as u32,
            uid: stat.st_uid,
            gid: stat.st_gid,
            size: stat.st_size as u32,
        }))
    }

    fn join(dir: &BStr, name: &BStr) -> BString {
        let mut path = dir.to_owned();
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(name);
        path
    }

    /// Whether a path lies below a directory.
    fn is_below(path: &BStr, dir: &BStr) -> bool {
        dir.is_empty()
            || path
                .strip_prefix(dir.as_bytes())
                .is_some_and(|rest| rest.starts_with(b"/"))
    }
}
