//! Ops that write slices of variables, and the gradient rules of the variable ops that are defined
//! in `crate::tensor`.

use extype_kernels::Par;

use super::indexing::infer::check_updates;
use super::indexing::scatter::{self, Change};
use super::rules::gradient::GradientEntry;
use super::slicing::{assign, strided};
use super::{GatherNd, IndexedSlices, Integers, MOVABLE, NamedOp, Op, concat, shape_of};
use crate::array::Array;
use crate::define_op;
use crate::ir::{Attrs, InferContext, KernelContext, Outputs, Types};
use crate::ops::methods::*;
use crate::tensor::{
    ASSIGN_ADD_VARIABLE, ASSIGN_SUB_VARIABLE, ASSIGN_VARIABLE, IS_INITIALIZED, READ_VARIABLE,
    Tensor, TensorLike, Variable, call_site, change_variable, execute, fitted,
};
use crate::types::{DType, DTypeSet, Result, Shape, bail};

inventory::submit!(GradientEntry::same(&READ_VARIABLE));
inventory::submit!(GradientEntry::none(&IS_INITIALIZED));
inventory::submit!(GradientEntry::none(&ASSIGN_VARIABLE));
inventory::submit!(GradientEntry::none(&ASSIGN_ADD_VARIABLE));
inventory::submit!(GradientEntry::none(&ASSIGN_SUB_VARIABLE));

define_op! {
    attrs Masks { begin_mask: i64 = 0, end_mask: i64 = 0, ellipsis_mask: i64 = 0, new_axis_mask: i64 = 0, shrink_axis_mask: i64 = 0 }

    /// Adds `updates` to the slices of a variable at `indices` along its first axis; slices with the same
    /// index add up.
    ///
    /// TensorFlow: `ResourceScatterAdd`. Indices have any shape; the updates have that shape, then the shape
    /// of a slice.
    pub op ScatterAddVariable = "ResourceScatterAdd" {
        inputs: { resource: {Resource}, indices: Tindices, updates: dtype }, outputs: {},
        types: { dtype: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        dispatch: none,
        effect: Writes,
        infer: scattered, kernel: |c| scatter_slices(c, scatter::add),
        gradient: none,
    }

    /// Subtracts `updates` from the slices of a variable at `indices` along its first axis; slices with the same
    /// index add up.
    ///
    /// TensorFlow: `ResourceScatterSub`. Shapes as for [`ScatterAddVariable`].
    pub op ScatterSubVariable = "ResourceScatterSub" {
        inputs: { resource: {Resource}, indices: Tindices, updates: dtype }, outputs: {},
        types: { dtype: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        dispatch: none,
        effect: Writes,
        infer: scattered, kernel: |c| scatter_slices(c, scatter::sub),
        gradient: none,
    }

    /// Multiplies the slices of a variable by `updates` at `indices` along its first axis; of slices with the same
    /// index all count.
    ///
    /// TensorFlow: `ResourceScatterMul`. Shapes as for [`ScatterAddVariable`].
    pub op ScatterMulVariable = "ResourceScatterMul" {
        inputs: { resource: {Resource}, indices: Tindices, updates: dtype }, outputs: {},
        types: { dtype: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        dispatch: none,
        effect: Writes,
        infer: scattered, kernel: |c| scatter_slices(c, scatter::mul),
        gradient: none,
    }

    /// Divides the slices of a variable by `updates` at `indices` along its first axis; of slices with the same
    /// index all count.
    ///
    /// TensorFlow: `ResourceScatterDiv`. Shapes as for [`ScatterAddVariable`]. Quotients of
    /// integers are rounded towards zero, and a zero among their updates is an error.
    pub op ScatterDivVariable = "ResourceScatterDiv" {
        inputs: { resource: {Resource}, indices: Tindices, updates: dtype }, outputs: {},
        types: { dtype: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        dispatch: none,
        effect: Writes,
        infer: scattered, kernel: |c| scatter_slices(c, scatter::div),
        gradient: none,
    }

    /// Takes the smaller ones of `updates` and the slices of a variable at `indices` along its first axis; of slices with the same
    /// index all count.
    ///
    /// TensorFlow: `ResourceScatterMin`. Shapes as for [`ScatterAddVariable`].
    pub op ScatterMinVariable = "ResourceScatterMin" {
        inputs: { resource: {Resource}, indices: Tindices, updates: dtype }, outputs: {},
        types: { dtype: DTypeSet::REAL, Tindices: DTypeSet::INDEX },
        dispatch: none,
        effect: Writes,
        infer: scattered, kernel: |c| scatter_slices(c, scatter::min),
        gradient: none,
    }

    /// Takes the larger ones of `updates` and the slices of a variable at `indices` along its first axis; of slices with the same
    /// index all count.
    ///
    /// TensorFlow: `ResourceScatterMax`. Shapes as for [`ScatterAddVariable`].
    pub op ScatterMaxVariable = "ResourceScatterMax" {
        inputs: { resource: {Resource}, indices: Tindices, updates: dtype }, outputs: {},
        types: { dtype: DTypeSet::REAL, Tindices: DTypeSet::INDEX },
        dispatch: none,
        effect: Writes,
        infer: scattered, kernel: |c| scatter_slices(c, scatter::max),
        gradient: none,
    }

    /// Replaces the slices of a variable by `updates` at `indices` along its first axis; of slices with the same
    /// index the last one wins.
    ///
    /// TensorFlow: `ResourceScatterUpdate`. Shapes as for [`ScatterAddVariable`].
    pub op ScatterUpdateVariable = "ResourceScatterUpdate" {
        inputs: { resource: {Resource}, indices: Tindices, updates: dtype }, outputs: {},
        types: { dtype: DTypeSet::DATA, Tindices: DTypeSet::INDEX },
        dispatch: none,
        effect: Writes,
        infer: scattered, kernel: |c| scatter_slices(c, scatter::update),
        gradient: none,
    }

    /// Adds `updates` to the parts of a variable at coordinates, in order.
    ///
    /// TensorFlow: `ResourceScatterNdAdd`. Indices `[…, n]` into the first `n` axes; the updates have the leading
    /// axes of the indices, then the other axes of the variable.
    pub op ScatterNdAddVariable = "ResourceScatterNdAdd" {
        inputs: { resource: {Resource}, indices: Tindices, updates: T }, outputs: {},
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        dispatch: none,
        effect: Writes,
        infer: |c| check_updates(&Shape::unknown(), c.shape(1), c.shape(2)).map(|()| Types::new()),
        kernel: |c| scatter_into(c, c.input(1), scatter::add),
        gradient: none,
    }

    /// Subtracts `updates` from the parts of a variable at coordinates, in order.
    ///
    /// TensorFlow: `ResourceScatterNdSub`. Shapes as for [`ScatterNdAddVariable`].
    pub op ScatterNdSubVariable = "ResourceScatterNdSub" {
        inputs: { resource: {Resource}, indices: Tindices, updates: T }, outputs: {},
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        dispatch: none,
        effect: Writes,
        infer: |c| check_updates(&Shape::unknown(), c.shape(1), c.shape(2)).map(|()| Types::new()),
        kernel: |c| scatter_into(c, c.input(1), scatter::sub),
        gradient: none,
    }

    /// Takes the smaller ones of `updates` and the parts of a variable at coordinates, in order.
    ///
    /// TensorFlow: `ResourceScatterNdMin`. Shapes as for [`ScatterNdAddVariable`].
    pub op ScatterNdMinVariable = "ResourceScatterNdMin" {
        inputs: { resource: {Resource}, indices: Tindices, updates: T }, outputs: {},
        types: { T: DTypeSet::REAL, Tindices: DTypeSet::INDEX },
        dispatch: none,
        effect: Writes,
        infer: |c| check_updates(&Shape::unknown(), c.shape(1), c.shape(2)).map(|()| Types::new()),
        kernel: |c| scatter_into(c, c.input(1), scatter::min),
        gradient: none,
    }

    /// Takes the larger ones of `updates` and the parts of a variable at coordinates, in order.
    ///
    /// TensorFlow: `ResourceScatterNdMax`. Shapes as for [`ScatterNdAddVariable`].
    pub op ScatterNdMaxVariable = "ResourceScatterNdMax" {
        inputs: { resource: {Resource}, indices: Tindices, updates: T }, outputs: {},
        types: { T: DTypeSet::REAL, Tindices: DTypeSet::INDEX },
        dispatch: none,
        effect: Writes,
        infer: |c| check_updates(&Shape::unknown(), c.shape(1), c.shape(2)).map(|()| Types::new()),
        kernel: |c| scatter_into(c, c.input(1), scatter::max),
        gradient: none,
    }

    /// Replaces the parts of a variable by `updates` at coordinates, in order.
    ///
    /// TensorFlow: `ResourceScatterNdUpdate`. Shapes as for [`ScatterNdAddVariable`].
    pub op ScatterNdUpdateVariable = "ResourceScatterNdUpdate" {
        inputs: { resource: {Resource}, indices: Tindices, updates: T }, outputs: {},
        types: { T: DTypeSet::DATA, Tindices: DTypeSet::INDEX },
        dispatch: none,
        effect: Writes,
        infer: |c| check_updates(&Shape::unknown(), c.shape(1), c.shape(2)).map(|()| Types::new()),
        kernel: |c| scatter_into(c, c.input(1), scatter::update),
        gradient: none,
    }

    /// Replaces the part of a variable that a slice takes. The value broadcasts to the shape of the slice.
    ///
    /// TensorFlow: `ResourceStridedSliceAssign`. Begins, ends, strides and masks as those of [`StridedSlice`](super::StridedSlice).
    pub op StridedSliceAssign = "ResourceStridedSliceAssign" {
        inputs: { ref: {Resource}, begin: Index as Integers, end: Index as Integers, strides: Index as Integers, value: T }, outputs: {},
        types: { T: MOVABLE, Index: DTypeSet::INDEX },
        attrs: { ..Masks },
        dispatch: none,
        effect: Writes,
        infer: strided::assigned, kernel: |c| assign_part(c, assign::assign),
        gradient: none,
    }

    /// Adds to the part of a variable that a slice takes, as [`StridedSliceAssign`] replaces it.
    pub op StridedSliceAdd = "ResourceStridedSliceAdd" {
        inputs: { ref: {Resource}, begin: Index as Integers, end: Index as Integers, strides: Index as Integers, value: T }, outputs: {},
        types: { T: DTypeSet::NUMERIC, Index: DTypeSet::INDEX },
        attrs: { ..Masks },
        dispatch: none,
        effect: Writes,
        infer: strided::assigned, kernel: |c| assign_part(c, assign::add),
        gradient: none,
    }

    /// Subtracts from the part of a variable that a slice takes, as [`StridedSliceAssign`] replaces it.
    pub op StridedSliceSub = "ResourceStridedSliceSub" {
        inputs: { ref: {Resource}, begin: Index as Integers, end: Index as Integers, strides: Index as Integers, value: T }, outputs: {},
        types: { T: DTypeSet::NUMERIC, Index: DTypeSet::INDEX },
        attrs: { ..Masks },
        dispatch: none,
        effect: Writes,
        infer: strided::assigned, kernel: |c| assign_part(c, assign::sub),
        gradient: none,
    }
}

fn scattered(c: &InferContext<'_>) -> Result<Types> {
    let (indices, updates) = (c.shape(1), c.shape(2));
    if let Some(rank) = indices.rank()
        && updates.rank() != Some(0)
    {
        let places = updates.slice(None, Some(rank as i64));
        if updates.rank().is_some_and(|r| r < rank) || !places.is_compatible_with(indices) {
            bail!("updates of shape {updates} for indices of shape {indices}: they begin with it");
        }
    }
    Ok(Types::new())
}

/// Changes slices of the value of a variable. A scalar is the update of every element.
fn scatter_slices(c: &KernelContext<'_>, change: Change) -> Result<Outputs> {
    let (indices, updates) = (c.input(1), c.input(2));
    let dims: Vec<usize> = indices.dims().iter().copied().chain([1]).collect();
    let places = indices.reshape(&dims[..])?;
    if updates.rank() != 0 || indices.rank() == 0 {
        return scatter_into(c, &places, change);
    }
    let attrs = scattering();
    changed_by(c, updates, |value, par| {
        let dims = [indices.dims(), value.dims().get(1..).unwrap_or_default()].concat();
        let updates = assign::spread(&c.on(par), updates, &dims)?;
        change(value, &KernelContext::new(&[&places, &updates], &attrs).on(par))
    })
}

fn scattering() -> Attrs {
    Attrs::new().with(GatherNd::BAD_INDICES_POLICY, &String::new())
}

/// Changes parts of the value of a variable.
fn scatter_into(c: &KernelContext<'_>, places: &Array, change: Change) -> Result<Outputs> {
    let (updates, attrs) = (c.input(2), scattering());
    let others = [places, updates];
    changed_by(c, updates, |value, par| change(value, &KernelContext::new(&others, &attrs).on(par)))
}

/// Replaces or changes the part of the value of a variable that a slice takes.
fn assign_part(c: &KernelContext<'_>, change: Change) -> Result<Outputs> {
    let others = &c.inputs[1..];
    changed_by(c, c.input(4), |value, par| {
        change(value, &KernelContext::new(others, c.attrs).on(par))
    })
}

/// Changes the value of a variable by values of its dtype, atomically for other threads.
fn changed_by(
    c: &KernelContext<'_>,
    values: &Array,
    change: impl Fn(&mut Array, Par) -> Result<()>,
) -> Result<Outputs> {
    change_variable(c.input(0), |value, par| {
        if value.dtype() != values.dtype() {
            bail!("values of {} for a variable of {}", values.dtype(), value.dtype());
        }
        change(value, par)
    })?;
    Ok(Outputs::new())
}

impl Variable {
    /// Adds slices to the value; slices with the same index add up.
    ///
    /// TensorFlow: `Variable.scatter_add`.
    ///
    /// # Errors
    /// `InvalidArgument` for another dtype, for slices that don't fit, and for an index out of range.
    ///
    /// ```
    /// use extype::ops::IndexedSlices;
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![1.0f32, 2.0, 3.0])?;
    /// v.scatter_add(&IndexedSlices::new(&tensor![10.0f32, 20.0], &tensor![2, 2], [3])?)?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[1.0, 2.0, 33.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scatter_add(&self, slices: &IndexedSlices) -> Result<()> {
        let _site = call_site!();
        self.scatter(ScatterAddVariable {}, slices)
    }

    /// Subtracts slices from the value; slices with the same index add up.
    ///
    /// TensorFlow: `Variable.scatter_sub`.
    ///
    /// # Errors
    /// As [`scatter_add`](Self::scatter_add).
    ///
    /// ```
    /// use extype::ops::IndexedSlices;
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![[1.0f32, 1.0], [2.0, 2.0]])?;
    /// v.scatter_sub(&IndexedSlices::new(&tensor![[0.5f32, 1.0]], &tensor![1], [2, 2])?)?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[1.0, 1.0, 1.5, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scatter_sub(&self, slices: &IndexedSlices) -> Result<()> {
        let _site = call_site!();
        self.scatter(ScatterSubVariable {}, slices)
    }

    /// Replaces slices of the value; of slices with the same index the last one wins.
    ///
    /// TensorFlow: `Variable.scatter_update`.
    ///
    /// # Errors
    /// As [`scatter_add`](Self::scatter_add).
    ///
    /// ```
    /// use extype::ops::IndexedSlices;
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![1.0f32, 2.0, 3.0])?;
    /// v.scatter_update(&IndexedSlices::new(&tensor![10.0f32, 20.0], &tensor![0, 2], [3])?)?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[10.0, 2.0, 20.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scatter_update(&self, slices: &IndexedSlices) -> Result<()> {
        let _site = call_site!();
        self.scatter(ScatterUpdateVariable {}, slices)
    }

    /// Multiplies slices of the value; of slices with the same index all count.
    ///
    /// TensorFlow: `Variable.scatter_mul`.
    ///
    /// # Errors
    /// As [`scatter_add`](Self::scatter_add).
    ///
    /// ```
    /// use extype::ops::IndexedSlices;
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![1.0f32, 2.0, 3.0])?;
    /// v.scatter_mul(&IndexedSlices::new(&tensor![4.0f32, 2.0], &tensor![2, 2], [3])?)?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[1.0, 2.0, 24.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scatter_mul(&self, slices: &IndexedSlices) -> Result<()> {
        let _site = call_site!();
        self.scatter(ScatterMulVariable {}, slices)
    }

    /// Divides slices of the value, integers towards zero; of slices with the same index all count.
    ///
    /// TensorFlow: `Variable.scatter_div`.
    ///
    /// # Errors
    /// As [`scatter_add`](Self::scatter_add), and for a zero that integers are divided by.
    ///
    /// ```
    /// use extype::ops::IndexedSlices;
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![1.0f32, 2.0, 3.0])?;
    /// v.scatter_div(&IndexedSlices::new(&tensor![4.0f32, 2.0], &tensor![2, 2], [3])?)?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[1.0, 2.0, 0.375]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scatter_div(&self, slices: &IndexedSlices) -> Result<()> {
        let _site = call_site!();
        self.scatter(ScatterDivVariable {}, slices)
    }

    /// Takes the smaller ones of the slices and those of the value; of slices with the same index all count.
    ///
    /// TensorFlow: `Variable.scatter_min`.
    ///
    /// # Errors
    /// As [`scatter_add`](Self::scatter_add).
    ///
    /// ```
    /// use extype::ops::IndexedSlices;
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![1.0f32, 2.0, 3.0])?;
    /// v.scatter_min(&IndexedSlices::new(&tensor![4.0f32, 2.0], &tensor![2, 2], [3])?)?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[1.0, 2.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scatter_min(&self, slices: &IndexedSlices) -> Result<()> {
        let _site = call_site!();
        self.scatter(ScatterMinVariable {}, slices)
    }

    /// Takes the larger ones of the slices and those of the value; of slices with the same index all count.
    ///
    /// TensorFlow: `Variable.scatter_max`.
    ///
    /// # Errors
    /// As [`scatter_add`](Self::scatter_add).
    ///
    /// ```
    /// use extype::ops::IndexedSlices;
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![1.0f32, 2.0, 3.0])?;
    /// v.scatter_max(&IndexedSlices::new(&tensor![4.0f32, 2.0], &tensor![2, 2], [3])?)?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[1.0, 2.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scatter_max(&self, slices: &IndexedSlices) -> Result<()> {
        let _site = call_site!();
        self.scatter(ScatterMaxVariable {}, slices)
    }

    /// Replaces parts of the value at coordinates, in order.
    ///
    /// TensorFlow: `Variable.scatter_nd_update`. Indices `[…, n]` into the first `n` axes; the updates have the leading
    /// axes of the indices, then the other axes of the variable.
    ///
    /// # Errors
    /// `FailedPrecondition` if the variable has no value yet; `InvalidArgument` for another dtype, for updates that don't
    /// fit, and for an index out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![[1, 2], [3, 4]])?;
    /// v.scatter_nd_update(&tensor![[0, 1], [1, 0]], [3, 1])?;
    /// assert_eq!(v.read()?.as_slice::<i32>()?, &[1, 3, 1, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scatter_nd_update(&self, indices: &Tensor, updates: impl TensorLike) -> Result<()> {
        let _site = call_site!();
        self.scatter_nd(ScatterNdUpdateVariable {}, indices, updates)
    }

    /// Adds to parts of the value at coordinates, in order.
    ///
    /// TensorFlow: `Variable.scatter_nd_add`. Shapes as for [`scatter_nd_update`](Self::scatter_nd_update).
    ///
    /// # Errors
    /// As [`scatter_nd_update`](Self::scatter_nd_update).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![[1, 2], [3, 4]])?;
    /// v.scatter_nd_add(&tensor![[0, 1], [1, 0]], [3, 1])?;
    /// assert_eq!(v.read()?.as_slice::<i32>()?, &[1, 5, 4, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scatter_nd_add(&self, indices: &Tensor, updates: impl TensorLike) -> Result<()> {
        let _site = call_site!();
        self.scatter_nd(ScatterNdAddVariable {}, indices, updates)
    }

    /// Subtracts from parts of the value at coordinates, in order.
    ///
    /// TensorFlow: `Variable.scatter_nd_sub`. Shapes as for [`scatter_nd_update`](Self::scatter_nd_update).
    ///
    /// # Errors
    /// As [`scatter_nd_update`](Self::scatter_nd_update).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![[1, 2], [3, 4]])?;
    /// v.scatter_nd_sub(&tensor![[0, 1], [1, 0]], [3, 1])?;
    /// assert_eq!(v.read()?.as_slice::<i32>()?, &[1, -1, 2, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scatter_nd_sub(&self, indices: &Tensor, updates: impl TensorLike) -> Result<()> {
        let _site = call_site!();
        self.scatter_nd(ScatterNdSubVariable {}, indices, updates)
    }

    /// Takes the smaller ones of the updates and the parts of the value at coordinates, in order.
    ///
    /// TensorFlow: `Variable.scatter_nd_min`. Shapes as for [`scatter_nd_update`](Self::scatter_nd_update).
    ///
    /// # Errors
    /// As [`scatter_nd_update`](Self::scatter_nd_update).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![[1, 2], [3, 4]])?;
    /// v.scatter_nd_min(&tensor![[0, 1], [1, 0]], [3, 1])?;
    /// assert_eq!(v.read()?.as_slice::<i32>()?, &[1, 2, 1, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scatter_nd_min(&self, indices: &Tensor, updates: impl TensorLike) -> Result<()> {
        let _site = call_site!();
        self.scatter_nd(ScatterNdMinVariable {}, indices, updates)
    }

    /// Takes the larger ones of the updates and the parts of the value at coordinates, in order.
    ///
    /// TensorFlow: `Variable.scatter_nd_max`. Shapes as for [`scatter_nd_update`](Self::scatter_nd_update).
    ///
    /// # Errors
    /// As [`scatter_nd_update`](Self::scatter_nd_update).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![[1, 2], [3, 4]])?;
    /// v.scatter_nd_max(&tensor![[0, 1], [1, 0]], [3, 1])?;
    /// assert_eq!(v.read()?.as_slice::<i32>()?, &[1, 3, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scatter_nd_max(&self, indices: &Tensor, updates: impl TensorLike) -> Result<()> {
        let _site = call_site!();
        self.scatter_nd(ScatterNdMaxVariable {}, indices, updates)
    }

    /// Replaces slices of each of a batch of values: `v[i, indices[i, j]] = updates[i, j]`, and so on for more axes of
    /// batches. Of slices with the same index the last one wins.
    ///
    /// TensorFlow: `Variable.batch_scatter_update`. Indices `[…, n]` of known rank, whose leading axes are those of the
    /// variable; the updates have the shape of the indices, then that of a slice.
    ///
    /// # Errors
    /// As [`scatter_nd_update`](Self::scatter_nd_update).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![[1, 2, 3], [4, 5, 6]])?;
    /// v.batch_scatter_update(&tensor![[0, 2], [1, 1]], [[10, 30], [7, 50]])?;
    /// assert_eq!(v.read()?.as_slice::<i32>()?, &[10, 2, 30, 4, 50, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn batch_scatter_update(&self, indices: &Tensor, updates: impl TensorLike) -> Result<()> {
        let _site = call_site!();
        let Some(depth) = indices.rank().filter(|rank| *rank > 0) else {
            bail!(
                "indices of shape {}; they need an axis, and their rank be known",
                indices.shape()
            );
        };
        // The place of each index is that of its slice, but for the last coordinate.
        let places = indices.equal(indices)?.where_indices()?;
        let last = indices.cast(DType::I64)?.reshape((-1, 1))?;
        let batch = places.slice([0, 0], [-1, depth as i64 - 1])?;
        let coordinates = concat(&[batch, last], 1)?;
        let sizes = concat(&[shape_of(indices)?, [depth as i64].to_tensor()?], 0)?;
        self.scatter_nd_update(&coordinates.reshape(&sizes)?, updates)
    }

    /// The slices at these indices along the first axis, as [`gather`](crate::ops::gather) of the value. Tapes take a
    /// gradient of slices for the variable.
    ///
    /// TensorFlow: `Variable.sparse_read`.
    ///
    /// # Errors
    /// `FailedPrecondition` if the variable has no value yet; `OutOfRange` for an index out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![1.0f32, 2.0, 3.0])?;
    /// assert_eq!(v.sparse_read(&tensor![2, 0])?.as_slice::<f32>()?, &[3.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn sparse_read(&self, indices: &Tensor) -> Result<Tensor> {
        let _site = call_site!();
        // A read shares the buffer, so no op of its own is needed.
        self.read()?.gather(indices, 0)
    }

    /// The elements or slices at coordinates, as [`gather_nd`](crate::ops::gather_nd) of the value.
    ///
    /// TensorFlow: `Variable.gather_nd`.
    ///
    /// # Errors
    /// `FailedPrecondition` if the variable has no value yet; `InvalidArgument` for an index out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![[1, 2], [3, 4]])?;
    /// assert_eq!(v.gather_nd(&tensor![[1, 0]])?.as_slice::<i32>()?, &[3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn gather_nd(&self, indices: &Tensor) -> Result<Tensor> {
        let _site = call_site!();
        self.read()?.gather_nd(indices)
    }

    fn scatter_nd<O: Op + NamedOp>(
        &self,
        op: O,
        indices: &Tensor,
        updates: impl TensorLike,
    ) -> Result<()> {
        let updates = updates.lend()?;
        let updates = fitted(&updates, self.dtype())?;
        self.shape().with_rank_at_least(1)?;
        check_updates(self.shape(), &indices.shape(), &updates.shape())?;
        execute(O::DEF, op.attrs(), &[self.handle(), indices, &updates]).map(|_| ())
    }

    fn scatter<O: Op + NamedOp>(&self, op: O, slices: &IndexedSlices) -> Result<()> {
        if slices.dtype() != self.dtype() {
            bail!("slices of {} for a variable of {}", slices.dtype(), self.tensor_type());
        }
        let (rest, own) = (slices.values().shape().slice(Some(1), None), self.shape());
        if own.rank() == Some(0) || !rest.is_compatible_with(&own.slice(Some(1), None)) {
            bail!("slices of shape {} for a variable of shape {own}", slices.values().shape());
        }
        let inputs = [self.handle(), slices.indices(), slices.values()];
        execute(O::DEF, op.attrs(), &inputs).map(|_| ())
    }
}
