//! Stacks of sparse tensors.

use extype::prelude::*;
use extype::spec::{Boxes, Stackable};

use crate::{SparseTensor, SparseTensorSpec};

/// A stack has an axis more, and in its indices a column more. Its sizes are the largest of all: sparse tensors of
/// unequal sizes are padded, as in TensorFlow's batches. Values are in the order of their indices.
///
/// The parts of a value are its indices, its values and its sizes.
impl Stackable for SparseTensor {
    fn stacked_spec(one: &SparseTensorSpec, n: Dim) -> Result<SparseTensorSpec> {
        Ok(SparseTensorSpec { shape: one.shape.insert(0, n), dtype: one.dtype })
    }

    fn unstacked_spec(stack: &SparseTensorSpec) -> Result<SparseTensorSpec> {
        if stack.shape.rank() == Some(0) {
            return Err(Error::invalid(format!("{stack} is no stack: it has no first axis")));
        }
        Ok(SparseTensorSpec { shape: stack.shape.slice(Some(1), None), dtype: stack.dtype })
    }

    fn box_specs(one: &SparseTensorSpec) -> Result<Vec<TensorSpec>> {
        let [indices, values, _] = one.parts();
        Ok(vec![indices, values, TensorSpec::of::<i64>(shape![?])])
    }

    fn to_boxes(&self, rank: usize) -> Result<Vec<Boxes>> {
        if self.shape().rank().is_some_and(|own| own < rank) {
            let shape = self.shape();
            return Err(Error::invalid(format!(
                "a sparse tensor of {shape} is no stack of {rank} levels"
            )));
        }
        let (sorted, axes) = (self.reorder()?, rank as i64);
        let sizes = sorted.sizes()?;
        let array = sizes.slice([0], [axes])?;
        let inner = sizes.slice([axes], [-1])?;
        let boxes = array.reduce_prod(.., false)?;
        // The box of each value is told by its first coordinates.
        let at = ops::mul(sorted.indices.slice([0, 0], [-1, axes])?, strides(&array)?)?;
        let at = at.reduce_sum(1, false)?;
        let counts = ops::unsorted_segment_sum(at.ones_like()?, &at, &boxes)?.reshape(&array)?;
        let rest = sorted.indices.slice([0, axes], [-1, -1])?;
        let each = ops::size(&inner)?.cast(DType::I64)?;
        let shapes = ops::tile(&inner, &boxes.reshape([1])?)?;
        Ok(vec![
            Boxes { values: rest, sizes: counts.clone() },
            Boxes { values: sorted.values, sizes: counts },
            Boxes { values: shapes, sizes: ops::fill(&array, &each)? },
        ])
    }

    fn from_boxes(one: &SparseTensorSpec, boxes: Vec<Boxes>) -> Result<Self> {
        let [indices, values, shapes] = <[Boxes; 3]>::try_from(boxes).map_err(|_| {
            Error::invalid("indices, values and sizes are the parts of a sparse tensor")
        })?;
        let known = indices.sizes.shape();
        let array = ops::shape_of(&indices.sizes)?.cast(DType::I64)?;
        let boxes = array.reduce_prod(.., false)?;
        // The box of each value, and its coordinates in the array of boxes.
        let number = ops::range(0i64, &boxes, 1i64)?.repeat(indices.sizes.reshape([-1])?, 0)?;
        let outer = ops::floor_div(number.expand_dims(1)?, strides(&array)?)?;
        let outer = ops::floor_mod(&outer, &array)?;
        let rank = ops::shape_of(&indices.values)?.cast(DType::I64)?.slice([1], [1])?;
        let each = ops::concat(&[&boxes.reshape([1])?, &rank], 0)?;
        // Without boxes the type alone tells the largest sizes.
        let least = match one.shape.dims() {
            Some(dims) => dims.iter().map(|d| d.size().map_or(0, |n| n as i64)).collect(),
            None => vec![0],
        };
        let largest = shapes.values.reshape(&each)?.reduce_max(0, false)?;
        let largest = ops::maximum(&largest, Tensor::from_vec(least))?;
        let dense_shape = ops::concat(&[&array, &largest], 0)?;
        let static_shape = known.concatenate(&one.shape);
        let indices = ops::concat(&[&outer, &indices.values], 1)?;
        Ok(Self::trusted(indices, values.values, dense_shape, &static_shape))
    }
}

/// By how many places each axis of these sizes moves on: int64 `[rank]`.
pub(crate) fn strides(sizes: &Tensor) -> Result<Tensor> {
    ops::Cumprod { axis: Axis(0), exclusive: true, reverse: true }.run(&[sizes])
}
