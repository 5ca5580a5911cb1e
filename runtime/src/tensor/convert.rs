//! Conversion of other types to tensors.

use super::mark::host_number;
use super::{Tensor, Variable, call_site_of};
use crate::array::{Array, NestedData, Quantized, Scalar};
use crate::types::{Result, caught, dtype_list};

/// A type that converts to a tensor: numbers, strings, nested arrays, slices and vectors,
/// `ndarray` arrays, variables; implement it for your own (TensorFlow's `__tf_tensor__`).
///
/// Every op takes such a value, or a reference to it, as an operand, next to tensors and extension
/// types. Data keeps its dtype. Only numbers and array literals of numbers (`[1.0, 2.0]`) take the dtype of
/// the tensor operands beside them. (A derived extension type is an operand itself and does not implement this; it is
/// converted by `#[overrides(to_tensor)]`.)
///
/// ```
/// use extype::prelude::*;
/// struct Image { width: usize, pixels: Vec<u8> }
/// impl TensorLike for Image {
///     fn to_tensor(&self) -> Result<Tensor> {
///         Tensor::from_slice(&self.pixels, &[self.pixels.len() / self.width, self.width])
///     }
/// }
/// let image = Image { width: 2, pixels: vec![7; 6] };
/// assert_eq!(image.to_tensor()?.shape(), shape![3, 2]);
/// assert_eq!(ops::mul(&image, 2)?.as_slice::<u8>()?, &[14; 6]);
/// let brighter = tensor![1u8, 2] + image;
/// assert_eq!(brighter.reduce_max(0, false)?.as_slice::<u8>()?, &[8, 9]);
/// assert!(ops::abs(vec![vec![1.0], vec![]]).is_err());
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not convert to a tensor",
    label = "not a tensor, a number, a text, or nested lists of these",
    note = "of a type of your own give a component that is a tensor, as in `x.values`; or implement `TensorLike` for it; of a `Result` take the value by `?`; `ops::stack(&[x, y], 0)?` makes one tensor of several"
)]
pub trait TensorLike {
    /// The value as a tensor.
    ///
    /// # Errors
    /// `InvalidArgument` if the data does not have the form of a tensor, such as a ragged list of lists.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = vec![vec![1.0f32, 2.0], vec![3.0, 4.0]].to_tensor()?;
    /// assert_eq!(x.shape(), shape![2, 2]);
    /// assert!(vec![vec![1.0f32], vec![]].to_tensor().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    fn to_tensor(&self) -> Result<Tensor>;

    /// The value as an operand of an op: a borrowed tensor if possible, otherwise the result of
    /// [`to_tensor`](Self::to_tensor).
    ///
    /// # Errors
    /// As [`to_tensor`](Self::to_tensor).
    ///
    /// ```
    /// use extype::ops::Lent;
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 2.0];
    /// assert!(matches!(x.lend()?, Lent::Borrowed(lent) if lent.id() == x.id()));
    /// assert!(matches!(vec![1.0f32, 2.0].lend()?, Lent::Owned(_)));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn lend(&self) -> Result<Lent<'_, Tensor>> {
        converted(self).map(Lent::Owned)
    }

    /// True for what is a tensor already, whose dtype is never changed.
    #[doc(hidden)]
    fn is_tensor(&self) -> bool {
        false
    }
}

/// A value that is borrowed if possible, otherwise owned.
///
/// ```
/// use extype::ops::Lent;
/// use extype::prelude::*;
/// let x = tensor![1.0f32, 2.0];
/// let (lent, made) = (Lent::Borrowed(&x), Lent::Owned(tensor![3.0f32]));
/// assert_eq!((lent.len(), made.len()), (2, 1));
/// ```
#[derive(Debug)]
pub enum Lent<'a, T> {
    /// A borrowed value.
    Borrowed(&'a T),
    /// A new value.
    Owned(T),
}

impl<T> std::ops::Deref for Lent<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match self {
            Lent::Borrowed(value) => value,
            Lent::Owned(value) => value,
        }
    }
}

impl TensorLike for Tensor {
    fn to_tensor(&self) -> Result<Tensor> {
        Ok(self.clone())
    }

    #[inline]
    fn lend(&self) -> Result<Lent<'_, Tensor>> {
        Ok(Lent::Borrowed(self))
    }

    fn is_tensor(&self) -> bool {
        true
    }
}

#[diagnostic::do_not_recommend]
impl<T: TensorLike + ?Sized> TensorLike for &T {
    fn to_tensor(&self) -> Result<Tensor> {
        (**self).to_tensor()
    }

    #[inline]
    fn lend(&self) -> Result<Lent<'_, Tensor>> {
        (**self).lend()
    }

    fn is_tensor(&self) -> bool {
        (**self).is_tensor()
    }
}

impl<T: TensorLike + ?Sized> TensorLike for &mut T {
    fn to_tensor(&self) -> Result<Tensor> {
        (**self).to_tensor()
    }

    #[inline]
    fn lend(&self) -> Result<Lent<'_, Tensor>> {
        (**self).lend()
    }

    fn is_tensor(&self) -> bool {
        (**self).is_tensor()
    }
}

impl TensorLike for Variable {
    /// The current value of the variable.
    #[track_caller]
    fn to_tensor(&self) -> Result<Tensor> {
        self.read()
    }

    fn is_tensor(&self) -> bool {
        true
    }
}

/// Single numbers: as operands they take the dtype of the tensors beside them.
macro_rules! numbers {
    ($($t:ty as $w:ty),* $(,)?) => {
        $(impl TensorLike for $t {
            fn to_tensor(&self) -> Result<Tensor> {
                Ok(Tensor::scalar(*self as $w))
            }

            fn lend(&self) -> Result<Lent<'_, Tensor>> {
                Ok(Lent::Owned(host_number(Array::scalar(*self as $w))))
            }
        })*
    };
}
numbers!(
    bool as bool,
    i8 as i8,
    i16 as i16,
    i32 as i32,
    i64 as i64,
    u8 as u8,
    u16 as u16,
    u32 as u32,
    u64 as u64,
    f32 as f32,
    f64 as f64
);

/// Counts and indices are int64.
macro_rules! sizes {
    ($($t:ty),*) => {
        $(impl TensorLike for $t {
            fn to_tensor(&self) -> Result<Tensor> {
                self.to_nested_array().map(Tensor::Value)
            }

            fn lend(&self) -> Result<Lent<'_, Tensor>> {
                self.to_nested_array().map(|array| Lent::Owned(host_number(array)))
            }
        })*
    };
}
sizes!(usize, isize);

impl TensorLike for Scalar {
    fn to_tensor(&self) -> Result<Tensor> {
        Ok(Tensor::Value(self.to_own_array()))
    }

    fn lend(&self) -> Result<Lent<'_, Tensor>> {
        Ok(Lent::Owned(host_number(self.to_own_array())))
    }
}

impl TensorLike for Array {
    fn to_tensor(&self) -> Result<Tensor> {
        Ok(Tensor::Value(self.clone()))
    }
}

macro_rules! nested {
    ($([$($g:tt)*] $t:ty),* $(,)?) => {
        $(#[diagnostic::do_not_recommend]
        impl<$($g)*> TensorLike for $t {
            fn to_tensor(&self) -> Result<Tensor> {
                self.to_nested_array().map(Tensor::Value)
            }
        })*
    };
}
/// Array literals: as operands they take a dtype like the numbers in them.
#[diagnostic::do_not_recommend]
impl<T: NestedData, const N: usize> TensorLike for [T; N] {
    fn to_tensor(&self) -> Result<Tensor> {
        self.to_nested_array().map(Tensor::Value)
    }

    fn lend(&self) -> Result<Lent<'_, Tensor>> {
        self.to_nested_array().map(|array| Lent::Owned(host_number(array)))
    }
}

/// Paths are strings: their bytes, which need not be UTF-8.
macro_rules! paths {
    ($($t:ty),*) => {
        $(impl TensorLike for $t {
            fn to_tensor(&self) -> Result<Tensor> {
                Ok(Tensor::scalar(self.as_os_str().as_encoded_bytes().to_vec()))
            }
        })*
    };
}
paths!(std::path::Path, std::path::PathBuf);

nested!([] half::f16, [] half::bf16, [] num_complex::Complex32, [] num_complex::Complex64,
    [] extype_kernels::f8e5m2, [] extype_kernels::f8e4m3fn,
    [] Quantized<i8>, [] Quantized<u8>, [] Quantized<i16>, [] Quantized<u16>, [] Quantized<i32>,
    [] str, [] String, [T: NestedData] Vec<T>, [T: NestedData] [T]);

/// Checks that every element type converts: a type missing in both lists above is a compile error here.
macro_rules! each_converts {
    ([] $($(#[$doc:meta])* $variant:ident = $number:literal $name:literal $kind:ident
        [$($element:ty as $rust:ident)?];)*) => {
        const _: () = {
            const fn converts<T: TensorLike>() {}
            $($(converts::<$element>();)?)*
        };
    };
}
dtype_list!([each_converts]);

#[cfg(feature = "ndarray")]
impl<T, S, D> TensorLike for ndarray::ArrayBase<S, D>
where
    T: crate::array::Element,
    S: ndarray::Data<Elem = T>,
    D: ndarray::Dimension,
{
    fn to_tensor(&self) -> Result<Tensor> {
        Array::from_ndarray(self).map(Tensor::Value)
    }
}

impl Tensor {
    /// Converts any data to a tensor.
    ///
    /// # Errors
    /// As [`TensorLike::to_tensor`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = Tensor::new(vec![vec![1, 2, 3], vec![4, 5, 6]])?;
    /// assert_eq!((x.dtype(), x.shape()), (i32, shape![2, 3]));
    /// assert!(Tensor::new(vec![vec![1, 2], vec![3]]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn new(data: impl TensorLike) -> Result<Tensor> {
        let _site = call_site_of(Some("Tensor::new"));
        converted(&data)
    }
}

/// The value as a tensor; a conversion that panics becomes an error that names the type.
fn converted<T: TensorLike + ?Sized>(value: &T) -> Result<Tensor> {
    let what = || format!("the conversion of `{}` to a tensor", std::any::type_name::<T>());
    caught(what, || value.to_tensor())
}

/// A tensor literal: a list, written as in `vec!`, or a list of rows.
///
/// | written | tensor |
/// | --- | --- |
/// | `tensor![1, 2]`, `tensor![1.5f32]` | a vector, of one element the second |
/// | `tensor![0.0; 3]` | a vector of three zeros |
/// | `tensor![[1, 2], [3, 4]]`, `tensor![[1, 2]]` | a matrix, of one row the second |
/// | `scalar(1.5f32)`, `scalar("a")` | a scalar: [`scalar`](crate::scalar) |
/// | `Tensor::from(data)` | what `data` converts to: a vector from a `Vec<f32>` |
///
/// The brackets are those of `vec!`, so `tensor!(x)` is a vector too, of one element. The dtype is the type of the Rust
/// literals.
///
/// # Panics
/// If lists of one level have different lengths in a way the compiler can't see (vectors).
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor![[1.0f32, 2.0], [3.0, 4.0]].shape(), shape![2, 2]);
/// assert_eq!(tensor![1.5f32].shape(), shape![1]);
/// assert_eq!(tensor!["a", "b"].dtype(), DType::String);
/// let x = 7i64;
/// assert_eq!((tensor!(x).shape(), scalar(x).shape()), (shape![1], shape![]));
/// assert_eq!(Tensor::from(vec![1.5f32, 2.5]).shape(), shape![2]);
/// # Ok::<(), Error>(())
/// ```
#[macro_export]
macro_rules! tensor {
    ($([$($row:tt)*]),+ $(,)?) => { $crate::__private::tensor_literal(&[$([$($row)*]),+]) };
    ($item:expr; $n:expr) => { $crate::__private::tensor_literal(&[$item; $n]) };
    ($($item:expr),* $(,)?) => { $crate::__private::tensor_literal(&[$($item),*]) };
}

/// Checks the dtype of a tensor: `ensure_dtype!(self.mask, bool)?`.
///
/// ```
/// use extype::ensure_dtype;
/// use extype::prelude::*;
/// assert!(ensure_dtype!(tensor![true], bool).is_ok());
/// let mask = tensor![1.0f32];
/// let e = ensure_dtype!(mask, bool).unwrap_err();
/// assert_eq!(e.message(), "`mask` must be bool, not float32");
/// # Ok::<(), Error>(())
/// ```
#[macro_export]
macro_rules! ensure_dtype {
    ($tensor:expr, $dtype:ident) => {
        $crate::__private::ensure_dtype(
            &$tensor,
            $crate::types::dtypes::$dtype,
            stringify!($tensor),
        )
    };
}
