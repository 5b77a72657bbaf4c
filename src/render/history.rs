//! Renders answers of `history`: a line a version, newest first.

use super::footer::Footer;
use super::layout::{Item, Tally, lay_out};
use super::wire::history as wire;
use super::{Budgeted, Page, Rendered, Style, clean, count, memory};
use crate::graph::rule::Certainty;
use crate::query::answer::SymbolRef;
use crate::query::history::answer::{HistoryAnswer, Now, Place, Version};
use crate::query::history::commits::{CommitLine, Squashed};
use crate::query::history::decisions::{Decision, Decisions, Link};
use crate::query::history::since::Evidence;

/// Longest name of an author, in characters.
const MAX_AUTHOR: usize = 40;
/// Longest subject shown.
const MAX_SUBJECT: usize = 120;
/// Most commits shown of those that were made one.
const MAX_SQUASHED: usize = 4;

impl Budgeted for HistoryAnswer {
    type Wire<'a> = wire::History;

    const BUDGET: usize = super::HISTORY_BUDGET;

    fn render(&self, style: &Style) -> Rendered<wire::History> {
        render(self, style)
    }
}

/// Renders an answer of `history`.
pub fn render(answer: &HistoryAnswer, style: &Style) -> Rendered<wire::History> {
    let mut items = vec![Item::remark(0, head(answer))];
    items.extend(memory::notes(&answer.memories, 1));
    items.extend(decisions(&answer.decisions));
    let first = items.len();
    let mut last = None;
    for version in &answer.versions {
        let path = path_of(&version.place);
        let is_news = last.is_some_and(|last| last != path);
        items.push(Item {
            rank: 2,
            tally: Tally::Main,
            levels: levels(version, is_news),
        });
        last = Some(path);
    }
    let (text, layout, footer) = lay_out(&items, 2, style.budget, |layout| {
        let footer = Footer::new(&answer.stamp, layout.main, answer.total).after(answer.offset);
        let footer = if answer.has_more {
            footer.at_least()
        } else {
            footer
        };
        let footer = match &answer.way {
            Some(way) => footer.remark(way.clone()),
            None => footer,
        };
        let footer = match &answer.end {
            Some(end) => footer.remark(clean::whole(end)),
            None => footer,
        };
        let page = Page {
            offset: answer.offset,
            listed: answer.versions.len(),
            // What was not looked for is one more at the least.
            total: answer.total + usize::from(answer.has_more),
        };
        footer.next(super::rest(layout, page, style.voice).or_else(|| {
            let room = super::fitting(layout);
            (!layout.full).then(|| style.voice.set("budget", room))
        }))
    });
    let shown = answer.versions.iter().enumerate();
    let shown = shown.filter(|(at, _)| layout.level(first + at).is_some());
    let shown = shown
        .map(|(_, version)| wire::Version::new(version))
        .collect();
    let wire = wire::History::new(answer, &layout, shown, footer.advice());
    Rendered::of(text, wire).found(answer.total > 0)
}

/// A line for each decision record that is linked to it.
fn decisions(decisions: &Decisions) -> Vec<Item> {
    let line = |decision: &Decision| {
        let place = format!("{}:{}", clean::path(&decision.path), decision.line);
        let title =
            (!decision.title.is_empty()).then(|| memory::quotation(&decision.title, MAX_SUBJECT));
        let status = decision
            .status
            .as_ref()
            .map(|status| clean::line(status, MAX_AUTHOR));
        let linked = match decision.link {
            Link::NamedBy(commit) => format!("named by {}", commit.short()),
            Link::ChangedBy(commit) => format!("changed by {}", commit.short()),
            Link::Names => "names it".to_owned(),
        };
        let parts = [
            Some(format!("decision {place}")),
            title,
            status,
            Some(linked),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        Item::remark(1, parts.join(" | ") + "\n")
    };
    let mut items: Vec<Item> = decisions.told.iter().map(line).collect();
    if decisions.more > 0 {
        let more = count(decisions.more as u64, "more decision");
        items.push(Item::remark(3, more + "\n"));
    }
    if decisions.unread > 0 {
        let unread = count(decisions.unread as u64, "decision record");
        items.push(Item::remark(3, unread + " not read\n"));
    }
    items
}

/// The first line: what was followed.
fn head(answer: &HistoryAnswer) -> String {
    let mut parts = Vec::new();
    if answer.subject.is_empty() {
        parts.push(format!("nothing found of {}", clean::word(&answer.target)));
    } else {
        parts.push(clean::path(&clean::whole(&answer.subject)));
        let noun = match answer.now {
            Now::Unasked => "version",
            Now::No | Now::Yes(_) => "change",
            Now::Lines { .. } => "commit",
        };
        let more = if answer.has_more { " or more" } else { "" };
        parts.push(count(answer.total as u64, noun) + more);
    }
    match &answer.now {
        Now::Unasked => {}
        Now::No => parts.push("does not hold".to_owned()),
        Now::Lines { lines: 0, .. } => parts.push("no line now".to_owned()),
        Now::Lines { lines, files } => parts.push(format!(
            "{} in {} now",
            count(*lines as u64, "line"),
            count(*files as u64, "file")
        )),
        Now::Yes(evidence) => parts.push(format!("holds: {}", used(evidence))),
    }
    if !answer.also.is_empty() {
        let also: Vec<String> = answer.also.iter().map(|id| clean::whole(id)).collect();
        parts.push(format!("also {}", also.join(", ")));
    }
    parts.join(" | ") + "\n"
}

fn path_of(place: &Place) -> &str {
    match place {
        Place::Path(path) => path,
        Place::Symbol(symbol) => &symbol.path,
        Place::Use(evidence) => &evidence.path,
    }
}

/// Where a version stands: with its path where that is not said already.
fn place(place: &Place, with_path: bool) -> Option<String> {
    match place {
        Place::Path(path) => with_path.then(|| clean::path(path)),
        Place::Symbol(symbol) => Some(match with_path {
            true => full(symbol),
            false => format!("{}-{}", symbol.start_line, symbol.end_line),
        }),
        Place::Use(evidence) => Some(used(evidence)),
    }
}

/// Where something uses something: the place, how, what it leads to, and how sure that is.
fn used(evidence: &Evidence) -> String {
    let sure = match (evidence.certainty, evidence.candidates) {
        (Certainty::Resolved, _) => String::new(),
        (Certainty::Inferred, _) => " (by name only, which nothing else has)".to_owned(),
        (_, others) => format!(
            " (by name only, which {} more {})",
            others,
            match others {
                1 => "thing has",
                _ => "things have",
            }
        ),
    };
    let via: Vec<String> = evidence.via.iter().map(|path| clean::path(path)).collect();
    let via = match via.is_empty() {
        true => String::new(),
        false => format!(" via {}", via.join(", ")),
    };
    format!(
        "{}:{} {} {}{via}{sure}",
        clean::path(&evidence.path),
        evidence.line,
        evidence.how,
        clean::place(&evidence.to),
    )
}

fn full(symbol: &SymbolRef) -> String {
    format!(
        "{}:{}-{} {}",
        clean::path(&symbol.path),
        symbol.start_line,
        symbol.end_line,
        clean::word(&symbol.qualified)
    )
}

/// A commit in the words of a line.
pub(super) fn commit_parts(commit: &CommitLine) -> Vec<String> {
    let subject = memory::quotation(&commit.subject, MAX_SUBJECT);
    let issues = commit.issues.iter().map(|issue| format!("#{issue}"));
    let unsaid: Vec<String> = issues
        .filter(|issue| !subject.contains(issue.as_str()))
        .collect();
    let mut parts = vec![
        format!("{} {}", commit.id.short(), commit.day),
        clean::person(&commit.author, MAX_AUTHOR),
        subject,
    ];
    if !unsaid.is_empty() {
        parts.push(unsaid.join(" "));
    }
    if !commit.squashed.is_empty() {
        parts.push(squashed(&commit.squashed));
    }
    parts
}

/// The commits that were made one.
fn squashed(all: &[Squashed]) -> String {
    let named = all.iter().take(MAX_SQUASHED).map(|one| {
        let subject = one.subject.as_ref();
        let subject = subject.map(|subject| memory::quotation(subject, MAX_SUBJECT));
        let id = one.id.short();
        subject.map_or_else(|| id.to_string(), |subject| format!("{id} {subject}"))
    });
    let named: Vec<String> = named.collect();
    let more = match all.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("squashed from {}{more}", named.join(", "))
}

fn levels(version: &Version, is_news: bool) -> Vec<String> {
    let did = version.did.join(", ");
    let did = if version.is_merge {
        format!("{did} (merge)")
    } else {
        did
    };
    let mut parts = match &version.commit {
        Some(commit) => commit_parts(commit),
        None => vec!["uncommitted".to_owned()],
    };
    parts.insert(1, did);
    let with_path = is_news || version.was.is_some();
    parts.extend(place(&version.place, with_path));
    if let Some(was) = &version.was {
        parts.extend(place(was, true).map(|was| format!("was {was}")));
    }
    parts.extend(version.detail.as_ref().map(|detail| clean::whole(detail)));
    let line = parts.join(" | ") + "\n";
    let Some((before, after)) = &version.signatures else {
        return vec![line];
    };
    let mut signed = line.clone();
    let (before, after) = (clean::whole(before), clean::whole(after));
    let lines = [format!("- {before}"), format!("+ {after}")];
    clean::block(&mut signed, lines.iter().map(String::as_str));
    vec![line, signed]
}
