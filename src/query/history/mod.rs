//! `history`: what became of something along history, newest first.
//!
//! The way back is the ancestry of one commit and nothing else, so an answer at an old commit is that of a clone that
//! ends there. [`ancestry`] walks along one path; [`files`] says what became of a file or a directory, [`follow`] of a
//! definition, with one [`step`] of a comparison (of the files that a commit [`changed`]) where its lines are not the same in both ([`verbatim`]).
//! [`learnt`] and [`steps`] keep what walks found for the next question; [`commits`] reads what is said of the commits that are shown.
//!
//! What holds in a tree or not has no versions, but times ([`since`]): an [`edge`] between two [`ends`] is looked for in
//! sketches of trees, of which only the files that can tell are read, and only where what tells ([`telling`]) of them is
//! another. [`bisect`] halves where trees take long ([`reach`]) and is not asked twice ([`told`]), [`gone`] looks for names that are no more, [`lines`] for
//! lines.
//!
//! [`why`] orders versions by what their commits tell, beside the [`decisions`] that are linked to them.
//!
//! [`tags`] asks the other way round: which releases hold a version, or are on which side of a change.
//!
//! Guarantees: what is told is a pure function of the request, the commit and its ancestors (and uncommitted files, for
//! the work tree); the log of commits only says where to look, and what it says is checked. Deliberately absent:
//! the text of the differences, which git shows.

pub mod ancestry;
pub mod answer;
pub mod asked;
mod bisect;
pub mod changed;
pub mod commits;
pub mod decisions;
mod edge;
mod edges;
mod ends;
pub mod files;
mod first;
pub mod follow;
mod gone;
pub mod learnt;
mod lines;
mod reach;
mod region;
pub mod request;
pub mod since;
pub mod step;
pub mod steps;
mod subject;
pub mod tags;
mod telling;
pub mod told;
mod verbatim;
mod watch;
pub mod who;
mod why;

use super::Error;
use super::engine::{Engine, Pinned, parse_target};
use super::question::{self, Question, warned};
use super::recall::related::Shown;
use super::request::{Mode, Revision};
use crate::git::rewritten::Rewritten;
use crate::store::Progress;
use answer::HistoryAnswer;
use asked::Asked;
use decisions::Thing;
use follow::Past;
use request::{Bounds, HistoryRequest, Wanted};

/// What helps where nothing was found.
const NOT_THERE: &str = "TARGET@REV asks at a revision that has it";

warned!(HistoryAnswer, stamp.warnings);

impl Question for HistoryRequest {
    type Pin = Pinned;
    type Answer = HistoryAnswer;

    fn check(&self) -> Result<(), Error> {
        question::argument("target", &self.target)?;
        question::argument("date", self.since.as_deref().unwrap_or_default())?;
        question::argument("date", self.until.as_deref().unwrap_or_default())?;
        match self.mode {
            Mode::Ranked => {
                Asked::read(&self.target)?;
            }
            Mode::Text | Mode::Regex if self.target.is_empty() => return Err(Error::EmptyQuery),
            Mode::Text | Mode::Regex => {}
        }
        question::revision(&self.at)
    }

    fn target_at(&mut self) -> Option<(&mut String, &mut Revision)> {
        // In a text everything may stand.
        (self.mode == Mode::Ranked).then_some((&mut self.target, &mut self.at))
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pinned, Error> {
        engine.pin(&self.at, progress)
    }

    fn answer(
        &self,
        engine: &Engine,
        pinned: &Pinned,
        progress: &dyn Progress,
    ) -> Result<HistoryAnswer, Error> {
        let bounds = Bounds::read(engine.repo(), self)?;
        let mut answer = HistoryAnswer {
            stamp: pinned.stamp.clone(),
            target: self.target.clone(),
            offset: self.offset,
            ..HistoryAnswer::default()
        };
        let asked = match self.mode {
            Mode::Ranked => Some(Asked::read(&self.target)?),
            Mode::Text | Mode::Regex => None,
        };
        let is_paged = matches!(asked, Some(Asked::Thing(_))) && !self.why && !self.first;
        let wanted = Wanted {
            bounds,
            count: match is_paged {
                true => self.offset.saturating_add(self.limit),
                false => usize::MAX,
            },
        };
        let mut past = match asked {
            None => lines::past(engine, pinned, self, &bounds, progress, &mut answer)?,
            Some(asked) => self.of(asked, engine, pinned, wanted, progress, &mut answer)?,
        };
        if answer.subject.is_empty() {
            past.end.get_or_insert_with(|| NOT_THERE.to_owned());
        }
        if self.first {
            first::ends(engine.repo(), &answer.now, &mut past)?;
        }
        page(past, self, &wanted, (engine, pinned), &mut answer)?;
        Ok(answer)
    }

    fn remind(engine: &Engine, pinned: &Pinned, answer: &mut HistoryAnswer) {
        let Some((path, symbol)) = answer.shown.clone() else {
            return;
        };
        let shown = Shown {
            path: &path,
            symbol: symbol.as_deref(),
        };
        let shown = std::iter::once(shown);
        answer.memories = engine.notes(pinned, false, shown, &mut answer.stamp.warnings);
    }
}

impl HistoryRequest {
    /// The past of a thing, or of something that holds between things.
    fn of(
        &self,
        asked: Asked<'_>,
        engine: &Engine,
        pinned: &Pinned,
        wanted: Wanted,
        progress: &dyn Progress,
        answer: &mut HistoryAnswer,
    ) -> Result<Past, Error> {
        match asked {
            Asked::Thing(target) => subject::past(engine, pinned, target, wanted, progress, answer),
            Asked::Edge(from, to) => edges::past(engine, pinned, (from, to), progress, answer),
            Asked::Way(from, to) => edges::ways(engine, pinned, (from, Some(to)), progress, answer),
            Asked::Cycle(file) => edges::ways(engine, pinned, (file, None), progress, answer),
        }
    }
}

/// Reads the commits of the versions that are shown. Fails when they cannot be read.
fn page(
    past: Past,
    request: &HistoryRequest,
    wanted: &Wanted,
    (engine, pinned): (&Engine, &Pinned),
    answer: &mut HistoryAnswer,
) -> Result<(), Error> {
    let mut objects = engine.repo().objects();
    let names = commits::names(engine.repo(), pinned.view());
    let rewritten = Rewritten::of(engine.repo());
    let mut admitted = wanted.of(past.versions);
    if request.why {
        let shown = answer.shown.clone();
        let (path, id) = shown.map_or((None, None), |(path, id)| (Some(path), id));
        let id = id.and_then(|id| parse_target(&id).ok());
        let id = id.as_ref().and_then(|target| target.ids().next());
        let thing = Thing {
            path: path.as_deref(),
            name: id.as_ref().map(|id| id.name()),
        };
        let here = (pinned.view(), &mut *engine.texts());
        answer.decisions = decisions::linked(&mut objects, here, &thing, &admitted)?;
        admitted = why::order(&mut objects, &rewritten, admitted)?;
    }
    answer.has_more = admitted.len() > wanted.count;
    admitted.truncate(wanted.count);
    answer.total = admitted.len();
    answer.end = past.end.filter(|_| !answer.has_more);
    let page = admitted.into_iter().skip(request.offset);
    for found in page.take(request.limit) {
        let line = found.commit.map(|(id, _)| {
            let mut line = commits::line(&mut objects, id, &names)?;
            line.squashed = commits::squashed(&mut objects, &rewritten, id)?;
            Ok::<_, Error>(line)
        });
        answer.versions.push(found.of_commit(line.transpose()?));
    }
    Ok(())
}
