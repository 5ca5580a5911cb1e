//! Traffic between the caches and memory.
//!
//! An ordinary store first reads the cache line it writes to. If the result is evicted before it is read, that is a
//! third of the memory traffic of an addition. So results that are too large for the cache are computed in blocks that
//! stay in the first-level cache and are written by non-temporal stores.

use crate::element::Element;
use core::mem::MaybeUninit;

/// The size of an operand or a result, in bytes, from which on the cache is of no use.
const BEYOND_CACHE: usize = 16 << 20;

/// Proof that this CPU has the instructions to write past the cache.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PastCache(());

impl PastCache {
    /// Copies bytes past the cache.
    ///
    /// # Safety
    /// The pointers are valid for so many bytes, which are initialized and do not overlap.
    pub(crate) unsafe fn copy(self, from: *const u8, to: *mut u8, len: usize) {
        // SAFETY: as this function requires; the proof is one of AVX.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            x86::copy(from, to, len);
        }
        // SAFETY: likewise.
        #[cfg(not(target_arch = "x86_64"))]
        unsafe {
            to.copy_from_nonoverlapping(from, len);
        }
    }

    /// Makes other threads see what was copied before what is written from now on.
    pub(crate) fn finish(self) {
        // SAFETY: part of SSE, which every x86-64 CPU has.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            core::arch::x86_64::_mm_sfence();
        }
    }
}

/// Asks for so many bytes of memory, which are read soon. Any address will do.
#[inline]
pub(crate) fn prefetch(at: *const u8, len: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..len).step_by(64) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: part of SSE, which every x86-64 CPU has. It does not fail at addresses that are not valid.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.wrapping_add(line).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (at, len);
}

/// The callback of [`fill`]: it gets the start of a block and the block.
pub(crate) type Blocks<'f, R> = &'f dyn Fn(usize, &mut [MaybeUninit<R>]);

/// Whether so many bytes are more than the cache keeps.
pub(crate) fn is_beyond_cache(bytes: usize) -> bool {
    bytes >= BEYOND_CACHE
}

/// Whether a result of this size should be written past the cache.
pub(crate) fn pays(bytes: usize) -> Option<PastCache> {
    #[cfg(target_arch = "x86_64")]
    return (is_beyond_cache(bytes) && is_x86_feature_detected!("avx")).then_some(PastCache(()));
    #[cfg(not(target_arch = "x86_64"))]
    return None;
}

/// Fills `out` by calls of `f(start, block)` for consecutive blocks of it, past
/// the cache if [`pays`] said so. Each call has to write all of its block.
pub(crate) fn fill<R: Element>(
    out: &mut [MaybeUninit<R>],
    streaming: Option<PastCache>,
    f: Blocks<'_, R>,
) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx) = streaming {
        return x86::fill(avx, out, f);
    }
    let _ = streaming;
    f(0, out);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Blocks, PastCache};
    use crate::element::Element;
    use core::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm256_stream_si256};
    use core::mem::MaybeUninit;

    const BLOCK_BYTES: usize = 4096;
    const VECTOR_BYTES: usize = size_of::<__m256i>();
    const LINE_BYTES: usize = 64;

    /// Room for a block of any element type, aligned for vector loads.
    #[repr(align(64))]
    struct Buffer([MaybeUninit<u8>; BLOCK_BYTES]);

    pub(super) fn fill<R: Element>(
        past_cache: PastCache,
        out: &mut [MaybeUninit<R>],
        f: Blocks<'_, R>,
    ) {
        const { assert!(align_of::<R>() <= LINE_BYTES && BLOCK_BYTES.is_multiple_of(size_of::<R>())) };
        let mut buffer = Buffer([const { MaybeUninit::uninit() }; BLOCK_BYTES]);
        // SAFETY: the buffer is aligned for `R` and holds this many; an
        // uninitialized byte is a valid part of a `MaybeUninit<R>`.
        let block = unsafe {
            core::slice::from_raw_parts_mut(
                buffer.0.as_mut_ptr().cast::<MaybeUninit<R>>(),
                BLOCK_BYTES / size_of::<R>(),
            )
        };

        // From there on, blocks are whole cache lines.
        let head = out.as_ptr().align_offset(LINE_BYTES).min(out.len());
        let (first, rest) = out.split_at_mut(head);
        f(0, first);
        let mut start = head;
        let mut blocks = rest.chunks_exact_mut(block.len());
        for out in blocks.by_ref() {
            f(start, block);
            start += block.len();
            // SAFETY: kernels write all of a block, elements have no padding, and both sides are `BLOCK_BYTES` long.
            unsafe { past_cache.copy(block.as_ptr().cast(), out.as_mut_ptr().cast(), BLOCK_BYTES) };
        }
        past_cache.finish();
        f(start, blocks.into_remainder());
    }

    /// # Safety
    /// As [`PastCache::copy`], and the CPU has AVX.
    #[target_feature(enable = "avx")]
    pub(super) unsafe fn copy(from: *const u8, to: *mut u8, len: usize) {
        // Only whole vectors at their places are stored past the cache.
        let head = to.align_offset(VECTOR_BYTES).min(len);
        let tail = (len - head) % VECTOR_BYTES;
        // SAFETY: these parts make up the bytes, and those in the middle are aligned at `to`.
        unsafe {
            to.copy_from_nonoverlapping(from, head);
            for i in (head..len - tail).step_by(VECTOR_BYTES) {
                let vector = _mm256_loadu_si256(from.add(i).cast());
                _mm256_stream_si256(to.add(i).cast(), vector);
            }
            to.add(len - tail).copy_from_nonoverlapping(from.add(len - tail), tail);
        }
    }
}
