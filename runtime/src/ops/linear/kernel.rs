//! Kernels of matrix products.

use extype_kernels as k;
use extype_kernels::Arithmetic;
use extype_kernels::matmul::{BatchOperand, MatMul, MatStrides};

use crate::array::{Array, Dims, Element, collected, num_elements, vec_for};
use crate::ir::{KernelContext, Outputs, typed, worked};
use crate::ops::linear::infer::windows;
use crate::ops::ordering::kernel::cast;
use crate::ops::segment::kernel::{How, combined_in};
use crate::ops::{BatchMatMul, SlidingSums};
use crate::types::{Result, bail};

/// One operand: the size of its matrix, transposed if asked, and its strides in memory.
struct Operand {
    rows: usize,
    columns: usize,
    strides: MatStrides,
}

fn operand(dims: &[usize], transposed: bool) -> Result<Operand> {
    let [.., r, c] = *dims else { bail!("a matrix has rank 2, not {}", dims.len()) };
    Ok(match transposed {
        false => Operand { rows: r, columns: c, strides: MatStrides::row_major(c) },
        true => Operand { rows: c, columns: r, strides: MatStrides::transposed(c) },
    })
}

/// The product of two stacks of matrices.
struct Product {
    left: Operand,
    right: Operand,
    conjugate: (bool, bool),
}

impl Product {
    fn new(a: &Array, b: &Array, transposed: (bool, bool), adjoint: bool) -> Result<Self> {
        let (left, right) = (operand(a.dims(), transposed.0)?, operand(b.dims(), transposed.1)?);
        if left.columns != right.rows {
            bail!("inner dimensions differ: {} × {}", a.shape(), b.shape());
        }
        let conjugate = (adjoint && transposed.0, adjoint && transposed.1);
        Ok(Self { left, right, conjugate })
    }

    fn dims(&self) -> MatMul {
        let mut dims = MatMul::new(self.left.rows, self.right.columns, self.left.columns);
        (dims.conj_a, dims.conj_b) = self.conjugate;
        dims
    }
}

pub(in crate::ops) fn matmul(c: &KernelContext<'_>) -> Result<Outputs> {
    let (a, b) = (c.input(0), c.input(1));
    if a.rank() != 2 || b.rank() != 2 {
        bail!("matrices have rank 2: {} × {}", a.shape(), b.shape());
    }
    let p = Product::new(
        a,
        b,
        (c.get(crate::ops::MatMul::TRANSPOSE_A)?, c.get(crate::ops::MatMul::TRANSPOSE_B)?),
        false,
    )?;
    typed!(numeric, c, a.dtype(), T => {
        let (x, y) = (a.as_slice::<T>()?, b.as_slice::<T>()?);
        let dims = [p.left.rows, p.right.columns];
        let out = c.output(&dims, |out| {
            let par = k::Par::Pool;
            worked(k::matmul::matmul(p.dims(), x, p.left.strides, y, p.right.strides, out, par))
        })?;
        Ok([out].into())
    })
}

pub(in crate::ops) fn batch_matmul(c: &KernelContext<'_>) -> Result<Outputs> {
    let (a, b) = (c.input(0), c.input(1));
    if a.rank() < 2 || b.rank() < 2 {
        bail!("matrices have rank 2 or more: {} × {}", a.shape(), b.shape());
    }
    let p = Product::new(a, b, (c.get(BatchMatMul::ADJ_X)?, c.get(BatchMatMul::ADJ_Y)?), true)?;
    let (front_a, front_b) = (&a.dims()[..a.rank() - 2], &b.dims()[..b.rank() - 2]);
    let Ok(plan) = k::broadcast::Broadcast::new(front_a, front_b) else {
        bail!("batch dimensions don't broadcast: {} × {}", a.shape(), b.shape())
    };
    let dims: Dims =
        plan.out_shape().iter().copied().chain([p.left.rows, p.right.columns]).collect();
    let matrices = match num_elements(&dims, a.dtype().size().unwrap_or(1))? {
        // No product has an element, however many there are.
        0 => Vec::new(),
        _ => matrix_pairs(front_a, front_b, &plan)?,
    };
    // Wraps only where there are no products.
    let size = |x: &Operand| x.rows.wrapping_mul(x.columns);
    let (left, right): (Vec<usize>, Vec<usize>) =
        matrices.iter().map(|(i, j)| (i * size(&p.left), j * size(&p.right))).unzip();
    let left = Stack { offsets: left, strides: p.left.strides };
    let right = Stack { offsets: right, strides: p.right.strides };
    typed!(numeric, c, a.dtype(), T => products::<T>(c, p.dims(), &dims, &left, &right))
}

/// Where the matrices of an operand are.
pub(super) struct Stack {
    /// The first elements of the matrices.
    pub(super) offsets: Vec<usize>,
    pub(super) strides: MatStrides,
}

/// The indices of the two matrices of each product.
pub(in crate::ops) fn matrix_pairs(
    a: &[usize],
    b: &[usize],
    plan: &k::broadcast::Broadcast,
) -> Result<Vec<(usize, usize)>> {
    let ids = |dims: &[usize]| -> Result<Vec<usize>> {
        let count = num_elements(dims, 1)?;
        let mut ids = vec_for(count)?;
        ids.extend(0..count);
        Ok(ids)
    };
    let mut pairs = vec_for(plan.len())?;
    let mut unused = vec![std::mem::MaybeUninit::new(()); plan.len()];
    k::elementwise::zip_broadcast_ref(&ids(a)?, &ids(b)?, plan, &mut unused, |i, j| {
        pairs.push((*i, *j));
    });
    Ok(pairs)
}

impl Stack {
    /// The matrices within these elements.
    pub(super) fn of<'a, T>(&'a self, data: &'a [T]) -> BatchOperand<'a, T> {
        BatchOperand { data, offsets: &self.offsets, strides: self.strides }
    }
}

/// The products of pairs of matrices, as a result of these sizes.
pub(super) fn products<T: Element + k::matmul::Gemm + Arithmetic>(
    c: &KernelContext<'_>,
    product: MatMul,
    dims: &[usize],
    left: &Stack,
    right: &Stack,
) -> Result<Outputs> {
    let (x, y) = (c.input(0).as_slice::<T>()?, c.input(1).as_slice::<T>()?);
    let (left, right) = (left.of(x), right.of(y));
    let out = c.output(dims, |out| {
        worked(k::matmul::batch_matmul(product, left, right, out, k::Par::Pool))
    })?;
    Ok([out].into())
}

pub(in crate::ops) fn sliding_sums(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, y) = (c.input(0), c.input(1));
    let (dtype, [rows @ .., n], [.., m]) = (x.dtype(), x.dims(), y.dims()) else {
        bail!(
            "vectors or stacks of them are wanted, not of shapes {} and {}",
            x.shape(),
            y.shape()
        );
    };
    let wide = combined_in(dtype, How::Sum);
    let (before, count) = windows(*n, *m, c.attrs)?;
    let dims: Dims = rows.iter().copied().chain([count]).collect();
    let (x, y) = (cast(x, wide)?, cast(y, wide)?);
    let turned = c.get(SlidingSums::TURNED)?;
    let sums = typed!(wide, c, wide, T => {
        let (x, y) = (x.as_slice::<T>()?, y.as_slice::<T>()?);
        let mut around = Vec::new();
        if turned {
            around = collected(y.iter().copied())?;
            around.chunks_mut(*m).for_each(<[T]>::reverse);
        }
        let y = if turned { &around } else { y };
        c.output_slice(&dims, |out: &mut [T]| {
            k::conv::slide(x, y, [*n, *m, count], before, out, c.par);
            Ok(())
        })
    })?;
    Ok([cast(&sums, dtype)?].into())
}
