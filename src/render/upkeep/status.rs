//! Renders what `status` reports.

use super::{Rendered, bytes, clean, count, skip_list, store_line, wire};
use crate::render::footer;
use crate::upkeep::status::{RemoteState, StatusAnswer};

/// What is said of files that were read as far as they parse.
const PARTLY: &str = "with syntax errors, read in part";

/// Most remotes that `status` lists.
const MAX_REMOTES: usize = 4;

/// Renders the answer of `status`.
pub fn status(answer: &StatusAnswer) -> Rendered<wire::Status> {
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
    let skipped = counts(answer);
    if !skipped.is_empty() {
        text += &format!("not extracted: {}\n", skip_list(&skipped));
    }
    text += &store_line(&answer.index);
    if answer.traced > 0 {
        text += &format!(
            "traces: {}, {} at HEAD\n",
            count(answer.traced as u64, "blob"),
            count(answer.files_traced as u64, "file")
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
    let wire = wire::Status {
        index: wire::Index::new(&answer.stamp),
        branch: answer.branch.clone(),
        files: answer.files,
        covered: answer.covered,
        absent: answer.absent,
        skipped: wire::skipped(&skipped),
        store: wire::Store::new(&answer.index),
        traced: answer.traced,
        files_traced: answer.files_traced,
        history: answer.policy.history.label(),
        window: answer.policy.window.to_string(),
        remotes: answer.remotes.iter().map(wire::Remote::new).collect(),
        cache_bytes: answer.cache_bytes,
        next: answer.advice,
    };
    Rendered {
        text,
        wire,
        found: true,
    }
}

/// How many files there are of each reason.
fn counts(answer: &StatusAnswer) -> Vec<(&'static str, usize)> {
    let skipped = answer.skipped.iter();
    skipped.map(|(why, paths)| (*why, paths.len())).collect()
}

/// Renders the files that were not read, and those that were read in part; none counts as nothing found.
pub fn skipped(answer: &StatusAnswer) -> Rendered<Vec<wire::Unread>> {
    let broken = (!answer.broken.is_empty()).then_some((PARTLY, &answer.broken));
    let all = answer.skipped.iter().map(|(why, paths)| (*why, paths));
    let all: Vec<_> = all.chain(broken).collect();
    let mut text = String::new();
    for (why, paths) in &all {
        text += &format!("{} {why}\n", paths.len());
        for path in *paths {
            text += &format!("  {}\n", clean::path(path));
        }
    }
    let unread = all.iter().map(|(reason, paths)| wire::Unread {
        reason,
        paths: paths.to_vec(),
    });
    Rendered {
        text,
        found: !all.is_empty(),
        wire: unread.collect(),
    }
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
