//! Arrays made of elements, strings, boxed values and bytes.

use std::panic::Location;
use std::sync::Arc;

use super::block::{Draft, Owner};
use super::{Array, Dims, Element, IntoDims, Resource, Variant, num_elements, vec_for};
use crate::types::{DType, Dim, Error, Result, Shape, TensorType, caller, err};

impl Array {
    /// An array of these elements in row-major order.
    ///
    /// # Errors
    /// `InvalidArgument` if the number of elements does not fit the sizes.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::from_slice([2, 2], &[1, 2, 3, 4])?;
    /// assert_eq!(x.to_string(), "[[1 2]\n [3 4]]");
    /// assert!(Array::from_slice([2, 3], &[1, 2, 3, 4]).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_slice<T: Element>(dims: impl IntoDims, data: &[T]) -> Result<Array> {
        let made = dims.with_dims(|dims| {
            check_len(dims, data.len())?;
            Self::of_bytes(T::DTYPE, dims, data.len(), bytemuck::cast_slice(data))
        });
        told("from_slice", made)
    }

    /// A copy of bytes that are valid elements.
    pub(super) fn of_bytes(
        dtype: DType,
        dims: &[usize],
        len: usize,
        bytes: &[u8],
    ) -> Result<Array> {
        let mut draft = Draft::new(dtype, dims, len, bytes.len())?;
        draft.bytes_mut().copy_from_slice(bytes);
        // SAFETY: the callers give the bytes of elements.
        Ok(unsafe { draft.finish() })
    }

    /// A rank-0 array.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::scalar(2.5f64);
    /// assert_eq!((x.rank(), x.as_slice::<f64>()?), (0, &[2.5][..]));
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[inline]
    pub fn scalar<T: Element>(value: T) -> Array {
        let draft = Draft::scalar(T::DTYPE, value.as_bytes());
        // SAFETY: the bytes are those of an element.
        unsafe { draft.finish() }
    }

    /// The rank-0 array of a string, as [`scalar`](Self::scalar) of a number.
    pub(super) fn of_string(text: Vec<u8>) -> Array {
        let array = Self::over(DType::String, &[], 1, Owner::Strings(vec![text]), None);
        array.expect("memory for one string")
    }

    /// A string array.
    ///
    /// # Errors
    /// `InvalidArgument` if the number of strings does not fit the sizes.
    ///
    /// ```
    /// use extype::array::Array;
    /// let words = "to be or not".split(' ').map(Vec::from).collect();
    /// let x = Array::from_strings([2, 2], words)?;
    /// assert_eq!(x.as_strings()?[3], b"not");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_strings(dims: impl IntoDims, items: Vec<Vec<u8>>) -> Result<Array> {
        let dims = dims.into_dims();
        told("from_strings", check_len(&dims, items.len()))?;
        Self::over(DType::String, &dims, items.len(), Owner::Strings(items), None)
    }

    /// Zeros of any dtype: false, empty strings, variants that hold nothing.
    ///
    /// # Errors
    /// `ResourceExhausted` if they do not fit memory; `InvalidArgument` for resources.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::types::DType;
    /// assert_eq!(Array::zeros(DType::Bool, [2])?.as_slice::<bool>()?, &[false, false]);
    /// assert_eq!(Array::zeros(DType::String, [1])?.as_strings()?[0], b"");
    /// assert!(Array::zeros(DType::Resource, []).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn zeros(dtype: DType, dims: impl IntoDims) -> Result<Array> {
        told("zeros", Self::zeros_in(dtype, dims.into_dims()))
    }

    fn zeros_in(dtype: DType, dims: Dims) -> Result<Array> {
        let of = |size: usize| num_elements(&dims, size);
        match (dtype, dtype.size()) {
            (_, Some(size)) => {
                let bytes = of(size)? * size;
                let mut zeros = vec_for(bytes)?;
                zeros.resize(bytes, 0u8);
                Self::from_bytes(dtype, dims, &zeros)
            }
            (DType::String, _) => {
                let len = of(size_of::<Vec<u8>>())?;
                let mut items = vec_for(len)?;
                items.resize(len, Vec::new());
                Self::from_strings(dims, items)
            }
            (DType::Variant, _) => {
                let len = of(size_of::<Variant>())?;
                let mut items = vec_for(len)?;
                items.resize(len, Variant::nothing());
                Self::from_variants(dims, items)
            }
            _ => Err(err!("there are no zeros of {dtype}")),
        }
    }

    /// The bytes as elements of another dtype of their size, which may not be bool.
    ///
    /// # Errors
    /// `Internal` if there are none.
    pub(crate) fn read_as(&self, dtype: DType) -> Result<Array> {
        if dtype == self.dtype() {
            return Ok(self.clone());
        }
        let bytes = self.as_bytes().ok_or_else(|| Error::internal("elements without bytes"))?;
        Self::from_bytes(dtype, self.dims(), bytes)
    }

    /// Zeros of the same dtype and sizes. For a variant, zeros of the value that it holds.
    ///
    /// # Errors
    /// As [`zeros`](Self::zeros); what [`Boxed::zeros_like`](super::Boxed::zeros_like) fails with.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::from_slice([2], &[1.5f32, 2.5])?;
    /// assert_eq!(x.zeros_like()?.as_slice::<f32>()?, &[0.0, 0.0]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn zeros_like(&self) -> Result<Array> {
        match self.dtype() {
            DType::Variant => {
                let mut zeros = vec_for(self.len())?;
                for v in self.as_variants()? {
                    zeros.push(v.value().zeros_like()?);
                }
                Self::from_variants(self.dims(), zeros)
            }
            dtype => Self::zeros(dtype, self.dims()),
        }
    }

    /// Zeros of a type. Unknown sizes are taken as 0.
    ///
    /// # Errors
    /// As [`zeros`](Self::zeros).
    pub(crate) fn zeros_of(ty: &TensorType) -> Result<Array> {
        let size = |d: &Dim| d.size().unwrap_or(0);
        let dims: Dims = match ty.shape.dims() {
            Some(dims) => dims.iter().map(size).collect(),
            None => Dims::from_slice(&[0]),
        };
        Self::zeros(ty.dtype, dims)
    }

    /// An array of boxed values.
    ///
    /// # Errors
    /// `InvalidArgument` if the number of values does not fit the sizes.
    ///
    /// ```
    /// use extype::array::{Array, Variant};
    /// let x = Array::from_variants([2], vec![Variant::nothing(); 2])?;
    /// assert_eq!(x.tensor_type().to_string(), "variant[2]");
    /// assert!(Array::from_variants([3], vec![Variant::nothing(); 2]).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_variants(dims: impl IntoDims, items: Vec<Variant>) -> Result<Array> {
        let dims = dims.into_dims();
        told("from_variants", check_len(&dims, items.len()))?;
        Self::over(DType::Variant, &dims, items.len(), Owner::Variants(items), None)
    }

    /// The scalar handle of a resource.
    ///
    /// ```
    /// use extype::array::{Array, Resource};
    /// use std::sync::{Arc, Mutex};
    /// #[derive(Debug, Default)]
    /// struct Log(Mutex<Vec<String>>);
    /// impl Resource for Log {
    /// #     fn id(&self) -> u64 { u64::MAX }
    /// #     fn kind(&self) -> &'static str { "log" }
    /// #     fn as_any(&self) -> &dyn std::any::Any { self }
    ///     // …
    /// }
    /// let handle = Array::from_resource(Arc::new(Log::default()));
    /// assert_eq!(handle.tensor_type().to_string(), "resource[]");
    /// ```
    pub fn from_resource(resource: Arc<dyn Resource>) -> Array {
        // SAFETY: a handle has no plain elements.
        unsafe { Draft::handle(resource).finish() }
    }

    /// An array of a dtype of fixed size from its raw little-endian bytes.
    ///
    /// # Errors
    /// `InvalidArgument` if the dtype has no fixed size, the bytes do not fit the sizes, or a
    /// bool is neither 0 nor 1.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::types::DType;
    /// let x = Array::from_bytes(DType::U16, [2], &[1, 0, 0, 1])?;
    /// assert_eq!(x.as_slice::<u16>()?, &[1, 256]);
    /// assert!(Array::from_bytes(DType::Bool, [1], &[2]).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_bytes(dtype: DType, dims: impl IntoDims, bytes: &[u8]) -> Result<Array> {
        told("from_bytes", Self::of_checked_bytes(dtype, &dims.into_dims(), bytes))
    }

    fn of_checked_bytes(dtype: DType, dims: &[usize], bytes: &[u8]) -> Result<Array> {
        let size = dtype.size().ok_or_else(|| err!("{dtype} has no fixed element size"))?;
        let len = num_elements(dims, size)?;
        if len * size != bytes.len() {
            let (given, shape) = (bytes.len(), Shape::from(dims));
            return Err(err!(
                "{given} bytes given for shape {shape} of {dtype}: {len} elements of {size} bytes each, {} in all",
                len * size
            ));
        }
        if dtype == DType::Bool && bytes.iter().any(|b| *b > 1) {
            return Err(err!("a bool is 0 or 1"));
        }
        Self::of_bytes(dtype, dims, len, bytes)
    }
}

/// Adds the caller's line and the name of the function to an error, unless it is part of a larger call.
#[track_caller]
#[inline]
fn told<T>(function: &'static str, made: Result<T>) -> Result<T> {
    let here = Location::caller();
    let told = |e: Error| match caller() {
        Some(_) => e,
        None => e.with_op(function).with_location(here),
    };
    made.map_err(told)
}

fn check_len(dims: &[usize], len: usize) -> Result<()> {
    let want = num_elements(dims, 1)?;
    if want != len {
        return Err(err!("{len} elements given for shape {}", Shape::from(dims)));
    }
    Ok(())
}
