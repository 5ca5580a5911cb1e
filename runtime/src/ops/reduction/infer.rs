//! Output types of reductions over axes.

use crate::op::{InferContext, KEEP_DIMS, Types, reduced_axes};
use crate::ops::infer::one;
use crate::types::{Dim, Result, Shape};

/// The output type of a reduction; its second input holds the axes.
///
/// # Errors
/// `InvalidArgument` for an axis out of range or given twice.
///
/// ```
/// use extype::op::{Attrs, InferContext, KEEP_DIMS};
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
