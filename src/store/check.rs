//! Checking everything that is stored, and mending it.
//!
//! A wrong segment leaves the set and its documents are extracted again. Nothing is ever deleted
//! from the object store: a damaged object stays where it is, and the segments that replace it are
//! cut so that none has its id, because git does not write an object that it believes to have.

use super::ingest::{Made, Progress, Report, extract, uncovered};
use super::partition::{self, Measured};
use super::proof::prove_all;
use super::publish::{ATTEMPTS, Durable, Move, Next, settle, swap};
use super::rederive::{Lie, compare};
use super::snapshot::{OpenSegment, Snapshot, documents};
use super::trace::{self, Pieces, Traces};
use super::trust::{distrust, shuffle};
use super::unite::{add, holds_denied};
use super::vectors::Unusable;
use super::{Error, Ledger, Warning, cache, log, manifest, vectors};
use crate::cache::Found;
use crate::extract::record::DocKey;
use crate::git::refs::{self, Turn, backoff};
use crate::git::write::PackWriter;
use crate::git::{Objects, Repo};
use crate::id::{BlobId, CommitId, LogId, SegmentId, TraceId};
use crate::segment::{self, Segment};
use gix::ObjectId;
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
    /// A segment is there although the tip says that it must not come back.
    #[error("segment {id}: it is absorbed and yet named by the tip")]
    Absorbed {
        /// The segment.
        id: SegmentId,
    },
    /// A segment holds a document of a blob that is forgotten.
    #[error("segment {id}: it holds documents of forgotten blobs")]
    Denied {
        /// The segment.
        id: SegmentId,
    },
    /// Traces are there of a blob that is forgotten.
    #[error("the traces tell of forgotten blobs")]
    DeniedTrace,
    /// A piece of the traces is there although the tip says that it must not come back.
    #[error("trace {id}: it is absorbed and yet named by the tip")]
    AbsorbedTrace {
        /// The piece.
        id: TraceId,
    },
    /// A piece of the history log is there although the tip says that it must not come back.
    #[error("log {id}: it is absorbed and yet named by the tip")]
    AbsorbedLog {
        /// The piece.
        id: LogId,
    },
    /// A document differs from its blob.
    #[error("segment {id}: {lie}")]
    Lies {
        /// The segment.
        id: SegmentId,
        /// What it says.
        lie: Lie,
    },
    /// The file of a segment differs from its object.
    #[error("the file of segment {id} differs from the object")]
    File {
        /// The segment.
        id: SegmentId,
    },
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
    /// Pieces of the history log that cannot stay.
    log_wrong: Vec<LogId>,
    /// Blocks of vectors that cannot stay.
    vectors_wrong: FxHashSet<BlobId>,
    /// Those of both whose content is to blame, as the ledger remembers them.
    untrue_parts: Vec<SegmentId>,
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
                    Warning::BadSegment { .. }
                        | Warning::UnreadableSegment { .. }
                        | Warning::UnreadableTip { .. }
                        | Warning::ForeignTip { .. }
                )
            )
        })
    }
}

/// Checks the index: tip, ledger, every segment with its file, and the indexes that were fetched.
/// Of each segment, `percent` of the documents (at least one, if it is not 0) are extracted again.
///
/// # Errors
/// When the refs cannot be read.
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
        let contents = manifest::Contents {
            segments: &found.segments,
            traces: found.traces.ids(),
            log: found.log.ids(),
            vectors: &found.vectors,
            ledger: &found.ledger,
        };
        let expected = manifest::write(&mut pack, repo.hash(), contents, &[])?;
        if expected != tip {
            out.findings.push(Finding::Tip { tip, expected });
        }
    }
    check_traces(repo, &found.traces, &found.ledger, &mut out);
    check_log(repo, &found.log, &found.ledger, percent, &mut out);
    let total = found.segments.len();
    let mut opened = Vec::with_capacity(total);
    for (at, id) in found.segments.iter().enumerate() {
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
        opened.extend(check_segment(
            repo,
            &mut objects,
            &found.ledger,
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
            let segment = open.segment();
            out.lost
                .extend(segment.doc_ids().map(|doc| segment.key(doc)));
        }
    }
    out.snapshot = Snapshot::from_parts(Some(tip), opened, found.ledger);
    out.snapshot = out.snapshot.with(found.traces, found.log, found.vectors);
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
    let file = repo.kept().inspect(&cache::name(id));
    let open = match cache::read(objects, id) {
        Ok(bytes) => {
            let differs = match file {
                Found::Absent => false,
                Found::Damaged => true,
                Found::Whole(body) => body.as_ref() != bytes,
            };
            if differs {
                out.files.push(id);
                out.findings.push(Finding::File { id });
            }
            match sound(repo, bytes) {
                Ok(open) => open,
                Err(reason) => {
                    out.wrong.insert(id);
                    out.untrue.insert(id);
                    out.findings
                        .push(Finding::Met(Warning::BadSegment { id, reason }));
                    return None;
                }
            }
        }
        Err(warning) => {
            out.findings.push(Finding::Met(warning));
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
    if ledger.absorbs(id) {
        out.findings.push(Finding::Absorbed { id });
    }
    if holds_denied(&open, ledger) {
        out.findings.push(Finding::Denied { id });
    }
    Some(open)
}

fn sound(repo: &Repo, bytes: Vec<u8>) -> Result<OpenSegment, String> {
    let open = OpenSegment::built(repo.hash(), bytes).map_err(|err| err.to_string())?;
    let segment = open.segment();
    if segment.hash_kind() != repo.hash() {
        return Err(format!("its hash is {}", segment.hash_kind()));
    }
    segment.verify().map_err(|err| err.to_string())?;
    Ok(open)
}

/// Extracts a share of a segment's documents again; which ones cannot be foretold.
fn rederive(repo: &Repo, open: &OpenSegment, percent: u8, out: &mut Checked) {
    let segment = open.segment();
    let all = segment.doc_count() as usize;
    let count = (all * usize::from(percent)).div_ceil(100).min(all);
    let mut keys: Vec<DocKey> = segment.doc_ids().map(|doc| segment.key(doc)).collect();
    if count < all {
        let objects = repo.objects();
        keys.retain(|key| objects.contains(key.blob.as_object()));
        shuffle(&mut keys);
        keys.truncate(count);
    }
    let Ok(compared) = compare(repo, open, &keys) else {
        return;
    };
    out.rederived += compared.compared;
    for lie in compared.lies {
        out.wrong.insert(open.id());
        out.untrue.insert(open.id());
        out.findings.push(Finding::Lies { id: open.id(), lie });
    }
}

/// Checks the traces: that they can be read, and that nothing is told which must not be.
fn check_traces(repo: &Repo, pieces: &Pieces, ledger: &Ledger, out: &mut Checked) {
    let mut warnings = Vec::new();
    let traces = Traces::of(trace::read(repo, pieces, &mut warnings));
    out.traces = traces.len();
    out.findings.extend(warnings.into_iter().map(Finding::Met));
    if traces.blobs().any(|blob| ledger.denies(blob)) {
        out.findings.push(Finding::DeniedTrace);
    }
    let absorbed = pieces.ids().iter().copied();
    let absorbed = absorbed.filter(|id| ledger.absorbs(trace::marked(*id)));
    out.findings
        .extend(absorbed.map(|id| Finding::AbsorbedTrace { id }));
}

/// Checks the history log: that it can be read, and that it says what the commits say, of a share of each
/// piece.
fn check_log(repo: &Repo, pieces: &log::Pieces, ledger: &Ledger, percent: u8, out: &mut Checked) {
    let found = log::examine(repo, pieces, percent);
    let absorbed = pieces.ids().iter().copied();
    let absorbed = absorbed.filter(|id| ledger.absorbs(log::marked(*id)));
    out.log_wrong.extend(found.left_out);
    out.untrue_parts
        .extend(found.lies.iter().map(|(id, _)| log::marked(*id)));
    let lies = found.lies.into_iter();
    let lies = lies.map(|(id, reason)| Warning::BadLog { id, reason });
    for warning in found.warnings.into_iter().chain(lies) {
        out.findings.push(Finding::Met(match warning {
            // An object that is there and damaged stays; what takes its place has another name.
            Warning::BadLog { id, reason } => Warning::BadLog {
                id,
                reason: format!("{reason}; what HEAD needs of it is read from the commits again"),
            },
            other => other,
        }));
    }
    out.findings
        .extend(absorbed.map(|id| Finding::AbsorbedLog { id }));
}

/// Checks the vectors: that they are whole and those of their segments, and, of a share of each static
/// block, that they are what their segments call for.
fn check_vectors(repo: &Repo, percent: u8, out: &mut Checked) {
    let snapshot = &out.snapshot;
    let refused = vectors::examine(repo, snapshot.vectors(), snapshot.segments(), percent);
    for refused in refused {
        out.vectors_wrong.insert(refused.block);
        if matches!(refused.why, Unusable::Bad(_)) {
            out.untrue_parts.push(vectors::marked(refused.block));
        }
        let remedy = match refused.model.is_static() {
            true => "whoever needs them makes them again",
            false => "`git sverklo index` makes them again where sverklo.model is that model",
        };
        let warning = Warning::BadVectors {
            id: refused.segment,
            reason: format!("{}; {remedy}", refused.why.reason()),
            model: refused.model,
        };
        out.findings.push(Finding::Met(warning));
    }
}

/// Checks that the indexes fetched from remotes can be read.
fn check_fetched(repo: &Repo, out: &mut Checked) -> Result<(), Error> {
    for (name, tip) in refs::fetched(repo)? {
        let mut objects = repo.objects();
        let found = manifest::read(repo, &mut objects, tip);
        let lacks = |id: ObjectId| !objects.contains(id);
        let reason = || "it is not in the object store".to_owned();
        let segments = found.segments.iter().filter(|id| lacks(id.as_object()));
        let segments = segments.map(|id| Warning::UnreadableSegment {
            id: *id,
            reason: reason(),
        });
        let traces = found.traces.ids().iter();
        let traces = traces.filter(|id| lacks(id.as_object()));
        let traces = traces.map(|id| Warning::BadTrace {
            id: *id,
            reason: reason(),
        });
        let log = found.log.ids().iter();
        let log = log.filter(|id| lacks(id.as_object()));
        let log = log.map(|id| Warning::BadLog {
            id: *id,
            reason: reason(),
        });
        let vectors = found.vectors.iter();
        let vectors = vectors.filter(|(_, _, block)| lacks(block.as_object()));
        let vectors = vectors.map(|(model, id, _)| Warning::BadVectors {
            id,
            model: model.clone(),
            reason: reason(),
        });
        let missing = segments.chain(traces).chain(log).chain(vectors);
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
/// again, and so are those in `wanted` that are not covered.
///
/// # Errors
/// As for covering documents ([`super::ensure`]).
pub fn heal(
    repo: &Repo,
    checked: &Checked,
    wanted: &[DocKey],
    threads: usize,
    progress: &dyn Progress,
) -> Result<Healed, Error> {
    cache::remove(repo, &checked.files);
    let gone: Vec<SegmentId> = checked.untrue.iter().copied().collect();
    cache::remove(repo, &gone);
    let untrue = [gone, checked.untrue_parts.clone()].concat();
    distrust(repo, untrue.iter().copied());
    checked
        .log_wrong
        .iter()
        .for_each(|id| log::forget_file(repo, *id));
    for (model, segment, block) in checked.snapshot.vectors().iter() {
        if checked.vectors_wrong.contains(&block) {
            vectors::remove_one(repo, model, segment);
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
    let base = Snapshot::from_parts(None, spared.clone(), checked.snapshot.ledger().clone());
    let Made {
        segments: made,
        report,
        ..
    } = extract(repo, uncovered(&base, &wanted), threads, progress, false)?;
    let mut out = Healed {
        dropped: checked.wrong.len(),
        report,
        ..Healed::default()
    };
    let mut known = Snapshot::default();
    let mut turn = Turn::default();
    for attempt in 1..=ATTEMPTS {
        turn.take(repo, attempt - 1);
        let current = Snapshot::reopen(repo, &known)?;
        let mut durable = Durable::default();
        let stored = current.segments().iter().map(OpenSegment::id);
        durable
            .ids
            .extend(stored.filter(|id| !checked.wrong.contains(id)));
        let mut ledger = current.ledger().clone();
        let all = [current.segments(), &spared, &made].concat();
        let kept: Vec<OpenSegment> = all.into_iter().filter(|open| is_sound(&open)).collect();
        let kept = prove_all(repo, &kept)?;
        // What is untrue is nobody's loss, so others may hear of it.
        ledger.absorb(
            untrue
                .iter()
                .copied()
                .filter(|id| !ledger.absorbs(*id))
                .collect::<Vec<_>>(),
        );
        ledger.revive(made.iter().map(OpenSegment::id));
        let (set, stuck) = cut_around(repo, add(kept, &ledger), &checked.damaged)?;
        // Made anew of the pieces that can be read.
        let keep = |blob| !ledger.denies(blob);
        let traces = current.traces().admitted(&ledger);
        let traces = trace::without(repo, &traces, &keep, &mut Vec::new())?.pieces;
        let vectors = current.vectors().clone();
        let vectors = vectors.filtered(|_, _, id| !checked.vectors_wrong.contains(&id));
        let sources = [current.segments(), &spared].concat();
        let vectors = vectors.carry(repo, &sources, &set, &ledger)?;
        let mut next = Next {
            set,
            traces,
            vectors,
            log: current.log().without(&checked.log_wrong).admitted(&ledger),
            ledger,
        };
        next.revive();
        out.stuck = stuck;
        durable.ids.extend(&out.stuck);
        // Also when the tip stays what it is, because what it names has gone missing.
        let mut pack = PackWriter::new(repo.hash());
        for open in next
            .set
            .iter()
            .filter(|open| !durable.ids.contains(&open.id()))
        {
            pack.blob(open.segment().bytes().to_vec())?;
        }
        durable.held.join(pack.write(repo)?);
        durable.ids.extend(next.set.iter().map(OpenSegment::id));
        let why = Move::Adds("index: fsck");
        if let Some(tip) = swap(repo, current.tip, &next, &mut durable, why)? {
            out.snapshot = settle(repo, tip, next);
            return Ok(out);
        }
        known = current;
        std::thread::sleep(backoff(attempt));
    }
    Err(Error::Contended { attempts: ATTEMPTS })
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
        let all = documents(std::slice::from_ref(&open));
        let made = match partition::split(&all) {
            Some(middle) => {
                let half = |keys: &[Measured]| part(repo, &[open.segment()], keys);
                vec![half(&all[..middle])?, half(&all[middle..])?]
            }
            None => match set.pop() {
                Some(other) => {
                    let both = documents(&[open.clone(), other.clone()]);
                    vec![part(repo, &[open.segment(), other.segment()], &both)?]
                }
                None => {
                    stuck.push(open.id());
                    vec![open]
                }
            },
        };
        set.extend(made);
    }
    set.sort_by_key(OpenSegment::id);
    Ok((set, stuck))
}

fn part(repo: &Repo, from: &[&Segment], keys: &[Measured]) -> Result<OpenSegment, Error> {
    let is_in = |key: &DocKey| keys.binary_search_by_key(key, |d| d.key).is_ok();
    OpenSegment::built(repo.hash(), segment::merge(repo.hash(), from, is_in)?)
}
