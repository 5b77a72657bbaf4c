//! Getting ready before somebody asks: once a client has connected, and again after each change of the work tree and each
//! commit.
//!
//! Between an edit and the question about it agents think for seconds. In these the state is opened and its graph made,
//! so that the question finds both. It looks for changes all the same, so it makes no difference to an answer whether
//! this ran, or how far it came.
//!
//! Left out: all systems but Linux, which tell of no changes yet.

use super::place::Place;
use crate::query::engine::Engine;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

/// Who asks within this of connecting gets an answer, and nothing is made beside it: two that open the same state
/// get in each other's way. Agents think for seconds first.
const AT_ONCE: Duration = Duration::from_millis(100);

/// How long a change is waited for before it is looked whether the same work tree is open still.
const WAIT: Duration = Duration::from_secs(30);

/// How long after the last question nobody is expected to ask any more: nothing is got ready, and what is open is closed.
pub(super) const GIVEN_UP: Duration = Duration::from_secs(30 * 60);

/// How long it rests after each time, at least, and how many times as long as it worked: of one core it takes a fifth at
/// most, however often files are written.
const REST: Duration = Duration::from_millis(250);
const RESTS: u32 = 4;

/// What is known of who asks.
pub(super) struct Readiness {
    place: Arc<Mutex<Place>>,
    asked: Mutex<Asked>,
    /// Told of each question that was answered.
    answered: Notify,
}

#[derive(Default)]
struct Asked {
    /// Questions that are being answered.
    open: usize,
    /// When the last one came or was answered.
    last: Option<Instant>,
}

impl Readiness {
    pub(super) fn new(place: Arc<Mutex<Place>>) -> Self {
        Self {
            place,
            asked: Mutex::default(),
            answered: Notify::new(),
        }
    }

    /// Says that a question is being answered, as long as what is returned lives.
    pub(super) fn asking(self: &Arc<Self>) -> Asking {
        let mut asked = self.asked();
        (asked.open, asked.last) = (asked.open + 1, Some(Instant::now()));
        drop(asked);
        Asking(self.clone())
    }

    fn asked(&self) -> MutexGuard<'_, Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The engine, while somebody is expected to ask.
    fn engine(&self) -> Option<Arc<Engine>> {
        let last = self.asked().last;
        last.filter(|last| last.elapsed() < GIVEN_UP)?;
        self.place().open_engine()
    }

    /// Waits for a change. Whether there was one; `None` where nothing is listened to, or nobody is expected to ask.
    /// Answers hold the locks that this asks for, so the session must not wait for it.
    fn wait_for_change(&self) -> Option<bool> {
        let alarm = self.engine()?.alarm()?;
        Some(alarm.wait(WAIT))
    }

    /// Gets ready, unless somebody asks at this moment and opens the state anyway.
    fn follow(&self) {
        if self.asked().open == 0
            && let Some(engine) = self.engine()
        {
            engine.follow();
        }
    }
}

/// A question that is being answered.
pub(super) struct Asking(Arc<Readiness>);

impl Drop for Asking {
    fn drop(&mut self) {
        let mut asked = self.0.asked();
        (asked.open, asked.last) = (asked.open.saturating_sub(1), Some(Instant::now()));
        drop(asked);
        self.0.answered.notify_one();
    }
}

/// Opens the repository before the first question, if there is one.
pub(super) async fn at_first(ready: Arc<Readiness>) {
    sleep(AT_ONCE).await;
    if ready.asked().last.is_some() {
        return;
    }
    let opened = spawn_blocking(move || {
        let engine = ready.place().engine();
        if let Ok((engine, _)) = engine {
            engine.warm_up();
        }
    });
    // What fails there fails for the question too, which says so.
    let _ = opened.await;
}

/// Gets ready after each change from the first question on, where changes are listened to; `stirred` is told of each.
pub(super) async fn after_changes(ready: Arc<Readiness>, stirred: Arc<Notify>) {
    loop {
        ready.answered.notified().await;
        loop {
            let waits = ready.clone();
            match spawn_blocking(move || waits.wait_for_change()).await {
                Ok(Some(true)) => {}
                Ok(Some(false)) => continue,
                Ok(None) => break,
                // The server ends.
                Err(_) => return,
            }
            let (began, follows) = (Instant::now(), ready.clone());
            if spawn_blocking(move || follows.follow()).await.is_err() {
                ready.place().forget();
            }
            stirred.notify_one();
            sleep(REST.max(began.elapsed() * RESTS)).await;
        }
    }
}
