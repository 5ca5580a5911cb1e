//! Tensors with rows of different lengths.
//!
//! [`RaggedTensor`] is an extension type written with `extype`'s public macros, and the ops
//! that it needs beyond those of `extype`, which tell what a partition of rows implies, are defined
//! here as well, from [`RowIds`] on.
//!
//! ```
//! use extype::prelude::*;
//! use extype_ragged::RaggedTensor;
//!
//! let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
//! assert_eq!((&r * 10).to_string(), "[[10, 20], [], [30]]");
//! assert_eq!(r.row_sum()?.as_slice::<i32>()?, &[3, 0, 3]);
//! # Ok::<(), Error>(())
//! ```
//!
//! # What ops mean
//!
//! | op | for ragged tensors |
//! | --- | --- |
//! | every unary elementwise op, `cast`, ops of strings such as `upper` and `string_length`, `one_hot`, `check_numerics`, `bitcast`, `bucketize` | the op of the values |
//! | every binary elementwise op, comparisons, `select`, `add_n`, `string_join` | the op of operands, ragged or dense, that are broadcast: axes line up from the last, one of size one meets rows of every length, other rows that meet are as long |
//! | every reduction, `var`, `std`, `reduce_variance`, `reduce_std`, `reduce_logsumexp`, [`reduce_join`](RaggedTensor::reduce_join) | over ragged and uniform axes; of an empty row what TensorFlow has: 0, 1, the lowest number for a maximum, NaN for a mean. Means of integers are float64 |
//! | [`cumsum`](RaggedTensor::cumsum), [`cumprod`](RaggedTensor::cumprod) | along any axis |
//! | `softmax`, `log_softmax`, `softmax_along`, `sort`, `argsort`, `top_k` | within the rows |
//! | `gather`, `gather_nd`, [`gather_along`](RaggedTensor::gather_along) | rows and entries by ragged or dense indices, of ragged or dense values |
//! | `concat`, `stack`, `tile`, `split`, `reverse`, `flip`, `expand_dims`, `size` | along every axis (`split` not along ragged ones) |
//! | `where_indices`, [`boolean_mask`](RaggedTensor::boolean_mask) | where entries are, and the rows of those that are kept |
//! | `matmul`, `batch_matmul` | of stacks of matrices whose numbers of rows and columns may be ragged, and with one dense matrix |
//! | `segment_sum`, …, `unsorted_segment_sum`, …, [`stack_dynamic_partitions`](RaggedTensor::stack_dynamic_partitions) | rows grouped by numbers |
//! | other functions that are made of elementwise ops | what these ops make |
//!
//! What has no op is a method: [`get`](RaggedTensor::get), [`map_flat_values`](RaggedTensor::map_flat_values),
//! [`range`](RaggedTensor::range), [`cross`](RaggedTensor::cross), [`string_split`](RaggedTensor::string_split),
//! [`ngrams`](RaggedTensor::ngrams), [`broadcast_like`](RaggedTensor::broadcast_like). Other ops don't compile; fill the
//! rows with [`to_tensor`](RaggedTensor::to_tensor) for them, or take the values.

mod construct;
mod dense;
mod display;
mod index;
mod merge;
mod nested;
mod ops;
mod partition;
mod sparse;
mod spec;
mod stack;
mod tensor;

pub use construct::Entries;
pub use dense::Trim;
pub use nested::Nested;
pub use ops::{BroadcastRows, PlacesInRows, RowReduce, RowRepeat, RowScan};
pub use partition::{
    CheckedRows, ColumnsInRows, CutRows, JoinRows, RowIds, RowPartition, SameRows, SliceRows,
    SplitsOfIds, SplitsOfLengths, StackRows, SwapRows, UniformRows,
};
pub use spec::RaggedTensorSpec;
pub use tensor::RaggedTensor;
