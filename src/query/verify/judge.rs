//! What became of one citation; what citations have in common is worked out once.

use super::answer::{Fate, Modified, Place, Removal, Verdict};
use super::citation::{Citation, Cited, Part};
use super::contents::Contents;
use super::definitions;
use super::elsewhere::{self, AllLines};
use super::text::{Text, Traced};
use super::trail::{Trail, Way};
use crate::extract::record::Lines;
use crate::git::{self, RepoPath, history};
use crate::id::{BlobId, CommitId, FileId};
use crate::query::Error;
use crate::query::diff::lines::LineMap;
use crate::query::engine::few::{Content, Few};
use crate::query::engine::{Engine, Pinned};
use crate::query::history::commits;
use crate::query::ids::ParsedId;
use crate::view::live::View;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

const NO_CITATION: &str = "no citation; write path:start-end@COMMIT";
const NO_COMMIT: &str = "names no commit; write @COMMIT behind it, or say where it is from";
const NO_SUCH_COMMIT: &str = "no such commit in this clone";
const AMBIGUOUS: &str = "several commits begin so; write more of it";
const NOT_HERE: &str = "its content is not in this partial clone";
const TOO_LONG: &str = "its file is too long to be compared";

/// A commit and whether it is what the cited one became, or why it is none.
type Resolved = Result<(CommitId, bool), String>;

/// Why nothing more is asked about a citation.
enum Stop {
    NeverWas(String),
    Unknown(String),
    Failed(Error),
}

impl From<git::Error> for Stop {
    fn from(err: git::Error) -> Self {
        match err.is_missing_object() {
            true => unknown(NOT_HERE),
            false => Self::Failed(err.into()),
        }
    }
}

impl From<Error> for Stop {
    fn from(err: Error) -> Self {
        Self::Failed(err)
    }
}

fn unknown(why: &str) -> Stop {
    Stop::Unknown(why.to_owned())
}

/// What is worked out for the citations of one question.
pub struct Judge<'a> {
    engine: &'a Engine,
    view: &'a View,
    /// All that are asked about.
    citations: &'a [Citation],
    from: Option<CommitId>,
    contents: Contents<'a>,
    trail: Trail<'a>,
    commits: FxHashMap<String, Resolved>,
    /// Cited files as states of their own.
    alone: FxHashMap<(RepoPath, BlobId), Rc<Few>>,
    lines: Option<Rc<AllLines>>,
}

/// A cited file, found at its commit.
struct Cite<'c> {
    from: CommitId,
    path: &'c RepoPath,
    blob: BlobId,
    text: Rc<Text>,
    /// The id, where a definition is cited.
    id: Option<ParsedId<'c>>,
}

impl<'a> Judge<'a> {
    /// Starts with nothing known. `from` is the commit of citations that name none. Fails as [`Trail::new`] does.
    pub fn new(
        engine: &'a Engine,
        pinned: &'a Pinned,
        citations: &'a [Citation],
        from: Option<CommitId>,
    ) -> Result<Self, Error> {
        let (repo, view) = (engine.repo(), pinned.view());
        Ok(Self {
            engine,
            view,
            citations,
            from,
            contents: Contents::new(repo, view),
            trail: Trail::new(repo, pinned.stamp.commit, commits::names(repo, view))?,
            commits: FxHashMap::default(),
            alone: FxHashMap::default(),
            lines: None,
        })
    }

    /// Whether lines were looked for in some of the files only.
    pub fn is_partial(&self) -> bool {
        self.lines.as_ref().is_some_and(|lines| lines.is_partial)
    }

    /// What became of a citation. Fails when the repository cannot be read; that something is not in it is no failure.
    pub fn verdict(&mut self, citation: &Citation) -> Result<Verdict, Error> {
        let mut from = None;
        let fate = match self.told(citation, &mut from) {
            Ok(fate) => fate,
            // What was there then is not known.
            Err(Stop::NeverWas(why)) if from.is_some_and(|(_, is_rewritten)| is_rewritten) => {
                Fate::Unknown(why)
            }
            Err(Stop::NeverWas(why)) => Fate::NeverWas(why),
            Err(Stop::Unknown(why)) => Fate::Unknown(why),
            Err(Stop::Failed(err)) => return Err(err),
        };
        Ok(Verdict {
            text: citation.text.clone(),
            from: from.map(|(commit, _)| commit),
            is_rewritten: from.is_some_and(|(_, is_rewritten)| is_rewritten),
            fate,
        })
    }

    fn told(
        &mut self,
        citation: &Citation,
        from: &mut Option<(CommitId, bool)>,
    ) -> Result<Fate, Stop> {
        let cited = citation.cited.as_ref();
        let cited = cited.ok_or_else(|| unknown(NO_CITATION))?;
        let commit = self.commit_of(cited)?;
        *from = Some(commit);
        self.fate(cited, commit.0)
    }

    fn commit_of(&mut self, cited: &Cited) -> Result<(CommitId, bool), Stop> {
        match &cited.rev {
            Some(rev) => self.commit(rev)?.map_err(Stop::Unknown),
            None => Ok((self.from.ok_or_else(|| unknown(NO_COMMIT))?, false)),
        }
    }

    /// The lines of a citation in their text, where that can be told.
    fn lines_of(&mut self, citation: &Citation) -> Option<(Rc<Text>, Lines)> {
        let cited = citation.cited.as_ref()?;
        let (from, _) = self.commit_of(cited).ok()?;
        let id = id_of(&cited.part);
        let (cite, lines) = self.cite(cited, from, id.as_deref()).ok()?;
        Some((cite.text, lines?))
    }

    /// Where the lines of all citations stand in all files.
    fn all_lines(&mut self) -> Rc<AllLines> {
        if let Some(known) = &self.lines {
            return known.clone();
        }
        let mut sought = FxHashSet::default();
        for citation in self.citations {
            if let Some((text, lines)) = self.lines_of(citation) {
                sought.extend(elsewhere::hashes(&text, lines).map(|(_, hash)| hash));
            }
        }
        let all = Rc::new(AllLines::of(self.engine.repo(), self.view, &sought));
        self.lines.insert(all).clone()
    }

    fn commit(&mut self, rev: &str) -> Result<Resolved, Stop> {
        if let Some(known) = self.commits.get(rev) {
            return Ok(known.clone());
        }
        let repo = self.engine.repo();
        let resolved = repo.resolve(rev);
        let became = match &resolved {
            Err(git::Error::Rewritten { .. }) => self.trail.became(rev)?,
            _ => None,
        };
        let resolved = match (became, resolved) {
            (Some(new), _) => Ok((new, true)),
            (None, resolved) => resolved.map(|commit| (commit, false)),
        };
        let resolved = resolved.map_err(|err| match err {
            git::Error::UnknownRevision(_) => {
                let ends = history::boundary(repo).unwrap_or_default();
                let end = ends.first().map(CommitId::short);
                let end = end.map(|end| format!(", whose history ends at {end}"));
                format!("{NO_SUCH_COMMIT}{}", end.unwrap_or_default())
            }
            git::Error::AmbiguousRevision(_) => AMBIGUOUS.to_owned(),
            err => err.to_string(),
        });
        self.commits.insert(rev.to_owned(), resolved.clone());
        Ok(resolved)
    }

    fn text(&mut self, blob: BlobId) -> Result<Rc<Text>, Stop> {
        self.contents.text(blob)?.ok_or_else(|| unknown(TOO_LONG))
    }

    fn map(&mut self, old: BlobId, new: BlobId) -> Result<Rc<LineMap>, Stop> {
        let map = self.contents.map(old, new)?;
        map.ok_or_else(|| unknown(TOO_LONG))
    }

    /// Finds what is cited, in its file as it was: the lines, unless it is the whole file.
    fn cite<'c>(
        &mut self,
        cited: &'c Cited,
        from: CommitId,
        id: Option<&'c str>,
    ) -> Result<(Cite<'c>, Option<Lines>), Stop> {
        let at = from.short();
        let blob = self.trail.blob(from, &cited.path)?;
        let blob = blob.ok_or_else(|| Stop::NeverWas(format!("no such file at {at}")))?;
        if let Some(hex) = &cited.blob
            && !blob.to_string().starts_with(&hex.to_ascii_lowercase())
        {
            let is = blob.short();
            return Err(Stop::NeverWas(format!("its file is the blob {is} at {at}")));
        }
        let cite = Cite {
            from,
            path: &cited.path,
            blob,
            text: self.text(blob)?,
            id: id.and_then(ParsedId::parse),
        };
        let lines = match (&cited.part, &cite.id) {
            (Part::Lines(lines), _) => {
                let count = cite.text.len();
                if lines.last > count {
                    return Err(Stop::NeverWas(format!(
                        "its file has {count} lines at {at}"
                    )));
                }
                Some(*lines)
            }
            (Part::Symbol(_), Some(id)) => {
                let found = self.definition(&cite, id)?;
                let found = found.ok_or_else(|| Stop::NeverWas(format!("not defined at {at}")));
                Some(found?)
            }
            _ => None,
        };
        Ok((cite, lines))
    }

    fn fate(&mut self, cited: &Cited, from: CommitId) -> Result<Fate, Stop> {
        let id = id_of(&cited.part);
        let (cite, lines) = self.cite(cited, from, id.as_deref())?;
        let view = self.view;
        let is_here = |path: &RepoPath| {
            let file = view.file_at(path.as_bytes());
            file.is_some_and(|file| view.file(file).mode.is_file())
        };
        let (trail, contents) = (&mut self.trail, &mut self.contents);
        let way = trail.follow(contents, from, cite.path, &is_here)?;
        let last = way.names.last().filter(|_| way.gone.is_none());
        let file = last.and_then(|path| view.file_at(path.as_bytes()));
        match (lines, file) {
            (None, Some(file)) => self.whole(&cite, file),
            (None, None) => Ok(Fate::Deleted(gone(&way))),
            (Some(lines), Some(file)) => self.in_file(&cite, lines, file, &way),
            (Some(lines), None) => match self.elsewhere(&cite, lines)? {
                Some((file, now)) => self.found(&cite, lines, file, now),
                None => self.removed(&cite, lines, &way),
            },
        }
    }

    /// The lines of a definition in its file as it was.
    fn definition(&mut self, cite: &Cite<'_>, id: &ParsedId<'_>) -> Result<Option<Lines>, Stop> {
        let key = (cite.path.clone(), cite.blob);
        let few = match self.alone.get(&key) {
            Some(known) => known.clone(),
            None => {
                let file = Content {
                    path: cite.path.clone(),
                    blob: cite.blob,
                    bytes: cite.text.bytes().to_vec(),
                };
                let few = Rc::new(self.engine.few(&[self.view], vec![file])?);
                self.alone.insert(key, few.clone());
                few
            }
        };
        let file = few.view.file_at(cite.path.as_bytes());
        Ok(file.and_then(|file| definitions::lines_of(&few.view, file, id)))
    }

    fn place(&self, file: FileId, lines: Option<Lines>, is_named: bool) -> Place {
        let file = self.view.file(file);
        Place {
            path: file.path.clone(),
            lines,
            blob: file.blob,
            is_named,
            is_dirty: file.dirty,
        }
    }

    fn whole(&mut self, cite: &Cite<'_>, file: FileId) -> Result<Fate, Stop> {
        let now = self.view.file(file).blob;
        let place = self.place(file, None, false);
        if now == cite.blob {
            return Ok(match place.path == *cite.path {
                true => Fate::Unchanged(place),
                false => Fate::Moved(place),
            });
        }
        let (map, is) = (self.map(cite.blob, now)?, self.text(now)?);
        Ok(modified(place, &map, cite.text.len(), 1, is.len()))
    }

    /// What stands at some lines of a file now, compared with what was cited.
    fn found(
        &mut self,
        cite: &Cite<'_>,
        was: Lines,
        file: FileId,
        now: Lines,
    ) -> Result<Fate, Stop> {
        let is = self.text(self.view.file(file).blob)?;
        let now = Lines {
            last: now.last.min(is.len()),
            ..now
        };
        let id = cite.id.as_ref();
        let named = id.and_then(|id| definitions::lines_of(self.view, file, id));
        let is_named = named == Some(now);
        let place = self.place(file, Some(now), is_named);
        let (old, new) = (cite.text.cut(was), is.cut(now));
        if old == new {
            // A definition is cited by its name, wherever in its file it stands.
            let is_same = place.path == *cite.path && (is_named || was == now);
            return Ok(match is_same {
                true => Fate::Unchanged(place),
                false => Fate::Moved(place),
            });
        }
        // The last of the lines ends as the others do.
        let ended = |lines: &[u8]| [lines, b"\n"].concat();
        let map = LineMap::of(&ended(old), &ended(new));
        let of = was.last - was.first + 1;
        Ok(modified(
            place,
            &map,
            of,
            now.first,
            now.last + 1 - now.first,
        ))
    }

    fn in_file(
        &mut self,
        cite: &Cite<'_>,
        was: Lines,
        file: FileId,
        way: &Way,
    ) -> Result<Fate, Stop> {
        let id = cite.id.as_ref();
        if let Some(now) = id.and_then(|id| definitions::lines_of(self.view, file, id)) {
            return self.found(cite, was, file, now);
        }
        let blob = self.view.file(file).blob;
        if blob == cite.blob {
            return self.found(cite, was, file, was);
        }
        let (map, is) = (self.map(cite.blob, blob)?, self.text(blob)?);
        let traced = Traced::of(&map, &cite.text, was);
        // A comparison follows the order of lines: what changed places is to be looked for.
        let moved = || {
            let cited = cite.text.cut(was);
            let stays = is.len() >= was.last && is.cut(was) == cited;
            let once = || cite.text.only(cited).and_then(|_| is.only(cited));
            if stays { Some(was) } else { once() }
        };
        let edited = || traced.region.filter(|_| traced.is_there);
        if let Some(now) = traced.whole.or_else(moved).or_else(edited) {
            return self.found(cite, was, file, now);
        }
        if let Some((file, now)) = self.elsewhere(cite, was)? {
            return self.found(cite, was, file, now);
        }
        let like = traced
            .region
            .filter(|now| cite.text.is_like(was, &is, *now));
        match like {
            Some(now) => self.found(cite, was, file, now),
            None => self.removed(cite, was, way),
        }
    }

    fn removed(&mut self, cite: &Cite<'_>, was: Lines, way: &Way) -> Result<Fate, Stop> {
        let contents = &mut self.contents;
        let telling = cite.text.telling(was);
        let mut holds = |blob: BlobId| {
            if blob != cite.blob && !contents.has_any(blob, &cite.text, &telling)? {
                return Ok(false);
            }
            let map = contents.map(cite.blob, blob)?;
            Ok(map.is_some_and(|map| Traced::of(&map, &cite.text, was).is_there))
        };
        let trail = &mut self.trail;
        let removal = trail.removed(cite.from, &way.names, &mut holds)?;
        Ok(Fate::Deleted(removal))
    }

    /// Looks for lines in all files.
    fn elsewhere(
        &mut self,
        cite: &Cite<'_>,
        lines: Lines,
    ) -> Result<Option<(FileId, Lines)>, Stop> {
        let all = self.all_lines();
        let (view, trail, contents) = (self.view, &mut self.trail, &mut self.contents);
        let mut was_there = |file: FileId, hash: u64| {
            let path = &view.file(file).path;
            // Within its own file it was where it is cited.
            if path == cite.path {
                return Ok(false);
            }
            match trail.blob(cite.from, path)? {
                Some(blob) => Ok(contents.line_set(blob)?.has(hash)),
                None => Ok(false),
            }
        };
        Ok(all.find(&cite.text, lines, &mut was_there)?)
    }
}

/// The id of a definition that is cited.
fn id_of(part: &Part) -> Option<String> {
    match part {
        Part::Symbol(rest) => Some(format!("x::{rest}")),
        Part::Whole | Part::Lines(_) => None,
    }
}

fn gone(way: &Way) -> Removal {
    let gone = way.gone.clone();
    gone.unwrap_or(Removal::Untold("it is no file any more"))
}

/// A place of which the text has changed: `count` lines from `first` on, of which `map` says what is new.
fn modified(place: Place, map: &LineMap, of: u32, first: u32, count: u32) -> Fate {
    let removed = map.counts().1 as u32;
    let new = (1..=count).filter(|line| map.is_new(*line));
    Fate::Modified(Modified {
        place,
        kept: of.saturating_sub(removed),
        of,
        changed: runs(new.map(|line| line + first - 1)),
    })
}

/// Rising numbers as runs.
fn runs(numbers: impl Iterator<Item = u32>) -> Vec<Lines> {
    let mut runs: Vec<Lines> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(run) if run.last + 1 == number => run.last = number,
            _ => runs.push(Lines {
                first: number,
                last: number,
            }),
        }
    }
    runs
}
