//! What a branch switch costs, and what a hook adds to a commit.

use super::edit::{COMMIT, Edited, History};
use crate::Result;
use crate::measure::{measure, median};
use crate::program::Program;
use crate::subject::Subject;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Commits with and without the hook, in turns.
const COMMITS: usize = 50;
/// How long the hook's indexing may take before the next commit is made anyway.
const PATIENCE: Duration = Duration::from_secs(20);

/// Switches between `HEAD` and commits each twenty further back, and does after every switch the
/// first thing that somebody would: asks, or indexes, in turns. A commit that is gone to was never
/// indexed; the one that is come back to was.
pub fn switch(
    subject: &Subject,
    history: &History,
    program: &Program,
    line: &mut Value,
) -> Result<()> {
    history.restore(subject)?;
    let index = || program.command(&subject.dir, &["index", "HEAD"]);
    let ask = || program.command(&subject.dir, &["symbol", "main"]);
    measure(&mut index())?;
    let mut git = Vec::new();
    // There and back, by a question and by indexing.
    let mut after = [const { [const { Vec::new() }; 2] }; 2];
    let head = history.head().to_owned();
    for (i, far) in history.far().iter().enumerate() {
        for (back, commit) in [far, &head].into_iter().enumerate() {
            let mut checkout = Command::new("git");
            checkout
                .current_dir(&subject.dir)
                .args(["checkout", "-q", "--detach", commit]);
            git.push(done_in(&mut checkout)?);
            let by_index = i % 2;
            let mut first = if by_index == 1 { index() } else { ask() };
            after[back][by_index].push(measure(&mut first)?.0.wall_ms());
        }
    }
    line["git_switch_ms"] = json!(median(&mut git));
    line["switch_question_ms"] = json!(median(&mut after[0][0]));
    line["switch_index_ms"] = json!(median(&mut after[0][1]));
    line["return_question_ms"] = json!(median(&mut after[1][0]));
    line["return_index_ms"] = json!(median(&mut after[1][1]));
    Ok(())
}

/// Commits with the hooks that `init` installs and without them, in turns. The next commit is only
/// made when the worker has ended.
pub fn hook(
    subject: &Subject,
    history: &History,
    program: &Program,
    line: &mut Value,
) -> Result<()> {
    history.restore(subject)?;
    done_in(&mut program.command(&subject.dir, &["init", "--quiet", "--no-index"]))?;
    done_in(&mut program.command(&subject.dir, &["index"]))?;
    let folder = program.path().parent().unwrap_or(Path::new("."));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        [folder.into()]
            .into_iter()
            .chain(std::env::split_paths(&path)),
    )?;
    let mut edited = Edited::some_file(subject)?;
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..COMMITS {
        for (is_hooked, samples) in [(true, &mut with), (false, &mut without)] {
            edited.change()?;
            let before = tip(subject)?;
            let mut commit = Command::new("git");
            commit.current_dir(&subject.dir).env("PATH", &path);
            if is_hooked {
                commit.args(COMMIT.map(|arg| match arg {
                    "core.hooksPath=/dev/null" => "core.hooksPath=.git/hooks",
                    other => other,
                }));
            } else {
                // Newer git runs hooks from its configuration too.
                commit
                    .args(["-c", "hook.sverklo-post-commit.enabled=false"])
                    .args(COMMIT);
            }
            samples.push(done_in(&mut commit)?);
            if is_hooked {
                wait_for_worker(subject, &before)?;
            }
        }
    }
    done_in(&mut program.command(&subject.dir, &["init", "--undo", "--quiet"]))?;
    history.restore(subject)?;
    line["commit_ms"] = json!(median(&mut without));
    line["commit_hook_ms"] = json!(median(&mut with));
    Ok(())
}

/// Milliseconds of a command that must succeed. To `measure` an exit status of 1 is an empty answer.
fn done_in(command: &mut Command) -> Result<f64> {
    let (usage, out) = measure(command)?;
    if !out.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&out.stderr)).into());
    }
    Ok(usage.wall_ms())
}

/// Id of the index; empty while there is none.
fn tip(subject: &Subject) -> Result<String> {
    subject.git(&[
        "for-each-ref",
        "--format=%(objectname)",
        "refs/sverklo/v1/index",
    ])
}

/// Waits until the index has moved and nobody holds the worker's lock.
fn wait_for_worker(subject: &Subject, before: &str) -> Result<()> {
    let start = Instant::now();
    let lock = subject.dir.join(".git/sverklo/worker.lock");
    let is_held = || {
        let file = std::fs::File::options().append(true).open(&lock);
        file.is_ok_and(|file| file.try_lock().is_err())
    };
    while tip(subject)? == before || is_held() {
        if start.elapsed() > PATIENCE {
            return Err("the hook was not run, or indexing after it does not end".into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::cost::tests::small;
    use std::os::unix::fs::PermissionsExt as _;

    /// Stands for the program: installs a hook that moves the ref in the background.
    const PROGRAM: &str = "#!/bin/sh
hook=.git/hooks/post-commit
case \"$*\" in
*--undo*) rm $hook ;;
init*)
	mkdir -p .git/hooks
	printf '#!/bin/sh\\n(git update-ref refs/sverklo/v1/index HEAD) </dev/null >/dev/null 2>&1 &\\n' >$hook
	chmod +x $hook
	;;
esac
";

    #[test]
    fn the_hook_runs_in_the_background_and_says_when_it_is_done() {
        let subject = small(25);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("git-sverklo");
        std::fs::write(&path, PROGRAM).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let program = Program::find(Some(&path)).unwrap();
        let mut line = json!({});
        let history = History::of(&subject).unwrap();
        hook(&subject, &history, &program, &mut line).unwrap();
        assert!(line["commit_ms"].as_f64().unwrap() > 0.0);
        assert!(line["commit_hook_ms"].as_f64().unwrap() > 0.0);
        assert_eq!(subject.git(&["status", "--porcelain"]).unwrap(), "");
        assert!(!subject.dir.join(".git/hooks/post-commit").exists());
    }
}
