//! Integers, lists and pairs of them.

use smallvec::SmallVec;

use super::check::DataKind;
use super::{MaybeStatic, StaticInput, StaticValue, whole_numbers};
use crate::array::Array;
use crate::ops::methods::*;
use crate::tensor::Tensor;
use crate::types::{DType, Dim, Result, Shape, err};

/// A list of integers: a shape, a permutation, begins and sizes. As a graph's input it is int64.
///
/// Made from arrays, slices and vectors of integers, `()` for none, or an int32 or int64 tensor.
pub type Integers = MaybeStatic<SmallVec<[i64; 4]>>;

/// One integer: how many elements, how many classes. As a graph's input it is int32.
///
/// Made from an integer or a scalar integer tensor.
pub type Integer = MaybeStatic<i64>;

/// Pairs of integers, such as the paddings before and after each axis. As a graph's input it is
/// int64.
///
/// Made from arrays, slices and vectors of pairs, or an int32 or int64 tensor of shape `[n, 2]`.
pub type Pairs = MaybeStatic<Vec<[i64; 2]>>;

impl StaticValue for SmallVec<[i64; 4]> {
    const KIND: DataKind = DataKind::Integers;

    fn to_array(&self) -> Result<Array> {
        Ok(Array::from_i64s(self))
    }

    fn from_array(array: &Array) -> Result<Self> {
        array.to_i64s()
    }
}

impl StaticValue for i64 {
    const KIND: DataKind = DataKind::Integer;

    fn to_array(&self) -> Result<Array> {
        int32(*self).map(Array::scalar)
    }

    fn from_array(array: &Array) -> Result<Self> {
        let number = match array.dtype() {
            DType::I16 => array.as_slice::<i16>()?.first().copied().map(i64::from),
            _ => array.to_i64s()?.first().copied(),
        };
        number.ok_or_else(|| err!("one integer is wanted, not none"))
    }
}

impl StaticValue for Vec<[i64; 2]> {
    const KIND: DataKind = DataKind::Pairs;

    fn to_array(&self) -> Result<Array> {
        Array::from_slice([self.len(), 2], self.as_flattened())
    }

    fn from_array(array: &Array) -> Result<Self> {
        Ok(array.to_i64s()?.as_chunks().0.to_vec())
    }
}

/// A number as int32, where the graph wants that.
pub(super) fn int32(n: i64) -> Result<i32> {
    i32::try_from(n).map_err(|_| err!("{n} does not fit int32"))
}

/// Numbers as int32, where the graph wants that.
pub(super) fn int32s(numbers: &[i64]) -> Result<Array> {
    let small: SmallVec<[i32; 4]> = numbers.iter().map(|n| int32(*n)).collect::<Result<_>>()?;
    Array::from_slice([small.len()], &small)
}

/// Any integer as int64, with the maximum in place of integers that do not fit. No size, count or
/// axis is that large, so it is refused where it is used.
pub(in crate::ops) fn saturated(n: impl TryInto<i64>) -> i64 {
    n.try_into().unwrap_or(i64::MAX)
}

impl MaybeStatic<i64> {
    /// The integer as an int64 scalar.
    pub(crate) fn to_i64(&self) -> Result<Tensor> {
        match self.either()? {
            Ok(n) => Ok(Tensor::scalar(*n)),
            Err(n) => n.cast(DType::I64),
        }
    }
}

impl Integers {
    /// The sizes of a shape, if all are known.
    ///
    /// ```
    /// use extype::ops::Integers;
    /// use extype::prelude::*;
    /// assert_eq!(Integers::of_shape(&shape![2, 3]), Some(Integers::from([2i64, 3])));
    /// assert_eq!(Integers::of_shape(&shape![2, ?]), None);
    /// ```
    pub fn of_shape(shape: &Shape) -> Option<Self> {
        shape.is_fully_defined().then(|| shape.into())
    }

    /// The numbers as a tensor: int64 if they are known.
    ///
    /// # Errors
    /// `InvalidArgument` for the sizes of a shape that is not fully known while tracing.
    ///
    /// ```
    /// use extype::ops::Integers;
    /// use extype::prelude::*;
    /// assert_eq!(Integers::from([2, -1]).to_tensor()?.as_slice::<i64>()?, &[2, -1]);
    /// assert_eq!(Integers::from(tensor![2, -1]).to_tensor()?.dtype(), i32);
    /// assert!(Integers::from(shape![2, ?]).to_tensor().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_tensor(&self) -> Result<Tensor> {
        Ok(match self.either()? {
            Ok(numbers) => Tensor::Value(Array::from_i64s(numbers)),
            Err(tensor) => tensor.clone(),
        })
    }
}

/// The number types in lists of integers. One impl covers them all, so that the compiler gives one error for `[]`,
/// whose element type is not known.
#[doc(hidden)]
pub trait Whole: Copy + TryInto<i64> {}

impl Whole for i32 {}

impl Whole for i64 {}

impl Whole for usize {}

macro_rules! integers_from {
    ($([$($g:tt)*] $t:ty;)*) => {
        $(impl<T: Whole, $($g)*> From<$t> for Integers {
            fn from(numbers: $t) -> Self {
                Integers::Known(numbers.iter().map(|n| saturated(*n)).collect())
            }
        })*
    };
}
integers_from! {
    [const N: usize] [T; N];
    [const N: usize] &[T; N];
    [] &[T];
    [] Vec<T>;
    [] &Vec<T>;
}

/// Shapes as tuples, as in NumPy: `x.reshape((2, 3))`.
macro_rules! integers_from_tuples {
    ($($t:ident),*) => {
        $(integers_from_tuples!(@each ($t, $t), [a, b]);
        integers_from_tuples!(@each ($t, $t, $t), [a, b, c]);
        integers_from_tuples!(@each ($t, $t, $t, $t), [a, b, c, d]);)*
    };
    (@each $t:ty, [$($n:ident),*]) => {
        impl From<$t> for Integers {
            fn from(($($n),*): $t) -> Self {
                Integers::from([$($n),*])
            }
        }
    };
}
integers_from_tuples!(i32, i64, usize);

macro_rules! one_integer_from {
    ($($t:ty),*) => {
        $(
            /// A list of one: the shape of a vector, one axis, one shift.
            impl From<$t> for Integers {
                fn from(n: $t) -> Self {
                    Integers::Known(smallvec::smallvec![saturated(n)])
                }
            }
        )*
    };
}
one_integer_from!(i32, i64, usize);

/// No integers: the shape of a scalar. (The compiler can't infer the element type of an empty
/// array.)
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(extype::random::uniform((), .., f32)?.shape(), shape![]);
/// # Ok::<(), Error>(())
/// ```
impl From<()> for Integers {
    fn from((): ()) -> Self {
        Integers::Known(SmallVec::new())
    }
}

/// The sizes of a shape, as in `x.reshape(y.shape())`. Ops refuse sizes that are unknown while tracing.
impl From<&Shape> for Integers {
    fn from(shape: &Shape) -> Self {
        let size = |dim: &Dim| dim.size().map(saturated);
        let sizes = shape.dims().and_then(|dims| dims.iter().map(size).collect());
        sizes.map_or(Integers::Unknown, Integers::Known)
    }
}

/// The sizes of a shape.
impl From<Shape> for Integers {
    fn from(shape: Shape) -> Self {
        Integers::from(&shape)
    }
}

macro_rules! integer_from {
    ($($t:ty),*) => {
        $(impl From<$t> for Integer {
            fn from(n: $t) -> Self {
                Integer::Known(saturated(n))
            }
        })*
    };
}
integer_from!(i32, i64, usize);

macro_rules! pairs_from {
    ($([$($g:tt)*] $t:ty),* $(,)?) => {
        $(impl<$($g)*> From<$t> for Pairs {
            fn from(pairs: $t) -> Self {
                Pairs::Known(pairs.into())
            }
        })*
    };
}
pairs_from!(
    [const N: usize] [[i64; 2]; N],
    [const N: usize] &[[i64; 2]; N],
    [] &[[i64; 2]],
    [] Vec<[i64; 2]>,
);

impl<const N: usize> From<[(i64, i64); N]> for Pairs {
    fn from(pairs: [(i64, i64); N]) -> Self {
        Pairs::Known(pairs.iter().map(|(a, b)| [*a, *b]).collect())
    }
}

/// One pair, the same number before and after.
impl From<i64> for Pairs {
    fn from(n: i64) -> Self {
        Pairs::Known(vec![[n, n]])
    }
}

/// Sizes that a graph node takes in the dtype of its first operand, int32 or int64.
///
/// Made from what [`Integers`] are made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes(Integers);

impl<T: Into<Integers>> From<T> for Sizes {
    fn from(sizes: T) -> Self {
        Self(sizes.into())
    }
}

impl StaticInput for Sizes {
    fn to_input(&self, first: &Tensor) -> Result<Tensor> {
        match &self.0 {
            Integers::Known(n) if first.dtype() == DType::I32 => int32s(n).map(Tensor::Value),
            sizes => sizes.to_input(first),
        }
    }

    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        Integers::from_input(input).map(Self)
    }
}

/// Integers that a graph node takes as int32.
///
/// Made from what [`Integers`] are made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Int32s(Integers);

impl<T: Into<Integers>> From<T> for Int32s {
    fn from(numbers: T) -> Self {
        Self(numbers.into())
    }
}

impl StaticInput for Int32s {
    fn to_input(&self, _: &Tensor) -> Result<Tensor> {
        match self.0.either()? {
            Ok(numbers) => int32s(numbers).map(Tensor::Value),
            Err(numbers) => whole_numbers(numbers, DType::I32),
        }
    }

    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        Integers::from_input(input).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The graph's input beside a first operand of this dtype.
    fn input(data: &impl StaticInput, first: DType) -> Result<Array> {
        let first = Tensor::Value(Array::from_bytes(first, [0], &[])?);
        data.to_input(&first)?.data().cloned()
    }

    fn tensor(dims: &[usize], dtype: DType) -> Tensor {
        let bytes = dims.iter().product::<usize>() * dtype.size().unwrap();
        Tensor::Value(Array::from_bytes(dtype, dims, &vec![0; bytes]).unwrap())
    }

    #[test]
    fn data_is_written_and_read_back() {
        let list = Integers::from([2i64, -1]);
        let written = input(&list, DType::F32).unwrap();
        assert_eq!(written.as_slice::<i64>().unwrap(), &[2, -1]);
        assert_eq!(Integers::from_input(Some(&Tensor::Value(written))).unwrap(), list);

        let one = Integer::from(7);
        let written = input(&one, DType::F32).unwrap();
        assert_eq!((written.as_slice::<i32>().unwrap(), written.rank()), (&[7][..], 0));
        assert_eq!(Integer::from_input(Some(&Tensor::Value(written))).unwrap(), one);

        let pairs = Pairs::from([[1i64, 2], [3, 4]]);
        let written = input(&pairs, DType::F32).unwrap();
        assert_eq!(
            (written.as_slice::<i64>().unwrap(), written.dims()),
            (&[1, 2, 3, 4][..], &[2, 2][..])
        );
        assert_eq!(Pairs::from_input(Some(&Tensor::Value(written))).unwrap(), pairs);

        let sizes = Sizes::from([3usize]);
        assert_eq!(input(&sizes, DType::I32).unwrap().dtype(), DType::I32);
        assert_eq!(input(&sizes, DType::I64).unwrap().dtype(), DType::I64);
    }

    #[test]
    fn tensors_equal_what_they_hold() {
        let zeros = Integers::from(tensor(&[2], DType::I32));
        assert_eq!(zeros, Integers::from([0i64, 0]));
        assert_ne!(zeros, Integers::from([0i64]));
        assert_eq!(zeros, Integers::from(tensor(&[2], DType::I64)));
        // A tensor that can't be read equals only itself.
        let (x, y) = (tensor(&[2], DType::F32), tensor(&[2], DType::F32));
        assert_eq!(Integers::from(&x), Integers::from(&x));
        assert_ne!(Integers::from(&x), Integers::from(&y));
    }

    #[test]
    fn tensors_of_other_ranks_and_dtypes_are_refused_both_ways() {
        fn refused<T: StaticValue>(dims: &[usize], dtype: DType) {
            let t = tensor(dims, dtype);
            let data = MaybeStatic::<T>::from(&t);
            assert!(data.to_input(&t).is_err(), "{dtype} {dims:?}");
            assert!(MaybeStatic::<T>::from_input(Some(&t)).is_err(), "{dtype} {dims:?}");
            assert!(data.known().is_none(), "{dtype} {dims:?}");
        }
        refused::<i64>(&[1], DType::I32);
        refused::<i64>(&[], DType::F32);
        refused::<i64>(&[], DType::U8);
        refused::<SmallVec<[i64; 4]>>(&[1, 1], DType::I64);
        refused::<SmallVec<[i64; 4]>>(&[1], DType::I16);
        refused::<Vec<[i64; 2]>>(&[2], DType::I32);
        refused::<Vec<[i64; 2]>>(&[2, 3], DType::I32);
        refused::<Vec<[i64; 2]>>(&[2, 2], DType::F64);
        assert!(Integers::from_input(None).unwrap_err().to_string().contains("missing"));
    }

    #[test]
    fn numbers_that_do_not_fit_are_named() {
        let big = i64::from(i32::MAX) + 1;
        let e = input(&Integer::from(big), DType::F32).unwrap_err().to_string();
        assert!(e.contains("2147483648 does not fit int32"), "{e}");
        let e = input(&Sizes::from([1, big]), DType::I32).unwrap_err().to_string();
        assert!(e.contains("2147483648 does not fit int32"), "{e}");
        // Not -1, which means a size to be inferred.
        assert_eq!(Integers::from([usize::MAX]).known().unwrap()[..], [i64::MAX]);
        assert_eq!(Integer::from(usize::MAX).known(), Some(i64::MAX));
    }

    #[test]
    fn a_short_integer_counts() {
        assert_eq!(Integer::from(tensor(&[], DType::I16)).known(), Some(0));
    }
}
