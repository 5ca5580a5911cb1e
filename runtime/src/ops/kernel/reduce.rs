//! Reductions.

use extype_kernels as k;
use k::reduce::{ReduceLayout, Reducer, reduce};

use super::super::infer::reduced_axes;
use super::typed;
use crate::array::{Array, Dims, Element};
use crate::op::{KernelContext, Outputs};
use crate::types::Result;

/// The reduction of the axes in the second input.
fn run<T, Q>(c: &KernelContext<'_>, reducer: Q) -> Result<Outputs>
where
    T: Element + k::Element,
    Q: Reducer<T>,
    Q::Out: Element,
{
    let x = c.input(0);
    let keep: bool = c.attrs.get("keep_dims")?;
    let reduced = reduced_axes(&c.input(1).to_i64s()?, x.rank())?;
    let dim = |(n, r): (&usize, &bool)| match (r, keep) {
        (false, _) => Some(*n),
        (true, true) => Some(1),
        (true, false) => None,
    };
    let dims: Dims = x.dims().iter().zip(&reduced).filter_map(dim).collect();
    let layout = ReduceLayout::new(x.dims(), &reduced);
    let data = x.as_slice::<T>()?;
    let out = Array::from_kernel(dims, |out| {
        reduce(data, &layout, out, k::Par::Pool, reducer);
        Ok(())
    })?;
    Ok([out].into())
}

pub(in super::super) fn sum(c: &KernelContext<'_>) -> Result<Outputs> {
    typed!(numeric, c, c.input(0).dtype(), T => run::<T, _>(c, k::reduce::Sum))
}

pub(in super::super) fn mean(c: &KernelContext<'_>) -> Result<Outputs> {
    typed!(numeric, c, c.input(0).dtype(), T => run::<T, _>(c, k::reduce::Mean))
}

pub(in super::super) fn max(c: &KernelContext<'_>) -> Result<Outputs> {
    typed!(real, c, c.input(0).dtype(), T => run::<T, _>(c, k::reduce::Max))
}

pub(in super::super) fn min(c: &KernelContext<'_>) -> Result<Outputs> {
    typed!(real, c, c.input(0).dtype(), T => run::<T, _>(c, k::reduce::Min))
}

pub(in super::super) fn all(c: &KernelContext<'_>) -> Result<Outputs> {
    run::<bool, _>(c, k::reduce::All)
}

pub(in super::super) fn any(c: &KernelContext<'_>) -> Result<Outputs> {
    run::<bool, _>(c, k::reduce::Any)
}
