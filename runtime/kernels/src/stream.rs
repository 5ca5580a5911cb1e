//! Writes results that are too large for the cache past it.
//!
//! An ordinary store first reads the cache line it writes to. If the result is evicted before it is read, that is a
//! third of the memory traffic of an addition. So such results are computed in blocks that stay in the first-level
//! cache and are written by non-temporal stores.

use crate::element::Element;
use core::mem::MaybeUninit;

/// The size of a result, in bytes, from which on the cache is of no use.
const BEYOND_CACHE: usize = 16 << 20;

/// Proof that this CPU has the instructions to write past the cache.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PastCache(());

/// The callback of [`fill`]: it gets the start of a block and the block.
pub(crate) type Blocks<'f, R> = &'f dyn Fn(usize, &mut [MaybeUninit<R>]);

/// Whether a result of this size should be written past the cache.
pub(crate) fn pays(bytes: usize) -> Option<PastCache> {
    #[cfg(target_arch = "x86_64")]
    return (bytes >= BEYOND_CACHE && is_x86_feature_detected!("avx")).then_some(PastCache(()));
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
    use core::arch::x86_64::{__m256i, _mm_sfence, _mm256_load_si256, _mm256_stream_si256};
    use core::mem::MaybeUninit;

    const BLOCK_BYTES: usize = 4096;
    const VECTOR_BYTES: usize = size_of::<__m256i>();

    /// Room for a block of any element type, aligned for vector loads.
    #[repr(align(64))]
    struct Buffer([MaybeUninit<u8>; BLOCK_BYTES]);

    pub(super) fn fill<R: Element>(_avx: PastCache, out: &mut [MaybeUninit<R>], f: Blocks<'_, R>) {
        const { assert!(align_of::<R>() <= VECTOR_BYTES && BLOCK_BYTES.is_multiple_of(size_of::<R>())) };
        let mut buffer = Buffer([const { MaybeUninit::uninit() }; BLOCK_BYTES]);
        // SAFETY: the buffer is aligned for `R` and holds this many; an
        // uninitialized byte is a valid part of a `MaybeUninit<R>`.
        let block = unsafe {
            core::slice::from_raw_parts_mut(
                buffer.0.as_mut_ptr().cast::<MaybeUninit<R>>(),
                BLOCK_BYTES / size_of::<R>(),
            )
        };

        let head = out.as_ptr().align_offset(VECTOR_BYTES).min(out.len());
        let (first, rest) = out.split_at_mut(head);
        f(0, first);
        let mut start = head;
        let mut blocks = rest.chunks_exact_mut(block.len());
        for out in blocks.by_ref() {
            f(start, block);
            start += block.len();
            // SAFETY: `_avx` proves AVX. Kernels write all of a
            // block, elements have no padding, and both sides are aligned and
            // `BLOCK_BYTES` long.
            unsafe { stream_block(block.as_ptr().cast(), out.as_mut_ptr().cast()) };
        }
        // SAFETY: part of SSE, which every x86-64 CPU has.
        unsafe { _mm_sfence() };
        f(start, blocks.into_remainder());
    }

    /// # Safety
    ///
    /// The CPU has AVX. Both pointers are aligned for vectors and valid for `BLOCK_BYTES` bytes; the bytes at `from`
    /// are initialized.
    #[target_feature(enable = "avx")]
    #[inline]
    unsafe fn stream_block(from: *const __m256i, to: *mut __m256i) {
        for i in 0..BLOCK_BYTES / VECTOR_BYTES {
            // SAFETY: in range and aligned, as this function requires.
            unsafe { _mm256_stream_si256(to.add(i), _mm256_load_si256(from.add(i))) };
        }
    }
}
