//! Commits that brought lines that match a text or an expression, took some away, or moved them from file to file: in
//! which the number of such lines of a file changed.
//!
//! Each version of a file is read once, and only where the index does not know that it holds no such line. A merge
//! brings nothing of its own here, as with `git log -S`.

use super::ancestry::Ancestry;
use super::answer::{HistoryAnswer, Now, Place};
use super::follow::{Found, Past};
use super::request::{Bounds, HistoryRequest};
use crate::clean;
use crate::extract::record::DocKey;
use crate::git::history::Headers;
use crate::git::tree::{self, Change, EntryMode};
use crate::git::{Objects, RepoPath};
use crate::id::{BlobId, CommitId};
use crate::query::Error;
use crate::query::engine::{Engine, Pinned};
use crate::query::grep;
use crate::query::request::{Mode, SearchRequest};
use crate::query::scope::Filter;
use crate::query::state::Stamp;
use crate::segment::Segment;
use crate::store::Progress;
use crate::view::files::Reading;
use crate::view::text::Text;
use grep_regex::RegexMatcher;
use roaring::RoaringBitmap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Versions of files that are read.
const MAX_READ: usize = 60_000;
/// Files of a commit that are named besides the first.
const MAX_NAMED: usize = 3;

/// Finds the commits that changed how many lines match.
pub(super) fn past(
    engine: &Engine,
    pinned: &Pinned,
    request: &HistoryRequest,
    bounds: &Bounds,
    progress: &dyn Progress,
    answer: &mut HistoryAnswer,
) -> Result<Past, Error> {
    let matcher = grep::matcher(&request.target, request.mode)?;
    let search = SearchRequest {
        query: request.target.clone(),
        mode: request.mode,
        ..SearchRequest::default()
    };
    let now = grep::grep(
        pinned.view(),
        &mut engine.texts(),
        (&search, &Filter::open()),
        Stamp::default(),
    )?;
    let now = now.exact.unwrap_or_default();
    answer.subject = match request.mode {
        Mode::Text => format!(
            "text {}",
            clean::line(&request.target, clean::MAX_LINE_CHARS)
        ),
        _ => format!(
            "regex {}",
            clean::line(&request.target, clean::MAX_LINE_CHARS)
        ),
    };
    answer.now = Now::Lines {
        lines: now.lines,
        files: now.files,
    };
    let Some(commit) = pinned.stamp.commit else {
        return Ok(Past::default());
    };
    let window = engine.window(Some(commit), progress)?;
    let mut ancestry = Ancestry::new(engine.repo(), window)?;
    let fragments = grep::fragments(&request.target, request.mode);
    let segments = engine.stored();
    let candidates = match fragments.is_empty() {
        true => Vec::new(),
        false => segments
            .iter()
            .map(|segment| grep::holding(segment, &fragments))
            .collect(),
    };
    let mut walk = Walk {
        matcher,
        segments,
        candidates,
        counts: FxHashMap::default(),
        read: 0,
        versions: Vec::new(),
    };
    let headers = Headers::of_kept(engine.repo())?;
    let (looked, end) = match walk.run(&mut ancestry, headers, (commit, bounds), progress) {
        Ok(found) => found,
        Err(Error::Git(err)) if err.is_missing_object() => {
            (0, Some(format!("this clone lacks what came before: {err}")))
        }
        Err(err) => return Err(err),
    };
    // How many files were read depends on what the index has; an answer does not.
    answer.way = Some(format!("{looked} commits looked at"));
    Ok(Past {
        versions: walk.versions,
        end,
    })
}

struct Walk {
    matcher: RegexMatcher,
    segments: Vec<Arc<Segment>>,
    /// Documents of each segment that can match; empty where any can.
    candidates: Vec<RoaringBitmap>,
    /// How many lines of a blob match, and the first of them.
    counts: FxHashMap<BlobId, (u32, u32)>,
    read: usize,
    versions: Vec<Found>,
}

/// A file in which the number of lines changed.
struct Counted {
    path: RepoPath,
    before: u32,
    after: u32,
    line: u32,
}

impl Walk {
    fn run(
        &mut self,
        ancestry: &mut Ancestry,
        mut headers: Headers,
        (from, bounds): (CommitId, &Bounds),
        progress: &dyn Progress,
    ) -> Result<(usize, Option<String>), Error> {
        let mut seen = FxHashSet::from_iter([from]);
        let (date, parents) = headers.read(from)?;
        let mut queue = BinaryHeap::from([(date, Reverse(0usize), from, parents)]);
        let mut looked = 0;
        let mut end = None;
        while let Some((date, _, commit, parents)) = queue.pop() {
            if self.read >= MAX_READ || progress.cancelled() {
                let short = commit.short();
                return Ok((
                    looked,
                    Some(format!("not looked further back than {short}")),
                ));
            }
            if bounds.is_before(date) {
                break;
            }
            looked += 1;
            if headers.is_cut_off(commit) {
                let short = commit.short();
                end = Some(format!("history ends at {short}: the clone is shallow"));
            } else if parents.len() <= 1 {
                self.look(ancestry, (commit, date), parents.first().copied())?;
            }
            for parent in parents {
                if seen.insert(parent) {
                    let (date, parents) = headers.read(parent)?;
                    queue.push((date, Reverse(seen.len()), parent, parents));
                }
            }
        }
        Ok((looked, end))
    }

    fn look(
        &mut self,
        ancestry: &mut Ancestry,
        (commit, date): (CommitId, i64),
        parent: Option<CommitId>,
    ) -> Result<(), Error> {
        let new = ancestry.root(commit)?;
        let changes = match parent {
            Some(parent) => {
                let old = ancestry.root(parent)?;
                tree::diff(ancestry.objects(), old, new)?
            }
            None => tree::list(ancestry.objects(), new)?
                .into_iter()
                .map(|entry| Change {
                    new: Some((entry.mode, entry.id)),
                    old: None,
                    path: entry.path,
                })
                .collect(),
        };
        let mut found = Vec::new();
        for change in changes {
            let (before, was) = self.count(ancestry.objects(), &change.path, change.old)?;
            let (after, is) = self.count(ancestry.objects(), &change.path, change.new)?;
            if before != after {
                found.push(Counted {
                    path: change.path,
                    before,
                    after,
                    line: if after > 0 { is } else { was },
                });
            }
        }
        self.versions.extend(version((commit, date), &found));
        Ok(())
    }

    /// How many lines of a side of a change match, and the first.
    fn count(
        &mut self,
        objects: &mut Objects,
        path: &RepoPath,
        side: Option<(EntryMode, BlobId)>,
    ) -> Result<(u32, u32), Error> {
        let Some((mode, blob)) = side else {
            return Ok((0, 0));
        };
        let Reading::Document(grammar) = Reading::of(path, mode) else {
            return Ok((0, 0));
        };
        if let Some(known) = self.counts.get(&blob) {
            return Ok(*known);
        }
        let count = match self.cannot_match(&DocKey { blob, grammar }) {
            true => (0, 0),
            false => {
                self.read += 1;
                let mut bytes = Vec::new();
                objects.blob(blob, &mut bytes)?;
                lines(&self.matcher, bytes)
            }
        };
        self.counts.insert(blob, count);
        Ok(count)
    }

    /// Whether the index says that a document holds nothing that matches.
    fn cannot_match(&self, key: &DocKey) -> bool {
        let stored = self.segments.iter().zip(&self.candidates);
        let mut stored =
            stored.filter_map(|(segment, can)| Some((segment, can, segment.find(key)?)));
        stored.next().is_some_and(|(segment, can, doc)| {
            !can.contains(doc.0) && segment.doc(doc).skip.is_none()
        })
    }
}

/// How many lines match, and the first of them; secrets do not.
fn lines(matcher: &RegexMatcher, bytes: Vec<u8>) -> (u32, u32) {
    if grep::lines(matcher, &bytes).is_empty() {
        return (0, 0);
    }
    let found = grep::lines(matcher, Text::new(bytes).bytes());
    (found.len() as u32, found.first().copied().unwrap_or(0))
}

/// What a commit did to the lines of some files.
fn version(commit: (CommitId, i64), found: &[Counted]) -> Option<Found> {
    let (added, removed) = found.iter().fold((0, 0), |(added, removed), file| {
        let more = file.after.saturating_sub(file.before);
        let less = file.before.saturating_sub(file.after);
        (added + more, removed + less)
    });
    let did = match added.cmp(&removed) {
        std::cmp::Ordering::Greater => "added",
        std::cmp::Ordering::Less => "removed",
        std::cmp::Ordering::Equal => "moved",
    };
    // Where most of it happened comes first; of what moved, where it went.
    let first = found.iter().max_by_key(|file| match did {
        "removed" => (file.before.saturating_sub(file.after), Reverse(&file.path)),
        _ => (file.after.saturating_sub(file.before), Reverse(&file.path)),
    })?;
    let others: Vec<&Counted> = found
        .iter()
        .filter(|file| file.path != first.path)
        .collect();
    let mut detail = match (first.after, first.line) {
        (0, line) => format!("was in line {line}"),
        (_, line) => format!("line {line}"),
    };
    detail.push_str(&format!("; +{added} -{removed}"));
    let named: Vec<String> = others
        .iter()
        .take(MAX_NAMED)
        .map(|file| clean::path(&file.path.to_string()))
        .collect();
    if !named.is_empty() {
        let more = others.len() - named.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        detail.push_str(&format!("; also {}{more}", named.join(", ")));
    }
    Some(Found {
        commit: Some(commit),
        detail: Some(detail),
        ..Found::new(did, Place::Path(first.path.to_string()))
    })
}
