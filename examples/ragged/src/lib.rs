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

mod dense;
mod display;
mod elementwise;
mod ops;
mod partition;
mod reduce;
mod select;
mod stack;
mod tensor;

pub use ops::{
    CellsOfEntries, DenseCells, GatherRows, JoinRows, RowIds, RowReduce, SameRows, SliceRows,
    SplitsOfIds, SplitsOfLengths, StackRows, SwapRows, UniformRows,
};
pub use tensor::{Nested, RaggedTensor, RaggedTensorSpec};
