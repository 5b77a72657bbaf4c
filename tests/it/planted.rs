//! Links and pipes that came with a git directory under names that we use: an unpacked archive has
//! them, and so has a bare repository that somebody committed into another.
//!
//! What the names are is found by using the program, so that a new one cannot be forgotten.
#![cfg(unix)]

use crate::harness::TestRepo;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Every kind of work that keeps something in the git directory.
const WORK: &[&[&str]] = &[
    &["index"],
    &["symbol", "one"],
    &["search", "what is one"],
    &["map"],
    &["refs", "one"],
    &["audit", "unused"],
    &["remember", "-k", "fact", "-t", "one.py", "One is the first"],
    &["recall", "first"],
    &["trace", "import", "lcov.info"],
    &["status"],
    &["doctor"],
    &["fsck"],
    &["gc"],
    &["forget", "two.py"],
    &["hook", "post-commit"],
    &["init", "--no-index", "--write", "claude"],
    &["init", "--undo"],
];

/// A repository of the user's, who has one home and one key for all of them.
fn repository(user: &TestRepo, name: &str) -> TestRepo {
    let dir = user.beside(name);
    user.git(&["init", "-q", "-b", "main", dir.to_str().unwrap()]);
    let repo = user.at(dir);
    repo.write("one.py", "def one():\n    return two()\n");
    repo.write("two.py", "def two():\n    pass\n");
    repo.write("lcov.info", "SF:one.py\nDA:1,1\nDA:2,1\nend_of_record\n");
    repo.commit("first");
    repo
}

/// Works; a process that waits for ever would hang the test, so none may last.
fn work(repo: &TestRepo) {
    for (n, args) in WORK.iter().enumerate() {
        repo.write("dirty.py", format!("def dirty{n}():\n    one()\n"));
        let out = repo.sverklo(args);
        assert!(
            out.status.is_some_and(|code| code <= 2),
            "{args:?}: {:?} {}",
            out.status,
            out.stderr
        );
        assert!(!out.stderr.contains("panicked"), "{args:?}: {}", out.stderr);
    }
}

/// What a folder holds, and the bytes of its files.
fn listing(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let data = path.symlink_metadata().unwrap();
            let bytes = match data.is_file() {
                true => std::fs::read(&path).unwrap(),
                false => Vec::new(),
            };
            if data.is_dir() {
                folders.push(path.clone());
            }
            all.insert(path, bytes);
        }
    }
    all
}

/// Names of ours in a git directory that was worked in: files, and folders.
fn names(user: &TestRepo) -> (BTreeSet<PathBuf>, BTreeSet<PathBuf>) {
    let repo = repository(user, "clean");
    let (mut files, mut folders) = (BTreeSet::new(), BTreeSet::new());
    // What is removed at the end was there in between.
    for (n, args) in WORK.iter().enumerate() {
        repo.write("dirty.py", format!("def dirty{n}():\n    one()\n"));
        let _ = repo.sverklo(args);
        let git = repo.dir().join(".git");
        for path in listing(&git).into_keys() {
            let name = path.strip_prefix(&git).unwrap().to_owned();
            // Deeper ones lie in a folder that is named by the user's key.
            let is_known = name.components().count() <= 3;
            if is_known && name.to_string_lossy().starts_with("sverklo") {
                let _ = match path.is_dir() {
                    true => folders.insert(name),
                    false => files.insert(name),
                };
            }
        }
    }
    files.extend(["rewrites", "worker.log", "taken"].map(|name| Path::new("sverklo").join(name)));
    (files, folders)
}

/// A folder of the user's that has all names that ours have.
fn precious(repo: &TestRepo, files: &BTreeSet<PathBuf>) -> PathBuf {
    let folder = repo.dir().with_extension("letters");
    for name in files {
        let name = name.strip_prefix("sverklo").unwrap_or(name);
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "a letter\n").unwrap();
    }
    for old in [
        "seg/letter",
        "log/letter",
        "graph/letter",
        "memory/a/letter",
        "pending/letter",
    ] {
        std::fs::create_dir_all(folder.join(old).parent().unwrap()).unwrap();
        std::fs::write(folder.join(old), "a letter\n").unwrap();
    }
    folder
}

#[test]
fn no_link_under_our_names_is_followed() {
    let user = TestRepo::init();
    let (files, folders) = names(&user);
    assert!(
        files.len() > 3 && folders.contains(Path::new("sverklo")),
        "{files:?} {folders:?}"
    );
    // Every folder on its own, since below a link there is nothing to plant.
    for (n, name) in folders.iter().enumerate() {
        let repo = repository(&user, &format!("folder{n}"));
        let outside = precious(&repo, &files);
        let before = listing(&outside);
        let place = repo.dir().join(".git").join(name);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        let below = name.strip_prefix("sverklo").unwrap_or(name);
        symlink(outside.join(below), &place).unwrap();
        work(&repo);
        assert_eq!(listing(&outside), before, "{name:?} is a link");
    }
    // All files at once: links to what is there, and to what is not.
    for there in [true, false] {
        let repo = repository(&user, &format!("files-{there}"));
        let outside = precious(&repo, &files);
        let before = listing(&outside);
        for name in &files {
            let place = repo.dir().join(".git").join(name);
            std::fs::create_dir_all(place.parent().unwrap()).unwrap();
            let below = name.strip_prefix("sverklo").unwrap_or(name);
            let to = match there {
                true => outside.join(below),
                false => outside.join(format!("{}-new", below.display())),
            };
            symlink(to, &place).unwrap();
        }
        work(&repo);
        assert_eq!(listing(&outside), before, "files are links, there: {there}");
    }
}

#[test]
fn no_pipe_under_our_names_is_waited_for() {
    let user = TestRepo::init();
    let (files, _) = names(&user);
    let repo = repository(&user, "pipes");
    for name in &files {
        let place = repo.dir().join(".git").join(name);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        let made = repo.command("mkfifo").arg(&place).status().unwrap();
        assert!(made.success());
    }
    work(&repo);
}

/// All that is kept for the user in a repository that was worked in, files or folders, as names below the git directory.
fn kept(repo: &TestRepo, folders: bool) -> Vec<PathBuf> {
    for args in &WORK[..WORK.len() - 5] {
        let _ = repo.sverklo(args);
    }
    let all = listing(&repo.kept()).into_keys();
    all.filter(|path| path.is_dir() == folders).collect()
}

#[test]
fn no_link_in_the_place_of_a_folder_of_the_user_is_followed() {
    let user = TestRepo::init();
    for inner in [true, false] {
        let repo = repository(&user, &format!("deep-{inner}"));
        let mut folders = kept(&repo, true);
        assert!(folders.len() > 6, "{folders:?}");
        // Those nearer to the top are refused by name, and so are all commands then.
        let top = repo.kept();
        folders.retain(|path| (path.parent() != Some(&*top)) == inner);
        assert!(!folders.is_empty());
        let outside = repo.dir().with_extension("letters");
        for (n, folder) in folders.iter().enumerate() {
            let to = outside.join(n.to_string());
            // Names that are wanted by nobody, and all that would be.
            std::fs::create_dir_all(to.join("static-v1")).unwrap();
            for name in ["thesis.txt", "static-v1/thesis.txt", "new-plan.txt"] {
                std::fs::write(to.join(name), "a letter\n").unwrap();
            }
            std::fs::remove_dir_all(folder).unwrap();
            symlink(&to, folder).unwrap();
        }
        let before = listing(&outside);
        work(&repo);
        assert_eq!(listing(&outside), before, "{folders:?} are links");
        let answers = repo.sverklo(&["symbol", "one"]).status == Some(0);
        assert_eq!(answers, inner);
        if !inner {
            // Nearer to the top they are refused by name.
            continue;
        }
        let told = repository(&user, "told");
        let _ = kept(&told, true);
        let folder = told.kept().join("vec/static-v1");
        std::fs::remove_dir_all(&folder).unwrap();
        symlink(&outside, &folder).unwrap();
        let out = told.sverklo(&["search", "what is one"]);
        assert!(
            out.stdout.contains("was damaged"),
            "{}{}",
            out.stdout,
            out.stderr
        );
        assert!(folder.symlink_metadata().is_ok_and(|found| found.is_dir()));
        assert_eq!(listing(&outside), before);
    }
}

#[test]
fn no_pipe_in_the_place_of_a_kept_file_is_waited_for() {
    let user = TestRepo::init();
    let repo = repository(&user, "deep-pipes");
    let mut files = kept(&repo, false);
    // Those nearer to the top are refused by name, and so are all commands then.
    let top = repo.kept();
    files.retain(|path| path.parent() != Some(&*top));
    assert!(files.len() > 4, "{files:?}");
    for file in &files {
        std::fs::remove_file(file).unwrap();
        let made = repo.command("mkfifo").arg(file).status().unwrap();
        assert!(made.success());
    }
    work(&repo);
    assert!(repo.sverklo(&["symbol", "one"]).stdout.contains("one.py"));
}

#[test]
fn doctor_reads_no_more_of_a_file_than_a_line_of_ours_has() {
    let user = TestRepo::init();
    let repo = repository(&user, "large");
    repo.sverklo(&["index"]).success();
    let log = repo.dir().join(".git/sverklo/worker.log");
    std::fs::write(&log, "1 it went wrong\n").unwrap();
    let file = std::fs::File::options().write(true).open(&log).unwrap();
    // As much as no machine has, and no room on the disk.
    file.set_len(1 << 40).unwrap();
    let out = repo.sverklo(&["doctor"]);
    assert!(
        out.stdout.contains("it went wrong"),
        "{}{}",
        out.stdout,
        out.stderr
    );
}

/// What zlib would make of some bytes without pressing them.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).unwrap();
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    let mut out = vec![0x78, 0x01, 0x01];
    out.extend(length.to_le_bytes());
    out.extend((!length).to_le_bytes());
    out.extend(bytes);
    out.extend((b << 16 | a).to_be_bytes());
    out
}

#[test]
fn an_object_that_says_any_size_ends_no_process() {
    let repo = TestRepo::init();
    repo.write("a.py", "def a():\n    pass\n").commit("one");
    let mut listed = repo.git(&["ls-tree", "HEAD"]);
    let sizes = [u64::MAX, u64::MAX - 1, 1 << 63, 1 << 40, (1 << 40) + 1];
    for (n, size) in sizes.into_iter().enumerate() {
        let id = format!("ab{n:038}");
        let path = format!(".git/objects/{}/{}", &id[..2], &id[2..]);
        repo.write(
            path,
            stored(format!("blob {size}\0def b():\n    pass\n").as_bytes()),
        );
        listed += &format!("\n100644 blob {id}\tb{n}.py");
    }
    let list = repo.beside("list");
    std::fs::write(&list, listed + "\n").unwrap();
    let mut made = repo.command("git");
    made.args(["mktree", "--missing"]);
    made.stdin(std::fs::File::open(&list).unwrap());
    let tree = String::from_utf8(made.output().unwrap().stdout).unwrap();
    let commit = repo.git(&["commit-tree", tree.trim(), "-p", "HEAD", "-m", "two"]);
    repo.git(&["update-ref", "HEAD", &commit]);
    for args in [
        &["index"][..],
        &["symbol", "a"],
        &["search", "what is a"],
        &["refs", "a"],
        &["map"],
        &["diff", "HEAD~1..HEAD"],
        &["history", "a"],
        &["verify", "a.py:1"],
        &["audit", "unused"],
        &["fsck"],
        &["status"],
        &["gc"],
    ] {
        let out = repo.sverklo(args);
        assert!(
            out.status.is_some_and(|code| code <= 2),
            "{args:?}: {:?}",
            out.status
        );
        assert!(!out.stderr.contains("panicked"), "{args:?}: {}", out.stderr);
    }
    let found = repo.sverklo(&["symbol", "a", "--at", "HEAD"]);
    assert!(
        found.stdout.contains("a.py"),
        "{}{}",
        found.stdout,
        found.stderr
    );
}
