//! Kernels of matrix factorizations.

use extype_kernels as k;
use extype_kernels::factor::{self, Field, NotConverged, Singular, Vectors};

use crate::array::{Array, Dims, Element, ask_for, num_elements, vec_for};
use crate::ir::{KernelContext, Outputs, typed};
use crate::ops::ordering::kernel::indices;
use crate::ops::{
    Cholesky, Eig, Lu, MatrixInverse, MatrixSolve, MatrixTriangularSolve, Qr, SelfAdjointEig, Svd,
};
use crate::types::{Error, Result, bail, err};

/// A stack of matrices.
pub(super) struct Stack<'a, T> {
    pub(super) batch: &'a [usize],
    pub(super) count: usize,
    pub(super) sizes: (usize, usize),
    pub(super) elements: &'a [T],
}

impl<'a, T: Element> Stack<'a, T> {
    pub(super) fn new(x: &'a Array) -> Result<Self> {
        let [batch @ .., m, n] = x.dims() else { bail!("matrices have rank 2 or more") };
        // If a batch axis has size 0, the product of the others may overflow.
        let count = if x.is_empty() && batch.contains(&0) { 0 } else { num_elements(batch, 1)? };
        if !x.is_empty() {
            // Check that there is memory for a factorization: some copies in double precision.
            ask_for::<[f64; 2]>(m.saturating_mul(*n).saturating_mul(4))?;
        }
        Ok(Self { batch, count, sizes: (*m, *n), elements: x.as_slice()? })
    }

    pub(super) fn matrix(&self, i: usize) -> &'a [T] {
        let size = self.sizes.0 * self.sizes.1;
        if size == 0 { &[] } else { &self.elements[i * size..(i + 1) * size] }
    }

    /// The shape of a result with a matrix or vector of these sizes for each matrix of the stack.
    pub(super) fn dims(&self, sizes: &[usize]) -> Dims {
        self.batch.iter().chain(sizes).copied().collect()
    }

    /// The error for matrix `i`.
    pub(super) fn wrong(&self, i: usize, what: impl std::fmt::Display) -> Error {
        let mut rest = i;
        let mut place: Vec<String> = Vec::new();
        for size in self.batch.iter().rev() {
            place.push((rest % size).to_string());
            rest /= size;
        }
        place.reverse();
        match place.is_empty() {
            true => err!("the matrix {what}"),
            false => err!("matrix [{}] of the batch {what}", place.join(", ")),
        }
    }

    pub(super) fn singular(&self, i: usize, found: Singular) -> Error {
        self.wrong(i, format!("has no inverse: its pivot {} is zero", found.pivot))
    }

    pub(super) fn not_converged(&self, i: usize, found: NotConverged) -> Error {
        self.wrong(
            i,
            match found.finite {
                false => "has an element that is NaN or infinite, so its values can't be found",
                true => "has values that were not found: the iteration did not converge",
            },
        )
    }
}

/// A result that is filled matrix by matrix.
pub(super) struct Filled<T> {
    pub(super) dims: Dims,
    pub(super) items: Vec<T>,
}

impl<T: Element> Filled<T> {
    pub(super) fn new(dims: Dims) -> Result<Self> {
        let items = vec_for(num_elements(&dims, size_of::<T>())?)?;
        Ok(Self { dims, items })
    }

    /// The empty result in place of vectors that are not computed.
    pub(super) fn nothing() -> Self {
        Self { dims: [0].into_iter().collect(), items: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.dims.contains(&0)
    }

    pub(super) fn array(self) -> Result<Array> {
        Array::from_slice(self.dims, &self.items)
    }
}

/// What stands for the elements of a matrix that is not there.
pub(super) fn nan<T: Field>() -> T {
    T::narrow(<T::Wide as factor::Wide>::of_real(f64::NAN))
}

pub(in crate::ops) fn cholesky(c: &KernelContext<'_>) -> Result<Outputs> {
    // Graphs read from files don't have the attribute.
    let checked = c.get(Cholesky::CHECKED).unwrap_or(false);
    typed!(field, c, c.input(0).dtype(), T => {
        let x = Stack::<T>::new(c.input(0))?;
        let n = x.sizes.0;
        let mut out = Filled::<T>::new(x.dims(&[n, n]))?;
        let count = if out.is_empty() { 0 } else { x.count };
        for i in 0..count {
            let Err(found) = factor::cholesky(x.matrix(i), n, &mut out.items) else { continue };
            if checked {
                let minor = found.minor;
                return Err(x.wrong(i, format!(
                    "is not positive definite: its leading minor of order {minor} is not positive"
                )));
            }
            out.items.extend(std::iter::repeat_n(nan::<T>(), n * n));
        }
        Ok([out.array()?].into())
    })
}

pub(in crate::ops) fn lu(c: &KernelContext<'_>) -> Result<Outputs> {
    typed!(field, c, c.input(0).dtype(), T => {
        let x = Stack::<T>::new(c.input(0))?;
        let n = x.sizes.0;
        let mut out = Filled::<T>::new(x.dims(&[n, n]))?;
        let dims = x.dims(&[n]);
        let mut rows: Vec<usize> = vec_for(num_elements(&dims, 8)?)?;
        for i in 0..if out.is_empty() { 0 } else { x.count } {
            factor::lu(x.matrix(i), n, &mut out.items, &mut rows);
        }
        let rows: Vec<i64> = rows.into_iter().map(|row| row as i64).collect();
        Ok([out.array()?, indices(dims, &rows, c.get(Lu::OUTPUT_IDX_TYPE)?)?].into_iter().collect())
    })
}

pub(in crate::ops) fn solve(c: &KernelContext<'_>) -> Result<Outputs> {
    let adjoint = c.get(MatrixSolve::ADJOINT)?;
    typed!(field, c, c.input(0).dtype(), T => {
        let (a, b) = (Stack::<T>::new(c.input(0))?, Stack::<T>::new(c.input(1))?);
        let (n, k) = b.sizes;
        let mut out = Filled::<T>::new(b.dims(&[n, k]))?;
        for i in 0..if out.is_empty() { 0 } else { b.count } {
            factor::solve(a.matrix(i), n, adjoint, b.matrix(i), k, &mut out.items)
                .map_err(|found| a.singular(i, found))?;
        }
        Ok([out.array()?].into())
    })
}

pub(in crate::ops) fn triangular_solve(c: &KernelContext<'_>) -> Result<Outputs> {
    let form = (c.get(MatrixTriangularSolve::LOWER)?, c.get(MatrixTriangularSolve::ADJOINT)?);
    typed!(field, c, c.input(0).dtype(), T => {
        let (a, b) = (Stack::<T>::new(c.input(0))?, Stack::<T>::new(c.input(1))?);
        let (n, k) = b.sizes;
        let Ok(plan) = k::broadcast::Broadcast::new(a.batch, b.batch) else {
            bail!("the batches {:?} and {:?} do not broadcast", a.batch, b.batch)
        };
        let dims = plan.out_shape().iter().copied().chain([n, k]).collect();
        let mut out = Filled::<T>::new(dims)?;
        if !out.is_empty() {
            for (i, j) in crate::ops::linear::kernel::matrix_pairs(a.batch, b.batch, &plan)? {
                factor::triangular_solve(a.matrix(i), n, form, b.matrix(j), k, &mut out.items);
            }
        }
        Ok([out.array()?].into())
    })
}

pub(in crate::ops) fn inverse(c: &KernelContext<'_>) -> Result<Outputs> {
    let adjoint = c.get(MatrixInverse::ADJOINT)?;
    typed!(field, c, c.input(0).dtype(), T => {
        let x = Stack::<T>::new(c.input(0))?;
        let n = x.sizes.0;
        let mut out = Filled::<T>::new(x.dims(&[n, n]))?;
        for i in 0..if out.is_empty() { 0 } else { x.count } {
            factor::inverse(x.matrix(i), n, adjoint, &mut out.items)
                .map_err(|found| x.singular(i, found))?;
        }
        Ok([out.array()?].into())
    })
}

pub(in crate::ops) fn determinant(c: &KernelContext<'_>) -> Result<Outputs> {
    typed!(field, c, c.input(0).dtype(), T => {
        let x = Stack::<T>::new(c.input(0))?;
        let mut out = Filled::<T>::new(x.dims(&[]))?;
        out.items.extend((0..x.count).map(|i| factor::determinant(x.matrix(i), x.sizes.0)));
        Ok([out.array()?].into())
    })
}

pub(in crate::ops) fn log_determinant(c: &KernelContext<'_>) -> Result<Outputs> {
    typed!(field, c, c.input(0).dtype(), T => {
        let x = Stack::<T>::new(c.input(0))?;
        let (mut signs, mut logs) =
            (Filled::<T>::new(x.dims(&[]))?, Filled::<T>::new(x.dims(&[]))?);
        for i in 0..x.count {
            let (sign, log) = factor::log_determinant(x.matrix(i), x.sizes.0);
            signs.items.push(sign);
            logs.items.push(log);
        }
        Ok([signs.array()?, logs.array()?].into_iter().collect())
    })
}

pub(in crate::ops) fn qr(c: &KernelContext<'_>) -> Result<Outputs> {
    let full = c.get(Qr::FULL_MATRICES)?;
    typed!(field, c, c.input(0).dtype(), T => {
        let x = Stack::<T>::new(c.input(0))?;
        let (m, n) = x.sizes;
        let columns = if full { m } else { m.min(n) };
        let mut q = Filled::<T>::new(x.dims(&[m, columns]))?;
        let mut r = Filled::<T>::new(x.dims(&[columns, n]))?;
        for i in 0..if q.is_empty() { 0 } else { x.count } {
            factor::qr(x.matrix(i), x.sizes, full, &mut q.items, &mut r.items);
        }
        Ok([q.array()?, r.array()?].into_iter().collect())
    })
}

pub(in crate::ops) fn svd(c: &KernelContext<'_>) -> Result<Outputs> {
    let vectors = match (c.get(Svd::COMPUTE_UV)?, c.get(Svd::FULL_MATRICES)?) {
        (false, _) => Vectors::None,
        (true, false) => Vectors::Thin,
        (true, true) => Vectors::Full,
    };
    typed!(field, c, c.input(0).dtype(), T => {
        let x = Stack::<T>::new(c.input(0))?;
        let (m, n) = x.sizes;
        let smaller = m.min(n);
        let mut s = Filled::<T>::new(x.dims(&[smaller]))?;
        let [mut u, mut v] = match vectors {
            Vectors::None => [Filled::nothing(), Filled::nothing()],
            Vectors::Thin => [
                Filled::<T>::new(x.dims(&[m, smaller]))?,
                Filled::<T>::new(x.dims(&[n, smaller]))?,
            ],
            Vectors::Full => {
                [Filled::<T>::new(x.dims(&[m, m]))?, Filled::<T>::new(x.dims(&[n, n]))?]
            }
        };
        let empty = s.is_empty() && u.is_empty() && v.is_empty();
        for i in 0..if empty { 0 } else { x.count } {
            factor::svd(x.matrix(i), x.sizes, vectors, &mut s.items, &mut u.items, &mut v.items)
                .map_err(|found| x.not_converged(i, found))?;
        }
        Ok([s.array()?, u.array()?, v.array()?].into_iter().collect())
    })
}

pub(in crate::ops) fn eigh(c: &KernelContext<'_>) -> Result<Outputs> {
    let vectors = c.get(SelfAdjointEig::COMPUTE_V)?;
    typed!(field, c, c.input(0).dtype(), T => {
        let x = Stack::<T>::new(c.input(0))?;
        let n = x.sizes.0;
        let mut e = Filled::<T>::new(x.dims(&[n]))?;
        let mut v = if vectors { Filled::<T>::new(x.dims(&[n, n]))? } else { Filled::nothing() };
        for i in 0..if e.is_empty() { 0 } else { x.count } {
            factor::eigh(x.matrix(i), n, &mut e.items, vectors.then_some(&mut v.items))
                .map_err(|found| x.not_converged(i, found))?;
        }
        Ok([e.array()?, v.array()?].into_iter().collect())
    })
}

pub(in crate::ops) fn eig(c: &KernelContext<'_>) -> Result<Outputs> {
    let vectors = c.get(Eig::COMPUTE_V)?;
    typed!(field, c, c.input(0).dtype(), T => {
        type C = <T as Field>::Complex;
        let x = Stack::<T>::new(c.input(0))?;
        let n = x.sizes.0;
        let mut e = Filled::<C>::new(x.dims(&[n]))?;
        let mut v = if vectors { Filled::<C>::new(x.dims(&[n, n]))? } else { Filled::nothing() };
        for i in 0..if e.is_empty() { 0 } else { x.count } {
            factor::eig(x.matrix(i), n, &mut e.items, vectors.then_some(&mut v.items))
                .map_err(|found| x.not_converged(i, found))?;
        }
        Ok([e.array()?, v.array()?].into_iter().collect())
    })
}
