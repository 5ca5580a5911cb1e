//! Plans for element-wise kernels over operands of different shapes.
//!
//! A plan aligns the shapes as `NumPy` does, then merges neighbouring dimensions that every operand steps through
//! alike. The result is a few long runs, in which each operand either advances by one or stays.

use crate::counter::{Counter, Dim};
use crate::size::volume;
use core::fmt;
use core::ops::Range;

/// Shapes that cannot be broadcast against each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BroadcastError {
    /// The offending dimension of the result, counted from the front.
    pub axis: usize,
    /// The sizes that met there: they differ, and neither is one.
    pub sizes: (usize, usize),
}

impl fmt::Display for BroadcastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (a, b) = self.sizes;
        write!(f, "sizes {a} and {b} of dimension {} cannot be broadcast", self.axis)
    }
}

impl std::error::Error for BroadcastError {}

/// How to run over two operands broadcast against each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broadcast(pub(crate) Loops<2>);

impl Broadcast {
    /// Plans the broadcast of two shapes.
    pub fn new(x_shape: &[usize], y_shape: &[usize]) -> Result<Self, BroadcastError> {
        Loops::new([x_shape, y_shape]).map(Self)
    }

    /// The shape of the result.
    pub fn out_shape(&self) -> &[usize] {
        &self.0.shape
    }

    /// The number of elements of the result.
    #[expect(clippy::len_without_is_empty, reason = "the length of a result, not of a container")]
    pub fn len(&self) -> usize {
        self.0.len
    }
}

/// How to run over three operands broadcast against each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broadcast3(pub(crate) Loops<3>);

impl Broadcast3 {
    /// Plans the broadcast of three shapes.
    pub fn new(a: &[usize], b: &[usize], c: &[usize]) -> Result<Self, BroadcastError> {
        Loops::new([a, b, c]).map(Self)
    }

    /// The shape of the result.
    pub fn out_shape(&self) -> &[usize] {
        &self.0.shape
    }

    /// The number of elements of the result.
    #[expect(clippy::len_without_is_empty, reason = "the length of a result, not of a container")]
    pub fn len(&self) -> usize {
        self.0.len
    }
}

/// Nested loops over `N` broadcast operands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loops<const N: usize> {
    shape: Vec<usize>,
    len: usize,
    operand_lens: [usize; N],
    /// The loops around the runs, outermost first.
    outer: Vec<Dim<N>>,
    /// The runs; steps are zero or one.
    inner: Dim<N>,
}

/// Part of one run: where each operand starts, and how long it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run<const N: usize> {
    pub(crate) offsets: [usize; N],
    pub(crate) len: usize,
}

impl<const N: usize> Loops<N> {
    fn new(shapes: [&[usize]; N]) -> Result<Self, BroadcastError> {
        let rank = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
        let size_of = |operand: usize, axis: usize| {
            let shape = shapes[operand];
            (axis + shape.len()).checked_sub(rank).map_or(1, |i| shape[i])
        };
        let shape = (0..rank)
            .map(|axis| common_size::<N>(axis, core::array::from_fn(|i| size_of(i, axis))))
            .collect::<Result<Vec<_>, _>>()?;

        // If one size is zero others may be huge: steps wrap, but are never used for access.
        let mut strides = [1usize; N];
        let mut dims: Vec<Dim<N>> = Vec::with_capacity(rank);
        for (axis, &size) in shape.iter().enumerate().rev() {
            let steps = core::array::from_fn(|i| {
                let step = if size_of(i, axis) == 1 { 0 } else { strides[i] };
                strides[i] = strides[i].wrapping_mul(size_of(i, axis));
                step
            });
            push_merged(&mut dims, Dim { size, steps });
        }
        dims.reverse();
        // Without dimensions there is still one element.
        let inner = dims.pop().unwrap_or(Dim { size: 1, steps: [0; N] });
        let len = volume(shape.iter().copied());
        let operand_lens = shapes.map(|shape| volume(shape.iter().copied()));
        Ok(Self { shape, len, operand_lens, outer: dims, inner })
    }

    /// The number of elements that each operand must have.
    pub(crate) fn operand_lens(&self) -> [usize; N] {
        self.operand_lens
    }

    /// The length of an undivided run.
    pub(crate) fn run_len(&self) -> usize {
        self.inner.size
    }

    /// Whether each operand advances within a run.
    #[inline(always)]
    pub(crate) fn advances(&self) -> [bool; N] {
        self.inner.steps.map(|step| step != 0)
    }

    /// The number of elements of the result after which an operand starts again.
    pub(crate) fn period(&self, operand: usize) -> usize {
        let dims = self.outer.iter().chain([&self.inner]);
        volume(dims.skip_while(|dim| dim.steps[operand] == 0).map(|dim| dim.size))
    }

    /// Calls `f` for the runs that make up a range of the flat result.
    #[inline(always)]
    pub(crate) fn for_runs(&self, range: Range<usize>, mut f: impl FnMut(Run<N>)) {
        if range.is_empty() {
            return;
        }
        let mut skip = range.start % self.inner.size;
        let mut counter = Counter::new(&self.outer, range.start / self.inner.size);
        let mut left = range.len();
        loop {
            let len = left.min(self.inner.size - skip);
            let offsets = core::array::from_fn(|i| counter.offsets[i] + skip * self.inner.steps[i]);
            f(Run { offsets, len });
            left -= len;
            if left == 0 {
                return;
            }
            skip = 0;
            counter.advance(&self.outer);
        }
    }
}

/// The size of a dimension of the result.
fn common_size<const N: usize>(axis: usize, sizes: [usize; N]) -> Result<usize, BroadcastError> {
    sizes.into_iter().try_fold(1, |common, size| match (common, size) {
        (common, 1) => Ok(common),
        (1, size) => Ok(size),
        (common, size) if common == size => Ok(common),
        sizes => Err(BroadcastError { axis, sizes }),
    })
}

/// Adds the next outer dimension. It is merged with the inner one if every operand steps through both as through one.
fn push_merged<const N: usize>(dims: &mut Vec<Dim<N>>, dim: Dim<N>) {
    if dim.size == 1 {
        return;
    }
    if let Some(inside) = dims.last_mut()
        && (0..N).all(|i| dim.steps[i] == inside.size.wrapping_mul(inside.steps[i]))
    {
        inside.size = inside.size.wrapping_mul(dim.size);
        return;
    }
    dims.push(dim);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(x: &[usize], y: &[usize]) -> Loops<2> {
        Broadcast::new(x, y).unwrap().0
    }

    #[test]
    fn shapes_follow_numpy() {
        assert_eq!(plan(&[2, 1, 3], &[4, 1]).shape, [2, 4, 3]);
        assert_eq!(plan(&[], &[]).shape, [0usize; 0]);
        assert_eq!(plan(&[0, 1], &[1, 5]).shape, [0, 5]);
        let error = Broadcast::new(&[2, 3], &[4, 3]).unwrap_err();
        assert_eq!(error, BroadcastError { axis: 0, sizes: (2, 4) });
        assert_eq!(Broadcast::new(&[2, 0], &[5]).unwrap_err().axis, 1);
    }

    #[test]
    fn sizes_beside_a_zero_may_be_huge() {
        let huge = plan(&[1 << 62, 1 << 62, 0], &[3, 1 << 62, 1 << 62, 0]);
        assert_eq!((huge.len, huge.operand_lens()), (0, [0, 0]));
        let huge = plan(&[1 << 40, 1 << 40, 0, 1 << 40], &[1]);
        assert_eq!((huge.len, huge.operand_lens()), (0, [0, 1]));
    }

    #[test]
    fn equal_shapes_and_scalars_are_one_run() {
        for (x, y) in [(&[2, 3, 4][..], &[2, 3, 4][..]), (&[2, 3, 4], &[]), (&[1], &[2, 3, 4])] {
            let plan = plan(x, y);
            assert!(plan.outer.is_empty());
            assert_eq!(plan.run_len(), 24);
        }
    }

    #[test]
    fn rows_and_columns_are_two_loops() {
        let row = plan(&[5, 6, 7], &[7]);
        assert_eq!((row.outer.len(), row.run_len()), (1, 7));
        let column = plan(&[5, 6, 7], &[5, 1, 1]);
        assert_eq!((column.outer.len(), column.run_len()), (1, 42));
        assert_eq!(column.advances(), [true, false]);
    }

    #[test]
    fn operands_start_again() {
        let periods = |x: &[usize], y: &[usize]| [0, 1].map(|i| plan(x, y).period(i));
        assert_eq!(periods(&[5, 6, 7], &[7]), [210, 7]);
        assert_eq!(periods(&[5, 6, 7], &[6, 1]), [210, 42]);
        assert_eq!(periods(&[5, 6, 7], &[5, 1, 7]), [210, 210]);
        assert_eq!(periods(&[5, 6, 7], &[]), [210, 1]);
        assert_eq!(periods(&[], &[]), [1, 1]);
    }

    #[test]
    fn runs_cover_any_range() {
        let plan = plan(&[2, 1, 3], &[4, 1]);
        let offsets = |range: Range<usize>| {
            let mut all = Vec::new();
            plan.for_runs(range, |run| {
                for i in 0..run.len {
                    all.push([0, 1].map(|n| run.offsets[n] + i * plan.inner.steps[n]));
                }
            });
            all
        };
        let whole = offsets(0..24);
        assert_eq!(whole.len(), 24);
        assert_eq!(whole[23], [5, 3]);
        for start in 0..24 {
            for end in start..=24 {
                assert_eq!(offsets(start..end), whole[start..end]);
            }
        }
    }
}
