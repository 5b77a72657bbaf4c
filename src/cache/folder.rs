//! The folder of one user in one git directory, and the sealed files in it.

use super::believed::{self, Believed};
use super::key::Key;
use super::sealed::{self, Body, TEMP};
use std::fs::File;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

/// Name of our folder in a git directory. Locks and marks lie in it too, which nobody has to believe.
const OURS: &str = "sverklo";
/// Files and folders that earlier versions kept without a seal.
const UNSEALED: &[&str] =
    words!("seg vec vec-ids log graph view memory reach walked distrusted overlay");
/// How deep what we keep is nested, with some to spare. What lies deeper is not ours and stays.
const DEPTH: usize = 6;
/// How long a folder of another key stays that nobody writes to: its user has left, or lost the key.
const STRANGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What one user keeps beside one repository. Cloning shares the key and what was found damaged.
#[derive(Clone)]
pub struct Kept {
    top: PathBuf,
    shared: Arc<Shared>,
}

struct Shared {
    key: OnceLock<Result<Key, String>>,
    damaged: Mutex<Vec<PathBuf>>,
    /// The folder that was named first; what lies in those of other work trees is hashed each time.
    top: PathBuf,
    /// What was found whole in it.
    believed: OnceLock<Mutex<Believed>>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        let (Some(Ok(key)), Some(believed)) = (self.key.get(), self.believed.take()) else {
            return;
        };
        let mut believed = believed
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let folder = self.top.join(key.folder());
        let is_ours = |at: &Path| at.symlink_metadata().is_ok_and(|found| found.is_dir());
        if !is_ours(&self.top) || !is_ours(&folder) {
            return;
        }
        if let Some(notes) = believed.news(|name| folder.join(name).exists()) {
            // A failure costs time later, nothing else.
            let written = sealed::write(key, believed::FILE, &notes, &folder);
            let _ = written.map(|temp| temp.persist(folder.join(believed::FILE)));
        }
    }
}

/// Damaged files that were met and removed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct Recovered {
    /// One of them.
    pub first: PathBuf,
    /// How many there were.
    pub count: usize,
}

impl Recovered {
    fn sentence(&self) -> String {
        let first = &self.first;
        match self.count {
            0..2 => format!("{first:?} was damaged; it was removed and is made again"),
            n => format!(
                "{first:?} and {} more were damaged; they were removed and are made again",
                n - 1
            ),
        }
    }
}

/// What there is under a name.
pub enum Found {
    /// Nothing.
    Absent,
    /// A file that this user's programs have not written so.
    Damaged,
    /// What was kept.
    Whole(Body),
}

/// Makes a folder below `top`, which must be there: below a repository that has gone nothing is made
/// again. Fails with an error of kind [`ErrorKind::NotFound`] when `top` is not there, else what the
/// operating system says.
pub fn make_below(top: &Path, folder: &Path) -> std::io::Result<()> {
    let inside = folder.strip_prefix(top).map_err(Error::other)?;
    let mut at = top.to_owned();
    for part in inside {
        at.push(part);
        match std::fs::create_dir(&at) {
            Err(err) if err.kind() != ErrorKind::AlreadyExists => return Err(err),
            _ => {}
        }
    }
    Ok(())
}

/// A file of a folder.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    /// When it was written.
    pub modified: SystemTime,
    /// Its name in the folder.
    pub name: String,
}

/// A sealed file that is written and has no name yet. Dropped, it is removed.
pub struct Writing {
    temp: tempfile::NamedTempFile,
    path: PathBuf,
}

impl Writing {
    /// Gives it its name. Fails when the name cannot be given. Windows does not replace a file that is
    /// in use.
    pub fn finish(self) -> std::io::Result<()> {
        self.temp.persist(&self.path)?;
        Ok(())
    }
}

impl Kept {
    /// Names what is kept in a git directory. Nothing is read or made yet.
    pub fn new(git_dir: &Path) -> Self {
        let top = git_dir.join(OURS);
        Self {
            shared: Arc::new(Shared {
                key: OnceLock::new(),
                damaged: Mutex::default(),
                top: top.clone(),
                believed: OnceLock::new(),
            }),
            top,
        }
    }

    /// What is kept in another git directory of the same repository.
    pub fn in_git_dir(&self, git_dir: &Path) -> Self {
        Self {
            top: git_dir.join(OURS),
            shared: self.shared.clone(),
        }
    }

    /// The folder of all users.
    pub fn top(&self) -> &Path {
        &self.top
    }

    fn key(&self) -> std::io::Result<&Key> {
        let load = || Key::of_user(&|name| std::env::var_os(name));
        let key = self.shared.key.get_or_init(load).as_ref();
        key.map_err(|reason| Error::other(format!("there is no key to seal it with: {reason}")))
    }

    /// The folder of this user. Fails without a key.
    pub fn folder(&self) -> std::io::Result<PathBuf> {
        Ok(self.top.join(self.key()?.folder()))
    }

    /// Where a file is. Its name is relative to the folder, with slashes. Fails without a key.
    pub fn path(&self, name: &str) -> std::io::Result<PathBuf> {
        Ok(self.folder()?.join(name))
    }

    /// Looks at all bytes of a file and changes nothing.
    pub fn inspect(&self, name: &str) -> Found {
        self.find(name, &|key, file| Body::read(key, name, file))
    }

    fn find(&self, name: &str, body: &dyn Fn(&Key, &File) -> Option<Body>) -> Found {
        // Looking makes no key.
        if !self.top.is_dir() {
            return Found::Absent;
        }
        let (Ok(key), Ok(path)) = (self.key(), self.path(name)) else {
            return Found::Absent;
        };
        if path
            .parent()
            .is_some_and(|above| self.obstacle(above).is_some())
        {
            return Found::Damaged;
        }
        // Looked at before it is opened: to open a pipe is to wait for somebody who writes.
        match path.symlink_metadata() {
            Err(err) if err.kind() == ErrorKind::NotFound => return Found::Absent,
            Ok(found) if found.is_file() => {}
            _ => return Found::Damaged,
        }
        match File::open(&path) {
            Err(err) if err.kind() == ErrorKind::NotFound => Found::Absent,
            Err(_) => Found::Damaged,
            Ok(file) => body(key, &file).map_or(Found::Damaged, Found::Whole),
        }
    }

    /// The bytes of a file, if its seal holds, or held before and the file is the same.
    fn believed(&self, key: &Key, name: &str, file: &File) -> Option<Body> {
        let stamp = believed::stamp(file).filter(|_| self.top == self.shared.top);
        let Some(stamp) = stamp else {
            return Body::read(key, name, file);
        };
        let believed = self.shared.believed.get_or_init(|| {
            let path = self.top.join(key.folder()).join(believed::FILE);
            let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file());
            let notes = is_file.then(|| File::open(path).ok()).flatten();
            let notes = notes.and_then(|file| Body::read(key, believed::FILE, &file));
            Believed::read(notes.as_ref().map(AsRef::as_ref)).into()
        });
        let lock = || believed.lock().unwrap_or_else(PoisonError::into_inner);
        if lock().holds(name, &stamp) {
            return Body::believed(file);
        }
        let found = Body::read(key, name, file)?;
        lock().learn(name, stamp);
        Some(found)
    }

    /// Reads a file. One that is damaged is removed, which is told by [`Kept::recovered`].
    pub fn read(&self, name: &str) -> Option<Body> {
        match self.find(name, &|key, file| self.believed(key, name, file)) {
            Found::Whole(body) => Some(body),
            Found::Absent => None,
            Found::Damaged => {
                self.remove_damaged(name);
                None
            }
        }
    }

    /// Removes a file whose bytes are whole and yet not what they must be.
    pub fn remove_damaged(&self, name: &str) {
        let Ok(path) = self.path(name) else { return };
        let above = path.parent().unwrap_or(&path);
        if self.obstacle(above).is_some() {
            // It is told of itself.
            let _ = self.clear(above);
            return;
        }
        remove_tree(&path);
        self.damaged().push(path);
    }

    /// What stands in the place of a folder on the way from the top down to `folder`: a link, behind which files are
    /// somebody else's, or anything but a folder.
    fn obstacle(&self, folder: &Path) -> Option<PathBuf> {
        let inside = folder.strip_prefix(&self.top).ok()?;
        let mut parts = inside.components();
        let mut at = self.top.clone();
        loop {
            match at.symlink_metadata() {
                Ok(found) if found.is_dir() => at.push(parts.next()?),
                Ok(_) => return Some(at),
                // Below it there is nothing either.
                Err(_) => return None,
            }
        }
    }

    /// Takes away what stands in the place of a folder of this user: a link, not what it leads to. Fails where that is
    /// the folder of the user, or one above it, and where it stays.
    fn clear(&self, folder: &Path) -> std::io::Result<()> {
        let Some(obstacle) = self.obstacle(folder) else {
            return Ok(());
        };
        let own = self.folder()?;
        if obstacle == own || !obstacle.starts_with(&own) {
            return Err(Error::other(format!("{obstacle:?} is no folder")));
        }
        // Windows removes a link to a folder as a folder.
        std::fs::remove_file(&obstacle).or_else(|_| std::fs::remove_dir(&obstacle))?;
        self.damaged().push(obstacle);
        Ok(())
    }

    /// What is in a folder, if no link leads there.
    fn entries(&self, folder: &str) -> impl Iterator<Item = std::fs::DirEntry> + use<> {
        let path = self.path(folder);
        let path = path.and_then(|path| self.clear(&path).map(|()| path));
        let entries = path.and_then(std::fs::read_dir);
        entries.into_iter().flatten().flatten()
    }

    fn damaged(&self) -> std::sync::MutexGuard<'_, Vec<PathBuf>> {
        let damaged = self.shared.damaged.lock();
        damaged.unwrap_or_else(PoisonError::into_inner)
    }

    /// What was damaged since the last call.
    pub fn recovered(&self) -> Option<Recovered> {
        let mut damaged = std::mem::take(&mut *self.damaged());
        damaged.sort();
        damaged.dedup();
        let count = damaged.len();
        let first = damaged.into_iter().next()?;
        Some(Recovered { first, count })
    }

    /// Keeps bytes under a name. Fails when they cannot be written, or without a key. It costs time
    /// later, nothing else.
    pub fn write(&self, name: &str, body: &[u8]) -> std::io::Result<()> {
        self.begin(name, body)?.finish()
    }

    /// Writes bytes that get their name later. They need not be durable: a loss of power leaves bytes
    /// that the seal does not fit. Fails as [`Kept::write`] does.
    pub fn begin(&self, name: &str, body: &[u8]) -> std::io::Result<Writing> {
        let path = self.path(name)?;
        let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
        if !self.folder()?.exists() {
            self.remove_unsealed();
        }
        self.clear(folder)?;
        make_below(self.top.parent().ok_or(ErrorKind::InvalidInput)?, folder)?;
        let temp = sealed::write(self.key()?, name, body, folder)?;
        Ok(Writing { temp, path })
    }

    /// Removes a file, as far as the operating system lets it go.
    pub fn remove(&self, name: &str) {
        let Ok(path) = self.path(name) else { return };
        let is_ours = path.parent().is_some_and(|above| self.clear(above).is_ok());
        if is_ours {
            let _ = std::fs::remove_file(path);
        }
    }

    /// The files of a folder that are written, oldest first. A folder in it is none.
    pub fn list(&self, folder: &str) -> Vec<Entry> {
        let mut out: Vec<Entry> = self
            .entries(folder)
            .filter_map(|entry| {
                let found = entry.metadata().ok()?;
                let name = entry.file_name().into_string().ok()?;
                let modified = found.modified().ok()?;
                let is_file = found.is_file() && !name.starts_with(TEMP);
                is_file.then_some(Entry { modified, name })
            })
            .collect();
        out.sort();
        out
    }

    /// The folders of a folder.
    pub fn folders(&self, folder: &str) -> Vec<String> {
        let is_folder =
            |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let folders = self.entries(folder).filter(is_folder);
        folders
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect()
    }

    /// Removes the files of a folder that are not wanted, and what killed processes left there. Returns
    /// the number of bytes that are free now. A file that is in use stays where the operating system
    /// keeps it (Windows), and goes the next time.
    pub fn retain(&self, folder: &str, is_wanted: impl Fn(&str) -> bool) -> u64 {
        let mut freed = 0;
        for file in self.entries(folder) {
            let name = file.file_name();
            let name = name.to_str().unwrap_or_default();
            let stays = match name.starts_with(TEMP) {
                true => is_being_written(&file.path()),
                false => is_wanted(name),
            };
            if !stays {
                freed += remove_file(&file.path());
            }
        }
        freed
    }

    /// Removes the oldest files of a folder, so that at most so many stay.
    pub fn evict(&self, folder: &str, most: usize) {
        let all = self.list(folder);
        for entry in &all[..all.len().saturating_sub(most)] {
            self.remove(&format!("{folder}/{}", entry.name));
        }
    }

    /// Removes a file or folder of every user: what it holds must be nowhere.
    /// Returns the number of bytes that are free now.
    pub fn remove_everywhere(&self, name: &str) -> u64 {
        let users = self.users().into_iter().map(|folder| folder.join(name));
        users
            .chain([self.top.join(name)])
            .map(
                |path| match path.parent().and_then(|above| self.obstacle(above)) {
                    // What a link leads to is not ours.
                    Some(link) if link != self.top => remove_file(&link),
                    Some(_) => 0,
                    None => remove_tree(&path),
                },
            )
            .sum()
    }

    /// Removes all that other users keep, because what they hold must be nowhere.
    pub fn remove_others(&self) -> u64 {
        let own = self.folder().ok();
        let others = self.users().into_iter();
        let others = others.filter(|folder| Some(folder) != own.as_ref());
        others.map(|folder| remove_tree(&folder)).sum::<u64>() + self.remove_unsealed()
    }

    /// Removes what earlier versions kept without a seal, and folders of other keys that nobody has
    /// written to for a month. Returns the number of bytes that are free now.
    pub fn sweep(&self) -> u64 {
        let own = self.folder().ok();
        let now = SystemTime::now();
        let is_old = |folder: &PathBuf| {
            let age = latest(folder).and_then(|latest| now.duration_since(latest).ok());
            age.is_some_and(|age| age > STRANGE)
        };
        let others = self.users().into_iter();
        let others = others.filter(|folder| Some(folder) != own.as_ref() && is_old(folder));
        others.map(|folder| remove_tree(&folder)).sum::<u64>() + self.remove_unsealed()
    }

    fn remove_unsealed(&self) -> u64 {
        let all = UNSEALED.iter().map(|name| self.top.join(name));
        all.map(|path| remove_tree(&path)).sum()
    }

    /// The folders of all users.
    fn users(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.top).into_iter().flatten().flatten();
        let is_user = |name: &[u8]| name.len() == 16 && name.iter().all(u8::is_ascii_hexdigit);
        entries
            .filter(|entry| is_user(entry.file_name().as_encoded_bytes()))
            .map(|entry| entry.path())
            .collect()
    }
}

/// Whether a file is still being written by a process that lives.
fn is_being_written(path: &Path) -> bool {
    if !path.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return false;
    }
    let is_free = |file: File| file.try_lock().is_ok();
    !File::options().write(true).open(path).is_ok_and(is_free)
}

/// When something in a folder was written last.
fn latest(folder: &Path) -> Option<SystemTime> {
    let own = std::fs::metadata(folder).ok()?.modified().ok();
    let below = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let below = below.filter_map(|entry| entry.metadata().ok()?.modified().ok());
    own.into_iter().chain(below).max()
}

/// Removes a file; returns its size. What stays is only disk space.
fn remove_file(path: &Path) -> u64 {
    let size = std::fs::symlink_metadata(path).map_or(0, |found| found.len());
    std::fs::remove_file(path).map_or(0, |()| size)
}

/// Removes a file or a folder with all in it; returns its size.
fn remove_tree(path: &Path) -> u64 {
    let mut freed = 0;
    let mut folders = Vec::new();
    let mut todo = vec![(path.to_owned(), 0)];
    while let Some((path, depth)) = todo.pop() {
        if !std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
            freed += remove_file(&path);
        } else if depth < DEPTH {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            todo.extend(entries.map(|entry| (entry.path(), depth + 1)));
            folders.push(path);
        }
    }
    for folder in folders.iter().rev() {
        let _ = std::fs::remove_dir(folder);
    }
    freed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What two users keep in one git directory, each with a home of their own.
    fn two() -> (tempfile::TempDir, [Kept; 2]) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("git")).unwrap();
        let kept = ["ann", "bob"].map(|user| {
            let home = dir.path().join(user);
            let kept = Kept::new(&dir.path().join("git"));
            let key = Key::of_user(&|_| Some(home.clone().into()));
            assert!(kept.shared.key.set(key).is_ok());
            kept
        });
        (dir, kept)
    }

    fn read(kept: &Kept, name: &str) -> Option<Vec<u8>> {
        kept.read(name).map(|body| body.as_ref().to_vec())
    }

    #[test]
    fn what_was_kept_is_read_back_and_nothing_else() {
        let (_dir, [kept, _]) = two();
        for body in [&b""[..], b"x", &[7; 5000]] {
            kept.write("a/b", body).unwrap();
            assert_eq!(read(&kept, "a/b").unwrap(), body);
        }
        assert!(kept.read("a/c").is_none() && kept.recovered().is_none());
        kept.write("a/b", b"some bytes").unwrap();
        let path = kept.path("a/b").unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut damaged: Vec<Vec<u8>> = (0..whole.len()).map(|len| whole[..len].to_vec()).collect();
        damaged.push([&whole[..], b"x"].concat());
        damaged.extend((0..whole.len() * 8).map(|bit| {
            let mut bent = whole.clone();
            bent[bit / 8] ^= 1 << (bit % 8);
            bent
        }));
        for bytes in damaged {
            std::fs::write(&path, &bytes).unwrap();
            assert!(matches!(kept.inspect("a/b"), Found::Damaged));
            assert!(path.exists(), "a look changes nothing");
            assert!(kept.read("a/b").is_none() && !path.exists());
            let told = kept.recovered().unwrap();
            assert_eq!((told.first, told.count), (path.clone(), 1));
            assert!(kept.recovered().is_none(), "it is told once");
        }
        std::fs::write(&path, &whole).unwrap();
        assert_eq!(read(&kept, "a/b").unwrap(), b"some bytes");
        std::fs::copy(&path, kept.path("a/d").unwrap()).unwrap();
        assert!(kept.read("a/d").is_none(), "it is the file of another name");
    }

    #[test]
    fn nothing_is_made_where_the_repository_has_gone() {
        let (dir, [kept, _]) = two();
        let git = dir.path().join("git");
        kept.write("a/b", b"x").unwrap();
        std::fs::remove_dir_all(&git).unwrap();
        assert!(kept.write("a/b", b"x").is_err());
        assert!(!git.exists());
    }

    #[test]
    fn users_of_one_repository_keep_out_of_each_others_way() {
        let (_dir, [ann, bob]) = two();
        ann.write("seg/x", b"of ann").unwrap();
        bob.write("seg/x", b"of bob").unwrap();
        assert_eq!(read(&ann, "seg/x").unwrap(), b"of ann");
        std::fs::copy(bob.path("seg/x").unwrap(), ann.path("seg/x").unwrap()).unwrap();
        assert!(ann.read("seg/x").is_none(), "sealed by somebody else");
        assert_eq!(read(&bob, "seg/x").unwrap(), b"of bob");
        ann.sweep();
        assert_eq!(read(&bob, "seg/x").unwrap(), b"of bob");
        ann.remove_everywhere("seg");
        assert!(bob.read("seg/x").is_none());
        bob.write("log/y", b"y").unwrap();
        assert!(ann.remove_others() > 0 && bob.read("log/y").is_none());
    }

    // Windows opens no folder to change its date.
    #[cfg(unix)]
    #[test]
    fn what_nobody_believes_any_more_goes() {
        let (_dir, [ann, bob]) = two();
        let old = ann.top().join("seg/1234");
        std::fs::create_dir_all(old.parent().unwrap()).unwrap();
        std::fs::write(&old, [0; 100]).unwrap();
        std::fs::write(ann.top().join("worker.log"), "1 x").unwrap();
        ann.write("walked", b"x").unwrap();
        assert!(
            !old.exists(),
            "the first file of a user takes the place of unsealed ones"
        );
        assert!(ann.top().join("worker.log").exists());
        bob.write("walked", b"y").unwrap();
        let folder = bob.folder().unwrap();
        let long_ago = SystemTime::now() - 2 * STRANGE;
        let touched = File::open(&folder).and_then(|folder| folder.set_modified(long_ago));
        touched
            .and_then(|()| {
                File::options()
                    .write(true)
                    .open(folder.join("walked"))?
                    .set_modified(long_ago)
            })
            .unwrap();
        assert!(ann.sweep() > 0);
        assert!(!folder.exists() && read(&ann, "walked").is_some());
    }

    #[test]
    fn few_files_stay_and_only_those_that_are_wanted() {
        let (_dir, [kept, _]) = two();
        for n in 0..5 {
            kept.write(&format!("view/{n}"), b"v").unwrap();
            let file = File::options()
                .write(true)
                .open(kept.path(&format!("view/{n}")).unwrap());
            let date = SystemTime::UNIX_EPOCH + Duration::from_secs(1000 + n);
            file.unwrap().set_modified(date).unwrap();
        }
        kept.evict("view", 3);
        let names = || -> Vec<String> { kept.list("view").into_iter().map(|e| e.name).collect() };
        assert_eq!(names(), ["2", "3", "4"]);
        let begun = kept.begin("view/5", b"v").unwrap();
        std::fs::write(kept.path("view/new-dead").unwrap(), [0; 9]).unwrap();
        assert!(kept.retain("view", |name| name == "3") > 9);
        assert_eq!(names(), ["3"]);
        begun.finish().unwrap();
        assert_eq!(names(), ["3", "5"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_stands_in_the_place_of_ours_is_taken_away_and_nothing_behind_it() {
        let (dir, [kept, _]) = two();
        let letters = dir.path().join("letters");
        std::fs::create_dir_all(letters.join("b")).unwrap();
        for letter in ["a", "new-a", "b/a"] {
            std::fs::write(letters.join(letter), "a letter").unwrap();
        }
        let stay = || {
            let all = ["a", "new-a", "b/a"].map(|name| letters.join(name).exists());
            assert_eq!(all, [true; 3]);
            assert_eq!(std::fs::read_dir(&letters).unwrap().count(), 3);
        };
        let plant = || {
            let place = kept.path("vec").unwrap();
            let _ = std::fs::remove_dir_all(&place);
            let _ = std::fs::remove_file(&place);
            std::os::unix::fs::symlink(&letters, &place).unwrap();
        };
        kept.write("x", b"x").unwrap();
        let uses: [&dyn Fn(&Kept); 9] = [
            &|kept| drop(kept.read("vec/a")),
            &|kept| kept.remove("vec/b/a"),
            &|kept| kept.remove_damaged("vec/a"),
            &|kept| assert!(kept.list("vec").is_empty()),
            &|kept| assert!(kept.folders("vec").is_empty()),
            &|kept| assert_eq!(kept.retain("vec/b", |_| false), 0),
            &|kept| kept.evict("vec", 0),
            &|kept| {
                let _ = kept.remove_everywhere("vec/b");
            },
            &|kept| kept.write("vec/b/c", b"new").unwrap(),
        ];
        for (n, uses) in uses.iter().enumerate() {
            plant();
            assert!(matches!(kept.inspect("vec/a"), Found::Damaged));
            uses(&kept);
            stay();
            let place = kept.path("vec").unwrap().symlink_metadata();
            assert!(!place.is_ok_and(|place| place.is_symlink()), "{n}");
        }
        assert!(
            kept.recovered()
                .is_some_and(|told| told.first.ends_with("vec"))
        );
        assert_eq!(read(&kept, "vec/b/c").unwrap(), b"new");
    }

    #[test]
    fn without_a_key_nothing_is_kept_and_nothing_is_read() {
        let (_dir, [kept, _]) = two();
        kept.write("walked", b"x").unwrap();
        let nobody = Kept::new(kept.top().parent().unwrap());
        let none = nobody.shared.key.set(Err("no home".to_owned()));
        assert!(none.is_ok() && nobody.read("walked").is_none());
        assert!(
            nobody
                .write("walked", b"y")
                .unwrap_err()
                .to_string()
                .contains("no home")
        );
        assert!(nobody.recovered().is_none() && read(&kept, "walked").is_some());
    }
}
