//! What tree-sitter takes from the allocator, counted by thread: a measure of a parse that is the
//! same each time, unlike a clock or the size of the process.
//!
//! Guarantees: a new parser adds the same to the counts whenever it parses the same bytes. Every
//! block is the C library's, with its size written in front. Deliberately absent: a limit. Nothing
//! can be refused here, since tree-sitter cannot go on without the memory it asks for; whoever
//! parses looks at the counts and stops in time.
#![expect(unsafe_code, reason = "tree-sitter takes allocators of C")]

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Once;
use tree_sitter::Allocator;

/// Bytes in front of a block: room for its size that keeps what follows aligned as the C library
/// aligns (16 bytes at most on all platforms Rust has).
const HEAD: usize = 16;

/// Size of an entry of the parser's stack (`StackNode` in tree-sitter 0.27) where pointers have
/// eight bytes, and where they have four. Other blocks may have that size by chance; few do.
const STACK_ENTRY: usize = if cfg!(target_pointer_width = "64") {
    232
} else {
    164
};

/// Counts of one thread.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    /// Bytes asked for since the thread began; a block that is resized counts again.
    pub(crate) requested: u64,
    /// Bytes held.
    pub(crate) held: u64,
    /// Stack entries held.
    pub(crate) stack: u64,
    /// Most bytes held at once.
    pub(crate) peak: u64,
}

thread_local! {
    static COUNTS: Cell<Counts> = const {
        Cell::new(Counts {
            requested: 0,
            held: 0,
            stack: 0,
            peak: 0,
        })
    };
}

unsafe extern "C" {
    #[link_name = "malloc"]
    fn c_malloc(size: usize) -> *mut c_void;
    #[link_name = "calloc"]
    fn c_calloc(items: usize, size: usize) -> *mut c_void;
    #[link_name = "realloc"]
    fn c_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    #[link_name = "free"]
    fn c_free(block: *mut c_void);
}

/// Makes tree-sitter count. To be called before any parser of the process is made.
pub(crate) fn count_from_now_on() {
    static ONCE: Once = Once::new();
    // SAFETY: the four functions are one family, give no null, and align as `malloc` does. The
    // call is made once. Only `extract` uses tree-sitter (tests/tidy.rs), only `parse` makes
    // parsers, after this; trees and cursors come from parsers, and what else is used (grammars
    // and their tables) takes no memory.
    ONCE.call_once(|| unsafe {
        tree_sitter::set_allocator(Some(Allocator {
            malloc,
            calloc,
            realloc,
            free,
        }));
    });
}

/// Returns the counts of this thread.
pub(crate) fn counts() -> Counts {
    COUNTS.get()
}

fn taken(size: usize) {
    let mut counts = COUNTS.get();
    counts.requested += size as u64;
    // A block may have been taken on another thread; the counts wrap rather than panic.
    counts.held = counts.held.wrapping_add(size as u64);
    counts.stack = counts.stack.wrapping_add(u64::from(size == STACK_ENTRY));
    counts.peak = counts.peak.max(counts.held);
    COUNTS.set(counts);
}

fn given_back(size: usize) {
    let mut counts = COUNTS.get();
    counts.held = counts.held.wrapping_sub(size as u64);
    counts.stack = counts.stack.wrapping_sub(u64::from(size == STACK_ENTRY));
    COUNTS.set(counts);
}

/// Returns `size` and a head, or ends the process as tree-sitter does where memory ends.
fn with_head(size: usize) -> usize {
    size.checked_add(HEAD)
        .unwrap_or_else(|| std::process::abort())
}

/// Writes the head of a new block and returns what follows it.
///
/// # Safety
/// `block` is null or has room for [`with_head`] of `size` bytes.
unsafe fn begin(block: *mut c_void, size: usize) -> *mut c_void {
    if block.is_null() {
        std::process::abort();
    }
    taken(size);
    // SAFETY: the block is not null, aligned by the C library and longer than a head.
    unsafe {
        block.cast::<usize>().write(size);
        block.byte_add(HEAD)
    }
}

/// Returns where a block's head is, and its size.
///
/// # Safety
/// `block` was returned by [`begin`] and not freed.
unsafe fn head(block: *mut c_void) -> (*mut c_void, usize) {
    // SAFETY: the head was written right before the block.
    unsafe {
        let head = block.byte_sub(HEAD);
        (head, head.cast::<usize>().read())
    }
}

/// # Safety
/// Asks nothing of the caller.
unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for, and `begin` gets what was asked for.
    unsafe { begin(c_malloc(with_head(size)), size) }
}

/// # Safety
/// Asks nothing of the caller.
unsafe extern "C" fn calloc(items: usize, size: usize) -> *mut c_void {
    let Some(size) = items.checked_mul(size) else {
        std::process::abort();
    };
    // SAFETY: as in `malloc`; what follows the head stays zero.
    unsafe { begin(c_calloc(1, with_head(size)), size) }
}

/// # Safety
/// `block` is null, or from these functions and not freed; it must not be used again.
unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    if block.is_null() {
        // SAFETY: asks nothing.
        return unsafe { malloc(size) };
    }
    // SAFETY: the caller's promise is what `head` asks for, and its head is where the C library's
    // block begins.
    unsafe {
        let (head, old) = head(block);
        given_back(old);
        begin(c_realloc(head, with_head(size)), size)
    }
}

/// # Safety
/// `block` is null, or from these functions and not freed; it must not be used again.
unsafe extern "C" fn free(block: *mut c_void) {
    if block.is_null() {
        return;
    }
    // SAFETY: as in `realloc`.
    unsafe {
        let (head, size) = head(block);
        given_back(size);
        c_free(head);
    }
}

/// Makes what is held now the most that was held.
pub(crate) fn forget_peak() {
    let mut counts = COUNTS.get();
    counts.peak = counts.held;
    COUNTS.set(counts);
}
