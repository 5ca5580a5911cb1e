//! The index of the largest or smallest element.

use crate::element::{Cast, Element};
use crate::par::{Par, simd};
use crate::size::volume;
use core::mem::MaybeUninit;

/// Elements compared side by side.
const LANES: usize = 32;
/// Elements compared as a block before the place is searched.
const BLOCK: usize = 256;
/// Columns searched side by side.
const COLUMNS: usize = 128;

/// Writes the index of the largest element along the middle dimension of an
/// array of shape (`outer`, `axis_len`, `inner`).
///
/// Among equal elements the first wins. NaN is skipped, and the index is zero if all elements are NaN.
///
/// # Panics
///
/// If a length does not fit, or `axis_len` is zero while `out` is not empty.
pub fn arg_max<T, I>(
    x: &[T],
    [outer, axis_len, inner]: [usize; 3],
    out: &mut [MaybeUninit<I>],
    par: Par,
) where
    T: Element + PartialOrd,
    I: Element,
    i64: Cast<I>,
{
    arg_reduce(x, [outer, axis_len, inner], out, par, |a, b| a > b);
}

/// Writes the index of the smallest element along the middle dimension of an
/// array of shape (`outer`, `axis_len`, `inner`).
///
/// Among equal elements the first wins. NaN is skipped, and the index is zero if all elements are NaN.
///
/// # Panics
///
/// If a length does not fit, or `axis_len` is zero while `out` is not empty.
pub fn arg_min<T, I>(
    x: &[T],
    [outer, axis_len, inner]: [usize; 3],
    out: &mut [MaybeUninit<I>],
    par: Par,
) where
    T: Element + PartialOrd,
    I: Element,
    i64: Cast<I>,
{
    arg_reduce(x, [outer, axis_len, inner], out, par, |a, b| a < b);
}

fn arg_reduce<T, I>(
    x: &[T],
    [outer, axis_len, inner]: [usize; 3],
    out: &mut [MaybeUninit<I>],
    par: Par,
    beats: impl Fn(T, T) -> bool + Copy + Sync,
) where
    T: Element,
    I: Element,
    i64: Cast<I>,
{
    assert_eq!(x.len(), volume([outer, axis_len, inner]), "operand does not have the shape given");
    assert_eq!(out.len(), volume([outer, inner]), "result does not have the shape given");
    if out.is_empty() {
        return;
    }
    assert!(axis_len > 0, "an empty axis has no extremum");
    // NaN equals nothing, not even itself, and any number replaces it.
    let better = |a: T, b: T| {
        #[expect(clippy::eq_op, reason = "tells NaN in a way that suits every type")]
        let replaces_nan = b != b && a == a;
        beats(a, b) || replaces_nan
    };
    par.for_parts(out, inner, x.len(), &|start, out| {
        let x = &x[start * axis_len..];
        if T::LEVELS {
            simd(
                #[inline(always)]
                || best_of_slabs(x, axis_len, inner, out, beats, better),
            );
        } else {
            best_of_slabs(x, axis_len, inner, out, beats, better);
        }
    });
}

#[inline(always)]
fn best_of_slabs<T, I>(
    x: &[T],
    axis_len: usize,
    inner: usize,
    out: &mut [MaybeUninit<I>],
    beats: impl Fn(T, T) -> bool + Copy,
    better: impl Fn(T, T) -> bool + Copy,
) where
    T: Element,
    i64: Cast<I>,
{
    let slabs = x.chunks_exact(axis_len * inner);
    for (out, x) in out.chunks_exact_mut(inner).zip(slabs) {
        if inner == 1 {
            let best = best_of_run(x, beats);
            out[0].write((best as i64).cast());
        } else {
            best_of_columns(x, out, better);
        }
    }
}

/// The place of the best element of a run; zero if there is none but NaN.
#[inline(always)]
fn best_of_run<T: Copy + PartialEq>(x: &[T], beats: impl Fn(T, T) -> bool + Copy) -> usize {
    // NaN equals nothing, not even itself, and beats nothing.
    #[expect(clippy::eq_op, reason = "tells NaN in a way that suits every type")]
    let is_number = |x: &T| x == x;
    let Some(mut place) = x.iter().position(is_number) else { return 0 };
    for (i, block) in x.chunks(BLOCK).enumerate() {
        // Finding the value vectorises; finding its place does not.
        let best = best_value(block, x[place], beats);
        if beats(best, x[place]) {
            place = i * BLOCK + block.iter().position(|&x| x == best).unwrap_or(0);
        }
    }
    place
}

/// The best element of a block, or `known` if none is better.
#[inline(always)]
fn best_value<T: Copy>(x: &[T], known: T, beats: impl Fn(T, T) -> bool + Copy) -> T {
    let mut lanes = [known; LANES];
    let (chunks, rest) = x.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = if beats(x, *lane) { x } else { *lane };
        }
    }
    let lanes = core::hint::black_box(lanes);
    lanes.iter().chain(rest).fold(known, |best, &x| if beats(x, best) { x } else { best })
}

/// The places of the best elements of columns; `x` has rows as long as `out`.
#[inline(always)]
fn best_of_columns<T, I>(x: &[T], out: &mut [MaybeUninit<I>], better: impl Fn(T, T) -> bool + Copy)
where
    T: Element,
    i64: Cast<I>,
{
    let row_len = out.len();
    for (block, out) in out.chunks_mut(COLUMNS).enumerate() {
        let mut best = [T::default(); COLUMNS];
        let mut place = [0i64; COLUMNS];
        for (i, row) in x.chunks_exact(row_len).enumerate() {
            let row = &row[block * COLUMNS..block * COLUMNS + out.len()];
            for ((best, place), &x) in best.iter_mut().zip(&mut place).zip(row) {
                let replace = i == 0 || better(x, *best);
                *place = if replace { i as i64 } else { *place };
                *best = if replace { x } else { *best };
            }
        }
        for (out, place) in out.iter_mut().zip(place) {
            out.write(place.cast());
        }
    }
}
