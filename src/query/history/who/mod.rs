//! `history --who`: who knows something, how often it changes and is mended, and what it changes with.
//!
//! Changes are the versions that `history` tells; lines are those that stand, each credited to the commit it is from
//! ([`blame`]); people go by the name that the `.mailmap` of the tree gives them ([`people`]), and their addresses are
//! told when they are asked for. What changes with it ([`companions`]) is known of files and folders.
//!
//! Guarantees: as those of `history`. Time is that of the commit that is asked about, not of a clock.

mod blame;
mod companions;
mod people;

use super::ancestry::Ancestry;
use super::answer::HistoryAnswer;
use super::asked::Asked;
use super::request::Wanted;
use super::subject;
use crate::git::history;
use crate::id::{BlobId, CommitId};
use crate::query::Error;
use crate::query::churn::{Churn, YEAR_DAYS};
use crate::query::diff::lines::LineMap;
use crate::query::engine::{Engine, Pinned};
use crate::query::history::commits;
use crate::query::ids::DocSymbols;
use crate::query::question::{self, Question, warned};
use crate::query::request::Revision;
use crate::query::state::Stamp;
use crate::query::target_matches::What;
use crate::store::Progress;
use crate::view::live::{FileId, View};
pub use companions::Companion;
use people::People;
pub use people::Person;
use rustc_hash::FxHashSet;

/// A day in seconds.
const DAY: i64 = 86_400;

/// `history --who`: who knows something.
#[derive(Clone, Debug, Default)]
pub struct WhoRequest {
    /// A name, a symbol id, a place, a path.
    pub target: String,
    /// Whether addresses are told.
    pub with_mails: bool,
    /// State of the repository.
    pub at: Revision,
    /// How many of the first people to leave out.
    pub offset: usize,
    /// Most people to return.
    pub limit: usize,
}

/// Who knows something.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WhoAnswer {
    /// The state spoken from.
    pub stamp: Stamp,
    /// What was asked about.
    pub target: String,
    /// What was followed, in words; empty where there is no such thing.
    pub subject: String,
    /// Other definitions of the name, by id.
    pub also: Vec<String>,
    /// Lines that stand; `None` where they are not counted.
    pub lines: Option<usize>,
    /// How many of these are not committed.
    pub uncommitted: usize,
    /// How many are older than what was read.
    pub unknown: usize,
    /// Commits that changed it, merges apart.
    pub changes: usize,
    /// How many of these mend something.
    pub fixes: usize,
    /// How many are of the year before the commit that is asked about.
    pub lately: usize,
    /// How many are of the year before that; `None` where history does not reach back so far.
    pub before: Option<usize>,
    /// People: those of the page.
    pub people: Vec<Person>,
    /// How many come before them.
    pub offset: usize,
    /// How many there are.
    pub total: usize,
    /// What changes with it.
    pub companions: Vec<Companion>,
    /// Where history ends before its beginning, or where what was not found may be.
    pub end: Option<String>,
}

warned!(WhoAnswer, stamp.warnings);

/// What of a view is asked about.
enum Extent {
    /// A file, or lines of it.
    File(FileId, Option<(u32, u32)>),
    /// A folder; empty for the root.
    Folder(Vec<u8>),
    /// What is no more, or never was.
    Nothing,
}

impl Question for WhoRequest {
    type Pin = Pinned;
    type Answer = WhoAnswer;

    fn check(&self) -> Result<(), Error> {
        question::argument("target", &self.target)?;
        question::revision(&self.at)?;
        match Asked::read(&self.target)? {
            Asked::Thing(_) => Ok(()),
            _ => Err(Error::NobodyOf(self.target.clone())),
        }
    }

    fn target_at(&mut self) -> Option<(&mut String, &mut Revision)> {
        Some((&mut self.target, &mut self.at))
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pinned, Error> {
        engine.pin(&self.at, progress)
    }

    fn answer(
        &self,
        engine: &Engine,
        pinned: &Pinned,
        progress: &dyn Progress,
    ) -> Result<WhoAnswer, Error> {
        let mut answer = WhoAnswer {
            stamp: pinned.stamp.clone(),
            target: self.target.clone(),
            offset: self.offset,
            ..WhoAnswer::default()
        };
        let Some(commit) = pinned.stamp.commit else {
            answer.end = Some("there are no commits".to_owned());
            return Ok(answer);
        };
        let mut told = HistoryAnswer::default();
        let past = subject::past(
            engine,
            pinned,
            &self.target,
            Wanted::ALL,
            progress,
            &mut told,
        )?;
        (answer.subject, answer.also) = (told.subject, told.also);
        if answer.subject.is_empty() {
            answer.end = past.end.or_else(|| Some(super::NOT_THERE.to_owned()));
            return Ok(answer);
        }
        answer.end = past.end;
        let view = pinned.view();
        let extent = extent(engine, pinned, &self.target)?;
        let window = engine.window(Some(commit), progress)?;
        let churn = Churn::of(&window);
        let mut ancestry = Ancestry::new(engine.repo(), window.clone())?;
        let mut objects = engine.repo().objects();
        let mut people = People::new(&mut objects, commits::names(engine.repo(), view));
        if let Extent::File(file, lines) = extent {
            let path = view.file(file).path.as_bytes();
            answer.companions = companions::of_file(view, &window, path);
            let found = lines_of(&mut ancestry, view, (commit, file, lines), progress)?;
            answer.lines = Some(found.total);
            answer.uncommitted = found.uncommitted;
            answer.unknown = found.blame.unknown;
            for (id, lines) in found.blame.commits {
                people.wrote(id, lines)?;
            }
        }
        if let Extent::Folder(folder) = &extent
            && !folder.is_empty()
        {
            answer.companions = companions::of_folder(view, &churn, folder);
        }
        let now = history::commit_date(engine.repo(), commit)?;
        let (year, two) = (now - YEAR_DAYS * DAY, now - 2 * YEAR_DAYS * DAY);
        let mut seen: FxHashSet<CommitId> = FxHashSet::default();
        let (mut before, mut oldest) = (0, now);
        // A merge is nobody's work on it; what one came to that no side had shows in the lines.
        let written = past.versions.iter().filter(|version| !version.is_merge);
        for (id, date) in written.filter_map(|version| version.commit) {
            if !seen.insert(id) {
                continue;
            }
            let made = people.changed(id)?;
            oldest = oldest.min(date);
            answer.changes += 1;
            answer.fixes += usize::from(made.is_fix);
            answer.lately += usize::from(date > year);
            before += usize::from(date <= year && date > two);
        }
        answer.before = (answer.end.is_none() || oldest <= two).then_some(before);
        let all = people.most_first(answer.lines.is_some(), self.with_mails);
        answer.total = all.len();
        let page = all.into_iter().skip(self.offset).take(self.limit);
        answer.people = page.collect();
        Ok(answer)
    }
}

/// What of the view a target means.
fn extent(engine: &Engine, pinned: &Pinned, target: &str) -> Result<Extent, Error> {
    let view = pinned.view();
    let meant = subject::meant(engine, pinned, target)?;
    Ok(match meant.what {
        What::Files(files) => match files.first() {
            Some(file) => Extent::File(*file, None),
            None => Extent::Nothing,
        },
        What::Passage(passage) => Extent::File(passage.file, None),
        What::Folder(folder) => Extent::Folder(folder.path),
        What::Definitions(found) => {
            let first = found.iter().find(|found| found.matched.is_exact());
            let lines = first.and_then(|first| {
                let segment = &view.segment(first.doc.segment).segment;
                let symbols = DocSymbols::load(segment, first.doc.doc);
                let symbol = symbols.get(first.index)?;
                Some((first.file, (symbol.start_line, symbol.end_line)))
            });
            match lines {
                Some((file, lines)) => Extent::File(file, Some(lines)),
                None => Extent::Nothing,
            }
        }
    })
}

/// The lines of a file with where they are from.
struct Lines {
    total: usize,
    uncommitted: usize,
    blame: blame::Blame,
}

fn lines_of(
    ancestry: &mut Ancestry,
    view: &View,
    (commit, file, lines): (CommitId, FileId, Option<(u32, u32)>),
    progress: &dyn Progress,
) -> Result<Lines, Error> {
    let of = view.file(file);
    let text = match view.content(of.blob) {
        Some(content) => content.to_vec(),
        None => ancestry.blob(of.blob)?,
    };
    let ends = text.iter().filter(|byte| **byte == b'\n').count();
    let all = ends + usize::from(text.last().is_some_and(|last| *last != b'\n'));
    let all = u32::try_from(all).unwrap_or(u32::MAX);
    let (first, last) = lines.unwrap_or((1, all));
    let mut wanted: Vec<u32> = (first..=last.min(all)).collect();
    let total = wanted.len();
    let committed = ancestry.standing(commit, &of.path)?;
    let Some(committed) = committed.map(BlobId::new) else {
        return Ok(Lines {
            total,
            uncommitted: total,
            blame: blame::Blame::default(),
        });
    };
    if committed != of.blob {
        let map = LineMap::of(&text, &ancestry.blob(committed)?);
        wanted = wanted
            .into_iter()
            .filter_map(|line| map.new_line(line))
            .collect();
    }
    Ok(Lines {
        total,
        uncommitted: total - wanted.len(),
        blame: blame::blame(
            ancestry,
            (commit, of.path.clone(), committed),
            wanted,
            progress,
        )?,
    })
}
