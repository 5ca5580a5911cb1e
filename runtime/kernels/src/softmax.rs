//! Rows of exponentials that sum to one, and the losses based on them.
//!
//! Exponentials are computed by a few loops over blocks of `f32` or `f64`, which all functions here
//! share. Halves are widened block by block.

use crate::element::{Arithmetic, Element, Float, Half, Real, Transcendental, bf16, f16};
use crate::halves::{narrow, widen, written, written_mut};
use crate::par::{Par, simd};
use crate::reduce::Accumulate;
use core::mem::MaybeUninit;

/// The cost of an exponential, in additions.
const COST: usize = 8;
/// Independent accumulators of a row.
const LANES: usize = 16;
/// The number of halves that are widened together.
const WIDE: usize = 2048;

/// Changes numbers of a row before they are rounded; gets the place of the first one.
type Finish<'f, F> = &'f dyn Fn(usize, &mut [F]);

/// Floats for which these functions are computed; halves are computed in `f32`.
pub trait Exponential: Accumulate<Acc: Float> {
    /// The largest element of a row, NaN if there is one, and `log(sum(exp(x - largest)))`.
    #[doc(hidden)]
    fn stats(x: &[Self]) -> (Self::Acc, Self::Acc);

    /// Writes `exp(x - largest)` divided by the sum of these. `finish` changes the quotients before they are rounded.
    #[doc(hidden)]
    fn shares(x: &[Self], out: &mut [MaybeUninit<Self>], finish: &dyn Fn(usize, &mut [Self::Acc]));
}

macro_rules! native {
    ($($t:ident)*) => {$(
        impl Exponential for $t {
            fn stats(x: &[Self]) -> (Self, Self) {
                stats_of_row(x)
            }

            fn shares(x: &[Self], out: &mut [MaybeUninit<Self>], finish: Finish<'_, Self>) {
                finish(0, shares_of_row(x, out));
            }
        }
    )*};
}
native!(f32 f64);

macro_rules! halves {
    ($($t:ident)*) => {$(
        impl Exponential for $t {
            fn stats(x: &[Self]) -> (f32, f32) {
                stats_of_halves(x)
            }

            fn shares(x: &[Self], out: &mut [MaybeUninit<Self>], finish: Finish<'_, f32>) {
                shares_of_halves(x, out, finish);
            }
        }
    )*};
}
halves!(f16 bf16);

/// Calls `f` for the blocks of a row; all but the last are whole lanes.
fn blocks<H: Element + Half>(x: &[H], mut f: impl FnMut(&[f32])) {
    let mut wide = [const { MaybeUninit::uninit() }; WIDE];
    for x in x.chunks(WIDE) {
        let wide = &mut wide[..x.len()];
        widen(x, wide);
        // SAFETY: all were just written.
        f(unsafe { written(wide) });
    }
}

fn stats_of_halves<H: Element + Half>(x: &[H]) -> (f32, f32) {
    let mut stats = (0.0, 0.0);
    if x.len() <= WIDE {
        blocks(x, |x| stats = stats_of_row(x));
        return stats;
    }
    let mut lanes = Lanes::of(f32::LOWEST);
    blocks(x, |x| maxima(&mut lanes, x));
    let largest = lanes.largest();
    let mut lanes = Lanes::of(0.0);
    blocks(x, |x| sums(&mut lanes, x, largest));
    let log = simd(
        #[inline(always)]
        || Transcendental::log(lanes.sum_rest_first()),
    );
    (largest, log)
}

fn shares_of_halves<H: Element + Half>(
    x: &[H],
    out: &mut [MaybeUninit<H>],
    finish: Finish<'_, f32>,
) {
    let mut room = [const { MaybeUninit::uninit() }; WIDE];
    if x.len() <= WIDE {
        return blocks(x, |x| {
            let shares = shares_of_row(x, &mut room[..x.len()]);
            finish(0, shares);
            narrow(shares, out);
        });
    }
    let (largest, _) = stats_of_halves(x);
    let mut lanes = Lanes::of(0.0);
    blocks(x, |x| exponentials(&mut lanes, x, largest, &mut room[..x.len()]));
    let factor = Transcendental::reciprocal(lanes.sum());
    let (mut at, mut rest) = (0, out);
    // The room holds only the last block, so they are computed again.
    blocks(x, |x| {
        let e = &mut room[..x.len()];
        exponentials(&mut Lanes::of(0.0), x, largest, e);
        // SAFETY: all were just written.
        let e = unsafe { written_mut(e) };
        e.iter_mut().for_each(|e| *e *= factor);
        finish(at, e);
        let (out, after) = core::mem::take(&mut rest).split_at_mut(e.len());
        narrow(e, out);
        (at, rest) = (at + e.len(), after);
    });
}

/// `exp(x) / sum(exp(x))` of each row of `len` elements.
///
/// # Panics
///
/// If `out` is not as long as `x`, or no multiple of `len`.
pub fn softmax<T: Exponential>(x: &[T], len: usize, out: &mut [MaybeUninit<T>], par: Par) {
    rows(x, len, out, par, &|_, x, out| T::shares(x, out, &|_, _| {}));
}

/// `x - log(sum(exp(x)))` of each row of `len` elements.
///
/// # Panics
///
/// If `out` is not as long as `x`, or no multiple of `len`.
pub fn log_softmax<T: Exponential>(x: &[T], len: usize, out: &mut [MaybeUninit<T>], par: Par) {
    rows(x, len, out, par, &|_, x, out| {
        let (largest, log) = T::stats(x);
        simd(
            #[inline(always)]
            || {
                for (out, x) in out.iter_mut().zip(x) {
                    out.write(T::from_acc(x.to_acc().sub(largest).sub(log)));
                }
            },
        );
    });
}

/// The cross entropy of rows of `len` logits with rows of class probabilities, and its derivative with respect to the
/// logits, `softmax(logits) - labels`.
///
/// # Panics
///
/// If the numbers of logits, labels and derivatives are not `len` times that of the losses.
pub fn cross_entropy<T: Exponential>(
    logits: &[T],
    labels: &[T],
    len: usize,
    loss: &mut [MaybeUninit<T>],
    backprop: &mut [MaybeUninit<T>],
    par: Par,
) {
    assert_eq!(logits.len(), labels.len(), "logits and labels are as many");
    assert_eq!(Some(logits.len()), loss.len().checked_mul(len), "a loss for each row");
    if len == 0 {
        return loss.iter_mut().for_each(|loss| {
            loss.write(T::ZERO);
        });
    }
    losses(logits, len, loss, par, &|i, x, largest, log| {
        let labels = &labels[i * len..(i + 1) * len];
        x.iter().zip(labels).fold(T::Acc::ZERO, |sum, (x, label)| {
            sum.add(label.to_acc().mul(log.sub(x.to_acc().sub(largest))))
        })
    });
    rows(logits, len, backprop, par, &|i, x, out| {
        let labels = &labels[i * len..(i + 1) * len];
        T::shares(x, out, &|at, shares| {
            for (share, label) in shares.iter_mut().zip(&labels[at..]) {
                *share = share.sub(label.to_acc());
            }
        });
    });
}

/// The cross entropy of rows of `len` logits with one class per row, and its derivative with respect to the logits. A
/// class that is not below `len` gives NaN.
///
/// # Panics
///
/// If there is not one class for each row and loss.
pub fn sparse_cross_entropy<T: Exponential>(
    logits: &[T],
    classes: &[i64],
    len: usize,
    loss: &mut [MaybeUninit<T>],
    backprop: &mut [MaybeUninit<T>],
    par: Par,
) {
    assert_eq!(classes.len(), loss.len(), "a loss for each class");
    assert_eq!(Some(logits.len()), loss.len().checked_mul(len), "a loss for each row");
    if len == 0 {
        return;
    }
    let nan = || T::Acc::ZERO.div(T::Acc::ZERO);
    let class = |i: usize| usize::try_from(classes[i]).ok().filter(|class| *class < len);
    losses(logits, len, loss, par, &|i, x, largest, log| match class(i) {
        Some(class) => log.sub(x[class].to_acc().sub(largest)),
        None => nan(),
    });
    rows(logits, len, backprop, par, &|i, x, out| {
        T::shares(x, out, &|at, shares| match class(i) {
            Some(class) => {
                let share = class.checked_sub(at).and_then(|place| shares.get_mut(place));
                share.into_iter().for_each(|share| *share = share.sub(T::Acc::ONE));
            }
            None => shares.fill(nan()),
        });
    });
}

/// Writes `loss(i, row, largest, log(sum(exp(row - largest))))` for each row.
fn losses<T: Exponential>(
    x: &[T],
    len: usize,
    out: &mut [MaybeUninit<T>],
    par: Par,
    loss: &(dyn Fn(usize, &[T], T::Acc, T::Acc) -> T::Acc + Sync),
) {
    par.for_parts(out, 1, x.len().saturating_mul(COST), &|start, out| {
        for (i, (out, x)) in out.iter_mut().zip(x[start * len..].chunks_exact(len)).enumerate() {
            let (largest, log) = T::stats(x);
            out.write(T::from_acc(loss(start + i, x, largest, log)));
        }
    });
}

/// The callback for each row: it gets the number of the row, the row and its part of the result.
type Each<'f, T> = &'f (dyn Fn(usize, &[T], &mut [MaybeUninit<T>]) + Sync);

/// Calls `each` for every row.
fn rows<T: Exponential>(
    x: &[T],
    len: usize,
    out: &mut [MaybeUninit<T>],
    par: Par,
    each: Each<'_, T>,
) {
    assert_eq!(x.len(), out.len(), "a result for each element");
    if x.is_empty() {
        return;
    }
    assert_eq!(x.len() % len, 0, "whole rows");
    par.for_parts(out, len, x.len().saturating_mul(COST), &|start, out| {
        for (i, (x, out)) in x[start..].chunks_exact(len).zip(out.chunks_exact_mut(len)).enumerate()
        {
            each(start / len + i, x, out);
        }
    });
}

/// Accumulators side by side, and the elements at the end of a row that do not fill all of them.
struct Lanes<F> {
    lanes: [F; LANES],
    rest: [F; LANES],
    rest_len: usize,
}

impl<F: Float> Lanes<F> {
    #[inline(always)]
    fn of(x: F) -> Self {
        Self { lanes: [x; LANES], rest: [x; LANES], rest_len: 0 }
    }

    #[inline(always)]
    fn rest(&self) -> &[F] {
        &self.rest[..self.rest_len]
    }

    #[inline(always)]
    fn largest(&self) -> F {
        self.lanes.iter().chain(self.rest()).fold(
            F::LOWEST,
            #[inline(always)]
            |a, b| a.maximum(*b),
        )
    }

    #[inline(always)]
    fn sum(&self) -> F {
        self.lanes.iter().chain(self.rest()).fold(
            F::ZERO,
            #[inline(always)]
            |a, b| a.add(*b),
        )
    }

    #[inline(always)]
    fn sum_rest_first(&self) -> F {
        self.rest().iter().chain(&self.lanes).fold(
            F::ZERO,
            #[inline(always)]
            |a, b| a.add(*b),
        )
    }

    /// Updates the largest elements so far.
    #[inline(always)]
    fn fold_maxima(&mut self, x: &[F]) {
        let (chunks, rest) = x.as_chunks::<LANES>();
        for chunk in chunks {
            for (lane, x) in self.lanes.iter_mut().zip(chunk) {
                *lane = lane.maximum(*x);
            }
        }
        self.rest_len = rest.len();
        self.rest[..rest.len()].copy_from_slice(rest);
    }

    /// Adds `exp(x - largest)`.
    #[inline(always)]
    fn fold_exponentials(&mut self, x: &[F], largest: F) {
        let (chunks, rest) = x.as_chunks::<LANES>();
        for chunk in chunks {
            for (lane, x) in self.lanes.iter_mut().zip(chunk) {
                *lane = lane.add(x.sub(largest).exp());
            }
        }
        self.rest_len = rest.len();
        for (to, x) in self.rest.iter_mut().zip(rest) {
            *to = x.sub(largest).exp();
        }
    }

    /// Writes `exp(x - largest)` and adds it.
    #[inline(always)]
    fn write_exponentials(&mut self, x: &[F], largest: F, out: &mut [MaybeUninit<F>]) {
        let (chunks, rest) = x.as_chunks::<LANES>();
        let (out_chunks, out_rest) = out.as_chunks_mut::<LANES>();
        let mut sums = self.lanes;
        for (chunk, out) in chunks.iter().zip(out_chunks) {
            for ((lane, x), out) in sums.iter_mut().zip(chunk).zip(out) {
                let e = x.sub(largest).exp();
                *lane = lane.add(e);
                out.write(e);
            }
        }
        self.lanes = sums;
        self.rest_len = rest.len();
        for ((to, x), out) in self.rest.iter_mut().zip(rest).zip(out_rest) {
            *to = *out.write(x.sub(largest).exp());
        }
    }
}

/// [`Exponential::stats`] for a complete row.
#[inline(never)]
fn stats_of_row<F: Float>(x: &[F]) -> (F, F) {
    simd(
        #[inline(always)]
        || {
            let mut lanes = Lanes::of(F::LOWEST);
            lanes.fold_maxima(x);
            let largest = lanes.largest();
            let mut lanes = Lanes::of(F::ZERO);
            lanes.fold_exponentials(x, largest);
            (largest, lanes.sum_rest_first().log())
        },
    )
}

/// [`Exponential::shares`] for a complete row.
#[inline(never)]
fn shares_of_row<'a, F: Float>(x: &[F], out: &'a mut [MaybeUninit<F>]) -> &'a mut [F] {
    simd(
        #[inline(always)]
        || {
            let out = &mut out[..x.len()];
            let mut lanes = Lanes::of(F::LOWEST);
            lanes.fold_maxima(x);
            let largest = lanes.largest();
            let mut lanes = Lanes::of(F::ZERO);
            lanes.write_exponentials(x, largest, out);
            let factor = lanes.sum().reciprocal();
            // SAFETY: all were just written.
            let shares = unsafe { written_mut(out) };
            for share in shares.iter_mut() {
                *share = share.mul(factor);
            }
            shares
        },
    )
}

/// [`Lanes::fold_maxima`].
#[inline(never)]
fn maxima(lanes: &mut Lanes<f32>, x: &[f32]) {
    simd(
        #[inline(always)]
        || lanes.fold_maxima(x),
    );
}

/// Writes `exp(x - largest)` and adds it.
#[inline(never)]
fn exponentials(lanes: &mut Lanes<f32>, x: &[f32], largest: f32, out: &mut [MaybeUninit<f32>]) {
    simd(
        #[inline(always)]
        || lanes.write_exponentials(x, largest, out),
    );
}

/// Adds `exp(x - largest)`.
#[inline(never)]
fn sums(lanes: &mut Lanes<f32>, x: &[f32], largest: f32) {
    simd(
        #[inline(always)]
        || lanes.fold_exponentials(x, largest),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::f16;
    use crate::testing::{filled, noise};

    fn naive(row: &[f32]) -> Vec<f64> {
        let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let e: Vec<f64> = row.iter().map(|x| f64::from(x - largest).exp()).collect();
        let sum: f64 = e.iter().sum();
        e.into_iter().map(|e| e / sum).collect()
    }

    #[test]
    fn rows_of_any_length_match_the_definition() {
        for len in [1, 3, 16, 17, 100, 1000] {
            let x: Vec<f32> = noise(4 * len).iter().map(|x| x * 10.0).collect();
            let got: Vec<f32> = filled(4 * len, |out| softmax(&x, len, out, Par::Pool));
            let logs: Vec<f32> = filled(4 * len, |out| log_softmax(&x, len, out, Par::Seq));
            let want: Vec<f64> = x.chunks(len).flat_map(naive).collect();
            for ((got, log), want) in got.iter().zip(&logs).zip(want) {
                assert!((f64::from(*got) - want).abs() <= 1e-6 * want.max(1e-3), "{got} {want}");
                assert!((f64::from(*log) - want.ln()).abs() <= 2e-6 * (1.0 - want.ln()));
            }
        }
    }

    #[test]
    fn large_and_special_numbers() {
        let (inf, nan) = (f32::INFINITY, f32::NAN);
        let x = [1e30, 0.0, -inf, -inf, nan, 0.0, inf, 0.0, -1e30, -1e30];
        let got: Vec<f32> = filled(10, |out| softmax(&x, 2, out, Par::Seq));
        assert_eq!(got[..2], [1.0, 0.0]);
        assert!(got[2..8].iter().all(|x| x.is_nan()), "{got:?}");
        assert_eq!(got[8..], [0.5, 0.5]);
        let halves: Vec<f16> = filled(2, |out| softmax(&[f16::MAX; 2], 2, out, Par::Seq));
        assert_eq!(halves, [f16::from_f32(0.5); 2]);
        assert!(filled(0, |out| softmax::<f32>(&[], 0, out, Par::Seq)).is_empty());
    }

    #[test]
    fn long_rows_of_halves_are_those_of_f32_rounded() {
        for len in [5, 2048, 2049, 5000] {
            let halves: Vec<f16> = noise(len).iter().map(|x| f16::from_f32(x * 8.0)).collect();
            let wide: Vec<f32> = halves.iter().map(|x| x.to_f32()).collect();
            for (of_halves, of_wide) in [
                (
                    softmax::<f16> as fn(&[f16], usize, &mut _, Par),
                    softmax::<f32> as fn(&[f32], usize, &mut _, Par),
                ),
                (log_softmax, log_softmax),
            ] {
                let got: Vec<f16> = filled(len, |out| of_halves(&halves, len, out, Par::Seq));
                let want: Vec<f32> = filled(len, |out| of_wide(&wide, len, out, Par::Seq));
                assert!(got.iter().zip(want).all(|(got, want)| *got == f16::from_f32_const(want)));
            }
        }
    }

    #[test]
    fn the_losses_agree_where_one_class_is_certain() {
        let x = noise(15);
        let labels = [0.0, 0.0, 1.0, 0.0, 0.0].repeat(3);
        let mut dense = [MaybeUninit::uninit(); 15];
        let loss: Vec<f32> = filled(3, |loss| {
            cross_entropy(&x, &labels, 5, loss, &mut dense, Par::Seq);
        });
        let mut got = vec![];
        let sparse: Vec<f32> = filled(15, |out| {
            got = filled(3, |loss| sparse_cross_entropy(&x, &[2, 2, 2], 5, loss, out, Par::Seq));
        });
        assert_eq!(got, loss);
        let derivative: Vec<f32> = filled(15, |out| softmax(&x, 5, out, Par::Seq));
        for i in 0..15 {
            assert_eq!(sparse[i], derivative[i] - labels[i]);
        }
        let lost: Vec<f32> = filled(15, |out| {
            got = filled(3, |loss| sparse_cross_entropy(&x, &[5, -1, 0], 5, loss, out, Par::Seq));
        });
        assert!(got[0].is_nan() && got[1].is_nan() && got[2] == -(derivative[10].ln()));
        assert!(lost[..10].iter().all(|x| x.is_nan()) && !lost[14].is_nan());
    }
}
