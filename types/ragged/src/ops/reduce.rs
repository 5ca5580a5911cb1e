//! Reductions over ragged and uniform axes.

use extype::ops::Op;
use extype::prelude::*;

use crate::partition::whole;
use crate::{RaggedTensor, RowPartition, RowReduce, SwapRows};

#[dispatch]
impl RaggedTensor {
    /// Over any axes. The result has the ragged axes that are left, so it may have none.
    #[overrides(reduction)]
    fn reduce(op: impl ReductionOp, x: &Self) -> Result<Self> {
        let function = Function::named(op.def().name)?;
        let axes = axes_of(x, op.axes())?;
        match function {
            Function::Mean => {
                let sum = over(Function::Sum, x.clone(), &axes, op.keep_dims())?;
                let ones = x.with_values(x.flat_values.ones_like()?);
                let count = over(Function::Sum, ones, &axes, op.keep_dims())?;
                Ok(sum.with_values(ops::div(&sum.flat_values, &count.flat_values)?))
            }
            Function::Norm => {
                let squares = x.with_values(ops::square(&x.flat_values)?);
                let sum = over(Function::Sum, squares, &axes, op.keep_dims())?;
                Ok(sum.with_values(sum.flat_values.sqrt()?))
            }
            _ => over(function, x.clone(), &axes, op.keep_dims()),
        }
    }
}

/// The reductions that ragged tensors have.
#[derive(Clone, Copy, PartialEq)]
enum Function {
    Sum,
    Mean,
    Max,
    Min,
    Prod,
    All,
    Any,
    Norm,
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
                    format!("`{op}` is not defined for ragged tensors; fill them with `to_dense`");
                return Err(Error::new(ErrorKind::Unimplemented, text));
            }
        })
    }

    /// Over axes of a dense tensor.
    fn dense(self, x: &Tensor, axes: &[i64], keep_dims: bool) -> Result<Tensor> {
        match self {
            Self::Sum => x.reduce_sum(axes, keep_dims),
            Self::Max => x.reduce_max(axes, keep_dims),
            Self::Min => x.reduce_min(axes, keep_dims),
            Self::Prod => x.reduce_prod(axes, keep_dims),
            Self::All => x.reduce_all(axes, keep_dims),
            Self::Any => x.reduce_any(axes, keep_dims),
            Self::Mean | Self::Norm => Err(Error::internal("made of sums")),
        }
    }

    /// Over the entries of each row.
    fn rows(self, values: &Tensor, rows: &RowPartition) -> Result<Tensor> {
        let splits = rows.splits();
        let reduced =
            |function: &str| RowReduce { function: function.to_owned() }.run(&[values, splits]);
        let bools = |function: &str| {
            let op = RowReduce { function: function.to_owned() };
            op.run(&[&values.cast(DType::U8)?, splits])?.cast(DType::Bool)
        };
        match self {
            Self::Sum => ops::unsorted_segment_sum(values, &rows.value_rowids()?, &rows.nrows()?),
            Self::Max => reduced("Max"),
            Self::Min => reduced("Min"),
            Self::Prod => reduced("Prod"),
            // Of nothing: all is true, and the lowest u8 is false.
            Self::All => bools("Min"),
            Self::Any => bools("Max"),
            Self::Mean | Self::Norm => Err(Error::internal("made of sums")),
        }
    }
}

/// The axes, from the last to the first, each once.
fn axes_of(x: &RaggedTensor, axes: &Axes) -> Result<Vec<usize>> {
    let unknown =
        || Error::invalid("a ragged tensor that is reduced has a known rank and known axes");
    let rank = x.flat_values.rank().ok_or_else(unknown)? + x.ragged_rank();
    let Axes::List(list) = axes else { return Ok((0..rank).rev().collect()) };
    let mut out = Vec::new();
    for axis in list.known().ok_or_else(unknown)? {
        let n = rank as i64;
        let at = usize::try_from(if axis < 0 { axis + n } else { axis }).ok().filter(|a| *a < rank);
        let at = at.ok_or_else(|| {
            Error::invalid(format!(
                "axis {axis} is out of range for rank {rank}, which counts ragged axes too"
            ))
        })?;
        if out.contains(&at) {
            return Err(Error::invalid(format!("axis {axis} is given twice")));
        }
        out.push(at);
    }
    out.sort_unstable_by(|a, b| b.cmp(a));
    Ok(out)
}

/// One axis after the other, from the last.
fn over(
    function: Function,
    x: RaggedTensor,
    axes: &[usize],
    keep_dims: bool,
) -> Result<RaggedTensor> {
    let mut x = x;
    for axis in axes {
        x = over_one(function, x, *axis, keep_dims)?;
    }
    Ok(x)
}

fn over_one(
    function: Function,
    x: RaggedTensor,
    axis: usize,
    keep_dims: bool,
) -> Result<RaggedTensor> {
    let levels = x.ragged_rank();
    if axis > levels || levels == 0 {
        let axis = (axis - levels) as i64;
        return Ok(x.with_values(function.dense(&x.flat_values, &[axis], keep_dims)?));
    }
    if axis == 0 {
        // All rows as the entries of one, whose only axis 1 is reduced.
        let rows = x.nrows()?;
        let bounds = ops::stack(&[&whole(0, rows.dtype())?, &rows], 0)?;
        let reduced = over_one(function, x.in_rows(RowPartition::trusted(bounds)), 1, keep_dims)?;
        return Ok(reduced.values());
    }
    let (outer, rows) = (&x.partitions[..axis - 1], &x.partitions[axis - 1]);
    let mut reduced = if axis == levels {
        x.entries_below(axis).reduced_rows(function, rows)?
    } else {
        // The axis changes places with the one below until it is the innermost.
        let inner = x.partitions[axis].splits();
        let (columns, entries, positions) =
            SwapRows {}.run_as::<(Tensor, Tensor, Tensor)>(&[rows.splits(), inner])?;
        let [columns, entries] = [columns, entries].map(RowPartition::trusted);
        let below = x.entries_below(axis + 1).gathered(&positions)?;
        over_one(function, below.in_rows(entries), 1, false)?.in_rows(columns)
    };
    if keep_dims {
        // Rows of one entry each.
        reduced = reduced.in_rows(RowPartition::from_uniform_row_length(1, rows.nrows()?, None)?);
    }
    Ok(outer.iter().rev().fold(reduced, |x, rows| x.in_rows(rows.clone())))
}

impl RaggedTensor {
    /// Without the outermost partitions.
    fn entries_below(&self, levels: usize) -> Self {
        (0..levels).fold(self.clone(), |x, _| x.values())
    }

    /// Values without partitions, reduced over the rows of one.
    fn reduced_rows(self, function: Function, rows: &RowPartition) -> Result<Self> {
        Ok(self.with_values(function.rows(&self.flat_values, rows)?))
    }
}
