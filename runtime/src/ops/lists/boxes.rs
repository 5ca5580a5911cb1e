//! Variants that each hold some rows of a tensor: stacks of values whose tensors differ in size.

use super::{BoxRows, UnboxRows};
use crate::array::{AddArrays, Array, Boxed, Dims, Variant, extent, vec_for};
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::movement::kernel::concatenated;
use crate::ops::{Gradient, InputGradients, Op};
use crate::tensor::Tensor;
use crate::types::{DType, Dim, Result, Shape, TensorType, bail, err};

/// The rows in one box.
struct Rows(Array);

impl Boxed for Rows {
    fn kind(&self) -> &'static str {
        "box of rows"
    }

    fn zeros_like(&self) -> Result<Variant> {
        Ok(Variant::new(Self(match self.0.dtype().passes_gradient() {
            true => self.0.zeros_like()?,
            false => self.0.clone(),
        })))
    }

    fn sum(&self, other: &Variant, add: &AddArrays<'_>) -> Result<Variant> {
        let Some(Self(other)) = other.downcast_ref() else {
            bail!("a box of rows and a {} have no sum", other.value().kind());
        };
        Ok(Variant::new(Self(match self.0.dtype().passes_gradient() {
            true => add(&self.0, other)?,
            false => self.0.clone(),
        })))
    }
}

/// The shape with a first axis of unknown size: that of any number of such rows.
pub(crate) fn rows_like(shape: &Shape) -> Result<Shape> {
    match shape.dims() {
        Some([_, rest @ ..]) => Ok([Dim::UNKNOWN].iter().chain(rest).copied().collect()),
        Some([]) => bail!("a scalar has no rows; give it an axis"),
        None => Ok(Shape::unknown()),
    }
}

pub(super) fn boxed_types(c: &InferContext<'_>) -> Result<Types> {
    rows_like(c.shape(0))?;
    Ok([TensorType::new(DType::Variant, c.shape(1).clone())].into())
}

pub(super) fn unboxed_types(c: &InferContext<'_>) -> Result<Types> {
    let values = TensorType::new(c.get(UnboxRows::DTYPE)?, rows_like(&c.get(UnboxRows::SHAPE)?)?);
    Ok([values, TensorType::new(DType::I64, c.shape(0).clone())].into_iter().collect())
}

pub(super) fn boxed(c: &KernelContext<'_>) -> Result<Outputs> {
    let (values, sizes) = (c.input(0), c.input(1));
    let Some((&rows, inner)) = values.dims().split_first() else {
        bail!("a scalar has no rows; give it an axis");
    };
    let (mut boxes, mut begin) = (vec_for(sizes.len())?, 0usize);
    for (i, &size) in sizes.as_slice::<i64>()?.iter().enumerate() {
        let end = usize::try_from(size).ok().and_then(|size| begin.checked_add(size));
        let Some(end) = end.filter(|end| *end <= rows) else {
            bail!("box {i} can't have {size} rows: {} of {rows} are left", rows - begin);
        };
        let dims: Dims = std::iter::once(end - begin).chain(inner.iter().copied()).collect();
        boxes.push(Variant::new(Rows(values.view(begin * extent(inner), dims)?)));
        begin = end;
    }
    if begin < rows {
        bail!("the boxes have {begin} rows in all, the values {rows}");
    }
    Ok([Array::from_variants(sizes.dims(), boxes)?].into())
}

pub(super) fn unboxed(c: &KernelContext<'_>) -> Result<Outputs> {
    let ty = TensorType::new(c.get(UnboxRows::DTYPE)?, rows_like(&c.get(UnboxRows::SHAPE)?)?);
    let boxes = c.input(0);
    let (mut parts, mut sizes) = (vec_for(boxes.len())?, vec_for::<i64>(boxes.len())?);
    let mut dims: Option<Dims> = None;
    for (i, variant) in boxes.as_variants()?.iter().enumerate() {
        let Some(Rows(rows)) = variant.downcast_ref() else {
            bail!("variant {i} holds no rows, but a {}", variant.value().kind());
        };
        if rows.dtype() != ty.dtype || !rows.shape().is_compatible_with(&ty.shape) {
            bail!("box {i} holds {}, not {ty}", rows.tensor_type());
        }
        let own = rows.dims();
        match &mut dims {
            None => dims = Some(own.into()),
            Some(dims) if dims[1..] == own[1..] => {
                dims[0] = dims[0]
                    .checked_add(own[0])
                    .ok_or_else(|| err!(ResourceExhausted, "too many rows"))?;
            }
            Some(_) => bail!("box {i} has rows of {}, box 0 of another shape", rows.shape()),
        }
        sizes.push(i64::try_from(own[0]).unwrap_or(i64::MAX));
        parts.push(rows);
    }
    let values = match dims {
        Some(dims) => concatenated(c, &parts, 0, dims)?,
        None => [Array::zeros_of(&ty)?].into(),
    };
    let sizes = Array::from_slice(boxes.dims(), &sizes)?;
    Ok(values.into_iter().chain([sizes]).collect())
}

pub(super) fn boxed_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let values = g.x(0);
    let op = UnboxRows { dtype: values.dtype(), shape: values.shape() };
    let (dvalues, _): (Tensor, Tensor) = op.run_as(&[g.dy()?])?;
    Ok([Some(dvalues), None].into_iter().collect())
}

pub(super) fn unboxed_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok([Some(BoxRows {}.run(&[g.dy()?, &g.outputs[1]])?)].into_iter().collect())
}
