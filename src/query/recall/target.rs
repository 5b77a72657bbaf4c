//! Where the targets of a memory are at a commit: as they were at its pin, elsewhere, changed or gone.
//!
//! Guarantees: an answer depends on the commit, the event and the objects in the clone alone; what
//! cannot be read is unknown and never gone; the work is bounded for a whole answer, and what the
//! bounds leave out is left out of the answer rather than guessed.
//!
//! The same name with other content has changed, wherever else the old content is. Where a path has gone is told
//! by the commit that took it away ([`Went`]), and else by content: a file by its blob, a directory by most of its
//! files. A symbol is looked for in the file that its own has become, and else by its name and the hash of its text.

use crate::git::tree::{self, Found};
use crate::git::{Error, Objects, Repo, RepoPath, commit};
use crate::history::message;
use crate::id::{BlobId, CommitId, TreeId};
use crate::memory::event::{Event, Pin, Target};
use crate::query::ids::ParsedId;
use crate::query::recall::bodies::Bodies;
use crate::query::recall::named::label;
use crate::query::recall::went::Went;
use gix::ObjectId;
use gix::bstr::ByteSlice;
use rustc_hash::FxHashMap;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use std::rc::Rc;
use std::sync::Arc;

mod elsewhere;

/// Targets looked at for an answer.
const MAX_TARGETS: usize = 300;
/// Commits looked at for an answer, to say what changed a target.
const MAX_STEPS: usize = 600;
/// The same for an answer of many memories.
const MAX_STEPS_OF_MANY: usize = 160;
/// Commits looked at for one target.
const MAX_STEPS_EACH: usize = 200;
/// Files read for an answer, to find symbols that have left theirs.
const MAX_FILES: usize = 300;
/// Files of those whose symbols are looked at, and versions of files to say what changed a symbol:
/// reading symbols costs a hundred times what reading bytes does.
const MAX_PARSED: usize = 60;
/// Bytes of delta bases that are kept: trees of one commit after another are deltas of each other.
const MAX_BASES: usize = 32 << 20;
/// Commits whose trees and parents are kept.
const MAX_LINKS: usize = 10_000;
/// Files of a directory that are looked for elsewhere.
const MAX_INSIDE: usize = 1000;

/// What is said of a target that has left its place and was not looked for elsewhere.
const NOT_FOLLOWED: &str = "not where it was";

/// Where a target is at a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// As it was.
    Fresh,
    /// As it was, under this path or symbol id.
    Moved(String),
    /// There, and not as it was.
    Changed {
        /// The path or symbol id that it has now, where that is another.
        to: Option<String>,
        /// Lines of a symbol then and now.
        lines: Option<(u32, u32)>,
        /// What changed it.
        since: Since,
    },
    /// Not there.
    Gone(Since),
    /// It cannot be told, for this reason.
    Unknown(&'static str),
}

/// What changed a target since it was as it was.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Since {
    /// Commits that did, merges that only brought them not counted.
    pub commits: usize,
    /// Whether these are all.
    pub is_all: bool,
    /// The last of them: abbreviated id and first line.
    pub last: Option<(String, String)>,
}

impl Standing {
    /// The word for it.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Moved(_) => "moved",
            Self::Changed { .. } => "changed",
            Self::Gone(_) => "gone",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// A target, and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The target.
    pub target: String,
    /// Where it is.
    pub is: Standing,
}

impl Serialize for Placed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("target", &self.target)?;
        map.serialize_entry("is", self.is.label())?;
        match &self.is {
            Standing::Fresh => {}
            Standing::Moved(to) => map.serialize_entry("to", to)?,
            Standing::Unknown(why) => map.serialize_entry("why", why)?,
            Standing::Changed { since, .. } | Standing::Gone(since) => {
                if let Standing::Changed { to: Some(to), .. } = &self.is {
                    map.serialize_entry("to", to)?;
                }
                if let Some((last, subject)) = &since.last {
                    map.serialize_entry("commits", &since.commits)?;
                    map.serialize_entry("last", last)?;
                    map.serialize_entry("subject", subject)?;
                }
            }
        }
        map.end()
    }
}

/// Whether all targets are as they were.
pub fn are_fresh(all: &[Placed]) -> bool {
    all.iter().all(|placed| placed.is == Standing::Fresh)
}

/// Writes those that are not as they were. Errors are those of the serializer.
pub fn not_fresh<S: Serializer>(all: &[Placed], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(all.iter().filter(|placed| placed.is != Standing::Fresh))
}

/// The tree and the parents of a commit.
type Links = (TreeId, Arc<[CommitId]>);

/// What was read of history, to be read on: neighbouring questions are about the same commits.
pub struct Reader {
    objects: Objects,
    /// Trees and parents of commits that are here.
    links: FxHashMap<CommitId, Links>,
    /// Where paths went.
    went: Went,
}

impl Reader {
    /// Starts with nothing read.
    pub fn new(repo: &Repo) -> Self {
        let mut objects = repo.objects();
        objects.keep_bases(MAX_BASES);
        Self {
            objects,
            links: FxHashMap::default(),
            went: Went::default(),
        }
    }

    /// The tree and the parents of a commit; `None` where it is not in this clone.
    fn links(&mut self, commit: CommitId) -> Option<Links> {
        if let Some(known) = self.links.get(&commit) {
            return Some(known.clone());
        }
        let (tree, parents) = commit::links(&mut self.objects, commit).ok()?;
        let found: Links = (tree, parents.into());
        if self.links.len() >= MAX_LINKS {
            self.links.clear();
        }
        self.links.insert(commit, found.clone());
        Some(found)
    }
}

/// Looks at targets for one answer.
pub struct Survey<'a> {
    /// What was read, for the next one.
    pub(crate) reader: Reader,
    repo: &'a Repo,
    at: CommitId,
    root: TreeId,
    bodies: Bodies<'a>,
    targets: usize,
    steps: usize,
    files: usize,
    parsed: usize,
    /// Files that are at the commit and were not, or not so, in a tree.
    newer: FxHashMap<TreeId, Rc<Vec<(RepoPath, BlobId)>>>,
}

/// A target with its place.
struct Place<'a> {
    path: &'a RepoPath,
    seek: Seek<'a>,
    /// Whether it was at another path at the pin.
    is_new: bool,
}

/// What is to be at a place.
#[derive(Clone, Copy)]
enum Seek<'a> {
    Object(ObjectId),
    Symbol(&'a str, u64),
}

/// What is at a place: the object, and for a symbol the hash of its text.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    object: Option<ObjectId>,
    body: Option<u64>,
}

impl<'a> Survey<'a> {
    /// Starts with the tree of a commit. Fails when the commit cannot be read.
    pub fn new(repo: &'a Repo, at: CommitId) -> Result<Self, Error> {
        Self::with(Reader::new(repo), repo, at)
    }

    fn with(mut reader: Reader, repo: &'a Repo, at: CommitId) -> Result<Self, Error> {
        reader.went.start(repo, at);
        Ok(Self {
            repo,
            at,
            root: commit::links(&mut reader.objects, at)?.0,
            reader,
            bodies: Bodies::new(repo),
            targets: MAX_TARGETS,
            steps: MAX_STEPS,
            files: MAX_FILES,
            parsed: MAX_PARSED,
            newer: FxHashMap::default(),
        })
    }

    /// Looks at targets where they were said to be and nowhere else: where one is that has left
    /// is not known, and what changed one is not asked. Fails as [`Survey::new`] does.
    pub fn in_place(repo: &'a Repo, at: CommitId) -> Result<Self, Error> {
        let mut survey = Self::new(repo, at)?;
        survey.stay();
        Ok(survey)
    }

    /// As [`Survey::new`], for many memories at once: less of history is looked at for each.
    pub fn of_many(reader: Reader, repo: &'a Repo, at: CommitId) -> Result<Self, Error> {
        Ok(Self {
            steps: MAX_STEPS_OF_MANY,
            ..Self::with(reader, repo, at)?
        })
    }

    /// The object store.
    pub fn objects(&mut self) -> &mut Objects {
        &mut self.reader.objects
    }

    /// The tree of the commit.
    pub fn root(&self) -> TreeId {
        self.root
    }

    /// From now on looks at targets where they were said to be and nowhere else.
    pub fn stay(&mut self) {
        self.steps = 0;
        self.files = 0;
    }

    /// Looks for targets wherever they are; what changed them is not asked. Fails as [`Survey::new`]
    /// does.
    pub fn anywhere(repo: &'a Repo, at: CommitId) -> Result<Self, Error> {
        Ok(Self {
            steps: 0,
            ..Self::new(repo, at)?
        })
    }

    /// The standings of an event's targets, in their order; none when there are more than are looked at.
    pub fn of(&mut self, event: &Event) -> Vec<Standing> {
        let Some(pin) = event.pin() else {
            return Vec::new();
        };
        let Some(left) = self.targets.checked_sub(event.targets().count()) else {
            return Vec::new();
        };
        self.targets = left;
        event
            .targets()
            .map(|target| self.target(pin, target))
            .collect()
    }

    /// The name that a target has at the commit, if it is another than the one it had. What changed it is not asked.
    pub fn moved_to(&mut self, pin: &Pin, target: &Target) -> Option<String> {
        let steps = std::mem::take(&mut self.steps);
        let standing = self.target(pin, target);
        self.steps = steps;
        match standing {
            Standing::Moved(to) | Standing::Changed { to: Some(to), .. } => Some(to),
            _ => None,
        }
    }

    /// The standing of one target of an event with this pin.
    pub fn target(&mut self, pin: &Pin, target: &Target) -> Standing {
        match target {
            Target::Path { path, object } => self.path(pin, path, *object),
            Target::Symbol { id, body } => self.symbol(pin, id, *body),
        }
    }

    fn path(&mut self, pin: &Pin, path: &RepoPath, object: ObjectId) -> Standing {
        let here = match tree::find(&mut self.reader.objects, self.root, path) {
            Ok(here) => here.map(object_of),
            Err(_) => return Standing::Unknown("its tree is not in this clone"),
        };
        let place = Place {
            path,
            seek: Seek::Object(object),
            is_new: false,
        };
        match here {
            Some(here) if here == object => Standing::Fresh,
            Some(_) => Standing::Changed {
                to: None,
                lines: None,
                since: self.since(&place, pin, usize::MAX),
            },
            None if self.files == 0 => Standing::Unknown(NOT_FOLLOWED),
            None if let Some(standing) = self.path_elsewhere(pin, path, object) => standing,
            None => match self.elsewhere(pin, path, object) {
                Some(path) => Standing::Moved(label(&Target::Path { path, object })),
                None => Standing::Gone(self.since(&place, pin, 1)),
            },
        }
    }

    fn symbol(&mut self, pin: &Pin, id: &str, body: u64) -> Standing {
        let parsed = ParsedId::parse(id);
        let path = parsed.as_ref().map(|parsed| RepoPath::new(parsed.path));
        let (Some(parsed), Some(Ok(path))) = (parsed, path) else {
            return Standing::Unknown("its id names no symbol that is known here");
        };
        let place = Place {
            path: &path,
            seek: Seek::Symbol(id, body),
            is_new: false,
        };
        let here = match tree::find(&mut self.reader.objects, self.root, &path) {
            Ok(here) => here,
            Err(_) => return Standing::Unknown("its tree is not in this clone"),
        };
        if let Some(Found::Leaf(mode, blob)) = here
            && mode.is_file()
        {
            if !self.reader.objects.contains(blob.as_object()) {
                return Standing::Unknown("its file is not in this clone");
            }
            let Some(symbols) = self.bodies.of(blob, &path) else {
                return Standing::Unknown("its file is not one that is read");
            };
            let found = symbols.get(id).copied();
            if found == Some(body) {
                return Standing::Fresh;
            }
            if let Some(other) = same_body(symbols, &parsed, body) {
                return Standing::Moved(other);
            }
            if found.is_some() {
                return Standing::Changed {
                    to: None,
                    lines: self.lines(pin, &path, id, blob),
                    since: self.since(&place, pin, usize::MAX),
                };
            }
        }
        if here.is_none()
            && let Some(standing) = self.symbol_renamed(pin, &path, (id, body))
        {
            return standing;
        }
        match self.symbol_elsewhere(pin, &path, &parsed, body) {
            Ok(Some(id)) => Standing::Moved(id),
            Ok(None) => Standing::Gone(self.since(&place, pin, 1)),
            Err(reason) => Standing::Unknown(reason),
        }
    }

    /// The files at the commit that were not, or not so, at a pin; all when the tree of the pin is
    /// not in this clone.
    fn newer(&mut self, pin: &Pin) -> Rc<Vec<(RepoPath, BlobId)>> {
        if let Some(known) = self.newer.get(&pin.tree) {
            return known.clone();
        }
        let all: Vec<_> = match tree::diff(&mut self.reader.objects, pin.tree, self.root) {
            Ok(changes) => changes
                .into_iter()
                .filter_map(|change| Some((change.path, change.new?.1)))
                .collect(),
            Err(_) => {
                let all = tree::list(&mut self.reader.objects, self.root).unwrap_or_default();
                all.into_iter()
                    .map(|entry| (entry.path, entry.id))
                    .collect()
            }
        };
        let all = Rc::new(all);
        self.newer.insert(pin.tree, all.clone());
        all
    }

    /// Lines of a symbol at the pin and now.
    fn lines(&mut self, pin: &Pin, path: &RepoPath, id: &str, now: BlobId) -> Option<(u32, u32)> {
        let Some(Found::Leaf(_, then)) =
            tree::find(&mut self.reader.objects, pin.tree, path).ok()?
        else {
            return None;
        };
        self.parsed = self.parsed.checked_sub(1)?;
        Some((
            self.bodies.lines(then, path, id)?,
            self.bodies.lines(now, path, id)?,
        ))
    }

    /// What changed a target, going back until it is as it was, or `most` commits are found. Of a merge
    /// the side is followed that the target came from.
    fn since(&mut self, place: &Place, pin: &Pin, most: usize) -> Since {
        let mut since = Since::default();
        let mut commit = self.at;
        let Some(mut now) = self.state(self.root, place, None) else {
            return since;
        };
        for _ in 0..MAX_STEPS_EACH {
            if since.commits == most {
                break;
            }
            if place.seek.is(&now) {
                since.is_all = true;
                break;
            }
            if place.is_new && now.object.is_none() {
                break;
            }
            let Some(left) = self.steps.checked_sub(1) else {
                break;
            };
            self.steps = left;
            let Some((_, parents)) = self.reader.links(commit) else {
                break;
            };
            let mut states = Vec::with_capacity(parents.len());
            for parent in &*parents {
                let root = self.reader.links(*parent).map(|(root, _)| root);
                states.push(root.and_then(|root| self.state(root, place, Some(&now))));
            }
            // Where history is cut off nothing more can be told.
            let Some(states) = states.into_iter().collect::<Option<Vec<State>>>() else {
                break;
            };
            let same = states.iter().position(|state| match place.seek {
                Seek::Object(_) => state.object == now.object,
                Seek::Symbol(..) => state.body == now.body,
            });
            let next = match same {
                Some(side) => side,
                // Of a line of work that never had the pin, what came before it changed nothing since.
                None if self.is_older(commit, pin) => break,
                None => {
                    since.commits += 1;
                    since.last.get_or_insert_with(|| self.named(commit));
                    0
                }
            };
            let (Some(parent), Some(state)) = (parents.get(next), states.get(next)) else {
                break;
            };
            (commit, now) = (*parent, *state);
        }
        since
    }

    /// Whether a commit was made before the author of a pin's commit wrote that.
    fn is_older(&mut self, commit: CommitId, pin: &Pin) -> bool {
        let origins = commit::origins(&mut self.reader.objects, commit);
        origins.is_ok_and(|origins| origins.committer.seconds < pin.date.seconds)
    }

    /// What is at a place in a tree; a file as it is `known` to be is not read again. `None` when that
    /// cannot be told.
    fn state(&mut self, root: TreeId, place: &Place, known: Option<&State>) -> Option<State> {
        let found = tree::find(&mut self.reader.objects, root, place.path).ok()?;
        let object = found.map(object_of);
        let mut state = State { object, body: None };
        if let (Seek::Symbol(id, _), Some(object)) = (place.seek, object) {
            if let Some(known) = known
                && known.object == Some(object)
            {
                return Some(*known);
            }
            if !self.reader.objects.contains(object) {
                return None;
            }
            self.parsed = self.parsed.checked_sub(1)?;
            let symbols = self.bodies.of(BlobId::new(object), place.path);
            state.body = symbols.and_then(|symbols| symbols.get(id).copied());
        }
        Some(state)
    }

    fn named(&mut self, id: CommitId) -> (String, String) {
        let message = commit::read(&mut self.reader.objects, id).map(|read| read.message);
        let message = message.unwrap_or_default();
        let subject = message::subject(&message);
        (id.short(), subject.to_str_lossy().into_owned())
    }
}

impl Seek<'_> {
    /// Whether a place holds what it held at the pin.
    fn is(&self, state: &State) -> bool {
        match self {
            Self::Object(object) => state.object == Some(*object),
            Self::Symbol(_, body) => state.body == Some(*body),
        }
    }
}

fn object_of(found: Found) -> ObjectId {
    match found {
        Found::Leaf(_, blob) => blob.as_object(),
        Found::Tree(tree) => tree.as_object(),
    }
}

/// The id of a symbol of the same kind and simple name with the same text, the first of equals.
fn same_body(
    symbols: &std::collections::HashMap<String, u64>,
    wanted: &ParsedId<'_>,
    body: u64,
) -> Option<String> {
    let same = symbols.iter().filter(|(_, hash)| **hash == body);
    let named = same.filter(|(id, _)| {
        ParsedId::parse(id)
            .is_some_and(|found| found.name() == wanted.name() && found.kind == wanted.kind)
    });
    named.map(|(id, _)| id).min().cloned()
}
