//! Reversed sequences, each over its own length.

use super::clone_to;
use crate::size::volume;
use core::mem::MaybeUninit;

/// An array seen as five dimensions. Of the second and the fourth, one counts the sequences and the other is the
/// position in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequences {
    /// The five sizes.
    pub sizes: [usize; 5],
    /// True if the second dimension counts the sequences and the fourth is the position in them, false for the other
    /// way round.
    pub batch_first: bool,
}

/// Copies an array with the first `lengths[b]` entries of sequence `b` reversed.
///
/// # Panics
///
/// If a length is larger than the sequences, or the lengths do not fit.
pub fn reverse_sequences<T: Clone>(
    x: &[T],
    view: Sequences,
    lengths: &[usize],
    out: &mut [MaybeUninit<T>],
) {
    let [outer, second, middle, fourth, inner] = view.sizes;
    assert_eq!(x.len(), volume(view.sizes), "operand does not have its shape");
    assert_eq!(x.len(), out.len(), "the result is as long as the operand");
    if x.is_empty() {
        return;
    }
    let mirrored = |i: usize, len: usize| if i < len { len - 1 - i } else { i };
    let mut out = out.chunks_exact_mut(inner);
    for o in 0..outer {
        for s in 0..second {
            for m in 0..middle {
                for f in 0..fourth {
                    let (s, f) = match view.batch_first {
                        true => (s, mirrored(f, lengths[s])),
                        false => (mirrored(s, lengths[f]), f),
                    };
                    let from = ((o * second + s) * middle + m) * fourth + f;
                    if let Some(out) = out.next() {
                        clone_to(&x[from * inner..(from + 1) * inner], out);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    #[test]
    fn each_sequence_has_its_length() {
        let x: Vec<i32> = (0..8).collect();
        let rows = Sequences { sizes: [1, 2, 1, 4, 1], batch_first: true };
        let got = filled(8, |out| reverse_sequences(&x, rows, &[3, 0], out));
        assert_eq!(got, [2, 1, 0, 3, 4, 5, 6, 7]);
        let columns = Sequences { sizes: [1, 4, 1, 2, 1], batch_first: false };
        let got = filled(8, |out| reverse_sequences(&x, columns, &[1, 4], out));
        assert_eq!(got, [0, 7, 2, 5, 4, 3, 6, 1]);
    }
}
