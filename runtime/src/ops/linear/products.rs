//! Products of vectors, matrices and stacks of them, as NumPy has them.

use crate::ops::number::agree;
use crate::ops::operand::{as_result, as_tensor};
use crate::ops::options::functions;
use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::{Result, bail, err};

/// NumPy's `@`: a vector counts as a row on the left, as a column on the right.
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

/// The last axis of both summed over.
fn inner_product(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let (a, b) = (rank_of(x)? as i64, rank_of(y)? as i64);
    if a == 0 || b == 0 {
        return mul(x, y);
    }
    tensordot(x, y, ([a - 1], [b - 1]))
}

fn crossed(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let of = |t: &Tensor| {
        let n = t.shape().dim(-1)?.size();
        n.ok_or_else(|| err!("the last size is unknown while tracing; give it a shape"))
    };
    let last = |t: &Tensor, i: usize| t.index((Ellipsis, i));
    let minor = |i, j| sub(mul(last(x, i)?, last(y, j)?)?, mul(last(x, j)?, last(y, i)?)?);
    match (of(x)?, of(y)?) {
        (3, 3) => stack(&[minor(1, 2)?, minor(2, 0)?, minor(0, 1)?], -1),
        (2, 2) => minor(0, 1),
        (a, b) => bail!("vectors of 3 elements, or of 2, are wanted, not of {a} and {b}"),
    }
}

/// Each axis of `x` with a new one of size 1 behind it, if `behind`, else before.
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

functions! {
    /// The sum of the products of two vectors; of matrices their product; else the last axis of the
    /// first is summed over with the last but one of the second. A scalar multiplies.
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

    /// The sums of products over the last axis of both; of vectors their scalar product.
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

    /// The products of each element of one with each of the other, both as one row: `[n, m]`.
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

    /// The scalar product of all elements as one row, the first conjugated.
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

    /// The Kronecker product: each element of the first times the whole second.
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

    /// The cross product of vectors of three elements along the last axis; of vectors of two its third
    /// element. Other axes broadcast.
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

/// The product of matrices; of tensors also that of stacks of matrices, and of vectors: the scalar
/// product of two, a vector as a row on the left and a column on the right. Leading axes broadcast.
///
/// NumPy: `@`, `matmul`; TensorFlow: `tf.linalg.matmul`. Of two matrices it is the op [`MatMul`], of
/// stacks [`BatchMatMul`].
///
/// # Errors
/// `InvalidArgument` for inner sizes that differ, scalars, and dtypes that differ.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
/// assert_eq!(x.matmul(&tensor![1.0f32, 10.0])?.as_slice::<f32>()?, &[21.0, 43.0]);
/// assert_eq!(ops::matmul(&x, &x)?.shape(), shape![2, 2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn matmul<X: Operand, Y: Operand>(
    x: X,
    y: Y,
) -> Result<<matmul as Takes2<X::Value, Y::Value>>::Output>
where
    X::Value: 'static,
    Y::Value: 'static,
    matmul: Takes2<X::Value, Y::Value, Output: 'static>,
{
    let _site = call_site!();
    let (x, y) = (x.operand()?, y.operand()?);
    if let (Some(x), Some(y)) = (as_tensor(&*x), as_tensor(&*y))
        && [x, y].iter().any(|t| t.rank().is_some_and(|rank| rank != 2))
        && let Some(product) = as_result(product(x, y).map_err(|e| e.with_op("MatMul"))?)
    {
        return Ok(product);
    }
    let op = MatMul { transpose_a: false, transpose_b: false };
    <matmul as Takes2<X::Value, Y::Value>>::call(&op, &*x, &*y)
}

impl Tensor {
    /// See [`ops::matmul`](matmul()).
    ///
    /// # Errors
    /// As the function.
    #[track_caller]
    pub fn matmul<Y: Operand>(
        &self,
        other: Y,
    ) -> Result<<matmul as Takes2<Tensor, Y::Value>>::Output>
    where
        Y::Value: 'static,
        matmul: Takes2<Tensor, Y::Value, Output: 'static>,
    {
        matmul(self, other)
    }
}
