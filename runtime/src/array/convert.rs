//! Arrays from nested Rust data and from `ndarray`, and back.

use super::{Array, Dims, Element, copy_of, num_elements, vec_for};
use crate::types::{Result, bail, dtype_list, err};

/// One element of data: a number, a bool, a text, or the bytes of a string.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no single element",
    label = "not a number, a bool, a text or the bytes of a string",
    note = "lists become tensors by `tensor![…]` and `Tensor::from(list)`"
)]
pub trait DataElement: Sized {
    /// An array of these elements.
    ///
    /// # Errors
    /// `InvalidArgument` if the number of elements does not fit the sizes.
    ///
    /// ```
    /// use extype::array::{DataElement, Dims};
    /// let x = f32::into_array(Dims::from_slice(&[2, 1]), vec![1.0, 2.0])?;
    /// assert_eq!((x.dims(), x.as_slice::<f32>()?), (&[2, 1][..], &[1.0, 2.0][..]));
    /// let texts = Vec::into_array(Dims::from_slice(&[1]), vec![b"one".to_vec()])?;
    /// assert_eq!(texts.as_strings()?[0], b"one");
    /// # Ok::<(), extype::Error>(())
    /// ```
    fn into_array(dims: Dims, data: Vec<Self>) -> Result<Array>;

    /// A rank-0 array of this element.
    ///
    /// ```
    /// use extype::array::DataElement;
    /// assert_eq!(2.5f64.into_scalar().as_slice::<f64>()?, &[2.5]);
    /// assert_eq!("text".into_scalar().as_strings()?, &[b"text"]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    fn into_scalar(self) -> Array;
}

impl<T: Element> DataElement for T {
    fn into_array(dims: Dims, data: Vec<Self>) -> Result<Array> {
        Array::from_slice(dims, &data)
    }

    #[inline]
    fn into_scalar(self) -> Array {
        Array::scalar(self)
    }
}

macro_rules! texts {
    ($($t:ty),*) => {
        $(impl DataElement for $t {
            fn into_array(dims: Dims, data: Vec<Self>) -> Result<Array> {
                Array::from_strings(dims, data.into_iter().map(Into::into).collect())
            }

            fn into_scalar(self) -> Array {
                Array::of_string(self.into())
            }
        })*
    };
}
texts!(Vec<u8>, String, &str);

/// Rust data that has the form of a tensor: numbers, bools, strings, and arrays, vectors and
/// slices of these to any depth.
///
/// ```
/// use extype::array::NestedData;
/// let x = vec![[1.0f32, 2.0], [3.0, 4.0]].to_nested_array()?;
/// assert_eq!(x.dims(), &[2, 2]);
/// assert!(vec![vec![1], vec![2, 3]].to_nested_array().is_err());
/// # Ok::<(), extype::Error>(())
/// ```
pub trait NestedData {
    /// The innermost element.
    type Element: DataElement;

    /// Appends the sizes, taken from the first entry at each depth.
    ///
    /// ```
    /// use extype::array::{Dims, NestedData};
    /// let mut dims = Dims::new();
    /// [[1, 2, 3], [4, 5, 6]].dims(&mut dims);
    /// assert_eq!(dims[..], [2, 3]);
    /// ```
    fn dims(&self, out: &mut Dims);

    /// Checks that every list has the sizes that remain at this depth, before memory is allocated
    /// for elements that may be missing.
    ///
    /// # Errors
    /// `InvalidArgument` if the data is ragged.
    ///
    /// ```
    /// use extype::array::NestedData;
    /// assert!(vec![vec![1, 2], vec![3, 4]].check(&[2, 2]).is_ok());
    /// assert!(vec![vec![1, 2], vec![3]].check(&[2, 2]).is_err());
    /// ```
    fn check(&self, dims: &[usize]) -> Result<()> {
        let _ = dims;
        Ok(())
    }

    /// Appends the elements; `dims` are the sizes that remain at this depth.
    ///
    /// # Errors
    /// `InvalidArgument` if the data is ragged.
    ///
    /// ```
    /// use extype::array::NestedData;
    /// let mut elements = Vec::new();
    /// vec![[1, 2], [3, 4]].elements(&[2, 2], &mut elements)?;
    /// assert_eq!(elements, [1, 2, 3, 4]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    fn elements(&self, dims: &[usize], out: &mut Vec<Self::Element>) -> Result<()>;

    /// The data as an array.
    ///
    /// # Errors
    /// `InvalidArgument` if the data is ragged; `ResourceExhausted` if there is no memory.
    ///
    /// ```
    /// use extype::array::NestedData;
    /// let x = [["a", "bc"], ["", "d"]].to_nested_array()?;
    /// assert_eq!(x.dims(), &[2, 2]);
    /// assert_eq!(x.as_strings()?[1], b"bc");
    /// # Ok::<(), extype::Error>(())
    /// ```
    fn to_nested_array(&self) -> Result<Array> {
        let mut dims = Dims::new();
        self.dims(&mut dims);
        // Before the product: the sizes of ragged data may multiply to anything.
        self.check(&dims)?;
        let mut out = vec_for(num_elements(&dims, size_of::<Self::Element>())?)?;
        self.elements(&dims, &mut out)?;
        Self::Element::into_array(dims, out)
    }
}

macro_rules! leaf {
    ($($t:ty => $e:ty, |$x:ident| $to:expr);* $(;)?) => {
        $(impl NestedData for $t {
            type Element = $e;

            fn dims(&self, _: &mut Dims) {}

            fn elements(&self, _: &[usize], out: &mut Vec<$e>) -> Result<()> {
                let $x = self;
                out.push($to);
                Ok(())
            }
        })*
    };
}
macro_rules! element_leaves {
    ([] $($(#[$doc:meta])* $variant:ident = $number:literal $name:literal $kind:ident
        [$($element:ty as $rust:ident)?];)*) => {
        $($(leaf! { $element => $element, |x| *x })?)*
    };
}
dtype_list!([element_leaves]);
/// Counts and indices become int64.
macro_rules! sized {
    ($x:expr) => {
        i64::try_from($x).map_err(|_| err!("{} does not fit int64", $x))?
    };
}
leaf! {
    usize => i64, |x| sized!(*x);
    isize => i64, |x| sized!(*x);
    str => Vec<u8>, |x| copy_of(x.as_bytes())?;
    &str => Vec<u8>, |x| copy_of(x.as_bytes())?;
    String => Vec<u8>, |x| copy_of(x.as_bytes())?;
}

impl<T: NestedData> NestedData for [T] {
    type Element = T::Element;

    fn dims(&self, out: &mut Dims) {
        out.push(self.len());
        if let Some(first) = self.first() {
            first.dims(out);
        }
    }

    fn check(&self, dims: &[usize]) -> Result<()> {
        let inner = inner_dims(self.len(), dims)?;
        // Numbers and texts need no check.
        if inner.is_empty() { Ok(()) } else { self.iter().try_for_each(|x| x.check(inner)) }
    }

    fn elements(&self, dims: &[usize], out: &mut Vec<T::Element>) -> Result<()> {
        let inner = inner_dims(self.len(), dims)?;
        self.iter().try_for_each(|x| x.elements(inner, out))
    }
}

/// The sizes within a list of this length.
fn inner_dims(found: usize, dims: &[usize]) -> Result<&[usize]> {
    match dims.split_first() {
        Some((&len, inner)) if len == found => Ok(inner),
        Some((len, _)) => bail!(
            "the data is ragged: a list of {found} where {len} entries were expected; \
             a ragged tensor type holds such data"
        ),
        None => bail!("the data is ragged: a list where a number was expected"),
    }
}

macro_rules! lists {
    ($([$($g:tt)*] $t:ty),*) => {
        $(impl<T: NestedData, $($g)*> NestedData for $t {
            type Element = T::Element;

            fn dims(&self, out: &mut Dims) {
                <[T] as NestedData>::dims(self, out);
            }

            fn check(&self, dims: &[usize]) -> Result<()> {
                <[T] as NestedData>::check(self, dims)
            }

            fn elements(&self, dims: &[usize], out: &mut Vec<T::Element>) -> Result<()> {
                <[T] as NestedData>::elements(self, dims, out)
            }
        })*
    };
}
lists!([] Vec<T>, [const N: usize] [T; N], [] &[T]);

#[cfg(feature = "ndarray")]
mod with_ndarray {
    use super::*;

    impl Array {
        /// A copy as an `ndarray` array.
        ///
        /// # Errors
        /// `InvalidArgument` if `T` is not the element type; `ResourceExhausted` if there is no
        /// memory.
        ///
        /// ```
        /// use extype::array::Array;
        /// let x = Array::from_slice([2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
        /// let y = x.to_ndarray::<f32>()?;
        /// assert_eq!(y, ndarray::arr2(&[[1.0, 2.0], [3.0, 4.0]]).into_dyn());
        /// assert!(x.to_ndarray::<f64>().is_err());
        /// # Ok::<(), extype::Error>(())
        /// ```
        pub fn to_ndarray<T: Element>(&self) -> Result<ndarray::ArrayD<T>> {
            let data = copy_of(self.as_slice::<T>()?)?;
            ndarray::ArrayD::from_shape_vec(self.dims().to_vec(), data)
                .map_err(|e| crate::types::err!(Internal, "{e}"))
        }

        /// A view as an `ndarray` array, without a copy.
        ///
        /// # Errors
        /// `InvalidArgument` if `T` is not the element type.
        ///
        /// ```
        /// use extype::array::Array;
        /// let x = Array::from_slice([2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
        /// let view = x.view_ndarray::<f32>()?;
        /// assert_eq!(view[[1, 0]], 3.0);
        /// assert_eq!(view.sum_axis(ndarray::Axis(0)).as_slice(), Some(&[4.0, 6.0][..]));
        /// # Ok::<(), extype::Error>(())
        /// ```
        pub fn view_ndarray<T: Element>(&self) -> Result<ndarray::ArrayViewD<'_, T>> {
            ndarray::ArrayViewD::from_shape(self.dims(), self.as_slice::<T>()?)
                .map_err(|e| crate::types::err!(Internal, "{e}"))
        }

        /// The elements of an `ndarray` array in row-major order.
        ///
        /// # Errors
        /// `ResourceExhausted` if there is no memory for them.
        ///
        /// ```
        /// use extype::array::Array;
        /// let a = ndarray::arr2(&[[1.0f64, 2.0], [3.0, 4.0]]);
        /// let x = Array::from_ndarray(&a.t())?;
        /// assert_eq!(x.as_slice::<f64>()?, &[1.0, 3.0, 2.0, 4.0]);
        /// # Ok::<(), extype::Error>(())
        /// ```
        pub fn from_ndarray<T, S, D>(array: &ndarray::ArrayBase<S, D>) -> Result<Array>
        where
            T: Element,
            S: ndarray::Data<Elem = T>,
            D: ndarray::Dimension,
        {
            match array.as_slice() {
                Some(data) => Array::from_slice(array.shape(), data),
                None => Array::from_writer(array.shape(), |out: &mut [T]| {
                    out.iter_mut().zip(array).for_each(|(o, x)| *o = *x);
                    Ok(())
                }),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_data_becomes_arrays() {
        let a = [[1i32, 2], [3, 4], [5, 6]].to_nested_array().unwrap();
        assert_eq!(
            (a.dims(), a.as_slice::<i32>().unwrap()),
            (&[3, 2][..], &[1, 2, 3, 4, 5, 6][..])
        );
        assert_eq!(vec![vec![0.5f32; 3]; 2].to_nested_array().unwrap().dims(), &[2, 3]);
        assert_eq!(["a", "bc"].to_nested_array().unwrap().as_strings().unwrap()[1], b"bc");
        assert_eq!(Vec::<f32>::new().to_nested_array().unwrap().dims(), &[0]);
        assert!(vec![vec![1], vec![1, 2]].to_nested_array().is_err());
        assert_eq!(vec![vec![vec![0u8; 0]; 2]; 3].to_nested_array().unwrap().dims(), &[3, 2, 0]);
    }

    #[test]
    fn ragged_data_is_refused_before_memory_is_taken_for_it() {
        let mut rows = vec![Vec::<u8>::new(); 1 << 20];
        rows[0] = vec![1; 1 << 20];
        let e = rows.to_nested_array().unwrap_err();
        assert!(e.message().contains("ragged"), "{e}");
        let deep = vec![vec![vec![1], vec![2]], vec![vec![3], vec![4, 5]]];
        assert!(deep.to_nested_array().unwrap_err().message().contains("a list of 2"));
    }

    #[cfg(feature = "ndarray")]
    #[test]
    fn ndarray_round_trips_in_any_layout() {
        let a = ndarray::arr2(&[[1.0f64, 2.0], [3.0, 4.0]]);
        let t = Array::from_ndarray(&a.t()).unwrap();
        assert_eq!(t.as_slice::<f64>().unwrap(), &[1.0, 3.0, 2.0, 4.0]);
        assert_eq!(t.to_ndarray::<f64>().unwrap(), a.t().to_owned().into_dyn());
        assert_eq!(t.view_ndarray::<f64>().unwrap()[[1, 0]], 2.0);
    }
}
