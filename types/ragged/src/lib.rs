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
pub use ops::{BroadcastRows, PlacesInRows, RowReduce};
pub use partition::{
    CellsOfEntries, CheckedRows, ColumnsInRows, DenseCells, GatherRows, JoinRows, RowIds,
    RowPartition, SameRows, SliceRows, SplitsOfIds, SplitsOfLengths, StackRows, SwapRows,
    UniformRows,
};
pub use spec::RaggedTensorSpec;
pub use tensor::RaggedTensor;
