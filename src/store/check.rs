//! Checking everything that is stored, and mending it.
//!
//! A wrong segment leaves the set and its documents are extracted again. Nothing is ever deleted
//! from the object store: a damaged object stays where it is, and the segments that replace it are
//! cut so that none has its id, because git does not write an object that it believes to have.

use super::contents::Contents;
use super::error::{Error, Warning};
use super::ingest::{Progress, Report, extract, uncovered};
use super::judge::{Derived, compare, share, shuffle};
use super::kind::{Bytes, Kind};
use super::ledger::Ledger;
use super::log::piece::LogPieces;
use super::manifest;
use super::part_ref::PartRef;
use super::parts::Judgement;
use super::publish::{Durable, Move, replace};
use super::recheck::recheck_all;
use super::rederive::Lie;
use super::segments::{OpenSegment, Segments};
use super::snapshot::{Snapshot, absent};
use super::trace::Traces;
use super::trust::remove_files;
use super::union::{add, halves};
use super::vectors::{folder, trust as vectors};
use super::{aside, files};
use crate::cache::Found;
use crate::extract::record::{DocKey, RowKey};
use crate::git::refs;
use crate::git::write::PackWriter;
use crate::git::{Objects, Repo};
use crate::id::{CommitId, PartId, SegmentId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// One thing that is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Finding {
    /// Something about the tip or a segment that readers work around.
    #[error("{0}")]
    Met(Warning),
    /// The tip is not the commit that its content has.
    #[error("the tip {tip} is not the commit that its segments have, which is {expected}")]
    Tip {
        /// The tip.
        tip: CommitId,
        /// What it must be.
        expected: CommitId,
    },
    /// This part is there although the tip says that it must not come back.
    #[error("{0}: it is absorbed and yet named by the tip")]
    Buried(PartRef),
    /// This segment holds a document of a blob that is forgotten.
    #[error("segment {0}: it holds documents of forgotten blobs")]
    Denied(SegmentId),
    /// This part of another kind tells of a blob that is forgotten.
    #[error("{0}: it tells of forgotten blobs")]
    Tells(PartRef),
    /// A document differs from its blob.
    #[error("segment {id}: {lie}")]
    Lies {
        /// The segment.
        id: SegmentId,
        /// What it says.
        lie: Lie,
    },
    /// The file of this segment differs from its object.
    #[error("the file of segment {0} differs from the object")]
    File(SegmentId),
    /// An index that was fetched.
    #[error("{name}: {warning}")]
    Fetched {
        /// The ref that names it.
        name: String,
        /// What is wrong.
        warning: Warning,
    },
}

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The index as it was found; wrong segments are in it as far as they can be opened.
    pub snapshot: Snapshot,
    /// Segments that the tip names.
    pub segments: usize,
    /// Documents in those that can be opened.
    pub documents: usize,
    /// Documents that were extracted again.
    pub rederived: usize,
    /// Blobs whose traces can be read.
    pub traces: usize,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// Segments that cannot stay in the set.
    wrong: BTreeSet<SegmentId>,
    /// Those of them whose content is to blame, not the object that holds it.
    untrue: BTreeSet<SegmentId>,
    /// Segments whose objects are there and damaged.
    damaged: BTreeSet<SegmentId>,
    /// Parts of other kinds, and blocks of vectors, that cannot stay.
    wrong_pieces: FxHashSet<PartId>,
    /// Those of them whose content is to blame.
    untrue_pieces: Vec<PartId>,
    /// Segments whose files differ.
    files: Vec<SegmentId>,
    /// Documents of segments that go and can be opened.
    lost: Vec<DocKey>,
}

impl Checked {
    /// Whether there is something that [`heal`] mends.
    pub fn can_heal(&self) -> bool {
        let is_ours = |finding: &&Finding| !matches!(finding, Finding::Fetched { .. });
        self.findings.iter().any(|finding| is_ours(&finding))
    }

    /// Whether documents are gone of which it is not known which they are.
    pub fn loses_unknown(&self) -> bool {
        self.findings.iter().any(|finding| {
            matches!(
                finding,
                Finding::Met(
                    Warning::Unreadable { .. }
                        | Warning::UnreadableTip { .. }
                        | Warning::ForeignTip { .. }
                )
            ) || matches!(finding, Finding::Met(Warning::Bad { part, .. }) if part.is::<Segments>())
        })
    }
}

/// Checks the index: tip, ledger, every segment with its file, and the indexes that were fetched.
/// Of each segment, `percent` of the documents (at least one, if it is not 0) are extracted again.
/// Fails when the refs cannot be read.
pub fn check(repo: &Repo, percent: u8, progress: &dyn Progress) -> Result<Checked, Error> {
    let mut out = Checked::default();
    let name = repo.ref_names().index();
    let Some(tip) = refs::read(repo, &name)?.map(CommitId::new) else {
        check_fetched(repo, &mut out)?;
        return Ok(out);
    };
    let mut objects = repo.objects();
    let found = manifest::read(repo, &mut objects, tip);
    out.segments = found.segments.len();
    let is_read = !found.warnings.iter().any(|w| {
        matches!(
            w,
            Warning::ForeignTip { .. } | Warning::UnreadableTip { .. }
        )
    });
    out.findings
        .extend(found.warnings.into_iter().map(Finding::Met));
    if is_read {
        let mut pack = PackWriter::new(repo.hash());
        let (ids, contents) = (&found.segments, &found.contents);
        let expected = manifest::write(&mut pack, repo.hash(), ids, contents, &[])?;
        if expected != tip {
            out.findings.push(Finding::Tip { tip, expected });
        }
    }
    check_pieces(repo, &found.contents, percent, &mut out);
    let total = found.segments.len();
    let mut opened = Vec::with_capacity(total);
    for (at, id) in found.segments.iter().enumerate() {
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
        opened.extend(check_segment(
            repo,
            &mut objects,
            &found.contents.ledger,
            *id,
            &mut out,
        ));
        progress.documents(at + 1, total);
    }
    for open in &opened {
        out.documents += open.segment().doc_count() as usize;
        rederive(repo, open, percent, &mut out);
    }
    for open in &opened {
        if out.wrong.contains(&open.id()) {
            let ours = open.keys().filter(Segments::is_derivable);
            out.lost.extend(ours.map(|key| key.doc));
        }
    }
    let contents = Contents {
        segments: opened,
        ..found.contents
    };
    out.snapshot = Snapshot::of(Some(tip), contents);
    out.traces = Traces::open(repo, &out.snapshot).0.len();
    check_vectors(repo, percent, &mut out);
    check_fetched(repo, &mut out)?;
    Ok(out)
}

/// Checks one segment; returns it if it can be opened, from its object or from its file.
fn check_segment(
    repo: &Repo,
    objects: &mut Objects,
    ledger: &Ledger,
    id: SegmentId,
    out: &mut Checked,
) -> Option<OpenSegment> {
    let file = repo.kept().inspect(&files::name::<Segments>(id));
    let part = PartRef::of::<Segments>(id);
    let open = match files::read_blob(objects, id.as_object(), Segments::MAX_BYTES) {
        Ok(bytes) => {
            let differs = match file {
                Found::Absent => false,
                Found::Damaged => true,
                Found::Whole(body) => body.as_ref() != bytes,
            };
            if differs {
                out.files.push(id);
                out.findings.push(Finding::File(id));
            }
            match sound(repo, bytes) {
                Ok(open) => open,
                Err(reason) => {
                    out.wrong.insert(id);
                    out.untrue.insert(id);
                    out.findings
                        .push(Finding::Met(Warning::Bad { part, reason }));
                    return None;
                }
            }
        }
        Err(why) => {
            out.findings.push(Finding::Met(absent(id, why)));
            out.wrong.insert(id);
            // What is not there at all can be written again.
            if objects.contains(id.as_object()) {
                out.damaged.insert(id);
            }
            // The file may be whole, and then nothing is lost.
            let Found::Whole(body) = file else {
                return None;
            };
            let open = sound(repo, body.as_ref().to_vec()).ok();
            open.filter(|open| open.id() == id)?
        }
    };
    if ledger.has_tombstone(id.into()) {
        out.findings.push(Finding::Buried(part));
    }
    if open.holds_denied(ledger) {
        out.findings.push(Finding::Denied(id));
    }
    Some(open)
}

fn sound(repo: &Repo, bytes: Vec<u8>) -> Result<OpenSegment, String> {
    let segment = Segments::parse(Bytes::Read(bytes), repo.hash())?;
    Segments::verify(&segment)?;
    OpenSegment::built(repo.hash(), segment).map_err(|err| err.to_string())
}

/// Extracts a share of a segment's documents again; which ones cannot be foretold.
fn rederive(repo: &Repo, open: &OpenSegment, percent: u8, out: &mut Checked) {
    let mut keys: Vec<RowKey> = open.keys().collect();
    keys.retain(Segments::is_derivable);
    let count = share(keys.len(), percent);
    if count < keys.len() {
        let objects = repo.objects();
        keys.retain(|key| objects.contains(Segments::object(key)));
        shuffle(&mut keys);
        keys.truncate(count);
    }
    let Ok(compared) = compare(repo, open, &keys) else {
        return;
    };
    out.rederived += compared.derived.len();
    for (key, what) in compared.lies {
        let lie = Lie { key: key.doc, what };
        out.wrong.insert(open.id());
        out.untrue.insert(open.id());
        out.findings.push(Finding::Lies { id: open.id(), lie });
    }
}

/// Checks the parts of other kinds: that they can be read, that they are true as far as that can be found out, of a
/// share of each, and that nothing is told which must not be.
fn check_pieces(repo: &Repo, contents: &Contents, percent: u8, out: &mut Checked) {
    let (pieces, ledger) = (&contents.pieces, &contents.ledger);
    let denied = pieces.denied(repo, ledger).into_iter();
    out.findings.extend(denied.map(Finding::Tells));
    for list in pieces.each() {
        let buried = list.ids.iter().filter(|id| ledger.has_tombstone(**id));
        let buried = buried.map(|id| PartRef::named(list.name, *id));
        out.findings.extend(buried.map(Finding::Buried));
    }
    let found = pieces.examine(repo, percent);
    // An object that is there and damaged stays; what takes its place has another name.
    blame(found, out, |part| match part.is::<LogPieces>() {
        true => "; what HEAD needs of it is read from the commits again",
        false => "",
    });
}

/// Adds to the findings what cannot stay, each with its remedy.
fn blame(found: Judgement, out: &mut Checked, remedy: impl Fn(&PartRef) -> &'static str) {
    out.wrong_pieces.extend(found.left_out());
    out.untrue_pieces
        .extend(found.lies.iter().map(|(part, _)| part.id));
    for (part, reason) in found.unreadable.into_iter().chain(found.lies) {
        let reason = format!("{reason}{}", remedy(&part));
        out.findings
            .push(Finding::Met(Warning::Bad { part, reason }));
    }
}

/// Checks the vectors: that they are whole and those of their segments, and, of a share of each static
/// block, that they are what their segments call for.
fn check_vectors(repo: &Repo, percent: u8, out: &mut Checked) {
    let found = vectors::examine(repo, &out.snapshot, percent);
    blame(found, out, |part| match part.is_static() {
        true => "; whoever needs them makes them again",
        false => "; `git sverklo index` makes them again where sverklo.model is that model",
    });
}

/// Checks that the indexes fetched from remotes can be read.
fn check_fetched(repo: &Repo, out: &mut Checked) -> Result<(), Error> {
    for (name, tip) in refs::fetched(repo)? {
        let mut objects = repo.objects();
        let found = manifest::read(repo, &mut objects, tip);
        let lacks = |part: &PartRef| !objects.contains(part.id.as_object());
        let reason = || "it is not in the object store".to_owned();
        let segments = found.segments.iter();
        let segments = segments.map(|id| PartRef::of::<Segments>(*id));
        let segments = segments.filter(lacks).map(|part| Warning::Unreadable {
            part,
            reason: reason(),
        });
        let pieces = found.contents.pieces.each().into_iter();
        let pieces = pieces.flat_map(|list| {
            let ids = list.ids.into_iter();
            ids.map(move |id| PartRef::named(list.name, id))
        });
        let vectors = found.contents.vectors.iter();
        let vectors = vectors.map(|(model, id, block)| PartRef::vectors(model, id, block));
        let others = pieces.chain(vectors).filter(lacks);
        let others = others.map(|part| Warning::Bad {
            part,
            reason: reason(),
        });
        let missing: Vec<Warning> = segments.chain(others).collect();
        for warning in found.warnings.into_iter().chain(missing) {
            let name = name.clone();
            out.findings.push(Finding::Fetched { name, warning });
        }
    }
    Ok(())
}

/// What mending did.
#[derive(Clone, Debug, Default)]
pub struct Healed {
    /// The index afterwards.
    pub snapshot: Snapshot,
    /// Segments that left the set.
    pub dropped: usize,
    /// What was extracted again.
    pub report: Report,
    /// Damaged objects that are still in use, because what they hold cannot be cut differently.
    pub stuck: Vec<SegmentId>,
}

/// Publishes the index without what is wrong in it. The documents of wrong segments are extracted
/// again, and so are those in `wanted` that are not covered. Fails as covering documents does
/// ([`super::ensure`]).
pub fn heal(
    repo: &Repo,
    checked: &Checked,
    wanted: &[DocKey],
    threads: usize,
    progress: &dyn Progress,
) -> Result<Healed, Error> {
    remove_files(repo, &checked.files);
    let gone: Vec<SegmentId> = checked.untrue.iter().copied().collect();
    remove_files(repo, &gone);
    let mut untrue: Vec<PartId> = gone.into_iter().map(PartId::from).collect();
    untrue.extend(&checked.untrue_pieces);
    aside::add(repo, untrue.iter().copied());
    let is_right = |id: PartId| !checked.wrong_pieces.contains(&id);
    checked.snapshot.pieces().remove_files(repo, &is_right);
    for (model, segment, block) in checked.snapshot.vectors().iter() {
        if !is_right(block.into()) {
            folder::remove_one(repo, model, segment);
        }
    }
    let wanted = [wanted, &checked.lost].concat();
    let is_sound = |open: &&OpenSegment| !checked.untrue.contains(&open.id());
    // A segment whose object is damaged stays with us if its file is whole.
    let spared: Vec<OpenSegment> = checked
        .snapshot
        .segments()
        .iter()
        .filter(is_sound)
        .cloned()
        .collect();
    let base = Snapshot::of(
        None,
        Contents {
            segments: spared.clone(),
            ledger: checked.snapshot.ledger().clone(),
            ..Contents::default()
        },
    );
    let (made, report) = extract(repo, uncovered(&base, &wanted), threads, progress)?;
    let mut out = Healed {
        dropped: checked.wrong.len(),
        report,
        ..Healed::default()
    };
    let none = Snapshot::default();
    let moved = replace(repo, &none, Durable::default(), &mut |current, durable| {
        *durable = Durable::default();
        let stored = current.contents.segment_ids().into_iter();
        durable
            .ids
            .extend(stored.filter(|id| !checked.wrong.contains(id)));
        let mut next = current.contents.clone();
        let all = [current.segments(), &spared, &made].concat();
        let kept: Vec<OpenSegment> = all.into_iter().filter(|open| is_sound(&open)).collect();
        let kept = recheck_all(repo, &kept)?;
        // What is untrue is nobody's loss, so others may hear of it.
        let ledger = &mut next.ledger;
        let news = untrue.iter().copied();
        let news: Vec<PartId> = news.filter(|id| !ledger.has_tombstone(*id)).collect();
        ledger.bury(news);
        ledger.revive(made.iter().map(|open| open.id().into()));
        let ledger = &next.ledger;
        let set = add(repo.hash(), kept, ledger);
        (next.segments, out.stuck) = cut_around(repo, set, &checked.damaged)?;
        // Made anew of what can be read.
        let keep = |id: PartId| is_right(id) && !ledger.has_tombstone(id);
        let pieces = next.pieces.filtered(&keep);
        next.pieces = pieces.without_denied(repo, ledger, &mut Vec::new())?.0;
        let vectors = next.vectors.filtered(|_, _, id| is_right(id.into()));
        let sources = [current.segments(), &spared].concat();
        next.vectors = vectors.carry(repo, &sources, &next.segments, ledger)?;
        durable.ids.extend(&out.stuck);
        // Also when the tip stays what it is, because what it names has gone missing.
        let mut pack = PackWriter::new(repo.hash());
        let is_durable = |open: &&OpenSegment| durable.ids.contains(&open.id());
        for open in next.segments.iter().filter(|open| !is_durable(open)) {
            pack.blob(open.bytes().to_vec())?;
        }
        durable.held.join(pack.write(repo)?);
        durable.ids.extend(next.segment_ids());
        Ok(Some((next, Move::Adds("index: fsck"), ())))
    })?;
    out.snapshot = moved.after;
    Ok(out)
}

/// Replaces segments whose objects are damaged by others with the same documents: by two halves,
/// or, when there is one document alone, by the merge with another segment. Returns those for
/// which neither is possible.
fn cut_around(
    repo: &Repo,
    mut set: Vec<OpenSegment>,
    damaged: &BTreeSet<SegmentId>,
) -> Result<(Vec<OpenSegment>, Vec<SegmentId>), Error> {
    let mut stuck = Vec::new();
    while let Some(at) = set
        .iter()
        .position(|open| damaged.contains(&open.id()) && !stuck.contains(&open.id()))
    {
        let open = set.swap_remove(at);
        let made = match (halves(repo.hash(), &open)?, set.is_empty()) {
            (Some(halves), _) => halves,
            (None, true) => {
                stuck.push(open.id());
                vec![open]
            }
            (None, false) => {
                let both = [open, set.swap_remove(set.len() - 1)];
                let [one, other] = both.each_ref().map(|open| &**open.segment());
                let merged = Segments::merge(repo.hash(), &[one, other], &|_| true)?;
                vec![OpenSegment::built(repo.hash(), merged)?]
            }
        };
        set.extend(made);
    }
    set.sort_by_key(OpenSegment::id);
    Ok((set, stuck))
}
