//! Matrix products, einsum, biases.

pub(crate) mod attention;
mod batch;
pub(in crate::ops) mod contract;
mod einsum;
pub(in crate::ops) mod equation;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
pub(in crate::ops) mod products;
pub(crate) mod views;

pub use einsum::*;
pub use products::{ProductsMethods, cross, dot, inner, kron, outer, vdot};

use crate::define_op;
use crate::ops::rules::batch::{elementwise, leading};
use crate::types::DTypeSet;

define_op! {
    /// Methods: matrix products, einsum, biases.
    methods of LinearMethods;

    /// Multiplies the elements of one or two tensors, and sums over the labels that the result does not
    /// have: `"ij,jk->ik"`. A label that occurs twice in one term is a diagonal; the axes of an
    /// ellipsis broadcast.
    ///
    /// TensorFlow: `Einsum`.
    pub op Einsum = "Einsum" {
        inputs: { inputs: [T; N] }, outputs: { output: T },
        types: { T: DTypeSet::INEXACT.or(DTypeSet::INDEX) }, attrs: { equation: String },
        infer: infer::einsum, kernel: contract::einsum,
        gradient: gradient::einsum,
        batch: batch::einsum,
    }

    /// Adds a bias to each channel; channels are the last axis.
    ///
    /// TensorFlow: `BiasAdd`. `x` is `[batch, …, channels]`, the bias `[channels]`; the result has
    /// the shape of `x`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[1.0f32, 2.0]].bias_add(&tensor![10.0f32, 20.0])?;
    /// assert_eq!(y.as_slice::<f32>()?, &[11.0, 22.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op BiasAdd = "BiasAdd" {
        inputs: { value: T, bias: T }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC }, attrs: { data_format: String = "NHWC".to_owned() },
        call: method bias_add(x, bias),
        infer: infer::bias_add, kernel: contract::bias_add,
        gradient: gradient::bias_add,
        batch: batch::bias_add,
    }

    /// Sums over all axes but the channels: the gradient of [`BiasAdd`] for the biases.
    ///
    /// TensorFlow: `BiasAddGrad`.
    pub op BiasAddGrad = "BiasAddGrad" {
        inputs: { out_backprop: T }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC }, attrs: { data_format: String = "NHWC".to_owned() },
        infer: infer::bias_add_grad, kernel: contract::bias_add_grad,
        gradient: gradient::bias_add_grad,
        batch: batch::bias_add_grad,
    }

    /// Multiplies two matrices. Tensors may also be stacks of matrices, or vectors: a vector is a row
    /// on the left and a column on the right, and two vectors give their scalar product.
    ///
    /// NumPy: `@`, `matmul`; TensorFlow: `tf.linalg.matmul`, `MatMul`; for stacks it is
    /// [`BatchMatMul`]. Matrices `[…, m, k]` and `[…, k, n]`, whose leading axes broadcast; the result
    /// is `[…, m, n]`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    /// let y = x.matmul(&tensor![[1.0f32], [10.0]])?;
    /// assert_eq!(y.shape(), shape![2, 1]);
    /// assert_eq!(y.as_slice::<f32>()?, &[21.0, 43.0]);
    /// assert_eq!(x.matmul(&tensor![1.0f32, 10.0])?.as_slice::<f32>()?, &[21.0, 43.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op MatMul = "MatMul" {
        inputs: { a: T, b: T }, outputs: { product: T },
        types: { T: DTypeSet::INEXACT.or(DTypeSet::INDEX) },
        attrs: { transpose_a: bool = false, transpose_b: bool = false },
        call: method matmul(x, y),
        tensors: products::mat_mul,
        infer: infer::matmul, kernel: SelfChecked(kernel::matmul),
        gradient: gradient::mat_mul,
        batch: batch::mat_mul,
    }

    /// The sums of products of `x` with `y` moved along it. `y` begins `before` places before the start of `x`, and ends
    /// `after` places behind its end; beyond `x` there are no products. If `turned`, the last element of `y` comes first,
    /// and begins `before` places behind the start of `x`, and the first one ends `after` places before its end: a sum goes
    /// back to what it was made of.
    ///
    /// TensorFlow: `Conv1D` of one channel, without products of zeros. `[…, n]` and `[…, m]` with the same leading axes; the
    /// result is `[…, n + before + after - m + 1]`.
    pub op SlidingSums = "Extype>SlidingSums" {
        inputs: { x: T, y: T }, outputs: { sums: T },
        types: { T: DTypeSet::NUMERIC }, attrs: { before: i64 = 0, after: i64 = 0, turned: bool = false },
        dispatch: none,
        infer: infer::sliding_sums, kernel: kernel::sliding_sums,
        gradient: gradient::sliding_sums,
        batch: leading,
    }

    /// Multiplies two stacks of matrices; leading axes broadcast.
    ///
    /// TensorFlow: `BatchMatMulV2`. Matrices `[…, m, k]` and `[…, k, n]`; the result is `[…, m,
    /// n]`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[[1, 2]], [[3, 4]]].batch_matmul(&tensor![[1], [10]])?;
    /// assert_eq!(y.shape(), shape![2, 1, 1]);
    /// assert_eq!(y.as_slice::<i32>()?, &[21, 43]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op BatchMatMul = "BatchMatMulV2" {
        inputs: { x: T, y: T }, outputs: { output: T },
        types: { T: DTypeSet::INEXACT.or(DTypeSet::INDEX) }, attrs: { adj_x: bool = false, adj_y: bool = false },
        call: method batch_matmul(x, y),
        infer: infer::batch_matmul, kernel: SelfChecked(kernel::batch_matmul),
        gradient: gradient::batch_mat_mul,
        batch: elementwise,
    }
}
