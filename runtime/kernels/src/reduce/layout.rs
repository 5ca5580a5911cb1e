//! The part of a shape that is reduced.

use crate::counter::Dim;
use crate::size::volume;

/// A shape with some dimensions marked to be reduced, in its simplest form.
///
/// Dimensions of size one are dropped and neighbours of the same kind are merged, so that kept and reduced dimensions
/// alternate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReduceLayout {
    in_len: usize,
    out_len: usize,
    count: usize,
    kept: Vec<Dim<1>>,
    reduced: Vec<Dim<1>>,
    inner_len: usize,
    inner_is_reduced: bool,
}

impl ReduceLayout {
    /// The layout of a row-major array whose dimension `i` is reduced if
    /// `reduced[i]`.
    ///
    /// # Panics
    ///
    /// If the two differ in length.
    pub fn new(shape: &[usize], reduced: &[bool]) -> Self {
        assert_eq!(shape.len(), reduced.len(), "one flag for each dimension");
        let product = |kind: bool| -> usize {
            let sizes = shape.iter().zip(reduced);
            volume(sizes.filter(|&(_, &r)| r == kind).map(|(&size, _)| size))
        };
        let (count, out_len) = (product(true), product(false));

        let mut merged: Vec<(usize, bool)> = Vec::with_capacity(shape.len());
        for (&size, &reduced) in shape.iter().zip(reduced) {
            match merged.last_mut() {
                _ if size == 1 => {}
                // Wraps only if another size is zero, and then nothing is accessed.
                Some((last, kind)) if *kind == reduced => *last = last.wrapping_mul(size),
                _ => merged.push((size, reduced)),
            }
        }
        // Without dimensions, the one element is reduced by itself.
        let (inner_len, inner_is_reduced) = merged.pop().unwrap_or((1, true));

        let mut step = inner_len;
        let (mut kept_dims, mut reduced_dims) = (Vec::new(), Vec::new());
        for (size, reduced) in merged.into_iter().rev() {
            let dims = if reduced { &mut reduced_dims } else { &mut kept_dims };
            dims.insert(0, Dim { size, steps: [step] });
            step = step.wrapping_mul(size);
        }
        Self {
            in_len: volume([count, out_len]),
            out_len,
            count,
            kept: kept_dims,
            reduced: reduced_dims,
            inner_len,
            inner_is_reduced,
        }
    }

    /// The number of input elements.
    pub fn in_len(&self) -> usize {
        self.in_len
    }

    /// The number of output elements.
    pub fn out_len(&self) -> usize {
        self.out_len
    }

    /// The number of elements that are reduced to one.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether the innermost dimension is reduced.
    pub(super) fn inner_is_reduced(&self) -> bool {
        self.inner_is_reduced
    }

    /// The runs that elements come in.
    pub(super) fn runs(&self) -> Runs<'_> {
        Runs {
            kept: &self.kept,
            reduced: &self.reduced,
            count: self.reduced.iter().fold(1, |n: usize, dim| n.saturating_mul(dim.size)),
            run_len: self.inner_len,
        }
    }
}

/// Runs of neighbouring elements, the innermost dimension.
#[derive(Debug, Clone, Copy)]
pub(super) struct Runs<'a> {
    /// The kept dimensions, without the innermost.
    pub(super) kept: &'a [Dim<1>],
    /// The reduced dimensions, without the innermost.
    pub(super) reduced: &'a [Dim<1>],
    /// The number of steps through `reduced`.
    pub(super) count: usize,
    /// The size of the innermost dimension.
    pub(super) run_len: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_merge() {
        let layout = ReduceLayout::new(&[2, 3, 1, 4, 5], &[false, false, true, true, true]);
        assert_eq!((layout.inner_len, layout.inner_is_reduced), (20, true));
        assert_eq!(layout.kept, [Dim { size: 6, steps: [20] }]);
        assert!(layout.reduced.is_empty());
        assert_eq!((layout.in_len(), layout.out_len(), layout.count()), (120, 6, 20));
    }

    #[test]
    fn scalars_and_empty_shapes() {
        let scalar = ReduceLayout::new(&[], &[]);
        assert_eq!((scalar.in_len(), scalar.out_len(), scalar.count()), (1, 1, 1));
        let empty = ReduceLayout::new(&[2, 0, 3], &[false, true, false]);
        assert_eq!((empty.in_len(), empty.out_len(), empty.count()), (0, 6, 0));
        let huge = ReduceLayout::new(&[1 << 62, 1 << 62, 0], &[true, false, true]);
        assert_eq!((huge.in_len(), huge.out_len(), huge.count()), (0, 1 << 62, 0));
        let huge = ReduceLayout::new(&[1 << 62, 0, 1 << 62, 3], &[false, false, true, true]);
        assert_eq!((huge.in_len(), huge.out_len()), (0, 0));
    }
}
