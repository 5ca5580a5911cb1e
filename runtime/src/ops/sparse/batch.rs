//! Batches of products with a sparse matrix.

use crate::ops::SparseTensorDenseMatMul;
use crate::ops::rules::batch::{Batch, Batched};
use crate::ops::rules::folded::{Fold, folded};
use crate::types::Result;

/// The columns of all calls are those of one matrix.
pub(in crate::ops) fn dense_mat_mul(b: &Batch<'_>) -> Result<Batched> {
    let columns = if b.get(SparseTensorDenseMatMul::ADJOINT_B)? { 0 } else { 1 };
    folded(b, &[Fold::Shared, Fold::Shared, Fold::Shared, Fold::Axis(columns)], 1)
}
