//! Kernels: running reductions along one axis, and the indices of the largest and smallest elements.

use extype_kernels as k;
use extype_kernels::reduce::ScanMode;
use extype_kernels::table::{ArgReduction, Scan, Table, Tabled, reduction as r};

use crate::array::{Dims, extent};
use crate::ir::{KernelContext, Outputs, no_kernel, typed};
use crate::ops::{ArgMax, CastFn, Cumsum, Op as _};
use crate::types::{DType, Result, bail, normalize_axis};

/// The axis that input 1 gives, and the sizes of the array seen as one of three axes: the product of the sizes
/// before the axis, the size of the axis, and the product of those after it.
fn extents(c: &KernelContext<'_>) -> Result<(usize, [usize; 3])> {
    let dims = c.input(0).dims();
    let &[axis] = &c.input(1).to_i64s()?[..] else {
        bail!("the axis must be one integer, not a tensor of shape {}", c.input(1).shape());
    };
    let axis = normalize_axis(axis, dims.len())?;
    Ok((axis, [extent(&dims[..axis]), dims[axis], extent(&dims[axis + 1..])]))
}

/// The attributes of a running reduction. All of these ops name them alike, so the keys of `Cumsum` read them.
fn mode(c: &KernelContext<'_>) -> Result<ScanMode> {
    Ok(ScanMode { exclusive: c.get(Cumsum::EXCLUSIVE)?, reverse: c.get(Cumsum::REVERSE)? })
}

fn scan(c: &KernelContext<'_>, table: &Table<Scan>) -> Result<Outputs> {
    let ((_, extents), mode, x) = (extents(c)?, mode(c)?, c.input(0));
    typed!(numeric, c, x.dtype(), T => {
        let f = T::entry(table).ok_or_else(|| no_kernel(c))?;
        let data = x.as_slice::<T>()?;
        let out = c.output(x.dims(), |out| {
            f(data, extents, mode, out, k::Par::Pool);
            Ok(())
        })?;
        Ok([out].into())
    })
}

/// The indices of the extreme elements along an axis. They are computed as int64 and then cast to `output_type`.
/// `ArgMin` has this attribute too, so the key of `ArgMax` reads it.
fn arg_reduce(c: &KernelContext<'_>, table: &Table<ArgReduction<i64>>) -> Result<Outputs> {
    let ((axis, extents), x) = (extents(c)?, c.input(0));
    if extents[1] == 0 {
        bail!("axis {axis} of shape {} is empty: it has no largest or smallest element", x.shape());
    }
    let mut dims = Dims::from_slice(x.dims());
    dims.remove(axis);
    let indices = typed!(ordered, c, x.dtype(), T => {
        let f = T::entry(table).ok_or_else(|| no_kernel(c))?;
        let data = x.as_slice::<T>()?;
        c.output(&dims, |out| {
            f(data, extents, out, k::Par::Pool);
            Ok(())
        })
    })?;
    match c.get(ArgMax::OUTPUT_TYPE)? {
        DType::I64 => Ok([indices].into()),
        to => CastFn::to(to).compute(&[&indices]),
    }
}

macro_rules! kernels {
    ($($name:ident = $run:ident $table:ident;)*) => {
        $(pub(in crate::ops) fn $name(c: &KernelContext<'_>) -> Result<Outputs> {
            $run(c, &r::$table)
        })*
    };
}

kernels! {
    cumsum = scan CUMSUM;
    cumprod = scan CUMPROD;
    cumulative_logsumexp = scan CUMULATIVE_LOGSUMEXP;
    arg_max = arg_reduce ARG_MAX;
    arg_min = arg_reduce ARG_MIN;
}
