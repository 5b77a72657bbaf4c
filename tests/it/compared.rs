//! Files that are as young as git's index are read once, and what was found is noted.

use crate::git_oracle::open;
use crate::harness::TestRepo;
use crate::worktree::{check_status, status};
use git_sverklo::cache::Kept;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// How much older than the reading a file has to be for a note to be taken.
const SETTLED: Duration = Duration::from_millis(2100);

/// A repository whose git index is as old as `index`, which is younger or older than its files.
fn young(index: SystemTime) -> TestRepo {
    let repo = TestRepo::init();
    for n in 0..40 {
        repo.write(format!("file{n:02}.txt"), format!("{n:02}\n"));
    }
    repo.write(".gitattributes", "*.bin binary\n");
    repo.commit("begin");
    set_index(&repo, index);
    repo
}

fn set_index(repo: &TestRepo, to: SystemTime) {
    let path = repo.dir().join(".git/index");
    let file = std::fs::File::options().append(true).open(path).unwrap();
    file.set_modified(to).unwrap();
}

fn kept(repo: &TestRepo) -> Kept {
    open(repo).kept().in_git_dir(&repo.dir().join(".git"))
}

fn notes(repo: &TestRepo) -> Option<PathBuf> {
    kept(repo)
        .path("compared")
        .ok()
        .filter(|path| path.exists())
}

fn long_ago() -> SystemTime {
    SystemTime::now() - Duration::from_secs(3600)
}

#[test]
fn what_was_read_once_is_noted_and_what_changes_is_seen() {
    let repo = young(long_ago());
    check_status(&repo, 0);
    assert_eq!(notes(&repo), None, "the files are too young");
    std::thread::sleep(SETTLED);
    check_status(&repo, 0);
    assert!(notes(&repo).is_some());
    check_status(&repo, 0);
    // Of the same size and with the same time.
    let path = repo.dir().join("file07.txt");
    let before = path.metadata().unwrap().modified().unwrap();
    std::fs::write(&path, "70\n").unwrap();
    let file = std::fs::File::options().append(true).open(&path).unwrap();
    file.set_modified(before).unwrap();
    check_status(&repo, 1);
    repo.write("file08.txt", "longer\n");
    repo.remove("file09.txt");
    check_status(&repo, 3);
    // Another file under the name.
    std::fs::rename(repo.dir().join("file10.txt"), repo.dir().join("file11.txt")).unwrap();
    check_status(&repo, 5);
}

#[test]
fn notes_are_of_one_state_of_the_git_index_and_of_the_attributes() {
    let repo = young(long_ago());
    let crlf = "one\r\n";
    repo.write("dos.txt", crlf);
    repo.commit("dos");
    set_index(&repo, long_ago());
    std::thread::sleep(SETTLED);
    check_status(&repo, 0);
    assert!(notes(&repo).is_some());
    repo.write(".gitattributes", "*.txt text\n");
    set_index(&repo, long_ago());
    check_status(&repo, 2);
    repo.write(".gitattributes", "*.bin binary\n");
    check_status(&repo, 0);
    repo.write("file00.txt", "staged\n")
        .git(&["add", "file00.txt"]);
    set_index(&repo, long_ago());
    check_status(&repo, 1);
}

#[test]
fn nothing_is_noted_where_the_git_index_tells() {
    let repo = young(SystemTime::now() + Duration::from_secs(5));
    std::thread::sleep(SETTLED);
    check_status(&repo, 0);
    assert_eq!(notes(&repo), None);
}

/// Nobody sees what was not read, so a note is taken that is not true.
#[cfg(unix)]
#[test]
fn what_is_noted_is_not_read_again() {
    use std::os::unix::fs::MetadataExt;
    let repo = young(long_ago());
    std::thread::sleep(SETTLED);
    assert_eq!(status(&repo).len(), 0);
    repo.write("file07.txt", "70\n");
    assert_eq!(status(&repo).len(), 1);
    let kept = kept(&repo);
    let encoding = bincode::config::standard();
    let body = kept.read("compared").unwrap();
    type Saved = (u128, Vec<u8>, Vec<u32>);
    let ((state, paths, mut stats), _) =
        bincode::decode_from_slice::<Saved, _>(body.as_ref(), encoding).unwrap();
    let at = paths
        .split(|byte| *byte == 0)
        .position(|path| path == b"file07.txt")
        .unwrap();
    let found = repo.dir().join("file07.txt").metadata().unwrap();
    let numbers = [
        found.mtime(),
        found.mtime_nsec(),
        found.ctime(),
        found.ctime_nsec(),
        found.dev() as i64,
        found.ino() as i64,
        i64::from(found.uid()),
        i64::from(found.gid()),
        found.size() as i64,
    ];
    stats[at * 9..at * 9 + 9].copy_from_slice(&numbers.map(|number| number as u32));
    let forged = bincode::encode_to_vec((state, paths, stats), encoding).unwrap();
    kept.write("compared", &forged).unwrap();
    assert_eq!(status(&repo).len(), 0);
    std::fs::remove_file(notes(&repo).unwrap()).unwrap();
    assert_eq!(status(&repo).len(), 1);
}
