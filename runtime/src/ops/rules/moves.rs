//! Kernels that move elements and compute nothing, one for all dtypes of one size.
//!
//! Strings are moved by index: the kernel moves numbers, which tell where each string comes from.

use std::mem::MaybeUninit;

use extype_kernels as k;
use smallvec::SmallVec;

use crate::array::{Array, Dims, Element, IntoDims, collected, joined_strings, vec_for};
use crate::ir::{KernelContext, Outputs};
use crate::types::{DType, Result, bail, err};

/// A kernel that moves elements of one type; the sources are the element slices of the inputs.
pub(in crate::ops) trait Move {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()>;
}

/// Runs a movement on arrays of one dtype, which may be any.
pub(in crate::ops) fn moved(
    c: &KernelContext<'_>,
    arrays: &[&Array],
    dims: impl IntoDims,
    kernel: &impl Move,
) -> Result<Outputs> {
    let dims = dims.into_dims();
    let dtype = arrays.first().map_or(DType::F32, |a| a.dtype());
    // Moving looks at sizes only: one kernel serves all dtypes of a size.
    let out = match dtype.size() {
        Some(1) => move_words::<u8>(c, arrays, dtype, dims, kernel),
        Some(2) => move_words::<u16>(c, arrays, dtype, dims, kernel),
        Some(4) => move_words::<u32>(c, arrays, dtype, dims, kernel),
        Some(8) => move_words::<u64>(c, arrays, dtype, dims, kernel),
        Some(_) => move_words::<num_complex::Complex64>(c, arrays, dtype, dims, kernel),
        None => move_boxed(arrays, dims, kernel),
    };
    Ok([out?].into())
}

fn move_words<W: Element + bytemuck::AnyBitPattern>(
    c: &KernelContext<'_>,
    arrays: &[&Array],
    dtype: DType,
    dims: Dims,
    kernel: &impl Move,
) -> Result<Array> {
    // Most movements have one source; there may be no memory for a list of many.
    if let [one] = arrays {
        let sources = [one.as_words::<W>()?];
        return c.output_as(dtype, &dims, |out| kernel.run(&sources, out));
    }
    let mut sources: Vec<&[W]> = vec_for(arrays.len())?;
    for array in arrays {
        sources.push(array.as_words()?);
    }
    c.output_as(dtype, &dims, |out| kernel.run(&sources, out))
}

fn move_boxed(arrays: &[&Array], dims: Dims, kernel: &impl Move) -> Result<Array> {
    // Index 0 stands for the default that padding puts in.
    let mut next = 1u64;
    let mut indices: Vec<Vec<u64>> = vec_for(arrays.len())?;
    for a in arrays {
        let from = next;
        next += a.len() as u64;
        let mut own = vec_for(a.len())?;
        own.extend(from..next);
        indices.push(own);
    }
    let sources: Vec<&[u64]> = collected(indices.iter().map(Vec::as_slice))?;
    let order = Array::from_kernel::<u64>(dims.clone(), |out| kernel.run(&sources, out))?;
    let order = order.as_slice::<u64>()?;
    if arrays.first().is_some_and(|a| a.dtype() == DType::String) {
        let all = listed(arrays, |a| a.as_strings())?;
        let item = |i: &u64| match (*i as usize).checked_sub(1) {
            Some(i) => [&all[i][..]],
            None => [&[][..]],
        };
        Array::from_strings(dims, joined_strings(order.iter().map(item))?)
    } else {
        let all = listed(arrays, |a| a.as_variants())?;
        let mut items = vec_for(order.len())?;
        for i in order {
            match (*i as usize).checked_sub(1) {
                Some(i) => items.push(all[i].clone()),
                None => bail!("variants have no default to pad with"),
            }
        }
        Array::from_variants(dims, items)
    }
}

/// The elements of several arrays.
fn listed<'a, T>(
    arrays: &[&'a Array],
    elements: impl Fn(&'a Array) -> Result<&'a [T]>,
) -> Result<Vec<&'a T>> {
    let mut all = vec_for(arrays.iter().map(|a| a.len()).sum())?;
    for array in arrays {
        all.extend(elements(array)?);
    }
    Ok(all)
}

/// A copy along strides: transpose, slice, broadcast.
pub(in crate::ops) struct Strided {
    pub(in crate::ops) offset: usize,
    pub(in crate::ops) dims: Dims,
    pub(in crate::ops) strides: SmallVec<[isize; 4]>,
    /// That of the call: a variable's value is changed under a lock, where no thread of the pool may be waited for.
    pub(in crate::ops) par: k::Par,
}

impl Move for Strided {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        if out.is_empty() {
            // Next to a zero the other sizes may be huge; their product could overflow.
            return Ok(());
        }
        k::movement::strided_copy(
            sources[0],
            self.offset,
            &self.dims,
            &self.strides,
            out,
            self.par,
        );
        Ok(())
    }
}

/// Slices along an axis at indices, which each batch has for itself.
pub(in crate::ops) struct Gathered<'a> {
    pub(in crate::ops) batch: usize,
    /// For one batch: the outer rows, the size of the axis, the elements behind it.
    pub(in crate::ops) extents: [usize; 3],
    pub(in crate::ops) indices: &'a [i64],
}

impl Move for Gathered<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        let [outer, axis, inner] = self.extents;
        // Without indices there may be any number of batches.
        if self.indices.is_empty() {
            return Ok(());
        }
        let per_batch = self.indices.len() / self.batch;
        let (from, to) = (outer * axis * inner, outer * per_batch * inner);
        for b in 0..self.batch {
            let indices = &self.indices[b * per_batch..(b + 1) * per_batch];
            let params = &sources[0][b * from..(b + 1) * from];
            k::movement::gather(
                params,
                self.extents,
                indices,
                &mut out[b * to..(b + 1) * to],
                k::Par::Pool,
            )
            .map_err(|e| {
                err!(
                    OutOfRange,
                    "index {} at position {} is not in [0, {})",
                    e.index,
                    e.position,
                    e.limit
                )
            })?;
        }
        Ok(())
    }
}

pub(in crate::ops) fn row_major(dims: &[usize]) -> SmallVec<[isize; 4]> {
    let mut strides: SmallVec<[isize; 4]> = SmallVec::from_elem(1, dims.len());
    for i in (1..dims.len()).rev() {
        // Wraps only if there are no elements.
        strides[i - 1] = strides[i].wrapping_mul(dims[i] as isize);
    }
    strides
}

/// The bound on elements that are moved.
pub(in crate::ops) trait Moved: Copy + Default + Send + Sync {}

impl<T: Copy + Default + Send + Sync> Moved for T {}
