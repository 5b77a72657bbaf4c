use super::super::look::Unheard;
use super::super::untracked;
use super::*;
use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::{Flags, Mode, Stat};
use proptest::prelude::*;
use rustix::fs::{CWD, FileType, Mode as FileMode, mknodat};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A work tree with a git index that says whatever a test wants.
struct Tree {
    _temp: TempDir,
    top: PathBuf,
    entries: Vec<(BString, Mode, Flags)>,
}

impl Tree {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().join("top");
        gix::init(&top).unwrap();
        Self {
            _temp: temp,
            top,
            entries: Vec::new(),
        }
    }

    /// One with these files, all tracked.
    fn of(files: &[&str]) -> Self {
        let mut tree = Self::new();
        for path in files {
            tree.write(path).track(path, Mode::FILE, Flags::empty());
        }
        tree
    }

    fn at(&self, path: impl AsRef<[u8]>) -> PathBuf {
        self.top.join(OsStr::from_bytes(path.as_ref()))
    }

    fn write(&mut self, path: impl AsRef<[u8]>) -> &mut Self {
        let place = self.at(path);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, "text\n").unwrap();
        self
    }

    fn track(&mut self, path: impl AsRef<[u8]>, mode: Mode, flags: Flags) -> &mut Self {
        self.entries.push((path.as_ref().into(), mode, flags));
        self
    }

    fn configure(&self, setting: &str) {
        let place = self.top.join(".git/config");
        let text = std::fs::read_to_string(&place).unwrap() + "[core]\n" + setting + "\n";
        std::fs::write(place, text).unwrap();
    }

    fn open(&self) -> (gix::Repository, Index) {
        let repo = gix::open_opts(&self.top, gix::open::Options::isolated()).unwrap();
        let mut state = gix::index::State::new(repo.object_hash());
        for (path, mode, flags) in &self.entries {
            let id = gix::ObjectId::empty_blob(repo.object_hash());
            state.dangerously_push_entry(Stat::default(), id, *flags, *mode, path.as_bstr());
        }
        state.sort_entries();
        state.remove_entries({
            let mut last = None;
            move |_, path, entry| last.replace((path.to_owned(), entry.stage_raw())) == last
        });
        let mut file = gix::index::File::from_state(state, repo.index_path());
        file.write(Default::default()).unwrap();
        let index = Index::read(&repo).unwrap();
        (repo, index)
    }

    fn walk(&self) -> Option<Met> {
        let (repo, index) = self.open();
        walk(&repo, &index)
    }
}

fn strange(met: &Met) -> Vec<(&BStr, bool)> {
    let mut all: Vec<_> = met.strange.iter().map(|(p, d)| (p.as_bstr(), *d)).collect();
    all.sort();
    all
}

#[test]
fn what_stands_there_is_met() {
    let mut tree = Tree::of(&["a/b/c", "a/d", "gone/x", "swapped", "top"]);
    std::fs::remove_dir_all(tree.at("gone")).unwrap();
    std::fs::remove_file(tree.at("swapped")).unwrap();
    tree.write("swapped/x").write("a/new").write("other/deep/x");
    symlink("top", tree.at("link")).unwrap();
    let met = tree.walk().unwrap();
    let is_file: Vec<_> = met.seen.iter().map(|seen| *seen != Seen::Other).collect();
    assert_eq!(is_file, [true, true, false, false, true]);
    let new = ["a/new", "other", "swapped"].map(BStr::new);
    assert_eq!(
        strange(&met),
        [(new[0], false), (new[1], true), (new[2], true)]
    );
}

#[test]
fn an_empty_index_is_walked() {
    let mut tree = Tree::new();
    tree.write("new");
    assert_eq!(strange(&tree.walk().unwrap()), [(BStr::new("new"), false)]);
}

#[test]
fn what_has_another_name_is_told() {
    let tree = Tree::of(&["a/one", "a/two", "b"]);
    std::fs::hard_link(tree.at("a/two"), tree.at("three")).unwrap();
    let (repo, index) = tree.open();
    let met = walk(&repo, &index).unwrap();
    let linked = met
        .linked
        .iter()
        .map(|at| index.entries()[*at].path(&index));
    assert_eq!(linked.collect::<Vec<_>>(), ["a/two"]);
}

#[test]
fn what_is_out_of_the_ordinary_is_left_to_the_other_walk() {
    let plain = || Tree::of(&["a/b/c", "top"]);
    assert!(plain().walk().is_some());
    for setting in ["ignoreCase = true", "precomposeUnicode = true"] {
        let tree = plain();
        tree.configure(setting);
        assert!(tree.walk().is_none(), "{setting}");
    }
    for (path, mode, flags) in [
        ("module", Mode::COMMIT, Flags::empty()),
        ("sparse/", Mode::DIR, Flags::SKIP_WORKTREE | Flags::EXTENDED),
        ("left", Mode::FILE, Flags::SKIP_WORKTREE | Flags::EXTENDED),
        ("a", Mode::FILE, Flags::empty()),
        ("top/x", Mode::FILE, Flags::empty()),
        ("../x", Mode::FILE, Flags::empty()),
        ("a/./x", Mode::FILE, Flags::empty()),
        ("a//x", Mode::FILE, Flags::empty()),
        ("/x", Mode::FILE, Flags::empty()),
        (".git/config", Mode::FILE, Flags::empty()),
        ("a/.GIT/x", Mode::FILE, Flags::empty()),
    ] {
        let mut tree = plain();
        tree.track(path, mode, flags);
        assert!(tree.walk().is_none(), "{path}");
    }
    for dir in ["a", "a/b"] {
        let repository = |make: fn(PathBuf)| {
            let tree = plain();
            make(tree.at(dir).join(".git"));
            tree.walk()
        };
        assert!(repository(|place| std::fs::create_dir(place).unwrap()).is_none());
        assert!(repository(|place| std::fs::write(place, "gitdir: /x\n").unwrap()).is_none());
        assert!(repository(|place| symlink("/x", place).unwrap()).is_none());
        let replaced = |make: fn(PathBuf)| {
            let tree = plain();
            std::fs::remove_dir_all(tree.at(dir)).unwrap();
            make(tree.at(dir));
            tree.walk()
        };
        assert!(replaced(|place| std::fs::write(place, "").unwrap()).is_none());
        assert!(replaced(|place| symlink("/", place).unwrap()).is_none());
    }
    let tree = plain();
    let (repo, index) = tree.open();
    std::fs::rename(&tree.top, tree.top.with_file_name("moved")).unwrap();
    assert!(walk(&repo, &index).is_none());
}

#[test]
fn what_is_too_much_is_left_to_the_other_walk() {
    let deep = |levels: usize| Tree::of(&[&("d/".repeat(levels) + "x")]).walk();
    assert!(deep(32).is_some() && deep(33).is_none());
    let tree = Tree::of(&["a/b"]);
    let fill = |range: std::ops::Range<usize>| {
        range.for_each(|n| std::fs::write(tree.at(format!("a/{n}")), "").unwrap());
    };
    fill(0..10_000);
    assert_eq!(tree.walk().unwrap().strange.len(), 10_000);
    fill(10_000..10_001);
    assert!(tree.walk().is_none());
}

#[test]
fn what_is_removed_meanwhile_is_not_there() {
    let mut tree = Tree::of(&["a/b/c", "a/b/d/e", "stays/x", "top"]);
    let (repo, index) = tree.open();
    let done = std::sync::atomic::AtomicBool::new(false);
    let order = std::sync::atomic::Ordering::Relaxed;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(order) {
                std::fs::remove_dir_all(tree.top.join("a")).unwrap();
                for path in ["a/b/d/e", "a/b/c", "a/new/x"] {
                    let place = tree.top.join(path);
                    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
                    std::fs::write(place, "").unwrap();
                }
            }
        });
        for _ in 0..2000 {
            let met = walk(&repo, &index).unwrap();
            assert!(met.seen[2] != Seen::Other && met.seen[3] != Seen::Other);
            let strange = strange(&met);
            assert!(
                strange.iter().all(|(path, _)| path.starts_with(b"a/")),
                "{strange:?}"
            );
        }
        done.store(true, order);
    });
    std::fs::remove_dir_all(tree.at("a")).unwrap();
    tree.write("top");
    assert_eq!(tree.walk().unwrap().seen[0], Seen::Other);
}

/// Names that mean something to somebody.
const NAMES: [&[u8]; 20] = [
    b"a",
    b"b",
    b"c",
    b"a.py",
    b"b.py",
    b"e.txt",
    b"x\ny.py",
    b"\xff\xfe.py",
    b"a b",
    b"*.py",
    b"[a].py",
    b":(top)x",
    b"!n",
    b"#h",
    b"\\b",
    b"trail ",
    b".gitx",
    b".git.py",
    b"a-b",
    b"a0",
];

const RULES: [&str; 14] = [
    "a/",
    "*.py",
    "!a.py",
    "/b",
    "b/*",
    "!b/a.py",
    "**/c",
    "*.txt",
    "c/**",
    "!c/**/a.py",
    "/a/b/",
    "!/a/",
    "*",
    "!*/",
];

/// What is done to a tree.
#[derive(Clone, Debug)]
enum Step {
    /// A file, tracked or not.
    File {
        is_tracked: bool,
    },
    /// A tracked file, whatever stands at its place.
    Gone,
    /// A tracked one of which the index says something.
    Flagged(u8),
    Dir,
    Link(u8),
    Pipe,
    Rules(Vec<u8>),
    /// Another repository, or what looks like one.
    Repository(u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => any::<bool>().prop_map(|is_tracked| Step::File { is_tracked }),
        1 => Just(Step::Gone),
        1 => any::<u8>().prop_map(Step::Flagged),
        1 => Just(Step::Dir),
        1 => any::<u8>().prop_map(Step::Link),
        1 => Just(Step::Pipe),
        2 => prop::collection::vec(any::<u8>(), 1..4).prop_map(Step::Rules),
        1 => any::<u8>().prop_map(Step::Repository),
    ]
}

fn steps() -> impl Strategy<Value = Vec<(Vec<u8>, bool, Step)>> {
    let name = prop_oneof![2 => 0..3_usize, 1 => 0..NAMES.len()];
    let path = prop::collection::vec(name.prop_map(|at| NAMES[at]), 1..5);
    let path = path.prop_map(|parts| parts.join(&b'/'));
    prop::collection::vec((path, prop::bool::weighted(0.2), step()), 1..40)
}

/// Makes way for something at a place.
fn clear(top: &Path, place: &Path) {
    let way = place.ancestors().take_while(|above| *above != top);
    // From the top, so that no link is followed.
    for above in way.collect::<Vec<_>>().into_iter().rev() {
        match above.symlink_metadata() {
            Ok(meta) if !meta.is_dir() => std::fs::remove_file(above).unwrap(),
            Ok(_) if above == place => std::fs::remove_dir_all(above).unwrap(),
            _ => {}
        }
    }
}

/// Whether a step may be taken at a place: what is behind a link is not ours, and whoever writes to a pipe waits.
fn is_open_to_all(top: &Path, place: &Path) -> bool {
    let mut way = place.ancestors().skip(1).take_while(|above| *above != top);
    let is_plain = |meta: std::fs::Metadata| meta.is_file() || meta.is_dir();
    !way.any(Path::is_symlink) && place.symlink_metadata().map_or(true, is_plain)
}

/// Does a step, as far as what was done before lets it.
fn take(tree: &mut Tree, path: &[u8], step: &Step) -> std::io::Result<()> {
    let place = tree.at(path);
    let parent = place.parent().unwrap();
    let file = |tree: &mut Tree, mode, flags| {
        tree.track(path, mode, flags);
        std::fs::write(&place, "text\n")
    };
    if matches!(step, Step::Gone) {
        tree.track(path, Mode::FILE, Flags::empty());
        return Ok(());
    }
    if !is_open_to_all(&tree.top, &place) {
        return Ok(());
    }
    std::fs::create_dir_all(parent)?;
    match step {
        Step::File { is_tracked: true } => file(tree, Mode::FILE, Flags::empty()),
        Step::File { is_tracked: false } => std::fs::write(&place, "text\n"),
        Step::Gone => Ok(()),
        Step::Flagged(how) => match how % 5 {
            0 => file(tree, Mode::FILE, Flags::ASSUME_VALID),
            1 => file(tree, Mode::FILE, Flags::INTENT_TO_ADD | Flags::EXTENDED),
            2 => file(tree, Mode::SYMLINK, Flags::empty()),
            sides => {
                let sides = [&[1_u32, 2, 3][..], &[1, 3]][usize::from(sides % 2)];
                let mut side = |side| file(tree, Mode::FILE, Flags::from_bits_retain(side << 12));
                sides.iter().try_for_each(|stage| side(*stage))
            }
        },
        Step::Dir => std::fs::create_dir_all(&place),
        Step::Link(to) => symlink(
            [".", "..", "nowhere", "/etc", "a", "b"][*to as usize % 6],
            &place,
        ),
        Step::Pipe => Ok(mknodat(
            CWD,
            &place,
            FileType::Fifo,
            FileMode::from(0o600),
            0,
        )?),
        Step::Rules(rules) => {
            let text: Vec<_> = rules
                .iter()
                .map(|at| RULES[*at as usize % RULES.len()])
                .collect();
            std::fs::write(parent.join(".gitignore"), text.join("\n"))
        }
        Step::Repository(how) => {
            std::fs::create_dir_all(&place)?;
            match how % 4 {
                0 => gix::init(&place).map(drop).map_err(std::io::Error::other),
                1 => std::fs::create_dir(place.join(".git")),
                2 => std::fs::write(place.join(".git"), "gitdir: /nowhere\n"),
                _ => gix::init_bare(&place)
                    .map(drop)
                    .map_err(std::io::Error::other),
            }
        }
    }
}

/// What a look at each path alone tells.
fn look(tree: &Tree, path: &BStr) -> Seen {
    match gix::index::fs::Metadata::from_path_no_follow(&tree.at(path)) {
        Ok(meta) if meta.is_file() => Seen::File(Stat::from_fs(&meta).ok()),
        _ => Seen::Other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_walks_find_the_same(steps in steps()) {
        let mut tree = Tree::new();
        for (path, is_forced, step) in &steps {
            if *is_forced {
                clear(&tree.top, &tree.at(path));
            }
            let _ = take(&mut tree, path, step);
        }
        let (repo, index) = tree.open();
        if let Some(met) = walk(&repo, &index) {
            let folders = folders(&index).unwrap();
            for each in [1, 2, 3, 100] {
                let other = in_runs(&tree.top, index.entries().len(), &folders, each).unwrap();
                prop_assert_eq!(&other.seen, &met.seen);
                prop_assert_eq!(strange(&other), strange(&met));
            }
            let mut before = None;
            for (entry, seen) in index.entries().iter().zip(&met.seen) {
                let path = entry.path(&index);
                if before != Some(path) {
                    prop_assert_eq!(*seen, look(&tree, path), "{:?}", path);
                }
                before = Some(path);
            }
            // What one side of a conflict lacks is tracked and compared, whether it is listed or not.
            let others = |paths: Vec<BString>| -> Vec<_> {
                let is_other = |path: &BString| index.at(path.as_ref()).is_empty();
                paths.into_iter().filter(is_other).collect()
            };
            let ours = untracked::among(&repo, &index, met.strange, &mut Unheard).unwrap();
            let theirs = untracked::all(&repo, &index, &mut Unheard).unwrap();
            prop_assert_eq!(others(ours), others(theirs));
        }
    }
}
