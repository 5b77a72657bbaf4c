//! Packs of ours in the object store: held until a ref names what is in them, and few of them.
//!
//! Between the moment objects are written and the moment a ref names them, nothing reaches them, and
//! `git gc --prune=now` takes what nothing reaches: loose objects at any moment, also when the ref has moved
//! since it looked, and packs that were there when it began. It leaves alone a pack with a `.keep` file, and
//! a pack that came later. So what is to be named comes in one pack, together with its `.keep`, which goes
//! when the ref has moved: whoever lists the pack without it looks at the ref afterwards.
//!
//! Each pack gets a name that no pack had before. A name made of the content would come again when somebody
//! tries again after being killed, and git deletes by name what it listed long ago.
//!
//! Whoever holds a pack has a lock on its `.keep` until it is gone, so what a killed process leaves behind
//! is known from what a living one needs.

use super::repo::Repo;
use rustc_hash::FxHashSet;
use std::collections::hash_map::RandomState;
use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the names of our packs begin with: "svk1" in hexadecimal, since git wants digits of an id there.
pub(super) const MARK: &str = "pack-73766b31";
/// Bytes below which a pack of ours is copied into a later one. Larger ones are few, and wait for git.
const SMALL: u64 = 1 << 20;
/// Number of small packs of ours from which on they are united. git unites all packs at 50
/// (`gc.autoPackLimit`), and these must not be what makes it do so.
const MANY: usize = 16;
/// Age from which a `.keep` is given up where files cannot be locked.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);
/// What a `.keep` says to whoever finds one.
const NOTICE: &[u8] =
    b"held by git-sverklo until a ref names it; the next command that writes removes this\n";

/// The folder of packs.
pub(super) fn folder(common_dir: &Path) -> PathBuf {
    common_dir.join("objects").join("pack")
}

/// Packs that git must not take. They are held as long as this lives.
#[derive(Debug, Default)]
#[must_use = "what is not held may be pruned before a ref names it"]
pub struct Held {
    packs: Vec<HeldPack>,
}

impl Held {
    /// Holds nothing: what a ref is to name is reachable already.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Holds what another one holds, too.
    pub fn join(&mut self, other: Self) {
        self.packs.extend(other.packs);
    }

    pub(super) fn one(pack: HeldPack) -> Self {
        Self { packs: vec![pack] }
    }

    /// The files of the packs.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.packs
            .iter()
            .map(|pack| pack.keep.with_extension("pack"))
    }
}

/// One pack with its `.keep`, which goes when this is dropped.
#[derive(Debug)]
pub(super) struct HeldPack {
    keep: PathBuf,
    /// Locked, so that nobody takes it for one that was left behind.
    _lock: File,
}

impl Drop for HeldPack {
    fn drop(&mut self) {
        // Whoever writes next tries again.
        let _ = std::fs::remove_file(&self.keep);
    }
}

/// Moves a pack with its index out of `from` among the packs of the object store, and holds it. Fails
/// with an error of kind [`io::ErrorKind::NotFound`] when it was taken away meanwhile; nothing is left
/// of it then.
pub(super) fn accept(from: &Path, packs: &Path) -> io::Result<HeldPack> {
    let mut found = Vec::new();
    let mut digits = 0;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let extension = path.extension().map(OsStr::to_owned);
        let Some(extension) = extension.filter(|extension| extension != "keep") else {
            continue;
        };
        let stem = path.file_stem().map_or(0, OsStr::len);
        digits = digits.max(stem.saturating_sub("pack-".len()));
        found.push((extension, path));
    }
    for needed in ["pack", "idx"] {
        if !found.iter().any(|(extension, _)| extension == needed) {
            return Err(io::ErrorKind::NotFound.into());
        }
    }
    // A pack is there for readers from the moment its index is.
    found.sort_by_key(|(extension, _)| extension == "idx");
    let name = new_name(digits);
    let hidden = from.join(&name).with_extension("keep");
    let mut lock = File::create(&hidden)?;
    // Where files cannot be locked, age tells.
    let _ = lock.try_lock();
    lock.write_all(NOTICE)?;
    let place = packs.join(&name);
    let keep = place.with_extension("keep");
    std::fs::rename(&hidden, &keep)?;
    let held = HeldPack { keep, _lock: lock };
    for (extension, path) in &found {
        if let Err(err) = std::fs::rename(path, place.with_extension(extension)) {
            remove(&place);
            return Err(err);
        }
    }
    // The names must outlast a power loss as the content does. Not every system can do that.
    if let Ok(packs) = File::open(packs) {
        let _ = packs.sync_all();
    }
    Ok(held)
}

/// A name that no pack had before, as long as names of packs are.
fn new_name(digits: usize) -> String {
    let mut name = MARK.to_owned();
    while name.len() < "pack-".len() + digits {
        let random = RandomState::new().build_hasher().finish();
        name.push_str(&format!("{random:016x}"));
    }
    name.truncate(("pack-".len() + digits).max(MARK.len() + 16));
    name
}

/// Removes each `.keep` whose holder is dead, as every writer does: for who has nothing to write.
pub fn release_abandoned(repo: &Repo) {
    drop(tidy(&folder(repo.common_dir())));
}

/// Removes each `.keep` whose holder is dead, and returns the small packs of ours that nobody holds, when
/// they are so many that they are to be united. They are named by their files without an extension.
pub(super) fn tidy(packs: &Path) -> Vec<PathBuf> {
    let mut small = Vec::new();
    let mut held = FxHashSet::default();
    let mut listed: Option<std::time::SystemTime> = None;
    for entry in std::fs::read_dir(packs).into_iter().flatten().flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        if name == "multi-pack-index" {
            listed = entry.metadata().and_then(|meta| meta.modified()).ok();
        }
        if !name.to_str().is_some_and(|name| name.starts_with(MARK)) {
            continue;
        }
        if path.extension() == Some("keep".as_ref()) {
            if !is_abandoned(&path) || std::fs::remove_file(&path).is_err() {
                held.insert(path.with_extension(""));
            }
        } else if path.extension() == Some("idx".as_ref())
            && let Ok(meta) = path.with_extension("pack").metadata()
            && meta.len() < SMALL
        {
            small.push((path.with_extension(""), meta.modified().ok()));
        }
    }
    // A pack that a multi-pack index names must stay as long as that does.
    let is_free = |(path, made): &(PathBuf, Option<std::time::SystemTime>)| {
        !held.contains(path) && (listed.is_none() || *made > listed)
    };
    small.retain(is_free);
    if small.len() < MANY {
        return Vec::new();
    }
    small.into_iter().map(|(path, _)| path).collect()
}

/// Whether whoever held a pack is dead.
fn is_abandoned(keep: &Path) -> bool {
    let Ok(file) = File::open(keep) else {
        return false;
    };
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => {
            let made = file.metadata().and_then(|meta| meta.modified()).ok();
            made.and_then(|made| made.elapsed().ok())
                .is_some_and(|age| age > ABANDONED)
        }
    }
}

/// Removes a pack, its index first, so that nobody finds an index without its pack.
pub(super) fn remove(pack: &Path) {
    for extension in ["idx", "rev", "pack"] {
        // What cannot be removed is there twice, which git sorts out.
        let _ = std::fs::remove_file(pack.with_extension(extension));
    }
}

/// Whether `git gc` is at work, which is reading the packs that are there.
pub(super) fn is_collecting(common_dir: &Path) -> bool {
    common_dir.join("gc.pid").exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(dir: &Path) -> PathBuf {
        let from = dir.join("from");
        std::fs::create_dir_all(&from).unwrap();
        std::fs::create_dir_all(dir.join("packs")).unwrap();
        for extension in ["idx", "pack"] {
            let name = format!("pack-{}.{extension}", "0".repeat(40));
            std::fs::write(from.join(name), extension).unwrap();
        }
        from
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(dir).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_pack_is_held_until_it_is_let_go_and_never_named_alike() {
        let temp = tempfile::tempdir().unwrap();
        let packs = temp.path().join("packs");
        let one = accept(&received(temp.path()), &packs).unwrap();
        let two = accept(&received(temp.path()), &packs).unwrap();
        let all = names(&packs);
        assert_eq!(all.len(), 6, "{all:?}");
        assert!(all.iter().all(|name| name.starts_with(MARK)), "{all:?}");
        let stem = one.keep.file_stem().unwrap().to_owned();
        assert_eq!(stem.len(), "pack-".len() + 40);
        assert_ne!(one.keep, two.keep);
        // Its holder lives.
        tidy(&packs);
        assert!(one.keep.exists() && two.keep.exists());
        drop((one, two));
        assert_eq!(names(&packs).len(), 4);
    }

    #[test]
    fn what_a_dead_process_held_is_let_go() {
        let temp = tempfile::tempdir().unwrap();
        let keep = temp.path().join(format!("{MARK}00.keep"));
        let other = temp.path().join("pack-00.keep");
        for path in [&keep, &other] {
            std::fs::write(path, "").unwrap();
        }
        tidy(temp.path());
        assert!(!keep.exists(), "nobody has it locked");
        assert!(other.exists(), "it is not ours");
    }

    #[test]
    fn a_pack_that_was_taken_away_leaves_nothing_behind() {
        let temp = tempfile::tempdir().unwrap();
        let packs = temp.path().join("packs");
        let from = received(temp.path());
        std::fs::remove_file(from.join(format!("pack-{}.idx", "0".repeat(40)))).unwrap();
        let err = accept(&from, &packs).unwrap_err();
        assert_eq!(err.kind(), io::ErrorKind::NotFound);
        assert!(names(&packs).is_empty());
        let err = accept(&temp.path().join("nowhere"), &packs).unwrap_err();
        assert_eq!(err.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn many_small_packs_are_united_but_not_what_is_held_or_listed() {
        let temp = tempfile::tempdir().unwrap();
        let made = |n: usize| temp.path().join(format!("{MARK}{n:02}"));
        for n in 0..MANY {
            for extension in ["idx", "pack"] {
                std::fs::write(made(n).with_extension(extension), "").unwrap();
            }
        }
        assert_eq!(tidy(temp.path()).len(), MANY);
        let lock = File::create(made(3).with_extension("keep")).unwrap();
        lock.lock().unwrap();
        assert!(tidy(temp.path()).is_empty(), "one is held");
        // A process that another test begins meanwhile has it open, too.
        lock.unlock().unwrap();
        assert_eq!(tidy(temp.path()).len(), MANY);
        std::fs::write(temp.path().join("multi-pack-index"), "").unwrap();
        let later = std::time::SystemTime::now() + Duration::from_secs(9);
        let index = File::options()
            .write(true)
            .open(temp.path().join("multi-pack-index"));
        index.unwrap().set_modified(later).unwrap();
        assert!(tidy(temp.path()).is_empty(), "all are listed");
    }
}
