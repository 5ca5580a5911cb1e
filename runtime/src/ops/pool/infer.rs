//! Types of results: poolings and their gradients.

use crate::ir::{Attrs, InferContext, Types};
use crate::ops::conv::infer::sizes;
use crate::ops::conv::windows::Windows;
use crate::ops::rules::infer::one;
use crate::ops::{MaxPool, MaxPoolWithArgmax};
use crate::types::{DType, DTypeSet, Dim, Result, Shape, TensorType, bail, err};

/// The windows of a pooling, and their sizes along the spatial axes.
pub(in crate::ops) struct Pools {
    pub(in crate::ops) windows: Windows,
    pub(in crate::ops) sizes: Vec<usize>,
}

impl Pools {
    /// From the attributes.
    pub(in crate::ops) fn of(attrs: &Attrs, spatial: usize) -> Result<Self> {
        let windows = Windows::of(attrs, spatial)?;
        let sizes = windows.sizes("ksize", &attrs.get(MaxPool::KSIZE)?)?;
        Ok(Self { windows, sizes })
    }

    /// From the attributes and two vectors.
    pub(in crate::ops) fn fed(
        attrs: &Attrs,
        spatial: usize,
        ksize: &[i64],
        strides: &[i64],
    ) -> Result<Self> {
        let windows = Windows::with_strides(attrs, spatial, strides)?;
        let sizes = windows.sizes("ksize", ksize)?;
        Ok(Self { windows, sizes })
    }

    /// The shape of the output for images of this shape.
    fn output(&self, images: &Shape) -> Result<Shape> {
        let rank = self.sizes.len() + 2;
        images.with_rank(rank).map_err(|e| e.prefixed("images"))?;
        let Some(dims) = images.dims() else { return Ok(Shape::of_rank(rank)) };
        let w = &self.windows;
        let along = |i: usize| w.output(i, dims[w.axis(i)], self.sizes[i].into());
        let spatial = (0..self.sizes.len()).map(along).collect::<Result<Vec<Dim>>>()?;
        Ok(w.ordered(dims[0], &spatial, dims[w.channels]).into_iter().collect())
    }
}

/// The pools of an op with this many operands before the window sizes and strides that it may have as inputs. `None` if
/// these are not known.
fn pools(c: &InferContext<'_>, spatial: usize, operands: usize) -> Result<Option<Pools>> {
    if c.inputs.len() == operands {
        return Pools::of(c.attrs, spatial).map(Some);
    }
    for i in [operands, operands + 1] {
        let count = c.shape(i).with_rank(1)?.dim(0)?;
        if !count.is_compatible_with((spatial + 2).into()) {
            bail!(
                "the window sizes and strides have {count} entries, not one for each of {} axes",
                spatial + 2
            );
        }
    }
    match (c.integers(operands), c.integers(operands + 1)) {
        (Some(k), Some(s)) => Pools::fed(c.attrs, spatial, &k, &s).map(Some),
        _ => Ok(None),
    }
}

/// The shape of the output for the images in the first input.
fn output(c: &InferContext<'_>, spatial: usize, operands: usize) -> Result<Shape> {
    match pools(c, spatial, operands)? {
        Some(pools) => pools.output(c.shape(0)),
        None => {
            c.shape(0).with_rank(spatial + 2)?;
            Ok(Shape::of_rank(spatial + 2))
        }
    }
}

pub(in crate::ops) fn pool(c: &InferContext<'_>, spatial: usize) -> Result<Types> {
    one(c.input(0).dtype, output(c, spatial, 1)?)
}

/// A shape that another one must have; `what` names it.
fn agree(what: &str, found: &Shape, wanted: &Shape) -> Result<Shape> {
    wanted.merge(found).map_err(|_| err!("`{what}` has shape {found}, not {wanted}"))
}

pub(in crate::ops) fn max_gradient(c: &InferContext<'_>, spatial: usize) -> Result<Types> {
    let (images, grad) = (c.input(0).dtype, c.input(2).dtype);
    if images != grad {
        bail!("images of {images} with a gradient of {grad}; cast one of them");
    }
    let output = output(c, spatial, 3)?;
    agree("orig_output", c.shape(1), &output)?;
    agree("grad", c.shape(2), &output)?;
    one(c.input(2).dtype, c.shape(0).clone())
}

pub(in crate::ops) fn max_second(c: &InferContext<'_>, spatial: usize) -> Result<Types> {
    let output = agree("orig_output", c.shape(1), &output(c, spatial, 3)?)?;
    agree("grad", c.shape(2), c.shape(0))?;
    one(c.input(2).dtype, output)
}

pub(in crate::ops) fn with_argmax(c: &InferContext<'_>) -> Result<Types> {
    let shape = output(c, 2, 1)?;
    let dtype: DType = c.get(MaxPoolWithArgmax::TARGMAX)?;
    if !DTypeSet::INDEX.contains(dtype) {
        bail!("places are int32 or int64, not {dtype}");
    }
    let places = TensorType::new(dtype, shape.clone());
    Ok([TensorType::new(c.input(0).dtype, shape), places].into_iter().collect())
}

pub(in crate::ops) fn grad_with_argmax(c: &InferContext<'_>) -> Result<Types> {
    let output = output(c, 2, 3)?;
    agree("grad", c.shape(1), &output)?;
    agree("argmax", c.shape(2), &output)?;
    one(c.input(0).dtype, c.shape(0).clone())
}

pub(in crate::ops) fn mean_gradient(c: &InferContext<'_>, spatial: usize) -> Result<Types> {
    let (rank, pools) = (spatial + 2, Pools::of(c.attrs, spatial)?);
    c.shape(1).with_rank(rank).map_err(|e| e.prefixed("`grad`"))?;
    let Some(sizes) = sizes(c, 0, &[rank], "orig_input_shape")? else {
        return one(c.input(1).dtype, Shape::of_rank(rank));
    };
    let images: Shape = sizes.into_iter().map(Dim::from).collect();
    agree("grad", c.shape(1), &pools.output(&images)?)?;
    one(c.input(1).dtype, images)
}
