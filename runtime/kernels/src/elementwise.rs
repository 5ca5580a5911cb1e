//! Kernels that compute every element of the result from the elements at the
//! same place of the operands.

use crate::broadcast::{Broadcast, Broadcast3, Run};
use crate::element::Element;
use crate::par::{Par, simd, simd_for};
use crate::stream;
use core::mem::MaybeUninit;

/// Elements of operands that are brought together before a block is computed.
const GATHERED: usize = 1024;
/// Runs of a broadcast from this length on are computed in place.
const LONG_RUN: usize = 128;

/// A unary operation on a block: all that is compiled anew for each function.
type MapBlock<'f, A, R> = &'f (dyn Fn(&[A], &mut [MaybeUninit<R>]) + Sync);
/// A binary operation on a block.
type ZipBlock<'f, A, B, R> = &'f (dyn Fn(&[A], &[B], &mut [MaybeUninit<R>]) + Sync);

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
    map_blocks(x, out, par, &|x, out| {
        simd_for::<A, _>(
            #[inline(always)]
            || map_loop(x, out, f),
        );
    });
}

fn map_blocks<A, R>(x: &[A], out: &mut [MaybeUninit<R>], par: Par, block: MapBlock<'_, A, R>)
where
    A: Element,
    R: Element,
{
    assert_eq!(x.len(), out.len(), "operand and result differ in length");
    if out.len() <= GATHERED {
        return block(x, out);
    }
    let streaming = stream::pays(size_of_val(out));
    par.for_parts(out, 1, x.len(), |start, out| {
        stream::fill(out, streaming, |from, out| {
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

fn zip_block<A: Element, B: Element, R>(
    f: impl Fn(A, B) -> R + Copy + Sync,
) -> impl Fn(&[A], &[B], &mut [MaybeUninit<R>]) + Sync {
    move |x, y, out| {
        simd_for::<A, _>(
            #[inline(always)]
            || zip_loop(x, y, out, f),
        );
    }
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

    /// The elements from `from` on, where a lone one stands in `repeated`.
    #[inline(always)]
    fn part<'b>(&'b self, from: usize, len: usize, repeated: &'b [T]) -> &'b [T] {
        match self {
            Operand::Each(x) => &x[from..from + len],
            Operand::One(_) => &repeated[..len],
        }
    }

    /// A lone element often enough for blocks of this length.
    #[inline(always)]
    fn repeat<'b>(&self, len: usize, buffer: &'b mut [T; GATHERED]) -> &'b [T] {
        if let Operand::One(x) = self {
            buffer[..len].fill(*x);
        }
        buffer
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
        return par.for_parts(out, 1, x.len(), |start, out| {
            stream::fill(out, streaming, |from, out| {
                let range = start + from..start + from + out.len();
                block(&x[range.clone()], &y[range], out);
            });
        });
    }
    let work = out.len();
    par.for_parts(out, 1, work, |start, out| {
        let len = out.len().min(GATHERED);
        let (mut xs, mut ys) = ([A::default(); GATHERED], [B::default(); GATHERED]);
        let (xs, ys) = (x.repeat(len, &mut xs), y.repeat(len, &mut ys));
        for (i, out) in out.chunks_mut(GATHERED).enumerate() {
            let (from, len) = (start + i * GATHERED, out.len());
            block(x.part(from, len, xs), y.part(from, len, ys), out);
        }
    });
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
    par.for_parts(out, plan.0.run_len().max(1), plan.len(), |start, out| {
        let range = start..start + out.len();
        let mut gathered = Gathered::new(block, out);
        plan.0.for_runs(range, |Run { offsets: [i, j], len }| {
            let x = if x_moves { Operand::Each(&x[i..i + len]) } else { Operand::One(x[i]) };
            let y = if y_moves { Operand::Each(&y[j..j + len]) } else { Operand::One(y[j]) };
            gathered.run(x, y, len);
        });
        gathered.flush();
    });
}

/// Brings the short runs of a broadcast together in blocks, so that each call
/// of the operation has enough to do.
struct Gathered<'a, A, B, R> {
    x: [A; GATHERED],
    y: [B; GATHERED],
    len: usize,
    block: ZipBlock<'a, A, B, R>,
    out: &'a mut [MaybeUninit<R>],
}

impl<'a, A: Element, B: Element, R> Gathered<'a, A, B, R> {
    fn new(block: ZipBlock<'a, A, B, R>, out: &'a mut [MaybeUninit<R>]) -> Self {
        Self { x: [A::default(); GATHERED], y: [B::default(); GATHERED], len: 0, block, out }
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
            let n = (len - done).min(GATHERED - self.len);
            let to = self.len..self.len + n;
            copy(&mut self.x[to.clone()], x, done);
            copy(&mut self.y[to], y, done);
            self.len += n;
            done += n;
            if self.len == GATHERED {
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
    par.for_parts(out, plan.0.run_len().max(1), plan.len(), |start, out| {
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
    if steps == [1, 1, 1] {
        let operands =
            cond[cond_at..cond_at + len].iter().zip(&x[x_at..x_at + len]).zip(&y[y_at..y_at + len]);
        for (out, ((&cond, x), y)) in out.iter_mut().zip(operands) {
            out.write(if cond { x } else { y }.clone());
        }
        return;
    }
    for (i, out) in out.iter_mut().enumerate() {
        let chosen = if cond[cond_at + i * steps[0]] {
            &x[x_at + i * steps[1]]
        } else {
            &y[y_at + i * steps[2]]
        };
        out.write(chosen.clone());
    }
}

#[inline(always)]
fn map_loop<A: Copy, R>(x: &[A], out: &mut [MaybeUninit<R>], f: impl Fn(A) -> R) {
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
mod tests {
    use super::*;
    use crate::element::{Arithmetic, Transcendental, f16};
    use crate::testing::{filled, noise};
    use proptest::prelude::*;

    /// Where element `flat` of the result comes from in an operand.
    fn source(flat: usize, out_shape: &[usize], shape: &[usize]) -> usize {
        let (mut rest, mut at, mut step) = (flat, 0, 1);
        for (d, &size) in out_shape.iter().enumerate().rev() {
            let index = rest % size;
            rest /= size;
            if let Some(i) = (d + shape.len()).checked_sub(out_shape.len()) {
                at += if shape[i] == 1 { 0 } else { index * step };
                step *= shape[i];
            }
        }
        at
    }

    fn iota(shape: &[usize]) -> Vec<i64> {
        (0..shape.iter().product::<usize>() as i64).collect()
    }

    fn check_zip(x_shape: &[usize], y_shape: &[usize]) {
        let plan = Broadcast::new(x_shape, y_shape).unwrap();
        let (x, y) = (iota(x_shape), iota(y_shape));
        let f = |x: i64, y: i64| x * 1_000_000 + y;
        let want: Vec<i64> = (0..plan.len())
            .map(|i| {
                let from = |shape| source(i, plan.out_shape(), shape);
                f(x[from(x_shape)], y[from(y_shape)])
            })
            .collect();
        for par in [Par::Seq, Par::Pool] {
            let got = filled(plan.len(), |out| zip_broadcast(&x, &y, &plan, out, par, f));
            assert_eq!(got, want, "{x_shape:?} {y_shape:?}");
        }
        let got = filled(plan.len(), |out| {
            zip_broadcast_ref(&x, &y, &plan, out, |&x, &y| f(x, y));
        });
        assert_eq!(got, want);
    }

    #[test]
    fn usual_broadcasts() {
        check_zip(&[], &[]);
        check_zip(&[0, 3], &[1]);
        check_zip(&[700, 500], &[500]);
        check_zip(&[700, 500], &[700, 1]);
        check_zip(&[1, 500], &[700, 1]);
        check_zip(&[400, 1, 30], &[30, 1]);
    }

    #[test]
    fn every_length_is_filled() {
        for len in (0..200).chain([(1 << 18) - 1, 1 << 19]) {
            let x = noise(len);
            let want: Vec<f32> = x.iter().map(|x| x + x).collect();
            for par in [Par::Seq, Par::Pool] {
                let got: Vec<f32> = filled(len, |out| zip(&x, &x, out, par, Arithmetic::add));
                assert_eq!(got, want);
            }
        }
    }

    #[test]
    fn results_beyond_the_cache() {
        // Three more than a whole number of blocks, and not aligned.
        let x = noise((1 << 22) + 1027);
        let got: Vec<f32> = filled(x.len(), |out| {
            out[0].write(0.0);
            zip(&x[1..], &x[1..], &mut out[1..], Par::Seq, Arithmetic::add);
        });
        assert!(got[1..].iter().zip(&x[1..]).all(|(got, x)| *got == x + x));
    }

    #[test]
    fn a_value_does_not_depend_on_the_length() {
        let x: Vec<f32> = noise(1000).iter().map(|x| x * 20.0).collect();
        let long: Vec<f32> = filled(1000, |out| map(&x, out, Par::Seq, Transcendental::exp));
        for (x, long) in x.iter().zip(long) {
            let short = filled(1, |out| map(&[*x], out, Par::Seq, Transcendental::exp));
            assert_eq!(short[0].to_bits(), long.to_bits());
        }
        let h: Vec<f16> = x.iter().map(|&x| f16::from_f32(x)).collect();
        let long: Vec<f16> = filled(1000, |out| map(&h, out, Par::Seq, Transcendental::tanh));
        assert!(h.iter().zip(long).all(|(&h, long)| Transcendental::tanh(h) == long));
    }

    #[test]
    fn select_takes_strings() {
        let plan = Broadcast3::new(&[2, 1], &[3], &[]).unwrap();
        let x = ["a", "b", "c"].map(String::from);
        let got = filled(plan.len(), |out| {
            select_broadcast(&[true, false], &x, &["z".into()], &plan, out, Par::Pool);
        });
        assert_eq!(got, ["a", "b", "c", "z", "z", "z"]);
    }

    #[test]
    #[should_panic(expected = "shapes of the plan")]
    fn wrong_lengths_panic() {
        let plan = Broadcast::new(&[2], &[2]).unwrap();
        zip_broadcast(
            &[1],
            &[1, 2],
            &plan,
            &mut [MaybeUninit::<i32>::uninit(); 2],
            Par::Seq,
            |x, _| x,
        );
    }

    proptest! {
        #[test]
        fn any_broadcast(dims in proptest::collection::vec((0usize..5, 0u8..4), 0..5), drop in 0usize..3) {
            let side = |one: u8| dims.iter().map(move |&(size, kind)| if kind == one { 1 } else { size });
            let (x, y): (Vec<_>, Vec<_>) = (side(1).collect(), side(2).collect());
            check_zip(&x, &y);
            // A missing leading dimension counts as one.
            let y = &y[drop.min(y.len())..];
            check_zip(&x, y);
            check_zip(y, &x);
        }
    }
}
