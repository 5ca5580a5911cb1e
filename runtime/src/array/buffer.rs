//! Recycled, aligned memory. Page faults cost more than the work on large results, so a freed
//! block goes to a free list by size class and is handed out again.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use super::block;
use crate::types::{Result, err};

/// Data of this size and above lies in buffers; smaller data in the blocks of arrays.
pub(super) const RECYCLED: usize = 1024;
/// Four size classes per power of two keep the waste below a quarter.
const CLASSES: usize = 4 * usize::BITS as usize;

/// A block of initialized bytes, owned by one handle.
///
/// Every byte is initialized: fresh memory is zeroed by the allocator (free for large blocks,
/// which come as zero pages), recycled memory keeps what was written to it.
pub(super) struct Buffer {
    ptr: NonNull<u8>,
    capacity: usize,
}

// SAFETY: a buffer owns its memory; access follows the borrow rules of its handle.
unsafe impl Send for Buffer {}
// SAFETY: as above; shared access only reads.
unsafe impl Sync for Buffer {}

struct Pool {
    free: Vec<Vec<Buffer>>,
    held: usize,
}

static POOL: Mutex<Pool> = Mutex::new(Pool { free: Vec::new(), held: 0 });
static LIMIT: AtomicUsize = AtomicUsize::new(1 << 30);

fn pool() -> MutexGuard<'static, Pool> {
    // The pool is consistent between any two statements, so a poisoned lock is still good.
    POOL.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Bounds the bytes of freed large arrays that are kept for reuse (1 GiB unless set). With 0,
/// memory is given back at once, also that of small arrays, of which each thread otherwise keeps
/// some 100 KiB. Returns the previous bound. Kernels keep as many bytes to work in, and 64 MiB at most.
///
/// ```
/// use extype::array::set_pool_limit;
/// let before = set_pool_limit(1 << 20);
/// assert_eq!(set_pool_limit(before), 1 << 20);
/// ```
pub fn set_pool_limit(bytes: usize) -> usize {
    let before = LIMIT.swap(bytes, Ordering::Relaxed);
    extype_kernels::keep_at_most(bytes);
    if pool().held > bytes {
        give_back();
    }
    if bytes == 0 {
        block::empty_lists();
    }
    before
}

/// True if freed memory is given back at once.
#[inline]
pub(super) fn keeps_nothing() -> bool {
    LIMIT.load(Ordering::Relaxed) == 0
}

/// Gives back the memory that is kept for reuse, here and by kernels.
pub(super) fn give_back() {
    extype_kernels::give_back();
    let dropped = {
        let mut pool = pool();
        pool.held = 0;
        std::mem::take(&mut pool.free)
    };
    dropped.into_iter().flatten().for_each(Buffer::release);
}

/// The class of a size and the capacity that the class has.
fn class_of(bytes: usize) -> (usize, usize) {
    let top = (usize::BITS - 1 - bytes.leading_zeros()) as usize;
    let step = 1usize << top.saturating_sub(2);
    let capacity = bytes.div_ceil(step) * step;
    let top = (usize::BITS - 1 - capacity.leading_zeros()) as usize;
    (4 * top + ((capacity >> top.saturating_sub(2)) & 3), capacity)
}

fn layout(capacity: usize) -> Result<Layout> {
    Layout::from_size_align(capacity, 64)
        .map_err(|_| err!(ResourceExhausted, "{capacity} bytes do not fit memory"))
}

impl Buffer {
    /// A block of at least `bytes` bytes. If there is no memory, the memory that is kept for reuse
    /// is given back first.
    ///
    /// # Errors
    /// `ResourceExhausted` if there is no memory then either.
    pub(super) fn new(bytes: usize) -> Result<Buffer> {
        let (class, capacity) = class_of(bytes.max(RECYCLED));
        {
            let mut pool = pool();
            if let Some(buffer) = pool.free.get_mut(class).and_then(Vec::pop) {
                pool.held -= buffer.capacity;
                return Ok(buffer);
            }
        }
        Self::allocate(capacity).or_else(|_| {
            give_back();
            Self::allocate(capacity)
        })
    }

    fn allocate(capacity: usize) -> Result<Buffer> {
        let ptr = if huge::serves(capacity) {
            huge::map(capacity)
        } else {
            // SAFETY: the layout has a size above zero.
            NonNull::new(unsafe { alloc_zeroed(layout(capacity)?) })
        };
        ptr.map(|ptr| Buffer { ptr, capacity })
            .ok_or_else(|| err!(ResourceExhausted, "no memory for {capacity} bytes"))
    }

    /// Frees the memory without looking at the pool.
    fn release(self) {
        let this = std::mem::ManuallyDrop::new(self);
        if huge::serves(this.capacity) {
            // SAFETY: mapped with this capacity in `allocate`, unmapped once: the handle is gone.
            unsafe { huge::unmap(this.ptr, this.capacity) }
        } else if let Ok(layout) = layout(this.capacity) {
            // SAFETY: allocated with this layout in `allocate`, freed once: the handle is gone.
            unsafe { dealloc(this.ptr.as_ptr(), layout) }
        }
    }

    /// The start of the block; whoever writes to it must be its only user.
    pub(super) fn as_ptr(&self) -> NonNull<u8> {
        self.ptr
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let whole = Buffer { ptr: self.ptr, capacity: self.capacity };
        let limit = LIMIT.load(Ordering::Relaxed);
        if whole.capacity <= limit {
            let mut pool = pool();
            if pool.held + whole.capacity <= limit {
                let (class, _) = class_of(whole.capacity);
                if pool.free.is_empty() {
                    pool.free.resize_with(CLASSES, Vec::new);
                    extype_kernels::on_shortage(give_back);
                }
                pool.held += whole.capacity;
                pool.free[class].push(whole);
                return;
            }
        }
        whole.release();
    }
}

/// Blocks on huge pages: a large op on 4 KiB pages spends much of its time on missing address
/// translations.
#[cfg(all(target_os = "linux", not(miri)))]
mod huge {
    use std::ptr::NonNull;

    const PAGE: usize = 2 << 20;

    /// Blocks of this size are mapped; classes above it are multiples of small pages.
    pub(super) fn serves(capacity: usize) -> bool {
        capacity >= 2 * PAGE
    }

    /// A zeroed block that starts on a huge page.
    pub(super) fn map(capacity: usize) -> Option<NonNull<u8>> {
        let size = capacity.checked_add(PAGE)?;
        let (access, kind) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a fresh anonymous mapping touches no memory that is in use.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), size, access, kind, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        let head = start.align_offset(PAGE);
        let block = start.wrapping_byte_add(head);
        // SAFETY: head and tail are parts of this mapping that nobody uses; both calls leave the
        // block between them as it is. The advice may be ignored.
        unsafe {
            if head > 0 {
                libc::munmap(start, head);
            }
            if PAGE > head {
                libc::munmap(block.wrapping_byte_add(capacity), PAGE - head);
            }
            libc::madvise(block, capacity, libc::MADV_HUGEPAGE);
        }
        NonNull::new(block.cast())
    }

    /// # Safety
    /// The block was mapped with this capacity, and nothing uses it any more.
    pub(super) unsafe fn unmap(block: NonNull<u8>, capacity: usize) {
        // SAFETY: as this function requires.
        unsafe { libc::munmap(block.as_ptr().cast(), capacity) };
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod huge {
    use std::ptr::NonNull;

    pub(super) fn serves(_: usize) -> bool {
        false
    }

    pub(super) fn map(_: usize) -> Option<NonNull<u8>> {
        None
    }

    /// # Safety
    /// Never called: nothing is mapped.
    pub(super) unsafe fn unmap(_: NonNull<u8>, _: usize) {}
}

/// Held by tests that inspect the pool or change its bound.
#[cfg(test)]
pub(super) static ALONE: Mutex<()> = Mutex::new(());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_their_sizes() {
        for bytes in [1024usize, 1025, 1279, 1280, 4096, 5000, (1 << 26) + 1] {
            let (class, capacity) = class_of(bytes);
            assert!(capacity >= bytes && capacity < bytes + bytes / 3, "{bytes} {capacity}");
            assert_eq!(class_of(capacity), (class, capacity));
        }
    }

    #[test]
    fn large_blocks_are_recycled() {
        let _alone = ALONE.lock();
        let size = 3_333_333;
        let first = Buffer::new(size).unwrap();
        let at = first.as_ptr();
        drop(first);
        assert_eq!(Buffer::new(size - 1000).unwrap().as_ptr(), at);
    }
}
