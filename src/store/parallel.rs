//! Work on a few threads, with results in order.

use crate::git::interrupt::Asker;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Number of threads that this machine runs at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Applies `work` to every item, with what `begin` makes for each thread. The results are in the order of
/// the items, whatever the number of threads. Who has asked on this thread has asked on all of them.
pub fn map<T: Sync, S, R: Send>(
    items: &[T],
    threads: usize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.min(items.len());
    if threads < 2 {
        let mut state = begin();
        return items.iter().map(|item| work(&mut state, item)).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let take_items = || {
        let mut state = begin();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            let result = work(&mut state, item);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((at, result));
        }
    };
    let asker = Asker::of_this_thread();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| asker.on_this_thread(take_items));
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn order_is_that_of_the_items() {
        let items: Vec<u32> = (0..1000).collect();
        let doubled: Vec<u32> = items.iter().map(|n| n * 2).collect();
        for threads in [0, 1, 2, 5] {
            assert_eq!(super::map(&items, threads, || (), |(), n| n * 2), doubled);
        }
        assert!(super::map(&[0_u32; 0], 4, || (), |(), n| *n).is_empty());
    }
}
