//! Cropping and zero-padding of last axes.

use crate::ops::methods::*;
use crate::ops::{self, Ellipsis, Index, Integer, length};
use crate::tensor::Tensor;
use crate::types::{Result, err};

/// Crops the last axes of a tensor, or pads them with zeros, to these sizes.
pub(crate) fn fit(x: &Tensor, sizes: &[Integer]) -> Result<Tensor> {
    let rank = x.rank().ok_or_else(|| {
        err!(Unimplemented, "the rank must be known while tracing; give the tensor a shape")
    })?;
    let ranges = sizes.iter().map(|n| Index::from(..n.clone()));
    let cut = x.index(std::iter::once(Index::from(Ellipsis)).chain(ranges).collect::<Vec<_>>())?;
    let front = rank - sizes.len();
    let mut known = vec![[0, 0]; rank];
    let mut behind = Vec::with_capacity(sizes.len());
    let mut all_known = true;
    for (i, n) in sizes.iter().enumerate() {
        let axis = front + i;
        match (n, length(&cut, axis as i64)?) {
            (Integer::Known(n), Integer::Known(size)) => {
                known[axis][1] = n - size;
                behind.push(Tensor::scalar(n - size));
            }
            (n, size) => {
                all_known = false;
                behind.push(ops::sub(&n.to_i64()?, size.to_i64()?)?);
            }
        }
    }
    if all_known {
        return if known.iter().all(|p| p[1] == 0) { Ok(cut) } else { cut.pad(&known[..]) };
    }
    let none = Tensor::scalar(0i64);
    let column: Vec<&Tensor> = std::iter::repeat_n(&none, front).chain(&behind).collect();
    let column = ops::stack(&column, 0)?;
    cut.pad(&ops::stack(&[&column.zeros_like()?, &column], 1)?)
}
