//! Two machines' ids agree: clones that differ in everything an index must not depend on.

use super::{answers, clone, index_id, segments_id};
use crate::Result;
use crate::program::Program;
use crate::session::Session;
use crate::subject::{Subject, run_git};
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// A compacted index, and how it was made.
pub struct Made {
    name: String,
    /// The object of the ref.
    index: String,
    /// The object of its segments.
    segments: String,
    /// Whether what commits say was read too. Questions read only what answers them, so the index of a
    /// session has no history log.
    has_log: bool,
}

impl Made {
    /// Compacts the index of a repository and reads its ids.
    pub fn of(name: &str, dir: &Path, has_log: bool, program: &Program) -> Result<Self> {
        answers::run(program, dir, &["gc"])?;
        Ok(Self {
            name: name.to_owned(),
            index: index_id(dir)?,
            segments: segments_id(dir)?,
            has_log,
        })
    }
}

/// The compacted index of each of three machines.
pub fn made(subject: &Subject, commits: &[String], program: &Program) -> Result<Vec<Made>> {
    let mut all = Vec::new();
    let mut add = |name: &str, dir: &Path, has_log: bool| -> Result<()> {
        all.push(Made::of(name, dir, has_log, program)?);
        Ok(())
    };

    let dir = clone(subject, "plain")?;
    let mut index = vec!["index", "--threads", "1"];
    index.extend(commits.iter().map(String::as_str));
    answers::run(program, &dir, &index)?;
    add("one thread, all at once", &dir, true)?;

    // A home with settings that change what git does to files and how it packs them.
    let dir = clone(subject, "a folder/with spaces/and ümläuts")?;
    let home = subject.dir.with_file_name("home");
    std::fs::create_dir(&home)?;
    std::fs::write(
        home.join(".gitconfig"),
        "[core]\n\tautocrlf = true\n\tcompression = 0\n\tquotePath = false\n[pack]\n\tthreads = 1\n",
    )?;
    for commit in commits.iter().rev() {
        let mut command = elsewhere(program, &["index", "--threads", "4", commit], &home);
        let out = command.current_dir(&dir).output()?;
        if !out.status.success() {
            let said = String::from_utf8_lossy(&out.stderr);
            return Err(format!("index {commit} elsewhere: {said}").into());
        }
    }
    add("four threads, one by one, elsewhere", &dir, true)?;

    // An agent's session: the work tree first, other commits as they are asked about.
    let dir = clone(subject, "session")?;
    run_git(&dir, &["checkout", "-q", "--detach", "HEAD"])?;
    let mut session = Session::start(&mut program.command(&dir, &["mcp"]))?;
    let (newer, older) = commits.split_at(commits.len() / 3);
    let questions = std::iter::once(json!({})).chain(
        older
            .iter()
            .chain(newer)
            .map(|commit| json!({"at": commit})),
    );
    for question in questions {
        let answer = session.call("map", question)?;
        if answer.is_error {
            return Err(format!("map: {}", answer.text).into());
        }
    }
    drop(session);
    add("an agent's session", &dir, false)?;
    Ok(all)
}

/// The program under another language, time zone, home and mask of permissions.
fn elsewhere(program: &Program, args: &[&str], home: &Path) -> Command {
    let mut command = if cfg!(unix) {
        let mut command = Command::new("sh");
        command.args(["-c", "umask 077; exec \"$@\"", "sh"]);
        command.arg(program.path());
        command
    } else {
        Command::new(program.path())
    };
    command
        .args(args)
        .env("HOME", home)
        .env("LANG", "tr_TR.UTF-8")
        .env("LC_ALL", "tr_TR.UTF-8")
        .env("TZ", "Asia/Kathmandu");
    command
}

/// Says which of the indexes differ from the first, which has a log, if any.
pub fn disagreement(all: &[Made]) -> Option<String> {
    let first = all.first()?;
    all.iter().find_map(|other| {
        let (of_first, of_other) = match other.has_log {
            true => (&first.index, &other.index),
            false => (&first.segments, &other.segments),
        };
        let (a, b) = (&first.name, &other.name);
        (of_first != of_other).then(|| format!("{a} gave {of_first}, {b} gave {of_other}"))
    })
}

/// The object that all of them lead to.
pub fn agreed(all: &[Made]) -> Option<&str> {
    all.first().map(|first| &*first.index)
}

#[cfg(test)]
mod tests {
    use super::super::INDEX_REF;
    use super::*;

    fn made(name: &str, index: &str, segments: &str, has_log: bool) -> Made {
        Made {
            name: name.to_owned(),
            index: index.to_owned(),
            segments: segments.to_owned(),
            has_log,
        }
    }

    #[test]
    fn what_differs_is_named() {
        let all = |index: &str, segments: &str| {
            disagreement(&[
                made("one", "a", "s", true),
                made("two", index, "s", true),
                made("a session", "b", segments, false),
            ])
        };
        assert_eq!(all("a", "s"), None);
        let found = all("c", "s").unwrap();
        assert_eq!(found, "one gave a, two gave c");
        let found = all("a", "t").unwrap();
        assert_eq!(found, "one gave s, a session gave t");
    }

    #[test]
    fn a_tampered_index_ref_is_found() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path();
        run_git(dir, &["init", "-q"]).unwrap();
        let ids = |content: &str| {
            std::fs::create_dir_all(dir.join("seg")).unwrap();
            std::fs::write(dir.join("seg/one"), content).unwrap();
            run_git(dir, &["add", "."]).unwrap();
            let tree = run_git(dir, &["write-tree"]).unwrap();
            let who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
            let commit = [&who[..], &["commit-tree", "-m", "index", tree.trim()]].concat();
            let commit = run_git(dir, &commit).unwrap();
            run_git(dir, &["update-ref", INDEX_REF, commit.trim()]).unwrap();
            (index_id(dir).unwrap(), segments_id(dir).unwrap())
        };
        let (before, after) = (ids("the same everywhere"), ids("tampered with"));
        assert!(
            before.0 != after.0 && before.1 != after.1,
            "{before:?} {after:?}"
        );
    }
}
