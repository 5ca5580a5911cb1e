//! Concrete data: [`Array`], a dtype, sizes and reference-counted storage.
//!
//! An array is immutable and cheap to clone; a clone is the same array, and [`Array::id`] tells
//! two arrays apart however equal they are. Small data lies in the array's own allocation, large
//! data in recycled 64-byte aligned buffers that views share by offset. What enters are slices
//! and vectors, what leaves are slices: nothing here knows ops or graphs.

#![expect(unsafe_code, reason = "typed views of raw storage; see the safety notes")]

mod buffer;
mod convert;
mod element;
mod print;
mod resource;

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::sync::Arc;

use buffer::Buffer;
pub use buffer::set_pool_limit;
pub use convert::{DataElement, NestedData};
pub use element::{Element, HostScalar, Scalar};
pub use print::Formatted;
pub use resource::{Resource, Variant};
use smallvec::SmallVec;

use crate::types::{DType, Error, Result, Shape, TensorType, err};

/// Sizes of the dimensions of an array.
pub type Dims = SmallVec<[usize; 4]>;

/// Lists of sizes.
pub trait IntoDims {
    /// The sizes.
    fn into_dims(self) -> Dims;
}

impl IntoDims for Dims {
    fn into_dims(self) -> Dims {
        self
    }
}

impl IntoDims for &[usize] {
    #[inline]
    fn into_dims(self) -> Dims {
        Dims::from_slice(self)
    }
}

impl<const N: usize> IntoDims for [usize; N] {
    fn into_dims(self) -> Dims {
        Dims::from_slice(&self)
    }
}

impl IntoDims for Vec<usize> {
    fn into_dims(self) -> Dims {
        Dims::from_vec(self)
    }
}

/// Bytes that are kept in the array's own allocation.
const INLINE: usize = 64;

#[derive(Clone, Copy)]
#[repr(align(16))]
struct Inline([u8; INLINE]);

#[derive(Clone)]
enum Data {
    Inline(Inline),
    Heap { buffer: Arc<Buffer>, offset: usize },
    Strings { items: Arc<[Vec<u8>]>, offset: usize },
    Variants { items: Arc<[Variant]>, offset: usize },
    Resource(Arc<dyn Resource>),
}

struct Inner {
    dtype: DType,
    /// A plain number that has not met a tensor yet: ops give it their other operand's dtype.
    weak: bool,
    /// How many traces were open on the thread that made it.
    depth: u32,
    dims: Dims,
    data: Data,
}

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Tells arrays made from now on how many traces are open on this thread.
pub(crate) fn set_trace_depth(depth: u32) {
    DEPTH.set(depth);
}

/// An immutable, reference-counted array of any dtype: row-major and contiguous.
#[derive(Clone)]
pub struct Array(Arc<Inner>);

/// The number of elements of these sizes.
///
/// # Errors
/// `ResourceExhausted` if the product or the bytes overflow what can be addressed.
pub fn num_elements(dims: &[usize], size: usize) -> Result<usize> {
    let n = dims.iter().try_fold(1usize, |n, d| n.checked_mul(*d));
    // A zero hides an overflow of the others: nothing is allocated then, so it is fine.
    let n = if dims.contains(&0) { Some(0) } else { n };
    n.filter(|n| n.checked_mul(size.max(1)).is_some_and(|b| b <= isize::MAX as usize / 2))
        .ok_or_else(|| err!(ResourceExhausted, "an array of shape {:?} does not fit memory", dims))
}

impl Array {
    fn from_parts(dtype: DType, dims: Dims, data: Data) -> Self {
        Self(Arc::new(Inner { dtype, weak: false, depth: DEPTH.get(), dims, data }))
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.0.dtype
    }

    pub(crate) fn trace_depth(&self) -> u32 {
        self.0.depth
    }

    pub(crate) fn is_weak(&self) -> bool {
        self.0.weak
    }

    /// Marks an array that was just made, and that nobody shares yet.
    fn into_weak(mut self) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.weak = true;
        }
        self
    }

    /// The sizes of the dimensions.
    pub fn dims(&self) -> &[usize] {
        &self.0.dims
    }

    /// The sizes as a static shape.
    pub fn shape(&self) -> Shape {
        Shape::from(self.dims())
    }

    /// Dtype and shape.
    pub fn tensor_type(&self) -> TensorType {
        TensorType::new(self.dtype(), self.shape())
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.0.dims.len()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        // Wraps only beside a size of zero: every other product has been checked.
        self.0.dims.iter().fold(1, |n, d| n.wrapping_mul(*d))
    }

    /// True if there is no element.
    pub fn is_empty(&self) -> bool {
        self.0.dims.contains(&0)
    }

    /// What tells this array from every other that is alive; clones share it.
    pub fn id(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// The elements.
    ///
    /// # Errors
    /// `InvalidArgument` if `T` is not the array's element type.
    pub fn as_slice<T: Element>(&self) -> Result<&[T]> {
        if T::DTYPE != self.dtype() {
            return Err(wrong_dtype(T::DTYPE, self.dtype()));
        }
        let len = self.len();
        let bytes: *const u8 = match &self.0.data {
            Data::Inline(data) => data.0.as_ptr(),
            Data::Heap { buffer, offset } => buffer.as_ptr().wrapping_add(*offset),
            _ => return Err(Error::internal("plain dtype with boxed storage")),
        };
        // SAFETY: the constructors put `len` valid elements of the dtype there, the storage is
        // aligned to 16 bytes or more and outlives the borrow, and nothing writes to it while it
        // is shared (`from_writer` writes before the array exists).
        Ok(unsafe { std::slice::from_raw_parts(bytes.cast::<T>(), len) })
    }

    /// The elements as words of their size, for kernels that move them and don't compute.
    ///
    /// # Errors
    /// `Internal` if the word has not the element's size.
    pub(crate) fn as_words<W: bytemuck::AnyBitPattern>(&self) -> Result<&[W]> {
        let bytes = self.as_bytes().filter(|_| self.dtype().size() == Some(size_of::<W>()));
        let bytes = bytes.ok_or_else(|| Error::internal("words of another size"))?;
        // Storage is aligned to 16 bytes, which suffices for every word.
        bytemuck::try_cast_slice(bytes).map_err(|e| err!(Internal, "{e}"))
    }

    /// An array of any dtype whose elements a moving kernel fills with words of their size.
    pub(crate) fn from_moved<W: Element>(
        dtype: DType,
        dims: Dims,
        kernel: impl FnOnce(&mut [MaybeUninit<W>]) -> Result<()>,
    ) -> Result<Array> {
        let words = Self::from_kernel(dims, kernel)?;
        if dtype.size() != Some(size_of::<W>()) {
            return Err(Error::internal("words of another size"));
        }
        // The words came out of elements of this dtype, so they are valid elements of it.
        let Inner { dims, data, .. } = &*words.0;
        Ok(Self::from_parts(dtype, dims.clone(), data.clone()))
    }

    /// The strings.
    ///
    /// # Errors
    /// `InvalidArgument` if the dtype is not `String`.
    pub fn as_strings(&self) -> Result<&[Vec<u8>]> {
        match &self.0.data {
            Data::Strings { items, offset } => Ok(&items[*offset..*offset + self.len()]),
            _ => Err(wrong_dtype(DType::String, self.dtype())),
        }
    }

    /// The boxed values.
    ///
    /// # Errors
    /// `InvalidArgument` if the dtype is not `Variant`.
    pub fn as_variants(&self) -> Result<&[Variant]> {
        match &self.0.data {
            Data::Variants { items, offset } => Ok(&items[*offset..*offset + self.len()]),
            _ => Err(wrong_dtype(DType::Variant, self.dtype())),
        }
    }

    /// The resource behind a handle.
    ///
    /// # Errors
    /// `InvalidArgument` if the dtype is not `Resource`.
    pub fn as_resource(&self) -> Result<&Arc<dyn Resource>> {
        match &self.0.data {
            Data::Resource(r) => Ok(r),
            _ => Err(wrong_dtype(DType::Resource, self.dtype())),
        }
    }

    /// The raw little-endian bytes of a dtype of fixed size; `None` for the others.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        let len = self.len() * self.dtype().size()?;
        match &self.0.data {
            Data::Inline(data) => Some(&data.0[..len]),
            Data::Heap { buffer, offset } => Some(&buffer.as_bytes()[*offset..*offset + len]),
            _ => None,
        }
    }

    /// An array whose elements `write` fills. Memory is recycled: the slice starts with
    /// arbitrary, initialized elements (zeros for bool).
    ///
    /// # Errors
    /// What `write` returns; `ResourceExhausted` if the size overflows memory.
    pub fn from_writer<T: Element>(
        dims: impl IntoDims,
        write: impl FnOnce(&mut [T]) -> Result<()>,
    ) -> Result<Array> {
        let dims = dims.into_dims();
        let len = num_elements(&dims, size_of::<T>())?;
        let bytes = len * size_of::<T>();
        // Any bit pattern is a valid element but for bool, whose recycled bytes are cleared.
        let clear = T::DTYPE == DType::Bool;
        if bytes <= INLINE {
            // Made first and written in place: moving the bytes would cost more than most ops.
            let data = Data::Inline(Inline([0; INLINE]));
            let mut array =
                Arc::new(Inner { dtype: T::DTYPE, weak: false, depth: DEPTH.get(), dims, data });
            if let Some(Inner { data: Data::Inline(data), .. }) = Arc::get_mut(&mut array) {
                // SAFETY: `data` holds at least `len` elements, is aligned to 16, and is borrowed
                // for the call only; zeros are valid elements.
                write(unsafe { std::slice::from_raw_parts_mut(data.0.as_mut_ptr().cast(), len) })?;
            }
            return Ok(Self(array));
        }
        let mut buffer = Buffer::new(bytes)?;
        if clear {
            buffer.as_mut_bytes()[..bytes].fill(0);
        }
        // SAFETY: the buffer holds at least `len` elements, is aligned to 16 or more, is not
        // shared yet, and its bytes are initialized (see `Buffer`).
        write(unsafe {
            std::slice::from_raw_parts_mut(buffer.as_mut_bytes().as_mut_ptr().cast(), len)
        })?;
        Ok(Self::from_parts(T::DTYPE, dims, Data::Heap { buffer: Arc::new(buffer), offset: 0 }))
    }

    /// [`from_writer`](Self::from_writer) for kernels, which write to maybe-uninitialized memory.
    /// The memory is initialized all the same, so a kernel that left a gap would show stale
    /// numbers, never undefined behaviour.
    pub(crate) fn from_kernel<T: Element>(
        dims: impl IntoDims,
        kernel: impl FnOnce(&mut [MaybeUninit<T>]) -> Result<()>,
    ) -> Result<Array> {
        Self::from_writer(dims, |out: &mut [T]| {
            // SAFETY: same layout; kernels only ever store elements into the slice.
            kernel(unsafe { &mut *(std::ptr::from_mut(out) as *mut [MaybeUninit<T>]) })
        })
    }

    /// An array of these elements in row-major order.
    ///
    /// # Errors
    /// `InvalidArgument` if the number of elements does not fit the sizes.
    pub fn from_slice<T: Element>(dims: impl IntoDims, data: &[T]) -> Result<Array> {
        let dims = dims.into_dims();
        check_len(&dims, data.len())?;
        Self::from_writer(dims, |out: &mut [T]| {
            out.copy_from_slice(data);
            Ok(())
        })
    }

    /// A rank-0 array.
    pub fn scalar<T: Element>(value: T) -> Array {
        let mut data = Inline([0; INLINE]);
        data.0[..size_of::<T>()].copy_from_slice(value.as_bytes());
        Self::from_parts(T::DTYPE, Dims::new(), Data::Inline(data))
    }

    /// A string array.
    ///
    /// # Errors
    /// `InvalidArgument` if the number of strings does not fit the sizes.
    pub fn from_strings(dims: impl IntoDims, items: Vec<Vec<u8>>) -> Result<Array> {
        let dims = dims.into_dims();
        check_len(&dims, items.len())?;
        let data = Data::Strings { items: items.into(), offset: 0 };
        Ok(Self::from_parts(DType::String, dims, data))
    }

    /// An array of boxed values.
    ///
    /// # Errors
    /// `InvalidArgument` if the number of values does not fit the sizes.
    pub fn from_variants(dims: impl IntoDims, items: Vec<Variant>) -> Result<Array> {
        let dims = dims.into_dims();
        check_len(&dims, items.len())?;
        let data = Data::Variants { items: items.into(), offset: 0 };
        Ok(Self::from_parts(DType::Variant, dims, data))
    }

    /// The scalar handle of a resource.
    pub fn from_resource(resource: Arc<dyn Resource>) -> Array {
        Self::from_parts(DType::Resource, Dims::new(), Data::Resource(resource))
    }

    /// An array of a dtype of fixed size from its raw little-endian bytes.
    ///
    /// # Errors
    /// `InvalidArgument` if the dtype has no fixed size, the bytes do not fit the sizes, or a
    /// bool is neither 0 nor 1.
    pub fn from_bytes(dtype: DType, dims: impl IntoDims, bytes: &[u8]) -> Result<Array> {
        let dims = dims.into_dims();
        let size = dtype.size().ok_or_else(|| err!("{dtype} has no fixed element size"))?;
        let len = num_elements(&dims, size)?;
        if len * size != bytes.len() {
            return Err(err!("{} bytes given for {len} elements of {dtype}", bytes.len()));
        }
        if dtype == DType::Bool && bytes.iter().any(|b| *b > 1) {
            return Err(err!("a bool is 0 or 1"));
        }
        let data = if bytes.len() <= INLINE {
            let mut data = Inline([0; INLINE]);
            data.0[..bytes.len()].copy_from_slice(bytes);
            Data::Inline(data)
        } else {
            let mut buffer = Buffer::new(bytes.len())?;
            buffer.as_mut_bytes()[..bytes.len()].copy_from_slice(bytes);
            Data::Heap { buffer: Arc::new(buffer), offset: 0 }
        };
        Ok(Self::from_parts(dtype, dims, data))
    }

    /// The same elements under other sizes, sharing large storage.
    ///
    /// # Errors
    /// `InvalidArgument` if the number of elements differs.
    pub fn reshape(&self, dims: impl IntoDims) -> Result<Array> {
        let dims = dims.into_dims();
        if num_elements(&dims, 1)? != self.len() {
            return Err(err!(
                "cannot reshape {} elements of shape {} to shape {}",
                self.len(),
                self.shape(),
                Shape::from(&dims[..])
            ));
        }
        Ok(Self::from_parts(self.dtype(), dims, self.0.data.clone()))
    }

    /// The same data under an identity of its own; a handle stays the handle it is.
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
    pub fn view(&self, start: usize, dims: impl IntoDims) -> Result<Array> {
        let dims = dims.into_dims();
        let len = num_elements(&dims, 1)?;
        if start.checked_add(len).is_none_or(|end| end > self.len()) {
            return Err(err!(OutOfRange, "view of {len} elements at {start} of {}", self.len()));
        }
        let size = self.dtype().size().unwrap_or(1);
        let data = match &self.0.data {
            Data::Inline(data) => {
                let mut out = Inline([0; INLINE]);
                out.0[..len * size].copy_from_slice(&data.0[start * size..(start + len) * size]);
                Data::Inline(out)
            }
            // A slice that is small or not aligned for vector loads is copied, so that every
            // array is aligned and small views do not pin large buffers.
            Data::Heap { buffer, offset } => {
                let (from, bytes) = (offset + start * size, len * size);
                if bytes <= INLINE || !from.is_multiple_of(16) {
                    let copied = &buffer.as_bytes()[from..from + bytes];
                    return Self::from_bytes(self.dtype(), dims, copied);
                }
                Data::Heap { buffer: buffer.clone(), offset: from }
            }
            Data::Strings { items, offset } => {
                Data::Strings { items: items.clone(), offset: offset + start }
            }
            Data::Variants { items, offset } => {
                Data::Variants { items: items.clone(), offset: offset + start }
            }
            Data::Resource(r) => Data::Resource(r.clone()),
        };
        Ok(Self::from_parts(self.dtype(), dims, data))
    }

    /// True if both have the same dtype, sizes and elements; bit for bit, so NaN equals itself.
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

fn check_len(dims: &[usize], len: usize) -> Result<()> {
    let want = num_elements(dims, 1)?;
    if want != len {
        return Err(err!("{len} elements given for shape {}", Shape::from(dims)));
    }
    Ok(())
}

#[cold]
fn wrong_dtype(asked: DType, is: DType) -> Error {
    err!("elements asked as {asked}, but the tensor's dtype is {is}; cast it first")
}

#[cfg(test)]
mod tests;
