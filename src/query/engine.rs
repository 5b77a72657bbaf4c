//! The one entry point of the front ends (`mcp`, `cli`): a repository opened for questions.
//!
//! Guarantees: every question goes the same way, whatever revision it is about: revision -> tree
//! -> view -> answer. Before each question it is checked whether commits, checkouts or edits
//! happened; what did not change is not looked at again. A failure to store what was extracted
//! never fails a question.

mod affected;
mod beside;
mod derived;
pub(super) mod few;
mod filling;
pub(super) mod first;
mod fit;
mod forecasting;
mod gating;
mod graphs;
pub(super) mod history;
mod indexed;
mod lacking;
mod portion;
pub(super) mod sketch;
mod target;
mod truth;
mod views;
mod work_tree;

use self::portion::Portion;
use super::diff::risk::Model;
use super::map::Parts;
use super::overview::Overview;
use super::question::{Question, Warned};
use super::recall::archive::Archive;
use super::recall::related::RelatedMemories;
use super::request::Revision;
use super::search::Sources;
use super::search::backend::{self, Backend, VectorSource};
use super::search::impacts::TextTables;
use super::search::name::NameTables;
use super::search::path_table::{self, PathTerms};
use super::state::{IndexState, Stamp};
use super::{Error, Progress, snippets};
use crate::clean;
pub(crate) use crate::git::open::FOLDER;
use crate::git::worktree::{Status, Watch};
use crate::git::{Repo, RepoPath, promisor};
pub use crate::git::{Standing, Whereabouts};
use crate::graph::build::Made;
use crate::graph::reuse::Kept;
use crate::graph::saved::{GraphCache, GraphKey};
use crate::history::window::Window;
use crate::id::{BlobId, CommitId, LogId, TreeId};
use crate::query::entry_points::EntryPoint;
use crate::query::history::learnt::Learnt;
use crate::query::history::steps::Steps;
use crate::query::inventory::Tables;
use crate::store::sketched::Sketched;
use crate::store::trace::Traces;
use crate::store::{self, Snapshot};
use crate::view::cache::ViewCache;
use crate::view::live::View;
use crate::view::names::AllNames;
use crate::view::overlay::OverlayCache;
use crate::view::text::Texts;
use filling::Filling;
use lacking::Lacking;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::JoinHandle;
pub(super) use target::parse_target;

/// Views of committed trees kept in memory. An agent goes between the work tree and a revision or
/// two.
const MAX_VIEWS: usize = 4;

/// Tables of the words of paths that are kept.
const MAX_PATH_TABLES: usize = 4;

/// A repository opened for questions. Cheap to ask again: it keeps opened segments and views.
pub struct Engine {
    repo: Arc<Repo>,
    views: ViewCache,
    overlay: OverlayCache,
    graphs: GraphCache,
    sketched: Sketched,
    names: Arc<AllNames>,
    models: Backend,
    saving: Mutex<Saving>,
    /// Whether it answers one question after the other.
    serves: bool,
    state: Mutex<State>,
    /// What is kept of the memories.
    pub(crate) archive: Archive,
    related: RelatedMemories,
    /// What is kept of walks along history.
    pub(in crate::query) learnt: Learnt,
    /// What is kept of the trees that these walks looked into.
    steps: Arc<Steps>,
    texts: Mutex<Texts>,
    /// What is known of the work tree between questions, where somebody asks again and again.
    watch: Option<Mutex<Watch>>,
    filling: Filling,
    /// The tree that was counted last, and whether it is very large.
    large: Mutex<Option<(TreeId, bool)>>,
    /// Held by whoever makes a window.
    windowing: Mutex<()>,
    /// Held by whoever opens the state of the work tree.
    opening: Mutex<()>,
}

#[derive(Default)]
struct State {
    snapshot: Arc<Snapshot>,
    /// Views of trees and parts of trees, latest first.
    tree_views: Vec<(TreeId, Arc<OpenView>)>,
    /// The work tree as last seen.
    work_tree: Option<WorkTree>,
    graph: Last,
    /// History as seen from commits, latest first.
    windows: Vec<(WindowKey, Arc<Window>)>,
    /// What these teach, latest first.
    models: Vec<(Arc<Window>, Arc<Model>)>,
    /// The words of paths that were looked for last.
    paths: Option<Arc<PathTerms>>,
    /// The definitions that were decoded last, latest first.
    inventories: Vec<Arc<Tables>>,
    /// What was found damaged while the index was opened, for the next answer.
    recovered: Vec<String>,
    /// Recorded coverage, by the tip it was read from.
    traces: Option<(Option<CommitId>, Arc<Traces>)>,
}

/// The graph that was used last, from which the next is built.
#[derive(Clone, Default)]
struct Last {
    /// What it is the graph of; `None` for one that was saved, of whatever state.
    key: Option<GraphKey>,
    made: Option<Arc<Made>>,
    /// How it came about, where it was made here.
    kept: Option<Arc<Kept>>,
    /// Contents that it would have needed and that were not here.
    lacking: Vec<BlobId>,
}

/// Graphs on their way to the disk.
#[derive(Default)]
struct Saving {
    /// One that is being saved.
    now: Option<JoinHandle<()>>,
    /// One that is saved when nobody asks any more.
    later: Option<(GraphKey, Arc<Made>, Arc<Kept>)>,
}

/// What a window depends on: its commit, the log that the index has, and where the clone's history ends.
#[derive(PartialEq, Eq)]
struct WindowKey {
    commit: CommitId,
    log: Vec<LogId>,
    boundary: Vec<CommitId>,
}

/// A work tree as it was seen.
struct WorkTree {
    /// Tree of `HEAD`.
    tree: TreeId,
    /// Uncommitted paths with what they hold; `None` for nothing readable.
    dirty: Vec<(RepoPath, Option<BlobId>)>,
    /// The list that these are from.
    status: Arc<Status>,
    open: Arc<OpenView>,
}

/// A view with what is derived from it on demand.
struct OpenView {
    view: View,
    text: OnceLock<TextTables>,
    names: NameTables,
    paths: OnceLock<Arc<PathTerms>>,
    vectors: backend::ViewVectors,
    graph: OnceLock<Arc<Made>>,
    entry_points: OnceLock<Vec<EntryPoint>>,
    overview: OnceLock<Overview>,
    map: OnceLock<Parts>,
    /// Its decoded definitions, while they are kept.
    tables: Mutex<Weak<Tables>>,
    /// Whether it has but a few files, while the rest is read.
    is_first: bool,
    lacking: Mutex<Lacking>,
}

/// A view opened for any number of questions about one state of the repository.
pub struct Pinned {
    open: Arc<OpenView>,
    /// Which state it is.
    pub(crate) stamp: Stamp,
}

impl Pinned {
    /// The view.
    pub fn view(&self) -> &View {
        &self.open.view
    }
}

impl Engine {
    /// Opens the repository that `start` lies in. Fails when there is no repository or it cannot be
    /// read.
    pub fn open(start: &Path) -> Result<Self, Error> {
        let repo = Arc::new(Repo::discover(start)?);
        let texts = Mutex::new(Texts::new(repo.clone()));
        Ok(Self {
            views: ViewCache::new(repo.kept()),
            graphs: GraphCache::new(repo.kept()),
            sketched: Sketched::default(),
            names: Arc::new(AllNames::new(repo.kept())),
            models: Backend::new(&repo),
            overlay: OverlayCache::new(&repo.kept().in_git_dir(repo.git_dir())),
            saving: Mutex::default(),
            serves: false,
            state: Mutex::default(),
            archive: Archive::default(),
            related: RelatedMemories::default(),
            learnt: Learnt::default(),
            steps: Arc::default(),
            texts,
            watch: None,
            filling: Filling::default(),
            large: Mutex::default(),
            windowing: Mutex::default(),
            opening: Mutex::default(),
            repo,
        })
    }

    /// Makes ready for question after question: from the first one on it listens to changes of the work tree, so that
    /// a further one need not look at all of it, and what the index lacks is made behind the questions.
    pub fn serving(self) -> Arc<Self> {
        Arc::new_cyclic(|me| {
            let mut serving = self;
            serving.serves = true;
            serving.watch = Some(Mutex::default());
            serving.filling = Filling::of(me.clone());
            serving
        })
    }

    /// A view that shares its names with the others.
    fn open_view(&self, view: View) -> OpenView {
        OpenView::new(view.with_tables(&self.names))
    }

    /// The repository.
    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    /// The repository, to be read from elsewhere too.
    pub(in crate::query) fn repo_shared(&self) -> Arc<Repo> {
        self.repo.clone()
    }

    /// Whether the repository is still where it was opened.
    pub fn standing(&self) -> Standing {
        self.repo.standing()
    }

    /// Opens the view of a revision, extracting and storing what it lacks. Fails on an unknown
    /// revision, a repository that cannot be read, or that nobody waits for the answer.
    pub fn pin(&self, at: &Revision, progress: &dyn Progress) -> Result<Pinned, Error> {
        match at {
            Revision::At(rev) => {
                let commit = self.repo.resolve(rev)?;
                let tree = self.repo.commit_tree(commit)?;
                let open = self.tree_view(&Portion::whole(tree), progress);
                let (open, mut warnings) = open.map_err(|err| err.at_commit(commit))?;
                if open.view.uncovered > 0 && self.repo.is_partial() {
                    let rev = clean::last_argument(rev);
                    let index = format!("`git sverklo index {rev}`");
                    warnings.push(match promisor::is_allowed(&self.repo) {
                        true => format!("{index} fetches what is missing"),
                        // `index` has no more leave than a question has.
                        false => {
                            format!("{}; then {index} fetches it", promisor::remedy(&self.repo))
                        }
                    });
                }
                Ok(pinned(open, Some(commit), warnings))
            }
            Revision::WorkTree => self.pin_work_tree(false, progress),
        }
    }

    /// As [`Engine::pin`], but for what is to be compared with another state: the work tree with all that `HEAD` has,
    /// also in a sparse checkout.
    pub(in crate::query) fn pin_whole(
        &self,
        at: &Revision,
        progress: &dyn Progress,
    ) -> Result<Pinned, Error> {
        match at {
            Revision::At(_) => self.pin(at, progress),
            Revision::WorkTree => self.pin_work_tree(true, progress),
        }
    }

    /// Answers a question: checks its bounds, takes the revision off its target, pins the state that it is
    /// about, answers from there, and adds memories of what is shown; what was found damaged on the
    /// way is said.
    pub fn ask<Q: Question>(
        &self,
        question: &Q,
        progress: &dyn Progress,
    ) -> Result<Q::Answer, Error> {
        question.check()?;
        let mut question = question.clone();
        if let Some((target, at)) = question.target_at() {
            (*target, *at) = self.target_and_revision(target, at)?;
        }
        let (pinned, mut answer) = self.pin_and_answer(&question, progress)?;
        Q::remind(self, &pinned, &mut answer);
        self.tell_recovered(answer.warnings_mut());
        Ok(answer)
    }

    /// What `search` looks at in a pinned state.
    pub(super) fn sources<T>(
        &self,
        pinned: &Pinned,
        progress: &dyn Progress,
        look: impl FnOnce(&Sources<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        // Before the texts are taken: the first window takes longest.
        let window = match pinned.open.is_first {
            true => Arc::default(),
            false => self.window(pinned.stamp.commit, progress)?,
        };
        let open = &pinned.open;
        let snapshot = self.state().snapshot.clone();
        let (view, opened) = (&open.view, &open.vectors);
        let source = VectorSource::new(&self.models, &self.repo, view, &snapshot, opened);
        look(&Sources {
            view,
            text: open.text.get_or_init(|| TextTables::of(view)),
            names: &open.names,
            paths: open.paths.get_or_init(|| self.path_terms(view)),
            vectors: &source,
            window: &window,
            graph: open.graph.get().map(|made| &made.graph),
        })
    }

    /// The words of the paths of a view: those of the last one, where no path came or went.
    fn path_terms(&self, view: &View) -> Arc<PathTerms> {
        let last = self.state().paths.clone();
        if let Some(same) = last.filter(|last| last.are_of(view)) {
            return same;
        }
        let (kept, name) = (self.repo.kept(), PathTerms::name(view));
        let before = kept
            .read(&name)
            .and_then(|body| PathTerms::kept(body, view));
        let paths = Arc::new(before.unwrap_or_else(|| {
            let made = PathTerms::of(view);
            // What is uncommitted changes again. A failure to write costs time later, nothing else.
            if view.dirty == 0 && kept.write(&name, made.bytes()).is_ok() {
                kept.evict(path_table::FOLDER, MAX_PATH_TABLES);
            }
            made
        }));
        self.state().paths = Some(paths.clone());
        paths
    }

    /// Answers from texts, which are fetched where a partial clone lacks them ([`snippets::complete`]).
    /// `asked` are the words of the question.
    pub(super) fn quoting<A: Warned>(
        &self,
        asked: &str,
        answer: impl Fn(&mut Texts) -> Result<A, Error>,
    ) -> Result<A, Error> {
        snippets::complete(&self.repo, &self.texts, asked, answer)
    }

    /// What the index holds now.
    pub(super) fn index_state(&self) -> Result<IndexState, Error> {
        Ok(IndexState::of(self.snapshot()?.as_ref()))
    }

    /// Recorded coverage, as the index has it. Traces that cannot be read are as if not there:
    /// `fsck` names them.
    pub(super) fn traces(&self) -> Arc<Traces> {
        let snapshot = self.state().snapshot.clone();
        if let Some((tip, traces)) = &self.state().traces
            && *tip == snapshot.tip
        {
            return traces.clone();
        }
        let traces = Arc::new(Traces::open(&self.repo, &snapshot).0);
        self.state().traces = Some((snapshot.tip, traces.clone()));
        traces
    }

    /// Closes the repository where the process ends with it: what is to be saved is saved, and the graph is left to the
    /// system. One of 100,000 files took 200 ms to be taken apart.
    pub fn leave(mut self) {
        let state = self.state.get_mut();
        let state = state.unwrap_or_else(PoisonError::into_inner);
        std::mem::forget(std::mem::take(&mut state.graph));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What the state holds is valid after every statement, so a panic elsewhere is no reason
        // to refuse it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.save_rest();
    }
}

/// Waits for a graph to be saved. What went wrong there went wrong with a cache.
fn wait_for(saving: Option<JoinHandle<()>>) {
    let _ = saving.map(JoinHandle::join);
}

impl Pinned {
    /// The state in which there is nothing.
    pub(in crate::query) fn empty() -> Self {
        pinned(Arc::new(OpenView::empty()), None, Vec::new())
    }
}

impl OpenView {
    fn empty() -> Self {
        Self::new(View::join(Vec::new(), &[], 0))
    }

    fn new(view: View) -> Self {
        Self {
            view,
            text: OnceLock::new(),
            names: NameTables::new(),
            paths: OnceLock::new(),
            vectors: backend::ViewVectors::default(),
            graph: OnceLock::new(),
            entry_points: OnceLock::new(),
            overview: OnceLock::new(),
            map: OnceLock::new(),
            tables: Mutex::default(),
            is_first: false,
            lacking: Mutex::default(),
        }
    }
}

fn pinned(open: Arc<OpenView>, commit: Option<CommitId>, warnings: Vec<String>) -> Pinned {
    let stamp = Stamp {
        commit,
        dirty: open.view.dirty,
        uncovered: open.view.uncovered,
        outside: open.view.outside,
        warnings,
    };
    Pinned { open, stamp }
}

/// What was worked around while the index was opened, as sentences.
pub(crate) fn warnings(snapshot: &Snapshot) -> Vec<String> {
    snapshot.warnings.iter().map(ToString::to_string).collect()
}

/// Says which blobs could not be had, if any.
pub(crate) fn not_covered(report: &store::Report) -> Option<String> {
    match (report.missing.len(), report.unreadable.first()) {
        (0, None) => None,
        (missing, None) => Some(not_here(missing)),
        (missing, Some((blob, why))) => Some(format!(
            "{} blobs cannot be read and are not covered, among them {blob}: {why}",
            missing + report.unreadable.len()
        )),
    }
}

/// Says that so many blobs are missing.
fn not_here(blobs: usize) -> String {
    format!("{blobs} blobs are not in this clone and not covered")
}
