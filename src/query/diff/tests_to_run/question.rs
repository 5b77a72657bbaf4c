//! `diff --tests`: the question.

use super::settings;
use super::{Changed, Side, TestSelection, select};
use crate::query::Error;
use crate::query::audit::standing::Standings;
use crate::query::diff::changes::Change;
use crate::query::diff::files::FileChange;
use crate::query::diff::{Comparison, Pair};
use crate::query::engine::Engine;
use crate::query::exposure::Exposure;
use crate::query::question::{Question, warned};
use crate::query::request::DiffRequest;
use crate::query::scope::Filter;
use crate::query::state::Stamp;
use crate::store::Progress;
use crate::view::live::{FileId, View};

/// `diff --tests`: which tests to run after a change.
#[derive(Clone, Debug, Default)]
pub struct TestsRequest {
    /// The change. Its scope says of which files; tests of it are found wherever they are.
    pub diff: DiffRequest,
}

/// Answer of `diff --tests`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TestsAnswer {
    /// The new state.
    pub stamp: Stamp,
    /// Abbreviated commit it is compared with; `None` for nothing at all.
    pub base: Option<String>,
    /// How that commit was chosen.
    pub chosen: String,
    /// The tests.
    pub selection: TestSelection,
}

warned!(TestsAnswer, stamp.warnings);

impl Question for TestsRequest {
    type Pin = Pair;
    type Answer = TestsAnswer;

    fn check(&self) -> Result<(), Error> {
        self.diff.check()
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pair, Error> {
        self.diff.pin(engine, progress)
    }

    fn answer(
        &self,
        engine: &Engine,
        pair: &Pair,
        progress: &dyn Progress,
    ) -> Result<TestsAnswer, Error> {
        let filter = Filter::new(&self.diff.scope)?;
        let (view, graph) = (pair.head.view(), engine.graph(&pair.head));
        let (old_view, old_graph) = (pair.base.view(), engine.graph(&pair.base));
        let (traces, window) = (
            engine.traces(),
            engine.window(pair.head.stamp.commit, progress)?,
        );
        let mut stamp = pair.head.stamp.clone();
        stamp.warnings.extend(pair.note.clone());
        engine.quoting(&self.diff.range, |texts| {
            let found = Comparison::of((old_view, old_graph), (view, graph), texts);
            let changed = changed(&found, &filter);
            let (new, old) = (engine.inventory(&pair.head), engine.inventory(&pair.base));
            let standings = Standings::of(&new, &Exposure::of(view, new.graph, texts), texts);
            let before = Standings::of(&old, &Exposure::of(old_view, old.graph, texts), texts);
            let head = Side {
                inventory: &new,
                standings: &standings,
            };
            let base = Side {
                inventory: &old,
                standings: &before,
            };
            Ok(TestsAnswer {
                stamp: stamp.clone(),
                base: pair.commit.clone(),
                chosen: pair.chosen.clone(),
                selection: select(head, base, &traces, Some(&window), texts, &changed),
            })
        })
    }
}

/// What of a comparison matters to tests: comments do not.
fn changed(found: &Comparison<'_>, filter: &Filter) -> Changed {
    let mut changed = Changed::default();
    let admits = |view: &View, file: FileId| filter.admits(view, view.file(file));
    for change in &found.changes {
        match change {
            Change::Added(new) => {
                let unit = found.new.unit(*new);
                if admits(found.new.view, unit.file) {
                    changed.definitions.push((unit.id, None));
                }
            }
            Change::Removed(old) => {
                let unit = found.old.unit(*old);
                if admits(found.old.view, unit.file) {
                    changed.removed.push(unit.id);
                }
            }
            Change::Changed { old, new, how } => {
                let (was, is) = (found.old.unit(*old), found.new.unit(*new));
                if !admits(found.new.view, is.file) {
                    continue;
                }
                if how.renamed || how.moved {
                    changed.removed.push(was.id);
                }
                if how.is_code() || how.renamed || how.moved {
                    changed.definitions.push((is.id, Some(was.id)));
                }
            }
        }
    }
    for file in &found.files {
        let (old, new) = (file.before(), file.after());
        let is_admitted = new.is_some_and(|new| admits(found.new.view, new))
            || old.is_some_and(|old| admits(found.old.view, old));
        if is_admitted {
            note(found, *file, &mut changed);
        }
    }
    changed
}

/// Notes what of a file changed outside of its definitions.
fn note(found: &Comparison<'_>, file: FileChange, changed: &mut Changed) {
    let before = file.before().map(|old| (old, found.old.code(old)));
    let after = file.after().map(|new| (new, found.new.code(new)));
    let path = |view: &View, file: FileId| view.file(file).path.as_bytes().to_vec();
    let mut paths: Vec<Vec<u8>> = Vec::new();
    paths.extend(before.as_ref().map(|(old, _)| path(found.old.view, *old)));
    paths.extend(after.as_ref().map(|(new, _)| path(found.new.view, *new)));
    paths.dedup();
    let is_code = [&before, &after]
        .into_iter()
        .flatten()
        .any(|(_, code)| code.is_some());
    match (before, after) {
        (Some((_, was)), Some((new, Some(is)))) if was.is_none_or(|was| was.top != is.top) => {
            changed.tops.push(new);
        }
        (None, Some((new, Some(_)))) => changed.tops.push(new),
        _ => {}
    }
    // Some settings are programs.
    paths.retain(|path| !is_code || settings::ground(path).is_some());
    changed.others.extend(paths);
}
