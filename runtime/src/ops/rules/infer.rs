//! Inference of result types that many ops share.

use crate::array::ask_for;
use crate::ir::{AttrKey, Attrs, InferContext, KEEP_DIMS, Types, reduced_axes};
use crate::types::{DType, Dim, Result, Shape, TensorType, bail, err};

pub(in crate::ops) fn one(dtype: DType, shape: Shape) -> Result<Types> {
    Ok([TensorType { dtype, shape }].into())
}

/// Infers that the result has the type of the first input.
///
/// # Errors
/// None of its own.
///
/// ```
/// use extype::ir::{Attrs, InferContext};
/// use extype::ops::rules;
/// use extype::prelude::*;
/// use extype::types::TensorType;
/// let inputs = [TensorType::new(f32, shape![2, 1]), TensorType::new(f32, shape![3])];
/// let (attrs, unknown) = (Attrs::new(), |_: usize| None);
/// let types = rules::same_shape(&InferContext::new(&inputs, &attrs, &unknown))?;
/// assert_eq!(types[0], TensorType::new(DType::F32, shape![2, 1]));
/// # Ok::<(), Error>(())
/// ```
pub fn same_shape(c: &InferContext<'_>) -> Result<Types> {
    Ok([c.input(0).clone()].into())
}

/// A bool of the shape of the first input.
pub(in crate::ops) fn same_shape_bool(c: &InferContext<'_>) -> Result<Types> {
    one(DType::Bool, c.shape(0).clone())
}

pub(in crate::ops) fn same_shape_u8(c: &InferContext<'_>) -> Result<Types> {
    one(DType::U8, c.shape(0).clone())
}

/// Infers the shape that two inputs of one dtype broadcast to.
///
/// # Errors
/// `InvalidArgument` showing both shapes if they don't broadcast.
///
/// ```
/// use extype::ir::{Attrs, InferContext};
/// use extype::ops::rules;
/// use extype::prelude::*;
/// use extype::types::TensorType;
/// let inputs = [TensorType::new(f32, shape![2, 1]), TensorType::new(f32, shape![3])];
/// let (attrs, unknown) = (Attrs::new(), |_: usize| None);
/// let types = rules::broadcast(&InferContext::new(&inputs, &attrs, &unknown))?;
/// assert_eq!(types[0], TensorType::new(DType::F32, shape![2, 3]));
/// # Ok::<(), Error>(())
/// ```
pub fn broadcast(c: &InferContext<'_>) -> Result<Types> {
    one(c.input(0).dtype, c.shape(0).broadcast(c.shape(1))?)
}

/// Infers a bool of the shape that two inputs broadcast to.
///
/// # Errors
/// As [`broadcast`].
///
/// ```
/// use extype::ir::{Attrs, InferContext};
/// use extype::ops::rules;
/// use extype::prelude::*;
/// use extype::types::TensorType;
/// let inputs = [TensorType::new(f32, shape![2, 1]), TensorType::new(f32, shape![3])];
/// let (attrs, unknown) = (Attrs::new(), |_: usize| None);
/// let types = rules::broadcast_bool(&InferContext::new(&inputs, &attrs, &unknown))?;
/// assert_eq!(types[0], TensorType::new(DType::Bool, shape![2, 3]));
/// # Ok::<(), Error>(())
/// ```
pub fn broadcast_bool(c: &InferContext<'_>) -> Result<Types> {
    one(DType::Bool, c.shape(0).broadcast(c.shape(1))?)
}

/// A bool of the shape that both inputs have.
pub(in crate::ops) fn same_shapes_bool(c: &InferContext<'_>) -> Result<Types> {
    one(DType::Bool, c.shape(0).merge(c.shape(1))?)
}

/// Inputs of one dtype and one shape; scalars are allowed too.
pub(in crate::ops) fn same_shapes_or_scalars(c: &InferContext<'_>) -> Result<Types> {
    let mut whole = Shape::scalar();
    let mut unknown = false;
    for input in c.inputs {
        match input.shape.rank() {
            None => unknown = true,
            Some(0) => {}
            Some(_) if whole.rank() == Some(0) => whole = input.shape.clone(),
            Some(_) => whole = whole.merge(&input.shape)?,
        }
    }
    let scalars = whole.rank() == Some(0);
    let Some(first) = c.inputs.first() else { bail!("it takes at least one tensor") };
    one(first.dtype, if unknown && scalars { Shape::unknown() } else { whole })
}

/// The shape given by an integer input: each -1 is an unknown size, and the length is the rank.
pub(in crate::ops) fn asked_shape(c: &InferContext<'_>, i: usize) -> Result<Shape> {
    c.shape(i).with_rank(1)?;
    match c.integers(i) {
        Some(sizes) => shape_of(&sizes),
        None => Ok(shape_of_length(c.shape(i))),
    }
}

/// The shape given by integers, where -1 is an unknown size.
pub(in crate::ops) fn shape_of(sizes: &[i64]) -> Result<Shape> {
    let dim = |n: &i64| match usize::try_from(*n) {
        Ok(n) => Ok(Dim::from(n)),
        Err(_) if *n == -1 => Ok(Dim::UNKNOWN),
        Err(_) => Err(err!("size {n} is negative")),
    };
    sizes.iter().map(dim).collect()
}

/// A shape of which only the rank is known, from the length of the vector that holds it.
pub(in crate::ops) fn shape_of_length(sizes: &Shape) -> Shape {
    match sizes.dims() {
        Some([n]) => n.size().map_or(Shape::unknown(), Shape::of_rank),
        _ => Shape::unknown(),
    }
}

/// The handle of a resource that an op makes.
pub(in crate::ops) fn resource(_: &InferContext<'_>) -> Result<Types> {
    one(DType::Resource, Shape::scalar())
}

pub(in crate::ops) fn no_outputs(_: &InferContext<'_>) -> Result<Types> {
    Ok(Types::new())
}

/// More results than this are a mistake, and would fill the memory with empty tensors.
const MOST_RESULTS: usize = 1 << 24;

/// An attribute that counts results.
pub(in crate::ops) fn count(attrs: &Attrs, key: AttrKey<i64>) -> Result<usize> {
    let (name, n) = (key.name(), attrs.get(key)?);
    match usize::try_from(n) {
        Ok(n) if n <= MOST_RESULTS => {
            // Each result takes some hundred bytes in the trace and for its user.
            ask_for::<[u64; 64]>(n)?;
            Ok(n)
        }
        Ok(n) => bail!(ResourceExhausted, "`{name}` = {n} is more than {MOST_RESULTS} results"),
        Err(_) => bail!("`{name}` = {n} is negative"),
    }
}

/// Infers the output type of a reduction; its second input holds the axes.
///
/// # Errors
/// `InvalidArgument` for an axis out of range or given twice.
///
/// ```
/// use extype::ir::{Attrs, InferContext, KEEP_DIMS};
/// use extype::ops::rules;
/// use extype::prelude::*;
/// use extype::types::TensorType;
/// let inputs = [TensorType::new(f32, shape![2, 3]), TensorType::new(i32, shape![])];
/// let axis = scalar(1);
/// let attrs = Attrs::new().with(KEEP_DIMS, &false);
/// let known = |i: usize| if i == 1 { axis.value().ok().cloned() } else { None };
/// let types = rules::reduction(&InferContext::new(&inputs, &attrs, &known))?;
/// assert_eq!(types[0].shape, shape![2]);
/// # Ok::<(), Error>(())
/// ```
pub fn reduction(c: &InferContext<'_>) -> Result<Types> {
    let keep = c.get(KEEP_DIMS)?;
    c.shape(1).with_rank_at_most(1)?;
    let dtype = c.input(0).dtype;
    let (Some(dims), axes) = (c.shape(0).dims(), c.integers(1)) else {
        return one(dtype, Shape::unknown());
    };
    let Some(axes) = axes else {
        return one(dtype, if keep { Shape::of_rank(dims.len()) } else { Shape::unknown() });
    };
    let reduced = reduced_axes(&axes, dims.len())?;
    let dim = |(d, r): (&Dim, &bool)| match (r, keep) {
        (false, _) => Some(*d),
        (true, true) => Some(Dim::from(1)),
        (true, false) => None,
    };
    one(dtype, dims.iter().zip(&reduced).filter_map(dim).collect())
}
