//! One process extracts at a time; correctness never depends on it.
//!
//! The lock is the kernel's (`flock` or its like), so it ends with the process that holds it and
//! cannot be stale. Where it cannot be had at all (some network file systems, a read-only
//! repository), work goes on without it and at worst is done twice.

use crate::cache::make_below;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long another process is waited for before its work is done a second time.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often the lock is tried.
const PAUSE: Duration = Duration::from_millis(20);

/// Held while extracting; released when dropped.
pub(super) struct ExtractionLock {
    _file: Option<File>,
    /// Whether another process held the lock first, so that the index may have changed meanwhile.
    pub waited: bool,
}

impl ExtractionLock {
    /// Takes the lock in `dir`, waiting for another process as long as is sensible.
    pub fn acquire(dir: &Path) -> Self {
        Self::within(dir, PATIENCE)
    }

    fn within(dir: &Path, patience: Duration) -> Self {
        let open = || {
            make_below(dir.parent().unwrap_or(dir), dir)?;
            File::options()
                .create(true)
                // Windows does not lock a file that is open for appending alone.
                .read(true)
                .append(true)
                .open(dir.join("lock"))
        };
        let Ok(file) = open() else {
            return Self {
                _file: None,
                waited: false,
            };
        };
        let start = Instant::now();
        let mut waited = false;
        loop {
            match file.try_lock() {
                Ok(()) => {
                    return Self {
                        _file: Some(file),
                        waited,
                    };
                }
                Err(TryLockError::WouldBlock) if start.elapsed() < patience => {
                    waited = true;
                    std::thread::sleep(PAUSE);
                }
                Err(_) => {
                    return Self {
                        _file: None,
                        waited,
                    };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_waits_and_then_goes_on_without() {
        let dir = tempfile::tempdir().unwrap();
        let first = ExtractionLock::acquire(dir.path());
        assert!(first._file.is_some() && !first.waited);
        let second = ExtractionLock::within(dir.path(), Duration::from_millis(1));
        assert!(second._file.is_none() && second.waited);
        drop(first);
        let third = ExtractionLock::acquire(dir.path());
        assert!(third._file.is_some() && !third.waited);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_no_obstacle() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "").unwrap();
        let lock = ExtractionLock::acquire(&file.join("below"));
        assert!(lock._file.is_none() && !lock.waited);
    }
}
