//! Kernels of softmax, cross entropies and other losses.

use std::mem::MaybeUninit;

use extype_kernels as k;
use extype_kernels::table::{Tabled, reduction, softmax as table};

use crate::array::{Array, Dims, Element};
use crate::ir::{Attrs, KernelContext, Outputs, no_kernel, typed};
use crate::ops::{BroadcastTo, NamedOp as _};
use crate::types::{Result, bail, err};

/// For each row, whether the prediction of the target is among the `k` largest.
pub(in crate::ops) fn in_top_k(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, targets) = (c.input(0), c.input(1).to_i64s()?);
    let &[rows, classes] = x.dims() else { return Err(no_kernel(c)) };
    let &[k] = &c.input(2).to_i64s()?[..] else { bail!("`k` is a scalar") };
    if c.input(1).dims() != [rows] {
        bail!("targets of shape {} for predictions of {}", c.input(1).shape(), x.shape());
    }
    let x = x.as_slice::<f32>()?;
    let within = |(i, target): (usize, &i64)| {
        let row = &x[i * classes..(i + 1) * classes];
        let target = usize::try_from(*target).ok().and_then(|t| row.get(t));
        // If a prediction is not finite, the result is false.
        let Some(target) = target.filter(|_| row.iter().all(|x| x.is_finite())) else {
            return false;
        };
        (row.iter().filter(|x| *x > target).count() as i64) < k
    };
    let out: Vec<bool> = targets.iter().enumerate().map(within).collect();
    Ok([Array::from_slice([rows], &out)?].into())
}

/// Two outputs that one kernel fills together.
fn pair<T: Element>(
    c: &KernelContext<'_>,
    [first, second]: [&[usize]; 2],
    kernel: impl FnOnce(&mut [MaybeUninit<T>], &mut [MaybeUninit<T>]),
) -> Result<Outputs> {
    let mut inner = None;
    let outer = c.output(first, |a| {
        inner = Some(c.output(second, |b| {
            kernel(a, b);
            Ok(())
        })?);
        Ok(())
    })?;
    let inner = inner.ok_or_else(|| err!(Internal, "a kernel wrote one result of two"))?;
    Ok([outer, inner].into_iter().collect())
}

/// An operand, broadcast to a shape.
fn repeated(x: &Array, dims: &[usize]) -> Result<Array> {
    if x.dims() == dims {
        return Ok(x.clone());
    }
    let sizes: Vec<i64> = dims.iter().map(|n| *n as i64).collect();
    let mut out = BroadcastTo::DEF.run(&[x, &Array::from_i64s(&sizes)], &Attrs::new())?;
    out.pop().ok_or_else(|| err!(Internal, "no result"))
}

pub(in crate::ops) fn cross_entropy(c: &KernelContext<'_>) -> Result<Outputs> {
    let shape = c.input(0).shape().broadcast(&c.input(1).shape())?;
    let sizes = shape.sizes().unwrap_or_default();
    let dims: Dims = sizes.iter().copied().collect();
    let &[rows, len] = &dims[..] else { bail!("logits and labels are matrices, not of {shape}") };
    let (logits, labels) = (repeated(c.input(0), &dims)?, repeated(c.input(1), &dims)?);
    typed!(float, c, logits.dtype(), T => {
        let (logits, labels) = (logits.as_slice::<T>()?, labels.as_slice::<T>()?);
        let f = T::entry(&table::CROSS_ENTROPY).ok_or_else(|| no_kernel(c))?;
        pair(c, [&[rows], &dims], |loss, backprop| {
            f(logits, labels, len, loss, backprop, k::Par::Pool);
        })
    })
}

pub(in crate::ops) fn sparse_cross_entropy(c: &KernelContext<'_>) -> Result<Outputs> {
    let (logits, labels) = (c.input(0), c.input(1));
    let &[rows, len] = logits.dims() else {
        bail!("logits are a matrix, not of shape {}", logits.shape());
    };
    if labels.dims() != [rows] {
        bail!("labels of shape {} for logits of shape {}", labels.shape(), logits.shape());
    }
    if len == 0 {
        bail!("logits of shape {} have no class", logits.shape());
    }
    let classes = labels.to_i64s()?;
    if let Some(i) = classes.iter().position(|class| *class < 0 || *class >= len as i64) {
        bail!("label {} at position {i} is not in [0, {len})", classes[i]);
    }
    typed!(float, c, logits.dtype(), T => {
        let data = logits.as_slice::<T>()?;
        let f = T::entry(&table::SPARSE_CROSS_ENTROPY).ok_or_else(|| no_kernel(c))?;
        pair(c, [&[rows], logits.dims()], |loss, backprop| {
            f(data, &classes, len, loss, backprop, k::Par::Pool);
        })
    })
}

/// Half the sum of squares.
pub(in crate::ops) fn l2_loss(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    typed!(float, c, x.dtype(), T => {
        let f = T::entry(&reduction::HALF_SQUARES).ok_or_else(|| no_kernel(c))?;
        let layout = k::reduce::ReduceLayout::new(&[x.len()], &[true]);
        let data = x.as_slice::<T>()?;
        let out = c.output(&[], |out| {
            f(data, &layout, out, k::Par::Pool);
            Ok(())
        })?;
        Ok([out].into())
    })
}
