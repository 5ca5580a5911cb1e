//! Rows read and written by their offsets.

use super::clone_to;
use crate::memory::{OutOfMemory, room};
use crate::size::volume;
use core::mem::MaybeUninit;

/// The offset of a missing row: it is read as defaults and never written.
pub const NO_ROW: usize = usize::MAX;

/// Writes the rows of `x` that begin at the offsets, each `inner` long.
///
/// # Panics
///
/// If a row does not lie in `x`, or the lengths do not fit.
pub fn gather_rows<T: Clone + Default>(
    x: &[T],
    offsets: &[usize],
    inner: usize,
    out: &mut [MaybeUninit<T>],
) {
    assert_eq!(out.len(), volume([offsets.len(), inner]), "one row for each offset");
    if inner == 0 {
        return;
    }
    for (&at, out) in offsets.iter().zip(out.chunks_exact_mut(inner)) {
        if at == NO_ROW {
            out.iter_mut().for_each(|out| {
                out.write(T::default());
            });
        } else {
            clone_to(&x[at..at + inner], out);
        }
    }
}

/// Overwrites the rows at the offsets by rows of `updates`, each `inner` long, in order.
///
/// # Panics
///
/// If a row does not lie in `out`, or the lengths do not fit.
pub fn scatter_rows<T: Clone>(
    offsets: &[usize],
    updates: &[T],
    inner: usize,
    out: &mut [MaybeUninit<T>],
) {
    for_each_row(offsets, updates, inner, |at, row| clone_to(row, &mut out[at..at + inner]));
}

/// Combines the rows at the offsets with rows of `updates`, each `inner` long, in order.
///
/// # Panics
///
/// If a row does not lie in `out`, or the lengths do not fit.
pub fn combine_rows<T: Copy>(
    offsets: &[usize],
    updates: &[T],
    inner: usize,
    out: &mut [T],
    combine: impl Fn(T, T) -> T,
) {
    for_each_row(offsets, updates, inner, |at, row| {
        for (out, &update) in out[at..at + inner].iter_mut().zip(row) {
            *out = combine(*out, update);
        }
    });
}

#[inline(always)]
fn for_each_row<T>(
    offsets: &[usize],
    updates: &[T],
    inner: usize,
    mut put: impl FnMut(usize, &[T]),
) {
    assert_eq!(updates.len(), volume([offsets.len(), inner]), "one row of updates for each offset");
    if inner == 0 {
        return;
    }
    for (&at, row) in offsets.iter().zip(updates.chunks_exact(inner)) {
        if at != NO_ROW {
            put(at, row);
        }
    }
}

/// The places of elements that differ from the default, which is zero or false.
///
/// # Errors
///
/// If there is no memory for them.
pub fn nonzero<T: Default + PartialEq>(x: &[T]) -> Result<Vec<usize>, OutOfMemory> {
    let zero = T::default();
    let places = || x.iter().enumerate().filter(|(_, x)| **x != zero).map(|(i, _)| i);
    let mut all = room(places().count())?;
    all.extend(places());
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Arithmetic;
    use crate::testing::filled;

    #[test]
    fn rows_are_picked_and_put() {
        let x = [1, 2, 3, 4, 5, 6];
        let got = filled(6, |out| gather_rows(&x, &[4, NO_ROW, 1], 2, out));
        assert_eq!(got, [5, 6, 0, 0, 2, 3]);
        assert!(filled(0, |out| gather_rows(&x, &[4, 1], 0, out)).is_empty());
        let got = filled(4, |out| {
            out.iter_mut().for_each(|out| {
                out.write(9);
            });
            scatter_rows(&[2, NO_ROW, 2], &[1, 2, 3, 4, 5, 6], 2, out);
        });
        assert_eq!(got, [9, 9, 5, 6]);
    }

    #[test]
    fn rows_are_combined_in_order() {
        let mut out = [1, 2, 3, 4];
        combine_rows(&[0, 2, 0], &[10, 20, 30, 40, 50, 60], 2, &mut out, Arithmetic::add);
        assert_eq!(out, [61, 82, 33, 44]);
    }

    #[test]
    fn nan_is_not_zero() {
        assert_eq!(nonzero(&[0.0, f32::NAN, -0.0, 1.0]).unwrap(), [1, 3]);
        assert_eq!(nonzero(&[true, false, true]).unwrap(), [0, 2]);
    }
}
