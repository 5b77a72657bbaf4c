//! What is believed of a fetched index, and what is set aside.
//!
//! A segment that comes from elsewhere was parsed and verified when it was opened, so it is
//! canonical; whether it is true is another question. Documents that we have ourselves are
//! compared with ours, and of the others a few are extracted again. They are chosen so that nobody
//! can tell which, since a liar who knew would lie about the rest.
//!
//! Guarantees: an honest segment is never set aside, because extraction is a pure function; what
//! is set aside is neither in our set nor given on. The list of these is a local file that may be
//! deleted: they are checked again then.

use super::crowd::Crowd;
use super::rederive::{Lie, compare, difference};
use super::snapshot::{OpenSegment, Snapshot};
use super::vectors::{self, Refused, Unusable};
use super::{Warning, cache, log, manifest};
use crate::extract::record::{DocKey, DocRecord};
use crate::git::{Objects, Repo, keys};
use crate::id::{CommitId, LogId, SegmentId};
use crate::segment;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};

/// Name of the list of segments that are set aside.
const FILE: &str = "distrusted";
/// Blobs that are looked for, for each document of the sample, where few are there.
const TRIES: usize = 64;

/// How many documents of a fetched segment are extracted again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sample {
    /// This many, and all of a segment that has no more.
    Some(usize),
    /// All whose blobs are in the object store.
    All,
}

impl Default for Sample {
    /// A lie about one document in ten is found in half of all cases by 7 documents; and 8 of each
    /// segment cost less than verifying it does.
    fn default() -> Self {
        Self::Some(8)
    }
}

impl Sample {
    /// Returns what `sverklo.sample` asks for: a number or `all`; the default when it is not set
    /// or neither.
    pub fn configured(repo: &Repo) -> Self {
        match repo.config_str(keys::SAMPLE).as_deref() {
            Some("all") => Self::All,
            Some(text) => text.parse().map_or_else(|_| Self::default(), Self::Some),
            None => Self::default(),
        }
    }

    fn count(self) -> usize {
        match self {
            Self::Some(count) => count,
            Self::All => usize::MAX,
        }
    }
}

/// Returns the segments that lied or cannot be used, whoever offers them.
pub fn set_aside(repo: &Repo) -> FxHashSet<SegmentId> {
    let Some(text) = repo.kept().read(FILE) else {
        return FxHashSet::default();
    };
    let head = manifest::format_text(repo.hash()).into_bytes();
    match text.as_ref().strip_prefix(&head[..]) {
        Some(ids) => ids
            .split(|b| *b == b'\n')
            .filter_map(SegmentId::from_hex)
            .collect(),
        // Of another version, which may have erred.
        None => FxHashSet::default(),
    }
}

/// Adds segments to those that are set aside. Without leave to write they are checked each time.
pub(super) fn distrust(repo: &Repo, ids: impl IntoIterator<Item = SegmentId>) {
    let mut all: BTreeSet<SegmentId> = set_aside(repo).into_iter().collect();
    let before = all.len();
    all.extend(ids);
    if all.len() == before {
        return;
    }
    let mut text = manifest::format_text(repo.hash());
    for id in &all {
        text += &format!("{id}\n");
    }
    let _ = repo.kept().write(FILE, text.as_bytes());
}

/// Sets aside segments of our own that were caught lying: no snapshot has them from now on, so what they
/// held is extracted again by whoever asks for it, and published without them.
pub fn disown(repo: &Repo, ids: &[SegmentId]) {
    distrust(repo, ids.iter().copied());
    cache::remove(repo, ids);
}

/// Opens what was fetched without what cannot be believed. What was left out, and why, is a
/// warning of the snapshot.
pub fn open_fetched(repo: &Repo, tip: CommitId, ours: &Snapshot, sample: Sample) -> Snapshot {
    let known_bad = set_aside(repo);
    let mut theirs = Snapshot::at_without(repo, tip, ours, &known_bad);
    let mut aside: Vec<SegmentId> = Vec::new();
    for warning in &mut theirs.warnings {
        if let Warning::BadSegment { id, reason } = warning {
            aside.push(*id);
            *warning = Warning::Distrusted {
                id: *id,
                from: tip,
                reason: reason.clone(),
            };
        }
    }
    let own: FxHashSet<SegmentId> = ours.segments().iter().map(OpenSegment::id).collect();
    let mut left_out = Vec::new();
    let mut wrong = BTreeSet::new();
    let foreign: Vec<OpenSegment> = theirs
        .segments()
        .iter()
        .filter(|open| !own.contains(&open.id()))
        .cloned()
        .collect();
    let mut objects = repo.objects();
    let crowd = Crowd::of(repo, &objects, ours, &foreign);
    for open in &foreign {
        if let Some(reason) = crowd.refuses(open) {
            let (id, from) = (open.id(), tip);
            theirs.warnings.push(Warning::Disputed { id, from, reason });
            left_out.push(id);
            continue;
        }
        let found = judge(repo, &mut objects, ours, open, sample);
        wrong.extend(found.own);
        match found.verdict {
            Verdict::True => continue,
            Verdict::False(reason) => {
                aside.push(open.id());
                theirs.warnings.push(Warning::Distrusted {
                    id: open.id(),
                    from: tip,
                    reason,
                });
            }
            Verdict::Unknown(reason) => theirs.warnings.push(Warning::Disputed {
                id: open.id(),
                from: tip,
                reason,
            }),
        }
        left_out.push(open.id());
    }
    for (id, lie) in &wrong {
        theirs.warnings.push(Warning::WrongSegment {
            id: *id,
            reason: lie.to_string(),
        });
    }
    theirs.drop_segments(&left_out);
    theirs.absorb(wrong.into_iter().map(|(id, _)| id));
    aside.extend(judge_log(repo, tip, ours, &mut theirs, &known_bad, sample));
    aside.extend(judge_vectors(
        repo,
        tip,
        ours,
        &mut theirs,
        &known_bad,
        sample,
    ));
    // Whoever opens a file trusts it.
    cache::remove(repo, &left_out);
    distrust(repo, aside);
    theirs
}

/// Leaves out what cannot be believed of a fetched history log; returns what lies.
fn judge_log(
    repo: &Repo,
    tip: CommitId,
    ours: &Snapshot,
    theirs: &mut Snapshot,
    known_bad: &FxHashSet<SegmentId>,
    sample: Sample,
) -> Vec<SegmentId> {
    let is_bad = |id: &LogId| known_bad.contains(&log::marked(*id));
    let bad: Vec<LogId> = theirs.log().ids().iter().copied().filter(is_bad).collect();
    theirs.drop_log(&bad);
    let said_before = bad
        .iter()
        .map(|id| (*id, "it was found to be wrong before".to_owned()));
    let found = log::judge(repo, ours.log(), theirs.log(), sample.count());
    theirs.drop_log(&found.left_out);
    theirs.absorb(found.wrong_ids().collect::<Vec<_>>());
    theirs.warnings.extend(found.warnings);
    let wrong = found.wrong.into_iter();
    theirs
        .warnings
        .extend(wrong.map(|(id, reason)| Warning::WrongLog { id, reason }));
    let from = tip;
    let disputed = found.disputed.into_iter();
    theirs
        .warnings
        .extend(disputed.map(|(id, reason)| Warning::DisputedLog { id, from, reason }));
    // Whoever opens a file trusts it.
    bad.iter()
        .chain(&found.left_out)
        .for_each(|id| log::forget_file(repo, *id));
    let aside = found.lies.iter().map(|(id, _)| log::marked(*id)).collect();
    let lies = said_before.chain(found.lies);
    theirs
        .warnings
        .extend(lies.map(|(id, reason)| Warning::DistrustedLog { id, from, reason }));
    aside
}

/// Leaves out what cannot be believed of fetched vectors; returns what is to be set aside.
fn judge_vectors(
    repo: &Repo,
    tip: CommitId,
    ours: &Snapshot,
    theirs: &mut Snapshot,
    known_bad: &FxHashSet<SegmentId>,
    sample: Sample,
) -> Vec<SegmentId> {
    let known: Vec<Refused> = theirs
        .vectors()
        .iter()
        .filter(|(_, _, block)| known_bad.contains(&vectors::marked(*block)))
        .map(|(model, segment, block)| Refused {
            model: model.clone(),
            segment,
            block,
            why: Unusable::Bad("they were found to be wrong before".to_owned()),
        })
        .collect();
    theirs.drop_vectors(&known.iter().map(|refused| refused.block).collect());
    let found = vectors::judge(repo, ours.vectors(), theirs, sample.count());
    theirs.drop_vectors(&found.iter().map(|refused| refused.block).collect());
    let mut aside = Vec::new();
    for refused in known.into_iter().chain(found) {
        let (id, model, block, from) = (refused.segment, refused.model, refused.block, tip);
        theirs.warnings.push(match refused.why {
            Unusable::Unreadable(reason) => Warning::BadVectors { id, model, reason },
            Unusable::Bad(reason) => {
                aside.push(vectors::marked(block));
                Warning::DistrustedVectors {
                    id,
                    model: Box::new(model),
                    block: Box::new(block),
                    from,
                    reason,
                }
            }
        });
    }
    aside
}

/// What is believed of a segment.
enum Verdict {
    /// Nothing speaks against it.
    True,
    /// It differs from what a blob says.
    False(String),
    /// It differs from ours, and there is no blob to ask.
    Unknown(String),
}

struct Judgement {
    verdict: Verdict,
    /// Segments of our own that turned out to be wrong.
    own: Vec<(SegmentId, Lie)>,
}

fn judge(
    repo: &Repo,
    objects: &mut Objects,
    ours: &Snapshot,
    open: &OpenSegment,
    sample: Sample,
) -> Judgement {
    try_judge(repo, objects, ours, open, sample).unwrap_or_else(|err| Judgement {
        verdict: Verdict::False(err.to_string()),
        own: Vec::new(),
    })
}

fn try_judge(
    repo: &Repo,
    objects: &mut Objects,
    ours: &Snapshot,
    open: &OpenSegment,
    sample: Sample,
) -> Result<Judgement, segment::Error> {
    let segment = open.segment();
    let keys = segment.doc_ids().map(|doc| segment.key(doc));
    let (shared, rest): (Vec<DocKey>, Vec<DocKey>) = keys.partition(|key| ours.find(key).is_some());
    let mut asked = Vec::new();
    let mut wrong = Vec::new();
    let disputed = disputed(ours, open, &shared)?;
    let at_hand: Vec<&Dispute> = disputed
        .iter()
        .filter(|dispute| objects.contains(dispute.key.blob.as_object()))
        .collect();
    asked.extend(at_hand.iter().map(|dispute| dispute.key));
    asked.extend(chosen(objects, rest, sample.count()));
    let compared = compare(repo, open, &asked)?;
    for dispute in &at_hand {
        // The blob is on their side, so it is not on ours.
        if !compared.lies.iter().any(|lie| lie.key == dispute.key) {
            let (key, what) = (dispute.key, dispute.what);
            wrong.push((dispute.own, Lie { key, what }));
        }
    }
    let unknown = disputed
        .iter()
        .find(|dispute| !at_hand.iter().any(|known| known.key == dispute.key));
    let verdict = match (compared.lies.first(), unknown) {
        (Some(lie), _) => Verdict::False(lie.to_string()),
        (None, Some(dispute)) => Verdict::Unknown(format!(
            "document {} ({}): recorded {} differ from ours",
            dispute.key.blob,
            dispute.key.grammar.label(),
            dispute.what
        )),
        (None, None) => Verdict::True,
    };
    Ok(Judgement {
        verdict,
        own: wrong,
    })
}

/// A document of which their segment says something else than ours.
struct Dispute {
    key: DocKey,
    what: &'static str,
    own: SegmentId,
}

/// Compares the documents that both have. Of our own segments that cannot be read nothing is said.
fn disputed(
    ours: &Snapshot,
    open: &OpenSegment,
    shared: &[DocKey],
) -> Result<Vec<Dispute>, segment::Error> {
    let mut by_segment: FxHashMap<u32, FxHashSet<DocKey>> = FxHashMap::default();
    for key in shared {
        if let Some(live) = ours.find(key) {
            by_segment.entry(live.segment.0).or_default().insert(*key);
        }
    }
    let mut out = Vec::new();
    for (ord, keys) in by_segment {
        let Some(own) = ours.segments().get(ord as usize) else {
            continue;
        };
        let Ok(mine) = own.segment().records_where(|key| keys.contains(key)) else {
            continue;
        };
        let theirs: FxHashMap<DocKey, DocRecord> = open
            .segment()
            .records_where(|key| keys.contains(key))?
            .into_iter()
            .collect();
        for (key, mine) in mine {
            let what = match theirs.get(&key) {
                Some(record) => difference(record, &mine),
                None => Some("documents"),
            };
            let own = own.id();
            out.extend(what.map(|what| Dispute { key, what, own }));
        }
    }
    out.sort_by_key(|dispute| dispute.key);
    Ok(out)
}

/// Chooses documents whose blobs are here, in a way that cannot be foretold.
fn chosen(objects: &Objects, mut keys: Vec<DocKey>, count: usize) -> Vec<DocKey> {
    shuffle(&mut keys);
    keys.into_iter()
        .take(count.saturating_mul(TRIES))
        .filter(|key| objects.contains(key.blob.as_object()))
        .take(count)
        .collect()
}

/// Puts documents or commits in an order that nobody can foretell: the standard library takes the keys of
/// its hashes from the operating system.
pub(super) fn shuffle<T: std::hash::Hash>(keys: &mut [T]) {
    let state = RandomState::new();
    keys.sort_by_cached_key(|key| state.hash_one(key));
}
