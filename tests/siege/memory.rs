//! An allocator that counts by thread what the program itself takes. What tree-sitter takes goes past
//! it and is counted by the program (`extract::most_parser_bytes`).

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes held, and the most of them at once.
    static HELD: Cell<(i64, i64)> = const { Cell::new((0, 0)) };
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

fn count(bytes: i64) {
    // A thread that ends has no counts any more.
    let _ = HELD.try_with(|held| {
        let (now, most) = held.get();
        held.set((now + bytes, most.max(now + bytes)));
    });
}

// SAFETY: everything is done by the system's allocator; counting takes no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        unsafe { System.realloc(block, layout, size) }
    }
}

/// Runs something and returns the most bytes it held at once on this thread.
pub fn most_held<T>(run: impl FnOnce() -> T) -> (T, u64) {
    let before = HELD.get().0;
    HELD.set((before, before));
    let result = run();
    (result, (HELD.get().1 - before).max(0) as u64)
}

#[test]
fn what_is_held_at_once_is_counted() {
    let ((), most) = most_held(|| {
        drop(vec![0u8; 1 << 20]);
        drop(vec![0u8; 3 << 20]);
    });
    assert!((3 << 20..4 << 20).contains(&most), "{most}");
}
