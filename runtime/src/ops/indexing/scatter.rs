//! Elements and slices picked and put by lists of coordinates.

use std::mem::MaybeUninit;

use extype_kernels::movement::{NO_ROW, combine_rows, gather_rows, nonzero, scatter_rows};
use extype_kernels::{Arithmetic, Real};

use crate::array::{Array, Dims, Element, extent, num_elements, vec_for};
use crate::ir::{KernelContext, Outputs, typed, worked};
use crate::ops::GatherNd;
use crate::ops::indexing::infer::check_updates;
use crate::ops::movement::kernel::asked_dims;
use crate::ops::rules::moves::{Move, Moved, moved};
use crate::types::{DType, Result, Shape, bail};

/// Where each row of coordinates points: the offset of the first element of its slice.
struct Rows {
    offsets: Vec<usize>,
    /// Elements of a slice.
    inner: usize,
}

/// Reads coordinates into an array of these sizes.
fn rows(c: &KernelContext<'_>, dims: &[usize], indices: &Array) -> Result<Rows> {
    let depth = indices.dims().last().copied().unwrap_or(0);
    let Some((outer, tail)) = dims.split_at_checked(depth) else {
        bail!("indices of {depth} coordinates for shape {}", Shape::from(dims));
    };
    // Products wrap only where a size of zero leaves nothing to move.
    let inner = extent(tail);
    let policy: String = c.get(GatherNd::BAD_INDICES_POLICY)?;
    let ignored = match policy.as_str() {
        "" | "DEFAULT" | "ERROR" => false,
        "IGNORE" => true,
        other => bail!("bad_indices_policy {other:?} is not DEFAULT, ERROR or IGNORE"),
    };
    let count = num_elements(&indices.dims()[..indices.rank() - 1], 1)?;
    let coordinates = indices.to_i64s()?;
    let mut offsets = vec_for(count)?;
    for i in 0..count {
        let row = &coordinates[i * depth..(i + 1) * depth];
        let mut at = Some(0);
        for (x, n) in row.iter().zip(outer) {
            let x = usize::try_from(*x).ok().filter(|x| x < n);
            at = at.zip(x).map(|(at, x): (usize, usize)| at.wrapping_mul(*n).wrapping_add(x));
        }
        match at {
            Some(at) => offsets.push(at.wrapping_mul(inner)),
            None if ignored => offsets.push(NO_ROW),
            None => bail!("indices[{i}] = {row:?} do not point into shape {}", Shape::from(dims)),
        }
    }
    Ok(Rows { offsets, inner })
}

impl Move for Rows {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        gather_rows(sources[0], &self.offsets, self.inner, out);
        Ok(())
    }
}

pub(in crate::ops) fn gather_nd(c: &KernelContext<'_>) -> Result<Outputs> {
    let (params, indices) = (c.input(0), c.input(1));
    let Some((depth, outer)) = indices.dims().split_last() else {
        bail!("indices are a vector of coordinates at least, not a scalar");
    };
    let rows = rows(c, params.dims(), indices)?;
    let dims: Dims = [outer, &params.dims()[*depth..]].concat().into();
    moved(c, &[params], dims, &rows)
}

/// Rows of the second source written over the first.
struct Written(Rows);

impl Move for Written {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        gather_rows(sources[0], &[0], sources[0].len(), out);
        scatter_rows(&self.0.offsets, sources[1], self.0.inner, out);
        Ok(())
    }
}

/// How updates are combined with the elements that are there.
#[derive(Clone, Copy)]
enum Combine {
    Add,
    Sub,
    Min,
    Max,
}

fn combined<T: Element + Arithmetic>(
    c: &KernelContext<'_>,
    base: Option<&Array>,
    dims: &[usize],
    rows: &Rows,
    updates: &Array,
    f: impl Fn(T, T) -> T,
) -> Result<Outputs> {
    let updates = updates.as_slice::<T>()?;
    let base = base.map(Array::as_slice::<T>).transpose()?;
    let out = c.output_slice(dims, |out: &mut [T]| {
        match base {
            Some(base) => out.copy_from_slice(base),
            None => out.fill(T::ZERO),
        }
        combine_rows(&rows.offsets, updates, rows.inner, out, f);
        Ok(())
    })?;
    Ok([out].into())
}

pub(in crate::ops) fn scatter_nd(c: &KernelContext<'_>) -> Result<Outputs> {
    let (indices, updates, dims) = (c.input(0), c.input(1), asked_dims(c, 2)?);
    check_updates(&Shape::from(&dims[..]), &indices.shape(), &updates.shape())?;
    num_elements(&dims, updates.dtype().size().unwrap_or(1))?;
    let rows = rows(c, &dims, indices)?;
    match updates.dtype() {
        // The sum of bools is their logical or.
        DType::Bool => {
            let given = updates.as_slice::<bool>()?;
            let out = c.output_slice(&dims, |out: &mut [bool]| {
                out.fill(false);
                for (i, at) in rows.offsets.iter().enumerate().filter(|(_, at)| **at != NO_ROW) {
                    let row = &given[i * rows.inner..(i + 1) * rows.inner];
                    out[*at..*at + rows.inner].iter_mut().zip(row).for_each(|(o, x)| *o |= x);
                }
                Ok(())
            })?;
            Ok([out].into())
        }
        DType::String => joined(dims, &rows, updates),
        dtype => typed!(numeric, c, dtype, T => {
            combined::<T>(c, None, &dims, &rows, updates, Arithmetic::add)
        }),
    }
}

/// Adds up strings by joining them.
fn joined(dims: Dims, rows: &Rows, updates: &Array) -> Result<Outputs> {
    let given = updates.as_strings()?;
    let len = num_elements(&dims, size_of::<Vec<u8>>())?;
    let mut out: Vec<Vec<u8>> = vec_for(len)?;
    out.resize_with(len, Vec::new);
    for (i, at) in rows.offsets.iter().enumerate().filter(|(_, at)| **at != NO_ROW) {
        for (o, x) in out[*at..*at + rows.inner].iter_mut().zip(&given[i * rows.inner..]) {
            if o.try_reserve(x.len()).is_err() {
                // The error needs memory too.
                drop(out);
                bail!(ResourceExhausted, "no memory for {len} strings");
            }
            o.extend_from_slice(x);
        }
    }
    Ok([Array::from_strings(dims, out)?].into())
}

/// The operands of a tensor scatter, checked.
fn scattered<'a>(c: &KernelContext<'a>) -> Result<(&'a Array, Rows, &'a Array)> {
    let (tensor, indices, updates) = (c.input(0), c.input(1), c.input(2));
    if tensor.rank() == 0 {
        bail!("a scalar has no elements to point at; give it one axis at least");
    }
    check_updates(&tensor.shape(), &indices.shape(), &updates.shape())?;
    Ok((tensor, rows(c, tensor.dims(), indices)?, updates))
}

pub(in crate::ops) fn update(c: &KernelContext<'_>) -> Result<Outputs> {
    let (tensor, rows, updates) = scattered(c)?;
    moved(c, &[tensor, updates], tensor.dims(), &Written(rows))
}

fn combine(c: &KernelContext<'_>, how: Combine) -> Result<Outputs> {
    let (tensor, rows, updates) = scattered(c)?;
    match how {
        Combine::Add | Combine::Sub => typed!(numeric, c, tensor.dtype(), T => {
            let f: fn(T, T) -> T =
                if matches!(how, Combine::Add) { Arithmetic::add } else { Arithmetic::sub };
            combined::<T>(c, Some(tensor), tensor.dims(), &rows, updates, f)
        }),
        Combine::Min | Combine::Max => typed!(real, c, tensor.dtype(), T => {
            let f: fn(T, T) -> T =
                if matches!(how, Combine::Min) { Real::minimum } else { Real::maximum };
            combined::<T>(c, Some(tensor), tensor.dims(), &rows, updates, f)
        }),
    }
}

pub(in crate::ops) fn add(c: &KernelContext<'_>) -> Result<Outputs> {
    combine(c, Combine::Add)
}

pub(in crate::ops) fn sub(c: &KernelContext<'_>) -> Result<Outputs> {
    combine(c, Combine::Sub)
}

pub(in crate::ops) fn min(c: &KernelContext<'_>) -> Result<Outputs> {
    combine(c, Combine::Min)
}

pub(in crate::ops) fn max(c: &KernelContext<'_>) -> Result<Outputs> {
    combine(c, Combine::Max)
}

pub(in crate::ops) fn where_(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let found = typed!(data, c, x.dtype(), T => worked(nonzero(x.as_slice::<T>()?)))?;
    let rank = x.rank();
    let out = c.output_slice(&[found.len(), rank], |out: &mut [i64]| {
        for (mut at, row) in found.iter().copied().zip(out.chunks_exact_mut(rank.max(1))) {
            for (n, o) in x.dims().iter().zip(row).rev() {
                *o = (at % n) as i64;
                at /= n;
            }
        }
        Ok(())
    })?;
    Ok([out].into())
}
