//! Renders what `status` reports.

use super::{Rendered, bytes, clean, count, skip_list, store_line};
use crate::extract::record::Lines;
use crate::render::{footer, lines};
use crate::upkeep::status::{Broken, RemoteState, StatusAnswer, Unread};
use serde::Serialize;
use std::collections::BTreeMap;

/// What is said of files that were read as far as they parse.
const PARTLY: &str = "with syntax errors, read in part";

/// Most remotes that `status` lists.
const MAX_REMOTES: usize = 4;

/// Renders the answer of `status`.
pub fn status(answer: &StatusAnswer) -> Rendered<&StatusAnswer> {
    let on = answer.branch.as_deref().map(|b| clean::line(b, 80));
    let on = on.map_or_else(String::new, |branch| format!(" on {branch}"));
    let mut text = format!("{}{on}\n", footer::state(&answer.stamp));
    text += &format!(
        "covered: {} of {}",
        answer.covered,
        count(answer.files as u64, "file")
    );
    if answer.absent > 0 {
        text += &format!(
            "; {} not in this clone",
            count(answer.absent as u64, "blob")
        );
    }
    text.push('\n');
    let skipped = answer.skipped_counts();
    if !skipped.is_empty() {
        text += &format!("not extracted: {}\n", skip_list(&skipped));
    }
    if answer.forgotten() > 0 {
        let files = count(answer.forgotten() as u64, "file");
        text += &format!(
            "forgotten: nothing is recorded or found of {files}; somebody, here or where the index was fetched from, asked for that\n"
        );
    }
    let partly = &answer.partly;
    if !partly.files.is_empty() {
        text += &format!(
            "not understood: {} of {} in {}\n",
            bytes(partly.bytes),
            bytes(partly.of),
            count(partly.files.len() as u64, "file")
        );
    }
    text += &store_line(&answer.index);
    if answer.traced > 0 {
        text += &format!(
            "traces: {}, {} at HEAD\n",
            count(answer.traced as u64, "blob"),
            count(answer.files_traced as u64, "file")
        );
    }
    if answer.told > 0 {
        text += &format!(
            "compilers' facts: {}, {} at HEAD\n",
            count(answer.told as u64, "blob"),
            count(answer.files_told as u64, "file")
        );
    }
    text += &format!("kept warm: {}\n", answer.policy);
    if !answer.remotes.is_empty() {
        text += &format!("fetched: {}\n", remote_list(&answer.remotes));
    }
    text += &format!("cache: {}\n", bytes(answer.cache_bytes));
    for warning in &answer.stamp.warnings {
        text += &format!("warning: {}\n", clean::whole(warning));
    }
    if let Some(advice) = answer.advice {
        text += &format!("next: {advice}\n");
    }
    Rendered::of(text, answer)
}

/// Files of one kind, as `status --skipped` lists them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Listed {
    /// Why they were not read, or not all of them.
    reason: &'static str,
    /// Their paths.
    paths: Vec<String>,
    /// First and last of lines of these that were not understood.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    lines: BTreeMap<String, Vec<[u32; 2]>>,
}

/// Renders the files that were not read, and those that were read in part; none counts as nothing found.
pub fn skipped(answer: &StatusAnswer) -> Rendered<Vec<Listed>> {
    let (mut text, mut all) = (String::new(), Vec::new());
    for Unread { reason, paths } in &answer.skipped {
        text += &format!("{} {reason}\n", paths.len());
        for path in paths {
            text += &format!("  {}\n", clean::path(path));
        }
        all.push(Listed {
            reason,
            paths: paths.clone(),
            lines: BTreeMap::new(),
        });
    }
    let broken = &answer.partly.files;
    if !broken.is_empty() {
        text += &format!("{} {PARTLY}\n", broken.len());
        for Broken {
            path,
            lines: ranges,
        } in broken
        {
            text += &match ranges.is_empty() {
                true => format!("  {}\n", clean::path(path)),
                false => format!("  {}:{}\n", clean::path(path), lines(ranges)),
            };
        }
        let pair = |lines: &Lines| [lines.first, lines.last];
        let of = |file: &Broken| (file.path.clone(), file.lines.iter().map(pair).collect());
        let known = broken.iter().filter(|file| !file.lines.is_empty());
        all.push(Listed {
            reason: PARTLY,
            paths: broken.iter().map(|file| file.path.clone()).collect(),
            lines: known.map(of).collect(),
        });
    }
    let found = !all.is_empty();
    Rendered::of(text, all).found(found)
}

fn remote_list(remotes: &[RemoteState]) -> String {
    let mut listed: Vec<String> = remotes
        .iter()
        .take(MAX_REMOTES)
        .map(|remote| {
            let name = clean::line(&remote.name, 40);
            match remote.fetched {
                None => format!("nothing from {name}"),
                Some(_) if remote.is_ours => format!("the same from {name}"),
                Some(tip) => format!("{} from {name}", tip.short()),
            }
        })
        .collect();
    if remotes.len() > MAX_REMOTES {
        listed.push(count((remotes.len() - MAX_REMOTES) as u64, "more remote"));
    }
    listed.join(", ")
}

#[cfg(test)]
mod tests {
    use crate::extract::record::Lines;
    use crate::render::samples;
    use crate::upkeep::status::{Broken, Partly, RemoteState, StatusAnswer, Unread};
    use insta::assert_snapshot;

    #[test]
    fn what_is_covered_and_what_is_not() {
        let tip = samples::stamp().commit;
        let remote = |name: &str, fetched, is_ours| RemoteState {
            name: name.to_owned(),
            fetched,
            is_ours,
        };
        let mut status = StatusAnswer {
            stamp: samples::stamp(),
            branch: Some("main".to_owned()),
            files: 412,
            covered: 412,
            index: samples::map().index,
            ..StatusAnswer::default()
        };
        assert_snapshot!(super::status(&status).text, @r#"
        index 3fce3b5b9d+2 dirty on main
        covered: 412 of 412 files
        stored: 5120 documents, 4 segments, 4.1 MiB in 9f1c22d0a4
        kept warm: branches and work trees, each with 2 weeks before it
        cache: 0 B
        "#);
        status.covered = 400;
        status.absent = 12;
        let paths = |paths: &[&str]| -> Vec<String> {
            paths.iter().map(|path| (*path).to_owned()).collect()
        };
        let unread = |reason, all: &[&str]| Unread {
            reason,
            paths: paths(all),
        };
        status.skipped = vec![
            unread("lock file", &["a/go.sum", "go.sum"]),
            unread("binary", &["logo one.png"]),
        ];
        status.partly = Partly {
            files: vec![Broken {
                path: "src/half one.rs".to_owned(),
                lines: vec![Lines { first: 3, last: 3 }, Lines { first: 9, last: 40 }],
            }],
            bytes: 900,
            of: 3 << 20,
        };
        status.cache_bytes = 5 << 20;
        status.remotes = vec![
            remote("origin", tip, true),
            remote("fork", tip, false),
            remote("a", None, false),
            remote("b", None, false),
            remote("c", None, false),
            remote("d", None, false),
        ];
        status.advice = Some("run `git sverklo index`");
        assert_snapshot!(super::status(&status).text, @r#"
        index 3fce3b5b9d+2 dirty on main
        covered: 400 of 412 files; 12 blobs not in this clone
        not extracted: 2 lock file, 1 binary
        not understood: 900 B of 3.0 MiB in 1 file
        stored: 5120 documents, 4 segments, 4.1 MiB in 9f1c22d0a4
        kept warm: branches and work trees, each with 2 weeks before it
        fetched: the same from origin, 3fce3b5b9d from fork, nothing from a, nothing from b, 2 more remotes
        cache: 5.0 MiB
        next: run `git sverklo index`
        "#);
        assert_snapshot!(super::skipped(&status).text, @r#"
        2 lock file
          a/go.sum
          go.sum
        1 binary
          "logo one.png"
        1 with syntax errors, read in part
          src/half one.rs:3, 9-40
        "#);
    }
}
