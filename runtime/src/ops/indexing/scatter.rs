//! Elements and slices picked and put by lists of coordinates.

use std::mem::MaybeUninit;

use extype_kernels::movement::{NO_ROW, combine_rows, gather_rows, nonzero, scatter_rows};
use extype_kernels::{Arithmetic, Real, Transcendental};

use crate::array::{Array, Dims, Element, extent, num_elements, vec_for, with_element};
use crate::ir::{Attrs, KernelContext, Outputs, only, typed, worked};
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

/// True if coordinates that point nowhere are no error.
pub(crate) fn ignores_bad_indices(attrs: &Attrs) -> Result<bool> {
    match attrs.get(GatherNd::BAD_INDICES_POLICY)?.as_str() {
        "" | "DEFAULT" | "ERROR" => Ok(false),
        "IGNORE" => Ok(true),
        other => bail!("bad_indices_policy {other:?} is not DEFAULT, ERROR or IGNORE"),
    }
}

/// Reads coordinates into an array of these sizes.
fn rows(c: &KernelContext<'_>, dims: &[usize], indices: &Array) -> Result<Rows> {
    let depth = indices.dims().last().copied().unwrap_or(0);
    let Some((outer, tail)) = dims.split_at_checked(depth) else {
        bail!("indices of {depth} coordinates for shape {}", Shape::from(dims));
    };
    // Products wrap only where a size of zero leaves nothing to move.
    let inner = extent(tail);
    let ignored = ignores_bad_indices(c.attrs)?;
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

impl Rows {
    /// A copy of `start`, or zeros, combined with the updates.
    fn combined<T: Element>(
        &self,
        c: &KernelContext<'_>,
        dims: &[usize],
        start: Option<&[T]>,
        updates: &Array,
        f: impl Fn(T, T) -> T,
    ) -> Result<Outputs> {
        let updates = updates.as_slice::<T>()?;
        let out = c.output_slice(dims, |out: &mut [T]| {
            match start {
                Some(start) => out.copy_from_slice(start),
                None => out.fill(T::default()),
            }
            combine_rows(&self.offsets, updates, self.inner, out, f);
            Ok(())
        })?;
        Ok([out].into())
    }
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

pub(in crate::ops) fn scatter_nd(c: &KernelContext<'_>) -> Result<Outputs> {
    let (indices, updates, dims) = (c.input(0), c.input(1), asked_dims(c, 2)?);
    check_updates(&Shape::from(&dims[..]), &indices.shape(), &updates.shape())?;
    num_elements(&dims, updates.dtype().size().unwrap_or(1))?;
    let rows = rows(c, &dims, indices)?;
    match updates.dtype() {
        // The sum of bools is their logical or.
        DType::Bool => rows.combined::<bool>(c, &dims, None, updates, |a, b| a | b),
        DType::String => joined(dims, &rows, updates),
        dtype => typed!(numeric, c, dtype, T => {
            rows.combined::<T>(c, &dims, None, updates, Arithmetic::add)
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

/// A tensor whose rows at the given coordinates are changed. The context has the indices and the updates.
struct Scatter<'a, 't> {
    tensor: &'t mut Array,
    rows: Rows,
    updates: &'a Array,
}

impl<'a, 't> Scatter<'a, 't> {
    /// Checks the operands.
    fn of(tensor: &'t mut Array, c: &KernelContext<'a>) -> Result<Self> {
        let (indices, updates) = (c.input(0), c.input(1));
        let shape = tensor.shape();
        shape.with_rank_at_least(1).map_err(|e| e.prefixed("`tensor`"))?;
        check_updates(&shape, &indices.shape(), &updates.shape())?;
        let rows = rows(c, tensor.dims(), indices)?;
        Ok(Self { tensor, rows, updates })
    }

    /// Combines the elements with the updates, in the tensor's memory if nothing else holds it.
    fn by<T: Element>(self, c: &KernelContext<'_>, f: impl Fn(T, T) -> T) -> Result<()> {
        let Scatter { tensor, rows, updates } = self;
        let new = updates.as_slice::<T>()?;
        let change = |out: &mut [T]| combine_rows(&rows.offsets, new, rows.inner, out, &f);
        if !tensor.change_elements(change) {
            let start = Some(tensor.as_slice()?);
            *tensor = only(rows.combined(c, tensor.dims(), start, updates, &f)?)?;
        }
        Ok(())
    }
}

/// A change of an array that is not held elsewhere; after an error the array is as before.
pub(in crate::ops) type Change = fn(&mut Array, &KernelContext<'_>) -> Result<()>;

/// The changed array.
pub(in crate::ops) fn changed(
    mut tensor: Array,
    c: &KernelContext<'_>,
    change: Change,
) -> Result<Outputs> {
    change(&mut tensor, c)?;
    Ok([tensor].into())
}

pub(in crate::ops) fn update(tensor: &mut Array, c: &KernelContext<'_>) -> Result<()> {
    let scatter = Scatter::of(tensor, c)?;
    with_element!(tabled, scatter.tensor.dtype(), T => scatter.by::<T>(c, |_, new| new), else {
        let Scatter { tensor, rows, updates } = scatter;
        *tensor = only(moved(c, &[tensor, updates], tensor.dims(), &Written(rows))?)?;
        Ok(())
    })
}

macro_rules! combining {
    ($($name:ident $set:ident $f:path;)*) => {$(
        pub(in crate::ops) fn $name(tensor: &mut Array, c: &KernelContext<'_>) -> Result<()> {
            let scatter = Scatter::of(tensor, c)?;
            typed!($set, c, scatter.tensor.dtype(), T => scatter.by::<T>(c, $f))
        }
    )*};
}
combining! {
    add numeric Arithmetic::add;
    sub numeric Arithmetic::sub;
    mul numeric Arithmetic::mul;
    min real Real::minimum;
    max real Real::maximum;
}

/// Quotients of integers are rounded towards zero.
pub(in crate::ops) fn div(tensor: &mut Array, c: &KernelContext<'_>) -> Result<()> {
    let scatter = Scatter::of(tensor, c)?;
    let dtype = scatter.tensor.dtype();
    if !dtype.is_integer() {
        return typed!(inexact, c, dtype, T => scatter.by::<T>(c, Transcendental::div));
    }
    typed!(integer, c, dtype, T => {
        if scatter.updates.as_slice::<T>()?.contains(&T::ZERO) {
            bail!("integer division by zero");
        }
        scatter.by::<T>(c, Real::trunc_div)
    })
}

pub(in crate::ops) fn where_(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let found = typed!(tabled, c, x.dtype(), T => worked(nonzero(x.as_slice::<T>()?)))?;
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
