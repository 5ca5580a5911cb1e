//! `From` and `TryFrom` conversions, to and from tensors.

use super::{Tensor, TensorLike, call_site_of};
use crate::array::{DataElement, Element, NestedData, copy_of, vec_for};
use crate::types::{Error, Result, bail};

/// A scalar: `Tensor::from(1.0)`.
impl<T: Element> From<T> for Tensor {
    fn from(value: T) -> Self {
        Tensor::scalar(value)
    }
}

/// A tensor from data whose type guarantees a regular form.
#[track_caller]
fn formed(data: &impl TensorLike) -> Tensor {
    match data.to_tensor() {
        Ok(tensor) => tensor,
        Err(e) => panic!("{e}"),
    }
}

/// Lists whose type guarantees rows of equal length.
macro_rules! regular {
    ($([$($g:tt)*] $t:ty;)*) => {
        $(impl<$($g)*> From<$t> for Tensor {
            #[track_caller]
            fn from(data: $t) -> Self {
                formed(&data)
            }
        })*
    };
}
regular! {
    [] &str;
    [] String;
    [T: Element + NestedData] &[T];
    [T: Element + NestedData] Vec<T>;
    [] Vec<&str>;
    [] Vec<String>;
    [T: Element + NestedData, const N: usize] [T; N];
    [const N: usize] [&str; N];
    [T: Element + NestedData, const N: usize] Vec<[T; N]>;
    [T: Element + NestedData, const N: usize, const M: usize] [[T; N]; M];
    [T: Element + NestedData, const N: usize, const M: usize, const L: usize] [[[T; N]; M]; L];
}

/// Nested lists whose rows may have different lengths, which is an error.
macro_rules! nested {
    ($($t:ty),*) => {
        $(impl<T: Element + NestedData> TryFrom<$t> for Tensor {
            type Error = Error;

            #[track_caller]
            fn try_from(data: $t) -> Result<Self> {
                let _site = call_site_of(Some("try_from"));
                data.to_tensor()
            }
        })*
    };
}
nested!(Vec<Vec<T>>, Vec<Vec<Vec<T>>>);

/// The element of a tensor with one element, as the Rust type of its dtype.
macro_rules! elements {
    ($($t:ty),*) => {
        $(impl TryFrom<&Tensor> for $t {
            type Error = Error;

            #[track_caller]
            fn try_from(tensor: &Tensor) -> Result<Self> {
                tensor.item()
            }
        }

        impl TryFrom<Tensor> for $t {
            type Error = Error;

            #[track_caller]
            fn try_from(tensor: Tensor) -> Result<Self> {
                tensor.item()
            }
        })*
    };
}
elements!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

/// The elements of a vector.
impl<T: Element> TryFrom<&Tensor> for Vec<T> {
    type Error = Error;

    #[track_caller]
    fn try_from(tensor: &Tensor) -> Result<Self> {
        tensor.check_read("try_from")?;
        let _site = call_site_of(Some("try_from"));
        match tensor.rank() {
            Some(1) => Ok(tensor.as_slice::<T>()?.to_vec()),
            _ => bail!(
                "a `Vec` has the elements of a vector, not of shape {}; `as_slice` has those of any shape",
                tensor.shape()
            ),
        }
    }
}

/// The strings of a vector, as text.
impl TryFrom<&Tensor> for Vec<String> {
    type Error = Error;

    #[track_caller]
    fn try_from(tensor: &Tensor) -> Result<Self> {
        let _site = call_site_of(Some("try_from"));
        match tensor.rank() {
            Some(1) => tensor.to_strings(),
            _ => bail!(
                "a `Vec` has the elements of a vector, not of shape {}; `to_strings` has those of any shape",
                tensor.shape()
            ),
        }
    }
}

/// The string of a tensor with one element, as text.
impl TryFrom<&Tensor> for String {
    type Error = Error;

    #[track_caller]
    fn try_from(tensor: &Tensor) -> Result<Self> {
        let _site = call_site_of(Some("try_from"));
        let mut strings = tensor.to_strings()?;
        match (strings.pop(), strings.is_empty()) {
            (Some(text), true) => Ok(text),
            _ => bail!("one string is wanted, not shape {}", tensor.shape()),
        }
    }
}

/// The rows of a matrix.
impl<T: Element> TryFrom<&Tensor> for Vec<Vec<T>> {
    type Error = Error;

    #[track_caller]
    fn try_from(tensor: &Tensor) -> Result<Self> {
        tensor.check_read("try_from")?;
        let _site = call_site_of(Some("try_from"));
        match (tensor.as_slice::<T>()?, tensor.value()?.dims()) {
            (elements, [rows, columns]) => {
                let mut all = vec_for(*rows)?;
                for i in 0..*rows {
                    all.push(copy_of(&elements[i * columns..(i + 1) * columns])?);
                }
                Ok(all)
            }
            (_, _) => bail!("rows are those of a matrix, not of shape {}", tensor.shape()),
        }
    }
}

/// `Tensor::from(&x)` is a clone of `x`.
impl From<&Tensor> for Tensor {
    fn from(tensor: &Tensor) -> Self {
        tensor.clone()
    }
}

#[cfg(feature = "ndarray")]
mod arrays {
    use super::{Element, Error, Result, Tensor};

    impl<T, S, D> From<ndarray::ArrayBase<S, D>> for Tensor
    where
        T: Element,
        S: ndarray::Data<Elem = T>,
        D: ndarray::Dimension,
    {
        #[track_caller]
        fn from(data: ndarray::ArrayBase<S, D>) -> Self {
            super::formed(&data)
        }
    }

    impl<T: Element> TryFrom<&Tensor> for ndarray::ArrayD<T> {
        type Error = Error;

        #[track_caller]
        fn try_from(tensor: &Tensor) -> Result<Self> {
            tensor.to_array()
        }
    }
}

/// A rank-0 tensor: `scalar(0i64)`, `scalar(true)`, `scalar("text")`. As in Rust, an integer literal without a type is
/// an `i32`, a float an `f64`. Bytes in a `Vec<u8>` are a string, whatever they hold: `scalar(std::fs::read(path)?)`.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!((scalar(0.5).dtype(), scalar("text").shape()), (DType::F64, shape![]));
/// ```
pub fn scalar<T: DataElement>(value: T) -> Tensor {
    Tensor::scalar(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape;
    use crate::types::DType;

    #[test]
    fn tensors_of_data_and_data_of_tensors() -> Result<()> {
        assert_eq!(Tensor::from(1.5f32).shape(), shape![]);
        assert_eq!(Tensor::from("a").dtype(), DType::String);
        assert_eq!(Tensor::from(vec!["a".to_owned()]).shape(), shape![1]);
        assert_eq!(Tensor::from([[1, 2], [3, 4]]).shape(), shape![2, 2]);
        assert_eq!(Tensor::from(vec![[1, 2]]).shape(), shape![1, 2]);
        assert_eq!(Tensor::from(&[1.0, 2.0][..]).dtype(), DType::F64);
        let rows = Tensor::try_from(vec![vec![1i64, 2], vec![3, 4]])?;
        assert_eq!(Vec::<Vec<i64>>::try_from(&rows)?, [[1, 2], [3, 4]]);
        assert_eq!(Vec::<Vec<i32>>::try_from(&Tensor::from([[0i32; 0]; 2]))?, [[], []]);
        let ragged = Tensor::try_from(vec![vec![1i64], vec![]]).unwrap_err();
        assert!(ragged.message().contains("ragged"), "{ragged}");
        assert_eq!(i64::try_from(&Tensor::from(3i64))?, 3);
        assert!(i32::try_from(Tensor::from(3i64)).is_err());
        assert_eq!(Vec::<f32>::try_from(&Tensor::from([1.0f32, 2.0]))?, [1.0, 2.0]);
        let matrix = Vec::<i64>::try_from(&rows).unwrap_err();
        assert!(matrix.message().contains("[2, 2]"), "{matrix}");
        Ok(())
    }
}
