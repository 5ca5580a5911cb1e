//! The call that a kernel computes, and the storage for its results.

use std::cell::RefCell;
use std::mem::MaybeUninit;

use extype_kernels as k;
use smallvec::SmallVec;

use super::{Attr, AttrKey, Attrs};
use crate::array::{AnyWriter, Array, Element, Writer, num_elements};
use crate::types::{DType, Error, Result, err};

/// The call that a kernel computes. The number and dtypes of the inputs are those of the definition.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct KernelContext<'a> {
    /// The inputs.
    pub inputs: &'a [&'a Array],
    /// The attributes.
    pub attrs: &'a Attrs,
    spare: Option<&'a Spare>,
    /// Whether the work may use the thread pool.
    pub(crate) par: k::Par,
}

/// Arrays that are not needed any more, whose storage may be reused for results.
#[derive(Default, Debug)]
pub struct Spare(RefCell<SmallVec<[Array; 4]>>);

/// The most arrays that are kept.
const MOST_SPARED: usize = 4;

impl Spare {
    /// Arrays with fewer bytes are not kept: the array floor recycles them.
    pub const SMALLEST: usize = 1 << 10;

    /// Keeps an array, if its storage can be taken over and is large.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{Attrs, KernelContext, Spare};
    /// use extype::prelude::*;
    /// let (attrs, spare) = (Attrs::new(), Spare::default());
    /// let used = Array::from_slice([1000], &[0.0f32; 1000])?;
    /// let at = used.as_slice::<f32>()?.as_ptr() as usize;
    /// spare.keep(used);
    /// let c = KernelContext::new(&[], &attrs).with_spare(&spare);
    /// let y = c.output_slice(&[1000], |out: &mut [f32]| Ok(out.fill(1.0)))?;
    /// assert_eq!(y.as_slice::<f32>()?.as_ptr() as usize, at);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn keep(&self, array: Array) {
        let is_large = || array.as_bytes().is_some_and(|b| b.len() >= Self::SMALLEST);
        if array.is_unique() && is_large() {
            let mut kept = self.0.borrow_mut();
            if kept.len() == MOST_SPARED {
                kept.remove(0);
            }
            kept.push(array);
        }
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// Memory for an array of these sizes: that of a kept array if one fits, otherwise new.
    #[inline(never)]
    pub(crate) fn writer(&self, dtype: DType, dims: &[usize]) -> Result<AnyWriter> {
        let size = dtype.size().unwrap_or(0);
        let bytes = num_elements(dims, size)? * size;
        let kept = (bytes >= Self::SMALLEST).then(|| self.take(bytes)).flatten();
        match kept.map(|array| array.reuse_as(dtype, dims)) {
            Some(Ok(writer)) => Ok(writer),
            _ => AnyWriter::new(dtype, dims),
        }
    }

    /// A kept array with this many bytes, if there is one.
    fn take(&self, bytes: usize) -> Option<Array> {
        let mut kept = self.0.borrow_mut();
        let i = kept.iter().rposition(|a| a.as_bytes().is_some_and(|b| b.len() == bytes))?;
        Some(kept.swap_remove(i))
    }
}

impl<'a> KernelContext<'a> {
    /// A call with these inputs and attributes.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{Attrs, KernelContext, find_op};
    /// use extype::prelude::*;
    /// let (x, attrs) = (Array::from_slice([2], &[1.0f32, 4.0])?, Attrs::new());
    /// let y = find_op("Sqrt")?.kernel.run_one(&KernelContext::new(&[&x], &attrs))?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(inputs: &'a [&'a Array], attrs: &'a Attrs) -> Self {
        Self { inputs, attrs, spare: None, par: k::Par::Pool }
    }

    /// The same with storage for results.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{Attrs, KernelContext, Spare, find_op};
    /// use extype::prelude::*;
    /// let (x, attrs) = (Array::from_slice([1000], &[4.0f32; 1000])?, Attrs::new());
    /// let spare = Spare::default();
    /// spare.keep(Array::zeros(f32, [1000])?);
    /// let y = find_op("Sqrt")?.kernel.run_one(&KernelContext::new(&[&x], &attrs).with_spare(&spare))?;
    /// assert_eq!(y.as_slice::<f32>()?, &[2.0; 1000]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn with_spare(mut self, spare: &'a Spare) -> Self {
        self.spare = Some(spare);
        self
    }

    /// The same with the work on the thread pool (the default), or on the calling thread alone: a
    /// computation that holds a lock must stay on its thread. Obeyed by all kinds of kernels except
    /// [`General`](super::Kernel::General), [`Elementwise`](super::Kernel::Elementwise) and
    /// [`SelfChecked`](super::Kernel::SelfChecked).
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{find_op, kernels::Par, Attrs, KernelContext};
    /// use extype::prelude::*;
    /// let (x, attrs) = (Array::from_slice([2], &[1.0f32, 4.0])?, Attrs::new());
    /// let y = find_op("Sqrt")?.kernel.run_one(&KernelContext::new(&[&x], &attrs).on(Par::Seq))?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn on(mut self, par: k::Par) -> Self {
        self.par = par;
        self
    }

    /// Input `i`.
    ///
    /// # Panics
    /// If there are fewer inputs; their number is checked before a kernel runs.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{Attrs, KernelContext};
    /// use extype::prelude::*;
    /// let (x, y, attrs) = (Array::scalar(1.0f32), Array::scalar(2.0f32), Attrs::new());
    /// let inputs = [&x, &y];
    /// assert_eq!(KernelContext::new(&inputs, &attrs).input(1).as_slice::<f32>()?, &[2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn input(&self, i: usize) -> &'a Array {
        self.inputs[i]
    }

    /// The call without its first input.
    pub(super) fn others(self) -> Self {
        Self { inputs: &self.inputs[1..], ..self }
    }

    /// An attribute.
    ///
    /// # Errors
    /// `InvalidArgument` if it is missing or of another kind.
    ///
    /// ```
    /// use extype::ir::{AttrKey, Attrs, KEEP_DIMS, KernelContext};
    /// use extype::prelude::*;
    /// let attrs = Attrs::new().with(KEEP_DIMS, &true);
    /// let c = KernelContext::new(&[], &attrs);
    /// assert!(c.get(KEEP_DIMS)?);
    /// assert!(c.get(AttrKey::<i64>::new("axis")).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn get<T: Attr>(&self, key: AttrKey<T>) -> Result<T> {
        self.attrs.get(key)
    }

    /// [`output_slice`](Self::output_slice) for kernels that only write elements.
    ///
    /// # Errors
    /// As [`output_slice`](Self::output_slice); `Internal` for bools that `write` left out, if that is detected.
    #[inline]
    pub(crate) fn output<T: Element>(
        &self,
        dims: &[usize],
        write: impl FnOnce(&mut [MaybeUninit<T>]) -> Result<()>,
    ) -> Result<Array> {
        let mut writer = self.writer(dims)?;
        write(writer.out())?;
        writer.finish()
    }

    /// A result that `write` fills, in the storage of a spare array if one fits. The elements are
    /// arbitrary at first, or false for bool.
    ///
    /// # Errors
    /// What `write` refuses; `ResourceExhausted` if there is no memory for it.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{KernelContext, Outputs};
    /// use extype::prelude::*;
    /// fn sums(c: &KernelContext<'_>) -> Result<Outputs> {
    ///     let x = c.input(0).as_slice::<f32>()?;
    ///     let sums = c.output_slice(c.input(0).dims(), |out: &mut [f32]| {
    ///         out.copy_from_slice(x);
    ///         (1..out.len()).for_each(|i| out[i] += out[i - 1]);
    ///         Ok(())
    ///     })?;
    ///     Ok([sums].into())
    /// }
    /// let (x, attrs) = (Array::from_slice([3], &[1.0f32, 2.0, 3.0])?, extype::ir::Attrs::new());
    /// assert_eq!(sums(&KernelContext::new(&[&x], &attrs))?[0].as_slice::<f32>()?, &[1.0, 3.0, 6.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn output_slice<T: Element>(
        &self,
        dims: &[usize],
        write: impl FnOnce(&mut [T]) -> Result<()>,
    ) -> Result<Array> {
        let mut writer = self.writer(dims)?;
        write(writer.as_mut_slice())?;
        writer.finish()
    }

    /// [`output`](Self::output) of any dtype. `write` stores elements as words of their size, for
    /// kernels that move elements without computing.
    ///
    /// # Errors
    /// As [`output`](Self::output); `Internal` if words and elements differ in size.
    pub(crate) fn output_as<W: Element>(
        &self,
        dtype: DType,
        dims: &[usize],
        write: impl FnOnce(&mut [MaybeUninit<W>]) -> Result<()>,
    ) -> Result<Array> {
        let mut writer = self.writer::<W>(dims)?;
        write(writer.out())?;
        writer.finish_as(dtype)
    }

    #[inline(always)]
    fn writer<T: Element>(&self, dims: &[usize]) -> Result<Writer<T>> {
        match self.spare.filter(|spare| !spare.is_empty()) {
            Some(spare) => spare.writer(T::DTYPE, dims).map(Writer::of),
            None => Writer::new(dims),
        }
    }
}

/// The error of a call that no kernel serves.
///
/// ```
/// use extype::array::Array;
/// use extype::ir::{Attrs, KernelContext, no_kernel};
/// use extype::prelude::*;
/// let (x, attrs) = (Array::scalar(true), Attrs::new());
/// let e = no_kernel(&KernelContext::new(&[&x], &attrs));
/// assert_eq!(e.kind(), ErrorKind::Unimplemented);
/// assert_eq!(e.message(), "no kernel for inputs of type (bool[])");
/// # Ok::<(), Error>(())
/// ```
pub fn no_kernel(context: &KernelContext<'_>) -> Error {
    let types: Vec<String> = context.inputs.iter().map(|a| a.tensor_type().to_string()).collect();
    err!(Unimplemented, "no kernel for inputs of type ({})", types.join(", "))
}
