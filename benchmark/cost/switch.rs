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
const COMMITS: usize = 15;
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

/// Commits with a hook that starts indexing and does not wait for it, and without one, in turns.
pub fn hook(
    subject: &Subject,
    history: &History,
    program: &Program,
    line: &mut Value,
) -> Result<()> {
    history.restore(subject)?;
    let hooks = subject.dir.join(".git/benchmark-hooks");
    let done = subject.dir.join(".git/benchmark-hook-done");
    std::fs::create_dir_all(&hooks)?;
    write_hook(&hooks.join("post-commit"), program, &done)?;
    let mut edited = Edited::some_file(subject)?;
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..COMMITS {
        for (path, samples) in [
            (hooks.as_path(), &mut with),
            (Path::new("/dev/null"), &mut without),
        ] {
            edited.change()?;
            let is_hooked = path == hooks;
            let mut commit = Command::new("git");
            commit
                .current_dir(&subject.dir)
                .args(COMMIT.map(|arg| match arg {
                    "core.hooksPath=/dev/null" if is_hooked => {
                        "core.hooksPath=.git/benchmark-hooks"
                    }
                    other => other,
                }));
            samples.push(done_in(&mut commit)?);
            if is_hooked {
                wait_for(&done)?;
            }
        }
    }
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

/// A hook with nothing open that git waits for. It leaves a file when indexing is over.
fn write_hook(path: &Path, program: &Program, done: &Path) -> Result<()> {
    let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
    let script = format!(
        "#!/bin/sh\n({} index; : >{}) </dev/null >/dev/null 2>&1 &\n",
        quoted(program.path()),
        quoted(done)
    );
    std::fs::write(path, script)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

fn wait_for(done: &Path) -> Result<()> {
    let start = Instant::now();
    while !done.exists() {
        if start.elapsed() > PATIENCE {
            return Err("the hook was not run, or indexing after it does not end".into());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(std::fs::remove_file(done)?)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::cost::tests::small;

    #[test]
    fn the_hook_runs_in_the_background_and_says_when_it_is_done() {
        let subject = small(25);
        // Any program will do; this one does not know `index` and says so to nobody.
        let program = Program::find(Some(Path::new("/bin/sh"))).unwrap();
        let mut line = json!({});
        let history = History::of(&subject).unwrap();
        hook(&subject, &history, &program, &mut line).unwrap();
        assert!(line["commit_ms"].as_f64().unwrap() > 0.0);
        assert!(line["commit_hook_ms"].as_f64().unwrap() > 0.0);
        assert_eq!(subject.git(&["status", "--porcelain"]).unwrap(), "");
    }
}
