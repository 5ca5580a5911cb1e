//! Random choices: permutations, and classes drawn by their probabilities.

use super::Philox;
use super::philox::Words;
use super::uniform::unit_f64;
use crate::element::{Cast, Element};
use crate::memory::{OutOfMemory, collected};
use core::mem::MaybeUninit;

/// A random order of `0..len`, in which `StatelessShuffle` puts rows.
///
/// # Errors
///
/// If there is no memory for it.
pub fn permutation(generator: Philox, len: usize) -> Result<Vec<usize>, OutOfMemory> {
    let mut words = Words::new(generator, 0);
    let mut order: Vec<usize> = collected(0..len)?;
    for i in 0..len.saturating_sub(1) {
        // TensorFlow takes the remainder by a number of 32 bits.
        let left = (len - i) as u32;
        order.swap(i, i + (words.next() % left.max(1)) as usize);
    }
    Ok(order)
}

/// Writes `samples` classes for each row of `classes` unnormalized log-probabilities.
///
/// A class whose log-probability is not finite is never drawn; if no class is left the answer is `classes`. The rows
/// share one stream of random numbers.
///
/// # Errors
///
/// If there is no memory for the sums of a row.
///
/// # Panics
///
/// If a length does not fit the sizes.
pub fn categorical<T, I>(
    generator: Philox,
    logits: &[T],
    [classes, samples]: [usize; 2],
    out: &mut [MaybeUninit<I>],
) -> Result<(), OutOfMemory>
where
    T: Element + Cast<f64>,
    I: Element,
    i64: Cast<I>,
{
    if out.is_empty() {
        return Ok(());
    }
    assert_eq!(out.len() / samples, logits.len() / classes, "rows of results for rows of logits");
    let mut words = Words::new(generator, 0);
    let mut sums = collected((0..classes).map(|_| 0.0))?;
    for (logits, out) in logits.chunks_exact(classes).zip(out.chunks_exact_mut(samples)) {
        let largest = logits.iter().map(|x| x.cast()).filter(|x: &f64| x.is_finite());
        let largest = largest.fold(f64::MIN, f64::max);
        let mut total = 0.0;
        for (sum, x) in sums.iter_mut().zip(logits) {
            let x: f64 = x.cast();
            total += if x.is_finite() { (x - largest).exp() } else { 0.0 };
            *sum = total;
        }
        for out in out {
            let (high, low) = (words.next(), words.next());
            let drawn = unit_f64(high, low) * total;
            out.write((sums.partition_point(|sum| *sum <= drawn) as i64).cast());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    fn generator() -> Philox {
        let (key, counter) = Philox::key_counter([1, 2]);
        Philox::new(key, counter)
    }

    #[test]
    fn answers_of_tensorflow() {
        assert_eq!(permutation(generator(), 10).unwrap(), [0, 3, 8, 1, 5, 4, 9, 7, 6, 2]);
    }

    #[test]
    fn permutations_hold_every_number_once() {
        for len in [0, 1, 2, 100] {
            let mut order = permutation(generator(), len).unwrap();
            order.sort_unstable();
            assert!(order.into_iter().eq(0..len));
        }
    }

    #[test]
    fn impossible_classes_are_not_drawn() {
        let logits = [f32::NEG_INFINITY, 0.0, f32::NAN, 3f32.ln(), f32::NEG_INFINITY, -1e30];
        let drawn: Vec<i64> =
            filled(4000, |out| categorical(generator(), &logits, [6, 4000], out).unwrap());
        let count = |class: i64| drawn.iter().filter(|d| **d == class).count();
        assert_eq!(count(1) + count(3), 4000);
        assert!((2850..3150).contains(&count(3)), "{}", count(3));
        let nothing = [f64::NEG_INFINITY; 3];
        let drawn: Vec<i32> =
            filled(2, |out| categorical(generator(), &nothing, [3, 2], out).unwrap());
        assert_eq!(drawn, [3, 3]);
    }
}
