//! Discrete Fourier transforms over the last axes of row-major slices, through `rustfft` and
//! `realfft`.
//!
//! The inverse transforms divide by the number of elements; the others do not divide.

use std::sync::{Arc, Mutex, PoisonError};

use num_complex::Complex;
use realfft::{ComplexToReal, FftNum, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftDirection, FftPlanner};

/// The direction of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To frequencies.
    Forward,
    /// From frequencies, with a division.
    Inverse,
}

/// A float that can be transformed. Plans are made here, so that the algorithms are compiled once, with this crate.
pub trait Sample: FftNum + Default {
    /// The number divided by the number of elements.
    fn over(self, n: usize) -> Self;

    /// A transform of `n` complex numbers.
    fn plan(n: usize, direction: FftDirection) -> Arc<dyn Fft<Self>>;

    /// The transform of `n` real numbers to frequencies.
    fn real_plan(n: usize) -> Arc<dyn RealToComplex<Self>>;

    /// The transform of frequencies to `n` real numbers.
    fn real_inverse_plan(n: usize) -> Arc<dyn ComplexToReal<Self>>;
}

/// Plans that are kept, the last used one at the end: a plan holds sines, which take longer than the transform.
type Plans<P> = Mutex<Vec<(usize, Arc<P>)>>;

/// The most numbers that the plans of a list transform together. A plan has up to 32 bytes for each.
const KEPT: usize = 1 << 20;

/// The plan for a length.
fn known<P: ?Sized>(plans: &Plans<P>, n: usize, make: impl FnOnce() -> Arc<P>) -> Arc<P> {
    // A list is consistent between any two statements.
    let list = || plans.lock().unwrap_or_else(PoisonError::into_inner);
    let mut kept = list();
    let found = kept.iter().position(|(len, _)| *len == n).map(|i| kept.remove(i));
    // No other thread waits while a plan is made.
    let plan = match found {
        Some((_, plan)) => plan,
        None => {
            drop(kept);
            let plan = make();
            kept = list();
            plan
        }
    };
    if n <= KEPT && kept.iter().all(|(len, _)| *len != n) {
        kept.push((n, plan.clone()));
        while kept.iter().map(|(len, _)| len).sum::<usize>() > KEPT {
            kept.remove(0);
        }
    }
    plan
}

macro_rules! samples {
    ($($t:ident)*) => {
        $(impl Sample for $t {
            fn over(self, n: usize) -> Self {
                self / n as $t
            }

            fn plan(n: usize, direction: FftDirection) -> Arc<dyn Fft<Self>> {
                static PLANS: [Plans<dyn Fft<$t>>; 2] = [const { Mutex::new(Vec::new()) }; 2];
                let is_inverse = direction == FftDirection::Inverse;
                known(&PLANS[usize::from(is_inverse)], n, || FftPlanner::new().plan_fft(n, direction))
            }

            fn real_plan(n: usize) -> Arc<dyn RealToComplex<Self>> {
                static PLANS: Plans<dyn RealToComplex<$t>> = Mutex::new(Vec::new());
                known(&PLANS, n, || RealFftPlanner::new().plan_fft_forward(n))
            }

            fn real_inverse_plan(n: usize) -> Arc<dyn ComplexToReal<Self>> {
                static PLANS: Plans<dyn ComplexToReal<$t>> = Mutex::new(Vec::new());
                known(&PLANS, n, || RealFftPlanner::new().plan_fft_inverse(n))
            }
        })*
    };
}
samples!(f32 f64);

/// Transforms blocks of these sizes, one behind the other, over all their axes.
pub fn transform<T: Sample>(data: &mut [Complex<T>], sizes: &[usize], direction: Direction) {
    for axis in 0..sizes.len() {
        along(data, sizes, axis, direction);
    }
}

/// Transforms blocks of these sizes over one of their axes.
fn along<T: Sample>(data: &mut [Complex<T>], sizes: &[usize], axis: usize, direction: Direction) {
    let n = sizes[axis];
    if data.is_empty() {
        return;
    }
    let way = match direction {
        Direction::Forward => FftDirection::Forward,
        Direction::Inverse => FftDirection::Inverse,
    };
    let plan = T::plan(n, way);
    let mut scratch = vec![Complex::default(); plan.get_inplace_scratch_len()];
    let stride: usize = sizes[axis + 1..].iter().product();
    if stride == 1 {
        plan.process_with_scratch(data, &mut scratch);
    } else {
        let mut line = vec![Complex::default(); n];
        for block in data.chunks_exact_mut(n * stride) {
            for start in 0..stride {
                let places = block[start..].iter().step_by(stride);
                line.iter_mut().zip(places).for_each(|(to, x)| *to = *x);
                plan.process_with_scratch(&mut line, &mut scratch);
                let places = block[start..].iter_mut().step_by(stride);
                places.zip(&line).for_each(|(to, x)| *to = *x);
            }
        }
    }
    if direction == Direction::Inverse {
        for x in data {
            *x = Complex::new(x.re.over(n), x.im.over(n));
        }
    }
}

/// Blocks of one size, cut or padded with zeros at the end to another size.
pub fn resized<X: Copy + Default>(data: &[X], from: &[usize], to: &[usize], out: &mut Vec<X>) {
    // There is nothing to copy, and the products of the sizes may overflow.
    if data.is_empty() || to.contains(&0) {
        return;
    }
    for block in data.chunks_exact(from.iter().product()) {
        part(block, from, to, out);
    }
}

fn part<X: Copy + Default>(block: &[X], from: &[usize], to: &[usize], out: &mut Vec<X>) {
    let ([n, from @ ..], [m, to @ ..]) = (from, to) else { return out.extend(block) };
    let (step, wanted): (usize, usize) = (from.iter().product(), to.iter().product());
    for i in 0..*n.min(m) {
        part(&block[i * step..(i + 1) * step], from, to, out);
    }
    let missing = (m - n.min(m)) * wanted;
    out.extend(std::iter::repeat_n(X::default(), missing));
}

/// The frequencies, up to the half, of blocks of real numbers with these sizes.
pub fn real_transform<T: Sample>(data: &mut [T], sizes: &[usize], out: &mut Vec<Complex<T>>) {
    let Some((&n, rest)) = sizes.split_last() else { return };
    if data.is_empty() {
        return;
    }
    let half = n / 2 + 1;
    let start = out.len();
    let plan = T::real_plan(n);
    let mut scratch = plan.make_scratch_vec();
    let mut line = plan.make_output_vec();
    for row in data.chunks_exact_mut(n) {
        // The lengths match the plan.
        if plan.process_with_scratch(row, &mut line, &mut scratch).is_ok() {
            out.extend(&line);
        }
    }
    let block: Vec<usize> = rest.iter().copied().chain([half]).collect();
    for axis in 0..rest.len() {
        along(&mut out[start..], &block, axis, Direction::Forward);
    }
}

/// Blocks of real numbers with these sizes from their frequencies, which are overwritten. The imaginary parts at zero
/// and at the half are ignored.
pub fn real_inverse<T: Sample>(data: &mut [Complex<T>], sizes: &[usize], out: &mut Vec<T>) {
    let Some((&n, rest)) = sizes.split_last() else { return };
    if data.is_empty() {
        return;
    }
    let half = n / 2 + 1;
    let block: Vec<usize> = rest.iter().copied().chain([half]).collect();
    for axis in 0..rest.len() {
        along(data, &block, axis, Direction::Inverse);
    }
    let plan = T::real_inverse_plan(n);
    let mut scratch = plan.make_scratch_vec();
    let mut line = plan.make_output_vec();
    for row in data.chunks_exact_mut(half) {
        row[0].im = T::default();
        if n % 2 == 0 {
            row[half - 1].im = T::default();
        }
        // The lengths match the plan, and the values that must be real are.
        if plan.process_with_scratch(row, &mut line, &mut scratch).is_ok() {
            out.extend(line.iter().map(|x| x.over(n)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_plans_are_kept() {
        let plans: Plans<usize> = Mutex::new(Vec::new());
        let made = |n| known(&plans, n, || Arc::new(n));
        let first = made(8);
        assert!(Arc::ptr_eq(&first, &made(8)) && *made(KEPT + 1) == KEPT + 1);
        made(KEPT / 2);
        made(8);
        made(KEPT / 2 + 1);
        let kept: Vec<usize> = plans.lock().unwrap().iter().map(|(n, _)| *n).collect();
        assert_eq!(kept, [8, KEPT / 2 + 1]);
        assert!(Arc::ptr_eq(&first, &made(8)));
        assert!((0..200).map(made).zip(0..).all(|(plan, n)| *plan == n));
    }
}
