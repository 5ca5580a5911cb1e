//! Ragged tensors as stacks of their rows.

use extype::ops::Op;
use extype::prelude::*;
use extype::spec::{Boxes, Stackable};

use crate::ops::SplitsOfLengths;
use crate::{RaggedTensor, RaggedTensorSpec};

/// A vector of splits: int64, of this size.
fn splits_spec(size: Dim) -> TensorSpec {
    TensorSpec::new([size].into_iter().collect::<Shape>(), DType::I64)
}

/// The spec of as many values as there may be.
fn any_values(spec: &TensorSpec) -> TensorSpec {
    let shape = match spec.shape.dims() {
        Some(dims) => {
            [Dim::UNKNOWN].iter().chain(dims.get(1..).unwrap_or_default()).copied().collect()
        }
        None => Shape::unknown(),
    };
    TensorSpec::new(shape, spec.dtype)
}

/// A ragged tensor is the stack of its outermost rows; what has no ragged axis, of its entries along the first axis.
impl Stackable for RaggedTensor {
    fn stacked_spec(one: &RaggedTensorSpec, n: Dim) -> Result<RaggedTensorSpec> {
        let outer = splits_spec(Dim::from(n.size().map(|n| n + 1)));
        let inner = one.row_splits.iter().map(|_| splits_spec(Dim::UNKNOWN));
        let row_splits = std::iter::once(outer).chain(inner).collect();
        Ok(RaggedTensorSpec { flat_values: any_values(&one.flat_values), row_splits })
    }

    fn unstacked_spec(stack: &RaggedTensorSpec) -> Result<RaggedTensorSpec> {
        let Some((_, inner)) = stack.row_splits.split_first() else {
            let flat_values = stack.flat_values.unstacked()?;
            return Ok(RaggedTensorSpec { flat_values, row_splits: Vec::new() });
        };
        let row_splits = inner.iter().map(|_| splits_spec(Dim::UNKNOWN)).collect();
        Ok(RaggedTensorSpec { flat_values: any_values(&stack.flat_values), row_splits })
    }

    /// The values, then the lengths of the rows at each level.
    fn box_specs(one: &RaggedTensorSpec) -> Result<Vec<TensorSpec>> {
        let lengths = one.row_splits.iter().map(|_| splits_spec(Dim::UNKNOWN));
        Ok(std::iter::once(one.flat_values.clone()).chain(lengths).collect())
    }

    fn to_boxes(&self, rank: usize) -> Result<Vec<Boxes>> {
        let levels = self.row_splits.iter().map(lengths).collect::<Result<Vec<_>>>()?;
        let all = |levels: &[Tensor]| {
            std::iter::once(&self.flat_values).chain(levels).cloned().collect::<Vec<_>>()
        };
        match (rank, self.row_splits.split_first()) {
            (0, _) => all(&levels).into_iter().map(Boxes::one).collect(),
            (1, Some((outer, inner))) => {
                let mut ends = outer.clone();
                let mut sizes = vec![lengths(&ends)?];
                for splits in inner {
                    ends = splits.gather(&ends, 0)?;
                    sizes.push(lengths(&ends)?);
                }
                // The last level counts values, and stands first.
                sizes.rotate_right(1);
                let boxes = all(&levels[1..]).into_iter().zip(sizes);
                Ok(boxes.map(|(values, sizes)| Boxes { values, sizes }).collect())
            }
            (1, None) => {
                let dims = ops::shape_of(&self.flat_values)?.cast(DType::I64)?;
                let (n, rest) = (dims.slice([0i64], [1i64])?, dims.slice([1i64], [-1i64])?);
                if self.flat_values.rank().is_none_or(|rank| rank < 2) {
                    return Err(Error::invalid("a vector has numbers, not rows; give it an axis"));
                }
                let row = rest.slice([0i64], [1i64])?;
                let merged =
                    ops::concat(&[&ops::mul(&n, &row)?, &rest.slice([1i64], [-1i64])?], 0)?;
                let sizes = ops::broadcast_to(&row, &n)?;
                Ok(vec![Boxes { values: self.flat_values.reshape(&merged)?, sizes }])
            }
            _ => Err(Error::invalid(
                "the rows of a ragged tensor are boxed one by one; ask for rank 1",
            )),
        }
    }

    fn from_boxes(_: &RaggedTensorSpec, boxes: Vec<Boxes>) -> Result<Self> {
        let mut boxes = boxes.into_iter();
        let values = boxes.next().ok_or_else(|| Error::invalid("values are missing"))?;
        let levels: Vec<Boxes> = boxes.collect();
        let mut row_splits = Vec::new();
        // Stacks of stacks have rows of one length at the outer levels. The rows of the innermost stack are as long as
        // their elements have rows, or values if these are plain.
        let sizes = &levels.first().unwrap_or(&values).sizes;
        let rank = values.rank()?;
        let dims = ops::shape_of(sizes)?.cast(DType::I64)?;
        for axis in 1..rank as i64 {
            let rows = dims.slice([0i64], [axis])?.reduce_prod(.., false)?.reshape([1])?;
            row_splits.push(ops::broadcast_to(&dims.slice([axis], [1i64])?, &rows)?);
        }
        if rank > 0 {
            row_splits.push(sizes.reshape([-1])?);
        }
        row_splits.extend(levels.into_iter().map(|level| level.values));
        let row_splits = row_splits.iter().map(|lengths| SplitsOfLengths {}.run(&[lengths]));
        Ok(Self { flat_values: values.values, row_splits: row_splits.collect::<Result<_>>()? })
    }
}

/// How far apart the splits are.
fn lengths(splits: &Tensor) -> Result<Tensor> {
    RaggedTensor { flat_values: splits.clone(), row_splits: vec![splits.clone()] }.lengths()
}
