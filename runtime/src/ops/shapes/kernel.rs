//! Kernels: shapes as values.

use crate::array::{Array, Dims, IntoDims};
use crate::ir::{KernelContext, Outputs};
use crate::ops::ShapeOf;
use crate::types::{DType, Result, bail, err};

/// Sizes as integers of a dtype, int32 or int64.
///
/// # Errors
/// `InvalidArgument` for another dtype, and for sizes that do not fit.
pub(crate) fn sizes_as(dtype: DType, dims: impl IntoDims, values: &[usize]) -> Result<Array> {
    match dtype {
        DType::I32 => {
            let small = values.iter().map(|n| i32::try_from(*n)).collect::<Result<Vec<_>, _>>();
            let small =
                small.map_err(|_| err!("sizes {values:?} do not fit int32; ask for int64"))?;
            Array::from_slice(dims, &small)
        }
        DType::I64 => {
            Array::from_slice(dims, &values.iter().map(|n| *n as i64).collect::<Vec<_>>())
        }
        d => bail!("sizes are int32 or int64, not {d}"),
    }
}

pub(in crate::ops) fn shape_of(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    Ok([sizes_as(c.get(ShapeOf::OUT_TYPE)?, [x.rank()], x.dims())?].into())
}

pub(in crate::ops) fn size_of(c: &KernelContext<'_>) -> Result<Outputs> {
    Ok([sizes_as(c.get(ShapeOf::OUT_TYPE)?, Dims::new(), &[c.input(0).len()])?].into())
}

pub(in crate::ops) fn rank_of(c: &KernelContext<'_>) -> Result<Outputs> {
    Ok([Array::scalar(c.input(0).rank() as i32)].into())
}

/// The axes along which each of two broadcasting shapes was repeated.
pub(in crate::ops) fn broadcast_gradient_args(c: &KernelContext<'_>) -> Result<Outputs> {
    let (a, b) = (c.input(0).to_i64s()?, c.input(1).to_i64s()?);
    let rank = a.len().max(b.len());
    let at = |v: &[i64], i: usize| (i + v.len()).checked_sub(rank).map(|i| v[i]);
    let mut axes: [Vec<i64>; 2] = Default::default();
    for i in 0..rank {
        let (x, y) = (at(&a, i), at(&b, i));
        match (x.unwrap_or(1), y.unwrap_or(1)) {
            (x1, y1) if x1 != y1 && x1 != 1 && y1 != 1 => {
                bail!("shapes {a:?} and {b:?} do not broadcast: axis {i} differs ({x1} ≠ {y1})")
            }
            (x1, y1) => {
                // An axis of size 1 on both sides may be summed in either gradient or in none.
                if x.is_none() || x1 == 1 {
                    axes[0].push(i as i64);
                }
                if y.is_none() || y1 == 1 {
                    axes[1].push(i as i64);
                }
            }
        }
    }
    let array = |axes: &[i64]| match c.input(0).dtype() {
        DType::I32 => {
            Array::from_slice([axes.len()], &axes.iter().map(|i| *i as i32).collect::<Vec<_>>())
        }
        _ => Array::from_slice([axes.len()], axes),
    };
    Ok([array(&axes[0])?, array(&axes[1])?].into_iter().collect())
}
