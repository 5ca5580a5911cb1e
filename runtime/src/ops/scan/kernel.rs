//! Kernels: running reductions along one axis.

use extype_kernels as k;
use extype_kernels::reduce::ScanMode;
use extype_kernels::table::{ScanSignature, Table, Tabled, reduction as r};

use crate::array::extent;
use crate::ir::{KernelContext, Outputs, no_kernel, typed};
use crate::ops::Cumsum;
use crate::types::{Result, bail, normalize_axis};

/// The axis that input 1 gives, and the sizes of the array seen as one of three axes: the product of the sizes
/// before the axis, the size of the axis, and the product of those after it.
pub(in crate::ops) fn extents(c: &KernelContext<'_>) -> Result<(usize, [usize; 3])> {
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

fn scan(c: &KernelContext<'_>, table: &Table<ScanSignature>) -> Result<Outputs> {
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

macro_rules! kernels {
    ($($name:ident = $table:ident;)*) => {
        $(pub(in crate::ops) fn $name(c: &KernelContext<'_>) -> Result<Outputs> {
            scan(c, &r::$table)
        })*
    };
}

kernels! {
    cumsum = CUMSUM;
    cumprod = CUMPROD;
    cumulative_logsumexp = CUMULATIVE_LOGSUMEXP;
}
