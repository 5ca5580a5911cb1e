//! Ops of imported graphs that are special cases of other ops. Each is a compound: a graph that calls one holds the general
//! op.

use crate::define_op;
use crate::ops::args::Integers;
use crate::ops::checks::{check_as, check_same_shape};
use crate::ops::methods::*;
use crate::ops::rules::gradient::conjugate;
use crate::ops::{self, BatchMatMul, InTopK, MOVABLE, Op as _};
use crate::tensor::Tensor;
use crate::types::{DType, DTypeSet, ErrorKind, Result, Shape, bail};

/// The dtypes whose matrices have diagonals.
const DIAGONAL: DTypeSet = DTypeSet::NUMERIC.or(DTypeSet::BOOL);

define_op! {
    /// Slices of the first axis at indices: [`Gather`](crate::ops::Gather) without an axis.
    ///
    /// TensorFlow: `Gather`.
    pub op GatherV1 = "Gather" {
        inputs: { params: Tparams, indices: Tindices }, outputs: { output: Tparams },
        types: { Tparams: MOVABLE, Tindices: DTypeSet::INDEX },
        attrs: { validate_indices: bool = true },
        body: |params, indices| params.gather(indices, 0),
    }

    /// [`InTopK`] with `k` as an attribute.
    ///
    /// TensorFlow: `InTopK`.
    pub op InTopKV1 = "InTopK" {
        inputs: { predictions: {F32}, targets: T }, outputs: { precision: {Bool} },
        types: { T: DTypeSet::INDEX }, attrs: { k: i64 },
        body: |op, predictions, targets| {
            InTopK {}.run(&[predictions, &targets.cast(DType::I64)?, &Tensor::scalar(op.k)])
        },
    }

    /// Matrices with these main diagonals, and zeros elsewhere.
    ///
    /// TensorFlow: `MatrixDiag`.
    pub op MatrixDiagV1 = "MatrixDiag" {
        inputs: { diagonal: T }, outputs: { output: T },
        types: { T: DIAGONAL },
        body: |x| x.matrix_diag(&zero(x)?, 0, -1, -1, Default::default()),
    }

    /// The main diagonals of matrices.
    ///
    /// TensorFlow: `MatrixDiagPart`.
    pub op MatrixDiagPartV1 = "MatrixDiagPart" {
        inputs: { input: T }, outputs: { diagonal: T },
        types: { T: DIAGONAL },
        body: |x| x.matrix_diag_part(&zero(x)?, 0, Default::default()),
    }

    /// Matrices with their main diagonals replaced.
    ///
    /// TensorFlow: `MatrixSetDiag`.
    pub op MatrixSetDiagV1 = "MatrixSetDiag" {
        inputs: { input: T, diagonal: T }, outputs: { output: T },
        types: { T: DIAGONAL },
        body: |x, diagonal| x.matrix_set_diag(diagonal, 0, Default::default()),
    }

    /// A tensor with values added at coordinates, as `tensor_scatter_nd_add` gives it.
    ///
    /// TensorFlow: `ScatterNdNonAliasingAdd`.
    pub op ScatterNdNonAliasingAdd = "ScatterNdNonAliasingAdd" {
        inputs: { input: T, indices: Tindices, updates: T }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        attrs: { bad_indices_policy: String = String::new() },
        body: |op, x, indices, updates| {
            let bad_indices_policy = op.bad_indices_policy.clone();
            ops::TensorScatterAdd { bad_indices_policy }.run(&[x, indices, updates])
        },
    }

    /// A tensor with rows replaced: row `i[n]`, counted in a circle, by row `n` of `v`. The last of several holds.
    ///
    /// TensorFlow: `InplaceUpdate`, which also changes its operand.
    pub op InplaceUpdate = "InplaceUpdate" {
        inputs: { x: T, i: {I32}, v: T }, outputs: { y: T },
        types: { T: MOVABLE },
        body: |x, i, v| {
            // Each row of the result is one of `x` or of `v`, so the gradient goes to the one that is kept.
            let at = rows(x, i, v)?;
            let count = |x: &Tensor| ops::shape_of(x)?.index(0)?.cast(DType::I64);
            let (own, new) = (count(x)?, count(v)?);
            let all = ops::add(&own, &new)?;
            let kept = ops::range(0i64, &own, 1i64)?;
            let from = kept.tensor_scatter_nd_update(&at, &ops::range(&own, all, 1i64)?)?;
            ops::concat(&[x, v], 0)?.gather(&from, 0)
        },
    }

    /// A tensor with the rows of `v` added to rows, as [`InplaceUpdate`] replaces them.
    ///
    /// TensorFlow: `InplaceAdd`, which also changes its operand.
    pub op InplaceAdd = "InplaceAdd" {
        inputs: { x: T, i: {I32}, v: T }, outputs: { y: T },
        types: { T: DTypeSet::NUMERIC },
        body: |x, i, v| x.tensor_scatter_nd_add(&rows(x, i, v)?, v),
    }

    /// A tensor with the rows of `v` subtracted from rows, as [`InplaceUpdate`] replaces them.
    ///
    /// TensorFlow: `InplaceSub`, which also changes its operand.
    pub op InplaceSub = "InplaceSub" {
        inputs: { x: T, i: {I32}, v: T }, outputs: { y: T },
        types: { T: DTypeSet::NUMERIC },
        body: |x, i, v| x.tensor_scatter_nd_sub(&rows(x, i, v)?, v),
    }

    /// Products of matrices of two dtypes, in a third: those of one dtype, or of eight-bit integers in int32.
    ///
    /// TensorFlow: `BatchMatMulV3`.
    pub op BatchMatMulV3 = "BatchMatMulV3" {
        inputs: { x: Ta, y: Tb }, outputs: { output: Tout },
        types: { Ta: DTypeSet::INEXACT.or(DTypeSet::INTEGER), Tb: DTypeSet::INEXACT.or(DTypeSet::INTEGER) },
        attrs: {
            tout as "Tout": DType = DType::F32, adj_x: bool = false, adj_y: bool = false,
            grad_x: bool = false, grad_y: bool = false,
        },
        body: |op, x, y| {
            let (a, b, to) = (x.dtype(), y.dtype(), op.tout);
            let bytes = |d| matches!(d, DType::I8 | DType::U8);
            if !((a == b && b == to) || (bytes(a) && bytes(b) && to == DType::I32)) {
                bail!("there is no product of {a} and {b} in {to}");
            }
            let (adj_x, adj_y) = (op.adj_x, op.adj_y);
            BatchMatMul { adj_x, adj_y }.run(&[&x.cast(to)?, &y.cast(to)?])
        },
    }

    /// The complex conjugate with its axes in another order.
    ///
    /// TensorFlow: `ConjugateTranspose`.
    pub op ConjugateTranspose = "ConjugateTranspose" {
        inputs: { x: T, perm: Tperm }, outputs: { y: T },
        types: { T: MOVABLE, Tperm: DTypeSet::INDEX },
        body: |x, perm| {
            let turned = x.transpose(Integers::Tensor(perm.clone()))?;
            if x.dtype().is_complex() { conjugate(&turned) } else { Ok(turned) }
        },
    }

    /// Cross products of vectors of three elements along the last axis; both tensors have one shape.
    ///
    /// TensorFlow: `Cross`, which has the error `FailedPrecondition` for vectors of another size.
    pub op Cross = "Cross" {
        inputs: { a: T, b: T }, outputs: { product: T },
        types: { T: DTypeSet::REAL },
        body: |a, b| {
            check_same_shape(a, b, || "the vectors of a cross product have one shape".into())?;
            let size = ops::shape_of(a)?.index(-1)?;
            let three = "a cross product has vectors of 3 elements, not of";
            check_as(ErrorKind::FailedPrecondition, &size.equal(3)?, three, &[&size])?;
            if a.rank().is_some() {
                return ops::cross(a, b);
            }
            let turned = |x: &Tensor, by: i64| x.gather(&Tensor::from_vec(vec![by, (by + 1) % 3, (by + 2) % 3]), -1);
            let product = |i, j| ops::mul(turned(a, i)?, turned(b, j)?);
            ops::sub(product(1, 2)?, product(2, 1)?)
        },
    }
}

fn zero(x: &Tensor) -> Result<Tensor> {
    Tensor::scalar(0).cast(x.dtype())
}

/// The coordinates of rows that are counted in a circle, for values of these rows.
fn rows(x: &Tensor, i: &Tensor, v: &Tensor) -> Result<Tensor> {
    let count = i.shape().with_rank(1).map_err(|e| e.prefixed("`i`"))?;
    let (of_x, of_v) = (x.shape(), v.shape());
    let behind = |s: &Shape| s.slice(Some(1), None);
    let fits = match (of_x.rank(), of_v.rank()) {
        (Some(0), _) | (_, Some(0)) => false,
        (Some(a), Some(b)) => {
            a == b
                && behind(&of_x).is_compatible_with(&behind(&of_v))
                && count.is_compatible_with(&of_v.slice(None, Some(1)))
        }
        _ => true,
    };
    if !fits {
        bail!(
            "rows of shape {of_v} at indices of shape {count} do not fit a tensor of shape {of_x}"
        );
    }
    let all = ops::shape_of(x)?.index(0)?.cast(DType::I32)?;
    ops::floor_mod(i.ensure_shape(Shape::of_rank(1))?, &all)?.expand_dims(-1)
}
