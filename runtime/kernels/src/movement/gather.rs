//! Rows picked by index.

use super::clone_to;
use crate::order::extremes;
use crate::par::Par;
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

/// Checks that all indices are below the limit.
fn check(indices: &[i64], limit: usize) -> Result<(), BadIndex> {
    let bad = |index: &i64| *index as u64 >= limit as u64;
    // A test of all at once is a loop of vectors.
    if extremes(indices).is_some_and(|(least, most)| bad(&least) || bad(&most))
        && let Some(position) = indices.iter().position(bad)
    {
        return Err(BadIndex { position, index: indices[position], limit });
    }
    Ok(())
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
pub fn gather<T: Clone + Send + Sync>(
    params: &[T],
    [outer, axis_len, inner]: [usize; 3],
    indices: &[i64],
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), BadIndex> {
    assert_eq!(
        params.len(),
        volume([outer, axis_len, inner]),
        "operand does not have the shape given"
    );
    assert_eq!(out.len(), volume([outer, indices.len(), inner]), "result does not fit the indices");
    check(indices, axis_len)?;
    if out.is_empty() {
        return Ok(());
    }
    let work = out.len();
    par.for_parts(out, inner, work, &|start, mut out| {
        let mut row = start / inner;
        while !out.is_empty() {
            let (slab, from) = (row / indices.len(), row % indices.len());
            let indices = &indices[from..];
            let indices = &indices[..indices.len().min(out.len() / inner)];
            let params = &params[slab * axis_len * inner..][..axis_len * inner];
            let (now, rest) = out.split_at_mut(indices.len() * inner);
            pick(params, indices, inner, now);
            row += indices.len();
            out = rest;
        }
    });
    Ok(())
}

/// Writes the rows of `params` with these indices.
fn pick<T: Clone>(params: &[T], indices: &[i64], inner: usize, out: &mut [MaybeUninit<T>]) {
    if inner == 1 {
        for (&index, out) in indices.iter().zip(out) {
            out.write(params[index as usize].clone());
        }
        return;
    }
    for (&index, out) in indices.iter().zip(out.chunks_exact_mut(inner)) {
        let at = index as usize * inner;
        clone_to(&params[at..at + inner], out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    #[test]
    fn gathers_along_any_axis() {
        let x: Vec<i32> = (0..12).collect();
        let got = filled(8, |out| gather(&x, [2, 3, 2], &[2, 0], out, Par::Seq).unwrap());
        assert_eq!(got, [4, 5, 0, 1, 10, 11, 6, 7]);
        assert!(filled(0, |out| gather(&x, [2, 3, 2], &[], out, Par::Seq).unwrap()).is_empty());
    }

    #[test]
    fn bad_indices_are_named() {
        for index in [-1, 3] {
            let mut out = [MaybeUninit::uninit(); 2];
            let error = gather(&[1, 2, 3], [1, 3, 1], &[0, index], &mut out, Par::Seq).unwrap_err();
            assert_eq!(error, BadIndex { position: 1, index, limit: 3 });
        }
        let huge = [1 << 62, 3, 0];
        assert!(gather::<i32>(&[], huge, &[1, 2], &mut [], Par::Seq).is_ok());
        // Indices are checked even where nothing would be copied.
        assert!(gather::<i32>(&[], [0, 3, 1], &[5], &mut [], Par::Seq).is_err());
    }

    #[test]
    fn threads_change_nothing() {
        let x = crate::testing::noise(1 << 19);
        for inner in [1, 16] {
            let rows = x.len() / inner;
            let indices: Vec<i64> = (0..rows as i64).map(|i| i * 7919 % 100).collect();
            let picked = [Par::Seq, Par::Pool].map(|par| {
                let extents = [2, rows / 2, inner];
                filled(x.len() * 2, |out| gather(&x, extents, &indices, out, par).unwrap())
            });
            assert!(picked[0] == picked[1]);
            assert_eq!(picked[0][inner], x[7919 % 100 * inner]);
        }
    }
}
