//! Tensors with rows of different lengths.
//!
//! [`RaggedTensor`] is an extension type written with `extype`'s public macros, and the two ops
//! that it needs beyond those of `extype` are defined here as well: [`RowIds`] and [`SameRows`].
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

mod display;
mod ops;
mod partition;
mod tensor;

pub use ops::{RowIds, SameRows};
pub use tensor::{RaggedTensor, RaggedTensorSpec};
