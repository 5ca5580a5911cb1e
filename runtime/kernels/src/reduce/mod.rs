//! Reductions over any set of dimensions, arg-reductions and scans.
//!
//! A [`ReduceLayout`] simplifies the shape to alternating kept and reduced dimensions; a [`Reducer`] says what to do
//! with the elements. Floating-point sums are computed in blocks and lanes, which makes them both fast and accurate.
//! The grouping depends on the shape alone, so that threads do not change a result.

mod arg;
mod layout;
mod reducers;
mod scan;

pub use arg::{arg_max, arg_min};
pub use layout::ReduceLayout;
use layout::Runs;
pub use reducers::{Accumulate, All, Any, LogSumExp, Max, Mean, Min, Prod, Squares, Sum};
pub use scan::{ScanMode, scan};

use crate::counter::Counter;
use crate::element::Element;
use crate::par::{Par, simd};
use core::mem::MaybeUninit;

/// What to do with the elements of a reduction.
///
/// `merge` has to be associative up to rounding with `identity` as its neutral
/// element; the elements are grouped freely.
pub trait Reducer<T>: Copy + Send + Sync {
    /// Whether compiling the loops for each CPU level pays.
    const LEVELS: bool = true;
    /// The accumulator.
    type Acc: Copy + Send + Sync;
    /// The result.
    type Out;
    /// The initial accumulator.
    fn identity(&self) -> Self::Acc;
    /// Takes one element into an accumulator.
    fn fold(&self, acc: Self::Acc, x: T) -> Self::Acc;
    /// Merges two accumulators.
    fn merge(&self, a: Self::Acc, b: Self::Acc) -> Self::Acc;
    /// True if no element changes the accumulator any more.
    #[inline(always)]
    fn is_settled(&self, _acc: &Self::Acc) -> bool {
        false
    }
    /// The result for `count` elements.
    fn finish(&self, acc: Self::Acc, count: usize) -> Self::Out;
}

/// Independent accumulators for a contiguous run.
const LANES: usize = 32;
/// Elements folded into lanes before the lanes are merged.
const BLOCK: usize = 4096;
/// Runs up to this length are folded together by one call.
const SHORT: usize = 2048;
/// Elements per task when threads share one long run.
const TASK: usize = 1 << 16;
/// Outputs whose runs are folded together.
const OUTPUTS: usize = 128;
/// The bytes of the accumulators of columns that are reduced side by side: half of the first-level cache. Long pieces of
/// rows are read faster than short ones.
const COLUMN_BYTES: usize = 16 << 10;
/// Rows folded into columns before the columns are merged.
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
    reduce_to(x, layout, out, par, reducer, &finish(|acc, count| reducer.finish(acc, count)));
}

/// Makes results from accumulators and the number of elements of each.
pub(crate) type Finish<'f, A, R> = &'f (dyn Fn(&[A], usize, &mut [MaybeUninit<R>]) + Sync);

/// A [`Finish`] that is called for each result.
pub(crate) fn finish<A: Copy, R>(
    f: impl Fn(A, usize) -> R,
) -> impl Fn(&[A], usize, &mut [MaybeUninit<R>]) {
    move |accs, count, out| {
        for (out, &acc) in out.iter_mut().zip(accs) {
            out.write(f(acc, count));
        }
    }
}

/// [`reduce`] with a separate `finish`, so that reductions that differ only in it share loops.
pub(crate) fn reduce_to<T, Q, R>(
    x: &[T],
    layout: &ReduceLayout,
    out: &mut [MaybeUninit<R>],
    par: Par,
    reducer: Q,
    finish: Finish<'_, Q::Acc, R>,
) where
    T: Element,
    Q: Reducer<T>,
    R: Send,
{
    assert_eq!(x.len(), layout.in_len(), "operand does not have the shape of the layout");
    assert_eq!(out.len(), layout.out_len(), "result does not have the shape of the layout");
    if x.is_empty() {
        let nothing = [reducer.identity(); OUTPUTS];
        return out.chunks_mut(OUTPUTS).for_each(|out| finish(&nothing[..out.len()], 0, out));
    }
    if layout.inner_is_reduced() && out.len() < 2 * par.threads() {
        return runs(x, layout, 0, out, par, reducer, finish);
    }
    let unit = if layout.inner_is_reduced() { 1 } else { 64 };
    par.for_parts(out, unit, x.len(), &|start, out| {
        if layout.inner_is_reduced() {
            runs(x, layout, start, out, Par::Seq, reducer, finish);
        } else {
            columns(x, layout, start, out, reducer, finish);
        }
    });
}

/// Reduces where the innermost dimension is reduced; `out` begins at index `start` of the result.
fn runs<T, Q, R>(
    x: &[T],
    layout: &ReduceLayout,
    start: usize,
    out: &mut [MaybeUninit<R>],
    par: Par,
    reducer: Q,
    finish: Finish<'_, Q::Acc, R>,
) where
    T: Element,
    Q: Reducer<T>,
{
    let plan = layout.runs();
    let long = plan.run_len > SHORT;
    let mut accs = [reducer.identity(); OUTPUTS];
    for (i, out) in out.chunks_mut(OUTPUTS).enumerate() {
        let (start, accs) = (start + i * OUTPUTS, &mut accs[..out.len()]);
        if long {
            fold_runs(plan, start, accs, reducer, |at| {
                fold_long(&x[at..at + plan.run_len], par, reducer)
            });
        } else {
            short_runs(x, plan, start, accs, reducer);
        }
        finish(accs, layout.count(), out);
    }
}

/// [`runs`] for runs that are too short for a call each.
#[inline(never)]
fn short_runs<T: Element, Q: Reducer<T>>(
    x: &[T],
    plan: Runs<'_>,
    start: usize,
    accs: &mut [Q::Acc],
    reducer: Q,
) {
    levels::<T, Q, _>(
        #[inline(always)]
        || {
            fold_runs(
                plan,
                start,
                accs,
                reducer,
                #[inline(always)]
                |at| fold_block(&x[at..at + plan.run_len], reducer),
            );
        },
    );
}

/// Runs loops compiled for each CPU level, or only once.
#[inline(always)]
fn levels<T: Element, Q: Reducer<T>, A>(f: impl FnOnce() -> A) -> A {
    if T::LEVELS && Q::LEVELS { simd(f) } else { f() }
}

/// For each output, merges `fold(offset)` over the runs that belong to it.
#[inline(always)]
fn fold_runs<T, Q: Reducer<T>>(
    plan: Runs<'_>,
    start: usize,
    accs: &mut [Q::Acc],
    reducer: Q,
    fold: impl Fn(usize) -> Q::Acc,
) {
    let mut kept = Counter::new(plan.kept, start);
    let mut reduced = Counter::new(plan.reduced, 0);
    for out in accs {
        let mut acc = reducer.identity();
        for _ in 0..plan.count {
            acc = reducer.merge(acc, fold(kept.offsets[0] + reduced.offsets[0]));
            // The last one is followed by the first, ready for the next output.
            reduced.advance(plan.reduced);
        }
        *out = acc;
        kept.advance(plan.kept);
    }
}

/// Folds a run of any length, shared by threads if long enough.
fn fold_long<T: Element, Q: Reducer<T>>(x: &[T], par: Par, reducer: Q) -> Q::Acc {
    fold_tasks(x, par.for_work(x.len()), reducer)
}

/// Folds task by task and merges in pairs, to keep rounding errors small.
fn fold_tasks<T: Element, Q: Reducer<T>>(x: &[T], par: Par, reducer: Q) -> Q::Acc {
    let tasks = x.len().div_ceil(TASK);
    if tasks < 2 {
        return fold_blocks(x, reducer);
    }
    let (left, right) = x.split_at(tasks / 2 * TASK);
    let (mut a, mut b) = (reducer.identity(), reducer.identity());
    par.join(&mut || a = fold_tasks(left, par, reducer), &mut || {
        b = fold_tasks(right, par, reducer);
    });
    reducer.merge(a, b)
}

/// Folds block by block.
#[inline(never)]
fn fold_blocks<T: Element, Q: Reducer<T>>(x: &[T], reducer: Q) -> Q::Acc {
    levels::<T, Q, _>(
        #[inline(always)]
        || {
            let mut acc = reducer.identity();
            for block in x.chunks(BLOCK) {
                acc = reducer.merge(acc, fold_block(block, reducer));
                if reducer.is_settled(&acc) {
                    break;
                }
            }
            acc
        },
    )
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
        // The lanes are forced into memory. Without that, LLVM pairs them as the merges below do, and the loop above runs
        // on vectors of two elements.
        let lanes = core::hint::black_box(lanes);
        let lanes: [_; LANES / 2] = halved(&lanes, reducer);
        let lanes: [_; LANES / 4] = halved(&lanes, reducer);
        let lanes: [_; LANES / 8] = halved(&lanes, reducer);
        let lanes: [_; LANES / 16] = halved(&lanes, reducer);
        total = reducer.merge(lanes[0], lanes[1]);
    }
    for &x in rest {
        total = reducer.fold(total, x);
    }
    total
}

/// Merges lanes with those half of the lanes away.
#[inline(always)]
fn halved<T, Q: Reducer<T>, const N: usize>(lanes: &[Q::Acc], reducer: Q) -> [Q::Acc; N] {
    core::array::from_fn(
        #[inline(always)]
        |i| reducer.merge(lanes[i], lanes[i + N]),
    )
}

/// Reduces where the innermost dimension is kept; `out` begins at index `start` of the result.
fn columns<T: Element, Q: Reducer<T>, R>(
    x: &[T],
    layout: &ReduceLayout,
    start: usize,
    out: &mut [MaybeUninit<R>],
    reducer: Q,
    finish: Finish<'_, Q::Acc, R>,
) {
    let plan = layout.runs();
    let row_len = plan.run_len;
    let mut kept = Counter::new(plan.kept, start / row_len);
    let mut column = start % row_len;
    let mut rest = out;
    while !rest.is_empty() {
        let len = rest.len().min(row_len - column).min(Columns::room_for::<Q::Acc>());
        let (out, after) = rest.split_at_mut(len);
        column_block(x, plan, kept.offsets[0] + column, out.len(), reducer, &mut |totals| {
            finish(totals, layout.count(), out);
        });
        rest = after;
        column += len;
        if column == row_len {
            column = 0;
            kept.advance(plan.kept);
        }
    }
}

/// Reduces neighbouring columns that start at `at`; [`Columns`] has room for them.
#[inline(never)]
fn column_block<T: Element, Q: Reducer<T>>(
    x: &[T],
    plan: Runs<'_>,
    at: usize,
    len: usize,
    reducer: Q,
    put: &mut dyn FnMut(&[Q::Acc]),
) {
    levels::<T, Q, _>(
        #[inline(always)]
        || column_loops(x, plan, at, len, reducer, put),
    );
}

#[inline(always)]
fn column_loops<T: Copy, Q: Reducer<T>>(
    x: &[T],
    plan: Runs<'_>,
    at: usize,
    len: usize,
    reducer: Q,
    put: &mut dyn FnMut(&[Q::Acc]),
) {
    let (mut total_room, mut room) = (Columns::new(), Columns::new());
    let totals = total_room.filled(len, reducer.identity());
    let mut rows = Counter::new(plan.reduced, 0);
    let mut row = || {
        let from = at + rows.offsets[0];
        rows.advance(plan.reduced);
        &x[from..from + len]
    };
    let mut left = plan.count;
    while left > 0 {
        let count = left.min(ROWS);
        let accs = room.filled(len, reducer.identity());
        for _ in 0..count / 4 {
            // Four rows at a time save three of four round trips of `accs`.
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
    put(totals);
}

/// Room for accumulators.
#[repr(align(64))]
struct Columns([MaybeUninit<u8>; COLUMN_BYTES]);

impl Columns {
    #[inline(always)]
    fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; COLUMN_BYTES])
    }

    /// The most accumulators of a type that there is room for.
    fn room_for<A>() -> usize {
        const { assert!(size_of::<A>() > 0 && align_of::<A>() <= 64) };
        COLUMN_BYTES / size_of::<A>()
    }

    /// This many accumulators of this value.
    #[inline(always)]
    fn filled<A: Copy>(&mut self, len: usize, value: A) -> &mut [A] {
        assert!(len <= Self::room_for::<A>());
        // SAFETY: there is room for as many, aligned. They are written before they count as initialized.
        unsafe {
            let accs =
                core::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast::<MaybeUninit<A>>(), len);
            accs.fill(MaybeUninit::new(value));
            &mut *(core::ptr::from_mut(accs) as *mut [A])
        }
    }
}

#[cfg(test)]
mod tests;
