//! A bounded store of what was worked out for earlier questions about a view.
//!
//! Questions of one session share words, the frequent ones most of all, and those cost most. What is
//! kept is a pure function of its key and the view, so an answer never depends on what was asked before.

use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Results by key; those not used for longest go when there is no room.
pub struct Memo<T> {
    room: usize,
    state: Mutex<State<T>>,
}

struct State<T> {
    results: FxHashMap<Vec<u8>, Entry<T>>,
    /// Sum of the sizes.
    size: usize,
    /// Ticks with each use.
    clock: u64,
}

struct Entry<T> {
    result: Arc<T>,
    size: usize,
    used: u64,
}

impl<T> Memo<T> {
    /// Keeps results of a size of at most `room` in all.
    pub fn new(room: usize) -> Self {
        Self {
            room,
            state: Mutex::new(State {
                results: FxHashMap::default(),
                size: 0,
                clock: 0,
            }),
        }
    }

    /// The result for a key, from `make` if it is not there. What is larger than a quarter of the
    /// room is not kept: it would push out too much.
    pub fn get(&self, key: &[u8], size: impl Fn(&T) -> usize, make: impl FnOnce() -> T) -> Arc<T> {
        {
            let mut state = self.state();
            state.clock += 1;
            let now = state.clock;
            if let Some(entry) = state.results.get_mut(key) {
                entry.used = now;
                return entry.result.clone();
            }
        }
        let result = Arc::new(make());
        let size = size(&result) + key.len();
        if size <= self.room / 4 {
            let mut state = self.state();
            let (result, used) = (result.clone(), state.clock);
            let entry = Entry { result, size, used };
            if let Some(before) = state.results.insert(key.to_vec(), entry) {
                state.size -= before.size;
            }
            state.size += size;
            state.shrink(self.room);
        }
        result
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    /// Drops what was not used for longest until a quarter of the room is free again.
    fn shrink(&mut self, room: usize) {
        if self.size <= room {
            return;
        }
        let mut by_use: Vec<(u64, Vec<u8>)> = Vec::with_capacity(self.results.len());
        by_use.extend(self.results.iter().map(|(key, e)| (e.used, key.clone())));
        by_use.sort_unstable();
        for (_, key) in by_use {
            if self.size <= room / 4 * 3 {
                break;
            }
            if let Some(entry) = self.results.remove(&key) {
                self.size -= entry.size;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_last_stays() {
        let kept: Memo<Vec<u8>> = Memo::new(100);
        let ask = |key: &[u8]| {
            let mut made = false;
            kept.get(key, Vec::len, || {
                made = true;
                vec![0; 19]
            });
            made
        };
        assert!(ask(b"a") && ask(b"b") && ask(b"c") && ask(b"d"));
        assert!(!ask(b"a"));
        assert!(ask(b"e") && ask(b"f"));
        assert!(!ask(b"a"), "used lately");
        assert!(ask(b"b"), "not used for longest");
    }

    #[test]
    fn what_is_too_large_is_given_and_not_kept() {
        let kept: Memo<Vec<u8>> = Memo::new(100);
        for _ in 0..2 {
            let mut made = false;
            let result = kept.get(b"a", Vec::len, || {
                made = true;
                vec![0; 50]
            });
            assert!(made && result.len() == 50);
        }
    }
}
