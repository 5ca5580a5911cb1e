//! Kernels: tensors made of numbers, grids and masks.

use extype_kernels as k;
use smallvec::SmallVec;

use crate::array::{Array, with_element};
use crate::ir::{KernelContext, Outputs, no_kernel, typed};
use crate::ops::movement::kernel::asked_dims;
use crate::ops::rules::moves::{Strided, moved};
use crate::ops::{CastFn, Op as _};
use crate::types::{DType, Result, bail, err};

/// The number of elements of `start, start + delta, … < limit`.
pub(in crate::ops) fn range_len(start: &Array, limit: &Array, delta: &Array) -> Result<usize> {
    let scalar = |a: &Array| -> Result<f64> {
        let f64s = CastFn::to(DType::F64).compute(&[a])?;
        f64s[0].as_slice::<f64>()?.first().copied().ok_or_else(|| err!("the bounds are scalars"))
    };
    if start.dtype().is_integer() {
        let (a, b, d) = (integer(start)?, integer(limit)?, integer(delta)?);
        check_direction(d == 0, (b > a) == (d > 0) || a == b)?;
        let n = (b - a).unsigned_abs().div_ceil(d.unsigned_abs());
        return usize::try_from(n).map_err(|_| err!(ResourceExhausted, "a range of {n} elements"));
    }
    let (a, b, d) = (scalar(start)?, scalar(limit)?, scalar(delta)?);
    check_direction(d == 0.0, (b > a) == (d > 0.0) || a == b)?;
    let n = ((b - a) / d).abs().ceil();
    if !n.is_finite() || n >= isize::MAX as f64 {
        bail!(ResourceExhausted, "a range of {n} elements");
    }
    Ok(n as usize)
}

fn check_direction(zero: bool, towards: bool) -> Result<()> {
    if zero {
        bail!("the step is zero");
    }
    if !towards {
        bail!("the step leads away from the limit");
    }
    Ok(())
}

fn integer(a: &Array) -> Result<i128> {
    let first = with_element!(integer, a.dtype(), T => a.as_slice::<T>()?.first().map(|x| i128::from(*x)), else None);
    first.ok_or_else(|| err!("the bounds of a range are scalars"))
}

pub(in crate::ops) fn range(c: &KernelContext<'_>) -> Result<Outputs> {
    let (start, limit, delta) = (c.input(0), c.input(1), c.input(2));
    if [start, limit, delta].iter().any(|a| a.rank() != 0) {
        bail!("the bounds of a range are scalars");
    }
    let n = range_len(start, limit, delta)?;
    typed!(real, c, start.dtype(), T => {
        use k::Arithmetic as A;
        let (mut x, step) = (start.as_slice::<T>()?[0], delta.as_slice::<T>()?[0]);
        Ok([c.output_slice(&[n], |out: &mut [T]| {
            for o in out {
                *o = x;
                x = A::add(x, step);
            }
            Ok(())
        })?].into())
    })
}

pub(in crate::ops) fn fill(c: &KernelContext<'_>) -> Result<Outputs> {
    let (dims, value) = (asked_dims(c, 0)?, c.input(1));
    if value.rank() != 0 {
        bail!("the value is a scalar, not of shape {}", value.shape());
    }
    if c.input(0).rank() != 1 {
        return Err(no_kernel(c));
    }
    let strides = SmallVec::from_elem(0, dims.len());
    moved(c, &[value], dims.clone(), &Strided { offset: 0, dims, strides, par: c.par })
}
