//! Kernels of sparse tensors that compute: sums, extremes, reductions, products with dense tensors.

use extype_kernels as k;
use k::segment::Routes;
use k::{Arithmetic as A, Real, Transcendental as F};

use super::coo::{Coo, Rows, dims, picked, picked_both, place, vector, wide};
use super::moves::{or_zero, put};
use crate::array::{Array, vec_for};
use crate::ir::{KernelContext, Outputs, only, typed};
use crate::ops::movement::kernel::transposed;
use crate::ops::ordering::kernel::cast;
use crate::ops::segment::kernel::{How, combined, weighted};
use crate::ops::{
    Abs, Add, Conj, Div, Equal, GreaterEqual, MatMul, Maximum, Minimum, Mul, Op, SparseMatMul,
    SparseReduceSum, SparseTensorDenseMatMul,
};
use crate::types::{DType, DTypeSet, Result, bail, normalize_axis};

/// The coordinates that either of two sorted sparse tensors has, in order.
struct Union {
    at: Array,
    /// For each tensor the numbers of its values there; -1 where it has none.
    from: [Vec<i64>; 2],
}

fn union(a: Coo<'_>, b: Coo<'_>) -> Result<Union> {
    if a.sizes != b.sizes {
        bail!("sparse tensors of sizes {:?} and {:?}; of the same are wanted", a.sizes, b.sizes);
    }
    a.ascending()?;
    b.ascending()?;
    let most = a.n.saturating_add(b.n);
    let mut rows = Rows::new(most, a.rank)?;
    let mut from = [vec_for(most)?, vec_for(most)?];
    let (mut i, mut j) = (0, 0);
    while i < a.n || j < b.n {
        let first = match (i < a.n, j < b.n) {
            (true, true) => a.row(i).cmp(b.row(j)),
            (true, false) => std::cmp::Ordering::Less,
            _ => std::cmp::Ordering::Greater,
        };
        rows.push(if first.is_gt() { b.row(j) } else { a.row(i) }.iter().copied());
        from[0].push(if first.is_le() { i as i64 } else { -1 });
        from[1].push(if first.is_ge() { j as i64 } else { -1 });
        i += usize::from(first.is_le());
        j += usize::from(first.is_ge());
    }
    let n = from[0].len();
    Ok(Union { at: rows.done(n)?, from })
}

impl Union {
    /// The values of both at all coordinates, zero where one has none, combined by an op.
    fn values(&self, c: &KernelContext<'_>, op: &impl Op, of: [usize; 2]) -> Result<Array> {
        let [a, b] = [0, 1].map(|i| or_zero(c, c.input(of[i]), &self.from[i]));
        only(op.compute(&[&a?, &b?])?)
    }
}

pub(in crate::ops) fn sparse_add(c: &KernelContext<'_>) -> Result<Outputs> {
    let sizes = c.input(2);
    let union = union(Coo::of(c.input(0), sizes)?, Coo::of(c.input(3), c.input(5))?)?;
    let sum = union.values(c, &Add::default(), [1, 4])?;
    let size = match sum.dtype() {
        d if d.is_complex() => {
            let sum = cast(&sum, DType::Complex128)?;
            let sum = sum.as_slice::<k::element::Complex64>()?;
            Array::from_writer([sum.len()], |out: &mut [f64]| {
                out.iter_mut().zip(sum).for_each(|(out, x)| *out = x.norm());
                Ok(())
            })?
        }
        d if DTypeSet::SIGNED.or(DTypeSet::FLOAT).contains(d) => {
            only(Abs::default().compute(&[&sum])?)?
        }
        _ => sum.clone(),
    };
    let least = cast(c.input(6), size.dtype())?;
    let kept = only(GreaterEqual::default().compute(&[&size, &least])?)?;
    let kept = kept.as_slice::<bool>()?;
    let mut order: Vec<i64> = vec_for(kept.len())?;
    // As in TensorFlow, a value that only one of the tensors has is always in the sum.
    let is_kept = |i: &usize| kept[*i] || union.from.iter().any(|from| from[*i] < 0);
    order.extend((0..kept.len()).filter(is_kept).map(|i| i as i64));
    let mut outputs = picked_both(c, Coo::of(&union.at, sizes)?, &sum, &order)?;
    outputs.push(sizes.clone());
    Ok(outputs)
}

fn extreme(c: &KernelContext<'_>, op: &impl Op) -> Result<Outputs> {
    let (a, b) = (Coo::of(c.input(0), c.input(2))?, Coo::of(c.input(3), c.input(5))?);
    a.within()?;
    b.within()?;
    let union = union(a, b)?;
    let values = union.values(c, op, [1, 4])?;
    Ok([union.at, values].into_iter().collect())
}

pub(in crate::ops) fn sparse_maximum(c: &KernelContext<'_>) -> Result<Outputs> {
    extreme(c, &Maximum::default())
}

pub(in crate::ops) fn sparse_minimum(c: &KernelContext<'_>) -> Result<Outputs> {
    extreme(c, &Minimum::default())
}

/// The values of a reduced sparse tensor that have values at all, their coordinates, and all sizes.
struct Reduced {
    at: Vec<Vec<i64>>,
    values: Array,
    sizes: Vec<i64>,
}

fn reduced(c: &KernelContext<'_>, how: How) -> Result<Reduced> {
    let coo = Coo::of(c.input(0), c.input(2))?;
    coo.within()?;
    let keep = c.get(SparseReduceSum::KEEP_DIMS)?;
    let mut gone = vec![false; coo.rank];
    for axis in c.input(3).to_i64s()? {
        gone[normalize_axis(axis, coo.rank)?] = true;
    }
    let kept: Vec<usize> = (0..coo.rank).filter(|d| !gone[*d]).collect();
    let sizes = (0..coo.rank).filter(|d| keep || !gone[*d]);
    let sizes = sizes.map(|d| if gone[d] { 1 } else { coo.sizes[d] }).collect();
    let key = |i: i64| kept.iter().map(move |d| coo.row(i as usize)[*d]);
    let mut order: Vec<i64> = vec_for(coo.n)?;
    order.extend(0..coo.n as i64);
    order.sort_unstable_by(|a, b| key(*a).cmp(key(*b)).then(a.cmp(b)));
    let (mut at, mut groups) = (Vec::new(), vec_for(coo.n)?);
    for (place, i) in order.iter().enumerate() {
        if place == 0 || !key(order[place - 1]).eq(key(*i)) {
            let row = coo.row(*i as usize).iter().enumerate();
            let row = row.filter(|(d, _)| keep || !gone[*d]);
            crate::array::reserve(&mut at, 1)?;
            at.push(row.map(|(d, at)| if gone[d] { 0 } else { *at }).collect());
        }
        groups.push(at.len() as i64 - 1);
    }
    let routes = Routes {
        count: coo.n,
        from: Some(&|start, out| out.copy_from_slice(&order[start..][..out.len()])),
        to: &|start, out| out.copy_from_slice(&groups[start..][..out.len()]),
        sorted: true,
    };
    let values = combined(c, c.input(1), routes, &[at.len()], how)?;
    Ok(Reduced { at, values, sizes })
}

fn reduced_dense(c: &KernelContext<'_>, how: How) -> Result<Outputs> {
    let y = reduced(c, how)?;
    // Their product, which the places are below, does not overflow.
    dims(&y.sizes, y.values.dtype())?;
    let mut places: Vec<i64> = vec_for(y.at.len())?;
    places.extend(y.at.iter().map(|at| place(at, &y.sizes)));
    let zero = Array::zeros(y.values.dtype(), [1])?;
    Ok([put(c, &y.sizes, &places, [&zero, &y.values])?].into())
}

fn reduced_sparse(c: &KernelContext<'_>, how: How) -> Result<Outputs> {
    let y = reduced(c, how)?;
    let n = y.at.len();
    let mut rows = Rows::new(n, y.sizes.len())?;
    y.at.into_iter().for_each(|at| rows.push(at));
    Ok([rows.done(n)?, y.values, vector(&y.sizes)?].into_iter().collect())
}

pub(in crate::ops) fn reduce_sum(c: &KernelContext<'_>) -> Result<Outputs> {
    reduced_dense(c, How::Sum)
}

pub(in crate::ops) fn reduce_max(c: &KernelContext<'_>) -> Result<Outputs> {
    reduced_dense(c, How::Greatest)
}

pub(in crate::ops) fn reduce_sum_sparse(c: &KernelContext<'_>) -> Result<Outputs> {
    reduced_sparse(c, How::Sum)
}

pub(in crate::ops) fn reduce_max_sparse(c: &KernelContext<'_>) -> Result<Outputs> {
    reduced_sparse(c, How::Greatest)
}

pub(in crate::ops) fn sparse_softmax(c: &KernelContext<'_>) -> Result<Outputs> {
    let coo = Coo::of(c.input(0), c.input(2))?;
    if coo.rank < 2 {
        bail!("a softmax is of the rows of matrices, not of sizes {:?}", coo.sizes);
    }
    coo.within()?;
    let dtype = c.input(1).dtype();
    let float = if dtype == DType::F64 { DType::F64 } else { DType::F32 };
    let x = cast(c.input(1), float)?;
    let order = coo.order()?;
    let row = |i: usize| &coo.row(order[i] as usize)[..coo.rank - 1];
    let y = typed!(native, c, float, T => {
        let x = x.as_slice::<T>()?;
        c.output_slice(&[coo.n], |out: &mut [T]| {
            let mut start = 0;
            while start < coo.n {
                let end = (start + 1..coo.n).find(|i| row(*i) != row(start)).unwrap_or(coo.n);
                let places = || order[start..end].iter().map(|i| *i as usize);
                let most = places().fold(<T as Real>::LOWEST, |a, i| Real::maximum(a, x[i]));
                let mut sum = T::default();
                for i in places() {
                    out[i] = F::exp(A::sub(x[i], most));
                    sum = A::add(sum, out[i]);
                }
                places().for_each(|i| out[i] = F::div(out[i], sum));
                start = end;
            }
            Ok(())
        })
    })?;
    Ok([cast(&y, dtype)?].into())
}

/// The elements of a dense tensor at the coordinates of the values; the tensor broadcasts to their sizes.
fn elements_at(c: &KernelContext<'_>) -> Result<Array> {
    let (coo, dense) = (Coo::of(c.input(0), c.input(2))?, c.input(3));
    let dims = dense.dims();
    let Some(behind) = coo.rank.checked_sub(dims.len()) else {
        bail!("a dense tensor of shape {} for sparse sizes {:?}", dense.shape(), coo.sizes);
    };
    let fits = |(n, size): (&usize, &i64)| *n == 1 || *n as i64 == *size;
    if !dims.iter().zip(&coo.sizes[behind..]).all(fits) {
        bail!("the dense shape {} does not broadcast to sizes {:?}", dense.shape(), coo.sizes);
    }
    coo.within()?;
    let mut places: Vec<i64> = vec_for(coo.n)?;
    let at = |at: &[i64]| {
        let at = at[behind..].iter().zip(dims);
        at.fold(0, |place, (at, n)| place * *n as i64 + if *n == 1 { 0 } else { *at })
    };
    places.extend(coo.rows().map(at));
    picked(c, &dense.reshape([dense.len()])?, &places)
}

pub(in crate::ops) fn cwise_add(c: &KernelContext<'_>) -> Result<Outputs> {
    Add::default().compute(&[c.input(1), &elements_at(c)?])
}

pub(in crate::ops) fn cwise_mul(c: &KernelContext<'_>) -> Result<Outputs> {
    Mul::default().compute(&[c.input(1), &elements_at(c)?])
}

pub(in crate::ops) fn cwise_div(c: &KernelContext<'_>) -> Result<Outputs> {
    let elements = elements_at(c)?;
    let zero = Array::zeros(elements.dtype(), [0usize; 0])?;
    let is_zero = only(Equal::default().compute(&[&elements, &zero])?)?;
    if let Some(i) = is_zero.as_slice::<bool>()?.iter().position(|zero| *zero) {
        bail!(
            "the dense tensor has a zero at the index of value {i}, which can't be divided by it"
        );
    }
    Div::default().compute(&[c.input(1), &elements])
}

pub(in crate::ops) fn dense_add(c: &KernelContext<'_>) -> Result<Outputs> {
    let (at, sizes, dense) = (wide(c.input(0))?, wide(c.input(2))?, c.input(3));
    let coo = Coo::of(&at, &sizes)?;
    if *coo.dims(dense.dtype())? != *dense.dims() {
        bail!(
            "a sparse tensor of sizes {:?} and a dense one of shape {}",
            coo.sizes,
            dense.shape()
        );
    }
    let places = coo.places()?;
    let routes = Routes {
        count: coo.n,
        from: None,
        to: &|start, out| out.copy_from_slice(&places[start..][..out.len()]),
        sorted: false,
    };
    let sums = combined(c, c.input(1), routes, &[dense.len()], How::Sum)?;
    Add::default().compute(&[&sums.reshape(dense.dims())?, dense])
}

/// The conjugate transpose of a matrix.
fn adjoint(c: &KernelContext<'_>, x: &Array) -> Result<Array> {
    let y = transposed(c, x, &[1, 0])?;
    if y.dtype().is_complex() { only(Conj::default().compute(&[&y])?) } else { Ok(y) }
}

pub(in crate::ops) fn dense_matmul(c: &KernelContext<'_>) -> Result<Outputs> {
    let at = wide(c.input(0))?;
    let (coo, mut weights) = (Coo::of(&at, c.input(2))?, c.input(1).clone());
    let (mut row, mut column) = (0, 1);
    if c.get(SparseTensorDenseMatMul::ADJOINT_A)? {
        (row, column) = (1, 0);
        if weights.dtype().is_complex() {
            weights = only(Conj::default().compute(&[&weights])?)?;
        }
    }
    let b = match c.get(SparseTensorDenseMatMul::ADJOINT_B)? {
        true => adjoint(c, c.input(3))?,
        false => c.input(3).clone(),
    };
    if coo.sizes[column] != b.dims()[0] as i64 {
        bail!("{} columns for {} rows of the dense matrix", coo.sizes[column], b.dims()[0]);
    }
    coo.within()?;
    let dims = [coo.dims(DType::U8)?[row], b.dims()[1]];
    let along = |d: usize| {
        move |start: usize, out: &mut [i64]| {
            out.iter_mut().enumerate().for_each(|(i, out)| *out = coo.row(start + i)[d]);
        }
    };
    let (from, to) = (along(column), along(row));
    let sorted = (1..coo.n).all(|i| coo.row(i - 1)[row] <= coo.row(i)[row]);
    let routes = Routes { count: coo.n, from: Some(&from), to: &to, sorted };
    Ok([weighted(c, &b, routes, &dims, &weights)?].into())
}

pub(in crate::ops) fn matmul(c: &KernelContext<'_>) -> Result<Outputs> {
    let (a, b) = (cast(c.input(0), DType::F32)?, cast(c.input(1), DType::F32)?);
    let op = MatMul {
        transpose_a: c.get(SparseMatMul::TRANSPOSE_A)?,
        transpose_b: c.get(SparseMatMul::TRANSPOSE_B)?,
    };
    op.compute(&[&a, &b])
}
