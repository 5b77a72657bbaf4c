//! The index of a repository that has none, made behind the first questions.
//!
//! A question that names what it is about is meanwhile answered from the few files that hold the name
//! ([`super::first`]); the others wait, and are told how far it has come.

use super::{Engine, Pinned, Progress};
use crate::git::{Head, failpoint, promisor};
use crate::id::TreeId;
use crate::query::Error;
use crate::query::request::Revision;
use crate::record::DocKey;
use crate::store;
use crate::view::files::{File, document_keys};
use crate::view::live::FileId;
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread::ThreadId;
use std::time::Duration;

/// From so many documents that the index lacks on, nobody has to wait for all of them: below, a machine with two
/// cores takes about a second.
const MANY: usize = 1000;

/// How often somebody who waits is told how far it has come.
const TELL: Duration = Duration::from_millis(50);

/// How a serving engine makes what is missing.
#[derive(Default)]
pub(super) struct Filling {
    /// The engine itself, for the thread that works behind it; nothing where nobody serves.
    me: Weak<Engine>,
    run: Mutex<Option<Arc<Run>>>,
}

impl Filling {
    /// Of an engine that serves.
    pub(super) fn of(me: Weak<Engine>) -> Self {
        Self {
            me,
            run: Mutex::default(),
        }
    }
}

/// One making.
pub(super) struct Run {
    tree: TreeId,
    /// The files of the tree, as long as it works.
    files: Mutex<Option<Arc<Listed>>>,
    stage: Mutex<Stage>,
    changed: Condvar,
    done: AtomicUsize,
    total: AtomicUsize,
}

/// The files of a tree.
pub(super) struct Listed {
    /// All of them, without documents.
    pub(super) files: Vec<File>,
    /// Those whose documents the index lacked when the run began, in order.
    pub(super) lacking: Vec<FileId>,
}

impl Listed {
    /// Files of which the index may have no document.
    fn of(files: Vec<File>, missing: &FxHashSet<DocKey>) -> Self {
        let all = (0u32..).map(FileId).zip(&files);
        let is_lacking = |file: &File| file.key().is_some_and(|key| missing.contains(&key));
        let lacking = all.filter(|(_, file)| is_lacking(file));
        let lacking = lacking.map(|(id, _)| id).collect();
        Self { files, lacking }
    }
}

struct Stage {
    /// The thread that works, until it has ended.
    works: Option<ThreadId>,
    has_begun: bool,
}

impl Run {
    fn new(tree: TreeId, files: Vec<File>, missing: &[DocKey]) -> Self {
        let total = AtomicUsize::new(missing.len());
        let missing = missing.iter().copied().collect();
        Self {
            tree,
            files: Mutex::new(Some(Arc::new(Listed::of(files, &missing)))),
            stage: Mutex::new(Stage {
                works: None,
                has_begun: false,
            }),
            changed: Condvar::new(),
            done: AtomicUsize::new(0),
            total,
        }
    }

    /// The files of a tree, if it works on that; `None` once it has ended.
    pub(super) fn files_of(&self, tree: TreeId) -> Option<Arc<Listed>> {
        self.held().clone().filter(|_| self.tree == tree)
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Option<Arc<Listed>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how many documents were read, and of how many.
    pub(super) fn so_far(&self) -> (usize, usize) {
        (
            self.done.load(Ordering::Relaxed),
            self.total.load(Ordering::Relaxed),
        )
    }

    /// Whether it has ended, after waiting so long for that at most.
    pub(super) fn ends_within(&self, time: Duration) -> bool {
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        let goes_on = |stage: &mut Stage| !stage.has_ended();
        let waited = self.changed.wait_timeout_while(stage, time, goes_on);
        waited.unwrap_or_else(PoisonError::into_inner).0.has_ended()
    }

    fn set(&self, works: Option<ThreadId>) {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        *stage = Stage {
            works,
            has_begun: true,
        };
        self.changed.notify_all();
    }

    fn is_mine(&self) -> bool {
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        stage.works == Some(std::thread::current().id())
    }
}

impl Stage {
    fn has_ended(&self) -> bool {
        self.has_begun && self.works.is_none()
    }
}

impl Progress for Run {
    fn documents(&self, done: usize, total: usize) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }
}

/// Lets others go first: the threads that are started from here on get the same rank. Whether it is granted matters to
/// nobody.
fn stand_back() {
    // 10 gives a ninth of the time of a thread of usual rank (`sched_prio_to_weight` of Linux).
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
}

/// Says that a run has ended, however it did.
struct End(Arc<Run>);

impl Drop for End {
    fn drop(&mut self) {
        *self.0.held() = None;
        self.0.set(None);
    }
}

impl Engine {
    /// The run that makes the index of `HEAD`, begun now if much is missing; `None` where nothing has to be waited for.
    pub(super) fn run_for_head(&self) -> Result<Option<Arc<Run>>, Error> {
        let Some(me) = self.filling.me.upgrade() else {
            return Ok(None);
        };
        // What is not here is fetched at most once, for the answer that needs it.
        if self.repo.is_partial() || self.repo.is_bare() {
            return Ok(None);
        }
        let Head::Commit { id, .. } = self.repo.head()? else {
            return Ok(None);
        };
        let tree = self.repo.commit_tree(id)?;
        if let Some(run) = self.known_run(tree) {
            return Ok((!run.ends_within(Duration::ZERO)).then_some(run));
        }
        let portion = self.portion(tree);
        if self.has_view(&portion)? {
            return Ok(None);
        }
        let snapshot = self.snapshot()?;
        let files = portion.files(&mut self.repo.objects())?;
        let mut keys = document_keys(&files);
        keys.retain(|key| snapshot.find(key).is_none());
        if keys.len() < MANY {
            return Ok(None);
        }
        let run = Arc::new(Run::new(tree, files, &keys));
        *self.runs() = Some(run.clone());
        let end = End(run.clone());
        let work = move || {
            end.0.set(Some(std::thread::current().id()));
            stand_back();
            failpoint::hold("fill");
            // What fails here fails for the next question too, which says so.
            let Ok(pinned) = me.pin(&Revision::WorkTree, &*end.0) else {
                return;
            };
            me.graph(&pinned);
            drop(end);
            me.make_rest(&pinned);
        };
        // Without a thread the question waits as it would have.
        let begun = std::thread::Builder::new().spawn(work);
        Ok(begun.is_ok().then_some(run))
    }

    /// Gets ready for a first question before there is one: opens the state of the work tree with what questions derive
    /// from it, and begins to make the index where much of it is missing. Nothing is fetched. What fails here fails for
    /// the question too, which says so.
    pub fn warm_up(&self) {
        if let Some(pinned) = self.get_ready()
            && self.may_make_graph()
        {
            // Many sessions begin with a map.
            self.inventory(&pinned);
        }
    }

    /// Gets ready again, after a change.
    pub fn follow(&self) {
        self.get_ready();
        failpoint::hold("ready");
    }

    fn get_ready(&self) -> Option<Pinned> {
        if !matches!(self.run_for_head(), Ok(None)) {
            return None;
        }
        let pinned = self.pin(&Revision::WorkTree, &store::Quiet).ok()?;
        if self.may_make_graph() {
            self.graph(&pinned);
        }
        self.make_rest(&pinned);
        Some(pinned)
    }

    /// Whether a graph can be made unasked: what it is made of may have to be fetched.
    fn may_make_graph(&self) -> bool {
        !promisor::is_allowed(&self.repo)
    }

    /// What the first search and the first name that is misspelt would wait for.
    fn make_rest(&self, pinned: &Pinned) {
        let _ = self.sources(pinned, &store::Quiet, |_| Ok(()));
        pinned.view().names();
    }

    /// Waits for the run that makes the index of a tree, if there is one. Fails when nobody waits any more.
    pub(super) fn await_run(&self, tree: TreeId, progress: &dyn Progress) -> Result<(), Error> {
        let Some(run) = self.known_run(tree).filter(|run| !run.is_mine()) else {
            return Ok(());
        };
        while !run.ends_within(TELL) {
            let (done, total) = run.so_far();
            progress.documents(done, total);
            if progress.cancelled() {
                return Err(store::Error::Cancelled.into());
            }
        }
        Ok(())
    }

    fn known_run(&self, tree: TreeId) -> Option<Arc<Run>> {
        self.runs().clone().filter(|run| run.tree == tree)
    }

    fn runs(&self) -> std::sync::MutexGuard<'_, Option<Arc<Run>>> {
        self.filling
            .run
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
