//! What was found out of ways over imports, and of names that are no more, kept for the next time the same is asked: it
//! depends on what is asked for, on a commit and on those before it, and on nothing that may change but what reads files
//! and resolves names.
//!
//! What is kept names all that in its own name, with the tip of the index, whose segments say what is in the files. It is
//! sealed as all is that lies beside the object store.

use super::bisect::Found;
use super::since::{Change, Evidence, Timeline};
use crate::extract::fingerprint;
use crate::extract::record::ImportKind;
use crate::git::{Repo, history};
use crate::graph::rule::Certainty;
use crate::graph::saved;
use crate::id::CommitId;
use crate::query::Error;
use crate::query::engine::Engine;
use std::fmt::Debug;
use xxhash_rust::xxh3::Xxh3;

/// Bumped when what is kept changes, or how ways are looked for.
const VERSION: u32 = 1;
/// Folder of what is kept.
const FOLDER: &str = "ways";
/// Answers kept; the oldest go first.
const MAX_KEPT: usize = 256;
/// Largest answer that is read, in bytes.
const MAX_BYTES: usize = 4 << 20;

#[derive(bincode::Encode, bincode::Decode)]
struct Saved {
    way: String,
    now: Option<SavedEvidence>,
    changes: Vec<SavedChange>,
    looked: usize,
    passed: usize,
}

#[derive(bincode::Encode, bincode::Decode)]
struct SavedEvidence {
    certainty: String,
    how: String,
    path: String,
    line: u32,
    to: String,
    via: Vec<String>,
    candidates: usize,
}

#[derive(bincode::Encode, bincode::Decode)]
struct SavedChange {
    commit: Vec<u8>,
    date: i64,
    is_merge: bool,
    began: bool,
    evidence: SavedEvidence,
    is_cut_off: bool,
}

/// What was found out before about something, as seen from a commit, or what `find` finds out now. Fails as that does.
pub(super) fn or_found(
    engine: &Engine,
    (of, commit): (&dyn Debug, CommitId),
    find: impl FnOnce() -> Result<Found, Error>,
) -> Result<Found, Error> {
    let kept = engine.repo().kept();
    let name = name(engine, of, commit)?;
    if let Some(known) = kept.read(&name).and_then(|body| read(body.as_ref())) {
        return Ok(known);
    }
    let found = find()?;
    if found.is_whole {
        // A failure to write costs time later, nothing else.
        let bytes = bincode::encode_to_vec(saved_of(&found), bincode::config::standard());
        if bytes.is_ok_and(|bytes| kept.write(&name, &bytes).is_ok()) {
            kept.evict(FOLDER, MAX_KEPT);
        }
    }
    Ok(found)
}

/// Removes all that is kept: something that it names must be nowhere.
pub fn clear(repo: &Repo) {
    repo.kept().retain(FOLDER, |_| false);
}

/// What is known by [`keep_note`] of something, as seen from a commit. Fails when the boundary of a shallow clone cannot
/// be read.
pub(super) fn note(
    engine: &Engine,
    (of, commit): (&dyn Debug, CommitId),
) -> Result<Option<Vec<u8>>, Error> {
    let body = engine.repo().kept().read(&name(engine, of, commit)?);
    Ok(body.map(|body| body.as_ref().to_vec()))
}

/// Keeps something short that was found out. A failure to write costs time later, nothing else; else it fails as [`note`].
pub(super) fn keep_note(
    engine: &Engine,
    (of, commit): (&dyn Debug, CommitId),
    said: &[u8],
) -> Result<(), Error> {
    let kept = engine.repo().kept();
    if kept.write(&name(engine, of, commit)?, said).is_ok() {
        kept.evict(FOLDER, MAX_KEPT);
    }
    Ok(())
}

fn name(engine: &Engine, of: &dyn Debug, commit: CommitId) -> Result<String, Error> {
    let mut hash = Xxh3::new();
    hash.update(&VERSION.to_le_bytes());
    hash.update(&saved::GRAPH_VERSION.to_le_bytes());
    hash.update(&fingerprint::of_all().to_le_bytes());
    let tip = engine.tip();
    let boundary = history::boundary(engine.repo())?;
    for id in [commit].into_iter().chain(tip).chain(boundary) {
        hash.update(id.as_bytes());
    }
    hash.update(format!("{of:?}").as_bytes());
    Ok(format!("{FOLDER}/{:032x}", hash.digest128()))
}

fn saved_of(found: &Found) -> Saved {
    let evidence = |of: &Evidence| SavedEvidence {
        certainty: of.certainty.label().to_owned(),
        how: of.how.to_owned(),
        path: of.path.clone(),
        line: of.line,
        to: of.to.clone(),
        via: of.via.clone(),
        candidates: of.candidates,
    };
    let change = |of: &Change| SavedChange {
        commit: of.commit.as_bytes().to_vec(),
        date: of.date,
        is_merge: of.is_merge,
        began: of.began,
        evidence: evidence(&of.evidence),
        is_cut_off: of.is_cut_off,
    };
    let timeline = &found.timeline;
    Saved {
        way: found.way.clone(),
        now: timeline.now.as_ref().map(evidence),
        changes: timeline.changes.iter().map(change).collect(),
        looked: timeline.looked,
        passed: timeline.passed,
    }
}

fn read(body: &[u8]) -> Option<Found> {
    let encoding = bincode::config::standard().with_limit::<MAX_BYTES>();
    let (saved, _) = bincode::decode_from_slice::<Saved, _>(body, encoding).ok()?;
    let evidence = |of: SavedEvidence| {
        let mut ways = ImportKind::ALL.iter().map(|kind| kind.label());
        Some(Evidence {
            certainty: Certainty::from_label(&of.certainty)?,
            how: ways.find(|way| *way == of.how)?,
            path: of.path,
            line: of.line,
            to: of.to,
            via: of.via,
            candidates: of.candidates,
        })
    };
    let change = |of: SavedChange| {
        Some(Change {
            commit: CommitId::from_bytes(&of.commit)?,
            date: of.date,
            is_merge: of.is_merge,
            began: of.began,
            evidence: evidence(of.evidence)?,
            is_cut_off: of.is_cut_off,
        })
    };
    let now = match saved.now {
        Some(now) => Some(evidence(now)?),
        None => None,
    };
    let changes = saved.changes.into_iter().map(change);
    Some(Found {
        timeline: Timeline {
            now,
            changes: changes.collect::<Option<Vec<Change>>>()?,
            end: None,
            looked: saved.looked,
            passed: saved.passed,
        },
        way: saved.way,
        is_whole: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_as_it_was() {
        let evidence = |line| Evidence {
            certainty: Certainty::Resolved,
            how: ImportKind::Import.label(),
            path: "a/b.ts".to_owned(),
            line,
            to: "c/d.ts".to_owned(),
            via: vec!["e.ts".to_owned()],
            candidates: 2,
        };
        let change = |began: bool| Change {
            commit: CommitId::from_bytes(&[7; 20]).unwrap(),
            date: -5,
            is_merge: !began,
            began,
            evidence: evidence(3),
            is_cut_off: began,
        };
        for now in [None, Some(evidence(1))] {
            let found = Found {
                timeline: Timeline {
                    now,
                    changes: vec![change(true), change(false)],
                    end: None,
                    looked: 17,
                    passed: 60,
                },
                way: "halved".to_owned(),
                is_whole: true,
            };
            let saved = saved_of(&found);
            let bytes = bincode::encode_to_vec(saved, bincode::config::standard()).unwrap();
            assert_eq!(read(&bytes), Some(found));
            assert_eq!(read(&bytes[1..]), None);
        }
    }
}
