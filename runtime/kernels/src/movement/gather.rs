//! Rows picked by index, and rows added by index.

use super::clone_to;
use crate::element::Arithmetic;
use crate::size::volume;
use core::fmt;
use core::mem::MaybeUninit;

/// An index that is negative or too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadIndex {
    /// Its position among the indices.
    pub position: usize,
    /// The index.
    pub index: i64,
    /// The limit that indices must be below.
    pub limit: usize,
}

impl fmt::Display for BadIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, index, limit } = self;
        write!(f, "index {index} at position {position} is not in [0, {limit})")
    }
}

impl std::error::Error for BadIndex {}

/// Checks an index against its limit.
#[inline(always)]
fn checked(position: usize, index: i64, limit: usize) -> Result<usize, BadIndex> {
    usize::try_from(index).ok().filter(|&i| i < limit).ok_or(BadIndex { position, index, limit })
}

/// Picks slices along the middle dimension of an array of shape (`outer`,
/// `axis_len`, `inner`); the result has the shape (`outer`, indices, `inner`).
///
/// # Errors
///
/// If an index is out of range; nothing is written then.
///
/// # Panics
///
/// If the lengths do not fit.
pub fn gather<T: Clone>(
    params: &[T],
    [outer, axis_len, inner]: [usize; 3],
    indices: &[i64],
    out: &mut [MaybeUninit<T>],
) -> Result<(), BadIndex> {
    assert_eq!(
        params.len(),
        volume([outer, axis_len, inner]),
        "operand does not have the shape given"
    );
    assert_eq!(out.len(), volume([outer, indices.len(), inner]), "result does not fit the indices");
    for (position, &index) in indices.iter().enumerate() {
        checked(position, index, axis_len)?;
    }
    if out.is_empty() {
        return Ok(());
    }
    let slabs = params.chunks_exact(axis_len * inner);
    for (params, out) in slabs.zip(out.chunks_exact_mut(indices.len() * inner)) {
        for (&index, out) in indices.iter().zip(out.chunks_exact_mut(inner)) {
            let at = index as usize * inner;
            clone_to(&params[at..at + inner], out);
        }
    }
    Ok(())
}

/// Adds rows of `updates`, each `inner` long, to the rows of `out` given by the indices, in order.
///
/// # Errors
///
/// If an index is out of range; nothing is added then.
///
/// # Panics
///
/// If the lengths do not fit.
pub fn scatter_add<T: Arithmetic>(
    indices: &[i64],
    updates: &[T],
    inner: usize,
    out: &mut [T],
) -> Result<(), BadIndex> {
    assert_eq!(updates.len(), volume([indices.len(), inner]), "one row of updates for each index");
    if inner == 0 {
        return Ok(());
    }
    assert!(out.len().is_multiple_of(inner), "result is not made of whole rows");
    let limit = out.len() / inner;
    for (position, &index) in indices.iter().enumerate() {
        checked(position, index, limit)?;
    }
    for (&index, update) in indices.iter().zip(updates.chunks_exact(inner)) {
        let at = index as usize * inner;
        for (out, &update) in out[at..at + inner].iter_mut().zip(update) {
            *out = out.add(update);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    #[test]
    fn gathers_along_any_axis() {
        let x: Vec<i32> = (0..12).collect();
        let got = filled(8, |out| gather(&x, [2, 3, 2], &[2, 0], out).unwrap());
        assert_eq!(got, [4, 5, 0, 1, 10, 11, 6, 7]);
        assert!(filled(0, |out| gather(&x, [2, 3, 2], &[], out).unwrap()).is_empty());
    }

    #[test]
    fn bad_indices_are_named() {
        for index in [-1, 3] {
            let mut out = [MaybeUninit::uninit(); 2];
            let error = gather(&[1, 2, 3], [1, 3, 1], &[0, index], &mut out).unwrap_err();
            assert_eq!(error, BadIndex { position: 1, index, limit: 3 });
        }
        let mut out = [0.0f32; 2];
        assert!(scatter_add(&[0, 2], &[1.0, 1.0], 1, &mut out).is_err());
        assert_eq!(out, [0.0, 0.0]);
        let huge = [1 << 62, 3, 0];
        assert!(gather::<i32>(&[], huge, &[1, 2], &mut []).is_ok());
        // Indices are checked even where nothing would be copied.
        assert!(gather::<i32>(&[], [0, 3, 1], &[5], &mut []).is_err());
    }

    #[test]
    fn scatter_adds_repeated_rows() {
        let mut out = [1.0f32, 1.0, 1.0, 1.0];
        scatter_add(&[1, 1], &[1.0, 2.0, 3.0, 4.0], 2, &mut out).unwrap();
        assert_eq!(out, [1.0, 1.0, 5.0, 7.0]);
    }
}
