//! What the system tells of changes to files. Here Linux, through inotify; elsewhere nothing is told.
//!
//! The kernel puts an event into the queue before the call returns that made the change. So whoever empties the
//! queue has heard of every change that was made before, and nothing has to wait or run beside. Who wants to be woken by
//! changes before there is a question has an [`Alarm`].
//! What it does not tell (inotify(7)): writing through a mapping of a file, and changes under another name of it.

use super::look::{Listener, Touched};
use gix::bstr::BStr;
use std::path::Path;
use std::time::Duration;

/// Why changes are not listened to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unwatched {
    /// Nothing is known of how this system tells.
    #[error("this system's way of telling of changes is not used yet")]
    System,
    /// Changes come from elsewhere too, or nobody knows whether they do.
    #[error("its file system may not tell of every change")]
    FileSystem,
    /// The system gives no more watches, or would have too few left for others.
    #[error("it has more folders than fs.inotify.max_user_watches allows")]
    TooMany,
    /// One file answers to paths that are spelt in several ways.
    #[error("core.ignoreCase or core.precomposeUnicode is set")]
    Spelling,
    /// Parts of the work tree cannot be named.
    #[error("a variable changes how git reads paths (GIT_*_PATHSPECS)")]
    Environment,
    /// Many files can be written under other names.
    #[error("too many of its files are hard links")]
    Linked,
    /// The system refused.
    #[error("the system refused to tell of changes")]
    Refused,
}

/// What was told since the last time.
#[derive(Default)]
pub(super) struct Told {
    /// Something was missed, or cannot be followed: listen anew, and look at everything.
    pub(super) lost: bool,
    /// What is ignored, or how files are read, may be another: look at everything.
    pub(super) rules: bool,
    /// Where something happened.
    pub(super) touched: Touched,
}

#[cfg(target_os = "linux")]
pub use linux::Alarm;
#[cfg(target_os = "linux")]
pub(super) use linux::Events;
#[cfg(not(target_os = "linux"))]
pub use nothing::Alarm;
#[cfg(not(target_os = "linux"))]
pub(super) use nothing::Events;

#[cfg(target_os = "linux")]
mod linux {
    use super::*;
    use gix::bstr::{BString, ByteSlice};
    use rustc_hash::FxHashMap;
    use rustix::event::{PollFd, PollFlags, Timespec};
    use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
    use rustix::io::Errno;
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::os::unix::fs::MetadataExt;
    use std::path::PathBuf;

    /// File systems whose every change goes through this kernel (`linux/magic.h`; ZFS and bcachefs name theirs in
    /// their own sources): ext2 to 4, XFS, Btrfs, F2FS, tmpfs, ramfs, ZFS, bcachefs.
    const LOCAL: [u32; 8] = [
        0xEF53,
        0x5846_5342,
        0x9123_683E,
        0xF2F5_2010,
        0x0102_1994,
        0x8584_58F6,
        0x2FC1_2FC1,
        0xCA45_1A4E,
    ];

    /// Bytes of events that are read at once: some hundred.
    const BUFFER: usize = 16 << 10;

    /// How long nothing more is told of until what somebody did to the work tree is taken to be done: editors and `git
    /// checkout` write many files one after the other.
    const QUIET: Duration = Duration::from_millis(100);

    /// How long that is waited for.
    const MOST_QUIETS: u32 = 20;

    /// A queue of events, and the directories that it is about.
    pub(in crate::git::worktree) struct Events {
        queue: OwnedFd,
        top: PathBuf,
        device: u64,
        /// Directories by the number of their watch.
        dirs: FxHashMap<i32, BString>,
        /// The watches of the git directory, which say nothing of files and wake who waits.
        git_dir: Vec<i32>,
        most: usize,
        failed: Option<Unwatched>,
        /// Set when a directory was left out before anybody listened to it.
        unsure: bool,
    }

    impl Events {
        /// Begins to listen: to no directory of the work tree yet.
        pub(in crate::git::worktree) fn open(
            top: &Path,
            git_dir: &Path,
        ) -> Result<Self, Unwatched> {
            let refused = |_| Unwatched::Refused;
            let kind = rustix::fs::statfs(top).map_err(refused)?.f_type;
            if !LOCAL
                .iter()
                .any(|local| i128::from(*local) == i128::from(kind))
            {
                return Err(Unwatched::FileSystem);
            }
            let queue = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK);
            let queue = queue.map_err(refused)?;
            // The git index gets its name when it is whole, and the log of HEAD grows with each commit. Where they are
            // not heard nobody is woken, and nothing is missed.
            let heard = [
                (git_dir.to_owned(), WatchFlags::MOVED_TO),
                (git_dir.join("logs"), WatchFlags::MODIFY),
            ];
            let watches = heard.iter().filter_map(|(dir, what)| {
                inotify::add_watch(&queue, dir, *what | WatchFlags::ONLYDIR).ok()
            });
            Ok(Self {
                git_dir: watches.collect(),
                queue,
                top: top.to_owned(),
                device: top.metadata().map_err(|_| Unwatched::Refused)?.dev(),
                dirs: FxHashMap::default(),
                most: most_watches(),
                failed: None,
                unsure: false,
            })
        }

        /// Returns why some directory could not be listened to, if so.
        pub(in crate::git::worktree) fn failed(&self) -> Option<Unwatched> {
            self.failed
        }

        /// Returns what wakes whoever waits for a change.
        pub(in crate::git::worktree) fn alarm(&self) -> Option<Alarm> {
            let queue = self.queue.try_clone().ok()?;
            Some(Alarm { queue })
        }

        /// Empties the queue.
        pub(in crate::git::worktree) fn told(&mut self) -> Told {
            let mut told = Told {
                rules: std::mem::take(&mut self.unsure),
                ..Told::default()
            };
            let mut buffer = [MaybeUninit::uninit(); BUFFER];
            let mut reader = Reader::new(&self.queue, &mut buffer);
            loop {
                let event = match reader.next() {
                    Ok(event) => event,
                    Err(Errno::AGAIN) => return told,
                    Err(Errno::INTR) => continue,
                    Err(_) => {
                        told.lost = true;
                        return told;
                    }
                };
                let what = event.events();
                if what.intersects(ReadFlags::QUEUE_OVERFLOW | ReadFlags::UNMOUNT) {
                    told.lost = true;
                    continue;
                }
                if self.git_dir.contains(&event.wd()) {
                    continue;
                }
                if what.contains(ReadFlags::IGNORED) {
                    // A directory is gone, of which the one above has told.
                    let gone = self.dirs.remove(&event.wd());
                    told.lost |= gone.is_some_and(|dir| dir.is_empty());
                    continue;
                }
                let Some(dir) = self.dirs.get(&event.wd()) else {
                    told.lost = true;
                    continue;
                };
                let name = event.file_name().map_or(&b""[..], |name| name.to_bytes());
                note(&mut told, dir.as_bstr(), name.as_bstr(), what);
            }
        }
    }

    /// Wakes whoever waits for a change of the work tree or of what is committed. Keeps the queue open that it is about.
    #[derive(Debug)]
    pub struct Alarm {
        queue: OwnedFd,
    }

    impl Alarm {
        /// Waits for a change, so long at most, and then until it is quiet. Returns whether there is one that nobody
        /// has looked at yet. It stays to be looked at.
        pub fn wait(&self, longest: Duration) -> bool {
            let longest = Timespec::try_from(longest).ok();
            let mut queue = [PollFd::new(&self.queue, PollFlags::IN)];
            if !rustix::event::poll(&mut queue, longest.as_ref()).is_ok_and(|ready| ready > 0) {
                return false;
            }
            let told = || rustix::io::ioctl_fionread(&self.queue).unwrap_or(0);
            let mut before = told();
            for _ in 0..MOST_QUIETS {
                std::thread::sleep(QUIET);
                let now = told();
                if now == before {
                    break;
                }
                before = now;
            }
            before > 0
        }
    }

    /// Takes down one event.
    fn note(told: &mut Told, dir: &BStr, name: &BStr, what: ReadFlags) {
        let moved = ReadFlags::MOVED_FROM | ReadFlags::MOVED_TO;
        let is_dir = what.contains(ReadFlags::ISDIR);
        let is_in_git = dir == ".git" || dir.ends_with(b"/.git");
        if name == ".git" || is_in_git {
            // At the top it is the repository itself. Elsewhere another one came or went.
            told.lost |= !dir.is_empty();
            return;
        }
        if matches!(name.as_bytes(), b".gitignore" | b".gitattributes") {
            told.rules = true;
        }
        // What is below a directory that moves is listened to under its old name.
        told.lost |= is_dir && what.intersects(moved);
        let path: BString = match (dir.is_empty(), name.is_empty()) {
            (_, true) => dir.into(),
            (true, false) => name.into(),
            (false, false) => [dir.as_bytes(), name.as_bytes()].join(&b'/').into(),
        };
        match is_dir || name.is_empty() {
            true => told.touched.dirs.insert(path),
            false => told.touched.files.insert(path),
        };
    }

    impl Listener for Events {
        fn left_out(&mut self, dir: &BStr) {
            let known = self.dirs.len();
            self.before_reading(dir);
            // It was looked at already, so a change in between would be missed.
            self.unsure |= self.dirs.len() > known;
        }

        fn before_reading(&mut self, dir: &BStr) {
            if self.failed.is_some() {
                return;
            }
            let Ok(relative) = gix::path::from_bstr(dir) else {
                self.failed = Some(Unwatched::Refused);
                return;
            };
            let place = self.top.join(relative);
            let what = WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::MODIFY
                | WatchFlags::CLOSE_WRITE
                | WatchFlags::ATTRIB
                | WatchFlags::MOVE
                | WatchFlags::ONLYDIR
                | WatchFlags::DONT_FOLLOW
                | WatchFlags::EXCL_UNLINK;
            match inotify::add_watch(&self.queue, &place, what) {
                Ok(number) => {
                    // The git directory may lie in the work tree under a name of its own.
                    self.git_dir.retain(|other| *other != number);
                    self.dirs.insert(number, dir.to_owned());
                }
                // It is not there, or is no directory; the one above tells when that changes.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return,
                Err(Errno::NOSPC) => self.failed = Some(Unwatched::TooMany),
                Err(_) => self.failed = Some(Unwatched::Refused),
            }
            if self.dirs.len() > self.most {
                self.failed = Some(Unwatched::TooMany);
            }
            if std::fs::symlink_metadata(&place).is_ok_and(|found| found.dev() != self.device) {
                self.failed = Some(Unwatched::FileSystem);
            }
        }
    }

    /// Half of what the user may have: editors and build tools need some, too.
    fn most_watches() -> usize {
        let allowed = std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches");
        let allowed = allowed
            .ok()
            .and_then(|text| text.trim().parse::<usize>().ok());
        allowed.map_or(usize::MAX, |allowed| allowed / 2)
    }
}

#[cfg(not(target_os = "linux"))]
mod nothing {
    use super::*;

    /// Nothing is told.
    pub(in crate::git::worktree) enum Events {}

    impl Events {
        /// Fails.
        pub(in crate::git::worktree) fn open(
            _top: &Path,
            _git_dir: &Path,
        ) -> Result<Self, Unwatched> {
            Err(Unwatched::System)
        }

        /// Cannot be asked.
        pub(in crate::git::worktree) fn failed(&self) -> Option<Unwatched> {
            match *self {}
        }

        /// Cannot be asked.
        pub(in crate::git::worktree) fn told(&mut self) -> Told {
            match *self {}
        }

        /// Cannot be asked.
        pub(in crate::git::worktree) fn alarm(&self) -> Option<Alarm> {
            match *self {}
        }
    }

    /// Nothing wakes anybody.
    #[derive(Debug)]
    pub enum Alarm {}

    impl Alarm {
        /// Cannot be asked.
        pub fn wait(&self, _longest: Duration) -> bool {
            match *self {}
        }
    }

    impl Listener for Events {
        fn before_reading(&mut self, _dir: &BStr) {
            match *self {}
        }

        fn left_out(&mut self, _dir: &BStr) {
            match *self {}
        }
    }
}
