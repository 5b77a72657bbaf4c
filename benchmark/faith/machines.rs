//! Two machines' ids agree: clones that differ in everything an index must not depend on.

use super::{answers, clone, index_id};
use crate::Result;
use crate::program::Program;
use crate::session::Session;
use crate::subject::{Subject, run_git};
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// The id that the compacted index has on each of three machines.
pub fn ids(
    subject: &Subject,
    commits: &[String],
    program: &Program,
) -> Result<Vec<(String, String)>> {
    let mut ids = Vec::new();
    let mut add = |name: &str, dir: &Path| -> Result<()> {
        answers::run(program, dir, &["gc"])?;
        ids.push((name.to_owned(), index_id(dir)?));
        Ok(())
    };

    let dir = clone(subject, "plain")?;
    let mut index = vec!["index", "--threads", "1"];
    index.extend(commits.iter().map(String::as_str));
    answers::run(program, &dir, &index)?;
    add("one thread, all at once", &dir)?;

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
    add("four threads, one by one, elsewhere", &dir)?;

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
    add("an agent's session", &dir)?;
    Ok(ids)
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

/// Says which of the ids differ, if any.
pub fn disagreement(ids: &[(String, String)]) -> Option<String> {
    let (first, id) = ids.first()?;
    let (other, differing) = ids.iter().find(|(_, other)| other != id)?;
    Some(format!("{first} gave {id}, {other} gave {differing}"))
}

#[cfg(test)]
mod tests {
    use super::super::INDEX_REF;
    use super::*;

    #[test]
    fn a_tampered_index_ref_is_found() {
        let temp = tempfile::tempdir().unwrap();
        let ids = ["one", "two", "three"].map(|name| {
            let dir = temp.path().join(name);
            std::fs::create_dir(&dir).unwrap();
            run_git(&dir, &["init", "-q"]).unwrap();
            std::fs::write(dir.join("index"), "the same everywhere").unwrap();
            point_index_at(&dir, "index");
            (name.to_owned(), dir)
        });
        let read = || -> Vec<(String, String)> {
            ids.iter()
                .map(|(name, dir)| (name.clone(), index_id(dir).unwrap()))
                .collect()
        };
        assert_eq!(disagreement(&read()), None);

        let dir = &ids[2].1;
        std::fs::write(dir.join("index"), "tampered with").unwrap();
        point_index_at(dir, "index");
        let found = disagreement(&read()).unwrap();
        assert!(
            found.starts_with("one gave ") && found.contains("three gave "),
            "{found}"
        );
    }

    fn point_index_at(dir: &Path, file: &str) {
        let id = run_git(dir, &["hash-object", "-w", file]).unwrap();
        run_git(dir, &["update-ref", INDEX_REF, id.trim()]).unwrap();
    }
}
