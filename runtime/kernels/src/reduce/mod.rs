//! Reductions over any set of dimensions, arg-reductions and scans.
//!
//! A [`ReduceLayout`] reduces the shape to alternating kept and reduced
//! dimensions; a [`Reducer`] says what to do with the elements. Floating-point
//! sums are made of blocks and lanes, which is what makes them both fast and
//! accurate; the grouping depends on the shape alone, so that threads do not
//! change a result.

mod arg;
mod layout;
mod reducers;
mod scan;

pub use arg::{arg_max, arg_min};
pub use layout::ReduceLayout;
pub use reducers::{
    Accumulate, All, Any, EuclideanNorm, HalfSquares, LogSumExp, Max, Mean, Min, Prod, Sum,
};
pub use scan::{ScanMode, scan};

use crate::counter::Counter;
use crate::element::Element;
use crate::par::{Par, simd_for};
use core::mem::MaybeUninit;

/// What to do with the elements of a reduction.
///
/// `merge` has to be associative up to rounding with `identity` as its neutral
/// element; the elements are grouped freely.
pub trait Reducer<T>: Copy + Send + Sync {
    /// What is carried along.
    type Acc: Copy + Send + Sync;
    /// What comes out.
    type Out;
    /// The start.
    fn identity(&self) -> Self::Acc;
    /// Takes in one element.
    fn fold(&self, acc: Self::Acc, x: T) -> Self::Acc;
    /// Joins two parts.
    fn merge(&self, a: Self::Acc, b: Self::Acc) -> Self::Acc;
    /// The result for `count` elements.
    fn finish(&self, acc: Self::Acc, count: usize) -> Self::Out;
}

/// Independent accumulators for a contiguous run.
const LANES: usize = 32;
/// Elements folded into lanes before these are merged.
const BLOCK: usize = 4096;
/// Elements of a task when one long run is shared by threads.
const TASK: usize = 1 << 16;
/// Columns reduced side by side.
const COLUMNS: usize = 512;
/// Rows folded into columns before these are merged.
const ROWS: usize = 256;

/// Reduces `x` as `layout` says, writing the kept dimensions in row-major order.
///
/// # Panics
///
/// If a length is not that of the layout.
pub fn reduce<T, Q>(
    x: &[T],
    layout: &ReduceLayout,
    out: &mut [MaybeUninit<Q::Out>],
    par: Par,
    reducer: Q,
) where
    T: Element,
    Q: Reducer<T>,
    Q::Out: Send,
{
    assert_eq!(x.len(), layout.in_len(), "operand does not have the shape of the layout");
    assert_eq!(out.len(), layout.out_len(), "result does not have the shape of the layout");
    if x.is_empty() {
        for out in out {
            out.write(reducer.finish(reducer.identity(), 0));
        }
        return;
    }
    if layout.inner_is_reduced() && out.len() < 2 * par.threads() {
        return runs(x, layout, 0, out, par, reducer);
    }
    let unit = if layout.inner_is_reduced() { 1 } else { 64 };
    par.for_parts(out, unit, x.len(), |start, out| {
        if layout.inner_is_reduced() {
            runs(x, layout, start, out, Par::Seq, reducer);
        } else {
            simd_for::<T, _>(
                #[inline(always)]
                || columns(x, layout, start, out, reducer),
            );
        }
    });
}

/// Reduces where the innermost dimension is reduced: `out` starts at `start`.
fn runs<T, Q>(
    x: &[T],
    layout: &ReduceLayout,
    start: usize,
    out: &mut [MaybeUninit<Q::Out>],
    par: Par,
    reducer: Q,
) where
    T: Element,
    Q: Reducer<T>,
{
    let run_len = layout.inner_len();
    if run_len > BLOCK {
        return for_outputs(layout, start, out, reducer, |at| {
            fold_long(&x[at..at + run_len], par, reducer)
        });
    }
    simd_for::<T, _>(
        #[inline(always)]
        || short_runs(x, layout, start, out, reducer),
    );
}

/// [`runs`] that are at most a block long.
#[inline(always)]
fn short_runs<T: Copy, Q: Reducer<T>>(
    x: &[T],
    layout: &ReduceLayout,
    start: usize,
    out: &mut [MaybeUninit<Q::Out>],
    reducer: Q,
) {
    let run_len = layout.inner_len();
    for_outputs(
        layout,
        start,
        out,
        reducer,
        #[inline(always)]
        |at| fold_block(&x[at..at + run_len], reducer),
    );
}

/// Merges, for each output, `fold(offset)` over the runs that belong to it.
#[inline(always)]
fn for_outputs<T, Q: Reducer<T>>(
    layout: &ReduceLayout,
    start: usize,
    out: &mut [MaybeUninit<Q::Out>],
    reducer: Q,
    fold: impl Fn(usize) -> Q::Acc,
) {
    let mut kept = Counter::new(layout.outer_kept(), start);
    let mut reduced = Counter::new(layout.outer_reduced(), 0);
    for out in out {
        let mut acc = reducer.identity();
        for _ in 0..layout.outer_count() {
            acc = reducer.merge(acc, fold(kept.offsets[0] + reduced.offsets[0]));
            // After the last comes the first, ready for the next output.
            reduced.advance(layout.outer_reduced());
        }
        out.write(reducer.finish(acc, layout.count()));
        kept.advance(layout.outer_kept());
    }
}

/// Folds a run of any length, shared by threads if long enough.
fn fold_long<T: Element, Q: Reducer<T>>(x: &[T], par: Par, reducer: Q) -> Q::Acc {
    let task = |x: &[T]| {
        simd_for::<T, _>(
            #[inline(always)]
            || {
                x.chunks(BLOCK).fold(
                    reducer.identity(),
                    #[inline(always)]
                    |acc, block| reducer.merge(acc, fold_block(block, reducer)),
                )
            },
        )
    };
    let part = |i: usize| task(&x[i * TASK..x.len().min((i + 1) * TASK)]);
    let parts = par.collect(x.len().div_ceil(TASK), x.len(), part);
    merge_all(&parts, reducer)
}

/// Merges in pairs, to keep rounding errors small.
fn merge_all<T, Q: Reducer<T>>(parts: &[Q::Acc], reducer: Q) -> Q::Acc {
    match parts {
        [] => reducer.identity(),
        [one] => *one,
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            reducer.merge(merge_all(left, reducer), merge_all(right, reducer))
        }
    }
}

/// Folds a run that is at most a block long.
#[inline(always)]
fn fold_block<T: Copy, Q: Reducer<T>>(x: &[T], reducer: Q) -> Q::Acc {
    let (chunks, rest) = x.as_chunks::<LANES>();
    let mut total = reducer.identity();
    if !chunks.is_empty() {
        let mut lanes = [reducer.identity(); LANES];
        for chunk in chunks {
            for (lane, &x) in lanes.iter_mut().zip(chunk) {
                *lane = reducer.fold(*lane, x);
            }
        }
        let mut width = LANES / 2;
        while width > 0 {
            for i in 0..width {
                lanes[i] = reducer.merge(lanes[i], lanes[i + width]);
            }
            width /= 2;
        }
        total = lanes[0];
    }
    for &x in rest {
        total = reducer.fold(total, x);
    }
    total
}

/// Reduces where the innermost dimension is kept: `out` starts at `start`.
#[inline(always)]
fn columns<T: Copy, Q: Reducer<T>>(
    x: &[T],
    layout: &ReduceLayout,
    start: usize,
    out: &mut [MaybeUninit<Q::Out>],
    reducer: Q,
) {
    let row_len = layout.inner_len();
    let mut kept = Counter::new(layout.outer_kept(), start / row_len);
    let mut column = start % row_len;
    let mut rest = out;
    while !rest.is_empty() {
        let len = rest.len().min(row_len - column).min(COLUMNS);
        let (out, after) = rest.split_at_mut(len);
        column_block(x, layout, kept.offsets[0] + column, out, reducer);
        rest = after;
        column += len;
        if column == row_len {
            column = 0;
            kept.advance(layout.outer_kept());
        }
    }
}

/// Reduces up to [`COLUMNS`] neighbouring columns that start at `at`.
#[inline(always)]
fn column_block<T: Copy, Q: Reducer<T>>(
    x: &[T],
    layout: &ReduceLayout,
    at: usize,
    out: &mut [MaybeUninit<Q::Out>],
    reducer: Q,
) {
    let mut totals = [reducer.identity(); COLUMNS];
    let totals = &mut totals[..out.len()];
    let mut rows = Counter::new(layout.outer_reduced(), 0);
    let mut row = || {
        let from = at + rows.offsets[0];
        rows.advance(layout.outer_reduced());
        &x[from..from + out.len()]
    };
    let mut left = layout.outer_count();
    while left > 0 {
        let count = left.min(ROWS);
        let mut accs = [reducer.identity(); COLUMNS];
        let accs = &mut accs[..totals.len()];
        for _ in 0..count / 4 {
            // Four rows at a time spare three of four round trips of `accs`.
            let rows = [row(), row(), row(), row()];
            for (j, acc) in accs.iter_mut().enumerate() {
                *acc = rows.iter().fold(*acc, |acc, row| reducer.fold(acc, row[j]));
            }
        }
        for _ in 0..count % 4 {
            for (acc, &x) in accs.iter_mut().zip(row()) {
                *acc = reducer.fold(*acc, x);
            }
        }
        for (total, &acc) in totals.iter_mut().zip(accs.iter()) {
            *total = reducer.merge(*total, acc);
        }
        left -= count;
    }
    for (out, &total) in out.iter_mut().zip(totals.iter()) {
        out.write(reducer.finish(total, layout.count()));
    }
}

#[cfg(test)]
mod tests;
