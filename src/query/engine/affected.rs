//! Questions that are limited to a change: which state they are about, and which files.

use super::{Engine, Pinned};
use crate::git::tree;
use crate::query::Error;
use crate::query::affected::{Affected, Extent};
use crate::query::diff::range::Range;
use crate::query::request::{Revision, Scope};
use crate::query::scope::Filter;
use crate::store::Progress;

impl Engine {
    /// Opens the state that a question is about: where its scope names a change with a new state, that one.
    /// Fails as [`Engine::pin`] does, and when another state was asked for besides.
    pub(in crate::query) fn pin_within(
        &self,
        scope: &Scope,
        at: &Revision,
        progress: &dyn Progress,
    ) -> Result<Pinned, Error> {
        let Some(range) = &scope.changed else {
            return self.pin(at, progress);
        };
        match (&Range::parse(range).head, at) {
            (Revision::WorkTree, at) => self.pin_whole(at, progress),
            (head, Revision::WorkTree) => self.pin_whole(head, progress),
            (Revision::At(named), Revision::At(asked)) => {
                if self.repo.resolve(named)? != self.repo.resolve(asked)? {
                    return Err(Error::TwoRevisions {
                        target: range.clone(),
                        named: named.clone(),
                        asked: asked.clone(),
                    });
                }
                self.pin(at, progress)
            }
        }
    }

    /// Makes a scope ready to test files of a pinned state; the sentence beside it says what of the change that it is
    /// limited to was not as asked for. Fails on a bad scope, and on a change without a base.
    pub(in crate::query) fn filter(
        &self,
        scope: &Scope,
        pinned: &Pinned,
    ) -> Result<(Filter, Option<String>), Error> {
        let filter = Filter::new(scope)?;
        let Some(range) = &scope.changed else {
            return Ok((filter, None));
        };
        let (commit, dirty) = (pinned.stamp.commit, pinned.stamp.dirty > 0);
        let (baseline, note) = Range::parse(range).baseline(&self.repo, commit, dirty)?;
        let old = match baseline.commit {
            Some(commit) => tree::list_commit(&self.repo, commit)?,
            None => Vec::new(),
        };
        let extent = Extent {
            since: baseline.commit.map(|commit| commit.short()),
            chosen: baseline.chosen,
            ..Extent::default()
        };
        let affected = Affected::of(pinned.view(), self.graph(pinned), &old, extent);
        Ok((filter.within(affected), note))
    }
}
