//! Renders what `fetch`, `push` and `sync` report. These are short; no budget applies.

use super::upkeep::{bytes, store_line};
use super::{Rendered, clean, count};
use crate::upkeep::memories::{Came, FirstLine, Losses};
use crate::upkeep::sync::{FetchReport, PushReport};
use serde::Serialize;

/// Most memories of one author that are named.
const MAX_CAME: usize = 10;

/// Renders the report of `fetch`; having found no index counts as nothing found.
pub fn fetch(report: &FetchReport) -> Rendered<&FetchReport> {
    Rendered::of(fetch_text(report), report).found(report.tip.is_some() || report.has_memories)
}

fn fetch_text(report: &FetchReport) -> String {
    let remote = &report.remote;
    let Some(tip) = &report.tip else {
        return match report.has_memories {
            true => format!("{remote} has memories and no index\n") + &came(&report.memories),
            false => format!("{remote} has no index: nothing there yet\n"),
        };
    };
    if report.dry_run {
        return match report.is_known {
            true => format!("{remote} has {tip}, as when it was last fetched\n"),
            false => format!("{remote} has {tip}, which would be fetched\n"),
        };
    }
    let mut text = match (report.documents, report.segments) {
        (0, 0) if report.traces + report.facts + report.commits == 0 => {
            format!("from {remote}: nothing new\n")
        }
        (documents, segments) => format!(
            "from {remote}: {} in {}\n",
            count(documents as u64, "new document"),
            count(segments as u64, "segment")
        ),
    };
    if report.traces > 0 {
        text += &format!("and {}\n", count(report.traces as u64, "new trace"));
    }
    if report.facts > 0 {
        let blobs = count(report.facts as u64, "more blob");
        text += &format!("and compilers' facts of {blobs}\n");
    }
    if report.commits > 0 {
        text += &format!(
            "and the log of {}\n",
            count(report.commits as u64, "commit")
        );
    }
    text += &came(&report.memories);
    text += &store_line(&report.index);
    text
}

/// Says who changed what of the memories that were here, a line for each; nothing where nobody did.
pub fn losses(all: &[Came]) -> Vec<String> {
    let said = |came: &Came| {
        let Losses {
            taken_out,
            ended,
            replaced,
        } = came.losses;
        let counts = [
            (taken_out, "taken out"),
            (ended, "ended"),
            (replaced, "replaced"),
        ];
        let counts = counts.iter().filter(|(n, _)| *n > 0);
        let counts: Vec<String> = counts.map(|(n, what)| format!("{n} {what}")).collect();
        let by = clean::person(&came.author, clean::MAX_PERSON_CHARS);
        (!counts.is_empty()).then(|| {
            format!(
                "of the memories that were here: {} by {by}",
                counts.join(", ")
            )
        })
    };
    all.iter().filter_map(said).collect()
}

/// Says which memories came, by author. They are quotations.
fn came(all: &[Came]) -> String {
    let mut text = String::new();
    for came in all {
        let counts = [
            (came.claims.len(), "memory"),
            (came.ended, "end"),
            (came.redacted, "redaction"),
            (came.repinned, "repin"),
        ];
        let said = counts.into_iter().filter(|(n, _)| *n > 0);
        let said: Vec<String> = said
            .map(|(n, what)| match (n, what) {
                (1, what) => format!("1 {what}"),
                (n, "memory") => format!("{n} memories"),
                (n, what) => format!("{n} {what}s"),
            })
            .collect();
        text += &format!(
            "{} of {}\n",
            said.join(", "),
            clean::person(&came.author, clean::MAX_PERSON_CHARS)
        );
        for FirstLine { id, text: first } in came.claims.iter().take(MAX_CAME) {
            text += &format!("  {id} {}\n", clean::line(first, 100));
        }
        if came.claims.len() > MAX_CAME {
            text += &format!("  and {} more\n", came.claims.len() - MAX_CAME);
        }
        for FirstLine { id, text: reason } in came.taken_out.iter().take(MAX_CAME) {
            let reason = clean::line(reason, 100);
            let stop = if reason.is_empty() { "" } else { ": " };
            text += &format!("  took out the text of {id}{stop}{reason}\n");
        }
        if came.redacted > MAX_CAME {
            text += &format!("  and {} more\n", came.redacted - MAX_CAME);
        }
    }
    text
}

/// Renders the report of `push`.
pub fn push(report: &PushReport) -> Rendered<&PushReport> {
    Rendered::of(push_text(report), report)
}

fn push_text(report: &PushReport) -> String {
    let remote = &report.remote;
    let (verb, there) = match report.dry_run {
        true => ("would send", "would have"),
        false => ("sent", "has"),
    };
    // Where nobody watches the first line is all that is said.
    let memories = match report.memories {
        0 => None,
        n => Some(format!("{} of memories", count(n as u64, "event"))),
    };
    let mut text = if report.is_current {
        match (&memories, report.withheld) {
            (Some(memories), _) => format!("to {remote}: {verb} {memories}\n"),
            (None, 0) => format!("to {remote}: everything up to date\n"),
            (None, _) => format!("to {remote}: nothing to send\n"),
        }
    } else {
        let memories = memories.map_or(String::new(), |memories| format!(", and {memories}"));
        format!(
            "to {remote}: {verb} {} in {} ({}){memories}; it {there} {} now\n",
            count(report.documents as u64, "document"),
            count(report.segments as u64, "segment"),
            bytes(report.bytes),
            count(report.segments_there as u64, "segment"),
        )
    };
    if report.traces > 0 {
        text += &format!("and {}\n", count(report.traces as u64, "trace"));
    }
    if report.facts > 0 {
        let blobs = count(report.facts as u64, "blob");
        text += &format!("and compilers' facts of {blobs}\n");
    }
    if report.commits > 0 {
        text += &format!(
            "and the log of {}\n",
            count(report.commits as u64, "commit")
        );
    }
    text += &came(&report.came);
    if report.withheld > 0 {
        text += &format!(
            "{} withheld: the remote does not have the content; push the branch first\n",
            count(report.withheld as u64, "document")
        );
    }
    text
}

/// Report of `sync`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Synced<'a> {
    /// What came.
    fetched: &'a FetchReport,
    /// What went.
    pushed: &'a PushReport,
}

/// Renders the report of `sync`.
pub fn sync<'a>(fetched: &'a FetchReport, pushed: &'a PushReport) -> Rendered<Synced<'a>> {
    Rendered::of(
        fetch_text(fetched) + &push_text(pushed),
        Synced { fetched, pushed },
    )
}
