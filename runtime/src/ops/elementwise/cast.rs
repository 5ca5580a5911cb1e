//! Elements converted to another dtype.

use super::{gradient, infer, kernel};
use crate::define_op;
use crate::ops::Unary;
use crate::types::{DType, DTypeSet, Error, err};

impl CastFn {
    /// The cast to a dtype.
    pub(in crate::ops) fn to(dst: DType) -> Cast {
        Unary(CastFn { dst, truncate: false })
    }
}

/// The error for a cast to strings, which says what to write instead.
pub(in crate::ops) fn no_text_of(dtype: DType) -> Error {
    err!(
        "no cast makes a string of {dtype}; make texts of the elements in Rust, as in \
         `x.to_vec::<{}>()?.iter().map(|x| x.to_string())`, and a tensor of these by `Tensor::new`",
        dtype.rust_name().unwrap_or("f32")
    )
}

define_op! {
    /// Methods: elements converted to another dtype.
    methods of CastMethods;

    /// Converts every element to another dtype. Integers wrap, floats are truncated to integers, every
    /// nonzero number becomes true, and complex numbers lose their imaginary part. `truncate` cuts
    /// floats to shorter floats instead of rounding them. Quantized levels count as their integers.
    ///
    /// TensorFlow: `Cast`; PyTorch: `x.to`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::cast(&tensor![1.9f32, -1.9], i32)?.as_slice::<i32>()?, &[1, -1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Cast = "Cast" {
        inputs: { x: SrcT }, outputs: { y: DstT },
        types: { SrcT: DTypeSet::NUMERIC.or(DTypeSet::BOOL).or(DTypeSet::FLOAT8).or(DTypeSet::QUANTIZED) },
        attrs: { dst as "DstT": DType = DType::F32, truncate as "Truncate": bool = false },
        call: method cast(x; dtype: DType) => { dst: dtype },
        infer: infer::cast, kernel: Choose(kernel::cast),
        gradient: gradient::cast,
    }
}
