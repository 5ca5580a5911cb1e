//! Padding with a constant.

use super::clone_to;
use crate::size::volume;
use core::mem::MaybeUninit;

/// Writes `x` surrounded by `value`: `paddings[d]` elements before and after
/// along each dimension `d`.
///
/// # Panics
///
/// If the lengths do not fit.
pub fn pad<T: Clone>(
    x: &[T],
    shape: &[usize],
    paddings: &[(usize, usize)],
    value: &T,
    out: &mut [MaybeUninit<T>],
) {
    assert_eq!(shape.len(), paddings.len(), "one padding for each dimension");
    assert_eq!(x.len(), volume(shape.iter().copied()), "operand does not have its shape");
    let padded = shape
        .iter()
        .zip(paddings)
        .map(|(size, (before, after))| before.saturating_add(*size).saturating_add(*after));
    assert_eq!(out.len(), volume(padded), "result does not have the padded shape");
    pad_dim(x, shape, paddings, value, out);
}

/// Pads the first dimension and, within it, the others.
fn pad_dim<T: Clone>(
    x: &[T],
    shape: &[usize],
    paddings: &[(usize, usize)],
    value: &T,
    out: &mut [MaybeUninit<T>],
) {
    if out.is_empty() {
        return;
    }
    // If the inner dimensions have no padding, the rest is one block.
    if paddings.iter().all(|&padding| padding == (0, 0)) {
        return clone_to(x, out);
    }
    let (size, (before, after)) = (shape[0], paddings[0]);
    let out_step = out.len() / (before + size + after);
    let (head, rest) = out.split_at_mut(before * out_step);
    let (body, tail) = rest.split_at_mut(size * out_step);
    fill(value, head);
    fill(value, tail);
    if size == 0 {
        return;
    }
    // A dimension whose inside has no padding is one block too.
    if paddings[1..].iter().all(|&padding| padding == (0, 0)) {
        return clone_to(x, body);
    }
    let step = x.len() / size;
    for (i, out) in body.chunks_exact_mut(out_step).enumerate() {
        pad_dim(&x[i * step..(i + 1) * step], &shape[1..], &paddings[1..], value, out);
    }
}

fn fill<T: Clone>(value: &T, out: &mut [MaybeUninit<T>]) {
    for out in out {
        out.write(value.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    #[test]
    fn pads_every_side() {
        let got = filled(12, |out| pad(&[1, 2], &[1, 2], &[(1, 1), (2, 0)], &9, out));
        assert_eq!(got, [9, 9, 9, 9, 9, 9, 1, 2, 9, 9, 9, 9]);
    }

    #[test]
    fn pads_nothing_and_scalars() {
        let got = filled(6, |out| pad(&[], &[2, 0], &[(0, 0), (1, 2)], &5, out));
        assert_eq!(got, [5; 6]);
        let (shape, around) = ([1 << 62, 1 << 62, 0], [(1, 1), (0, 1 << 62), (0, 0)]);
        assert!(filled(0, |out| pad(&[], &shape, &around, &5, out)).is_empty());
        assert_eq!(filled(1, |out| pad(&[3], &[], &[], &0, out)), [3]);
    }
}
