//! Kernels that move elements without reading their values.
//!
//! They take any `T: Clone`, so that they also work on strings; for `Copy` types the loops become block copies.

mod diagonal;
mod gather;
mod mapped;
mod pad;
mod reverse;
mod roll;
mod rows;
mod runs;
mod strided;

pub use diagonal::{Band, band_part, diagonals, set_diagonals};
pub use gather::{BadIndex, gather};
pub use mapped::{mapped_add, mapped_copy};
pub use pad::pad;
pub use reverse::{Sequences, reverse_sequences};
pub use roll::roll;
pub use rows::{NO_ROW, combine_rows, gather_rows, nonzero, scatter_rows};
pub use runs::{Run, copy_runs};
pub use strided::{strided_assign, strided_copy, tile};

use crate::size::volume;
use core::mem::MaybeUninit;

/// Writes parts side by side: for each of `outer` rows, the next run of every part. A part is given as its elements and
/// the length of its run.
///
/// # Panics
///
/// If the length of a part or of `out` is not that of `outer` runs.
pub fn concat<T: Clone>(parts: &[(&[T], usize)], outer: usize, out: &mut [MaybeUninit<T>]) {
    for &(part, run) in parts {
        assert_eq!(part.len(), volume([outer, run]), "a part has not as many runs as asked for");
    }
    if out.is_empty() {
        // There may be any number of empty rows.
        assert!(parts.iter().all(|(part, _)| part.is_empty()), "result is shorter than the parts");
        return;
    }
    let mut rest = out;
    for row in 0..outer {
        for &(part, run) in parts {
            let (out, after) = rest.split_at_mut(run);
            clone_to(&part[row * run..(row + 1) * run], out);
            rest = after;
        }
    }
    assert!(rest.is_empty(), "result is longer than the parts");
}

/// Clones element for element; a block copy for `Copy` types.
#[inline(always)]
fn clone_to<T: Clone>(x: &[T], out: &mut [MaybeUninit<T>]) {
    for (out, x) in out.iter_mut().zip(x) {
        out.write(x.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    #[test]
    fn concat_interleaves_rows() {
        let (a, b) = ([1, 2, 3, 4], [5, 6]);
        let got = filled(6, |out| concat(&[(&a, 2), (&b, 1), (&[], 0)], 2, out));
        assert_eq!(got, [1, 2, 5, 3, 4, 6]);
        assert!(filled(0, |out| concat::<i32>(&[(&[], 0), (&[], 0)], 1 << 62, out)).is_empty());
        let strings = ["x".to_string(), "y".to_string()];
        let got = filled(2, |out| concat(&[(&strings[..1], 1), (&strings[1..], 1)], 1, out));
        assert_eq!(got, strings);
    }
}
