//! Which pins lie behind a commit, also when history was rewritten since.
//!
//! The rungs, from the surest down: the commit is an ancestor or the commit itself; a recorded repin of
//! it is; a copy of it is (same author's date and same patch id); what it was about came (the very
//! content at the pin is, or was, in the history of the commit, and was not there where its line of work
//! began). A pin that none of these finds is answered no when its commit is on a branch or tag that has
//! not been merged, or comes later; else it is not known.
//!
//! One walk answers for all pins; the rungs below the second cost more and are asked for those pins alone
//! that need them.

use super::Error;
use super::event::{Body, Pin, Target};
use super::log::Log;
use super::sightings::Sightings;
use crate::git::history::{self, TipSet};
use crate::git::lineage::{Cut, Lineage, Marked, Node};
use crate::git::tree::{self, Found};
use crate::git::{Objects, Repo, RepoPath, commit, patch};
use crate::id::{BlobId, CommitId, EventId, TreeId};
use gix::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::Xxh3Default;

/// Commits that stand for one.
const MAX_CARRIERS: usize = 1000;
/// Commits whose patch ids are computed for an answer: each takes two runs of git.
const MAX_PATCHES: usize = 500;
/// Commits that are looked at, newest first, for copies of pins.
const MAX_COPIES: usize = 20_000;
/// Commits that are looked at, newest first, for the content of pins.
const MAX_CONTENT: usize = 1000;

/// How it is known that a pin lies behind a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rung {
    /// It is an ancestor, or the commit itself.
    Ancestor,
    /// A commit that stands for it by a recorded repin is.
    Repin(CommitId),
    /// A copy of it is.
    Copy(CommitId),
    /// The content at the pin came to be there in this commit or before.
    Content(CommitId),
}

/// How it is known that a pin does not lie behind a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absence {
    /// It comes later.
    Later,
    /// It is on another line of work.
    Elsewhere,
}

/// Why it is not known whether a pin lies behind a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// History is cut off before an answer was found: the clone is shallow.
    Shallow,
    /// History is cut off: this commit is missing.
    Missing(CommitId),
    /// No branch or tag has the pin's commit any more.
    Lost,
    /// The pin's commit is not in this clone.
    Gone,
}

/// Whether a pin lies behind a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It does.
    Yes(Rung),
    /// It does not.
    No(Absence),
    /// It cannot be told.
    Unknown(Reason),
}

/// One pin to look for, with what its event is about.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The event that has it.
    pub event: EventId,
    /// The pin.
    pub pin: &'a Pin,
    /// What the event is about.
    pub targets: Vec<&'a Target>,
}

/// Facts about content that this layer does not know.
pub trait Content {
    /// The hash of the text of a symbol, given by its id, in a blob; `None` when it is not there.
    fn body(&mut self, blob: BlobId, symbol: &str) -> Option<u64>;
}

/// Commits that stand for others.
#[derive(Default)]
pub struct Repins(FxHashMap<CommitId, Vec<CommitId>>);

impl Repins {
    /// Those that a log has recorded.
    pub fn of(log: &Log) -> Self {
        let mut out = Self::default();
        for (_, event) in log.readable() {
            if let Body::Repin { old, new, .. } = &event.body {
                out.0.entry(*old).or_default().push(*new);
            }
        }
        out
    }

    /// Stands for all of them, in whatever order they were said.
    pub fn fingerprint(&self) -> u64 {
        let mut pairs: Vec<(&CommitId, &CommitId)> = self
            .0
            .iter()
            .flat_map(|(old, new)| new.iter().map(move |new| (old, new)))
            .collect();
        pairs.sort_unstable();
        let mut hasher = Xxh3Default::new();
        for (old, new) in pairs {
            hasher.update(old.as_bytes());
            hasher.update(new.as_bytes());
        }
        hasher.digest()
    }

    /// A commit and all that stand for it, over any number of steps, nearest first; of a log that has more
    /// than anybody's history gives reason for, the first [`MAX_CARRIERS`].
    pub fn carriers(&self, commit: CommitId) -> Vec<CommitId> {
        let mut out = vec![commit];
        let mut seen = FxHashSet::from_iter([commit]);
        let mut at = 0;
        while at < out.len() && out.len() < MAX_CARRIERS {
            for id in self.0.get(&out[at]).into_iter().flatten() {
                if seen.insert(*id) {
                    out.push(*id);
                }
            }
            at += 1;
        }
        out
    }
}

/// Looks for pins behind the commit `at`; the answers come in the order of the questions. Fails when
/// the commit or its history cannot be read, but for what is missing.
pub fn resolve(
    repo: &Repo,
    at: CommitId,
    questions: &[Question],
    repins: &Repins,
    content: &mut dyn Content,
) -> Result<Vec<Answer>, Error> {
    if questions.is_empty() {
        return Ok(Vec::new());
    }
    let mut lineage = Lineage::new(repo)?;
    let pins: FxHashSet<CommitId> = questions.iter().map(|q| q.pin.commit).collect();
    lineage.read_until(&[at], &pins)?;
    let Some(here) = lineage.find(at) else {
        return Err(crate::git::Error::MissingObject(at.as_object()).into());
    };
    let behind = lineage.ancestors(&[here]);
    let mut carriers: FxHashMap<CommitId, Vec<CommitId>> = FxHashMap::default();
    for pin in pins {
        carriers.insert(pin, repins.carriers(pin));
    }
    let mut out: Vec<Option<Answer>> = Vec::with_capacity(questions.len());
    for question in questions {
        let carriers = &carriers[&question.pin.commit];
        let is_behind = |id: &&CommitId| lineage.find(**id).is_some_and(|node| behind.has(node));
        out.push(carriers.iter().find(is_behind).map(|id| {
            Answer::Yes(match *id == question.pin.commit {
                true => Rung::Ancestor,
                false => Rung::Repin(*id),
            })
        }));
    }
    if out.iter().any(Option::is_none) {
        let mut search = Search {
            repo,
            objects: repo.objects(),
            questions,
            carriers,
            cut: lineage.cut_in(&behind),
            lineage,
            here,
            behind,
        };
        search.descend(&mut out, content)?;
    }
    // Every question has an answer by now.
    let lost = || Answer::Unknown(Reason::Lost);
    Ok(out.into_iter().map(|a| a.unwrap_or_else(lost)).collect())
}

/// The lower rungs.
struct Search<'a> {
    repo: &'a Repo,
    objects: Objects,
    questions: &'a [Question<'a>],
    /// By pin.
    carriers: FxHashMap<CommitId, Vec<CommitId>>,
    lineage: Lineage,
    here: Node,
    /// What lies behind the commit.
    behind: Marked,
    cut: Option<Cut>,
}

impl<'a> Search<'a> {
    fn descend(
        &mut self,
        out: &mut [Option<Answer>],
        content: &mut dyn Content,
    ) -> Result<(), Error> {
        let left = |out: &[Option<Answer>]| -> Vec<usize> {
            (0..out.len()).filter(|at| out[*at].is_none()).collect()
        };
        let tips = history::tips(self.repo, TipSet::All)?;
        self.lineage.read(&tips)?;
        let tips: Vec<Node> = tips
            .iter()
            .filter_map(|tip| self.lineage.find(*tip))
            .collect();
        let alive = self.lineage.ancestors(&tips);
        for at in left(out) {
            // One that no ref has may still be here, and what it leads to with it.
            // An event may name anything, also what is no commit.
            let pin = self.questions[at].pin.commit;
            self.lineage.read_claimed(&self.carriers[&pin])?;
        }
        let later = self.lineage.descendants(self.here);
        for at in left(out) {
            let nodes = self.nodes(at);
            if nodes.iter().any(|node| later.has(*node)) {
                out[at] = Some(Answer::No(Absence::Later));
            }
        }
        self.copies(&left(out), out)?;
        self.contents(&left(out), content, out);
        for at in left(out) {
            let nodes = self.nodes(at);
            let is_alive = nodes.iter().any(|node| alive.has(*node));
            out[at] = Some(match (self.cut, is_alive, nodes.is_empty()) {
                (Some(Cut::Shallow), ..) => Answer::Unknown(Reason::Shallow),
                (Some(Cut::Missing(id)), ..) => Answer::Unknown(Reason::Missing(id)),
                (None, true, _) => Answer::No(Absence::Elsewhere),
                (None, false, true) => Answer::Unknown(Reason::Gone),
                (None, false, false) => Answer::Unknown(Reason::Lost),
            });
        }
        Ok(())
    }

    fn carriers(&self, at: usize) -> &[CommitId] {
        &self.carriers[&self.questions[at].pin.commit]
    }

    /// The commits of a pin that are in this clone.
    fn nodes(&self, at: usize) -> Vec<Node> {
        let carriers = self.carriers(at);
        carriers
            .iter()
            .filter_map(|id| self.lineage.find(*id))
            .collect()
    }

    /// Looks for commits that were copied: cherry-picked, or rebased where no hook saw it. A copy keeps
    /// its author's date, which spares the difference of all others.
    fn copies(&mut self, wanted: &[usize], out: &mut [Option<Answer>]) -> Result<(), Error> {
        let mut by_date: FxHashMap<i64, Vec<(ObjectId, usize)>> = FxHashMap::default();
        for at in wanted {
            let pin = self.questions[*at].pin;
            if let Some(patch) = pin.patch {
                by_date
                    .entry(pin.date.seconds)
                    .or_default()
                    .push((patch, *at));
            }
        }
        let Some(since) = by_date.keys().min().copied() else {
            return Ok(());
        };
        let mut left = MAX_PATCHES;
        for node in self.lineage.newest(&self.behind, since, MAX_COPIES) {
            let id = self.lineage.id(node);
            let author = commit::origins(&mut self.objects, id)?.author;
            let Some(pins) = by_date.get(&author.seconds) else {
                continue;
            };
            let Some(rest) = left.checked_sub(1) else {
                break;
            };
            left = rest;
            let Some(found) = patch::id(self.repo, id)? else {
                continue;
            };
            for (_, at) in pins.iter().filter(|(patch, _)| *patch == found) {
                out[*at].get_or_insert(Answer::Yes(Rung::Copy(id)));
            }
        }
        Ok(())
    }

    /// Looks for what events are about, as it was at their pins: a squash leaves nothing else.
    fn contents(
        &mut self,
        wanted: &[usize],
        content: &mut dyn Content,
        out: &mut [Option<Answer>],
    ) {
        let has_target = |at: &&usize| !self.questions[**at].targets.is_empty();
        let wanted: Vec<usize> = wanted.iter().filter(has_target).copied().collect();
        if wanted.is_empty() {
            return;
        }
        let all = self.lineage.newest(&self.behind, i64::MIN, usize::MAX);
        let telling: Vec<(usize, Vec<Place>)> = wanted
            .into_iter()
            .map(|at| (at, self.telling(at, &all, content)))
            .filter(|(_, places)| !places.is_empty())
            .collect();
        let dates = telling
            .iter()
            .map(|(at, _)| self.questions[*at].pin.date.seconds);
        let Some(since) = dates.min() else {
            return;
        };
        let count = all.partition_point(|node| self.lineage.date(*node) >= since);
        let nodes = &all[..count.min(MAX_CONTENT)];
        let commits: Vec<CommitId> = nodes.iter().map(|node| self.lineage.id(*node)).collect();
        let places = telling.iter().flat_map(|(_, places)| places);
        let paths = places.map(|place| &place.path);
        let sightings = Sightings::of(&mut self.objects, &commits, paths);
        for (at, places) in &telling {
            let date = self.questions[*at].pin.date.seconds;
            // They come newest first.
            let count = nodes.partition_point(|node| self.lineage.date(*node) >= date);
            let first = |place: &Place| {
                let seen = sightings.at(&place.path).iter();
                let mut seen = seen.take_while(|(number, _)| *number < count);
                let found = seen.find(|(_, object)| place.is(*object, content));
                found.map(|(number, _)| *number)
            };
            if let Some(number) = places.iter().filter_map(first).min() {
                out[*at] = Some(Answer::Yes(Rung::Content(commits[number])));
            }
        }
    }

    /// The places of a question's targets that can tell something: not those where the target was
    /// already as it was at the pin when the line of work began, or may have been.
    fn telling(&mut self, at: usize, behind: &[Node], content: &mut dyn Content) -> Vec<Place<'a>> {
        let question = &self.questions[at];
        let mut began: Vec<Node> = Vec::new();
        for node in self.nodes(at) {
            began.extend(self.lineage.entrances(node, &self.behind));
        }
        if began.is_empty() {
            // Where history is cut off, all that is older is out of sight.
            if self.cut.is_some() {
                return Vec::new();
            }
            // The line of work is not in this clone: it began after what is older than the pin, or at the
            // very beginning.
            let date = question.pin.date.seconds;
            let older = behind.partition_point(|node| self.lineage.date(*node) >= date);
            began.extend(behind.get(older).or(behind.last()));
        }
        let roots: Option<Vec<TreeId>> = began
            .iter()
            .map(|node| {
                let links = commit::links(&mut self.objects, self.lineage.id(*node));
                links.ok().map(|(root, _)| root)
            })
            .collect();
        let Some(roots) = roots else {
            return Vec::new();
        };
        let places = question
            .targets
            .iter()
            .filter_map(|target| Place::of(target));
        places
            .filter(|place| {
                let mut roots = roots.iter();
                !roots.any(|root| place.may_be_at(&mut self.objects, *root, content))
            })
            .collect()
    }
}

/// Where a target is, and what was there.
struct Place<'a> {
    path: RepoPath,
    target: &'a Target,
}

impl<'a> Place<'a> {
    /// `None` for a symbol whose id names no path.
    fn of(target: &'a Target) -> Option<Self> {
        let path = match target {
            Target::Path { path, .. } => path.clone(),
            Target::Symbol { id, .. } => RepoPath::shown_as(id.split_once("::")?.0).ok()?,
        };
        Some(Self { path, target })
    }

    fn is(&self, object: ObjectId, content: &mut dyn Content) -> bool {
        match self.target {
            Target::Path { object: at_pin, .. } => object == *at_pin,
            Target::Symbol { id, body } => content.body(BlobId::new(object), id) == Some(*body),
        }
    }

    /// Whether it is there in a tree, or cannot be told.
    fn may_be_at(&self, objects: &mut Objects, root: TreeId, content: &mut dyn Content) -> bool {
        match tree::find(objects, root, &self.path) {
            Ok(None) => false,
            Ok(Some(Found::Leaf(_, blob))) => self.is(blob.as_object(), content),
            Ok(Some(Found::Tree(tree))) => self.is(tree.as_object(), content),
            Err(_) => true,
        }
    }
}
