//! Concrete data: [`Array`], a dtype, sizes and reference-counted storage.
//!
//! An array is immutable and cheap to clone. A clone is the same array; [`Array::id`] distinguishes
//! other arrays, even if they are equal. Small data lies in the array's own block, which comes from a
//! free list of the thread. Large data lies in recycled 64-byte aligned buffers, which views share by
//! offset. If there is no memory, the memory of freed arrays is given back before an error is returned.
//! Arrays are made from slices and vectors and read as slices: nothing here knows ops or graphs.

#![expect(unsafe_code, reason = "typed views of raw storage; see the safety notes")]

mod block;
mod buffer;
mod convert;
mod device;
mod element;
mod make;
mod memory;
mod print;
mod resource;
mod writer;

use std::ptr::NonNull;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::types::{DType, Dim, Error, Result, Shape, TensorType, err};
pub(crate) use block::mark_new_arrays;
use block::{Draft, Header, Owner};
pub use buffer::set_pool_limit;
pub use convert::{DataElement, NestedData};
pub use device::DeviceMemory;
pub(crate) use element::with_element;
pub use element::{Element, HostScalar, Scalar};
#[doc(no_inline)]
pub use extype_kernels::{Quantized, f8e4m3fn, f8e5m2};
pub(crate) use memory::{ask_for, collected, copy_of, joined_strings, read_all, reserve, vec_for};
pub use print::Formatted;
pub(crate) use print::entries;
pub use resource::{AddArrays, Boxed, Resource, Variant};
pub use writer::Writer;
pub(crate) use writer::{AnyWriter, block_type, stored};

/// Sizes of the dimensions of an array.
pub type Dims = SmallVec<[usize; 4]>;

/// Types that list the sizes of dimensions.
///
/// ```
/// use extype::array::Array;
/// let (of_array, of_slice) = (Array::from_slice([2, 1], &[1, 2])?, Array::from_slice(&[2, 1][..], &[1, 2])?);
/// assert!(of_array.identical(&of_slice));
/// # Ok::<(), extype::Error>(())
/// ```
pub trait IntoDims {
    /// The sizes.
    ///
    /// ```
    /// use extype::array::IntoDims;
    /// assert_eq!(vec![2, 3].into_dims()[..], [2, 3]);
    /// ```
    fn into_dims(self) -> Dims;

    /// Calls `f` with the sizes. Borrowed sizes are not copied.
    ///
    /// ```
    /// use extype::array::IntoDims;
    /// let elements = [2, 3].with_dims(|dims| dims.iter().product::<usize>());
    /// assert_eq!(elements, 6);
    /// ```
    #[inline]
    fn with_dims<R>(self, f: impl FnOnce(&[usize]) -> R) -> R
    where
        Self: Sized,
    {
        f(&self.into_dims())
    }
}

impl IntoDims for Dims {
    #[inline]
    fn into_dims(self) -> Dims {
        self
    }
}

impl IntoDims for &[usize] {
    #[inline]
    fn into_dims(self) -> Dims {
        Dims::from_slice(self)
    }

    #[inline]
    fn with_dims<R>(self, f: impl FnOnce(&[usize]) -> R) -> R {
        f(self)
    }
}

impl<const N: usize> IntoDims for [usize; N] {
    #[inline]
    fn into_dims(self) -> Dims {
        Dims::from_slice(&self)
    }

    #[inline]
    fn with_dims<R>(self, f: impl FnOnce(&[usize]) -> R) -> R {
        f(&self)
    }
}

impl IntoDims for Vec<usize> {
    #[inline]
    fn into_dims(self) -> Dims {
        Dims::from_vec(self)
    }
}

/// Views with at most this many bytes are copies, so that they do not keep a larger array alive.
const COPIED: usize = 64;

/// An immutable, reference-counted array of any dtype: row-major and contiguous.
///
/// ```
/// use extype::array::Array;
/// let x = Array::from_slice([2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let row = x.view(3, [3])?;
/// assert_eq!(row.as_slice::<f32>()?, &[4.0, 5.0, 6.0]);
/// # Ok::<(), extype::Error>(())
/// ```
pub struct Array(NonNull<Header>);

/// The number of elements of an array with these sizes and elements of `size` bytes. This is the one
/// place where sizes are multiplied; the sizes of every array have passed this check.
///
/// ```
/// use extype::array::num_elements;
/// assert_eq!(num_elements(&[2, 3], 4)?, 6);
/// assert_eq!(num_elements(&[1 << 62, 1 << 62, 0], 4)?, 0);
/// assert!(num_elements(&[1 << 62, 1 << 62], 4).is_err());
/// # Ok::<(), extype::Error>(())
/// ```
///
/// # Errors
/// `ResourceExhausted` if the product or the bytes overflow what can be addressed, or a size is
/// above `i64::MAX`.
#[inline]
pub fn num_elements(dims: &[usize], size: usize) -> Result<usize> {
    let n = extent(dims);
    let fits = n.saturating_mul(size.max(1)) <= isize::MAX as usize / 2
        && (n > 0 || dims.iter().all(|d| i64::try_from(*d).is_ok()));
    if fits { Ok(n) } else { Err(too_large(dims)) }
}

/// The product of the sizes of some axes of an array. It saturates, which is harmless: it can only overflow if
/// another axis has size 0, and then there are no elements.
#[inline]
pub(crate) fn extent(dims: &[usize]) -> usize {
    dims.iter().fold(1, |n, d| n.saturating_mul(*d))
}

#[cold]
fn too_large(dims: &[usize]) -> Error {
    err!(ResourceExhausted, "an array of shape {dims:?} does not fit memory")
}

impl Array {
    /// An array that owns boxed values, or is a view.
    fn over(
        dtype: DType,
        dims: &[usize],
        len: usize,
        owner: Owner,
        data: Option<NonNull<u8>>,
    ) -> Result<Array> {
        let draft = Draft::over(dtype, dims, len, owner, data)?;
        // SAFETY: the callers give boxed values or elements of an array of this dtype.
        Ok(unsafe { draft.finish() })
    }

    /// The element type.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::types::DType;
    /// assert_eq!(Array::scalar(1u16).dtype(), DType::U16);
    /// ```
    #[inline]
    pub fn dtype(&self) -> DType {
        self.header().dtype
    }

    /// A word that only the floor above interprets: the last argument of
    /// [`mark_new_arrays`] on the thread that made the array, or that of
    /// [`with_mark`](Self::with_mark).
    #[inline]
    pub(crate) fn mark(&self) -> u32 {
        self.header().mark
    }

    /// Marks an array that was just made; a shared array stays unchanged.
    pub(crate) fn with_mark(mut self, mark: u32) -> Self {
        if let Some(header) = self.unique() {
            header.mark = mark;
        }
        self
    }

    /// The sizes of the dimensions.
    ///
    /// ```
    /// use extype::array::Array;
    /// assert_eq!(Array::from_slice([1, 3], &[1, 2, 3])?.dims(), &[1, 3]);
    /// assert!(Array::scalar(1).dims().is_empty());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[inline]
    pub fn dims(&self) -> &[usize] {
        self.header().dims()
    }

    /// True if the other array has the same sizes.
    #[inline]
    pub(crate) fn has_dims_of(&self, other: &Array) -> bool {
        self.header().sizes.same(&other.header().sizes)
    }

    /// The sizes as a static shape.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::prelude::*;
    /// assert_eq!(Array::from_slice([1, 3], &[1, 2, 3])?.shape(), shape![1, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn shape(&self) -> Shape {
        Shape::from(self.dims())
    }

    /// True if the array has this dtype and its sizes fit the shape.
    #[inline]
    pub(crate) fn is_of(&self, ty: &TensorType) -> bool {
        let fits = |sizes: &[Dim]| {
            let mut pairs = sizes.iter().zip(self.dims());
            sizes.len() == self.rank() && pairs.all(|(d, n)| d.size().is_none_or(|d| d == *n))
        };
        self.dtype() == ty.dtype && ty.shape.dims().is_none_or(fits)
    }

    /// Dtype and shape.
    ///
    /// ```
    /// use extype::array::Array;
    /// assert_eq!(Array::from_slice([1, 3], &[1, 2, 3])?.tensor_type().to_string(), "int32[1, 3]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn tensor_type(&self) -> TensorType {
        TensorType::new(self.dtype(), self.shape())
    }

    /// The number of dimensions.
    ///
    /// ```
    /// use extype::array::Array;
    /// assert_eq!(Array::from_slice([1, 3], &[1, 2, 3])?.rank(), 2);
    /// assert_eq!(Array::scalar(1).rank(), 0);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[inline]
    pub fn rank(&self) -> usize {
        self.dims().len()
    }

    /// The number of elements.
    ///
    /// ```
    /// use extype::array::Array;
    /// assert_eq!(Array::from_slice([1, 3], &[1, 2, 3])?.len(), 3);
    /// assert_eq!(Array::scalar(1).len(), 1);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        self.header().len
    }

    /// True if there is no element.
    ///
    /// ```
    /// use extype::array::Array;
    /// assert!(Array::from_slice([0, 3], &[1.0f32; 0])?.is_empty());
    /// assert!(!Array::scalar(1.0f32).is_empty());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A number that identifies this array among all that are alive; clones share it.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::scalar(1.5f32);
    /// assert_eq!(x.id(), x.clone().id());
    /// assert_ne!(x.id(), Array::scalar(1.5f32).id());
    /// ```
    #[inline]
    pub fn id(&self) -> usize {
        self.0.addr().get()
    }

    /// The elements.
    ///
    /// Elements in the memory of a device are copied to the host once.
    ///
    /// # Errors
    /// `InvalidArgument` if `T` is not the array's element type; the error of a device that fails to give the elements.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::from_slice([2], &[1.5f32, 2.5])?;
    /// assert_eq!(x.as_slice::<f32>()?, &[1.5, 2.5]);
    /// assert!(x.as_slice::<f64>().is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[inline]
    pub fn as_slice<T: Element>(&self) -> Result<&[T]> {
        let mut header = self.header();
        if T::DTYPE != header.held {
            header = self.elsewhere(T::DTYPE)?.header();
        }
        // SAFETY: the constructors put `len` valid elements of the dtype there, the storage is
        // aligned to 16 bytes or, in a view, to the size of an element, and outlives the borrow, and nothing writes to
        // it while there is a reference to the array (writers write before the array exists).
        Ok(unsafe { std::slice::from_raw_parts(header.data.as_ptr().cast::<T>(), header.len) })
    }

    /// The elements as words of their size, for kernels that move elements without computing.
    ///
    /// # Errors
    /// `Internal` if the word has not the element's size.
    pub(crate) fn as_words<W: bytemuck::AnyBitPattern>(&self) -> Result<&[W]> {
        let bytes =
            self.on_host()?.as_bytes().filter(|_| self.dtype().size() == Some(size_of::<W>()));
        let bytes = bytes.ok_or_else(|| Error::internal("words of another size"))?;
        // Storage is aligned to 16 bytes or to the size of an element, which suffices for every word.
        bytemuck::try_cast_slice(bytes).map_err(|e| err!(Internal, "{e}"))
    }

    /// The strings.
    ///
    /// # Errors
    /// `InvalidArgument` if the dtype is not `String`.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::from_strings([2], vec![b"one".to_vec(), b"two".to_vec()])?;
    /// assert_eq!(x.as_strings()?, &[b"one", b"two"]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn as_strings(&self) -> Result<&[Vec<u8>]> {
        let (owner, start) = self.owner();
        match owner {
            Owner::Strings(items) => Ok(&items[start..start + self.len()]),
            _ => Err(wrong_dtype(DType::String, self.dtype())),
        }
    }

    /// The boxed values.
    ///
    /// # Errors
    /// `InvalidArgument` if the dtype is not `Variant`.
    ///
    /// ```
    /// use extype::array::{Array, Variant};
    /// let x = Array::from_variants([1], vec![Variant::nothing()])?;
    /// assert_eq!(x.as_variants()?[0].value().kind(), "nothing");
    /// assert!(Array::scalar(1.0f32).as_variants().is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn as_variants(&self) -> Result<&[Variant]> {
        let (owner, start) = self.owner();
        match owner {
            Owner::Variants(items) => Ok(&items[start..start + self.len()]),
            _ => Err(wrong_dtype(DType::Variant, self.dtype())),
        }
    }

    /// The boxed values, mutably, if this is the only handle of the array.
    pub(crate) fn as_variants_mut(&mut self) -> Option<&mut [Variant]> {
        match &mut self.unique()?.owner {
            Owner::Variants(items) => Some(items),
            _ => None,
        }
    }

    /// The resource behind a handle.
    ///
    /// # Errors
    /// `InvalidArgument` if the dtype is not `Resource`.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// assert_eq!(v.handle().value()?.as_resource()?.kind(), "variable");
    /// assert!(Array::scalar(1.0f32).as_resource().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn as_resource(&self) -> Result<&Arc<dyn Resource>> {
        match &self.header().owner {
            Owner::Resource(r) => Ok(r),
            _ => Err(wrong_dtype(DType::Resource, self.dtype())),
        }
    }

    /// The raw little-endian bytes of a dtype of fixed size; `None` for the others, and if a device fails to give them.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::from_slice([2], &[1u16, 256])?;
    /// assert_eq!(x.as_bytes(), Some(&[1, 0, 0, 1][..]));
    /// assert_eq!(Array::from_strings([0], vec![])?.as_bytes(), None);
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn as_bytes(&self) -> Option<&[u8]> {
        let bytes = self.len() * self.dtype().size()?;
        let header = self.on_host().ok()?.header();
        // SAFETY: as in `as_slice`; elements have no padding.
        Some(unsafe { std::slice::from_raw_parts(header.data.as_ptr(), bytes) })
    }

    /// The storage of the elements, and the index of the array's first element in it.
    fn owner(&self) -> (&Owner, usize) {
        match &self.header().owner {
            Owner::View { base, start } => (&base.header().owner, *start),
            owner => (owner, 0),
        }
    }

    /// True if the elements lie in the array's own block.
    fn is_small(&self) -> bool {
        matches!(self.header().owner, Owner::Block)
    }

    /// The same elements under other sizes, sharing large storage.
    ///
    /// # Errors
    /// `InvalidArgument` if the number of elements differs.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::from_slice([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(x.reshape([3, 2])?.dims(), &[3, 2]);
    /// assert!(x.reshape([4]).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn reshape(&self, dims: impl IntoDims) -> Result<Array> {
        dims.with_dims(|dims| {
            if num_elements(dims, 1)? != self.len() {
                return Err(err!(
                    "cannot reshape {} elements of shape {} to shape {}",
                    self.len(),
                    self.shape(),
                    Shape::from(dims)
                ));
            }
            self.part(0, dims, self.len())
        })
    }

    /// The same data under a new identity. The handle of a resource stays the same.
    ///
    /// # Errors
    /// None in practice: the sizes are the array's own.
    pub(crate) fn renewed(&self) -> Result<Array> {
        if self.dtype() == DType::Resource { Ok(self.clone()) } else { self.reshape(self.dims()) }
    }

    /// Elements `start..start + product(dims)` in row-major order under these sizes, sharing
    /// large storage.
    ///
    /// # Errors
    /// `OutOfRange` if they go past the end.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::from_slice([3, 2], &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(x.view(2, [2, 2])?.as_slice::<i32>()?, &[3, 4, 5, 6]);
    /// assert!(x.view(4, [3]).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn view(&self, start: usize, dims: impl IntoDims) -> Result<Array> {
        dims.with_dims(|dims| {
            let len = num_elements(dims, 1)?;
            if start.checked_add(len).is_none_or(|end| end > self.len()) {
                return Err(err!(
                    OutOfRange,
                    "view of {len} elements at {start} of {}",
                    self.len()
                ));
            }
            self.part(start, dims, len)
        })
    }

    /// Elements `start..start + len`, which exist, under sizes that belong to `len`.
    fn part(&self, start: usize, dims: &[usize], len: usize) -> Result<Array> {
        if let Owner::Device(on) = &self.header().owner {
            return match len == self.len() {
                true => Self::over(self.dtype(), dims, len, Owner::Device(on.clone()), None),
                false => self.on_host()?.part(start, dims, len),
            };
        }
        let header = self.header();
        let mut data = None;
        if let (Some(size), Some(bytes)) = (header.dtype.size(), self.as_bytes()) {
            let part = &bytes[start * size..(start + len) * size];
            // Small slices are copied, so that they do not pin large buffers.
            if part.len() <= COPIED {
                return Self::of_bytes(header.dtype, dims, len, part);
            }
            // SAFETY: within the elements.
            data = Some(unsafe { header.data.add(start * size) });
        }
        let owner = match &header.owner {
            Owner::Resource(r) => Owner::Resource(r.clone()),
            Owner::View { base, start: first } => {
                Owner::View { base: base.clone(), start: first + start }
            }
            _ => Owner::View { base: self.clone(), start },
        };
        Self::over(header.dtype, dims, len, owner, data)
    }

    /// True if both have the same dtype, sizes and elements; bit for bit, so NaN equals itself.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::from_slice([2], &[f32::NAN, 0.0])?;
    /// assert!(x.identical(&Array::from_slice([2], &[f32::NAN, 0.0])?));
    /// assert!(!x.identical(&Array::from_slice([2], &[f32::NAN, -0.0])?));
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn identical(&self, other: &Array) -> bool {
        if self.dtype() != other.dtype() || self.dims() != other.dims() {
            return false;
        }
        match (self.as_bytes(), other.as_bytes()) {
            (Some(a), Some(b)) => a == b,
            _ => match (self.as_strings(), other.as_strings()) {
                (Ok(a), Ok(b)) => a == b,
                _ => self.id() == other.id(),
            },
        }
    }
}

#[cold]
fn wrong_dtype(asked: DType, is: DType) -> Error {
    err!("elements asked as {asked}, but the tensor's dtype is {is}; cast it first")
}

#[cfg(test)]
mod tests;
