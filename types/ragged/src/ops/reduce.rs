//! Reductions over ragged and uniform axes.

use extype::ops::options::{Over, Spread};
use extype::ops::{Axes, Op};
use extype::prelude::*;

use super::row_reduce::rows_reduced;
use crate::partition::whole;
use crate::{RaggedTensor, RowPartition, SwapRows};

#[dispatch]
impl RaggedTensor {
    /// Over any axes. The result has the ragged axes that are left, so it may have none.
    #[overrides(reduction)]
    fn reduce(op: impl ReductionOp, x: &Self) -> Result<Self> {
        let function = Function::named(op.def().name)?;
        reduced(&function, x, &axes_of(x, op.axes())?, op.keep_dims())
    }

    #[overrides(var)]
    fn var(x: &Self, options: &Spread) -> Result<Self> {
        spread(x, &options.over.axes, options.ddof, options.over.keep_dims)
    }

    #[overrides(std)]
    fn std(x: &Self, options: &Spread) -> Result<Self> {
        spread(x, &options.over.axes, options.ddof, options.over.keep_dims)?.sqrt()
    }

    #[overrides(reduce_variance)]
    fn reduce_variance(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Self> {
        spread(x, axes, 0.0, keep_dims)
    }

    /// The largest element of a row is taken out of its sum, so that no exponential overflows.
    #[overrides(reduce_logsumexp)]
    fn reduce_logsumexp(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Self> {
        let axes = axes_of(x, axes)?;
        let max = |keep_dims| {
            let max = reduced(&Function::Max, x, &axes, keep_dims)?.stop_gradient()?;
            // Infinities have no distance to each other.
            max.map_flat_values(|max| ops::select(max.is_finite()?, max, max.zeros_like()?))
        };
        let exp = ops::sub(x, max(true)?)?.exp()?;
        let sum = reduced(&Function::Sum, &exp, &axes, keep_dims)?;
        let sum = sum.map_flat_values(|sum| sum.log())?;
        sum.map_flat_values(|sum| ops::add(sum, &max(keep_dims)?.flat_values))
    }

    #[overrides(reduce_std)]
    fn reduce_std(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Self> {
        spread(x, axes, 0.0, keep_dims)?.sqrt()
    }
}

/// The reductions that ragged tensors have.
#[derive(Clone, PartialEq)]
pub(super) enum Function {
    Sum,
    Mean,
    Max,
    Min,
    Prod,
    All,
    Any,
    Norm,
    /// Strings, with this between them.
    Join(String),
}

impl Function {
    fn named(op: &str) -> Result<Self> {
        Ok(match op {
            "Sum" => Self::Sum,
            "Mean" => Self::Mean,
            "Max" => Self::Max,
            "Min" => Self::Min,
            "Prod" => Self::Prod,
            "All" => Self::All,
            "Any" => Self::Any,
            "EuclideanNorm" => Self::Norm,
            _ => {
                let text =
                    format!("`{op}` is not defined for ragged tensors; fill them with `to_tensor`");
                return Err(Error::new(ErrorKind::Unimplemented, text));
            }
        })
    }

    /// Over axes of a dense tensor.
    fn dense(&self, x: &Tensor, axes: Axes, keep_dims: bool) -> Result<Tensor> {
        match self {
            Self::Sum => x.reduce_sum(axes, keep_dims),
            Self::Mean => x.reduce_mean(axes, keep_dims),
            Self::Max => x.reduce_max(axes, keep_dims),
            Self::Min => x.reduce_min(axes, keep_dims),
            Self::Prod => x.reduce_prod(axes, keep_dims),
            Self::All => x.reduce_all(axes, keep_dims),
            Self::Any => x.reduce_any(axes, keep_dims),
            Self::Norm => x.reduce_euclidean_norm(axes, keep_dims),
            Self::Join(separator) => ops::reduce_join(x, separator, Over { axes, keep_dims }),
        }
    }
}

/// The axes, from the last to the first, each once.
pub(super) fn axes_of(x: &RaggedTensor, axes: &Axes) -> Result<Vec<usize>> {
    let unknown =
        || Error::invalid("a ragged tensor that is reduced has a known rank and known axes");
    let Axes::List(list) = axes else {
        return Ok((0..x.rank().ok_or_else(unknown)?).rev().collect());
    };
    let mut out = Vec::new();
    for axis in list.known().ok_or_else(unknown)? {
        let at = x.axis(axis)?;
        if out.contains(&at) {
            return Err(Error::invalid(format!("axis {axis} is given twice")));
        }
        out.push(at);
    }
    out.sort_unstable_by(|a, b| b.cmp(a));
    Ok(out)
}

/// Over axes from the last to the first.
pub(super) fn reduced(
    function: &Function,
    x: &RaggedTensor,
    axes: &[usize],
    keep_dims: bool,
) -> Result<RaggedTensor> {
    // Means of integers along ragged axes are fractions.
    let fractions = *function == Function::Mean && !x.dtype().is_differentiable();
    let x = if fractions { &x.cast(DType::F64)? } else { x };
    if x.rank() == Some(axes.len()) {
        // The rows of all values don't matter.
        let y = function.dense(&x.flat_values, Axes::All, false)?;
        return Ok(RaggedTensor::plain(match keep_dims {
            true => y.reshape(vec![1i64; axes.len()])?,
            false => y,
        }));
    }
    let over = |function: &Function, x: &RaggedTensor| {
        let one = |x: RaggedTensor, axis: &usize| {
            let y = x.over(function, *axis)?;
            if keep_dims { y.expanded(*axis) } else { Ok(y) }
        };
        axes.iter().try_fold(x.clone(), one)
    };
    match function {
        Function::Mean => {
            let (sum, counts) = (over(&Function::Sum, x)?, counts(x, axes, keep_dims)?);
            let counts = counts.flat_values.cast(sum.dtype())?;
            Ok(sum.with_values(ops::div(&sum.flat_values, &counts)?))
        }
        Function::Norm => over(&Function::Sum, &x.square()?)?.sqrt(),
        _ => over(function, x),
    }
}

/// How many elements are reduced to each, as ints or of the dtype of `x`: values that broadcast to those of the result.
fn counts(x: &RaggedTensor, axes: &[usize], keep_dims: bool) -> Result<RaggedTensor> {
    let (levels, inner) = (x.ragged_rank(), x.flat_values.rank().unwrap_or(1));
    if let [axis] = axes
        && *axis == levels
        && let Some(rows) = x.partitions.last()
    {
        let mut lengths = rows.lengths()?;
        for _ in 1..inner + usize::from(keep_dims) {
            lengths = lengths.expand_dims(-1)?;
        }
        return Ok(RaggedTensor::plain(lengths));
    }
    let ones = x.with_values(x.flat_values.ones_like()?);
    reduced(&Function::Sum, &ones, axes, keep_dims)
}

/// The variance along axes: the mean of the squared distances to the mean, with `ddof` less in the divisor.
fn spread(x: &RaggedTensor, axes: &Axes, ddof: f64, keep_dims: bool) -> Result<RaggedTensor> {
    let floats = if x.dtype().is_differentiable() { x } else { &x.cast(DType::F64)? };
    if floats.dtype().is_complex() {
        let text = "the variance of complex ragged tensors is not defined; take those of real and imaginary parts";
        return Err(Error::new(ErrorKind::Unimplemented, text));
    }
    let axes = axes_of(x, axes)?;
    // It is that of the distances to any number; the mean of all keeps them small. It must be one that no row spoils.
    let finite = |x: &Tensor| ops::select(x.is_finite()?, x, x.zeros_like()?);
    let near = finite(&floats.flat_values)?.reduce_mean(.., false)?;
    let near = finite(&near)?.stop_gradient()?;
    let x = floats.with_values(ops::sub(&floats.flat_values, &near)?);
    let mean = reduced(&Function::Mean, &x, &axes, keep_dims)?;
    let squares = reduced(&Function::Mean, &x.square()?, &axes, keep_dims)?;
    // Rounding may leave less than nothing.
    let variance = ops::sub(&squares.flat_values, mean.flat_values.square()?)?;
    let variance = ops::maximum(&variance, &variance.zeros_like()?)?;
    if ddof == 0.0 {
        return Ok(mean.with_values(variance));
    }
    let ones = x.with_values(x.flat_values.ones_like()?);
    let n = reduced(&Function::Sum, &ones, &axes, keep_dims)?.flat_values;
    let scale = ops::div(&n, ops::sub(&n, Tensor::scalar(ddof).cast(n.dtype())?)?)?;
    Ok(mean.with_values(ops::mul(&variance, &scale)?))
}

impl RaggedTensor {
    /// Reduced over one axis, which is dropped.
    fn over(&self, function: &Function, axis: usize) -> Result<Self> {
        let levels = self.ragged_rank();
        match axis {
            _ if axis > levels || levels == 0 => {
                let axes = Axes::from((axis - levels) as i64);
                Ok(self.with_values(function.dense(&self.flat_values, axes, false)?))
            }
            0 => {
                // All rows as the entries of one, whose axis 1 is reduced.
                let (zero, rows) = (whole(0, self.row_splits_dtype())?, self.nrows()?);
                let all = RowPartition::trusted(ops::stack(&[&zero, &rows], 0)?);
                Ok(self.clone().in_rows(all).over(function, 1)?.values())
            }
            1 if levels == 1 => {
                Ok(Self::plain(rows_reduced(function, &self.flat_values, self.outermost()?)?))
            }
            1 => {
                // The axis changes places with the one below until it is the innermost.
                let (outer, inner) = (self.row_splits(0)?, self.row_splits(1)?);
                let (columns, entries, places) =
                    SwapRows {}.run_as::<(Tensor, Tensor, Tensor)>(&[outer, inner])?;
                let below = self.values().values().gathered(&places)?;
                let reduced = below.in_rows(RowPartition::trusted(entries)).over(function, 1)?;
                Ok(reduced.in_rows(RowPartition::trusted(columns)))
            }
            _ => Ok(self.values().over(function, axis - 1)?.in_rows(self.outermost()?.clone())),
        }
    }
}
