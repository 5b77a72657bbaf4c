//! `search` as a question: ranked, or line by line.

use super::search;
use crate::query::engine::first::Needles;
use crate::query::engine::{Engine, Pinned};
use crate::query::question::{self, Question, warned};
use crate::query::recall::related::Shown;
use crate::query::request::{Mode, SearchRequest};
use crate::query::search::answer::SearchAnswer;
use crate::query::{Error, grep};
use crate::store::Progress;

warned!(SearchAnswer, stamp.warnings);

impl Question for SearchRequest {
    type Pin = Pinned;
    type Answer = SearchAnswer;

    fn check(&self) -> Result<(), Error> {
        question::words("query", &self.query)?;
        question::place(&self.scope, &self.at)
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pinned, Error> {
        let needles = match self.mode {
            Mode::Ranked => Needles::of_words(&self.query),
            Mode::Text | Mode::Regex => Some(Needles::of_lines()),
        };
        match &self.scope.changed {
            Some(_) => engine.pin_within(&self.scope, &self.at, progress),
            None => engine.pin_soon(&self.at, needles, progress),
        }
    }

    fn answer(
        &self,
        engine: &Engine,
        pinned: &Pinned,
        progress: &dyn Progress,
    ) -> Result<SearchAnswer, Error> {
        let (filter, note) = engine.filter(&self.scope, pinned)?;
        let stamp = || {
            let mut stamp = pinned.stamp.clone();
            stamp.warnings.extend(note.clone());
            stamp
        };
        if self.mode != Mode::Ranked {
            return engine.quoting(&self.query, |texts| {
                grep::grep(pinned.view(), texts, (self, &filter), stamp())
            });
        }
        engine.sources(pinned, progress, |sources| {
            engine.quoting(&self.query, |texts| {
                search(sources, texts, (self, &filter), stamp())
            })
        })
    }

    fn remind(engine: &Engine, pinned: &Pinned, answer: &mut SearchAnswer) {
        let shown = answer.hits.iter().map(|hit| Shown {
            path: &hit.path,
            symbol: hit.symbol.as_ref().map(|symbol| &*symbol.id),
        });
        answer.memories = engine.notes(pinned, false, shown, &mut answer.stamp.warnings);
    }
}
