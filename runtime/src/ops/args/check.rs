//! Checks that a tensor can be used as plain data: one function for each kind of data.
//!
//! Inference checks types, kernels check arrays and typed calls check tensors, so that all refuse
//! the same with the same message.
//!
//! ```
//! use extype::ops::rules::check;
//! use extype::prelude::*;
//! assert!(check::vector_of_integers(&tensor![2, 3], "shape").is_ok());
//! let e = check::vector_of_integers(&scalar(2), "shape").unwrap_err();
//! assert!(e.to_string().contains("`shape`: wanted a vector of integers"), "{e}");
//! # Ok::<(), Error>(())
//! ```

use std::fmt;

use crate::array::Array;
use crate::tensor::Tensor;
use crate::types::{DType, DTypeSet, Result, TensorType, bail};

/// A value with a dtype and a shape, which may be unknown.
///
/// ```
/// use extype::ops::rules::check::{DataKind, Typed};
/// use extype::prelude::*;
/// let (x, ty) = (tensor![[1, 2], [3, 4]], tensor![[1, 2], [3, 4]].tensor_type());
/// assert!(DataKind::Pairs.check(&x).is_ok() && DataKind::Pairs.check(&ty).is_ok());
/// assert_eq!(x.to_type(), ty);
/// ```
pub trait Typed {
    /// The element type.
    ///
    /// ```
    /// use extype::ops::rules::check::Typed;
    /// use extype::prelude::*;
    /// assert_eq!(Typed::dtype(&tensor![1.0f32].tensor_type()), f32);
    /// ```
    fn dtype(&self) -> DType;

    /// The number of dimensions, if known.
    ///
    /// ```
    /// use extype::ops::rules::check::Typed;
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// assert_eq!(Typed::rank(&TensorType::new(f32, shape![2, ?])), Some(2));
    /// assert_eq!(Typed::rank(&TensorType::new(f32, Shape::unknown())), None);
    /// ```
    fn rank(&self) -> Option<usize>;

    /// The size of a dimension, if it exists and is known.
    ///
    /// ```
    /// use extype::ops::rules::check::Typed;
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// let ty = TensorType::new(f32, shape![2, ?]);
    /// assert_eq!((ty.size(0), ty.size(1), ty.size(2)), (Some(2), None, None));
    /// ```
    fn size(&self, axis: usize) -> Option<usize>;

    /// Dtype and shape together.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ops::rules::check::Typed;
    /// use extype::prelude::*;
    /// assert_eq!(Array::scalar(1.5f32).to_type().to_string(), "float32[]");
    /// ```
    fn to_type(&self) -> TensorType;
}

impl Typed for TensorType {
    fn dtype(&self) -> DType {
        self.dtype
    }

    fn rank(&self) -> Option<usize> {
        self.shape.rank()
    }

    fn size(&self, axis: usize) -> Option<usize> {
        self.shape.dims()?.get(axis)?.size()
    }

    fn to_type(&self) -> TensorType {
        self.clone()
    }
}

impl Typed for Array {
    fn dtype(&self) -> DType {
        self.dtype()
    }

    fn rank(&self) -> Option<usize> {
        Some(self.rank())
    }

    fn size(&self, axis: usize) -> Option<usize> {
        self.dims().get(axis).copied()
    }

    fn to_type(&self) -> TensorType {
        self.tensor_type()
    }
}

impl Typed for Tensor {
    fn dtype(&self) -> DType {
        self.dtype()
    }

    fn rank(&self) -> Option<usize> {
        self.rank()
    }

    fn size(&self, axis: usize) -> Option<usize> {
        match self {
            Tensor::Value(array) => array.size(axis),
            Tensor::Symbol(s) => s.shape().dims()?.get(axis)?.size(),
        }
    }

    fn to_type(&self) -> TensorType {
        self.tensor_type()
    }
}

/// A kind of plain data that a tensor may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DataKind {
    /// One integer: a scalar.
    Integer,
    /// One integer or a vector of them, such as axes.
    Integers,
    /// A vector of integers, such as a shape.
    Vector,
    /// Pairs of integers: shape `[n, 2]`.
    Pairs,
}

impl fmt::Display for DataKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DataKind::Integer => "one integer",
            DataKind::Integers => "one integer or a vector of integers",
            DataKind::Vector => "a vector of integers",
            DataKind::Pairs => "pairs of integers, shape [n, 2]",
        })
    }
}

impl DataKind {
    /// The dtypes of such tensors.
    fn dtypes(self) -> DTypeSet {
        match self {
            // TopKV2 also takes int16; other ops refuse it by their definition.
            DataKind::Integer => DTypeSet::of(&[DType::I16, DType::I32, DType::I64]),
            DataKind::Integers | DataKind::Vector | DataKind::Pairs => DTypeSet::INDEX,
        }
    }

    /// Refuses a value that can't be data of this kind. Unknown ranks and sizes are accepted.
    ///
    /// # Errors
    /// `InvalidArgument` for another dtype or shape.
    ///
    /// ```
    /// use extype::ops::rules::check::DataKind;
    /// use extype::prelude::*;
    /// assert!(DataKind::Integers.check(&tensor![0, -1]).is_ok());
    /// let e = DataKind::Integers.check(&tensor![0.5f32]).unwrap_err();
    /// assert!(e.message().starts_with("wanted one integer or a vector of integers"), "{e}");
    /// ```
    pub fn check(self, x: &impl Typed) -> Result<()> {
        let fits = match (self, x.rank()) {
            (_, None) => true,
            (DataKind::Integer, Some(rank)) => rank == 0,
            (DataKind::Integers, Some(rank)) => rank <= 1,
            (DataKind::Vector, Some(rank)) => rank == 1,
            (DataKind::Pairs, Some(rank)) => rank == 2 && matches!(x.size(1), None | Some(2)),
        };
        if !fits || !self.dtypes().contains(x.dtype()) {
            bail!("wanted {self} ({}), not {}", self.dtypes(), x.to_type());
        }
        Ok(())
    }

    fn check_named(self, x: &impl Typed, name: &str) -> Result<()> {
        self.check(x).map_err(|e| e.prefixed(format_args!("`{name}`")))
    }
}

/// Refuses anything but one integer.
///
/// # Errors
/// `InvalidArgument` naming the argument, for another rank than 0 or another dtype than int16,
/// int32 or int64.
///
/// ```
/// use extype::ops::rules::check;
/// use extype::prelude::*;
/// assert!(check::scalar_integer(&scalar(3i64), "count").is_ok());
/// let e = check::scalar_integer(&tensor![3i64], "count").unwrap_err();
/// assert!(e.message().starts_with("`count`: wanted one integer"), "{e}");
/// ```
pub fn scalar_integer(x: &impl Typed, name: &str) -> Result<()> {
    DataKind::Integer.check_named(x, name)
}

/// Refuses anything but one integer or a vector of integers.
///
/// # Errors
/// `InvalidArgument` naming the argument, for a rank above 1 or another dtype than int32 or int64.
///
/// ```
/// use extype::ops::rules::check;
/// use extype::prelude::*;
/// assert!(check::integers(&scalar(0), "axes").is_ok() && check::integers(&tensor![0, 1], "axes").is_ok());
/// assert!(check::integers(&tensor![[0, 1]], "axes").is_err());
/// ```
pub fn integers(x: &impl Typed, name: &str) -> Result<()> {
    DataKind::Integers.check_named(x, name)
}

/// Refuses anything but a vector of integers.
///
/// # Errors
/// `InvalidArgument` naming the argument, for another rank than 1 or another dtype than int32 or
/// int64.
///
/// ```
/// use extype::ops::rules::check;
/// use extype::prelude::*;
/// assert!(check::vector_of_integers(&tensor![2i64, 3], "shape").is_ok());
/// assert!(check::vector_of_integers(&tensor![2.0f32, 3.0], "shape").is_err());
/// ```
pub fn vector_of_integers(x: &impl Typed, name: &str) -> Result<()> {
    DataKind::Vector.check_named(x, name)
}

/// Refuses anything but pairs of integers.
///
/// # Errors
/// `InvalidArgument` naming the argument, for another shape than `[n, 2]` or another dtype than
/// int32 or int64.
///
/// ```
/// use extype::ops::rules::check;
/// use extype::prelude::*;
/// assert!(check::pairs(&tensor![[1, 0], [0, 2], [1, 1]], "paddings").is_ok());
/// assert!(check::pairs(&tensor![[1, 0, 0]], "paddings").is_err());
/// ```
pub fn pairs(x: &impl Typed, name: &str) -> Result<()> {
    DataKind::Pairs.check_named(x, name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Dim, Shape};

    type Check = fn(&TensorType, &str) -> Result<()>;

    /// The ranks 0 to 3 that pass, with sizes of 2.
    fn ranks(check: Check, dtype: DType) -> Vec<usize> {
        let of = |n: usize| TensorType::new(dtype, (0..n).map(|_| Dim::from(2)).collect::<Shape>());
        (0..4).filter(|n| check(&of(*n), "x").is_ok()).collect()
    }

    #[test]
    fn each_kind_has_its_ranks_and_dtypes() {
        let kinds: [(Check, &[usize]); 4] = [
            (scalar_integer, &[0]),
            (integers, &[0, 1]),
            (vector_of_integers, &[1]),
            (pairs, &[2]),
        ];
        for (check, allowed) in kinds {
            for dtype in DType::ALL {
                let short = dtype == DType::I16 && allowed == [0];
                let ok = short || DTypeSet::INDEX.contains(dtype);
                assert_eq!(ranks(check, dtype), if ok { allowed } else { &[] }, "{dtype}");
                let unknown = TensorType::new(dtype, Shape::unknown());
                assert_eq!(check(&unknown, "x").is_ok(), ok, "{dtype}");
            }
        }
    }

    #[test]
    fn pairs_have_two_columns_or_unknown_ones() {
        let of = |dims: [Dim; 2]| TensorType::new(DType::I32, dims.into_iter().collect::<Shape>());
        assert!(pairs(&of([Dim::UNKNOWN, Dim::UNKNOWN]), "p").is_ok());
        assert!(pairs(&of([Dim::from(0), Dim::from(2)]), "p").is_ok());
        assert!(pairs(&of([Dim::from(2), Dim::from(3)]), "p").is_err());
    }

    #[test]
    fn types_arrays_and_tensors_are_refused_alike() {
        let array = Array::from_slice([2, 3], &[0i64; 6]).unwrap();
        let said = |x: &dyn Fn() -> Result<()>| x().unwrap_err().to_string();
        let (t, ty) = (Tensor::Value(array.clone()), array.tensor_type());
        let by_array = said(&|| pairs(&array, "paddings"));
        assert!(
            by_array.contains("`paddings`: wanted pairs of integers, shape [n, 2]"),
            "{by_array}"
        );
        assert!(by_array.contains("int64") && by_array.contains("[2, 3]"), "{by_array}");
        assert_eq!(said(&|| pairs(&t, "paddings")), by_array);
        assert_eq!(said(&|| pairs(&ty, "paddings")), by_array);
    }
}
