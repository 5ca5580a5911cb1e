//! Ragged tensors as stacks of their rows.

use extype::ops::Op;
use extype::prelude::*;
use extype::spec::{Joined, Stackable};

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

    fn count(&self) -> Result<Tensor> {
        match self.row_splits.first() {
            Some(splits) => Self::count(splits),
            None => match self.flat_values.shape().dim(0)?.size() {
                Some(n) => Ok(Tensor::scalar(n as i64)),
                None => ops::shape_of(&self.flat_values)?.gather(0, 0),
            },
        }
    }

    fn nth(&self, index: &Tensor) -> Result<Self> {
        let Some((outer, inner)) = self.row_splits.split_first() else {
            return Self::from_dense(self.flat_values.gather(index, 0)?);
        };
        let at = |splits: &Tensor, i: &Tensor| splits.gather(&i.reshape([1i64])?, 0);
        let (mut begin, mut end) = (at(outer, index)?, at(outer, &ops::add(index, 1)?)?);
        let mut row_splits = Vec::with_capacity(inner.len());
        for splits in inner {
            let size = ops::add(&ops::sub(&end, &begin)?, 1)?;
            let own = splits.slice(&begin, &size)?;
            (begin, end) = (at(splits, &begin)?, at(splits, &end)?);
            row_splits.push(ops::sub(&own, &begin)?);
        }
        Ok(Self { flat_values: self.values_between(&begin, &end)?, row_splits })
    }

    /// The values, then the lengths of the rows at each level.
    fn parts(self) -> Result<Vec<Tensor>> {
        let mut parts = vec![self.flat_values];
        for splits in self.row_splits {
            let level = Self { flat_values: splits.clone(), row_splits: vec![splits] };
            parts.push(level.lengths()?);
        }
        Ok(parts)
    }

    fn of_parts(_: &RaggedTensorSpec, parts: Vec<Joined>) -> Result<Self> {
        let mut parts = parts.into_iter();
        let values = parts.next().ok_or_else(|| Error::invalid("values are missing"))?;
        let lengths: Vec<Joined> = parts.collect();
        // The new rows are as long as their elements have rows, or values if these are plain.
        let outer = &lengths.first().unwrap_or(&values).sizes;
        let all = std::iter::once(outer).chain(lengths.iter().map(|level| &level.values));
        let row_splits =
            all.map(|lengths| SplitsOfLengths {}.run(&[lengths])).collect::<Result<_>>()?;
        Ok(Self { flat_values: values.values, row_splits })
    }
}
