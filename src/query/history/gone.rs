//! Names that nothing has any more: the last commit that had a definition of one, and what became of it before.
//!
//! Where the index has documents that define the name, only trees are compared until one of these goes. Else versions
//! of files are read, the newest first, until one defines it that the next does not, or too many were read: how far
//! that went is said.

use super::ancestry::Ancestry;
use super::answer::{HistoryAnswer, Place};
use super::follow::{Follower, Found, Past};
use super::request;
use super::step::{Held, Stepper};
use super::subject;
use super::telling;
use super::told;
use crate::extract::record::DocKey;
use crate::git::RepoPath;
use crate::git::history::Headers;
use crate::git::tree::{self, Change, EntryMode};
use crate::id::{BlobId, CommitId, TreeId};
use crate::lang::{self, language::Genre};
use crate::query::Error;
use crate::query::diff::files;
use crate::query::diff::matching;
use crate::query::diff::units::Side;
use crate::query::engine::few::Content;
use crate::query::engine::sketch::{Sketcher, Wanted};
use crate::query::engine::{Engine, Pinned, parse_target};
use crate::query::ids::DocSymbols;
use crate::query::target::Target;
use crate::query::verified::VerifiedSymbols;
use crate::store::Progress;
use crate::view::files::Reading;
use crate::view::live::{FileId, View};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Versions of files that are read for a name that no document of the index defines.
const MAX_READ: usize = 8000;
/// Largest note that is read, in bytes.
const MAX_NOTE: usize = 1 << 20;
/// Files of a commit in which what a definition was renamed to is looked for.
const MAX_NEW: usize = 100;

/// Finds the last definition of a name that nothing has now; `None` where none is found, and what was looked through.
pub(super) fn past(
    engine: &Engine,
    pinned: &Pinned,
    ancestry: &mut Ancestry,
    target: &str,
    progress: &dyn Progress,
    answer: &mut HistoryAnswer,
) -> Result<Option<Past>, Error> {
    let Some(commit) = pinned.stamp.commit else {
        return Ok(None);
    };
    let Some(wanted) = Lost::read(&parse_target(target)?) else {
        return Ok(None);
    };
    let mut hunt = Hunt {
        known: wanted.known(engine),
        wanted,
        engine,
        sketcher: Sketcher::new(engine),
        defines: FxHashMap::default(),
        read: 0,
    };
    let found = match hunt.uncommitted(pinned.view(), ancestry, commit)? {
        Some(found) => Some(found),
        None => match hunt.committed_once(ancestry, commit, progress) {
            Ok(Ok(found)) => Some(found),
            Ok(Err(looked)) => {
                answer.way = Some(looked);
                None
            }
            Err(Error::Git(err)) if err.is_missing_object() => {
                answer.way = Some(format!("this clone lacks what came before: {err}"));
                None
            }
            Err(err) => return Err(err),
        },
    };
    let Some(found) = found else {
        return Ok(None);
    };
    hunt.told(pinned, ancestry, found, progress, answer)
}

/// What is kept of a hunt for the next one: the commit that took the definition away, and the path, or how far was
/// looked.
#[derive(bincode::Encode, bincode::Decode)]
enum Noted {
    Gone { commit: Vec<u8>, path: Vec<u8> },
    Looked(String),
}

/// A name that is looked for.
#[derive(Debug)]
struct Lost {
    /// Its own name.
    own: Vec<u8>,
    /// The names around it, the outermost first.
    outer: Vec<String>,
    /// The only file in which it is looked for.
    path: Option<RepoPath>,
}

impl Lost {
    fn read(target: &Target) -> Option<Self> {
        if let Some(id) = target.ids().next() {
            let own = id.name();
            let outer = id.qualified.strip_suffix(own).unwrap_or_default();
            return Some(Self {
                own: own.as_bytes().to_vec(),
                outer: outer
                    .split('.')
                    .filter(|part| !part.is_empty())
                    .map(str::to_owned)
                    .collect(),
                path: RepoPath::shown_as(id.path).ok(),
            });
        }
        let name = &target.name;
        let is_name = !name.own.is_empty() && target.frames.is_empty() && !target.is_folder;
        is_name.then(|| Self {
            own: name.own.as_bytes().to_vec(),
            outer: name.containers.clone(),
            path: None,
        })
    }

    /// The blobs of the index in which something of its name is defined.
    fn known(&self, engine: &Engine) -> FxHashSet<BlobId> {
        let mut found = FxHashSet::default();
        for segment in engine.stored() {
            let Some(name) = segment.name_id(&self.own) else {
                continue;
            };
            found.extend(segment.defining_docs(name).map(|doc| segment.key(doc).blob));
        }
        found
    }

    /// The definition of a file that is meant.
    fn find(&self, view: &View, file: FileId) -> Option<usize> {
        let doc = view.file(file).doc?;
        let symbols = DocSymbols::load(&view.segment(doc.segment).segment, doc.doc);
        (0..symbols.all().len()).find(|index| {
            let qualified = symbols.qualified(*index);
            let mut parts = qualified.rsplit('.');
            let is_own = parts.next().is_some_and(|own| own.as_bytes() == self.own);
            is_own
                && self
                    .outer
                    .iter()
                    .rev()
                    .all(|outer| parts.next() == Some(outer))
        })
    }
}

/// Where a definition was last.
struct Last {
    /// The commit that has it no more; `None` for the work tree.
    gone: Option<(CommitId, i64)>,
    /// Its parent, that has it.
    before: CommitId,
    path: RepoPath,
    /// What the commit changed.
    changes: Vec<Change>,
}

struct Hunt<'e> {
    engine: &'e Engine,
    wanted: Lost,
    known: FxHashSet<BlobId>,
    sketcher: Sketcher<'e>,
    defines: FxHashMap<BlobId, bool>,
    read: usize,
}

impl Hunt<'_> {
    /// A file whose committed content has it, where the work tree has another.
    fn uncommitted(
        &mut self,
        view: &View,
        ancestry: &mut Ancestry,
        head: CommitId,
    ) -> Result<Option<Last>, Error> {
        if view.dirty == 0 {
            return Ok(None);
        }
        let root = ancestry.root(head)?;
        for file in self.sketcher.files(root)?.iter() {
            let now = view.file_at(file.path.as_bytes()).map(|now| view.file(now));
            let is_other = now.is_none_or(|now| now.blob != file.blob);
            if is_other && self.defines(root, &file.path, (file.mode, file.blob))? {
                return Ok(Some(Last {
                    gone: None,
                    before: head,
                    path: file.path.clone(),
                    changes: Vec::new(),
                }));
            }
        }
        Ok(None)
    }

    /// Whether a file of a tree defines the name.
    fn defines(
        &mut self,
        root: TreeId,
        path: &RepoPath,
        (mode, blob): (EntryMode, BlobId),
    ) -> Result<bool, Error> {
        let is_elsewhere = self
            .wanted
            .path
            .as_ref()
            .is_some_and(|wanted| wanted != path);
        let Reading::Document(grammar) = Reading::of(path, mode) else {
            return Ok(false);
        };
        let genre = lang::of(grammar).genre;
        if is_elsewhere || !genre.is_code() || genre == Genre::Data {
            return Ok(false);
        }
        if let Some(known) = self.defines.get(&blob) {
            return Ok(*known);
        }
        let key = DocKey { blob, grammar };
        let may_define = match self.sketcher.is_indexed(&key) {
            true => self.known.contains(&blob),
            false => {
                self.read += 1;
                let names = std::slice::from_ref(&self.wanted.own);
                telling::holds(&self.sketcher.content(blob)?, names)
            }
        };
        let defines = may_define && {
            let (view, file) = self.one(root, path)?;
            file.is_some_and(|file| self.wanted.find(&view, file).is_some())
        };
        self.defines.insert(blob, defines);
        Ok(defines)
    }

    /// A tree of which one file is read.
    fn one(&mut self, root: TreeId, path: &RepoPath) -> Result<(View, Option<FileId>), Error> {
        let files = self.sketcher.files(root)?;
        let at = files.binary_search_by(|file| file.path.cmp(path)).ok();
        let file = at.map(|at| FileId(at as u32));
        let wanted: Wanted = file.into_iter().collect();
        Ok((self.sketcher.view(&files, &wanted)?, file))
    }

    /// As [`Hunt::committed`], which is not asked again what it found out before: to read thousands of versions takes a
    /// second.
    fn committed_once(
        &mut self,
        ancestry: &mut Ancestry,
        from: CommitId,
        progress: &dyn Progress,
    ) -> Result<Result<Last, String>, Error> {
        // What was read of the work tree counts among what is read.
        if self.read > 0 {
            return self.committed(ancestry, from, progress);
        }
        let of = format!("{:?}", self.wanted);
        if let Some(body) = told::note(self.engine, (&of, from))?
            && let Some(known) = self.noted(ancestry, &body)?
        {
            return Ok(known);
        }
        let found = self.committed(ancestry, from, progress)?;
        let noted = match &found {
            Ok(last) => last.gone.map(|(commit, _)| Noted::Gone {
                commit: commit.as_bytes().to_vec(),
                path: last.path.as_bytes().to_vec(),
            }),
            Err(looked) => Some(Noted::Looked(looked.clone())),
        };
        let noted = noted.filter(|_| !progress.cancelled());
        let bytes =
            noted.and_then(|noted| bincode::encode_to_vec(noted, bincode::config::standard()).ok());
        if let Some(bytes) = bytes {
            told::keep_note(self.engine, (&of, from), &bytes)?;
        }
        Ok(found)
    }

    /// What was noted; `None` for what cannot be read as it should.
    fn noted(
        &mut self,
        ancestry: &mut Ancestry,
        body: &[u8],
    ) -> Result<Option<Result<Last, String>>, Error> {
        let encoding = bincode::config::standard().with_limit::<MAX_NOTE>();
        let (commit, path) = match bincode::decode_from_slice::<Noted, _>(body, encoding) {
            Ok((Noted::Looked(looked), _)) => return Ok(Some(Err(looked))),
            Ok((Noted::Gone { commit, path }, _)) => (CommitId::from_bytes(&commit), path),
            Err(_) => return Ok(None),
        };
        let (Some(commit), Ok(path)) = (commit, RepoPath::new(path)) else {
            return Ok(None);
        };
        let (date, parents) = Headers::of_kept(self.engine.repo())?.read(commit)?;
        let [before] = parents[..] else {
            return Ok(None);
        };
        let (old, new) = (ancestry.root(before)?, ancestry.root(commit)?);
        let changes = tree::diff(ancestry.objects(), old, new)?;
        Ok(Some(Ok(Last {
            gone: Some((commit, date)),
            before,
            path,
            changes,
        })))
    }

    /// The newest commit that took it away; else how far was looked.
    fn committed(
        &mut self,
        ancestry: &mut Ancestry,
        from: CommitId,
        progress: &dyn Progress,
    ) -> Result<Result<Last, String>, Error> {
        let mut headers = Headers::of_kept(self.engine.repo())?;
        let mut seen = FxHashSet::from_iter([from]);
        let (date, parents) = headers.read(from)?;
        let mut queue = BinaryHeap::from([(date, Reverse(0usize), from, parents)]);
        let mut looked = 0;
        while let Some((date, _, commit, parents)) = queue.pop() {
            if self.read >= MAX_READ || progress.cancelled() {
                let (read, short) = (self.read, commit.short());
                return Ok(Err(format!(
                    "{looked} commits looked at, {read} versions of files read; \
                     TARGET@{short} looks further back"
                )));
            }
            looked += 1;
            // What a merge has is from a side, and so is what it has not.
            if let [parent] = parents[..]
                && let Some(found) = self.taken(ancestry, (commit, date), parent)?
            {
                return Ok(Ok(found));
            }
            for parent in parents {
                if seen.insert(parent) {
                    let (date, parents) = headers.read(parent)?;
                    queue.push((date, Reverse(seen.len()), parent, parents));
                }
            }
        }
        let cut = match headers.is_shallow() {
            true => " of a shallow clone",
            false => "",
        };
        Ok(Err(format!("all {looked} commits{cut} looked at")))
    }

    /// Whether a commit took the definition away.
    fn taken(
        &mut self,
        ancestry: &mut Ancestry,
        (commit, date): (CommitId, i64),
        parent: CommitId,
    ) -> Result<Option<Last>, Error> {
        let (old, new) = (ancestry.root(parent)?, ancestry.root(commit)?);
        let changes = tree::diff(ancestry.objects(), old, new)?;
        let mut lost = None;
        for change in &changes {
            if let Some(side) = change.old
                && self.defines(old, &change.path, side)?
            {
                lost = Some(change.path.clone());
                break;
            }
        }
        let Some(path) = lost else {
            return Ok(None);
        };
        for change in &changes {
            if let Some(side) = change.new
                && self.defines(new, &change.path, side)?
            {
                return Ok(None);
            }
        }
        Ok(Some(Last {
            gone: Some((commit, date)),
            before: parent,
            path,
            changes,
        }))
    }

    /// Tells the answer what was found, and what became of it before.
    fn told(
        &mut self,
        pinned: &Pinned,
        ancestry: &mut Ancestry,
        last: Last,
        progress: &dyn Progress,
        answer: &mut HistoryAnswer,
    ) -> Result<Option<Past>, Error> {
        let root = ancestry.root(last.before)?;
        let (view, file) = self.one(root, &last.path)?;
        let found = file.and_then(|file| Some((file, self.wanted.find(&view, file)?)));
        let Some((file, index)) = found else {
            return Ok(None);
        };
        let said = VerifiedSymbols::of(&view, file)
            .and_then(|symbols| symbols.reference(&mut self.engine.texts(), index));
        let held = subject::held(&view, ancestry, (file, index))?;
        let (Some(said), Some(held)) = (said, held) else {
            return Ok(None);
        };
        answer.subject = said.id.to_string();
        answer.shown = Some((said.path.clone(), Some(said.id.to_string())));
        let renamed = self.renamed(&last, &held)?;
        let version = match renamed {
            Some(place) => Found {
                commit: last.gone,
                was: Some(Place::Symbol(said)),
                ..Found::new("renamed", place)
            },
            None => Found {
                commit: last.gone,
                ..Found::new("removed", Place::Symbol(said))
            },
        };
        let mut texts = self.engine.texts();
        let stepper = Stepper::new(self.engine, pinned.view(), Vec::new());
        let learnt = &self.engine.learnt;
        let follower = Follower::new(
            ancestry,
            &stepper,
            &mut texts,
            (request::Wanted::ALL, learnt),
            progress,
        );
        let mut past = follower.follow(last.before, held)?;
        past.versions.insert(0, version);
        Ok(Some(past))
    }

    /// What a commit made of a definition that it took away under its name.
    fn renamed(&mut self, last: &Last, held: &Held) -> Result<Option<Place>, Error> {
        let mut after = Vec::new();
        for change in &last.changes {
            let Some((mode, blob)) = change.new else {
                continue;
            };
            if after.len() < MAX_NEW
                && matches!(Reading::of(&change.path, mode), Reading::Document(_))
            {
                after.push(Content {
                    path: change.path.clone(),
                    blob,
                    bytes: self.sketcher.content(blob)?.to_vec(),
                });
            }
        }
        if after.is_empty() {
            return Ok(None);
        }
        let (old, new) = (
            self.engine.few(&[], vec![held.content()])?,
            self.engine.few(&[], after)?,
        );
        let mut texts = self.engine.texts();
        let changed = files::changes(&old.view, &new.view, &mut texts);
        let before = changed.iter().filter_map(|file| file.before());
        let before = Side::of(&old.view, old.graph(), &mut texts, before);
        let after = changed.iter().filter_map(|file| file.after());
        let after = Side::of(&new.view, new.graph(), &mut texts, after);
        let matches = matching::pair(&before, &after, &changed);
        let unit = before.ids().find(|unit| {
            let symbol = before.symbol(*unit);
            symbol.is_some_and(|symbol| symbol.span == held.span && symbol.kind == held.kind)
        });
        let now = unit.and_then(|unit| matches.new_of(unit));
        let place = now.and_then(|now| after.reference(&mut texts, now));
        Ok(place.map(Place::Symbol))
    }
}
