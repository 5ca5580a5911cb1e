//! Products of vectors, matrices and stacks of them, as in NumPy.

use crate::compounds;
use crate::ops::args::Ellipsis;
use crate::ops::methods::*;
use crate::ops::protocol::Op;
use crate::ops::protocol::number::agree;
use crate::ops::{
    MatMul, batch_matmul, einsum, matvec, mul, rank_of, shape_of, stack, sub, tensordot,
};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

/// [`MatMul`] for tensors: NumPy's `@`. A vector counts as a row on the left, as a column on the right.
pub(super) fn mat_mul(op: &MatMul, operands: &[&Tensor]) -> Result<Tensor> {
    match operands {
        [x, y] if operands.iter().any(|t| t.rank().is_some_and(|rank| rank != 2)) => {
            if op.transpose_a || op.transpose_b {
                bail!("matrices are transposed, not {} and {}", x.shape(), y.shape());
            }
            product(x, y).map_err(|e| e.with_op("matmul"))
        }
        _ => op.run_as(operands),
    }
}

fn product(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let (a, b) = (rank_of(x)?, rank_of(y)?);
    if a > 0 && b > 0 {
        let (left, right) = (x.shape().dim(-1)?, y.shape().dim(if b == 1 { 0 } else { -2 })?);
        if !left.is_compatible_with(right) {
            bail!("inner dimensions differ: {} × {} ({left} ≠ {right})", x.shape(), y.shape());
        }
    }
    match (a, b) {
        (0, _) | (_, 0) => {
            bail!("a scalar is no matrix: {} @ {}; multiply with `*`", x.shape(), y.shape())
        }
        (1, 1) => einsum("i,i->", &[x, y]),
        (1, _) => einsum("j,...jk->...k", &[x, y]),
        (_, 1) => matvec(x, y),
        (2, 2) => MatMul { transpose_a: false, transpose_b: false }.run(&[x, y]),
        _ => batch_matmul(x, y),
    }
}

/// The sums of products over the last axes of both.
fn inner_product(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let (a, b) = (rank_of(x)? as i64, rank_of(y)? as i64);
    if a == 0 || b == 0 {
        return mul(x, y);
    }
    tensordot(x, y, ([a - 1], [b - 1]))
}

/// `x`, checked to have 3 elements along the last axis.
fn of_three(x: &Tensor) -> Result<Tensor> {
    let (front, _) = (x.shape().slice(None, Some(-1)), rank_of(x)?);
    x.ensure_shape(front.concatenate(&crate::shape![3]))
}

fn crossed(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let of = |t: &Tensor| t.rank().map_or(Ok(None), |_| Ok(t.shape().dim(-1)?.size()));
    let last = |t: &Tensor, i: usize| t.index((Ellipsis, i));
    let minor = |i, j| sub(mul(last(x, i)?, last(y, j)?)?, mul(last(x, j)?, last(y, i)?)?);
    match (of(x)?, of(y)?) {
        (Some(3), Some(3)) => stack(&[minor(1, 2)?, minor(2, 0)?, minor(0, 1)?], -1),
        (Some(2), Some(2)) => minor(0, 1),
        (Some(a), Some(b)) => {
            bail!("vectors of 3 elements, or of 2, are wanted, not of {a} and {b}")
        }
        // An unknown size is assumed to be 3, which is checked at run time.
        (None, _) => crossed(&of_three(x)?, y),
        (_, None) => crossed(x, &of_three(y)?),
    }
}

/// `x` with leading axes up to `rank`, and a new axis of size 1 behind each axis, or before each.
fn spread(x: &Tensor, rank: usize, behind: bool) -> Result<Tensor> {
    let own = rank_of(x)?;
    let mut x = x.clone();
    for _ in own..rank {
        x = x.expand_dims(0)?;
    }
    for axis in (0..rank as i64).rev() {
        x = x.expand_dims(if behind { axis + 1 } else { axis })?;
    }
    Ok(x)
}

compounds! {
    /// Methods: scalar, outer, Kronecker and cross products.
    methods of ProductsMethods;

    /// Computes the dot product: the scalar product of two vectors, or the product of two matrices. For
    /// other ranks it sums over the last axis of the first and the last but one of the second. A scalar
    /// multiplies.
    ///
    /// NumPy: `dot`. Numbers of one dtype.
    ///
    /// # Errors
    /// `InvalidArgument` for sizes or dtypes that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, 2.0].dot(&tensor![3.0f32, 4.0])?.item::<f32>()?, 11.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn dot(x, y) -> Tensor {
        let (x, y) = agree(x, y)?;
        match (rank_of(&x)? as i64, rank_of(&y)? as i64) {
            (0, _) | (_, 0) => mul(x, y),
            (_, 1) | (2, 2) => product(&x, &y),
            (a, b) => tensordot(&x, &y, ([a - 1], [b - 2])),
        }
    }

    /// Sums the products over the last axes of both operands; for vectors their scalar product.
    ///
    /// NumPy: `inner`. Numbers of one dtype.
    ///
    /// # Errors
    /// `InvalidArgument` for sizes or dtypes that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, 2.0].inner(&tensor![3.0f32, 4.0])?.item::<f32>()?, 11.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn inner(x, y) -> Tensor {
        let (x, y) = agree(x, y)?;
        inner_product(&x, &y)
    }

    /// Multiplies all pairs of elements of the two flattened tensors: `[n, m]`.
    ///
    /// NumPy: `outer`. Numbers of one dtype.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2].outer([3, 4])?.as_slice::<i32>()?, &[3, 4, 6, 8]);
    /// # Ok::<(), Error>(())
    /// ```
    fn outer(x, y) -> Tensor {
        let (x, y) = agree(x, y)?;
        mul(x.reshape([-1, 1])?, y.reshape([1, -1])?)
    }

    /// Computes the scalar product of the two flattened tensors, the first conjugated.
    ///
    /// NumPy: `vdot`. Numbers of one dtype.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes or numbers of elements that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2]].vdot([[3], [4]])?.item::<i32>()?, 11);
    /// # Ok::<(), Error>(())
    /// ```
    fn vdot(x, y) -> Tensor {
        let (x, y) = agree(x, y)?;
        let x = if x.dtype().is_complex() { x.conj()? } else { x };
        einsum("i,i->", &[x.reshape([-1])?, y.reshape([-1])?])
    }

    /// Computes the Kronecker product: each element of the first times the whole second.
    ///
    /// NumPy: `kron`. Numbers of one dtype.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that differ, and ranks that are unknown while tracing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 10].kron([1, 2])?.as_slice::<i32>()?, &[1, 2, 10, 20]);
    /// # Ok::<(), Error>(())
    /// ```
    fn kron(x, y) -> Tensor {
        let (x, y) = agree(x, y)?;
        let rank = rank_of(&x)?.max(rank_of(&y)?);
        let parts = mul(spread(&x, rank, true)?, spread(&y, rank, false)?)?;
        let sizes = shape_of(&parts)?.reshape([rank as i64, 2])?;
        parts.reshape(&sizes.reduce_prod(1, false)?)
    }

    /// Computes the cross product of vectors of three elements along the last axis; for vectors of two
    /// elements its third element. Other axes broadcast.
    ///
    /// NumPy: `cross`. Numbers of one dtype.
    ///
    /// # Errors
    /// `InvalidArgument` for vectors of other sizes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 0, 0].cross([0, 1, 0])?.as_slice::<i32>()?, &[0, 0, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    fn cross(x, y) -> Tensor {
        let (x, y) = agree(x, y)?;
        crossed(&x, &y)
    }
}
