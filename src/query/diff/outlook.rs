//! What history says of a change: what it leaves out, and how likely it is to be fixed soon after.
//!
//! Joins what the comparison found with [`omissions`] and [`risk`]. History is that of the base, so that nothing
//! of the change itself counts as its past.

use super::omissions::{self, Omission};
use super::risk::past::{Subject, author};
use super::risk::{Model, Reason, Risk, Structure};
use super::{Comparison, Pair};
use crate::extract::record::SymbolFlags;
use crate::git::{Objects, RepoPath, identity};
use crate::graph::edges::Graph;
use crate::history::window::Window;
use crate::query::Error;
use crate::query::engine::Engine;
use crate::store::Progress;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Imports between a test and what it is taken to reach.
const TEST_STEPS: usize = 2;

/// What history says of a change.
#[derive(Clone, PartialEq, Debug)]
pub struct Outlook {
    /// What usually changes with it and did not, the most likely first.
    pub omissions: Vec<Omission>,
    /// How likely it is to be fixed soon after.
    pub risk: Risk,
    /// Where history ends before its beginning.
    pub remark: Option<String>,
}

impl Default for Outlook {
    fn default() -> Self {
        Self {
            omissions: Vec::new(),
            risk: Risk::Unknown(Reason::NoCode),
            remark: None,
        }
    }
}

/// What there is to know before the states are compared.
pub(super) struct Past {
    window: Arc<Window>,
    model: Arc<Model>,
    /// Who makes the change, by mail address.
    author: Option<String>,
}

impl Past {
    /// Reads the history of the base. Fails when nobody waits for the answer.
    pub(super) fn of(engine: &Engine, pair: &Pair, progress: &dyn Progress) -> Result<Self, Error> {
        let window = engine.window(pair.base.stamp.commit, progress)?;
        let model = engine.risk_model(&window);
        let head = &pair.head.stamp;
        let author = match head.commit {
            Some(commit) if head.dirty == 0 => author(&mut engine.repo().objects(), commit),
            _ => identity::author(engine.repo()).ok().map(|by| by.mail),
        };
        Ok(Self {
            window,
            model,
            author,
        })
    }

    /// What it says of a change that breaks a public interface or not.
    pub(super) fn look(
        &self,
        found: &Comparison<'_>,
        is_breaking: bool,
        objects: &mut Objects,
    ) -> Outlook {
        let (mut paths, mut code) = (BTreeSet::new(), Vec::new());
        for file in &found.files {
            let old = file.before().map(|old| &found.old.view.file(old).path);
            let new = file.after().map(|new| &found.new.view.file(new).path);
            paths.extend(old);
            paths.extend(new);
            // History knows a file by the name that it has in the base.
            code.extend(old.or(new).map(RepoPath::as_bytes));
        }
        let paths: Vec<&RepoPath> = paths.into_iter().collect();
        let subject = Subject {
            code: &code,
            files: found.files.len(),
            author: self.author.as_deref(),
        };
        let structure = Structure {
            is_breaking,
            ..structure(found)
        };
        let base = (found.old.view, found.old.graph);
        let is_cut = self.window.extent().is_shallow || self.window.extent().failure.is_some();
        Outlook {
            omissions: omissions::find(base, &self.window, &paths, objects),
            risk: self.model.assess(&subject, structure),
            remark: self.window.extent().remark().filter(|_| is_cut),
        }
    }
}

/// What the graph of the new state says of the code that changed.
fn structure(found: &Comparison<'_>) -> Structure {
    let (view, graph) = (found.new.view, found.new.graph);
    let is_code = |file: &FileId| view.file(*file).role == FileRole::Product;
    let changed = found.files.iter().filter_map(|file| file.after());
    let changed: FxHashSet<FileId> = changed.filter(is_code).collect();
    let dependents: FxHashSet<FileId> = changed
        .iter()
        .flat_map(|file| graph.dependents(*file))
        .filter(|file| is_code(file) && !changed.contains(file))
        .collect();
    let untested = changed
        .iter()
        .filter(|file| !is_tested(view, graph, **file));
    Structure {
        dependents: dependents.len(),
        untested: (!changed.is_empty()).then(|| untested.count() as f64 / changed.len() as f64),
        is_breaking: false,
    }
}

/// Whether a file holds tests, or one comes near it.
fn is_tested(view: &View, graph: &Graph, file: FileId) -> bool {
    let (mut near, mut seen) = (vec![file], FxHashSet::from_iter([file]));
    for _ in 0..TEST_STEPS {
        let next = near.iter().flat_map(|file| graph.dependents(*file));
        near = next.filter(|file| seen.insert(*file)).collect();
    }
    seen.iter()
        .any(|file| view.file(*file).role == FileRole::Test)
        || holds_tests(view, file)
}

fn holds_tests(view: &View, file: FileId) -> bool {
    view.file(file).doc.is_some_and(|doc| {
        let mut symbols = view.segment(doc.segment).segment.symbols(doc.doc);
        symbols.any(|symbol| symbol.flags.contains(SymbolFlags::TEST))
    })
}
