//! How much memory a thread uses.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

thread_local! {
    /// What the thread holds, and the most that it held.
    static USED: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
    /// The most bytes that it gets at once.
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
}

fn count(bytes: isize) {
    // Threads that end may have no counter any more.
    let _ = USED.try_with(|used| {
        let now = used.get().0 + bytes;
        used.set((now, used.get().1.max(now)));
    });
}

// SAFETY: the system allocates; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if LIMIT.try_with(|limit| layout.size() > limit.get()).unwrap_or(false) {
            return std::ptr::null_mut();
        }
        count(layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(ptr, layout) }
    }
}

/// The most bytes that the thread held at once during a call, beside what it held before.
pub(super) fn peak(call: impl FnOnce()) -> usize {
    let before = USED.get().0;
    USED.set((before, before));
    call();
    (USED.get().1 - before) as usize
}

/// Calls where memory lacks: no piece of it has more bytes than the limit.
pub(super) fn limited(limit: usize, call: impl FnOnce()) {
    LIMIT.set(limit);
    call();
    LIMIT.set(usize::MAX);
}
