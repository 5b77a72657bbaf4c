//! One step back: what a definition was in the state before a commit, and in which ways it was another.
//!
//! Both states hold no more files than the question needs, and are compared as `diff` compares any two
//! ([`files`], [`matching`], [`changes`]).

use super::answer::Place;
use super::changed::Changed;
use super::follow::Found;
use super::verbatim::Naming;
use crate::clean;
use crate::extract::record::{DocFlags, SymbolKind};
use crate::git::RepoPath;
use crate::git::interrupt::Asker;
use crate::id::BlobId;
use crate::query::Error;
use crate::query::diff::changes::{self, Aspects, Change};
use crate::query::diff::describe;
use crate::query::diff::files::{self, FileChange};
use crate::query::diff::matching::{self, Matches};
use crate::query::diff::similarity::{Class, Runs};
use crate::query::diff::units::{Side, UnitId};
use crate::query::engine::Engine;
use crate::query::engine::few::{Content, Few};
use crate::store::parallel;
use crate::view::live::{FileId, View};
use crate::view::text::{Text, Texts};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Tokens of a definition from which on another like it is where it was copied from.
const MIN_COPIED: usize = 30;
/// How alike a copy is to what it was taken from, at the least.
const MIN_LIKENESS: f64 = 0.8;
/// States of one file that are kept, those of parts of it among them.
const MAX_STATES: usize = 4;
/// Bytes of a state from which on it is worth a thread to make it beside another.
const LARGE: usize = 2 << 10;
/// Members named of those that changed.
const MAX_MEMBERS: usize = 4;

/// A definition in a version of its file.
#[derive(Clone, Debug)]
pub struct Held {
    /// The file.
    pub path: RepoPath,
    /// Its content.
    pub blob: BlobId,
    /// The same, as bytes; empty where they were let go.
    pub bytes: Arc<Vec<u8>>,
    /// Bytes of the definition.
    pub span: Range<u32>,
    /// Its own name.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: SymbolKind,
    /// Where the definitions begin that it lies in, outermost first; `None` where that is not known.
    pub outer: Option<Vec<u32>>,
}

/// What a definition was in the state before.
#[derive(Debug)]
pub struct Origin {
    /// The definition there.
    pub held: Held,
    /// Whether it is the same, comments and all.
    pub is_same: bool,
    /// Whether its name and its place say so, so that nothing else can be meant.
    pub is_certain: bool,
    /// The version that the later state is; `None` where nothing is worth one.
    pub version: Option<Box<Found>>,
}

/// Where a definition was in the state before.
#[derive(Debug)]
pub enum Step {
    /// It was there.
    Kept(Box<Origin>),
    /// It was nowhere; what it was copied from, if that can be told.
    New(Option<Place>),
}

/// Compares states of few files.
pub struct Stepper<'e> {
    engine: &'e Engine,
    /// A view of which the documents are used.
    pub(super) at_hand: &'e View,
    /// The tree that lies over no commit, as far as it differs from one.
    pub(super) uncommitted: Vec<Content>,
    /// The states of one file that were made last, by its path and blob: what was the old one of a step is often
    /// the new one of the next.
    last: RefCell<Vec<(RepoPath, BlobId, Rc<Few>)>>,
}

impl<'e> Stepper<'e> {
    /// Uses the documents of a view. `uncommitted` are the files of the work tree that differ from its commit.
    pub(in crate::query) fn new(
        engine: &'e Engine,
        at_hand: &'e View,
        uncommitted: Vec<Content>,
    ) -> Self {
        Self {
            engine,
            at_hand,
            uncommitted,
            last: RefCell::default(),
        }
    }

    /// Looks for a definition in the same file as it was before.
    pub fn in_file(
        &self,
        texts: &mut Texts,
        held: &Held,
        (blob, bytes): (BlobId, Vec<u8>),
    ) -> Result<Step, Error> {
        if let Some(step) = self.in_region(texts, held, (blob, &bytes))? {
            return Ok(step);
        }
        let changed = Changed {
            old: vec![Content {
                path: held.path.clone(),
                blob,
                bytes,
            }],
            new: vec![held.content()],
        };
        self.in_commit(texts, held, changed)
    }

    /// Looks for a definition in the files that a commit changed, as they were before.
    pub fn in_commit(
        &self,
        texts: &mut Texts,
        held: &Held,
        changed: Changed,
    ) -> Result<Step, Error> {
        if changed.old.is_empty() {
            return Ok(Step::New(None));
        }
        let found = self.compared(texts, held, changed, false)?;
        Ok(found.unwrap_or(Step::New(None)))
    }

    /// Compares two states; `None` where parts of files were to be read that cannot be understood by themselves.
    pub(super) fn compared(
        &self,
        texts: &mut Texts,
        held: &Held,
        changed: Changed,
        of_parts: bool,
    ) -> Result<Option<Step>, Error> {
        let contents = changed.old.clone();
        let (old, new) = self.both(changed)?;
        if of_parts && (is_torn(&old.view) || is_torn(&new.view)) {
            return Ok(None);
        }
        let files = files::changes(&old.view, &new.view, texts);
        let before = files.iter().filter_map(|file| file.before());
        let before = Side::of(&old.view, old.graph(), texts, before);
        let after = files.iter().filter_map(|file| file.after());
        let after = Side::of(&new.view, new.graph(), texts, after);
        let Some(unit) = find(&after, held) else {
            let whole = || whole_file(held, &files, (&old, &new), &contents);
            return Ok((!of_parts).then(whole));
        };
        let matches = matching::pair(&before, &after, &files);
        let Some(was) = matches.old_of(unit) else {
            let copied = copied(&before, (&after, unit));
            let place = copied.and_then(|was| before.reference(texts, was));
            return Ok(Some(Step::New(place.map(Place::Symbol))));
        };
        let how = changes::aspects(&before, &after, &matches, was, unit);
        let members = members((&before, was), (&after, unit), &matches, texts);
        let old_held = held_of(&before, was, &contents);
        let Some(old_held) = old_held else {
            return Ok(None);
        };
        let place = after.reference(texts, unit).map(Place::Symbol);
        let mut did = words(how, old_held.path != held.path);
        if let Some(members) = &members
            && (did.is_empty() || did == ["comments"])
        {
            did = vec![members.0];
        }
        let from = (how.renamed || how.moved || old_held.path != held.path)
            .then(|| before.reference(texts, was).map(Place::Symbol))
            .flatten();
        let signatures = how
            .signature
            .then(|| describe::signature(&before, was).zip(describe::signature(&after, unit)));
        let signatures = signatures.flatten();
        let signatures = signatures.filter(|(before, after)| before != after);
        let version = (!did.is_empty()).then(|| {
            Box::new(Found {
                commit: None,
                did,
                is_merge: false,
                place: place.unwrap_or_else(|| Place::Path(held.path.to_string())),
                was: from,
                signatures,
                detail: members.map(|(_, said)| said),
            })
        });
        Ok(Some(Step::Kept(Box::new(Origin {
            is_same: version.is_none(),
            is_certain: !how.renamed && !how.moved && old_held.path == held.path,
            held: old_held,
            version,
        }))))
    }

    /// The states before and after. Where neither is known, and they are not small, both are made at once.
    fn both(&self, changed: Changed) -> Result<(Rc<Few>, Rc<Few>), Error> {
        let is_large = |files: &[Content]| {
            files.iter().map(|file| file.bytes.len()).sum::<usize>() >= LARGE
                && self.known(files).is_none()
        };
        if !is_large(&changed.old) || !is_large(&changed.new) || parallel::cores() < 2 {
            return Ok((self.few(changed.old)?, self.few(changed.new)?));
        }
        let (engine, at_hand) = (self.engine, self.at_hand);
        let (of_old, of_new) = (key(&changed.old), key(&changed.new));
        let asker = Asker::of_this_thread();
        let (old, new) = std::thread::scope(|scope| {
            let old = scope.spawn(|| asker.on_this_thread(|| engine.few(&[at_hand], changed.old)));
            let new = engine.few(&[at_hand], changed.new);
            (old.join().expect("extraction does not panic"), new)
        });
        let (old, new) = (Rc::new(old?), Rc::new(new?));
        self.keep(of_old, &old);
        self.keep(of_new, &new);
        Ok((old, new))
    }

    fn few(&self, files: Vec<Content>) -> Result<Rc<Few>, Error> {
        let key = key(&files);
        let few = match self.known(&files) {
            Some(known) => known,
            None => Rc::new(self.engine.few(&[self.at_hand], files)?),
        };
        self.keep(key, &few);
        Ok(few)
    }

    /// The state of one file, where that was made before.
    fn known(&self, files: &[Content]) -> Option<Rc<Few>> {
        let (path, blob) = key(files)?;
        let last = self.last.borrow();
        let mut last = last.iter();
        let found = last.find(|(of, id, _)| *of == path && *id == blob);
        found.map(|(_, _, few)| few.clone())
    }

    /// Keeps the state of one file as the one that was used last.
    fn keep(&self, key: Option<(RepoPath, BlobId)>, few: &Rc<Few>) {
        if let Some((path, blob)) = key {
            let mut last = self.last.borrow_mut();
            last.retain(|(of, id, _)| *of != path || *id != blob);
            last.insert(0, (path, blob, few.clone()));
            last.truncate(MAX_STATES);
        }
    }

    /// A definition of the same name and kind in another version of its file, where one may be that was not looked at.
    pub fn of_name(
        &self,
        held: &Held,
        (blob, bytes): (BlobId, Vec<u8>),
        naming: &mut Naming,
    ) -> Result<Option<Held>, Error> {
        let text = Text::new(bytes);
        if !naming.may_have(&text) {
            return Ok(None);
        }
        let bytes = text.bytes().to_vec();
        let content = Content {
            path: held.path.clone(),
            blob,
            bytes,
        };
        let few = self.few(vec![content.clone()])?;
        let mut texts = Texts::new(self.engine.repo_shared());
        let files = std::iter::once(FileId(0)).filter(|_| !few.view.files().is_empty());
        let side = Side::of(&few.view, few.graph(), &mut texts, files);
        let wanted = side.ids().find(|id| {
            let unit = side.unit(*id);
            unit.kind == held.kind && own(&side, *id) == held.name
        });
        Ok(wanted.and_then(|id| held_of(&side, id, &[content])))
    }

    /// A version in which a definition is what it is, with one word for what was done.
    pub fn version(
        &self,
        texts: &mut Texts,
        held: &Held,
        did: &'static str,
    ) -> Result<Found, Error> {
        let few = self.few(vec![held.content()])?;
        let files = std::iter::once(FileId(0)).filter(|_| !few.view.files().is_empty());
        let side = Side::of(&few.view, few.graph(), texts, files);
        let place = find(&side, held).and_then(|unit| side.reference(texts, unit));
        let place = place.map_or_else(|| Place::Path(held.path.to_string()), Place::Symbol);
        Ok(Found::new(did, place))
    }
}

impl Held {
    /// The same, its text let go.
    pub(super) fn without_bytes(&self) -> Self {
        Self {
            bytes: Arc::default(),
            ..self.clone()
        }
    }

    pub(super) fn content(&self) -> Content {
        Content {
            path: self.path.clone(),
            blob: self.blob,
            bytes: self.bytes.to_vec(),
        }
    }
}

/// What the state of one file is known by; `None` for several.
fn key(files: &[Content]) -> Option<(RepoPath, BlobId)> {
    match files {
        [only] => Some((only.path.clone(), only.blob)),
        _ => None,
    }
}

/// Whether a file was not understood as a whole.
fn is_torn(view: &View) -> bool {
    view.files().iter().any(|file| {
        let row = file
            .doc
            .map(|doc| view.segment(doc.segment).segment.doc(doc.doc));
        row.is_none_or(|row| row.flags.contains(DocFlags::SYNTAX_ERRORS))
    })
}

pub(super) fn own(side: &Side<'_>, unit: UnitId) -> Vec<u8> {
    let name = &side.unit(unit).name;
    match side.unit(unit).kind {
        SymbolKind::Test => name.to_vec(),
        _ => name
            .rsplit(|byte| *byte == b'.')
            .next()
            .unwrap_or(name)
            .to_vec(),
    }
}

fn find(side: &Side<'_>, held: &Held) -> Option<UnitId> {
    let here = side.ids().filter(|id| {
        let symbol = side.symbol(*id);
        side.view.file(side.unit(*id).file).path == held.path
            && symbol.is_some_and(|symbol| symbol.span == held.span)
    });
    let here: Vec<UnitId> = here.collect();
    let kind = |id: &UnitId| side.unit(*id).kind;
    let is_named = |id: &&UnitId| own(side, **id) == held.name;
    let same: Vec<UnitId> = here
        .iter()
        .copied()
        .filter(|id| kind(id) == held.kind)
        .collect();
    // The same lines are a function where they were a method when what is around them is read otherwise.
    let alike = || {
        here.iter()
            .filter(|id| Class::of(kind(id)) == Class::of(held.kind))
            .find(is_named)
    };
    // Of several in one statement the name says which.
    same.iter()
        .find(is_named)
        .or(same.first())
        .or_else(alike)
        .copied()
}

pub(super) fn held_of(side: &Side<'_>, unit: UnitId, contents: &[Content]) -> Option<Held> {
    let of = side.unit(unit);
    let file = side.view.file(of.file);
    let content = contents.iter().find(|content| content.path == file.path)?;
    Some(Held {
        path: file.path.clone(),
        blob: file.blob,
        bytes: content.bytes.clone().into(),
        span: side.symbol(unit)?.span,
        name: own(side, unit),
        kind: of.kind,
        outer: outer_of(side, unit),
    })
}

/// Where the definitions begin that one lies in, outermost first.
fn outer_of(side: &Side<'_>, unit: UnitId) -> Option<Vec<u32>> {
    let around = side.around(unit).skip(1);
    let begins = around.map(|id| Some(side.symbol(id)?.span.start));
    let mut all: Vec<u32> = begins.collect::<Option<_>>()?;
    all.reverse();
    Some(all)
}

/// What became of something that is no definition of code (a heading, a key of data): no more is known than that its
/// file was another.
fn whole_file(
    held: &Held,
    files: &[FileChange],
    (old, new): (&Few, &Few),
    contents: &[Content],
) -> Step {
    let of = files.iter().find_map(|file| {
        let after = new.view.file(file.after()?);
        let before = old.view.file(file.before()?);
        (after.path == held.path).then_some(before)
    });
    let Some(before) = of else {
        return Step::New(None);
    };
    let Some(content) = contents.iter().find(|content| content.path == before.path) else {
        return Step::New(None);
    };
    let is_moved = before.path != held.path;
    Step::Kept(Box::new(Origin {
        held: Held {
            path: before.path.clone(),
            blob: before.blob,
            span: 0..u32::try_from(content.bytes.len()).unwrap_or(u32::MAX),
            bytes: content.bytes.clone().into(),
            ..held.clone()
        },
        is_same: false,
        is_certain: true,
        version: Some(Box::new(Found {
            was: is_moved.then(|| Place::Path(before.path.to_string())),
            ..Found::new(
                if is_moved { "moved" } else { "file changed" },
                Place::Path(held.path.to_string()),
            )
        })),
    }))
}

/// The words for what was done to a definition.
fn words(how: Aspects, is_elsewhere: bool) -> Vec<&'static str> {
    let mut how = how;
    how.moved |= is_elsewhere;
    if how.moved {
        how.comments = false;
    }
    how.words().collect()
}

/// A definition of the old state that an added one is like.
fn copied(before: &Side<'_>, (after, new): (&Side<'_>, UnitId)) -> Option<UnitId> {
    let unit = after.unit(new);
    if unit.size < MIN_COPIED {
        return None;
    }
    let runs = Runs::of(&after.masked(new));
    let class = |kind| Class::of(kind);
    let alike = before.ids().filter(|id| {
        let other = before.unit(*id);
        class(other.kind) == class(unit.kind) && other.size >= MIN_COPIED
    });
    let scored = alike.map(|id| (Runs::of(&before.masked(id)).dice(&runs), id));
    let close = scored.filter(|(likeness, _)| *likeness >= MIN_LIKENESS);
    close
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        .map(|(_, id)| id)
}

/// What happened to the definitions inside one, in a word and a line.
fn members(
    (before, was): (&Side<'_>, UnitId),
    (after, is): (&Side<'_>, UnitId),
    matches: &Matches,
    texts: &mut Texts,
) -> Option<(&'static str, String)> {
    if before.inside(was).next().is_none() && after.inside(is).next().is_none() {
        return None;
    }
    let mut code: Vec<(&'static str, String)> = Vec::new();
    let mut is_code = false;
    for change in changes::changes(before, after, matches) {
        let (side, unit, outer, word) = match change {
            Change::Added(unit) => (after, unit, is, "added"),
            Change::Removed(unit) => (before, unit, was, "removed"),
            Change::Changed { new, how, .. } => {
                let word = if how.is_code() || how.renamed || how.moved {
                    "changed"
                } else {
                    "explained"
                };
                (after, new, is, word)
            }
        };
        if unit == outer || !side.around(unit).any(|around| around == outer) {
            continue;
        }
        is_code |= word != "explained";
        if let Some(member) = side.reference(texts, unit) {
            let name = member.qualified.to_string();
            let name = name.rsplit('.').next().unwrap_or(&name).to_owned();
            code.push((word, clean::word(&name)));
        }
    }
    if code.is_empty() {
        return None;
    }
    let mut parts = Vec::new();
    for word in ["added", "changed", "removed", "explained"] {
        let names: Vec<&str> = (code.iter().filter(|(did, _)| *did == word))
            .map(|(_, name)| name.as_str())
            .collect();
        if !names.is_empty() {
            let shown = names[..names.len().min(MAX_MEMBERS)].join(", ");
            let more = names.len().saturating_sub(MAX_MEMBERS);
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            parts.push(format!("{word} {shown}{more}"));
        }
    }
    let word = if is_code { "members" } else { "comments" };
    Some((word, parts.join("; ")))
}
