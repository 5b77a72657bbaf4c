//! What documents of another version are worth once this program reads them as its own.
//!
//! Documents of an extractor that a program does not have are kept and handed on, not judged: nobody there can
//! tell whether they are true, and nothing is answered from them. A program that comes to have that extractor
//! would answer from them, so it first looks at some of each segment, as at those of a stranger.

use super::error::Warning;
use super::judge::Judge;
use super::snapshot::Snapshot;
use super::trust::{Sample, disown};
use crate::extract::fingerprint;
use crate::git::Repo;
use crate::id::SegmentId;

/// Name of the file that says which extractors the segments here were last judged with.
const FILE: &str = "judged";

/// Judges the segments of our own index where other extractors did so last. Those that lie are set aside and
/// leave the snapshot, with a warning.
pub(super) fn judge_again(repo: &Repo, snapshot: &mut Snapshot) {
    let now = fingerprint::of_all().to_le_bytes();
    match repo.kept().read(FILE) {
        Some(last) if last.as_ref() == now => return,
        Some(_) => judge(repo, snapshot),
        // Nobody has worked here, so nobody has let anything pass.
        None => {}
    }
    // Without leave to write they are judged each time.
    let _ = repo.kept().write(FILE, &now);
}

fn judge(repo: &Repo, snapshot: &mut Snapshot) {
    let mut judge = Judge::new(repo, &[], Sample::configured(repo).count());
    for open in snapshot.segments().iter().filter(|open| open.is_stored) {
        judge.believes(open);
    }
    let lies = judge.finish().lies;
    let ids: Vec<SegmentId> = lies.iter().map(|(part, _)| part.id.into()).collect();
    if !ids.is_empty() {
        disown(repo, &ids);
        let segments = &mut snapshot.contents_mut().segments;
        segments.retain(|open| !ids.contains(&open.id()));
        let wrong = lies.into_iter();
        let wrong = wrong.map(|(part, reason)| Warning::Wrong { part, reason });
        snapshot.warnings.extend(wrong);
    }
}
