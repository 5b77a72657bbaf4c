//! Who tells of changes to the work tree: the system ([`super::events`]), or git's own monitor ([`super::monitor`]) where
//! the system cannot be listened to and the user has it on.

use super::events::{Alarm, Events, Told, Unwatched};
use super::index::Index;
use super::look::{Listener, Touched};
use super::monitor::Monitor;
use crate::git::Repo;
use gix::bstr::{BStr, BString, ByteSlice};
use rustc_hash::FxHashMap;

/// Who tells of changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tells {
    /// The system.
    System,
    /// git's file system monitor.
    Monitor,
}

/// Somebody who tells.
pub(super) enum Teller {
    System(Events),
    Monitor(Monitor),
}

/// Variables that change how git reads the paths that it is given (gitglossary(7)), which is how parts of the work tree
/// are named to its walk.
const PATHSPEC_VARIABLES: [&str; 4] = [
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
];

/// Begins to listen, if what is heard would be enough.
pub(super) fn listen(repo: &Repo) -> Result<Teller, Unwatched> {
    let system = listen_to_system(repo).map(Teller::System);
    system.or_else(|why| ask_monitor(repo).ok_or(why))
}

/// Begins to ask git's monitor, if there is one that can be trusted. That of Linux cannot: what happens in a folder that
/// was renamed it tells under the name that this had (git 2.55), and it listens to nothing that we cannot listen to.
pub(super) fn ask_monitor(repo: &Repo) -> Option<Teller> {
    if cfg!(target_os = "linux") || !can_name_parts() {
        return None;
    }
    Monitor::open(repo).map(Teller::Monitor)
}

fn can_name_parts() -> bool {
    let is_set = |name| std::env::var_os(name).is_some();
    !PATHSPEC_VARIABLES.into_iter().any(is_set)
}

fn listen_to_system(repo: &Repo) -> Result<Events, Unwatched> {
    if !can_name_parts() {
        return Err(Unwatched::Environment);
    }
    let files = repo.local().filesystem_options();
    if files.map_or(true, |files| files.ignore_case || files.precompose_unicode) {
        return Err(Unwatched::Spelling);
    }
    let top = repo.work_dir().ok_or(Unwatched::FileSystem)?;
    Events::open(top, repo.git_dir())
}

impl Teller {
    /// Returns who it is.
    pub(super) fn who(&self) -> Tells {
        match self {
            Self::System(_) => Tells::System,
            Self::Monitor(_) => Tells::Monitor,
        }
    }

    /// Returns what happened since it was asked before.
    pub(super) fn told(&mut self) -> Told {
        match self {
            Self::System(events) => events.told(),
            Self::Monitor(monitor) => monitor.told(),
        }
    }

    /// Returns why it cannot tell of everything, if so.
    pub(super) fn failed(&self) -> Option<Unwatched> {
        match self {
            Self::System(events) => events.failed(),
            Self::Monitor(_) => None,
        }
    }

    /// Returns what wakes whoever waits for a change; `None` where nothing does.
    pub(super) fn alarm(&self) -> Option<Alarm> {
        match self {
            Self::System(events) => events.alarm(),
            Self::Monitor(_) => None,
        }
    }

    /// Whether it may have told of something under another spelling than it has elsewhere.
    pub(super) fn may_misspell(&self, touched: &Touched, index: &Index) -> bool {
        matches!(self, Self::Monitor(monitor) if monitor.is_loose) && is_misspelt(touched, index)
    }
}

impl Listener for Teller {
    fn before_reading(&mut self, dir: &BStr) {
        if let Self::System(events) = self {
            events.before_reading(dir);
        }
    }

    fn left_out(&mut self, dir: &BStr) {
        if let Self::System(events) = self {
            events.left_out(dir);
        }
    }
}

/// Whether a path, or a folder on its way, is spelt otherwise than the git index has it. Of what is more than ASCII, nobody
/// here knows which spellings are one.
fn is_misspelt(touched: &Touched, index: &Index) -> bool {
    let mut spelt: FxHashMap<BString, &BStr> = FxHashMap::default();
    for path in touched.files.iter().chain(&touched.dirs) {
        if !path.is_ascii() {
            return true;
        }
        let slashes = path.find_iter(b"/").map(|at| path[..at].as_bstr());
        for part in slashes.chain([path.as_bstr()]) {
            let known = spelt.insert(part.to_ascii_lowercase().into(), part);
            if known.is_some_and(|known| known != part) {
                return true;
            }
        }
    }
    let files = index.entries().iter().map(|entry| entry.path(index));
    let mut all = files.chain(index.dirs());
    all.any(|path| {
        let told = spelt.get(&BString::from(path.to_ascii_lowercase()));
        told.is_some_and(|told| *told != path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gix::index::entry::{Flags, Mode, Stat};

    #[test]
    fn what_the_index_has_in_other_letters_is_noticed() {
        let temp = tempfile::tempdir().unwrap();
        let repo = gix::init(temp.path()).unwrap();
        let mut state = gix::index::State::new(repo.object_hash());
        for path in ["Makefile", "src/Lib.rs"] {
            let id = gix::ObjectId::empty_blob(repo.object_hash());
            let path = BStr::new(path);
            state.dangerously_push_entry(Stat::default(), id, Flags::empty(), Mode::FILE, path);
        }
        let mut file = gix::index::File::from_state(state, repo.index_path());
        file.write(Default::default()).unwrap();
        let index = Index::read(&repo).unwrap();
        let is_misspelt = |paths: &[&str]| {
            let touched = Touched {
                files: paths.iter().map(|path| BString::from(*path)).collect(),
                ..Touched::default()
            };
            is_misspelt(&touched, &index)
        };
        for plain in [
            &["Makefile"][..],
            &["src/Lib.rs", "src"],
            &["src/new.rs", "doc/Makefile"],
        ] {
            assert!(!is_misspelt(plain), "{plain:?}");
        }
        for other in [
            &["makefile"][..],
            &["SRC/Lib.rs"],
            &["Src/new.rs"],
            &["src/lib.rs/x"],
            &["new", "New"],
            &["na\u{ef}ve"],
        ] {
            assert!(is_misspelt(other), "{other:?}");
        }
    }
}
