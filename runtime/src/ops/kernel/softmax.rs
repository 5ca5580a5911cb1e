//! Softmax, cross entropies, and the square loss.

use std::mem::MaybeUninit;

use extype_kernels as k;
use k::table::{Rows, Table, Tabled, reduction, softmax as table};

use super::typed;
use crate::array::{Array, Dims, Element};
use crate::op::{KernelContext, Outputs, find_op, no_kernel};
use crate::types::{Result, bail, err};

type Context<'a> = KernelContext<'a>;

fn rows(c: &Context<'_>, table: &Table<Rows>) -> Result<Outputs> {
    let x = c.input(0);
    let Some(len) = x.dims().last().copied() else {
        bail!("`logits` have one axis at least, not shape {}", x.shape());
    };
    typed!(float, c, x.dtype(), T => {
        let f = T::entry(table).ok_or_else(|| no_kernel(c))?;
        let data = x.as_slice::<T>()?;
        let out = Array::from_kernel(x.dims(), |out| {
            f(data, len, out, k::Par::Pool);
            Ok(())
        })?;
        Ok([out].into())
    })
}

pub(in super::super) fn softmax(c: &Context<'_>) -> Result<Outputs> {
    rows(c, &table::SOFTMAX)
}

pub(in super::super) fn log_softmax(c: &Context<'_>) -> Result<Outputs> {
    rows(c, &table::LOG_SOFTMAX)
}

/// Two arrays that a kernel fills together.
fn pair<T: Element>(
    [first, second]: [&[usize]; 2],
    kernel: impl FnOnce(&mut [MaybeUninit<T>], &mut [MaybeUninit<T>]),
) -> Result<Outputs> {
    let mut inner = None;
    let outer = Array::from_kernel(first, |a| {
        inner = Some(Array::from_kernel(second, |b| {
            kernel(a, b);
            Ok(())
        })?);
        Ok(())
    })?;
    let inner = inner.ok_or_else(|| err!(Internal, "a kernel wrote one result of two"))?;
    Ok([outer, inner].into_iter().collect())
}

/// An operand repeated to a shape.
fn repeated(x: &Array, dims: &[usize]) -> Result<Array> {
    if x.dims() == dims {
        return Ok(x.clone());
    }
    let sizes: Vec<i64> = dims.iter().map(|n| *n as i64).collect();
    let mut out =
        find_op("BroadcastTo")?.run(&[x, &Array::from_i64s(&sizes)], &crate::op::Attrs::new())?;
    out.pop().ok_or_else(|| err!(Internal, "no result"))
}

pub(in super::super) fn cross_entropy(c: &Context<'_>) -> Result<Outputs> {
    let shape = c.input(0).shape().broadcast(&c.input(1).shape())?;
    let sizes = shape.sizes().unwrap_or_default();
    let dims: Dims = sizes.iter().copied().collect();
    let &[rows, len] = &dims[..] else { bail!("logits and labels are matrices, not of {shape}") };
    let (logits, labels) = (repeated(c.input(0), &dims)?, repeated(c.input(1), &dims)?);
    typed!(float, c, logits.dtype(), T => {
        let (logits, labels) = (logits.as_slice::<T>()?, labels.as_slice::<T>()?);
        let f = T::entry(&table::CROSS_ENTROPY).ok_or_else(|| no_kernel(c))?;
        pair([&[rows], &dims], |loss, backprop| {
            f(logits, labels, len, loss, backprop, k::Par::Pool);
        })
    })
}

pub(in super::super) fn sparse_cross_entropy(c: &Context<'_>) -> Result<Outputs> {
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
        pair([&[rows], logits.dims()], |loss, backprop| {
            f(data, &classes, len, loss, backprop, k::Par::Pool);
        })
    })
}

/// Half the sum of squares.
pub(in super::super) fn l2_loss(c: &Context<'_>) -> Result<Outputs> {
    let x = c.input(0);
    typed!(float, c, x.dtype(), T => {
        let f = T::entry(&reduction::HALF_SQUARES).ok_or_else(|| no_kernel(c))?;
        let layout = k::reduce::ReduceLayout::new(&[x.len()], &[true]);
        let data = x.as_slice::<T>()?;
        let out = Array::from_kernel(Dims::new(), |out| {
            f(data, &layout, out, k::Par::Pool);
            Ok(())
        })?;
        Ok([out].into())
    })
}
