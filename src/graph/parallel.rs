//! Work on a few threads, with results in order.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Items a thread takes at a time.
const BATCH: usize = 32;

/// Applies `f` to every item; the result is in the order of the items whatever the thread count.
pub(super) fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    f: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    map_with(items, threads, || (), |(), item| f(item))
}

/// The same, with something that each thread has of its own.
pub(super) fn map_with<T: Sync, R: Send, O>(
    items: &[T],
    threads: usize,
    own: impl Fn() -> O + Sync,
    f: impl Fn(&O, &T) -> R + Sync,
) -> Vec<R> {
    if threads < 2 || items.len() <= BATCH {
        let own = own();
        return items.iter().map(|item| f(&own, item)).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let own = own();
        let mut done: Vec<(usize, Vec<R>)> = Vec::new();
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            if start >= items.len() {
                return done;
            }
            let end = (start + BATCH).min(items.len());
            done.push((
                start,
                items[start..end].iter().map(|item| f(&own, item)).collect(),
            ));
        }
    };
    let mut parts: Vec<(usize, Vec<R>)> = std::thread::scope(|scope| {
        let spawned: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut parts = work();
        for thread in spawned {
            let joined = thread.join();
            parts.extend(joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        parts
    });
    parts.sort_by_key(|(start, _)| *start);
    parts.into_iter().flat_map(|(_, part)| part).collect()
}

/// Does two things, at once when there are two threads.
pub(super) fn both<A: Send, B>(
    threads: usize,
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B,
) -> (A, B) {
    if threads < 2 {
        return (a(), b());
    }
    std::thread::scope(|scope| {
        let a = scope.spawn(a);
        let b = b();
        let joined = a.join();
        let a = joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (a, b)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn order_is_that_of_the_items() {
        let items: Vec<u32> = (0..1000).collect();
        let doubled: Vec<u32> = items.iter().map(|i| i * 2).collect();
        for threads in [1, 2, 5] {
            assert_eq!(super::map(&items, threads, |i| i * 2), doubled);
        }
    }
}
