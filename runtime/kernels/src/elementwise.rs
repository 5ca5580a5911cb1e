//! Kernels that compute every element of the result from the operands' elements at the same place.

use crate::broadcast::{Broadcast, Broadcast3, Run};
use crate::element::Element;
use crate::par::{Par, simd, simd_if};
use crate::stream;
use crate::table::Pairing;
use core::mem::MaybeUninit;

/// The number of operand elements that are gathered before a block is computed.
pub(crate) const GATHERED: usize = 1024;
/// Results of at most this many elements use smaller blocks: clearing larger ones would cost more than the work.
const FEW: usize = 64;
/// Broadcast runs of at least this length are computed in place.
const LONG_RUN: usize = 128;

/// A unary operation on a block: the only part that is compiled for each function.
pub(crate) type MapBlock<'f, A, R> = &'f (dyn Fn(&[A], &mut [MaybeUninit<R>]) + Sync);
/// A binary operation on a block.
pub(crate) type ZipBlock<'f, A, B, R> = &'f (dyn Fn(&[A], &[B], &mut [MaybeUninit<R>]) + Sync);

/// Writes `f(x[i])` to every `out[i]`.
///
/// # Panics
///
/// If the lengths differ.
#[inline]
pub fn map<A, R, F>(x: &[A], out: &mut [MaybeUninit<R>], par: Par, f: F)
where
    A: Element,
    R: Element,
    F: Fn(A) -> R + Copy + Send + Sync,
{
    if A::LEVELS {
        map_in::<true, _, _, _>(x, out, par, f);
    } else {
        map_in::<false, _, _, _>(x, out, par, f);
    }
}

/// [`map`], compiled for each CPU level or only once.
#[inline(always)]
pub(crate) fn map_in<const LEVELS: bool, A, R, F>(
    x: &[A],
    out: &mut [MaybeUninit<R>],
    par: Par,
    f: F,
) where
    A: Element,
    R: Element,
    F: Fn(A) -> R + Copy + Send + Sync,
{
    map_blocks(x, out, par, &|x, out| {
        simd_if::<LEVELS, _>(
            #[inline(always)]
            || map_loop(x, out, f),
        );
    });
}

pub(crate) fn map_blocks<A, R>(
    x: &[A],
    out: &mut [MaybeUninit<R>],
    par: Par,
    block: MapBlock<'_, A, R>,
) where
    A: Element,
    R: Element,
{
    assert_eq!(x.len(), out.len(), "operand and result differ in length");
    if out.len() <= GATHERED {
        return block(x, out);
    }
    let streaming = stream::pays(size_of_val(out));
    par.for_parts(out, 1, x.len(), &|start, out| {
        stream::fill(out, streaming, &|from, out| {
            let from = start + from;
            block(&x[from..from + out.len()], out);
        });
    });
}

/// Writes `f(x[i], y[i])` to every `out[i]`.
///
/// # Panics
///
/// If the lengths differ.
#[inline]
pub fn zip<A, B, R, F>(x: &[A], y: &[B], out: &mut [MaybeUninit<R>], par: Par, f: F)
where
    A: Element,
    B: Element,
    R: Element,
    F: Fn(A, B) -> R + Copy + Send + Sync,
{
    zip_blocks(Operand::Each(x), Operand::Each(y), out, par, &zip_block(f));
}

/// Writes `f(x, y[i])` to every `out[i]`.
///
/// # Panics
///
/// If the lengths differ.
#[inline]
pub fn zip_scalar_left<A, B, R, F>(x: A, y: &[B], out: &mut [MaybeUninit<R>], par: Par, f: F)
where
    A: Element,
    B: Element,
    R: Element,
    F: Fn(A, B) -> R + Copy + Send + Sync,
{
    zip_blocks(Operand::One(x), Operand::Each(y), out, par, &zip_block(f));
}

/// Writes `f(x[i], y)` to every `out[i]`.
///
/// # Panics
///
/// If the lengths differ.
#[inline]
pub fn zip_scalar_right<A, B, R, F>(x: &[A], y: B, out: &mut [MaybeUninit<R>], par: Par, f: F)
where
    A: Element,
    B: Element,
    R: Element,
    F: Fn(A, B) -> R + Copy + Send + Sync,
{
    zip_blocks(Operand::Each(x), Operand::One(y), out, par, &zip_block(f));
}

/// Writes `f` of two operands broadcast against each other.
///
/// # Panics
///
/// If a length is not that of the shape the plan was made for.
#[inline]
pub fn zip_broadcast<A, B, R, F>(
    x: &[A],
    y: &[B],
    plan: &Broadcast,
    out: &mut [MaybeUninit<R>],
    par: Par,
    f: F,
) where
    A: Element,
    B: Element,
    R: Element,
    F: Fn(A, B) -> R + Copy + Send + Sync,
{
    zip_broadcast_blocks(x, y, plan, out, par, &zip_block(f));
}

#[inline(always)]
fn zip_block<A: Element, B: Element, R>(
    f: impl Fn(A, B) -> R + Copy + Sync,
) -> impl Fn(&[A], &[B], &mut [MaybeUninit<R>]) + Sync {
    move |x, y, out| {
        if A::LEVELS {
            zip_block_in::<true, _, _, _>(x, y, out, f);
        } else {
            zip_block_in::<false, _, _, _>(x, y, out, f);
        }
    }
}

/// A block, compiled for each CPU level or only once.
#[inline(always)]
fn zip_block_in<const LEVELS: bool, A: Copy, B: Copy, R>(
    x: &[A],
    y: &[B],
    out: &mut [MaybeUninit<R>],
    f: impl Fn(A, B) -> R,
) {
    simd_if::<LEVELS, _>(
        #[inline(always)]
        || zip_loop(x, y, out, f),
    );
}

/// Writes `f` of operands paired in any way, compiled for each CPU level or only once. A `CHEAP` function of one element
/// is computed here: the calls for a block would take longer.
#[inline(always)]
pub(crate) fn paired_in<const LEVELS: bool, const CHEAP: bool, T, R, F>(
    x: &[T],
    y: &[T],
    pairing: Pairing<'_>,
    out: &mut [MaybeUninit<R>],
    par: Par,
    f: F,
) where
    T: Element,
    R: Element,
    F: Fn(T, T) -> R + Copy + Send + Sync,
{
    if CHEAP && let [out] = &mut *out {
        assert!(x.len() == 1 && y.len() == 1, "operands and result differ in length");
        out.write(f(x[0], y[0]));
        return;
    }
    paired_blocks(x, y, pairing, out, par, &|x, y, out| {
        zip_block_in::<LEVELS, _, _, _>(x, y, out, f);
    });
}

/// Calls `block` for the blocks of operands paired in any way.
pub(crate) fn paired_blocks<T: Element, R: Element>(
    x: &[T],
    y: &[T],
    pairing: Pairing<'_>,
    out: &mut [MaybeUninit<R>],
    par: Par,
    block: ZipBlock<'_, T, T, R>,
) {
    let (x, y) = match pairing {
        Pairing::Each if out.len() <= GATHERED && x.len() == out.len() && y.len() == out.len() => {
            return block(x, y, out);
        }
        Pairing::Each => (Operand::Each(x), Operand::Each(y)),
        Pairing::Left => (Operand::One(x[0]), Operand::Each(y)),
        Pairing::Right => (Operand::Each(x), Operand::One(y[0])),
        Pairing::Broadcast(plan) => return zip_broadcast_blocks(x, y, plan, out, par, block),
    };
    zip_blocks(x, y, out, par, block);
}

/// An operand of a flat loop: as long as the result, or one element for all.
#[derive(Clone, Copy)]
enum Operand<'a, T> {
    Each(&'a [T]),
    One(T),
}

impl<T: Element> Operand<'_, T> {
    fn fits(&self, len: usize) -> bool {
        match self {
            Operand::Each(x) => x.len() == len,
            Operand::One(_) => true,
        }
    }

    /// The elements from `from` on; a single element is taken from `repeated`.
    #[inline(always)]
    fn part<'b>(&'b self, from: usize, len: usize, repeated: &'b [T]) -> &'b [T] {
        match self {
            Operand::Each(x) => &x[from..from + len],
            Operand::One(_) => &repeated[..len],
        }
    }

    /// A single element, repeated for blocks of this length.
    #[inline(always)]
    fn repeat<'b>(&self, len: usize, buffer: &'b mut [MaybeUninit<T>]) -> &'b [T] {
        let Operand::One(x) = self else { return &[] };
        let filled = &mut buffer[..len];
        simd(
            #[inline(always)]
            || filled.fill(MaybeUninit::new(*x)),
        );
        // SAFETY: these elements were just written.
        unsafe { &*(core::ptr::from_mut(filled) as *const [T]) }
    }
}

fn zip_blocks<A: Element, B: Element, R: Element>(
    x: Operand<'_, A>,
    y: Operand<'_, B>,
    out: &mut [MaybeUninit<R>],
    par: Par,
    block: ZipBlock<'_, A, B, R>,
) {
    assert!(x.fits(out.len()) && y.fits(out.len()), "operands and result differ in length");
    if let (Operand::Each(x), Operand::Each(y)) = (x, y) {
        if out.len() <= GATHERED {
            return block(x, y, out);
        }
        let streaming = stream::pays(size_of_val(out));
        return par.for_parts(out, 1, x.len(), &|start, out| {
            stream::fill(out, streaming, &|from, out| {
                let range = start + from..start + from + out.len();
                block(&x[range.clone()], &y[range], out);
            });
        });
    }
    if out.len() <= FEW {
        return repeated_blocks::<_, _, _, FEW>(x, y, 0, out, block);
    }
    let work = out.len();
    par.for_parts(out, 1, work, &|start, out| {
        repeated_blocks::<_, _, _, GATHERED>(x, y, start, out, block);
    });
}

/// Calls `block` for blocks of `N` elements from `start` on, with a single element repeated.
fn repeated_blocks<A: Element, B: Element, R: Element, const N: usize>(
    x: Operand<'_, A>,
    y: Operand<'_, B>,
    start: usize,
    out: &mut [MaybeUninit<R>],
    block: ZipBlock<'_, A, B, R>,
) {
    let len = out.len().min(N);
    // Not cleared: for a thousand elements that takes as long as the work.
    let (mut xs, mut ys) =
        ([const { MaybeUninit::uninit() }; N], [const { MaybeUninit::uninit() }; N]);
    let (xs, ys) = (x.repeat(len, &mut xs), y.repeat(len, &mut ys));
    for (i, out) in out.chunks_mut(N).enumerate() {
        let (from, len) = (start + i * N, out.len());
        block(x.part(from, len, xs), y.part(from, len, ys), out);
    }
}

fn zip_broadcast_blocks<A: Element, B: Element, R: Element>(
    x: &[A],
    y: &[B],
    plan: &Broadcast,
    out: &mut [MaybeUninit<R>],
    par: Par,
    block: ZipBlock<'_, A, B, R>,
) {
    check_lens([x.len(), y.len()], out.len(), plan.0.operand_lens(), plan.len());
    let [x_moves, y_moves] = plan.0.advances();
    if plan.0.run_len() == out.len() && !out.is_empty() {
        let x = if x_moves { Operand::Each(x) } else { Operand::One(x[0]) };
        let y = if y_moves { Operand::Each(y) } else { Operand::One(y[0]) };
        return zip_blocks(x, y, out, par, block);
    }
    let runs = |range, each: &mut dyn FnMut(Operand<'_, A>, Operand<'_, B>, usize)| {
        plan.0.for_runs(range, |Run { offsets: [i, j], len }| {
            let x = if x_moves { Operand::Each(&x[i..i + len]) } else { Operand::One(x[i]) };
            let y = if y_moves { Operand::Each(&y[j..j + len]) } else { Operand::One(y[j]) };
            each(x, y, len);
        });
    };
    if out.len() <= FEW {
        let mut gathered = Gathered::<_, _, _, FEW>::new(block, out);
        runs(0..plan.len(), &mut |x, y, len| gathered.run(x, y, len));
        return gathered.flush();
    }
    par.for_parts(out, plan.0.run_len().max(1), plan.len(), &|start, out| {
        let range = start..start + out.len();
        let mut gathered = Gathered::<_, _, _, GATHERED>::new(block, out);
        runs(range, &mut |x, y, len| gathered.run(x, y, len));
        gathered.flush();
    });
}

/// Gathers the short runs of a broadcast into blocks, so that each call of the operation has enough to do.
struct Gathered<'a, A, B, R, const N: usize> {
    x: [A; N],
    y: [B; N],
    len: usize,
    block: ZipBlock<'a, A, B, R>,
    out: &'a mut [MaybeUninit<R>],
}

impl<'a, A: Element, B: Element, R, const N: usize> Gathered<'a, A, B, R, N> {
    fn new(block: ZipBlock<'a, A, B, R>, out: &'a mut [MaybeUninit<R>]) -> Self {
        Self { x: [A::default(); N], y: [B::default(); N], len: 0, block, out }
    }

    fn run(&mut self, x: Operand<'_, A>, y: Operand<'_, B>, len: usize) {
        if let (Operand::Each(x), Operand::Each(y)) = (x, y)
            && len >= LONG_RUN
        {
            self.flush();
            let out = self.next(len);
            return (self.block)(x, y, out);
        }
        let mut done = 0;
        while done < len {
            let n = (len - done).min(N - self.len);
            let to = self.len..self.len + n;
            copy(&mut self.x[to.clone()], x, done);
            copy(&mut self.y[to], y, done);
            self.len += n;
            done += n;
            if self.len == N {
                self.flush();
            }
        }
    }

    /// The next `len` elements of the result.
    fn next(&mut self, len: usize) -> &'a mut [MaybeUninit<R>] {
        let (out, rest) = core::mem::take(&mut self.out).split_at_mut(len);
        self.out = rest;
        out
    }

    fn flush(&mut self) {
        let len = core::mem::take(&mut self.len);
        let out = self.next(len);
        (self.block)(&self.x[..len], &self.y[..len], out);
    }
}

fn copy<T: Element>(to: &mut [T], from: Operand<'_, T>, start: usize) {
    match from {
        Operand::Each(x) => to.copy_from_slice(&x[start..start + to.len()]),
        Operand::One(x) => to.fill(x),
    }
}

/// Writes `f` of references to the elements of two broadcast operands.
///
/// For elements that are costly to copy, such as strings; it stays on the
/// calling thread.
///
/// # Panics
///
/// If a length is not that of the shape the plan was made for.
pub fn zip_broadcast_ref<A, B, R>(
    x: &[A],
    y: &[B],
    plan: &Broadcast,
    out: &mut [MaybeUninit<R>],
    mut f: impl FnMut(&A, &B) -> R,
) {
    check_lens([x.len(), y.len()], out.len(), plan.0.operand_lens(), plan.len());
    let [x_step, y_step] = plan.0.advances().map(usize::from);
    let mut outs = out.iter_mut();
    plan.0.for_runs(0..plan.len(), |Run { offsets: [x_at, y_at], len }| {
        for (i, out) in outs.by_ref().take(len).enumerate() {
            out.write(f(&x[x_at + i * x_step], &y[y_at + i * y_step]));
        }
    });
}

/// Picks elements of `x` where `cond` holds and of `y` elsewhere, with all
/// three broadcast against each other. The plan is that of `cond`, `x`, `y`.
///
/// # Panics
///
/// If a length is not that of the shape the plan was made for.
pub fn select_broadcast<T>(
    cond: &[bool],
    x: &[T],
    y: &[T],
    plan: &Broadcast3,
    out: &mut [MaybeUninit<T>],
    par: Par,
) where
    T: Clone + Send + Sync,
{
    let lens = [cond.len(), x.len(), y.len()];
    check_lens(lens, out.len(), plan.0.operand_lens(), plan.len());
    let steps = plan.0.advances().map(usize::from);
    par.for_parts(out, plan.0.run_len().max(1), plan.len(), &|start, out| {
        simd(
            #[inline(always)]
            || {
                let range = start..start + out.len();
                let mut rest = out;
                plan.0.for_runs(
                    range,
                    #[inline(always)]
                    |Run { offsets, len }| {
                        let (out, after) = core::mem::take(&mut rest).split_at_mut(len);
                        select_run(cond, x, y, offsets, steps, out);
                        rest = after;
                    },
                );
            },
        );
    });
}

/// One run of [`select_broadcast`].
#[inline(always)]
fn select_run<T: Clone>(
    cond: &[bool],
    x: &[T],
    y: &[T],
    [cond_at, x_at, y_at]: [usize; 3],
    steps: [usize; 3],
    out: &mut [MaybeUninit<T>],
) {
    let len = out.len();
    if len == 0 {
        return;
    }
    let (x_one, y_one) = (&x[x_at], &y[y_at]);
    let x = (steps[1] == 1).then(|| &x[x_at..x_at + len]);
    let y = (steps[2] == 1).then(|| &y[y_at..y_at + len]);
    if steps[0] == 0 {
        let (all, one) = if cond[cond_at] { (x, x_one) } else { (y, y_one) };
        for (i, out) in out.iter_mut().enumerate() {
            out.write(all.map_or(one, |all| &all[i]).clone());
        }
        return;
    }
    let cond = &cond[cond_at..cond_at + len];
    match (x, y) {
        (Some(x), Some(y)) => blend(cond, |i| x[i].clone(), |i| y[i].clone(), out),
        (Some(x), None) => blend(cond, |i| x[i].clone(), |_| y_one.clone(), out),
        (None, Some(y)) => blend(cond, |_| x_one.clone(), |i| y[i].clone(), out),
        (None, None) => blend(cond, |_| x_one.clone(), |_| y_one.clone(), out),
    }
}

/// Reads both values before it chooses one, so that it can be vectorised.
#[inline(always)]
pub(crate) fn blend<T>(
    cond: &[bool],
    x: impl Fn(usize) -> T,
    y: impl Fn(usize) -> T,
    out: &mut [MaybeUninit<T>],
) {
    for (i, (out, &cond)) in out.iter_mut().zip(cond).enumerate() {
        let (x, y) = (x(i), y(i));
        out.write(if cond { x } else { y });
    }
}

#[inline(always)]
pub(crate) fn map_loop<A: Copy, R>(x: &[A], out: &mut [MaybeUninit<R>], f: impl Fn(A) -> R) {
    for (out, &x) in out.iter_mut().zip(x) {
        out.write(f(x));
    }
}

#[inline(always)]
fn zip_loop<A: Copy, B: Copy, R>(
    x: &[A],
    y: &[B],
    out: &mut [MaybeUninit<R>],
    f: impl Fn(A, B) -> R,
) {
    for ((out, &x), &y) in out.iter_mut().zip(x).zip(y) {
        out.write(f(x, y));
    }
}

/// Panics unless the slices fit the plan.
fn check_lens<const N: usize>(lens: [usize; N], out: usize, want: [usize; N], want_out: usize) {
    assert_eq!(lens, want, "operands do not have the shapes of the plan");
    assert_eq!(out, want_out, "result does not have the shape of the plan");
}

#[cfg(test)]
mod tests;
