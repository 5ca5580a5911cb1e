//! Halves by way of `f32`: loops over them widen a block, call the loop of `f32` and round the results. So no operation
//! is compiled again for halves.

use crate::element::{Element, Half};
use crate::elementwise::{map_blocks, map_loop, paired_blocks};
use crate::memory::{OutOfMemory, room as room_for};
use crate::par::{Par, simd};
use crate::table::{MapFn, Pairing, ZipFn};
use core::mem::MaybeUninit;

/// Elements of a block.
const BLOCK: usize = 256;

/// Room for a block.
type Room<T> = [MaybeUninit<T>; BLOCK];

const fn room<T>() -> Room<T> {
    [const { MaybeUninit::uninit() }; BLOCK]
}

/// Widens halves to `f32`.
#[inline(never)]
pub(crate) fn widen<H: Element + Half>(x: &[H], out: &mut [MaybeUninit<f32>]) {
    simd(
        #[inline(always)]
        || map_loop(x, out, crate::op!(H::widen)),
    );
}

/// Rounds to halves.
#[inline(never)]
pub(crate) fn narrow<H: Element + Half>(x: &[f32], out: &mut [MaybeUninit<H>]) {
    simd(
        #[inline(always)]
        || map_loop(x, out, crate::op!(H::narrow)),
    );
}

/// All of these, widened to `f32`.
pub(crate) fn widened_whole<H: Element + Half>(x: &[H]) -> Result<Vec<f32>, OutOfMemory> {
    let mut wide = room_for(x.len())?;
    widen(x, &mut wide.spare_capacity_mut()[..x.len()]);
    // SAFETY: `widen` has written this many.
    unsafe { wide.set_len(x.len()) };
    Ok(wide)
}

/// At most a block, widened to `f32`.
fn widened<'a, H: Element + Half>(x: &[H], room: &'a mut Room<f32>) -> &'a [f32] {
    let room = &mut room[..x.len()];
    widen(x, room);
    // SAFETY: all were just written.
    unsafe { written(room) }
}

/// Calls `f` with a block of `f32` as long as `out`, at most a block, and rounds the results.
fn narrowed<H: Element + Half>(
    out: &mut [MaybeUninit<H>],
    f: impl FnOnce(&mut [MaybeUninit<f32>]),
) {
    let mut room = room();
    let room = &mut room[..out.len()];
    f(room);
    // SAFETY: kernels write every element of their result.
    narrow(unsafe { written(room) }, out);
}

/// # Safety
///
/// Every element has been written.
pub(crate) unsafe fn written<T>(x: &[MaybeUninit<T>]) -> &[T] {
    // SAFETY: the layouts are the same, and all elements are initialized.
    unsafe { &*(core::ptr::from_ref(x) as *const [T]) }
}

/// # Safety
///
/// Every element has been written.
pub(crate) unsafe fn written_mut<T>(x: &mut [MaybeUninit<T>]) -> &mut [T] {
    // SAFETY: the layouts are the same, and all elements are initialized.
    unsafe { &mut *(core::ptr::from_mut(x) as *mut [T]) }
}

/// A function of `f32`, with its results rounded.
pub(crate) fn map_by_f32<H: Element + Half>(
    x: &[H],
    out: &mut [MaybeUninit<H>],
    par: Par,
    f: MapFn<f32, f32>,
) {
    map_to_by_f32(x, out, par, &|x, out| narrowed(out, |out| f(x, out, Par::Seq)));
}

/// A function of `f32` to another type; `f` is called with at most a block.
pub(crate) fn map_to_by_f32<H: Element + Half, R: Element>(
    x: &[H],
    out: &mut [MaybeUninit<R>],
    par: Par,
    f: &(dyn Fn(&[f32], &mut [MaybeUninit<R>]) + Sync),
) {
    map_blocks(x, out, par, &|x, out| {
        let mut wide = room();
        for (x, out) in x.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
            f(widened(x, &mut wide), out);
        }
    });
}

/// A function of two `f32`, with its results rounded.
pub(crate) fn zip_by_f32<H: Element + Half>(
    x: &[H],
    y: &[H],
    pairing: Pairing<'_>,
    out: &mut [MaybeUninit<H>],
    par: Par,
    f: ZipFn<f32, f32>,
) {
    zip_to_by_f32(x, y, pairing, out, par, &|x, y, out| {
        narrowed(out, |out| f(x, y, Pairing::Each, out, Par::Seq));
    });
}

/// A function of two `f32` to another type; `f` is called with at most a block.
pub(crate) fn zip_to_by_f32<H: Element + Half, R: Element>(
    x: &[H],
    y: &[H],
    pairing: Pairing<'_>,
    out: &mut [MaybeUninit<R>],
    par: Par,
    f: &(dyn Fn(&[f32], &[f32], &mut [MaybeUninit<R>]) + Sync),
) {
    paired_blocks(x, y, pairing, out, par, &|x, y, out| {
        let (mut wide_x, mut wide_y) = (room(), room());
        let blocks = x.chunks(BLOCK).zip(y.chunks(BLOCK)).zip(out.chunks_mut(BLOCK));
        for ((x, y), out) in blocks {
            f(widened(x, &mut wide_x), widened(y, &mut wide_y), out);
        }
    });
}
