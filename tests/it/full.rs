//! A repository that cannot be written: questions are answered from memory, what is to be stored
//! fails with a reason, and nothing is damaged or left behind.

#![cfg(unix)]

use crate::harness::{Output, TestRepo};

/// Runs the program where no file may grow over some KiB, which to a writer is a full disk.
fn with_little_room(repo: &TestRepo, blocks: u32, args: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = repo.command("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_git-sverklo")]);
    let out = command.args(args).output().expect("sh is there");
    Output {
        status: out.status.code(),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
    }
}

/// Files with so many different names that nothing compresses well.
fn files(count: usize) -> TestRepo {
    let repo = TestRepo::init();
    for n in 0..count {
        let hash = |at: usize| xxhash_rust::xxh3::xxh3_64_with_seed(&at.to_le_bytes(), n as u64);
        let line = |at: usize| {
            format!(
                "def f{:016x}():\n    return {:016x}\n",
                hash(at),
                hash(at + 999)
            )
        };
        let text: String = (0..400).map(line).collect();
        repo.write(format!("m{n}.py"), text + "def needle():\n    pass\n");
    }
    repo.commit("files");
    repo
}

/// Everything in the git directory but what a question leaves beside the object store.
fn stored(repo: &TestRepo) -> (String, String) {
    let objects = repo
        .command("find")
        .args([".git/objects", "-type", "f"])
        .output();
    let objects = objects.expect("find is there").stdout;
    let refs = repo.git(&["for-each-ref"]);
    (String::from_utf8_lossy(&objects).into_owned(), refs)
}

#[test]
fn without_room_nothing_is_stored_and_the_reason_is_said() {
    // One that becomes loose objects, and one that becomes a pack.
    for count in [2, 40] {
        let repo = files(count);
        let before = stored(&repo);
        let out = with_little_room(&repo, 16, &["index"]);
        assert_eq!(out.status, Some(2), "{}", out.stderr);
        for part in [
            "fatal: nothing was stored",
            "File too large",
            "objects",
            "free some space",
        ] {
            assert!(out.stderr.contains(part), "{part}: {}", out.stderr);
        }
        assert_eq!(stored(&repo), before, "{count}: nothing is left behind");
        let out = with_little_room(&repo, 16, &["symbol", "needle", "--json"]);
        assert_eq!(out.status, Some(0), "{}", out.stderr);
        assert!(out.stdout.contains("m0.py"), "{}", out.stdout);
        assert!(out.stdout.contains("is not stored"), "{}", out.stdout);
        assert_eq!(stored(&repo), before, "{count}: nothing is left behind");
        repo.git(&["fsck", "--strict"]);

        // There is an index, and no room to compact it.
        repo.sverklo(&["index"]).success();
        repo.write("more.py", "def more():\n    pass\n")
            .commit("more");
        repo.sverklo(&["index"]).success();
        let before = stored(&repo);
        let out = with_little_room(&repo, 16, &["gc"]);
        assert_eq!(out.status, Some(2), "{}", out.stderr);
        assert!(out.stderr.contains("File too large"), "{}", out.stderr);
        assert_eq!(stored(&repo), before, "{count}: the old index stays");
        repo.git(&["fsck", "--strict"]);
        repo.sverklo(&["gc"]).success();
    }
}

#[test]
fn without_leave_nothing_is_stored_and_questions_are_answered() {
    use std::os::unix::fs::PermissionsExt as _;
    let repo = files(3);
    let before = stored(&repo);
    let folders = repo.command("find").args([".git", "-type", "d"]).output();
    let folders = String::from_utf8(folders.expect("find is there").stdout).expect("plain names");
    let allow = |mode| {
        for folder in folders.lines() {
            let mode = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(repo.dir().join(folder), mode).expect("it is ours");
        }
    };
    allow(0o555);
    // The system administrator may write everywhere.
    let may_write = std::fs::write(repo.dir().join(".git/probe"), "").is_ok();
    if !may_write {
        let out = repo.sverklo(&["index"]);
        assert_eq!(out.status, Some(2), "{}", out.stderr);
        for part in [
            "fatal: nothing was stored",
            "cannot be written",
            "permission",
        ] {
            assert!(out.stderr.contains(part), "{part}: {}", out.stderr);
        }
        let out = repo.sverklo(&["symbol", "needle", "--json"]);
        assert_eq!((out.status, &*out.stderr), (Some(0), ""));
        assert!(
            out.stdout.contains("m0.py") && !out.stdout.contains("warnings"),
            "{}",
            out.stdout
        );
        assert_eq!(stored(&repo), before);
    }
    allow(0o755);
    repo.git(&["fsck", "--strict"]);
}
