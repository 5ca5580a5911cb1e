//! Rows of exponentials that sum up to one, and the losses made of them.
//!
//! The largest element of a row, the exponentials of what lies below it and their sum are found on
//! a copy that stays in the cache, so that memory is read and written once.

use crate::element::{Arithmetic, Float, Transcendental};
use crate::par::{Par, simd};
use crate::reduce::Accumulate;
use core::mem::MaybeUninit;

/// What an exponential costs, in additions.
const COST: usize = 8;
/// Independent accumulators of a row.
const LANES: usize = 16;

/// Floats that these are computed for; halves are computed in `f32`.
pub trait Exponential: Accumulate<Acc: Float> {}
impl<T: Accumulate<Acc: Float>> Exponential for T {}

/// `exp(x) / sum(exp(x))` of each row of `len` elements.
///
/// # Panics
///
/// If `out` is not as long as `x`, or no multiple of `len`.
pub fn softmax<T: Exponential>(x: &[T], len: usize, out: &mut [MaybeUninit<T>], par: Par) {
    rows(
        x,
        len,
        out,
        par,
        #[inline(always)]
        |_, row: &mut [T::Acc], out: &mut [MaybeUninit<T>]| {
            let scale = exponentials(row, largest(row)).reciprocal();
            for (out, e) in out.iter_mut().zip(row) {
                out.write(T::from_acc(e.mul(scale)));
            }
        },
    );
}

/// `x - log(sum(exp(x)))` of each row of `len` elements.
///
/// # Panics
///
/// If `out` is not as long as `x`, or no multiple of `len`.
pub fn log_softmax<T: Exponential>(x: &[T], len: usize, out: &mut [MaybeUninit<T>], par: Par) {
    rows(
        x,
        len,
        out,
        par,
        #[inline(always)]
        |_, row: &mut [T::Acc], out: &mut [MaybeUninit<T>]| {
            let largest = largest(row);
            let log = sum_of_exponentials(row, largest).log();
            for (out, x) in out.iter_mut().zip(row) {
                out.write(T::from_acc(x.sub(largest).sub(log)));
            }
        },
    );
}

/// The cross entropy of rows of `len` logits with rows of probabilities of the classes, and its
/// derivative by the logits, `softmax(logits) - labels`.
///
/// # Panics
///
/// If logits, labels and derivatives are not `len` times as many as the losses.
pub fn cross_entropy<T: Exponential>(
    logits: &[T],
    labels: &[T],
    len: usize,
    loss: &mut [MaybeUninit<T>],
    backprop: &mut [MaybeUninit<T>],
    par: Par,
) {
    assert_eq!(logits.len(), labels.len(), "logits and labels are as many");
    assert_eq!(logits.len(), loss.len() * len, "a loss for each row");
    if len == 0 {
        return loss.iter_mut().for_each(|loss| {
            loss.write(T::ZERO);
        });
    }
    losses(logits, len, loss, par, |i, row, largest, log| {
        let labels = &labels[i * len..(i + 1) * len];
        row.iter().zip(labels).fold(T::Acc::ZERO, |sum, (x, label)| {
            sum.add(label.to_acc().mul(log.sub(x.sub(largest))))
        })
    });
    rows(
        logits,
        len,
        backprop,
        par,
        #[inline(always)]
        |i, row: &mut [T::Acc], out: &mut [MaybeUninit<T>]| {
            let scale = exponentials(row, largest(row)).reciprocal();
            let labels = &labels[i * len..(i + 1) * len];
            for (out, (e, label)) in out.iter_mut().zip(row.iter().zip(labels)) {
                out.write(T::from_acc(e.mul(scale).sub(label.to_acc())));
            }
        },
    );
}

/// The cross entropy of rows of `len` logits with one class a row, and its derivative by the
/// logits. A class that is not below `len` gives NaN.
///
/// # Panics
///
/// If there is not a class for each row and loss.
pub fn sparse_cross_entropy<T: Exponential>(
    logits: &[T],
    classes: &[i64],
    len: usize,
    loss: &mut [MaybeUninit<T>],
    backprop: &mut [MaybeUninit<T>],
    par: Par,
) {
    assert_eq!(classes.len(), loss.len(), "a loss for each class");
    assert_eq!(logits.len(), loss.len() * len, "a loss for each row");
    if len == 0 {
        return;
    }
    let nan = || T::Acc::ZERO.div(T::Acc::ZERO);
    let class = |i: usize| usize::try_from(classes[i]).ok().filter(|class| *class < len);
    losses(logits, len, loss, par, |i, row, largest, log| match class(i) {
        Some(class) => log.sub(row[class].sub(largest)),
        None => nan(),
    });
    rows(
        logits,
        len,
        backprop,
        par,
        #[inline(always)]
        |i, row: &mut [T::Acc], out: &mut [MaybeUninit<T>]| {
            let scale = exponentials(row, largest(row)).reciprocal();
            let scale = if class(i).is_some() { scale } else { nan() };
            for (class_of, (out, e)) in out.iter_mut().zip(row).enumerate() {
                let label = if class(i) == Some(class_of) { T::Acc::ONE } else { T::Acc::ZERO };
                out.write(T::from_acc(e.mul(scale).sub(label)));
            }
        },
    );
}

/// Writes `loss(i, row, largest, log(sum(exp(row - largest))))` for each row.
fn losses<T: Exponential>(
    x: &[T],
    len: usize,
    out: &mut [MaybeUninit<T>],
    par: Par,
    loss: impl Fn(usize, &[T::Acc], T::Acc, T::Acc) -> T::Acc + Sync,
) {
    par.for_parts(out, 1, x.len().saturating_mul(COST), |start, out| {
        simd(
            #[inline(always)]
            || {
                let mut row = vec![T::Acc::ZERO; len];
                let parts = out.iter_mut().zip(x[start * len..].chunks_exact(len));
                for (i, (out, x)) in parts.enumerate() {
                    for (row, x) in row.iter_mut().zip(x) {
                        *row = x.to_acc();
                    }
                    let largest = largest(&row);
                    let log = sum_of_exponentials(&row, largest).log();
                    out.write(T::from_acc(loss(start + i, &row, largest, log)));
                }
            },
        );
    });
}

/// Calls `each` with the number of every row, a copy of it and its place in `out`.
fn rows<T: Exponential>(
    x: &[T],
    len: usize,
    out: &mut [MaybeUninit<T>],
    par: Par,
    each: impl Fn(usize, &mut [T::Acc], &mut [MaybeUninit<T>]) + Sync,
) {
    assert_eq!(x.len(), out.len(), "a result for each element");
    if x.is_empty() {
        return;
    }
    assert_eq!(x.len() % len, 0, "whole rows");
    par.for_parts(out, len, x.len().saturating_mul(COST), |start, out| {
        simd(
            #[inline(always)]
            || {
                let mut row = vec![T::Acc::ZERO; len];
                let parts = x[start..].chunks_exact(len).zip(out.chunks_exact_mut(len));
                for (i, (x, out)) in parts.enumerate() {
                    for (row, x) in row.iter_mut().zip(x) {
                        *row = x.to_acc();
                    }
                    each(start / len + i, &mut row, out);
                }
            },
        );
    });
}

/// The largest element, NaN if there is one.
#[inline(always)]
fn largest<F: Float>(x: &[F]) -> F {
    let mut lanes = [F::LOWEST; LANES];
    let (chunks, rest) = x.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = lane.maximum(*x);
        }
    }
    lanes.iter().chain(rest).fold(
        F::LOWEST,
        #[inline(always)]
        |a, b| a.maximum(*b),
    )
}

/// Replaces `x` by `exp(x - largest)`; the sum of these.
#[inline(always)]
fn exponentials<F: Float>(x: &mut [F], largest: F) -> F {
    let mut lanes = [F::ZERO; LANES];
    let (chunks, rest) = x.as_chunks_mut::<LANES>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *x = x.sub(largest).exp();
            *lane = lane.add(*x);
        }
    }
    let mut sum = lanes.iter().fold(
        F::ZERO,
        #[inline(always)]
        |a, b| a.add(*b),
    );
    for x in rest {
        *x = x.sub(largest).exp();
        sum = sum.add(*x);
    }
    sum
}

/// The sum of `exp(x - largest)`.
#[inline(always)]
fn sum_of_exponentials<F: Float>(x: &[F], largest: F) -> F {
    let mut lanes = [F::ZERO; LANES];
    let (chunks, rest) = x.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = lane.add(x.sub(largest).exp());
        }
    }
    let rest = rest.iter().fold(
        F::ZERO,
        #[inline(always)]
        |a, b| a.add(b.sub(largest).exp()),
    );
    lanes.iter().fold(
        rest,
        #[inline(always)]
        |a, b| a.add(*b),
    )
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
