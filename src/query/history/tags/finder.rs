//! A definition in any number of trees: where it stands in each, and what it consists of there.
//!
//! Most trees share the blob at a path, and most blobs of a path share the lines of a definition, so a blob is read
//! once, and parsed only where the lines of a version that is known already do not stand in it
//! ([`verbatim`](crate::query::history::verbatim)). Paths are those that the definition has or had; where a tree has
//! none of them, its files of the same name are looked at.

use super::body::Body;
use crate::git::RepoPath;
use crate::id::{BlobId, CommitId};
use crate::query::Error;
use crate::query::answer::SymbolRef;
use crate::query::diff::similarity::Class;
use crate::query::diff::tokens::{OwnNames, Tokens, masked};
use crate::query::diff::units::{Side, UnitId};
use crate::query::engine::Engine;
use crate::query::engine::few::Content;
use crate::query::engine::sketch::Sketcher;
use crate::query::history::ancestry::{Ancestry, Trail};
use crate::query::history::step::{Held, held_of, own};
use crate::query::history::verbatim::Lines;
use crate::view::files::{File, Reading};
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Least likeness of a definition of the same name that stands in another container.
const MIN_MOVED: f64 = 0.5;
/// Least likeness of one of another name.
const MIN_RENAMED: f64 = 0.65;
/// Least likeness of a file of the same name at another path.
const MIN_SAME_FILE: f64 = 0.5;
/// Definitions of one file that one of another name is looked for among.
const MAX_COMPARED: usize = 3000;
/// Files of one name that are looked at in a tree.
const MAX_NAMESAKES: usize = 8;
/// Versions of a definition of which the lines are looked for.
const MAX_SAMPLES: usize = 8;
/// Paths that are tried in a tree.
const MAX_PATHS: usize = 64;
/// Bytes of a file beyond which it is not read.
const MAX_BYTES: usize = 4 << 20;

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Sought {
    /// Where it stands, and where it stood: there it may have another name.
    pub paths: Vec<RepoPath>,
    /// What it is; `None` for a file as a whole.
    pub class: Option<Class>,
    /// Its names with those of its containers, as it has or had them.
    pub chains: Vec<Vec<u8>>,
    /// Versions of it that are known.
    pub bodies: Vec<Rc<Body>>,
}

impl Sought {
    /// Where it stands.
    pub fn place(&self) -> String {
        self.paths
            .first()
            .map(RepoPath::to_string)
            .unwrap_or_default()
    }

    fn names(&self) -> impl Iterator<Item = &[u8]> {
        let own = |chain: &Vec<u8>| {
            chain
                .iter()
                .rposition(|b| *b == b'.')
                .map_or(0, |at| at + 1)
        };
        self.chains.iter().map(move |chain| &chain[own(chain)..])
    }

    fn likeness(&self, body: &Body) -> f64 {
        let all = self.bodies.iter().map(|known| known.likeness(body));
        all.fold(0.0, f64::max)
    }
}

/// A definition in a tree.
#[derive(Clone, Debug)]
pub struct Located {
    /// The definition; its text was let go. A file as a whole is one definition.
    pub held: Held,
    /// The same in words; `None` for a file.
    pub symbol: Option<SymbolRef>,
    /// What it consists of.
    pub body: Rc<Body>,
}

/// The text of a file, and a definition in it.
type Sample = (Arc<[u8]>, Rc<Located>);

/// What was found in a tree, of each that is looked for.
pub type InTree = Vec<Option<Rc<Located>>>;

/// Looks for definitions in trees.
pub struct Finder<'f, 'a> {
    pub(super) ancestry: &'f mut Ancestry,
    engine: &'a Engine,
    at_hand: &'a View,
    sketcher: Sketcher<'a>,
    texts: Texts,
    pub(super) sought: Vec<Sought>,
    /// Paths to try, those that helped last first.
    trails: Vec<(RepoPath, Trail)>,
    read: FxHashMap<(RepoPath, BlobId), Rc<InTree>>,
    samples: Vec<Vec<Sample>>,
    /// Versions of files that were read.
    pub(super) blobs: usize,
}

impl<'f, 'a> Finder<'f, 'a> {
    /// Looks for these.
    pub fn new(
        engine: &'a Engine,
        at_hand: &'a View,
        ancestry: &'f mut Ancestry,
        sought: Vec<Sought>,
    ) -> Self {
        let mut finder = Self {
            ancestry,
            engine,
            at_hand,
            sketcher: Sketcher::new(engine),
            texts: Texts::new(engine.repo_shared()),
            samples: sought.iter().map(|_| Vec::new()).collect(),
            trails: Vec::new(),
            read: FxHashMap::default(),
            blobs: 0,
            sought: Vec::new(),
        };
        finder.sought = sought;
        for at in 0..finder.sought.len() {
            for path in finder.sought[at].paths.clone() {
                finder.add_path(path);
            }
        }
        finder
    }

    /// Looks at one more path; `false` when it is looked at already.
    pub fn add_path(&mut self, path: RepoPath) -> bool {
        let is_known = self.trails.iter().any(|(known, _)| *known == path);
        if is_known || self.trails.len() >= MAX_PATHS {
            return false;
        }
        let trail = Trail::to_file(&path);
        self.trails.push((path, trail));
        true
    }

    /// Looks for one of them at one more path, where it may have another name; `false` when that is known already.
    pub fn add_path_of(&mut self, at: usize, path: RepoPath) -> bool {
        let Some(sought) = self.sought.get_mut(at) else {
            return false;
        };
        if sought.paths.contains(&path) {
            return false;
        }
        sought.paths.push(path.clone());
        // What was not found there under its name may be found now.
        self.read.retain(|(read, _), _| *read != path);
        self.add_path(path);
        true
    }

    /// Looks for one of them under one more name; `false` when it is known already.
    pub fn add_chain(&mut self, at: usize, chain: Vec<u8>) -> bool {
        let Some(sought) = self.sought.get_mut(at) else {
            return false;
        };
        if sought.chains.contains(&chain) {
            return false;
        }
        sought.chains.push(chain);
        // What was not found under the other names may be found now.
        self.read.clear();
        true
    }

    /// Looks for them in the tree of a commit. Fails when that, or a file of it, cannot be read.
    pub fn locate(&mut self, commit: CommitId) -> Result<InTree, Error> {
        let mut found: InTree = vec![None; self.sought.len()];
        for at in 0..self.trails.len() {
            let (path, trail) = &mut self.trails[at];
            let path = path.clone();
            let Some(entry) = self.ancestry.entry(commit, trail)? else {
                continue;
            };
            if self.take(&mut found, &path, BlobId::new(entry))? {
                self.trails[..=at].rotate_right(1);
            }
            if found.iter().all(Option::is_some) {
                return Ok(found);
            }
        }
        let root = self.ancestry.root(commit)?;
        let files = self.sketcher.files(root)?;
        for file in self.namesakes(&files) {
            let (path, blob) = (file.path.clone(), file.blob);
            if self.take(&mut found, &path, blob)? {
                self.add_path(path);
            }
            if found.iter().all(Option::is_some) {
                break;
            }
        }
        Ok(found)
    }

    /// Takes what a file has of what was not found yet; whether it had something.
    fn take(&mut self, found: &mut InTree, path: &RepoPath, blob: BlobId) -> Result<bool, Error> {
        let there = self.in_file(path, blob)?;
        let mut has_any = false;
        for (found, there) in found.iter_mut().zip(there.iter()) {
            if found.is_none() && there.is_some() {
                *found = there.clone();
                has_any = true;
            }
        }
        Ok(has_any)
    }

    /// Files of a tree that are called like one that is looked at, at other paths; the likest path first.
    fn namesakes(&self, files: &[File]) -> Vec<File> {
        let names: Vec<_> = self
            .trails
            .iter()
            .map(|(path, _)| path.file_name())
            .collect();
        let shared = |path: &RepoPath| {
            let ends = |known: &RepoPath| {
                let both = known.components().rev().zip(path.components().rev());
                both.take_while(|(a, b)| a == b).count()
            };
            self.trails.iter().map(|(known, _)| ends(known)).max()
        };
        let is_other = |file: &&File| {
            matches!(file.reading, Reading::Document(_))
                && names.contains(&file.path.file_name())
                && !self.trails.iter().any(|(known, _)| *known == file.path)
        };
        let mut all: Vec<File> = files.iter().filter(is_other).cloned().collect();
        all.sort_by_key(|file| std::cmp::Reverse(shared(&file.path)));
        all.truncate(MAX_NAMESAKES);
        all
    }

    fn in_file(&mut self, path: &RepoPath, blob: BlobId) -> Result<Rc<InTree>, Error> {
        let key = (path.clone(), blob);
        if let Some(known) = self.read.get(&key) {
            return Ok(known.clone());
        }
        let found = Rc::new(self.read_file(path, blob)?);
        self.read.insert(key, found.clone());
        Ok(found)
    }

    fn read_file(&mut self, path: &RepoPath, blob: BlobId) -> Result<InTree, Error> {
        let mut found: InTree = vec![None; self.sought.len()];
        let bytes: Arc<[u8]> = match self.ancestry.blob(blob) {
            Ok(bytes) if bytes.len() <= MAX_BYTES => bytes.into(),
            Err(err) if err.is_missing_object() => return Err(err.into()),
            // A directory, a submodule.
            _ => return Ok(found),
        };
        self.blobs += 1;
        for (at, found) in found.iter_mut().enumerate() {
            *found = self.verbatim(at, path, (blob, &bytes));
        }
        let mut open = found
            .iter()
            .zip(&self.sought)
            .filter(|(found, _)| found.is_none());
        let may_have = |sought: &Sought| {
            let mut names = sought.names();
            sought.class.is_none()
                || sought.paths.contains(path)
                || names.any(|name| memchr::memmem::find(&bytes, name).is_some())
        };
        if !open.any(|(_, sought)| may_have(sought)) {
            return Ok(found);
        }
        let content = Content {
            path: path.clone(),
            blob,
            bytes: bytes.to_vec(),
        };
        let few = self.engine.few(&[self.at_hand], vec![content.clone()])?;
        let files = std::iter::once(FileId(0)).filter(|_| !few.view.files().is_empty());
        let side = Side::of(&few.view, few.graph(), &mut self.texts, files);
        let contents = [content];
        for (at, found) in found.iter_mut().enumerate() {
            let sought = &self.sought[at];
            if found.is_some() {
                continue;
            }
            let located = match sought.class {
                None => whole_file(sought, path, blob, &bytes),
                Some(class) => pick(&side, sought, class, path).and_then(|(unit, body)| {
                    let held = held_of(&side, unit, &contents)?;
                    Some(Located {
                        symbol: side.reference(&mut self.texts, unit),
                        body: Rc::new(body),
                        held: held.without_bytes(),
                    })
                }),
            };
            *found = located.map(Rc::new);
            if let (Some(located), Some(_)) = (&*found, sought.class) {
                let samples = &mut self.samples[at];
                samples.insert(0, (bytes.clone(), located.clone()));
                samples.truncate(MAX_SAMPLES);
            }
        }
        Ok(found)
    }

    /// A version that is known already, where its lines stand in another file as they are.
    fn verbatim(
        &mut self,
        at: usize,
        path: &RepoPath,
        (blob, bytes): (BlobId, &Arc<[u8]>),
    ) -> Option<Rc<Located>> {
        let samples = &mut self.samples[at];
        let found = samples
            .iter()
            .enumerate()
            .find_map(|(number, (text, known))| {
                let lines = Lines::of(text, &known.held.span);
                let start = lines.find(text, bytes)?;
                Some((number, start, lines.range.start))
            });
        let (number, start, was) = found?;
        samples[..=number].rotate_right(1);
        let (text, known) = &samples[0];
        let span = &known.held.span;
        let start = start + (span.start as usize).checked_sub(was)?;
        let line = |text: &[u8], at: usize| memchr::memchr_iter(b'\n', &text[..at]).count() as i64;
        let down = line(bytes, start) - line(text, span.start as usize);
        let start = u32::try_from(start).ok()?;
        let moved = |line: u32| u32::try_from(i64::from(line) + down).unwrap_or(line);
        let symbol = known.symbol.as_ref().map(|symbol| SymbolRef {
            path: path.to_string(),
            start_line: moved(symbol.start_line),
            end_line: moved(symbol.end_line),
            id: symbol.qualified.id(&path.to_string(), symbol.kind, 1),
            ..symbol.clone()
        });
        Some(Rc::new(Located {
            held: Held {
                path: path.clone(),
                blob,
                span: start..start + (span.end - span.start),
                outer: None,
                ..known.held.clone()
            },
            symbol,
            body: known.body.clone(),
        }))
    }
}

/// The tokens of a definition with what stands before it and belongs to it, its own name left out.
pub fn body_of(side: &Side<'_>, unit: UnitId) -> Body {
    let lead = side.lead(unit);
    let name = OwnNames::one(side.own_name(unit));
    let before = Tokens::of(lead, &[], false);
    let end = u32::try_from(lead.len()).unwrap_or(u32::MAX);
    let mut tokens: Vec<u64> = masked(before.within(&(0..end)).iter(), name).collect();
    tokens.extend(side.masked(unit));
    Body::of(&tokens)
}

/// The tokens of a whole file.
pub fn body_of_file(bytes: &[u8]) -> Body {
    let tokens = Tokens::of(bytes, &[], false);
    let end = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    // No name is its own.
    let none = OwnNames::one(0);
    let tokens: Vec<u64> = masked(tokens.within(&(0..end)).iter(), none).collect();
    Body::of(&tokens)
}

fn whole_file(
    sought: &Sought,
    path: &RepoPath,
    blob: BlobId,
    bytes: &Arc<[u8]>,
) -> Option<Located> {
    let body = body_of_file(bytes);
    if !sought.paths.contains(path) && sought.likeness(&body) < MIN_SAME_FILE {
        return None;
    }
    Some(Located {
        held: Held {
            path: path.clone(),
            blob,
            bytes: Arc::default(),
            span: 0..u32::try_from(bytes.len()).ok()?,
            name: Vec::new(),
            kind: crate::extract::record::SymbolKind::Module,
            outer: None,
        },
        symbol: None,
        body: Rc::new(body),
    })
}

/// The name of a definition with those of its containers.
pub fn chain(side: &Side<'_>, unit: UnitId) -> Vec<u8> {
    let mut names: Vec<&[u8]> = side
        .around(unit)
        .map(|unit| &*side.unit(unit).name)
        .collect();
    names.reverse();
    names.join(&b'.')
}

/// The definition of a file that is the one that is looked for: of its name in its container, of its name and like
/// it, or of another name and so much like it that nothing else can be meant.
fn pick(side: &Side<'_>, sought: &Sought, class: Class, path: &RepoPath) -> Option<(UnitId, Body)> {
    let of_class = |unit: &UnitId| Class::of(side.unit(*unit).kind) == class;
    let all: Vec<UnitId> = side.ids().filter(of_class).collect();
    let names: Vec<&[u8]> = sought.names().collect();
    let named = |unit: &&UnitId| names.contains(&&*own(side, **unit));
    let best = |units: &mut dyn Iterator<Item = &UnitId>, least: f64| {
        let scored = units.map(|unit| {
            let body = body_of(side, *unit);
            (sought.likeness(&body), *unit, body)
        });
        let close = scored.filter(|(likeness, ..)| *likeness >= least);
        let best = close.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        best.map(|(_, unit, body)| (unit, body))
    };
    let in_place = |unit: &&UnitId| sought.chains.contains(&chain(side, **unit));
    let found = best(&mut all.iter().filter(in_place), 0.0)
        .or_else(|| best(&mut all.iter().filter(named), MIN_MOVED));
    let may_be_renamed = sought.paths.contains(path) && all.len() <= MAX_COMPARED;
    if found.is_some() || !may_be_renamed || all.iter().any(|unit| named(&unit)) {
        return found;
    }
    best(&mut all.iter(), MIN_RENAMED)
}
