//! Tensors of which only some elements are stored.
//!
//! [`SparseTensor`] tells each value by its coordinates, at any rank: TensorFlow's `tf.sparse.SparseTensor`, with its
//! spec ([`SparseTensorSpec`]), its stacks and its ops. [`CsrMatrix`] is a matrix whose values stand row by row, for
//! products. Both are extension types made with `extype`'s public interface: they pass traced functions, gradients,
//! loops and containers as tensors do.
//!
//! ```
//! use extype::prelude::*;
//! use extype_sparse::SparseTensor;
//!
//! let x = SparseTensor::new([[0i64, 1], [2, 0]], [5.0f32, 7.0], [3i64, 2])?;
//! assert_eq!((&x * 2.0).to_dense()?.as_slice::<f32>()?, &[0.0, 10.0, 0.0, 0.0, 14.0, 0.0]);
//! assert_eq!(ops::matmul(&x, &tensor![[1.0f32], [2.0]])?.as_slice::<f32>()?, &[10.0, 0.0, 7.0]);
//! assert_eq!(ops::reduce_sum(&x, 1, false)?.as_slice::<f32>()?, &[5.0, 0.0, 7.0]);
//! let slope = grad(|x: &SparseTensor| ops::square(x)?.reduce_sum(.., false))(&x)?;
//! assert_eq!(slope.values.as_slice::<f32>()?, &[10.0, 14.0]);
//! # Ok::<(), Error>(())
//! ```
//!
//! | op | with sparse tensors |
//! | --- | --- |
//! | unary elementwise | on the values, if zero stays zero; others are refused: they would fill the tensor |
//! | `add`, `sub`, `maximum`, `minimum` | of two sparse tensors of one shape: sparse |
//! | `add` | with a dense tensor: dense |
//! | `mul` | with a dense tensor or a number, on either side, or a sparse one: sparse |
//! | `div` | by a dense tensor or a number: sparse |
//! | `matmul` | with a dense matrix on either side: dense |
//! | `reduce_sum`, `reduce_max` | dense; [`sum_sparse`](SparseTensor::sum_sparse) is sparse |
//! | `concat`, `slice`, `reshape`, `transpose`, `expand_dims`, `softmax` | sparse |
//! | `stack_values`, `map_fn`, batches | a stack has one column more in its indices |

mod arrange;
mod csr;
mod elementwise;
mod products;
mod spec;
mod stack;
mod tensor;

pub use csr::CsrMatrix;
pub use spec::SparseTensorSpec;
pub use tensor::SparseTensor;
