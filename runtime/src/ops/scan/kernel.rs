//! Kernels: running reductions along one axis, and the indices of the largest and smallest elements.

use extype_kernels as k;
use extype_kernels::reduce::ScanMode;
use extype_kernels::table::{ArgReduction, Scan, Table, Tabled, reduction as r};

use crate::array::{Dims, extent};
use crate::ir::{KernelContext, Outputs, no_kernel, typed};
use crate::ops::{ArgMax, CastFn, Cumsum, Op as _};
use crate::types::{DType, Result, bail, normalize_axis};

/// The axis that input 1 gives, and the extents before, along and after it.
fn extents(c: &KernelContext<'_>) -> Result<(usize, [usize; 3])> {
    let dims = c.input(0).dims();
    let &[axis] = &c.input(1).to_i64s()?[..] else {
        bail!("the axis is one integer, not of shape {}", c.input(1).shape());
    };
    let axis = normalize_axis(axis, dims.len())?;
    Ok((axis, [extent(&dims[..axis]), dims[axis], extent(&dims[axis + 1..])]))
}

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

/// The indices along an axis as int64, then cast to `output_type`.
fn search(c: &KernelContext<'_>, table: &Table<ArgReduction<i64>>) -> Result<Outputs> {
    let ((axis, extents), x) = (extents(c)?, c.input(0));
    if extents[1] == 0 {
        bail!("axis {axis} of shape {} is empty: it has no extremum", x.shape());
    }
    let mut dims = Dims::from_slice(x.dims());
    dims.remove(axis);
    let places = typed!(ordered, c, x.dtype(), T => {
        let f = T::entry(table).ok_or_else(|| no_kernel(c))?;
        let data = x.as_slice::<T>()?;
        c.output(&dims, |out| {
            f(data, extents, out, k::Par::Pool);
            Ok(())
        })
    })?;
    match c.get(ArgMax::OUTPUT_TYPE)? {
        DType::I64 => Ok([places].into()),
        to => CastFn::to(to).compute(&[&places]),
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
    arg_max = search ARG_MAX;
    arg_min = search ARG_MIN;
}
