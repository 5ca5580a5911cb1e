//! The Rust types that are elements, and host scalars that take the dtype of the tensor they meet.

use std::fmt::{Debug, Display};

use extype_kernels::{Quantized, f8e4m3fn, f8e5m2};
use half::{bf16, f16};
use num_complex::{Complex32, Complex64};
use smallvec::SmallVec;

use super::{Array, Dims, vec_for};
use crate::types::{DType, Result, bail, dtype_list};

mod sealed {
    pub trait Sealed {}
}

/// A Rust type that is the element of a dtype. Sealed: the set is TensorFlow's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the element of a tensor",
    label = "elements are bools and numbers of a known width, such as `i64` and `f32`",
    note = "a `usize` is written `n as i64`; texts have `to_strings`, `String::try_from` and `Vec::<String>::try_from`"
)]
pub trait Element:
    sealed::Sealed + bytemuck::NoUninit + PartialEq + Default + Debug + Display + Send + Sync
{
    /// The dtype of arrays of this type.
    const DTYPE: DType;

    /// The element's own bytes.
    ///
    /// ```
    /// use extype::array::Element;
    /// assert_eq!(1.5f32.as_bytes(), &1.5f32.to_ne_bytes());
    /// assert_eq!(true.as_bytes(), &[1]);
    /// ```
    fn as_bytes(&self) -> &[u8] {
        bytemuck::bytes_of(self)
    }
}

macro_rules! elements {
    ([] $($(#[$doc:meta])* $variant:ident = $number:literal $name:literal $kind:ident
        [$($element:ty as $rust:ident)?];)*) => {
        $($(impl sealed::Sealed for $element {}
        impl Element for $element { const DTYPE: DType = DType::$variant; })?)*
    };
}
dtype_list!([elements]);

/// Runs a block with the type alias `$t` bound to the element type, for the dtypes of a set
/// ([`in_set`](extype_kernels::in_set)) that have one; other dtypes go to the `else` block.
macro_rules! with_element {
    ([@arms $set:ident $dtype:tt $t:ident $body:tt $other:tt]
        $($(#[$doc:meta])* $variant:ident = $number:literal $name:literal $kind:ident $element:tt;)*
    ) => {
        match $dtype {
            $($crate::types::DType::$variant => extype_kernels::in_set!($set $variant $kind {
                $crate::array::with_element!(@arm $element $t $body $other)
            } { $other }),)*
        }
    };
    (@arm [$element:ty as $rust:ident] $t:ident $body:tt $other:tt) => {{
        type $t = $element;
        $body
    }};
    (@arm [] $t:ident $body:tt $other:tt) => { $other };
    ($set:ident, $dtype:expr, $t:ident => $body:expr, else $other:expr) => {
        $crate::types::dtype_list!(
            [$crate::array::with_element] @arms $set ($dtype) $t ($body) ($other)
        )
    };
}
pub(crate) use with_element;

/// A plain number that takes the dtype of the tensor it meets, as `2.0` in `&x * 2.0`.
///
/// ```
/// use extype::array::{HostScalar, Scalar};
/// assert_eq!(2.5f32.to_scalar(), Scalar::Float(2.5));
/// assert_eq!(Scalar::Int(-3).to_string(), "-3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A truth value.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A float.
    Float(f64),
}

/// Host numbers that can stand where a tensor is expected.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that can meet a tensor",
    note = "use a float, an integer or a bool"
)]
pub trait HostScalar: Copy {
    /// The number without its width.
    ///
    /// ```
    /// use extype::array::{HostScalar, Scalar};
    /// assert_eq!(3u8.to_scalar(), Scalar::Uint(3));
    /// assert_eq!((-3i32).to_scalar(), Scalar::Int(-3));
    /// assert_eq!(0.5f32.to_scalar(), Scalar::Float(0.5));
    /// ```
    fn to_scalar(self) -> Scalar;
}

macro_rules! host_scalars {
    ($($n:ident => $v:ident as $w:ty),* $(,)?) => {
        $(impl HostScalar for $n {
            fn to_scalar(self) -> Scalar { Scalar::$v(self as $w) }
        })*
    };
}
host_scalars!(bool => Bool as bool, i8 => Int as i64, i16 => Int as i64, i32 => Int as i64,
    i64 => Int as i64, isize => Int as i64, u8 => Uint as u64, u16 => Uint as u64,
    u32 => Uint as u64, u64 => Uint as u64, usize => Uint as u64, f32 => Float as f64,
    f64 => Float as f64);

impl HostScalar for Scalar {
    fn to_scalar(self) -> Scalar {
        self
    }
}

impl Scalar {
    /// This number as a rank-0 array of the dtype.
    ///
    /// # Errors
    /// `InvalidArgument` for a float with an integer dtype, a bool with a number's dtype or the
    /// other way round, and an integer out of the dtype's range.
    ///
    /// ```
    /// use extype::array::Scalar;
    /// use extype::types::DType;
    /// let half = Scalar::Float(0.5);
    /// assert_eq!(half.to_array(DType::F32)?.as_slice::<f32>()?, &[0.5]);
    /// assert!(half.to_array(DType::I32).is_err());
    /// assert!(Scalar::Int(300).to_array(DType::U8).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn to_array(self, dtype: DType) -> Result<Array> {
        let refuse = || match self {
            Scalar::Float(_) if dtype.is_integer() => bail!(
                "the number {self} is none of {dtype}, the dtype of the tensor beside it; cast the tensor, as in \
                 `x.cast(f64)?`, or write a whole number"
            ),
            _ => bail!("the number {self} does not fit a tensor of dtype {dtype}"),
        };
        let int: i128 = match self {
            Scalar::Float(x) => return float_array(x, dtype).map_or_else(refuse, Ok),
            Scalar::Bool(b) if dtype == DType::Bool => return Ok(Array::scalar(b)),
            Scalar::Bool(_) => return refuse(),
            Scalar::Int(i) => i.into(),
            Scalar::Uint(i) => i.into(),
        };
        macro_rules! ints {
            ($($d:ident => $t:ty),*; $($q:ident => $level:ty),*) => {
                match dtype {
                    $(DType::$d => <$t>::try_from(int).ok().map(Array::scalar),)*
                    $(DType::$q => <$level>::try_from(int).ok().map(|n| Array::scalar(Quantized(n))),)*
                    // Beyond 2^53 a float rounds, as it would in any language.
                    _ => float_array(int as f64, dtype),
                }
            };
        }
        ints!(I8 => i8, I16 => i16, I32 => i32, I64 => i64, U8 => u8, U16 => u16, U32 => u32, U64 => u64;
            QI8 => i8, QU8 => u8, QI16 => i16, QU16 => u16, QI32 => i32)
        .map_or_else(refuse, Ok)
    }

    /// This number as a rank-0 array of its own type: bool, int64, uint64 or float64.
    pub(crate) fn to_own_array(self) -> Array {
        match self {
            Scalar::Bool(x) => Array::scalar(x),
            Scalar::Int(x) => Array::scalar(x),
            Scalar::Uint(x) => Array::scalar(x),
            Scalar::Float(x) => Array::scalar(x),
        }
    }
}

fn float_array(x: f64, dtype: DType) -> Option<Array> {
    use DType as D;
    Some(match dtype {
        D::F16 => Array::scalar(f16::from_f64(x)),
        D::BF16 => Array::scalar(bf16::from_f64(x)),
        D::F8E5M2 => Array::scalar(f8e5m2::from_f64(x)),
        D::F8E4M3FN => Array::scalar(f8e4m3fn::from_f64(x)),
        D::F32 => Array::scalar(x as f32),
        D::F64 => Array::scalar(x),
        D::Complex64 => Array::scalar(Complex32::new(x as f32, 0.0)),
        D::Complex128 => Array::scalar(Complex64::new(x, 0.0)),
        D::Bool | D::I8 | D::I16 | D::I32 | D::I64 | D::U8 | D::U16 | D::U32 | D::U64 => {
            return None;
        }
        D::QI8 | D::QU8 | D::QI16 | D::QU16 | D::QI32 => return None,
        D::String | D::Resource | D::Variant => return None,
    })
}

impl Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Scalar::Bool(b) => write!(f, "{b}"),
            Scalar::Int(i) => write!(f, "{i}"),
            Scalar::Uint(i) => write!(f, "{i}"),
            Scalar::Float(x) => write!(f, "{x:?}"),
        }
    }
}

impl Array {
    /// The number in a rank-0 array of a dtype that host numbers have; `None` for every other array.
    pub(crate) fn to_scalar(&self) -> Option<Scalar> {
        if self.rank() > 0 {
            return None;
        }
        with_element!(native_real, self.dtype(), T => Some(self.as_slice::<T>().ok()?[0].to_scalar()), else None)
    }

    /// The numbers of the array in another dtype.
    ///
    /// # Errors
    /// `InvalidArgument` for a number that does not fit, as [`Scalar::to_array`], and for elements that are no numbers.
    pub(crate) fn fitted(&self, dtype: DType) -> Result<Array> {
        if let Some(scalar) = self.to_scalar() {
            return scalar.to_array(dtype);
        }
        let scalars: Vec<Scalar> = with_element!(native_real, self.dtype(), T => {
            self.as_slice::<T>()?.iter().map(|n| n.to_scalar()).collect()
        }, else bail!("elements of {} are no numbers of {dtype}", self.dtype()));
        let mut bytes = Vec::with_capacity(scalars.len() * dtype.size().unwrap_or(0));
        for scalar in scalars {
            bytes.extend_from_slice(scalar.to_array(dtype)?.as_bytes().unwrap_or_default());
        }
        Array::from_bytes(dtype, self.dims(), &bytes)
    }

    /// A rank-1 array of `i64`.
    pub(crate) fn from_i64s(values: &[i64]) -> Array {
        Self::from_slice(Dims::from_slice(&[values.len()]), values)
            .expect("one dimension of the slice's own length")
    }

    /// The elements of an integer array as `i64`.
    ///
    /// # Errors
    /// `InvalidArgument` if the dtype is not `I32` or `I64`.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::from_slice([2], &[3i32, -1])?;
    /// assert_eq!(x.to_i64s()?[..], [3, -1]);
    /// assert!(Array::scalar(3u8).to_i64s().is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn to_i64s(&self) -> Result<SmallVec<[i64; 4]>> {
        match self.dtype() {
            DType::I32 => collect(self.as_slice::<i32>()?.iter().map(|i| i64::from(*i))),
            DType::I64 => collect(self.as_slice::<i64>()?.iter().copied()),
            d => bail!("indices are int32 or int64, not {d}"),
        }
    }
}

/// Collects indices. A few are stored inline; many need memory, which may be short.
fn collect(indices: impl ExactSizeIterator<Item = i64>) -> Result<SmallVec<[i64; 4]>> {
    if indices.len() <= 4 {
        return Ok(indices.collect());
    }
    let mut items = vec_for(indices.len())?;
    items.extend(indices);
    Ok(SmallVec::from_vec(items))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_take_the_dtype_or_are_refused() {
        let a = 2.5.to_scalar().to_array(DType::F16).unwrap();
        assert_eq!(a.as_slice::<f16>().unwrap(), &[f16::from_f32(2.5)]);
        assert!(2.5.to_scalar().to_array(DType::I32).is_err());
        assert!(300.to_scalar().to_array(DType::U8).is_err());
        assert!((-1).to_scalar().to_array(DType::U64).is_err());
        assert!(true.to_scalar().to_array(DType::F32).is_err());
        assert!(3.to_scalar().to_array(DType::Complex128).is_ok());
        assert!(u64::MAX.to_scalar().to_array(DType::U64).is_ok());
    }
}
