//! The quantized dtypes under TensorFlow's names, as [`dtypes`](super::dtypes) has the others. Few programs use them, so
//! the prelude leaves them out.
//!
//! ```
//! use extype::prelude::*;
//! use extype::types::quantized::qint8;
//! assert_eq!(qint8, DType::QI8);
//! ```

#![expect(non_upper_case_globals, reason = "named as the others are")]

use super::DType;
use super::dtype::dtype_list;
use super::dtypes::named;

dtype_list!([named] quantized);
