//! Files that were read although git's index knows their times and sizes, and that hold what was committed.
//!
//! In a fresh clone thousands of files are as young as git's index, which then does not tell whether they were written
//! once more (racy-git(7)). git reads them, and writes its index anew; we never write it, so without a note each process
//! would read them again. A note is of one state of git's index and of the attributes, and holds for a file whose
//! times, size and number are the same as before it was read, where these were older by [`SETTLED`]: whatever is written
//! later has later times.

use super::index::Index;
use super::rules::{Rules, is_attributes};
use crate::cache::Kept;
use crate::git::Repo;
use gix::bstr::{BStr, BString};
use gix::index::entry::Stat;
use gix::index::entry::stat::Time;
use rustc_hash::FxHashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use xxhash_rust::xxh3::Xxh3;

/// File of the notes of a work tree.
const FILE: &str = "compared";
/// How much older than the reading a file has to be: FAT knows times to 2 seconds, others to 10 ms or less.
const SETTLED: Duration = Duration::from_secs(2);
/// How far the clock of the file system may be off ours. Where it is further off, nothing is noted.
const SKEW: Duration = Duration::from_secs(1);
/// Fewer new notes are not worth writing.
const FEW: usize = 16;
/// Largest file of notes that is read, in bytes: a million paths.
const MAX_BYTES: usize = 256 << 20;
/// Numbers of a [`Stat`].
const NUMBERS: usize = 9;

#[derive(bincode::Encode, bincode::Decode)]
struct Saved {
    state: u128,
    /// Paths, each ended by a NUL byte.
    paths: Vec<u8>,
    /// For each path the numbers of its stat.
    stats: Vec<u32>,
}

/// What is noted of a work tree.
pub(super) struct Compared {
    kept: Kept,
    /// The state of git's index and of the attributes; `None` where it has no name.
    state: Option<u128>,
    known: FxHashMap<BString, [u32; NUMBERS]>,
    began: SystemTime,
    /// How many of the known ones are new.
    learnt: usize,
}

impl Compared {
    /// Reads what is noted for this state of git's index. What cannot be read is not there.
    pub(super) fn load(repo: &Repo, index: &Index) -> Self {
        let mut compared = Self::nothing(repo);
        compared.state = state(repo, index);
        let known = compared.state.and_then(|state| read(&compared.kept, state));
        compared.known = known.unwrap_or_default();
        compared
    }

    /// No notes, and none is taken.
    pub(super) fn nothing(repo: &Repo) -> Self {
        Self {
            kept: repo.kept().in_git_dir(repo.git_dir()),
            state: None,
            known: FxHashMap::default(),
            began: SystemTime::now(),
            learnt: 0,
        }
    }

    /// Whether a file with this stat is known to hold what was committed.
    pub(super) fn holds(&self, path: &BStr, stat: &Stat) -> bool {
        self.known.get(path) == Some(&numbers(stat))
    }

    /// Notes that a file was read and holds what was committed; its stat is that from before it was read.
    pub(super) fn learn(&mut self, path: &BStr, stat: &Stat) {
        let settled = self.began.checked_sub(SETTLED);
        let settled = settled.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let is_settled = |time: Time| {
            settled.is_some_and(|settled| Duration::new(time.secs.into(), time.nsecs) < settled)
        };
        if self.state.is_some() && is_settled(stat.mtime) && is_settled(stat.ctime) {
            self.known.insert(path.to_owned(), numbers(stat));
            self.learnt += 1;
        }
    }

    /// Keeps the notes, if there are many new ones. A failure costs time later, nothing else.
    pub(super) fn save(&self) {
        let Some(state) = self.state.filter(|_| self.learnt >= FEW) else {
            return;
        };
        let (mut paths, mut stats) = (Vec::new(), Vec::new());
        for (path, stat) in &self.known {
            paths.extend_from_slice(path);
            paths.push(0);
            stats.extend_from_slice(stat);
        }
        let saved = Saved {
            state,
            paths,
            stats,
        };
        let Ok(bytes) = bincode::encode_to_vec(saved, bincode::config::standard()) else {
            return;
        };
        if self.kept.write(FILE, &bytes).is_ok() && !self.is_clock_right() {
            self.kept.remove(FILE);
        }
    }

    /// Whether the file system gave the file just written the time that it is.
    fn is_clock_right(&self) -> bool {
        let written = self.kept.path(FILE).and_then(std::fs::metadata);
        let Ok(written) = written.and_then(|written| written.modified()) else {
            return false;
        };
        let earliest = self.began.checked_sub(SKEW);
        let latest = SystemTime::now().checked_add(SKEW);
        earliest.is_some_and(|at| at <= written) && latest.is_some_and(|at| written <= at)
    }
}

/// Names the state of git's index and of the configuration and the attributes that say how files are read.
fn state(repo: &Repo, index: &Index) -> Option<u128> {
    let checksum = index.checksum().filter(|checksum| !checksum.is_null())?;
    let mut hash = Xxh3::new();
    hash.update(checksum.as_slice());
    hash.update(&repo.settings().to_le_bytes());
    let mut note = |found: std::io::Result<std::fs::Metadata>| {
        let found = found.ok();
        let time = found.as_ref().and_then(|found| found.modified().ok());
        let time = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        hash.update(&time.map_or(0, |time| time.as_nanos()).to_le_bytes());
        hash.update(&found.map_or(u64::MAX, |found| found.len()).to_le_bytes());
    };
    for place in Rules::places(repo) {
        note(std::fs::metadata(place));
    }
    let paths = index.entries().iter().map(|entry| entry.path(index));
    for path in paths.filter(|path| is_attributes(path)) {
        let relative = gix::path::from_bstr(path).ok()?;
        note(std::fs::symlink_metadata(repo.work_dir()?.join(relative)));
    }
    Some(hash.digest128())
}

fn read(kept: &Kept, state: u128) -> Option<FxHashMap<BString, [u32; NUMBERS]>> {
    let body = kept.read(FILE)?;
    let encoding = bincode::config::standard().with_limit::<MAX_BYTES>();
    let (saved, _) = bincode::decode_from_slice::<Saved, _>(body.as_ref(), encoding).ok()?;
    let stats = saved.stats.chunks_exact(NUMBERS);
    let paths = saved.paths.split(|byte| *byte == 0);
    let pairs = paths
        .zip(stats)
        .filter_map(|(path, stat)| Some((BString::from(path), stat.try_into().ok()?)));
    (saved.state == state).then(|| pairs.collect())
}

fn numbers(stat: &Stat) -> [u32; NUMBERS] {
    let Stat {
        mtime,
        ctime,
        dev,
        ino,
        uid,
        gid,
        size,
    } = *stat;
    [
        mtime.secs,
        mtime.nsecs,
        ctime.secs,
        ctime.nsecs,
        dev,
        ino,
        uid,
        gid,
        size,
    ]
}
