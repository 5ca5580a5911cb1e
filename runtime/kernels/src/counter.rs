//! Counting through nested loops with an offset per operand.

use smallvec::SmallVec;

/// A dimension: its size and the step of each operand.
///
/// Steps wrap: a backwards step is the two's complement of its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dim<const N: usize> {
    pub(crate) size: usize,
    pub(crate) steps: [usize; N],
}

/// Counts through nested loops like an odometer; the last dimension is fastest.
#[derive(Debug)]
pub(crate) struct Counter<const N: usize> {
    index: SmallVec<[usize; 4]>,
    /// The current offset of each operand.
    pub(crate) offsets: [usize; N],
}

impl<const N: usize> Counter<N> {
    /// A counter that has advanced `start` times; no dimension may be empty.
    #[inline]
    pub(crate) fn new(dims: &[Dim<N>], start: usize) -> Self {
        match dims {
            [] => Self { index: SmallVec::new(), offsets: [0; N] },
            _ => Self::advanced(dims, start),
        }
    }

    fn advanced(dims: &[Dim<N>], start: usize) -> Self {
        let mut rest = start;
        let mut offsets = [0usize; N];
        let mut index = SmallVec::from_elem(0, dims.len());
        for (index, dim) in index.iter_mut().zip(dims).rev() {
            *index = rest % dim.size;
            rest /= dim.size;
            for (offset, step) in offsets.iter_mut().zip(dim.steps) {
                *offset = offset.wrapping_add(index.wrapping_mul(step));
            }
        }
        Self { index, offsets }
    }

    /// Advances to the next index; the last one is followed by the first.
    #[inline(always)]
    pub(crate) fn advance(&mut self, dims: &[Dim<N>]) {
        for (index, dim) in self.index.iter_mut().zip(dims).rev() {
            *index += 1;
            for (offset, step) in self.offsets.iter_mut().zip(dim.steps) {
                *offset = offset.wrapping_add(step);
            }
            if *index < dim.size {
                return;
            }
            *index = 0;
            for (offset, step) in self.offsets.iter_mut().zip(dim.steps) {
                *offset = offset.wrapping_sub(dim.size.wrapping_mul(step));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_forwards_and_backwards() {
        let dims =
            [(2, [3, 0]), (3, [1, 1usize.wrapping_neg()])].map(|(size, steps)| Dim { size, steps });
        let mut counter = Counter::new(&dims, 0);
        for i in 0..7 {
            assert_eq!(counter.offsets, Counter::new(&dims, i % 6).offsets);
            assert_eq!(counter.offsets[0], i % 6);
            assert_eq!(counter.offsets[1] as isize, -((i % 3) as isize));
            counter.advance(&dims);
        }
    }
}
