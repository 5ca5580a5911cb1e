//! Ops that write slices of variables, and the gradient rules of the variable ops that are defined
//! in `crate::tensor`.

use super::indexing::scatter;
use super::rules::gradient::GradientEntry;
use super::{GatherNd, IndexedSlices, NamedOp, Op};
use crate::array::Array;
use crate::define_op;
use crate::ir::{Attrs, InferContext, KernelContext, Outputs, Types};
use crate::tensor::{
    ASSIGN_ADD_VARIABLE, ASSIGN_SUB_VARIABLE, ASSIGN_VARIABLE, READ_VARIABLE, Variable, call_site,
    execute, update_variable,
};
use crate::types::{DTypeSet, Error, Result, bail};

inventory::submit!(GradientEntry::same(&READ_VARIABLE));
inventory::submit!(GradientEntry::none(&ASSIGN_VARIABLE));
inventory::submit!(GradientEntry::none(&ASSIGN_ADD_VARIABLE));
inventory::submit!(GradientEntry::none(&ASSIGN_SUB_VARIABLE));

define_op! {
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
        infer: scattered, kernel: |c| scatter_into(c, scatter::add),
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
        infer: scattered, kernel: |c| scatter_into(c, scatter::sub),
        gradient: none,
    }

    /// Replaces the slices of a variable at `indices` along its first axis by `updates`; of slices with the same
    /// index the last one wins.
    ///
    /// TensorFlow: `ResourceScatterUpdate`. Shapes as for [`ScatterAddVariable`].
    pub op ScatterUpdateVariable = "ResourceScatterUpdate" {
        inputs: { resource: {Resource}, indices: Tindices, updates: dtype }, outputs: {},
        types: { dtype: DTypeSet::DATA, Tindices: DTypeSet::INDEX },
        dispatch: none,
        effect: Writes,
        infer: scattered, kernel: |c| scatter_into(c, scatter::update),
        gradient: none,
    }
}

fn scattered(c: &InferContext<'_>) -> Result<Types> {
    let (indices, updates) = (c.shape(1), c.shape(2));
    if let Some(rank) = indices.rank() {
        let places = updates.slice(None, Some(rank as i64));
        if updates.rank().is_some_and(|r| r < rank) || !places.is_compatible_with(indices) {
            bail!("updates of shape {updates} for indices of shape {indices}: they begin with it");
        }
    }
    Ok(Types::new())
}

/// Writes slices into the value of a variable, atomically for other threads.
fn scatter_into(
    c: &KernelContext<'_>,
    kernel: fn(Array, &KernelContext<'_>) -> Result<Outputs>,
) -> Result<Outputs> {
    let (indices, updates) = (c.input(1), c.input(2));
    let dims: Vec<usize> = indices.dims().iter().copied().chain([1]).collect();
    let places = indices.reshape(&dims[..])?;
    let attrs = Attrs::new().with(GatherNd::BAD_INDICES_POLICY, &String::new());
    update_variable(c.input(0), |old, par| {
        if old.dtype() != updates.dtype() {
            bail!("updates of {} for a variable of {}", updates.dtype(), old.dtype());
        }
        let others = [&places, updates];
        let mut new = kernel(old.clone(), &KernelContext::new(&others, &attrs).on(par))?;
        new.pop().ok_or_else(|| Error::internal("no result"))
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
