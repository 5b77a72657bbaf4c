//! Where a name merely stands: in comments, strings and prose, and in code that was resolved to
//! nothing. What a search for the word would add to the uses.

use super::RefsContext;
use crate::extract::terms;
use crate::graph::rule::Certainty;
use crate::query::receivers::stand_before;
use crate::query::refs::answer::{WordLines, Words};
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use rustc_hash::FxHashSet;

/// Files that are read for the mere word.
const MOST_FILES: usize = 20;

/// Finds lines that hold the word (after the names of a chain, where there are any) and are neither in
/// `known`, the lines of uses and definitions, nor resolved to something. Reads at most [`MOST_FILES`], whatever of
/// them is shown, and counts the others.
pub(super) fn find(
    asked: &RefsContext<'_>,
    texts: &mut Texts,
    (name, chain): (&str, &[String]),
    known: &FxHashSet<(FileId, u32)>,
) -> Words {
    let mut words = Words::default();
    if name.is_empty() {
        return words;
    }
    let candidates = containing(asked, name);
    for (at, file) in candidates.iter().enumerate() {
        if at == MOST_FILES {
            words.unread += candidates.len() - at;
            break;
        }
        let Some(text) = texts.if_here(asked.view, *file) else {
            words.unread += 1;
            continue;
        };
        let mut lines: Vec<u32> = text
            .words(name.as_bytes())
            .map(|at| text.place(at))
            .filter(|(line, col)| {
                let follows = chain.is_empty() || stand_before(&text, (*line, *col), chain);
                follows
                    && !known.contains(&(*file, *line))
                    && !is_resolved(asked, *file, *line, *col)
            })
            .map(|(line, _)| line)
            .collect();
        lines.dedup();
        if !lines.is_empty() {
            words.total += lines.len() as u64;
            words.files.push(WordLines {
                path: asked.view.file(*file).path.to_string(),
                lines,
            });
        }
    }
    words
}

/// Files whose index has the word, product code first. The index folds case and leaves signs out, so some may
/// hold another spelling only.
fn containing(asked: &RefsContext<'_>, name: &str) -> Vec<FileId> {
    let view: &View = asked.view;
    let term = terms::of_name(name.as_bytes());
    let mut found = Vec::new();
    for live in view.segments() {
        let Some(postings) = live.segment.postings(&term) else {
            continue;
        };
        let docs = live
            .segment
            .chunk_docs(postings.map(|posting| posting.chunk));
        for doc in docs.filter(|doc| live.is_live(*doc)) {
            found.extend(live.files_of(doc));
        }
    }
    found.retain(|file| asked.filter.admits(view, view.file(*file)));
    found.sort_by_key(|file| (view.file(*file).role, *file));
    found.dedup();
    found
}

/// Whether a place was resolved to something.
pub(super) fn is_resolved(asked: &RefsContext<'_>, file: FileId, line: u32, col: u32) -> bool {
    let edge = asked.graph.edge_at(file, line, col);
    edge.is_some_and(|number| asked.graph.edge(number).rule.certainty() != Certainty::Text)
}
