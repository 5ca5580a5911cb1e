//! Axes added, dropped, moved and joined.

use crate::compounds;
use crate::ops::args::{Integers, IntegersLike};
use crate::ops::methods::*;
use crate::ops::options::{Among, Sets, chosen};
use crate::ops::protocol::Op;
use crate::ops::{Rank, concat, count_to, stack};
use crate::tensor::Tensor;
use crate::types::{Result, bail, err, normalize_axis};

/// The rank, which must be known.
pub(crate) fn rank_of(x: &Tensor) -> Result<usize> {
    x.rank().ok_or_else(|| err!("the rank is unknown while tracing; give the tensor a shape"))
}

/// The size of an axis, which must be known.
pub(in crate::ops) fn length_of(x: &Tensor, axis: i64) -> Result<usize> {
    x.shape().dim(axis)?.size().ok_or_else(|| {
        err!("the size of axis {axis} is unknown while tracing; give the tensor a shape")
    })
}

/// Axes of a tensor, numbered from 0; an axis that is given twice is refused.
pub(in crate::ops) fn known_axes(axes: &Integers, rank: usize) -> Result<Vec<usize>> {
    let known = axes.known().ok_or_else(|| err!("the axes must be known while tracing"))?;
    let axes: Vec<usize> = known.iter().map(|a| normalize_axis(*a, rank)).collect::<Result<_>>()?;
    if let Some(i) = (1..axes.len()).find(|i| axes[..*i].contains(&axes[*i])) {
        bail!("axis {} is given twice", known[i]);
    }
    Ok(axes)
}

fn moved(x: &Tensor, from: &Integers, to: &Integers) -> Result<Tensor> {
    let rank = rank_of(x)?;
    let (from, to) = (known_axes(from, rank)?, known_axes(to, rank)?);
    if from.len() != to.len() {
        bail!("{} axes can't move to {} places", from.len(), to.len());
    }
    let mut others = (0..rank).filter(|a| !from.contains(a));
    let place = |i: usize| match to.iter().position(|t| *t == i) {
        Some(at) => Some(from[at]),
        None => others.next(),
    };
    let order: Vec<i64> = (0..rank).filter_map(place).map(|a| a as i64).collect();
    x.transpose(order)
}

/// The axes of [`Squeeze`]; an empty list means all.
pub(super) fn squeezed(axes: impl Sets<Among>) -> Result<Vec<i64>> {
    let Some(list) = chosen::<Among>(axes)?.given() else { return Ok(Vec::new()) };
    let known = list.known().ok_or_else(|| err!("the axes must be known while tracing"))?;
    Ok(known.to_vec())
}

compounds! {
    /// Methods: axes in another order, flattened tensors, tensors of a least rank.
    methods of ArrangeMethods;

    /// Moves axes to other places; the others keep their order.
    ///
    /// NumPy: `moveaxis`; PyTorch: `movedim`. Each side is an axis or a list of them.
    ///
    /// # Errors
    /// `InvalidArgument` for axes out of range, given twice, or not as many as places.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = ops::zeros([2, 3, 4], f32)?;
    /// assert_eq!(x.move_axis(0, -1)?.shape(), shape![3, 4, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn move_axis(x; from: impl IntegersLike as Integers, to: impl IntegersLike as Integers) -> Tensor {
        moved(x, &from, &to)
    }

    /// Returns all elements as one row.
    ///
    /// NumPy: `flatten`.
    ///
    /// # Errors
    /// What `reshape` refuses.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].flatten()?.shape(), shape![4]);
    /// # Ok::<(), Error>(())
    /// ```
    fn flatten(x) -> Tensor {
        x.reshape([-1])
    }

    /// Returns all elements as one row: [`flatten()`] by its other name.
    ///
    /// NumPy: `ravel`.
    ///
    /// # Errors
    /// What `reshape` refuses.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].ravel()?.shape(), shape![4]);
    /// # Ok::<(), Error>(())
    /// ```
    fn ravel(x) -> Tensor {
        x.reshape([-1])
    }

    /// Reverses the order of the axes, which transposes a matrix.
    ///
    /// NumPy: `x.T`.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank that is unknown while tracing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2, 3]].t()?.shape(), shape![3, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "T")]
    fn t(x) -> Tensor {
        x.transpose((0..rank_of(x)? as i64).rev().collect::<Vec<i64>>())
    }

    /// Exchanges the last two axes, which transposes each matrix of a stack.
    ///
    /// NumPy: `matrix_transpose`, `x.mT`; TensorFlow: `tf.linalg.matrix_transpose`.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank below 2.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::zeros([5, 2, 3], f32)?.matrix_transpose()?.shape(), shape![5, 3, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn matrix_transpose(x) -> Tensor {
        if x.rank().is_some() {
            return x.swap_axes(-1, -2);
        }
        let rank = Rank {}.run(&[x])?;
        let others = count_to(&(&rank - 2))?;
        x.transpose(&concat(&[&others, &stack(&[&rank - 1, rank - 2], 0)?], 0)?)
    }

    /// Exchanges two axes.
    ///
    /// NumPy: `swapaxes`; PyTorch: `transpose`, `swapdims`.
    ///
    /// # Errors
    /// `InvalidArgument` for axes out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::zeros([2, 3, 4], f32)?.swap_axes(0, -1)?.shape(), shape![4, 3, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn swap_axes(x; a: i64, b: i64) -> Tensor {
        let rank = rank_of(x)?;
        let mut order: Vec<i64> = (0..rank as i64).collect();
        order.swap(normalize_axis(a, rank)?, normalize_axis(b, rank)?);
        x.transpose(order)
    }

    /// Gives a tensor rank 1 at least: a scalar becomes a vector of one element.
    ///
    /// NumPy: `atleast_1d`.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank that is unknown while tracing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(scalar(1.0f32).atleast_1d()?.shape(), shape![1]);
    /// # Ok::<(), Error>(())
    /// ```
    fn atleast_1d(x) -> Tensor {
        if rank_of(x)? == 0 { x.reshape([1]) } else { Ok(x.clone()) }
    }

    /// Gives a tensor rank 2 at least: a vector becomes a row.
    ///
    /// NumPy: `atleast_2d`.
    ///
    /// # Errors
    /// As [`atleast_1d`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, 2.0].atleast_2d()?.shape(), shape![1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn atleast_2d(x) -> Tensor {
        match rank_of(x)? {
            0 => x.reshape([1, 1]),
            1 => x.expand_dims(0),
            _ => Ok(x.clone()),
        }
    }

    /// Gives a tensor rank 3 at least: a vector `[n]` becomes `[1, n, 1]`, a matrix `[m, n]` becomes
    /// `[m, n, 1]`.
    ///
    /// NumPy: `atleast_3d`.
    ///
    /// # Errors
    /// As [`atleast_1d`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, 2.0].atleast_3d()?.shape(), shape![1, 2, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    fn atleast_3d(x) -> Tensor {
        match rank_of(x)? {
            0 => x.reshape([1, 1, 1]),
            1 => x.expand_dims(0)?.expand_dims(2),
            2 => x.expand_dims(2),
            _ => Ok(x.clone()),
        }
    }
}
