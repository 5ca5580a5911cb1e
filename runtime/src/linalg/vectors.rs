//! Norms of vectors and matrices, chains of products, diagonals.

use super::options::Order;
use crate::compounds;
use crate::ops::options::{Offset, Over, Sets, sets};
use crate::ops::{self, Axes, KeepDims, Lent, NormOrder, Normed, as_inexact, methods::*, rank_of};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{Result, bail};

/// Options of [`matrix_norm`]: the order, [`KeepDims`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OfMatrices {
    /// The order; the Euclidean norm if not given.
    pub order: NormOrder,
    /// True to keep the two axes with size 1.
    pub keep_dims: bool,
}

sets! {
    Order => Normed |o, Order(order)| o.order = Some(order.into());
    Order => OfMatrices |o, Order(order)| o.order = order.into();
    f64 => OfMatrices |o, order| o.order = order.into();
    NormOrder => OfMatrices |o, order| o.order = order;
    KeepDims => OfMatrices |o, _| o.keep_dims = true;
    OfMatrices => OfMatrices |o, all| *o = all;
}

/// `x` with the given axes flattened to one last axis.
fn as_rows(x: &Tensor, axes: &[usize]) -> Result<Tensor> {
    let others = (0..rank_of(x)?).filter(|axis| !axes.contains(axis));
    let order: Vec<i64> = others.chain(axes.iter().copied()).map(|axis| axis as i64).collect();
    let x = x.transpose(order)?;
    let kept = rank_of(&x)? - axes.len();
    let outer = ops::shape_of(&x)?.slice([0], [kept as i64])?;
    x.reshape(&ops::concat(&[outer, Tensor::from_vec(vec![-1i64])], 0)?)
}

compounds! {
    /// [`ops::norm`](crate::ops::norm()), also for integers and bools, which become float64. Options: the
    /// order (a float, [`Order`](super::Order) or [`NormOrder`]), axes, `KeepDims`.
    ///
    /// NumPy: `np.linalg.norm`. TensorFlow: `tf.norm`.
    ///
    /// # Errors
    /// As [`ops::norm`](crate::ops::norm()).
    ///
    /// ```
    /// use extype::linalg::{self, Order};
    /// use extype::prelude::*;
    /// assert_eq!(linalg::norm([3, -4], ..)?.item::<f64>()?, 5.0);
    /// assert_eq!(linalg::norm([3, -4], Order(1.0))?.item::<f64>()?, 7.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn norm(x => options: impl Sets<Normed> as Normed) -> Tensor {
        ops::norm(as_inexact(x)?, (options.order.unwrap_or_default(), options.over))
    }

    /// The norms of vectors along axes, which count as one flattened axis, or of all elements (`..`).
    /// Options: the order (a float, [`Order`](super::Order) or [`NormOrder`]), axes, `KeepDims`.
    ///
    /// NumPy: `np.linalg.vector_norm`. Dtypes as for [`norm`].
    ///
    /// # Errors
    /// As [`norm`], and `InvalidArgument` for the nuclear norm.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let x = tensor![[1.0, -2.0], [3.0, 4.0]];
    /// assert_eq!(linalg::vector_norm(&x, (1.0, [0, 1]))?.item::<f64>()?, 10.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn vector_norm(x => options: impl Sets<Normed> as Normed) -> Tensor {
        let (order, Over { axes, keep_dims }) = (options.order.unwrap_or_default(), options.over);
        if axes == Axes::All && !keep_dims {
            return norm(x.reshape([-1])?, order);
        }
        let axes = axes.of(x)?;
        let norms = norm(as_rows(x, &axes)?, (order, -1))?;
        if !keep_dims {
            return Ok(norms);
        }
        (0..rank_of(x)?).filter(|axis| axes.contains(axis)).try_fold(norms, |y, axis| y.expand_dims(axis))
    }

    /// The norms of matrices in the last two axes. Options: the order (a float,
    /// [`Order`](super::Order) or [`NormOrder`]; the Euclidean one for `..`), `KeepDims`.
    ///
    /// NumPy: `np.linalg.matrix_norm`. `[…, m, n]` gives `[…]`; dtypes as for [`norm`].
    ///
    /// # Errors
    /// As [`norm`], and for a rank below 2.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let x = tensor![[1.0, -2.0], [3.0, 4.0]];
    /// assert_eq!(linalg::matrix_norm(&x, 1.0)?.item::<f64>()?, 6.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn matrix_norm(x => options: impl Sets<OfMatrices> as OfMatrices) -> Tensor {
        let over = Over { axes: Axes::from([-2i64, -1]), keep_dims: options.keep_dims };
        norm(x, (options.order, over))
    }

    /// The diagonals of matrices. Option: the offset of the diagonal, positive above the main one. A diagonal
    /// beyond the matrix is empty.
    ///
    /// NumPy: `np.linalg.diagonal`. `[…, m, n]` of numbers or bools gives `[…, length]`.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank below 2.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// assert_eq!(linalg::diagonal([[1, 2], [3, 4]], 1)?.as_slice::<i32>()?, &[2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn diagonal(x => options: impl Sets<Offset> as Offset) -> Tensor {
        if x.rank() == Some(1) {
            bail!("a matrix, or a stack of them, is wanted, not {}", x.tensor_type());
        }
        x.diag(options)
    }
}

/// The product of matrices. If the sizes are known, the order is that with the fewest multiplications,
/// otherwise from left to right. The first may be a vector (a row), and so may the last (a column).
///
/// NumPy: `np.linalg.multi_dot`. Dtypes as for [`matmul`](crate::ops::matmul()).
///
/// # Errors
/// `InvalidArgument` for no matrix, and sizes that differ.
///
/// ```
/// use extype::linalg;
/// use extype::prelude::*;
/// let (a, b, c) = (tensor![[1.0, 2.0]], tensor![[3.0], [4.0]], tensor![[5.0, 6.0]]);
/// assert_eq!(linalg::multi_dot(&[a, b, c])?.as_slice::<f64>()?, &[55.0, 66.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn multi_dot<X: TensorLike>(matrices: &[X]) -> Result<Tensor> {
    let _site = call_site!();
    let lent: Vec<Lent<'_, Tensor>> =
        matrices.iter().map(TensorLike::lend).collect::<Result<_>>()?;
    let all: Vec<&Tensor> = lent.iter().map(|x| &**x).collect();
    if let [_, middle @ .., _] = &all[..]
        && let Some(x) = middle.iter().find(|x| x.rank() == Some(1))
    {
        bail!(
            "only the first and the last may be vectors, not one of shape {} between them",
            x.shape()
        );
    }
    chained(&all)
}

/// The number of rows of the first, then of columns of each; `None` if one of them is unknown.
fn sizes(all: &[&Tensor]) -> Option<Vec<u128>> {
    let size = |x: &Tensor, axis: i64| x.shape().dim(axis).ok()?.size().map(|n| n as u128);
    let first = if all[0].rank()? == 1 { Some(1) } else { size(all[0], -2) };
    let columns = all.iter().enumerate().map(|(i, x)| match x.rank()? {
        1 if i > 0 => Some(1),
        _ => size(x, -1),
    });
    std::iter::once(first).chain(columns).collect()
}

fn chained(all: &[&Tensor]) -> Result<Tensor> {
    let Some((first, rest)) = all.split_first() else { bail!("there are no matrices") };
    let Some(sizes) = sizes(all) else {
        return rest.iter().try_fold((*first).clone(), |y, x| y.matmul(x));
    };
    // For each part of the chain, the cost of its product and the matrix after which it is split.
    let n = all.len();
    let mut best = vec![vec![(0u128, 0usize); n]; n];
    for length in 1..n {
        for from in 0..n - length {
            let to = from + length;
            let cost = |cut: usize| {
                let last = sizes[from].saturating_mul(sizes[cut + 1]).saturating_mul(sizes[to + 1]);
                best[from][cut].0.saturating_add(best[cut + 1][to].0).saturating_add(last)
            };
            best[from][to] = (from..to).map(|cut| (cost(cut), cut)).min().unwrap_or_default();
        }
    }
    product(all, &best, 0, n - 1)
}

fn product(all: &[&Tensor], best: &[Vec<(u128, usize)>], from: usize, to: usize) -> Result<Tensor> {
    if from == to {
        return Ok(all[from].clone());
    }
    let cut = best[from][to].1;
    product(all, best, from, cut)?.matmul(product(all, best, cut + 1, to)?)
}
