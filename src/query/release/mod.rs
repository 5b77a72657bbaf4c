//! `map` of a range: what a release added, removed and broke, as release notes are written.
//!
//! Two states are compared as [`diff`](super::diff) compares them, in the files alone through which others reach
//! anything in either ([`offered`]); [`notes`] says what that means for others, by the rules of the language. Beside
//! it: folders and ways into the program that are new or gone, and new import cycles.
//!
//! Deliberately absent: what changed in bodies, which is counted; versions of dependencies, which no document knows.

pub mod answer;
mod entries;
mod folders;
mod heads;
mod kept;
pub mod notes;
pub mod offered;

use super::Error;
use super::diff::files;
use super::diff::range::Range;
use super::diff::{Comparison, Pair};
use super::engine::Engine;
use super::gate;
use super::inventory::Inventory;
use super::question::{self, Question, warned};
use super::request::{MapRequest, MapView, Revision, Scope};
use super::scope::Filter;
use crate::store::Progress;
use crate::view::live::FileId;
use answer::ReleaseAnswer;
use offered::Offered;

warned!(ReleaseAnswer, stamp.warnings);

/// `map --at A..B`: what came between two revisions.
#[derive(Clone, Debug, Default)]
pub struct ReleaseRequest {
    /// `A..B`, or `A...B` for what came since `B` left `A`.
    pub range: String,
    /// Where to look.
    pub scope: Scope,
    /// What else was asked for and means nothing of a range.
    beside: Option<&'static str>,
}

impl ReleaseRequest {
    /// The question, when the revision of a map is a range.
    pub fn of(map: &MapRequest) -> Option<Self> {
        let Revision::At(range) = &map.at else {
            return None;
        };
        let beside = match (&map.task, map.view) {
            (Some(_), _) => Some("task"),
            (None, MapView::Entries) => Some("view"),
            (None, MapView::Overview) => None,
        };
        range.contains("..").then(|| Self {
            range: range.clone(),
            scope: map.scope.clone(),
            beside,
        })
    }
}

impl Question for ReleaseRequest {
    type Pin = Pair;
    type Answer = ReleaseAnswer;

    fn check(&self) -> Result<(), Error> {
        question::argument("range", &self.range)?;
        question::place(&self.scope, &Revision::WorkTree)?;
        let range = Range::parse(&self.range);
        let ends = self.range.split("..").filter(|end| *end != ".").count();
        if range.base.is_none() || ends > 2 {
            return Err(Error::BadRange(self.range.clone()));
        }
        match self.beside {
            Some(what) => Err(Error::NotOfRange(what)),
            None => Ok(()),
        }
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pair, Error> {
        let range = Range::parse(&self.range);
        let head = engine.pin_whole(&range.head, progress)?;
        let (commit, dirty) = (head.stamp.commit, head.stamp.dirty > 0);
        let (baseline, note) = range.baseline(engine.repo(), commit, dirty)?;
        let base = match baseline.commit {
            Some(commit) => engine.pin(&Revision::At(commit.to_string()), progress)?,
            None => super::engine::Pinned::empty(),
        };
        Ok(Pair {
            base,
            head,
            commit: baseline.commit.map(|commit| commit.short()),
            chosen: baseline.chosen,
            note,
        })
    }

    fn answer(
        &self,
        engine: &Engine,
        pair: &Pair,
        _progress: &dyn Progress,
    ) -> Result<ReleaseAnswer, Error> {
        let filter = Filter::new(&self.scope)?;
        let mut answer = ReleaseAnswer {
            stamp: pair.head.stamp.clone(),
            base: pair.commit.clone(),
            chosen: pair.chosen.clone(),
            head: match Range::parse(&self.range).head {
                Revision::At(rev) => rev,
                Revision::WorkTree => String::new(),
            },
            ..ReleaseAnswer::default()
        };
        answer.stamp.warnings.extend(pair.note.clone());
        let (before, after) = (&pair.base.stamp, &pair.head.stamp);
        answer.is_same = before.commit == after.commit && after.dirty == 0;
        if answer.is_same {
            return Ok(answer);
        }
        if before.uncovered > 0 {
            let said = format!("{} files of the base are not covered", before.uncovered);
            answer.stamp.warnings.push(said);
        }
        let old = (pair.base.view(), engine.graph(&pair.base));
        let new = (pair.head.view(), engine.graph(&pair.head));
        engine.quoting(&self.range, |texts| {
            let mut answer = answer.clone();
            let mut was = Offered::of(old.0, old.1, texts);
            let mut is = Offered::of(new.0, new.1, texts);
            answer.is_program = was.is_program && is.is_program;
            if !answer.is_program {
                was.close_program();
                is.close_program();
            }
            let mut files = files::changes(old.0, new.0, texts);
            let admits_old = |file: FileId| filter.admits(old.0, old.0.file(file));
            let admits_new = |file: FileId| filter.admits(new.0, new.0.file(file));
            files.retain(|file| {
                file.after().is_some_and(admits_new) || file.before().is_some_and(admits_old)
            });
            answer.files = files.len();
            answer.folders = folders::changed(&files, old.0, new.0);
            let is_code = files.iter().any(|file| {
                file.before()
                    .is_some_and(|file| offered::is_code(old.0, file))
                    || file
                        .after()
                        .is_some_and(|file| offered::is_code(new.0, file))
            });
            files.retain(|file| {
                file.before().is_some_and(|file| was.is_open(file))
                    || file.after().is_some_and(|file| is.is_open(file))
            });
            let comparison = Comparison::of_definitions(old, new, files, texts);
            notes::tell(&comparison, (&was, &is), &filter, texts, &mut answer);
            folders::fold(&mut answer);
            answer.entries = entries::changed(old, new, &filter, texts);
            if is_code {
                let (old, new) = (Inventory::of(old.0, old.1), Inventory::of(new.0, new.1));
                answer.cycles = gate::compare(&old, &new, texts, None).cycles;
            }
            Ok(answer)
        })
    }
}
