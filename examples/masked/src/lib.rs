//! Tensors with missing entries.
//!
//! [`MaskedTensor`] marks each entry as valid or missing, as `numpy.ma` does; [`Masked`] marks
//! the rows of any value, of an extension type of another crate too. Both are written with
//! `extype`'s public macros only.
//!
//! ```
//! use extype::prelude::*;
//! use extype_masked::MaskedTensor;
//!
//! let m = MaskedTensor::from_options(&[Some(1.0), None, Some(5.0)])?;
//! let doubled = &m * 2.0;
//! assert_eq!(doubled.to_string(), "[ 2.  -- 10.]");
//! let mean = ops::reduce_mean(&m, .., false)?;
//! assert_eq!(mean.values.item::<f64>()?, 3.0);
//! # Ok::<(), Error>(())
//! ```

mod generic;
mod tensor;

pub use generic::{Masked, MaskedSpec};
pub use tensor::{MaskedTensor, MaskedTensorSpec};
