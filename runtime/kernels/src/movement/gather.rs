//! Rows picked by index, and rows added by index.

use super::clone_to;
use crate::element::Arithmetic;
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
    if indices.iter().fold(false, |any, index| any | bad(index))
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

/// Adds rows of `updates`, each `inner` long, to the rows of `out` given by the indices, in order. Rows with a negative
/// index are left out.
///
/// # Errors
///
/// If an index is too large; nothing is added then. Without elements in a row every index will do.
///
/// # Panics
///
/// If the lengths do not fit.
pub fn scatter_add<T: Arithmetic>(
    indices: &[i64],
    updates: &[T],
    inner: usize,
    out: &mut [T],
    par: Par,
) -> Result<(), BadIndex> {
    assert_eq!(updates.len(), volume([indices.len(), inner]), "one row of updates for each index");
    if inner == 0 {
        return Ok(());
    }
    assert!(out.len().is_multiple_of(inner), "result is not made of whole rows");
    let limit = out.len() / inner;
    let most = indices.iter().fold(-1, |most, &index| most.max(index));
    if most >= limit as i64 {
        let position = indices.iter().position(|&index| index >= limit as i64);
        let position = position.expect("the largest index is too large");
        return Err(BadIndex { position, index: indices[position], limit });
    }
    // Each thread adds to rows of its own and reads all indices for that, which pays for long rows.
    let work = if inner >= 16 { updates.len() } else { 0 };
    par.for_parts(out, inner, work, &|start, out| {
        add(indices, updates, inner, start / inner, out);
    });
    Ok(())
}

/// Adds the updates whose index is that of one of the rows of `out`, which begin at row `first`.
fn add<T: Arithmetic>(indices: &[i64], updates: &[T], inner: usize, first: usize, out: &mut [T]) {
    if inner == 1 {
        for (&index, &update) in indices.iter().zip(updates) {
            // A negative index is a large unsigned one.
            let row = index.cast_unsigned().wrapping_sub(first as u64);
            if row < out.len() as u64 {
                out[row as usize] = out[row as usize].add(update);
            }
        }
        return;
    }
    let rows = out.len() / inner;
    for (&index, update) in indices.iter().zip(updates.chunks_exact(inner)) {
        let row = index.cast_unsigned().wrapping_sub(first as u64);
        if row < rows as u64 {
            let row = row as usize;
            for (out, &update) in out[row * inner..][..inner].iter_mut().zip(update) {
                *out = out.add(update);
            }
        }
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
        let mut out = [0.0f32; 2];
        assert!(scatter_add(&[0, 2], &[1.0, 1.0], 1, &mut out, Par::Seq).is_err());
        assert_eq!(out, [0.0, 0.0]);
        let huge = [1 << 62, 3, 0];
        assert!(gather::<i32>(&[], huge, &[1, 2], &mut [], Par::Seq).is_ok());
        // Indices are checked even where nothing would be copied.
        assert!(gather::<i32>(&[], [0, 3, 1], &[5], &mut [], Par::Seq).is_err());
    }

    #[test]
    fn scatter_adds_repeated_rows() {
        let mut out = [1.0f32, 1.0, 1.0, 1.0];
        let updates = [1.0, 2.0, 3.0, 4.0, 9.0, 9.0];
        scatter_add(&[1, 1, -1], &updates, 2, &mut out, Par::Seq).unwrap();
        assert_eq!(out, [1.0, 1.0, 5.0, 7.0]);
        scatter_add(&[0, -1, 3, 0], &[1.0, 9.0, 1.0, 0.5], 1, &mut out, Par::Seq).unwrap();
        assert_eq!(out, [2.5, 1.0, 5.0, 8.0]);
    }

    #[test]
    fn threads_change_nothing() {
        let x = crate::testing::noise(1 << 19);
        for inner in [1, 16] {
            let rows = x.len() / inner;
            let indices: Vec<i64> = (0..rows as i64).map(|i| i * 7919 % 100).collect();
            let sums = [Par::Seq, Par::Pool].map(|par| {
                let mut out = vec![0.0; 100 * inner];
                scatter_add(&indices, &x, inner, &mut out, par).unwrap();
                out
            });
            assert_eq!(sums[0], sums[1]);
            let picked = [Par::Seq, Par::Pool].map(|par| {
                let extents = [2, rows / 2, inner];
                filled(x.len() * 2, |out| gather(&x, extents, &indices, out, par).unwrap())
            });
            assert!(picked[0] == picked[1]);
            assert_eq!(picked[0][inner], x[7919 % 100 * inner]);
        }
    }
}
