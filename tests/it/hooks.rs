//! Hooks: real git, the real binary, commits made the usual ways.

use super::harness::{Kind, Output, TestRepo};
use super::memory::MEMORY;
use git_sverklo::upkeep::hooks;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long a worker is waited for. It takes a fraction of a second; a machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// `PATH` with the folder of the binary in front, so that hooks and `git sverklo` find it.
pub fn path_with_us() -> std::ffi::OsString {
    let ours = Path::new(env!("CARGO_BIN_EXE_git-sverklo"))
        .parent()
        .unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(
        [ours.to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&path)),
    )
    .unwrap()
}

/// A command that finds `git sverklo`.
pub fn command(repo: &TestRepo, program: &str, args: &[impl AsRef<OsStr>]) -> Command {
    let mut command = repo.command(program);
    command.env("PATH", path_with_us()).args(args);
    command
}

/// Runs git with hooks that find the binary.
#[track_caller]
pub fn git(repo: &TestRepo, args: &[&str]) -> String {
    let out = command(repo, "git", args).output().unwrap();
    assert!(
        out.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8(out.stdout).unwrap().trim_end().to_owned()
}

pub fn sverklo(repo: &TestRepo, args: &[&str]) -> Output {
    let out = command(repo, env!("CARGO_BIN_EXE_git-sverklo"), args)
        .output()
        .unwrap();
    Output {
        status: out.status.code(),
        stdout: String::from_utf8(out.stdout).unwrap(),
        stderr: String::from_utf8(out.stderr).unwrap(),
    }
}

/// Whether the machine's git runs hooks from its configuration.
pub fn has_config_hooks() -> bool {
    let out = Command::new("git").arg("version").output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let mut numbers = text["git version ".len()..].split('.');
    let mut next = || numbers.next().unwrap().parse::<u32>().unwrap();
    (next(), next()) >= (2, 54)
}

/// Every file below a folder with its bytes, and every folder, without what may be deleted at any
/// time and what git itself writes now and then.
pub fn listing(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_owned();
            let ours = name.ends_with(".git/sverklo") || name.ends_with(".git/objects");
            let ours = ours || name.ends_with(".git/logs/refs/sverklo");
            if ours || name.ends_with(".git/refs") {
                continue;
            }
            if path.is_symlink() {
                let target = std::fs::read_link(&path).unwrap();
                found.insert(name, Some(target.into_os_string().into_encoded_bytes()));
            } else if path.is_dir() {
                folders.push(path);
                found.insert(name, None);
            } else {
                found.insert(name, Some(std::fs::read(&path).unwrap()));
            }
        }
    }
    found
}

/// Covered and needed documents of the work tree's `HEAD`.
fn coverage(repo: &TestRepo) -> (u64, u64) {
    let out = sverklo(repo, &["status", "--json"]).success();
    let status: serde_json::Value = serde_json::from_str(&out).unwrap();
    let number = |key: &str| status[key].as_u64().unwrap();
    (number("covered"), number("files"))
}

/// Waits until background work has covered `HEAD`; questions that would do so are not asked.
#[track_caller]
fn wait_until_covered(repo: &TestRepo) {
    wait_for("the worker to cover HEAD", || {
        let (covered, files) = coverage(repo);
        files > 0 && covered == files
    });
}

#[track_caller]
fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until no worker is at work and none is asked for.
pub fn wait_until_idle(common_dir: &Path) {
    let folder = common_dir.join("sverklo");
    wait_for("the worker to end", || {
        let marks = std::fs::read_dir(folder.join("pending"));
        let no_marks = marks.is_ok_and(|mut marks| marks.next().is_none());
        let lock = std::fs::File::options()
            .append(true)
            .open(folder.join("worker.lock"));
        no_marks && lock.is_ok_and(|lock| lock.try_lock().is_ok())
    });
}

/// A repository with one commit, hooks and no index.
fn hooked() -> TestRepo {
    let repo = TestRepo::init();
    set_up(&repo);
    repo
}

fn set_up(repo: &TestRepo) {
    repo.write("first.rs", "pub fn first() {}\n");
    repo.commit("first");
    sverklo(repo, &["init", "--no-index"]).success();
    assert_eq!(coverage(repo).0, 0);
}

/// Adds a file with content of its own and commits it with hooks.
#[track_caller]
fn commit(repo: &TestRepo, name: &str) {
    repo.write(format!("{name}.rs"), format!("pub fn {name}() {{}}\n"));
    git(repo, &["add", "-A"]);
    git(repo, &["commit", "-q", "-m", name]);
}

#[test]
fn every_way_to_move_head_is_followed() {
    let repo = hooked();
    commit(&repo, "second");
    wait_until_covered(&repo);

    repo.write("second.rs", "pub fn second_amended() {}\n");
    git(&repo, &["commit", "-q", "-a", "--amend", "-m", "amended"]);
    wait_until_covered(&repo);

    // git makes such a commit from an index of its own, which is gone right afterwards.
    repo.write("below/only.rs", "pub fn only() {}\n");
    git(&repo, &["add", "-A"]);
    repo.write("second.rs", "pub fn second_staged() {}\n");
    git(
        &repo.at("below"),
        &["commit", "-q", "-m", "only", "only.rs"],
    );
    wait_until_covered(&repo);
    git(&repo, &["reset", "-q", "--hard", "HEAD~"]);

    git(&repo, &["checkout", "-q", "-b", "side", "HEAD~"]);
    commit(&repo, "side_one");
    commit(&repo, "side_two");
    wait_until_covered(&repo);
    wait_until_idle(&repo.dir().join(".git"));

    // Each of these brings a file back that no document is stored of.
    let forget = || {
        git(&repo, &["update-ref", "-d", "refs/sverklo/v1/index"]);
        assert_eq!(coverage(&repo).0, 0);
    };
    forget();
    git(&repo, &["checkout", "-q", "main"]);
    wait_until_covered(&repo);
    wait_until_idle(&repo.dir().join(".git"));

    forget();
    git(&repo, &["merge", "-q", "--no-edit", "side"]);
    wait_until_covered(&repo);
    wait_until_idle(&repo.dir().join(".git"));

    git(&repo, &["checkout", "-q", "-b", "base", "HEAD~2"]);
    commit(&repo, "base_one");
    wait_until_covered(&repo);
    wait_until_idle(&repo.dir().join(".git"));
    forget();
    let rebase = ["rebase", "-q", "-i", "base", "side"];
    let out = command(&repo, "git", &rebase)
        .env("GIT_SEQUENCE_EDITOR", "true")
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    wait_until_covered(&repo);
    wait_until_idle(&repo.dir().join(".git"));
    assert!(!repo.dir().join(".git/sverklo/worker.log").exists());
}

#[test]
fn a_work_tree_that_is_added_is_covered() {
    let repo = hooked();
    commit(&repo, "second");
    wait_until_covered(&repo);
    wait_until_idle(&repo.dir().join(".git"));
    git(&repo, &["update-ref", "-d", "refs/sverklo/v1/index"]);
    git(&repo, &["worktree", "add", "-q", "../linked", "HEAD"]);
    let linked = repo.at("../linked");
    wait_until_covered(&linked);
    wait_until_idle(&repo.dir().join(".git"));
    // And commits in it are followed as well.
    commit(&linked, "in_linked");
    wait_until_covered(&linked);
    wait_until_idle(&repo.dir().join(".git"));
    // Installing from there finds the hooks of the common directory.
    let said = sverklo(&linked, &["init", "--no-index"]).success();
    assert!(said.contains("there already"), "{said}");
}

#[test]
fn a_path_with_blanks_and_other_letters_is_no_obstacle() {
    let repo = TestRepo::init();
    let other = repo.at("../mit Leerzeichen äöü 'and' \"more\"");
    std::fs::create_dir_all(other.dir()).unwrap();
    git(&other, &["init", "-q", "-b", "main"]);
    set_up(&other);
    commit(&other, "second");
    wait_until_covered(&other);
    wait_until_idle(&other.dir().join(".git"));
}

#[test]
fn a_separate_git_directory_is_found_by_its_variables() {
    let repo = TestRepo::init();
    let home = repo.at("../files");
    std::fs::create_dir_all(home.dir()).unwrap();
    git(
        &repo,
        &["init", "-q", "--bare", "-b", "main", "../dot files.git"],
    );
    let dir = repo.beside("dot files.git");
    let run = |program: &str, args: &[&str]| {
        let out = command(&home, program, args)
            .env("GIT_DIR", &dir)
            .env("GIT_WORK_TREE", home.dir())
            .output()
            .unwrap();
        assert!(
            out.status.success(),
            "{args:?}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
        String::from_utf8(out.stdout).unwrap()
    };
    run(env!("CARGO_BIN_EXE_git-sverklo"), &["init", "--no-index"]);
    home.write("a.rs", "pub fn a() {}\n");
    run("git", &["add", "a.rs"]);
    run("git", &["commit", "-q", "-m", "a"]);
    wait_for("the index", || {
        !run("git", &["for-each-ref", "refs/sverklo/v1/index"]).is_empty()
    });
    wait_until_idle(&dir);
}

/// A program that shows what git prints must see the end of it when the commit is made.
#[test]
fn nobody_waits_for_the_worker() {
    let repo = hooked();
    let hold = repo.beside("hold");
    std::fs::write(&hold, "").unwrap();
    repo.write("slow.rs", "pub fn slow() {}\n");
    git(&repo, &["add", "-A"]);
    let mut commit = command(&repo, "git", &["commit", "-m", "slow"]);
    commit.env("SVERKLO_HOLD", format!("worker={}", hold.display()));
    let mut child = commit
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut out, mut err) = (String::new(), String::new());
    // Ends only when nobody has the other end open any more.
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut out)
        .unwrap();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut err)
        .unwrap();
    assert!(child.wait().unwrap().success());
    assert!(out.contains("slow") && err.is_empty(), "{out}{err}");
    wait_for("the worker to begin", || {
        repo.beside("hold.reached").exists()
    });
    let lock = std::fs::File::options()
        .append(true)
        .open(repo.dir().join(".git/sverklo/worker.lock"))
        .unwrap();
    assert!(lock.try_lock().is_err(), "the worker must still be at it");
    assert_eq!(coverage(&repo).0, 0);
    std::fs::remove_file(&hold).unwrap();
    wait_until_covered(&repo);
    wait_until_idle(&repo.dir().join(".git"));
}

#[test]
fn a_rebase_is_covered_in_few_rounds() {
    let repo = hooked();
    let hold = repo.beside("hold");
    std::fs::write(&hold, "").unwrap();
    let run = |args: &[&str]| {
        let mut command = command(&repo, "git", args);
        command.env("SVERKLO_HOLD", format!("worker={}", hold.display()));
        let out = command.output().unwrap();
        assert!(
            out.status.success(),
            "{}",
            String::from_utf8_lossy(&out.stderr)
        );
    };
    for i in 0..12 {
        repo.write(format!("f{i}.rs"), format!("pub fn f{i}() {{}}\n"));
        run(&["add", "-A"]);
        run(&["commit", "-q", "-m", "x"]);
    }
    run(&["checkout", "-q", "-b", "base", "HEAD~12"]);
    repo.write("base.rs", "pub fn base() {}\n");
    run(&["add", "-A"]);
    run(&["commit", "-q", "-m", "base"]);
    run(&["rebase", "-q", "base", "main"]);
    // One worker was held up by the first round all that time; the others left a mark and ended.
    wait_for("a mark", || {
        let marks = std::fs::read_dir(repo.dir().join(".git/sverklo/pending")).unwrap();
        let marks: Vec<_> = marks
            .map(|m| std::fs::read_to_string(m.unwrap().path()))
            .collect();
        let head = git(&repo, &["rev-parse", "HEAD"]);
        marks.len() == 1 && marks[0].as_ref().is_ok_and(|mark| *mark == head)
    });
    std::fs::remove_file(&hold).unwrap();
    wait_until_covered(&repo);
    wait_until_idle(&repo.dir().join(".git"));
    // Segments tell how often something was stored: the first round and the last.
    let tree = git(
        &repo,
        &["ls-tree", "-r", "--name-only", "refs/sverklo/v1/index"],
    );
    let segments = tree.lines().filter(|line| line.starts_with("seg/")).count();
    assert!(segments <= 2, "{tree}");
}

#[test]
fn the_hook_of_the_user_runs_and_keeps_its_status() {
    if has_config_hooks() {
        return;
    }
    let repo = TestRepo::init();
    repo.write("a.rs", "pub fn a() {}\n");
    repo.commit("a");
    let hook = "#!/bin/sh -eu\necho mine >>ran\necho \"$# $0\" >>ran\nexit 7\n";
    write_hook(&repo, "post-checkout", hook);
    let checkout = |branch: &str| {
        let args = ["checkout", "-q", "-b", branch];
        command(&repo, "git", &args).output().unwrap().status.code()
    };
    let status = checkout("before");
    assert_ne!(status, Some(0));
    sverklo(&repo, &["init", "--no-index"]).success();
    let text = std::fs::read_to_string(repo.dir().join(".git/hooks/post-checkout")).unwrap();
    assert!(
        text.starts_with("#!/bin/sh -eu\n# git-sverklo: begin"),
        "{text}"
    );
    assert!(text.ends_with("echo mine >>ran\necho \"$# $0\" >>ran\nexit 7\n"));
    // What git makes of the hook's status is the same as it was.
    assert_eq!(checkout("x"), status);
    let ran = std::fs::read_to_string(repo.dir().join("ran")).unwrap();
    assert_eq!(ran, "mine\n3 .git/hooks/post-checkout\n".repeat(2));
    wait_until_covered(&repo);
    wait_until_idle(&repo.dir().join(".git"));
}

/// A stand-in for the program tells what it was started with.
#[cfg(unix)]
#[test]
fn the_worker_starts_with_nothing_that_misleads_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let repo = hooked();
    let folder = repo.beside("fake");
    std::fs::create_dir_all(&folder).unwrap();
    let fake = folder.join("git-sverklo");
    let script = "#!/bin/sh\n{ echo \"$@\"; env; } >\"$TOLD.new\"\nmv \"$TOLD.new\" \"$TOLD\"\n";
    std::fs::write(&fake, script).unwrap();
    std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).unwrap();
    let told = repo.beside("told");
    let path = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&path)));
    let path = path.unwrap();
    let tell = |args: &[&str]| {
        let _ = std::fs::remove_file(&told);
        let mut command = repo.command("git");
        command.args(args).env("PATH", &path).env("TOLD", &told);
        assert!(command.output().unwrap().status.success());
        wait_for("the stand-in", || told.exists());
        std::fs::read_to_string(&told).unwrap()
    };
    let said = tell(&["-c", "x.y=z", "commit", "-q", "--allow-empty", "-m", "x"]);
    assert!(said.starts_with("hook post-commit\n"), "{said}");
    for name in ["GIT_INDEX_FILE", "GIT_PREFIX", "GIT_CONFIG_PARAMETERS"] {
        assert!(!said.contains(&format!("{name}=")), "{said}");
    }
    let said = tell(&["checkout", "-q", "-b", "x"]);
    assert!(
        said.starts_with("hook post-checkout ") && said.contains(" 1\n"),
        "{said}"
    );
}

#[test]
fn without_the_program_hooks_are_silent() {
    let repo = hooked();
    repo.write("b.rs", "pub fn b() {}\n");
    let commit = |args: &[&str]| {
        // The harness's own PATH does not have the binary's folder.
        let out = repo.try_git(args);
        assert_eq!(
            (out.status, out.stdout.as_str(), out.stderr.as_str()),
            (Some(0), "", "")
        );
    };
    commit(&["add", "-A"]);
    commit(&["commit", "-q", "-m", "b"]);
    commit(&["checkout", "-q", "-b", "c"]);
    assert!(!repo.dir().join(".git/sverklo/pending").exists());
}

#[test]
fn hooks_can_be_switched_off() {
    let repo = hooked();
    git(&repo, &["config", "sverklo.hooks", "false"]);
    let out = sverklo(&repo, &["hook", "post-commit"]);
    assert_eq!(out.status, Some(0));
    assert!(!repo.dir().join(".git/sverklo/pending").exists());
    git(&repo, &["config", "--unset", "sverklo.hooks"]);
    // Files were checked out, no branch.
    sverklo(&repo, &["hook", "post-checkout", "1", "2", "0"]).success();
    assert!(!repo.dir().join(".git/sverklo/pending").exists());
    sverklo(&repo, &["hook", "post-checkout", "1", "2", "1"]).success();
    assert_eq!(coverage(&repo), (1, 1));
}

#[test]
fn the_command_for_hooks_never_fails() {
    let repo = TestRepo::init();
    for args in [
        &["hook", "post-commit"][..],
        &["hook", "no-such-event", "--flag", "-x"],
        &["hook", "post-rewrite", "amend"],
    ] {
        let out = sverklo(&repo, args);
        assert_eq!(
            (out.status, out.stdout.as_str(), out.stderr.as_str()),
            (Some(0), "", "")
        );
    }
    let outside = sverklo(&repo.at(".."), &["hook", "post-commit"]);
    assert_eq!(outside.status, Some(0));
}

#[test]
fn a_failure_is_kept_for_doctor() {
    let repo = hooked();
    let tree = git(&repo, &["rev-parse", "HEAD^{tree}"]);
    let object = repo
        .dir()
        .join(".git/objects")
        .join(&tree[..2])
        .join(&tree[2..]);
    let aside = repo.beside("aside");
    std::fs::rename(&object, &aside).unwrap();
    sverklo(&repo, &["hook", "post-commit"]).success();
    let log = repo.dir().join(".git/sverklo/worker.log");
    let line = std::fs::read_to_string(&log).unwrap();
    assert!(
        line.contains(&tree) && line.matches('\n').count() == 1,
        "{line}"
    );
    let said = sverklo(&repo, &["doctor"]).stdout;
    assert!(said.contains("problem  worker"), "{said}");
    std::fs::rename(&aside, &object).unwrap();
    sverklo(&repo, &["hook", "post-commit"]).success();
    assert!(!log.exists());
}

#[test]
fn other_managers_are_left_alone() {
    if has_config_hooks() {
        return;
    }
    let lfs =
        "#!/bin/sh\ncommand -v git-lfs >/dev/null 2>&1 || exit 2\ngit lfs post-commit \"$@\"\n";
    let pre_commit =
        "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\nexec true\n";
    let python = "#!/usr/bin/env python3\nprint('mine')\n";
    let repo = TestRepo::init();
    write_hook(&repo, "post-commit", lfs);
    write_hook(&repo, "post-checkout", pre_commit);
    write_hook(&repo, "post-merge", python);
    let said = sverklo(&repo, &["init", "--no-index"]).success();
    for (event, why) in [
        ("post-commit", "git-lfs keeps it"),
        ("post-checkout", "pre-commit keeps it"),
        ("post-merge", "it is no shell script"),
    ] {
        assert!(said.contains(why), "{said}");
        assert!(
            said.contains(&format!("git sverklo hook {event} \"$@\"")),
            "{said}"
        );
    }
    let read =
        |event: &str| std::fs::read_to_string(repo.dir().join(".git/hooks").join(event)).unwrap();
    assert_eq!(read("post-commit"), lfs);
    assert_eq!(read("post-checkout"), pre_commit);
    assert_eq!(read("post-merge"), python);
    assert!(read("post-rewrite").contains("git-sverklo"));
    // The line that was printed works.
    let line = "git sverklo hook post-commit \"$@\" </dev/null >/dev/null 2>&1 &";
    assert!(said.contains(line));
    write_hook(
        &repo,
        "post-commit",
        &format!("#!/bin/sh\n# git lfs \n{line}\n"),
    );
    let said = sverklo(&repo, &["init", "--no-index"]).success();
    assert!(!said.contains("git-lfs keeps it"), "{said}");
    repo.write("a.rs", "pub fn a() {}\n");
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-q", "-m", "a"]);
    wait_until_covered(&repo);
    wait_until_idle(&repo.dir().join(".git"));
}

/// In a script of somebody else that is strict and reads what git tells, too.
#[test]
fn the_line_for_post_rewrite_passes_on_what_was_rewritten() {
    for shell in ["/bin/sh", "/bin/bash", "/bin/zsh"] {
        if !Path::new(shell).exists() {
            eprintln!("skipped: there is no {shell}");
            continue;
        }
        let repo = TestRepo::init();
        repo.commit("$(touch harm) `touch harm` \\ %s");
        repo.sverklo(&["remember", "one"]).success();
        let old = repo.git(&["rev-parse", "HEAD"]);
        let line = hooks::line("post-rewrite");
        let script = format!("#!{shell}\nset -eu\n{line}\ncat >.git/seen\n");
        write_hook(&repo, "post-rewrite", &script);
        let said = git(
            &repo,
            &["commit", "-q", "--amend", "--allow-empty", "-m", "new"],
        );
        assert_eq!(said, "");
        let new = repo.git(&["rev-parse", "HEAD"]);
        let seen = std::fs::read_to_string(repo.dir().join(".git/seen")).unwrap();
        assert_eq!(seen, format!("{old} {new}\n"), "{shell}");
        wait_for("the rewritten commit", || {
            let log = repo.git(&["log", "-1", "--format=%s", MEMORY]);
            log.starts_with("memory: repin")
        });
        wait_until_idle(&repo.dir().join(".git"));
    }
}

#[test]
fn a_configured_hooks_folder_is_left_alone() {
    if has_config_hooks() {
        return;
    }
    let repo = TestRepo::init();
    repo.write(
        ".husky/_/post-commit",
        "#!/bin/sh\n. \"$(dirname \"$0\")/h\"\n",
    );
    git(&repo, &["config", "core.hooksPath", ".husky/_"]);
    let before = listing(repo.dir());
    let said = sverklo(&repo, &["init", "--no-index"]).success();
    assert!(said.contains("core.hooksPath is .husky/_"), "{said}");
    assert_eq!(listing(repo.dir()), before);
    // A folder of hooks that is tracked, without any configuration.
    let tracked = TestRepo::init();
    std::fs::remove_dir_all(tracked.dir().join(".git/hooks")).unwrap();
    tracked.write("githooks/post-merge", "#!/bin/sh\n");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../githooks", tracked.dir().join(".git/hooks")).unwrap();
        let before = listing(tracked.dir());
        let said = sverklo(&tracked, &["init", "--no-index"]).success();
        assert!(said.contains("inside the work tree"), "{said}");
        assert_eq!(listing(tracked.dir()), before);
    }
    // Set to what is usual anyway: as if not set.
    let usual = TestRepo::init();
    let hooks = usual.dir().join(".git/hooks");
    git(
        &usual,
        &["config", "core.hooksPath", hooks.to_str().unwrap()],
    );
    sverklo(&usual, &["init", "--no-index"]).success();
    assert!(hooks.join("post-commit").exists());
}

#[test]
fn bare_and_reftable_repositories_get_hooks_too() {
    for kind in [
        Kind {
            bare: true,
            ..Kind::default()
        },
        Kind {
            sha256: true,
            reftable: true,
            ..Kind::default()
        },
    ] {
        let repo = TestRepo::init_as(kind);
        let said = sverklo(&repo, &["init"]).success();
        assert!(
            said.contains("post-commit, post-checkout, post-merge, post-rewrite"),
            "{said}"
        );
        if !kind.bare {
            commit(&repo, "a");
            wait_until_covered(&repo);
            wait_until_idle(&repo.dir().join(".git"));
        }
        sverklo(&repo, &["init", "--undo"]).success();
    }
}

/// Runs where git is new enough; the text is tested everywhere, beside the code.
#[test]
fn new_git_runs_hooks_from_its_configuration() {
    if !has_config_hooks() {
        return;
    }
    let repo = TestRepo::init();
    let hooks = listing(&repo.dir().join(".git/hooks"));
    let config = std::fs::read(repo.dir().join(".git/config")).unwrap();
    git(&repo, &["config", "core.hooksPath", ".husky"]);
    let with_path = std::fs::read(repo.dir().join(".git/config")).unwrap();
    set_up(&repo);
    assert_eq!(listing(&repo.dir().join(".git/hooks")), hooks);
    assert!(git(&repo, &["hook", "list", "post-commit"]).contains("sverklo-post-commit"));
    commit(&repo, "second");
    wait_until_covered(&repo);
    wait_until_idle(&repo.dir().join(".git"));
    sverklo(&repo, &["init", "--undo"]).success();
    assert_eq!(
        std::fs::read(repo.dir().join(".git/config")).unwrap(),
        with_path
    );
    git(&repo, &["config", "--unset", "core.hooksPath"]);
    // Undone although the file was changed since.
    sverklo(&repo, &["init", "--no-index"]).success();
    git(&repo, &["config", "x.y", "z"]);
    sverklo(&repo, &["init", "--undo"]).success();
    git(&repo, &["config", "--remove-section", "x"]);
    assert_eq!(
        std::fs::read(repo.dir().join(".git/config")).unwrap(),
        config
    );
}

pub fn write_hook(repo: &TestRepo, event: &str, text: &str) {
    let path = repo.dir().join(".git/hooks").join(event);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}
