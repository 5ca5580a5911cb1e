//! The ground floor: data types, shapes and errors, the algebra that everything else shares.
//!
//! Nothing here knows what a tensor is. The types are [`DType`], [`Shape`] (known, partly known, or
//! of unknown rank), [`TensorType`] (the two together), [`Device`] and the one [`Error`] of the
//! library.

mod caller;
mod caught;
mod device;
mod dim;
mod dtype;
pub mod dtypes;
mod error;
mod nearest;
pub mod quantized;
mod returned;
mod shape;
mod sizes;
mod stack;

#[doc(hidden)]
pub use caller::path_of;
pub(crate) use caller::{Caller, caller, set_caller};
pub(crate) use caught::{OperatorFailed, caught, caught_alone, fail, named};
pub use device::Device;
pub use dim::Dim;
pub(crate) use dtype::dtype_list;
pub use dtype::{DType, DTypeSet};
pub use error::{Error, ErrorKind, Result};
pub(crate) use error::{bail, err};
pub(crate) use nearest::nearest;
/// Complex elements, as Rust's numbers.
pub use num_complex::{Complex32, Complex64};
pub(crate) use returned::{broken, check_number, check_type};
pub(crate) use shape::normalize_axis;
pub use shape::{Shape, ShapeLike};
pub(crate) use stack::{deep, drop_flat, ensure_stack, on_stack};

/// The static type of a tensor: its dtype and its (maybe partly known) shape.
///
/// ```
/// use extype::prelude::*;
/// use extype::types::TensorType;
/// let ty = tensor![[1.0f32, 2.0]].tensor_type();
/// assert_eq!(ty, TensorType { dtype: f32, shape: shape![1, 2] });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorType {
    /// The element type.
    pub dtype: DType,
    /// The static shape.
    pub shape: Shape,
}

impl TensorType {
    /// A dtype and a shape together.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// let images = TensorType::new(f32, shape![?, 28, 28]);
    /// assert_eq!(images.to_string(), "float32[?, 28, 28]");
    /// assert_eq!(TensorType::new(i64, [2, 3]), ops::zeros([2, 3], i64)?.tensor_type());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(dtype: DType, shape: impl ShapeLike) -> Self {
        Self { dtype, shape: shape.into() }
    }

    /// True if every tensor of this type has the other type too.
    pub(crate) fn is_subtype_of(&self, other: &Self) -> bool {
        self.dtype == other.dtype && self.shape.is_subtype_of(&other.shape)
    }

    /// True if a tensor can have both types.
    pub(crate) fn is_compatible_with(&self, other: &Self) -> bool {
        self.dtype == other.dtype && self.shape.is_compatible_with(&other.shape)
    }
}

impl std::fmt::Display for TensorType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.dtype, self.shape)
    }
}
