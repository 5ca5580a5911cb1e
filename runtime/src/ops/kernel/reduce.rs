//! Reductions.

use extype_kernels as k;
use k::reduce::ReduceLayout;
use k::table::{Reduction, Table, Tabled, reduction as r};

use super::super::infer::reduced_axes;
use super::typed;
use crate::array::{Array, Dims};
use crate::op::{KernelContext, Outputs, no_kernel};
use crate::types::Result;

/// The reduction of the axes in the second input.
fn reduce(c: &KernelContext<'_>, table: &Table<Reduction>) -> Result<Outputs> {
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
    typed!(plain, c, x.dtype(), T => {
        let f = T::entry(table).ok_or_else(|| no_kernel(c))?;
        let data = x.as_slice::<T>()?;
        let out = Array::from_kernel(dims, |out| {
            f(data, &layout, out, k::Par::Pool);
            Ok(())
        })?;
        Ok([out].into())
    })
}

macro_rules! kernels {
    ($($name:ident = $table:ident;)*) => {
        $(pub(in super::super) fn $name(c: &KernelContext<'_>) -> Result<Outputs> {
            reduce(c, &r::$table)
        })*
    };
}
kernels! {
    sum = SUM;
    prod = PROD;
    euclidean_norm = EUCLIDEAN_NORM;
    mean = MEAN;
    max = MAX;
    min = MIN;
    all = ALL;
    any = ANY;
}
