//! Arrays that are being written, and reuse of the storage of arrays that are not shared.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use extype_kernels::fused::{Input, Type};

use super::block::Draft;
use super::{Array, Dims, Element, IntoDims, num_elements};
use crate::types::{DType, Error, Result};

/// The memory of an array whose elements are being written: see [`Array::reuse`].
///
/// ```
/// use extype::array::Writer;
/// let mut w = Writer::<f32>::new([2])?;
/// w.as_mut_slice().copy_from_slice(&[1.0, 2.0]);
/// assert_eq!(w.finish()?.as_slice::<f32>()?, &[1.0, 2.0]);
/// # Ok::<(), extype::Error>(())
/// ```
pub struct Writer<T: Element> {
    any: AnyWriter,
    element: PhantomData<T>,
}

impl<T: Element> Writer<T> {
    /// Memory for an array of these sizes.
    ///
    /// # Errors
    /// `ResourceExhausted` if there is not enough.
    ///
    /// ```
    /// use extype::array::Writer;
    /// let mut zeros = Writer::<f64>::new([2, 3])?;
    /// zeros.as_mut_slice().fill(0.0);
    /// assert_eq!(zeros.finish()?.dims(), &[2, 3]);
    /// assert!(Writer::<f64>::new([usize::MAX]).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[inline]
    pub fn new(dims: impl IntoDims) -> Result<Self> {
        dims.with_dims(Self::sized)
    }

    /// Compiled once for each element type, since there are many kernels.
    fn sized(dims: &[usize]) -> Result<Self> {
        AnyWriter::sized(T::DTYPE, size_of::<T>(), dims).map(Self::of)
    }

    /// The elements that are being written, which are of this type.
    #[inline(always)]
    pub(crate) fn of(any: AnyWriter) -> Self {
        Self { any, element: PhantomData }
    }

    /// The elements. They are arbitrary at first; bools are false.
    ///
    /// ```
    /// use extype::array::Writer;
    /// let mut squares = Writer::<i64>::new([4])?;
    /// squares.as_mut_slice().iter_mut().zip(0..).for_each(|(x, n)| *x = n * n);
    /// assert_eq!(squares.finish()?.as_slice::<i64>()?, &[0, 1, 4, 9]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        if !self.any.valid {
            // Recycled bytes may not be valid bools.
            self.any.draft.bytes_mut().fill(0);
            self.any.valid = true;
        }
        // SAFETY: the elements are of this type; they are initialized, and valid: see `valid`.
        unsafe { elements(self.any.draft.words_mut()) }
    }

    /// The elements for a kernel, which only writes them. The memory is initialized nevertheless: if
    /// a kernel leaves a gap, stale numbers show, but there is no undefined behaviour.
    #[inline]
    pub(crate) fn out(&mut self) -> &mut [MaybeUninit<T>] {
        self.any.valid = T::DTYPE != DType::Bool;
        // SAFETY: the elements are of this type.
        unsafe { self.any.draft.words_mut() }
    }

    /// The array.
    ///
    /// # Errors
    /// `Internal` if a kernel left a gap in an array of bools, and the bytes there are no bools.
    ///
    /// ```
    /// use extype::array::Writer;
    /// let mut mask = Writer::<bool>::new([3])?;
    /// mask.as_mut_slice()[1] = true;
    /// let mask = mask.finish()?;
    /// assert_eq!(mask.as_slice::<bool>()?, &[false, true, false]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[inline(always)]
    pub fn finish(self) -> Result<Array> {
        self.any.finish()
    }

    /// [`finish`](Self::finish), with the words as elements of a dtype of the same size.
    ///
    /// # Errors
    /// As [`finish`](Self::finish); `Internal` if words and elements differ in size.
    pub(crate) fn finish_as(mut self, dtype: DType) -> Result<Array> {
        if dtype.size() != Some(size_of::<T>()) {
            return Err(Error::internal("words of another size"));
        }
        self.any.draft.relabel(dtype);
        self.any.valid = dtype != DType::Bool;
        self.any.finish()
    }
}

impl Array {
    /// The elements as an operand of a chain of block functions.
    ///
    /// # Errors
    /// `Internal` if the dtype has no such elements.
    #[inline]
    pub(crate) fn block_input(&self) -> Result<Input<'_>> {
        let bytes = self.on_host()?.as_bytes().zip(block_type(self.dtype()));
        let (bytes, ty) = bytes.ok_or_else(|| Error::internal("elements without a type"))?;
        // SAFETY: the elements are valid and aligned, and of the type that belongs to the dtype.
        Ok(unsafe { Input::of_bytes(bytes, ty) })
    }
}

/// The element type of blocks of a dtype; `None` for dtypes without elements of one size.
pub(crate) fn block_type(dtype: DType) -> Option<Type> {
    super::with_element!(tabled, dtype, T => Some(Type::of::<T>()), else None)
}

/// A [`Writer`] of elements whose type is known at run time only.
pub(crate) struct AnyWriter {
    draft: Draft,
    /// True if every element is known to be valid. All bits are valid, except for bool.
    valid: bool,
}

impl AnyWriter {
    /// Memory for an array of these sizes.
    ///
    /// # Errors
    /// `ResourceExhausted` if there is not enough; `Internal` for a dtype without a size.
    pub(crate) fn new(dtype: DType, dims: &[usize]) -> Result<Self> {
        let size = dtype.size().ok_or_else(|| Error::internal("elements of no size"))?;
        Self::sized(dtype, size, dims)
    }

    /// [`new`](Self::new) for elements of this size.
    #[inline(always)]
    fn sized(dtype: DType, size: usize, dims: &[usize]) -> Result<Self> {
        let len = num_elements(dims, size)?;
        Ok(Self::of(dtype, Draft::new(dtype, dims, len, len * size)?))
    }

    #[inline(always)]
    fn of(dtype: DType, draft: Draft) -> Self {
        Self { draft, valid: dtype != DType::Bool }
    }

    /// A copy of an array, to be changed.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(crate) fn copy_of(array: &Array) -> Result<Self> {
        let array = array.on_host()?;
        let mut copy = Self::new(array.dtype(), array.dims())?;
        copy.bytes_mut().copy_from_slice(array.as_bytes().unwrap_or_default());
        copy.valid = true;
        Ok(copy)
    }

    /// The elements, if they are known to be valid and of this type.
    pub(crate) fn elements_mut<T: Element>(&mut self) -> Option<&mut [T]> {
        let known = self.valid && self.draft.dtype() == T::DTYPE;
        // SAFETY: the elements are of this type, initialized and valid.
        known.then(|| unsafe { elements(self.draft.words_mut()) })
    }

    /// The bytes of the elements for a kernel, which only writes them. In new memory they are arbitrary.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        self.valid = self.draft.dtype() != DType::Bool;
        self.draft.bytes_mut()
    }

    /// The array.
    ///
    /// # Errors
    /// `Internal` for bools whose bytes are no bools.
    #[inline(always)]
    pub(crate) fn finish(mut self) -> Result<Array> {
        if !self.valid {
            check_bools(self.draft.bytes_mut())?;
        }
        // SAFETY: any bits are valid elements but for bool, and those have been checked.
        Ok(unsafe { self.draft.finish() })
    }
}

/// # Safety
/// The elements are initialized and valid.
unsafe fn elements<T>(out: &mut [MaybeUninit<T>]) -> &mut [T] {
    // SAFETY: the same layout; as this function requires.
    unsafe { &mut *(std::ptr::from_mut(out) as *mut [T]) }
}

/// Refuses bytes that are no bools. Checking bytes that were just written is cheaper than clearing them before.
fn check_bools(bytes: &[u8]) -> Result<()> {
    // Without a branch, so that it is vectorized.
    if bytes.iter().fold(0, |all, b| all | b) > 1 {
        return Err(Error::internal("a kernel left a gap among bools"));
    }
    Ok(())
}

/// The number of elements that are copied at a time before they are rewritten, so that they stay in the first cache.
const BLOCK: usize = 512;

/// Runs a kernel on one element and returns what it wrote.
#[inline]
pub(crate) fn stored<T: Element>(kernel: impl FnOnce(&mut [MaybeUninit<T>])) -> T {
    let mut element = [T::default()];
    // SAFETY: both are of one layout, and what a kernel stores are elements; if it stores none, the one that is
    // there is initialized.
    kernel(unsafe { &mut *(&raw mut element).cast::<[MaybeUninit<T>; 1]>() });
    element[0]
}

impl Array {
    /// An array whose elements `write` fills. Memory is recycled: the slice starts with
    /// arbitrary, initialized elements (false for bool).
    ///
    /// # Errors
    /// What `write` returns; `ResourceExhausted` if the size overflows memory.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::from_writer([3], |out: &mut [f32]| {
    ///     out.copy_from_slice(&[0.5, 1.5, 2.5]);
    ///     Ok(())
    /// })?;
    /// assert_eq!(x.as_slice::<f32>()?, &[0.5, 1.5, 2.5]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[inline]
    pub fn from_writer<T: Element>(
        dims: impl IntoDims,
        write: impl FnOnce(&mut [T]) -> Result<()>,
    ) -> Result<Array> {
        let mut writer = Writer::new(dims)?;
        write(writer.as_mut_slice())?;
        writer.finish()
    }

    /// [`from_writer`](Self::from_writer) for kernels, which only write elements: the memory is not
    /// cleared.
    ///
    /// # Errors
    /// As [`from_writer`](Self::from_writer).
    #[inline]
    pub(crate) fn from_kernel<T: Element>(
        dims: impl IntoDims,
        kernel: impl FnOnce(&mut [MaybeUninit<T>]) -> Result<()>,
    ) -> Result<Array> {
        let mut writer = Writer::new(dims)?;
        kernel(writer.out())?;
        writer.finish()
    }

    /// Reuses the memory of this array for a new array with the same number of bytes. The old elements
    /// are lost. If the array is small, the new one gets other memory, and the old memory goes back to
    /// the free list.
    ///
    /// # Errors
    /// The array itself, if it or its storage is shared, or the number of bytes differs.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::from_slice([1000], &[1.5f32; 1000])?;
    /// let at = x.as_slice::<f32>()?.as_ptr() as usize;
    /// let mut w = x.reuse::<i32>([10, 100]).expect("nobody else holds it");
    /// w.as_mut_slice().fill(7);
    /// let y = w.finish()?;
    /// assert_eq!(y.as_slice::<i32>()?, &[7; 1000]);
    /// assert_eq!(y.as_slice::<i32>()?.as_ptr() as usize, at);
    /// assert!(y.clone().reuse::<f32>([1000]).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn reuse<T: Element>(self, dims: impl IntoDims) -> std::result::Result<Writer<T>, Array> {
        dims.with_dims(|dims| self.reuse_as(T::DTYPE, dims)).map(Writer::of)
    }

    /// [`reuse`](Self::reuse) for a dtype that is known at run time only.
    ///
    /// # Errors
    /// As [`reuse`](Self::reuse).
    pub(crate) fn reuse_as(
        self,
        dtype: DType,
        dims: &[usize],
    ) -> std::result::Result<AnyWriter, Array> {
        let Some(size) = dtype.size() else { return Err(self) };
        let Ok(len) = num_elements(dims, size) else { return Err(self) };
        if !self.is_unique() || self.as_bytes().map(<[u8]>::len) != Some(len * size) {
            return Err(self);
        }
        let draft = if self.is_small() {
            Draft::new(dtype, dims, len, len * size).map_err(|_| self)
        } else {
            self.take_storage(dtype, dims, len)
        };
        draft.map(|draft| AnyWriter::of(dtype, draft))
    }

    /// Changes the elements where they lie. `f` looks at their size only. False, with the array as it was, if the array or
    /// its storage is shared, or if its elements have another size. If `f` panics, what it has written stays.
    pub(crate) fn change<W: Element>(&mut self, f: impl FnOnce(&mut [MaybeUninit<W>])) -> bool {
        /// Puts the elements back, also while a panic passes.
        struct Back<'a>(&'a mut Array, Option<Draft>);
        impl Drop for Back<'_> {
            fn drop(&mut self) {
                if let Some(draft) = self.1.take() {
                    // SAFETY: the elements were initialized, and were changed by elements of arrays of the same dtype.
                    *self.0 = unsafe { draft.finish() };
                }
            }
        }

        if self.dtype().size() != Some(size_of::<W>()) || !self.is_unique() {
            return false;
        }
        match std::mem::replace(self, Array::scalar(false)).own_draft() {
            Ok(draft) => {
                let mut back = Back(self, Some(draft));
                if let Some(draft) = &mut back.1 {
                    // SAFETY: the elements have this size; `f` only ever stores elements of arrays of the same dtype.
                    f(unsafe { draft.words_mut() });
                }
                true
            }
            Err(same) => {
                *self = same;
                false
            }
        }
    }

    /// [`change`](Self::change) of elements of this type.
    pub(crate) fn change_elements<T: Element>(&mut self, f: impl FnOnce(&mut [T])) -> bool {
        // SAFETY: the elements are those of the array, whose type has been checked.
        self.dtype() == T::DTYPE && self.change(|out| f(unsafe { elements(out) }))
    }

    /// The same elements in memory that can be written: this array's own, which nobody else holds.
    fn own_draft(self) -> std::result::Result<Draft, Array> {
        let (dtype, dims, len) = (self.dtype(), Dims::from_slice(self.dims()), self.len());
        if !self.is_small() {
            return self.take_storage(dtype, &dims, len);
        }
        let bytes = self.as_bytes().unwrap_or_default();
        let Ok(mut draft) = Draft::new(dtype, &dims, len, bytes.len()) else { return Err(self) };
        draft.bytes_mut().copy_from_slice(bytes);
        Ok(draft)
    }

    /// A new array with the elements as changed by `f`, in the memory of this one.
    ///
    /// # Errors
    /// The array itself, if it or its storage is shared, or if `T` is not its element type. `f` is
    /// not called then.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::from_slice([3], &[1.0f32, 2.0, 3.0])?;
    /// let y = x.map_in_place(|x: &mut [f32]| x.iter_mut().for_each(|x| *x *= 2.0)).unwrap();
    /// assert_eq!(y.as_slice::<f32>()?, &[2.0, 4.0, 6.0]);
    /// let kept = y.clone();
    /// assert!(y.map_in_place(|x: &mut [f32]| x.fill(0.0)).is_err());
    /// assert_eq!(kept.as_slice::<f32>()?, &[2.0, 4.0, 6.0]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn map_in_place<T: Element>(
        mut self,
        f: impl FnOnce(&mut [T]),
    ) -> std::result::Result<Array, Array> {
        if self.change_elements(f) { Ok(self) } else { Err(self) }
    }

    /// [`map_in_place`](Self::map_in_place) for kernels, which read one slice and write another. It
    /// works block by block, and copies each block before it is written. The kernel gets the start of
    /// the block.
    ///
    /// # Errors
    /// As [`map_in_place`](Self::map_in_place).
    pub(crate) fn rewrite_in_place<T: Element>(
        self,
        mut kernel: impl FnMut(usize, &[T], &mut [MaybeUninit<T>]),
    ) -> std::result::Result<Array, Array> {
        self.map_in_place(|data: &mut [T]| {
            let mut copy = [T::default(); BLOCK];
            for (i, block) in data.chunks_mut(BLOCK).enumerate() {
                let copy = &mut copy[..block.len()];
                copy.copy_from_slice(block);
                // SAFETY: the same layout; kernels only ever store elements into the slice.
                let out = unsafe { &mut *(std::ptr::from_mut(block) as *mut [MaybeUninit<T>]) };
                kernel(i * BLOCK, copy, out);
            }
        })
    }
}
