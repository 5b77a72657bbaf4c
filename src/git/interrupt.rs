//! Ending a child when nobody waits for its answer any more.
//!
//! A client may take its question back, or leave, while `git` merges large trees for it. Who asks says on its
//! own thread how to know that ([`Asker`]); children that only read look there ([`wait`]). Those that
//! write are never ended: git would leave its locks behind.

use super::error::Error;
use super::finished::Finished;
use std::cell::RefCell;
use std::io::Read;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How long a child runs on at most after nobody waits for it.
const LOOK: Duration = Duration::from_millis(50);

/// Who waits for what a thread does, and may stop to.
#[derive(Clone, Default)]
pub struct Asker(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

thread_local! {
    static ASKER: RefCell<Asker> = const { RefCell::new(Asker(None)) };
}

/// Whether the whole process ends.
static ENDING: AtomicBool = AtomicBool::new(false);

/// How many children run that may be ended.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

impl Asker {
    /// Somebody who says whether the answer is still wanted.
    pub fn new(is_waiting: impl Fn() -> bool + Send + Sync + 'static) -> Asker {
        Asker(Some(Arc::new(is_waiting)))
    }

    /// Who has asked for what this thread does; nobody, where none was named.
    pub fn of_this_thread() -> Asker {
        ASKER.with_borrow(Clone::clone)
    }

    /// Does work for them on this thread: children that only read end when the answer is not wanted any more.
    pub fn on_this_thread<T>(&self, work: impl FnOnce() -> T) -> T {
        /// Puts back who was there, also when the work panics.
        struct Before(Asker);
        impl Drop for Before {
            fn drop(&mut self) {
                ASKER.set(std::mem::take(&mut self.0));
            }
        }
        let _before = Before(ASKER.replace(self.clone()));
        work()
    }

    fn is_waiting(&self) -> bool {
        let waits = self.0.as_ref().is_none_or(|is_waiting| is_waiting());
        waits && !ENDING.load(Ordering::SeqCst)
    }
}

/// Ends the children that only read, of all threads, and waits for that a moment. None may be started again.
pub fn end_all() {
    ENDING.store(true, Ordering::SeqCst);
    for _ in 0..20 {
        if RUNNING.load(Ordering::SeqCst) == 0 {
            return;
        }
        std::thread::sleep(LOOK / 5);
    }
}

/// Counts a child for as long as it runs.
struct Counted(Child);

impl Counted {
    fn new(child: Child) -> Counted {
        RUNNING.fetch_add(1, Ordering::SeqCst);
        Counted(child)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs a prepared command that only reads, to its end or until nobody waits for it.
///
/// Fails with [`Error::NobodyWaits`] in the latter case.
pub(super) fn wait(mut command: Command) -> Result<Finished, Error> {
    let spawned = command.spawn();
    let child = spawned.map_err(|source| Error::GitNotFound { source })?;
    let mut child = Counted::new(child);
    let (stdout, stderr) = (child.0.stdout.take(), child.0.stderr.take());
    let asker = Asker::of_this_thread();
    let (said, heard) = mpsc::channel();
    std::thread::scope(|scope| {
        let out = scope.spawn(move || {
            let bytes = drain(stdout);
            // The receiver may have gone.
            let _ = said.send(());
            bytes
        });
        let err = scope.spawn(move || drain(stderr));
        let is_ended = loop {
            match heard.recv_timeout(LOOK) {
                Err(RecvTimeoutError::Timeout) if asker.is_waiting() => {}
                Err(RecvTimeoutError::Timeout) => {
                    // It may have ended by itself meanwhile.
                    let _ = child.0.kill();
                    break true;
                }
                Ok(()) | Err(RecvTimeoutError::Disconnected) => break false,
            }
        };
        let status = child.0.wait().map_err(Error::io("git"))?;
        if is_ended {
            return Err(Error::NobodyWaits);
        }
        Ok(Finished {
            status,
            stdout: out.join().unwrap_or_default(),
            stderr: super::program::shorten(&err.join().unwrap_or_default()),
        })
    })
}

/// Reads a pipe to its end; what was read before an error is kept.
pub(super) fn drain(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::process::Stdio;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    #[test]
    fn a_child_ends_when_nobody_waits_and_not_before() {
        let all = wait(shell("echo out; echo err >&2; exit 3")).unwrap();
        assert_eq!(all.status.code(), Some(3));
        assert_eq!((&all.stdout[..], &all.stderr[..]), (&b"out\n"[..], "err\n"));
        let (gone, seen) = (Arc::new(AtomicBool::new(false)), AtomicUsize::new(0));
        let told = gone.clone();
        let asker = Asker::new(move || {
            // The third look finds nobody.
            let is_gone = seen.fetch_add(1, Ordering::SeqCst) >= 2;
            told.store(is_gone, Ordering::SeqCst);
            !is_gone
        });
        // It would run for an hour, and its child holds no pipe of ours.
        let ended = asker.on_this_thread(|| wait(shell("exec sleep 3600")));
        assert!(matches!(ended, Err(Error::NobodyWaits)));
        assert!(gone.load(Ordering::SeqCst));
        // Afterwards nobody has stopped waiting.
        assert!(wait(shell("sleep .2")).is_ok());
    }
}
