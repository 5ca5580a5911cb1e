//! Kernels: sums of the rows that share an id.

use extype_kernels as k;

use crate::array::{Dims, num_elements};
use crate::ir::{KernelContext, Outputs, typed};
use crate::types::{Result, bail, err};

/// Sums the rows of `data` that have the same id.
pub(in crate::ops) fn unsorted_segment_sum(c: &KernelContext<'_>) -> Result<Outputs> {
    let (data, ids, n) = (c.input(0), c.input(1), c.input(2).to_i64s()?);
    let [n] = n[..] else { bail!("the number of segments is a scalar") };
    let n = usize::try_from(n).map_err(|_| err!("the number of segments, {n}, is negative"))?;
    if data.dims().get(..ids.rank()) != Some(ids.dims()) {
        bail!("ids of shape {} for data of shape {}", ids.shape(), data.shape());
    }
    let tail = &data.dims()[ids.rank()..];
    let dims: Dims = std::iter::once(n).chain(tail.iter().copied()).collect();
    let inner = num_elements(tail, 1)?;
    let ids = ids.to_i64s()?;
    if let Some((i, id)) = ids.iter().enumerate().find(|(_, id)| **id >= 0 && **id as usize >= n) {
        bail!("id {id} at position {i} is not in [0, {n})");
    }
    typed!(numeric, c, data.dtype(), T => {
        let rows = data.as_slice::<T>()?;
        Ok([c.output_slice(&dims, |out: &mut [T]| {
            out.fill(T::default());
            // Rows with a negative id are left out.
            k::movement::scatter_add(&ids, rows, inner, out, k::Par::Pool)
                .map_err(|e| err!("id {} at position {} is not in [0, {n})", e.index, e.position))
        })?].into())
    })
}
