//! Parts of tensors and variables replaced by slices, in place where nobody else holds the elements.

use std::mem::MaybeUninit;

use extype_kernels::movement::{gather_rows, strided_assign};
use extype_kernels::table::{Table, ZipSignature, binary};
use smallvec::SmallVec;

use super::kernel::{Spread, View, slice_view};
use crate::array::{Array, Element, extent};
use crate::ir::{Attrs, Kernel, KernelContext, OpDef, only};
use crate::ops::rules::moves::{Move, Moved, Strided, moved, row_major};
use crate::ops::{
    IndexList, NamedOp as _, Op as _, StridedSlice, StridedSliceAdd, StridedSliceAssign,
    StridedSliceSub, StridedSliceUpdate, index_update,
};
use crate::tensor::{Tensor, TensorLike, Variable, call_site, execute, fitted, is_active};
use crate::types::{DType, Result, Shape, bail};

impl From<StridedSlice> for StridedSliceUpdate {
    fn from(slice: StridedSlice) -> Self {
        let StridedSlice {
            begin_mask,
            end_mask,
            ellipsis_mask,
            new_axis_mask,
            shrink_axis_mask,
            begin,
            end,
            strides,
        } = slice;
        Self {
            begin_mask,
            end_mask,
            ellipsis_mask,
            new_axis_mask,
            shrink_axis_mask,
            begin,
            end,
            strides,
        }
    }
}

impl Tensor {
    /// The tensor with the part that a slice takes replaced by `value`, which broadcasts to the shape of the part.
    /// Indices are those of [`index`](crate::ops::index()).
    ///
    /// In a traced function the elements stay where they are if nothing else uses the tensor, so a loop that
    /// replaces rows one by one takes no longer than to write the rows.
    ///
    /// NumPy: `x[…] = value`; JAX: `x.at[…].set(value)`; TensorFlow: `TensorStridedSliceUpdate`.
    ///
    /// # Errors
    /// `InvalidArgument` for an index out of bounds, a value of another dtype, and a shape that does not broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(x.with(0, 9)?.as_slice::<i32>()?, &[9, 9, 9, 4, 5, 6]);
    /// assert_eq!(x.with((.., 0), [7, 8])?.as_slice::<i32>()?, &[7, 2, 3, 8, 5, 6]);
    /// assert_eq!(x.with((1, 1..), &tensor![0, 0])?.as_slice::<i32>()?, &[1, 2, 3, 4, 0, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn with(&self, at: impl IndexList, value: impl TensorLike) -> Result<Tensor> {
        let _site = call_site!();
        index_update(self, &*value.lend()?, at)
    }

    /// Replaces the part that a slice takes by `value`, as [`with`](Self::with), in place if nobody else holds the
    /// elements. In a traced function `x[…] = value` is the same.
    ///
    /// # Errors
    /// As `with`; the tensor is then as before.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let mut x = tensor![[1, 2, 3], [4, 5, 6]];
    /// x.set((.., 1..), 0)?;
    /// assert_eq!(x.as_slice::<i32>()?, &[1, 0, 0, 4, 0, 0]);
    /// assert!(x.set(2, 0).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn set(&mut self, at: impl IndexList, value: impl TensorLike) -> Result<()> {
        let _site = call_site!();
        let at = at.entries();
        let value = value.lend()?;
        if let Tensor::Value(own) = self
            && !is_active()
            && let Tensor::Value(new) = &*fitted(&value, own.dtype())?
            && own.dtype() == new.dtype()
            && own.dtype() != DType::Resource
        {
            // What is computed at once needs no op, which would only borrow the elements.
            let part = StridedSlice::at(at)?;
            let lists = [part.begin.to_tensor()?, part.end.to_tensor()?, part.strides.to_tensor()?];
            let [begin, end, strides] = &lists;
            let inputs = [begin.value()?, end.value()?, strides.value()?, new];
            return assign(own, &KernelContext::new(&inputs, &part.attrs()));
        }
        *self = index_update(&*self, &*value, at)?;
        Ok(())
    }
}

impl Variable {
    /// Replaces the part that a slice takes. The value broadcasts to the shape of the part; indices are those of
    /// [`index`](crate::ops::index()). The variable is changed in place if nobody else holds its value.
    ///
    /// NumPy: `v[…] = value`; TensorFlow: `v[…].assign(value)`, `ResourceStridedSliceAssign`.
    ///
    /// # Errors
    /// `InvalidArgument` for an index out of bounds, another dtype, and a shape that does not broadcast;
    /// `FailedPrecondition` if the variable has no value yet.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![[1.0f32, 2.0], [3.0, 4.0]])?;
    /// v.index_assign((.., 0), 9.0)?;
    /// v.index_assign(1, [7.0, 8.0])?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[9.0, 2.0, 7.0, 8.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn index_assign(&self, at: impl IndexList, value: impl TensorLike) -> Result<()> {
        let _site = call_site!();
        self.change_part(StridedSliceAssign::DEF, &StridedSlice::at(at)?, value)
    }

    /// Adds to the part that a slice takes, as [`index_assign`](Self::index_assign) replaces it.
    ///
    /// NumPy: `v[…] += value`.
    ///
    /// # Errors
    /// As `index_assign`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![1.0f32, 2.0, 3.0])?;
    /// v.index_add(1.., 10.0)?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[1.0, 12.0, 13.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn index_add(&self, at: impl IndexList, value: impl TensorLike) -> Result<()> {
        let _site = call_site!();
        self.change_part(StridedSliceAdd::DEF, &StridedSlice::at(at)?, value)
    }

    /// Subtracts from the part that a slice takes, as [`index_assign`](Self::index_assign) replaces it.
    ///
    /// # Errors
    /// As `index_assign`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![1.0f32, 2.0, 3.0])?;
    /// v.index_sub(-1, 2.0)?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[1.0, 2.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn index_sub(&self, at: impl IndexList, value: impl TensorLike) -> Result<()> {
        let _site = call_site!();
        self.change_part(StridedSliceSub::DEF, &StridedSlice::at(at)?, value)
    }

    #[track_caller]
    fn change_part(
        &self,
        op: &'static OpDef,
        part: &StridedSlice,
        value: impl TensorLike,
    ) -> Result<()> {
        let value = value.lend()?;
        let value = fitted(&value, self.dtype())?;
        let lists = [part.begin.to_tensor()?, part.end.to_tensor()?, part.strides.to_tensor()?];
        let [begin, end, strides] = &lists;
        execute(op, part.attrs(), &[self.handle(), begin, end, strides, &value]).map(|_| ())
    }
}

/// The elements of the first source, with those of the second one in a part.
struct Part(View);

impl Part {
    fn write<T: Moved>(&self, value: &[T], out: &mut [MaybeUninit<T>]) {
        let (offset, dims, strides) = &self.0;
        strided_assign(value, *offset, dims, strides, out);
    }
}

impl Move for Part {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        gather_rows(sources[0], &[0], sources[0].len(), out);
        self.write(sources[1], out);
        Ok(())
    }
}

/// The value, repeated to these sizes.
pub(in crate::ops) fn spread(
    c: &KernelContext<'_>,
    value: &Array,
    dims: &[usize],
) -> Result<Array> {
    if value.dims() == dims {
        return Ok(value.clone());
    }
    let fits = || {
        let new = dims.len().checked_sub(value.rank())?;
        let mut strides: SmallVec<[isize; 4]> = SmallVec::from_elem(0, new);
        let mut step = extent(value.dims()) as isize;
        for (n, m) in value.dims().iter().zip(&dims[new..]) {
            step = step.checked_div(*n as isize).unwrap_or(0);
            strides.push(if n == m { step } else { 0 });
            (n == m || *n == 1).then_some(())?;
        }
        Some(strides)
    };
    let Some(strides) = fits() else {
        let part = Shape::from(dims);
        bail!("a value of shape {} does not broadcast to the part, of shape {part}", value.shape());
    };
    only(moved(c, &[value], dims, &Strided { offset: 0, dims: dims.into(), strides, par: c.par })?)
}

/// Replaces a part of an array. The inputs of the call are begins, ends, strides and the value.
pub(in crate::ops) fn assign(tensor: &mut Array, c: &KernelContext<'_>) -> Result<()> {
    let view = slice_view(c, tensor.dims(), 0)?;
    let value = spread(c, c.input(3), &view.1)?;
    if value.is_empty() { Ok(()) } else { put(tensor, c, value, Part(view)) }
}

fn put(tensor: &mut Array, c: &KernelContext<'_>, value: Array, part: Part) -> Result<()> {
    let changed = match tensor.dtype().size() {
        Some(1) => in_place::<u8>(tensor, &value, &part)?,
        Some(2) => in_place::<u16>(tensor, &value, &part)?,
        Some(4) => in_place::<u32>(tensor, &value, &part)?,
        Some(8) => in_place::<u64>(tensor, &value, &part)?,
        Some(_) => in_place::<num_complex::Complex64>(tensor, &value, &part)?,
        None => false,
    };
    if !changed {
        *tensor = only(moved(c, &[tensor, &value], tensor.dims(), &part)?)?;
    }
    Ok(())
}

/// An array of these sizes with the value in its first corner, and zeros (false, empty strings) elsewhere.
pub(in crate::ops) fn padded(
    c: &KernelContext<'_>,
    value: &Array,
    dims: &[usize],
) -> Result<Array> {
    if value.dims() == dims {
        return Ok(value.clone());
    }
    only(moved(c, &[value], dims, &Spread((0, value.dims().into(), row_major(dims))))?)
}

fn in_place<W: Element + Moved + bytemuck::AnyBitPattern>(
    tensor: &mut Array,
    value: &Array,
    part: &Part,
) -> Result<bool> {
    let value = value.as_words::<W>()?;
    Ok(tensor.change(|out| part.write(value, out)))
}

/// [`assign`] of what the part and the value are combined to.
fn combined(
    tensor: &mut Array,
    c: &KernelContext<'_>,
    table: &'static Table<ZipSignature>,
) -> Result<()> {
    let (offset, dims, strides) = slice_view(c, tensor.dims(), 0)?;
    let (value, attrs) = (spread(c, c.input(3), &dims)?, Attrs::new());
    if value.is_empty() {
        return Ok(());
    }
    let from = Strided { offset, dims: dims.clone(), strides: strides.clone(), par: c.par };
    let part = only(moved(c, &[tensor], dims.clone(), &from)?)?;
    let value =
        Kernel::Zip(table).run_one(&KernelContext::new(&[&part, &value], &attrs).on(c.par))?;
    put(tensor, c, value, Part((offset, dims, strides)))
}

/// Adds to a part of an array, with inputs as for [`assign`].
pub(in crate::ops) fn add(tensor: &mut Array, c: &KernelContext<'_>) -> Result<()> {
    combined(tensor, c, &binary::ADD)
}

/// Subtracts from a part of an array, with inputs as for [`assign`].
pub(in crate::ops) fn sub(tensor: &mut Array, c: &KernelContext<'_>) -> Result<()> {
    combined(tensor, c, &binary::SUB)
}
