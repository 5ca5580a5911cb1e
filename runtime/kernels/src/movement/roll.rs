//! Elements moved round their dimensions.

use super::clone_to;
use crate::size::volume;
use core::mem::MaybeUninit;

/// Copies an array with the elements moved on by `shifts[d]` along each dimension `d`; those beyond the end begin anew.
///
/// # Panics
///
/// If a shift is larger than its dimension, or the lengths do not fit.
pub fn roll<T: Clone>(x: &[T], shape: &[usize], shifts: &[usize], out: &mut [MaybeUninit<T>]) {
    assert_eq!(shape.len(), shifts.len(), "one shift for each dimension");
    assert_eq!(x.len(), volume(shape.iter().copied()), "operand does not have its shape");
    assert_eq!(x.len(), out.len(), "the result is as long as the operand");
    if !x.is_empty() {
        roll_dim(x, shape, shifts, out);
    }
}

/// Rolls the first dimension and, within it, the others.
fn roll_dim<T: Clone>(x: &[T], shape: &[usize], shifts: &[usize], out: &mut [MaybeUninit<T>]) {
    let Some(last) = shifts.iter().rposition(|shift| *shift != 0) else { return clone_to(x, out) };
    let step = x.len() / shape[0];
    let at = shifts[0] * step;
    if last == 0 {
        clone_to(&x[x.len() - at..], &mut out[..at]);
        return clone_to(&x[..x.len() - at], &mut out[at..]);
    }
    let moved = x[x.len() - at..].chunks_exact(step).chain(x.chunks_exact(step));
    for (x, out) in moved.zip(out.chunks_exact_mut(step)) {
        roll_dim(x, &shape[1..], &shifts[1..], out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    #[test]
    fn rolls_every_dimension() {
        let x = [0, 1, 2, 3, 4, 5];
        let rolled =
            |shape: &[usize], shifts: &[usize]| filled(6, |out| roll(&x, shape, shifts, out));
        assert_eq!(rolled(&[6], &[2]), [4, 5, 0, 1, 2, 3]);
        assert_eq!(rolled(&[2, 3], &[1, 0]), [3, 4, 5, 0, 1, 2]);
        assert_eq!(rolled(&[2, 3], &[0, 1]), [2, 0, 1, 5, 3, 4]);
        assert_eq!(rolled(&[2, 3], &[1, 2]), [4, 5, 3, 1, 2, 0]);
        assert_eq!(rolled(&[3, 2], &[0, 0]), x);
        assert_eq!(filled(1, |out| roll(&[7], &[], &[], out)), [7]);
        assert!(filled(0, |out| roll::<i32>(&[], &[0, 5], &[0, 1], out)).is_empty());
    }
}
