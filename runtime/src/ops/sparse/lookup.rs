//! Rows of a table that sparse ids pick, combined for each row of ids.

use super::CooTensor;
use crate::ops;
use crate::ops::methods::*;
use crate::ops::{
    Op as _, SparseFillEmptyRows, SparseSegmentMean, SparseSegmentSqrtN, SparseSegmentSum,
};
use crate::tensor::{Tensor, call_site};
use crate::types::{Result, bail};

/// How the rows of one example are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combiner {
    /// The sum, each row times its weight.
    Sum,
    /// The weighted sum divided by the sum of the weights.
    #[default]
    Mean,
    /// The weighted sum divided by the square root of the sum of the squared weights.
    SqrtN,
}

/// The rows of a table that the ids of each example pick, combined: one row for each example, up to the last that has
/// ids. An example without ids has zeros.
///
/// TensorFlow: `tf.nn.embedding_lookup_sparse`. `params` is `[rows, …]`, the ids a sparse matrix of integers whose rows
/// are examples, the weights a sparse matrix with the same indices. Gradients reach the table and the weights.
///
/// # Errors
/// `InvalidArgument` for ids that are not rows of the table, and for indices that do not ascend.
///
/// ```
/// use extype::prelude::*;
/// let table = tensor![[1.0f32], [10.0], [100.0]];
/// let ids = ops::CooTensor {
///     indices: tensor![[0i64, 0], [0, 1], [1, 0]],
///     values: tensor![0i64, 2, 1],
///     dense_shape: tensor![2i64, 2],
/// };
/// let rows = ops::embedding_lookup_sparse(&table, &ids, None, ops::Combiner::Sum)?;
/// assert_eq!(rows.as_slice::<f32>()?, &[101.0, 10.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn embedding_lookup_sparse(
    params: &Tensor,
    ids: &CooTensor,
    weights: Option<&CooTensor>,
    combiner: Combiner,
) -> Result<Tensor> {
    let _site = call_site!();
    let examples = ids.indices.gather(&Tensor::scalar(0i64), 1)?;
    let Some(weights) = weights else {
        let inputs = [params, &ids.values, &examples];
        return match combiner {
            Combiner::Sum => SparseSegmentSum { sparse_gradient: false }.run(&inputs),
            Combiner::Mean => SparseSegmentMean { sparse_gradient: false }.run(&inputs),
            Combiner::SqrtN => SparseSegmentSqrtN { sparse_gradient: false }.run(&inputs),
        };
    };
    let Some(rank) = params.rank() else {
        bail!(Unimplemented, "the rank of the table is unknown");
    };
    let weights = weights.values.cast(params.dtype())?;
    // One weight for all elements of a row.
    let mut sizes = vec![1i64; rank.max(1)];
    sizes[0] = -1;
    let column = weights.reshape(sizes.clone())?;
    let sum = ops::segment_sum(ops::mul(params.gather(&ids.values, 0)?, column)?, &examples)?;
    let divisor = match combiner {
        Combiner::Sum => return Ok(sum),
        Combiner::Mean => ops::segment_sum(&weights, &examples)?,
        Combiner::SqrtN => ops::segment_sum(weights.square()?, &examples)?.sqrt()?,
    };
    ops::div_no_nan(&sum, divisor.reshape(sizes)?)
}

/// [`embedding_lookup_sparse`] without negative ids and, unless it sums, without those whose weight is not positive. It
/// has a row for every example: zeros, or the row `default_id` of the table, for one without ids.
///
/// TensorFlow: `tf.nn.safe_embedding_lookup_sparse`, for ids that are a matrix.
///
/// # Errors
/// As [`embedding_lookup_sparse`].
///
/// ```
/// use extype::prelude::*;
/// let table = tensor![[1.0f32], [10.0], [100.0]];
/// let ids = ops::CooTensor {
///     indices: tensor![[0i64, 0], [0, 1]],
///     values: tensor![-1i64, 2],
///     dense_shape: tensor![2i64, 2],
/// };
/// let rows = ops::safe_embedding_lookup_sparse(&table, &ids, None, ops::Combiner::Sum, Some(1))?;
/// assert_eq!(rows.as_slice::<f32>()?, &[100.0, 10.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn safe_embedding_lookup_sparse(
    params: &Tensor,
    ids: &CooTensor,
    weights: Option<&CooTensor>,
    combiner: Combiner,
    default_id: Option<i64>,
) -> Result<Tensor> {
    let _site = call_site!();
    let mut valid = ids.values.greater_equal(0)?;
    if let Some(weights) = weights
        && combiner != Combiner::Sum
    {
        valid = ops::logical_and(&valid, &weights.values.greater(0)?)?;
    }
    let fill = |x: CooTensor, default: Tensor| -> Result<(CooTensor, Tensor)> {
        let default = default.cast(x.values.dtype())?;
        let inputs = [&x.indices, &x.values, &x.dense_shape, &default];
        let filled: Vec<Tensor> = SparseFillEmptyRows {}.run_as(&inputs)?;
        let (indices, values) = (filled[0].clone(), filled[1].clone());
        Ok((CooTensor { indices, values, dense_shape: x.dense_shape }, filled[2].clone()))
    };
    let (ids, empty) = fill(ids.retain(&valid)?, Tensor::scalar(default_id.unwrap_or(0)))?;
    let weights = match weights {
        Some(weights) => Some(fill(weights.retain(&valid)?, Tensor::scalar(1i64))?.0),
        None => None,
    };
    let rows = embedding_lookup_sparse(params, &ids, weights.as_ref(), combiner)?;
    if default_id.is_some() {
        return Ok(rows);
    }
    let mut sizes = vec![1i64; rows.rank().unwrap_or(1).max(1)];
    sizes[0] = -1;
    let there = ops::logical_not(&empty)?.reshape(sizes)?.cast(rows.dtype())?;
    ops::mul_no_nan(&rows, &there.broadcast_to(&ops::shape_of(&rows)?)?)
}
